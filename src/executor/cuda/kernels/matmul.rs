//! Matrix products: the vendor's library if it has the product, otherwise our own kernel.

use std::rc::Rc;

use super::super::launch::{Launch, Number, address, cpp};
use super::super::source;
use super::tile::Tile;
use super::{Sink, elementwise};
use crate::dtype::{DType, Scalar};
use crate::executor::{Buffer, Done, View};

/// A batch of matrices in the form that BLAS uses: column-major, possibly transposed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stored {
    pub address: u64,
    /// The distance in elements from one stored column to the next.
    pub leading: usize,
    /// The distance in elements from one matrix to the next.
    pub batch: usize,
    pub transposed: bool,
}

/// `out = alpha * left @ right + beta * out`, all of one float dtype, in BLAS's column-major terms: our row-major `a @ c` is
/// their `cᵀ @ aᵀ`.
#[derive(Clone, Debug, PartialEq)]
pub struct Product {
    pub dtype: DType,
    pub batch: usize,
    /// Rows and columns of the column-major result, and the inner dimension.
    pub m: usize,
    pub n: usize,
    pub k: usize,
    pub left: Stored,
    pub right: Stored,
    pub out: Stored,
    pub alpha: f64,
    pub beta: f64,
    /// Whether float32 elements may be multiplied in TF32.
    pub tf32: bool,
    /// The address of `m` elements that are added to every column of the result: a bias row in our terms.
    pub bias: Option<u64>,
}

/// The matrices of a view [B, rows, cols], described so that BLAS reads each transposed: [cols, rows], column-major. `None`
/// if neither dimension is dense.
fn stored(view: &View<'_>) -> Done<Option<Stored>> {
    let (rows, cols) = (view.shape[1], view.shape[2]);
    let [batch, row, col] = [view.strides[0], view.strides[1], view.strides[2]];
    let address = address(view)?;
    let batch = if view.shape[0] == 1 { 0 } else { batch };
    // Dense rows: read column-major, the memory is the transpose.
    if (col == 1 || cols == 1) && (row >= cols.max(1) || rows == 1) {
        let leading = if rows == 1 { cols.max(1) } else { row };
        return Ok(Some(Stored { address, leading, batch, transposed: false }));
    }
    if (row == 1 || rows == 1) && (col >= rows.max(1) || cols == 1) {
        let leading = if cols == 1 { rows.max(1) } else { col };
        return Ok(Some(Stored { address, leading, batch, transposed: true }));
    }
    Ok(None)
}

/// The product as BLAS would compute it, if it can read and write these views in place.
fn product(a: &View<'_>, c: &View<'_>, alpha: f64, beta: f64, out: &View<'_>) -> Done<Option<Product>> {
    let (Some(left), Some(right), Some(to)) = (stored(c)?, stored(a)?, stored(out)?) else { return Ok(None) };
    let limit = i32::MAX as usize;
    let sizes = [out.shape[0], out.shape[1], out.shape[2], a.shape[2], left.leading, right.leading, to.leading];
    if to.transposed || sizes.iter().any(|&s| s > limit) {
        return Ok(None);
    }
    // Several results in one place would be a race. BLAS refuses that as well.
    if out.shape[0] > 1 && to.batch == 0 {
        return Ok(None);
    }
    Ok(Some(Product {
        dtype: out.dtype,
        batch: out.shape[0],
        m: out.shape[2],
        n: out.shape[1],
        k: a.shape[2],
        left,
        right,
        out: to,
        alpha,
        beta,
        tf32: false,
        bias: None,
    }))
}

/// The bias row that a product can add itself, under PyTorch's conditions: a single matrix with more than one row and
/// column, and a factor of 1.
fn row(bias: &View<'_>, beta: f64, product: &Product) -> Done<Option<u64>> {
    let dense = bias.strides[2] == 1 && bias.strides[1] == 0;
    let fits = product.batch == 1 && product.m > 1 && product.n > 1 && product.k > 1;
    if dense && fits && beta == 1.0 && bias.dtype == product.dtype { address(bias).map(Some) } else { Ok(None) }
}

/// A dense copy of a matrix that BLAS can't read in place; `None` if it can.
fn dense(view: &View<'_>, sink: &dyn Sink) -> Done<Option<Buffer>> {
    if stored(view)?.is_some() {
        return Ok(None);
    }
    let copy = Buffer::new(Rc::new(sink.scratch(view.numel() * view.dtype.size())?), view.numel(), view.dtype);
    elementwise::copy(view, &contiguous(&copy, view), sink)?;
    Ok(Some(copy))
}

