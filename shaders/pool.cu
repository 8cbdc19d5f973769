// Pooling over planes [N, C, H, W], with one thread for each output element.

struct Pool {
    i64 kernel[2], stride[2], padding[2], dilation[2];
    i64 include_pad;
    // 0 means the window's size.
    i64 divisor;
};
// The strides of a [N, C, H, W] view.
struct Steps {
    i64 at[4];
};
struct Shape {
    i64 n, c, h, w;
};
struct Place {
    i64 n, c, y, x;
};
DEVICE Place place_of(i64 i, const Shape &s) {
    const i64 x = i % s.w, a = i / s.w, y = a % s.h, b = a / s.h;
    return {b / s.c, b % s.c, y, x};
}
DEVICE i64 offset(const Steps &s, i64 n, i64 c, i64 y, i64 x) {
    return n * s.at[0] + c * s.at[1] + y * s.at[2] + x * s.at[3];
}

// The positions of a window's taps inside the input. The window itself may be far larger.
struct Taps {
    i64 first, end;
};
DEVICE Taps taps(i64 begin, i64 dilation, i64 kernel, i64 size) {
    const i64 skipped = begin < 0 ? (-begin - 1) / dilation + 1 : 0, reach = begin + (kernel - 1) * dilation;
    return {begin + skipped * dilation, reach < size ? reach + 1 : size};
}

template <class X, class O>
__global__ void max_pool(const X *x, O *out, i64 *indices, Shape in, Shape shape, Steps x_steps, Steps out_steps, Steps index_steps,
                         Pool p) {
    const i64 count = shape.n * shape.c * shape.h * shape.w;
    for (i64 i = first_index<i64>(); i < count; i += index_step<i64>()) {
        const Place o = place_of(i, shape);
        const X *plane = x + offset(x_steps, o.n, o.c, 0, 0);
        i64 best = -1;
        compute<X> top = 0;
        const Taps rows = taps(o.y * p.stride[0] - p.padding[0], p.dilation[0], p.kernel[0], in.h);
        const Taps columns = taps(o.x * p.stride[1] - p.padding[1], p.dilation[1], p.kernel[1], in.w);
        for (i64 y = rows.first; y < rows.end; y += p.dilation[0]) {
            for (i64 col = columns.first; col < columns.end; col += p.dilation[1]) {
                const compute<X> v = exact(plane[y * x_steps.at[2] + col * x_steps.at[3]]);
                if (best < 0 || ((v > top || is_nan(v)) && !is_nan(top))) {
                    best = y * in.w + col;
                    top = v;
                }
            }
        }
        out[offset(out_steps, o.n, o.c, o.y, o.x)] = to<O>(top);
        indices[offset(index_steps, o.n, o.c, o.y, o.x)] = best < 0 ? 0 : best;
    }
}

// Adds each gradient at the position of its maximum; `out` starts with zeros. Its type is `A`: f32 for the half types.
template <class G, class A>
__global__ void max_pool_backward(const G *grad, const i64 *indices, A *out, Shape shape, i64 in_h, i64 in_w, Steps grad_steps,
                                  Steps index_steps, Steps out_steps, Faults faults) {
    const i64 count = shape.n * shape.c * shape.h * shape.w;
    for (i64 i = first_index<i64>(); i < count; i += index_step<i64>()) {
        const Place o = place_of(i, shape);
        const i64 at = indices[offset(index_steps, o.n, o.c, o.y, o.x)];
        if (at < 0 || at >= in_h * in_w) {
            report(faults.fault, faults.lock, FAULT_INDEX, at, 2, in_h * in_w);
            continue;
        }
        atomic_plus(out + offset(out_steps, o.n, o.c, at / in_w, at % in_w),
                    to<compute<A>>(grad[offset(grad_steps, o.n, o.c, o.y, o.x)]));
    }
}

