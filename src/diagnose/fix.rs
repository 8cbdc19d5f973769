//! The smallest edit, where one is sure.

use super::source::{self, Kind};
use super::text::Mistake;
use super::{Failure, Fix, Operand};

/// An edit of one line that removes this error.
pub fn find(mistake: &Mistake<'_>, rule: &str, failure: &Failure<'_>) -> Option<Fix> {
    match mistake {
        Mistake::Mixed { .. } if rule == "D14" => None,
        Mistake::Mixed { first, second } if rule == "D07" => as_buffer(failure, first, second),
        Mistake::Mixed { first, second } => {
            let (wrong, wanted) = if *first == "cpu" { (first, second) } else { (second, first) };
            join(failure, wrong, wanted, true)
        }
        Mistake::Argument { on, common, .. } => {
            let (wrong, wanted) = if *on == "cpu" || *common != "cpu" { (on, common) } else { (common, on) };
            join(failure, wrong, wanted, false)
        }
        Mistake::Convolution { input, other, .. } => two(failure, input, other),
        Mistake::Recurrent { input, other, .. } => two(failure, input, other),
        Mistake::Index { indexed } => index(failure, indexed),
        Mistake::Numpy { .. } => before_numpy(failure, ".cpu()"),
        Mistake::NumpyGrad => before_numpy(failure, ".detach()"),
        Mistake::NoCuda { .. } => agnostic(failure),
        Mistake::UnknownDevice { name } => known_device(failure, name),
        Mistake::Ordinal => first_device(failure),
        _ => None,
    }
}

/// The attribute of a module that stayed on the CPU because it is neither a parameter nor a buffer: its name without
/// `self.`, and the line of `__init__` that sets it, with the value.
pub fn plain_attribute<'a>(failure: &Failure<'a>, first: &str, second: &str) -> Option<(&'a str, u32, &'a str)> {
    if first != "cpu" && second != "cpu" {
        return None;
    }
    let [tensor] = culprits(failure, "cpu", true)[..] else { return None };
    let name = tensor.name.strip_prefix("self.").filter(|name| !name.contains('.'))?;
    let (line, value) = source::set_in_init(failure.source, &tensor.name)?;
    (!source::calls(value, "Parameter") && !source::calls(value, "Buffer")).then_some((name, line, value))
}

/// Registers a plain attribute, so that `Module.to` moves it.
fn as_buffer(failure: &Failure<'_>, first: &str, second: &str) -> Option<Fix> {
    let (name, line, value) = plain_attribute(failure, first, second)?;
    let before = failure.text(line)?;
    let indent = &before[..before.len() - before.trim_start().len()];
    let after = format!("{indent}self.register_buffer(\"{name}\", {value})");
    Some(Fix { line, before: before.to_string(), after })
}

fn two(failure: &Failure<'_>, a: &str, b: &str) -> Option<Fix> {
    let (wrong, wanted) = if a == "cpu" { (a, b) } else { (b, a) };
    join(failure, wrong, wanted, false)
}

/// The tensors of the failing line that are on `wrong`, as far as they can be at fault. One, when it is clear which.
pub fn culprits<'a>(failure: &Failure<'a>, wrong: &str, elementwise: bool) -> Vec<&'a Operand> {
    let Some((_, line)) = failure.failing() else { return Vec::new() };
    // A CPU tensor without dimensions is allowed in an elementwise operation, so it is not the one at fault.
    let at_fault =
        |operand: &&Operand| operand.device == wrong && !(elementwise && operand.shape.is_empty() && wrong == "cpu");
    let in_line = |operand: &&Operand| !source::reads(line, &operand.name).is_empty();
    let mut tensors: Vec<&Operand> = failure.operands.iter().filter(at_fault).filter(in_line).collect();
    if tensors.len() > 1 && !elementwise {
        // Of several, the one that the module itself is called with.
        tensors.retain(|tensor| failure.operands.iter().any(|o| is_argument(line, module(line, o), &tensor.name)));
    }
    tensors
}

