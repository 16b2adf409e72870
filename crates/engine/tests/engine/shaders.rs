//! Every linked shader is valid WGSL, asks for no more than WebGPU's base tier, and can be said in the languages of Direct3D
//! and Metal.

use std::collections::BTreeSet;

use anemone::SHADERS;
use anemone::wgpu::{self, naga};
use naga::back::{hlsl, msl};
use naga::valid::{Capabilities, ModuleInfo, ValidationFlags, Validator};

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

fn validate(name: &str, source: &str, module: &naga::Module) -> ModuleInfo {
    let mut validator = Validator::new(ValidationFlags::all(), allowed(name));
    validator.validate(module).unwrap_or_else(|error| panic!("{name}: {}", error.emit_to_string(source)))
}

#[test]
fn every_shader_is_valid_with_nothing_but_the_base_tier() {
    assert!(SHADERS.len() > 15, "only {} shaders", SHADERS.len());
    for (name, source) in SHADERS {
        let module = parse(name, source);
        assert!(!module.entry_points.is_empty(), "{name} has no entry point");
        validate(name, source, &module);
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

/// As HLSL for a shader model. Register numbers are made up, the device's own come from the pipeline's layout.
fn write_hlsl(
    module: &naga::Module,
    info: &ModuleInfo,
    shader_model: hlsl::ShaderModel,
) -> Result<String, hlsl::Error> {
    let options = hlsl::Options { shader_model, fake_missing_bindings: true, ..hlsl::Options::default() };
    let pipeline = hlsl::PipelineOptions::default();
    let mut text = String::new();
    hlsl::Writer::new(&mut text, &options, &pipeline).write(module, info, None)?;
    Ok(text)
}

/// As Metal's language of a version.
fn write_metal(module: &naga::Module, info: &ModuleInfo, lang_version: (u8, u8)) -> Result<String, msl::Error> {
    let options = msl::Options { lang_version, fake_missing_bindings: true, ..msl::Options::default() };
    let mut writer = msl::Writer::new(String::new());
    writer.write(module, info, &options, &msl::PipelineOptions::default())?;
    Ok(writer.finish())
}

/// Direct3D 12: shader model 5.1, which the compiler that Windows comes with takes, and 6.0. 64-bit atomics need 6.6; the
/// writer has them, but does not look at the model.
#[test]
fn every_shader_can_be_written_for_direct3d() {
    use hlsl::ShaderModel::{V5_1, V6_0, V6_6};
    for (name, source) in SHADERS {
        let module = parse(name, source);
        let info = validate(name, source, &module);
        for model in if is_wide(name) { &[V6_6][..] } else { &[V5_1, V6_0] } {
            let text = write_hlsl(&module, &info, *model);
            let text = text.unwrap_or_else(|error| panic!("{name} for shader model {}: {error}", model.to_str()));
            assert_says_all(name, &module, &text);
            let wide = ["InterlockedMax64", "uint64_t"].map(|word| text.contains(word));
            assert_eq!(wide, [is_wide(name); 2], "{name}");
        }
    }
}

/// Metal 2.0, which every system that wgpu runs on has. 64-bit atomics need 2.4; the writer has them, but does not look at the
/// version.
#[test]
fn every_shader_can_be_written_for_metal() {
    for (name, source) in SHADERS {
        let module = parse(name, source);
        let info = validate(name, source, &module);
        let version = if is_wide(name) { (2, 4) } else { (2, 0) };
        let text = write_metal(&module, &info, version).unwrap_or_else(|error| panic!("{name} for Metal: {error}"));
        assert_says_all(name, &module, &text);
        let wide = ["atomic_ulong", "<ulong>"].map(|word| text.contains(word));
        assert_eq!(wide, [is_wide(name); 2], "{name}");
    }
}

/// Fails where an entry point is missing.
fn assert_says_all(name: &str, module: &naga::Module, text: &str) {
    for entry in &module.entry_points {
        assert!(text.contains(&format!(" {}(", entry.name)), "{name}: no {} in\n{text}", entry.name);
    }
}

/// Or the two tests above would pass whatever the shaders were.
#[test]
fn the_writers_refuse_what_their_languages_lack() {
    let source = "@fragment fn main(@builtin(view_index) view: u32) -> @location(0) vec4f { return vec4f(f32(view)); }";
    let module = parse("test", source);
    let info = Validator::new(ValidationFlags::all(), Capabilities::all()).validate(&module).expect("a shader");
    let error = write_hlsl(&module, &info, hlsl::ShaderModel::V6_0);
    assert!(matches!(error, Err(hlsl::Error::ShaderModelTooLow(..))), "{error:?}");
    let error = write_metal(&module, &info, (1, 0));
    assert!(matches!(error, Err(msl::Error::UnsupportedAttribute(_))), "{error:?}");
}
