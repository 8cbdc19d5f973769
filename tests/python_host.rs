//! The interpreter as the host of a learner's program: modules, tracebacks, exit codes, deep and wide programs.

#![cfg(feature = "python")]

use std::cell::Cell;
use std::rc::Rc;
use std::time::{Duration, Instant};

use tensoryard::engine::{self, Engine};
use tensoryard::executor::cpu::CpuExecutor;
use tensoryard::machine::Machine;
use tensoryard::python::interrupt::Host;
use tensoryard::python::output::Captured;
use tensoryard::python::{Ended, Prepared, Program, run};
use tensoryard::trace::{Event, EventKind};

/// What a program printed and how it ended.
struct Outcome {
    stdout: String,
    stderr: String,
    ended: Ended,
}

fn python(source: &str) -> Outcome {
    let source = source.to_string();
    // Test threads get 2 MiB; the command line runs programs on the main thread, which has 8 MiB.
    let thread = std::thread::Builder::new().stack_size(8 << 20).spawn(move || {
        let output = Rc::new(Captured::default());
        let ended = run(&Program::new("main.py", source), output.clone());
        Outcome { stdout: output.stdout.take(), stderr: output.stderr.take(), ended }
    });
    thread.unwrap().join().unwrap()
}

/// Runs a program that must end normally, and compares its output.
#[track_caller]
fn check(source: &str, stdout: &str) {
    let outcome = python(source);
    assert_eq!((outcome.stdout.as_str(), outcome.stderr.as_str()), (stdout, ""));
    assert_eq!(outcome.ended, Ended { exit_code: 0, error: None });
}

/// Runs a program that must fail, and compares the complete traceback.
#[track_caller]
fn check_error(source: &str, line: u32, stderr: &str) {
    let outcome = python(source);
    assert_eq!(outcome.stderr, stderr);
    let error = outcome.ended.error.expect("the program must fail");
    assert_eq!((outcome.ended.exit_code, error.line, error.traceback.as_str()), (1, Some(line), stderr));
}

#[test]
fn prints() {
    check("print('a', 1, sep='-'); print(f'{3.14159:.2f}', end='')", "a-1\n3.14");
}

#[test]
fn a_frozen_package_imports_a_native_module() {
    check("import torch, _torch\nprint(torch.__version__, _torch.VERSION)", "2.15.0 2.15.0\n");
}

/// The precision switches under all their names, their values and errors, and mixtures of old and new names, as
/// recorded with PyTorch 2.15.
#[test]
fn precision_is_set_and_asked_for_as_in_pytorch() {
    check(include_str!("oracle/torch/precision.py"), include_str!("oracle/torch/precision.txt"));
}

/// A program finds every name in a row in `torch`, in `torch.nn.functional` or as a method, except the kernels that others
/// use.
#[test]
fn every_operator_with_a_row_is_bound() {
    let rows = tensoryard::ops::rows::all()
        .iter()
        .filter(|o| !["_", "linalg_", "fft_"].iter().any(|part| o.name.starts_with(part)));
    let names: Vec<&str> = rows.flat_map(|o| [o.name].into_iter().chain(o.aliases.iter().copied())).collect();
    let source = format!(
        "import torch\nplaces = torch, torch.nn.functional, torch.Tensor, torch.linalg\n\
         print([n for n in '{}'.split() if not any(callable(getattr(p, n, None)) for p in places)])",
        names.join(" ")
    );
    check(&source, "[]\n");
}

#[test]
fn standard_modules_import() {
    check(
        "import importlib\n\
         for name in '''\
         abc argparse array ast base64 bisect calendar cmath collections collections.abc contextlib \
         contextvars copy csv dataclasses datetime decimal difflib dis enum errno fractions functools gc glob \
         graphlib hashlib heapq importlib inspect io itertools json keyword linecache locale logging math \
         numbers operator os os.path pathlib pickle platform pprint queue random re reprlib secrets shutil \
         signal statistics string struct sys tempfile textwrap threading time timeit tokenize traceback types \
         typing unicodedata uuid warnings weakref zlib'''.split():
    importlib.import_module(name)",
        "",
    );
}

