//! Levels of detail do not pop: as the camera walks up to blades, the outline that a level draws lies within half a pixel of
//! the one that it takes over from. The GPU picks the levels; the outlines are the ribbon's, in double precision.

use anemone::cull::reference::tiles;
use anemone::field::space::Position;
use anemone::glam::{DVec2, DVec3, Vec2, Vec3};
use anemone::motion::blade::{
    Blade, BladePose, SHAPE_QUAD, SHAPE_QUADRATIC, SHAPE_TIP, SHAPE_TRIANGLE, blade_half_width, blade_pose,
    blade_ridge, blade_row_with_turns, blade_turns, blade_unpack, blade_unpack_state,
};
use anemone::probe::Probe;
use anemone::terrain::height::Ground;
use anemone::{Camera, Cull, Forces, Population, Shape, Window};

use crate::support::{Drawn, gpu, lawn, look, world};

const SHAPES: [(Shape, u32); 5] = [
    (Shape::V, SHAPE_TRIANGLE),
    (Shape::Quad, SHAPE_QUAD),
    (Shape::Triangle, SHAPE_TRIANGLE),
    (Shape::Quadratic, SHAPE_QUADRATIC),
    (Shape::Tip { threshold: TIP }, SHAPE_TIP),
];
const WINDOW: Window = Window::whole([1280, 720]);
const TIP: f32 = 0.6;

/// A blade as it stands.
struct Standing {
    root: DVec3,
    blade: Blade,
    pose: BladePose,
    shape: u32,
    folded: bool,
}

/// A camera that projects in double precision.
struct Projection {
    eye: DVec3,
    axes: [DVec3; 3],
    focal: f64,
}

impl Projection {
    fn new(camera: &Camera) -> Self {
        let focal = 0.5 * f64::from(WINDOW.picture[1]) / (0.5 * f64::from(camera.fov)).tan();
        Self { eye: camera.eye, axes: camera.axes().map(Vec3::as_dvec3), focal }
    }

    fn view(&self, point: DVec3) -> DVec3 {
        DVec3::from_array(self.axes.map(|axis| axis.dot(point - self.eye)))
    }

    fn turn(&self, vector: DVec3) -> DVec3 {
        DVec3::from_array(self.axes.map(|axis| axis.dot(vector)))
    }

    /// Pixels from the middle, y up, of a point in view axes.
    fn flat(&self, q: DVec3) -> DVec2 {
        DVec2::new(q.x, q.y) * (self.focal / q.z)
    }

    fn pixel(&self, point: DVec3) -> DVec2 {
        self.flat(self.view(point))
    }
}

impl Standing {
    fn controls(&self) -> [DVec3; 3] {
        [Vec3::ZERO, self.pose.guide, self.pose.tip].map(|point| self.root + point.as_dvec3())
    }

    /// Wholly in the picture, and no nearer than where the finest level is taken anyway.
    fn is_inside(&self, projection: &Projection) -> bool {
        let half = 0.5 * DVec2::new(f64::from(WINDOW.size[0]), f64::from(WINDOW.size[1])) - 8.0;
        let inside = |point| projection.view(point).z > 0.1 && projection.pixel(point).abs().cmplt(half).all();
        self.controls().into_iter().all(inside)
    }

    /// Where it shows its other side, and which one shows at the root.
    fn turns(&self, projection: &Projection) -> (Vec2, f32) {
        let [a, b, c] = self.controls().map(|point| projection.view(point));
        let across = projection.turn(self.blade.side().as_dvec3());
        blade_turns(a.as_vec3(), (b - a).as_vec3(), (c - a).as_vec3(), across.as_vec3())
    }

    /// At how many turns `n` segments have rows. Twin of `count_turns` and of the room that `ribbon_of` leaves.
    fn count(&self, projection: &Projection, n: u32) -> u32 {
        let nearest = self.controls().into_iter().map(|point| projection.view(point).z).fold(f64::INFINITY, f64::min);
        let is_wide = 0.5 * f64::from(self.blade.width) * projection.focal >= 0.25 * nearest;
        let (turns, _) = self.turns(projection);
        let count = turns.to_array().into_iter().filter(|&v| v < 1.0 && is_wide).count() as u32;
        count.min((n - 1) / 2)
    }

