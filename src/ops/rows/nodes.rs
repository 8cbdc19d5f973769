//! What operators record when they're called another way than their rows say, and steps below them.
//!
//! A test compares each of these with what PyTorch records (`tests/oracle/torch/nodes.txt`).

macro_rules! nodes {
    ($($name:ident = $node:literal;)*) => {
        $(pub(crate) const $name: &str = $node;)*

        #[cfg(test)]
        pub(super) const ALL: &[&str] = &[$($name),*];
    };
}

nodes! {
    ADAPTIVE_AVG_POOL2D_BACKWARD = "AdaptiveAvgPool2DBackwardBackward0";
    ALIAS = "AliasBackward0";
    AVG_POOL2D_BACKWARD = "AvgPool2DBackwardBackward0";
    BERNOULLI_NUMBER = "BernoulliBackward2";
    CLAMP_MAX_NUMBER = "ClampMaxBackward0";
    CLAMP_MAX_TENSOR = "ClampMaxBackward1";
    CLAMP_MIN_NUMBER = "ClampMinBackward0";
    CLAMP_MIN_TENSOR = "ClampMinBackward1";
    CLAMP_TENSOR = "ClampBackward0";
    CONVOLUTION_BACKWARD = "ConvolutionBackwardBackward0";
    DIAGONAL_COPY = "DiagonalBackward0_copy";
    DIV_NUMBER = "DivBackward1";
    DIV_ROUNDED = "DivBackward2";
    EQ_NUMBER = "EqBackward0";
    EQ_TENSOR = "EqBackward1";
    FILL_NUMBER = "FillBackward2";
    FILL_TENSOR = "FillBackward3";
    FMOD_NUMBER = "FmodBackward0";
    GE_NUMBER = "GeBackward0";
    GE_TENSOR = "GeBackward1";
    GT_NUMBER = "GtBackward0";
    GT_TENSOR = "GtBackward1";
    INDEX = "IndexBackward0";
    INDEX_FILL_TENSOR = "IndexFillBackward1";
    LE_NUMBER = "LeBackward0";
    LE_TENSOR = "LeBackward1";
    LERP_TENSOR = "LerpBackward1";
    LINALG_INV_EX = "LinalgInvExBackward0";
    LINALG_PINV = "LinalgPinvBackward0";
    LT_NUMBER = "LtBackward0";
    LT_TENSOR = "LtBackward1";
    MASKED_FILL_TENSOR = "MaskedFillBackward1";
    MAX_DIM = "MaxBackward0";
    MAX_POOL2D_BACKWARD = "MaxPool2DWithIndicesBackwardBackward0";
    MEAN_DIM = "MeanBackward1";
    MIN_DIM = "MinBackward0";
    NATIVE_DROPOUT = "NativeDropoutBackward0";
    NE_NUMBER = "NeBackward0";
    NE_TENSOR = "NeBackward1";
    NORM_DIM = "NormBackward1";
    NORMAL_ = "NormalBackward0";
    NORMAL_STD = "NormalBackward2";
    NORMAL_TENSORS = "NormalBackward3";
    NUMBER_POW = "PowBackward2";
    POW_TENSOR = "PowBackward1";
    PROD_DIM = "ProdBackward1";
    RANDOM = "RandomBackward2";
    RANDOM_FROM_TO = "RandomBackward0";
    RANDOM_TO = "RandomBackward1";
    REFLECTION_PAD1D = "ReflectionPad1DBackward0";
    REFLECTION_PAD2D = "ReflectionPad2DBackward0";
    REFLECTION_PAD3D = "ReflectionPad3DBackward0";
    REMAINDER_NUMBER = "RemainderBackward0";
    REPLICATION_PAD1D = "ReplicationPad1DBackward0";
    REPLICATION_PAD2D = "ReplicationPad2DBackward0";
    REPLICATION_PAD3D = "ReplicationPad3DBackward0";
    RSUB_NUMBER = "RsubBackward1";
    SORT_STABLE = "SortBackward1";
    SPLIT_WITH_SIZES = "SplitWithSizesBackward0";
    SQUEEZE_DIM = "SqueezeBackward1";
    SQUEEZE_DIMS = "SqueezeBackward2";
    SQUEEZE_PRODUCT = "SqueezeBackward4";
    SUM_DIM = "SumBackward1";
    UNIQUE = "Unique2Backward0";
    UNIQUE_CONSECUTIVE = "UniqueConsecutiveBackward0";
    UNIQUE_DIM = "UniqueDimBackward0";
    UNSAFE_VIEW = "UnsafeViewBackward0";
    UPSAMPLE_BILINEAR2D = "UpsampleBilinear2DBackward0";
    UPSAMPLE_LINEAR1D = "UpsampleLinear1DBackward0";
    UPSAMPLE_NEAREST1D = "UpsampleNearest1DBackward0";
    UPSAMPLE_NEAREST2D = "UpsampleNearest2DBackward0";
    UPSAMPLE_NEAREST_EXACT1D = "UpsampleNearestExact1DBackward0";
    UPSAMPLE_NEAREST_EXACT2D = "UpsampleNearestExact2DBackward0";
    XLOGY = "XlogyBackward0";
}

