//! Where NumPy reads a tensor, and the calls that must come before.

use rustpython_vm::compiler::ast::Expr;

use super::code::{method, path, span};
use super::facts::Span;
use super::line::{Kind, tokens};
use super::place::Place;
use super::{Card, Cause, Failure, Fix};

/// Adds a call before the only `.numpy()` of the failing line.
pub(super) fn in_line(failure: &Failure<'_>, call: &str) -> Option<Fix> {
    let (number, line) = failure.failing()?;
    let mut tokens = tokens(line).into_iter().filter(|token| {
        let ends = token.text == "numpy" && token.kind == Kind::Attribute || token.text.ends_with(".numpy");
        token.kind != Kind::Text && ends && line[token.range.end..].starts_with("()")
    });
    let (Some(token), None) = (tokens.next(), tokens.next()) else { return None };
    let at = token.range.end - ".numpy".len();
    Some(Fix { line: number, before: line.to_string(), after: format!("{}{call}{}", &line[..at], &line[at..]) })
}

/// Adds calls before NumPy reads the tensor: `.detach()` if it has a graph, and a copy to the CPU if it's on a GPU.
/// `named` is the card's sentence for a tensor that has a name.
pub(super) fn in_program(at: &Place<'_>, text: &Card, on_gpu: bool, named: impl Fn(&str) -> Cause) -> Option<Card> {
    let code = at.code;
    let frame = at.innermost()?;
    let item = code.at_line(frame.line)?;
    let graph = frame.operands.iter().any(|o| o.about.made_by.is_some() && (!on_gpu || o.device != "cpu"));
    let call = match (on_gpu, graph) {
        (true, true) => ".detach().cpu()",
        (true, false) => ".cpu()",
        (false, _) => ".detach()",
    };
    let exprs = code.exprs(item);
    let numpy = exprs.iter().find_map(|e| method(e).filter(|(_, name, _)| *name == "numpy"));
    let read: Option<&Expr>;
    let fix = match numpy {
        Some((receiver, ..)) => {
            // `y.cpu().numpy()`: detach before the copy.
            let base = match method(receiver) {
                Some((inner, "cpu" | "to", _)) if !on_gpu => inner,
                _ => receiver,
            };
            read = Some(base);
            // Code like `(a + b).numpy()` already has parentheses.
            let parenthesised = code.source[span(base).end..].trim_start().starts_with(')')
                && !matches!(base, Expr::Name(_) | Expr::Attribute(_) | Expr::Call(_) | Expr::Subscript(_));
            if parenthesised {
                let end = span(base).end + code.source[span(base).end..].find(')')? + 1;
                code.edit(vec![(Span { start: end, end }, call.to_string())])
            } else {
                code.wrapped(base, call)
            }
        }
        None => {
            read = exprs.iter().find_map(|e| {
                let c = e.as_call_expr()?;
                let reads =
                    code.call_path(&c.func).is_some_and(|p| p.starts_with("numpy.") || p.starts_with("matplotlib."));
                let argument = c.arguments.args.iter().find(|a| {
                    let name = path(a);
                    frame.operands.iter().any(|o| Some(&o.name) == name.as_ref())
                });
                argument.or(c.arguments.args.first()).filter(|_| reads)
            });
            read.and_then(|e| code.wrapped(e, call))
        }
    };
    Some(text.at(frame.line, fix).saying(read.and_then(path).map(|name| named(&name))))
}
