//! The WebGPU executor on a native adapter, against values computed by hand or in float64 on the host.
//!
//! Any Vulkan adapter will do, even a software one (lavapipe, or SwiftShader with `VK_DRIVER_FILES`). Without one, each test
//! prints that it was skipped.

#![cfg(feature = "webgpu")]
#![allow(
    clippy::approx_constant,
    clippy::chunks_exact_to_as_chunks,
    reason = "recorded values; chunks read well in a test"
)]
use std::rc::Rc;

use tensoryard::device::Device;
use tensoryard::dtype::{DType, Scalar};
use tensoryard::engine::{self, Engine};
use tensoryard::executor::webgpu::WebGpuExecutor;
use tensoryard::executor::*;
use tensoryard::machine::Machine;
use tensoryard::ops;
use tensoryard::shape::{Dims, contiguous_strides};
use tensoryard::trace::{Event, EventKind, Why};

/// Each test has its own executor, because adapters are cheap.
fn executor() -> Option<WebGpuExecutor> {
    match WebGpuExecutor::new() {
        Ok(executor) => Some(executor),
        Err(why) => {
            println!("skipped: no Vulkan adapter ({why})");
            None
        }
    }
}

fn view<'a>(buffer: &'a Buffer, shape: &[usize]) -> View<'a> {
    View { buffer, dtype: buffer.dtype, shape: Dims::from_slice(shape), strides: contiguous_strides(shape), offset: 0 }
}

fn with_strides<'a>(mut v: View<'a>, strides: &[usize], offset: usize) -> View<'a> {
    v.strides = Dims::from_slice(strides);
    v.offset = offset;
    v
}

fn f32s(e: &WebGpuExecutor, values: &[f32]) -> Buffer {
    let b = e.allocate(values.len(), DType::F32).unwrap();
    e.write(&b, 0, bytemuck_bytes(values)).unwrap();
    b
}

fn i64s(e: &WebGpuExecutor, values: &[i64]) -> Buffer {
    let b = e.allocate(values.len(), DType::I64).unwrap();
    let bytes: Vec<u8> = values.iter().flat_map(|v| v.to_le_bytes()).collect();
    e.write(&b, 0, &bytes).unwrap();
    b
}

fn bytemuck_bytes(values: &[f32]) -> &[u8] {
    bytemuck::cast_slice(values)
}

fn read_f32(e: &WebGpuExecutor, b: &Buffer) -> Vec<f32> {
    let mut bytes = vec![0u8; b.numel * 4];
    e.read(b, 0, &mut bytes).unwrap();
    bytes.chunks_exact(4).map(|c| f32::from_le_bytes(c.try_into().unwrap())).collect()
}

fn read_i64(e: &WebGpuExecutor, b: &Buffer) -> Vec<i64> {
    let mut bytes = vec![0u8; b.numel * 8];
    e.read(b, 0, &mut bytes).unwrap();
    bytes.chunks_exact(8).map(|c| i64::from_le_bytes(c.try_into().unwrap())).collect()
}

#[track_caller]
fn close(got: &[f32], want: &[f64], relative: f64, absolute: f64) {
    assert_eq!(got.len(), want.len());
    for (i, (&g, &w)) in got.iter().zip(want).enumerate() {
        let g = f64::from(g);
        let same = (g.is_nan() && w.is_nan()) || g == w || (g - w).abs() <= absolute + relative * w.abs();
        assert!(same, "element {i}: got {g}, want {w}");
    }
}

/// Reproducible numbers in [-1, 1).
fn noise(n: usize, seed: u64) -> Vec<f32> {
    let mut s = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    (0..n)
        .map(|_| {
            s ^= s << 13;
            s ^= s >> 7;
            s ^= s << 17;
            (s >> 40) as f32 / (1 << 23) as f32 - 1.0
        })
        .collect()
}

#[test]
fn bytes_survive_in_every_dtype() {
    let Some(e) = executor() else { return };
    println!("adapter: {}", e.hardware());
    for d in DType::ALL {
        let n = 10;
        let bytes: Vec<u8> = match d {
            DType::Bool => [1, 0, 0, 1, 1, 0, 1, 0, 1, 1].to_vec(),
            // Small exponents keep every pattern finite.
            _ => (0..n * d.size()).map(|i| (i * 5 % 60) as u8).collect(),
        };
        let a = e.allocate(n, d).unwrap();
        let b = e.allocate(n, d).unwrap();
        e.write(&a, 0, &bytes).unwrap();
        e.launch(&Kernel::Copy { src: view(&a, &[n]), out: view(&b, &[n]) }).unwrap();
        let mut back = vec![0; bytes.len()];
        e.read(&b, 0, &mut back).unwrap();
        assert_eq!(back, bytes, "{d:?}");
        let mut part = vec![0; 3 * d.size()];
        e.read(&b, 4, &mut part).unwrap();
        assert_eq!(part, bytes[4 * d.size()..7 * d.size()], "{d:?}");
    }
}

