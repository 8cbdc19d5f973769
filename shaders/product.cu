// The tile of a matrix product that `matmul.cu` and `conv.cu` share.
//
// A block of 256 threads makes `SIDE` x `SIDE` elements, 64 or 128, while the next part of the inner dimension is on its way
// from memory. The two operands come from sources. A source presents its operand as a matrix of [lines, inner]:
//
//     struct Source {
//         typedef .. Element;
//         static constexpr bool INNER;        // neighboring threads load neighbors along the inner dimension
//         struct Line;                        // what `line` computes once for a line
//         struct Step;                        // what `step` computes once for a place along the inner dimension
//         Line line(i64 i) const;
//         Step step(i64 k) const;
//         Element get(const Line &line, const Step &step) const;   // only for lines and places inside
//     };
//
// Steps are computed once for a block and kept in shared memory. The first template argument of `product_tile` says how elements
// are multiplied: `Fused` in registers, `Tensor` on tensor cores.

#define THREADS 256
// How many words of the inner dimension are in shared memory at one time.
#define DEPTH 16

// ---- in registers: every thread 4 x 4 elements, or four times as many ----------------------------------------------------

template <class C> struct Fused {
    typedef C Word;
    // The number of elements in a word, and of words between the lines of shared memory.
    static constexpr int PER = 1, PAD = 4;
    template <class E> static DEVICE C make(const E *e) {
        return (C)exact(e[0]);
    }
    template <int SIDE> struct Sums {
        static constexpr int N = SIDE / 64;
        C sum[4 * N][4 * N];
        DEVICE void clear() {
#pragma unroll
            for (int i = 0; i < 4 * N; i++)
#pragma unroll
                for (int j = 0; j < 4 * N; j++)
                    sum[i][j] = 0;
        }
        template <int PITCH> DEVICE void add(const C (*left)[PITCH], const C (*right)[PITCH]) {
            const int tx = threadIdx.x % 16, ty = threadIdx.x / 16;
#pragma unroll
            for (int k = 0; k < DEPTH; k++) {
                Pack<C, 4> x[N], y[N];
#pragma unroll
                for (int i = 0; i < N; i++) {
                    x[i] = *(const Pack<C, 4> *)&left[k][ty * 4 + 64 * i];
                    y[i] = *(const Pack<C, 4> *)&right[k][tx * 4 + 64 * i];
                }
#pragma unroll
                for (int i = 0; i < 4 * N; i++)
#pragma unroll
                    for (int j = 0; j < 4 * N; j++)
                        sum[i][j] = fused(x[i / 4].at[i % 4], y[j / 4].at[j % 4], sum[i][j]);
            }
        }
        template <class STORE> DEVICE void put(i64 rows, i64 cols, i64 row0, i64 col0, STORE store) const {
            const int tx = threadIdx.x % 16, ty = threadIdx.x / 16;
#pragma unroll
            for (int i = 0; i < 4 * N; i++) {
                const i64 row = row0 + ty * 4 + i % 4 + 64 * (i / 4);
#pragma unroll
                for (int j = 0; j < 4 * N; j++) {
                    const i64 col = col0 + tx * 4 + j % 4 + 64 * (j / 4);
                    if (row < rows && col < cols)
                        store(row, col, sum[i][j]);
                }
            }
        }
    };
};

// ---- on tensor cores: f16 and bf16 as they are, f32 as TF32; sums in float -------------------------------------------------

// Rounds to TF32: 10 bits of fraction, to nearest, ties away from zero.
DEVICE u32 round_tf32(float v) {
#ifdef TENSORYARD_EMULATED
    const u32 bits = float_to_bits(v);
    return (bits & 0x7f800000u) == 0x7f800000u ? bits : (bits + 0x1000u) & ~0x1fffu;
#else
    u32 bits = 0;
#if __CUDA_ARCH__ >= 800
    asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(bits) : "f"(v));
#endif
    return bits;
#endif
}