#[test]
fn a_traceback_names_the_learners_lines() {
    check_error(
        "def half(x):\n    return 1 / x\n\nprint('before')\nhalf(0)\n",
        2,
        "Traceback (most recent call last):\n  \
           File \"main.py\", line 5, in <module>\n    half(0)\n    ~~~~^^^\n  \
           File \"main.py\", line 2, in half\n    return 1 / x\n           ~~^~~\n\
         ZeroDivisionError: division by zero\n",
    );
}

#[test]
fn the_line_is_the_learners_when_the_error_is_deeper() {
    let outcome = python("import json\n\njson.loads('{')\n");
    let error = outcome.ended.error.unwrap();
    assert_eq!((error.class.as_str(), error.line), ("json.decoder.JSONDecodeError", Some(3)));
    assert_eq!(error.message, "Expecting property name enclosed in double quotes: line 1 column 2 (char 1)");
    assert!(error.traceback.contains("File \"<frozen json.decoder>\", line "), "{}", error.traceback);
}

#[test]
fn a_syntax_error_shows_its_line() {
    let outcome = python("x = 1\nif x = 2:\n    pass\n");
    let error = outcome.ended.error.unwrap();
    assert_eq!((error.class.as_str(), error.line), ("SyntaxError", Some(2)));
    assert!(outcome.stderr.starts_with("  File \"main.py\", line 2\n    if x = 2:\n"), "{}", outcome.stderr);
    assert_eq!(outcome.stdout, "");
}

#[test]
fn an_indentation_error_is_one() {
    let error = python("def f():\nreturn 1\n").ended.error.unwrap();
    assert_eq!((error.class.as_str(), error.line), ("IndentationError", Some(2)));
}

#[test]
fn chained_exceptions_show_both() {
    let outcome = python("try:\n    {}['a']\nexcept KeyError as e:\n    raise ValueError('no a') from e\n");
    assert!(outcome.stderr.contains("KeyError: 'a'\n\nThe above exception was the direct cause"), "{}", outcome.stderr);
    assert!(outcome.stderr.ends_with("ValueError: no a\n"), "{}", outcome.stderr);
}

#[test]
fn output_before_an_error_is_kept() {
    let outcome = python("print('one')\nraise RuntimeError('two')");
    assert_eq!(outcome.stdout, "one\n");
    assert!(outcome.stderr.ends_with("RuntimeError: two\n"));
}

#[test]
fn exit_codes_are_pythons() {
    for (source, code, stderr) in [
        ("", 0, ""),
        ("import sys; sys.exit()", 0, ""),
        ("import sys; sys.exit(3)", 3, ""),
        ("raise SystemExit(True)", 1, ""),
        ("import sys; sys.exit(-1)", 255, ""),
        ("exit('bye')", 1, "bye\n"),
        ("import atexit; atexit.register(print, 'last'); exit(4)", 4, ""),
    ] {
        let outcome = python(source);
        assert_eq!((outcome.ended.exit_code, outcome.stderr.as_str()), (code, stderr), "{source}");
        assert_eq!(outcome.ended.error, None, "{source}");
    }
}

#[test]
fn endless_recursion_is_a_recursion_error() {
    for source in [
        "def f(n):\n    return f(n + 1)\n\nf(0)\n",
        "class A:\n    def __call__(self, x):\n        return self.forward(x)\n    def forward(self, x):\n        return self(x)\n\nA()(1)\n",
        "class A:\n    def __add__(self, other):\n        return self + other\n\nA() + A()\n",
    ] {
        let error = python(source).ended.error.unwrap();
        assert_eq!(error.class, "RecursionError", "{}", error.traceback);
        assert!(error.message.starts_with("maximum recursion depth exceeded"), "{}", error.message);
    }
}

#[test]
fn a_list_may_hold_more_than_a_reference_count_of_15_bits() {
    check("a = [None] * 40000\nb = [a] * 40000\nprint(len(a), len(b))", "40000 40000\n");
}

#[test]
fn programs_do_not_see_each_other() {
    check("import builtins, sys\nbuiltins.leak = 1\nsys.modules['json'] = None", "");
    check("import builtins, json\nprint(hasattr(builtins, 'leak'))", "False\n");
}

