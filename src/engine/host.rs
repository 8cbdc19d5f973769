//! Host memory outside tensors: buffers that numbers are collected in before they become a tensor.
//!
//! Every size that a program chose goes through these functions, because a `Vec` that can't get its memory ends the
//! process.

use crate::error::{Error, Result};

/// The error of PyTorch's CPU allocator when the system can't supply the memory.
pub(crate) fn no_memory(bytes: u64) -> Error {
    Error::runtime(format!(
        "[enforce fail at alloc_cpu.cpp:127] err == 0. DefaultCPUAllocator: can't allocate memory: you tried to allocate {bytes} bytes. Error code 12 (Cannot allocate memory)"
    ))
}

/// An empty vector with room for `count` values.
///
/// # Errors
/// The system can't supply the memory.
pub fn room<T>(count: usize) -> Result<Vec<T>> {
    let mut out = Vec::new();
    out.try_reserve_exact(count).map_err(|_| no_memory((count as u64).saturating_mul(size_of::<T>() as u64)))?;
    Ok(out)
}

/// A vector with `count` copies of a value.
///
/// # Errors
/// Those of [`room`].
pub fn filled<T: Clone>(value: T, count: usize) -> Result<Vec<T>> {
    let mut out = room(count)?;
    out.resize(count, value);
    Ok(out)
}

/// An empty list with room for `count` tensors or other objects.
///
/// # Errors
/// Like [`room`], but with the C++ library's message, because PyTorch keeps these in C++ containers.
pub fn list<T>(count: usize) -> Result<Vec<T>> {
    let mut out = Vec::new();
    out.try_reserve_exact(count).map_err(|_| Error::runtime("std::bad_alloc"))?;
    Ok(out)
}

/// A long loop checks whether the program should end each time it has made this many iterations.
pub const LOOK_EVERY: usize = 4096;
