// Elementwise functions of three values. See `elementwise.cu` for how elements are visited.

#define TERNARY(name, expression)                                                                                      \
    struct name {                                                                                                      \
        template <class C> static DEVICE C run(C a, C b, C c, const Numbers &p) {                                      \
            return (C)(expression);                                                                                    \
        }                                                                                                              \
    };
#define P(k) number<C>(p.at[k])

template <class C> DEVICE C at_least(C v, C bound) {
    return v < bound ? bound : v;
}

// The condition is read as bool (see the executor), so that it is 0 or 1 here.
TERNARY(Where, a != 0 ? b : c)
TERNARY(Lerp, r_abs(c) < C(0.5) ? a + c * (b - a) : b - (b - a) * (C(1) - c))
TERNARY(Addcmul, plus(a, times(times(P(0), b), c)))
TERNARY(Addcdiv, a + P(0) * b / c)
TERNARY(Clamp, minimum(maximum(a, b), c))
// From here on P(0) is the loss's `factor`, by which every gradient is multiplied: 1, or 1/N for a mean. For mse it is
// twice that, from the derivative of the square.
TERNARY(MseBackward, P(0) * (b - c) * a)
TERNARY(L1Backward, C((b > c) - (b < c)) * a *P(0))
// P(1) is beta, where the loss changes from a parabola to a line.
struct SmoothL1Backward {
    template <class C> static DEVICE C run(C a, C b, C c, const Numbers &p) {
        const C x = b - c;
        return x <= -P(1) ? -P(0) * a : x >= P(1) ? P(0) * a : P(0) * x * a / P(1);
    }
};
// P(1) is delta, where the loss changes from a parabola to a line.
struct HuberBackward {
    template <class C> static DEVICE C run(C a, C b, C c, const Numbers &p) {
        const C x = b - c;
        return x < -P(1) ? -P(0) * a * P(1) : x > P(1) ? P(0) * a * P(1) : P(0) * x * a;
    }
};
TERNARY(BinaryCrossEntropyBackward, a *(b - c) / at_least((C(1) - b) * b, C(1e-12)) * P(0))
TERNARY(BinaryCrossEntropyWithLogitsBackward, (sigmoid(b) - c) * a *P(0))

// `out = OP(a, b, c)`. `NA` is the dtype in which the first operand is read: bool for `Where`, else `N`.
template <class OP, class A, class B, class D, class O, class NA, class N, int AM, int BM, int DM, int OM, int PACK,
          int RANK, class I>
__global__ void ternary(const A *a, const B *b, const D *c, Number an, Number bn, Number cn, O *out, Numbers numbers,
                        Walk<4, RANK> walk) {
    Input<A, NA, AM, PACK> first(a, an);
    Input<B, N, BM, PACK> second(b, bn);
    Input<D, N, DM, PACK> third(c, cn);
    each<O, N, OM, PACK, I>(
        out, walk,
        [&](I i, const I *at, int lane) {
            return OP::run((compute<N>)first.get(i, at, 1, lane), second.get(i, at, 2, lane),
                           third.get(i, at, 3, lane), numbers);
        },
        [&](I i) {
            first.fetch(i);
            second.fetch(i);
            third.fetch(i);
        });
}
