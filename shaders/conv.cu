// Two-dimensional convolution as a product of matrices whose elements are read in place (implicit GEMM).

// One group's sizes, and strides of the three tensors: x [N, C, H, W], w [O, C/groups, kh, kw], y [N, O, oh, ow].
struct Convolution {
    i64 batch, groups, c, o;
    i64 in[2], out[2], kernel[2], stride[2], padding[2], dilation[2];
    i64 x[4], w[4], y[4];
};

// A pixel of a [N, .., height, width] tensor by its number.
template <class I> struct Pixel {
    I n, y, x;
    DEVICE static Pixel of(I i, I height, I width) {
        const I rest = i / width;
        return {rest / height, rest % height, i % width};
    }
};
// An element of a patch [channels, kh, kw] by its number.
template <class I> struct Tap {
    I c, i, j;
    DEVICE static Tap of(I k, I height, I width) {
        const I rest = k / width;
        return {rest / height, rest % height, k % width};
    }
};

// ---- forward: rows are output channels, columns output pixels, inside the patch ---------------------------------------------

template <class T, class I> struct WeightRows {
    typedef T Element;
    static constexpr bool INNER = true;
    const T *w;
    const Convolution &s;
    struct Line {
        const T *w;
    };
    struct Step {
        i64 at;
    };
    DEVICE Line line(i64 o) const {
        return {w + o * s.w[0]};
    }
    DEVICE Step step(i64 k) const {
        const Tap<I> t = Tap<I>::of((I)k, (I)s.kernel[0], (I)s.kernel[1]);
        return {(i64)t.c * s.w[1] + (i64)t.i * s.w[2] + (i64)t.j * s.w[3]};
    }
    DEVICE T get(const Line &line, const Step &step) const {
        return line.w[step.at];
    }
};
// A pixel's patch: the position of its upper left corner, which may be outside. The taps are at offsets from it.
template <class T, class I> struct Patches {
    typedef T Element;
    static constexpr bool INNER = false;
    const T *x;
    const Convolution &s;
    struct Line {
        const T *x;
        i32 y0, x0;
    };
    struct Step {
        i64 at;
        i32 y, x;
    };
    DEVICE Line line(i64 p) const {
        const Pixel<I> at = Pixel<I>::of((I)p, (I)s.out[0], (I)s.out[1]);
        const i64 y0 = (i64)at.y * s.stride[0] - s.padding[0], x0 = (i64)at.x * s.stride[1] - s.padding[1];
        return {x + (i64)at.n * s.x[0] + y0 * s.x[2] + x0 * s.x[3], (i32)y0, (i32)x0};
    }
    DEVICE Step step(i64 k) const {
        const Tap<I> t = Tap<I>::of((I)k, (I)s.kernel[0], (I)s.kernel[1]);
        const i64 y = (i64)t.i * s.dilation[0], col = (i64)t.j * s.dilation[1];
        return {(i64)t.c * s.x[1] + y * s.x[2] + col * s.x[3], (i32)y, (i32)col};
    }
    DEVICE T get(const Line &line, const Step &step) const {
        const u32 y = (u32)(line.y0 + step.y), col = (u32)(line.x0 + step.x);
        return y < (u32)s.in[0] && col < (u32)s.in[1] ? line.x[step.at] : T{};
    }
};

template <class T, class I, class MATH, int SIDE>
__global__ void __launch_bounds__(THREADS)
    conv_forward(const T *x, const T *w, const T *bias, i64 bias_step, T *out, Convolution s) {
    typedef compute<T> C;
    const i64 cols = s.batch * s.out[0] * s.out[1], inner = s.c * s.kernel[0] * s.kernel[1];
    const i64 across = (cols + SIDE - 1) / SIDE, tiles = (s.o + SIDE - 1) / SIDE * across;
    for (i64 g = blockIdx.y; g < s.groups; g += gridDim.y) {
        const WeightRows<T, I> left = {w + g * s.o * s.w[0], s};
        const Patches<T, I> right = {x + g * s.c * s.x[1], s};
        for (i64 tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
            product_tile<MATH, SIDE>(left, right, s.o, cols, tile / across * SIDE, tile % across * SIDE, 0, inner, [&](i64 o, i64 p, C sum) {
                const Pixel<I> at = Pixel<I>::of((I)p, (I)s.out[0], (I)s.out[1]);
                const i64 channel = g * s.o + o;
                if (bias)
                    sum = sum + exact(bias[channel * bias_step]);
                out[at.n * s.y[0] + channel * s.y[1] + at.y * s.y[2] + at.x * s.y[3]] = to<T>(sum);
            });
        }
    }
}

// ---- for the input: rows are input channels, columns input pixels, inside output channels and taps -----------------------------

