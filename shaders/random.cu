// Draws of PyTorch's CUDA generator: Philox4x32-10, cuRAND's conversions, and the assignment of counters to elements that
// `src/rng/philox.rs` specifies. That file also fixes the grid, so the executor launches exactly T = gridDim.x * 256 threads.

struct Stream {
    u64 seed;
    // Counted in Philox counters, each of which gives four draws: the generator's offset / 4.
    u64 offset;
};
struct Draws {
    u32 at[4];
};

DEVICE Draws philox(const Stream &stream, u64 thread, u64 iteration) {
    const u64 at = stream.offset + iteration;
    u32 key0 = (u32)stream.seed, key1 = (u32)(stream.seed >> 32);
    u32 c0 = (u32)at, c1 = (u32)(at >> 32), c2 = (u32)thread, c3 = (u32)(thread >> 32);
#pragma unroll
    for (int round = 0; round < 10; round++) {
        if (round > 0) {
            key0 += 0x9e3779b9u;
            key1 += 0xbb67ae85u;
        }
        const u64 a = (u64)0xd2511f53u * c0, b = (u64)0xcd9e8d57u * c2;
        const u32 n0 = (u32)(b >> 32) ^ c1 ^ key0, n2 = (u32)(a >> 32) ^ c3 ^ key1;
        c1 = (u32)b;
        c3 = (u32)a;
        c0 = n0;
        c2 = n2;
    }
    return {{c0, c1, c2, c3}};
}

#define TWO_POW_32 2.3283064365386963e-10f
#define TWO_POW_53 1.1102230246251565e-16
#define TAU_F 6.2831853071795864769f
#define PI_D 3.14159265358979323846

// A number in (0, 1].
DEVICE float unit(u32 x) {
    return (float)x * TWO_POW_32 + TWO_POW_32 / 2;
}
DEVICE double bits53(u32 x, u32 y) {
    return (double)((u64)x ^ ((u64)y << 21));
}
DEVICE double unit(u32 x, u32 y) {
    return bits53(x, y) * TWO_POW_53 + TWO_POW_53 / 2;
}

// For floats, cuRAND uses the fast sine and cosine.
DEVICE void sine_cosine(float v, float *s, float *c) {
#ifdef TENSORYARD_EMULATED
    *s = sinf(v);
    *c = cosf(v);
#else
    __sincosf(v, s, c);
#endif
}
DEVICE void sine_cosine_pi(double v, double *s, double *c) {
#ifdef TENSORYARD_EMULATED
    *s = sin(PI_D * v);
    *c = cos(PI_D * v);
#else
    sincospi(v, s, c);
#endif
}

// A distribution turns four draws into `PER` elements.

