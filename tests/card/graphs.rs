//! CUDA graphs on the stand-in for the driver.

use std::path::{Path, PathBuf};

use super::{on_both, run};

/// The calls of the driver while `file` ran, one per line, and the program's output.
fn logged(folder: &Path, name: &str, args: &[&str], file: &Path) -> (super::Ran, Vec<String>) {
    logged_with(folder, name, &[], args, file)
}

fn logged_with(
    folder: &Path,
    name: &str,
    more: &[(&str, &str)],
    args: &[&str],
    file: &Path,
) -> (super::Ran, Vec<String>) {
    let log = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("card_{name}_{}.log", std::process::id()));
    let settings = [&[("CARD_MEMORY_MIB", "24576"), ("CARD_LOG", log.to_str().unwrap())], more].concat();
    let ran = run(folder, &settings, args, file);
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    let calls = std::fs::read_to_string(&log).unwrap().lines().map(str::to_string).collect();
    let _ = std::fs::remove_file(log);
    (ran, calls)
}

fn count(calls: &[String], call: &str) -> usize {
    calls.iter().filter(|line| line.split(' ').next() == Some(call)).count()
}

/// Everything in `tests/programs/graphs.py`: what a capture forbids, memory, draws, and captured training steps, whose
/// results are those of steps run one by one.
#[test]
fn captured_graphs_on_a_card_do_what_they_do_on_the_cpu() {
    let folder = card!();
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs/graphs.py");
    let (cuda, cpu) = on_both(folder, "1", &file);
    assert_eq!(cuda, cpu);
    assert_eq!(cpu, include_str!("../programs/graphs.txt"));
    let (_, calls) = logged(folder, "graphs", &["--executor", "cuda"], &file);
    assert!(count(&calls, "cuGraphLaunch") >= 25, "{} graph launches", count(&calls, "cuGraphLaunch"));
    // Before each launch, a draw in a graph gets the generator's current offset.
    assert!(count(&calls, "cuGraphExecKernelNodeSetParams") >= 10);
    let made = count(&calls, "cuStreamEndCapture");
    assert_eq!(count(&calls, "cuGraphExecDestroy"), made, "every graph is given back");
    assert!(!calls.iter().any(|line| line.starts_with("leaked")), "{calls:?}");
}

const STEPS: &str = r#"
import torch
from torch import nn

torch.manual_seed(0)
data = [(torch.randn(16, 8), torch.randn(16, 1)) for _ in range(4)]
model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Dropout(0.2), nn.Linear(16, 1)).cuda()
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
for epoch in range(4):
    # Steps with uploads between them, a wait now and then, and something else in between.
    for a, b in data:
        a, b = a.cuda(), b.cuda()
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(a), b)
        loss.backward()
        optimizer.step()
    print(epoch, loss.item())
    with torch.no_grad():
        print(model(a).sum().item())
# Steps without anything between them.
a, b = data[0][0].cuda(), data[0][1].cuda()
for round in range(3):
    for _ in range(5):
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(a), b)
        loss.backward()
        optimizer.step()
    print(loss.item())
# What is held back goes out before memory is given back, and before the program ends.
del loss
torch.cuda.empty_cache()
print([p.sum().item() for p in model.parameters()])
index = torch.tensor([0, 9], device="cuda")
wrong = a[:, 0][index + 8]
try:
    torch.cuda.synchronize()
except RuntimeError as error:
    print(str(error).split("\n")[0])
"#;

