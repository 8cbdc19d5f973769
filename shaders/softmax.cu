// Softmax and its logarithm along a dimension, forward and backward.
//
// Lines of up to 1024 contiguous elements are held in the registers of one warp, aligned ones of up to 8192 in those of a
// block. A block reads longer ones twice. Lines whose elements aren't adjacent in memory have one thread each, so that
// neighboring threads read adjacent elements. `lines` has the strides of the operands, with `out` last, over the other
// dimensions.

// The largest value and the sum of exponentials relative to it. `top` is minus infinity before the first value.
template <class C> struct Softened {
    C top, sum;
};
template <class C> DEVICE Softened<C> merge_softened(Softened<C> a, Softened<C> b) {
    if (a.sum == 0)
        return b;
    if (b.sum == 0)
        return a;
    const C top = maximum(a.top, b.top);
    return {top, a.sum * r_exp(a.top - top) + b.sum * r_exp(b.top - top)};
}
template <class C> DEVICE Softened<C> soften(Softened<C> state, C x) {
    // Minus infinity adds nothing. A line with nothing else becomes NaN, by `-inf - -inf`.
    if (x == -infinity<C>())
        return state;
    if (x > state.top || is_nan(x)) {
        const C before = state.sum == 0 ? C(0) : state.sum * r_exp(state.top - x);
        return {x, before + r_exp(x - x)};
    }
    return {state.top, state.sum + r_exp(x - state.top)};
}
template <bool LOG, class C> DEVICE C softened(C x, C top, C scale) {
    return LOG ? x - top - scale : r_exp(x - top) * scale;
}
template <bool LOG, class C> DEVICE C scale_of(C sum) {
    return LOG ? r_log(sum) : C(1) / sum;
}
// An element's contribution to the sum of the backward pass, and its gradient computed from that sum.
template <bool LOG, class C> DEVICE C term(C grad, C y) {
    return LOG ? grad : grad * y;
}
template <bool LOG, class C> DEVICE C slope(C grad, C y, C sum) {
    return LOG ? grad - r_exp(y) * sum : y * (grad - sum);
}

#define THREADS 256
#define WARPS (THREADS / 32)

// One warp per line, with `ITEMS` elements per lane.
template <bool LOG, class X, class O, int ITEMS, int RANK>
__global__ void softmax_warps(const X *x, O *out, i64 length, Walk<2, RANK> lines) {
    typedef compute<O> C;
    const int lane = threadIdx.x & 31;
    for (i64 line = (i64)blockIdx.x * WARPS + threadIdx.x / 32; line < lines.count; line += (i64)gridDim.x * WARPS) {
        const Offsets<i64, 2, RANK> at(lines, line);
        C values[ITEMS], top = -infinity<C>();
#pragma unroll
        for (int k = 0; k < ITEMS; k++) {
            const int i = k * 32 + lane;
            values[k] = i < length ? to<C>(x[at.at[0] + i]) : -infinity<C>();
            top = maximum(values[k], top);
        }
        top = warp_all<32>(top, Larger());
        C sum = 0;
#pragma unroll
        for (int k = 0; k < ITEMS; k++) {
            const C e = k * 32 + lane < length ? r_exp(values[k] - top) : C(0);
            sum += e;
            if (!LOG)
                values[k] = e;
        }
        sum = warp_all<32>(sum, Plus());
        const C scale = scale_of<LOG>(sum);
#pragma unroll
        for (int k = 0; k < ITEMS; k++) {
            const int i = k * 32 + lane;
            if (i < length)
                out[at.at[1] + i] = to<O>(LOG ? values[k] - top - scale : values[k] * scale);
        }
    }
}

