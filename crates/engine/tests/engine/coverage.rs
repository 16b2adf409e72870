//! Thin ribbons cover what they should: the mean over 256 samples of one picture, from a twentieth of a pixel up.

use anemone::cull::reference::tiles;
use anemone::field::space::Position;
use anemone::glam::{DVec2, DVec3, Quat, Vec3};
use anemone::motion::blade::{Blade, blade_pose, blade_unpack, blade_unpack_state};
use anemone::probe::Probe;
use anemone::{Camera, Cull, Forces, Placement, Population, Shape, Window};

use crate::support::{Drawn, gpu, lawn, look, sphere};

const SAMPLES: u32 = 256;
/// Pixels that a metre at a metre's distance takes.
const FOCAL: f64 = 1800.0;

/// One stiff, straight blade: an engine, the blade as it is stored, and its ends in metres.
struct Ribbon {
    engine: Drawn,
    blade: Blade,
    root: DVec3,
    tip: DVec3,
}

impl Ribbon {
    fn new() -> Self {
        let population = Population {
            height: [1.0, 1.0],
            width: [0.008, 0.008],
            stiffness: [32.0, 32.0],
            lean: [0.0, 0.0],
            shape: Shape::Quad,
            placement: Placement::Surface { count: 1 },
            cull: Cull::NONE,
            forces: Forces { gravity: 0.0, wind: 0.0, ..Forces::default() },
            ..lawn(1.0, 1)
        };
        // On a small mesh, which takes a software driver less time than a height's grids, and lies below the root.
        let mut engine = gpu().engine(sphere(DVec3::ZERO, vec![population]), Default::default());
        gpu().draw(&mut engine, &look([0.0, 0.5, 4.0], [0.0, 0.5, 0.0]), &Window::whole([16, 16]), 1);
        let tiles = tiles(&gpu().read::<u8>(engine.probe(Probe::Tiles)));
        let (.., corner, extent) = tiles.boxes().next().expect("a tile");
        let body = gpu().bodies(&engine)[0];
        let blade = blade_unpack(body, Vec3::ZERO, extent);
        let pose = blade_pose(blade.up, blade.height, blade_unpack_state(body).tip, 0);
        let root = Position { local: corner.local + blade.root, ..corner }.to_metres();
        let tip = root + pose.tip.as_dvec3();
        // Straight, or its area would not be that of a quadrilateral.
        assert!(pose.tip.normalize().dot(blade.up) > 0.999_999_9, "{pose:?}");
        Self { engine, blade, root, tip }
    }

    /// Its four corners on the screen, pixels from the middle.
    fn corners(&self, camera: &Camera) -> [DVec2; 4] {
        let [right, up, forward] = camera.axes().map(Vec3::as_dvec3);
        let on_screen = |p: DVec3| {
            let q = p - camera.eye;
            DVec2::new(q.dot(right), q.dot(up)) * FOCAL / q.dot(forward)
        };
        let half = self.blade.side().as_dvec3() * 0.5 * f64::from(self.blade.width);
        [self.root - half, self.root + half, self.tip + half, self.tip - half].map(on_screen)
    }

    /// True area on the screen in pixels: the quadrilateral of its corners, by the shoelace formula.
    fn area(&self, camera: &Camera) -> f64 {
        let corners = self.corners(camera);
        (0..4).map(|i| corners[i].perp_dot(corners[(i + 1) % 4])).sum::<f64>().abs() * 0.5
    }

    /// Drawn area in pixels: the mean over the samples.
    fn drawn(&mut self, camera: &Camera) -> f64 {
        let size = self.size(camera);
        gpu().draw(&mut self.engine, camera, &Window::whole([size, size]), SAMPLES);
        let light: Vec<[f32; 4]> = gpu().read(self.engine.view.probe(Probe::Light));
        light.iter().map(|pixel| f64::from(pixel[3])).sum::<f64>() / f64::from(SAMPLES)
    }

    /// A camera that sees it `pixels` wide, from a direction off its front: turned towards its side, raised, and rolled
    /// (rad).
    fn camera(&self, pixels: f64, turn: f32, rise: f32, roll: f32) -> Camera {
        let blade = &self.blade;
        let direction = Quat::from_axis_angle(blade.up, turn) * blade.front;
        let direction = (direction * rise.cos() + blade.up * rise.sin()).as_dvec3();
        // What is left of its width when seen from there.
        let seen = f64::from(blade.width) * f64::from(turn.cos());
        let middle = 0.5 * (self.root + self.tip);
        let mut camera = Camera::look_at(middle + direction * (seen * FOCAL / pixels), middle, 0.1, 0.02);
        camera.up = Quat::from_axis_angle(camera.forward, roll) * blade.up;
        camera.fov = 2.0 * (0.5 * f64::from(self.size(&camera)) / FOCAL).atan() as f32;
        camera
    }

    /// Side of a picture that holds all of it.
    fn size(&self, camera: &Camera) -> u32 {
        let reach = self.corners(camera).map(|corner| corner.abs().max_element()).into_iter().fold(0.0, f64::max);
        2 * (reach.ceil() as u32 + 8)
    }
}

fn check(views: &[(f64, f32, f32, f32)]) {
    let mut ribbon = Ribbon::new();
    let mut wrong = Vec::new();
    for &(pixels, turn, rise, roll) in views {
        let camera = ribbon.camera(pixels, turn, rise, roll);
        let (drawn, area) = (ribbon.drawn(&camera), ribbon.area(&camera));
        let error = drawn / area - 1.0;
        eprintln!(
            "{pixels} px wide, turned {turn}, raised {rise}, rolled {roll}: {drawn:.4} of {area:.4}, {error:+.4}"
        );
        if error.abs() > 0.02 {
            wrong.push((pixels, turn, rise, roll, error));
        }
    }
    assert!(wrong.is_empty(), "(width in px, turn, rise, roll, relative error): {wrong:?}");
}

#[test]
fn upright_ribbons_face_on() {
    check(&[0.0529, 0.5, 3.0].map(|pixels| (pixels, 0.0, 0.0, 0.0)));
}

#[test]
fn slanted_ribbons() {
    check(&[
        (0.057, 0.0, 0.0, 0.5),
        (0.9, 0.0, 0.0, 0.3),
        // Seen from above, so that its width on the screen changes along it.
        (1.1, 0.0, 0.4, 0.7),
    ]);
}

#[test]
fn ribbons_turned_from_the_eye_keep_a_pixel_of_their_width() {
    // `facing = "widen"` turns what is narrower than a pixel back to the eye: only wider ones have their true area.
    check(&[(2.0, -0.9, 0.3, 0.5)]);
}
