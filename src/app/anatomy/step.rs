//! A training step, seen from the GPU's memory: every allocated byte belongs to a part of the training.
//!
//! The program is put together from lines, and each line says what its allocations are. So an event's line tells what its
//! memory is for.

use std::collections::HashMap;

use crate::device::Device;
use crate::protocol::{Event, EventKind, StorageId};

/// The stops of the sliders: samples per batch, features per layer, layers. The largest program takes a second or two where the
/// CPU simulates the GPU.
pub(crate) const BATCHES: [usize; 6] = [32, 64, 128, 256, 512, 1024];
pub(crate) const WIDTHS: [usize; 5] = [64, 128, 256, 512, 1024];
pub(crate) const DEPTHS: [usize; 8] = [1, 2, 3, 4, 5, 6, 7, 8];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Optimizer {
    Sgd,
    Momentum,
    Adam,
}

impl Optimizer {
    fn call(self) -> &'static str {
        match self {
            Optimizer::Sgd => "torch.optim.SGD(model.parameters(), lr=0.1)",
            Optimizer::Momentum => "torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)",
            Optimizer::Adam => "torch.optim.Adam(model.parameters())",
        }
    }
}

/// The model, and how it's trained.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Recipe {
    pub batch: usize,
    pub width: usize,
    pub depth: usize,
    pub optimizer: Optimizer,
    /// Whether the forward pass runs in bfloat16, under `autocast`.
    pub autocast: bool,
}

impl Default for Recipe {
    fn default() -> Recipe {
        Recipe { batch: 512, width: 512, depth: 4, optimizer: Optimizer::Adam, autocast: false }
    }
}

/// What memory is for, from the bottom of the drawing to its top.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    Parameters,
    /// What the optimizer keeps for the next step.
    State,
    Data,
    Gradients,
    Activations,
    /// What the optimizer needs only while it computes.
    Scratch,
    /// What PyTorch lends to cuBLAS during a matrix product.
    Workspace,
}

impl Part {
    pub(crate) const ALL: [Part; 7] =
        [Part::Parameters, Part::State, Part::Data, Part::Gradients, Part::Activations, Part::Scratch, Part::Workspace];
}

/// A stretch of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Phase {
    SetUp,
    Forward,
    Backward,
    Update,
}

/// What the stretches of a run are, in order: two steps, because the first one still has to make the optimizer's state.
pub(crate) const STRETCHES: [(Phase, usize); 7] = [
    (Phase::SetUp, 0),
    (Phase::Forward, 1),
    (Phase::Backward, 1),
    (Phase::Update, 1),
    (Phase::Forward, 2),
    (Phase::Backward, 2),
    (Phase::Update, 2),
];

impl Recipe {
    /// The lines of the program, each with the stretch that it belongs to and with what it allocates.
    fn lines(&self) -> Vec<(Phase, Part, String)> {
        use Part::{Activations, Data, Gradients, Parameters, State};
        use Phase::{Backward, Forward, SetUp, Update};
        let Recipe { batch, width, depth, optimizer, autocast } = *self;
        let data = |name: &str| (SetUp, Data, format!("{name} = torch.randn(batch, width, device=\"cuda\")"));
        let plain = |text: &str| (SetUp, Data, text.to_string());
        let mut lines = vec![
            plain("import torch"),
            plain("from torch import nn"),
            plain(""),
            plain(&format!("batch, width, depth = {batch}, {width}, {depth}")),
            plain(""),
            plain("layers = []"),
            plain("for _ in range(depth):"),
            plain("    layers += [nn.Linear(width, width), nn.ReLU()]"),
            (SetUp, Parameters, "model = nn.Sequential(*layers).to(\"cuda\")".into()),
            plain(&format!("optimizer = {}", optimizer.call())),
            data("x"),
            data("target"),
            plain(""),
            plain("for step in range(2):"),
        ];
        let loss = "loss = nn.functional.mse_loss(model(x), target)";
        if autocast {
            let with = "    with torch.autocast(\"cuda\", dtype=torch.bfloat16):";
            lines.push((Forward, Activations, with.into()));
            lines.push((Forward, Activations, format!("        {loss}")));
        } else {
            lines.push((Forward, Activations, format!("    {loss}")));
        }
        lines.push((Backward, Gradients, "    loss.backward()".into()));
        lines.push((Update, State, "    optimizer.step()".into()));
        lines.push((Update, State, "    optimizer.zero_grad()".into()));
        lines
    }

