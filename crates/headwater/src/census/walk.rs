//! A random walk over linked pages, and a sample of them (Henzinger, Heydon, Mitzenmacher and Najork, WWW9, 2000).
//!
//! The walk follows a random link of the page it is at. Now and then, and where there is none, it jumps to a random page that it has
//! seen already: so it does not get stuck and needs to know nothing but what it met. In the long run it is at each page as often as that
//! page's rank (PageRank) says. A page that is drawn from the walk therefore stands for the reciprocal of its rank.

use super::random::Random;

/// Pages and the links between them. Links to pages that are not there do not count.
#[derive(Clone, Debug, Default)]
pub struct Links {
    targets: Vec<u32>,
    /// Where the links of each page end.
    ends: Vec<usize>,
}

/// How to walk.
#[derive(Clone, Copy, Debug)]
pub struct Walk {
    /// How many steps.
    pub steps: usize,
    /// The first steps, which still know where the walk began, do not count.
    pub burn_in: usize,
    /// The probability of a jump.
    pub jump: f64,
}

/// A page that the walk was at.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stop {
    /// Its number.
    pub page: u32,
    /// What it stands for.
    pub weight: f64,
}

impl Default for Walk {
    fn default() -> Self {
        Walk { steps: 100_000, burn_in: 1_000, jump: 1.0 / 7.0 }
    }
}

impl Links {
    /// No pages yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds the next page with the numbers of those it links to.
    pub fn push(&mut self, targets: &[u32]) {
        self.targets.extend_from_slice(targets);
        self.ends.push(self.targets.len());
    }

    /// How many pages there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// What a page links to.
    pub fn of(&self, page: u32) -> &[u32] {
        let page = page as usize;
        let start = if page == 0 { 0 } else { self.ends[page - 1] };
        &self.targets[start..self.ends[page]]
    }

    /// The stationary distribution of the walk among pages that it can reach: power iteration, with jumps to all of `among`.
    fn ranks(&self, among: &[u32], jump: f64) -> Vec<f64> {
        let mut place = vec![u32::MAX; self.len()];
        (0..).zip(among).for_each(|(at, &page)| place[page as usize] = at);
        let many = among.len() as f64;
        let mut ranks = vec![1.0 / many; among.len()];
        for _ in 0..100 {
            let mut next = vec![0.0; among.len()];
            let mut loose = 0.0;
            for (at, &page) in among.iter().enumerate() {
                let targets: Vec<u32> = self.known(page, &place);
                if targets.is_empty() {
                    loose += ranks[at];
                }
                targets
                    .iter()
                    .for_each(|&target| next[target as usize] += (1.0 - jump) * ranks[at] / targets.len() as f64);
            }
            let each = (jump * (1.0 - loose) + loose) / many;
            let mut change = 0.0;
            for (rank, next) in ranks.iter_mut().zip(next) {
                change += (*rank - next - each).abs();
                *rank = next + each;
            }
            if change < 1e-10 {
                break;
            }
        }
        ranks
    }

    fn known(&self, page: u32, place: &[u32]) -> Vec<u32> {
        let places = self.of(page).iter().filter_map(|&target| place.get(target as usize).copied());
        places.filter(|&place| place != u32::MAX).collect()
    }
}

impl Walk {
    /// Walks from one of the `seeds` and draws `count` of its stops, with what each stands for. Empty where there is no page.
    pub fn sample(&self, links: &Links, seeds: &[u32], count: usize, random: &mut Random) -> Vec<Stop> {
        let mut seen: Vec<u32> = seeds.iter().copied().filter(|&seed| (seed as usize) < links.len()).collect();
        if seen.is_empty() {
            return Vec::new();
        }
        let mut known = vec![false; links.len()];
        seen.retain(|&page| !std::mem::replace(&mut known[page as usize], true));
        let mut page = seen[random.below(seen.len())];
        let mut stops = Vec::with_capacity(self.steps);
        for step in 0..self.burn_in + self.steps {
            let targets = links.of(page);
            page = if targets.is_empty() || random.chance(self.jump) {
                seen[random.below(seen.len())]
            } else {
                targets[random.below(targets.len())]
            };
            if (page as usize) >= links.len() {
                page = seen[random.below(seen.len())];
            }
            if !std::mem::replace(&mut known[page as usize], true) {
                seen.push(page);
            }
            if step >= self.burn_in {
                stops.push(page);
            }
        }
        let ranks = links.ranks(&seen, self.jump);
        let mut weight = vec![0.0; links.len()];
        seen.iter().zip(ranks).for_each(|(&page, rank)| weight[page as usize] = 1.0 / (rank * seen.len() as f64));
        let drawn = random.choose(stops.len(), count);
        drawn.into_iter().map(|at| Stop { page: stops[at], weight: weight[stops[at] as usize] }).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Most pages link to a few popular ones, which the walk therefore prefers.
    fn web(pages: u32, random: &mut Random) -> Links {
        let mut links = Links::new();
        for page in 0..pages {
            let popular = random.below(5) as u32;
            let any = random.below(pages as usize) as u32;
            links.push(&[popular, any, (page + 1) % pages]);
        }
        links
    }

    #[test]
    fn weights_undo_what_the_walk_prefers() {
        let mut random = Random::new(4);
        let links = web(500, &mut random);
        let stops = Walk::default().sample(&links, &[0], 20_000, &mut random);
        let is_popular = |stop: &&Stop| stop.page < 5;
        let raw = stops.iter().filter(is_popular).count() as f64 / stops.len() as f64;
        let weight = |stops: &mut dyn Iterator<Item = &Stop>| stops.map(|stop| stop.weight).sum::<f64>();
        let corrected = weight(&mut stops.iter().filter(is_popular)) / weight(&mut stops.iter());
        assert!(raw > 0.1 && (corrected - 0.01).abs() < 0.005, "{raw} {corrected}");
    }

    #[test]
    fn traps_dead_ends_and_nothing() {
        let mut random = Random::new(4);
        let mut links = Links::new();
        links.push(&[1, 2]);
        links.push(&[]); // a dead end
        links.push(&[2, 99]); // a page that links to itself and to one that is not there
        let walk = Walk { steps: 3000, ..Walk::default() };
        let stops = walk.sample(&links, &[0, 0, 77], 1000, &mut random);
        assert_eq!(stops.len(), 1000);
        assert!((0..3).all(|page| stops.iter().any(|stop| stop.page == page)));
        assert!(walk.sample(&links, &[77], 10, &mut random).is_empty());
        assert!(walk.sample(&Links::new(), &[], 10, &mut random).is_empty());
    }
}
