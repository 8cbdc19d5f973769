//! The time of single kernels on the host, including the launch: `cargo bench --no-default-features --bench cpu_kernels
//! [FILTER]`.
//!
//! Prints the best and the median time of a launch, and the corresponding GB/s or GFLOP/s.

use std::time::{Duration, Instant};

use tensoryard::dtype::{DType, Scalar};
use tensoryard::executor::cpu::CpuExecutor;
use tensoryard::executor::*;
use tensoryard::shape::Layout;

struct Bench {
    cpu: CpuExecutor,
    filter: Option<String>,
}

struct Tensor {
    buffer: Buffer,
    layout: Layout,
}

impl Tensor {
    fn view(&self) -> View<'_> {
        View::new(&self.buffer, &self.layout)
    }

    fn operand(&self) -> Operand<'_> {
        Operand::View(self.view())
    }

    fn transposed(mut self) -> Tensor {
        let n = self.layout.shape.len();
        self.layout.shape.swap(n - 1, n - 2);
        self.layout.strides.swap(n - 1, n - 2);
        self
    }
}

impl Bench {
    fn tensor(&self, shape: &[usize], dtype: DType) -> Tensor {
        let layout = Layout::contiguous(shape);
        let buffer = self.cpu.allocate(layout.numel(), dtype).expect("memory");
        let tensor = Tensor { buffer, layout };
        let kernel = Kernel::Fill { out: tensor.view(), value: Scalar::Float(0.5) };
        self.cpu.launch(&kernel).expect("fill");
        tensor
    }

    fn run(&self, name: &str, unit: &str, amount: f64, f: impl Fn()) {
        if self.filter.as_ref().is_some_and(|filter| !name.contains(filter.as_str())) {
            return;
        }
        let mut reps = 1;
        loop {
            let start = Instant::now();
            (0..reps).for_each(|_| f());
            if start.elapsed() > Duration::from_millis(4) {
                break;
            }
            reps *= 2;
        }
        let mut times: Vec<f64> = (0..60)
            .map(|_| {
                let start = Instant::now();
                (0..reps).for_each(|_| f());
                start.elapsed().as_nanos() as f64 / reps as f64
            })
            .collect();
        times.sort_by(f64::total_cmp);
        let (best, median) = (times[0], times[times.len() / 2]);
        println!("{name:<42} best {best:>12.0} ns  median {median:>12.0} ns  {:>8.2} {unit}", amount / best);
    }

    fn launch(&self, name: &str, unit: &str, amount: f64, kernel: Kernel<'_>) {
        self.run(name, unit, amount, || self.cpu.launch(&kernel).expect("launch"));
    }
}