// A window: its part inside the input, and its length with padding.
struct Window {
    i64 start, end, length;
};
DEVICE i64 within(i64 v, i64 low, i64 high) {
    return v < low ? low : v > high ? high : v;
}
// Windows of average pooling.
struct Fixed {
    static DEVICE Window at(i64 position, int axis, const Pool &p, i64 in, i64) {
        const i64 start = position * p.stride[axis];
        const i64 reach = start + p.kernel[axis], most = in + 2 * p.padding[axis];
        const i64 end = reach < most ? reach : most;
        return {within(start - p.padding[axis], 0, in), within(end - p.padding[axis], 0, in), end > start ? end - start : 0};
    }
    static DEVICE i64 divisor(const Window &y, const Window &x, const Pool &p) {
        if (p.divisor)
            return p.divisor;
        return p.include_pad ? y.length * x.length : (y.end - y.start) * (x.end - x.start);
    }
    // The output positions whose windows may contain an input position.
    static DEVICE Window covering(i64 at, int axis, const Pool &p, i64, i64 out) {
        const i64 padded = at + p.padding[axis], before = padded - p.kernel[axis] + 1;
        const i64 first = before <= 0 ? 0 : (before + p.stride[axis] - 1) / p.stride[axis];
        const i64 last = padded / p.stride[axis] + 1;
        return {first, last < out ? last : out, 0};
    }
};
// Windows of adaptive pooling: floor(i * in / out) .. ceil((i + 1) * in / out).
struct Adaptive {
    static DEVICE Window at(i64 position, int, const Pool &, i64 in, i64 out) {
        return {position * in / out, ((position + 1) * in + out - 1) / out, 0};
    }
    static DEVICE i64 divisor(const Window &y, const Window &x, const Pool &) {
        return (y.end - y.start) * (x.end - x.start);
    }
    static DEVICE Window covering(i64 at, int, const Pool &, i64 in, i64 out) {
        return {at * out / in, ((at + 1) * out + in - 1) / in, 0};
    }
};

template <class WINDOWS, class X, class O>
__global__ void avg_pool(const X *x, O *out, Shape in, Shape shape, Steps x_steps, Steps out_steps, Pool p) {
    typedef compute<O> C;
    const i64 count = shape.n * shape.c * shape.h * shape.w;
    for (i64 i = first_index<i64>(); i < count; i += index_step<i64>()) {
        const Place o = place_of(i, shape);
        const Window rows = WINDOWS::at(o.y, 0, p, in.h, shape.h), cols = WINDOWS::at(o.x, 1, p, in.w, shape.w);
        C sum = 0;
        for (i64 y = rows.start; y < rows.end; y++)
            for (i64 col = cols.start; col < cols.end; col++)
                sum += to<C>(x[offset(x_steps, o.n, o.c, y, col)]);
        out[offset(out_steps, o.n, o.c, o.y, o.x)] = to<O>(sum / C(WINDOWS::divisor(rows, cols, p)));
    }
}

// One thread for each element of the input: it collects its share from every window that contains it.
template <class WINDOWS, class G, class O>
__global__ void avg_pool_backward(const G *grad, O *out, Shape in, Shape shape, Steps grad_steps, Steps out_steps, Pool p) {
    typedef compute<O> C;
    const i64 count = in.n * in.c * in.h * in.w;
    for (i64 i = first_index<i64>(); i < count; i += index_step<i64>()) {
        const Place o = place_of(i, in);
        const Window ys = WINDOWS::covering(o.y, 0, p, in.h, shape.h), xs = WINDOWS::covering(o.x, 1, p, in.w, shape.w);
        C sum = 0;
        for (i64 y = ys.start; y < ys.end; y++) {
            const Window rows = WINDOWS::at(y, 0, p, in.h, shape.h);
            if (o.y < rows.start || o.y >= rows.end)
                continue;
            for (i64 x = xs.start; x < xs.end; x++) {
                const Window cols = WINDOWS::at(x, 1, p, in.w, shape.w);
                if (o.x < cols.start || o.x >= cols.end)
                    continue;
                sum += to<C>(grad[offset(grad_steps, o.n, o.c, y, x)]) / C(WINDOWS::divisor(rows, cols, p));
            }
        }
        out[offset(out_steps, o.n, o.c, o.y, o.x)] = to<O>(sum);
    }
}
