//! D21: results are collected together with their graphs.

use rustpython_vm::compiler::ast::{Expr, Operator, Stmt};

use super::{Example, Explain, Rule};
use crate::diagnose::code::{Code, dotted, is_load, path, span};
use crate::diagnose::facts::{Kept, Span};
use crate::diagnose::place::Place;
use crate::diagnose::plan::{Site, Watch};
use crate::diagnose::words::words;
use crate::diagnose::{Card, Fix, Kind, Seen};

words! {
    sum_kept(name, times):
        "`{name}` adds up tensors together with their graphs, so after {times} iterations all {times} graphs are still in memory. Add plain numbers, with `.item()`.",
        "`{name}` summiert Tensoren zusammen mit ihren Graphen, also sind nach {times} Durchläufen alle {times} Graphen noch im Speicher. Addier einfache Zahlen, mit `.item()`.";
    sum_evaluated(name, times):
        "`{name}` adds up results whose graphs nothing uses, so after {times} iterations every activation is still in memory. Evaluate under `torch.no_grad()`, or add plain numbers.",
        "`{name}` summiert Ergebnisse, deren Graphen niemand braucht, also ist nach {times} Durchläufen jede Aktivierung noch im Speicher. Werte unter `torch.no_grad()` aus, oder addier einfache Zahlen.";
    members_kept(times):
        "Each of the {times} tensors collected here keeps its graph in memory. Store them without their graphs, with `.detach()` or `.item()`.",
        "Jeder der {times} hier gesammelten Tensoren hält seinen Graphen im Speicher. Sammle sie ohne ihre Graphen, mit `.detach()` oder `.item()`.";
    members_evaluated(times):
        "Each of the {times} results collected here keeps its graph and every activation in memory, but no backward pass uses them. Evaluate under `torch.no_grad()`.",
        "Jedes der {times} hier gesammelten Ergebnisse hält seinen Graphen und jede Aktivierung im Speicher, aber kein Rückwärtslauf benutzt sie. Werte unter `torch.no_grad()` aus.";
    evaluation():
        "`eval()` changes how layers behave, but PyTorch still records graphs, so this evaluation keeps every activation for a backward pass that never comes. Evaluate under `torch.no_grad()`.",
        "`eval()` ändert das Verhalten von Schichten, aber PyTorch zeichnet weiter Graphen auf, also hebt diese Auswertung jede Aktivierung für einen Rückwärtslauf auf, der nie kommt. Werte unter `torch.no_grad()` aus.";
}

pub(super) struct D21;

impl Explain for D21 {
    const ABOUT: &'static str = "`total += loss` and `losses.append(loss)` keep the graph of every iteration, and an evaluation \
        without `torch.no_grad()` keeps its activations. Memory grows with each iteration, until it runs out. A sum of losses \
        that is differentiated is no mistake and gets no card.";
    const EXAMPLE: Example = Example::new(
        "import torch\nfrom torch import nn\n\nmodel = nn.Linear(4, 1)\noptimizer = torch.optim.SGD(model.parameters(), lr=0.1)\ntotal = 0\nfor step in range(5):\n    x = torch.randn(8, 4)\n    loss = model(x).pow(2).mean()\n    optimizer.zero_grad()\n    loss.backward()\n    optimizer.step()\n    total += loss\nprint(total / 5 < 100)\n",
    );
    const LESSON: &'static str = "memory-map";

    /// Finds running sums and growing containers.
    fn watch(code: &Code<'_>, out: &mut Vec<Site>) {
        for (i, item) in code.items.iter().enumerate() {
            let in_module = code.in_module_class(i);
            let member = |e: &Expr| Site { span: span(e), watch: Watch::Member { in_module } };
            let lasts = |target: &Expr| {
                item.looped.is_some()
                    || target.is_attribute_expr()
                    || code.items[..]
                        .iter()
                        .any(|g| g.function == item.function && matches!(g.stmt, Stmt::Global(_) | Stmt::Nonlocal(_)))
            };
            match item.stmt {
                Stmt::AugAssign(s) if matches!(s.op, Operator::Add | Operator::Sub) => {
                    if path(&s.target).is_some() && lasts(&s.target) {
                        out.push(Site { span: span(item.stmt), watch: Watch::Sum });
                    }
                }
                Stmt::Assign(s) if s.targets.len() == 1 => {
                    let target = &s.targets[0];
                    let Some(name) = path(target) else { continue };
                    let repeats = || code.exprs(i).iter().any(|e| is_load(e) && path(e).as_deref() == Some(&name));
                    if s.value.is_bin_op_expr() && lasts(target) && repeats() {
                        out.push(Site { span: span(item.stmt), watch: Watch::Sum });
                    } else if let Expr::Subscript(place) = target
                        && item.looped.is_some()
                        && path(&s.value).is_some()
                        && is_container(code, &place.value)
                    {
                        out.push(member(&s.value));
                    }
                }
                _ => {}
            }
            for expr in code.exprs(i) {
                match expr {
                    Expr::Call(call) => {
                        let Expr::Attribute(a) = &*call.func else { continue };
                        let lasting = item.looped.is_some() || a.value.is_attribute_expr();
                        if a.attr.as_str() == "append" && call.arguments.args.len() == 1 && lasting {
                            out.push(member(&call.arguments.args[0]));
                        }
                    }
                    Expr::ListComp(c) => out.push(member(&c.elt)),
                    Expr::Generator(c) => out.push(member(&c.elt)),
                    _ => {}
                }
            }
        }
    }

    fn silent(code: &Code<'_>, seen: &Seen<'_>) -> Vec<Card> {
        seen.facts.kept.iter().map(|k| kept(code, k)).collect()
    }

