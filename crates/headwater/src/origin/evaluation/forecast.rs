//! What an amount of memory will give on a collection that is larger than what was measured.
//!
//! Accuracy is measured at several amounts of memory on growing beginnings of a sample. Where a collection of g times the size
//! needs g^α times the memory for the same accuracy, its curve is that of the smaller one moved to the right: α is 1 where
//! copies come from anywhere in the past (the table must hold the same share of it) and 0 where they come from the recent
//! past alone. The doublings inside the sample tell which α it is, and how far they agree tells how sure that is.

/// Accuracy against memory on the first so many documents.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Measured {
    /// How large the collection was, in any unit.
    pub size: f64,
    /// Ascending in memory.
    pub points: Vec<Point>,
}

/// Both metrics at one amount of memory.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Point {
    /// Bytes of the table.
    pub memory: f64,
    /// DO, from 0 to 1.
    pub dominant_origin: Value,
    /// DO of those queries that are mostly copies.
    pub copied_origin: f64,
    /// TF, from 0 to 1.
    pub token_freshness: Value,
}

/// A figure and its standard error.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Value {
    /// The figure.
    pub mean: f64,
    /// How far a single run is from it, typically.
    pub error: f64,
}

/// A figure to expect, and between which it will probably lie.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Expected {
    /// The most probable.
    pub value: f64,
    /// Two standard errors below, with the least favourable growth.
    pub low: f64,
    /// Two standard errors above, with the most favourable growth.
    pub high: f64,
}

/// What was learnt from the measurements.
#[derive(Clone, Debug, PartialEq)]
pub struct Forecast {
    curve: Measured,
    /// How far DO and TF of one doubling inside the sample were from what the model says of it: what the collection itself does
    /// as it grows, beside growing.
    missed: [f64; 2],
    /// α: a collection g times as large needs g^α times the memory.
    pub exponent: Expected,
    /// Whether the measurements tell anything about it; where not, the exponent is the cautious 1.
    pub is_known: bool,
}

/// The exponents that are tried, in steps of a twentieth.
const EXPONENTS: std::ops::RangeInclusive<u32> = 0..=24;
const STEP: f64 = 0.05;

/// What the model leaves out is at least so much: two curves never agree better than by chance.
const DOUBT: f64 = 0.1;

impl Forecast {
    /// Learns from measurements on growing beginnings of one sample, the whole sample last.
    pub fn fit(measured: &[Measured]) -> Option<Self> {
        let curve = measured.last().filter(|last| !last.points.is_empty())?.clone();
        let steps: Vec<(f64, f64)> =
            measured.windows(2).filter_map(|pair| best_shift(&pair[..1], &pair[1..])).collect();
        let whole = best_shift(&measured[..measured.len() - 1], &measured[1..]);
        let (exponent, is_known) = match whole {
            Some((exponent, _)) => {
                let low = steps.iter().map(|step| step.0).fold(exponent, f64::min);
                let high = steps.iter().map(|step| step.0).fold(exponent, f64::max);
                // At either end the best exponent is not the true one: accuracy changes for other reasons than size, and
                // growth may do anything.
                let is_at_end = steps.iter().any(|step| step.0 <= 0.0 || step.0 >= f64::from(*EXPONENTS.end()) * STEP);
                let (low, high) = if is_at_end { (0.0, high.max(1.0)) } else { (low, high) };
                (Expected { value: exponent, low: (low - DOUBT).max(0.0), high: high + DOUBT }, true)
            }
            None => (Expected { value: 1.0, low: 0.0, high: 1.0 }, false),
        };
        let missed = missed(measured, exponent.value);
        Some(Forecast { missed, curve, exponent, is_known })
    }

