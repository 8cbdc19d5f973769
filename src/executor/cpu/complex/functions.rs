//! Functions of one complex number, and powers, in double precision.
//!
//! Where the textbook formula cancels or overflows, these use Kahan's ("Branch Cuts for Complex Elementary Functions", 1987)
//! and those of Hull, Fairgrieve and Tang ("Implementing the Complex Arcsine and Arccosine Functions", 1997). The branch cuts,
//! and the side of a cut that the sign of a zero selects, are those of C's `complex.h`, which PyTorch calls.

use std::f64::consts::{FRAC_PI_2, FRAC_PI_4, LN_2, LN_10, PI};

use super::Pair;

type Z = Pair<f64>;

/// `a * b`, but 0 with the product's sign if `a` is 0: 0 times infinity would be NaN.
fn guarded(a: f64, b: f64) -> f64 {
    if a == 0.0 { a * b.signum() } else { a * b }
}

pub(super) fn quotient(a: Z, b: Z) -> Z {
    <f64 as super::Part>::quotient(a, b)
}

pub(super) fn product(a: Z, b: Z) -> Z {
    <f64 as super::Part>::product(a, b)
}

fn reciprocal(z: Z) -> Z {
    quotient([1.0, 0.0], z)
}

pub(super) fn exp([x, y]: Z) -> Z {
    let scale = x.exp();
    match y == 0.0 {
        true => [scale, y],
        false => [guarded(scale, y.cos()), guarded(scale, y.sin())],
    }
}

pub(super) fn exp2([x, y]: Z) -> Z {
    exp([x * LN_2, y * LN_2])
}

pub(super) fn expm1([x, y]: Z) -> Z {
    let half = (y / 2.0).sin();
    [x.exp_m1() * y.cos() - 2.0 * half * half, guarded(y.sin(), x.exp())]
}

/// The logarithm of the absolute value, exact to the last digits even near 1.
fn log_size(x: f64, y: f64) -> f64 {
    let (large, small) = if x.abs() >= y.abs() { (x.abs(), y.abs()) } else { (y.abs(), x.abs()) };
    match (0.5..=2.0).contains(&large) {
        true => 0.5 * ((large - 1.0) * (large + 1.0) + small * small).ln_1p(),
        false => x.hypot(y).ln(),
    }
}

pub(super) fn log([x, y]: Z) -> Z {
    [log_size(x, y), y.atan2(x)]
}

pub(super) fn log2(z: Z) -> Z {
    log(z).map(|part| part / LN_2)
}

pub(super) fn log10(z: Z) -> Z {
    log(z).map(|part| part / LN_10)
}

pub(super) fn log1p([x, y]: Z) -> Z {
    let re = match x.hypot(y) < 0.5 {
        true => 0.5 * (x * (2.0 + x) + y * y).ln_1p(),
        false => log_size(1.0 + x, y),
    };
    [re, y.atan2(1.0 + x)]
}

pub(super) fn sqrt([x, y]: Z) -> Z {
    if x == 0.0 && y == 0.0 {
        return [0.0, y];
    }
    if y.is_infinite() {
        return [f64::INFINITY, y];
    }
    if x.is_infinite() {
        let small = if y.is_nan() { f64::NAN } else { 0.0 };
        return match x > 0.0 {
            true => [x, if y.is_nan() { y } else { small.copysign(y) }],
            false => [small, f64::INFINITY.copysign(y)],
        };
    }
    // Halves first, so that the sum doesn't overflow.
    let t = (x.abs() / 2.0 + (x / 2.0).hypot(y / 2.0)).sqrt();
    match x >= 0.0 {
        true => [t, y / (2.0 * t)],
        false => [y.abs() / (2.0 * t), t.copysign(y)],
    }
}

pub(super) fn rsqrt(z: Z) -> Z {
    reciprocal(sqrt(z))
}

pub(super) fn sigmoid([x, y]: Z) -> Z {
    let [re, im] = exp([-x, -y]);
    reciprocal([1.0 + re, im])
}

pub(super) fn silu(z: Z) -> Z {
    let [re, im] = exp([-z[0], -z[1]]);
    quotient(z, [1.0 + re, im])
}

