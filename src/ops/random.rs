//! Random tensors, drawn from an explicit generator or from the device's own.
//!
//! CPU tensors draw from a [`CpuGenerator`], tensors on accelerators from Philox in a kernel. A generator for another device
//! is refused, as in PyTorch.

use std::cell::RefCell;
use std::rc::Rc;

use half::{bf16, f16};

use crate::autograd;
use crate::device::Device;
use crate::dtype::{DType, Scalar};
use crate::engine::{self, Engine, host};
use crate::error::{Error, Result, double};
use crate::executor::{BinaryOp, Draw, Kernel, ReduceOp, ScanOp, UnaryOp};
use crate::ops::{self, dtypes, rows};
use crate::rng::philox::random_pairs;
use crate::rng::{CpuGenerator, CudaGenerator};
use crate::shape::Layout;
use crate::tensor::{Pin, Tensor};

/// `torch.Generator(device=...)`. Clones are the same generator.
#[derive(Clone)]
pub struct Generator(Rc<Inner>);

struct Inner {
    device: Device,
    state: RefCell<State>,
}

enum State {
    Cpu(Box<CpuGenerator>),
    Cuda(CudaGenerator),
}

impl Generator {
    /// A new generator with PyTorch's default seed.
    ///
    /// # Errors
    /// An unusable device.
    pub fn new(device: Device) -> Result<Generator> {
        let device = engine::current().resolve(device)?;
        let state = if device.is_cpu() || device.is_meta() {
            State::Cpu(Box::default())
        } else {
            State::Cuda(CudaGenerator::default())
        };
        Ok(Generator(Rc::new(Inner { device, state: RefCell::new(state) })))
    }

    pub fn device(&self) -> Device {
        self.0.device
    }

    pub fn manual_seed(&self, seed: u64) {
        match &mut *self.0.state.borrow_mut() {
            State::Cpu(g) => g.manual_seed(seed),
            State::Cuda(g) => g.manual_seed(seed),
        }
    }

    pub fn initial_seed(&self) -> u64 {
        match &*self.0.state.borrow() {
            State::Cpu(g) => g.initial_seed(),
            State::Cuda(g) => g.initial_seed(),
        }
    }

    /// The bytes of `get_state()`.
    pub fn state(&self) -> Vec<u8> {
        match &*self.0.state.borrow() {
            State::Cpu(g) => g.state(),
            State::Cuda(g) => g.state(),
        }
    }

    /// # Errors
    /// Bytes that aren't a state of this kind of generator.
    pub fn set_state(&self, bytes: &[u8]) -> Result<()> {
        match &mut *self.0.state.borrow_mut() {
            State::Cpu(g) => g.set_state(bytes),
            State::Cuda(g) => g.set_state(bytes),
        }
    }
}

/// Refuses a generator of another device type or index.
fn check_generator(device: Device, generator: Option<&Generator>) -> Result<()> {
    let Some(g) = generator else { return Ok(()) };
    if device.is_meta() || g.device() == device {
        return Ok(());
    }
    if g.device().kind != device.kind {
        return Err(Error::runtime(format!(
            "Expected a '{}' device type for generator but found '{}'",
            device.kind.name(),
            g.device().kind.name()
        )));
    }
    Err(Error::runtime(format!("Expected a '{device}' generator device but found '{}'", g.device())))
}

/// Runs `f` with the given CPU generator, or with the default one.
fn with_cpu<R>(engine: &Engine, generator: Option<&Generator>, f: impl FnOnce(&mut CpuGenerator) -> R) -> Result<R> {
    match generator {
        None => Ok(f(&mut engine.devices.cpu_generator.borrow_mut())),
        Some(g) => match &mut *g.0.state.borrow_mut() {
            State::Cpu(g) => Ok(f(g)),
            State::Cuda(_) => Err(Error::runtime("Expected a 'cpu' device type for generator but found 'cuda'")),
        },
    }
}

/// How many elements four 32-bit draws give: float64 takes two draws for each.
fn per_thread(dtype: DType) -> u64 {
    if dtype == DType::F64 { 2 } else { 4 }
}

/// Launches a draw on an accelerator. Every four 32-bit draws give `per_thread` elements.
pub(crate) fn launch_draw(out: &Tensor, draw: Draw, per_thread: u64, generator: Option<&Generator>) -> Result<()> {
    launch_drawn(out, draw, per_thread, generator, false)
}

/// Like [`launch_draw`]. With `apart`, no thread draws for a second element, however many elements there are: PyTorch's
/// sampling kernels start as many threads as they need.
fn launch_drawn(out: &Tensor, draw: Draw, per_thread: u64, generator: Option<&Generator>, apart: bool) -> Result<()> {
    let engine = engine::current();
    let Some(a) = engine.devices.accelerator(out.device()) else {
        return Err(Error::runtime(format!("{} has no generator", out.device())));
    };
    let (n, processors) = (if apart { out.numel().min(1) } else { out.numel() }, a.spec.multiprocessors);
    let mut philox = match generator {
        None => a.draw(n, per_thread),
        Some(_) if engine.devices.is_capturing(out.device()) => {
            return Err(Error::runtime(engine::capture::FOREIGN_GENERATOR));
        }
        Some(g) => match &mut *g.0.state.borrow_mut() {
            State::Cuda(g) => g.launch(n, per_thread, processors),
            State::Cpu(_) => {
                return Err(Error::runtime(format!(
                    "Expected a '{}' device type for generator but found 'cpu'",
                    out.device().kind.name()
                )));
            }
        },
    };
    if apart {
        philox.multiprocessors = u32::MAX;
    }
    if out.is_contiguous() {
        let pin = Pin::of(out);
        return engine.launch(out.device(), &Kernel::Random { draw, philox, out: pin.view()? });
    }
    let dense = Tensor::empty_with(Layout::contiguous(&out.shape()), out.dtype(), out.device(), false)?;
    let pin = Pin::of(&dense);
    engine.launch(out.device(), &Kernel::Random { draw, philox, out: pin.view()? })?;
    ops::transfer::copy_data(out, &dense)
}

