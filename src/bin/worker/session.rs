//! One run after another: the exports that `boot.js` calls, and what a running program sees of the page.

#![expect(
    deprecated,
    reason = "wasm-bindgen marks what it calls experimental as deprecated; boot.js looks for support"
)]

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::time::Duration;

use js_sys::futures::future_to_promise;
use js_sys::{Function, Promise};
use tensoryard::diagnose::Cards;
use tensoryard::engine::{self, Engine};
use tensoryard::executor::Executor;
use tensoryard::executor::cpu::CpuExecutor;
use tensoryard::executor::webgpu::WebGpuExecutor;
use tensoryard::lesson::Check;
use tensoryard::lesson::judge::{Ran, judge};
use tensoryard::machine::Machine;
use tensoryard::protocol::{
    Capabilities, CheckResult, ExecutorChoice, FromWorker, GivenFile, Graph, Outcome, RaisedError, RunRequest, Stream,
    ToWorker,
};
use tensoryard::python::interrupt::Host;
use tensoryard::python::{self, Finished, Observer, Output, Prepared, Program};
use tensoryard::trace::summary::Summary;
use wasm_bindgen::prelude::*;

use crate::browser;

/// The page is sent what happened at most this often while a program runs: once a frame.
const SEND_EVERY_MS: f64 = 16.0;

/// A running program lets the event loop turn this often, so that Stop is seen.
const TURN_EVERY_MS: f64 = 50.0;

/// The learner's file, in tracebacks.
const FILE: &str = "main.py";

thread_local! {
    static POST: RefCell<Option<Function>> = const { RefCell::new(None) };
    /// The GPU, which outlives a run, or why there is none.
    static WEBGPU: RefCell<Result<Rc<WebGpuExecutor>, String>> = const { RefCell::new(Err(String::new())) };
}

/// Takes the function that sends text to the page, looks for a GPU, and sends `ready`.
#[wasm_bindgen]
pub fn start(post: Function) -> Promise {
    POST.set(Some(post));
    std::panic::set_hook(Box::new(|info| {
        send(&FromWorker::Output { run: RUN.get(), stream: Stream::Stderr, text: format!("internal error: {info}\n") });
    }));
    future_to_promise(async {
        let webgpu = match browser::jspi() {
            true => WebGpuExecutor::request().await.map(Rc::new),
            false => Err("this browser cannot suspend WebAssembly while it waits for the GPU".into()),
        };
        send(&FromWorker::Ready(Capabilities {
            jspi: browser::jspi(),
            webgpu: webgpu.as_ref().map(|executor| executor.hardware()).map_err(Clone::clone),
            boot_ms: browser::now(),
        }));
        WEBGPU.set(webgpu);
        Ok(JsValue::UNDEFINED)
    })
}

thread_local! {
    static RUN: Cell<u32> = const { Cell::new(0) };
}

/// Runs one program to its end; takes a [`ToWorker::Run`], or a [`ToWorker::Prepare`].
///
/// # Errors
/// Text that is no such message.
#[wasm_bindgen(jspi)]
pub fn run(message: String) -> Result<(), JsError> {
    match serde_json::from_str(&message)? {
        ToWorker::Prepare { machine, executor } => {
            prepare(machine, executor);
            Ok(())
        }
        ToWorker::Run(request) => {
            let (machine, choice) = (request.machine.clone(), request.executor);
            run_request(request);
            // The page has its answer; until it asks again there is time.
            prepare(machine, choice);
            Ok(())
        }
        ToWorker::Stop => Err(JsError::new("no program runs that could be stopped")),
    }
}

/// An interpreter that waits for a program on a machine, with the engine that it was made for.
struct Spare {
    machine: Machine,
    choice: ExecutorChoice,
    engine: Rc<Engine>,
    interpreter: Prepared,
}

thread_local! {
    static SPARE: RefCell<Option<Spare>> = const { RefCell::new(None) };
}

/// Makes the spare interpreter, unless there is one for this machine.
fn prepare(machine: Machine, choice: ExecutorChoice) {
    if SPARE.with_borrow(|spare| spare.as_ref().is_some_and(|s| s.machine == machine && s.choice == choice)) {
        return;
    }
    // The old one goes first: two interpreters at a time would take twice the memory.
    if let Some(old) = SPARE.take() {
        old.interpreter.discard();
    }
    let executor = executor(choice);
    let engine = engine::install(Engine::new(machine.clone(), |_| executor.clone()));
    let made = Prepared::new(FILE, Rc::new(Idle));
    SPARE.set(made.map(|interpreter| Spare { machine, choice, engine, interpreter }));
}

/// The page while no program runs.
struct Idle;

impl Host for Idle {
    fn poll(&self) -> bool {
        false
    }

    fn sleep(&self, _: Duration) {}

    fn now(&self) -> f64 {
        browser::now()
    }
}

fn run_request(request: RunRequest) {
    let began = browser::now();
    let run = request.run;
    RUN.set(run);
    let executor = executor(request.executor);
    send(&FromWorker::Started { run, executor: executor.name().into() });
    let (engine, interpreter) = match SPARE.take() {
        Some(spare) if spare.machine == request.machine && spare.choice == request.executor => {
            (spare.engine, Some(spare.interpreter))
        }
        other => {
            if let Some(spare) = other {
                spare.interpreter.discard();
            }
            (engine::install(Engine::new(request.machine, |_| executor.clone())), None)
        }
    };
    engine.trace.set_on(true);
    engine.trace.restart();

    let page = Rc::new(Page::new(run, request.checks, request.files));
    let program = Program {
        host: Some(page.clone()),
        observer: Some(page.clone()),
        lines: request.lines,
        ..Program::new(FILE, request.code)
    };
    let ended = match interpreter {
        Some(interpreter) => interpreter.run(&program, page.clone()),
        None => python::run(&program, page.clone()),
    };
    page.send();
    let Verdict { cards, checks, graphs } = page.verdict.take();
    let error = ended.error.map(|raised| RaisedError {
        class: raised.class,
        message: raised.message,
        traceback: raised.traceback,
        line: raised.line,
        card: cards.error,
    });
    let score = page.summary.take().score;
    send(&FromWorker::Done {
        run,
        outcome: Outcome { error, silent: cards.silent, score, checks, graphs, wall_ms: browser::now() - began },
    });
}

