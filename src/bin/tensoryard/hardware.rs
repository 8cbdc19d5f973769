//! The hardware that executes a program: what this machine has, or what the command line names.

use std::io::Write;
use std::rc::Rc;

use clap::ValueEnum;
use tensoryard::engine::Engine;
use tensoryard::executor::Executor as Hardware;
use tensoryard::machine::Machine;

/// What executes the machine's accelerators.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Executor {
    Cpu,
    Webgpu,
    Cuda,
}

impl Executor {
    /// As the command line spells it.
    pub fn name(self) -> &'static str {
        match self {
            Executor::Cpu => "cpu",
            Executor::Webgpu => "webgpu",
            Executor::Cuda => "cuda",
        }
    }
}

/// One simulated GPU: the default for a learner who has none.
pub const DEFAULT_MACHINE: &str = "cuda:1";

/// The environment variable for `--capture-steps`, for programs that other commands start.
const CAPTURE_STEPS: &str = "TENSORYARD_CAPTURE_STEPS";

/// Like [`engine`]. If the argument or the environment says so, launches that repeat become graphs.
///
/// # Errors
/// Those of [`engine`]; graphs are wanted but the cuda executor doesn't execute the accelerators.
pub fn engine_for(name: Option<&str>, executor: Option<Executor>, capture_steps: bool) -> Result<Engine, String> {
    let captures = capture_steps || std::env::var_os(CAPTURE_STEPS).is_some_and(|value| !value.is_empty());
    let engine = engine(name, executor, captures)?;
    let needs = format!("--capture-steps ({CAPTURE_STEPS}) needs NVIDIA GPUs and the executor 'cuda'");
    match engine.devices.accelerators().first().map(|a| a.executor.name()) {
        _ if !captures => Ok(engine),
        Some("cuda") => Ok(engine),
        Some(other) => Err(format!("{needs}; here it is '{other}'")),
        None => Err(format!("{needs}; here is no accelerator")),
    }
}

/// The engine for the command line's options. With neither a machine nor an executor, it uses this machine's
/// NVIDIA GPUs, or else a GPU that WebGPU can use as `cuda:0`, or else one simulated `cuda:0`.
///
/// # Errors
/// A sentence for the user: an unknown machine, or a named executor that isn't available.
fn engine(name: Option<&str>, executor: Option<Executor>, captures: bool) -> Result<Engine, String> {
    match (name, executor) {
        (None, None) => here(captures),
        (None, Some(Executor::Cuda)) => Ok(real_or_none(captures)),
        (Some(name), Some(Executor::Cuda)) => cuda(machine(name)?, captures),
        (name, Some(Executor::Webgpu)) => webgpu(machine(name.unwrap_or(DEFAULT_MACHINE))?),
        (name, _) => Ok(Engine::on_cpu(machine(name.unwrap_or(DEFAULT_MACHINE))?)),
    }
}

fn here(captures: bool) -> Result<Engine, String> {
    if gpu_is_shown() {
        return Ok(real_or_none(captures));
    }
    let default = machine(DEFAULT_MACHINE)?;
    Ok(hardware_webgpu(&default).unwrap_or_else(|| Engine::on_cpu(default)))
}

/// The real GPUs. Without them, the machine of a CUDA build without a driver, as PyTorch would find it; then a sentence
/// on standard error says what is missing.
fn real_or_none(captures: bool) -> Engine {
    match real(captures) {
        Ok(engine) => engine,
        Err(why) => {
            // If standard error is closed, there is nowhere to report that.
            let _ = writeln!(std::io::stderr(), "tensoryard: {why}");
            Engine::on_cpu(Machine::default())
        }
    }
}

/// A preset by its name, or the machine in a JSON file.
pub fn machine(name: &str) -> Result<Machine, String> {
    if !name.ends_with(".json") {
        return Machine::preset(name).map_err(|error| error.message);
    }
    let text = std::fs::read_to_string(name).map_err(|error| format!("machine file {name}: {error}"))?;
    Machine::from_json(&text, name).map_err(|error| error.message)
}

#[cfg(feature = "cuda")]
mod nvidia {
    use super::*;
    use tensoryard::executor::cuda::CudaExecutor;
    use tensoryard::executor::cuda::driver::{Card, cards};
    use tensoryard::machine::{AcceleratorKind, DeviceSpec};

    pub fn gpu_is_shown() -> bool {
        cards().is_ok()
    }

    /// Every GPU of this machine as `cuda:N`, with its own name, memory and multiprocessors.
    pub fn real(captures: bool) -> Result<Engine, String> {
        let cards = cards()?;
        let devices = cards.iter().map(|card| DeviceSpec {
            name: Some(card.name.clone()),
            memory_mib: (card.memory >> 20) as usize,
            multiprocessors: card.multiprocessors,
            ..DeviceSpec::new(AcceleratorKind::Cuda)
        });
        let machine =
            Machine { name: format!("cuda:{}", cards.len()), devices: devices.collect(), ..Machine::default() };
        on(machine, &cards, captures)
    }

