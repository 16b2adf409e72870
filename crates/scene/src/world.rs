//! From a scene to the world that the engine draws: loads the files it names, and says in the engine's terms what an
//! author said in theirs.

use std::sync::Arc;

use anemone::field::space::Position;
use anemone::field::wind::{Kind, Source, Wind as FieldWind};
use anemone::glam::{DVec2, DVec3, Mat4, Vec3};
use anemone::terrain::detail::Detail;
use anemone::terrain::height::Ground as HeightGround;
use anemone::terrain::height_map::{HeightMap, MapOptions};
use anemone::terrain::mesh::Mesh;
use anemone::{Camera as EngineCamera, Collider as EngineCollider, Engine, Terrain, World};

use crate::camera::{Camera, View};
use crate::collider::{Collider, ColliderShape};
use crate::curve::Curve;
use crate::ground::{AssetPath, Ground, GroundShape};
use crate::language::WORLD;
use crate::population::{DensityMap, Distance, Facing, Length, Placement, Population, Preset, Region, Shape};
use crate::report::for_terminal;
use crate::scene::Scene;
use crate::sun::Sun;
use crate::wind::{Wind, WindKind};

/// Why a scene that reads well still cannot be drawn: something in it does not fit something else, or a file that it
/// names is not what it should be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorldError(String);

impl std::fmt::Display for WorldError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for WorldError {}

/// Steps a second in which a wind that changes is followed from time 0 to where a scene starts, ...
const START_RATE: f64 = 60.0;
/// ... and how many of them at most: longer ones then.
const MOST_START_STEPS: f64 = 20_000.0;

/// Grass goes as far as this when the scene does not say how far, m; beyond it the ground takes its colour.
const RANGE: f32 = 380.0;
impl Scene {
    /// The world at a moment, in seconds.
    ///
    /// # Errors
    /// When a file that the scene names is not what it should be, or a population does not fit the ground.
    pub fn world(&self, time: f64) -> Result<World, WorldError> {
        let terrain = terrain(&self.ground)?;
        let full = self.render.quality.settings().full_density;
        let populations =
            self.populations.iter().map(|(name, p)| population(name, p, &terrain, full)).collect::<Result<_, _>>()?;
        let mut world = World {
            populations,
            soil: self.ground.color.into(),
            wind: FieldWind::default(),
            colliders: Vec::new(),
            sun: self.sun_at(time),
            terrain,
        };
        world.wind = self.wind_at(time, &world);
        world.colliders = self.colliders_at(time, &world);
        Ok(world)
    }

    /// Sets an engine's clock to a moment, in seconds, before its first drawing ([`Engine::start_at`]), and brings everything that
    /// changes there. The patterns of a wind that changes have then travelled as far as it has blown since time 0: a still at any
    /// moment shows the gusts that a film shows then, but for the length of their steps.
    ///
    /// # Errors
    /// As [`Scene::follow`].
    pub fn start(&self, engine: &mut Engine, time: f64) -> Result<(), anemone::Error> {
        if self.winds.values().any(|wind| !wind.is_constant()) {
            let steps = (time.abs() * START_RATE).ceil().clamp(1.0, MOST_START_STEPS);
            let step = (time.abs() / steps).max(1.0 / START_RATE) * time.signum();
            for index in 0..steps as u32 {
                let before = step * f64::from(index);
                engine.set_winds(self.wind_at(before, engine.world()))?;
                let next = before + step;
                engine.start_at(if next.abs() < time.abs() { next } else { time });
            }
        }
        engine.start_at(time);
        self.follow(engine)
    }

    /// Brings what changes over time to where it is at an engine's own time: obstacles, winds, sun and exposure. Call it after
    /// each [`Engine::advance`]; cameras are in [`Scene::camera_at`].
    ///
    /// # Errors
    /// When a number is out of range, which those of a scene never are.
    pub fn follow(&self, engine: &mut Engine) -> Result<(), anemone::Error> {
        let time = engine.time();
        engine.set_colliders(self.colliders_at(time, engine.world()))?;
        if self.winds.values().any(|wind| !wind.is_constant()) {
            engine.set_winds(self.wind_at(time, engine.world()))?;
        }
        if !(self.sun.is_constant() && self.render.exposure.is_constant()) {
            engine.set_sun(self.sun_at(time))?;
        }
        Ok(())
    }

    /// The winds at a moment, in seconds.
    #[must_use]
    pub fn wind_at(&self, time: f64, world: &World) -> FieldWind {
        let named =
            |(name, wind): (&String, &Wind)| Source { name: name.clone(), ..source(wind, time, &world.terrain) };
        FieldWind { sources: self.winds.iter().map(named).collect() }
    }

