//! Reads numbers out of glTF buffers, with every offset checked: the gltf crate's own readers trust theirs.

use gltf::accessor::{Accessor, DataType, Dimensions};
use gltf::buffer::View;

/// Rows of bytes of an accessor, sparse parts filled in.
struct Rows {
    bytes: Vec<u8>,
    width: usize,
}

/// Three floats a vertex (positions, normals).
pub(super) fn vectors(accessor: &Accessor<'_>, buffers: &[Vec<u8>]) -> Result<Vec<[f32; 3]>, String> {
    if accessor.data_type() != DataType::F32 || accessor.dimensions() != Dimensions::Vec3 {
        return Err("positions and normals must be vectors of three 32-bit floats; export without quantisation".into());
    }
    let rows = rows(accessor, buffers)?;
    let float = |bytes: &[u8]| f32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
    Ok(rows
        .bytes
        .chunks_exact(rows.width)
        .map(|row| [float(&row[0..4]), float(&row[4..8]), float(&row[8..12])])
        .collect())
}

/// Vertex indices of 8, 16 or 32 bits.
pub(super) fn indices(accessor: &Accessor<'_>, buffers: &[Vec<u8>]) -> Result<Vec<u32>, String> {
    let fits = matches!(accessor.data_type(), DataType::U8 | DataType::U16 | DataType::U32);
    if !fits || accessor.dimensions() != Dimensions::Scalar {
        return Err("vertex indices must be unsigned integers of 8, 16 or 32 bits".into());
    }
    let rows = rows(accessor, buffers)?;
    Ok(rows.bytes.chunks_exact(rows.width).map(unsigned).collect())
}

/// A little-endian unsigned integer of one to four bytes.
fn unsigned(bytes: &[u8]) -> u32 {
    bytes.iter().rev().fold(0, |value, &byte| value << 8 | u32::from(byte))
}

fn rows(accessor: &Accessor<'_>, buffers: &[Vec<u8>]) -> Result<Rows, String> {
    let (width, count) = (accessor.size(), accessor.count());
    let total = width.checked_mul(count).filter(|&total| total < 1 << 34).ok_or("an accessor is absurdly large")?;
    let mut bytes = match accessor.view() {
        Some(view) => copy(&view, accessor.offset(), width, count, buffers)?,
        // Without a view an accessor is all zeros, but for its sparse part; without that too it is a mistake.
        None if accessor.sparse().is_none() => return Err("an accessor has no data".into()),
        None => vec![0; total],
    };
    if let Some(sparse) = accessor.sparse() {
        let places = sparse.indices();
        let place_width = places.index_type().size();
        let at = copy(&places.view(), places.offset(), place_width, sparse.count(), buffers)?;
        let values = copy(&sparse.values().view(), sparse.values().offset(), width, sparse.count(), buffers)?;
        for (place, value) in at.chunks_exact(place_width).zip(values.chunks_exact(width)) {
            let start = unsigned(place) as usize * width;
            bytes
                .get_mut(start..start + width)
                .ok_or("a sparse accessor points beyond its end")?
                .copy_from_slice(value);
        }
    }
    Ok(Rows { bytes, width })
}

fn copy(view: &View<'_>, offset: usize, width: usize, count: usize, buffers: &[Vec<u8>]) -> Result<Vec<u8>, String> {
    let stride = view.stride().unwrap_or(width);
    let outside = || format!("buffer view {} does not hold what is read from it", view.index());
    let end = view.offset().checked_add(view.length()).ok_or_else(outside)?;
    let bytes = buffers.get(view.buffer().index()).and_then(|b| b.get(view.offset()..end)).ok_or_else(outside)?;
    // The whole length is checked before anything is allocated for `count` rows.
    let needed = count.checked_sub(1).and_then(|rows| rows.checked_mul(stride)).and_then(|n| n.checked_add(width));
    let needed = match needed {
        None if count == 0 => return Ok(Vec::new()),
        None => return Err(outside()),
        Some(needed) => needed,
    };
    if stride < width || offset.checked_add(needed).is_none_or(|end| end > bytes.len()) {
        return Err(outside());
    }
    Ok((0..count).flat_map(|i| &bytes[offset + i * stride..offset + i * stride + width]).copied().collect())
}
