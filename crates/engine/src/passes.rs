//! The compute passes of a frame: which kernels there are, what each is bound to, and in which order they run.

use std::sync::OnceLock;

use crate::capability::RasterWidth;
use crate::kernel::Kernel;
use crate::resources::Resources;
use crate::shaders::shader;
use crate::shadow::ridges::RIDGE_SIDE;
use crate::timing::Timing;

/// Every compute pipeline of the frame.
pub(crate) struct Kernels {
    generate: Kernel,
    tiles: Kernel,
    step: Kernel,
    scan: Kernel,
    emit: Kernel,
    ground: [Kernel; 2],
    project: [Kernel; 2],
    pyramid: Kernel,
    raster: Raster,
    sort: Kernel,
    shade: [Kernel; 3],
    /// The same with a host's shadows, compiled when they are wanted.
    shade_host: OnceLock<[Kernel; 3]>,
    motion: Kernel,
    seed: [Kernel; 2],
    ridges: [Kernel; 2],
    /// Of the sun's view: the ground's triangles, and bodies.
    shadow: [[Kernel; 2]; 2],
}

/// The raster's passes, each for small and for big segments.
#[allow(clippy::large_enum_variant, reason = "there is one of it")]
enum Raster {
    Wide { first: [Kernel; 2], second: [Kernel; 2], partial: [Kernel; 2] },
    Narrow { depth: [Kernel; 2], depth_second: [Kernel; 2], payload: [Kernel; 2], partial: [[Kernel; 2]; 2] },
}

impl Kernels {
    /// Compiles them all.
    pub fn new(device: &wgpu::Device, width: RasterWidth) -> Self {
        let compute = |name| shader(device, name, wgpu::ShaderStages::COMPUTE);
        let one = |name, entry| compute(name).kernel(device, entry);
        let raster = |name| {
            let shader = compute(name);
            [shader.kernel(device, "raster_small"), shader.kernel(device, "raster_big")]
        };
        let project = compute("project");
        let ground = compute(match width {
            RasterWidth::Wide => "ground_wide",
            RasterWidth::Narrow => "ground_narrow",
        });
        Self {
            generate: one("generate", "generate"),
            tiles: one("tiles", "cull_tiles"),
            step: one("step", "move_bodies"),
            scan: one("scan", "scan"),
            emit: one("emit", "emit"),
            ground: [ground.kernel(device, "raster_ground"), ground.kernel(device, "raster_ground_large")],
            project: [project.kernel(device, "project_first"), project.kernel(device, "project_second")],
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
            ridges: {
                let ridges = compute("ridges");
                [ridges.kernel(device, "fill_heights"), ridges.kernel(device, "find_ridges")]
            },
            shadow: {
                let ground = compute("ground_shadow");
                let ground = [ground.kernel(device, "raster_ground"), ground.kernel(device, "raster_ground_large")];
                [ground, raster("raster_shadow")]
            },
            sort: one("sort_pixels", "sort_pixels"),
            shade: [
                one("shade_ground", "shade_ground"),
                one("shade_bodies", "shade_bodies"),
                one("shade_partial", "shade_bodies"),
            ],
            shade_host: OnceLock::new(),
            motion: one("motion", "find_motion"),
            seed: [one("seed", "seed_host"), one("seed_multisampled", "seed_host")],
        }
    }
}

impl Kernels {
    fn with_host_shadow(&self, device: &wgpu::Device) -> &[Kernel; 3] {
        let one = |name, entry| shader(device, name, wgpu::ShaderStages::COMPUTE).kernel(device, entry);
        self.shade_host.get_or_init(|| {
            [
                one("shade_ground_host", "shade_ground"),
                one("shade_bodies_host", "shade_bodies"),
                one("shade_partial_host", "shade_bodies"),
            ]
        })
    }
}

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

/// Turns that a loop over a list may take. Mesa 22's software driver leaves one after 65,535.
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

    /// The grid for so much work at most, of which a workgroup does `group` at a time.
    fn grid(self, work: u64, group: u64) -> [u32; 2] {
        let pieces = work.div_ceil(group).max(1);
        [pieces.min(self.most.max(pieces.div_ceil(MOST_TURNS))) as u32, 1]
    }
}

/// The passes that see no picture: they fill tiles, move bodies, list those that a camera culls, and find the land's ridges.
pub(crate) struct Simulation {
    pub generate: Pass,
    cull: [Pass; 4],
    ridges: [Pass; 2],
}

impl Simulation {
    /// Binds the kernels to a world's buffers.
    pub fn new(device: &wgpu::Device, kernels: &Kernels, resources: &Resources, chunks: u64) -> Self {
        let pass = |kernel, groups, labels| Pass::new(device, kernel, &[resources], groups, labels);
        let k = kernels;
        let by_chunk = Loops::new(device).grid(chunks, 1);
        let by_ridge = [RIDGE_SIDE / 8, RIDGE_SIDE / 8];
        Self {
            generate: pass(&k.generate, [0, 1], ["generate"; 2]),
            cull: [
                pass(&k.tiles, [1, 1], ["tiles", "shadow tiles"]),
                pass(&k.step, by_chunk, ["motion and cull", "shadow motion and cull"]),
                pass(&k.scan, [1, 1], ["scan", "shadow scan"]),
                pass(&k.emit, by_chunk, ["emit", "shadow emit"]),
            ],
            ridges: [pass(&k.ridges[0], by_ridge, ["ridges"; 2]), pass(&k.ridges[1], by_ridge, ["ridges"; 2])],
        }
    }

