//! Random tensors and `torch.Generator`.

use rustpython_vm::builtins::{PyBytes, PyInt, PyType};
use rustpython_vm::function::FuncArgs;
use rustpython_vm::types::{Constructor, Representable};
use rustpython_vm::{AsObject, Py, PyObject, PyObjectRef, PyPayload, PyRef, PyResult, VirtualMachine, pyclass};

use super::args::{Bound, Call};
use super::binding::{F, FM, M, Row};
use super::creation::{Options, place_like};
use super::data::sizes;
use super::device::{self, device_of};
use super::error::OrRaise;
use super::tensor::{answer, tensor_of, wrap};
use crate::device::Device;
use crate::dtype::DType;
use crate::engine;
use crate::error::{Error, Result};
use crate::ops::random::{self, Generator};
use crate::tensor::Tensor;

#[pyclass(module = "torch", name = "Generator")]
#[derive(PyPayload)]
pub(super) struct PyGenerator {
    /// None means the default generator of `device`.
    generator: Option<Generator>,
    device: Device,
}

impl std::fmt::Debug for PyGenerator {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Generator({})", self.device)
    }
}

/// The default generator of a device.
fn default_generator(device: Device, vm: &VirtualMachine) -> PyObjectRef {
    PyGenerator { generator: None, device }.into_ref(&vm.ctx).into()
}

impl Constructor for PyGenerator {
    type Args = FuncArgs;

    fn py_new(_cls: &Py<PyType>, args: FuncArgs, vm: &VirtualMachine) -> PyResult<Self> {
        let object = args.args.first().cloned().or_else(|| args.kwargs.get("device").cloned());
        let device = match object {
            None => Device::CPU,
            Some(o) => match device_of(&o, vm) {
                Some(device) => device?,
                None => return Err(vm.new_type_error("Generator() argument 'device' must be torch.device")),
            },
        };
        let e = engine::current();
        if device.is_cuda() && e.devices.cuda_count() == 0 && e.devices.machine.build == crate::machine::Build::Cuda {
            return Err(super::error::raise(Error::accelerator(engine::INSUFFICIENT_DRIVER), vm));
        }
        let generator = Generator::new(device).or_raise(vm)?;
        Ok(PyGenerator { generator: Some(generator), device })
    }
}

impl Representable for PyGenerator {
    fn repr_str(zelf: &Py<Self>, _vm: &VirtualMachine) -> PyResult<String> {
        Ok(format!("<torch._C.Generator object at {:#x}>", zelf.as_object().get_id()))
    }
}

/// A seed from a Python int: -2^63 to 2^64 - 1.
pub(super) fn seed_of(object: &PyObject, vm: &VirtualMachine) -> PyResult<u64> {
    let int: PyRef<PyInt> = match object.downcast_ref::<PyInt>() {
        Some(int) => int.to_owned(),
        None => object.try_int(vm)?,
    };
    let value = int.as_bigint();
    if let Ok(n) = u64::try_from(value) {
        return Ok(n);
    }
    i64::try_from(value).map(i64::cast_unsigned).map_err(|_| vm.new_value_error("Overflow when unpacking long long"))
}

fn bytes_tensor(bytes: &[u8], vm: &VirtualMachine) -> PyResult {
    answer(Tensor::from_bytes(bytes, &[bytes.len()], DType::U8, Device::CPU), vm)
}

fn state_bytes(object: &PyObject, vm: &VirtualMachine) -> PyResult<Vec<u8>> {
    match tensor_of(object) {
        Some(t) if t.dtype() == DType::U8 => crate::ops::transfer::to_host(t, crate::trace::Why::Item).or_raise(vm),
        Some(_) => Err(vm.new_type_error("RNG state must be a torch.ByteTensor")),
        None => {
            let got = super::convert::type_name(object);
            Err(vm.new_type_error(format!("expected a torch.ByteTensor, but got {got}")))
        }
    }
}

