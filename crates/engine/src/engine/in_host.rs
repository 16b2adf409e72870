//! What an engine does in a host's frame, beside drawing a view that has one.

use glam::DMat4;

use super::{Engine, Shot};
use crate::guest::{self, Caster, Composer, Surfaces};
use crate::passes::Viewer;
use crate::timing::Timing;
use crate::view::View;

impl Engine {
    /// Lays a view over its host's frame, in a pass of the host's that has the host's colour and depth for targets: light and
    /// depth where something is drawn, mixed with what is there where it covers a pixel in part. Such a pixel gets the depth of
    /// whatever covers more of it.
    ///
    /// Before the first drawing, and for a view without a host, it does nothing.
    pub fn compose(&self, view: &View, pass: &mut wgpu::RenderPass<'_>, composer: &Composer) {
        let Some(host) = view.host.as_ref().filter(|_| view.is_drawn()) else { return };
        let drawn = guest::Drawn {
            size: view.window.size,
            samples: view.samples,
            near: view.camera.near,
            exposure: composer.exposure(self.daylight.exposure()),
        };
        composer.encode(self.kernels.device(), pass, &view.resources, host, &drawn);
    }

    /// Writes what a view drew as [`crate::Drawing::Surfaces`] into a pass of its host's with targets of [`Surfaces::FORMATS`] and the
    /// host's depth. Right after the drawing: another view's, or [`Engine::cast`], overwrites what it looks up.
    ///
    /// Before the first drawing, and for a view without a host, it does nothing.
    pub fn write_surfaces(&self, view: &View, pass: &mut wgpu::RenderPass<'_>, surfaces: &Surfaces) {
        let Some(host) = view.host.as_ref().filter(|_| view.is_drawn()) else { return };
        let (size, near) = (view.window.size, view.camera.near);
        let drawn = guest::Drawn { size, samples: view.samples, near, exposure: 1.0 };
        surfaces.encode(self.kernels.device(), pass, [&view.resources, &self.resources], host, &drawn);
    }

    /// Draws bodies into a map of depths of the host's, which keeps what it holds: those that `view` would draw if it looked
    /// all round, in the same poses. `view_projection` leads from metres of the world to the map's clip space. What is thinner
    /// than a texel is drawn a texel wide, of so many bodies as cover as much.
    ///
    /// The [`crate::Counts`] of the last drawing are overwritten.
    pub fn cast(
        &mut self,
        view: &View,
        encoder: &mut wgpu::CommandEncoder,
        caster: &Caster,
        view_projection: DMat4,
        target: &wgpu::TextureView,
    ) {
        let (camera, window, leads) = (view.camera, view.window, view.leads);
        let shot = Shot { leads, all_round: true, ..Shot::new(&camera, &window) };
        self.prepare(encoder, &shot, &mut Timing::None);
        self.simulation().list(encoder, &mut Timing::None, Viewer::Camera, self.step_turns());
        let items = std::mem::offset_of!(crate::stats::Counts, items) as u64;
        let clip_from_eye = (view_projection * DMat4::from_translation(camera.eye)).as_mat4();
        caster.encode(self.kernels.device(), encoder, &self.resources, items, clip_from_eye, target);
    }
}
