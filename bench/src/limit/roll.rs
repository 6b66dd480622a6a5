//! A number for every 8 words in a row, and which of them Hailstorm selects: the smallest of the eight stands first or last.

use std::collections::VecDeque;

const K: usize = 8;
const BASE: u64 = 0x9fb2_1c65_1e98_df25;

/// Polynomial modulo 2^64.
pub fn polynomial(hashes: &[u64], out: &mut Vec<u64>) {
    out.clear();
    if hashes.len() < K {
        return;
    }
    let leading = BASE.wrapping_pow(K as u32);
    let mut rolling = hashes[..K].iter().fold(0u64, |rolling, &hash| rolling.wrapping_mul(BASE).wrapping_add(hash));
    out.push(rolling);
    out.extend(hashes.iter().zip(&hashes[K..]).map(|(gone, come)| {
        rolling = rolling.wrapping_mul(BASE).wrapping_add(come.wrapping_sub(gone.wrapping_mul(leading)));
        rolling
    }));
}

/// Cyclic polynomial: rotations and exclusive or.
pub fn cyclic(hashes: &[u64], out: &mut Vec<u64>) {
    out.clear();
    if hashes.len() < K {
        return;
    }
    let mut rolling = hashes[..K].iter().fold(0u64, |rolling, &hash| rolling.rotate_left(1) ^ hash);
    out.push(rolling);
    out.extend(hashes.iter().zip(&hashes[K..]).map(|(gone, come)| {
        rolling = rolling.rotate_left(1) ^ gone.rotate_left(K as u32) ^ come;
        rolling
    }));
}

/// Hailstorm by a queue of rising minima.
pub fn deque(hashes: &[u64]) -> u64 {
    let (mut queue, mut selected) = (VecDeque::with_capacity(K), 0);
    for (at, &hash) in hashes.iter().enumerate() {
        while queue.back().is_some_and(|&(_, other)| other > hash) {
            queue.pop_back();
        }
        queue.push_back((at, hash));
        if at + 1 < K {
            continue;
        }
        while queue.front().is_some_and(|&(other, _)| other + K <= at) {
            queue.pop_front();
        }
        let least = queue.front().map_or(0, |front| front.1);
        selected += u64::from(hash == least || hashes[at + 1 - K] == least);
    }
    selected
}

/// Hailstorm by looking at all eight.
pub fn naive(hashes: &[u64]) -> u64 {
    let select = |window: &[u64]| {
        let least = window.iter().copied().fold(u64::MAX, u64::min);
        u64::from(window[0] == least || window[K - 1] == least)
    };
    hashes.windows(K).map(select).sum()
}

/// Hailstorm by minima of two, four and eight.
pub fn doubling(hashes: &[u64], minima: &mut Vec<u64>) -> u64 {
    minima.clear();
    if hashes.len() < K {
        return 0;
    }
    minima.extend(hashes.iter().zip(&hashes[1..]).map(|(one, other)| *one.min(other)));
    for at in 0..minima.len() - 2 {
        minima[at] = minima[at].min(minima[at + 2]);
    }
    let select = |at: usize| {
        let least = minima[at].min(minima[at + 4]);
        u64::from(hashes[at] == least || hashes[at + K - 1] == least)
    };
    (0..=hashes.len() - K).map(select).sum()
}
