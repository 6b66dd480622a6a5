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
#[derive(Default)]
struct Buffers {
    small: Vec<i32>,
    low: Vec<i32>,
    spare: Vec<i32>,
    picks: Vec<u32>,
}

impl Buffers {
    fn make_room(&mut self, k: usize) {
        let room = BLOCK + k;
        if self.small.len() < room {
            for buffer in [&mut self.small, &mut self.low, &mut self.spare] {
                buffer.resize(room, 0);
            }
            self.picks.resize(BLOCK, 0);
        }
    }

    /// The shingles among `tokens` that are selected, by the place of their first token.
    fn pick(&mut self, tokens: &[u64], k: usize) -> &[u32] {
        let small = &mut self.small[..tokens.len()];
        for (small, token) in small.iter_mut().zip(tokens) {
            *small = ((token >> 32) as u32 ^ 1 << 31).cast_signed();
        }
        self.low[..tokens.len()].copy_from_slice(small);
        // The minimum of 2n tokens is the smaller of two minima of n: log k passes without a branch, where a deque of
        // candidates would mispredict at every other token.
        let mut width = 1;
        while width < k {
            let step = width.min(k - width);
            let next = tokens.len() - width - step + 1;
            let pairs = self.low[..next].iter().zip(&self.low[step..step + next]);
            for (spare, (left, right)) in self.spare.iter_mut().zip(pairs) {
                *spare = *left.min(right);
            }
            std::mem::swap(&mut self.low, &mut self.spare);
            width += step;
        }
        let count = tokens.len() - k + 1;
        let ends = small[..count].iter().zip(&small[k - 1..]);
        let mut picked = 0;
        for (at, (low, (first, last))) in self.low.iter().zip(ends).enumerate() {
            self.picks[picked] = at as u32;
            picked += usize::from((low == first) | (low == last));
        }
        &self.picks[..picked]
    }
}
