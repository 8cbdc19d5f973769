//! From an error, or a silent mistake, to a card that a learner understands.
//!
//! Two halves. [`diagnose`] starts from an error that was raised, so a legal program never gets a card: it recognises
//! PyTorch's texts of 2.0 to 2.15 ([`text`]) and looks at the tensors that the failing line names. Where the program can be
//! parsed, [`explain`] goes further: from the failing line back to the line that is at fault ([`root`]), and to mistakes
//! that raise nothing ([`silent`]), for which it has watched a few statements while the program ran ([`plan`], [`facts`]).
//! An edit is offered only where it is sure: a card without an edit is better than a wrong edit.

mod cause;
#[cfg(feature = "python")]
pub mod code;
pub mod facts;
mod fix;
#[cfg(feature = "python")]
pub mod plan;
#[cfg(feature = "python")]
mod root;
#[cfg(feature = "python")]
mod silent;
mod source;
mod text;
mod words;

use serde::{Deserialize, Serialize};

pub use source::names;
pub use words::Cause;

use crate::language::Language;
use words::Label;

/// An explanation beside PyTorch's text.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Card {
    /// `D01`.
    pub rule: String,
    /// The line at fault, from 1, which need not be the one that failed; 0 when unknown.
    #[serde(default)]
    pub line: u32,
    /// One sentence of cause, to be said in the language of whoever reads it.
    pub cause: Cause,
    /// The operands: name, device, shape, bytes and where each came from.
    pub operands: Vec<Operand>,
    /// The smallest edit, if one is known: pieces of the program to be replaced, in the order of the text.
    pub fix: Vec<Fix>,
    /// Lesson id that teaches this.
    pub lesson: Option<String>,
}

/// A tensor that the failing line can see. A module's parameters are operands, too: `model.0.weight`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Operand {
    pub name: String,
    pub device: String,
    pub shape: Vec<usize>,
    pub bytes: usize,
    /// Learner's line that created it; 0 when unknown.
    pub created: u32,
    /// Learner's line that last moved it to its device; 0 when it was never moved.
    pub moved: u32,
    #[serde(skip)]
    pub about: About,
}

/// What the rules know of an operand and the card does not show.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct About {
    /// Its memory; 0 when unknown.
    pub storage: crate::trace::StorageId,
    /// The device that its data was last copied from.
    pub from: Option<String>,
    pub kind: Kind,
    /// The step of the graph that made it: `ToCopyBackward0`.
    pub made_by: Option<String>,
}

/// What an operand is to the line that names it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Kind {
    #[default]
    Tensor,
    Parameter,
    Buffer,
    /// An optimizer's.
    State,
}

/// Replaces a line of the program, or several that follow each other.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fix {
    /// From 1.
    pub line: u32,
    pub before: String,
    pub after: String,
}

/// An error that ended a program, and what is known of its place.
#[derive(Clone, Copy, Debug)]
pub struct Failure<'a> {
    /// `RuntimeError`; `torch.OutOfMemoryError`.
    pub class: &'a str,
    pub message: &'a str,
    /// The learner's line that was running, from 1.
    pub line: Option<u32>,
    /// The learner's whole program.
    pub source: &'a str,
    /// Tensors that this line names, by variable.
    pub operands: &'a [Operand],
}

/// A frame of the learner's code that an error passed.
#[derive(Clone, Debug, Default)]
pub struct Frame {
    pub line: u32,
    /// Tensors that the line names.
    pub operands: Vec<Operand>,
    /// Where the line is in a module's method: tensors and modules that the module holds without knowing of them, in plain
    /// attributes. Names are `self.mask` or `self.layers`.
    pub hidden: Vec<Hidden>,
    /// Its local variables that are tensors.
    pub tensors: Vec<Operand>,
}

/// What a plain attribute of a module holds.
#[derive(Clone, Debug)]
pub struct Hidden {
    pub attribute: String,
    /// A tensor of a module in the attribute, not of the attribute itself.
    pub in_module: bool,
    pub operand: Operand,
}

/// A program that has ended, and what was seen of it.
#[derive(Clone, Copy, Debug)]
pub struct Seen<'a> {
    pub source: &'a str,
    pub failure: Option<&'a Failure<'a>>,
    /// The learner's frames of the error, outermost first.
    pub frames: &'a [Frame],
    /// The error was raised while another of the same class was being handled.
    pub again: bool,
    pub facts: &'a facts::Facts,
}

/// The cards of a program: that of the error that ended it, if the rules know it, and those of silent mistakes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cards {
    pub error: Option<Card>,
    pub silent: Vec<Card>,
}

/// Explains a program that has ended.
#[cfg(feature = "python")]
pub fn explain(seen: &Seen<'_>) -> Cards {
    let plain = || seen.failure.and_then(diagnose);
    let Some(module) = code::parse(seen.source) else { return Cards { error: plain(), silent: Vec::new() } };
    let code = code::Code::new(seen.source, &module);
    let mut silent = silent::cards(&code, seen);
    let error = seen.failure.and_then(|failure| root::card(&code, seen, failure, &silent));
    // A silent mistake that ended in the error has its card already.
    silent.retain(|card| error.as_ref().is_none_or(|e| (&e.rule, e.line) != (&card.rule, card.line)));
    Cards { error, silent }
}

