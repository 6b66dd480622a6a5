//! What an index of signatures keeps of documents and sets, as bytes.

use headwater::coderivative::{put_number, take_number};

use super::super::record::{part, some, text};
use super::SignedDocument;

/// Appends a document: whether it has a time, the time, its tokens, one more than its set, its id.
pub(super) fn encode(out: &mut Vec<u8>, document: &SignedDocument) {
    out.push(u8::from(document.time.is_some()));
    out.extend_from_slice(&document.time.unwrap_or_default().to_le_bytes());
    put_number(out, document.tokens.into());
    put_number(out, document.set.map_or(0, |set| u64::from(set) + 1));
    part(out, document.id.as_bytes(), 0);
}

/// Takes a document off the front; `None` where there is none.
pub(super) fn decode(bytes: &mut &[u8]) -> Option<SignedDocument> {
    let [timed] = some(bytes)?;
    let time = i64::from_le_bytes(some(bytes)?);
    let tokens = u32::try_from(take_number(bytes)?).ok()?;
    let set = match take_number(bytes)? {
        0 => None,
        more => Some(u32::try_from(more - 1).ok()?),
    };
    Some(SignedDocument { id: text(bytes, 0)??, time: (timed == 1).then_some(time), tokens, set })
}

/// Appends a set.
pub(super) fn encode_set(out: &mut Vec<u8>, features: &[u64]) {
    put_number(out, features.len() as u64);
    out.extend(features.iter().flat_map(|feature| feature.to_le_bytes()));
}

/// All sets of a frame; `None` where it holds anything else.
pub(super) fn decode_sets(mut bytes: &[u8]) -> Option<Vec<Vec<u64>>> {
    let mut sets = Vec::new();
    while !bytes.is_empty() {
        let length = usize::try_from(take_number(&mut bytes)?).ok()?.checked_mul(8).filter(|&length| length > 0)?;
        let (features, rest) = bytes.split_at_checked(length)?;
        sets.push(features.as_chunks().0.iter().map(|feature| u64::from_le_bytes(*feature)).collect());
        bytes = rest;
    }
    Some(sets)
}
