//! Lessons: the file format (version 1), its checks, and how they are judged.
//!
//! A lesson is one Markdown file: front matter in YAML, steps as level-2 headings, and fenced blocks with roles. Its content
//! is only data: text becomes a tree of [`prose`] that can't hold HTML, programs run only in the interpreter, and everything
//! that isn't part of the format is a [`Fault`] with its line. `docs/lessons.md` is the author's guide.

mod check;
mod fault;
mod finding;
pub mod judge;
#[cfg(feature = "lesson")]
mod parse;
pub mod prose;
#[cfg(feature = "lesson")]
mod review;
#[cfg(feature = "lesson")]
pub mod translation;

use serde::{Deserialize, Serialize};

pub use check::{Check, Direction};
pub use fault::Fault;
pub use finding::{CheckResult, Counted, Finding};
use prose::{Block, Inline};

use crate::machine::Machine;

/// The version of the format that this crate reads and writes.
pub(crate) const FORMAT: u32 = 1;

/// A lesson as its file states it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Lesson {
    /// Plain words joined by hyphens. It names the lesson in addresses, links and saved progress.
    pub id: String,
    pub title: String,
    /// The language of its text; `None` for English.
    pub lang: Option<String>,
    /// How long it takes, according to its author.
    pub minutes: u32,
    /// The machine that its programs run on.
    pub machine: Machine,
    /// Ids of lessons that should come before it.
    pub requires: Vec<String>,
    /// The pages that may embed it and get its reports; all pages if empty.
    pub origins: Vec<String>,
    /// Text before the first step.
    pub introduction: Vec<Block>,
    pub steps: Vec<Step>,
    /// Ids of the lessons that its text links to, and the line of each link.
    pub links: Vec<(String, u32)>,
}

/// The content under one level-2 heading.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Step {
    /// Made from the title; unique within the lesson.
    pub id: String,
    pub title: Vec<Inline>,
    /// Line of the heading.
    pub line: u32,
    /// Text and questions in the order of the file. They come before the program.
    pub parts: Vec<Part>,
    /// The program to work on, if the step has one.
    pub exercise: Option<Exercise>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Part {
    Text(Vec<Block>),
    /// Answered before the program is run. Every answer is accepted.
    Predict(Question),
    /// Must be answered correctly.
    Quiz(Question),
}

/// A question with answers to choose from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Question {
    pub question: Vec<Inline>,
    pub options: Vec<Choice>,
    /// Shown after any answer, right or wrong.
    pub because: Vec<Block>,
    /// Line of its fence.
    pub line: u32,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Choice {
    pub text: Vec<Inline>,
    pub correct: bool,
}

/// A program that the learner changes until the checks pass.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Exercise {
    pub starter: Source,
    pub solution: Source,
    /// Programs that the checks must reject.
    pub must_fail: Vec<Source>,
    pub checks: Vec<Check>,
    /// Line of each check.
    pub check_lines: Vec<u32>,
    /// Shown one after the other, on request.
    pub hints: Vec<Hint>,
    /// Shown when the checks have passed: why it works.
    pub why: Vec<Block>,
}

/// A program with its place in the lesson file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Source {
    /// Line of its fence.
    pub line: u32,
    /// What the author says about it; may be empty.
    pub label: String,
    pub code: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Hint {
    pub line: u32,
    pub text: Vec<Block>,
}

#[cfg(feature = "lesson")]
impl Lesson {
    /// Reads a lesson; `file` names it in faults.
    ///
    /// # Errors
    /// Every fault found, in the order of the lines. A lesson of another major version is refused at once.
    pub fn parse(text: &str, file: &str) -> Result<Lesson, Vec<Fault>> {
        parse::parse(text, file)
    }

    /// What the format allows but a lesson shouldn't do: a step without a prediction, a single hint, checks of source text
    /// alone, a wrong reading time. Empty for a lesson that is ready. `text` is the content of the file, to find the places
    /// that still say TODO.
    pub fn review(&self, text: &str, file: &str) -> Vec<Fault> {
        review::review(self, text, file)
    }

    /// This lesson with the text of its translation. Programs, checks and the ids of steps stay, so that progress is the
    /// same in every language.
    ///
    /// # Errors
    /// A sentence, if `words` isn't a translation of this lesson.
    pub fn in_words_of(&self, words: &Lesson) -> Result<Lesson, String> {
        translation::in_words_of(self, words)
    }

    /// Calls `see` with every text of a step that may quote an error. Options are skipped, because a wrong one may quote a
    /// wrong error.
    pub fn quotes<'a>(&'a self, step: usize, see: &mut dyn FnMut(prose::Piece<'a>)) {
        review::quotable(self, step, see);
    }
}
