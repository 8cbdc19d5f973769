//! From the line that failed to the line that is at fault, through the learner's frames and what was seen before.

mod calls;
mod machine;
mod meeting;
mod memory;
mod modules;
mod moved;

use super::code::{Code, span};
use super::silent::is_parameter;
use super::source::device_variable;
use super::text::{self, Mistake};
use super::{Card, Cause, Failure, Fix, Frame, Kind, Operand, Seen, cause, diagnose, lesson};
use crate::trace::Clue;

/// The card of the error that ended a program.
pub fn card(code: &Code<'_>, seen: &Seen<'_>, failure: &Failure<'_>, silent: &[Card]) -> Option<Card> {
    let Some(mistake) = text::recognise(failure.class, failure.message) else {
        return consequence(seen, failure, silent);
    };
    let at = Place { code, seen, failure };
    at.find(&mistake).or_else(|| diagnose(failure))
}

/// An error of Python's own that a silent mistake has led to: `None` where a gradient was expected, an assertion about a
/// device.
fn consequence(seen: &Seen<'_>, failure: &Failure<'_>, silent: &[Card]) -> Option<Card> {
    let line = failure.line?;
    let led = |clue: &&Clue| match clue {
        Clue::GradOfMoved { line: at, .. } => *at == line && matches!(failure.class, "TypeError" | "AttributeError"),
        Clue::DevicesCompared { line: at, .. } => *at == line && failure.class == "AssertionError",
        _ => false,
    };
    let clue = seen.facts.clues.iter().find(led)?;
    let (rule, at) = match clue {
        Clue::GradOfMoved { created, .. } => ("D13", *created),
        _ => ("D19", line),
    };
    silent.iter().find(|card| card.rule == rule && card.line == at).cloned()
}

struct Place<'a> {
    code: &'a Code<'a>,
    seen: &'a Seen<'a>,
    failure: &'a Failure<'a>,
}

/// Two devices that met: what is on `wrong` should be on `wanted`.
struct Meeting<'a> {
    wrong: &'a str,
    wanted: &'a str,
    /// Tensors without dimensions on the CPU are allowed.
    elementwise: bool,
}

impl<'a> Place<'a> {
    fn find(&self, mistake: &Mistake<'_>) -> Option<Card> {
        let elementwise = matches!(mistake, Mistake::Mixed { .. });
        match *mistake {
            Mistake::Mixed { first: a, second: b } | Mistake::Argument { on: a, common: b, .. } => {
                let (wrong, wanted) = if a == "cpu" || (b != "cpu" && !elementwise) { (a, b) } else { (b, a) };
                self.met(mistake, &Meeting { wrong, wanted, elementwise })
            }
            Mistake::Convolution { input: a, other: b, .. } => self.met_pair(mistake, a, b),
            Mistake::Recurrent { input: a, other: b, .. } => self.met_pair(mistake, a, b),
            Mistake::Index { indexed } => self.index(mistake, indexed),
            Mistake::Numpy { .. } | Mistake::NumpyGrad => self.numpy(mistake),
            Mistake::NoCuda { .. } => self.no_cuda(mistake),
            Mistake::UnknownDevice { name } => self.device_text(mistake, name),
            Mistake::Ordinal => self.ordinal(mistake),
            Mistake::OutOfMemory { .. } => self.out_of_memory(),
            Mistake::NoParameters => self.no_parameters(),
            Mistake::NonLeaf => self.non_leaf(),
            Mistake::Checkpoint { fewer } => self.checkpoint(mistake, fewer),
            Mistake::Pin => self.pin(mistake),
            Mistake::Fork => self.fork(mistake),
            Mistake::Generator { wanted, .. } => self.generator(mistake, wanted),
            Mistake::DeviceAssert => self.device_assert(),
            Mistake::Replica { .. } => self.replica(mistake),
            Mistake::StateKeys { wrapped } => self.state_keys(mistake, wrapped),
            Mistake::LegacyConstructor => self.legacy(mistake),
            Mistake::NoProcessGroup | Mistake::MalformedDevice { .. } | Mistake::ReplicaIds => {
                self.replica_ids(mistake)
            }
        }
    }

    fn met_pair(&self, mistake: &Mistake<'_>, a: &str, b: &str) -> Option<Card> {
        let (wrong, wanted) = if a == "cpu" { (a, b) } else { (b, a) };
        self.met(mistake, &Meeting { wrong, wanted, elementwise: false })
    }

    fn innermost(&self) -> Option<&'a Frame> {
        self.seen.frames.last()
    }

    fn card(&self, rule: &str, line: u32, cause: Cause, fix: Option<Fix>) -> Card {
        self.card_with(rule, line, cause, fix.into_iter().collect())
    }

    fn card_with(&self, rule: &str, line: u32, cause: Cause, fix: Vec<Fix>) -> Card {
        let operands = self.failure.operands.to_vec();
        Card { rule: rule.into(), line, cause, operands, fix, lesson: lesson(rule).map(str::to_string) }
    }

    /// The card that the text alone gives, at another line and with another edit.
    fn plain(&self, mistake: &Mistake<'_>, rule: &str, line: u32, fix: Option<Fix>) -> Card {
        self.card(rule, line, cause::of(mistake, rule, self.failure), fix)
    }

    /// Tensors of the failing line that can be at fault.
    fn candidates(&self, meeting: &Meeting<'_>) -> Vec<&'a Operand> {
        let Some(frame) = self.innermost() else { return Vec::new() };
        let allowed = |o: &&Operand| meeting.elementwise && o.shape.is_empty() && meeting.wrong == "cpu";
        frame.operands.iter().filter(|o| o.device == meeting.wrong && !allowed(o)).collect()
    }

    /// How to write a device in a statement: a variable that holds it, a tensor that is there, or its name.
    fn destination(&self, item: usize, wanted: &str, there: Option<&Operand>) -> String {
        let line = self.code.line(span(self.code.items[item].stmt).start);
        if wanted.starts_with("cuda") {
            if let Some(function) = self.code.items[item].function
                && let Some(name) = ["device", "dev"].into_iter().find(|name| is_parameter(self.code, function, name))
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
