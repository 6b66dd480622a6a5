//! Lists and ranges as people write them: `4,8,16`, `10..100:10`, `1MiB..8GiB`, `NM2..8`.

use std::fmt;
use std::str::FromStr;

use headwater::select::Selection;

use super::size::Size;

/// Values of one option that is to take several.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct List<T>(pub(crate) Vec<T>);

/// More than this in one range is a slip of the pen.
const MOST: usize = 10_000;

/// What can be listed.
pub(crate) trait Listed: Sized {
    /// The values of one word between commas.
    fn expand(word: &str) -> Result<Vec<Self>, String>;
}

impl<T: Listed> FromStr for List<T> {
    type Err = String;

    fn from_str(written: &str) -> Result<Self, String> {
        let mut values = Vec::new();
        for word in written.split(',') {
            values.extend(T::expand(word.trim())?);
        }
        Ok(List(values))
    }
}

/// Whole numbers; a range goes up by one unless it says otherwise: `4..8`, `10..100:10`, `4..256*2`.
impl Listed for usize {
    fn expand(word: &str) -> Result<Vec<Self>, String> {
        let parse = |end: &str| end.parse::<usize>().map(|number| number as f64).map_err(|_| refuse(word, "a number"));
        Ok(range(word, parse, Step::Add(1.0))?.into_iter().map(|number| number as usize).collect())
    }
}

/// Per cent; a range doubles unless it says otherwise.
impl Listed for f64 {
    fn expand(word: &str) -> Result<Vec<Self>, String> {
        let parse = |end: &str| {
            let number = end.parse::<f64>().ok().filter(|number| number.is_finite() && *number > 0.0);
            number.ok_or_else(|| refuse(word, "a share above 0"))
        };
        range(word, parse, Step::Multiply(2.0))
    }
}

/// Amounts of memory; a range doubles unless it says otherwise.
impl Listed for Size {
    fn expand(word: &str) -> Result<Vec<Self>, String> {
        let parse = |end: &str| end.parse::<Size>().map(|size| size.0 as f64);
        Ok(range(word, parse, Step::Multiply(2.0))?.into_iter().map(|bytes| Size(bytes as usize)).collect())
    }
}

/// Selections by the paper's names; `NM2..8` are NM2 to NM8, and `table3` are all 33 of the paper's Table 3.
impl Listed for Selection {
    fn expand(word: &str) -> Result<Vec<Self>, String> {
        if word == "table3" {
            return Ok(table_3());
        }
        let names = match word.split_once("..") {
            None => vec![word.to_owned()],
            Some((first, last)) => {
                let digits =
                    first.find(|c: char| c.is_ascii_digit()).ok_or_else(|| refuse(word, "a range of names"))?;
                let (name, first) = first.split_at(digits);
                let numbers = <usize as Listed>::expand(&format!("{first}..{}", last.trim_end_matches("th")))?;
                let suffix = if last.ends_with("th") { "th" } else { "" };
                numbers.into_iter().map(|number| format!("{name}{number}{suffix}")).collect()
            }
        };
        names.iter().map(|name| name.parse::<Selection>().map_err(|error| error.to_string())).collect()
    }
}

/// The 33 selections with an ssr of 25 % or less (section 3.4): "same ssr as HB-p" stands there for as many of hash-breaking,
/// whose shares come out where short segments are joined.
pub(crate) fn table_3() -> Vec<Selection> {
    const NAMES: &str = "4th 6th 8th NM2 NM3 M4 NM4 M5 NM5 M6 NM6 M7 NM7 M8 NM8 NW5 NW6 NW7 W8 NW8 W9 NW9 \
                         JHb3 JHb4 JHb5 JHb6 JHb8 JDct3 JDct4 JDct5 JDct6 JDct8 NHs";
    NAMES.split_whitespace().map(|name| name.parse().expect("these are names of the paper")).collect()
}

/// How a range goes from one value to the next.
#[derive(Clone, Copy)]
enum Step {
    Add(f64),
    Multiply(f64),
}

fn range(word: &str, parse: impl Fn(&str) -> Result<f64, String>, usual: Step) -> Result<Vec<f64>, String> {
    let Some((first, rest)) = word.split_once("..") else { return Ok(vec![parse(word)?]) };
    let (last, step) = if let Some((last, step)) = rest.split_once(':') {
        (last, Step::Add(parse(step)?))
    } else if let Some((last, factor)) = rest.split_once('*') {
        let factor = factor.parse().map_err(|_| refuse(word, "a range"))?;
        (last, Step::Multiply(factor))
    } else {
        (rest, usual)
    };
    let (mut value, last) = (parse(first)?, parse(last)?);
    let goes_up = match step {
        Step::Add(step) => step > 0.0,
        Step::Multiply(factor) => factor > 1.0 && value > 0.0,
    };
    if !goes_up || value > last {
        return Err(refuse(word, "a range that goes up"));
    }
    let mut values = Vec::new();
    // Rounding must not cost the last value.
    while value <= last * (1.0 + 1e-9) {
        values.push(value);
        if values.len() > MOST {
            return Err(format!("'{word}' has more than {MOST} values"));
        }
        value = match step {
            Step::Add(step) => value + step,
            Step::Multiply(factor) => value * factor,
        };
    }
    Ok(values)
}

fn refuse(word: &str, wanted: impl fmt::Display) -> String {
    format!("'{word}' is not {wanted}; write values with commas, or a range as in 4..8, 10..100:10 or 1..64*2")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_and_ranges() {
        let numbers = |written: &str| written.parse::<List<usize>>().map(|list| list.0);
        assert_eq!(numbers("8"), Ok(vec![8]));
        assert_eq!(numbers("4, 8,16"), Ok(vec![4, 8, 16]));
        assert_eq!(numbers("1,4..6"), Ok(vec![1, 4, 5, 6]));
        assert_eq!(numbers("10..40:10"), Ok(vec![10, 20, 30, 40]));
        assert_eq!(numbers("4..64*2"), Ok(vec![4, 8, 16, 32, 64]));
        for wrong in ["", "x", "8..4", "1..9:0", "1..9*1", "1..", "1..1000000", "-3", "0..8*2"] {
            assert!(numbers(wrong).is_err(), "{wrong}");
        }
        assert_eq!("0.1..0.8".parse::<List<f64>>().map(|list| list.0.len()), Ok(4));
        assert!("0".parse::<List<f64>>().is_err() && "NaN".parse::<List<f64>>().is_err());
        let sizes = "1MiB..8MiB".parse::<List<Size>>().map(|list| list.0);
        assert_eq!(sizes, Ok(vec![Size(1 << 20), Size(2 << 20), Size(4 << 20), Size(8 << 20)]));
    }

    #[test]
    fn names_of_the_paper() {
        let names = |written: &str| {
            let list = written.parse::<List<Selection>>();
            list.map(|list| list.0.iter().map(ToString::to_string).collect::<Vec<_>>().join(" "))
        };
        assert_eq!(names("NHs,NM2..4,All").as_deref(), Ok("NHs NM2 NM3 NM4 All"));
        assert_eq!(names("4..6th").as_deref(), Ok("4th 5th 6th"));
        assert_eq!(table_3().len(), 33);
        assert_eq!("table3".parse::<List<Selection>>().map(|list| list.0.len()), Ok(33));
        assert!(names("Best").is_err() && names("NHs..3").is_err());
    }
}