/// Writes numbers of one dtype, drawn on the host, into a CPU tensor.
fn write<T: Copy, const N: usize>(out: &Tensor, values: &[T], bytes: fn(T) -> [u8; N]) -> Result<()> {
    let mut raw = host::room(values.len() * N)?;
    for &v in values {
        raw.extend_from_slice(&bytes(v));
    }
    write_bytes(out, &raw)
}

fn write_bytes(out: &Tensor, raw: &[u8]) -> Result<()> {
    if out.is_contiguous() {
        return out.storage().write(out.offset(), raw);
    }
    // PyTorch's loops go through memory with the largest stride outermost, whatever the order of the dimensions.
    let layout = out.layout();
    let mut order: Vec<usize> = (0..layout.ndim()).collect();
    order.sort_by_key(|&d| std::cmp::Reverse(layout.strides[d]));
    let through = Layout {
        shape: order.iter().map(|&d| layout.shape[d]).collect(),
        strides: order.iter().map(|&d| layout.strides[d]).collect(),
        offset: layout.offset,
    };
    let dense = Tensor::from_bytes(raw, &through.shape, out.dtype(), Device::CPU)?;
    ops::transfer::copy_data(&out.alias(through), &dense)
}

/// Fills a CPU tensor with numbers one by one, each converted to its dtype.
fn write_each(out: &Tensor, mut next: impl FnMut() -> Scalar) -> Result<()> {
    let mut raw = host::room(out.numel() * out.dtype().size())?;
    for i in 0..out.numel() {
        ops::create::look(i)?;
        ops::transfer::push_scalar(&mut raw, out.dtype(), next());
    }
    write_bytes(out, &raw)
}

/// Fills `out` with `draw`, between what all filling functions do: the checks before it, and after it the new version and
/// the node in the graph.
fn fill(
    out: &Tensor,
    generator: Option<&Generator>,
    name: &'static str,
    draw: impl FnOnce() -> Result<()>,
) -> Result<()> {
    autograd::check_in_place(out)?;
    autograd::check_no_overlap(out)?;
    if out.is_flipped() {
        return Err(Error::not_implemented(
            "drawing into a view of a conjugate isn't supported here; draw into the tensor that it is a view of",
        ));
    }
    check_generator(out.device(), generator)?;
    if !out.device().is_meta() && out.numel() > 0 {
        draw()?;
    }
    out.bump_version();
    if out.dtype().is_inexact() && autograd::needs_grad([out]) {
        autograd::record_in_place(name, out, &[], &[], |ctx| {
            Ok(smallvec::smallvec![Some(ops::zeros_like(ctx.grad())?)])
        })?;
    }
    Ok(())
}

/// Like [`fill`], for complex numbers, whose two parts are drawn one after the other.
fn fill_parts(
    out: &Tensor,
    generator: Option<&Generator>,
    name: &'static str,
    draw: impl FnOnce(&Tensor) -> Result<()>,
) -> Result<()> {
    fill(out, generator, name, || {
        let _no_grad = autograd::GradMode::set(false);
        draw(&ops::complex::view_as_real(&out.detach())?)
    })
}

/// Refuses integer and bool dtypes. `kernel` is PyTorch's name of what refuses them.
fn check_float(out: &Tensor, kernel: &str) -> Result<()> {
    if out.dtype().is_inexact() {
        return Ok(());
    }
    Err(Error::not_implemented(format!("\"{kernel}\" not implemented for '{}'", out.dtype().scalar_name())))
}

/// PyTorch's checks of an interval, whose ends and length a number of `dtype` must be able to hold.
fn check_uniform(dtype: DType, from: f64, to: f64) -> Result<()> {
    let largest = dtype.largest();
    for (end, name) in [(from, "from"), (to, "to")] {
        if !(-largest..=largest).contains(&end) {
            return Err(Error::runtime(format!("{name} is out of bounds for {}", dtype.c_name())));
        }
    }
    if from > to {
        return Err(Error::runtime(format!(
            "uniform_ expects to return a [from, to) range, but found from={} > to={}",
            double(from),
            double(to)
        )));
    }
    if to - from > largest {
        return Err(Error::runtime(format!(
            "uniform_ expects to-from <= std::numeric_limits<{}>::max(), but found to={} and from={} which result in to-from to exceed the limit",
            dtype.scalar_name(),
            double(to),
            double(from)
        )));
    }
    Ok(())
}

