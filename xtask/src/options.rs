//! Options of the commands that take several.

use crate::command::Failure;

/// What was given: `--name value` or `--name=value`, and flags.
#[derive(Debug, Default)]
pub struct Options {
    values: Vec<(String, String)>,
    flags: Vec<String>,
}

impl Options {
    /// Reads arguments of which only these names are understood.
    pub fn read(arguments: &[String], with_value: &[&str], flags: &[&str]) -> Result<Self, Failure> {
        let mut options = Self::default();
        let mut arguments = arguments.iter();
        while let Some(argument) = arguments.next() {
            let (name, inline) = match argument.split_once('=') {
                Some((name, value)) => (name, Some(value.to_owned())),
                None => (argument.as_str(), None),
            };
            if with_value.contains(&name) {
                let value = inline
                    .or_else(|| arguments.next().cloned())
                    .ok_or_else(|| Failure::usage(format!("`{name}` lacks its value")))?;
                options.values.push((name.to_owned(), value));
            } else if flags.contains(&argument.as_str()) {
                options.flags.push(argument.clone());
            } else {
                return Err(Failure::usage(format!("`{argument}` is not understood; see `cargo xtask help`")));
            }
        }
        Ok(options)
    }

    /// The last value given.
    pub fn value(&self, name: &str) -> Option<&str> {
        self.values.iter().rev().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    /// Whether a flag was given.
    pub fn flag(&self, name: &str) -> bool {
        self.flags.iter().any(|flag| flag == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Options, Failure> {
        let words: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
        Options::read(&words, &["--out"], &["--quick"])
    }

    #[test]
    fn values_and_flags_are_told_apart() {
        let options = read("--out a --quick --out=b=c").unwrap();
        assert_eq!(options.value("--out"), Some("b=c"));
        assert!(options.flag("--quick"));
        assert!(!read("").unwrap().flag("--quick"));
        for wrong in ["--out", "--quick=1", "--other", "word"] {
            assert_eq!(read(wrong).unwrap_err().code, 2, "{wrong}");
        }
    }
}