/// Modules that most programs never use are loaded only when one does, so that the first run starts sooner.
#[test]
fn importing_torch_brings_only_what_every_program_needs() {
    check(
        "import sys, torch\n\
         print([name for name in ('pickle', 're', 'datetime', 'torch.distributed') if name in sys.modules])\n\
         from torch.nn.parallel import DistributedDataParallel\n\
         print(torch.distributed.is_available(), 'torch.distributed' in sys.modules)\n\
         print(torch.nn.parallel.DistributedDataParallel is DistributedDataParallel)\n",
        "[]\nTrue True\nTrue\n",
    );
}

/// The same as PyTorch's tracebacks after `init_process_group`. A step of an optimizer that no graph can capture doesn't read
/// the program's environment, which cost more than its kernels.
#[test]
fn an_optimizers_step_does_not_ask_the_environment() {
    let program = "import os, torch
class Counting(dict):
    asked = 0
    def get(self, *args):
        Counting.asked += 1
        return super().get(*args)
os.environ = Counting(os.environ)
w = torch.ones(3, requires_grad=True)
adam = torch.optim.Adam([w])
for _ in range(3):
    w.sum().backward()
    adam.step()
before = Counting.asked
torch.cuda.is_available()
print(before, Counting.asked)
";
    check(program, "0 1\n");
}

/// `forward` is found as Python finds a method, whatever replaces it in the class.
#[test]
fn a_module_is_called_by_the_forward_that_python_finds() {
    let program = "import torch
class Doubled(torch.nn.Module):
    def forward(self, x, times=2):
        return x * times
class Odd(Doubled):
    def __getattribute__(self, name):
        return (lambda x: 'odd') if name == 'forward' else super().__getattribute__(name)
class Still(torch.nn.Module):
    @staticmethod
    def forward(x):
        return ('still', x)
own = Doubled()
own.forward = lambda x: 'own'
later = Doubled()
print(own(1), later(1), later(1, times=5), Odd()(1), Still()(1))
Doubled.forward = lambda self, x: 'new'
print(later(1))
try:
    torch.nn.Module()(1)
except NotImplementedError as e:
    print(e)
";
    let expected = "own 2 5 odd ('still', 1)\nnew\nModule [Module] is missing the required \"forward\" function\n";
    check(program, expected);
}

#[test]
fn a_traceback_says_of_which_rank_it_is() {
    let source = "import torch.distributed as dist\n\
                  dist.init_process_group('gloo', init_method='tcp://127.0.0.1:29511', rank=0, world_size=1)\n\
                  raise ValueError('a\\n\\nb')\n";
    let outcome = python(source);
    let expected = "[rank0]: Traceback (most recent call last):\n\
                    [rank0]:   File \"main.py\", line 3, in <module>\n\
                    [rank0]:     raise ValueError('a\\n\\nb')\n\
                    [rank0]: ValueError: a\n\n[rank0]: b\n";
    assert!(outcome.stderr.ends_with(expected), "{}", outcome.stderr);
    assert_eq!(outcome.ended.error.unwrap().class, "ValueError");
    assert!(python("1 / 0").stderr.starts_with("Traceback"));
}

#[test]
fn main_is_a_module_with_source() {
    check(
        "import sys, inspect\n\
         class Net:\n    def forward(self):\n        return 1\n\n\
         print(__name__, __file__, sys.argv, sys.modules['__main__'].Net is Net)\n\
         print(inspect.getsource(Net.forward), end='')",
        "__main__ main.py ['main.py'] True\n    def forward(self):\n        return 1\n",
    );
}

