// Conversions between the four classes of value that a kernel computes in:
//   f  float32, float16 and bfloat16, as f32
//   i  bool, uint8, int8, int16 and int32, as i32
//   l  int64, as vec2<u32>(low, high)
//   d  float64, as its two words, because WGSL can't compute with float64; it is only converted
// and the narrowing that each stored dtype needs.

// A variable, because WGSL rejects a constant expression that is NaN or infinite.
fn nan_value() -> f32 {
    var bits = 0x7fc00000u;
    return bitcast<f32>(bits);
}

fn inf_value() -> f32 {
    var bits = 0x7f800000u;
    return bitcast<f32>(bits);
}

// Compares bits, because a shader compiler may assume that no value is NaN.
fn is_nan(x: f32) -> bool {
    return (bitcast<u32>(x) & 0x7fffffffu) > 0x7f800000u;
}

fn is_inf(x: f32) -> bool {
    return (bitcast<u32>(x) & 0x7fffffffu) == 0x7f800000u;
}

fn is_finite(x: f32) -> bool {
    return (bitcast<u32>(x) & 0x7fffffffu) < 0x7f800000u;
}

// Round to nearest even, to the precision of float16. Numbers below 2^-14 are multiples of 2^-24.
fn round_f16(x: f32) -> f32 {
    let u = bitcast<u32>(x);
    let sign = u & 0x80000000u;
    let a = u & 0x7fffffffu;
    if (a >= 0x7f800000u) {
        return x;
    }
    if (a < 0x38800000u) {
        let q = round(bitcast<f32>(a) * 16777216.0) * 5.9604644775390625e-8;
        return bitcast<f32>(sign | bitcast<u32>(q));
    }
    var r = (a + 0xfffu + ((a >> 13u) & 1u)) & 0xffffe000u;
    if (r >= 0x47800000u) {
        r = 0x7f800000u;
    }
    return bitcast<f32>(sign | r);
}

fn round_bf16(x: f32) -> f32 {
    let u = bitcast<u32>(x);
    if ((u & 0x7fffffffu) > 0x7f800000u) {
        return x;
    }
    return bitcast<f32>((u + 0x7fffu + ((u >> 16u) & 1u)) & 0xffff0000u);
}

fn wrap_u8(x: i32) -> i32 {
    return x & 255;
}

fn wrap_i8(x: i32) -> i32 {
    return (x << 24u) >> 24u;
}

fn wrap_i16(x: i32) -> i32 {
    return (x << 16u) >> 16u;
}

fn bool_from_f(x: f32) -> i32 {
    return select(0, 1, (bitcast<u32>(x) & 0x7fffffffu) != 0u);
}

fn bool_from_i(x: i32) -> i32 {
    return select(0, 1, x != 0);
}

fn bool_from_l(x: vec2<u32>) -> i32 {
    return select(0, 1, (x.x | x.y) != 0u);
}

fn bool_from_d(x: vec2<u32>) -> i32 {
    return select(0, 1, (x.x | (x.y & 0x7fffffffu)) != 0u);
}

fn f_from_i(x: i32) -> f32 {
    return f32(x);
}

// Toward zero. A value that doesn't fit saturates, and NaN becomes 0.
fn i_from_f(x: f32) -> i32 {
    if (is_nan(x)) {
        return 0;
    }
    if (x >= 2147483648.0) {
        return 2147483647;
    }
    if (x <= -2147483648.0) {
        return bitcast<i32>(0x80000000u);
    }
    return i32(x);
}

fn i_from_l(x: vec2<u32>) -> i32 {
    return bitcast<i32>(x.x);
}

fn l_from_i(x: i32) -> vec2<u32> {
    return vec2<u32>(bitcast<u32>(x), bitcast<u32>(x >> 31u));
}

fn l_from_u(x: u32) -> vec2<u32> {
    return vec2<u32>(x, 0u);
}

fn l_from_f(x: f32) -> vec2<u32> {
    let u = bitcast<u32>(x);
    let e = i32((u >> 23u) & 255u) - 127;
    if (e < 0 || is_nan(x)) {
        return vec2<u32>(0u, 0u);
    }
    if (e >= 63) {
        return select(vec2<u32>(0xffffffffu, 0x7fffffffu), vec2<u32>(0u, 0x80000000u), (u >> 31u) == 1u);
    }
    let m = vec2<u32>((u & 0x7fffffu) | 0x800000u, 0u);
    var r: vec2<u32>;
    if (e >= 23) {
        r = u64_shl(m, u32(e - 23));
    } else {
        r = vec2<u32>(m.x >> u32(23 - e), 0u);
    }
    if ((u >> 31u) == 1u) {
        r = l_neg(r);
    }
    return r;
}

