//! The cull in double precision, body by body, with how clear each decision is. Twin of `body.wesl` and of the choice in
//! `tiles.wesl`.
//!
//! Every test is written as a slack: positive where the body stays, relative to the size of what is compared. A body
//! whose least slack is within a rounding error of zero may be decided either way by 32-bit floats.

use anemone_field::hash::{hash2, pcg, unit};
use anemone_field::space::{Position, TILE};
use anemone_ground::placement::cell_seed;
use anemone_motion::blade::{Body, LENGTH_EXACT, LENGTH_PAPER, blade_pose, blade_unpack, blade_unpack_state};
use glam::{DVec2, DVec3, IVec2, Vec3};

use crate::camera::{Camera, Window};
use crate::frame::MARGIN;
use crate::population::WIDEST;
use crate::tile::{KIND_MESH, RingExtent, Tile};
use crate::world::{Distance, Facing, Placement, Population, World};

/// |view · width direction| at or above which a blade counts as edge-on: Jahrmann and Wimmer (2017).
const EDGE_ON: f64 = 0.9;

/// A view for culling, in double precision.
#[derive(Clone, Copy, Debug)]
pub struct View {
    eye: Position,
    axes: [DVec3; 3],
    focal: f64,
    near: f64,
    /// Tangents of the angles to the left, right, lower and upper plane, margin included.
    tangents: [f64; 4],
}

impl View {
    /// Of a window of a camera's picture.
    #[must_use]
    pub fn new(camera: &Camera, window: &Window) -> Self {
        let picture = DVec2::new(f64::from(window.picture[0]), f64::from(window.picture[1]));
        let origin = DVec2::new(f64::from(window.origin[0]), f64::from(window.origin[1]));
        let size = DVec2::new(f64::from(window.size[0]), f64::from(window.size[1]));
        let focal = 0.5 * picture.y / (0.5 * f64::from(camera.fov)).tan();
        // Pixels from where the axis meets the window to its four borders.
        let left = 0.5 * picture.x - origin.x;
        let upper = 0.5 * picture.y - origin.y;
        let borders = [left, size.x - left, size.y - upper, upper];
        Self {
            eye: camera.position(),
            axes: camera.axes().map(Vec3::as_dvec3),
            focal,
            near: f64::from(camera.near),
            tangents: borders.map(|pixels| (pixels + f64::from(MARGIN)) / focal),
        }
    }

    fn corner(&self, tile: &Tile) -> DVec3 {
        (tile.tile - self.eye.tile).as_dvec3() * f64::from(TILE) + tile.local.as_dvec3() - self.eye.local.as_dvec3()
    }

    fn to_view(self, v: DVec3) -> DVec3 {
        DVec3::from_array(self.axes.map(|axis| axis.dot(v)))
    }

    /// Metres inside the left, right, lower and upper plane and the near one.
    fn inside(&self, q: DVec3) -> [f64; 5] {
        let plane = |side: f64, tangent: f64| (tangent * q.z + side) / (1.0 + tangent * tangent).sqrt();
        let [left, right, lower, upper] = self.tangents;
        [plane(q.x, left), plane(-q.x, right), plane(q.y, lower), plane(-q.y, upper), q.z - self.near]
    }
}

/// The tiles of a pool, as read back.
///
/// # Panics
/// When the bytes are no whole number of tiles.
#[must_use]
pub fn tiles(bytes: &[u8]) -> Tiles {
    Tiles(bytemuck::pod_collect_to_vec(bytes))
}

/// The tiles of a pool.
#[derive(Clone, Debug)]
pub struct Tiles(Vec<Tile>);

impl Tiles {
    /// For each tile: population, first body, bodies, corner, extent (m) of its box.
    pub fn boxes(&self) -> impl Iterator<Item = (u32, u32, u32, Position, Vec3)> + '_ {
        self.0.iter().map(|t| (t.population, t.first, t.capacity, Position { tile: t.tile, local: t.local }, t.extent))
    }
}

