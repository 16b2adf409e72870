//! Height maps from files: grey PNG images of 16 or 8 bits.
//!
//! Row 0 lies at −z (north), column 0 at −x (west). The samples stay raw integers; [`MapOptions`] says what they mean.
//! Beyond its border the ground goes on level at the border's height.

use std::io::Cursor;
use std::path::Path;

use glam::{DVec2, IVec2, Vec2};
use png::{BitDepth, ColorType, DecodingError};

use crate::map::{ANCHOR_RANGE, MapUniform, SPACING_RANGE};

/// The most samples along one side: what every adapter takes as a texture.
pub const MOST_SAMPLES: u32 = 8192;

/// The fewest samples along one side: a smooth surface needs four.
pub const FEWEST_SAMPLES: u32 = 4;

/// Why a height map was refused. The text says what to do.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MapError {
    /// The file cannot be read.
    #[error("{name}: the height map cannot be read: {source}. Check the path and that the file may be read")]
    Read {
        /// The file.
        name: String,
        /// What the system said.
        source: std::io::Error,
    },
    /// The file is of another kind.
    #[error("{name}: this is not a PNG image. Save the height map as a grey PNG of 16 bits")]
    NotPng {
        /// The file.
        name: String,
    },
    /// The image has colours, a palette or transparency.
    #[error("{name}: the image is {found}; a height map is grey without transparency. Save it as grey, 16 or 8 bits")]
    NotGrey {
        /// The file.
        name: String,
        /// What it is instead.
        found: &'static str,
    },
    /// The image is grey, but with fewer than 8 bits.
    #[error("{name}: the image has {bits} bits a sample, too few for heights. Save it as grey with 16 or 8 bits")]
    Depth {
        /// The file.
        name: String,
        /// Bits a sample.
        bits: u8,
    },
    /// Too few or too many samples.
    #[error(
        "{name}: the map has {width} × {height} samples; from {least} × {least} to {most} × {most} can be used. \
         Scale it or cut it",
        least = FEWEST_SAMPLES,
        most = MOST_SAMPLES
    )]
    Size {
        /// The file.
        name: String,
        /// Samples along x.
        width: u32,
        /// Samples along z.
        height: u32,
    },
    /// The file ends early.
    #[error("{name}: the image ends before its last row. Copy or export the file again")]
    Truncated {
        /// The file.
        name: String,
    },
    /// The file is a PNG, but wrong inside.
    #[error("{name}: the image is damaged: {reason}. Export the file again")]
    Damaged {
        /// The file.
        name: String,
        /// What the decoder said.
        reason: String,
    },
    /// The number of samples is not width times height.
    #[error("{name}: {count} samples were given for {width} × {height}")]
    Count {
        /// Whose samples.
        name: String,
        /// Number given.
        count: usize,
        /// Samples along x.
        width: u32,
        /// Samples along z.
        height: u32,
    },
    /// A number in the options makes no sense.
    #[error("{name}: {what} is {value}; it must be {expected}")]
    Option {
        /// The map.
        name: String,
        /// Which number.
        what: &'static str,
        /// Its value.
        value: f64,
        /// What it may be.
        expected: &'static str,
    },
}

/// What the samples of a map mean.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MapOptions {
    /// Metres from sample to sample along x and along z, each in [`SPACING_RANGE`].
    pub spacing: DVec2,
    /// Metres per raw unit; negative turns the map upside down.
    pub unit: f64,
    /// Height of a raw zero, metres.
    pub offset: f64,
    /// Where the middle of the map lies: world x and z, metres, each within [`ANCHOR_RANGE`].
    pub anchor: DVec2,
}

impl Default for MapOptions {
    /// One metre a sample, one metre a unit, the middle at the world's origin.
    fn default() -> Self {
        Self { spacing: DVec2::ONE, unit: 1.0, offset: 0.0, anchor: DVec2::ZERO }
    }
}

impl MapOptions {
    fn check(&self, name: &str) -> Result<(), MapError> {
        let refuse = |what, value, expected| Err(MapError::Option { name: name.to_owned(), what, value, expected });
        for (what, value) in [("the spacing along x", self.spacing.x), ("the spacing along z", self.spacing.y)] {
            if !(SPACING_RANGE[0]..=SPACING_RANGE[1]).contains(&value) {
                return refuse(what, value, "from 0.01 to 100,000 metres a sample");
            }
        }
        for (what, value) in [("the anchor's x", self.anchor.x), ("the anchor's z", self.anchor.y)] {
            if !(-ANCHOR_RANGE..=ANCHOR_RANGE).contains(&value) {
                return refuse(what, value, "within 2,000,000 metres of the origin");
            }
        }
        for (what, value) in [("metres per unit", self.unit), ("the offset", self.offset)] {
            if !(-1.0e6..=1.0e6).contains(&value) {
                return refuse(what, value, "a number up to 1,000,000");
            }
        }
        Ok(())
    }
}

