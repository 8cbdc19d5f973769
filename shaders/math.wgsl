// Functions of one float32 by range reduction and polynomials (coefficients from Cephes, S. Moshier, single precision).
// WGSL's own exp, log, sin and tanh may have far larger errors than PyTorch's, and differ between adapters.

fn poly2(x: f32, a: f32, b: f32, c: f32) -> f32 {
    return (a * x + b) * x + c;
}

// exp(r) - 1 for |r| <= 0.35.
fn expm1_core(r: f32) -> f32 {
    var p = 1.9875691500e-4;
    p = p * r + 1.3981999507e-3;
    p = p * r + 8.3334519073e-3;
    p = p * r + 4.1665795894e-2;
    p = p * r + 1.6666665459e-1;
    p = p * r + 5.0000001201e-1;
    return p * r * r + r;
}

fn pow2i(k: i32) -> f32 {
    return bitcast<f32>(u32(k + 127) << 23u);
}

fn exp_f(x: f32) -> f32 {
    if (is_nan(x)) {
        return x;
    }
    if (x > 88.7228394) {
        return inf_value();
    }
    if (x < -103.972084) {
        return 0.0;
    }
    let k = round(x * 1.44269504089);
    let r = (x - k * 0.693359375) - k * -2.12194440e-4;
    let n = i32(k);
    let half = n / 2;
    return (expm1_core(r) + 1.0) * pow2i(half) * pow2i(n - half);
}

fn expm1_f(x: f32) -> f32 {
    if (abs(x) < 0.35) {
        return expm1_core(x);
    }
    return exp_f(x) - 1.0;
}

fn exp2_f(x: f32) -> f32 {
    if (is_nan(x)) {
        return x;
    }
    if (x >= 128.0) {
        return inf_value();
    }
    if (x < -150.0) {
        return 0.0;
    }
    let k = round(x);
    let n = i32(k);
    let half = n / 2;
    return (expm1_core((x - k) * 0.693147180559945) + 1.0) * pow2i(half) * pow2i(n - half);
}

// log(1 + x) for sqrt(1/2) <= 1 + x <= sqrt(2), without x.
fn log_core(x: f32) -> f32 {
    var p = 7.0376836292e-2;
    p = p * x - 1.1514610310e-1;
    p = p * x + 1.1676998740e-1;
    p = p * x - 1.2420140846e-1;
    p = p * x + 1.4249322787e-1;
    p = p * x - 1.6668057665e-1;
    p = p * x + 2.0000714765e-1;
    p = p * x - 2.4999993993e-1;
    p = p * x + 3.3333331174e-1;
    return p * x * x * x;
}

// Exponent (x) and mantissa minus one (y), the mantissa between sqrt(1/2) and sqrt(2).
fn log_split(x: f32) -> vec2<f32> {
    var u = bitcast<u32>(x);
    var e = 0;
    if (u < 0x00800000u) {
        // Subnormal: moves the leading one to its usual place.
        let lead = countLeadingZeros(u) - 8u;
        u = (u << lead) & 0x7fffffu;
        e = 1 - i32(lead) - 126;
    } else {
        e = i32(u >> 23u) - 126;
        u = u & 0x7fffffu;
    }
    var m = bitcast<f32>(u | 0x3f000000u);
    if (m < 0.707106781) {
        e = e - 1;
        m = m + m;
    }
    return vec2<f32>(f32(e), m - 1.0);
}

// NaN below zero, minus infinity at zero. True if the polynomial can't be used.
fn log_is_edge(x: f32) -> bool {
    let u = bitcast<u32>(x);
    return (u & 0x7fffffffu) == 0u || u >= 0x7f800000u;
}

fn log_edge(x: f32) -> f32 {
    if ((bitcast<u32>(x) & 0x7fffffffu) == 0u) {
        return -inf_value();
    }
    if (bitcast<u32>(x) == 0x7f800000u) {
        return x;
    }
    return nan_value();
}

