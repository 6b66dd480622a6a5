//! Asks the processor for a cache line ahead of its use. The only unsafe code of the tables: it changes no value and
//! may be given any address, and without it every bucket is waited for in turn.

#![expect(unsafe_code, reason = "prefetching has no safe form")]

/// Starts fetching the line that `byte` lies in.
#[inline(always)]
pub(super) fn prefetch(byte: &u8) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a prefetch reads nothing into the program and faults on no address; this one is of a live byte.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(byte).cast()) }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = byte;
}
