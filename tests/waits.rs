//! Where the host waits for a GPU, as in PyTorch 2.15: `c10::cuda::memcpy_and_sync` and `stream_synchronize`, which warn
//! under `torch.cuda.set_sync_debug_mode`, and nowhere else.
//!
//! This wasn't recorded on a GPU. The numbers follow from the source: aten/src/ATen/native/cuda/Copy.cu, Indexing.cu,
//! Nonzero.cu, aten/src/ATen/native/{IndexingUtils.h,Repeat.cpp,Onehot.cpp} and ATen/TensorIndexing.h of PyTorch 2.15.

#![cfg(feature = "python")]

use std::rc::Rc;

use tensoryard::engine::{self, Engine};
use tensoryard::machine::Machine;
use tensoryard::python::output::Captured;
use tensoryard::python::{Program, run};
use tensoryard::trace::EventKind;

/// A statement with its preparation, and the number of waits about which PyTorch warns.
const CASES: &[(&str, usize)] = &[
    // Copies between host and device wait in both directions, for any kind of memory, unless they're non-blocking.
    ("x.to('cuda')", 1),
    ("x.cuda()", 1),
    ("p.to('cuda')", 1),
    ("p.to('cuda', non_blocking=True)", 0),
    ("x.to('cuda', non_blocking=True)", 0),
    ("g.cpu()", 1),
    ("g.to('cpu')", 1),
    ("g.to('cpu', non_blocking=True)", 0),
    ("g.copy_(x)", 1),
    ("g.copy_(p, non_blocking=True)", 0),
    ("x.copy_(g)", 1),
    ("x.copy_(g, non_blocking=True)", 0),
    ("p.copy_(g, non_blocking=True)", 0),
    ("g.to('cuda:1')", 0),
    ("g.clone()", 0),
    ("x.to('cuda', torch.float64)", 1),
    ("g.to('cpu', torch.float64)", 1),
    ("x.pin_memory()", 0),
    // Tensors made on the host.
    ("torch.tensor([1.0, 2.0], device='cuda')", 1),
    ("torch.as_tensor([1.0, 2.0], device='cuda')", 1),
    ("torch.zeros(3, device='cuda')", 0),
    ("torch.linspace(0, 1, 5, device='cuda')", 0),
    ("torch.tril_indices(3, 3, device='cuda')", 0),
    ("torch.nn.functional.pad(g[None], (1, 1), mode='reflect')", 0),
    // Values.
    ("g[0].item()", 1),
    ("float(g[0])", 1),
    ("bool(g[0] > 0)", 1),
    ("g.tolist()", 1),
    ("torch.equal(g, g)", 1),
    ("torch.allclose(g, g)", 1),
    // Sizes that depend on values.
    ("g.nonzero()", 1),
    ("g[gm]", 1),
    ("g.masked_select(gm)", 1),
    ("torch.where(gm)", 1),
    ("gi.unique()", 1),
    ("g.repeat_interleave(torch.tensor([1, 0, 2], device='cuda'))", 2 + 1),
    ("g.repeat_interleave(2)", 0),
    ("torch.nn.functional.one_hot(gi)", 1),
    ("torch.nn.functional.one_hot(gi, 4)", 0),
    ("gi.bincount()", 2),
    ("torch.multinomial(torch.ones(3, device='cuda'), 2)", 2),
    ("g.median()", 0),
    ("torch.ones(2, 3, device='cuda').median(1)", 0),
    // Indices: those on the host are copied. A mask there is copied as indices, from pinned memory and without a wait.
    ("g[gi]", 0),
    ("g[i]", 1),
    ("g[m]", 0),
    // Numbers: a 0-dim target gets a copy, any other is filled; indexing needs the number as a tensor.
    ("g[0] = 5.0", 1),
    ("g[:2] = 5.0", 0),
    ("g[:2] = torch.tensor(5.0)", 0),
    ("g[:] = x", 1),
    ("g[gi] = 5.0", 1),
    ("g[gm] = 5.0", 0),
    ("g.fill_(5.0)", 0),
    ("g.masked_fill_(gm, 5.0)", 0),
    ("g + torch.tensor(1.0)", 0),
    // Models.
    ("torch.nn.Linear(2, 2).to('cuda')", 2),
    ("model.load_state_dict(state)", 2),
    // Explicit waits: those for a stream warn; those for the device or an event don't.
    ("torch.cuda.synchronize()", 0),
    ("torch.cuda.current_stream().synchronize()", 1),
    ("torch.cuda.Event().synchronize()", 0),
    // Text: see `print_cost.rs`.
    ("repr(gi)", 2 + 1),
    ("str(torch.zeros(4, device='cuda'))", 2),
    ("repr(x)", 0),
];

const BEFORE: &str = "
import torch, warnings
x, p, g = torch.ones(3), torch.ones(3).pin_memory(), torch.ones(3, device='cuda')
m, i = torch.tensor([True, False, True]), torch.tensor([0, 2])
gm, gi = m.cuda(), i.cuda()
model, state = torch.nn.Linear(2, 2).cuda(), torch.nn.Linear(2, 2).state_dict()

def count(text):
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter('always')
        exec(text)
    said = {str(w.message) for w in seen}
    assert said <= {'called a synchronizing CUDA operation'}, said
    return len(seen)

