// 64-bit integers in two words: vec2<u32>(low, high), two's complement.

fn l_add(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
    let low = a.x + b.x;
    return vec2<u32>(low, a.y + b.y + select(0u, 1u, low < a.x));
}

fn l_neg(a: vec2<u32>) -> vec2<u32> {
    let low = ~a.x + 1u;
    return vec2<u32>(low, ~a.y + select(0u, 1u, low == 0u));
}

fn l_sub(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
    return vec2<u32>(a.x - b.x, a.y - b.y - select(0u, 1u, a.x < b.x));
}

// The upper word of a 32 by 32 bit product, from four 16-bit products.
fn mulhi(a: u32, b: u32) -> u32 {
    let al = a & 0xffffu;
    let ah = a >> 16u;
    let bl = b & 0xffffu;
    let bh = b >> 16u;
    let low = al * bl;
    let m1 = ah * bl + (low >> 16u);
    let m2 = al * bh + (m1 & 0xffffu);
    return ah * bh + (m1 >> 16u) + (m2 >> 16u);
}

fn l_mul(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
    return vec2<u32>(a.x * b.x, mulhi(a.x, b.x) + a.x * b.y + a.y * b.x);
}

fn l_eq(a: vec2<u32>, b: vec2<u32>) -> bool {
    return a.x == b.x && a.y == b.y;
}

fn u64_lt(a: vec2<u32>, b: vec2<u32>) -> bool {
    return a.y < b.y || (a.y == b.y && a.x < b.x);
}

fn l_lt(a: vec2<u32>, b: vec2<u32>) -> bool {
    let ah = bitcast<i32>(a.y);
    let bh = bitcast<i32>(b.y);
    return ah < bh || (ah == bh && a.x < b.x);
}

fn l_is_negative(a: vec2<u32>) -> bool {
    return (a.y >> 31u) == 1u;
}

fn l_is_zero(a: vec2<u32>) -> bool {
    return (a.x | a.y) == 0u;
}

fn u64_shl(a: vec2<u32>, n: u32) -> vec2<u32> {
    if (n == 0u) {
        return a;
    }
    if (n >= 64u) {
        return vec2<u32>(0u, 0u);
    }
    if (n >= 32u) {
        return vec2<u32>(0u, a.x << (n - 32u));
    }
    return vec2<u32>(a.x << n, (a.y << n) | (a.x >> (32u - n)));
}

fn u64_shr(a: vec2<u32>, n: u32) -> vec2<u32> {
    if (n == 0u) {
        return a;
    }
    if (n >= 64u) {
        return vec2<u32>(0u, 0u);
    }
    if (n >= 32u) {
        return vec2<u32>(a.y >> (n - 32u), 0u);
    }
    return vec2<u32>((a.x >> n) | (a.y << (32u - n)), a.y >> n);
}

fn l_shr(a: vec2<u32>, n: u32) -> vec2<u32> {
    let fill = bitcast<u32>(bitcast<i32>(a.y) >> 31u);
    if (n == 0u) {
        return a;
    }
    if (n >= 64u) {
        return vec2<u32>(fill, fill);
    }
    let high = bitcast<u32>(bitcast<i32>(a.y) >> (n & 31u));
    if (n >= 32u) {
        return vec2<u32>(high, fill);
    }
    return vec2<u32>((a.x >> n) | (a.y << (32u - n)), high);
}

// Quotient (x, y) and remainder (z, w) of unsigned division. The quotient of a division by zero is all ones.
fn u64_divrem(a: vec2<u32>, b: vec2<u32>) -> vec4<u32> {
    if ((b.x | b.y) == 0u) {
        return vec4<u32>(0xffffffffu, 0xffffffffu, a.x, a.y);
    }
    if ((a.y | b.y) == 0u) {
        return vec4<u32>(a.x / b.x, 0u, a.x % b.x, 0u);
    }
    var q = vec2<u32>(0u, 0u);
    var r = vec2<u32>(0u, 0u);
    for (var i = 0u; i < 64u; i = i + 1u) {
        let bit = 63u - i;
        let carry = r.y >> 31u;
        r = u64_shl(r, 1u);
        if (bit >= 32u) {
            r.x = r.x | ((a.y >> (bit - 32u)) & 1u);
        } else {
            r.x = r.x | ((a.x >> bit) & 1u);
        }
        if (carry == 1u || !u64_lt(r, b)) {
            r = l_sub(r, b);
            if (bit >= 32u) {
                q.y = q.y | (1u << (bit - 32u));
            } else {
                q.x = q.x | (1u << bit);
            }
        }
    }
    return vec4<u32>(q.x, q.y, r.x, r.y);
}

fn l_abs(a: vec2<u32>) -> vec2<u32> {
    if (l_is_negative(a)) {
        return l_neg(a);
    }
    return a;
}

// Toward zero. A division by zero gives -1, as on the hardware that PyTorch uses.
fn l_quotient(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
    if (l_is_zero(b)) {
        return vec2<u32>(0xffffffffu, 0xffffffffu);
    }
    let q = u64_divrem(l_abs(a), l_abs(b)).xy;
    if (l_is_negative(a) != l_is_negative(b)) {
        return l_neg(q);
    }
    return q;
}

// With the sign of the dividend.
fn l_rest(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
    if (l_is_zero(b)) {
        return a;
    }
    let r = u64_divrem(l_abs(a), l_abs(b)).zw;
    if (l_is_negative(a)) {
        return l_neg(r);
    }
    return r;
}
