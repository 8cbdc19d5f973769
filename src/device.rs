//! `torch.device`: parsing, printing, comparing.
//!
//! Source of the grammar and texts: c10/core/Device.cpp in PyTorch 2.15. Parsing never asks whether the device exists.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};

/// Every device type that PyTorch parses, in the order of its error message.
pub(crate) const TYPE_NAMES: [&str; 20] = [
    "cpu",
    "cuda",
    "ipu",
    "xpu",
    "mkldnn",
    "opengl",
    "opencl",
    "ideep",
    "hip",
    "ve",
    "fpga",
    "maia",
    "xla",
    "lazy",
    "vulkan",
    "mps",
    "meta",
    "hpu",
    "mtia",
    "privateuseone",
];

/// An index into [`TYPE_NAMES`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct DeviceType(u8);

impl DeviceType {
    pub const CPU: DeviceType = DeviceType(0);
    pub const CUDA: DeviceType = DeviceType(1);
    pub const MPS: DeviceType = DeviceType(15);
    pub(crate) const META: DeviceType = DeviceType(16);

    pub fn name(self) -> &'static str {
        TYPE_NAMES[self.0 as usize]
    }

    pub fn parse(name: &str) -> Option<DeviceType> {
        TYPE_NAMES.iter().position(|n| *n == name).map(|i| DeviceType(i as u8))
    }
}

impl fmt::Debug for DeviceType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A device as a program names it. `index` is `None` for `"cuda"`, which means the device that is current when it's
/// used. A tensor's CUDA device always has an index, its CPU device never.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Device {
    pub kind: DeviceType,
    pub index: Option<i8>,
}

impl Device {
    pub const CPU: Device = Device { kind: DeviceType::CPU, index: None };
    pub(crate) const META: Device = Device { kind: DeviceType::META, index: None };

    pub const fn cuda(index: i8) -> Device {
        Device { kind: DeviceType::CUDA, index: Some(index) }
    }

    pub const fn mps() -> Device {
        Device { kind: DeviceType::MPS, index: Some(0) }
    }

    pub fn is_cpu(self) -> bool {
        self.kind == DeviceType::CPU
    }

    pub fn is_cuda(self) -> bool {
        self.kind == DeviceType::CUDA
    }

    pub(crate) fn is_meta(self) -> bool {
        self.kind == DeviceType::META
    }

    /// Parses `type` or `type:index`.
    ///
    /// # Errors
    /// PyTorch's three errors: empty string, unknown type, malformed index.
    pub fn parse(text: &str) -> Result<Device> {
        if text.is_empty() {
            return Err(Error::runtime("Device string must not be empty"));
        }
        let (name, index) = match text.split_once(':') {
            None => (text, None),
            Some((name, index)) => (name, Some(index)),
        };
        let invalid = || Error::runtime(format!("Invalid device string: '{text}'"));
        // PyTorch first applies a regular expression, so a malformed string is reported before an unknown type.
        let word = |s: &str| !s.is_empty() && s.bytes().all(|b| b.is_ascii_alphabetic() || b == b'_');
        let index = match index {
            None if !word(name) => return Err(invalid()),
            None => None,
            Some(digits) => {
                let plain = !digits.is_empty()
                    && digits.bytes().all(|b| b.is_ascii_digit())
                    && (digits == "0" || !digits.starts_with('0'));
                if !plain || !word(name) {
                    return Err(invalid());
                }
                // PyTorch stores the index in an int8, so 128 and above wrap.
                Some(digits.parse::<i64>().map_err(|_| invalid())? as i8)
            }
        };
        let kind = DeviceType::parse(name).ok_or_else(|| {
            Error::runtime(format!(
                "Expected one of {} device type at start of device string: {name}",
                TYPE_NAMES.join(", ")
            ))
        })?;
        Ok(Device { kind, index })
    }
}

/// `cuda:1`, as `str()` gives it.
impl fmt::Display for Device {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.index {
            None => f.write_str(self.kind.name()),
            Some(i) => write!(f, "{}:{i}", self.kind.name()),
        }
    }
}

/// `device(type='cuda', index=1)`, as `repr()` gives it.
impl fmt::Debug for Device {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.index {
            None => write!(f, "device(type='{}')", self.kind.name()),
            Some(i) => write!(f, "device(type='{}', index={i})", self.kind.name()),
        }
    }
}

impl TryFrom<String> for Device {
    type Error = Error;
    fn try_from(text: String) -> Result<Device> {
        Device::parse(&text)
    }
}

impl From<Device> for String {
    fn from(device: Device) -> String {
        device.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_and_prints() {
        assert_eq!(format!("{:?}", Device::parse("cuda:1").unwrap()), "device(type='cuda', index=1)");
        assert_eq!(Device::parse("cuda").unwrap().to_string(), "cuda");
        assert_ne!(Device::parse("cuda").unwrap(), Device::cuda(0));
        assert_eq!(Device::parse("cuda:999").unwrap().index, Some(-25));
    }

    #[test]
    fn refuses_as_pytorch() {
        for bad in
            ["float32", " cpu", "cpu0", "cuda:x", "cuda:-1", "cuda:01", "cuda:", "cuda:0:1", "cuda: 1", "cuda:+1"]
        {
            assert_eq!(Device::parse(bad).unwrap_err().message, format!("Invalid device string: '{bad}'"));
        }
        for unknown in ["gpu", "CPU"] {
            let end = format!("device type at start of device string: {unknown}");
            assert!(Device::parse(unknown).unwrap_err().message.ends_with(&end));
        }
        assert_eq!(Device::parse("").unwrap_err().message, "Device string must not be empty");
    }
}
