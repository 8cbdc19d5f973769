//! Turns each [`Kernel`] into launches of CUDA kernels.

mod conv;
mod elementwise;
mod index;
mod loss;
mod matmul;
mod norm;
mod optimizer;
mod pool;
mod random;
mod reduce;
mod scan;
mod softmax;
mod sort;
mod tile;

pub(super) use matmul::{Product, Stored};

use super::blocks::CudaBuffer;
use super::launch::{Launch, address};
use crate::dtype::DType;
use crate::executor::{Done, Fault, Kernel, Precision, View};

/// What lowering needs from a device.
pub(super) trait Sink {
    /// Queues a launch.
    fn dispatch(&self, launch: Launch) -> Done;
    /// Memory for the launches that are queued before it's dropped.
    fn scratch(&self, bytes: usize) -> Done<CudaBuffer>;
    /// Queues zeros.
    fn zero(&self, address: u64, bytes: usize) -> Done;
    /// The device address of these words. They stay there for the launches queued next.
    fn table(&self, words: &[u64]) -> Done<u64>;
    /// The two pointers of a `Faults` argument.
    fn faults(&self) -> [u64; 2];
    /// Whether the vendor's library of matrix products is available.
    fn has_products(&self) -> bool;
    /// Whether the library can add the bias row of a product.
    fn adds_bias(&self, product: &Product) -> Done<bool>;
    /// Queues one of the library's products.
    fn product(&self, product: &Product) -> Done;
    /// The precision that products and convolutions must have.
    fn precision(&self) -> Precision;
    /// Compute capability of the device, major and minor.
    fn capability(&self) -> (i32, i32);
    /// Multiprocessors of the device.
    fn multiprocessors(&self) -> usize;
}

/// PyTorch's error for a dtype that a kernel doesn't have.
fn unsupported(kernel: &str, dtype: DType) -> Fault {
    Fault::Unsupported(format!("\"{kernel}_cuda\" not implemented for '{}'", dtype.scalar_name()))
}

fn float_only(kernel: &str, dtype: DType) -> Done {
    if dtype.is_float() { Ok(()) } else { Err(unsupported(kernel, dtype)) }
}

/// The float type in which statistics of a dtype are computed.
fn accumulator(dtype: DType) -> DType {
    if dtype == DType::F64 { DType::F64 } else { DType::F32 }
}

/// A dimension's size and stride. A 0-dim view has one dimension of size 1.
fn axis(view: &View<'_>, dim: usize) -> (usize, usize) {
    match view.shape.get(dim) {
        Some(&size) => (size, view.strides[dim]),
        None => (1, 0),
    }
}

/// A view's shape without one dimension.
fn without(values: &[usize], dim: usize) -> crate::shape::Dims {
    values.iter().enumerate().filter(|(d, _)| *d != dim).map(|(_, v)| *v).collect()
}

/// How the threads of a block keep a line of adjacent elements in registers: `each` packs of `pack` elements per
/// thread.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Packs {
    threads: usize,
    pack: usize,
    each: usize,
}

