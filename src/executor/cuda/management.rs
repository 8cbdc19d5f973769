//! What NVIDIA's management library (NVML) knows about the machine's GPUs, for a table like that of `nvidia-smi`.

use nvml_wrapper::enum_wrappers::device::TemperatureSensor;
use nvml_wrapper::enums::device::UsedGpuMemory;
use nvml_wrapper::{Device, Nvml, cuda_driver_version_major, cuda_driver_version_minor};

use super::library::MANAGEMENT;

/// The present state of one GPU. A value that the card doesn't report is `None`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reading {
    pub name: String,
    /// Bytes.
    pub used: u64,
    pub total: u64,
    /// The percentage of the last sampling period in which kernels ran.
    pub utilization: Option<u32>,
    /// Degrees Celsius.
    pub temperature: Option<u32>,
    /// Watts.
    pub power: Option<f64>,
    pub power_limit: Option<f64>,
    pub processes: Vec<Process>,
}

/// A program that uses memory on a GPU.
#[derive(Clone, Debug, PartialEq)]
pub struct Process {
    pub pid: u32,
    pub name: String,
    /// Bytes; `None` if the system doesn't tell.
    pub used: Option<u64>,
}

/// The machine's GPUs, and the driver's versions.
#[derive(Clone, Debug, PartialEq)]
pub struct Readings {
    pub driver: String,
    /// `13.0`.
    pub cuda: Option<String>,
    pub cards: Vec<Reading>,
}

/// Queries the library; `None` if it's missing, or if it finds no driver.
pub fn read() -> Option<Readings> {
    let nvml = MANAGEMENT.open_with(|path| Nvml::builder().lib_path(path.as_os_str()).init().ok())?;
    let devices = 0..nvml.device_count().ok()?;
    let version = |v| format!("{}.{}", cuda_driver_version_major(v), cuda_driver_version_minor(v));
    Some(Readings {
        driver: nvml.sys_driver_version().unwrap_or_default(),
        cuda: nvml.sys_cuda_driver_version().ok().map(version),
        cards: devices.filter_map(|i| nvml.device_by_index(i).ok()).map(|device| card(&nvml, &device)).collect(),
    })
}

fn card(nvml: &Nvml, device: &Device<'_>) -> Reading {
    let memory = device.memory_info().ok();
    let watts = |milliwatts| f64::from(milliwatts) / 1000.0;
    Reading {
        name: device.name().unwrap_or_default(),
        used: memory.as_ref().map_or(0, |memory| memory.used),
        total: memory.map_or(0, |memory| memory.total),
        utilization: device.utilization_rates().ok().map(|rates| rates.gpu),
        temperature: device.temperature(TemperatureSensor::Gpu).ok(),
        power: device.power_usage().ok().map(watts),
        power_limit: device.enforced_power_limit().ok().map(watts),
        processes: processes(nvml, device),
    }
}

fn processes(nvml: &Nvml, device: &Device<'_>) -> Vec<Process> {
    // The names of processes are cut to this length.
    const LONGEST_NAME: usize = 256;
    let running = device.running_compute_processes().unwrap_or_default();
    let process = |p: nvml_wrapper::struct_wrappers::device::ProcessInfo| Process {
        pid: p.pid,
        name: nvml.sys_process_name(p.pid, LONGEST_NAME).unwrap_or_default(),
        used: match p.used_gpu_memory {
            UsedGpuMemory::Used(bytes) => Some(bytes),
            UsedGpuMemory::Unavailable => None,
        },
    };
    running.into_iter().map(process).collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn cuda_management_answers_or_says_nothing() {
        match super::read() {
            None => println!("skipped: no NVML"),
            Some(readings) => assert!(readings.cards.iter().all(|card| card.used <= card.total), "{readings:?}"),
        }
    }
}