/// `out.uniform_(from, to)`.
///
/// # Errors
/// Ends or a length that the dtype can't hold; `from > to`; integer dtypes; a generator for another device.
pub(crate) fn uniform_(out: &Tensor, from: f64, to: f64, generator: Option<&Generator>) -> Result<()> {
    check_float(out, "check_uniform_bounds")?;
    check_uniform(out.dtype().part(), from, to)?;
    if out.dtype().is_complex() {
        let of_parts = |parts: &Tensor| uniform_(parts, from, to, generator);
        return fill_parts(out, generator, rows::UNIFORM_.node, of_parts);
    }
    fill(out, generator, rows::UNIFORM_.node, || {
        if !out.device().is_cpu() {
            return launch_draw(out, Draw::Uniform { from, to }, per_thread(out.dtype()), generator);
        }
        let n = out.numel();
        let engine = engine::current();
        with_cpu(&engine, generator, |g| match out.dtype() {
            DType::F64 => {
                let mut v = host::filled(0.0, n)?;
                g.uniform_f64(&mut v, from, to);
                write(out, &v, f64::to_le_bytes)
            }
            DType::F16 => {
                let mut v = host::filled(f16::ZERO, n)?;
                g.uniform_f16(&mut v, from, to);
                write(out, &v, f16::to_le_bytes)
            }
            DType::BF16 => {
                let mut v = host::filled(bf16::ZERO, n)?;
                g.uniform_bf16(&mut v, from, to);
                write(out, &v, bf16::to_le_bytes)
            }
            _ => {
                let mut v = host::filled(0.0, n)?;
                g.uniform_f32(&mut v, from, to);
                write(out, &v, f32::to_le_bytes)
            }
        })?
    })
}

/// Refuses a standard deviation that is negative or NaN.
fn check_deviation(std: f64) -> Result<()> {
    if std.is_nan() || std < 0.0 {
        return Err(Error::runtime(format!("normal expects std >= 0.0, but found std {}", double(std))));
    }
    Ok(())
}

/// `out.normal_(mean, std)`.
///
/// # Errors
/// A `std` that is negative or NaN; integer dtypes; a generator for another device.
pub(crate) fn normal_(out: &Tensor, mean: f64, std: f64, generator: Option<&Generator>) -> Result<()> {
    check_deviation(std)?;
    check_float(out, if out.device().is_cpu() { "normal_kernel_cpu" } else { "normal_kernel_cuda" })?;
    if out.dtype().is_complex() {
        // Each part has the mean and half of the variance.
        return fill_parts(out, generator, rows::nodes::NORMAL_, |parts| {
            normal_(parts, mean, std / std::f64::consts::SQRT_2, generator)
        });
    }
    fill(out, generator, rows::nodes::NORMAL_, || draw_normal(out, mean, std, generator))
}

fn draw_normal(out: &Tensor, mean: f64, std: f64, generator: Option<&Generator>) -> Result<()> {
    if !out.device().is_cpu() {
        return launch_draw(out, Draw::Normal { mean, std }, per_thread(out.dtype()), generator);
    }
    let n = out.numel();
    let engine = engine::current();
    with_cpu(&engine, generator, |g| {
        if !out.is_contiguous() {
            return write_each(out, || Scalar::Float(g.normal(mean, std)));
        }
        match out.dtype() {
            DType::F64 => {
                let mut v = host::filled(0.0, n)?;
                g.normal_f64(&mut v, mean, std);
                write(out, &v, f64::to_le_bytes)
            }
            DType::F16 => {
                let mut v = host::filled(f16::ZERO, n)?;
                g.normal_f16(&mut v, mean, std);
                write(out, &v, f16::to_le_bytes)
            }
            DType::BF16 => {
                let mut v = host::filled(bf16::ZERO, n)?;
                g.normal_bf16(&mut v, mean, std);
                write(out, &v, bf16::to_le_bytes)
            }
            _ => {
                let mut v = host::filled(0.0, n)?;
                g.normal_f32(&mut v, mean, std);
                write(out, &v, f32::to_le_bytes)
            }
        }
    })?
}

/// `out.log_normal_(mean, std)`: `exp` of normal numbers, which the CPU draws one by one in double precision.
///
/// # Errors
/// A `std` that isn't positive; dtypes other than real floating-point ones; a generator for another device.
pub(crate) fn log_normal_(out: &Tensor, mean: f64, std: f64, generator: Option<&Generator>) -> Result<()> {
    if std.is_nan() || std <= 0.0 {
        return Err(Error::runtime(format!("log_normal_ expects std > 0.0, but found std={}", double(std))));
    }
    dtypes::takes(&rows::LOG_NORMAL_, out)?;
    fill(out, generator, rows::LOG_NORMAL_.node, || {
        if out.device().is_cpu() {
            let engine = engine::current();
            return with_cpu(&engine, generator, |g| write_each(out, || Scalar::Float(g.normal(mean, std).exp())))?;
        }
        // 16-bit numbers are drawn and exponentiated in float32.
        let dtype = if out.dtype() == DType::F64 { DType::F64 } else { DType::F32 };
        let draws = Tensor::empty_with(Layout::contiguous(&out.shape()), dtype, out.device(), false)?;
        launch_draw(&draws, Draw::Normal { mean, std }, per_thread(dtype), generator)?;
        let _no_grad = autograd::GradMode::set(false);
        ops::transfer::copy_data(out, &ops::unary(UnaryOp::Exp, &draws)?)
    })
}

/// `torch.rand(shape)`: uniform numbers in [0, 1).
///
/// # Errors
/// An unusable device, out of memory; integer dtypes; a generator for another device.
pub fn rand(shape: &[usize], dtype: DType, device: Device, generator: Option<&Generator>) -> Result<Tensor> {
    let out = Tensor::empty(shape, dtype, device)?;
    fresh(|| uniform_(&out, 0.0, 1.0, generator))?;
    Ok(out)
}

