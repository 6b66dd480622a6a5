//! Numbers in decimal, eight digits at once: answers are full of short ones, and how short is hard to foretell.

/// Appends a number.
pub(super) fn number(out: &mut Vec<u8>, number: u64) {
    const EIGHT: u64 = 100_000_000;
    if number >= EIGHT {
        self::number(out, number / EIGHT);
        out.extend_from_slice(&eight(number % EIGHT).to_le_bytes());
        return;
    }
    let digits = eight(number);
    // A last zero stays.
    let leading = (digits ^ ZEROS).trailing_zeros().min(56) / 8;
    out.extend_from_slice(&(digits >> (8 * leading)).to_le_bytes());
    out.truncate(out.len() - leading as usize);
}

/// The digit 0, eight times.
const ZEROS: u64 = 0x3030_3030_3030_3030;

/// Eight digits, the first in the lowest byte. A number is halved into two of half as many digits, three times over; the halves
/// lie side by side, and multiplying and shifting takes the place of dividing them.
fn eight(number: u64) -> u64 {
    let fours = (number / 10_000) | ((number % 10_000) << 32);
    let hundreds = ((fours * 10_486) >> 20) & 0x0000_007f_0000_007f;
    let twos = hundreds | (fours - hundreds * 100) << 16;
    let tens = ((twos * 103) >> 10) & 0x000f_000f_000f_000f;
    (tens | (twos - tens * 10) << 8) | ZEROS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_the_standard_library_writes_them() {
        let near = |number: u64| (number.saturating_sub(2)..=number.saturating_add(2)).collect::<Vec<u64>>();
        let powers = (0..20).flat_map(|power| near(10u64.pow(power)));
        let spread = (0..40_000u64).map(|at| at * at * 7 % 100_000_003);
        let ends = [u64::MAX, u64::MAX - 1, 1 << 63, 99_999_999, 12_345_678_900_000_000];
        for number in (0..20_000).chain(powers).chain(spread).chain(ends) {
            let mut out = b"x".to_vec();
            super::number(&mut out, number);
            assert_eq!(String::from_utf8_lossy(&out), format!("x{number}"));
        }
    }

    #[test]
    fn every_half_is_right() {
        for number in 0..10_000 {
            assert_eq!(eight(number).to_le_bytes(), format!("{number:08}").as_bytes());
            assert_eq!(eight(number * 10_000).to_le_bytes(), format!("{:08}", number * 10_000).as_bytes());
        }
    }
}
