//! The checks of an exercise: conditions on a program that has run.

use serde::{Deserialize, Serialize};

use crate::machine::Machine;

/// One check of an exercise. It's about behavior, not source text. `label` says in the lesson's words what is checked.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum Check {
    /// A variable's tensor, or every parameter and buffer of a variable's module, is on a device. `name` is a variable
    /// or an attribute of one (`model.weight`). `cuda` means any index.
    Device { label: String, name: String, device: String },
    /// The program ends with this class of error and a message that contains `text`.
    Raises { label: String, class: String, text: String },
    /// The program ends without an error.
    NoError { label: String },
    /// The number or bytes of copies over the links, in all directions or one, are within these bounds (inclusive).
    Transfers {
        label: String,
        #[serde(default)]
        direction: Option<Direction>,
        #[serde(default)]
        min: Option<u64>,
        #[serde(default)]
        max: Option<u64>,
        #[serde(default)]
        min_bytes: Option<u64>,
        #[serde(default)]
        max_bytes: Option<u64>,
        /// At least this many of them didn't make the host wait: `non_blocking`, from or to pinned memory.
        #[serde(default)]
        min_asynchronous: Option<u64>,
        /// Whether copies count that were caused only by the learner's own looking, such as a `print`.
        #[serde(default, skip_serializing_if = "Looking::is_forgiven")]
        looking: Looking,
    },
    /// How often the host waited for a device, to read a value or to synchronize, is within these bounds (inclusive).
    Synchronisations {
        label: String,
        #[serde(default)]
        min: Option<u64>,
        #[serde(default)]
        max: Option<u64>,
        /// Whether waits count that were caused only by the learner's own looking, such as a `print`.
        #[serde(default, skip_serializing_if = "Looking::is_forgiven")]
        looking: Looking,
    },
    /// The peak of a device's allocated bytes is within these bounds (inclusive).
    PeakBytes {
        label: String,
        device: String,
        #[serde(default)]
        min: Option<u64>,
        #[serde(default)]
        max: Option<u64>,
        /// Whether memory counts that was caused only by the learner's own looking, such as a `print`.
        #[serde(default, skip_serializing_if = "Looking::is_forgiven")]
        looking: Looking,
    },
    /// The number of kernels that were launched on accelerators, or on one of them, is within these bounds (inclusive).
    Kernels {
        label: String,
        #[serde(default)]
        device: Option<String>,
        #[serde(default)]
        min: Option<u64>,
        #[serde(default)]
        max: Option<u64>,
        /// Whether kernels count that were caused only by the learner's own looking, such as a `print`.
        #[serde(default, skip_serializing_if = "Looking::is_forgiven")]
        looking: Looking,
    },
    /// The program read a clock or recorded an event at least this often, and each time it read a clock, it had waited
    /// for everything that it had launched.
    Clock {
        label: String,
        #[serde(default = "two")]
        min: u64,
    },
    /// The program's syntax tree has at most this many loops: `for`, `while`, comprehensions, and calls that loop over
    /// elements in Python (`map`, `filter`, `vectorize`, `apply_`).
    Loops { label: String, max: u64 },
    /// An expression in the program's namespace is true.
    Value {
        label: String,
        expr: String,
        /// The preset that `is_available`, `device_count` and the like describe meanwhile: what the program's functions would decide
        /// there. The devices themselves stay the lesson's.
        #[serde(default, skip_serializing_if = "Option::is_none", with = "preset")]
        machine: Option<Box<Machine>>,
    },
    /// Standard output contains this text.
    Output { label: String, contains: String },
    /// Two variables hold the same object, or don't.
    SameObject {
        label: String,
        left: String,
        right: String,
        #[serde(default = "yes")]
        same: bool,
    },
    /// The program uses this name, or doesn't: `torch.no_grad`, or `to` for any `.to`. The syntax tree decides, so a
    /// comment or a string doesn't count.
    SourceUses {
        label: String,
        name: String,
        #[serde(default = "yes")]
        used: bool,
    },
}

/// Between the host and accelerators.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Direction {
    HostToDevice,
    DeviceToHost,
    DeviceToDevice,
}

