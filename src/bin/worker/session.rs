//! One run after another: the exports that `boot.js` calls.

#![expect(
    deprecated,
    reason = "wasm-bindgen marks what it calls experimental as deprecated; boot.js looks for support"
)]

use std::cell::RefCell;
use std::rc::Rc;
use std::time::Duration;

use js_sys::futures::future_to_promise;
use js_sys::{Function, Promise};
use tensoryard::engine::{self, Engine};
use tensoryard::executor::Executor;
use tensoryard::executor::cpu::CpuExecutor;
use tensoryard::machine::Machine;
use tensoryard::protocol::{Capabilities, ExecutorChoice, FromWorker, Outcome, RaisedError, RunRequest, ToWorker};
use tensoryard::python::cells::Cells;
use tensoryard::python::interrupt::Host;
use tensoryard::python::{self, Ended, Prepared, Program};
use wasm_bindgen::prelude::*;

use crate::page::{Page, Verdict};
use crate::{browser, gpu};

/// The name of the learner's file in tracebacks.
const FILE: &str = "main.py";
/// What stands for the file of a notebook: its cells have names of their own.
const NOTEBOOK: &str = "notebook";

thread_local! {
    static POST: RefCell<Option<Function>> = const { RefCell::new(None) };
    /// Receives the running program's output and events.
    static PAGE: RefCell<Option<Rc<Page>>> = const { RefCell::new(None) };
}

/// Takes the function that sends text to the page, looks for a GPU, and sends `ready`.
#[wasm_bindgen]
pub fn start(post: Function) -> Promise {
    POST.set(Some(post));
    std::panic::set_hook(Box::new(|info| {
        browser::panicked(&info.to_string());
    }));
    future_to_promise(async {
        let webgpu = gpu::find().await;
        let jspi = browser::jspi();
        send(&FromWorker::Ready(Capabilities { jspi, webgpu, lost: false, boot_ms: browser::now() }));
        Ok(JsValue::UNDEFINED)
    })
}

/// Sends the remaining output and events of a run that crashed. `boot.js` calls it when the engine is broken.
#[wasm_bindgen]
pub fn flush() {
    // After a crash, anything may still be borrowed.
    let page = PAGE.with(|page| page.try_borrow().ok().and_then(|page| page.clone()));
    if let Some(page) = page {
        page.rescue();
    }
}

/// Runs one program to its end. The message is a [`ToWorker::Run`] or a [`ToWorker::Prepare`].
///
/// # Errors
/// A string that isn't such a message.
#[wasm_bindgen(jspi)]
pub fn run(message: String) -> Result<(), JsError> {
    match serde_json::from_str(&message)? {
        ToWorker::Prepare { machine, executor } => {
            prepare(machine, executor);
        }
        ToWorker::Run(request) => {
            let (machine, choice, is_cell) = (request.machine.clone(), request.executor, request.notebook.is_some());
            run_request(request);
            // The page has its result, so there's time until the next request. A notebook keeps its interpreter.
            if !is_cell {
                prepare(machine, choice);
            }
        }
        ToWorker::Stop | ToWorker::Taken { .. } | ToWorker::Ping => {
            return Err(JsError::new("boot.js keeps these for itself"));
        }
    }
    send(&FromWorker::Prepared);
    Ok(())
}

/// An interpreter made in advance for a machine, with its engine.
struct Spare {
    machine: Machine,
    choice: ExecutorChoice,
    engine: Rc<Engine>,
    interpreter: Prepared,
}

/// A notebook's interpreter, between its cells.
struct Open {
    notebook: u32,
    machine: Machine,
    choice: ExecutorChoice,
    cells: Cells,
}

thread_local! {
    static OPEN: RefCell<Option<Open>> = const { RefCell::new(None) };
}

/// Ends the open notebook, which frees its tensors.
fn close() {
    if let Some(open) = OPEN.take() {
        // What it prints while it ends belongs to no cell.
        open.cells.close(Rc::new(Nowhere));
    }
}

/// Shows nothing.
struct Nowhere;

impl python::Output for Nowhere {
    fn write(&self, _: python::Stream, _: &str) -> std::io::Result<()> {
        Ok(())
    }
}

thread_local! {
    static SPARE: RefCell<Option<Spare>> = const { RefCell::new(None) };
}

/// Makes the spare interpreter, unless there already is one for this machine.
fn prepare(machine: Machine, choice: ExecutorChoice) {
    // Two interpreters need twice the memory, and two engines can't be this thread's.
    if OPEN.with_borrow(Option::is_some) {
        return;
    }
    if SPARE.with_borrow(|spare| spare.as_ref().is_some_and(|s| s.machine == machine && s.choice == choice)) {
        return;
    }
    // The old one is dropped first, because two interpreters need twice the memory.
    if let Some(old) = SPARE.take() {
        old.interpreter.discard();
    }
    // If the GPU was lost, the next run requests a new one and makes its engine with that.
    let Some(executor) = executor(choice) else { return };
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

    fn library(&self, file: &str) -> Result<Vec<u8>, String> {
        browser::library(file)
    }
}

