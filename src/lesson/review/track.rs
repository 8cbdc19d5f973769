//! What a bug and a puzzle are asked: lessons of one step, which belong to a track and not to the course.

use super::reveal::{comments, contains, line_with, words};
use super::{line_of, second};
use crate::lesson::prose::{self, Block, Piece};
use crate::lesson::track::code_of;
use crate::lesson::{Check, Exercise, Find, Lesson, Part, Question, Source, Step, Track, english};

/// The lines of a bug's program: as many as can be searched in a few minutes.
const LINES: std::ops::RangeInclusive<usize> = 6..=20;

/// The most sentences before the step of a bug.
const SENTENCES: usize = 3;

/// Words of a comment that say where the mistake is.
const TELLING: [&str; 13] = [
    "bug",
    "bugs",
    "wrong",
    "mistake",
    "error",
    "fix",
    "fixme",
    "forgot",
    "forgotten",
    "missing",
    "oops",
    "broken",
    "incorrect",
];

pub(super) fn review(lesson: &Lesson, text: &str, fault: &mut impl FnMut(u32, String)) {
    let Some(track) = lesson.track else { return };
    front(lesson, track, text, fault);
    second::time(lesson, text, fault);
    let mut sentences = 0;
    for block in &lesson.introduction {
        sentences += match block {
            Block::Paragraph(content) => english::sentences(&prose::plain(content)).count(),
            _ => 1,
        };
    }
    if sentences == 0 {
        fault(1, "there's no text before the step, which says what the program is for".into());
    } else if sentences > SENTENCES && track == Track::Debug {
        fault(1, format!("the text before the step has {sentences} sentences; at most {SENTENCES}"));
    }
    if let [_, second, ..] = &lesson.steps[..] {
        fault(second.line, "a lesson of a track has one step".into());
    }
    for step in &lesson.steps {
        of_step(lesson, step, track, text, fault);
    }
    if lesson.lang.is_none() {
        english::review(lesson, text, fault);
    }
}

fn front(lesson: &Lesson, track: Track, file: &str, fault: &mut impl FnMut(u32, String)) {
    if lesson.level.is_none() {
        let text = format!("a lesson of a track says how hard it is: `level: 1` to `level: {}`", Track::LEVELS);
        fault(line_of(file, "track"), text);
    }
    for (key, given) in
        [("part", lesson.part.is_some()), ("aim", lesson.aim.is_some()), ("objectives", !lesson.objectives.is_empty())]
    {
        if given {
            fault(line_of(file, key), format!("a lesson of a track has no `{key}:`"));
        }
    }
    if !lesson.id.starts_with(track.prefix()) {
        let (name, prefix) = (track.name(), track.prefix());
        fault(line_of(file, "id"), format!("an id of the track {name} begins with `{prefix}`"));
    }
    if !lesson.remember.is_empty() {
        fault(line_with_fence(file, "remember"), "a lesson of a track has no remember block".into());
    }
}

fn of_step(lesson: &Lesson, step: &Step, track: Track, text: &str, fault: &mut impl FnMut(u32, String)) {
    if step.optional {
        fault(step.line, "the step of a track's lesson is what it is for, so it isn't optional".into());
    }
    if let Some(look) = &step.look {
        fault(look.source.line, "a lesson of a track has no look: its step is an exercise".into());
    }
    for part in &step.parts {
        if let Part::Predict(Question { line, .. }) | Part::Quiz(Question { line, .. }) = part {
            fault(*line, "a lesson of a track asks no question besides a find block".into());
        }
    }
    let Some(exercise) = &step.exercise else {
        return fault(step.line, "the step of a track's lesson has an exercise".into());
    };
    second::of_step(step, fault);
    for (scoring, line) in exercise.scoring.iter().zip(&exercise.check_lines) {
        if scoring.objective.is_some() {
            fault(*line, "a lesson of a track has no objectives".into());
        }
    }
    match (track, &exercise.find) {
        (Track::Debug, Some(find)) => of_bug(lesson, step, exercise, find, text, fault),
        (Track::Debug, None) => {
            fault(step.line, "a bug asks for its line before the first run: a find block".into());
        }
        (Track::Puzzles, Some(find)) => fault(find.line, "a find block belongs to a bug (`track: debug`)".into()),
        (Track::Puzzles, None) => {
            if !exercise.checks.iter().any(is_budget) {
                let line = exercise.check_lines.first().copied().unwrap_or(step.line);
                let kinds = "transfers, synchronisations, kernels, peak_bytes or loops";
                fault(line, format!("a puzzle has a budget: a check of the kind {kinds} with a `max`"));
            }
        }
    }
}

