//! What is wrong with a scene, told so that its author can mend it.

use std::fmt;
use std::path::{Path, PathBuf};

use crate::report::{Excerpt, for_terminal};
use crate::source::{Place, Sources};

/// More mistakes than this are not listed: nobody reads them, and binary junk makes millions.
pub(crate) const MOST_MISTAKES: usize = 20;

/// Why there is no scene.
///
/// `Display` gives the whole report for people: every mistake with its place, the text underlined, and what was
/// expected. It is plain text without colours, and control characters of the author's file are not passed on.
#[derive(Debug)]
pub enum SceneError {
    /// The file could not be read.
    Read {
        /// The file.
        path: PathBuf,
        /// What the system says.
        error: std::io::Error,
    },
    /// This is a pipe, a device or the like.
    NoFile {
        /// The file.
        path: PathBuf,
    },
    /// The file is larger than [`crate::LARGEST_FILE`].
    TooLarge {
        /// The file.
        path: PathBuf,
    },
    /// The text is no valid scene. At least one mistake, in reading order: the file first, then the overrides.
    Invalid(Vec<Mistake>),
}

/// One mistake in a scene.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mistake {
    /// The file, or `--set …` for an override.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
    /// What is wrong, without a full stop.
    pub message: String,
    /// What was expected, or what would mend it.
    pub help: Option<String>,
    excerpt: Excerpt,
}

impl Mistake {
    pub(crate) fn new(sources: &Sources, place: &Place, message: String, help: Option<String>) -> Self {
        let (line, column) = sources.line_and_column(place);
        let excerpt = Excerpt::new(&sources.of(place).text, place);
        Self { file: sources.of(place).name.clone(), line, column, message, help, excerpt }
    }
}

impl fmt::Display for Mistake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let margin = self.line.to_string().len();
        // The author's own names stand in all of these.
        writeln!(f, "error: {}", for_terminal(&self.message))?;
        writeln!(f, "{:margin$}--> {}:{}:{}", "", for_terminal(&self.file), self.line, self.column)?;
        writeln!(f, "{:margin$} |", "")?;
        writeln!(f, "{} | {}", self.line, self.excerpt.text)?;
        write!(f, "{:margin$} | {:indent$}{}", "", "", "^".repeat(self.excerpt.width), indent = self.excerpt.indent)?;
        if let Some(help) = &self.help {
            write!(f, "\n{:margin$} = help: {}", "", for_terminal(help))?;
        }
        Ok(())
    }
}

impl fmt::Display for SceneError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown = |path: &Path| for_terminal(&path.to_string_lossy());
        match self {
            Self::Read { path, error } => write!(f, "error: the scene {} cannot be read: {error}", shown(path)),
            Self::NoFile { path } => write!(
                f,
                "error: the scene {} is not an ordinary file; from a pipe, a scene is read as /dev/stdin",
                shown(path)
            ),
            Self::TooLarge { path } => write!(
                f,
                "error: the scene {} is larger than {} MiB: is this a scene?",
                shown(path),
                crate::LARGEST_FILE >> 20
            ),
            Self::Invalid(mistakes) => {
                for (index, mistake) in mistakes.iter().take(MOST_MISTAKES).enumerate() {
                    let gap = if index == 0 { "" } else { "\n\n" };
                    write!(f, "{gap}{mistake}")?;
                }
                match mistakes.len() {
                    0 | 1 => Ok(()),
                    count if count > MOST_MISTAKES => write!(f, "\n\nmore than {MOST_MISTAKES} mistakes"),
                    count => write!(f, "\n\n{count} mistakes"),
                }
            }
        }
    }
}

impl std::error::Error for SceneError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Read { error, .. } => Some(error),
            Self::NoFile { .. } | Self::TooLarge { .. } | Self::Invalid(_) => None,
        }
    }
}