fn log_f(x: f32) -> f32 {
    if (log_is_edge(x)) {
        return log_edge(x);
    }
    let s = log_split(x);
    var y = log_core(s.y);
    y = y - 2.12194440e-4 * s.x;
    y = y - 0.5 * s.y * s.y;
    return (s.y + y) + 0.693359375 * s.x;
}

fn log2_f(x: f32) -> f32 {
    if (log_is_edge(x)) {
        return log_edge(x);
    }
    let s = log_split(x);
    let y = log_core(s.y) - 0.5 * s.y * s.y;
    return ((y * 0.44269504089 + s.y * 0.44269504089) + y + s.y) + s.x;
}

fn log10_f(x: f32) -> f32 {
    if (log_is_edge(x)) {
        return log_edge(x);
    }
    let s = log_split(x);
    let y = log_core(s.y) - 0.5 * s.y * s.y;
    return (s.y + y) * 0.4342944819 + (s.x * 4.605039e-6 + s.x * 0.3010253906);
}

fn log1p_f(x: f32) -> f32 {
    if (x > -0.29 && x < 0.41) {
        return x + (log_core(x) - 0.5 * x * x);
    }
    return log_f(1.0 + x);
}

// Sine (x) and cosine (y).
fn sin_cos(x: f32) -> vec2<f32> {
    if (!is_finite(x)) {
        return vec2<f32>(nan_value(), nan_value());
    }
    let a = abs(x);
    var j = i32(a * 1.27323954473516);
    j = j + (j & 1);
    let y = f32(j);
    let r = ((a - y * 0.78515625) - y * 2.4187564849853515625e-4) - y * 3.77489497744594108e-8;
    let z = r * r;
    let s = ((-1.9515295891e-4 * z + 8.3321608736e-3) * z - 1.6666654611e-1) * z * r + r;
    let c = ((2.443315711809948e-5 * z - 1.388731625493765e-3) * z + 4.166664568298827e-2) * z * z - 0.5 * z + 1.0;
    let octant = (j >> 1u) & 3;
    var result = vec2<f32>(s, c);
    if (octant == 1) {
        result = vec2<f32>(c, -s);
    } else if (octant == 2) {
        result = vec2<f32>(-s, -c);
    } else if (octant == 3) {
        result = vec2<f32>(-c, s);
    }
    if (x < 0.0) {
        result.x = -result.x;
    }
    return result;
}

fn sin_f(x: f32) -> f32 {
    return sin_cos(x).x;
}

fn cos_f(x: f32) -> f32 {
    return sin_cos(x).y;
}

fn tan_f(x: f32) -> f32 {
    let s = sin_cos(x);
    return s.x / s.y;
}

fn tanh_f(x: f32) -> f32 {
    let a = abs(x);
    if (is_nan(x)) {
        return x;
    }
    if (a < 0.625) {
        let z = x * x;
        var p = -5.70498872745e-3;
        p = p * z + 2.06390887954e-2;
        p = p * z - 5.37397155531e-2;
        p = p * z + 1.33314422036e-1;
        p = p * z - 3.33332819422e-1;
        return p * z * x + x;
    }
    if (a > 9.1) {
        return sign(x);
    }
    return sign(x) * (1.0 - 2.0 / (exp_f(2.0 * a) + 1.0));
}

fn sinh_f(x: f32) -> f32 {
    let a = abs(x);
    if (a < 1.0) {
        let z = x * x;
        return poly2(z, 2.03721912945e-4, 8.33028376239e-3, 1.66667160211e-1) * z * x + x;
    }
    let t = exp_f(0.5 * a);
    return sign(x) * (0.5 * t * t - 0.5 / (t * t));
}

fn cosh_f(x: f32) -> f32 {
    let t = exp_f(0.5 * abs(x));
    return 0.5 * t * t + 0.5 / (t * t);
}

