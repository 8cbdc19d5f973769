//! The engine and the run in it.
//!
//! ```text
//!  Booting ──ready──▶ Idle ──Run──▶ Running ──done──▶ Idle
//!     ▲                │              │
//!     ├─ no answer ────┴──────────────┤   to a ping, to Run or to Stop: a new worker
//!     └─ broken, the first time ──────┘   again before another run: Broken ──Restart──▶ Booting
//! ```

use std::rc::Rc;
use std::time::Duration;

use leptos::prelude::*;

use super::super::worker::EngineWorker;
use super::printed::Printed;
use crate::app::texts::t;
use crate::machine::Machine;
use crate::protocol::{Capabilities, ExecutorChoice, FromWorker, Outcome, RunRequest, ToWorker};

/// How long a program may keep running after Stop. Then it is ended together with its worker.
const STOP_PATIENCE: Duration = Duration::from_millis(400);
/// How often the page checks that the engine is still there.
const WATCH: Duration = Duration::from_secs(1);
/// The number of checks after which an idle engine is asked to answer, and the number after which an engine that hasn't
/// answered is replaced. Checks are counted instead of time, because nobody can answer while the computer is asleep.
const ASK_AFTER: u32 = 5;
const GIVE_UP_AFTER: u32 = 10;
/// The same for an engine that is making an interpreter for the next run. Nothing in it can answer meanwhile, and a slow
/// machine needs many seconds for that: if its engines were replaced, each new one would be as slow.
const GIVE_UP_PREPARING_AFTER: u32 = 90;