#[pyclass(with(Constructor, Representable), flags(IMMUTABLETYPE))]
impl PyGenerator {
    #[pygetset]
    fn device(zelf: &Py<Self>, vm: &VirtualMachine) -> PyObjectRef {
        device::object(zelf.device, vm)
    }

    #[pymethod]
    fn manual_seed(zelf: PyRef<Self>, seed: PyObjectRef, vm: &VirtualMachine) -> PyResult<PyRef<Self>> {
        if seed.try_index_opt(vm).is_none() {
            let text = format!("manual_seed expected a long, but got {}", super::convert::type_name(&seed));
            return Err(vm.new_runtime_error(text));
        }
        let seed = seed_of(&seed, vm)?;
        match &zelf.generator {
            Some(g) => g.manual_seed(seed),
            None => seed_default(zelf.device, seed).or_raise(vm)?,
        }
        Ok(zelf)
    }

    #[pymethod]
    fn seed(zelf: PyRef<Self>, vm: &VirtualMachine) -> PyResult<u64> {
        let seed = fresh_seed();
        match &zelf.generator {
            Some(g) => g.manual_seed(seed),
            None => seed_default(zelf.device, seed).or_raise(vm)?,
        }
        Ok(seed)
    }

    #[pymethod]
    fn initial_seed(zelf: &Py<Self>) -> u64 {
        match &zelf.generator {
            Some(g) => g.initial_seed(),
            None => default_seed(zelf.device),
        }
    }

    #[pymethod]
    fn get_state(zelf: &Py<Self>, vm: &VirtualMachine) -> PyResult {
        let bytes = match &zelf.generator {
            Some(g) => g.state(),
            None => default_state(zelf.device),
        };
        bytes_tensor(&bytes, vm)
    }

    #[pymethod]
    fn set_state(zelf: PyRef<Self>, state: PyObjectRef, vm: &VirtualMachine) -> PyResult<PyRef<Self>> {
        let bytes = state_bytes(&state, vm)?;
        match &zelf.generator {
            Some(g) => g.set_state(&bytes),
            None => set_default_state(zelf.device, &bytes),
        }
        .or_raise(vm)?;
        Ok(zelf)
    }

    /// A generator of its own that goes on from the same state.
    #[pymethod]
    fn clone_state(zelf: &Py<Self>, vm: &VirtualMachine) -> PyResult<PyRef<Self>> {
        let generator = Generator::new(zelf.device).or_raise(vm)?;
        let bytes = match &zelf.generator {
            Some(g) => g.state(),
            None => default_state(zelf.device),
        };
        generator.set_state(&bytes).or_raise(vm)?;
        Ok(PyGenerator { generator: Some(generator), device: zelf.device }.into_ref(&vm.ctx))
    }
}

/// A seed that differs from run to run.
fn fresh_seed() -> u64 {
    use std::hash::{BuildHasher, Hasher};
    let mut hasher = std::collections::hash_map::RandomState::new().build_hasher();
    hasher.write_u64(crate::trace::now_micros().to_bits());
    hasher.finish() & ((1 << 53) - 1)
}

fn seed_default(device: Device, seed: u64) -> Result<()> {
    let e = engine::current();
    match e.devices.accelerator(device) {
        Some(a) => a.seed(seed)?,
        None => e.devices.cpu_generator.borrow_mut().manual_seed(seed),
    }
    Ok(())
}

fn default_seed(device: Device) -> u64 {
    let e = engine::current();
    match e.devices.accelerator(device) {
        Some(a) => a.generator.borrow().initial_seed(),
        None => e.devices.cpu_generator.borrow().initial_seed(),
    }
}

fn default_state(device: Device) -> Vec<u8> {
    let e = engine::current();
    match e.devices.accelerator(device) {
        Some(a) => a.generator.borrow().state(),
        None => e.devices.cpu_generator.borrow().state(),
    }
}

