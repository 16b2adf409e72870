//! What authors are told: every mistake in `mistakes.txt` with the whole report, and junk that must never panic.
//!
//! A case is a line `## name`, the scene, lines `--set …` for overrides, a line `>>>`, and the report. After a wanted
//! change, `BLESS=1 cargo nextest run -p anemone-scene` writes the reports anew: read the difference.

#![allow(clippy::unwrap_used, reason = "a test stops where something fails")]

use std::path::{Path, PathBuf};

use anemone_scene::{LARGEST_FILE, SceneError, load, parse};
use proptest::prelude::*;

const NONE: &[&str] = &[];

fn report(text: &str, sets: &[&str]) -> String {
    match parse("scene.toml", text, Path::new(""), sets) {
        Ok(_) => "no mistake was found".to_owned(),
        Err(error) => error.to_string(),
    }
}

#[test]
fn reports_are_as_written_down() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/mistakes.txt");
    let cases = std::fs::read_to_string(&path).unwrap();
    let mut written = String::new();
    let mut count = 0;
    for case in cases.split("## ").skip(1) {
        let (name, rest) = case.split_once('\n').unwrap();
        let (input, _) = rest.split_once(">>>\n").unwrap();
        let sets: Vec<&str> = input.lines().filter_map(|line| line.strip_prefix("--set ")).collect();
        let scene: Vec<&str> = input.lines().filter(|line| !line.starts_with("--set ")).collect();
        let report = report(&scene.join("\n"), &sets);
        assert!(report.starts_with("error: "), "{name}: {report}");
        written.push_str(&format!("## {name}\n{input}>>>\n{report}\n\n"));
        count += 1;
    }
    assert!(count > 70, "{count} cases");
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, written).unwrap();
    } else {
        let difference = cases.lines().zip(written.lines()).find(|(old, new)| old != new);
        assert!(cases == written, "first difference (expected, found): {difference:#?}");
    }
}

#[test]
fn a_mistake_is_data_too() {
    let Err(SceneError::Invalid(mistakes)) = parse("a/b.toml", "[sun]\n  elevation = 'ö' ", Path::new(""), NONE)
    else {
        panic!("no mistake")
    };
    let [mistake] = mistakes.as_slice() else { panic!("{mistakes:?}") };
    assert_eq!((mistake.file.as_str(), mistake.line, mistake.column), ("a/b.toml", 2, 15));
    assert_eq!(mistake.message, "`elevation` must be a number, not a text: `'ö'`");
    assert_eq!(mistake.help.as_deref(), Some("expected a number, -90 to 90 degrees"));
}

#[test]
fn many_mistakes_are_not_all_listed() {
    let text: String = (0..100_000).map(|index| format!("key{index} = 1\n")).collect();
    let report = report(&text, NONE);
    assert!(report.ends_with("more than 20 mistakes"), "{report}");
    assert!(report.contains("scene.toml:1:1") && !report.contains("scene.toml:21:1"), "{report}");
}

#[test]
fn depth_and_size_are_limited() {
    for text in [
        format!("{}a = 1", "a.".repeat(100_000)),
        format!("[{}a]", "a.".repeat(100_000)),
        format!("a = {}", "[".repeat(100_000)),
        format!("a = {}", "{a=".repeat(100_000)),
        format!("a = {}1{}", "[".repeat(100_000), "]".repeat(100_000)),
        "\u{1}=\n".repeat(100_000),
        "= ".repeat(100_000),
        format!("title = \"{}\"\nx = 1", "long ".repeat(100_000)),
    ] {
        let report = report(&text, NONE);
        assert!(report.starts_with("error: ") && report.len() < 20_000, "{} bytes", report.len());
    }
    let set = format!("{}a=1", "a.".repeat(100_000));
    assert!(report("", &[&set]).starts_with("error: "));
    let large = " ".repeat(LARGEST_FILE as usize + 1);
    assert!(matches!(parse("scene.toml", &large, Path::new(""), NONE), Err(SceneError::TooLarge { .. })));
}

