// out = op(a, b). Comparisons give 0 or 1. In the `_backward` functions, `a` is the incoming gradient and `b` is what
// the forward pass saved: the input; for sigmoid and tanh, the output.

fn add_f(a: f32, b: f32) -> f32 {
    return a + b;
}

fn add_i(a: i32, b: i32) -> i32 {
    return a + b;
}

fn sub_f(a: f32, b: f32) -> f32 {
    return a - b;
}

fn sub_i(a: i32, b: i32) -> i32 {
    return a - b;
}

fn mul_f(a: f32, b: f32) -> f32 {
    return a * b;
}

fn mul_i(a: i32, b: i32) -> i32 {
    return a * b;
}

fn div_f(a: f32, b: f32) -> f32 {
    return a / b;
}

fn floor_divide_f(a: f32, b: f32) -> f32 {
    if (b == 0.0) {
        return a / b;
    }
    let m = fmod_f(a, b);
    var q = (a - m) / b;
    if (m != 0.0 && (b < 0.0) != (m < 0.0)) {
        q = q - 1.0;
    }
    if (q == 0.0) {
        return bitcast<f32>((bitcast<u32>(a) ^ bitcast<u32>(b)) & 0x80000000u);
    }
    let f = floor(q);
    return select(f, f + 1.0, q - f > 0.5);
}

fn floor_divide_i(a: i32, b: i32) -> i32 {
    if (b == 0) {
        return -1;
    }
    let q = a / b;
    return select(q, q - 1, a % b != 0 && (a < 0) != (b < 0));
}

fn floor_divide_l(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
    let q = l_quotient(a, b);
    if (!l_is_zero(b) && l_is_negative(a) != l_is_negative(b) && !l_eq(l_mul(q, b), a)) {
        return l_sub(q, vec2<u32>(1u, 0u));
    }
    return q;
}

fn trunc_divide_f(a: f32, b: f32) -> f32 {
    return trunc(a / b);
}

fn trunc_divide_i(a: i32, b: i32) -> i32 {
    if (b == 0) {
        return -1;
    }
    return a / b;
}

fn trunc_divide_l(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
    return l_quotient(a, b);
}

fn remainder_f(a: f32, b: f32) -> f32 {
    let m = fmod_f(a, b);
    return select(m, m + b, m != 0.0 && (b < 0.0) != (m < 0.0));
}

fn remainder_i(a: i32, b: i32) -> i32 {
    if (b == 0) {
        return a;
    }
    let m = a % b;
    return select(m, m + b, m != 0 && (b < 0) != (m < 0));
}

fn remainder_l(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
    let m = l_rest(a, b);
    if (!l_is_zero(m) && l_is_negative(b) != l_is_negative(m)) {
        return l_add(m, b);
    }
    return m;
}

fn fmod_i(a: i32, b: i32) -> i32 {
    if (b == 0) {
        return a;
    }
    return a % b;
}

fn fmod_l(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
    return l_rest(a, b);
}

fn pow_i(a: i32, b: i32) -> i32 {
    if (b < 0) {
        if (a == 1) {
            return 1;
        }
        if (a == -1) {
            return select(1, -1, (b & 1) == 1);
        }
        return 0;
    }
    var r = 1;
    var base = a;
    for (var n = b; n > 0; n = n >> 1u) {
        if ((n & 1) == 1) {
            r = r * base;
        }
        base = base * base;
    }
    return r;
}

fn pow_l(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
    let one = vec2<u32>(1u, 0u);
    if (l_is_negative(b)) {
        if (l_eq(a, one)) {
            return one;
        }
        if (l_eq(a, l_neg(one))) {
            return select(one, l_neg(one), (b.x & 1u) == 1u);
        }
        return vec2<u32>(0u, 0u);
    }
    var r = one;
    var base = a;
    for (var n = b; !l_is_zero(n); n = u64_shr(n, 1u)) {
        if ((n.x & 1u) == 1u) {
            r = l_mul(r, base);
        }
        base = l_mul(base, base);
    }
    return r;
}

fn fmax_f(a: f32, b: f32) -> f32 {
    if (is_nan(a)) {
        return b;
    }
    if (is_nan(b)) {
        return a;
    }
    return select(b, a, a > b);
}

fn fmin_f(a: f32, b: f32) -> f32 {
    if (is_nan(a)) {
        return b;
    }
    if (is_nan(b)) {
        return a;
    }
    return select(b, a, a < b);
}

