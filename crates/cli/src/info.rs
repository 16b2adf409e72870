//! `anemone info`: the machine's adapters.

use anemone::wgpu;
use serde::Serialize;

use crate::args::Info;
use crate::device::adapters;
use crate::failure::Failure;
use crate::output::say;

#[derive(Serialize)]
struct Adapter {
    name: String,
    driver: String,
    kind: &'static str,
    backend: String,
    raster: String,
    tier: &'static str,
    timestamps: bool,
    binding_mib: u64,
}

pub fn run(args: &Info) -> Result<(), Failure> {
    let list: Vec<Adapter> = adapters().iter().map(describe).collect();
    if args.json {
        let text = serde_json::to_string_pretty(&list).map_err(|error| Failure::Machine(error.to_string()))?;
        say!("{text}");
        return Ok(());
    }
    say!("anemone {}", env!("CARGO_PKG_VERSION"));
    if list.is_empty() {
        say!("no adapter: install a Vulkan driver (on Debian, for software: mesa-vulkan-drivers libvulkan1)");
    }
    for adapter in &list {
        say!("{}", adapter.name);
        say!("  {}, {}, {}", adapter.kind, adapter.backend, adapter.driver);
        say!("  raster: {}; tier: {}", adapter.raster, adapter.tier);
        say!(
            "  one binding holds {} MiB, that is {} blades; GPU timestamps: {}",
            adapter.binding_mib,
            (adapter.binding_mib << 20) / 32,
            if adapter.timestamps { "yes" } else { "no" }
        );
    }
    Ok(())
}

fn describe(adapter: &wgpu::Adapter) -> Adapter {
    let info = adapter.get_info();
    let features = adapter.features();
    let width = anemone::raster_width(features);
    Adapter {
        name: info.name,
        driver: format!("{} {}", info.driver, info.driver_info).trim().to_owned(),
        kind: match info.device_type {
            wgpu::DeviceType::DiscreteGpu => "discrete GPU",
            wgpu::DeviceType::IntegratedGpu => "integrated GPU",
            wgpu::DeviceType::VirtualGpu => "virtual GPU",
            wgpu::DeviceType::Cpu => "software on the CPU",
            wgpu::DeviceType::Other => "other",
        },
        backend: info.backend.to_string(),
        raster: width.to_string(),
        tier: match width {
            anemone::RasterWidth::Wide => "64-bit atomics",
            anemone::RasterWidth::Narrow => "base (the WebGPU subset)",
        },
        timestamps: features.contains(wgpu::Features::TIMESTAMP_QUERY),
        binding_mib: adapter.limits().max_storage_buffer_binding_size >> 20,
    }
}