// Correctly rounded: the 24 leading bits, a round bit and a sticky bit.
fn f_from_l(x: vec2<u32>) -> f32 {
    if ((x.x | x.y) == 0u) {
        return 0.0;
    }
    let negative = (x.y >> 31u) == 1u;
    var m = x;
    if (negative) {
        m = l_neg(x);
    }
    var lead = 0u;
    if (m.y != 0u) {
        lead = countLeadingZeros(m.y);
    } else {
        lead = 32u + countLeadingZeros(m.x);
    }
    let n = u64_shl(m, lead);
    var top = n.y >> 8u;
    let rest = (n.y & 255u) | select(0u, 1u, n.x != 0u);
    if (rest > 128u || (rest == 128u && (top & 1u) == 1u)) {
        top = top + 1u;
    }
    // `top` may be 2^24 now. Adding it, instead of or-ing, carries into the exponent.
    let bits = ((127u + 63u - lead - 1u) << 23u) + top;
    return bitcast<f32>(select(bits, bits | 0x80000000u, negative));
}

fn d_from_f(x: f32) -> vec2<u32> {
    let u = bitcast<u32>(x);
    let sign = u & 0x80000000u;
    let e = (u >> 23u) & 255u;
    var m = u & 0x7fffffu;
    if (e == 255u) {
        return vec2<u32>(m << 29u, sign | 0x7ff00000u | (m >> 3u));
    }
    if (e == 0u) {
        if (m == 0u) {
            return vec2<u32>(0u, sign);
        }
        let lead = countLeadingZeros(m) - 8u;
        m = (m << lead) & 0x7fffffu;
        return vec2<u32>(m << 29u, sign | ((897u - lead) << 20u) | (m >> 3u));
    }
    return vec2<u32>(m << 29u, sign | ((e + 896u) << 20u) | (m >> 3u));
}

fn f_from_d(x: vec2<u32>) -> f32 {
    let sign = x.y & 0x80000000u;
    let e = i32((x.y >> 20u) & 2047u);
    let m = ((x.y & 0xfffffu) << 3u) | (x.x >> 29u);
    let rest = x.x & 0x1fffffffu;
    if (e == 2047) {
        if (((x.y & 0xfffffu) | x.x) != 0u) {
            return nan_value();
        }
        return bitcast<f32>(sign | 0x7f800000u);
    }
    let t = e - 896;
    if (t >= 255) {
        return bitcast<f32>(sign | 0x7f800000u);
    }
    if (t <= 0) {
        if (t < -24) {
            return bitcast<f32>(sign);
        }
        let full = m | 0x800000u;
        let shift = u32(1 - t);
        var q = full >> shift;
        let lost = full & ((1u << shift) - 1u);
        let half = 1u << (shift - 1u);
        if (lost > half || (lost == half && (rest != 0u || (q & 1u) == 1u))) {
            q = q + 1u;
        }
        return bitcast<f32>(sign | q);
    }
    var bits = (u32(t) << 23u) | m;
    if (rest > 0x10000000u || (rest == 0x10000000u && (m & 1u) == 1u)) {
        bits = bits + 1u;
    }
    return bitcast<f32>(sign | bits);
}

fn d_from_i(x: i32) -> vec2<u32> {
    return d_from_l(l_from_i(x));
}

fn d_from_l(x: vec2<u32>) -> vec2<u32> {
    if ((x.x | x.y) == 0u) {
        return x;
    }
    let sign = x.y & 0x80000000u;
    var m = x;
    if (sign != 0u) {
        m = l_neg(x);
    }
    var lead = 0u;
    if (m.y != 0u) {
        lead = countLeadingZeros(m.y);
    } else {
        lead = 32u + countLeadingZeros(m.x);
    }
    let n = u64_shl(m, lead);
    var q = u64_shr(n, 11u);
    let rest = n.x & 2047u;
    if (rest > 1024u || (rest == 1024u && (q.x & 1u) == 1u)) {
        q = l_add(q, vec2<u32>(1u, 0u));
    }
    return vec2<u32>(q.x, (q.y + ((1023u + 62u - lead) << 20u)) | sign);
}

fn l_from_d(x: vec2<u32>) -> vec2<u32> {
    let e = i32((x.y >> 20u) & 2047u) - 1023;
    let negative = (x.y >> 31u) == 1u;
    if (e < 0 || (e == 1024 && ((x.y & 0xfffffu) | x.x) != 0u)) {
        return vec2<u32>(0u, 0u);
    }
    if (e >= 63) {
        return select(vec2<u32>(0xffffffffu, 0x7fffffffu), vec2<u32>(0u, 0x80000000u), negative);
    }
    let m = vec2<u32>(x.x, (x.y & 0xfffffu) | 0x100000u);
    var r: vec2<u32>;
    if (e >= 52) {
        r = u64_shl(m, u32(e - 52));
    } else {
        r = u64_shr(m, u32(52 - e));
    }
    if (negative) {
        r = l_neg(r);
    }
    return r;
}

fn i_from_d(x: vec2<u32>) -> i32 {
    return i_from_l(l_from_d(x));
}

// The number of this invocation in a dispatch that may be split over x and y.
fn thread_of(group: vec3<u32>, groups: vec3<u32>, lane: u32, size: u32) -> u32 {
    return (group.y * groups.x + group.x) * size + lane;
}

fn group_of(group: vec3<u32>, groups: vec3<u32>) -> u32 {
    return group.y * groups.x + group.x;
}
