//! How the GNU allocator is to treat this program.

#![expect(unsafe_code, reason = "the GNU C library can be told what to do with freed memory only by a call of its own")]

/// What is larger than this comes from the system and goes back to it at once.
const LARGE: i32 = 4 << 20;

/// Free memory at the end of the heap that is not given back.
const KEPT: i32 = 32 << 20;

/// Heaps among which threads are dealt out. Each keeps what the longest document has taken of it, and threads mostly use again what they
/// have: one for each would only make memory grow with their number.
const HEAPS: i32 = 4;

/// Keeps some freed memory for what is allocated next, in few places.
///
/// Documents come and go, and their buffers with them. The GNU allocator gives large ones back to the system each time and takes
/// them from it again, which clears every page anew: a sixth of the time of `trace` on long documents with two threads
/// (`bench/record/2026-11-16-origin-speed.md`). To be called before there are threads.
pub(crate) fn keep_freed_memory() {
    // SAFETY: the call changes numbers of the allocator, and no other thread runs yet. Where it refuses, all stays as it was.
    unsafe {
        libc::mallopt(libc::M_MMAP_THRESHOLD, LARGE);
        libc::mallopt(libc::M_TRIM_THRESHOLD, KEPT);
        libc::mallopt(libc::M_ARENA_MAX, HEAPS);
    }
}