#[test]
fn dataclasses_typing_and_friends_work() {
    check(
        "from dataclasses import dataclass, field\n\
         from typing import List, Optional\n\
         from collections import defaultdict, Counter, OrderedDict, namedtuple\n\
         from functools import partial, reduce, lru_cache, wraps\n\
         from contextlib import contextmanager\n\
         import copy, itertools, json, math, random, re\n\
         @dataclass\nclass C:\n    a: int\n    b: List[int] = field(default_factory=list)\n    c: Optional[str] = None\n\
         print(C(1, [2]), copy.deepcopy(C(1)) == C(1))\n\
         @contextmanager\ndef f():\n    yield 5\n\
         with f() as x: print(x)\n\
         print(json.dumps({'a': [1, 2.5, None]}), re.findall(r'\\d+', 'a1b22'), Counter('aab').most_common(1))\n\
         random.seed(0); print(random.random(), random.sample(range(10), 3), random.gauss(0, 1))\n\
         print(math.isclose(math.pi, 3.14159, rel_tol=1e-5), list(itertools.pairwise('abc')))",
        "C(a=1, b=[2], c=None) True\n5\n\
         {\"a\": [1, 2.5, null]} ['1', '22'] [('a', 2)]\n\
         0.8444218515250481 [6, 0, 4] 1.1265434960496987\n\
         True [('a', 'b'), ('b', 'c')]\n",
    );
}

#[test]
fn warnings_name_the_learners_line() {
    let outcome = python("import warnings\n\nwarnings.warn('careful')\n");
    assert_eq!(outcome.stderr, "main.py:3: UserWarning: careful\n  warnings.warn('careful')\n");
}

#[test]
fn streams_can_be_redirected() {
    check(
        "import io, sys, contextlib\n\
         with contextlib.redirect_stdout(io.StringIO()) as text:\n    print('hidden')\n\
         print(repr(text.getvalue())); sys.stdout.write('x\\n'); print('y', flush=True)",
        "'hidden\\n'\nx\ny\n",
    );
}

/// Asks a program to stop some milliseconds after it has begun.
struct StopAfter {
    began: Instant,
    /// When the program first called the host: on a busy machine it may take long to begin.
    heard: Cell<Option<Instant>>,
    stop: Duration,
}

impl StopAfter {
    fn elapsed(&self) -> Duration {
        let heard = self.heard.get().unwrap_or_else(Instant::now);
        self.heard.set(Some(heard));
        heard.elapsed()
    }
}

impl Host for StopAfter {
    fn poll(&self) -> bool {
        self.elapsed() >= self.stop
    }

    fn sleep(&self, time: Duration) {
        std::thread::sleep(time.min(self.stop.saturating_sub(self.elapsed())));
    }

    fn now(&self) -> f64 {
        self.began.elapsed().as_secs_f64() * 1e3
    }
}

/// Runs a program under a host that stops it after 100 ms.
fn stopped(source: &str) -> (Outcome, Duration) {
    let source = source.to_string();
    let thread = std::thread::Builder::new().stack_size(8 << 20).spawn(move || {
        let output = Rc::new(Captured::default());
        let host =
            Rc::new(StopAfter { began: Instant::now(), heard: Cell::new(None), stop: Duration::from_millis(100) });
        let program = Program { host: Some(host.clone()), ..Program::new("main.py", source) };
        let ended = run(&program, output.clone());
        (Outcome { stdout: output.stdout.take(), stderr: output.stderr.take(), ended }, host.began.elapsed())
    });
    thread.unwrap().join().unwrap()
}

#[test]
fn a_host_ends_loops_calls_and_sleeps() {
    for (source, line) in [
        ("print('before')\nwhile True: pass\n", 2),
        ("print('before')\nfor i in range(10**12):\n    i + 1\n", 2),
        ("print('before')\n\ndef f(n):\n    return f(n - 1) + f(n - 2) if n > 1 else n\n\nf(60)\n", 3),
        ("print('before')\nx = [i for i in iter(int, 1)]\n", 2),
        ("import time\nprint('before')\ntime.sleep(100)\n", 3),
        ("print('before')\nwhile True:\n    try:\n        while True: pass\n    except ValueError: pass\n", 4),
    ] {
        let (outcome, took) = stopped(source);
        let error = outcome.ended.error.expect(source);
        assert_eq!((error.class.as_str(), outcome.ended.exit_code), ("KeyboardInterrupt", 130), "{source}");
        assert_eq!(error.line, Some(line), "{source}{}", error.traceback);
        assert!(outcome.stderr.ends_with("\nKeyboardInterrupt\n"), "{}", outcome.stderr);
        assert_eq!(outcome.stdout, "before\n");
        // Most of this is starting the interpreter and importing `traceback`, on a machine that may be busy.
        assert!(took < Duration::from_secs(5), "{source}: {took:?}");
    }
}

