//! A small renderer of its own: a wall and a ball in sun and sky, with a map of shadows and reversed depth without an end,
//! whose frame a meadow joins. They hide each other, and throw shadows on each other.

use anemone::glam::camera::rh::proj::directx::perspective_infinite_reverse;
use anemone::glam::dcamera::rh::proj::directx::orthographic;
use anemone::glam::dcamera::rh::view::look_at_mat4;
use anemone::glam::{DMat4, DVec3, Mat4, Vec3};
use anemone::{Camera, Caster, Composer, Engine, Host, HostShadow, Output, Timing, View, Window, wgpu};
use bytemuck::{Pod, Zeroable};
use wgpu::util::DeviceExt;

/// Of the picture: sRGB codes.
pub const FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8UnormSrgb;
const DEPTH: wgpu::TextureFormat = wgpu::TextureFormat::Depth32Float;
const LIGHT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba16Float;
const SHADOW_SIDE: u32 = 1024;

#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
struct Vertex {
    position: Vec3,
    normal: Vec3,
    albedo: Vec3,
}

#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
struct Scene {
    clip: Mat4,
    sun_clip: Mat4,
    sun: Vec3,
    exposure: f32,
    sunlight: Vec3,
    pad0: f32,
    skylight: Vec3,
    pad1: f32,
}

/// The renderer with its things, and the meadow's view of its frame.
pub struct HostScene {
    device: wgpu::Device,
    uniform: wgpu::Buffer,
    vertices: wgpu::Buffer,
    count: u32,
    shadow_pipeline: wgpu::RenderPipeline,
    depth_pipeline: wgpu::RenderPipeline,
    light_pipeline: wgpu::RenderPipeline,
    light_bindings: wgpu::BindGroup,
    light: wgpu::TextureView,
    depth: wgpu::TextureView,
    shadows: wgpu::TextureView,
    film: wgpu::RenderPipeline,
    film_bindings: wgpu::BindGroup,
    composer: Composer,
    caster: Caster,
    sun_clip: DMat4,
    pub view: View,
}

fn box_of(low: Vec3, high: Vec3, albedo: Vec3, out: &mut Vec<Vertex>) {
    for axis in 0..3 {
        for (side, end) in [(-1.0_f32, low), (1.0, high)] {
            let mut normal = Vec3::ZERO;
            normal[axis] = side;
            let (b, c) = ((axis + 1) % 3, (axis + 2) % 3);
            let corner = |u: f32, v: f32| {
                let mut position = end;
                position[b] = low[b] + u * (high[b] - low[b]);
                position[c] = low[c] + v * (high[c] - low[c]);
                Vertex { position, normal, albedo }
            };
            let quad = [corner(0.0, 0.0), corner(1.0, 0.0), corner(1.0, 1.0), corner(0.0, 1.0)];
            out.extend([0, 1, 2, 0, 2, 3].map(|i| quad[i]));
        }
    }
}

fn ball(centre: Vec3, radius: f32, albedo: Vec3, out: &mut Vec<Vertex>) {
    let at = |i: u32, j: u32| {
        let (turn, lift) = (i as f32 / 48.0 * std::f32::consts::TAU, (j as f32 / 24.0 - 0.5) * std::f32::consts::PI);
        let normal = Vec3::new(turn.cos() * lift.cos(), lift.sin(), turn.sin() * lift.cos());
        Vertex { position: centre + radius * normal, normal, albedo }
    };
    for i in 0..48 {
        for j in 0..24 {
            let quad = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
            out.extend([0, 1, 2, 0, 2, 3].map(|k| quad[k]));
        }
    }
}

