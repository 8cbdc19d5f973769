//! Programs to begin with, beside the lessons.

/// A program that the playground offers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Example {
    /// Names the learner's own copy in the browser's storage.
    pub id: &'static str,
    pub title: &'static str,
    pub code: &'static str,
}

/// The first one is what the page opens with.
pub const EXAMPLES: [Example; 3] = [
    Example { id: "first", title: "Two tensors, two devices", code: include_str!("examples/first.py") },
    Example { id: "same-device", title: "The same-device rule", code: include_str!("examples/same_device.py") },
    Example { id: "training", title: "A training loop", code: include_str!("examples/training.py") },
];
