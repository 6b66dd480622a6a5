//! Which tokens are antecedents and stop words, asked once for every token of every text.

use std::collections::HashMap;

use super::languages::Language;
use crate::text::{Reading, Tokens};

/// The role of one token: for each language a bit, and one for words that were given or derived.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Role {
    pub(super) antecedent: u8,
    /// Antecedents are stop words too.
    pub(super) stop: u8,
}

/// The bit of words that belong to no language of ours.
const GIVEN: u8 = 1 << 7;

/// Antecedents and stop words: of languages, given by the user, or derived from a collection.
#[derive(Clone, Debug)]
pub struct Vocabulary {
    /// A power of two of places; a token is looked for from the place that its hash names. Hash 0 marks a free one.
    hashes: Vec<u64>,
    roles: Vec<Role>,
    /// The sources that take part; a text uses one of them.
    sources: u8,
}

impl Vocabulary {
    /// The words of these languages; each text is read in the one whose words it has most.
    pub fn of(languages: &[Language]) -> Self {
        let mut words: HashMap<u64, Role> = HashMap::new();
        for &language in languages {
            let bit = 1 << language as u8;
            language.antecedents().for_each(|word| add(&mut words, hash(word), bit, true));
            language.stop_words().for_each(|word| add(&mut words, hash(word), bit, false));
        }
        Self::build(&words)
    }

    /// These words and no others.
    pub fn given<'a>(
        antecedents: impl IntoIterator<Item = &'a str>,
        stop_words: impl IntoIterator<Item = &'a str>,
    ) -> Self {
        let hashes = |words: &mut dyn Iterator<Item = &'a str>| words.filter_map(hash).collect::<Vec<_>>();
        Self::hashed(&hashes(&mut antecedents.into_iter()), &hashes(&mut stop_words.into_iter()))
    }

    /// Words by the hashes of their tokens.
    pub(super) fn hashed(antecedents: &[u64], stop_words: &[u64]) -> Self {
        let mut words: HashMap<u64, Role> = HashMap::new();
        antecedents.iter().for_each(|&word| add(&mut words, Some(word), GIVEN, true));
        stop_words.iter().for_each(|&word| add(&mut words, Some(word), GIVEN, false));
        Self::build(&words)
    }

    /// Every word by its hash, in order, with the languages in which it is an antecedent and those in which it is a stop word.
    pub fn entries(&self) -> Vec<(u64, [u8; 2])> {
        let words = self.hashes.iter().zip(&self.roles).filter(|(hash, _)| **hash != 0);
        let mut entries: Vec<_> = words.map(|(&hash, role)| (hash, [role.antecedent, role.stop])).collect();
        entries.sort_unstable();
        entries
    }

    /// The words of [`Vocabulary::entries`] again.
    pub fn of_entries(entries: impl IntoIterator<Item = (u64, [u8; 2])>) -> Self {
        let role = |[antecedent, stop]: [u8; 2]| Role { antecedent, stop: stop | antecedent };
        let words = entries.into_iter().filter(|&(hash, _)| hash != 0).map(|(hash, roles)| (hash, role(roles)));
        Self::build(&words.collect())
    }

    /// How many different words there are.
    pub fn len(&self) -> usize {
        self.hashes.iter().filter(|&&hash| hash != 0).count()
    }

    /// Whether there is no word, and so no spot in any text.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn build(words: &HashMap<u64, Role>) -> Self {
        // A quarter full: nearly every token is settled by the first place it is looked for in.
        let places = (words.len() * 4).next_power_of_two().max(16);
        let mut vocabulary = Vocabulary { hashes: vec![0; places], roles: vec![Role::default(); places], sources: 0 };
        for (&hash, &role) in words {
            let mut at = hash as usize & (places - 1);
            while vocabulary.hashes[at] != 0 {
                at = (at + 1) & (places - 1);
            }
            vocabulary.hashes[at] = hash;
            vocabulary.roles[at] = role;
            vocabulary.sources |= role.stop;
        }
        vocabulary
    }

    /// The role of each token, and the sources that this text uses: of several languages the one with most words in it.
    pub(super) fn roles(&self, tokens: &[u64], out: &mut Vec<Role>) -> u8 {
        out.clear();
        let mut seen = [0u32; 256];
        out.extend(tokens.iter().map(|&token| {
            let role = self.role(token);
            seen[usize::from(role.stop)] += 1;
            role
        }));
        if self.sources.count_ones() <= 1 {
            return self.sources;
        }
        let share = |bit: u8| -> u32 {
            seen.iter().enumerate().filter(|(stop, _)| *stop as u8 & bit != 0).map(|(_, count)| count).sum()
        };
        let bits = (0..8).map(|bit| 1u8 << bit).filter(|bit| self.sources & bit != 0);
        // The first of those with most, so that the answer does not hang on the order of evaluation.
        bits.rev().max_by_key(|&bit| share(bit)).unwrap_or(0)
    }

    #[inline]
    fn role(&self, token: u64) -> Role {
        let mask = self.hashes.len() - 1;
        let mut at = token as usize & mask;
        loop {
            let hash = self.hashes[at];
            if hash == token {
                return self.roles[at];
            }
            if hash == 0 {
                return Role::default();
            }
            at = (at + 1) & mask;
        }
    }
}

