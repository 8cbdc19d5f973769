//! Kernels against PyTorch.
