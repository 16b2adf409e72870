//! One key, one table.

use crate::mistakes::Mistakes;
use crate::tree::Node;

/// How a value is written and what it becomes.
pub(crate) trait Kind: Sync + 'static {
    type Value: Clone;

    /// Reads a value, or notes what is wrong with it.
    fn read(&self, name: &str, node: &Node, mistakes: &mut Mistakes) -> Option<Self::Value>;

    /// What is expected, with unit and range, to stand after 'expected'.
    fn expected(&self) -> String;

    /// The same as data.
    fn form(&self) -> Form;

    /// A value as an author would write it.
    fn write(&self, value: &Self::Value) -> String;

    /// The numbers of a value that is written as a list of numbers.
    fn elements(&self, _value: &Self::Value) -> Vec<f64> {
        Vec::new()
    }
}

/// How a value is written, as data for schemas and editors. Ranges include both ends; an empty unit is that of a
/// factor.
#[derive(Clone, Debug, PartialEq)]
pub enum Form {
    /// A number.
    Number {
        /// The least.
        min: f64,
        /// The greatest.
        max: f64,
        /// In the plural.
        unit: &'static str,
    },
    /// A whole number.
    Whole {
        /// The least.
        min: u32,
        /// The greatest.
        max: u32,
        /// In the plural.
        unit: &'static str,
    },
    /// `true` or `false`.
    Flag,
    /// A text.
    Text,
    /// One of these words, each with its meaning.
    Choice(Vec<(&'static str, &'static str)>),
    /// `[min, max]`, or one such value for both.
    Interval(Box<Self>),
    /// A list of such values, one for each of the named parts.
    Vector {
        /// The parts as they are written: `[x, y, z]`.
        parts: &'static str,
        /// How many there are.
        length: usize,
        /// What each is.
        each: Box<Self>,
    },
    /// `"#rrggbb"` (sRGB), or `[red, green, blue]` (linear Rec. 709).
    Color,
    /// `[[time, x, y, z], …]` in seconds and metres, times rising; or a table with such `keys`.
    Points,
    /// Such a value, or such values over time: `[[time, value], …]`, or a table with such `keys`.
    Curve(Box<Self>),
}

impl Form {
    /// Whether it is written as a list, or may be.
    pub(crate) fn is_list(&self) -> bool {
        match self {
            Self::Curve(each) => each.is_list(),
            _ => matches!(self, Self::Interval(_) | Self::Vector { .. } | Self::Color | Self::Points),
        }
    }
}

/// A key with a default.
pub(crate) struct Key<K: Kind> {
    pub name: &'static str,
    pub kind: K,
    pub default: K::Value,
    pub help: &'static str,
}

/// A key without: leaving it out means something that no value says, or that depends on other keys (the help says).
pub(crate) struct Optional<K: Kind> {
    pub name: &'static str,
    pub kind: K,
    pub help: &'static str,
}

/// Both sorts of keys, for the reader.
pub(crate) trait AnyKey {
    type Kind: Kind;
    fn name(&self) -> &'static str;
    fn kind(&self) -> &Self::Kind;
    /// None where leaving the key out means something else.
    fn default(&self) -> Option<&<Self::Kind as Kind>::Value>;
}

impl<K: Kind> AnyKey for Key<K> {
    type Kind = K;

    fn name(&self) -> &'static str {
        self.name
    }

    fn kind(&self) -> &K {
        &self.kind
    }

    fn default(&self) -> Option<&K::Value> {
        Some(&self.default)
    }
}

impl<K: Kind> AnyKey for Optional<K> {
    type Kind = K;

    fn name(&self) -> &'static str {
        self.name
    }

    fn kind(&self) -> &K {
        &self.kind
    }

    fn default(&self) -> Option<&K::Value> {
        None
    }
}

/// What is to be known about a key.
pub trait Describe: Sync {
    /// The key as it is written.
    fn name(&self) -> &'static str;
    /// What its value is, for people: kind, unit, range.
    fn expected(&self) -> String;
    /// What its value is, as data.
    fn form(&self) -> Form;
    /// The default as it would be written; none where `help` says what leaving the key out means.
    fn default(&self) -> Option<String>;
    /// What it does.
    fn help(&self) -> &'static str;
}

impl<K: Kind> Describe for Key<K>
where
    K::Value: Sync,
{
    fn name(&self) -> &'static str {
        self.name
    }

    fn expected(&self) -> String {
        self.kind.expected()
    }

    fn form(&self) -> Form {
        self.kind.form()
    }

    fn default(&self) -> Option<String> {
        Some(self.kind.write(&self.default))
    }

    fn help(&self) -> &'static str {
        self.help
    }
}

impl<K: Kind> Describe for Optional<K> {
    fn name(&self) -> &'static str {
        self.name
    }

    fn expected(&self) -> String {
        self.kind.expected()
    }

    fn form(&self) -> Form {
        self.kind.form()
    }

    fn default(&self) -> Option<String> {
        None
    }

    fn help(&self) -> &'static str {
        self.help
    }
}

/// A table of the scene file.
pub struct Table {
    /// The name in brackets; `NAME` in it is the author's choice. Empty for the top of the file.
    pub name: &'static str,
    /// What it describes.
    pub help: &'static str,
    /// The keys that it may always have.
    pub keys: &'static [&'static dyn Describe],
    /// Further keys, depending on the value of the key `kind`.
    pub variants: &'static [Variant],
    /// Whether there may be several, one after the other, each written `[[…]]`.
    pub is_list: bool,
    /// Tables within it.
    pub tables: &'static [&'static Self],
}

/// The keys that go with one value of the key `kind`.
pub struct Variant {
    /// The value.
    pub kind: &'static str,
    /// The keys.
    pub keys: &'static [&'static dyn Describe],
}

impl Table {
    /// The last part of the name, as it is written inside the table above.
    pub(crate) fn own_name(&self) -> &'static str {
        self.name.rsplit('.').next().unwrap_or(self.name)
    }
}