#[test]
fn conversions_round_and_wrap() {
    let Some(e) = executor() else { return };
    let values: Vec<f32> = vec![
        0.0,
        -0.0,
        1.5,
        -1.5,
        65504.0,
        65520.0,
        1e-7,
        6e-8,
        300.7,
        -129.9,
        3.4e38,
        f32::INFINITY,
        1.0009766,
        1.0014648,
    ];
    let x = f32s(&e, &values);
    let n = values.len();
    let convert = |d: DType| {
        let out = e.allocate(n, d).unwrap();
        e.launch(&Kernel::Copy { src: view(&x, &[n]), out: view(&out, &[n]) }).unwrap();
        let mut bytes = vec![0; n * d.size()];
        e.read(&out, 0, &mut bytes).unwrap();
        bytes
    };
    let half: Vec<u8> = values.iter().flat_map(|&v| half::f16::from_f32(v).to_le_bytes()).collect();
    assert_eq!(convert(DType::F16), half);
    let brain: Vec<u8> = values.iter().flat_map(|&v| half::bf16::from_f32(v).to_le_bytes()).collect();
    assert_eq!(convert(DType::BF16), brain);
    let double: Vec<u8> = values.iter().flat_map(|&v| f64::from(v).to_le_bytes()).collect();
    assert_eq!(convert(DType::F64), double);
    let truth: Vec<u8> = values.iter().map(|&v| (v != 0.0) as u8).collect();
    assert_eq!(convert(DType::Bool), truth);
    let whole: Vec<i64> = values[..10].iter().map(|&v| v as i64).collect();
    let got: Vec<i64> =
        convert(DType::I64).chunks_exact(8).take(10).map(|c| i64::from_le_bytes(c.try_into().unwrap())).collect();
    assert_eq!(got, whole);
    let small: Vec<u8> = values[..10].iter().map(|&v| v as i64 as u8).collect();
    assert_eq!(convert(DType::U8)[..10], small);

    // Round trips of float64 and int64.
    let wide = [0i64, 1, -1, i64::MAX, i64::MIN, 1 << 53, (1 << 53) + 1, -(1 << 40) - 3, 16_777_217, 123_456_789_012];
    let w = i64s(&e, &wide);
    let d = e.allocate(wide.len(), DType::F64).unwrap();
    e.launch(&Kernel::Copy { src: view(&w, &[10]), out: view(&d, &[10]) }).unwrap();
    let mut bytes = vec![0; 80];
    e.read(&d, 0, &mut bytes).unwrap();
    let doubles: Vec<f64> = bytes.chunks_exact(8).map(|c| f64::from_le_bytes(c.try_into().unwrap())).collect();
    assert_eq!(doubles, wide.map(|v| v as f64));
    let f = e.allocate(wide.len(), DType::F32).unwrap();
    e.launch(&Kernel::Copy { src: view(&w, &[10]), out: view(&f, &[10]) }).unwrap();
    assert_eq!(read_f32(&e, &f), wide.map(|v| v as f32));
    e.launch(&Kernel::Copy { src: view(&d, &[10]), out: view(&f, &[10]) }).unwrap();
    assert_eq!(read_f32(&e, &f), wide.map(|v| v as f64 as f32));
}

fn unary(e: &WebGpuExecutor, op: UnaryOp, x: &[f32]) -> Vec<f32> {
    let b = f32s(e, x);
    let out = e.allocate(x.len(), DType::F32).unwrap();
    let n = [x.len()];
    e.launch(&Kernel::Unary { op, x: view(&b, &n), compute: DType::F32, out: view(&out, &n) }).unwrap();
    read_f32(e, &out)
}

