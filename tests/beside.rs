//! The libraries used with `torch`: `numpy` against recorded NumPy 2.4.6, `tqdm` against recorded tqdm 4.70.1, and the parts
//! of `torch` that inspect a run.

use std::process::Command;
use std::rc::Rc;

use tensoryard::engine::{self, Engine};
use tensoryard::machine::Machine;
use tensoryard::python::output::Captured;
use tensoryard::python::{Program, run};
use tensoryard::trace::EventKind;
use tensoryard::trace::replay::replay;

/// Runs a program of `tests/` and compares its output, line by line, with the text file of the same name.
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
    for name in [
        "arithmetic",
        "errors",
        "files",
        "generators",
        "orders",
        "printing",
        "random_numbers",
        "reductions",
        "shapes",
        "text_and_unsigned",
    ] {
        check(&format!("oracle/numpy/{name}.py"), &format!("oracle/numpy/{name}.out"));
    }
}

/// How many calls of the conformance run may still end differently from NumPy, and how many of its names may still be missing.
/// If you mend some, lower the number.
const NUMPY_DIFFERS: usize = 261;
const NUMPY_LACKS: usize = 80;

#[test]
fn numpy_conforms_as_far_as_it_did() {
    let program = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/oracle/numpy/conformance/run.py");
    let output = Command::new(env!("CARGO_BIN_EXE_tensoryard"))
        .args(["run", "--machine", "cpu", program])
        .output()
        .expect("the command line starts");
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    // The last two lines: `names 1 of 2` and `calls 1 of 2`.
    let left = |what: &str| {
        let line = printed.lines().rev().find(|line| line.starts_with(what)).expect("the run counts");
        let counts: Vec<usize> = line.split(' ').filter_map(|word| word.parse().ok()).collect();
        assert_eq!(counts.len(), 2, "{line}");
        counts[1] - counts[0]
    };
    let (lacks, differs) = (left("names "), left("calls "));
    if (lacks, differs) != (NUMPY_LACKS, NUMPY_DIFFERS) {
        println!("{printed}");
    }
    assert_eq!((lacks, differs), (NUMPY_LACKS, NUMPY_DIFFERS), "names that are missing, calls that end differently");
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

/// Arrays don't belong to PyTorch: they're in the event stream only once a tensor shares their memory.
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
        assert_eq!(engine.devices.cpu_allocated(), 0);
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

#[test]
fn profiles_name_operators_kernels_copies_and_blocks() {
    check("programs/profile.py", "programs/profile.txt");
}

#[test]
fn figures_are_drawn() {
    check("programs/figures.py", "programs/figures.txt");
}

/// Without a page, `show` writes to a file next to the program and prints its name.
#[test]
fn a_figure_is_written_beside_the_program() {
    let folder = std::env::temp_dir().join(format!("tensoryard-figure-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let program = folder.join("program.py");
    std::fs::write(
        &program,
        "import matplotlib.pyplot as plt\nfor i in range(2):\n    plt.plot([i, 2, 3])\n    plt.show()\n",
    )
    .unwrap();
    let output =
        Command::new(env!("CARGO_BIN_EXE_tensoryard")).args(["run", program.to_str().unwrap()]).output().unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    let drawn = ["figure_1.svg", "figure_2.svg"].map(|name| std::fs::read_to_string(folder.join(name)));
    std::fs::remove_dir_all(&folder).unwrap();
    assert!(output.status.success() && output.stdout.is_empty(), "{stderr}");
    assert_eq!(stderr.lines().count(), 2, "{stderr}");
    assert!(stderr.lines().all(|line| line.starts_with("figure ") && line.ends_with(".svg")), "{stderr}");
    for svg in drawn {
        assert!(svg.unwrap().starts_with("<svg "));
    }
}

/// The names that a program or a notebook uses are looked up in the modules themselves.
#[test]
fn compat_says_what_is_missing() {
    let folder = std::env::temp_dir().join(format!("tensoryard-compat-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let program = "\
import torch, torch.nn as nn
import torch.nn.functional as F
from torch import optim, nosuch
import nomodule, os.path, random, sqlite3, xml.etree.ElementTree, xml.nothing
x = torch.rand(3).to('cuda')
x.frobnicate()
y = x.view(-1).relu().nope(nn.Nothing(1))
opt = optim.SGD([x], lr=0.1)
opt.step(); opt.nostep()
def f(t: torch.Tensor, F):
    return t.blurb() + F.anything
torch.cuda.Event(nosuch=1)
torch.profiler.profile()
x = 3
x.unknown
F.relu(y)
";
    let notebook = r##"{"cells": [{"cell_type": "markdown", "source": "torch.text"}, {"cell_type": "code",
        "source": ["%matplotlib inline\n", "!nvidia-smi\n", "import torch\n", "torch.nothing()"]},
        {"cell_type": "code", "source": "x = = 1"}, {"cell_type": "code", "source": "torch.nowhere"}]}"##;
    std::fs::write(folder.join("a.py"), program).unwrap();
    std::fs::write(folder.join("b.ipynb"), notebook).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_tensoryard"))
        .current_dir(&folder)
        .args(["compat", "a.py", "b.ipynb"])
        .output()
        .unwrap();
    std::fs::remove_dir_all(&folder).unwrap();
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    let rows: Vec<String> = printed.lines().map(|l| l.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
    let expected = [
        "a.py: 16 names of torch: 9 there, 1 partly, 6 missing",
        "missing torch.nosuch line 3",
        "missing torch.Tensor.frobnicate line 6",
        "missing torch.Tensor.nope line 7",
        "missing torch.nn.Nothing line 7",
        "missing torch.optim.SGD.nostep line 9",
        "missing torch.Tensor.blurb line 11",
        "partly torch.cuda.Event line 12 (no argument nosuch=)",
        "missing nomodule line 4 (no module of this name is here)",
        "missing sqlite3 line 4 (needs the library SQLite, which the interpreter doesn't have)",
        "missing xml.nothing line 4 (no module of this name is here)",
        "b.ipynb: 2 names of torch: 0 there, 0 partly, 2 missing",
        "missing torch.nothing cell 1, line 4",
        "missing torch.nowhere cell 3, line 1",
        "cell 2 isn't Python: invalid syntax (b.ipynb, line 1)",
    ];
    assert_eq!(rows, expected, "{printed}{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(output.status.code(), Some(1));
}