/// `torch.randn(shape)`: normal numbers with mean 0 and standard deviation 1.
///
/// # Errors
/// Those of [`rand`].
pub fn randn(shape: &[usize], dtype: DType, device: Device, generator: Option<&Generator>) -> Result<Tensor> {
    let out = Tensor::empty(shape, dtype, device)?;
    fresh(|| normal_(&out, 0.0, 1.0, generator))?;
    Ok(out)
}

/// Filling a new tensor for the first time isn't a change that autograd must know about.
fn fresh(f: impl FnOnce() -> Result<()>) -> Result<()> {
    let _no_grad = autograd::GradMode::set(false);
    f()
}

/// `torch.normal(mean, std)`, of which one at least is a tensor. The result has their broadcast shape.
///
/// # Errors
/// A `std` that is negative, NaN or complex; shapes that don't broadcast; a generator for another device.
pub fn normal(mean: &ops::Arg, std: &ops::Arg, generator: Option<&Generator>) -> Result<Tensor> {
    let out = normal_data(mean, std, generator)?;
    let (name, given): (_, &[&Tensor]) = match (mean.tensor(), std.tensor()) {
        (Some(mean), Some(std)) => (rows::nodes::NORMAL_TENSORS, &[mean, std]),
        (Some(mean), None) => (rows::NORMAL.node, &[mean]),
        (None, Some(std)) => (rows::nodes::NORMAL_STD, &[std]),
        (None, None) => (rows::nodes::NORMAL_, &[]),
    };
    // PyTorch doesn't differentiate a sample with respect to its mean and deviation: their gradients are 0.
    super::record_zero(name, given, &out)?;
    Ok(out)
}

/// Refuses deviations of which one is negative or NaN. As in PyTorch, the host waits for the answer of a device.
fn check_deviations(std: &Tensor) -> Result<()> {
    if std.dtype().is_complex() {
        return Err(Error::runtime("normal expects standard deviation to be non-complex"));
    }
    if std.numel() == 0 || std.device().is_meta() {
        return Ok(());
    }
    let least = ops::reduce::extreme(std, false, &[], false, rows::MIN.node)?;
    let good = ops::binary(BinaryOp::Ge, &least.into(), &Scalar::Int(0).into())?;
    match ops::transfer::item(&good, crate::trace::Why::Item)?.as_bool() {
        true => Ok(()),
        false => Err(Error::runtime("normal expects all elements of std >= 0.0")),
    }
}

fn normal_data(mean: &ops::Arg, std: &ops::Arg, generator: Option<&Generator>) -> Result<Tensor> {
    let _no_grad = autograd::GradMode::set(false);
    match std {
        ops::Arg::Number(n) => check_deviation(n.as_f64())?,
        ops::Arg::Tensor(t) => check_deviations(t)?,
    }
    let Some(like) = mean.tensor().or(std.tensor()) else {
        return Err(Error::runtime("normal() needs a size when mean and std are numbers"));
    };
    let shape = match (mean.tensor(), std.tensor()) {
        (Some(m), Some(s)) => crate::shape::broadcast(&m.shape(), &s.shape())?,
        _ => like.shape(),
    };
    let out = Tensor::empty(&shape, like.dtype(), like.device())?;
    normal_(&out, 0.0, 1.0, generator)?;
    // In place in PyTorch, so in the dtype of the first tensor.
    let scaled = ops::transfer::cast(&ops::binary(BinaryOp::Mul, &(&out).into(), std)?, like.dtype())?;
    ops::transfer::cast(&ops::binary(BinaryOp::Add, &scaled.into(), mean)?, like.dtype())
}

/// `torch.randint(low, high, shape)`: integers in [low, high).
///
/// # Errors
/// Those of [`random_`]; an unusable device, out of memory.
pub fn randint(
    low: i64,
    high: i64,
    shape: &[usize],
    dtype: DType,
    device: Device,
    generator: Option<&Generator>,
) -> Result<Tensor> {
    let out = Tensor::empty(shape, dtype, device)?;
    fresh(|| random_(&out, Some(low), Some(high), generator))?;
    Ok(out)
}

/// The largest integer that `random_()` draws for a dtype; for floats, the largest that it holds exactly.
fn last_integer(dtype: DType) -> i64 {
    match dtype {
        DType::Bool => 1,
        DType::U8 => u8::MAX as i64,
        DType::I8 => i8::MAX as i64,
        DType::I16 => i16::MAX as i64,
        DType::U16 => u16::MAX as i64,
        DType::I32 => i32::MAX as i64,
        DType::U32 => u32::MAX as i64,
        DType::I64 => i64::MAX,
        DType::F16 => 1 << 11,
        DType::BF16 => 1 << 8,
        DType::F32 => 1 << 24,
        DType::F64 => 1 << 53,
        DType::C64 | DType::C128 => unreachable!("`random_` refuses complex dtypes first"),
    }
}

