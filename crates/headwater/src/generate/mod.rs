//! Streams of made-up posts with planted copies, of any length, whose truth is known: for tests of scale, and for trying
//! things out.
//!
//! Every post has a text of its own, which is a function of the seed and the post's number: it is there to be copied from
//! however long ago it was written, and nothing is remembered. Around it a post can have passages of earlier posts, word for
//! word or with edits. Who is copied follows Zipf's law within windows of every scale, so that there is locality and there
//! are favourites; how long passages are has a long tail.
//!
//! ```
//! use headwater::generate::{Posts, Settings};
//!
//! let posts: Vec<_> = Posts::new(Settings { seed: 7, ..Settings::default() })?.take(100).collect();
//! let copy = posts.iter().find(|post| !post.passages.is_empty()).expect("some of a hundred copy");
//! let passage = &copy.passages[0];
//! let first = copy.text[passage.bytes.clone()].split_whitespace().next().unwrap_or_default().to_lowercase();
//! assert!(passage.origin < copy.number);
//! assert!(posts[passage.origin as usize].text.to_lowercase().contains(&first));
//! # Ok::<(), headwater::generate::InvalidSettings>(())
//! ```

mod draw;
mod pages;
mod plant;
mod words;

use std::fmt;
use std::ops::Range;

use crate::origin::Dominance;
use draw::Draw;
use plant::Planted;
use words::Lexicon;

pub use pages::{Page, PageSettings, Pages};

/// What the stream is to be like.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// Another seed is another stream.
    pub seed: u64,
    /// Tokens in a shingle, for which the copy ratio and the truth hold: 5 to 255. Words are drawn one by one, so that shorter
    /// shingles repeat by chance, which the truth knows nothing of: of 10,000 posts, 23 have such a shingle of 4 tokens, none one of
    /// 5; of 100,000, 7 have one of 5, none one of 6.
    pub k: usize,
    /// Words of a post's own text: the median of a log-normal distribution.
    pub words: f64,
    /// Which part of all shingles is to be copied, from 0 to 0.7. Every passage has a few words of the post's own before or behind it, so
    /// that more cannot be had of the usual lengths; of many edits, short texts or long shingles less can.
    pub copy_ratio: f64,
    /// The probability that a copied word is replaced or gets another one behind it.
    pub edits: f64,
    /// The shortest copied passage in words; lengths have Pareto's distribution from there on.
    pub block: f64,
    /// The exponent of that distribution: the smaller, the longer its tail.
    pub tail: f64,
    /// The exponent of Zipf's law by which posts are copied: 0 has no favourites.
    pub popularity: f64,
}

/// Like the paper's blogs: 36 % of the shingles are copied, about 200 words a post.
impl Default for Settings {
    fn default() -> Self {
        Settings { seed: 0, k: 8, words: 110.0, copy_ratio: 0.36, edits: 0.01, block: 12.0, tail: 0.9, popularity: 1.0 }
    }
}

/// A post and the truth about it.
#[derive(Clone, Debug, PartialEq)]
pub struct Post {
    /// Its number, from 0 on: posts come in order of time.
    pub number: u64,
    /// Its text.
    pub text: String,
    /// How many words it has.
    pub tokens: usize,
    /// The passages that an earlier post had first, ascending: maximal runs of tokens covered by copied shingles of one origin.
    pub passages: Vec<Passage>,
    /// How many of its shingles are copied.
    pub copied: usize,
    /// The origin that leads by a tenth (the post itself, or another), if any does.
    pub dominant: Option<u64>,
}

/// A passage with its origin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Passage {
    /// The positions of its tokens.
    pub tokens: Range<usize>,
    /// Its bytes, from the start of the first word to the end of the last.
    pub bytes: Range<usize>,
    /// The number of the post that had it first.
    pub origin: u64,
}

/// The stream: an endless iterator in constant memory.
#[derive(Debug)]
pub struct Posts {
    settings: Settings,
    lexicon: Lexicon,
    next: u64,
    /// Shingles so far, and those of them that are copied: what steers the ratio.
    shingles: u64,
    copied: u64,
}

