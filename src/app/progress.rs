//! What a learner has done in a lesson, in the form that the browser stores.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::keys::Key;
use crate::lesson::score::Aid;

/// Progress in one lesson.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Progress {
    /// Ids of the steps that are done and count.
    #[serde(default)]
    pub done: Vec<String>,
    /// Number of steps of the lesson that count.
    #[serde(default)]
    pub steps: usize,
    /// Index of the step that was open last.
    #[serde(default)]
    pub at: usize,
    /// The number of hints that were shown, by the step's id.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub hints: BTreeMap<String, usize>,
    /// Ids of the optional steps that are done.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub beyond: Vec<String>,
    /// The work on each exercise, by the step's id.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub work: BTreeMap<String, Work>,
}

/// The work on one exercise.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Work {
    /// The best score so far, from 0 to 100.
    #[serde(default)]
    pub best: usize,
    /// The number of runs.
    #[serde(default)]
    pub attempts: usize,
    /// Whether the solution was opened before the checks passed.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub solution: bool,
    /// What the latest run that passed all checks cost.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost: Option<Cost>,
    /// How many runs of a changed program failed each check, by the check's place in its list.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub failed: BTreeMap<usize, usize>,
    /// How many runs of a changed program got a card of each rule.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub rules: BTreeMap<String, usize>,
    /// When the first and the latest run were, in seconds since 1970.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last: Option<u64>,
    /// Of a puzzle, the least that runs cost that passed all checks, each figure by itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub least: Option<Cost>,
    /// Of a bug, the search for its line.
    #[serde(default, skip_serializing_if = "Search::is_new")]
    pub search: Search,
}

/// The most checks and rules that are counted for an exercise, and the most runs that each is counted for.
const MOST_CHECKS: usize = 64;
const MOST_RULES: usize = 40;
const MOST_RUNS: usize = 9999;

/// What went wrong in a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trouble {
    /// The places of the checks that failed.
    pub failed: Vec<usize>,
    /// The rules whose cards were shown.
    pub rules: Vec<String>,
}

impl Work {
    /// Whether this can be the name of a rule: `D04`.
    fn is_rule(name: &str) -> bool {
        (2..=8).contains(&name.len()) && name.bytes().all(|b| b.is_ascii_alphanumeric())
    }

    /// Counts what went wrong in a run.
    fn count(&mut self, trouble: &Trouble) {
        let more = |count: &mut usize| *count = (*count + 1).min(MOST_RUNS);
        for &check in trouble.failed.iter().filter(|check| **check < MOST_CHECKS) {
            more(self.failed.entry(check).or_default());
        }
        let mut rules: Vec<&String> = trouble.rules.iter().filter(|rule| Work::is_rule(rule)).collect();
        rules.sort();
        rules.dedup();
        for rule in rules {
            if self.rules.contains_key(rule) || self.rules.len() < MOST_RULES {
                more(self.rules.entry(rule.clone()).or_default());
            }
        }
    }

    /// Cuts what somebody else wrote to the sizes that [`Work::count`] keeps.
    pub(crate) fn bound(&mut self) {
        self.best = self.best.min(100);
        self.attempts = self.attempts.min(MOST_RUNS);
        self.failed.retain(|check, _| *check < MOST_CHECKS);
        self.rules.retain(|rule, _| Work::is_rule(rule));
        while self.rules.len() > MOST_RULES {
            self.rules.pop_last();
        }
        self.search.wrong.truncate(Search::MOST);
        self.failed.values_mut().chain(self.rules.values_mut()).for_each(|runs| *runs = (*runs).min(MOST_RUNS));
    }
}

/// How the line of a bug was searched for.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Search {
    /// The lines that were named and are wrong.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub wrong: Vec<u32>,
    /// The right one, once it's named.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub found: Option<u32>,
    /// Whether the learner asked to be shown it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub shown: bool,
}

impl Search {
    /// The most lines of a stored search that are kept. No bug's program is that long.
    const MOST: usize = 100;

    // serde passes a reference.
    fn is_new(&self) -> bool {
        *self == Search::default()
    }

    pub(crate) fn is_over(&self) -> bool {
        self.found.is_some() || self.shown
    }

    fn miss(&mut self, line: u32) {
        if !self.wrong.contains(&line) && self.wrong.len() < Search::MOST {
            self.wrong.push(line);
        }
    }
}

/// What a run cost, as far as a lesson compares it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cost {
    pub copies: u64,
    pub waits: u64,
    /// Only known of puzzles.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub kernels: u64,
    /// The most bytes allocated at one time on one accelerator.
    #[serde(alias = "peak_bytes")]
    pub peak: u64,
}

