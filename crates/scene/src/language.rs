//! The language of scenes as data: every table and key with its kind, unit, range, default and meaning.
//!
//! The reader reads by these descriptions and no others, so they cannot disagree with what it does; manuals and
//! schemas are made from [`crate::LANGUAGE`].

mod curves;
mod key;
mod kinds;
mod lists;
mod reader;

pub(crate) use curves::{BETWEEN, ENDS, Over, Path, TIME};
pub use key::{Describe, Form, Table, Variant};
pub(crate) use key::{Key, Kind, Optional};
pub(crate) use kinds::{Choice, Flag, Number, Text, WORLD, Whole};
pub(crate) use lists::{Color, Interval, Vector, WholeVector};
pub(crate) use reader::TableReader;
