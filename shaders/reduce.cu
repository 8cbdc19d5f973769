// Reductions over any dimensions, and the position of an extreme.
//
// A block has 256 threads. `LANES` of them share the elements of one output, so it computes 256 / LANES outputs. With
// `COLUMNS`, neighboring threads compute neighboring outputs (whose elements are then adjacent in memory); without it,
// neighboring threads read adjacent elements of one output. If there are too few outputs to fill the device,
// `gridDim.y` pieces of each output are folded separately, and `reduce_rest` merges the results.

// A reduction folds elements `x`, at position `i` of the reduced ones, into an accumulator of compute type `C`.
struct Information {
    // How many elements are reduced.
    i64 count;
    // The operator's parameter: the correction of a variance, the exponent of a norm.
    double number;
};

#define FOLD(name, start, folded, merged, finished)                                                                    \
    template <class C> struct name {                                                                                   \
        typedef C Acc;                                                                                                 \
        static DEVICE C identity() {                                                                                   \
            return start;                                                                                              \
        }                                                                                                              \
        static DEVICE void step(C &acc, C x, i64, const Information &p) {                                              \
            acc = folded;                                                                                              \
        }                                                                                                              \
        static DEVICE C merge(C a, C b) {                                                                              \
            return merged;                                                                                             \
        }                                                                                                              \
        static DEVICE C finish(C acc, const Information &p) {                                                          \
            return finished;                                                                                           \
        }                                                                                                              \
    };
// The same with an i64 that counts.
#define COUNT(name, folded, finished)                                                                                  \
    template <class C> struct name {                                                                                   \
        typedef i64 Acc;                                                                                               \
        static DEVICE i64 identity() {                                                                                 \
            return 0;                                                                                                  \
        }                                                                                                              \
        static DEVICE void step(i64 &acc, C x, i64, const Information &) {                                             \
            acc += folded;                                                                                             \
        }                                                                                                              \
        static DEVICE i64 merge(i64 a, i64 b) {                                                                        \
            return a + b;                                                                                              \
        }                                                                                                              \
        static DEVICE i64 finish(i64 acc, const Information &) {                                                       \
            return finished;                                                                                           \
        }                                                                                                              \
    };

FOLD(Sum, C(0), plus(acc, x), plus(a, b), acc)
FOLD(Mean, C(0), acc + x, a + b, acc / C(p.count))
FOLD(NanSum, C(0), is_nan(x) ? acc : plus(acc, x), plus(a, b), acc)
FOLD(Prod, C(1), times(acc, x), times(a, b), acc)
FOLD(Max, lowest<C>(), maximum(x, acc), maximum(a, b), acc)
FOLD(Min, highest<C>(), minimum(x, acc), minimum(a, b), acc)
FOLD(NormOne, C(0), acc + r_abs(x), a + b, acc)
FOLD(NormTwo, C(0), acc + x * x, a + b, r_sqrt(acc))
FOLD(NormMax, lowest<C>(), maximum(r_abs(x), acc), maximum(a, b), p.count == 0 ? C(0) : acc)
FOLD(NormMin, highest<C>(), minimum(r_abs(x), acc), minimum(a, b), acc)
FOLD(NormP, C(0), acc + r_pow(r_abs(x), C(p.number)), a + b, r_pow(acc, C(1.0 / p.number)))
COUNT(Any, x != 0, acc != 0)
COUNT(All, x == 0, acc == 0)
COUNT(CountNonzero, x != 0, acc)

// Welford's running mean and sum of squared differences, merged by Chan's formula.
template <class C> struct Var {
    struct Acc {
        C mean, squares, count;
    };
    static DEVICE Acc identity() {
        return {0, 0, 0};
    }
    static DEVICE void step(Acc &acc, C x, i64, const Information &) {
        acc.count += 1;
        const C delta = x - acc.mean;
        acc.mean += delta / acc.count;
        acc.squares += delta * (x - acc.mean);
    }
    static DEVICE Acc merge(Acc a, Acc b) {
        if (a.count == 0)
            return b;
        if (b.count == 0)
            return a;
        const C count = a.count + b.count, delta = b.mean - a.mean, share = b.count / count;
        return {a.mean + delta * share, a.squares + b.squares + delta * delta * a.count * share, count};
    }
    static DEVICE C finish(Acc acc, const Information &p) {
        const double divisor = (double)p.count - p.number;
        // With too few elements, the result is NaN if they're equal, otherwise infinity.
        if (divisor <= 0)
            return acc.squares > 0 ? infinity<C>() : not_a_number<C>();
        return C(acc.squares / divisor);
    }
};

