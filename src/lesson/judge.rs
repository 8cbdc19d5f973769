//! Decides whether a program that has ended passes a check.

use super::{Check, CheckResult, Counted, Direction, Finding};
use crate::device::Device;
use crate::trace::summary::Summary;

/// What a run left behind, as far as checks need it.
pub struct Ran<'a> {
    /// Class and message of the exception that ended it, if one did.
    pub error: Option<(&'a str, &'a str)>,
    pub stdout: &'a str,
    pub summary: &'a Summary,
}

/// What a check needs from the program itself, while its variables are still alive.
pub trait Probe {
    /// Whether an expression is true in the program's namespace.
    ///
    /// # Errors
    /// The expression raises.
    fn eval_bool(&self, expr: &str) -> Result<bool, Finding>;

    /// The device of a variable's tensor, or of each parameter and buffer of its module.
    ///
    /// # Errors
    /// There is no such variable, or it holds neither a tensor nor a module.
    fn devices_of(&self, name: &str) -> Result<Vec<Device>, Finding>;

    /// Whether two variables hold the same object.
    ///
    /// # Errors
    /// One of them does not exist.
    fn same(&self, left: &str, right: &str) -> Result<bool, Finding>;

    /// Whether the program's syntax tree uses a name.
    ///
    /// # Errors
    /// The program does not parse.
    fn uses(&self, name: &str) -> Result<bool, Finding>;
}

/// Judges every check, in order.
pub fn judge(checks: &[Check], ran: &Ran<'_>, probe: &dyn Probe) -> Vec<CheckResult> {
    checks
        .iter()
        .map(|check| {
            let finding = fault(check, ran, probe);
            CheckResult { passed: finding.is_none(), label: check.label().to_string(), finding }
        })
        .collect()
}

/// Why a check fails; `None` when it passes.
fn fault(check: &Check, ran: &Ran<'_>, probe: &dyn Probe) -> Option<Finding> {
    let error = |(class, message): (&str, &str)| (class.to_string(), first_line(message).to_string());
    match check {
        Check::Device { name, device, .. } => on_device(name, device, probe).err(),
        Check::Raises { class, text, .. } => match ran.error {
            None => Some(Finding::NoError { class: class.clone() }),
            Some((raised, message)) if !is_class(raised, class) || !message.contains(text.as_str()) => {
                let (class, message) = error((raised, message));
                Some(Finding::OtherError { class, message })
            }
            Some(_) => None,
        },
        Check::NoError { .. } => ran.error.map(error).map(|(class, message)| Finding::Error { class, message }),
        Check::Transfers { direction, min, max, min_bytes, max_bytes, min_asynchronous, .. } => {
            let found = transfers(ran.summary, *direction);
            within(found.copies, *min, *max, Counted::Copies)
                .or_else(|| within(found.bytes, *min_bytes, *max_bytes, Counted::BytesCopied))
                .or_else(|| within(found.asynchronous, *min_asynchronous, None, Counted::AsynchronousCopies))
        }
        Check::Synchronisations { min, max, .. } => {
            within(ran.summary.score.synchronisations, *min, *max, Counted::Waits)
        }
        Check::PeakBytes { device, min, max, .. } => {
            let peak = ran
                .summary
                .devices
                .iter()
                .filter(|row| matches(row.device, device))
                .map(|row| row.peak_allocated)
                .max()
                .unwrap_or(0);
            within(peak, *min, *max, Counted::PeakBytes { device: device.clone() })
        }
        Check::Value { expr, .. } => match probe.eval_bool(expr) {
            Ok(true) => None,
            Ok(false) => Some(Finding::Untrue { expr: expr.clone() }),
            Err(why) => Some(why),
        },
        Check::Output { contains, .. } => {
            (!ran.stdout.contains(contains.as_str())).then(|| Finding::NotPrinted { text: contains.clone() })
        }
        Check::SameObject { left, right, same, .. } => {
            let (one, two) = (left.clone(), right.clone());
            match probe.same(left, right) {
                Ok(is) if is == *same => None,
                Ok(true) => Some(Finding::OneObject { left: one, right: two }),
                Ok(false) => Some(Finding::TwoObjects { left: one, right: two }),
                Err(why) => Some(why),
            }
        }
        Check::SourceUses { name, used, .. } => match probe.uses(name) {
            Ok(is) if is == *used => None,
            Ok(true) => Some(Finding::Uses { name: name.clone() }),
            Ok(false) => Some(Finding::UsesNot { name: name.clone() }),
            Err(why) => Some(why),
        },
    }
}

