//! Which of the passages that two documents share stand in another order.

use super::passages::SharedPassage;

/// For each passage whether it was moved: passages that stand in the same order in both documents stayed, those of the choice
/// with most tokens; the others moved. `passages` are in the order of the one document, as `shared_passages` gives them.
///
/// ```
/// use headwater::coderivative::{moved, shared_passages};
///
/// let [one, two, three]: [Vec<u64>; 3] = [(0..20).collect(), (100..110).collect(), (200..230).collect()];
/// let before = [one.clone(), two.clone(), three.clone()].concat();
/// let after = [two, one, three].concat();
/// assert_eq!(moved(&shared_passages(&before, &after, 8)), [false, true, false]);
/// ```
pub fn moved(passages: &[SharedPassage]) -> Vec<bool> {
    // The heaviest chain in which each passage lies behind the one before it on both sides: `best` has for each end in the other
    // document the heaviest chain that ends there or earlier, as a Fenwick tree of maxima.
    let mut ends: Vec<u32> = passages.iter().map(|passage| passage.b.end).collect();
    ends.sort_unstable();
    ends.dedup();
    let mut best: Vec<Option<(u64, usize)>> = vec![None; ends.len() + 1];
    let mut before: Vec<Option<usize>> = vec![None; passages.len()];
    let mut heaviest: Option<(u64, usize)> = None;
    let mut weights: Vec<u64> = vec![0; passages.len()];
    // Passages may overlap in the first document by a few tokens, so a chain is extended only by what begins behind it there too;
    // they come by their beginnings, and wait here until nothing can begin before their end any more.
    let mut waiting: std::collections::BinaryHeap<std::cmp::Reverse<(u32, usize)>> = Default::default();
    for (at, passage) in passages.iter().enumerate() {
        while let Some(&std::cmp::Reverse((end, earlier))) = waiting.peek()
            && end <= passage.a.start
        {
            waiting.pop();
            let mut place = ends.partition_point(|&known| known < passages[earlier].b.end) + 1;
            while place < best.len() {
                best[place] = best[place].max(Some((weights[earlier], earlier)));
                place += place & place.wrapping_neg();
            }
        }
        let mut place = ends.partition_point(|&known| known <= passage.b.start);
        let mut chain: Option<(u64, usize)> = None;
        while place > 0 {
            chain = chain.max(best[place]);
            place &= place - 1;
        }
        before[at] = chain.map(|(_, earlier)| earlier);
        weights[at] = chain.map_or(0, |(weight, _)| weight) + passage.a.len() as u64;
        if heaviest.is_none_or(|(weight, _)| weights[at] > weight) {
            heaviest = Some((weights[at], at));
        }
        waiting.push(std::cmp::Reverse((passage.a.end, at)));
    }
    let mut moved = vec![true; passages.len()];
    let mut stayed = heaviest.map(|(_, at)| at);
    while let Some(at) = stayed {
        moved[at] = false;
        stayed = before[at];
    }
    moved
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Those that stayed are in order on both sides, and no other choice in order has more tokens.
        #[test]
        fn the_heaviest_order_stays(spans in proptest::collection::vec((0u32..6, 1u32..5, 0u32..30), 0..10)) {
            let mut start = 0;
            let passages: Vec<SharedPassage> = spans.iter().map(|&(gap, length, there)| {
                start += gap;
                SharedPassage { a: start..start + length, b: there..there + length }
            }).collect();
            let follows = |one: &SharedPassage, next: &SharedPassage| one.a.end <= next.a.start && one.b.end <= next.b.start;
            let in_order = |chosen: &[&SharedPassage]| chosen.windows(2).all(|pair| follows(pair[0], pair[1]));
            let weight = |chosen: &[&SharedPassage]| chosen.iter().map(|passage| passage.a.len()).sum::<usize>();
            let stayed: Vec<&SharedPassage> =
                passages.iter().zip(moved(&passages)).filter(|(_, moved)| !moved).map(|(passage, _)| passage).collect();
            prop_assert!(in_order(&stayed));
            for choice in 0u32..1 << passages.len() {
                let chosen: Vec<&SharedPassage> =
                    passages.iter().enumerate().filter(|(at, _)| choice >> at & 1 == 1).map(|(_, passage)| passage).collect();
                prop_assert!(!in_order(&chosen) || weight(&chosen) <= weight(&stayed));
            }
        }
    }
}
