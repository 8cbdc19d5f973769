//! Kernels on complex tensors.
//!
//! A complex number is two reals side by side, the real part first. A kernel that only moves numbers, or that treats both
//! parts alike, becomes a kernel on reals: on both parts at once, as a last dimension of 2, or on one part after the other.
//! Such kernels run on every executor. Of the others (products, quotients, absolute values, ...) the host has some. Every
//! executor refuses those that it doesn't have, with the names of the operator and the dtype.

use smallvec::{SmallVec, smallvec};

use crate::dtype::{DType, Scalar};
use crate::executor::{BinaryOp, Done, Fault, Kernel, Operand, ReduceOp, ScanOp, ScatterOp, TernaryOp, UnaryOp, View};

/// Launches a kernel with `launch`. A kernel on complex numbers is split into kernels on their parts if that's
/// possible.
pub fn launch(kernel: &Kernel<'_>, mut launch: impl FnMut(&Kernel<'_>) -> Done) -> Done {
    match dtype(kernel).and_then(|_| parts(kernel)) {
        Some(parts) => parts.iter().try_for_each(launch),
        None => launch(kernel),
    }
}

/// The first complex dtype among a kernel's operands, if there is one.
pub fn dtype(kernel: &Kernel<'_>) -> Option<DType> {
    let mut found = None;
    kernel.views(&mut |v| {
        if found.is_none() && v.dtype.is_complex() {
            found = Some(v.dtype);
        }
    });
    let mut number = false;
    kernel.numbers(&mut |n| number |= matches!(n, Scalar::Complex(..)));
    found.or(number.then_some(DType::C128))
}

/// The fault for a kernel that an executor doesn't have for complex numbers.
pub fn refused(kernel: &Kernel<'_>, dtype: DType) -> Fault {
    Fault::Unsupported(format!("{} of {dtype}", kernel.name()))
}

/// Complex elements as reals: both parts in a last dimension of 2.
pub fn both<'a>(v: &View<'a>) -> View<'a> {
    let mut both = part(v, 0);
    both.shape.push(2);
    both.strides.push(1);
    both
}

/// The real (0) or imaginary (1) parts of complex elements.
fn part<'a>(v: &View<'a>, which: usize) -> View<'a> {
    View {
        buffer: v.buffer,
        dtype: v.dtype.part(),
        shape: v.shape.clone(),
        // For a single element the stride is never used, so it may wrap when it's doubled.
        strides: v.strides.iter().map(|stride| stride.wrapping_mul(2)).collect(),
        offset: v.offset.wrapping_mul(2).wrapping_add(which),
    }
}

/// An index that both parts share.
fn shared<'a>(index: &View<'a>) -> View<'a> {
    let mut shared = index.clone();
    shared.shape.push(2);
    shared.strides.push(0);
    shared
}

/// One part of an operand; the imaginary part of a real one is 0.
fn of_operand<'a>(o: &Operand<'a>, which: usize) -> Operand<'a> {
    match o {
        Operand::View(v) if v.dtype.is_complex() => Operand::View(part(v, which)),
        Operand::View(v) if which == 0 => Operand::View(v.clone()),
        Operand::View(_) => Operand::Scalar(Scalar::Float(0.0)),
        Operand::Scalar(value) => Operand::Scalar(of_number(*value, which)),
    }
}

fn of_number(value: Scalar, which: usize) -> Scalar {
    let (re, im) = value.as_complex();
    Scalar::Float(if which == 0 { re } else { im })
}

type Parts<'a> = SmallVec<[Kernel<'a>; 2]>;

