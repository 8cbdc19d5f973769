//! The order of a result's elements in memory: which strides an operator gives it.
//!
//! Sources: aten/src/ATen/TensorIterator.cpp, aten/src/ATen/ExpandUtils.cpp and c10/core/MemoryFormat.h in PyTorch 2.15.

use std::cmp::Ordering;

use super::create::is_dense;
use super::transfer::Format;
use crate::error::Result;
use crate::shape::{Dims, Layout, contiguous_strides};
use crate::tensor::Tensor;

/// What the strides of one operand say about two dimensions: `Less` if `a` is the faster one. None if they say nothing.
fn faster(shape: &[usize], strides: &[usize], a: usize, b: usize) -> Option<Ordering> {
    match (strides[a], strides[b]) {
        // A dimension that is broadcast has no place in an order.
        (0, _) | (_, 0) => None,
        (x, y) if x != y => Some(x.cmp(&y)),
        _ if shape[a] > shape[b] => Some(Ordering::Greater),
        _ => None,
    }
}

/// The strides of a result without gaps in which the dimensions are in the order of the operands' strides: the first operand
/// that tells two dimensions apart decides.
pub(super) fn ordered(shape: &[usize], operands: &[Dims]) -> Dims {
    let n = shape.len();
    let compare = |a: usize, b: usize| operands.iter().find_map(|strides| faster(shape, strides, a, b));
    // From the fastest dimension to the slowest. An insertion sort, because pairs may be undecided.
    let mut order: Dims = (0..n).rev().collect();
    for i in 1..n {
        let mut at = i;
        for before in (0..i).rev() {
            match compare(order[before], order[at]) {
                Some(Ordering::Greater) => {
                    order.swap(before, at);
                    at = before;
                }
                Some(_) => break,
                None => {}
            }
        }
    }
    let mut strides = contiguous_strides(shape);
    if order.iter().rev().copied().ne(0..n) {
        let mut step = 1usize;
        for &d in &order {
            strides[d] = step;
            step = step.saturating_mul(shape[d]);
        }
    }
    strides
}

/// The layout of an elementwise result of this shape. `numbers` is whether a Python number is among the operands.
pub(crate) fn elementwise(shape: &[usize], operands: &[&Tensor], numbers: bool) -> Layout {
    let plain = contiguous_strides(shape);
    let strictly = |t: &&Tensor| t.with_data(|_, l| l.shape.as_slice() == shape && l.strides == plain);
    if operands.iter().all(strictly) {
        return Layout { shape: Dims::from_slice(shape), strides: plain, offset: 0 };
    }
    let alike =
        operands.iter().all(|t| t.with_data(|_, l| l.shape.as_slice() == shape)) && !(numbers && !shape.is_empty());
    let strides = match alike.then(|| shared(operands)).flatten() {
        Some(strides) => strides,
        None => {
            let spread: Vec<Dims> = operands.iter().map(|t| t.with_data(|_, l| l.broadcast_strides(shape))).collect();
            ordered(shape, &spread)
        }
    };
    Layout { shape: Dims::from_slice(shape), strides, offset: 0 }
}

/// The strides of operands of one shape if they're all in the same order: row-major, channels last, or any other without gaps.
fn shared(operands: &[&Tensor]) -> Option<Dims> {
    let first = operands.first()?;
    let shape = first.shape();
    if operands.iter().all(|t| t.is_contiguous()) {
        return Some(contiguous_strides(&shape));
    }
    let last = match shape.len() {
        4 => Format::ChannelsLast,
        5 => Format::ChannelsLast3d,
        _ => Format::Preserve,
    };
    if last != Format::Preserve
        && operands.iter().all(|t| matches!(super::transfer::is_contiguous(t, last), Ok(true)))
        && let Ok(Some(layout)) = last.layout(&shape)
    {
        return Some(layout.strides);
    }
    let alike = operands.iter().all(|t| t.with_data(|_, l| is_dense(l)) && t.strides() == first.strides());
    alike.then(|| first.strides())
}

/// `preserve_format`: a layout's strides if they leave no gaps, otherwise those of the same order without gaps.
pub(crate) fn preserved(layout: &Layout) -> Layout {
    let strides = match is_dense(layout) {
        true => layout.strides.clone(),
        false => ordered(&layout.shape, std::slice::from_ref(&layout.strides)),
    };
    Layout { shape: layout.shape.clone(), strides, offset: 0 }
}

