// Kernels that write where indices say. Indices may repeat: sums, products and extremes are atomic; if there are several
// writes to one place, any of them may win, as in CUDA. An index out of bounds is reported, and its element isn't changed.


// Combines the present value with the new one, in the compute type of the element.
struct ScatterSet {
    template <class T> static DEVICE void run(T *p, compute<T> v) {
        *p = to<T>(v);
    }
};
struct ScatterAdd {
    template <class T> static DEVICE void run(T *p, compute<T> v) {
        atomic_plus(p, v);
    }
};
struct ScatterMul {
    template <class T> static DEVICE void run(T *p, compute<T> v) {
        atomic_apply(p, [v](T old) { return to<T>(times(exact(old), v)); });
    }
};
struct ScatterMax {
    template <class T> static DEVICE void run(T *p, compute<T> v) {
        atomic_apply(p, [v](T old) { return to<T>(maximum(exact(old), v)); });
    }
};
struct ScatterMin {
    template <class T> static DEVICE void run(T *p, compute<T> v) {
        atomic_apply(p, [v](T old) { return to<T>(minimum(exact(old), v)); });
    }
};

// `out[.., index, ..] (op)= alpha * src`. The walk is over the source, with the strides of out without the indexed dimension,
// of the source (0 for a number, which is passed as `value`), and of the index.
template <class OP, class S, class IX, class O, bool VALUE, int RANK, class I>
__global__ void scatter(O *out, const IX *index, const S *src, Number value, Number alpha, i64 size, i64 step, i64 dim, Faults faults,
                        Walk<3, RANK> walk) {
    typedef compute<O> C;
    for (I i = first_index<I>(); i < (I)walk.count; i += index_step<I>()) {
        const Offsets<I, 3, RANK> at(walk, i);
        const i64 target = exact(index[at.at[2]]);
        if (target < 0 || target >= size) {
            report(faults.fault, faults.lock, FAULT_INDEX, target, dim, size);
            continue;
        }
        const C v = VALUE ? number<C>(value) : read<O>(src[at.at[1]]);
        OP::template run<O>(out + ((i64)at.at[0] + target * step), times(v, number<C>(alpha)));
    }
}

// See `index.cu`.
#define MAX_INDICES 8
struct Indices {
    i64 count;
    const i64 *data[MAX_INDICES];
    i64 size[MAX_INDICES];
    i64 step[MAX_INDICES];
};

// The walk is over the source [common.., rest..], with strides of out over the rest, of the source, then of each index.
template <class OP, class S, class O, bool VALUE, int COUNT, int RANK>
__global__ void index_put(O *out, const S *src, Number value, Indices indices, Faults faults, Walk<2 + COUNT, RANK> walk) {
    typedef compute<O> C;
    for (i64 i = first_index<i64>(); i < walk.count; i += index_step<i64>()) {
        const Offsets<i64, 2 + COUNT, RANK> at(walk, i);
        i64 place = at.at[0];
        bool inside = true;
#pragma unroll
        for (int k = 0; k < COUNT; k++) {
            const i64 index = indices.data[k][at.at[2 + k]];
            const i64 wrapped = index < 0 ? index + indices.size[k] : index;
            if (wrapped < 0 || wrapped >= indices.size[k]) {
                report(faults.fault, faults.lock, FAULT_INDEX, index, k, indices.size[k]);
                inside = false;
            } else {
                place += wrapped * indices.step[k];
            }
        }
        if (inside)
            OP::template run<O>(out + place, VALUE ? number<C>(value) : read<O>(src[at.at[1]]));
    }
}
