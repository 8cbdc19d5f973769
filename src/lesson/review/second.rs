//! What a lesson of format 2 is asked, besides what its programs prove.

use super::honest::Minutes;
use super::{line_of, reveal};
use crate::lesson::english;
use crate::lesson::{Check, CoursePart, Exercise, Lesson, Part, Question, Step, Track};

/// How many other solutions an exercise has.
const OTHER_ROADS: usize = 2;

/// The lines of the closing card.
const LINES_TO_REMEMBER: usize = 3;

pub(super) fn review(lesson: &Lesson, text: &str, fault: &mut impl FnMut(u32, String)) {
    time(lesson, text, fault);
    if let Some(level) = lesson.level {
        fault(line_of(text, "level"), format!("`level: {level}` belongs to a track: write `track:` as well"));
    }
    if let Some(find) = lesson.steps.iter().find_map(|step| step.exercise.as_ref()?.find.as_ref()) {
        fault(find.line, "a find block belongs to a bug (`track: debug`)".into());
    }
    goals(lesson, text, fault);
    if lesson.part != Some(CoursePart::Tour) && !lesson.steps.iter().any(|step| step.exercise.is_some()) {
        fault(1, "no step has an exercise".into());
    }
    let predicts = |part: &Part| matches!(part, Part::Predict(_));
    if !lesson.steps.iter().flat_map(|step| &step.parts).any(predicts) {
        fault(1, "the lesson asks for no prediction: a predict block above the program that answers it".into());
    }
    for step in &lesson.steps {
        of_step(step, fault);
    }
    card(lesson, text, fault);
    reveal::review(lesson, text, fault);
    if lesson.lang.is_none() {
        english::review(lesson, text, fault);
    }
}

/// The time that it says, and the time that it takes.
pub(super) fn time(lesson: &Lesson, text: &str, fault: &mut impl FnMut(u32, String)) {
    let honest = Minutes::of(lesson);
    let (what, least, most) = match (lesson.track, lesson.part) {
        (Some(Track::Debug), _) => ("a bug", 1, 8),
        (Some(Track::Puzzles), _) => ("a puzzle", 1, 8),
        (None, Some(CoursePart::Tour)) => ("a lesson", 3, 6),
        (None, _) => ("a lesson", 8, 15),
    };
    let minutes = honest.sum().round() as u32;
    let spent = format!(
        "{:.1} minutes (words {:.1}, programs {:.1}, exercises {:.1}, questions {:.1})",
        honest.sum(),
        honest.words,
        honest.programs,
        honest.exercises,
        honest.questions
    );
    let line = line_of(text, "minutes");
    if minutes.abs_diff(lesson.minutes) > 1 {
        fault(line, format!("a beginner needs {spent}: write `minutes: {}`", minutes.max(1)));
    }
    if !(least..=most).contains(&lesson.minutes) {
        let text = format!("{what} takes {least} to {most} minutes, not {}; a beginner needs {spent}", lesson.minutes);
        fault(line, text);
    }
    // To a tenth, which is what the fault shows.
    if lesson.track.is_none() && lesson.part != Some(CoursePart::Tour) && honest.sum() > f64::from(most) + 0.05 {
        fault(line, format!("{what} takes {most}.0 minutes at most; a beginner needs {spent}"));
    }
}

/// The aim, and the objectives with what asks for them.
fn goals(lesson: &Lesson, text: &str, fault: &mut impl FnMut(u32, String)) {
    if lesson.aim.is_none() {
        fault(1, "the front matter has no `aim:`, which completes the sentence \"After this you can …\"".into());
    }
    if lesson.objectives.is_empty() {
        fault(
            1,
            "the front matter has no `objectives:`, each an id and a sentence about what the learner can do".into(),
        );
    }
    let mut asked: Vec<(&str, u32)> = Vec::new();
    for step in &lesson.steps {
        for part in &step.parts {
            if let Part::Quiz(Question { objective: Some(id), line, .. }) = part {
                asked.push((id, *line));
            }
        }
        if let Some(Exercise { scoring, check_lines, .. }) = &step.exercise {
            let named = scoring.iter().zip(check_lines);
            asked.extend(named.filter_map(|(scoring, line)| Some((scoring.objective.as_deref()?, *line))));
        }
    }
    let line = line_of(text, "objectives");
    for objective in &lesson.objectives {
        if !asked.iter().any(|(id, _)| *id == objective.id) {
            let id = &objective.id;
            let text =
                format!("nothing asks for the objective '{id}': write `objective: {id}` at a check or in a quiz");
            fault(line, text);
        }
    }
    for (id, line) in asked {
        if !lesson.objectives.iter().any(|objective| objective.id == id) {
            fault(line, format!("there is no objective '{id}' in the front matter"));
        }
    }
}

pub(super) fn of_step(step: &Step, fault: &mut impl FnMut(u32, String)) {
    let has_quiz = step.parts.iter().any(|part| matches!(part, Part::Quiz(_)));
    if !step.optional && step.program().is_none() && !has_quiz {
        let text = "nothing in this step can be done: give it a look, an exercise or a quiz, join it with another step, or mark its \
                    title with {.optional}";
        fault(step.line, text.into());
    }
    for part in &step.parts {
        let Part::Predict(question) = part else { continue };
        if step.program().is_none() {
            fault(
                question.line,
                "this prediction has no run that answers it: its step needs a look or an exercise".into(),
            );
        } else if question.proof.is_empty() {
            let text = "this prediction has no proof: a list of checks that the step's program passes as it stands";
            fault(question.line, text.into());
        } else if question.proof.iter().all(|check| matches!(check, Check::SourceUses { .. })) {
            fault(question.line, "this proof looks at the source alone; the run must show the fact".into());
        }
    }
    if let Some(exercise) = &step.exercise {
        if exercise.also_right.len() < OTHER_ROADS {
            let text = format!(
                "an exercise has {OTHER_ROADS} `python also_right` programs or more, which solve it by other roads, not {}",
                exercise.also_right.len()
            );
            fault(step.line, text);
        }
        if exercise.scoring.iter().all(|scoring| scoring.guard) {
            fault(step.line, "every check of this exercise is a guard, so there is nothing to earn".into());
        }
    }
}

/// The closing card.
fn card(lesson: &Lesson, text: &str, fault: &mut impl FnMut(u32, String)) {
    let line =
        (1..).zip(text.lines()).find(|(_, line)| line.trim_end() == "```remember").map_or(1, |(number, _)| number);
    match lesson.remember.len() {
        LINES_TO_REMEMBER => {}
        0 => fault(line, "the lesson has no remember block at its end: a list of three sentences".into()),
        count => fault(line, format!("a remember block has {LINES_TO_REMEMBER} lines, not {count}")),
    }
    for sentence in &lesson.remember {
        let sentence = crate::lesson::prose::plain(sentence);
        if english::sentences(&sentence).count() > 1 {
            fault(line, format!("a line to remember is one sentence: {sentence}"));
        }
    }
}
