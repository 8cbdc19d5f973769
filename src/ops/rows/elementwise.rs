//! The elementwise operators and the reductions, out of the tables in `functions`.

use super::{FUNCTION, Family, Gives, IN_PLACE, IN_PLACE_FUNCTION, METHOD, Operator, Out, Policy, Saves};
use crate::executor::{BinaryOp, ReduceOp, TernaryOp, UnaryOp};
use crate::functions::{binary_functions, reductions, ternary_functions, unary_functions};
use crate::ops::signature::DEPRECATED;

const ONE: &[&str] = &["(Tensor input, *, Tensor out=None)"];
const TENSORS: &[&str] = &["(Tensor input, Tensor other, *, Tensor out=None)"];
const NUMBER_TO: &[&str] = &["(Tensor input, Tensor other, *, Tensor out=None)", "(Tensor input, Scalar other)"];
const NUMBER_OR_TENSOR: &[&str] =
    &["(Tensor input, Tensor other, *, Tensor out=None)", "(Tensor input, Scalar other, *, Tensor out=None)"];
const NUMBER_ON_EITHER_SIDE: &[&str] = &[
    "(Tensor input, Tensor other, *, Tensor out=None)",
    "(Scalar self, Tensor other)",
    "(Tensor input, Scalar other, *, Tensor out=None)",
];
const NUMBER_OR_TENSOR_METHOD: &[&str] = &["(Tensor other)", "(Scalar other)"];

/// An operator on one tensor that keeps its dtype.
const fn same(name: &'static str, doc: &'static str, node: &'static str) -> Operator {
    Operator::new(name, doc).node(node).elementwise().takes(ONE).forms(FUNCTION | METHOD | IN_PLACE | IN_PLACE_FUNCTION)
}

/// An operator on one tensor that computes in floating point.
const fn float(name: &'static str, doc: &'static str, node: &'static str) -> Operator {
    same(name, doc, node).gives(Gives::Float)
}

/// A function of neural networks, which isn't a method.
const fn layer(name: &'static str, doc: &'static str, node: &'static str) -> Operator {
    same(name, doc, node).forms(FUNCTION)
}

/// An operator with a bool result.
const fn question(name: &'static str, doc: &'static str) -> Operator {
    same(name, doc, "").gives(Gives::Bool).takes(&["(Tensor input)"]).forms(FUNCTION | METHOD)
}

/// An operator on two tensors or numbers.
const fn two(name: &'static str, doc: &'static str, node: &'static str) -> Operator {
    Operator::new(name, doc).node(node).elementwise().takes(TENSORS).forms(FUNCTION | METHOD | IN_PLACE)
}

const fn compare(name: &'static str, doc: &'static str) -> Operator {
    two(name, doc, "").gives(Gives::Bool).takes(NUMBER_OR_TENSOR).free()
}

const fn bits(name: &'static str, doc: &'static str) -> Operator {
    two(name, doc, "").gives(Gives::Integer).takes(NUMBER_ON_EITHER_SIDE).method(NUMBER_OR_TENSOR_METHOD)
}

/// Of the elements along dimensions.
const fn reduction(name: &'static str, doc: &'static str, node: &'static str) -> Operator {
    Operator::new(name, doc).node(node)
}

/// A kernel that operators use. It has the name of a node, but no name of its own.
const fn kernel(node: &'static str) -> Operator {
    Operator::new("", "").node(node).elementwise().gives(Gives::Float).forms(0)
}

macro_rules! rows {
    ($table:ident $how:ident $op:ident: $($(#[$about:meta])* $variant:ident $({ $($field:ident: $kind:ty = $example:expr),* })? $row:ident $name:literal => $operator:expr;)*) => {
        $(pub static $row: Operator = rows!(@family $how $op::$variant $({ $($field)* })?, $operator);)*

        pub(super) static $table: &[&Operator] = &[$(&$row,)*];

        impl $op {
            /// The operator that this kernel computes.
            pub(crate) fn row(self) -> &'static Operator {
                match self { $($op::$variant { .. } => &$row,)* }
            }
        }
    };
    (@family Own $op:ident::$variant:ident $({ $($field:ident)* })?, $operator:expr) => { $operator };
    (@family $how:ident $op:ident::$variant:ident { $($field:ident)* }, $operator:expr) => { $operator };
    (@family $how:ident $op:ident::$variant:ident, $operator:expr) => { $operator.family(Family::$how($op::$variant)) };
}

macro_rules! unary_rows { ($($rows:tt)*) => { rows! { UNARY Unary $($rows)* } } }
macro_rules! binary_rows { ($($rows:tt)*) => { rows! { BINARY Binary $($rows)* } } }
macro_rules! reduction_rows { ($($rows:tt)*) => { rows! { REDUCTIONS Reduction $($rows)* } } }
macro_rules! ternary_rows { ($($rows:tt)*) => { rows! { TERNARY Own $($rows)* } } }

unary_functions!(unary_rows);
binary_functions!(binary_rows);
ternary_functions!(ternary_rows);
reductions!(reduction_rows);

/// Division whose result always has fractions.
pub(crate) static TRUE_DIVIDE: Operator = two("true_divide", "`a / b`", DIV.node)
    .below(DIV.name)
    .numbers()
    .takes(NUMBER_TO)
    .family(Family::Binary(BinaryOp::Div));

/// `mul` under its long name. Its signature says that it takes numbers.
pub(crate) static MULTIPLY: Operator =
    two("multiply", MUL.doc, MUL.node).below(MUL.name).numbers().takes(NUMBER_TO).family(Family::Binary(BinaryOp::Mul));

/// `div` under its long name.
pub(crate) static DIVIDE: Operator = two("divide", DIV.doc, DIV.node).below(DIV.name).numbers().takes(&[
    "(Tensor input, Tensor other, *, Tensor out=None)",
    "(Tensor input, Tensor other, *, c10::string_view? rounding_mode, Tensor out=None)",
    "(Tensor input, Scalar other)",
    "(Tensor input, Scalar other, *, c10::string_view? rounding_mode)",
]);

/// `sub` under its long name.
pub(crate) static SUBTRACT: Operator = two("subtract", SUB.doc, SUB.node).below(SUB.name).numbers().takes(&[
    "(Tensor input, Tensor other, *, Scalar alpha=1, Tensor out=None)",
    "(Tensor input, Scalar other, Scalar alpha=1)",
]);

/// Elementwise operators that use kernels of others.
pub(super) static MORE: &[&Operator] = &[&TRUE_DIVIDE, &MULTIPLY, &DIVIDE, &SUBTRACT];
