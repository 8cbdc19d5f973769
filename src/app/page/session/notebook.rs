//! A notebook in the page: its cells, what each of them shows, and which of them wait for their turn.

use std::collections::VecDeque;

use leptos::prelude::*;

use super::super::browser;
use super::playback::Mark;
use crate::app::keys::Key;
use crate::app::pieces::{Piece, pieces};
use crate::notebook::{self, Kind, Outputs};

/// Copies of this value share the same state.
#[derive(Clone, Copy, PartialEq)]
pub(crate) struct Cell {
    pub id: usize,
    pub kind: Kind,
    pub source: RwSignal<String>,
    /// Its source when it ran last: line numbers mean nothing in another one.
    ran: RwSignal<String>,
    /// The number of its latest run, `In[3]`.
    pub count: RwSignal<Option<u64>>,
    pub shown: RwSignal<Vec<Piece>>,
    outputs: StoredValue<Outputs>,
    /// What else the file says about it, without outputs.
    rest: StoredValue<notebook::Cell>,
}

impl Cell {
    fn new(id: usize, mut stored: notebook::Cell) -> Cell {
        let (outputs, count) = (Outputs::of(stored.outputs()), stored.count());
        stored.set_ran(None, Vec::new());
        Cell {
            id,
            kind: stored.kind,
            source: RwSignal::new(stored.source.clone()),
            ran: RwSignal::new(String::new()),
            count: RwSignal::new(count),
            shown: RwSignal::new(pieces(&outputs)),
            outputs: StoredValue::new(outputs),
            rest: StoredValue::new(stored),
        }
    }

    /// Whether nobody has changed it since it ran.
    pub(crate) fn is_as_it_ran(self) -> bool {
        self.source.with(|source| self.ran.with(|ran| source == ran))
    }

    /// The cell as a file has it, without what it shows.
    fn bare(self) -> notebook::Cell {
        let mut cell = self.rest.get_value();
        cell.source = self.source.get_untracked();
        cell
    }

    fn stored(self) -> notebook::Cell {
        let mut cell = self.bare();
        cell.set_ran(self.count.get_untracked(), self.outputs.with_value(Outputs::stored));
        cell
    }
}

/// Copies of this value share the same state.
#[derive(Clone, Copy)]
pub(crate) struct Notebook {
    pub is_open: RwSignal<bool>,
    pub cells: RwSignal<Vec<Cell>>,
    /// The cell that runs or ran last: the session's program is its source.
    pub active: RwSignal<Option<usize>>,
    /// Whether the active cell runs.
    pub running: RwSignal<bool>,
    pub waiting: RwSignal<VecDeque<usize>>,
    /// The number of the first event of each cell that ran in this interpreter, in order.
    begun: RwSignal<Vec<(u64, usize)>>,
    /// What the file has besides its cells.
    rest: StoredValue<notebook::Notebook>,
    /// Tells the engine which cells share an interpreter.
    opening: StoredValue<u32>,
    next_id: StoredValue<usize>,
    frame_asked: StoredValue<bool>,
    /// What the cells' signals belong to: a view that adds a cell may be gone before the cell is.
    owner: StoredValue<Option<Owner>>,
}

impl Notebook {
    pub(super) fn new() -> Notebook {
        Notebook {
            is_open: RwSignal::new(false),
            cells: RwSignal::new(Vec::new()),
            active: RwSignal::new(None),
            running: RwSignal::new(false),
            waiting: RwSignal::new(VecDeque::new()),
            begun: RwSignal::new(Vec::new()),
            rest: StoredValue::new(notebook::Notebook::default()),
            opening: StoredValue::new(0),
            next_id: StoredValue::new(0),
            frame_asked: StoredValue::new(false),
            owner: StoredValue::new(Owner::current()),
        }
    }

    pub(super) fn open(self, mut notebook: notebook::Notebook) {
        let cells = std::mem::take(&mut notebook.cells).into_iter().map(|cell| self.make(cell)).collect();
        self.rest.set_value(notebook);
        self.cells.set(cells);
        self.active.set(None);
        self.start_again();
        self.is_open.set(true);
    }

    /// Shows another program. The cells stay, for when the learner comes back.
    pub(super) fn close(self) {
        if self.is_open.get_untracked() {
            self.is_open.set(false);
            self.active.set(None);
            self.start_again();
        }
    }

    /// Shows the notebook that was opened last. Returns whether there is one.
    pub(super) fn reopen(self) -> bool {
        if self.cells.with_untracked(Vec::is_empty) {
            let kept = browser::remembered(&Key::NOTEBOOK);
            let Some(kept) = kept.and_then(|kept| notebook::Notebook::parse(kept.as_bytes()).ok()) else {
                return false;
            };
            self.open(kept);
        }
        self.is_open.set(true);
        true
    }

    /// The next cell gets a new interpreter.
    pub(super) fn start_again(self) {
        self.opening.update_value(|opening| *opening += 1);
        self.waiting.set(VecDeque::new());
        self.running.set(false);
    }

