//! The engine of one program: its machine, the executor of each device, the trace, and the modes that PyTorch keeps globally.
//!
//! It has four parts: [`Devices`] with their memory, [`Launches`] and the waits for them, the [`Settings`] of the process, and
//! the [`Hooks`] through which the engine asks the layers above. Code that needs one part calls that part.
//!
//! Each thread has one current engine. Everything in it is in cells that are borrowed only briefly: no borrow is alive while an
//! executor reads or synchronizes, because in the page those suspend the whole stack.

mod allocations;
pub mod capture;
mod devices;
mod hooks;
pub mod host;
mod launches;
mod precision;
pub mod profile;
mod settings;
pub mod stream;
mod wait;

use std::cell::RefCell;
use std::rc::Rc;

pub(crate) use allocations::Workspace;
pub use devices::{
    Accelerator, DEVICE_ASSERT, Devices, FORKED, INSUFFICIENT_DRIVER, INVALID_ORDINAL, NO_CUDA_BUILD, NO_DRIVER,
    NO_GPUS,
};
pub use hooks::{Hooks, IsOver, Watch};
pub use launches::Launches;
pub use precision::{Choices, Half};
pub use settings::{Settings, SyncDebug};

use crate::device::Device;
use crate::error::{Error, Result};
use crate::executor::cpu::CpuExecutor;
use crate::executor::{Executor, Kernel};
use crate::machine::{Build, Machine};
use crate::trace::Trace;

/// See the module's documentation.
pub struct Engine {
    pub trace: Rc<Trace>,
    pub devices: Rc<Devices>,
    pub launches: Rc<Launches>,
    pub settings: Rc<Settings>,
    pub hooks: Rc<Hooks>,
}

thread_local! {
    static CURRENT: RefCell<Rc<Engine>> = RefCell::new(Rc::new(Engine::new(default_machine(), |_| Rc::new(CpuExecutor::new()))));
}

fn default_machine() -> Machine {
    Machine {
        name: "cpu".into(),
        build: Build::Cuda,
        devices: Vec::new(),
        host_link: crate::machine::Link::pcie4(),
        peer_link: crate::machine::Link::nvlink3(),
    }
}

/// The engine of this thread.
pub fn current() -> Rc<Engine> {
    CURRENT.with(|e| e.borrow().clone())
}

/// Makes `engine` the engine of this thread. Tensors of the previous engine keep it alive until they are dropped.
pub fn install(engine: Engine) -> Rc<Engine> {
    let engine = Rc::new(engine);
    CURRENT.with(|e| *e.borrow_mut() = engine.clone());
    engine
}

impl Engine {
    /// `executor_of` returns the executor of each accelerator. Several accelerators may share one.
    pub fn new(machine: Machine, executor_of: impl Fn(Device) -> Rc<dyn Executor>) -> Engine {
        let (trace, hooks, settings) = (Rc::<Trace>::default(), Rc::<Hooks>::default(), Rc::<Settings>::default());
        let devices = Rc::new(Devices::new(machine, trace.clone(), hooks.clone(), executor_of));
        let launches = Launches::new(trace.clone(), devices.clone(), settings.clone(), hooks.clone());
        Engine { trace, devices, launches: Rc::new(launches), settings, hooks }
    }

    /// An engine whose accelerators are simulated by the CPU executor.
    pub fn on_cpu(machine: Machine) -> Engine {
        let cpu: Rc<dyn Executor> = Rc::new(CpuExecutor::simulating());
        Engine::new(machine, |_| cpu.clone())
    }

    /// Changes the program's settings for the precision of products and convolutions, and tells the executors.
    ///
    /// # Errors
    /// Those of the change. Then nothing has changed.
    pub(crate) fn change_precision(&self, change: impl FnOnce(&mut Choices) -> Result<()>) -> Result<()> {
        let wanted = self.settings.change_precision(change)?;
        self.devices.accelerators().iter().for_each(|a| a.executor.set_precision(wanted));
        Ok(())
    }

    // ---- what nearly every operator asks -----------------------------------------------------------------------------

    /// Same as [`Devices::resolve`].
    ///
    /// # Errors
    /// Those of [`Devices::resolve`].
    pub fn resolve(&self, device: Device) -> Result<Device> {
        self.devices.resolve(device)
    }

    /// Same as [`Launches::launch`].
    ///
    /// # Errors
    /// Those of [`Launches::launch`].
    pub fn launch(&self, device: Device, kernel: &Kernel<'_>) -> Result<()> {
        self.launches.launch(device, kernel)
    }

    /// Same as [`Launches::launch_with`].
    ///
    /// # Errors
    /// Those of [`Launches::launch_with`].
    pub(crate) fn launch_with(
        &self,
        device: Device,
        kernel: &Kernel<'_>,
        out_of_bounds: impl FnOnce(i64, usize, usize) -> Error,
    ) -> Result<()> {
        self.launches.launch_with(device, kernel, out_of_bounds)
    }
}
