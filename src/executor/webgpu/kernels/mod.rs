//! Turns each kernel into dispatches.

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
mod scatter;
mod softmax;
mod sort;
#[cfg(test)]
mod tests;

use super::buffers::GpuBuffer;
use super::launch::{Class, Launch, class};
use crate::dtype::DType;
use crate::executor::kernel::joined;
use crate::executor::{Done, Fault, Kernel, View};
use crate::shape::Dims;

/// Receives dispatches: the executor, or a test that only needs their shaders.
pub(super) trait Sink {
    fn dispatch(&self, launch: Launch<'_>) -> Done;
    /// Scratch memory.
    fn storage(&self, words: usize) -> Done<GpuBuffer>;
    /// Where kernels report a fault. Calling this notes that the kernel may do so.
    fn fault_buffer(&self) -> &GpuBuffer;
    /// Whether shaders run on the processor.
    fn is_software(&self) -> bool;
}

/// The default number of invocations in a workgroup.
const WORKGROUP: usize = 64;

pub(super) fn lower(kernel: &Kernel<'_>, sink: &dyn Sink) -> Done {
    // The bindings are entire buffers, and an access outside them reads something else: a wrong number, never an error.
    kernel.check_views()?;
    match kernel {
        Kernel::Fill { out, value } => elementwise::fill(sink, out, *value),
        Kernel::Copy { src, out } => elementwise::copy(sink, src, out),
        // A shader can't read more than a few buffers, so this is a dispatch for each part.
        Kernel::Cat { parts, dim, out } => {
            joined(parts, *dim, out).try_for_each(|(part, place)| elementwise::copy(sink, part, &place))
        }
        Kernel::Arange { out, start, step } => elementwise::arange(sink, out, *start, *step),
        Kernel::Unary { op, x, compute, out } => elementwise::unary(sink, *op, x, *compute, out),
        Kernel::Binary { op, a, b, compute, out } => elementwise::binary(sink, *op, a, b, *compute, out),
        Kernel::Ternary { op, a, b, c, compute, out } => elementwise::ternary(sink, *op, [a, b, c], *compute, out),
        Kernel::Reduce { op, x, dims, compute, out } => reduce::reduce(sink, *op, x, dims, *compute, out),
        Kernel::ArgReduce { largest, x, dim, values, indices } => {
            reduce::arg_reduce(sink, *largest, x, *dim, values.as_ref(), indices)
        }
        Kernel::MatMul { a, c, bias, alpha, beta, out } => {
            matmul::matmul(sink, a, c, bias.as_ref().filter(|_| *beta != 0.0), [*alpha, *beta], out)
        }
        Kernel::Random { draw, philox, out } => random::random(sink, *draw, *philox, out),
        Kernel::Optimizer { rule, rate, params } => optimizer::step(sink, *rule, rate.as_ref(), params),
        Kernel::Scan { op, x, dim, out } => sort::scan(sink, *op, x, *dim, out),
        Kernel::Sort { x, dim, descending, values, indices } => sort::sort(sink, x, *dim, *descending, values, indices),
        Kernel::Search { sorted, values, order, right, out } => {
            sort::search(sink, sorted, values, order.as_ref(), *right, out)
        }
        Kernel::Softmax { log, x, dim, out } => softmax::forward(sink, *log, x, *dim, out),
        Kernel::SoftmaxBackward { log, grad, y, dim, out } => softmax::backward(sink, *log, grad, y, *dim, out),
        Kernel::IndexSelect { x, dim, index, out } => {
            index::gather(sink, x, *dim, &along(index, *dim, &out.shape), out)
        }
        Kernel::Gather { x, dim, index, out } => index::gather(sink, x, *dim, index, out),
        Kernel::Index { x, indices, out } => index::index(sink, x, indices, out),
        Kernel::Nonzero { x, out } => index::nonzero(sink, x, out),
        Kernel::Triangle { upper, diagonal, x, out } => index::triangle(sink, *upper, *diagonal, x, out),
        Kernel::Pick { x, .. } => Err(missing("pick", x.dtype)),
        Kernel::Eigen { x, .. } => Err(missing("linalg_eig", x.dtype)),
        Kernel::SymmetricEigen { x, .. } => Err(missing("linalg_eigh", x.dtype)),
        Kernel::SingularValues { x, .. } => Err(missing("linalg_svd", x.dtype)),
        Kernel::Eliminate { x, .. } => Err(missing("linalg_lu_factor", x.dtype)),
        Kernel::Substitute { x, .. } => Err(missing("linalg_solve_triangular", x.dtype)),
        Kernel::Cholesky { x, .. } => Err(missing("linalg_cholesky", x.dtype)),
        Kernel::Orthogonalize { x, .. } => Err(missing("linalg_qr", x.dtype)),
        Kernel::Fft { x, .. } => Err(missing("fft", x.dtype)),
        Kernel::Flip { x, dims, out } => elementwise::flip(sink, x, dims, out),
        Kernel::IndexAdd { out, dim, index, src, alpha } => {
            scatter::index_add(sink, out, *dim, &along(index, *dim, &src.shape), src, *alpha)
        }
        Kernel::Scatter { op, out, dim, index, src } => scatter::scatter(sink, *op, out, *dim, index, src),
        Kernel::IndexPut { out, indices, src, accumulate } => scatter::index_put(sink, out, indices, src, *accumulate),
        Kernel::Conv2d { x, w, bias, params, out } => conv::forward(sink, x, w, bias.as_ref(), *params, out),
        Kernel::Conv2dGradInput { grad, w, params, out } => conv::grad_input(sink, grad, w, *params, out),
        Kernel::Conv2dGradWeight { grad, x, params, out } => conv::grad_weight(sink, grad, x, *params, out),
        Kernel::MaxPool2d { x, params, out, indices } => pool::max(sink, x, *params, out, indices),
        Kernel::MaxPool2dBackward { grad, indices, out } => pool::max_backward(sink, grad, indices, out),
        Kernel::AvgPool2d { x, params, out } => pool::average(sink, x, *params, out),
        Kernel::AvgPool2dBackward { grad, params, out } => pool::average_backward(sink, grad, *params, out),
        Kernel::AdaptiveAvgPool2d { x, out } => pool::adaptive(sink, x, out),
        Kernel::AdaptiveAvgPool2dBackward { grad, out } => pool::adaptive_backward(sink, grad, out),
        Kernel::LayerNorm { x, weight, bias, eps, out, mean, rstd } => {
            norm::layer(sink, x, [weight.as_ref(), bias.as_ref()], *eps, [out, mean, rstd])
        }
        Kernel::LayerNormBackward { grad, x, mean, rstd, weight, dx, dweight, dbias } => norm::layer_backward(
            sink,
            [grad, x, mean, rstd],
            weight.as_ref(),
            [dx.as_ref(), dweight.as_ref(), dbias.as_ref()],
        ),
        Kernel::BatchStats { x, mean, var } => norm::stats(sink, x, mean, var),
        Kernel::BatchNorm { x, mean, var, weight, bias, eps, out } => {
            norm::batch(sink, [x, mean, var], [weight.as_ref(), bias.as_ref()], *eps, out)
        }
        Kernel::BatchNormBackward { grad, x, mean, var, weight, eps, training, dx, dweight, dbias } => {
            let outputs = [dx.as_ref(), dweight.as_ref(), dbias.as_ref()];
            norm::batch_backward(sink, [grad, x, mean, var], weight.as_ref(), *eps, *training, outputs)
        }
        Kernel::NllLoss { logp, target, weight, ignore_index, reduction, out, total_weight } => {
            let rule = loss::Terms { weight: weight.as_ref(), ignore: *ignore_index, reduction: *reduction };
            loss::forward(sink, rule, logp, target, out, total_weight)
        }
        Kernel::NllLossBackward { grad, target, weight, ignore_index, reduction, total_weight, out } => {
            let rule = loss::Terms { weight: weight.as_ref(), ignore: *ignore_index, reduction: *reduction };
            loss::backward(sink, rule, grad, target, total_weight, out)
        }
    }
}

/// A 1-D index as a view of `shape` that varies along `dim` only.
fn along<'a>(index: &View<'a>, dim: usize, shape: &[usize]) -> View<'a> {
    let mut view = index.clone();
    let stride = index.strides.first().copied().unwrap_or(0);
    view.strides = (0..shape.len()).map(|d| if d == dim { stride } else { 0 }).collect();
    view.shape = shape.into();
    view
}

/// Strides with 0 for one dimension, and the stride that it had.
fn without(strides: &[usize], dim: usize) -> (Dims, usize) {
    let mut rest: Dims = strides.into();
    let own = rest.get_mut(dim).map_or(0, std::mem::take);
    (rest, own)
}

/// The class of a dtype, if this hardware computes in it.
fn arithmetic(dtype: DType) -> Done<Class> {
    match class(dtype) {
        Class::D => Err(Fault::Unsupported("the WebGPU executor has no float64 arithmetic".into())),
        class => Ok(class),
    }
}

/// The same, for kernels of floating-point numbers only.
fn floating(dtype: DType, name: &str) -> Done {
    match arithmetic(dtype)? {
        Class::F => Ok(()),
        _ => Err(missing(name, dtype)),
    }
}

fn missing(name: &str, dtype: DType) -> Fault {
    Fault::Unsupported(format!("the WebGPU executor has no {name} kernel for {}", dtype.name()))
}
