//! Films: sequences and films in one file, interrupted and resumed.

use std::time::Duration;

use crate::support::{Picture, Place, Ran, TINY};

/// Everything moves: a gusty wind that turns, a ball that rolls through the grass, the sun, the exposure and the camera.
fn scene() -> String {
    format!(
        "{TINY}[[camera.main.key]]\ntime = 0\nposition = [0, 1, 4]\n[[camera.main.key]]\ntime = 1\nposition = [1, 1.2, 3]\n\
         [sun]\nelevation = [[0, 20], [1, 40]]\n\n[wind.gusts]\nkind = 'fbm'\nspeed = 9\ntoward = [[0, 0], [1, 90]]\nwavelength = 3\n\
         [collider.ball]\nradius = 0.3\npath = [[0, -2, 0.2, 0.5], [0.5, 2, 0.2, 0.5]]\n[render]\nsettle = 0.1\nfps = 10\nexposure = [[0, 0], [1, 0.5]]\n"
    )
}

/// `anemone render scene.toml`, small, with more arguments after it.
fn film(place: &Place, more: &[&str]) -> Ran {
    place.run(&[&["render", "scene.toml", "--size", "64x36", "--samples", "2"], more].concat())
}

fn bytes(place: &Place, name: &str) -> Vec<u8> {
    std::fs::read(place.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

#[test]
fn a_frame_is_the_same_in_one_run_and_after_an_interruption_and_alone() {
    let place = Place::with(&scene());
    let ran = film(&place, &["--frames", "1-6", "--shutter", "0.05", "-o", "a.##.png"]).succeeds();
    let lines: Vec<&str> = ran.out.lines().collect();
    assert_eq!(lines[0], "a.01.png to a.06.png");
    assert!(lines[2].contains("6 frames of 64×36, 10 a second"), "{ran:?}");
    let names = [1, 2, 3, 4, 5, 6].map(|frame| format!("a.0{frame}.png"));
    assert_eq!(place.files(), [&names[..], &["scene.toml".to_owned()]].concat());
    let pictures = names.each_ref().map(|name| place.picture(name));
    for pair in pictures.windows(2) {
        let moved = pair[0].pixels.iter().zip(&pair[1].pixels).filter(|(a, b)| a != b).count();
        assert!(moved > 100, "the film stands still: {moved} pixels differ");
    }

    // Alone, and every second one.
    film(&place, &["--frames", "5", "--shutter", "0.05", "-o", "b.#.png"]).succeeds();
    assert_eq!(bytes(&place, "b.5.png"), bytes(&place, "a.05.png"));
    film(&place, &["--frames", "2-6x2", "--shutter", "0.05", "-o", "c.#.png"]).succeeds();
    for frame in [2, 4, 6] {
        assert_eq!(bytes(&place, &format!("c.{frame}.png")), bytes(&place, &format!("a.0{frame}.png")));
    }

    // Frames lost, or broken off by a power cut, are drawn again, and no others.
    let kept = bytes(&place, "a.02.png");
    let [third, fourth] = ["a.03.png", "a.04.png"].map(|name| bytes(&place, name));
    place.write("a.03.png", &third[..third.len() / 2]);
    std::fs::remove_file(place.path("a.04.png")).expect("it is there");
    let before = std::fs::metadata(place.path("a.02.png")).and_then(|file| file.modified()).expect("a time");
    let ran = film(&place, &["--frames", "1-6", "--shutter", "0.05", "-o", "a.##.png", "--resume"]).succeeds();
    assert!(ran.out.contains("2 frames of") && ran.err.contains("a.03.png is broken off"), "{ran:?}");
    assert_eq!([bytes(&place, "a.03.png"), bytes(&place, "a.04.png")], [third, fourth]);
    assert_eq!(bytes(&place, "a.02.png"), kept);
    let after = std::fs::metadata(place.path("a.02.png")).and_then(|file| file.modified()).expect("a time");
    assert_eq!(before, after);
    let ran = film(&place, &["--frames", "1-6", "--shutter", "0.05", "-o", "a.##.png", "--resume"]).succeeds();
    assert!(ran.out.contains("all frames are there"), "{ran:?}");
}

#[test]
fn frames_of_another_film_are_not_taken_for_this_ones() {
    let place = Place::with(&scene());
    film(&place, &["--frames", "1-2", "-o", "a.#.png"]).succeeds();
    let others: [&[&str]; 4] =
        [&["--set", "population.grass.seed=7"], &["--camera", "side"], &["--time", "3"], &["--shutter", "0.01"]];
    for other in others {
        let ran = film(&place, &[&["--frames", "1-2", "-o", "a.#.png", "--resume"], other].concat());
        ran.fails_with(&["a.1.png", "no frame 1 of this scene", "--resume"]);
    }
    // One that was renamed, and a picture that is no frame.
    std::fs::copy(place.path("a.1.png"), place.path("a.2.png")).expect("copied");
    film(&place, &["--frames", "1-2", "-o", "a.#.png", "--resume"]).fails_with(&["a.2.png", "no frame 2"]);
    place.render(&["-o", "a.2.png"]).succeeds();
    film(&place, &["--frames", "1-2", "-o", "a.#.png", "--resume"]).fails_with(&["a.2.png", "no frame 2"]);
}

#[test]
fn mistakes_are_told_before_anything_is_drawn() {
    let place = Place::with(&scene());
    let cases: [(&[&str], &[&str]); 10] = [
        (&["--frames", "1-4", "-o", "a.png"], &["a.png", "####"]),
        (&["--frames", "4-1", "-o", "a.#.png"], &["the last frame, 1, comes before the first, 4"]),
        (&["--frames", "0-4", "-o", "a.#.png"], &["from 1"]),
        (&["--frames", "1-4x0", "-o", "a.#.png"], &["1-240x2"]),
        (&["--frames", "1-4", "-o", "a.#.jpg"], &[".png"]),
        (&["--frames", "1-4", "-o", "no/a.#.png"], &["no does not exist"]),
        (&["--frames", "1-4", "-o", "a.gif", "--resume"], &["only when it is whole"]),
        (&["--frames", "1-4", "-o", "a.#.png", "--shutter", "0.2"], &["shutter", "0.1"]),
        (&["-o", "a.gif"], &["--frames 1-240"]),
        (&["--frames", "1-4", "--fps", "60", "-o", "a.gif"], &["50 pictures a second", "--fps", ".apng"]),
    ];
    for (more, says) in cases {
        film(&place, more).fails_with(says);
    }
    assert_eq!(place.files(), ["scene.toml"]);
}

/// The same frames as the sequence: what is packed loses nothing, and each is shown for its time.
#[test]
fn an_animated_png_holds_the_frames() {
    let place = Place::with(&scene());
    film(&place, &["--frames", "1-3", "-o", "a.#.png"]).succeeds();
    film(&place, &["--frames", "1-3", "-o", "a.apng"]).succeeds();
    let file = std::fs::File::open(place.path("a.apng")).expect("it is there");
    let mut reader = png::Decoder::new(std::io::BufReader::new(file)).read_info().expect("a PNG");
    let control = reader.info().animation_control.expect("animated");
    assert_eq!((control.num_frames, control.num_plays), (3, 0));
    let mut rgb = vec![0; reader.output_buffer_size().expect("a size")];
    for frame in 1..=3 {
        reader.next_frame(&mut rgb).expect("a frame");
        let shown = reader.info().frame_control.expect("a time");
        assert_eq!(f64::from(shown.delay_num) / f64::from(shown.delay_den), 0.1);
        let picture = Picture::read(&place.path(&format!("a.{frame}.png")));
        assert_eq!(rgb, picture.pixels.as_flattened(), "frame {frame}");
    }
    assert_eq!(place.files(), ["a.1.png", "a.2.png", "a.3.png", "a.apng", "scene.toml"]);
}

/// A GIF has 256 colours for each frame, and hundredths of a second.
#[test]
fn a_gif_is_near_the_frames() {
    let place = Place::with(&scene());
    film(&place, &["--frames", "1-4", "--fps", "24", "-o", "a.#.png"]).succeeds();
    film(&place, &["--frames", "1-4", "--fps", "24", "-o", "a.gif"]).succeeds();
    let mut options = gif::DecodeOptions::new();
    options.set_color_output(gif::ColorOutput::RGBA);
    let mut decoder = options.read_info(std::fs::File::open(place.path("a.gif")).expect("it is there")).expect("a GIF");
    assert_eq!(decoder.repeat(), gif::Repeat::Infinite);
    let mut delays = Vec::new();
    while let Some(frame) = decoder.read_next_frame().expect("a frame") {
        delays.push(frame.delay);
        let picture = Picture::read(&place.path(&format!("a.{}.png", delays.len())));
        let pixels = frame.buffer.chunks_exact(4).zip(&picture.pixels);
        let off: f64 = pixels.map(|(a, b)| (0..3).map(|i| f64::from(a[i].abs_diff(b[i]))).sum::<f64>() / 3.0).sum();
        let mean = off / picture.pixels.len() as f64;
        assert!(mean < 4.0, "frame {}: {mean} of 255 off", delays.len());
    }
    // 4.17 hundredths each.
    assert_eq!(delays, [4, 4, 5, 4]);
}

/// Without ffmpeg the message says how to come by it; with it there is a film.
#[test]
fn films_of_ffmpeg_need_ffmpeg() {
    let place = Place::with(&scene());
    let mut command = place.command(&["render", "scene.toml", "--frames", "1-2", "--size", "33x17", "-o", "a.mp4"]);
    let ran = Ran::of(&command.env("PATH", "").output().expect("anemone"));
    ran.fails_with(&["ffmpeg", "apt install ffmpeg", ".apng"]);
    assert_eq!(place.files(), ["scene.toml"]);
    let probe = |arguments: &[&str]| std::process::Command::new("ffmpeg").args(arguments).output();
    if !probe(&["-version"]).is_ok_and(|output| output.status.success()) {
        eprintln!("SKIPPED: there is no ffmpeg here");
        return;
    }
    let odd = ["render", "scene.toml", "--frames", "1-3", "--size", "33x17", "--samples", "1", "-o"];
    for name in ["a.mp4", "a.webm"] {
        place.run(&[&odd[..], &[name]].concat()).succeeds();
        let decoded = probe(&["-v", "error", "-i", place.path(name).to_str().expect("a name"), "-f", "framemd5", "-"]);
        let lines = decoded.map(|output| String::from_utf8_lossy(&output.stdout).into_owned()).expect("ffmpeg");
        assert_eq!(lines.lines().filter(|line| !line.starts_with('#')).count(), 3, "{name}: {lines}");
    }
}

/// The process is asked to stop, or is killed, somewhere in the film, in the middle of a write too: what is there is whole,
/// and is the uninterrupted run's in the end.
#[cfg(unix)]
#[test]
fn a_film_that_is_stopped_or_killed_goes_on_later() {
    let place = Place::with(&scene());
    // Noise does not pack, so that writing takes its time.
    let frames = ["--frames", "1-8", "--size", "640x360", "--samples", "1", "-o"];
    let arguments = |output: &'static str| [&["render", "scene.toml"], &frames[..], &[output]].concat();
    place.run(&arguments("whole.#.png")).succeeds();
    let whole: Vec<Vec<u8>> = (1..=8).map(|frame| bytes(&place, &format!("whole.{frame}.png"))).collect();

    // Stopped once the first frame is there.
    let spawn = |output| {
        let mut command = place.command(&[&arguments(output)[..], &["--resume"]].concat());
        command.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped()).spawn().expect("anemone")
    };
    let until = |what: &dyn Fn() -> bool| {
        for _ in 0..60_000 {
            if what() {
                return;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        panic!("nothing came in a minute");
    };
    let child = spawn("a.#.png");
    until(&|| place.path("a.1.png").exists());
    let kill = |child: &std::process::Child, signal: &str| {
        let done = std::process::Command::new("kill").args([signal, &child.id().to_string()]).status();
        assert!(done.is_ok_and(|status| status.success()));
    };
    kill(&child, "-INT");
    let ran = Ran::of(&child.wait_with_output().expect("anemone"));
    assert_eq!(ran.code, Some(130), "{ran:?}");
    assert!(ran.err.contains("stopped in frame") && ran.err.contains("--resume"), "{ran:?}");
    let there = |name: &str| (1..=8).filter(|frame| place.path(&format!("{name}.{frame}.png")).exists()).count();
    let stopped = there("a");
    assert!((1..8).contains(&stopped), "{stopped} frames");
    assert_eq!(place.files().len(), 8 + stopped + 1, "something else was left: {:?}", place.files());

    // Killed while a file that is not whole yet lies there, which nobody else looks for so closely.
    let mut in_the_middle = false;
    while !in_the_middle && there("a") < 8 {
        let before = place.files().len();
        let mut child = spawn("a.#.png");
        let files = there("a");
        while child.try_wait().expect("anemone").is_none() && place.files().len() - before == there("a") - files {}
        child.kill().expect("it runs, or has ended");
        _ = child.wait();
        in_the_middle = place.files().len() - before > there("a") - files;
    }
    assert!(in_the_middle, "no kill came in the middle of a write: {:?}", place.files());
    for frame in 1..=8 {
        if place.path(&format!("a.{frame}.png")).exists() {
            assert!(bytes(&place, &format!("a.{frame}.png")) == whole[frame - 1], "frame {frame} after a kill");
        }
    }
    Ran::of(&spawn("a.#.png").wait_with_output().expect("anemone")).succeeds();
    for frame in 1..=8 {
        assert!(bytes(&place, &format!("a.{frame}.png")) == whole[frame - 1], "frame {frame} in the end");
    }
}