/// The one or two kernels on reals that do the same as this kernel; `None` if there are none.
fn parts<'a>(kernel: &Kernel<'a>) -> Option<Parts<'a>> {
    let twice = |kernel: &dyn Fn(usize) -> Kernel<'a>| -> Option<Parts<'a>> { Some(smallvec![kernel(0), kernel(1)]) };
    let complex = |views: &[&View<'_>]| views.iter().all(|v| v.dtype.is_complex());
    let scaled = |op: &BinaryOp| match op {
        BinaryOp::Add | BinaryOp::Sub => true,
        BinaryOp::Axpy { alpha } => !matches!(alpha, Scalar::Complex(..)),
        _ => false,
    };
    Some(match kernel {
        Kernel::Fill { out, value } if complex(&[out]) => {
            return twice(&|i| Kernel::Fill { out: part(out, i), value: of_number(*value, i) });
        }
        Kernel::Copy { src, out } => match (src.dtype.is_complex(), out.dtype.is_complex()) {
            (true, true) => smallvec![Kernel::Copy { src: both(src), out: both(out) }],
            // The real part alone doesn't tell whether a complex number is 0.
            (true, false) if out.dtype == DType::Bool => return None,
            (true, false) => smallvec![Kernel::Copy { src: part(src, 0), out: out.clone() }],
            (false, _) => smallvec![
                Kernel::Copy { src: src.clone(), out: part(out, 0) },
                Kernel::Fill { out: part(out, 1), value: Scalar::Float(0.0) },
            ],
        },
        Kernel::Cat { parts, dim, out } if complex(&[out]) && parts.iter().all(|part| part.dtype.is_complex()) => {
            smallvec![Kernel::Cat { parts: parts.iter().map(both).collect(), dim: *dim, out: both(out) }]
        }
        Kernel::Unary { op: UnaryOp::Neg, x, compute, out } if complex(&[x, out]) => {
            smallvec![Kernel::Unary { op: UnaryOp::Neg, x: both(x), compute: compute.part(), out: both(out) }]
        }
        Kernel::Binary { op, a, b, compute, out } if scaled(op) && complex(&[out]) => match (a, b) {
            (Operand::View(a), Operand::View(b)) if complex(&[a, b]) => smallvec![Kernel::Binary {
                op: *op,
                a: Operand::View(both(a)),
                b: Operand::View(both(b)),
                compute: compute.part(),
                out: both(out),
            }],
            _ => {
                return twice(&|i| Kernel::Binary {
                    op: *op,
                    a: of_operand(a, i),
                    b: of_operand(b, i),
                    compute: compute.part(),
                    out: part(out, i),
                });
            }
        },
        Kernel::Ternary { op: TernaryOp::Where, a, b, c, compute, out } if complex(&[out]) => {
            let condition = match a {
                Operand::View(v) if v.dtype.is_complex() => return None,
                other => other,
            };
            return twice(&|i| Kernel::Ternary {
                op: TernaryOp::Where,
                a: condition.clone(),
                b: of_operand(b, i),
                c: of_operand(c, i),
                compute: compute.part(),
                out: part(out, i),
            });
        }
        Kernel::Reduce { op: op @ (ReduceOp::Sum | ReduceOp::Mean), x, dims, compute, out } if complex(&[x, out]) => {
            let mut dims = dims.clone();
            dims.push(false);
            smallvec![Kernel::Reduce { op: *op, x: both(x), dims, compute: compute.part(), out: both(out) }]
        }
        Kernel::Scan { op: ScanOp::Sum, x, dim, out } if complex(&[x, out]) => {
            smallvec![Kernel::Scan { op: ScanOp::Sum, x: both(x), dim: *dim, out: both(out) }]
        }
        Kernel::IndexSelect { x, dim, index, out } if complex(&[x, out]) => {
            smallvec![Kernel::IndexSelect { x: both(x), dim: *dim, index: index.clone(), out: both(out) }]
        }
        Kernel::IndexAdd { out, dim, index, src, alpha } if complex(&[src, out]) => smallvec![Kernel::IndexAdd {
            out: both(out),
            dim: *dim,
            index: index.clone(),
            src: both(src),
            alpha: *alpha,
        }],
        Kernel::Gather { x, dim, index, out } if complex(&[x, out]) => {
            smallvec![Kernel::Gather { x: both(x), dim: *dim, index: shared(index), out: both(out) }]
        }
        Kernel::Scatter { op: op @ (ScatterOp::Set | ScatterOp::Add), out, dim, index, src } if complex(&[out]) => {
            match src {
                Operand::View(src) if !src.dtype.is_complex() => return None,
                _ => {
                    return twice(&|i| Kernel::Scatter {
                        op: *op,
                        out: part(out, i),
                        dim: *dim,
                        index: index.clone(),
                        src: of_operand(src, i),
                    });
                }
            }
        }
        Kernel::Index { x, indices, out } if complex(&[x, out]) => {
            smallvec![Kernel::Index { x: both(x), indices: indices.clone(), out: both(out) }]
        }
        Kernel::IndexPut { out, indices, src, accumulate } if complex(&[out]) => match src {
            Operand::View(src) if !src.dtype.is_complex() => return None,
            _ => {
                return twice(&|i| Kernel::IndexPut {
                    out: part(out, i),
                    indices: indices.clone(),
                    src: of_operand(src, i),
                    accumulate: *accumulate,
                });
            }
        },
        Kernel::Flip { x, dims, out } if complex(&[x, out]) => {
            let mut dims = dims.clone();
            dims.push(false);
            smallvec![Kernel::Flip { x: both(x), dims, out: both(out) }]
        }
        Kernel::Triangle { upper, diagonal, x, out } if complex(&[x, out]) => {
            return twice(&|i| Kernel::Triangle {
                upper: *upper,
                diagonal: *diagonal,
                x: part(x, i),
                out: part(out, i),
            });
        }
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::executor::Buffer;
    use crate::executor::Compute;
    use crate::executor::cpu::CpuExecutor;
    use crate::shape::{Dims, contiguous_strides};

    fn buffer(cpu: &CpuExecutor, dtype: DType, parts: &[f32]) -> Buffer {
        let bytes: Vec<u8> = match dtype {
            DType::I64 => parts.iter().flat_map(|&v| (v as i64).to_le_bytes()).collect(),
            _ => parts.iter().flat_map(|v| v.to_le_bytes()).collect(),
        };
        let buffer = cpu.allocate(bytes.len() / dtype.size(), dtype).unwrap();
        cpu.write(&buffer, 0, &bytes).unwrap();
        buffer
    }

    fn view<'a>(buffer: &'a Buffer, shape: &[usize]) -> View<'a> {
        let strides = contiguous_strides(shape);
        View { buffer, dtype: buffer.dtype, shape: Dims::from_slice(shape), strides, offset: 0 }
    }

    fn parts_of(cpu: &CpuExecutor, buffer: &Buffer) -> Vec<f32> {
        let mut bytes = vec![0; buffer.numel * 8];
        cpu.read(buffer, 0, &mut bytes).unwrap();
        bytes.as_chunks::<4>().0.iter().map(|b| f32::from_le_bytes(*b)).collect()
    }

    #[test]
    fn both_parts_go_the_same_way() {
        let cpu = CpuExecutor::new();
        let run = |kernel: Kernel<'_>| super::launch(&kernel, |part| cpu.launch(part)).unwrap();
        // [[1+2i, 3+4i], [5+6i, 7+8i]]
        let x = buffer(&cpu, DType::C64, &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]);
        let out = buffer(&cpu, DType::C64, &[0.0; 8]);
        let mut turned = view(&x, &[2, 2]);
        turned.strides.reverse();
        run(Kernel::Copy { src: turned.clone(), out: view(&out, &[2, 2]) });
        assert_eq!(parts_of(&cpu, &out), [1.0, 2.0, 5.0, 6.0, 3.0, 4.0, 7.0, 8.0]);
        let index = buffer(&cpu, DType::I64, &[1.0, 1.0, 0.0, 0.0]);
        run(Kernel::Gather { x: turned, dim: 0, index: view(&index, &[2, 2]), out: view(&out, &[2, 2]) });
        assert_eq!(parts_of(&cpu, &out), [3.0, 4.0, 7.0, 8.0, 1.0, 2.0, 5.0, 6.0]);
        let src = Operand::Scalar(Scalar::Complex(0.5, -0.5));
        let indices = vec![view(&index, &[2])];
        run(Kernel::IndexPut { out: view(&out, &[2, 2]), indices, src: src.clone(), accumulate: true });
        assert_eq!(parts_of(&cpu, &out)[4..], [2.0, 1.0, 6.0, 5.0]);
        run(Kernel::Scatter {
            op: ScatterOp::Set,
            out: view(&out, &[2, 2]),
            dim: 0,
            index: view(&index, &[1, 2]),
            src,
        });
        assert_eq!(parts_of(&cpu, &out)[4..], [0.5, -0.5, 0.5, -0.5]);
        run(Kernel::Triangle { upper: true, diagonal: 0, x: view(&x, &[2, 2]), out: view(&out, &[2, 2]) });
        assert_eq!(parts_of(&cpu, &out), [1.0, 2.0, 3.0, 4.0, 0.0, 0.0, 7.0, 8.0]);
        let alone = buffer(&cpu, DType::F32, &[9.0, 10.0, 11.0, 12.0]);
        run(Kernel::Copy { src: view(&alone, &[2, 2]), out: view(&out, &[2, 2]) });
        assert_eq!(parts_of(&cpu, &out), [9.0, 0.0, 10.0, 0.0, 11.0, 0.0, 12.0, 0.0]);
        let sum = buffer(&cpu, DType::C64, &[0.0; 4]);
        let (dims, compute) = (vec![true, false], DType::C64);
        run(Kernel::Reduce { op: ReduceOp::Sum, x: view(&x, &[2, 2]), dims, compute, out: view(&sum, &[1, 2]) });
        assert_eq!(parts_of(&cpu, &sum), [6.0, 8.0, 10.0, 12.0]);
    }

    #[test]
    fn what_there_is_not_is_refused() {
        let cpu = CpuExecutor::new();
        let x = buffer(&cpu, DType::C64, &[1.0, 2.0]);
        let y = buffer(&cpu, DType::F32, &[1.0]);
        let refused = |kernel: Kernel<'_>| super::launch(&kernel, |part| cpu.launch(part)).unwrap_err();
        let error = Kernel::Unary { op: UnaryOp::Erf, x: view(&x, &[1]), compute: DType::C64, out: view(&x, &[1]) };
        assert_eq!(refused(error), Fault::Unsupported("erf of torch.complex64".into()));
        // A real output has no room for an imaginary part.
        let fill = Kernel::Fill { out: view(&y, &[1]), value: Scalar::Complex(1.0, 1.0) };
        assert_eq!(refused(fill), Fault::Unsupported("fill of torch.complex128".into()));
    }
}
