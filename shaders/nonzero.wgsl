// Indices of the nonzero elements, in row-major order, in three launches. `x` is read as bool, so an element is 0 or 1. A thread
// handles one block of elements:
//   main_count    how many of a block's elements are nonzero
//   main_offsets  replaces each count by the sum of those before it: the first row of the block's indices
//   main_write    writes the indices

@compute @workgroup_size($WG)
fn main_count(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let i = thread_of(group, groups, lane, u32($WG));
    if (i >= p_n()) {
        return;
    }
    let end = min((i + 1u) * p_block(), p_length());
    var count = 0;
    for (var j = i * p_block(); j < end; j = j + 1u) {
        count = count + x_load(x_at(j));
    }
    counts_store(i, count);
}

@compute @workgroup_size($WG)
fn main_offsets() {
    var offset = 0;
    for (var j = 0u; j < p_n(); j = j + 1u) {
        let count = counts_load(j);
        counts_store(j, offset);
        offset = offset + count;
    }
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
    let end = min((i + 1u) * p_block(), p_length());
    var row = u32(counts_load(i));
    for (var j = i * p_block(); j < end; j = j + 1u) {
        if (x_load(x_at(j)) != 0 && row < p_rows()) {
            var rest = j;
            for (var d = p_rank(); d > 0u; d = d - 1u) {
                let size = p_shape(d - 1u);
                out_store(row * p_row_stride() + (d - 1u) * p_column_stride(), l_from_u(rest % size));
                rest = rest / size;
            }
            row = row + 1u;
        }
    }
}