/// The world as it is culled: a population that grows everywhere thins out by the extent that its rings have, which goes by
/// powers of two, not by what the author asked for.
#[must_use]
pub fn as_stored(world: &World, extent: impl Fn(usize) -> Option<RingExtent>) -> World {
    let mut world = world.clone();
    for (index, population) in world.populations.iter_mut().enumerate() {
        if let Some(RingExtent { full_within, range, .. }) = extent(index) {
            population.distance = Distance::Rank { full_within, range };
        }
    }
    world
}

/// The least relative slack of each body of the pool: the body stays where it is not negative. Bodies that do not
/// exist have minus infinity.
#[must_use]
pub fn slacks(world: &World, view: &View, tiles: &Tiles, bodies: &[Body]) -> Vec<f64> {
    let mut slacks = vec![f64::NEG_INFINITY; bodies.len()];
    for tile in &tiles.0 {
        let population = &world.populations[tile.population as usize];
        for index in 0..tile.capacity {
            let at = (tile.first + index) as usize;
            if bodies[at].words[..3] != [0; 3] {
                slacks[at] = slack(population, view, tile, index, bodies[at]);
            }
        }
    }
    slacks
}

/// How many bodies the tile cull hands on to be culled one by one: the least and the most, for tiles within `doubt`
/// (relative) of a threshold may go either way. `roots` are the lowest and highest root of each tile above its floor, m.
#[must_use]
pub fn tested(world: &World, view: &View, tiles: &Tiles, roots: &[[f32; 2]], doubt: f64) -> [u32; 2] {
    let mut sum = [0, 0];
    for (tile, roots) in tiles.0.iter().zip(roots) {
        let p = &world.populations[tile.population as usize];
        let corner = view.corner(tile);
        let low = corner + DVec3::new(0.0, f64::from(roots[0]), 0.0);
        let high = corner + DVec3::new(f64::from(tile.extent.x), f64::from(roots[1]), f64::from(tile.extent.z));
        let distance = DVec3::ZERO.clamp(low, high).length();
        let mut most = [tile.capacity, tile.capacity];
        if let (true, Distance::Rank { .. }) = (p.cull.distance, p.distance) {
            let cells = f64::from(1_u32 << (2 * tile.cells_log2));
            let kept = f64::from(tile.full) * kept_share(p, view, distance);
            let bound = |kept: f64| tile.capacity.min((kept.ceil() * cells) as u32);
            let slack = doubt * f64::from(tile.full);
            most = [bound((kept - slack).max(0.0)), bound(kept + slack)];
        }
        if p.cull.frustum {
            let reach = reach_of(p, view, low.abs().max(high.abs()).length());
            let (low, high) = (low - reach, high + reach);
            let half = 0.5 * (high - low);
            let middle = 0.5 * (low + high);
            let r = DVec3::from_array(view.axes.map(|axis| axis.abs().dot(half)));
            // The box's half size along each plane's normal, from its sizes along the axes of the view.
            let [left, right, lower, upper] = view.tangents;
            let along = |side: f64, tangent: f64| (tangent.abs() * r.z + side) / (1.0 + tangent * tangent).sqrt();
            let sizes = [along(r.x, left), along(r.x, right), along(r.y, lower), along(r.y, upper), r.z];
            let inside = view.inside(view.to_view(middle));
            let scale = middle.length() + half.length();
            let slack = (0..5).map(|i| (inside[i] + sizes[i]) / scale).fold(f64::INFINITY, f64::min);
            if slack < doubt {
                most[0] = 0;
            }
            if slack < -doubt {
                most[1] = 0;
            }
        }
        sum = [sum[0] + most[0], sum[1] + most[1]];
    }
    sum
}

/// How far a body is drawn from its root at most, m, where the farthest root of its tile stands so far from the eye.
fn reach_of(p: &Population, view: &View, farthest: f64) -> f64 {
    let thins = p.cull.distance && matches!(p.distance, Distance::Rank { .. });
    let widened = if thins { 0.5 * f64::from(WIDEST) * farthest / view.focal } else { 0.0 };
    1.02 * f64::from(p.height[1].max(0.025)) + widened.max(0.52 * f64::from(p.width[1].max(0.0005)))
}

