//! Convolutions, pooling, normalization, losses and optimizers.

use super::*;

#[test]
fn cpu_convolution() {
    for case in oracle()["conv"].as_array().unwrap() {
        let t = |name: &str| Tensor::read(&case[name]);
        let (x, w, b, g) = (t("x"), t("w"), t("b"), t("g"));
        let params = Conv2d {
            stride: pair(&case["stride"]),
            padding: pair(&case["padding"]),
            dilation: pair(&case["dilation"]),
            groups: case["groups"].as_u64().unwrap() as usize,
        };
        for dtype in [DType::F32, DType::F64] {
            let (x, w, b, g) = (x.to(dtype).scattered(), w.to(dtype), b.to(dtype), g.to(dtype));
            let out = Tensor::zeros(&shape(&case["y"]["shape"]), dtype);
            let bias = Some(b.view());
            launch(Kernel::Conv2d { x: x.view(), w: w.view(), bias, params, out: out.view() }).unwrap();
            check("conv2d", &out.values(), &t("y").values(), 1e-5, 2e-6);
            let dx = Tensor::zeros(&x.layout.shape, dtype);
            launch(Kernel::Conv2dGradInput { grad: g.view(), w: w.view(), params, out: dx.view() }).unwrap();
            check("gradient of the input", &dx.values(), &t("dx").values(), 1e-5, 2e-6);
            let dw = Tensor::zeros(&w.layout.shape, dtype);
            launch(Kernel::Conv2dGradWeight { grad: g.view(), x: x.view(), params, out: dw.view() }).unwrap();
            check("gradient of the weight", &dw.values(), &t("dw").values(), 1e-5, 1e-5);
        }
    }
}

/// Convolutions large enough to be cut into strips, compared with sums that follow the definition.
#[test]
fn cpu_convolution_in_strips() {
    let (c, o, [h, w]) = (48, 3, [23, 61]);
    for (n, stride) in [(1, 1), (2, 2)] {
        let params = Conv2d { stride: [stride; 2], padding: [1, 1], dilation: [1, 1], groups: 1 };
        let [oh, ow] = [(h - 1) / stride + 1, (w - 1) / stride + 1];
        let values =
            |count: usize, step: usize| -> Vec<f64> { (0..count).map(|i| ((i * step) % 11) as f64 - 5.0).collect() };
        let (x, wt, g) = (values(n * c * h * w, 7), values(o * c * 9, 3), values(n * o * oh * ow, 5));
        let (mut y, mut dx, mut dw) = (vec![0.0; g.len()], vec![0.0; x.len()], vec![0.0; wt.len()]);
        for i in 0..g.len() {
            let (b, f, r, q) = (i / (o * oh * ow), i / (oh * ow) % o, i / ow % oh, i % ow);
            for k in 0..c * 9 {
                let (ch, kr, kq) = (k / 9, k / 3 % 3, k % 3);
                let (row, column) = ((r * stride + kr).wrapping_sub(1), (q * stride + kq).wrapping_sub(1));
                if row < h && column < w {
                    let at = ((b * c + ch) * h + row) * w + column;
                    y[i] += x[at] * wt[f * c * 9 + k];
                    dx[at] += g[i] * wt[f * c * 9 + k];
                    dw[f * c * 9 + k] += g[i] * x[at];
                }
            }
        }
        let (tx, tw) = (Tensor::f32(&[n, c, h, w], &x), Tensor::f32(&[o, c, 3, 3], &wt));
        let tg = Tensor::f32(&[n, o, oh, ow], &g);
        let out = Tensor::zeros(&[n, o, oh, ow], DType::F32);
        launch(Kernel::Conv2d { x: tx.view(), w: tw.view(), bias: None, params, out: out.view() }).unwrap();
        check("y", &out.values(), &y, 0.0, 0.0);
        let out = Tensor::zeros(&[n, c, h, w], DType::F32);
        launch(Kernel::Conv2dGradInput { grad: tg.view(), w: tw.view(), params, out: out.view() }).unwrap();
        check("dx", &out.values(), &dx, 0.0, 0.0);
        let out = Tensor::zeros(&[o, c, 3, 3], DType::F32);
        launch(Kernel::Conv2dGradWeight { grad: tg.view(), x: tx.view(), params, out: out.view() }).unwrap();
        check("dw", &out.values(), &dw, 0.0, 0.0);
    }
}

