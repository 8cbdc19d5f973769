// Negative log likelihood. A target outside the classes is reported, and its row is skipped.

#define THREADS 1024

struct Rows {
    i64 rows, classes, ignore;
    // Strides: from row to row and from class to class of logp (or of its gradient), then those of the target, of the classes'
    // weights, and of the output, which has one element for each row.
    i64 row_step, class_step, target_step, weight_step, out_step;
};

// The class of a row, or -1 if the row is ignored or invalid.
template <class T> DEVICE i64 class_of(const T *target, i64 row, const Rows &r, const Faults &faults) {
    const i64 c = exact(target[row * r.target_step]);
    if (c == r.ignore)
        return -1;
    if (c < 0 || c >= r.classes) {
        report(faults.fault, faults.lock, FAULT_TARGET, c, 0, r.classes);
        return -1;
    }
    return c;
}

// `REDUCTION` is 0 for none, 1 for a mean, 2 for a sum. There is one block, so that the order of the additions is
// fixed.
template <class X, class T, class W, class O, class OW, int REDUCTION>
__global__ void __launch_bounds__(THREADS) nll(const X *logp, const T *target, const W *weight, O *out, OW *total_weight, Rows r, Faults faults) {
    typedef compute<X> C;
    double sum = 0, used = 0;
    for (i64 row = threadIdx.x; row < r.rows; row += THREADS) {
        const i64 c = class_of(target, row, r, faults);
        C loss = 0;
        if (c >= 0) {
            const C w = weight ? to<C>(weight[c * r.weight_step]) : C(1);
            loss = -to<C>(logp[row * r.row_step + c * r.class_step]) * w;
            sum += (double)loss;
            used += (double)w;
        }
        if constexpr (REDUCTION == 0)
            out[row * r.out_step] = to<O>(loss);
    }
    sum = block_all<THREADS>(sum, 0.0, Plus());
    used = block_all<THREADS>(used, 0.0, Plus());
    if (threadIdx.x == 0) {
        if constexpr (REDUCTION == 1)
            out[0] = to<O>(sum / used);
        if constexpr (REDUCTION == 2)
            out[0] = to<O>(sum);
        total_weight[0] = to<OW>(used);
    }
}

// Writes the nonzero elements of `out` [rows, classes], with one thread for each row.
template <class G, class T, class W, class TW, class O, int REDUCTION>
__global__ void nll_backward(const G *grad, const T *target, const W *weight, const TW *total_weight, O *out, Rows r, Faults faults) {
    typedef compute<O> C;
    for (i64 row = first_index<i64>(); row < r.rows; row += index_step<i64>()) {
        const i64 c = class_of(target, row, r, faults);
        if (c < 0)
            continue;
        C g = to<C>(grad[REDUCTION == 0 ? row * r.out_step : 0]);
        if constexpr (REDUCTION == 1)
            g = g / to<C>(total_weight[0]);
        out[row * r.row_step + c * r.class_step] = to<O>(-(weight ? to<C>(weight[c * r.weight_step]) : C(1)) * g);
    }
}
