//! Matrix products.
//!
//! Source of shapes, texts and gradients: aten/src/ATen/native/LinearAlgebra.cpp in PyTorch 2.15.

use smallvec::{SmallVec, smallvec};

use crate::autograd::{self, Context, Save};
use crate::device::Device;
use crate::dtype::Scalar;
use crate::engine;
use crate::error::{Error, Result};
use crate::executor::{BinaryOp, Kernel, View};
use crate::ops::{self, device, dtypes, rows};
use crate::shape::{Dims, Layout, broadcast};
use crate::tensor::{Pin, Tensor, destination};

/// A 2-D view as a batch of one.
fn lift(mut v: View<'_>) -> View<'_> {
    if v.shape.len() == 2 {
        v.shape.insert(0, 1);
        v.strides.insert(0, 0);
    }
    v
}

fn check_dtypes(a: &Tensor, b: &Tensor) -> Result<()> {
    if a.dtype() != b.dtype() {
        let (first, second) = if a.device().is_cuda() { ("mat1", "mat2") } else { ("m1", "m2") };
        return Err(Error::runtime(format!(
            "expected {first} and {second} to have the same dtype, but got: {} != {}",
            a.dtype().c_name(),
            b.dtype().c_name()
        )));
    }
    Ok(())
}

/// Like [`check_dtypes`], with the messages of batched products.
fn check_batch_dtypes(a: &Tensor, b: &Tensor) -> Result<()> {
    if a.dtype() == b.dtype() || a.device().is_cuda() {
        return check_dtypes(a, b);
    }
    Err(Error::runtime(format!(
        "expected scalar type {} but found {}",
        a.dtype().scalar_name(),
        b.dtype().scalar_name()
    )))
}

/// CUDA has matrix products only for floating-point numbers, and there are none for bool.
fn check_gemm(t: &Tensor) -> Result<()> {
    match t.device().is_cuda() && t.dtype().is_integral() {
        true => Err(dtypes::refused("addmm_cpu", t.dtype(), t.device())),
        false => dtypes::takes(&rows::ADDMM, t),
    }
}

fn show2(t: &Tensor) -> String {
    format!("{}x{}", t.size(0), t.size(1))
}

/// A product of complex tensors as four products of their parts. The gradients then need no code of their own.
pub(crate) fn of_parts(
    a: &Tensor,
    b: &Tensor,
    node: &'static str,
    product: impl Fn(&Tensor, &Tensor) -> Result<Tensor>,
) -> Result<Tensor> {
    use ops::complex::{complex, imag, real};
    let ((ar, ai), (br, bi)) = ((real(a)?, imag(a)?), (real(b)?, imag(b)?));
    let re = ops::sub(&product(&ar, &br)?, &product(&ai, &bi)?)?;
    let im = ops::add(&product(&ar, &bi)?, &product(&ai, &br)?)?;
    autograd::under(&complex(&re, &im)?, node)
}

/// `beta * input + alpha * product(a, b)` of complex tensors, where `product` is `mm` or `bmm`.
fn with_input(
    row: &rows::Operator,
    (input, a, b): (&Tensor, &Tensor, &Tensor),
    (beta, alpha): (Scalar, Scalar),
    product: fn(&Tensor, &Tensor) -> Result<Tensor>,
) -> Result<Tensor> {
    let scaled = |t: Tensor, by: Scalar| match by.as_complex() {
        (1.0, 0.0) => Ok(t),
        _ => ops::binary(BinaryOp::Mul, &t.into(), &by.into()),
    };
    let out = {
        let _no_grad = autograd::GradMode::set(false);
        let product = scaled(product(a, b)?, alpha)?;
        // An operand that is multiplied by 0 doesn't count, even if it's NaN.
        let zero = beta.as_complex() == (0.0, 0.0);
        if zero { product } else { ops::add(&scaled(input.clone(), beta)?, &product)? }
    };
    if autograd::needs_grad([input, a, b]) {
        let bias_shape = input.shape();
        let inputs = [Some(input), Some(a), Some(b)];
        let (kept, save) = Factors::of(a, b);
        autograd::record(row.node, &inputs, &save, &[&out], move |ctx| {
            let turned = |t: &Tensor| ops::complex::conjugate(&ops::view::transpose(t, -2, -1)?);
            let (beta, alpha, g) = (beta.conjugate(), alpha.conjugate(), ctx.grad());
            let of_left = |b: &Tensor| scaled(product(g, &turned(b)?)?, alpha);
            let of_right = |a: &Tensor| scaled(product(&turned(a)?, g)?, alpha);
            let bias = if ctx.needs(0) { Some(scaled(ops::sum_to(g, &bias_shape)?, beta)?) } else { None };
            let [left, right] = kept.gradients(ctx, 1, of_left, of_right)?;
            Ok(smallvec![bias, left, right])
        })?;
    }
    Ok(out)
}

/// `torch.mm`.
pub fn mm(a: &Tensor, b: &Tensor) -> Result<Tensor> {
    // If one operand is on `meta`, PyTorch only computes the shape, whatever device the other is on.
    let meta = a.device().is_meta() || b.device().is_meta();
    if !meta {
        device::checked(&rows::MM, &[Some(a), Some(b)])?;
    }
    for (name, t) in [("self", a), ("mat2", b)] {
        if t.ndim() != 2 {
            return Err(Error::runtime(format!("mm: {name} must be a matrix, got {}-D tensor", t.ndim())));
        }
    }
    if a.size(1) != b.size(0) {
        return Err(Error::runtime(format!(
            "mm: mat1 and mat2 shapes cannot be multiplied ({} and {})",
            show2(a),
            show2(b)
        )));
    }
    check_dtypes(a, b)?;
    if a.dtype().is_complex() && !meta {
        return of_parts(a, b, rows::MM.node, mm);
    }
    check_gemm(a)?;
    let place = if meta { Device::META } else { a.device() };
    let out = Tensor::empty_with(Layout::contiguous(&[a.size(0), b.size(1)]), a.dtype(), place, false)?;
    launch(a, b, None, 1.0, 0.0, &out)?;
    if a.dtype().is_inexact() && autograd::needs_grad([a, b]) {
        let (kept, save) = Factors::of(a, b);
        autograd::record(rows::MM.node, &[Some(a), Some(b)], &save, &[&out], move |ctx| {
            Ok(kept.of_matrices(ctx, 0)?.into_iter().collect())
        })?;
    }
    Ok(out)
}

/// What a product `a @ b` keeps for its gradients: each factor only for the gradient of the other one, as PyTorch does. What
/// isn't kept may be changed in place, and its memory is free earlier.
#[derive(Clone, Copy)]
struct Factors {
    left: bool,
    right: bool,
    /// Whether `a` and `b` are column-major.
    columns: (bool, bool),
}

impl Factors {
    fn of<'a>(a: &'a Tensor, b: &'a Tensor) -> (Factors, SmallVec<[Save<'a>; 2]>) {
        let (left, right) = (b.requires_grad(), a.requires_grad());
        let kept = [(left, a), (right, b)].into_iter().filter(|(kept, _)| *kept);
        (
            Factors { left, right, columns: (is_column_major(a), is_column_major(b)) },
            kept.map(|(_, t)| Save::Input(t)).collect(),
        )
    }

    /// The gradients of `a` and `b`, if they're inputs number `first` and the next: from the other factor each.
    fn gradients(
        self,
        ctx: &Context<'_>,
        first: usize,
        of_left: impl FnOnce(&Tensor) -> Result<Tensor>,
        of_right: impl FnOnce(&Tensor) -> Result<Tensor>,
    ) -> Result<[Option<Tensor>; 2]> {
        let mut saved = ctx.saved.iter();
        let left = if self.left { saved.next() } else { None };
        let right = if self.right { saved.next() } else { None };
        Ok([
            right.filter(|_| ctx.needs(first)).map(of_left).transpose()?,
            left.filter(|_| ctx.needs(first + 1)).map(of_right).transpose()?,
        ])
    }

    /// The gradients of two matrices.
    fn of_matrices(self, ctx: &Context<'_>, first: usize) -> Result<[Option<Tensor>; 2]> {
        let g = ctx.grad();
        self.gradients(ctx, first, |b| grad_left(self.columns.0, b, g), |a| grad_right(a, self.columns.1, g))
    }

    /// The gradients of two batches of matrices.
    fn of_batches(self, ctx: &Context<'_>, first: usize) -> Result<[Option<Tensor>; 2]> {
        use ops::view::transpose;
        let g = ctx.grad();
        self.gradients(ctx, first, |b| bmm(g, &transpose(b, 1, 2)?), |a| bmm(&transpose(a, 1, 2)?, g))
    }
}