// The product that a warp computes at once: 16 x 8 sums of 8 words.
template <class T> DEVICE void multiply(float *d, const u32 *a, const u32 *b) {
#ifdef TENSORYARD_EMULATED
    emulated::multiply(d, a, b, sizeof(T) == 2 ? 2 : 1, [](u32 word, int i) {
        if constexpr (same<T, f32>::value) {
            return bits_to_float(word);
        } else {
            T half;
            half.bits = (u16)(word >> 16 * i);
            return exact(half);
        }
    });
#elif __CUDA_ARCH__ >= 800
    if constexpr (same<T, f32>::value) {
        asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
                     : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                     : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
    } else if constexpr (same<T, f16>::value) {
        asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
                     : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                     : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
    } else {
        asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
                     : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                     : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
    }
#else
    // The executor never uses this on such a device.
    __trap();
#endif
}

template <class T> struct Tensor {
    typedef u32 Word;
    static constexpr int PER = sizeof(T) == 2 ? 2 : 1, PAD = 8;
    static DEVICE u32 make(const T *e) {
        if constexpr (same<T, f32>::value)
            return round_tf32(e[0]);
        else
            return (u32)e[0].bits | (u32)e[1].bits << 16;
    }
    // Eight warps, two down and four across. Each computes `M` x `N` products of `multiply`.
    template <int SIDE> struct Sums {
        static constexpr int M = SIDE / 32, N = SIDE / 32;
        float sum[M][N][4];
        DEVICE void clear() {
#pragma unroll
            for (int i = 0; i < M; i++)
#pragma unroll
                for (int j = 0; j < N; j++)
#pragma unroll
                    for (int e = 0; e < 4; e++)
                        sum[i][j][e] = 0;
        }
        template <int PITCH> DEVICE void add(const u32 (*left)[PITCH], const u32 (*right)[PITCH]) {
            const int warp = threadIdx.x / 32, group = threadIdx.x % 32 / 4, q = threadIdx.x % 4;
            const int row = warp / 4 * (SIDE / 2) + group, col = warp % 4 * (SIDE / 4) + group;
#pragma unroll
            for (int k = 0; k < DEPTH; k += 8) {
                u32 a[M][4], b[N][2];
#pragma unroll
                for (int i = 0; i < M; i++) {
                    a[i][0] = left[k + q][row + 16 * i];
                    a[i][1] = left[k + q][row + 16 * i + 8];
                    a[i][2] = left[k + q + 4][row + 16 * i];
                    a[i][3] = left[k + q + 4][row + 16 * i + 8];
                }
#pragma unroll
                for (int j = 0; j < N; j++) {
                    b[j][0] = right[k + q][col + 8 * j];
                    b[j][1] = right[k + q + 4][col + 8 * j];
                }
#pragma unroll
                for (int i = 0; i < M; i++)
#pragma unroll
                    for (int j = 0; j < N; j++)
                        multiply<T>(sum[i][j], a[i], b[j]);
            }
        }
        template <class STORE> DEVICE void put(i64 rows, i64 cols, i64 row0, i64 col0, STORE store) const {
            const int warp = threadIdx.x / 32, group = threadIdx.x % 32 / 4, q = threadIdx.x % 4;
#pragma unroll
            for (int i = 0; i < M; i++)
#pragma unroll
                for (int j = 0; j < N; j++)
#pragma unroll
                    for (int e = 0; e < 4; e++) {
                        const i64 row = row0 + warp / 4 * (SIDE / 2) + 16 * i + group + e / 2 * 8;
                        const i64 col = col0 + warp % 4 * (SIDE / 4) + 8 * j + 2 * q + e % 2;
                        if (row < rows && col < cols)
                            store(row, col, sum[i][j][e]);
                    }
        }
    };
};

// ---- from memory to shared memory ------------------------------------------------------------------------------------------

