//! How sure a share is: the exact binomial interval of Clopper and Pearson (Biometrika 1934).

/// Where the truth lies, with the confidence that was asked for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// The lower end.
    pub low: f64,
    /// The upper end; infinite where nothing bounds it.
    pub high: f64,
}

impl Interval {
    /// Whether a value lies in it.
    pub fn contains(self, value: f64) -> bool {
        (self.low..=self.high).contains(&value)
    }

    /// The middle part of drawn values that holds this share of them.
    pub fn of_draws(draws: &mut [f64], confidence: f64) -> Self {
        if draws.is_empty() {
            return Interval { low: 0.0, high: f64::INFINITY };
        }
        draws.sort_unstable_by(f64::total_cmp);
        let tail = (1.0 - confidence) / 2.0;
        let at = |quantile: f64| draws[((draws.len() - 1) as f64 * quantile).round() as usize];
        Interval { low: at(tail), high: at(1.0 - tail) }
    }
}

/// The interval of a share of which `hits` of `trials` were seen. It holds the truth at least as often as `confidence` says,
/// whatever the truth is.
///
/// Both may be fractions: of a weighted sample, what it is worth in unweighted draws (Korn and Graubard, 1998).
pub fn binomial(hits: f64, trials: f64, confidence: f64) -> Interval {
    let tail = (1.0 - confidence) / 2.0;
    let misses = trials - hits;
    Interval {
        low: if hits <= 0.0 { 0.0 } else { beta_quantile(hits, misses + 1.0, tail) },
        high: if misses <= 0.0 { 1.0 } else { beta_quantile(hits + 1.0, misses, 1.0 - tail) },
    }
}

/// How many draws make the interval of a share near `share` no wider than `half_width` to either side, about.
pub fn trials_for(share: f64, half_width: f64, confidence: f64) -> f64 {
    // The normal quantile from the beta one: a share of one half of many draws.
    let reference = 1e6;
    let unit = (binomial(reference / 2.0, reference, confidence).high - 0.5) * reference.sqrt() * 2.0;
    let spread = share * (1.0 - share);
    // Where hardly anything is seen, the exact interval is that of a few hits.
    let normal = spread * (unit / half_width).powi(2);
    normal.max(-((1.0 - confidence) / 2.0).ln() / half_width / 2.0).ceil()
}

/// The value below which a beta distribution has this share of its mass.
fn beta_quantile(a: f64, b: f64, mass: f64) -> f64 {
    let (mut low, mut high) = (0.0, 1.0);
    // Halving gives all the digits that a double has near 0 as well.
    for _ in 0..200 {
        let middle = 0.5 * (low + high);
        if middle <= low || middle >= high {
            break;
        }
        if beta_mass(a, b, middle) < mass { low = middle } else { high = middle }
    }
    0.5 * (low + high)
}

/// The regularised incomplete beta function (Abramowitz and Stegun 26.5.8, by Lentz's method).
fn beta_mass(a: f64, b: f64, x: f64) -> f64 {
    if x <= 0.0 || x >= 1.0 {
        return x.clamp(0.0, 1.0);
    }
    if x > (a + 1.0) / (a + b + 2.0) {
        return 1.0 - beta_mass(b, a, 1.0 - x);
    }
    let front = ln_gamma(a + b) - ln_gamma(a) - ln_gamma(b) + a * x.ln() + b * (-x).ln_1p();
    const TINY: f64 = 1e-300;
    let keep = |value: f64| if value.abs() < TINY { TINY } else { value };
    let (mut c, mut d) = (1.0, 1.0 / keep(1.0 - (a + b) * x / (a + 1.0)));
    let mut fraction = d;
    for step in 1..10_000 {
        let m = f64::from(step);
        let even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        let odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        let mut change = 1.0;
        for term in [even, odd] {
            d = 1.0 / keep(1.0 + term * d);
            c = keep(1.0 + term / c);
            change = c * d;
            fraction *= change;
        }
        if (change - 1.0).abs() < 1e-15 {
            break;
        }
    }
    (front.exp() * fraction / a).clamp(0.0, 1.0)
}

