// Layer and batch normalization. If memory limits the kernel's speed anyway, statistics and sums over a batch are
// accumulated in double, so that the order of threads can only affect their last bit.

#define THREADS 256

// ---- layer normalization: one block a row of a contiguous [rows, cols] -----------------------------------------------------

template <class X, class W, class O, class M>
__global__ void layer_norm(const X *x, const W *weight, const W *bias, O *out, M *mean, M *rstd, i64 rows, i64 cols, double eps) {
    typedef compute<O> C;
    for (i64 row = blockIdx.x; row < rows; row += gridDim.x) {
        const X *from = x + row * cols;
        O *to_row = out + row * cols;
        C sum = 0;
        for (i64 i = threadIdx.x; i < cols; i += THREADS)
            sum += to<C>(from[i]);
        const C center = block_all<THREADS>(sum, C(0), Plus()) / C(cols);
        C squares = 0;
        for (i64 i = threadIdx.x; i < cols; i += THREADS) {
            const C d = to<C>(from[i]) - center;
            squares += d * d;
        }
        const C variance = block_all<THREADS>(squares, C(0), Plus()) / C(cols);
        const C factor = C(1) / r_sqrt(variance + C(eps));
        for (i64 i = threadIdx.x; i < cols; i += THREADS) {
            C v = (to<C>(from[i]) - center) * factor;
            if (weight)
                v = v * to<C>(weight[i]);
            if (bias)
                v = v + to<C>(bias[i]);
            to_row[i] = to<O>(v);
        }
        if (threadIdx.x == 0) {
            mean[row] = to<M>(center);
            rstd[row] = to<M>(factor);
        }
        __syncthreads();
    }
}

// The same with a row in the registers of `N` threads: it's read once, PACK elements per instruction.
template <class X, class W, class O, class M, int N, int PACK, int PACKS>
__global__ void __launch_bounds__(N)
    layer_norm_packed(const X *x, const W *weight, const W *bias, O *out, M *mean, M *rstd, i64 rows, i64 cols, double eps) {
    typedef compute<O> C;
    const int packs = (int)(cols / PACK);
    for (i64 row = blockIdx.x; row < rows; row += gridDim.x) {
        const Pack<X, PACK> *from = (const Pack<X, PACK> *)(x + row * cols);
        Pack<O, PACK> *into = (Pack<O, PACK> *)(out + row * cols);
        C v[PACKS][PACK], sum = 0;
#pragma unroll
        for (int k = 0; k < PACKS; k++) {
            const int q = k * N + threadIdx.x;
            if (q < packs) {
                const Pack<X, PACK> got = from[q];
#pragma unroll
                for (int e = 0; e < PACK; e++) {
                    v[k][e] = to<C>(got.at[e]);
                    sum += v[k][e];
                }
            }
        }
        const C center = block_all<N>(sum, C(0), Plus()) / C(cols);
        C squares = 0;
#pragma unroll
        for (int k = 0; k < PACKS; k++) {
            if (k * N + threadIdx.x < packs) {
#pragma unroll
                for (int e = 0; e < PACK; e++) {
                    v[k][e] = v[k][e] - center;
                    squares += v[k][e] * v[k][e];
                }
            }
        }
        const C variance = block_all<N>(squares, C(0), Plus()) / C(cols);
        const C factor = C(1) / r_sqrt(variance + C(eps));
#pragma unroll
        for (int k = 0; k < PACKS; k++) {
            const int q = k * N + threadIdx.x;
            if (q < packs) {
                Pack<W, PACK> scale, shift;
                if (weight)
                    scale = ((const Pack<W, PACK> *)weight)[q];
                if (bias)
                    shift = ((const Pack<W, PACK> *)bias)[q];
                Pack<O, PACK> made;
#pragma unroll
                for (int e = 0; e < PACK; e++) {
                    C r = v[k][e] * factor;
                    if (weight)
                        r = r * to<C>(scale.at[e]);
                    if (bias)
                        r = r + to<C>(shift.at[e]);
                    made.at[e] = to<O>(r);
                }
                into[q] = made;
            }
        }
        if (threadIdx.x == 0) {
            mean[row] = to<M>(center);
            rstd[row] = to<M>(factor);
        }
    }
}

