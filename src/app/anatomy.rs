//! The explorable pages without their views: the programs that they run, and what they read from the events of a run.
//!
//! Nothing here computes memory or times: bytes come from the events, and the time of a copy from the machine's link, like
//! everywhere else on the page.

pub(crate) mod copying;
pub(crate) mod life;
pub(crate) mod step;

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use crate::engine::{self, Engine};
    use crate::machine::Machine;
    use crate::protocol::Event;
    use crate::python::output::Captured;
    use crate::python::{self, Program};

    /// The events of a program that ends without an error, as the page gets them.
    pub(super) fn events(machine: &str, program: String) -> Vec<Event> {
        let machine = Machine::preset(machine).unwrap();
        let thread = std::thread::Builder::new().stack_size(8 << 20).spawn(move || {
            let engine = engine::install(Engine::on_cpu(machine));
            engine.trace.set_on(true);
            let output = Rc::new(Captured::default());
            let ended = python::run(&Program::new("main.py", &program), output.clone());
            assert_eq!((ended.exit_code, output.stderr.take().as_str()), (0, ""), "{program}");
            engine.trace.drain()
        });
        thread.unwrap().join().unwrap()
    }
}
