//! A tensor's life: what is true of one tensor after each line of a small program.

use crate::app::map::{self, Segment};
use crate::app::timeline::Timeline;
use crate::device::Device;
use crate::machine::Machine;
use crate::protocol::{Event, EventKind, StorageId};

/// The tensors to choose from, with their shapes and sizes: one for each way in which the allocator takes memory.
pub(crate) const SHAPES: [(&str, &str); 3] = [("100", "400 B"), ("1024, 512", "2 MiB"), ("1024, 4096", "16 MiB")];

/// A place in the tensor's life, and what its line says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stage {
    OnTheHost,
    Copied,
    SecondName,
    Used,
    FirstNameGone,
    LastNameGone,
    Reused,
    AllGone,
    GivenBack,
}

impl Stage {
    pub(crate) const ALL: [Stage; 9] = [
        Stage::OnTheHost,
        Stage::Copied,
        Stage::SecondName,
        Stage::Used,
        Stage::FirstNameGone,
        Stage::LastNameGone,
        Stage::Reused,
        Stage::AllGone,
        Stage::GivenBack,
    ];

    fn text(self, shape: &str) -> String {
        match self {
            Stage::OnTheHost => format!("x = torch.randn({shape})"),
            Stage::Copied => "g = x.to(\"cuda\")".into(),
            Stage::SecondName => "same = g".into(),
            Stage::Used => "y = g * 2".into(),
            Stage::FirstNameGone => "del g".into(),
            Stage::LastNameGone => "del same".into(),
            Stage::Reused => format!("z = torch.zeros({shape}, device=\"cuda\")"),
            Stage::AllGone => "del y, z".into(),
            Stage::GivenBack => "torch.cuda.empty_cache()".into(),
        }
    }

    /// Its line in the program, from 1.
    pub(crate) fn line(self) -> u32 {
        self as u32 + 3
    }

    /// The variable that the line binds to a new tensor. (The engine may say no name of a tensor that is soon gone.)
    pub(crate) fn binds(line: u32) -> &'static str {
        match Stage::ALL.into_iter().find(|stage| stage.line() == line) {
            Some(Stage::OnTheHost) => "x",
            Some(Stage::Copied) => "g",
            Some(Stage::Used) => "y",
            Some(Stage::Reused) => "z",
            _ => "",
        }
    }

    /// The variables of the followed tensor after this line.
    pub(crate) fn names(self) -> &'static [&'static str] {
        match self {
            Stage::Copied => &["g"],
            Stage::SecondName | Stage::Used => &["g", "same"],
            Stage::FirstNameGone => &["same"],
            _ => &[],
        }
    }
}

/// The program for the shape with this index in [`SHAPES`].
pub(crate) fn program(shape: usize) -> String {
    let lines = Stage::ALL.map(|stage| stage.text(SHAPES[shape].0) + "\n");
    format!("import torch\n\n{}", lines.concat())
}

/// The memory after a line.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Moment {
    pub stage: Stage,
    /// The tensors on the host, by name, with their bytes.
    pub host: Vec<(&'static str, usize)>,
    /// The GPU's segments with their blocks.
    pub segments: Vec<Segment>,
    pub allocated: u64,
    pub reserved: u64,
    /// Where the followed tensor is on the GPU, as long as it lives there.
    pub block: Option<Place>,
    /// Bytes that were copied to the GPU so far.
    pub copied: u64,
}

/// A block's place: the number of its segment from 1, its offset and its size, and the bytes that the tensor asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    pub segment: usize,
    pub offset: usize,
    pub bytes: usize,
    pub requested: usize,
}

/// The life in a run.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Life {
    /// The storage of the tensor that is followed.
    pub storage: StorageId,
    /// One moment for each of [`Stage::ALL`].
    pub moments: Vec<Moment>,
}

