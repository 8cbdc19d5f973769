// out = value, and out[i] = start + i * step.

fn fill_value(i: u32) -> $T {
    return p_value();
}

// The step arrives as three numbers of at most 12 significant bits, and the index is cut in halves of 12 bits, so every
// product is exact.
fn arange_f(i: u32) -> f32 {
    let low = f32(i & 4095u);
    let high = f32(i >> 12u) * 4096.0;
    let small = p_start_low() + (low * p_step2() + high * p_step2()) + low * p_step1();
    return p_start() + (high * p_step0() + (low * p_step0() + (high * p_step1() + small)));
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
