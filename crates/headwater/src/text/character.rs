//! What each character means to the tokeniser, and its case-folded form.

use std::sync::LazyLock;

use super::classes::{FOLDS, RUNS};

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
        Characters { classes, folded }
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
        Some(&(first, last, step, delta)) if code <= last && (code - first) % step == 0 => {
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
