//! Which frames of a film are wanted, and what their files are called.

use std::path::{Path, PathBuf};

/// The number of the last frame that there can be.
pub const LAST: u32 = 1_000_000;

/// `1-240`, both included; `1-240x2`, every second one from the first; `37`, that one alone. Frames count from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frames {
    pub first: u32,
    pub last: u32,
    pub step: u32,
}

impl Frames {
    /// Reads it from the command line.
    pub fn parse(text: &str) -> Result<Self, String> {
        let expected = || format!("expected frames such as 1-240, 1-240x2 or 37, from 1 to {LAST}");
        let number =
            |text: &str| text.trim().parse().ok().filter(|number| (1..=LAST).contains(number)).ok_or_else(expected);
        let (range, step) = match text.split_once(['x', 'X', '×']) {
            Some((range, step)) => (range, number(step)?),
            None => (text, 1),
        };
        let (first, last) = match range.split_once('-') {
            Some((first, last)) => (number(first)?, number(last)?),
            None => (number(range)?, number(range)?),
        };
        if first > last {
            return Err(format!("the last frame, {last}, comes before the first, {first}"));
        }
        Ok(Self { first, last, step })
    }

    pub fn wants(&self, frame: u32) -> bool {
        (self.first..=self.last).contains(&frame) && (frame - self.first).is_multiple_of(self.step)
    }

    pub fn all(&self) -> impl Iterator<Item = u32> + use<> {
        (self.first..=self.last).step_by(self.step as usize)
    }

    /// How many are wanted.
    pub fn count(&self) -> u32 {
        (self.last - self.first) / self.step + 1
    }
}

/// A rate as frames in so many seconds. Decimals such as 23.976 and 29.97 stand for 24,000 and 30,000 frames in 1001 seconds;
/// other rates are held to a thousandth.
pub fn rational(fps: f64) -> (i32, u32) {
    let whole = (fps * 1.001).round();
    if fps.fract() != 0.0 && (whole / 1.001 - fps).abs() < 1e-5 * fps {
        return (1000 * whole as i32, 1001);
    }
    let divisor = [1000, 500, 250, 200, 125, 100, 50, 40, 25, 20, 10, 8, 5, 4, 2, 1]
        .into_iter()
        .find(|divisor| (fps * 1000.0).round() as i32 % divisor == 0)
        .unwrap_or(1);
    ((fps * 1000.0).round() as i32 / divisor, (1000 / divisor) as u32)
}

/// The name of a sequence's files, such as `shot.####.png`: the frame's number stands for the last run of `#`, with zeros
/// before it as far as the run goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    before: String,
    digits: usize,
    after: String,
    folder: PathBuf,
}

impl Pattern {
    /// None where the name of the file has no `#`, or is no text.
    pub fn of(path: &Path) -> Option<Self> {
        let name = path.file_name()?.to_str()?;
        let end = name.rfind('#')? + 1;
        let start = name[..end].trim_end_matches('#').len();
        Some(Self {
            before: name[..start].to_owned(),
            digits: end - start,
            after: name[end..].to_owned(),
            folder: path.parent().unwrap_or(Path::new("")).to_path_buf(),
        })
    }

    /// The file of a frame.
    pub fn file(&self, frame: u32) -> PathBuf {
        let Self { before, digits, after, folder } = self;
        folder.join(format!("{before}{frame:0digits$}{after}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_are_read_and_counted() {
        let frames = |text| Frames::parse(text).expect(text);
        assert_eq!(frames("1-240"), Frames { first: 1, last: 240, step: 1 });
        assert_eq!(frames("37"), Frames { first: 37, last: 37, step: 1 });
        let odd = frames("1-8x3");
        assert_eq!(odd.all().collect::<Vec<_>>(), [1, 4, 7]);
        assert_eq!(odd.count(), 3);
        assert_eq!((1..=9).filter(|frame| odd.wants(*frame)).collect::<Vec<_>>(), [1, 4, 7]);
        for wrong in ["", "0-3", "5-2", "1-", "-4", "1-3x0", "1-3x", "a-b", "1-9999999", "1-2-3"] {
            assert!(Frames::parse(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn names_hold_the_number() {
        let file = |pattern: &str, frame| Pattern::of(Path::new(pattern)).map(|pattern| pattern.file(frame));
        assert_eq!(file("a/shot.####.png", 7), Some("a/shot.0007.png".into()));
        assert_eq!(file("#.png", 12_345), Some("12345.png".into()));
        assert_eq!(file("take##_###.png", 3), Some("take##_003.png".into()));
        assert_eq!(file("a#b/shot.png", 3), None);
    }

    #[test]
    fn rates_become_fractions() {
        assert_eq!(rational(24.0), (24, 1));
        assert_eq!(rational(1000.0), (1000, 1));
        assert_eq!(rational(12.5), (25, 2));
        assert_eq!(rational(23.976), (24_000, 1001));
        assert_eq!(rational(29.97), (30_000, 1001));
        assert_eq!(rational(59.94), (60_000, 1001));
        assert_eq!(rational(23.9), (239, 10));
        assert_eq!(rational(0.125), (1, 8));
    }
}