pub(super) fn sinh([x, y]: Z) -> Z {
    match y == 0.0 {
        true => [x.sinh(), y * x.cosh().min(f64::MAX)],
        false => [guarded(x.sinh(), y.cos()), guarded(y.sin(), x.cosh())],
    }
}

pub(super) fn cosh([x, y]: Z) -> Z {
    match y == 0.0 {
        true => [x.cosh(), y * x.sinh().clamp(f64::MIN, f64::MAX)],
        false => [guarded(y.cos(), x.cosh()), guarded(x.sinh(), y.sin())],
    }
}

/// Beyond this, the hyperbolic tangent is 1 in double precision.
const FLAT: f64 = 22.0;

pub(super) fn tanh([x, y]: Z) -> Z {
    if x.abs() > FLAT {
        let rest = 4.0 * y.sin() * y.cos() * (-2.0 * x.abs()).exp();
        return [1f64.copysign(x), if y.is_infinite() { 0f64.copysign(y) } else { rest }];
    }
    let (t, s) = (y.tan(), x.sinh());
    let (beta, rho) = (1.0 + t * t, (1.0 + s * s).sqrt());
    if t.is_infinite() {
        return [rho / s, 1.0 / t];
    }
    let scale = 1.0 + beta * s * s;
    [beta * rho * s / scale, t / scale]
}

/// `-i f(i z)`, which turns a hyperbolic function into the trigonometric one: `sinh` into `sin`.
fn turned(f: fn(Z) -> Z, [x, y]: Z) -> Z {
    let [re, im] = f([-y, x]);
    [im, -re]
}

pub(super) fn sin(z: Z) -> Z {
    turned(sinh, z)
}

pub(super) fn cos([x, y]: Z) -> Z {
    cosh([-y, x])
}

pub(super) fn tan(z: Z) -> Z {
    turned(tanh, z)
}

/// Beyond this, squares overflow, and only leading terms count.
const HUGE: f64 = 1e150;
/// Up to this ratio, the real inverse functions lose no digits.
const CROSSOVER: f64 = 0.6417;

/// What arcsine and arccosine have in common, for a number in the first quadrant: the sine of the result's real part, the
/// square root from which the real part follows where the sine is near 1, and the size of the imaginary part.
fn arc(x: f64, y: f64) -> (f64, f64, f64) {
    let (r, s) = ((x + 1.0).hypot(y), (x - 1.0).hypot(y));
    let a = (r + s) / 2.0;
    let near = y * y / (r + (x + 1.0));
    let root = match x <= 1.0 {
        true => (0.5 * (a + x) * (near + (s + (1.0 - x)))).sqrt(),
        false => y * (0.5 * ((a + x) / (r + (x + 1.0)) + (a + x) / (s + (x - 1.0)))).sqrt(),
    };
    let im = match a <= 1.5 {
        true => {
            let above = if x < 1.0 { near + y * y / (s + (1.0 - x)) } else { near + (s + (x - 1.0)) } / 2.0;
            (above + (above * (a + 1.0)).sqrt()).ln_1p()
        }
        false => (a + (a * a - 1.0).sqrt()).ln(),
    };
    (x / a, root, im)
}

/// For a number in the first quadrant with an infinite or very large part: the real part of its arcsine, and the size of
/// the imaginary part that arcsine and arccosine share.
fn far_arc(x: f64, y: f64) -> (f64, f64) {
    let angle = match (x.is_infinite(), y.is_infinite()) {
        (true, true) => FRAC_PI_4,
        _ => x.atan2(y),
    };
    (angle, x.hypot(y).ln() + LN_2)
}

pub(super) fn asin([x, y]: Z) -> Z {
    let (ax, ay) = (x.abs(), y.abs());
    if x.is_nan() || y.is_nan() {
        let im = if x.is_infinite() || y.is_infinite() { f64::INFINITY } else { f64::NAN };
        return [if x == 0.0 { x } else { f64::NAN }, im];
    }
    let (re, im) = if ax > HUGE || ay > HUGE {
        far_arc(ax, ay)
    } else {
        let (sine, root, im) = arc(ax, ay);
        (if sine <= CROSSOVER { sine.asin() } else { (ax / root).atan() }, im)
    };
    [re.copysign(x), im.copysign(y)]
}

