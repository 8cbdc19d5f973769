//! The result of a check and why it failed: facts, which the page and the command line turn into sentences
//! (`app::findings`).

use serde::{Deserialize, Serialize};

use crate::device::Device;
use crate::trace::Look;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CheckResult {
    pub passed: bool,
    /// What was checked, in the lesson's words.
    pub label: String,
    /// Why it failed, if it did.
    pub finding: Option<Finding>,
}

/// Why a check failed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Finding {
    /// The program ended without the expected error.
    NoError {
        class: String,
    },
    OtherError {
        class: String,
        message: String,
    },
    Error {
        class: String,
        message: String,
    },
    Few {
        count: u64,
        of: Counted,
        least: u64,
    },
    Many {
        count: u64,
        of: Counted,
        most: u64,
    },
    /// Too many, but only because the learner looked: in this line the most.
    Looked {
        look: Look,
        line: u32,
        count: u64,
        of: Counted,
        most: u64,
    },
    /// This line read a clock while a device still had work.
    Early {
        line: u32,
    },
    Untrue {
        expr: String,
        /// What the variables in the expression hold: names and what Python shows of them.
        #[serde(default)]
        values: Vec<(String, String)>,
    },
    Raises {
        expr: String,
        class: String,
        message: String,
    },
    NotPrinted {
        text: String,
    },
    OneObject {
        left: String,
        right: String,
    },
    TwoObjects {
        left: String,
        right: String,
    },
    Uses {
        name: String,
    },
    UsesNot {
        name: String,
    },
    On {
        name: String,
        device: Device,
    },
    /// One tensor of a module is on this device.
    PartOn {
        name: String,
        device: Device,
    },
    NoParameters {
        name: String,
    },
    NoTensor {
        name: String,
    },
    Unparsed {
        error: String,
    },
    NotStarted,
}

/// Which quantity is counted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Counted {
    Copies,
    BytesCopied,
    AsynchronousCopies,
    Waits,
    PeakBytes {
        device: String,
    },
    /// On all accelerators, or on one.
    Kernels {
        device: Option<String>,
    },
    Loops,
    /// Of a clock, or of events.
    Readings,
}
