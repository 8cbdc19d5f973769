// What every CUDA kernel family starts with: element types, conversions, walks over strided views, faults, atomics.
//
// Nothing is included: NVRTC then needs no toolkit, and a kernel compiles in milliseconds. The executor puts this file before
// the family's own and names the instantiation it wants, such as `binary<Add, f32, f32, f32, f32, 2, 2, 4, 0, u32>`.
//
// Conventions
//  - Arithmetic is in `float` (for f16, bf16 and f32), `double`, or `i64` (which holds every integer and bool exactly).
//  - Every argument of a kernel is a pointer, an `i64`, a `double` or a struct of those: multiples of 8 bytes.
//  - All loops are grid-stride loops, so any grid covers any size.
//  - No thread leaves before a barrier that others wait at.

typedef signed char i8;
typedef unsigned char u8;
typedef short i16;
typedef unsigned short u16;
typedef int i32;
typedef unsigned int u32;
typedef long long i64;
typedef unsigned long long u64;
typedef float f32;
typedef double f64;
struct f16 {
    u16 bits;
};
struct bf16 {
    u16 bits;
};
// A bool in memory: one byte, 0 or 1.
struct flag {
    u8 value;
};

#define DEVICE __device__ __forceinline__
#define FULL_WARP 0xffffffffu
#define MAX_RANK 12

// ---- types -------------------------------------------------------------------------------------------------------------

template <class A, class B> struct same {
    static constexpr bool value = false;
};
template <class A> struct same<A, A> {
    static constexpr bool value = true;
};

// The type in which an element's arithmetic is done.
template <class T> struct compute_of {
    typedef i64 type;
};
template <> struct compute_of<f16> {
    typedef float type;
};
template <> struct compute_of<bf16> {
    typedef float type;
};
template <> struct compute_of<f32> {
    typedef float type;
};
template <> struct compute_of<f64> {
    typedef double type;
};
template <class T> using compute = typename compute_of<T>::type;

template <class T> struct is_real {
    static constexpr bool value = !same<compute<T>, i64>::value;
};

DEVICE float bits_to_float(u32 bits) {
    return __uint_as_float(bits);
}
DEVICE u32 float_to_bits(float v) {
    return __float_as_uint(v);
}
DEVICE double bits_to_double(u64 bits) {
    return __longlong_as_double((i64)bits);
}
DEVICE u64 double_to_bits(double v) {
    return (u64)__double_as_longlong(v);
}

template <class C> DEVICE C infinity();
template <> DEVICE float infinity<float>() {
    return bits_to_float(0x7f800000u);
}
template <> DEVICE double infinity<double>() {
    return bits_to_double(0x7ff0000000000000ull);
}
template <class C> DEVICE C not_a_number();
template <> DEVICE float not_a_number<float>() {
    return bits_to_float(0x7fc00000u);
}
template <> DEVICE double not_a_number<double>() {
    return bits_to_double(0x7ff8000000000000ull);
}
template <> DEVICE i64 not_a_number<i64>() {
    return 0;
}
// The identities of max and min.
template <class C> DEVICE C lowest() {
    return -infinity<C>();
}
template <> DEVICE i64 lowest<i64>() {
    return (i64)0x8000000000000000ull;
}
template <class C> DEVICE C highest() {
    return infinity<C>();
}
template <> DEVICE i64 highest<i64>() {
    return 0x7fffffffffffffffll;
}

DEVICE bool is_nan(float v) {
    return v != v;
}
DEVICE bool is_nan(double v) {
    return v != v;
}
DEVICE bool is_nan(i64) {
    return false;
}

// ---- conversions -------------------------------------------------------------------------------------------------------

// Toward zero; if the value doesn't fit, the smallest integer, as on the CPU executor.
DEVICE i64 truncate_i64(double v) {
    return v >= -9223372036854775808.0 && v < 9223372036854775808.0 ? (i64)v : lowest<i64>();
}
DEVICE i32 truncate_i32(double v) {
    return v > -2147483649.0 && v < 2147483648.0 ? (i32)v : (i32)0x80000000u;
}

DEVICE float widen_f16(u16 bits) {
#ifdef TENSORYARD_EMULATED
    const u32 magnitude = (u32)(bits & 0x7fff) << 13;
    const u32 finite = float_to_bits(bits_to_float(magnitude) * bits_to_float((127u + 112u) << 23));
    const u32 value = magnitude >= 0x7c00u << 13 ? magnitude | 0x7f800000u : finite;
    return bits_to_float(value | (u32)(bits & 0x8000) << 16);
#else
    float v;
    asm("cvt.f32.f16 %0, %1;" : "=f"(v) : "h"(bits));
    return v;
#endif
}

