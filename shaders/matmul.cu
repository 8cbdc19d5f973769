// Matrix products of any dtype and any strides: those that cuBLAS doesn't have (integers), and all products if there is no
// cuBLAS. `out[b] = alpha * a[b] @ c[b] + beta * bias[b]`.

struct Matrix {
    // Strides by batch, row and column.
    i64 batch, row, col;
};

// An operand as a source of `product.cu`: a matrix of [lines, inner]. `ALONG` is its `INNER`.
template <class T, bool ALONG> struct Operand {
    typedef T Element;
    static constexpr bool INNER = ALONG;
    const T *data;
    i64 line_step, inner_step;
    struct Line {
        const T *data;
    };
    struct Step {
        i64 at;
    };
    DEVICE Line line(i64 i) const {
        return {data + i * line_step};
    }
    DEVICE Step step(i64 k) const {
        return {k * inner_step};
    }
    DEVICE T get(const Line &line, const Step &step) const {
        return line.data[step.at];
    }
};

// `A_INNER`, `C_INNER`: whether neighbors along the inner dimension are adjacent in memory. `MATH` and `SIDE`: see `product.cu`.
template <class A, class B, class D, class O, bool A_INNER, bool C_INNER, class MATH, int SIDE>
__global__ void __launch_bounds__(THREADS)
    matmul(const A *a, const B *c, const D *bias, O *out, i64 batch, i64 rows, i64 cols, i64 inner, Matrix a_steps, Matrix c_steps,
           Matrix bias_steps, Matrix out_steps, Number alpha, Number beta) {
    typedef compute<O> C;
    const i64 across = (cols + SIDE - 1) / SIDE, tiles = (rows + SIDE - 1) / SIDE * across;
    const C scale = number<C>(alpha), keep = number<C>(beta);
    for (i64 b = blockIdx.y; b < batch; b += gridDim.y) {
        const Operand<A, A_INNER> left = {a + b * a_steps.batch, a_steps.row, a_steps.col};
        const Operand<B, C_INNER> right = {c + b * c_steps.batch, c_steps.col, c_steps.row};
        for (i64 tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
            product_tile<MATH, SIDE>(left, right, rows, cols, tile / across * SIDE, tile % across * SIDE, 0, inner,
                                     [&](i64 row, i64 col, C sum) {
                                         C v = times(scale, sum);
                                         if (bias)
                                             v = fused(keep, (C)exact(bias[b * bias_steps.batch + row * bias_steps.row + col * bias_steps.col]), v);
                                         out[b * out_steps.batch + row * out_steps.row + col * out_steps.col] = to<O>(v);
                                     });
        }
    }
}
