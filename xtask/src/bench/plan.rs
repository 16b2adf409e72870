//! What the bench measures: a list of cases, each a call of `anemone bench`.

/// Blades on a square metre: 2^13 on 15 m × 15 m, as in the Vulkan source.
const DENSITY: f64 = 8192.0 / 225.0;
/// The four culls, as scenes name them.
const CULLS: [&str; 4] = ["frustum", "distance", "facing", "occlusion"];
/// Blades of the second part, where each cull is tried.
const CULL_BLADES: u32 = 65_536;
/// The range of the distance cull in the second part, m, for the camera `close`: the patch there is 42 m wide, so that the
/// full range of the scene, 250 m, would show little. The camera `above` stands 62 to 104 m off and keeps the full range.
const CLOSE_RANGE: f64 = 60.0;

/// One measurement.
#[derive(Clone, Debug, PartialEq)]
pub struct Case {
    /// The table that it belongs to: `scaling`, `culls`, `meadow`, `million`.
    pub part: &'static str,
    /// What tells it from the others of its part: the culls that are on, or the meadow's camera.
    pub name: String,
    pub scene: &'static str,
    pub camera: &'static str,
    pub sets: Vec<String>,
}

/// Every case, in order. The quick plan is for trying the bench itself out: two counts, no single culls.
pub fn plan(quick: bool) -> Vec<Case> {
    let counts: &[u32] = if quick { &[65_536, 262_144] } else { &[65_536, 262_144, 1_048_576, 4_194_304] };
    let mut cases = Vec::new();
    for count in counts {
        for (name, culls) in [("all", 15), ("none", 0)] {
            cases.push(patch("scaling", name.to_owned(), "close", *count, culls, None));
        }
    }
    let sets = if quick { vec![("none".to_owned(), 0), ("all".to_owned(), 15)] } else { cull_sets() };
    for (camera, range) in [("close", Some(CLOSE_RANGE)), ("above", None)] {
        for (name, culls) in &sets {
            cases.push(patch("culls", name.clone(), camera, CULL_BLADES, *culls, range));
        }
    }
    // Looking down a little more than the picture does, so that grass covers more than 60 % of it.
    for (camera, pitch) in [("main", -20), ("grass", -16)] {
        let scene = "assets/scenes/meadow.toml";
        let sets = vec![format!("camera.{camera}.pitch={pitch}")];
        cases.push(Case { part: "meadow", name: camera.to_owned(), scene, camera, sets });
    }
    cases.push(Case {
        part: "million",
        name: "main".to_owned(),
        scene: "assets/scenes/bench_million.toml",
        camera: "main",
        sets: Vec::new(),
    });
    cases
}

/// None, each alone, all but each, all: bit i of the number is cull i.
fn cull_sets() -> Vec<(String, u32)> {
    let mut sets = vec![("none".to_owned(), 0)];
    sets.extend(CULLS.iter().enumerate().map(|(bit, cull)| (format!("{cull} alone"), 1 << bit)));
    sets.extend(CULLS.iter().enumerate().map(|(bit, cull)| (format!("all but {cull}"), 15 & !(1 << bit))));
    sets.push(("all".to_owned(), 15));
    sets
}

/// The patch with so many blades: its side and its cameras follow, so that density and picture stay alike.
fn patch(part: &'static str, name: String, camera: &'static str, count: u32, culls: u32, range: Option<f64>) -> Case {
    let side = (f64::from(count) / DENSITY).sqrt();
    let mut sets = vec![
        format!("population.patch.count={count}"),
        format!("population.patch.side={side:.3}"),
        // A little outside, so that no blade stands before the lens.
        format!("camera.close.position=[0, 1.2, {:.3}]", side / 2.0 + 1.5),
        format!("camera.above.position=[0, {:.3}, {:.3}]", 1.34 * side, 1.96 * side),
    ];
    sets.extend(
        CULLS.iter().enumerate().map(|(bit, cull)| format!("population.patch.cull.{cull}={}", (culls >> bit) & 1 == 1)),
    );
    sets.extend(range.map(|range| format!("population.patch.range={range}")));
    Case { part, name, scene: "assets/scenes/bench_patch.toml", camera, sets }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_plan_holds_what_the_tables_need() {
        let cases = plan(false);
        let of = |part: &str| cases.iter().filter(|case| case.part == part).count();
        assert_eq!((of("scaling"), of("culls"), of("meadow"), of("million")), (8, 20, 2, 1));
        let mut seen: Vec<String> = cases.iter().map(|case| format!("{case:?}")).collect();
        seen.sort();
        seen.dedup();
        assert_eq!(seen.len(), cases.len());
    }

    #[test]
    fn the_density_stays_that_of_the_source() {
        for count in [8192, 4_194_304] {
            let case = patch("scaling", String::new(), "close", count, 5, None);
            let side: f64 = case.sets[1].rsplit_once('=').unwrap().1.parse().unwrap();
            assert!((f64::from(count) / (side * side) - DENSITY).abs() < 0.01, "{side}");
            assert_eq!(case.sets[4..6], ["population.patch.cull.frustum=true", "population.patch.cull.distance=false"]);
        }
    }

    #[test]
    fn each_cull_is_tried_alone_and_left_out_alone() {
        let sets = cull_sets();
        assert_eq!(sets.len(), 10);
        assert!(sets.contains(&("facing alone".to_owned(), 4)));
        assert!(sets.contains(&("all but occlusion".to_owned(), 7)));
    }
}
