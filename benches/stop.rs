//! How much slower a program in the page gets because Stop can end it: `cargo bench --bench stop`. Each program runs
//! alternately without a host, so that it isn't watched, and with a host that never stops it. Prints the median milliseconds
//! of both, and the difference in percent.

use std::rc::Rc;
use std::time::{Duration, Instant};

use tensoryard::python::interrupt::Host;
use tensoryard::python::output::Captured;
use tensoryard::python::{Program, run};

const ROUNDS: usize = 9;

const PROGRAMS: [(&str, &str); 5] = [
    ("while_at_module_level", "i = 0\nwhile i < 300000:\n    i += 1\n"),
    ("while_in_a_function", "def f():\n    i = 0\n    while i < 300000:\n        i += 1\nf()\n"),
    ("for_range", "total = 0\nfor i in range(300000):\n    total += i\n"),
    ("fib", "def fib(n):\n    return n if n < 2 else fib(n - 1) + fib(n - 2)\nfib(20)\n"),
    ("sort_by_hand", SORT),
];

const SORT: &str = "values = [(i * 7919) % 1009 for i in range(400)]
for i in range(len(values)):
    for j in range(len(values) - 1 - i):
        if values[j] > values[j + 1]:
            values[j], values[j + 1] = values[j + 1], values[j]
";

struct Never(Instant);

impl Host for Never {
    fn poll(&self) -> bool {
        false
    }
    fn sleep(&self, time: Duration) {
        std::thread::sleep(time);
    }
    fn now(&self) -> f64 {
        self.0.elapsed().as_secs_f64() * 1e3
    }
}

fn time(source: &str, watched: bool) -> f64 {
    let host = watched.then(|| Rc::new(Never(Instant::now())) as Rc<dyn Host>);
    // Only the program itself is timed, not the start of the interpreter.
    let source = format!("import time as _t\n_b = _t.perf_counter()\n{source}print((_t.perf_counter() - _b) * 1e3)\n");
    let output = Rc::new(Captured::default());
    let ended = run(&Program { host, ..Program::new("main.py", source) }, output.clone());
    assert!(ended.error.is_none(), "{}", output.stderr.take());
    output.stdout.take().trim().parse().expect("a number")
}

fn main() {
    for (name, source) in PROGRAMS {
        let mut times = [Vec::new(), Vec::new()];
        for _ in 0..ROUNDS {
            for watched in [false, true] {
                times[usize::from(watched)].push(time(source, watched));
            }
        }
        let [free, watched] = times.map(|mut t| {
            t.sort_by(f64::total_cmp);
            t[ROUNDS / 2]
        });
        println!("{name}: {free:.1} ms, stoppable {watched:.1} ms, {:+.0} %", (watched / free - 1.0) * 100.0);
    }
}