    fn make(self, stored: notebook::Cell) -> Cell {
        let id = self.next_id.get_value();
        self.next_id.set_value(id + 1);
        match self.owner.get_value() {
            Some(owner) => owner.with(|| Cell::new(id, stored)),
            None => Cell::new(id, stored),
        }
    }

    pub(super) fn opening(self) -> u32 {
        self.opening.get_value()
    }

    pub(super) fn cell(self, id: usize) -> Option<Cell> {
        self.cells.with_untracked(|cells| cells.iter().find(|cell| cell.id == id).copied())
    }

    pub(super) fn active_cell(self) -> Option<Cell> {
        self.cell(self.active.get_untracked()?)
    }

    /// Whether messages of the current run belong to a cell.
    pub(super) fn has_run(self) -> bool {
        self.is_open.get_untracked() && self.running.get_untracked()
    }

    /// The cell whose turn it is now.
    pub(super) fn next(self) -> Option<Cell> {
        let mut next = None;
        self.waiting.update(|waiting| next = waiting.pop_front());
        let cell = self.cell(next?)?;
        self.active.set(Some(cell.id));
        self.running.set(true);
        cell.outputs.set_value(Outputs::default());
        cell.shown.set(Vec::new());
        cell.count.set(None);
        cell.ran.set(cell.source.get_untracked());
        Some(cell)
    }

    /// The active cell runs as the interpreter's cell `count`, and `first` is the number of its first event.
    pub(super) fn began(self, count: Option<u64>, first: u64) {
        let Some(cell) = self.active_cell() else { return };
        cell.count.set(count);
        self.begun.update(|begun| {
            if count == Some(1) {
                begun.clear();
            }
            begun.push((first, cell.id));
        });
    }

    /// The cell that a mark's line belongs to.
    pub(crate) fn cell_of(self, mark: Mark) -> Option<usize> {
        let Some(event) = mark.event else { return self.active.get() };
        self.begun.with(|begun| begun.iter().rev().find(|(first, _)| *first <= event).map(|(_, id)| *id))
    }

    /// Adds an output to the active cell.
    pub(super) fn add(self, change: impl FnOnce(&mut Outputs)) {
        let Some(cell) = self.active_cell() else { return };
        cell.outputs.update_value(change);
        if !self.frame_asked.get_value() {
            self.frame_asked.set_value(true);
            request_animation_frame(move || {
                self.frame_asked.set_value(false);
                self.show();
            });
        }
    }

    /// Replaces an output that an earlier cell shows.
    pub(super) fn update(self, output: serde_json::Value) {
        for cell in self.cells.get_untracked() {
            let mut found = false;
            cell.outputs.update_value(|outputs| found = outputs.take(output.clone()));
            if found {
                cell.shown.set(cell.outputs.with_value(pieces));
            }
        }
    }

    /// Draws what the active cell shows now.
    fn show(self) {
        if let Some(cell) = self.active_cell() {
            cell.shown.set(cell.outputs.with_value(pieces));
        }
    }

    /// The active cell has ended. Cells after one that raised an error don't run.
    pub(super) fn done(self, failed: bool) {
        self.running.set(false);
        self.show();
        if failed {
            self.waiting.set(VecDeque::new());
        }
        self.keep();
    }

    /// Adds a cell with this source after the active one, or at the end.
    pub(super) fn add_code(self, source: &str) -> usize {
        let id = self.add_cell(self.active.get_untracked());
        if let Some(cell) = self.cell(id) {
            cell.source.set(source.into());
        }
        id
    }

    /// Adds an empty cell after another one, or at the end.
    pub(crate) fn add_cell(self, after: Option<usize>) -> usize {
        let cell = self.make(notebook::Cell::code(""));
        self.cells.update(|cells| {
            let at = after.and_then(|id| cells.iter().position(|cell| cell.id == id)).map_or(cells.len(), |at| at + 1);
            cells.insert(at, cell);
        });
        cell.id
    }

    pub(crate) fn delete(self, id: usize) {
        self.waiting.update(|waiting| waiting.retain(|other| *other != id));
        if self.active.get_untracked() == Some(id) {
            self.active.set(None);
        }
        self.cells.update(|cells| cells.retain(|cell| cell.id != id));
        self.keep();
    }

    /// The code cell after another one.
    pub(crate) fn after(self, id: usize) -> Option<usize> {
        self.cells.with_untracked(|cells| {
            let rest = cells.iter().skip_while(|cell| cell.id != id).skip(1);
            rest.filter(|cell| cell.kind == Kind::Code).map(|cell| cell.id).next()
        })
    }

    /// The notebook as it would be saved.
    pub(crate) fn stored(self) -> notebook::Notebook {
        self.with_cells(Cell::stored)
    }

    fn with_cells(self, cell: impl Fn(Cell) -> notebook::Cell) -> notebook::Notebook {
        let mut notebook = self.rest.get_value();
        notebook.cells = self.cells.with_untracked(|cells| cells.iter().copied().map(cell).collect());
        notebook
    }

    /// Remembers the cells, so that a reload of the page doesn't lose them. Outputs aren't remembered: they may be large.
    pub(crate) fn keep(self) -> bool {
        browser::remember(&Key::NOTEBOOK, &self.with_cells(Cell::bare).write())
    }
}
