//! The texts that a scene is read from, and places in them.

use std::ops::Range;

/// A text with the name that people know it by: a file, or one `--set`.
pub(crate) struct Source {
    pub name: String,
    pub text: String,
}

/// All texts of one scene; the first is the file, the others are overrides in their order.
#[derive(Default)]
pub(crate) struct Sources(Vec<Source>);

/// A stretch of bytes in one of the texts. Places sort in reading order.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Place {
    source: usize,
    start: usize,
    end: usize,
}

impl Sources {
    /// Adds a text; the number is for [`Place::new`].
    pub fn add(&mut self, name: String, text: String) -> usize {
        self.0.push(Source { name, text });
        self.0.len() - 1
    }

    /// The text that a place lies in.
    pub fn of(&self, place: &Place) -> &Source {
        &self.0[place.source]
    }

    /// The author's own characters.
    pub fn snippet(&self, place: &Place) -> &str {
        let text = &self.of(place).text;
        text.get(place.range_in(text)).unwrap_or_default()
    }

    /// Line and column, both from 1; the column counts characters, as editors do.
    pub fn line_and_column(&self, place: &Place) -> (usize, usize) {
        let text = &self.of(place).text;
        let before = &text[..place.range_in(text).start];
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        (before.matches('\n').count() + 1, before[line_start..].chars().count() + 1)
    }
}

impl Place {
    pub fn new(source: usize, range: Range<usize>) -> Self {
        Self { source, start: range.start, end: range.end }
    }

    /// Whether it lies in an override.
    pub fn is_override(&self) -> bool {
        self.source > 0
    }

    /// The range, made to fit the text whatever was asked for: places may come from another crate's parser.
    pub fn range_in(&self, text: &str) -> Range<usize> {
        let start = floor_boundary(text, self.start);
        start..floor_boundary(text, self.end).max(start)
    }
}

fn floor_boundary(text: &str, mut index: usize) -> usize {
    index = index.min(text.len());
    while !text.is_char_boundary(index) {
        index -= 1;
    }
    index
}
