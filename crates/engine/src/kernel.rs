//! A compiled shader and how it is bound. Binding numbers mean the same thing in every shader (`resources.rs` lists them),
//! so a shader's own declarations say all that there is to bind.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread;

use wgpu::naga;

use crate::resources::{Resources, find};
use crate::shaders::{shader, source};

/// A shader module with the layout of its bindings.
pub(crate) struct Shader {
    label: &'static str,
    module: wgpu::ShaderModule,
    layout: wgpu::BindGroupLayout,
    pipeline_layout: wgpu::PipelineLayout,
    bindings: Vec<u32>,
}

/// What compiles kernels.
pub(crate) struct Compiler {
    pub device: wgpu::Device,
    /// Where what is compiled is kept for the next start.
    cache: Option<wgpu::PipelineCache>,
    /// By name: a module has several entry points, and is parsed once.
    shaders: Mutex<BTreeMap<&'static str, Arc<OnceLock<Shader>>>>,
}

/// A kernel that is compiled when it is first asked for.
pub(crate) struct LazyKernel {
    shader: &'static str,
    entry: &'static str,
    kernel: OnceLock<Kernel>,
}

/// A compute entry point.
pub(crate) struct Kernel {
    pub label: &'static str,
    pub pipeline: wgpu::ComputePipeline,
    layout: wgpu::BindGroupLayout,
    bindings: Vec<u32>,
}

impl Shader {
    /// Compiles a linked source.
    ///
    /// # Panics
    /// When the source is not valid WGSL: the sources are linked into this library, and tests validate each of them.
    pub fn new(device: &wgpu::Device, label: &'static str, source: &str, visibility: wgpu::ShaderStages) -> Self {
        let parsed = naga::front::wgsl::parse_str(source)
            .unwrap_or_else(|error| panic!("shader {label}: {}", error.emit_to_string(source)));
        let types: BTreeMap<u32, wgpu::BindingType> = parsed
            .global_variables
            .iter()
            .filter_map(|(_, variable)| {
                let binding = variable.binding.as_ref()?.binding;
                Some((binding, binding_type(variable.space, &parsed.types[variable.ty].inner)?))
            })
            .collect();
        let entries: Vec<_> = types
            .iter()
            .map(|(&binding, &ty)| wgpu::BindGroupLayoutEntry { binding, visibility, ty, count: None })
            .collect();
        let layout =
            device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor { label: Some(label), entries: &entries });
        let pipeline_layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: Some(label),
            bind_group_layouts: &[Some(&layout)],
            immediate_size: 0,
        });
        let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
            label: Some(label),
            source: wgpu::ShaderSource::Naga(Cow::Owned(parsed)),
        });
        Self { label, module, layout, pipeline_layout, bindings: types.into_keys().collect() }
    }

    /// The compute entry point of this name.
    fn kernel(&self, compiler: &Compiler, entry: &'static str) -> Kernel {
        let pipeline = compiler.device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
            label: Some(self.label),
            layout: Some(&self.pipeline_layout),
            module: &self.module,
            entry_point: Some(entry),
            compilation_options: Default::default(),
            cache: compiler.cache.as_ref(),
        });
        Kernel { label: entry, pipeline, layout: self.layout.clone(), bindings: self.bindings.clone() }
    }

    /// The module and the layout for a render pipeline.
    pub fn parts(&self) -> (&wgpu::ShaderModule, &wgpu::PipelineLayout) {
        (&self.module, &self.pipeline_layout)
    }

    /// Binds what this shader declares, each from the first of the resources that have it.
    pub fn bind(&self, device: &wgpu::Device, resources: &[&Resources]) -> wgpu::BindGroup {
        bind(device, self.label, &self.layout, &self.bindings, resources)
    }
}

impl Compiler {
    pub fn new(device: &wgpu::Device, cache: Option<wgpu::PipelineCache>) -> Self {
        Self { device: device.clone(), cache, shaders: Mutex::default() }
    }

