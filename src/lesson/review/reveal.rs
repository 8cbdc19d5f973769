//! Predictions that something above them gives away.

use crate::lesson::prose::{self, Piece};
use crate::lesson::track::comment_at;
use crate::lesson::{Check, Lesson, Part, Question, Step};

/// An answer of this many words isn't in the text by chance.
const LONG: usize = 4;

/// Printed text of this many characters isn't either.
const LONG_OUTPUT: usize = 8;

/// What the learner has read when a question comes.
struct Above {
    /// Everything in the lesson, and what of it is in this step: the words, and where texts end.
    lesson: Vec<String>,
    step: Vec<String>,
}

/// Between two texts: matches nothing.
const END: &str = "\n";

pub(super) fn review(lesson: &Lesson, text: &str, fault: &mut impl FnMut(u32, String)) {
    let mut above = Above { lesson: Vec::new(), step: Vec::new() };
    prose::walk(&lesson.introduction, &mut |piece| above.read(piece));
    for step in &lesson.steps {
        above.step.clear();
        prose::walk_inlines(&step.title, &mut |piece| above.read(piece));
        above.end();
        let comments: Vec<Vec<String>> = step.program().map(|source| comments(&source.code)).unwrap_or_default();
        for part in &step.parts {
            match part {
                Part::Text(blocks) => prose::walk(blocks, &mut |piece| above.read(piece)),
                Part::Predict(question) => {
                    of_question(question, &above, &comments, text, fault);
                    above.question(question);
                }
                Part::Quiz(question) => above.question(question),
            }
            above.end();
        }
        above.rest(step);
    }
}

impl Above {
    fn read(&mut self, piece: Piece<'_>) {
        let (Piece::Text(text) | Piece::Code(text) | Piece::Sample { text, .. }) = piece;
        for word in words(text) {
            self.lesson.push(word.clone());
            self.step.push(word);
        }
    }

    fn end(&mut self) {
        self.lesson.push(END.into());
        self.step.push(END.into());
    }

    /// The options aren't read as facts, and a prediction's reason is shown after its run.
    fn question(&mut self, question: &Question) {
        prose::walk_inlines(&question.question, &mut |piece| self.read(piece));
    }

    /// What the step shows when its program has run.
    fn rest(&mut self, step: &Step) {
        for part in &step.parts {
            if let Part::Predict(question) | Part::Quiz(question) = part {
                prose::walk(&question.because, &mut |piece| self.read(piece));
                self.end();
            }
        }
        if let Some(look) = &step.look {
            prose::walk(&look.seen, &mut |piece| self.read(piece));
        }
        if let Some(exercise) = &step.exercise {
            for check in &exercise.checks {
                self.read(Piece::Text(check.label()));
                self.end();
            }
            prose::walk(&exercise.why, &mut |piece| self.read(piece));
        }
        self.end();
    }
}

fn of_question(
    question: &Question,
    above: &Above,
    comments: &[Vec<String>],
    text: &str,
    fault: &mut impl FnMut(u32, String),
) {
    let option = |correct: bool| {
        question.options.iter().filter(move |option| option.correct == correct).map(|o| prose::plain(&o.text))
    };
    let wrong: Vec<Vec<String>> = option(false).map(|text| words(&text).collect()).collect();
    // An answer that names several options only says what is possible.
    let names_others = |text: &[String]| wrong.iter().any(|wrong| contains(text, wrong));
    let mut say = |what: &str, found: &str, line: Option<u32>| {
        let place = line.map_or(String::new(), |line| format!(" (line {line})"));
        fault(question.line, format!("{what} gives this prediction away: it has \u{201c}{found}\u{201d}{place}"));
    };
    for right in option(true) {
        let answer: Vec<String> = words(&right).collect();
        let in_step = contains(&above.step, &answer) && answer.len() > 1 && !names_others(&above.step);
        if (answer.len() >= LONG && contains(&above.lesson, &answer)) || in_step {
            say("the text above", &right, line_with(text, &answer, question.line));
        }
        let telling = answer.concat().len() > 1 && !matches!(right.to_lowercase().as_str(), "yes" | "no");
        if telling && comments.iter().any(|comment| contains(comment, &answer) && !names_others(comment)) {
            say("a comment of the program", &right, None);
        }
    }
    for check in &question.proof {
        let (shown, long) = match check {
            Check::Raises { text, .. } => (text, words(text).count() > 1),
            Check::Output { contains, .. } => (contains, contains.trim().len() >= LONG_OUTPUT),
            _ => continue,
        };
        let fact: Vec<String> = words(shown).collect();
        if long && contains(&above.lesson, &fact) {
            say("the text above", shown, line_with(text, &fact, question.line));
        }
        if shown.trim().len() > 1 && comments.iter().any(|comment| contains(comment, &fact)) {
            say("a comment of the program", shown, None);
        }
    }
}

/// Letters and digits, in lower case; the rest separates.
pub(super) fn words(text: &str) -> impl Iterator<Item = String> {
    let lower = text.to_lowercase();
    let parts: Vec<String> = lower
        .split(|c: char| !c.is_alphanumeric() && c != '_')
        .filter(|word| !word.is_empty())
        .map(str::to_string)
        .collect();
    parts.into_iter()
}

pub(super) fn contains(text: &[String], words: &[String]) -> bool {
    !words.is_empty() && text.windows(words.len()).any(|window| window == words)
}

/// The first line above `before` that has these words.
pub(super) fn line_with(text: &str, wanted: &[String], before: u32) -> Option<u32> {
    let lines = (1..before).zip(text.lines());
    lines
        .map(|(number, line)| (number, words(line).collect::<Vec<_>>()))
        .find(|(_, line)| contains(line, wanted))
        .map(|(number, _)| number)
}

/// The words of each comment of a program.
pub(super) fn comments(code: &str) -> Vec<Vec<String>> {
    let mut out = Vec::new();
    for line in code.lines() {
        let comment = &line[comment_at(line)..];
        if !comment.is_empty() {
            out.push(words(comment).collect());
        }
    }
    out
}
