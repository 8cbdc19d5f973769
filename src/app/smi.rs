//! What `nvidia-smi` would say of the machine: memory that the driver handed out, which is what PyTorch reserved.

use std::fmt::Write;

use super::yards::Yards;
use crate::machine::Machine;

const WIDTH: usize = 66;

/// A table like that of `nvidia-smi`. `hardware` names what executes the accelerators.
pub fn table(machine: &Machine, yards: &Yards, hardware: &str) -> String {
    let cuda: Vec<_> = machine.accelerators().into_iter().filter(|(device, _)| device.is_cuda()).collect();
    if cuda.is_empty() {
        return "No devices were found\n".into();
    }
    let rule = format!("+{}+\n", "-".repeat(WIDTH));
    let mut out = rule.clone();
    let mut row = |text: String| {
        let _ = writeln!(out, "|{text:<WIDTH$.WIDTH$}|");
    };
    row(format!(" GPU  {:<34}{:>24} ", "Name", "Memory-Usage"));
    row("=".repeat(WIDTH));
    for (i, (device, spec)) in cuda.iter().enumerate() {
        let name = spec.name.as_deref().unwrap_or(hardware);
        let name: String = name.chars().take(33).collect();
        let used = reserved_mib(yards, *device);
        row(format!(" {i:>3}  {name:<34}{:>24} ", format!("{used}MiB / {}MiB", spec.memory_mib)));
    }
    out.push_str(&rule);
    out.push('\n');
    out.push_str(&rule);
    let mut row = |text: String| {
        let _ = writeln!(out, "|{text:<WIDTH$.WIDTH$}|");
    };
    row(format!(" GPU  {:<34}{:>24} ", "Process name", "GPU Memory Usage"));
    row("=".repeat(WIDTH));
    let mut any = false;
    for (i, (device, _)) in cuda.iter().enumerate() {
        let used = reserved_mib(yards, *device);
        if used > 0 {
            any = true;
            row(format!(" {i:>3}  {:<34}{:>24} ", "python main.py", format!("{used}MiB")));
        }
    }
    if !any {
        row("  No running processes found".into());
    }
    out.push_str(&rule);
    out
}

fn reserved_mib(yards: &Yards, device: crate::device::Device) -> usize {
    let reserved = yards.yards.iter().find(|y| y.device == device).map_or(0, |y| y.reserved);
    reserved.div_ceil(1 << 20)
}

#[cfg(test)]
mod tests {
    use super::super::yards::tests::event;
    use super::*;
    use crate::device::Device;
    use crate::protocol::EventKind;

    #[test]
    fn the_table_counts_what_is_reserved_and_keeps_its_edges() {
        let machine = Machine::preset("cuda:2").unwrap();
        let mut yards = Yards::new(&machine);
        let device = Device::cuda(1);
        yards.apply(&event(0, 1, EventKind::SegmentAlloc { device, segment: 1, bytes: 20 << 20, reserved: 20 << 20 }));
        let text = table(&machine, &yards, "a processor with a name that is much too long for its column");
        assert!(text.contains("0MiB / 81152MiB"), "{text}");
        assert!(text.contains("20MiB / 81152MiB"), "{text}");
        assert_eq!(text.matches("python main.py").count(), 1);
        let lengths: Vec<usize> = text.lines().filter(|l| !l.is_empty()).map(|l| l.chars().count()).collect();
        assert!(lengths.iter().all(|l| *l == WIDTH + 2), "{text}");
    }

    #[test]
    fn a_machine_without_a_gpu_says_what_nvidia_smi_says() {
        let machine = Machine::preset("mps").unwrap();
        assert_eq!(table(&machine, &Yards::new(&machine), ""), "No devices were found\n");
    }
}