/// `out.random_(from, to)`: integers in [from, to). Without bounds, from 0 to the largest that the dtype can hold.
///
/// # Errors
/// An empty range; bounds that the dtype can't hold; complex dtypes; a generator for another device.
pub(crate) fn random_(out: &Tensor, from: Option<i64>, to: Option<i64>, generator: Option<&Generator>) -> Result<()> {
    let dtype = out.dtype();
    let unbounded = from.is_none() && to.is_none();
    if unbounded {
        dtypes::takes(&rows::RANDOM_, out)?;
    }
    if dtype.is_complex() {
        return Err(Error::runtime("check_random_bounds handles only integral, floating-point and boolean types"));
    }
    let base = from.unwrap_or(0);
    let end = to.map_or_else(|| last_integer(dtype) as i128 + 1, i128::from);
    if i128::from(base) >= end {
        return Err(Error::runtime(format!(
            "random_ expects 'from' to be less than 'to', but got from={base} >= to={end}"
        )));
    }
    if !unbounded && dtype.is_integral() {
        let (least, most) = match dtype {
            DType::Bool => (0, 1),
            DType::U8 => (0, u8::MAX as i64),
            DType::I8 => (i8::MIN as i64, i8::MAX as i64),
            DType::I16 => (i16::MIN as i64, i16::MAX as i64),
            DType::U16 => (0, u16::MAX as i64),
            DType::U32 => (0, u32::MAX as i64),
            DType::I32 => (i32::MIN as i64, i32::MAX as i64),
            _ => (i64::MIN, i64::MAX),
        };
        if base < least || base > most {
            return Err(Error::runtime(format!("from is out of bounds for {}", dtype.c_name())));
        }
        if end - 1 > i128::from(most) {
            return Err(Error::runtime(format!("to - 1 is out of bounds for {}", dtype.c_name())));
        }
    }
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "2^64 numbers, which don't fit, count as a range of 0"
    )]
    let range = (end - i128::from(base)) as u64;
    let node = match (from, to) {
        (None, None) => rows::nodes::RANDOM,
        (None, Some(_)) => rows::nodes::RANDOM_TO,
        _ => rows::nodes::RANDOM_FROM_TO,
    };
    fill(out, generator, node, || {
        if !out.device().is_cpu() {
            return launch_draw(out, Draw::Integers { base, range }, random_pairs(range), generator);
        }
        let engine = engine::current();
        with_cpu(&engine, generator, |g| {
            if unbounded {
                return write_each(out, || Scalar::Int(g.random_for(dtype)));
            }
            write_each(out, || Scalar::Int(g.random_from(base, range)))
        })?
    })
}

/// `torch.randperm(n)`: the numbers from 0 to n - 1 in a random order, as a vector. An accelerator draws a 64-bit key for each
/// and sorts them by their keys.
///
/// # Errors
/// An unusable device, out of memory; a dtype that can't hold n - 1; a generator for another device.
pub fn randperm(n: usize, dtype: DType, device: Device, generator: Option<&Generator>) -> Result<Tensor> {
    let device = engine::current().resolve(device)?;
    check_generator(device, generator)?;
    dtypes::taken(&rows::RANDPERM, dtype, device)?;
    let out = Tensor::empty(&[n], dtype, device)?;
    if device.is_meta() || n == 0 {
        return Ok(out);
    }
    let _no_grad = autograd::GradMode::set(false);
    if device.is_cpu() {
        let engine = engine::current();
        let mut values = host::filled(0, n)?;
        with_cpu(&engine, generator, |g| g.randperm(&mut values))?;
        let mut values = values.into_iter();
        write_each(&out, || Scalar::Int(values.next().unwrap_or(0)))?;
        return Ok(out);
    }
    let keys = Tensor::empty(&[n], DType::I64, device)?;
    launch_draw(&keys, Draw::Integers { base: i64::MIN, range: 0 }, 2, generator)?;
    let (_, order) = ops::sort::sort(&keys, 0, false)?;
    ops::transfer::copy_data(&out, &order)?;
    Ok(out)
}

fn check_probability(p: f64) -> Result<()> {
    if (0.0..=1.0).contains(&p) {
        return Ok(());
    }
    Err(Error::runtime(format!("bernoulli_ expects p to be in [0, 1], but got p={}", double(p))))
}

/// `out.bernoulli_(p)` with a number.
///
/// # Errors
/// A probability outside [0, 1]; complex dtypes; a generator for another device.
pub(crate) fn bernoulli_(out: &Tensor, p: f64, generator: Option<&Generator>) -> Result<()> {
    check_probability(p)?;
    dtypes::takes(&rows::BERNOULLI_BY_NUMBER, out)?;
    fill(out, generator, rows::nodes::BERNOULLI_NUMBER, || {
        if !out.device().is_cpu() {
            return launch_draw(out, Draw::Bernoulli { p }, per_thread(out.dtype()), generator);
        }
        let engine = engine::current();
        with_cpu(&engine, generator, |g| write_each(out, || Scalar::Bool(g.bernoulli(p))))?
    })
}

/// `torch.bernoulli(p)` with a tensor of probabilities: 0 or 1 for each of them, in their shape and dtype.
///
/// # Errors
/// On the CPU, probabilities outside [0, 1]; integer dtypes; a generator for another device.
pub fn bernoulli(p: &Tensor, generator: Option<&Generator>) -> Result<Tensor> {
    let out = bernoulli_data(p, generator)?;
    super::record_zero(rows::BERNOULLI.node, &[p], &out)?;
    Ok(out)
}

