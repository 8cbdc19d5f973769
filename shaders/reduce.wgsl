// Reductions over the space `inner` for every element of the space `outer`. An operation has four functions: a start, a
// step that adds one more value, a merge of two partial results, and a finish. In `main_serial`, one invocation
// computes an output; in `main_tree`, one workgroup.

fn zero_f() -> f32 {
    return 0.0;
}

fn zero_i() -> i32 {
    return 0;
}

fn zero_l() -> vec2<u32> {
    return vec2<u32>(0u, 0u);
}

fn one_f() -> f32 {
    return 1.0;
}

fn one_i() -> i32 {
    return 1;
}

fn one_l() -> vec2<u32> {
    return vec2<u32>(1u, 0u);
}

fn least_f() -> f32 {
    return -inf_value();
}

fn least_i() -> i32 {
    return bitcast<i32>(0x80000000u);
}

fn least_l() -> vec2<u32> {
    return vec2<u32>(0u, 0x80000000u);
}

fn greatest_f() -> f32 {
    return inf_value();
}

fn greatest_i() -> i32 {
    return 0x7fffffff;
}

fn greatest_l() -> vec2<u32> {
    return vec2<u32>(0xffffffffu, 0x7fffffffu);
}

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

fn or_i(a: i32, b: i32) -> i32 {
    return a | b;
}

fn and_i(a: i32, b: i32) -> i32 {
    return a & b;
}

fn any_step(a: i32, x: $T) -> i32 {
    return a | bool_from_$C(x);
}

fn all_step(a: i32, x: $T) -> i32 {
    return a & bool_from_$C(x);
}

fn count_step(a: i32, x: $T) -> i32 {
    return a + bool_from_$C(x);
}

fn nansum_step(a: f32, x: f32) -> f32 {
    return select(a + x, a, is_nan(x));
}

fn same_f(a: f32) -> f32 {
    return a;
}

fn same_i(a: i32) -> i32 {
    return a;
}

fn same_l(a: vec2<u32>) -> vec2<u32> {
    return a;
}

fn mean_finish(a: f32) -> f32 {
    return a / p_length();
}

fn norm0_step(a: f32, x: f32) -> f32 {
    return a + f32(bool_from_f(x));
}

fn norm1_step(a: f32, x: f32) -> f32 {
    return a + abs(x);
}

fn norm2_step(a: f32, x: f32) -> f32 {
    return a + x * x;
}

fn norm2_finish(a: f32) -> f32 {
    return sqrt(a);
}

fn norm_max_step(a: f32, x: f32) -> f32 {
    return max_f(a, abs(x));
}

fn norm_min_step(a: f32, x: f32) -> f32 {
    return min_f(a, abs(x));
}

fn norm_p_step(a: f32, x: f32) -> f32 {
    return a + pow_f(abs(x), p_power());
}

fn norm_p_finish(a: f32) -> f32 {
    return pow_f(a, 1.0 / p_power());
}

// Count, mean and sum of squared differences (B. Welford; merged as by T. Chan and others).
fn var_start() -> vec3<f32> {
    return vec3<f32>(0.0, 0.0, 0.0);
}

fn var_step(a: vec3<f32>, x: f32) -> vec3<f32> {
    let n = a.x + 1.0;
    let d = x - a.y;
    let mean = a.y + d / n;
    return vec3<f32>(n, mean, a.z + d * (x - mean));
}

fn var_merge(a: vec3<f32>, b: vec3<f32>) -> vec3<f32> {
    let n = a.x + b.x;
    if (n == 0.0) {
        return a;
    }
    let d = b.y - a.y;
    return vec3<f32>(n, a.y + d * (b.x / n), a.z + b.z + d * d * (a.x * (b.x / n)));
}

fn var_finish(a: vec3<f32>) -> f32 {
    let n = p_length() - p_correction();
    // With too few elements, the result is NaN if they're equal, otherwise infinity. WGSL doesn't define a division by
    // zero.
    if (n <= 0.0) {
        return select(nan_value(), inf_value(), a.z > 0.0);
    }
    return a.z / n;
}

// Largest value and the sum of exponentials relative to it.
fn logsumexp_start() -> vec2<f32> {
    return vec2<f32>(-inf_value(), 0.0);
}

