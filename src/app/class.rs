//! The class page: what the progress files of many learners say together. A teacher gives the files to the page, and nothing of
//! them leaves it.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use super::progress::{Backup, Work};
use super::route::is_id;

/// The most files of a class.
pub const MOST: usize = 200;

/// A learner who ran a program this often without getting it right is stuck.
const STUCK: usize = 3;

/// The most lessons and exercises that are taken from one file. Nobody's own progress has more.
const MOST_LESSONS: usize = 300;
const MOST_STEPS: usize = 40;

/// The most exercises that are shown: those that most learners ran.
const MOST_ROWS: usize = 400;

/// The longest name of a file that is shown.
const NAME: usize = 80;

/// Why a file isn't taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refused {
    TooLarge,
    /// Not what the page's button for saving progress writes.
    NotProgress,
    /// No lesson has been begun.
    Empty,
    /// The same file is there already.
    Twice,
    TooMany,
}

/// An exercise: the lesson's id and the step's.
pub type Place = (String, String);

/// Where a learner doesn't get on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stuck {
    pub place: Place,
    /// When they ran it first, in seconds since 1970. Files from before this was recorded don't say.
    pub since: Option<u64>,
    pub runs: usize,
    /// The place of the check that failed most often.
    pub check: Option<usize>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Learner {
    /// The file's name without its ending: a file says nothing else about who wrote it.
    pub name: String,
    /// Steps that are done.
    pub done: usize,
    pub runs: usize,
    pub hints: usize,
    pub last: Option<u64>,
    pub stuck: Option<Stuck>,
    work: BTreeMap<Place, (Work, bool)>,
    /// A summary of the file, by which a second copy is recognized.
    digest: String,
}

/// One exercise, over the whole class.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Row {
    pub place: Place,
    /// How many learners ran it, finished it, and are stuck there.
    pub tried: usize,
    pub done: usize,
    pub stuck: usize,
    /// The median of the runs of those who tried.
    pub runs: usize,
    /// How many opened the solution before their checks passed.
    pub opened: usize,
    /// Checks by their places, and how many learners failed each, most first.
    pub failed: Vec<(usize, usize)>,
    /// Rules, and how many learners met each, most first.
    pub rules: Vec<(String, usize)>,
}

/// A kind of mistake, over the whole class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mistake {
    pub rule: String,
    pub learners: usize,
    pub runs: usize,
    /// Where most learners met it.
    pub place: Place,
}

/// A class. The page keeps it in memory, as long as it's shown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Class {
    pub learners: Vec<Learner>,
}

impl Class {
    /// Takes a file.
    ///
    /// # Errors
    /// Why it isn't taken. The files that are there already stay as they are.
    pub fn add(&mut self, file: &str, bytes: &[u8]) -> Result<(), Refused> {
        if self.learners.len() >= MOST {
            return Err(Refused::TooMany);
        }
        if bytes.len() > Backup::LARGEST {
            return Err(Refused::TooLarge);
        }
        let backup = Backup::parse(bytes).ok_or(Refused::NotProgress)?;
        let mut learner = Learner::of(&plain_name(file), &backup).ok_or(Refused::Empty)?;
        let digest = crate::sha256::hex(&crate::sha256::digest(&[bytes]));
        if self.learners.iter().any(|other| other.digest == digest && other.name == learner.name) {
            return Err(Refused::Twice);
        }
        // Two learners may have saved under the same name.
        let (name, mut copy) = (learner.name.clone(), 2);
        while self.learners.iter().any(|other| other.name == learner.name) {
            learner.name = format!("{name} ({copy})");
            copy += 1;
        }
        learner.digest = digest;
        self.learners.push(learner);
        Ok(())
    }

    /// The lessons that somebody worked in.
    pub fn lessons(&self) -> BTreeSet<String> {
        self.learners.iter().flat_map(|learner| learner.work.keys()).map(|(lesson, _)| lesson.clone()).collect()
    }

