//! Host memory beside tensors: what numbers are gathered in before they become a tensor.
//!
//! A size that a program chose is asked for here, because a `Vec` that can't have what it wants ends the process.

use crate::error::{Error, Result};

/// What PyTorch's CPU allocator says when the system has no such memory.
pub(crate) fn no_memory(bytes: u64) -> Error {
    Error::runtime(format!(
        "[enforce fail at alloc_cpu.cpp:127] err == 0. DefaultCPUAllocator: can't allocate memory: you tried to allocate {bytes} bytes. Error code 12 (Cannot allocate memory)"
    ))
}

/// An empty vector with room for `count` values.
///
/// # Errors
/// The system has no such memory.
pub fn room<T>(count: usize) -> Result<Vec<T>> {
    let mut out = Vec::new();
    out.try_reserve_exact(count).map_err(|_| no_memory((count as u64).saturating_mul(size_of::<T>() as u64)))?;
    Ok(out)
}

/// `count` times a value.
///
/// # Errors
/// As [`room`].
pub fn filled<T: Clone>(value: T, count: usize) -> Result<Vec<T>> {
    let mut out = room(count)?;
    out.resize(count, value);
    Ok(out)
}

/// An empty list with room for `count` tensors or other objects.
///
/// # Errors
/// As [`room`], in the words of C++, whose containers PyTorch keeps these in.
pub fn list<T>(count: usize) -> Result<Vec<T>> {
    let mut out = Vec::new();
    out.try_reserve_exact(count).map_err(|_| Error::runtime("std::bad_alloc"))?;
    Ok(out)
}

/// How many steps of a long loop pass between two looks at whether the program should end.
pub const LOOK_EVERY: usize = 4096;