/// The same words, wherever they lie.
impl PartialEq for Vocabulary {
    fn eq(&self, other: &Self) -> bool {
        self.entries() == other.entries()
    }
}

fn add(words: &mut HashMap<u64, Role>, hash: Option<u64>, bit: u8, antecedent: bool) {
    // Nothing stands for the free places; no word of ours has it, and one of a user's would merely be missing.
    if let Some(hash) = hash.filter(|&hash| hash != 0) {
        let role = words.entry(hash).or_default();
        role.stop |= bit;
        role.antecedent |= if antecedent { bit } else { 0 };
    }
}

/// The hash of a word as texts have it; nothing for what is not exactly one token.
fn hash(word: &str) -> Option<u64> {
    let mut tokens = Tokens::new();
    tokens.read(word, Reading::Words).ok()?;
    (tokens.len() == 1).then(|| tokens.hashes()[0])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn language_of(text: &str) -> Option<Language> {
        let vocabulary = Vocabulary::of(&Language::ALL);
        let mut tokens = Tokens::new();
        tokens.read(text, Reading::Words).unwrap();
        let chosen = vocabulary.roles(tokens.hashes(), &mut Vec::new());
        Language::ALL.into_iter().find(|&language| chosen == 1 << language as u8)
    }

    #[test]
    fn a_text_is_read_in_the_language_whose_words_it_has_most() {
        for (text, language) in [
            ("the gauge that was found in the river is older than any", Language::English),
            ("der Pegel, der im Fluss gefunden wurde, ist älter als alle", Language::German),
            ("la jauge qui a été trouvée dans la rivière est plus vieille", Language::French),
            ("la regla que fue hallada en el río es más vieja que todas", Language::Spanish),
            ("il regolo che è stato trovato nel fiume è più vecchio", Language::Italian),
            ("a régua que foi encontrada no rio é mais velha do que todas", Language::Portuguese),
            ("de peilschaal die in de rivier werd gevonden is ouder dan alle", Language::Dutch),
        ] {
            assert_eq!(language_of(text), Some(language), "{text}");
        }
    }

    #[test]
    fn every_word_of_every_language_is_one_token() {
        for language in Language::ALL {
            for word in language.antecedents().chain(language.stop_words()) {
                assert!(hash(word).is_some(), "{language}: {word}");
            }
        }
    }

    #[test]
    fn words_that_are_no_single_token_are_left_out() {
        assert!(Vocabulary::given(["", "two words", "…"], []).is_empty());
        assert_eq!(Vocabulary::given(["the"], ["The", "of"]).len(), 2);
    }
}