    /// The light at a moment, in seconds.
    #[must_use]
    pub fn sun_at(&self, time: f64) -> anemone::Sun {
        let Sun { intensity, color, sky, haze, .. } = &self.sun;
        anemone::Sun {
            direction: self.sun.direction(time).into(),
            light: Vec3::from(color.at(time).map(|channel| channel as f32)) * intensity.value(time) as f32,
            sky: sky.value(time) as f32,
            visibility: haze.value(time) as f32,
            exposure: self.render.exposure.value(time) as f32,
        }
    }

    /// One of the scene's cameras in the world at a moment, in seconds.
    #[must_use]
    pub fn camera_at(&self, camera: &Camera, time: f64, world: &World) -> EngineCamera {
        self.place_camera(&camera.at(time), world)
    }

    /// The engine's refusal of this scene's world, with the name of the population that it is about and where the scene has
    /// it.
    #[must_use]
    pub fn explain(&self, error: &anemone::Error) -> WorldError {
        let (index, why) = match error {
            anemone::Error::Placement { index, why } => (*index, (*why).to_owned()),
            anemone::Error::TooManyBodies { population, .. } => (*population, error.to_string()),
            _ => return WorldError(format!("error: {error}")),
        };
        match self.populations.iter().nth(index) {
            Some((name, population)) => misplaced(name, population, &why),
            None => WorldError(format!("error: {error}")),
        }
    }

    /// The obstacles at a moment, in seconds.
    #[must_use]
    pub fn colliders_at(&self, time: f64, world: &World) -> Vec<EngineCollider> {
        self.colliders.values().map(|each| collider(each, time, &world.terrain)).collect()
    }

    /// One of the scene's cameras in the world, without its motion.
    #[must_use]
    pub fn place_camera(&self, camera: &Camera, world: &World) -> EngineCamera {
        let place = |point: [f64; 3]| {
            let point = DVec3::from(point);
            if camera.above_ground { point + DVec3::Y * ground_height(&world.terrain, point) } else { point }
        };
        let eye = place(camera.position);
        let placed = |forward: Vec3| EngineCamera { eye, forward, up: Vec3::Y, fov: camera.fov, near: camera.near };
        match camera.view {
            View::LookAt(target) => EngineCamera::look_at(eye, place(target), camera.fov, camera.near),
            View::Toward { heading, pitch } => {
                let (sin, cos) = heading.sin_cos();
                let level = Vec3::new(cos, 0.0, -sin);
                let camera = placed(Vec3::new(cos * pitch.cos(), pitch.sin(), -sin * pitch.cos()));
                // Straight down or up the heading still says what is above in the picture, where the vertical says nothing.
                if pitch.cos() < 1e-3 { EngineCamera { up: level * -pitch.signum(), ..camera } } else { camera }
            }
            View::Frame => frame_mesh(camera, world),
        }
    }
}

/// From the south and a little above, far enough off that the mesh and what grows on it fill the picture.
fn frame_mesh(camera: &Camera, world: &World) -> EngineCamera {
    let Terrain::Mesh { mesh, origin } = &world.terrain else {
        return EngineCamera::look_at(DVec3::Y, DVec3::NEG_Z, camera.fov, camera.near);
    };
    let [low, high] = mesh.bounds();
    let tallest = world.populations.iter().map(|population| population.height[1]).fold(0.0, f32::max);
    let radius = 0.5 * (high - low).length() + tallest;
    let middle = *origin + (0.5 * (low + high)).as_dvec3();
    let away = f64::from(radius / (0.5 * camera.fov).sin());
    let eye = middle + DVec3::new(0.0, 0.35, 1.0).normalize() * away;
    EngineCamera::look_at(eye, middle, camera.fov, camera.near)
}

/// The ground's height below a point, m; 0 on a mesh.
fn ground_height(terrain: &Terrain, point: DVec3) -> f64 {
    match terrain {
        Terrain::Height(ground) => f64::from(ground.height(Position::from_metres(point))),
        Terrain::Mesh { .. } => 0.0,
    }
}

/// What a file holds that is not what the scene takes it for.
fn refused(file: &AssetPath, error: &dyn std::fmt::Display) -> WorldError {
    WorldError(format!("error: {}\n --> {}", for_terminal(&error.to_string()), file.named_at))
}

