// A host's own film curve (the filmic fit of Narkowicz 2015) on the whole frame, its things and the meadow alike.
struct Scene {
    clip: mat4x4f,
    sun_clip: mat4x4f,
    sun: vec3f,
    exposure: f32,
}

@group(0) @binding(0) var<uniform> scene: Scene;
@group(0) @binding(1) var light: texture_2d<f32>;

@vertex
fn whole(@builtin(vertex_index) i: u32) -> @builtin(position) vec4f {
    return vec4f(f32((i << 1u) & 2u) * 2.0 - 1.0, f32(i & 2u) * 2.0 - 1.0, 0.0, 1.0);
}

@fragment
fn film(@builtin(position) position: vec4f) -> @location(0) vec4f {
    let c = 0.6 * scene.exposure * textureLoad(light, vec2u(position.xy), 0).xyz;
    return vec4f(clamp((c * (2.51 * c + 0.03)) / (c * (2.43 * c + 0.59) + 0.14), vec3f(0.0), vec3f(1.0)), 1.0);
}
