//! The kernels that every executor provides: the contract between `ops` and the hardware.
//!
//! Conventions for all kernels:
//! - A [`View`] is strided; strides are in elements and may be 0 (broadcast) for inputs. Outputs never overlap themselves.
//! - Inputs of elementwise kernels have already been broadcast: their `shape` equals the output's.
//! - Operands may have any dtype; arithmetic happens in the kernel's `compute` dtype (each operand is converted as
//!   PyTorch converts when reading) and the result is converted to the output's dtype. Where a kernel has no `compute`
//!   field, arithmetic is in the input's dtype, with f16 and bf16 accumulated in f32.
//! - Float to integer conversion truncates toward zero; to bool it is `!= 0`; integers wrap.
//! - `out` may be the very same view as an input for elementwise kernels and triangles (in-place); otherwise outputs alias no
//!   input.
//! - NaN propagates through max, min, clamp, relu and sorting as in PyTorch (NaN is greatest).
//! - Zero-sized outputs are legal and do nothing; a reduction over zero elements yields its identity.

// Shapes are written in brackets, as in PyTorch.
#![allow(rustdoc::broken_intra_doc_links)]

mod fields;
mod operations;

use fields::{Field, kernels};
pub use operations::*;

use crate::dtype::{DType, Scalar};
use crate::executor::{Buffer, Done, Fault};
pub use crate::rng::philox::Philox;
use crate::shape::{Dims, Layout};

/// Elements of a buffer, in the order in which a kernel visits them. `B` names the buffer: a reference while the kernel is
/// launched, the buffer itself if a graph keeps the kernel.
#[derive(Clone)]
pub struct Elements<B> {
    pub buffer: B,
    pub dtype: DType,
    pub shape: Dims,
    pub strides: Dims,
    /// Distance in elements from the start of the buffer.
    pub offset: usize,
}

/// Elements that a launch reads or writes.
pub type View<'a> = Elements<&'a Buffer>;

impl<'a> View<'a> {
    pub fn new(buffer: &'a Buffer, layout: &Layout) -> View<'a> {
        View {
            buffer,
            dtype: buffer.dtype,
            shape: Dims::from_slice(&layout.shape),
            strides: Dims::from_slice(&layout.strides),
            offset: layout.offset,
        }
    }
}

impl<B> Elements<B> {
    pub fn numel(&self) -> usize {
        self.shape.iter().product()
    }

    pub fn is_contiguous(&self) -> bool {
        crate::shape::is_contiguous(&self.shape, &self.strides)
    }

    /// The number of bytes before the first element. Every executor calls this before it launches, so that no kernel can
    /// leave a buffer of `capacity` bytes, whatever mistake an operator makes.
    ///
    /// # Errors
    /// An element is outside.
    pub fn start(&self, capacity: usize) -> Done<usize> {
        if self.shape.contains(&0) {
            return Ok(0);
        }
        let mut last = Some(self.offset);
        for (&n, &stride) in self.shape.iter().zip(&self.strides) {
            last = last.and_then(|last| (n - 1).checked_mul(stride)?.checked_add(last));
        }
        let end = last.and_then(|last| last.checked_add(1)?.checked_mul(self.dtype.size()));
        match end {
            Some(end) if end <= capacity => Ok(self.offset * self.dtype.size()),
            _ => Err(Fault::Unsupported("a view outside its buffer".into())),
        }
    }
}

/// An input that may be a number. A number is converted to the kernel's `compute` dtype.
#[derive(Clone)]
pub enum Argument<B> {
    View(Elements<B>),
    Scalar(Scalar),
}

/// An input of a launch.
pub type Operand<'a> = Argument<&'a Buffer>;

/// One parameter of an optimizer step: elements of one shape, contiguous.
pub struct Updated<B> {
    pub param: Elements<B>,
    pub grad: Elements<B>,
    pub state: Vec<Elements<B>>,
    /// How many steps it has had (one f32 in the device's memory). This step increases it by one. Only Adam and RMSprop
    /// have it.
    pub count: Option<Elements<B>>,
}

/// One parameter of an optimizer step that is launched.
pub type OptimizerParam<'a> = Updated<&'a Buffer>;

/// The copies that together are a [`KernelOf::Cat`]: each part, and its place in `out`.
pub(crate) fn joined<'v, 'a>(
    parts: &'v [View<'a>],
    dim: usize,
    out: &'v View<'a>,
) -> impl Iterator<Item = (&'v View<'a>, View<'a>)> {
    let mut start = 0;
    parts.iter().map(move |part| {
        let mut place = out.clone();
        place.offset += start * place.strides[dim];
        place.shape[dim] = part.shape[dim];
        start += part.shape[dim];
        (part, place)
    })
}