    /// The program's source.
    pub(crate) fn program(&self) -> String {
        self.lines().into_iter().map(|(_, _, text)| text + "\n").collect()
    }

    /// The text of a line, counted from 1.
    pub(crate) fn line(&self, number: u32) -> String {
        let line = (number as usize).checked_sub(1).and_then(|at| self.lines().into_iter().nth(at));
        line.map_or(String::new(), |(_, _, text)| text.trim().to_string())
    }
}

/// The GPU's memory after an allocation or a free.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Moment {
    pub line: u32,
    /// The index of its stretch.
    pub stretch: usize,
    /// From 0 to 1, from the start of the run to its end. Every stretch is equally long.
    pub at: f64,
    /// Bytes of each part, in the order of [`Part::ALL`].
    pub parts: [usize; Part::ALL.len()],
}

impl Moment {
    /// Bytes of all parts.
    pub(crate) fn total(&self) -> usize {
        self.parts.iter().sum()
    }
}

/// The GPU's memory over a run.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Mountain {
    pub moments: Vec<Moment>,
    /// The index of the first moment with the most bytes.
    pub peak: usize,
    /// Bytes that the allocator has taken from the GPU at the end.
    pub reserved: u64,
}

impl Mountain {
    /// Reads the events of a run of `recipe`'s program. `None` if nothing was allocated.
    pub(crate) fn of(recipe: &Recipe, events: &[Event]) -> Option<Mountain> {
        let lines = recipe.lines();
        // All storages get their parts before any is counted, because a part may become known only after the allocation.
        let parts = parts_of(&lines, events);
        let mut now = Moment { line: 0, stretch: 0, at: 0.0, parts: [0; Part::ALL.len()] };
        let (mut moments, mut reserved) = (Vec::new(), 0);
        for event in events {
            // What the program's end frees belongs to no line.
            let Some((phase, ..)) = line_of(&lines, event.line) else { continue };
            let (storage, bytes, taken) = match &event.kind {
                EventKind::Alloc { storage, bytes, .. } => (storage, bytes, true),
                EventKind::Free { storage, bytes, .. } => (storage, bytes, false),
                EventKind::SegmentAlloc { reserved: total, .. } | EventKind::SegmentFree { reserved: total, .. } => {
                    reserved = *total;
                    continue;
                }
                _ => continue,
            };
            let Some(part) = parts.get(storage) else { continue };
            // Lines run in the order of the stretches, except the line with `for`: it counts as set-up and runs again before
            // the second step, so it never begins a stretch.
            let later = |at: &usize| *phase != Phase::SetUp && STRETCHES[*at].0 == *phase;
            now.stretch = (now.stretch..STRETCHES.len()).find(later).unwrap_or(now.stretch);
            now.line = event.line;
            let held = &mut now.parts[*part as usize];
            *held = if taken { *held + bytes } else { held.saturating_sub(*bytes) };
            moments.push(now.clone());
        }
        spread(&mut moments);
        let most = moments.iter().map(Moment::total).max()?;
        let peak = moments.iter().position(|moment| moment.total() == most)?;
        Some(Mountain { moments, peak, reserved })
    }

    /// The moment with the most bytes.
    pub(crate) fn top(&self) -> &Moment {
        &self.moments[self.peak]
    }

    /// The fullest moment of each stretch.
    pub(crate) fn tops(&self) -> impl Iterator<Item = &Moment> {
        (0..STRETCHES.len()).filter_map(|stretch| {
            self.moments
                .iter()
                .filter(|m| m.stretch == stretch)
                .reduce(|a, b| if b.total() > a.total() { b } else { a })
        })
    }

