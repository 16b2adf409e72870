// A small renderer's shading: sun with a map of shadows, and light of the sky.
struct Scene {
    clip: mat4x4f,           // the camera's, or the sun's for the map of shadows
    sun_clip: mat4x4f,
    sun: vec3f,              // towards it
    exposure: f32,
    sunlight: vec3f,         // klx
    pad0: f32,
    skylight: vec3f,         // klx
    pad1: f32,
}

@group(0) @binding(0) var<uniform> scene: Scene;
@group(0) @binding(1) var shadows: texture_depth_2d;
@group(0) @binding(2) var compare: sampler_comparison;

struct Corner {
    @builtin(position) clip: vec4f,
    @location(0) position: vec3f,
    @location(1) normal: vec3f,
    @location(2) albedo: vec3f,
}

@vertex
fn corner(@location(0) position: vec3f, @location(1) normal: vec3f, @location(2) albedo: vec3f) -> Corner {
    return Corner(scene.clip * vec4f(position, 1.0), position, normal, albedo);
}

@vertex
fn shadow_corner(@location(0) position: vec3f) -> @builtin(position) vec4f {
    return scene.sun_clip * vec4f(position, 1.0);
}

@fragment
fn shade(at: Corner) -> @location(0) vec4f {
    let normal = normalize(at.normal);
    let q = scene.sun_clip * vec4f(at.position + normal * 0.01, 1.0);
    let uv = vec2f(0.5 + 0.5 * q.x, 0.5 - 0.5 * q.y);
    var open = 0.0;
    for (var i = 0; i < 9; i++) {
        let beside = vec2f(f32(i % 3) - 1.0, f32(i / 3) - 1.0) / vec2f(textureDimensions(shadows));
        open += textureSampleCompareLevel(shadows, compare, uv + beside, q.z - 0.0008) / 9.0;
    }
    let light = scene.sunlight * max(dot(normal, scene.sun), 0.0) * open + scene.skylight * (0.6 + 0.4 * normal.y);
    return vec4f(at.albedo * light / 3.14159265, 1.0);
}