    /// DO and TF to expect of so much memory on a collection `growth` times as large as the sample.
    pub fn expect(&self, memory: f64, growth: f64) -> (Expected, Expected) {
        let at = |exponent: f64| self.curve.at(memory / growth.powf(exponent));
        let (middle, worst, best) = (at(self.exponent.value), at(self.exponent.high), at(self.exponent.low));
        let doublings = growth.max(1.0).log2();
        let pick = |metric: fn(&Point) -> Value, missed: f64| {
            let (middle, worst, best) = (metric(&middle), metric(&worst), metric(&best));
            let missed = missed * doublings;
            let low = worst.mean.min(best.mean).min(middle.mean) - 2.0 * worst.error.max(middle.error) - missed;
            let high = worst.mean.max(best.mean).max(middle.mean) + 2.0 * best.error.max(middle.error) + missed;
            Expected { value: middle.mean, low: low.clamp(0.0, 1.0), high: high.clamp(0.0, 1.0) }
        };
        (pick(|point| point.dominant_origin, self.missed[0]), pick(|point| point.token_freshness, self.missed[1]))
    }

    /// DO of those queries alone that are mostly copies, should the collection grow in the least favourable way that the measurements
    /// allow. A document that is its own origin is easily told, so that DO of all is high wherever hardly anything is a copy.
    pub fn of_copies(&self, memory: f64, growth: f64) -> f64 {
        let at = |exponent: f64| self.curve.at(memory / growth.powf(exponent)).copied_origin;
        at(self.exponent.high).min(at(self.exponent.low))
    }

    /// How much of DO or TF is lost for want of memory on a collection `growth` times as large, should it grow in the least
    /// favourable way that the measurements allow: the larger of the two losses.
    pub fn loss(&self, memory: f64, growth: f64) -> f64 {
        let (most, here) = (self.ceiling(), self.curve.at(memory / growth.powf(self.exponent.high)));
        let lost = |metric: fn(&Point) -> Value| metric(&most).mean - metric(&here).mean;
        lost(|point| point.dominant_origin).max(lost(|point| point.token_freshness))
    }

    /// What memory without limit would give: the accuracy at the most that was measured.
    pub fn ceiling(&self) -> Point {
        self.curve.points.last().copied().unwrap_or_default()
    }
}

impl Measured {
    /// Between the measured amounts of memory, on a logarithmic scale; beyond them as the nearest.
    fn at(&self, memory: f64) -> Point {
        let after = self.points.partition_point(|point| point.memory < memory);
        let (Some(left), right) = (self.points.get(after.saturating_sub(1)), self.points.get(after)) else {
            return Point::default();
        };
        let right = right.unwrap_or(left);
        if after == 0 || right.memory <= left.memory {
            return Point { memory, ..*right };
        }
        let part = (memory / left.memory).ln() / (right.memory / left.memory).ln();
        let between = |one: Value, other: Value| Value {
            mean: one.mean + part * (other.mean - one.mean),
            error: one.error.max(other.error),
        };
        Point {
            memory,
            dominant_origin: between(left.dominant_origin, right.dominant_origin),
            copied_origin: left.copied_origin + part * (right.copied_origin - left.copied_origin),
            token_freshness: between(left.token_freshness, right.token_freshness),
        }
    }
}

/// How far each measurement was from what the one before it and this exponent would have said of it, for each doubling: of DO
/// and TF the mean over all amounts of memory, or the change with the most memory if that is more; the worst of the steps.
fn missed(measured: &[Measured], exponent: f64) -> [f64; 2] {
    let metrics: [fn(&Point) -> Value; 2] = [|point| point.dominant_origin, |point| point.token_freshness];
    metrics.map(|metric| {
        let steps = measured.windows(2).filter_map(|pair| {
            let [small, large] = pair else { return None };
            let growth = large.size / small.size;
            let off = |point: &Point| {
                (metric(point).mean - metric(&small.at(point.memory / growth.powf(exponent))).mean).abs()
            };
            let mean = large.points.iter().map(off).sum::<f64>() / large.points.len().max(1) as f64;
            let most = large.points.last().map_or(0.0, off);
            (growth > 1.0).then(|| mean.max(most) / growth.log2())
        });
        steps.fold(0.0, f64::max)
    })
}