/// Whether a check bounds what a run costs, or what a program is made of.
fn is_budget(check: &Check) -> bool {
    match check {
        Check::Transfers { max, max_bytes, .. } => max.or(*max_bytes).is_some(),
        Check::Synchronisations { max, .. } | Check::PeakBytes { max, .. } | Check::Kernels { max, .. } => {
            max.is_some()
        }
        Check::Loops { .. } => true,
        _ => false,
    }
}

fn of_bug(
    lesson: &Lesson,
    step: &Step,
    exercise: &Exercise,
    find: &Find,
    text: &str,
    fault: &mut impl FnMut(u32, String),
) {
    let starter = code(&exercise.starter);
    if !LINES.contains(&starter.len()) {
        let (least, most) = (LINES.start(), LINES.end());
        let text = format!("the program of a bug has {least} to {most} lines with code, not {}", starter.len());
        fault(exercise.starter.line, text);
    }
    let solution = code(&exercise.solution);
    let changes = |program: &[(u32, &str)], line: u32| changes(&starter, program, line);
    if !find.lines.iter().any(|line| changes(&solution, *line)) {
        let lines: Vec<String> = find.lines.iter().map(u32::to_string).collect();
        let text = format!(
            "the solution changes nothing at line {}, so it doesn't prove that the mistake is there",
            lines.join(" or ")
        );
        fault(find.line, text);
    } else if find.lines.len() > 1 {
        let others: Vec<_> = exercise.also_right.iter().map(code).collect();
        let proven = |line: &&u32| changes(&solution, **line) || others.iter().any(|other| changes(other, **line));
        for line in find.lines.iter().filter(|line| !proven(line)) {
            fault(find.line, format!("no right program changes line {line}, so nothing proves that it may be named"));
        }
    }
    hints_at_it(lesson, step, (&starter, &solution), (exercise, find), text, fault);
}

type Lines<'a> = [(u32, &'a str)];

/// The lines of a program that have code, with their numbers and without their comments.
fn code(source: &Source) -> Vec<(u32, &str)> {
    let lines = (1..).zip(source.code.lines()).map(|(number, line)| (number, code_of(line)));
    lines.filter(|(_, line)| !line.trim().is_empty()).collect()
}

/// Whether a line of a program is gone from another one or different there, or something is inserted right before or after it.
/// Two programs can be compared in several ways that keep as many lines as possible; one of them suffices.
fn changes(before: &Lines<'_>, after: &Lines<'_>, line: u32) -> bool {
    let Some(at) = before.iter().position(|(number, _)| *number == line) else { return false };
    let same = |i: usize, j: usize| before[i].1 == after[j].1;
    let (rows, columns) = (before.len(), after.len());
    // How many lines the first i and j lines have in common, and the rest from there.
    let mut first = vec![vec![0_usize; columns + 1]; rows + 1];
    let mut rest = first.clone();
    for i in 0..rows {
        for j in 0..columns {
            let kept = first[i][j] + usize::from(same(i, j));
            first[i + 1][j + 1] = kept.max(first[i][j + 1]).max(first[i + 1][j]);
        }
    }
    for i in (0..rows).rev() {
        for j in (0..columns).rev() {
            let kept = rest[i + 1][j + 1] + usize::from(same(i, j));
            rest[i][j] = kept.max(rest[i + 1][j]).max(rest[i][j + 1]);
        }
    }
    let most = first[rows][columns];
    let gone = (0..=columns).any(|j| first[at][j] + rest[at + 1][j] == most);
    if gone {
        return true;
    }
    // Between two lines that are neighbors here and not there, something was inserted, and nothing was replaced.
    let after = match at + 1 < rows {
        true => (0..columns).any(|j| {
            let next = |k: usize| same(at + 1, k) && first[at][j] + 2 + rest[at + 2][k + 1] == most;
            same(at, j) && (j + 2..columns).any(next)
        }),
        false => (0..columns.saturating_sub(1)).any(|j| same(at, j) && first[at][j] + 1 == most),
    };
    let before = match at.checked_sub(1) {
        Some(above) => (0..columns).any(|j| {
            let previous = |k: usize| same(above, k) && first[above][k] + 2 + rest[at + 1][j + 1] == most;
            same(at, j) && (0..j.saturating_sub(1)).any(previous)
        }),
        None => (1..columns).any(|j| same(at, j) && rest[at + 1][j + 1] + 1 == most),
    };
    after || before
}

