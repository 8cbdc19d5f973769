//! D05: a module was moved in place although a copy was intended.

use rustpython_vm::compiler::ast::{Expr, Stmt};

use super::{Example, Explain, Rule};
use crate::diagnose::code::{Code, is_move, method, path, span, targets};
use crate::diagnose::facts::{Alias, Span};
use crate::diagnose::met::Met;
use crate::diagnose::place::Place;
use crate::diagnose::plan::{Site, Watch};
use crate::diagnose::words::words;
use crate::diagnose::{Card, Fix, Kind, Operand, Seen};

words! {
    moved_in_place(from, to, name):
        "This call moved `{name}` itself from {from} to {to}: a module's `.to()` and `.cpu()` work in place and return the same module, so there's no second model. Move a copy, `copy.deepcopy({name})`, or move `{name}` back before you use it.",
        "Dieser Aufruf hat `{name}` selbst von {from} nach {to} verschoben: `.to()` und `.cpu()` eines Moduls wirken an Ort und Stelle und geben dasselbe Modul zurück, es gibt also kein zweites Modell. Verschieb eine Kopie, `copy.deepcopy({name})`, oder verschieb `{name}` zurück, bevor du es benutzt.";
    moved_in_place_unnamed(from, to):
        "This call moved the module itself from {from} to {to}: a module's `.to()` and `.cpu()` work in place and return the same module, so there's no second model. Move a copy that `copy.deepcopy` made, or move the module back before you use it.",
        "Dieser Aufruf hat das Modul selbst von {from} nach {to} verschoben: `.to()` und `.cpu()` eines Moduls wirken an Ort und Stelle und geben dasselbe Modul zurück, es gibt also kein zweites Modell. Verschieb eine Kopie, die `copy.deepcopy` gemacht hat, oder verschieb das Modul zurück, bevor du es benutzt.";
}

pub(super) struct D05;

impl Explain for D05 {
    const ABOUT: &'static str = "`cpu_model = model.cpu()` looks as if it made a second model. Either nothing is raised and both \
        names compute on the CPU, or the next batch on the GPU meets a model that isn't there any more. The same happens when \
        a checkpoint is saved with `model.cpu().state_dict()` in the middle of training.";
    const EXAMPLE: Example = Example::new(
        "import torch\nfrom torch import nn\n\nmodel = nn.Linear(4, 2).to(\"cuda\")\ncpu_model = model.cpu()\nx = torch.randn(3, 4, device=\"cuda\")\nprint(model(x).shape)\n",
    );
    const LESSON: &'static str = "model-and-data";

    /// `other = model.cpu()`, and the same if the result is stored or passed on under another name.
    fn watch(code: &Code<'_>, out: &mut Vec<Site>) {
        for item in &code.items {
            let Stmt::Assign(s) = item.stmt else { continue };
            let Some((receiver, name, _)) = method(&s.value) else { continue };
            let (Some(from), true) = (path(receiver), is_move(name)) else { continue };
            if s.targets.iter().all(|t| path(t).is_some_and(|to| to != from)) {
                out.push(Site { span: span(&*s.value), watch: Watch::Alias });
            }
        }
    }

    fn silent(code: &Code<'_>, seen: &Seen<'_>) -> Vec<Card> {
        let confused = seen.facts.aliases.iter().filter(|a| is_confused(code, a));
        confused.map(|a| card(code, a.site, &a.from, &a.to)).collect()
    }

    /// A module was on the right device until a call moved it in place.
    fn behind(at: &Place<'_>) -> Option<Card> {
        let met = at.met.as_ref()?;
        if let Some(card) = under_two_names(at, met) {
            return Some(card);
        }
        let moved = at.candidates(met).into_iter().find(|o| {
            matches!(o.about.kind, Kind::Parameter | Kind::Buffer)
                && o.about.from.as_deref() == Some(met.wanted())
                && met.wanted() != "cpu"
                && o.moved > 0
        })?;
        let (from, to) = (met.wanted(), met.wrong());
        let item = at.code.at_line(moved.moved)?;
        let call = at.code.exprs(item).into_iter().find(|e| method(e).is_some_and(|(_, name, _)| is_move(name)))?;
        let receiver = method(call)?.0;
        let card = card(at.code, span(call), from, to);
        let fix = match at.code.items[item].stmt {
            Stmt::Expr(s) if span(&*s.value) == span(call) => move_back(at, item, receiver, from),
            // `model = model.cpu()`: there is no name left for the model that should have stayed.
            Stmt::Assign(s) if s.targets.len() == 1 && path(&s.targets[0]) == path(receiver) => {
                move_back(at, item, receiver, from)
            }
            _ => card.fix,
        };
        Some(Card { operands: at.failure.operands.to_vec(), fix, ..card })
    }
}