fn on_device(name: &str, device: &str, probe: &dyn Probe) -> Result<(), Finding> {
    let devices = probe.devices_of(name)?;
    let name = name.to_string();
    if devices.is_empty() {
        return Err(Finding::NoParameters { name });
    }
    match devices.iter().find(|on| !matches(**on, device)) {
        None => Ok(()),
        Some(other) if devices.len() == 1 => Err(Finding::On { name, device: *other }),
        Some(other) => Err(Finding::PartOn { name, device: *other }),
    }
}

/// `cuda` matches every CUDA device; a name with an index matches only that device.
fn matches(on: Device, wanted: &str) -> bool {
    match Device::parse(wanted) {
        Ok(device) if device.index.is_none() => device.kind == on.kind,
        Ok(device) => device == on || (device.is_cpu() && on.is_cpu()),
        Err(_) => false,
    }
}

/// A class by its full name (`torch.OutOfMemoryError`) or without its module.
fn is_class(raised: &str, wanted: &str) -> bool {
    raised == wanted || raised.rsplit('.').next() == Some(wanted)
}

/// Copies over all links that the check is about.
#[derive(Default)]
struct Crossed {
    copies: usize,
    bytes: usize,
    asynchronous: usize,
}

fn transfers(summary: &Summary, direction: Option<Direction>) -> Crossed {
    summary
        .links
        .iter()
        .filter(|link| match direction {
            None => true,
            Some(Direction::HostToDevice) => link.from.is_cpu() && !link.to.is_cpu(),
            Some(Direction::DeviceToHost) => !link.from.is_cpu() && link.to.is_cpu(),
            Some(Direction::DeviceToDevice) => !link.from.is_cpu() && !link.to.is_cpu(),
        })
        .fold(Crossed::default(), |sum, link| Crossed {
            copies: sum.copies + link.copies,
            bytes: sum.bytes.saturating_add(link.bytes),
            asynchronous: sum.asynchronous + link.asynchronous,
        })
}

fn within(count: usize, min: Option<usize>, max: Option<usize>, of: Counted) -> Option<Finding> {
    match (min, max) {
        (Some(least), _) if count < least => Some(Finding::Few { count, of, least }),
        (_, Some(most)) if count > most => Some(Finding::Many { count, of, most }),
        _ => None,
    }
}

