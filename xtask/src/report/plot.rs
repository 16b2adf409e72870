//! The plot: frames per second against stored blades, both on logarithmic axes, as SVG.

use std::fmt::Write;

use super::{Bench, grouped};

/// One line of the plot: (stored blades, frames a second), blades rising.
pub(super) struct Line {
    label: String,
    /// Which adapter, for the colour.
    adapter: usize,
    /// With culling: a solid line; without: a dashed one.
    culled: bool,
    points: Vec<(f64, f64)>,
}

/// Two lines an adapter, of the figures that count.
pub(super) fn lines(benches: &[Bench]) -> Vec<Line> {
    let mut lines = Vec::new();
    for (adapter, bench) in benches.iter().enumerate() {
        for (name, culled) in [("all", true), ("none", false)] {
            let mut points: Vec<(f64, f64)> = bench
                .cases
                .iter()
                .filter(|case| case.part == "scaling" && case.name == name)
                .filter_map(|case| case.result.as_ref().ok())
                .filter(|figures| figures.void().is_none() && figures.frame_ms > 0.0)
                .map(|figures| (figures.stored as f64, 1000.0 / figures.frame_ms))
                .collect();
            points.sort_by(|a, b| a.0.total_cmp(&b.0));
            if !points.is_empty() {
                let words = bench.adapter.split('(').next().unwrap_or_default().trim();
                // Adapters may be measured at different sizes: a line says which is its own.
                let height = bench.cases.iter().find_map(|case| case.result.as_ref().ok()).map_or(0, |f| f.size[1]);
                let label = format!("{words}, {height} rows, {}", if culled { "all culls" } else { "no culls" });
                lines.push(Line { label, adapter, culled, points });
            }
        }
    }
    lines
}

const WIDTH: f64 = 860.0;
const HEIGHT: f64 = 460.0;
const LEFT: f64 = 70.0;
const RIGHT: f64 = 240.0;
const TOP: f64 = 20.0;
const BOTTOM: f64 = 55.0;
/// Told apart in the common kinds of colour blindness too (Okabe and Ito 2008).
const COLOURS: [&str; 6] = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9"];

/// A logarithmic axis from `low` to `high`, on the picture from `from` to `to`.
struct Axis {
    low: f64,
    high: f64,
    from: f64,
    to: f64,
}

impl Axis {
    /// Ends at powers of `base` round the values.
    fn round(values: impl Iterator<Item = f64> + Clone, base: f64, from: f64, to: f64) -> Self {
        let least = values.clone().fold(f64::INFINITY, f64::min);
        let most = values.fold(0.0, f64::max);
        if !(least.is_finite() && least > 0.0) {
            return Self { low: 1.0, high: base, from, to };
        }
        // The small shares keep values that are a power, but for rounding, from opening another decade.
        let low = (least.log(base) + 1e-9).floor();
        let high = (most.log(base) - 1e-9).ceil().max(low + 1.0);
        Self { low: base.powf(low), high: base.powf(high), from, to }
    }

    fn place(&self, value: f64) -> f64 {
        self.from + (value / self.low).ln() / (self.high / self.low).ln() * (self.to - self.from)
    }

    fn ticks(&self, base: f64) -> Vec<f64> {
        let count = (self.high / self.low).log(base).round() as i32;
        (0..=count).map(|power| self.low * base.powi(power)).collect()
    }
}

