//! No borrow is alive while an executor reads or waits: in the page that suspends the whole stack, and code that runs
//! meanwhile may use any part of the engine. This test's executor does so in every read and every wait, so a borrow that a
//! caller holds would panic here.

#![cfg(feature = "python")]

use std::cell::Cell;
use std::rc::Rc;

use tensoryard::device::Device;
use tensoryard::dtype::DType;
use tensoryard::engine::{self, Engine};
use tensoryard::executor::cpu::CpuExecutor;
use tensoryard::executor::{Buffer, Compute, Done, Executor, Graphs, HostMemory, Kernel, Linkable, Queues};
use tensoryard::machine::Machine;
use tensoryard::ops;
use tensoryard::python::output::Captured;
use tensoryard::python::{Program, run};

struct Meddling {
    inner: CpuExecutor,
    within: Cell<bool>,
    times: Rc<Cell<usize>>,
}

impl Meddling {
    /// Uses everything that a caller could have borrowed: the trace, every planner and generator, storages, the graph.
    fn meddle(&self) {
        if self.within.replace(true) {
            return;
        }
        self.times.set(self.times.get() + 1);
        let engine = engine::current();
        let _ = engine.trace.pending();
        drop(engine.devices.cpu_generator.try_borrow_mut().expect("the CPU's generator is borrowed across a wait"));
        for a in engine.devices.accelerators() {
            drop(a.planner.try_borrow_mut().expect("a planner is borrowed across a wait"));
            drop(a.generator.try_borrow_mut().expect("a generator is borrowed across a wait"));
        }
        for device in [Device::CPU, Device::cuda(0)] {
            // After a device-side assert, everything on that device raises, even here.
            let Ok(x) = ops::create::zeros(&[4], DType::F32, device) else { continue };
            let Ok(y) = ops::add(&x, &x) else { continue };
            let _ = ops::binary_(tensoryard::executor::BinaryOp::Add, &y, &1.0.into());
        }
        self.within.set(false);
    }
}

impl Compute for Meddling {
    fn name(&self) -> &'static str {
        "meddling"
    }
    fn hardware(&self) -> String {
        self.inner.hardware()
    }
    fn is_async(&self) -> bool {
        true
    }
    fn allocate(&self, numel: usize, dtype: DType) -> Done<Buffer> {
        self.inner.allocate(numel, dtype)
    }
    fn write(&self, buffer: &Buffer, offset: usize, bytes: &[u8]) -> Done {
        self.inner.write(buffer, offset, bytes)
    }
    fn read(&self, buffer: &Buffer, offset: usize, out: &mut [u8]) -> Done {
        self.meddle();
        self.inner.read(buffer, offset, out)
    }
    fn launch(&self, kernel: &Kernel<'_>) -> Done {
        self.inner.launch(kernel)
    }
    fn synchronize(&self) -> Done {
        self.meddle();
        self.inner.synchronize()
    }
    fn keep_pace(&self, _: &dyn Fn() -> bool) -> Done {
        self.meddle();
        Ok(())
    }
}

impl Queues for Meddling {}
impl HostMemory for Meddling {}
impl Graphs for Meddling {}
impl Linkable for Meddling {}

const PROGRAM: &str = r#"
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

d = torch.device("cuda")
x = torch.randn(8, 4, device=d)
print(x, x.mean().item(), x.sum(1).tolist(), float(x[0, 0]), bool((x > 9).any()))
y = x.cpu(); y.copy_(x); x.copy_(y); x.to("cpu", non_blocking=True)
print(x[x > 0].shape, torch.nonzero(x > 0).shape, torch.unique(torch.tensor([3, 1, 3], device=d)))
i = torch.tensor([1, 2], device=d)
x[i] = 0; x[0, 1] = y[0, 0]; x.index_add_(0, i, x[:2].clone())
torch.cuda.synchronize(); torch.cuda.empty_cache(); torch.cuda.memory_summary()
model = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Dropout(0.5), nn.Linear(8, 3)).to(d)
optimizer = torch.optim.Adam(model.parameters())
targets = torch.randint(0, 3, (8,))
for xb, yb in DataLoader(TensorDataset(y, targets), batch_size=4, shuffle=True, pin_memory=True):
    loss = nn.CrossEntropyLoss()(model(xb.to(d)), yb.to(d))
    optimizer.zero_grad(); loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0, error_if_nonfinite=True)
    optimizer.step()
    print(loss.item(), loss)
print(torch.multinomial(torch.rand(5, device=d), 2), torch.equal(x, x.clone()), torch.allclose(x, x))
state = {k: v.cpu() for k, v in model.state_dict().items()}
model.load_state_dict(state)
try:
    torch.empty(1 << 40, device=d)
except torch.cuda.OutOfMemoryError as e:
    print("out of memory")
try:
    torch.ones(3, device=d)[torch.tensor([7], device=d)].tolist()
except RuntimeError as e:
    print(e)
"#;

#[test]
fn whatever_runs_during_a_wait_may_use_the_engine() {
    let thread = std::thread::Builder::new().stack_size(8 << 20).spawn(|| {
        let times = Rc::new(Cell::new(0));
        let machine = Machine::preset("cuda:1").expect("a preset");
        let executor: Rc<dyn Executor> =
            Rc::new(Meddling { inner: CpuExecutor::new(), within: Cell::new(false), times: times.clone() });
        engine::install(Engine::new(machine, |_| executor.clone()));
        let output = Rc::new(Captured::default());
        let ended = run(&Program::new("main.py", PROGRAM), output.clone());
        assert_eq!(ended.error, None, "{}", output.stderr.take());
        assert!(times.get() > 20, "only {} waits", times.get());
    });
    thread.unwrap().join().unwrap();
}
