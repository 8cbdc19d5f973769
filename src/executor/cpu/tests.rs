//! Kernels against recorded PyTorch 2.15 results (`tests/oracle/kernels.json`), and rules that recordings don't show.

mod layers;

use serde_json::Value;

use super::CpuExecutor;
use crate::dtype::{DType, Scalar};
use crate::executor::*;
use crate::rng::philox::Philox;
use crate::shape::{Layout, contiguous_strides};

/// A tensor of the tests: a buffer and its layout.
struct Tensor {
    buffer: Buffer,
    layout: Layout,
}

fn encode(dtype: DType, v: f64) -> Vec<u8> {
    match dtype {
        DType::Bool => vec![(v != 0.0) as u8],
        DType::U8 => vec![v as i64 as u8],
        DType::I8 => (v as i64 as i8).to_le_bytes().to_vec(),
        DType::I16 => (v as i64 as i16).to_le_bytes().to_vec(),
        DType::U16 => (v as i64 as u16).to_le_bytes().to_vec(),
        DType::U32 => (v as i64 as u32).to_le_bytes().to_vec(),
        DType::I32 => (v as i64 as i32).to_le_bytes().to_vec(),
        DType::I64 => (v as i64).to_le_bytes().to_vec(),
        DType::F16 => half::f16::from_f64(v).to_le_bytes().to_vec(),
        DType::BF16 => half::bf16::from_f64(v).to_le_bytes().to_vec(),
        DType::F32 => (v as f32).to_le_bytes().to_vec(),
        DType::F64 => v.to_le_bytes().to_vec(),
        DType::C64 | DType::C128 => [v, -v].iter().flat_map(|&part| encode(dtype.part(), part)).collect(),
    }
}

fn decode(dtype: DType, b: &[u8]) -> f64 {
    let eight = || <[u8; 8]>::try_from(b).unwrap();
    let four = || <[u8; 4]>::try_from(b).unwrap();
    let two = || <[u8; 2]>::try_from(b).unwrap();
    match dtype {
        DType::Bool | DType::U8 => b[0] as f64,
        DType::I8 => b[0] as i8 as f64,
        DType::I16 => i16::from_le_bytes(two()) as f64,
        DType::U16 => u16::from_le_bytes(two()) as f64,
        DType::U32 => u32::from_le_bytes(four()) as f64,
        DType::I32 => i32::from_le_bytes(four()) as f64,
        DType::I64 => i64::from_le_bytes(eight()) as f64,
        DType::F16 => half::f16::from_le_bytes(two()).to_f64(),
        DType::BF16 => half::bf16::from_le_bytes(two()).to_f64(),
        DType::F32 => f32::from_le_bytes(four()) as f64,
        DType::F64 => f64::from_le_bytes(eight()),
        DType::C64 | DType::C128 => decode(dtype.part(), &b[..dtype.part().size()]),
    }
}

thread_local! {
    static CPU: CpuExecutor = CpuExecutor::new();
}

fn launch(kernel: Kernel<'_>) -> Done {
    CPU.with(|cpu| cpu.launch(&kernel))
}

impl Tensor {
    fn new(shape: &[usize], dtype: DType, values: &[f64]) -> Tensor {
        assert_eq!(shape.iter().product::<usize>(), values.len());
        let bytes: Vec<u8> = values.iter().flat_map(|v| encode(dtype, *v)).collect();
        let buffer = CPU.with(|cpu| {
            let buffer = cpu.allocate(values.len(), dtype).unwrap();
            cpu.write(&buffer, 0, &bytes).unwrap();
            buffer
        });
        Tensor { buffer, layout: Layout::contiguous(shape) }
    }

    fn f32(shape: &[usize], values: &[f64]) -> Tensor {
        Tensor::new(shape, DType::F32, values)
    }

    fn zeros(shape: &[usize], dtype: DType) -> Tensor {
        // Not zero, so that an element that a kernel forgets to write is noticed.
        Tensor::new(shape, dtype, &vec![77.0; shape.iter().product()])
    }

    fn read(v: &Value) -> Tensor {
        Tensor::new(&shape(&v["shape"]), dtype(v["dtype"].as_str().unwrap()), &numbers(&v["data"]))
    }

    /// The same values in memory with reversed dimensions and gaps between elements.
    fn scattered(&self) -> Tensor {
        let shape = self.layout.shape.clone();
        let reversed: Vec<usize> = shape.iter().rev().copied().collect();
        let mut strides = contiguous_strides(&reversed);
        strides.reverse();
        strides.iter_mut().for_each(|s| *s *= 2);
        let mut numel = 3;
        for (n, s) in shape.iter().zip(&strides) {
            numel += n.saturating_sub(1) * s;
        }
        let buffer = CPU.with(|cpu| cpu.allocate(numel + 1, self.buffer.dtype)).unwrap();
        let out = Tensor { buffer, layout: Layout { shape, strides, offset: 3 } };
        launch(Kernel::Copy { src: self.view(), out: out.view() }).unwrap();
        out
    }

    fn to(&self, dtype: DType) -> Tensor {
        let out = Tensor::zeros(&self.layout.shape, dtype);
        launch(Kernel::Copy { src: self.view(), out: out.view() }).unwrap();
        out
    }

    fn reshape(mut self, shape: &[usize]) -> Tensor {
        self.layout = Layout::contiguous(shape);
        self
    }

