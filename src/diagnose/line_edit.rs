//! Edits of the failing line, for programs that can't be parsed.

use super::line::{Kind, arguments, assigned_call, device_variable, is_changed_in_place, reads, tokens};
use super::met::Met;
use super::{Failure, Fix, Operand};

/// The tensors of the failing line that are on `wrong` and may be the mistake. If it's clear which one, only that one.
pub(super) fn culprits<'a>(failure: &Failure<'a>, wrong: &str, elementwise: bool) -> Vec<&'a Operand> {
    let Some((_, line)) = failure.failing() else { return Vec::new() };
    // An elementwise operation allows a 0-dim CPU tensor, so it isn't the mistake.
    let at_fault =
        |operand: &&Operand| operand.device == wrong && !(elementwise && operand.shape.is_empty() && wrong == "cpu");
    let in_line = |operand: &&Operand| !reads(line, &operand.name).is_empty();
    let mut tensors: Vec<&Operand> = failure.operands.iter().filter(at_fault).filter(in_line).collect();
    if tensors.len() > 1 && !elementwise {
        // If there are several, keep those with which the module itself is called.
        tensors.retain(|tensor| failure.operands.iter().any(|o| is_argument(line, module(line, o), &tensor.name)));
    }
    tensors
}

/// Moves whatever is on the wrong device: a tensor where it's used, a module where it's made.
pub(super) fn join(failure: &Failure<'_>, met: &Met<'_>) -> Option<Fix> {
    let (wrong, wanted) = met.sides();
    let (number, line) = failure.failing()?;
    let in_line = |operand: &&Operand| !reads(line, &operand.name).is_empty();
    let right: Vec<&Operand> = failure.operands.iter().filter(|o| o.device == wanted).filter(in_line).collect();
    let tensors = culprits(failure, wrong, met.elementwise());
    match tensors[..] {
        [tensor] if is_changed_in_place(line, &tensor.name) => {
            // Its device is fixed, so the other tensor must move.
            let [other] = right[..] else { return None };
            moved(number, line, &other.name, &format!("{}.device", tensor.name))
        }
        [tensor] => moved(number, line, &tensor.name, &destination(failure, number, right.first().copied(), wanted)),
        [] => {
            let mut modules: Vec<&str> =
                failure.operands.iter().filter(|o| o.device == wrong).filter_map(|o| module(line, o)).collect();
            modules.dedup();
            let [module] = modules[..] else { return None };
            place(failure, number, module, wanted)
        }
        _ => None,
    }
}

/// The only tensor of the line on a given device.
pub(super) fn named<'a>(failure: &Failure<'a>, device: &str, elementwise: bool) -> Option<&'a str> {
    match culprits(failure, device, elementwise)[..] {
        [operand] => Some(&operand.name),
        _ => None,
    }
}

/// How to write the device that a tensor should move to.
fn destination(failure: &Failure<'_>, line: u32, right: Option<&Operand>, wanted: &str) -> String {
    match (right, device_variable(failure.source, line)) {
        (Some(operand), _) => format!("{}.device", operand.name),
        (None, Some(variable)) if wanted.starts_with("cuda") => variable.to_string(),
        _ => quoted(wanted),
    }
}

/// `"cuda"` for the first GPU, as programs write it.
pub(super) fn quoted(device: &str) -> String {
    format!("\"{}\"", if device == "cuda:0" { "cuda" } else { device })
}

/// The line with `.to(…)` added after `name`, if it's read only once.
pub(super) fn moved(number: u32, line: &str, name: &str, to: &str) -> Option<Fix> {
    let reads = reads(line, name);
    let [range] = &reads[..] else { return None };
    let after = format!("{}.to({to}){}", &line[..range.end], &line[range.end..]);
    Some(Fix { line: number, before: line.to_string(), after })
}

/// The variable of the module to which a parameter belongs, if the line calls it: `model` for `model.0.weight`.
fn module<'a>(line: &str, operand: &'a Operand) -> Option<&'a str> {
    let mut name = operand.name.as_str();
    while let Some((shorter, _)) = name.rsplit_once('.') {
        name = shorter;
        if arguments(line, name).is_some() {
            return Some(name);
        }
    }
    None
}

/// Whether `tensor` is a complete argument in a call of `module`.
fn is_argument(line: &str, module: Option<&str>, tensor: &str) -> bool {
    let Some(range) = module.and_then(|module| arguments(line, module)) else { return false };
    line[range].split(',').any(|argument| argument.trim() == tensor)
}

/// Adds `.to(…)` to the statement that makes a module, if nothing else in the program moves that module.
fn place(failure: &Failure<'_>, failing: u32, module: &str, wanted: &str) -> Option<Fix> {
    let moves = ["to", "cuda", "cpu"].map(|method| format!("{module}.{method}"));
    let is_moved = |line: &str| tokens(line).iter().any(|token| moves.iter().any(|name| token.text == name));
    if failure.source.lines().any(is_moved) {
        return None;
    }
    let (first, last) = assigned_call(failure.source, module)?;
    if first >= failing {
        return None;
    }
    let line = failure.text(last)?;
    let to = destination(failure, first, None, wanted);
    Some(Fix { line: last, before: line.to_string(), after: format!("{}.to({to})", line.trim_end()) })
}

/// Replaces the only string literal of the line for which `replace` returns something.
pub(super) fn literal(number: u32, line: &str, replace: impl Fn(&str) -> Option<String>) -> Option<Fix> {
    let mut found = tokens(line)
        .into_iter()
        .filter(|token| token.kind == Kind::Text)
        .filter_map(|token| Some((token.range, replace(token.text)?)));
    let (Some((range, text)), None) = (found.next(), found.next()) else { return None };
    let after = format!("{}{text}{}", &line[..range.start], &line[range.end..]);
    Some(Fix { line: number, before: line.to_string(), after })
}
