//! Sorting, and searching in what's sorted.

use super::super::launch::{Launch, Walk, cpp};
use super::super::source;
use super::{Sink, axis, without};
use crate::executor::kernel::SearchRows;
use crate::executor::{Done, View};

/// How many elements a block sorts in shared memory.
const RUN: usize = 1024;

pub(super) fn sort(
    x: &View<'_>,
    dim: usize,
    descending: bool,
    values: &View<'_>,
    indices: &View<'_>,
    sink: &dyn Sink,
) -> Done {
    let total = x.numel();
    if total == 0 {
        return Ok(());
    }
    let (length, step) = axis(x, dim);
    let shape = without(&x.shape, dim);
    let strides = [x, values, indices].map(|v| without(&v.strides, dim));
    let lines = Walk::of(&shape, &[&strides[0], &strides[1], &strides[2]]);
    let from = Walk::of(&shape, &[&strides[0]]);
    lines.check()?;
    // Keys and positions, and a second set of both for merging.
    let memory = sink.scratch(total * 16)?;
    let other = if length > RUN { Some(sink.scratch(total * 16)?) } else { None };
    let mut here = memory.address();
    let mut there = other.as_ref().map_or(0, |o| o.address());
    let places = |base: u64| base + total as u64 * 8;

    let mut l = Launch::new(&source::SORT, "sort_runs");
    l.instance(format_args!("{},{descending},{}", cpp(x.dtype), from.rank()));
    l.view(x).word(here).word(places(here)).int(length).int(step).walk(&from);
    l.blocks((lines.count * length.div_ceil(RUN)) as u64);
    sink.dispatch(l)?;
    let mut width = RUN;
    while width < length {
        let mut l = Launch::new(&source::SORT, "sort_merge");
        l.instance(format_args!("0"));
        l.word(here).word(places(here)).word(there).word(places(there)).int(length).int(width).int(total);
        l.threads(total);
        sink.dispatch(l)?;
        std::mem::swap(&mut here, &mut there);
        width *= 2;
    }
    let mut l = Launch::new(&source::SORT, "sort_take");
    l.instance(format_args!("{},{},{}", cpp(x.dtype), cpp(values.dtype), lines.rank()));
    l.view(x).word(places(here)).view(values).view(indices).int(length).int(step);
    l.int(axis(values, dim).1).int(axis(indices, dim).1).walk(&lines).threads(total);
    sink.dispatch(l)
}

pub(super) fn search(
    sorted: &View<'_>,
    values: &View<'_>,
    order: Option<&View<'_>>,
    right: bool,
    out: &View<'_>,
    sink: &dyn Sink,
) -> Done {
    if out.numel() == 0 {
        return Ok(());
    }
    let SearchRows { length, step, columns } = SearchRows::of(sorted, values)?;
    let walk = Walk::of(&out.shape, &[&values.strides, &out.strides]);
    walk.check()?;
    let mut l = Launch::new(&source::SORT, "search");
    l.instance(format_args!("{},{},{right},{}", cpp(values.dtype), cpp(out.dtype), walk.rank()));
    l.view(sorted).view(values).option(order).view(out).int(length).int(step);
    l.int(columns).walk(&walk).threads(walk.count);
    sink.dispatch(l)
}
