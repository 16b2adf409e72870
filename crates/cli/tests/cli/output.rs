//! Where pictures go: through links, onto ordinary files, and nowhere else.

use std::os::unix::fs::{FileTypeExt, PermissionsExt, symlink};
use std::process::Command;

use crate::support::{Place, TINY};

#[test]
fn a_link_is_written_through() {
    let place = Place::with(TINY);
    std::fs::create_dir(place.path("links")).expect("a folder");
    place.write("x.png", "old");
    std::fs::set_permissions(place.path("x.png"), std::fs::Permissions::from_mode(0o604)).expect("a mode");
    symlink("../x.png", place.path("links/near.png")).expect("a link");
    symlink("links/near.png", place.path("far.png")).expect("a link");
    place.render(&["-o", "far.png"]).succeeds();
    assert_eq!(place.picture("x.png").size, [64, 36]);
    for link in ["far.png", "links/near.png"] {
        assert!(place.path(link).is_symlink(), "{link}");
    }
    // Who may read it stays as it was.
    assert_eq!(place.path("x.png").metadata().expect("a file").permissions().mode() & 0o777, 0o604);
    assert_eq!(place.files(), ["far.png", "links", "scene.toml", "x.png"]);
    assert_eq!(std::fs::read_dir(place.path("links")).expect("a folder").count(), 1);
}

#[test]
fn a_link_to_nowhere_is_refused() {
    let place = Place::with(TINY);
    symlink("nowhere/x.png", place.path("dangling.png")).expect("a link");
    symlink("loop.png", place.path("loop.png")).expect("a link");
    symlink(".", place.path("folder.png")).expect("a link");
    place.render(&["-o", "dangling.png"]).fails_with(&["a link to nowhere/x.png, which does not exist"]);
    place.render(&["-o", "loop.png"]).fails_with(&["loop.png", "a link that cannot be followed"]);
    place.render(&["-o", "folder.png"]).fails_with(&["this is a folder"]);
    for link in ["dangling.png", "loop.png", "folder.png"] {
        assert!(place.path(link).is_symlink(), "{link}");
    }
}

#[test]
fn only_ordinary_files_are_replaced() {
    let place = Place::with(TINY);
    assert!(Command::new("mkfifo").arg(place.path("pipe.png")).status().expect("mkfifo").success());
    symlink("/dev/null", place.path("null.png")).expect("a link");
    place.render(&["-o", "pipe.png"]).fails_with(&["-o pipe.png", "not an ordinary file"]);
    place.render(&["-o", "null.png"]).fails_with(&["-o null.png", "not an ordinary file"]);
    assert!(place.path("pipe.png").symlink_metadata().expect("a pipe").file_type().is_fifo());
    place.write("kept.png", "old");
    std::fs::set_permissions(place.path("kept.png"), std::fs::Permissions::from_mode(0o444)).expect("a mode");
    place.render(&["-o", "kept.png"]).fails_with(&["-o kept.png", "read-only"]);
    assert_eq!(std::fs::read(place.path("kept.png")).expect("the old file"), b"old");
    assert_eq!(place.files(), ["kept.png", "null.png", "pipe.png", "scene.toml"]);
}

#[test]
fn what_the_picture_is_made_from_is_not_written_over() {
    let place = Place::with("[ground]\nfile = \"map.png\"\n");
    let assets = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets/terrain/jacksboro.png");
    std::fs::copy(assets, place.path("map.png")).expect("a map");
    place.write("scene.png", TINY);
    let before = std::fs::read(place.path("map.png")).expect("a map");
    place.render(&["-o", "./map.png"]).fails_with(&["-o ./map.png", "the scene reads this file"]);
    place.run(&["render", "scene.png", "-o", "scene.png"]).fails_with(&["the scene reads this file"]);
    assert!(std::fs::read(place.path("map.png")).expect("a map") == before);
}

#[test]
fn places_that_cannot_be_are_found_before_drawing_and_told_in_our_own_words() {
    let place = Place::with(TINY);
    let long = format!("{}.png", "a".repeat(300));
    let cases = [
        ("nodir/x.png", "the folder nodir does not exist"),
        ("no/folder/x.png", "the folder no/folder does not exist"),
        ("scene.toml/x.png", "scene.toml is not a folder"),
        ("scene.toml/more/x.png", "scene.toml/more is not a folder"),
        ("/proc/x.png", "no file can be made in the folder /proc"),
        (long.as_str(), "the name is too long"),
        ("x.png/", "the name of a file"),
    ];
    for (output, says) in cases {
        // So many samples would take an hour.
        let ran = place.render(&["-o", output, "--samples", "65536"]).fails_with(&["error: -o ", says]);
        assert!(!ran.err.contains(".tmp"), "{ran:?}");
    }
    assert_eq!(place.files(), ["scene.toml"]);
}

/// What a file's name holds must not reach the terminal, in refusals and in the last report.
#[test]
fn names_cannot_command_the_terminal() {
    let place = Place::with(TINY);
    let odd = "\u{1b}[31m\u{9b}x\r.png";
    let safe = |text: &str| {
        assert!(!text.chars().any(|character| character.is_control() && character != '\n'), "{text:?}");
        assert!(text.contains("\u{fffd}[31m\u{fffd}x\u{fffd}.png"), "{text:?}");
    };
    safe(&place.run(&["render", odd, "-o", "x.png"]).fails_with(&[]).err);
    safe(&place.render(&["-o", &format!("no/{odd}")]).fails_with(&[]).err);
    safe(&place.render(&["-o", odd, "--camera", odd]).fails_with(&["camera"]).err);
    safe(&place.render(&["-o", odd, "--adapter", odd]).fails_with(&["adapter"]).err);
    safe(&place.render(&["-o", "x.png", odd]).fails_with(&["unexpected"]).err);
    safe(&place.render(&["-o", odd, "--size", odd]).fails_with(&["--size"]).err);
    safe(&place.render(&["-o", odd]).succeeds().out);
    assert!(place.files().contains(&odd.to_owned()), "{:?}", place.files());
    symlink(odd, place.path("link.png")).expect("a link");
    std::fs::remove_file(place.path(odd)).expect("the picture");
    safe(&place.render(&["-o", "link.png"]).fails_with(&["link"]).err);
}
