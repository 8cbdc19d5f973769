//! What a step's program shows: which panel of the page to open, and what to point at.

use serde::{Deserialize, Serialize};

use super::Source;
use super::prose::Block;

/// A program that the learner only runs, to see something.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Look {
    pub source: Source,
    pub sight: Sight,
    /// Shown when it has run: what was to be seen, and its name.
    pub seen: Vec<Block>,
}

/// Where to look when a program has run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sight {
    pub panel: Option<Panel>,
    pub point: Option<Point>,
}

/// A part of the page that shows something about a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Panel {
    Devices,
    Timeline,
    Memory,
    Graph,
    Smi,
    Cost,
}

impl Panel {
    pub const ALL: [Panel; 6] = [Panel::Devices, Panel::Timeline, Panel::Memory, Panel::Graph, Panel::Smi, Panel::Cost];

    /// As files write it.
    pub fn name(self) -> &'static str {
        match self {
            Panel::Devices => "devices",
            Panel::Timeline => "timeline",
            Panel::Memory => "memory",
            Panel::Graph => "graph",
            Panel::Smi => "smi",
            Panel::Cost => "cost",
        }
    }
}

/// A thing of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Point {
    /// The tensor of the variable with this name.
    Block(String),
    /// A copy of the run, counted from 1.
    Copy(usize),
    /// A line of the program, counted from 1.
    Line(u32),
}

#[cfg(feature = "lesson")]
impl Sight {
    /// Reads one `panel=…` or `point=…` after a fence.
    ///
    /// # Errors
    /// A sentence: what is wrong, and what is expected.
    pub(super) fn read(&mut self, word: &str) -> Result<(), String> {
        let Some((key, value)) = word.split_once('=') else {
            return Err(format!("'{word}' is neither panel=… nor point=…"));
        };
        match key {
            "panel" if self.panel.is_none() => {
                let names = Panel::ALL.map(Panel::name).join(", ");
                let panel = Panel::ALL.into_iter().find(|panel| panel.name() == value);
                self.panel = Some(panel.ok_or_else(|| format!("there is no panel '{value}': write one of {names}"))?);
            }
            "point" if self.point.is_none() => self.point = Some(Point::of(value)?),
            "panel" | "point" => return Err(format!("`{key}=` is given twice")),
            _ => return Err(format!("'{key}=' is neither panel= nor point=")),
        }
        Ok(())
    }
}

#[cfg(feature = "lesson")]
impl Point {
    fn of(text: &str) -> Result<Point, String> {
        let expected = || format!("'{text}' points at nothing: write block:NAME, copy:N or line:N, counted from 1");
        let (kind, value) = text.split_once(':').ok_or_else(expected)?;
        let point = match kind {
            "block" if is_variable(value) => Point::Block(value.into()),
            "copy" => Point::Copy(value.parse().ok().filter(|n| *n > 0).ok_or_else(expected)?),
            "line" => Point::Line(value.parse().ok().filter(|n| *n > 0).ok_or_else(expected)?),
            _ => return Err(expected()),
        };
        Ok(point)
    }
}

/// A variable, an attribute of one or an element: `x`, `model.weight`, `layers.0.weight`.
#[cfg(feature = "lesson")]
fn is_variable(text: &str) -> bool {
    let number = |word: &str| !word.is_empty() && word.bytes().all(|b| b.is_ascii_digit());
    let word = |word: &str| {
        word.starts_with(|c: char| c.is_alphabetic() || c == '_')
            && word.chars().all(|c| c.is_alphanumeric() || c == '_')
    };
    let mut parts = text.split('.');
    parts.next().is_some_and(word) && parts.all(|part| word(part) || number(part))
}
