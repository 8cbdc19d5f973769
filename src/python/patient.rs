//! Integers that grow for minutes: Stop is heard while they do.
//!
//! The interpreter looks for Stop between its instructions, and `10 ** 10 ** 9` is one. Where a result is long, it's put together
//! here from pieces that take a fraction of a second each.

use std::cell::Cell;

use rustpython_vm::builtins::PyInt;
use rustpython_vm::function::FuncArgs;
use rustpython_vm::{PyObject, PyObjectRef, PyResult, VirtualMachine};

use super::{interrupt, large};

type Power = fn(&PyObject, &PyObject, &PyObject, &VirtualMachine) -> PyResult;

/// A function's result, or `None` if the original function, its second argument, returns soon enough.
type Patient = fn(&FuncArgs, &PyObjectRef, &VirtualMachine) -> PyResult<Option<PyObjectRef>>;

thread_local! {
    /// The interpreter's own `**` of integers.
    static POWER: Cell<Option<Power>> = const { Cell::new(None) };
}

/// Factors that have more bits than this in total are multiplied in pieces.
const PIECE: u64 = 1 << 24;

/// `math` multiplies fewer numbers than this by itself: that takes milliseconds.
const FEW: i64 = 20_000;

/// Guards classes of this thread.
pub(super) fn guard_classes(vm: &VirtualMachine) {
    let slot = &vm.ctx.types.int_type.slots.as_number.power;
    POWER.set(slot.load());
    slot.store(Some(power));
}

/// Guards the functions of this interpreter's `math`.
pub(super) fn guard(vm: &VirtualMachine) -> PyResult<()> {
    let Ok(math) = vm.import("math", 0) else { return Ok(()) };
    let functions: [(&'static str, Patient); 5] =
        [("factorial", factorial), ("perm", permutations), ("comb", combinations), ("gcd", fold), ("lcm", fold)];
    for (name, patient) in functions {
        let Ok(before) = math.get_attr(name, vm) else { continue };
        let guarded = move |args: FuncArgs, vm: &VirtualMachine| -> PyResult {
            match patient(&args, &before, vm)? {
                Some(result) => Ok(result),
                None => before.call(args, vm),
            }
        };
        math.set_attr(name, vm.new_function(name, guarded), vm)?;
    }
    Ok(())
}

fn bits(number: &PyObject) -> u64 {
    number.downcast_ref::<PyInt>().map_or(0, |number| number.as_bigint().bits())
}

/// An argument that counts. Of any other the function says what is wrong.
fn argument(args: &FuncArgs, at: usize, vm: &VirtualMachine) -> Option<i64> {
    args.args.get(at)?.downcast_ref::<PyInt>()?.try_to_primitive::<i64>(vm).ok().filter(|&n| n >= 0)
}

fn multiply(a: &PyObjectRef, b: &PyObjectRef, vm: &VirtualMachine) -> PyResult {
    interrupt::count(vm)?;
    let (of_a, of_b) = (bits(a), bits(b));
    if of_a + of_b <= PIECE {
        return vm._mul(a, b);
    }
    interrupt::poll(vm)?;
    let (long, short, half) = if of_a > of_b { (a, b, of_a / 2) } else { (b, a, of_b / 2) };
    let half: PyObjectRef = vm.ctx.new_int(half).into();
    let upper = vm._rshift(long, &half)?;
    let shifted = vm._lshift(&upper, &half)?;
    let lower = vm._sub(long, &shifted)?;
    let (upper, lower) = (multiply(&upper, short, vm)?, multiply(&lower, short, vm)?);
    let upper = vm._lshift(&upper, &half)?;
    vm._add(&upper, &lower)
}

fn power(base: &PyObject, exponent: &PyObject, modulus: &PyObject, vm: &VirtualMachine) -> PyResult {
    let times = exponent.downcast_ref::<PyInt>().and_then(|n| n.try_to_primitive::<u64>(vm).ok());
    let is_long = |times: u64| {
        let size = u128::from(bits(base)) * u128::from(times);
        // A power of two has its bit set, no more.
        let twos = base.downcast_ref::<PyInt>().and_then(|base| base.as_bigint().trailing_zeros());
        (size > u128::from(PIECE) && vm.is_none(modulus) && bits(base) > twos.map_or(0, |twos| twos + 1))
            .then_some(size)
    };
    let Some((times, size)) = times.and_then(|times| Some((times, is_long(times)?))) else {
        return match POWER.get() {
            Some(before) => before(base, exponent, modulus, vm),
            None => Ok(vm.ctx.not_implemented()),
        };
    };
    large::ask(size / 4, vm)?;
    let base = base.to_owned();
    let mut result = base.clone();
    for bit in (0..times.ilog2()).rev() {
        result = multiply(&result, &result, vm)?;
        if times >> bit & 1 == 1 {
            result = multiply(&result, &base, vm)?;
        }
    }
    Ok(result)
}

/// `first * ... * last`.
fn product(first: i64, last: i64, vm: &VirtualMachine) -> PyResult {
    if last - first > 8 {
        let middle = first + (last - first) / 2;
        let (lower, upper) = (product(first, middle, vm)?, product(middle + 1, last, vm)?);
        return multiply(&lower, &upper, vm);
    }
    (first..=last).try_fold(vm.ctx.new_int(1).into(), |all, n| multiply(&all, &vm.ctx.new_int(n).into(), vm))
}

fn factorial(args: &FuncArgs, _before: &PyObjectRef, vm: &VirtualMachine) -> PyResult<Option<PyObjectRef>> {
    match argument(args, 0, vm) {
        Some(n) if n > FEW && args.args.len() == 1 && args.kwargs.is_empty() => product(1, n, vm).map(Some),
        _ => Ok(None),
    }
}

fn permutations(args: &FuncArgs, _before: &PyObjectRef, vm: &VirtualMachine) -> PyResult<Option<PyObjectRef>> {
    let Some(n) = argument(args, 0, vm) else { return Ok(None) };
    let k = match args.args.get(1) {
        Some(k) if !vm.is_none(k) => argument(args, 1, vm),
        _ => Some(n),
    };
    match k {
        Some(k) if k > FEW && k <= n && args.args.len() <= 2 && args.kwargs.is_empty() => {
            product(n - k + 1, n, vm).map(Some)
        }
        _ => Ok(None),
    }
}

fn combinations(args: &FuncArgs, _before: &PyObjectRef, vm: &VirtualMachine) -> PyResult<Option<PyObjectRef>> {
    let (Some(n), Some(k)) = (argument(args, 0, vm), argument(args, 1, vm)) else { return Ok(None) };
    let k = k.min(n.saturating_sub(k));
    if k <= FEW || args.args.len() != 2 || !args.kwargs.is_empty() {
        return Ok(None);
    }
    let (above, below) = (product(n - k + 1, n, vm)?, product(1, k, vm)?);
    vm._floordiv(&above, &below).map(Some)
}

/// `gcd` and `lcm` of many numbers: of the first two, then of that and the third.
fn fold(args: &FuncArgs, before: &PyObjectRef, vm: &VirtualMachine) -> PyResult<Option<PyObjectRef>> {
    if args.args.len() < 3 || !args.kwargs.is_empty() {
        return Ok(None);
    }
    let mut numbers = args.args.iter().cloned();
    let Some(first) = numbers.next() else { return Ok(None) };
    let step = |all: PyObjectRef, number: PyObjectRef| {
        interrupt::count(vm)?;
        before.call((all, number), vm)
    };
    numbers.try_fold(first, step).map(Some)
}
