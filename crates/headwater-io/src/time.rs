//! Times as documents state them: RFC 3339, a date, a year, or a number.

use headwater::Time;

/// Reads a time that was written as text.
///
/// Four digits are a year, other runs of digits a number of seconds (or a rank); else a date `YYYY-MM` or `YYYY-MM-DD`, or
/// RFC 3339 with a space allowed for the `T`, seconds that may be missing, and no zone meaning UTC.
pub fn of_text(text: &str) -> Option<Time> {
    let text = text.trim();
    let digits = text.strip_prefix('-').unwrap_or(text);
    if digits.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.')
        && digits.starts_with(|c: char| c.is_ascii_digit())
    {
        if text.len() == 4 && !text.contains(['-', '.']) {
            return Some(Time::from_micros(days(number(text)?, 1, 1)? * DAY, text));
        }
        return of_number(text);
    }
    Some(Time::from_micros(calendar(text)?, text))
}

/// Reads a time that was written as a number: whole seconds since 1970 or a rank; fractions count to the microsecond.
pub fn of_number(text: &str) -> Option<Time> {
    if let Ok(whole) = text.parse::<i64>() {
        // A number with leading zeros is printed with them.
        let is_plain = whole.to_string() == text;
        return Some(if is_plain {
            Time::from_number(whole)
        } else {
            Time::from_micros(whole.saturating_mul(SECOND), text)
        });
    }
    let seconds: f64 = text.parse().ok()?;
    if !seconds.is_finite() || seconds.abs() > MOST_SECONDS {
        return None;
    }
    Some(Time::from_micros((seconds * SECOND as f64).round() as i64, text))
}

const SECOND: i64 = 1_000_000;
const MINUTE: i64 = 60 * SECOND;
const HOUR: i64 = 60 * MINUTE;
const DAY: i64 = 24 * HOUR;

/// Above this a fractional number of seconds no longer fits microseconds of 64 bits.
const MOST_SECONDS: f64 = 9.2e12;

/// Microseconds since 1970 of a date, or of a date and a time of day.
fn calendar(text: &str) -> Option<i64> {
    let (year, rest) = split(text, 4)?;
    let (month, rest) = split(rest.strip_prefix('-')?, 2)?;
    if rest.is_empty() {
        return Some(days(year, month, 1)? * DAY);
    }
    let (day, rest) = split(rest.strip_prefix('-')?, 2)?;
    let midnight = days(year, month, day)? * DAY;
    if rest.is_empty() {
        return Some(midnight);
    }
    let rest = rest.strip_prefix(['T', 't', ' '])?;
    let (hour, rest) = split(rest, 2)?;
    let (minute, rest) = split(rest.strip_prefix(':')?, 2)?;
    let (second, rest) = match rest.strip_prefix(':') {
        Some(rest) => split(rest, 2)?,
        None => (0, rest),
    };
    // The leap second of RFC 3339 falls together with the second after it.
    if hour > 23 || minute > 59 || second > 60 {
        return None;
    }
    let (fraction, rest) = fraction(rest)?;
    Some(midnight + hour * HOUR + minute * MINUTE + second * SECOND + fraction - zone(rest)?)
}

/// Microseconds of a fraction of a second such as `.25`, and what follows it.
fn fraction(text: &str) -> Option<(i64, &str)> {
    let Some(rest) = text.strip_prefix(['.', ',']) else { return Some((0, text)) };
    let end = rest.bytes().position(|byte| !byte.is_ascii_digit()).unwrap_or(rest.len());
    if end == 0 {
        return None;
    }
    let (digits, rest) = rest.split_at(end);
    let micros =
        digits.bytes().chain(std::iter::repeat(b'0')).take(6).fold(0, |sum, byte| sum * 10 + i64::from(byte - b'0'));
    Some((micros, rest))
}

/// Microseconds by which a zone is ahead of UTC.
fn zone(text: &str) -> Option<i64> {
    let text = text.trim_start();
    if text.is_empty() || ["Z", "UTC", "GMT"].iter().any(|utc| text.eq_ignore_ascii_case(utc)) {
        return Some(0);
    }
    let (sign, rest) = match text.split_at_checked(1)? {
        ("+", rest) => (1, rest),
        ("-", rest) => (-1, rest),
        _ => return None,
    };
    let (hours, rest) = split(rest, 2)?;
    let rest = rest.strip_prefix(':').unwrap_or(rest);
    let (minutes, rest) = if rest.is_empty() { (0, rest) } else { split(rest, 2)? };
    (rest.is_empty() && hours < 24 && minutes < 60).then_some(sign * (hours * HOUR + minutes * MINUTE))
}