/// What is wrong with a population.
fn misplaced(name: &str, population: &Population, why: &str) -> WorldError {
    let place = match population.named_at.as_str() {
        "" => String::new(),
        spot => format!("\n --> {spot}"),
    };
    WorldError(format!("error: population.{}: {why}{place}", for_terminal(name)))
}

fn terrain(ground: &Ground) -> Result<Terrain, WorldError> {
    let height = |ground| Terrain::Height(Box::new(ground));
    Ok(match &ground.shape {
        GroundShape::HeightMap { file, metres_per_sample, metres_per_unit, offset, detail } => {
            let options = MapOptions {
                spacing: DVec2::from(*metres_per_sample),
                unit: *metres_per_unit,
                offset: *offset,
                ..MapOptions::default()
            };
            let map = HeightMap::load(&file.path, &options).map_err(|error| refused(file, &error))?;
            let fine = Detail::below(metres_per_sample[0].min(metres_per_sample[1]), 1);
            height(HeightGround::from_map(map, &scaled(fine, *detail)))
        }
        GroundShape::Mesh { file, scale, turn, position } => {
            let mesh = Mesh::load(&file.path).map_err(|error| refused(file, &error))?;
            let turned = Mat4::from_rotation_y(*turn) * Mat4::from_scale(Vec3::splat(*scale as f32));
            let mesh = mesh.transformed(turned).map_err(|error| refused(file, &error))?;
            Terrain::Mesh { mesh: Box::new(mesh), origin: DVec3::from(*position) }
        }
        GroundShape::Plane { height: level } => height(HeightGround::plane(*level as f32)),
        GroundShape::Rolling { detail, seed } => {
            height(HeightGround::without_map(0.0, &scaled(Detail::hills(*seed), *detail)))
        }
    })
}

fn scaled(mut detail: Detail, factor: f32) -> Detail {
    detail.amplitude *= f64::from(factor);
    detail
}

/// `full_density` is the quality's factor on how far off bodies stand at full density.
fn population(
    name: &str,
    p: &Population,
    terrain: &Terrain,
    full_density: f32,
) -> Result<anemone::Population, WorldError> {
    let refuse = |why: &str| misplaced(name, p, why);
    let count = |area: f64| match p.placement {
        Placement::Density(density) => {
            let count = f64::from(density) * area;
            // More than any adapter holds: the engine's own limits are lower.
            if count < 4e9 { Ok(count.round() as u32) } else { Err(refuse("more than four thousand million bodies")) }
        }
        Placement::Count(count) => Ok(count),
    };
    let placement = match (p.region, terrain, p.placement) {
        (_, Terrain::Mesh { mesh, .. }, _) => anemone::Placement::Surface { count: count(mesh.area())? },
        (Region::Square { center, side }, Terrain::Height(_), _) => {
            anemone::Placement::Square { centre: DVec2::from(center), side, count: count(f64::from(side).powi(2))? }
        }
        (_, Terrain::Height(_), Placement::Density(density)) => anemone::Placement::Everywhere { density },
        (_, Terrain::Height(_), Placement::Count(_)) => {
            return Err(refuse("a count needs a square to stand on: give its side, in metres, or a density"));
        }
    };
    let distance = match p.distance {
        Distance::Rank { full_density_within, range } => {
            let full_within = full_density_within * full_density;
            let range = range.unwrap_or(RANGE);
            anemone::Distance::Rank { full_within: full_within.min(range), range }
        }
        Distance::Buckets { count, range } => {
            if matches!(placement, anemone::Placement::Everywhere { .. }) {
                return Err(refuse(
                    "distance = \"buckets\" leaves out bodies of a fixed number: give a count and a side instead of a \
                     density everywhere",
                ));
            }
            anemone::Distance::Buckets { count, range }
        }
    };
    let density_map = p.growth.map.as_ref().map(|map| density_map(map, terrain)).transpose()?;
    Ok(anemone::Population {
        placement,
        density_map,
        height: p.height,
        width: p.width,
        stiffness: p.stiffness,
        lean: p.lean,
        shape: match p.shape {
            Shape::Quad => anemone::Shape::Quad,
            Shape::Triangle => anemone::Shape::Triangle,
            Shape::Quadratic => anemone::Shape::Quadratic,
            Shape::Tip { threshold } => anemone::Shape::Tip { threshold },
            Shape::V => anemone::Shape::V,
        },
        facing: match p.facing {
            Facing::Widen => anemone::Facing::Widen,
            Facing::Cull => anemone::Facing::Cull,
        },
        distance,
        cull: anemone::Cull {
            frustum: p.cull.frustum,
            distance: p.cull.distance,
            facing: p.cull.facing,
            occlusion: p.cull.occlusion,
        },
        forces: anemone::Forces {
            gravity: p.gravity.strength,
            gravity_direction: p.gravity.direction.into(),
            gravity_point: p.gravity.point.into(),
            gravity_mix: p.gravity.mix,
            front_gravity: p.gravity.front,
            wind: p.wind,
            trample_recovery: p.trample_recovery,
            raw: p.preset == Preset::Vulkan,
            paper_length: p.length == Length::Paper,
        },
        color: anemone::Color {
            root: p.color.root.into(),
            tip: p.color.tip.into(),
            dry: p.color.dry.into(),
            through: p.color.through.into(),
            variety: p.color.variety,
            dead: p.color.dead,
        },
        clumps: p.clumps.map(|clumps| anemone::Clumps {
            size: clumps.size,
            jitter: clumps.jitter,
            height: clumps.height,
            facing: clumps.facing,
            fan: clumps.fan,
            gather: clumps.gather,
            color: clumps.color,
        }),
        growth: anemone::Growth {
            slope: p.growth.slope,
            slope_border: p.growth.slope_border,
            altitude: altitude(p.growth.altitude),
            altitude_border: p.growth.altitude_border,
            patches: p.growth.patches.map(|patches| anemone::Patches {
                size: patches.size,
                share: patches.share,
                softness: patches.softness,
                seed: patches.seed,
                inverted: patches.invert,
            }),
        },
        seed: p.seed,
    })
}