// Rounds to nearest, ties to even.
DEVICE u16 round_f16(float v) {
#ifdef TENSORYARD_EMULATED
    const u32 denormal = (127u - 15 + 23 - 10 + 1) << 23;
    const u32 bits = float_to_bits(v);
    const u32 magnitude = bits & 0x7fffffffu;
    const u32 special = magnitude > 0x7f800000u ? 0x7e00u : 0x7c00u;
    const u32 small = float_to_bits(bits_to_float(magnitude) + bits_to_float(denormal)) - denormal;
    const u32 normal = (magnitude - (112u << 23) + 0xfffu + (magnitude >> 13 & 1)) >> 13;
    u32 value = magnitude < 113u << 23 ? small : normal;
    value = magnitude >= 143u << 23 ? special : value;
    return (u16)(value | (bits >> 16 & 0x8000u));
#else
    u16 bits;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(bits) : "f"(v));
    return bits;
#endif
}

DEVICE float widen_bf16(u16 bits) {
    return bits_to_float((u32)bits << 16);
}

// Rounds to nearest, ties to even.
DEVICE u16 round_bf16(float v) {
    const u32 bits = float_to_bits(v);
    return is_nan(v) ? (u16)0x7fc0 : (u16)((bits + 0x7fffu + (bits >> 16 & 1)) >> 16);
}

// `to<D>(v)`: converts between any two of the ten element types and the three compute types. The half types go through
// float.
template <class S, class D> struct Convert;

#define CONVERT(S, D, expression)                                                                                      \
    template <> struct Convert<S, D> {                                                                                 \
        static DEVICE D run(S v) {                                                                                     \
            return expression;                                                                                         \
        }                                                                                                              \
    };
// Conversions to one element type, from float, double and i64.
#define CONVERT_TO(D, real, whole)                                                                                     \
    CONVERT(float, D, real)                                                                                            \
    CONVERT(double, D, real)                                                                                           \
    CONVERT(i64, D, whole)
DEVICE f16 make_f16(float v) {
    f16 r;
    r.bits = round_f16(v);
    return r;
}
DEVICE bf16 make_bf16(float v) {
    bf16 r;
    r.bits = round_bf16(v);
    return r;
}
DEVICE flag make_flag(bool v) {
    flag r;
    r.value = v ? 1 : 0;
    return r;
}
CONVERT_TO(flag, make_flag(v != 0), make_flag(v != 0))
CONVERT_TO(u8, (u8)truncate_i32((double)v), (u8)v)
CONVERT_TO(i8, (i8)truncate_i32((double)v), (i8)v)
CONVERT_TO(i16, (i16)truncate_i32((double)v), (i16)v)
CONVERT_TO(i32, truncate_i32((double)v), (i32)v)
CONVERT_TO(i64, truncate_i64((double)v), v)
CONVERT_TO(f16, make_f16((float)v), make_f16((float)v))
CONVERT_TO(bf16, make_bf16((float)v), make_bf16((float)v))
CONVERT_TO(float, (float)v, (float)v)
CONVERT_TO(double, (double)v, (double)v)

// An element in the compute type that holds it exactly.
DEVICE float exact(f16 v) {
    return widen_f16(v.bits);
}
DEVICE float exact(bf16 v) {
    return widen_bf16(v.bits);
}
DEVICE float exact(float v) {
    return v;
}
DEVICE double exact(double v) {
    return v;
}
DEVICE i64 exact(flag v) {
    return v.value != 0;
}
DEVICE i64 exact(u8 v) {
    return v;
}
DEVICE i64 exact(i8 v) {
    return v;
}
DEVICE i64 exact(i16 v) {
    return v;
}
DEVICE i64 exact(i32 v) {
    return v;
}
DEVICE i64 exact(i64 v) {
    return v;
}

// Both `S` and `D` are any element or compute type.
template <class D, class S> DEVICE D to(S v) {
    if constexpr (same<D, S>::value) {
        return v;
    } else {
        return Convert<compute<S>, D>::run(exact(v));
    }
}

// Reads an element for arithmetic in the dtype `N`. A value that `N` can't hold is rounded or wrapped first.
template <class N, class S> DEVICE compute<N> read(S v) {
    return exact(to<N>(v));
}