/// The exponent by which each of `small` comes closest to the one of `large` at its place, and how close that is. None where
/// one exponent is as good as another: the curves are flat.
fn best_shift(small: &[Measured], large: &[Measured]) -> Option<(f64, f64)> {
    let distance = |exponent: f64| {
        let (mut sum, mut number) = (0.0, 0.0);
        for (small, large) in small.iter().zip(large) {
            let growth = large.size / small.size;
            for point in &large.points {
                let moved = small.at(point.memory / growth.powf(exponent));
                let origin = point.dominant_origin.mean - moved.dominant_origin.mean;
                let freshness = point.token_freshness.mean - moved.token_freshness.mean;
                sum += origin * origin + freshness * freshness;
                number += 2.0;
            }
        }
        (sum / f64::max(number, 1.0)).sqrt()
    };
    let tried: Vec<(f64, f64)> =
        EXPONENTS.map(|step| f64::from(step) * STEP).map(|exponent| (exponent, distance(exponent))).collect();
    let best = tried.iter().copied().min_by(|one, other| one.1.total_cmp(&other.1))?;
    let worst = tried.iter().map(|one| one.1).fold(0.0, f64::max);
    // A thousandth is within what another hash function would change.
    (worst - best.1 > 0.001).then_some(best)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A curve that a collection of this size would have if it needed size^exponent times the memory.
    fn measured(size: f64, exponent: f64) -> Measured {
        let points = (10..30).map(|power| {
            let memory = f64::from(1 << power);
            let held = memory / 1e6 / size.powf(exponent);
            let value = |scale: f64| Value { mean: 1.0 - 0.5 / (1.0 + scale * held), error: 0.001 };
            Point { memory, dominant_origin: value(3.0), copied_origin: value(2.0).mean, token_freshness: value(1.0) }
        });
        Measured { size, points: points.collect() }
    }

    #[test]
    fn growth_is_learnt_from_doublings() {
        for exponent in [0.0, 0.35, 0.8, 1.0] {
            let sample: Vec<Measured> = [1.0, 2.0, 4.0].iter().map(|&size| measured(size, exponent)).collect();
            let forecast = Forecast::fit(&sample).unwrap();
            if exponent > 0.0 {
                assert!((forecast.exponent.value - exponent).abs() < 0.051, "{exponent}: {:?}", forecast.exponent);
            }
            let far = measured(64.0, exponent);
            for point in &far.points[6..] {
                let (origin, freshness) = forecast.expect(point.memory, 16.0);
                assert!((origin.value - point.dominant_origin.mean).abs() < 0.03, "{exponent} at {}", point.memory);
                let lost = forecast.ceiling().dominant_origin.mean - point.dominant_origin.mean;
                assert!(forecast.loss(point.memory, 16.0) >= lost - 0.03, "the loss is never made light of");
                assert!(forecast.of_copies(point.memory, 16.0) <= point.copied_origin + 0.03);
                assert!(origin.low <= point.dominant_origin.mean && point.dominant_origin.mean <= origin.high);
                assert!(freshness.low <= point.token_freshness.mean && point.token_freshness.mean <= freshness.high);
            }
        }
    }

    #[test]
    fn flat_curves_say_nothing_about_growth() {
        let flat = |size: f64| {
            let value = Value { mean: 0.9, error: 0.0 };
            let point =
                |memory: f64| Point { memory, dominant_origin: value, copied_origin: 0.9, token_freshness: value };
            Measured { size, points: vec![point(1e3), point(1e6)] }
        };
        let forecast = Forecast::fit(&[flat(1.0), flat(2.0)]).unwrap();
        assert!(!forecast.is_known);
        assert_eq!((forecast.exponent.value, forecast.exponent.low), (1.0, 0.0));
        assert_eq!(forecast.expect(1e5, 10.0).0.value, 0.9);
        assert!(Forecast::fit(&[]).is_none());
        assert_eq!(Forecast::fit(&[flat(1.0)]).unwrap().ceiling().memory, 1e6);
    }
}