fn set_default_state(device: Device, bytes: &[u8]) -> Result<()> {
    let e = engine::current();
    match e.devices.accelerator(device) {
        Some(a) => a.generator.borrow_mut().set_state(bytes),
        None => e.devices.cpu_generator.borrow_mut().set_state(bytes),
    }
}

/// Seeds everything again, as a new process does.
pub(super) fn reset() {
    seed_all(fresh_seed());
}

fn seed_all(seed: u64) {
    let e = engine::current();
    e.devices.cpu_generator.borrow_mut().manual_seed(seed);
    for a in e.devices.accelerators() {
        a.generator.borrow_mut().manual_seed(seed);
    }
}

/// `_manual_seed(seed)`: every generator of the machine.
fn manual_seed(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.bind(&["seed"], 1)?;
    let object = a.get(0).cloned().unwrap_or_else(|| vm.ctx.none());
    let seed = seed_of(&object, vm)?;
    let e = engine::current();
    e.devices.cpu_generator.borrow_mut().manual_seed(seed);
    for a in e.devices.accelerators() {
        a.seed(seed).or_raise(vm)?;
    }
    Ok(default_generator(Device::CPU, vm))
}

/// `_seed_cuda(seed, index or None)`: accelerators only.
fn seed_cuda(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.bind(&["seed", "index"], 1)?;
    let object = a.get(0).cloned().unwrap_or_else(|| vm.ctx.none());
    let (seed, only) = (seed_of(&object, vm)?, a.int_or_none(1)?);
    let e = engine::current();
    for a in e.devices.accelerators() {
        if only.is_none_or(|i| a.device().index.map(i64::from) == Some(i)) {
            a.seed(seed).or_raise(vm)?;
        }
    }
    Ok(vm.ctx.none())
}

/// `_random_states()`: what the default generators of the machine will draw, as bytes. Unlike `get_state`, it makes no tensors.
fn random_states(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let e = engine::current();
    let devices = [Device::CPU].into_iter().chain(e.devices.accelerators().iter().map(|a| a.device()));
    Ok(vm.ctx.new_list(devices.map(|device| vm.ctx.new_bytes(default_state(device)).into()).collect()).into())
}

/// `_draw_again(states)`: has them go on from such states.
fn draw_again(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let states = call.positional().first().and_then(|given| super::convert::sequence(given)).unwrap_or_default();
    let e = engine::current();
    let devices = [Device::CPU].into_iter().chain(e.devices.accelerators().iter().map(|a| a.device()));
    for (device, state) in devices.zip(&states) {
        let Some(bytes) = state.downcast_ref::<PyBytes>() else { return Err(vm.new_type_error("a state is bytes")) };
        set_default_state(device, bytes.as_bytes()).or_raise(vm)?;
    }
    Ok(vm.ctx.none())
}

fn seed(call: Call<'_>) -> PyResult {
    let seed = fresh_seed();
    seed_all(seed);
    Ok(call.vm.ctx.new_int(seed).into())
}

fn initial_seed(call: Call<'_>) -> PyResult {
    Ok(call.vm.ctx.new_int(default_seed(Device::CPU)).into())
}

/// `_default_generator(device)`.
fn generator_of(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.bind(&["device"], 0)?;
    let device = a.device(0)?.unwrap_or(Device::CPU);
    let device = if device.is_cpu() { device } else { engine::current().resolve(device).or_raise(vm)? };
    Ok(default_generator(device, vm))
}

/// The generator among a call's arguments. A default generator counts as none.
pub(super) fn generator(a: &Bound<'_>) -> PyResult<Option<Generator>> {
    let Some(object) = a.some("generator") else { return Ok(None) };
    match object.downcast_ref::<PyGenerator>() {
        Some(g) => Ok(g.generator.clone()),
        None => Err(a.wrong("generator", "torch.Generator")),
    }
}

type Filler = fn(&[usize], DType, Device, Option<&Generator>) -> Result<Tensor>;