template <class T, class I> struct WeightColumns {
    typedef T Element;
    static constexpr bool INNER = true;
    const T *w;
    const Convolution &s;
    struct Line {
        const T *w;
    };
    struct Step {
        i64 at;
    };
    DEVICE Line line(i64 c) const {
        return {w + c * s.w[1]};
    }
    DEVICE Step step(i64 k) const {
        const Tap<I> t = Tap<I>::of((I)k, (I)s.kernel[0], (I)s.kernel[1]);
        return {(i64)t.c * s.w[0] + (i64)t.i * s.w[2] + (i64)t.j * s.w[3]};
    }
    DEVICE T get(const Line &line, const Step &step) const {
        return line.w[step.at];
    }
};
// The output pixels to which an input pixel contributes: at most one through each tap.
template <class T, class I> struct Spread {
    typedef T Element;
    static constexpr bool INNER = false;
    const T *grad;
    const Convolution &s;
    struct Line {
        const T *grad;
        i32 y0, x0;
    };
    struct Step {
        i64 at;
        i32 y, x;
    };
    DEVICE Line line(i64 p) const {
        const Pixel<I> at = Pixel<I>::of((I)p, (I)s.in[0], (I)s.in[1]);
        return {grad + (i64)at.n * s.y[0], (i32)((i64)at.y + s.padding[0]), (i32)((i64)at.x + s.padding[1])};
    }
    DEVICE Step step(i64 k) const {
        const Tap<I> t = Tap<I>::of((I)k, (I)s.kernel[0], (I)s.kernel[1]);
        return {(i64)t.c * s.y[1], (i32)((i64)t.i * s.dilation[0]), (i32)((i64)t.j * s.dilation[1])};
    }
    DEVICE T get(const Line &line, const Step &step) const {
        const i32 y = line.y0 - step.y, col = line.x0 - step.x;
        if (y < 0 || col < 0)
            return T{};
        u32 oy = (u32)y, ox = (u32)col;
        const u32 down = (u32)s.stride[0], along = (u32)s.stride[1];
        if (down > 1 || along > 1) {
            oy = oy / down;
            ox = ox / along;
            if (oy * down != (u32)y || ox * along != (u32)col)
                return T{};
        }
        if (oy >= (u32)s.out[0] || ox >= (u32)s.out[1])
            return T{};
        return line.grad[step.at + (i64)oy * s.y[2] + (i64)ox * s.y[3]];
    }
};

template <class T, class I, class MATH, int SIDE>
__global__ void __launch_bounds__(THREADS) conv_input(const T *grad, const T *w, T *out, Convolution s) {
    typedef compute<T> C;
    const i64 cols = s.batch * s.in[0] * s.in[1], inner = s.o * s.kernel[0] * s.kernel[1];
    const i64 across = (cols + SIDE - 1) / SIDE, tiles = (s.c + SIDE - 1) / SIDE * across;
    for (i64 g = blockIdx.y; g < s.groups; g += gridDim.y) {
        const WeightColumns<T, I> left = {w + g * s.o * s.w[0], s};
        const Spread<T, I> right = {grad + g * s.o * s.y[1], s};
        for (i64 tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
            product_tile<MATH, SIDE>(left, right, s.c, cols, tile / across * SIDE, tile % across * SIDE, 0, inner, [&](i64 c, i64 p, C sum) {
                const Pixel<I> at = Pixel<I>::of((I)p, (I)s.in[0], (I)s.in[1]);
                out[at.n * s.x[0] + (g * s.c + c) * s.x[1] + at.y * s.x[2] + at.x * s.x[3]] = to<T>(sum);
            });
        }
    }
}

// ---- for the weight: rows are output channels, columns elements of the patch, inside all output pixels --------------------------