/// What executes the accelerators. The page knows from [`Capabilities`] why that is not WebGPU.
fn executor(choice: ExecutorChoice) -> Rc<dyn Executor> {
    match (choice, WEBGPU.with_borrow(Clone::clone)) {
        (ExecutorChoice::Auto | ExecutorChoice::Webgpu, Ok(gpu)) => gpu,
        _ => Rc::new(CpuExecutor::simulating()),
    }
}

fn send(message: &FromWorker) {
    let Ok(text) = serde_json::to_string(message) else { return };
    let Some(post) = POST.with_borrow(Clone::clone) else { return };
    // Sending fails only when the worker is being torn down.
    let _ = post.call1(&JsValue::NULL, &JsValue::from_str(&text));
}

/// The page as a running program sees it: where its output and its events go, and who may ask it to stop.
struct Page {
    run: u32,
    jspi: bool,
    pending: RefCell<Vec<(Stream, String)>>,
    /// Of the events sent so far.
    summary: RefCell<Summary>,
    /// What the program printed, for its checks; no more than [`PRINTED_KEPT`] bytes.
    printed: RefCell<String>,
    checks: Vec<Check>,
    /// What the learner gave; the program takes it when it begins.
    files: RefCell<Vec<GivenFile>>,
    verdict: RefCell<Verdict>,
    /// The program has ended: what its variables free as they go is no part of the run.
    ended: Cell<bool>,
    sent_at: Cell<f64>,
    turned_at: Cell<f64>,
}

/// What is said of a program that has ended.
#[derive(Default)]
struct Verdict {
    cards: Cards,
    checks: Vec<CheckResult>,
    graphs: Vec<Graph>,
}

const PRINTED_KEPT: usize = 1 << 20;

impl Page {
    fn new(run: u32, checks: Vec<Check>, files: Vec<GivenFile>) -> Page {
        let now = browser::now();
        Page {
            run,
            jspi: browser::jspi(),
            pending: RefCell::default(),
            summary: RefCell::default(),
            printed: RefCell::default(),
            checks,
            files: files.into(),
            verdict: RefCell::default(),
            ended: Cell::new(false),
            sent_at: now.into(),
            turned_at: now.into(),
        }
    }

    /// Sends what gathered.
    fn send(&self) {
        for (stream, text) in self.pending.take() {
            send(&FromWorker::Output { run: self.run, stream, text });
        }
        let events = engine::current().trace.drain();
        if !events.is_empty() && !self.ended.get() {
            events.iter().for_each(|event| self.summary.borrow_mut().add(event));
            send(&FromWorker::Events { run: self.run, events });
        }
        self.sent_at.set(browser::now());
    }

    fn send_if_due(&self, now: f64) {
        if now - self.sent_at.get() >= SEND_EVERY_MS {
            self.send();
        }
    }
}

impl Observer for Page {
    fn ended(&self, finished: &Finished<'_>) {
        self.send();
        self.ended.set(true);
        let error = finished.error.map(|error| (error.class.as_str(), error.message.as_str()));
        let verdict = {
            let (printed, summary) = (self.printed.borrow().clone(), self.summary.borrow().clone());
            let ran = Ran { error, stdout: &printed, summary: &summary };
            Verdict { cards: finished.cards(), checks: judge(&self.checks, &ran, finished), graphs: finished.graphs() }
        };
        *self.verdict.borrow_mut() = verdict;
    }
}

impl Output for Page {
    fn write(&self, stream: Stream, text: &str) -> std::io::Result<()> {
        if stream == Stream::Stdout {
            let mut printed = self.printed.borrow_mut();
            if printed.len() + text.len() <= PRINTED_KEPT {
                printed.push_str(text);
            }
        }
        let mut pending = self.pending.borrow_mut();
        match pending.last_mut() {
            Some((last, gathered)) if *last == stream => gathered.push_str(text),
            _ => pending.push((stream, text.to_string())),
        }
        drop(pending);
        self.send_if_due(browser::now());
        Ok(())
    }

    fn figure(&self, svg: Option<&str>, words: &str) -> bool {
        if let Some(svg) = svg {
            self.send();
            send(&FromWorker::Figure { run: self.run, svg: svg.to_string(), words: words.to_string() });
        }
        true
    }
}

impl Host for Page {
    fn poll(&self) -> bool {
        let now = browser::now();
        self.send_if_due(now);
        if !self.jspi {
            return false;
        }
        if now - self.turned_at.get() >= TURN_EVERY_MS {
            browser::turn();
            self.turned_at.set(browser::now());
        }
        browser::stop_requested()
    }

    fn sleep(&self, time: Duration) {
        self.send();
        let until = browser::now() + time.as_secs_f64() * 1e3;
        while !browser::stop_requested() {
            let left = until - browser::now();
            if left <= 0.0 {
                return;
            }
            if self.jspi {
                browser::pause(Duration::from_secs_f64(left.min(TURN_EVERY_MS) / 1e3));
            }
        }
    }

    fn now(&self) -> f64 {
        browser::now()
    }

    fn files(&self) -> Vec<(String, Vec<u8>)> {
        self.files.take().into_iter().map(|file| (file.name, file.bytes)).collect()
    }
}
