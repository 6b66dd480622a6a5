//! Axes with round numbers on them.

/// How values become places.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Scale {
    Linear,
    Logarithmic,
}

/// One axis of a plot.
#[derive(Clone, Debug)]
pub(crate) struct Axis {
    /// What it shows, with its unit.
    pub(crate) name: String,
    scale: Scale,
    low: f64,
    high: f64,
    /// Where there is a tick, and what it says; a second line stands below the first.
    ticks: Vec<(f64, String)>,
}

/// Steps between ticks of percentages.
const STEPS: [f64; 7] = [0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.25];

impl Axis {
    /// Shares as percentages, with round ends around all values.
    pub(crate) fn percent(name: &str, values: impl Iterator<Item = f64> + Clone) -> Self {
        let (low, high) = ends(values);
        let step = STEPS.into_iter().find(|step| (high - low) / step <= 6.0).unwrap_or(0.25);
        let low = ((low / step).floor() * step).max(0.0);
        let high = ((high / step).ceil() * step).max(low + step);
        let number = ((high - low) / step).round() as u32;
        let digits = usize::from(step < 0.01);
        let ticks = (0..=number).map(|at| low + step * f64::from(at));
        let ticks = ticks.map(|value| (value, format!("{:.digits$} %", value * 100.0))).collect();
        Axis { name: name.into(), scale: Scale::Linear, low, high, ticks }
    }

    /// Amounts on a logarithmic scale, with ticks at powers of ten.
    #[cfg(test)]
    pub(crate) fn log(name: &str, values: impl Iterator<Item = f64> + Clone) -> Self {
        let (low, high) = ends(values);
        let ticks = (0..20).map(|power| 10f64.powi(power)).filter(|tick| (low..=high).contains(tick));
        let ticks = ticks.map(|tick| (tick, format!("{tick}"))).collect();
        Axis { name: name.into(), scale: Scale::Logarithmic, low, high, ticks }
    }

    /// On a logarithmic scale, with the ticks that are given, as far as they do not crowd each other.
    pub(crate) fn log_at(name: &str, mut ticks: Vec<(f64, String)>) -> Self {
        ticks.sort_by(|one, other| one.0.total_cmp(&other.0));
        ticks.dedup_by(|one, other| one.0 == other.0);
        let (low, high) = ends(ticks.iter().map(|tick| tick.0));
        // A little room, so that the outermost points do not lie on the frame.
        let room = (high / low).powf(0.04).max(1.02);
        let mut axis = Axis {
            name: name.into(),
            scale: Scale::Logarithmic,
            low: low / room,
            high: high * room,
            ticks: Vec::new(),
        };
        for tick in ticks {
            let crowded = axis.ticks.last().is_some_and(|last| axis.part(tick.0) - axis.part(last.0) < 0.085);
            if !crowded {
                axis.ticks.push(tick);
            }
        }
        axis
    }

    pub(crate) fn ticks(&self) -> Vec<(f64, String)> {
        self.ticks.clone()
    }

    /// Where it begins, as its first tick says it.
    pub(crate) fn beginning(&self) -> &str {
        self.ticks.first().map_or("", |tick| &tick.1)
    }

    /// Which part of the axis lies before a value.
    pub(crate) fn part(&self, value: f64) -> f64 {
        match self.scale {
            Scale::Linear => (value - self.low) / (self.high - self.low),
            Scale::Logarithmic => (value / self.low).ln() / (self.high / self.low).ln(),
        }
    }
}

fn ends(values: impl Iterator<Item = f64>) -> (f64, f64) {
    let (low, high) =
        values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(value), high.max(value)));
    if low.is_finite() && high.is_finite() { (low, high) } else { (1.0, 2.0) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_are_round_and_around_all_values() {
        let axis = Axis::percent("", [0.873, 0.998].into_iter());
        assert_eq!(axis.beginning(), "85 %");
        assert_eq!(axis.ticks().last().map(|tick| tick.1.clone()).as_deref(), Some("100 %"));
        assert!(axis.part(0.873) > 0.0 && axis.part(0.998) < 1.0);
        assert!(Axis::percent("", [0.5].into_iter()).part(0.5).is_finite());
        assert!(Axis::percent("", [].into_iter()).part(0.5).is_finite());
        let crowded = Axis::log_at("", (1..200).map(|at| (f64::from(at), String::new())).collect());
        assert!(crowded.ticks().len() < 15);
    }
}