    /// Every exercise that somebody ran.
    pub fn rows(&self) -> Vec<Row> {
        /// What is counted for one exercise, before it's sorted.
        #[derive(Default)]
        struct Counts<'a> {
            row: Row,
            runs: Vec<usize>,
            failed: BTreeMap<usize, usize>,
            rules: BTreeMap<&'a str, usize>,
        }
        let mut all: BTreeMap<&Place, Counts<'_>> = BTreeMap::new();
        for learner in &self.learners {
            for (place, (work, done)) in &learner.work {
                let Counts { row, runs, failed, rules } = all.entry(place).or_default();
                row.tried += 1;
                row.done += usize::from(*done);
                row.opened += usize::from(work.solution);
                row.stuck += usize::from(learner.stuck.as_ref().is_some_and(|stuck| stuck.place == *place));
                runs.push(work.attempts);
                work.failed.keys().for_each(|check| *failed.entry(*check).or_default() += 1);
                work.rules.keys().for_each(|rule| *rules.entry(rule).or_default() += 1);
            }
        }
        let rows = all.into_iter().map(|(place, Counts { mut row, mut runs, failed, rules })| {
            runs.sort_unstable();
            row.place = place.clone();
            row.runs = runs.get(runs.len() / 2).copied().unwrap_or(0);
            row.failed = failed.into_iter().collect();
            row.failed.sort_by_key(|(check, learners)| (Reverse(*learners), *check));
            row.rules = rules.into_iter().map(|(rule, learners)| (rule.to_string(), learners)).collect();
            row.rules.sort_by_key(|(rule, learners)| (Reverse(*learners), rule.clone()));
            row
        });
        let mut rows: Vec<Row> = rows.collect();
        if rows.len() > MOST_ROWS {
            rows.sort_by_key(|row| Reverse(row.tried));
            rows.truncate(MOST_ROWS);
            rows.sort_by(|a, b| a.place.cmp(&b.place));
        }
        rows
    }

    /// The kinds of mistakes that were made, the one that most learners made first.
    pub fn mistakes(&self) -> Vec<Mistake> {
        // For each rule: who met it, in how many runs, and how many met it in each place.
        type Met<'a> = (BTreeSet<usize>, usize, BTreeMap<&'a Place, usize>);
        let mut all: BTreeMap<&str, Met<'_>> = BTreeMap::new();
        for (number, learner) in self.learners.iter().enumerate() {
            for (place, (work, _)) in &learner.work {
                for (rule, runs) in &work.rules {
                    let (who, sum, places) = all.entry(rule).or_default();
                    who.insert(number);
                    *sum = sum.saturating_add(*runs);
                    *places.entry(place).or_default() += 1;
                }
            }
        }
        let mistake = |(rule, (who, runs, places)): (&str, Met<'_>)| {
            let place = places.into_iter().max_by_key(|(place, learners)| (*learners, Reverse(*place)));
            let place = place.map(|(place, _)| place.clone()).unwrap_or_default();
            Mistake { rule: rule.to_string(), learners: who.len(), runs, place }
        };
        let mut out: Vec<Mistake> = all.into_iter().map(mistake).collect();
        out.sort_by_key(|mistake| (Reverse(mistake.learners), Reverse(mistake.runs), mistake.rule.clone()));
        out
    }
}

impl Learner {
    /// `None` if the file says nothing about any lesson.
    fn of(name: &str, backup: &Backup) -> Option<Learner> {
        let mut learner = Learner {
            name: name.to_string(),
            done: 0,
            runs: 0,
            hints: 0,
            last: None,
            stuck: None,
            work: BTreeMap::new(),
            digest: String::new(),
        };
        let mut begun = false;
        for (lesson, mut progress) in backup.progress().filter(|(lesson, _)| is_lesson(lesson)).take(MOST_LESSONS) {
            begun |= !progress.done.is_empty() || !progress.work.is_empty() || progress.at > 0;
            let done: BTreeSet<&String> = progress.done.iter().chain(&progress.beyond).collect();
            learner.done += done.len().min(MOST_STEPS);
            learner.hints = learner.hints.saturating_add(progress.asked()).min(99_999);
            let work = std::mem::take(&mut progress.work);
            for (step, mut work) in work.into_iter().filter(|(step, _)| is_id(step)).take(MOST_STEPS) {
                work.bound();
                learner.runs = learner.runs.saturating_add(work.attempts);
                learner.last = learner.last.max(work.last);
                let done = progress.is_done(&step);
                learner.work.insert((lesson.clone(), step), (work, done));
            }
        }
        learner.stuck = learner.where_stuck();
        begun.then_some(learner)
    }

    /// The exercise that was run last, if it was run often and isn't done. Files that don't say when: the one that was run most.
    fn where_stuck(&self) -> Option<Stuck> {
        let open =
            |(_, (work, done)): &(&Place, &(Work, bool))| !done && work.attempts >= STUCK && work.last == self.last;
        let (place, (work, _)) = self.work.iter().filter(open).max_by_key(|(_, (work, _))| work.attempts)?;
        let check = work.failed.iter().max_by_key(|(check, runs)| (**runs, Reverse(**check))).map(|(check, _)| *check);
        Some(Stuck { place: place.clone(), since: work.first, runs: work.attempts, check })
    }
}

