//! Running the command and looking at its pictures.

#![allow(clippy::unwrap_used, reason = "a test stops where something fails")]

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use tempfile::TempDir;

/// A small meadow on a plane that draws quickly.
pub const TINY: &str = "\
format = 1
[camera.main]
position = [0, 1, 4]
look_at = [0, 0.3, 0]
[camera.side]
position = [4, 1, 0]
look_at = [0, 0.3, 0]
[ground]
kind = \"plane\"
[population.grass]
count = 2000
side = 4
height = [0.4, 0.8]
width = [0.02, 0.04]
[wind.gale]
kind = \"waves\"
speed = 12
toward = 0
";

/// What a run came to.
#[derive(Debug)]
pub struct Ran {
    pub code: Option<i32>,
    pub out: String,
    pub err: String,
}

impl Ran {
    pub fn of(output: &Output) -> Self {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let ran = Self { code: output.status.code(), out: text(&output.stdout), err: text(&output.stderr) };
        // Whatever happens, it is said in words for people.
        assert!(!ran.err.contains("panicked") && !ran.out.contains("panicked"), "{ran:?}");
        ran
    }

    #[track_caller]
    pub fn succeeds(self) -> Self {
        assert_eq!(self.code, Some(0), "{self:?}");
        self
    }

    /// Ends with the author's exit code, and says each of these.
    #[track_caller]
    pub fn fails_with(self, says: &[&str]) -> Self {
        assert_eq!(self.code, Some(2), "{self:?}");
        for text in says {
            assert!(self.err.contains(text), "`{text}` is not in\n{}", self.err);
        }
        assert!(self.out.is_empty(), "{self:?}");
        self
    }
}

/// The command, in a folder of its own.
pub struct Place {
    folder: TempDir,
}

impl Place {
    pub fn new() -> Self {
        Self { folder: TempDir::new().unwrap() }
    }

    /// With a scene in it, `scene.toml`.
    pub fn with(scene: &str) -> Self {
        let place = Self::new();
        place.write("scene.toml", scene);
        place
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn write(&self, name: &str, contents: impl AsRef<[u8]>) {
        std::fs::write(self.path(name), contents).unwrap();
    }

    pub fn command<S: AsRef<OsStr>>(&self, arguments: &[S]) -> Command {
        let mut command = Command::new(assert_cmd::cargo::cargo_bin!("anemone"));
        // Mesa looks for a display there, and complains on standard error where there is no such folder.
        command.env("XDG_RUNTIME_DIR", std::env::temp_dir());
        command.current_dir(self.folder.path()).args(arguments);
        command
    }

    pub fn run<S: AsRef<OsStr>>(&self, arguments: &[S]) -> Ran {
        Ran::of(&self.command(arguments).output().unwrap())
    }

    /// `anemone render scene.toml -o x.png`, small, with more arguments after it.
    pub fn render(&self, more: &[&str]) -> Ran {
        let start = ["render", "scene.toml", "-o", "x.png", "--size", "64x36", "--samples", "1"];
        // Of an option given twice clap takes none, so what comes is put in its place.
        let kept = start.chunks(2).filter(|pair| !more.contains(&pair[0]) || pair[0] == "render").flatten();
        let arguments: Vec<&str> = kept.chain(more).copied().collect();
        self.run(&arguments)
    }

    /// The names of the files in the folder, sorted.
    pub fn files(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.folder.path()).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }

    pub fn picture(&self, name: &str) -> Picture {
        Picture::read(&self.path(name))
    }
}

/// A picture of 8-bit RGB.
#[derive(Debug, PartialEq)]
pub struct Picture {
    pub size: [u32; 2],
    pub pixels: Vec<[u8; 3]>,
}

impl Picture {
    pub fn read(path: &Path) -> Self {
        let file = std::fs::File::open(path).unwrap();
        let mut reader = png::Decoder::new(std::io::BufReader::new(file)).read_info().unwrap();
        let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
        let info = reader.next_frame(&mut bytes).unwrap();
        assert_eq!((info.color_type, info.bit_depth), (png::ColorType::Rgb, png::BitDepth::Eight));
        let pixels = bytes[..info.buffer_size()].chunks_exact(3).map(|rgb| [rgb[0], rgb[1], rgb[2]]).collect();
        Self { size: [info.width, info.height], pixels }
    }

    /// Mean colour of the rows from `from` to `to`, as shares of the height.
    pub fn mean(&self, from: f64, to: f64) -> [f64; 3] {
        let row = |share: f64| (share * f64::from(self.size[1])) as usize * self.size[0] as usize;
        let part = &self.pixels[row(from)..row(to)];
        [0, 1, 2].map(|channel| part.iter().map(|pixel| f64::from(pixel[channel])).sum::<f64>() / part.len() as f64)
    }
}
