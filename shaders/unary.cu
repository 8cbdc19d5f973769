// Elementwise functions of one value, and conversions. See `elementwise.cu` for how elements are visited.

// An operator is a type with one static function of the operand's compute value and the operator's numbers.
#define UNARY(name, expression)                                                                                        \
    struct name {                                                                                                      \
        template <class C> static DEVICE C run(C x, const Numbers &p) {                                                \
            return (C)(expression);                                                                                    \
        }                                                                                                              \
    };
// The `k`-th number, in the compute type.
#define P(k) number<C>(p.at[k])

UNARY(Identity, x)
UNARY(Neg, minus((C)0, x))
UNARY(Abs, r_abs(x))
UNARY(Sign, (x > 0) - (x < 0))
UNARY(Exp, r_exp(x))
UNARY(Exp2, r_exp2(x))
UNARY(Expm1, r_expm1(x))
UNARY(Log, r_log(x))
UNARY(Log2, r_log2(x))
UNARY(Log10, r_log10(x))
UNARY(Log1p, r_log1p(x))
UNARY(Sqrt, r_sqrt(x))
UNARY(Rsqrt, C(1) / r_sqrt(x))
UNARY(Reciprocal, C(1) / x)
UNARY(Square, times(x, x))
UNARY(Sin, r_sin(x))
UNARY(Cos, r_cos(x))
UNARY(Tan, r_tan(x))
UNARY(Asin, r_asin(x))
UNARY(Acos, r_acos(x))
UNARY(Atan, r_atan(x))
UNARY(Sinh, r_sinh(x))
UNARY(Cosh, r_cosh(x))
UNARY(Tanh, r_tanh(x))
UNARY(Asinh, r_asinh(x))
UNARY(Acosh, r_acosh(x))
UNARY(Atanh, r_atanh(x))
UNARY(Erf, r_erf(x))
UNARY(Erfc, r_erfc(x))
UNARY(Erfinv, r_erfinv(x))
UNARY(Lgamma, r_lgamma(x))
UNARY(Digamma, r_digamma(x))
UNARY(Sigmoid, sigmoid(x))
UNARY(LogSigmoid, minimum(x, (C)0) - r_log1p(r_exp(-r_abs(x))))
UNARY(Relu, x <= 0 ? (C)0 : x)
UNARY(Gelu, x * C(0.5) * (C(1) + r_erf(x * C(0.70710678118654752440))))
UNARY(GeluTanh, C(0.5) * x * (C(1) + r_tanh(C(0.79788456080286535588) * (x + C(0.044715) * (x * x * x)))))
UNARY(Silu, x / (C(1) + r_exp(-x)))
UNARY(Mish, x *r_tanh(r_log1p(r_exp(x))))
UNARY(Hardswish, x *minimum(maximum(x + C(3), (C)0), C(6)) / C(6))
UNARY(Hardsigmoid, minimum(maximum(x + C(3), (C)0), C(6)) / C(6))
UNARY(Softsign, x / (C(1) + r_abs(x)))
// beta, threshold
UNARY(Softplus, x *P(0) > P(1) ? x : r_log1p(r_exp(x * P(0))) / P(0))
// alpha * scale, scale, input_scale
UNARY(Elu, x < 0 ? r_expm1(x * P(2)) * P(0) : x * P(1))
UNARY(LeakyRelu, x > 0 ? x : x * P(0))
// threshold, value
UNARY(Threshold, x <= P(0) ? P(1) : x)
// min, max; a missing bound is the lowest or highest value
UNARY(Clamp, minimum(maximum(x, P(0)), P(1)))
UNARY(LogicalNot, x == 0)
UNARY(IsNan, is_nan(x))
// nan, posinf, neginf
struct NanToNum {
    template <class C> static DEVICE C run(C x, const Numbers &p) {
        if constexpr (same<C, i64>::value) {
            return x;
        } else {
            return is_nan(x) ? P(0) : x == infinity<C>() ? P(1) : x == -infinity<C>() ? P(2) : x;
        }
    }
};
#define UNARY_ROUNDING(name, real, whole)                                                                              \
    struct name {                                                                                                      \
        template <class C> static DEVICE C run(C x, const Numbers &) {                                                 \
            if constexpr (same<C, i64>::value) {                                                                       \
                return whole;                                                                                          \
            } else {                                                                                                   \
                return real;                                                                                           \
            }                                                                                                          \
        }                                                                                                              \
    };
UNARY_ROUNDING(Floor, r_floor(x), x)
UNARY_ROUNDING(Ceil, r_ceil(x), x)
UNARY_ROUNDING(Round, r_round(x), x)
UNARY_ROUNDING(Trunc, r_trunc(x), x)
UNARY(Frac, x - r_trunc(x))
UNARY_ROUNDING(IsInf, r_abs(x) == infinity<C>(), 0)
UNARY_ROUNDING(IsFinite, r_abs(x) < infinity<C>(), 1)
struct BitwiseNot {
    static DEVICE i64 run(i64 x, const Numbers &) {
        return ~x;
    }
};

// `out = OP(x)`; see `elementwise.cu` for the template arguments.
template <class OP, class X, class O, class N, int XM, int OM, int PACK, int RANK, class I>
__global__ void unary(const X *x, Number xn, O *out, Numbers numbers, Walk<2, RANK> walk) {
    Input<X, N, XM, PACK> input(x, xn);
    each<O, N, OM, PACK, I>(
        out, walk, [&](I i, const I *at, int lane) { return OP::run(input.get(i, at, 1, lane), numbers); },
        [&](I i) { input.fetch(i); });
}
