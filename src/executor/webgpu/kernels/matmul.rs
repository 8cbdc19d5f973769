//! Matrix products, and which kernel computes them.

use super::{Sink, WORKGROUP, arithmetic};
use crate::dtype::{DType, Scalar};
use crate::executor::webgpu::launch::{Class, Launch};
use crate::executor::webgpu::source;
use crate::executor::{Done, Fault, View};

/// The entry points of `matmul.wgsl`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    /// One output for each invocation.
    Single,
    /// 4 by 4 outputs for each invocation, in registers.
    Blocked,
    /// 64 by 64 outputs for each workgroup, with tiles in shared memory.
    Tiled,
}

/// For software adapters, the usual advice is wrong: they run a workgroup's invocations one after the other, so
/// barriers and shared memory only cost time.
pub(super) fn choose(software: bool, class: Class, batch: usize, rows: usize, columns: usize, depth: usize) -> Way {
    let blocks = batch * rows.div_ceil(4) * columns.div_ceil(4);
    if class != Class::F || rows < 4 || columns < 4 {
        return Way::Single;
    }
    if software {
        return Way::Blocked;
    }
    if rows >= 32 && columns >= 32 && depth >= 16 {
        Way::Tiled
    } else if blocks >= 4096 {
        Way::Blocked
    } else {
        // Too few blocks to fill a GPU: having more invocations helps more than reusing values.
        Way::Single
    }
}

pub(super) fn matmul(
    sink: &dyn Sink,
    a: &View<'_>,
    c: &View<'_>,
    bias: Option<&View<'_>>,
    [alpha, beta]: [f64; 2],
    out: &View<'_>,
) -> Done {
    let class = arithmetic(out.dtype)?;
    let ([batch, rows, depth], [_, _, columns]) = (three(&a.shape)?, three(&c.shape)?);
    let way = choose(sink.is_software(), class, batch, rows, columns, depth);
    let mut l = Launch::new(&source::MATMUL);
    l.set_type("T", out.dtype);
    l.set("C", class.letter());
    l.read("a", a, a.dtype);
    l.read("c", c, c.dtype);
    match bias {
        Some(bias) => l.read("bias", bias, bias.dtype),
        None => l.constant("bias", Scalar::Int(0), out.dtype),
    }
    l.write("out", out, out.dtype);
    strides(&mut l, ["ab", "am", "ak"], &a.strides)?;
    strides(&mut l, ["cb", "ck", "cn"], &c.strides)?;
    strides(&mut l, ["bb", "bm", "bn"], bias.map_or(&[0, 0, 0], |b| &b.strides[..]))?;
    strides(&mut l, ["ob", "om", "on"], &out.strides)?;
    l.u32("rows", rows);
    l.u32("columns", columns);
    l.u32("depth", depth);
    // float16 and bfloat16 scale in float32, as PyTorch does.
    let scale = if class == Class::F { DType::F32 } else { out.dtype };
    l.scalar("alpha", Scalar::Float(alpha), scale);
    l.scalar("beta", Scalar::Float(beta), scale);
    match way {
        Way::Single => {
            l.entry = "main_single";
            l.threads(batch * rows * columns, WORKGROUP);
        }
        Way::Blocked => {
            l.entry = "main_blocked";
            l.threads(batch * rows.div_ceil(4) * columns.div_ceil(4), WORKGROUP);
        }
        Way::Tiled => {
            l.entry = "main_tiled";
            l.u32("batch", batch);
            l.workgroups(batch * rows.div_ceil(64) * columns.div_ceil(64), 256);
        }
    }
    sink.dispatch(l)
}

fn three(dims: &[usize]) -> Done<[usize; 3]> {
    dims.try_into().map_err(|_| Fault::Unsupported("matmul of views that have not three dimensions".into()))
}

fn strides(l: &mut Launch<'_>, names: [&'static str; 3], strides: &[usize]) -> Done {
    for (name, stride) in names.into_iter().zip(three(strides)?) {
        l.u32(name, stride);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_adapter_and_the_shape_choose_the_kernel() {
        assert_eq!(choose(true, Class::F, 1, 256, 256, 256), Way::Blocked);
        assert_eq!(choose(false, Class::F, 1, 256, 256, 256), Way::Tiled);
        assert_eq!(choose(false, Class::F, 1, 64, 10, 128), Way::Single);
        assert_eq!(choose(true, Class::F, 1, 1, 512, 512), Way::Single);
        assert_eq!(choose(false, Class::L, 1, 256, 256, 256), Way::Single);
        assert_eq!(choose(false, Class::F, 64, 256, 16, 16), Way::Blocked);
    }
}