#[test]
fn functions_are_accurate() {
    let Some(e) = executor() else { return };
    use UnaryOp::*;
    let all: Vec<f32> = noise(200, 1)
        .iter()
        .map(|v| v * 4.0)
        .chain([0.0, -0.0, 1.0, -1.0, 10.0, -10.0, 50.0, -50.0, 87.0, -87.0, 1e-6, -1e-6, 1e-20, f32::INFINITY])
        .chain([f32::NEG_INFINITY, f32::NAN, 1e5, 0.5, 2.0, 3.0])
        .collect();
    let unit: Vec<f32> = noise(200, 2).into_iter().chain([0.0, 0.999, -0.999, 1e-5]).collect();
    let positive: Vec<f32> = all.iter().map(|v| v.abs()).collect();
    type Case = (UnaryOp, fn(f64) -> f64);
    let everywhere: &[Case] = &[
        (Exp, f64::exp),
        (Expm1, f64::exp_m1),
        (Exp2, f64::exp2),
        (Tanh, f64::tanh),
        (Sinh, f64::sinh),
        (Cosh, f64::cosh),
        (Atan, f64::atan),
        (Asinh, f64::asinh),
        (Sigmoid, |x| 1.0 / (1.0 + (-x).exp())),
        (Silu, |x| if x == f64::NEG_INFINITY { f64::NAN } else { x / (1.0 + (-x).exp()) }),
        (Relu, |x| if x.is_nan() { x } else { x.max(0.0) }),
        (Round, f64::round_ties_even),
        (Floor, f64::floor),
        (Sqrt, f64::sqrt),
        (Log, f64::ln),
    ];
    for &(op, f) in everywhere {
        println!("{}", op.name());
        let want: Vec<f64> = all.iter().map(|&v| f64::from(f(f64::from(v)) as f32)).collect();
        close(&unary(&e, op, &all), &want, 1e-6, 1e-37);
    }
    let above: &[Case] = &[(Log2, f64::log2), (Log10, f64::log10), (Log1p, f64::ln_1p), (Rsqrt, |x| 1.0 / x.sqrt())];
    for &(op, f) in above {
        println!("{}", op.name());
        let want: Vec<f64> = positive.iter().map(|&v| f(f64::from(v))).collect();
        close(&unary(&e, op, &positive), &want, 1e-6, 1e-7);
    }
    let inside: &[Case] =
        &[(Asin, f64::asin), (Acos, f64::acos), (Atanh, f64::atanh), (Sin, f64::sin), (Cos, f64::cos), (Tan, f64::tan)];
    for &(op, f) in inside {
        println!("{}", op.name());
        let want: Vec<f64> = unit.iter().map(|&v| f(f64::from(v))).collect();
        close(&unary(&e, op, &unit), &want, 1e-6, 2e-7);
    }
    // Reference values of special functions.
    close(
        &unary(&e, Erf, &[0.1, 0.5, 1.0, 1.5, 3.0, -2.0]),
        &[
            0.1124629160182849,
            0.5204998778130465,
            0.8427007929497149,
            0.9661051464753108,
            0.9999779095030014,
            -0.9953222650189527,
        ],
        5e-7,
        0.0,
    );
    close(
        &unary(&e, Erfc, &[0.5, 1.5, 3.0, 5.0, -1.0]),
        &[0.4795001221869535, 0.033894853524689274, 2.209049699858544e-5, 1.5374597944280347e-12, 1.8427007929497148],
        3e-6,
        0.0,
    );
    close(
        &unary(&e, Erfinv, &[0.5, -0.9, 0.999, 1.0]),
        &[0.4769362762044699, -1.1630871536766743, 2.326753765513525, f64::INFINITY],
        2e-6,
        0.0,
    );
    close(
        &unary(&e, Lgamma, &[0.5, 1.0, 2.5, 10.0, 100.0, -0.5, 0.0]),
        &[
            0.5723649429247001,
            0.0,
            0.2846828704729192,
            12.801827480081469,
            359.1342053695754,
            1.2655121234846454,
            f64::INFINITY,
        ],
        2e-6,
        2e-6,
    );
    close(
        &unary(&e, Digamma, &[0.5, 1.0, 2.5, 10.0, -0.5]),
        &[-1.9635100260214235, -0.5772156649015329, 0.7031566406452432, 2.251752589066721, 0.03648997397857652],
        2e-6,
        2e-6,
    );
}

#[test]
fn views_are_walked_by_their_strides() {
    let Some(e) = executor() else { return };
    // out[i][j] = a[j][i] + b[j], then in place through one buffer.
    let a = f32s(&e, &(0..6).map(|v| v as f32).collect::<Vec<_>>());
    let b = f32s(&e, &[10.0, 20.0, 30.0, 40.0]);
    let out = e.allocate(6, DType::F32).unwrap();
    let shape = [3, 2];
    let add = |x: View<'_>, y: View<'_>, o: View<'_>| {
        let (a, b) = (Operand::View(x), Operand::View(y));
        e.launch(&Kernel::Binary { op: BinaryOp::Add, a, b, compute: DType::F32, out: o }).unwrap();
    };
    let at = with_strides(view(&a, &shape), &[1, 3], 0);
    add(at, with_strides(view(&b, &shape), &[0, 1], 1), view(&out, &shape));
    assert_eq!(read_f32(&e, &out), [20.0, 33.0, 21.0, 34.0, 22.0, 35.0]);
    add(view(&out, &shape), view(&out, &shape), view(&out, &shape));
    assert_eq!(read_f32(&e, &out), [40.0, 66.0, 42.0, 68.0, 44.0, 70.0]);
    // Two rows of one storage.
    add(view(&out, &[2]), with_strides(view(&out, &[2]), &[1], 2), with_strides(view(&out, &[2]), &[1], 4));
    assert_eq!(read_f32(&e, &out), [40.0, 66.0, 42.0, 68.0, 82.0, 134.0]);
}

