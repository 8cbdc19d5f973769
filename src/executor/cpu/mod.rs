//! Kernels on the host.
//!
//! This executor serves the device `cpu` and every simulated accelerator. It is synchronous: a launch returns when the work
//! is done. In reading order: memory ([`buffer`]), values ([`element`]), loops over elements ([`span`], [`dense`]), vectors
//! and threads ([`simd`]), then one file for each family of kernels.
//!
//! Natively, large kernels share their work among threads. Their number doesn't change a kernel's result, except for the last
//! digits of float sums.

mod binary;
mod buffer;
mod complex;
mod conv;
mod copy;
mod decompositions;
mod dense;
mod element;
mod elementwise;
mod elimination;
mod fft;
mod index;
mod loss;
mod matmul;
mod norm;
mod optim;
mod picking;
mod pool;
mod random;
mod real;
mod reduce;
mod scan;
mod scatter;
mod simd;
mod softmax;
mod sort;
mod span;
mod ternary;
#[cfg(test)]
mod tests;
mod unary;

use std::rc::Rc;

use buffer::{HostBuffer, Pool};
use span::Span;

use crate::dtype::DType;
use crate::executor::kernel::joined;
use crate::executor::{Buffer, Compute, Done, Fault, Graphs, HostMemory, Kernel, Linkable, Pinned, Queues};
use crate::shape::contiguous_strides;

/// Kernels on the host's cores and memory.
pub struct CpuExecutor {
    pool: Rc<Pool>,
    /// Blocks of this size and more are taken from the host only when they're first touched.
    promised_from: usize,
}

/// `promised_from` for a simulated accelerator.
const PROMISED_FROM: usize = 256 << 20;

impl CpuExecutor {
    pub fn new() -> CpuExecutor {
        CpuExecutor { pool: Pool::new(), promised_from: usize::MAX }
    }

    /// Kernels of a simulated accelerator. Its memory may be larger than the host's: the engine's allocator decides what
    /// fits, and a large tensor that no kernel touches costs the host nothing.
    pub fn simulating() -> CpuExecutor {
        CpuExecutor { promised_from: PROMISED_FROM, ..CpuExecutor::new() }
    }
}

impl Default for CpuExecutor {
    fn default() -> CpuExecutor {
        CpuExecutor::new()
    }
}

impl Compute for CpuExecutor {
    fn name(&self) -> &'static str {
        "cpu"
    }

    fn hardware(&self) -> String {
        hardware()
    }

    fn is_async(&self) -> bool {
        false
    }

    fn decomposes(&self) -> bool {
        true
    }

    fn allocate(&self, numel: usize, dtype: DType) -> Done<Buffer> {
        let bytes = numel.checked_mul(dtype.size()).ok_or(Fault::OutOfMemory { bytes: usize::MAX })?;
        let host = if bytes > self.promised_from { self.pool.promise(bytes) } else { self.pool.allocate(bytes)? };
        Ok(Buffer::new(Rc::new(host), numel, dtype))
    }

    fn write(&self, buffer: &Buffer, offset: usize, bytes: &[u8]) -> Done {
        let ptr = region(buffer, offset, bytes.len())?;
        // SAFETY: the region was checked, and nobody holds a slice of a buffer across a call of the executor.
        unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), ptr, bytes.len()) };
        Ok(())
    }

    fn read(&self, buffer: &Buffer, offset: usize, out: &mut [u8]) -> Done {
        let ptr = region(buffer, offset, out.len())?;
        // SAFETY: as in `write`.
        unsafe { std::ptr::copy_nonoverlapping(ptr, out.as_mut_ptr(), out.len()) };
        Ok(())
    }

    fn launch(&self, kernel: &Kernel<'_>) -> Done {
        match crate::executor::complex::dtype(kernel) {
            Some(dtype) => complex::launch(kernel, dtype),
            None => launch(kernel),
        }
    }

    fn synchronize(&self) -> Done {
        Ok(())
    }
}

impl HostMemory for CpuExecutor {
    fn adopt(&self, memory: Pinned, numel: usize, dtype: DType) -> Done<Buffer> {
        let bytes = numel * dtype.size();
        if bytes > memory.len() {
            return Err(Fault::OutOfMemory { bytes });
        }
        Ok(Buffer::new(Rc::new(self.pool.adopt(memory, bytes)), numel, dtype))
    }