/// A buffer as a view with the shape of another view.
fn contiguous<'b>(buffer: &'b Buffer, like: &View<'_>) -> View<'b> {
    let strides = crate::shape::contiguous_strides(&like.shape);
    View { buffer, dtype: like.dtype, shape: like.shape.clone(), strides, offset: 0 }
}

/// Whether two views have the same elements in the same order.
fn same(a: &View<'_>, b: &View<'_>) -> Done<bool> {
    Ok(address(a)? == address(b)? && a.strides == b.strides && a.dtype == b.dtype)
}

pub(super) fn matmul(
    a: &View<'_>,
    c: &View<'_>,
    bias: Option<&View<'_>>,
    alpha: f64,
    beta: f64,
    out: &View<'_>,
    sink: &dyn Sink,
) -> Done {
    if out.numel() == 0 {
        return Ok(());
    }
    let bias = bias.filter(|_| beta != 0.0);
    let factors = [alpha, if bias.is_some() { beta } else { 0.0 }];
    if sink.has_products() && by_library(a, c, bias, factors, sink.precision().products_in_tf32, out, sink)? {
        return Ok(());
    }
    own(a, c, bias, alpha, beta, out, sink)
}

/// Computes the product with the vendor's library, float32 in TF32 if that's allowed. Returns `false` if the library
/// has no such product.
pub(super) fn by_library(
    a: &View<'_>,
    c: &View<'_>,
    bias: Option<&View<'_>>,
    [alpha, beta]: [f64; 2],
    tf32: bool,
    out: &View<'_>,
    sink: &dyn Sink,
) -> Done<bool> {
    let float = out.dtype.is_float() && a.dtype == out.dtype && c.dtype == out.dtype;
    if !float || a.shape[2] == 0 || bias.is_some_and(|b| b.dtype != out.dtype) {
        return Ok(false);
    }
    let (a_copy, c_copy) = (dense(a, sink)?, dense(c, sink)?);
    let (a_dense, c_dense) = (a_copy.as_ref().map(|b| contiguous(b, a)), c_copy.as_ref().map(|b| contiguous(b, c)));
    let (a, c) = (a_dense.as_ref().unwrap_or(a), c_dense.as_ref().unwrap_or(c));
    let Some(product) = product(a, c, alpha, beta, out)? else { return Ok(false) };
    let product = Product { tf32, ..product };
    if let Some(bias) = bias {
        let row = row(bias, beta, &product)?;
        let fused = Product { bias: row, beta: 0.0, ..product.clone() };
        if row.is_some() && sink.adds_bias(&fused)? {
            sink.product(&fused)?;
            return Ok(true);
        }
        // BLAS adds to the content of the result, so the bias is copied there first.
        if !same(bias, out)? {
            elementwise::copy(bias, out, sink)?;
        }
    }
    sink.product(&product)?;
    Ok(true)
}

/// By `shaders/matmul.cu`.
fn own(
    a: &View<'_>,
    c: &View<'_>,
    bias: Option<&View<'_>>,
    alpha: f64,
    beta: f64,
    out: &View<'_>,
    sink: &dyn Sink,
) -> Done {
    let (batch, rows, cols, inner) = (out.shape[0], out.shape[1], out.shape[2], a.shape[2]);
    let operands = (a.dtype == c.dtype).then_some(a.dtype);
    let tile = Tile::new(operands, out.dtype, sink.precision().products_in_tf32, [rows, cols, batch], sink);
    let mut l = Launch::new(&source::MATMUL, "matmul");
    l.instance(format_args!(
        "{},{},{},{},{},{},{tile}",
        cpp(a.dtype),
        cpp(c.dtype),
        cpp(bias.map_or(out.dtype, |b| b.dtype)),
        cpp(out.dtype),
        a.strides[2] == 1 || a.strides[1] != 1,
        c.strides[1] == 1 && c.strides[2] != 1
    ));
    let steps = |v: &View<'_>| [v.strides[0] as u64, v.strides[1] as u64, v.strides[2] as u64];
    l.view(a).view(c).option(bias).view(out).int(batch).int(rows).int(cols).int(inner);
    l.words(&steps(a)).words(&steps(c)).words(&bias.map_or([0; 3], steps)).words(&steps(out));
    l.number(Number::of(Scalar::Float(alpha), out.dtype)).number(Number::of(Scalar::Float(beta), out.dtype));
    l.blocks(tile.count(rows, cols) as u64).blocks_y(batch);
    sink.dispatch(l)
}