fn asin_f(x: f32) -> f32 {
    let a = abs(x);
    if (!(a <= 1.0) || is_nan(x)) {
        return nan_value();
    }
    var z = a * a;
    var r = a;
    if (a > 0.5) {
        z = 0.5 * (1.0 - a);
        r = sqrt(z);
    }
    var p = 4.2163199048e-2;
    p = p * z + 2.4181311049e-2;
    p = p * z + 4.5470025998e-2;
    p = p * z + 7.4953002686e-2;
    p = p * z + 1.6666752422e-1;
    var y = p * z * r + r;
    if (a > 0.5) {
        y = 1.57079632679 - (y + y);
    }
    return select(y, -y, x < 0.0);
}

fn acos_f(x: f32) -> f32 {
    if (x > 0.5) {
        return 2.0 * asin_f(sqrt(0.5 * (1.0 - x)));
    }
    if (x < -0.5) {
        return 3.14159265359 - 2.0 * asin_f(sqrt(0.5 * (1.0 + x)));
    }
    return 1.57079632679 - asin_f(x);
}

fn atan_f(x: f32) -> f32 {
    if (is_nan(x)) {
        return x;
    }
    let a = abs(x);
    var base = 0.0;
    var r = a;
    if (a > 2.414213562373095) {
        base = 1.57079632679;
        r = -1.0 / a;
    } else if (a > 0.4142135623730950) {
        base = 0.785398163397;
        r = (a - 1.0) / (a + 1.0);
    }
    let z = r * r;
    var p = 8.05374449538e-2;
    p = p * z - 1.38776856032e-1;
    p = p * z + 1.99777106478e-1;
    p = p * z - 3.33329491539e-1;
    let y = base + (p * z * r + r);
    return select(y, -y, (bitcast<u32>(x) >> 31u) == 1u);
}

fn asinh_f(x: f32) -> f32 {
    let a = abs(x);
    var y = 0.0;
    if (a > 1.0e9) {
        y = log_f(a) + 0.69314718056;
    } else {
        y = log1p_f(a + a * a / (1.0 + sqrt(1.0 + a * a)));
    }
    return select(y, -y, x < 0.0);
}

fn acosh_f(x: f32) -> f32 {
    if (x < 1.0) {
        return nan_value();
    }
    if (x > 1.0e9) {
        return log_f(x) + 0.69314718056;
    }
    let t = x - 1.0;
    return log1p_f(t + sqrt(2.0 * t + t * t));
}

fn atanh_f(x: f32) -> f32 {
    let a = abs(x);
    let y = 0.5 * log1p_f(2.0 * a / (1.0 - a));
    return select(y, -y, x < 0.0);
}

fn erfc_tail(a: f32) -> f32 {
    let q = 1.0 / a;
    let y = q * q;
    var p = 0.0;
    if (a < 2.0) {
        p = 2.326819970068386e-2;
        p = p * y - 1.387039388740657e-1;
        p = p * y + 3.687424674597105e-1;
        p = p * y - 5.824733027278666e-1;
        p = p * y + 6.210004621745983e-1;
        p = p * y - 4.944515323274145e-1;
        p = p * y + 3.404879937665872e-1;
        p = p * y - 2.741127028184656e-1;
        p = p * y + 5.638259427386472e-1;
    } else {
        p = -1.047766399936249e+1;
        p = p * y + 1.297719955372516e+1;
        p = p * y - 7.495518717768503e+0;
        p = p * y + 2.921019019210786e+0;
        p = p * y - 1.015265279202700e+0;
        p = p * y + 4.218463358204948e-1;
        p = p * y - 2.820767439740514e-1;
        p = p * y + 5.641895067754075e-1;
    }
    // exp(-a * a) with a correction for the rounding of the square: the upper half of `a` squares exactly.
    let high = bitcast<f32>(bitcast<u32>(a) & 0xfffff000u);
    let low = a - high;
    return exp_f(-high * high) * exp_f(-low * (a + high)) * q * p;
}

