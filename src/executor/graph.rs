//! Graphs: kernels that are recorded once and launched again and again, all at once.
//!
//! An executor that knows nothing of graphs keeps each kernel with the memory it uses and launches one after the other; one
//! whose hardware has graphs keeps what it likes in a [`Recording`].

use std::any::Any;

use super::{Buffer, Done, Fault, Kernel, Operand, OptimizerParam, View};
use crate::dtype::DType;

/// The number of a graph's own memory: graphs with the same one share it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GraphPool(pub u32);

/// A graph in its executor's own form.
pub struct Recording(Box<dyn Any>);

impl Recording {
    pub fn new(own: impl Any) -> Recording {
        Recording(Box::new(own))
    }

    /// # Errors
    /// A graph of another executor.
    pub fn own<T: 'static>(&self) -> Done<&T> {
        self.0.downcast_ref().ok_or_else(|| Fault::Unsupported("a graph of another executor".into()))
    }

    /// # Errors
    /// As [`Recording::own`].
    pub fn own_mut<T: 'static>(&mut self) -> Done<&mut T> {
        self.0.downcast_mut().ok_or_else(|| Fault::Unsupported("a graph of another executor".into()))
    }
}

/// Where a replay begins in the stream of the device's generator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Draws {
    pub seed: u64,
    /// Added to the offsets that the recorded draws have.
    pub offset: u64,
}

/// A kernel with the memory it uses, for executors that launch a graph's kernels one by one.
struct Kept {
    /// Its views name no buffer: they are those below, in the order in which [`rebind`] meets them.
    kernel: Kernel<'static>,
    buffers: Vec<Buffer>,
}

/// What [`begin_graph`](super::Executor::begin_graph) begins unless an executor has graphs of its own.
#[derive(Default)]
pub struct Listed(Vec<Kept>);

impl Listed {
    pub fn keep(&mut self, kernel: &Kernel<'_>) {
        let mut buffers = Vec::new();
        let nowhere = NOWHERE.with(|n| *n);
        let kernel = rebind(kernel, &mut |view| {
            buffers.push(view.buffer.clone());
            moved(view, nowhere)
        });
        self.0.push(Kept { kernel, buffers });
    }