// `dx = rstd * (g - mean(g) - h * mean(g * h))` with `h = (x - mean) * rstd` and `g = grad * weight`.
template <class G, class X, class M, class W, class O>
__global__ void layer_norm_dx(const G *grad, const X *x, const M *mean, const M *rstd, const W *weight, O *dx, i64 rows, i64 cols) {
    typedef compute<O> C;
    for (i64 row = blockIdx.x; row < rows; row += gridDim.x) {
        const C center = to<C>(mean[row]), factor = to<C>(rstd[row]);
        C first = 0, second = 0;
        for (i64 i = threadIdx.x; i < cols; i += THREADS) {
            const C g = to<C>(grad[row * cols + i]) * (weight ? to<C>(weight[i]) : C(1));
            first += g;
            second += g * ((to<C>(x[row * cols + i]) - center) * factor);
        }
        first = block_all<THREADS>(first, C(0), Plus()) / C(cols);
        second = block_all<THREADS>(second, C(0), Plus()) / C(cols);
        for (i64 i = threadIdx.x; i < cols; i += THREADS) {
            const C g = to<C>(grad[row * cols + i]) * (weight ? to<C>(weight[i]) : C(1));
            const C h = (to<C>(x[row * cols + i]) - center) * factor;
            dx[row * cols + i] = to<O>(factor * (g - first - h * second));
        }
        __syncthreads();
    }
}

template <class G, class X, class M, class W, class O, int N, int PACK, int PACKS>
__global__ void __launch_bounds__(N)
    layer_norm_dx_packed(const G *grad, const X *x, const M *mean, const M *rstd, const W *weight, O *dx, i64 rows, i64 cols) {
    typedef compute<O> C;
    const int packs = (int)(cols / PACK);
    for (i64 row = blockIdx.x; row < rows; row += gridDim.x) {
        const C center = to<C>(mean[row]), factor = to<C>(rstd[row]);
        C g[PACKS][PACK], h[PACKS][PACK], first = 0, second = 0;
#pragma unroll
        for (int k = 0; k < PACKS; k++) {
            const int q = k * N + threadIdx.x;
            if (q < packs) {
                const Pack<G, PACK> a = ((const Pack<G, PACK> *)(grad + row * cols))[q];
                const Pack<X, PACK> b = ((const Pack<X, PACK> *)(x + row * cols))[q];
                Pack<W, PACK> scale;
                if (weight)
                    scale = ((const Pack<W, PACK> *)weight)[q];
#pragma unroll
                for (int e = 0; e < PACK; e++) {
                    g[k][e] = weight ? to<C>(a.at[e]) * to<C>(scale.at[e]) : to<C>(a.at[e]);
                    h[k][e] = (to<C>(b.at[e]) - center) * factor;
                    first += g[k][e];
                    second += g[k][e] * h[k][e];
                }
            }
        }
        first = block_all<N>(first, C(0), Plus()) / C(cols);
        second = block_all<N>(second, C(0), Plus()) / C(cols);
#pragma unroll
        for (int k = 0; k < PACKS; k++) {
            const int q = k * N + threadIdx.x;
            if (q < packs) {
                Pack<O, PACK> made;
#pragma unroll
                for (int e = 0; e < PACK; e++)
                    made.at[e] = to<O>(factor * (g[k][e] - first - h[k][e] * second));
                ((Pack<O, PACK> *)(dx + row * cols))[q] = made;
            }
        }
    }
}