/// The gradient of `a` in `a @ b`, with the layout of `a` (PyTorch's mm_mat1_grad,
/// torch/csrc/autograd/FunctionsManual.cpp).
fn grad_left(is_column_major: bool, b: &Tensor, g: &Tensor) -> Result<Tensor> {
    use ops::view::t;
    if is_column_major { t(&mm(b, &t(g)?)?) } else { mm(g, &t(b)?) }
}

/// The gradient of `b` in `a @ b`, with the layout of `b`. If `b` is a transposed weight, this is the transposed
/// gradient of the weight, and nothing has to be copied to get the weight's layout.
fn grad_right(a: &Tensor, is_column_major: bool, g: &Tensor) -> Result<Tensor> {
    use ops::view::t;
    if is_column_major { t(&mm(&t(g)?, a)?) } else { mm(&t(a)?, g) }
}

fn is_column_major(matrix: &Tensor) -> bool {
    matrix.with_data(|_, l| l.strides.as_slice() == [1, l.shape[0]])
}

/// Computes a product of 2-D or 3-D tensors into `out`.
fn launch(a: &Tensor, b: &Tensor, bias: Option<&Tensor>, alpha: f64, beta: f64, out: &Tensor) -> Result<()> {
    if out.device().is_meta() || out.numel() == 0 {
        return Ok(());
    }
    let (pa, pb, po) = (Pin::of(a), Pin::of(b), Pin::of(out));
    let pbias = bias.map(Pin::of);
    let shape = out.shape();
    let bias = match &pbias {
        Some(p) => Some(lift(p.broadcast(&shape)?)),
        None => None,
    };
    let kernel = Kernel::MatMul { a: lift(pa.view()?), c: lift(pb.view()?), bias, alpha, beta, out: lift(po.view()?) };
    let engine = engine::current();
    let _workspace = engine.devices.workspace(out.device())?;
    engine.launch(out.device(), &kernel)
}

