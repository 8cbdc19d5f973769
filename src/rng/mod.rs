//! Random numbers, equal to PyTorch's for the same seed.
//!
//! CPU tensors draw from a Mersenne Twister ([`CpuGenerator`]), CUDA tensors from Philox ([`CudaGenerator`] and the pure
//! functions of [`philox`]). The two never share a stream: `rand(device="cuda")` leaves the CPU's numbers alone.
//!
//! float32 results are equal bit for bit on every platform. float64 normals, and exponentials, use the platform's `log`,
//! `sin` and `cos`, and may differ from PyTorch's in the last bit where those differ from glibc's.

mod cpu;
mod discrete;
mod fused;
mod legacy;
mod mt19937;
mod normal;
mod pcg64;
pub mod philox;
mod state;
mod ziggurat;

pub use cpu::CpuGenerator;
pub use legacy::LegacyGenerator;
pub use pcg64::Pcg64;
pub use philox::CudaGenerator;

/// The seed of a fresh `torch.Generator()`.
pub(crate) const DEFAULT_SEED: u64 = 67_280_421_310_721;

/// `random_(from, to)` and `randint` use a 32-bit draw for smaller ranges, and a 64-bit draw for this range and larger
/// ones.
pub(crate) const WIDE_RANGE: u64 = 1 << 28;