// One block per line of up to THREADS * PACKS * PACK elements, which are read once, PACK per instruction.
template <bool LOG, class X, class O, int PACK, int PACKS, int RANK>
__global__ void __launch_bounds__(THREADS) softmax_rows(const X *x, O *out, i64 length, Walk<2, RANK> lines) {
    typedef compute<O> C;
    const int packs = (int)(length / PACK);
    for (i64 line = blockIdx.x; line < lines.count; line += gridDim.x) {
        const Offsets<i64, 2, RANK> at(lines, line);
        const Pack<X, PACK> *from = (const Pack<X, PACK> *)(x + at.at[0]);
        Pack<O, PACK> *into = (Pack<O, PACK> *)(out + at.at[1]);
        C v[PACKS][PACK], top = -infinity<C>();
#pragma unroll
        for (int k = 0; k < PACKS; k++) {
            const int q = k * THREADS + threadIdx.x;
            if (q < packs) {
                const Pack<X, PACK> got = from[q];
#pragma unroll
                for (int e = 0; e < PACK; e++) {
                    v[k][e] = to<C>(got.at[e]);
                    top = maximum(v[k][e], top);
                }
            }
        }
        top = block_all<THREADS>(top, -infinity<C>(), Larger());
        C sum = 0;
#pragma unroll
        for (int k = 0; k < PACKS; k++) {
            if (k * THREADS + threadIdx.x < packs) {
#pragma unroll
                for (int e = 0; e < PACK; e++) {
                    const C raised = r_exp(v[k][e] - top);
                    sum += raised;
                    if (!LOG)
                        v[k][e] = raised;
                }
            }
        }
        const C scale = scale_of<LOG>(block_all<THREADS>(sum, C(0), Plus()));
#pragma unroll
        for (int k = 0; k < PACKS; k++) {
            const int q = k * THREADS + threadIdx.x;
            if (q < packs) {
                Pack<O, PACK> made;
#pragma unroll
                for (int e = 0; e < PACK; e++)
                    made.at[e] = to<O>(LOG ? v[k][e] - top - scale : v[k][e] * scale);
                into[q] = made;
            }
        }
    }
}

// One block per line.
template <bool LOG, class X, class O, int RANK>
__global__ void softmax_blocks(const X *x, O *out, i64 length, Walk<2, RANK> lines) {
    typedef compute<O> C;
    for (i64 line = blockIdx.x; line < lines.count; line += gridDim.x) {
        const Offsets<i64, 2, RANK> at(lines, line);
        Softened<C> mine[4];
#pragma unroll
        for (int k = 0; k < 4; k++)
            mine[k] = {-infinity<C>(), 0};
        i64 i = threadIdx.x;
        for (; i + 3 * THREADS < length; i += 4 * THREADS) {
            C v[4];
#pragma unroll
            for (int k = 0; k < 4; k++)
                v[k] = to<C>(x[at.at[0] + i + k * THREADS]);
#pragma unroll
            for (int k = 0; k < 4; k++)
                mine[k] = soften(mine[k], v[k]);
        }
        for (; i < length; i += THREADS)
            mine[0] = soften(mine[0], to<C>(x[at.at[0] + i]));
        const Softened<C> all = merge_softened(merge_softened(mine[0], mine[1]), merge_softened(mine[2], mine[3]));
        // A thread without elements has `top` minus infinity and the sum 0.
        const C top = block_all<THREADS>(all.top, -infinity<C>(), Larger());
        const C part = all.sum == 0 ? C(0) : all.sum * r_exp(all.top - top);
        const C sum = block_all<THREADS>(part, C(0), Plus());
        const C scale = scale_of<LOG>(sum);
        for (i64 i = threadIdx.x; i < length; i += THREADS)
            out[at.at[1] + i] = to<O>(softened<LOG>(to<C>(x[at.at[0] + i]), top, scale));
        __syncthreads();
    }
}

// One thread per line.
template <bool LOG, class X, class O, int RANK>
__global__ void softmax_threads(const X *x, O *out, i64 length, i64 x_step, i64 out_step, Walk<2, RANK> lines) {
    typedef compute<O> C;
    for (i64 line = first_index<i64>(); line < lines.count; line += index_step<i64>()) {
        const Offsets<i64, 2, RANK> at(lines, line);
        C top = -infinity<C>(), sum = 0;
        for (i64 i = 0; i < length; i++)
            top = maximum(to<C>(x[at.at[0] + i * x_step]), top);
        for (i64 i = 0; i < length; i++)
            sum += r_exp(to<C>(x[at.at[0] + i * x_step]) - top);
        const C scale = scale_of<LOG>(sum);
        for (i64 i = 0; i < length; i++)
            out[at.at[1] + i * out_step] = to<O>(softened<LOG>(to<C>(x[at.at[0] + i * x_step]), top, scale));
    }
}