// Sums over rows: each block has 32 columns, 8 rows at a time, and the rows are split into `gridDim.y` pieces. `sums` is
// [pieces, 2, cols] in double: the sums of `grad * h` and of `grad`.
template <class G, class X, class M>
__global__ void layer_norm_columns(const G *grad, const X *x, const M *mean, const M *rstd, double *sums, i64 rows, i64 cols) {
    typedef compute<X> C;
    __shared__ double by_weight[8][33], by_bias[8][33];
    const int column = threadIdx.x & 31, lane = threadIdx.x / 32;
    const i64 length = (rows + gridDim.y - 1) / gridDim.y;
    const i64 start = (i64)blockIdx.y * length;
    const i64 end = start + length < rows ? start + length : rows;
    for (i64 base = (i64)blockIdx.x * 32; base < cols; base += (i64)gridDim.x * 32) {
        const i64 col = base + column;
        double w = 0, b = 0;
        if (col < cols) {
            for (i64 row = start + lane; row < end; row += 8) {
                const C g = to<C>(grad[row * cols + col]);
                const C h = (to<C>(x[row * cols + col]) - to<C>(mean[row])) * to<C>(rstd[row]);
                w += (double)(g * h);
                b += (double)g;
            }
        }
        by_weight[lane][column] = w;
        by_bias[lane][column] = b;
        __syncthreads();
        if (lane == 0 && col < cols) {
            for (int k = 1; k < 8; k++) {
                w += by_weight[k][column];
                b += by_bias[k][column];
            }
            sums[((i64)blockIdx.y * 2) * cols + col] = w;
            sums[((i64)blockIdx.y * 2 + 1) * cols + col] = b;
        }
        __syncthreads();
    }
}
template <class OW, class OB>
__global__ void layer_norm_sums(const double *sums, OW *dweight, OB *dbias, i64 pieces, i64 cols) {
    for (i64 col = first_index<i64>(); col < cols; col += index_step<i64>()) {
        double w = 0, b = 0;
        for (i64 piece = 0; piece < pieces; piece++) {
            w += sums[piece * 2 * cols + col];
            b += sums[(piece * 2 + 1) * cols + col];
        }
        if (dweight)
            dweight[col] = to<OW>(w);
        if (dbias)
            dbias[col] = to<OB>(b);
    }
}

// ---- batch normalization of a strided [N, C, L] ---------------------------------------------------------------------------

struct Plane {
    i64 n, c, l;
};
struct Steps {
    i64 n, c, l;
};
DEVICE i64 place(const Steps &s, i64 n, i64 c, i64 l) {
    return n * s.n + c * s.c + l * s.l;
}

// Where element `i` of a channel's N * L is, for i = first, first + step, ..: it needs only one division, however many
// there are.
struct Cursor {
    i64 n, l, n_step, l_step, length;
    DEVICE Cursor(i64 first, i64 step, i64 length)
        : n(first / length), l(first % length), n_step(step / length), l_step(step % length), length(length) {
    }
    DEVICE void next() {
        n += n_step;
        l += l_step;
        if (l >= length) {
            l -= length;
            n++;
        }
    }
};

// Sums over each channel, split into `gridDim.y` pieces: `sums` is [pieces, 2, C] in double, for `x - origin` and its square.
// The origin is the channel's first element, so that no digits are lost if the mean is far from zero.
template <class X> __global__ void batch_sums(const X *x, double *sums, Plane size, Steps steps) {
    typedef compute<X> C;
    const i64 count = size.n * size.l, first = (i64)blockIdx.y * THREADS + threadIdx.x, step = (i64)gridDim.y * THREADS;
    for (i64 c = blockIdx.x; c < size.c; c += gridDim.x) {
        const double origin = count > 0 ? (double)to<C>(x[c * steps.c]) : 0;
        double sum = 0, squares = 0;
        Cursor at(first, step, size.l > 0 ? size.l : 1);
#pragma unroll 4
        for (i64 i = first; i < count; i += step, at.next()) {
            const double d = (double)to<C>(x[place(steps, at.n, c, at.l)]) - origin;
            sum += d;
            squares += d * d;
        }
        sum = block_all<THREADS>(sum, 0.0, Plus());
        squares = block_all<THREADS>(squares, 0.0, Plus());
        if (threadIdx.x == 0) {
            sums[((i64)blockIdx.y * 2) * size.c + c] = sum;
            sums[((i64)blockIdx.y * 2 + 1) * size.c + c] = squares;
        }
    }
}
// Mean and biased variance from them.
template <class X, class M, class V>
__global__ void batch_stats(const X *x, const double *sums, i64 pieces, M *mean, i64 mean_step, V *var, i64 var_step, Plane size,
                            Steps steps) {
    const double count = (double)(size.n * size.l);
    for (i64 c = first_index<i64>(); c < size.c; c += index_step<i64>()) {
        const double origin = count > 0 ? (double)to<compute<X>>(x[c * steps.c]) : 0;
        double sum = 0, squares = 0;
        for (i64 piece = 0; piece < pieces; piece++) {
            sum += sums[piece * 2 * size.c + c];
            squares += sums[(piece * 2 + 1) * size.c + c];
        }
        const double shift = sum / count, spread = squares / count - shift * shift;
        mean[c * mean_step] = to<M>(origin + shift);
        // Rounding may give a negative variance. NaN stays.
        var[c * var_step] = to<V>(spread < 0 ? 0.0 : spread);
    }
}

