//! What a learner has done in a lesson, in the form that the browser stores.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::keys::Key;

/// Progress in one lesson.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Progress {
    /// Ids of the steps that are done.
    #[serde(default)]
    pub done: Vec<String>,
    /// Number of steps of the lesson.
    #[serde(default)]
    pub steps: usize,
    /// Index of the step that was open last.
    #[serde(default)]
    pub at: usize,
    /// The number of hints that were shown, by the step's id.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub hints: BTreeMap<String, usize>,
}

impl Progress {
    /// Reads a stored value. An unreadable one counts as no progress.
    pub fn parse(kept: Option<String>) -> Progress {
        kept.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default()
    }

    pub fn text(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }

    pub(crate) fn is_done(&self, step: &str) -> bool {
        self.done.iter().any(|id| id == step)
    }

    /// Notes that a step is done. Returns whether it wasn't done before.
    pub fn finish(&mut self, step: &str) -> bool {
        let news = !self.is_done(step);
        if news {
            self.done.push(step.to_string());
        }
        news
    }

    /// Notes that this many hints of a step have been seen. A hint that is opened again isn't counted twice.
    pub fn ask(&mut self, step: &str, hints: usize) {
        let seen = self.hints.entry(step.to_string()).or_default();
        *seen = hints.max(*seen);
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
        other.hints.iter().for_each(|(step, &hints)| self.ask(step, hints));
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
