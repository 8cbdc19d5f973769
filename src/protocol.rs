//! Messages between the page and the worker that holds the engine.
//!
//! The page never sees a tensor: it sees [`Event`]s. Both sides are the same crate at the same version, so there is no
//! version number here; what leaves the site (embedding, share links) has its own.

pub mod flow;

use serde::{Deserialize, Serialize};

pub use crate::autograd::picture::{Graph, GraphNode};
pub use crate::device::Device;
pub use crate::dtype::DType;
use crate::lesson::{Check, CheckResult};
use crate::machine::Machine;
pub use crate::trace::summary::Score;
pub use crate::trace::{Event, EventKind, StorageId, Why};

/// Page to worker, as JSON text. `www/boot.js` hands `Prepare` and `Run` to the engine; `Stop` and `Taken` it keeps as values
/// that the engine reads while Python runs, and `Ping` it answers itself.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ToWorker {
    /// Names the machine that the next run is likely to be on, so that an interpreter waits for it.
    Prepare { machine: Machine, executor: ExecutorChoice },
    /// Runs a program from a clean interpreter.
    Run(RunRequest),
    /// Ends the program with `KeyboardInterrupt` at the next line.
    Stop,
    /// The page has worked off this many of the run's messages that are [counted](FromWorker::counted).
    Taken { run: u32, messages: u64 },
    /// Asks an engine that has nothing to do whether it's still there; [`FromWorker::Heard`] is the answer.
    Ping,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct RunRequest {
    /// Echoed in every answer, so that late messages of an earlier run are told apart.
    pub run: u32,
    pub code: String,
    pub machine: Machine,
    pub executor: ExecutorChoice,
    /// Checks of a lesson step to judge after the program ends, as the lesson file states them.
    #[serde(default)]
    pub checks: Vec<Check>,
    /// Report every line before it runs, to be walked through afterwards.
    #[serde(default)]
    pub lines: bool,
    /// Files that the program finds in its folder.
    #[serde(default)]
    pub files: Vec<GivenFile>,
}

/// A file that the learner gave to the page.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GivenFile {
    /// Without a folder.
    pub name: String,
    #[serde(with = "crate::base64url")]
    pub bytes: Vec<u8>,
}

/// What executes the machine's accelerators.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ExecutorChoice {
    /// WebGPU where it works, else the CPU; the answer says which, and [`Capabilities`] say why.
    #[default]
    Auto,
    Cpu,
    Webgpu,
}

/// Worker to page, as JSON text.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum FromWorker {
    /// The engine can take a run.
    Ready(Capabilities),
    /// Something arrived: a run, which may have to wait for its turn, or a ping.
    Heard,
    /// The GPU is gone, and every tensor on it.
    GpuLost {
        reason: String,
    },
    /// A lost GPU is replaced by this one.
    GpuBack {
        name: String,
    },
    /// A run didn't begin: the GPU was lost and the browser gives no other.
    NoGpu {
        run: u32,
        reason: String,
    },
    /// A run began; says what executes its accelerators.
    Started {
        run: u32,
        executor: String,
    },
    Output {
        run: u32,
        stream: Stream,
        text: String,
        /// Text before this one was left out: there is more of it than the page keeps.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        cut: bool,
    },
    /// A picture that the program drew.
    Figure {
        run: u32,
        /// SVG; shown as an image, never as a part of the page.
        svg: String,
        /// What it shows, for those who do not see it.
        words: String,
    },
    /// A batch of what happened, in order; sent while the program runs.
    Events {
        run: u32,
        events: Vec<Event>,
    },
    Done {
        run: u32,
        outcome: Outcome,
    },
    /// The engine could not start, or died: nothing more will come from this worker.
    Broken {
        reason: String,
        /// What the engine said of itself when it gave up, and where: a mistake of ours.
        #[serde(default)]
        panic: Option<String>,
    },
}

impl FromWorker {
    /// The run that this is a message of, if it's one that the page answers with [`ToWorker::Taken`].
    pub fn counted(&self) -> Option<u32> {
        match self {
            FromWorker::Output { run, .. } | FromWorker::Figure { run, .. } | FromWorker::Events { run, .. } => {
                Some(*run)
            }
            _ => None,
        }
    }

    /// The run of a message of which only the beginning was read; `None` if it belongs to no run or can't be told.
    pub fn run_of(beginning: &str) -> Option<u32> {
        let (kind, after) = beginning.strip_prefix("{\"type\":\"")?.split_once("\",\"run\":")?;
        let digits = after.find(|c: char| !c.is_ascii_digit())?;
        after[..digits].parse().ok().filter(|_| kind.bytes().all(|b| b.is_ascii_lowercase() || b == b'_'))
    }
}

/// Bytes of output that the page keeps; the oldest go first.
pub const OUTPUT_KEPT: usize = 200_000;

/// Figures that the page keeps; the oldest go first.
pub const FIGURES_KEPT: usize = 40;

/// How much of a message [`FromWorker::run_of`] has to see.
pub const BEGINNING: u32 = 48;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stream {
    Stdout,
    Stderr,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Capabilities {
    /// `WebAssembly.Suspending` exists, so Python can wait for the GPU.
    pub jspi: bool,
    /// The adapter's name, or why there is none.
    pub webgpu: Result<String, String>,
    /// There was a GPU and it's gone; `webgpu` says why. The next run asks the browser for another.
    #[serde(default)]
    pub lost: bool,
    /// Milliseconds from the worker's start to this message.
    pub boot_ms: f64,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Outcome {
    /// Absent when the program ended by itself.
    pub error: Option<RaisedError>,
    /// Explanations of what raised no error and is hardly meant.
    #[serde(default)]
    pub silent: Vec<crate::diagnose::Card>,
    pub score: Score,
    pub checks: Vec<CheckResult>,
    /// The autograd graphs behind the program's variables.
    #[serde(default)]
    pub graphs: Vec<Graph>,
    /// Milliseconds of the whole run.
    pub wall_ms: f64,
}

/// An exception that ended the program.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct RaisedError {
    /// `RuntimeError`.
    pub class: String,
    /// PyTorch's text, unchanged.
    pub message: String,
    /// The whole traceback, as Python prints it.
    pub traceback: String,
    /// The learner's line, from 1, if any is on the stack.
    pub line: Option<u32>,
    /// Our explanation, beside the text and never inside it.
    pub card: Option<crate::diagnose::Card>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_run_of_a_message_is_read_from_its_beginning() {
        let events = FromWorker::Events { run: u32::MAX, events: Vec::new() };
        let output = FromWorker::Output { run: 7, stream: Stream::Stdout, text: "\"run\":9".into(), cut: true };
        let figure = FromWorker::Figure { run: 0, svg: String::new(), words: String::new() };
        for (message, run) in [(&events, u32::MAX), (&output, 7), (&figure, 0)] {
            assert_eq!(message.counted(), Some(run));
            let text = serde_json::to_string(message).unwrap();
            let beginning: String = text.chars().take(BEGINNING as usize).collect();
            assert_eq!(FromWorker::run_of(&beginning), Some(run), "{beginning}");
        }
        let broken = FromWorker::Broken { reason: "\",\"run\":1,".into(), panic: None };
        for other in [broken, FromWorker::Heard] {
            assert_eq!(FromWorker::run_of(&serde_json::to_string(&other).unwrap()), None);
        }
        assert_eq!(FromWorker::run_of("{\"type\":\"events\",\"run\":"), None);
    }
}
