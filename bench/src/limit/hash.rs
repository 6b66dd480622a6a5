//! A number for a word: the usual hashes, and the one of the fused kernel.

use std::hash::Hasher;

/// The standard library's.
pub fn sip(token: &[u8]) -> u64 {
    #[expect(deprecated, reason = "SipHash with a fixed key is what is measured")]
    let mut hasher = std::hash::SipHasher::new();
    hasher.write(token);
    hasher.finish()
}

/// wyhash.
pub fn wy(token: &[u8]) -> u64 {
    wyhash::wyhash(token, 0)
}

/// rapidhash.
pub fn rapid(token: &[u8]) -> u64 {
    rapidhash::v3::rapidhash_v3(token)
}

/// Two loads and one multiplication; sixteen bytes behind the token's first must be readable.
pub fn two_loads(text: &[u8], start: usize, length: usize) -> u64 {
    assert!(start + 16 <= text.len());
    // SAFETY: just asked for.
    unsafe { super::hash(text.as_ptr().add(start), length) }
}
