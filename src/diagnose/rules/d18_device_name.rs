//! D18: a device that does not exist, by its name, its index, or because the program hid it too late.

use rustpython_vm::compiler::ast::Expr;

use super::{Example, Explain, Rule};
use crate::diagnose::code::{Code, span};
use crate::diagnose::line::unquoted;
use crate::diagnose::line_edit;
use crate::diagnose::place::Place;
use crate::diagnose::words::words;
use crate::diagnose::{Card, Failure, Fix, Seen};
use crate::dtype::DType;
use crate::trace::Clue;

words! {
    unknown(name):
        "PyTorch has no device type '{name}'. An NVIDIA GPU is 'cuda', and an Apple GPU is 'mps'.",
        "PyTorch kennt keinen Gerätetyp »{name}«. Eine GPU von NVIDIA heißt »cuda«, eine von Apple »mps«.";
    malformed(text):
        "'{text}' isn't a device. Write a type, such as 'cuda', or a type, a colon and an index, such as 'cuda:0'.",
        "»{text}« ist kein Gerät. Schreib einen Typ, etwa »cuda«, oder einen Typ, einen Doppelpunkt und einen Index, etwa »cuda:0«.";
    dtype(name):
        "'{name}' isn't a device. It is the name of a dtype, and PyTorch's dtypes aren't strings: write `torch.{name}`.",
        "»{name}« ist kein Gerät. Es ist der Name eines dtypes, und dtypes sind in PyTorch keine Strings: Schreib `torch.{name}`.";
    ordinal():
        "The program names a GPU by an index that this machine doesn't have. Indices start at 0, so the first GPU is 'cuda:0'.",
        "Das Programm nennt eine GPU mit einem Index, den es auf dieser Maschine nicht gibt. Indizes beginnen bei 0, die erste GPU ist also »cuda:0«.";
    hidden_late(line, value):
        "Setting `CUDA_VISIBLE_DEVICES` to \"{value}\" has no effect here, because CUDA read the variable when line {line} first used CUDA. Set it before that, best of all before the program starts.",
        "`CUDA_VISIBLE_DEVICES` hier auf »{value}« zu setzen bewirkt nichts, weil CUDA die Variable gelesen hat, als Zeile {line} CUDA zum ersten Mal benutzt hat. Setz sie vorher, am besten vor dem Start des Programms.";
}

pub(super) struct D18;

impl Explain for D18 {
    const ABOUT: &'static str = "A device string with an unknown type (`\"gpu\"`) or index (`\"cuda:3\"` on a machine with one GPU). \
        The third form is silent: `CUDA_VISIBLE_DEVICES` has no effect when it is set after CUDA has looked for its devices.";
    const EXAMPLE: Example = Example::new("import torch\n\nx = torch.ones(3).to(\"gpu\")\nprint(x)\n");
    const LESSON: &'static str = "device-agnostic-code";

    fn from_text(failure: &Failure<'_>) -> Option<Card> {
        let (cause, fix) = match Named::read(failure)? {
            Named::Unknown(name) => (unknown(&name), known_in_line(failure, name)),
            Named::Malformed(text) => (malformed(&text), None),
            Named::Dtype(name) => (dtype(&name), None),
            Named::Ordinal => (ordinal(), first_in_line(failure)),
        };
        Some(Rule::D18.of(failure, cause, fix))
    }

    fn explain(at: &Place<'_>, text: &Card) -> Option<Card> {
        match Named::read(at.failure)? {
            Named::Unknown(name) => {
                let meant = meant(name)?;
                let (line, fix) = literal(at, |text| {
                    let rest = text.strip_prefix(name)?;
                    (rest.is_empty() || rest.starts_with(':')).then(|| format!("\"{meant}{rest}\""))
                })?;
                Some(text.at(line, Some(fix)))
            }
            Named::Malformed(_) => None,
            Named::Dtype(name) => {
                let (line, fix) = literal(at, |text| (text == name).then(|| format!("torch.{name}")))?;
                Some(text.at(line, Some(fix)))
            }
            Named::Ordinal => beyond(at, text),
        }
    }

    fn silent(code: &Code<'_>, seen: &Seen<'_>) -> Vec<Card> {
        let late = |clue: &Clue| match clue {
            Clue::HiddenLate { line, value } => {
                let sets = |text: &str| text.contains("CUDA_VISIBLE_DEVICES");
                let places = code.items.iter().map(|item| span(item.stmt)).filter(|&place| sets(code.text(place)));
                // A block contains the statement as well, so the smallest match is taken.
                let place = places.min_by_key(|place| place.end - place.start)?;
                Some(Rule::D18.card(code.line(place.start), hidden_late(line, value), Vec::new(), Vec::new()))
            }
            _ => None,
        };
        seen.facts.clues.iter().filter_map(late).collect()
    }
}