/// The number of the first `count` bytes, all of which must be digits, and what follows.
fn split(text: &str, count: usize) -> Option<(i64, &str)> {
    let (digits, rest) = text.split_at_checked(count)?;
    Some((number(digits)?, rest))
}

fn number(digits: &str) -> Option<i64> {
    digits.bytes().all(|byte| byte.is_ascii_digit()).then(|| digits.parse().ok()).flatten()
}

/// Days from 1970-01-01 to a day of the Gregorian calendar, extended backwards.
fn days(year: i64, month: i64, day: i64) -> Option<i64> {
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let longest = match month {
        2 => 28 + i64::from(leap),
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => return None,
    };
    if day < 1 || day > longest {
        return None;
    }
    // Years that begin in March put the leap day last, so that the days before a month follow one linear formula.
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let of_era = year.rem_euclid(400);
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    Some(era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468)
}

/// RFC 3339 in UTC of a moment in microseconds since 1970, for formats that store times as numbers but mean dates.
pub(crate) fn written(micros: i64) -> String {
    let (day, of_day) = (micros.div_euclid(DAY), micros.rem_euclid(DAY));
    let shifted = day + 719_468;
    let era = shifted.div_euclid(146_097);
    let of_era = shifted.rem_euclid(146_097);
    let year_of_era = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month = (5 * of_year + 2) / 153;
    let date = of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    let (hour, minute, second) = (of_day / HOUR, of_day / MINUTE % 60, of_day / SECOND % 60);
    let fraction = match of_day % SECOND {
        0 => String::new(),
        micros => format!(".{micros:06}"),
    };
    format!("{year:04}-{month:02}-{date:02}T{hour:02}:{minute:02}:{second:02}{fraction}Z")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times() {
        let check =
            |text: &str, micros: Option<i64>| assert_eq!(of_text(text).map(|time| time.micros()), micros, "{text}");
        check("1970-01-01", Some(0));
        check("1970-01-01T00:00:01Z", Some(SECOND));
        check("1970-01-01 00:00:01", Some(SECOND));
        check("1970-01-01T00:00:01.5", Some(SECOND + 500_000));
        check("1970-01-01T01:00:00+01:00", Some(0));
        check("1970-01-01t01:00:00+0100", Some(0));
        check("1969-12-31T23:00:00-01", Some(0));
        check("1970-01-01T00:00z", Some(0));
        check("1970-01-01 00:00:00 UTC", Some(0));
        check("2000-02-29", Some(951_782_400 * SECOND));
        check("2006-01-02T15:04:05.123456789Z", Some(1_136_214_245_123_456));
        check("2016-12-31T23:59:60Z", Some(1_483_228_800 * SECOND));
        check("1970", Some(0));
        check("1971", Some(365 * DAY));
        check("1970-02", Some(31 * DAY));
        check("0001-01-01", Some(-62_135_596_800 * SECOND));
        check(" 12345 ", Some(12_345 * SECOND));
        check("-5", Some(-5 * SECOND));
        check("1136214245.25", Some(1_136_214_245_250_000));
        for bad in [
            "",
            "yesterday",
            "2006-13-01",
            "2006-02-29",
            "2006-00-01",
            "2006-01-00",
            "2006-01-02T24:00:00Z",
            "2006-01-02T15",
            "2006-01-02T15:04:05.Z",
            "2006-01-02T15:04:05+1",
            "2006-1-2",
            "２００６",
            "-",
            ".",
            "1.2.3",
            "2006-01-02x",
            "+5",
        ] {
            check(bad, None);
        }
    }

    #[test]
    fn numbers_are_printed_as_written() {
        for text in ["2006", "20060102", "01420", "2006-01-02", "1136214245.25"] {
            assert_eq!(of_text(text).map(|time| time.to_string()).as_deref(), Some(text));
        }
        assert_eq!(of_text("20060102").and_then(|time| time.as_number()), Some(20_060_102));
        assert_eq!(of_text("2006").and_then(|time| time.as_number()), None);
        assert_eq!(of_number("2006").and_then(|time| time.as_number()), Some(2006));
        assert_eq!(of_number("1e3").map(|time| time.micros()), Some(1000 * SECOND));
        assert!(of_number("1e300").is_none());
    }

    #[test]
    fn written_is_the_inverse_of_reading() {
        for micros in
            [0, 1, -1, 951_782_400 * SECOND, -62_135_596_800 * SECOND, 1_136_214_245_123_456, 4_102_444_799 * SECOND]
        {
            assert_eq!(of_text(&written(micros)).map(|time| time.micros()), Some(micros));
        }
    }
}
