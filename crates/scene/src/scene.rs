//! A whole scene.

use std::collections::BTreeMap;
use std::fmt;
use std::hash::{DefaultHasher, Hasher};
use std::path::Path;

use anemone::{MOST_COLLIDERS, MOST_POPULATIONS};

use crate::ground::Assets;
use crate::language::{Key, Optional, Table, TableReader, Text, Whole};
use crate::mistakes::Mistakes;
use crate::nearest::did_you_mean;
use crate::report::for_terminal;
use crate::source::Place;
use crate::tree::Node;
use crate::{Camera, Collider, Ground, GroundShape, Population, Render, Sun, Wind};
use crate::{camera, collider, ground, population, render, sun, wind};

/// A whole scene: what a file describes, the rest filled in.
#[derive(Clone, Debug, PartialEq)]
pub struct Scene {
    /// What the author calls it.
    pub title: Option<String>,
    /// Never empty: where the file has none, `main` looks north over the ground.
    pub cameras: BTreeMap<String, Camera>,
    /// Never empty, at most [`MOST_POPULATIONS`]: where the file has none, `meadow` is grass everywhere.
    pub populations: BTreeMap<String, Population>,
    /// Never empty, at most [`MOST_WINDS`]: where the file has none, `breeze` is a light wind with gusts.
    pub winds: BTreeMap<String, Wind>,
    /// Often empty, at most [`MOST_COLLIDERS`].
    pub colliders: BTreeMap<String, Collider>,
    /// What everything stands on.
    pub ground: Ground,
    /// The light.
    pub sun: Sun,
    /// How pictures are taken, unless the command line says otherwise.
    pub render: Render,
}

/// So many winds blow at once at most.
pub const MOST_WINDS: usize = 8;

static FORMAT: Key<Whole> = Key {
    name: "format",
    kind: Whole { unit: "", min: 0, max: u32::MAX },
    default: 1,
    help: "The version of this language, so that later programs read the scene as this one does.",
};
static TITLE: Optional<Text> =
    Optional { name: "title", kind: Text { what: "a title" }, help: "What the scene is called." };

static TABLE: Table = Table {
    name: "",
    help: "The top of the file.",
    keys: &[&FORMAT, &TITLE],
    variants: &[],
    is_list: false,
    tables: &[&CAMERAS, &POPULATIONS, &WINDS, &COLLIDERS, &ground::TABLE, &sun::TABLE, &render::TABLE],
};

// The tables that hold the named ones; only their names are used.
static CAMERAS: Table = group("camera");
static POPULATIONS: Table = group("population");
static WINDS: Table = group("wind");
static COLLIDERS: Table = group("collider");

const fn group(name: &'static str) -> Table {
    Table { name, help: "", keys: &[], variants: &[], is_list: false, tables: &[] }
}

/// Every table of the language, as data for manuals and schemas; tables within tables are reached through them.
pub static LANGUAGE: &[&Table] = &[
    &TOP,
    &camera::TABLE,
    &population::TABLE,
    &wind::TABLE,
    &collider::TABLE,
    &ground::TABLE,
    &sun::TABLE,
    &render::TABLE,
];

/// The top of the file without the tables, which [`LANGUAGE`] lists beside it.
static TOP: Table = Table {
    name: "",
    help: "The top of the file.",
    keys: &[&FORMAT, &TITLE],
    variants: &[],
    is_list: false,
    tables: &[],
};

impl Scene {
    /// The camera of this name; without a name the one that the scene prefers: `[render] camera`, else `main`, else the
    /// first by name.
    ///
    /// # Errors
    ///
    /// When there is no camera of this name.
    pub fn camera(&self, name: Option<&str>) -> Result<(&str, &Camera), UnknownCamera> {
        let preferred = name.or(self.render.camera.as_deref());
        let found = match preferred {
            Some(name) => self.cameras.get_key_value(name),
            None => self.cameras.get_key_value("main").or_else(|| self.cameras.first_key_value()),
        };
        found.map(|(name, camera)| (name.as_str(), camera)).ok_or_else(|| UnknownCamera {
            name: preferred.unwrap_or_default().to_owned(),
            known: self.cameras.keys().cloned().collect(),
        })
    }

    /// The files that the scene names.
    #[must_use]
    pub fn files(&self) -> Vec<&Path> {
        let maps = self.populations.values().filter_map(|population| population.growth.map.as_ref());
        self.ground.file().into_iter().chain(maps.map(|map| &map.file)).map(|file| file.path.as_path()).collect()
    }

