//! Programs on one simulated GPU, for the tests of what they cost.

use std::rc::Rc;

use tensoryard::engine::{self, Engine};
use tensoryard::machine::Machine;
use tensoryard::python::output::Captured;
use tensoryard::python::{Program, run};
use tensoryard::trace::Event;

/// Runs a program, which must end without an error. Returns its output and the events.
pub fn traced(source: &str) -> (String, Vec<Event>) {
    let source = source.to_string();
    let thread = std::thread::Builder::new().stack_size(8 << 20).spawn(move || {
        let engine = engine::install(Engine::on_cpu(Machine::preset("cuda:1").unwrap()));
        engine.trace.set_on(true);
        engine.trace.restart();
        let output = Rc::new(Captured::default());
        let ended = run(&Program::new("main.py", &source), output.clone());
        assert_eq!(ended.error, None, "{}", output.stderr.take());
        (output.stdout.take(), engine.trace.drain())
    });
    thread.unwrap().join().unwrap()
}
