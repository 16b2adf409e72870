//! `cargo xtask bench-report`: the benches' JSON as a page with tables and a plot. Every number comes from the files.

mod plot;
mod tables;

use std::path::Path;

use serde_json::Value;

use crate::command::{Failure, root};

/// One adapter's measurements.
struct Bench {
    adapter: String,
    /// On a software driver, where only wall time counts.
    software: bool,
    frames: u64,
    cases: Vec<Case>,
}

/// One measurement, or the reason why there is none.
struct Case {
    part: String,
    name: String,
    camera: String,
    result: Result<Figures, String>,
}

/// What `anemone bench --json` said.
struct Figures {
    frame_ms: f64,
    gpu_ms: Option<f64>,
    passes: Vec<(String, f64)>,
    stored: u64,
    tested: u64,
    visible: u64,
    primitives: u64,
    pixels_per_body: f64,
    covered_pixels: u64,
    covered_share: f64,
    dropped: u64,
    bytes_per_body: u64,
    bytes_in_all: u64,
    driver: String,
    raster: String,
    size: [u64; 2],
}

/// Pixels that must show a body, as a share, for a figure to count.
const LEAST_COVERED: f64 = 0.6;

impl Figures {
    /// Why the figure does not count, if it does not.
    fn void(&self) -> Option<String> {
        if self.dropped > 0 {
            return Some(format!("{} bodies or cross-sections found no room", grouped(self.dropped)));
        }
        (self.covered_share < LEAST_COVERED)
            .then(|| format!("{:.0} % of the pixels covered, less than 60 %", 100.0 * self.covered_share))
    }

    /// Whether the passes' times add up to the frame's, by the GPU's clock where there is one: software drivers may count
    /// a compute pass as ended when it is queued.
    fn passes_believable(&self) -> bool {
        let sum: f64 = self.passes.iter().map(|(_, time)| time).sum();
        sum > 0.5 * self.gpu_ms.unwrap_or(self.frame_ms)
    }
}

/// `cargo xtask bench-report`.
pub fn run() -> Result<(), Failure> {
    let docs = root().join("docs");
    let benches = read(&docs.join("bench"))?;
    let write = |name: &str, text: String| {
        let path = docs.join(name);
        std::fs::write(&path, text).map_err(|error| Failure::new(format!("{}: {error}", path.display())))?;
        println!("bench-report: {}", path.display());
        Ok(())
    };
    write("benchmarks.md", tables::page(&benches))?;
    write("benchmarks.svg", plot::svg(&plot::lines(&benches)))
}

/// Every bench of a folder, GPUs first, then by name of the file.
fn read(folder: &Path) -> Result<Vec<Bench>, Failure> {
    let failed = |error: &dyn std::fmt::Display| Failure::new(format!("{}: {error}", folder.display()));
    let mut paths = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(|error| failed(&error))? {
        let path = entry.map_err(|error| failed(&error))?.path();
        if path.extension().is_some_and(|extension| extension == "json") {
            paths.push(path);
        }
    }
    paths.sort();
    let mut benches = Vec::new();
    for path in paths {
        let wrong = |why: &str| Failure::new(format!("{}: {why}", path.display()));
        let text = std::fs::read_to_string(&path).map_err(|error| wrong(&error.to_string()))?;
        let value: Value = serde_json::from_str(&text).map_err(|error| wrong(&error.to_string()))?;
        benches.push(bench(&value).ok_or_else(|| wrong("this is no file of `cargo xtask bench`"))?);
    }
    if benches.is_empty() {
        return Err(Failure::new(format!("{}: no measurements; run `cargo xtask bench` first", folder.display())));
    }
    benches.sort_by_key(|bench| bench.software);
    Ok(benches)
}

fn bench(value: &Value) -> Option<Bench> {
    if value["format"].as_u64()? != 1 {
        return None;
    }
    let text = |value: &Value| value.as_str().map(str::to_owned);
    let case = |value: &Value| {
        let result = match value.get("result") {
            Some(result) => Ok(figures(result)?),
            None => Err(text(&value["failed"])?),
        };
        let (part, name, camera) = (text(&value["part"])?, text(&value["name"])?, text(&value["camera"])?);
        Some(Case { part, name, camera, result })
    };
    Some(Bench {
        adapter: text(&value["adapter"])?,
        software: value["software"].as_bool()?,
        frames: value["frames"].as_u64()?,
        cases: value["cases"].as_array()?.iter().map(case).collect::<Option<_>>()?,
    })
}

