// Two kernels: fill, `out[i] = value`, and arange, `out[i] = start + i * step`.

fn fill_value(i: u32) -> $T {
    return p_value();
}

// Returns `x`. The parameter is always 0, but the compiler doesn't know that, so it can't reorder the sums below, which are
// exact only as they are written.
fn as_written(x: f32) -> f32 {
    return bitcast<f32>(bitcast<u32>(x) ^ p_zero());
}

// A sum (x) and what its rounding lost (y), plus one more term (D. Knuth's two-sum).
fn plus(a: vec2<f32>, term: f32) -> vec2<f32> {
    let sum = as_written(a.x + term);
    let other = as_written(sum - a.x);
    let lost = as_written(a.x - as_written(sum - other)) + as_written(term - other);
    return vec2<f32>(sum, a.y + lost);
}

// start + i * step, as exact as in float64: the step is given as three numbers with at most 12 significant bits each, and the
// index is split into halves of 12 bits, so every product is exact.
fn arange_f(i: u32) -> f32 {
    let low = f32(i & 4095u);
    let high = f32(i >> 12u) * 4096.0;
    var sum = vec2<f32>(p_start(), p_start_low());
    sum = plus(sum, high * p_step0());
    sum = plus(sum, low * p_step0());
    sum = plus(sum, high * p_step1());
    sum = plus(sum, low * p_step1());
    sum = plus(sum, high * p_step2());
    sum = plus(sum, low * p_step2());
    return sum.x + sum.y;
}

fn arange_i(i: u32) -> i32 {
    return p_start() + i32(i) * p_step();
}

fn arange_l(i: u32) -> vec2<u32> {
    return l_add(p_start(), l_mul(l_from_u(i), p_step()));
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
    out_store(out_at(i), $OP(i));
}
