//! Light in stands: bodies and ground are as bright as what grows around them leaves them.

use anemone::glam::{DVec3, IVec2, Vec2, Vec3};
use anemone::terrain::height::Ground;
use anemone::{Camera, Clumps, Cull, Distance, Growth, Options, Placement, Population, Window};

use anemone_twin::Twin;

use crate::shadows::ground_light;
use crate::support::{gpu, lawn, world};

/// Mean light of the pixels that bodies fill, under the law of stands alone.
fn stand_light(populations: Vec<Population>) -> f64 {
    let mut engine =
        gpu().engine(world(Ground::plane(0.0), populations), Options { shadow_texels: Some(0), ..Options::default() });
    let camera = Camera::look_at(DVec3::new(0.0, 1.4, 1.4), DVec3::ZERO, 0.5, 0.02);
    gpu().draw(&mut engine, &camera, &Window::whole([160, 90]), 1);
    let layers = gpu().layers(&engine);
    let grass: Vec<f64> = (0..layers.light.len())
        .filter(|i| layers.opaque[*i][0] >= 128)
        .map(|i| f64::from(layers.light[i][1]))
        .collect();
    assert!(grass.len() > 600, "{} pixels of grass", grass.len());
    grass.iter().sum::<f64>() / grass.len() as f64
}

/// A body stands in the shade of what grows around it: of a tenth of a population where a tenth of it grows, and of all
/// populations where there are several.
#[test]
fn bodies_are_shaded_by_what_grows_around_them() {
    let meadow = |density, seed| Population {
        placement: Placement::Everywhere { density },
        width: [0.012, 0.016],
        distance: Distance::Rank { full_within: 3.0, range: 20.0 },
        seed,
        ..lawn(1.0, 0)
    };
    let growth = Growth { altitude: [0.304, f32::INFINITY], altitude_border: 1.0, ..Growth::default() };
    let share =
        f64::from(anemone::terrain::growth::site_share(IVec2::ZERO, Vec2::ZERO, Vec3::Y, 0.0, &growth.uniform()));
    assert!((share - 0.1).abs() < 0.005, "{share}");
    let (sparse, dense) = (stand_light(vec![meadow(400.0, 1)]), stand_light(vec![meadow(4000.0, 1)]));
    let of_many = stand_light(vec![Population { growth, ..meadow(4000.0, 1) }]);
    assert!((of_many / sparse - 1.0).abs() < 0.06, "{of_many} where a tenth of 4000 grows, {sparse} where 400 do");
    let of_two = stand_light(vec![meadow(2000.0, 1), meadow(2000.0, 2)]);
    assert!((of_two / dense - 1.0).abs() < 0.04, "{of_two} for two of 2000, {dense} for one of 4000");
}

/// Where bodies are gathered in tussocks far apart, the ground between them lies in the light, however many they are.
#[test]
fn ground_between_tussocks_is_lit() {
    let tussocks = Population {
        placement: Placement::Everywhere { density: 6000.0 },
        height: [1.0, 1.0],
        distance: Distance::Rank { full_within: 2.0, range: 60.0 },
        clumps: Some(Clumps { size: 40.0, jitter: 0.0, height: 0.0, facing: 0.0, fan: 0.0, gather: 0.9, color: 0.0 }),
        ..lawn(1.0, 0)
    };
    // Half way between four centres, straight down from 12 m, where the map does not reach all.
    let light = |populations| {
        let world = world(Ground::plane(0.0), populations);
        let mut engine = gpu().engine(world, Options { shadow_texels: Some(0), ..Options::default() });
        let camera =
            Camera { eye: DVec3::new(0.0, 12.0, 0.0), forward: Vec3::NEG_Y, up: Vec3::NEG_Z, fov: 0.5, near: 0.02 };
        gpu().draw(&mut engine, &camera, &Window::whole([64, 64]), 1);
        let light: Vec<f32> = ground_light(&engine).into_iter().flatten().collect();
        assert!(light.len() > 2000, "{} pixels of ground", light.len());
        light.iter().sum::<f32>() / light.len() as f32
    };
    let (bare, between) = (light(Vec::new()), light(vec![tussocks]));
    assert!(between > 0.8 * bare && between < 1.2 * bare, "{between} between tussocks, {bare} bare");
}