/// An id of a lesson of this site, or the name of one that another page handed over.
fn is_lesson(name: &str) -> bool {
    is_id(name) || name.starts_with("own.")
}

/// A file's name, as it's shown: without folders, its ending and control characters.
fn plain_name(file: &str) -> String {
    let name = file.rsplit(['/', '\\']).next().unwrap_or_default();
    let name = name.strip_suffix(".json").unwrap_or(name);
    // Marks that change the direction of what follows could disguise a name.
    let shown = |c: &char| {
        !c.is_control() && !matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    name.chars().filter(shown).take(NAME).collect()
}

/// Rows of cells as CSV. Spreadsheets compute cells that begin with certain characters, so such a cell gets an apostrophe.
pub fn csv(rows: &[Vec<String>]) -> String {
    let cell = |text: &String| {
        let risky = text.starts_with(['=', '+', '-', '@', '\t', '\r']);
        format!("\"{}{}\"", if risky { "'" } else { "" }, text.replace('"', "\"\""))
    };
    let line = |row: &Vec<String>| row.iter().map(cell).collect::<Vec<_>>().join(",");
    // The mark tells spreadsheets that the text is UTF-8.
    format!("\u{feff}{}\r\n", rows.iter().map(line).collect::<Vec<_>>().join("\r\n"))
}

/// `2026-11-23`, in UTC.
pub fn date(seconds: u64) -> String {
    let days = (seconds / 86_400) as i64 + 719_468;
    // Years that begin in March, so that a leap day is the last day of its year.
    let era = days.div_euclid(146_097);
    let day = days.rem_euclid(146_097);
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let of_year = day - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let of_month = of_year - (153 * month + 2) / 5 + 1;
    let (month, next) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    format!("{:04}-{month:02}-{of_month:02}", (year + era * 400 + next).min(9999))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::progress::{Progress, Trouble};

    fn file(lessons: &[(&str, Progress)]) -> Vec<u8> {
        let kept = lessons.iter().map(|(lesson, progress)| (format!("progress.{lesson}"), progress.text()));
        Backup::new(kept).text().into_bytes()
    }

    fn tried(step: &str, runs: usize, failed: &[usize], rules: &[&str], from: u64) -> Progress {
        let mut progress = Progress { steps: 3, ..Progress::default() };
        let rules = rules.iter().map(|rule| rule.to_string()).collect();
        let trouble = Trouble { failed: failed.to_vec(), rules };
        for run in 0..runs {
            progress.attempt(step, 0, None);
            progress.trouble(step, &trouble, from + 60 * run as u64);
        }
        progress
    }

    #[test]
    fn a_class_is_seen_as_a_whole() {
        let mut class = Class::default();
        let mut ann = tried("fix", 4, &[1], &["D04"], 1_000_000);
        ann.ask("fix", 2);
        class.add("ann.json", &file(&[("lesson-a", ann)])).unwrap();
        let mut bob = tried("fix", 2, &[0, 1], &["D04", "D01"], 1_000_000);
        bob.finish("fix");
        class
            .add("C:\\class\\bob.json", &file(&[("lesson-a", bob), ("lesson-b", tried("go", 1, &[], &[], 9))]))
            .unwrap();
        class.add("cy.json", &file(&[("lesson-a", tried("fix", 9, &[1], &["D01"], 1_500_000))])).unwrap();
        let rows = class.rows();
        assert_eq!(rows.len(), 2);
        let fix = &rows[0];
        assert_eq!(fix.place, ("lesson-a".to_string(), "fix".to_string()));
        assert_eq!((fix.tried, fix.done, fix.stuck, fix.runs), (3, 1, 2, 4));
        assert_eq!(fix.failed, [(1, 3), (0, 1)]);
        assert_eq!(fix.rules, [("D01".to_string(), 2), ("D04".to_string(), 2)]);
        let mistakes = class.mistakes();
        assert_eq!((mistakes[0].rule.as_str(), mistakes[0].learners, mistakes[0].runs), ("D01", 2, 11));
        let names: Vec<&str> = class.learners.iter().map(|learner| learner.name.as_str()).collect();
        assert_eq!(names, ["ann", "bob", "cy"]);
        let ann = &class.learners[0];
        assert_eq!((ann.runs, ann.hints, ann.last), (4, 2, Some(1_000_180)));
        let stuck = ann.stuck.clone().unwrap();
        assert_eq!((stuck.since, stuck.runs, stuck.check), (Some(1_000_000), 4, Some(1)));
        assert_eq!(class.learners[1].stuck, None);
    }

    /// A learner who has gone on to something else isn't stuck where they were before.
    #[test]
    fn stuck_is_where_somebody_is_now() {
        let mut class = Class::default();
        let before = tried("fix", 5, &[0], &[], 1000);
        let after = tried("go", 1, &[0], &[], 9000);
        class.add("ann.json", &file(&[("a", before.clone()), ("b", after)])).unwrap();
        assert_eq!(class.learners[0].stuck, None);
        // A file from before times were recorded.
        let old = "{\"done\":[],\"steps\":2,\"at\":1,\"work\":{\"fix\":{\"best\":10,\"attempts\":7}}}";
        let kept = [("progress.a".to_string(), old.to_string())];
        class.add("old.json", Backup::new(kept).text().as_bytes()).unwrap();
        let stuck = class.learners[1].stuck.clone().unwrap();
        assert_eq!((stuck.runs, stuck.since, stuck.check), (7, None, None));
    }

    #[test]
    fn files_that_are_no_progress_are_refused_and_take_nothing_away() {
        let mut class = Class::default();
        let good = file(&[("a", tried("fix", 4, &[1], &["D04"], 1000))]);
        class.add("ann.json", &good).unwrap();
        let kept = class.clone();
        let deep = format!("{{\"tensoryard\":1,\"kept\":{}{}}}", "[".repeat(100_000), "]".repeat(100_000));
        for (bytes, why) in [
            (&b""[..], Refused::NotProgress),
            (b"\xff\xfe\x00", Refused::NotProgress),
            (b"{\"tensoryard\":1,\"kept\":{\"progress.a\":\"{\\\"work\\\":3}\"}}", Refused::NotProgress),
            (b"{\"tensoryard\":9,\"kept\":{}}", Refused::NotProgress),
            (b"{\"tensoryard\":1,\"kept\":{}}", Refused::Empty),
            (deep.as_bytes(), Refused::NotProgress),
            (&[b' '; Backup::LARGEST + 1], Refused::TooLarge),
        ] {
            assert_eq!(class.add("x.json", bytes), Err(why));
        }
        assert_eq!(class.add("ann.json", &good), Err(Refused::Twice));
        assert_eq!(class, kept);
        // Another learner's file of the same name.
        class.add("ann.json", &file(&[("a", tried("fix", 1, &[], &[], 1))])).unwrap();
        assert_eq!(class.learners[1].name, "ann (2)");
        for n in class.learners.len()..MOST {
            class.add(&format!("{n}.json"), &good).unwrap();
        }
        assert_eq!(class.add("late.json", &good), Err(Refused::TooMany));
    }

    #[test]
    fn a_hostile_file_can_not_make_the_class_large() {
        let work: Vec<String> = (0..2000).map(|n| format!("\"s{n}\":{{\"attempts\":18446744073709551615}}")).collect();
        let progress = format!("{{\"done\":[\"<img>\"],\"work\":{{\"<b>\":{{}},{}}}}}", work.join(","));
        let kept = [("progress.a".to_string(), progress), ("progress.A<b>".to_string(), "{}".to_string())];
        let mut class = Class::default();
        class.add("\u{202e}evil\u{0}=cmd().json", Backup::new(kept).text().as_bytes()).unwrap();
        let learner = &class.learners[0];
        assert_eq!((learner.name.as_str(), learner.work.len()), ("evil=cmd()", MOST_STEPS));
        assert!(learner.runs <= 9999 * MOST_STEPS);
        assert_eq!(class.rows().len(), MOST_STEPS);
    }

    #[test]
    fn spreadsheets_compute_nothing() {
        let rows = [vec!["=1+1".to_string(), "a \"b\", c".into()], vec!["-x".into(), "é".into()]];
        assert_eq!(csv(&rows), "\u{feff}\"'=1+1\",\"a \"\"b\"\", c\"\r\n\"'-x\",\"é\"\r\n");
    }

    #[test]
    fn dates_are_those_of_the_calendar() {
        for (seconds, day) in [
            (0, "1970-01-01"),
            (951_782_400, "2000-02-29"),
            (1_795_392_000, "2026-11-23"),
            (1_709_251_199, "2024-02-29"),
            (1_735_689_600, "2025-01-01"),
        ] {
            assert_eq!(date(seconds), day);
        }
        assert!(date(u64::MAX / 1000).len() >= 10);
    }
}