// serde passes a reference.
#[allow(clippy::trivially_copy_pass_by_ref)]
fn is_zero(count: &u64) -> bool {
    *count == 0
}

impl Cost {
    /// The smaller of each figure.
    fn least(self, other: Cost) -> Cost {
        Cost {
            copies: self.copies.min(other.copies),
            waits: self.waits.min(other.waits),
            kernels: self.kernels.min(other.kernels),
            peak: self.peak.min(other.peak),
        }
    }
}

impl Progress {
    /// Reads a stored value. An unreadable one counts as no progress.
    pub fn parse(kept: Option<String>) -> Progress {
        kept.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default()
    }

    pub fn text(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }

    /// Fits what was stored to the lesson as it is now: `counted` and `optional` are the ids of its steps. A lesson may
    /// have got other steps since.
    pub fn fit(&mut self, counted: &[&str], optional: &[&str]) {
        let done: Vec<String> = self.done.drain(..).chain(self.beyond.drain(..)).collect();
        let is_one = |of: &[&str], step: &String| of.contains(&step.as_str());
        self.beyond = done.iter().filter(|step| is_one(optional, step)).cloned().collect();
        self.done = done.into_iter().filter(|step| is_one(counted, step)).collect();
        self.steps = counted.len();
        self.at = self.at.min((counted.len() + optional.len()).saturating_sub(1));
    }

    pub(crate) fn is_done(&self, step: &str) -> bool {
        self.done.iter().chain(&self.beyond).any(|id| id == step)
    }

    /// Notes that a step is done. Returns whether it wasn't done before.
    pub fn finish(&mut self, step: &str) -> bool {
        let news = !self.is_done(step);
        if news {
            self.done.push(step.to_string());
        }
        news
    }

    /// Notes that an optional step is done.
    pub fn finish_optional(&mut self, step: &str) {
        if !self.is_done(step) {
            self.beyond.push(step.to_string());
        }
    }

    /// Notes that this many hints of a step have been seen. A hint that is opened again isn't counted twice.
    pub fn ask(&mut self, step: &str, hints: usize) {
        let seen = self.hints.entry(step.to_string()).or_default();
        *seen = hints.max(*seen);
    }

    /// Notes that a step's solution was opened. Once the step is done, that takes nothing.
    pub fn open_solution(&mut self, step: &str) {
        if !self.is_done(step) {
            self.work.entry(step.to_string()).or_default().solution = true;
        }
    }

    /// The help that was taken in a step.
    pub fn aid(&self, step: &str) -> Aid {
        let work = self.work.get(step);
        let search = work.map(|work| &work.search);
        Aid {
            hints: self.hints.get(step).copied().unwrap_or(0),
            solution: work.is_some_and(|work| work.solution),
            wrong: search.map_or(0, |search| search.wrong.len()),
            shown: search.is_some_and(|search| search.shown),
        }
    }

    /// The search for a bug's line.
    pub fn search(&self, step: &str) -> Search {
        self.work.get(step).map(|work| work.search.clone()).unwrap_or_default()
    }

    /// Notes that the learner named a line of a bug. Once the search is over, nothing is noted.
    pub fn name(&mut self, step: &str, line: u32, right: bool) {
        let search = &mut self.work.entry(step.to_string()).or_default().search;
        match (search.is_over(), right) {
            (true, _) => {}
            (false, true) => search.found = Some(line),
            (false, false) => search.miss(line),
        }
    }

    /// Notes that a bug's line is shown to the learner.
    pub fn give_up(&mut self, step: &str) {
        let search = &mut self.work.entry(step.to_string()).or_default().search;
        search.shown |= search.found.is_none();
    }

    /// Notes what a run of a puzzle cost that passed all checks.
    pub fn spend(&mut self, step: &str, cost: Cost) {
        let work = self.work.entry(step.to_string()).or_default();
        work.least = Some(work.least.map_or(cost, |least| least.least(cost)));
    }

    /// Notes a run of an exercise. `passed` is what it cost, if all checks passed.
    pub fn attempt(&mut self, step: &str, score: usize, passed: Option<Cost>) {
        let work = self.work.entry(step.to_string()).or_default();
        work.attempts = work.attempts.saturating_add(1);
        work.best = work.best.max(score.min(100));
        work.cost = passed.or(work.cost);
    }

    /// Notes when a run of an exercise was, and what went wrong in it. Once the step is done, nothing is noted: what somebody
    /// tries out afterwards is no sign of trouble.
    pub fn trouble(&mut self, step: &str, trouble: &Trouble, now: u64) {
        let done = self.is_done(step);
        let work = self.work.entry(step.to_string()).or_default();
        if !done {
            work.first = work.first.or(Some(now));
            work.count(trouble);
        }
        work.last = Some(now);
    }