#[test]
fn a_program_may_clean_up_after_it_was_stopped() {
    let (outcome, _) = stopped("try:\n    while True: pass\nfinally:\n    print(sum(i for i in range(10000)))\n");
    assert_eq!(outcome.stdout, "49995000\n");
}

#[test]
fn a_program_that_catches_the_interrupt_goes_on() {
    let (outcome, _) = stopped("try:\n    while True: pass\nexcept KeyboardInterrupt:\n    print('caught')\n");
    assert_eq!((outcome.stdout.as_str(), outcome.ended.exit_code), ("caught\n", 0));
}

#[test]
fn a_hook_of_the_programs_own_sees_the_error_instead() {
    let outcome = python("import sys\nsys.excepthook = lambda c, e, t: print('hook:', c.__name__, e)\n1 / 0\n");
    assert_eq!((outcome.stdout.as_str(), outcome.stderr.as_str()), ("hook: ZeroDivisionError division by zero\n", ""));
    assert_eq!(outcome.ended.exit_code, 1);
}

/// Runs a program for a page; if `early`, in an interpreter made in advance. Returns its output and the trace's events.
fn in_a_page(source: &str, early: bool) -> (Outcome, Vec<Event>) {
    let source = source.to_string();
    let thread = std::thread::Builder::new().stack_size(8 << 20).spawn(move || {
        let machine = Machine::preset("cuda:2").unwrap();
        let engine = engine::install(Engine::new(machine, |_| Rc::new(CpuExecutor::simulating())));
        let patient = Duration::from_secs(600);
        let host: Rc<dyn Host> = Rc::new(StopAfter { began: Instant::now(), heard: Cell::new(None), stop: patient });
        let output = Rc::new(Captured::default());
        let program = Program { host: Some(host.clone()), ..Program::new("main.py", source) };
        // Everything that making the interpreter does to the engine would be in the program's trace.
        engine.trace.set_on(true);
        let ended = match early {
            true => Prepared::new("main.py", host).unwrap().run(&program, output.clone()),
            false => run(&program, output.clone()),
        };
        let outcome = Outcome { stdout: output.stdout.take(), stderr: output.stderr.take(), ended };
        (outcome, engine.trace.drain())
    });
    thread.unwrap().join().unwrap()
}

/// A page makes the interpreter before it knows the program. Nothing may reveal in which of the two ways a program
/// runs.
#[test]
fn an_interpreter_made_early_runs_programs_the_same() {
    let training = "import torch, random, time, sys\n\
        print(torch.cuda.is_initialized(), sys.argv, __file__, __name__, sorted(globals())[:3])\n\
        torch.manual_seed(3)\n\
        model = torch.nn.Linear(4, 2).to('cuda:1')\n\
        optimizer = torch.optim.Adam(model.parameters())\n\
        model(torch.rand(8, 4, device='cuda:1')).sum().backward()\n\
        optimizer.step()\n\
        time.sleep(0.001)\n\
        print(model.weight, torch.cuda.memory_allocated(1))\n";
    let failing = "import torch\nx = torch.ones(2, device='cuda')\nx + torch.ones(2, device='cuda:1')\n";
    for source in [training, failing, "print(torch)\n", "x = [\n"] {
        let ((late, late_events), (early, early_events)) = (in_a_page(source, false), in_a_page(source, true));
        assert_eq!((early.stdout, early.stderr, early.ended), (late.stdout, late.stderr, late.ended));
        assert_eq!(kinds(&early_events), kinds(&late_events));
    }
}

/// Without the values that a clock measured.
fn kinds(events: &[Event]) -> Vec<String> {
    let timeless = events.iter().map(|event| {
        let mut kind = event.kind.clone();
        if let EventKind::Transfer { micros, .. } | EventKind::Sync { micros, .. } = &mut kind {
            *micros = 0.0;
        }
        format!("{:?}", (event.seq, event.line, kind))
    });
    timeless.collect()
}
