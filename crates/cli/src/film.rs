//! `anemone render --frames`: a scene to a sequence of PNG or OpenEXR files, or to a film in one file.
//!
//! Each frame follows from the ones before it, so all of them are gone through in the same steps whichever are wanted: a frame
//! that is not drawn is replayed, which leaves the world as a drawing would. So a frame is the same to the bit whether it was
//! drawn in one run with the others, after an interruption, or alone.

use std::fs::File;
use std::io::BufReader;
use std::path::Path;
use std::time::Instant;

use anemone::{Engine, Window};

use crate::args::RenderArgs;
use crate::device::Gpu;
use crate::exr;
use crate::failure::Failure;
use crate::frames::{Frames, Pattern};
use crate::interrupt::Interrupt;
use crate::job::Job;
use crate::movie::{Kind, Movie};
use crate::notes;
use crate::output::{say, shown, tell};
use crate::picture::{Format, FrameFacts, Painter};
use crate::progress::Progress;
use crate::target::Target;

/// The text of a file that says which scene its frame is of.
const SCENE: &str = "anemone:scene";
/// The text of a file that says which frame it is.
const FRAME: &str = "anemone:frame";

pub fn run(args: &RenderArgs) -> Result<(), Failure> {
    let start = Instant::now();
    let mut job = Job::read(args)?;
    let Some(frames) = args.frames else {
        return Err(mistake(args, "a film needs its frames: --frames 1-240"));
    };
    let (fps, shutter) = (job.scene.render.fps, job.scene.render.shutter);
    if shutter > 1.0 / fps {
        return Err(Failure::Mistake(format!(
            "a shutter that is open for {shutter} s does not close within a frame, which takes {:.4} s at {fps} frames a \
             second: open it for less, or lower --fps",
            1.0 / fps
        )));
    }
    let gpu = Gpu::open(args.scene.adapter.as_deref())?;
    let mut output = Output::find(args, &job, frames, &gpu.name())?;
    let missing: Vec<u32> = frames.all().filter(|frame| output.wants(*frame)).collect();
    let Some(last) = missing.last().copied() else {
        if !args.quiet {
            say!("all frames are there already");
        }
        return Ok(());
    };

    let mut engine = job.engine(&gpu)?;
    if !args.quiet {
        notes::print(&job.scene, &engine, &gpu);
    }
    let interrupt = Interrupt::watch();
    output.begin(&job)?;
    let progress = Progress::of_film(args.quiet, last);
    shoot(&gpu, &mut engine, &job, &mut output, last, progress, || {
        if interrupt.is_wanted() { Err(Failure::Stopped(String::new())) } else { Ok(()) }
    })?;
    let name = output.name();
    output.finish()?;
    if !args.quiet {
        say!("{name}");
        say!("adapter  {}, raster {}", gpu.name(), engine.raster_width());
        let [width, height] = job.scene.render.size;
        let seconds = start.elapsed().as_secs_f64();
        let plural = if missing.len() == 1 { "" } else { "s" };
        say!("film     {} frame{plural} of {width}×{height}, {fps} a second, {seconds:.1} s", missing.len());
    }
    Ok(())
}

/// Goes through the frames up to the last one and writes those that are wanted. `go_on` is asked after each sample, and its
/// failure ends the film.
fn shoot(
    gpu: &Gpu,
    engine: &mut Engine,
    job: &Job,
    output: &mut Output<'_>,
    last: u32,
    mut progress: Progress,
    go_on: impl Fn() -> Result<(), Failure>,
) -> Result<(), Failure> {
    let mut painter = Painter::new(gpu, job.shot())?;
    let mut film = Film { gpu, engine, job };
    let mut whole = 0;
    film.settle(&go_on).map_err(|failure| output.explain(failure, 1, whole))?;
    progress.start();
    for frame in 1..=last {
        let mut step = || -> Result<(), Failure> {
            film.advance_to(film.time_of(frame))?;
            if output.wants(frame) {
                output.add(frame, &mut painter, gpu, film.engine, &go_on)?;
                whole += 1;
                Ok(())
            } else {
                painter.replay(gpu, film.engine, &go_on)
            }
        };
        let result = step();
        result.map_err(|failure| output.explain(failure, frame, whole))?;
        progress.step();
    }
    progress.finish();
    Ok(())
}