fn shaped(call: Call<'_>, f: Filler) -> PyResult {
    let (vm, name) = (call.vm, call.name);
    let a = call.args()?;
    let o = Options::of(&a)?;
    let shape = sizes(name, &a.ints(0)?, o.dtype_or_default(), o.place()).or_raise(vm)?;
    let g = generator(&a)?;
    o.finish(f(&shape, o.dtype_or_default(), o.place(), g.as_ref()), vm)
}

fn randint(call: Call<'_>) -> PyResult {
    let (vm, name) = (call.vm, call.name);
    let a = call.args()?;
    let o = Options::of(&a)?;
    let g = generator(&a)?;
    // `randint(high, size)` or `randint(low, high, size)`.
    let (low, high) = (if a.takes("low") { a.int("low")? } else { 0 }, a.int("high")?);
    let dtype = o.dtype.unwrap_or(DType::I64);
    let shape = sizes(name, &a.ints("size")?, dtype, o.place()).or_raise(vm)?;
    o.finish(random::randint(low, high, &shape, dtype, o.place(), g.as_ref()), vm)
}

fn randperm(call: Call<'_>) -> PyResult {
    let (vm, name) = (call.vm, call.name);
    let a = call.args()?;
    let o = Options::of(&a)?;
    let g = generator(&a)?;
    let dtype = o.dtype.unwrap_or(DType::I64);
    let shape = sizes(name, &[a.int(0)?], dtype, o.place()).or_raise(vm)?;
    o.finish(random::randperm(shape[0], dtype, o.place(), g.as_ref()), vm)
}

fn like(call: Call<'_>, f: fn(&Tensor, Option<&Generator>) -> Result<()>) -> PyResult {
    let vm = call.vm;
    let a = call.args()?;
    let (t, o, g) = (a.tensor(0)?, Options::of(&a)?, generator(&a)?);
    let made = place_like(&t, &o).and_then(|out| {
        let _off = crate::autograd::GradMode::set(false);
        f(&out, g.as_ref()).map(|()| out)
    });
    o.finish(made, vm)
}

fn randint_like(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.args()?;
    let (t, o, g) = (a.tensor(0)?, Options::of(&a)?, generator(&a)?);
    let (low, high) = (if a.takes("low") { a.int("low")? } else { 0 }, a.int("high")?);
    let fill = |out: Tensor| random::random_(&out, Some(low), Some(high), g.as_ref()).map(|()| out);
    let made = place_like(&t, &o).and_then(fill);
    o.finish(made, vm)
}

fn normal(call: Call<'_>) -> PyResult {
    let (vm, name) = (call.vm, call.name);
    let a = call.args()?;
    let g = generator(&a)?;
    if a.takes("size") {
        let o = Options::of(&a)?;
        let shape = sizes(name, &a.ints("size")?, o.dtype_or_default(), o.place()).or_raise(vm)?;
        let (mean, std) = (a.f64(0)?, a.f64(1)?);
        let made = Tensor::empty(&shape, o.dtype_or_default(), o.place())
            .and_then(|t| random::normal_(&t, mean, std, g.as_ref()).map(|()| t));
        return o.finish(made, vm);
    }
    let std = if a.some(1).is_none() { crate::ops::Arg::from(1.0) } else { a.operand(1)? };
    answer(random::normal(&a.operand(0)?, &std, g.as_ref()), vm)
}

fn two_floats(
    call: Call<'_>,
    defaults: (f64, f64),
    f: fn(&Tensor, f64, f64, Option<&Generator>) -> Result<()>,
) -> PyResult {
    let vm = call.vm;
    let object = call.self_object()?;
    let a = call.args()?;
    let g = generator(&a)?;
    f(&a.tensor(0)?, a.f64_or(1, defaults.0)?, a.f64_or(2, defaults.1)?, g.as_ref()).or_raise(vm)?;
    Ok(object)
}

