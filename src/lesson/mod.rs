//! Lessons: the file format (version 1), its checks, and how they are judged.
//!
//! A lesson is one Markdown file: front matter in YAML, steps as level-2 headings, and fenced blocks with roles. What is
//! written in such a file is data: text becomes a tree of [`prose`] that can hold no HTML, programs run only in the
//! interpreter, and everything that is not part of the format is a [`Fault`] with its line. `docs/lessons.md` is the
//! author's guide.

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
    /// Plain words joined by hyphens; names the lesson in addresses, links and saved progress.
    pub id: String,
    pub title: String,
    /// The language of its texts; none for English.
    pub lang: Option<String>,
    /// How long it takes, by its author.
    pub minutes: u32,
    /// What its programs run on.
    pub machine: Machine,
    /// Ids of lessons that come before it.
    pub requires: Vec<String>,
    /// The pages that may hear from it when it is embedded; all if empty.
    pub origins: Vec<String>,
    /// Text before the first step.
    pub introduction: Vec<Block>,
    pub steps: Vec<Step>,
    /// Ids of lessons that its text links to, with the line of each link.
    pub links: Vec<(String, u32)>,
}

/// What is under one level-2 heading.
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
    /// To be answered before the program is run; no answer is refused.
    Predict(Question),
    /// To be answered right.
    Quiz(Question),
}

/// A question with answers to choose from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Question {
    pub question: Vec<Inline>,
    pub options: Vec<Choice>,
    /// Shown after an answer, right or wrong.
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

    /// What the format allows but a lesson should not do: a step without a prediction, a single hint, checks of text
    /// alone, a wrong reading time. Empty for a lesson that is ready to be run.
    /// `text` is the file's, for the places where it still says TODO.
    pub fn review(&self, text: &str, file: &str) -> Vec<Fault> {
        review::review(self, text, file)
    }

    /// This lesson with the words of its translation. Programs, checks and the ids of steps stay, so that progress is the
    /// same in every language.
    ///
    /// # Errors
    /// `words` is no translation of this lesson; said in a sentence.
    pub fn in_words_of(&self, words: &Lesson) -> Result<Lesson, String> {
        translation::in_words_of(self, words)
    }

    /// Shows every text of a step in which an error may be quoted. A wrong option may say what is wrong, so it is left out.
    pub fn quotes<'a>(&'a self, step: usize, see: &mut dyn FnMut(prose::Piece<'a>)) {
        review::quotable(self, step, see);
    }
}