    /// The outline of a part in a drawing of `width` by `height` whose top is at `most` bytes: along its upper edge, and
    /// back along the edge of what is below it.
    pub(crate) fn outline(&self, part: Part, width: f64, height: f64, most: usize) -> String {
        // Where the edge changes, and its height from there on.
        let edge = |upto: usize| {
            let mut changes = vec![(0.0, height)];
            for moment in &self.moments {
                let bytes: usize = moment.parts[..upto].iter().sum();
                let y = height * (1.0 - bytes as f64 / most.max(1) as f64);
                if changes.last().is_none_or(|last| last.1 != y) {
                    changes.push((moment.at * width, y));
                }
            }
            changes
        };
        let (above, below) = (edge(part as usize + 1), edge(part as usize));
        let mut path = format!("M0 {height}");
        for (x, y) in &above {
            path += &format!("H{x:.1}V{y:.1}");
        }
        path += &format!("H{width}");
        for (x, y) in below.iter().rev() {
            path += &format!("V{y:.1}H{x:.1}");
        }
        path + "Z"
    }
}

/// A line of the program: its stretch, its part, its text. Lines are counted from 1, and 0 is no line.
fn line_of(lines: &[(Phase, Part, String)], number: u32) -> Option<&(Phase, Part, String)> {
    lines.get((number as usize).checked_sub(1)?)
}

/// The part that each storage on the GPU belongs to: that of the line that allocated it. But cuBLAS's workspace is known by the
/// name that it gets after its allocation, and what the optimizer frees isn't its state.
fn parts_of(lines: &[(Phase, Part, String)], events: &[Event]) -> HashMap<StorageId, Part> {
    let mut parts = HashMap::new();
    for event in events.iter().filter(|event| event.line > 0) {
        match &event.kind {
            EventKind::Alloc { device, storage, .. } if *device == Device::cuda(0) => {
                if let Some((_, part, _)) = line_of(lines, event.line) {
                    parts.insert(*storage, *part);
                }
            }
            EventKind::Name { storage, name } if name == WORKSPACE => {
                parts.entry(*storage).and_modify(|part| *part = Part::Workspace);
            }
            EventKind::Free { storage, .. } => {
                parts.entry(*storage).and_modify(|part| {
                    if *part == Part::State {
                        *part = Part::Scratch;
                    }
                });
            }
            _ => {}
        }
    }
    parts
}

/// Gives each moment its place in the drawing: the stretches are equally wide, and so are the moments of one stretch.
fn spread(moments: &mut [Moment]) {
    let mut counts = [0; STRETCHES.len()];
    moments.iter().for_each(|moment| counts[moment.stretch] += 1);
    let mut before = [0; STRETCHES.len()];
    for moment in moments {
        let at = moment.stretch;
        before[at] += 1;
        moment.at = (at as f64 + (f64::from(before[at]) - 0.5) / f64::from(counts[at])) / STRETCHES.len() as f64;
    }
}

/// The name that the engine gives to cuBLAS's workspace.
const WORKSPACE: &str = "cuBLAS workspace";

/// Where the lines of a scale are, in bytes: at 0 and at equal steps of a power of two, two to five of them, none above `most`.
pub(crate) fn ticks(most: usize) -> Vec<usize> {
    let mut step = 1;
    while most / step > 4 {
        step *= 2;
    }
    (0..=most / step).map(|n| n * step).collect()
}

#[cfg(test)]
mod tests {
    use super::super::tests::events;
    use super::*;

    fn mountain(recipe: &Recipe) -> Mountain {
        let events = events("cuda:1", recipe.program());
        let mountain = Mountain::of(recipe, &events).unwrap();
        // Every byte that the allocator counts has a part.
        let mut counted = mountain.moments.iter();
        for event in events.iter().filter(|event| event.line > 0) {
            if let EventKind::Alloc { device, allocated, .. } | EventKind::Free { device, allocated, .. } = &event.kind
                && *device == Device::cuda(0)
            {
                assert_eq!(counted.next().map(|moment| moment.total() as u64), Some(*allocated), "line {}", event.line);
            }
        }
        assert_eq!(counted.next(), None);
        mountain
    }

