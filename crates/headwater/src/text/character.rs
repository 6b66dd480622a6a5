//! What each character means to the tokeniser, and its case-folded form.

use std::sync::LazyLock;

use super::classes::{FOLDS, RUNS};
use super::hash::{self, Window};

/// The part that a character plays in a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Class {
    /// Ends a token and belongs to none.
    Separator,
    /// Alphanumeric, and its own folded form.
    Word,
    /// Alphanumeric, with another folded form.
    Upper,
    /// A vowel point or the like that counts as alphanumeric; two in a row may be written in either order.
    WordMark,
    /// Alphanumeric, and canonical composition may change it or join it to the character before.
    Composing,
    /// A letter of a script written without spaces: a token of its own.
    Unspaced,
    /// Such a letter which canonical composition replaces.
    UnspacedComposing,
    /// A vowel sign or the like of such a script: part of the token of the letter before it.
    UnspacedMark,
    /// A combining mark that is not alphanumeric itself: continues a token, never begins one.
    Mark,
    /// A mark which composition may join to the character before.
    ComposingMark,
    /// Soft hyphens, joiners, variation selectors: continue a token without being part of its spelling.
    Ignored,
}

/// The basic multilingual plane, expanded for direct look-up; the rare rest is searched for.
pub(super) struct Characters {
    classes: Box<[Class]>,
    /// The folded form of each character that has another one, 0 elsewhere.
    folded: Box<[u16]>,
    /// For each character of two bytes in UTF-8 that is just a letter or digit: the bytes of its folded form, else 0.
    letters: Box<[u16; 0x800]>,
}

const PLANE: usize = 0x1_0000;

static CHARACTERS: LazyLock<Characters> = LazyLock::new(Characters::expand);

impl Characters {
    pub(super) fn get() -> &'static Characters {
        &CHARACTERS
    }

    fn expand() -> Characters {
        let mut classes = vec![Class::Separator; PLANE].into_boxed_slice();
        for (run, next) in RUNS.iter().zip(RUNS[1..].iter().map(|next| next.0).chain([u32::MAX])) {
            let first = (run.0 as usize).min(PLANE);
            classes[first..(next as usize).min(PLANE)].fill(run.1);
        }
        let mut folded = vec![0; PLANE].into_boxed_slice();
        for &(first, last, step, delta) in FOLDS {
            for code in (first..=last).step_by(step as usize).filter(|&code| (code as usize) < PLANE) {
                folded[code as usize] = code.wrapping_add_signed(delta) as u16;
            }
        }
        let mut letters = Box::new([0; 0x800]);
        for (code, letter) in (0u32..).zip(letters.iter_mut()).skip(0x80) {
            let fold = if folded[code as usize] == 0 { code } else { folded[code as usize].into() };
            let simple = matches!(classes[code as usize], Class::Word | Class::Upper);
            if simple && (0x80..0x800).contains(&fold) {
                *letter = u16::from_le_bytes([0xc0 | (fold >> 6) as u8, 0x80 | (fold & 0x3f) as u8]);
            }
        }
        Characters { classes, folded, letters }
    }

    /// Folds a window in which every character is ASCII or just a letter or digit of two bytes, which are most words of
    /// most alphabets; `None` for any other.
    #[inline]
    pub(super) fn fold_window(&self, window: Window) -> Option<[u64; 2]> {
        if !window.is_all_pairs(window.words) {
            return self.fold_mixed(window);
        }
        // All eight at once: a loop that ends with the word would be mispredicted for most words.
        let folded = window.words.map(|half| {
            let codes = hash::codes(half);
            let letter = |at: u32| u64::from(self.letters[(codes >> at) as usize & 0x7ff]) << at;
            letter(0) | letter(16) | letter(32) | letter(48)
        });
        // What is not a letter has become zero.
        window.is_all_pairs(folded).then_some(folded)
    }

    /// As [`Characters::fold_window`], for letters of one, two or three bytes; of three, only those that are their own folded form.
    #[inline]
    fn fold_mixed(&self, window: Window) -> Option<[u64; 2]> {
        let join = |[first, second]: [u64; 2]| u128::from(first) | u128::from(second) << 64;
        let written = join(window.words);
        let mut folded = join(window.lower());
        let mut leads = hash::leads(written);
        // Most such words have one: a single loop over the whole window nearly always ends after its first turn.
        while leads != 0 {
            let at = leads.trailing_zeros() - 7;
            let bytes = (written >> at) as u32;
            let lead = bytes as u8;
            if lead < 0xe0 {
                match self.letters[hash::codes(bytes.into()) as usize & 0x7ff] {
                    0 => return None,
                    letter => folded ^= u128::from(bytes as u16 ^ letter) << at,
                }
            } else {
                let code = (bytes & 0xf) << 12 | (bytes >> 8 & 0x3f) << 6 | bytes >> 16 & 0x3f;
                if lead >= 0xf0 || self.classes[code as usize] != Class::Word {
                    return None;
                }
            }
            leads &= leads - 1;
        }
        // A character that is cut by the windows is left to whoever sees all of it.
        let cut = written as u8 & 0xc0 == 0x80 || written >> 120 >= 0xc0 || (written >> 112) as u8 >= 0xe0;
        (!cut).then_some([folded as u64, (folded >> 64) as u64])
    }

    #[inline]
    pub(super) fn class(&self, character: char) -> Class {
        let code = u32::from(character);
        match self.classes.get(code as usize) {
            Some(&class) => class,
            None => RUNS[RUNS.partition_point(|run| run.0 <= code) - 1].1,
        }
    }

    /// The lower-case form: one character, so that folding never changes where tokens begin and end. The final sigma
    /// folds to the ordinary one, as it would in the middle of a word written in capitals.
    #[inline]
    pub(super) fn fold(&self, character: char) -> char {
        let code = u32::from(character);
        let folded = match self.folded.get(code as usize) {
            Some(0) => code,
            Some(&folded) => u32::from(folded),
            None => fold_supplementary(code),
        };
        char::from_u32(folded).unwrap_or(character)
    }
}

fn fold_supplementary(code: u32) -> u32 {
    let after = FOLDS.partition_point(|fold| fold.0 <= code);
    match FOLDS[..after].last() {
        Some(&(first, last, step, delta)) if code <= last && (code - first).is_multiple_of(step) => {
            code.wrapping_add_signed(delta)
        }
        _ => code,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The table is frozen, std moves on with Unicode: they must agree on all that the table's Unicode had assigned.
    #[test]
    fn the_frozen_table_agrees_with_std() {
        let characters = Characters::get();
        for character in (0..=0x10_ffff).filter_map(char::from_u32) {
            let alphanumeric = !matches!(
                characters.class(character),
                Class::Separator | Class::Mark | Class::ComposingMark | Class::Ignored
            );
            if alphanumeric || char::UNICODE_VERSION.0 == 17 {
                assert_eq!(alphanumeric, character.is_alphanumeric(), "{:x}", u32::from(character));
            }
            let expected = match character {
                'ς' => 'σ',
                'İ' => 'i',
                _ if alphanumeric => character.to_lowercase().next().expect("a character has a lower-case form"),
                _ => continue,
            };
            assert_eq!(characters.fold(character), expected, "{:x}", u32::from(character));
        }
    }

    #[test]
    fn folding_leaves_nothing_to_fold() {
        let characters = Characters::get();
        for character in (0..=0x10_ffff).filter_map(char::from_u32) {
            let folded = characters.fold(character);
            assert_eq!(characters.fold(folded), folded);
        }
    }
}
