//! Tests every kernel of the CUDA executor without a GPU: NVRTC compiles it, and the emulator's results are compared
//! with the CPU executor's.

mod products;

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::CudaExecutor;
use super::blocks::CudaBuffer;
use super::compiler::Compiler;
use super::device::Device;
use super::emulator::Emulator;
use super::kernels::{Product, Sink, lower};
use super::launch::Launch;
use super::source::{self, Family};
use crate::dtype::{DType, Scalar};
use crate::executor::cpu::CpuExecutor;
use crate::executor::every::{self, Harness, every_kernel, room, strided, view, views_outside};
use crate::executor::*;
use crate::shape::Dims;

// ---- what the common list does not have ---------------------------------------------------------------------------------

/// Sizes for which a kernel takes another path, and operands with different dtypes.
fn more_kernels(r: &dyn Harness) {
    mixed(r);
    packed(r);
    long_rows(r);
    large_reductions(r);
    large_products(r);
    large_others(r);
}

/// The combinations of dtypes that promotion and `out=` cause.
fn mixed(r: &dyn Harness) {
    let shape = [3, 5];
    for &from in &DType::ALL {
        for &to in &DType::ALL {
            let (x, y, flag, out) = (r.buffer(15, from), r.buffer(15, to), r.buffer(15, DType::Bool), r.buffer(15, to));
            let compute = from.promote(to);
            let (a, b) = (Operand::View(view(&x, &shape)), Operand::View(strided(&y, &shape)));
            let o = view(&out, &shape);
            r.run(Kernel::Binary { op: BinaryOp::Add, a: a.clone(), b: b.clone(), compute, out: o.clone() });
            let test = view(&flag, &shape);
            r.run(Kernel::Binary { op: BinaryOp::Lt, a: a.clone(), b: b.clone(), compute, out: test.clone() });
            let condition = Operand::View(test);
            r.run(Kernel::Ternary { op: TernaryOp::Where, a: condition, b: a, c: b, compute, out: o.clone() });
            let row = r.buffer(3, to);
            let (op, x, dims) = (ReduceOp::Sum, view(&x, &shape), vec![false, true]);
            // A comparison decides whether 0.5 counts as true; no kernel reads floats as bool.
            if to != DType::Bool || !from.is_float() {
                r.run(Kernel::Reduce { op, x: x.clone(), dims, compute: to, out: view(&row, &[3, 1]) });
            }
            r.run(Kernel::Scan { op: ScanOp::Sum, x, dim: 0, out: o });
        }
        let out = r.buffer(15, from);
        r.run(Kernel::Arange { out: view(&out, &[15]), start: Scalar::Float(0.5), step: Scalar::Float(0.25) });
        r.run(Kernel::Fill { out: view(&out, &shape), value: Scalar::Float(1.5) });
        r.run(Kernel::Fill { out: view(&out, &shape), value: Scalar::Bool(true) });
    }
}

/// Large enough that one instruction moves several elements, with some elements left over.
fn packed(r: &dyn Harness) {
    let n = 2051;
    for &d in &DType::ALL {
        let (x, y, z) = (r.buffer(n, d), r.buffer(n, d), r.buffer(n, d));
        let v = |b| Operand::View(view(b, &[n]));
        let one = Operand::Scalar(Scalar::Int(2));
        r.run(Kernel::Fill { out: view(&x, &[n]), value: Scalar::Int(3) });
        r.run(Kernel::Unary { op: UnaryOp::Square, x: view(&x, &[n]), compute: d, out: view(&x, &[n]) });
        r.run(Kernel::Binary { op: BinaryOp::Sub, a: v(&x), b: v(&y), compute: d, out: view(&z, &[n]) });
        r.run(Kernel::Binary { op: BinaryOp::Mul, a: v(&x), b: one.clone(), compute: d, out: view(&z, &[n]) });
        r.run(Kernel::Ternary { op: TernaryOp::Where, a: v(&x), b: v(&y), c: one, compute: d, out: view(&z, &[n]) });
        // Begins one element later, where nothing is aligned.
        let mut odd = view(&x, &[n - 1]);
        odd.offset = 1;
        r.run(Kernel::Copy { src: odd, out: view(&y, &[n - 1]) });
    }
    // A broadcast row, a scalar view, and dimensions that can't be merged.
    let (x, row, one, out) = (
        r.buffer(60 * 70, DType::F32),
        r.buffer(70, DType::F32),
        r.buffer(1, DType::F32),
        r.buffer(60 * 70, DType::F32),
    );
    let mut wide = view(&row, &[70]);
    (wide.shape, wide.strides) = (Dims::from_slice(&[60, 70]), Dims::from_slice(&[0, 1]));
    let mut fixed = view(&one, &[1]);
    (fixed.shape, fixed.strides) = (Dims::from_slice(&[60, 70]), Dims::from_slice(&[0, 0]));
    for b in [wide, fixed] {
        let (a, b) = (Operand::View(view(&x, &[60, 70])), Operand::View(b));
        r.run(Kernel::Binary { op: BinaryOp::Add, a, b, compute: DType::F32, out: view(&out, &[60, 70]) });
    }
    let mut turned = view(&x, &[60, 70]);
    (turned.shape, turned.strides) = (Dims::from_slice(&[70, 60]), Dims::from_slice(&[1, 70]));
    r.run(Kernel::Copy { src: turned, out: view(&out, &[70, 60]) });
}