    fn part(moment: &Moment, part: Part) -> usize {
        moment.parts[part as usize]
    }

    #[test]
    fn every_byte_belongs_to_a_part() {
        let (batch, width, depth) = (64, 128, 3);
        let parameters = depth * (width * width * 4 + width * 4);
        for optimizer in [Optimizer::Sgd, Optimizer::Momentum, Optimizer::Adam] {
            for autocast in [false, true] {
                let recipe = Recipe { batch, width, depth, optimizer, autocast };
                let mountain = mountain(&recipe);
                let end = mountain.moments.last().unwrap();
                assert_eq!(part(end, Part::Parameters), parameters);
                assert_eq!(part(end, Part::Data), 2 * batch * width * 4);
                let kept = match optimizer {
                    Optimizer::Sgd => 0,
                    Optimizer::Momentum => parameters,
                    Optimizer::Adam => 2 * parameters,
                };
                assert_eq!(part(end, Part::State), kept, "{recipe:?}");
                assert_eq!((part(end, Part::Gradients), part(end, Part::Scratch)), (0, 0), "{recipe:?}");
                // Each stretch is there, and in each the part that it's about.
                let tops: Vec<&Moment> = mountain.tops().collect();
                assert_eq!(
                    tops.iter().map(|m| m.stretch).collect::<Vec<_>>(),
                    (0..STRETCHES.len()).collect::<Vec<_>>()
                );
                let most = |stretch: usize, which| {
                    mountain.moments.iter().filter(|m| m.stretch == stretch).map(|m| part(m, which)).max().unwrap()
                };
                assert_eq!(most(0, Part::Activations), 0);
                assert!(most(1, Part::Activations) >= depth * batch * width * if autocast { 2 } else { 4 });
                assert!(most(2, Part::Gradients) >= parameters);
                assert_eq!((most(1, Part::State), most(4, Part::State)), (0, kept));
                assert!(most(1, Part::Workspace) > 0 && most(3, Part::Workspace) == 0);
                assert!(mountain.moments.is_sorted_by(|a, b| a.at < b.at));
                assert!(mountain.reserved >= mountain.top().total() as u64);
            }
        }
    }

    #[test]
    fn autocast_halves_what_a_layer_keeps() {
        let kept = |depth: usize, autocast: bool| {
            let recipe = Recipe { batch: 1024, width: 64, depth, optimizer: Optimizer::Sgd, autocast };
            mountain(&recipe).moments.iter().map(|m| part(m, Part::Activations)).max().unwrap()
        };
        // The input and the loss are the same in both, and each layer adds as much again.
        let [float32, bfloat16] = [false, true].map(|autocast| kept(8, autocast) - kept(4, autocast));
        assert_eq!(float32, 4 * 1024 * 64 * 4);
        let weights = 64 * 64 * 2 + 512;
        assert_eq!(bfloat16, 4 * (1024 * 64 * 2 + weights));
    }

    #[test]
    fn the_outline_of_all_parts_reaches_the_peak() {
        let recipe = Recipe { batch: 32, width: 64, depth: 1, optimizer: Optimizer::Adam, autocast: false };
        let mountain = mountain(&recipe);
        let most = mountain.top().total();
        let path = mountain.outline(Part::Workspace, 700.0, 300.0, most);
        assert!(path.starts_with("M0 300H0.0V300.0") && path.ends_with("V300.0H0.0Z"), "{path}");
        assert!(path.contains("V0.0"), "{path}");
        assert!(recipe.line(mountain.top().line).len() > 3);
    }

    #[test]
    fn scales_have_few_lines() {
        for most in [1, 5, 1000, 21 << 20, (64 << 20) - 1] {
            let ticks = ticks(most);
            assert!((2..=5).contains(&ticks.len()) && ticks.last().is_some_and(|t| *t <= most), "{most}: {ticks:?}");
        }
    }
}
