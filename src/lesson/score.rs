//! What the work on an exercise is worth, by one rule for the page and for the command line.

use super::{CheckResult, Scoring};

/// The percentage that a hint takes, and the least that is left once all checks pass.
const HINT: usize = 10;
const LEAST: usize = 50;

/// The percentage that a line takes that isn't the one with the mistake, and that being shown the line takes at least.
const WRONG_LINE: usize = 10;
const SHOWN: usize = 30;

/// The help that a learner took before the checks passed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Aid {
    /// The number of hints that were shown.
    pub hints: usize,
    /// Whether the solution was opened.
    pub solution: bool,
    /// Of a bug, the number of wrong lines that were named, and whether the line was shown before it was found.
    pub wrong: usize,
    pub shown: bool,
}

impl Aid {
    /// The percentage of an exercise's points that can still be reached.
    pub fn leaves(self) -> usize {
        match self.solution {
            true => LEAST,
            false => {
                let lines = WRONG_LINE.saturating_mul(self.wrong).max(if self.shown { SHOWN } else { 0 });
                100_usize.saturating_sub(HINT.saturating_mul(self.hints).saturating_add(lines)).max(LEAST)
            }
        }
    }
}

/// The score of a run, from 0 to 100. Only checks that the untouched starter fails earn something. The others are
/// guards: as long as one of them fails, half of the score is withheld, because a program that no longer does its work
/// can meet any budget. `scoring` says which checks are guards; without it none is.
pub fn score(results: &[CheckResult], scoring: &[Scoring], aid: Aid) -> usize {
    let is_guard = |at: usize| scoring.get(at).is_some_and(|s| s.guard);
    let (guards, rest): (Vec<_>, Vec<_>) = results.iter().enumerate().partition(|(at, _)| is_guard(*at));
    if rest.is_empty() {
        return 0;
    }
    let passed = rest.iter().filter(|(_, result)| result.passed).count();
    let whole = 100 * rest.len() * if guards.iter().all(|(_, result)| result.passed) { 1 } else { 2 };
    // Rounded to the nearest percent.
    (100 * passed * aid.leaves() + whole / 2) / whole
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(passed: &[bool], guards: &[bool], aid: Aid) -> usize {
        let result = |&passed: &bool| CheckResult { label: String::new(), passed, finding: None };
        let scoring = |&guard: &bool| Scoring { guard, objective: None };
        let results: Vec<_> = passed.iter().map(result).collect();
        score(&results, &guards.iter().map(scoring).collect::<Vec<_>>(), aid)
    }

    #[test]
    fn an_untouched_starter_scores_nothing_and_guards_earn_nothing() {
        let aid = Aid::default();
        assert_eq!(run(&[true, false, false], &[true, false, false], aid), 0);
        assert_eq!(run(&[true, true, false], &[true, false, false], aid), 50);
        assert_eq!(run(&[true, true, true], &[true, false, false], aid), 100);
        // A program that was emptied meets any budget, but it isn't worth full marks.
        assert_eq!(run(&[false, true, true], &[true, false, false], aid), 50);
        assert_eq!(run(&[], &[], aid), 0);
    }

    #[test]
    fn help_takes_a_part_but_never_more_than_half() {
        let aid = |hints, solution| Aid { hints, solution, ..Aid::default() };
        let full = |aid| run(&[true, true, true], &[false; 3], aid);
        assert_eq!([0, 1, 3, 5, 9].map(|hints| full(aid(hints, false))), [100, 90, 70, 50, 50]);
        assert_eq!([0, 4].map(|hints| full(aid(hints, true))), [50, 50]);
        assert_eq!(full(aid(usize::MAX, false)), 50);
        assert_eq!(run(&[true, false, false], &[false; 3], aid(1, false)), 30);
        let bug = |hints, wrong, shown| full(Aid { hints, wrong, shown, solution: false });
        assert_eq!([0, 1, 3, 9].map(|wrong| bug(0, wrong, false)), [100, 90, 70, 50]);
        // To be shown the line is never cheaper than to name wrong ones.
        assert_eq!([0, 2, 4].map(|wrong| bug(0, wrong, true)), [70, 70, 60]);
        assert_eq!(bug(1, 0, true), 60);
    }

    /// Lessons of format 1 don't say which checks are guards.
    #[test]
    fn without_guards_every_check_counts() {
        assert_eq!(run(&[true, false], &[], Aid::default()), 50);
    }
}
