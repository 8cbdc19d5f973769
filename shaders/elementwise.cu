// How elementwise kernels visit their operands.
//
// A kernel walks over all elements of the broadcast shape. Each operand has a mode, known when the kernel is compiled:
// 0 NUMBER   not a view but a number, passed as a parameter
// 1 FIXED    a view whose strides are all 0, so it has one element
// 2 LINEAR   element `i` of the walk is element `i` of the view
// 3 STRIDED  the view's strides say where element `i` is
//
// If `PACK` > 1, every view is LINEAR or FIXED and aligned, and a thread moves PACK elements with one instruction. `RANK` is
// the number of dimensions of the walk after those with matching strides have been merged, or 0 if nothing is STRIDED. `I` is
// the type of an index: u32 if every index fits into 31 bits, otherwise u64.

#define NUMBER 0
#define FIXED 1
#define LINEAR 2
#define STRIDED 3

// An operand of dtype `T`, read for arithmetic in `N`.
template <class T, class N, int MODE, int PACK> struct Input {
    const T *data;
    compute<N> fixed;
    Pack<T, PACK> pack;

    DEVICE Input(const T *data, const Number &n) : data(data) {
        if constexpr (MODE == NUMBER)
            fixed = number<compute<N>>(n);
        if constexpr (MODE == FIXED)
            fixed = read<N>(data[0]);
    }
    // Loads the PACK elements that start at element `i`.
    template <class I> DEVICE void fetch(I i) {
        if constexpr (MODE == LINEAR && PACK > 1)
            pack = *(const Pack<T, PACK> *)(data + i);
    }
    // Element `i` of the walk. `at[k]` is its offset if the mode is STRIDED; `lane` is its place in the pack, or -1 without one.
    template <class I> DEVICE compute<N> get(I i, const I *at, int k, int lane) const {
        if constexpr (MODE == LINEAR) {
            if constexpr (PACK > 1) {
                if (lane >= 0)
                    return read<N>(pack.at[lane]);
            }
            return read<N>(data[i]);
        } else if constexpr (MODE == STRIDED) {
            return read<N>(data[at[k]]);
        } else {
            return fixed;
        }
    }
};

// Calls `f(i, offsets, lane)` for every element and stores its result. If `PACK` > 1, `fetch(i)` comes before
// the PACK calls with lanes 0 to PACK - 1. The remaining elements at the end are done one by one, with lane -1.
template <class O, class N, int MODE, int PACK, class I, int K, int RANK, class F, class G>
DEVICE void each(O *out, const Walk<K, RANK> &walk, F f, G fetch) {
    const I count = (I)walk.count;
    if constexpr (PACK > 1) {
        const I packs = count / PACK;
        for (I p = first_index<I>(); p < packs; p += index_step<I>()) {
            const I i = p * PACK;
            fetch(i);
            Pack<O, PACK> result;
#pragma unroll
            for (int lane = 0; lane < PACK; lane++)
                result.at[lane] = write<O, N>(f(i + lane, (const I *)0, lane));
            *(Pack<O, PACK> *)(out + i) = result;
        }
        const I rest = packs * PACK + first_index<I>();
        if (rest < count)
            out[rest] = write<O, N>(f(rest, (const I *)0, -1));
    } else {
        for (I i = first_index<I>(); i < count; i += index_step<I>()) {
            if constexpr (RANK > 0) {
                const Offsets<I, K, RANK> offsets(walk, i);
                out[MODE == LINEAR ? i : offsets.at[0]] = write<O, N>(f(i, offsets.at, -1));
            } else {
                out[i] = write<O, N>(f(i, (const I *)0, -1));
            }
        }
    }
}