fn mistake(args: &RenderArgs, why: &str) -> Failure {
    Failure::Mistake(format!("-o {}: {why}", shown(&args.output)))
}

/// The world on its way through the frames.
struct Film<'a> {
    gpu: &'a Gpu,
    engine: &'a mut Engine,
    job: &'a Job,
}

impl Film<'_> {
    /// When a frame's shutter opens, s.
    fn time_of(&self, frame: u32) -> f64 {
        let render = &self.job.scene.render;
        render.time + f64::from(frame - 1) / render.fps
    }

    /// Moves the world through the settling time before frame 1, in steps of a frame or a little less.
    fn settle(&mut self, go_on: impl Fn() -> Result<(), Failure>) -> Result<(), Failure> {
        let render = &self.job.scene.render;
        // One step at least: without time, obstacles would press nothing in frame 1.
        let settle = render.settle.max(1.0 / render.fps);
        let steps = (settle * render.fps).ceil() as u32;
        let window = Window::whole(render.size);
        self.job.scene.start(self.engine, render.time - settle)?;
        for step in 0..steps {
            self.advance_to(render.time - settle * (1.0 - f64::from(step) / f64::from(steps)))?;
            let mut encoder = self.gpu.device.create_command_encoder(&Default::default());
            let camera = self.job.culls_from(self.engine);
            self.engine.simulate(&mut encoder, &camera, &window);
            self.gpu.queue.submit([encoder.finish()]);
            self.gpu.wait()?;
            go_on()?;
        }
        Ok(())
    }

    /// Lets time pass up to this moment, and puts what moves where it is then.
    fn advance_to(&mut self, time: f64) -> Result<(), Failure> {
        self.engine.advance(time - self.engine.time());
        Ok(self.job.scene.follow(self.engine)?)
    }
}

/// Where the frames go.
enum Output<'a> {
    /// A PNG or OpenEXR file for each.
    Files {
        args: &'a RenderArgs,
        job_files: Vec<std::path::PathBuf>,
        pattern: Pattern,
        frames: Frames,
        fps: f64,
        /// What the files say that belong to this film.
        scene: String,
        /// Frames that were there before, in order.
        there: Vec<u32>,
    },
    /// One file for all.
    Movie { kind: Kind, target: Target, frames: Frames, movie: Option<Movie> },
}

impl<'a> Output<'a> {
    /// Looks at the place before time is spent on drawing. Another adapter, or another driver of it, rounds otherwise, so that its
    /// frames are of another film.
    fn find(args: &'a RenderArgs, job: &Job, frames: Frames, adapter: &str) -> Result<Self, Failure> {
        if let Some(kind) = Kind::of(&args.output) {
            if args.resume {
                return Err(mistake(
                    args,
                    "a film in one file cannot be resumed, for it is there only when it is whole",
                ));
            }
            let target = Target::find(&args.output, &["apng", "gif", "mp4", "webm"])?;
            job.spares_its_sources(&target, args)?;
            return Ok(Self::Movie { kind, target, frames, movie: None });
        }
        let Some(pattern) = Pattern::of(&args.output) else {
            return Err(mistake(
                args,
                "expected a name with # where the number of a frame goes, such as shot.####.png or shot.####.exr, or one that ends in .apng, .gif, .mp4 or .webm",
            ));
        };
        job.spares_its_sources(&Target::find(&pattern.file(frames.first), Format::ENDS)?, args)?;
        let scene = format!("{:016x}", job.scene.fingerprint(&(&args.cull_camera, adapter)));
        let mut there = Vec::new();
        if args.resume {
            for frame in frames.all() {
                let file = pattern.file(frame);
                match whose(&file) {
                    Whose::Nobody => {}
                    Whose::Film { scene: of, frame: number } if of == scene && number == frame.to_string() => {
                        there.push(frame);
                    }
                    Whose::Film { .. } | Whose::Other => {
                        return Err(Failure::Mistake(format!(
                            "{}: this is no frame {frame} of this scene as it stands now, with this size, rate and samples, by \
                             this adapter and driver: \
                             move it away, write to another name, or leave --resume out to write over it",
                            shown(&file)
                        )));
                    }
                }
            }
        }
        Ok(Self::Files {
            args,
            job_files: job.scene.files().into_iter().map(Path::to_path_buf).collect(),
            pattern,
            frames,
            fps: job.scene.render.fps,
            scene,
            there,
        })
    }

