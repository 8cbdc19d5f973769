//! Every kernel with every operator and dtype, for tests that check everything an executor must be able to do.

use std::cell::RefCell;
use std::collections::BTreeSet;

use crate::dtype::{DType, Scalar};
use crate::executor::*;
use crate::shape::{Dims, contiguous_strides};

/// What a test does with the kernels.
pub trait Harness {
    /// Memory with room for a view made by [`strided`].
    fn buffer(&self, numel: usize, dtype: DType) -> Buffer;
    fn run(&self, kernel: Kernel<'_>);
}

/// Elements of a buffer with room for a view made by [`strided`], and more.
pub fn room(numel: usize) -> usize {
    4 * numel + 64
}

/// Views with an element outside a buffer of 12 elements, and some that only look like it. `run` launches a kernel and
/// returns whether it was refused. Memory outside the buffer belongs to another tensor.
pub(crate) fn views_outside(buffer: &Buffer, other: &Buffer, run: &dyn Fn(&Kernel<'_>) -> Done) {
    let refused = Err(Fault::Unsupported("a view outside its buffer".into()));
    let huge = usize::MAX / 2;
    let cases: [(&[usize], &[usize], usize, bool); 11] = [
        (&[13], &[1], 0, true),
        (&[2], &[1], 11, true),
        (&[2], &[12], 0, true),
        (&[1], &[1], 12, true),
        (&[3, 4], &[4, 1], 1, true),
        (&[2], &[huge], 0, true),
        (&[3], &[huge + 1], 0, true),
        (&[2, 2], &[huge, huge + 1], 0, true),
        (&[1], &[1], usize::MAX, true),
        (&[3, 4], &[4, 1], 0, false),
        (&[1], &[huge], 11, false),
    ];
    for (shape, strides, offset, outside) in cases {
        let bad = || View { strides: Dims::from_slice(strides), offset, ..view(buffer, shape) };
        // One element for all positions: inside, whatever the shape.
        let fixed = vec![0; shape.len()];
        let good = || View { strides: Dims::from_slice(&fixed), ..view(other, shape) };
        let dims = vec![true; shape.len()];
        let kernels = [
            Kernel::Copy { src: bad(), out: good() },
            Kernel::Copy { src: good(), out: bad() },
            Kernel::Fill { out: bad(), value: Scalar::Int(1) },
            Kernel::Flip { x: bad(), dims, out: good() },
            Kernel::Unary { op: UnaryOp::Neg, x: bad(), compute: DType::F32, out: good() },
        ];
        for kernel in kernels {
            let done = run(&kernel);
            let what = format!("{} of {shape:?} by {strides:?} from {offset}", kernel.name());
            assert_eq!(done, if outside { refused.clone() } else { Ok(()) }, "{what}");
        }
    }
}

pub(crate) fn every_kernel(r: &dyn Harness) {
    elementwise(r);
    reductions(r);
    products(r);
    optimizers(r);
    draws(r);
    rows(r);
    indexing(r);
    images(r);
    norms_and_losses(r);
}

pub fn view<'a>(buffer: &'a Buffer, shape: &[usize]) -> View<'a> {
    View { buffer, dtype: buffer.dtype, shape: Dims::from_slice(shape), strides: contiguous_strides(shape), offset: 0 }
}

/// The same shape, with strides that prevent any two dimensions from being merged.
pub(crate) fn strided<'a>(buffer: &'a Buffer, shape: &[usize]) -> View<'a> {
    let mut v = view(buffer, shape);
    for (d, stride) in v.strides.iter_mut().enumerate() {
        *stride = 2 * *stride + d;
    }
    v
}

pub fn reduce() -> Vec<ReduceOp> {
    let mut all = ReduceOp::EVERY.to_vec();
    all.extend([
        ReduceOp::Norm { p: 0.0 },
        ReduceOp::Norm { p: 1.0 },
        ReduceOp::Norm { p: 3.0 },
        ReduceOp::Norm { p: f64::INFINITY },
        ReduceOp::Norm { p: f64::NEG_INFINITY },
    ]);
    all
}

