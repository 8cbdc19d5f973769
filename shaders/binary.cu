// Elementwise functions of two values. See `elementwise.cu` for how elements are visited.

#define BINARY(name, expression)                                                                                       \
    struct name {                                                                                                      \
        template <class C> static DEVICE C run(C a, C b, const Numbers &p) {                                           \
            return (C)(expression);                                                                                    \
        }                                                                                                              \
    };
// One expression for floats, one for integers.
#define BINARY_BY_KIND(name, real, whole)                                                                              \
    struct name {                                                                                                      \
        template <class C> static DEVICE C run(C a, C b, const Numbers &p) {                                           \
            if constexpr (same<C, i64>::value) {                                                                       \
                return (C)(whole);                                                                                     \
            } else {                                                                                                   \
                return (C)(real);                                                                                      \
            }                                                                                                          \
        }                                                                                                              \
    };
#define P(k) number<C>(p.at[k])

// `div_floor_floating` of ATen, which does the same as Python.
template <class C> DEVICE C floor_divide(C a, C b) {
    if (b == 0)
        return a / b;
    const C rest = r_fmod(a, b);
    C quotient = (a - rest) / b;
    if (rest != 0 && (b < 0) != (rest < 0))
        quotient -= 1;
    if (quotient == 0)
        return r_copysign(C(0), a / b);
    const C floor = r_floor(quotient);
    return quotient - floor > C(0.5) ? floor + 1 : floor;
}
template <class C> DEVICE C real_remainder(C a, C b) {
    const C rest = r_fmod(a, b);
    return rest != 0 && (b < 0) != (rest < 0) ? rest + b : rest;
}

// Integer division. As on CUDA, dividing by zero isn't an error: the quotient is -1 and the remainder is the dividend.
// The one quotient that overflows wraps.
DEVICE i64 quotient(i64 a, i64 b) {
    return b == 0 ? -1 : b == -1 ? minus((i64)0, a) : a / b;
}
DEVICE i64 rest_of(i64 a, i64 b) {
    return b == 0 ? a : b == -1 ? 0 : a % b;
}
DEVICE i64 floor_quotient(i64 a, i64 b) {
    const i64 q = quotient(a, b);
    return b != 0 && rest_of(a, b) != 0 && (a < 0) != (b < 0) ? q - 1 : q;
}
DEVICE i64 floor_rest(i64 a, i64 b) {
    const i64 rest = rest_of(a, b);
    return b != 0 && rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}
DEVICE i64 integer_power(i64 base, i64 exponent) {
    if (exponent < 0)
        return base == 1 ? 1 : base == -1 ? (exponent % 2 == 0 ? 1 : -1) : 0;
    i64 result = 1;
    while (exponent > 0) {
        if (exponent & 1)
            result = times(result, base);
        base = times(base, base);
        exponent >>= 1;
    }
    return result;
}
// Keeps an operand that is a logarithm, and so may be minus infinity, from getting too small.
template <class C> DEVICE C at_least(C v, C bound) {
    return v < bound ? bound : v;
}

