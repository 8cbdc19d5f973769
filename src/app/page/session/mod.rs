//! The page's state: the program, the engine that runs it, and what is shown of the run.
//!
//! Each part has a file of its own, and this file does what concerns several parts. A crash of the engine never loses the
//! program, the output or the learner's progress, because they belong to the page.

mod hand;
mod notebook;
mod playback;
mod pointer;
mod printed;
mod program;
mod runner;

use leptos::prelude::*;
use serde::Deserialize;

pub(crate) use self::hand::Hand;
pub(crate) use self::notebook::{Cell, Notebook};
pub(crate) use self::playback::{Mark, Playback};
pub(crate) use self::pointer::Pointer;
pub(crate) use self::printed::{Printed, Shown, Voice};
pub use self::program::{Document, Program};
pub use self::runner::{Runner, Status};
use super::browser;
use crate::app::edit::{self, Unplaceable};
use crate::app::keys::{self, Key};
use crate::app::texts::{self, t};
use crate::app::yards::Block;
use crate::device::Device;
use crate::machine::Machine;
use crate::protocol::{Capabilities, Event, FromWorker, RunRequest, Stream};

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
    pub(crate) notebook: Notebook,
}

impl Session {
    pub fn new(document: Document, machine: Machine) -> Session {
        let printed = Printed::new();
        let playback = Playback::new(&machine);
        let program = Program::new(machine);
        let (runner, hand, pointer, notebook) = (Runner::new(printed), Hand::new(), Pointer::new(), Notebook::new());
        let session = Session { program, runner, printed, playback, hand, pointer, notebook };
        session.open(document);
        session.runner.begin(move |message| session.receive(message));
        session
    }

    /// Loads a document into the editor: the learner's own copy if there is one.
    pub fn open(self, document: Document) {
        self.runner.stop_now();
        self.notebook.close();
        self.program.open(document);
        self.clear();
    }

