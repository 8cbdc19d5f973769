//! Messages between the page and the worker that runs the engine.
//!
//! The page never sees a tensor, only [`Event`]s. Both sides are the same crate in the same version, so the messages have no
//! version number. Data that leaves the site (embedding, share links) has its own.

pub mod flow;

use serde::{Deserialize, Serialize};

pub use crate::autograd::picture::{Graph, GraphNode};
pub use crate::device::Device;
pub use crate::dtype::DType;
use crate::lesson::{Check, CheckResult};
use crate::machine::Machine;
pub use crate::ops::contents::{Contents, LEVELS, ODD, Values, Window};
pub use crate::trace::summary::{Looking, Score};
pub use crate::trace::{Event, EventKind, StorageId, Why};

/// Page to worker, as JSON text. `www/boot.js` passes `Prepare` and `Run` to the engine. It stores `Stop` and `Taken` as
/// values that the engine reads while Python runs, and answers `Ping` itself.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ToWorker {
    /// Names the machine that the next run will probably use, so that an interpreter can be made in advance.
    Prepare { machine: Machine, executor: ExecutorChoice },
    /// Runs a program from a clean interpreter.
    Run(RunRequest),
    /// Ends the program with `KeyboardInterrupt` at the next line.
    Stop,
    /// The page has handled this many of the run's [counted](FromWorker::counted) messages.
    Taken { run: u32, messages: u64 },
    /// Asks an idle engine whether it's still there. The answer is [`FromWorker::Heard`].
    Ping,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct RunRequest {
    /// Repeated in every answer, so that late messages of an earlier run can be recognized.
    pub run: u32,
    pub code: String,
    pub machine: Machine,
    pub executor: ExecutorChoice,
    /// Checks of a lesson step, as in the lesson file, to judge after the program has ended.
    #[serde(default)]
    pub checks: Vec<Check>,
    /// Whether to report every line before it runs, so that the learner can step through the run afterwards.
    #[serde(default)]
    pub lines: bool,
    /// Files in the program's folder.
    #[serde(default)]
    pub files: Vec<GivenFile>,
    /// For a cell of a notebook: which opening of the notebook it belongs to. Cells of one opening share an interpreter, as
    /// long as the machine stays the same.
    #[serde(default)]
    pub notebook: Option<u32>,
}

/// A file that the learner uploaded.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GivenFile {
    /// The name, after the names of the folders that it's in: `data/train.csv`.
    pub name: String,
    #[serde(with = "crate::base64url")]
    pub bytes: Vec<u8>,
}

/// What executes the machine's accelerators.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ExecutorChoice {
    /// WebGPU if it works, otherwise the CPU. The answer says which, and [`Capabilities`] say why.
    #[default]
    Auto,
    Cpu,
    Webgpu,
}

/// Worker to page, as JSON text.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum FromWorker {
    /// The engine is ready for a run.
    Ready(Capabilities),
    /// A message arrived: a run, which may have to wait for its turn, or a ping.
    Heard,
    /// The engine was busy making an interpreter for the next run, and now answers immediately again.
    Prepared,
    /// The GPU is gone, and every tensor on it.
    GpuLost {
        reason: String,
    },
    /// This GPU replaces a lost one.
    GpuBack {
        name: String,
    },
    /// A run didn't begin, because the GPU was lost and the browser offers no other.
    NoGpu {
        run: u32,
        reason: String,
    },
    /// A run began. Says which executor its accelerators use.
    Started {
        run: u32,
        executor: String,
        /// For a cell: its number in this interpreter, from 1.
        #[serde(default)]
        cell: Option<u64>,
    },
    Output {
        run: u32,
        stream: Stream,
        text: String,
        /// Some text before this was dropped, because there is more of it than the page keeps.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        cut: bool,
    },
    /// An image that the program drew.
    Figure {
        run: u32,
        /// SVG, which is shown as an image and never becomes part of the page.
        svg: String,
        /// A description, for people who can't see the image.
        words: String,
    },
    /// An output of a cell that is neither text of a stream nor a figure, as the format of notebooks has it.
    Shown {
        run: u32,
        output: serde_json::Value,
    },
    /// A batch of events, in order. Sent while the program runs.
    Events {
        run: u32,
        events: Vec<Event>,
    },
    Done {
        run: u32,
        outcome: Outcome,
    },
    /// The engine couldn't start, or crashed. This worker will send nothing more.
    Broken {
        reason: String,
        /// The engine's last message and where it came from, if it's a bug of ours.
        #[serde(default)]
        panic: Option<String>,
    },
}

impl FromWorker {
    /// The run of this message, if the page confirms it with [`ToWorker::Taken`].
    pub fn counted(&self) -> Option<u32> {
        match self {
            FromWorker::Output { run, .. }
            | FromWorker::Figure { run, .. }
            | FromWorker::Shown { run, .. }
            | FromWorker::Events { run, .. } => Some(*run),
            _ => None,
        }
    }

    /// The run of a message, found in its first characters; `None` if it belongs to no run or can't be recognized.
    pub fn run_of(beginning: &str) -> Option<u32> {
        let (kind, after) = beginning.strip_prefix("{\"type\":\"")?.split_once("\",\"run\":")?;
        let digits = after.find(|c: char| !c.is_ascii_digit())?;
        after[..digits].parse().ok().filter(|_| kind.bytes().all(|b| b.is_ascii_lowercase() || b == b'_'))
    }
}

/// How many bytes of output the page keeps. The oldest are dropped first.
pub const OUTPUT_KEPT: usize = 200_000;

/// How many figures the page keeps. The oldest are dropped first.
pub const FIGURES_KEPT: usize = 40;

/// How many characters of a message [`FromWorker::run_of`] needs.
pub const BEGINNING: u32 = 48;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stream {
    Stdout,
    Stderr,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Capabilities {
    /// Whether `WebAssembly.Suspending` exists, so that Python can wait for the GPU.
    pub jspi: bool,
    /// The adapter's name, or why there is none.
    pub webgpu: Result<String, String>,
    /// Whether there was a GPU that is gone now; `webgpu` says why. The next run asks the browser for another.
    #[serde(default)]
    pub lost: bool,
    /// Milliseconds from the worker's start to this message.
    pub boot_ms: f64,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Outcome {
    /// `None` if the program ended normally.
    pub error: Option<RaisedError>,
    /// Explanations of mistakes that raised no error.
    #[serde(default)]
    pub silent: Vec<crate::diagnose::Card>,
    pub score: Score,
    /// The same without what only looking caused.
    #[serde(default)]
    pub unlooked: Score,
    pub checks: Vec<CheckResult>,
    /// The autograd graphs behind the program's variables.
    #[serde(default)]
    pub graphs: Vec<Graph>,
    /// What was inside the program's tensors when it ended.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub contents: Vec<Contents>,
    /// Milliseconds of the entire run.
    pub wall_ms: f64,
}

/// An exception that ended the program.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct RaisedError {
    /// `RuntimeError`.
    pub class: String,
    /// PyTorch's message, unchanged.
    pub message: String,
    /// The complete traceback, as Python prints it.
    pub traceback: String,
    /// The learner's line, from 1, if any is on the stack.
    pub line: Option<u32>,
    /// Our explanation, next to the message and never inside it.
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
