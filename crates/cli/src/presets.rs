//! `anemone presets`: the species of grass that a scene may name.

use std::path::Path;

use anemone_scene::{Placement, Species, parse};

use crate::args::Presets;
use crate::failure::Failure;
use crate::output::say;

pub fn run(args: &Presets) -> Result<(), Failure> {
    let Some(species) = args.name.as_deref().and_then(Species::named) else { return list() };
    say!("[population.{}]", species.name());
    say!("{}", species.text().trim_end());
    Ok(())
}

fn list() -> Result<(), Failure> {
    for species in Species::all() {
        let text = format!("[population.x]\nspecies = \"{}\"", species.name());
        let scene = parse::<&str>("preset", &text, Path::new(""), &[])?;
        for population in scene.populations.values() {
            let density = match population.placement {
                Placement::Density(density) => density,
                Placement::Count(_) => 0.0,
            };
            let [low, high] = population.height;
            say!("{:<12} {:<50} {density:>6} blades/m²  {:>4} to {} m", species.name(), species.what(), low, high);
        }
    }
    Ok(())
}
