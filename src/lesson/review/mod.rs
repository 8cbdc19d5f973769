//! What makes a lesson good, beyond being well-formed.

mod honest;
mod reveal;
mod second;
mod track;

use super::prose::{self, Piece};
use super::{Exercise, Fault, Lesson, Part, Question};

/// How many words of text a learner reads in a minute: fewer than in a story, because every word may matter.
const WORDS_A_MINUTE: usize = 180;

/// Minutes that the text and questions alone take, rounded up.
pub(super) fn reading_minutes(lesson: &Lesson) -> u32 {
    let mut words = 0;
    let mut count = |piece: Piece<'_>| match piece {
        Piece::Text(text) | Piece::Code(text) | Piece::Sample { text, .. } => words += text.split_whitespace().count(),
    };
    walk_texts(lesson, &mut count);
    for exercise in lesson.steps.iter().filter_map(|step| step.exercise.as_ref()) {
        prose::walk(&exercise.why, &mut count);
    }
    words.div_ceil(WORDS_A_MINUTE) as u32
}

/// Visits what stands above the programs: the introduction, and each step's title, text and questions.
fn walk_texts<'a>(lesson: &'a Lesson, visit: &mut dyn FnMut(Piece<'a>)) {
    prose::walk(&lesson.introduction, visit);
    for step in &lesson.steps {
        prose::walk_inlines(&step.title, visit);
        for part in &step.parts {
            match part {
                Part::Text(blocks) => prose::walk(blocks, visit),
                Part::Predict(question) | Part::Quiz(question) => {
                    prose::walk_inlines(&question.question, visit);
                    question.options.iter().for_each(|option| prose::walk_inlines(&option.text, visit));
                    prose::walk(&question.because, visit);
                }
            }
        }
    }
}

/// See [`Lesson::review`].
pub(super) fn review(lesson: &Lesson, text: &str, file: &str) -> Vec<Fault> {
    let mut faults = Vec::new();
    let mut fault = |line: u32, message: String| faults.push(Fault { file: file.to_string(), line, message });
    for (number, line) in (1..).zip(text.lines()) {
        if line.contains("TODO") {
            fault(number, format!("still to be written: {}", line.trim()));
        }
    }
    match lesson.format {
        _ if lesson.track.is_some() => track::review(lesson, text, &mut fault),
        1 => first(lesson, text, &mut fault),
        _ => second::review(lesson, text, &mut fault),
    }
    for step in &lesson.steps {
        if let Some(exercise) = &step.exercise {
            of_exercise(exercise, step.line, &mut fault);
        }
    }
    faults.sort_by_key(|fault| fault.line);
    faults
}

/// The line of a key of the front matter.
fn line_of(text: &str, key: &str) -> u32 {
    let keyed = |line: &str| line.strip_prefix(key).is_some_and(|rest| rest.starts_with(':'));
    (1..).zip(text.lines()).find(|(_, line)| keyed(line)).map_or(1, |(number, _)| number)
}

/// What only lessons of format 1 are asked.
fn first(lesson: &Lesson, text: &str, fault: &mut impl FnMut(u32, String)) {
    let reading = reading_minutes(lesson);
    let exercises = lesson.steps.iter().filter(|step| step.exercise.is_some()).count() as u32;
    // Nobody reads a program, changes it and runs it in less than a minute, and few need more than fifteen.
    let (least, most) = (reading + exercises, reading + 15 * exercises + 5);
    if !(least..=most).contains(&lesson.minutes) {
        fault(
            line_of(text, "minutes"),
            format!(
                "{} minutes; the text takes {reading} and there are {exercises} exercises, so {least} to {most} are expected",
                lesson.minutes
            ),
        );
    }
    if exercises == 0 {
        fault(1, "no step has an exercise".into());
    }
    let predicts = |part: &Part| matches!(part, Part::Predict(_));
    if !lesson.steps.iter().any(|step| step.exercise.is_some() && step.parts.iter().any(predicts)) {
        fault(1, "no exercise has a prediction before it: a predict block in the step of an exercise".into());
    }
}

fn of_exercise(exercise: &Exercise, heading: u32, fault: &mut impl FnMut(u32, String)) {
    if exercise.hints.len() < 2 {
        fault(heading, format!("an exercise has 2 hints or more, not {}", exercise.hints.len()));
    }
    if exercise.why.is_empty() {
        fault(heading, "this exercise does not say why its solution works: a why block".into());
    }
    if exercise.must_fail.is_empty() {
        fault(
            heading,
            "this exercise has no must_fail program: write one that prints the answer instead of computing it".into(),
        );
    }
    let first = exercise.check_lines.first().copied().unwrap_or(heading);
    if !exercise.checks.iter().any(|check| check.is_behaviour()) {
        fault(first, "these checks look at text alone; one must look at what the program did".into());
    }
    let programs = [&exercise.starter, &exercise.solution].into_iter();
    for source in programs.chain(&exercise.also_right).chain(&exercise.must_fail) {
        if source.code.trim().is_empty() {
            fault(source.line, "this program is empty".into());
        }
    }
}

/// Every text of a step that may quote an error. Options are skipped, because a wrong one may quote a wrong error.
pub(super) fn quotable<'a>(lesson: &'a Lesson, step: usize, see: &mut dyn FnMut(Piece<'a>)) {
    let of_question = |question: &'a Question, see: &mut dyn FnMut(Piece<'a>)| {
        prose::walk_inlines(&question.question, see);
        question.options.iter().filter(|option| option.correct).for_each(|o| prose::walk_inlines(&o.text, see));
        prose::walk(&question.because, see);
    };
    let step = &lesson.steps[step];
    for part in &step.parts {
        match part {
            Part::Text(blocks) => prose::walk(blocks, see),
            Part::Predict(question) | Part::Quiz(question) => of_question(question, see),
        }
    }
    if let Some(look) = &step.look {
        prose::walk(&look.seen, see);
    }
    if let Some(exercise) = &step.exercise {
        exercise.find.iter().for_each(|find| prose::walk(&find.because, see));
        exercise.hints.iter().for_each(|hint| prose::walk(&hint.text, see));
        prose::walk(&exercise.why, see);
    }
}