#[test]
fn repeated_steps_become_graphs_by_themselves() {
    let folder = card!();
    let file = super::card::program("steps", STEPS);
    let (plain, before) = logged(folder, "plain", &["--executor", "cuda"], &file);
    let trace: PathBuf = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("card_steps_{}.json", std::process::id()));
    let args = ["--executor", "cuda", "--capture-steps", "--trace", trace.to_str().unwrap()];
    let (ran, calls) = logged(folder, "steps", &args, &file);
    assert_eq!(ran.out, plain.out);
    assert!(plain.out.ends_with("device-side assert triggered\n"), "{}", plain.out);
    assert_eq!(count(&before, "cuGraphLaunch"), 0);
    let (graphs, fewer) = (count(&calls, "cuGraphLaunch"), count(&calls, "cuLaunchKernel"));
    assert!(graphs >= 15, "{graphs} graphs launched\n{}", ran.err);
    assert!(fewer * 2 < count(&before, "cuLaunchKernel"), "{fewer} kernels launched one by one");
    let said = ran.err.lines().last().unwrap_or_default();
    assert!(said.starts_with(&format!("tensoryard: {graphs} captured steps with ")), "{}", ran.err);
    let written = std::fs::read_to_string(&trace).unwrap();
    assert_eq!(written.matches("\"captured step, ").count(), graphs);
    let _ = std::fs::remove_file(trace);
    assert_eq!(count(&calls, "cuGraphExecDestroy"), count(&calls, "cuStreamEndCapture"));
}

/// A simulated card launches nothing, so no graph can be made.
#[test]
fn capturing_steps_is_refused_where_nothing_is_launched() {
    let folder = card!();
    let file = super::card::program("refused", "print(1)\n");
    let ran = run(folder, &[], &["--executor", "cpu", "--capture-steps"], &file);
    assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""));
    let said = "--capture-steps (TENSORYARD_CAPTURE_STEPS) needs NVIDIA GPUs and the executor 'cuda'; here it is 'cpu'";
    assert_eq!(ran.err, format!("tensoryard: {said}\n"));
    let ran = run(folder, &[("TENSORYARD_CAPTURE_STEPS", "1")], &["--executor", "cpu"], &file);
    assert_eq!(ran.code, Some(2), "{}", ran.err);
    let ran = run(folder, &[("TENSORYARD_CAPTURE_STEPS", "1")], &["--executor", "cuda"], &file);
    assert_eq!((ran.code, ran.out.as_str()), (Some(0), "1\n"), "{}", ran.err);
}

const LOOP: &str = r#"
import torch
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 3)).cuda()
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
x, y = torch.randn(4, 8).cuda(), torch.randint(3, (4,)).cuda()
for step in range(40):
    optimizer.zero_grad()
    loss = nn.functional.cross_entropy(model(x), y)
    loss.backward()
    optimizer.step()
    if step % 2:
        loss.item()
print(loss.item())
"#;

/// The optimizer's table of pointers used to take a place that gradients had before. So they moved in every step, the table was
/// uploaded again, and no sequence was ever repeated. The vendor's products are nodes of graphs as well.
#[test]
fn a_steps_pointers_are_uploaded_once() {
    let folder = card!();
    let file = super::card::program("loop", LOOP);
    let blas = folder.join("libstandinblas.so");
    let blas = blas.to_str().unwrap();
    for libraries in [&[("TENSORYARD_CUBLAS", blas), ("TENSORYARD_CUBLASLT", blas)][..], &[]] {
        let (plain, before) = logged_with(folder, "loop", libraries, &["--executor", "cuda"], &file);
        let uploads = count(&before, "cuMemcpyHtoDAsync");
        assert!(uploads <= 16, "{uploads} uploads in 40 steps");
        let (ran, calls) = logged_with(folder, "loop", libraries, &["--executor", "cuda", "--capture-steps"], &file);
        assert_eq!((ran.code, ran.out), (Some(0), plain.out));
        let graphs = count(&calls, "cuGraphLaunch");
        assert!(graphs >= 10, "{graphs} graphs launched");
    }
}

const OPTIMIZERS: &str = r#"
import torch
from torch import nn

CAPTURABLE = {
    "adam": lambda p, **k: torch.optim.Adam(p, lr=0.01, **k),
    "adamw": lambda p, **k: torch.optim.AdamW(p, lr=0.01, amsgrad=True, **k),
    "rmsprop": lambda p, **k: torch.optim.RMSprop(p, lr=0.01, **k),
}
torch.manual_seed(0)
first = [torch.randn(n) for n in (5, 4100, 1, 0)]
grads = [[torch.randn_like(t) for t in first] for _ in range(6)]