/// A tensor for a product that's added to `input`: `input` itself, if that's the in-place form.
fn sum_for(input: &Tensor, a: &Tensor, shape: &[usize]) -> Result<Tensor> {
    let place = if input.shape().as_slice() == shape { destination::itself(input) } else { None };
    match place {
        Some(place) => Ok(place),
        None => Tensor::empty_with(Layout::contiguous(shape), a.dtype(), a.device(), false),
    }
}

/// `torch.addmm(input, a, b, beta, alpha)`: the check of devices begins with the input.
pub fn addmm(input: &Tensor, a: &Tensor, b: &Tensor, beta: Scalar, alpha: Scalar) -> Result<Tensor> {
    device::checked(&rows::ADDMM, &[Some(input), Some(a), Some(b)])?;
    for (name, t) in [("self", input), ("mat1", a)] {
        if t.dtype() != b.dtype() {
            return Err(Error::runtime(format!(
                "{name} and mat2 must have the same dtype, but got {} and {}",
                t.dtype().scalar_name(),
                b.dtype().scalar_name()
            )));
        }
    }
    if a.ndim() != 2 || b.ndim() != 2 {
        let (name, n) = if a.ndim() != 2 { ("self", a.ndim()) } else { ("mat2", b.ndim()) };
        return Err(Error::runtime(format!("addmm: {name} must be a matrix, got {n}-D tensor")));
    }
    if a.size(1) != b.size(0) {
        return Err(Error::runtime(format!(
            "addmm: mat1 and mat2 shapes cannot be multiplied ({} and {})",
            show2(a),
            show2(b)
        )));
    }
    check_gemm(a)?;
    let shape = [a.size(0), b.size(1)];
    if !matches!(broadcast(&shape, &input.shape()), Ok(joined) if joined.as_slice() == shape) {
        let wanted: Vec<i64> = shape.iter().map(|&d| d as i64).collect();
        ops::view::expand(input, &wanted)?;
    }
    if a.dtype().is_complex() {
        return with_input(&rows::ADDMM, (input, a, b), (beta, alpha), mm);
    }
    let (beta, alpha) = (beta.fit(a.dtype())?.as_f64(), alpha.fit(a.dtype())?.as_f64());
    let out = sum_for(input, a, &shape)?;
    launch(a, b, Some(input), alpha, beta, &out)?;
    if a.dtype().is_inexact() && autograd::needs_grad([input, a, b]) {
        let bias_shape = input.shape();
        let inputs = [Some(input), Some(a), Some(b)];
        let (kept, save) = Factors::of(a, b);
        autograd::record(rows::ADDMM.node, &inputs, &save, &[&out], move |ctx| {
            let scale =
                |t: Tensor, by: f64| if by == 1.0 { Ok(t) } else { ops::binary(BinaryOp::Mul, &t.into(), &by.into()) };
            let bias = if ctx.needs(0) { Some(scale(ops::sum_to(ctx.grad(), &bias_shape)?, beta)?) } else { None };
            let [left, right] = kept.of_matrices(ctx, 1)?.map(|g| g.map(|g| scale(g, alpha)).transpose());
            Ok(smallvec![bias, left?, right?])
        })?;
    }
    Ok(out)
}

