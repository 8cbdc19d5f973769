//! Picks elements of a line by their order, without sorting all of it.
//!
//! Which of several equal elements is picked, and in which order they come, depends on the algorithm alone. PyTorch's CPU uses
//! `std::partial_sort`, `std::nth_element` and `std::sort` of the GNU C++ library for `topk`, and a quickselect of its own for
//! `kthvalue`. These are the same algorithms, step by step, so that the indices are PyTorch's.
//!
//! Source: topk_impl_loop in aten/src/ATen/native/TopKImpl.h and quick_select_template in aten/src/ATen/native/Sorting.cpp in
//! PyTorch 2.15; stl_algo.h and stl_heap.h in libstdc++.

/// An element of a line: its place in the order, and its position in the line. Only the first is compared.
pub(super) type Entry = (u64, u32);

fn less(a: Entry, b: Entry) -> bool {
    a.0 < b.0
}

/// Below this many elements, `std::sort` leaves the rest to an insertion sort.
const FEW: usize = 16;

/// How often a range may be split before a heap takes over.
fn most_splits(length: usize) -> u32 {
    2 * length.checked_ilog2().unwrap_or(0)
}

/// The `k` first entries of a line move to its beginning; in order if `sorted`.
pub(super) fn first(line: &mut [Entry], k: usize, sorted: bool) {
    if k == 0 {
        return;
    }
    if k.saturating_mul(64) <= line.len() {
        select_by_heap(line, k);
        sort_heap(&mut line[..k]);
        return;
    }
    nth(line, k - 1);
    if sorted {
        sort(&mut line[..k - 1]);
    }
}

/// The entry of rank `k` moves to position `k`, those before it to its left and those after it to its right.
fn nth(line: &mut [Entry], k: usize) {
    let (mut low, mut high) = (0, line.len());
    let mut left = most_splits(high);
    while high - low > 3 {
        if left == 0 {
            let range = &mut line[low..high];
            select_by_heap(range, k + 1 - low);
            range.swap(0, k - low);
            return;
        }
        left -= 1;
        let cut = low + split(&mut line[low..high]);
        if cut <= k { low = cut } else { high = cut }
    }
    insert(&mut line[low..high]);
}

fn sort(line: &mut [Entry]) {
    split_until_few(line, most_splits(line.len()));
    let (near, _) = line.split_at_mut(line.len().min(FEW));
    insert(near);
    for at in near.len()..line.len() {
        insert_unguarded(line, at);
    }
}

fn split_until_few(line: &mut [Entry], mut left: u32) {
    let mut end = line.len();
    while end > FEW {
        if left == 0 {
            let range = &mut line[..end];
            select_by_heap(range, end);
            sort_heap(range);
            return;
        }
        left -= 1;
        let cut = split(&mut line[..end]);
        split_until_few(&mut line[cut..end], left);
        end = cut;
    }
}

/// Splits a line at the median of three of its entries. Returns where the right part begins.
fn split(line: &mut [Entry]) -> usize {
    let (a, b, c) = (1, line.len() / 2, line.len() - 1);
    let is_less = |i: usize, j: usize| less(line[i], line[j]);
    let median = match (is_less(a, b), is_less(b, c), is_less(a, c)) {
        (true, true, _) => b,
        (true, false, true) => c,
        (true, false, false) => a,
        (false, _, true) => a,
        (false, true, false) => c,
        (false, false, false) => b,
    };
    line.swap(0, median);
    let pivot = line[0];
    let (mut low, mut high) = (1, line.len());
    loop {
        while less(line[low], pivot) {
            low += 1;
        }
        high -= 1;
        while less(pivot, line[high]) {
            high -= 1;
        }
        if low >= high {
            return low;
        }
        line.swap(low, high);
        low += 1;
    }
}

fn insert(line: &mut [Entry]) {
    for at in 1..line.len() {
        if less(line[at], line[0]) {
            line[..=at].rotate_right(1);
        } else {
            insert_unguarded(line, at);
        }
    }
}

/// Moves an entry left to its place. Some entry before it isn't greater.
fn insert_unguarded(line: &mut [Entry], mut at: usize) {
    let entry = line[at];
    while at > 0 && less(entry, line[at - 1]) {
        line[at] = line[at - 1];
        at -= 1;
    }
    line[at] = entry;
}