// The largest value so far and the sum of exponentials relative to it. An infinite maximum counts as 0.
template <class C> struct LogSumExp {
    struct Acc {
        C top, sum;
    };
    static DEVICE C shift(C top) {
        return r_abs(top) == infinity<C>() ? C(0) : top;
    }
    static DEVICE Acc identity() {
        return {lowest<C>(), 0};
    }
    static DEVICE void step(Acc &acc, C x, i64, const Information &) {
        acc = merge(acc, {x, r_exp(x - shift(x))});
    }
    static DEVICE Acc merge(Acc a, Acc b) {
        const C top = maximum(a.top, b.top), to = shift(top);
        // An empty side has the sum 0, whatever the exponential of its difference is.
        const C left = a.sum == 0 ? C(0) : a.sum * r_exp(shift(a.top) - to);
        const C right = b.sum == 0 ? C(0) : b.sum * r_exp(shift(b.top) - to);
        return {top, left + right};
    }
    static DEVICE C finish(Acc acc, const Information &) {
        return r_log(acc.sum) + shift(acc.top);
    }
};

// The first of the extreme elements. NaN is more extreme than any number.
template <class C, bool LARGEST> struct Extreme {
    struct Acc {
        C value;
        i64 index;
    };
    static DEVICE Acc identity() {
        return {0, -1};
    }
    static DEVICE bool better(C a, C b) {
        return LARGEST ? a > b : a < b;
    }
    static DEVICE Acc merge(Acc a, Acc b) {
        if (a.index < 0)
            return b;
        if (b.index < 0)
            return a;
        const bool left = is_nan(a.value), right = is_nan(b.value);
        if (left != right)
            return left ? a : b;
        if (!left && better(a.value, b.value))
            return a;
        if (!left && better(b.value, a.value))
            return b;
        return a.index < b.index ? a : b;
    }
    static DEVICE void step(Acc &acc, C x, i64 i, const Information &) {
        acc = merge(acc, {x, i});
    }
};
template <class C> struct ArgMax : Extreme<C, true> {};
template <class C> struct ArgMin : Extreme<C, false> {};

// Where results go: `first` is the reduction's output, or the values of an extreme (which may be omitted); `second` gets
// its indices.
template <class OP, class O> struct Results {
    template <class Acc> static DEVICE void put(O *first, i64 *second, i64 at, i64, const Acc &acc, const Information &p) {
        first[at] = to<O>(OP::finish(acc, p));
    }
};
template <class C, class O> struct Results<ArgMax<C>, O> {
    template <class Acc> static DEVICE void put(O *first, i64 *second, i64 at, i64 to_index, const Acc &acc, const Information &) {
        if (first)
            first[at] = to<O>(acc.value);
        second[to_index] = acc.index;
    }
};
template <class C, class O> struct Results<ArgMin<C>, O> {
    template <class Acc> static DEVICE void put(O *first, i64 *second, i64 at, i64 to_index, const Acc &acc, const Information &) {
        if (first)
            first[at] = to<O>(acc.value);
        second[to_index] = acc.index;
    }
};

#define THREADS 256

