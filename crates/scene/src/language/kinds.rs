//! Kinds of single values.

use std::borrow::Cow;

use super::{Form, Kind};
use crate::mistakes::Mistakes;
use crate::nearest::did_you_mean;
use crate::report::quoted;
use crate::tree::{Node, Value};

/// A finite number in a range that includes both ends.
#[derive(Clone, Copy)]
pub(crate) struct Number {
    /// In the plural, to stand after a number; empty for a factor.
    pub unit: &'static str,
    pub min: f64,
    pub max: f64,
}

/// A whole number in a range that includes both ends.
pub(crate) struct Whole {
    pub unit: &'static str,
    pub min: u32,
    pub max: u32,
}

/// `true` or `false`.
pub(crate) struct Flag;

/// A text that is not empty.
pub(crate) struct Text {
    /// What it names: "a file", "a name".
    pub what: &'static str,
}

/// One of a few words, each with what it means.
pub(crate) struct Choice<T: 'static> {
    pub options: &'static [(&'static str, T, &'static str)],
}

/// The reach of the world in metres: a few times round the Earth's cities, and far inside what 32-bit tiles hold.
pub(crate) const WORLD: Number = Number { unit: "metres", min: -1e7, max: 1e7 };

/// Notes that a value is not what was expected.
pub(super) fn refuse(mistakes: &mut Mistakes, name: &str, node: &Node, why: &str, expected: String) {
    let found = match &node.value {
        // The place shows it, and its text may run over many lines.
        Value::Table(_) => String::new(),
        Value::List(list) if list.is_empty() => String::new(),
        _ => format!(": {}", quoted(mistakes.sources.snippet(&node.at))),
    };
    mistakes.add(&node.at, format!("`{name}` {why}{found}"), Some(format!("expected {expected}")));
}

/// The word for a value of the wrong type.
pub(super) fn not_a(what: &str, node: &Node) -> String {
    let found = match node.value {
        Value::Text(_) => "a text",
        Value::Number { .. } => "a number",
        Value::Bool(_) => "true or false",
        Value::Date => "a date or time",
        Value::List(_) => "a list",
        Value::Table(_) => "a table",
    };
    format!("must be {what}, not {found}")
}

impl Number {
    /// The number, unless the node holds none or one out of range.
    pub(super) fn check(&self, node: &Node) -> Result<f64, String> {
        match node.value {
            Value::Number { value, whole: false } if !value.is_finite() => Err("must be finite".into()),
            Value::Number { value, .. } if value < self.min => Err("is too small".into()),
            Value::Number { value, .. } if value > self.max => Err("is too large".into()),
            Value::Number { value, .. } => Ok(value),
            _ => Err(not_a("a number", node)),
        }
    }

    pub(super) fn range(&self) -> String {
        let unit = if self.unit.is_empty() { String::new() } else { format!(" {}", self.unit) };
        format!("{} to {}{unit}", plain(self.min), plain(self.max))
    }
}

/// A number as people write it: no exponent for the sizes that occur.
pub(super) fn plain(value: f64) -> String {
    if value != 0.0 && !(1e-6..1e9).contains(&value.abs()) { format!("{value:e}") } else { format!("{value}") }
}

impl Kind for Number {
    type Value = f64;

    fn read(&self, name: &str, node: &Node, mistakes: &mut Mistakes) -> Option<f64> {
        self.check(node).map_err(|why| refuse(mistakes, name, node, &why, self.expected())).ok()
    }

    fn expected(&self) -> String {
        format!("a number, {}", self.range())
    }

    fn form(&self) -> Form {
        Form::Number { min: self.min, max: self.max, unit: self.unit }
    }

    fn write(&self, value: &f64) -> String {
        plain(*value)
    }
}