fn erf_core(x: f32) -> f32 {
    let z = x * x;
    var p = 7.853861353153693e-5;
    p = p * z - 8.010193625184903e-4;
    p = p * z + 5.188327685732524e-3;
    p = p * z - 2.685381193529856e-2;
    p = p * z + 1.128358514861418e-1;
    p = p * z - 3.761262582423300e-1;
    p = p * z + 1.128379165726710e+0;
    return x * p;
}

fn erf_f(x: f32) -> f32 {
    let a = abs(x);
    if (a <= 1.0 || is_nan(x)) {
        return erf_core(x);
    }
    if (a > 4.0) {
        return sign(x);
    }
    return sign(x) * (1.0 - erfc_tail(a));
}

fn erfc_f(x: f32) -> f32 {
    let a = abs(x);
    if (a <= 1.0 || is_nan(x)) {
        return 1.0 - erf_core(x);
    }
    if (a > 10.1) {
        return select(0.0, 2.0, x < 0.0);
    }
    let t = erfc_tail(a);
    return select(t, 2.0 - t, x < 0.0);
}

// M. Giles, "Approximating the erfinv function" (2012), single precision.
fn erfinv_f(x: f32) -> f32 {
    let a = abs(x);
    if (a == 1.0) {
        return sign(x) * inf_value();
    }
    if (!(a < 1.0) || is_nan(x)) {
        return nan_value();
    }
    var w = -log1p_f(-x * x);
    var p = 0.0;
    if (w < 5.0) {
        w = w - 2.5;
        p = 2.81022636e-08;
        p = p * w + 3.43273939e-07;
        p = p * w - 3.5233877e-06;
        p = p * w - 4.39150654e-06;
        p = p * w + 0.00021858087;
        p = p * w - 0.00125372503;
        p = p * w - 0.00417768164;
        p = p * w + 0.246640727;
        p = p * w + 1.50140941;
    } else {
        w = sqrt(w) - 3.0;
        p = -0.000200214257;
        p = p * w + 0.000100950558;
        p = p * w + 0.00134934322;
        p = p * w - 0.00367342844;
        p = p * w + 0.00573950773;
        p = p * w - 0.0076224613;
        p = p * w + 0.00943887047;
        p = p * w + 1.00167406;
        p = p * w + 2.83297682;
    }
    return p * x;
}

// Stirling's series from 8 up, shifted there by the recurrence, reflected below 1/2.
fn lgamma_positive(x: f32) -> f32 {
    var y = x;
    var product = 1.0;
    for (var i = 0; i < 8; i = i + 1) {
        if (y < 8.0) {
            product = product * y;
            y = y + 1.0;
        }
    }
    let q = 1.0 / y;
    let z = q * q;
    let series = q * poly2(z, 7.93650793e-4, -2.77777778e-3, 8.33333333e-2);
    return (y - 0.5) * log_f(y) - y + 0.918938533205 + series - log_f(product);
}

fn lgamma_f(x: f32) -> f32 {
    if (is_nan(x)) {
        return x;
    }
    if (is_inf(x) || (x <= 0.0 && floor(x) == x)) {
        return inf_value();
    }
    if (x < 0.5) {
        let s = abs(sin_f(3.14159265359 * (x - round(x))));
        return 1.14472988585 - log_f(s) - lgamma_positive(1.0 - x);
    }
    return lgamma_positive(x);
}

fn digamma_f(x: f32) -> f32 {
    if (is_nan(x)) {
        return x;
    }
    if (x == 0.0) {
        return select(-inf_value(), inf_value(), (bitcast<u32>(x) >> 31u) == 1u);
    }
    if (x < 0.0 && floor(x) == x) {
        return nan_value();
    }
    var y = x;
    var result = 0.0;
    if (x < 0.0) {
        result = -3.14159265359 / tan_f(3.14159265359 * (x - round(x)));
        y = 1.0 - x;
    }
    for (var i = 0; i < 8; i = i + 1) {
        if (y < 8.0) {
            result = result - 1.0 / y;
            y = y + 1.0;
        }
    }
    let z = 1.0 / (y * y);
    return result + log_f(y) - 0.5 / y - z * poly2(z, 3.96825397e-3, -8.33333333e-3, 8.33333333e-2);
}

