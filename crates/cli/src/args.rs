//! The command line's grammar.

use std::path::PathBuf;

use anemone_scene::{Quality, Render, Scene, SceneError, Species};
use clap::builder::PossibleValuesParser;
use clap::{Args as ClapArgs, Parser, Subcommand};

use crate::frames::Frames;

/// Very many thin bodies in one wind, on the GPU.
#[derive(Debug, Parser)]
#[command(name = "anemone", version, after_help = EXIT_CODES)]
pub struct Args {
    #[command(subcommand)]
    pub command: Command,
}

const EXIT_CODES: &str = "\
Exit codes: 0 done; 1 the machine failed (no GPU, a lost device, a full disk); 2 a mistake in the scene or on the
command line; 130 a film was stopped by Ctrl-C. Nothing is written unless it is whole.";

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Draw a scene to a picture, or to a film.
    #[command(after_help = "\
Examples:
  anemone render assets/scenes/meadow.toml -o meadow.png
  anemone render scene.toml -o still.png --size 1920x1080 --samples 64 --time 2.5
  anemone render scene.toml -o sparse.png --set population.meadow.density=500
  anemone render scene.toml --frames 1-240 -o shot.####.png
  anemone render scene.toml --frames 1-96 --fps 24 -o meadow.mp4
  anemone render scene.toml --frames 1-48 -o shot.####.exr

A film begins `render.settle` seconds before its frame 1 and goes through every frame in the same steps, whichever are
wanted. So frame 240 alone is the same to the bit as in the whole film, and costs the motion and the culling of the 239
before it: on a software driver about half of drawing them, and that of `render.settle` seconds.")]
    Render(RenderArgs),
    /// Measure how long a scene's frames take, and count what is drawn.
    #[command(after_help = "\
Examples:
  anemone bench assets/scenes/meadow.toml --size 1920x1080
  anemone bench scene.toml --frames 200 --json > result.json")]
    Bench(Bench),
    /// List the machine's adapters, and what Anemone makes of each.
    Info(Info),
    /// List the species of grass that a scene may name, or print one as a table for a scene.
    #[command(after_help = "\
Examples:
  anemone presets
  anemone presets fescue >> scene.toml")]
    Presets(Presets),
    /// Print hashes of everything that drawings leave behind, to compare two builds on one machine. For developers.
    #[command(hide = true)]
    Bits(Bits),
}

/// Which scene, and what to change in it.
#[derive(Debug, ClapArgs)]
pub struct SceneArgs {
    /// The scene, a TOML file.
    pub scene: PathBuf,
    /// Change a value of the scene, such as population.meadow.density=500; may be given several times.
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub sets: Vec<String>,
    /// Use this one of the scene's cameras.
    #[arg(long, value_name = "NAME")]
    pub camera: Option<String>,
    /// Size of the picture in pixels, such as 1920x1080.
    #[arg(long, value_name = "WxH", value_parser = parse_size, allow_hyphen_values = true)]
    pub size: Option<[u32; 2]>,
    /// Use the first adapter whose name contains this.
    #[arg(long, value_name = "NAME")]
    pub adapter: Option<String>,
    /// How much work goes into a picture: low, medium, high or ultra.
    #[arg(long, value_parser = PossibleValuesParser::new(Quality::all().map(Quality::name)))]
    pub quality: Option<String>,
    /// Rasterise with 32-bit atomics in two passes, even where 64-bit ones are to be had. The picture is the same.
    #[arg(long)]
    pub narrow: bool,
}

impl SceneArgs {
    /// The scene, with what the command line says otherwise.
    pub fn load(&self) -> Result<Scene, SceneError> {
        let mut scene = anemone_scene::load(&self.scene, &self.sets)?;
        if let Some(quality) = self.quality.as_deref().and_then(Quality::named) {
            scene.render.quality = quality;
        }
        Ok(scene)
    }
}