    fn view(&self) -> View<'_> {
        View::new(&self.buffer, &self.layout)
    }

    fn operand(&self) -> Operand<'_> {
        Operand::View(self.view())
    }

    /// In logical order.
    fn values(&self) -> Vec<f64> {
        let dense = Tensor::zeros(&self.layout.shape, self.buffer.dtype);
        launch(Kernel::Copy { src: self.view(), out: dense.view() }).unwrap();
        let size = self.buffer.dtype.size();
        let mut bytes = vec![0; dense.layout.numel() * size];
        CPU.with(|cpu| cpu.read(&dense.buffer, 0, &mut bytes)).unwrap();
        bytes.chunks_exact(size).map(|b| decode(self.buffer.dtype, b)).collect()
    }
}

fn dtype(name: &str) -> DType {
    match name {
        "bool" => DType::Bool,
        "u8" => DType::U8,
        "i8" => DType::I8,
        "i16" => DType::I16,
        "i32" => DType::I32,
        "i64" => DType::I64,
        "f16" => DType::F16,
        "bf16" => DType::BF16,
        "f32" => DType::F32,
        _ => DType::F64,
    }
}

fn numbers(v: &Value) -> Vec<f64> {
    v.as_array().unwrap().iter().map(number).collect()
}

fn number(v: &Value) -> f64 {
    match v.as_str() {
        Some("nan") => f64::NAN,
        Some("inf") => f64::INFINITY,
        Some("-inf") => f64::NEG_INFINITY,
        _ => v.as_f64().unwrap(),
    }
}

fn shape(v: &Value) -> Vec<usize> {
    v.as_array().unwrap().iter().map(|n| n.as_u64().unwrap() as usize).collect()
}

fn pair(v: &Value) -> [usize; 2] {
    [shape(v)[0], shape(v)[1]]
}

