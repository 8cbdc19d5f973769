//! What is known about a program that has ended.

use super::facts::Facts;
use super::{Operand, line};

/// An error that ended a program, and what is known about the place where it happened.
#[derive(Clone, Copy, Debug)]
pub struct Failure<'a> {
    /// `RuntimeError`; `torch.OutOfMemoryError`.
    pub class: &'a str,
    pub message: &'a str,
    /// The learner's line that was running, from 1.
    pub line: Option<u32>,
    /// The learner's complete program.
    pub source: &'a str,
    /// Tensors that this line names, by variable.
    pub operands: &'a [Operand],
}

/// A frame of the learner's code through which an error passed.
#[derive(Clone, Debug, Default)]
pub(crate) struct Frame {
    pub(crate) line: u32,
    /// Tensors that the line names.
    pub(crate) operands: Vec<Operand>,
    /// If the line is in a module's method: tensors and modules in plain attributes of that module, which it hasn't
    /// registered. Their names are like `self.mask` or `self.layers`.
    pub(crate) hidden: Vec<Hidden>,
    /// Its local variables that are tensors.
    pub(crate) tensors: Vec<Operand>,
}

/// What a plain attribute of a module holds.
#[derive(Clone, Debug)]
pub(crate) struct Hidden {
    pub(crate) attribute: String,
    /// Whether the tensor belongs to a module in the attribute and isn't in the attribute itself.
    pub(crate) in_module: bool,
    pub(crate) operand: Operand,
}

/// A program that has ended, and what was observed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Seen<'a> {
    pub(crate) source: &'a str,
    pub(crate) failure: Option<&'a Failure<'a>>,
    /// The learner's frames of the error, outermost first.
    pub(crate) frames: &'a [Frame],
    /// Whether the error was raised while another error of the same class was being handled.
    pub(crate) again: bool,
    pub(crate) facts: &'a Facts,
}

impl<'a> Failure<'a> {
    /// The message of the error, if it's of this class.
    pub(super) fn raised(&self, class: &str) -> Option<&'a str> {
        (self.class.rsplit('.').next() == Some(class)).then_some(self.message)
    }

    /// The message of the error, if PyTorch's own code raised it.
    pub(super) fn runtime(&self) -> Option<&'a str> {
        ["RuntimeError", "AcceleratorError", "OutOfMemoryError"].into_iter().find_map(|class| self.raised(class))
    }

    /// Whether a line calls this method or function.
    pub(super) fn calls(&self, name: &str) -> bool {
        self.failing().is_some_and(|(_, text)| line::calls(text, name))
    }

    /// The text of a line of the program, from 1.
    pub(super) fn text(&self, line: u32) -> Option<&'a str> {
        self.source.lines().nth(line.checked_sub(1)? as usize)
    }

    /// The failing line with its number.
    pub(super) fn failing(&self) -> Option<(u32, &'a str)> {
        let line = self.line?;
        Some((line, self.text(line)?))
    }
}

/// The text between two pieces of a message.
pub(super) fn between<'a>(text: &'a str, before: &str, after: &str) -> Option<&'a str> {
    let (_, rest) = text.split_once(before)?;
    Some(rest.split_once(after)?.0)
}
