//! The page's state: the program, the engine and its latest run.
//!
//! ```text
//!  Booting ──ready──▶ Idle ──Run──▶ Running ──done──▶ Idle
//!     ▲                │              │
//!     ├─ no answer ────┴──────────────┤   to a ping, to Run or to Stop: a new worker
//!     └─ broken, the first time ──────┘   again before another run: Broken ──Restart──▶ Booting
//! ```
//!
//! What the engine dies of never takes the program, the output or the learner's progress along: they are the page's.

use std::time::Duration;

use leptos::prelude::*;
use serde::Deserialize;

use super::browser;
use super::engine::Engine;
use crate::app::edit::{self, Unplaceable};
use crate::app::terminal;
use crate::app::texts::{fill, t};
use crate::app::timeline::Timeline;
use crate::app::yards::{Block, Copy as Transfer, Route, Series, YardPicture};
use crate::device::Device;
use crate::lesson::Check;
use crate::machine::Machine;
use crate::protocol::{
    Capabilities, Event, ExecutorChoice, FIGURES_KEPT, FromWorker, GivenFile, OUTPUT_KEPT, Outcome, RunRequest, Score,
    StorageId, Stream, ToWorker,
};

/// A program that does not end this long after Stop is ended with its worker.
const STOP_PATIENCE: Duration = Duration::from_millis(400);
/// Blocks drawn in one yard.
const BLOCKS: usize = 36;
/// How often the page looks whether the engine is still there.
const WATCH: Duration = Duration::from_secs(1);
/// Looks after which an engine with nothing to do is asked, and after which one that doesn't answer is given up. Looks are
/// counted instead of time, because a computer that was asleep has given nobody time to answer.
const ASK_AFTER: u32 = 5;
const GIVE_UP_AFTER: u32 = 10;

/// What ended an engine that was replaced since.
#[derive(Clone, Debug, PartialEq)]
pub struct Accident {
    /// What happened, and what is left to do.
    pub sentence: String,
    /// What belongs into a report, where it's a mistake of ours.
    pub report: Option<String>,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Status {
    /// The engine loads; `pending` says that a run waits for it.
    Booting {
        pending: bool,
    },
    Idle,
    Running {
        stopping: bool,
    },
    Broken {
        reason: String,
    },
}

/// What the editor holds: one learner's copy of a program.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Document {
    /// Names the copy in the browser's storage.
    pub key: String,
    pub starter: String,
    pub checks: Vec<Check>,
    /// The lesson and the step that it belongs to, by their ids.
    pub step: Option<(String, String)>,
}

/// A piece of output in one voice.
#[derive(Clone, Debug, PartialEq)]
pub struct Chunk {
    pub id: usize,
    pub voice: Voice,
    pub shown: Shown,
}

/// What a piece of output is.
#[derive(Clone, Debug, PartialEq)]
pub enum Shown {
    Text(String),
    /// An image, and the sentence that says the same.
    Figure {
        url: String,
        words: String,
    },
}

