// Stable sorting along a dimension.
//
// Elements become 64-bit keys with the order of sorting: NaN is the greatest, the two zeros are equal, and all bits are
// inverted for a descending sort. Positions are compared last, so every order is total and any sorting network is stable.
// Blocks sort runs of 1024 in shared memory. Then pairs of runs are merged: each element finds its place in the other run by
// bisection.

#define THREADS 256
#define RUN 1024

DEVICE u64 key_of(double v) {
    if (is_nan(v))
        return ~(u64)0;
    const u64 bits = double_to_bits(v + 0.0);
    return bits >> 63 ? ~bits : bits | (u64)1 << 63;
}
DEVICE u64 key_of(float v) {
    return key_of((double)v);
}
DEVICE u64 key_of(i64 v) {
    return (u64)v ^ (u64)1 << 63;
}

// A key with its element's position.
struct Entry {
    u64 key;
    i64 at;
};
DEVICE bool before(const Entry &a, const Entry &b) {
    return a.key < b.key || (a.key == b.key && a.at < b.at);
}

// Sorts each run of each line. `keys` and `places` are [lines, length].
template <class X, bool DESCENDING, int RANK>
__global__ void sort_runs(const X *x, u64 *keys, i64 *places, i64 length, i64 x_step, Walk<1, RANK> lines) {
    __shared__ Entry run[RUN];
    const i64 runs = (length + RUN - 1) / RUN;
    for (i64 r = blockIdx.x; r < lines.count * runs; r += gridDim.x) {
        const i64 line = r / runs, start = r % runs * RUN;
        const int n = length - start < RUN ? (int)(length - start) : RUN;
        const Offsets<i64, 1, RANK> at(lines, line);
        for (int k = threadIdx.x; k < RUN; k += THREADS) {
            if (k < n) {
                const u64 key = key_of(exact(x[at.at[0] + (start + k) * x_step]));
                run[k] = {DESCENDING ? ~key : key, start + k};
            } else {
                // Sorted after everything else.
                run[k] = {~(u64)0, highest<i64>()};
            }
        }
        __syncthreads();
        for (int size = 2; size <= RUN; size *= 2) {
            for (int reach = size / 2; reach > 0; reach /= 2) {
                for (int t = threadIdx.x; t < RUN / 2; t += THREADS) {
                    const int low = 2 * t - (t & (reach - 1)), high = low + reach;
                    const bool up = (low & size) == 0;
                    const Entry a = run[low], b = run[high];
                    if (before(b, a) == up) {
                        run[low] = b;
                        run[high] = a;
                    }
                }
                __syncthreads();
            }
        }
        for (int k = threadIdx.x; k < n; k += THREADS) {
            keys[line * length + start + k] = run[k].key;
            places[line * length + start + k] = run[k].at;
        }
        __syncthreads();
    }
}

// Merges sorted runs of `width` two by two.
template <int> __global__ void sort_merge(const u64 *keys, const i64 *places, u64 *to_keys, i64 *to_places, i64 length, i64 width, i64 total) {
    for (i64 i = first_index<i64>(); i < total; i += index_step<i64>()) {
        const i64 line = i / length, at = i % length, base = line * length;
        const i64 pair = at / (2 * width) * (2 * width);
        const i64 middle = pair + width < length ? pair + width : length;
        const i64 end = pair + 2 * width < length ? pair + 2 * width : length;
        const bool left = at < middle;
        const Entry mine = {keys[i], places[i]};
        // The number of elements of the other run that come before this one.
        i64 low = left ? middle : pair, high = left ? end : middle;
        const i64 other = low;
        while (low < high) {
            const i64 half = low + (high - low) / 2;
            const Entry e = {keys[base + half], places[base + half]};
            if (before(e, mine))
                low = half + 1;
            else
                high = half;
        }
        const i64 place = pair + (at - (left ? pair : middle)) + (low - other);
        to_keys[base + place] = mine.key;
        to_places[base + place] = mine.at;
    }
}

// `values[k] = x[places[k]]`, `indices[k] = places[k]`. `lines` has the strides of x, values and indices.
template <class X, class V, int RANK>
__global__ void sort_take(const X *x, const i64 *places, V *values, i64 *indices, i64 length, i64 x_step, i64 v_step, i64 i_step,
                          Walk<3, RANK> lines) {
    for (i64 i = first_index<i64>(); i < lines.count * length; i += index_step<i64>()) {
        const i64 line = i / length, k = i % length;
        const Offsets<i64, 3, RANK> at(lines, line);
        const i64 from = places[i];
        values[at.at[1] + k * v_step] = to<V>(exact(x[at.at[0] + from * x_step]));
        indices[at.at[2] + k * i_step] = from;
    }
}

// Where each value would be inserted into its row of `sorted`. The rows begin `row` elements apart. `order`, if not null, has the
// places of a row's elements in order.
template <class X, class O, bool RIGHT, int RANK>
__global__ void search(const X *sorted, const X *values, const i64 *order, O *out, i64 length, i64 row, i64 columns,
                       Walk<2, RANK> walk) {
    for (i64 i = first_index<i64>(); i < walk.count; i += index_step<i64>()) {
        const Offsets<i64, 2, RANK> at(walk, i);
        const i64 line = i / columns * row;
        const auto value = exact(values[at.at[0]]);
        i64 low = 0, high = length;
        while (low < high) {
            const i64 middle = low + (high - low) / 2;
            // The order has been checked, but a graph that's replayed may find another one.
            const i64 place = order ? order[line + middle] : middle;
            const auto found = exact(sorted[line + (place < 0 || place >= length ? middle : place)]);
            // An element that cannot be compared, NaN, is passed.
            if (RIGHT ? found > value : found >= value)
                high = middle;
            else
                low = middle + 1;
        }
        out[at.at[1]] = to<O>(low);
    }
}