impl Posts {
    /// The beginning of the stream.
    pub fn new(settings: Settings) -> Result<Self, InvalidSettings> {
        settings.check()?;
        Ok(Posts { settings, lexicon: Lexicon::new(), next: 0, shingles: 0, copied: 0 })
    }
}

impl Iterator for Posts {
    type Item = Post;

    fn next(&mut self) -> Option<Post> {
        let number = self.next;
        self.next += 1;
        let mut draw = Draw::new(self.settings.seed, number, draw::PLAN);
        let mut planted = Planted::new(&self.settings, number);
        // Half of the posts that may copy put their own words first.
        let own_first = draw.chance(0.5);
        let own = planted.own_text();
        if own_first {
            planted.push_own(&own);
        }
        // Nobody can copy from nobody, and not everybody copies.
        let copies = number > 0 && (planted.reposts() || draw.chance(self.settings.copy_ratio));
        for _ in 0..plant::MOST_BLOCKS {
            let shingles = planted.tokens().len() + own.len() * usize::from(!own_first);
            let due = self.settings.copy_ratio * (self.shingles + shingles as u64) as f64;
            if !copies || (self.copied + planted.copied_so_far()) as f64 >= due {
                break;
            }
            if own_first {
                planted.push_remark(&mut draw);
                planted.push_block(&mut draw);
            } else {
                planted.push_block(&mut draw);
                planted.push_remark(&mut draw);
            }
        }
        if !own_first {
            planted.push_own(&own);
        }
        let post = self.finish(number, &planted);
        self.shingles += (post.tokens + 1).saturating_sub(self.settings.k) as u64;
        self.copied += post.copied as u64;
        Some(post)
    }
}

impl Posts {
    fn finish(&self, number: u64, planted: &Planted<'_>) -> Post {
        let (text, spans) = self.lexicon.write(number, planted.tokens());
        let runs = planted.copied_runs();
        let k = self.settings.k;
        // Shingles of runs that overlap belong to the earliest origin, as everywhere.
        let shingles = (planted.tokens().len() + 1).saturating_sub(k);
        let mut origins = vec![number; shingles];
        let mut covered = vec![number; planted.tokens().len()];
        for run in &runs {
            for origin in &mut origins[run.tokens.start..run.tokens.end + 1 - k] {
                *origin = (*origin).min(run.origin);
            }
            covered[run.tokens.clone()].iter_mut().for_each(|origin| *origin = (*origin).min(run.origin));
        }
        let mut at = 0;
        let mut passages = Vec::new();
        for stretch in covered.chunk_by(|one, next| one == next) {
            let tokens = at..at + stretch.len();
            at = tokens.end;
            if stretch[0] != number {
                let bytes = spans[tokens.start].start..spans[tokens.end - 1].end;
                passages.push(Passage { tokens, bytes, origin: stretch[0] });
            }
        }
        let copied = origins.iter().filter(|&&origin| origin != number).count();
        let dominant = dominant(number, origins);
        Post { number, text, tokens: planted.tokens().len(), passages, copied, dominant }
    }
}

/// By the paper's rule. Origins get small numbers for the counting, in their order.
fn dominant(number: u64, mut origins: Vec<u64>) -> Option<u64> {
    origins.sort_unstable();
    let groups: Vec<(u64, u64)> =
        origins.chunk_by(|one, next| one == next).map(|group| (group[0], group.len() as u64)).collect();
    let own = groups.iter().position(|group| group.0 == number).map_or(u32::MAX, |at| at as u32);
    let counts = (0u32..).zip(&groups).map(|(at, group)| (at, group.1));
    let leader = Dominance::of(own, counts).dominant?;
    groups.get(leader as usize).map(|group| group.0)
}

/// Why there can be no such stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InvalidSettings(String);

impl fmt::Display for InvalidSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for InvalidSettings {}

impl Settings {
    fn check(&self) -> Result<(), InvalidSettings> {
        within(&[
            ("shingle length", self.k as f64, 5.0, 255.0),
            ("words", self.words, 20.0, 1e6),
            ("copy ratio", self.copy_ratio, 0.0, 0.7),
            ("edits", self.edits, 0.0, 0.5),
            ("shortest passage", self.block, self.k as f64, 1e6),
            ("tail", self.tail, 0.1, 10.0),
            ("popularity", self.popularity, 0.0, 3.0),
        ])
    }
}

