//! The frames that are running, looked at from Rust: where the learner's program is, and which calls led there. And the names that
//! cells of a notebook have in place of a file's.

use std::cell::Cell;

use rustpython_vm::builtins::PyStrInterned;
use rustpython_vm::compiler::core::SourceLocation;
use rustpython_vm::vm::thread::get_current_frame;

use crate::memory::history::Frame;

/// What the names of cells begin with, as IPython has it. Tracebacks and warnings show the name in place of a file's.
pub(super) const CELL: &str = "Cell In[";

/// The name of the cell that runs as number `count`.
pub(super) fn cell_name(count: u64) -> String {
    format!("{CELL}{count}]")
}

/// Whether a file's name is that of a cell.
pub(super) fn is_cell(file: &str) -> bool {
    file.starts_with(CELL)
}

thread_local! {
    /// The learner's file name, interned, while a program runs.
    static LEARNERS_FILE: Cell<Option<&'static PyStrInterned>> = const { Cell::new(None) };
}

/// Notes which file is the learner's, for as long as it runs.
pub(super) fn set_learners_file(file: Option<&'static PyStrInterned>) {
    LEARNERS_FILE.set(file);
}

/// The current line of the innermost frame that belongs to the learner's file, from 1; 0 when there is none.
pub fn learner_line() -> u32 {
    learner_place().map_or(0, |place| place.line.get() as u32)
}

/// Where the innermost frame is that belongs to the learner's file.
pub(super) fn learner_place() -> Option<SourceLocation> {
    let file = LEARNERS_FILE.get()?;
    let mut frame = get_current_frame();
    while !frame.is_null() {
        // SAFETY: the interpreter of this thread unlinks a frame before it frees it, and none runs while we look.
        let current = unsafe { &*frame };
        let code = current.code();
        if std::ptr::eq(code.source_path(), file) {
            let at = (current.get_lasti() as usize).saturating_sub(1);
            return code.locations.get(at).map(|(start, _)| *start);
        }
        frame = current.previous();
    }
    None
}

/// The calls of Python functions that led here, the innermost first.
pub(super) fn stack() -> Vec<Frame> {
    let mut out = Vec::new();
    let mut frame = get_current_frame();
    while !frame.is_null() {
        // SAFETY: as in `learner_place`.
        let current = unsafe { &*frame };
        let code = current.code();
        let at = (current.get_lasti() as usize).saturating_sub(1);
        out.push(Frame {
            file: code.source_path().as_str().to_string(),
            line: code.locations.get(at).map_or(0, |(start, _)| start.line.get() as u32),
            name: code.obj_name.as_str().to_string(),
        });
        frame = current.previous();
    }
    out
}

/// Whether the innermost frame is of the learner's file.
pub(super) fn in_learners_code() -> bool {
    let Some(file) = LEARNERS_FILE.get() else { return false };
    let frame = get_current_frame();
    if frame.is_null() {
        return false;
    }
    // SAFETY: as in `learner_place`.
    let path = unsafe { &*frame }.code().source_path();
    // A function of an earlier cell is the learner's too.
    std::ptr::eq(path, file) || (is_cell(file.as_str()) && is_cell(path.as_str()))
}