/// `anemone render`
#[derive(Debug, ClapArgs)]
pub struct RenderArgs {
    #[command(flatten)]
    pub scene: SceneArgs,
    /// The picture to write, .png or .exr: a new file, or an ordinary one that may be replaced. A link is written through. With
    /// --frames: files such as shot.####.png or shot.####.exr, a number for each ####; or a film, .apng, .gif, or through
    /// ffmpeg .mp4 or .webm. OpenEXR holds linear light before the film curve, in 16-bit floats.
    #[arg(short, long, value_name = "FILE")]
    pub output: PathBuf,
    /// Draw these frames of a film: 1-240, or every second one, 1-240x2, or one alone, 37.
    #[arg(long, value_name = "FIRST-LAST", value_parser = Frames::parse, allow_hyphen_values = true)]
    pub frames: Option<Frames>,
    /// Frames a second.
    #[arg(long, value_name = "N", value_parser = parse_fps, allow_negative_numbers = true)]
    pub fps: Option<f64>,
    /// Keep the frames that are there already, if they are of this very scene, and draw the others.
    #[arg(long, requires = "frames")]
    pub resume: bool,
    /// The scene's time, s; of a film, that of its frame 1.
    #[arg(long, value_name = "S", value_parser = parse_time, allow_negative_numbers = true)]
    pub time: Option<f64>,
    /// How long the shutter is open, s: what moves meanwhile is blurred.
    #[arg(long, value_name = "S", value_parser = parse_shutter, allow_negative_numbers = true)]
    pub shutter: Option<f64>,
    /// Cull as this one of the scene's cameras would, to see from elsewhere what is left out.
    #[arg(long, value_name = "NAME")]
    pub cull_camera: Option<String>,
    /// Samples a pixel.
    #[arg(long, value_name = "N", value_parser = parse_samples, allow_negative_numbers = true)]
    pub samples: Option<u32>,
    /// Print nothing but mistakes.
    #[arg(short, long)]
    pub quiet: bool,
}

/// `anemone bench`
#[derive(Debug, ClapArgs)]
pub struct Bench {
    #[command(flatten)]
    pub scene: SceneArgs,
    /// Frames that are measured, after as many as a quarter of them to warm up.
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = parse_frames, allow_negative_numbers = true)]
    pub frames: u32,
    /// Print JSON.
    #[arg(long)]
    pub json: bool,
    /// Move every body each frame, in view or not.
    #[arg(long)]
    pub always_awake: bool,
}

/// `anemone info`
#[derive(Debug, ClapArgs)]
pub struct Info {
    /// Print JSON.
    #[arg(long)]
    pub json: bool,
}

/// `anemone presets`
#[derive(Debug, ClapArgs)]
pub struct Presets {
    /// Print this one's keys, with their sources.
    #[arg(value_parser = PossibleValuesParser::new(Species::all().map(Species::name)))]
    pub name: Option<String>,
}

/// `anemone bits`
#[derive(Debug, ClapArgs)]
pub struct Bits {
    /// The scenes; each camera of each is drawn.
    #[arg(required = true)]
    pub scenes: Vec<PathBuf>,
    /// Size of each picture in pixels.
    #[arg(long, value_name = "WxH", value_parser = parse_size, default_value = "320x180")]
    pub size: [u32; 2],
    /// Use the first adapter whose name contains this.
    #[arg(long, value_name = "NAME")]
    pub adapter: Option<String>,
}

/// `1920x1080`; also with × or X.
fn parse_size(text: &str) -> Result<[u32; 2], String> {
    let most = Render::LARGEST_SIDE;
    let expected = || format!("expected width x height in pixels, such as 1920x1080, each from 1 to {most}");
    let (width, height) = text.split_once(['x', 'X', '×']).ok_or_else(expected)?;
    let side = |text: &str| text.trim().parse().ok().filter(|side| (1..=most).contains(side)).ok_or_else(expected);
    Ok([side(width)?, side(height)?])
}

/// As the scene's key `render.time`.
fn parse_time(text: &str) -> Result<f64, String> {
    let time = text.trim().parse().ok().filter(|time| (0.0..=Render::LATEST).contains(time));
    time.ok_or_else(|| format!("expected seconds, 0 to {}", Render::LATEST))
}

/// As the scene's key `render.shutter`.
fn parse_shutter(text: &str) -> Result<f64, String> {
    let shutter = text.trim().parse().ok().filter(|shutter| (0.0..=Render::LONGEST_SHUTTER).contains(shutter));
    shutter.ok_or_else(|| format!("expected seconds, 0 to {}", Render::LONGEST_SHUTTER))
}

/// As the scene's key `render.fps`.
fn parse_fps(text: &str) -> Result<f64, String> {
    let [least, most] = Render::RATES;
    let fps = text.trim().parse().ok().filter(|fps| (least..=most).contains(fps));
    fps.ok_or_else(|| format!("expected frames a second, {least} to {most}"))
}

/// As the scene's key `render.samples`.
fn parse_samples(text: &str) -> Result<u32, String> {
    parse_whole(text, Render::MOST_SAMPLES)
}

fn parse_frames(text: &str) -> Result<u32, String> {
    parse_whole(text, 100_000)
}

fn parse_whole(text: &str, most: u32) -> Result<u32, String> {
    let number = text.trim().parse().ok().filter(|number| (1..=most).contains(number));
    number.ok_or_else(|| format!("expected a whole number, 1 to {most}"))
}
