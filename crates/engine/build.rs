//! Links the shaders: every kernel below becomes one WGSL file in `OUT_DIR`, without anything that it does not use.

use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::{env, fs};

/// A kernel's file, its root module under `src/`, and the features that are on.
const KERNELS: &[(&str, &str, &[&str])] = &[
    ("generate", "place/generate", &[]),
    ("tiles", "cull/tiles", &[]),
    ("step", "motion/step", &[]),
    ("scan", "cull/scan", &[]),
    ("emit", "cull/emit", &[]),
    ("grid", "ground/grid", &[]),
    ("ground_wide", "ground/raster", &["wide"]),
    ("ground_narrow", "ground/raster", &[]),
    ("ground_shadow", "ground/raster", &["shadow"]),
    ("project", "raster/project", &[]),
    ("pyramid", "cull/build_pyramid", &[]),
    ("raster_wide", "raster/raster", &["wide"]),
    ("raster_wide_second", "raster/raster", &["wide", "second"]),
    ("raster_wide_partial", "raster/raster", &["wide", "partial"]),
    ("raster_shadow", "raster/raster", &["shadow"]),
    ("raster_depth", "raster/raster", &[]),
    ("raster_depth_second", "raster/raster", &["second"]),
    ("raster_payload", "raster/raster", &["payloads"]),
    ("raster_depth_partial", "raster/raster", &["partial"]),
    ("raster_payload_partial", "raster/raster", &["payloads", "partial"]),
    ("ridges", "shadow/ridges", &[]),
    ("sort_pixels", "shade/sort", &[]),
    ("shade_ground", "shade/shade_ground", &[]),
    ("shade_bodies", "shade/shade_bodies", &[]),
    ("shade_partial", "shade/shade_bodies", &["partial"]),
    ("shade_ground_host", "shade/shade_ground", &["host"]),
    ("shade_bodies_host", "shade/shade_bodies", &["host"]),
    ("shade_partial_host", "shade/shade_bodies", &["partial", "host"]),
    ("motion", "shade/motion", &[]),
    ("seed", "guest/seed", &[]),
    ("seed_multisampled", "guest/seed", &["multisampled"]),
    ("compose", "guest/compose", &[]),
    ("compose_film", "guest/compose", &["film"]),
    ("compose_film_encode", "guest/compose", &["film", "encode"]),
    ("surfaces", "guest/surfaces", &[]),
    ("cast", "guest/cast", &[]),
    ("present", "present/present", &[]),
    ("present_encode", "present/present", &["encode"]),
];

/// Every feature that any kernel knows.
const FEATURES: &[&str] =
    &["wide", "second", "partial", "payloads", "shadow", "encode", "multisampled", "film", "host"];

fn main() {
    let source = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it")).join("src");
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets it"));
    println!("cargo::rerun-if-changed=src");
    let mut modules: Vec<(String, Cow<'static, str>)> = Vec::new();
    for (path, text) in [anemone_field::WESL, anemone_ground::WESL, anemone_motion::WESL, anemone_sky::WESL].concat() {
        modules.push((path.to_owned(), Cow::Borrowed(text)));
    }
    collect(&source, "package::engine", &mut modules);
    for (file, root, on) in KERNELS {
        let mut resolver = wesl::VirtualResolver::new();
        for (path, text) in &modules {
            resolver.add_module(path.parse().expect("a module path"), text.clone());
        }
        let mut linker = wesl::Wesl::new_barebones().set_custom_resolver(resolver);
        linker.use_imports(true).use_condcomp(true).use_stripping(true).keep_all_entrypoints();
        for feature in FEATURES {
            linker.set_feature(feature, on.contains(feature));
        }
        let path = format!("package::engine::{}", root.replace('/', "::"));
        match linker.compile(&path.parse().expect("a module path")) {
            Ok(linked) => fs::write(out.join(format!("{file}.wgsl")), linked.to_string()).expect("OUT_DIR is writable"),
            Err(error) => {
                eprintln!("linking {root} for {file}:\n{error}");
                std::process::exit(1);
            }
        }
    }
}

/// The WESL modules in a folder: `raster/row.wesl` is `package::engine::raster::row`.
fn collect(folder: &Path, module: &str, modules: &mut Vec<(String, Cow<'static, str>)>) {
    let mut entries: Vec<PathBuf> =
        fs::read_dir(folder).expect("src is readable").filter_map(|entry| Some(entry.ok()?.path())).collect();
    entries.sort();
    for path in entries {
        let Some(stem) = path.file_stem().and_then(|stem| stem.to_str()) else { continue };
        if path.is_dir() {
            collect(&path, &format!("{module}::{stem}"), modules);
        } else if path.extension().is_some_and(|extension| extension == "wesl") {
            let text = fs::read_to_string(&path).expect("a shader is text");
            modules.push((format!("{module}::{stem}"), Cow::Owned(text)));
        }
    }
}
