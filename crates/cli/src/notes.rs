//! What a picture lacks of what the scene asks for, though it can be drawn.

use anemone::{Engine, STEEPEST, Terrain};
use anemone_scene::{Scene, for_terminal};

use crate::device::Gpu;
use crate::output::tell;

/// Tells what was left out to fit the adapter, or could not be used.
pub fn print(scene: &Scene, engine: &Engine, gpu: &Gpu) {
    if let (Terrain::Mesh { mesh, .. }, Some(file)) = (&engine.world().terrain, scene.ground.file())
        && mesh.dropped() > 0
    {
        let (left_out, all) = (mesh.dropped(), mesh.dropped() + mesh.triangle_count());
        tell!("note: {left_out} of {all} triangles of the mesh have no area, or hardly any, and are left out");
        tell!(" --> {}", file.named_at);
    }
    if let (Terrain::Height(ground), Some(file)) = (&engine.world().terrain, scene.ground.file())
        && let Some(map) = ground.map()
        && (0..scene.populations.len()).any(|index| engine.extent(index).is_some())
    {
        let percent = (100.0 * map.share_steeper_than(STEEPEST)).round();
        if percent >= 1.0 {
            tell!(
                "note: {percent} % of the height map is steeper than {STEEPEST}:1, where what grows everywhere leaves it \
                 bare; see metres_per_unit and metres_per_sample"
            );
            tell!(" --> {}", file.named_at);
        }
    }
    for (index, name) in scene.populations.keys().enumerate() {
        let Some(extent) = engine.extent(index) else { continue };
        if extent.full_within < extent.wanted_full_within || extent.range < extent.wanted_range {
            tell!(
                "note: {} stands at full density to {} m and reaches {} m, instead of {} m and {} m, for the rings end \
                 there or {} binds no more bodies",
                for_terminal(name),
                extent.full_within,
                extent.range,
                extent.wanted_full_within,
                extent.wanted_range,
                gpu.info.name
            );
        }
    }
}