/// Why an engine was ended that has been replaced since.
#[derive(Clone, Debug, PartialEq)]
pub struct Accident {
    /// What happened, and what the visitor can do now.
    pub sentence: String,
    /// What should go into a bug report, if it's a bug of ours.
    pub report: Option<String>,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Status {
    /// The engine is loading. `pending` says that a run waits for it.
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

/// The function that receives the engine's messages.
type Deliver = Rc<dyn Fn(FromWorker)>;

/// Copies of this value share the same state.
#[derive(Clone, Copy)]
pub struct Runner {
    pub status: RwSignal<Status>,
    pub capabilities: RwSignal<Option<Capabilities>>,
    /// What happened to the previous engine. Cleared by the next run.
    pub accident: RwSignal<Option<Accident>>,
    /// Executor of the latest run.
    pub started: RwSignal<Option<String>>,
    pub outcome: RwSignal<Option<Outcome>>,
    /// Where the page notes that a run ended because its engine did.
    printed: Printed,
    run: StoredValue<u32>,
    /// The number of this run's messages that have been handled.
    taken: StoredValue<u64>,
    /// The number of checks since the engine was last heard from, and whether it owes an answer.
    quiet: StoredValue<(u32, bool)>,
    /// How many interpreters for the next run the engine is making, or will make before it reads another message.
    preparing: StoredValue<u32>,
    /// Whether an engine that breaks is replaced without asking. That happens once per run.
    forgiving: StoredValue<bool>,
    engine: StoredValue<Option<EngineWorker>, LocalStorage>,
    deliver: StoredValue<Option<Deliver>, LocalStorage>,
}

impl Runner {
    pub(super) fn new(printed: Printed) -> Runner {
        Runner {
            status: RwSignal::new(Status::Booting { pending: false }),
            capabilities: RwSignal::new(None),
            accident: RwSignal::new(None),
            started: RwSignal::new(None),
            outcome: RwSignal::new(None),
            printed,
            run: StoredValue::new(0),
            taken: StoredValue::new(0),
            quiet: StoredValue::new((0, false)),
            preparing: StoredValue::new(0),
            forgiving: StoredValue::new(true),
            engine: StoredValue::new_local(None),
            deliver: StoredValue::new_local(None),
        }
    }

    /// Starts the first engine, and starts watching it.
    pub(super) fn begin(self, deliver: impl Fn(FromWorker) + 'static) {
        self.deliver.set_value(Some(Rc::new(deliver)));
        self.boot();
        set_interval(move || self.watch(), WATCH);
    }

    fn boot(self) {
        self.quiet.set_value((0, false));
        self.preparing.set_value(0);
        let wanted = move |run| self.is_at(run);
        let Some(deliver) = self.deliver.get_value() else { return };
        let give = deliver.clone();
        match EngineWorker::start(wanted, move |message| give(message)) {
            Ok(engine) => self.engine.set_value(Some(engine)),
            Err(reason) => deliver(FromWorker::Broken { reason, panic: None }),
        }
    }

    /// Checks that an idle engine is still there: a browser may end a worker without any notice.
    fn watch(self) {
        let (looks, owes) = self.quiet.get_value();
        let idle = self.status.get_untracked() == Status::Idle;
        if !idle && !owes {
            return;
        }
        self.quiet.set_value((looks + 1, owes));
        let give_up_after = if self.preparing.get_value() > 0 { GIVE_UP_PREPARING_AFTER } else { GIVE_UP_AFTER };
        if owes && looks >= give_up_after {
            self.gone();
        } else if !owes && looks >= ASK_AFTER {
            self.quiet.set_value((0, true));
            // If the message can't be sent, the engine won't answer either, and the next checks notice that.
            let _ = self.send(&ToWorker::Ping);
        }
    }

    /// The engine doesn't answer. A run that it never began is given to its successor.
    fn gone(self) {
        let pending = matches!(self.status.get_untracked(), Status::Running { stopping: false });
        self.leave_run();
        self.accident.set(Some(Accident { sentence: t().engine_gone.into(), report: None }));
        self.restart();
        self.status.set(Status::Booting { pending });
    }

    /// Replaces the worker with a new one.
    pub fn restart(self) {
        self.engine.set_value(None);
        self.status.set(Status::Booting { pending: false });
        self.boot();
    }

    /// The engine ended by itself. The first time, it is replaced at once, and a run that it never began is given to its
    /// successor. `report` makes a bug report from what the engine said, if it's a bug of ours.
    pub(super) fn broken(self, reason: String, panic: Option<String>, report: impl FnOnce(&str) -> String) {
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
            // Rust prints no message when memory runs out.
            None if reason.contains("unreachable") => Accident { sentence: t().engine_memory.into(), report: None },
            panic => {
                let what = panic.unwrap_or(reason);
                Accident { sentence: t().engine_mistake.into(), report: Some(report(&what)) }
            }
        };
        let began = self.started.with_untracked(Option::is_some);
        if matches!(before, Status::Running { .. }) {
            self.leave_run();
            if began {
                self.printed.say(&format!("{}\n", t().engine_ended_here));
            }
        }
        self.accident.set(Some(accident));
        self.restart();
        // The engine may have broken while it made the interpreter for this run.
        let pending = before == Status::Running { stopping: false } && !began;
        self.status.set(Status::Booting { pending });
    }

    /// Someone wants to start a run. Returns whether it can begin now; while the engine loads, the run waits.
    pub(super) fn asked(self) -> bool {
        self.accident.set(None);
        self.forgiving.set_value(true);
        match self.status.get_untracked() {
            Status::Idle => return true,
            Status::Booting { .. } => self.status.set(Status::Booting { pending: true }),
            Status::Running { .. } | Status::Broken { .. } => {}
        }
        false
    }

    /// Begins a run.
    ///
    /// # Errors
    /// The engine can't be reached.
    pub(super) fn start(self, request: impl FnOnce(u32) -> RunRequest) -> Result<(), String> {
        let run = self.leave_run();
        self.taken.set_value(0);
        self.quiet.set_value((0, true));
        self.status.set(Status::Running { stopping: false });
        self.send(&ToWorker::Run(request(run)))
    }

    /// Ignores everything else that the current run sends. Returns the number of the next run.
    fn leave_run(self) -> u32 {
        let next = self.run.get_value() + 1;
        self.run.set_value(next);
        next
    }

    fn send(self, message: &ToWorker) -> Result<(), String> {
        self.engine.with_value(|engine| match engine {
            Some(engine) => engine.send(message),
            None => Err(t().engine_not_running.into()),
        })
    }

    /// Asks the program to end. A worker that doesn't answer is ended.
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
                        if waiting && self.is_at(run) {
                            self.stop_now();
                        }
                    },
                    STOP_PATIENCE,
                );
            }
            _ => {}
        }
    }

    /// Ends the worker if a program is running in it. What the program has printed and drawn stays.
    pub(super) fn stop_now(self) {
        if !matches!(self.status.get_untracked(), Status::Running { .. }) {
            return;
        }
        self.leave_run();
        self.printed.say(&format!("{}\n", t().stopped_hard));
        self.restart();
    }

    /// The number of the current run.
    pub(crate) fn number(self) -> u32 {
        self.run.get_value()
    }

    /// Whether `run` is the current run.
    pub(super) fn is_at(self, run: u32) -> bool {
        run == self.run.get_value()
    }

    /// A message came from the engine, so it is alive.
    pub(super) fn heard(self) {
        self.quiet.set_value((0, false));
    }

    /// A message of a run was handled.
    pub(super) fn took(self, run: u32) {
        self.taken.update_value(|taken| *taken += 1);
        // If the engine is gone, this is reported elsewhere.
        let _ = self.send(&ToWorker::Taken { run, messages: self.taken.get_value() });
    }

    /// The engine is ready. Returns whether a run is waiting for it.
    pub(super) fn ready(self, capabilities: Capabilities) -> bool {
        self.capabilities.set(Some(capabilities));
        let pending = self.status.get_untracked() == Status::Booting { pending: true };
        self.status.set(Status::Idle);
        pending
    }

    /// The GPU has changed, or is gone.
    pub(super) fn gpu(self, now: Result<String, String>) {
        self.capabilities.update(|known| {
            if let Some(known) = known {
                known.lost = now.is_err();
                known.webgpu = now;
            }
        });
    }

    /// Tells the engine to prepare for a run on a machine.
    pub(super) fn prepare(self, machine: Machine, executor: ExecutorChoice) {
        if self.status.get_untracked() == Status::Idle {
            // If the engine is gone, this is reported when it's asked to run.
            let _ = self.send(&ToWorker::Prepare { machine, executor });
            self.preparing.update_value(|count| *count += 1);
        }
    }

    /// The run has ended, and the engine prepares for the next.
    pub(super) fn done(self, outcome: Outcome) {
        self.outcome.set(Some(outcome));
        self.status.set(Status::Idle);
        self.preparing.update_value(|count| *count += 1);
    }

    /// The engine is prepared for the next run.
    pub(super) fn prepared(self) {
        self.preparing.update_value(|count| *count = count.saturating_sub(1));
    }

    /// The latest run isn't shown any more.
    pub(super) fn clear(self) {
        self.outcome.set(None);
        self.started.set(None);
    }
}