fn oracle() -> Value {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/oracle/kernels.json");
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

#[track_caller]
fn check(what: &str, got: &[f64], want: &[f64], rtol: f64, atol: f64) {
    assert_eq!(got.len(), want.len(), "{what}");
    let wrong: Vec<String> = got
        .iter()
        .zip(want)
        .enumerate()
        .filter(|(_, (g, w))| {
            let same = g == w || (g.is_nan() && w.is_nan()) || (*g - *w).abs() <= atol + rtol * w.abs();
            !same
        })
        .map(|(i, (g, w))| format!("[{i}] {g} is not {w}"))
        .collect();
    assert!(wrong.is_empty(), "{what}: {} of {} wrong: {:?}", wrong.len(), got.len(), &wrong[..wrong.len().min(6)]);
}

fn unary_op(name: &str) -> UnaryOp {
    use UnaryOp::*;
    if let Some(op) = UnaryOp::EVERY.iter().copied().find(|op| format!("{op:?}") == name) {
        return op;
    }
    match name {
        "Softplus" => Softplus { beta: 2.0, threshold: 20.0 },
        "Elu" => Elu { alpha: 0.7, scale: 1.0, input_scale: 1.0 },
        "Selu" => Elu { alpha: 1.6732632423543772, scale: 1.0507009873554805, input_scale: 1.0 },
        "Celu" => Elu { alpha: 0.7, scale: 1.0, input_scale: 1.0 / 0.7 },
        "LeakyRelu" => LeakyRelu { slope: 0.1 },
        "Threshold" => Threshold { threshold: 0.5, value: 7.0 },
        "Clamp" => Clamp { min: Some(Scalar::Int(-1)), max: Some(Scalar::Float(2.5)) },
        "ClampMin" => Clamp { min: Some(Scalar::Int(-1)), max: None },
        "NanToNum" => NanToNum { nan: 1.0, posinf: 2.0, neginf: 3.0 },
        other => panic!("{other}"),
    }
}

#[test]
fn cpu_unary() {
    let oracle = oracle();
    let x = numbers(&oracle["unary"]["x"]);
    let n = x.len();
    for (name, want) in oracle["unary"]["cases"].as_object().unwrap() {
        let op = unary_op(name);
        let want = numbers(want);
        for (dtype, rtol, atol) in [
            (DType::F64, 1e-7, 1e-300),
            (DType::F32, 3e-6, 1e-7),
            (DType::F16, 2e-3, 1e-6),
            (DType::BF16, 1.6e-2, 1e-6),
        ] {
            let x = Tensor::new(&[n], DType::F64, &x).to(dtype);
            let out = Tensor::zeros(&[n], dtype);
            let compute = if dtype.size() == 2 { DType::F32 } else { dtype };
            launch(Kernel::Unary { op, x: x.view(), compute, out: out.view() }).unwrap();
            if dtype.size() == 2 {
                // Inputs are rounded, so the exact result is computed in f64 for the rounded input.
                let exact = Tensor::zeros(&[n], DType::F64);
                launch(Kernel::Unary { op, x: x.view(), compute: DType::F64, out: exact.view() }).unwrap();
                let rounded = exact.to(dtype).values();
                check(&format!("{name} {dtype:?}"), &out.values(), &rounded, rtol, atol);
            } else if dtype == DType::F64 || !matches!(name.as_str(), "Sin" | "Cos" | "Tan") {
                let mut want = want.clone();
                if dtype == DType::F32 {
                    want.iter_mut().for_each(|v| *v = *v as f32 as f64);
                }
                if dtype == DType::F32 && name == "Erfc" {
                    continue;
                }
                check(&format!("{name} {dtype:?}"), &out.values(), &want, rtol, atol);
            }
        }
    }
}

fn binary_op(name: &str) -> BinaryOp {
    use BinaryOp::*;
    let simple = [
        Add,
        Sub,
        Mul,
        Div,
        FloorDiv,
        TruncDiv,
        Remainder,
        Fmod,
        Pow,
        Maximum,
        Minimum,
        Fmax,
        Fmin,
        Atan2,
        Hypot,
        Eq,
        Ne,
        Lt,
        Le,
        Gt,
        Ge,
        LogicalAnd,
        LogicalOr,
        LogicalXor,
        BitAnd,
        BitOr,
        BitXor,
        Shl,
        Shr,
        SquaredDifference,
        AbsDifference,
        BinaryCrossEntropy,
        BinaryCrossEntropyWithLogits,
        SigmoidBackward,
        TanhBackward,
        GeluBackward,
        GeluTanhBackward,
        SiluBackward,
        MishBackward,
        HardswishBackward,
        HardsigmoidBackward,
        LogSigmoidBackward,
    ];
    if let Some(op) = simple.into_iter().find(|op| format!("{op:?}") == name) {
        return op;
    }
    match name {
        "Axpy" => Axpy { alpha: Scalar::Float(0.5) },
        "SmoothL1" => SmoothL1 { beta: 2.0 },
        "Huber" => Huber { delta: 2.0 },
        "ThresholdBackward" => ThresholdBackward { threshold: 0.4 },
        "SoftplusBackward" => SoftplusBackward { beta: 2.0, threshold: 20.0 },
        "EluBackward" => EluBackward { alpha: 0.7, scale: 1.5, input_scale: 2.0 },
        "LeakyReluBackward" => LeakyReluBackward { slope: 0.1 },
        "ClampBackward" => ClampBackward { min: Some(Scalar::Float(-0.5)), max: Some(Scalar::Int(2)) },
        other => panic!("{other}"),
    }
}

fn binary(op: BinaryOp, a: &Tensor, b: &Tensor, compute: DType) -> Vec<f64> {
    let out = Tensor::zeros(&a.layout.shape, compute);
    launch(Kernel::Binary { op, a: a.operand(), b: b.operand(), compute, out: out.view() }).unwrap();
    out.values()
}

#[test]
fn cpu_binary() {
    let oracle = oracle();
    let (a, b) = (numbers(&oracle["binary"]["a"]), numbers(&oracle["binary"]["b"]));
    let n = a.len();
    let (a, b) = (Tensor::f32(&[n], &a), Tensor::f32(&[n], &b));
    for (name, want) in oracle["binary"]["cases"].as_object().unwrap() {
        let op = binary_op(name);
        let mut want = numbers(want);
        if matches!(name.as_str(), "EluBackward" | "HardswishBackward") {
            // For a NaN input, PyTorch's vectorized loop returns NaN, but the loop over the remaining elements returns
            // the gradient.
            let (g, x) = (a.values(), b.values());
            want.iter_mut().zip(g.iter().zip(&x)).filter(|(_, (_, x))| x.is_nan()).for_each(|(w, _)| *w = f64::NAN);
        }
        check(name, &binary(op, &a, &b, DType::F32), &want, 3e-6, 1e-6);
        let mixed = binary(op, &a.to(DType::F64).scattered(), &b, DType::F32);
        check(&format!("{name} from a strided f64"), &mixed, &want, 3e-6, 1e-6);
    }
    let bce = &oracle["bce"];
    let (p, t) = (numbers(&bce["p"]), numbers(&bce["t"]));
    let (p, t) = (Tensor::f32(&[p.len()], &p), Tensor::f32(&[t.len()], &t));
    check("bce", &binary(BinaryOp::BinaryCrossEntropy, &p, &t, DType::F32), &numbers(&bce["y"]), 1e-6, 1e-7);
    let ones = Tensor::f32(&[18], &[1.0; 18]);
    let out = Tensor::zeros(&[18], DType::F32);
    let op = TernaryOp::BinaryCrossEntropyBackward { factor: 1.0 };
    let (a, b, c) = (ones.operand(), p.operand(), t.operand());
    launch(Kernel::Ternary { op, a, b, c, compute: DType::F32, out: out.view() }).unwrap();
    check("bce backward", &out.values(), &numbers(&bce["g"]), 1e-6, 1e-7);
}

#[test]
fn cpu_integers() {
    let oracle = oracle();
    let (a, b) = (numbers(&oracle["integer"]["a"]), numbers(&oracle["integer"]["b"]));
    let n = a.len();
    for (name, cases) in oracle["integer"]["cases"].as_object().unwrap() {
        for (kind, want) in cases.as_object().unwrap() {
            let dtype = dtype(kind);
            let (a, b) = (Tensor::new(&[n], dtype, &a), Tensor::new(&[n], dtype, &b));
            check(&format!("{name} {kind}"), &binary(binary_op(name), &a, &b, dtype), &numbers(want), 0.0, 0.0);
        }
    }
    let (one, zero) = (Tensor::new(&[1], DType::I32, &[1.0]), Tensor::new(&[1], DType::I32, &[0.0]));
    for op in [BinaryOp::FloorDiv, BinaryOp::TruncDiv, BinaryOp::Remainder, BinaryOp::Fmod] {
        let (a, b, out) = (one.operand(), zero.operand(), one.view());
        let done = launch(Kernel::Binary { op, a, b, compute: DType::I32, out });
        assert_eq!(done, Err(Fault::ZeroDivision));
    }
}

#[test]
fn cpu_ternary() {
    let oracle = oracle();
    let t = &oracle["ternary"];
    let [a, b, c] = ["a", "b", "c"].map(|k| Tensor::f32(&[24], &numbers(&t[k])));
    let factor = 1.0;
    for (name, want) in t["cases"].as_object().unwrap() {
        let op = match name.as_str() {
            "Lerp" => TernaryOp::Lerp,
            "Addcmul" => TernaryOp::Addcmul { value: Scalar::Float(0.3) },
            "Addcdiv" => TernaryOp::Addcdiv { value: Scalar::Float(0.3) },
            "Clamp" => TernaryOp::Clamp,
            "MseBackward" => TernaryOp::MseBackward { factor },
            "L1Backward" => TernaryOp::L1Backward { factor },
            "SmoothL1Backward" => TernaryOp::SmoothL1Backward { beta: 0.5, factor },
            "HuberBackward" => TernaryOp::HuberBackward { delta: 0.5, factor },
            "BinaryCrossEntropyWithLogitsBackward" => TernaryOp::BinaryCrossEntropyWithLogitsBackward { factor },
            other => panic!("{other}"),
        };
        let out = Tensor::zeros(&[24], DType::F32);
        let (a, b, c) = (a.operand(), b.operand(), c.operand());
        launch(Kernel::Ternary { op, a, b, c, compute: DType::F32, out: out.view() }).unwrap();
        check(name, &out.values(), &numbers(want), 2e-6, 1e-6);
    }
    let condition = Tensor::f32(&[4], &[0.0, 0.25, f64::NAN, -1.0]);
    let yes = Tensor::new(&[4], DType::I64, &[1.0, 2.0, 3.0, 4.0]);
    let out = Tensor::zeros(&[4], DType::I64);
    launch(Kernel::Ternary {
        op: TernaryOp::Where,
        a: condition.operand(),
        b: yes.operand(),
        c: Operand::Scalar(Scalar::Int(-1)),
        compute: DType::I64,
        out: out.view(),
    })
    .unwrap();
    assert_eq!(out.values(), [-1.0, 2.0, 3.0, 4.0]);
}

#[test]
fn cpu_broadcasts_reads_strides_and_writes_in_place() {
    let a = Tensor::f32(&[3, 4], &(0..12).map(f64::from).collect::<Vec<_>>());
    let row = Tensor::f32(&[4], &[10.0, 20.0, 30.0, 40.0]);
    let b = View { shape: [3, 4].as_slice().into(), strides: [0, 1].as_slice().into(), ..row.view() };
    let (op, compute) = (BinaryOp::Add, DType::F32);
    let out = Tensor::zeros(&[3, 4], DType::F32).scattered();
    let x = a.scattered();
    launch(Kernel::Binary { op, a: x.operand(), b: Operand::View(b.clone()), compute, out: out.view() }).unwrap();
    let want: Vec<f64> = (0..12).map(|i| i as f64 + 10.0 * (i % 4 + 1) as f64).collect();
    assert_eq!(out.values(), want);
    launch(Kernel::Binary { op, a: a.operand(), b: Operand::View(b), compute, out: a.view() }).unwrap();
    assert_eq!(a.values(), want);
    let one = Operand::Scalar(Scalar::Int(1));
    launch(Kernel::Binary { op: BinaryOp::Sub, a: one, b: a.operand(), compute, out: a.view() }).unwrap();
    assert_eq!(a.values()[..3], [-9.0, -20.0, -31.0]);
    let bytes = Tensor::new(&[3], DType::U8, &[3.0, 5.0, 255.0]);
    let wide = Tensor::zeros(&[3], DType::I64);
    let (a, b) = (bytes.operand(), Operand::Scalar(Scalar::Int(4)));
    launch(Kernel::Binary { op: BinaryOp::Sub, a, b, compute: DType::U8, out: wide.view() }).unwrap();
    assert_eq!(wide.values(), [255.0, 1.0, 251.0]);
}

#[test]
fn cpu_large_kernels_agree_with_small_ones() {
    let n = 300_001;
    let a: Vec<f64> = (0..n).map(|i| ((i * 7919) % 1000) as f64 / 8.0).collect();
    let x = Tensor::f32(&[n], &a);
    let y = binary(BinaryOp::Mul, &x, &x, DType::F32);
    assert!(y.iter().zip(&a).all(|(y, a)| *y == a * a));
    let out = Tensor::zeros(&[1], DType::F32);
    let (op, dims, compute) = (ReduceOp::Sum, vec![true], DType::F32);
    launch(Kernel::Reduce { op, x: x.view(), dims, compute, out: out.view() }).unwrap();
    check("sum", &out.values(), &[a.iter().sum()], 1e-7, 0.0);
    let matrix = x.reshape(&[1, n]);
    let columns = Tensor::zeros(&[1, n], DType::F32);
    let (op, dims) = (ReduceOp::Max, vec![true, false]);
    launch(Kernel::Reduce { op, x: matrix.view(), dims, compute, out: columns.view() }).unwrap();
    assert_eq!(columns.values(), a);
    let tall = matrix.reshape(&[n, 1]);
    let tall = Tensor {
        layout: Layout { shape: [n - 1, 2].as_slice().into(), strides: [1, 1].as_slice().into(), offset: 0 },
        ..tall
    };
    let out = Tensor::zeros(&[1, 2], DType::F32);
    let (op, dims) = (ReduceOp::Sum, vec![true, false]);
    launch(Kernel::Reduce { op, x: tall.view(), dims, compute, out: out.view() }).unwrap();
    check("columns", &out.values(), &[a[..n - 1].iter().sum(), a[1..].iter().sum()], 1e-7, 0.0);
}

#[test]
fn cpu_conversions() {
    let oracle = oracle();
    let x = numbers(&oracle["convert"]["x"]);
    let x = Tensor::f32(&[x.len()], &x);
    for (kind, want) in oracle["convert"]["cases"].as_object().unwrap() {
        check(kind, &x.to(dtype(kind)).values(), &numbers(want), 1e-7, 0.0);
    }
    let raw: Vec<i64> = oracle["convert_i64"]["x"].as_array().unwrap().iter().map(|v| v.as_i64().unwrap()).collect();
    let x = Tensor::zeros(&[raw.len()], DType::I64);
    let bytes: Vec<u8> = raw.iter().flat_map(|v| v.to_le_bytes()).collect();
    CPU.with(|cpu| cpu.write(&x.buffer, 0, &bytes)).unwrap();
    for (kind, want) in oracle["convert_i64"]["cases"].as_object().unwrap() {
        check(kind, &x.to(dtype(kind)).values(), &numbers(want), 1e-7, 0.0);
    }
}

#[test]
fn cpu_reductions() {
    let oracle = oracle();
    let r = &oracle["reduce"];
    let sizes = [3, 5, 7];
    let x = Tensor::f32(&sizes, &numbers(&r["x"]));
    let nan = Tensor::f32(&sizes, &numbers(&r["nan"]));
    for case in r["cases"].as_array().unwrap() {
        let name = case["op"].as_str().unwrap();
        let op = match name {
            "Var0" => ReduceOp::Var { correction: 0.0 },
            "Norm0" => ReduceOp::Norm { p: 0.0 },
            "Norm1" => ReduceOp::Norm { p: 1.0 },
            "Norm2" => ReduceOp::Norm { p: 2.0 },
            "Norm3" => ReduceOp::Norm { p: 3.0 },
            "NormInf" => ReduceOp::Norm { p: f64::INFINITY },
            "NormNegInf" => ReduceOp::Norm { p: f64::NEG_INFINITY },
            plain => *ReduceOp::EVERY.iter().find(|op| op.variant() == plain).unwrap(),
        };
        let x = if case["input"] == "x" { &x } else { &nan };
        let dims: Vec<bool> = (0..3).map(|d| shape(&case["dims"]).contains(&d)).collect();
        let reduced: Vec<usize> = (0..3).map(|d| if dims[d] { 1 } else { sizes[d] }).collect();
        for x in [x, &x.scattered(), &x.to(DType::F64)] {
            let dtype = if op == ReduceOp::CountNonzero { DType::I64 } else { DType::F32 };
            for out in [Tensor::zeros(&reduced, dtype), Tensor::zeros(&reduced, dtype).scattered()] {
                let dims = dims.clone();
                launch(Kernel::Reduce { op, x: x.view(), dims, compute: DType::F32, out: out.view() }).unwrap();
                check(&format!("{name} {:?}", case["dims"]), &out.values(), &numbers(&case["y"]), 1e-6, 1e-6);
            }
        }
    }
    for dim in 0..3 {
        let mut reduced = sizes;
        reduced[dim] = 1;
        let out = Tensor::zeros(&reduced, DType::F32);
        let dims: Vec<bool> = (0..3).map(|d| d == dim).collect();
        let (op, compute) = (ReduceOp::Prod, DType::F32);
        launch(Kernel::Reduce { op, x: x.view(), dims, compute, out: out.view() }).unwrap();
        check("prod", &out.values(), &numbers(&r["prod"][dim]), 1e-6, 1e-7);
        let scans =
            [(ScanOp::Sum, "cumsum"), (ScanOp::Prod, "cumprod"), (ScanOp::Max, "cummax"), (ScanOp::Min, "cummin")];
        for (op, name) in scans {
            let x = if op == ScanOp::Max { &nan } else { &x };
            let out = Tensor::zeros(&sizes, DType::F32).scattered();
            launch(Kernel::Scan { op, x: x.view(), dim, out: out.view() }).unwrap();
            check(name, &out.values(), &numbers(&r[name][dim]), 1e-6, 1e-6);
        }
        for (largest, name) in [(true, "argmax"), (false, "argmin")] {
            let indices = Tensor::zeros(&reduced, DType::I64);
            let values = Tensor::zeros(&reduced, DType::F32);
            let (x, values, out) = (nan.view(), Some(values.view()), indices.view());
            launch(Kernel::ArgReduce { largest, x, dim, values, indices: out }).unwrap();
            check(name, &indices.values(), &numbers(&r[name][dim]), 0.0, 0.0);
        }
        let g = Tensor::f32(&sizes, &numbers(&r["g"]));
        for (log, name) in [(false, "softmax"), (true, "log_softmax")] {
            let y = Tensor::zeros(&sizes, DType::F32);
            launch(Kernel::Softmax { log, x: x.scattered().view(), dim, out: y.view() }).unwrap();
            check(name, &y.values(), &numbers(&r[name][dim]), 1e-6, 1e-7);
            let out = Tensor::zeros(&sizes, DType::F32);
            launch(Kernel::SoftmaxBackward { log, grad: g.view(), y: y.view(), dim, out: out.view() }).unwrap();
            check(name, &out.values(), &numbers(&r[&format!("{name}_backward")][dim]), 2e-6, 1e-6);
        }
    }
}

#[test]
fn cpu_reductions_of_nothing_and_of_integers() {
    let none = Tensor::f32(&[0, 2], &[]);
    let dims = vec![true, false];
    let compute = DType::F32;
    for (op, want) in [(ReduceOp::Sum, 0.0), (ReduceOp::Prod, 1.0), (ReduceOp::Mean, f64::NAN), (ReduceOp::All, 1.0)] {
        let out = Tensor::zeros(&[1, 2], DType::F32);
        launch(Kernel::Reduce { op, x: none.view(), dims: dims.clone(), compute, out: out.view() }).unwrap();
        check("empty", &out.values(), &[want; 2], 0.0, 0.0);
    }
    let x = Tensor::new(&[4], DType::I32, &[3.0, -7.0, 0.0, 5.0]);
    let cases =
        [(ReduceOp::Sum, 1.0), (ReduceOp::Max, 5.0), (ReduceOp::Min, -7.0), (ReduceOp::Any, 1.0), (ReduceOp::All, 0.0)];
    for (op, want) in cases {
        let out = Tensor::zeros(&[1], DType::I64);
        launch(Kernel::Reduce { op, x: x.view(), dims: vec![true], compute: DType::I32, out: out.view() }).unwrap();
        assert_eq!(out.values(), [want], "{op:?}");
    }
    let nan = Tensor::f32(&[2], &[0.0, f64::NAN]);
    let out = Tensor::zeros(&[1], DType::Bool);
    launch(Kernel::Reduce { op: ReduceOp::Any, x: nan.view(), dims: vec![true], compute, out: out.view() }).unwrap();
    assert_eq!(out.values(), [1.0]);
}

/// A product in f64, entry by entry.
fn product([batch, m, k, n]: [usize; 4], a: &[f64], c: &[f64]) -> Vec<f64> {
    let mut out = Vec::new();
    for b in 0..batch {
        for i in 0..m {
            for j in 0..n {
                out.push((0..k).map(|p| a[(b * m + i) * k + p] * c[(b * k + p) * n + j]).sum());
            }
        }
    }
    out
}

#[test]
fn cpu_matmul() {
    let shapes = [
        [1, 3, 4, 5],
        [1, 64, 16, 64],
        [3, 7, 1, 9],
        [1, 33, 17, 1],
        [1, 1, 40, 50],
        [5, 2, 3, 2],
        [1, 150, 90, 130],
        [2, 4, 0, 3],
    ];
    for [batch, m, k, n] in shapes {
        let small =
            |count: usize, step: usize| -> Vec<f64> { (0..count).map(|i| ((i * step) % 13) as f64 - 6.0).collect() };
        let (a, c, bias) = (small(batch * m * k, 7), small(batch * k * n, 5), small(batch * m * n, 3));
        let plain = product([batch, m, k, n], &a, &c);
        let want: Vec<f64> = plain.iter().zip(&bias).map(|(p, b)| 2.0 * p + 3.0 * b).collect();
        for dtype in [DType::F32, DType::F64, DType::F16, DType::BF16, DType::I64, DType::I32] {
            let a = Tensor::new(&[batch, m, k], dtype, &a);
            let c = Tensor::new(&[batch, k, n], dtype, &c);
            let bias = Tensor::new(&[batch, m, n], dtype, &bias);
            let rtol = if dtype == DType::BF16 {
                1e-2
            } else if dtype == DType::F16 {
                2e-3
            } else {
                0.0
            };
            for (a, c) in [(&a, &c), (&a.scattered(), &c.scattered())] {
                let out = Tensor::zeros(&[batch, m, n], dtype).scattered();
                let (out_view, bias) = (out.view(), Some(bias.view()));
                launch(Kernel::MatMul { a: a.view(), c: c.view(), bias, alpha: 2.0, beta: 3.0, out: out_view })
                    .unwrap();
                check(&format!("{dtype:?} {batch} {m} {k} {n}"), &out.values(), &want, rtol, 0.0);
            }
            let (out, beta) = (Some(bias.view()), 3.0);
            launch(Kernel::MatMul { a: a.view(), c: c.view(), bias: out, alpha: 2.0, beta, out: bias.view() }).unwrap();
            check("in place", &bias.values(), &want, rtol, 0.0);
            let nan = Tensor::new(&[batch, m, n], dtype, &vec![f64::NAN; batch * m * n]);
            let out = nan.view();
            launch(Kernel::MatMul { a: a.view(), c: c.view(), bias: Some(nan.view()), alpha: 1.0, beta: 0.0, out })
                .unwrap();
            check("beta 0 reads nothing", &nan.values(), &plain, rtol, 0.0);
        }
    }
}

#[test]
fn cpu_index_kernels() {
    let x = Tensor::f32(&[3, 4], &(0..12).map(f64::from).collect::<Vec<_>>());
    let index = Tensor::new(&[2], DType::I64, &[2.0, 0.0]);
    for x in [&x, &x.scattered()] {
        let out = Tensor::zeros(&[2, 4], DType::F32);
        launch(Kernel::IndexSelect { x: x.view(), dim: 0, index: index.view(), out: out.view() }).unwrap();
        assert_eq!(out.values(), [8.0, 9.0, 10.0, 11.0, 0.0, 1.0, 2.0, 3.0]);
        let out = Tensor::zeros(&[3, 2], DType::F32).scattered();
        let index = index.to(DType::I32);
        launch(Kernel::IndexSelect { x: x.view(), dim: 1, index: index.view(), out: out.view() }).unwrap();
        assert_eq!(out.values(), [2.0, 0.0, 6.0, 4.0, 10.0, 8.0]);
        let picks = Tensor::new(&[2, 2], DType::I64, &[0.0, 2.0, 1.0, 1.0]);
        let out = Tensor::zeros(&[2, 2], DType::F32);
        launch(Kernel::Gather { x: x.view(), dim: 0, index: picks.view(), out: out.view() }).unwrap();
        assert_eq!(out.values(), [0.0, 9.0, 4.0, 5.0]);
        launch(Kernel::Gather { x: x.view(), dim: 1, index: picks.view(), out: out.view() }).unwrap();
        assert_eq!(out.values(), [0.0, 2.0, 5.0, 5.0]);
        let rows = Tensor::new(&[2, 1], DType::I64, &[-1.0, 0.0]);
        let rows = View { shape: [2, 2].as_slice().into(), strides: [1, 0].as_slice().into(), ..rows.view() };
        let columns = Tensor::new(&[2], DType::I64, &[1.0, -4.0]);
        let columns = View { shape: [2, 2].as_slice().into(), strides: [0, 1].as_slice().into(), ..columns.view() };
        launch(Kernel::Index { x: x.view(), indices: vec![rows, columns], out: out.view() }).unwrap();
        assert_eq!(out.values(), [9.0, 8.0, 1.0, 0.0]);
        let out = Tensor::zeros(&[2, 4], DType::F32);
        let rows = Tensor::new(&[2], DType::I64, &[-1.0, 0.0]);
        launch(Kernel::Index { x: x.view(), indices: vec![rows.view()], out: out.view() }).unwrap();
        assert_eq!(out.values(), [8.0, 9.0, 10.0, 11.0, 0.0, 1.0, 2.0, 3.0]);
        let out = Tensor::zeros(&[3, 4], DType::F32);
        launch(Kernel::Flip { x: x.view(), dims: vec![true, false], out: out.view() }).unwrap();
        assert_eq!(out.values()[..4], [8.0, 9.0, 10.0, 11.0]);
        launch(Kernel::Flip { x: x.view(), dims: vec![true, true], out: out.view() }).unwrap();
        assert_eq!(out.values()[..4], [11.0, 10.0, 9.0, 8.0]);
        launch(Kernel::Triangle { upper: true, diagonal: 1, x: x.view(), out: out.view() }).unwrap();
        assert_eq!(out.values(), [0.0, 1.0, 2.0, 3.0, 0.0, 0.0, 6.0, 7.0, 0.0, 0.0, 0.0, 11.0]);
        launch(Kernel::Triangle { upper: false, diagonal: -1, x: x.view(), out: out.view() }).unwrap();
        assert_eq!(out.values(), [0.0, 0.0, 0.0, 0.0, 4.0, 0.0, 0.0, 0.0, 8.0, 9.0, 0.0, 0.0]);
    }
    let sparse = Tensor::new(&[2, 3], DType::Bool, &[0.0, 1.0, 0.0, 1.0, 0.0, 1.0]);
    let out = Tensor::zeros(&[3, 2], DType::I64);
    launch(Kernel::Nonzero { x: sparse.view(), out: out.view() }).unwrap();
    assert_eq!(out.values(), [0.0, 1.0, 1.0, 0.0, 1.0, 2.0]);
}

#[test]
fn cpu_scatter_kernels() {
    for dtype in [DType::F32, DType::F64, DType::F16, DType::I64, DType::I8] {
        let fresh = || Tensor::new(&[3, 2], dtype, &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]).scattered();
        let src = Tensor::new(&[2, 2], dtype, &[10.0, 20.0, 30.0, 40.0]);
        let twice = Tensor::new(&[2], DType::I64, &[2.0, 2.0]);
        let out = fresh();
        let (index, alpha) = (twice.view(), 2.0);
        launch(Kernel::IndexAdd { out: out.view(), dim: 0, index, src: src.view(), alpha }).unwrap();
        assert_eq!(out.values(), [1.0, 2.0, 3.0, 4.0, 85.0, 126.0]);
        let index = Tensor::new(&[2, 2], DType::I64, &[0.0, 2.0, 0.0, 1.0]);
        let cases = [
            (ScatterOp::Set, [30.0, 2.0, 3.0, 40.0, 5.0, 20.0]),
            (ScatterOp::Add, [41.0, 2.0, 3.0, 44.0, 5.0, 26.0]),
            (ScatterOp::Max, [30.0, 2.0, 3.0, 40.0, 5.0, 20.0]),
            (ScatterOp::Min, [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]),
        ];
        for (op, want) in cases {
            let out = fresh();
            let (index, src) = (index.view(), src.operand());
            launch(Kernel::Scatter { op, out: out.view(), dim: 0, index, src }).unwrap();
            assert_eq!(out.values(), want, "{op:?}");
        }
        let out = fresh();
        let (op, src) = (ScatterOp::Mul, Operand::Scalar(Scalar::Int(3)));
        launch(Kernel::Scatter { op, out: out.view(), dim: 1, index: twice_of(1).view(), src }).unwrap();
        assert_eq!(out.values(), [1.0, 18.0, 3.0, 4.0, 5.0, 6.0]);
        let rows = Tensor::new(&[2], DType::I64, &[-1.0, 2.0]);
        for (accumulate, want) in [(false, [30.0, 40.0]), (true, [45.0, 66.0])] {
            let out = fresh();
            let (indices, view) = (vec![rows.view()], out.view());
            let src = Tensor::new(&[2, 2], dtype, &[10.0, 20.0, 30.0, 40.0]);
            launch(Kernel::IndexPut { out: view, indices, src: src.operand(), accumulate }).unwrap();
            assert_eq!(out.values()[4..], want);
        }
    }
}

