//! What signatures were made with, as bytes: only those made with the same can be compared.

use headwater::neardup::{Features, Spots, Vocabulary};
use headwater::text::Reading;

/// What the signatures of an index are.
#[derive(Clone, Debug, PartialEq)]
pub struct SignatureSettings {
    /// What a token is.
    pub reading: Reading,
    /// What of a text is compared.
    pub features: Features,
}

const SPOTS: &str = "spots";
const ONCE: &str = "shingles once";
const REPEATED: &str = "shingles repeated";

/// Bytes of a word: its hash, the languages in which it is an antecedent, and those in which it is a stop word.
const WORD: usize = 10;

impl SignatureSettings {
    pub(super) fn encode(&self) -> Vec<u8> {
        let (kind, one, other) = match &self.features {
            Features::Spots(spots) => (SPOTS, spots.distance, spots.chain),
            Features::Shingles { k, repeats } => (if *repeats { REPEATED } else { ONCE }, *k, 0),
        };
        let mut bytes = format!("{}\n{kind}\n{one}\n{other}\n", self.reading).into_bytes();
        if let Features::Spots(spots) = &self.features {
            for (hash, [antecedent, stop]) in spots.vocabulary.entries() {
                bytes.extend_from_slice(&hash.to_le_bytes());
                bytes.extend_from_slice(&[antecedent, stop]);
            }
        }
        bytes
    }

    pub(super) fn decode(mut bytes: &[u8]) -> Option<Self> {
        let mut line = || {
            let end = bytes.iter().position(|&byte| byte == b'\n')?;
            let line = std::str::from_utf8(&bytes[..end]).ok()?;
            bytes = &bytes[end + 1..];
            Some(line)
        };
        let reading = line()?.parse().ok()?;
        let (kind, one, other) = (line()?, line()?.parse().ok()?, line()?.parse().ok()?);
        let features = match kind {
            SPOTS => {
                let (words, []) = bytes.as_chunks::<WORD>() else { return None };
                let entries = words.iter().filter_map(|word| {
                    let (hash, roles) = word.split_first_chunk()?;
                    Some((u64::from_le_bytes(*hash), *roles.first_chunk()?))
                });
                Features::Spots(Spots { vocabulary: Vocabulary::of_entries(entries), distance: one, chain: other })
            }
            ONCE | REPEATED if bytes.is_empty() => Features::Shingles { k: one, repeats: kind == REPEATED },
            _ => return None,
        };
        Some(SignatureSettings { reading, features })
    }
}