/// A height map in memory.
#[derive(Clone, Debug, PartialEq)]
pub struct HeightMap {
    width: u32,
    height: u32,
    samples: Vec<u16>,
    full: u16,
    options: MapOptions,
}

impl HeightMap {
    /// Reads a grey PNG of 16 or 8 bits.
    ///
    /// # Errors
    /// [`MapError`] says what is wrong with the file or the options.
    pub fn load(path: &Path, options: &MapOptions) -> Result<Self, MapError> {
        let name = path.display().to_string();
        match std::fs::read(path) {
            Ok(bytes) => Self::decode(&bytes, &name, options),
            Err(source) => Err(MapError::Read { name, source }),
        }
    }

    /// Decodes a grey PNG of 16 or 8 bits; `name` stands in errors. Values of 8 bits are kept as they are, 0 to 255.
    ///
    /// # Errors
    /// [`MapError`] says what is wrong with the image or the options.
    pub fn decode(bytes: &[u8], name: &str, options: &MapOptions) -> Result<Self, MapError> {
        options.check(name)?;
        if !bytes.starts_with(b"\x89PNG\r\n\x1a\n") {
            return Err(MapError::NotPng { name: name.to_owned() });
        }
        let damaged = |error: DecodingError| match error {
            DecodingError::IoError(_) => MapError::Truncated { name: name.to_owned() },
            other => MapError::Damaged { name: name.to_owned(), reason: other.to_string() },
        };
        // The greatest map allowed, twice: the decoder's own buffers count too.
        let limits = png::Limits { bytes: 4 * (MOST_SAMPLES as usize).pow(2) };
        let mut decoder = png::Decoder::new_with_limits(Cursor::new(bytes), limits);
        decoder.set_transformations(png::Transformations::IDENTITY);
        // The header is judged before anything is allocated for the rows.
        let header = decoder.read_header_info().map_err(damaged)?;
        let (width, height, depth) = (header.width, header.height, header.bit_depth);
        let found = match header.color_type {
            ColorType::Grayscale => None,
            ColorType::Rgb => Some("coloured"),
            ColorType::Rgba => Some("coloured and transparent"),
            ColorType::Indexed => Some("made of a palette"),
            ColorType::GrayscaleAlpha => Some("transparent"),
        };
        if let Some(found) = found {
            return Err(MapError::NotGrey { name: name.to_owned(), found });
        }
        check_size(width, height, name)?;
        let bytes_per_sample = match depth {
            BitDepth::Sixteen => 2,
            BitDepth::Eight => 1,
            few => return Err(MapError::Depth { name: name.to_owned(), bits: few as u8 }),
        };
        let mut reader = decoder.read_info().map_err(damaged)?;
        let mut rows = vec![0; width as usize * height as usize * bytes_per_sample];
        reader.next_frame(&mut rows).map_err(damaged)?;
        let full = if bytes_per_sample == 2 { u16::MAX } else { 255 };
        let samples = match bytes_per_sample {
            2 => rows.chunks_exact(2).map(|pair| u16::from_be_bytes([pair[0], pair[1]])).collect(),
            _ => rows.into_iter().map(u16::from).collect(),
        };
        Ok(Self { width, height, samples, full, options: *options })
    }

    /// A map from samples in rows, the northern row first.
    ///
    /// # Errors
    /// [`MapError`] when size, count or options make no sense.
    pub fn from_samples(width: u32, height: u32, samples: Vec<u16>, options: &MapOptions) -> Result<Self, MapError> {
        let name = "the height map";
        options.check(name)?;
        check_size(width, height, name)?;
        if samples.len() != width as usize * height as usize {
            return Err(MapError::Count { name: name.to_owned(), count: samples.len(), width, height });
        }
        Ok(Self { width, height, samples, full: u16::MAX, options: *options })
    }

    /// Samples along x and along z.
    #[must_use]
    pub fn size(&self) -> [u32; 2] {
        [self.width, self.height]
    }

    /// The raw samples in rows, the northern row first: what the shaders' texture holds (`r16uint`).
    #[must_use]
    pub fn samples(&self) -> &[u16] {
        &self.samples
    }

    /// The same map as shares: black is 0 and white 1, whatever its bits, over an area of `size` metres round the middle
    /// `anchor`.
    ///
    /// # Errors
    /// [`MapError`] when the size or the middle make no sense.
    pub fn into_shares(mut self, size: DVec2, anchor: DVec2) -> Result<Self, MapError> {
        let steps = DVec2::new(f64::from(self.width - 1), f64::from(self.height - 1));
        self.options = MapOptions { spacing: size / steps, unit: 1.0 / f64::from(self.full), offset: 0.0, anchor };
        self.options.check("the density map")?;
        Ok(self)
    }

