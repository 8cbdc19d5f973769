//! Fills, copies and elementwise functions.

use super::super::launch::{Launch, Number, Walk, address, cpp};
use super::super::source;
use super::{Sink, unsupported};
use crate::dtype::{DType, Scalar};
use crate::executor::{BinaryOp, Done, Operand, TernaryOp, UnaryOp, View};

/// From this many elements on, it pays to move several with one instruction. Below, the launch is most of the cost.
const PACKED: usize = 1024;

/// How the operands of one kernel are accessed, the output first.
struct Plan {
    walk: Walk,
    /// One of the four modes below for each operand.
    modes: smallvec::SmallVec<[u8; 4]>,
    /// How many elements a thread moves with one instruction; 1 unless every operand allows more.
    pack: usize,
}

// The modes of an operand, with the numbers that `shaders/elementwise.cu` defines and explains.
const NUMBER: u8 = 0;
const FIXED: u8 = 1;
const LINEAR: u8 = 2;
const STRIDED: u8 = 3;

impl Plan {
    fn new(out: &View<'_>, inputs: &[Option<&View<'_>>]) -> Done<Plan> {
        let zero: crate::shape::Dims = out.shape.iter().map(|_| 0).collect();
        let strides: smallvec::SmallVec<[&[usize]; 4]> = std::iter::once(&out.strides[..])
            .chain(inputs.iter().map(|v| v.map_or(&zero[..], |v| &v.strides[..])))
            .collect();
        let mut walk = Walk::of(&out.shape, &strides);
        walk.check()?;
        let mut modes: smallvec::SmallVec<[u8; 4]> = smallvec::SmallVec::new();
        modes.push(if walk.is_dense(0) { LINEAR } else { STRIDED });
        for (k, input) in inputs.iter().enumerate() {
            modes.push(match input {
                None => NUMBER,
                Some(_) if walk.is_fixed(k + 1) => FIXED,
                Some(_) if walk.is_dense(k + 1) => LINEAR,
                Some(_) => STRIDED,
            });
        }
        let mut pack = 1;
        if !modes.contains(&STRIDED) {
            walk.shape.clear();
            walk.strides.iter_mut().for_each(|s| s.clear());
            let linear = || {
                let views = std::iter::once(Some(out)).chain(inputs.iter().copied());
                views.zip(&modes).filter(|(_, mode)| **mode == LINEAR).filter_map(|(view, _)| view)
            };
            let widest = linear().map(|v| v.dtype.size()).max().unwrap_or(8);
            let most = (16 / widest).min(8);
            let mut aligned = walk.count >= PACKED;
            for view in linear() {
                aligned &= address(view)?.is_multiple_of((most * view.dtype.size()) as u64);
            }
            if aligned {
                pack = most;
            }
        }
        Ok(Plan { walk, modes, pack })
    }

    /// `PACK, RANK, I` of the template arguments.
    fn shape(&self) -> String {
        format!("{},{},{}", self.pack, self.walk.rank(), self.walk.index())
    }

    fn finish(&self, mut launch: Launch, sink: &dyn Sink) -> Done {
        launch.walk(&self.walk).threads(self.walk.count.div_ceil(self.pack));
        sink.dispatch(launch)
    }
}

pub(super) fn fill(out: &View<'_>, value: Scalar, sink: &dyn Sink) -> Done {
    if out.numel() == 0 {
        return Ok(());
    }
    let plan = Plan::new(out, &[])?;
    let mut l = Launch::new(&source::FILL, "fill");
    l.instance(format_args!("{},{},{}", cpp(out.dtype), plan.modes[0], plan.shape()));
    l.view(out).number(Number::of(value, out.dtype));
    plan.finish(l, sink)
}

pub(super) fn arange(out: &View<'_>, start: Scalar, step: Scalar, sink: &dyn Sink) -> Done {
    let n = out.numel();
    if n == 0 {
        return Ok(());
    }
    let number = |s: Scalar| Number { real: s.as_f64(), whole: s.as_i64() };
    let is_whole = |s: Scalar| !matches!(s, Scalar::Float(_));
    let whole = is_whole(start) && is_whole(step) && out.dtype.is_integral();
    let mut l = Launch::new(&source::FILL, "arange");
    l.instance(format_args!("{},{whole}", cpp(out.dtype)));
    l.view(out).int(out.strides.first().copied().unwrap_or(1)).int(n);
    l.number(number(start)).number(number(step)).threads(n);
    sink.dispatch(l)
}

/// Copies elements, and converts them if the dtypes differ.
pub(super) fn copy(src: &View<'_>, out: &View<'_>, sink: &dyn Sink) -> Done {
    map("Identity", &[], src, src.dtype, out, sink)
}