    /// Memory ran out.
    fn behind(at: &Place<'_>) -> Option<Card> {
        at.text.filter(|card| card.rule == Rule::D20.id())?;
        let kept = at.silent.iter().find(|card| card.rule == Rule::D21.id());
        match kept {
            Some(card) => Some(Card { operands: [at.failure.operands, &card.operands].concat(), ..card.clone() }),
            None => evaluated(at),
        }
    }
}

fn kept(code: &Code<'_>, kept: &Kept) -> Card {
    let item = code.at(kept.site);
    let fix = item.and_then(|item| if kept.sum { sum_fix(code, item) } else { member_fix(code, kept.site) });
    let (name, times) = (&kept.operand.name, kept.turns);
    let cause = match (kept.sum, kept.evaluation) {
        (true, false) => sum_kept(name, &times),
        (true, true) => sum_evaluated(name, &times),
        (false, false) => members_kept(&times),
        (false, true) => members_evaluated(&times),
    };
    Rule::D21.card(code.line(kept.site.start), cause, vec![kept.operand.clone()], fix.into_iter().collect())
}

/// Whether a variable was initialized with a dictionary or a list.
fn is_container(code: &Code<'_>, expr: &Expr) -> bool {
    let Some(name) = path(expr) else { return false };
    code.assignments(&name).iter().any(|&i| match code.items[i].stmt {
        Stmt::Assign(s) => match &*s.value {
            Expr::Dict(_) | Expr::List(_) | Expr::DictComp(_) | Expr::ListComp(_) => true,
            Expr::Call(c) => {
                dotted(&c.func).is_some_and(|f| matches!(f.as_str(), "dict" | "list" | "defaultdict" | "OrderedDict"))
            }
            Expr::BinOp(b) => b.left.is_list_expr(),
            _ => false,
        },
        _ => false,
    })
}

/// Adds a number; or a tensor without its graph, if the sum is used as a tensor later.
fn sum_fix(code: &Code<'_>, item: usize) -> Option<Fix> {
    match code.items[item].stmt {
        Stmt::AugAssign(s) => {
            let target = path(&s.target)?;
            let last = target.rsplit('.').next()?.to_string();
            let as_tensor = (0..code.items.len()).any(|i| {
                code.exprs(i).iter().any(|e| {
                    matches!(e, Expr::Attribute(a) if path(&a.value).is_some_and(|p| p == target || p.ends_with(&format!(".{last}"))))
                        || matches!(e, Expr::Call(c) if code.call_path(&c.func).is_some_and(|p| p.starts_with("torch."))
                            && c.arguments.args.iter().any(|a| path(a).as_deref() == Some(&target)))
                })
            });
            // Methods on an average of the sum count as well: `(total / n).item()`.
            let averaged = (0..code.items.len()).any(|i| {
                code.exprs(i).iter().any(|e| matches!(e, Expr::Attribute(a) if a.value.is_bin_op_expr() && reads_in(code, &a.value, &target)))
            });
            let call = if as_tensor || averaged { ".detach()" } else { ".item()" };
            code.wrapped(&s.value, call)
        }
        Stmt::Assign(s) => code.wrapped(&s.value, ".detach()"),
        _ => None,
    }
}

fn reads_in(code: &Code<'_>, expr: &Expr, name: &str) -> bool {
    code.reads(name).iter().any(|(_, e)| span(expr).contains(span(*e)))
}

fn member_fix(code: &Code<'_>, site: Span) -> Option<Fix> {
    let item = code.at(site)?;
    let value = code.exprs(item).into_iter().find(|e| span(*e) == site && is_load(e))?;
    match value {
        Expr::Tuple(_) | Expr::List(_) | Expr::Dict(_) => None,
        other => code.wrapped(other, ".detach()"),
    }
}

/// An evaluation that kept its graphs ran out of memory.
fn evaluated(at: &Place<'_>) -> Option<Card> {
    let code = at.code;
    let off = |i: usize| {
        std::iter::successors(Some(i), |&p| code.items[p].parent).any(|p| match code.items[p].stmt {
            Stmt::With(_) | Stmt::FunctionDef(_) => {
                let head = code.head_lines(p);
                (head.0.saturating_sub(2)..=head.1).any(|l| {
                    let text = code.line_text(l.max(1));
                    text.contains("no_grad") || text.contains("inference_mode") || text.contains("set_grad_enabled")
                })
            }
            _ => false,
        })
    };
    let frame = at.seen.frames.iter().find(|f| f.operands.iter().any(|o| o.about.kind == Kind::Parameter))?;
    let item = code.at_line(frame.line)?;
    if at.seen.frames.iter().filter_map(|f| code.at_line(f.line)).any(off) {
        return None;
    }
    let module = frame.operands.iter().find(|o| o.about.kind == Kind::Parameter)?.name.split('.').next()?.to_string();
    let evaluates = code.calls().into_iter().any(|(i, c)| {
            i <= item
                && matches!(&*c.func, Expr::Attribute(a) if a.attr.as_str() == "eval" && path(&a.value).as_ref() == Some(&module))
        });
    let trains = code.calls().into_iter().any(|(i, c)| {
        code.items[i].function == code.items[item].function
            && matches!(&*c.func, Expr::Attribute(a) if a.attr.as_str() == "backward")
    });
    if !evaluates || trains {
        return None;
    }
    let whole = span(code.items[item].stmt);
    let begin = code.source[..whole.start].rfind('\n').map_or(0, |n| n + 1);
    let indent = &code.source[begin..whole.start];
    let body = code.text(whole).replace('\n', "\n    ");
    let fix = indent
        .trim()
        .is_empty()
        .then(|| code.edit(vec![(whole, format!("with torch.no_grad():\n{indent}    {body}"))]))?;
    Some(at.card(Rule::D21, frame.line, evaluation(), fix.into_iter().collect()))
}
