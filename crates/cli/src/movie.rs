//! A film in one file: animated PNG and GIF always, MP4 and WebM through ffmpeg where it is installed.

use std::ffi::OsString;
use std::fs::File;
use std::io::{BufWriter, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};

use crate::failure::Failure;
use crate::frames;
use crate::picture::Picture;
use crate::target::{Target, Unfinished};

/// The kinds of files that hold a whole film, by the ends of their names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Apng,
    Gif,
    Mp4,
    Webm,
}

impl Kind {
    /// What the name of a file says.
    pub fn of(path: &Path) -> Option<Self> {
        let end = path.extension()?.to_str()?.to_lowercase();
        [("apng", Self::Apng), ("gif", Self::Gif), ("mp4", Self::Mp4), ("webm", Self::Webm)]
            .into_iter()
            .find_map(|(name, kind)| (name == end).then_some(kind))
    }
}

/// A film that is being written beside its target, which it becomes when it is whole.
pub struct Movie {
    writer: Writer,
    file: Unfinished,
    fps: f64,
    written: u32,
}

#[allow(clippy::large_enum_variant, reason = "there is one of it")]
enum Writer {
    Apng(png::Writer<BufWriter<File>>),
    Gif(gif::Encoder<BufWriter<File>>),
    Ffmpeg(Ffmpeg),
}

/// An ffmpeg that takes raw pictures. Dropped before its end, it is ended.
struct Ffmpeg {
    child: Child,
    /// Closed when it has all.
    frames: Option<ChildStdin>,
}

impl Drop for Ffmpeg {
    fn drop(&mut self) {
        // Of one that has ended already this does nothing.
        _ = self.child.kill();
        _ = self.child.wait();
    }
}

impl Movie {
    /// Begins a film of so many pictures of this size.
    ///
    /// # Errors
    /// [`Failure::Mistake`] when the kind does not hold such pictures, or needs an ffmpeg that is not there;
    /// [`Failure::Machine`] when no file can be made.
    pub fn begin(kind: Kind, target: &Target, size: [u32; 2], frames: u32, fps: f64) -> Result<Self, Failure> {
        let [width, height] = size;
        let file = target.begin()?;
        let failed = |error: &dyn std::fmt::Display| file.failed(error);
        let stream = || file.file().map(BufWriter::new).map_err(|error| failed(&error));
        let writer = match kind {
            Kind::Apng => {
                let mut encoder = png::Encoder::new(stream()?, width, height);
                encoder.set_color(png::ColorType::Rgb);
                encoder.set_depth(png::BitDepth::Eight);
                encoder.set_source_srgb(png::SrgbRenderingIntent::Perceptual);
                let (part, whole) = seconds_as_ratio(fps);
                encoder.set_animated(frames, 0).map_err(|error| failed(&error))?;
                encoder.set_frame_delay(part, whole).map_err(|error| failed(&error))?;
                Writer::Apng(encoder.write_header().map_err(|error| failed(&error))?)
            }
            Kind::Gif if fps > FASTEST_GIF => {
                return Err(Failure::Mistake(format!(
                    "a GIF shows at most {FASTEST_GIF} pictures a second, not {fps}: lower --fps, or write .apng or .mp4"
                )));
            }
            Kind::Gif => {
                let side = |pixels: u32| {
                    u16::try_from(pixels).map_err(|_| Failure::Mistake("a GIF is at most 65535 pixels wide".to_owned()))
                };
                let mut encoder =
                    gif::Encoder::new(stream()?, side(width)?, side(height)?, &[]).map_err(|error| failed(&error))?;
                encoder.set_repeat(gif::Repeat::Infinite).map_err(|error| failed(&error))?;
                Writer::Gif(encoder)
            }
            Kind::Mp4 | Kind::Webm => {
                let mut command = Command::new("ffmpeg");
                command.args(ffmpeg_arguments(kind, size, fps)).arg(file.path());
                // Ctrl-C goes to all programs of a group, and this one would end before it is told to.
                #[cfg(unix)]
                std::os::unix::process::CommandExt::process_group(&mut command, 0);
                let child = command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn();
                let mut child = child.map_err(|error| match error.kind() {
                    std::io::ErrorKind::NotFound => Failure::Mistake(
                        "a .mp4 or .webm is written by ffmpeg, which is not installed (on Debian: apt install ffmpeg); .apng and \
                         .gif need nothing, and ffmpeg can make a film of PNG files later"
                            .to_owned(),
                    ),
                    _ => Failure::Machine(format!("ffmpeg cannot be started: {error}")),
                })?;
                let frames = child.stdin.take();
                Writer::Ffmpeg(Ffmpeg { child, frames })
            }
        };
        Ok(Self { writer, file, fps, written: 0 })
    }

