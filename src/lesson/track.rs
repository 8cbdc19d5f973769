//! The tracks beside the course: short lessons of one step that people come back to.

use serde::{Deserialize, Serialize};

use super::prose::Block;

/// A track. Its lessons are in a folder of this name, below those of the course.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Track {
    /// A program with one mistake, whose line the learner finds before it runs.
    Debug,
    /// A task with a budget.
    Puzzles,
}

impl Track {
    pub const ALL: [Track; 2] = [Track::Debug, Track::Puzzles];

    /// The levels of a track, from easy to hard.
    pub const LEVELS: u32 = 3;

    /// As files, folders and addresses write it.
    pub fn name(self) -> &'static str {
        match self {
            Track::Debug => "debug",
            Track::Puzzles => "puzzles",
        }
    }

    /// The track with this [name](Track::name).
    pub fn of(name: &str) -> Option<Track> {
        Track::ALL.into_iter().find(|track| track.name() == name)
    }

    /// How the ids of its lessons begin.
    pub fn prefix(self) -> &'static str {
        match self {
            Track::Debug => "debug-",
            Track::Puzzles => "puzzle-",
        }
    }
}

/// Asks for the line with the mistake, before the program runs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Find {
    /// Line of its fence.
    pub line: u32,
    /// The lines of the starter, counted from 1, any of which is right.
    pub lines: Vec<u32>,
    /// Shown when the line is found: why this is the one.
    pub because: Vec<Block>,
}

/// A line of a program without the comment at its end.
#[cfg(feature = "lesson")]
pub(super) fn code_of(line: &str) -> &str {
    line[..comment_at(line)].trim_end()
}

/// Where the comment of a line begins; the line's length if it has none.
#[cfg(feature = "lesson")]
pub(super) fn comment_at(line: &str) -> usize {
    let mut quote = None;
    for (at, c) in line.char_indices() {
        match quote {
            Some(open) if c == open => quote = None,
            Some(_) => {}
            None if c == '"' || c == '\'' => quote = Some(c),
            None if c == '#' => return at,
            None => {}
        }
    }
    line.len()
}
