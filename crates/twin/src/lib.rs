//! Runs shader functions on a real adapter, so that tests can hold them against their Rust twins.
//!
//! Every law of motion and field exists twice: as Rust and as WESL. A test writes a small WESL root module with a
//! function `evaluate(input: Input) -> Output`, calls [`Twin::evaluate`] with its inputs, and compares what comes back
//! with what the Rust side says.

use std::borrow::Cow;

use bytemuck::{NoUninit, Pod};
use wgpu::util::DeviceExt;

/// One WESL module: its path (`package::field::trig`) and its source.
pub type Module = (&'static str, &'static str);

/// Links `root`, which may import any of `modules`, into one WGSL source.
///
/// # Panics
/// With the linker's message when the sources are wrong: this is for tests.
#[must_use]
pub fn link(modules: &[&[Module]], root: &str, features: &[(&str, bool)]) -> String {
    let mut resolver = wesl::VirtualResolver::new();
    for (path, source) in modules.iter().copied().flatten() {
        let path = path.parse().expect("a module path such as package::field::trig");
        resolver.add_module(path, Cow::Borrowed(*source));
    }
    let path: wesl::ModulePath = "package::root".parse().expect("a module path");
    resolver.add_module(path.clone(), Cow::Borrowed(root));
    let mut linker = wesl::Wesl::new_barebones().set_custom_resolver(resolver);
    linker.use_imports(true).use_condcomp(true).use_stripping(true).keep_all_entrypoints();
    for (feature, on) in features {
        linker.set_feature(feature, *on);
    }
    match linker.compile(&path) {
        Ok(result) => result.to_string(),
        Err(error) => panic!("the shader does not link:\n{error}"),
    }
}

/// An adapter and a device of it, kept for several evaluations.
pub struct Twin {
    device: wgpu::Device,
    queue: wgpu::Queue,
    /// The adapter's name and driver, for messages and for tolerances keyed by driver.
    pub adapter: String,
}

impl Twin {
    /// Opens the first Vulkan adapter, software drivers included.
    ///
    /// # Panics
    /// When there is none: a test that cannot run must not pass. `cargo xtask setup` installs a software driver.
    #[must_use]
    pub fn open() -> Self {
        let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle());
        let adapter = pollster::block_on(instance.enumerate_adapters(wgpu::Backends::VULKAN))
            .into_iter()
            .next()
            .expect("no Vulkan adapter: `cargo xtask setup` installs Mesa's software driver");
        let info = adapter.get_info();
        let (device, queue) = pollster::block_on(adapter.request_device(&wgpu::DeviceDescriptor {
            required_limits: wgpu::Limits::default(),
            ..Default::default()
        }))
        .expect("a device with WebGPU's default limits");
        Self { device, queue, adapter: format!("{} {}", info.name, info.driver_info) }
    }

    /// Runs `evaluate` of the WESL source `root` on every input.
    ///
    /// `root` defines `struct Input`, `struct Output` and `fn evaluate(input: Input) -> Output`; `I` and `O` are their
    /// Rust layouts (storage address space: a `vec3f` is aligned to 16 bytes).
    ///
    /// # Panics
    /// When the shader does not link or validate, or the device is lost.
    #[must_use]
    pub fn evaluate<I: NoUninit, O: Pod>(&self, modules: &[&[Module]], root: &str, inputs: &[I]) -> Vec<O> {
        let entry = "
            @group(0) @binding(0) var<storage, read> twin_inputs: array<Input>;
            @group(0) @binding(1) var<storage, read_write> twin_outputs: array<Output>;
            @compute @workgroup_size(64) fn twin_main(@builtin(global_invocation_id) id: vec3u) {
                if (id.x < arrayLength(&twin_inputs)) { twin_outputs[id.x] = evaluate(twin_inputs[id.x]); }
            }";
        let source = link(modules, &format!("{root}{entry}"), &[]);
        let device = &self.device;
        let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
            label: Some("twin"),
            source: wgpu::ShaderSource::Wgsl(source.into()),
        });
        let pipeline = device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
            label: Some("twin"),
            layout: None,
            module: &module,
            entry_point: Some("twin_main"),
            compilation_options: Default::default(),
            cache: None,
        });
        let input = device.create_buffer_init(&wgpu::util::BufferInitDescriptor {
            label: Some("twin inputs"),
            contents: bytemuck::cast_slice(inputs),
            usage: wgpu::BufferUsages::STORAGE,
        });
        let size = (inputs.len() * size_of::<O>()) as u64;
        let output = device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("twin outputs"),
            size,
            usage: wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC,
            mapped_at_creation: false,
        });
        let readback = device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("twin read-back"),
            size,
            usage: wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        let bindings = device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("twin"),
            layout: &pipeline.get_bind_group_layout(0),
            entries: &[
                wgpu::BindGroupEntry { binding: 0, resource: input.as_entire_binding() },
                wgpu::BindGroupEntry { binding: 1, resource: output.as_entire_binding() },
            ],
        });
        let mut encoder = device.create_command_encoder(&Default::default());
        {
            let mut pass = encoder.begin_compute_pass(&Default::default());
            pass.set_pipeline(&pipeline);
            pass.set_bind_group(0, &bindings, &[]);
            pass.dispatch_workgroups(inputs.len().div_ceil(64) as u32, 1, 1);
        }
        encoder.copy_buffer_to_buffer(&output, 0, &readback, 0, size);
        self.queue.submit([encoder.finish()]);
        readback.slice(..).map_async(wgpu::MapMode::Read, |result| result.expect("the read-back maps"));
        device.poll(wgpu::PollType::wait_indefinitely()).expect("the device answers");
        let bytes = readback.slice(..).get_mapped_range().expect("the read-back is mapped");
        let bytes: &[u8] = &bytes;
        bytemuck::pod_collect_to_vec(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_function_of_another_module_runs_on_the_adapter() {
        let modules: &[Module] = &[("package::field::double", "fn double(x: f32) -> f32 { return 2.0 * x; }")];
        let root = "
            import package::field::double::double;
            struct Input { x: f32 }
            struct Output { y: f32 }
            fn evaluate(input: Input) -> Output { return Output(double(input.x)); }";
        let inputs: Vec<f32> = (0..1000).map(|i| i as f32).collect();
        let outputs: Vec<f32> = Twin::open().evaluate(&[modules], root, &inputs);
        assert!(inputs.iter().zip(&outputs).all(|(x, y)| 2.0 * x == *y));
    }
}
