//! Decides whether a program that has ended passes a check.

use super::{Check, CheckResult, Counted, Direction, Finding, Looking};
use crate::device::Device;
use crate::machine::Machine;
use crate::trace::summary::{LookedLine, Summary};

/// What a run left behind, as far as checks need it.
pub struct Ran<'a> {
    /// Class and message of the exception that ended it, if one did.
    pub error: Option<(&'a str, &'a str)>,
    pub stdout: &'a str,
    pub summary: &'a Summary,
}

/// What a check needs from the program itself, while its variables are still alive.
pub trait Probe {
    /// Whether an expression is true in the program's namespace, with `machine` as the answer to what machine this is; `None` is the
    /// one that the program ran on.
    ///
    /// # Errors
    /// The expression raises.
    fn eval_bool(&self, expr: &str, machine: Option<&Machine>) -> Result<bool, Finding>;

    /// What the variables in an expression hold, a short line each: what a learner compares with what was asked for.
    fn values_of(&self, expr: &str) -> Vec<(String, String)>;

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

    /// The number of loops in the program's syntax tree.
    ///
    /// # Errors
    /// The program does not parse.
    fn loops(&self) -> Result<u64, Finding>;

    /// How the program read clocks.
    fn readings(&self) -> Readings;
}

/// How a program measured times.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Readings {
    /// How often it read a clock, or recorded an event that notes the time on the device.
    pub count: u64,
    /// The line of the first clock that was read while a device still had work that the host hadn't waited for.
    pub early: Option<u32>,
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
        Check::Transfers { direction, min, max, min_bytes, max_bytes, min_asynchronous, looking, .. } => {
            let found = transfers(ran.summary, *direction);
            let bounds = |min, max| Bounds { min, max, looking: *looking };
            let asynchronous = Amount { all: found.asynchronous, unlooked: found.asynchronous };
            let summary = ran.summary;
            bounds(*min, *max)
                .broken(found.copies, Counted::Copies, summary)
                .or_else(|| bounds(*min_bytes, *max_bytes).broken(found.bytes, Counted::BytesCopied, summary))
                .or_else(|| bounds(*min_asynchronous, None).broken(asynchronous, Counted::AsynchronousCopies, summary))
        }
        Check::Synchronisations { min, max, looking, .. } => {
            let all = ran.summary.score.synchronisations;
            let waits = Amount { all, unlooked: all.saturating_sub(ran.summary.looking.synchronisations) };
            Bounds { min: *min, max: *max, looking: *looking }.broken(waits, Counted::Waits, ran.summary)
        }
        Check::PeakBytes { device, min, max, looking, .. } => {
            let rows = || ran.summary.devices.iter().filter(|row| matches(row.device, device));
            let peak = Amount {
                all: rows().map(|row| row.peak_allocated).max().unwrap_or(0),
                unlooked: rows().map(|row| row.peak_unlooked).max().unwrap_or(0),
            };
            let of = Counted::PeakBytes { device: device.clone() };
            Bounds { min: *min, max: *max, looking: *looking }.broken(peak, of, ran.summary)
        }
        Check::Kernels { device, min, max, looking, .. } => {
            let rows = ran.summary.devices.iter().filter(|row| match device {
                Some(device) => matches(row.device, device),
                None => !row.device.is_cpu() && !row.device.is_meta(),
            });
            let launches = rows.fold(Amount::default(), |sum, row| sum.plus(row.launches, row.launches_looked));
            let of = Counted::Kernels { device: device.clone() };
            Bounds { min: *min, max: *max, looking: *looking }.broken(launches, of, ran.summary)
        }
        Check::Clock { min, .. } => {
            let Readings { count, early } = probe.readings();
            match early {
                Some(line) => Some(Finding::Early { line }),
                None => (count < *min).then_some(Finding::Few { count, of: Counted::Readings, least: *min }),
            }
        }
        Check::Loops { max, .. } => match probe.loops() {
            Ok(count) => (count > *max).then_some(Finding::Many { count, of: Counted::Loops, most: *max }),
            Err(why) => Some(why),
        },
        Check::Value { expr, machine, .. } => match probe.eval_bool(expr, machine.as_deref()) {
            Ok(true) => None,
            Ok(false) => Some(Finding::Untrue { expr: expr.clone(), values: probe.values_of(expr) }),
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
    copies: Amount,
    bytes: Amount,
    asynchronous: u64,
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
            copies: sum.copies.plus(link.copies, link.looked),
            bytes: sum.bytes.plus(link.bytes, link.bytes_looked),
            asynchronous: sum.asynchronous + link.asynchronous,
        })
}