// `kept` has the strides of x, of `first` and of `second`; `reduced` has those of x. If there are several pieces, `partial`
// gets one accumulator for each piece and output ([pieces, outputs]). `PACK` > 1: an output's elements are adjacent, and one
// instruction reads this many.
template <template <class> class REDUCTION, class X, class N, class O, int LANES, bool COLUMNS, int PACK, int KEPT, int REDUCED, class I>
__global__ void reduce(const X *x, O *first, i64 *second, void *partial, Walk<3, KEPT> kept, Walk<1, REDUCED> reduced,
                       Information p) {
    typedef REDUCTION<compute<N>> OP;
    typedef typename OP::Acc Acc;
    constexpr int OUTPUTS = THREADS / LANES;
    __shared__ Acc shared[LANES > 1 ? THREADS : 1];
    const int lane = COLUMNS ? threadIdx.x / OUTPUTS : threadIdx.x % LANES;
    const int column = COLUMNS ? threadIdx.x % OUTPUTS : threadIdx.x / LANES;
    const I outputs = (I)kept.count, count = (I)reduced.count;
    const I pieces = gridDim.y;
    const I length = ((count + pieces - 1) / pieces + PACK - 1) / PACK * PACK;
    const I start = (I)blockIdx.y * length < count ? (I)blockIdx.y * length : count;
    const I end = count - start < length ? count : start + length;
    for (I base = (I)blockIdx.x * OUTPUTS; base < outputs; base += (I)gridDim.x * OUTPUTS) {
        const I output = base + column;
        Acc acc = OP::identity();
        if (output < outputs) {
            const Offsets<I, 3, KEPT> place(kept, output);
            const X *from = x + place.at[0];
            I r = start + lane;
            if constexpr (PACK > 1) {
                // Two packs in flight, with a separate accumulator for each position.
                const I packs = (end - start) / PACK;
                const Pack<X, PACK> *packed = (const Pack<X, PACK> *)(from + start);
                Acc each[PACK];
#pragma unroll
                for (int e = 0; e < PACK; e++)
                    each[e] = OP::identity();
                I q = lane;
                for (; q < packs && packs - q > LANES; q += 2 * LANES) {
                    const Pack<X, PACK> v = packed[q], w = packed[q + LANES];
#pragma unroll
                    for (int e = 0; e < PACK; e++) {
                        OP::step(each[e], read<N>(v.at[e]), start + q * PACK + e, p);
                        OP::step(each[e], read<N>(w.at[e]), start + (q + LANES) * PACK + e, p);
                    }
                }
                for (; q < packs; q += LANES) {
                    const Pack<X, PACK> v = packed[q];
#pragma unroll
                    for (int e = 0; e < PACK; e++)
                        OP::step(each[e], read<N>(v.at[e]), start + q * PACK + e, p);
                }
#pragma unroll
                for (int e = 0; e < PACK; e++)
                    acc = OP::merge(acc, each[e]);
                r = start + packs * PACK + lane;
            } else if (end - start >= 4 * LANES) {
                // Four elements in flight, each with its own accumulator.
                Acc more[3] = {OP::identity(), OP::identity(), OP::identity()};
                for (; r < end && end - r > 3 * LANES; r += 4 * LANES) {
                    X v[4];
#pragma unroll
                    for (int k = 0; k < 4; k++)
                        v[k] = from[Offsets<I, 1, REDUCED>(reduced, r + k * LANES).at[0]];
                    OP::step(acc, read<N>(v[0]), r, p);
#pragma unroll
                    for (int k = 1; k < 4; k++)
                        OP::step(more[k - 1], read<N>(v[k]), r + k * LANES, p);
                }
                acc = OP::merge(OP::merge(acc, more[0]), OP::merge(more[1], more[2]));
            }
            for (; r < end; r += LANES)
                OP::step(acc, read<N>(from[Offsets<I, 1, REDUCED>(reduced, r).at[0]]), r, p);
        }
        if constexpr (LANES > 1) {
            const int mine = column * LANES + lane;
            shared[mine] = acc;
            __syncthreads();
#pragma unroll
            for (int half = LANES / 2; half > 0; half /= 2) {
                if (lane < half)
                    shared[mine] = OP::merge(shared[mine], shared[mine + half]);
                __syncthreads();
            }
            acc = shared[column * LANES];
            // The next round overwrites what this one still reads.
            __syncthreads();
        }
        if (lane == 0 && output < outputs) {
            if (pieces > 1) {
                ((Acc *)partial)[(i64)blockIdx.y * (i64)outputs + (i64)output] = acc;
            } else {
                const Offsets<I, 3, KEPT> place(kept, output);
                Results<OP, O>::put(first, second, (i64)place.at[1], (i64)place.at[2], acc, p);
            }
        }
    }
}

// Merges the pieces of each output, with `LANES` threads for each.
template <template <class> class REDUCTION, class N, class O, int LANES, int KEPT, class I>
__global__ void reduce_rest(O *first, i64 *second, const void *partial, i64 pieces, Walk<3, KEPT> kept, Information p) {
    typedef REDUCTION<compute<N>> OP;
    typedef typename OP::Acc Acc;
    constexpr int OUTPUTS = THREADS / LANES;
    __shared__ Acc shared[THREADS];
    const int lane = threadIdx.x % LANES;
    const I outputs = (I)kept.count;
    for (I base = (I)blockIdx.x * OUTPUTS; base < outputs; base += (I)gridDim.x * OUTPUTS) {
        const I output = base + threadIdx.x / LANES;
        Acc acc = OP::identity();
        if (output < outputs) {
#pragma unroll 4
            for (i64 piece = lane; piece < pieces; piece += LANES)
                acc = OP::merge(acc, ((const Acc *)partial)[piece * (i64)outputs + (i64)output]);
        }
        shared[threadIdx.x] = acc;
        __syncthreads();
#pragma unroll
        for (int half = LANES / 2; half > 0; half /= 2) {
            if (lane < half)
                shared[threadIdx.x] = OP::merge(shared[threadIdx.x], shared[threadIdx.x + half]);
            __syncthreads();
        }
        if (lane == 0 && output < outputs) {
            const Offsets<I, 3, KEPT> place(kept, output);
            Results<OP, O>::put(first, second, (i64)place.at[1], (i64)place.at[2], shared[threadIdx.x], p);
        }
        __syncthreads();
    }
}
