//! Runs a loop with the widest vectors that this machine has, and on all its cores.

use std::ops::Range;
use std::sync::OnceLock;

use crate::executor::Done;

/// Runs `f` compiled for the widest vector extension of this machine. This helps only if `f` is inlined into the caller
/// made for that extension. So mark the closure `#[inline(always)]`, and call nothing in its loop that isn't inlined.
#[inline(always)]
pub(super) fn vectorize<R>(f: impl FnOnce() -> R) -> R {
    #[cfg(target_arch = "x86_64")]
    {
        // SAFETY: each function is called only where its extension was detected.
        match x86::level() {
            2 => unsafe { x86::v4(f) },
            1 => unsafe { x86::v3(f) },
            _ => f(),
        }
    }
    #[cfg(target_arch = "wasm32")]
    {
        // SAFETY: an engine without these instructions refuses to compile the module.
        unsafe { wasm::simd128(f) }
    }
    #[cfg(not(any(target_arch = "x86_64", target_arch = "wasm32")))]
    {
        f()
    }
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use std::sync::atomic::{AtomicU8, Ordering};

    static LEVEL: AtomicU8 = AtomicU8::new(u8::MAX);

    /// 2 for AVX-512, 1 for AVX2 and FMA, otherwise 0.
    #[inline(always)]
    pub(super) fn level() -> u8 {
        match LEVEL.load(Ordering::Relaxed) {
            u8::MAX => detect(),
            level => level,
        }
    }

    #[cold]
    fn detect() -> u8 {
        let v3 = is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("fma")
            && is_x86_feature_detected!("f16c")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2");
        let v4 = v3
            && is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512dq")
            && is_x86_feature_detected!("avx512vl")
            && is_x86_feature_detected!("avx512cd");
        let level = if v4 { 2 } else { v3 as u8 };
        LEVEL.store(level, Ordering::Relaxed);
        level
    }

    #[inline]
    #[target_feature(enable = "avx2,fma,f16c,bmi1,bmi2")]
    pub(super) unsafe fn v3<R>(f: impl FnOnce() -> R) -> R {
        f()
    }

    #[inline]
    #[target_feature(enable = "avx2,fma,f16c,bmi1,bmi2,avx512f,avx512bw,avx512dq,avx512vl,avx512cd")]
    pub(super) unsafe fn v4<R>(f: impl FnOnce() -> R) -> R {
        f()
    }
}

#[cfg(target_arch = "wasm32")]
mod wasm {
    #[inline]
    #[target_feature(enable = "simd128")]
    pub(super) unsafe fn simd128<R>(f: impl FnOnce() -> R) -> R {
        f()
    }
}

/// With fewer elements than this, one thread runs a cheap elementwise kernel faster than several: waking another thread
/// takes as long as adding about 50,000 elements.
pub(super) const GRAIN: usize = 128 * 1024;

/// Runs `f` over `0..n` in pieces of at least `grain`, on several threads if there is more than one piece.
pub(super) fn parallel(n: usize, grain: usize, f: impl Fn(Range<usize>) + Sync) {
    if n == 0 {
        return;
    }
    #[cfg(not(target_arch = "wasm32"))]
    if n > grain {
        use rayon::prelude::*;
        let threads = rayon::current_num_threads();
        let pieces = n.div_ceil(grain.max(1)).min(threads * 4);
        if threads > 1 && pieces > 1 {
            let step = n.div_ceil(pieces);
            return (0..n.div_ceil(step))
                .into_par_iter()
                .with_max_len(1)
                .for_each(|i| f(i * step..((i + 1) * step).min(n)));
        }
    }
    #[cfg(target_arch = "wasm32")]
    let _ = grain;
    f(0..n)
}

/// Like [`parallel`], for work that needs its own memory. The first fault of any piece is the kernel's fault.
pub(super) fn try_parallel(n: usize, grain: usize, f: impl Fn(Range<usize>) -> Done + Sync) -> Done {
    let failed = OnceLock::new();
    parallel(n, grain, |range| {
        if let Err(fault) = f(range) {
            // Another piece may have failed first.
            let _ = failed.set(fault);
        }
    });
    failed.into_inner().map_or(Ok(()), Err)
}

/// A pointer that the threads of one kernel share. Each place that dereferences it says why that's sound.
#[derive(Clone, Copy)]
pub(super) struct Shared<T>(*mut T);

unsafe impl<T> Send for Shared<T> {}
unsafe impl<T> Sync for Shared<T> {}

impl<T> Shared<T> {
    pub(super) fn new(slice: &mut [T]) -> Shared<T> {
        Shared(slice.as_mut_ptr())
    }

    pub(super) fn from_ptr(ptr: *mut T) -> Shared<T> {
        Shared(ptr)
    }

    #[inline(always)]
    pub(super) fn get(self) -> *mut T {
        self.0
    }

    /// The elements of `range`.
    ///
    /// # Safety
    /// They are in one allocation that outlives `'a`, and no other thread accesses them meanwhile.
    #[inline(always)]
    pub(super) unsafe fn slice<'a>(self, range: Range<usize>) -> &'a mut [T] {
        // SAFETY: promised by the caller.
        unsafe { std::slice::from_raw_parts_mut(self.0.add(range.start), range.len()) }
    }
}
