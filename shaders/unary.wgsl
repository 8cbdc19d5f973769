// out = op(x). The suffix of a function is the class it computes in: f, i or l (see cast.wgsl).

fn copy_any(x: $T) -> $T {
    return x;
}

fn neg_f(x: f32) -> f32 {
    return -x;
}

fn neg_i(x: i32) -> i32 {
    return 0 - x;
}

fn neg_l(x: vec2<u32>) -> vec2<u32> {
    return l_neg(x);
}

fn abs_f(x: f32) -> f32 {
    return bitcast<f32>(bitcast<u32>(x) & 0x7fffffffu);
}

fn abs_i(x: i32) -> i32 {
    return abs(x);
}

fn abs_l(x: vec2<u32>) -> vec2<u32> {
    return l_abs(x);
}

fn sign_f(x: f32) -> f32 {
    if (x > 0.0) {
        return 1.0;
    }
    if (x < 0.0) {
        return -1.0;
    }
    return 0.0;
}

fn sign_i(x: i32) -> i32 {
    return sign(x);
}

fn sign_l(x: vec2<u32>) -> vec2<u32> {
    if (l_is_negative(x)) {
        return vec2<u32>(0xffffffffu, 0xffffffffu);
    }
    return vec2<u32>(select(1u, 0u, l_is_zero(x)), 0u);
}

fn sqrt_f(x: f32) -> f32 {
    if (x < 0.0) {
        return nan_value();
    }
    return sqrt(x);
}

fn rsqrt_f(x: f32) -> f32 {
    if (x < 0.0) {
        return nan_value();
    }
    return 1.0 / sqrt(x);
}

fn reciprocal_f(x: f32) -> f32 {
    return 1.0 / x;
}

fn square_f(x: f32) -> f32 {
    return x * x;
}

fn square_i(x: i32) -> i32 {
    return x * x;
}

fn square_l(x: vec2<u32>) -> vec2<u32> {
    return l_mul(x, x);
}

fn relu_f(x: f32) -> f32 {
    return max_f(x, 0.0);
}

fn relu_i(x: i32) -> i32 {
    return max(x, 0);
}

fn relu_l(x: vec2<u32>) -> vec2<u32> {
    return select(x, vec2<u32>(0u, 0u), l_is_negative(x));
}

fn gelu_f(x: f32) -> f32 {
    return x * 0.5 * (1.0 + erf_f(x * 0.70710678118654752));
}

fn gelu_tanh_f(x: f32) -> f32 {
    let inner = 0.79788456080286536 * (x + 0.044715 * x * x * x);
    return 0.5 * x * (1.0 + tanh_f(inner));
}

fn silu_f(x: f32) -> f32 {
    return x / (1.0 + exp_f(-x));
}

fn mish_f(x: f32) -> f32 {
    return x * tanh_f(log1p_f(exp_f(x)));
}

fn hardswish_f(x: f32) -> f32 {
    return x * min_f(max_f(x + 3.0, 0.0), 6.0) / 6.0;
}

fn hardsigmoid_f(x: f32) -> f32 {
    return min_f(max_f(x + 3.0, 0.0), 6.0) / 6.0;
}

fn softsign_f(x: f32) -> f32 {
    return x / (1.0 + abs(x));
}

fn softplus_f(x: f32) -> f32 {
    let t = x * p_beta();
    if (t > p_threshold()) {
        return x;
    }
    return log1p_f(exp_f(t)) / p_beta();
}

fn elu_f(x: f32) -> f32 {
    if (x > 0.0) {
        return x * p_scale();
    }
    return p_alpha() * p_scale() * expm1_f(x * p_input_scale());
}

fn leaky_relu_f(x: f32) -> f32 {
    return select(x * p_slope(), x, x > 0.0);
}

fn threshold_f(x: f32) -> f32 {
    return select(x, p_value(), x <= p_threshold());
}

fn threshold_i(x: i32) -> i32 {
    return select(x, p_value(), x <= p_threshold());
}

fn threshold_l(x: vec2<u32>) -> vec2<u32> {
    return select(p_value(), x, l_lt(p_threshold(), x));
}

fn clamp_f(x: f32) -> f32 {
    return min_f(max_f(x, p_low()), p_high());
}

fn clamp_i(x: i32) -> i32 {
    return min(max(x, p_low()), p_high());
}

fn clamp_l(x: vec2<u32>) -> vec2<u32> {
    return min_l(max_l(x, p_low()), p_high());
}

fn floor_f(x: f32) -> f32 {
    return floor(x);
}

fn ceil_f(x: f32) -> f32 {
    return ceil(x);
}

fn round_f(x: f32) -> f32 {
    return round(x);
}

fn trunc_f(x: f32) -> f32 {
    return trunc(x);
}

fn frac_f(x: f32) -> f32 {
    return x - trunc(x);
}

fn isnan_f(x: f32) -> i32 {
    return select(0, 1, is_nan(x));
}

fn isinf_f(x: f32) -> i32 {
    return select(0, 1, is_inf(x));
}

fn isfinite_f(x: f32) -> i32 {
    return select(0, 1, is_finite(x));
}

fn never_any(x: $T) -> i32 {
    return 0;
}

fn always_any(x: $T) -> i32 {
    return 1;
}

fn logical_not_f(x: f32) -> i32 {
    return 1 - bool_from_f(x);
}

fn logical_not_i(x: i32) -> i32 {
    return 1 - bool_from_i(x);
}

fn logical_not_l(x: vec2<u32>) -> i32 {
    return 1 - bool_from_l(x);
}

fn bitwise_not_i(x: i32) -> i32 {
    return ~x;
}

fn bitwise_not_l(x: vec2<u32>) -> vec2<u32> {
    return ~x;
}

fn nan_to_num_f(x: f32) -> f32 {
    if (is_nan(x)) {
        return p_nan();
    }
    if (is_inf(x)) {
        return select(p_posinf(), p_neginf(), x < 0.0);
    }
    return x;
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
    out_store(out_at(i), $OP(x_load(x_at(i))));
}
