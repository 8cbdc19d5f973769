// A CUDA device on one processor core, for tests: enough of CUDA C++ that the kernels of shaders/*.cu compile as host code
// and run block by block. Every thread of a block is a fibre of its own; a barrier or a warp shuffle gives way to the next
// fibre until all have arrived. What it does not show: races that need two threads at once, caches, memory order.

#define TENSORYARD_EMULATED
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ucontext.h>
#include <utility>

#define __device__
#define __global__
#define __forceinline__ inline
#define __shared__ static
#define __launch_bounds__(threads)

struct Index3 {
    unsigned x, y, z;
};
static Index3 threadIdx, blockIdx, blockDim, gridDim;

// ---- fibres --------------------------------------------------------------------------------------------------------------

namespace emulated {
const int MOST = 1024;
const size_t STACK = 128 << 10;
struct Fibre {
    ucontext_t context;
    bool done;
};
static Fibre fibres[MOST];
static char *stacks;
static ucontext_t scheduler;
static int current, threads, alive;
static void (*body)(void *);
static void *argument;

// A barrier of a group of threads: those of the block, or of one warp.
struct Barrier {
    int arrived, generation;
};
static Barrier block_barrier, warp_barriers[MOST / 32];
static int warp_alive[MOST / 32];
static unsigned char exchange[MOST][16];

inline void give_way() {
    swapcontext(&fibres[current].context, &scheduler);
}
inline void wait(Barrier &barrier, const int &members) {
    const int generation = barrier.generation;
    barrier.arrived++;
    while (barrier.generation == generation) {
        if (barrier.arrived >= members) {
            barrier.arrived = 0;
            barrier.generation++;
            return;
        }
        give_way();
    }
}
inline void run_fibre() {
    body(argument);
    fibres[current].done = true;
    alive--;
    warp_alive[current / 32]--;
    give_way();
}
inline void run_block() {
    block_barrier = {0, 0};
    for (int w = 0; w < MOST / 32; w++)
        warp_barriers[w] = {0, 0};
    alive = threads;
    for (int w = 0; w < MOST / 32; w++)
        warp_alive[w] = threads - w * 32 < 0 ? 0 : threads - w * 32 > 32 ? 32 : threads - w * 32;
    for (int t = 0; t < threads; t++) {
        Fibre &f = fibres[t];
        f.done = false;
        getcontext(&f.context);
        f.context.uc_stack.ss_sp = stacks + t * STACK;
        f.context.uc_stack.ss_size = STACK;
        f.context.uc_link = 0;
        makecontext(&f.context, run_fibre, 0);
    }
    while (alive > 0) {
        for (int t = 0; t < threads; t++) {
            if (fibres[t].done)
                continue;
            current = t;
            threadIdx = {(unsigned)t, 0, 0};
            swapcontext(&scheduler, &fibres[t].context);
        }
    }
}
inline void run_grid(const unsigned *grid, unsigned block, void (*f)(void *), void *a) {
    if (!stacks)
        stacks = (char *)malloc(MOST * STACK);
    gridDim = {grid[0], grid[1], grid[2]};
    blockDim = {block, 1, 1};
    threads = (int)block;
    body = f;
    argument = a;
    for (unsigned z = 0; z < grid[2]; z++)
        for (unsigned y = 0; y < grid[1]; y++)
            for (unsigned x = 0; x < grid[0]; x++) {
                blockIdx = {x, y, z};
                run_block();
            }
}

// Calls a kernel with arguments behind pointers, as `cuLaunchKernel` does.
template <class... A, size_t... N> void call(void (*kernel)(A...), void **args, std::index_sequence<N...>) {
    kernel(*(typename std::remove_reference<A>::type *)args[N]...);
}
template <class... A> void call(void (*kernel)(A...), void **args) {
    call(kernel, args, std::index_sequence_for<A...>());
}
} // namespace emulated

