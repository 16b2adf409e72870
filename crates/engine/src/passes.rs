//! The compute passes of a frame: which kernels run, in which order, over which grid, and bound to what.

use std::sync::OnceLock;

use crate::ground::LARGE_CAPACITY;
use crate::kernel::LazyKernel;
use crate::kernels::{Kernels, Raster};
use crate::pool::{BIG_CAPACITY, BIG_LANES};
use crate::resources::Resources;
use crate::shadow::ridges::RIDGE_SIDE;
use crate::timing::Timing;

/// A pass of a frame: a kernel, what it is bound to, and its workgroups.
pub(crate) struct Pass {
    label: &'static str,
    /// What it is called in the sun's view.
    sun_label: &'static str,
    pipeline: wgpu::ComputePipeline,
    bindings: wgpu::BindGroup,
    groups: [u32; 2],
}

/// Fixed grids whose workgroups loop over the GPU's counts.
#[derive(Clone, Copy)]
struct Loops {
    most: u64,
}

/// Turns of all its loops together that an invocation may take. Mesa 22's software driver counts them in one counter, nested
/// loops too, and leaves every loop after 65,535 without a word; half of that leaves room for drawings out of the ordinary.
const MOST_TURNS: u64 = 32_768;

impl Loops {
    /// As wide as pays on this device. A workgroup that finds no work costs next to nothing on a GPU, but microseconds on a
    /// software driver, which sets up every variable of a kernel before its first line: there, enough of them to keep all
    /// cores busy to the end.
    fn new(device: &wgpu::Device) -> Self {
        let is_cpu = device.adapter_info().device_type == wgpu::DeviceType::Cpu;
        let cores = std::thread::available_parallelism().map_or(1, |cores| cores.get() as u64);
        Self { most: if is_cpu { 16 * cores } else { 4096 } }
    }

    /// The grid for so many pieces of work at most, of which a workgroup does `at_once` at a time; a lane takes so many turns
    /// of inner loops over its piece.
    fn grid(self, pieces: u64, at_once: u64, turns: u64) -> [u32; 2] {
        let groups = pieces.div_ceil(at_once).max(1);
        let enough = groups.div_ceil((MOST_TURNS / turns).max(1));
        [groups.min(self.most.max(enough)).min(WIDEST) as u32, 1]
    }
}

/// A dimension of a dispatch holds so many workgroups.
const WIDEST: u64 = 65_535;

/// Turns of inner loops that a piece of work takes, for [`Loops::grid`]: of a body that wakes, is counted and is posed, ...
pub(crate) const WAKE_TURNS: u64 = 64;
/// ... of a source of wind, all octaves of both noises, ...
pub(crate) const SOURCE_TURNS: u64 = 40;
/// ... of an obstacle in a substep, where all of `collide.wesl` is needed, ...
pub(crate) const COLLISION_TURNS: u64 = 48;
/// ... of 64 items whose segments, or of a ground cell whose triangles, a lane draws; of an entry of the big segments, ...
const DRAW_TURNS: u64 = 512;
/// ... of a pixel that is lit, a square of a large triangle, or a chunk that is listed.
const SHORT_TURNS: u64 = 64;

/// A pass whose kernel may still have to be compiled.
struct Plan<'a> {
    kernel: &'a LazyKernel,
    groups: [u32; 2],
    /// In the picture's view and in the sun's.
    labels: [&'static str; 2],
}

impl<'a> Plan<'a> {
    fn new(kernel: &'a LazyKernel, groups: [u32; 2], label: &'static str) -> Self {
        Self { kernel, groups, labels: [label; 2] }
    }

    fn bind(&self, kernels: &Kernels, resources: &[&Resources]) -> Pass {
        let kernel = self.kernel.get(&kernels.compiler);
        let bindings = kernel.bind(kernels.device(), resources);
        let [label, sun_label] = self.labels;
        Pass { label, sun_label, pipeline: kernel.pipeline.clone(), bindings, groups: self.groups }
    }
}