fn bernoulli_data(p: &Tensor, generator: Option<&Generator>) -> Result<Tensor> {
    dtypes::takes(&rows::BERNOULLI, p)?;
    let out = Tensor::empty(&p.shape(), p.dtype(), p.device())?;
    check_generator(p.device(), generator)?;
    if p.device().is_meta() || p.numel() == 0 {
        return Ok(out);
    }
    let _no_grad = autograd::GradMode::set(false);
    if p.device().is_cpu() {
        let hit = bernoulli_on_cpu(p, generator)?;
        ops::transfer::copy_data(&out, &hit)?;
        return Ok(out);
    }
    let draws = Tensor::empty(&p.shape(), if p.dtype() == DType::F64 { DType::F64 } else { DType::F32 }, p.device())?;
    uniform_(&draws, 0.0, 1.0, generator)?;
    let hit = ops::binary(BinaryOp::Le, &draws.into(), &p.into())?;
    ops::transfer::copy_data(&out, &hit)?;
    Ok(out)
}

/// 0 or 1 for each probability of a CPU tensor, drawn in row-major order.
fn bernoulli_on_cpu(p: &Tensor, generator: Option<&Generator>) -> Result<Tensor> {
    let bytes = ops::transfer::to_host(p, crate::trace::Why::Item)?;
    let dtype = p.dtype();
    let values: Vec<f64> = (0..p.numel()).map(|i| ops::transfer::scalar_at(&bytes, dtype, i).as_f64()).collect();
    if values.iter().any(|v| !(0.0..=1.0).contains(v)) {
        return Err(Error::runtime(
            "Expected p_in >= 0 && p_in <= 1 to be true, but got false.  (Could this error message be improved?  If so, please report an enhancement request to PyTorch.)",
        ));
    }
    let mut at = values.into_iter();
    let hit = Tensor::empty(&p.shape(), dtype, Device::CPU)?;
    with_cpu(&engine::current(), generator, |g| {
        write_each(&hit, || {
            let p = at.next().unwrap_or(0.0);
            #[expect(clippy::cast_possible_truncation, reason = "read from a dtype that's no wider")]
            Scalar::Bool(if dtype == DType::F64 { g.bernoulli(p) } else { g.bernoulli_of_f32(p as f32) })
        })
    })??;
    Ok(hit)
}

/// PyTorch's checks of a distribution of real numbers: its parameter must be positive, and `out`, whose dtype the error calls
/// `dtype`, must hold floating-point numbers.
fn check_continuous(
    out: &Tensor,
    (function, parameter, value): (&str, &str, f64),
    distribution: &str,
    dtype: &str,
) -> Result<()> {
    if value.is_nan() || value <= 0.0 {
        return Err(Error::runtime(format!(
            "{function} expects {parameter} > 0.0, but found {parameter}={}",
            double(value)
        )));
    }
    if !out.dtype().is_float() {
        return Err(Error::runtime(format!(
            "{distribution} distribution is a continuous probability distribution. dtype must be a floating point but you specified {dtype}",
        )));
    }
    Ok(())
}

/// `out.exponential_(lambda)`.
///
/// # Errors
/// A rate `lambda` that isn't positive; dtypes other than floating-point ones; a generator for another device.
pub(crate) fn exponential_(out: &Tensor, lambda: f64, generator: Option<&Generator>) -> Result<()> {
    check_continuous(out, ("exponential_", "lambda", lambda), "Exponential", out.dtype().scalar_name())?;
    fill(out, generator, rows::EXPONENTIAL_.node, || {
        if !out.device().is_cpu() {
            return launch_draw(out, Draw::Exponential { lambda }, per_thread(out.dtype()), generator);
        }
        let engine = engine::current();
        with_cpu(&engine, generator, |g| write_each(out, || Scalar::Float(g.exponential(lambda))))?
    })
}

/// `out.cauchy_(median, sigma)`.
///
/// # Errors
/// A `sigma` that isn't positive; dtypes other than floating-point ones.
pub(crate) fn cauchy_(out: &Tensor, median: f64, sigma: f64, generator: Option<&Generator>) -> Result<()> {
    check_continuous(out, ("cauchy_", "sigma", sigma), "Cauchy", out.dtype().c_name())?;
    let of_uniform = |u: &Tensor| {
        let centered = ops::binary(BinaryOp::Sub, &u.into(), &0.5.into())?;
        let angle = ops::binary(BinaryOp::Mul, &centered.into(), &std::f64::consts::PI.into())?;
        let tan = ops::unary(UnaryOp::Tan, &angle)?;
        ops::binary(BinaryOp::Add, &ops::binary(BinaryOp::Mul, &tan.into(), &sigma.into())?.into(), &median.into())
    };
    fill(out, generator, rows::CAUCHY_.node, || drawn(out, generator, |g| g.cauchy(median, sigma), of_uniform))
}

/// `out.geometric_(p)`: how many trials it takes until the first success.
///
/// # Errors
/// A probability that isn't between 0 and 1; bool and complex dtypes.
pub(crate) fn geometric_(out: &Tensor, p: f64, generator: Option<&Generator>) -> Result<()> {
    if !(0.0 < p && p < 1.0) {
        return Err(Error::runtime(format!("geometric_ expects p to be in (0, 1), but got p={}", double(p))));
    }
    dtypes::takes(&rows::GEOMETRIC_, out)?;
    let of_uniform = |u: &Tensor| {
        let trials = ops::binary(BinaryOp::Div, &ops::unary(UnaryOp::Log, u)?.into(), &(-p).ln_1p().into())?;
        ops::unary(UnaryOp::Ceil, &trials)
    };
    fill(out, generator, rows::GEOMETRIC_.node, || drawn(out, generator, |g| g.geometric(p), of_uniform))
}

