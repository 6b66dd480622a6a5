//! Hailstorm: the shingles whose smallest token hash is at their first or last place, and possibly also in between
//! (section 2.1). Context-free, and every token but the first and last k − 1 is covered (Lemma 1).

use std::cell::RefCell;

use super::{Selected, shingle};

/// Shingles handled at a time: few, so that the buffers stay in the nearest cache.
const BLOCK: usize = 256;

thread_local! {
    /// Kept from one document to the next, so that a short one does not pay for making them.
    static BUFFERS: RefCell<Buffers> = RefCell::default();
}

/// Tokens are compared by the upper halves of their hashes: twice as many fit a vector register, and two tokens of a
/// shingle that agree in 32 bits only make both count as the smallest.
pub(super) fn select(tokens: &[u64], shingles: &[u64], k: usize, out: &mut Vec<Selected>) {
    if k == 0 || shingles.is_empty() {
        return;
    }
    BUFFERS.with_borrow_mut(|buffers| {
        buffers.make_room(k);
        for start in (0..shingles.len()).step_by(BLOCK) {
            let count = BLOCK.min(shingles.len() - start);
            let picks = buffers.pick(&tokens[start..start + count + k - 1], k);
            out.extend(picks.iter().map(|&pick| shingle(shingles, k, start + pick as usize)));
        }
    });
}

/// Signed, because the least of x86-64 has no smaller-of-two for unsigned numbers.
struct Buffers {
    small: Vec<i32>,
    low: Vec<i32>,
    spare: Vec<i32>,
    picks: Vec<u32>,
    pick: Pick,
}

/// Puts the selected among some tokens into the buffers' picks, and tells how many there are.
type Pick = fn(&mut Buffers, &[u64], usize) -> usize;

impl Default for Buffers {
    fn default() -> Self {
        Buffers::with(fastest())
    }
}

impl Buffers {
    fn with(pick: Pick) -> Self {
        let none = Vec::new;
        Buffers { small: none(), low: none(), spare: none(), picks: vec![0; BLOCK + LANES], pick }
    }

    fn make_room(&mut self, k: usize) {
        let room = BLOCK + k + LANES;
        if self.small.len() < room {
            for buffer in [&mut self.small, &mut self.low, &mut self.spare] {
                buffer.resize(room, 0);
            }
        }
    }

    /// The shingles among `tokens` that are selected, by the place of their first token.
    fn pick(&mut self, tokens: &[u64], k: usize) -> &[u32] {
        let picked = (self.pick)(self, tokens, k);
        &self.picks[..picked]
    }

    #[inline(always)]
    fn pick_with(&mut self, tokens: &[u64], k: usize, alike: impl Fn(&Lanes, &Lanes, &Lanes) -> u8) -> usize {
        let Buffers { small, low, spare, picks, .. } = self;
        for (small, token) in small.iter_mut().zip(tokens) {
            *small = ((token >> 32) as u32 ^ 1 << 31).cast_signed();
        }
        low[..tokens.len()].copy_from_slice(&small[..tokens.len()]);
        // The minimum of 2n tokens is the smaller of two minima of n: log k passes without a branch, where a deque of
        // candidates would mispredict at every other token.
        let mut width = 1;
        while width < k {
            let step = width.min(k - width);
            let next = tokens.len() - width - step + 1;
            let pairs = low[..next].iter().zip(&low[step..step + next]);
            for (spare, (left, right)) in spare.iter_mut().zip(pairs) {
                *spare = *left.min(right);
            }
            std::mem::swap(low, spare);
            width += step;
        }
        // Eight shingles at a time: which of them are picked is one number, and where these stand is looked up by it.
        let count = tokens.len() - k + 1;
        let (lows, firsts) = (low.as_chunks().0, small.as_chunks().0);
        let lasts = small[k - 1..].as_chunks().0;
        let mut picked = 0;
        for (turn, ((low, first), last)) in lows.iter().zip(firsts).zip(lasts).enumerate() {
            let from = turn * LANES;
            if from >= count {
                break;
            }
            let beyond = LANES.saturating_sub(count - from);
            let bits = usize::from(alike(low, first, last) << beyond >> beyond);
            let places = picks[picked..].first_chunk_mut::<LANES>().expect("there is room for eight more than all");
            for (pick, place) in places.iter_mut().zip(PLACES[bits]) {
                *pick = from as u32 + u32::from(place);
            }
            picked += bits.count_ones() as usize;
        }
        picked
    }
}

