//! Motion vectors are differences of positions: of bodies that bend in gusts, of the ground and of the sky, under a camera that
//! walks, turns and zooms.

use anemone::Camera;
use anemone::cull::reference::tiles;
use anemone::field::space::Position;
use anemone::glam::{DVec2, DVec3, Vec3};
use anemone::motion::blade::{
    Blade, BladePose, SHAPE_QUADRATIC, SHAPE_TRIANGLE, blade_half_width, blade_pose, blade_ridge, blade_unpack,
    blade_unpack_state,
};
use anemone::probe::Probe;
use anemone::terrain::height::Ground;
use anemone::{Cull, Population, Shape, Window};

use crate::support::{Drawn, gpu, gusts, half, lawn, look, world};

const WINDOW: Window = Window::whole([192, 108]);

/// Projects in double precision: pixels from the optical axis, y down, and the distance ahead.
struct Projection {
    camera: Camera,
    focal: f64,
}

impl Projection {
    fn new(camera: &Camera) -> Self {
        let focal = 0.5 * f64::from(WINDOW.picture[1]) / (0.5 * f64::from(camera.fov)).tan();
        Self { camera: *camera, focal }
    }

    fn flat(&self, direction: DVec3) -> DVec2 {
        let [x, y, z] = self.camera.axes().map(|axis| axis.as_dvec3().dot(direction));
        DVec2::new(x, -y) * self.focal / z
    }

    fn pixel(&self, point: DVec3) -> DVec2 {
        self.flat(point - self.camera.eye)
    }

    fn ray(&self, from_axis: DVec2) -> DVec3 {
        let [right, up, forward] = self.camera.axes().map(Vec3::as_dvec3);
        right * from_axis.x - up * from_axis.y + forward * self.focal
    }
}

/// A blade as it stood in a drawing.
#[derive(Clone)]
struct Standing {
    root: DVec3,
    blade: Blade,
    pose: BladePose,
}

/// Of each body of the pool, whether it is folded and how it stands.
fn standing(engine: &Drawn, folded: &[bool]) -> Vec<Option<(bool, Standing)>> {
    let tiles = tiles(&gpu().read::<u8>(engine.probe(Probe::Tiles)));
    let bodies = gpu().bodies(engine);
    let mut out = vec![None; bodies.len()];
    for (population, first, count, corner, extent) in tiles.boxes() {
        for i in first..first + count {
            let body = bodies[i as usize];
            let blade = blade_unpack(body, Vec3::ZERO, extent);
            let root = Position { local: corner.local + blade.root, ..corner }.to_metres();
            let pose = blade_pose(blade.up, blade.height, blade_unpack_state(body).tip, 0);
            out[i as usize] = Some((folded[population as usize], Standing { root, blade, pose }));
        }
    }
    out
}

impl Standing {
    /// The place a part v along the blade and u across it, from -1 to 1.
    fn place(&self, folded: bool, v: f64, u: f64) -> DVec3 {
        let [b, c] = [self.pose.guide, self.pose.tip].map(Vec3::as_dvec3);
        let shape = if folded { SHAPE_TRIANGLE } else { SHAPE_QUADRATIC };
        let side = self.blade.side().as_dvec3();
        let half = f64::from(blade_half_width(shape, 0.0, self.blade.width, v as f32));
        let middle = DVec3::ZERO.lerp(b, v).lerp(b.lerp(c, v), v);
        let mut at = self.root + middle + side * (half * u);
        if folded {
            let ridge = f64::from(blade_ridge(shape, 0.0, self.blade.width, v as f32));
            at -= side.cross(b.lerp(c - b, v)).normalize() * (ridge * (1.0 - u.abs()));
        }
        at
    }
}

/// The motion of every pixel, by the GPU.
fn motion(engine: &Drawn) -> Vec<DVec2> {
    let pairs: Vec<[u16; 2]> = gpu().read(engine.view.motion_buffer().expect("something was drawn"));
    pairs.into_iter().map(|pair| DVec2::from(pair.map(|bits| f64::from(half(bits))))).collect()
}