    /// A machine from a description, on this machine's GPUs. Several of its devices may share a GPU.
    pub fn cuda(machine: Machine, captures: bool) -> Result<Engine, String> {
        on(machine, &cards()?, captures)
    }

    /// An executor for each GPU of this machine, which has at least one.
    ///
    /// # Errors
    /// What is missing, or the GPU that can't be started.
    pub fn executors() -> Result<Vec<Rc<dyn Hardware>>, String> {
        first(cards()?.len(), false)
    }

    fn first(count: usize, captures: bool) -> Result<Vec<Rc<dyn Hardware>>, String> {
        let one = |ordinal| {
            let made = match captures {
                true => CudaExecutor::capturing_steps(ordinal)?,
                false => CudaExecutor::new(ordinal)?,
            };
            Ok(Rc::new(made) as Rc<dyn Hardware>)
        };
        (0..count).map(one).collect()
    }

    fn on(machine: Machine, cards: &[Card], captures: bool) -> Result<Engine, String> {
        let executors = first(machine.devices.len().clamp(1, cards.len()), captures)?;
        let engine = shared(machine, &executors);
        // The driver has already applied the value that was set when this process started.
        engine.devices.set_applied(std::env::var("CUDA_VISIBLE_DEVICES").ok());
        Ok(engine)
    }
}

#[cfg(not(feature = "cuda"))]
mod nvidia {
    use super::*;

    const MISSING: &str = "the cuda executor is not part of this build: build with '--features cuda'";

    pub fn gpu_is_shown() -> bool {
        false
    }

    pub fn real(_: bool) -> Result<Engine, String> {
        Err(MISSING.into())
    }

    pub fn cuda(_: Machine, _: bool) -> Result<Engine, String> {
        Err(MISSING.into())
    }

    pub fn executors() -> Result<Vec<Rc<dyn Hardware>>, String> {
        Err(MISSING.into())
    }
}

use nvidia::{cuda, gpu_is_shown, real};

/// The executor of the accelerators of several described machines, one after the other. It belongs to one thread.
pub struct Available {
    pub name: &'static str,
    /// Empty if the CPU executor simulates the accelerators.
    executors: Vec<Rc<dyn Hardware>>,
}

impl Available {
    /// # Errors
    /// Why it isn't available.
    pub fn new(wanted: Executor) -> Result<Available, String> {
        let executors = match wanted {
            Executor::Cpu => Vec::new(),
            Executor::Webgpu => vec![webgpu_executor()?],
            Executor::Cuda => nvidia::executors()?,
        };
        Ok(Available { name: wanted.name(), executors })
    }

    pub fn engine(&self, machine: Machine) -> Engine {
        if self.executors.is_empty() { Engine::on_cpu(machine) } else { shared(machine, &self.executors) }
    }
}

/// An engine whose devices are distributed over the executors in turn.
fn shared(machine: Machine, executors: &[Rc<dyn Hardware>]) -> Engine {
    Engine::new(machine, |device| executors[device.index.unwrap_or(0).max(0) as usize % executors.len()].clone())
}

fn webgpu(machine: Machine) -> Result<Engine, String> {
    Ok(shared(machine, &[webgpu_executor()?]))
}

#[cfg(feature = "webgpu")]
fn webgpu_executor() -> Result<Rc<dyn Hardware>, String> {
    Ok(Rc::new(tensoryard::executor::webgpu::WebGpuExecutor::new()?))
}

#[cfg(not(feature = "webgpu"))]
fn webgpu_executor() -> Result<Rc<dyn Hardware>, String> {
    Err("the webgpu executor is not part of this build".into())
}

/// False if there can't be a GPU. Checking this is faster than loading every graphics driver, and those also complain on
/// standard error.
#[cfg(all(feature = "webgpu", target_os = "linux"))]
fn has_display_device() -> bool {
    ["/dev/dri", "/dev/nvidiactl", "/dev/dxg"].iter().any(|path| std::path::Path::new(path).exists())
}

#[cfg(all(feature = "webgpu", not(target_os = "linux")))]
fn has_display_device() -> bool {
    true
}

/// The machine on a GPU that WebGPU can use; `None` if there is none, or if the adapter is software on the processor, which
/// our own CPU kernels outperform.
fn hardware_webgpu(machine: &Machine) -> Option<Engine> {
    #[cfg(feature = "webgpu")]
    {
        if !has_display_device() {
            return None;
        }
        let gpu = tensoryard::executor::webgpu::WebGpuExecutor::new().ok().filter(|gpu| !gpu.is_software())?;
        let gpu = Rc::new(gpu);
        Some(Engine::new(machine.clone(), |_| gpu.clone()))
    }
    #[cfg(not(feature = "webgpu"))]
    {
        let _ = machine;
        None
    }
}
