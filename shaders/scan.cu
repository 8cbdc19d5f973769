// Running sums, products, maxima and minima along a dimension. Floats are accumulated in double.

template <class C> struct scan_of {
    typedef double type;
};
template <> struct scan_of<i64> {
    typedef i64 type;
};

struct ScanSum {
    template <class S> static DEVICE S identity() {
        return S(0);
    }
    template <class S> static DEVICE S merge(S a, S b) {
        return plus(a, b);
    }
};
struct ScanProd {
    template <class S> static DEVICE S identity() {
        return S(1);
    }
    template <class S> static DEVICE S merge(S a, S b) {
        return times(a, b);
    }
};
// Of two equal elements the earlier one stays, as on the CPU: `maximum` and `minimum` then return their second argument.
struct ScanMax {
    template <class S> static DEVICE S identity() {
        return lowest<S>();
    }
    template <class S> static DEVICE S merge(S a, S b) {
        return maximum(b, a);
    }
};
struct ScanMin {
    template <class S> static DEVICE S identity() {
        return highest<S>();
    }
    template <class S> static DEVICE S merge(S a, S b) {
        return minimum(b, a);
    }
};

#define THREADS 256

// One thread per line: for many lines that are adjacent in memory. `lines` has the strides of x and of out.
template <class OP, class X, class O, int RANK>
__global__ void scan_lines(const X *x, O *out, i64 length, i64 x_step, i64 out_step, Walk<2, RANK> lines) {
    typedef typename scan_of<compute<O>>::type S;
    for (i64 line = first_index<i64>(); line < lines.count; line += index_step<i64>()) {
        const Offsets<i64, 2, RANK> at(lines, line);
        S state = OP::template identity<S>();
        for (i64 i = 0; i < length; i++) {
            state = OP::merge(state, (S)to<compute<O>>(x[at.at[0] + i * x_step]));
            out[at.at[1] + i * out_step] = to<O>((compute<O>)state);
        }
    }
}

// One block per line, 1024 elements at a time: each thread combines four, and a scan of the threads' totals in shared memory
// gives each thread what comes before its elements.
template <class OP, class X, class O, int RANK>
__global__ void scan_blocks(const X *x, O *out, i64 length, i64 x_step, i64 out_step, Walk<2, RANK> lines) {
    typedef typename scan_of<compute<O>>::type S;
    __shared__ S totals[THREADS];
    for (i64 line = blockIdx.x; line < lines.count; line += gridDim.x) {
        const Offsets<i64, 2, RANK> at(lines, line);
        S carry = OP::template identity<S>();
        for (i64 base = 0; base < length; base += THREADS * 4) {
            const i64 start = base + (i64)threadIdx.x * 4;
            S values[4], total = OP::template identity<S>();
#pragma unroll
            for (int k = 0; k < 4; k++) {
                if (start + k < length)
                    total = OP::merge(total, (S)to<compute<O>>(x[at.at[0] + (start + k) * x_step]));
                values[k] = total;
            }
            totals[threadIdx.x] = total;
            __syncthreads();
            for (int reach = 1; reach < THREADS; reach *= 2) {
                const bool far = threadIdx.x >= reach;
                const S before = far ? totals[threadIdx.x - reach] : total;
                __syncthreads();
                if (far)
                    totals[threadIdx.x] = OP::merge(before, totals[threadIdx.x]);
                __syncthreads();
            }
            const S before = threadIdx.x == 0 ? carry : OP::merge(carry, totals[threadIdx.x - 1]);
            carry = OP::merge(carry, totals[THREADS - 1]);
#pragma unroll
            for (int k = 0; k < 4; k++) {
                if (start + k < length)
                    out[at.at[1] + (start + k) * out_step] = to<O>((compute<O>)OP::merge(before, values[k]));
            }
            // The next 1024 elements overwrite `totals`, which other threads may still be reading.
            __syncthreads();
        }
    }
}
