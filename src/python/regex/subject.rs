//! What a regular expression is matched against: text or bytes that look for Stop while the engine reads them.

use std::cell::{Cell, RefCell};

use rustpython_sre_engine::{Request, State, StrDrive, StringCursor};
use rustpython_vm::builtins::{PyBaseExceptionRef, PyStr};
use rustpython_vm::common::wtf8::Wtf8;
use rustpython_vm::protocol::{BufferFlags, PyBuffer};
use rustpython_vm::vm::thread::try_with_current_vm;
use rustpython_vm::{AsObject, Py, PyObject, PyObjectRef, PyResult, VirtualMachine};

use crate::python::interrupt;

/// How many characters the engine reads between two looks: some ten microseconds.
const EVERY: u32 = 4096;

thread_local! {
    static LEFT: Cell<u32> = const { Cell::new(EVERY) };
    /// Whether the match that is under way has to end.
    static ENDED: Cell<bool> = const { Cell::new(false) };
    /// Where the subject of that match ends.
    static END: Cell<usize> = const { Cell::new(0) };
    /// Why it has to end.
    static REASON: RefCell<Option<PyBaseExceptionRef>> = const { RefCell::new(None) };
}

/// What unwinds the engine.
struct Unwinding;

/// Counts a character. Whether the match goes on.
#[inline]
fn goes_on() -> bool {
    match LEFT.get().checked_sub(1) {
        Some(left) => {
            LEFT.set(left);
            !ENDED.get()
        }
        None => look(),
    }
}

#[cold]
fn look() -> bool {
    LEFT.set(EVERY);
    if ENDED.get() {
        return false;
    }
    let end = END.get();
    let looked = try_with_current_vm(interrupt::count);
    // A handler of the program's may have used regular expressions.
    END.set(end);
    let Some(Err(reason)) = looked else { return true };
    REASON.set(Some(reason));
    if cfg!(panic = "unwind") {
        std::panic::resume_unwind(Box::new(Unwinding));
    }
    ENDED.set(true);
    false
}

/// Lets the engine match.
///
/// # Errors
/// What Stop raises, and `MemoryError`.
fn watched<R>(end: usize, run: impl FnOnce() -> R) -> PyResult<R> {
    END.set(end);
    let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(run));
    ENDED.set(false);
    if let Some(reason) = REASON.take() {
        return Err(reason);
    }
    // Any other panic is a mistake, which others report.
    result.or_else(|panic| std::panic::resume_unwind(panic))
}

/// A subject whose reading is counted. Where a panic can't unwind, a match that has to end finds no character any more and stands
/// at the end wherever it goes: every way to continue fails, at the latest after each was tried once.
#[derive(Clone, Copy)]
struct Counted<S>(S);

impl<S: StrDrive> StrDrive for Counted<S> {
    fn count(&self) -> usize {
        self.0.count()
    }

    fn create_cursor(&self, n: usize) -> StringCursor {
        if goes_on() { self.0.create_cursor(n) } else { nowhere(n) }
    }

    fn adjust_cursor(&self, cursor: &mut StringCursor, n: usize) {
        if goes_on() {
            self.0.adjust_cursor(cursor, n);
        } else {
            *cursor = nowhere(n);
        }
    }

    #[inline]
    fn advance(cursor: &mut StringCursor) -> u32 {
        if goes_on() {
            let character = S::peek(cursor);
            S::skip(cursor, 1);
            return character;
        }
        cursor.position = END.get();
        NONE
    }

    #[inline]
    fn peek(cursor: &StringCursor) -> u32 {
        if goes_on() { S::peek(cursor) } else { NONE }
    }

    #[inline]
    fn skip(cursor: &mut StringCursor, n: usize) {
        if goes_on() { S::skip(cursor, n) } else { cursor.position = END.get() }
    }

    #[inline]
    fn back_advance(cursor: &mut StringCursor) -> u32 {
        if goes_on() {
            return S::back_advance(cursor);
        }
        cursor.position = cursor.position.saturating_sub(1);
        NONE
    }

    #[inline]
    fn back_peek(cursor: &StringCursor) -> u32 {
        if goes_on() { S::back_peek(cursor) } else { NONE }
    }

    #[inline]
    fn back_skip(cursor: &mut StringCursor, n: usize) {
        if goes_on() { S::back_skip(cursor, n) } else { cursor.position = cursor.position.saturating_sub(n) }
    }
}

/// No character.
const NONE: u32 = u32::MAX;

fn nowhere(position: usize) -> StringCursor {
    let mut cursor = StringCursor::default();
    cursor.position = position.min(END.get());
    cursor
}

/// Text with characters beyond ASCII: it knows how many there are, and where each begins.
#[derive(Clone, Copy)]
struct Text<'a>(&'a Py<PyStr>);