    /// The average of the best scores of these exercises, from 0 to 1. A lesson without exercises is worth all of it.
    pub fn score(&self, exercises: &[String]) -> f64 {
        let best = |step: &String| self.work.get(step).map_or(0, |work| work.best.min(100)) as f64 / 100.0;
        match exercises.len() {
            0 => 1.0,
            count => exercises.iter().map(best).sum::<f64>() / count as f64,
        }
    }

    /// The number of hints shown in all steps.
    pub fn asked(&self) -> usize {
        self.hints.values().fold(0, |sum, &hints| sum.saturating_add(hints))
    }

    /// Adds what was done elsewhere. Nothing that was done here is undone.
    pub fn join(&mut self, other: &Progress) {
        if self.done.is_empty() {
            self.at = other.at;
        }
        self.steps = self.steps.max(other.steps);
        other.done.iter().for_each(|step| {
            self.finish(step);
        });
        other.beyond.iter().for_each(|step| self.finish_optional(step));
        other.hints.iter().for_each(|(step, &hints)| self.ask(step, hints));
        for (step, theirs) in &other.work {
            let ours = self.work.entry(step.clone()).or_default();
            ours.cost = if theirs.best > ours.best { theirs.cost.or(ours.cost) } else { ours.cost.or(theirs.cost) };
            ours.best = ours.best.max(theirs.best);
            // The larger number, because the same progress may be taken over twice.
            ours.attempts = ours.attempts.max(theirs.attempts);
            ours.solution |= theirs.solution;
            ours.least = match (ours.least, theirs.least) {
                (Some(one), Some(two)) => Some(one.least(two)),
                (one, two) => one.or(two),
            };
            theirs.search.wrong.iter().for_each(|line| ours.search.miss(*line));
            ours.search.found = ours.search.found.or(theirs.search.found);
            ours.search.shown |= theirs.search.shown;
            for (check, &runs) in &theirs.failed {
                let ours = ours.failed.entry(*check).or_default();
                *ours = runs.max(*ours);
            }
            for (rule, &runs) in &theirs.rules {
                let ours = ours.rules.entry(rule.clone()).or_default();
                *ours = runs.max(*ours);
            }
            ours.first = ours.first.into_iter().chain(theirs.first).min();
            ours.last = ours.last.max(theirs.last);
            ours.bound();
        }
    }

    pub(crate) fn is_complete(&self) -> bool {
        self.steps > 0 && self.done.len() >= self.steps
    }
}

/// Everything that a learner would want on another computer: progress and programs, under their names in the browser's
/// storage.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Backup {
    /// The version of this file format.
    pub tensoryard: u32,
    pub kept: BTreeMap<String, String>,
}

impl Backup {
    const VERSION: u32 = 1;
    /// The most bytes of a file, and of one entry, that are read.
    pub const LARGEST: usize = 4 << 20;
    const ENTRY: usize = 256 << 10;

    pub fn new(kept: impl IntoIterator<Item = (String, String)>) -> Backup {
        let work = |(name, _): &(String, String)| Key::of_work(name).is_some();
        Backup { tensoryard: Backup::VERSION, kept: kept.into_iter().filter(work).collect() }
    }

    /// Progress alone, which fits into a link.
    pub(crate) fn of_progress(kept: impl IntoIterator<Item = (String, String)>) -> Backup {
        let progress = |(name, _): &(String, String)| Key::of_work(name).is_some_and(|key| key.lesson().is_some());
        Backup::new(kept.into_iter().filter(progress))
    }

    /// Lessons, and what has been done in each.
    pub fn progress(&self) -> impl Iterator<Item = (String, Progress)> {
        self.work().filter_map(|(key, value)| {
            let lesson = key.lesson()?.to_string();
            Some((lesson, Progress::parse(Some(value.to_string()))))
        })
    }

    /// Every entry that belongs in the browser's storage.
    pub fn work(&self) -> impl Iterator<Item = (Key, &str)> {
        self.kept.iter().filter_map(|(name, value)| Some((Key::of_work(name)?, value.as_str())))
    }

    pub fn text(&self) -> String {
        serde_json::to_string_pretty(self).unwrap_or_default()
    }

