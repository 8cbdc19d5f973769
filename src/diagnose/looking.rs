//! Which expressions of a program only look: what they read reaches the learner and nothing else.
//!
//! That is decided by their form. `print(loss.item())` looks; `total += loss.item()` doesn't, and a function that `print`
//! calls doesn't either, unless it prints itself.

use std::collections::HashSet;

use rustpython_vm::compiler::ast::visitor::{self, Visitor};
use rustpython_vm::compiler::ast::{self, Expr, FStringPart, InterpolatedStringElement, Operator, Stmt};

use super::code::{Code, dotted, method, path, span, targets};
use super::facts::Span;
use crate::trace::{Extent, Look};

/// An expression or statement that looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Looking {
    pub(crate) span: Span,
    pub(crate) look: Look,
    pub(crate) extent: Extent,
}

/// Outermost expressions only, in the order of the source.
pub(crate) fn looking(code: &Code<'_>) -> Vec<Looking> {
    let mut search = Search { code, plots: plots(code), out: Vec::new() };
    let tops = code.items.iter().filter(|item| item.parent.is_none());
    tops.for_each(|item| search.visit_stmt(item.stmt));
    search.out.sort_by_key(|found| found.span.start);
    search.out
}

/// The variables that hold figures, axes and the like.
fn plots(code: &Code<'_>) -> HashSet<String> {
    let mut out: HashSet<String> = HashSet::new();
    for item in &code.items {
        let value = match item.stmt {
            Stmt::Assign(s) => &*s.value,
            Stmt::For(s) => &*s.iter,
            _ => continue,
        };
        let made = match value {
            Expr::Call(call) => &*call.func,
            other => other,
        };
        let is_plot = code.call_path(made).is_some_and(|path| path.starts_with("matplotlib."))
            || path(made).is_some_and(|path| out.contains(root(&path)));
        if is_plot {
            out.extend(targets(item.stmt).into_iter().filter_map(path));
        }
    }
    out
}

fn root(path: &str) -> &str {
    path.split(['.', '[']).next().unwrap_or(path)
}

struct Search<'c, 'a> {
    code: &'c Code<'a>,
    plots: HashSet<String>,
    out: Vec<Looking>,
}

impl Search<'_, '_> {
    fn found(&self, expr: &Expr) -> Option<(Look, Extent)> {
        match expr {
            Expr::FString(_) => Some((Look::Text, Extent::Reads)),
            Expr::BinOp(e) if e.op == Operator::Mod && is_text(&e.left) => Some((Look::Text, Extent::Reads)),
            Expr::Call(call) => self.called(expr, call),
            _ => None,
        }
    }

    fn called(&self, expr: &Expr, call: &ast::ExprCall) -> Option<(Look, Extent)> {
        let path = self.code.call_path(&call.func).unwrap_or_default();
        let shows = || {
            let values = call.arguments.args.iter().chain(call.arguments.keywords.iter().map(|k| &k.value));
            if values.into_iter().all(shows) { Extent::Computes } else { Extent::Reads }
        };
        match path.as_str() {
            "print" | "display" | "pprint.pprint" | "pprint.pp" | "rich.print" | "IPython.display.display" => {
                return Some((Look::Print, shows()));
            }
            "sys.stdout.write" | "sys.stderr.write" | "warnings.warn" => return Some((Look::Print, Extent::Reads)),
            "str" | "repr" | "format" | "ascii" | "pprint.pformat" => return Some((Look::Text, shows())),
            "tqdm.write" | "tqdm.tqdm.write" | "tqdm.auto.tqdm.write" => return Some((Look::Log, Extent::Reads)),
            _ => {}
        }
        if path.starts_with("matplotlib.") {
            return Some((Look::Plot, Extent::Reads));
        }
        if path.starts_with("logging.") {
            return Some((Look::Log, Extent::Reads));
        }
        let name = path.rsplit('.').next().unwrap_or_default();
        if name == "assert_close" || name.starts_with("assert_") || path.starts_with("self.assert") {
            return Some((Look::Assert, Extent::All));
        }
        let (receiver, name, _) = method(expr)?;
        if dotted(receiver).is_some_and(|path| self.plots.contains(root(&path)))
            || super::code::path(receiver).is_some_and(|path| self.plots.contains(root(&path)))
        {
            return Some((Look::Plot, Extent::Reads));
        }
        match name {
            "format" | "join" if is_text(receiver) => Some((Look::Text, shows())),
            "set_postfix" | "set_postfix_str" | "set_description" | "set_description_str" => {
                Some((Look::Log, Extent::Reads))
            }
            "debug" | "info" | "warning" | "error" | "critical" | "exception" if is_logger(receiver) => {
                Some((Look::Log, Extent::Reads))
            }
            _ => None,
        }
    }
}

