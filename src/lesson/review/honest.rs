//! How long a lesson of format 2 takes a beginner.

use crate::lesson::prose::{self, Piece};
use crate::lesson::{Lesson, Part};

/// Words that a beginner reads in a minute.
const WORDS_A_MINUTE: f64 = 130.0;

/// Seconds for a line of a program, and for a question.
const SECONDS_A_LINE: f64 = 8.0;
const SECONDS_A_QUESTION: f64 = 20.0;

/// Two tries of a minute each.
const MINUTES_AN_EXERCISE: f64 = 2.0;

/// Minutes of a lesson, by what they are spent on.
#[derive(Default)]
pub(super) struct Minutes {
    pub words: f64,
    pub programs: f64,
    pub exercises: f64,
    pub questions: f64,
}

impl Minutes {
    pub(super) fn of(lesson: &Lesson) -> Minutes {
        let (mut words, mut lines) = (0, 0);
        let (mut questions, mut exercises) = (0, 0);
        let mut count = |piece: Piece<'_>| match piece {
            Piece::Sample { language: "python", text } => lines += lines_of(text),
            Piece::Text(text) | Piece::Code(text) | Piece::Sample { text, .. } => {
                words += text.split_whitespace().count();
            }
        };
        super::walk_texts(lesson, &mut count);
        lesson.remember.iter().for_each(|line| prose::walk_inlines(line, &mut count));
        for step in &lesson.steps {
            questions += step.parts.iter().filter(|part| !matches!(part, Part::Text(_))).count() as u32;
            if let Some(look) = &step.look {
                count(Piece::Sample { language: "python", text: &look.source.code });
                prose::walk(&look.seen, &mut count);
            }
            if let Some(exercise) = &step.exercise {
                exercises += 1;
                // Once to understand it, and once more to change it.
                for _ in 0..2 {
                    count(Piece::Sample { language: "python", text: &exercise.starter.code });
                }
                exercise.checks.iter().for_each(|check| count(Piece::Text(check.label())));
                if let Some(find) = &exercise.find {
                    questions += 1;
                    prose::walk(&find.because, &mut count);
                }
                prose::walk(&exercise.why, &mut count);
            }
        }
        Minutes {
            words: words as f64 / WORDS_A_MINUTE,
            programs: lines as f64 * SECONDS_A_LINE / 60.0,
            exercises: f64::from(exercises) * MINUTES_AN_EXERCISE,
            questions: f64::from(questions) * SECONDS_A_QUESTION / 60.0,
        }
    }

    pub(super) fn sum(&self) -> f64 {
        self.words + self.programs + self.exercises + self.questions
    }
}

fn lines_of(program: &str) -> usize {
    program.lines().filter(|line| !line.trim().is_empty()).count()
}
