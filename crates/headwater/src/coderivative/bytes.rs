//! Numbers as variable bytes: seven bits each, the high bit on all but the last.

/// Appends a number.
#[inline]
pub fn put(out: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

/// Takes a number off the front; `None` where the bytes end too early or the number is too large.
#[inline]
pub fn take(bytes: &mut &[u8]) -> Option<u64> {
    let mut number = 0;
    for shift in (0..64).step_by(7) {
        let (&byte, rest) = bytes.split_first()?;
        *bytes = rest;
        number |= u64::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            // The tenth byte has room for one bit only.
            return (shift < 63 || byte < 2).then_some(number);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn numbers_come_back(numbers in proptest::collection::vec(any::<u64>(), 0..20), shift in 0u32..64) {
            let numbers: Vec<u64> = numbers.into_iter().map(|number| number >> shift).collect();
            let mut bytes = Vec::new();
            numbers.iter().for_each(|&number| put(&mut bytes, number));
            let mut rest = bytes.as_slice();
            for &number in &numbers {
                prop_assert_eq!(take(&mut rest), Some(number));
            }
            prop_assert_eq!(take(&mut rest), None);
        }

        #[test]
        fn nonsense_is_refused_without_panic(bytes in proptest::collection::vec(any::<u8>(), 0..20)) {
            let mut rest = bytes.as_slice();
            while take(&mut rest).is_some() {}
        }
    }
}