// from, to
template <class O> struct Uniform {
    static constexpr int PER = 4;
    static DEVICE void run(const Draws &d, const Numbers &p, O *out) {
        const float from = (float)p.at[0].real, end = (float)p.at[1].real;
#pragma unroll
        for (int k = 0; k < 4; k++) {
            const float v = unit(d.at[k]) * (end - from) + from;
            const O rounded = to<O>(v == end ? from : v);
            // Rounding to a half type may give exactly the upper end.
            out[k] = !same<O, f32>::value && exact(rounded) == exact(to<O>(end)) ? to<O>(from) : rounded;
        }
    }
};
template <> struct Uniform<f64> {
    static constexpr int PER = 2;
    static DEVICE void run(const Draws &d, const Numbers &p, f64 *out) {
        const double from = p.at[0].real, end = p.at[1].real;
#pragma unroll
        for (int k = 0; k < 2; k++) {
            const double v = unit(d.at[2 * k], d.at[2 * k + 1]) * (end - from) + from;
            out[k] = v == end ? from : v;
        }
    }
};
// mean, std: Box and Muller on (x, y) and on (z, w), sine first.
template <class O> struct Normal {
    static constexpr int PER = 4;
    static DEVICE void run(const Draws &d, const Numbers &p, O *out) {
        const float mean = (float)p.at[0].real, std = (float)p.at[1].real;
#pragma unroll
        for (int k = 0; k < 4; k += 2) {
            const float radius = sqrtf(-2.0f * logf(unit(d.at[k])));
            const float scale = TAU_F / 4294967296.0f;
            float s, c;
            sine_cosine((float)d.at[k + 1] * scale + scale / 2, &s, &c);
            out[k] = to<O>(radius * s * std + mean);
            out[k + 1] = to<O>(radius * c * std + mean);
        }
    }
};
template <> struct Normal<f64> {
    static constexpr int PER = 2;
    static DEVICE void run(const Draws &d, const Numbers &p, f64 *out) {
        const double radius = sqrt(-2.0 * log(unit(d.at[0], d.at[1])));
        double s, c;
        sine_cosine_pi(bits53(d.at[2], d.at[3]) * (2 * TWO_POW_53) + TWO_POW_53, &s, &c);
        out[0] = radius * s * p.at[1].real + p.at[0].real;
        out[1] = radius * c * p.at[1].real + p.at[0].real;
    }
};
// The probability
template <class O> struct Bernoulli {
    static constexpr int PER = 4;
    static DEVICE void run(const Draws &d, const Numbers &p, O *out) {
        const float limit = (float)p.at[0].real;
#pragma unroll
        for (int k = 0; k < 4; k++)
            out[k] = to<O>((i64)(unit(d.at[k]) < limit));
    }
};
// base, range; below 2^28
template <class O> struct Integers {
    static constexpr int PER = 4;
    static DEVICE void run(const Draws &d, const Numbers &p, O *out) {
#pragma unroll
        for (int k = 0; k < 4; k++)
            out[k] = to<O>(plus(p.at[0].whole, (i64)((u64)d.at[k] % (u64)p.at[1].whole)));
    }
};
// base, range; a range of 0 means all 2^64 integers
template <class O> struct WideIntegers {
    static constexpr int PER = 2;
    static DEVICE void run(const Draws &d, const Numbers &p, O *out) {
        const u64 range = (u64)p.at[1].whole;
#pragma unroll
        for (int k = 0; k < 2; k++) {
            const u64 wide = (u64)d.at[2 * k] << 32 | d.at[2 * k + 1];
            out[k] = to<O>(range == 0 ? (i64)wide : plus(p.at[0].whole, (i64)(wide % range)));
        }
    }
};
// lambda. A draw of 1, whose logarithm is 0, counts as the next smaller number.
template <class O> struct Exponential {
    static constexpr int PER = 4;
    static DEVICE void run(const Draws &d, const Numbers &p, O *out) {
        const float scale = -1.0f / (float)p.at[0].real, tiny = 1.1920928955078125e-7f / 2;
#pragma unroll
        for (int k = 0; k < 4; k++) {
            const float u = unit(d.at[k]);
            out[k] = to<O>(scale * (u >= 1.0f - tiny ? -tiny : logf(u)));
        }
    }
};
template <> struct Exponential<f64> {
    static constexpr int PER = 2;
    static DEVICE void run(const Draws &d, const Numbers &p, f64 *out) {
        const double tiny = 2.220446049250313e-16 / 2;
#pragma unroll
        for (int k = 0; k < 2; k++) {
            const double u = unit(d.at[2 * k], d.at[2 * k + 1]);
            out[k] = -1.0 / p.at[0].real * (u >= 1.0 - tiny ? -tiny : log(u));
        }
    }
};

// Element t + T * c + PER * T * i is component c of the draw of thread t in iteration i.
template <template <class> class DISTRIBUTION, class O>
__global__ void draw(O *out, i64 count, Stream stream, Numbers numbers) {
    typedef DISTRIBUTION<O> D;
    const i64 threads = (i64)gridDim.x * blockDim.x, thread = first_index<i64>();
    for (i64 iteration = 0; iteration * threads * D::PER + thread < count; iteration++) {
        O values[D::PER];
        D::run(philox(stream, (u64)thread, (u64)iteration), numbers, values);
#pragma unroll
        for (int k = 0; k < D::PER; k++) {
            const i64 i = iteration * threads * D::PER + thread + threads * k;
            if (i < count)
                out[i] = values[k];
        }
    }
}

// The mask of dropout if the number of elements is a multiple of `WIDTH` (4 or 2): each thread handles that many adjacent
// elements, and pairs use the two halves of one counter alternately. Numbers: the probability of keeping an element, and
// the value for kept elements.
template <class O, int WIDTH> __global__ void dropout_groups(O *out, i64 count, Stream stream, Numbers numbers) {
    const i64 threads = (i64)gridDim.x * blockDim.x, thread = first_index<i64>();
    const float keep = (float)numbers.at[0].real;
    const O yes = to<O>(numbers.at[1].real), no = to<O>(0.0);
    for (i64 turn = 0; (turn * threads + thread) * WIDTH < count; turn++) {
        const Draws d = philox(stream, (u64)thread, (u64)(WIDTH == 4 ? turn : turn / 2));
        const int skip = WIDTH == 4 ? 0 : 2 * (int)(turn & 1);
#pragma unroll
        for (int k = 0; k < WIDTH; k++)
            out[(turn * threads + thread) * WIDTH + k] = unit(skip ? d.at[(2 + k) & 3] : d.at[k]) < keep ? yes : no;
    }
}
// For an odd number of elements, with the same two numbers.
template <class O> struct Dropout {
    static constexpr int PER = 4;
    static DEVICE void run(const Draws &d, const Numbers &p, O *out) {
#pragma unroll
        for (int k = 0; k < 4; k++)
            out[k] = to<O>(unit(d.at[k]) < (float)p.at[0].real ? p.at[1].real : 0.0);
    }
};
