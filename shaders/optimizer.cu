// Optimizer steps: the single-tensor formulas of `torch.optim`, in their order of float operations, for all parameters of a
// step in one launch. If the step counts are in device memory, so that each replay of a graph increases them, the launch
// computes what depends on them, and increases them when nothing reads them any more.

#define THREADS 256
// Elements that one block updates at a time.
#define CHUNK 2048

// One parameter. `first` is the number of chunks before it.
template <class P, class G, class S> struct Entry {
    P *param;
    const G *grad;
    S *state[3];
    i64 count;
    i64 first;
    // How many steps it has had, if the device counts them.
    f32 *steps;
};

// A rule's numbers. The executor documents the meaning of each.
struct Rule {
    double at[12];
};

#define R(k) C(rule.at[k])

// rate (-lr), momentum, fresh (1 - dampening), decay, sign
template <bool MOMENTUM, bool NESTEROV, bool FIRST> struct Sgd {
    template <class C> static DEVICE void run(const Rule &rule, C &p, C g, C &s0, C &, C &) {
        g = fused(R(3), p, R(4) * g);
        if constexpr (MOMENTUM) {
            s0 = FIRST ? g : fused(R(2), g, s0 * R(1));
            g = NESTEROV ? fused(R(1), s0, g) : s0;
        }
        p = fused(R(0), g, p);
    }
    static constexpr int STATES = MOMENTUM ? 1 : 0;
};
// `m + weight * (g - m)`, in PyTorch's two branches.
template <class C> DEVICE C lerp(C m, C g, C weight) {
    return weight < C(0.5) ? m + weight * (g - m) : g - (g - m) * (C(1) - weight);
}
// rate (-lr / correction1), 1 - beta1, beta2, 1 - beta2, correction2, eps, shrink, decay, sign. If the device counts steps,
// also beta1 and the decoupled decay, from which it computes the rate, correction2 and shrink.
template <bool AMSGRAD> struct Adam {
    template <class C> static DEVICE void run(const Rule &rule, C &p, C g, C &m, C &v, C &top) {
        p = p * R(6);
        g = fused(R(7), p, R(8) * g);
        m = lerp(m, g, R(1));
        v = v * R(2) + R(3) * g * g;
        if constexpr (AMSGRAD)
            top = maximum(top, v);
        p = p + R(0) * m / (r_sqrt(AMSGRAD ? top : v) / R(4) + R(5));
    }
    static constexpr int STATES = AMSGRAD ? 3 : 2;
    // The numbers for step `number`. Each of two threads computes a half, because powers of doubles are slow.
    static DEVICE void prepare(const Rule &rule, double lr, double number, bool second, double *live) {
        if (second) {
            live[1] = r_sqrt(1 - r_pow(rule.at[2], number));
        } else {
            live[0] = -lr / (1 - r_pow(rule.at[9], number));
            live[2] = 1 - lr * rule.at[10];
        }
    }
    static DEVICE void take(Rule &rule, const double *live) {
        rule.at[0] = live[0];
        rule.at[4] = live[1];
        rule.at[6] = live[2];
    }
};
// rate (-lr), alpha, 1 - alpha, eps, momentum, decay, sign
template <bool MOMENTUM, bool CENTERED> struct RmsProp {
    template <class C> static DEVICE void run(const Rule &rule, C &p, C g, C &square, C &s1, C &s2) {
        g = fused(R(5), p, R(6) * g);
        square = square * R(1) + R(2) * g * g;
        C about = square;
        if constexpr (CENTERED) {
            C &mean = MOMENTUM ? s2 : s1;
            mean = lerp(mean, g, R(2));
            about = about - mean * mean;
        }
        const C root = r_sqrt(about) + R(3);
        if constexpr (MOMENTUM) {
            s1 = s1 * R(4) + g / root;
            p = fused(R(0), s1, p);
        } else {
            p = p + R(0) * g / root;
        }
    }
    static constexpr int STATES = 1 + (MOMENTUM ? 1 : 0) + (CENTERED ? 1 : 0);
    static DEVICE void prepare(const Rule &, double lr, double, bool second, double *live) {
        if (!second)
            live[0] = -lr;
    }
    static DEVICE void take(Rule &rule, const double *live) {
        rule.at[0] = live[0];
    }
};
// rate (-lr), eps, decay, sign
struct Adagrad {
    template <class C> static DEVICE void run(const Rule &rule, C &p, C g, C &sum, C &, C &) {
        g = fused(R(2), p, R(3) * g);
        sum = sum + g * g;
        p = p + R(0) * g / (r_sqrt(sum) + R(1));
    }
    static constexpr int STATES = 1;
};

// With COUNTED, every entry has `steps`, the learning rate is the rule's last number unless `lr` points to one, and `done`
// (0 between launches) counts the blocks that have finished.
template <class RULE, class P, class G, class S, bool COUNTED>
__global__ void optimizer(const Entry<P, G, S> *entries, i64 tensors, i64 chunks, Rule rule, const f32 *lr, u32 *done) {
    typedef compute<P> C;
    __shared__ double live[3];
    __shared__ u32 last;
    for (i64 chunk = blockIdx.x; chunk < chunks; chunk += gridDim.x) {
        // The last tensor that starts at or before this chunk.
        i64 low = 0, high = tensors - 1;
        while (low < high) {
            const i64 half = low + (high - low + 1) / 2;
            if (entries[half].first <= chunk)
                low = half;
            else
                high = half - 1;
        }
        const Entry<P, G, S> e = entries[low];
        const i64 start = (chunk - e.first) * CHUNK;
        if constexpr (COUNTED) {
            // No thread reads the previous chunk's numbers any more.
            __syncthreads();
            if (threadIdx.x == 0 || threadIdx.x == 32)
                RULE::prepare(rule, lr ? *lr : rule.at[11], *e.steps + 1.0, threadIdx.x != 0, live);
            __syncthreads();
            RULE::take(rule, live);
        }
#pragma unroll 4
        for (int k = threadIdx.x; k < CHUNK; k += THREADS) {
            const i64 i = start + k;
            if (i >= e.count)
                break;
            C p = to<C>(e.param[i]), s[3] = {0, 0, 0};
#pragma unroll
            for (int j = 0; j < RULE::STATES; j++)
                s[j] = to<C>(e.state[j][i]);
            RULE::template run<C>(rule, p, to<C>(e.grad[i]), s[0], s[1], s[2]);
#pragma unroll
            for (int j = 0; j < RULE::STATES; j++)
                e.state[j][i] = to<S>(s[j]);
            e.param[i] = to<P>(p);
        }
    }
    if constexpr (COUNTED) {
        __syncthreads();
        if (threadIdx.x == 0) {
            __threadfence();
            // When the last block gets here, all others have done their reads. It resets `done` to 0.
            last = atomicInc(done, gridDim.x - 1) == gridDim.x - 1;
        }
        __syncthreads();
        if (last)
            for (i64 t = threadIdx.x; t < tensors; t += THREADS)
                *entries[t].steps += 1.0f;
    }
}
