//! Which devices a program sees, what executes each, and how they are linked.
//!
//! A machine is a preset (`cpu`, `cpu-build`, `cuda:1`, `cuda:2`, `cuda:4`, `mps`) or a JSON file:
//!
//! ```json
//! { "name": "two small cards",
//!   "build": "cuda",
//!   "devices": [ { "kind": "cuda", "name": "Example 4 GB", "memory_mib": 4096 },
//!                { "kind": "cuda", "memory_mib": 4096 } ],
//!   "host_link": { "kind": "PCIe 4.0 x16", "gb_per_s": 25.0 } }
//! ```

use serde::{Deserialize, Serialize};

use crate::device::Device;
use crate::error::{Error, Result};

/// The end of a simulated card's name.
pub(crate) const SIMULATED: &str = " (simulated)";

/// The PyTorch wheel whose messages the machine has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Build {
    /// The CUDA wheel; with no `cuda` device it says "Found no NVIDIA driver on your system".
    Cuda,
    /// The CPU-only wheel: "Torch not compiled with CUDA enabled".
    Cpu,
}

/// The devices that a program can use besides `cpu` and `meta`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Machine {
    pub name: String,
    pub build: Build,
    #[serde(default)]
    pub devices: Vec<DeviceSpec>,
    /// The link between the host and each device: what a copy would cost on real hardware.
    #[serde(default = "Link::pcie4")]
    pub host_link: Link,
    /// Between devices.
    #[serde(default = "Link::nvlink3")]
    pub peer_link: Link,
}

/// One accelerator.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DeviceSpec {
    pub kind: AcceleratorKind,
    /// The result of `get_device_name`. Without it, that is the hardware's own name or, for a simulated card,
    /// [`DeviceSpec::model`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The memory in MiB that the allocator enforces.
    #[serde(default = "default_memory")]
    pub memory_mib: usize,
    /// The same in bytes, if MiB aren't exact enough.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory_bytes: Option<u64>,
    /// The number of streaming multiprocessors. It decides Philox's layout for large tensors.
    #[serde(default = "default_sms")]
    pub multiprocessors: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AcceleratorKind {
    Cuda,
    Mps,
}

/// A link over which copies go, for the estimate of what they would cost.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Link {
    pub kind: String,
    /// 10^9 bytes per second in one direction, as measured for large pinned copies.
    pub gb_per_s: f64,
    /// The fixed cost of one copy in microseconds.
    #[serde(default = "default_latency")]
    pub latency_us: f64,
}

impl Link {
    /// PCIe 4.0 x16: 31.5 GB/s on paper, about 25 GB/s for large pinned copies.
    pub(crate) fn pcie4() -> Link {
        Link { kind: "PCIe 4.0 x16".into(), gb_per_s: 25.0, latency_us: default_latency() }
    }

    /// NVLink 3 of an A100: 300 GB/s in one direction.
    pub(crate) fn nvlink3() -> Link {
        Link { kind: "NVLink 3".into(), gb_per_s: 300.0, latency_us: default_latency() }
    }

    /// The memory that CPU and GPU of an Apple M2 share: 100 GB/s, and a copy both reads and writes it.
    fn unified() -> Link {
        Link { kind: "unified memory (M2)".into(), gb_per_s: 50.0, latency_us: default_latency() }
    }

    /// Microseconds that `bytes` would take.
    pub fn micros(&self, bytes: u64) -> f64 {
        self.latency_us + bytes as f64 / (self.gb_per_s * 1e3)
    }
}

fn default_latency() -> f64 {
    10.0
}

fn default_memory() -> usize {
    // The memory of an NVIDIA A100-SXM4-80GB in MiB.
    81_152
}

fn default_sms() -> u32 {
    108
}

impl Default for Machine {
    /// A CUDA build of PyTorch on a machine without a GPU.
    fn default() -> Machine {
        Machine {
            name: "cpu".into(),
            build: Build::Cuda,
            devices: Vec::new(),
            host_link: Link::pcie4(),
            peer_link: Link::nvlink3(),
        }
    }
}