#[test]
fn motion_vectors_are_differences_of_positions() {
    let blades = |shape, seed| Population {
        shape,
        seed,
        height: [0.2, 0.5],
        width: [0.03, 0.06],
        stiffness: [4.0, 9.0],
        cull: Cull { distance: false, ..Cull::ALL },
        ..lawn(2.0, 60)
    };
    let mut world = world(Ground::plane(0.0), vec![blades(Shape::Quadratic, 1), blades(Shape::V, 2)]);
    world.wind = gusts(9.0);
    let mut engine = gpu().engine(world, Default::default());
    engine.view.motion = true;
    let from = look([0.1, 0.6, 1.7], [0.0, 0.2, 0.0]);
    let mut to = look([0.13, 0.58, 1.66], [0.02, 0.21, 0.0]);
    to.fov *= 0.98;
    for _ in 0..20 {
        engine.advance(1.0 / 60.0);
        gpu().draw(&mut engine, &from, &WINDOW, 1);
    }
    let folded = [false, true];
    let before = standing(&engine, &folded);
    engine.advance(1.0 / 60.0);
    gpu().draw(&mut engine, &to, &WINDOW, 1);
    let now = standing(&engine, &folded);
    let layers = gpu().layers(&engine);
    let items: Vec<[u32; 4]> = gpu().read(engine.probe(Probe::Items));
    let motion = motion(&engine);
    let (was, is) = (Projection::new(&from), Projection::new(&to));
    let (mut bodies, mut ground, mut sky) = (Vec::new(), Vec::new(), Vec::new());
    for (at, [payload, depth]) in layers.opaque.iter().enumerate() {
        let pixel = DVec2::new((at as u32 % WINDOW.size[0]) as f64 + 0.5, (at as u32 / WINDOW.size[0]) as f64 + 0.5);
        let from_axis = pixel - 0.5 * DVec2::new(f64::from(WINDOW.size[0]), f64::from(WINDOW.size[1]));
        let ray = is.ray(from_axis);
        if *depth == 0 {
            sky.push((motion[at] - (was.flat(ray) - from_axis)).length());
        } else if layers.partial[at][1] > *depth {
            // Two surfaces in one pixel.
        } else if *payload < 128 {
            let point = to.eye - ray * (to.eye.y / ray.y);
            ground.push((motion[at] - (was.pixel(point) - from_axis)).length());
        } else {
            let body = items[((payload >> 7) - 1) as usize][0] as usize;
            let (folded, stands) = now[body].as_ref().expect("it is drawn");
            let stood = &before[body].as_ref().expect("it was there").1;
            // The nearest of the places that the pixel may show.
            let mut nearest = (f64::INFINITY, f64::INFINITY, DVec2::ZERO);
            for i in 0..=600 {
                let v = f64::from(i) / 600.0;
                for [low, high] in [[-1.0, 0.0], [0.0, 1.0]] {
                    let [a, b] = [low, high].map(|u| is.pixel(stands.place(*folded, v, u)));
                    let s = ((from_axis - a).dot(b - a) / (b - a).length_squared()).clamp(0.0, 1.0);
                    let u = low + s * (high - low);
                    let place = stands.place(*folded, v, u);
                    let off = is.pixel(place).distance(from_axis);
                    let far = place.distance(to.eye);
                    if off < 0.15 && far < nearest.1 || nearest.0 >= 0.15 && off < nearest.0 {
                        nearest = (off, far, was.pixel(stood.place(*folded, v, u)) - is.pixel(place));
                    }
                }
            }
            // Pixels of the rim show what lies beside the blade itself: it is drawn half a pixel wide at least.
            if nearest.0 < 0.15 {
                bodies.push(((motion[at] - nearest.2).length(), nearest.2.length()));
            }
        }
    }
    bodies.sort_by(|a, b| a.0.total_cmp(&b.0));
    let share = |part: f64| bodies[(part * (bodies.len() - 1) as f64) as usize].0;
    let fastest = bodies.iter().map(|body| body.1).fold(0.0, f64::max);
    let largest = |errors: &[f64]| errors.iter().copied().fold(0.0, f64::max);
    eprintln!(
        "{} pixels of bodies, up to {fastest:.2} px: off by {:.4} px at the median, {:.4} at 99 %, {:.4} at most; \
         {} of the ground by {:.4} at most, {} of the sky by {:.4}",
        bodies.len(),
        share(0.5),
        share(0.99),
        share(1.0),
        ground.len(),
        largest(&ground),
        sky.len(),
        largest(&sky),
    );
    assert!(bodies.len() > 1000 && ground.len() > 1000 && sky.len() > 500);
    assert!(fastest > 1.0, "nothing moves");
    // Of movements of up to ten pixels, kept in 16 bits each.
    assert!(share(0.5) < 0.015 && share(0.99) < 0.1);
    assert!(largest(&ground) < 0.01 && largest(&sky) < 0.01);
}

#[test]
fn what_stands_still_has_no_motion() {
    let mut world = world(Ground::plane(0.0), vec![lawn(2.0, 400)]);
    world.wind = gusts(9.0);
    let mut engine = gpu().engine(world, Default::default());
    engine.view.motion = true;
    let camera = look([0.1, 0.6, 1.7], [0.0, 0.2, 0.0]);
    for _ in 0..3 {
        engine.advance(1.0 / 60.0);
        gpu().draw(&mut engine, &camera, &WINDOW, 1);
    }
    assert!(motion(&engine).iter().any(|moved| moved.length() > 0.1), "gusts move nothing");
    // Time stands still: what the bodies did before it stopped is over.
    gpu().draw(&mut engine, &camera, &WINDOW, 1);
    let most = motion(&engine).iter().map(|moved| moved.length()).fold(0.0, f64::max);
    assert!(most < 1e-3, "{most} px");
}
