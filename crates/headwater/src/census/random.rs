//! Chance that is the same on every machine: splitmix64 (Steele, Lea and Flood, OOPSLA 2014) and the few distributions that
//! sampling and its error bars need.

use crate::text::{mix, part};

/// A source of random numbers. The same seed gives the same numbers, everywhere and in every version.
#[derive(Clone, Debug)]
pub struct Random {
    state: u64,
}

impl Random {
    /// A source that starts at `seed`.
    pub fn new(seed: u64) -> Self {
        Random { state: mix(seed) }
    }

    /// The next number, of all there are.
    pub fn next_u64(&mut self) -> u64 {
        let number = mix(self.state);
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        number
    }

    /// A number below `most`, which must not be 0.
    pub fn below(&mut self, most: usize) -> usize {
        part(self.next_u64(), most)
    }

    /// A number above 0 and below 1.
    pub fn unit(&mut self) -> f64 {
        ((self.next_u64() >> 11) as f64 + 0.5) / (1u64 << 53) as f64
    }

    /// `true` with this probability.
    pub fn chance(&mut self, probability: f64) -> bool {
        self.unit() < probability
    }

    /// The gamma distribution of this shape and scale 1 (Marsaglia and Tsang, 2000).
    pub fn gamma(&mut self, shape: f64) -> f64 {
        if shape < 1.0 {
            // Their section 6: one shape more, then a power of a uniform number.
            return self.gamma(shape + 1.0) * self.unit().powf(1.0 / shape);
        }
        let d = shape - 1.0 / 3.0;
        let c = 1.0 / (9.0 * d).sqrt();
        loop {
            let x = self.normal();
            let v = (1.0 + c * x).powi(3);
            if v > 0.0 && self.unit().ln() < 0.5 * x * x + d - d * v + d * v.ln() {
                return d * v;
            }
        }
    }

    fn normal(&mut self) -> f64 {
        (-2.0 * self.unit().ln()).sqrt() * (std::f64::consts::TAU * self.unit()).cos()
    }

    /// `count` different numbers below `most`, in no order; all of them where there are not more (Floyd's algorithm).
    pub fn choose(&mut self, most: usize, count: usize) -> Vec<usize> {
        if count >= most {
            return (0..most).collect();
        }
        let mut chosen = std::collections::HashSet::with_capacity(count);
        let mut order = Vec::with_capacity(count);
        for last in most - count..most {
            let drawn = self.below(last + 1);
            let taken = if chosen.insert(drawn) { drawn } else { last };
            chosen.insert(taken);
            order.push(taken);
        }
        order
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moments(mut draw: impl FnMut() -> f64) -> (f64, f64) {
        let drawn: Vec<f64> = (0..40_000).map(|_| draw()).collect();
        let mean = drawn.iter().sum::<f64>() / drawn.len() as f64;
        let variance = drawn.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / drawn.len() as f64;
        (mean, variance)
    }

    #[test]
    fn distributions_have_their_moments() {
        let mut random = Random::new(1);
        let (mean, variance) = moments(|| random.unit());
        assert!((mean - 0.5).abs() < 0.01 && (variance - 1.0 / 12.0).abs() < 0.01);
        for shape in [0.5, 1.0, 3.0, 40.0] {
            let (mean, variance) = moments(|| random.gamma(shape));
            assert!((mean / shape - 1.0).abs() < 0.05 && (variance / shape - 1.0).abs() < 0.1, "{shape}: {mean}");
        }
    }

    #[test]
    fn chosen_numbers_differ_and_each_is_as_likely() {
        let mut random = Random::new(2);
        let mut drawn = [0u32; 10];
        for _ in 0..10_000 {
            let mut chosen = random.choose(10, 3);
            chosen.iter().for_each(|&number| drawn[number] += 1);
            chosen.sort_unstable();
            chosen.dedup();
            assert_eq!(chosen.len(), 3);
        }
        assert!(drawn.iter().all(|&times| (2_700..3_300).contains(&times)), "{drawn:?}");
        assert_eq!(random.choose(4, 9), [0, 1, 2, 3]);
    }

    #[test]
    fn the_same_seed_gives_the_same_numbers() {
        let numbers = |seed| -> Vec<u64> {
            std::iter::repeat_with({
                let mut random = Random::new(seed);
                move || random.next_u64()
            })
            .take(3)
            .collect()
        };
        assert_eq!(numbers(7), numbers(7));
        assert_ne!(numbers(7), numbers(8));
    }
}