template <bool LOG, class G, class Y, class O, int ITEMS, int RANK>
__global__ void softmax_backward_warps(const G *grad, const Y *y, O *out, i64 length, Walk<3, RANK> lines) {
    typedef compute<O> C;
    const int lane = threadIdx.x & 31;
    for (i64 line = (i64)blockIdx.x * WARPS + threadIdx.x / 32; line < lines.count; line += (i64)gridDim.x * WARPS) {
        const Offsets<i64, 3, RANK> at(lines, line);
        C g[ITEMS], v[ITEMS], sum = 0;
#pragma unroll
        for (int k = 0; k < ITEMS; k++) {
            const int i = k * 32 + lane;
            g[k] = i < length ? to<C>(grad[at.at[0] + i]) : C(0);
            v[k] = i < length ? to<C>(y[at.at[1] + i]) : C(0);
            sum += term<LOG>(g[k], v[k]);
        }
        sum = warp_all<32>(sum, Plus());
#pragma unroll
        for (int k = 0; k < ITEMS; k++) {
            const int i = k * 32 + lane;
            if (i < length)
                out[at.at[2] + i] = to<O>(slope<LOG>(g[k], v[k], sum));
        }
    }
}

template <bool LOG, class G, class Y, class O, int PACK, int PACKS, int RANK>
__global__ void __launch_bounds__(THREADS)
    softmax_backward_rows(const G *grad, const Y *y, O *out, i64 length, Walk<3, RANK> lines) {
    typedef compute<O> C;
    const int packs = (int)(length / PACK);
    for (i64 line = blockIdx.x; line < lines.count; line += gridDim.x) {
        const Offsets<i64, 3, RANK> at(lines, line);
        const Pack<G, PACK> *grads = (const Pack<G, PACK> *)(grad + at.at[0]);
        const Pack<Y, PACK> *results = (const Pack<Y, PACK> *)(y + at.at[1]);
        Pack<O, PACK> *into = (Pack<O, PACK> *)(out + at.at[2]);
        C g[PACKS][PACK], v[PACKS][PACK], sum = 0;
#pragma unroll
        for (int k = 0; k < PACKS; k++) {
            const int q = k * THREADS + threadIdx.x;
            if (q < packs) {
                const Pack<G, PACK> a = grads[q];
                const Pack<Y, PACK> b = results[q];
#pragma unroll
                for (int e = 0; e < PACK; e++) {
                    g[k][e] = to<C>(a.at[e]);
                    v[k][e] = to<C>(b.at[e]);
                    sum += term<LOG>(g[k][e], v[k][e]);
                }
            }
        }
        sum = block_all<THREADS>(sum, C(0), Plus());
#pragma unroll
        for (int k = 0; k < PACKS; k++) {
            const int q = k * THREADS + threadIdx.x;
            if (q < packs) {
                Pack<O, PACK> made;
#pragma unroll
                for (int e = 0; e < PACK; e++)
                    made.at[e] = to<O>(slope<LOG>(g[k][e], v[k][e], sum));
                into[q] = made;
            }
        }
    }
}

template <bool LOG, class G, class Y, class O, int RANK>
__global__ void softmax_backward_blocks(const G *grad, const Y *y, O *out, i64 length, Walk<3, RANK> lines) {
    typedef compute<O> C;
    for (i64 line = blockIdx.x; line < lines.count; line += gridDim.x) {
        const Offsets<i64, 3, RANK> at(lines, line);
        C sum = 0;
        for (i64 i = threadIdx.x; i < length; i += THREADS)
            sum += term<LOG>(to<C>(grad[at.at[0] + i]), to<C>(y[at.at[1] + i]));
        sum = block_all<THREADS>(sum, C(0), Plus());
        for (i64 i = threadIdx.x; i < length; i += THREADS)
            out[at.at[2] + i] = to<O>(slope<LOG>(to<C>(grad[at.at[0] + i]), to<C>(y[at.at[1] + i]), sum));
        __syncthreads();
    }
}

template <bool LOG, class G, class Y, class O, int RANK>
__global__ void softmax_backward_threads(const G *grad, const Y *y, O *out, i64 length, i64 grad_step, i64 y_step,
                                         i64 out_step, Walk<3, RANK> lines) {
    typedef compute<O> C;
    for (i64 line = first_index<i64>(); line < lines.count; line += index_step<i64>()) {
        const Offsets<i64, 3, RANK> at(lines, line);
        C sum = 0;
        for (i64 i = 0; i < length; i++)
            sum += term<LOG>(to<C>(grad[at.at[0] + i * grad_step]), to<C>(y[at.at[1] + i * y_step]));
        for (i64 i = 0; i < length; i++)
            out[at.at[2] + i * out_step] = to<O>(
                slope<LOG>(to<C>(grad[at.at[0] + i * grad_step]), to<C>(y[at.at[1] + i * y_step]), sum));
    }
}