#[test]
fn cpu_transposed_copies() {
    for shape in [[3, 40, 33], [1, 16, 16], [2, 15, 70], [5, 100, 17]] {
        let n: usize = shape.iter().product();
        for dtype in [DType::F32, DType::U8, DType::F64, DType::BF16] {
            let values: Vec<f64> = (0..n).map(|i| (i % 251) as f64).collect();
            let x = Tensor::new(&shape, dtype, &values);
            let mut turned = Tensor { buffer: x.buffer.clone(), layout: x.layout.clone() };
            turned.layout.shape.swap(1, 2);
            turned.layout.strides.swap(1, 2);
            let [_, rows, columns] = shape;
            let at = |i: usize| i / (rows * columns) * rows * columns + i % rows * columns + i / rows % columns;
            let want: Vec<f64> = (0..n).map(|i| values[at(i)]).collect();
            assert_eq!(turned.values(), want);
        }
    }
}

#[test]
fn cpu_pooling() {
    for case in oracle()["pool"].as_array().unwrap() {
        let t = |name: &str| Tensor::read(&case[name]);
        let (x, y, g, dx) = (t("x"), t("y"), t("g"), t("dx"));
        let out = Tensor::zeros(&y.layout.shape, DType::F32);
        let back = Tensor::zeros(&x.layout.shape, DType::F32);
        let kind = case["kind"].as_str().unwrap();
        if kind == "adaptive" {
            launch(Kernel::AdaptiveAvgPool2d { x: x.view(), out: out.view() }).unwrap();
            launch(Kernel::AdaptiveAvgPool2dBackward { grad: g.view(), out: back.view() }).unwrap();
        } else {
            let params = Pool2d {
                kernel: pair(&case["kernel"]),
                stride: pair(&case["stride"]),
                padding: pair(&case["padding"]),
                dilation: pair(&case["dilation"]),
                count_include_pad: case["count_include_pad"].as_bool().unwrap_or(case["count_include_pad"] == 1),
                divisor: case["divisor"].as_i64(),
            };
            if kind == "max" {
                let indices = Tensor::zeros(&y.layout.shape, DType::I64);
                launch(Kernel::MaxPool2d { x: x.view(), params, out: out.view(), indices: indices.view() }).unwrap();
                check("indices", &indices.values(), &t("i").values(), 0.0, 0.0);
                let indices = indices.view();
                launch(Kernel::MaxPool2dBackward { grad: g.view(), indices, out: back.view() }).unwrap();
            } else {
                launch(Kernel::AvgPool2d { x: x.view(), params, out: out.view() }).unwrap();
                launch(Kernel::AvgPool2dBackward { grad: g.view(), params, out: back.view() }).unwrap();
            }
        }
        check(kind, &out.values(), &y.values(), 1e-6, 1e-6);
        check(kind, &back.values(), &dx.values(), 1e-6, 1e-6);
    }
}

#[test]
fn cpu_layer_norm() {
    let oracle = oracle();
    let case = &oracle["layer_norm"];
    let t = |name: &str| Tensor::read(&case[name]);
    let (x, w, b, g) = (t("x"), t("w"), t("b"), t("g"));
    let out = Tensor::zeros(&[5, 19], DType::F32);
    let (mean, rstd) = (Tensor::zeros(&[5], DType::F32), Tensor::zeros(&[5], DType::F32));
    let (weight, bias) = (Some(w.view()), Some(b.view()));
    let (m, r) = (mean.view(), rstd.view());
    launch(Kernel::LayerNorm { x: x.view(), weight, bias, eps: 1e-5, out: out.view(), mean: m, rstd: r }).unwrap();
    check("y", &out.values(), &t("y").values(), 2e-6, 2e-6);
    check("mean", &mean.values(), &t("mean").values(), 1e-6, 1e-7);
    check("rstd", &rstd.values(), &t("rstd").values(), 1e-6, 0.0);
    let [dx, dw, db] = [[5, 19].as_slice(), &[19], &[19]].map(|s| Tensor::zeros(s, DType::F32));
    launch(Kernel::LayerNormBackward {
        grad: g.view(),
        x: x.view(),
        mean: mean.view(),
        rstd: rstd.view(),
        weight: Some(w.view()),
        dx: Some(dx.view()),
        dweight: Some(dw.view()),
        dbias: Some(db.view()),
    })
    .unwrap();
    check("dx", &dx.values(), &t("dx").values(), 5e-6, 2e-6);
    check("dw", &dw.values(), &t("dw").values(), 2e-6, 2e-6);
    check("db", &db.values(), &t("db").values(), 2e-6, 2e-6);
}