impl Whole {
    pub(super) fn check(&self, node: &Node) -> Result<u32, String> {
        match node.value {
            Value::Number { value, whole: true } if value < f64::from(self.min) => Err("is too small".into()),
            Value::Number { value, whole: true } if value > f64::from(self.max) => Err("is too large".into()),
            Value::Number { value, whole: true } => Ok(value as u32),
            Value::Number { .. } => Err("must be a whole number".into()),
            _ => Err(not_a("a whole number", node)),
        }
    }

    pub(super) fn range(&self) -> String {
        let unit = if self.unit.is_empty() { String::new() } else { format!(" {}", self.unit) };
        format!("{} to {}{unit}", self.min, self.max)
    }
}

impl Kind for Whole {
    type Value = u32;

    fn read(&self, name: &str, node: &Node, mistakes: &mut Mistakes) -> Option<u32> {
        self.check(node).map_err(|why| refuse(mistakes, name, node, &why, self.expected())).ok()
    }

    fn expected(&self) -> String {
        format!("a whole number, {}", self.range())
    }

    fn form(&self) -> Form {
        Form::Whole { min: self.min, max: self.max, unit: self.unit }
    }

    fn write(&self, value: &u32) -> String {
        value.to_string()
    }
}

impl Kind for Flag {
    type Value = bool;

    fn read(&self, name: &str, node: &Node, mistakes: &mut Mistakes) -> Option<bool> {
        match node.value {
            Value::Bool(value) => Some(value),
            _ => {
                refuse(mistakes, name, node, &not_a("true or false", node), self.expected());
                None
            }
        }
    }

    fn expected(&self) -> String {
        "true or false".into()
    }

    fn form(&self) -> Form {
        Form::Flag
    }

    fn write(&self, value: &bool) -> String {
        value.to_string()
    }
}

impl Kind for Text {
    type Value = Cow<'static, str>;

    fn read(&self, name: &str, node: &Node, mistakes: &mut Mistakes) -> Option<Self::Value> {
        let why = match &node.value {
            Value::Text(text) if text.trim().is_empty() => "must not be empty".to_owned(),
            // The system's calls would stop at it, or fail in ways that name no place.
            Value::Text(text) if text.contains('\0') => "must not hold a zero character".to_owned(),
            Value::Text(text) => return Some(Cow::Owned(text.clone())),
            _ => not_a("a text", node),
        };
        refuse(mistakes, name, node, &why, self.expected());
        None
    }

    fn expected(&self) -> String {
        format!("{} in quotes", self.what)
    }

    fn form(&self) -> Form {
        Form::Text
    }

    fn write(&self, value: &Self::Value) -> String {
        format!("{value:?}")
    }
}

impl<T: Copy + PartialEq + Sync + 'static> Kind for Choice<T> {
    type Value = T;

    fn read(&self, name: &str, node: &Node, mistakes: &mut Mistakes) -> Option<T> {
        let Value::Text(word) = &node.value else {
            refuse(mistakes, name, node, &not_a("a text", node), self.expected());
            return None;
        };
        if let Some((_, value, _)) = self.options.iter().find(|option| option.0 == word) {
            return Some(*value);
        }
        let mut help = format!("expected {}", self.expected());
        if let Some(guess) = did_you_mean(word, self.options.iter().map(|option| option.0)) {
            help = format!("{guess} {help}");
        }
        mistakes.add(
            &node.at,
            format!("`{name}` cannot be {}", quoted(mistakes.sources.snippet(&node.at))),
            Some(help),
        );
        None
    }

    fn expected(&self) -> String {
        let words: Vec<String> = self.options.iter().map(|option| format!("\"{}\"", option.0)).collect();
        match words.as_slice() {
            [only] => only.clone(),
            [first, second] => format!("{first} or {second}"),
            _ => format!("one of {}", words.join(", ")),
        }
    }

    fn form(&self) -> Form {
        Form::Choice(self.options.iter().map(|option| (option.0, option.2)).collect())
    }

    fn write(&self, value: &T) -> String {
        let word = self.options.iter().find(|option| option.1 == *value).map_or("", |option| option.0);
        format!("\"{word}\"")
    }
}