/// `torch.bmm`.
pub fn bmm(a: &Tensor, b: &Tensor) -> Result<Tensor> {
    device::checked(&rows::BMM, &[Some(a), Some(b)])?;
    if a.ndim() != 3 || b.ndim() != 3 {
        let name = if a.ndim() != 3 { "batch1" } else { "batch2" };
        return Err(Error::runtime(format!("{name} must be a 3D tensor")));
    }
    if a.size(0) != b.size(0) || a.size(2) != b.size(1) {
        return Err(Error::runtime(format!(
            "Expected size for first two dimensions of batch2 tensor to be: [{}, {}] but got: [{}, {}].",
            a.size(0),
            a.size(2),
            b.size(0),
            b.size(1)
        )));
    }
    dtypes::takes(&rows::BMM, a)?;
    check_batch_dtypes(a, b)?;
    if a.dtype().is_complex() {
        return of_parts(a, b, rows::BMM.node, bmm);
    }
    let shape = [a.size(0), a.size(1), b.size(2)];
    let out = Tensor::empty_with(Layout::contiguous(&shape), a.dtype(), a.device(), false)?;
    launch(a, b, None, 1.0, 0.0, &out)?;
    if a.dtype().is_inexact() && autograd::needs_grad([a, b]) {
        let (kept, save) = Factors::of(a, b);
        autograd::record(rows::BMM.node, &[Some(a), Some(b)], &save, &[&out], move |ctx| {
            Ok(kept.of_batches(ctx, 0)?.into_iter().collect())
        })?;
    }
    Ok(out)
}