fn long_rows(r: &dyn Harness) {
    for &d in &[DType::F16, DType::BF16, DType::F32, DType::F64] {
        // Lines that fit into a warp, that fit into a block's registers, and that must be read twice.
        for n in [1, 33, 1000, 1500, 1501] {
            let shape = [3, n];
            let (x, y, z) = (r.buffer(3 * n, d), r.buffer(3 * n, d), r.buffer(3 * n, d));
            for log in [false, true] {
                r.run(Kernel::Softmax { log, x: view(&x, &shape), dim: 1, out: view(&y, &shape) });
                let (grad, y) = (view(&x, &shape), view(&y, &shape));
                r.run(Kernel::SoftmaxBackward { log, grad, y, dim: 1, out: view(&z, &shape) });
            }
            let (mean, rstd, w) = (r.buffer(3, DType::F32), r.buffer(3, DType::F32), r.buffer(n, d));
            let wanted = || Some(view(&w, &[n]));
            let (xv, yv) = (|| view(&x, &shape), || view(&y, &shape));
            let [mean, rstd] = [view(&mean, &[3]), view(&rstd, &[3])];
            let (m, s) = (mean.clone(), rstd.clone());
            r.run(Kernel::LayerNorm { x: xv(), weight: wanted(), bias: None, eps: 1e-5, out: yv(), mean: m, rstd: s });
            let (grad, x, weight) = (yv(), xv(), wanted());
            let (dx, dweight, dbias) = (Some(view(&z, &shape)), None, None);
            r.run(Kernel::LayerNormBackward { grad, x, mean, rstd, weight, dx, dweight, dbias });
        }
    }
    for &d in &[DType::F32, DType::I64, DType::U8] {
        for n in [1023, 1024, 1025, 5000] {
            let shape = [2, n];
            let (x, y, at) = (r.buffer(2 * n, d), r.buffer(2 * n, d), r.buffer(2 * n, DType::I64));
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

fn large_reductions(r: &dyn Harness) {
    for &d in &[DType::F32, DType::F64, DType::F16, DType::I64, DType::Bool] {
        // Reductions of everything, of rows and of columns, with and without pieces.
        for (shape, dims) in [
            ([40, 1000], [true, true]),
            ([5, 9000], [false, true]),
            ([700, 40], [false, true]),
            ([4000, 9], [true, false]),
            ([20, 900], [true, false]),
        ] {
            let kept: Dims = (0..2).map(|i| if dims[i] { 1 } else { shape[i] }).collect();
            let n = kept.iter().product();
            let (x, out) = (r.buffer(shape[0] * shape[1], d), r.buffer(n, d));
            for op in every::reduce() {
                let x = view(&x, &shape);
                r.run(Kernel::Reduce { op, x, dims: dims.to_vec(), compute: d, out: view(&out, &kept) });
            }
        }
        let (x, values, at) = (r.buffer(5 * 9000, d), r.buffer(9000, d), r.buffer(9000, DType::I64));
        for largest in [false, true] {
            let (values, indices) = (Some(view(&values, &[5, 1])), view(&at, &[5, 1]));
            r.run(Kernel::ArgReduce { largest, x: view(&x, &[5, 9000]), dim: 1, values, indices });
            let indices = view(&at, &[1, 9000]);
            r.run(Kernel::ArgReduce { largest, x: view(&x, &[5, 9000]), dim: 0, values: None, indices });
        }
    }
}

fn large_products(r: &dyn Harness) {
    for (d, [b, m, k, n]) in [
        (DType::F32, [2, 70, 37, 90]),
        (DType::F64, [2, 70, 37, 90]),
        (DType::F16, [2, 70, 37, 90]),
        (DType::BF16, [2, 70, 37, 90]),
        (DType::I32, [2, 70, 37, 90]),
        // Large enough for large tiles.
        (DType::F32, [2, 130, 35, 140]),
        // Sums over zero elements.
        (DType::F32, [2, 5, 0, 9]),
        (DType::I64, [2, 5, 0, 9]),
        (DType::BF16, [2, 130, 35, 140]),
    ] {
        let (a, c, out) = (r.buffer(b * m * k, d), r.buffer(b * k * n, d), r.buffer(b * m * n, d));
        let row = r.buffer(n, d);
        for (a_turned, c_turned) in [(false, false), (true, false), (false, true), (true, true)] {
            let mut av = view(&a, &[b, m, k]);
            if a_turned {
                av.strides = Dims::from_slice(&[m * k, 1, m]);
            }
            let mut cv = view(&c, &[b, k, n]);
            if c_turned {
                cv.strides = Dims::from_slice(&[k * n, 1, k]);
            }
            let mut bias = view(&row, &[n]);
            (bias.shape, bias.strides) = (Dims::from_slice(&[b, m, n]), Dims::from_slice(&[0, 0, 1]));
            let out = view(&out, &[b, m, n]);
            r.run(Kernel::MatMul { a: av, c: cv, bias: Some(bias), alpha: 1.0, beta: 1.0, out });
        }
    }
}

/// Convolutions in pieces, with groups, strides, dilation and padding. Some are large enough for large tiles.
fn convolutions(r: &dyn Harness) {
    let (small, large) = ([3, 4, 6, 15, 14, 3, 2], [2, 70, 72, 12, 12, 1, 3]);
    let f = [DType::F32, DType::F16, DType::F64];
    for (dtypes, [n, c, o, h, w, kh, kw], groups, stride, padding, dilation) in [
        (&f[..], small, 1, [1, 1], [1, 1], [1, 1]),
        (&f[..], small, 2, [2, 1], [0, 2], [1, 2]),
        (&f[..1], small, 1, [2, 3], [2, 1], [2, 1]),
        (&f[..2], large, 1, [1, 1], [0, 1], [1, 1]),
        // Depthwise.
        (&f[..2], [3, 4, 8, 15, 14, 3, 2], 4, [2, 1], [1, 0], [1, 2]),
    ] {
        for &d in dtypes {
            let params = Conv2d { stride, padding, dilation, groups };
            let size = |axis: usize, input: usize, kernel: usize| {
                (input + 2 * padding[axis] - dilation[axis] * (kernel - 1) - 1) / stride[axis] + 1
            };
            let (oh, ow) = (size(0, h, kh), size(1, w, kw));
            let (xs, ys, ks) = ([n, c, h, w], [n, o, oh, ow], [o, c / groups, kh, kw]);
            let buffer = |shape: &[usize]| r.buffer(shape.iter().product(), d);
            let (x, y, k, bias) = (buffer(&xs), buffer(&ys), buffer(&ks), buffer(&[o]));
            let bias = Some(view(&bias, &[o]));
            r.run(Kernel::Conv2d { x: view(&x, &xs), w: view(&k, &ks), bias, params, out: view(&y, &ys) });
            r.run(Kernel::Conv2dGradInput { grad: view(&y, &ys), w: view(&k, &ks), params, out: view(&x, &xs) });
            r.run(Kernel::Conv2dGradWeight { grad: view(&y, &ys), x: view(&x, &xs), params, out: view(&k, &ks) });
        }
    }
}

fn large_others(r: &dyn Harness) {
    // Batches with few channels and long planes, which are summed in pieces.
    for &d in &[DType::F32, DType::F16] {
        let (shape, c) = ([3, 2, 1500], 2);
        let buffer = |n| r.buffer(n, d);
        let (x, y, z, w, b) = (buffer(9000), buffer(9000), buffer(9000), buffer(c), buffer(c));
        let (dw, db) = (buffer(c), buffer(c));
        let (m, v) = (r.buffer(c, DType::F32), r.buffer(c, DType::F32));
        let (mean, var) = (|| view(&m, &[c]), || view(&v, &[c]));
        r.run(Kernel::BatchStats { x: view(&x, &shape), mean: mean(), var: var() });
        // The numbers used as a variance may be negative here; the large epsilon keeps the root defined.
        let (eps, weight, bias) = (2.0, Some(view(&w, &[c])), Some(view(&b, &[c])));
        let (xv, out) = (view(&x, &shape), view(&y, &shape));
        r.run(Kernel::BatchNorm { x: xv, mean: mean(), var: var(), weight, bias, eps, out });
        for training in [true, false] {
            let (grad, xv, weight) = (view(&y, &shape), view(&x, &shape), Some(view(&w, &[c])));
            let (dx, dweight, dbias) = (Some(view(&z, &shape)), Some(view(&dw, &[c])), Some(view(&db, &[c])));
            let (mean, var) = (mean(), var());
            r.run(Kernel::BatchNormBackward { grad, x: xv, mean, var, weight, eps, training, dx, dweight, dbias });
        }
    }
    // A count over several tiles.
    let (x, out) = (r.buffer(90 * 70, DType::I32), r.buffer(90 * 70 * 2, DType::I64));
    r.run(Kernel::Nonzero { x: view(&x, &[90, 70]), out: view(&out, &[4000, 2]) });
    // Parameters of different sizes in one step, one of them longer than a chunk.
    let d = DType::F32;
    let sizes = [5, 4100, 1, 2048];
    let buffers: Vec<[Buffer; 4]> = sizes.iter().map(|&n| std::array::from_fn(|_| r.buffer(n, d))).collect();
    let counts: Vec<Buffer> = sizes.iter().map(|_| r.buffer(1, DType::F32)).collect();
    // Steps are counted by the host, and by the device, which reads all counts before it increases any.
    for step in [Some(2), None] {
        let params = buffers.iter().zip(&counts).zip(sizes).map(|(([p, g, m, v], count), n)| OptimizerParam {
            param: view(p, &[n]),
            grad: view(g, &[n]),
            state: vec![view(m, &[n]), view(v, &[n])],
            count: step.is_none().then(|| view(count, &[])),
        });
        let rule = OptimizerRule::Adam {
            lr: 0.1,
            beta1: 0.9,
            beta2: 0.99,
            eps: 1e-8,
            weight_decay: 0.0,
            amsgrad: false,
            maximize: false,
            decoupled: false,
            step,
        };
        // The second time starts from the count of finished blocks that the first time left.
        for _ in 0..2 {
            r.run(Kernel::Optimizer { rule, rate: None, params: params.clone().collect() });
        }
    }
    // More draws than one element per thread.
    let philox = Philox { seed: 7, offset: 8, multiprocessors: 1 };
    for n in [5000, 10_001, 10_002] {
        let out = r.buffer(n, d);
        for draw in [
            Draw::Uniform { from: -1.0, to: 3.0 },
            Draw::Normal { mean: 1.0, std: 2.0 },
            Draw::Integers { base: 3, range: 1 << 30 },
            Draw::Dropout { p: 0.25 },
        ] {
            r.run(Kernel::Random { draw, philox, out: view(&out, &[n]) });
        }
    }
    convolutions(r);
    // Windows.
    for (groups, stride) in [(1, [1, 1]), (2, [2, 1])] {
        let (n, c, h, w) = (3, 4, 15, 14);
        let xs = [n, c, h, w];
        let x = r.buffer(n * c * h * w, d);
        let pool = Pool2d {
            kernel: [3, 2],
            stride,
            padding: [1, 1],
            dilation: [1, 1],
            count_include_pad: groups == 1,
            divisor: None,
        };
        let cells = |axis: usize, input: usize| (input + 2 - pool.kernel[axis]) / stride[axis] + 1;
        let ps = [n, c, cells(0, h), cells(1, w)];
        let (p, at) = (r.buffer(ps.iter().product(), d), r.buffer(ps.iter().product(), DType::I64));
        let (xv, pv, iv) = (|| view(&x, &xs), || view(&p, &ps), || view(&at, &ps));
        r.run(Kernel::MaxPool2d { x: xv(), params: pool, out: pv(), indices: iv() });
        r.run(Kernel::MaxPool2dBackward { grad: pv(), indices: iv(), out: xv() });
        r.run(Kernel::AvgPool2d { x: xv(), params: pool, out: pv() });
        r.run(Kernel::AvgPool2dBackward { grad: pv(), params: pool, out: xv() });
        r.run(Kernel::AdaptiveAvgPool2d { x: xv(), out: pv() });
        r.run(Kernel::AdaptiveAvgPool2dBackward { grad: pv(), out: xv() });
    }
}

/// Nothing uses TF32.
const EXACT: Precision = Precision {
    products_in_tf32: false,
    convolutions_in_tf32: false,
    float16: Reduction16::Reduced,
    bfloat16: Reduction16::Reduced,
    float16_throughout: false,
};
/// Everything that may use TF32 does.
const TF32: Precision = Precision { products_in_tf32: true, convolutions_in_tf32: true, ..EXACT };

// ---- compiled ------------------------------------------------------------------------------------------------------------

/// Collects the instantiations that kernels need.
struct Recorder {
    next: Cell<u64>,
    multiprocessors: usize,
    /// Whether there are libraries for products.
    products: bool,
    precision: Precision,
    wanted: fn(&Kernel<'_>) -> bool,
    names: RefCell<BTreeMap<&'static str, BTreeSet<String>>>,
}

impl Recorder {
    fn new(multiprocessors: usize, wanted: fn(&Kernel<'_>) -> bool) -> Recorder {
        Recorder {
            next: Cell::new(1 << 20),
            multiprocessors,
            products: false,
            precision: EXACT,
            wanted,
            names: RefCell::default(),
        }
    }

    /// The names of the instantiations that the lists need, for each family.
    fn names(self, lists: &[fn(&dyn Harness)]) -> Vec<(&'static Family, Vec<String>)> {
        lists.iter().for_each(|list| list(&self));
        let names = self.names.into_inner();
        let of = |family: &'static Family| {
            (family, names.get(family.name).map_or(Vec::new(), |names| names.iter().cloned().collect()))
        };
        source::ALL.iter().map(|family| of(family)).collect()
    }

    fn fake(&self, bytes: usize) -> CudaBuffer {
        let at = self.next.get();
        self.next.set(at + (bytes as u64).next_multiple_of(512));
        CudaBuffer::fake(at)
    }
}

impl Harness for Recorder {
    fn buffer(&self, numel: usize, dtype: DType) -> Buffer {
        Buffer::new(Rc::new(self.fake(room(numel) * dtype.size())), room(numel), dtype)
    }

    fn run(&self, kernel: Kernel<'_>) {
        if (self.wanted)(&kernel) {
            refused(&kernel, lower(&kernel, self));
        }
    }
}

/// A kernel may refuse a dtype with a message that says so; no other error is allowed. Returns true if it refused.
fn refused(kernel: &Kernel<'_>, done: Done) -> bool {
    match done {
        // If the CPU raises this error, CUDA still returns some number.
        Ok(()) | Err(Fault::ZeroDivision) => false,
        Err(Fault::Unsupported(text)) if text.contains("not implemented for") => true,
        Err(other) => panic!("{}: {other:?}", kernel.name()),
    }
}

impl Sink for Recorder {
    fn dispatch(&self, mut launch: Launch) -> Done {
        launch.arguments()?;
        self.names.borrow_mut().entry(launch.family.name).or_default().insert(launch.name);
        Ok(())
    }
    fn scratch(&self, bytes: usize) -> Done<CudaBuffer> {
        Ok(self.fake(bytes))
    }
    fn zero(&self, _: u64, _: usize) -> Done {
        Ok(())
    }
    fn table(&self, _: &[u64]) -> Done<u64> {
        Ok(0)
    }
    fn faults(&self) -> [u64; 2] {
        [0; 2]
    }
    fn has_products(&self) -> bool {
        self.products
    }
    fn adds_bias(&self, _: &Product) -> Done<bool> {
        // The bias may have to be copied there first.
        Ok(false)
    }
    fn product(&self, _: &Product) -> Done {
        Ok(())
    }
    fn precision(&self) -> Precision {
        self.precision
    }
    fn capability(&self) -> (i32, i32) {
        (8, 0)
    }
    fn multiprocessors(&self) -> usize {
        self.multiprocessors
    }
}

#[test]
fn cuda_every_kernel_compiles_under_nvrtc() {
    let compiler = match Compiler::load() {
        Ok(compiler) => compiler,
        Err(why) => return println!("skipped: {why}"),
    };
    let lists: [fn(&dyn Harness); 2] = [every_kernel, more_kernels];
    let mut names = Recorder::new(132, |_| true).names(&lists);
    let short = Recorder { precision: TF32, ..Recorder::new(132, |k| k.flops() > 0) }.names(&lists);
    for ((_, names), (_, more)) in names.iter_mut().zip(short) {
        names.extend(more);
        names.sort();
        names.dedup();
    }
    let total: usize = names.iter().map(|(_, names)| names.len()).sum();
    // Machine code for all of them would take minutes, so it's only made if TENSORYARD_NVRTC_FULL is set. Otherwise the
    // compiler's front end sees every kernel for every architecture, and its back end every n-th kernel, different ones for
    // each architecture.
    let full = std::env::var_os("TENSORYARD_NVRTC_FULL").is_some();
    let mut finished = 0;
    for (family, names) in &names {
        assert!(!names.is_empty(), "no kernel of {}", family.name);
        for (at, number) in [70, 80, 90].into_iter().enumerate() {
            let checked = compiler.compile(family, names, &format!("compute_{number}"), &["-dlto"]);
            checked.unwrap_or_else(|e| panic!("{} for {number}: {e}", family.name));
            let step = if full { 1 } else { names.len().div_ceil(12) };
            let some: Vec<&String> = names.iter().skip(at * step / 3).step_by(step).collect();
            finished += some.len();
            let made = compiler.compile(family, &some, &format!("sm_{number}"), &[]);
            made.unwrap_or_else(|e| panic!("{} for {number}: {e}", family.name));
        }
    }
    let version = compiler.version();
    println!("{total} kernels compiled for sm_70, sm_80 and sm_90 by NVRTC {version}, {finished} to machine code");
}

// ---- run -----------------------------------------------------------------------------------------------------------------

/// Runs kernels on one executor and keeps the contents of their output views.
struct Runner<'e> {
    executor: &'e dyn Executor,
    wanted: fn(&Kernel<'_>) -> bool,
    results: RefCell<Vec<Ran>>,
}

struct Ran {
    what: String,
    refused: bool,
    divided_by_zero: bool,
    buffers: Vec<(DType, Vec<u8>)>,
}

/// The same numbers for every executor. They're small, and most float operators are defined for most of them.
fn sample(dtype: DType, i: usize) -> f64 {
    let r = (i.wrapping_mul(2_654_435_761) >> 7) % 1000;
    match dtype {
        DType::Bool => (r % 2) as f64,
        _ if dtype.is_float() => r as f64 / 500.0 - 0.95,
        // A valid index for every kernel that takes one.
        _ => (r % 4) as f64,
    }
}

fn encode(dtype: DType, v: f64) -> Vec<u8> {
    match dtype {
        DType::Bool | DType::U8 | DType::I8 => vec![v as u8],
        DType::I16 => (v as i16).to_le_bytes().into(),
        DType::I32 => (v as i32).to_le_bytes().into(),
        DType::U16 | DType::U32 | DType::C64 | DType::C128 => unreachable!("{dtype} is not computed with here"),
        DType::I64 => (v as i64).to_le_bytes().into(),
        DType::F16 => half::f16::from_f64(v).to_le_bytes().into(),
        DType::BF16 => half::bf16::from_f64(v).to_le_bytes().into(),
        DType::F32 => (v as f32).to_le_bytes().into(),
        DType::F64 => v.to_le_bytes().into(),
    }
}

fn decode(dtype: DType, bytes: &[u8]) -> Vec<f64> {
    let each = bytes.chunks(dtype.size());
    each.map(|b| match dtype {
        DType::Bool | DType::U8 => b[0] as f64,
        DType::I8 => b[0] as i8 as f64,
        DType::I16 => i16::from_le_bytes(b.try_into().unwrap()) as f64,
        DType::I32 => i32::from_le_bytes(b.try_into().unwrap()) as f64,
        DType::U16 | DType::U32 | DType::C64 | DType::C128 => unreachable!("{dtype} is not computed with here"),
        DType::I64 => i64::from_le_bytes(b.try_into().unwrap()) as f64,
        DType::F16 => half::f16::from_le_bytes(b.try_into().unwrap()).to_f64(),
        DType::BF16 => half::bf16::from_le_bytes(b.try_into().unwrap()).to_f64(),
        DType::F32 => f32::from_le_bytes(b.try_into().unwrap()) as f64,
        DType::F64 => f64::from_le_bytes(b.try_into().unwrap()),
    })
    .collect()
}

impl Harness for Runner<'_> {
    fn buffer(&self, numel: usize, dtype: DType) -> Buffer {
        self.executor.allocate(room(numel), dtype).unwrap()
    }

    fn run(&self, kernel: Kernel<'_>) {
        if !(self.wanted)(&kernel) {
            return;
        }
        let mut buffers: Vec<&Buffer> = Vec::new();
        kernel.views(&mut |v| buffers.push(v.buffer));
        for (k, buffer) in buffers.iter().enumerate() {
            let bytes: Vec<u8> =
                (0..buffer.numel).flat_map(|i| encode(buffer.dtype, sample(buffer.dtype, i + 97 * k))).collect();
            self.executor.write(buffer, 0, &bytes).unwrap();
        }
        let done = self.executor.launch(&kernel);
        let divided_by_zero = done == Err(Fault::ZeroDivision);
        let refused = refused(&kernel, done);
        self.executor.synchronize().unwrap();
        let read = |buffer: &&Buffer| {
            let mut bytes = vec![0; buffer.numel * buffer.dtype.size()];
            self.executor.read(buffer, 0, &mut bytes).unwrap();
            (buffer.dtype, bytes)
        };
        let what = describe(&kernel);
        let buffers = buffers.iter().map(read).collect();
        self.results.borrow_mut().push(Ran { what, refused, divided_by_zero, buffers });
    }
}

fn describe(kernel: &Kernel<'_>) -> String {
    let mut text = kernel.name().to_string();
    kernel.views(&mut |v| text += &format!(" {:?}{:?}/{:?}", v.dtype, &v.shape[..], &v.strides[..]));
    text
}

/// How far results may differ: sums are added in another order, and functions come from other libraries.
fn close(dtype: DType, a: f64, b: f64, slack: f64) -> bool {
    let (relative, absolute) = match dtype {
        DType::F64 => (1e-6, 1e-9),
        DType::F32 => (2e-4, 2e-5),
        DType::F16 => (4e-3, 4e-3),
        DType::BF16 => (3e-2, 3e-2),
        _ => (0.0, 0.0),
    };
    a == b || (a.is_nan() && b.is_nan()) || (a - b).abs() <= slack * (absolute + relative * b.abs())
}

fn run_all(executor: &dyn Executor, list: fn(&dyn Harness), wanted: fn(&Kernel<'_>) -> bool) -> Vec<Ran> {
    let runner = Runner { executor, wanted, results: RefCell::default() };
    list(&runner);
    runner.results.into_inner()
}

/// Runs a list on the CPU executor and on the CUDA executor, and compares everything that they wrote.
fn agree(cuda: &CudaExecutor, list: fn(&dyn Harness), wanted: fn(&Kernel<'_>) -> bool) {
    agree_within(cuda, list, wanted, 1.0);
}

/// The same, but `slack` times the difference is allowed.
fn agree_within(cuda: &CudaExecutor, list: fn(&dyn Harness), wanted: fn(&Kernel<'_>) -> bool, slack: f64) {
    let (cpu, cuda) = (run_all(&CpuExecutor::new(), list, wanted), run_all(cuda, list, wanted));
    assert_eq!(cpu.len(), cuda.len());
    let mut faults = Vec::new();
    for (cpu, cuda) in cpu.iter().zip(&cuda) {
        if cpu.refused != cuda.refused {
            faults.push(format!("{}: refused by one, cpu {} cuda {}", cpu.what, cpu.refused, cuda.refused));
            continue;
        }
        if cpu.divided_by_zero {
            continue;
        }
        for (k, ((dtype, a), (_, b))) in cpu.buffers.iter().zip(&cuda.buffers).enumerate() {
            let (a, b) = (decode(*dtype, a), decode(*dtype, b));
            let wrong: Vec<usize> = (0..a.len()).filter(|&i| !close(*dtype, b[i], a[i], slack)).collect();
            if let Some(&i) = wrong.first() {
                let text = format!("{} [{k}]: {} wrong, first {i}: cpu {} cuda {}", cpu.what, wrong.len(), a[i], b[i]);
                faults.push(text);
            }
        }
    }
    println!("{} kernels run", cpu.len());
    let shown = faults[..faults.len().min(80)].join("\n");
    assert!(faults.is_empty(), "{} of {} differ:\n{shown}", faults.len(), cpu.len());
}

/// The emulated device with all kernels compiled that the list needs.
fn emulated(list: fn(&dyn Harness), wanted: fn(&Kernel<'_>) -> bool, precision: Precision) -> Option<CudaExecutor> {
    let Some(emulator) = Emulator::new() else {
        println!("skipped: no C++ compiler (c++) for the emulated device");
        return None;
    };
    let names = Recorder { precision, ..Recorder::new(emulator.multiprocessors(), wanted) }.names(&[list]);
    emulator.prepare(names.into_iter().filter(|(_, names)| !names.is_empty())).unwrap_or_else(|e| panic!("{e}"));
    let cuda = CudaExecutor::on(Rc::new(emulator));
    cuda.set_precision(precision);
    Some(cuda)
}

/// The dtypes with which every operator is tried. The other dtypes differ only in conversions, and
/// `more_kernels` tests those for every pair.
fn common(kernel: &Kernel<'_>) -> bool {
    let mut all = true;
    kernel.views(&mut |v| {
        all &= matches!(v.dtype, DType::F32 | DType::F16 | DType::I64 | DType::U8 | DType::Bool | DType::I32);
    });
    all
}

#[test]
fn cuda_kernels_agree_with_the_cpu_on_an_emulated_device() {
    if let Some(cuda) = emulated(every_kernel, common, EXACT) {
        agree(&cuda, every_kernel, common);
    }
}

#[test]
fn cuda_larger_kernels_agree_with_the_cpu_on_an_emulated_device() {
    if let Some(cuda) = emulated(more_kernels, |_| true, EXACT) {
        agree(&cuda, more_kernels, |_| true);
    }
}

/// On tensor cores, float32 loses bits, but nothing else changes.
#[test]
fn cuda_products_in_tf32_agree_on_an_emulated_device() {
    let list = |r: &dyn Harness| {
        large_products(r);
        convolutions(r);
    };
    let wanted = |kernel: &Kernel<'_>| {
        let mut single = kernel.flops() > 0;
        kernel.views(&mut |v| single &= v.dtype == DType::F32);
        single
    };
    if let Some(cuda) = emulated(list, wanted, TF32) {
        agree_within(&cuda, list, wanted, 300.0);
    }
}

#[test]
fn cuda_bad_indices_are_reported_when_waited_for() {
    let Some(emulator) = Emulator::new() else { return println!("skipped: no C++ compiler (c++)") };
    let e = CudaExecutor::on(Rc::new(emulator));
    let put = |dtype, values: &[f64]| {
        let buffer = e.allocate(values.len(), dtype).unwrap();
        e.write(&buffer, 0, &values.iter().flat_map(|&v| encode(dtype, v)).collect::<Vec<_>>()).unwrap();
        buffer
    };
    let (x, index, out) =
        (put(DType::F32, &[1.0, 2.0, 3.0]), put(DType::I64, &[0.0, 7.0, -9.0]), put(DType::F32, &[0.0; 3]));
    let select = Kernel::IndexSelect { x: view(&x, &[3]), dim: 0, index: view(&index, &[3]), out: view(&out, &[3]) };
    e.launch(&select).unwrap();
    assert_eq!(e.synchronize(), Err(Fault::IndexOutOfBounds { index: 7, dim: 0, size: 3 }));
    // The fault is reported once, and the elements in bounds were written.
    assert_eq!(e.synchronize(), Ok(()));
    let mut bytes = [0; 12];
    e.read(&out, 0, &mut bytes).unwrap();
    assert_eq!(decode(DType::F32, &bytes), [1.0, 0.0, 0.0]);
    let target = put(DType::I64, &[1.0, 5.0, -100.0]);
    let (logp, total, loss) = (put(DType::F32, &[0.5; 9]), put(DType::F32, &[0.0]), put(DType::F32, &[0.0]));
    let nll = Kernel::NllLoss {
        logp: view(&logp, &[3, 3]),
        target: view(&target, &[3]),
        weight: None,
        ignore_index: -100,
        reduction: Reduction::Mean,
        out: view(&loss, &[]),
        total_weight: view(&total, &[]),
    };
    e.launch(&nll).unwrap();
    assert_eq!(e.read(&loss, 0, &mut bytes[..4]), Err(Fault::TargetOutOfBounds { target: 5, classes: 3 }));
}

#[test]
fn cuda_views_outside_their_buffers_are_refused() {
    let Some(emulator) = Emulator::new() else { return println!("skipped: no C++ compiler (c++)") };
    let e = CudaExecutor::on(Rc::new(emulator));
    let buffers = [12, 1].map(|n| e.allocate(n, DType::F32).unwrap());
    views_outside(&buffers[0], &buffers[1], &|kernel| e.launch(kernel));
}

// ---- on a GPU ------------------------------------------------------------------------------------------------------------

fn gpu() -> Option<CudaExecutor> {
    match CudaExecutor::new(0) {
        Ok(gpu) => {
            gpu.set_precision(EXACT);
            Some(gpu)
        }
        Err(why) => {
            println!("skipped: {why}");
            None
        }
    }
}

#[test]
fn cuda_kernels_agree_with_the_cpu_on_a_gpu() {
    if let Some(gpu) = gpu() {
        agree(&gpu, every_kernel, |_| true);
    }
}

#[test]
fn cuda_larger_kernels_agree_with_the_cpu_on_a_gpu() {
    if let Some(gpu) = gpu() {
        agree(&gpu, more_kernels, |_| true);
    }
}

#[test]
fn cuda_a_missing_driver_is_said_with_what_to_install() {
    match super::driver::cards() {
        Ok(cards) => println!("skipped: there is a GPU, {}", cards[0].name),
        Err(why) => assert!(why.contains("driver"), "{why}"),
    }
}
