//! Tensors as plain slices of a compute type, for kernels that aren't elementwise.
//!
//! A contiguous tensor of the compute type is used in place. Any other tensor is copied and converted first, and results are
//! copied back at the end.

use std::ops::{Deref, DerefMut};

use super::element::Compute;
use super::span::{Loops, Span, load, store};
use crate::executor::{Done, Fault, View};

/// An input as a contiguous slice in logical order.
pub(super) struct Dense<C> {
    ptr: *const C,
    len: usize,
    /// The copy that `ptr` points into, if the values had to be copied.
    _copy: Vec<C>,
}

// SAFETY: read-only after construction.
unsafe impl<C: Sync> Sync for Dense<C> {}

impl<C> Deref for Dense<C> {
    type Target = [C];

    fn deref(&self) -> &[C] {
        // SAFETY: a checked contiguous span, or the copy, which moves with its owner but not in memory.
        unsafe { std::slice::from_raw_parts(self.ptr, self.len) }
    }
}

/// `n` default values, or a fault if there is no memory for them.
pub(super) fn scratch<C: Clone + Default>(n: usize) -> Done<Vec<C>> {
    filled(C::default(), n)
}

/// `n` copies of a value, or a fault if there is no memory for them.
pub(super) fn filled<T: Clone>(value: T, n: usize) -> Done<Vec<T>> {
    let mut values = room(n)?;
    values.resize(n, value);
    Ok(values)
}

/// A vector with room for `n` values, or a fault if there is no memory for them.
pub(super) fn room<T>(n: usize) -> Done<Vec<T>> {
    let mut values = Vec::new();
    values.try_reserve_exact(n).map_err(|_| Fault::OutOfMemory { bytes: n.saturating_mul(size_of::<T>()) })?;
    Ok(values)
}

/// The values of an iterator that knows its length.
pub(super) fn collected<T>(values: impl Iterator<Item = T>) -> Done<Vec<T>> {
    let (least, most) = values.size_hint();
    let mut out = room(most.unwrap_or(least))?;
    out.extend(values);
    Ok(out)
}

pub(super) fn read<C: Compute>(span: &Span) -> Done<Dense<C>> {
    let len = span.numel();
    if len == 0 {
        return Ok(Dense { ptr: std::ptr::NonNull::dangling().as_ptr(), len, _copy: Vec::new() });
    }
    if span.dtype == C::DTYPE && span.is_contiguous() {
        return Ok(Dense { ptr: span.ptr(), len, _copy: Vec::new() });
    }
    let mut copy = scratch::<C>(len)?;
    let size = span.dtype.size();
    let mut at = 0;
    Loops::new(&span.shape, [&span.strides]).all_runs(|[offset], n, [stride]| {
        // SAFETY: offsets of a checked span.
        unsafe { load(span.dtype, span.ptr_bytes().add(offset * size), stride, &mut copy[at..at + n]) };
        at += n;
    });
    Ok(Dense { ptr: copy.as_ptr(), len, _copy: copy })
}

pub(super) fn read_view<C: Compute>(view: &View<'_>) -> Done<Dense<C>> {
    read(&Span::new(view)?)
}

pub(super) fn read_option<C: Compute>(view: &Option<View<'_>>) -> Done<Option<Dense<C>>> {
    view.as_ref().map(read_view).transpose()
}

/// An output as a contiguous slice. Its content is unspecified until it's written.
pub(super) struct Output<C: Compute> {
    span: Span,
    ptr: *mut C,
    len: usize,
    copy: Option<Vec<C>>,
}

impl<C: Compute> Output<C> {
    pub(super) fn new(view: &View<'_>) -> Done<Output<C>> {
        let span = Span::new(view)?;
        let len = span.numel();
        if len == 0 {
            return Ok(Output { span, ptr: std::ptr::NonNull::dangling().as_ptr(), len, copy: None });
        }
        if span.dtype == C::DTYPE && span.is_contiguous() {
            return Ok(Output { ptr: span.ptr(), span, len, copy: None });
        }
        let mut copy = scratch::<C>(len)?;
        Ok(Output { span, ptr: copy.as_mut_ptr(), len, copy: Some(copy) })
    }

    pub(super) fn option(view: &Option<View<'_>>) -> Done<Option<Output<C>>> {
        view.as_ref().map(Output::new).transpose()
    }

    /// Like [`Output::new`], but it begins with the view's values.
    pub(super) fn updated(view: &View<'_>) -> Done<Output<C>> {
        let mut out = Output::new(view)?;
        if out.copy.is_some() {
            let old = read::<C>(&out.span)?;
            out.copy_from_slice(&old);
        }
        Ok(out)
    }

    /// Copies the values to the view, if they aren't there already.
    pub(super) fn finish(self) {
        let Some(values) = self.copy else { return };
        let span = &self.span;
        let size = span.dtype.size();
        let mut at = 0;
        Loops::new(&span.shape, [&span.strides]).all_runs(|[offset], n, [stride]| {
            // SAFETY: offsets of a checked span that no thread uses now.
            unsafe { store(span.dtype, &values[at..at + n], span.ptr_bytes().add(offset * size), stride) };
            at += n;
        });
    }
}

impl<C: Compute> Deref for Output<C> {
    type Target = [C];

    fn deref(&self) -> &[C] {
        // SAFETY: a checked contiguous span, or the copy, whose memory stays where it is.
        unsafe { std::slice::from_raw_parts(self.ptr, self.len) }
    }
}

impl<C: Compute> DerefMut for Output<C> {
    fn deref_mut(&mut self) -> &mut [C] {
        // SAFETY: as above, and outputs alias no input and no other output.
        unsafe { std::slice::from_raw_parts_mut(self.ptr, self.len) }
    }
}

/// Finishes an optional output, if it's wanted.
pub(super) fn finish_option<C: Compute>(output: Option<Output<C>>) {
    if let Some(output) = output {
        output.finish();
    }
}
