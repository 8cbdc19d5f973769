// The tile of a matrix product that `matmul.cu` and `conv.cu` share.
//
// A block of 256 threads makes 64 x 64 elements, each thread 4 x 4 of them, 16 of the inner dimension at a time through
// shared memory. What is multiplied comes from two sources, which see a matrix of [lines, inner] each:
//
//     struct Source {
//         static constexpr bool INNER;        // neighbouring threads load neighbours along the inner dimension
//         struct Line;                        // what is known of a line
//         Line line(i64 i) const;
//         C get(const Line &line, i64 k) const;   // only for lines and k inside
//     };

#define SIDE 64
#define DEPTH 16

// Calls `store(row, col, sum)` for the elements of the tile at (row0, col0) that lie inside [rows, cols].
template <class C, class A, class B, class STORE>
DEVICE void product_tile(const A &a, const B &b, i64 rows, i64 cols, i64 row0, i64 col0, i64 from, i64 to, STORE store) {
    __shared__ C left[DEPTH][SIDE + 1], right[DEPTH][SIDE + 1];
    const int t = threadIdx.x, tx = t % 16, ty = t / 16;
    typename A::Line a_line[4];
    typename B::Line b_line[4];
#pragma unroll
    for (int j = 0; j < 4; j++) {
        const i64 r = row0 + (A::INNER ? t / 16 + 16 * j : t % 64), c = col0 + (B::INNER ? t / 16 + 16 * j : t % 64);
        a_line[j] = a.line(r < rows ? r : rows - 1);
        b_line[j] = b.line(c < cols ? c : cols - 1);
    }
    C sum[4][4];
#pragma unroll
    for (int i = 0; i < 4; i++)
#pragma unroll
        for (int j = 0; j < 4; j++)
            sum[i][j] = 0;
    for (i64 k0 = from; k0 < to; k0 += DEPTH) {
#pragma unroll
        for (int j = 0; j < 4; j++) {
            const int ak = A::INNER ? t % 16 : t / 64 + 4 * j, ar = A::INNER ? t / 16 + 16 * j : t % 64;
            const int bk = B::INNER ? t % 16 : t / 64 + 4 * j, bc = B::INNER ? t / 16 + 16 * j : t % 64;
            left[ak][ar] = row0 + ar < rows && k0 + ak < to ? a.get(a_line[j], k0 + ak) : C(0);
            right[bk][bc] = col0 + bc < cols && k0 + bk < to ? b.get(b_line[j], k0 + bk) : C(0);
        }
        __syncthreads();
#pragma unroll
        for (int k = 0; k < DEPTH; k++) {
            C x[4], y[4];
#pragma unroll
            for (int i = 0; i < 4; i++) {
                x[i] = left[k][ty + 16 * i];
                y[i] = right[k][tx + 16 * i];
            }
#pragma unroll
            for (int i = 0; i < 4; i++)
#pragma unroll
                for (int j = 0; j < 4; j++)
                    sum[i][j] = fused(x[i], y[j], sum[i][j]);
        }
        __syncthreads();
    }
#pragma unroll
    for (int i = 0; i < 4; i++) {
        const i64 row = row0 + ty + 16 * i;
#pragma unroll
        for (int j = 0; j < 4; j++) {
            const i64 col = col0 + tx + 16 * j;
            if (row < rows && col < cols)
                store(row, col, sum[i][j]);
        }
    }
}
