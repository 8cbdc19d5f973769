//! Matrix products: the vendor's library where it has one, our own kernel for the rest.

use super::super::launch::{Launch, Number, address, cpp};
use super::super::source;
use super::{Sink, elementwise};
use crate::dtype::{DType, Scalar};
use crate::executor::{Done, View};

/// A batch of matrices as BLAS sees them: column-major, perhaps transposed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stored {
    pub address: u64,
    /// Elements from one column (as stored) to the next.
    pub leading: usize,
    /// Elements from one matrix to the next.
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
}

/// The matrices of a view [B, rows, cols] as BLAS reads the transpose of each: [cols, rows] in columns. `None` where neither
/// dimension is dense.
fn stored(view: &View<'_>) -> Done<Option<Stored>> {
    let (rows, cols) = (view.shape[1], view.shape[2]);
    let [batch, row, col] = [view.strides[0], view.strides[1], view.strides[2]];
    let address = address(view)?;
    let batch = if view.shape[0] == 1 { 0 } else { batch };
    // Rows dense: the memory is the transpose in columns.
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

/// The product that BLAS would do, if it can read and write these views as they lie.
fn product(a: &View<'_>, c: &View<'_>, alpha: f64, beta: f64, out: &View<'_>) -> Done<Option<Product>> {
    if !out.dtype.is_float() || a.dtype != out.dtype || c.dtype != out.dtype {
        return Ok(None);
    }
    let (Some(left), Some(right), Some(to)) = (stored(c)?, stored(a)?, stored(out)?) else { return Ok(None) };
    let limit = i32::MAX as usize;
    let sizes = [out.shape[0], out.shape[1], out.shape[2], a.shape[2], left.leading, right.leading, to.leading];
    if to.transposed || sizes.iter().any(|&s| s > limit) || a.shape[2] == 0 {
        return Ok(None);
    }
    // Several results in one place would be a race; BLAS refuses it too.
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
    }))
}

/// True if two views are the same elements in the same order.
fn same(a: &View<'_>, b: &View<'_>) -> Done<bool> {
    Ok(address(a)? == address(b)? && a.strides == b.strides && a.dtype == b.dtype)
}

pub fn matmul(
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
    if let Some(product) = product(a, c, alpha, if bias.is_some() { beta } else { 0.0 }, out)? {
        // BLAS adds to what is in the result, so the bias is put there first.
        if sink.has_products() {
            if let Some(bias) = bias
                && !same(bias, out)?
            {
                elementwise::copy(bias, out, sink)?;
            }
            return sink.product(&product);
        }
    }
    own(a, c, bias, alpha, beta, out, sink)
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
    let mut l = Launch::new(&source::MATMUL, "matmul");
    l.instance(format_args!(
        "{},{},{},{},{},{}",
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
    l.blocks((rows.div_ceil(64) * cols.div_ceil(64)) as u64).blocks_y(batch);
    sink.dispatch(l)
}
