//! Stable sorting along a dimension, picking by rank, and searching in what's sorted.

use super::dense::{self, Output};
use super::element::{Compute, with_compute};
use super::picking::{self, Entry};
use super::simd::{GRAIN, Shared, try_parallel};
use super::span::place;
use crate::executor::kernel::SearchRows;
use crate::executor::{Done, Fault, Pick, View};

/// A value as an integer with the order of sorting: NaN is the greatest, and the two zeros are equal.
trait Key: Compute {
    fn key(self) -> u64;
}

impl Key for f64 {
    fn key(self) -> u64 {
        if self.is_nan() {
            return u64::MAX;
        }
        let bits = (self + 0.0).to_bits();
        if bits >> 63 == 1 { !bits } else { bits | 1 << 63 }
    }
}

impl Key for f32 {
    fn key(self) -> u64 {
        f64::key(self as f64)
    }
}

impl Key for i64 {
    fn key(self) -> u64 {
        self as u64 ^ 1 << 63
    }
}

pub(super) fn sort(x: &View<'_>, dim: usize, descending: bool, values: &View<'_>, indices: &View<'_>) -> Done {
    with_compute!(x.dtype, C => sort_as::<C>(x, dim, descending, values, indices))
}

fn sort_as<C: Key>(x: &View<'_>, dim: usize, descending: bool, values: &View<'_>, indices: &View<'_>) -> Done {
    // Positions are distinct, so comparing them last makes this unstable sort stable.
    arranged::<C>(x, dim, descending, values, indices, |line| {
        line.sort_unstable();
        0
    })
}

pub(super) fn pick(x: &View<'_>, dim: usize, pick: Pick, values: &View<'_>, indices: &View<'_>) -> Done {
    with_compute!(x.dtype, C => pick_as::<C>(x, dim, pick, values, indices))
}

fn pick_as<C: Key>(x: &View<'_>, dim: usize, pick: Pick, values: &View<'_>, indices: &View<'_>) -> Done {
    let descending = matches!(pick, Pick::Top { largest: true, .. });
    arranged::<C>(x, dim, descending, values, indices, |line| match pick {
        Pick::Top { k, sorted, .. } => {
            picking::first(line, k, sorted);
            0
        }
        Pick::Kth(k) => {
            picking::kth(line, k);
            k
        }
        Pick::Rank(k) => {
            line.select_nth_unstable(k);
            k
        }
    })
}

/// Arranges each line along `dim`, and writes as many of its elements as there is room for, from the position that `arrange`
/// returns on.
fn arranged<C: Key>(
    x: &View<'_>,
    dim: usize,
    descending: bool,
    values: &View<'_>,
    indices: &View<'_>,
    arrange: impl Fn(&mut [Entry]) -> usize + Sync,
) -> Done {
    let (n, inner): (usize, usize) = match x.shape.get(dim) {
        Some(&n) => (n, x.shape[dim + 1..].iter().product()),
        None => (1, 1),
    };
    let room = values.shape.get(dim).map_or(1, |&room| room);
    if u32::try_from(n).is_err() {
        return Err(Fault::Unsupported("sorting more than 2^32 elements".into()));
    }
    let x = dense::read_view::<C>(x)?;
    let mut values = Output::<C>::new(values)?;
    let mut indices = Output::<i64>::new(indices)?;
    if !x.is_empty() {
        // The threads below write without looking at lengths.
        if [values.len(), indices.len()] != [x.len() / n * room; 2] {
            return Err(Fault::Unsupported("results of another shape than what is sorted".into()));
        }
        let (to, positions) = (Shared::new(&mut values), Shared::new(&mut indices));
        try_parallel(x.len() / n, (GRAIN / 8 / n).max(1), |range| {
            let mut line: Vec<Entry> = dense::room(n)?;
            for i in range {
                let (start, target) = (i / inner * n * inner + i % inner, i / inner * room * inner + i % inner);
                line.clear();
                line.extend((0..n).map(|k| {
                    let key = x[place(start, k, inner)].key();
                    (if descending { !key } else { key }, k as u32)
                }));
                let from = arrange(&mut line);
                for (k, (_, from)) in line[from..].iter().take(room).enumerate() {
                    // SAFETY: elements of this line, which belongs to one thread.
                    unsafe {
                        *to.get().add(place(target, k, inner)) = x[place(start, *from as usize, inner)];
                        *positions.get().add(place(target, k, inner)) = *from as i64;
                    }
                }
            }
            Ok(())
        })?;
    }
    values.finish();
    indices.finish();
    Ok(())
}

pub(super) fn search(
    sorted: &View<'_>,
    values: &View<'_>,
    order: Option<&View<'_>>,
    right: bool,
    out: &View<'_>,
) -> Done {
    with_compute!(values.dtype, C => search_as::<C>(sorted, values, order, right, out))
}

fn search_as<C: Compute>(
    sorted: &View<'_>,
    values: &View<'_>,
    order: Option<&View<'_>>,
    right: bool,
    out: &View<'_>,
) -> Done {
    let SearchRows { length, step, columns } = SearchRows::of(sorted, values)?;
    let sorted = dense::read_view::<C>(sorted)?;
    let values = dense::read_view::<C>(values)?;
    let order = order.map(dense::read_view::<i64>).transpose()?;
    let mut out = Output::<i64>::new(out)?;
    let to = Shared::new(&mut out);
    try_parallel(values.len(), GRAIN / 16, |range| {
        for i in range {
            let row = i / columns * step;
            let (mut low, mut high) = (0, length);
            while low < high {
                let middle = low + (high - low) / 2;
                let at = match &order {
                    None => middle,
                    Some(order) => match usize::try_from(order[row + middle]) {
                        Ok(at) if at < length => at,
                        _ => {
                            let index = order[row + middle];
                            return Err(Fault::IndexOutOfBounds { index, dim: 1, size: length });
                        }
                    },
                };
                let (found, value) = (sorted[row + at], values[i]);
                // An element that can't be compared, NaN, is passed.
                let reached = if right { found > value } else { found >= value };
                if reached {
                    high = middle;
                } else {
                    low = middle + 1;
                }
            }
            // SAFETY: each thread has its own range of the output, which is as large as the values.
            unsafe { *to.get().add(i) = low as i64 };
        }
        Ok(())
    })?;
    out.finish();
    Ok(())
}
