//! The program in the editor, and the settings that it runs with.

use leptos::prelude::*;

use super::super::browser;
use crate::app::keys::Key;
use crate::lesson::{Check, Scoring};
use crate::machine::Machine;
use crate::protocol::{ExecutorChoice, GivenFile, RunRequest};

/// What the editor holds: one learner's copy of a program.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Document {
    /// The name of the copy; see [`crate::app::keys`].
    pub key: String,
    pub starter: String,
    pub checks: Vec<Check>,
    /// How each check counts; empty where all count alike.
    pub scoring: Vec<Scoring>,
    /// The lesson and the step that it belongs to, by their ids.
    pub step: Option<(String, String)>,
}

impl Document {
    fn storage_key(&self) -> Key {
        Key::code(&self.key)
    }
}

/// Copies of this value share the same state.
#[derive(Clone, Copy)]
pub struct Program {
    pub document: RwSignal<Document>,
    pub code: RwSignal<String>,
    /// Whether the browser refused to store the program.
    pub unsaved: RwSignal<bool>,
    pub machine: RwSignal<Machine>,
    pub choice: RwSignal<ExecutorChoice>,
    /// Whether a run waits at its first line, so that the learner can step through it.
    pub stepping: RwSignal<bool>,
    /// Files that were uploaded for the playground's programs.
    pub files: RwSignal<Vec<GivenFile>>,
    /// The files of the lesson that is shown.
    pub attached: RwSignal<Vec<GivenFile>>,
}

impl Program {
    pub(super) fn new(machine: Machine) -> Program {
        Program {
            document: RwSignal::new(Document::default()),
            code: RwSignal::new(String::new()),
            unsaved: RwSignal::new(false),
            machine: RwSignal::new(machine),
            choice: RwSignal::new(ExecutorChoice::Auto),
            stepping: RwSignal::new(false),
            files: RwSignal::new(Vec::new()),
            attached: RwSignal::new(Vec::new()),
        }
    }

    pub(super) fn open(self, document: Document) {
        let code = browser::remembered(&document.storage_key()).unwrap_or_else(|| document.starter.clone());
        self.document.set(document);
        self.code.set(code);
    }

    pub(super) fn open_unkept(self, document: Document) {
        self.code.set(document.starter.clone());
        self.document.set(document);
    }

    /// Replaces the document with its translation. The program, its run and what is drawn stay.
    pub(crate) fn reword(self, document: Document) {
        self.document.set(document);
    }

    /// Called when the learner, or the page for them, has changed the program.
    pub fn edit(self, code: String) {
        if self.code.with_untracked(|old| *old == code) {
            return;
        }
        let key = self.document.with_untracked(Document::storage_key);
        let starter = self.document.with_untracked(|d| d.starter == code);
        if starter {
            browser::forget(&key);
        } else {
            self.unsaved.set(!browser::remember(&key, &code));
        }
        self.code.set(code);
    }

    pub(super) fn reset(self) {
        self.edit(self.document.with_untracked(|d| d.starter.clone()));
    }

    pub(super) fn request(self, run: u32) -> RunRequest {
        RunRequest {
            run,
            code: self.code.get_untracked(),
            machine: self.machine.get_untracked(),
            executor: self.choice.get_untracked(),
            checks: self.document.with_untracked(|d| d.checks.clone()),
            lines: self.stepping.get_untracked(),
            // A lesson's checks assume a folder with the lesson's own files and no others.
            notebook: None,
            files: match self.document.with_untracked(|d| d.step.is_some()) {
                true => self.attached.get_untracked(),
                false => self.files.get_untracked(),
            },
        }
    }
}