fn atan2_f(a: f32, b: f32) -> f32 {
    if (is_nan(a) || is_nan(b)) {
        return nan_value();
    }
    let x = abs(b);
    let y = abs(a);
    var t = 0.0;
    if (is_inf(a) && is_inf(b)) {
        t = 0.785398163397;
    } else if (y > x) {
        t = 1.57079632679 - atan_f(x / y);
    } else if (x > 0.0) {
        t = atan_f(y / x);
    }
    if ((bitcast<u32>(b) >> 31u) == 1u) {
        t = 3.14159265359 - t;
    }
    return bitcast<f32>(bitcast<u32>(t) | (bitcast<u32>(a) & 0x80000000u));
}

fn hypot_f(a: f32, b: f32) -> f32 {
    if (is_inf(a) || is_inf(b)) {
        return inf_value();
    }
    let x = max_f(abs(a), abs(b));
    let y = min_f(abs(a), abs(b));
    if (x == 0.0) {
        return 0.0;
    }
    let q = y / x;
    return x * sqrt(1.0 + q * q);
}

fn axpy_f(a: f32, b: f32) -> f32 {
    return a + p_alpha() * b;
}

fn axpy_i(a: i32, b: i32) -> i32 {
    return a + p_alpha() * b;
}

fn axpy_l(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
    return l_add(a, l_mul(p_alpha(), b));
}

fn eq_f(a: f32, b: f32) -> i32 {
    return select(0, 1, a == b && !is_nan(a) && !is_nan(b));
}

fn eq_i(a: i32, b: i32) -> i32 {
    return select(0, 1, a == b);
}

fn eq_l(a: vec2<u32>, b: vec2<u32>) -> i32 {
    return select(0, 1, l_eq(a, b));
}

fn ne_f(a: f32, b: f32) -> i32 {
    return 1 - eq_f(a, b);
}

fn ne_i(a: i32, b: i32) -> i32 {
    return select(0, 1, a != b);
}

fn ne_l(a: vec2<u32>, b: vec2<u32>) -> i32 {
    return select(1, 0, l_eq(a, b));
}

fn lt_f(a: f32, b: f32) -> i32 {
    return select(0, 1, a < b && !is_nan(a) && !is_nan(b));
}

fn lt_i(a: i32, b: i32) -> i32 {
    return select(0, 1, a < b);
}

fn lt_l(a: vec2<u32>, b: vec2<u32>) -> i32 {
    return select(0, 1, l_lt(a, b));
}

fn le_f(a: f32, b: f32) -> i32 {
    return select(0, 1, a <= b && !is_nan(a) && !is_nan(b));
}

fn le_i(a: i32, b: i32) -> i32 {
    return select(0, 1, a <= b);
}

fn le_l(a: vec2<u32>, b: vec2<u32>) -> i32 {
    return select(1, 0, l_lt(b, a));
}

fn gt_f(a: f32, b: f32) -> i32 {
    return lt_f(b, a);
}

fn gt_i(a: i32, b: i32) -> i32 {
    return select(0, 1, a > b);
}

fn gt_l(a: vec2<u32>, b: vec2<u32>) -> i32 {
    return select(0, 1, l_lt(b, a));
}

fn ge_f(a: f32, b: f32) -> i32 {
    return le_f(b, a);
}

fn ge_i(a: i32, b: i32) -> i32 {
    return select(0, 1, a >= b);
}

fn ge_l(a: vec2<u32>, b: vec2<u32>) -> i32 {
    return select(1, 0, l_lt(a, b));
}

fn logical_and_any(a: $T, b: $T) -> i32 {
    return bool_from_$C(a) & bool_from_$C(b);
}

fn logical_or_any(a: $T, b: $T) -> i32 {
    return bool_from_$C(a) | bool_from_$C(b);
}

fn logical_xor_any(a: $T, b: $T) -> i32 {
    return bool_from_$C(a) ^ bool_from_$C(b);
}

fn bit_and_any(a: $T, b: $T) -> $T {
    return a & b;
}

fn bit_or_any(a: $T, b: $T) -> $T {
    return a | b;
}

fn bit_xor_any(a: $T, b: $T) -> $T {
    return a ^ b;
}

fn shift_left_i(a: i32, b: i32) -> i32 {
    if (b < 0 || b > 31) {
        return 0;
    }
    return a << u32(b);
}

