//! What a copy costs, by its size: the machine's link, and a program that makes such copies.

use crate::app::yards::Yards;
use crate::device::Device;
use crate::machine::{Link, Machine};
use crate::protocol::{Event, EventKind};

/// The sizes: 4 B to 1 GiB, each twice as large as the one before it.
pub(crate) const SMALLEST: u32 = 2;
pub(crate) const LARGEST: u32 = 30;
/// Larger copies aren't made here: they would take as much of the computer's own memory.
pub(crate) const LARGEST_RUN: u32 = 24;

pub(crate) const MACHINES: [&str; 2] = ["cuda:1", "cuda:2"];

/// How the bytes go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    /// From ordinary memory of the host.
    Pageable,
    /// From pinned memory, with `non_blocking=True`.
    Pinned,
    /// From one GPU to another.
    Between,
}

impl Way {
    pub(crate) const ALL: [Way; 3] = [Way::Pageable, Way::Pinned, Way::Between];

    /// The ways that a machine has.
    pub(crate) fn of(machine: &Machine) -> impl Iterator<Item = Way> + use<> {
        let several = machine.cuda_count() > 1;
        Way::ALL.into_iter().filter(move |way| *way != Way::Between || several)
    }

    pub(crate) fn ends(self) -> (Device, Device) {
        match self {
            Way::Between => (Device::cuda(0), Device::cuda(1)),
            Way::Pageable | Way::Pinned => (Device::CPU, Device::cuda(0)),
        }
    }

    fn line(self) -> &'static str {
        match self {
            Way::Pageable => "a = x.to(\"cuda\")",
            Way::Pinned => "b = p.to(\"cuda\", non_blocking=True)",
            Way::Between => "c = a.to(\"cuda:1\")",
        }
    }
}

/// What is copied, and where.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Order {
    /// The size's binary logarithm.
    pub size: u32,
    /// The index in [`MACHINES`].
    pub machine: usize,
}

impl Default for Order {
    fn default() -> Order {
        Order { size: 12, machine: 1 }
    }
}

impl Order {
    pub(crate) fn bytes(&self) -> usize {
        1 << self.size
    }

    pub(crate) fn machine(&self) -> &'static str {
        MACHINES[self.machine]
    }

    pub(crate) fn model(&self) -> Machine {
        Machine::preset(self.machine()).unwrap_or_default()
    }

    /// Whether the program is run: if not, only the estimate is shown.
    pub(crate) fn runs(&self) -> bool {
        self.size <= LARGEST_RUN
    }

    pub(crate) fn program(&self) -> String {
        let start = format!(
            "import torch\n\nn = {}\nx = torch.zeros(n, dtype=torch.uint8)\np = torch.zeros(n, dtype=torch.uint8, pin_memory=True)\n\n",
            self.bytes()
        );
        Way::of(&self.model()).fold(start, |program, way| program + way.line() + "\n")
    }
}

impl Order {
    /// The program and its machine, if the copies are made here.
    pub(crate) fn runnable(&self) -> Option<(String, &'static str)> {
        self.runs().then(|| (self.program(), self.machine()))
    }
}

/// The bytes of a copy that spends as much time on the fixed cost as on its bytes.
pub(crate) fn turn(link: &Link) -> f64 {
    link.latency_us * link.gb_per_s * 1e3
}

/// The time of a copy in microseconds, as everywhere on the page.
pub(crate) fn micros(machine: &Machine, way: Way, bytes: usize) -> f64 {
    link(machine, way).micros(bytes as u64)
}

/// The link that a way goes over.
pub(crate) fn link(machine: &Machine, way: Way) -> Link {
    let (from, to) = way.ends();
    Yards::new(machine).link(from, to).clone()
}

/// A copy that the program made.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Made {
    pub way: Way,
    pub bytes: usize,
    /// Whether the program waited for it.
    pub waited: bool,
}

/// The copies of a run.
pub(crate) fn made(order: &Order, events: &[Event]) -> Vec<Made> {
    let program = order.program();
    let copies = Way::of(&order.model()).filter_map(|way| {
        let line = program.lines().position(|line| line == way.line())? as u32 + 1;
        let mut here = events.iter().filter(|event| event.line == line);
        let bytes = here.clone().find_map(|event| match event.kind {
            EventKind::Transfer { from, to, bytes, .. } if (from, to) == way.ends() => Some(bytes),
            _ => None,
        })?;
        let waited = here.any(|event| matches!(event.kind, EventKind::Sync { .. }));
        Some(Made { way, bytes, waited })
    });
    copies.collect()
}

#[cfg(test)]
mod tests {
    use super::super::tests::events;
    use super::*;

    #[test]
    fn each_way_copies_all_bytes_and_only_the_pageable_one_waits() {
        for (machine, preset) in MACHINES.into_iter().enumerate() {
            for size in [SMALLEST, 20] {
                let order = Order { size, machine };
                let made = made(&order, &events(preset, order.program()));
                let ways =
                    Way::of(&order.model()).map(|way| Made { way, bytes: 1 << size, waited: way == Way::Pageable });
                assert_eq!(made, ways.collect::<Vec<_>>(), "{preset}");
            }
        }
    }

    #[test]
    fn latency_and_bandwidth_are_equal_where_the_curve_turns() {
        let machine = Machine::preset("cuda:2").unwrap();
        for way in Way::ALL {
            let link = link(&machine, way);
            let turn = turn(&link);
            assert!((micros(&machine, way, turn as usize) / (2.0 * link.latency_us) - 1.0).abs() < 1e-3, "{way:?}");
        }
        assert!(turn(&link(&machine, Way::Between)) > turn(&link(&machine, Way::Pinned)));
    }
}
