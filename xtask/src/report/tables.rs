//! The page of tables.

use std::fmt::Write;

use super::{Bench, Case, Figures, grouped};

const HEAD: &str = "\
# Benchmarks

Made by `cargo xtask bench` and `cargo xtask bench-report` from the files in [bench](bench); no number here was typed in.

* *frame*: wall time from the first command of a frame to its end on the GPU, the median of the frames measured.
* *on GPU*: the time between the first pass's start and the last one's end by the GPU's own clock, the median.
* *stored* bodies are in memory; *tested* ones were culled one by one (the others lie in tiles that were culled whole);
  *visible* ones were rasterised. *primitives* are segments of blades, two triangles each.
* *pixels*: covered pixels for each visible body; *covered*: pixels that show a body, wholly or in part. A figure
  counts only where 60 % of the pixels or more are covered and nothing found no room; a row in ~~strokes~~ does not.
* Time for each pass is shown where the passes' times add up to at least half of the frame's. On a software driver the
  bench submits and waits after each pass and takes wall time, for its GPU clock may say that a pass ends when queued.

![Frames per second against stored blades](benchmarks.svg)
";

/// The whole page.
pub(super) fn page(benches: &[Bench]) -> String {
    let mut page = HEAD.to_owned();
    for bench in benches {
        section(&mut page, bench);
    }
    page
}

fn section(page: &mut String, bench: &Bench) {
    line(page, &format!("\n## {}\n", bench.adapter));
    if let Some(figures) = bench.cases.iter().find_map(|case| case.result.as_ref().ok()) {
        let [width, height] = figures.size;
        line(
            page,
            &format!(
                "{}Driver {}, raster {}, {width}×{height} pixels, one sample, {} frames a case, {} bytes a stored body.",
                if bench.software { "A software driver: wall time counts. " } else { "" },
                figures.driver,
                figures.raster,
                bench.frames,
                figures.bytes_per_body
            ),
        );
    }
    let of = |part: &'static str| bench.cases.iter().filter(move |case| case.part == part);
    table(
        page,
        "Blade counts, with and without culling",
        "A flat patch of the source's tall blades, 36.4 on a square metre (`assets/scenes/bench_patch.toml`); the camera \
         stands at its edge, level with the horizon.",
        "culls",
        of("scaling").map(|case| (case.name.clone(), case)),
    );
    for (camera, what) in [
        ("close", "level with the horizon, and the distance cull's range shortened to 60 m"),
        ("above", "the whole patch in view, 62 to 104 m off, with the distance cull's range of 250 m"),
    ] {
        table(
            page,
            &format!("The effect of each cull, camera `{camera}`"),
            &format!("The same patch with 65,536 blades; {what}."),
            "culls",
            of("culls").filter(|case| case.camera == camera).map(|case| (case.name.clone(), case)),
        );
    }
    table(
        page,
        "The meadow",
        "`assets/scenes/meadow.toml`, looking down by 16°: `main` at a person's eyes, `grass` 0.3 m above the ground.",
        "camera",
        of("meadow").map(|case| (case.name.clone(), case)),
    );
    table(
        page,
        "A million visible blades",
        "`assets/scenes/bench_million.toml`: a lawn from the air, nothing thinned.",
        "camera",
        of("million").map(|case| (case.name.clone(), case)),
    );
    passes(page, bench);
}

fn table<'a>(page: &mut String, title: &str, about: &str, key: &str, rows: impl Iterator<Item = (String, &'a Case)>) {
    let rows: Vec<_> = rows.collect();
    if rows.is_empty() {
        return;
    }
    line(page, &format!("\n### {title}\n\n{about}\n"));
    line(
        page,
        &format!(
            "| {key} | stored | tested | visible | primitives | pixels | covered | frame ms | frames/s | on GPU ms | MiB |"
        ),
    );
    line(page, "|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|");
    let mut notes = Vec::new();
    for (name, case) in rows {
        match &case.result {
            Ok(figures) => {
                let void = figures.void();
                line(page, &row(&name, figures, void.is_some()));
                notes.extend(void.map(|why| format!("{name}, {} stored: {why}.", grouped(figures.stored))));
            }
            Err(why) => line(page, &format!("| {name} | not measured: {} ||||||||||", why.replace('|', "\\|"))),
        }
    }
    for note in notes {
        line(page, &format!("\nDoes not count: {note}"));
    }
}

fn row(name: &str, figures: &Figures, void: bool) -> String {
    let mark = if void { "~~" } else { "" };
    let cells = [
        name.to_owned(),
        grouped(figures.stored),
        grouped(figures.tested),
        grouped(figures.visible),
        grouped(figures.primitives),
        format!("{:.1}", figures.pixels_per_body),
        format!("{} ({:.0} %)", grouped(figures.covered_pixels), 100.0 * figures.covered_share),
        milliseconds(figures.frame_ms),
        frames_per_second(figures.frame_ms),
        figures.gpu_ms.map_or_else(|| "–".to_owned(), milliseconds),
        grouped(figures.bytes_in_all >> 20),
    ];
    let mut text = String::from("|");
    for cell in cells {
        // Cannot fail: a String grows.
        _ = write!(text, " {mark}{cell}{mark} |");
    }
    text
}