/// How the rows of a [`KernelOf::Search`] are laid out.
pub(crate) struct SearchRows {
    /// How many elements a row of `sorted` has.
    pub length: usize,
    /// How many elements after a row of `sorted` the next one begins: 0 if all values are searched for in the same row.
    pub step: usize,
    /// How many values are searched for in each row.
    pub columns: usize,
}

impl SearchRows {
    /// # Errors
    /// Views of other than two dimensions.
    pub(crate) fn of(sorted: &View<'_>, values: &View<'_>) -> Done<SearchRows> {
        match (&sorted.shape[..], &values.shape[..]) {
            (&[rows, length], &[_, columns]) => {
                Ok(SearchRows { length, step: if rows == 1 { 0 } else { length }, columns })
            }
            _ => Err(Fault::Unsupported("a search in anything but rows".into())),
        }
    }
}

/// One launch.
pub type Kernel<'a> = KernelOf<&'a Buffer>;

kernels! {
/// A kernel on buffers that `B` names. The fields before `->` are only read, those after it are written, and the name in the
/// trace comes last. Apart from each executor's own code for it, this is the only list of all kernels: code that must look at
/// every kernel gets them from here.
pub enum KernelOf<B> {
    /// `out = value`.
    Fill { value: Scalar } -> { out: Elements<B> } = "fill";
    /// `out = src`, converted; same shape, any strides.
    Copy { src: Elements<B> } -> { out: Elements<B> } = "copy";
    /// `parts` one after the other along `dim`, where `out` has the sum of their sizes. All have one dtype.
    Cat { parts: Vec<Elements<B>>, dim: usize } -> { out: Elements<B> } = "cat";
    /// `out[i] = start + i * step` for a 1-D contiguous view. Floats are computed in f64 if the hardware has it.
    Arange { start: Scalar, step: Scalar } -> { out: Elements<B> } = "arange";
    Unary { op: UnaryOp, x: Elements<B>, compute: DType } -> { out: Elements<B> } = op.name();
    Binary { op: BinaryOp, a: Argument<B>, b: Argument<B>, compute: DType } -> { out: Elements<B> } = op.name();
    Ternary { op: TernaryOp, a: Argument<B>, b: Argument<B>, c: Argument<B>, compute: DType }
        -> { out: Elements<B> } = op.name();
    /// Reduces the dimensions with `dims[i] == true`; `out` has the same rank with size 1 there.
    /// `compute` is the dtype in which values are read (and the accumulator, widened for f16 and bf16).
    Reduce { op: ReduceOp, x: Elements<B>, dims: Vec<bool>, compute: DType } -> { out: Elements<B> } = op.name();
    /// Index of the extreme along `dim`: the first of equal ones, or that of a NaN. `values` and `indices` (i64) have size
    /// 1 there.
    ArgReduce { largest: bool, x: Elements<B>, dim: usize }
        -> { values: Option<Elements<B>>, indices: Elements<B> } = if *largest { "argmax" } else { "argmin" };
    /// Running sum, product, maximum or minimum along `dim`, in `out`'s dtype.
    Scan { op: ScanOp, x: Elements<B>, dim: usize } -> { out: Elements<B> } = "scan";
    /// `out[b] = alpha * a[b] @ c[b] + beta * bias[b]`: `a` is [B, M, K], `c` is [B, K, N], `bias` (if any) and `out` are
    /// [B, M, N], all strided, all of one dtype. With `beta == 0` or no bias, only `a` and `c` are read.
    /// `bias` may be `out` itself. Integers are allowed (wrapping).
    MatMul { a: Elements<B>, c: Elements<B>, bias: Option<Elements<B>>, alpha: f64, beta: f64 }
        -> { out: Elements<B> } = "matmul";
    /// Along `dim`.
    Softmax { log: bool, x: Elements<B>, dim: usize }
        -> { out: Elements<B> } = if *log { "log_softmax" } else { "softmax" };
    /// From the gradient and the *output* of the forward pass.
    SoftmaxBackward { log: bool, grad: Elements<B>, y: Elements<B>, dim: usize }
        -> { out: Elements<B> } = "softmax_backward";
    /// `out[.., i, ..] = x[.., index[i], ..]` at `dim`; `index` is 1-D, i32 or i64, and checked to be in `0..size`
    /// (no negatives).
    IndexSelect { x: Elements<B>, dim: usize, index: Elements<B> } -> { out: Elements<B> } = "index_select";
    /// `out[.., index[i], ..] += alpha * src[.., i, ..]`; duplicates accumulate.
    IndexAdd { dim: usize, index: Elements<B>, src: Elements<B>, alpha: f64 } -> { out: Elements<B> } = "index_add";
    /// `out[i][j] = x[index[i][j]][j]` at `dim` 0, and so on; `index` (i64) has `out`'s shape.
    Gather { x: Elements<B>, dim: usize, index: Elements<B> } -> { out: Elements<B> } = "gather";
    /// `out[index[i][j]][j] (op)= src[i][j]` at `dim` 0, and so on; `src` has at least `index`'s shape.
    Scatter { op: ScatterOp, dim: usize, index: Elements<B>, src: Argument<B> } -> { out: Elements<B> } = "scatter";
    /// Advanced indexing. `x` is [indexed dims.., rest..] with `indices.len()` indexed dims; every index (i64) is broadcast
    /// to one common shape; `out` is [common.., rest..]. Negative indices count from the end.
    Index { x: Elements<B>, indices: Vec<Elements<B>> } -> { out: Elements<B> } = "index";
    /// The inverse: writes (or adds, with duplicates accumulating) `src` of shape [common.., rest..] into `out`.
    IndexPut { indices: Vec<Elements<B>>, src: Argument<B>, accumulate: bool } -> { out: Elements<B> } = "index_put";
    /// Indices (i64, [count, ndim], row-major order) of the elements that are not 0. `out.shape[0]` is the true count.
    Nonzero { x: Elements<B> } -> { out: Elements<B> } = "nonzero";
    /// Sorts along `dim`; stable; `indices` are i64.
    Sort { x: Elements<B>, dim: usize, descending: bool } -> { values: Elements<B>, indices: Elements<B> } = "sort";
    /// Some elements of each line along `dim`, and their indices (i64). Which of several equal elements these are is what PyTorch's
    /// CPU answers. `values` and `indices` have as many along `dim` as are picked.
    Pick { x: Elements<B>, dim: usize, pick: Pick } -> { values: Elements<B>, indices: Elements<B> } = "pick";
    /// Where each value would be inserted into its row of `sorted`: before equal elements, or with `right` after them. `values`
    /// and `out` (i32 or i64) are [rows, count]; `sorted` is [rows, length] or [1, length], contiguous, and of the values' dtype.
    /// With `order` (i64, of the same shape, contiguous), a row's elements in order are those at its indices.
    Search { sorted: Elements<B>, values: Elements<B>, order: Option<Elements<B>>, right: bool }
        -> { out: Elements<B> } = "searchsorted";
    /// Keeps the lower (or upper) triangle of the last two dimensions, zero elsewhere.
    Triangle { upper: bool, diagonal: i64, x: Elements<B> } -> { out: Elements<B> } = "triangle";
    /// The discrete Fourier transform of each row, without a factor: `x` and `out` are [rows.., n, 2], real and imaginary parts in
    /// f32 or f64. `out` may be `x`.
    Fft { x: Elements<B>, inverse: bool } -> { out: Elements<B> } = "fft";
    /// Eigenvalues and eigenvectors (columns of length 1) of square matrices in f32 or f64. `x` is [b, n, n], or [b, n, n, 2] with
    /// real and imaginary parts; `values` is [b, n, 2] and `vectors` [b, n, n, 2]. If a matrix's eigenvalues can't be found, its results
    /// are NaN.
    Eigen { x: Elements<B> } -> { values: Elements<B>, vectors: Elements<B> } = "linalg_eig";
    /// The same for symmetric matrices, of which only the lower triangle is read: `values` is [b, n], in ascending order, and
    /// `vectors` has `x`'s shape. If a matrix's eigenvalues can't be found, its results are NaN.
    SymmetricEigen { x: Elements<B> } -> { values: Elements<B>, vectors: Elements<B> } = "linalg_eigh";
    /// Singular values of matrices in f32 or f64. `x` is [b, m, n], or [b, m, n, 2] with real and imaginary parts; `s` is
    /// [b, min(m, n)], in descending order; `u` is [b, m, m] and `v` [b, n, n], or their first min(m, n) columns. If a matrix's
    /// singular values can't be found, its results are NaN.
    SingularValues { x: Elements<B> } -> { u: Elements<B>, s: Elements<B>, v: Elements<B> } = "linalg_svd";
    /// Gaussian elimination, with row exchanges if `exchange`, of matrices in f32 or f64: `x` is [b, m, n], or [b, m, n, 2] with real
    /// and imaginary parts, and so is `factors`, with U and below its diagonal L. `exchanges` (i64) is [b, min(m, n)], the row that each
    /// row was exchanged with, and `order` (i64) is [b, m], where each row of L U comes from. A column with a zero pivot isn't changed.
    Eliminate { x: Elements<B>, exchange: bool }
        -> { factors: Elements<B>, exchanges: Elements<B>, order: Elements<B> } = "linalg_lu_factor";
    /// Solves `T X = B` for triangular matrices in f32 or f64: `t` is [b, n, n] and `x`, the B, [b, n, k] as `out`, or each with one more
    /// dimension for real and imaginary parts. Of `t` one triangle is read, and with `unit` its diagonal counts as ones.
    Substitute { t: Elements<B>, x: Elements<B>, upper: bool, unit: bool } -> { out: Elements<B> } = "linalg_solve_triangular";
    /// The lower triangle L with `x = L L^H` of matrices in f32 or f64: `x` and `out` are [b, n, n], or [b, n, n, 2] with real and
    /// imaginary parts. Only the lower triangle is read. The diagonal of a matrix that isn't positive-definite has a number that isn't
    /// positive, or NaN, in the first row that says so.
    Cholesky { x: Elements<B> } -> { out: Elements<B> } = "linalg_cholesky";
    /// Q and R of matrices in f32 or f64 by Householder reflections: `x` is [b, m, n], `q` [b, m, k] and `r` [b, k, n], or each with one
    /// more dimension for real and imaginary parts; k is m or min(m, n).
    Orthogonalize { x: Elements<B> } -> { q: Elements<B>, r: Elements<B> } = "linalg_qr";
    /// Reverses the dimensions with `dims[i] == true`.
    Flip { x: Elements<B>, dims: Vec<bool> } -> { out: Elements<B> } = "flip";
    /// `x` [N, C, H, W], `w` [O, C/groups, kh, kw], `bias` [O], `out` [N, O, oh, ow].
    Conv2d { x: Elements<B>, w: Elements<B>, bias: Option<Elements<B>>, params: Conv2d }
        -> { out: Elements<B> } = "conv2d";
    /// Gradient for the input (also the forward of a transposed convolution): `grad` [N, O, oh, ow], `out` [N, C, H, W].
    Conv2dGradInput { grad: Elements<B>, w: Elements<B>, params: Conv2d }
        -> { out: Elements<B> } = "conv2d_grad_input";
    /// Gradient for the weight: `out` [O, C/groups, kh, kw].
    Conv2dGradWeight { grad: Elements<B>, x: Elements<B>, params: Conv2d }
        -> { out: Elements<B> } = "conv2d_grad_weight";
    /// `x` [N, C, H, W]; `indices` (i64) are flat positions in H*W.
    MaxPool2d { x: Elements<B>, params: Pool2d } -> { out: Elements<B>, indices: Elements<B> } = "max_pool2d";
    /// `out` [N, C, H, W] is overwritten.
    MaxPool2dBackward { grad: Elements<B>, indices: Elements<B> } -> { out: Elements<B> } = "max_pool2d_backward";
    AvgPool2d { x: Elements<B>, params: Pool2d } -> { out: Elements<B> } = "avg_pool2d";
    AvgPool2dBackward { grad: Elements<B>, params: Pool2d } -> { out: Elements<B> } = "avg_pool2d_backward";
    /// Windows of output cell `i`: `floor(i*H/oh) .. ceil((i+1)*H/oh)`.
    AdaptiveAvgPool2d { x: Elements<B> } -> { out: Elements<B> } = "adaptive_avg_pool2d";
    AdaptiveAvgPool2dBackward { grad: Elements<B> } -> { out: Elements<B> } = "adaptive_avg_pool2d_backward";
    /// `x`, `out` contiguous [rows, cols]; `weight`, `bias` [cols]; `mean`, `rstd` [rows] in f32 (f64 for f64).
    LayerNorm { x: Elements<B>, weight: Option<Elements<B>>, bias: Option<Elements<B>>, eps: f64 }
        -> { out: Elements<B>, mean: Elements<B>, rstd: Elements<B> } = "layer_norm";
    /// Any of the three gradients may be omitted. All are contiguous.
    LayerNormBackward {
        grad: Elements<B>, x: Elements<B>, mean: Elements<B>, rstd: Elements<B>, weight: Option<Elements<B>>,
    } -> { dx: Option<Elements<B>>, dweight: Option<Elements<B>>, dbias: Option<Elements<B>> } = "layer_norm_backward";
    /// Mean and biased variance of each channel of `x` [N, C, L]; outputs are [C].
    BatchStats { x: Elements<B> } -> { mean: Elements<B>, var: Elements<B> } = "batch_stats";
    /// `out = (x - mean) / sqrt(var + eps) * weight + bias`, `x` and `out` [N, C, L], the others [C].
    BatchNorm {
        x: Elements<B>, mean: Elements<B>, var: Elements<B>, weight: Option<Elements<B>>,
        bias: Option<Elements<B>>, eps: f64,
    } -> {
        out: Elements<B>,
    } = "batch_norm";
    /// Gradients of [`KernelOf::BatchNorm`]. With `training`, the statistics depend on `x`, and so the gradient goes
    /// through them.
    BatchNormBackward {
        grad: Elements<B>, x: Elements<B>, mean: Elements<B>, var: Elements<B>, weight: Option<Elements<B>>,
        eps: f64, training: bool,
    } -> {
        dx: Option<Elements<B>>, dweight: Option<Elements<B>>, dbias: Option<Elements<B>>,
    } = "batch_norm_backward";
    /// `logp` [N, C], `target` [N] i64 (or u8), `weight` [C]. Without a reduction `out` is [N], otherwise 0-dim;
    /// `total_weight` (0-dim) receives the sum of the weights used.
    NllLoss {
        logp: Elements<B>, target: Elements<B>, weight: Option<Elements<B>>, ignore_index: i64, reduction: Reduction,
    } -> { out: Elements<B>, total_weight: Elements<B> } = "nll_loss";
    /// `out` [N, C] is overwritten.
    NllLossBackward {
        grad: Elements<B>, target: Elements<B>, weight: Option<Elements<B>>, ignore_index: i64,
        reduction: Reduction, total_weight: Elements<B>,
    } -> {
        out: Elements<B>,
    } = "nll_loss_backward";
    /// Draws of PyTorch's CUDA generator; `out` is contiguous.
    Random { draw: Draw, philox: Philox } -> { out: Elements<B> } = "random";
    /// One launch for all parameters of an optimizer step.
    Optimizer {
        rule: OptimizerRule,
        /// Where Adam or RMSprop reads its learning rate (one f32), if it isn't the rule's own.
        rate: Option<Elements<B>>,
    } -> { params: Vec<Updated<B>> } = rule.name();
}
}