fn map(op: &str, numbers: &[Number], x: &View<'_>, compute: DType, out: &View<'_>, sink: &dyn Sink) -> Done {
    if out.numel() == 0 {
        return Ok(());
    }
    let plan = Plan::new(out, &[Some(x)])?;
    let mut l = Launch::new(&source::UNARY, "unary");
    l.instance(format_args!(
        "{op},{},{},{},{},{},{}",
        cpp(x.dtype),
        cpp(out.dtype),
        cpp(compute),
        plan.modes[1],
        plan.modes[0],
        plan.shape()
    ));
    l.view(x).number(Number::default()).view(out).numbers(numbers);
    plan.finish(l, sink)
}

/// The bounds of a clamp in the compute dtype. A bound that isn't given becomes the lowest or the highest number.
fn bounds(min: Option<Scalar>, max: Option<Scalar>, compute: DType) -> [Number; 2] {
    [
        min.map_or(Number { real: f64::NEG_INFINITY, whole: i64::MIN }, |s| Number::of(s, compute)),
        max.map_or(Number { real: f64::INFINITY, whole: i64::MAX }, |s| Number::of(s, compute)),
    ]
}

/// The name of the operator's functor in `shaders/unary.cu`.
fn unary_name(op: UnaryOp) -> &'static str {
    op.variant()
}

/// True if the operator exists for a compute dtype.
fn unary_exists(op: UnaryOp, compute: DType) -> bool {
    if compute.is_float() {
        return op != UnaryOp::BitwiseNot;
    }
    matches!(
        op,
        UnaryOp::Neg
            | UnaryOp::Abs
            | UnaryOp::Sign
            | UnaryOp::Square
            | UnaryOp::Relu
            | UnaryOp::Threshold { .. }
            | UnaryOp::Clamp { .. }
            | UnaryOp::Floor
            | UnaryOp::Ceil
            | UnaryOp::Round
            | UnaryOp::Trunc
            | UnaryOp::NanToNum { .. }
            | UnaryOp::IsNan
            | UnaryOp::IsInf
            | UnaryOp::IsFinite
            | UnaryOp::LogicalNot
            | UnaryOp::BitwiseNot
    )
}

pub(super) fn unary(op: UnaryOp, x: &View<'_>, compute: DType, out: &View<'_>, sink: &dyn Sink) -> Done {
    if !unary_exists(op, compute) {
        return Err(unsupported(op.name(), compute));
    }
    let mut name = unary_name(op);
    let numbers: &[Number] = match op {
        UnaryOp::Softplus { beta, threshold } => &[beta.into(), threshold.into()],
        UnaryOp::Elu { alpha, scale, input_scale } => &[(alpha * scale).into(), scale.into(), input_scale.into()],
        UnaryOp::LeakyRelu { slope } => &[slope.into()],
        UnaryOp::Threshold { threshold, value } => &[threshold.into(), value.into()],
        UnaryOp::Clamp { min, max } => &bounds(min, max, compute),
        UnaryOp::NanToNum { nan, posinf, neginf } => &[nan.into(), posinf.into(), neginf.into()],
        UnaryOp::BitwiseNot if compute == DType::Bool => {
            name = "LogicalNot";
            &[]
        }
        _ => &[],
    };
    map(name, numbers, x, compute, out, sink)
}

/// How an operand is passed to a kernel: its view (`None` for a number), the dtype that the kernel reads, and the number
/// (unused for a view).
fn operand<'a, 'b>(operand: &'a Operand<'b>, compute: DType) -> (Option<&'a View<'b>>, DType, Number) {
    match operand {
        Operand::View(view) => (Some(view), view.dtype, Number::default()),
        Operand::Scalar(value) => (None, compute, Number::of(*value, compute)),
    }
}

/// The name of the operator's functor in `shaders/binary.cu`.
fn binary_name(op: BinaryOp) -> &'static str {
    op.variant()
}

fn binary_exists(op: BinaryOp, compute: DType) -> bool {
    use BinaryOp::*;
    let bitwise = matches!(op, BitAnd | BitOr | BitXor | Shl | Shr);
    if compute.is_float() {
        return !bitwise;
    }
    bitwise
        || matches!(
            op,
            Add | Sub
                | Mul
                | FloorDiv
                | TruncDiv
                | Remainder
                | Fmod
                | Pow
                | Maximum
                | Fmax
                | Minimum
                | Fmin
                | Axpy { .. }
                | Eq
                | Ne
                | Lt
                | Le
                | Gt
                | Ge
                | LogicalAnd
                | LogicalOr
                | LogicalXor
                | SquaredDifference
                | AbsDifference
                | ThresholdBackward { .. }
                | ClampBackward { .. }
        )
}