/// So too where blades lean every way and the sun stands low: a stand's axis is the ground's normal, not each blade's own.
#[test]
fn the_map_agrees_with_the_law_of_leaning_stands() {
    for degrees in [5.0_f32, 10.0] {
        let lit = |texels| {
            let stand = Population { lean: [0.1, 1.1], width: [0.012, 0.018], cull: Cull::NONE, ..lawn(9.0, 90_000) };
            let mut world = world(Ground::plane(0.0), vec![stand]);
            let (up, level) = degrees.to_radians().sin_cos();
            world.sun.direction = Vec3::new(0.9 * level, up, -0.436 * level).normalize();
            let mut engine = gpu().engine(world, Options { shadow_texels: Some(texels), ..Options::default() });
            let camera = Camera::look_at(DVec3::new(0.0, 1.2, 4.0), DVec3::new(0.0, 0.2, 0.0), 0.3, 0.02);
            gpu().draw(&mut engine, &camera, &Window::whole([96, 54]), 4);
            let light = gpu().layers(&engine).light;
            let grass: Vec<f32> = light.iter().filter(|pixel| pixel[3] > 3.0).map(|pixel| pixel[1]).collect();
            assert!(grass.len() > 3000, "{} pixels of grass", grass.len());
            grass.iter().sum::<f32>() / grass.len() as f32
        };
        let (law, map) = (lit(0), lit(2048));
        assert!((law / map - 1.0).abs() < 0.13, "sun at {degrees}°: {law} by the law, {map} by the map");
    }
}

/// What plants bodies and reads them again, and what that imports.
const BODIES: &[(&str, &str)] = &[
    ("package::engine::frame", include_str!("../../src/frame.wesl")),
    ("package::engine::motion::body", include_str!("../../src/motion/body.wesl")),
    ("package::engine::place::key", include_str!("../../src/place/key.wesl")),
    ("package::engine::place::share", include_str!("../../src/place/share.wesl")),
    ("package::engine::population", include_str!("../../src/population.wesl")),
    ("package::engine::tile", include_str!("../../src/tile.wesl")),
];

/// The ground's normal is found again from a body that leans off it, in a fan or by itself: to two degrees on the mean.
#[test]
fn the_normal_below_a_body_is_found_from_its_lean() {
    let root = "
        import package::engine::motion::body::{Planted, Posed, plant, normal_below};
        import package::engine::population::Population;
        import package::engine::tile::Tile;
        import package::ground::clump::Clump;
        import package::motion::blade::law::blade_side;
        import package::motion::blade::pack::blade_unpack;
        struct Input { slope: f32, toward: f32, fan: f32, key: u32 }
        struct Output { off: f32, lean: f32 }
        fn evaluate(i: Input) -> Output {
            var p: Population;
            p.height = vec2f(0.2, 0.3);
            p.width = vec2f(0.004, 0.006);
            p.stiffness = vec2f(8.0, 12.0);
            p.lean = vec2f(0.1, 1.0);
            p.clump_fan = i.fan;
            p.clumps.size = 0.5;
            var tile: Tile;
            tile.extent = vec3f(1.0);
            let level = sin(i.slope) * vec2f(cos(i.toward), sin(i.toward));
            let normal = vec3f(level.x, cos(i.slope), level.y);
            let clump = Clump(i.key ^ 77u, vec2f(0.11, -0.07));
            let blade = blade_unpack(plant(tile, p, Planted(vec3f(0.5), normal, clump, i.key, true)), vec3f(0.0), tile.extent);
            var posed: Posed;
            posed.up = blade.up;
            posed.across = blade_side(blade);
            posed.key = i.key;
            let found = normal_below(p, posed, length(clump.to_centre) / p.clumps.size);
            return Output(acos(min(dot(found, normal), 1.0)), acos(min(dot(blade.up, normal), 1.0)));
        }";
    let inputs: Vec<[u32; 4]> = (0..4000_u32)
        .map(|i| {
            let [slope, toward, fan] = [0.6 * ((i % 20) as f32 / 20.0), i as f32 * 0.7, (i % 3) as f32 * 0.5];
            [slope.to_bits(), toward.to_bits(), fan.to_bits(), i.wrapping_mul(2_654_435_761)]
        })
        .collect();
    let modules = &[anemone::field::WESL, anemone::terrain::WESL, anemone::motion::WESL, BODIES];
    let out: Vec<[f32; 2]> = Twin::open().evaluate(modules, root, &inputs);
    let mean = |i: usize| out.iter().map(|pair| pair[i]).sum::<f32>() / out.len() as f32;
    let most = out.iter().map(|pair| pair[0]).fold(0.0, f32::max);
    assert!(mean(1) > 0.4, "bodies lean by {} rad", mean(1));
    assert!(mean(0) < 0.035 && most < 0.3, "off by {} rad, {most} at most", mean(0));
}
