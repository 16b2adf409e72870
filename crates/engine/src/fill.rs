//! Bytes on their way into buffers.

/// A new buffer that holds these bytes.
///
/// A device that was lost hands out buffers that cannot be written. They stay empty then: whoever waits for the device is told
/// of the loss, and wgpu's own helper would panic first.
pub(crate) fn filled(
    device: &wgpu::Device,
    label: &'static str,
    usage: wgpu::BufferUsages,
    bytes: &[u8],
) -> wgpu::Buffer {
    let size = (bytes.len() as u64).next_multiple_of(wgpu::COPY_BUFFER_ALIGNMENT).max(wgpu::COPY_BUFFER_ALIGNMENT);
    let buffer =
        device.create_buffer(&wgpu::BufferDescriptor { label: Some(label), size, usage, mapped_at_creation: true });
    if let Ok(mut mapped) = buffer.get_mapped_range_mut(..) {
        mapped.slice(..bytes.len()).copy_from_slice(bytes);
    }
    buffer.unmap();
    buffer
}

/// Copies bytes to a buffer in the order of the encoder's commands.
pub(crate) fn upload(
    device: &wgpu::Device,
    encoder: &mut wgpu::CommandEncoder,
    buffer: &wgpu::Buffer,
    offset: u64,
    bytes: &[u8],
) {
    let staging = filled(device, "upload", wgpu::BufferUsages::COPY_SRC, bytes);
    encoder.copy_buffer_to_buffer(&staging, 0, buffer, offset, bytes.len() as u64);
}
