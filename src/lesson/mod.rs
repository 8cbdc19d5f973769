//! Lessons: the file format (version 1), its checks and its validation.

use serde::{Deserialize, Serialize};

/// One check of a step: behaviour, not text. The kinds are those of the lesson format.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum Check {
    /// A variable's tensor (or a module's every parameter) is on a device.
    Device { label: String, name: String, device: String },
    /// The program raises this class with a message containing `text`.
    Raises { label: String, class: String, text: String },
    /// The program ends without an error.
    NoError { label: String },
    /// Copies over the links lie within bounds (inclusive).
    Transfers {
        label: String,
        min: Option<usize>,
        max: Option<usize>,
        min_bytes: Option<usize>,
        max_bytes: Option<usize>,
    },
    /// Peak allocated bytes of a device.
    PeakBytes { label: String, device: String, max: usize },
    /// An expression in the program's namespace is true.
    Value { label: String, expr: String },
    /// Standard output contains this text.
    Output { label: String, contains: String },
    /// Two names are the same object, or must not be.
    SameObject { label: String, left: String, right: String, same: bool },
    /// The program calls this name (found in its syntax tree, not in its text).
    SourceUses { label: String, name: String },
}