/// The nodes whose gradients on CUDA can differ from run to run, because threads add to one element in any order, and PyTorch's
/// names of the kernels. PyTorch has no other kernels for them.
pub(crate) const VARY: &[(&str, &str)] = &[
    ("AdaptiveAvgPool2DBackward0", "adaptive_avg_pool2d_backward_cuda"),
    ("AdaptiveAvgPool3DBackward0", "adaptive_avg_pool3d_backward_cuda"),
    ("AdaptiveMaxPool2DBackward0", "adaptive_max_pool2d_backward_cuda"),
    ("AvgPool3DBackward0", "avg_pool3d_backward_cuda"),
    ("CtcLossBackward0", "ctc_loss_backward_gpu"),
    ("FractionalMaxPool2DBackward0", "fractional_max_pool2d_backward_cuda"),
    ("FractionalMaxPool3DBackward0", "fractional_max_pool3d_backward_cuda"),
    ("GridSampler2DBackward0", "grid_sampler_2d_backward_cuda"),
    ("GridSampler3DBackward0", "grid_sampler_3d_backward_cuda"),
    (REFLECTION_PAD1D, "reflection_pad1d_backward_out_cuda"),
    (REFLECTION_PAD3D, "reflection_pad3d_backward_out_cuda"),
    (UPSAMPLE_LINEAR1D, "upsample_linear1d_backward_out_cuda"),
];

/// Functions that are one operator in PyTorch and several here, and what the one records. Their results are given a node of that name.
#[rustfmt::skip]
pub(crate) const AS_ONE: &[(&str, &str)] = &[
    ("alias_copy", "AliasBackward0_copy"), ("aminmax", "AminmaxBackward0"),
    ("as_strided_copy", "AsStridedBackward0_copy"), ("deg2rad", "Deg2RadBackward0"),
    ("diagonal_copy", "DiagonalBackward0_copy"), ("diagonal_scatter", "DiagonalScatterBackward0"), ("dist", "DistBackward0"),
    ("expand_copy", "ExpandBackward0_copy"), ("index_reduce", "IndexReduceBackward0"), ("ldexp", "LdexpBackward0"),
    ("linalg_matrix_exp", "LinalgMatrixExpBackward0"), ("linalg_pinv", "LinalgPinvBackward0"),
    ("logaddexp2", "Logaddexp2Backward0"), ("logcumsumexp", "LogcumsumexpBackward0"),
    ("masked_scatter", "MaskedScatterBackward0"), ("matrix_exp", "LinalgMatrixExpBackward0"), ("mode", "ModeBackward0"),
    ("narrow_copy", "NarrowCopyBackward0"), ("permute_copy", "PermuteBackward0_copy"), ("pinverse", "LinalgPinvBackward0"),
    ("put", "PutBackward0"), ("rad2deg", "Rad2DegBackward0"), ("rot90", "Rot90Backward0"),
    ("select_scatter", "SelectScatterBackward0"), ("slice_scatter", "SliceScatterBackward0"),
    ("split_with_sizes_copy", "SplitWithSizesBackward0_copy"), ("t_copy", "TBackward0_copy"),
    ("transpose_copy", "TransposeBackward0_copy"), ("triangular_solve", "TriangularSolveBackward0"),
    ("unbind_copy", "UnbindBackward0_copy"), ("unfold_copy", "UnfoldBackward0_copy"),
    ("unsqueeze_copy", "UnsqueezeBackward0_copy"),
    ("vdot", "VdotBackward0"), ("view_copy", "ViewBackward0_copy"),
];
