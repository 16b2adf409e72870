//! Where an author wrote something, for what is found wrong later.

use std::fmt;

/// Where something is written, such as `meadow.toml:12:8`; empty where nobody wrote it.
///
/// Scenes that say the same are equal wherever they say it, so all spots are, and look alike in `Debug`.
#[derive(Clone, Default)]
pub struct Spot(pub(crate) String);

impl fmt::Debug for Spot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Spot")
    }
}

impl Spot {
    /// `file:line:column`, safe to print.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl PartialEq for Spot {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Spot {}

impl fmt::Display for Spot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