/// A folder of its own, removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("anemone-scene-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn report(&self, bytes: &[u8]) -> String {
        let path = self.0.join("scene.toml");
        std::fs::write(&path, bytes).unwrap();
        let error = load(&path, NONE).unwrap_err().to_string();
        error.replace(&self.0.display().to_string(), "FOLDER")
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        _ = std::fs::remove_dir_all(&self.0);
    }
}

#[test]
fn files_that_are_no_scenes() {
    let folder = Folder::new("files");
    assert_eq!(
        folder.report(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"),
        "error: this is not a text in UTF-8 (byte 0x89)
 --> FOLDER/scene.toml:1:1
  |
1 | \u{fffd}PNG
  | ^
  = help: a scene is a TOML file"
    );
    assert!(
        folder
            .report("a".encode_utf16().flat_map(u16::to_be_bytes).collect::<Vec<_>>().as_slice())
            .contains("not TOML")
    );
    assert!(folder.report(&vec![b' '; LARGEST_FILE as usize + 1]).contains("larger than 16 MiB"));
    let missing = load(&folder.0.join("no.toml"), NONE).unwrap_err();
    assert!(missing.to_string().contains("no.toml cannot be read"), "{missing}");
    let error = load(&folder.0, NONE).unwrap_err();
    assert!(error.to_string().contains("cannot be read"), "a folder: {error}");
    #[cfg(target_os = "linux")]
    for device in ["/dev/zero", "/dev/null"] {
        let error = load(Path::new(device), NONE).unwrap_err().to_string();
        assert!(error.contains(device) && error.contains("is not an ordinary file"), "{error}");
    }
}

/// Nobody writes to the pipe: opening it would never end.
#[cfg(unix)]
#[test]
fn a_pipe_is_not_waited_for() {
    let folder = Folder::new("pipe");
    let pipe = folder.0.join("pipe.toml");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let (sender, receiver) = std::sync::mpsc::channel();
    std::thread::spawn(move || sender.send(load(&pipe, NONE).unwrap_err().to_string()));
    let error = receiver.recv_timeout(std::time::Duration::from_secs(10)).expect("it waits");
    assert!(error.contains("pipe.toml is not an ordinary file"), "{error}");
}

/// Names of files and of an author's cameras may hold anything; terminals must not obey it.
#[cfg(unix)]
#[test]
fn names_cannot_command_the_terminal() {
    let folder = Folder::new("names");
    let scene = folder.0.join("\u{1b}[31m\n.toml");
    let safe = |error: String| {
        let odd: Vec<char> = error.chars().filter(|character| character.is_control() && *character != '\n').collect();
        assert!(odd.is_empty() && error.contains("\u{fffd}[31m\u{fffd}.toml"), "{error:?}");
    };
    safe(load(&scene, NONE).unwrap_err().to_string());
    let odd = r#"
[camera."\u001b[31mside"]
[camera."\u001b[31mtop"]
[render]
camera = "zenith"
[sun]
elevatoin = 1
"#;
    for text in [odd, "[ground]\nfile = \"\\u001b.png\""] {
        std::fs::write(&scene, text).unwrap();
        safe(load(&scene, NONE).unwrap_err().to_string());
    }
    std::fs::write(folder.0.join("map.png"), "junk").unwrap();
    std::fs::write(&scene, "[ground]\nfile = 'map.png'").unwrap();
    let Err(error) = load(&scene, NONE).unwrap().world(0.0) else { panic!("junk is no map") };
    safe(error.to_string());
    let scene = parse("", "[camera.\"\\u001b\"]", Path::new(""), NONE).unwrap();
    let unknown = scene.camera(Some("\u{7}")).unwrap_err();
    assert_eq!(format!("{unknown} {}", unknown.help()).matches('\u{fffd}').count(), 2, "{unknown} {}", unknown.help());
}

#[test]
fn files_that_a_scene_names_must_be_there() {
    let folder = Folder::new("named");
    assert_eq!(
        folder.report(b"[ground]\nfile = 'hills.png'"),
        "error: there is no such file
 --> FOLDER/scene.toml:2:8
  |
2 | file = 'hills.png'
  |        ^^^^^^^^^^^
  = help: looked for FOLDER/hills.png; paths are relative to the scene file"
    );
    std::fs::write(folder.0.join("hills.png"), "").unwrap();
    assert!(load(&folder.0.join("scene.toml"), NONE).is_ok());
    assert!(folder.report(b"[ground]\nkind = 'mesh'\nfile = '.'").contains("this is a folder"));
    assert!(folder.report(b"[ground]\nkind = 'mesh'\nfile = 'hills.png/x'").contains("no such file"));
    #[cfg(target_os = "linux")]
    assert!(folder.report(b"[ground]\nkind = 'mesh'\nfile = '/dev/zero'").contains("this is not an ordinary file"));
}

/// Scene text with one piece damaged, so that junk gets past the grammar and into every reader.
fn damaged() -> impl Strategy<Value = String> {
    let scenes = ["meadow", "plane", "sphere"].map(|name| {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../assets/scenes/{name}.toml"));
        std::fs::read_to_string(path).unwrap()
    });
    let junk = prop_oneof![
        any::<f64>().prop_map(|value| format!("{value:?}")),
        any::<i64>().prop_map(|value| value.to_string()),
        "\\PC{0,8}",
        Just("[]".to_owned()),
        Just("{}".to_owned()),
        Just("[[1,2],[3]]".to_owned()),
        Just("\"\"".to_owned()),
        Just("nan".to_owned()),
    ];
    (prop::sample::select(scenes.to_vec()), any::<prop::sample::Index>(), 0..12_usize, junk).prop_map(
        |(scene, index, length, junk)| {
            let characters: Vec<char> = scene.chars().collect();
            // Half of the time right after an equals sign, where a value stands.
            let equals: Vec<usize> = (0..characters.len()).filter(|at| characters[*at] == '=').collect();
            let at =
                if length % 2 == 0 { equals[index.index(equals.len())] + 1 } else { index.index(characters.len()) };
            let end = if length % 2 == 0 {
                characters[at..]
                    .iter()
                    .position(|character| *character == '\n')
                    .map_or(characters.len(), |end| at + end)
            } else {
                (at + length).min(characters.len())
            };
            characters[..at].iter().collect::<String>() + &junk + &characters[end..].iter().collect::<String>()
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(2000) })]

    #[test]
    fn junk_never_panics(text in "(?s).{0,200}", set in "\\PC{0,40}") {
        _ = report(&text, &[&set]);
    }

    #[test]
    fn damaged_scenes_never_panic_and_what_passes_is_finite(text in damaged()) {
        match parse("scene.toml", &text, Path::new(""), NONE) {
            Ok(scene) => {
                let shown = format!("{scene:?}");
                prop_assert!(!shown.contains("NaN") && !shown.contains(" inf") && !shown.contains("-inf"), "{shown}");
            }
            Err(SceneError::Invalid(mistakes)) => prop_assert!(!mistakes.is_empty()),
            Err(other) => prop_assert!(false, "{other}"),
        }
    }

    #[test]
    fn damaged_overrides_never_panic(
        key in prop::sample::select(vec![
            "population.meadow.density", "camera.main.position.1", "camera.main.position", "ground.file", "wind.a.kind",
            "population", "", "a b", "\"", "population.meadow.color.root",
        ]),
        value in "\\PC{0,12}",
    ) {
        let text = "[camera.main]\nposition = [1, 2, 3]";
        _ = report(text, &[&format!("{key}={value}")]);
    }
}
