//! Rust against the shader on a real adapter.

use anemone_twin::Twin;
use bytemuck::{Pod, Zeroable};
use glam::{Vec2, Vec3, Vec4, Vec4Swizzles};

use super::samples::Samples;
use crate::blade::*;

const MODULES: &[&[anemone_twin::Module]] = &[anemone_field::WESL, crate::WESL];

#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
struct MoveIn {
    law: BladeLaw,
    up: [f32; 3],
    height: f32,
    front: [f32; 3],
    stiffness: f32,
    gravity: [f32; 3],
    dt: f32,
    wind: [f32; 3],
    radius: f32,
    state: [f32; 4],
    a: [f32; 4],
    b: [f32; 4],
}

const MOVE_HEAD: &str = "
    import package::motion::blade::law::{Blade, BladeLaw, blade_side};
    import package::motion::blade::pose::{blade_pose, BladePose};
    import package::motion::blade::step::{blade_step, blade_catch_up, blade_rest, blade_substeps};
    import package::motion::blade::collide::blade_collide;
    import package::motion::blade::curve::blade_curve;
    struct Input {
        law: BladeLaw, up: vec3f, height: f32, front: vec3f, stiffness: f32, gravity: vec3f, dt: f32, wind: vec3f, radius: f32,
        state: vec4f, a: vec4f, b: vec4f,
    }
    fn blade_of(i: Input) -> Blade { return Blade(vec3f(0.0), i.height, i.up, 0.01, i.front, i.stiffness); }";

fn move_inputs(count: u32) -> Vec<MoveIn> {
    let mut samples = Samples(31);
    (0..count)
        .map(|k| {
            let blade = samples.blade();
            let law = if k % 3 == 0 { BladeLaw::vulkan() } else { BladeLaw::default() };
            let a = samples.vector(1.2 * blade.height);
            let b = if k % 2 == 0 { a } else { a + samples.vector(blade.height) };
            MoveIn {
                law,
                up: blade.up.to_array(),
                height: blade.height,
                front: blade.front.to_array(),
                stiffness: blade.stiffness,
                gravity: samples.vector(12.0).to_array(),
                dt: [1.0 / 120.0, 1.0 / 240.0, 0.03, 0.5][(k / 4) as usize % 4],
                wind: if k % 7 == 0 { [0.0; 3] } else { samples.vector(20.0).to_array() },
                radius: samples.range(0.05, 0.8) * blade.height,
                state: samples.vector(1.0).extend(samples.range(0.0, 1.2)).to_array(),
                a: a.extend(0.0).to_array(),
                b: b.extend(0.0).to_array(),
            }
        })
        .collect()
}

fn blade_of(i: &MoveIn) -> Blade {
    Blade {
        root: Vec3::ZERO,
        height: i.height,
        up: i.up.into(),
        width: 0.01,
        front: i.front.into(),
        stiffness: i.stiffness,
    }
}

fn xyz(v: [f32; 4]) -> Vec3 {
    Vec4::from_array(v).xyz()
}

#[test]
fn steps_and_poses_agree() {
    let root = format!(
        "{MOVE_HEAD}
        struct Output {{ step: vec4f, caught: vec4f, rest: vec4f, guide: vec4f, tip: vec4f, position: vec4f, tangent: vec4f, normal: vec4f }}
        fn evaluate(i: Input) -> Output {{
            let blade = blade_of(i);
            let pose = blade_pose(i.up, i.height, i.state.xyz, i.law.length_);
            let point = blade_curve(pose, blade_side(blade), fract(i.radius * 37.0));
            let substeps = blade_substeps(i.dt);
            return Output(
                blade_step(i.law, blade, i.gravity, i.wind, i.state, i.dt),
                blade_catch_up(i.law, blade, i.gravity, i.wind, i.state, i.dt * 4.0),
                blade_rest(i.law, blade, i.gravity),
                vec4f(pose.guide, f32(substeps.count)), vec4f(pose.tip, substeps.dt), vec4f(point.position, 0.0),
                vec4f(point.tangent, 0.0), vec4f(point.normal, 0.0));
        }}"
    );
    let inputs = move_inputs(6000);
    let outputs: Vec<[[f32; 4]; 8]> = Twin::open().evaluate(MODULES, &root, &inputs);
    for (i, output) in inputs.iter().zip(outputs) {
        let blade = blade_of(i);
        let (state, gravity, wind) = (Vec4::from_array(i.state), i.gravity.into(), i.wind.into());
        let pose = blade_pose(blade.up, i.height, state.xyz(), i.law.length);
        let point = blade_curve(pose, blade.side(), (i.radius * 37.0).fract());
        let (count, dt) = blade_substeps(i.dt);
        let step = blade_step(&i.law, &blade, gravity, wind, state, i.dt);
        assert!((step - Vec4::from_array(output[0])).abs().max_element() <= 4e-6, "{i:?} {step} {output:?}");
        let caught = blade_catch_up(&i.law, &blade, gravity, wind, state, i.dt * 4.0);
        // Sixteen steps, near a fork of the motion perhaps: rounding may grow a hundredfold.
        assert!((caught - Vec4::from_array(output[1])).abs().max_element() <= 5e-4, "{i:?} {caught} {output:?}");
        let rest = blade_rest(&i.law, &blade, gravity);
        assert!((rest - Vec4::from_array(output[2])).abs().max_element() <= 2e-5, "{i:?} {rest} {output:?}");
        let h = i.height;
        assert!((pose.guide - xyz(output[3])).abs().max_element() <= 2e-6 * h, "{pose:?} {output:?}");
        assert!((pose.tip - xyz(output[4])).abs().max_element() <= 2e-6 * h);
        assert_eq!((count as f32, dt), (output[3][3], output[4][3]));
        assert!((point.position - xyz(output[5])).abs().max_element() <= 2e-6 * h);
        assert!((point.tangent - xyz(output[6])).abs().max_element() <= 1e-4);
        // A normal is undefined where the tangent nearly lies along the width.
        let firm = point.tangent.cross(blade.side()).length();
        assert!(firm < 1e-3 || (point.normal - xyz(output[7])).abs().max_element() <= 3e-5 / firm);
    }
}