/// Moves what is on `wrong` to `wanted`: a tensor where it is used, a module where it is made.
fn join(failure: &Failure<'_>, wrong: &str, wanted: &str, elementwise: bool) -> Option<Fix> {
    let (number, line) = failure.failing()?;
    let in_line = |operand: &&Operand| !source::reads(line, &operand.name).is_empty();
    let right: Vec<&Operand> = failure.operands.iter().filter(|o| o.device == wanted).filter(in_line).collect();
    let tensors = culprits(failure, wrong, elementwise);
    match tensors[..] {
        [tensor] if source::is_changed_in_place(line, &tensor.name) => {
            // Its device is fixed, so the other one comes.
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

/// How to write the device that a tensor should move to.
fn destination(failure: &Failure<'_>, line: u32, right: Option<&Operand>, wanted: &str) -> String {
    match (right, source::device_variable(failure.source, line)) {
        (Some(operand), _) => format!("{}.device", operand.name),
        (None, Some(variable)) if wanted.starts_with("cuda") => variable.to_string(),
        _ => quoted(wanted),
    }
}

/// `"cuda"` for the first GPU, as programs write it.
fn quoted(device: &str) -> String {
    format!("\"{}\"", if device == "cuda:0" { "cuda" } else { device })
}

/// The line with `.to(…)` after the only place where `name` is read.
fn moved(number: u32, line: &str, name: &str, to: &str) -> Option<Fix> {
    let reads = source::reads(line, name);
    let [range] = &reads[..] else { return None };
    let after = format!("{}.to({to}){}", &line[..range.end], &line[range.end..]);
    Some(Fix { line: number, before: line.to_string(), after })
}

/// The variable of the module whose parameter an operand is, if the line calls it: `model` of `model.0.weight`.
fn module<'a>(line: &str, operand: &'a Operand) -> Option<&'a str> {
    let mut name = operand.name.as_str();
    while let Some((shorter, _)) = name.rsplit_once('.') {
        name = shorter;
        if source::arguments(line, name).is_some() {
            return Some(name);
        }
    }
    None
}

/// Whether `tensor` stands alone between the commas of a call of `module`.
fn is_argument(line: &str, module: Option<&str>, tensor: &str) -> bool {
    let Some(range) = module.and_then(|module| source::arguments(line, module)) else { return false };
    line[range].split(',').any(|argument| argument.trim() == tensor)
}

/// Adds `.to(…)` to the statement that makes a module, if nothing else in the program moves it.
fn place(failure: &Failure<'_>, failing: u32, module: &str, wanted: &str) -> Option<Fix> {
    let moves = ["to", "cuda", "cpu"].map(|method| format!("{module}.{method}"));
    let is_moved = |line: &str| source::tokens(line).iter().any(|token| moves.iter().any(|name| token.text == name));
    if failure.source.lines().any(is_moved) {
        return None;
    }
    let (first, last) = source::assigned_call(failure.source, module)?;
    if first >= failing {
        return None;
    }
    let line = failure.text(last)?;
    let to = destination(failure, first, None, wanted);
    Some(Fix { line: last, before: line.to_string(), after: format!("{}.to({to})", line.trim_end()) })
}

/// Moves an index to the tensor that it indexes.
fn index(failure: &Failure<'_>, indexed: &str) -> Option<Fix> {
    let (number, line) = failure.failing()?;
    let is_index = |operand: &&Operand| {
        let reads = source::reads(line, &operand.name);
        operand.device != indexed && reads.iter().any(|range| line[..range.start].contains('['))
    };
    let wrong: Vec<&Operand> = failure.operands.iter().filter(is_index).collect();
    let [wrong] = wrong[..] else { return None };
    let mut tables = failure.operands.iter().filter(|operand| {
        let reads = source::reads(line, &operand.name);
        operand.device == indexed && reads.iter().any(|range| line[range.end..].starts_with('['))
    });
    match (tables.next(), tables.next()) {
        (Some(table), None) => moved(number, line, &wrong.name, &format!("{}.device", table.name)),
        _ => moved(number, line, &wrong.name, &quoted(indexed)),
    }
}

/// Puts a call before the only `.numpy()` of the line.
fn before_numpy(failure: &Failure<'_>, call: &str) -> Option<Fix> {
    let (number, line) = failure.failing()?;
    let mut tokens = source::tokens(line).into_iter().filter(|token| {
        let ends = token.text == "numpy" && token.kind == Kind::Attribute || token.text.ends_with(".numpy");
        token.kind != Kind::Text && ends && line[token.range.end..].starts_with("()")
    });
    let (Some(token), None) = (tokens.next(), tokens.next()) else { return None };
    let at = token.range.end - ".numpy".len();
    Some(Fix { line: number, before: line.to_string(), after: format!("{}{call}{}", &line[..at], &line[at..]) })
}

const AGNOSTIC: &str = "\"cuda\" if torch.cuda.is_available() else \"cpu\"";

/// Lets the only line that asks for CUDA ask whether there is one.
fn agnostic(failure: &Failure<'_>) -> Option<Fix> {
    let mut edits = (1..).zip(failure.source.lines()).filter_map(|(number, line)| {
        let tokens = source::tokens(line);
        let text =
            tokens.iter().find(|t| t.kind == Kind::Text && matches!(source::unquoted(t.text), "cuda" | "cuda:0"));
        if let Some(text) = text {
            // A conditional expression that is a whole argument or value needs no parentheses of its own.
            let (before, rest) = (line[..text.range.start].trim_end(), line[text.range.end..].trim_start());
            let whole = before.ends_with(['(', ',', '=']) && (rest.is_empty() || rest.starts_with([')', ',', '#']));
            let value = if whole { AGNOSTIC.to_string() } else { format!("({AGNOSTIC})") };
            return Some((number, line, text.range.clone(), value));
        }
        let call = tokens.iter().find(|t| {
            t.kind != Kind::Text
                && (t.text.ends_with(".cuda") || (t.kind == Kind::Attribute && t.text == "cuda"))
                && line[t.range.end..].starts_with("()")
        })?;
        let range = call.range.end - "cuda".len()..call.range.end + "()".len();
        Some((number, line, range, format!("to({AGNOSTIC})")))
    });
    let (number, line, range, value) = edits.next()?;
    if edits.next().is_some() || source::calls(line, "is_available") {
        return None;
    }
    let after = format!("{}{value}{}", &line[..range.start], &line[range.end..]);
    Some(Fix { line: number, before: line.to_string(), after })
}

/// Replaces a device's name by the one that was meant.
fn known_device(failure: &Failure<'_>, name: &str) -> Option<Fix> {
    let lower = name.to_ascii_lowercase();
    let meant = match lower.as_str() {
        "gpu" | "nvidia" | "cuda" => "cuda",
        "cpu" => "cpu",
        "metal" | "mps" => "mps",
        _ => return None,
    };
    let (number, line) = failure.failing()?;
    let replace = |literal: &str| {
        let inner = source::unquoted(literal);
        let rest = inner.strip_prefix(name)?;
        (rest.is_empty() || rest.starts_with(':')).then(|| format!("\"{meant}{rest}\""))
    };
    literal(number, line, replace)
}

/// Replaces an index beyond the machine's by the first.
fn first_device(failure: &Failure<'_>) -> Option<Fix> {
    let (number, line) = failure.failing()?;
    literal(number, line, |literal| {
        let index = source::unquoted(literal).strip_prefix("cuda:")?;
        (index != "0" && index.bytes().all(|b| b.is_ascii_digit())).then(|| "\"cuda:0\"".to_string())
    })
}

/// Replaces the only string literal of the line that `replace` answers.
fn literal(number: u32, line: &str, replace: impl Fn(&str) -> Option<String>) -> Option<Fix> {
    let mut found = source::tokens(line)
        .into_iter()
        .filter(|token| token.kind == Kind::Text)
        .filter_map(|token| Some((token.range, replace(token.text)?)));
    let (Some((range, text)), None) = (found.next(), found.next()) else { return None };
    let after = format!("{}{text}{}", &line[..range.start], &line[range.end..]);
    Some(Fix { line: number, before: line.to_string(), after })
}