fn run_request(request: RunRequest) {
    let began = browser::now();
    let run = request.run;
    let is_same = |open: &Open| {
        Some(open.notebook) == request.notebook && open.machine == request.machine && open.choice == request.executor
    };
    if let Some(open) = OPEN.with_borrow_mut(|open| open.take_if(|open| is_same(open))) {
        return run_next(open, request, began);
    }
    close();
    let executor = match executor(request.executor) {
        Some(executor) => executor,
        None => {
            // An interpreter that was made for the lost GPU can't be used.
            if let Some(spare) = SPARE.take() {
                spare.interpreter.discard();
            }
            match gpu::find_again() {
                Ok(gpu) => gpu,
                Err(reason) => {
                    send(&FromWorker::NoGpu { run, reason });
                    return;
                }
            }
        }
    };
    let cell = request.notebook.map(|_| 1);
    send(&FromWorker::Started { run, executor: executor.name().into(), cell });
    let (engine, interpreter) = match SPARE.take() {
        Some(spare) if spare.machine == request.machine && spare.choice == request.executor => {
            (spare.engine, Some(spare.interpreter))
        }
        other => {
            if let Some(spare) = other {
                spare.interpreter.discard();
            }
            (engine::install(Engine::new(request.machine.clone(), |_| executor.clone())), None)
        }
    };
    engine.trace.set_on(true);
    engine.trace.restart();

    let page = Rc::new(Page::new(run, request.checks, request.files, request.notebook.is_some()));
    PAGE.set(Some(page.clone()));
    if let Some(notebook) = request.notebook {
        let program = Program { host: Some(page.clone()), ..Program::new(NOTEBOOK, "") };
        let ended = match Cells::open(program, interpreter, page.clone()) {
            Ok(cells) => {
                let (machine, choice) = (request.machine, request.executor);
                run_cell(Open { notebook, machine, choice, cells }, &request.code, request.lines, &page)
            }
            Err(ended) => ended,
        };
        return finish(run, &page, ended, began);
    }
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
    finish(run, &page, ended, began);
}

/// Runs a cell of a notebook that is open.
fn run_next(open: Open, request: RunRequest, began: f64) {
    let Some(executor) = executor(request.executor) else {
        // Its tensors are gone with the GPU.
        open.cells.close(Rc::new(Nowhere));
        return run_request(request);
    };
    let cell = Some(open.cells.count() + 1);
    send(&FromWorker::Started { run: request.run, executor: executor.name().into(), cell });
    let page = Rc::new(Page::new(request.run, request.checks, request.files, true));
    PAGE.set(Some(page.clone()));
    let ended = run_cell(open, &request.code, request.lines, &page);
    finish(request.run, &page, ended, began);
}

/// Runs a cell, and keeps the notebook open.
fn run_cell(mut open: Open, code: &str, lines: bool, page: &Rc<Page>) -> Ended {
    let how = Program { host: Some(page.clone()), observer: Some(page.clone()), lines, ..Program::new(NOTEBOOK, "") };
    let ended = open.cells.run(code, &how, page.clone());
    if !open.cells.has_exited() {
        OPEN.set(Some(open));
    } else if !open.cells.is_broken() {
        open.cells.close(Rc::new(Nowhere));
    }
    ended
}

/// Tells the page how a run ended.
fn finish(run: u32, page: &Rc<Page>, ended: Ended, began: f64) {
    page.send_rest();
    PAGE.set(None);
    let Verdict { cards, checks, graphs, contents, at } = page.verdict();
    let error = ended.error.map(|raised| RaisedError {
        class: raised.class,
        message: raised.message,
        traceback: raised.traceback,
        line: raised.line,
        card: cards.error,
    });
    let (score, unlooked) = page.score();
    // A program that didn't begin has no verdict.
    let wall_ms = if at > 0.0 { at } else { browser::now() } - began;
    let outcome = Outcome { error, silent: cards.silent, score, unlooked, checks, graphs, contents, wall_ms };
    send(&FromWorker::Done { run, outcome });
}

/// The executor of the accelerators; `None` if that is a lost GPU. [`Capabilities`] tell the page why it isn't WebGPU.
fn executor(choice: ExecutorChoice) -> Option<Rc<dyn Executor>> {
    match (choice, gpu::found()) {
        (ExecutorChoice::Auto | ExecutorChoice::Webgpu, Some(gpu)) => match gpu.is_lost() {
            true => None,
            false => Some(gpu),
        },
        _ => Some(Rc::new(CpuExecutor::simulating())),
    }
}

/// Sends a message. Returns its length.
pub fn send(message: &FromWorker) -> usize {
    let Ok(text) = serde_json::to_string(message) else { return 0 };
    let Some(post) = POST.with_borrow(Clone::clone) else { return 0 };
    // Sending fails only when the worker is being torn down.
    let _ = post.call1(&JsValue::NULL, &JsValue::from_str(&text));
    text.len()
}
