//! Watching how long a frame's passes take.

use wgpu_profiler::{GpuProfiler, GpuProfilerQuery};

/// How the passes of a drawing are timed.
#[derive(Default)]
pub enum Timing<'a> {
    /// Not at all.
    #[default]
    None,
    /// By the GPU's own clock, a query for each pass.
    Gpu(&'a GpuProfiler),
    /// Calls back after each pass with its label and the encoder that holds it, so that the caller can finish and submit
    /// it, wait, and look at the clock. For software drivers, whose GPU clocks tell little.
    Wall(&'a mut dyn FnMut(&'static str, &mut wgpu::CommandEncoder)),
}

impl Timing<'_> {
    /// Before a pass begins.
    pub(crate) fn begin(&self, label: &'static str, encoder: &mut wgpu::CommandEncoder) -> Option<GpuProfilerQuery> {
        match self {
            Self::Gpu(profiler) => Some(profiler.begin_pass_query(label, encoder)),
            _ => None,
        }
    }

    /// After it has ended.
    pub(crate) fn end(
        &mut self,
        label: &'static str,
        encoder: &mut wgpu::CommandEncoder,
        query: Option<GpuProfilerQuery>,
    ) {
        match (self, query) {
            (Self::Gpu(profiler), Some(query)) => profiler.end_query(encoder, query),
            (Self::Wall(watch), _) => watch(label, encoder),
            _ => {}
        }
    }
}