const LANES: usize = 8;
type Lanes = [i32; LANES];

/// Where the bits of a number are set.
static PLACES: [[u8; LANES]; 256] = {
    let mut places = [[0; LANES]; 256];
    let mut number = 0;
    while number < places.len() {
        let (mut bit, mut at) = (0, 0);
        while bit < LANES {
            if number >> bit & 1 == 1 {
                places[number][at] = bit as u8;
                at += 1;
            }
            bit += 1;
        }
        number += 1;
    }
    places
};

fn pick_portable(buffers: &mut Buffers, tokens: &[u64], k: usize) -> usize {
    buffers.pick_with(tokens, k, |low, first, last| {
        let alike = |lane: usize| u8::from((low[lane] == first[lane]) | (low[lane] == last[lane]));
        (0..LANES).fold(0, |bits, lane| bits | alike(lane) << lane)
    })
}

#[cfg(target_arch = "x86_64")]
use x86::fastest;

#[cfg(not(target_arch = "x86_64"))]
fn fastest() -> Pick {
    pick_portable
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    #![expect(unsafe_code, reason = "functions for newer processors may only be called after asking the processor")]

    use std::arch::x86_64::*;

    use super::{Buffers, Lanes, Pick, pick_portable};

    pub(super) fn fastest() -> Pick {
        let newer = is_x86_feature_detected!("avx2") && is_x86_feature_detected!("popcnt");
        // SAFETY: the processor has been asked.
        if newer { |buffers, tokens, k| unsafe { pick_avx2(buffers, tokens, k) } } else { pick_portable }
    }

    #[target_feature(enable = "avx2,popcnt")]
    fn pick_avx2(buffers: &mut Buffers, tokens: &[u64], k: usize) -> usize {
        buffers.pick_with(tokens, k, |low, first, last| {
            let low = load(low);
            let alike = _mm256_or_si256(_mm256_cmpeq_epi32(low, load(first)), _mm256_cmpeq_epi32(low, load(last)));
            _mm256_movemask_ps(_mm256_castsi256_ps(alike)) as u8
        })
    }

    #[target_feature(enable = "avx2")]
    fn load(lanes: &Lanes) -> __m256i {
        // SAFETY: these are the 32 bytes that are loaded; the load needs no alignment.
        unsafe { _mm256_loadu_si256(lanes.as_ptr().cast()) }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn every_path_picks_the_same(tokens in proptest::collection::vec(0u64..40, 1..300), k in 1usize..20) {
            let tokens: Vec<u64> = tokens.iter().map(|token| token << 58 | token << 32).collect();
            let tokens = &tokens[..tokens.len().min(BLOCK + k - 1)];
            prop_assume!(tokens.len() >= k);
            let small = |window: &[u64]| window.iter().map(|token| token >> 32).min();
            let expected: Vec<u32> = (0u32..).zip(tokens.windows(k)).filter_map(|(at, window)| {
                let ends = [window[0] >> 32, window[k - 1] >> 32];
                ends.iter().any(|&end| Some(end) == small(window)).then_some(at)
            }).collect();
            for pick in [pick_portable as Pick, fastest()] {
                let mut buffers = Buffers::with(pick);
                buffers.make_room(k);
                prop_assert_eq!(buffers.pick(tokens, k), &expected[..]);
            }
        }
    }
}
