//! Kinds of values that may change over time.

use super::kinds::{Choice, Number, not_a, refuse};
use super::lists::{Color, Vector};
use super::{Form, Kind};
use crate::curve::{Between, Curve, CurveKey, Ends};
use crate::mistakes::Mistakes;
use crate::nearest::did_you_mean;
use crate::report::quoted;
use crate::tree::{Entry, Node, Value};

/// A value of the kind, or such values over time: `[[time, value], …]`, or a table with `keys`, `between` and `ends`.
pub(crate) struct Over<K>(pub K);

/// A place over time: `[[time, x, y, z], …]`, or a table with `keys`, `between` and `ends`.
pub(crate) struct Path(pub Vector<3>);

/// When keys are.
pub(crate) const TIME: Number = Number { unit: "seconds", min: -1e6, max: 1e6 };

/// The words for [`Between`].
pub(crate) const BETWEEN: Choice<Between> = Choice {
    options: &[
        ("linear", Between::Linear, "in straight lines"),
        ("smooth", Between::Smooth, "without a corner, at rest where it begins and ends"),
    ],
};

/// The words for [`Ends`].
pub(crate) const ENDS: Choice<Ends> = Choice {
    options: &[
        ("hold", Ends::Hold, "at rest before the first key and after the last"),
        ("repeat", Ends::Repeat, "again from the first key, at once"),
        ("mirror", Ends::Mirror, "back, and forth again"),
    ],
};

/// A kind whose values are N numbers that something lies between.
pub(crate) trait Numbers<const N: usize>: Kind {
    /// The parts of a key after its time.
    const PARTS: &'static str;
    /// What those parts may be.
    fn range(&self) -> String;
    fn numbers(value: Self::Value) -> [f64; N];
    fn value(numbers: [f64; N]) -> Self::Value;
}

impl Numbers<1> for Number {
    const PARTS: &'static str = "value";

    fn range(&self) -> String {
        self.range()
    }

    fn numbers(value: f64) -> [f64; 1] {
        [value]
    }

    fn value([value]: [f64; 1]) -> f64 {
        value
    }
}

impl Numbers<3> for Vector<3> {
    const PARTS: &'static str = "x, y, z";

    fn range(&self) -> String {
        self.number.range()
    }

    fn numbers(value: [f64; 3]) -> [f64; 3] {
        value
    }

    fn value(numbers: [f64; 3]) -> [f64; 3] {
        numbers
    }
}

impl Numbers<3> for Color {
    const PARTS: &'static str = "color";

    fn range(&self) -> String {
        self.expected()
    }

    fn numbers(value: [f32; 3]) -> [f64; 3] {
        value.map(f64::from)
    }

    fn value(numbers: [f64; 3]) -> [f32; 3] {
        numbers.map(|number| number as f32)
    }
}

/// What a list of keys is, to stand after 'expected'.
fn expected_keys<K: Numbers<N>, const N: usize>(kind: &K) -> String {
    format!("[[time, {0}], …], times in seconds and rising, {0} {1}", K::PARTS, kind.range())
}

/// Whether a value is written over time.
fn is_curve(node: &Node) -> bool {
    match &node.value {
        Value::Table(_) => true,
        Value::List(list) => list.first().is_some_and(|first| matches!(first.value, Value::List(_))),
        _ => false,
    }
}

fn read_curve<K: Numbers<N>, const N: usize>(
    kind: &K,
    name: &str,
    node: &Node,
    mistakes: &mut Mistakes,
) -> Option<Curve<N>> {
    let Value::Table(entries) = &node.value else { return read_keys(kind, name, node, mistakes) };
    let known = ["keys", "between", "ends"];
    for (word, Entry { key_at, .. }) in entries {
        if !known.contains(&word.as_str()) {
            let help = did_you_mean(word, known).unwrap_or_else(|| format!("it may have: {}", known.join(", ")));
            mistakes.add(key_at, format!("a curve has no {}", quoted(word)), Some(help));
        }
    }
    let between = entries.get("between").map(|entry| BETWEEN.read("between", &entry.node, mistakes));
    let ends = entries.get("ends").map(|entry| ENDS.read("ends", &entry.node, mistakes));
    let Some(keys) = entries.get("keys") else {
        refuse(mistakes, name, node, "needs `keys`", expected_keys(kind));
        return None;
    };
    let mut curve = read_keys(kind, name, &keys.node, mistakes)?;
    if let Some(between) = between {
        curve.between = between?;
    }
    if let Some(ends) = ends {
        curve.ends = ends?;
    }
    Some(curve)
}