fn elementwise(r: &dyn Harness) {
    let shape = [2, 3, 4];
    for &d in &DType::ALL {
        let (x, y, z) = (r.buffer(24, d), r.buffer(24, d), r.buffer(24, d));
        let one = Operand::Scalar(Scalar::Int(1));
        r.run(Kernel::Fill { out: strided(&x, &shape), value: Scalar::Int(1) });
        r.run(Kernel::Arange { out: view(&x, &[24]), start: Scalar::Int(1), step: Scalar::Int(2) });
        for &to in &DType::ALL {
            let out = r.buffer(24, to);
            r.run(Kernel::Copy { src: view(&x, &shape), out: view(&out, &shape) });
            r.run(Kernel::Copy { src: strided(&x, &shape), out: strided(&out, &shape) });
        }
        let long = r.buffer(48, d);
        for dim in 0..3 {
            let mut whole = shape;
            whole[dim] *= 2;
            for parts in [vec![view(&x, &shape), view(&y, &shape)], vec![view(&x, &shape), strided(&y, &shape)]] {
                r.run(Kernel::Cat { parts, dim, out: view(&long, &whole) });
            }
        }
        for &op in UnaryOp::EVERY {
            r.run(Kernel::Unary { op, x: view(&x, &shape), compute: d, out: view(&y, &shape) });
            r.run(Kernel::Unary { op, x: view(&x, &shape), compute: d, out: view(&x, &shape) });
        }
        for &op in BinaryOp::EVERY {
            let (a, b) = (Operand::View(strided(&x, &shape)), Operand::View(view(&y, &shape)));
            r.run(Kernel::Binary { op, a: a.clone(), b, compute: d, out: view(&z, &shape) });
            r.run(Kernel::Binary { op, a: a.clone(), b: one.clone(), compute: d, out: view(&x, &shape) });
            r.run(Kernel::Binary { op, a: one.clone(), b: a.clone(), compute: d, out: view(&z, &shape) });
        }
        for &op in TernaryOp::EVERY {
            let v = Operand::View(view(&x, &shape));
            r.run(Kernel::Ternary {
                op,
                a: v.clone(),
                b: v.clone(),
                c: one.clone(),
                compute: d,
                out: strided(&z, &shape),
            });
            r.run(Kernel::Ternary { op, a: one.clone(), b: v.clone(), c: v, compute: d, out: view(&x, &shape) });
        }
    }
}

fn reductions(r: &dyn Harness) {
    for &d in &DType::ALL {
        for n in [4, 300, 2000] {
            let (x, out, index) = (r.buffer(6 * n, d), r.buffer(6, d), r.buffer(6, DType::I64));
            for op in reduce() {
                for dims in [[false, false, true], [true, true, true], [true, false, true]] {
                    let kept: Dims = (0..3).map(|i| if dims[i] { 1 } else { [2, 3, n][i] }).collect();
                    r.run(Kernel::Reduce {
                        op,
                        x: strided(&x, &[2, 3, n]),
                        dims: dims.to_vec(),
                        compute: d,
                        out: view(&out, &kept),
                    });
                }
            }
            for (largest, values) in [(true, None), (false, Some(view(&out, &[2, 3, 1])))] {
                r.run(Kernel::ArgReduce {
                    largest,
                    x: view(&x, &[2, 3, n]),
                    dim: 2,
                    values,
                    indices: view(&index, &[2, 3, 1]),
                });
            }
        }
    }
}

