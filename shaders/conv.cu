// Two-dimensional convolution as a product of matrices whose elements are found where they lie (implicit GEMM).

// Sizes of a group's share, and strides of the three tensors: x [N, C, H, W], w [O, C/groups, kh, kw], y [N, O, oh, ow].
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
    static constexpr bool INNER = true;
    const T *w;
    const Convolution &s;
    struct Line {
        const T *w;
    };
    DEVICE Line line(i64 o) const {
        return {w + o * s.w[0]};
    }
    DEVICE compute<T> get(const Line &line, i64 k) const {
        const Tap<I> t = Tap<I>::of((I)k, (I)s.kernel[0], (I)s.kernel[1]);
        return exact(line.w[t.c * s.w[1] + t.i * s.w[2] + t.j * s.w[3]]);
    }
};
template <class T, class I> struct Patches {
    static constexpr bool INNER = false;
    const T *x;
    const Convolution &s;
    struct Line {
        const T *x;
        i64 y0, x0;
    };
    DEVICE Line line(i64 p) const {
        const Pixel<I> at = Pixel<I>::of((I)p, (I)s.out[0], (I)s.out[1]);
        return {x + at.n * s.x[0], (i64)at.y * s.stride[0] - s.padding[0], (i64)at.x * s.stride[1] - s.padding[1]};
    }
    DEVICE compute<T> get(const Line &line, i64 k) const {
        const Tap<I> t = Tap<I>::of((I)k, (I)s.kernel[0], (I)s.kernel[1]);
        const i64 y = line.y0 + t.i * s.dilation[0], col = line.x0 + t.j * s.dilation[1];
        if (y < 0 || y >= s.in[0] || col < 0 || col >= s.in[1])
            return 0;
        return exact(line.x[t.c * s.x[1] + y * s.x[2] + col * s.x[3]]);
    }
};

