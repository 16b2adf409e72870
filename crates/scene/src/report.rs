//! The line of an author's file that a mistake points at, made fit for a terminal.

use crate::source::Place;

/// Longer lines are cut to a window round the mistake, in characters.
const WINDOW: usize = 100;
/// Characters kept before the mistake in a cut line.
const BEFORE: usize = 40;

/// One line with the stretch to underline, in characters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Excerpt {
    pub text: String,
    pub indent: usize,
    pub width: usize,
}

impl Excerpt {
    pub fn new(text: &str, place: &Place) -> Self {
        let range = place.range_in(text);
        let line_start = text[..range.start].rfind('\n').map_or(0, |newline| newline + 1);
        let line_end = text[range.start..].find('\n').map_or(text.len(), |newline| range.start + newline);
        let line = text[line_start..line_end].trim_end_matches('\r');

        let column = text[line_start..range.start].chars().count();
        // What runs on to further lines is underlined to the end of its first.
        let length = text[range.start..range.end.min(line_end)].trim_end().chars().count().max(1);

        let skipped = if line.chars().nth(WINDOW).is_some() { column.saturating_sub(BEFORE) } else { 0 };
        let mut characters = line.chars().skip(skipped);
        let mut shown: String = characters.by_ref().take(WINDOW).map(one_cell).collect();
        let mut indent = column - skipped;
        if skipped > 0 {
            shown.insert(0, '…');
            indent += 1;
        }
        if characters.next().is_some() {
            shown.push('…');
        }
        let room = shown.chars().count().saturating_sub(indent).max(1);
        Self { text: shown, indent, width: length.min(room) }
    }
}

/// The author's words as a short quotation in a sentence.
pub(crate) fn quoted(snippet: &str) -> String {
    format!("`{}`", printable(snippet))
}

/// The author's words, short and safe.
pub(crate) fn printable(snippet: &str) -> String {
    const MOST: usize = 40;
    let mut short: String = snippet.chars().take(MOST).map(one_cell).collect();
    if snippet.chars().nth(MOST).is_some() {
        short.push('…');
    }
    short
}

/// A text as one line that is safe to print: each control character and each mark of direction becomes one `\u{fffd}`, a
/// tab becomes a space. For names of files and of what an author named, which may hold anything.
#[must_use]
pub fn for_terminal(text: &str) -> String {
    text.chars().map(one_cell).collect()
}

/// Control characters would move the cursor or colour the terminal, and marks of direction would turn the line round.
/// Each becomes one cell, so that the underline stays in place.
fn one_cell(character: char) -> char {
    match character {
        '\t' => ' ',
        '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200e}' | '\u{200f}' => '\u{fffd}',
        character if character.is_control() => '\u{fffd}',
        character => character,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_are_cut_round_the_mistake() {
        let text = format!("first\n{}BAD{}\nlast", "x".repeat(5000), "y".repeat(5000));
        let excerpt = Excerpt::new(&text, &Place::new(0, 5006..5009));
        assert_eq!(excerpt.text.chars().count(), WINDOW + 2);
        let marked: String = excerpt.text.chars().skip(excerpt.indent).take(excerpt.width).collect();
        assert_eq!(marked, "BAD");
    }

    #[test]
    fn terminals_are_safe_from_escapes() {
        let excerpt = Excerpt::new("a\u{1b}[31m\t=\u{202e} 1\r\n", &Place::new(0, 0..1));
        assert_eq!(excerpt.text, "a\u{fffd}[31m =\u{fffd} 1");
        assert_eq!(quoted("\u{7}x"), "`\u{fffd}x`");
        assert_eq!(for_terminal("\u{9b}é\n.png"), "\u{fffd}é\u{fffd}.png");
    }

    #[test]
    fn the_end_of_the_text_can_be_pointed_at() {
        let excerpt = Excerpt::new("a = ", &Place::new(0, 4..4));
        assert_eq!((excerpt.indent, excerpt.width), (4, 1));
        let excerpt = Excerpt::new("", &Place::new(0, 7..9));
        assert_eq!((excerpt.text.as_str(), excerpt.indent, excerpt.width), ("", 0, 1));
    }
}
