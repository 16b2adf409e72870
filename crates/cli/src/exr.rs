//! OpenEXR: the light of a picture as the film curve takes it, for compositing.
//!
//! The values are scene-linear: kcd/m² times exposure, which the attribute `anemone:exposure` holds, so that the standard
//! `whiteLuminance` is the luminance of 1. Ground and sky are in the light and fill every pixel, so alpha is 1 everywhere.

use std::fs::File;
use std::io::{BufReader, Cursor};

use ::exr::block::reader::ChunksReader;
use ::exr::error::Error;
use ::exr::meta::attribute::{Chromaticities, Matrix4x4};
use ::exr::prelude::{
    AttributeValue, Compression, Encoding, Image, Layer, LayerAttributes, LineOrder, SpecificChannels, Text, Vec2,
    WritableImage, f16,
};
use anemone::Camera;
use anemone::glam::{DMat4, DVec4};

use crate::film::Found;
use crate::frames;
use crate::picture::{FrameFacts, Linear, software};

/// A picture as an OpenEXR file: scan lines of 16-bit floats, packed without loss by ZIP.
///
/// # Errors
/// Where the library that writes it refuses; no picture that the command draws is known to bring it to that.
pub fn encode(picture: &Linear, frame: Option<&FrameFacts<'_>>) -> Result<Vec<u8>, Error> {
    let Linear { size, camera, shutter, exposure, rgb } = picture;
    let [width, height] = size.map(|side| side as usize);
    let aspect = width as f64 / height as f64;
    let mut about = LayerAttributes {
        software_name: Text::new_or_none(software()),
        white_luminance: Some(1000.0 / exposure),
        world_to_camera: Some(as_floats(world_to_camera(camera))),
        world_to_normalized_device: Some(as_floats(world_to_ndc(camera, aspect))),
        // How much the picture takes in a metre before the camera, m.
        screen_window_width: (2.0 * aspect * (0.5 * f64::from(camera.fov)).tan()) as f32,
        vertical_field_of_view: Some(camera.fov.to_degrees()),
        near_clip_plane: Some(camera.near),
        exposure: (*shutter > 0.0).then_some(*shutter as f32),
        frames_per_second: frame.map(|frame| frames::rational(frame.fps)),
        ..LayerAttributes::default()
    };
    let mut more = |name: &str, value| about.other.insert(Text::from(name), value);
    more("anemone:exposure", AttributeValue::F32(*exposure));
    if let Some(frame) = frame {
        more("imageCounter", AttributeValue::I32(frame.number as i32));
        for (name, text) in frame.texts {
            more(name, AttributeValue::Text(Text::from(text.as_str())));
        }
    }
    let pixel = |Vec2(x, y): Vec2<usize>| {
        let [red, green, blue] = rgb[y * width + x];
        (red, green, blue, f16::ONE)
    };
    let encoding =
        Encoding { compression: Compression::ZIP16, line_order: LineOrder::Increasing, ..Encoding::SMALL_LOSSLESS };
    let layer = Layer::new((width, height), about, encoding, SpecificChannels::rgba(pixel));
    let mut image = Image::from_layer(layer);
    image.attributes.chromaticities = Some(REC_709);
    let mut bytes = Vec::new();
    image.write().to_buffered(Cursor::new(&mut bytes))?;
    sort_attributes(&mut bytes).ok_or_else(|| Error::Invalid("the header that was written is none".into()))?;
    Ok(bytes)
}

/// Puts the attributes of a file of one part in the order of their names, as the reference implementation does. The library
/// keeps some of them in a hash map, from which they come in another order each time, and the same picture is to be the same
/// file. Nothing that the header's tables point at moves. None where this is no such file.
fn sort_attributes(file: &mut [u8]) -> Option<()> {
    // After the magic number and the version.
    let header = file.get_mut(8..)?;
    let mut attributes: Vec<Vec<u8>> = Vec::new();
    let mut at = 0;
    while *header.get(at)? != 0 {
        // A name and a type, a zero behind each, and the size of what follows.
        let text_ends = |from: usize| Some(from + header.get(from..)?.iter().position(|byte| *byte == 0)? + 1);
        let value = text_ends(text_ends(at)?)? + 4;
        let size = header.get(value - 4..value)?.try_into().ok().map(u32::from_le_bytes)?;
        let end = value.checked_add(usize::try_from(size).ok()?)?;
        attributes.push(header.get(at..end)?.to_vec());
        at = end;
    }
    // The zero behind a name sorts it before one that goes on.
    attributes.sort();
    header.get_mut(..at)?.copy_from_slice(&attributes.concat());
    Some(())
}

