//! Every linked shader is valid WGSL, and asks for no more than WebGPU's base tier.

use std::collections::BTreeSet;

use anemone::SHADERS;
use anemone::wgpu::{self, naga};
use naga::valid::{Capabilities, ValidationFlags, Validator};

fn parse(name: &str, source: &str) -> naga::Module {
    naga::front::wgsl::parse_str(source).unwrap_or_else(|error| panic!("{name}: {}", error.emit_to_string(source)))
}

fn is_wide(name: &str) -> bool {
    ["raster_wide", "ground_wide"].iter().any(|wide| name.starts_with(wide))
}

/// What WebGPU's core has of naga's capabilities: 16-bit floats by packing.
const CORE: Capabilities = Capabilities::SHADER_FLOAT16_IN_FLOAT32;

/// What the shader may use. naga has further capabilities on by default.
fn allowed(name: &str) -> Capabilities {
    if is_wide(name) { CORE | Capabilities::SHADER_INT64 | Capabilities::SHADER_INT64_ATOMIC_MIN_MAX } else { CORE }
}

#[test]
fn every_shader_is_valid_with_nothing_but_the_base_tier() {
    assert!(SHADERS.len() > 15, "only {} shaders", SHADERS.len());
    for (name, source) in SHADERS {
        let module = parse(name, source);
        assert!(!module.entry_points.is_empty(), "{name} has no entry point");
        let mut validator = Validator::new(ValidationFlags::all(), allowed(name));
        if let Err(error) = validator.validate(&module) {
            panic!("{name}: {}", error.emit_to_string(source));
        }
    }
}

#[test]
fn wide_shaders_do_need_64_bits() {
    // Or the test above would let 64-bit types through everywhere.
    for (name, source) in SHADERS.iter().filter(|(name, _)| is_wide(name)) {
        let module = parse(name, source);
        let mut validator = Validator::new(ValidationFlags::all(), CORE);
        assert!(validator.validate(&module).is_err(), "{name} needs no 64-bit atomics");
    }
    assert!(SHADERS.iter().any(|(name, _)| is_wide(name)));
}

#[test]
fn types_of_64_and_16_bits_appear_only_in_the_wide_raster() {
    for (name, source) in SHADERS {
        for (_, ty) in parse(name, source).types.iter() {
            let scalar = match ty.inner {
                naga::TypeInner::Scalar(scalar) | naga::TypeInner::Atomic(scalar) => scalar,
                naga::TypeInner::Vector { scalar, .. } | naga::TypeInner::Matrix { scalar, .. } => scalar,
                _ => continue,
            };
            // bool counts as one byte.
            let base = scalar.width == 4 || scalar.kind == naga::ScalarKind::Bool;
            let wide = is_wide(name) && scalar == naga::Scalar { kind: naga::ScalarKind::Uint, width: 8 };
            assert!(base || wide, "{name}: {scalar:?}");
        }
    }
}

#[test]
fn bindings_and_workgroups_fit_the_base_tier() {
    let limits = wgpu::Limits::default();
    for (name, source) in SHADERS {
        let module = parse(name, source);
        let mut groups = BTreeSet::new();
        let mut storage = 0;
        let mut uniforms = 0;
        let mut workgroup_bytes = 0;
        let mut layouter = naga::proc::Layouter::default();
        layouter.update(module.to_ctx()).expect("sizes");
        for (_, variable) in module.global_variables.iter() {
            groups.extend(variable.binding.as_ref().map(|binding| binding.group));
            let size = layouter[variable.ty].size;
            match variable.space {
                naga::AddressSpace::Storage { .. } => storage += 1,
                naga::AddressSpace::Uniform => {
                    uniforms += 1;
                    assert!(
                        u64::from(size) <= limits.max_uniform_buffer_binding_size,
                        "{name}: uniform of {size} bytes"
                    );
                }
                naga::AddressSpace::WorkGroup => workgroup_bytes += size,
                _ => {}
            }
        }
        assert!(storage <= 8, "{name}: {storage} storage buffers");
        assert!(uniforms <= limits.max_uniform_buffers_per_shader_stage, "{name}: {uniforms} uniform buffers");
        assert!(groups.len() <= 4, "{name}: {} bind groups", groups.len());
        assert!(
            workgroup_bytes <= limits.max_compute_workgroup_storage_size,
            "{name}: {workgroup_bytes} bytes of workgroup memory"
        );
        for entry in module.entry_points.iter().filter(|entry| entry.stage == naga::ShaderStage::Compute) {
            let [x, y, z] = entry.workgroup_size;
            assert!(x * y * z <= 256, "{name}/{}: {} invocations", entry.name, x * y * z);
            assert!(x <= 256 && y <= 256 && z <= 64, "{name}/{}: {x}×{y}×{z}", entry.name);
        }
    }
}