/// A [1, 2] index whose two entries are the same.
fn twice_of(i: usize) -> Tensor {
    Tensor::new(&[1, 2], DType::I64, &[i as f64; 2])
}

#[test]
fn cpu_bad_indices_are_refused_before_anything_is_written() {
    let out = Tensor::f32(&[3], &[1.0, 2.0, 3.0]);
    let src = Tensor::f32(&[2], &[9.0, 9.0]);
    let index = Tensor::new(&[2], DType::I64, &[0.0, 3.0]);
    let (o, i, s) = (|| out.view(), || index.view(), || src.view());
    let fault = Err(Fault::IndexOutOfBounds { index: 3, dim: 0, size: 3 });
    assert_eq!(launch(Kernel::IndexSelect { x: o(), dim: 0, index: i(), out: s() }), fault);
    assert_eq!(launch(Kernel::Gather { x: o(), dim: 0, index: i(), out: s() }), fault);
    assert_eq!(launch(Kernel::Index { x: o(), indices: vec![i()], out: s() }), fault);
    assert_eq!(launch(Kernel::IndexAdd { out: o(), dim: 0, index: i(), src: s(), alpha: 1.0 }), fault);
    let src = || Operand::View(s());
    assert_eq!(launch(Kernel::Scatter { op: ScatterOp::Set, out: o(), dim: 0, index: i(), src: src() }), fault);
    assert_eq!(launch(Kernel::IndexPut { out: o(), indices: vec![i()], src: src(), accumulate: true }), fault);
    assert_eq!(out.values(), [1.0, 2.0, 3.0]);
    let outside = View { offset: 2, ..s() };
    assert!(matches!(launch(Kernel::Fill { out: outside, value: Scalar::Int(0) }), Err(Fault::Unsupported(_))));
}