#[test]
fn integers_are_exact() {
    let Some(e) = executor() else { return };
    let a = [7i64, -7, 7, -7, i64::MAX, i64::MIN, 1_000_000_007, -5_000_000_000, 3, 0];
    let b = [2i64, 2, -2, -2, 1, 3, 998_244_353, 7, -13, 5];
    let (x, y) = (i64s(&e, &a), i64s(&e, &b));
    let out = e.allocate(10, DType::I64).unwrap();
    type Case = (BinaryOp, fn(i64, i64) -> i64);
    let cases: &[Case] = &[
        (BinaryOp::Add, i64::wrapping_add),
        (BinaryOp::Sub, i64::wrapping_sub),
        (BinaryOp::Mul, i64::wrapping_mul),
        (BinaryOp::TruncDiv, |a, b| a / b),
        (BinaryOp::FloorDiv, |a, b| a.div_euclid(b) - if b < 0 && a.rem_euclid(b) != 0 { 1 } else { 0 }),
        (BinaryOp::Fmod, |a, b| a % b),
        (BinaryOp::Remainder, |a, b| ((a % b) + b) % b),
        (BinaryOp::Maximum, i64::max),
        (BinaryOp::Minimum, i64::min),
        (BinaryOp::Lt, |a, b| (a < b) as i64),
        (BinaryOp::Ge, |a, b| (a >= b) as i64),
        (BinaryOp::Eq, |a, b| (a == b) as i64),
        (BinaryOp::BitXor, |a, b| a ^ b),
        (BinaryOp::Shl, |a, b| if (0..64).contains(&b) { a << b } else { 0 }),
        (BinaryOp::Shr, |a, b| if (0..64).contains(&b) { a >> b } else { a >> 63 }),
    ];
    for &(op, f) in cases {
        let (p, q) = (Operand::View(view(&x, &[10])), Operand::View(view(&y, &[10])));
        e.launch(&Kernel::Binary { op, a: p, b: q, compute: DType::I64, out: view(&out, &[10]) }).unwrap();
        let want: Vec<i64> = a.iter().zip(&b).map(|(&a, &b)| f(a, b)).collect();
        assert_eq!(read_i64(&e, &out), want, "{}", op.name());
    }
    let sum = e.allocate(1, DType::I64).unwrap();
    let x = view(&x, &[10]);
    e.launch(&Kernel::Reduce { op: ReduceOp::Sum, x, dims: vec![true], compute: DType::I64, out: view(&sum, &[1]) })
        .unwrap();
    assert_eq!(read_i64(&e, &sum), [a.iter().fold(0i64, |s, v| s.wrapping_add(*v))]);
}