    /// Up to the list of items: what the camera that culls decides.
    pub fn passes(&self) -> &[Pass] {
        &self.cull
    }

    /// Those that move the bodies: `cull_tiles` and `move_bodies`.
    pub fn moving(&self) -> &[Pass] {
        &self.cull[..2]
    }

    /// The land's ridges as the sun stands.
    pub fn ridges(&self) -> &[Pass] {
        &self.ridges
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
    /// Where each pixel was before.
    pub motion: Pass,
}

impl Passes {
    /// Binds the kernels to a world's and a view's buffers.
    pub fn new(device: &wgpu::Device, kernels: &Kernels, resources: &[&Resources], work: &Work) -> Self {
        let size = work.size;
        let pass = |kernel: &Kernel, groups, label| Pass::new(device, kernel, resources, groups, [label; 2]);
        let k = kernels;
        let loops = Loops::new(device);
        let by_item = loops.grid(work.items, 64);
        let by_pixel = |side: u32| [size[0].div_ceil(side), size[1].div_ceil(side)];
        // A big segment for every other body is plenty: what lists are longer is looped over.
        let big = loops.grid((work.items / 2).max(2048), 8);
        let both = |kernels: &[Kernel; 2], label| [pass(&kernels[0], by_item, label), pass(&kernels[1], big, label)];
        let mut after = Vec::new();
        if work.draws_ground {
            after.push(pass(&k.ground[0], loops.grid(work.ground, 64), "ground"));
            after.push(pass(&k.ground[1], loops.grid(u64::from(size[0]) * u64::from(size[1]) / 256, 1), "ground"));
        }
        if let Some(samples) = work.host_samples {
            after.push(pass(&k.seed[usize::from(samples > 1)], by_pixel(8), "host's depth"));
        }
        after.push(pass(&k.project[0], by_item, "project"));
        let occlusion = work.occlusion;
        let middle = || {
            if !occlusion {
                return Vec::new();
            }
            vec![pass(&k.pyramid, by_pixel(64), "pyramid"), pass(&k.project[1], by_item, "project 2")]
        };
        match &k.raster {
            Raster::Wide { first, second, partial } => {
                after.extend(both(first, "raster"));
                after.extend(middle());
                if occlusion {
                    after.extend(both(second, "raster 2"));
                }
                after.extend(both(partial, "coverage"));
            }
            Raster::Narrow { depth, depth_second, payload, partial } => {
                after.extend(both(depth, "raster"));
                after.extend(middle());
                if occlusion {
                    after.extend(both(depth_second, "raster 2"));
                }
                after.extend(both(payload, "payload"));
                after.extend(both(&partial[0], "coverage"));
                after.extend(both(&partial[1], "coverage payload"));
            }
        }
        let mut shade = vec![pass(&k.sort, by_pixel(16), "sort pixels")];
        let by_listed = loops.grid(u64::from(size[0]) * u64::from(size[1]), 64);
        let kernels = if work.host_shadow { k.with_host_shadow(device) } else { &k.shade };
        for (kernel, label) in kernels.iter().zip(["shade ground", "shade bodies", "shade partial"]) {
            shade.push(pass(kernel, by_listed, label));
        }
        let texels = u64::from(work.texels) * u64::from(work.texels);
        let mut shadow = Vec::new();
        if work.mesh {
            shadow.push(pass(&k.shadow[0][0], loops.grid(work.ground, 64), "shadow ground"));
            shadow.push(pass(&k.shadow[0][1], loops.grid(texels / 256, 1), "shadow ground"));
        }
        shadow.push(pass(&k.project[0], by_item, "shadow project"));
        shadow.push(pass(&k.shadow[1][0], by_item, "shadow raster"));
        shadow.push(pass(&k.shadow[1][1], big, "shadow raster"));
        let motion = pass(&k.motion, by_pixel(8), "motion");
        Self { shadow, draw: after, shade, motion }
    }
}

impl Pass {
    fn new(
        device: &wgpu::Device,
        kernel: &Kernel,
        resources: &[&Resources],
        groups: [u32; 2],
        [label, sun_label]: [&'static str; 2],
    ) -> Self {
        let bindings = kernel.bind(device, resources);
        Self { label, sun_label, pipeline: kernel.pipeline.clone(), bindings, groups }
    }

    /// Encodes the pass with its own grid.
    pub fn encode(&self, encoder: &mut wgpu::CommandEncoder, timing: &mut Timing<'_>) {
        self.encode_as(self.label, encoder, timing, self.groups);
    }

    /// Encodes the pass with another grid; none at all where there is nothing to do.
    pub fn encode_groups(&self, encoder: &mut wgpu::CommandEncoder, timing: &mut Timing<'_>, groups: [u32; 2]) {
        self.encode_as(self.label, encoder, timing, groups);
    }

    /// Encodes the pass as one of the sun's view.
    pub fn encode_for_sun(&self, encoder: &mut wgpu::CommandEncoder, timing: &mut Timing<'_>) {
        self.encode_as(self.sun_label, encoder, timing, self.groups);
    }

    fn encode_as(
        &self,
        label: &'static str,
        encoder: &mut wgpu::CommandEncoder,
        timing: &mut Timing<'_>,
        groups: [u32; 2],
    ) {
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