/// Whether every value lies within its limits.
fn within(limits: &[(&str, f64, f64, f64)]) -> Result<(), InvalidSettings> {
    match limits.iter().find(|(_, value, least, most)| !(*least..=*most).contains(value)) {
        Some((what, value, least, most)) => {
            Err(InvalidSettings(format!("{what} of {value}; it must be {least} to {most}")))
        }
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::origin::{ExactIndex, InOrder, Truth};
    use crate::text::{Reading, Tokens, fingerprints};

    fn posts(settings: Settings, number: usize) -> Vec<Post> {
        Posts::new(settings).unwrap().take(number).collect()
    }

    /// The planted truth is what an exact index finds, shingle by shingle.
    #[test]
    fn the_truth_is_true() {
        for settings in [
            Settings::default(),
            Settings { seed: 3, edits: 0.1, copy_ratio: 0.7, words: 60.0, ..Settings::default() },
            Settings { seed: 4, k: 5, popularity: 1.5, block: 8.0, ..Settings::default() },
        ] {
            let (mut index, mut tokens, mut shingles) = (ExactIndex::new(), Tokens::new(), Vec::new());
            let mut truth = Truth::default();
            for post in posts(settings, 1500) {
                tokens.read(&post.text, Reading::Words).unwrap();
                assert_eq!(tokens.len(), post.tokens, "post {}", post.number);
                fingerprints(tokens.hashes(), settings.k, &mut shingles);
                index.observe(tokens.len(), &shingles, settings.k, 0, &InOrder, &mut truth);
                let old: Vec<usize> = (0..tokens.len()).filter(|&at| !truth.fresh[at]).collect();
                let planted: Vec<usize> = post.passages.iter().flat_map(|passage| passage.tokens.clone()).collect();
                assert_eq!(old, planted, "post {}: old tokens", post.number);
                assert_eq!(truth.copied(), post.copied, "post {}: copied shingles", post.number);
                assert_eq!(truth.dominance.dominant.map(u64::from), post.dominant, "post {}", post.number);
                for passage in &post.passages {
                    assert_eq!(tokens.span(passage.tokens.start).start, passage.bytes.start);
                    assert_eq!(tokens.span(passage.tokens.end - 1).end, passage.bytes.end);
                }
            }
        }
    }

    #[test]
    fn the_copy_ratio_is_as_asked() {
        for ratio in [0.0, 0.16, 0.36, 0.7] {
            let settings = Settings { copy_ratio: ratio, ..Settings::default() };
            let posts = posts(settings, 4000);
            let shingles: usize = posts.iter().map(|post| (post.tokens + 1).saturating_sub(8)).sum();
            let copied: usize = posts.iter().map(|post| post.copied).sum();
            let found = copied as f64 / shingles as f64;
            assert!((found - ratio).abs() < 0.02, "{found} instead of {ratio}");
        }
    }

    #[test]
    fn a_seed_is_a_stream() {
        let settings = Settings::default();
        assert_eq!(posts(settings, 50), posts(settings, 50));
        assert_ne!(posts(settings, 50), posts(Settings { seed: 1, ..settings }, 50));
        for copy_ratio in [-0.1, 0.71, 1.0] {
            assert!(Posts::new(Settings { copy_ratio, ..settings }).is_err(), "{copy_ratio}");
        }
        assert!(Posts::new(Settings { k: 4, ..settings }).is_err());
        assert!(Posts::new(Settings { words: f64::NAN, ..settings }).is_err());
    }

    /// The most copied post of many is copied far more often than most.
    #[test]
    fn there_are_favourites() {
        let count = |popularity: f64| {
            let mut counts = vec![0u32; 4000];
            for post in posts(Settings { popularity, edits: 0.0, ..Settings::default() }, 4000) {
                post.passages.iter().for_each(|passage| counts[passage.origin as usize] += 1);
            }
            counts.sort_unstable();
            let tenth: u32 = counts[3600..].iter().sum();
            f64::from(tenth) / f64::from(counts.iter().sum::<u32>())
        };
        assert!(count(1.2) > count(0.0) + 0.05, "{} {}", count(1.2), count(0.0));
    }
}