/// Whether an object is called like a logger.
fn is_logger(receiver: &Expr) -> bool {
    dotted(receiver).is_some_and(|path| {
        let last = path.rsplit('.').next().unwrap_or_default().to_lowercase();
        matches!(last.trim_start_matches('_'), "log" | "logger" | "logging")
    })
}

fn is_text(expr: &Expr) -> bool {
    matches!(expr, Expr::StringLiteral(_) | Expr::FString(_))
}

impl<'a> Visitor<'a> for Search<'_, 'a> {
    fn visit_stmt(&mut self, stmt: &'a Stmt) {
        match stmt {
            Stmt::Assert(_) => self.out.push(Looking { span: span(stmt), look: Look::Assert, extent: Extent::All }),
            _ => visitor::walk_stmt(self, stmt),
        }
    }

    fn visit_expr(&mut self, expr: &'a Expr) {
        match self.found(expr) {
            Some((look, extent)) => self.out.push(Looking { span: span(expr), look, extent }),
            None => visitor::walk_expr(self, expr),
        }
    }
}

/// Methods and functions of tensors, and functions of Python, that people use to look. A call of anything else may be the
/// program's own work, even inside `print`.
const SHOWING: &[&str] = &[
    "abs",
    "all",
    "allclose",
    "any",
    "argmax",
    "argmin",
    "amax",
    "amin",
    "bool",
    "clone",
    "count_nonzero",
    "cpu",
    "data_ptr",
    "detach",
    "dim",
    "double",
    "element_size",
    "eq",
    "equal",
    "flatten",
    "float",
    "format",
    "ge",
    "gt",
    "half",
    "id",
    "int",
    "is_contiguous",
    "isclose",
    "isfinite",
    "isinf",
    "isnan",
    "item",
    "items",
    "join",
    "keys",
    "le",
    "len",
    "list",
    "long",
    "lt",
    "max",
    "mean",
    "min",
    "nbytes",
    "ne",
    "norm",
    "numel",
    "numpy",
    "permute",
    "repr",
    "reshape",
    "round",
    "size",
    "sorted",
    "squeeze",
    "std",
    "storage_offset",
    "str",
    "stride",
    "sum",
    "t",
    "tolist",
    "transpose",
    "tuple",
    "type",
    "unique",
    "unsqueeze",
    "untyped_storage",
    "values",
    "var",
    "view",
    "zip",
];

