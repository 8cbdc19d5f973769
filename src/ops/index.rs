//! Operators whose indices are tensors.

use smallvec::smallvec;

use crate::autograd::{self, Save};
use crate::device::Device;
use crate::dtype::{DType, Scalar};
use crate::engine;
use crate::error::{Error, Result};
use crate::executor::{BinaryOp, Kernel, Operand, ReduceOp, ScatterOp};
use crate::ops::{self, Arg, device, rows};
use crate::shape::{Layout, wrap_dim};
use crate::tensor::{Pin, Tensor};

pub(super) fn out_of_bounds(index: i64, dim: usize, size: usize) -> Error {
    Error::runtime(format!("index {index} is out of bounds for dimension {dim} with size {size}"))
}

/// The index as int64, which kernels need.
fn check_index(what: &str, index: &Tensor) -> Result<Tensor> {
    match index.dtype() {
        DType::I64 => Ok(index.clone()),
        DType::I32 => ops::transfer::cast(index, DType::I64),
        // An index without elements addresses nothing.
        _ if index.numel() == 0 => ops::transfer::cast(&index.detach(), DType::I64),
        _ => Err(Error::runtime(format!("{what}(): Expected dtype int32/int64 for index"))),
    }
}

/// A tensor as a kernel that works along a dimension needs it: a 0-dim one gets a dimension.
fn along_pin(t: &Tensor) -> Pin {
    if t.ndim() == 0 { Pin::of(&t.at_least_1d()) } else { Pin::of(t) }
}

/// `torch.gather`.
pub fn gather(x: &Tensor, dim: i64, index: &Tensor) -> Result<Tensor> {
    device::checked(&rows::GATHER, &[Some(x), Some(index)])?;
    let index = &check_index("gather", index)?;
    let d = wrap_dim(dim, x.ndim())?;
    if index.numel() == 0 && x.ndim().max(1) != index.ndim().max(1) {
        let out = Tensor::empty_with(Layout::contiguous(&index.shape()), x.dtype(), x.device(), false)?;
        super::record_zero(rows::GATHER.node, &[x], &out)?;
        return Ok(out);
    }
    if x.ndim().max(1) != index.ndim().max(1) {
        return Err(Error::runtime("Index tensor must have the same number of dimensions as input tensor"));
    }
    let (x1, index1) = (x.at_least_1d(), index.at_least_1d());
    for i in (0..x1.ndim()).filter(|&i| i != d) {
        if index1.size(i) > x1.size(i) {
            return Err(Error::runtime(format!(
                "Size does not match at dimension {i} expected index {} to be no larger than self {} apart from dimension {d}",
                crate::shape::show(&index.shape()),
                crate::shape::show(&x.shape())
            )));
        }
    }
    let out = Tensor::empty_with(Layout::contiguous(&index.shape()), x.dtype(), x.device(), false)?;
    if !out.device().is_meta() && out.numel() > 0 {
        let (a, b, c) = (along_pin(x), along_pin(index), along_pin(&out));
        let kernel = Kernel::Gather { x: a.view()?, dim: d, index: b.view()?, out: c.view()? };
        engine::current().launch_with(x.device(), &kernel, out_of_bounds)?;
    }
    if x.dtype().is_inexact() && autograd::needs_grad([x]) {
        let shape = x.shape();
        autograd::record(rows::GATHER.node, &[Some(x)], &[Save::Input(index)], &[&out], move |ctx| {
            let g = ctx.grad();
            let zeros = ops::create::zeros(&shape, g.dtype(), g.device())?;
            Ok(smallvec![Some(added(zeros, d as i64, &ctx.saved[0], g)?)])
        })?;
    }
    Ok(out)
}