    /// What n segments with rows at `count` turns draw, in pixels: a quadrilateral each, two where the blade is folded. Twin of
    /// `ribbon_row` and of the rows that `project` makes of it.
    fn quads(&self, projection: &Projection, [n, count]: [u32; 2]) -> Vec<[DVec2; 4]> {
        let [a, b, c] = self.controls().map(|point| projection.view(point));
        let across = projection.turn(self.blade.side().as_dvec3());
        let (turns, root_side) = self.turns(projection);
        let turns = turns.min(Vec2::ONE);
        let sections: Vec<[DVec2; 3]> = (0..=n)
            .map(|i| {
                let (v, facing) = blade_row_with_turns(self.shape, TIP, i, n, turns, count);
                let metres = f64::from(blade_half_width(self.shape, TIP, self.blade.width, v));
                let ridge = f64::from(blade_ridge(self.shape, TIP, self.blade.width, v));
                let v = f64::from(v);
                let q = a.lerp(b, v).lerp(b.lerp(c, v), v);
                let along = (b - a).lerp(c - b, v);
                let [left, right] = [q - across * metres, q + across * metres].map(|point| projection.flat(point));
                let middle = 0.5 * (left + right);
                let flat = 0.5 * (right - left);
                let t = (projection.flat(q + 1e-4 * along) - projection.flat(q - 1e-4 * along)).normalize();
                let perpendicular = t.perp();
                let side = flat.dot(perpendicular);
                let out = projection.flat(q + across.cross(along).normalize() * ridge) - middle;
                let out = if self.folded { out } else { DVec2::ZERO };
                let stands_out = out.dot(perpendicular);
                let seen = 0.5 * (side.abs().max(stands_out) + side.abs().max(-stands_out));
                let face_on = metres * projection.focal / q.z;
                let drawn = seen.max(face_on.min(0.5)).max(0.5);
                let is_right = if facing == 0.0 { side >= 0.0 } else { facing * root_side > 0.0 };
                let shear = if is_right { flat.dot(t) } else { -flat.dot(t) };
                let half = perpendicular * (side.abs() + drawn - seen) + t * shear;
                let fold = out * seen / drawn;
                [middle - half, middle + fold, middle + half]
            })
            .collect();
        let half = |from: usize, to: usize| {
            sections.windows(2).map(move |pair| [pair[0][from], pair[0][to], pair[1][to], pair[1][from]])
        };
        if self.folded { half(0, 1).chain(half(1, 2)).collect() } else { half(0, 2).collect() }
    }
}

/// How far a point lies outside of what is drawn.
fn outside(p: DVec2, quads: &[[DVec2; 4]]) -> f64 {
    let to_triangle = |corners: [DVec2; 3]| {
        let sides = [0, 1, 2].map(|i| (corners[(i + 1) % 3] - corners[i]).perp_dot(p - corners[i]));
        if sides.iter().all(|&side| side >= 0.0) || sides.iter().all(|&side| side <= 0.0) {
            return 0.0;
        }
        (0..3).map(|i| to_segment(p, corners[i], corners[(i + 1) % 3])).fold(f64::INFINITY, f64::min)
    };
    quads.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).map(to_triangle).fold(f64::INFINITY, f64::min)
}

fn to_segment(p: DVec2, a: DVec2, b: DVec2) -> f64 {
    let ab = b - a;
    let along = ((p - a).dot(ab) / ab.length_squared().max(1e-12)).clamp(0.0, 1.0);
    p.distance(a + ab * along)
}

/// The farthest that something which one of two draws lies outside of what the other draws. Points on all edges, those within
/// the outline too, so that a hole would be found.
fn apart(a: &[[DVec2; 4]], b: &[[DVec2; 4]]) -> f64 {
    beyond(a, b).max(beyond(b, a))
}

fn beyond(a: &[[DVec2; 4]], b: &[[DVec2; 4]]) -> f64 {
    let mut most = 0.0_f64;
    for [p, q, r, s] in a {
        for (from, to) in [(p, q), (q, r), (r, s), (s, p), (p, r)] {
            let steps = (from.distance(*to) * 2.0).ceil().clamp(1.0, 64.0);
            for i in 0..=steps as u32 {
                most = most.max(outside(from.lerp(*to, f64::from(i) / steps), b));
            }
        }
    }
    most
}

