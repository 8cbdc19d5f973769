//! Shapes, strides and the index arithmetic of views.

use smallvec::SmallVec;

use crate::error::{Error, Result};

/// Sizes or strides, one a dimension. Sizes and strides count elements, never bytes.
pub type Dims = SmallVec<[usize; 5]>;

/// How a tensor lies in its storage. Strides may be 0 (broadcast), never negative.
#[derive(Debug, PartialEq, Eq)]
pub struct Layout {
    pub shape: Dims,
    pub strides: Dims,
    /// Elements from the start of the storage.
    pub offset: usize,
}

/// By copying the words at once: the derived implementation would push them one by one, several times an operator.
impl Clone for Layout {
    fn clone(&self) -> Layout {
        Layout { shape: Dims::from_slice(&self.shape), strides: Dims::from_slice(&self.strides), offset: self.offset }
    }
}

impl Layout {
    pub fn contiguous(shape: &[usize]) -> Layout {
        Layout { shape: Dims::from_slice(shape), strides: contiguous_strides(shape), offset: 0 }
    }

    pub fn ndim(&self) -> usize {
        self.shape.len()
    }

    pub fn numel(&self) -> usize {
        self.shape.iter().product()
    }

    /// Row-major without gaps; dimensions of size 1 may have any stride, as in PyTorch.
    pub fn is_contiguous(&self) -> bool {
        is_contiguous(&self.shape, &self.strides)
    }

    /// One past the highest element index touched, 0 when empty.
    pub fn end(&self) -> usize {
        if self.numel() == 0 {
            return 0;
        }
        self.offset + self.shape.iter().zip(&self.strides).map(|(&n, &s)| (n - 1) * s).sum::<usize>() + 1
    }

    /// Strides that walk this layout as `shape`, which it must broadcast to.
    pub fn broadcast_strides(&self, shape: &[usize]) -> Dims {
        let lead = shape.len() - self.ndim();
        let mut out: Dims = SmallVec::from_elem(0, shape.len());
        for (i, (&size, &stride)) in self.shape.iter().zip(&self.strides).enumerate() {
            out[lead + i] = if size == 1 && shape[lead + i] != 1 { 0 } else { stride };
        }
        out
    }
}

/// Row-major without gaps; dimensions of size 1 may have any stride, as in PyTorch.
pub fn is_contiguous(shape: &[usize], strides: &[usize]) -> bool {
    let mut expected = 1;
    for (&size, &stride) in shape.iter().zip(strides).rev() {
        if size == 0 {
            return true;
        }
        if size != 1 {
            if stride != expected {
                return false;
            }
            expected *= size;
        }
    }
    true
}

pub fn contiguous_strides(shape: &[usize]) -> Dims {
    let mut strides: Dims = SmallVec::from_elem(1, shape.len());
    let mut step = 1usize;
    for i in (0..shape.len()).rev() {
        strides[i] = step;
        step = step.saturating_mul(shape[i].max(1));
    }
    strides
}

/// Number of elements, or PyTorch's overflow error. More than this machine can address are refused too: in a browser 2 Gi.
pub fn checked_numel(shape: &[usize]) -> Result<usize> {
    shape
        .iter()
        .try_fold(1usize, |n, &d| n.checked_mul(d))
        .filter(|&n| n <= isize::MAX as usize && n as u64 <= i64::MAX as u64 / 8)
        .ok_or_else(|| Error::runtime(format!("Storage size calculation overflowed with sizes={}", show(shape))))
}

/// The broadcast of two shapes, or PyTorch's error.
pub fn broadcast(a: &[usize], b: &[usize]) -> Result<Dims> {
    let n = a.len().max(b.len());
    let mut out: Dims = SmallVec::from_elem(1, n);
    for i in (0..n).rev() {
        let x = if i + a.len() >= n { a[i + a.len() - n] } else { 1 };
        let y = if i + b.len() >= n { b[i + b.len() - n] } else { 1 };
        out[i] = match (x, y) {
            (x, y) if x == y => x,
            (1, y) => y,
            (x, 1) => x,
            _ => {
                return Err(Error::runtime(format!(
                    "The size of tensor a ({x}) must match the size of tensor b ({y}) at non-singleton dimension {i}"
                )));
            }
        };
    }
    Ok(out)
}

/// `[2, 3]`, as error texts show a shape.
pub fn show(shape: &[usize]) -> String {
    let parts: Vec<String> = shape.iter().map(usize::to_string).collect();
    format!("[{}]", parts.join(", "))
}

/// A dimension index that may be negative, or PyTorch's `IndexError`. A 0-dim tensor accepts -1 and 0.
pub fn wrap_dim(dim: i64, ndim: usize) -> Result<usize> {
    let n = ndim.max(1) as i64;
    if dim < -n || dim >= n {
        return Err(Error::index(format!(
            "Dimension out of range (expected to be in range of [{}, {}], but got {dim})",
            -n,
            n - 1
        )));
    }
    Ok(if dim < 0 { dim + n } else { dim } as usize)
}

/// As [`wrap_dim`], for operators that need a dimension: a 0-dim tensor has none.
pub fn wrap_own_dim(dim: i64, ndim: usize) -> Result<usize> {
    match ndim {
        0 => Err(Error::index(format!("Dimension specified as {dim} but tensor has no dimensions"))),
        _ => wrap_dim(dim, ndim),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn broadcasts() {
        assert_eq!(broadcast(&[2, 1], &[3]).unwrap().as_slice(), [2, 3]);
        assert_eq!(
            broadcast(&[2, 3], &[4]).unwrap_err().to_string(),
            "The size of tensor a (3) must match the size of tensor b (4) at non-singleton dimension 1"
        );
    }

    #[test]
    fn size_one_dimensions_do_not_break_contiguity() {
        let l = Layout { shape: Dims::from_slice(&[3, 1]), strides: Dims::from_slice(&[1, 99]), offset: 0 };
        assert!(l.is_contiguous());
    }
}