    fn pinned<'a>(&self, buffer: &'a Buffer) -> Option<&'a Pinned> {
        buffer.downcast::<HostBuffer>()?.pinned()
    }

    fn host_bytes<'a>(&self, buffer: &'a Buffer) -> Option<&'a [u8]> {
        let host = buffer.downcast::<HostBuffer>()?;
        // SAFETY: the block has that many initialized bytes and lives as long as the buffer.
        Some(unsafe { std::slice::from_raw_parts(host.as_ptr().ok()?, host.len()) })
    }
}

impl Queues for CpuExecutor {}
impl Graphs for CpuExecutor {}
impl Linkable for CpuExecutor {}

/// A pointer to element `offset`, if `bytes` bytes from there are inside the buffer.
fn region(buffer: &Buffer, offset: usize, bytes: usize) -> Done<*mut u8> {
    let host =
        buffer.downcast::<HostBuffer>().ok_or_else(|| Fault::Unsupported("a buffer of another executor".into()))?;
    let start = offset.checked_mul(buffer.dtype.size());
    match start.and_then(|start| start.checked_add(bytes)) {
        Some(end) if end <= host.len() => Ok(host.as_ptr()?.wrapping_add(end - bytes)),
        _ => Err(Fault::Unsupported("a copy outside its buffer".into())),
    }
}

/// The processor's name, if the system tells it.
fn hardware() -> String {
    let name = std::fs::read_to_string("/proc/cpuinfo").ok().and_then(|text| {
        let line = text.lines().find(|line| line.starts_with("model name"))?;
        Some(line.split_once(':')?.1.trim().to_string())
    });
    name.unwrap_or_else(|| format!("{} processor", std::env::consts::ARCH))
}

/// The fault for a dtype that a kernel doesn't have.
fn unsupported(kernel: &str, dtype: DType) -> Fault {
    Fault::Unsupported(format!("\"{kernel}_cpu\" not implemented for '{}'", dtype.scalar_name()))
}

/// Contiguous memory for the duration of one kernel.
struct Temporary {
    span: Span,
    _memory: Vec<u64>,
}

impl Temporary {
    fn new(shape: &[usize], dtype: DType) -> Done<Temporary> {
        let numel: usize = shape.iter().product();
        let mut memory = dense::scratch::<u64>((numel * dtype.size()).div_ceil(8))?;
        let span = Span::from_memory(&mut memory, dtype, shape, &contiguous_strides(shape));
        Ok(Temporary { span, _memory: memory })
    }

    fn span(&self) -> &Span {
        &self.span
    }
}

