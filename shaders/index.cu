// Kernels that read where indices say, and kernels that move elements to other places: gather, advanced indexing,
// triangles, flips, joining. An index out of bounds is reported, and its element isn't changed.

// `out[.., i, ..] = x[.., index[i], ..]`. The walk is over `out`, with the strides of out, of x without the indexed
// dimension, and of the index (0 except along that dimension).
template <class X, class IX, class O, int RANK, class I>
__global__ void gather(const X *x, const IX *index, O *out, i64 size, i64 step, i64 dim, Faults faults, Walk<3, RANK> walk) {
    for (I i = first_index<I>(); i < (I)walk.count; i += index_step<I>()) {
        const Offsets<I, 3, RANK> at(walk, i);
        const i64 from = exact(index[at.at[2]]);
        if (from < 0 || from >= size) {
            report(faults.fault, faults.lock, FAULT_INDEX, from, dim, size);
            continue;
        }
        out[at.at[0]] = to<O>(exact(x[(i64)at.at[1] + from * step]));
    }
}

// The indices of advanced indexing: up to 8 tensors, each with its own strides over the common shape.
#define MAX_INDICES 8
struct Indices {
    i64 count;
    const i64 *data[MAX_INDICES];
    // Sizes and strides of the indexed dimensions.
    i64 size[MAX_INDICES];
    i64 step[MAX_INDICES];
};

// `x` is [indexed.., rest..] and `out` is [common.., rest..]. The walk is over `out`, with the strides of out, of x over the
// rest (0 over the common dimensions), then of each index over the common dimensions.
template <class X, class O, int COUNT, int RANK>
__global__ void index_get(const X *x, O *out, Indices indices, Faults faults, Walk<2 + COUNT, RANK> walk) {
    for (i64 i = first_index<i64>(); i < walk.count; i += index_step<i64>()) {
        const Offsets<i64, 2 + COUNT, RANK> at(walk, i);
        i64 from = at.at[1];
        bool inside = true;
#pragma unroll
        for (int k = 0; k < COUNT; k++) {
            const i64 index = indices.data[k][at.at[2 + k]];
            const i64 wrapped = index < 0 ? index + indices.size[k] : index;
            if (wrapped < 0 || wrapped >= indices.size[k]) {
                report(faults.fault, faults.lock, FAULT_INDEX, index, k, indices.size[k]);
                inside = false;
            } else {
                from += wrapped * indices.step[k];
            }
        }
        if (inside)
            out[at.at[0]] = to<O>(exact(x[from]));
    }
}

// Keeps the lower or upper triangle of the last two dimensions.
template <class X, class O, bool UPPER, int RANK>
__global__ void triangle(const X *x, O *out, i64 rows, i64 cols, i64 diagonal, Walk<2, RANK> walk) {
    for (i64 i = first_index<i64>(); i < walk.count; i += index_step<i64>()) {
        const Offsets<i64, 2, RANK> at(walk, i);
        const i64 col = i % cols, row = i / cols % rows;
        // `col - row` cannot overflow, `row + diagonal` could.
        const bool keep = UPPER ? col - row >= diagonal : col - row <= diagonal;
        out[at.at[0]] = to<O>(keep ? exact(x[at.at[1]]) : compute<X>(0));
    }
}

// `out` is the reversed view: the executor passes the last element's address and negative strides.
template <class X, class O, int RANK>
__global__ void flip(const X *x, O *out, Walk<2, RANK> walk) {
    for (i64 i = first_index<i64>(); i < walk.count; i += index_step<i64>()) {
        const Offsets<i64, 2, RANK> at(walk, i);
        out[at.at[0]] = to<O>(exact(x[at.at[1]]));
    }
}

// Tensors to be joined. A line of the result is a line of the first part, then one of the second, and so on; `end` is where in
// the line each part ends.
#define MAX_PARTS 128
template <class T> struct Parts {
    const T *data[MAX_PARTS];
    i64 end[MAX_PARTS];
};

// `out` has `count` elements in lines of `width`, `step` apart. `T` is any type of the elements' size.
template <class T> __global__ void cat(Parts<T> parts, i64 tensors, T *out, i64 count, i64 width, i64 step) {
    for (i64 i = first_index<i64>(); i < count; i += index_step<i64>()) {
        const i64 line = i / width, at = i % width;
        // The first part that ends after this element.
        i64 low = 0, high = tensors - 1;
        while (low < high) {
            const i64 half = (low + high) / 2;
            if (parts.end[half] > at)
                high = half;
            else
                low = half + 1;
        }
        const i64 start = low > 0 ? parts.end[low - 1] : 0;
        out[line * step + at] = parts.data[low][line * (parts.end[low] - start) + at - start];
    }
}