/// The primaries and the white of ITU-R BT.709, which are those of sRGB too.
const REC_709: Chromaticities = Chromaticities {
    red: Vec2(0.64, 0.33),
    green: Vec2(0.30, 0.60),
    blue: Vec2(0.15, 0.06),
    white: Vec2(0.3127, 0.3290),
};

/// From the scene's metres to the camera's: x to the right, y up, z along its axis, as OpenEXR's `worldToCamera` has it.
fn world_to_camera(camera: &Camera) -> DMat4 {
    let [right, up, forward] = camera.axes().map(|axis| axis.as_dvec3());
    let row = |axis: anemone::glam::DVec3| axis.extend(-axis.dot(camera.eye));
    DMat4::from_cols(row(right), row(up), row(forward), DVec4::W).transpose()
}

/// From the scene's metres to the picture, once x and y are divided by w: (0, 0) is its upper left corner and (1, 1) its lower
/// right one, as OpenEXR's `worldToNDC` has it. What is left in z is the near distance over the depth.
fn world_to_ndc(camera: &Camera, aspect: f64) -> DMat4 {
    let focal = 1.0 / (0.5 * f64::from(camera.fov)).tan();
    let project = DMat4::from_cols(
        DVec4::new(0.5 * focal / aspect, 0.0, 0.0, 0.0),
        DVec4::new(0.0, -0.5 * focal, 0.0, 0.0),
        DVec4::new(0.5, 0.5, 0.0, 1.0),
        DVec4::new(0.0, 0.0, f64::from(camera.near), 0.0),
    );
    project * world_to_camera(camera)
}

/// As the file holds it. There a point is a row before its matrix, so that the matrix's rows are the columns of this one.
fn as_floats(matrix: DMat4) -> Matrix4x4 {
    matrix.to_cols_array().map(|value| value as f32)
}

/// What a file says by these names, and whether it is whole; None where it is not even the beginning of an OpenEXR file.
pub fn read(file: File, names: [&str; 2]) -> Option<Found> {
    let reader = ::exr::block::read(BufReader::new(file), false).ok()?;
    let header = reader.headers().first()?;
    let texts = names.map(|name| match header.own_attributes.other.get(&Text::from(name)) {
        Some(AttributeValue::Text(text)) => Some(text.to_string()),
        _ => None,
    });
    // Each block carries a sum of its bytes, so this finds what is not as it was written too.
    let chunks = reader.all_chunks(false);
    let is_whole = chunks.and_then(|chunks| chunks.decompress_sequential(false, |_, _| Ok(()))).is_ok();
    Some(Found { texts, is_whole })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test stops where something fails")]

    use anemone::glam::{DVec3, Vec4};

    use super::*;

    /// Points whose place is known, by the arithmetic of the file's readers: the point as a row, times the matrix.
    #[test]
    fn the_matrices_say_where_things_are() {
        let camera = Camera::look_at(DVec3::new(10.0, 2.0, 5.0), DVec3::new(10.0, 2.0, -5.0), 0.8, 0.1);
        let apply = |matrix: Matrix4x4, point: [f32; 4]| {
            Vec4::from_array([0, 1, 2, 3].map(|j| (0..4).map(|i| point[i] * matrix[4 * i + j]).sum()))
        };
        // It looks north, where z is negative, so that east is to its right.
        let place = apply(as_floats(world_to_camera(&camera)), [11.0, 4.0, -5.0, 1.0]);
        assert!(place.abs_diff_eq(Vec4::new(1.0, 2.0, 10.0, 1.0), 1e-5), "{place}");
        let ndc = |point| {
            let place = apply(as_floats(world_to_ndc(&camera, 2.0)), point);
            (place / place.w).truncate().truncate().to_array()
        };
        let [x, y] = ndc([10.0, 2.0, -5.0, 1.0]);
        assert!((x - 0.5).abs() < 1e-6 && (y - 0.5).abs() < 1e-6, "{x} {y}");
        let half = 10.0 * 0.4_f32.tan();
        let [x, y] = ndc([10.0 - 2.0 * half, 2.0 + half, -5.0, 1.0]);
        assert!(x.abs() < 1e-5 && y.abs() < 1e-5, "{x} {y} is not the upper left corner");
        let [x, y] = ndc([10.0 + 2.0 * half, 2.0 - half, -5.0, 1.0]);
        assert!((x - 1.0).abs() < 1e-5 && (y - 1.0).abs() < 1e-5, "{x} {y} is not the lower right corner");
    }
}
