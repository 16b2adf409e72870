//! How far a picture is.

use std::io::IsTerminal;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

use crate::output::tell;

/// Without a terminal a line comes so often.
const PAUSE: Duration = Duration::from_secs(10);

/// A bar on a terminal, else a plain line now and then, which says that work goes on.
pub struct Progress {
    bar: ProgressBar,
    plain: bool,
    last: Instant,
    samples: u64,
    parts: u64,
}

impl Progress {
    /// For a picture of so many samples a pixel that is drawn in so many parts, one after the other.
    pub fn new(quiet: bool, samples: u32, parts: usize) -> Self {
        let (samples, parts) = (u64::from(samples), parts as u64);
        let terminal = std::io::stderr().is_terminal();
        let bar = if quiet { ProgressBar::hidden() } else { ProgressBar::new(samples * parts) };
        if let Ok(style) = ProgressStyle::with_template("{bar:40} {msg}, {eta} left") {
            bar.set_style(style);
        }
        bar.set_message(words(0, samples, parts));
        Self { bar, plain: !quiet && !terminal, last: Instant::now(), samples, parts }
    }

    /// One more sample of one part is drawn.
    pub fn step(&mut self) {
        self.bar.inc(1);
        let words = words(self.bar.position(), self.samples, self.parts);
        if self.plain && self.last.elapsed() > PAUSE {
            self.last = Instant::now();
            tell!("{words}");
        }
        self.bar.set_message(words);
    }

    /// Takes the bar away.
    pub fn finish(self) {
        self.bar.finish_and_clear();
    }
}

/// Where so many samples of parts are drawn, all of the first part first.
fn words(drawn: u64, samples: u64, parts: u64) -> String {
    let part = drawn.saturating_sub(1) / samples;
    let sample = format!("sample {} of {samples}", drawn - part * samples);
    if parts > 1 { format!("{sample}, part {} of {parts}", part + 1) } else { sample }
}

#[cfg(test)]
mod tests {
    use super::words;

    #[test]
    fn samples_and_parts_are_counted_each_for_itself() {
        assert_eq!(words(0, 16, 1), "sample 0 of 16");
        assert_eq!(words(16, 16, 1), "sample 16 of 16");
        let parts: Vec<String> = (0..=4).map(|drawn| words(drawn, 2, 2)).collect();
        assert_eq!(
            parts,
            [
                "sample 0 of 2, part 1 of 2",
                "sample 1 of 2, part 1 of 2",
                "sample 2 of 2, part 1 of 2",
                "sample 1 of 2, part 2 of 2",
                "sample 2 of 2, part 2 of 2",
            ]
        );
    }
}