/// Whether an expression computes nothing but what is shown.
fn shows(expr: &Expr) -> bool {
    let part = |part: &InterpolatedStringElement| match part {
        InterpolatedStringElement::Literal(_) => true,
        InterpolatedStringElement::Interpolation(inner) => shows(&inner.expression),
    };
    match expr {
        Expr::Name(_)
        | Expr::StringLiteral(_)
        | Expr::BytesLiteral(_)
        | Expr::NumberLiteral(_)
        | Expr::BooleanLiteral(_)
        | Expr::NoneLiteral(_)
        | Expr::EllipsisLiteral(_) => true,
        Expr::Attribute(e) => shows(&e.value),
        Expr::Starred(e) => shows(&e.value),
        Expr::Subscript(e) => shows(&e.value) && shows(&e.slice),
        Expr::Slice(e) => [&e.lower, &e.upper, &e.step].into_iter().flatten().all(|e| shows(e)),
        Expr::UnaryOp(e) => shows(&e.operand),
        Expr::BinOp(e) => e.op != Operator::MatMult && shows(&e.left) && shows(&e.right),
        Expr::BoolOp(e) => e.values.iter().all(shows),
        Expr::Compare(e) => shows(&e.left) && e.comparators.iter().all(shows),
        Expr::If(e) => shows(&e.test) && shows(&e.body) && shows(&e.orelse),
        Expr::Tuple(e) => e.elts.iter().all(shows),
        Expr::List(e) => e.elts.iter().all(shows),
        Expr::Set(e) => e.elts.iter().all(shows),
        Expr::Dict(e) => e.items.iter().all(|item| item.key.as_ref().is_none_or(shows) && shows(&item.value)),
        Expr::ListComp(e) => shows(&e.elt) && e.generators.iter().all(|g| shows(&g.iter) && g.ifs.iter().all(shows)),
        Expr::Generator(e) => shows(&e.elt) && e.generators.iter().all(|g| shows(&g.iter) && g.ifs.iter().all(shows)),
        Expr::FString(e) => e.value.iter().all(|piece| match piece {
            FStringPart::Literal(_) => true,
            FStringPart::FString(inner) => inner.elements.iter().all(part),
        }),
        Expr::Call(call) => {
            let known = match &*call.func {
                Expr::Name(name) => SHOWING.contains(&name.id.as_str()),
                Expr::Attribute(of) => SHOWING.contains(&of.attr.as_str()) && shows(&of.value),
                _ => false,
            };
            known && call.arguments.args.iter().all(shows) && call.arguments.keywords.iter().all(|k| shows(&k.value))
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::super::code::parse;
    use super::*;

    fn found(source: &str) -> Vec<(&str, Look, Extent)> {
        let module = parse(source).unwrap();
        let code = Code::new(source, &module);
        looking(&code).into_iter().map(|l| (&source[l.span.start..l.span.end], l.look, l.extent)).collect()
    }

    #[test]
    fn the_form_of_an_expression_says_whether_it_only_looks() {
        use Extent::{All, Computes, Reads};
        use Look::{Assert, Log, Plot, Print, Text};
        let one = |source: &'static str, look, extent| assert_eq!(found(source), [(source, look, extent)], "{source}");
        one("print(loss.item())", Print, Computes);
        one("print('loss', f'{loss.item():.3f}', x[0], sep=' ')", Print, Computes);
        one("print((a - b).abs().max())", Print, Computes);
        one("print(model(x).item())", Print, Reads);
        one("print((a @ b).sum())", Print, Reads);
        one("str(x)", Text, Computes);
        one("'{}'.format(x.item())", Text, Computes);
        one("'%.2f' % x.item()", Text, Reads);
        one("assert x.cuda().sum() > 0, x", Assert, All);
        one("torch.testing.assert_close(a, b.cuda())", Assert, All);
        one("logging.info('%s', x.item())", Log, Reads);
        one("logger.info('%s', x.item())", Log, Reads);
        one("bar.set_postfix(loss=loss.item())", Log, Reads);
        for source in
            ["total += loss.item()", "v = x.item()", "if x > 0: pass", "losses.append(x.tolist())", "f(x.item())"]
        {
            assert_eq!(found(source), [], "{source}");
        }
        assert_eq!(
            found(
                "import matplotlib.pyplot as plt\nfig, ax = plt.subplots()\nax.plot(x.cpu())\nplt.imshow(y.cpu())\nz.cpu()"
            ),
            [("plt.subplots()", Plot, Reads), ("ax.plot(x.cpu())", Plot, Reads), ("plt.imshow(y.cpu())", Plot, Reads)]
        );
        // Only the part that looks.
        assert_eq!(found("if x.item() > 0: print(x.item())"), [("print(x.item())", Print, Computes)]);
        assert_eq!(found("def f(x):\n    y = f'{x.item()}'\n    return y"), [("f'{x.item()}'", Text, Reads)]);
        assert_eq!(found("xs = [print(v.item()) for v in x.tolist()]"), [("print(v.item())", Print, Computes)]);
    }
}
