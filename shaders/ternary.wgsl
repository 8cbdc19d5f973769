// out = op(a, b, c). In the `_backward` functions `a` is the incoming gradient, `b` the loss's input, `c` its target.

fn where_any(a: i32, b: $T, c: $T) -> $T {
    if (a != 0) {
        return b;
    }
    return c;
}

fn lerp_f(a: f32, b: f32, c: f32) -> f32 {
    if (abs(c) < 0.5) {
        return a + c * (b - a);
    }
    return b - (b - a) * (1.0 - c);
}

fn addcmul_f(a: f32, b: f32, c: f32) -> f32 {
    return a + p_value() * b * c;
}

fn addcmul_i(a: i32, b: i32, c: i32) -> i32 {
    return a + p_value() * b * c;
}

fn addcmul_l(a: vec2<u32>, b: vec2<u32>, c: vec2<u32>) -> vec2<u32> {
    return l_add(a, l_mul(p_value(), l_mul(b, c)));
}

fn addcdiv_f(a: f32, b: f32, c: f32) -> f32 {
    return a + p_value() * b / c;
}

fn clamp_tensor_any(a: $T, b: $T, c: $T) -> $T {
    return min_$C(max_$C(a, b), c);
}

fn mse_backward_f(a: f32, b: f32, c: f32) -> f32 {
    return 2.0 * p_factor() * (b - c) * a;
}

fn l1_backward_f(a: f32, b: f32, c: f32) -> f32 {
    let d = b - c;
    return select(select(0.0, -1.0, d < 0.0), 1.0, d > 0.0) * p_factor() * a;
}

fn smooth_l1_backward_f(a: f32, b: f32, c: f32) -> f32 {
    let d = b - c;
    if (d <= -p_beta()) {
        return -p_factor() * a;
    }
    if (d >= p_beta()) {
        return p_factor() * a;
    }
    return p_factor() * d * a / p_beta();
}

fn huber_backward_f(a: f32, b: f32, c: f32) -> f32 {
    let d = b - c;
    return p_factor() * a * min_f(max_f(d, -p_delta()), p_delta());
}

fn binary_cross_entropy_backward_f(a: f32, b: f32, c: f32) -> f32 {
    return a * (b - c) / max_f((1.0 - b) * b, 1.0e-12) * p_factor();
}

fn binary_cross_entropy_with_logits_backward_f(a: f32, b: f32, c: f32) -> f32 {
    return (sigmoid_f(b) - c) * a * p_factor();
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
    out_store(out_at(i), $OP(a_load(a_at(i)), b_load(b_at(i)), c_load(c_at(i))));
}