fn products(r: &dyn Harness) {
    for &d in &DType::ALL {
        for [m, k, n] in [[1, 8, 8], [64, 64, 64], [128, 8, 128], [8, 8, 3000]] {
            let (a, c, out) = (r.buffer(m * k, d), r.buffer(k * n, d), r.buffer(m * n, d));
            let (av, cv, ov) = (view(&a, &[1, m, k]), view(&c, &[1, k, n]), view(&out, &[1, m, n]));
            r.run(Kernel::MatMul { a: av.clone(), c: cv.clone(), bias: None, alpha: 1.0, beta: 0.0, out: ov.clone() });
            let bias = Some(ov.clone());
            r.run(Kernel::MatMul { a: av, c: cv, bias, alpha: 2.0, beta: 1.0, out: ov });
        }
    }
}

fn optimizers(r: &dyn Harness) {
    let rules = [
        OptimizerRule::Sgd {
            lr: 0.1,
            momentum: 0.0,
            dampening: 0.0,
            weight_decay: 0.0,
            nesterov: false,
            maximize: false,
            first: true,
        },
        OptimizerRule::Sgd {
            lr: 0.1,
            momentum: 0.9,
            dampening: 0.0,
            weight_decay: 0.0,
            nesterov: true,
            maximize: false,
            first: true,
        },
        OptimizerRule::Sgd {
            lr: 0.1,
            momentum: 0.9,
            dampening: 0.1,
            weight_decay: 0.0,
            nesterov: false,
            maximize: true,
            first: false,
        },
        OptimizerRule::Adagrad { lr: 0.1, eps: 1e-8, weight_decay: 0.0, maximize: false },
    ];
    let adam = [false, true].map(|amsgrad| OptimizerRule::Adam {
        lr: 0.1,
        beta1: 0.9,
        beta2: 0.99,
        eps: 1e-8,
        weight_decay: 0.1,
        amsgrad,
        maximize: false,
        decoupled: amsgrad,
        step: Some(3),
    });
    let rms =
        [(0.0, false), (0.9, false), (0.0, true), (0.9, true)].map(|(momentum, centered)| OptimizerRule::RmsProp {
            lr: 0.1,
            alpha: 0.9,
            eps: 1e-8,
            weight_decay: 0.0,
            momentum,
            centered,
            maximize: false,
        });
    for &d in &[DType::F16, DType::BF16, DType::F32, DType::F64] {
        for &rule in rules.iter().chain(&adam).chain(&rms) {
            let b: Vec<Buffer> = (0..5).map(|_| r.buffer(8, d)).collect();
            // Plain gradient descent keeps no state.
            let kept = if matches!(rule, OptimizerRule::Sgd { momentum: 0.0, .. }) { 0 } else { 3 };
            let params = vec![OptimizerParam {
                param: view(&b[0], &[8]),
                grad: view(&b[1], &[8]),
                state: b[2..2 + kept].iter().map(|b| view(b, &[8])).collect(),
                count: None,
            }];
            r.run(Kernel::Optimizer { rule, rate: None, params });
        }
        // The rules that count steps on the device, with a learning rate in memory or their own.
        for (rule, on_device) in [(adam[0], false), (adam[1], true), (rms[0], false), (rms[3], true)] {
            let b: Vec<Buffer> = (0..5).map(|_| r.buffer(8, d)).collect();
            let (count, rate) = (r.buffer(1, DType::F32), r.buffer(1, DType::F32));
            let rule = match rule {
                OptimizerRule::Adam { lr, beta1, beta2, eps, weight_decay, amsgrad, maximize, decoupled, .. } => {
                    let step = None;
                    OptimizerRule::Adam { lr, beta1, beta2, eps, weight_decay, amsgrad, maximize, decoupled, step }
                }
                other => other,
            };
            let params = vec![OptimizerParam {
                param: view(&b[0], &[8]),
                grad: view(&b[1], &[8]),
                state: b[2..].iter().map(|b| view(b, &[8])).collect(),
                count: Some(view(&count, &[])),
            }];
            r.run(Kernel::Optimizer { rule, rate: on_device.then(|| view(&rate, &[])), params });
        }
    }
}