impl Shown {
    /// What it says: of an image, the sentence that says the same.
    pub fn words(&self) -> &str {
        match self {
            Shown::Text(words) | Shown::Figure { words, .. } => words,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Voice {
    Stdout,
    Stderr,
    /// The page itself.
    Page,
}

/// A run from the past.
#[derive(Clone, Debug, Deserialize)]
pub struct Recording {
    pub output: String,
    pub events: Vec<Event>,
}

/// What the devices look like at the playhead.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Picture {
    pub yards: Vec<YardPicture>,
    pub routes: Vec<Route>,
    pub recent: Vec<Transfer>,
    pub series: Vec<Series>,
    /// Events that were only counted, and those too old to go back to.
    pub left_out: u64,
    pub folded: usize,
    pub score: Score,
    pub line: u32,
    /// Microseconds since the run began.
    pub time: f64,
    pub head: usize,
    pub events: usize,
    /// The latest event that is shown.
    pub latest: Option<Event>,
}

/// Handles to the page's state; copies are the same state.
#[derive(Clone, Copy)]
pub struct Session {
    pub status: RwSignal<Status>,
    pub capabilities: RwSignal<Option<Capabilities>>,
    /// What happened to the engine before this one; until the next run.
    pub accident: RwSignal<Option<Accident>>,
    /// Executor of the latest run.
    pub started: RwSignal<Option<String>>,
    pub outcome: RwSignal<Option<Outcome>>,
    pub output: RwSignal<Vec<Chunk>>,
    /// Output that is not kept any more.
    pub cut: RwSignal<bool>,
    pub document: RwSignal<Document>,
    pub code: RwSignal<String>,
    /// The browser refused to keep the program.
    pub unsaved: RwSignal<bool>,
    pub machine: RwSignal<Machine>,
    pub choice: RwSignal<ExecutorChoice>,
    pub picture: RwSignal<Picture>,
    /// What is drawn is a run from the past.
    pub recorded: RwSignal<bool>,
    /// The playhead follows the events; off while someone looks back.
    pub playing: RwSignal<bool>,
    /// Copies that became visible since the last frame.
    pub copies: RwSignal<Vec<Transfer>>,
    /// Line to mark in the editor, and whether to scroll to it.
    pub focus: RwSignal<Option<(u32, bool)>>,
    /// The tensor that someone looks at.
    pub chosen: RwSignal<Option<(Device, StorageId)>>,
    /// The tensor that is being dragged from one yard to another.
    pub dragged: RwSignal<Option<(Device, Block)>>,
    /// What the page says of the latest placing.
    pub notice: RwSignal<Option<String>>,
    /// Files that were given to the page, for programs of the playground.
    pub files: RwSignal<Vec<GivenFile>>,
    /// A run waits at its first line, to be walked through.
    pub stepping: RwSignal<bool>,
    /// Program of the run that is drawn: line numbers mean nothing in another one.
    ran: RwSignal<String>,
    run: StoredValue<u32>,
    /// Messages of this run that were worked off.
    taken: StoredValue<u64>,
    /// Looks at the engine since it was last heard, and whether it owes an answer.
    quiet: StoredValue<(u32, bool)>,
    /// An engine that breaks is replaced without asking, once until the next run.
    forgiving: StoredValue<bool>,
    chunks: StoredValue<usize>,
    late_output: StoredValue<Vec<(Voice, Shown)>>,
    frame_asked: StoredValue<bool>,
    last_frame: StoredValue<f64>,
    /// Where the playhead is to be in the next frame.
    wanted: StoredValue<Option<usize>>,
    timeline: StoredValue<Timeline, LocalStorage>,
    engine: StoredValue<Option<Engine>, LocalStorage>,
}

impl Session {
    pub fn new(document: Document, machine: Machine) -> Session {
        let session = Session {
            status: RwSignal::new(Status::Booting { pending: false }),
            capabilities: RwSignal::new(None),
            accident: RwSignal::new(None),
            started: RwSignal::new(None),
            outcome: RwSignal::new(None),
            output: RwSignal::new(Vec::new()),
            cut: RwSignal::new(false),
            document: RwSignal::new(document.clone()),
            code: RwSignal::new(String::new()),
            unsaved: RwSignal::new(false),
            machine: RwSignal::new(machine.clone()),
            choice: RwSignal::new(ExecutorChoice::Auto),
            picture: RwSignal::new(Picture::default()),
            recorded: RwSignal::new(false),
            playing: RwSignal::new(true),
            copies: RwSignal::new(Vec::new()),
            focus: RwSignal::new(None),
            chosen: RwSignal::new(None),
            dragged: RwSignal::new(None),
            notice: RwSignal::new(None),
            files: RwSignal::new(Vec::new()),
            stepping: RwSignal::new(false),
            ran: RwSignal::new(String::new()),
            run: StoredValue::new(0),
            taken: StoredValue::new(0),
            quiet: StoredValue::new((0, false)),
            forgiving: StoredValue::new(true),
            chunks: StoredValue::new(0),
            late_output: StoredValue::new(Vec::new()),
            frame_asked: StoredValue::new(false),
            last_frame: StoredValue::new(0.0),
            wanted: StoredValue::new(None),
            timeline: StoredValue::new_local(Timeline::new(&machine)),
            engine: StoredValue::new_local(None),
        };
        session.open(document);
        session.boot();
        set_interval(move || session.watch(), WATCH);
        session
    }

    // ---- the program ----

    /// Puts a document into the editor: the learner's own copy, if there is one.
    pub fn open(self, document: Document) {
        self.stop_now();
        let code = browser::remembered(&document.storage_key()).unwrap_or_else(|| document.starter.clone());
        self.document.set(document);
        self.code.set(code);
        self.clear();
    }

    /// The same document in other words: the program, its run and what is drawn stay.
    pub fn reword(self, document: Document) {
        self.document.set(document);
    }

    /// Puts a document into the editor as it is, whatever the learner made of it before.
    pub fn open_unkept(self, document: Document) {
        self.stop_now();
        self.code.set(document.starter.clone());
        self.document.set(document);
        self.clear();
    }

    /// The learner (or the page for them) changed the program.
    pub fn edit(self, code: String) {
        if self.code.with_untracked(|old| *old == code) {
            return;
        }
        let key = self.document.with_untracked(Document::storage_key);
        let starter = self.document.with_untracked(|d| d.starter == code);
        if starter {
            browser::forget(&key);
        } else {
            self.unsaved.set(!browser::remember(&key, &code));
        }
        self.code.set(code);
    }

    /// Puts the starter back (the editor's Undo brings the old text again) and clears the run.
    pub fn reset(self) {
        self.stop_now();
        self.edit(self.document.with_untracked(|d| d.starter.clone()));
        self.clear();
    }

    /// Whether lines of the drawn run are lines of the editor.
    pub fn lines_match(self) -> bool {
        self.ran.with(|ran| self.code.with(|code| ran == code))
    }

    // ---- the engine ----

    fn boot(self) {
        self.quiet.set_value((0, false));
        let wanted = move |run| run == self.run.get_value();
        let engine = Engine::start(wanted, move |message| self.receive(message));
        match engine {
            Ok(engine) => self.engine.set_value(Some(engine)),
            Err(reason) => self.broken(reason, None),
        }
    }

    /// Looks whether an engine that has nothing to do is still there: a browser may end a worker without a word.
    fn watch(self) {
        let (looks, owes) = self.quiet.get_value();
        let idle = self.status.get_untracked() == Status::Idle;
        if !idle && !owes {
            return;
        }
        self.quiet.set_value((looks + 1, owes));
        if owes && looks >= GIVE_UP_AFTER {
            self.gone();
        } else if !owes && looks >= ASK_AFTER {
            self.quiet.set_value((0, true));
            // An engine that can't be asked is one that doesn't answer.
            let _ = self.send(&ToWorker::Ping);
        }
    }

    /// The engine answers nothing. A run that it never began is given to the next one.
    fn gone(self) {
        let pending = matches!(self.status.get_untracked(), Status::Running { stopping: false });
        self.run.set_value(self.run.get_value() + 1);
        self.accident.set(Some(Accident { sentence: t().engine_gone.into(), report: None }));
        self.restart();
        self.status.set(Status::Booting { pending });
    }

    /// A fresh worker in place of the old one.
    pub fn restart(self) {
        self.engine.set_value(None);
        self.status.set(Status::Booting { pending: false });
        self.boot();
    }

    /// The engine ended by itself. The first time another takes its place at once.
    fn broken(self, reason: String, panic: Option<String>) {
        let before = self.status.get_untracked();
        if matches!(before, Status::Booting { .. } | Status::Broken { .. }) || !self.forgiving.get_value() {
            self.engine.set_value(None);
            self.status.set(Status::Broken { reason });
            return;
        }
        self.forgiving.set_value(false);
        let too_deep = reason.contains("call stack") || reason.contains("recursion");
        let accident = match panic {
            None if too_deep => Accident { sentence: t().engine_too_deep.into(), report: None },
            // Rust says nothing when memory runs out.
            None if reason.contains("unreachable") => Accident { sentence: t().engine_memory.into(), report: None },
            panic => {
                let what = panic.unwrap_or(reason);
                Accident { sentence: t().engine_mistake.into(), report: Some(self.report(&what)) }
            }
        };
        if matches!(before, Status::Running { .. }) {
            self.run.set_value(self.run.get_value() + 1);
            self.say(&format!("{}\n", t().engine_ended_here));
        }
        self.accident.set(Some(accident));
        self.restart();
    }

    /// What someone needs to find a mistake of ours.
    fn report(self, what: &str) -> String {
        let executor = self.started.get_untracked().unwrap_or_default();
        let machine = self.machine.with_untracked(|machine| machine.name.clone());
        let version = format!("{} {} {}", crate::app::texts::NAME, env!("CARGO_PKG_VERSION"), browser::build_version());
        let program = self.ran.get_untracked();
        format!("{what}\n\n{}\n{executor}, {machine}\n{}\n\n{program}", version.trim_end(), browser::user_agent())
    }

    /// Runs the program, now or as soon as the engine is ready.
    pub fn run(self) {
        self.accident.set(None);
        self.forgiving.set_value(true);
        match self.status.get_untracked() {
            Status::Idle => self.send_run(),
            Status::Booting { .. } => self.status.set(Status::Booting { pending: true }),
            Status::Running { .. } | Status::Broken { .. } => {}
        }
    }

    fn send_run(self) {
        self.clear();
        let run = self.run.get_value() + 1;
        self.run.set_value(run);
        self.taken.set_value(0);
        self.quiet.set_value((0, true));
        let code = self.code.get_untracked();
        self.ran.set(code.clone());
        let request = RunRequest {
            run,
            code,
            machine: self.machine.get_untracked(),
            executor: self.choice.get_untracked(),
            checks: self.document.with_untracked(|d| d.checks.clone()),
            lines: self.stepping.get_untracked(),
            // A lesson's checks mean a folder that holds nothing yet.
            files: match self.document.with_untracked(|d| d.step.is_some()) {
                true => Vec::new(),
                false => self.files.get_untracked(),
            },
        };
        self.status.set(Status::Running { stopping: false });
        if let Err(reason) = self.send(&ToWorker::Run(request)) {
            self.broken(reason, None);
        }
    }

    fn send(self, message: &ToWorker) -> Result<(), String> {
        self.engine.with_value(|engine| match engine {
            Some(engine) => engine.send(message),
            None => Err(t().engine_not_running.into()),
        })
    }

    /// Asks the program to end; a worker that does not answer is ended instead.
    pub fn stop(self) {
        match self.status.get_untracked() {
            Status::Booting { .. } => self.status.set(Status::Booting { pending: false }),
            Status::Running { stopping: false } => {
                self.status.set(Status::Running { stopping: true });
                let run = self.run.get_value();
                if self.send(&ToWorker::Stop).is_err() {
                    self.stop_now();
                    return;
                }
                set_timeout(
                    move || {
                        let waiting = self.status.get_untracked() == Status::Running { stopping: true };
                        if waiting && self.run.get_value() == run {
                            self.stop_now();
                        }
                    },
                    STOP_PATIENCE,
                );
            }
            _ => {}
        }
    }

    /// Ends the worker if a program runs in it. What it printed and drew so far stays.
    fn stop_now(self) {
        if !matches!(self.status.get_untracked(), Status::Running { .. }) {
            return;
        }
        self.run.set_value(self.run.get_value() + 1);
        self.say(&format!("{}\n", t().stopped_hard));
        self.restart();
    }

    fn receive(self, message: FromWorker) {
        let current = self.run.get_value();
        let counted = message.counted();
        self.quiet.set_value((0, false));
        match message {
            FromWorker::Ready(capabilities) => {
                self.capabilities.set(Some(capabilities));
                let pending = self.status.get_untracked() == Status::Booting { pending: true };
                self.status.set(Status::Idle);
                match pending {
                    true => self.send_run(),
                    false => self.prepare(),
                }
            }
            FromWorker::Heard => {}
            FromWorker::GpuLost { reason } => self.capabilities.update(|known| {
                if let Some(known) = known {
                    (known.webgpu, known.lost) = (Err(reason), true);
                }
            }),
            FromWorker::GpuBack { name } => self.capabilities.update(|known| {
                if let Some(known) = known {
                    (known.webgpu, known.lost) = (Ok(name), false);
                }
            }),
            FromWorker::NoGpu { run, reason } if run == current => {
                self.say(&format!("{}\n", fill(t().no_gpu_again, &[&reason])));
                self.status.set(Status::Idle);
            }
            FromWorker::Started { run, executor } if run == current => self.started.set(Some(executor)),
            FromWorker::Output { run, stream, text, cut } if run == current => {
                if cut {
                    self.cut.set(true);
                }
                let voice = match stream {
                    Stream::Stdout => Voice::Stdout,
                    Stream::Stderr => Voice::Stderr,
                };
                self.print(voice, text);
            }
            FromWorker::Figure { run, svg, words } if run == current => {
                // As an image it can run no script and reach no other host.
                let url = format!("data:image/svg+xml;charset=utf-8,{}", js_sys::encode_uri_component(&svg));
                self.late_output.update_value(|late| late.push((Voice::Stdout, Shown::Figure { url, words })));
                self.ask_frame();
            }
            FromWorker::Events { run, events } if run == current => self.take(events),
            FromWorker::Done { run, outcome } if run == current => {
                self.outcome.set(Some(outcome));
                self.status.set(Status::Idle);
            }
            FromWorker::Broken { reason, panic } => self.broken(reason, panic),
            // Answers of an earlier run.
            _ => {}
        }
        if let Some(run) = counted.filter(|run| *run == current) {
            self.taken.update_value(|taken| *taken += 1);
            // An engine that is gone says so elsewhere.
            let _ = self.send(&ToWorker::Taken { run, messages: self.taken.get_value() });
        }
    }

    // ---- what a run shows ----

    /// Chooses the machine and shows its empty yards.
    pub fn choose_machine(self, machine: Machine) {
        self.machine.set(machine);
        self.clear();
        self.prepare();
    }

    /// Has the engine ready for a run on the chosen machine.
    pub fn prepare(self) {
        if self.status.get_untracked() == Status::Idle {
            let (machine, executor) = (self.machine.get_untracked(), self.choice.get_untracked());
            // An engine that is gone says so when it is asked to run.
            let _ = self.send(&ToWorker::Prepare { machine, executor });
        }
    }

    /// Draws a run that was recorded earlier, and what it printed.
    pub fn show_recorded(self, recording: Recording) {
        let Recording { output, events } = recording;
        self.recorded.set(true);
        self.print(Voice::Stdout, output);
        self.flush_output();
        self.ran.set(self.code.get_untracked());
        self.timeline.update_value(|timeline| {
            timeline.push(events);
            timeline.finish();
        });
        self.redraw();
    }

    fn clear(self) {
        self.output.set(Vec::new());
        self.cut.set(false);
        self.late_output.set_value(Vec::new());
        self.outcome.set(None);
        self.started.set(None);
        self.recorded.set(false);
        self.focus.set(None);
        self.chosen.set(None);
        self.notice.set(None);
        self.wanted.set_value(None);
        self.playing.set(!self.stepping.get_untracked());
        self.copies.set(Vec::new());
        self.timeline.set_value(Timeline::new(&self.machine.get_untracked()));
        self.redraw();
    }

    fn take(self, events: Vec<Event>) {
        self.timeline.update_value(|timeline| timeline.push(events));
        self.ask_frame();
    }

    /// Adds a note of the page to the output.
    pub fn say(self, text: &str) {
        self.print(Voice::Page, text.to_string());
    }

    /// Gathers output; one frame shows all of it.
    fn print(self, voice: Voice, text: String) {
        self.late_output.update_value(|late| match late.last_mut() {
            Some((last, Shown::Text(all))) if *last == voice => {
                all.push_str(&text);
                if all.len() > 4 * OUTPUT_KEPT {
                    self.shorten(all, OUTPUT_KEPT);
                }
            }
            _ => late.push((voice, Shown::Text(text))),
        });
        self.ask_frame();
    }

    /// Keeps the latest part of a text.
    fn shorten(self, text: &mut String, most: usize) {
        if let Some(kept) = terminal::latest(text, most) {
            *text = kept.to_string();
            self.cut.set(true);
        }
    }

    fn ask_frame(self) {
        if self.frame_asked.get_value() {
            return;
        }
        self.frame_asked.set_value(true);
        self.last_frame.set_value(browser::now());
        self.next_frame();
    }

    fn next_frame(self) {
        request_animation_frame(move || {
            let now = browser::now();
            let passed = (now - self.last_frame.get_value()).clamp(0.0, 100.0);
            self.last_frame.set_value(now);
            self.flush_output();
            if let Some(at) = self.wanted.get_value() {
                self.wanted.set_value(None);
                self.move_to(at);
            }
            if self.playing.get_untracked() {
                self.play(passed);
            } else if self.picture.with_untracked(|p| p.events) != self.timeline.with_value(Timeline::len) {
                self.redraw();
            }
            if self.playing.get_untracked() && self.timeline.with_value(|t| !t.is_at_end()) {
                self.next_frame();
            } else {
                self.frame_asked.set_value(false);
            }
        });
    }

    fn play(self, millis: f64) {
        let mut copies = Vec::new();
        let mut moved = false;
        self.timeline.update_value(|timeline| {
            let before = timeline.head();
            copies = if browser::prefers_reduced_motion() { timeline.finish() } else { timeline.advance(millis) };
            moved = timeline.head() != before;
        });
        if !copies.is_empty() {
            self.copies.set(copies);
        }
        if moved {
            self.redraw();
            let done = self.timeline.with_value(|t| t.is_at_end());
            let line = self.picture.with_untracked(|p| p.line);
            self.focus.set((line > 0 && !done).then_some((line, false)));
        }
    }

    /// Moves the playhead by hand, in the next frame: a finger moves it more often than the screen can show.
    pub fn seek(self, at: usize) {
        self.playing.set(false);
        self.wanted.set_value(Some(at));
        self.ask_frame();
    }

    fn move_to(self, at: usize) {
        self.copies.set(Vec::new());
        self.timeline.update_value(|timeline| timeline.seek(at));
        self.redraw();
        let line = self.picture.with_untracked(|p| p.line);
        self.focus.set((line > 0 && at > 0).then_some((line, true)));
    }

    /// Moves the playhead behind what the next line does, or before what the latest line did.
    pub fn step(self, forward: bool) {
        let at = self.timeline.with_value(|t| if forward { t.next_line() } else { t.previous_line() });
        self.seek(at);
    }

    /// Reads the run's events.
    pub fn with_timeline<T>(self, read: impl FnOnce(&Timeline) -> T) -> T {
        self.timeline.with_value(read)
    }

    /// Shows a tensor's place and what holds it, or puts it away again.
    pub fn choose(self, device: Device, storage: StorageId) {
        self.chosen.update(|chosen| *chosen = (*chosen != Some((device, storage))).then_some((device, storage)));
    }

    /// Places a tensor by hand: writes the line that moves it into the program, and runs that.
    pub fn place(self, block: &Block, to: Device) {
        let tensor = &block.tensor;
        let name = tensor.name.clone().unwrap_or_default();
        if matches!(self.status.get_untracked(), Status::Running { .. }) {
            return self.notice.set(Some(t().place_running.into()));
        }
        if !self.recorded.get_untracked() && !self.lines_match() {
            return self.notice.set(Some(t().place_stale.into()));
        }
        let edited = self.code.with_untracked(|code| edit::place(code, &name, tensor.line, &to.to_string()));
        match edited {
            Ok((code, line)) => {
                self.edit(code);
                self.run();
                self.notice.set(Some(fill(t().placed, &[&name, &to, &line])));
            }
            Err(Unplaceable::NoVariable) => self.notice.set(Some(fill(t().place_no_variable, &[&name]))),
            Err(Unplaceable::NoLine) => self.notice.set(Some(fill(t().place_no_line, &[&name]))),
        }
    }

    /// Lets the playhead go on, from the start if it stands at the end.
    pub fn play_on(self) {
        self.timeline.update_value(|timeline| {
            if timeline.is_at_end() {
                timeline.seek(0);
            }
        });
        self.focus.set(None);
        self.playing.set(true);
        self.redraw();
        self.ask_frame();
    }

    pub fn pause(self) {
        self.playing.set(false);
    }

    fn redraw(self) {
        let picture = self.timeline.with_value(|timeline| {
            let now = timeline.now();
            Picture {
                yards: now.picture(BLOCKS, timeline.names()),
                routes: now.routes.clone(),
                recent: now.recent.iter().cloned().map(|copy| timeline.named(copy)).collect(),
                series: now.series.clone(),
                left_out: now.left_out,
                folded: timeline.folded(),
                score: now.summary.score.clone(),
                line: now.line,
                time: now.time,
                head: timeline.head(),
                events: timeline.len(),
                latest: timeline.latest().cloned(),
            }
        });
        self.picture.set(picture);
    }

    /// A number for a piece of output.
    fn next_chunk(self) -> usize {
        let id = self.chunks.get_value();
        self.chunks.set_value(id + 1);
        id
    }

    fn flush_output(self) {
        let mut late = Vec::new();
        self.late_output.update_value(|waiting| late = std::mem::take(waiting));
        if late.is_empty() {
            return;
        }
        self.output.update(|chunks| {
            for (voice, mut shown) in late {
                let id = self.next_chunk();
                if let Shown::Text(text) = &mut shown {
                    self.shorten(text, OUTPUT_KEPT);
                }
                let before = match chunks.last() {
                    Some(Chunk { voice: last, shown: Shown::Text(before), .. }) if *last == voice => {
                        Some(before.as_str())
                    }
                    _ => None,
                };
                let shown = match (shown, before) {
                    // A progress line is written over where it stands.
                    (Shown::Text(text), Some(before)) if text.contains('\r') || before.ends_with('\r') => {
                        let text = terminal::write(before, &text);
                        chunks.pop();
                        Shown::Text(text)
                    }
                    (Shown::Text(text), None) if text.contains('\r') => Shown::Text(terminal::write("", &text)),
                    (shown, _) => shown,
                };
                chunks.push(Chunk { id, voice, shown });
            }
            let length: usize = chunks.iter().map(|c| c.shown.length()).sum();
            if length > OUTPUT_KEPT {
                let mut over = length - OUTPUT_KEPT * 3 / 4;
                while let Some(oldest) = chunks.first_mut() {
                    let length = oldest.shown.length();
                    if length > over {
                        // It is shown anew.
                        oldest.id = self.next_chunk();
                        if let Shown::Text(text) = &mut oldest.shown {
                            self.shorten(text, length - over);
                        }
                        break;
                    }
                    over -= length;
                    chunks.remove(0);
                    self.cut.set(true);
                }
            }
            let figures = chunks.iter().filter(|c| matches!(c.shown, Shown::Figure { .. })).count();
            for _ in FIGURES_KEPT..figures {
                if let Some(oldest) = chunks.iter().position(|c| matches!(c.shown, Shown::Figure { .. })) {
                    chunks.remove(oldest);
                }
            }
        });
    }
}

impl Shown {
    /// Bytes of text.
    fn length(&self) -> usize {
        match self {
            Shown::Text(text) => text.len(),
            Shown::Figure { .. } => 0,
        }
    }
}

impl Document {
    fn storage_key(&self) -> String {
        format!("code.{}", self.key)
    }
}