/// The picture.
pub(super) fn svg(lines: &[Line]) -> String {
    let points = || lines.iter().flat_map(|line| &line.points);
    let x = Axis::round(points().map(|point| point.0), 4.0, LEFT, WIDTH - RIGHT);
    let y = Axis::round(points().map(|point| point.1), 10.0, HEIGHT - BOTTOM, TOP);
    let mut body = String::new();
    let mut put = |text: String| {
        body.push_str(&text);
        body.push('\n');
    };
    for tick in x.ticks(4.0) {
        let at = x.place(tick);
        put(format!(r##"<path d="M{at:.1} {TOP}V{:.1}" stroke="#ddd"/>"##, HEIGHT - BOTTOM));
        let label = grouped(tick.round() as u64);
        put(format!(r#"<text x="{at:.1}" y="{:.1}" text-anchor="middle">{label}</text>"#, HEIGHT - BOTTOM + 18.0));
    }
    for tick in y.ticks(10.0) {
        let at = y.place(tick);
        put(format!(r##"<path d="M{LEFT} {at:.1}H{:.1}" stroke="#ddd"/>"##, WIDTH - RIGHT));
        put(format!(r#"<text x="{:.1}" y="{:.1}" text-anchor="end">{tick}</text>"#, LEFT - 8.0, at + 4.0));
    }
    let middle = (LEFT + WIDTH - RIGHT) / 2.0;
    put(format!(r#"<text x="{middle:.1}" y="{:.1}" text-anchor="middle">stored blades</text>"#, HEIGHT - 12.0));
    let centre = (TOP + HEIGHT - BOTTOM) / 2.0;
    put(format!(
        r#"<text x="18" y="{centre:.1}" text-anchor="middle" transform="rotate(-90 18 {centre:.1})">frames a second</text>"#
    ));
    for (index, line) in lines.iter().enumerate() {
        let colour = COLOURS[line.adapter % COLOURS.len()];
        let dash = if line.culled { "" } else { r#" stroke-dasharray="6 4""# };
        let mut path = String::new();
        for (number, (stored, rate)) in line.points.iter().enumerate() {
            let (at, up) = (x.place(*stored), y.place(*rate));
            // Cannot fail: a String grows.
            _ = write!(path, "{}{at:.1} {up:.1}", if number == 0 { "M" } else { "L" });
            put(format!(r#"<circle cx="{at:.1}" cy="{up:.1}" r="3.5" fill="{colour}"/>"#));
        }
        put(format!(r#"<path d="{path}" fill="none" stroke="{colour}" stroke-width="2"{dash}/>"#));
        let (start, level) = (WIDTH - RIGHT + 16.0, TOP + 14.0 + 22.0 * index as f64);
        put(format!(
            r#"<path d="M{start:.1} {level:.1}h28" stroke="{colour}" stroke-width="2"{dash}/><text x="{:.1}" y="{:.1}">{}</text>"#,
            start + 36.0,
            level + 4.0,
            escaped(&line.label)
        ));
    }
    format!(
        concat!(
            r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {} {}" font-family="sans-serif" font-size="12" fill="black">"#,
            "\n",
            r#"<rect width="100%" height="100%" fill="white"/>"#,
            "\n{}</svg>\n"
        ),
        WIDTH, HEIGHT, body
    )
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::super::bench;
    use super::super::tests::file;
    use super::*;

    #[test]
    fn an_axis_places_powers_evenly() {
        let axis = Axis::round([2.0, 1000.0].into_iter(), 10.0, 400.0, 100.0);
        assert_eq!((axis.low, axis.high), (1.0, 1000.0));
        assert!((axis.place(1.0) - 400.0).abs() < 1e-9);
        assert!((axis.place(10.0) - 300.0).abs() < 1e-9);
        assert!((axis.place(1000.0) - 100.0).abs() < 1e-9);
        assert_eq!(axis.ticks(10.0).len(), 4);
        // One value, or none, still makes an axis.
        assert!(Axis::round([65_536.0].into_iter(), 4.0, 0.0, 1.0).place(65_536.0).is_finite());
        assert!(Axis::round(std::iter::empty(), 4.0, 0.0, 1.0).place(2.0).is_finite());
    }

    #[test]
    fn figures_that_count_become_lines() {
        let mut file = file();
        file["adapter"] = "A & <B> (driver)".into();
        let lines = lines(&[bench(&file).unwrap()]);
        assert_eq!(lines.len(), 2);
        assert_eq!(lines[0].points, [(65_536.0, 2000.0), (262_144.0, 1000.0)]);
        assert_eq!(lines[1].points, [(65_536.0, 500.0)]);
        let svg = svg(&lines);
        assert_eq!(svg.matches("<circle").count(), 3);
        assert_eq!(svg.matches("stroke-dasharray").count(), 2);
        assert!(svg.contains("A &amp; &lt;B&gt;, 1080 rows, all culls") && svg.contains("262,144"));
        assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n") && !svg.contains("NaN"));
        assert!(!super::svg(&[]).contains("NaN"));
    }
}