fn draws(r: &dyn Harness) {
    let philox = Philox { seed: 1, offset: 0, multiprocessors: 1 };
    let draws = [
        Draw::Uniform { from: 0.0, to: 1.0 },
        Draw::Normal { mean: 0.0, std: 1.0 },
        Draw::Bernoulli { p: 0.5 },
        Draw::Integers { base: 0, range: 10 },
        Draw::Integers { base: -5, range: 1 << 40 },
        Draw::Exponential { lambda: 1.0 },
        Draw::Dropout { p: 0.5 },
    ];
    for &d in &DType::ALL {
        for n in [7, 6, 8] {
            let out = r.buffer(n, d);
            for draw in draws {
                r.run(Kernel::Random { draw, philox, out: view(&out, &[n]) });
            }
        }
    }
}

fn rows(r: &dyn Harness) {
    for &d in &DType::ALL {
        for n in [4, 200, 2000] {
            let shape = [2, n, 3];
            let (x, y, z) = (r.buffer(6 * n, d), r.buffer(6 * n, d), r.buffer(6 * n, d));
            let at = r.buffer(6 * n, DType::I64);
            for log in [false, true] {
                r.run(Kernel::Softmax { log, x: view(&x, &shape), dim: 1, out: view(&y, &shape) });
                let (grad, y) = (view(&x, &shape), strided(&y, &shape));
                r.run(Kernel::SoftmaxBackward { log, grad, y, dim: 1, out: view(&z, &shape) });
            }
            for right in [false, true] {
                for (rows, order) in [(1, None), (6, Some(view(&at, &[6, n])))] {
                    let short = r.buffer(6 * n, DType::I32);
                    let (sorted, values) = (view(&x, &[rows, n]), strided(&y, &[6, n]));
                    r.run(Kernel::Search { sorted, values, order, right, out: view(&short, &[6, n]) });
                }
            }
            for op in [ScanOp::Sum, ScanOp::Prod, ScanOp::Max, ScanOp::Min] {
                r.run(Kernel::Scan { op, x: view(&x, &shape), dim: 1, out: view(&y, &shape) });
            }
            for descending in [false, true] {
                let (values, indices) = (view(&y, &shape), view(&at, &shape));
                r.run(Kernel::Sort { x: view(&x, &shape), dim: 1, descending, values, indices });
            }
        }
    }
}

fn indexing(r: &dyn Harness) {
    let shape = [4, 5];
    for &d in &DType::ALL {
        let (x, y) = (r.buffer(20, d), r.buffer(20, d));
        let index = r.buffer(20, DType::I64);
        let short = r.buffer(4, DType::I32);
        let (xv, yv, iv) = (|| view(&x, &shape), || strided(&y, &shape), || view(&index, &shape));
        r.run(Kernel::IndexSelect { x: xv(), dim: 0, index: view(&short, &[4]), out: yv() });
        r.run(Kernel::Gather { x: xv(), dim: 1, index: iv(), out: yv() });
        for alpha in [1.0, 2.0] {
            r.run(Kernel::IndexAdd { out: yv(), dim: 0, index: view(&short, &[4]), src: xv(), alpha });
        }
        for op in [ScatterOp::Set, ScatterOp::Add, ScatterOp::Mul, ScatterOp::Max, ScatterOp::Min] {
            for src in [Operand::View(xv()), Operand::Scalar(Scalar::Int(1))] {
                r.run(Kernel::Scatter { op, out: yv(), dim: 1, index: iv(), src });
            }
        }
        // A column and a row, broadcast to one shape.
        let wide = |strides: [usize; 2]| View { strides: Dims::from_slice(&strides), ..view(&index, &[3, 2]) };
        let pair = || vec![wide([1, 0]), wide([0, 1])];
        let out = r.buffer(6, d);
        r.run(Kernel::Index { x: xv(), indices: pair(), out: view(&out, &[3, 2]) });
        for accumulate in [false, true] {
            let src = Operand::View(view(&out, &[3, 2]));
            r.run(Kernel::IndexPut { out: yv(), indices: pair(), src, accumulate });
            let src = Operand::Scalar(Scalar::Int(2));
            r.run(Kernel::IndexPut { out: yv(), indices: vec![view(&index, &[3])], src, accumulate });
        }
        r.run(Kernel::Nonzero { x: xv(), out: view(&index, &[7, 2]) });
        for upper in [false, true] {
            r.run(Kernel::Triangle { upper, diagonal: -1, x: xv(), out: yv() });
            r.run(Kernel::Triangle { upper, diagonal: 1, x: xv(), out: xv() });
        }
        r.run(Kernel::Flip { x: xv(), dims: vec![true, false], out: yv() });
    }
}

