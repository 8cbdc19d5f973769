// Reading by index: gather, index_select, advanced indexing; and triangle.

fn zero_f() -> f32 {
    return 0.0;
}

fn zero_i() -> i32 {
    return 0;
}

fn zero_l() -> vec2<u32> {
    return vec2<u32>(0u, 0u);
}

fn zero_d() -> vec2<u32> {
    return vec2<u32>(0u, 0u);
}

// out = x at the position that `index` names along one dimension.
@compute @workgroup_size($WG)
fn main_gather(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let i = thread_of(group, groups, lane, u32($WG));
    if (i >= p_n()) {
        return;
    }
    let index = index_load(index_at(i));
    if (index.y != 0u || index.x >= p_size()) {
        report(1u, index, p_dim(), p_size());
        out_store(out_at(i), zero_$C());
        return;
    }
    out_store(out_at(i), x_load(x_at(i) + index.x * p_stride()));
}

// Advanced indexing with one index tensor per dispatch: `place` accumulates index * stride. An index out of bounds sets
// it to 0xffffffff, and it stays so.
@compute @workgroup_size($WG)
fn main_place(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let i = thread_of(group, groups, lane, u32($WG));
    if (i >= p_n()) {
        return;
    }
    var place = 0u;
    if ($LATER) {
        place = bitcast<u32>(place_load(i));
        if (place == 0xffffffffu) {
            return;
        }
    }
    let index = index_load(index_at(i));
    var at = index;
    if (l_is_negative(index)) {
        at = l_add(index, vec2<u32>(p_size(), 0u));
    }
    if (at.y != 0u || at.x >= p_size()) {
        report(1u, index, p_dim(), p_size());
        place_store(i, -1);
        return;
    }
    place_store(i, bitcast<i32>(place + at.x * p_stride()));
}

@compute @workgroup_size($WG)
fn main_pick(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let i = thread_of(group, groups, lane, u32($WG));
    if (i >= p_n()) {
        return;
    }
    let place = bitcast<u32>(place_load(place_at(i)));
    if (place == 0xffffffffu) {
        out_store(out_at(i), zero_$C());
        return;
    }
    out_store(out_at(i), x_load(x_at(i) + place));
}

// Keeps one triangle of the last two dimensions.
@compute @workgroup_size($WG)
fn main_triangle(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let i = thread_of(group, groups, lane, u32($WG));
    if (i >= p_n()) {
        return;
    }
    let column = i32(i % p_columns());
    let row = i32((i / p_columns()) % p_rows());
    let ahead = column - row - p_diagonal();
    if ($KEEP) {
        out_store(out_at(i), x_load(x_at(i)));
    } else {
        out_store(out_at(i), zero_$C());
    }
}