/// `torch.baddbmm(input, a, b, beta, alpha)`.
///
/// # Errors
/// As [`bmm`]; an input that does not broadcast to the product.
pub fn baddbmm(input: &Tensor, a: &Tensor, b: &Tensor, beta: Scalar, alpha: Scalar) -> Result<Tensor> {
    device::checked(&rows::BADDBMM, &[Some(input), Some(a), Some(b)])?;
    if b.ndim() < 3 {
        // PyTorch reads the product's shape before it checks the batches.
        crate::shape::wrap_dim(2, b.ndim())?;
    }
    if a.ndim() != 3 || b.ndim() != 3 {
        let name = if a.ndim() != 3 { "batch1" } else { "batch2" };
        return Err(Error::runtime(format!("{name} must be a 3D tensor")));
    }
    if a.size(0) != b.size(0) || a.size(2) != b.size(1) {
        return Err(Error::runtime(format!(
            "Expected size for first two dimensions of batch2 tensor to be: [{}, {}] but got: [{}, {}].",
            a.size(0),
            a.size(2),
            b.size(0),
            b.size(1)
        )));
    }
    check_batch_dtypes(a, b)?;
    if input.dtype() != a.dtype() && !a.device().is_cuda() {
        let [input, a, b] = [input, a, b].map(|t| t.dtype().c_name());
        return Err(Error::runtime(format!(
            "Input dtypes must be the same, got: input {input}, batch1: {a}, batch2: {b}"
        )));
    }
    check_dtypes(input, a)?;
    dtypes::takes(&rows::BADDBMM, a)?;
    let shape = [a.size(0), a.size(1), b.size(2)];
    if broadcast(&shape, &input.shape())?.as_slice() != shape {
        let wanted: Vec<i64> = shape.iter().map(|&d| d as i64).collect();
        ops::view::expand(input, &wanted)?;
    }
    if a.dtype().is_complex() {
        return with_input(&rows::BADDBMM, (input, a, b), (beta, alpha), bmm);
    }
    let (beta, alpha) = (beta.fit(a.dtype())?.as_f64(), alpha.fit(a.dtype())?.as_f64());
    let out = sum_for(input, a, &shape)?;
    launch(a, b, Some(input), alpha, beta, &out)?;
    if a.dtype().is_inexact() && autograd::needs_grad([input, a, b]) {
        let bias_shape = input.shape();
        let inputs = [Some(input), Some(a), Some(b)];
        let (kept, save) = Factors::of(a, b);
        autograd::record(rows::BADDBMM.node, &inputs, &save, &[&out], move |ctx| {
            let scale =
                |t: Tensor, by: f64| if by == 1.0 { Ok(t) } else { ops::binary(BinaryOp::Mul, &t.into(), &by.into()) };
            let bias = if ctx.needs(0) { Some(scale(ops::sum_to(ctx.grad(), &bias_shape)?, beta)?) } else { None };
            let [left, right] = kept.of_batches(ctx, 1)?.map(|g| g.map(|g| scale(g, alpha)).transpose());
            Ok(smallvec![bias, left?, right?])
        })?;
    }
    Ok(out)
}

/// `torch.dot`.
pub fn dot(a: &Tensor, b: &Tensor) -> Result<Tensor> {
    device::checked(&rows::DOT, &[Some(a), Some(b)])?;
    if a.ndim() != 1 || b.ndim() != 1 {
        return Err(Error::runtime(format!("1D tensors expected, but got {}D and {}D tensors", a.ndim(), b.ndim())));
    }
    if a.dtype() != b.dtype() {
        return Err(Error::runtime(format!(
            "dot : expected both vectors to have same dtype, but found {} and {}",
            a.dtype().scalar_name(),
            b.dtype().scalar_name()
        )));
    }
    if a.numel() != b.numel() {
        return Err(Error::runtime(format!(
            "inconsistent tensor size, expected tensor [{}] and src [{}] to have the same number of elements, but got {} and {} elements respectively",
            a.numel(),
            b.numel(),
            a.numel(),
            b.numel()
        )));
    }
    if a.dtype().is_complex() {
        return of_parts(a, b, rows::DOT.node, dot);
    }
    dtypes::takes(&rows::DOT, a)?;
    let out = {
        let (row, column) = (a.detach(), b.detach());
        let row = row.alias(Layout {
            shape: smallvec![1, a.numel()],
            strides: smallvec![0, a.strides()[0]],
            offset: a.offset(),
        });
        let column = column.alias(Layout {
            shape: smallvec![b.numel(), 1],
            strides: smallvec![b.strides()[0], 0],
            offset: b.offset(),
        });
        let out = Tensor::empty_with(Layout::contiguous(&[1, 1]), a.dtype(), a.device(), false)?;
        launch(&row, &column, None, 1.0, 0.0, &out)?;
        out.dense_as(&[])
    };
    if a.dtype().is_inexact() && autograd::needs_grad([a, b]) {
        let (kept, save) = Factors::of(a, b);
        autograd::record(rows::DOT.node, &[Some(a), Some(b)], &save, &[&out], move |ctx| {
            let g = ctx.grad();
            Ok(kept.gradients(ctx, 0, |b| ops::mul(g, b), |a| ops::mul(g, a))?.into_iter().collect())
        })?;
    }
    Ok(out)
}

