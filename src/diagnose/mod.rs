//! From an error, or a silent mistake, to a card that a learner understands.
//!
//! [`diagnose`] starts from an error that was raised, so a legal program never gets a card. It recognises PyTorch's texts of
//! 2.0 to 2.15 ([`text`]), looks at the tensors that the failing line names, and offers an edit only where it is sure of
//! one ([`fix`]): a card without an edit is better than a wrong edit.

mod cause;
mod fix;
mod source;
mod text;

use serde::{Deserialize, Serialize};

pub use source::names;

/// An explanation beside PyTorch's text.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Card {
    /// `D01`.
    pub rule: String,
    /// One sentence of cause.
    pub cause: String,
    /// The operands: name, device, shape, bytes and where each came from.
    pub operands: Vec<Operand>,
    /// The smallest edit, if one is known.
    pub fix: Option<Fix>,
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
}

/// Replaces one line of the program.
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

/// Explains an error; `None` when it is not about devices or memory.
pub fn diagnose(failure: &Failure<'_>) -> Option<Card> {
    let mistake = text::recognise(failure.class, failure.message)?;
    let rule = mistake.rule(failure);
    Some(Card {
        cause: cause::sentence(&mistake, rule, failure),
        operands: failure.operands.to_vec(),
        fix: fix::find(&mistake, rule, failure),
        lesson: lesson(rule).map(str::to_string),
        rule: rule.to_string(),
    })
}

/// The lesson that teaches a rule. Only lessons that exist are named, so that no link leads nowhere.
fn lesson(rule: &str) -> Option<&'static str> {
    match rule {
        "D01" | "D03" | "D07" | "D08" | "D09" | "D10" => Some("same-device-rule"),
        "D02" | "D14" => Some("training-loop"),
        _ => None,
    }
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

/// As text below a traceback, for a terminal.
impl std::fmt::Display for Card {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        writeln!(f, "{}: {}", self.rule, self.cause)?;
        let width = self.operands.iter().map(|operand| operand.name.chars().count()).max().unwrap_or(0);
        for Operand { name, device, shape, bytes, created, moved } in &self.operands {
            let shape: Vec<String> = shape.iter().map(usize::to_string).collect();
            write!(f, "  {name:width$}  {device:6}  [{}]  {bytes} bytes", shape.join(", "))?;
            match (*created, *moved) {
                (_, line @ 1..) => writeln!(f, "  moved in line {line}")?,
                (line @ 1.., _) => writeln!(f, "  created in line {line}")?,
                _ => writeln!(f)?,
            }
        }
        if let Some(Fix { line, before, after }) = &self.fix {
            writeln!(f, "  line {line}:")?;
            writeln!(f, "  - {}", before.trim())?;
            writeln!(f, "  + {}", after.trim())?;
        }
        if let Some(lesson) = &self.lesson {
            writeln!(f, "  lesson: {lesson}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