// The vectors of batch normalization: each is [C], with its stride; null if it's missing.
template <class T> struct Channel {
    const T *data;
    i64 step;
};

// `out = x * scale + shift`: these two numbers are computed from the four of a channel, as in ATen.
template <class X, class M, class V, class W, class O>
__global__ void batch_norm(const X *x, Channel<M> mean, Channel<V> var, Channel<W> weight, Channel<W> bias, O *out, Plane size,
                           Steps x_steps, Steps out_steps, double eps) {
    typedef compute<O> C;
    const i64 count = size.n * size.c * size.l;
    for (i64 i = first_index<i64>(); i < count; i += index_step<i64>()) {
        const i64 l = i % size.l, rest = i / size.l, c = rest % size.c, n = rest / size.c;
        const C rstd = C(1) / r_sqrt(to<C>(var.data[c * var.step]) + C(eps));
        const C scale = weight.data ? rstd * to<C>(weight.data[c * weight.step]) : rstd;
        const C shift = (bias.data ? to<C>(bias.data[c * bias.step]) : C(0)) - to<C>(mean.data[c * mean.step]) * scale;
        out[place(out_steps, n, c, l)] = to<O>(fused(to<C>(x[place(x_steps, n, c, l)]), scale, shift));
    }
}

// The same with the planes of [N, C] along `blockIdx.y`, so that a thread reads a channel's numbers only once.
template <class X, class M, class V, class W, class O>
__global__ void batch_norm_planes(const X *x, Channel<M> mean, Channel<V> var, Channel<W> weight, Channel<W> bias, O *out,
                                  Plane size, Steps x_steps, Steps out_steps, double eps) {
    typedef compute<O> C;
    for (i64 plane = blockIdx.y; plane < size.n * size.c; plane += gridDim.y) {
        const i64 n = plane / size.c, c = plane - n * size.c;
        const C rstd = C(1) / r_sqrt(to<C>(var.data[c * var.step]) + C(eps));
        const C scale = weight.data ? rstd * to<C>(weight.data[c * weight.step]) : rstd;
        const C shift = (bias.data ? to<C>(bias.data[c * bias.step]) : C(0)) - to<C>(mean.data[c * mean.step]) * scale;
        const X *from = x + place(x_steps, n, c, 0);
        O *into = out + place(out_steps, n, c, 0);
#pragma unroll 4
        for (i64 l = first_index<i64>(); l < size.l; l += index_step<i64>())
            into[l * out_steps.l] = to<O>(fused(to<C>(from[l * x_steps.l]), scale, shift));
    }
}

// `sums` is [pieces, 2, C] in double, for `grad` and for `grad * h` with `h = (x - mean) * rstd`; pieces are as in
// `batch_sums`.
template <class G, class X, class M, class V>
__global__ void batch_norm_sums(const G *grad, const X *x, Channel<M> mean, Channel<V> var, double *sums, Plane size,
                                Steps grad_steps, Steps x_steps, double eps) {
    typedef compute<X> C;
    const i64 count = size.n * size.l, start = (i64)blockIdx.y * THREADS + threadIdx.x, step = (i64)gridDim.y * THREADS;
    for (i64 c = blockIdx.x; c < size.c; c += gridDim.x) {
        const C center = to<C>(mean.data[c * mean.step]);
        const C rstd = C(1.0 / r_sqrt((double)to<C>(var.data[c * var.step]) + eps));
        double first = 0, second = 0;
        Cursor at(start, step, size.l > 0 ? size.l : 1);
#pragma unroll 4
        for (i64 i = start; i < count; i += step, at.next()) {
            const C g = to<C>(grad[place(grad_steps, at.n, c, at.l)]);
            first += (double)g;
            second += (double)(g * ((to<C>(x[place(x_steps, at.n, c, at.l)]) - center) * rstd));
        }
        first = block_all<THREADS>(first, 0.0, Plus());
        second = block_all<THREADS>(second, 0.0, Plus());
        if (threadIdx.x == 0) {
            sums[((i64)blockIdx.y * 2) * size.c + c] = first;
            sums[((i64)blockIdx.y * 2 + 1) * size.c + c] = second;
        }
    }
}
// Adds the pieces: `all` is [2, C].
template <class O>
__global__ void batch_norm_rest(const double *sums, i64 pieces, double *all, O *dweight, i64 dweight_step, O *dbias, i64 dbias_step,
                                i64 channels) {
    for (i64 c = first_index<i64>(); c < channels; c += index_step<i64>()) {
        double first = 0, second = 0;
        for (i64 piece = 0; piece < pieces; piece++) {
            first += sums[piece * 2 * channels + c];
            second += sums[(piece * 2 + 1) * channels + c];
        }
        all[c] = first;
        all[channels + c] = second;
        if (dbias)
            dbias[c * dbias_step] = to<O>(first);
        if (dweight)
            dweight[c * dweight_step] = to<O>(second);
    }
}

