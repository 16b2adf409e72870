//! Reading one table by its description.

use std::collections::BTreeMap;

use super::key::{AnyKey, Describe, Key, Kind, Table};
use crate::mistakes::Mistakes;
use crate::nearest::did_you_mean;
use crate::report::{for_terminal, printable, quoted};
use crate::source::Place;
use crate::spot::Spot;
use crate::tree::{Entry, Node, Value, is_indices, merge};

/// A table on its way to becoming a value. A table that is left out reads as an empty one.
pub(crate) struct TableReader<'a> {
    table: &'static Table,
    /// The table's name with the author's own words in it.
    path: String,
    entries: Option<&'a BTreeMap<String, Entry>>,
    /// The table's name, where that is the author's choice.
    pub named_at: Option<&'a Place>,
    /// What goes with a bad `kind` cannot be judged.
    kind_is_bad: bool,
    pub mistakes: &'a mut Mistakes,
}

impl<'a> TableReader<'a> {
    /// Opens a table of this full name. Keys that it cannot have are noted at once, unless they depend on its `kind`: then call
    /// [`Self::variant`].
    pub fn open(table: &'static Table, path: String, node: Option<&'a Node>, mistakes: &'a mut Mistakes) -> Self {
        let entries = match node.map(|node| (&node.value, &node.at)) {
            None => None,
            Some((Value::Table(entries), _)) => Some(entries),
            Some((_, at)) => {
                let found = quoted(mistakes.sources.snippet(at));
                let message = format!("`{}` must be a table: {found}", printable(&path));
                mistakes.add(at, message, Some(format!("write [{}] and its keys below it", table.name)));
                None
            }
        };
        let mut reader = Self { table, path, entries, named_at: None, kind_is_bad: false, mistakes };
        if table.variants.is_empty() {
            reader.refuse_unknown(&[], "");
        }
        reader
    }

    /// Says which `kind` the table has, and notes the keys that do not go with it.
    pub fn variant(&mut self, kind: &str) {
        if self.kind_is_bad {
            return;
        }
        let keys =
            self.table.variants.iter().find(|variant| variant.kind == kind).map_or(&[][..], |variant| variant.keys);
        self.refuse_unknown(keys, kind);
    }

    fn refuse_unknown(&mut self, more: &[&dyn Describe], kind: &str) {
        let keys = self.table.keys.iter().chain(more).map(|key| key.name());
        let known: Vec<&str> = keys.chain(self.table.tables.iter().map(|table| table.own_name())).collect();
        for (name, entry) in self.entries.into_iter().flatten() {
            if known.contains(&name.as_str()) {
                continue;
            }
            let with_others =
                self.table.variants.iter().filter(|variant| variant.keys.iter().any(|key| key.name() == name));
            let others: Vec<String> = with_others.map(|variant| format!("\"{}\"", variant.kind)).collect();
            let shown = quoted(name);
            let (message, help) = if others.is_empty() {
                let place = match self.path.as_str() {
                    "" => "a scene has no".to_owned(),
                    path => format!("[{}] has no", printable(path)),
                };
                let help = did_you_mean(name, known.iter().copied());
                (format!("{place} {shown}"), help.unwrap_or_else(|| format!("it may have: {}", known.join(", "))))
            } else {
                let message = format!("{shown} does not go with kind = \"{kind}\"");
                (message, format!("it goes with {}; this kind may have: {}", others.join(", "), known.join(", ")))
            };
            self.mistakes.add(&entry.key_at, message, Some(help));
        }
    }

    /// The value of a key, if it is given and good.
    pub fn find<K: AnyKey>(&mut self, key: &K) -> Option<<K::Kind as Kind>::Value> {
        debug_assert!(
            self.table.keys.iter().any(|known| known.name() == key.name())
                || self
                    .table
                    .variants
                    .iter()
                    .any(|variant| variant.keys.iter().any(|known| known.name() == key.name())),
            "{} is read but not described",
            key.name()
        );
        let entry = self.entries?.get(key.name())?;
        let node = match &entry.node.value {
            Value::Table(over) if entry.node.at.is_override() && key.kind().form().is_list() && is_indices(over) => {
                &self.default_with(key, &entry.node)?
            }
            _ => &entry.node,
        };
        let value = key.kind().read(key.name(), node, self.mistakes);
        self.kind_is_bad |= value.is_none() && key.name() == "kind";
        value
    }

    /// The list that a key is by default, with the elements that an override gives by their numbers.
    fn default_with<K: AnyKey>(&mut self, key: &K, over: &Node) -> Option<Node> {
        let Some(default) = key.default() else {
            let message = format!("the scene does not write `{}`, so there is no list to reach into", key.name());
            let help = format!("write the whole list; expected {}", key.kind().expected());
            self.mistakes.add(&over.at, message, Some(help));
            return None;
        };
        let element =
            |value: f64| Node { at: over.at.clone(), value: Value::Number { value, whole: value.fract() == 0.0 } };
        let list = key.kind().elements(default).into_iter().map(element).collect();
        let mut node = Node { at: over.at.clone(), value: Value::List(list) };
        let before = self.mistakes.count();
        merge(&mut node, over.clone(), self.mistakes);
        (self.mistakes.count() == before).then_some(node)
    }

