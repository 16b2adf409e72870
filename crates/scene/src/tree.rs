//! TOML as a tree in which every value knows its place, and overrides laid over it.

use std::collections::BTreeMap;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::mistakes::Mistakes;
use crate::nearest::did_you_mean;
use crate::report::printable;
use crate::source::Place;

/// A value and where it is written.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub at: Place,
    pub value: Value,
}

#[derive(Clone, Debug)]
pub(crate) enum Value {
    Text(String),
    /// Whole numbers up to 2⁵³ are exact, and a scene needs no larger ones.
    Number {
        value: f64,
        whole: bool,
    },
    Bool(bool),
    Date,
    List(Vec<Node>),
    Table(BTreeMap<String, Entry>),
}

#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub key_at: Place,
    pub node: Node,
}

/// Groups whose entries the author names.
pub(crate) const NAMED: [&str; 4] = ["camera", "population", "wind", "collider"];

/// Reads a text already added to the sources under this number. Mistakes of grammar are noted; a tree comes back all
/// the same, and is worth reading on only where nothing but doubled keys was found (the first of them counts).
pub(crate) fn parse(source: usize, text: &str, mistakes: &mut Mistakes) -> Parsed {
    let (table, errors) = DeTable::parse_recoverable(text);
    let usable = errors.iter().all(|error| error.message() == "duplicate key");
    for error in errors.iter().take(64) {
        // One slip often makes the parser stumble a few times: the first of a line says enough.
        let place = Place::new(source, error.span().unwrap_or(0..0));
        let message = match error.message() {
            "duplicate key" => "this key was given before".to_owned(),
            "recursion limit" => "the tables are nested too deeply".to_owned(),
            text if text.starts_with("string values must be quoted") => {
                "a value is missing here, or a text lacks its quotes".to_owned()
            }
            other => format!("this is not TOML: {other}"),
        };
        mistakes.add_first_of_line(&place, message, None);
        if mistakes.is_full() {
            break;
        }
    }
    let (span, table) = (table.span(), table.into_inner());
    Parsed { root: Node { at: Place::new(source, span), value: Value::Table(entries(source, table)) }, usable }
}

pub(crate) struct Parsed {
    pub root: Node,
    pub usable: bool,
}

fn entries(source: usize, table: DeTable<'_>) -> BTreeMap<String, Entry> {
    let entry = |(key, value): (Spanned<_>, Spanned<DeValue<'_>>)| {
        let key_at = Place::new(source, key.span());
        let name: std::borrow::Cow<'_, str> = key.into_inner();
        (name.into_owned(), Entry { key_at, node: node(source, value) })
    };
    table.into_iter().map(entry).collect()
}

fn node(source: usize, spanned: Spanned<DeValue<'_>>) -> Node {
    let at = Place::new(source, spanned.span());
    let value = match spanned.into_inner() {
        DeValue::String(text) => Value::Text(text.into_owned()),
        DeValue::Integer(integer) => {
            // Beyond 128 bits it is out of every range, which infinity is too.
            let value =
                i128::from_str_radix(integer.as_str(), integer.radix()).map_or(f64::INFINITY, |value| value as f64);
            Value::Number { value, whole: true }
        }
        DeValue::Float(float) => Value::Number { value: float_value(float.as_str()), whole: false },
        DeValue::Boolean(value) => Value::Bool(value),
        DeValue::Datetime(_) => Value::Date,
        DeValue::Array(list) => Value::List(list.into_iter().map(|element| node(source, element)).collect()),
        DeValue::Table(table) => Value::Table(entries(source, table)),
    };
    Node { at, value }
}

/// Digits that pass a double's range are a large number, not the infinity that only the word `inf` means.
fn float_value(text: &str) -> f64 {
    match text.parse::<f64>() {
        Ok(value) if value.is_infinite() && !text.contains("inf") => f64::MAX.copysign(value),
        Ok(value) => value,
        Err(_) => f64::NAN,
    }
}