template <class T, class I> struct Gradients {
    typedef T Element;
    static constexpr bool INNER = true;
    const T *grad;
    const Convolution &s;
    struct Line {
        const T *grad;
    };
    struct Step {
        i64 at;
    };
    DEVICE Line line(i64 o) const {
        return {grad + o * s.y[1]};
    }
    DEVICE Step step(i64 k) const {
        const Pixel<I> at = Pixel<I>::of((I)k, (I)s.out[0], (I)s.out[1]);
        return {(i64)at.n * s.y[0] + (i64)at.y * s.y[2] + (i64)at.x * s.y[3]};
    }
    DEVICE T get(const Line &line, const Step &step) const {
        return line.grad[step.at];
    }
};
template <class T, class I> struct Samples {
    typedef T Element;
    static constexpr bool INNER = true;
    const T *x;
    const Convolution &s;
    struct Line {
        const T *x;
        i32 y0, x0;
    };
    struct Step {
        i64 at;
        i32 y, x;
    };
    DEVICE Line line(i64 q) const {
        const Tap<I> t = Tap<I>::of((I)q, (I)s.kernel[0], (I)s.kernel[1]);
        const i64 y0 = (i64)t.i * s.dilation[0] - s.padding[0], x0 = (i64)t.j * s.dilation[1] - s.padding[1];
        return {x + (i64)t.c * s.x[1] + y0 * s.x[2] + x0 * s.x[3], (i32)y0, (i32)x0};
    }
    DEVICE Step step(i64 k) const {
        const Pixel<I> at = Pixel<I>::of((I)k, (I)s.out[0], (I)s.out[1]);
        const i64 y = (i64)at.y * s.stride[0], col = (i64)at.x * s.stride[1];
        return {(i64)at.n * s.x[0] + y * s.x[2] + col * s.x[3], (i32)y, (i32)col};
    }
    DEVICE T get(const Line &line, const Step &step) const {
        const u32 y = (u32)(line.y0 + step.y), col = (u32)(line.x0 + step.x);
        return y < (u32)s.in[0] && col < (u32)s.in[1] ? line.x[step.at] : T{};
    }
};

// `gridDim.z` blocks share the pixels. If there are several, their sums go to `partial` [pieces, O * C/groups * kh * kw] and
// `conv_weight_sum` adds them.
template <class T, class I, class MATH, int SIDE>
__global__ void __launch_bounds__(THREADS) conv_weight(const T *grad, const T *x, T *out, compute<T> *partial, Convolution s) {
    typedef compute<T> C;
    const i64 taps = s.kernel[0] * s.kernel[1], cols = s.c * taps, inner = s.batch * s.out[0] * s.out[1];
    const i64 across = (cols + SIDE - 1) / SIDE, tiles = (s.o + SIDE - 1) / SIDE * across;
    const i64 length = (inner + gridDim.z - 1) / gridDim.z, from = (i64)blockIdx.z * length;
    const i64 to_k = from + length < inner ? from + length : inner;
    for (i64 g = blockIdx.y; g < s.groups; g += gridDim.y) {
        const Gradients<T, I> left = {grad + g * s.o * s.y[1], s};
        const Samples<T, I> right = {x + g * s.c * s.x[1], s};
        for (i64 tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
            product_tile<MATH, SIDE>(left, right, s.o, cols, tile / across * SIDE, tile % across * SIDE, from, to_k, [&](i64 o, i64 q, C sum) {
                const i64 row = g * s.o + o;
                if (gridDim.z > 1) {
                    partial[((i64)blockIdx.z * s.groups * s.o + row) * cols + q] = sum;
                } else {
                    const Tap<I> t = Tap<I>::of((I)q, (I)s.kernel[0], (I)s.kernel[1]);
                    out[row * s.w[0] + t.c * s.w[1] + t.i * s.w[2] + t.j * s.w[3]] = to<T>(sum);
                }
            });
        }
    }
}
template <class T, class I> __global__ void conv_weight_sum(const compute<T> *partial, i64 pieces, T *out, Convolution s) {
    const i64 cols = s.c * s.kernel[0] * s.kernel[1], count = s.groups * s.o * cols;
    for (i64 i = first_index<i64>(); i < count; i += index_step<i64>()) {
        compute<T> sum = 0;
        for (i64 piece = 0; piece < pieces; piece++)
            sum += partial[piece * count + i];
        const Tap<I> t = Tap<I>::of((I)(i % cols), (I)s.kernel[0], (I)s.kernel[1]);
        out[i / cols * s.w[0] + t.c * s.w[1] + t.i * s.w[2] + t.j * s.w[3]] = to<T>(sum);
    }
}

// ---- depthwise: every group has one input channel, so there is no product to tile ----------------------------------------------