#[test]
fn reductions_of_short_and_long_rows() {
    let Some(e) = executor() else { return };
    for n in [5, 200, 5000] {
        let data = noise(3 * n, n as u64);
        let x = f32s(&e, &data);
        let out = e.allocate(3, DType::F32).unwrap();
        let rows: Vec<Vec<f64>> = data.chunks(n).map(|r| r.iter().map(|&v| f64::from(v)).collect()).collect();
        let mean = |r: &[f64]| r.iter().sum::<f64>() / r.len() as f64;
        let check = |op: ReduceOp, want: &dyn Fn(&[f64]) -> f64| {
            let dims = vec![false, true];
            e.launch(&Kernel::Reduce { op, x: view(&x, &[3, n]), dims, compute: DType::F32, out: view(&out, &[3, 1]) })
                .unwrap();
            let want: Vec<f64> = rows.iter().map(|r| want(r)).collect();
            close(&read_f32(&e, &out), &want, 2e-6, 2e-5);
        };
        check(ReduceOp::Sum, &|r| r.iter().sum());
        check(ReduceOp::Mean, &mean);
        check(ReduceOp::Max, &|r| r.iter().copied().fold(f64::NEG_INFINITY, f64::max));
        check(ReduceOp::Min, &|r| r.iter().copied().fold(f64::INFINITY, f64::min));
        check(ReduceOp::Norm { p: 2.0 }, &|r| r.iter().map(|v| v * v).sum::<f64>().sqrt());
        check(ReduceOp::Norm { p: 3.0 }, &|r| r.iter().map(|v| v.abs().powi(3)).sum::<f64>().cbrt());
        check(ReduceOp::LogSumExp, &|r| r.iter().map(|v| v.exp()).sum::<f64>().ln());
        check(ReduceOp::Var { correction: 1.0 }, &|r| {
            let m = mean(r);
            r.iter().map(|v| (v - m) * (v - m)).sum::<f64>() / (r.len() as f64 - 1.0)
        });
        // The opposite direction, and everything at once.
        let columns = e.allocate(n, DType::F32).unwrap();
        let dims = vec![true, false];
        let x_view = view(&x, &[3, n]);
        let out = view(&columns, &[1, n]);
        e.launch(&Kernel::Reduce { op: ReduceOp::Sum, x: x_view, dims, compute: DType::F32, out }).unwrap();
        let want: Vec<f64> = (0..n).map(|j| rows.iter().map(|r| r[j]).sum()).collect();
        close(&read_f32(&e, &columns), &want, 1e-6, 1e-6);
        // The first of equal extremes, with its value.
        let mut spiked = data.clone();
        spiked[n + 3] = 9.0;
        spiked[n + 4] = 9.0;
        spiked[2] = f32::NAN;
        let s = f32s(&e, &spiked);
        let (values, indices) = (e.allocate(3, DType::F32).unwrap(), e.allocate(3, DType::I64).unwrap());
        e.launch(&Kernel::ArgReduce {
            largest: true,
            x: view(&s, &[3, n]),
            dim: 1,
            values: Some(view(&values, &[3, 1])),
            indices: view(&indices, &[3, 1]),
        })
        .unwrap();
        let got = read_i64(&e, &indices);
        assert_eq!(got[..2], [2, 3]);
        let v = read_f32(&e, &values);
        assert!(v[0].is_nan() && v[1] == 9.0 && v[2] == spiked[2 * n + got[2] as usize]);
    }
}

#[test]
fn products_of_every_layout() {
    let Some(e) = executor() else { return };
    for [b, m, k, n] in [[1, 1, 7, 5], [2, 5, 9, 6], [1, 64, 33, 70], [3, 16, 128, 4]] {
        let (a, c) = (noise(b * m * k, 3), noise(b * k * n, 4));
        let (ab, cb) = (f32s(&e, &a), f32s(&e, &c));
        let bias = noise(n, 5);
        let bias_buffer = f32s(&e, &bias);
        let out = e.allocate(b * m * n, DType::F32).unwrap();
        // `c` is transposed in memory: [B, N, K].
        let at = |bi: usize, kk: usize, j: usize| c[bi * k * n + j * k + kk];
        let cv = with_strides(view(&cb, &[b, k, n]), &[k * n, 1, k], 0);
        let bias_view = with_strides(view(&bias_buffer, &[b, m, n]), &[0, 0, 1], 0);
        e.launch(&Kernel::MatMul {
            a: view(&ab, &[b, m, k]),
            c: cv,
            bias: Some(bias_view),
            alpha: 0.5,
            beta: 2.0,
            out: view(&out, &[b, m, n]),
        })
        .unwrap();
        let mut want = Vec::new();
        for bi in 0..b {
            for i in 0..m {
                for j in 0..n {
                    let s: f64 = (0..k).map(|q| f64::from(a[(bi * m + i) * k + q]) * f64::from(at(bi, q, j))).sum();
                    want.push(0.5 * s + 2.0 * f64::from(bias[j]));
                }
            }
        }
        close(&read_f32(&e, &out), &want, 2e-6, 2e-6);
    }
    let (a, c) = (i64s(&e, &[1 << 40, 2, 3, 4]), i64s(&e, &[5, 6, 7, 8]));
    let out = e.allocate(4, DType::I64).unwrap();
    let (av, cv, out_view) = (view(&a, &[1, 2, 2]), view(&c, &[1, 2, 2]), view(&out, &[1, 2, 2]));
    e.launch(&Kernel::MatMul { a: av, c: cv, bias: None, alpha: 1.0, beta: 0.0, out: out_view }).unwrap();
    assert_eq!(read_i64(&e, &out), [(5 << 40) + 14, (6 << 40) + 16, 43, 50]);
}