inline void __syncthreads() {
    emulated::wait(emulated::block_barrier, emulated::alive);
}
template <class T> T __shfl_xor_sync(unsigned, T v, int lane) {
    using namespace emulated;
    const int me = current, warp = me / 32;
    memcpy(exchange[me], &v, sizeof(T));
    wait(warp_barriers[warp], warp_alive[warp]);
    T other;
    memcpy(&other, exchange[me ^ lane], sizeof(T));
    // Nobody writes the next value before all have read this one.
    wait(warp_barriers[warp], warp_alive[warp]);
    return other;
}
inline void __threadfence_system() {}
inline void __threadfence() {}

namespace emulated {
// What one lane brings to and gets from `mma.sync` of 16 x 8 sums over 8 words of 32 bits (m16n8k8 of TF32, m16n8k16 of 16-bit
// floats), by the tables of the PTX manual: with `group` = lane / 4 and `q` = lane % 4, word `k` of row `r` of A is register
// r / 8 + 2 * (k / 4) of the lane with group r % 8 and q = k % 4; word `k` of column `c` of B register k / 4 of the lane with
// group c and q = k % 4; the sums of a lane are rows group and group + 8, columns 2 * q and 2 * q + 1.
struct Fragment {
    unsigned a[4], b[2];
};
static Fragment fragments[MOST];
template <class V> void multiply(float *d, const unsigned *a, const unsigned *b, int per, V value) {
    const int me = current, warp = me / 32, first = warp * 32, group = me % 32 / 4, q = me % 4;
    memcpy(fragments[me].a, a, 16);
    memcpy(fragments[me].b, b, 8);
    wait(warp_barriers[warp], warp_alive[warp]);
    for (int e = 0; e < 4; e++) {
        const int row = group + e / 2 * 8, col = 2 * q + e % 2;
        for (int k = 0; k < 8; k++) {
            const unsigned left = fragments[first + row % 8 * 4 + k % 4].a[row / 8 + 2 * (k / 4)];
            const unsigned right = fragments[first + col * 4 + k % 4].b[k / 4];
            for (int p = 0; p < per; p++)
                d[e] += value(left, p) * value(right, p);
        }
    }
    // Nobody writes the next fragments before all have read these.
    wait(warp_barriers[warp], warp_alive[warp]);
}
} // namespace emulated

// ---- intrinsics ------------------------------------------------------------------------------------------------------------

inline float __uint_as_float(unsigned v) {
    float r;
    memcpy(&r, &v, 4);
    return r;
}
inline unsigned __float_as_uint(float v) {
    unsigned r;
    memcpy(&r, &v, 4);
    return r;
}
inline double __longlong_as_double(long long v) {
    double r;
    memcpy(&r, &v, 8);
    return r;
}
inline long long __double_as_longlong(double v) {
    long long r;
    memcpy(&r, &v, 8);
    return r;
}
inline unsigned __umulhi(unsigned a, unsigned b) {
    return (unsigned)((unsigned long long)a * b >> 32);
}
template <class T> T atomicAdd(T *p, T v) {
    const T old = *p;
    *p = old + v;
    return old;
}
inline unsigned atomicInc(unsigned *p, unsigned limit) {
    const unsigned old = *p;
    *p = old >= limit ? 0 : old + 1;
    return old;
}
template <class T> T atomicExch(T *p, T v) {
    const T old = *p;
    *p = v;
    return old;
}
template <class T> T atomicCAS(T *p, T expected, T v) {
    const T old = *p;
    if (old == expected)
        *p = v;
    return old;
}
inline double erfinv(double y) {
    const double size = fabs(y);
    if (!(size <= 1))
        return NAN;
    if (size == 1)
        return copysign(INFINITY, y);
    // Newton's steps from a rough start.
    const double w = log(1 - y * y), a = 0.147, b = 2 / (M_PI * a) + w / 2;
    double x = copysign(sqrt(sqrt(b * b - w / a) - b), y);
    for (int i = 0; i < 4; i++)
        x -= (erf(x) - y) / (M_2_SQRTPI * exp(-x * x));
    return x;
}
inline float erfinvf(float y) {
    return (float)erfinv((double)y);
}

// ---- the kernels -------------------------------------------------------------------------------------------------------------
