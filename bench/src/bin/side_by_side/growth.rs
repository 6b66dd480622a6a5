//! How time and memory grow with the text: the exponent of a power law, by least squares over logarithms.

use serde::{Deserialize, Serialize};

use crate::jobs;
use crate::record::Row;

/// One contender over several sizes of one kind of text.
#[derive(Serialize, Deserialize)]
pub struct Curve {
    pub job: String,
    pub contender: String,
    /// Generated text, not documentation.
    pub is_generated: bool,
    pub points: Vec<Point>,
    /// Time is proportional to the size to the power of this.
    pub time_exponent: f64,
    pub memory_exponent: f64,
}

/// Medians at one size.
#[derive(Clone, Copy, Serialize, Deserialize)]
pub struct Point {
    pub bytes: u64,
    pub cpu: f64,
    pub peak: f64,
}

/// Below this, starting the program counts more than the text.
const LEAST_BYTES: u64 = 24_000_000;

/// The curves of all contenders whose growth is measured, with two sizes or more.
pub fn curves(rows: &[Row]) -> Vec<Curve> {
    let mut curves: Vec<Curve> = Vec::new();
    let grown = |row: &&Row| jobs::contender(&row.job, &row.contender).is_some_and(|contender| contender.grows_to > 0);
    for row in rows.iter().filter(grown).filter(|row| row.bytes >= LEAST_BYTES) {
        let Some(taken) = &row.taken else { continue };
        let is_generated = row.size.starts_with('g');
        let point = Point { bytes: row.bytes, cpu: taken.cpu.median, peak: taken.peak.median };
        let same = |curve: &&mut Curve| {
            (&curve.job, &curve.contender, curve.is_generated) == (&row.job, &row.contender, is_generated)
        };
        match curves.iter_mut().find(same) {
            Some(curve) => curve.points.push(point),
            None => curves.push(Curve {
                job: row.job.clone(),
                contender: row.contender.clone(),
                is_generated,
                points: vec![point],
                time_exponent: 0.0,
                memory_exponent: 0.0,
            }),
        }
    }
    curves.retain(|curve| curve.points.len() > 1);
    for curve in &mut curves {
        curve.time_exponent = exponent(curve.points.iter().map(|point| (point.bytes as f64, point.cpu)));
        curve.memory_exponent = exponent(curve.points.iter().map(|point| (point.bytes as f64, point.peak)));
    }
    curves
}

fn exponent(points: impl Iterator<Item = (f64, f64)> + Clone) -> f64 {
    let points = points.map(|(x, y)| (x.ln(), y.ln()));
    let number = points.clone().count() as f64;
    let (x, y) = points.clone().fold((0.0, 0.0), |sum, point| (sum.0 + point.0 / number, sum.1 + point.1 / number));
    let (over, under) = points
        .fold((0.0, 0.0), |sum, point| (sum.0 + (point.0 - x) * (point.1 - y), sum.1 + (point.0 - x) * (point.0 - x)));
    over / under
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_power_law_is_recognised() {
        for power in [0.0, 0.5, 1.0, 1.3] {
            let points = [25f64, 50.0, 200.0, 1000.0].map(|x| (x, 3.0 * x.powf(power)));
            assert!((exponent(points.into_iter()) - power).abs() < 1e-9);
        }
    }
}
