//! D17: a program that asks for a GPU where there is none.

use rustpython_vm::compiler::ast::Expr;

use super::{Example, Explain, Rule};
use crate::diagnose::code::{method, span};
use crate::diagnose::facts::Span;
use crate::diagnose::line::{Kind, calls, tokens, unquoted};
use crate::diagnose::place::Place;
use crate::diagnose::words::words;
use crate::diagnose::{Card, Failure, Fix};

words! {
    no_driver():
        "The program asks for a GPU, but PyTorch finds none on this machine. Let the program choose its device with `torch.cuda.is_available()`.",
        "Das Programm verlangt eine GPU, aber PyTorch findet auf dieser Maschine keine. Lass das Programm sein Gerät mit `torch.cuda.is_available()` wählen.";
    without_cuda():
        "The program asks for `cuda`, but this PyTorch was built without CUDA. Let the program choose its device with `torch.cuda.is_available()`.",
        "Das Programm verlangt `cuda`, aber dieses PyTorch ist ohne CUDA gebaut. Lass das Programm sein Gerät mit `torch.cuda.is_available()` wählen.";
}

const AGNOSTIC: &str = "\"cuda\" if torch.cuda.is_available() else \"cpu\"";

pub(super) struct D17;

impl Explain for D17 {
    const ABOUT: &'static str = "`.cuda()` and `device=\"cuda\"` work only where a GPU is. A PyTorch that was built without CUDA \
        says `Torch not compiled with CUDA enabled`; one that finds no driver prints the message below.";
    const EXAMPLE: Example = Example::new("import torch\n\nx = torch.ones(3, device=\"cuda\")\nprint(x)\n").on("cpu");
    const LESSON: &'static str = "device-agnostic-code";

    fn from_text(failure: &Failure<'_>) -> Option<Card> {
        let driver = failure.runtime().is_some_and(|m| m.starts_with("Found no NVIDIA driver on your system."));
        let built = failure.raised("AssertionError") == Some("Torch not compiled with CUDA enabled");
        let cause = if driver { no_driver() } else { without_cuda() };
        (driver || built).then(|| Rule::D17.of(failure, cause, in_line(failure)))
    }

    /// Finds every place that uses a GPU without checking that there is one.
    fn explain(at: &Place<'_>, text: &Card) -> Option<Card> {
        let code = at.code;
        let mut pieces: Vec<(Span, String)> = Vec::new();
        for i in 0..code.items.len() {
            let exprs = code.exprs(i);
            if exprs.iter().any(|e| matches!(e, Expr::Attribute(a) if a.attr.as_str() == "is_available")) {
                continue;
            }
            for e in &exprs {
                match e {
                    Expr::StringLiteral(s) if matches!(s.value.to_str(), "cuda" | "cuda:0") => {
                        let compared =
                            exprs.iter().any(|o| matches!(o, Expr::Compare(_)) && span(*o).contains(span(*e)));
                        if !compared && !pieces.iter().any(|(p, _)| *p == span(*e)) {
                            let whole = span(*e);
                            let before = code.source[..whole.start].trim_end();
                            let after = code.source[whole.end..].trim_start_matches(' ');
                            let bare = before.ends_with(['(', ',', '='])
                                && (after.is_empty() || after.starts_with([')', ',', '#', '\n', '\r']));
                            pieces.push((whole, if bare { AGNOSTIC.into() } else { format!("({AGNOSTIC})") }));
                        }
                    }
                    _ => {
                        if let Some((_, "cuda", arguments)) = method(e)
                            && arguments.is_empty()
                        {
                            pieces.push((code.tail(e)?, format!(".to({AGNOSTIC})")));
                        }
                    }
                }
            }
        }
        pieces.sort_by_key(|(place, _)| *place);
        let failing = at.innermost().map(|f| f.line).or(at.failure.line)?;
        let lines: Vec<u32> = pieces.iter().map(|(place, _)| code.line(place.start)).collect();
        let line = if lines.contains(&failing) { failing } else { lines.first().copied().unwrap_or(failing) };
        // One edit for each line.
        let mut fixes: Vec<Fix> = Vec::new();
        for &l in &lines {
            if fixes.iter().all(|f| f.line != l) {
                let here = pieces.iter().filter(|(place, _)| code.line(place.start) == l).cloned().collect();
                fixes.extend(code.edit(here));
            }
        }
        Some(Card { line, fix: if fixes.len() <= 8 { fixes } else { Vec::new() }, ..text.clone() })
    }
}

/// Adds a check to the only line that names CUDA.
fn in_line(failure: &Failure<'_>) -> Option<Fix> {
    let mut edits = (1..).zip(failure.source.lines()).filter_map(|(number, line)| {
        let tokens = tokens(line);
        let text = tokens.iter().find(|t| t.kind == Kind::Text && matches!(unquoted(t.text), "cuda" | "cuda:0"));
        if let Some(text) = text {
            // A conditional expression that is a complete argument or value needs no parentheses.
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
    if edits.next().is_some() || calls(line, "is_available") {
        return None;
    }
    let after = format!("{}{value}{}", &line[..range.start], &line[range.end..]);
    Some(Fix { line: number, before: line.to_string(), after })
}
