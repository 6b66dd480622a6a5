//! Fingerprints of k-shingles: a rolling polynomial over token hashes.

use super::mix;

/// The polynomial's base: odd, so that no token's contribution is ever shifted out.
const BASE: u64 = 0x9fb2_1c65_1e98_df25;

/// Puts the fingerprint of every shingle of `k` tokens into `out`, in order; empty where there are fewer than `k`.
pub fn fingerprints(token_hashes: &[u64], k: usize, out: &mut Vec<u64>) {
    out.clear();
    if k == 0 || token_hashes.len() < k {
        return;
    }
    let leading = BASE.wrapping_pow(k as u32);
    let mut rolling = 0u64;
    for &hash in &token_hashes[..k] {
        rolling = rolling.wrapping_mul(BASE).wrapping_add(hash);
    }
    out.push(mix(rolling));
    for (gone, come) in token_hashes.iter().zip(&token_hashes[k..]) {
        rolling = rolling.wrapping_mul(BASE).wrapping_add(*come).wrapping_sub(gone.wrapping_mul(leading));
        out.push(mix(rolling));
    }
}
