//! The graph: in-place changes, views, hooks, what is freed, and chains that are deeper than any stack.

use std::cell::Cell;
use std::rc::Rc;

use tensoryard::autograd::{self, GradMode, Pass};
use tensoryard::device::Device;
use tensoryard::dtype::{DType, Scalar};
use tensoryard::executor::{BinaryOp, UnaryOp};
use tensoryard::ops::indexing::{self, Index};
use tensoryard::ops::{self, Arg, arith, reduce, view};
use tensoryard::tensor::Tensor;
use tensoryard::trace::Why;

fn tensor(values: &[f64]) -> Tensor {
    let values: Vec<Scalar> = values.iter().map(|&v| Scalar::Float(v)).collect();
    ops::create::from_scalars(&values, &[values.len()], DType::F32, Device::CPU).unwrap()
}

fn leaf(values: &[f64]) -> Tensor {
    let t = tensor(values);
    t.set_requires_grad(true).unwrap();
    t
}

fn values(t: &Tensor) -> Vec<f64> {
    let bytes = ops::transfer::to_host(&t.detach(), Why::Numpy).unwrap();
    (0..t.numel()).map(|i| ops::transfer::scalar_at(&bytes, t.dtype(), i).as_f64()).collect()
}

fn total(t: &Tensor) -> Tensor {
    reduce::sum(t, &[], false, None).unwrap()
}

fn backward(t: &Tensor) -> tensoryard::error::Result<()> {
    ops::backward(Pass { roots: std::slice::from_ref(t), ..Pass::default() })
}

fn grad_of(t: &Tensor) -> Vec<f64> {
    values(&t.grad().expect("a gradient"))
}

fn scaled(t: &Tensor, by: f64) -> Tensor {
    ops::binary(BinaryOp::Mul, &t.into(), &by.into()).unwrap()
}

#[test]
fn gradients_accumulate_in_leaves() {
    let x = leaf(&[1.0, 2.0]);
    for times in 1..=3 {
        backward(&total(&ops::mul(&x, &x).unwrap())).unwrap();
        assert_eq!(grad_of(&x), [2.0 * times as f64, 4.0 * times as f64]);
    }
}

/// A linear layer's gradients have their parameters' layouts, as in PyTorch, without a copy.
#[test]
fn a_linear_layers_gradients_are_kept_as_they_come() {
    let x = Tensor::empty(&[5, 3], DType::F32, Device::CPU).unwrap();
    arith::fill_(&x, 0.5.into()).unwrap();
    for shape in [[4, 3], [1, 3]] {
        let weight = Tensor::empty(&shape, DType::F32, Device::CPU).unwrap();
        arith::fill_(&weight, 0.25.into()).unwrap();
        weight.set_requires_grad(true).unwrap();
        let bias = leaf(&vec![1.0; shape[0]]);
        let trace = &tensoryard::engine::current().trace;
        trace.restart();
        trace.set_on(true);
        backward(&total(&ops::matmul::linear(&x, &weight, Some(&bias)).unwrap())).unwrap();
        trace.set_on(false);
        let copies = trace.drain().iter().filter(|e| is_copy(&e.kind)).count();
        let (gw, gb) = (weight.grad().unwrap(), bias.grad().unwrap());
        assert_eq!((copies, gw.strides(), gw.shape()), (0, weight.strides(), weight.shape()));
        assert_eq!((values(&gw), values(&gb)), (vec![2.5; shape[0] * 3], vec![5.0; shape[0]]));
    }
}

fn is_copy(kind: &tensoryard::trace::EventKind) -> bool {
    matches!(kind, tensoryard::trace::EventKind::Kernel { name, .. } if name == "copy")
}