fn bind<const N: usize>(plans: [Plan<'_>; N], kernels: &Kernels, resources: &[&Resources]) -> [Pass; N] {
    kernels.compiler.compile(&plans.each_ref().map(|plan| plan.kernel));
    plans.map(|plan| plan.bind(kernels, resources))
}

/// The passes that see no picture: they fill tiles, move bodies, list those that a camera culls, and find the land's ridges.
pub(crate) struct Simulation {
    pub generate: Pass,
    cull: [Pass; 4],
    chunks: u64,
    loops: Loops,
    /// Bound when they are first wanted: a plane has none.
    ridges: OnceLock<[Pass; 2]>,
}

impl Simulation {
    /// Binds the kernels to a world's buffers.
    pub fn new(kernels: &Kernels, resources: &Resources, chunks: u64) -> Self {
        let k = kernels;
        let loops = Loops::new(kernels.device());
        let plans = [
            Plan::new(&k.generate, [0, 1], "generate"),
            Plan { kernel: &k.tiles, groups: [1, 1], labels: ["tiles", "shadow tiles"] },
            // Its grid depends on the moment.
            Plan { kernel: &k.step, groups: [0, 1], labels: ["motion and cull", "shadow motion and cull"] },
            Plan { kernel: &k.scan, groups: [1, 1], labels: ["scan", "shadow scan"] },
            Plan { kernel: &k.emit, groups: loops.grid(chunks, 1, SHORT_TURNS), labels: ["emit", "shadow emit"] },
        ];
        let [generate, tiles, step, scan, emit] = bind(plans, kernels, &[resources]);
        Self { generate, cull: [tiles, step, scan, emit], chunks, loops, ridges: OnceLock::new() }
    }

    /// Moves the bodies and lists those that a camera sees, or the sun. `turns` is how many turns of loops
    /// `move_bodies` takes at most for a body.
    pub fn list(&self, encoder: &mut wgpu::CommandEncoder, timing: &mut Timing<'_>, viewer: Viewer, turns: u64) {
        let [tiles, step, scan, emit] = &self.cull;
        tiles.encode_for(viewer, encoder, timing, tiles.groups);
        step.encode_for(viewer, encoder, timing, self.step_groups(turns));
        scan.encode_for(viewer, encoder, timing, scan.groups);
        emit.encode_for(viewer, encoder, timing, emit.groups);
    }

    /// Moves the bodies, and lists none.
    pub fn move_bodies(&self, encoder: &mut wgpu::CommandEncoder, turns: u64) {
        let [tiles, step, ..] = &self.cull;
        tiles.encode(encoder, &mut Timing::None);
        step.encode_groups(encoder, &mut Timing::None, self.step_groups(turns));
    }

    fn step_groups(&self, turns: u64) -> [u32; 2] {
        self.loops.grid(self.chunks, 1, turns)
    }

    /// The land's ridges as the sun stands.
    pub fn ridges(&self, kernels: &Kernels, resources: &Resources) -> &[Pass] {
        let groups = [RIDGE_SIDE / 8, RIDGE_SIDE / 8];
        let plans = || kernels.ridges.each_ref().map(|kernel| Plan::new(kernel, groups, "ridges"));
        self.ridges.get_or_init(|| bind(plans(), kernels, &[resources]))
    }
}

/// How much there is to do at most, from which the fixed grids of workgroups follow.
pub(crate) struct Work {
    /// Pixels.
    pub size: [u32; 2],
    pub items: u64,
    /// The ground's triangles or cells.
    pub ground: u64,
    pub occlusion: bool,
    /// The ground is a mesh, which throws its shadow into the map with the bodies.
    pub mesh: bool,
    /// Along the side of the map of what the sun sees.
    pub texels: u32,
    /// Draws the world's ground.
    pub draws_ground: bool,
    /// Samples in a pixel of a host's depth.
    pub host_samples: Option<u32>,
    /// A host's things throw shadows.
    pub host_shadow: bool,
}

/// The passes that draw a view.
pub(crate) struct Passes {
    /// What the sun sees, after [`Simulation`] has listed it.
    pub shadow: Vec<Pass>,
    /// What the camera that draws decides.
    pub draw: Vec<Pass>,
    /// What lights it.
    pub shade: Vec<Pass>,
    /// Bound when it is first wanted.
    motion: OnceLock<[Pass; 1]>,
    /// Workgroups of 8 by 8 pixels.
    by_pixel: [u32; 2],
}

impl Passes {
    /// Binds the kernels to a world's and a view's buffers.
    pub fn new<'a>(kernels: &'a Kernels, resources: &[&Resources], work: &Work) -> Self {
        let size = work.size;
        let k = kernels;
        let loops = Loops::new(kernels.device());
        let by_item = loops.grid(work.items, 64, DRAW_TURNS);
        let by_pixel = |side: u32| [size[0].div_ceil(side), size[1].div_ceil(side)];
        let pixels = u64::from(size[0]) * u64::from(size[1]);
        let big = loops.grid(u64::from(BIG_CAPACITY), 64 / BIG_LANES, DRAW_TURNS);
        let large = loops.grid(LARGE_CAPACITY, 1, SHORT_TURNS);
        let plan = Plan::new;
        let both = |[small, large]: &'a [LazyKernel; 2], label| [plan(small, by_item, label), plan(large, big, label)];
        let mut draw = Vec::new();
        if work.draws_ground {
            draw.push(plan(&k.ground[0], loops.grid(work.ground, 64, DRAW_TURNS), "ground"));
            draw.push(plan(&k.ground[1], large, "ground"));
        }
        if let Some(samples) = work.host_samples {
            draw.push(plan(&k.seed[usize::from(samples > 1)], by_pixel(8), "host's depth"));
        }
        draw.push(plan(&k.project[0], by_item, "project"));
        let occlusion = work.occlusion;
        let middle = || {
            if !occlusion {
                return Vec::new();
            }
            vec![plan(&k.pyramid, by_pixel(64), "pyramid"), plan(&k.project[1], by_item, "project 2")]
        };
        match &k.raster {
            Raster::Wide { first, second, partial } => {
                draw.extend(both(first, "raster"));
                draw.extend(middle());
                if occlusion {
                    draw.extend(both(second, "raster 2"));
                }
                draw.extend(both(partial, "coverage"));
            }
            Raster::Narrow { depth, depth_second, payload, partial } => {
                draw.extend(both(depth, "raster"));
                draw.extend(middle());
                if occlusion {
                    draw.extend(both(depth_second, "raster 2"));
                }
                draw.extend(both(payload, "payload"));
                draw.extend(both(&partial[0], "coverage"));
                draw.extend(both(&partial[1], "coverage payload"));
            }
        }
        let mut shade = vec![plan(&k.sort, by_pixel(16), "sort pixels")];
        let shaders = if work.host_shadow { &k.shade_host } else { &k.shade };
        for (kernel, label) in shaders.iter().zip(["shade ground", "shade bodies", "shade partial"]) {
            shade.push(plan(kernel, loops.grid(pixels, 64, SHORT_TURNS), label));
        }
        let texels = u64::from(work.texels) * u64::from(work.texels);
        let mut shadow = Vec::new();
        if texels > 0 && work.mesh {
            shadow.push(plan(&k.shadow[0][0], loops.grid(work.ground, 64, DRAW_TURNS), "shadow ground"));
            shadow.push(plan(&k.shadow[0][1], large, "shadow ground"));
        }
        if texels > 0 {
            shadow.push(plan(&k.project[0], by_item, "shadow project"));
            shadow.extend(both(&k.shadow[1], "shadow raster"));
        }
        let wanted = [&shadow, &draw, &shade].into_iter().flatten().map(|plan| plan.kernel);
        kernels.compiler.compile(&wanted.chain(kernels.simulation()).collect::<Vec<_>>());
        let bind = |plans: Vec<Plan<'_>>| plans.iter().map(|plan| plan.bind(kernels, resources)).collect();
        Self {
            shadow: bind(shadow),
            draw: bind(draw),
            shade: bind(shade),
            motion: OnceLock::new(),
            by_pixel: by_pixel(8),
        }
    }

    /// Where each pixel was before.
    pub fn motion(&self, kernels: &Kernels, resources: &[&Resources]) -> &Pass {
        let plan = || [Plan::new(&kernels.motion, self.by_pixel, "motion")];
        &self.motion.get_or_init(|| bind(plan(), kernels, resources))[0]
    }
}