BINARY(Add, plus(a, b))
BINARY(Sub, minus(a, b))
BINARY(Mul, times(a, b))
BINARY(Div, a / b)
BINARY_BY_KIND(FloorDiv, floor_divide(a, b), floor_quotient(a, b))
BINARY_BY_KIND(TruncDiv, r_trunc(a / b), quotient(a, b))
BINARY_BY_KIND(Remainder, real_remainder(a, b), floor_rest(a, b))
BINARY_BY_KIND(Fmod, r_fmod(a, b), rest_of(a, b))
BINARY_BY_KIND(Pow, r_pow(a, b), integer_power(a, b))
// Powers with a number as the exponent, as in `pow_tensor_scalar` of ATen.
BINARY(PowTwo, a *a)
BINARY(PowThree, a *a *a)
BINARY(PowHalf, r_sqrt(a))
BINARY(PowMinusHalf, C(1) / r_sqrt(a))
BINARY(PowMinusOne, C(1) / a)
BINARY(PowMinusTwo, C(1) / (a * a))
BINARY(Maximum, maximum(a, b))
BINARY(Minimum, minimum(a, b))
BINARY(Fmax, a > b || is_nan(b) ? a : b)
BINARY(Fmin, a < b || is_nan(b) ? a : b)
BINARY(Atan2, r_atan2(a, b))
BINARY(Hypot, r_hypot(a, b))
BINARY(Axpy, fused(b, P(0), a))
BINARY(Eq, a == b)
BINARY(Ne, a != b)
BINARY(Lt, a < b)
BINARY(Le, a <= b)
BINARY(Gt, a > b)
BINARY(Ge, a >= b)
BINARY(LogicalAnd, (a != 0) & (b != 0))
BINARY(LogicalOr, (a != 0) | (b != 0))
BINARY(LogicalXor, (a != 0) ^ (b != 0))
BINARY(BitAnd, a &b)
BINARY(BitOr, a | b)
BINARY(BitXor, a ^ b)
// P(0) is the width in bits. A shift by a negative amount, or by at least the width, leaves nothing (or only the sign).
BINARY(Shl, b < 0 || b >= P(0) ? 0 : (i64)((u64)a << b))
BINARY(Shr, a >> (b < 0 || b >= P(0) ? 63 : b))
BINARY(SquaredDifference, times(minus(a, b), minus(a, b)))
BINARY(AbsDifference, r_abs(minus(a, b)))
// beta
struct SmoothL1 {
    template <class C> static DEVICE C run(C a, C b, const Numbers &p) {
        const C z = r_abs(a - b);
        return z < P(0) ? C(0.5) * z * z / P(0) : z - C(0.5) * P(0);
    }
};
// delta
struct Huber {
    template <class C> static DEVICE C run(C a, C b, const Numbers &p) {
        const C z = r_abs(a - b);
        return z <= P(0) ? C(0.5) * z * z : P(0) * (z - C(0.5) * P(0));
    }
};
BINARY(BinaryCrossEntropy, (b - C(1)) * at_least(r_log1p(-a), C(-100)) - b * at_least(r_log(a), C(-100)))
BINARY(BinaryCrossEntropyWithLogits, (C(1) - b) * a - (minimum(a, C(0)) - r_log1p(r_exp(-r_abs(a)))))
BINARY(SigmoidBackward, a *(C(1) - b) * b)
BINARY(TanhBackward, a *(C(1) - b * b))
BINARY(ThresholdBackward, b <= P(0) ? (C)0 : a)
struct GeluBackward {
    template <class C> static DEVICE C run(C a, C b, const Numbers &) {
        const C cdf = C(0.5) * (C(1) + r_erf(b * C(0.70710678118654752440)));
        const C pdf = C(0.39894228040143267794) * r_exp(-(C(0.5) * b * b));
        return a * (cdf + b * pdf);
    }
};
struct GeluTanhBackward {
    template <class C> static DEVICE C run(C a, C b, const Numbers &) {
        const C beta = C(0.79788456080286535588), kappa = C(0.044715);
        const C t = r_tanh(beta * (b + kappa * (b * b * b)));
        const C left = C(0.5) * (C(1) + t);
        const C right = C(0.5) * b * (C(1) - t * t) * (beta * (C(1) + C(3) * kappa * b * b));
        return a * (left + right);
    }
};
struct SiluBackward {
    template <class C> static DEVICE C run(C a, C b, const Numbers &) {
        const C s = sigmoid(b);
        return a * s * (C(1) + b * (C(1) - s));
    }
};
struct MishBackward {
    template <class C> static DEVICE C run(C a, C b, const Numbers &) {
        const C s = sigmoid(b), t = r_tanh(r_log1p(r_exp(b)));
        return a * (t + b * s * (C(1) - t * t));
    }
};
BINARY(HardswishBackward, b <= C(-3) ? C(0) : b >= C(3) ? a : a * (b / C(3) + C(0.5)))
BINARY(HardsigmoidBackward, b > C(-3) && b < C(3) ? a * C(1.0 / 6.0) : C(0))
struct LogSigmoidBackward {
    template <class C> static DEVICE C run(C a, C b, const Numbers &) {
        const C z = r_exp(-r_abs(b));
        const C slope = b < 0 ? C(1) : C(0), sign = b < 0 ? C(1) : C(-1);
        return a * (slope - sign * (z / (C(1) + z)));
    }
};
// beta, threshold
struct SoftplusBackward {
    template <class C> static DEVICE C run(C a, C b, const Numbers &p) {
        const C z = r_exp(b * P(0));
        return b * P(0) > P(1) ? a : a * z / (z + C(1));
    }
};
// input_scale * alpha * scale, scale, input_scale
BINARY(EluBackward, b > 0 ? a * P(1) : a * P(0) * r_exp(b * P(2)))
BINARY(LeakyReluBackward, b > 0 ? a : a * P(0))
// min, max
BINARY(ClampBackward, b > P(0) && b < P(1) ? a : (C)0)

// `out = OP(a, b)`; see `elementwise.cu` for the template arguments.
template <class OP, class A, class B, class O, class N, int AM, int BM, int OM, int PACK, int RANK, class I>
__global__ void binary(const A *a, const B *b, Number an, Number bn, O *out, Numbers numbers, Walk<3, RANK> walk) {
    Input<A, N, AM, PACK> left(a, an);
    Input<B, N, BM, PACK> right(b, bn);
    each<O, N, OM, PACK, I>(
        out, walk,
        [&](I i, const I *at, int lane) {
            return OP::run(left.get(i, at, 1, lane), right.get(i, at, 2, lane), numbers);
        },
        [&](I i) {
            left.fetch(i);
            right.fetch(i);
        });
}
