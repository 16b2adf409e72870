//! A world whose light and wind change while it is drawn.

use anemone::field::wind::{Kind, Source, Wind};
use anemone::glam::Vec3;
use anemone::terrain::height::Ground;
use anemone::{Options, Sun, Timing, View, Window, World};

use crate::support::{Drawn, gpu, lawn, look, world};

/// A sun that moves, wherever it stood before, lights the picture as one that always stood there, to the bit; and several
/// drawings in one submission each have their own.
#[test]
fn a_sun_that_moves_is_as_good_as_one_that_stood_there() {
    let window = Window::whole([96, 54]);
    let camera = look([0.0, 0.5, 2.0], [0.0, 0.1, 0.0]);
    let under = |sun: Sun| World { sun, ..world(Ground::plane(0.0), vec![lawn(3.0, 600)]) };
    let noon = under(world(Ground::plane(0.0), Vec::new()).sun).sun;
    let evening = Sun {
        direction: Vec3::new(-0.9, 0.15, 0.4).normalize(),
        visibility: 9000.0,
        light: Vec3::new(1.0, 0.8, 0.7),
        ..noon
    };
    let draw = |engine: &mut Drawn| {
        gpu().draw(engine, &camera, &window, 1);
        gpu().layers(engine)
    };
    let [expected_noon, expected_evening] =
        [noon, evening].map(|sun| draw(&mut gpu().engine(under(sun), Options::default())));
    assert!(expected_noon.light != expected_evening.light);

    let mut engine = gpu().engine(under(evening), Options::default());
    draw(&mut engine);
    engine.set_sun(noon).expect("a good sun");
    draw(&mut engine).assert_equal(&expected_noon, "after the evening");
    // The last to be told before a drawing counts, and what changes its light alone too.
    engine.set_sun(Sun { sky: 0.2, ..evening }).expect("a good sun");
    engine.set_sun(evening).expect("a good sun");
    engine.set_exposure(1.5).expect("good stops");
    draw(&mut engine).assert_equal(&expected_evening, "after noon");
    let exposure = engine.light().exposure;
    engine.set_exposure(0.0).expect("good stops");
    assert!((exposure / engine.light().exposure - 1.5_f32.exp2()).abs() < 1e-4);

    // Two in one submission.
    let mut other = gpu().engine(under(evening), Options::default());
    (other.view.camera, other.view.window) = (camera, window);
    let mut second = View::new(camera, window);
    let Drawn { engine, view } = &mut other;
    gpu().submit(|encoder| {
        engine.draw(view, encoder, Timing::None).expect("the window fits");
        engine.set_sun(noon).expect("a good sun");
        engine.draw(&mut second, encoder, Timing::None).expect("the window fits");
    });
    gpu().layers(&other).assert_equal(&expected_evening, "the first of two");
    let second = Drawn { engine: other.engine, view: second };
    gpu().layers(&second).assert_equal(&expected_noon, "the second of two");

    let mut engine = gpu().engine(under(noon), Options::default());
    assert!(engine.set_sun(Sun { direction: Vec3::ZERO, ..noon }).is_err() && engine.set_exposure(f32::NAN).is_err());
    draw(&mut engine).assert_equal(&expected_noon, "after a refusal");
}

/// A wind that is set anew each frame, with its sources in another order, blows as one that was left alone; and one that dies
/// down lets the grass stand up.
#[test]
fn a_wind_that_is_set_anew_blows_on() {
    let window = Window::whole([64, 36]);
    let camera = look([0.0, 0.5, 2.0], [0.0, 0.1, 0.0]);
    let gust = |name: &str, speed: f32, seed: u32| {
        let velocity = Vec3::new(speed, 0.0, 0.4 * speed);
        let (along, across) = (0.4, 0.2);
        let kind = Kind::Gusts { velocity, wavelength: 3.0, octaves: 3, gain: 0.5, along, across, scroll: 1.0, seed };
        Source { name: name.into(), ..Source::new(kind) }
    };
    let [a, b] = [gust("a", 3.0, 1), gust("b", 2.0, 2)];
    let start = || {
        let wind = Wind { sources: vec![a.clone(), b.clone()] };
        gpu().engine(World { wind, ..world(Ground::plane(0.0), vec![lawn(3.0, 600)]) }, Options::default())
    };
    let draw = |engine: &mut Drawn| {
        engine.advance(1.0 / 30.0);
        gpu().draw(engine, &camera, &window, 1);
    };
    let (mut alone, mut anew) = (start(), start());
    for _ in 0..6 {
        draw(&mut alone);
        anew.set_winds(Wind { sources: vec![a.clone(), b.clone()] }).expect("a good wind");
        draw(&mut anew);
    }
    gpu().layers(&anew).assert_equal(&gpu().layers(&alone), "set anew");

    // In the other order the sum is rounded otherwise, and no more than that.
    let tips = |engine: &Drawn| -> Vec<Vec3> {
        gpu().bodies(engine).into_iter().map(|body| anemone::motion::blade::blade_unpack_state(body).tip).collect()
    };
    let farthest = |a: &[Vec3], b: &[Vec3]| a.iter().zip(b).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max);
    anew.set_winds(Wind { sources: vec![b.clone(), a.clone()] }).expect("a good wind");
    let before = tips(&alone);
    draw(&mut alone);
    draw(&mut anew);
    assert!(farthest(&before, &tips(&alone)) > 3e-3, "the wind moves nothing");
    assert!(farthest(&tips(&anew), &tips(&alone)) < 1e-3, "{}", farthest(&tips(&anew), &tips(&alone)));

    let too_many = Wind { sources: vec![a.clone(); 9] };
    assert!(anew.set_winds(too_many).is_err());
    assert!(anew.set_winds(Wind { sources: vec![gust("a", f32::NAN, 1)] }).is_err());
    assert_eq!(anew.world().wind.sources.len(), 2, "a refusal leaves the wind");
}
