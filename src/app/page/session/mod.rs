//! The page's state: the program, the engine that runs it, and what is shown of the run.
//!
//! Each part has a file of its own, and this file does what concerns several parts. A crash of the engine never loses the
//! program, the output or the learner's progress, because they belong to the page.

mod hand;
mod playback;
mod pointer;
mod printed;
mod program;
mod runner;

use leptos::prelude::*;
use serde::Deserialize;

pub(crate) use self::hand::Hand;
pub(crate) use self::playback::Playback;
pub(crate) use self::pointer::Pointer;
pub(crate) use self::printed::{Printed, Shown, Voice};
pub use self::program::{Document, Program};
pub use self::runner::{Runner, Status};
use super::browser;
use crate::app::edit::{self, Unplaceable};
use crate::app::texts::{self, t};
use crate::app::yards::Block;
use crate::device::Device;
use crate::machine::Machine;
use crate::protocol::{Event, FromWorker, Stream};

/// A recorded run.
#[derive(Clone, Debug, Deserialize)]
pub struct Recording {
    pub output: String,
    pub events: Vec<Event>,
}

/// Handles to the page's state. Copies of this value share the same state.
#[derive(Clone, Copy)]
pub struct Session {
    pub program: Program,
    pub runner: Runner,
    pub(crate) printed: Printed,
    pub(crate) playback: Playback,
    pub(crate) hand: Hand,
    pub(crate) pointer: Pointer,
}

impl Session {
    pub fn new(document: Document, machine: Machine) -> Session {
        let printed = Printed::new();
        let playback = Playback::new(&machine);
        let program = Program::new(machine);
        let (runner, hand, pointer) = (Runner::new(printed), Hand::new(), Pointer::new());
        let session = Session { program, runner, printed, playback, hand, pointer };
        session.open(document);
        session.runner.begin(move |message| session.receive(message));
        session
    }

    /// Loads a document into the editor: the learner's own copy if there is one.
    pub fn open(self, document: Document) {
        self.runner.stop_now();
        self.program.open(document);
        self.clear();
    }

    /// Loads a document into the editor as it is, even if the learner has changed it before.
    pub(crate) fn open_unkept(self, document: Document) {
        self.runner.stop_now();
        self.program.open_unkept(document);
        self.clear();
    }

    /// Restores the starting program (the editor's Undo brings the old text back) and clears the run.
    pub fn reset(self) {
        self.runner.stop_now();
        self.program.reset();
        self.clear();
    }

    /// Whether the line numbers of the drawn run are those of the editor.
    pub(crate) fn lines_match(self) -> bool {
        self.playback.ran.with(|ran| self.program.code.with(|code| ran == code))
    }

    /// Runs the program, now or as soon as the engine is ready.
    pub fn run(self) {
        if self.runner.asked() {
            self.send_run();
        }
    }

    fn send_run(self) {
        self.clear();
        self.playback.ran.set(self.program.code.get_untracked());
        if let Err(reason) = self.runner.start(|run| self.program.request(run)) {
            self.broken(reason, None);
        }
    }

    fn broken(self, reason: String, panic: Option<String>) {
        self.runner.broken(reason, panic, |what| self.report(what));
    }

    /// The details that are needed to find a bug of ours.
    fn report(self, what: &str) -> String {
        let executor = self.runner.started.get_untracked().unwrap_or_default();
        let machine = self.program.machine.with_untracked(|machine| machine.name.clone());
        let version = format!("{} {} {}", texts::NAME, env!("CARGO_PKG_VERSION"), browser::build_version());
        let program = self.playback.ran.get_untracked();
        format!("{what}\n\n{}\n{executor}, {machine}\n{}\n\n{program}", version.trim_end(), browser::user_agent())
    }

    fn receive(self, message: FromWorker) {
        let counted = message.counted();
        self.runner.heard();
        let current = |run: &u32| self.runner.is_at(*run);
        match message {
            FromWorker::Ready(capabilities) => match self.runner.ready(capabilities) {
                true => self.send_run(),
                false => self.prepare(),
            },
            FromWorker::Heard => {}
            FromWorker::Prepared => self.runner.prepared(),
            FromWorker::GpuLost { reason } => self.runner.gpu(Err(reason)),
            FromWorker::GpuBack { name } => self.runner.gpu(Ok(name)),
            FromWorker::NoGpu { run, reason } if current(&run) => {
                self.printed.say(&format!("{}\n", t().no_gpu_again(&reason)));
                self.runner.status.set(Status::Idle);
            }
            FromWorker::Started { run, executor } if current(&run) => self.runner.started.set(Some(executor)),
            FromWorker::Output { run, stream, text, cut } if current(&run) => {
                if cut {
                    self.printed.cut.set(true);
                }
                let voice = match stream {
                    Stream::Stdout => Voice::Stdout,
                    Stream::Stderr => Voice::Stderr,
                };
                self.printed.print(voice, text);
            }
            FromWorker::Figure { run, svg, words } if current(&run) => self.printed.draw(&svg, words),
            FromWorker::Events { run, events } if current(&run) => self.playback.take(events),
            FromWorker::Done { run, outcome } if current(&run) => self.runner.done(outcome),
            FromWorker::Broken { reason, panic } => self.broken(reason, panic),
            // Messages of an earlier run.
            _ => {}
        }
        if let Some(run) = counted.filter(current) {
            self.runner.took(run);
        }
    }

    /// Chooses the machine and shows its empty yards.
    pub(crate) fn choose_machine(self, machine: Machine) {
        self.program.machine.set(machine);
        self.clear();
        self.prepare();
    }

    /// Tells the engine to prepare for a run on the chosen machine.
    pub fn prepare(self) {
        self.runner.prepare(self.program.machine.get_untracked(), self.program.choice.get_untracked());
    }

    /// Draws a run that was recorded earlier, and what it printed.
    pub fn show_recorded(self, recording: Recording) {
        let Recording { output, events } = recording;
        self.printed.print(Voice::Stdout, output);
        self.printed.flush();
        self.playback.show_recorded(self.program.code.get_untracked(), events);
    }

    fn clear(self) {
        self.printed.clear();
        self.runner.clear();
        self.hand.clear();
        self.pointer.clear();
        let stepping = self.program.stepping.get_untracked();
        self.program.machine.with_untracked(|machine| self.playback.clear(machine, stepping));
    }

    /// Moves a tensor by hand: adds the line that moves it to the program, and runs the program.
    pub(crate) fn place(self, block: &Block, to: Device) {
        let tensor = &block.tensor;
        let name = tensor.name.clone().unwrap_or_default();
        let notice = self.hand.notice;
        if matches!(self.runner.status.get_untracked(), Status::Running { .. }) {
            return notice.set(Some(t().place_running.into()));
        }
        if !self.playback.recorded.get_untracked() && !self.lines_match() {
            return notice.set(Some(t().place_stale.into()));
        }
        let edited = self.program.code.with_untracked(|code| edit::place(code, &name, tensor.line, &to.to_string()));
        match edited {
            Ok((code, line)) => {
                self.program.edit(code);
                self.run();
                notice.set(Some(t().placed(&name, &to, &line)));
            }
            Err(Unplaceable::NoVariable) => notice.set(Some(t().place_no_variable(&name))),
            Err(Unplaceable::NoLine) => notice.set(Some(t().place_no_line(&name))),
        }
    }
}
