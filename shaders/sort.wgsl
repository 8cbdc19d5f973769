// A stable sort of rows: ranks inside blocks, then passes that merge neighboring runs, in which every element finds its
// place in the other run by bisection. Only positions are moved; the keys stay in place.

fn less_f(a: f32, b: f32) -> bool {
    if (is_nan(a)) {
        return false;
    }
    return is_nan(b) || a < b;
}

fn less_i(a: i32, b: i32) -> bool {
    return a < b;
}

fn less_l(a: vec2<u32>, b: vec2<u32>) -> bool {
    return l_lt(a, b);
}

fn up(a: $T, b: $T) -> bool {
    return less_$C(a, b);
}

fn down(a: $T, b: $T) -> bool {
    return less_$C(b, a);
}

@compute @workgroup_size($WG)
fn main_blocks(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let i = thread_of(group, groups, lane, u32($WG));
    if (i >= p_n()) {
        return;
    }
    let count = p_count();
    let r = i / count;
    let p = i % count;
    let row = x_outer(r);
    let start = p / p_width() * p_width();
    let end = min(start + p_width(), count);
    let key = x_load(row + x_inner(p));
    var rank = 0u;
    for (var q = start; q < end; q = q + 1u) {
        let other = x_load(row + x_inner(q));
        if ($BEFORE(other, key) || (q < p && !$BEFORE(key, other))) {
            rank = rank + 1u;
        }
    }
    to_store(r * count + start + rank, i32(p));
}

@compute @workgroup_size($WG)
fn main_merge(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let i = thread_of(group, groups, lane, u32($WG));
    if (i >= p_n()) {
        return;
    }
    let count = p_count();
    let r = i / count;
    let p = i % count;
    let row = x_outer(r);
    let base = r * count;
    let start = p / (2u * p_width()) * (2u * p_width());
    let middle = min(start + p_width(), count);
    let end = min(start + 2u * p_width(), count);
    let mine = from_load(i);
    let key = x_load(row + x_inner(u32(mine)));
    let left = p < middle;
    var low = select(start, middle, left);
    var high = select(middle, end, left);
    let first = low;
    while (low < high) {
        let probe = (low + high) / 2u;
        let other = x_load(row + x_inner(u32(from_load(base + probe))));
        // Of equals, the left run comes first.
        if ((left && $BEFORE(other, key)) || (!left && !$BEFORE(key, other))) {
            low = probe + 1u;
        } else {
            high = probe;
        }
    }
    let own = select(p - middle, p - start, left);
    to_store(base + start + own + (low - first), mine);
}

@compute @workgroup_size($WG)
fn main_write(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let i = thread_of(group, groups, lane, u32($WG));
    if (i >= p_n()) {
        return;
    }
    let count = p_count();
    let r = i / count;
    let p = i % count;
    let position = u32(from_load(i));
    values_store(values_outer(r) + values_inner(p), x_load(x_outer(r) + x_inner(position)));
    indices_store(indices_outer(r) + indices_inner(p), l_from_u(position));
}

fn reached_f(a: f32, b: f32) -> bool {
    return !is_nan(a) && !is_nan(b) && a >= b;
}

fn reached_i(a: i32, b: i32) -> bool {
    return a >= b;
}

fn reached_l(a: vec2<u32>, b: vec2<u32>) -> bool {
    return !l_lt(a, b);
}

fn past_f(a: f32, b: f32) -> bool {
    return !is_nan(a) && !is_nan(b) && a > b;
}

fn past_i(a: i32, b: i32) -> bool {
    return a > b;
}

fn past_l(a: vec2<u32>, b: vec2<u32>) -> bool {
    return l_lt(b, a);
}

fn place_itself(row: u32, p: u32) -> u32 {
    return p;
}

fn place_in_order(row: u32, p: u32) -> u32 {
    return order_load(row + p).x;
}

// Where each value would be inserted into its sorted row.
@compute @workgroup_size($WG)
fn main_search(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let i = thread_of(group, groups, lane, u32($WG));
    if (i >= p_n()) {
        return;
    }
    let row = i / p_columns() * p_row();
    let value = values_load(values_at(i));
    var low = 0u;
    var high = p_count();
    while (low < high) {
        let middle = low + (high - low) / 2u;
        if ($REACHED(x_load(row + $PLACE(row, middle)), value)) {
            high = middle;
        } else {
            low = middle + 1u;
        }
    }
    out_store(out_at(i), l_from_u(low));
}
