//! Opening an adapter.

use std::sync::{Arc, Mutex};

use anemone::{Counts, Engine, wgpu};

use crate::failure::Failure;

/// An open device, and the first thing that went wrong on it.
pub struct Gpu {
    pub device: wgpu::Device,
    pub queue: wgpu::Queue,
    pub info: wgpu::AdapterInfo,
    fault: Arc<Mutex<Option<String>>>,
}

/// Every adapter of the machine, real ones before software.
pub fn adapters() -> Vec<wgpu::Adapter> {
    let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle());
    let mut adapters = pollster::block_on(instance.enumerate_adapters(wgpu::Backends::PRIMARY));
    adapters.sort_by_key(|adapter| match adapter.get_info().device_type {
        wgpu::DeviceType::DiscreteGpu => 0,
        wgpu::DeviceType::IntegratedGpu => 1,
        wgpu::DeviceType::VirtualGpu => 2,
        wgpu::DeviceType::Other => 3,
        wgpu::DeviceType::Cpu => 4,
    });
    adapters
}

impl Gpu {
    /// Opens the best adapter, or the first whose name contains `name`.
    pub fn open(name: Option<&str>) -> Result<Self, Failure> {
        let adapters = adapters();
        let names: Vec<String> = adapters.iter().map(|adapter| adapter.get_info().name).collect();
        if names.is_empty() {
            return Err(Failure::Machine(
                "no Vulkan adapter was found. Install your graphics driver's Vulkan part, or Mesa's software driver \
                 (on Debian: apt install mesa-vulkan-drivers libvulkan1). VK_DRIVER_FILES can name a driver's file"
                    .to_owned(),
            ));
        }
        let wanted =
            |candidate: &String| name.is_none_or(|name| candidate.to_lowercase().contains(&name.to_lowercase()));
        let Some(adapter) = names.iter().position(wanted).and_then(|i| adapters.into_iter().nth(i)) else {
            return Err(Failure::Mistake(format!(
                "--adapter {}: no adapter of that name; there are: {}",
                name.unwrap_or_default(),
                names.join(", ")
            )));
        };
        let info = adapter.get_info();
        let (device, queue) = pollster::block_on(adapter.request_device(&wgpu::DeviceDescriptor {
            label: Some("anemone"),
            required_features: anemone::required_features(adapter.features()),
            required_limits: anemone::required_limits(&adapter),
            ..Default::default()
        }))
        .map_err(|error| Failure::Machine(format!("the adapter {} opens no device: {error}", info.name)))?;
        let fault = Arc::new(Mutex::new(None));
        let note = |fault: &Arc<Mutex<Option<String>>>| {
            let fault = Arc::clone(fault);
            move |text: String| {
                if let Ok(mut first) = fault.lock() {
                    first.get_or_insert(text);
                }
            }
        };
        let on_error = note(&fault);
        device.on_uncaptured_error(Arc::new(move |error: wgpu::Error| on_error(error.to_string())));
        let on_loss = note(&fault);
        device.set_device_lost_callback(move |reason, text| {
            if reason != wgpu::DeviceLostReason::Destroyed {
                on_loss(format!("the device was lost: {text}"));
            }
        });
        Ok(Self { device, queue, info, fault })
    }

    /// Waits until everything submitted is done.
    ///
    /// # Errors
    /// When the device was lost or reported an error since it was opened.
    pub fn wait(&self) -> Result<(), Failure> {
        let polled = self.device.poll(wgpu::PollType::wait_indefinitely());
        let fault = self.fault.lock().ok().and_then(|fault| fault.clone());
        match (fault, polled) {
            (Some(fault), _) => Err(Failure::Machine(format!("{}: {fault}", self.info.name))),
            (None, Err(error)) => Err(Failure::Machine(format!("{} does not answer: {error}", self.info.name))),
            (None, Ok(_)) => Ok(()),
        }
    }

    /// The bytes of a buffer.
    pub fn read(&self, buffer: &wgpu::Buffer) -> Result<Vec<u8>, Failure> {
        let size = buffer.size();
        let copy = self.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("read-back"),
            size,
            usage: wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        let mut encoder = self.device.create_command_encoder(&Default::default());
        encoder.copy_buffer_to_buffer(buffer, 0, &copy, 0, size);
        self.queue.submit([encoder.finish()]);
        // What went wrong shows when the range is asked for.
        copy.slice(..).map_async(wgpu::MapMode::Read, |_| {});
        self.wait()?;
        let bytes = copy
            .slice(..)
            .get_mapped_range()
            .map_err(|error| Failure::Machine(format!("{}: reading back failed: {error}", self.info.name)))?;
        Ok(bytes.to_vec())
    }

    /// The counts of the last drawing.
    pub fn counts(&self, engine: &Engine) -> Result<Counts, Failure> {
        Ok(bytemuck::pod_read_unaligned(&self.read(engine.counts_buffer())?))
    }

    /// The adapter's name and driver.
    pub fn name(&self) -> String {
        format!("{} ({})", self.info.name, self.info.driver_info)
    }
}