impl HostScene {
    /// For pictures of this size, with the meadow's sun.
    pub fn new(device: &wgpu::Device, size: [u32; 2], engine: &Engine) -> Self {
        let mut corners = Vec::new();
        box_of(Vec3::new(-1.5, -0.1, -1.05), Vec3::new(0.35, 0.9, -0.85), Vec3::new(0.45, 0.2, 0.13), &mut corners);
        ball(Vec3::new(0.75, 0.28, 0.05), 0.3, Vec3::new(0.62, 0.6, 0.55), &mut corners);
        let count = corners.len() as u32;
        let filled = |label, contents: &[u8], usage| {
            device.create_buffer_init(&wgpu::util::BufferInitDescriptor { label: Some(label), contents, usage })
        };
        let vertices = filled("things", bytemuck::cast_slice(&corners), wgpu::BufferUsages::VERTEX);

        let eye = DVec3::new(0.5, 0.75, 2.6);
        let to_view = look_at_mat4(eye, DVec3::new(-0.02, 0.3, -0.6), DVec3::Y);
        let aspect = size[0] as f32 / size[1] as f32;
        let projection = perspective_infinite_reverse(0.75, aspect, 0.05);
        let light = engine.light();
        let sun = light.direction.as_dvec3();
        let sun_view = look_at_mat4(sun * 6.0, DVec3::ZERO, DVec3::Y);
        let sun_clip = orthographic(-2.6, 2.6, -2.6, 2.6, 1.0, 12.0) * sun_view;
        let scene = Scene {
            clip: projection * to_view.as_mat4(),
            sun_clip: sun_clip.as_mat4(),
            sun: light.direction,
            exposure: light.exposure,
            sunlight: light.sun,
            pad0: 0.0,
            skylight: light.sky,
            pad1: 0.0,
        };
        let uniform = filled("scene", bytemuck::bytes_of(&scene), wgpu::BufferUsages::UNIFORM);

        let texture = |label, [width, height]: [u32; 2], format| {
            let texture = device.create_texture(&wgpu::TextureDescriptor {
                label: Some(label),
                size: wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
                mip_level_count: 1,
                sample_count: 1,
                dimension: wgpu::TextureDimension::D2,
                format,
                usage: wgpu::TextureUsages::RENDER_ATTACHMENT
                    | wgpu::TextureUsages::TEXTURE_BINDING
                    | wgpu::TextureUsages::COPY_SRC,
                view_formats: &[],
            });
            texture.create_view(&Default::default())
        };
        let lit = texture("light", size, LIGHT);
        let depth = texture("depth", size, DEPTH);
        let shadows = texture("shadows", [SHADOW_SIDE; 2], DEPTH);

        let module = device.create_shader_module(wgpu::include_wgsl!("host.wgsl"));
        let film_module = device.create_shader_module(wgpu::include_wgsl!("film.wgsl"));
        let attributes = wgpu::vertex_attr_array![0 => Float32x3, 1 => Float32x3, 2 => Float32x3];
        let pipeline = |entry, fragment: Option<wgpu::FragmentState<'_>>, compare, write| {
            device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
                label: Some(entry),
                layout: None,
                vertex: wgpu::VertexState {
                    module: &module,
                    entry_point: Some(entry),
                    compilation_options: Default::default(),
                    buffers: &[Some(wgpu::VertexBufferLayout {
                        array_stride: size_of::<Vertex>() as u64,
                        step_mode: wgpu::VertexStepMode::Vertex,
                        attributes: &attributes,
                    })],
                },
                primitive: Default::default(),
                depth_stencil: Some(wgpu::DepthStencilState {
                    format: DEPTH,
                    depth_write_enabled: Some(write),
                    depth_compare: Some(compare),
                    stencil: Default::default(),
                    bias: Default::default(),
                }),
                multisample: Default::default(),
                fragment,
                multiview_mask: None,
                cache: None,
            })
        };
        let shade = wgpu::FragmentState {
            module: &module,
            entry_point: Some("shade"),
            compilation_options: Default::default(),
            targets: &[Some(LIGHT.into())],
        };
        let shadow_pipeline = pipeline("shadow_corner", None, wgpu::CompareFunction::Less, true);
        let depth_pipeline = pipeline("corner", None, wgpu::CompareFunction::Greater, true);
        let light_pipeline = pipeline("corner", Some(shade), wgpu::CompareFunction::Equal, false);
        let film = device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
            label: Some("film"),
            layout: None,
            vertex: wgpu::VertexState {
                module: &film_module,
                entry_point: Some("whole"),
                compilation_options: Default::default(),
                buffers: &[],
            },
            primitive: Default::default(),
            depth_stencil: None,
            multisample: Default::default(),
            fragment: Some(wgpu::FragmentState {
                module: &film_module,
                entry_point: Some("film"),
                compilation_options: Default::default(),
                targets: &[Some(FORMAT.into())],
            }),
            multiview_mask: None,
            cache: None,
        });
        let bind = |layout: &wgpu::BindGroupLayout, entries: &[wgpu::BindGroupEntry<'_>]| {
            device.create_bind_group(&wgpu::BindGroupDescriptor { label: None, layout, entries })
        };
        let whole_scene = wgpu::BindGroupEntry { binding: 0, resource: uniform.as_entire_binding() };
        let sampler = device.create_sampler(&wgpu::SamplerDescriptor {
            compare: Some(wgpu::CompareFunction::LessEqual),
            mag_filter: wgpu::FilterMode::Linear,
            min_filter: wgpu::FilterMode::Linear,
            ..Default::default()
        });
        let light_bindings = bind(
            &light_pipeline.get_bind_group_layout(0),
            &[
                whole_scene.clone(),
                wgpu::BindGroupEntry { binding: 1, resource: wgpu::BindingResource::TextureView(&shadows) },
                wgpu::BindGroupEntry { binding: 2, resource: wgpu::BindingResource::Sampler(&sampler) },
            ],
        );
        let film_bindings = bind(
            &film.get_bind_group_layout(0),
            &[whole_scene, wgpu::BindGroupEntry { binding: 1, resource: wgpu::BindingResource::TextureView(&lit) }],
        );

        // All that the meadow needs to know.
        let camera = Camera::of_host(to_view, projection).expect("a perspective projection");
        let mut view = View::new(camera, Window::whole(size));
        let shadow = HostShadow { map: shadows.clone(), view_projection: sun_clip, reversed: false, bias: 0.002 };
        let host =
            Host { depth: depth.clone(), sample_count: 1, projection, ground: true, sky: true, shadow: Some(shadow) };
        view.host = Some(host);
        Self {
            device: device.clone(),
            uniform,
            vertices,
            count,
            shadow_pipeline,
            depth_pipeline,
            light_pipeline,
            light_bindings,
            light: lit,
            depth,
            shadows,
            film,
            film_bindings,
            composer: Composer::new(device, LIGHT, DEPTH, 1, Output::Light { white: 1.0 }),
            caster: Caster::new(device, DEPTH, wgpu::CompareFunction::Less, Default::default()),
            sun_clip,
            view,
        }
    }

    /// Draws a frame: the things' own shadows and depths, the meadow among them, the meadow's shadows, the things' light, and
    /// the meadow over it.
    pub fn draw(
        &mut self,
        encoder: &mut wgpu::CommandEncoder,
        engine: &mut Engine,
        picture: &wgpu::TextureView,
    ) -> Result<(), anemone::Error> {
        let clear = |value| wgpu::Operations { load: wgpu::LoadOp::Clear(value), store: wgpu::StoreOp::Store };
        self.depths(encoder, &self.shadows, clear(1.0), &self.shadow_pipeline);
        self.depths(encoder, &self.depth, clear(0.0), &self.depth_pipeline);
        engine.draw(&mut self.view, encoder, Timing::None)?;
        engine.cast(&self.view, encoder, &self.caster, self.sun_clip, &self.shadows);

        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("light"),
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view: &self.light,
                depth_slice: None,
                resolve_target: None,
                ops: wgpu::Operations { load: wgpu::LoadOp::Clear(wgpu::Color::BLACK), store: wgpu::StoreOp::Store },
            })],
            depth_stencil_attachment: Some(wgpu::RenderPassDepthStencilAttachment {
                view: &self.depth,
                depth_ops: Some(wgpu::Operations { load: wgpu::LoadOp::Load, store: wgpu::StoreOp::Store }),
                stencil_ops: None,
            }),
            ..Default::default()
        });
        pass.set_pipeline(&self.light_pipeline);
        pass.set_bind_group(0, &self.light_bindings, &[]);
        pass.set_vertex_buffer(0, self.vertices.slice(..));
        pass.draw(0..self.count, 0..1);
        engine.compose(&self.view, &mut pass, &self.composer);
        drop(pass);

        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("film"),
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view: picture,
                depth_slice: None,
                resolve_target: None,
                ops: wgpu::Operations { load: wgpu::LoadOp::Clear(wgpu::Color::BLACK), store: wgpu::StoreOp::Store },
            })],
            ..Default::default()
        });
        pass.set_pipeline(&self.film);
        pass.set_bind_group(0, &self.film_bindings, &[]);
        pass.draw(0..3, 0..1);
        Ok(())
    }

    /// Draws the things' depths alone.
    fn depths(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        target: &wgpu::TextureView,
        ops: wgpu::Operations<f32>,
        pipeline: &wgpu::RenderPipeline,
    ) {
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("depths"),
            depth_stencil_attachment: Some(wgpu::RenderPassDepthStencilAttachment {
                view: target,
                depth_ops: Some(ops),
                stencil_ops: None,
            }),
            ..Default::default()
        });
        let bindings = self.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: None,
            layout: &pipeline.get_bind_group_layout(0),
            entries: &[wgpu::BindGroupEntry { binding: 0, resource: self.uniform.as_entire_binding() }],
        });
        pass.set_pipeline(pipeline);
        pass.set_bind_group(0, &bindings, &[]);
        pass.set_vertex_buffer(0, self.vertices.slice(..));
        pass.draw(0..self.count, 0..1);
    }
}