/// Whether a bound counts what only the learner's own looking caused: `print`, `repr`, f-strings, assertions, plots.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Looking {
    #[default]
    Forgiven,
    /// For lessons about looking itself. Lessons of format 1 count everything.
    Counted,
}

impl Looking {
    // serde passes a reference.
    #[allow(clippy::trivially_copy_pass_by_ref)]
    fn is_forgiven(&self) -> bool {
        *self == Looking::Forgiven
    }
}

/// A machine, by the name of a preset.
mod preset {
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use crate::machine::Machine;

    // serde passes a reference.
    #[allow(clippy::ref_option)]
    pub(super) fn serialize<S: Serializer>(machine: &Option<Box<Machine>>, to: S) -> Result<S::Ok, S::Error> {
        machine.as_ref().map(|machine| &machine.name).serialize(to)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Box<Machine>>, D::Error> {
        let name = Option::<String>::deserialize(from)?;
        let machine = name.map(|name| Machine::preset(&name)).transpose();
        Ok(machine.map_err(|e| D::Error::custom(e.message))?.map(Box::new))
    }
}

fn yes() -> bool {
    true
}

/// A measurement reads a clock twice.
fn two() -> u64 {
    2
}

/// The label, which every kind of check has, borrowed in the same way as the check.
macro_rules! label_of {
    ($check:expr) => {
        match $check {
            Check::Device { label, .. }
            | Check::Raises { label, .. }
            | Check::NoError { label }
            | Check::Transfers { label, .. }
            | Check::Synchronisations { label, .. }
            | Check::PeakBytes { label, .. }
            | Check::Kernels { label, .. }
            | Check::Clock { label, .. }
            | Check::Loops { label, .. }
            | Check::Value { label, .. }
            | Check::Output { label, .. }
            | Check::SameObject { label, .. }
            | Check::SourceUses { label, .. } => label,
        }
    };
}

impl Check {
    /// What is checked, in the lesson's words.
    pub fn label(&self) -> &str {
        label_of!(self)
    }

    /// The same check, with another label.
    pub fn labeled(&self, words: &str) -> Check {
        let mut check = self.clone();
        words.clone_into(label_of!(&mut check));
        check
    }

    /// Whether it checks what the program did, not its source or its output.
    pub(crate) fn is_behaviour(&self) -> bool {
        !matches!(self, Check::NoError { .. } | Check::Output { .. } | Check::SourceUses { .. } | Check::Loops { .. })
    }
}

#[cfg(feature = "lesson")]
impl Check {
    /// Whether its bound counts what looking causes; `None` for a kind that has no such bound.
    pub(super) fn looking(&mut self) -> Option<&mut Looking> {
        match self {
            Check::Transfers { looking, .. }
            | Check::Synchronisations { looking, .. }
            | Check::PeakBytes { looking, .. }
            | Check::Kernels { looking, .. } => Some(looking),
            _ => None,
        }
    }

    /// Why it makes no sense, for the lesson's author; `None` if it does.
    pub(super) fn fault(&self) -> Option<String> {
        use crate::device::Device;
        match self {
            Check::Device { device, .. } | Check::PeakBytes { device, .. } if Device::parse(device).is_err() => {
                Some(format!("'{device}' is no device"))
            }
            Check::Kernels { device: Some(device), .. }
                if Device::parse(device).is_ok_and(|device| device.is_cpu()) || Device::parse(device).is_err() =>
            {
                Some(format!("'{device}' is no accelerator"))
            }
            Check::Kernels { min: None, max: None, .. } => Some("kernels needs `min` or `max`".into()),
            Check::PeakBytes { min: None, max: None, .. } => Some("peak_bytes needs `min` or `max`".into()),
            Check::Transfers {
                min: None, max: None, min_bytes: None, max_bytes: None, min_asynchronous: None, ..
            } => Some("transfers needs a bound: `min`, `max`, `min_bytes`, `max_bytes` or `min_asynchronous`".into()),
            Check::Synchronisations { min: None, max: None, .. } => {
                Some("synchronisations needs `min` or `max`".into())
            }
            Check::Output { contains, .. } if contains.is_empty() => Some("`contains` is empty".into()),
            _ => None,
        }
    }
}
