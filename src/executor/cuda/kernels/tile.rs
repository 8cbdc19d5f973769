//! How a matrix product is cut into tiles: see `shaders/product.cu`.

use super::super::launch::cpp;
use super::Sink;
use crate::dtype::DType;

/// The `MATH` and `SIDE` of a kernel.
#[derive(Debug, PartialEq)]
pub(super) struct Tile {
    math: &'static str,
    element: &'static str,
    pub side: usize,
}

impl Tile {
    /// The tile for `count` results of `rows` x `cols` in the dtype `out`. `operands` is the dtype of both operands, if it's
    /// the same. `tf32`: float32 may be multiplied in TF32.
    pub(super) fn new(operands: Option<DType>, out: DType, tf32: bool, size: [usize; 3], sink: &dyn Sink) -> Tile {
        let [rows, cols, count] = size;
        let has_tensor_cores = sink.capability().0 >= 8;
        let tensor = operands.filter(|&d| match d {
            DType::F16 | DType::BF16 => has_tensor_cores && out.is_float() && out != DType::F64,
            DType::F32 => has_tensor_cores && tf32 && out == DType::F32,
            _ => false,
        });
        let wide = out == DType::F64 || !out.is_float();
        let (math, element) = match tensor {
            Some(dtype) => ("Tensor", cpp(dtype)),
            None if out == DType::F64 => ("Fused", "f64"),
            None if wide => ("Fused", "i64"),
            None => ("Fused", "f32"),
        };
        // Large tiles read less memory, but there must be enough of them to fill the device.
        let large = rows.div_ceil(128) * cols.div_ceil(128) * count;
        let side = if !wide && rows > 64 && cols > 64 && large >= sink.multiprocessors() { 128 } else { 64 };
        Tile { math, element, side }
    }

    /// The number of tiles in one result.
    pub(super) fn count(&self, rows: usize, cols: usize) -> usize {
        rows.div_ceil(self.side) * cols.div_ceil(self.side)
    }
}

impl std::fmt::Display for Tile {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}<{}>,{}", self.math, self.element, self.side)
    }
}