impl Packs {
    /// For lines of `length` elements in all of `views`, with at most `threads` threads and at most `most` elements each.
    /// `None` if that isn't enough, or if a pack wouldn't be aligned in the first line.
    fn of(length: usize, views: &[&View<'_>], threads: usize, most: usize) -> Done<Option<Packs>> {
        let pack = views.iter().map(|v| 16 / v.dtype.size()).min().unwrap_or(1).min(8);
        for view in views {
            if !address(view)?.is_multiple_of((pack * view.dtype.size()) as u64) {
                return Ok(None);
            }
        }
        let count = length / pack;
        let threads = count.next_power_of_two().clamp(32, threads);
        let each = count.div_ceil(threads).next_power_of_two();
        let most = if views.iter().any(|v| v.dtype == DType::F64) { most / 2 } else { most };
        let fits = length > 0 && length.is_multiple_of(pack) && each * pack <= most;
        Ok(fits.then_some(Packs { threads, pack, each }))
    }
}

/// Queues the launches that compute `kernel`.
pub(super) fn lower(kernel: &Kernel<'_>, sink: &dyn Sink) -> Done {
    kernel.check_views()?;
    match kernel {
        Kernel::Fill { out, value } => elementwise::fill(out, *value, sink),
        Kernel::Copy { src, out } => elementwise::copy(src, out, sink),
        Kernel::Cat { parts, dim, out } => index::cat(parts, *dim, out, sink),
        Kernel::Arange { out, start, step } => elementwise::arange(out, *start, *step, sink),
        Kernel::Unary { op, x, compute, out } => elementwise::unary(*op, x, *compute, out, sink),
        Kernel::Binary { op, a, b, compute, out } => elementwise::binary(*op, a, b, *compute, out, sink),
        Kernel::Ternary { op, a, b, c, compute, out } => elementwise::ternary(*op, [a, b, c], *compute, out, sink),
        Kernel::Reduce { op, x, dims, compute, out } => reduce::reduce(*op, x, dims, *compute, out, sink),
        Kernel::ArgReduce { largest, x, dim, values, indices } => {
            reduce::arg_reduce(*largest, x, *dim, values.as_ref(), indices, sink)
        }
        Kernel::Scan { op, x, dim, out } => scan::scan(*op, x, *dim, out, sink),
        Kernel::MatMul { a, c, bias, alpha, beta, out } => {
            matmul::matmul(a, c, bias.as_ref(), *alpha, *beta, out, sink)
        }
        Kernel::Softmax { log, x, dim, out } => softmax::forward(*log, x, *dim, out, sink),
        Kernel::SoftmaxBackward { log, grad, y, dim, out } => softmax::backward(*log, grad, y, *dim, out, sink),
        Kernel::IndexSelect { x, dim, index, out } => index::index_select(x, *dim, index, out, sink),
        Kernel::IndexAdd { out, dim, index, src, alpha } => index::index_add(out, *dim, index, src, *alpha, sink),
        Kernel::Gather { x, dim, index, out } => index::gather(x, *dim, index, out, sink),
        Kernel::Scatter { op, out, dim, index, src } => index::scatter(*op, out, *dim, index, src, sink),
        Kernel::Index { x, indices, out } => index::index(x, indices, out, sink),
        Kernel::IndexPut { out, indices, src, accumulate } => index::index_put(out, indices, src, *accumulate, sink),
        Kernel::Nonzero { x, out } => index::nonzero(x, out, sink),
        Kernel::Sort { x, dim, descending, values, indices } => sort::sort(x, *dim, *descending, values, indices, sink),
        Kernel::Search { sorted, values, order, right, out } => {
            sort::search(sorted, values, order.as_ref(), *right, out, sink)
        }
        Kernel::Triangle { upper, diagonal, x, out } => index::triangle(*upper, *diagonal, x, out, sink),
        Kernel::Pick { x, .. } => Err(unsupported("pick", x.dtype)),
        Kernel::Eigen { x, .. } => Err(unsupported("linalg_eig", x.dtype)),
        Kernel::SymmetricEigen { x, .. } => Err(unsupported("linalg_eigh", x.dtype)),
        Kernel::SingularValues { x, .. } => Err(unsupported("linalg_svd", x.dtype)),
        Kernel::Eliminate { x, .. } => Err(unsupported("linalg_lu_factor", x.dtype)),
        Kernel::Substitute { x, .. } => Err(unsupported("linalg_solve_triangular", x.dtype)),
        Kernel::Cholesky { x, .. } => Err(unsupported("linalg_cholesky", x.dtype)),
        Kernel::Orthogonalize { x, .. } => Err(unsupported("linalg_qr", x.dtype)),
        Kernel::Fft { x, .. } => Err(unsupported("fft", x.dtype)),
        Kernel::Flip { x, dims, out } => index::flip(x, dims, out, sink),
        Kernel::Conv2d { x, w, bias, params, out } => conv::forward(x, w, bias.as_ref(), *params, out, sink),
        Kernel::Conv2dGradInput { grad, w, params, out } => conv::grad_input(grad, w, *params, out, sink),
        Kernel::Conv2dGradWeight { grad, x, params, out } => conv::grad_weight(grad, x, *params, out, sink),
        Kernel::MaxPool2d { x, params, out, indices } => pool::max(x, *params, out, indices, sink),
        Kernel::MaxPool2dBackward { grad, indices, out } => pool::max_backward(grad, indices, out, sink),
        Kernel::AvgPool2d { x, params, out } => pool::average(x, Some(*params), out, sink),
        Kernel::AvgPool2dBackward { grad, params, out } => pool::average_backward(grad, Some(*params), out, sink),
        Kernel::AdaptiveAvgPool2d { x, out } => pool::average(x, None, out, sink),
        Kernel::AdaptiveAvgPool2dBackward { grad, out } => pool::average_backward(grad, None, out, sink),
        Kernel::LayerNorm { x, weight, bias, eps, out, mean, rstd } => {
            norm::layer_norm(x, [weight, bias], *eps, out, [mean, rstd], sink)
        }
        Kernel::LayerNormBackward { grad, x, mean, rstd, weight, dx, dweight, dbias } => {
            norm::layer_norm_backward(grad, x, [mean, rstd], weight, [dx, dweight, dbias], sink)
        }
        Kernel::BatchStats { x, mean, var } => norm::batch_stats(x, mean, var, sink),
        Kernel::BatchNorm { x, mean, var, weight, bias, eps, out } => {
            norm::batch_norm(x, [mean, var], [weight, bias], *eps, out, sink)
        }
        Kernel::BatchNormBackward { grad, x, mean, var, weight, eps, training, dx, dweight, dbias } => {
            norm::batch_norm_backward(grad, x, [mean, var], weight, *eps, *training, [dx, dweight, dbias], sink)
        }
        Kernel::NllLoss { logp, target, weight, ignore_index, reduction, out, total_weight } => {
            loss::forward(logp, target, weight, *ignore_index, *reduction, [out, total_weight], sink)
        }
        Kernel::NllLossBackward { grad, target, weight, ignore_index, reduction, total_weight, out } => {
            loss::backward(grad, target, weight, *ignore_index, *reduction, [total_weight, out], sink)
        }
        Kernel::Random { draw, philox, out } => random::random(*draw, *philox, out, sink),
        Kernel::Optimizer { rule, rate, params } => optimizer::step(*rule, rate.as_ref(), params, sink),
    }
}