// Writes a result of arithmetic in the dtype `N`, rounded or wrapped to `N` first. The result of a test is written to bool
// unchanged.
template <class D, class N> DEVICE D write(compute<N> v) {
    if constexpr (same<D, flag>::value) {
        return to<D>(v);
    } else {
        return to<D>(exact(to<N>(v)));
    }
}

// A number passed as a parameter, both as a float and as an integer.
struct Number {
    double real;
    i64 whole;
};
template <class C> DEVICE C number(const Number &n) {
    if constexpr (same<C, i64>::value) {
        return n.whole;
    } else {
        return (C)n.real;
    }
}
// The parameters of an operator.
struct Numbers {
    Number at[4];
};

// ---- integer arithmetic that wraps -----------------------------------------------------------------------------------------

DEVICE float plus(float a, float b) {
    return a + b;
}
DEVICE double plus(double a, double b) {
    return a + b;
}
DEVICE i64 plus(i64 a, i64 b) {
    return (i64)((u64)a + (u64)b);
}
DEVICE float minus(float a, float b) {
    return a - b;
}
DEVICE double minus(double a, double b) {
    return a - b;
}
DEVICE i64 minus(i64 a, i64 b) {
    return (i64)((u64)a - (u64)b);
}
DEVICE float times(float a, float b) {
    return a * b;
}
DEVICE double times(double a, double b) {
    return a * b;
}
DEVICE i64 times(i64 a, i64 b) {
    return (i64)((u64)a * (u64)b);
}
DEVICE float fused(float a, float b, float c) {
    return fmaf(a, b, c);
}
DEVICE double fused(double a, double b, double c) {
    return fma(a, b, c);
}
DEVICE i64 fused(i64 a, i64 b, i64 c) {
    return plus(times(a, b), c);
}
// The larger and the smaller; NaN if either is.
template <class C> DEVICE C maximum(C a, C b) {
    return a > b || is_nan(a) ? a : b;
}
template <class C> DEVICE C minimum(C a, C b) {
    return a < b || is_nan(a) ? a : b;
}

// ---- walks over strided views ----------------------------------------------------------------------------------------------

// Shapes and strides of up to `K` views with one shape, innermost dimension last. `magic` and `shift` divide an index
// below 2^31 by each size: q = (umulhi(n, magic) + n) >> shift.
template <int K, int RANK> struct Walk {
    i64 count;
    i64 shape[RANK];
    u32 magic[RANK];
    u32 shift[RANK];
    i64 strides[K][RANK];
};
template <int K> struct Walk<K, 0> {
    i64 count;
};

template <class I> DEVICE I divide(I n, i64 by, u32 magic, u32 shift) {
    if constexpr (sizeof(I) == 4) {
        return (__umulhi(n, magic) + n) >> shift;
    } else {
        return n / (I)by;
    }
}

// Offsets of element `i` in each view.
template <class I, int K, int RANK> struct Offsets {
    I at[K];
    DEVICE Offsets(const Walk<K, RANK> &walk, I i) {
#pragma unroll
        for (int k = 0; k < K; k++)
            at[k] = 0;
        if constexpr (RANK > 0) {
#pragma unroll
            for (int d = RANK - 1; d >= 0; d--) {
                I index = i;
                if (d > 0) {
                    const I rest = divide<I>(i, walk.shape[d], walk.magic[d], walk.shift[d]);
                    index = i - rest * (I)walk.shape[d];
                    i = rest;
                }
#pragma unroll
                for (int k = 0; k < K; k++)
                    at[k] += index * (I)walk.strides[k][d];
            }
        }
    }
};

// The first element of a thread, and the step of a grid-stride loop.
template <class I> DEVICE I first_index() {
    return (I)blockIdx.x * (I)blockDim.x + (I)threadIdx.x;
}
template <class I> DEVICE I index_step() {
    return (I)gridDim.x * (I)blockDim.x;
}

// `N` elements that one instruction moves.
template <class T, int N> struct alignas(sizeof(T) * N) Pack {
    T at[N];
};

// ---- faults ------------------------------------------------------------------------------------------------------------------

// A kernel's report to the host; only the first fault is kept. It's in host memory that the device can write.
struct Fault {
    u32 what;
    u32 claimed;
    i64 index;
    i64 dim;
    i64 size;
};
#define FAULT_INDEX 1
#define FAULT_TARGET 2
#define FAULT_DIVISION 3