    /// Whether a frame is to be drawn: it was asked for, and was not there before.
    fn wants(&self, frame: u32) -> bool {
        match self {
            Self::Files { frames, there, .. } => frames.wants(frame) && there.binary_search(&frame).is_err(),
            Self::Movie { frames, .. } => frames.wants(frame),
        }
    }

    /// Just before the first frame.
    fn begin(&mut self, job: &Job) -> Result<(), Failure> {
        if let Self::Movie { kind, target, frames, movie } = self {
            let render = &job.scene.render;
            *movie = Some(Movie::begin(*kind, target, render.size, frames.count(), render.fps)?);
        }
        Ok(())
    }

    /// Draws a frame of this moment to where it goes.
    fn add(
        &mut self,
        frame: u32,
        painter: &mut Painter<'_>,
        gpu: &Gpu,
        engine: &mut Engine,
        go_on: impl FnMut() -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        match self {
            Self::Movie { movie, .. } => {
                let picture = painter.draw(gpu, engine, go_on)?;
                movie.as_mut().map_or(Ok(()), |movie| movie.add(&picture))
            }
            Self::Files { args, job_files, pattern, fps, scene, .. } => {
                let target = Target::find(&pattern.file(frame), Format::ENDS)?;
                target.is_not(&args.scene.scene)?;
                job_files.iter().try_for_each(|file| target.is_not(file))?;
                let texts = [(SCENE, scene.clone()), (FRAME, frame.to_string())];
                let facts = FrameFacts { number: frame, fps: *fps, texts: &texts };
                target.write(&painter.draw_file(gpu, engine, &target, Some(&facts), go_on)?)
            }
        }
    }

    fn finish(self) -> Result<(), Failure> {
        match self {
            Self::Movie { movie: Some(movie), .. } => movie.finish(),
            _ => Ok(()),
        }
    }

    /// What was written, for people.
    fn name(&self) -> String {
        match self {
            Self::Movie { target, .. } => target.name(),
            Self::Files { pattern, frames, .. } => {
                let [first, last] = [frames.first, frames.all().last().unwrap_or(frames.first)];
                let first_file = shown(&pattern.file(first));
                if first == last { first_file } else { format!("{first_file} to {}", shown(&pattern.file(last))) }
            }
        }
    }

    /// Which frame it was that failed, what there is now, and how to go on.
    fn explain(&self, failure: Failure, frame: u32, whole: usize) -> Failure {
        let files = matches!(self, Self::Files { .. });
        let left = match (files, whole) {
            (false, _) => "no film was written".to_owned(),
            (true, 0) => "no frame was written".to_owned(),
            (true, 1) => "the one that was written is whole".to_owned(),
            (true, whole) => format!("the {whole} that were written are whole"),
        };
        let goes_on = files && !matches!(failure, Failure::Mistake(_));
        let help = if goes_on { "\n  = help: the same command with --resume goes on from there" } else { "" };
        let is_stop = matches!(failure, Failure::Stopped(_));
        failure.map(|words| match is_stop {
            true => format!("stopped in frame {frame}; {left}{help}"),
            false => format!("frame {frame}: {words}; {left}{help}"),
        })
    }
}

/// What stands where a frame is to go.
enum Whose {
    /// Nothing, or a piece of a picture, which is drawn anew.
    Nobody,
    Film {
        scene: String,
        frame: String,
    },
    Other,
}