/// The functor for a power. Some exponents have their own, as in ATen's `pow_tensor_scalar`.
fn power(exponent: &Operand<'_>, compute: DType) -> &'static str {
    let Operand::Scalar(value) = exponent else { return "Pow" };
    if !compute.is_float() {
        return "Pow";
    }
    match value.as_f64() {
        2.0 => "PowTwo",
        3.0 => "PowThree",
        0.5 => "PowHalf",
        -0.5 => "PowMinusHalf",
        -1.0 => "PowMinusOne",
        -2.0 => "PowMinusTwo",
        _ => "Pow",
    }
}

pub(super) fn binary(
    op: BinaryOp,
    a: &Operand<'_>,
    b: &Operand<'_>,
    compute: DType,
    out: &View<'_>,
    sink: &dyn Sink,
) -> Done {
    if !binary_exists(op, compute) {
        return Err(unsupported(op.name(), compute));
    }
    if out.numel() == 0 {
        return Ok(());
    }
    let mut name = binary_name(op);
    let numbers: &[Number] = match op {
        BinaryOp::Pow => {
            name = power(b, compute);
            &[]
        }
        BinaryOp::Axpy { alpha } => &[Number::of(alpha, compute)],
        BinaryOp::Shl | BinaryOp::Shr => &[Number::from(compute.size() as i64 * 8)],
        BinaryOp::SmoothL1 { beta } => &[beta.into()],
        BinaryOp::Huber { delta } => &[delta.into()],
        BinaryOp::ThresholdBackward { threshold } => &[threshold.into()],
        BinaryOp::SoftplusBackward { beta, threshold } => &[beta.into(), threshold.into()],
        BinaryOp::EluBackward { alpha, scale, input_scale } => {
            &[(input_scale * alpha * scale).into(), scale.into(), input_scale.into()]
        }
        BinaryOp::LeakyReluBackward { slope } => &[slope.into()],
        BinaryOp::ClampBackward { min, max } => &bounds(min, max, compute),
        _ => &[],
    };
    let ((a, a_type, a_number), (b, b_type, b_number)) = (operand(a, compute), operand(b, compute));
    let plan = Plan::new(out, &[a, b])?;
    let mut l = Launch::new(&source::BINARY, "binary");
    l.instance(format_args!(
        "{name},{},{},{},{},{},{},{},{}",
        cpp(a_type),
        cpp(b_type),
        cpp(out.dtype),
        cpp(compute),
        plan.modes[1],
        plan.modes[2],
        plan.modes[0],
        plan.shape()
    ));
    l.option(a).option(b).number(a_number).number(b_number).view(out).numbers(numbers);
    plan.finish(l, sink)
}

/// The name of the operator's functor in `shaders/ternary.cu`.
fn ternary_name(op: TernaryOp) -> &'static str {
    op.variant()
}

pub(super) fn ternary(
    op: TernaryOp,
    operands: [&Operand<'_>; 3],
    compute: DType,
    out: &View<'_>,
    sink: &dyn Sink,
) -> Done {
    let whole = matches!(op, TernaryOp::Where | TernaryOp::Addcmul { .. } | TernaryOp::Clamp);
    if !compute.is_float() && !whole {
        return Err(unsupported(op.name(), compute));
    }
    if out.numel() == 0 {
        return Ok(());
    }
    let numbers: &[Number] = match op {
        TernaryOp::Where | TernaryOp::Lerp | TernaryOp::Clamp => &[],
        TernaryOp::Addcmul { value } | TernaryOp::Addcdiv { value } => &[Number::of(value, compute)],
        TernaryOp::MseBackward { factor } => &[(2.0 * factor).into()],
        TernaryOp::L1Backward { factor }
        | TernaryOp::BinaryCrossEntropyBackward { factor }
        | TernaryOp::BinaryCrossEntropyWithLogitsBackward { factor } => &[factor.into()],
        TernaryOp::SmoothL1Backward { beta, factor } => &[factor.into(), beta.into()],
        TernaryOp::HuberBackward { delta, factor } => &[factor.into(), delta.into()],
    };
    let first = if op == TernaryOp::Where { DType::Bool } else { compute };
    let [a, b, c] = operands;
    let (a, a_type, a_number) = operand(a, first);
    let ((b, b_type, b_number), (c, c_type, c_number)) = (operand(b, compute), operand(c, compute));
    let plan = Plan::new(out, &[a, b, c])?;
    let mut l = Launch::new(&source::TERNARY, "ternary");
    l.instance(format_args!(
        "{},{},{},{},{},{},{},{},{},{},{},{}",
        ternary_name(op),
        cpp(a_type),
        cpp(b_type),
        cpp(c_type),
        cpp(out.dtype),
        cpp(first),
        cpp(compute),
        plan.modes[1],
        plan.modes[2],
        plan.modes[3],
        plan.modes[0],
        plan.shape()
    ));
    l.option(a).option(b).option(c).number(a_number).number(b_number).number(c_number).view(out).numbers(numbers);
    plan.finish(l, sink)
}
