//! Spot signatures (Theobald, Siddharth and Paepcke, SIGIR 2008): short chains of words behind a frequent function word.
//!
//! Function words stand all through running text and hardly ever in navigation or advertisements, so that the chains behind
//! them are a signature of what a page says and not of the site that frames it.

use super::vocabulary::{Role, Vocabulary};
use crate::text::mix;

/// What a spot is.
#[derive(Clone, Debug, PartialEq)]
pub struct Spots {
    /// Antecedents and stop words.
    pub vocabulary: Vocabulary,
    /// The paper's d: how many tokens further the next word of a chain is looked for, at least 1.
    pub distance: usize,
    /// The paper's c: how many words a chain has.
    pub chain: usize,
}

/// The base of the polynomial over the words of a spot: odd, so that no word's contribution is ever shifted out.
const BASE: u64 = 0xd6e8_feb8_6659_fd93;

impl Spots {
    /// The paper's best setting: distance 1, chains of two words.
    pub fn new(vocabulary: Vocabulary) -> Self {
        Spots { vocabulary, distance: 1, chain: 2 }
    }

    /// Puts the fingerprint of every spot into `out`, in order of their antecedents; `roles` is room to work in.
    ///
    /// The sliding window is the one that the paper prints: stop words are passed over, and a chain that meets the end of the
    /// text stays shorter. A chain without any word, which the printed rule would also keep, says nothing and is left out.
    pub(super) fn read(&self, tokens: &[u64], roles: &mut Vec<Role>, out: &mut Vec<u64>) {
        out.clear();
        let chosen = self.vocabulary.roles(tokens, roles);
        let distance = self.distance.max(1);
        for (at, role) in roles.iter().enumerate().filter(|(_, role)| role.antecedent & chosen != 0) {
            debug_assert!(role.stop & chosen != 0, "an antecedent is a stop word");
            let mut spot = tokens[at];
            let mut found = false;
            let mut next = at.saturating_add(distance);
            for _ in 0..self.chain {
                while next < roles.len() && roles[next].stop & chosen != 0 {
                    next += 1;
                }
                let Some(&word) = tokens.get(next) else { break };
                spot = spot.wrapping_mul(BASE).wrapping_add(word);
                found = true;
                next = next.saturating_add(distance);
            }
            if found {
                out.push(mix(spot));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::languages::Language;
    use super::*;
    use crate::text::{Reading, Tokens};
    use proptest::prelude::*;

    fn tokens(text: &str) -> Vec<u64> {
        let mut tokens = Tokens::new();
        tokens.read(text, Reading::Words).unwrap();
        tokens.hashes().to_vec()
    }

    fn read(spots: &Spots, text: &str) -> Vec<u64> {
        let mut out = Vec::new();
        spots.read(&tokens(text), &mut Vec::new(), &mut out);
        out
    }

    /// The spots that are named, as fingerprints.
    fn named(names: &[&str]) -> Vec<u64> {
        let spot = |name: &&str| {
            let words = tokens(&name.replace(':', " "));
            mix(words[1..].iter().fold(words[0], |spot, &word| spot.wrapping_mul(BASE).wrapping_add(word)))
        };
        names.iter().map(spot).collect()
    }

    const SNIPPET: &str = "At a rally to kick off a weeklong campaign for the South Carolina primary, Obama tried to set the \
        record straight from an attack circulating widely on the Internet that is designed to play into prejudices against \
        Muslims and fears of terrorism.";

    /// Slide 11. The antecedents printed there are {a, the, is}; the printed result also has `an`, which is a form of `a`.
    #[test]
    fn the_worked_example_of_the_slides() {
        let stop_words = ["to", "off", "for", "from", "on", "that", "into", "and", "of", "at"];
        let spots = Spots::new(Vocabulary::given(["a", "an", "the", "is"], stop_words));
        let expected = [
            "a:rally:kick",
            "a:weeklong:campaign",
            "the:south:carolina",
            "the:record:straight",
            "an:attack:circulating",
            "the:internet:designed",
            "is:designed:play",
        ];
        assert_eq!(read(&spots, SNIPPET), named(&expected));
    }

    /// Slides 9 and 10.
    #[test]
    fn a_chain_of_three_words() {
        let spots = Spots { chain: 3, ..Spots::new(Vocabulary::given(["that"], ["the", "would"])) };
        assert_eq!(
            read(&spots, "rumours that the presidential campaign would hit"),
            named(&["that:presidential:campaign:hit"])
        );
    }

    #[test]
    fn distance_counts_tokens_and_then_passes_over_stop_words() {
        let spots = Spots { distance: 2, ..Spots::new(Vocabulary::given(["the"], ["of"])) };
        assert_eq!(read(&spots, "the old of slate gauge under weir"), named(&["the:slate:under"]));
    }

    #[test]
    fn a_chain_at_the_end_stays_shorter_and_an_empty_one_is_no_spot() {
        let spots = Spots::new(Vocabulary::given(["the"], ["of"]));
        assert_eq!(read(&spots, "under the weir"), named(&["the:weir"]));
        assert_eq!(read(&spots, "under the of the"), []);
        assert_eq!(read(&spots, ""), []);
        assert_eq!(read(&spots, "no such word here"), []);
    }

    /// The rule of slide 12, letter by letter, on one list of words.
    fn printed(tokens: &[u64], antecedents: &[u64], stop_words: &[u64], c: usize, d: usize) -> Vec<u64> {
        let is_stop = |token: &u64| antecedents.contains(token) || stop_words.contains(token);
        let mut spots = Vec::new();
        for i in (0..tokens.len()).filter(|&i| antecedents.contains(&tokens[i])) {
            let mut chain = Vec::new();
            let mut k = i + d;
            for _ in 0..c {
                while k < tokens.len() && is_stop(&tokens[k]) {
                    k += 1;
                }
                if k < tokens.len() {
                    chain.push(tokens[k]);
                }
                k += d;
            }
            if !chain.is_empty() {
                spots.push(mix(chain.iter().fold(tokens[i], |all, &word| all.wrapping_mul(BASE).wrapping_add(word))));
            }
        }
        spots
    }

    proptest! {
        #[test]
        fn spots_are_those_of_the_printed_rule(
            tokens in proptest::collection::vec(1u64..12, 0..80), c in 1usize..5, d in 1usize..5
        ) {
            let (antecedents, stop_words) = ([1, 2], [3, 4]);
            let spots = Spots { vocabulary: Vocabulary::hashed(&antecedents, &stop_words), distance: d, chain: c };
            let mut found = Vec::new();
            spots.read(&tokens, &mut Vec::new(), &mut found);
            prop_assert_eq!(found, printed(&tokens, &antecedents, &stop_words, c, d));
        }
    }

    #[test]
    fn a_frame_of_links_has_no_spot() {
        let spots = Spots::new(Vocabulary::of(&[Language::English]));
        assert_eq!(read(&spots, "Home | News | Sport | Weather | Contact us | Terms and conditions | Subscribe"), []);
    }
}
