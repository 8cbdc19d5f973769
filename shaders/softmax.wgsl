// Softmax, its logarithm and their gradients over the space `inner`, for every row of the space `outer`. In
// `main_serial` and `main_backward_serial`, one invocation handles a row; in `main_tree` and `main_backward_tree`, one
// workgroup.

fn share(x: f32, most: f32, sum: f32) -> f32 {
    return exp_f(x - most) / sum;
}

fn log_share(x: f32, most: f32, sum: f32) -> f32 {
    return (x - most) - log_f(sum);
}

@compute @workgroup_size($WG)
fn main_serial(
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
    let count = p_count();
    var most = -inf_value();
    for (var j = 0u; j < count; j = j + 1u) {
        most = max_f(most, x_load(row + x_inner(j)));
    }
    var sum = 0.0;
    for (var j = 0u; j < count; j = j + 1u) {
        sum = sum + exp_f(x_load(row + x_inner(j)) - most);
    }
    for (var j = 0u; j < count; j = j + 1u) {
        out_store(to + out_inner(j), $SHARE(x_load(row + x_inner(j)), most, sum));
    }
}

var<workgroup> partial: array<f32, $WG>;

// The sum over a workgroup, for every invocation of it.
fn sum_of(value: f32, lane: u32) -> f32 {
    workgroupBarrier();
    partial[lane] = value;
    workgroupBarrier();
    for (var half = u32($WG) / 2u; half > 0u; half = half / 2u) {
        if (lane < half) {
            partial[lane] = partial[lane] + partial[lane + half];
        }
        workgroupBarrier();
    }
    return partial[0];
}

// The greatest value of a workgroup, for every invocation of it.
fn most_of(value: f32, lane: u32) -> f32 {
    workgroupBarrier();
    partial[lane] = value;
    workgroupBarrier();
    for (var half = u32($WG) / 2u; half > 0u; half = half / 2u) {
        if (lane < half) {
            partial[lane] = max_f(partial[lane], partial[lane + half]);
        }
        workgroupBarrier();
    }
    return partial[0];
}

@compute @workgroup_size($WG)
fn main_tree(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let i = group_of(group, groups);
    if (i >= p_n()) {
        return;
    }
    let row = x_outer(i);
    let to = out_outer(i);
    let count = p_count();
    var most = -inf_value();
    for (var j = lane; j < count; j = j + u32($WG)) {
        most = max_f(most, x_load(row + x_inner(j)));
    }
    let top = most_of(most, lane);
    var sum = 0.0;
    for (var j = lane; j < count; j = j + u32($WG)) {
        sum = sum + exp_f(x_load(row + x_inner(j)) - top);
    }
    let total = sum_of(sum, lane);
    for (var j = lane; j < count; j = j + u32($WG)) {
        out_store(to + out_inner(j), $SHARE(x_load(row + x_inner(j)), top, total));
    }
}

fn weigh(g: f32, y: f32) -> f32 {
    return g * y;
}

fn weigh_log(g: f32, y: f32) -> f32 {
    return g;
}

fn slope(g: f32, y: f32, sum: f32) -> f32 {
    return (g - sum) * y;
}

fn slope_log(g: f32, y: f32, sum: f32) -> f32 {
    return g - exp_f(y) * sum;
}

@compute @workgroup_size($WG)
fn main_backward_serial(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let i = thread_of(group, groups, lane, u32($WG));
    if (i >= p_n()) {
        return;
    }
    let start = grad_outer(i);
    let row = y_outer(i);
    let to = out_outer(i);
    let count = p_count();
    var sum = 0.0;
    for (var j = 0u; j < count; j = j + 1u) {
        sum = sum + $WEIGH(grad_load(start + grad_inner(j)), y_load(row + y_inner(j)));
    }
    for (var j = 0u; j < count; j = j + 1u) {
        out_store(to + out_inner(j), $SLOPE(grad_load(start + grad_inner(j)), y_load(row + y_inner(j)), sum));
    }
}

@compute @workgroup_size($WG)
fn main_backward_tree(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let i = group_of(group, groups);
    if (i >= p_n()) {
        return;
    }
    let start = grad_outer(i);
    let row = y_outer(i);
    let to = out_outer(i);
    let count = p_count();
    var sum = 0.0;
    for (var j = lane; j < count; j = j + u32($WG)) {
        sum = sum + $WEIGH(grad_load(start + grad_inner(j)), y_load(row + y_inner(j)));
    }
    let total = sum_of(sum, lane);
    for (var j = lane; j < count; j = j + u32($WG)) {
        out_store(to + out_inner(j), $SLOPE(grad_load(start + grad_inner(j)), y_load(row + y_inner(j)), total));
    }
}