/// For whom a pass of the simulation is run, which its label says.
#[derive(Clone, Copy)]
pub(crate) enum Viewer {
    Camera,
    Sun,
}

impl Pass {
    /// Encodes the pass with its own grid.
    pub fn encode(&self, encoder: &mut wgpu::CommandEncoder, timing: &mut Timing<'_>) {
        self.encode_groups(encoder, timing, self.groups);
    }

    /// Encodes the pass with another grid; none at all where there is nothing to do.
    pub fn encode_groups(&self, encoder: &mut wgpu::CommandEncoder, timing: &mut Timing<'_>, groups: [u32; 2]) {
        self.encode_for(Viewer::Camera, encoder, timing, groups);
    }

    fn encode_for(
        &self,
        viewer: Viewer,
        encoder: &mut wgpu::CommandEncoder,
        timing: &mut Timing<'_>,
        groups: [u32; 2],
    ) {
        let label = match viewer {
            Viewer::Camera => self.label,
            Viewer::Sun => self.sun_label,
        };
        if groups[0] == 0 {
            return;
        }
        let query = timing.begin(label, encoder);
        {
            let mut compute = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor {
                label: Some(label),
                timestamp_writes: query.as_ref().and_then(|query| query.compute_pass_timestamp_writes()),
            });
            compute.set_pipeline(&self.pipeline);
            compute.set_bind_group(0, &self.bindings, &[]);
            compute.dispatch_workgroups(groups[0], groups[1], 1);
        }
        timing.end(label, encoder, query);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grids_are_as_wide_as_the_work_wants_and_the_device_takes() {
        let loops = Loops { most: 32 };
        assert_eq!(loops.grid(0, 64, 64), [1, 1]);
        assert_eq!(loops.grid(64 * 20, 64, 64), [20, 1]);
        assert_eq!(loops.grid(64 * 10_000, 64, 64), [32, 1]);
        // 32,768 turns are eight pieces of 4096.
        assert_eq!(loops.grid(8000, 1, 4096), [1000, 1]);
        // Half a second between frames, with all obstacles and winds, over 268 million bodies.
        let turns = WAKE_TURNS + 8 * SOURCE_TURNS + 60 * (1 + 16 * COLLISION_TURNS);
        assert_eq!(loops.grid(1 << 20, 1, turns), [65_535, 1]);
    }
}