pub(super) fn acos([x, y]: Z) -> Z {
    let (ax, ay) = (x.abs(), y.abs());
    if x.is_nan() || y.is_nan() {
        let im = if x.is_infinite() || y.is_infinite() { f64::INFINITY } else { f64::NAN };
        return [if x == 0.0 { FRAC_PI_2 } else { f64::NAN }, im];
    }
    let (re, im) = if ax > HUGE || ay > HUGE {
        let (angle, im) = far_arc(ax, ay);
        (FRAC_PI_2 - angle, im)
    } else {
        let (sine, root, im) = arc(ax, ay);
        (if sine <= CROSSOVER { sine.acos() } else { (root / ax).atan() }, im)
    };
    [if x.is_sign_negative() { PI - re } else { re }, if y.is_sign_negative() { im } else { -im }]
}

pub(super) fn asinh(z: Z) -> Z {
    turned(asin, z)
}

pub(super) fn acosh(z: Z) -> Z {
    let [re, im] = acos(z);
    if z[1].is_sign_negative() { [im, -re] } else { [-im, re] }
}

pub(super) fn atanh([x, y]: Z) -> Z {
    let ax = x.abs();
    if ax > HUGE || y.abs() > HUGE {
        // For numbers this large, the real part is that of `1 / z`.
        let size = ax.hypot(y);
        let re = if size.is_infinite() { 0.0 } else { ax / size / size };
        return [re.copysign(x), FRAC_PI_2.copysign(y)];
    }
    let distance = (1.0 - ax) * (1.0 - ax) + y * y;
    let re = 0.25 * (4.0 * ax / distance).ln_1p();
    let im = 0.5 * (2.0 * y).atan2((1.0 - ax) * (1.0 + ax) - y * y);
    [re.copysign(x), im]
}

pub(super) fn atan(z: Z) -> Z {
    turned(atanh, z)
}

/// `a` to the power `b`. As in C++, a power of 0 is `exp(b * log(0))`. That's NaN unless `b` is positive and real.
pub(super) fn pow(a: Z, b: Z) -> Z {
    if b == [1.0, 0.0] {
        return a;
    }
    if b == [2.0, 0.0] {
        return product(a, a);
    }
    if a == [0.0, 0.0] && b[0] > 0.0 && b[1] == 0.0 {
        return [0.0, 0.0];
    }
    exp(product(b, log(a)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inverse_functions_undo_the_others() {
        type Function = fn(Z) -> Z;
        let pairs: [(Function, Function); 9] = [
            (sin, asin),
            (cos, acos),
            (tan, atan),
            (sinh, asinh),
            (cosh, acosh),
            (tanh, atanh),
            (exp, log),
            (exp2, log2),
            (expm1, log1p),
        ];
        for (there, back) in pairs {
            for z in [[0.3, -0.4], [-1.7, 0.2], [2.5, 3.5], [-0.1, -6.0], [1e-9, 1e-7], [0.999, 1e-5]] {
                let [re, im] = there(back(z));
                let error = (re - z[0]).hypot(im - z[1]) / z[0].hypot(z[1]);
                assert!(error < 1e-9, "{z:?} became {re} + {im}i");
            }
        }
    }

    #[test]
    fn tiny_and_huge_numbers_keep_their_digits() {
        assert_eq!(asin([1e-20, 0.0]), [1e-20, 0.0]);
        assert_eq!(log1p([1e-20, 0.0])[0], 1e-20);
        assert!(sqrt([1e308, 1e308])[0].is_finite());
        let [re, im] = acos([1e200, 1e200]);
        assert!((re - FRAC_PI_4).abs() < 1e-12 && (im + 461.556).abs() < 1e-2, "{re} {im}");
    }

    #[test]
    fn the_sign_of_a_zero_selects_the_side_of_a_cut() {
        assert_eq!(sqrt([-4.0, 0.0]), [0.0, 2.0]);
        assert_eq!(sqrt([-4.0, -0.0]), [0.0, -2.0]);
        assert_eq!(log([-1.0, -0.0]), [0.0, -PI]);
        assert!(acos([2.0, 0.0])[1] < 0.0 && acos([2.0, -0.0])[1] > 0.0);
    }
}