fn sigmoid_f(x: f32) -> f32 {
    return 1.0 / (1.0 + exp_f(-x));
}

fn log_sigmoid_f(x: f32) -> f32 {
    return min_f(0.0, x) - log1p_f(exp_f(-abs(x)));
}

// NaN wins.
fn max_f(a: f32, b: f32) -> f32 {
    if (is_nan(a)) {
        return a;
    }
    if (is_nan(b)) {
        return b;
    }
    return select(b, a, a > b);
}

fn min_f(a: f32, b: f32) -> f32 {
    if (is_nan(a)) {
        return a;
    }
    if (is_nan(b)) {
        return b;
    }
    return select(b, a, a < b);
}

fn max_i(a: i32, b: i32) -> i32 {
    return max(a, b);
}

fn min_i(a: i32, b: i32) -> i32 {
    return min(a, b);
}

fn max_l(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
    return select(a, b, l_lt(a, b));
}

fn min_l(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
    return select(a, b, l_lt(b, a));
}

// Exact: long division of the mantissas.
fn fmod_f(a: f32, b: f32) -> f32 {
    let ua = bitcast<u32>(a) & 0x7fffffffu;
    let ub = bitcast<u32>(b) & 0x7fffffffu;
    if (ua >= 0x7f800000u || ub > 0x7f800000u || ub == 0u) {
        return nan_value();
    }
    if (ua < ub) {
        return a;
    }
    var ea = i32(ua >> 23u);
    var eb = i32(ub >> 23u);
    var ma = ua & 0x7fffffu;
    var mb = ub & 0x7fffffu;
    if (ea == 0) {
        ea = 1;
    } else {
        ma = ma | 0x800000u;
    }
    if (eb == 0) {
        eb = 1;
    } else {
        mb = mb | 0x800000u;
    }
    ma = ma % mb;
    for (var i = ea - eb; i > 0; i = i - 1) {
        ma = (ma << 1u) % mb;
    }
    var bits = 0u;
    if (ma != 0u) {
        let shift = min(countLeadingZeros(ma) - 8u, u32(eb - 1));
        ma = ma << shift;
        let e = eb - i32(shift);
        bits = select(ma, (u32(e) << 23u) | (ma & 0x7fffffu), ma >= 0x800000u);
    }
    return bitcast<f32>(bits | (bitcast<u32>(a) & 0x80000000u));
}

fn pow_f(a: f32, b: f32) -> f32 {
    if (b == 0.0 || a == 1.0) {
        return 1.0;
    }
    if (is_nan(a) || is_nan(b)) {
        return nan_value();
    }
    let whole = trunc(b) == b;
    let odd = whole && abs(b) < 16777216.0 && (i32(b) & 1) == 1;
    let x = abs(a);
    if (whole && abs(b) <= 32.0) {
        var r = 1.0;
        var base = x;
        for (var n = u32(abs(b)); n > 0u; n = n >> 1u) {
            if ((n & 1u) == 1u) {
                r = r * base;
            }
            base = base * base;
        }
        if (b < 0.0) {
            r = 1.0 / r;
        }
        return select(r, -r, odd && (bitcast<u32>(a) >> 31u) == 1u);
    }
    if (x == 1.0 && is_inf(b)) {
        return 1.0;
    }
    if (a < 0.0 && !whole && !is_inf(a)) {
        return nan_value();
    }
    if (b == 0.5 && is_finite(a)) {
        return sqrt(x);
    }
    let r = exp_f(b * log_f(x));
    return select(r, -r, odd && (bitcast<u32>(a) >> 31u) == 1u);
}