/// What full density is held to, m: see `PopulationUniform`.
fn full_within(p: &Population, view: &View, full_within: f32) -> f64 {
    let wide = match p.placement {
        Placement::Everywhere { .. } => 0.0,
        _ => 0.5 * f64::from(p.width[0] + p.width[1]) * view.focal / f64::from(WIDEST),
    };
    f64::from(full_within).max(wide)
}

/// The share of bodies that stand at a distance.
fn kept_share(p: &Population, view: &View, distance: f64) -> f64 {
    let Distance::Rank { full_within: full, range } = p.distance else { return 1.0 };
    let thin = full_within(p, view, full) / distance.max(1e-6);
    let fade = (f64::from(range) - distance) / (0.2 * f64::from(range));
    (thin * thin).min(1.0) * fade.clamp(0.0, 1.0)
}

fn key(tile: &Tile, index: u32) -> u32 {
    if tile.kind == KIND_MESH {
        return hash2(tile.seed, index);
    }
    let side = 1_u32 << tile.cells_log2;
    let within = index & (side * side - 1);
    let cell = tile.cell + IVec2::new((within & (side - 1)) as i32, (within >> tile.cells_log2) as i32);
    hash2(cell_seed(tile.seed, cell), rank(tile, index))
}

fn rank(tile: &Tile, index: u32) -> u32 {
    index >> (2 * tile.cells_log2)
}

fn slack(p: &Population, view: &View, tile: &Tile, index: u32, body: Body) -> f64 {
    let blade = blade_unpack(body, Vec3::ZERO, tile.extent);
    let length = if p.forces.paper_length { LENGTH_PAPER } else { LENGTH_EXACT };
    let pose = blade_pose(blade.up, blade.height, blade_unpack_state(body).tip, length);
    let root = view.corner(tile) + blade.root.as_dvec3();
    let distance = root.length();
    let key = key(tile, index);
    let rank = f64::from(rank(tile, index)) + f64::from(unit(pcg(key ^ 0x51ed_270b)));
    let mut least = f64::INFINITY;
    let mut factor = 1.0;
    if p.cull.distance {
        match p.distance {
            Distance::Rank { full_within: full, .. } => {
                let share = kept_share(p, view, distance);
                let stay = f64::from(tile.full) * share;
                let thin = full_within(p, view, full) / distance.max(1e-6);
                // Towards the range a small number is the difference of large ones.
                let scale = (f64::from(tile.full) * (thin * thin).min(1.0)).max(rank).max(1.0);
                least = least.min((stay - rank) / scale);
                let zone = 0.2 * stay * (4.0 * (1.0 - share)).min(1.0);
                let grown = ((stay - rank) / zone.max(1e-6)).clamp(0.0, 1.0);
                let pixels = f64::from(blade.width) * view.focal / distance.max(1e-3);
                factor = grown * (f64::from(WIDEST) / pixels.max(1e-6)).clamp(1.0, 1.0 / share.max(1e-6));
            }
            Distance::Buckets { count, range } => {
                let up = if tile.kind == KIND_MESH { blade.up.as_dvec3() } else { DVec3::Y };
                let along = (root - up * root.dot(up)).length();
                // floor(x) + r < n where x < n - r, for n - r is whole.
                let per_metre = f64::from(count) / f64::from(range);
                let left = f64::from(count - key % count);
                least = least.min((left - per_metre * along) / left.max(per_metre * distance));
            }
        }
    }
    if p.cull.facing && p.facing == Facing::Cull {
        least = least.min((EDGE_ON * distance - root.dot(blade.side().as_dvec3()).abs()) / distance);
    }
    if p.cull.frustum {
        let half_width = 0.5 * f64::from(blade.width) * factor;
        let points = [Vec3::ZERO, pose.guide, pose.tip].map(|q| view.inside(view.to_view(root + q.as_dvec3())));
        let scale = distance + f64::from(blade.height);
        for plane in 0..5 {
            let nearest = points.iter().map(|inside| inside[plane]).fold(f64::NEG_INFINITY, f64::max);
            let width = if plane < 4 { half_width } else { 0.0 };
            least = least.min((nearest + width) / scale);
        }
    }
    least
}