#[test]
fn cpu_batch_norm() {
    for case in oracle()["batch_norm"].as_array().unwrap() {
        let t = |name: &str| Tensor::read(&case[name]);
        let (x, w, b, g) = (t("x"), t("w"), t("b"), t("g"));
        let sizes = x.layout.shape.to_vec();
        let c = [sizes[1]];
        let (mean, var) = (Tensor::zeros(&c, DType::F32), Tensor::zeros(&c, DType::F32));
        launch(Kernel::BatchStats { x: x.view(), mean: mean.view(), var: var.view() }).unwrap();
        check("mean", &mean.values(), &t("mean").values(), 1e-6, 1e-7);
        check("var", &var.values(), &t("var").values(), 1e-6, 0.0);
        for (training, mean, var, suffix) in [(true, &mean, &var, ""), (false, &t("rm"), &t("rv"), "_eval")] {
            let out = Tensor::zeros(&sizes, DType::F32);
            let (weight, bias) = (Some(w.view()), Some(b.view()));
            let (m, v) = (mean.view(), var.view());
            launch(Kernel::BatchNorm { x: x.view(), mean: m, var: v, weight, bias, eps: 1e-5, out: out.view() })
                .unwrap();
            check("y", &out.values(), &t(&format!("y{suffix}")).values(), 5e-6, 2e-6);
            let [dx, dw, db] = [sizes.as_slice(), &c, &c].map(|s| Tensor::zeros(s, DType::F32));
            launch(Kernel::BatchNormBackward {
                grad: g.view(),
                x: x.view(),
                mean: mean.view(),
                var: var.view(),
                weight: Some(w.view()),
                eps: 1e-5,
                training,
                dx: Some(dx.view()),
                dweight: Some(dw.view()),
                dbias: Some(db.view()),
            })
            .unwrap();
            check("dx", &dx.values(), &t(&format!("dx{suffix}")).values(), 5e-6, 2e-6);
            check("dw", &dw.values(), &t(&format!("dw{suffix}")).values(), 5e-6, 5e-6);
            check("db", &db.values(), &t(&format!("db{suffix}")).values(), 5e-6, 5e-6);
        }
    }
}

#[test]
fn cpu_nll_loss() {
    for case in oracle()["nll"].as_array().unwrap() {
        let t = |name: &str| Tensor::read(&case[name]);
        let (logp, target, y, g) = (t("logp"), t("target"), t("y"), t("g"));
        let w = (!case["w"].is_null()).then(|| t("w"));
        let weight = w.as_ref().map(Tensor::view);
        let reduction = match case["reduction"].as_str().unwrap() {
            "none" => Reduction::None,
            "mean" => Reduction::Mean,
            _ => Reduction::Sum,
        };
        let out = Tensor::zeros(&y.layout.shape, DType::F32);
        let total = Tensor::zeros(&[], DType::F32);
        launch(Kernel::NllLoss {
            logp: logp.view(),
            target: target.view(),
            weight: weight.clone(),
            ignore_index: -100,
            reduction,
            out: out.view(),
            total_weight: total.view(),
        })
        .unwrap();
        check("nll", &out.values(), &y.values(), 1e-6, 1e-7);
        let dx = Tensor::zeros(&logp.layout.shape, DType::F32);
        launch(Kernel::NllLossBackward {
            grad: g.view(),
            target: target.view(),
            weight,
            ignore_index: -100,
            reduction,
            total_weight: total.view(),
            out: dx.view(),
        })
        .unwrap();
        check("gradient", &dx.values(), &t("dx").values(), 1e-6, 1e-7);
        let bad = Tensor::new(&[6], DType::I64, &[0.0, 1.0, 2.0, 3.0, 4.0, 0.0]);
        let done = launch(Kernel::NllLoss {
            logp: logp.view(),
            target: bad.view(),
            weight: None,
            ignore_index: -100,
            reduction,
            out: out.view(),
            total_weight: total.view(),
        });
        assert_eq!(done, Err(Fault::TargetOutOfBounds { target: 4, classes: 4 }));
    }
}