/// The memory format that a tensor's strides suggest: channels last for images and volumes that are in this order, otherwise
/// row-major.
pub(crate) fn suggested(layout: &Layout) -> Format {
    let (order, format): (&[usize], _) = match layout.ndim() {
        4 => (&[1, 3, 2, 0], Format::ChannelsLast),
        5 => (&[1, 4, 3, 2, 0], Format::ChannelsLast3d),
        _ => return Format::Contiguous,
    };
    let (shape, strides) = (&layout.shape, &layout.strides);
    if strides[1] == 0 {
        return Format::Contiguous;
    }
    let mut least = 0;
    for &d in order {
        // If batch and channels have one stride, the sizes of 1 between them leave open which order is meant.
        if shape[d] == 0 || strides[d] < least || (d == 0 && least == strides[1]) {
            return Format::Contiguous;
        }
        least = strides[d].saturating_mul(shape[d].max(1));
    }
    format
}

/// The format that all of these suggest; row-major if they differ.
pub(crate) fn joint(list: &[Tensor]) -> Format {
    let mut formats = list.iter().map(|t| t.with_data(|_, l| suggested(l)));
    let first = formats.next().unwrap_or(Format::Contiguous);
    if formats.all(|format| format == first) { first } else { Format::Contiguous }
}

/// A layout of this shape in a format; row-major if the format is for tensors of another rank.
pub(crate) fn of(shape: &[usize], format: Format) -> Layout {
    match format.layout(shape) {
        Ok(Some(layout)) => layout,
        _ => Layout::contiguous(shape),
    }
}

/// A layout of this shape in the format that `x` suggests.
pub(crate) fn like(shape: &[usize], x: &Tensor) -> Layout {
    of(shape, x.with_data(|_, l| suggested(l)))
}

/// A result in the format that `x` suggests: a copy if that isn't row-major. For operators whose kernels write row-major only.
pub(crate) fn placed_like(out: Tensor, x: &Tensor) -> Result<Tensor> {
    let layout = like(&out.shape(), x);
    if layout.strides == out.strides() {
        return Ok(out);
    }
    let placed = Tensor::empty_with(layout, out.dtype(), out.device(), false)?;
    super::transfer::copy_data(&placed, &out)?;
    Ok(placed)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layout(shape: &[usize], strides: &[usize]) -> Layout {
        Layout { shape: Dims::from_slice(shape), strides: Dims::from_slice(strides), offset: 0 }
    }

    fn order(shape: &[usize], operands: &[&[usize]]) -> Vec<usize> {
        let operands: Vec<Dims> = operands.iter().map(|strides| Dims::from_slice(strides)).collect();
        ordered(shape, &operands).to_vec()
    }

    /// As PyTorch 2.15 gave them.
    #[test]
    fn results_are_in_the_order_of_their_operands() {
        assert_eq!(order(&[4, 4, 6], &[&[2, 48, 8]]), [1, 24, 4]);
        assert_eq!(order(&[1, 5], &[&[1, 1]]), [1, 1]);
        assert_eq!(order(&[2, 3, 4], &[&[0, 4, 1]]), [12, 4, 1]);
        assert_eq!(order(&[3, 2, 4], &[&[4, 0, 1]]), [8, 4, 1]);
        assert_eq!(order(&[2, 3, 4], &[&[0, 1, 3], &[12, 4, 1]]), [12, 1, 3]);
        assert_eq!(order(&[2, 3, 4], &[&[12, 4, 1], &[0, 1, 3]]), [12, 4, 1]);
        assert_eq!(order(&[2, 3, 4], &[&[1, 0, 0], &[0, 1, 3]]), [12, 1, 3]);
        assert_eq!(preserved(&layout(&[2, 4, 3], &[0, 1, 4])).strides.to_vec(), [12, 1, 4]);
    }

    #[test]
    fn strides_suggest_a_format() {
        let suggests = |shape: &[usize], strides: &[usize]| suggested(&layout(shape, strides));
        assert_eq!(suggests(&[2, 3, 4, 5], &[60, 1, 15, 3]), Format::ChannelsLast);
        assert_eq!(suggests(&[2, 3, 4, 5], &[60, 20, 5, 1]), Format::Contiguous);
        assert_eq!(suggests(&[2, 3, 1, 1], &[3, 1, 1, 1]), Format::Contiguous);
        assert_eq!(suggests(&[2, 3, 1, 1], &[3, 1, 3, 3]), Format::ChannelsLast);
        assert_eq!(suggests(&[2, 3, 2, 4, 5], &[120, 1, 60, 15, 3]), Format::ChannelsLast3d);
        assert_eq!(suggests(&[2, 3], &[1, 2]), Format::Contiguous);
    }
}
