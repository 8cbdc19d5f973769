//! An error with everything that is known about it.

use rustpython_vm::compiler::ast::Expr;

use super::code::{Code, is_load, path, span};
use super::line::device_variable;
use super::met::Met;
use super::rules::Rule;
use super::{Card, Cause, Failure, Fix, Frame, Kind, Operand, Seen};

pub(super) struct Place<'a> {
    pub(super) code: &'a Code<'a>,
    pub(super) seen: &'a Seen<'a>,
    pub(super) failure: &'a Failure<'a>,
    /// The cards of silent mistakes.
    pub(super) silent: &'a [Card],
    /// The card for the error's message alone, if a rule knows it.
    pub(super) text: Option<&'a Card>,
    /// The two devices, if the error is about two devices.
    pub(super) met: Option<Met<'a>>,
}

impl<'a> Place<'a> {
    pub(super) fn innermost(&self) -> Option<&'a Frame> {
        self.seen.frames.last()
    }

    /// A card with the operands of the failing line.
    pub(super) fn card(&self, rule: Rule, line: u32, cause: Cause, fix: Vec<Fix>) -> Card {
        rule.card(line, cause, self.failure.operands.to_vec(), fix)
    }

    /// Tensors of the failing line that may be the mistake.
    pub(super) fn candidates(&self, met: &Met<'_>) -> Vec<&'a Operand> {
        let Some(frame) = self.innermost() else { return Vec::new() };
        let allowed = |o: &&Operand| met.elementwise() && o.shape.is_empty() && met.wrong() == "cpu";
        frame
            .operands
            .iter()
            .filter(|o| o.device == met.wrong() && !allowed(o) && !self.is_only_moved(frame.line, o))
            .collect()
    }

    /// Whether a line does nothing with a tensor but move it to a device of another kind, as in `model(x.to("cuda"))`: what the
    /// operation is given is then the result.
    fn is_only_moved(&self, line: u32, tensor: &Operand) -> bool {
        let Some(item) = self.code.at_line(line) else { return false };
        let exprs = self.code.exprs(item);
        let named = |expr: &Expr| path(expr).as_deref() == Some(&tensor.name);
        let moves = |expr: &Expr| {
            let Some(call) = expr.as_call_expr() else { return false };
            let Some(method) = call.func.as_attribute_expr().filter(|method| named(&method.value)) else {
                return false;
            };
            let to = match (method.attr.as_str(), call.arguments.args.first()) {
                ("to", Some(Expr::StringLiteral(device))) => device.value.to_str(),
                ("cuda" | "cpu", _) => method.attr.as_str(),
                _ => return false,
            };
            kind_of(to) != kind_of(&tensor.device)
        };
        let reads = exprs.iter().filter(|expr| is_load(expr) && named(expr)).count();
        reads > 0 && reads == exprs.iter().filter(|expr| moves(expr)).count()
    }

    /// How to write a device in a statement: a variable that holds it, the device of a tensor that is there, or its
    /// name.
    pub(super) fn destination(&self, item: usize, wanted: &str, there: Option<&Operand>) -> String {
        let line = self.code.line(span(self.code.items[item].stmt).start);
        if wanted.starts_with("cuda") {
            if let Some(function) = self.code.items[item].function
                && let Some(name) = ["device", "dev"].into_iter().find(|name| self.code.is_parameter(function, name))
            {
                return name.to_string();
            }
            if let Some(name) = device_variable(self.code.source, line) {
                return name.to_string();
            }
        }
        match there {
            Some(operand) if operand.about.kind == Kind::Tensor => format!("{}.device", operand.name),
            _ => format!("\"{}\"", if wanted == "cuda:0" { "cuda" } else { wanted }),
        }
    }
}

/// `cuda` of `cuda:1`.
fn kind_of(device: &str) -> &str {
    device.split(':').next().unwrap_or(device)
}