/// The logarithm of the gamma function (Lanczos, g = 7).
fn ln_gamma(x: f64) -> f64 {
    const SERIES: [f64; 9] = [
        0.999_999_999_999_809_9,
        676.520_368_121_885_1,
        -1_259.139_216_722_402_8,
        771.323_428_777_653_1,
        -176.615_029_162_140_6,
        12.507_343_278_686_905,
        -0.138_571_095_265_720_12,
        9.984_369_578_019_572e-6,
        1.505_632_735_149_311_6e-7,
    ];
    let x = x - 1.0;
    let sum = SERIES[0] + SERIES.iter().enumerate().skip(1).map(|(i, term)| term / (x + i as f64)).sum::<f64>();
    let t = x + 7.5;
    0.5 * std::f64::consts::TAU.ln() + (x + 0.5) * t.ln() - t + sum.ln()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The probability of at most `hits`, added up term by term.
    fn at_most(hits: u32, trials: u32, share: f64) -> f64 {
        // From the side where the terms are not too small for a double.
        if share > 0.5 {
            return if hits >= trials { 1.0 } else { 1.0 - at_most(trials - hits - 1, trials, 1.0 - share) };
        }
        let mut term = (f64::from(trials) * (1.0 - share).ln()).exp();
        let mut sum = term;
        for k in 0..hits {
            term *= f64::from(trials - k) / f64::from(k + 1) * share / (1.0 - share);
            sum += term;
        }
        sum
    }

    #[test]
    fn known_values() {
        let check = |hits: f64, trials: f64, low: f64, high: f64| {
            let found = binomial(hits, trials, 0.95);
            assert!((found.low - low).abs() < 5e-5 && (found.high - high).abs() < 5e-5, "{hits}/{trials}: {found:?}");
        };
        // Closed forms at the ends: 1 - 0.025^(1/n).
        check(0.0, 1.0, 0.0, 0.975);
        check(1.0, 1.0, 0.025, 1.0);
        check(0.0, 10.0, 0.0, 0.308_50);
        check(5.0, 10.0, 0.187_09, 0.812_91);
        check(500.0, 1000.0, 0.468_54, 0.531_46);
    }

    proptest! {
        /// What Clopper and Pearson ask of the two ends.
        #[test]
        fn ends_leave_the_tails_out(trials in 1u32..400, part in 0.0..=1.0f64) {
            let hits = (f64::from(trials) * part).round() as u32;
            let Interval { low, high } = binomial(f64::from(hits), f64::from(trials), 0.95);
            prop_assert!((0.0..=1.0).contains(&low) && low < high && high <= 1.0);
            if hits < trials {
                prop_assert!((at_most(hits, trials, high) - 0.025).abs() < 1e-6);
            }
            if hits > 0 {
                prop_assert!((1.0 - at_most(hits - 1, trials, low) - 0.025).abs() < 1e-6);
            }
        }

        #[test]
        fn as_many_draws_as_advised_are_about_enough(share in 0.0..=1.0f64, half_width in 0.005..0.2f64) {
            let trials = trials_for(share, half_width, 0.95);
            let found = binomial((share * trials).round(), trials, 0.95);
            let half = (found.high - found.low) / 2.0;
            prop_assert!(half < half_width * 2.1 && half > half_width * 0.3, "{share} {half_width}: {trials} {half}");
        }
    }

    #[test]
    fn draws_give_their_middle() {
        let mut draws: Vec<f64> = (0..=1000).rev().map(f64::from).collect();
        assert_eq!(Interval::of_draws(&mut draws, 0.95), Interval { low: 25.0, high: 975.0 });
        assert_eq!(Interval::of_draws(&mut [], 0.95).high, f64::INFINITY);
    }
}