/// Explains an error; `None` when it is not about devices or memory.
pub fn diagnose(failure: &Failure<'_>) -> Option<Card> {
    let mistake = text::recognise(failure.class, failure.message)?;
    let rule = mistake.rule(failure);
    let fix: Vec<Fix> = fix::find(&mistake, rule, failure).into_iter().collect();
    Some(Card {
        line: fix.first().map_or(failure.line.unwrap_or_default(), |fix| fix.line),
        cause: cause::of(&mistake, rule, failure),
        operands: failure.operands.to_vec(),
        fix,
        lesson: lesson(rule).map(str::to_string),
        rule: rule.to_string(),
    })
}

/// The lesson that teaches a rule, by its id in `lessons/`.
pub fn lesson(rule: &str) -> Option<&'static str> {
    Some(match rule {
        "D01" | "D03" | "D09" | "D10" => "same-device-rule",
        "D02" => "training-loop",
        "D04" => "to-returns-a-new-tensor",
        "D05" => "model-and-data",
        "D06" | "D07" => "lists-buffers-attributes",
        "D08" => "born-in-forward",
        "D11" | "D23" => "hidden-copies",
        "D12" | "D13" => "leaves-and-gradients",
        "D14" | "D15" | "D16" => "checkpoints",
        "D17" | "D18" => "device-agnostic-code",
        "D19" => "where-a-tensor-lives",
        "D20" | "D21" | "D22" => "memory-map",
        "D24" | "D25" => "pinned-memory",
        "D26" | "D27" => "two-gpus",
        "D28" => "seeds-and-generators",
        "D29" => "device-side-asserts",
        "D30" => "created-or-copied",
        _ => return None,
    })
}

impl Fix {
    /// The first line that changes, and the lines that go and those that come, without what is the same before and behind
    /// them.
    pub fn lines(&self) -> (u32, Vec<&str>, Vec<&str>) {
        let (mut before, mut after): (Vec<_>, Vec<_>) = (self.before.lines().collect(), self.after.lines().collect());
        while !before.is_empty() && before.last() == after.last() {
            before.pop();
            after.pop();
        }
        let same = before.iter().zip(&after).take_while(|(a, b)| a == b).count();
        (self.line + same as u32, before.split_off(same), after.split_off(same))
    }
}

/// The program with the edits made; `None` when a line is no longer what it was when the program ran.
pub fn apply(source: &str, fixes: &[Fix]) -> Option<String> {
    let mut lines: Vec<&str> = source.split('\n').collect();
    // From the end, so that the numbers of the lines before stay true.
    let mut order: Vec<&Fix> = fixes.iter().collect();
    order.sort_by_key(|fix| std::cmp::Reverse(fix.line));
    for fix in order {
        let first = (fix.line as usize).checked_sub(1)?;
        let before: Vec<&str> = fix.before.split('\n').collect();
        let there = lines.get(first..first + before.len())?;
        if !there.iter().zip(&before).all(|(a, b)| a.trim_end() == b.trim_end()) {
            return None;
        }
        lines.splice(first..first + before.len(), fix.after.split('\n'));
    }
    Some(lines.join("\n"))
}

impl<'a> Failure<'a> {
    /// The text of a line of the program, from 1.
    fn text(&self, line: u32) -> Option<&'a str> {
        self.source.lines().nth(line.checked_sub(1)? as usize)
    }

    /// The failing line with its number.
    fn failing(&self) -> Option<(u32, &'a str)> {
        let line = self.line?;
        Some((line, self.text(line)?))
    }
}

impl Card {
    /// As text below a traceback, for a terminal.
    pub fn say(&self, language: Language) -> String {
        let mut out = format!("{}: {}\n", self.rule, self.cause.say(language));
        let width = self.operands.iter().map(|operand| operand.name.chars().count()).max().unwrap_or(0);
        for Operand { name, device, shape, bytes, created, moved, .. } in &self.operands {
            let shape: Vec<String> = shape.iter().map(usize::to_string).collect();
            let bytes = Label::Bytes { bytes: *bytes }.say(language);
            out.push_str(&format!("  {name:width$}  {device:6}  [{}]  {bytes}", shape.join(", ")));
            let origin = match (*created, *moved) {
                (created, moved) if created > 0 && moved > 0 && created != moved => {
                    Some(Label::CreatedAndMoved { created, moved })
                }
                (_, line @ 1..) => Some(Label::Moved { line }),
                (line @ 1.., _) => Some(Label::Created { line }),
                _ => None,
            };
            if let Some(origin) = origin {
                out.push_str("  ");
                out.push_str(&origin.say(language));
            }
            out.push('\n');
        }
        for fix in &self.fix {
            let (line, before, after) = fix.lines();
            out.push_str(&format!("  {}\n", Label::Line { line }.say(language)));
            // What all lines are indented by says nothing.
            let indent =
                before.iter().chain(&after).filter(|l| !l.trim().is_empty()).map(|l| l.len() - l.trim_start().len());
            let indent = indent.min().unwrap_or(0);
            for (sign, lines) in [('-', &before), ('+', &after)] {
                for line in lines {
                    out.push_str(&format!("  {sign} {}\n", line.get(indent..).unwrap_or_default()));
                }
            }
        }
        if let Some(lesson) = &self.lesson {
            out.push_str(&format!("  {}\n", Label::Lesson { id: lesson.clone() }.say(language)));
        }
        out
    }
}

#[cfg(test)]
mod tests;