    /// The value of a key, else its default.
    pub fn get<K: Kind>(&mut self, key: &Key<K>) -> K::Value {
        self.find(key).unwrap_or_else(|| key.default.clone())
    }

    /// Where a key's value is written.
    pub fn place(&self, name: &str) -> Option<&'a Place> {
        Some(&self.entries?.get(name)?.node.at)
    }

    /// Where a key's value is written, for people: `file:line:column`.
    pub fn location(&self, name: &str) -> String {
        self.place(name).map_or_else(String::new, |at| self.shown(at))
    }

    fn shown(&self, at: &Place) -> String {
        let (line, column) = self.mistakes.sources.line_and_column(at);
        format!("{}:{line}:{column}", for_terminal(&self.mistakes.sources.of(at).name))
    }

    /// Where the table itself is written: its name, where that is the author's choice.
    pub fn spot(&self) -> Spot {
        Spot(self.named_at.map_or_else(String::new, |at| self.shown(at)))
    }

    /// A text before its key is known, without judgement.
    pub fn peek_text(&self, name: &str) -> Option<&'a str> {
        match &self.entries?.get(name)?.node.value {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    /// Whether a key is given, well or badly.
    pub fn has(&self, name: &str) -> bool {
        self.place(name).is_some()
    }

    /// Notes a mistake at a key's value, or nothing when the key is not given.
    pub fn refuse(&mut self, name: &str, message: impl Into<String>, help: impl Into<String>) {
        if let Some(at) = self.place(name) {
            self.mistakes.add(at, message.into(), Some(help.into()));
        }
    }

    /// The same for a key of a table within this one.
    pub fn refuse_within(&mut self, table: &str, name: &str, message: impl Into<String>, help: impl Into<String>) {
        let Some(entry) = self.entries.and_then(|entries| entries.get(table)) else { return };
        let Value::Table(entries) = &entry.node.value else { return };
        if let Some(entry) = entries.get(name) {
            self.mistakes.add(&entry.node.at, message.into(), Some(help.into()));
        }
    }

    /// Of two ways to say one thing only one may be used: notes the second in the file.
    pub fn only_one(&mut self, first: &str, second: &str) {
        if let (Some(a), Some(b)) = (self.place(first), self.place(second)) {
            let help = format!("leave out `{first}` or `{second}`");
            self.mistakes.add(a.max(b), format!("`{first}` and `{second}` say the same thing twice"), Some(help));
        }
    }

    /// Opens a table within this one.
    pub fn table(&mut self, table: &'static Table) -> TableReader<'_> {
        let node = self.entries.and_then(|entries| entries.get(table.own_name())).map(|entry| &entry.node);
        let path = match self.path.as_str() {
            "" => table.own_name().to_owned(),
            path => format!("{path}.{}", table.own_name()),
        };
        TableReader::open(table, path, node, self.mistakes)
    }

    /// Reads a list of tables within this one, written `[[…]]`, one after the other.
    pub fn each<T>(&mut self, table: &'static Table, mut read: impl FnMut(&mut TableReader<'_>) -> T) -> Vec<T> {
        let Some(entry) = self.entries.and_then(|entries| entries.get(table.own_name())) else { return Vec::new() };
        let Value::List(list) = &entry.node.value else {
            let message = format!("`{}` must be a list of tables", table.own_name());
            let path = format!("{}.{}", self.path, table.own_name());
            self.mistakes.add(&entry.key_at, message, Some(format!("write [[{}]] for each", printable(&path))));
            return Vec::new();
        };
        let mut values = Vec::with_capacity(list.len());
        for node in list {
            let path = format!("{}.{}", self.path, table.own_name());
            let mut reader = TableReader::open(table, path, Some(node), self.mistakes);
            reader.named_at = Some(&node.at);
            values.push(read(&mut reader));
        }
        values
    }

    /// Notes a mistake at the table itself.
    pub fn refuse_table(&mut self, message: impl Into<String>, help: impl Into<String>) {
        if let Some(at) = self.named_at {
            self.mistakes.add(at, message.into(), Some(help.into()));
        }
    }

    /// Notes a mistake at the name of a table within this one.
    pub fn refuse_part(&mut self, name: &str, message: impl Into<String>, help: impl Into<String>) {
        if let Some(entry) = self.entries.and_then(|entries| entries.get(name)) {
            self.mistakes.add(&entry.key_at, message.into(), Some(help.into()));
        }
    }

    /// The tables of a group whose entries the author names, in the order of their names.
    pub fn named(&mut self, table: &'static Table) -> Vec<(&'a str, &'a Entry)> {
        let group = table.name.split('.').next().unwrap_or_default();
        let Some(entry) = self.entries.and_then(|entries| entries.get(group)) else { return Vec::new() };
        match &entry.node.value {
            Value::Table(entries) => entries.iter().map(|(name, entry)| (name.as_str(), entry)).collect(),
            _ => {
                let found = quoted(self.mistakes.sources.snippet(&entry.node.at));
                let help = format!("write [{group}.NAME], with a name of your choice, and its keys below it");
                self.mistakes.add(
                    &entry.node.at,
                    format!("`{group}` must be a table of named tables: {found}"),
                    Some(help),
                );
                Vec::new()
            }
        }
    }
}
