//! A meadow in the frame of somebody else's renderer: `cargo run --release -p anemone --example host_scene` writes
//! `host_scene.png`. What the meadow needs is in `host.rs`: a camera, the host's depth and its map of shadows; what it gives
//! is light and depth laid over the host's frame, and its blades in the host's map.

#[path = "../common/mod.rs"]
mod common;
mod host;

use anemone::terrain::height::Ground;
use anemone::{Engine, Options};
use common::{Gpu, meadow};
use host::{FORMAT, HostScene};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let gpu = Gpu::open()?;
    let size = [1280, 720];
    let mut engine = Engine::new(&gpu.device, &gpu.queue, meadow(Ground::plane(0.0)), Options::default())?;
    let mut scene = HostScene::new(&gpu.device, size, &engine);
    let picture = gpu.target(size, FORMAT);
    // Two seconds of wind.
    for _ in 0..120 {
        engine.advance(1.0 / 60.0);
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        scene.draw(&mut encoder, &mut engine, &picture.create_view(&Default::default()))?;
        gpu.queue.submit([encoder.finish()]);
    }
    gpu.write(&picture, "host_scene.png")
}