fn main() {
    // Cargo passes `--bench`. Any other argument is a part of the names to run.
    let filter = std::env::args().skip(1).find(|arg| !arg.starts_with('-'));
    let b = Bench { cpu: CpuExecutor::new(), filter };
    let f32 = DType::F32;

    b.run("allocate and free 4 KiB", "per ns", 1.0, || drop(b.cpu.allocate(1024, f32)));
    b.run("allocate and free 16 MiB", "per ns", 1.0, || drop(b.cpu.allocate(4 << 20, f32)));

    for n in [1usize, 64, 1024, 16 << 10, 64 << 10, 4 << 20] {
        let (x, y, z) = (b.tensor(&[n], f32), b.tensor(&[n], f32), b.tensor(&[n], f32));
        let bytes = 12.0 * n as f64;
        let op = BinaryOp::Add;
        let kernel = Kernel::Binary { op, a: x.operand(), b: y.operand(), compute: f32, out: z.view() };
        b.launch(&format!("add {n}"), "GB/s", bytes, kernel);
        let kernel = Kernel::Binary { op, a: x.operand(), b: y.operand(), compute: f32, out: x.view() };
        b.launch(&format!("add in place {n}"), "GB/s", bytes, kernel);
        let one = Operand::Scalar(Scalar::Float(1.0));
        let kernel = Kernel::Binary { op: BinaryOp::Mul, a: x.operand(), b: one, compute: f32, out: z.view() };
        b.launch(&format!("mul by a number {n}"), "GB/s", bytes * 2.0 / 3.0, kernel);
        for op in
            [UnaryOp::Relu, UnaryOp::Exp, UnaryOp::Log, UnaryOp::Tanh, UnaryOp::Sigmoid, UnaryOp::Gelu, UnaryOp::Sin]
        {
            let kernel = Kernel::Unary { op, x: x.view(), compute: f32, out: z.view() };
            b.launch(&format!("{} {n}", op.name()), "GB/s", bytes * 2.0 / 3.0, kernel);
        }
        let kernel = Kernel::Copy { src: x.view(), out: z.view() };
        b.launch(&format!("copy {n}"), "GB/s", bytes * 2.0 / 3.0, kernel);
        let sum = b.tensor(&[1], f32);
        let dims = vec![true];
        let kernel =
            Kernel::Reduce { op: ReduceOp::Sum, x: x.view(), dims: dims.clone(), compute: f32, out: sum.view() };
        b.launch(&format!("sum {n}"), "GB/s", bytes / 3.0, kernel);
        let kernel = Kernel::Reduce { op: ReduceOp::Max, x: x.view(), dims, compute: f32, out: sum.view() };
        b.launch(&format!("max {n}"), "GB/s", bytes / 3.0, kernel);
    }

    let (x, y) = (b.tensor(&[4 << 20], DType::F16), b.tensor(&[4 << 20], f32));
    b.launch("f32 to f16 4194304", "GB/s", 6.0 * (4 << 20) as f64, Kernel::Copy { src: y.view(), out: x.view() });
    b.launch("f16 to f32 4194304", "GB/s", 6.0 * (4 << 20) as f64, Kernel::Copy { src: x.view(), out: y.view() });
    let (x, y) = (b.tensor(&[2048, 2048], f32), b.tensor(&[2048, 2048], f32).transposed());
    b.launch("transpose 2048", "GB/s", 8.0 * (4 << 20) as f64, Kernel::Copy { src: x.view(), out: y.view() });
    let (x, row, z) = (b.tensor(&[64, 64], f32), b.tensor(&[64], f32), b.tensor(&[64, 64], f32));
    let wide = View { shape: x.layout.shape.clone(), strides: [0, 1].as_slice().into(), ..row.view() };
    let (op, a) = (BinaryOp::Add, x.operand());
    let kernel = Kernel::Binary { op, a, b: Operand::View(wide), compute: f32, out: z.view() };
    b.launch("add a row to 64x64", "GB/s", 8.0 * 4096.0, kernel);
    let kernel = Kernel::Binary { op: BinaryOp::Gt, a: x.operand(), b: z.operand(), compute: f32, out: z.view() };
    b.launch("greater 64x64", "GB/s", 12.0 * 4096.0, kernel);

    for (rows, cols) in [(64, 16), (4096, 1024), (262_144, 16)] {
        let x = b.tensor(&[rows, cols], f32);
        let bytes = 4.0 * (rows * cols) as f64;
        for (name, dims, shape) in [("rows", vec![false, true], [rows, 1]), ("columns", vec![true, false], [1, cols])] {
            let out = b.tensor(&shape, f32);
            let kernel = Kernel::Reduce { op: ReduceOp::Sum, x: x.view(), dims, compute: f32, out: out.view() };
            b.launch(&format!("sum {name} {rows}x{cols}"), "GB/s", bytes, kernel);
        }
        let out = b.tensor(&[rows, cols], f32);
        let kernel = Kernel::Softmax { log: true, x: x.view(), dim: 1, out: out.view() };
        b.launch(&format!("log_softmax {rows}x{cols}"), "GB/s", 2.0 * bytes, kernel);
    }

    for [m, k, n] in [
        [64usize, 16, 64],
        [64, 64, 16],
        [64, 64, 64],
        [64, 64, 3],
        [64, 16, 1],
        [1, 64, 64],
        [16, 64, 64],
        [128, 784, 128],
        [128, 128, 10],
        [128, 10, 128],
        [784, 128, 128],
        [4096, 16, 1],
        [1, 4096, 4096],
        [256, 256, 256],
        [512, 512, 512],
        [1024, 1024, 1024],
        [2048, 2048, 2048],
    ] {
        let (a, c, out) = (b.tensor(&[1, m, k], f32), b.tensor(&[1, k, n], f32), b.tensor(&[1, m, n], f32));
        let bias = b.tensor(&[n], f32);
        let flops = 2.0 * (m * n * k) as f64;
        let kernel = |a: View<'_>, c: View<'_>, name: &str| {
            let kernel = Kernel::MatMul { a, c, bias: None, alpha: 1.0, beta: 1.0, out: out.view() };
            b.launch(&format!("matmul {m}x{k}x{n} {name}"), "GFLOP/s", flops, kernel);
        };
        kernel(a.view(), c.view(), "nn");
        if m * n * k <= 1 << 24 {
            let c = b.tensor(&[1, n, k], f32).transposed();
            kernel(a.view(), c.view(), "nt");
            let a = b.tensor(&[1, k, m], f32).transposed();
            kernel(a.view(), b.tensor(&[1, k, n], f32).view(), "tn");
            let a = b.tensor(&[1, m, k], f32);
            let bias = View { shape: [1, m, n].as_slice().into(), strides: [0, 0, 1].as_slice().into(), ..bias.view() };
            let (a, c, bias) = (a.view(), c.view(), Some(bias));
            let kernel = Kernel::MatMul { a, c, bias, alpha: 1.0, beta: 1.0, out: out.view() };
            b.launch(&format!("matmul {m}x{k}x{n} nt + bias"), "GFLOP/s", flops, kernel);
        }
    }
    let (a, c, out) = (b.tensor(&[64, 64, 32], f32), b.tensor(&[64, 32, 64], f32), b.tensor(&[64, 64, 64], f32));
    let (a, c, o) = (a.view(), c.view(), out.view());
    let flops = 2.0 * 64.0 * 64.0 * 64.0 * 32.0;
    b.launch(
        "bmm 64 of 64x32x64",
        "GFLOP/s",
        flops,
        Kernel::MatMul { a, c, bias: None, alpha: 1.0, beta: 1.0, out: o },
    );

    for (n, c, o, size) in [(8, 3, 16, 32), (32, 16, 32, 14), (1, 64, 64, 56), (64, 1, 32, 28)] {
        let x = b.tensor(&[n, c, size, size], f32);
        let (w, y) = (b.tensor(&[o, c, 3, 3], f32), b.tensor(&[n, o, size, size], f32));
        let params = Conv2d { stride: [1, 1], padding: [1, 1], dilation: [1, 1], groups: 1 };
        let flops = 2.0 * (n * o * size * size * c * 9) as f64;
        let name = |what: &str| format!("conv2d {what} {n}x{c}x{size}x{size} to {o}");
        let kernel = Kernel::Conv2d { x: x.view(), w: w.view(), bias: None, params, out: y.view() };
        b.launch(&name("forward"), "GFLOP/s", flops, kernel);
        let kernel = Kernel::Conv2dGradInput { grad: y.view(), w: w.view(), params, out: x.view() };
        b.launch(&name("grad input"), "GFLOP/s", flops, kernel);
        let kernel = Kernel::Conv2dGradWeight { grad: y.view(), x: x.view(), params, out: w.view() };
        b.launch(&name("grad weight"), "GFLOP/s", flops, kernel);
    }

    for n in [1024usize, 100_000] {
        let tensors: Vec<Tensor> = (0..4).map(|_| b.tensor(&[n], f32)).collect();
        let rule = OptimizerRule::Adam {
            lr: 1e-3,
            beta1: 0.9,
            beta2: 0.999,
            eps: 1e-8,
            weight_decay: 0.0,
            amsgrad: false,
            maximize: false,
            decoupled: false,
            step: Some(5),
        };
        let (param, grad) = (tensors[0].view(), tensors[1].view());
        let state = tensors[2..].iter().map(Tensor::view).collect();
        let params = vec![OptimizerParam { param, grad, state, count: None }];
        b.launch(&format!("adam {n}"), "GB/s", 28.0 * n as f64, Kernel::Optimizer { rule, rate: None, params });
    }
}