// One thread for each output element.
template <class T, class I>
__global__ void __launch_bounds__(THREADS) depthwise_forward(const T *x, const T *w, const T *bias, i64 bias_step, T *out, Convolution s) {
    typedef compute<T> C;
    const i64 channels = s.groups * s.o, count = s.batch * channels * s.out[0] * s.out[1];
    for (i64 i = first_index<i64>(); i < count; i += index_step<i64>()) {
        const Pixel<I> at = Pixel<I>::of((I)i, (I)s.out[0], (I)s.out[1]);
        const I n = at.n / (I)channels, channel = at.n % (I)channels;
        const T *from = x + (i64)n * s.x[0] + (i64)(channel / (I)s.o) * s.x[1], *weight = w + (i64)channel * s.w[0];
        const i64 y0 = (i64)at.y * s.stride[0] - s.padding[0], x0 = (i64)at.x * s.stride[1] - s.padding[1];
        C sum = 0;
        for (i64 a = 0; a < s.kernel[0]; a++) {
            const i64 y = y0 + a * s.dilation[0];
            for (i64 b = 0; b < s.kernel[1]; b++) {
                const i64 col = x0 + b * s.dilation[1];
                if (y >= 0 && y < s.in[0] && col >= 0 && col < s.in[1])
                    sum = fused((C)exact(weight[a * s.w[2] + b * s.w[3]]), (C)exact(from[y * s.x[2] + col * s.x[3]]), sum);
            }
        }
        if (bias)
            sum = sum + exact(bias[(i64)channel * bias_step]);
        out[(i64)n * s.y[0] + (i64)channel * s.y[1] + (i64)at.y * s.y[2] + (i64)at.x * s.y[3]] = to<T>(sum);
    }
}

// One thread for each input element.
template <class T, class I>
__global__ void __launch_bounds__(THREADS) depthwise_input(const T *grad, const T *w, T *out, Convolution s) {
    typedef compute<T> C;
    const i64 count = s.batch * s.groups * s.in[0] * s.in[1];
    for (i64 i = first_index<i64>(); i < count; i += index_step<i64>()) {
        const Pixel<I> at = Pixel<I>::of((I)i, (I)s.in[0], (I)s.in[1]);
        const I n = at.n / (I)s.groups, group = at.n % (I)s.groups;
        C sum = 0;
        for (i64 a = 0; a < s.kernel[0]; a++) {
            const i64 y = (i64)at.y + s.padding[0] - a * s.dilation[0];
            if (y < 0 || y % s.stride[0] != 0 || y / s.stride[0] >= s.out[0])
                continue;
            for (i64 b = 0; b < s.kernel[1]; b++) {
                const i64 col = (i64)at.x + s.padding[1] - b * s.dilation[1];
                if (col < 0 || col % s.stride[1] != 0 || col / s.stride[1] >= s.out[1])
                    continue;
                const T *from = grad + (i64)n * s.y[0] + y / s.stride[0] * s.y[2] + col / s.stride[1] * s.y[3];
                for (i64 o = 0; o < s.o; o++) {
                    const i64 channel = (i64)group * s.o + o;
                    sum = fused((C)exact(w[channel * s.w[0] + a * s.w[2] + b * s.w[3]]), (C)exact(from[channel * s.y[1]]), sum);
                }
            }
        }
        out[(i64)n * s.x[0] + (i64)group * s.x[1] + (i64)at.y * s.x[2] + (i64)at.x * s.x[3]] = to<T>(sum);
    }
}

// One block for each element of the weight. `gridDim.z` blocks share its pixels, as in `conv_weight`.
template <class T, class I>
__global__ void __launch_bounds__(THREADS) depthwise_weight(const T *grad, const T *x, T *out, compute<T> *partial, Convolution s) {
    typedef compute<T> C;
    const i64 taps = s.kernel[0] * s.kernel[1], count = s.groups * s.o * taps, inner = s.batch * s.out[0] * s.out[1];
    const i64 length = (inner + gridDim.z - 1) / gridDim.z, from = (i64)blockIdx.z * length;
    const i64 end = from + length < inner ? from + length : inner;
    for (i64 i = blockIdx.x; i < count; i += gridDim.x) {
        const i64 channel = i / taps, a = i % taps / s.kernel[1], b = i % s.kernel[1];
        const T *grads = grad + channel * s.y[1], *samples = x + channel / s.o * s.x[1];
        C sum = 0;
        for (i64 k = from + threadIdx.x; k < end; k += THREADS) {
            const Pixel<I> at = Pixel<I>::of((I)k, (I)s.out[0], (I)s.out[1]);
            const i64 y = (i64)at.y * s.stride[0] - s.padding[0] + a * s.dilation[0];
            const i64 col = (i64)at.x * s.stride[1] - s.padding[1] + b * s.dilation[1];
            if (y >= 0 && y < s.in[0] && col >= 0 && col < s.in[1])
                sum = fused((C)exact(grads[(i64)at.n * s.y[0] + (i64)at.y * s.y[2] + (i64)at.x * s.y[3]]),
                            (C)exact(samples[(i64)at.n * s.x[0] + y * s.x[2] + col * s.x[3]]), sum);
        }
        sum = block_all<THREADS>(sum, C(0), Plus());
        if (threadIdx.x == 0) {
            if (gridDim.z > 1)
                partial[(i64)blockIdx.z * count + i] = sum;
            else
                out[channel * s.w[0] + a * s.w[2] + b * s.w[3]] = to<T>(sum);
        }
    }
}