/// How much there was, with and without what only the learner's looking caused.
#[derive(Clone, Copy, Default)]
struct Amount {
    all: u64,
    unlooked: u64,
}

impl Amount {
    fn plus(self, all: u64, looked: u64) -> Amount {
        Amount { all: self.all.saturating_add(all), unlooked: self.unlooked.saturating_add(all.saturating_sub(looked)) }
    }
}

struct Bounds {
    min: Option<u64>,
    max: Option<u64>,
    looking: Looking,
}

impl Bounds {
    /// Why an amount is out of bounds. Looking never breaks a bound that forgives it: the most leaves it out. The least
    /// counts it, because `print(loss.item())` is a way to do what an exercise asks for.
    fn broken(&self, amount: Amount, of: Counted, summary: &Summary) -> Option<Finding> {
        if let Some(least) = self.min.filter(|least| amount.all < *least) {
            return Some(Finding::Few { count: amount.all, of, least });
        }
        let count = match self.looking {
            Looking::Forgiven => amount.unlooked,
            Looking::Counted => amount.all,
        };
        let most = self.max.filter(|most| count > *most)?;
        let share = |line: &&LookedLine| match of {
            Counted::Copies | Counted::BytesCopied | Counted::AsynchronousCopies => line.copies,
            Counted::Waits => line.synchronisations,
            Counted::PeakBytes { .. } => line.bytes_held,
            Counted::Kernels { .. } => line.kernels,
            // What a program is made of has nothing to do with looking.
            Counted::Loops | Counted::Readings => 0,
        };
        match summary.looking.lines.iter().filter(|line| share(line) > 0).max_by_key(share) {
            Some(line) if amount.unlooked <= most => {
                Some(Finding::Looked { look: line.look, line: line.line, count, of, most })
            }
            _ => Some(Finding::Many { count, of, most }),
        }
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
    use crate::trace::{Event, EventKind, Look};

    /// A program with one tensor `x` on `cuda:0` and one flag.
    struct Fixed;

    impl Probe for Fixed {
        fn eval_bool(&self, expr: &str, _: Option<&Machine>) -> Result<bool, Finding> {
            match expr {
                "good" => Ok(true),
                "bad" => Ok(false),
                _ => Err(Finding::Raises { expr: expr.into(), class: "NameError".into(), message: "no q".into() }),
            }
        }
        fn values_of(&self, _: &str) -> Vec<(String, String)> {
            vec![("bad".into(), "tensor(3)".into())]
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
        fn loops(&self) -> Result<u64, Finding> {
            Ok(2)
        }
        fn readings(&self) -> Readings {
            Readings { count: 3, early: None }
        }
    }

    fn verdict(yaml: serde_json::Value, error: Option<(&str, &str)>) -> String {
        let check: Check = serde_json::from_value(yaml).unwrap();
        let mut summary = Summary::default();
        let link = |from, to, copies, bytes, (looked, bytes_looked)| {
            let asynchronous = copies - 1;
            LinkRow { from, to, copies, bytes, asynchronous, looked, bytes_looked, micros: 0.0 }
        };
        summary.links.push(link(Device::CPU, Device::cuda(0), 2, 64, (0, 0)));
        summary.links.push(link(Device::cuda(0), Device::CPU, 3, 12, (2, 8)));
        summary.score.synchronisations = 2;
        summary.looking.synchronisations = 1;
        for (device, look) in [(Device::CPU, None), (Device::cuda(0), None), (Device::cuda(0), Some(Look::Print))] {
            let kind = EventKind::Kernel { device, name: "add".into(), bytes: 0, flops: 0 };
            let event = Event { seq: 0, time: 0.0, line: 7, look, kind };
            // Four by the program, and two for its author's eyes.
            (0..if look.is_some() { 2 } else { 4 }).for_each(|_| summary.add(&event));
        }
        let (copies, synchronisations, kernels, bytes_held) = (1, 0, 0, 0);
        let line = |line, look| LookedLine { line, look, copies, synchronisations, kernels, bytes_held };
        summary.looking.lines = vec![
            line(4, Look::Text),
            LookedLine { copies: 2, kernels: 2, ..line(7, Look::Print) },
            LookedLine { synchronisations: 1, ..line(9, Look::Assert) },
        ];
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
            (json!({"kind": "transfers", "label": "", "max": 3, "max_bytes": 68, "min": 5}), None, ""),
            (json!({"kind": "transfers", "label": "", "max": 2}), None, "Copies: 3; at most 2 allowed."),
            (
                json!({"kind": "transfers", "label": "", "looking": "counted", "max": 2}),
                None,
                "Copies: 5; at most 2 allowed.",
            ),
            (
                json!({"kind": "transfers", "label": "", "looking": "counted", "max": 3}),
                None,
                "Your `print` in line 7 goes over the limit: 5 copies; at most 3 are allowed.",
            ),
            (json!({"kind": "transfers", "label": "", "looking": "counted", "max": 5, "max_bytes": 76}), None, ""),
            (json!({"kind": "transfers", "label": "", "direction": "host_to_device", "min": 2, "max": 2}), None, ""),
            (
                json!({"kind": "transfers", "label": "", "direction": "device_to_host", "min_bytes": 13}),
                None,
                "Bytes copied: 12; at least 13 expected.",
            ),
            (json!({"kind": "transfers", "label": "", "direction": "host_to_device", "min_asynchronous": 1}), None, ""),
            (
                json!({"kind": "transfers", "label": "", "min_asynchronous": 4}),
                None,
                "Asynchronous copies: 3; at least 4 expected.",
            ),
            (json!({"kind": "synchronisations", "label": "", "min": 2, "max": 2}), None, ""),
            (json!({"kind": "synchronisations", "label": "", "max": 1}), None, ""),
            (
                json!({"kind": "synchronisations", "label": "", "max": 0}),
                None,
                "Times the CPU waited for a GPU: 1; at most 0 allowed.",
            ),
            (
                json!({"kind": "synchronisations", "label": "", "looking": "counted", "max": 1}),
                None,
                "Your `assert` in line 9 goes over the limit: 2 times the CPU waited for a GPU; at most 1 are allowed.",
            ),
            (
                json!({"kind": "peak_bytes", "label": "", "device": "cuda", "min": 512}),
                None,
                "Bytes allocated at most on cuda: 0; at least 512 expected.",
            ),
            (json!({"kind": "kernels", "label": "", "max": 4, "min": 6}), None, ""),
            (json!({"kind": "kernels", "label": "", "device": "cuda:0", "max": 4}), None, ""),
            (json!({"kind": "kernels", "label": "", "max": 3}), None, "Kernels: 4; at most 3 allowed."),
            (
                json!({"kind": "kernels", "label": "", "looking": "counted", "max": 5}),
                None,
                "Your `print` in line 7 goes over the limit: 6 kernels; at most 5 are allowed.",
            ),
            (
                json!({"kind": "kernels", "label": "", "device": "cuda:1", "min": 1}),
                None,
                "Kernels on cuda:1: 0; at least 1 expected.",
            ),
            (json!({"kind": "clock", "label": ""}), None, ""),
            (json!({"kind": "clock", "label": "", "min": 4}), None, "Readings of a clock: 3; at least 4 expected."),
            (json!({"kind": "loops", "label": "", "max": 2}), None, ""),
            (json!({"kind": "loops", "label": "", "max": 1}), None, "Loops: 2; at most 1 allowed."),
            (json!({"kind": "value", "label": "", "expr": "good"}), None, ""),
            (json!({"kind": "value", "label": "", "expr": "bad"}), None, "In your run: `bad = tensor(3)`."),
            (json!({"kind": "value", "label": "", "expr": "q"}), None, "Checking this raises NameError: no q"),
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