// The elements that one thread loads. If the source is `INNER`, 8 neighboring threads load 8 neighbors along the inner dimension;
// otherwise neighboring threads load from neighboring lines.
template <class S, int SIDE> struct Loader {
    static constexpr int COUNT = SIDE * DEPTH / THREADS, LINES = S::INNER ? SIDE / 32 : 1;
    const S &source;
    typename S::Line lines[LINES];
    bool inside[LINES];
    DEVICE Loader(const S &source, i64 count, i64 first) : source(source) {
#pragma unroll
        for (int l = 0; l < LINES; l++) {
            const i64 i = first + side(2 * l);
            inside[l] = i < count;
            lines[l] = source.line(inside[l] ? i : count - 1);
        }
    }
    // Where word `w` of this thread goes.
    static DEVICE int depth(int w) {
        const int t = threadIdx.x;
        return S::INNER ? t % 8 + 8 * (w % 2) : t / SIDE + THREADS / SIDE * w;
    }
    static DEVICE int side(int w) {
        const int t = threadIdx.x;
        return S::INNER ? t / 8 + 32 * (w / 2) : t % SIDE;
    }
    template <class MATH> DEVICE void fetch(typename MATH::Word *words, const typename S::Step *steps, i64 k0, i64 to) const {
#pragma unroll
        for (int w = 0; w < COUNT; w++) {
            typename S::Element e[MATH::PER];
            const int line = S::INNER ? w / 2 : 0, k = depth(w) * MATH::PER;
#pragma unroll
            for (int p = 0; p < MATH::PER; p++)
                e[p] = inside[line] && k0 + k + p < to ? source.get(lines[line], steps[k + p]) : typename S::Element{};
            words[w] = MATH::make(e);
        }
    }
    template <class W, int PITCH> DEVICE void keep(W (*shared)[PITCH], const W *words) const {
#pragma unroll
        for (int w = 0; w < COUNT; w++)
            shared[depth(w)][side(w)] = words[w];
    }
};

template <class W, int PITCH> struct alignas(32) Buffers {
    W at[2][DEPTH][PITCH];
};

// Calls `store(row, col, sum)` for the elements of the tile at (row0, col0) that are inside [rows, cols], over positions
// `from..to` of the inner dimension.
template <class MATH, int SIDE, class A, class B, class STORE>
DEVICE void product_tile(const A &a, const B &b, i64 rows, i64 cols, i64 row0, i64 col0, i64 from, i64 to, STORE store) {
    typedef typename MATH::Word Word;
    constexpr int PITCH = SIDE + MATH::PAD, PART = DEPTH * MATH::PER;
    __shared__ Buffers<Word, PITCH> left, right;
    __shared__ typename A::Step a_steps[2][PART];
    __shared__ typename B::Step b_steps[2][PART];
    const Loader<A, SIDE> from_a(a, rows, row0);
    const Loader<B, SIDE> from_b(b, cols, col0);
    const int t = threadIdx.x;
    const auto step = [&](int buffer, i64 k0) {
        if (t < PART)
            a_steps[buffer][t] = a.step(k0 + t);
        else if (t >= 64 && t < 64 + PART)
            b_steps[buffer][t - 64] = b.step(k0 + t - 64);
    };
    typename MATH::template Sums<SIDE> sums;
    sums.clear();
    Word x[Loader<A, SIDE>::COUNT], y[Loader<B, SIDE>::COUNT];
    // Other threads may still be reading the previous tile.
    __syncthreads();
    step(0, from);
    step(1, from + PART);
    __syncthreads();
    from_a.template fetch<MATH>(x, a_steps[0], from, to);
    from_b.template fetch<MATH>(y, b_steps[0], from, to);
    from_a.keep(left.at[0], x);
    from_b.keep(right.at[0], y);
    __syncthreads();
    int now = 0;
    for (i64 k0 = from; k0 < to; k0 += PART) {
        const i64 next = k0 + PART;
        if (next < to) {
            from_a.template fetch<MATH>(x, a_steps[now ^ 1], next, to);
            from_b.template fetch<MATH>(y, b_steps[now ^ 1], next, to);
        }
        step(now, next + PART);
        sums.add(left.at[now], right.at[now]);
        now ^= 1;
        if (next < to) {
            from_a.keep(left.at[now], x);
            from_b.keep(right.at[now], y);
        }
        __syncthreads();
    }
    sums.put(rows, cols, row0, col0, store);
}
