//! Kernels on the host.