/// Moves a module back where the program needs it on its old device.
fn move_back(at: &Place<'_>, moved: usize, receiver: &Expr, wanted: &str) -> Vec<Fix> {
    let name = at.code.text_of(receiver);
    let function = at.code.items[moved].function;
    // In a function, the parameter's name can refer to a copy.
    if let (Some(f), Stmt::Expr(_), Some(n)) = (function, at.code.items[moved].stmt, receiver.as_name_expr())
        && at.code.is_parameter(f, n.id.as_str())
    {
        let mut fixes = deep_copy(at.code, receiver);
        if let Some(last) = fixes.last_mut() {
            let indent = last.after.len() - last.after.trim_start().len();
            last.after.insert_str(indent, &format!("{name} = "));
        }
        return fixes;
    }
    for frame in at.seen.frames {
        let Some(item) = at.code.at_line(frame.line) else { continue };
        if at.code.items[item].function == function {
            let to = at.destination(item, wanted, None);
            return at.code.insert_before(item, &format!("{name}.to({to})")).into_iter().collect();
        }
    }
    Vec::new()
}

/// The failing line calls the module by the name that was intended for the unmoved one.
fn under_two_names(at: &Place<'_>, met: &Met<'_>) -> Option<Card> {
    for alias in at.seen.facts.aliases.iter().rev() {
        let pair = [alias.from.as_str(), alias.to.as_str()];
        if !pair.contains(&met.wrong()) || !pair.contains(&met.wanted()) {
            continue;
        }
        let item = at.code.at(alias.site)?;
        let Stmt::Assign(s) = at.code.items[item].stmt else { continue };
        let receiver = path(method(&s.value)?.0)?;
        let others: Vec<String> = targets(at.code.items[item].stmt).into_iter().filter_map(path).collect();
        let line = at.code.line(alias.site.start);
        for frame in at.seen.frames {
            let Some(here) = at.code.at_line(frame.line) else { continue };
            let named = |name: &str| {
                at.code
                    .exprs(here)
                    .iter()
                    .any(|e| matches!(e, Expr::Name(_) | Expr::Attribute(_)) && path(e).as_deref() == Some(name))
            };
            let moved_since = || {
                let of = |o: &&Operand| others.iter().any(|n| o.name.starts_with(&format!("{n}.")));
                frame.operands.iter().find(of).is_some_and(|o| o.moved > 0 && o.moved != line)
            };
            if named(&receiver) || (others.iter().any(|o| named(o)) && moved_since()) {
                let card = self::card(at.code, alias.site, &alias.from, &alias.to);
                return Some(Card { operands: at.failure.operands.to_vec(), ..card });
            }
        }
    }
    None
}

/// Whether the program continues to use the module's first name as if the module hadn't moved.
fn is_confused(code: &Code<'_>, alias: &Alias) -> bool {
    let Some(item) = code.at(alias.site) else { return false };
    let Some(name) = code.receiver(item, alias.site).and_then(path) else { return false };
    let others: Vec<String> = targets(code.items[item].stmt).into_iter().filter_map(path).collect();
    let end = span(code.items[item].stmt).end;
    let after = |i: usize| {
        code.items[i].function == code.items[item].function
            && (span(code.items[i].stmt).start >= end
                || code.items[item].looped.is_some_and(|l| code.within(i, l) && i != item))
    };
    let calls = code.calls();
    let called = |name: &str| calls.iter().any(|(i, c)| after(*i) && path(&c.func).as_deref() == Some(name));
    let moved = |name: &str| {
        calls.iter().any(|(i, c)| {
            after(*i)
                && matches!(&*c.func, Expr::Attribute(a) if is_move(&a.attr) && path(&a.value).as_deref() == Some(name))
        })
    };
    alias.from != "cpu"
        && alias.from != alias.to
        && called(&name)
        && others.iter().any(|o| called(o))
        && !moved(&name)
        && !others.iter().any(|o| moved(o))
}

fn card(code: &Code<'_>, site: Span, from: &str, to: &str) -> Card {
    let receiver = code.at(site).and_then(|item| code.receiver(item, site));
    let fix = receiver.map_or(Vec::new(), |r| deep_copy(code, r));
    let cause = match receiver {
        Some(module) => moved_in_place(&from, &to, &code.text_of(module)),
        None => moved_in_place_unnamed(&from, &to),
    };
    Rule::D05.card(code.line(site.start), cause, Vec::new(), fix)
}

/// Moves a copy of a module instead.
fn deep_copy(code: &Code<'_>, module: &Expr) -> Vec<Fix> {
    let text = code.text_of(module);
    let copied = code.edit(vec![(span(module), format!("copy.deepcopy({text})"))]);
    let imported = code
        .items
        .iter()
        .any(|i| matches!(i.stmt, Stmt::Import(s) if s.names.iter().any(|n| n.name.as_str() == "copy")));
    let import = if imported {
        None
    } else {
        (0..code.items.len())
            .find(|&i| matches!(code.items[i].stmt, Stmt::Import(_) | Stmt::ImportFrom(_)))
            .and_then(|i| code.insert_before(i, "import copy"))
    };
    match (copied, import, imported) {
        (Some(fix), _, true) => vec![fix],
        (Some(fix), Some(import), false) => vec![import, fix],
        _ => Vec::new(),
    }
}