    /// A number that is another one for another scene: of all that it says and of what its files hold, wherever they lie. It
    /// may change with the version of this library.
    #[must_use]
    pub fn fingerprint(&self, more: &impl fmt::Debug) -> u64 {
        let mut hasher = DefaultHasher::new();
        hasher.write(env!("CARGO_PKG_VERSION").as_bytes());
        hasher.write(format!("{self:?} {more:?}").as_bytes());
        for file in self.files() {
            hasher.write(&std::fs::read(file).unwrap_or_default());
        }
        hasher.finish()
    }

    pub(crate) fn read(root: &Node, assets: &Assets<'_>, mistakes: &mut Mistakes) -> Self {
        let mut reader = TableReader::open(&TABLE, String::new(), Some(root), mistakes);
        let format = reader.get(&FORMAT);
        if format != FORMAT.default {
            let message = format!("the scene is written in format {format}, which this program does not know");
            reader.refuse("format", message, "expected format = 1; a newer program may read it");
        }
        let title = reader.find(&TITLE).map(|title| title.into_owned());
        let ground = Ground::read(&mut reader.table(&ground::TABLE), assets);
        let on_mesh = matches!(ground.shape, GroundShape::Mesh { .. });
        let sun = Sun::read(&mut reader.table(&sun::TABLE));
        let render = Render::read(&mut reader.table(&render::TABLE));

        let camera = |reader: &mut TableReader<'_>| Camera::read(reader, on_mesh);
        let population = |reader: &mut TableReader<'_>| Population::read(reader, assets, &ground.shape);
        let cameras = named(&mut reader, &camera::TABLE, Some("main"), usize::MAX, camera);
        let populations = named(&mut reader, &population::TABLE, Some("meadow"), MOST_POPULATIONS, population);
        let winds = named(&mut reader, &wind::TABLE, Some("breeze"), MOST_WINDS, Wind::read);
        let colliders = named(&mut reader, &collider::TABLE, None, MOST_COLLIDERS, Collider::read);

        let scene = Self { title, cameras, populations, winds, colliders, ground, sun, render };
        if let Err(unknown) = scene.camera(None) {
            reader.refuse_within("render", "camera", unknown.to_string(), unknown.help());
        }
        scene
    }
}

/// Reads the tables of a group; an empty group has one entry, by default.
fn named<T>(
    reader: &mut TableReader<'_>,
    table: &'static Table,
    default: Option<&str>,
    most: usize,
    read: impl Fn(&mut TableReader<'_>) -> T,
) -> BTreeMap<String, T> {
    let mut all = BTreeMap::new();
    let entries = reader.named(table);
    for (name, entry) in &entries {
        let path = table.name.replace("NAME", name);
        let mut inner = TableReader::open(table, path, Some(&entry.node), reader.mistakes);
        inner.named_at = Some(&entry.key_at);
        all.insert((*name).to_owned(), read(&mut inner));
    }
    // In the order of the file, the first that is too much.
    let mut places: Vec<&Place> = entries.iter().map(|(_, entry)| &entry.key_at).collect();
    places.sort();
    if let Some(at) = places.get(most) {
        let group = table.name.split('.').next().unwrap_or_default();
        let message = format!("there are {} tables [{group}.NAME], and a scene may have {most}", places.len());
        reader.mistakes.add(at, message, Some("leave some out".to_owned()));
    }
    if let (true, Some(name)) = (all.is_empty(), default) {
        let path = table.name.replace("NAME", name);
        all.insert(name.to_owned(), read(&mut TableReader::open(table, path, None, reader.mistakes)));
    }
    all
}

/// There is no camera of the wished name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownCamera {
    /// The wish.
    pub name: String,
    /// What there is.
    pub known: Vec<String>,
}

impl UnknownCamera {
    /// The nearest known name, else all of them.
    #[must_use]
    pub fn help(&self) -> String {
        let guess = did_you_mean(&self.name, self.known.iter().map(String::as_str));
        for_terminal(&guess.unwrap_or_else(|| format!("the scene has: {}", self.known.join(", "))))
    }
}

impl fmt::Display for UnknownCamera {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the scene has no camera `{}`", for_terminal(&self.name))
    }
}

impl std::error::Error for UnknownCamera {}
