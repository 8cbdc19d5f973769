//! The learner's place in the lesson that is open. It's kept outside the views, which a change of language rebuilds.

use std::collections::BTreeMap;

use leptos::prelude::*;

use crate::app::progress::Progress;

/// The open step, and which steps are done.
#[derive(Clone, Copy)]
pub(crate) struct Place {
    pub at: RwSignal<usize>,
    pub progress: RwSignal<Progress>,
}

/// See the module's documentation. Copies of this value share the same state.
#[derive(Clone, Copy)]
pub(crate) struct Reading(StoredValue<Open>);

#[derive(Default)]
struct Open {
    /// The lesson, and the link that opened it.
    of: String,
    at: usize,
    /// Whether the learner went back from a link's program to their own.
    own: bool,
    /// The document that the open step loaded into the editor.
    document: Option<String>,
    /// The chosen answer to each question. The key is the step's id and the question's number in it.
    answers: BTreeMap<(String, usize), usize>,
    /// The number of hints shown, by the step's id.
    hints: BTreeMap<String, usize>,
    /// The latest run that was counted as an attempt, and the latest after which the page pointed at something.
    counted: u32,
    pointed: u32,
}

impl Default for Reading {
    fn default() -> Reading {
        Reading(StoredValue::new(Open::default()))
    }
}

impl Reading {
    /// Opens a lesson. Returns whether it was already open.
    pub(crate) fn open(self, of: &str) -> bool {
        let open = self.0.with_value(|open| open.of == of);
        if !open {
            self.0.set_value(Open { of: of.to_string(), ..Open::default() });
        }
        open
    }

    /// Called when another view is shown, or when the lesson must be read again.
    pub(crate) fn close(self) {
        self.0.set_value(Open::default());
    }

    pub(crate) fn at(self) -> usize {
        self.0.with_value(|open| open.at)
    }

    pub(crate) fn go(self, at: usize) {
        self.0.update_value(|open| open.at = at);
    }

    pub(crate) fn shows_own(self) -> bool {
        self.0.with_value(|open| open.own)
    }

    pub(crate) fn show_own(self) {
        self.0.update_value(|open| open.own = true);
    }

    /// Notes which document the step loaded into the editor. Returns whether it had already done so.
    pub(crate) fn holds(self, document: &str) -> bool {
        let held = self.0.with_value(|open| open.document.as_deref() == Some(document));
        self.0.update_value(|open| open.document = Some(document.to_string()));
        held
    }

    pub(crate) fn answer(self, question: &(String, usize)) -> Option<usize> {
        self.0.with_value(|open| open.answers.get(question).copied())
    }

    pub(crate) fn set_answer(self, question: (String, usize), answer: usize) {
        self.0.update_value(|open| {
            open.answers.insert(question, answer);
        });
    }

    /// Whether this run wasn't counted before. A change of language shows the same run again.
    pub(crate) fn counts(self, run: u32) -> bool {
        self.0.try_update_value(|open| std::mem::replace(&mut open.counted, run) != run).unwrap_or(false)
    }

    /// Whether the page hasn't pointed at anything after this run.
    pub(crate) fn points(self, run: u32) -> bool {
        self.0.try_update_value(|open| std::mem::replace(&mut open.pointed, run) != run).unwrap_or(false)
    }

    pub(crate) fn hints(self, step: &str) -> usize {
        self.0.with_value(|open| open.hints.get(step).copied().unwrap_or(0))
    }

    pub(crate) fn set_hints(self, step: &str, shown: usize) {
        self.0.update_value(|open| {
            open.hints.insert(step.to_string(), shown);
        });
    }
}
