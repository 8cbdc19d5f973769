//! Tensors and layers in plain attributes of a module, which the module doesn't know as parameters or submodules.

use rustpython_vm::compiler::ast::{Expr, Stmt};

use super::Operand;
use super::code::{Code, path, span};
use super::place::Place;

/// A plain attribute of a module, at the statement that sets it.
pub(super) struct Attribute<'a> {
    /// `self.mask`.
    pub(super) name: String,
    pub(super) item: usize,
    pub(super) line: u32,
    pub(super) value: Option<&'a Expr>,
    pub(super) holds: Holds,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Holds {
    Layers,
    Parameters,
    /// A tensor, which `__init__` sets.
    Tensor,
}

impl<'a> Attribute<'a> {
    /// The statement that sets a module's attribute. `in_module`: the attribute holds modules, and one of these holds
    /// the tensor.
    pub(super) fn find(code: &Code<'a>, attribute: &str, in_module: bool) -> Option<Attribute<'a>> {
        attribute.strip_prefix("self.")?;
        let sets: Vec<usize> = code.assignments(attribute).into_iter().filter(|&i| code.in_module_class(i)).collect();
        let &item = sets.iter().find(|&&i| code.function_name(i) == Some("__init__")).or(sets.first())?;
        let value = match code.items[item].stmt {
            Stmt::Assign(s) if s.targets.len() == 1 => Some(&*s.value),
            Stmt::AnnAssign(s) => s.value.as_deref(),
            _ => None,
        };
        let parameters = value.is_some_and(|v| code.text_of(v).contains("Parameter("));
        let holds = match (in_module, parameters) {
            (true, _) => Holds::Layers,
            (false, true) => Holds::Parameters,
            (false, false) if code.function_name(item) == Some("__init__") => Holds::Tensor,
            _ => return None,
        };
        let line = code.line(span(code.items[item].stmt).start);
        Some(Attribute { name: attribute.to_string(), item, line, value, holds })
    }

    /// The plain attribute whose tensor is on the wrong device.
    pub(super) fn at_fault(at: &Place<'a>) -> Option<Attribute<'a>> {
        let met = at.met.as_ref()?;
        let candidates = at.candidates(met);
        for frame in at.seen.frames.iter().rev() {
            for hidden in &frame.hidden {
                let same = |o: &&&Operand| {
                    o.about.storage == hidden.operand.about.storage && o.device == hidden.operand.device
                };
                // If the line reads a part of the attribute, that part has no name of its own.
                let named = || {
                    let item = at.code.at_line(frame.line);
                    hidden.operand.device == met.wrong()
                        && candidates.is_empty()
                        && item.is_some_and(|i| {
                            at.code.exprs(i).iter().any(|e| path(e).as_deref() == Some(&hidden.attribute))
                        })
                };
                if (candidates.iter().any(|o| same(&o)) || named())
                    && let Some(found) = Attribute::find(at.code, &hidden.attribute, hidden.in_module)
                {
                    return Some(found);
                }
            }
        }
        None
    }
}
