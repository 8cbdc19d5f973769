//! Outdated ways to call a few operators, in which a number comes before the tensors that it scales: `x.add_(2, y)`. They are
//! turned into today's way, and the first one of a program is warned of.
//!
//! Source: tools/autograd/deprecated.yaml in PyTorch 2.15.

use rustpython_vm::{PyObjectRef, PyResult, VirtualMachine};

use super::parse::{is_number, is_scalar};
use super::tensor::tensor_of;
use crate::ops::rows::Operator;

/// Where the numbers of an outdated way are.
#[derive(Clone, Copy)]
pub(super) enum Order {
    /// `input, number, tensor, …`, with the number's name and how many tensors there are.
    After(&'static str, usize),
    /// `beta, input, [alpha,] tensor, tensor`.
    Around,
}

/// The outdated way to call a function.
#[derive(Clone, Copy)]
pub(super) struct Way {
    name: &'static str,
    order: Order,
    operator: Option<&'static Operator>,
}

/// The outdated way to call a function, if it has one.
pub(super) fn way(name: &'static str, operator: Option<&'static Operator>) -> Option<Way> {
    order(name).map(|order| Way { name, order, operator })
}

fn order(name: &str) -> Option<Order> {
    Some(match name.strip_suffix('_').unwrap_or(name) {
        "add" | "sub" => Order::After("alpha", 1),
        "addcmul" | "addcdiv" => Order::After("value", 2),
        "addmm" | "addmv" | "addr" | "addbmm" | "baddbmm" => Order::Around,
        _ => return None,
    })
}

/// A call in today's way.
pub(super) struct Call {
    pub args: Vec<PyObjectRef>,
    pub positional: usize,
    pub names: Vec<PyObjectRef>,
}

/// Today's way of a call that is in the outdated one, if its function has one. Keywords other than `out` were never part of that.
///
/// # Errors
/// A program may turn the warning into an error.
#[inline]
pub(super) fn renewed(
    way: Option<Way>,
    method: bool,
    args: &[PyObjectRef],
    positional: usize,
    names: Option<&[PyObjectRef]>,
    vm: &VirtualMachine,
) -> PyResult<Option<Call>> {
    way.map_or(Ok(None), |way| way.renewed(method, args, positional, names, vm))
}

impl Way {
    fn renewed(
        self,
        method: bool,
        args: &[PyObjectRef],
        positional: usize,
        names: Option<&[PyObjectRef]>,
        vm: &VirtualMachine,
    ) -> PyResult<Option<Call>> {
        let Way { name, order, operator } = self;
        let names = names.unwrap_or_default();
        let out = match names {
            [] => false,
            [only] => !method && super::convert::text(only) == Some("out"),
            _ => return Ok(None),
        };
        if !names.is_empty() && !out {
            return Ok(None);
        }
        let given = &args[..positional];
        let number = |at: usize| is_number(&given[at], vm) || is_scalar(&given[at]);
        // The places of the input, the other tensors, and the numbers with their names.
        let (tensors, numbers): (Vec<usize>, Vec<(&str, usize)>) = match (order, given.len()) {
            (Order::After(name, count), n) if n == count + 2 => {
                ([0].into_iter().chain(2..n).collect(), vec![(name, 1)])
            }
            (Order::Around, 4) => match method {
                true => (vec![0, 2, 3], vec![("beta", 1)]),
                false => (vec![1, 2, 3], vec![("beta", 0)]),
            },
            (Order::Around, 5) => match method {
                true => (vec![0, 3, 4], vec![("beta", 1), ("alpha", 2)]),
                false => (vec![1, 3, 4], vec![("beta", 0), ("alpha", 2)]),
            },
            _ => return Ok(None),
        };
        if !tensors.iter().all(|at| tensor_of(&given[*at]).is_some()) || !numbers.iter().all(|(_, at)| number(*at)) {
            return Ok(None);
        }
        if let Some(operator) = operator {
            super::error::warn_once_of("outdated", &text(name, operator, method, &tensors, &numbers), vm)?;
        }
        let mut renewed: Vec<PyObjectRef> = tensors.iter().map(|at| given[*at].clone()).collect();
        let positional = renewed.len();
        renewed.extend(numbers.iter().map(|(_, at)| given[*at].clone()));
        renewed.extend(args[given.len()..].iter().cloned());
        let keywords = numbers.iter().map(|(name, _)| PyObjectRef::from(vm.ctx.new_str(*name)));
        Ok(Some(Call { args: renewed, positional, names: keywords.chain(names.iter().cloned()).collect() }))
    }
}

/// What PyTorch says of the first outdated call.
fn text(name: &str, operator: &Operator, method: bool, tensors: &[usize], numbers: &[(&str, usize)]) -> String {
    let ways = if method { operator.method_signatures() } else { operator.function_signatures() };
    let (hidden, first) = (usize::from(method), &ways[0]);
    let mut parts: Vec<(usize, String)> =
        tensors.iter().zip(&first.params).map(|(at, param)| (*at, format!("Tensor {}", param.name))).collect();
    parts.extend(numbers.iter().map(|(name, at)| (*at, format!("Number {name}"))));
    parts.sort();
    let mut parts: Vec<String> = parts.into_iter().skip(hidden).map(|(_, part)| part).collect();
    if first.takes("out") {
        parts.push("*, Tensor out = None".into());
    }
    let shown: Vec<String> =
        ways.iter().filter(|way| !way.hidden).map(|way| format!("\n\t{name}{}", way.shown(hidden))).collect();
    format!(
        "This overload of {name} is deprecated:\n\t{name}({})\nConsider using one of the following signatures instead:{}",
        parts.join(", "),
        shown.join("")
    )
}