impl Life {
    /// Reads a run's events. `None` if nothing was copied to the GPU.
    pub(crate) fn of(machine: &Machine, events: &[Event]) -> Option<Life> {
        let gpu = Device::cuda(0);
        let storage = events.iter().find_map(|event| match event.kind {
            EventKind::Transfer { to, target, .. } if to == gpu => Some(target),
            _ => None,
        })?;
        let mut timeline = Timeline::new(machine);
        timeline.push(events.to_vec());
        let moments = Stage::ALL.map(|stage| {
            // The next line reports the names that this line has bound, before anything else.
            let is_later = |event: &Event| event.line > stage.line() && !matches!(event.kind, EventKind::Name { .. });
            // After the last line comes what the program's end frees; it belongs to no line.
            let last = events.iter().rposition(|event| event.line > 0).map_or(0, |at| at + 1);
            timeline.seek(events.iter().position(is_later).unwrap_or(last));
            let now = timeline.now();
            let yard = now.yards.iter().find(|yard| yard.device == gpu);
            let segments = yard.map(|yard| map::segments(yard, timeline.names())).unwrap_or_default();
            let mut places = segments.iter().enumerate().flat_map(|(at, segment)| {
                segment.pieces.iter().filter_map(move |piece| {
                    let (held, tensor) = piece.held.as_ref()?;
                    let place = Place {
                        segment: at + 1,
                        offset: piece.offset,
                        bytes: piece.bytes,
                        requested: tensor.requested,
                    };
                    (*held == storage).then_some(place)
                })
            });
            let block = places.next();
            let host = now.yards.iter().find(|yard| yard.device.is_cpu());
            let (allocated, reserved) = now.memory(gpu);
            Moment {
                stage,
                host: host
                    .map(|yard| yard.tensors.values().map(|tensor| (Stage::binds(tensor.line), tensor.bytes)).collect())
                    .unwrap_or_default(),
                allocated,
                reserved,
                block,
                copied: now.summary.score.h2d_bytes,
                segments,
            }
        });
        Some(Life { storage, moments: moments.into() })
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::events;
    use super::*;

    #[test]
    fn a_block_is_kept_freed_and_used_again() {
        let machine = Machine::preset("cuda:1").unwrap();
        for (shape, (bytes, segment)) in
            [(512, 2 << 20), (2 << 20, 20 << 20), (16 << 20, 16 << 20)].into_iter().enumerate()
        {
            let events = events("cuda:1", program(shape));
            let held = bytes as u64;
            let life = Life::of(&machine, &events).unwrap();
            let at = |stage: Stage| life.moments.iter().find(|moment| moment.stage == stage).unwrap();
            // The GPU has nothing, then one block in the first segment.
            assert_eq!((at(Stage::OnTheHost).reserved, at(Stage::OnTheHost).block), (0, None));
            assert_eq!(at(Stage::OnTheHost).host.len(), 1);
            let born = at(Stage::Copied);
            let block = born.block.unwrap();
            assert_eq!((block.segment, block.offset, block.bytes), (1, 0, bytes));
            assert_eq!((born.allocated, born.reserved, born.copied), (held, segment, block.requested as u64));
            // A second name changes nothing, and the result of the multiplication has a block of its own.
            let memory = |stage: Stage| (at(stage).allocated, at(stage).reserved, at(stage).block);
            assert_eq!(memory(Stage::SecondName), memory(Stage::Copied));
            assert_eq!(at(Stage::Used).allocated, 2 * held);
            assert_eq!(memory(Stage::FirstNameGone), memory(Stage::Used));
            // Then it's free, and stays reserved.
            let reserved = at(Stage::Used).reserved;
            assert_eq!(memory(Stage::LastNameGone), (held, reserved, None));
            // The next tensor of the same size gets the same place.
            let reused = at(Stage::Reused);
            assert_eq!((reused.allocated, reused.reserved), (2 * held, reserved));
            let first = &reused.segments[0].pieces[0];
            assert_eq!((first.offset, first.held.as_ref().map(|(_, t)| Stage::binds(t.line))), (0, Some("z")));
            assert_ne!(first.held.as_ref().unwrap().0, life.storage);
            assert_eq!((at(Stage::AllGone).allocated, at(Stage::AllGone).reserved), (0, reserved));
            assert_eq!((at(Stage::GivenBack).allocated, at(Stage::GivenBack).reserved), (0, 0));
        }
    }

    /// The names on the page are those that the program binds; where the engine says one, it's among them.
    #[test]
    fn names_are_those_of_the_run() {
        let events = events("cuda:1", program(1));
        let life = Life::of(&Machine::preset("cuda:1").unwrap(), &events).unwrap();
        for moment in &life.moments {
            let pieces = moment.segments.iter().flat_map(|segment| &segment.pieces);
            let held = pieces.filter_map(|piece| piece.held.as_ref()).find(|(id, _)| *id == life.storage);
            assert_eq!(held.is_some(), !moment.stage.names().is_empty(), "{:?}", moment.stage);
            if let Some(name) = held.and_then(|(_, tensor)| tensor.name.as_deref()) {
                assert!(moment.stage.names().contains(&name), "{:?} {name}", moment.stage);
            }
        }
        let text = program(1);
        for stage in Stage::ALL {
            assert_eq!(text.lines().nth(stage.line() as usize - 1), Some(stage.text(SHAPES[1].0).as_str()));
        }
    }
}