#[test]
fn optimizers_follow_their_formulas() {
    let Some(e) = executor() else { return };
    let (p, g) = (noise(100, 6), noise(100, 7));
    let param = f32s(&e, &p);
    let grad = f32s(&e, &g);
    let (m, v) = (f32s(&e, &[0.0; 100]), f32s(&e, &[0.0; 100]));
    let mut want: Vec<f64> = p.iter().map(|&v| f64::from(v)).collect();
    let (mut wm, mut wv) = (vec![0.0; 100], vec![0.0; 100]);
    for step in 1..=3u64 {
        let rule = OptimizerRule::Adam {
            lr: 0.01,
            beta1: 0.9,
            beta2: 0.999,
            eps: 1e-8,
            weight_decay: 0.1,
            amsgrad: false,
            maximize: false,
            decoupled: true,
            step: Some(step),
        };
        let params = vec![OptimizerParam {
            param: view(&param, &[100]),
            grad: view(&grad, &[100]),
            state: vec![view(&m, &[100]), view(&v, &[100])],
            count: None,
        }];
        e.launch(&Kernel::Optimizer { rule, rate: None, params }).unwrap();
        for i in 0..100 {
            let gi = f64::from(g[i]);
            wm[i] = 0.9 * wm[i] + 0.1 * gi;
            wv[i] = 0.999 * wv[i] + 0.001 * gi * gi;
            let t = step as f64;
            let denominator = (wv[i] / (1.0 - 0.999f64.powf(t))).sqrt() + 1e-8;
            want[i] = want[i] * (1.0 - 0.001) - 0.01 * wm[i] / (1.0 - 0.9f64.powf(t)) / denominator;
        }
    }
    close(&read_f32(&e, &param), &want, 1e-5, 1e-6);
    // Momentum: the first step overwrites the buffer's arbitrary content.
    let param = f32s(&e, &p);
    let buffer = f32s(&e, &[f32::NAN; 100]);
    for first in [true, false] {
        let rule = OptimizerRule::Sgd {
            lr: 0.1,
            momentum: 0.9,
            dampening: 0.0,
            weight_decay: 0.0,
            nesterov: false,
            maximize: false,
            first,
        };
        let params = vec![OptimizerParam {
            param: view(&param, &[100]),
            grad: view(&grad, &[100]),
            state: vec![view(&buffer, &[100])],
            count: None,
        }];
        e.launch(&Kernel::Optimizer { rule, rate: None, params }).unwrap();
    }
    let want: Vec<f64> = p.iter().zip(&g).map(|(&p, &g)| f64::from(p) - 0.1 * f64::from(g) * (1.0 + 1.9)).collect();
    close(&read_f32(&e, &param), &want, 1e-6, 1e-6);
}

#[test]
fn draws_are_those_of_the_cuda_generator() {
    let Some(e) = executor() else { return };
    use tensoryard::rng::philox;
    let place = philox::Philox { seed: 42 | 7 << 40, offset: 8, multiprocessors: 1 };
    for n in [10, 3000, 20_000] {
        let out = e.allocate(n, DType::F32).unwrap();
        let run = |draw: Draw| {
            e.launch(&Kernel::Random { draw, philox: place, out: view(&out, &[n]) }).unwrap();
            read_f32(&e, &out)
        };
        let mut want = vec![0.0f32; n];
        philox::uniform_f32(place, &mut want, -1.0, 3.0);
        assert_eq!(run(Draw::Uniform { from: -1.0, to: 3.0 }), want);
        philox::normal_f32(place, &mut want, 1.0, 2.0);
        let wide: Vec<f64> = want.iter().map(|&v| f64::from(v)).collect();
        close(&run(Draw::Normal { mean: 1.0, std: 2.0 }), &wide, 2e-6, 2e-6);
        let mut mask = vec![false; n];
        philox::bernoulli(place, &mut mask, 0.3);
        let as_f32: Vec<f32> = mask.iter().map(|&b| b as u8 as f32).collect();
        assert_eq!(run(Draw::Bernoulli { p: 0.3 }), as_f32);
        for n in [n, n - 1, n - 2] {
            let mut mask = vec![false; n];
            philox::dropout_mask(place, &mut mask, 0.75);
            let out = e.allocate(n, DType::F32).unwrap();
            e.launch(&Kernel::Random { draw: Draw::Dropout { p: 0.25 }, philox: place, out: view(&out, &[n]) })
                .unwrap();
            let want: Vec<f32> = mask.iter().map(|&b| if b { 1.0 / 0.75 } else { 0.0 }).collect();
            assert_eq!(read_f32(&e, &out), want);
        }
        let whole = e.allocate(n, DType::I64).unwrap();
        for (base, range) in [(-3, 10), (5, 1 << 40)] {
            let mut want = vec![0i64; n];
            philox::random_from(place, &mut want, base, range);
            let draw = Draw::Integers { base, range };
            e.launch(&Kernel::Random { draw, philox: place, out: view(&whole, &[n]) }).unwrap();
            assert_eq!(read_i64(&e, &whole), want);
        }
    }
}

