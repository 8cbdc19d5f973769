// out[b] = alpha * a[b] @ c[b] + beta * bias[b], with a [B, M, K], c [B, K, N].

fn at_a(b: u32, m: u32, k: u32) -> u32 {
    return b * p_ab() + m * p_am() + k * p_ak();
}

fn at_c(b: u32, k: u32, n: u32) -> u32 {
    return b * p_cb() + k * p_ck() + n * p_cn();
}

fn at_bias(b: u32, m: u32, n: u32) -> u32 {
    return b * p_bb() + m * p_bm() + n * p_bn();
}

fn at_out(b: u32, m: u32, n: u32) -> u32 {
    return b * p_ob() + m * p_om() + n * p_on();
}

fn multiply_add_f(a: f32, b: f32, sum: f32) -> f32 {
    return fma(a, b, sum);
}

fn multiply_add_i(a: i32, b: i32, sum: i32) -> i32 {
    return a * b + sum;
}

fn multiply_add_l(a: vec2<u32>, b: vec2<u32>, sum: vec2<u32>) -> vec2<u32> {
    return l_add(l_mul(a, b), sum);
}

fn scaled_f(sum: f32, bias: f32) -> f32 {
    return p_alpha() * sum + p_beta() * bias;
}

fn scaled_i(sum: i32, bias: i32) -> i32 {
    return p_alpha() * sum + p_beta() * bias;
}

fn scaled_l(sum: vec2<u32>, bias: vec2<u32>) -> vec2<u32> {
    return l_add(l_mul(p_alpha(), sum), l_mul(p_beta(), bias));
}

fn finish(b: u32, m: u32, n: u32, sum: $T) {
    if (m < p_rows() && n < p_columns()) {
        out_store(at_out(b, m, n), scaled_$C(sum, bias_load(at_bias(b, m, n))));
    }
}

// One output for each invocation.
@compute @workgroup_size($WG)
fn main_single(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let i = thread_of(group, groups, lane, u32($WG));
    if (i >= p_n()) {
        return;
    }
    let n = i % p_columns();
    let m = (i / p_columns()) % p_rows();
    let b = i / (p_columns() * p_rows());
    let depth = p_depth();
    var sum: $T;
    for (var k = 0u; k < depth; k = k + 1u) {
        sum = multiply_add_$C(a_load(at_a(b, m, k)), c_load(at_c(b, k, n)), sum);
    }
    finish(b, m, n, sum);
}

// 4 by 4 outputs for each invocation, in registers, without shared memory: for adapters with slow barriers.
@compute @workgroup_size($WG)
fn main_blocked(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let i = thread_of(group, groups, lane, u32($WG));
    if (i >= p_n()) {
        return;
    }
    let across = (p_columns() + 3u) / 4u;
    let down = (p_rows() + 3u) / 4u;
    let n = (i % across) * 4u;
    let m = ((i / across) % down) * 4u;
    let b = i / (across * down);
    let depth = p_depth();
    // An index outside is clamped to the edge when reading, and its result is never stored.
    let m_end = p_rows() - 1u;
    let n_end = p_columns() - 1u;
    var a0 = at_a(b, m, 0u);
    var a1 = at_a(b, min(m + 1u, m_end), 0u);
    var a2 = at_a(b, min(m + 2u, m_end), 0u);
    var a3 = at_a(b, min(m + 3u, m_end), 0u);
    var c0 = at_c(b, 0u, n);
    var c1 = at_c(b, 0u, min(n + 1u, n_end));
    var c2 = at_c(b, 0u, min(n + 2u, n_end));
    var c3 = at_c(b, 0u, min(n + 3u, n_end));
    let da = p_ak();
    let dc = p_ck();
    var s0 = vec4<f32>();
    var s1 = vec4<f32>();
    var s2 = vec4<f32>();
    var s3 = vec4<f32>();
    for (var k = 0u; k < depth; k = k + 1u) {
        let c = vec4<f32>(c_load(c0), c_load(c1), c_load(c2), c_load(c3));
        s0 = fma(vec4<f32>(a_load(a0)), c, s0);
        s1 = fma(vec4<f32>(a_load(a1)), c, s1);
        s2 = fma(vec4<f32>(a_load(a2)), c, s2);
        s3 = fma(vec4<f32>(a_load(a3)), c, s3);
        a0 = a0 + da;
        a1 = a1 + da;
        a2 = a2 + da;
        a3 = a3 + da;
        c0 = c0 + dc;
        c1 = c1 + dc;
        c2 = c2 + dc;
        c3 = c3 + dc;
    }
    for (var j = 0u; j < 4u; j = j + 1u) {
        finish(b, m, n + j, s0[j]);
        finish(b, m + 1u, n + j, s1[j]);
        finish(b, m + 2u, n + j, s2[j]);
        finish(b, m + 3u, n + j, s3[j]);
    }
}