    /// Loads a document into the editor as it is, even if the learner has changed it before.
    pub(crate) fn open_unkept(self, document: Document) {
        self.runner.stop_now();
        self.notebook.close();
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

    /// Opens a notebook in place of the program.
    pub(crate) fn open_notebook(self, notebook: crate::notebook::Notebook) {
        self.open_unkept(Document { key: keys::notebook(), ..Document::default() });
        self.notebook.open(notebook);
        self.program.unsaved.set(!self.notebook.keep());
        browser::remember(&Key::NOTEBOOK_SHOWN, "1");
    }

    /// Opens the notebook that was open last, as the learner left it. Returns whether there is one.
    pub(crate) fn reopen_notebook(self) -> bool {
        let found = self.notebook.reopen();
        if found {
            self.runner.stop_now();
            self.program.open_unkept(Document { key: keys::notebook(), ..Document::default() });
            self.clear();
            browser::remember(&Key::NOTEBOOK_SHOWN, "1");
        }
        found
    }

    /// Runs cells, one after the other.
    pub(crate) fn run_cells(self, cells: impl IntoIterator<Item = usize>) {
        self.notebook.waiting.update(|waiting| {
            for cell in cells {
                if !waiting.contains(&cell) {
                    waiting.push_back(cell);
                }
            }
        });
        if !self.notebook.waiting.with_untracked(|waiting| waiting.is_empty()) && self.runner.asked() {
            self.send_run();
        }
    }

    /// Ends the interpreter of the notebook: its variables are gone, and its cells stay.
    pub(crate) fn start_again(self) {
        self.runner.stop_now();
        self.notebook.start_again();
        self.clear();
    }

    /// Stops what runs, and what waits for its turn.
    pub(crate) fn stop(self) {
        self.notebook.waiting.set(Default::default());
        self.runner.stop();
    }

    /// Called when the learner has changed a cell.
    pub(crate) fn edit_cell(self, cell: Cell, source: String) {
        if self.notebook.active.get_untracked() == Some(cell.id) {
            self.program.code.set(source.clone());
        }
        cell.source.set(source);
        self.program.unsaved.set(!self.notebook.keep());
    }

    /// Runs the program, now or as soon as the engine is ready. In a notebook, that is the cell which ran last.
    pub fn run(self) {
        if let Some(cell) = self.notebook.active_cell() {
            // An edit that a card suggested.
            cell.source.set(self.program.code.get_untracked());
            return self.run_cells([cell.id]);
        }
        if self.runner.asked() {
            self.send_run();
        }
    }

    /// Runs the cell whose turn it is.
    fn send_cell(self) {
        let Some(cell) = self.notebook.next() else { return };
        self.runner.clear();
        self.program.code.set(cell.source.get_untracked());
        self.playback.ran.set(cell.source.get_untracked());
        let opening = self.notebook.opening();
        let request = |run| RunRequest { notebook: Some(opening), ..self.program.request(run) };
        if let Err(reason) = self.runner.start(request) {
            self.broken(reason, None);
        }
    }

    fn send_run(self) {
        if self.notebook.is_open.get_untracked() {
            return self.send_cell();
        }
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
            FromWorker::Ready(capabilities) => {
                if self.notebook.has_run() {
                    // The engine was replaced while a cell ran.
                    self.notebook.add(|outputs| outputs.write("stderr", &format!("{}\n", t().variables_gone)));
                    self.notebook.done(true);
                }
                self.engine_ready(capabilities)
            }
            FromWorker::Heard => {}
            FromWorker::Prepared => self.runner.prepared(),
            FromWorker::GpuLost { reason } => self.runner.gpu(Err(reason)),
            FromWorker::GpuBack { name } => self.runner.gpu(Ok(name)),
            FromWorker::NoGpu { run, reason } if current(&run) => {
                self.printed.say(&format!("{}\n", t().no_gpu_again(&reason)));
                self.runner.status.set(Status::Idle);
            }
            FromWorker::Started { run, executor, cell } if current(&run) => {
                self.runner.started.set(Some(executor));
                if cell == Some(1) {
                    // A new interpreter: what earlier ones had in memory is gone.
                    self.program.machine.with_untracked(|machine| self.playback.clear(machine, false));
                    self.playback.ran.set(self.program.code.get_untracked());
                }
                self.notebook.began(cell, self.playback.next_event());
            }
            FromWorker::Output { run, stream, text, .. } if current(&run) && self.notebook.has_run() => {
                let name = if stream == Stream::Stdout { "stdout" } else { "stderr" };
                self.notebook.add(|outputs| outputs.write(name, &text));
            }
            FromWorker::Figure { run, svg, words } if current(&run) && self.notebook.has_run() => {
                self.notebook.add(|outputs| {
                    outputs.take(crate::notebook::figure(&svg, &words));
                });
            }
            FromWorker::Shown { run, output } if current(&run) => match output["output_type"].as_str() {
                Some("update_display_data") => self.notebook.update(output),
                _ => self.notebook.add(|outputs| {
                    outputs.take(output);
                }),
            },
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
            FromWorker::Done { run, outcome } if current(&run) => {
                let failed = outcome.error.is_some();
                // What the program printed is there when the page says that it has ended.
                self.printed.flush();
                self.runner.done(outcome);
                if self.notebook.has_run() {
                    self.notebook.done(failed);
                    self.run_cells([]);
                }
            }
            FromWorker::Broken { reason, panic } => self.broken(reason, panic),
            // Messages of an earlier run.
            _ => {}
        }
        if let Some(run) = counted.filter(current) {
            self.runner.took(run);
        }
    }

    fn engine_ready(self, capabilities: Capabilities) {
        match self.runner.ready(capabilities) {
            true => self.send_run(),
            false => self.prepare(),
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
        if self.notebook.is_open.get_untracked() {
            return notice.set(Some(match edit::moving(&name, &to.to_string()) {
                Ok(line) => {
                    self.run_cells([self.notebook.add_code(&line)]);
                    t().placed_in_cell(&name, &to)
                }
                Err(_) => t().place_no_variable(&name),
            }));
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