#[test]
fn fill_and_arange() {
    let Some(e) = executor() else { return };
    let out = e.allocate(1000, DType::F32).unwrap();
    let o = || view(&out, &[1000]);
    e.launch(&Kernel::Arange { out: o(), start: Scalar::Float(-3.0), step: Scalar::Float(0.1) }).unwrap();
    // Each value is rounded once, so its relative error is that of a float32. Near zero, where start and step nearly cancel,
    // the error is that of the step, which the kernel holds with 36 bits.
    let want: Vec<f64> = (0..1000).map(|i| -3.0 + f64::from(i) * 0.1).collect();
    close(&read_f32(&e, &out), &want, 6e-8, 1e-9);
    e.launch(&Kernel::Fill { out: o(), value: Scalar::Float(f64::NEG_INFINITY) }).unwrap();
    assert!(read_f32(&e, &out).iter().all(|&v| v == f32::NEG_INFINITY));
    let whole = e.allocate(5, DType::I64).unwrap();
    let out = view(&whole, &[5]);
    e.launch(&Kernel::Arange { out, start: Scalar::Int(1 << 40), step: Scalar::Int(-3) }).unwrap();
    assert_eq!(read_i64(&e, &whole), (0..5).map(|i| (1i64 << 40) - 3 * i).collect::<Vec<_>>());
}

#[test]
fn float64_arithmetic_is_refused_in_words() {
    let Some(e) = executor() else { return };
    let x = e.allocate(4, DType::F64).unwrap();
    let v = || view(&x, &[4]);
    let fault = e.launch(&Kernel::Unary { op: UnaryOp::Exp, x: v(), compute: DType::F64, out: v() });
    assert_eq!(fault, Err(Fault::Unsupported("the WebGPU executor has no float64 arithmetic".into())));
    assert!(matches!(e.allocate(1 << 40, DType::F32), Err(Fault::OutOfMemory { .. })));
    e.synchronize().unwrap();
}

/// Queues more work than the host may be ahead of the device. Writes count as well, and nothing has checked yet whether
/// any of it is done.
fn give_much(e: &WebGpuExecutor, target: &Buffer) {
    e.write(target, 0, &vec![0; target.numel * 4]).unwrap();
    assert!(e.ahead() > FAR, "{} ahead", e.ahead());
}

/// How many kernels the host may be ahead.
const FAR: u64 = 1024;

/// After an endless loop of kernels, the next program used to wait for everything in the queue.
#[test]
fn the_host_is_ahead_of_the_device_by_so_much_and_no_more() {
    let Some(executor) = executor() else { return };
    let executor = Rc::new(executor);
    let shared: Rc<dyn Executor> = executor.clone();
    let engine = engine::install(Engine::new(Machine::preset("cuda:1").unwrap(), |_| shared.clone()));
    let gpu = Device::cuda(0);
    let target = executor.allocate(20 << 20, DType::F32).unwrap();

    let x = ops::create::zeros(&[8], DType::F32, gpu).unwrap();
    engine.trace.set_on(true);
    give_much(&executor, &target);
    let _y = ops::add(&x, &x).unwrap();
    assert!(executor.ahead() <= FAR, "{} ahead after a kernel", executor.ahead());

    let host = ops::create::zeros(&[20 << 20], DType::F32, Device::CPU).unwrap();
    let copied = ops::create::zeros(&[20 << 20], DType::F32, gpu).unwrap();
    ops::transfer::copy_with(&copied, &host, true, Why::Copy).unwrap();
    assert!(executor.ahead() <= FAR, "{} ahead after a copy", executor.ahead());

    // No program asked for a wait, so none is reported.
    let waits = |events: Vec<_>| events.iter().filter(|e: &&Event| matches!(e.kind, EventKind::Sync { .. })).count();
    assert_eq!(waits(engine.trace.drain()), 0);

    // A blocking copy waits for earlier kernels and reports that.
    let few = ops::create::zeros(&[8], DType::F32, Device::CPU).unwrap();
    let _y = ops::add(&x, &x).unwrap();
    engine.trace.drain();
    let there = ops::transfer::to_device(&few, gpu, Why::To).unwrap();
    assert_eq!((waits(engine.trace.drain()), executor.ahead()), (1, 0));
    let _y = ops::add(&x, &there).unwrap();
    ops::transfer::copy_(&few, &x, false).unwrap();
    assert_eq!((waits(engine.trace.drain()), executor.ahead()), (1, 0));

    for _ in 0..FAR {
        executor.write(&target, 0, &[0; 4]).unwrap();
    }
    assert!(executor.ahead() > 0);
    executor.synchronize().unwrap();
    assert_eq!(executor.ahead(), 0, "whoever waits for everything has caught up");
}