fn read_keys<K: Numbers<N>, const N: usize>(
    kind: &K,
    name: &str,
    node: &Node,
    mistakes: &mut Mistakes,
) -> Option<Curve<N>> {
    let Value::List(list) = &node.value else {
        refuse(mistakes, name, node, &not_a("a list of keys", node), expected_keys(kind));
        return None;
    };
    if list.is_empty() {
        refuse(mistakes, name, node, "needs a key", expected_keys(kind));
        return None;
    }
    let mut keys: Vec<CurveKey<N>> = Vec::with_capacity(list.len());
    let mut good = true;
    for element in list {
        match read_key(kind, name, element, mistakes) {
            Some(key) if keys.last().is_some_and(|last| last.time >= key.time) => {
                refuse(mistakes, name, element, "has a key that is not later than the one before", expected_keys(kind));
                good = false;
            }
            Some(key) => keys.push(key),
            None => good = false,
        }
    }
    Curve::new(keys).filter(|_| good)
}

fn read_key<K: Numbers<N>, const N: usize>(
    kind: &K,
    name: &str,
    node: &Node,
    mistakes: &mut Mistakes,
) -> Option<CurveKey<N>> {
    let (time, rest) = match &node.value {
        Value::List(parts) if parts.len() > 1 => (&parts[0], &parts[1..]),
        Value::List(_) => {
            refuse(mistakes, name, node, "has a key without a value", expected_keys(kind));
            return None;
        }
        _ => {
            refuse(mistakes, name, node, &not_a("a list of keys, each a list", node), expected_keys(kind));
            return None;
        }
    };
    let checked = TIME.check(time);
    let time = checked.map_err(|why| refuse(mistakes, "time", time, &why, TIME.expected())).ok();
    let value = match rest {
        [value] => kind.read(name, value, mistakes),
        parts if parts.len() != N => {
            let why = format!("has a key of {} elements, not {}", parts.len() + 1, N + 1);
            refuse(mistakes, name, node, &why, expected_keys(kind));
            return None;
        }
        // The numbers of a list may stand beside the time, as those of a path do.
        parts => kind.read(name, &Node { at: node.at.clone(), value: Value::List(parts.to_vec()) }, mistakes),
    };
    Some(CurveKey { time: time?, value: K::numbers(value?) })
}

fn write_curve<K: Numbers<N>, const N: usize>(kind: &K, curve: &Curve<N>) -> String {
    let key = |key: &CurveKey<N>| format!("[{}, {}]", key.time, kind.write(&K::value(key.value)));
    format!("[{}]", curve.keys().map(key).collect::<Vec<_>>().join(", "))
}

macro_rules! over {
    ($kind:ty, $n:literal) => {
        impl Kind for Over<$kind> {
            type Value = Curve<$n>;

            fn read(&self, name: &str, node: &Node, mistakes: &mut Mistakes) -> Option<Self::Value> {
                if is_curve(node) {
                    return read_curve(&self.0, name, node, mistakes);
                }
                self.0.read(name, node, mistakes).map(|value| Curve::constant(<$kind>::numbers(value)))
            }

            fn expected(&self) -> String {
                format!("{}; or over time, [[time, {}], …]", self.0.expected(), <$kind as Numbers<$n>>::PARTS)
            }

            fn form(&self) -> Form {
                Form::Curve(Box::new(self.0.form()))
            }

            fn write(&self, value: &Self::Value) -> String {
                match value.keys().len() {
                    1 => self.0.write(&<$kind>::value(value.at(0.0))),
                    _ => write_curve(&self.0, value),
                }
            }

            fn elements(&self, value: &Self::Value) -> Vec<f64> {
                self.0.elements(&<$kind>::value(value.at(0.0)))
            }
        }
    };
}

over!(Number, 1);
over!(Vector<3>, 3);
over!(Color, 3);

impl Kind for Path {
    type Value = Curve<3>;

    fn read(&self, name: &str, node: &Node, mistakes: &mut Mistakes) -> Option<Curve<3>> {
        read_curve(&self.0, name, node, mistakes).map(Curve::of_places)
    }

    fn expected(&self) -> String {
        expected_keys(&self.0)
    }

    fn form(&self) -> Form {
        Form::Points
    }

    fn write(&self, value: &Curve<3>) -> String {
        write_curve(&self.0, value)
    }
}
