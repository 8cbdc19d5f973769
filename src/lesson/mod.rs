//! Lessons: the file format (versions 1 and 2), its checks, and how they are judged.
//!
//! A lesson is one Markdown file: front matter in YAML, steps as level-2 headings, and fenced blocks with roles. Its content
//! is only data: text becomes a tree of [`prose`] that can't hold HTML, programs run only in the interpreter, and everything
//! that isn't part of the format is a [`Fault`] with its line. `docs/lessons.md` is the author's guide.

mod check;
pub mod english;
mod fault;
mod finding;
#[cfg(feature = "lesson")]
pub mod glossary;
pub mod judge;
#[cfg(feature = "lesson")]
mod parse;
pub mod prose;
#[cfg(feature = "lesson")]
mod review;
pub mod score;
mod sight;
mod track;
#[cfg(feature = "lesson")]
pub mod translation;

use serde::{Deserialize, Serialize};

pub use check::{Check, Direction, Looking};
pub use fault::Fault;
pub use finding::{CheckResult, Counted, Finding};
use prose::{Block, Inline};
pub use sight::{Look, Panel, Point, Sight};
pub use track::{Find, Track};

use crate::machine::Machine;

/// The version of the format that this crate writes. It reads every version from 1 to this one.
pub(crate) const FORMAT: u32 = 2;

/// A lesson as its file states it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Lesson {
    /// The version that its file is written in.
    pub format: u32,
    /// Plain words joined by hyphens. It names the lesson in addresses, links and saved progress.
    pub id: String,
    pub title: String,
    /// The language of its text; `None` for English.
    pub lang: Option<String>,
    /// The part of the course that it belongs to.
    pub part: Option<CoursePart>,
    /// The track that it belongs to instead, and how hard it is there, from 1 to 3.
    pub track: Option<Track>,
    pub level: Option<u32>,
    /// Completes the sentence "After this you can …".
    pub aim: Option<Vec<Inline>>,
    pub objectives: Vec<Objective>,
    /// How long it takes, according to its author.
    pub minutes: u32,
    /// The machine that its programs run on.
    pub machine: Machine,
    /// Ids of lessons that should come before it.
    pub requires: Vec<String>,
    /// The pages that may embed it and get its reports; all pages if empty.
    pub origins: Vec<String>,
    /// Data and images from the folder `files` next to the lesson.
    pub files: Vec<LessonFile>,
    /// Text before the first step.
    pub introduction: Vec<Block>,
    pub steps: Vec<Step>,
    /// Ids of the lessons that its text links to, and the line of each link.
    pub links: Vec<(String, u32)>,
    /// The words of the glossary that its text marks, and the line of each mark.
    pub terms: Vec<(String, u32)>,
    /// What to remember: the lines of the card at its end.
    pub remember: Vec<Vec<Inline>>,
}

/// The parts of the course, in order. A file names one as `0` or by its letter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CoursePart {
    #[serde(rename = "0")]
    Tour,
    A,
    B,
    C,
    D,
    E,
    F,
    G,
}

impl CoursePart {
    pub const ALL: [CoursePart; 8] = {
        use CoursePart::{A, B, C, D, E, F, G, Tour};
        [Tour, A, B, C, D, E, F, G]
    };

    /// As files and the list of lessons write it.
    pub fn name(self) -> &'static str {
        match self {
            CoursePart::Tour => "0",
            CoursePart::A => "a",
            CoursePart::B => "b",
            CoursePart::C => "c",
            CoursePart::D => "d",
            CoursePart::E => "e",
            CoursePart::F => "f",
            CoursePart::G => "g",
        }
    }

    /// The part with this [name](CoursePart::name).
    pub fn of(name: &str) -> Option<CoursePart> {
        CoursePart::ALL.into_iter().find(|part| part.name() == name)
    }
}

/// Something that the learner can do after the lesson. A quiz or a check asks for it by its id.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Objective {
    pub id: String,
    pub text: Vec<Inline>,
}

/// A file that comes with the lesson. The lesson's programs open it by its name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LessonFile {
    pub name: String,
    /// The image to show instead on a dark page.
    pub dark: Option<String>,
    /// What an image shows, in words.
    pub alt: Option<String>,
}

impl LessonFile {
    /// Whether a file of this name is an image that a lesson can show.
    pub fn is_image(name: &str) -> bool {
        let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
        ["svg", "png", "jpg", "jpeg", "webp", "gif"].iter().any(|image| extension.eq_ignore_ascii_case(image))
    }
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
    /// Whether the lesson is complete without it.
    pub optional: bool,
    /// The program to run and look at. A step has this or an exercise, or neither.
    pub look: Option<Look>,
    /// The program to work on, if the step has one.
    pub exercise: Option<Exercise>,
}

impl Step {
    /// The program that the step begins with, as the learner finds it.
    pub fn program(&self) -> Option<&Source> {
        let look = self.look.as_ref().map(|look| &look.source);
        look.or_else(|| self.exercise.as_ref().map(|exercise| &exercise.starter))
    }
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
    /// Conditions that the step's program fulfills as it stands, which prove the right answer of a prediction. They have
    /// no labels.
    pub proof: Vec<Check>,
    /// The objective that a quiz asks for.
    pub objective: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Choice {
    pub text: Vec<Inline>,
    pub correct: bool,
}

/// A program that the learner changes until the checks pass.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Exercise {
    /// What is asked before the first run of a bug.
    pub find: Option<Find>,
    pub starter: Source,
    pub solution: Source,
    /// Other solutions, by different roads, which the checks must accept.
    pub also_right: Vec<Source>,
    /// Programs that the checks must reject.
    pub must_fail: Vec<Source>,
    /// What to look at when the program has run.
    pub sight: Sight,
    pub checks: Vec<Check>,
    /// Line of each check.
    pub check_lines: Vec<u32>,
    /// What each check counts for.
    pub scoring: Vec<Scoring>,
    /// Shown one after the other, on request.
    pub hints: Vec<Hint>,
    /// Shown when the checks have passed: why it works.
    pub why: Vec<Block>,
}

/// What a check counts for.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Scoring {
    /// Whether the untouched starter passes it: it must stay true, and earns nothing.
    pub guard: bool,
    /// The objective that it asks for.
    pub objective: Option<String>,
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