#[test]
fn the_published_vectors_come_out_of_the_shader() {
    let text = include_str!("../../../vectors/blade.json");
    let file: serde_json::Value = serde_json::from_str(text).unwrap();
    let number = |value: &serde_json::Value| value.as_f64().unwrap() as f32;
    let vector = |value: &serde_json::Value| [0, 1, 2].map(|i| number(&value[i]));
    let cases = file["cases"].as_array().unwrap();
    let inputs: Vec<[f32; 4]> = cases
        .iter()
        .map(|case| (Vec3::from_array(vector(&case["tip"])) / number(&case["h"])).extend(number(&case["h"])).to_array())
        .collect();
    let root = "
        import package::motion::blade::pose::blade_pose;
        struct Input { tip: vec3f, height: f32 }
        struct Output { guide: vec4f, tip: vec4f }
        fn evaluate(i: Input) -> Output {
            let pose = blade_pose(vec3f(0.0, 1.0, 0.0), i.height, i.tip, 1u);
            return Output(vec4f(pose.guide, 0.0), vec4f(pose.tip, 0.0));
        }";
    let outputs: Vec<[[f32; 4]; 2]> = Twin::open().evaluate(MODULES, root, &inputs);
    for (case, output) in cases.iter().zip(outputs) {
        assert!((Vec3::from_array(vector(&case["guide_expected"])) - xyz(output[0])).abs().max_element() <= 2e-6);
        assert!((Vec3::from_array(vector(&case["tip_expected"])) - xyz(output[1])).abs().max_element() <= 2e-6);
    }
}

#[test]
fn collisions_agree() {
    let root = format!(
        "{MOVE_HEAD}
        struct Output {{ state: vec4f }}
        fn evaluate(i: Input) -> Output {{
            return Output(blade_collide(i.law, blade_of(i), i.state, i.a.xyz, i.b.xyz, i.radius, i.dt));
        }}"
    );
    let inputs = move_inputs(6000);
    let outputs: Vec<[f32; 4]> = Twin::open().evaluate(MODULES, &root, &inputs);
    let (mut hits, mut forks) = (0, 0);
    for (i, output) in inputs.iter().zip(outputs) {
        let state = Vec4::from_array(i.state);
        let expected = blade_collide(&i.law, &blade_of(i), state, xyz(i.a), xyz(i.b), i.radius, i.dt);
        let output = Vec4::from_array(output);
        assert!(output.is_finite());
        hits += u32::from(expected != state);
        // Eta is arithmetic; the way out may fork where two ways are equally near.
        assert!((expected.w - output.w).abs() <= 1e-5, "{i:?} {expected} {output}");
        forks += u32::from((expected - output).abs().max_element() > 1e-4);
    }
    assert!(hits > 1500 && forks * 100 <= hits, "{hits} {forks}");
}

#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
struct PackIn {
    root: [f32; 3],
    yaw: f32,
    up: [f32; 3],
    height: f32,
    origin: [f32; 3],
    width: f32,
    extent: [f32; 3],
    stiffness: f32,
    tip: [f32; 3],
    trample: f32,
    previous: [f32; 3],
    bits: u32,
}

