//! Kernels in WGSL.