fn figures(value: &Value) -> Option<Figures> {
    let whole = |key: &str| value[key].as_u64();
    let passes = value["passes"].as_object()?;
    Some(Figures {
        frame_ms: value["frame_ms"].as_f64()?,
        gpu_ms: value["gpu_ms"].as_f64(),
        passes: passes.iter().map(|(name, time)| Some((name.clone(), time.as_f64()?))).collect::<Option<_>>()?,
        stored: whole("stored")?,
        tested: whole("tested")?,
        visible: whole("visible")?,
        primitives: whole("primitives")?,
        pixels_per_body: value["pixels_per_body"].as_f64()?,
        covered_pixels: whole("covered_pixels")?,
        covered_share: value["covered_share"].as_f64()?,
        dropped: whole("dropped")?,
        bytes_per_body: whole("bytes_per_body")?,
        bytes_in_all: whole("bytes_in_all")?,
        driver: value["driver"].as_str()?.to_owned(),
        raster: value["raster"].as_str()?.to_owned(),
        size: [value["size"][0].as_u64()?, value["size"][1].as_u64()?],
    })
}

/// 1,048,576.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// A result as the command prints it.
    pub(super) fn result(frame_ms: f64, stored: u64) -> Value {
        json!({
            "frame_ms": frame_ms, "gpu_ms": 0.9 * frame_ms, "passes": {"raster": 0.5 * frame_ms, "shade": 0.25 * frame_ms},
            "stored": stored, "tested": stored / 2, "passed": stored / 4, "visible": stored / 8, "primitives": stored,
            "covered_pixels": 1_555_200, "covered_share": 0.75, "pixels_per_body": 7.5, "dropped": 0,
            "bytes_per_body": 32, "bytes_in_all": 64 << 20, "adapter": "NVIDIA H200", "driver": "1.2", "raster": "64 bits",
            "size": [1920, 1080], "frames": 100,
        })
    }

    /// A file as `cargo xtask bench` writes it.
    pub(super) fn file() -> Value {
        let case = |part: &str, name: &str, camera: &str, result: Value| json!({"part": part, "name": name, "camera": camera, "scene": "s.toml", "sets": [], "result": result});
        json!({"format": 1, "adapter": "NVIDIA H200", "software": false, "frames": 100, "cases": [
            case("scaling", "all", "close", result(0.5, 65_536)),
            case("scaling", "none", "close", result(2.0, 65_536)),
            case("scaling", "all", "close", result(1.0, 262_144)),
            {"part": "scaling", "name": "none", "camera": "close", "scene": "s.toml", "sets": [], "failed": "error: no | room"},
            case("culls", "none", "close", result(2.0, 65_536)),
            case("culls", "frustum alone", "close", result(1.0, 65_536)),
            case("culls", "none", "above", result(4.0, 65_536)),
            case("meadow", "main", "main", result(3.0, 1_000_000)),
        ]})
    }

    #[test]
    fn files_are_read_whole_or_refused() {
        let read = bench(&file()).unwrap();
        assert_eq!((read.cases.len(), read.frames, read.software), (8, 100, false));
        assert!(read.cases[3].result.as_ref().is_err_and(|why| why == "error: no | room"));
        let figures = read.cases[0].result.as_ref().unwrap();
        assert_eq!((figures.frame_ms, figures.stored, figures.size), (0.5, 65_536, [1920, 1080]));
        for key in ["visible", "covered_share", "passes", "size"] {
            let mut broken = file();
            broken["cases"][0]["result"].as_object_mut().unwrap().remove(key);
            assert!(bench(&broken).is_none(), "{key}");
        }
        assert!(bench(&json!({"format": 2})).is_none());
    }

    #[test]
    fn figures_that_do_not_count_say_why() {
        let figures_with = |key: &str, value: Value| {
            let mut result = result(1.0, 1000);
            result[key] = value;
            figures(&result).unwrap()
        };
        assert_eq!(figures_with("frames", json!(1)).void(), None);
        assert!(figures_with("covered_share", json!(0.59)).void().unwrap().contains("59 %"));
        assert!(figures_with("dropped", json!(1234)).void().unwrap().starts_with("1,234"));
        assert!(figures_with("frames", json!(1)).passes_believable());
        assert!(!figures_with("passes", json!({"raster": 0.01})).passes_believable());
        assert!(figures_with("gpu_ms", Value::Null).passes_believable());
    }

    #[test]
    fn numbers_are_grouped() {
        assert_eq!([0, 999, 1000, 1_048_576].map(grouped), ["0", "999", "1,000", "1,048,576"]);
    }
}