    /// The area from the middles of its first samples to those of its last ones, m along x and z.
    #[must_use]
    pub fn area(&self) -> DVec2 {
        self.options.spacing * DVec2::new(f64::from(self.width - 1), f64::from(self.height - 1))
    }

    /// What the samples mean.
    #[must_use]
    pub fn options(&self) -> MapOptions {
        self.options
    }

    /// What the shaders read.
    #[must_use]
    pub fn uniform(&self) -> MapUniform {
        let size = IVec2::new(self.width as i32, self.height as i32);
        MapUniform::new(size, self.options.spacing, self.options.anchor, self.options.unit, self.options.offset)
    }

    /// The raw sample of a texel, held at the border.
    #[must_use]
    pub fn raw(&self, texel: IVec2) -> f32 {
        let x = texel.x.clamp(0, self.width as i32 - 1) as usize;
        let z = texel.y.clamp(0, self.height as i32 - 1) as usize;
        f32::from(self.samples[z * self.width as usize + x])
    }

    /// Bounds of the heights in the cells from `first` to `last`, both included, metres.
    ///
    /// A cell's surface is a sum of its 16 samples with weights that add up to 1, the negative ones to −0.28125 at the
    /// most, so it passes their range by no more than that part of it.
    #[must_use]
    pub fn range(&self, first: IVec2, last: IVec2) -> [f32; 2] {
        let size = IVec2::new(self.width as i32, self.height as i32);
        // Beyond two cells outside nothing changes.
        let first = first.clamp(IVec2::splat(-2), size);
        let last = last.clamp(first, size);
        let (mut low, mut high) = (f32::INFINITY, f32::NEG_INFINITY);
        for z in first.y..=last.y {
            for x in first.x..=last.x {
                let samples: [f32; 16] = std::array::from_fn(|i| {
                    self.raw(IVec2::new(x, z) + IVec2::new(i as i32 % 4 - 1, i as i32 / 4 - 1))
                });
                let least = samples.iter().copied().fold(f32::INFINITY, f32::min);
                let most = samples.iter().copied().fold(f32::NEG_INFINITY, f32::max);
                let over = 0.28125 * (most - least);
                low = low.min(least - over);
                high = high.max(most + over);
            }
        }
        let ends = [low, high].map(|raw| (self.options.offset + self.options.unit * f64::from(raw)) as f32);
        [ends[0].min(ends[1]), ends[0].max(ends[1])]
    }
}

impl HeightMap {
    /// The share of the map's cells whose mean slope is steeper than this, as rise over run: 0 to 1.
    #[must_use]
    pub fn share_steeper_than(&self, slope: f64) -> f64 {
        let cells = IVec2::new(self.width as i32, self.height as i32) - 1;
        let scale = 0.5 * self.options.unit / self.options.spacing;
        let corner = |at: IVec2| f64::from(self.raw(at));
        let steep = |at: IVec2| {
            let [a, b] = [corner(at), corner(at + IVec2::X)];
            let [c, d] = [corner(at + IVec2::Y), corner(at + IVec2::ONE)];
            (scale * DVec2::new(b - a + d - c, c - a + d - b)).length() > slope
        };
        let all = (0..cells.y).flat_map(|z| (0..cells.x).map(move |x| IVec2::new(x, z)));
        all.filter(|at| steep(*at)).count() as f64 / (f64::from(cells.x) * f64::from(cells.y))
    }

    /// The steepest slope by central differences at the corners of the cells from `first` to `last`, metres per metre.
    pub(crate) fn steepest(&self, first: IVec2, last: IVec2) -> f32 {
        let size = IVec2::new(self.width as i32, self.height as i32);
        let first = first.clamp(IVec2::splat(-2), size);
        let last = last.clamp(first, size);
        let scale = (0.5 * self.options.unit / self.options.spacing).as_vec2();
        let corners = (first.y..=last.y + 1).flat_map(|z| (first.x..=last.x + 1).map(move |x| IVec2::new(x, z)));
        let slope = |at: IVec2| {
            let across = self.raw(at + IVec2::X) - self.raw(at - IVec2::X);
            let along = self.raw(at + IVec2::Y) - self.raw(at - IVec2::Y);
            (scale * Vec2::new(across, along)).length()
        };
        corners.map(slope).fold(0.0, f32::max)
    }
}

fn check_size(width: u32, height: u32, name: &str) -> Result<(), MapError> {
    let allowed = FEWEST_SAMPLES..=MOST_SAMPLES;
    if allowed.contains(&width) && allowed.contains(&height) {
        Ok(())
    } else {
        Err(MapError::Size { name: name.to_owned(), width, height })
    }
}
