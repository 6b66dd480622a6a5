//! What tells one document from another.

use headwater::Document;
use twox_hash::XxHash3_64;

/// A digest of all that was read of a document: its id, time, address and text. The same document gives the same in every
/// version; two different ones give the same with a probability of 2⁻⁶⁴.
pub fn digest(document: &Document) -> u64 {
    let mut parts = Vec::new();
    let time = document.time.as_ref().map(ToString::to_string);
    for part in [Some(document.id.as_str()), time.as_deref(), document.url.as_deref()] {
        parts.extend_from_slice(&part.map_or(u64::MAX, |part| part.len() as u64).to_le_bytes());
        parts.extend_from_slice(part.unwrap_or_default().as_bytes());
    }
    parts.extend_from_slice(&XxHash3_64::oneshot(document.text.as_bytes()).to_le_bytes());
    XxHash3_64::oneshot(&parts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_part_counts() {
        let document = |id: &str, url: Option<&str>, text: &str| Document {
            id: id.into(),
            time: None,
            url: url.map(Into::into),
            text: text.into(),
        };
        let all = [
            document("a", None, "x"),
            document("a", Some(""), "x"),
            document("", Some("a"), "x"),
            document("a", None, "y"),
        ];
        let digests: std::collections::BTreeSet<u64> = all.iter().map(digest).collect();
        assert_eq!(digests.len(), all.len());
        assert_eq!(digest(&all[0]), digest(&all[0].clone()));
    }
}