/// Reads `key.path=value`. The value is TOML; what is none, such as a bare word, a file name or `#7fa040`, is text.
pub(crate) fn parse_override(source: usize, text: &str, mistakes: &mut Mistakes) -> Option<Node> {
    let Some(equals) = text.find('=') else {
        let help = "write key.path=value, for example population.meadow.density=500".to_owned();
        mistakes.add(&Place::new(source, 0..text.len()), "an override needs a key and a value".to_owned(), Some(help));
        return None;
    };
    let (key, value) = (&text[..equals], &text[equals + 1..]);
    let bare = value.trim();
    let starts_as_toml = bare.starts_with(['[', '{', '"', '\'']);
    if DeTable::parse(text).is_err() && !bare.is_empty() && !starts_as_toml {
        let stand_in = format!("{key}=0");
        let parsed = parse(source, &stand_in, mistakes);
        let mut root = parsed.usable.then_some(parsed.root)?;
        let start = equals + 1 + (value.len() - value.trim_start().len());
        let leaf = Node { at: Place::new(source, start..start + bare.len()), value: Value::Text(bare.to_owned()) };
        replace_deepest(&mut root, leaf);
        return Some(root);
    }
    let before = mistakes.count();
    let parsed = parse(source, text, mistakes);
    (mistakes.count() == before).then_some(parsed.root)
}

/// Puts a leaf in the place of the value at the end of a chain of tables with one key each.
fn replace_deepest(node: &mut Node, leaf: Node) {
    if let Value::Table(entries) = &mut node.value
        && let Some(entry) = entries.values_mut().next()
    {
        return replace_deepest(&mut entry.node, leaf);
    }
    *node = leaf;
}

/// Refuses an override that would make a new camera, population, wind or collider beside the ones that are there:
/// far more often than not the name is a slip, and the picture would silently be another.
pub(crate) fn check_names(base: &Node, over: &Node, mistakes: &mut Mistakes) -> bool {
    let before = mistakes.count();
    let (Value::Table(base), Value::Table(over)) = (&base.value, &over.value) else { return true };
    for group in NAMED {
        let entries = |table: &'_ BTreeMap<String, Entry>| match table.get(group).map(|entry| &entry.node.value) {
            Some(Value::Table(entries)) => entries.keys().cloned().collect::<Vec<_>>(),
            _ => Vec::new(),
        };
        let known = entries(base);
        for name in entries(over).into_iter().filter(|name| !known.is_empty() && !known.contains(name)) {
            let Some(Value::Table(named)) = over.get(group).map(|entry| &entry.node.value) else { continue };
            let help = did_you_mean(&name, known.iter().map(String::as_str))
                .unwrap_or_else(|| format!("the scene has: {}", known.join(", ")));
            mistakes.add(&named[&name].key_at, format!("the scene has no {group} of this name"), Some(help));
        }
    }
    mistakes.count() == before
}

/// Lays one tree over another: tables are merged, keys that are numbers reach into lists, all else is replaced.
pub(crate) fn merge(base: &mut Node, over: Node, mistakes: &mut Mistakes) {
    match (&mut base.value, over.value) {
        (Value::Table(base), Value::Table(over)) => {
            for (key, entry) in over {
                match base.get_mut(&key) {
                    Some(old) => merge(&mut old.node, entry.node, mistakes),
                    None => {
                        base.insert(key, entry);
                    }
                }
            }
        }
        (Value::List(list), Value::Table(over)) => {
            let length = list.len();
            for (key, entry) in over {
                match key.parse::<usize>().ok().and_then(|index| list.get_mut(index)) {
                    Some(old) => merge(old, entry.node, mistakes),
                    None => {
                        let help = match length {
                            0 => "the list is empty".to_owned(),
                            _ => format!("its elements are numbered 0 to {}", length - 1),
                        };
                        mistakes.add(&entry.key_at, "the list has no such element".to_owned(), Some(help));
                    }
                }
            }
        }
        (Value::Text(_) | Value::Number { .. } | Value::Bool(_) | Value::Date, Value::Table(over))
            if is_indices(&over) =>
        {
            for (key, entry) in &over {
                let help = format!("set it as a whole, without `.{}`", printable(key));
                mistakes.add(&entry.key_at, "the scene has one value here, not a list".to_owned(), Some(help));
            }
        }
        (_, value) => *base = Node { at: over.at, value },
    }
}

/// Whether every key of a table is a number, as in what reaches into a list.
pub(crate) fn is_indices(table: &BTreeMap<String, Entry>) -> bool {
    !table.is_empty() && table.keys().all(|key| key.parse::<usize>().is_ok())
}