impl Machine {
    pub(crate) const PRESETS: [&'static str; 6] = ["cpu", "cpu-build", "cuda:1", "cuda:2", "cuda:4", "mps"];

    /// A preset by name: one of the six in [`Machine::PRESETS`], or `cuda:N` up to 16.
    ///
    /// # Errors
    /// An unknown name. The message lists the known ones.
    pub fn preset(name: &str) -> Result<Machine> {
        let (build, devices) = match name {
            "cpu" => (Build::Cuda, vec![]),
            "cpu-build" => (Build::Cpu, vec![]),
            "mps" => (Build::Cpu, vec![DeviceSpec { memory_mib: 16_384, ..DeviceSpec::new(AcceleratorKind::Mps) }]),
            _ => match name.strip_prefix("cuda:").and_then(|n| n.parse::<usize>().ok()) {
                Some(n @ 1..=16) => (Build::Cuda, vec![DeviceSpec::new(AcceleratorKind::Cuda); n]),
                _ => {
                    return Err(Error::value(format!(
                        "unknown machine '{name}': expected one of {}, or a JSON file",
                        Machine::PRESETS.join(", ")
                    )));
                }
            },
        };
        let host_link = if name == "mps" { Link::unified() } else { Link::pcie4() };
        Ok(Machine { name: name.to_string(), build, devices, host_link, peer_link: Link::nvlink3() })
    }

    /// Reads a machine from JSON. Errors name `source`.
    ///
    /// # Errors
    /// Malformed JSON, an unknown key, a capacity of 0 or beyond 1 TiB, more than 16 devices. Each says where.
    pub fn from_json(text: &str, source: &str) -> Result<Machine> {
        let machine: Machine =
            serde_json::from_str(text).map_err(|e| Error::value(format!("machine file {source}: {e}")))?;
        let fault = |what: String| Err(Error::value(format!("machine file {source}: {what}")));
        if machine.devices.len() > 16 {
            return fault(format!("{} devices; at most 16", machine.devices.len()));
        }
        for (i, d) in machine.devices.iter().enumerate() {
            if d.memory_mib == 0 || d.memory_mib > 1 << 20 {
                return fault(format!("devices[{i}].memory_mib is {}; expected 1 to {}", d.memory_mib, 1 << 20));
            }
            if d.memory_bytes.is_some_and(|n| n == 0 || n > 1 << 40) {
                return fault(format!("devices[{i}].memory_bytes must be 1 to {}", 1u64 << 40));
            }
            if d.multiprocessors == 0 {
                return fault(format!("devices[{i}].multiprocessors must not be 0"));
            }
        }
        if machine.devices.iter().filter(|d| d.kind == AcceleratorKind::Mps).count() > 1 {
            return fault("more than one mps device".into());
        }
        if machine.build == Build::Cpu && machine.devices.iter().any(|d| d.kind == AcceleratorKind::Cuda) {
            return fault("build \"cpu\" cannot have cuda devices".into());
        }
        for (what, link) in [("host_link", &machine.host_link), ("peer_link", &machine.peer_link)] {
            if !(link.gb_per_s > 0.0 && link.gb_per_s.is_finite() && link.latency_us >= 0.0) {
                return fault(format!("{what} needs gb_per_s above 0 and latency_us of 0 or more"));
            }
        }
        Ok(machine)
    }

    /// The accelerators with their device names, `cuda:0` first.
    pub fn accelerators(&self) -> Vec<(Device, &DeviceSpec)> {
        let mut cuda = 0;
        self.devices
            .iter()
            .map(|spec| match spec.kind {
                AcceleratorKind::Mps => (Device::mps(), spec),
                AcceleratorKind::Cuda => {
                    cuda += 1;
                    (Device::cuda(cuda - 1), spec)
                }
            })
            .collect()
    }

    pub fn cuda_count(&self) -> usize {
        self.devices.iter().filter(|d| d.kind == AcceleratorKind::Cuda).count()
    }

    pub(crate) fn has_mps(&self) -> bool {
        self.devices.iter().any(|d| d.kind == AcceleratorKind::Mps)
    }
}

/// Which of `count` devices a value of `CUDA_VISIBLE_DEVICES` selects, in its order. It's read as the driver reads it:
/// the list ends at the first entry that isn't the number of a device, and a list that names a device twice hides all.
pub fn visible_devices(value: &str, count: usize) -> Vec<usize> {
    let mut out: Vec<usize> = Vec::new();
    for word in value.split(',') {
        let digits: String = word.trim().chars().take_while(char::is_ascii_digit).collect();
        let Ok(index) = digits.parse::<usize>() else { break };
        if index >= count {
            break;
        }
        if out.contains(&index) {
            return Vec::new();
        }
        out.push(index);
    }
    out
}

impl DeviceSpec {
    pub fn new(kind: AcceleratorKind) -> DeviceSpec {
        DeviceSpec {
            kind,
            name: None,
            memory_mib: default_memory(),
            memory_bytes: None,
            multiprocessors: default_sms(),
        }
    }