fn images(r: &dyn Harness) {
    let params = Conv2d { stride: [1, 2], padding: [1, 0], dilation: [1, 1], groups: 2 };
    let pool = Pool2d {
        kernel: [2, 2],
        stride: [2, 2],
        padding: [0, 0],
        dilation: [1, 1],
        count_include_pad: true,
        divisor: None,
    };
    for &d in &[DType::F16, DType::BF16, DType::F32, DType::F64, DType::I64] {
        let (x, w, b) = (r.buffer(64, d), r.buffer(64, d), r.buffer(4, d));
        let (out, index) = (r.buffer(64, d), r.buffer(64, DType::I64));
        let image = [1, 4, 4, 4];
        let weights = [4, 2, 2, 2];
        let (xv, wv) = (|| strided(&x, &image), || view(&w, &weights));
        for bias in [None, Some(view(&b, &[4]))] {
            r.run(Kernel::Conv2d { x: xv(), w: wv(), bias, params, out: view(&out, &[1, 4, 5, 2]) });
        }
        let grad = || view(&out, &[1, 4, 5, 2]);
        r.run(Kernel::Conv2dGradInput { grad: grad(), w: wv(), params, out: view(&x, &image) });
        r.run(Kernel::Conv2dGradWeight { grad: grad(), x: xv(), params, out: view(&w, &weights) });
        let small = [1, 4, 2, 2];
        let (sv, iv) = (|| view(&out, &small), || view(&index, &small));
        r.run(Kernel::MaxPool2d { x: xv(), params: pool, out: sv(), indices: iv() });
        r.run(Kernel::MaxPool2dBackward { grad: sv(), indices: iv(), out: view(&x, &image) });
        r.run(Kernel::AvgPool2d { x: xv(), params: pool, out: sv() });
        r.run(Kernel::AvgPool2dBackward { grad: sv(), params: pool, out: xv() });
        r.run(Kernel::AdaptiveAvgPool2d { x: xv(), out: sv() });
        r.run(Kernel::AdaptiveAvgPool2dBackward { grad: sv(), out: xv() });
    }
}