fn rule(case: &Value, step: u64) -> (OptimizerRule, usize) {
    let options = &case["options"];
    let f = |name: &str, default: f64| options[name].as_f64().unwrap_or(default);
    let flag = |name: &str| options[name] == true;
    let lr = f("lr", 0.0);
    let (weight_decay, momentum) = (f("weight_decay", 0.0), f("momentum", 0.0));
    let maximize = flag("maximize");
    let name = case["rule"].as_str().unwrap();
    match name {
        "sgd" => {
            let (dampening, nesterov) = (f("dampening", 0.0), flag("nesterov"));
            let first = step == 1;
            let states = (momentum != 0.0) as usize;
            (OptimizerRule::Sgd { lr, momentum, dampening, weight_decay, nesterov, maximize, first }, states)
        }
        "adam" | "adamw" => {
            let beta = |i: usize, default: f64| options["betas"][i].as_f64().unwrap_or(default);
            let (beta1, beta2) = (beta(0, 0.9), beta(1, 0.999));
            let (amsgrad, decoupled) = (flag("amsgrad"), name == "adamw");
            let step = Some(step);
            let rule =
                OptimizerRule::Adam { lr, beta1, beta2, eps: 1e-8, weight_decay, amsgrad, maximize, decoupled, step };
            (rule, 2 + amsgrad as usize)
        }
        "rmsprop" => {
            let centered = flag("centered");
            let states = 1 + (momentum != 0.0) as usize + centered as usize;
            let (alpha, eps) = (0.99, 1e-8);
            (OptimizerRule::RmsProp { lr, alpha, eps, weight_decay, momentum, centered, maximize }, states)
        }
        _ => (OptimizerRule::Adagrad { lr, eps: 1e-10, weight_decay, maximize }, 1),
    }
}

#[test]
fn cpu_optimizers() {
    for case in oracle()["optim"].as_array().unwrap() {
        let param = Tensor::read(&case["p"]);
        let n = param.layout.numel();
        let states: Vec<Tensor> = (0..rule(case, 1).1).map(|_| Tensor::f32(&[n], &vec![0.0; n])).collect();
        for (i, g) in case["g"].as_array().unwrap().iter().enumerate() {
            let g = Tensor::f32(&[n], &numbers(g));
            let state = states.iter().map(Tensor::view).collect();
            let params = vec![OptimizerParam { param: param.view(), grad: g.view(), state, count: None }];
            launch(Kernel::Optimizer { rule: rule(case, i as u64 + 1).0, rate: None, params }).unwrap();
            check(&format!("{} step {i}", case["options"]), &param.values(), &numbers(&case["after"][i]), 1e-6, 1e-7);
        }
    }
}

/// Windows far larger than the input: the kernel visits only the elements that exist, and nothing overflows.
#[test]
fn cpu_pooling_with_windows_larger_than_the_input() {
    let x = Tensor::f32(&[1, 1, 1, 4], &[1.0, 5.0, 2.0, 3.0]);
    let run = |kernel: usize, padding: usize, dilation: usize, width: usize| {
        let out = Tensor::zeros(&[1, 1, 1, width], DType::F32);
        let indices = Tensor::zeros(&[1, 1, 1, width], DType::I64);
        let params = Pool2d {
            kernel: [1, kernel],
            stride: [1, 1],
            padding: [0, padding],
            dilation: [1, dilation],
            count_include_pad: true,
            divisor: None,
        };
        launch(Kernel::MaxPool2d { x: x.view(), params, out: out.view(), indices: indices.view() }).unwrap();
        let max = (out.values(), indices.values());
        launch(Kernel::AvgPool2d { x: x.view(), params, out: out.view() }).unwrap();
        (max.0, max.1, out.values())
    };
    // What PyTorch returns for max_pool1d(x, 2**20, 1, 2**19) and for avg_pool1d with the same arguments.
    let (values, indices, means) = run(1 << 20, 1 << 19, 1, 5);
    assert_eq!((values, indices), (vec![5.0; 5], vec![1.0; 5]));
    assert!(means.iter().all(|&m| m == 11.0 / f64::from(1 << 20)), "{means:?}");
    let large = isize::MAX as usize;
    assert_eq!(run(large / 2, large / 4, 1, 4).0, [5.0; 4]);
    // Windows of two elements that are 3 apart: at each place, only one of them is inside.
    assert_eq!(run(2, 2, 3, 5).0, [5.0, 2.0, 3.0, 5.0, 2.0]);
}
