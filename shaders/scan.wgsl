// Running sums, products and extremes along one dimension, with one invocation for each row.

fn add_f(a: f32, b: f32) -> f32 {
    return a + b;
}

fn add_i(a: i32, b: i32) -> i32 {
    return a + b;
}

fn mul_f(a: f32, b: f32) -> f32 {
    return a * b;
}

fn mul_i(a: i32, b: i32) -> i32 {
    return a * b;
}

@compute @workgroup_size($WG)
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let i = thread_of(group, groups, lane, u32($WG));
    if (i >= p_n()) {
        return;
    }
    let row = x_outer(i);
    let to = out_outer(i);
    var acc = x_load(row);
    out_store(to, acc);
    for (var j = 1u; j < p_count(); j = j + 1u) {
        acc = $STEP(acc, x_load(row + x_inner(j)));
        out_store(to + out_inner(j), acc);
    }
}
