//! docs/scene.md says what the reader does, because it is made from the reader's own description of the language.
//!
//! `cargo xtask docs` (or BLESS=1) rewrites it.

use std::fmt::Write;
use std::path::Path;

use anemone_scene::{Describe, Form, LANGUAGE, Table};

const HEAD: &str = r##"# The language of scenes

Made by `cargo xtask docs` from the reader's own description; a test fails when the two differ.

A scene is a TOML file, in UTF-8. Every table may be left out, and every key in it: what is missing takes its default,
and an empty file is a scene. Lengths are metres, times seconds, angles degrees. x points east, y up and −z north;
directions are turns seen from above, anticlockwise: 0 = east, 90 = north, 180 = west, 270 = south. Paths of files are
relative to the scene's folder. Where a table's name ends in NAME, the name is the author's choice and there may be
several, as in `[population.meadow]`.

`--set KEY=VALUE` on the command line changes one value: `--set population.meadow.density=500`. Words need no quotes. A
number as a key, counted from 0, reaches into the list that the scene writes, else into its default:
`camera.main.position.1=3` moves the eye up to 3 m. A list that is neither written nor has a default below is set as a
whole: `camera.main.look_at=[0, 1, -9]`.

## Values over time

Where the tables below say *or over time*, a value may be a curve: a list of keys, each a time in the scene's seconds and the
value at that time. Between keys it goes in straight lines, and before the first and after the last it rests.

    [sun]
    elevation = [[0, 5], [10, 40]]

A table says more: `between` is `"linear"`, or `"smooth"` for a curve without corners that begins and ends at rest and does not
go beyond its keys (places go round corners in arcs). `ends` is `"hold"`, `"repeat"`, which starts again from the first key at
once, or `"mirror"`, which runs back and forth.

    [wind.gusts]
    speed = { keys = [[0, 2], [3, 9], [5, 4]], between = "smooth", ends = "mirror" }

A wind that changes its speed or direction carries its gusts on from where they are. The sizes of gusts and waves do not change
over time, for their pattern is laid out from the origin and would sweep over everything far from it.
"##;

fn manual() -> String {
    let mut page = HEAD.to_owned();
    for table in LANGUAGE {
        describe(&mut page, table);
    }
    page
}

fn describe(page: &mut String, table: &Table) {
    let title = match table.name {
        "" => "The top of the file".to_owned(),
        name if table.is_list => format!("`[[{name}]]`"),
        name => format!("`[{name}]`"),
    };
    put(page, &format!("\n## {title}\n"));
    if !table.name.is_empty() {
        put(page, &format!("{}\n", cell(table.help)));
    }
    keys(page, table.keys);
    for variant in table.variants {
        put(page, &format!("\nWith `kind = \"{}\"` also:\n", variant.kind));
        if variant.keys.is_empty() {
            put(page, "no further keys.");
        } else {
            keys(page, variant.keys);
        }
    }
    for inner in table.tables {
        describe(page, inner);
    }
}

fn keys(page: &mut String, keys: &[&dyn Describe]) {
    if keys.is_empty() {
        return;
    }
    put(page, "| key | value | default | |\n|---|---|---|---|");
    for key in keys {
        let default = key.default().map_or_else(String::new, |default| format!("`{}`", cell(&default)));
        let mut help = cell(key.help());
        if let Form::Choice(options) = key.form() {
            let options: Vec<String> =
                options.iter().map(|(word, meaning)| format!("`\"{word}\"`: {}", cell(meaning))).collect();
            // Cannot fail: a String grows.
            _ = write!(help, " {}.", options.join("; "));
        }
        let expected = match key.form() {
            Form::Choice(_) => "one of the words".to_owned(),
            _ => cell(&key.expected()),
        };
        put(page, &format!("| `{}` | {expected} | {default} | {help} |", key.name()));
    }
}

/// A text in a table's cell.
fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace('\n', " ")
}

fn put(page: &mut String, line: &str) {
    page.push_str(line);
    page.push('\n');
}

#[test]
fn the_manual_is_up_to_date() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/scene.md");
    let manual = manual();
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, &manual).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    }
    let written = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(written == manual, "docs/scene.md is out of date: run `cargo xtask docs`");
}

#[test]
fn the_manual_names_every_key() {
    let manual = manual();
    for table in ["camera.NAME", "population.NAME.cull", "population.NAME.gravity", "collider.NAME", "render"] {
        assert!(manual.contains(&format!("## `[{table}]`")), "{table}");
    }
    assert!(manual.contains("| `full_density_within` | a number, 0.1 to 10000 metres | `3` |"), "{manual}");
}

#[test]
fn the_manual_names_the_limits() {
    let help = |name: &str| LANGUAGE.iter().find(|table| table.name == name).map_or("", |table| table.help);
    assert!(help("population.NAME").contains(&format!("at most {} sorts", anemone::MOST_POPULATIONS)));
    assert!(help("collider.NAME").contains(&format!("at most {}.", anemone::MOST_COLLIDERS)));
    assert!(help("wind.NAME").contains(&format!("at most {}.", anemone_scene::MOST_WINDS)));
}

/// The README's example of the library is the one in the library's own pages, which is compiled with them.
#[test]
fn the_library_example_of_the_readme_is_a_compiled_one() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let read = |name: &str| std::fs::read_to_string(root.join(name)).unwrap_or_else(|error| panic!("{error}"));
    let pages: Vec<String> = read("crates/engine/src/lib.rs")
        .lines()
        .filter_map(|line| line.strip_prefix("//!"))
        .map(|line| line.strip_prefix(' ').unwrap_or(line).to_owned())
        .collect();
    let code = |lines: &[&str], fence: &str| -> Vec<String> {
        let inside = lines.iter().skip_while(|line| **line != fence).skip(1).take_while(|line| **line != "```");
        // Lines that start so are compiled but not shown.
        inside.filter(|line| !line.starts_with("# ")).map(|line| (*line).to_owned()).collect()
    };
    let pages = code(&pages.iter().map(String::as_str).collect::<Vec<_>>(), "```no_run");
    let readme = read("README.md");
    let shown = code(&readme.lines().collect::<Vec<_>>(), "```rust");
    assert!(shown.len() > 10, "{shown:#?}");
    assert_eq!(shown, pages);
}

/// The scene that the README shows is one, and its files are there.
#[test]
fn the_scene_of_the_readme_is_good() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let readme = std::fs::read_to_string(root.join("README.md")).unwrap_or_else(|error| panic!("{error}"));
    let scene = readme.split("```toml\n").nth(1).and_then(|rest| rest.split("```").next()).unwrap_or_default();
    let scene = anemone_scene::parse("README.md", scene, &root, &[""; 0]).unwrap_or_else(|error| panic!("{error}"));
    assert!(scene.ground.file().is_some_and(|file| file.path.is_file()));
    assert_eq!(scene.winds.len(), 1);
}