    /// Adds the next picture.
    ///
    /// # Errors
    /// [`Failure::Machine`] when it cannot be written.
    pub fn add(&mut self, picture: &Picture) -> Result<(), Failure> {
        let fps = self.fps;
        let index = self.written;
        self.written += 1;
        match &mut self.writer {
            Writer::Apng(writer) => writer.write_image_data(&picture.rgb).map_err(|error| self.file.failed(&error)),
            Writer::Gif(encoder) => {
                let [width, height] = picture.size.map(|side| side as u16);
                let mut frame = gif::Frame::from_rgb_speed(width, height, &picture.rgb, GIF_SPEED);
                // A GIF counts hundredths of a second: each picture ends as near to its time as they allow.
                let end = |pictures: u32| (100.0 * f64::from(pictures) / fps).round() as u64;
                frame.delay = (end(index + 1) - end(index)) as u16;
                encoder.write_frame(&frame).map_err(|error| self.file.failed(&error))
            }
            Writer::Ffmpeg(ffmpeg) => match &mut ffmpeg.frames {
                Some(pipe) => pipe.write_all(&picture.rgb).map_err(|_| ended(&mut ffmpeg.child)),
                None => Ok(()),
            },
        }
    }

    /// Ends the film, and puts it in its place.
    ///
    /// # Errors
    /// [`Failure::Machine`] when it cannot be written.
    pub fn finish(self) -> Result<(), Failure> {
        let Self { writer, file, .. } = self;
        match writer {
            Writer::Apng(writer) => writer.finish().map_err(|error| file.failed(&error))?,
            Writer::Gif(encoder) => {
                let stream = encoder.into_inner().map_err(|error| file.failed(&error))?;
                stream.into_inner().map_err(|error| file.failed(error.error()))?;
            }
            Writer::Ffmpeg(mut ffmpeg) => {
                ffmpeg.frames = None;
                let status = ffmpeg.child.wait();
                if !status.is_ok_and(|status| status.success()) {
                    return Err(ended(&mut ffmpeg.child));
                }
            }
        }
        file.finish()
    }
}

/// A GIF counts hundredths of a second, and browsers show a picture of fewer than two for ten.
const FASTEST_GIF: f64 = 50.0;

/// How far the search for a GIF's colours goes: 1 is the best and slowest, 30 the quickest.
const GIF_SPEED: i32 = 10;

/// What ffmpeg says when it does not write a film.
fn ended(child: &mut Child) -> Failure {
    _ = child.kill();
    _ = child.wait();
    let mut words = String::new();
    if let Some(errors) = &mut child.stderr {
        _ = errors.read_to_string(&mut words);
    }
    let last = words.trim().lines().last().unwrap_or("it said nothing").to_owned();
    Failure::Machine(format!("ffmpeg does not write the film: {last}"))
}

/// Raw pictures in, a film for any player out: its colours are those of Rec. 709, and its sides even, as 4:2:0 wants.
fn ffmpeg_arguments(kind: Kind, [width, height]: [u32; 2], fps: f64) -> Vec<OsString> {
    let size = format!("{width}x{height}");
    let (frames, seconds) = frames::rational(fps);
    let rate = format!("{frames}/{seconds}");
    let filter = "pad=ceil(iw/2)*2:ceil(ih/2)*2,scale=out_color_matrix=bt709:out_range=tv,format=yuv420p";
    let mut arguments = vec!["-v", "error", "-y", "-f", "rawvideo", "-pix_fmt", "rgb24", "-s", &size, "-r", &rate];
    arguments.extend(["-i", "-", "-vf", filter, "-colorspace", "bt709", "-color_primaries", "bt709"]);
    arguments.extend(["-color_trc", "iec61966-2-1"]);
    arguments.extend(match kind {
        Kind::Webm => ["-c:v", "libvpx-vp9", "-crf", "24", "-b:v", "0", "-f", "webm"].as_slice(),
        _ => ["-c:v", "libx264", "-crf", "17", "-movflags", "+faststart", "-f", "mp4"].as_slice(),
    });
    arguments.into_iter().map(OsString::from).collect()
}

/// How long a picture is shown, as a fraction of a second that an animated PNG can hold.
fn seconds_as_ratio(fps: f64) -> (u16, u16) {
    let (frames, seconds) = frames::rational(fps);
    match (u16::try_from(seconds), u16::try_from(frames)) {
        (Ok(seconds), Ok(frames)) => (seconds, frames),
        _ => (100, (100.0 * fps).round() as u16),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_of_the_name_says_which() {
        assert_eq!(Kind::of(Path::new("a.GIF")), Some(Kind::Gif));
        assert_eq!(Kind::of(Path::new("a.b/c.webm")), Some(Kind::Webm));
        assert_eq!(Kind::of(Path::new("a.png")), None);
        assert_eq!(Kind::of(Path::new("apng")), None);
    }

    #[test]
    fn rates_become_fractions() {
        assert_eq!(seconds_as_ratio(24.0), (1, 24));
        assert_eq!(seconds_as_ratio(12.5), (2, 25));
        assert_eq!(seconds_as_ratio(23.976), (1001, 24_000));
        assert_eq!(seconds_as_ratio(239.76), (100, 23_976));
    }
}