#[test]
fn bodies_agree() {
    let root = "
        import package::motion::blade::pack::{Body, BladeState, blade_pack, blade_pack_state, blade_unpack, blade_unpack_state};
        struct Input {
            root: vec3f, yaw: f32, up: vec3f, height: f32, origin: vec3f, width: f32, extent: vec3f, stiffness: f32,
            tip: vec3f, trample: f32, previous: vec3f, bits: u32,
        }
        struct Output { body: Body, root: vec3f, height: f32, up: vec3f, width: f32, front: vec3f, stiffness: f32, tip: vec3f, trample: f32, previous: vec3f, bits: u32 }
        fn evaluate(i: Input) -> Output {
            let still = blade_pack(i.root, i.up, i.yaw, i.height, i.width, i.stiffness, i.origin, i.extent);
            let body = blade_pack_state(still, BladeState(i.tip, i.trample, i.previous, i.bits >> 3u, i.bits & 7u), 0.5);
            let blade = blade_unpack(body, i.origin, i.extent);
            let state = blade_unpack_state(body);
            return Output(body, blade.root, blade.height, blade.up, blade.width, blade.front, blade.stiffness, state.tip, state.trample, state.previous, (state.visible << 3u) | state.level);
        }";
    let mut samples = Samples(41);
    let inputs: Vec<PackIn> = (0..8000)
        .map(|_| PackIn {
            root: [(); 3].map(|()| samples.range(-1.0, 65.0)),
            yaw: samples.range(-2.0, 2.0),
            up: samples.unit_vector().to_array(),
            height: samples.range(0.02, 4.2),
            origin: [0.0; 3],
            width: samples.range(0.0, 0.16),
            extent: [64.0; 3],
            stiffness: samples.range(0.5, 33.0),
            tip: samples.vector(1.0).to_array(),
            trample: samples.range(-0.1, 1.2),
            previous: samples.vector(2.5).to_array(),
            bits: samples.bits() & 15,
        })
        .collect();
    let outputs: Vec<[u32; 28]> = Twin::open().evaluate(MODULES, root, &inputs);
    let mut equal = 0;
    for (i, output) in inputs.iter().zip(outputs) {
        let (origin, extent) = (Vec3::from_array(i.origin), Vec3::from_array(i.extent));
        let still = blade_pack(i.root.into(), i.up.into(), i.yaw, i.height, i.width, i.stiffness, origin, extent);
        let state = BladeState {
            tip: i.tip.into(),
            trample: i.trample,
            previous: i.previous.into(),
            visible: i.bits >> 3,
            level: i.bits & 7,
        };
        let body = blade_pack_state(still, state, 0.5);
        equal += u32::from(body.words[..] == output[..8]);
        assert_eq!(body.words[3..6], output[3..6]);
        // What the shader packed, both read alike.
        let theirs = Body { words: output[..8].try_into().unwrap() };
        let (blade, state) = (blade_unpack(theirs, origin, extent), blade_unpack_state(theirs));
        let float = |k: usize| f32::from_bits(output[k]);
        let vector = |k: usize| Vec3::new(float(k), float(k + 1), float(k + 2));
        assert!((blade.root - vector(8)).abs().max_element() <= 8e-6);
        assert!((blade.height / float(11) - 1.0).abs() <= 2e-6 && (blade.width / float(15) - 1.0).abs() <= 2e-6);
        assert!((blade.stiffness / float(19) - 1.0).abs() <= 2e-6);
        assert!((blade.up - vector(12)).abs().max_element() <= 1e-6);
        assert!((blade.front - vector(16)).abs().max_element() <= 2e-6, "{} {}", blade.front, vector(16));
        assert_eq!((state.tip, state.trample), (vector(20), float(23)));
        assert_eq!((state.previous, state.visible << 3 | state.level), (vector(24), output[27]));
    }
    // Not all: a value half way between two codes may go to either.
    assert!(equal * 1000 >= inputs.len() as u32 * 995, "{equal}");
}

