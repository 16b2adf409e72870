//! Species of grass: populations as they are found, kept as what an author would write.
//!
//! A table `[population.NAME]` with `species = "…"` is read as if the species' own keys stood below the author's: any of them
//! may be given anew.

use std::collections::BTreeMap;

use crate::mistakes::Mistakes;
use crate::tree::{self, Entry, Node, Value, merge};

/// A species of grass that a population may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Species {
    /// Ryegrass and meadow-grass, mown.
    Lawn,
    /// A hay meadow.
    Meadow,
    /// Red fescue.
    Fescue,
    /// Mat grass.
    MatGrass,
    /// Tufted hair-grass.
    Tussock,
    /// Winter wheat.
    Wheat,
    /// Two-row barley.
    Barley,
    /// Rice.
    Rice,
    /// Common reed.
    Reed,
    /// Big bluestem.
    Prairie,
    /// Marram grass.
    Marram,
    /// Cotton grass.
    CottonGrass,
    /// A meadow in August.
    Dry,
}

/// Name, species, and what it is.
pub(crate) const OPTIONS: &[(&str, Species, &str)] = &[
    ("lawn", Species::Lawn, "ryegrass and meadow-grass, mown"),
    ("meadow", Species::Meadow, "a hay meadow in June"),
    ("fescue", Species::Fescue, "red fescue, a soft mat combed into waves"),
    ("matgrass", Species::MatGrass, "mat grass, bristly tufts of poor mountain pastures"),
    ("tussock", Species::Tussock, "tufted hair-grass, dark fountains on wet ground"),
    ("wheat", Species::Wheat, "winter wheat in June, green"),
    ("barley", Species::Barley, "two-row barley as it ripens"),
    ("rice", Species::Rice, "rice before harvest, in planted hills"),
    ("reed", Species::Reed, "common reed in summer"),
    ("prairie", Species::Prairie, "big bluestem, tall bunches turning bronze"),
    ("marram", Species::Marram, "marram grass, tussocks on sand dunes"),
    ("cottongrass", Species::CottonGrass, "cotton grass, tussocks of a bog turning russet"),
    ("dry", Species::Dry, "any meadow at the end of a dry summer"),
];

impl Species {
    /// All of them.
    pub fn all() -> impl Iterator<Item = Self> {
        OPTIONS.iter().map(|option| option.1)
    }

    /// The one of this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        OPTIONS.iter().find(|option| option.0 == name).map(|option| option.1)
    }

    /// The name in a scene.
    #[must_use]
    pub fn name(self) -> &'static str {
        OPTIONS.iter().find(|option| option.1 == self).map_or("", |option| option.0)
    }

    /// What it is, in a few words.
    #[must_use]
    pub fn what(self) -> &'static str {
        OPTIONS.iter().find(|option| option.1 == self).map_or("", |option| option.2)
    }

    /// Its keys with their sources in comments, as they may stand below a header `[population.NAME]`.
    #[must_use]
    pub fn text(self) -> &'static str {
        match self {
            Self::Lawn => include_str!("species/lawn.toml"),
            Self::Meadow => include_str!("species/meadow.toml"),
            Self::Fescue => include_str!("species/fescue.toml"),
            Self::MatGrass => include_str!("species/matgrass.toml"),
            Self::Tussock => include_str!("species/tussock.toml"),
            Self::Wheat => include_str!("species/wheat.toml"),
            Self::Barley => include_str!("species/barley.toml"),
            Self::Rice => include_str!("species/rice.toml"),
            Self::Reed => include_str!("species/reed.toml"),
            Self::Prairie => include_str!("species/prairie.toml"),
            Self::Marram => include_str!("species/marram.toml"),
            Self::CottonGrass => include_str!("species/cottongrass.toml"),
            Self::Dry => include_str!("species/dry.toml"),
        }
    }

    fn entries(self, mistakes: &mut Mistakes) -> BTreeMap<String, Entry> {
        let source = mistakes.sources.add(format!("species {}", self.name()), self.text().to_owned());
        match tree::parse(source, self.text(), mistakes).root.value {
            Value::Table(entries) => entries,
            _ => BTreeMap::new(),
        }
    }

    /// Bodies on a square metre.
    pub(crate) fn density(self) -> f64 {
        match self.entries(&mut Mistakes::default()).get("density").map(|entry| &entry.node.value) {
            Some(Value::Number { value, .. }) => *value,
            _ => 1.0,
        }
    }
}

/// What the author's key makes void of the species' own.
const REPLACED: &[(&str, &[&str])] = &[
    ("count", &["density"]),
    ("shape", &["tip_threshold"]),
    ("distance", &["full_density_within", "range"]),
    ("full_density_within", &["range"]),
];

/// Lays under each population that names a species the keys of that.
pub(crate) fn lay_under(root: &mut Node, mistakes: &mut Mistakes) {
    let Value::Table(top) = &mut root.value else { return };
    let Some(Value::Table(populations)) = top.get_mut("population").map(|entry| &mut entry.node.value) else { return };
    for population in populations.values_mut() {
        let Value::Table(own) = &population.node.value else { continue };
        let Some(Value::Text(name)) = own.get("species").map(|entry| &entry.node.value) else { continue };
        // Another name is refused where the key is read.
        let Some(species) = Species::named(name) else { continue };
        let mut entries = species.entries(mistakes);
        for (key, void) in REPLACED {
            if own.contains_key(*key) {
                entries.retain(|name, _| !void.contains(&name.as_str()));
            }
        }
        let at = population.node.at.clone();
        let over = std::mem::replace(&mut population.node, Node { at, value: Value::Table(entries) });
        merge(&mut population.node, over, mistakes);
    }
}
