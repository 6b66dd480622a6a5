//! Which document of a cluster stands for it.

use headwater::graph::Cluster;
use headwater::neardup::Matches;

use super::neardup::Gathered;
use crate::args::Representative;

/// One document for each cluster; of several that are equally good the earliest. `places` are places in time.
pub(super) fn representatives(
    which: Representative,
    clusters: &[Cluster],
    gathered: &Gathered,
    matches: &Matches,
    places: &[u32],
) -> Vec<u32> {
    let place = |member: u32| places[member as usize];
    let first_by = |cluster: &Cluster, key: &dyn Fn(u32) -> (u64, u32)| {
        cluster.members.iter().copied().min_by_key(|&member| key(member)).unwrap_or_default()
    };
    match which {
        Representative::Earliest => clusters.iter().map(|c| first_by(c, &|member| (0, place(member)))).collect(),
        Representative::First => clusters.iter().map(|c| first_by(c, &|member| (0, member))).collect(),
        Representative::Longest => {
            let tokens = |member: u32| u64::from(gathered.documents[member as usize].tokens);
            clusters.iter().map(|c| first_by(c, &|member| (u64::MAX - tokens(member), place(member)))).collect()
        }
        Representative::Central => {
            let mut likeness = vec![0.0; places.len()];
            for edge in matches.pairs() {
                likeness[edge.a as usize] += edge.score;
                likeness[edge.b as usize] += edge.score;
            }
            let by_likeness = |cluster: &Cluster| {
                let likely = |&one: &u32, &other: &u32| {
                    let (a, b): (f64, f64) = (likeness[one as usize], likeness[other as usize]);
                    b.total_cmp(&a).then(place(one).cmp(&place(other)))
                };
                cluster.members.iter().copied().min_by(likely).unwrap_or_default()
            };
            clusters.iter().map(by_likeness).collect()
        }
    }
}
