//! Amounts of memory as people write them: `256MiB`, `1GB`, `500k`, `4096`.

use std::fmt;
use std::str::FromStr;

/// A number of bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Size(pub(crate) usize);

const UNITS: [(&str, u64); 19] = [
    ("", 1),
    ("b", 1),
    ("k", 1 << 10),
    ("kb", 1000),
    ("kib", 1 << 10),
    ("m", 1 << 20),
    ("mb", 1_000_000),
    ("mib", 1 << 20),
    ("g", 1 << 30),
    ("gb", 1_000_000_000),
    ("gib", 1 << 30),
    ("t", 1 << 40),
    ("tb", 1_000_000_000_000),
    ("tib", 1 << 40),
    ("p", 1 << 50),
    ("pb", 1_000_000_000_000_000),
    ("pib", 1 << 50),
    ("byte", 1),
    ("bytes", 1),
];

impl FromStr for Size {
    type Err = String;

    fn from_str(written: &str) -> Result<Self, String> {
        let trimmed = written.trim();
        let digits = trimmed.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(trimmed.len());
        let (number, unit) = trimmed.split_at(digits);
        let unit = unit.trim().to_ascii_lowercase();
        let factor = UNITS.iter().find(|(name, _)| *name == unit).map(|(_, factor)| *factor);
        let bytes = number.parse::<f64>().ok().zip(factor).map(|(number, factor)| number * factor as f64);
        match bytes {
            Some(bytes) if bytes <= usize::MAX as f64 => Ok(Size(bytes as usize)),
            Some(_) => Err(format!("'{written}' is more memory than can be addressed")),
            None => Err(format!("'{written}' is no amount of memory; write a number and a unit, as in 256MiB or 2GB")),
        }
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (unit, factor) in [("TiB", 1u64 << 40), ("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)] {
            if self.0 as u64 >= factor && (self.0 as u64).is_multiple_of(factor) {
                return write!(f, "{}{unit}", self.0 as u64 / factor);
            }
        }
        write!(f, "{}B", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_as_people_write_them() {
        for (written, bytes) in [
            ("256MiB", 256 << 20),
            ("1GB", 1_000_000_000),
            ("1.5 GiB", 3 << 29),
            ("500k", 500 << 10),
            ("64m", 64 << 20),
            ("4096", 4096),
            ("10 B", 10),
            ("2PiB", 1 << 51),
        ] {
            assert_eq!(written.parse(), Ok(Size(bytes)), "{written}");
        }
        for written in ["", "MiB", "-1GB", "1.2.3MB", "12 parsecs", "1e99GB"] {
            assert!(written.parse::<Size>().is_err(), "{written}");
        }
    }

    #[test]
    fn written_back_in_the_largest_whole_unit() {
        for written in ["256MiB", "1GiB", "3KiB", "1000B"] {
            assert_eq!(written.parse::<Size>().map(|size| size.to_string()).as_deref(), Ok(written));
        }
    }
}