/// Fills `out` with numbers that are made from uniform ones. The CPU makes them one by one in double precision (`one`). An
/// accelerator uses operators (`of_uniform`), in float32 for 16-bit dtypes and integers.
fn drawn(
    out: &Tensor,
    generator: Option<&Generator>,
    one: impl Fn(&mut CpuGenerator) -> f64,
    of_uniform: impl Fn(&Tensor) -> Result<Tensor>,
) -> Result<()> {
    if out.device().is_cpu() {
        let engine = engine::current();
        return with_cpu(&engine, generator, |g| write_each(out, || Scalar::Float(one(g))))?;
    }
    let dtype = if out.dtype() == DType::F64 { DType::F64 } else { DType::F32 };
    let draws = Tensor::empty_with(Layout::contiguous(&out.shape()), dtype, out.device(), false)?;
    launch_draw(&draws, Draw::Uniform { from: 0.0, to: 1.0 }, per_thread(dtype), generator)?;
    let _no_grad = autograd::GradMode::set(false);
    ops::transfer::copy_data(out, &of_uniform(&draws)?)
}

/// `torch.multinomial(weights, samples, replacement)`: the numbers of drawn categories. `weights` is `[categories]` or
/// `[rows, categories]`, and the result `[samples]` or `[rows, samples]`, of int64.
///
/// # Errors
/// PyTorch's errors for weights that aren't a distribution, and for too many samples.
pub fn multinomial(
    weights: &Tensor,
    samples: usize,
    replacement: bool,
    generator: Option<&Generator>,
) -> Result<Tensor> {
    check_generator(weights.device(), generator)?;
    check_multinomial(weights, samples, replacement)?;
    let _no_grad = autograd::GradMode::set(false);
    if weights.device().is_cpu() || weights.device().is_meta() {
        multinomial_on_cpu(weights, samples, replacement, generator)
    } else {
        multinomial_on_accelerator(weights, samples, replacement, generator)
    }
}

/// What PyTorch checks of the arguments before it looks at the weights' values.
fn check_multinomial(weights: &Tensor, samples: usize, replacement: bool) -> Result<()> {
    if weights.ndim() == 0 || weights.ndim() > 2 {
        return Err(Error::runtime("prob_dist must be 1 or 2 dim"));
    }
    if !weights.dtype().is_float() {
        return Err(Error::runtime(format!(
            "multinomial only supports floating-point dtypes for input, got: {}",
            weights.dtype().scalar_name()
        )));
    }
    if samples == 0 {
        return Err(Error::runtime("cannot sample n_sample <= 0 samples"));
    }
    let categories = weights.size(weights.ndim() - 1);
    if !replacement && samples > categories {
        return Err(Error::runtime("cannot sample n_sample > prob_dist.size(-1) samples without replacement"));
    }
    if categories > 1 << 24 {
        return Err(Error::runtime("number of categories cannot exceed 2^24"));
    }
    if categories == 0 && weights.shape()[..weights.ndim() - 1].iter().all(|&rows| rows > 0) {
        return Err(Error::runtime("invalid multinomial distribution (sum of probabilities <= 0)"));
    }
    Ok(())
}

/// [`multinomial`] of weights on the host.
fn multinomial_on_cpu(
    weights: &Tensor,
    samples: usize,
    replacement: bool,
    generator: Option<&Generator>,
) -> Result<Tensor> {
    let dtype = weights.dtype();
    let mut shape = weights.shape();
    let categories = shape.last_mut().map_or(0, |last| std::mem::replace(last, samples));
    let bytes = ops::transfer::to_host(weights, crate::trace::Why::Item)?;
    let all: Vec<f64> = (0..weights.numel()).map(|i| ops::transfer::scalar_at(&bytes, dtype, i).as_f64()).collect();
    if let Some(wrong) = all.iter().find(|w| !w.is_finite() || **w < 0.0) {
        // Several samples with replacement come from another kernel of PyTorch, which has messages of its own and says that
        // NaN is below 0.
        let which = if *wrong == f64::INFINITY { "= infinity or NaN" } else { "< 0" };
        return Err(Error::runtime(match replacement && samples > 1 {
            true => format!("invalid multinomial distribution (encountering probability entry {which})"),
            false => NOT_PROBABILITIES.to_string(),
        }));
    }
    if all.chunks(categories.max(1)).any(|row| row.iter().sum::<f64>() <= 0.0) {
        return Err(Error::runtime(NO_PROBABILITY));
    }
    let out = Tensor::empty(&shape, DType::I64, Device::CPU)?;
    let mut picked = host::room(out.numel())?;
    with_cpu(&engine::current(), generator, |g| {
        for row in all.chunks(categories.max(1)) {
            picked.extend(if dtype == DType::F64 {
                g.multinomial_f64(row, samples, replacement)
            } else {
                #[expect(clippy::cast_possible_truncation, reason = "read from a dtype that's no wider")]
                let row: Vec<f32> = row.iter().map(|&w| w as f32).collect();
                g.multinomial_f32(&row, samples, replacement)
            });
        }
    })?;
    write(&out, &picked, i64::to_le_bytes)?;
    Ok(out)
}