    /// Compiles what is not compiled yet, on all cores.
    pub fn compile(&self, kernels: &[&LazyKernel]) {
        let mut missing: Vec<&LazyKernel> =
            kernels.iter().copied().filter(|kernel| kernel.kernel.get().is_none()).collect();
        // The longest first, so that no core is left alone with one at the end; each once.
        missing.sort_by_key(|kernel| (Reverse(source(kernel.shader).len()), kernel.shader, kernel.entry));
        missing.dedup_by(|a, b| std::ptr::eq(*a, *b));
        let cores = thread::available_parallelism().map_or(1, usize::from);
        let next = AtomicUsize::new(0);
        let work = || {
            while let Some(kernel) = missing.get(next.fetch_add(1, Ordering::Relaxed)) {
                kernel.get(self);
            }
        };
        thread::scope(|scope| {
            for _ in 1..cores.min(missing.len()) {
                scope.spawn(work);
            }
            work();
        });
    }

    fn shader(&self, name: &'static str) -> Arc<OnceLock<Shader>> {
        // The lock is held for the look-up alone: shaders are parsed side by side.
        Arc::clone(self.shaders.lock().unwrap_or_else(PoisonError::into_inner).entry(name).or_default())
    }
}

impl LazyKernel {
    /// The entry point of this name in a linked shader.
    pub const fn new(shader: &'static str, entry: &'static str) -> Self {
        Self { shader, entry, kernel: OnceLock::new() }
    }

    /// The kernel, compiled.
    pub fn get(&self, compiler: &Compiler) -> &Kernel {
        self.kernel.get_or_init(|| {
            let parsed = compiler.shader(self.shader);
            let parse = || shader(&compiler.device, self.shader, wgpu::ShaderStages::COMPUTE);
            parsed.get_or_init(parse).kernel(compiler, self.entry)
        })
    }
}

impl Kernel {
    /// Binds what this kernel's shader declares, each from the first of the resources that have it.
    pub fn bind(&self, device: &wgpu::Device, resources: &[&Resources]) -> wgpu::BindGroup {
        bind(device, self.label, &self.layout, &self.bindings, resources)
    }
}

fn bind(
    device: &wgpu::Device,
    label: &str,
    layout: &wgpu::BindGroupLayout,
    bindings: &[u32],
    resources: &[&Resources],
) -> wgpu::BindGroup {
    let entries: Vec<_> =
        bindings.iter().map(|&binding| wgpu::BindGroupEntry { binding, resource: find(resources, binding) }).collect();
    device.create_bind_group(&wgpu::BindGroupDescriptor { label: Some(label), layout, entries: &entries })
}

fn binding_type(space: naga::AddressSpace, inner: &naga::TypeInner) -> Option<wgpu::BindingType> {
    let buffer = |ty| wgpu::BindingType::Buffer { ty, has_dynamic_offset: false, min_binding_size: None };
    match (space, inner) {
        (naga::AddressSpace::Uniform, _) => Some(buffer(wgpu::BufferBindingType::Uniform)),
        (naga::AddressSpace::Storage { access }, _) => {
            let read_only = !access.contains(naga::StorageAccess::STORE);
            Some(buffer(wgpu::BufferBindingType::Storage { read_only }))
        }
        (naga::AddressSpace::Handle, naga::TypeInner::Image { class, .. }) => {
            let multisampled = matches!(class, naga::ImageClass::Depth { multi: true });
            let sample_type = match class {
                naga::ImageClass::Depth { .. } => wgpu::TextureSampleType::Depth,
                naga::ImageClass::Sampled { kind: naga::ScalarKind::Uint, .. } => wgpu::TextureSampleType::Uint,
                naga::ImageClass::Sampled { .. } => wgpu::TextureSampleType::Float { filterable: false },
                _ => return None,
            };
            Some(wgpu::BindingType::Texture {
                sample_type,
                view_dimension: wgpu::TextureViewDimension::D2,
                multisampled,
            })
        }
        _ => None,
    }
}