fn random_in_place(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let object = call.self_object()?;
    let a = call.args()?;
    let g = generator(&a)?;
    let bound = |name: &str| if a.takes(name) { a.int_or_none(name) } else { Ok(None) };
    let (from, to) = (bound("from")?, bound("to")?);
    random::random_(&a.tensor(0)?, from, to, g.as_ref()).or_raise(vm)?;
    Ok(object)
}

fn bernoulli_in_place(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let object = call.self_object()?;
    let a = call.args()?;
    let g = generator(&a)?;
    if let Some(p) = a.get(1).and_then(|o| tensor_of(o)) {
        let drawn = random::bernoulli(p, g.as_ref()).or_raise(vm)?;
        crate::ops::transfer::copy_(&a.tensor(0)?, &drawn, false).or_raise(vm)?;
    } else {
        random::bernoulli_(&a.tensor(0)?, a.f64_or(1, 0.5)?, g.as_ref()).or_raise(vm)?;
    }
    Ok(object)
}

fn bernoulli(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.args()?;
    let g = generator(&a)?;
    let t = a.tensor(0)?;
    if a.takes("p") {
        let out = Tensor::empty(&t.shape(), t.dtype(), t.device()).or_raise(vm)?;
        random::bernoulli_(&out, a.f64("p")?, g.as_ref()).or_raise(vm)?;
        return Ok(wrap(out, vm));
    }
    answer(random::bernoulli(&t, g.as_ref()), vm)
}

fn exponential_in_place(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let object = call.self_object()?;
    let a = call.args()?;
    let g = generator(&a)?;
    random::exponential_(&a.tensor(0)?, a.f64_or(1, 1.0)?, g.as_ref()).or_raise(vm)?;
    Ok(object)
}

fn geometric_in_place(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let object = call.self_object()?;
    let a = call.args()?;
    let g = generator(&a)?;
    random::geometric_(&a.tensor(0)?, a.f64(1)?, g.as_ref()).or_raise(vm)?;
    Ok(object)
}

fn multinomial(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.args()?;
    let g = generator(&a)?;
    let (weights, n, replacement) = (a.tensor(0)?, a.int(1)?, a.bool_or(2, false)?);
    if n > 0 && replacement {
        crate::shape::contiguous_bytes(&[n], crate::dtype::DType::I64.size()).or_raise(vm)?;
    }
    answer(random::multinomial(&weights, crate::shape::clamped(n), replacement, g.as_ref()), vm)
}

pub(super) const ROWS: &[&[Row]] = &[&[
    ("_manual_seed", F, manual_seed),
    ("_seed_cuda", F, seed_cuda),
    ("seed", F, seed),
    ("initial_seed", F, initial_seed),
    ("_default_generator", F, generator_of),
    ("_random_states", F, random_states),
    ("_draw_again", F, draw_again),
    ("rand", F, |c| shaped(c, random::rand)),
    ("randn", F, |c| shaped(c, random::randn)),
    ("randint", F, randint),
    ("randperm", F, randperm),
    ("rand_like", F, |c| like(c, |t, g| random::uniform_(t, 0.0, 1.0, g))),
    ("randn_like", F, |c| like(c, |t, g| random::normal_(t, 0.0, 1.0, g))),
    ("randint_like", F, randint_like),
    ("normal", F, normal),
    ("uniform_", M, |c| two_floats(c, (0.0, 1.0), random::uniform_)),
    ("normal_", M, |c| two_floats(c, (0.0, 1.0), random::normal_)),
    ("log_normal_", M, |c| two_floats(c, (1.0, 2.0), random::log_normal_)),
    ("random_", M, random_in_place),
    ("bernoulli_", M, bernoulli_in_place),
    ("bernoulli", FM, bernoulli),
    ("exponential_", M, exponential_in_place),
    ("cauchy_", M, |c| two_floats(c, (0.0, 1.0), random::cauchy_)),
    ("geometric_", M, geometric_in_place),
    ("multinomial", FM, multinomial),
]];