with warnings.catch_warnings(record=True) as seen:
    warnings.simplefilter('always')
    torch.cuda.set_sync_debug_mode('warn')
    torch.cuda.set_sync_debug_mode(1)
print(torch.cuda.get_sync_debug_mode(), [str(w.message) for w in seen])
";

const AFTER: &str = "
torch.cuda.set_sync_debug_mode('error')
for text in ['x.cuda()', 'g.cpu()', 'g.tolist()', 'print(g)', 'g.nonzero()', 'torch.cuda.current_stream().synchronize()']:
    try:
        exec(text)
        print('nothing raised by', text)
    except RuntimeError as error:
        assert str(error) == 'called a synchronizing CUDA operation', error
p.to('cuda', non_blocking=True); torch.cuda.synchronize()
torch.cuda.set_sync_debug_mode('default')
print(torch.cuda.get_sync_debug_mode(), g.cpu().tolist())
for wrong in ['loud', 3, -1, 1.5]:
    try:
        torch.cuda.set_sync_debug_mode(wrong)
    except RuntimeError as error:
        print(error)
";

fn on_simulated_gpus<T: Send + 'static>(body: impl FnOnce() -> T + Send + 'static) -> T {
    let thread = std::thread::Builder::new().stack_size(8 << 20).spawn(move || {
        engine::install(Engine::on_cpu(Machine::preset("cuda:2").unwrap()));
        body()
    });
    thread.unwrap().join().unwrap()
}

fn output(source: &str) -> String {
    let output = Rc::new(Captured::default());
    let ended = run(&Program::new("main.py", source), output.clone());
    assert_eq!(ended.error, None, "{}", output.stderr.take());
    output.stdout.take()
}

#[test]
fn the_debug_mode_sees_the_waits_that_pytorch_makes() {
    let source = CASES.iter().fold(BEFORE.to_string(), |text, (case, _)| text + &format!("print(count({case:?}))\n"));
    let out = on_simulated_gpus(move || output(&(source + AFTER)));
    let mut lines = out.lines();
    let once = "Synchronization debug mode is a prototype feature and does not yet detect all synchronizing operations";
    assert_eq!(lines.next(), Some(format!("1 ['{once}']").as_str()));
    for (case, waits) in CASES {
        assert_eq!(lines.next(), Some(waits.to_string().as_str()), "{case}");
    }
    let rest: Vec<&str> = lines.collect();
    let invalid = "invalid value of debug_mode, expected one of";
    let wanted = [
        "0 [5.0, 5.0, 5.0]".to_string(),
        format!("{invalid} `default`, `warn`, `error`"),
        format!("{invalid} 0,1,2"),
        format!("{invalid} 0,1,2"),
        "invalid argument to set_sync_debug_mode".to_string(),
    ];
    assert_eq!(rest, wanted.each_ref().map(String::as_str));
}

/// The trace has a wait wherever PyTorch warns about one. A line that prints has only one, for the bytes that are copied.
/// A non-blocking copy to ordinary memory is a wait as well: CUDA returns when the bytes have arrived.
#[test]
fn every_wait_is_in_the_trace() {
    let before = BEFORE.split("def count").next().unwrap();
    let source = CASES.iter().fold(before.to_string(), |text, (case, _)| text + &format!("exec({case:?})\n"));
    let first = before.lines().count() as u32 + 1;
    let events = on_simulated_gpus(move || {
        let engine = engine::current();
        engine.trace.set_on(true);
        engine.trace.restart();
        output(&source);
        engine.trace.drain()
    });
    for (line, (case, waits)) in (first..).zip(CASES) {
        let here = events.iter().filter(|e| e.line == line);
        let seen = here.filter(|e| matches!(e.kind, EventKind::Sync { .. })).count();
        let wanted = match *case {
            "repr(gi)" | "str(torch.zeros(4, device='cuda'))" => 1,
            "x.copy_(g, non_blocking=True)" | "torch.cuda.synchronize()" => 1,
            _ => *waits,
        };
        assert_eq!(seen, wanted, "{case}");
    }
}

/// A timing event is a mark in the queue: only what waits for it waits, and the time between two of them is known afterwards.
#[test]
fn recording_an_event_waits_for_nothing() {
    let source = "import torch
torch.cuda.set_sync_debug_mode('error')
start, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
x = torch.ones(64, 64, device='cuda')
start.record()
y = x @ x
end.record()
try:
    start.elapsed_time(end)
except RuntimeError as error:
    print(type(error).__name__, error)
torch.cuda.synchronize()
print(0 < start.elapsed_time(end) < 60_000, start.elapsed_time(start))
start.record()
y = y @ x
end.record()
print(end.query(), end.elapsed_time(end))
start.record()
y = y @ x
end.record()
end.synchronize()
print(0 < start.elapsed_time(end) < 60_000)
";
    let (out, waits) = on_simulated_gpus(move || {
        let engine = engine::current();
        engine.trace.set_on(true);
        engine.trace.restart();
        let out = output(source);
        let waits = engine.trace.drain().into_iter().filter(|e| matches!(e.kind, EventKind::Sync { .. }));
        (out, waits.map(|e| e.line).collect::<Vec<_>>())
    });
    let wanted =
        "RuntimeError Both events must be completed before calculating elapsed time.\nTrue 0.0\nTrue 0.0\nTrue\n";
    assert_eq!(out, wanted);
    assert_eq!(waits, [12, 21]);
}