#[test]
fn outlines_move_less_than_half_a_pixel_where_levels_change() {
    let of = |(i, (shape, _)): (usize, (Shape, u32))| Population {
        seed: 20 + i as u32,
        shape,
        height: [0.1, 1.0],
        width: [0.002, 0.05],
        // From all but straight to bent over.
        stiffness: [1.5, 25.0],
        lean: [0.0, 0.6],
        cull: Cull { distance: false, occlusion: false, ..Cull::ALL },
        forces: Forces { wind: 2.0, ..Forces::default() },
        ..lawn(2.5, 60)
    };
    let mut engine =
        gpu().engine(world(Ground::plane(0.0), SHAPES.into_iter().enumerate().map(of).collect()), Default::default());
    let camera = |frame: f64| {
        let z = 7.0 - 0.02 * frame;
        look([0.1, 0.6, z], [0.0, 0.35, z - 2.0])
    };
    let list = |engine: &mut Drawn, camera: &Camera| -> Vec<[u32; 4]> {
        gpu().submit(|encoder| engine.list_items(encoder, camera, &WINDOW));
        let items: Vec<[u32; 4]> = gpu().read(engine.probe(Probe::Items));
        items[..gpu().counts(engine).items as usize].to_vec()
    };
    engine.advance(0.1);
    list(&mut engine, &camera(0.0));
    let tiles = tiles(&gpu().read::<u8>(engine.probe(Probe::Tiles)));
    let bodies = gpu().bodies(&engine);
    let (mut standing, mut kinds) = (Vec::new(), Vec::new());
    for (population, first, count, corner, extent) in tiles.boxes() {
        for body in &bodies[first as usize..(first + count) as usize] {
            let blade = blade_unpack(*body, Vec3::ZERO, extent);
            let root = Position { local: corner.local + blade.root, ..corner }.to_metres();
            let pose = blade_pose(blade.up, blade.height, blade_unpack_state(*body).tip, 0);
            let (kind, shape) = SHAPES[population as usize];
            kinds.push(population as usize);
            standing.push(Standing { root, blade, pose, shape, folded: kind == Shape::V });
        }
    }
    let mut before = vec![[0; 2]; standing.len()];
    let mut changes = [0_u32; SHAPES.len()];
    let mut turned = 0;
    let mut worst = 0.0_f64;
    let mut turns = Vec::new();
    for frame in 0..330 {
        let projection_at = |frame: f64| Projection::new(&camera(frame));
        let projection = projection_at(f64::from(frame));
        for item in list(&mut engine, &camera(f64::from(frame))) {
            let (body, segments) = (item[0] as usize, item[3] & 0x3f);
            let each = &standing[body];
            if !each.is_inside(&projection) {
                before[body] = [0; 2];
                continue;
            }
            let now = [segments, each.count(&projection, segments)];
            let old = std::mem::replace(&mut before[body], now);
            if old[0] == 0 || old == now {
                continue;
            }
            if old[1] == now[1] {
                let moved = apart(&each.quads(&projection, old), &each.quads(&projection, now));
                changes[kinds[body]] += 1;
                turned += u32::from(now[1] > 0);
                worst = worst.max(moved);
                let shape = each.shape;
                assert!(moved < 0.5, "frame {frame}, shape {shape}: from {old:?} to {now:?} segments by {moved} px");
                continue;
            }
            // A turn has come or gone at an end: just before and just after.
            let (mut earlier, mut later) = (f64::from(frame) - 1.0, f64::from(frame));
            while later - earlier > 1e-4 {
                let between = 0.5 * (earlier + later);
                let is_old = each.count(&projection_at(between), old[0]) == old[1];
                *(if is_old { &mut earlier } else { &mut later }) = between;
            }
            let [was, is] = [(earlier, old), (later, now)].map(|(at, drawn)| each.quads(&projection_at(at), drawn));
            turns.push(apart(&was, &is));
        }
    }
    let most = turns.iter().copied().fold(0.0, f64::max);
    eprintln!("changes of level by shape: {changes:?}, {turned} with a turn; outlines moved by {worst:.3} px at most");
    eprintln!("{} turns came or went at an end, outlines moved by {most:.3} px at most", turns.len());
    // An end that is seen edge-on is a pixel wide, and its corners change places, whatever the level.
    assert!(most < 1.1, "{most} px");
    assert!(changes.iter().all(|&changes| changes > 40) && turned > 50 && turns.len() > 50, "{changes:?} {turned}");
    assert!(worst > 0.05, "nothing moves: {worst}");
}