/// `torch.mv`.
pub fn mv(a: &Tensor, x: &Tensor) -> Result<Tensor> {
    // The result is made first, on the vector's device.
    device::checked(&rows::MV, &[Some(x), Some(a), Some(x)])?;
    if a.ndim() != 2 || x.ndim() != 1 {
        return Err(Error::runtime(format!("vector + matrix @ vector expected, got 1, {}, {}", a.ndim(), x.ndim())));
    }
    if a.size(1) != x.size(0) {
        return Err(Error::runtime(format!(
            "size mismatch, got input ({}), mat ({}), vec ({})",
            a.size(0),
            show2(a),
            x.size(0)
        )));
    }
    if a.dtype() != x.dtype() && !a.device().is_cuda() {
        let [a, x] = [a, x].map(|t| t.dtype().scalar_name());
        return Err(Error::runtime(format!("addmv input tensors must have the same dtype, but got {x}, {a}, and {x}")));
    }
    check_dtypes(a, x)?;
    if a.dtype().is_complex() {
        return of_parts(a, x, rows::MV.node, mv);
    }
    dtypes::takes(&rows::MV, a)?;
    let out = {
        let column = x.alias(Layout {
            shape: smallvec![x.numel(), 1],
            strides: smallvec![x.strides()[0], 0],
            offset: x.offset(),
        });
        let out = Tensor::empty_with(Layout::contiguous(&[a.size(0), 1]), a.dtype(), a.device(), false)?;
        launch(&a.detach(), &column, None, 1.0, 0.0, &out)?;
        out.dense_as(&[a.size(0)])
    };
    if a.dtype().is_inexact() && autograd::needs_grad([a, x]) {
        let (kept, save) = Factors::of(a, x);
        autograd::record(rows::MV.node, &[Some(a), Some(x)], &save, &[&out], move |ctx| {
            let g = ctx.grad();
            let of_matrix = |x: &Tensor| ops::mul(&ops::view::unsqueeze(g, 1)?, &ops::view::unsqueeze(x, 0)?);
            let of_vector = |a: &Tensor| mv(&ops::view::t(a)?, g);
            Ok(kept.gradients(ctx, 0, of_matrix, of_vector)?.into_iter().collect())
        })?;
    }
    Ok(out)
}

