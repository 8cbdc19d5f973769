//! What is wrong with a file, and what YAML says is.

use crate::lesson::Fault;

/// Bytes of YAML in one place: a reader of YAML takes the square of the time for what is nested without end.
const MAX_YAML: usize = 16 << 10;

/// Gathers what is wrong, so that an author sees all of it at once.
pub(super) struct Faults<'a> {
    pub(super) file: &'a str,
    pub(super) found: Vec<Fault>,
}

impl Faults<'_> {
    pub(super) fn add(&mut self, line: u32, message: impl Into<String>) {
        self.found.push(Fault { file: self.file.to_string(), line, message: message.into() });
    }
}

/// Refuses YAML that is longer than any lesson needs.
pub(super) fn short_yaml(content: &str) -> Result<(), String> {
    match content.len() {
        0..=MAX_YAML => Ok(()),
        bytes => Err(format!("{bytes} bytes of YAML; at most {MAX_YAML}")),
    }
}

/// The line of the file in which YAML found its error; `first` is the line of its first line.
pub(super) fn yaml_line(error: &serde_norway::Error, first: u32) -> u32 {
    first + error.location().map_or(0, |at| (at.line() as u32).saturating_sub(1))
}

/// What YAML found, without places: they are counted from the beginning of the block, and the fault has the file's.
pub(super) fn yaml_text(error: &serde_norway::Error) -> String {
    let text = error.to_string();
    let mut parts = text.split(" at line ");
    let mut out = parts.next().unwrap_or_default().to_string();
    for part in parts {
        let place: &[char] = &['0', '1', '2', '3', '4', '5', '6', '7', '8', '9'];
        let rest = part.trim_start_matches(place).strip_prefix(" column ").map(|rest| rest.trim_start_matches(place));
        match rest {
            Some(rest) => out.push_str(rest),
            None => out.extend([" at line ", part]),
        }
    }
    out
}
