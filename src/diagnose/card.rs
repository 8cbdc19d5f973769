//! What a learner sees: the card, its operands and its edit.

use serde::{Deserialize, Serialize};

use super::words::{Cause, label};
use crate::language::Language;

/// An explanation next to PyTorch's error.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Card {
    /// `D01`.
    pub rule: String,
    /// The line with the mistake, from 1, which may come before the line that failed; 0 if unknown.
    #[serde(default)]
    pub line: u32,
    /// What is wrong and how to fix it, in every language.
    pub cause: Cause,
    /// The operands: name, device, shape, bytes, and where each came from.
    pub operands: Vec<Operand>,
    /// The smallest edit, if one is known: pieces of the program to replace, in the order of the source.
    pub fix: Vec<Fix>,
    /// Id of the lesson that teaches this.
    pub lesson: Option<String>,
}

/// A tensor that the failing line can access. A module's parameters are operands as well: `model.0.weight`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Operand {
    pub name: String,
    pub device: String,
    pub shape: Vec<usize>,
    pub bytes: usize,
    /// The learner's line that created it; 0 if unknown.
    pub created: u32,
    /// The learner's line that last moved it to its device; 0 if it was never moved.
    pub moved: u32,
    #[serde(skip)]
    pub about: About,
}

/// What the rules know about an operand but the card doesn't show.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct About {
    /// Its storage; 0 if unknown.
    pub storage: crate::trace::StorageId,
    /// The device that its data was last copied from.
    pub from: Option<String>,
    pub kind: Kind,
    /// The node of the graph that made it: `ToCopyBackward0`.
    pub made_by: Option<String>,
}

/// The role of an operand in the line that names it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Kind {
    #[default]
    Tensor,
    Parameter,
    Buffer,
    /// An optimizer's.
    State,
}

/// Replaces one line of the program, or several consecutive lines.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fix {
    /// From 1.
    pub line: u32,
    pub before: String,
    pub after: String,
}

impl Fix {
    /// The number of the first changed line, the removed lines and the added lines, without lines that are equal at the
    /// beginning and the end.
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

/// The program with the edits applied; `None` if a line isn't what it was when the program ran.
pub fn apply(source: &str, fixes: &[Fix]) -> Option<String> {
    let mut lines: Vec<&str> = source.split('\n').collect();
    // From the end, so that the line numbers of the remaining edits stay valid.
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

impl Card {
    /// The same mistake, with the line and the edit known more exactly.
    #[cfg(feature = "python")]
    pub(super) fn at(&self, line: u32, fix: Option<Fix>) -> Card {
        Card { line, fix: fix.into_iter().collect(), ..self.clone() }
    }

    /// The same mistake, said in words that know the program's names.
    #[cfg(feature = "python")]
    pub(super) fn saying(self, cause: Option<Cause>) -> Card {
        Card { cause: cause.unwrap_or(self.cause), ..self }
    }

    /// As text for a terminal, to be printed below a traceback.
    pub fn say(&self, language: Language) -> String {
        let mut out = format!("{}: {}\n", self.rule, self.cause.say(language));
        let width = self.operands.iter().map(|operand| operand.name.chars().count()).max().unwrap_or(0);
        for Operand { name, device, shape, bytes, created, moved, .. } in &self.operands {
            let shape: Vec<String> = shape.iter().map(usize::to_string).collect();
            let bytes = label::bytes(bytes);
            out.push_str(&format!("  {name:width$}  {device:6}  [{}]  {}", shape.join(", "), bytes.say(language)));
            let origin = match (*created, *moved) {
                (created, moved) if created > 0 && moved > 0 && created != moved => {
                    Some(label::created_and_moved(&created, &moved))
                }
                (_, line @ 1..) => Some(label::moved(&line)),
                (line @ 1.., _) => Some(label::created(&line)),
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
            out.push_str(&format!("  {}\n", label::line(&line).say(language)));
            // Indentation that all lines share tells nothing.
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
            out.push_str(&format!("  {}\n", label::lesson(lesson).say(language)));
        }
        out
    }
}