/// `x.scatter_add(dim, index, src)`: a new tensor.
pub fn scatter_add(x: &Tensor, dim: i64, index: &Tensor, src: &Tensor) -> Result<Tensor> {
    device::checked(&rows::SCATTER_ADD, &[Some(x), Some(index), Some(src)])?;
    let index = &check_index("scatter", index)?;
    check_scatter(x, dim, index, Some(src))?;
    let d = wrap_dim(dim, x.ndim())?;
    let out = ops::create::changeable_rows(x)?;
    if !out.device().is_meta() && index.numel() > 0 {
        let (a, b, c) = (along_pin(&out), along_pin(index), along_pin(src));
        let kernel = Kernel::Scatter {
            op: ScatterOp::Add,
            out: a.view()?,
            dim: d,
            index: b.view()?,
            src: Operand::View(c.view()?),
        };
        engine::current().launch_with(x.device(), &kernel, out_of_bounds)?;
    }
    if x.dtype().is_inexact() && autograd::needs_grad([x, src]) {
        let places = src.shape();
        let save: &[Save<'_>] = if src.requires_grad() { &[Save::Input(index)] } else { &[] };
        autograd::record(rows::SCATTER_ADD.node, &[Some(x), Some(src)], save, &[&out], move |ctx| {
            Ok(smallvec![
                if ctx.needs(0) { Some(ctx.grad().clone()) } else { None },
                if ctx.needs(1) {
                    Some(source_grad(ctx.grad(), d, &ctx.saved[0], &places, rows::SCATTER_ADD.node)?)
                } else {
                    None
                },
            ])
        })?;
    }
    Ok(out)
}

/// The gradient of a scattered source.
///
/// # Errors
/// The index used only a part of the source. PyTorch then finds that the gradient has the wrong shape.
fn source_grad(g: &Tensor, d: usize, index: &Tensor, shape: &[usize], name: &str) -> Result<Tensor> {
    let taken = gather(g, d as i64, index)?;
    if taken.shape().as_slice() == shape || taken.numel() == shape.iter().product::<usize>() {
        return ops::view::reshape_to(&taken, shape);
    }
    Err(Error::runtime(format!(
        "Function {name} returned an invalid gradient at index 1 - got {} but expected shape compatible with {}",
        crate::shape::show(&taken.shape()),
        crate::shape::show(shape)
    )))
}

fn check_scatter(x: &Tensor, dim: i64, index: &Tensor, src: Option<&Tensor>) -> Result<()> {
    let d = wrap_dim(dim, x.ndim())?;
    if index.numel() == 0 {
        return Ok(());
    }
    if index.ndim().max(1) != x.ndim().max(1) {
        return Err(Error::runtime("Index tensor must have the same number of dimensions as self tensor"));
    }
    let show = crate::shape::show;
    if let Some(src) = src {
        if src.dtype() != x.dtype() {
            return Err(Error::runtime("scatter(): Expected self.dtype to be equal to src.dtype"));
        }
        if index.ndim().max(1) != src.ndim().max(1) {
            return Err(Error::runtime("Index tensor must have the same number of dimensions as src tensor"));
        }
    }
    // A 0-dim tensor counts as having one dimension with one element.
    let size = |t: &Tensor, i: usize| t.shape().get(i).copied().unwrap_or(1);
    let fits = |i: usize| (i == d || size(index, i) <= size(x, i)) && src.is_none_or(|s| size(index, i) <= size(s, i));
    if (0..x.ndim().max(1)).all(fits) {
        return Ok(());
    }
    Err(Error::runtime(match src {
        Some(src) => format!(
            "Expected index {} to be no larger than self {} apart from dimension {d} and to be no larger size than src {}",
            show(&index.shape()),
            show(&x.shape()),
            show(&src.shape())
        ),
        None => format!(
            "Expected index {} to be no larger than self {} apart from dimension {d}",
            show(&index.shape()),
            show(&x.shape())
        ),
    }))
}

fn scatter_data(op: ScatterOp, out: &Tensor, d: usize, index: &Tensor, src: &Arg) -> Result<()> {
    if out.device().is_meta() || index.numel() == 0 {
        return Ok(());
    }
    let (a, b) = (along_pin(out), along_pin(index));
    let src_pin = src.tensor().map(along_pin);
    let src = match (&src_pin, src) {
        (Some(pin), _) => Operand::View(pin.view()?),
        (None, Arg::Number(n)) => Operand::Scalar(*n),
        (None, Arg::Tensor(_)) => return Err(Error::runtime("a source tensor is always pinned")),
    };
    let kernel = Kernel::Scatter { op, out: a.view()?, dim: d, index: b.view()?, src };
    engine::current().launch_with(out.device(), &kernel, out_of_bounds)
}

/// `x.scatter(dim, index, src)` with a tensor or a number: a new tensor.
pub fn scatter(x: &Tensor, dim: i64, index: &Tensor, src: &Arg) -> Result<Tensor> {
    scatter_named(x, dim, index, src, false)
}

/// `x.scatter_(dim, index, src)`.
pub(crate) fn scatter_(x: &Tensor, dim: i64, index: &Tensor, src: &Arg) -> Result<()> {
    autograd::check_in_place(x)?;
    let others: smallvec::SmallVec<[&Tensor; 2]> = std::iter::once(index).chain(src.tensor()).collect();
    ops::arith::replace_with(x, &others, false, |before| scatter_named(before, dim, index, src, true))
}

fn scatter_named(x: &Tensor, dim: i64, index: &Tensor, src: &Arg, in_place: bool) -> Result<Tensor> {
    let row = match (src.tensor(), in_place) {
        (Some(_), false) => &rows::SCATTER,
        (Some(_), true) => &rows::SCATTER_,
        (None, false) => &rows::SCATTER_NUMBER,
        (None, true) => &rows::SCATTER_NUMBER_,
    };
    device::checked(row, &[Some(x), Some(index), src.tensor()])?;
    let index = &check_index("scatter", index)?;
    check_scatter(x, dim, index, src.tensor())?;
    let d = wrap_dim(dim, x.ndim())?;
    let out = ops::create::changeable_rows(x)?;
    scatter_data(ScatterOp::Set, &out, d, index, src)?;
    let inputs = [Some(x), src.tensor()];
    if x.dtype().is_inexact() && autograd::needs_grad(inputs.into_iter().flatten()) {
        let places = src.tensor().map_or_else(crate::shape::Dims::new, Tensor::shape);
        let edges = &inputs[..ops::arith::edges_with(src)];
        autograd::record(row.node, edges, &[Save::Input(index)], &[&out], move |ctx| {
            let (g, index) = (ctx.grad(), &ctx.saved[0]);
            let mut grads: autograd::Gradients = smallvec![None; ctx.needs.len()];
            if ctx.needs(0) {
                grads[0] = Some(scatter(g, d as i64, index, &Arg::from(0.0))?);
            }
            if ctx.needs.len() > 1 && ctx.needs(1) {
                grads[1] = Some(source_grad(g, d, index, &places, row.node)?);
            }
            Ok(grads)
        })?;
    }
    Ok(out)
}

/// `x.scatter_add_(dim, index, src)`.
pub(crate) fn scatter_add_(x: &Tensor, dim: i64, index: &Tensor, src: &Tensor) -> Result<()> {
    ops::arith::replace_with(x, &[index, src], false, |before| scatter_add(before, dim, index, src))
}

/// A new tensor to which `src` has been added at an index, as [`scatter_add_`] does.
pub(super) fn added(x: Tensor, dim: i64, index: &Tensor, src: &Tensor) -> Result<Tensor> {
    scatter_add_(&x, dim, index, src)?;
    Ok(x)
}

/// `x.scatter_reduce(dim, index, src, reduce)`. `include_self` includes the present values.
///
/// # Errors
/// A reduction other than sum, prod, amax, amin and mean.
pub fn scatter_reduce(
    x: &Tensor,
    dim: i64,
    index: &Tensor,
    src: &Tensor,
    reduce: &str,
    include_self: bool,
) -> Result<Tensor> {
    device::checked(&rows::SCATTER_REDUCE, &[Some(x), Some(index), Some(src)])?;
    let index = &check_index("scatter", index)?;
    check_scatter(x, dim, index, Some(src))?;
    let reduce = match reduce {
        "max" => "amax",
        "min" => "amin",
        other => other,
    };
    let (op, identity) = match reduce {
        "sum" | "mean" => (ScatterOp::Add, Scalar::Int(0)),
        "prod" => (ScatterOp::Mul, Scalar::Int(1)),
        "amax" => (ScatterOp::Max, lowest(x.dtype(), false)),
        "amin" => (ScatterOp::Min, lowest(x.dtype(), true)),
        other => {
            return Err(Error::runtime(format!(
                "reduce argument must be either sum, prod, mean, amax or amin, got {other}"
            )));
        }
    };
    let refused = match reduce {
        "amax" | "amin" => x.dtype().is_complex(),
        "mean" => x.dtype() == DType::Bool,
        _ => false,
    };
    if refused {
        let kernel = format!("scatter_gather_tensor_cpu_reduce_{reduce}");
        return Err(ops::dtypes::refused(&kernel, x.dtype(), x.device()));
    }
    let d = wrap_dim(dim, x.ndim())?;
    let out = ops::create::changeable_rows(x)?;
    if !include_self {
        scatter_data(ScatterOp::Set, &out, d, index, &Arg::Number(identity))?;
    }
    scatter_data(op, &out, d, index, &src.into())?;
    if reduce == "mean" {
        divide_by_count(&out, dim, index, src, include_self)?;
    }
    if x.dtype().is_inexact() && autograd::needs_grad([x, src]) {
        let save = [Save::Input(x), Save::Input(index), Save::Input(src), Save::Output(&out, 0)];
        let reduce = reduce.to_string();
        autograd::record(rows::SCATTER_REDUCE.node, &[Some(x), Some(src)], &save, &[&out], move |ctx| {
            scatter_reduce_grad(ctx, dim, &reduce, include_self)
        })?;
    }
    Ok(out)
}

/// `x.scatter_reduce_(dim, index, src, reduce)`.
///
/// # Errors
/// Those of [`scatter_reduce`]; leaves.
pub(crate) fn scatter_reduce_(
    x: &Tensor,
    dim: i64,
    index: &Tensor,
    src: &Tensor,
    reduce: &str,
    include_self: bool,
) -> Result<()> {
    let work = |before: &Tensor| scatter_reduce(before, dim, index, src, reduce, include_self);
    ops::arith::replace_with(x, &[index, src], true, work)
}

/// `x.scatter(dim, index, src, reduce=how)`: `src`, a tensor or a number, is added to what is there or multiplies it.
///
/// # Errors
/// `how` is neither `add` nor `multiply`, and those of [`scatter_reduce`]. It has no derivative.
pub(crate) fn scatter_combined(x: &Tensor, dim: i64, index: &Tensor, src: &Arg, how: &str) -> Result<Tensor> {
    let reduce = match how {
        "add" => "sum",
        "multiply" => "prod",
        _ => return Err(Error::runtime("reduce argument must be either add or multiply.")),
    };
    let src = match src {
        Arg::Tensor(t) => t.clone(),
        Arg::Number(n) => ops::create::full(&index.shape(), *n, x.dtype(), x.device())?,
    };
    let out = scatter_reduce(&x.detach(), dim, index, &src.detach(), reduce, true)?;
    if x.dtype().is_inexact() && autograd::needs_grad([x, &src]) {
        autograd::record_unchecked("NotImplemented", &[Some(x), Some(&src)], &[], &[&out], |_| {
            Err(Error::runtime("derivative for aten::scatter is not implemented"))
        })?;
    }
    Ok(out)
}

/// `x.scatter_(dim, index, src, reduce=how)`, as [`scatter_combined`].
pub(crate) fn scatter_combined_(x: &Tensor, dim: i64, index: &Tensor, src: &Arg, how: &str) -> Result<()> {
    ops::arith::replace_with(x, &[index], true, |before| scatter_combined(before, dim, index, src, how))
}

/// How many elements meet at each place of `x`, at least 1, in its dtype or that of its parts. Outside the graph.
///
/// Source: scatter_reduce_two in aten/src/ATen/native/TensorAdvancedIndexing.cpp.
fn count_at(x: &Tensor, dim: i64, index: &Tensor, src: &Tensor, include_self: bool) -> Result<Tensor> {
    let _no_grad = autograd::GradMode::set(false);
    let dtype = x.dtype().part();
    let ones = ops::create::full(&src.shape(), Scalar::Int(1), dtype, x.device())?;
    let count = ops::create::full(&x.shape(), Scalar::Int(include_self.into()), dtype, x.device())?;
    scatter_data(ScatterOp::Add, &count, wrap_dim(dim, x.ndim())?, index, &ones.into())?;
    let none = ops::binary(BinaryOp::Eq, &(&count).into(), &0i64.into())?;
    ops::arith::masked_fill_(&count, &none, &1i64.into())?;
    Ok(count)
}

fn divide_by_count(sum: &Tensor, dim: i64, index: &Tensor, src: &Tensor, include_self: bool) -> Result<()> {
    let _no_grad = autograd::GradMode::set(false);
    let count = count_at(sum, dim, index, src, include_self)?;
    let op = if sum.dtype().is_inexact() { BinaryOp::Div } else { BinaryOp::FloorDiv };
    ops::elementwise::change_data(op, sum, &count)
}

/// Source: scatter_reduce_backward in torch/csrc/autograd/FunctionsManual.cpp.
fn scatter_reduce_grad(
    ctx: &autograd::Context<'_>,
    dim: i64,
    reduce: &str,
    include_self: bool,
) -> Result<autograd::Gradients> {
    let (g, x, index, src, y) = (ctx.grad(), &ctx.saved[0], &ctx.saved[1], &ctx.saved[2], &ctx.saved[3]);
    // Checks that everything below has one shape, or raises PyTorch's error.
    source_grad(&g.detach(), wrap_dim(dim, x.ndim())?, index, &src.shape(), rows::SCATTER_REDUCE.node)?;
    let at = |t: &Tensor| gather(t, dim, index);
    let equal = |a: &Tensor, b: &Arg| ops::binary(BinaryOp::Eq, &a.into(), b);
    let as_number = |t: &Tensor| ops::transfer::cast(t, x.dtype());
    let (own, from) = match reduce {
        "sum" => (g.clone(), at(g)?),
        "mean" => {
            let shared = ops::div(g, &count_at(&x.detach(), dim, index, src, include_self)?)?;
            (shared.clone(), at(&shared)?)
        }
        "prod" => {
            let one = Arg::from(1.0);
            let x_safe = ops::where_(&equal(x, &0.0.into())?, &one, &x.into())?;
            let others = ops::div(&scatter_reduce(&x_safe, dim, index, src, "prod", include_self)?, &x_safe)?;
            // If exactly one source is zero, its gradient is the product of all the others, and that of every other
            // source is 0.
            let zero = equal(src, &0.0.into())?;
            let none = ops::create::zeros(&x.shape(), x.dtype(), x.device())?;
            let zeros = at(&scatter_add(&none, dim, index, &as_number(&zero)?)?)?;
            let only = ops::binary(BinaryOp::LogicalAnd, &(&zero).into(), &equal(&zeros, &one)?.into())?;
            let without = ops::where_(&only, &one, &src.into())?;
            let without = scatter_reduce(x, dim, index, &without, "prod", include_self)?;
            let rest = ops::div(&at(&ops::mul(g, y)?)?, &ops::where_(&zero, &one, &src.into())?)?;
            (ops::mul(g, &others)?, ops::where_(&only, &at(&ops::mul(g, &without)?)?.into(), &rest.into())?)
        }
        _ => {
            let x_hits = as_number(&equal(x, &y.into())?)?;
            let src_hits = as_number(&equal(src, &at(y)?.into())?)?;
            // As in PyTorch, the present value counts even if it's left out.
            let hits = scatter_add(&x_hits, dim, index, &src_hits)?;
            let hits = ops::arith::clamp(&hits, Some(Scalar::Int(1)), None)?;
            let shared = ops::div(g, &hits)?;
            (ops::mul(&x_hits, &shared)?, ops::mul(&src_hits, &at(&shared)?)?)
        }
    };
    let own = match (ctx.needs(0), include_self) {
        (false, _) => None,
        (true, true) => Some(own),
        (true, false) => Some(scatter(&own, dim, index, &Arg::from(0.0))?),
    };
    Ok(smallvec![own, ctx.needs(1).then_some(from)])
}

fn lowest(dtype: DType, highest: bool) -> Scalar {
    let sign = if highest { 1.0 } else { -1.0 };
    match dtype {
        DType::Bool => Scalar::Bool(highest),
        DType::U8 => Scalar::Int(if highest { 255 } else { 0 }),
        DType::I8 => Scalar::Int(if highest { i8::MAX as i64 } else { i8::MIN as i64 }),
        DType::I16 => Scalar::Int(if highest { i16::MAX as i64 } else { i16::MIN as i64 }),
        DType::I32 => Scalar::Int(if highest { i32::MAX as i64 } else { i32::MIN as i64 }),
        DType::I64 => Scalar::Int(if highest { i64::MAX } else { i64::MIN }),
        _ => Scalar::Float(sign * f64::INFINITY),
    }
}

/// `x.index_select(dim, index)`.
///
/// # Errors
/// Indices that are not i32 or i64, have several dimensions, or are out of range.
pub fn index_select(x: &Tensor, dim: i64, index: &Tensor) -> Result<Tensor> {
    index_select_named(x, dim, index, rows::INDEX_SELECT.node)
}

pub(super) fn index_select_named(x: &Tensor, dim: i64, index: &Tensor, name: &'static str) -> Result<Tensor> {
    device::checked(&rows::INDEX_SELECT, &[Some(x), Some(index)])?;
    if index.ndim() > 1 {
        return Err(Error::index("index_select(): Index is supposed to be a vector"));
    }
    if !matches!(index.dtype(), DType::I32 | DType::I64) {
        return Err(Error::runtime("index_select(): Expected dtype int32 or int64 for index"));
    }
    let d = wrap_dim(dim, x.ndim())?;
    let index = index.at_least_1d();
    let mut shape = x.shape();
    match shape.get_mut(d) {
        Some(size) => *size = index.numel(),
        None if index.numel() == 1 => {}
        None => {
            return Err(Error::runtime(format!(
                "index_select(): Index to scalar can have only 1 value, got {} value(s)",
                index.numel()
            )));
        }
    }
    if x.device().is_cpu() && x.shape().get(d) == Some(&0) && index.numel() > 0 {
        return Err(Error::runtime("index_select(): self indexing axis dim should be positive"));
    }
    let out = Tensor::empty_with(Layout::contiguous(&shape), x.dtype(), x.device(), false)?;
    if !x.device().is_meta() && out.numel() > 0 {
        let (a, b, c) = (along_pin(x), along_pin(&index), along_pin(&out));
        let kernel = Kernel::IndexSelect { x: a.view()?, dim: d, index: b.view()?, out: c.view()? };
        let is_second = d == 1 && x.device().is_cpu();
        engine::current().launch_with(x.device(), &kernel, |index, _, size| match is_second {
            // PyTorch's fast path for this dimension.
            true => Error::runtime(format!("INDICES element is out of DATA bounds, id={index} axis_dim={size}")),
            false => Error::index("index out of range in self"),
        })?;
    }
    if x.dtype().is_inexact() && autograd::needs_grad([x]) {
        let whole = x.shape();
        autograd::record(name, &[Some(x)], &[Save::Input(&index)], &[&out], move |ctx| {
            let g = ctx.grad();
            let zeros = ops::create::zeros(&whole, g.dtype(), g.device())?;
            index_add_(&zeros, d as i64, &ctx.saved[0], g, 1.0)?;
            Ok(smallvec![Some(zeros)])
        })?;
    }
    Ok(out)
}

/// `x.index_add(dim, index, src, alpha=alpha)`: a new tensor. `alpha` may be complex where `x` is.
///
/// # Errors
/// Tensors on different devices, of different dtypes or of shapes that don't fit; an `alpha` that `x` can't hold.
pub fn index_add(x: &Tensor, dim: i64, index: &Tensor, src: &Tensor, alpha: impl Into<Scalar>) -> Result<Tensor> {
    device::checked(&rows::INDEX_ADD, &[Some(x), Some(index), Some(src)])?;
    let d = wrap_dim(dim, x.ndim())?;
    check_index_add(x, d, index, src)?;
    let alpha = alpha.into().fit(x.dtype())?;
    let times_alpha = move |t: &Tensor| ops::binary(BinaryOp::Mul, &t.into(), &alpha.into());
    // Kernels multiply by a real number, so a complex factor is multiplied in before.
    let (multiplied, factor) = match alpha {
        Scalar::Complex(..) => (times_alpha(&src.detach())?, 1.0),
        real => (src.clone(), real.as_f64()),
    };
    let out = ops::create::changeable_rows(x)?;
    if !x.device().is_meta() && src.numel() > 0 {
        let (a, b, c) = (along_pin(&out), along_pin(index), along_pin(&multiplied));
        let kernel = Kernel::IndexAdd { out: a.view()?, dim: d, index: b.view()?, src: c.view()?, alpha: factor };
        // On the CPU, PyTorch has its own loop for a single dimension.
        let by_rows = x.ndim() > 1 && x.device().is_cpu();
        engine::current().launch_with(x.device(), &kernel, |index, dim, size| match by_rows {
            true => Error::runtime(format!("index {index} is out of bounds for dimension {dim} with size {size}")),
            false => Error::index("index out of range in self"),
        })?;
    }
    if x.dtype().is_inexact() && autograd::needs_grad([x, src]) {
        let source = src.shape();
        let save: &[Save<'_>] = if src.requires_grad() { &[Save::Input(index)] } else { &[] };
        autograd::record(rows::INDEX_ADD.node, &[Some(x), Some(src)], save, &[&out], move |ctx| {
            let g = ctx.grad();
            let mut grads = smallvec![ctx.needs(0).then(|| g.clone()), None];
            if ctx.needs(1) {
                let picked = ops::view::reshape_to(&index_select(g, d as i64, &ctx.saved[0])?, &source)?;
                // Not by its conjugate: PyTorch's slope takes the factor as it is.
                let scaled = alpha.as_complex() != (1.0, 0.0);
                grads[1] = Some(if scaled { times_alpha(&picked)? } else { picked });
            }
            Ok(grads)
        })?;
    }
    Ok(out)
}

/// `x.index_add_(dim, index, src, alpha=alpha)`.
pub fn index_add_(x: &Tensor, dim: i64, index: &Tensor, src: &Tensor, alpha: impl Into<Scalar>) -> Result<()> {
    let alpha = alpha.into();
    ops::arith::replace_with(x, &[index, src], false, |before| index_add(before, dim, index, src, alpha))
}

fn check_index_add(x: &Tensor, d: usize, index: &Tensor, src: &Tensor) -> Result<()> {
    let show = crate::shape::show;
    if index.ndim() > 1 {
        return Err(Error::index(format!(
            "index_add_(): Index is supposed to be a vector, but got dim: {} with type: {} and size: {}",
            index.ndim(),
            index.dtype().scalar_name(),
            show(&index.shape())
        )));
    }
    if !matches!(index.dtype(), DType::I32 | DType::I64) {
        return Err(Error::runtime(format!(
            "index_add_(): Expected dtype int32/int64 for index but got: {}",
            index.dtype().scalar_name()
        )));
    }
    if x.dtype() != src.dtype() {
        return Err(Error::runtime(format!(
            "index_add_(): self ({}) and source ({}) must have the same scalar type",
            x.dtype().scalar_name(),
            src.dtype().scalar_name()
        )));
    }
    if d > 0 && d >= src.ndim() {
        return Err(Error::runtime(format!(
            "index_add_(): Indexing dim {d} is out of bounds of the source tensor with dim {}",
            src.ndim()
        )));
    }
    let count = if src.ndim() == 0 { 1 } else { src.size(d) };
    if index.numel() != count {
        if src.ndim() == 0 {
            return Err(Error::index(format!("Dimension specified as {d} but tensor has no dimensions")));
        }
        return Err(Error::runtime(format!(
            "index_add_(): Number of indices ({}) should be equal to source.size(dim): ({count}), for dim: {d}",
            index.numel()
        )));
    }
    if rest(x, d, src.ndim() > 0) != rest(src, d, x.ndim() > 0) {
        return Err(Error::runtime(format!(
            "source tensor shape must match self tensor shape, excluding the specified dimension. Got self.shape = {} source.shape = {}",
            show(&x.shape()),
            show(&src.shape())
        )));
    }
    Ok(())
}

/// A tensor's shape; `without` says whether dimension `d` is dropped.
fn rest(t: &Tensor, d: usize, without: bool) -> crate::shape::Dims {
    let mut shape = t.shape();
    if without && d < shape.len() {
        shape.remove(d);
    }
    shape
}

fn check_index_copy(x: &Tensor, d: usize, index: &Tensor, src: &Tensor) -> Result<()> {
    if index.ndim() > 1 {
        return Err(Error::index(format!("index_copy_(): Index should have dimension 1 or 0 (got {})", index.ndim())));
    }
    if src.ndim() == 0 && index.numel() != 1 {
        return Err(Error::index(format!(
            "index_copy_(): When source is scalar, index should have one element (got {})",
            index.numel()
        )));
    }
    if src.ndim() != x.ndim() && src.ndim() > 0 && x.ndim() > 0 {
        return Err(Error::index(format!(
            "index_copy_(): When source and destination are not scalars, their dimensionality must match. Source dimensionality ({}), destination dimensionality ({})",
            src.ndim(),
            x.ndim()
        )));
    }
    if index.dtype() != DType::I64 {
        return Err(Error::runtime(format!(
            "index_copy_(): Expected a long tensor for index, but got {}",
            index.dtype().scalar_name()
        )));
    }
    if x.dtype() != src.dtype() {
        return Err(Error::runtime(format!(
            "index_copy_(): self and source expected to have the same dtype, but got (self) {} and (source) {}",
            x.dtype().scalar_name(),
            src.dtype().scalar_name()
        )));
    }
    let (own, given) = (rest(x, d, true), rest(src, d, true));
    if own != given {
        let show = |shape: &[usize]| shape.iter().map(usize::to_string).collect::<Vec<_>>().join(" ");
        return Err(Error::runtime(format!(
            "index_copy_(): Source/destination tensor must have same slice shapes. Destination slice shape: {} at dimension {d} and source slice shape: {} at dimension 0.",
            show(&own),
            show(&given)
        )));
    }
    if src.ndim() > 0 && src.size(d) != index.numel() {
        return Err(Error::index(format!(
            "index_copy_(): Number of indices ({}) should be equal to source.size(dim) ({})",
            index.numel(),
            src.size(d)
        )));
    }
    Ok(())
}

/// The index of `index_fill` in the form for [`super::indexing`]: along `d`, i64.
fn along(x: &Tensor, d: usize, index: &Tensor) -> Result<super::indexing::Gathered> {
    let index = ops::transfer::cast(&index.detach(), DType::I64)?;
    let index = if index.ndim() == 0 { ops::view::unsqueeze(&index, 0)? } else { index };
    Ok(super::indexing::Gathered::along(x, d, index))
}

/// `x.index_copy(dim, index, src)`: a new tensor.
pub fn index_copy(x: &Tensor, dim: i64, index: &Tensor, src: &Tensor) -> Result<Tensor> {
    device::checked(&rows::INDEX_COPY, &[Some(x), Some(index), Some(src)])?;
    let d = wrap_dim(dim, x.ndim())?;
    check_index_copy(x, d, index, src)?;
    let out = ops::create::changeable_rows(x)?;
    if !x.device().is_meta() && src.numel() > 0 {
        // Each index stands for an entire slice of the source.
        let (index, src) = (index.detach().at_least_1d(), src.detach().at_least_1d());
        let shape = if x.ndim() == 0 { smallvec![1] } else { src.shape() };
        let mut places = Layout { shape, strides: smallvec![0; src.ndim()], offset: index.offset() };
        places.strides[d] = index.strides()[0];
        let (a, b, c) = (along_pin(&out), Pin::of(&index.alias(places)), Pin::of(&src));
        let (out, index, src) = (a.view()?, b.view()?, Operand::View(c.view()?));
        let kernel = Kernel::Scatter { op: ScatterOp::Set, out, dim: d, index, src };
        engine::current().launch_with(x.device(), &kernel, |index, dim, size| {
            Error::index(format!("index_copy_(): index {index} is out of bounds for dimension {dim} with size {size}"))
        })?;
    }
    if x.dtype().is_inexact() && autograd::needs_grad([x, src]) {
        let source = src.shape();
        autograd::record(rows::INDEX_COPY.node, &[Some(x), Some(src)], &[Save::Input(index)], &[&out], move |ctx| {
            let (g, index) = (ctx.grad(), &ctx.saved[0]);
            let mut grads = smallvec![None, None];
            if ctx.needs(0) {
                grads[0] = Some(index_fill(g, d as i64, index, &Arg::from(0.0))?);
            }
            if ctx.needs(1) {
                grads[1] = Some(ops::view::reshape_to(&index_select(g, d as i64, index)?, &source)?);
            }
            Ok(grads)
        })?;
    }
    Ok(out)
}

/// `x.index_copy_(dim, index, src)`.
pub(crate) fn index_copy_(x: &Tensor, dim: i64, index: &Tensor, src: &Tensor) -> Result<()> {
    // It may read memory that partly overlaps what it writes.
    ops::arith::replace_by(x, &[index, src], false, |before| index_copy(before, dim, index, src), |e| e)
}

/// `x.index_fill(dim, index, value)`: a new tensor.
pub fn index_fill(x: &Tensor, dim: i64, index: &Tensor, value: &Arg) -> Result<Tensor> {
    device::common(&[x, index])?;
    let value = match value {
        Arg::Tensor(t) if t.ndim() > 0 => {
            return Err(Error::runtime(format!(
                "index_fill_ only supports a 0-dimensional value tensor, but got tensor with {} dimension(s).",
                t.ndim()
            )));
        }
        Arg::Tensor(t) => Arg::Tensor(ops::transfer::cast(t, x.dtype())?),
        number => number.clone(),
    };
    let d = wrap_dim(dim, x.ndim())?;
    if index.dtype() != DType::I64 {
        return Err(Error::index("index_fill_(): Expected dtype int64 for index."));
    }
    if index.ndim() > 1 {
        return Err(Error::runtime("Index has to be a vector/scalar"));
    }
    let at = along(x, d, index)?;
    let Arg::Tensor(value) = value else { return at.put(x, &value, false, rows::INDEX_FILL.node) };
    let out = {
        let _no_grad = autograd::GradMode::set(false);
        at.put(x, &(&value).into(), false, rows::nodes::INDEX_FILL_TENSOR)?
    };
    if x.dtype().is_inexact() && autograd::needs_grad([x, &value]) {
        autograd::record(rows::nodes::INDEX_FILL_TENSOR, &[Some(x), Some(&value)], &[], &[&out], move |ctx| {
            let (g, zero) = (ctx.grad(), Arg::from(0.0));
            let kept = at.put(g, &zero, false, rows::INDEX_FILL.node)?;
            let mut grads = smallvec![ctx.needs(0).then_some(kept), None];
            if ctx.needs(1) {
                // A place that is filled twice counts only once.
                let none = ops::create::zeros(&g.shape(), DType::Bool, g.device())?;
                let filled = at.put(&none, &Arg::Number(Scalar::Bool(true)), false, rows::INDEX_FILL.node)?;
                let own = ops::where_(&filled, &g.into(), &zero)?;
                grads[1] = Some(ops::reduce::sum(&own, &[], false, None)?);
            }
            Ok(grads)
        })?;
    }
    Ok(out)
}

/// `x.index_fill_(dim, index, value)`.
pub(crate) fn index_fill_(x: &Tensor, dim: i64, index: &Tensor, value: &Arg) -> Result<()> {
    let others: smallvec::SmallVec<[&Tensor; 2]> = std::iter::once(index).chain(value.tensor()).collect();
    ops::arith::replace_with(x, &others, false, |before| index_fill(before, dim, index, value))
}

/// For every tensor, the batch of its rows `rows`, as if they were stacked one by one: what a data loader collates. A tensor on
/// the host gathers them in one kernel; on an accelerator an index would have to be copied there first, so views are stacked,
/// as in PyTorch.
///
/// # Errors
/// A row that the tensor doesn't have.
pub(crate) fn stack_rows(tensors: &[Tensor], rows: &[i64]) -> Result<Vec<Tensor>> {
    let mut index: Option<Tensor> = None;
    let mut batches = Vec::with_capacity(tensors.len());
    for t in tensors {
        batches.push(if t.device().is_cpu() {
            let index = match &index {
                Some(index) => index.clone(),
                None => index.insert(row_index(rows, t.size(0))?).clone(),
            };
            index_select(t, 0, &index)?
        } else {
            let views = rows.iter().map(|&row| ops::view::select(t, 0, row)).collect::<Result<Vec<Tensor>>>()?;
            ops::shape::stack(&views, 0)?
        });
    }
    Ok(batches)
}

fn row_index(rows: &[i64], size: usize) -> Result<Tensor> {
    let size = size as i64;
    let mut bytes = Vec::with_capacity(rows.len() * 8);
    for &row in rows {
        if row < -size || row >= size {
            return Err(Error::index(format!("index {row} is out of bounds for dimension 0 with size {size}")));
        }
        bytes.extend((if row < 0 { row + size } else { row }).to_le_bytes());
    }
    Tensor::from_bytes(&bytes, &[rows.len()], DType::I64, Device::CPU)
}

/// `x.take(index)`: elements of the flattened tensor.
pub fn take(x: &Tensor, index: &Tensor) -> Result<Tensor> {
    device::checked(&rows::TAKE, &[Some(x), Some(index)])?;
    if index.dtype() != DType::I64 {
        return Err(Error::runtime(format!(
            "take(): Expected a long tensor for index, but got {}",
            index.dtype().scalar_name()
        )));
    }
    if x.numel() == 0 && index.numel() > 0 {
        return Err(Error::index("take(): tried to take from an empty tensor"));
    }
    let flat = ops::view::reshape(x, &[-1])?;
    let elements = flat.numel();
    super::indexing::Gathered::along(&flat, 0, index.clone()).get_with(&flat, rows::TAKE.node, move |index, _, _| {
        Error::index(format!("out of range: tried to access index {index} on a tensor of {elements} elements."))
    })
}

/// `x.put_(index, source, accumulate)`: elements of the flattened tensor.
///
/// # Errors
/// Another device; an index that isn't int64; a number of sources that differs from the number of indices.
pub(crate) fn put_(x: &Tensor, index: &Tensor, source: &Tensor, accumulate: bool) -> Result<()> {
    device::checked(&rows::PUT_, &[Some(x), Some(index), Some(source)])?;
    if accumulate {
        device::steady(&rows::PUT_, x.device())?;
    } else if let Some(kernel) = rows::PUT_.varies {
        // An index may occur twice, on any device.
        engine::current().launches.alert_not_deterministic(kernel)?;
    }
    if index.dtype() != DType::I64 {
        return Err(Error::runtime(format!(
            "put_(): Expected a long tensor for index, but got {}",
            index.dtype().scalar_name()
        )));
    }
    if x.dtype() != source.dtype() {
        return Err(Error::runtime(format!(
            "put_(): self and source expected to have the same dtype, but got self.dtype = {} and source.dtype = {}",
            x.dtype().scalar_name(),
            source.dtype().scalar_name()
        )));
    }
    if index.numel() != source.numel() {
        return Err(Error::runtime(format!(
            "put_(): Expected source and index to have the same number of elements, but got source.numel() = {}, index.numel() = {}",
            source.numel(),
            index.numel()
        )));
    }
    let (index, source) = (ops::view::reshape(index, &[-1])?, ops::view::reshape(source, &[-1])?);
    let shape: Vec<i64> = x.shape().iter().map(|&n| n as i64).collect();
    let apart = [&index, &source].iter().all(|t| !t.storage().same(&x.storage()));
    if apart && x.is_contiguous() && !x.is_flipped() && !autograd::needs_grad([x, &source]) {
        autograd::check_in_place(x)?;
        let flat = x.dense_as(&[x.numel()]);
        return super::indexing::index_put_(&flat, &[Some(index)], &source, accumulate);
    }
    ops::arith::replace_with(x, &[&source], true, |before| {
        let flat = ops::view::reshape(before, &[-1])?;
        let put = super::indexing::index_put(&flat, &[Some(index.clone())], &source, accumulate)?;
        ops::view::reshape(&put, &shape)
    })
}

/// `x.nonzero()`: one index per row, i64.
pub fn nonzero(x: &Tensor) -> Result<Tensor> {
    if x.device().is_meta() {
        return Err(Error::not_implemented("nonzero on a meta tensor is not implemented"));
    }
    if x.dtype().is_complex() {
        return nonzero(&ops::transfer::nonzero(x)?);
    }
    let count = ops::reduce::logical(&x.detach(), ReduceOp::CountNonzero, &[], false)?;
    let count = crate::shape::size(ops::transfer::item(&count, crate::trace::Why::Index)?.as_i64())?;
    // The coordinates along one dimension are next to each other.
    let mut layout = Layout::contiguous(&[x.ndim(), count]);
    layout.shape.reverse();
    layout.strides.reverse();
    let out = Tensor::empty_with(layout, DType::I64, x.device(), false)?;
    if out.numel() > 0 {
        let (a, b) = (Pin::of(x), Pin::of(&out));
        engine::current().launch(x.device(), &Kernel::Nonzero { x: a.view()?, out: b.view()? })?;
    }
    Ok(out)
}

/// `x.nonzero(as_tuple=True)`: one index tensor per dimension.
pub(crate) fn nonzero_tuple(x: &Tensor) -> Result<Vec<Tensor>> {
    let x = if x.ndim() == 0 { x.alias(Layout { offset: x.offset(), ..Layout::contiguous(&[1]) }) } else { x.detach() };
    let rows = nonzero(&x)?;
    (0..x.ndim()).map(|d| ops::create::contiguous(&ops::view::select(&rows, 1, d as i64)?)).collect()
}

/// `torch.masked_select(x, mask)`.
///
/// # Errors
/// A mask on another device, or with a dtype other than bool.
pub fn masked_select(x: &Tensor, mask: &Tensor) -> Result<Tensor> {
    device::checked(&rows::MASKED_SELECT, &[Some(x), Some(mask)])?;
    if mask.dtype() != DType::Bool {
        return Err(Error::runtime("masked_select: expected BoolTensor for mask"));
    }
    let shape = crate::shape::broadcast(&mask.shape(), &x.shape())?;
    let wanted: Vec<i64> = shape.iter().map(|&d| d as i64).collect();
    let x = ops::view::expand(x, &wanted)?;
    let indices = nonzero_tuple(&ops::view::expand(&mask.detach(), &wanted)?)?;
    let x = if x.ndim() == 0 { ops::view::unsqueeze(&x, 0)? } else { x };
    super::indexing::Gathered::leading(&x, indices).get(&x, rows::MASKED_SELECT.node)
}
