//! Kinds of values that are written as lists.

use super::kinds::{Number, Whole, not_a, plain, refuse};
use super::{Form, Kind};
use crate::color;
use crate::mistakes::Mistakes;
use crate::tree::{Node, Value};

/// `[min, max]`, or one number for both.
pub(crate) struct Interval(pub Number);

/// N numbers.
pub(crate) struct Vector<const N: usize> {
    pub number: Number,
    pub parts: &'static str,
}

/// N whole numbers.
pub(crate) struct WholeVector<const N: usize> {
    pub number: Whole,
    pub parts: &'static str,
}

/// `"#rrggbb"` (sRGB) or three numbers (scene-linear); becomes scene-linear.
pub(crate) struct Color;

/// Reads a list of exactly N elements; each refusal points at its element.
fn elements<const N: usize, T: Copy + Default>(
    name: &str,
    node: &Node,
    mistakes: &mut Mistakes,
    expected: &str,
    check: impl Fn(&Node) -> Result<T, String>,
) -> Option<[T; N]> {
    let Value::List(list) = &node.value else {
        refuse(mistakes, name, node, &not_a("a list", node), expected.to_owned());
        return None;
    };
    if list.len() != N {
        let why = format!("must have {N} elements, not {}", list.len());
        refuse(mistakes, name, node, &why, expected.to_owned());
        return None;
    }
    let mut values = [T::default(); N];
    let mut good = true;
    for (value, element) in values.iter_mut().zip(list) {
        match check(element) {
            Ok(read) => *value = read,
            Err(why) => {
                refuse(mistakes, name, element, &why, expected.to_owned());
                good = false;
            }
        }
    }
    good.then_some(values)
}

impl Kind for Interval {
    type Value = [f64; 2];

    fn read(&self, name: &str, node: &Node, mistakes: &mut Mistakes) -> Option<[f64; 2]> {
        if let Value::Number { .. } = node.value {
            return self.0.read(name, node, mistakes).map(|value| [value, value]);
        }
        let [min, max] = elements(name, node, mistakes, &self.expected(), |element| self.0.check(element))?;
        if min > max {
            refuse(mistakes, name, node, "has its smaller number last", self.expected());
            return None;
        }
        Some([min, max])
    }

    fn expected(&self) -> String {
        format!("[min, max] or one number, {}", self.0.range())
    }

    fn form(&self) -> Form {
        Form::Interval(Box::new(self.0.form()))
    }

    fn write(&self, [min, max]: &[f64; 2]) -> String {
        if min == max { plain(*min) } else { format!("[{}, {}]", plain(*min), plain(*max)) }
    }

    fn elements(&self, value: &[f64; 2]) -> Vec<f64> {
        value.to_vec()
    }
}

impl<const N: usize> Kind for Vector<N> {
    type Value = [f64; N];

    fn read(&self, name: &str, node: &Node, mistakes: &mut Mistakes) -> Option<[f64; N]> {
        elements(name, node, mistakes, &self.expected(), |element| self.number.check(element))
    }

    fn expected(&self) -> String {
        format!("{}, each {}", self.parts, self.number.range())
    }

    fn form(&self) -> Form {
        Form::Vector { parts: self.parts, length: N, each: Box::new(self.number.form()) }
    }

    fn write(&self, value: &[f64; N]) -> String {
        format!("[{}]", value.map(plain).join(", "))
    }

    fn elements(&self, value: &[f64; N]) -> Vec<f64> {
        value.to_vec()
    }
}

impl<const N: usize> Kind for WholeVector<N> {
    type Value = [u32; N];

    fn read(&self, name: &str, node: &Node, mistakes: &mut Mistakes) -> Option<[u32; N]> {
        elements(name, node, mistakes, &self.expected(), |element| self.number.check(element))
    }

    fn expected(&self) -> String {
        format!("{}, each a whole number, {}", self.parts, self.number.range())
    }

    fn form(&self) -> Form {
        Form::Vector { parts: self.parts, length: N, each: Box::new(self.number.form()) }
    }

    fn write(&self, value: &[u32; N]) -> String {
        format!("{value:?}")
    }

    fn elements(&self, value: &[u32; N]) -> Vec<f64> {
        value.map(f64::from).to_vec()
    }
}

impl Kind for Color {
    type Value = [f32; 3];

    fn read(&self, name: &str, node: &Node, mistakes: &mut Mistakes) -> Option<[f32; 3]> {
        const CHANNEL: Number = Number { unit: "", min: 0.0, max: 100.0 };
        if let Value::Text(text) = &node.value {
            let read = color::from_hex(text);
            if read.is_none() {
                refuse(mistakes, name, node, "is not a colour", self.expected());
            }
            return read;
        }
        let channels: [f64; 3] = elements(name, node, mistakes, &self.expected(), |element| CHANNEL.check(element))?;
        Some(channels.map(|channel| channel as f32))
    }

    fn expected(&self) -> String {
        "\"#rrggbb\" (sRGB), or [red, green, blue] (linear Rec. 709), each 0 to 100".into()
    }

    fn form(&self) -> Form {
        Form::Color
    }

    fn write(&self, value: &[f32; 3]) -> String {
        format!("[{}]", value.map(|channel| format!("{channel}")).join(", "))
    }

    fn elements(&self, value: &[f32; 3]) -> Vec<f64> {
        value.map(f64::from).to_vec()
    }
}
