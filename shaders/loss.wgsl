// Negative log likelihood and its gradient.

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

// The class of row `r`, or -1 if the row doesn't count.
fn class_of(r: u32) -> i32 {
    let t = target_load(target_at(r));
    if (l_eq(t, p_ignore())) {
        return -1;
    }
    if (t.y != 0u || t.x >= p_classes()) {
        report(2u, t, 1u, p_classes());
        return -1;
    }
    return i32(t.x);
}

@compute @workgroup_size($WG)
fn main_each(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let i = thread_of(group, groups, lane, u32($WG));
    if (i >= p_n()) {
        return;
    }
    let c = class_of(i);
    if (c < 0) {
        out_store(out_at(i), 0.0);
        return;
    }
    let k = u32(c);
    out_store(out_at(i), -weight_load(weight_at(k)) * logp_load(logp_at(i) + k * p_class_stride()));
}

fn keep_sum(sum: f32, total: f32) {
    out_store(0u, sum);
}

fn keep_mean(sum: f32, total: f32) {
    out_store(0u, sum / total);
}

fn keep_none(sum: f32, total: f32) {
}

@compute @workgroup_size($WG)
fn main_total(@builtin(local_invocation_index) lane: u32) {
    var sum = 0.0;
    var total = 0.0;
    for (var r = lane; r < p_n(); r = r + u32($WG)) {
        let c = class_of(r);
        if (c >= 0) {
            let k = u32(c);
            let w = weight_load(weight_at(k));
            sum = sum - w * logp_load(logp_at(r) + k * p_class_stride());
            total = total + w;
        }
    }
    let all = sum_of(sum, lane);
    let weights = sum_of(total, lane);
    if (lane == 0u) {
        $KEEP(all, weights);
        total_store(0u, weights);
    }
}

@compute @workgroup_size($WG)
fn main_backward(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let i = thread_of(group, groups, lane, u32($WG));
    if (i >= p_n()) {
        return;
    }
    let r = i / p_classes();
    let k = i % p_classes();
    let t = target_load(target_at(r));
    var value = 0.0;
    if (t.y == 0u && t.x == k && !l_eq(t, p_ignore())) {
        value = -weight_load(weight_at(k)) * grad_load(grad_at(r));
        if ($MEAN) {
            value = value / total_load(0u);
        }
    }
    out_store(out_at(i), value);
}
