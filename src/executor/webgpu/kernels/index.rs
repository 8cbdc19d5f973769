//! Reading by index, and the indices of nonzero elements.

use super::{Sink, WORKGROUP, missing, without};
use crate::dtype::DType;
use crate::executor::webgpu::buffers::GpuBuffer;
use crate::executor::webgpu::launch::{Access, Launch, class};
use crate::executor::webgpu::source;
use crate::executor::{Done, Fault, View};
use crate::shape::Dims;

/// `index` has `out`'s shape.
pub(super) fn gather(sink: &dyn Sink, x: &View<'_>, dim: usize, index: &View<'_>, out: &View<'_>) -> Done {
    let mut l = Launch::new(&source::INDEX);
    l.entry = "main_gather";
    l.set("C", class(x.dtype).letter());
    let (rest, stride) = without(&x.strides, dim);
    l.read("x", x, x.dtype);
    l.read("index", index, DType::I64);
    l.write("out", out, x.dtype);
    l.reports_to(sink.fault_buffer());
    l.walk("at", &out.shape, &[("x", &rest), ("index", &index.strides), ("out", &out.strides)]);
    l.u32("stride", stride);
    l.u32("size", x.shape.get(dim).copied().unwrap_or(1));
    l.u32("dim", dim);
    l.threads(out.numel(), WORKGROUP);
    sink.dispatch(l)
}

/// Writes the sum of index * stride over the indexed dimensions to scratch memory: one word for each position of the
/// common shape.
pub(super) fn places(sink: &dyn Sink, target: &View<'_>, indices: &[View<'_>], common: &[usize]) -> Done<GpuBuffer> {
    let count: usize = common.iter().product();
    let place = sink.storage(count)?;
    for (dim, index) in indices.iter().enumerate() {
        let mut l = Launch::new(&source::INDEX);
        l.entry = "main_place";
        l.set("LATER", if dim > 0 { "true" } else { "false" });
        l.read("index", index, DType::I64);
        l.buffer("place", &place, DType::I32, DType::I32, Access::Write, 0);
        l.reports_to(sink.fault_buffer());
        let strides =
            crate::shape::Layout { shape: index.shape.clone(), strides: index.strides.clone(), offset: index.offset }
                .broadcast_strides(common);
        l.walk("at", common, &[("index", &strides)]);
        l.u32("stride", target.strides[dim]);
        l.u32("size", target.shape[dim]);
        l.u32("dim", dim);
        l.threads(count, WORKGROUP);
        sink.dispatch(l)?;
    }
    Ok(place)
}

/// The strides of `place` and of the indexed tensor over a shape [common.., rest..].
pub(super) fn place_strides(target: &View<'_>, indexed: usize, common: &[usize]) -> (Dims, Dims) {
    let rest = &target.strides[indexed..];
    let mut place = crate::shape::contiguous_strides(common);
    place.extend(rest.iter().map(|_| 0));
    let mut own: Dims = common.iter().map(|_| 0).collect();
    own.extend_from_slice(rest);
    (place, own)
}

/// The common shape: the dimensions before those that aren't indexed.
pub(super) fn common<'s>(shape: &'s [usize], target: &View<'_>, indexed: usize) -> Done<&'s [usize]> {
    let rest = target.shape.len().saturating_sub(indexed);
    shape
        .len()
        .checked_sub(rest)
        .and_then(|n| shape.get(..n))
        .ok_or_else(|| Fault::Unsupported("advanced indexing into a result of fewer dimensions".into()))
}

pub(super) fn index(sink: &dyn Sink, x: &View<'_>, indices: &[View<'_>], out: &View<'_>) -> Done {
    let common = common(&out.shape, x, indices.len())?;
    let place = places(sink, x, indices, common)?;
    let (place_strides, rest) = place_strides(x, indices.len(), common);
    let mut l = Launch::new(&source::INDEX);
    l.entry = "main_pick";
    l.set("C", class(x.dtype).letter());
    l.read("x", x, x.dtype);
    l.buffer("place", &place, DType::I32, DType::I32, Access::Read, 0);
    l.write("out", out, x.dtype);
    l.walk("at", &out.shape, &[("x", &rest), ("place", &place_strides), ("out", &out.strides)]);
    l.threads(out.numel(), WORKGROUP);
    sink.dispatch(l)
}

pub(super) fn triangle(sink: &dyn Sink, upper: bool, diagonal: i64, x: &View<'_>, out: &View<'_>) -> Done {
    let [.., rows, columns] = out.shape[..] else {
        return Err(missing("triangle", x.dtype));
    };
    let mut l = Launch::new(&source::INDEX);
    l.entry = "main_triangle";
    l.set("C", class(x.dtype).letter());
    l.set("KEEP", if upper { "ahead >= 0" } else { "ahead <= 0" });
    l.read("x", x, x.dtype);
    l.write("out", out, x.dtype);
    l.walk("at", &out.shape, &[("x", &x.strides), ("out", &out.strides)]);
    l.u32("rows", rows);
    l.u32("columns", columns);
    // Outside the matrix, all diagonals are alike.
    let most = (rows + columns) as i64;
    l.scalar("diagonal", crate::dtype::Scalar::Int(diagonal.clamp(-most, most)), DType::I32);
    l.threads(out.numel(), WORKGROUP);
    sink.dispatch(l)
}

/// Elements that one invocation counts.
const BLOCK: usize = 256;

pub(super) fn nonzero(sink: &dyn Sink, x: &View<'_>, out: &View<'_>) -> Done {
    let n = x.numel();
    let rank = x.shape.len();
    if n == 0 || rank == 0 || out.numel() == 0 {
        return Ok(());
    }
    let blocks = n.div_ceil(BLOCK);
    let counts = sink.storage(blocks)?;
    for entry in ["main_count", "main_offsets", "main_write"] {
        let mut l = Launch::new(&source::NONZERO);
        l.entry = entry;
        l.buffer("counts", &counts, DType::I32, DType::I32, Access::Write, 0);
        if entry == "main_offsets" {
            l.u32("n", blocks);
            l.workgroups(1, 1);
            sink.dispatch(l)?;
            continue;
        }
        l.read("x", x, DType::Bool);
        l.walk("at", &x.shape, &[("x", &x.strides)]);
        l.u32("block", BLOCK);
        l.u32("length", n);
        if entry == "main_write" {
            l.write("out", out, DType::I64);
            l.u32("rows", out.shape[0]);
            l.u32("rank", rank);
            l.list("shape", &x.shape);
            l.u32("row_stride", out.strides[0]);
            l.u32("column_stride", out.strides[1]);
        }
        l.threads(blocks, WORKGROUP);
        sink.dispatch(l)?;
    }
    Ok(())
}