// `dx = weight * rstd * (grad - mean(grad) - h * mean(grad * h))`; without `TRAINING`, `weight * rstd * grad`.
template <bool TRAINING, class G, class X, class M, class V, class W, class O>
__global__ void batch_norm_dx(const G *grad, const X *x, Channel<M> mean, Channel<V> var, Channel<W> weight, const double *sums,
                              O *dx, Plane size, Steps grad_steps, Steps x_steps, Steps dx_steps, double eps) {
    typedef compute<O> C;
    const i64 count = size.n * size.c * size.l;
    const double share = 1.0 / (double)(size.n * size.l);
    for (i64 i = first_index<i64>(); i < count; i += index_step<i64>()) {
        const i64 l = i % size.l, rest = i / size.l, c = rest % size.c, n = rest / size.c;
        const C rstd = C(1.0 / r_sqrt((double)to<C>(var.data[c * var.step]) + eps));
        const C factor = weight.data ? to<C>(weight.data[c * weight.step]) * rstd : rstd;
        C v = to<C>(grad[place(grad_steps, n, c, l)]);
        if constexpr (TRAINING) {
            const C h = (to<C>(x[place(x_steps, n, c, l)]) - to<C>(mean.data[c * mean.step])) * rstd;
            v = v - C(sums[c] * share) - h * C(sums[size.c + c] * share);
        }
        dx[place(dx_steps, n, c, l)] = to<O>(factor * v);
    }
}
// The same by planes.
template <bool TRAINING, class G, class X, class M, class V, class W, class O>
__global__ void batch_norm_dx_planes(const G *grad, const X *x, Channel<M> mean, Channel<V> var, Channel<W> weight,
                                     const double *sums, O *dx, Plane size, Steps grad_steps, Steps x_steps, Steps dx_steps,
                                     double eps) {
    typedef compute<O> C;
    const double share = 1.0 / (double)(size.n * size.l);
    for (i64 plane = blockIdx.y; plane < size.n * size.c; plane += gridDim.y) {
        const i64 n = plane / size.c, c = plane - n * size.c;
        const C rstd = C(1.0 / r_sqrt((double)to<C>(var.data[c * var.step]) + eps));
        const C factor = weight.data ? to<C>(weight.data[c * weight.step]) * rstd : rstd;
        const C center = to<C>(mean.data[c * mean.step]);
        const C first = TRAINING ? C(sums[c] * share) : C(0), second = TRAINING ? C(sums[size.c + c] * share) : C(0);
        const G *from = grad + place(grad_steps, n, c, 0);
        const X *other = x + place(x_steps, n, c, 0);
        O *into = dx + place(dx_steps, n, c, 0);
#pragma unroll 4
        for (i64 l = first_index<i64>(); l < size.l; l += index_step<i64>()) {
            C v = to<C>(from[l * grad_steps.l]);
            if constexpr (TRAINING)
                v = v - first - (to<C>(other[l * x_steps.l]) - center) * rstd * second;
            into[l * dx_steps.l] = to<O>(factor * v);
        }
    }
}