/// What is wrong with the device.
enum Named<'a> {
    /// The type does not exist.
    Unknown(&'a str),
    /// The index isn't a number.
    Malformed(&'a str),
    /// It is the name of a dtype.
    Dtype(&'a str),
    /// The index is beyond the GPUs of this machine.
    Ordinal,
}

impl<'a> Named<'a> {
    fn read(failure: &Failure<'a>) -> Option<Named<'a>> {
        let message = failure.runtime()?;
        if let Some((_, name)) = message.split_once(" device type at start of device string: ") {
            let named = if is_dtype(name) { Named::Dtype(name) } else { Named::Unknown(name) };
            return message.starts_with("Expected one of cpu, cuda, ").then_some(named);
        }
        if let Some(rest) = message.strip_prefix("Invalid device string: '") {
            let text = rest.strip_suffix('\'')?;
            return Some(if is_dtype(text) { Named::Dtype(text) } else { Named::Malformed(text) });
        }
        message.starts_with("CUDA error: invalid device ordinal").then_some(Named::Ordinal)
    }
}

/// Whether `torch.{name}` is a dtype.
fn is_dtype(name: &str) -> bool {
    const SHORT: [&str; 6] = ["float", "double", "half", "short", "int", "long"];
    SHORT.contains(&name) || DType::EVERY.iter().any(|dtype| dtype.name() == name)
}

/// The device type that the name was probably meant to be.
fn meant(name: &str) -> Option<&'static str> {
    Some(match name.to_ascii_lowercase().as_str() {
        "gpu" | "nvidia" | "cuda" => "cuda",
        "cpu" => "cpu",
        "metal" | "mps" => "mps",
        _ => return None,
    })
}

/// Replaces the first string literal in the program for which `replace` returns an expression. Those of the failing line come
/// first.
fn literal(at: &Place<'_>, replace: impl Fn(&str) -> Option<String>) -> Option<(u32, Fix)> {
    let failing = at.innermost().map(|f| f.line).or(at.failure.line)?;
    let mut order: Vec<usize> = at.code.at_line(failing).into_iter().collect();
    order.extend(0..at.code.items.len());
    for item in order {
        for e in at.code.exprs(item) {
            let Expr::StringLiteral(s) = e else { continue };
            if let Some(text) = replace(s.value.to_str()) {
                return Some((at.code.line(span(e).start), at.code.edit(vec![(span(e), text)])?));
            }
        }
    }
    None
}

/// Replaces an index beyond the machine's GPUs with the first GPU.
fn beyond(at: &Place<'_>, text: &Card) -> Option<Card> {
    let beyond = |text: &str| {
        let index = text.strip_prefix("cuda:")?;
        (index != "0" && index.bytes().all(|b| b.is_ascii_digit())).then(|| "\"cuda:0\"".to_string())
    };
    if let Some((line, fix)) = literal(at, beyond) {
        return Some(text.at(line, Some(fix)));
    }
    let failing = at.innermost()?.line;
    let mut order: Vec<usize> = at.code.at_line(failing).into_iter().collect();
    order.extend(0..at.code.items.len());
    for item in order {
        for e in at.code.exprs(item) {
            let Expr::Call(c) = e else { continue };
            let name = at.code.call_path(&c.func).unwrap_or_default();
            let takes = name == "torch.device"
                || name.ends_with(".set_device")
                || matches!(&*c.func, Expr::Attribute(a) if a.attr.as_str() == "cuda");
            let number = c.arguments.args.iter().find(|a| a.is_number_literal_expr() && at.code.text_of(*a) != "0");
            if let (true, Some(number)) = (takes, number) {
                let fix = at.code.edit(vec![(span(number), "0".into())]);
                return Some(text.at(at.code.line(span(number).start), fix));
            }
        }
    }
    None
}

fn known_in_line(failure: &Failure<'_>, name: &str) -> Option<Fix> {
    let meant = meant(name)?;
    let (number, line) = failure.failing()?;
    line_edit::literal(number, line, |literal| {
        let rest = unquoted(literal).strip_prefix(name)?;
        (rest.is_empty() || rest.starts_with(':')).then(|| format!("\"{meant}{rest}\""))
    })
}

fn first_in_line(failure: &Failure<'_>) -> Option<Fix> {
    let (number, line) = failure.failing()?;
    line_edit::literal(number, line, |literal| {
        let index = unquoted(literal).strip_prefix("cuda:")?;
        (index != "0" && index.bytes().all(|b| b.is_ascii_digit())).then(|| "\"cuda:0\"".to_string())
    })
}