fn first_line(message: &str) -> &str {
    message.lines().next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::findings::sentence;
    use crate::app::texts::{ENGLISH, GERMAN};
    use crate::trace::summary::LinkRow;

    /// A program with one tensor `x` on `cuda:0` and one flag.
    struct Fixed;

    impl Probe for Fixed {
        fn eval_bool(&self, expr: &str) -> Result<bool, Finding> {
            match expr {
                "good" => Ok(true),
                "bad" => Ok(false),
                _ => Err(Finding::Raises { expr: expr.into(), class: "NameError".into(), message: "no q".into() }),
            }
        }
        fn devices_of(&self, name: &str) -> Result<Vec<Device>, Finding> {
            match name {
                "x" => Ok(vec![Device::cuda(0)]),
                "half" => Ok(vec![Device::cuda(0), Device::CPU]),
                "list" => Ok(vec![]),
                _ => Err(Finding::NoTensor { name: name.into() }),
            }
        }
        fn same(&self, left: &str, right: &str) -> Result<bool, Finding> {
            Ok(left == right)
        }
        fn uses(&self, name: &str) -> Result<bool, Finding> {
            Ok(name == "to")
        }
    }

    fn verdict(yaml: serde_json::Value, error: Option<(&str, &str)>) -> String {
        let check: Check = serde_json::from_value(yaml).unwrap();
        let mut summary = Summary::default();
        let link = |from, to, copies, bytes| LinkRow { from, to, copies, bytes, asynchronous: copies - 1, micros: 0.0 };
        summary.links.push(link(Device::CPU, Device::cuda(0), 2, 64));
        summary.links.push(link(Device::cuda(0), Device::CPU, 3, 12));
        summary.score.synchronisations = 2;
        let ran = Ran { error, stdout: "loss 0.5\n", summary: &summary };
        let result = judge(&[check], &ran, &Fixed).remove(0);
        assert_eq!(result.passed, result.finding.is_none());
        let Some(finding) = result.finding else { return String::new() };
        // The page's worker sends it as JSON, and the page then shows it in another language.
        let sent: Finding = serde_json::from_str(&serde_json::to_string(&finding).unwrap()).unwrap();
        assert_eq!(sent, finding);
        assert_ne!(sentence(&GERMAN, &finding), sentence(&ENGLISH, &finding));
        sentence(&ENGLISH, &finding)
    }

    #[test]
    fn every_kind_passes_and_fails() {
        use serde_json::json;
        let mismatch = "Expected all tensors to be on the same device, but found at least two devices, cuda:0 and cpu!";
        let raised = Some(("RuntimeError", mismatch));
        let cases = [
            (json!({"kind": "device", "label": "", "name": "x", "device": "cuda"}), None, ""),
            (json!({"kind": "device", "label": "", "name": "x", "device": "cuda:0"}), None, ""),
            (json!({"kind": "device", "label": "", "name": "x", "device": "cuda:1"}), None, "`x` is on cuda:0."),
            (
                json!({"kind": "device", "label": "", "name": "half", "device": "cuda"}),
                None,
                "A tensor of `half` is on cpu.",
            ),
            (
                json!({"kind": "device", "label": "", "name": "list", "device": "cuda"}),
                None,
                "`list` has no parameters.",
            ),
            (
                json!({"kind": "device", "label": "", "name": "z", "device": "cpu"}),
                None,
                "`z` is neither a tensor nor a module.",
            ),
            (json!({"kind": "raises", "label": "", "class": "RuntimeError", "text": "same device"}), raised, ""),
            (
                json!({"kind": "raises", "label": "", "class": "OutOfMemoryError", "text": "CUDA out of memory"}),
                Some(("torch.OutOfMemoryError", "CUDA out of memory. Tried")),
                "",
            ),
            (
                json!({"kind": "raises", "label": "", "class": "TypeError", "text": ""}),
                Some(("ValueError", "a\nb")),
                "It ended with another error: ValueError: a",
            ),
            (json!({"kind": "no_error", "label": ""}), None, ""),
            (json!({"kind": "no_error", "label": ""}), Some(("KeyError", "'a'")), "It ended with KeyError: 'a'"),
            (json!({"kind": "transfers", "label": "", "max": 5, "max_bytes": 76}), None, ""),
            (json!({"kind": "transfers", "label": "", "max": 4}), None, "5 copies; at most 4 are allowed."),
            (json!({"kind": "transfers", "label": "", "direction": "host_to_device", "min": 2, "max": 2}), None, ""),
            (
                json!({"kind": "transfers", "label": "", "direction": "device_to_host", "min_bytes": 13}),
                None,
                "12 bytes copied; at least 13 were expected.",
            ),
            (json!({"kind": "transfers", "label": "", "direction": "host_to_device", "min_asynchronous": 1}), None, ""),
            (
                json!({"kind": "transfers", "label": "", "min_asynchronous": 4}),
                None,
                "3 asynchronous copies; at least 4 were expected.",
            ),
            (json!({"kind": "synchronisations", "label": "", "min": 2, "max": 2}), None, ""),
            (
                json!({"kind": "synchronisations", "label": "", "max": 1}),
                None,
                "2 times the host waited for a device; at most 1 are allowed.",
            ),
            (
                json!({"kind": "peak_bytes", "label": "", "device": "cuda", "min": 512}),
                None,
                "0 bytes allocated at most on cuda; at least 512 were expected.",
            ),
            (json!({"kind": "value", "label": "", "expr": "good"}), None, ""),
            (json!({"kind": "value", "label": "", "expr": "bad"}), None, "`bad` is false."),
            (json!({"kind": "value", "label": "", "expr": "q"}), None, "`q` raises NameError: no q"),
            (json!({"kind": "output", "label": "", "contains": "loss"}), None, ""),
            (json!({"kind": "output", "label": "", "contains": "nan"}), None, "The output does not contain `nan`."),
            (json!({"kind": "same_object", "label": "", "left": "x", "right": "x"}), None, ""),
            (json!({"kind": "same_object", "label": "", "left": "x", "right": "y", "same": false}), None, ""),
            (
                json!({"kind": "same_object", "label": "", "left": "x", "right": "y"}),
                None,
                "`x` and `y` are two objects.",
            ),
            (json!({"kind": "source_uses", "label": "", "name": "to"}), None, ""),
            (json!({"kind": "source_uses", "label": "", "name": "cpu"}), None, "The program does not use `cpu`."),
            (json!({"kind": "source_uses", "label": "", "name": "to", "used": false}), None, "The program uses `to`."),
        ];
        for (check, error, expected) in cases {
            assert_eq!(verdict(check.clone(), error), expected, "{check}");
        }
    }
}