    /// Reads a file. `None` for anything that [`Backup::text`] doesn't write.
    pub fn parse(bytes: &[u8]) -> Option<Backup> {
        if bytes.len() > Backup::LARGEST {
            return None;
        }
        let backup: Backup = serde_json::from_slice(bytes).ok()?;
        let sound = |(key, value): (&String, &String)| {
            let Some(key) = Key::of_work(key) else { return false };
            let readable = key.lesson().is_none() || serde_json::from_str::<Progress>(value).is_ok();
            value.len() <= Backup::ENTRY && readable
        };
        (backup.tensoryard == Backup::VERSION && backup.kept.iter().all(sound)).then_some(backup)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn progress_survives_being_kept() {
        let mut progress = Progress { steps: 2, ..Progress::default() };
        assert!(progress.finish("one"));
        assert!(!progress.finish("one"));
        assert_eq!(Progress::parse(Some(progress.text())), progress);
        assert!(!progress.is_complete());
        progress.finish("two");
        assert!(progress.is_complete());
    }

    #[test]
    fn what_was_done_elsewhere_takes_nothing_away() {
        let progress = |done: &[&str], at| Progress {
            done: done.iter().map(|s| s.to_string()).collect(),
            steps: 3,
            at,
            ..Progress::default()
        };
        let mut here = progress(&["one", "three"], 2);
        here.join(&progress(&["one", "two"], 1));
        assert_eq!(here, progress(&["one", "three", "two"], 2));
        let mut nothing = Progress::default();
        nothing.join(&progress(&["one"], 1));
        assert_eq!(nothing, progress(&["one"], 1));
    }

    /// Hints used to be counted again after a state was restored.
    #[test]
    fn hints_are_kept_with_the_progress_and_counted_once() {
        let mut progress = Progress::default();
        assert_eq!(progress.text(), "{\"done\":[],\"steps\":0,\"at\":0}");
        progress.ask("one", 2);
        progress.ask("two", 1);
        let mut kept = Progress::parse(Some(progress.text()));
        kept.ask("one", 1);
        assert_eq!(kept.asked(), 3);
        kept.ask("one", 3);
        progress.join(&kept);
        assert_eq!(progress.asked(), 4);
        let many = "{\"hints\":{\"a\":18446744073709551615,\"b\":1}}";
        assert!(Progress::parse(Some(many.into())).asked() > 3);
    }

    #[test]
    fn work_on_an_exercise_is_kept_and_joined() {
        let cost = |copies| Cost { copies, waits: 1, kernels: 2, peak: 512 };
        let mut here = Progress::default();
        here.attempt("one", 0, None);
        here.ask("one", 1);
        here.attempt("one", 90, Some(cost(2)));
        // A later, worse run takes nothing away.
        here.attempt("one", 45, None);
        let work = |p: &Progress| p.work["one"].clone();
        let expected = Work { best: 90, attempts: 3, cost: Some(cost(2)), ..Work::default() };
        assert_eq!(work(&here), expected);
        assert_eq!(Progress::parse(Some(here.text())), here);
        let mut there = Progress::default();
        there.open_solution("one");
        assert_eq!(there.aid("one"), Aid { solution: true, ..Aid::default() });
        there.attempt("one", 50, Some(cost(1)));
        there.join(&here);
        there.join(&here);
        assert_eq!(work(&there), Work { solution: true, ..expected });
        here.finish("one");
        here.open_solution("one");
        assert!(!here.aid("one").solution);
        assert_eq!(here.score(&["one".into(), "two".into()]), 0.45);
        assert_eq!(here.score(&[]), 1.0);
    }

    #[test]
    fn what_went_wrong_is_kept_within_bounds_and_joined() {
        let trouble = |failed: &[usize], rules: &[&str]| Trouble {
            failed: failed.to_vec(),
            rules: rules.iter().map(|rule| rule.to_string()).collect(),
        };
        let mut here = Progress::default();
        here.trouble("one", &trouble(&[0, 2, 99], &["D04", "D04", "<b>", ""]), 1000);
        here.trouble("one", &trouble(&[2], &["D01"]), 2000);
        let work = here.work["one"].clone();
        assert_eq!((work.failed.clone(), work.first, work.last), ([(0, 1), (2, 2)].into(), Some(1000), Some(2000)));
        assert_eq!(work.rules, [("D01".to_string(), 1), ("D04".to_string(), 1)].into());
        assert_eq!(Progress::parse(Some(here.text())), here);
        here.finish("one");
        here.trouble("one", &trouble(&[0], &["D09"]), 3000);
        assert_eq!(here.work["one"], Work { last: Some(3000), ..work });
        // A file that somebody made by hand.
        let many: Vec<String> = (0..500).map(|n| format!("\"R{n}\":18446744073709551615")).collect();
        let text = format!(
            "{{\"work\":{{\"one\":{{\"best\":7000,\"failed\":{{\"9000\":1}},\"rules\":{{{}}}}}}}}}",
            many.join(",")
        );
        let theirs = Progress::parse(Some(text));
        assert_eq!(theirs.work["one"].rules.len(), 500);
        here.join(&theirs);
        let joined = &here.work["one"];
        assert_eq!((joined.best, joined.failed.len()), (100, 2));
        assert!(joined.rules.len() <= MOST_RULES && joined.rules.values().all(|runs| *runs <= MOST_RUNS));
    }

    #[test]
    fn the_search_for_a_line_is_kept_and_ends_once() {
        let mut here = Progress::default();
        here.name("one", 3, false);
        here.name("one", 3, false);
        here.name("one", 4, false);
        assert_eq!(here.aid("one"), Aid { wrong: 2, ..Aid::default() });
        let mut there = Progress::parse(Some(here.text()));
        assert_eq!(there, here);
        here.name("one", 5, true);
        here.name("one", 6, false);
        here.give_up("one");
        assert_eq!(here.search("one"), Search { wrong: vec![3, 4], found: Some(5), shown: false });
        there.name("one", 7, false);
        there.give_up("one");
        there.join(&here);
        assert_eq!(there.search("one"), Search { wrong: vec![3, 4, 7], found: Some(5), shown: true });
        // What was stored before there were bugs.
        let old = Progress::parse(Some(
            "{\"work\":{\"one\":{\"best\":50,\"cost\":{\"copies\":1,\"waits\":1,\"peak\":8}}}}".into(),
        ));
        assert_eq!((old.work["one"].best, old.search("one")), (50, Search::default()));
        assert!(!old.text().contains("search"));
        let many = (0..1000).fold(Progress::default(), |mut progress, line| {
            progress.name("one", line, false);
            progress
        });
        assert_eq!(many.search("one").wrong.len(), Search::MOST);
    }

    #[test]
    fn the_least_of_each_figure_is_kept() {
        let cost = |copies, waits| Cost { copies, waits, kernels: 3, peak: 512 };
        let mut here = Progress::default();
        here.spend("one", cost(1, 5));
        here.spend("one", cost(4, 2));
        assert_eq!(here.work["one"].least, Some(cost(1, 2)));
        let mut there = Progress::default();
        there.join(&here);
        there.spend("one", Cost { kernels: 1, ..cost(9, 9) });
        there.join(&here);
        assert_eq!(there.work["one"].least, Some(Cost { kernels: 1, ..cost(1, 2) }));
    }

    #[test]
    fn optional_steps_do_not_count_and_steps_that_are_gone_do_not_either() {
        let old = "{\"done\":[\"one\",\"gone\",\"more\"],\"steps\":3,\"at\":9}";
        let mut progress = Progress::parse(Some(old.into()));
        progress.fit(&["one", "two"], &["more"]);
        let (done, beyond) = (vec!["one".to_string()], vec!["more".to_string()]);
        assert_eq!(progress, Progress { done, beyond, steps: 2, at: 2, ..Progress::default() });
        assert!(progress.is_done("more") && !progress.is_complete());
        progress.finish_optional("more");
        progress.finish("two");
        assert!(progress.is_complete());
        assert_eq!(progress.beyond.len(), 1);
    }

    #[test]
    fn what_cannot_be_read_counts_as_nothing() {
        for kept in [None, Some(String::new()), Some("[1]".into()), Some("{\"done\":3}".into())] {
            assert_eq!(Progress::parse(kept), Progress::default());
        }
    }

    #[test]
    fn a_backup_comes_back_and_takes_nothing_else() {
        let progress = Progress { steps: 2, done: vec!["one".into()], at: 1, ..Progress::default() }.text();
        let pairs = [("progress.a-b", progress.as_str()), ("code.lesson.a.b", "x = 1\n"), ("theme", "dark")];
        let backup = Backup::new(pairs.map(|(k, v)| (k.to_string(), v.to_string())));
        assert_eq!(backup.kept.len(), 2);
        assert_eq!(Backup::parse(backup.text().as_bytes()), Some(backup));
        for bad in [
            "",
            "[]",
            "{\"tensoryard\":2,\"kept\":{}}",
            "{\"tensoryard\":1,\"kept\":{\"theme\":\"<b>\"}}",
            "{\"tensoryard\":1,\"kept\":{\"progress.a\":\"{}x\"}}",
            "{\"tensoryard\":1,\"kept\":{\"code.<b>\":\"\"}}",
            "{\"tensoryard\":1,\"kept\":{},\"more\":1}",
        ] {
            assert_eq!(Backup::parse(bad.as_bytes()), None, "{bad}");
        }
    }
}
