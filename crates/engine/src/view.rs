//! A view of a world: a camera, the part of a picture that it draws, and the buffers that these take.

use std::sync::Arc;

use glam::Vec2;

use crate::camera::{Camera, Window};
use crate::error::Error;
use crate::frame::Previous;
use crate::guest::Host;
use crate::passes::Passes;
use crate::resources::{Resources, slot};

/// Bytes that the largest of a view's buffers takes for a pixel.
const PIXEL_BYTES: u64 = 16;

/// What a drawing finds of what it sees.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Drawing {
    /// Light, for [`crate::Engine::present`] and [`crate::Engine::compose`].
    #[default]
    Lit,
    /// Surfaces and their motion, for a host that lights them: [`crate::Engine::write_surfaces`].
    Surfaces,
}

/// Eyes on a world. Several views of one [`crate::Engine`] see the same bodies in the same poses; each keeps its own picture.
///
/// What any view sees moves on; what none sees sleeps, and takes the pose of the moment's wind when it is seen first. So in
/// wind a body that comes into one view may stand a little otherwise for having been in another.
///
/// All fields may change from one drawing to the next. A window of another size makes new buffers.
pub struct View {
    /// From where.
    pub camera: Camera,
    /// Which part of which picture.
    pub window: Window,
    /// Culls, thins, widens and picks levels of detail as this camera would, whatever camera draws: to see what is left out.
    /// Only hidden bodies are left out by the camera that draws. None: the camera that draws.
    pub cull_camera: Option<Camera>,
    /// Where the picture lies beside the optical axis, pixels: x to the right, y down. For an off-centre projection, or for
    /// a host that jitters its frames itself.
    pub shift: Vec2,
    /// The bodies of populations that grow everywhere stand round the eye of the view that leads. Of several views of one
    /// engine one leads, the others see what stands there.
    pub leads: bool,
    /// Find where what shows in each pixel was in the drawing before: [`View::motion_buffer`].
    pub motion: bool,
    /// Lit, or surfaces alone.
    pub drawing: Drawing,
    /// The frame of somebody else's that it is drawn in: [`crate::Engine::compose`] lays it over that, and what lies behind
    /// everything is the host's instead of the sky.
    pub host: Option<Host>,
    size: Option<[u32; 2]>,
    bound_host: Option<Host>,
    pub(crate) resources: Resources,
    /// The passes, and what they are bound to.
    pub(crate) bound: Option<(Arc<()>, Passes)>,
    /// As it was drawn before.
    pub(crate) previous: Option<Previous>,
    /// Samples that have gathered.
    pub(crate) samples: u32,
}

impl View {
    /// A view that leads.
    #[must_use]
    pub fn new(camera: Camera, window: Window) -> Self {
        Self {
            camera,
            window,
            cull_camera: None,
            shift: Vec2::ZERO,
            leads: true,
            motion: false,
            drawing: Drawing::Lit,
            host: None,
            size: None,
            bound_host: None,
            resources: Resources::default(),
            bound: None,
            previous: None,
            samples: 0,
        }
    }

    /// The visibility buffer of the last drawing: two words a pixel, payload and depth (reversed z, 31 bits), of the opaque
    /// layer and of the nearest fragment before it that covers its pixel in part. A payload of 128 or more is a body's,
    /// a smaller one the ground's; depth 0 is the sky. None before the first drawing.
    #[must_use]
    pub fn visibility(&self) -> Option<[&wgpu::Buffer; 2]> {
        self.size.map(|_| [slot::OPAQUE, slot::PARTIAL].map(|slot| self.resources.buffer(slot)))
    }

    /// Of each pixel, row by row, from where it is to where what shows in it was in this view's drawing before: pixels, x to
    /// the right and y down, two 16-bit floats in a word. Without jitter and [`View::shift`]. What the eye has come past lies
    /// thousands of pixels off. None before the first drawing; meaningful where [`View::motion`] was on.
    #[must_use]
    pub fn motion_buffer(&self) -> Option<&wgpu::Buffer> {
        self.size.map(|_| self.resources.buffer(slot::MOTION))
    }

    /// The light of the samples that have gathered, row by row, four 32-bit floats for each pixel: linear RGB of Rec. 709,
    /// kcd/m², of all that shows in the pixel, ground and sky too; and the share of it that bodies cover. All four are sums
    /// over [`View::samples`]. What [`crate::Engine::present`] puts through the film curve is their mean, 0 where it is
    /// below, times [`crate::Light::exposure`]. In a frame of a host's there is nothing in it of what the host drew. None
    /// before the first drawing.
    #[must_use]
    pub fn light_buffer(&self) -> Option<&wgpu::Buffer> {
        self.size.map(|_| self.resources.buffer(slot::LIGHT))
    }

    /// How many samples have gathered in the light.
    #[must_use]
    pub fn samples(&self) -> u32 {
        self.samples
    }

    /// Bytes of all its buffers; what belongs to a host does not count.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.resources.bytes()
    }

    /// A buffer, for tests that look inside.
    #[doc(hidden)]
    #[must_use]
    pub fn probe(&self, what: crate::probe::Probe) -> &wgpu::Buffer {
        self.resources.buffer(what.slot())
    }

    /// Whether something was drawn.
    pub(crate) fn is_drawn(&self) -> bool {
        self.size.is_some()
    }

    /// Makes the buffers of a picture of the window's size, if they are not there.
    pub(crate) fn make_buffers(&mut self, device: &wgpu::Device) -> Result<(), Error> {
        let [width, height] = self.window.size;
        if self.host != self.bound_host {
            self.bound = None;
            if let Some(host) = &self.host {
                host.make_resources(device, &mut self.resources);
            }
            self.bound_host.clone_from(&self.host);
        }
        if self.size == Some([width, height]) {
            return Ok(());
        }
        let pixels = u64::from(width) * u64::from(height);
        let most = most_pixels(device);
        if pixels == 0 || pixels > most || width.max(height) > device.limits().max_texture_dimension_2d {
            return Err(Error::TooLarge { width, height, most });
        }
        self.bound = None;
        self.previous = None;
        let mut storage = |slot, label, size: u64| {
            let buffer = device.create_buffer(&wgpu::BufferDescriptor {
                label: Some(label),
                size,
                usage: wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC | wgpu::BufferUsages::COPY_DST,
                mapped_at_creation: false,
            });
            self.resources.set(slot, buffer);
        };
        storage(slot::OPAQUE, "opaque layer", 8 * pixels);
        storage(slot::PARTIAL, "partial layer", 8 * pixels);
        storage(slot::THICKNESS, "optical thickness", 4 * pixels);
        storage(slot::MOTION, "motion", 4 * pixels);
        storage(slot::LIGHT, "light", PIXEL_BYTES * pixels);
        // Four counts, then pixels of opaque surfaces, then of partial ones.
        storage(slot::PIXELS, "pixel lists", 16 + 8 * pixels);
        let blocks = |side: u32| u64::from(width.div_ceil(side)) * u64::from(height.div_ceil(side));
        storage(slot::PYRAMID, "depth pyramid", 4 * (blocks(8) + blocks(64)));
        self.size = Some([width, height]);
        Ok(())
    }
}

/// The most pixels that can be drawn at once.
#[must_use]
pub fn most_pixels(device: &wgpu::Device) -> u64 {
    device.limits().max_storage_buffer_binding_size.min(device.limits().max_buffer_size) / PIXEL_BYTES
}