#[test]
fn cpu_sort() {
    let oracle = oracle();
    let s = &oracle["sort"];
    let x = Tensor::f32(&shape(&s["shape"]), &numbers(&s["x"]));
    for case in s["cases"].as_array().unwrap() {
        let dim = case["dim"].as_u64().unwrap() as usize;
        let descending = case["descending"] == 1;
        let values = Tensor::zeros(&x.layout.shape, DType::F32).scattered();
        let indices = Tensor::zeros(&x.layout.shape, DType::I64);
        let (v, i) = (values.view(), indices.view());
        launch(Kernel::Sort { x: x.view(), dim, descending, values: v, indices: i }).unwrap();
        check("values", &values.values(), &numbers(&case["values"]), 0.0, 0.0);
        check("indices", &indices.values(), &numbers(&case["indices"]), 0.0, 0.0);
    }
}

#[test]
fn cpu_random_and_sequences() {
    let philox = Philox { seed: 3, offset: 8, multiprocessors: 4 };
    let draw = |draw: Draw, n: usize, dtype: DType| {
        let out = Tensor::zeros(&[n], dtype);
        launch(Kernel::Random { draw, philox, out: out.view() }).unwrap();
        out.values()
    };
    let uniform = draw(Draw::Uniform { from: 0.0, to: 1.0 }, 20_000, DType::F32);
    let mut want = vec![0.0; 20_000];
    crate::rng::philox::uniform_f32(philox, &mut want, 0.0, 1.0);
    assert!(uniform.iter().zip(&want).all(|(a, b)| *a == *b as f64));
    let mean = |v: &[f64]| v.iter().sum::<f64>() / v.len() as f64;
    assert!((mean(&uniform) - 0.5).abs() < 0.01);
    assert!((mean(&draw(Draw::Normal { mean: 3.0, std: 2.0 }, 20_000, DType::F64)) - 3.0).abs() < 0.05);
    assert!((mean(&draw(Draw::Exponential { lambda: 0.5 }, 20_000, DType::F32)) - 2.0).abs() < 0.06);
    assert!((mean(&draw(Draw::Bernoulli { p: 0.3 }, 20_000, DType::Bool)) - 0.3).abs() < 0.02);
    let dropped = draw(Draw::Dropout { p: 0.75 }, 20_000, DType::F16);
    assert!(dropped.iter().all(|v| *v == 0.0 || *v == 4.0) && (mean(&dropped) - 1.0).abs() < 0.06);
    let integers = draw(Draw::Integers { base: -2, range: 5 }, 20_000, DType::I8);
    assert!(integers.iter().all(|v| (-2.0..=2.0).contains(v)) && mean(&integers).abs() < 0.05);
    let out = Tensor::zeros(&[5], DType::I32);
    launch(Kernel::Arange { out: out.view(), start: Scalar::Int(3), step: Scalar::Int(-2) }).unwrap();
    assert_eq!(out.values(), [3.0, 1.0, -1.0, -3.0, -5.0]);
    let out = Tensor::zeros(&[3], DType::F32);
    launch(Kernel::Arange { out: out.view(), start: Scalar::Float(0.5), step: Scalar::Float(0.1) }).unwrap();
    assert_eq!(out.values(), [0.5, 0.6f32 as f64, 0.7f32 as f64]);
    for dtype in DType::ALL {
        let out = Tensor::zeros(&[2, 3], dtype).scattered();
        launch(Kernel::Fill { out: out.view(), value: Scalar::Float(1.5) }).unwrap();
        let want = if dtype.is_float() { 1.5 } else { 1.0 };
        assert_eq!(out.values(), [want; 6]);
    }
}

#[test]
fn cpu_memory() {
    CPU.with(|cpu| {
        assert!(matches!(cpu.allocate(1_000_000_000_000, DType::F32), Err(Fault::OutOfMemory { .. })));
        assert!(matches!(cpu.allocate(usize::MAX, DType::F64), Err(Fault::OutOfMemory { .. })));
        let empty = cpu.allocate(0, DType::F32).unwrap();
        assert_eq!(cpu.host_bytes(&empty), Some(&[][..]));
        let two = cpu.allocate(2, DType::I16).unwrap();
        cpu.write(&two, 1, &[5, 0]).unwrap();
        assert_eq!(cpu.host_bytes(&two).unwrap()[2..], [5, 0]);
        assert!(cpu.write(&two, 1, &[0; 4]).is_err());
        assert!(cpu.read(&two, 3, &mut [0; 2]).is_err());
    });
}

#[test]
fn cpu_views_outside_their_buffers_are_refused() {
    CPU.with(|cpu| {
        let buffers = [12, 1].map(|n| cpu.allocate(n, DType::F32).unwrap());
        crate::executor::every::views_outside(&buffers[0], &buffers[1], &|kernel| cpu.launch(kernel));
    });
}