/// Stop ends the wait for a device that is behind.
#[test]
fn whoever_waits_for_a_device_that_is_behind_can_be_stopped() {
    let Some(e) = executor() else { return };
    give_much(&e, &e.allocate(20 << 20, DType::F32).unwrap());
    assert_eq!(e.keep_pace(&|| true), Err(Fault::Interrupted));
    e.keep_pace(&|| false).unwrap();
    assert!(e.ahead() <= FAR, "{} ahead", e.ahead());
    assert_eq!(e.keep_pace(&|| true), Ok(()), "there is nothing to wait for");
}

/// Prints times, without judging them: `cargo test --release --features webgpu --test webgpu cost -- --ignored
/// --nocapture`.
#[test]
#[ignore = "prints figures"]
fn cost_of_small_work() {
    let Some(e) = executor() else { return };
    let x = f32s(&e, &[1.0; 16]);
    let one = || Operand::Scalar(Scalar::Float(1.0));
    let add = || {
        let (a, out) = (Operand::View(view(&x, &[16])), view(&x, &[16]));
        e.launch(&Kernel::Binary { op: BinaryOp::Add, a, b: one(), compute: DType::F32, out }).unwrap();
    };
    add();
    e.synchronize().unwrap();
    let start = std::time::Instant::now();
    for _ in 0..6400 {
        add();
    }
    let recorded = start.elapsed();
    e.synchronize().unwrap();
    println!(
        "{}: recording {:.2} us, all {:.2} us a tiny dispatch",
        e.hardware(),
        recorded.as_secs_f64() * 1e6 / 6400.0,
        start.elapsed().as_secs_f64() * 1e6 / 6400.0
    );
    let mut item = [0u8; 4];
    let mut times: Vec<f64> = (0..200)
        .map(|_| {
            add();
            let start = std::time::Instant::now();
            e.read(&x, 0, &mut item).unwrap();
            start.elapsed().as_secs_f64() * 1e6
        })
        .collect();
    times.sort_by(f64::total_cmp);
    println!("reading 4 bytes: median {:.0} us", times[100]);
    for n in [256, 512] {
        let (a, c, out) =
            (f32s(&e, &noise(n * n, 1)), f32s(&e, &noise(n * n, 2)), e.allocate(n * n, DType::F32).unwrap());
        let run = || {
            let (a, c, out) = (view(&a, &[1, n, n]), view(&c, &[1, n, n]), view(&out, &[1, n, n]));
            e.launch(&Kernel::MatMul { a, c, bias: None, alpha: 1.0, beta: 0.0, out }).unwrap();
            e.synchronize().unwrap();
        };
        run();
        let start = std::time::Instant::now();
        for _ in 0..5 {
            run();
        }
        println!("matmul {n}: {:.2} GFLOP/s", 5.0 * 2.0 * (n * n * n) as f64 / start.elapsed().as_secs_f64() / 1e9);
    }
}

/// Timing events: recording one waits for nothing, and the device's clock says how long the work between two took.
#[test]
fn stamps_have_the_times_of_the_device() {
    let Some(e) = executor() else { return };
    let n = 1 << 20;
    let b = f32s(&e, &vec![1.0; n]);
    let stamp = || e.stamp().unwrap().expect("a device that runs asynchronously has stamps");
    let start = stamp();
    for _ in 0..50 {
        e.launch(&Kernel::Unary { op: UnaryOp::Sin, x: view(&b, &[n]), compute: DType::F32, out: view(&b, &[n]) })
            .unwrap();
    }
    let end = stamp();
    e.synchronize().unwrap();
    let (took, again) = (end.since(&*start).unwrap(), end.since(&*start).unwrap());
    assert!(took > 0.0 && took < 60_000.0, "{took} ms");
    assert_eq!(took, again);
    assert_eq!(end.since(&*end).unwrap(), 0.0);
    // The times are those of one device.
    let Some(other) = executor() else { return };
    let elsewhere = other.stamp().unwrap().unwrap();
    other.synchronize().unwrap();
    assert!(matches!(end.since(&*elsewhere), Err(Fault::Unsupported(_))));
    assert!(read_f32(&e, &b).iter().all(|&x| x > 0.0 && x < 1.0));
}