fn density_map(map: &DensityMap, terrain: &Terrain) -> Result<Arc<HeightMap>, WorldError> {
    let of_ground = || match terrain {
        Terrain::Height(ground) => ground.map().map(HeightMap::area),
        Terrain::Mesh { .. } => None,
    };
    // The reader asks for a size where there is no height map.
    let size = map.size.map(DVec2::from).or_else(of_ground).unwrap_or(DVec2::splat(100.0));
    let shares = HeightMap::load(&map.file.path, &MapOptions::default())
        .and_then(|loaded| loaded.into_shares(size, DVec2::from(map.center)));
    shares.map(Arc::new).map_err(|error| refused(&map.file, &error))
}

/// The ends of what may be written mean that there is no border.
fn altitude([low, high]: [f32; 2]) -> [f32; 2] {
    [
        if f64::from(low) > WORLD.min { low } else { f32::NEG_INFINITY },
        if f64::from(high) < WORLD.max { high } else { f32::INFINITY },
    ]
}

fn source(wind: &Wind, time: f64, terrain: &Terrain) -> Source {
    let now = |curve: &Curve<1>| curve.value(time) as f32;
    let kind = match &wind.kind {
        WindKind::Constant { velocity } => Kind::Constant { velocity: velocity.at(time).into() },
        WindKind::Waves { velocity, wavelength, rate } => Kind::Waves {
            velocity: velocity.at(time).into(),
            // The source's shortest wave number is 0.75 rad/m.
            wave_number_scale: std::f32::consts::TAU / 0.75 / *wavelength,
            rate: now(rate),
        },
        WindKind::Point { position, above_ground, strength, reach, rate } => {
            let mut at = DVec3::from(position.at(time));
            if *above_ground {
                at.y += ground_height(terrain, at);
            }
            // The source's wind dies 75 m off.
            Kind::Point {
                position: Position::from_metres(at),
                strength: now(strength),
                scale: 75.0 / reach,
                rate: now(rate),
            }
        }
        WindKind::Fbm { velocity, wavelength, octaves, gain, along, across, scroll, seed } => Kind::Gusts {
            velocity: velocity.at(time).into(),
            wavelength: *wavelength,
            octaves: *octaves,
            gain: now(gain),
            along: now(along),
            across: now(across),
            scroll: now(scroll),
            seed: *seed,
        },
    };
    Source { intensity: now(&wind.intensity), ..Source::new(kind) }
}

fn collider(collider: &Collider, time: f64, terrain: &Terrain) -> EngineCollider {
    let at = |time: f64| {
        let mut point = DVec3::from(collider.position(time));
        if collider.above_ground {
            point.y += ground_height(terrain, point);
        }
        point
    };
    let [before, after] = collider.moments(time, 1.0 / 60.0);
    let position = at(time);
    EngineCollider {
        position,
        axis: match collider.shape {
            ColliderShape::Sphere => Vec3::ZERO,
            ColliderShape::Capsule { axis } => axis.into(),
        },
        radius: collider.radius,
        velocity: ((at(after) - at(before)) / (after - before)).as_vec3(),
    }
}