/// If one backward pass passes the same gradient to two leaves, each gets its own memory, even if one gets it as a
/// view.
#[test]
fn leaves_do_not_share_their_gradients() {
    let (a, b) = (leaf(&[1.0, 2.0, 3.0, 4.0]), leaf(&[5.0, 6.0, 7.0, 8.0]));
    let square = view::reshape(&b, &[2, 2]).unwrap();
    let sum = ops::add(&view::reshape(&a, &[2, 2]).unwrap(), &square).unwrap();
    let flat = view::reshape(&sum, &[4]).unwrap();
    backward(&total(&ops::add(&flat, &a).unwrap())).unwrap();
    for (t, expected) in [(&a, 2.0), (&b, 1.0)] {
        assert_eq!(grad_of(t), vec![expected; 4]);
    }
    arith::fill_(&a.grad().unwrap(), 9.0.into()).unwrap();
    assert_eq!(grad_of(&b), vec![1.0; 4]);
    let (c, d) = (leaf(&[1.0, 2.0]), leaf(&[3.0, 4.0]));
    let upright = view::reshape(&c, &[2, 1]).unwrap();
    let other = view::reshape(&ops::add(&upright, &view::reshape(&d, &[2, 1]).unwrap()).unwrap(), &[2]).unwrap();
    backward(&total(&other)).unwrap();
    arith::fill_(&c.grad().unwrap(), 9.0.into()).unwrap();
    assert_eq!((grad_of(&c), grad_of(&d)), (vec![9.0; 2], vec![1.0; 2]));
}

#[test]
fn writing_into_a_view_changes_the_history_of_its_base() {
    let (x, v) = (leaf(&[1.0, 2.0, 3.0]), leaf(&[10.0]));
    let y = scaled(&x, 2.0);
    let part = view::narrow(&y, 0, 1, 1).unwrap();
    ops::transfer::copy_(&part, &v, false).unwrap();
    assert_eq!(y.grad_fn().unwrap().name, "CopySlices");
    assert_eq!(part.grad_fn().unwrap().name, "AsStridedBackward0");
    assert_eq!(values(&y), [2.0, 10.0, 6.0]);
    backward(&total(&ops::mul(&y, &y).unwrap())).unwrap();
    assert_eq!(grad_of(&x), [8.0, 0.0, 24.0]);
    assert_eq!(grad_of(&v), [20.0]);
}

#[test]
fn a_view_made_before_the_change_follows_its_base() {
    let x = leaf(&[1.0, 2.0]);
    let y = scaled(&x, 3.0);
    let before = view::view(&y, &[2, 1]).unwrap();
    ops::binary_(BinaryOp::Mul, &y, &Arg::from(5.0)).unwrap();
    assert_eq!(values(&before), [15.0, 30.0]);
    backward(&total(&before)).unwrap();
    assert_eq!(grad_of(&x), [15.0, 15.0]);
}

#[test]
fn in_place_chains_differentiate() {
    let x = leaf(&[1.0, 4.0]);
    let y = scaled(&x, 1.0);
    ops::binary_(BinaryOp::Mul, &y, &Arg::from(&x)).unwrap();
    ops::binary_(BinaryOp::Add, &y, &Arg::from(&x)).unwrap();
    arith::masked_fill_(&y, &ops::binary(BinaryOp::Gt, &(&x).into(), &3.0.into()).unwrap(), &0.0.into()).unwrap();
    backward(&total(&y)).unwrap();
    assert_eq!(grad_of(&x), [3.0, 0.0]);
}

#[test]
fn leaves_refuse_in_place_changes() {
    let x = leaf(&[1.0, 2.0]);
    let e = arith::add_(&x, &1.0.into(), Scalar::Int(1)).unwrap_err();
    assert_eq!(e.message, "a leaf Variable that requires grad is being used in an in-place operation.");
    let e = indexing::set(&x, &[Index::Int(0)], &5.0.into()).unwrap_err();
    assert_eq!(e.message, "a view of a leaf Variable that requires grad is being used in an in-place operation.");
    let _no_grad = GradMode::set(false);
    arith::add_(&x, &1.0.into(), Scalar::Int(1)).unwrap();
    assert_eq!(values(&x), [2.0, 3.0]);
}

#[test]
fn overwritten_saved_tensors_are_found() {
    let x = leaf(&[1.0, 1.0]);
    let y = ops::unary(UnaryOp::Exp, &x).unwrap();
    arith::add_(&y, &1.0.into(), Scalar::Int(1)).unwrap();
    let e = backward(&total(&y)).unwrap_err();
    assert!(
        e.message.starts_with("one of the variables needed for gradient computation has been modified by an inplace operation: [torch.FloatTensor [2]], which is output 0 of Exp, is at version 1; expected version 0 instead."),
        "{}",
        e.message
    );
}