// 64 by 64 outputs for each workgroup of 256 invocations, each with 4 by 4, and tiles of depth 16 in shared memory.
var<workgroup> tile_a: array<f32, 1024>;

var<workgroup> tile_c: array<f32, 1024>;

@compute @workgroup_size($WG)
fn main_tiled(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let i = group_of(group, groups);
    let across = (p_columns() + 63u) / 64u;
    let down = (p_rows() + 63u) / 64u;
    let n0 = (i % across) * 64u;
    let m0 = ((i / across) % down) * 64u;
    let b = i / (across * down);
    if (b >= p_batch()) {
        return;
    }
    let depth = p_depth();
    let tx = lane % 16u;
    let ty = lane / 16u;
    var s0 = vec4<f32>();
    var s1 = vec4<f32>();
    var s2 = vec4<f32>();
    var s3 = vec4<f32>();
    for (var k0 = 0u; k0 < depth; k0 = k0 + 16u) {
        for (var part = 0u; part < 4u; part = part + 1u) {
            // Rows of `a` are read along k if k is dense, otherwise along m; `c` is read along n.
            let e = part * 256u + lane;
            let am = select(e % 64u, e / 16u, p_ak() == 1u);
            let ak = select(e / 64u, e % 16u, p_ak() == 1u);
            var va = 0.0;
            if (m0 + am < p_rows() && k0 + ak < depth) {
                va = a_load(at_a(b, m0 + am, k0 + ak));
            }
            tile_a[ak * 64u + am] = va;
            let cn = select(e / 16u, e % 64u, p_cn() == 1u);
            let ck = select(e % 16u, e / 64u, p_cn() == 1u);
            var vc = 0.0;
            if (n0 + cn < p_columns() && k0 + ck < depth) {
                vc = c_load(at_c(b, k0 + ck, n0 + cn));
            }
            tile_c[ck * 64u + cn] = vc;
        }
        workgroupBarrier();
        for (var k = 0u; k < 16u; k = k + 1u) {
            let at = k * 64u;
            let c = vec4<f32>(
                tile_c[at + tx * 4u],
                tile_c[at + tx * 4u + 1u],
                tile_c[at + tx * 4u + 2u],
                tile_c[at + tx * 4u + 3u],
            );
            s0 = fma(vec4<f32>(tile_a[at + ty * 4u]), c, s0);
            s1 = fma(vec4<f32>(tile_a[at + ty * 4u + 1u]), c, s1);
            s2 = fma(vec4<f32>(tile_a[at + ty * 4u + 2u]), c, s2);
            s3 = fma(vec4<f32>(tile_a[at + ty * 4u + 3u]), c, s3);
        }
        workgroupBarrier();
    }
    let m = m0 + ty * 4u;
    let n = n0 + tx * 4u;
    for (var j = 0u; j < 4u; j = j + 1u) {
        finish(b, m, n + j, s0[j]);
        finish(b, m + 1u, n + j, s1[j]);
        finish(b, m + 2u, n + j, s2[j]);
        finish(b, m + 3u, n + j, s3[j]);
    }
}
