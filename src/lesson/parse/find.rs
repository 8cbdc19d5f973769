//! The question for the line with the mistake.

use serde::Deserialize;

use super::blocks::Reader;
use super::faults::{short_yaml, yaml_line, yaml_text};
use crate::lesson::track::code_of;
use crate::lesson::{Find, Source};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawFind {
    #[serde(default)]
    line: Option<u32>,
    #[serde(default)]
    lines: Option<Vec<u32>>,
    because: String,
}

/// Reads a find block. `fence` is the line of its fence.
pub(super) fn read(content: &str, fence: u32, reader: &mut Reader<'_, '_, '_>) -> Option<Find> {
    if let Err(fault) = short_yaml(content) {
        reader.fault(fence, format!("the find block: {fault}"));
        return None;
    }
    let raw: RawFind = match serde_norway::from_str(content) {
        Ok(raw) => raw,
        Err(error) => {
            reader.fault(yaml_line(&error, fence + 1), format!("the find block: {}", yaml_text(&error)));
            return None;
        }
    };
    let lines = match (raw.line, raw.lines) {
        (Some(line), None) => vec![line],
        (None, Some(lines)) if !lines.is_empty() => lines,
        _ => {
            reader.fault(
                fence,
                "a find block names a line (`line: 5`), or several of which each is right (`lines: [5, 7]`)",
            );
            Vec::new()
        }
    };
    if let Some(twice) = lines.iter().enumerate().find(|(at, line)| lines[..*at].contains(line)) {
        reader.fault(fence, format!("line {} is named twice", twice.1));
    }
    Some(Find { line: fence, lines, because: reader.markdown_in_yaml(&raw.because, fence, "because") })
}

/// Reports lines that the program doesn't have, and lines without code.
pub(super) fn fits(find: &Find, starter: &Source, reader: &mut Reader<'_, '_, '_>) {
    let lines: Vec<&str> = starter.code.lines().collect();
    for line in &find.lines {
        match (*line as usize).checked_sub(1).and_then(|at| lines.get(at)) {
            None => reader.fault(find.line, format!("line {line} is named, but the program has {} lines", lines.len())),
            Some(text) if code_of(text).trim().is_empty() => {
                reader.fault(find.line, format!("line {line} is named, but it has no code"));
            }
            Some(_) => {}
        }
    }
}
