//! Spans of time as people write them: `60s`, `5m`, `1h`, `500ms`.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// A span of time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Span(pub(crate) Duration);

const UNITS: [(&str, f64); 6] = [("ms", 0.001), ("s", 1.0), ("", 1.0), ("m", 60.0), ("min", 60.0), ("h", 3600.0)];

impl FromStr for Span {
    type Err = String;

    fn from_str(written: &str) -> Result<Self, String> {
        let trimmed = written.trim();
        let digits = trimmed.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(trimmed.len());
        let (number, unit) = trimmed.split_at(digits);
        let factor = UNITS.iter().find(|(name, _)| *name == unit.trim()).map(|(_, factor)| *factor);
        let seconds = number.parse::<f64>().ok().zip(factor).map(|(number, factor)| number * factor);
        let span = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
        span.map(Span).ok_or_else(|| format!("'{written}' is no span of time; write 60s, 5m or 1h"))
    }
}

impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}s", self.0.as_secs_f64())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_as_people_write_them() {
        for (written, milliseconds) in
            [("60s", 60_000), ("500ms", 500), ("1.5h", 5_400_000), ("2 m", 120_000), ("7", 7000)]
        {
            assert_eq!(written.parse(), Ok(Span(Duration::from_millis(milliseconds))), "{written}");
        }
        for written in ["", "s", "-1s", "1 fortnight", "1e99h"] {
            assert!(written.parse::<Span>().is_err(), "{written}");
        }
    }
}
