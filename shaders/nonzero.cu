// Indices of the nonzero elements, in row-major order: count them per tile, scan the counts, write the indices.

#define THREADS 256
// Elements of a tile.
#define TILE 2048

// The number of nonzero elements in each tile. The walk has the strides of x.
template <class X, int RANK> __global__ void nonzero_count(const X *x, i64 *counts, Walk<1, RANK> walk) {
    const i64 tiles = (walk.count + TILE - 1) / TILE;
    for (i64 tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
        i64 found = 0;
        for (int k = threadIdx.x; k < TILE; k += THREADS) {
            const i64 i = tile * TILE + k;
            if (i < walk.count && exact(x[Offsets<i64, 1, RANK>(walk, i).at[0]]) != 0)
                found++;
        }
        found = block_all<THREADS>(found, (i64)0, Plus());
        if (threadIdx.x == 0)
            counts[tile] = found;
        __syncthreads();
    }
}

// The running sum of the counts before each tile, in place, by one block.
template <int> __global__ void nonzero_scan(i64 *counts, i64 tiles) {
    __shared__ i64 totals[THREADS];
    i64 carry = 0;
    for (i64 base = 0; base < tiles; base += THREADS) {
        const i64 i = base + threadIdx.x;
        const i64 mine = i < tiles ? counts[i] : 0;
        totals[threadIdx.x] = mine;
        __syncthreads();
        for (int reach = 1; reach < THREADS; reach *= 2) {
            const i64 before = threadIdx.x >= reach ? totals[threadIdx.x - reach] : 0;
            __syncthreads();
            totals[threadIdx.x] += before;
            __syncthreads();
        }
        if (i < tiles)
            counts[i] = carry + totals[threadIdx.x] - mine;
        carry += totals[THREADS - 1];
        __syncthreads();
    }
}

// Sizes of the dimensions of `x`, to turn a flat position into indices.
struct Sizes {
    i64 rank;
    i64 at[64];
};

// Each thread handles 8 neighbors in a tile. At most `room` rows are written to `out` [room, rank].
template <class X, int RANK>
__global__ void nonzero_write(const X *x, const i64 *before, i64 *out, i64 room, i64 row_step, i64 col_step, Sizes sizes,
                              Walk<1, RANK> walk) {
    __shared__ i64 totals[THREADS];
    const i64 tiles = (walk.count + TILE - 1) / TILE;
    for (i64 tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
        const i64 start = tile * TILE + (i64)threadIdx.x * (TILE / THREADS);
        u32 found = 0;
        i64 mine = 0;
        for (int k = 0; k < TILE / THREADS; k++) {
            if (start + k < walk.count && exact(x[Offsets<i64, 1, RANK>(walk, start + k).at[0]]) != 0) {
                found |= 1u << k;
                mine++;
            }
        }
        totals[threadIdx.x] = mine;
        __syncthreads();
        for (int reach = 1; reach < THREADS; reach *= 2) {
            const i64 earlier = threadIdx.x >= reach ? totals[threadIdx.x - reach] : 0;
            __syncthreads();
            totals[threadIdx.x] += earlier;
            __syncthreads();
        }
        i64 row = before[tile] + totals[threadIdx.x] - mine;
        for (int k = 0; k < TILE / THREADS; k++) {
            if (!(found >> k & 1))
                continue;
            if (row < room) {
                i64 rest = start + k;
                for (int d = (int)sizes.rank - 1; d >= 0; d--) {
                    out[row * row_step + d * col_step] = rest % sizes.at[d];
                    rest /= sizes.at[d];
                }
            }
            row++;
        }
        __syncthreads();
    }
}
