//! The libraries beside `torch`: `numpy` against recorded NumPy 2.4.6, `tqdm` against recorded tqdm 4.70.1, and the parts of
//! `torch` that look at a run. Issue 3, points 4, 5 and 8.

use std::process::Command;
use std::rc::Rc;

use tensoryard::engine::{self, Engine};
use tensoryard::machine::Machine;
use tensoryard::python::output::Captured;
use tensoryard::python::{Program, run};
use tensoryard::trace::EventKind;
use tensoryard::trace::replay::replay;

/// Runs a program of `tests/` and compares what it prints, line by line, with the text beside it.
#[track_caller]
fn check(program: &str, expected: &str) {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/");
    let output = Command::new(env!("CARGO_BIN_EXE_tensoryard"))
        .args(["run", "--machine", "cuda:1", &format!("{folder}{program}")])
        .output()
        .expect("the command line starts");
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    let expected = std::fs::read_to_string(format!("{folder}{expected}")).unwrap();
    let (mine, theirs): (Vec<_>, Vec<_>) = (printed.lines().collect(), expected.lines().collect());
    let agree = mine.iter().zip(&theirs).filter(|(a, b)| a == b).count();
    for (a, b) in mine.iter().zip(&theirs).filter(|(a, b)| a != b) {
        println!("{program}\n  printed  {a}\n  recorded {b}");
    }
    println!("{program}: {agree} of {} lines", theirs.len());
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!((agree, mine.len()), (theirs.len(), theirs.len()), "{program}");
}

#[test]
fn numpy_as_recorded() {
    for name in ["arithmetic", "errors", "printing", "random_numbers", "reductions", "shapes"] {
        check(&format!("oracle/numpy/{name}.py"), &format!("oracle/numpy/{name}.out"));
    }
}

#[test]
fn arrays_and_tensors_share_memory() {
    check("programs/numpy_tensors.py", "programs/numpy_tensors.txt");
}

#[test]
fn progress_bars_as_recorded() {
    check("programs/progress.py", "programs/progress.txt");
}

#[test]
fn memory_history_fractions_streams_and_events() {
    check("programs/memory.py", "programs/memory.txt");
}

/// Arrays are not PyTorch's: the stream of events knows them only once a tensor shares their memory.
#[test]
fn arrays_are_not_reported() {
    let source = "
import numpy as np, torch
a = np.ones((7, 11)) * 2 + np.random.rand(7, 11)
a.sum(); a[a > 2.5]; a @ a.T
t = torch.from_numpy(a)
u = t + 1
b = u.numpy()
del t, u
c = b.mean()
";
    let thread = std::thread::Builder::new().stack_size(8 << 20).spawn(move || {
        let engine = engine::install(Engine::on_cpu(Machine::preset("cpu").unwrap()));
        engine.trace.set_on(true);
        let output = Rc::new(Captured::default());
        let ended = run(&Program::new("main.py", source), output.clone());
        assert_eq!((ended.exit_code, output.stderr.take().as_str()), (0, ""));
        let events = engine.trace.drain();
        let state = replay(&events).unwrap();
        assert!(state.live.is_empty(), "{:?}", state.live);
        assert_eq!(engine.cpu_allocated(), 0);
        let shapes: Vec<Vec<usize>> = events
            .iter()
            .filter_map(|event| match &event.kind {
                EventKind::Alloc { shape, .. } => Some(shape.clone()),
                _ => None,
            })
            .collect();
        let kernels = events.iter().filter(|event| matches!(event.kind, EventKind::Kernel { .. })).count();
        (shapes, kernels)
    });
    let (shapes, kernels) = thread.unwrap().join().unwrap();
    assert_eq!((shapes, kernels), (vec![vec![7, 11], vec![7, 11]], 1));
}