const NOT_PROBABILITIES: &str = "probability tensor contains either `inf`, `nan` or element < 0";
const NO_PROBABILITY: &str = "invalid multinomial distribution (sum of probabilities <= 0)";

/// [`multinomial`] of weights on an accelerator. PyTorch checks twice there whether the weights can be used, and waits for both
/// results.
fn multinomial_on_accelerator(
    weights: &Tensor,
    samples: usize,
    replacement: bool,
    generator: Option<&Generator>,
) -> Result<Tensor> {
    let yes = |t: &Tensor| ops::transfer::item(t, crate::trace::Why::Item).map(Scalar::as_bool);
    let most = ops::reduce::extreme(weights, true, &[], false, rows::MAX.node)?;
    let least = ops::reduce::extreme(weights, false, &[], false, rows::MIN.node)?;
    let finite = ops::binary(BinaryOp::Lt, &most.into(), &f64::INFINITY.into())?;
    let positive = ops::binary(BinaryOp::Ge, &least.into(), &0.0.into())?;
    if !yes(&ops::binary(BinaryOp::LogicalAnd, &finite.into(), &positive.into())?)? {
        return Err(Error::runtime(NOT_PROBABILITIES));
    }
    let sums = ops::reduce::sum(weights, &[-1], false, None)?;
    let none = ops::binary(BinaryOp::Eq, &sums.into(), &0.0.into())?;
    if yes(&ops::reduce::logical(&none, ReduceOp::Any, &[], false)?)? {
        return Err(Error::runtime(NO_PROBABILITY));
    }
    if replacement && samples > 1 {
        let mut shape = weights.shape();
        let categories = shape.last_mut().map_or(0, |last| std::mem::replace(last, samples));
        let rows = ops::view::reshape(weights, &[-1, categories as i64])?;
        return ops::view::reshape_to(&with_replacement(&rows, samples, generator)?, &shape);
    }
    // Without replacement: the largest of weight / exponential, as in PyTorch.
    let noise = Tensor::empty(&weights.shape(), weights.dtype(), weights.device())?;
    exponential_(&noise, 1.0, generator)?;
    let keys = ops::div(weights, &noise)?;
    Ok(ops::sort::topk(&keys, samples, -1, true, true)?.1)
}

/// Samples from each row of `weights` [rows, categories] on an accelerator, as [rows, samples] of int64: looks up uniform
/// numbers among the running sums of the weights.
///
/// Source: sampleMultinomialWithReplacement in aten/src/ATen/native/cuda/MultinomialKernel.cu. Its blocks have 128 threads,
/// each row has at least one block, and every sample uses the first of its thread's numbers.
fn with_replacement(weights: &Tensor, samples: usize, generator: Option<&Generator>) -> Result<Tensor> {
    const BLOCK: usize = 128;
    let (rows, categories) = (weights.size(0), weights.size(1));
    let shares = ops::div(weights, &ops::reduce::sum(weights, &[-1], true, None)?)?;
    let sums = ops::reduce::scan(ScanOp::Sum, &shares, 1)?;
    let wide = samples.div_ceil(BLOCK) * BLOCK;
    let draws = Tensor::empty(&[rows, wide], DType::F32, weights.device())?;
    launch_drawn(&draws, Draw::Uniform { from: 0.0, to: 1.0 }, 4, generator, true)?;
    let draws = ops::view::narrow(&draws, 1, 0, samples as i64)?;
    // PyTorch's kernel draws from (0, 1], and `Draw::Uniform` returns 0 for 1.
    let none = ops::binary(BinaryOp::Eq, &(&draws).into(), &0.0.into())?;
    let draws = ops::transfer::cast(&ops::where_(&none, &1.0.into(), &draws.into())?, weights.dtype())?;
    let at = ops::sort::searchsorted(&sums, &draws, ops::sort::Search::default())?;
    let at = ops::binary(BinaryOp::Minimum, &at.into(), &(categories as i64 - 1).into())?;
    // A category without weight can't be the answer: the nearest one before it that has a weight is.
    let places = ops::create::arange_count(Scalar::Int(0), Scalar::Int(1), categories, DType::I64, weights.device())?;
    let empty = ops::binary(BinaryOp::Eq, &shares.into(), &0.0.into())?;
    let real = ops::where_(&empty, &0i64.into(), &places.into())?;
    ops::index::gather(&ops::reduce::scan(ScanOp::Max, &real, 1)?, 1, &at)
}

/// The scaled mask of `F.dropout`, in the shape of `x`: 0 where an element is dropped, 1 / (1 - p) where it stays; see
/// `ops::nn::dropout`.
pub(crate) fn dropout_mask(x: &Tensor, p: f64) -> Result<Tensor> {
    if x.device().is_cpu() && x.numel() > 0 {
        let mask = ops::create::empty_like(x, x.dtype().part())?;
        // PyTorch divides the mask in place.
        ops::elementwise::check_cast(engine::current().settings.default_dtype(), mask.dtype())?;
        bernoulli_(&mask, 1.0 - p, None)?;
        return ops::binary(BinaryOp::Div, &mask.into(), &(1.0 - p).into());
    }
    let mask = Tensor::empty_with(Layout::contiguous(&x.shape()), x.dtype(), x.device(), false)?;
    if !x.device().is_meta() && x.numel() > 0 {
        launch_draw(&mask, Draw::Dropout { p }, 4, None)?;
    }
    Ok(mask)
}
