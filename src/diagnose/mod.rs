//! From an error, or a silent mistake, to a card that a learner understands.

use serde::{Deserialize, Serialize};

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
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Fix {
    pub line: u32,
    pub before: String,
    pub after: String,
}