/// The `k` first entries of a line become a heap at its beginning, with the last of them on top.
fn select_by_heap(line: &mut [Entry], k: usize) {
    for parent in (0..k / 2).rev() {
        let entry = line[parent];
        sink(&mut line[..k], parent, entry);
    }
    for at in k..line.len() {
        if less(line[at], line[0]) {
            let entry = line[at];
            line[at] = line[0];
            sink(&mut line[..k], 0, entry);
        }
    }
}

fn sort_heap(heap: &mut [Entry]) {
    for last in (1..heap.len()).rev() {
        let entry = heap[last];
        heap[last] = heap[0];
        sink(&mut heap[..last], 0, entry);
    }
}

/// Puts an entry into the hole at `top`: the hole sinks to a leaf, and the entry rises from there.
fn sink(heap: &mut [Entry], top: usize, entry: Entry) {
    let (mut hole, length) = (top, heap.len());
    while 2 * hole + 2 < length {
        let right = 2 * hole + 2;
        let child = if less(heap[right], heap[right - 1]) { right - 1 } else { right };
        heap[hole] = heap[child];
        hole = child;
    }
    if 2 * hole + 2 == length {
        heap[hole] = heap[length - 1];
        hole = length - 1;
    }
    while hole > top && less(heap[(hole - 1) / 2], entry) {
        heap[hole] = heap[(hole - 1) / 2];
        hole = (hole - 1) / 2;
    }
    heap[hole] = entry;
}

/// The entry of rank `k` moves to position `k`, as `kthvalue` finds it.
pub(super) fn kth(line: &mut [Entry], k: usize) {
    let (mut left, mut right) = (0, line.len() - 1);
    while right > left {
        if right == left + 1 {
            if less(line[right], line[left]) {
                line.swap(left, right);
            }
            return;
        }
        line.swap(left + (right - left) / 2, left + 1);
        for (a, b) in [(left + 1, right), (left, right), (left + 1, left)] {
            if less(line[b], line[a]) {
                line.swap(a, b);
            }
        }
        let pivot = line[left];
        let (mut i, mut j) = (left + 1, right);
        loop {
            i += 1;
            while less(line[i], pivot) {
                i += 1;
            }
            j -= 1;
            while less(pivot, line[j]) {
                j -= 1;
            }
            if j < i {
                break;
            }
            line.swap(i, j);
        }
        line.swap(left, j);
        if j >= k {
            // The rank may be that of the very entry; then the loop ends with nothing left on this side.
            right = j.saturating_sub(1);
        }
        if j <= k {
            left = i;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lines of many lengths with few distinct values, and some that make quickselect's ranges shrink slowly.
    fn lines() -> impl Iterator<Item = Vec<Entry>> {
        let mut state = 1u64;
        let mut next = move || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            state >> 33
        };
        let drawn = (1..150).chain([1000]).map(move |n| (0..n).map(|at| (next() % 9, at)).collect());
        let piped = [64u64, 500].into_iter().map(|n| (0..n).map(|at| (at.min(n - at), at as u32)).collect());
        drawn.chain(piped)
    }

    #[test]
    fn ranks_are_those_of_a_sort() {
        for line in lines() {
            let mut sorted: Vec<u64> = line.iter().map(|e| e.0).collect();
            sorted.sort_unstable();
            let keys = |part: &[Entry]| part.iter().map(|e| e.0).collect::<Vec<_>>();
            for k in 0..line.len() {
                let mut found = line.clone();
                nth(&mut found, k);
                assert_eq!(found[k].0, sorted[k]);
                let mut found = line.clone();
                kth(&mut found, k);
                assert_eq!(found[k].0, sorted[k]);
                let mut found = line.clone();
                first(&mut found, k + 1, true);
                assert_eq!(keys(&found[..=k]), sorted[..=k]);
                let mut places: Vec<u32> = found.iter().map(|e| e.1).collect();
                places.sort_unstable();
                assert_eq!(places, (0..line.len() as u32).collect::<Vec<_>>());
            }
        }
    }

    #[test]
    fn a_heap_takes_over_when_splits_run_out() {
        let line: Vec<Entry> = (0..100).map(|at| ((at * 37 % 100) as u64, at)).collect();
        let mut found = line.clone();
        split_until_few(&mut found, 0);
        assert!(found.is_sorted_by_key(|e| e.0));
    }
}
