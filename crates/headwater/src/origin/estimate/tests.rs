//! The paper's estimation: Figure 1, and every algorithm against a reading of its conditions, shingle by shingle and
//! pair by pair.

use proptest::collection::vec;
use proptest::prelude::*;

use super::*;
use crate::origin::settings::Estimation;

fn estimate(asked: &[Asked], estimation: Estimation, limit: u32) -> Vec<Option<Label>> {
    crate::origin::paper::labels(asked, estimation, limit, &mut bridging::Bridges::default())
}

fn marks(labels: &[Option<Label>]) -> String {
    let mark = |label: &Option<Label>| match label.map(|label| label.evidence) {
        None | Some(Evidence::New) => '.',
        Some(Evidence::Found) => 'F',
        Some(Evidence::Expanded) => 'e',
        Some(Evidence::Bridged) => 'b',
        Some(Evidence::Aligned) => 'a',
    };
    labels.iter().map(mark).collect()
}

/// Document B has copied A₅…A₁₁ as its shingles B₇…B₁₃; the table still has A₅ and A₉.
#[test]
fn figure_1() {
    let byte = |shingle_of_a: u8| 100 + shingle_of_a;
    let stored = |at: u8| Stored { document: 0, offset: at, before: byte(at - 1), after: byte(at + 1) };
    let asked: Vec<Asked> = (0..16u8)
        .map(|at| match at {
            7..=13 => Asked { byte: byte(at - 2), stored: (at == 7 || at == 11).then(|| stored(at - 2)) },
            _ => Asked { byte: at, stored: None },
        })
        .collect();
    let check = |estimation, expected| assert_eq!(marks(&estimate(&asked, estimation, 30)), expected, "{estimation}");
    check(Estimation::NoBridging, ".......F...F....");
    check(Estimation::Expansion, ".......Fe.eFe...");
    check(Estimation::Bridging, ".......FbbbF....");
    check(Estimation::BridgingWithExpansion, ".......FbbbFe...");
    // The limit is exclusive: the two are four apart.
    assert_eq!(marks(&estimate(&asked, Estimation::Bridging, 4)), ".......F...F....");
    assert_eq!(marks(&estimate(&asked, Estimation::Bridging, 5)), ".......FbbbF....");
}

#[test]
fn a_failed_check_of_the_nearest_partner_leaves_no_bridge() {
    let stored = |offset, before, after| Some(Stored { document: 4, offset, before, after });
    let mut asked = vec![Asked { byte: 0, stored: None }; 9];
    for (at, one) in asked.iter_mut().enumerate() {
        one.byte = at as u8;
    }
    asked[0].stored = stored(50, 0, 1);
    asked[4].stored = stored(54, 99, 99);
    asked[8].stored = stored(58, 7, 0);
    assert_eq!(marks(&estimate(&asked, Estimation::BridgingWithExpansion, 30)), "Fe..F..eF");
    assert_eq!(marks(&estimate(&asked, Estimation::Bridging, 30)), "FbbbFbbbF");
}

/// Section 2.3 word by word, as slow as that is.
fn by_definition(asked: &[Asked], estimation: Estimation, limit: u32) -> Vec<Option<Label>> {
    let (bridges, expands) = match estimation {
        Estimation::NoBridging => (false, false),
        Estimation::Expansion => (false, true),
        Estimation::Bridging => (true, false),
        Estimation::BridgingWithExpansion => (true, true),
    };
    let mut labels: Vec<Option<Label>> = asked
        .iter()
        .map(|one| one.stored.map(|stored| Label { origin: stored.document, evidence: Evidence::Found }))
        .collect();
    if bridges {
        bridge_by_definition(asked, expands, limit, &mut labels);
    }
    if expands {
        expand_by_definition(asked, &mut labels);
    }
    labels
}

/// Every pair of shingles against conditions (a) to (d), and (e) and (f) where they are asked for.
fn bridge_by_definition(asked: &[Asked], checked: bool, limit: u32, labels: &mut [Option<Label>]) {
    let found = |at: usize| asked[at].stored;
    let bridgeable = |s: usize, t: usize| match (found(s), found(t)) {
        (Some(a), Some(b)) => {
            let apart = (t - s) as u32;
            a.document == b.document && b.offset.wrapping_sub(a.offset) == apart as u8 && apart < limit
        }
        _ => false,
    };
    for t in 0..asked.len() {
        // (d) seen from the far end: the nearest partner of each is unique in both directions.
        let Some(s) = (0..t).rev().find(|&s| bridgeable(s, t)) else { continue };
        assert_eq!((s + 1..=t).find(|&other| bridgeable(s, other)), Some(t));
        let (Some(first), Some(last)) = (found(s), found(t)) else { continue };
        if checked && (first.after != asked[s + 1].byte || last.before != asked[t - 1].byte) {
            continue;
        }
        for label in &mut labels[s + 1..t] {
            label.get_or_insert(Label { origin: first.document, evidence: Evidence::Bridged });
        }
    }
}

/// Asks of every shingle that has no label yet whether a found one beside it knows it as its neighbour: first the one before
/// it, then the one after it.
fn expand_by_definition(asked: &[Asked], labels: &mut [Option<Label>]) {
    for (at, label) in labels.iter_mut().enumerate().filter(|(_, label)| label.is_none()) {
        let byte = asked[at].byte;
        let before = (at > 0).then(|| asked[at - 1].stored).flatten().filter(|stored| stored.after == byte);
        let after = asked.get(at + 1).and_then(|next| next.stored).filter(|stored| stored.before == byte);
        *label = before.or(after).map(|stored| Label { origin: stored.document, evidence: Evidence::Expanded });
    }
}

proptest! {
    #[test]
    fn labels_are_those_of_the_definition(
        shingles in vec((0u8..3, proptest::option::of((0u32..3, 0u8..4, 0u8..3, 0u8..3))), 0..120),
        limit in 1u32..40,
    ) {
        let asked: Vec<Asked> = shingles.iter().enumerate().map(|(at, &(byte, stored))| Asked {
            byte,
            stored: stored.map(|(document, diagonal, before, after)| Stored {
                document,
                offset: (at as u8).wrapping_sub(diagonal),
                before,
                after,
            }),
        }).collect();
        for (name, estimation) in Estimation::NAMES {
            let expected = by_definition(&asked, estimation, limit);
            prop_assert_eq!(estimate(&asked, estimation, limit), expected, "{}", name);
        }
    }
}