fn whose(path: &Path) -> Whose {
    let found = File::open(path).ok().and_then(|file| match Format::of(path) {
        Format::Png => read_png(file),
        Format::Exr => exr::read(file, [SCENE, FRAME]),
    });
    match found {
        None => Whose::Nobody,
        Some(Found { texts: [Some(_), Some(_)], is_whole: false }) => {
            tell!("note: {} is broken off and is drawn anew", shown(path));
            Whose::Nobody
        }
        Some(Found { texts: [Some(scene), Some(frame)], .. }) => Whose::Film { scene, frame },
        Some(_) => Whose::Other,
    }
}

/// What a picture's file says.
pub struct Found {
    /// Those of [`SCENE`] and [`FRAME`].
    pub texts: [Option<String>; 2],
    /// Whether all of its pixels are there.
    pub is_whole: bool,
}

/// None where it is not even the beginning of a PNG file.
fn read_png(file: File) -> Option<Found> {
    let mut reader = png::Decoder::new(BufReader::new(file)).read_info().ok()?;
    let texts = &reader.info().uncompressed_latin1_text;
    let texts =
        [SCENE, FRAME].map(|keyword| texts.iter().find(|text| text.keyword == keyword).map(|text| text.text.clone()));
    let mut pixels = vec![0; reader.output_buffer_size().unwrap_or(0)];
    let is_whole = reader.next_frame(&mut pixels).is_ok();
    Some(Found { texts, is_whole })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test stops where something fails")]

    use std::cell::Cell;

    use clap::Parser;

    use super::*;
    use crate::args::{Args, Command};

    const SCENE: &str = "format = 1\n[camera.main]\nposition = [0, 1, 4]\nlook_at = [0, 0.3, 0]\n[ground]\nkind = 'plane'\n\
        [population.grass]\ncount = 200\nside = 4\n[render]\nsettle = 0\n";

    /// The whole frames stay, the failure says which frame it was, and the rest is drawn by the same command with --resume.
    #[test]
    fn a_device_that_is_lost_on_the_way_leaves_whole_frames() {
        let folder = tempfile::TempDir::new().unwrap();
        let scene = folder.path().join("scene.toml");
        std::fs::write(&scene, SCENE).unwrap();
        let pattern = folder.path().join("shot.##.png");
        let words = ["anemone", "render", scene.to_str().unwrap(), "-o", pattern.to_str().unwrap()];
        let more = ["--frames", "1-3", "--size", "32x18", "--samples", "2", "--quiet"];
        let Command::Render(args) = Args::parse_from(words.iter().chain(&more)).command else { panic!("no render") };

        let mut job = Job::read(&args).unwrap();
        let gpu = Gpu::open(None).unwrap();
        let mut output = Output::find(&args, &job, args.frames.unwrap(), &gpu.name()).unwrap();
        let mut engine = job.engine(&gpu).unwrap();
        let asked = Cell::new(0);
        // One step to settle and two samples a frame: the device goes between those of frame 2.
        let failure = shoot(&gpu, &mut engine, &job, &mut output, 3, Progress::of_film(true, 3), || {
            asked.set(asked.get() + 1);
            if asked.get() == 4 {
                gpu.device.destroy();
            }
            Ok(())
        })
        .unwrap_err();
        let text = failure.to_string();
        assert!(matches!(failure, Failure::Machine(_)), "{text}");
        assert!(text.contains("frame 2") && text.contains("the one that was written is whole"), "{text}");
        assert!(text.contains("--resume"), "{text}");
        let files = || {
            let mut names: Vec<_> =
                std::fs::read_dir(folder.path()).unwrap().map(|file| file.unwrap().file_name()).collect();
            names.sort();
            names
        };
        assert_eq!(files(), ["scene.toml", "shot.01.png"]);

        let first = std::fs::read(folder.path().join("shot.01.png")).unwrap();
        run(&RenderArgs { resume: true, ..args }).unwrap();
        assert_eq!(files(), ["scene.toml", "shot.01.png", "shot.02.png", "shot.03.png"]);
        assert_eq!(std::fs::read(folder.path().join("shot.01.png")).unwrap(), first);
    }
}
