// Layer and batch normalization. Each row (or channel) has its own workgroup. The mean is computed first, then the
// squared differences from it, so that no large squares cancel.

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

fn drop_result(i: u32, value: f32) {
}

@compute @workgroup_size($WG)
fn main_layer(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let i = group_of(group, groups);
    if (i >= p_n()) {
        return;
    }
    let count = p_count();
    let row = i * count;
    var sum = 0.0;
    for (var j = lane; j < count; j = j + u32($WG)) {
        sum = sum + x_load(row + j);
    }
    let mean = sum_of(sum, lane) / f32(count);
    var squares = 0.0;
    for (var j = lane; j < count; j = j + u32($WG)) {
        let d = x_load(row + j) - mean;
        squares = squares + d * d;
    }
    let rstd = 1.0 / sqrt(sum_of(squares, lane) / f32(count) + p_eps());
    for (var j = lane; j < count; j = j + u32($WG)) {
        out_store(row + j, (x_load(row + j) - mean) * rstd * weight_load(j) + bias_load(j));
    }
    if (lane == 0u) {
        mean_store(i, mean);
        rstd_store(i, rstd);
    }
}

@compute @workgroup_size($WG)
fn main_layer_backward(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let i = group_of(group, groups);
    if (i >= p_n()) {
        return;
    }
    let count = p_count();
    let row = i * count;
    let mean = mean_load(i);
    let rstd = rstd_load(i);
    var sum = 0.0;
    var along = 0.0;
    for (var j = lane; j < count; j = j + u32($WG)) {
        let h = grad_load(row + j) * weight_load(j);
        sum = sum + h;
        along = along + h * (x_load(row + j) - mean) * rstd;
    }
    let a = sum_of(sum, lane) / f32(count);
    let b = sum_of(along, lane) / f32(count);
    for (var j = lane; j < count; j = j + u32($WG)) {
        let h = grad_load(row + j) * weight_load(j);
        dx_store(row + j, (h - a - (x_load(row + j) - mean) * rstd * b) * rstd);
    }
}

// One workgroup for each column: the gradients of weight and bias.
@compute @workgroup_size($WG)
fn main_layer_weights(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let i = group_of(group, groups);
    if (i >= p_n()) {
        return;
    }
    let count = p_count();
    var sum = 0.0;
    var along = 0.0;
    for (var r = lane; r < p_rows(); r = r + u32($WG)) {
        let g = grad_load(r * count + i);
        sum = sum + g;
        along = along + g * (x_load(r * count + i) - mean_load(r)) * rstd_load(r);
    }
    let dbias = sum_of(sum, lane);
    let dweight = sum_of(along, lane);
    if (lane == 0u) {
        $KEEP_WEIGHT(i, dweight);
        $KEEP_BIAS(i, dbias);
    }
}

@compute @workgroup_size($WG)
fn main_stats(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let i = group_of(group, groups);
    if (i >= p_n()) {
        return;
    }
    let count = p_count();
    let row = x_outer(i);
    var sum = 0.0;
    for (var j = lane; j < count; j = j + u32($WG)) {
        sum = sum + x_load(row + x_inner(j));
    }
    let mean = sum_of(sum, lane) / f32(count);
    var squares = 0.0;
    for (var j = lane; j < count; j = j + u32($WG)) {
        let d = x_load(row + x_inner(j)) - mean;
        squares = squares + d * d;
    }
    let var_ = sum_of(squares, lane) / f32(count);
    if (lane == 0u) {
        mean_store(mean_outer(i), mean);
        var_store(var_outer(i), var_);
    }
}

@compute @workgroup_size($WG)
fn main_batch(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let i = thread_of(group, groups, lane, u32($WG));
    if (i >= p_n()) {
        return;
    }
    let rstd = 1.0 / sqrt(var_load(var_at(i)) + p_eps());
    let x = (x_load(x_at(i)) - mean_load(mean_at(i))) * rstd;
    out_store(out_at(i), x * weight_load(weight_at(i)) + bias_load(bias_at(i)));
}

// Sums of the gradient and of its product with the normalized input, with one workgroup for each channel.
@compute @workgroup_size($WG)
fn main_batch_sums(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let i = group_of(group, groups);
    if (i >= p_n()) {
        return;
    }
    let count = p_count();
    let mean = mean_load(mean_outer(i));
    let rstd = 1.0 / sqrt(var_load(var_outer(i)) + p_eps());
    let start = grad_outer(i);
    let row = x_outer(i);
    var sum = 0.0;
    var along = 0.0;
    for (var j = lane; j < count; j = j + u32($WG)) {
        let g = grad_load(start + grad_inner(j));
        sum = sum + g;
        along = along + g * (x_load(row + x_inner(j)) - mean) * rstd;
    }
    let total = sum_of(sum, lane);
    let product = sum_of(along, lane);
    if (lane == 0u) {
        sums_store(2u * i, total);
        sums_store(2u * i + 1u, product);
        $KEEP_WEIGHT(dweight_outer(i), product);
        $KEEP_BIAS(dbias_outer(i), total);
    }
}

@compute @workgroup_size($WG)
fn main_batch_backward(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let i = thread_of(group, groups, lane, u32($WG));
    if (i >= p_n()) {
        return;
    }
    let rstd = 1.0 / sqrt(var_load(var_at(i)) + p_eps());
    let scale = weight_load(weight_at(i)) * rstd;
    var g = grad_load(grad_at(i));
    if ($TRAINING) {
        let x = (x_load(x_at(i)) - mean_load(mean_at(i))) * rstd;
        let c = sums_at(i);
        g = g - (sums_load(c) + x * sums_load(c + 1u)) / p_length();
    }
    dx_store(dx_at(i), g * scale);
}