/// Reports what tells the line before the learner has found it.
fn hints_at_it(
    lesson: &Lesson,
    step: &Step,
    (starter, solution): (&Lines<'_>, &Lines<'_>),
    (exercise, find): (&Exercise, &Find),
    text: &str,
    fault: &mut impl FnMut(u32, String),
) {
    let mut code_above: Vec<Vec<String>> = Vec::new();
    let mut above: Vec<Vec<String>> = vec![words(&lesson.title).collect()];
    let mut quoted: Vec<String> = Vec::new();
    let mut read = |piece: Piece<'_>| {
        let (Piece::Text(text) | Piece::Code(text) | Piece::Sample { text, .. }) = piece;
        let all: Vec<String> = words(text).collect();
        if !matches!(piece, Piece::Text(_)) {
            code_above.push(all.clone());
        }
        above.push(all);
        quoted.extend(piece.quoted_error().map(str::to_string));
    };
    prose::walk(&lesson.introduction, &mut read);
    prose::walk_inlines(&step.title, &mut read);
    for part in &step.parts {
        if let Part::Text(blocks) = part {
            prose::walk(blocks, &mut read);
        }
    }
    // The answer is told before the first run as well.
    prose::walk(&find.because, &mut |piece| quoted.extend(piece.quoted_error().map(str::to_string)));
    for error in &quoted {
        let line = (1..).zip(text.lines()).find(|(_, line)| line.contains(error)).map_or(find.line, |(line, _)| line);
        fault(line, format!("the run shows this error, so nothing before it quotes it: {error}"));
    }
    let comments = comments(&exercise.starter.code);
    let mut say = |what: &str, found: &[String]| {
        let line = line_with(text, found, u32::MAX).unwrap_or(find.line);
        fault(line, format!("{what} gives the line away: it has \u{201c}{}\u{201d}", found.join(" ")));
    };
    for line in &find.lines {
        for number in [["line".to_string(), line.to_string()], ["lines".to_string(), line.to_string()]] {
            if above.iter().any(|text| contains(text, &number)) {
                say("the text above", &number);
            }
            if comments.iter().any(|comment| contains(comment, &number)) {
                say("a comment of the program", &number);
            }
        }
    }
    for comment in &comments {
        if let Some(word) = comment.iter().find(|word| TELLING.contains(&word.as_str())) {
            say("a comment of the program", std::slice::from_ref(word));
        }
    }
    // The line itself, and what it becomes.
    let named = starter.iter().filter(|(number, _)| find.lines.contains(number));
    let becomes = solution.iter().filter(|(_, line)| starter.iter().all(|(_, other)| other.trim() != line.trim()));
    let lines: Vec<Vec<String>> = named.chain(becomes).map(|(_, line)| words(line).collect()).collect();
    for (what, texts) in [("the text above", &code_above), ("a comment of the program", &comments)] {
        let told = |line: &&Vec<String>| line.len() > 1 && texts.iter().any(|text| contains(text, line));
        if let Some(line) = lines.iter().find(told) {
            say(what, line);
        }
    }
}

fn line_with_fence(text: &str, block: &str) -> u32 {
    let fence = format!("```{block}");
    (1..).zip(text.lines()).find(|(_, line)| line.trim_end() == fence).map_or(1, |(number, _)| number)
}

#[cfg(test)]
mod tests {
    use super::changes;

    /// The lines of `before` that `after` changes.
    fn changed(before: &str, after: &str) -> Vec<u32> {
        let lines = |text: &'static str| (1..).zip(text.split(' ')).collect::<Vec<(u32, &str)>>();
        let (before, after) = (lines(before.to_string().leak()), lines(after.to_string().leak()));
        (1..=before.len() as u32).filter(|line| changes(&before, &after, *line)).collect()
    }

    #[test]
    fn a_line_is_changed_if_it_is_gone_or_different_or_has_a_new_neighbor() {
        for (before, after, expected) in [
            ("a b c d", "a b c d", vec![]),
            ("a b c d", "a x c d", vec![2]),
            ("a b c d", "a c d", vec![2]),
            ("a b c d", "a b x c d", vec![2, 3]),
            ("a b c d", "x a b c d", vec![1]),
            ("a b c d", "a b c d x y", vec![4]),
            // Two lines that changed places: either may be the one that moved, so it may be next to any.
            ("a b c d", "a c b d", vec![1, 2, 3, 4]),
            // One of three equal lines is gone, and nobody can say which.
            ("a b b b c", "a b b c", vec![2, 3, 4]),
            ("a b c d", "a x b y d", vec![1, 2, 3]),
            ("a", "x", vec![1]),
        ] {
            assert_eq!(changed(before, after), expected, "{before} as {after}");
        }
    }
}