fn shift_left_l(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
    return u64_shl(a, select(64u, b.x, b.y == 0u && b.x < 64u));
}

fn shift_right_i(a: i32, b: i32) -> i32 {
    return a >> select(31u, u32(b), b >= 0 && b < 32);
}

fn shift_right_l(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
    return l_shr(a, select(64u, b.x, b.y == 0u && b.x < 64u));
}

fn squared_difference_f(a: f32, b: f32) -> f32 {
    let d = a - b;
    return d * d;
}

fn abs_difference_f(a: f32, b: f32) -> f32 {
    return abs(a - b);
}

fn smooth_l1_f(a: f32, b: f32) -> f32 {
    let z = abs(a - b);
    if (z < p_beta()) {
        return 0.5 * z * z / p_beta();
    }
    return z - 0.5 * p_beta();
}

fn huber_f(a: f32, b: f32) -> f32 {
    let z = abs(a - b);
    if (z <= p_delta()) {
        return 0.5 * z * z;
    }
    return p_delta() * (z - 0.5 * p_delta());
}

fn binary_cross_entropy_f(a: f32, b: f32) -> f32 {
    return (b - 1.0) * max_f(log1p_f(-a), -100.0) - b * max_f(log_f(a), -100.0);
}

fn binary_cross_entropy_with_logits_f(a: f32, b: f32) -> f32 {
    return (1.0 - b) * a - log_sigmoid_f(a);
}

fn sigmoid_backward_f(a: f32, b: f32) -> f32 {
    return a * (1.0 - b) * b;
}

fn tanh_backward_f(a: f32, b: f32) -> f32 {
    return a * (1.0 - b * b);
}

fn threshold_backward_f(a: f32, b: f32) -> f32 {
    return select(a, 0.0, b <= p_threshold());
}

fn gelu_backward_f(a: f32, b: f32) -> f32 {
    let cdf = 0.5 * (1.0 + erf_f(b * 0.70710678118654752));
    let pdf = 0.3989422804014327 * exp_f(-0.5 * b * b);
    return a * (cdf + b * pdf);
}

fn gelu_tanh_backward_f(a: f32, b: f32) -> f32 {
    let beta = 0.79788456080286536;
    let kappa = 0.044715;
    let t = tanh_f(beta * (b + kappa * b * b * b));
    let left = 0.5 * (1.0 + t);
    let right = 0.5 * b * (1.0 - t * t) * beta * (1.0 + 3.0 * kappa * b * b);
    return a * (left + right);
}

fn silu_backward_f(a: f32, b: f32) -> f32 {
    let s = sigmoid_f(b);
    return a * s * (1.0 + b * (1.0 - s));
}

fn mish_backward_f(a: f32, b: f32) -> f32 {
    let s = sigmoid_f(b);
    let t = tanh_f(log1p_f(exp_f(b)));
    return a * (t + b * s * (1.0 - t * t));
}

fn hardswish_backward_f(a: f32, b: f32) -> f32 {
    if (b <= -3.0) {
        return 0.0;
    }
    if (b < 3.0) {
        return a * (b / 3.0 + 0.5);
    }
    return a;
}

fn hardsigmoid_backward_f(a: f32, b: f32) -> f32 {
    return select(0.0, a / 6.0, b > -3.0 && b < 3.0);
}

fn log_sigmoid_backward_f(a: f32, b: f32) -> f32 {
    let z = exp_f(-abs(b));
    let q = z / (1.0 + z);
    return a * select(q, 1.0 - q, b < 0.0);
}

fn softplus_backward_f(a: f32, b: f32) -> f32 {
    let t = b * p_beta();
    if (t > p_threshold()) {
        return a;
    }
    let z = exp_f(t);
    return a * z / (z + 1.0);
}

fn elu_backward_f(a: f32, b: f32) -> f32 {
    if (b <= 0.0) {
        return a * p_input_scale() * p_alpha() * p_scale() * exp_f(b * p_input_scale());
    }
    return a * p_scale();
}

fn leaky_relu_backward_f(a: f32, b: f32) -> f32 {
    return select(a * p_slope(), a, b > 0.0);
}

fn clamp_backward_f(a: f32, b: f32) -> f32 {
    return select(0.0, a, b > p_low() && b < p_high());
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
    out_store(out_at(i), $OP(a_load(a_at(i)), b_load(b_at(i))));
}
