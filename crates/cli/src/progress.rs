//! How far a picture is, or a film.

use std::io::IsTerminal;
use std::time::{Duration, Instant};

use indicatif::{HumanDuration, ProgressBar, ProgressStyle};

use crate::output::tell;

/// Without a terminal a line comes so often.
const PAUSE: Duration = Duration::from_secs(10);

/// A bar on a terminal, else a plain line now and then, which says that work goes on.
pub struct Progress {
    bar: ProgressBar,
    plain: bool,
    start: Instant,
    last: Instant,
    work: Work,
}

enum Work {
    /// So many samples a pixel, in so many parts one after the other.
    Picture { samples: u64, parts: u64 },
    /// Frames up to this one.
    Film { last: u32 },
}

impl Progress {
    /// For a picture of so many samples a pixel that is drawn in so many parts, one after the other.
    pub fn of_picture(quiet: bool, samples: u32, parts: usize) -> Self {
        let (samples, parts) = (u64::from(samples), parts as u64);
        Self::new(quiet, samples * parts, Work::Picture { samples, parts })
    }

    /// For the frames of a film from 1 to the last one, drawn or passed over.
    pub fn of_film(quiet: bool, last: u32) -> Self {
        Self::new(quiet, u64::from(last), Work::Film { last })
    }

    fn new(quiet: bool, steps: u64, work: Work) -> Self {
        let terminal = std::io::stderr().is_terminal();
        let bar = if quiet { ProgressBar::hidden() } else { ProgressBar::new(steps) };
        if let Ok(style) = ProgressStyle::with_template("{bar:40} {msg}, {eta} left") {
            bar.set_style(style);
        }
        let now = Instant::now();
        let progress = Self { bar, plain: !quiet && !terminal, start: now, last: now, work };
        progress.bar.set_message(progress.words());
        progress
    }

    /// Counts the time from now on.
    pub fn start(&mut self) {
        self.start = Instant::now();
        self.bar.reset_elapsed();
        self.bar.reset_eta();
    }

    /// One more sample of one part, or one more frame, is done.
    pub fn step(&mut self) {
        self.bar.inc(1);
        let words = self.words();
        if self.plain && self.last.elapsed() > PAUSE {
            self.last = Instant::now();
            let left = HumanDuration(self.bar.eta());
            tell!("{words}, {left:#} left");
        }
        self.bar.set_message(words);
    }

    fn words(&self) -> String {
        let done = self.bar.position();
        match self.work {
            Work::Picture { samples, parts } => words(done, samples, parts),
            Work::Film { last } => {
                let rate = done as f64 / self.start.elapsed().as_secs_f64().max(1e-3);
                format!("frame {done} of {last}, {rate:.2} frames/s")
            }
        }
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