def train(make, capture, **options):
    params = [nn.Parameter(t.cuda()) for t in first]
    optimizer = make(params, **options)
    for p in params:
        p.grad = torch.zeros_like(p)
    for step, given in enumerate(grads):
        for p, g in zip(params, given):
            p.grad.copy_(g)
        if step == 2 and capture:
            graph = torch.cuda.CUDAGraph()
            with torch.cuda.graph(graph):
                optimizer.step()
            # Other tables come and go; the graph keeps its own.
            for n in range(70):
                other = nn.Parameter(torch.zeros(n + 1, device="cuda"))
                other.grad = torch.ones_like(other)
                torch.optim.SGD([other], lr=0.1).step()
            torch.cuda.empty_cache()
        if step >= 2 and capture:
            graph.replay()
        else:
            optimizer.step()
    counts = [optimizer.state[p]["step"].item() for p in params]
    return torch.cat([p.detach().cpu() for p in params]), counts


for name, make in CAPTURABLE.items():
    host, _ = train(make, False)
    device, counts = train(make, False, capturable=True)
    graph, replayed = train(make, True, capturable=True)
    print(name, (host - device).abs().max().item() < 1e-6, torch.equal(device, graph), counts, replayed)
"#;

/// A capturable step used to launch about 17 kernels for each parameter. Now it's one launch for all of them, which reads their
/// counts in device memory and increases them, so that replays keep counting.
#[test]
fn a_capturable_step_is_one_launch() {
    let folder = card!();
    let file = super::card::program("optimizers", OPTIMIZERS);
    let (ran, calls) = logged(folder, "optimizers", &["--executor", "cuda"], &file);
    let said = |name: &str| format!("{name} True True [6.0, 6.0, 6.0, 6.0] [6.0, 6.0, 6.0, 6.0]\n");
    assert_eq!(ran.out, ["adam", "adamw", "rmsprop"].map(said).concat(), "{}", ran.err);
    let made: Vec<&String> = calls.iter().filter(|line| line.starts_with("cuStreamEndCapture")).collect();
    assert_eq!(made, ["cuStreamEndCapture 0 1 nodes"; 3]);
    assert_eq!(count(&calls, "cuGraphLaunch"), 12);
    // The host doesn't change the graphs between their launches.
    assert_eq!(count(&calls, "cuGraphExecKernelNodeSetParams"), 0);
}

/// `debug_dump` writes what the driver captured, and only if a graph is the driver's own.
#[test]
fn a_kept_graph_is_written_as_a_dot_file() {
    let folder = card!();
    let dot = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("graph_{}.dot", std::process::id()));
    let text = r#"
import torch

x = torch.ones(4, device="cuda")
graph = torch.cuda.CUDAGraph()
graph.enable_debug_mode()
with torch.cuda.graph(graph):
    y = (x + 1) * 3
try:
    graph.debug_dump("DOT")
    text = open("DOT").read()
    graph.debug_dump("DOT", verbose=False)
    print(text.startswith("digraph"), text.count("KERNEL"), text.count("->"), len(open("DOT").read()) < len(text))
    graph.replay()
    print(y.tolist())
    graph.debug_dump("DOT/none")
except RuntimeError as error:
    print(type(error).__name__, str(error).splitlines()[0])
print((x + 1).tolist())
"#;
    let file = super::card::program("dot", &text.replace("DOT", dot.to_str().unwrap()));
    let (ran, calls) = logged(folder, "dot", &["--executor", "cuda"], &file);
    let refused = "AcceleratorError CUDA error: OS call failed or operation not supported on this OS";
    let last = "[2.0, 2.0, 2.0, 2.0]\n";
    assert_eq!(ran.out, format!("True 2 1 True\n[6.0, 6.0, 6.0, 6.0]\n{refused}\n{last}"), "{}", ran.err);
    assert_eq!(count(&calls, "cuGraphDebugDotPrint"), 2);
    let _ = std::fs::remove_file(dot);
    let simulated = run(folder, &[], &["--executor", "cpu", "--machine", "cuda:1"], &file);
    let refused =
        "NotImplementedError writing down a graph that is not the hardware's own (executor 'cpu', device cuda:0)";
    assert_eq!(simulated.out, format!("{refused}\n{last}"), "{}", simulated.err);
}
