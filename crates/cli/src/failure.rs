//! What went wrong, for people, and the exit code that goes with it.

use std::fmt;
use std::process::ExitCode;

use crate::output::lines_for_terminal;

/// A reason to stop.
#[derive(Debug)]
pub enum Failure {
    /// The author can mend it: exit code 2.
    Mistake(String),
    /// The machine failed: exit code 1.
    Machine(String),
    /// A person stopped it: exit code 130, as shells have it.
    Stopped(String),
}

impl Failure {
    /// Why the engine does not take a scene's world.
    pub fn of_world(error: &anemone::Error, scene: &anemone_scene::Scene) -> Self {
        let text = scene.explain(error).to_string();
        if matches!(error, anemone::Error::Unfit { .. }) { Self::Machine(text) } else { Self::Mistake(text) }
    }

    /// The process's exit code.
    pub fn code(&self) -> ExitCode {
        match self {
            Self::Mistake(_) => ExitCode::from(2),
            Self::Machine(_) => ExitCode::from(1),
            Self::Stopped(_) => ExitCode::from(130),
        }
    }

    /// The same with more words.
    pub fn map(self, words: impl FnOnce(String) -> String) -> Self {
        match self {
            Self::Mistake(text) => Self::Mistake(words(text)),
            Self::Machine(text) => Self::Machine(words(text)),
            Self::Stopped(text) => Self::Stopped(words(text)),
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Mistake(text) | Self::Machine(text) => {
                // Names of adapters, cameras and files stand in these texts.
                write!(f, "error: {}", lines_for_terminal(text.strip_prefix("error: ").unwrap_or(text)))
            }
            Self::Stopped(text) => f.write_str(&lines_for_terminal(text)),
        }
    }
}

impl From<anemone_scene::SceneError> for Failure {
    fn from(error: anemone_scene::SceneError) -> Self {
        Self::Mistake(error.to_string())
    }
}

impl From<anemone_scene::UnknownCamera> for Failure {
    fn from(error: anemone_scene::UnknownCamera) -> Self {
        Self::Mistake(format!("{error}\n  = help: {}", error.help()))
    }
}

impl From<anemone_scene::WorldError> for Failure {
    fn from(error: anemone_scene::WorldError) -> Self {
        Self::Mistake(error.to_string())
    }
}

impl From<anemone::Error> for Failure {
    fn from(error: anemone::Error) -> Self {
        match error {
            anemone::Error::Unfit { .. } => Self::Machine(error.to_string()),
            _ => Self::Mistake(error.to_string()),
        }
    }
}