#[test]
fn outlines_and_levels_agree() {
    let root = "
        import package::motion::blade::shape::{blade_half_width, blade_ridge, blade_segments, blade_segment_count, blade_row};
        struct Input { a: vec2f, b: vec2f, c: vec2f, half_px: f32, tau: f32, shape: u32, row: u32 }
        struct Output { level: u32, count: u32, row: f32, half_width: f32, ridge: f32 }
        fn evaluate(i: Input) -> Output {
            let level = blade_segments(i.shape, i.tau, i.a, i.b, i.c, i.half_px, 0.25, i.row % 3u);
            let n = blade_segment_count(i.row);
            return Output(level, blade_segment_count(level), blade_row(i.shape, i.tau, n / 2u + 1u, n),
                blade_half_width(i.shape, i.tau, 0.02, i.tau * 0.9), blade_ridge(i.shape, i.tau, 0.02, i.tau * 1.1));
        }";
    let mut samples = Samples(51);
    let inputs: Vec<[f32; 10]> = (0..8000u32)
        .map(|k| {
            let size = samples.range(0.0, 6.0).exp();
            let mut p = || samples.range(-1.0, 1.0) * size;
            let [a, b, c, d, e, f] = [(); 6].map(|()| p());
            let (half, tau) = (samples.range(0.0, 30.0), samples.range(0.0, 1.0));
            [a, b, c, d, e, f, half, tau, f32::from_bits(k % 4), f32::from_bits(k / 4 % 8)]
        })
        .collect();
    let outputs: Vec<[u32; 5]> = Twin::open().evaluate(MODULES, root, &inputs);
    let mut differ = 0;
    for (i, output) in inputs.iter().zip(outputs) {
        let [a, b, c, d, e, f, half, tau, shape, row] = *i;
        let (shape, row) = (shape.to_bits(), row.to_bits());
        let points = [Vec2::new(a, b), Vec2::new(c, d), Vec2::new(e, f)];
        let level = blade_segments(shape, tau, points, half, 0.25, row % 3);
        let n = blade_segment_count(row);
        differ += u32::from(level != output[0]);
        assert_eq!(output[1], blade_segment_count(output[0]));
        assert!((blade_row(shape, tau, n / 2 + 1, n) - f32::from_bits(output[2])).abs() < 1e-6);
        assert!((blade_half_width(shape, tau, 0.02, tau * 0.9) - f32::from_bits(output[3])).abs() < 1e-7);
        // Just beyond a threshold of nearly one the taper is steep.
        assert!((blade_ridge(shape, tau, 0.02, tau * 1.1) - f32::from_bits(output[4])).abs() < 2e-7);
    }
    assert!(differ < 4, "{differ}");
}

#[test]
fn turns_and_their_rows_agree() {
    let root = "
        import package::motion::blade::turns::{BladeTurns, blade_turns, blade_row_with_turns};
        struct Input { root: vec3f, tau: f32, guide: vec3f, shape: u32, tip: vec3f, n: u32, across: vec3f, row: u32 }
        struct Output { at: vec2f, row: vec2f, side: f32, pad: f32 }
        fn evaluate(i: Input) -> Output {
            let turns = blade_turns(i.root, i.guide, i.tip, i.across);
            let count = u32(turns.at.x < 1.0) + u32(turns.at.y < 1.0);
            return Output(turns.at, blade_row_with_turns(i.shape, i.tau, i.row, i.n, turns.at, count), turns.side, 0.0);
        }";
    let mut samples = Samples(52);
    let inputs: Vec<[f32; 16]> = (0..8000u32)
        .map(|k| {
            let n = 5 + k % 20;
            let [a, b, c, d] = [samples.vector(4.0), samples.vector(1.0), samples.vector(1.0), samples.unit_vector()];
            let (tau, shape, row) =
                (samples.range(0.1, 0.9), f32::from_bits(k % 4), f32::from_bits(samples.bits() % (n + 1)));
            let n = f32::from_bits(n);
            [a.x, a.y, a.z, tau, b.x, b.y, b.z, shape, c.x, c.y, c.z, n, d.x, d.y, d.z, row]
        })
        .collect();
    let outputs: Vec<[f32; 6]> = Twin::open().evaluate(MODULES, root, &inputs);
    let (mut differ, mut turned) = (0, [0; 3]);
    for (i, output) in inputs.iter().zip(outputs) {
        let vector = |k: usize| Vec3::new(i[k], i[k + 1], i[k + 2]);
        let (turns, side) = blade_turns(vector(0), vector(4), vector(8), vector(12));
        let count = u32::from(turns.x < 1.0) + u32::from(turns.y < 1.0);
        let (row, facing) = blade_row_with_turns(i[7].to_bits(), i[3], i[15].to_bits(), i[11].to_bits(), turns, count);
        turned[count as usize] += 1;
        let wanted = [turns.x, turns.y, row, facing, side];
        // A turn at an end or one that hardly is one may be none by the other's rounding.
        differ += u32::from(wanted.iter().zip(output).any(|(a, b)| (a - b).abs() > 1e-4));
    }
    assert!(differ < 16 && turned.iter().all(|&turned| turned > 20), "{differ} {turned:?}");
}