fn norms_and_losses(r: &dyn Harness) {
    for &d in &[DType::F16, DType::BF16, DType::F32, DType::F64] {
        let (x, y, z) = (r.buffer(24, d), r.buffer(24, d), r.buffer(24, d));
        let (w, b, dw, db) = (r.buffer(8, d), r.buffer(8, d), r.buffer(8, d), r.buffer(8, d));
        let (mean, other) = (r.buffer(8, DType::F32), r.buffer(8, DType::F32));
        let target = r.buffer(3, DType::I64);
        let bytes = r.buffer(3, DType::U8);
        let flat = || [view(&x, &[3, 8]), view(&y, &[3, 8]), view(&z, &[3, 8])];
        let wide = || [strided(&x, &[2, 3, 4]), view(&y, &[2, 3, 4]), view(&z, &[2, 3, 4])];
        for given in [false, true] {
            let some = |b| given.then(|| view(b, &[8]));
            let channel = |b| given.then(|| view(b, &[3]));
            let [xv, yv, zv] = flat();
            let (m, s) = (|| view(&mean, &[3]), || view(&other, &[3]));
            r.run(Kernel::LayerNorm {
                x: xv.clone(),
                weight: some(&w),
                bias: some(&b),
                eps: 1e-5,
                out: yv.clone(),
                mean: m(),
                rstd: s(),
            });
            r.run(Kernel::LayerNormBackward {
                grad: yv,
                x: xv,
                mean: m(),
                rstd: s(),
                weight: some(&w),
                dx: Some(zv),
                dweight: some(&dw),
                dbias: (!given).then(|| view(&db, &[8])),
            });
            let [xv, yv, zv] = wide();
            r.run(Kernel::BatchStats { x: xv.clone(), mean: m(), var: s() });
            r.run(Kernel::BatchNorm {
                x: xv.clone(),
                mean: m(),
                var: s(),
                weight: channel(&w),
                bias: channel(&b),
                eps: 1e-5,
                out: yv.clone(),
            });
            r.run(Kernel::BatchNormBackward {
                grad: yv,
                x: xv,
                mean: m(),
                var: s(),
                weight: channel(&w),
                eps: 1e-5,
                training: given,
                dx: Some(zv),
                dweight: channel(&dw),
                dbias: channel(&db),
            });
            for reduction in [Reduction::None, Reduction::Mean, Reduction::Sum] {
                let [xv, yv, _] = flat();
                let shape: &[usize] = if reduction == Reduction::None { &[3] } else { &[] };
                let target = || if given { view(&bytes, &[3]) } else { view(&target, &[3]) };
                r.run(Kernel::NllLoss {
                    logp: xv,
                    target: target(),
                    weight: some(&w),
                    ignore_index: -100,
                    reduction,
                    out: view(&b, shape),
                    total_weight: view(&dw, &[]),
                });
                r.run(Kernel::NllLossBackward {
                    grad: view(&b, shape),
                    target: target(),
                    weight: some(&w),
                    ignore_index: -100,
                    reduction,
                    total_weight: view(&dw, &[]),
                    out: yv,
                });
            }
        }
    }
}

/// Runs kernels on the CPU executor, and checks that buffers they may only read don't change.
struct Watching {
    cpu: cpu::CpuExecutor,
    met: RefCell<BTreeSet<&'static str>>,
}

impl Watching {
    fn bytes(&self, buffer: &Buffer) -> Vec<u8> {
        let mut bytes = vec![0; buffer.numel * buffer.dtype.size()];
        self.cpu.read(buffer, 0, &mut bytes).unwrap();
        bytes
    }
}

impl Harness for Watching {
    fn buffer(&self, numel: usize, dtype: DType) -> Buffer {
        self.cpu.allocate(room(numel), dtype).unwrap()
    }

    fn run(&self, kernel: Kernel<'_>) {
        let mut buffers: Vec<&Buffer> = Vec::new();
        kernel.views(&mut |v| buffers.push(v.buffer));
        for &buffer in &buffers {
            // A one is a valid index for most dimensions, and a number of every dtype.
            let out = view(buffer, &[buffer.numel]);
            complex::launch(&Kernel::Fill { value: Scalar::Int(1), out }, |part| self.cpu.launch(part)).unwrap();
        }
        kernel.written(&mut |v| buffers.retain(|buffer| !std::ptr::eq(*buffer, v.buffer)));
        let before: Vec<_> = buffers.iter().map(|buffer| self.bytes(buffer)).collect();
        if complex::launch(&kernel, |part| self.cpu.launch(part)).is_ok() {
            self.met.borrow_mut().insert(kernel.variant());
        }
        for (buffer, before) in buffers.iter().zip(before) {
            assert_eq!(self.bytes(buffer), before, "{} wrote what it is declared to read", kernel.name());
        }
    }
}

