//! The heads of a bucket as one number: every question about them is a few instructions, none of them a branch.

use super::processor::alike;

/// A head: 12 bits of tag, which are never all 0, below 4 bits of score. Seven of them, the first lowest, without gaps; what is not
/// taken is 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Heads(u128);

/// Heads in a bucket.
pub(super) const HEADS: usize = 7;
/// Bytes of all heads.
pub(super) const HEAD_BYTES: usize = 2 * HEADS;

const WIDTH: u32 = 16;
const TAG_BITS: u32 = 12;
/// One in the lowest bit of every head.
const EACH: u128 = 0x0001_0001_0001_0001_0001_0001_0001;
/// All bits of each head: looked up, as shifting so wide a number is slow.
const PLACES: [u128; HEADS] = {
    let mut places = [0xffff; HEADS];
    let mut slot = 1;
    while slot < HEADS {
        places[slot] = places[slot - 1] << WIDTH;
        slot += 1;
    }
    places
};
const TAG: u16 = 0x0fff;
const SCORES: u128 = EACH * 0x000f;

impl Heads {
    /// The heads at the beginning of a bucket, whatever stands behind them.
    #[inline]
    pub(super) fn read(bytes: &[u8; 16]) -> Self {
        Heads(u128::from_le_bytes(*bytes) & (EACH * 0xffff))
    }

    /// The bytes that they are kept in.
    #[inline]
    pub(super) fn bytes(self) -> [u8; HEAD_BYTES] {
        let [bytes @ .., _, _] = self.0.to_le_bytes();
        bytes
    }

    /// How many there are.
    #[inline]
    pub(super) fn taken(self) -> usize {
        ((u128::BITS - self.0.leading_zeros()).div_ceil(WIDTH)) as usize
    }

    /// A head.
    #[inline]
    pub(super) fn get(self, slot: usize) -> u16 {
        (self.0 >> (WIDTH * slot as u32)) as u16
    }

    /// The score of a head.
    #[inline]
    pub(super) fn score(self, slot: usize) -> u16 {
        self.get(slot) >> TAG_BITS
    }

    /// The scores of all, and of what stands behind the last 0.
    #[inline]
    pub(super) fn scores(self) -> [u16; 8] {
        let bytes = self.0.to_le_bytes();
        std::array::from_fn(|slot| u16::from_le_bytes([bytes[2 * slot], bytes[2 * slot + 1]]) >> TAG_BITS)
    }

    /// The slots whose tag is this one.
    #[inline]
    pub(super) fn with_tag(self, tag: u16) -> Slots {
        // One of the two marks for each, and none for what stands behind the last.
        Slots(alike(self.0, TAG, tag) & 0x1555)
    }

    /// With a head in the place of another, or behind the last.
    #[inline]
    pub(super) fn put(&mut self, slot: usize, tag: u16, score: u16) {
        let (place, everywhere) = (PLACES[slot], EACH * u128::from(tag | score << TAG_BITS));
        self.0 = self.0 & !place | everywhere & place;
    }

    /// With one point more for a head, which must not have the most already.
    #[inline]
    pub(super) fn reward(&mut self, slot: usize) {
        self.0 += 1 << (WIDTH * slot as u32 + TAG_BITS);
    }

    /// Without the last of seven, which is given.
    #[inline]
    pub(super) fn remove_last(&mut self) -> u16 {
        let last = self.get(HEADS - 1);
        self.0 &= !(0xffff << (WIDTH * (HEADS as u32 - 1)));
        last
    }

    /// Takes a point from every head that has one if the scores of all, which are so many, are at least `rich` on average.
    #[inline]
    pub(super) fn lower_if_rich(&mut self, taken: usize, rich: u16) {
        let scores = (self.0 >> TAG_BITS) & SCORES;
        if sum(scores) >= u64::from(rich) * taken as u64 {
            // A score that is not 0 carries into the bit above it.
            let positive = ((scores + SCORES) >> 4) & EACH;
            self.0 -= positive << TAG_BITS;
        }
    }
}

/// The sum of seven small numbers.
#[inline]
fn sum(scores: u128) -> u64 {
    let add = |half: u64| half.wrapping_mul(EACH as u64) >> 48;
    add(scores as u64) + add((scores >> 64) as u64)
}

/// Slots, the first first.
pub(super) struct Slots(u16);

impl Iterator for Slots {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        if self.0 == 0 {
            return None;
        }
        let slot = self.0.trailing_zeros() / 2;
        self.0 &= self.0 - 1;
        Some(slot as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::collection::vec;
    use proptest::prelude::*;

    fn heads(plain: &[(u16, u16)]) -> Heads {
        let mut heads = Heads(0);
        plain.iter().enumerate().for_each(|(slot, &(tag, score))| heads.put(slot, tag, score));
        heads
    }

    proptest! {
        /// Everything agrees with a plain list of tags and scores.
        #[test]
        fn as_a_plain_list(
            plain in vec((1u16..=0xfff, 0u16..=15), 0..=HEADS),
            few in vec((1u16..4, 0u16..=15), 0..=HEADS),
            tag in 1u16..4,
            rich in 1u16..10,
            behind in any::<[u8; 2]>(),
        ) {
            for mut plain in [plain, few] {
                let heads = heads(&plain);
                let mut bytes = [0; 16];
                bytes[..HEAD_BYTES].copy_from_slice(&heads.bytes());
                bytes[HEAD_BYTES..].copy_from_slice(&behind);
                prop_assert_eq!(Heads::read(&bytes), heads);
                prop_assert_eq!(heads.taken(), plain.len());
                for (slot, &(tag, score)) in plain.iter().enumerate() {
                    prop_assert_eq!((heads.get(slot), heads.score(slot)), (tag | score << 12, score));
                }
                let found: Vec<usize> = heads.with_tag(tag).collect();
                let expected: Vec<usize> = (0..plain.len()).filter(|&slot| plain[slot].0 == tag).collect();
                prop_assert_eq!(found, expected);

                let mut lowered = heads;
                lowered.lower_if_rich(plain.len(), rich);
                let sum: u16 = plain.iter().map(|head| head.1).sum();
                let lower = u16::from(sum >= rich * plain.len() as u16);
                let expected: Vec<(u16, u16)> = plain.iter().map(|&(tag, score)| (tag, score.saturating_sub(lower))).collect();
                prop_assert_eq!(lowered, self::heads(&expected));

                if !plain.is_empty() {
                    let (at, mut changed) = (usize::from(tag) % plain.len(), heads);
                    changed.put(at, 0xabc, 9);
                    plain[at] = (0xabc, 9);
                    prop_assert_eq!(changed, self::heads(&plain));
                }
                if plain.len() == HEADS {
                    let mut shorter = heads;
                    prop_assert_eq!(shorter.remove_last(), heads.get(HEADS - 1));
                    prop_assert_eq!(shorter.taken(), HEADS - 1);
                }
            }
        }
    }

    #[test]
    fn a_reward_is_one_point() {
        let mut heads = heads(&[(5, 3), (0xfff, 14), (7, 0)]);
        heads.reward(1);
        heads.reward(2);
        assert_eq!((heads.score(0), heads.score(1), heads.score(2)), (3, 15, 1));
        assert_eq!(heads.get(1), 0xffff);
    }
}