// `lock` is in device memory: atomics on host memory are slow, and only one thread may write.
DEVICE void report(Fault *fault, u32 *lock, u32 what, i64 index, i64 dim, i64 size) {
    if (atomicExch(lock, 1u) == 0) {
        fault->index = index;
        fault->dim = dim;
        fault->size = size;
        __threadfence_system();
        *(volatile u32 *)&fault->what = what;
    }
}

// Where faults go: a parameter of the kernels that may fail.
struct Faults {
    Fault *fault;
    u32 *lock;
};

// ---- atomics -----------------------------------------------------------------------------------------------------------------

// `*p = f(*p)` for one element of any type, by compare-and-swap on the word that contains it.
template <class T, class F> DEVICE void atomic_apply(T *p, F f) {
    if constexpr (sizeof(T) == 8) {
        u64 *word = (u64 *)p;
        u64 seen = *(volatile u64 *)word, expected;
        do {
            expected = seen;
            T value;
            *(u64 *)&value = expected;
            value = f(value);
            seen = atomicCAS(word, expected, *(u64 *)&value);
        } while (seen != expected);
    } else if constexpr (sizeof(T) == 4) {
        u32 *word = (u32 *)p;
        u32 seen = *(volatile u32 *)word, expected;
        do {
            expected = seen;
            T value;
            *(u32 *)&value = expected;
            value = f(value);
            seen = atomicCAS(word, expected, *(u32 *)&value);
        } while (seen != expected);
    } else {
        const u64 address = (u64)p;
        u32 *word = (u32 *)(address & ~(u64)3);
        const u32 shift = (u32)(address & 3) * 8;
        const u32 mask = sizeof(T) == 1 ? 0xffu : 0xffffu;
        u32 seen = *(volatile u32 *)word, expected;
        do {
            expected = seen;
            T value;
            if constexpr (sizeof(T) == 1) {
                *(u8 *)&value = (u8)(expected >> shift);
                value = f(value);
                seen = atomicCAS(word, expected, (expected & ~(mask << shift)) | (u32) * (u8 *)&value << shift);
            } else {
                *(u16 *)&value = (u16)(expected >> shift);
                value = f(value);
                seen = atomicCAS(word, expected, (expected & ~(mask << shift)) | (u32) * (u16 *)&value << shift);
            }
        } while (seen != expected);
    }
}

template <class T> DEVICE void atomic_plus(T *p, compute<T> v) {
    if constexpr (same<T, f32>::value) {
        atomicAdd(p, v);
    } else if constexpr (same<T, f64>::value) {
        atomicAdd(p, v);
    } else if constexpr (same<T, i64>::value) {
        atomicAdd((u64 *)p, (u64)v);
    } else if constexpr (same<T, i32>::value) {
        atomicAdd((u32 *)p, (u32)v);
    } else {
        atomic_apply(p, [v](T old) { return to<T>(plus(exact(old), v)); });
    }
}

// ---- what the threads of a block do together -------------------------------------------------------------------------------------

DEVICE float shuffle_xor(float v, int lane) {
    return __shfl_xor_sync(FULL_WARP, v, lane);
}
DEVICE double shuffle_xor(double v, int lane) {
    return __shfl_xor_sync(FULL_WARP, v, lane);
}
DEVICE i64 shuffle_xor(i64 v, int lane) {
    return __shfl_xor_sync(FULL_WARP, v, lane);
}

// The sum (or another merge) over `WIDTH` neighboring lanes, in all of them. Every lane of the warp must take part.
template <int WIDTH, class V, class M> DEVICE V warp_all(V v, M merge) {
#pragma unroll
    for (int lane = WIDTH / 2; lane > 0; lane /= 2)
        v = merge(v, shuffle_xor(v, lane));
    return v;
}

// The merge over a block of `THREADS` (a multiple of 32), in all of its threads. Every thread of the block must take
// part.
template <int THREADS, class V, class M> DEVICE V block_all(V v, V identity, M merge) {
    __shared__ V parts[32];
    const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    v = warp_all<32>(v, merge);
    __syncthreads();
    if (lane == 0)
        parts[warp] = v;
    __syncthreads();
    V all = identity;
#pragma unroll
    for (int i = 0; i < THREADS / 32; i++)
        all = merge(all, parts[i]);
    return all;
}

struct Plus {
    template <class V> DEVICE V operator()(V a, V b) const {
        return plus(a, b);
    }
};
struct Larger {
    template <class V> DEVICE V operator()(V a, V b) const {
        return maximum(a, b);
    }
};
