//! Every compute pipeline of the frame. Each is compiled when a world first needs it: a meadow on a plane has no ridges, a
//! picture on its own no host's depth, and compiling all of them takes a second or more.

use std::fmt;
use std::sync::Arc;

use crate::capability::{RasterWidth, check, raster_width};
use crate::error::Error;
use crate::kernel::{Compiler, LazyKernel};

/// The compute pipelines of a device, compiled once for all engines that share them: worlds that follow each other, or stand
/// side by side, on one device.
#[derive(Clone)]
pub struct Pipelines(pub(crate) Arc<Kernels>);

impl Pipelines {
    /// Pipelines that draw with this width; None: the best that the device has. Nothing is compiled yet.
    ///
    /// # Errors
    /// When the device cannot run the engine.
    pub fn new(device: &wgpu::Device, width: Option<RasterWidth>) -> Result<Self, Error> {
        Self::with_cache(device, width, None)
    }

    /// The same, kept in a cache of the host's, who stores [`wgpu::PipelineCache::get_data`] for the next start. The device
    /// needs [`wgpu::Features::PIPELINE_CACHE`]. Most desktop drivers keep such a cache themselves.
    ///
    /// # Errors
    /// When the device cannot run the engine.
    pub fn with_cache(
        device: &wgpu::Device,
        width: Option<RasterWidth>,
        cache: Option<wgpu::PipelineCache>,
    ) -> Result<Self, Error> {
        let width = width.unwrap_or_else(|| raster_width(device.features()));
        check(device, width)?;
        Ok(Self(Arc::new(Kernels::new(Compiler::new(device, cache), width))))
    }

    /// Compiles every one, on all cores, so that no drawing ever waits for a compiler. It takes a second or more. Error scopes
    /// of wgpu are the calling thread's; what fails on another goes to the device's own handler.
    pub fn warm(&self) {
        self.0.compiler.compile(&self.0.all());
    }
}

impl fmt::Debug for Pipelines {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pipelines").field("width", &self.0.width).finish_non_exhaustive()
    }
}

pub(crate) struct Kernels {
    pub compiler: Compiler,
    pub width: RasterWidth,
    /// Fills the ground's grids.
    pub grid: LazyKernel,
    pub generate: LazyKernel,
    pub tiles: LazyKernel,
    pub step: LazyKernel,
    pub scan: LazyKernel,
    pub emit: LazyKernel,
    pub ground: [LazyKernel; 2],
    pub project: [LazyKernel; 2],
    pub pyramid: LazyKernel,
    pub raster: Raster,
    pub sort: LazyKernel,
    pub shade: [LazyKernel; 3],
    /// The same with a host's shadows.
    pub shade_host: [LazyKernel; 3],
    pub motion: LazyKernel,
    /// From a host's depth of one sample a pixel, and of several.
    pub seed: [LazyKernel; 2],
    pub ridges: [LazyKernel; 2],
    /// Of the sun's view: the ground's triangles, and bodies.
    pub shadow: [[LazyKernel; 2]; 2],
}

/// The raster's passes, each for small and for big segments.
#[allow(clippy::large_enum_variant, reason = "there is one of it")]
pub(crate) enum Raster {
    Wide {
        first: [LazyKernel; 2],
        second: [LazyKernel; 2],
        partial: [LazyKernel; 2],
    },
    Narrow {
        depth: [LazyKernel; 2],
        depth_second: [LazyKernel; 2],
        payload: [LazyKernel; 2],
        partial: [[LazyKernel; 2]; 2],
    },
}

impl Kernels {
    /// Those that draw with this width.
    fn new(compiler: Compiler, width: RasterWidth) -> Self {
        let one = LazyKernel::new;
        let raster = |name| [one(name, "raster_small"), one(name, "raster_big")];
        let ground = |name| [one(name, "raster_ground"), one(name, "raster_ground_large")];
        Self {
            compiler,
            width,
            grid: one("grid", "fill_grid"),
            generate: one("generate", "generate"),
            tiles: one("tiles", "cull_tiles"),
            step: one("step", "move_bodies"),
            scan: one("scan", "scan"),
            emit: one("emit", "emit"),
            ground: ground(match width {
                RasterWidth::Wide => "ground_wide",
                RasterWidth::Narrow => "ground_narrow",
            }),
            project: [one("project", "project_first"), one("project", "project_second")],
            pyramid: one("pyramid", "build_pyramid"),
            raster: match width {
                RasterWidth::Wide => Raster::Wide {
                    first: raster("raster_wide"),
                    second: raster("raster_wide_second"),
                    partial: raster("raster_wide_partial"),
                },
                RasterWidth::Narrow => Raster::Narrow {
                    depth: raster("raster_depth"),
                    depth_second: raster("raster_depth_second"),
                    payload: raster("raster_payload"),
                    partial: [raster("raster_depth_partial"), raster("raster_payload_partial")],
                },
            },
            ridges: [one("ridges", "fill_heights"), one("ridges", "find_ridges")],
            shadow: [ground("ground_shadow"), raster("raster_shadow")],
            sort: one("sort_pixels", "sort_pixels"),
            shade: [
                one("shade_ground", "shade_ground"),
                one("shade_bodies", "shade_bodies"),
                one("shade_partial", "shade_bodies"),
            ],
            shade_host: [
                one("shade_ground_host", "shade_ground"),
                one("shade_bodies_host", "shade_bodies"),
                one("shade_partial_host", "shade_bodies"),
            ],
            motion: one("motion", "find_motion"),
            seed: [one("seed", "seed_host"), one("seed_multisampled", "seed_host")],
        }
    }

    pub fn device(&self) -> &wgpu::Device {
        &self.compiler.device
    }

    /// Those that [`crate::passes::Simulation`] binds at once: every drawing needs them.
    pub fn simulation(&self) -> [&LazyKernel; 5] {
        [&self.generate, &self.tiles, &self.step, &self.scan, &self.emit]
    }

    /// Every one of them. A kernel that is added to the struct does not compile before it is added here, too.
    fn all(&self) -> Vec<&LazyKernel> {
        let Self {
            compiler: _,
            width: _,
            grid,
            generate,
            tiles,
            step,
            scan,
            emit,
            ground,
            project,
            pyramid,
            raster,
            sort,
            shade,
            shade_host,
            motion,
            seed,
            ridges,
            shadow,
        } = self;
        let single = [grid, generate, tiles, step, scan, emit, pyramid, sort, motion];
        let pairs: Vec<&[LazyKernel; 2]> = match raster {
            Raster::Wide { first, second, partial } => vec![first, second, partial],
            Raster::Narrow { depth, depth_second, payload, partial: [a, b] } => {
                vec![depth, depth_second, payload, a, b]
            }
        };
        let [shadow_ground, shadow_bodies] = shadow;
        let others = [ground, project, seed, ridges, shadow_ground, shadow_bodies];
        let shades = shade.iter().chain(shade_host);
        single.into_iter().chain(pairs.into_iter().chain(others).flatten()).chain(shades).collect()
    }
}