    /// The name of a simulated device: the one in its machine file, or else the card that has its memory and
    /// multiprocessors, with a note that it's simulated.
    pub fn model(&self) -> String {
        if let Some(name) = &self.name {
            return name.clone();
        }
        let figures = (self.memory_mib, self.multiprocessors);
        match self.kind {
            AcceleratorKind::Mps => format!("Apple GPU{SIMULATED}"),
            AcceleratorKind::Cuda if self.memory_bytes.is_none() && figures == (default_memory(), default_sms()) => {
                format!("NVIDIA A100-SXM4-80GB{SIMULATED}")
            }
            AcceleratorKind::Cuda => {
                format!("NVIDIA GPU with {}{SIMULATED}", crate::memory::format_size(self.capacity()))
            }
        }
    }

    /// Capacity in bytes.
    pub fn capacity(&self) -> u64 {
        self.memory_bytes.unwrap_or((self.memory_mib as u64) << 20)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn presets() {
        assert_eq!(Machine::preset("cuda:2").unwrap().cuda_count(), 2);
        assert!(Machine::preset("mps").unwrap().has_mps());
        assert!(Machine::preset("tpu").unwrap_err().message.contains("unknown machine 'tpu'"));
    }

    /// The presets have the memory and the multiprocessors of an A100, and `executor/mod.rs` its compute capability.
    #[test]
    fn a_simulated_card_is_named_after_its_model() {
        for preset in ["cuda:1", "cuda:4"] {
            let machine = Machine::preset(preset).unwrap();
            assert!(machine.devices.iter().all(|d| d.model() == "NVIDIA A100-SXM4-80GB (simulated)"), "{preset}");
        }
        assert_eq!(Machine::preset("mps").unwrap().devices[0].model(), "Apple GPU (simulated)");
        let text = r#"{"name":"m","build":"cuda","devices":[{"kind":"cuda","name":"Example","memory_mib":4096},
                       {"kind":"cuda","memory_mib":4096},{"kind":"cuda","multiprocessors":46}]}"#;
        let machine = Machine::from_json(text, "m.json").unwrap();
        let names: Vec<String> = machine.devices.iter().map(DeviceSpec::model).collect();
        assert_eq!(names, ["Example", "NVIDIA GPU with 4.00 GiB (simulated)", "NVIDIA GPU with 79.25 GiB (simulated)"]);
    }

    #[test]
    fn visible_devices_are_selected_and_renumbered() {
        let visible = |value| visible_devices(value, 4);
        assert_eq!(visible("2"), [2]);
        assert_eq!(visible("3, 1"), [3, 1]);
        assert_eq!(visible("1gpu2,2ampere"), [1, 2]);
        assert_eq!(visible("0,9,1"), [0]);
        assert_eq!(visible("0,-1,1"), [0]);
        for nothing in ["", "-1", "1,1", "gpu", "4"] {
            assert!(visible(nothing).is_empty(), "{nothing}");
        }
    }

    #[test]
    fn unknown_key_is_named_with_its_place() {
        let e = Machine::from_json("{\"name\":\"x\",\"build\":\"cuda\",\n\"gpus\":[]}", "m.json").unwrap_err();
        assert!(e.message.contains("m.json") && e.message.contains("`gpus`") && e.message.contains("line 2"), "{e}");
    }
}
