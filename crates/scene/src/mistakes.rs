//! Mistakes as they are found, so that several are told in one go.

use crate::error::{MOST_MISTAKES, Mistake, SceneError};
use crate::source::{Place, Sources};

/// The texts and what was found wrong in them.
#[derive(Default)]
pub(crate) struct Mistakes {
    pub sources: Sources,
    found: Vec<(Place, String, Option<String>)>,
    last_line: Option<(String, usize)>,
}

impl Mistakes {
    pub fn add(&mut self, at: &Place, message: String, help: Option<String>) {
        if !self.is_full() {
            self.found.push((at.clone(), message, help));
        }
    }

    /// Adds a mistake unless the one added before it by this function stands in the same line.
    pub fn add_first_of_line(&mut self, at: &Place, message: String, help: Option<String>) {
        let line = (self.sources.of(at).name.clone(), self.sources.line_and_column(at).0);
        if self.last_line.as_ref() != Some(&line) {
            self.last_line = Some(line);
            self.add(at, message, help);
        }
    }

    /// Whether any more would be dropped: one is kept beyond those that are shown, to know that there are more.
    pub fn is_full(&self) -> bool {
        self.found.len() > MOST_MISTAKES
    }

    pub fn count(&self) -> usize {
        self.found.len()
    }

    /// An error when anything was found.
    pub fn finish(mut self) -> Result<(), SceneError> {
        if self.found.is_empty() {
            return Ok(());
        }
        self.found.sort_by(|a, b| a.0.cmp(&b.0));
        let sources = &self.sources;
        let mistakes = self.found.into_iter().map(|(at, message, help)| Mistake::new(sources, &at, message, help));
        Err(SceneError::Invalid(mistakes.collect()))
    }
}
