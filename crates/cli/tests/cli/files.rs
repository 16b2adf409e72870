//! Files that cannot be finished: nothing half-written stays.

use std::fs::File;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::support::{Place, Ran, TINY};

/// A disk of 64 KiB in a mount namespace of its own; the picture of noise that is to be written takes more.
#[test]
fn a_full_disk_leaves_nothing_behind() {
    let place = Place::with(TINY);
    std::fs::create_dir(place.path("disk")).expect("a folder");
    let namespace = |script: &str| {
        let mut command = Command::new("unshare");
        command.args(["--map-root-user", "--mount", "sh", "-c", script, "sh"]).current_dir(place.path("."));
        command
    };
    let mount = "mount -t tmpfs -o size=64k,nr_inodes=16 none disk";
    if !namespace(mount).output().is_ok_and(|output| output.status.success()) {
        eprintln!("SKIPPED: no small disk can be mounted here (unshare and mount are needed)");
        return;
    }
    let script =
        format!("{mount} && echo old > disk/x.png && \"$@\"; code=$?; ls -A disk >&2; cat disk/x.png; exit $code");
    let render = place.command(&["render", "scene.toml", "-o", "disk/x.png", "--size", "640x360", "--samples", "1"]);
    let mut command = namespace(&script);
    command.arg(render.get_program()).args(render.get_args());
    let ran = Ran::of(&command.output().expect("unshare"));
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(ran.err.contains("disk/x.png: not written") && !ran.err.contains(".tmp"), "{ran:?}");
    assert_eq!(ran.err.lines().last(), Some("x.png"), "{ran:?}");
    assert_eq!(ran.out, "old\n");
}

/// Standard output may be full, or closed by whoever read it.
#[test]
fn output_that_cannot_be_printed_is_no_panic() {
    let place = Place::with(TINY);
    let Ok(full) = File::options().write(true).open("/dev/full") else {
        eprintln!("SKIPPED: there is no /dev/full");
        return;
    };
    let mut info = place.command(&["info"]);
    let ran = Ran::of(&info.stdout(full).output().expect("anemone"));
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(ran.err.starts_with("error: "), "{ran:?}");

    let mut info = place.command(&["info", "--json"]);
    let mut child = info.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("anemone");
    drop(child.stdout.take());
    let ran = Ran::of(&child.wait_with_output().expect("anemone"));
    assert_eq!(ran.err, "", "{ran:?}");
}

/// Standard error too: the exit code still says what went wrong.
#[test]
fn mistakes_that_cannot_be_told_keep_their_code() {
    let place = Place::with(TINY);
    for arguments in [&["render", "no.toml", "-o", "x.png"][..], &["render"], &["render", "scene.toml", "-o", "x"]] {
        let Ok(full) = File::options().write(true).open("/dev/full") else {
            eprintln!("SKIPPED: there is no /dev/full");
            return;
        };
        let ran = Ran::of(&place.command(arguments).stderr(full).output().expect("anemone"));
        assert_eq!(ran.code, Some(2), "{arguments:?}: {ran:?}");
    }
    let Ok(full) = File::options().write(true).open("/dev/full") else { return };
    let ran = Ran::of(&place.command(&["--help"]).stdout(full).output().expect("anemone"));
    assert_eq!(ran.code, Some(1), "{ran:?}");
}

/// A limit on the size of files is like a full disk, not the end by a signal with a piece left behind.
#[test]
fn a_limit_on_files_leaves_nothing_behind() {
    let place = Place::with(TINY);
    place.write("x.png", "old");
    // 8 blocks of 512 or 1024 bytes, as the shell counts; the picture takes more.
    let render = place.command(&["render", "scene.toml", "-o", "x.png", "--size", "320x180", "--samples", "1"]);
    let mut command = Command::new("sh");
    command.args(["-c", "ulimit -f 8 && exec \"$@\"", "sh"]).arg(render.get_program()).args(render.get_args());
    // Mesa's cache of shaders would meet the limit too.
    command.env("MESA_SHADER_CACHE_DISABLE", "true").env("XDG_RUNTIME_DIR", std::env::temp_dir());
    let ran = Ran::of(&command.current_dir(place.path(".")).output().expect("sh"));
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(ran.err.contains("x.png: not written: ") && !ran.err.contains(".tmp"), "{ran:?}");
    assert_eq!(place.files(), ["scene.toml", "x.png"]);
    assert_eq!(std::fs::read(place.path("x.png")).expect("the old file"), b"old");
}

/// Interrupted while it draws: no picture, no piece of one.
#[test]
fn an_interrupt_leaves_no_file() {
    let place = Place::with(TINY);
    place.write("x.png", "old");
    let mut command =
        place.command(&["render", "scene.toml", "-o", "x.png", "--size", "256x144", "--samples", "65536"]);
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("anemone");
    std::thread::sleep(Duration::from_secs(3));
    assert!(child.try_wait().expect("anemone").is_none(), "it ended by itself");
    let kill = Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill");
    assert!(kill.success());
    let start = Instant::now();
    while child.try_wait().expect("anemone").is_none() {
        assert!(start.elapsed() < Duration::from_secs(20), "it goes on");
        std::thread::sleep(Duration::from_millis(20));
    }
    assert!(!child.wait().expect("anemone").success());
    assert_eq!(place.files(), ["scene.toml", "x.png"]);
    assert_eq!(std::fs::read(place.path("x.png")).expect("the old file"), b"old");
}