    /// Gives every kernel to `launch`, in order.
    ///
    /// # Errors
    /// Those of `launch`.
    pub fn each(&self, draws: Draws, launch: impl Fn(&Kernel<'_>) -> Done) -> Done {
        for kept in &self.0 {
            let mut buffers = kept.buffers.iter();
            let nowhere = NOWHERE.with(|n| *n);
            // `keep` made one for every view.
            let mut kernel = rebind(&kept.kernel, &mut |view| moved(view, buffers.next().unwrap_or(nowhere)));
            if let Kernel::Random { philox, .. } = &mut kernel {
                philox.seed = draws.seed;
                philox.offset = philox.offset.wrapping_add(draws.offset);
            }
            launch(&kernel)?;
        }
        Ok(())
    }
}

thread_local! {
    /// The buffer of views that are kept without theirs: one for as long as the thread lives.
    static NOWHERE: &'static Buffer = Box::leak(Box::new(Buffer::new(std::rc::Rc::new(()), 0, DType::U8)));
}

fn moved<'b>(view: &View<'_>, buffer: &'b Buffer) -> View<'b> {
    View { buffer, dtype: view.dtype, shape: view.shape.clone(), strides: view.strides.clone(), offset: view.offset }
}

/// The same kernel on the views that `f` makes of its own, met in a fixed order.
fn rebind<'b>(kernel: &Kernel<'_>, f: &mut dyn FnMut(&View<'_>) -> View<'b>) -> Kernel<'b> {
    fn operand<'b>(o: &Operand<'_>, f: &mut dyn FnMut(&View<'_>) -> View<'b>) -> Operand<'b> {
        match o {
            Operand::View(view) => Operand::View(f(view)),
            Operand::Scalar(value) => Operand::Scalar(*value),
        }
    }
    /// Rebuilds a variant: `name: view`, `name: option`, `name: each` and `name: operand` go through `f`, `name: same` is
    /// cloned.
    macro_rules! again {
        ($variant:ident { $($field:ident : $how:ident),* $(,)? }) => {
            Kernel::$variant { $($field: again!(@ $how $field)),* }
        };
        (@ view $x:ident) => { f($x) };
        (@ option $x:ident) => { $x.as_ref().map(&mut *f) };
        (@ each $x:ident) => { $x.iter().map(&mut *f).collect() };
        (@ operand $x:ident) => { operand($x, f) };
        (@ same $x:ident) => { $x.clone() };
    }
    match kernel {
        Kernel::Fill { out, value } => again!(Fill { out: view, value: same }),
        Kernel::Copy { src, out } => again!(Copy { src: view, out: view }),
        Kernel::Arange { out, start, step } => again!(Arange { out: view, start: same, step: same }),
        Kernel::Unary { op, x, compute, out } => again!(Unary { op: same, x: view, compute: same, out: view }),
        Kernel::Binary { op, a, b, compute, out } => {
            again!(Binary { op: same, a: operand, b: operand, compute: same, out: view })
        }
        Kernel::Ternary { op, a, b, c, compute, out } => {
            again!(Ternary { op: same, a: operand, b: operand, c: operand, compute: same, out: view })
        }
        Kernel::Reduce { op, x, dims, compute, out } => {
            again!(Reduce { op: same, x: view, dims: same, compute: same, out: view })
        }
        Kernel::ArgReduce { largest, x, dim, values, indices } => {
            again!(ArgReduce { largest: same, x: view, dim: same, values: option, indices: view })
        }
        Kernel::Scan { op, x, dim, out } => again!(Scan { op: same, x: view, dim: same, out: view }),
        Kernel::MatMul { a, c, bias, alpha, beta, out } => {
            again!(MatMul { a: view, c: view, bias: option, alpha: same, beta: same, out: view })
        }
        Kernel::Softmax { log, x, dim, out } => again!(Softmax { log: same, x: view, dim: same, out: view }),
        Kernel::SoftmaxBackward { log, grad, y, dim, out } => {
            again!(SoftmaxBackward { log: same, grad: view, y: view, dim: same, out: view })
        }
        Kernel::IndexSelect { x, dim, index, out } => {
            again!(IndexSelect { x: view, dim: same, index: view, out: view })
        }
        Kernel::IndexAdd { out, dim, index, src, alpha } => {
            again!(IndexAdd { out: view, dim: same, index: view, src: view, alpha: same })
        }
        Kernel::Gather { x, dim, index, out } => again!(Gather { x: view, dim: same, index: view, out: view }),
        Kernel::Scatter { op, out, dim, index, src } => {
            again!(Scatter { op: same, out: view, dim: same, index: view, src: operand })
        }
        Kernel::Index { x, indices, out } => again!(Index { x: view, indices: each, out: view }),
        Kernel::IndexPut { out, indices, src, accumulate } => {
            again!(IndexPut { out: view, indices: each, src: operand, accumulate: same })
        }
        Kernel::Nonzero { x, out } => again!(Nonzero { x: view, out: view }),
        Kernel::Sort { x, dim, descending, values, indices } => {
            again!(Sort { x: view, dim: same, descending: same, values: view, indices: view })
        }
        Kernel::Triangle { upper, diagonal, x, out } => {
            again!(Triangle { upper: same, diagonal: same, x: view, out: view })
        }
        Kernel::Flip { x, dims, out } => again!(Flip { x: view, dims: same, out: view }),
        Kernel::Conv2d { x, w, bias, params, out } => {
            again!(Conv2d { x: view, w: view, bias: option, params: same, out: view })
        }
        Kernel::Conv2dGradInput { grad, w, params, out } => {
            again!(Conv2dGradInput { grad: view, w: view, params: same, out: view })
        }
        Kernel::Conv2dGradWeight { grad, x, params, out } => {
            again!(Conv2dGradWeight { grad: view, x: view, params: same, out: view })
        }
        Kernel::MaxPool2d { x, params, out, indices } => {
            again!(MaxPool2d { x: view, params: same, out: view, indices: view })
        }
        Kernel::MaxPool2dBackward { grad, indices, out } => {
            again!(MaxPool2dBackward { grad: view, indices: view, out: view })
        }
        Kernel::AvgPool2d { x, params, out } => again!(AvgPool2d { x: view, params: same, out: view }),
        Kernel::AvgPool2dBackward { grad, params, out } => {
            again!(AvgPool2dBackward { grad: view, params: same, out: view })
        }
        Kernel::AdaptiveAvgPool2d { x, out } => again!(AdaptiveAvgPool2d { x: view, out: view }),
        Kernel::AdaptiveAvgPool2dBackward { grad, out } => again!(AdaptiveAvgPool2dBackward { grad: view, out: view }),
        Kernel::LayerNorm { x, weight, bias, eps, out, mean, rstd } => {
            again!(LayerNorm { x: view, weight: option, bias: option, eps: same, out: view, mean: view, rstd: view })
        }
        Kernel::LayerNormBackward { grad, x, mean, rstd, weight, dx, dweight, dbias } => again!(LayerNormBackward {
            grad: view,
            x: view,
            mean: view,
            rstd: view,
            weight: option,
            dx: option,
            dweight: option,
            dbias: option,
        }),
        Kernel::BatchStats { x, mean, var } => again!(BatchStats { x: view, mean: view, var: view }),
        Kernel::BatchNorm { x, mean, var, weight, bias, eps, out } => {
            again!(BatchNorm { x: view, mean: view, var: view, weight: option, bias: option, eps: same, out: view })
        }
        Kernel::BatchNormBackward { grad, x, mean, var, weight, eps, training, dx, dweight, dbias } => {
            again!(BatchNormBackward {
                grad: view,
                x: view,
                mean: view,
                var: view,
                weight: option,
                eps: same,
                training: same,
                dx: option,
                dweight: option,
                dbias: option,
            })
        }
        Kernel::NllLoss { logp, target, weight, ignore_index, reduction, out, total_weight } => again!(NllLoss {
            logp: view,
            target: view,
            weight: option,
            ignore_index: same,
            reduction: same,
            out: view,
            total_weight: view,
        }),
        Kernel::NllLossBackward { grad, target, weight, ignore_index, reduction, total_weight, out } => {
            again!(NllLossBackward {
                grad: view,
                target: view,
                weight: option,
                ignore_index: same,
                reduction: same,
                total_weight: view,
                out: view,
            })
        }
        Kernel::Random { draw, philox, out } => again!(Random { draw: same, philox: same, out: view }),
        Kernel::Optimizer { rule, rate, params } => {
            let rate = rate.as_ref().map(&mut *f);
            let again = |p: &OptimizerParam<'_>| OptimizerParam {
                param: f(&p.param),
                grad: f(&p.grad),
                state: p.state.iter().map(&mut *f).collect(),
                count: p.count.as_ref().map(&mut *f),
            };
            Kernel::Optimizer { rule: *rule, rate, params: params.iter().map(again).collect() }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::executor::cpu::CpuExecutor;
    use crate::executor::{Draw, Executor, Philox};
    use crate::shape::Layout;

    fn floats(cpu: &CpuExecutor, buffer: &Buffer) -> Vec<f32> {
        let mut out = vec![0; buffer.numel * 4];
        cpu.read(buffer, 0, &mut out).unwrap();
        out.as_chunks::<4>().0.iter().map(|b| f32::from_le_bytes(*b)).collect()
    }

    /// Issue 5: what is recorded does not run; each replay runs all of it on the same memory, which the graph keeps alive,
    /// and draws from where it is told to.
    #[test]
    fn recorded_kernels_run_at_every_replay() {
        let cpu = CpuExecutor::new();
        let layout = Layout::contiguous(&[4]);
        let (x, y) = (cpu.allocate(4, DType::F32).unwrap(), cpu.allocate(4, DType::F32).unwrap());
        cpu.launch(&Kernel::Fill { out: View::new(&x, &layout), value: 1.0.into() }).unwrap();
        cpu.launch(&Kernel::Fill { out: View::new(&y, &layout), value: 0.0.into() }).unwrap();
        let mut graph = cpu.begin_graph(GraphPool(1)).unwrap();
        {
            let noise = cpu.allocate(4, DType::F32).unwrap();
            let at = |buffer| View::new(buffer, &layout);
            let philox = Philox { seed: 9, offset: 4, multiprocessors: 108 };
            let draw = Draw::Uniform { from: 0.0, to: 1.0 };
            let record = |graph: &mut Recording, kernel| cpu.record(graph, &kernel).unwrap();
            record(&mut graph, Kernel::Random { draw, philox, out: at(&noise) });
            let op = crate::executor::BinaryOp::Add;
            let (a, b) = (Operand::View(at(&x)), Operand::View(at(&noise)));
            record(&mut graph, Kernel::Binary { op, a, b, compute: DType::F32, out: at(&y) });
        }
        let graph = cpu.end_graph(graph).unwrap();
        assert_eq!(floats(&cpu, &y), [0.0; 4], "a capture runs nothing");
        for offset in [0, 8] {
            cpu.replay(&graph, Draws { seed: 7, offset }).unwrap();
            let mut expected = [0_f32; 4];
            let state = Philox { seed: 7, offset: 4 + offset, multiprocessors: 108 };
            crate::rng::philox::uniform_f32(state, &mut expected, 0.0, 1.0);
            assert_eq!(floats(&cpu, &y), expected.map(|v| v + 1.0), "offset {offset}");
        }
    }
}
