//! What is wrong with a lesson file, and where.

use std::fmt;

/// One fault of a lesson file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    pub file: String,
    /// From 1.
    pub line: u32,
    pub message: String,
}

/// `lessons/b-4-same-device.md:12: unknown role 'starrter'`.
impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.file, self.line, self.message)
    }
}

impl std::error::Error for Fault {}