fn logsumexp_step(a: vec2<f32>, x: f32) -> vec2<f32> {
    return logsumexp_merge(a, vec2<f32>(x, 1.0));
}

fn logsumexp_merge(a: vec2<f32>, b: vec2<f32>) -> vec2<f32> {
    if (is_nan(a.x) || is_nan(b.x)) {
        return vec2<f32>(nan_value(), 1.0);
    }
    if (a.x == b.x) {
        return vec2<f32>(a.x, a.y + b.y);
    }
    if (a.x > b.x) {
        return vec2<f32>(a.x, a.y + b.y * exp_f(b.x - a.x));
    }
    return vec2<f32>(b.x, b.y + a.y * exp_f(a.x - b.x));
}

fn logsumexp_finish(a: vec2<f32>) -> f32 {
    if (is_inf(a.x)) {
        return a.x;
    }
    return a.x + log_f(a.y);
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
    let count = p_count();
    var acc = $START();
    for (var j = 0u; j < count; j = j + 1u) {
        acc = $STEP(acc, x_load(row + x_inner(j)));
    }
    out_store(out_outer(i), $FINISH(acc));
}

var<workgroup> partial: array<$ACC, $WG>;

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
    let count = p_count();
    var acc = $START();
    for (var j = lane; j < count; j = j + u32($WG)) {
        acc = $STEP(acc, x_load(row + x_inner(j)));
    }
    partial[lane] = acc;
    workgroupBarrier();
    for (var half = u32($WG) / 2u; half > 0u; half = half / 2u) {
        if (lane < half) {
            partial[lane] = $MERGE(partial[lane], partial[lane + half]);
        }
        workgroupBarrier();
    }
    if (lane == 0u) {
        out_store(out_outer(i), $FINISH(partial[0]));
    }
}

// The extreme and its position: the first of equal ones; NaN wins over everything.
struct Best {
    value: $T,
    at: u32,
}

fn beats_f(x: f32, y: f32) -> bool {
    if (is_nan(y)) {
        return false;
    }
    if (is_nan(x)) {
        return true;
    }
    return $COMPARE;
}

fn beats_i(x: i32, y: i32) -> bool {
    return $COMPARE;
}

fn beats_l(x: vec2<u32>, y: vec2<u32>) -> bool {
    return $COMPARE;
}

fn better(a: Best, b: Best) -> Best {
    if (b.at == 0xffffffffu) {
        return a;
    }
    if (a.at == 0xffffffffu || beats_$C(b.value, a.value)) {
        return b;
    }
    if (b.at < a.at && !beats_$C(a.value, b.value)) {
        return b;
    }
    return a;
}

@compute @workgroup_size($WG)
fn main_arg_serial(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let i = thread_of(group, groups, lane, u32($WG));
    if (i >= p_n()) {
        return;
    }
    let row = x_outer(i);
    let count = p_count();
    var best = Best(x_load(row), 0u);
    for (var j = 1u; j < count; j = j + 1u) {
        let value = x_load(row + x_inner(j));
        if (beats_$C(value, best.value)) {
            best = Best(value, j);
        }
    }
    $KEEP(values_outer(i), best.value);
    indices_store(indices_outer(i), l_from_u(best.at));
}

var<workgroup> best_of: array<Best, $WG>;

@compute @workgroup_size($WG)
fn main_arg_tree(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let i = group_of(group, groups);
    if (i >= p_n()) {
        return;
    }
    let row = x_outer(i);
    let count = p_count();
    var best = Best(x_load(row), 0xffffffffu);
    for (var j = lane; j < count; j = j + u32($WG)) {
        best = better(best, Best(x_load(row + x_inner(j)), j));
    }
    best_of[lane] = best;
    workgroupBarrier();
    for (var half = u32($WG) / 2u; half > 0u; half = half / 2u) {
        if (lane < half) {
            best_of[lane] = better(best_of[lane], best_of[lane + half]);
        }
        workgroupBarrier();
    }
    if (lane == 0u) {
        $KEEP(values_outer(i), best_of[0].value);
        indices_store(indices_outer(i), l_from_u(best_of[0].at));
    }
}

fn drop_value(i: u32, value: $T) {
}