/// The kernels that only the host has.
fn of_the_host(r: &dyn Harness) {
    for d in [DType::F32, DType::F64] {
        let (x, y) = (r.buffer(600, d), r.buffer(600, d));
        for inverse in [false, true] {
            let pairs = [3, 100, 2];
            r.run(Kernel::Fft { x: strided(&x, &pairs), inverse, out: view(&y, &pairs) });
        }
        for n in [4, 200] {
            let (x, values, indices) = (r.buffer(6 * n, d), r.buffer(12, d), r.buffer(12, DType::I64));
            let k = n.min(2);
            for (pick, count) in [
                (Pick::Top { k, largest: true, sorted: true }, k),
                (Pick::Top { k, largest: false, sorted: false }, k),
                (Pick::Kth(n - 1), 1),
                (Pick::Rank(n / 2), 1),
            ] {
                let (values, indices) = (view(&values, &[2, count, 3]), view(&indices, &[2, count, 3]));
                r.run(Kernel::Pick { x: view(&x, &[2, n, 3]), dim: 1, pick, values, indices });
            }
        }
        let (numbers, s, v) = (r.buffer(600, d), r.buffer(8, d), r.buffer(100, d));
        for shape in [&[2, 5, 5][..], &[2, 5, 5, 2]] {
            let (values, vectors) = (view(&numbers, &[2, 5, 2]), view(&y, &[2, 5, 5, 2]));
            r.run(Kernel::Eigen { x: strided(&x, shape), values, vectors });
            let (values, vectors) = (view(&numbers, &[2, 5]), view(&y, shape));
            r.run(Kernel::SymmetricEigen { x: strided(&x, shape), values, vectors });
        }
        for (shape, u, right) in [
            (&[2, 5, 4][..], &[2, 5, 5][..], &[2, 4, 4][..]),
            (&[2, 4, 5], &[2, 4, 4], &[2, 5, 4]),
            (&[2, 5, 4, 2], &[2, 5, 4, 2], &[2, 4, 4, 2]),
        ] {
            let (u, s, v) = (view(&y, u), view(&s, &[2, 4]), view(&v, right));
            r.run(Kernel::SingularValues { x: strided(&x, shape), u, s, v });
        }
        let (exchanges, order) = (r.buffer(8, DType::I64), r.buffer(10, DType::I64));
        for complex in [false, true] {
            let shaped = |buffer, shape: &[usize]| {
                let shape = if complex { [shape, &[2]].concat() } else { shape.to_vec() };
                strided(buffer, &shape)
            };
            let plain = |buffer, shape: &[usize]| {
                let shape = if complex { [shape, &[2]].concat() } else { shape.to_vec() };
                view(buffer, &shape)
            };
            let (factors, exchanges, order) = (plain(&y, &[2, 5, 4]), view(&exchanges, &[2, 4]), view(&order, &[2, 5]));
            r.run(Kernel::Eliminate { x: shaped(&x, &[2, 5, 4]), exchange: true, factors, exchanges, order });
            let (t, right, out) = (shaped(&x, &[2, 5, 5]), plain(&numbers, &[2, 5, 3]), plain(&y, &[2, 5, 3]));
            r.run(Kernel::Substitute { t, x: right, upper: true, unit: false, out });
            r.run(Kernel::Cholesky { x: shaped(&x, &[2, 5, 5]), out: plain(&y, &[2, 5, 5]) });
            let (q, upper) = (plain(&y, &[2, 5, 4]), plain(&v, &[2, 4, 4]));
            r.run(Kernel::Orthogonalize { x: shaped(&x, &[2, 5, 4]), q, r: upper });
        }
    }
}

/// A kernel writes only what its declaration says it writes, and no kernel is missing from the lists above.
#[test]
fn kernels_write_what_their_declarations_say() {
    let watching = Watching { cpu: cpu::CpuExecutor::new(), met: RefCell::default() };
    every_kernel(&watching);
    of_the_host(&watching);
    let met = watching.met.into_inner();
    let missing: Vec<_> = Kernel::VARIANTS.iter().filter(|variant| !met.contains(**variant)).collect();
    assert!(missing.is_empty(), "no list launches {missing:?}");
}
