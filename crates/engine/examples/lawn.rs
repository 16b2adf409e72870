//! The shortest use: a lawn in a breeze, `cargo run --release -p anemone --example lawn` writes `lawn.png`. In a game the
//! device, the encoder and the target are those of the game's frame.

mod common;

use anemone::glam::DVec3;
use anemone::terrain::height::Ground;
use anemone::{Camera, Engine, Options, Presenter, Timing, View, Window, wgpu};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let gpu = common::Gpu::open()?;
    let mut engine = Engine::new(&gpu.device, &gpu.queue, common::meadow(Ground::plane(0.0)), Options::default())?;
    let presenter = Presenter::new(&gpu.device, wgpu::TextureFormat::Rgba8UnormSrgb);
    let camera = Camera::look_at(DVec3::new(0.0, 0.5, 2.0), DVec3::new(0.0, 0.2, 0.0), 0.8, 0.02);
    let mut view = View::new(camera, Window::whole([1280, 720]));
    let picture = gpu.target([1280, 720], wgpu::TextureFormat::Rgba8UnormSrgb);
    for _ in 0..60 {
        engine.advance(1.0 / 60.0);
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        engine.draw(&mut view, &mut encoder, Timing::None)?;
        engine.present(&view, &mut encoder, &presenter, &picture.create_view(&Default::default()));
        gpu.queue.submit([encoder.finish()]);
    }
    gpu.write(&picture, "lawn.png")
}