/// `torch.matmul`: products of vectors, matrices and broadcast batches.
///
/// # Errors
/// 0-dim operands, sizes that do not match.
pub fn matmul(a: &Tensor, b: &Tensor) -> Result<Tensor> {
    match (a.ndim(), b.ndim()) {
        (0, _) | (_, 0) => Err(Error::runtime(format!(
            "both arguments to matmul need to be at least 1D, but they are {}D and {}D",
            a.ndim(),
            b.ndim()
        ))),
        (1, 1) => dot(a, b),
        (2, 1) => mv(a, b),
        (1, 2) => {
            // PyTorch squeezes the product in place, which records another node.
            let row = mm(&ops::view::unsqueeze(a, 0)?, b)?;
            let out = row.dense_as(&[b.size(1)]);
            if autograd::needs_grad([&row]) {
                autograd::record(rows::nodes::SQUEEZE_PRODUCT, &[Some(&row)], &[], &[&out], |ctx| {
                    Ok(smallvec![Some(ops::view::unsqueeze(ctx.grad(), 0)?)])
                })?;
            }
            Ok(out)
        }
        (2, 2) => mm(a, b),
        (n, 1 | 2) if n >= 3 => {
            // One product over all rows: PyTorch folds the batch into them.
            let shape = a.shape();
            let k = shape[n - 1];
            let rows = ops::view::reshape_to(a, &[shape[..n - 1].iter().product(), k])?;
            let (product, mut out) = if b.ndim() == 1 {
                (mv(&rows, b)?, Dims::from_slice(&shape[..n - 1]))
            } else {
                let mut out = Dims::from_slice(&shape[..n - 1]);
                out.push(b.size(1));
                (mm(&rows, b)?, out)
            };
            out.shrink_to_fit();
            unsafe_view(&product, &out)
        }
        _ => {
            let (va, vb) = (a.ndim() == 1, b.ndim() == 1);
            let a = if va { ops::view::unsqueeze(a, 0)? } else { a.clone() };
            let b = if vb { ops::view::unsqueeze(b, 1)? } else { b.clone() };
            let (sa, sb) = (a.shape(), b.shape());
            let (na, nb) = (sa.len(), sb.len());
            let batch = broadcast(&sa[..na - 2], &sb[..nb - 2])?;
            let count = crate::shape::checked_numel(&batch)?;
            let fold = |t: &Tensor, rows: usize, cols: usize| -> Result<Tensor> {
                let mut wanted: Vec<i64> = batch.iter().map(|&d| d as i64).collect();
                wanted.extend([rows as i64, cols as i64]);
                let t = ops::view::expand(t, &wanted)?;
                ops::view::reshape(&t, &[count as i64, rows as i64, cols as i64])
            };
            let a3 = fold(&a, sa[na - 2], sa[na - 1])?;
            let b3 = fold(&b, sb[nb - 2], sb[nb - 1])?;
            let product = bmm(&a3, &b3)?;
            let mut out = batch;
            if !va {
                out.push(sa[na - 2]);
            }
            if !vb {
                out.push(sb[nb - 1]);
            }
            unsafe_view(&product, &out)
        }
    }
}

/// A new result with another shape: PyTorch's `_unsafe_view`, which isn't a view for autograd.
fn unsafe_view(t: &Tensor, shape: &[usize]) -> Result<Tensor> {
    let out = t.dense_as(shape);
    if autograd::needs_grad([t]) {
        let back = t.shape();
        autograd::record(rows::nodes::UNSAFE_VIEW, &[Some(t)], &[], &[&out], move |ctx| {
            Ok(smallvec![Some(ops::view::reshape_to(ctx.grad(), &back)?)])
        })?;
    }
    Ok(out)
}

/// `F.linear(x, weight, bias)`: `addmm(bias, x, weight.t())` over all rows, or `mm` without a bias.
pub fn linear(x: &Tensor, weight: &Tensor, bias: Option<&Tensor>) -> Result<Tensor> {
    let wt = ops::view::t(weight)?;
    let Some(bias) = bias else { return matmul(x, &wt) };
    let n = x.ndim();
    if n == 2 {
        return addmm(bias, x, &wt, 1.0.into(), 1.0.into());
    }
    if n == 0 {
        return Err(Error::runtime("both arguments to linear need to be at least 1D, but they are 0D and 2D"));
    }
    // PyTorch flattens only what is row-major. Otherwise it multiplies first, and then adds in place.
    if !x.is_contiguous() || bias.ndim() != 1 {
        let out = matmul(x, &wt)?;
        ops::arith::add_(&out, &bias.into(), Scalar::Int(1))?;
        return Ok(out);
    }
    let shape = x.shape();
    let k = shape[n - 1];
    let rows = if n == 1 {
        ops::view::unsqueeze(x, 0)?
    } else {
        ops::view::reshape_to(x, &[shape[..n - 1].iter().product(), k])?
    };
    let out = addmm(bias, &rows, &wt, 1.0.into(), 1.0.into())?;
    let mut wanted = Dims::from_slice(&shape[..n - 1]);
    wanted.push(weight.size(0));
    unsafe_view(&out, &wanted)
}