impl StrDrive for Text<'_> {
    fn count(&self) -> usize {
        self.0.char_len()
    }

    fn create_cursor(&self, n: usize) -> StringCursor {
        let rest = &self.0.as_wtf8()[self.0.char_index_to_byte(n)..];
        let mut cursor = <&Wtf8 as StrDrive>::create_cursor(&rest, 0);
        cursor.position = n;
        cursor
    }

    fn adjust_cursor(&self, cursor: &mut StringCursor, n: usize) {
        *cursor = self.create_cursor(n);
    }

    #[inline]
    fn advance(cursor: &mut StringCursor) -> u32 {
        <&Wtf8 as StrDrive>::advance(cursor)
    }

    #[inline]
    fn peek(cursor: &StringCursor) -> u32 {
        <&Wtf8 as StrDrive>::peek(cursor)
    }

    #[inline]
    fn skip(cursor: &mut StringCursor, n: usize) {
        <&Wtf8 as StrDrive>::skip(cursor, n);
    }

    #[inline]
    fn back_advance(cursor: &mut StringCursor) -> u32 {
        <&Wtf8 as StrDrive>::back_advance(cursor)
    }

    #[inline]
    fn back_peek(cursor: &StringCursor) -> u32 {
        <&Wtf8 as StrDrive>::back_peek(cursor)
    }

    #[inline]
    fn back_skip(cursor: &mut StringCursor, n: usize) {
        <&Wtf8 as StrDrive>::back_skip(cursor, n);
    }
}

/// How a pattern is applied.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum How {
    /// Where it begins.
    Match,
    /// Where it begins, and up to the end.
    Full,
    /// At the first place where it matches.
    Search,
}

/// What was found: the places of the whole and of each group, and which group ended last.
#[derive(Debug)]
pub(super) struct Found {
    pub(super) places: Vec<Option<(usize, usize)>>,
    pub(super) last: Option<usize>,
    pub(super) start: usize,
    pub(super) end: usize,
}

/// A string or bytes.
pub(super) enum Subject<'a> {
    Text(&'a Py<PyStr>),
    Bytes(&'a [u8]),
}

impl<'a> Subject<'a> {
    /// Opens what a pattern is to be applied to.
    ///
    /// # Errors
    /// `TypeError`, as in CPython, if the pattern is of the other kind, and those of `run`.
    pub(super) fn of<R>(
        string: &PyObject,
        pattern_is_bytes: bool,
        vm: &VirtualMachine,
        run: impl FnOnce(&Subject<'_>) -> PyResult<R>,
    ) -> PyResult<R> {
        if let Some(text) = string.downcast_ref::<PyStr>() {
            if pattern_is_bytes {
                return Err(vm.new_type_error("cannot use a bytes pattern on a string-like object"));
            }
            return run(&Subject::Text(text));
        }
        let Ok(buffer) = PyBuffer::from_object(vm, string, BufferFlags::SIMPLE) else {
            let class = string.class().name().to_string();
            return Err(vm.new_type_error(format!("expected string or bytes-like object, got '{class}'")));
        };
        if !pattern_is_bytes {
            return Err(vm.new_type_error("cannot use a string pattern on a bytes-like object"));
        }
        buffer.contiguous_or_collect(|bytes| run(&Subject::Bytes(bytes)))
    }

    pub(super) fn length(&self) -> usize {
        match self {
            Subject::Text(text) => text.char_len(),
            Subject::Bytes(bytes) => bytes.len(),
        }
    }

    /// A part of it, as an object.
    pub(super) fn part(&self, start: usize, end: usize, vm: &VirtualMachine) -> PyObjectRef {
        match self {
            Subject::Text(text) => {
                let end_byte = text.char_index_to_byte(end);
                let start_byte = text.char_index_to_byte(start).min(end_byte);
                if start_byte == 0 && end_byte == text.as_wtf8().len() && text.class().is(vm.ctx.types.str_type) {
                    return (*text).to_owned().into();
                }
                vm.ctx.new_str(text.as_wtf8()[start_byte..end_byte].to_owned()).into()
            }
            Subject::Bytes(bytes) => {
                let end = end.min(bytes.len());
                vm.ctx.new_bytes(bytes[start.min(end)..end].to_vec()).into()
            }
        }
    }

    /// Applies a pattern's code between two places.
    ///
    /// # Errors
    /// What Stop raises, and `MemoryError`.
    pub(super) fn find(
        &self,
        code: &[u32],
        groups: usize,
        (start, end): (usize, usize),
        how: How,
        must_advance: bool,
    ) -> PyResult<Option<Found>> {
        match self {
            Subject::Text(text) if !text.kind().is_ascii() => {
                find(Counted(Text(text)), code, groups, (start, end), how, must_advance)
            }
            Subject::Text(text) => {
                find(Counted(text.as_wtf8().as_bytes()), code, groups, (start, end), how, must_advance)
            }
            Subject::Bytes(bytes) => find(Counted(*bytes), code, groups, (start, end), how, must_advance),
        }
    }
}

fn find<S: StrDrive>(
    subject: S,
    code: &[u32],
    groups: usize,
    (start, end): (usize, usize),
    how: How,
    must_advance: bool,
) -> PyResult<Option<Found>> {
    let mut request = Request::new(subject, start, end, code, how == How::Full);
    request.must_advance = must_advance;
    let end = request.end;
    let (matches, state) = watched(end, || {
        let mut state = State::default();
        let matches = if how == How::Search { state.search(request) } else { state.py_match(&request) };
        (matches, state)
    })?;
    if !matches {
        return Ok(None);
    }
    let (start, end) = (state.start, state.cursor.position);
    let marks = state.marks.raw();
    let mark = |at: usize| marks.get(at).and_then(|mark| mark.into_option());
    let group = |group: usize| mark(2 * group).zip(mark(2 * group + 1));
    let places = std::iter::once(Some((start, end))).chain((0..groups).map(group)).collect();
    Ok(Some(Found { places, last: usize::try_from(state.marks.last_index()).ok(), start, end }))
}
