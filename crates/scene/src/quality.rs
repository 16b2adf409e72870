//! How much work goes into a picture: four steps, whose numbers are data.

use toml::Table;

/// How much work goes into a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quality {
    /// For weak devices.
    Low,
    /// Between.
    Medium,
    /// What the pictures of the documents show.
    High,
    /// For stills and strong devices.
    Ultra,
}

/// The numbers of a quality.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// Factor on how far off populations that grow everywhere stand at full density.
    pub full_density: f32,
    /// Texels along the side of the map of shadows; None: as many as suit the adapter.
    pub shadow_texels: Option<u32>,
    /// How far a body's drawn outline may lie from its curve, in pixels.
    pub outline_error: f32,
}

/// Name, quality, and what it is.
pub(crate) const OPTIONS: &[(&str, Quality, &str)] = &[
    ("low", Quality::Low, "for weak devices: half as far at full density, a coarse map of shadows"),
    ("medium", Quality::Medium, "between"),
    ("high", Quality::High, "as the documents' pictures are"),
    ("ultra", Quality::Ultra, "for stills and strong devices: half as far again, a fine map of shadows"),
];

const DATA: &str = include_str!("quality.toml");

impl Quality {
    /// All of them, the least first.
    pub fn all() -> impl Iterator<Item = Self> {
        OPTIONS.iter().map(|option| option.1)
    }

    /// Its name in a scene.
    #[must_use]
    pub fn name(self) -> &'static str {
        OPTIONS.iter().find(|option| option.1 == self).map_or("", |option| option.0)
    }

    /// The quality of this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        OPTIONS.iter().find(|option| option.0 == name).map(|option| option.1)
    }

    /// Its numbers.
    ///
    /// # Panics
    /// Never: the data are this crate's own, and a test reads them all.
    #[must_use]
    pub fn settings(self) -> Settings {
        let data: Table = DATA.parse().expect("the data are TOML");
        let of = |key: &str| data[self.name()].get(key);
        let number = |key: &str| of(key).and_then(toml::Value::as_float).expect("a number") as f32;
        Settings {
            full_density: number("full_density"),
            shadow_texels: of("shadow_texels").and_then(toml::Value::as_integer).map(|texels| texels as u32),
            outline_error: number("outline_error"),
        }
    }
}

impl Settings {
    /// The engine's options for it.
    #[must_use]
    pub fn options(&self) -> anemone::Options {
        anemone::Options {
            shadow_texels: self.shadow_texels,
            outline_error: Some(self.outline_error),
            ..anemone::Options::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Quality;

    #[test]
    fn each_quality_asks_for_more_than_the_one_before() {
        let all: Vec<_> = Quality::all().map(|quality| (quality, quality.settings())).collect();
        for pair in all.windows(2) {
            let [(before, low), (quality, high)] = [pair[0], pair[1]];
            assert!(
                low.full_density < high.full_density && low.outline_error > high.outline_error,
                "{before:?} {quality:?}"
            );
            let texels = |settings: &super::Settings| settings.shadow_texels.unwrap_or(2048);
            assert!(texels(&low) < texels(&high), "{before:?} {quality:?}");
            assert_eq!(Quality::named(quality.name()), Some(quality));
        }
        assert_eq!(all.len(), 4);
    }
}
