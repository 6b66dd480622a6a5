//! Fingerprints of k-shingles: a rolling polynomial over token hashes.
//!
//! The polynomial is taken modulo 2⁶⁴ with an odd base and then scrambled, so that every bit of a fingerprint can be used
//! for selection and for the table's buckets. Two given different shingles have the same fingerprint with a probability of
//! about 2⁻⁶⁴ (up to 2⁻⁵⁸ where they hold the same tokens in another order): in a collection of a thousand million different
//! shingles the odds that a given shingle is taken for another are about one in 10¹⁰.

use super::mix;

/// The polynomial's base: odd, so that no token's contribution is ever shifted out.
const BASE: u64 = 0x9fb2_1c65_1e98_df25;

/// Puts the fingerprint of every shingle of `k` tokens into `out`, in order; empty where there are fewer than `k`.
///
/// Takes constant time a token, whatever `k` is. Fingerprints are the same on every machine and in every version, because
/// tables of them are kept on disk.
pub fn fingerprints(token_hashes: &[u64], k: usize, out: &mut Vec<u64>) {
    let shingles = if k == 0 { 0 } else { (token_hashes.len() + 1).saturating_sub(k) };
    out.resize(shingles, 0);
    roll(token_hashes, k, out, mix);
}

/// As [`fingerprints`], but before the scrambling: for whoever needs only some of them, and scrambles these with [`mix`].
/// There is one place in `out` for each.
pub(crate) fn sums(token_hashes: &[u64], k: usize, out: &mut [u64]) {
    roll(token_hashes, k, out, |sum| sum);
}

#[inline(always)]
fn roll(token_hashes: &[u64], k: usize, out: &mut [u64], finish: impl Fn(u64) -> u64) {
    if out.is_empty() {
        return;
    }
    let (first, come) = token_hashes.split_at(k);
    let gone = &token_hashes[..come.len()];
    // Wrapping at 2³² would only matter for a k that no document can reach.
    let leading = BASE.wrapping_pow(k as u32);
    let change = |gone: u64, come: u64| come.wrapping_sub(gone.wrapping_mul(leading));
    let mut rolling = first.iter().fold(0u64, |rolling, &hash| rolling.wrapping_mul(BASE).wrapping_add(hash));
    out[0] = finish(rolling);
    // Two steps at a time: the sum after next waits for one multiplication and one addition only, as the next one does.
    let (pairs, last) = out[1..].as_chunks_mut::<2>();
    for (out, (gone, come)) in pairs.iter_mut().zip(gone.as_chunks::<2>().0.iter().zip(come.as_chunks::<2>().0)) {
        let changes = [change(gone[0], come[0]), change(gone[1], come[1])];
        let both = changes[0].wrapping_mul(BASE).wrapping_add(changes[1]);
        out[0] = finish(rolling.wrapping_mul(BASE).wrapping_add(changes[0]));
        rolling = rolling.wrapping_mul(BASE.wrapping_mul(BASE)).wrapping_add(both);
        out[1] = finish(rolling);
    }
    if let ([out], Some(gone), Some(come)) = (last, gone.last(), come.last()) {
        *out = finish(rolling.wrapping_mul(BASE).wrapping_add(change(*gone, *come)));
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Reading, Tokens};
    use super::*;
    use proptest::prelude::*;

    fn direct(shingle: &[u64]) -> u64 {
        mix(shingle.iter().fold(0u64, |sum, &hash| sum.wrapping_mul(BASE).wrapping_add(hash)))
    }

    proptest! {
        #[test]
        fn rolling_gives_what_each_shingle_alone_would(hashes in proptest::collection::vec(any::<u64>(), 0..60), k in 1usize..20) {
            let mut rolled = Vec::new();
            fingerprints(&hashes, k, &mut rolled);
            let expected: Vec<u64> = hashes.windows(k).map(direct).collect();
            prop_assert_eq!(rolled, expected);
        }
    }

    /// Tables on disk hold these numbers: they may never change.
    #[test]
    fn known_values() {
        let known = |text: &str, reading: Reading, k: usize| {
            let (mut tokens, mut shingles) = (Tokens::new(), Vec::new());
            tokens.read(text, reading).unwrap();
            fingerprints(tokens.hashes(), k, &mut shingles);
            (tokens.hashes().to_vec(), shingles)
        };
        let check = |text, reading, k, hashes: &[u64], shingles: &[u64]| {
            assert_eq!(known(text, reading, k), (hashes.to_vec(), shingles.to_vec()), "{text}");
        };
        check(
            "The River, 2024",
            Reading::Words,
            2,
            &[0xe09a_72a4_3a64_46ef, 0xc6fe_2581_6fb3_0471, 0xd70f_eeaf_48c7_2ae3],
            &[0x64dd_88c5_ec34_77a1, 0x618d_9f2e_4545_f9a7],
        );
        check(
            "Straße вода 水路 incomprehensibilities",
            Reading::Words,
            4,
            &[
                0xeb9b_d983_9196_b988,
                0x4ab4_3d25_b2ec_1c57,
                0x73a6_ccd1_fee2_17b3,
                0x178e_25a0_7938_d54a,
                0xeca8_5f9c_e27e_d372,
            ],
            &[0xe4eb_f355_5e32_ba7e, 0xdd8e_d029_5c44_4735],
        );
        check(
            "Ab é",
            Reading::Chars,
            2,
            &[0x1869_a63f_a048_7f8f, 0x316d_21ed_0f14_54eb, 0x1b1d_66c0_b4bc_e860],
            &[0x117e_8444_a361_152a, 0x4a51_0054_0653_910a],
        );
        check(
            "a+=b",
            Reading::Code,
            3,
            &[0x1869_a63f_a048_7f8f, 0x516e_7fa4_3cb5_af9e, 0xf31f_6f5d_f68f_eb99, 0x316d_21ed_0f14_54eb],
            &[0x3695_f081_b7e1_7002, 0x0f48_2fb7_d773_3663],
        );
        check(
            "acgt",
            Reading::Dna,
            4,
            &[0x1869_a63f_a048_7f8f, 0x2a52_a0d3_6fe0_2c37, 0x8e5c_af15_ec90_88a8, 0xd31e_169a_d96f_9098],
            &[0x94fd_1049_1e6a_0ad9],
        );
    }
}
