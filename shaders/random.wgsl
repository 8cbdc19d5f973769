// Draws of PyTorch's CUDA generator: Philox4x32-10, and the assignment of counters to elements (see `rng::philox`).
// Invocation u stands for thread u % T of the launch in its iteration u / T, and computes the elements t + T * c + PER
// * T * i for the components c of its four draws.

fn round_of(c: vec4<u32>, key: vec2<u32>) -> vec4<u32> {
    return vec4<u32>(
        mulhi(0xcd9e8d57u, c.z) ^ c.y ^ key.x,
        0xcd9e8d57u * c.z,
        mulhi(0xd2511f53u, c.x) ^ c.w ^ key.y,
        0xd2511f53u * c.x,
    );
}

fn philox(thread: u32, iteration: u32) -> vec4<u32> {
    let at = l_add(p_counter(), vec2<u32>(iteration, 0u));
    var c = vec4<u32>(at.x, at.y, thread, 0u);
    var key = p_seed();
    for (var i = 0u; i < 10u; i = i + 1u) {
        c = round_of(c, key);
        key = key + vec2<u32>(0x9e3779b9u, 0xbb67ae85u);
    }
    return c;
}

// A number in (0, 1].
fn unit(x: u32) -> f32 {
    return f32(x) * 2.3283064365386963e-10 + 1.1641532182693481e-10;
}

fn uniform_draw(d: vec4<u32>, c: u32) -> f32 {
    let value = unit(d[c]) * (p_to() - p_low()) + p_low();
    if ($ROUND(value) == $ROUND(p_to())) {
        return p_low();
    }
    return value;
}

fn exact(x: f32) -> f32 {
    return x;
}

fn normal(d: vec4<u32>, c: u32) -> f32 {
    let pair = c & 2u;
    let radius = sqrt(-2.0 * log_f(unit(d[pair])));
    let angle = f32(d[pair + 1u]) * 1.4629180792671596e-9 + 7.314590396335798e-10;
    let s = sin_cos(angle);
    return radius * select(s.y, s.x, (c & 1u) == 0u) * p_std() + p_mean();
}

fn bernoulli(d: vec4<u32>, c: u32) -> f32 {
    return select(0.0, 1.0, unit(d[c]) < p_keep());
}

// -log(u) / lambda, which is never 0, as in PyTorch.
fn exponential(d: vec4<u32>, c: u32) -> f32 {
    let u = unit(d[c]);
    if (u >= 1.0 - 5.9604645e-8) {
        return 5.9604645e-8 / p_lambda();
    }
    return -log_f(u) / p_lambda();
}

fn integers(d: vec4<u32>, c: u32) -> vec2<u32> {
    return l_add(vec2<u32>(d[c] % p_range().x, 0u), p_start());
}

// A range of 0 means all 2^64 integers. The first draw is the high word.
fn wide_integers(d: vec4<u32>, c: u32) -> vec2<u32> {
    let wide = vec2<u32>(d[2u * c + 1u], d[2u * c]);
    if (l_is_zero(p_range())) {
        return wide;
    }
    return l_add(u64_divrem(wide, p_range()).zw, p_start());
}

@compute @workgroup_size($WG)
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let u = thread_of(group, groups, lane, u32($WG));
    if (u >= p_n()) {
        return;
    }
    let threads = p_threads();
    let thread = u % threads;
    let iteration = u / threads;
    let d = philox(thread, iteration);
    for (var c = 0u; c < u32($PER); c = c + 1u) {
        let i = thread + threads * (c + u32($PER) * iteration);
        if (i < p_length()) {
            out_store(i, $DRAW(d, c));
        }
    }
}

// A dropout mask of width 4 or 2: each thread handles that many adjacent elements.
@compute @workgroup_size($WG)
fn main_side_by_side(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let u = thread_of(group, groups, lane, u32($WG));
    if (u >= p_n()) {
        return;
    }
    let threads = p_threads();
    let turn = u / threads;
    var iteration = turn;
    var first = 0u;
    if ($PER == 2) {
        iteration = turn / 2u;
        first = 2u * (turn % 2u);
    }
    let d = philox(u % threads, iteration);
    for (var c = 0u; c < u32($PER); c = c + 1u) {
        out_store(u * u32($PER) + c, select(0.0, p_scale(), unit(d[first + c]) < p_keep()));
    }
}

fn dropout(d: vec4<u32>, c: u32) -> f32 {
    return select(0.0, p_scale(), unit(d[c]) < p_keep());
}
