// Kernels without an input: fills and sequences. See `elementwise.cu` for how elements are visited.

// `out = value`; the executor converts the number.
template <class O, int OM, int PACK, int RANK, class I>
__global__ void fill(O *out, Number value, Walk<1, RANK> walk) {
    const compute<O> v = number<compute<O>>(value);
    each<O, O, OM, PACK, I>(
        out, walk, [&](I, const I *, int) { return v; }, [](I) {});
}

// `out[i] = start + i * step`, in double; in i64 if both numbers and the output are integers.
template <class O, bool WHOLE> __global__ void arange(O *out, i64 stride, i64 count, Number start, Number step) {
    for (i64 i = first_index<i64>(); i < count; i += index_step<i64>()) {
        if constexpr (WHOLE) {
            out[i * stride] = to<O>(plus(start.whole, times(step.whole, i)));
        } else {
            out[i * stride] = to<O>(start.real + step.real * (double)i);
        }
    }
}
