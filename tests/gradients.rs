//! Every derivative against finite differences in float64, and second derivatives of the common operators.

use tensoryard::autograd::{GradMode, Pass};
use tensoryard::device::Device;
use tensoryard::dtype::{DType, Scalar};
use tensoryard::error::Result;
use tensoryard::executor::{BinaryOp, ReduceOp, Reduction, ScanOp, UnaryOp};
use tensoryard::ops::indexing::Index;
use tensoryard::ops::nn::{activation, conv, embedding, fold, loss, norm, pad, pool, rnn, upsample};
use tensoryard::ops::{self, Arg, arith, distance, einsum, index, indexing, linalg, matmul, reduce, shape, sort, view};
use tensoryard::tensor::Tensor;
use tensoryard::trace::Why;

/// A float64 tensor with irregular values that aren't close to each other.
fn tensor(shape: &[usize], seed: u64, low: f64, high: f64) -> Tensor {
    let n: usize = shape.iter().product();
    let values: Vec<Scalar> = (0..n as u64)
        .map(|i| {
            let mut x = (i + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ seed.wrapping_mul(0xbf58_476d_1ce4_e5b9);
            x ^= x >> 31;
            x = x.wrapping_mul(0x94d0_49bb_1331_11eb);
            x ^= x >> 29;
            Scalar::Float(low + (high - low) * (x >> 11) as f64 / (1u64 << 53) as f64)
        })
        .collect();
    ops::create::from_scalars(&values, shape, DType::F64, Device::CPU).unwrap()
}

fn longs(values: &[i64], shape: &[usize]) -> Tensor {
    let values: Vec<Scalar> = values.iter().map(|&v| Scalar::Int(v)).collect();
    ops::create::from_scalars(&values, shape, DType::I64, Device::CPU).unwrap()
}

fn values(t: &Tensor) -> Vec<f64> {
    let bytes = ops::transfer::to_host(&t.detach(), Why::Numpy).unwrap();
    (0..t.numel()).map(|i| ops::transfer::scalar_at(&bytes, t.dtype(), i).as_f64()).collect()
}

type F<'a> = &'a dyn Fn(&[Tensor]) -> Result<Tensor>;

/// A number that depends on every element of the result, with different weights.
fn weigh(t: &Tensor, seed: u64) -> Result<Tensor> {
    let w = tensor(&t.shape(), 77 + seed, 0.3, 1.7);
    reduce::sum(&ops::mul(t, &w)?, &[], false, None)
}

fn number(f: F<'_>, inputs: &[Tensor]) -> f64 {
    let _no_grad = GradMode::set(false);
    values(&weigh(&f(inputs).unwrap(), 0).unwrap())[0]
}

/// Compares `found` with central differences of `f`.
fn compare(name: &str, f: &dyn Fn(&[Tensor]) -> f64, inputs: &[Tensor], found: &[Option<Tensor>]) {
    const STEP: f64 = 1e-5;
    for (k, input) in inputs.iter().enumerate() {
        let base = values(input);
        let have = found[k].as_ref().map_or_else(|| vec![0.0; base.len()], values);
        assert_eq!(have.len(), base.len(), "{name}: gradient {k} has another size");
        for i in 0..base.len() {
            let shifted = |by: f64| {
                let mut v: Vec<Scalar> = base.iter().map(|&x| Scalar::Float(x)).collect();
                v[i] = Scalar::Float(base[i] + by);
                let mut all = inputs.to_vec();
                all[k] = ops::create::from_scalars(&v, &input.shape(), DType::F64, Device::CPU).unwrap();
                f(&all)
            };
            let slope = (shifted(STEP) - shifted(-STEP)) / (2.0 * STEP);
            let close = (slope - have[i]).abs() <= 1e-6 + 1e-5 * slope.abs().max(have[i].abs());
            assert!(close, "{name}: d/d input {k}[{i}]: differences {slope}, autograd {}", have[i]);
        }
    }
}

fn leaves(inputs: &[Tensor]) -> Vec<Tensor> {
    inputs
        .iter()
        .map(|t| {
            let leaf = t.detach();
            leaf.set_requires_grad(true).unwrap();
            leaf
        })
        .collect()
}

fn first(name: &str, inputs: &[Tensor], f: F<'_>) {
    let x = leaves(inputs);
    let out = weigh(&f(&x).unwrap_or_else(|e| panic!("{name}: {e}")), 0).unwrap();
    let found =
        ops::grad(Pass { roots: &[out], ..Pass::default() }, &x, true).unwrap_or_else(|e| panic!("{name}: {e}"));
    compare(name, &|x| number(f, x), inputs, &found);
}

/// First and second derivatives.
fn check(name: &str, inputs: &[Tensor], f: F<'_>) {
    first(name, inputs, f);
    let slopes = |x: &[Tensor]| -> Tensor {
        let x = leaves(x);
        slope_sum(f, &x)
    };
    let x = leaves(inputs);
    let out = slope_sum(f, &x);
    let found = if out.requires_grad() {
        ops::grad(Pass { roots: &[out], ..Pass::default() }, &x, true).unwrap_or_else(|e| panic!("{name} twice: {e}"))
    } else {
        vec![None; x.len()]
    };
    compare(&format!("{name} twice"), &|x| values(&slopes(x))[0], inputs, &found);
}

fn slope_sum(f: F<'_>, x: &[Tensor]) -> Tensor {
    let out = weigh(&f(x).unwrap(), 0).unwrap();
    let grads =
        ops::grad(Pass { roots: &[out], retain_graph: true, create_graph: true, ..Pass::default() }, x, true).unwrap();
    let mut sum: Option<Tensor> = None;
    for (i, g) in grads.into_iter().enumerate() {
        let Some(g) = g else { continue };
        let part = weigh(&g, 5 + i as u64).unwrap();
        sum = Some(sum.map_or(part.clone(), |s| ops::add(&s, &part).unwrap()));
    }
    sum.unwrap()
}

/// Every function of the table, where all of them are defined and smooth. The other tests look at more of their domains.
#[test]
fn every_unary_function() {
    for &op in UnaryOp::EVERY {
        let inputs = match op {
            UnaryOp::Acosh => [tensor(&[2, 3], 1, 1.3, 1.8)],
            _ => [tensor(&[2, 3], 1, 0.3, 0.8)],
        };
        match op {
            // Their results are no numbers, or their numbers no fractions.
            UnaryOp::IsNan | UnaryOp::IsInf | UnaryOp::IsFinite | UnaryOp::LogicalNot | UnaryOp::BitwiseNot => {}
            // Steps, and functions whose second derivative isn't in the table.
            UnaryOp::Sign
            | UnaryOp::Floor
            | UnaryOp::Ceil
            | UnaryOp::Round
            | UnaryOp::Trunc
            | UnaryOp::Lgamma
            | UnaryOp::Digamma => first(op.name(), &inputs, &|x| ops::unary(op, &x[0])),
            _ => check(op.name(), &inputs, &|x| ops::unary(op, &x[0])),
        }
    }
}

#[test]
fn unary() {
    use UnaryOp::*;
    let anywhere = [
        Neg, Exp, Exp2, Expm1, Square, Sin, Cos, Atan, Sinh, Cosh, Tanh, Asinh, Erf, Erfc, Sigmoid, Abs, Relu,
        Softsign, LogSigmoid, Silu, Gelu, GeluTanh, Mish, Frac,
    ];
    for op in anywhere {
        check(op.name(), &[tensor(&[2, 3], 1, -1.9, 1.9)], &|x| ops::unary(op, &x[0]));
    }
    for op in [Log, Log2, Log10, Log1p, Sqrt, Rsqrt, Reciprocal] {
        check(op.name(), &[tensor(&[2, 3], 2, 0.4, 2.0)], &|x| ops::unary(op, &x[0]));
    }
    for op in [Asin, Acos, Atanh, Tan, Erfinv] {
        check(op.name(), &[tensor(&[2, 3], 3, -0.8, 0.8)], &|x| ops::unary(op, &x[0]));
    }
    check("acosh", &[tensor(&[3], 4, 1.3, 2.5)], &|x| ops::unary(Acosh, &x[0]));
    first("lgamma", &[tensor(&[3], 5, 0.5, 3.0)], &|x| ops::unary(Lgamma, &x[0]));
    let parametric = [
        Softplus { beta: 1.5, threshold: 20.0 },
        Elu { alpha: 1.3, scale: 1.1, input_scale: 0.9 },
        LeakyRelu { slope: 0.1 },
        Threshold { threshold: 0.1, value: 3.0 },
        Clamp { min: Some(Scalar::Float(-0.5)), max: Some(Scalar::Float(0.6)) },
        Hardswish,
        Hardsigmoid,
    ];
    for op in parametric {
        check(op.name(), &[tensor(&[2, 4], 6, -1.9, 1.9)], &|x| ops::unary(op, &x[0]));
    }
}

#[test]
fn binary() {
    use BinaryOp::*;
    let (a, b) = (tensor(&[2, 3], 11, 0.5, 2.0), tensor(&[3], 12, 0.6, 1.9));
    for op in [Add, Sub, Mul, Div, Maximum, Minimum, Fmax, Fmin, Atan2, Hypot, Pow, SquaredDifference, AbsDifference] {
        check(op.name(), &[a.clone(), b.clone()], &|x| ops::binary(op, &(&x[0]).into(), &(&x[1]).into()));
    }
    for op in [SmoothL1 { beta: 0.4 }, Huber { delta: 0.3 }, BinaryCrossEntropyWithLogits] {
        check(op.name(), &[a.clone(), b.clone()], &|x| ops::binary(op, &(&x[0]).into(), &(&x[1]).into()));
    }
    let p = tensor(&[2, 3], 13, 0.2, 0.8);
    check("bce", &[p, tensor(&[2, 3], 14, 0.1, 0.9)], &|x| {
        ops::binary(BinaryCrossEntropy, &(&x[0]).into(), &(&x[1]).into())
    });
    for op in [Remainder, Fmod] {
        first(op.name(), &[a.clone(), b.clone()], &|x| ops::binary(op, &(&x[0]).into(), &(&x[1]).into()));
    }
    check("number minus tensor", std::slice::from_ref(&a), &|x| ops::binary(Sub, &2.0.into(), &(&x[0]).into()));
    check("number over tensor", std::slice::from_ref(&a), &|x| ops::binary(Div, &2.0.into(), &(&x[0]).into()));
    check("number to the tensor", std::slice::from_ref(&a), &|x| arith::pow(&2.0.into(), &(&x[0]).into()));
    check("cube", std::slice::from_ref(&a), &|x| arith::pow(&(&x[0]).into(), &3.0.into()));
    check("add alpha", &[a.clone(), b.clone()], &|x| arith::add(&(&x[0]).into(), &(&x[1]).into(), 2.5.into()));
    check("sub alpha", &[a.clone(), b.clone()], &|x| arith::sub(&(&x[0]).into(), &(&x[1]).into(), 2.5.into()));
    let three = [a.clone(), b.clone(), tensor(&[2, 1], 15, 0.3, 0.9)];
    check("lerp", &[three[0].clone(), three[1].clone()], &|x| arith::lerp(&x[0], &x[1], &0.3.into()));
    check("lerp by a tensor", &three, &|x| arith::lerp(&x[0], &x[1], &(&x[2]).into()));
    check("addcmul", &three, &|x| arith::addcmul(&x[0], &x[1], &x[2], 0.7.into()));
    check("addcdiv", &three, &|x| arith::addcdiv(&x[0], &x[1], &x[2], 0.7.into()));
    check("clamp by tensors", &[a.clone(), tensor(&[3], 16, 0.6, 0.9), tensor(&[3], 17, 1.2, 1.5)], &|x| {
        arith::clamp_tensor(&x[0], Some(&x[1]), Some(&x[2]))
    });
    let mask = ops::binary(Gt, &(&a).into(), &1.2.into()).unwrap();
    check("where", &[a.clone(), b.clone()], &|x| ops::where_(&mask, &(&x[0]).into(), &(&x[1]).into()));
    check("masked_fill", &[a.clone(), tensor(&[], 18, 0.0, 1.0)], &|x| {
        arith::masked_fill(&x[0], &mask, &(&x[1]).into())
    });
}

#[test]
fn reductions() {
    let a = tensor(&[2, 3, 2], 21, -1.5, 1.5);
    for dims in [vec![], vec![1], vec![0, 2]] {
        check("sum", std::slice::from_ref(&a), &|x| reduce::sum(&x[0], &dims, false, None));
        check("mean", std::slice::from_ref(&a), &|x| reduce::mean(&x[0], &dims, true, None));
        check("var", std::slice::from_ref(&a), &|x| reduce::var(&x[0], &dims, 1.0, false));
        check("std", std::slice::from_ref(&a), &|x| reduce::std(&x[0], &dims, 0.0, false));
        check("amax", std::slice::from_ref(&a), &|x| reduce::extreme(&x[0], true, &dims, false, "AmaxBackward0"));
        check("logsumexp", std::slice::from_ref(&a), &|x| {
            reduce::reduction(ReduceOp::LogSumExp, &x[0], &dims, false, None)
        });
        for p in [1.0, 2.0, 3.0, f64::INFINITY] {
            check("norm", std::slice::from_ref(&a), &|x| {
                reduce::norm(&x[0], p, &dims, false, "LinalgVectorNormBackward0")
            });
        }
    }
    first("prod", std::slice::from_ref(&a), &|x| reduce::prod(&x[0], None, false, None));
    first("prod of a dimension", std::slice::from_ref(&a), &|x| reduce::prod(&x[0], Some(1), false, None));
    check("max of a dimension", std::slice::from_ref(&a), &|x| Ok(reduce::extreme_dim(&x[0], true, 1, false)?.0));
    check("cumsum", std::slice::from_ref(&a), &|x| reduce::scan(ScanOp::Sum, &x[0], 1));
    first("cumprod", std::slice::from_ref(&a), &|x| reduce::scan(ScanOp::Prod, &x[0], 1));
    check("sort", std::slice::from_ref(&a), &|x| Ok(sort::sort(&x[0], 1, true)?.0));
    check("topk", std::slice::from_ref(&a), &|x| Ok(sort::topk(&x[0], 2, 1, true, true)?.0));
    check("median", std::slice::from_ref(&a), &|x| sort::median(&x[0]));
    check("median of a dimension", std::slice::from_ref(&a), &|x| Ok(sort::median_dim(&x[0], 1, false)?.0));
    check("kthvalue", std::slice::from_ref(&a), &|x| Ok(sort::kthvalue(&x[0], 2, 1, true)?.0));
}

#[test]
fn products() {
    let (a, b) = (tensor(&[2, 3], 31, -1.0, 1.0), tensor(&[3, 4], 32, -1.0, 1.0));
    check("mm", &[a.clone(), b.clone()], &|x| matmul::matmul(&x[0], &x[1]));
    check("mv", &[a.clone(), tensor(&[3], 33, -1.0, 1.0)], &|x| matmul::matmul(&x[0], &x[1]));
    check("dot", &[tensor(&[3], 34, -1.0, 1.0), tensor(&[3], 35, -1.0, 1.0)], &|x| matmul::matmul(&x[0], &x[1]));
    check("batched", &[tensor(&[2, 2, 3], 36, -1.0, 1.0), b.clone()], &|x| matmul::matmul(&x[0], &x[1]));
    check("broadcast batches", &[tensor(&[2, 1, 2, 3], 37, -1.0, 1.0), tensor(&[2, 3, 2], 38, -1.0, 1.0)], &|x| {
        matmul::matmul(&x[0], &x[1])
    });
    check("addmm", &[tensor(&[4], 39, -1.0, 1.0), a.clone(), b.clone()], &|x| {
        matmul::addmm(&x[0], &x[1], &x[2], 0.5.into(), 2.0.into())
    });
    let (w, bias) = (tensor(&[4, 3], 40, -1.0, 1.0), tensor(&[4], 41, -1.0, 1.0));
    check("linear", &[tensor(&[2, 2, 3], 42, -1.0, 1.0), w, bias], &|x| matmul::linear(&x[0], &x[1], Some(&x[2])));
    for equation in ["ij,jk->ik", "ij,jk->k", "ij,jk->ki", "ij,jk"] {
        check(equation, &[a.clone(), b.clone()], &|x| einsum::einsum(equation, x));
    }
    check("bij,bjk->bik", &[tensor(&[2, 2, 3], 43, -1.0, 1.0), tensor(&[2, 3, 2], 44, -1.0, 1.0)], &|x| {
        einsum::einsum("bij,bjk->bik", x)
    });
    check("...i,ii->...", &[tensor(&[2, 2, 3], 45, -1.0, 1.0), tensor(&[3, 3], 46, -1.0, 1.0)], &|x| {
        einsum::einsum("...i,ii->...", x)
    });
    check("tensordot", &[a.clone(), b.clone()], &|x| einsum::tensordot(&x[0], &x[1], &[1], &[0]));
    check("cdist", &[tensor(&[2, 3], 47, -1.0, 1.0), tensor(&[4, 3], 48, -1.0, 1.0)], &|x| {
        distance::cdist(&x[0], &x[1], 2.0)
    });
    check("cosine_similarity", &[a.clone(), tensor(&[2, 3], 49, -1.0, 1.0)], &|x| {
        distance::cosine_similarity(&x[0], &x[1], 1, 1e-8)
    });
    check("normalize", &[a], &|x| distance::normalize(&x[0], 2.0, 1, 1e-12));
}

#[test]
fn shapes() {
    let a = tensor(&[2, 3, 4], 51, -1.0, 1.0);
    let one = |name: &str, f: F<'_>| check(name, std::slice::from_ref(&a), f);
    one("view", &|x| view::view(&x[0], &[6, 4]));
    one("reshape of a transpose", &|x| view::reshape(&view::transpose(&x[0], 0, 2)?, &[-1]));
    one("permute", &|x| view::permute(&x[0], &[2, 0, 1]));
    one("expand", &|x| view::expand(&view::unsqueeze(&x[0], 0)?, &[2, 2, 3, 4]));
    one("select", &|x| view::select(&x[0], 1, -1));
    one("slice", &|x| view::slice(&x[0], 2, Some(1), None, 2));
    one("diagonal", &|x| view::diagonal(&x[0], 1, 1, 2));
    one("squeeze", &|x| view::squeeze_dims(&view::unsqueeze(&x[0], 1)?, &[1]));
    one("split", &|x| Ok(shape::split(&x[0], 2, 1)?.remove(1)));
    one("split by sizes", &|x| Ok(shape::split_sizes(&x[0], &[1, 2], 1)?.remove(1)));
    one("chunk", &|x| Ok(shape::chunk(&x[0], 3, 2)?.remove(0)));
    one("tensor_split", &|x| Ok(shape::tensor_split(&x[0], 3, 2)?.remove(0)));
    one("unbind", &|x| Ok(shape::unbind(&x[0], 1)?.remove(2)));
    one("repeat", &|x| shape::repeat(&x[0], &[2, 1, 2, 3]));
    one("tile", &|x| shape::tile(&x[0], &[2]));
    one("repeat_interleave", &|x| shape::repeat_interleave(&x[0], 2, Some(1)));
    one("repeat_interleave by counts", &|x| {
        shape::repeat_interleave_by(&x[0], &longs(&[2, 0, 1], &[3]), Some(1), None)
    });
    one("roll", &|x| shape::roll(&x[0], &[1, -2], &[1, 2]));
    one("roll of all", &|x| shape::roll(&x[0], &[5], &[]));
    one("movedim", &|x| shape::movedim(&x[0], &[0], &[-1]));
    one("flatten", &|x| shape::flatten(&x[0], 1, -1));
    one("unflatten", &|x| shape::unflatten(&x[0], 2, &[2, -1]));
    one("flip", &|x| shape::flip(&x[0], &[0, 2]));
    one("tril", &|x| shape::triangle(&x[0], false, 0));
    one("triu", &|x| shape::triangle(&x[0], true, 1));
    one("cat", &|x| shape::cat(&[x[0].clone(), ops::unary(UnaryOp::Sin, &x[0])?], -1));
    one("stack", &|x| shape::stack(&[x[0].clone(), ops::unary(UnaryOp::Sin, &x[0])?], 1));
    check("diag", &[tensor(&[3], 52, -1.0, 1.0)], &|x| shape::diag(&x[0], 1));
    check("pad", std::slice::from_ref(&a), &|x| pad::pad(&x[0], &[1, -1, 0, 2], "constant", 0.5.into()));
    check("reflect", std::slice::from_ref(&a), &|x| pad::pad(&x[0], &[1, 2], "reflect", 0.0.into()));
    check("replicate", std::slice::from_ref(&a), &|x| pad::pad(&x[0], &[1, 2], "replicate", 0.0.into()));
}

#[test]
fn indices() {
    let a = tensor(&[3, 4], 61, -1.0, 1.0);
    let i = longs(&[2, 0, 2], &[3]);
    let j = longs(&[-1, 1, 3], &[3]);
    let get = |items: Vec<Index>| move |x: &[Tensor]| indexing::get(&x[0], &items);
    let all = Index::Slice(None, None, None);
    check("rows", std::slice::from_ref(&a), &get(vec![Index::Tensor(i.clone())]));
    check("columns", std::slice::from_ref(&a), &get(vec![all.clone(), Index::Tensor(j.clone())]));
    check("pairs", std::slice::from_ref(&a), &get(vec![Index::Tensor(i.clone()), Index::Tensor(j.clone())]));
    let c = tensor(&[3, 2, 4], 62, -1.0, 1.0);
    check(
        "apart",
        std::slice::from_ref(&c),
        &get(vec![Index::Tensor(i.clone()), all.clone(), Index::Tensor(j.clone())]),
    );
    check("mixed", std::slice::from_ref(&c), &get(vec![Index::Ellipsis, Index::None, Index::Tensor(j.clone())]));
    let mask = ops::binary(BinaryOp::Gt, &(&a).into(), &0.0.into()).unwrap();
    check("mask", std::slice::from_ref(&a), &get(vec![Index::Tensor(mask.clone())]));
    check("masked_select", std::slice::from_ref(&a), &|x| index::masked_select(&x[0], &mask));
    check("index_select", std::slice::from_ref(&a), &|x| index::index_select(&x[0], 1, &i));
    let g = longs(&[0, 2, 1, 1], &[2, 2]);
    check("gather", std::slice::from_ref(&a), &|x| index::gather(&x[0], 1, &g));
    check("take", std::slice::from_ref(&a), &|x| index::take(&x[0], &longs(&[5, -1, 5], &[3])));
    let src = tensor(&[2, 2], 63, -1.0, 1.0);
    check("scatter", &[a.clone(), src.clone()], &|x| {
        index::scatter(&x[0], 1, &longs(&[0, 2, 1, 3], &[2, 2]), &(&x[1]).into())
    });
    check("scatter_add", &[a.clone(), src.clone()], &|x| index::scatter_add(&x[0], 1, &g, &x[1]));
    for (reduce, own) in
        [("amax", true), ("amin", false), ("mean", true), ("mean", false), ("prod", true), ("prod", false)]
    {
        check(&format!("scatter_reduce {reduce} {own}"), &[a.clone(), src.clone()], &|x| {
            index::scatter_reduce(&x[0], 1, &g, &x[1], reduce, own)
        });
    }
    check("unfold", std::slice::from_ref(&a), &|x| view::unfold(&x[0], 1, 2, 1));
    check("as_strided", std::slice::from_ref(&a), &|x| view::as_strided(&x[0], &[2, 3], &[1, 1], Some(2)));
    let around_zero = tensor(&[3, 4], 66, -1.0, 1.0);
    ops::create::fill_data(&view::select(&around_zero, 1, 1).unwrap(), 0.0.into()).unwrap();
    check("cumprod", std::slice::from_ref(&around_zero), &|x| ops::reduce::scan(ScanOp::Prod, &x[0], 1));
    let beyond = tensor(&[3, 4], 67, 0.6, 2.5);
    check("trigamma", std::slice::from_ref(&beyond), &|x| ops::special::trigamma(&x[0]));
    let rows = tensor(&[3, 4], 64, -1.0, 1.0);
    check("index_add", &[a.clone(), rows.clone()], &|x| index::index_add(&x[0], 0, &i, &x[1], 2.0));
    check("index_copy", &[a.clone(), rows.clone()], &|x| index::index_copy(&x[0], 0, &longs(&[2, 0, 1], &[3]), &x[1]));
    check("index_fill", std::slice::from_ref(&a), &|x| index::index_fill(&x[0], 1, &longs(&[2, 0], &[2]), &3.0.into()));
    let value = tensor(&[3], 65, -1.0, 1.0);
    check("index_put", &[a.clone(), value.clone()], &|x| {
        indexing::index_put(&x[0], &[Some(longs(&[2, 0, 1], &[3])), Some(j.clone())], &x[1], false)
    });
    check("index_put accumulating", &[a.clone(), value.clone()], &|x| {
        indexing::index_put(&x[0], &[Some(i.clone()), Some(longs(&[1, 1, 1], &[3]))], &x[1], true)
    });
    first("assignment", &[a.clone(), value], &|x| {
        let y = ops::mul(&x[0], &x[0])?;
        indexing::set(&y, &[all.clone(), Index::Int(1)], &Arg::from(&x[1]))?;
        Ok(y)
    });
    first("assignment at indices", &[a.clone(), tensor(&[2, 4], 66, 0.0, 1.0)], &|x| {
        let y = ops::mul(&x[0], &x[0])?;
        indexing::set(&y, &[Index::Tensor(longs(&[2, 0], &[2]))], &Arg::from(&x[1]))?;
        Ok(y)
    });
}

#[test]
fn networks() {
    let a = tensor(&[2, 3], 71, -1.0, 1.0);
    check("softmax", std::slice::from_ref(&a), &|x| activation::softmax(&x[0], 1, false, None));
    check("log_softmax", std::slice::from_ref(&a), &|x| activation::softmax(&x[0], 0, true, None));
    check("glu", &[tensor(&[2, 4], 72, -1.0, 1.0)], &|x| activation::glu(&x[0], 1));
    check("prelu", &[a.clone(), tensor(&[3], 73, 0.1, 0.4)], &|x| activation::prelu(&x[0], &x[1]));
    let places = longs(&[1, 0, 1, 2], &[2, 2]);
    check("embedding", &[tensor(&[3, 2], 74, -1.0, 1.0)], &|x| embedding::embedding(&places, &x[0], None));
    let (w, b) = (tensor(&[3], 75, 0.5, 1.5), tensor(&[3], 76, -1.0, 1.0));
    let wide = tensor(&[4, 3], 77, -1.0, 1.0);
    check("layer_norm", &[wide.clone(), w.clone(), b.clone()], &|x| {
        norm::layer_norm(&x[0], &[3], Some(&x[1]), Some(&x[2]), 1e-5)
    });
    let image = tensor(&[2, 4, 3], 78, -1.0, 1.0);
    let (gw, gb) = (tensor(&[4], 79, 0.5, 1.5), tensor(&[4], 80, -1.0, 1.0));
    check("group_norm", &[image.clone(), gw.clone(), gb.clone()], &|x| {
        norm::group_norm(&x[0], 2, Some(&x[1]), Some(&x[2]), 1e-5)
    });
    check("batch_norm", &[image.clone(), gw.clone(), gb.clone()], &|x| {
        norm::batch_norm(&x[0], norm::Running::default(), Some(&x[1]), Some(&x[2]), true, 0.1, 1e-5)
    });
    let (mean, var) = (tensor(&[4], 81, -0.5, 0.5), tensor(&[4], 82, 0.5, 1.5));
    check("batch_norm in evaluation", &[image, gw, gb], &|x| {
        let running = norm::Running { mean: Some(&mean), var: Some(&var) };
        norm::batch_norm(&x[0], running, Some(&x[1]), Some(&x[2]), false, 0.1, 1e-5)
    });
}

#[test]
fn losses() {
    let (x, t) = (tensor(&[3, 4], 91, -1.0, 1.0), tensor(&[3, 4], 92, -1.0, 1.0));
    let pair = [x.clone(), t.clone()];
    for how in [Reduction::None, Reduction::Mean, Reduction::Sum] {
        check("mse", &pair, &|x| loss::mse(&x[0], &x[1], how));
        check("l1", &pair, &|x| loss::l1(&x[0], &x[1], how));
        check("smooth_l1", &pair, &|x| loss::smooth_l1(&x[0], &x[1], how, 0.7));
        check("huber", &pair, &|x| loss::huber(&x[0], &x[1], how, 0.7));
        check("bce_with_logits", &pair, &|x| loss::bce_with_logits(&x[0], &x[1], None, None, how));
        let pos = tensor(&[4], 93, 0.5, 2.0);
        check("bce_with_logits weighted", &pair, &|x| loss::bce_with_logits(&x[0], &x[1], Some(&pos), Some(&pos), how));
        let (p, q) = (tensor(&[3, 4], 94, 0.2, 0.8), tensor(&[3, 4], 95, 0.2, 0.8));
        check("bce", &[p.clone(), q.clone()], &|x| loss::bce(&x[0], &x[1], None, how));
        check("kl_div", &[p, q], &|x| loss::kl_div(&x[0], &x[1], how, false));
        let classes = longs(&[1, 3, 1], &[3]);
        let weight = tensor(&[4], 96, 0.5, 2.0);
        for smoothing in [0.0, 0.1] {
            first("cross_entropy", std::slice::from_ref(&x), &|x| {
                loss::cross_entropy(&x[0], &classes, None, how, -100, smoothing)
            });
            first("cross_entropy weighted", std::slice::from_ref(&x), &|x| {
                loss::cross_entropy(&x[0], &classes, Some(&weight), how, 3, smoothing)
            });
            check("cross_entropy of probabilities", &[x.clone(), tensor(&[3, 4], 97, 0.1, 0.9)], &|x| {
                loss::cross_entropy(&x[0], &x[1], Some(&weight), how, -100, smoothing)
            });
        }
        let spatial = longs(&[1, 3, 1, 0, 2, 2], &[2, 3]);
        first("nll of images", &[tensor(&[2, 4, 3], 98, -1.0, 1.0)], &|x| loss::nll(&x[0], &spatial, None, -100, how));
    }
}

#[test]
fn convolutions() {
    let (x, w, b) =
        (tensor(&[2, 4, 4, 5], 101, -1.0, 1.0), tensor(&[2, 2, 2, 3], 102, -1.0, 1.0), tensor(&[2], 103, -1.0, 1.0));
    let o = conv::ConvOptions {
        stride: vec![2, 1],
        padding: vec![1, 0],
        dilation: vec![1, 2],
        groups: 2,
        output_padding: vec![0, 0],
    };
    check("conv2d", &[x, w, b], &|x| conv::conv(&x[0], &x[1], Some(&x[2]), &o));
    let (x, w) = (tensor(&[1, 2, 5], 104, -1.0, 1.0), tensor(&[3, 2, 2], 105, -1.0, 1.0));
    let o = conv::ConvOptions { padding: vec![1], ..conv::ConvOptions::new(1) };
    check("conv1d", &[x, w, tensor(&[3], 106, -1.0, 1.0)], &|x| conv::conv(&x[0], &x[1], Some(&x[2]), &o));
    let (x, w) = (tensor(&[1, 2, 3, 3], 107, -1.0, 1.0), tensor(&[2, 3, 2, 2], 108, -1.0, 1.0));
    let o = conv::ConvOptions { stride: vec![2, 2], output_padding: vec![1, 0], ..conv::ConvOptions::new(2) };
    check("conv_transpose2d", &[x, w, tensor(&[3], 109, -1.0, 1.0)], &|x| {
        conv::conv_transpose(&x[0], &x[1], Some(&x[2]), &o)
    });
    let image = tensor(&[2, 4, 5], 110, -1.0, 1.0);
    let mut o = pool::PoolOptions::new(&[2, 2]);
    o.padding = vec![1, 0];
    check("max_pool2d", std::slice::from_ref(&image), &|x| Ok(pool::max_pool(&x[0], &o)?.0));
    check("avg_pool2d", std::slice::from_ref(&image), &|x| pool::avg_pool(&x[0], &o));
    check("max_pool1d", std::slice::from_ref(&image), &|x| Ok(pool::max_pool(&x[0], &pool::PoolOptions::new(&[2]))?.0));
    check("avg_pool1d", std::slice::from_ref(&image), &|x| pool::avg_pool(&x[0], &pool::PoolOptions::new(&[3])));
    check("adaptive_avg_pool2d", &[image], &|x| pool::adaptive_avg_pool2d(&x[0], &[3, 2]));
}

#[test]
fn resampling_and_blocks() {
    use upsample::Interpolation;
    let image = tensor(&[1, 2, 3, 4], 120, -1.0, 1.0);
    let kinds = [
        Interpolation::Nearest,
        Interpolation::NearestExact,
        Interpolation::Linear { align_corners: false },
        Interpolation::Linear { align_corners: true },
    ];
    for kind in kinds {
        for size in [[5, 7], [2, 3]] {
            check("upsample 2d", std::slice::from_ref(&image), &|x| upsample::upsample(&x[0], &size, kind, None));
        }
        let line = tensor(&[2, 1, 4], 121, -1.0, 1.0);
        check("upsample 1d", &[line], &|x| upsample::upsample(&x[0], &[7], kind, Some(&[1.9])));
    }
    check("pixel_shuffle", &[tensor(&[2, 4, 2, 3], 122, -1.0, 1.0)], &|x| upsample::pixel_shuffle(&x[0], 2));
    check("pixel_unshuffle", &[tensor(&[1, 4, 6], 123, -1.0, 1.0)], &|x| upsample::pixel_unshuffle(&x[0], 2));
    let o = fold::Blocks { kernel: [2, 3], dilation: [2, 1], padding: [1, 0], stride: [1, 2] };
    let image = tensor(&[2, 2, 4, 5], 124, -1.0, 1.0);
    check("im2col", std::slice::from_ref(&image), &|x| fold::im2col(&x[0], o));
    let columns = fold::im2col(&image, o).unwrap().shape();
    check("col2im", &[tensor(&columns, 125, -1.0, 1.0)], &|x| fold::col2im(&x[0], [4, 5], o));
    check("hardshrink", &[tensor(&[6], 126, -1.0, 1.0)], &|x| activation::hardshrink(&x[0], 0.4));
    check("softshrink", &[tensor(&[6], 127, -1.0, 1.0)], &|x| activation::softshrink(&x[0], 0.4));
}

#[test]
fn recurrent_layers() {
    for (cell, gates) in [(rnn::Cell::Tanh, 1), (rnn::Cell::Relu, 1), (rnn::Cell::Lstm, 4), (rnn::Cell::Gru, 3)] {
        let states = if cell == rnn::Cell::Lstm { 2 } else { 1 };
        // One bidirectional layer: three steps of two sequences, of which the second may end after the first step.
        let mut inputs = vec![tensor(&[3, 2, 2], 130, -1.0, 1.0), tensor(&[4, 2], 131, -1.0, 1.0)];
        for s in 0..states {
            inputs.push(tensor(&[2, 2, 3], 132 + s, -1.0, 1.0));
        }
        for d in 0..2 {
            inputs.push(tensor(&[gates * 3, 2], 140 + d, -1.0, 1.0));
            inputs.push(tensor(&[gates * 3, 3], 150 + d, -1.0, 1.0));
            inputs.push(tensor(&[gates * 3], 160 + d, -1.0, 1.0));
            inputs.push(tensor(&[gates * 3], 170 + d, -1.0, 1.0));
        }
        let states = states as usize;
        let run = |x: &[Tensor], sizes: Option<&[usize]>| -> Result<Tensor> {
            let weights: Vec<rnn::Weights> = x[2 + states..]
                .chunks(4)
                .map(|w| rnn::Weights {
                    ih: w[0].clone(),
                    hh: w[1].clone(),
                    b_ih: Some(w[2].clone()),
                    b_hh: Some(w[3].clone()),
                    hr: None,
                })
                .collect();
            let stack = rnn::Stack { cell, layers: 1, bidirectional: true, dropout: 0.0, training: false };
            let input = if sizes.is_some() { &x[1] } else { &x[0] };
            let (out, ends) = rnn::run(stack, input, sizes, &x[2..2 + states], &weights)?;
            let mut flat = vec![view::reshape(&out, &[-1])?];
            for end in &ends {
                flat.push(view::reshape(end, &[-1])?);
            }
            shape::cat(&flat, 0)
        };
        first("rnn", &inputs, &|x| run(x, None));
        first("rnn packed", &inputs, &|x| run(x, Some(&[2, 1, 1])));
    }
}

#[test]
fn matrices() {
    let a = tensor(&[2, 3, 3], 180, -1.0, 1.0);
    let positive = |x: &Tensor| -> Result<Tensor> {
        let square = matmul::matmul(x, &view::transpose(x, -2, -1)?)?;
        let one = ops::create::eye(3, 3, DType::F64, Device::CPU)?;
        ops::add(&square, &one)
    };
    check("det", std::slice::from_ref(&a), &|x| linalg::det(&x[0]));
    check("slogdet", std::slice::from_ref(&a), &|x| Ok(linalg::slogdet(&x[0])?.1));
    check("inv", std::slice::from_ref(&a), &|x| linalg::inv(&x[0]));
    check("solve", &[a.clone(), tensor(&[3, 2], 181, -1.0, 1.0)], &|x| linalg::solve(&x[0], &x[1]));
    check("solve vectors", &[a.clone(), tensor(&[2, 3], 182, -1.0, 1.0)], &|x| linalg::solve(&x[0], &x[1]));
    check("cholesky", std::slice::from_ref(&a), &|x| linalg::cholesky(&positive(&x[0])?, false));
    check("cholesky upper", std::slice::from_ref(&a), &|x| linalg::cholesky(&positive(&x[0])?, true));
    for shape in [[4, 3], [3, 3], [2, 4]] {
        let a = tensor(&shape, 183, -1.0, 1.0);
        first("qr q", std::slice::from_ref(&a), &|x| Ok(linalg::qr(&x[0], "reduced")?.0));
        first("qr r", std::slice::from_ref(&a), &|x| Ok(linalg::qr(&x[0], "reduced")?.1));
        let square = |t: &Tensor| ops::mul(t, t);
        first("svd s", std::slice::from_ref(&a), &|x| Ok(linalg::svd(&x[0], false)?.1));
        // Squares, because the signs of singular vectors are arbitrary.
        first("svd u", std::slice::from_ref(&a), &|x| square(&linalg::svd(&x[0], false)?.0));
        first("svd vh", std::slice::from_ref(&a), &|x| square(&linalg::svd(&x[0], false)?.2));
    }
    first("eigh values", std::slice::from_ref(&a), &|x| Ok(linalg::eigh(&positive(&x[0])?, "L")?.0));
    first("eigh vectors", std::slice::from_ref(&a), &|x| {
        let v = linalg::eigh(&positive(&x[0])?, "U")?.1;
        ops::mul(&v, &v)
    });
    check("trace", &[tensor(&[2, 3], 184, -1.0, 1.0)], &|x| linalg::trace(&x[0]));
    check("cross", &[tensor(&[2, 3], 185, -1.0, 1.0), tensor(&[2, 3], 186, -1.0, 1.0)], &|x| {
        linalg::cross(&x[0], &x[1], 1)
    });
    let (bias, y) = (tensor(&[3], 187, -1.0, 1.0), tensor(&[2, 3, 3], 188, -1.0, 1.0));
    check("baddbmm", &[bias, a, y], &|x| matmul::baddbmm(&x[0], &x[1], &x[2], 0.5.into(), 2.0.into()));
}

#[test]
fn nothing_flows_through_comparisons() {
    let x = leaves(&[tensor(&[3], 111, -1.0, 1.0)]);
    let y = ops::binary(BinaryOp::Gt, &(&x[0]).into(), &0.0.into()).unwrap();
    assert!(!y.requires_grad());
    assert!(!reduce::logical(&y, ReduceOp::Any, &[], false).unwrap().requires_grad());
}
