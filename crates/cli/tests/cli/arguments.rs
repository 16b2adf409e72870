//! The command line's grammar.

use crate::support::{Place, TINY};

#[test]
fn junk_is_answered_with_two() {
    let place = Place::with(TINY);
    let cases: &[&[&str]] = &[
        &[],
        &["draw"],
        &["render"],
        &["render", "scene.toml"],
        &["render", "-o", "x.png"],
        &["render", "scene.toml", "-o", "x.png", "--colour"],
        &["render", "scene.toml", "-o", "x.png", "more"],
        &["bench"],
        &["bench", "scene.toml", "--frames", "0"],
        &["bench", "scene.toml", "--frames", "-3"],
        &["bench", "scene.toml", "-o", "x.png"],
        &["info", "scene.toml"],
        &["", "--"],
    ];
    for arguments in cases {
        let ran = place.run(arguments);
        assert_eq!(ran.code, Some(2), "{arguments:?}: {ran:?}");
        assert!(!ran.err.is_empty(), "{arguments:?}");
    }
    assert_eq!(place.files(), ["scene.toml"]);
}

#[test]
fn values_out_of_range_say_what_is_expected() {
    let place = Place::with(TINY);
    for size in ["0x5", "5x0", "64", "x", "64x", "-1x5", "99999x5", "5x99999999999999999999", "1e3x5", "64x36x2", ""] {
        let size = format!("--size={size}");
        place.run(&["render", "scene.toml", "-o", "x.png", &size]).fails_with(&["--size", "1920x1080"]);
    }
    for samples in ["0", "-1", "1.5", "many", "65537", "99999999999"] {
        let samples = format!("--samples={samples}");
        place.run(&["render", "scene.toml", "-o", "x.png", &samples]).fails_with(&["--samples"]);
    }
    // The same range as the scene's key.
    for time in ["-1", "nan", "inf", "-inf", "soon", "1e9", "1000001"] {
        place.render(&[&format!("--time={time}")]).fails_with(&["--time", "expected seconds, 0 to 1000000"]);
    }
    place.render(&["--set", "render.time=1000001"]).fails_with(&["0 to 1000000 seconds"]);
    // Negative numbers are values, not unknown options.
    place.render(&["--time", "-1"]).fails_with(&["'-1' for '--time", "expected seconds, 0 to 1000000"]);
    place.render(&["--samples", "-1"]).fails_with(&["'-1' for '--samples", "expected a whole number, 1 to 65536"]);
    place.render(&["--size", "-1x5"]).fails_with(&["'-1x5' for '--size", "1920x1080"]);
    let frames = ["bench", "scene.toml", "--frames", "-1"];
    place.run(&frames).fails_with(&["'-1' for '--frames", "expected a whole number, 1 to 100000"]);
    assert_eq!(place.files(), ["scene.toml"]);
}

#[test]
fn arguments_need_not_be_unicode() {
    use std::ffi::OsString;
    use std::os::unix::ffi::OsStringExt;
    let place = Place::with(TINY);
    let odd = OsString::from_vec(b"\xff\xfe.png".to_vec());
    let ran = place.run(&["render".into(), "scene.toml".into(), "-o".into(), odd.clone(), "--size=8x8".into()]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(place.path(".").join(&odd).is_file());
    let ran = place.run(&["render".into(), odd, "-o".into(), "x.png".into()]);
    assert_eq!(ran.code, Some(2), "{ran:?}");
}

/// The README lists every option there is, and no other.
#[test]
fn the_readme_lists_the_options() {
    let place = Place::with(TINY);
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let readme = std::fs::read_to_string(root.join("README.md")).expect("the README");
    // Examples stand elsewhere in it.
    let readme = readme.split("## The command").nth(1).expect("the section on the command");
    let options = |text: &str| -> std::collections::BTreeSet<String> {
        let words = text.split(|character: char| !(character.is_ascii_alphanumeric() || character == '-'));
        words.filter(|word| word.starts_with("--") && *word != "--help").map(str::to_owned).collect()
    };
    for command in ["render", "bench", "info"] {
        let help = place.run(&[command, "--help"]).succeeds().out;
        let help = help.split("Options:").nth(1).and_then(|rest| rest.split("Examples:").next()).expect("options");
        // Where an option begins, not where one is spoken of; `--output` is written `-o`.
        let help: Vec<&str> = help.lines().filter(|line| line.trim_start().starts_with('-')).collect();
        let mut known = options(&help.join("\n"));
        known.remove("--output");
        let usage = readme.split(&format!("\n    anemone {command} ")).nth(1).expect("usage");
        let usage = usage.split("\n    anemone ").next().and_then(|rest| rest.split("\n\n").next()).expect("usage");
        assert_eq!(options(usage), known, "{command}");
    }
}

#[test]
fn help_is_there_with_examples_that_hold() {
    let place = Place::with(TINY);
    let top = place.run(&["--help"]).succeeds();
    for word in ["render", "bench", "info", "Exit codes"] {
        assert!(top.out.contains(word), "{}", top.out);
    }
    assert!(place.run(&["--version"]).succeeds().out.starts_with("anemone "));
    let mut examples = 0;
    for command in ["render", "bench"] {
        let help = place.run(&[command, "--help"]).succeeds();
        for line in help.out.lines().filter_map(|line| line.trim().strip_prefix("anemone ")) {
            // Every flag of an example is one that there is; what it names need not be there.
            let words = line.split(" > ").next().unwrap_or_default().split_whitespace().chain(["--help"]);
            place.run(&words.collect::<Vec<_>>()).succeeds();
            examples += 1;
        }
    }
    assert!(examples >= 5, "{examples} examples");
}