/// Each pass of the cases that tell most: the largest count of each half of the scaling, and the meadow.
fn passes<'a>(page: &mut String, bench: &'a Bench) {
    let measured = |case: &&Case| {
        case.result.as_ref().is_ok_and(|figures| figures.passes_believable() && figures.void().is_none())
    };
    let mut columns: Vec<(String, &Figures)> = Vec::new();
    let mut add = |title: String, case: Option<&'a Case>| {
        if let Some(Ok(figures)) = case.map(|case| case.result.as_ref()) {
            columns.push((title.replace("COUNT", &grouped(figures.stored)), figures));
        }
    };
    for name in ["all", "none"] {
        let mut scaling =
            bench.cases.iter().filter(|case| case.part == "scaling" && case.name == name).filter(measured);
        add(format!("COUNT blades, culls {name}"), scaling.next_back());
    }
    for case in bench.cases.iter().filter(|case| case.part == "meadow").filter(measured) {
        add(format!("meadow, {}", case.name), Some(case));
    }
    for case in bench.cases.iter().filter(|case| case.part == "million").filter(measured) {
        add("a million visible".to_owned(), Some(case));
    }
    if columns.is_empty() {
        return;
    }
    line(page, "\n### Time for each pass, ms\n");
    let titles: Vec<&str> = columns.iter().map(|(title, _)| title.as_str()).collect();
    line(page, &format!("| pass | {} |", titles.join(" | ")));
    line(page, &format!("|---|{}", "--:|".repeat(columns.len())));
    let mut names: Vec<&str> = Vec::new();
    for (name, _) in columns.iter().flat_map(|(_, figures)| &figures.passes) {
        if !names.contains(&name.as_str()) {
            names.push(name);
        }
    }
    for name in names {
        let cell = |figures: &Figures| {
            let time = figures.passes.iter().find(|(pass, _)| pass == name).map(|(_, time)| *time);
            time.map_or_else(|| "–".to_owned(), milliseconds)
        };
        let cells: Vec<String> = columns.iter().map(|(_, figures)| cell(figures)).collect();
        line(page, &format!("| {name} | {} |", cells.join(" | ")));
    }
}

fn milliseconds(time: f64) -> String {
    if time < 10.0 { format!("{time:.3}") } else { format!("{time:.1}") }
}

fn frames_per_second(frame_ms: f64) -> String {
    let rate = 1000.0 / frame_ms;
    if rate < 10.0 { format!("{rate:.2}") } else { format!("{rate:.0}") }
}

fn line(page: &mut String, text: &str) {
    page.push_str(text);
    page.push('\n');
}

#[cfg(test)]
mod tests {
    use super::super::tests::file;
    use super::super::{Bench, bench};
    use super::*;

    fn read(change: impl FnOnce(&mut serde_json::Value)) -> Bench {
        let mut file = file();
        change(&mut file);
        bench(&file).unwrap()
    }

    #[test]
    fn the_page_holds_every_figure() {
        let page = page(&[read(|_| {})]);
        assert!(page.contains(
            "| all | 262,144 | 131,072 | 32,768 | 262,144 | 7.5 | 1,555,200 (75 %) | 1.000 | 1000 | 0.900 | 64 |"
        ));
        assert!(page.contains("| frustum alone | 65,536 |"), "{page}");
        assert!(page.contains("camera `above`") && page.contains("### The meadow"));
        assert!(page.contains("not measured: error: no \\| room"));
        assert!(page.contains("32 bytes a stored body") && page.contains("1920×1080"));
        assert!(page.contains("| raster | 0.500 | 1.000 | 1.500 |"), "{page}");
        assert!(!page.contains("Does not count"));
    }

    #[test]
    fn void_figures_are_struck_out_and_explained() {
        let page = page(&[read(|file| file["cases"][0]["result"]["covered_share"] = 0.3.into())]);
        assert!(page.contains("| ~~all~~ | ~~65,536~~ |"), "{page}");
        assert!(page.contains("Does not count: all, 65,536 stored: 30 % of the pixels covered"), "{page}");
    }

    #[test]
    fn pass_times_that_do_not_add_up_are_not_shown() {
        let page = page(&[read(|file| {
            for case in file["cases"].as_array_mut().unwrap() {
                if let Some(result) = case.get_mut("result") {
                    result["passes"]["raster"] = 0.0001.into();
                    result["passes"]["shade"] = 0.0001.into();
                }
            }
        })]);
        assert!(!page.contains("Time for each pass, ms"), "{page}");
    }

    #[test]
    fn every_row_has_as_many_cells_as_its_head() {
        let page = page(&[read(|_| {})]);
        let mut cells = 0;
        for line in page.lines() {
            match line.starts_with('|') {
                true if cells == 0 => cells = line.matches('|').count(),
                true => assert_eq!(line.matches('|').count() - line.matches("\\|").count(), cells, "{line}"),
                false => cells = 0,
            }
        }
    }
}