impl<'a> Kernel<'a> {
    /// Checks that every view is inside its buffer. This happens before a GPU's kernel is described, because nothing
    /// later checks it.
    ///
    /// # Errors
    /// An element is outside, in memory that belongs to other tensors.
    pub(crate) fn check_views(&self) -> Done {
        let mut done = Ok(());
        self.views(&mut |view| {
            if done.is_ok() {
                let capacity = view.buffer.numel.saturating_mul(view.buffer.dtype.size());
                done = view.start(capacity).map(|_| ());
            }
        });
        done
    }

    /// Bytes read and written in PyTorch's layout, counting each view once.
    pub fn bytes(&self) -> usize {
        let mut bytes = 0;
        self.views(&mut |v| bytes += v.numel() * v.dtype.size());
        bytes
    }

    /// Multiplications and additions of kernels whose time arithmetic decides; 0 for all others.
    pub fn flops(&self) -> u64 {
        match self {
            Kernel::MatMul { a, out, .. } => 2 * out.numel() as u64 * a.shape.last().copied().unwrap_or(1) as u64,
            Kernel::Conv2d { w, out, .. } => 2 * (out.numel() * w.shape[1..].iter().product::<usize>()) as u64,
            Kernel::Conv2dGradInput { grad, w, .. } => {
                2 * (grad.numel() * w.shape[1..].iter().product::<usize>()) as u64
            }
            Kernel::Conv2dGradWeight { grad, out, .. } => {
                2 * (grad.numel() * out.shape[1..].iter().product::<usize>()) as u64
            }
            _ => 0,
        }
    }
}