template <class T, class I> __global__ void conv_forward(const T *x, const T *w, const T *bias, i64 bias_step, T *out, Convolution s) {
    typedef compute<T> C;
    const i64 cols = s.batch * s.out[0] * s.out[1], inner = s.c * s.kernel[0] * s.kernel[1];
    const i64 across = (cols + SIDE - 1) / SIDE, tiles = (s.o + SIDE - 1) / SIDE * across;
    for (i64 g = blockIdx.y; g < s.groups; g += gridDim.y) {
        const WeightRows<T, I> left = {w + g * s.o * s.w[0], s};
        const Patches<T, I> right = {x + g * s.c * s.x[1], s};
        for (i64 tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
            product_tile<C>(left, right, s.o, cols, tile / across * SIDE, tile % across * SIDE, 0, inner, [&](i64 o, i64 p, C sum) {
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
    static constexpr bool INNER = false;
    const T *w;
    const Convolution &s;
    struct Line {
        const T *w;
    };
    DEVICE Line line(i64 c) const {
        return {w + c * s.w[1]};
    }
    DEVICE compute<T> get(const Line &line, i64 k) const {
        const Tap<I> t = Tap<I>::of((I)k, (I)s.kernel[0], (I)s.kernel[1]);
        return exact(line.w[t.c * s.w[0] + t.i * s.w[2] + t.j * s.w[3]]);
    }
};
template <class T, class I> struct Spread {
    static constexpr bool INNER = false;
    const T *grad;
    const Convolution &s;
    struct Line {
        const T *grad;
        i64 y0, x0;
    };
    DEVICE Line line(i64 p) const {
        const Pixel<I> at = Pixel<I>::of((I)p, (I)s.in[0], (I)s.in[1]);
        return {grad + at.n * s.y[0], (i64)at.y + s.padding[0], (i64)at.x + s.padding[1]};
    }
    DEVICE compute<T> get(const Line &line, i64 k) const {
        const Tap<I> t = Tap<I>::of((I)k, (I)s.kernel[0], (I)s.kernel[1]);
        const i64 y = line.y0 - t.i * s.dilation[0], col = line.x0 - t.j * s.dilation[1];
        if (y < 0 || col < 0)
            return 0;
        const I oy = (I)y / (I)s.stride[0], ox = (I)col / (I)s.stride[1];
        if (oy * (I)s.stride[0] != (I)y || ox * (I)s.stride[1] != (I)col || oy >= (I)s.out[0] || ox >= (I)s.out[1])
            return 0;
        return exact(line.grad[t.c * s.y[1] + oy * s.y[2] + ox * s.y[3]]);
    }
};

template <class T, class I> __global__ void conv_input(const T *grad, const T *w, T *out, Convolution s) {
    typedef compute<T> C;
    const i64 cols = s.batch * s.in[0] * s.in[1], inner = s.o * s.kernel[0] * s.kernel[1];
    const i64 across = (cols + SIDE - 1) / SIDE, tiles = (s.c + SIDE - 1) / SIDE * across;
    for (i64 g = blockIdx.y; g < s.groups; g += gridDim.y) {
        const WeightColumns<T, I> left = {w + g * s.o * s.w[0], s};
        const Spread<T, I> right = {grad + g * s.o * s.y[1], s};
        for (i64 tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
            product_tile<C>(left, right, s.c, cols, tile / across * SIDE, tile % across * SIDE, 0, inner, [&](i64 c, i64 p, C sum) {
                const Pixel<I> at = Pixel<I>::of((I)p, (I)s.in[0], (I)s.in[1]);
                out[at.n * s.x[0] + (g * s.c + c) * s.x[1] + at.y * s.x[2] + at.x * s.x[3]] = to<T>(sum);
            });
        }
    }
}

// ---- for the weight: rows are output channels, columns elements of the patch, inside all output pixels --------------------------

template <class T, class I> struct Gradients {
    static constexpr bool INNER = true;
    const T *grad;
    const Convolution &s;
    struct Line {
        const T *grad;
    };
    DEVICE Line line(i64 o) const {
        return {grad + o * s.y[1]};
    }
    DEVICE compute<T> get(const Line &line, i64 k) const {
        const Pixel<I> at = Pixel<I>::of((I)k, (I)s.out[0], (I)s.out[1]);
        return exact(line.grad[at.n * s.y[0] + at.y * s.y[2] + at.x * s.y[3]]);
    }
};
template <class T, class I> struct Samples {
    static constexpr bool INNER = true;
    const T *x;
    const Convolution &s;
    struct Line {
        const T *x;
        i64 y0, x0;
    };
    DEVICE Line line(i64 q) const {
        const Tap<I> t = Tap<I>::of((I)q, (I)s.kernel[0], (I)s.kernel[1]);
        return {x + t.c * s.x[1], (i64)t.i * s.dilation[0] - s.padding[0], (i64)t.j * s.dilation[1] - s.padding[1]};
    }
    DEVICE compute<T> get(const Line &line, i64 k) const {
        const Pixel<I> at = Pixel<I>::of((I)k, (I)s.out[0], (I)s.out[1]);
        const i64 y = line.y0 + at.y * s.stride[0], col = line.x0 + at.x * s.stride[1];
        if (y < 0 || y >= s.in[0] || col < 0 || col >= s.in[1])
            return 0;
        return exact(line.x[at.n * s.x[0] + y * s.x[2] + col * s.x[3]]);
    }
};

// The pixels are shared by `gridDim.z` pieces; with more than one, `partial` [pieces, O * C/groups * kh * kw] takes their sums
// and `conv_weight_sum` adds them.
template <class T, class I>
__global__ void conv_weight(const T *grad, const T *x, T *out, compute<T> *partial, Convolution s) {
    typedef compute<T> C;
    const i64 taps = s.kernel[0] * s.kernel[1], cols = s.c * taps, inner = s.batch * s.out[0] * s.out[1];
    const i64 across = (cols + SIDE - 1) / SIDE, tiles = (s.o + SIDE - 1) / SIDE * across;
    const i64 length = (inner + gridDim.z - 1) / gridDim.z, from = (i64)blockIdx.z * length;
    const i64 to_k = from + length < inner ? from + length : inner;
    for (i64 g = blockIdx.y; g < s.groups; g += gridDim.y) {
        const Gradients<T, I> left = {grad + g * s.o * s.y[1], s};
        const Samples<T, I> right = {x + g * s.c * s.x[1], s};
        for (i64 tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
            product_tile<C>(left, right, s.o, cols, tile / across * SIDE, tile % across * SIDE, from, to_k, [&](i64 o, i64 q, C sum) {
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
