//! Numbers for people: grouped digits, sensible units.

use std::fmt::{self, Display};

/// `1234567` as `1,234,567`.
pub(crate) fn count(number: u64) -> impl Display {
    fmt::from_fn(move |f| {
        let digits = number.to_string();
        for (at, digit) in digits.chars().enumerate() {
            if at > 0 && (digits.len() - at).is_multiple_of(3) {
                f.write_str(",")?;
            }
            write!(f, "{digit}")?;
        }
        Ok(())
    })
}

/// Bytes in the decimal unit that leaves a readable number.
pub(crate) fn bytes(number: u64) -> impl Display {
    fmt::from_fn(move |f| {
        let units = [("TB", 1e12), ("GB", 1e9), ("MB", 1e6), ("kB", 1e3)];
        match units.into_iter().find(|unit| number as f64 >= unit.1) {
            Some((unit, factor)) => write!(f, "{:.1} {unit}", number as f64 / factor),
            None => write!(f, "{number} B"),
        }
    })
}

/// A share as a whole percentage; what is little but not nothing does not become 0 %.
pub(crate) fn percent(share: f64) -> impl Display {
    fmt::from_fn(move |f| match share * 100.0 {
        few if few > 0.0 && few < 1.0 => f.write_str("under 1 %"),
        most if most > 99.0 && most < 100.0 => f.write_str("over 99 %"),
        percent => write!(f, "{percent:.0} %"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_as_people_read_them() {
        for (number, shown) in [(0, "0"), (999, "999"), (1000, "1,000"), (1_234_567, "1,234,567")] {
            assert_eq!(count(number).to_string(), shown);
        }
        for (number, shown) in
            [(0, "0 B"), (999, "999 B"), (1500, "1.5 kB"), (133_340_302, "133.3 MB"), (5_000_000_000, "5.0 GB")]
        {
            assert_eq!(bytes(number).to_string(), shown);
        }
        for (share, shown) in
            [(0.0, "0 %"), (0.001, "under 1 %"), (0.614, "61 %"), (0.999, "over 99 %"), (1.0, "100 %")]
        {
            assert_eq!(percent(share).to_string(), shown);
        }
    }
}
