//! What a learner has done in a lesson, as the browser keeps it.

use serde::{Deserialize, Serialize};

/// Progress in one lesson.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Progress {
    /// Ids of the steps that are done.
    #[serde(default)]
    pub done: Vec<String>,
    /// Number of steps of the lesson.
    #[serde(default)]
    pub steps: usize,
    /// Index of the step that was open.
    #[serde(default)]
    pub at: usize,
}

impl Progress {
    /// Reads what was kept; anything unreadable counts as nothing.
    pub fn parse(kept: Option<String>) -> Progress {
        kept.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default()
    }

    pub fn text(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }

    pub fn is_done(&self, step: &str) -> bool {
        self.done.iter().any(|id| id == step)
    }

    /// Notes that a step is done; says whether that is news.
    pub fn finish(&mut self, step: &str) -> bool {
        let news = !self.is_done(step);
        if news {
            self.done.push(step.to_string());
        }
        news
    }

    pub fn is_complete(&self) -> bool {
        self.steps > 0 && self.done.len() >= self.steps
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
    fn what_cannot_be_read_counts_as_nothing() {
        for kept in [None, Some(String::new()), Some("[1]".into()), Some("{\"done\":3}".into())] {
            assert_eq!(Progress::parse(kept), Progress::default());
        }
    }
}
