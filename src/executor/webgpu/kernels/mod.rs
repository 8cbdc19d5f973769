//! Each kernel as dispatches.

mod elementwise;
mod matmul;
mod optimizer;
mod random;
mod reduce;
#[cfg(test)]
mod tests;

use super::launch::{Class, Launch, class};
use super::memory::GpuBuffer;
use crate::dtype::DType;
use crate::executor::{Done, Fault, Kernel};

/// Where dispatches go: the executor, or a test that only wants their shaders.
pub trait Sink {
    fn dispatch(&self, launch: Launch<'_>) -> Done;
    /// Scratch memory.
    fn storage(&self, words: usize) -> Done<GpuBuffer>;
    /// Where kernels leave a fault; asking for it says that this kernel may.
    fn fault_buffer(&self) -> &GpuBuffer;
    /// Shaders run on the processor.
    fn is_software(&self) -> bool;
}

/// Invocations of a workgroup where nothing speaks for another number.
const WORKGROUP: usize = 64;

pub fn lower(kernel: &Kernel<'_>, sink: &dyn Sink) -> Done {
    match kernel {
        Kernel::Fill { out, value } => elementwise::fill(sink, out, *value),
        Kernel::Copy { src, out } => elementwise::copy(sink, src, out),
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
        Kernel::Optimizer { rule, params } => optimizer::step(sink, *rule, params),
        other => Err(Fault::Unsupported(format!("the WebGPU executor has no {} kernel yet", other.name()))),
    }
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