fn launch(kernel: &Kernel<'_>) -> Done {
    match kernel {
        Kernel::Fill { out, value } => copy::fill(&Span::new(out)?, *value),
        Kernel::Copy { src, out } => copy::copy(&Span::new(src)?, &Span::new(out)?),
        Kernel::Cat { parts, dim, out } => {
            for (part, place) in joined(parts, *dim, out) {
                copy::copy(&Span::new(part)?, &Span::new(&place)?);
            }
        }
        Kernel::Arange { out, start, step } => return copy::arange(out, *start, *step),
        Kernel::Unary { op, x, compute, out } => return unary::unary(*op, x, *compute, out),
        Kernel::Binary { op, a, b, compute, out } => return binary::binary(*op, a, b, *compute, out),
        Kernel::Ternary { op, a, b, c, compute, out } => return ternary::ternary(*op, [a, b, c], *compute, out),
        Kernel::Reduce { op, x, dims, compute, out } => return reduce::reduce(*op, x, dims, *compute, out),
        Kernel::ArgReduce { largest, x, dim, values, indices } => {
            return scan::arg_reduce(*largest, x, *dim, values.as_ref(), indices);
        }
        Kernel::Scan { op, x, dim, out } => return scan::scan(*op, x, *dim, out),
        Kernel::MatMul { a, c, bias, alpha, beta, out } => {
            return matmul::matmul(a, c, bias.as_ref(), *alpha, *beta, out);
        }
        Kernel::Softmax { log, x, dim, out } => return softmax::softmax(*log, x, *dim, out),
        Kernel::SoftmaxBackward { log, grad, y, dim, out } => return softmax::backward(*log, grad, y, *dim, out),
        Kernel::IndexSelect { x, dim, index, out } => return index::index_select(x, *dim, index, out),
        Kernel::IndexAdd { out, dim, index, src, alpha } => return scatter::index_add(out, *dim, index, src, *alpha),
        Kernel::Gather { x, dim, index, out } => return index::gather(x, *dim, index, out),
        Kernel::Scatter { op, out, dim, index, src } => return scatter::scatter(*op, out, *dim, index, src),
        Kernel::Index { x, indices, out } => return index::index(x, indices, out),
        Kernel::IndexPut { out, indices, src, accumulate } => {
            return scatter::index_put(out, indices, src, *accumulate);
        }
        Kernel::Nonzero { x, out } => return index::nonzero(x, out),
        Kernel::Sort { x, dim, descending, values, indices } => {
            return sort::sort(x, *dim, *descending, values, indices);
        }
        Kernel::Pick { x, dim, pick, values, indices } => return sort::pick(x, *dim, *pick, values, indices),
        Kernel::Search { sorted, values, order, right, out } => {
            return sort::search(sorted, values, order.as_ref(), *right, out);
        }
        Kernel::Triangle { upper, diagonal, x, out } => return index::triangle(*upper, *diagonal, x, out),
        Kernel::Eigen { x, values, vectors } => return decompositions::eigen(x, values, vectors),
        Kernel::SymmetricEigen { x, values, vectors } => {
            return decompositions::symmetric_eigen(x, values, vectors);
        }
        Kernel::SingularValues { x, u, s, v } => return decompositions::singular_values(x, u, s, v),
        Kernel::Eliminate { x, exchange, factors, exchanges, order } => {
            return elimination::eliminate(x, *exchange, factors, exchanges, order);
        }
        Kernel::Substitute { t, x, upper, unit, out } => {
            return elimination::substitute(t, x, *upper, *unit, out);
        }
        Kernel::Cholesky { x, out } => return elimination::cholesky(x, out),
        Kernel::Orthogonalize { x, q, r } => return elimination::orthogonalize(x, q, r),
        Kernel::Fft { x, inverse, out } => return fft::transform(x, *inverse, out),
        Kernel::Flip { x, dims, out } => return index::flip(x, dims, out),
        Kernel::Conv2d { x, w, bias, params, out } => return conv::forward(x, w, bias.as_ref(), *params, out),
        Kernel::Conv2dGradInput { grad, w, params, out } => return conv::grad_input(grad, w, *params, out),
        Kernel::Conv2dGradWeight { grad, x, params, out } => return conv::grad_weight(grad, x, *params, out),
        Kernel::MaxPool2d { x, params, out, indices } => return pool::max(x, *params, out, indices),
        Kernel::MaxPool2dBackward { grad, indices, out } => return pool::max_backward(grad, indices, out),
        Kernel::AvgPool2d { x, params, out } => return pool::average(x, *params, out),
        Kernel::AvgPool2dBackward { grad, params, out } => return pool::average_backward(grad, *params, out),
        Kernel::AdaptiveAvgPool2d { x, out } => return pool::adaptive(x, out),
        Kernel::AdaptiveAvgPool2dBackward { grad, out } => return pool::adaptive_backward(grad, out),
        Kernel::LayerNorm { x, weight, bias, eps, out, mean, rstd } => {
            return norm::layer_norm(x, weight, bias, *eps, out, mean, rstd);
        }
        Kernel::LayerNormBackward { grad, x, mean, rstd, weight, dx, dweight, dbias } => {
            return norm::layer_norm_backward(grad, x, mean, rstd, weight, [dx, dweight, dbias]);
        }
        Kernel::BatchStats { x, mean, var } => return norm::batch_stats(x, mean, var),
        Kernel::BatchNorm { x, mean, var, weight, bias, eps, out } => {
            return norm::batch_norm(x, mean, var, weight, bias, *eps, out);
        }
        Kernel::BatchNormBackward { grad, x, mean, var, weight, eps, training, dx, dweight, dbias } => {
            return norm::batch_norm_backward(grad, x, mean, var, weight, *eps, *training, [dx, dweight, dbias]);
        }
        Kernel::NllLoss { logp, target, weight, ignore_index, reduction, out, total_weight } => {
            return loss::nll(logp, target, weight, *ignore_index, *reduction, out, total_weight);
        }
        Kernel::NllLossBackward { grad, target, weight, ignore_index, reduction, total_weight, out } => {
            return loss::nll_backward(grad, target, weight, *ignore_index, *reduction, total_weight, out);
        }
        Kernel::Random { draw, philox, out } => return random::random(*draw, *philox, out),
        Kernel::Optimizer { rule, rate, params } => return optim::step(*rule, rate.as_ref(), params),
    }
    Ok(())
}