#[test]
fn a_graph_is_freed_unless_kept() {
    let x = leaf(&[1.0, 2.0]);
    let y = total(&ops::mul(&x, &x).unwrap());
    ops::backward(Pass { roots: std::slice::from_ref(&y), retain_graph: true, ..Pass::default() }).unwrap();
    backward(&y).unwrap();
    let e = backward(&y).unwrap_err();
    assert!(e.message.starts_with("Trying to backward through the graph a second time"), "{}", e.message);
    // PyTorch saves the factor.
    let y = total(&scaled(&x, 2.0));
    backward(&y).unwrap();
    assert!(backward(&y).is_err());
    // Nothing was saved here, so nothing is missing the second time.
    let y = total(&ops::unary(UnaryOp::Neg, &x).unwrap());
    backward(&y).unwrap();
    backward(&y).unwrap();
}

#[test]
fn hooks_see_and_replace_gradients() {
    let x = leaf(&[1.0, 2.0]);
    let y = scaled(&x, 2.0);
    y.retain_grad().unwrap();
    let seen = Rc::new(Cell::new(0));
    let count = seen.clone();
    let handle = y
        .register_hook(Rc::new(move |g| {
            count.set(count.get() + 1);
            Ok(Some(scaled(g, 10.0)))
        }))
        .unwrap();
    let loss = total(&y);
    ops::backward(Pass { roots: std::slice::from_ref(&loss), retain_graph: true, ..Pass::default() }).unwrap();
    assert_eq!((grad_of(&x), grad_of(&y)), (vec![20.0, 20.0], vec![10.0, 10.0]));
    y.remove_hook(handle);
    backward(&loss).unwrap();
    assert_eq!(seen.get(), 1);
    let after = Rc::new(Cell::new(false));
    let flag = after.clone();
    x.register_post_accumulate_hook(Rc::new(move |leaf| {
        flag.set(leaf.grad().is_some());
        Ok(None)
    }));
    backward(&total(&x)).unwrap();
    assert!(after.get());
}

#[test]
fn modes() {
    let x = leaf(&[1.0]);
    {
        let _no_grad = GradMode::set(false);
        assert!(!scaled(&x, 2.0).requires_grad());
        let _again = GradMode::set(true);
        assert!(scaled(&x, 2.0).requires_grad());
    }
    assert!(!x.detach().requires_grad());
    let e = backward(&total(&x.detach())).unwrap_err();
    assert_eq!(e.message, "element 0 of tensors does not require grad and does not have a grad_fn");
    autograd::set_inference(true);
    let t = tensor(&[1.0]);
    autograd::set_inference(false);
    let e = arith::add_(&t, &1.0.into(), Scalar::Int(1)).unwrap_err();
    assert!(e.message.starts_with("Inplace update to inference tensor outside InferenceMode"), "{}", e.message);
    let e = ops::mul(&x, &t).unwrap_err();
    assert!(e.message.starts_with("Inference tensors cannot be saved for backward."), "{}", e.message);
}

#[test]
fn unused_inputs_are_named() {
    let (x, y) = (leaf(&[1.0]), leaf(&[1.0]));
    let loss = total(&x);
    let pass = Pass { roots: std::slice::from_ref(&loss), retain_graph: true, ..Pass::default() };
    let e = ops::grad(pass, std::slice::from_ref(&y), false).unwrap_err();
    assert!(
        e.message.starts_with("The differentiated Tensor at index 0 appears to not have been used"),
        "{}",
        e.message
    );
    assert!(ops::grad(pass, &[y], true).unwrap()[0].is_none());
}

#[test]
fn a_deep_chain_runs_and_drops_without_recursion() {
    let x = leaf(&[1.0]);
    let mut y = scaled(&x, 1.0);
    for _ in 0..100_000 {
        y = ops::add(&y, &x).unwrap();
    }
    backward(&total(&y)).unwrap();
    assert_eq!(grad_of(&x), [100_001.0]);
    drop(y);
    // Here the saved tensors hold each other's nodes.
    let mut y = scaled(&x, 1.0);
    for _ in 0..100_000 {
        y = ops::mul(&y, &x).unwrap();
    }
    drop(y);
    // A chain of in-place changes, and one of views.
    let mut v = scaled(&x, 1.0);
    for _ in 0..20_000 {
        arith::add_(&v, &1.0.into(), Scalar::Int(1)).unwrap();
        v = view::view(&v, &[1]).unwrap();
    }
    drop(v);
}
