// Functions of real numbers, with the same names for float and double.

#define MATH1(name, single, twice)                                                                                     \
    DEVICE float name(float x) {                                                                                       \
        return single(x);                                                                                              \
    }                                                                                                                  \
    DEVICE double name(double x) {                                                                                     \
        return twice(x);                                                                                               \
    }
#define MATH2(name, single, twice)                                                                                     \
    DEVICE float name(float a, float b) {                                                                              \
        return single(a, b);                                                                                           \
    }                                                                                                                  \
    DEVICE double name(double a, double b) {                                                                           \
        return twice(a, b);                                                                                            \
    }
MATH1(r_abs, fabsf, fabs)
MATH1(r_exp, expf, exp)
MATH1(r_exp2, exp2f, exp2)
MATH1(r_expm1, expm1f, expm1)
MATH1(r_log, logf, log)
MATH1(r_log2, log2f, log2)
MATH1(r_log10, log10f, log10)
MATH1(r_log1p, log1pf, log1p)
MATH1(r_sqrt, sqrtf, sqrt)
MATH1(r_sin, sinf, sin)
MATH1(r_cos, cosf, cos)
MATH1(r_tan, tanf, tan)
MATH1(r_asin, asinf, asin)
MATH1(r_acos, acosf, acos)
MATH1(r_atan, atanf, atan)
MATH1(r_sinh, sinhf, sinh)
MATH1(r_cosh, coshf, cosh)
MATH1(r_tanh, tanhf, tanh)
MATH1(r_asinh, asinhf, asinh)
MATH1(r_acosh, acoshf, acosh)
MATH1(r_atanh, atanhf, atanh)
MATH1(r_erf, erff, erf)
MATH1(r_erfc, erfcf, erfc)
MATH1(r_erfinv, erfinvf, erfinv)
MATH1(r_lgamma, lgammaf, lgamma)
MATH1(r_floor, floorf, floor)
MATH1(r_ceil, ceilf, ceil)
MATH1(r_round, rintf, rint)
MATH1(r_trunc, truncf, trunc)
MATH2(r_pow, powf, pow)
MATH2(r_fmod, fmodf, fmod)
MATH2(r_atan2, atan2f, atan2)
MATH2(r_hypot, hypotf, hypot)
MATH2(r_copysign, copysignf, copysign)

DEVICE i64 r_abs(i64 x) {
    return x < 0 ? minus((i64)0, x) : x;
}

template <class C> DEVICE C sigmoid(C x) {
    return C(1) / (C(1) + r_exp(-x));
}

// Reflection, recurrence up to 10, asymptotic series: `calc_digamma` of ATen, in double for every type.
DEVICE double r_digamma(double x) {
    if (x == 0)
        return r_copysign(infinity<double>(), -x);
    double result = 0;
    if (x < 0) {
        if (x == r_trunc(x))
            return not_a_number<double>();
        const double pi = 3.14159265358979323846;
        result = -pi / r_tan(pi * (x - r_trunc(x)));
        x = 1 - x;
    }
    while (x < 10) {
        result -= 1 / x;
        x += 1;
    }
    if (x == 10)
        return result + 2.25175258906672110764;
    double series = 0;
    if (x < 1e17) {
        const double z = 1 / (x * x);
        series = 8.33333333333333333333e-2;
        series = series * z - 2.10927960927960927961e-2;
        series = series * z + 7.57575757575757575758e-3;
        series = series * z - 4.16666666666666666667e-3;
        series = series * z + 3.96825396825396825397e-3;
        series = series * z - 8.33333333333333333333e-3;
        series = series * z + 8.33333333333333333333e-2;
        series = z * series;
    }
    return result + r_log(x) - 0.5 / x - series;
}
DEVICE float r_digamma(float x) {
    return (float)r_digamma((double)x);
}
