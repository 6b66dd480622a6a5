//! One post: its own text, and passages of earlier ones planted before or behind it.

use std::ops::Range;

use super::Settings;
use super::draw::{Draw, OWN, SHAPE, unit};
use super::words;
use crate::text::mix;

/// Passages in one post.
pub(super) const MOST_BLOCKS: usize = 40;

/// Which part of the passages are whole texts: of those who repost, and of others.
const WHOLE: [f64; 2] = [0.8, 0.2];

/// How much shorter the own text of those who repost is.
const SHORTER: f64 = 0.2;

/// Stands for the post's number, a word that no other post has: around every text and passage, so that no two texts go on
/// alike by chance beyond what was copied.
pub(super) const MARK: u32 = u32::MAX;

/// Words that a post has of its own at the least, and at the most.
const LEAST_OWN: f64 = 24.0;
const MOST_OWN: f64 = 20_000.0;

/// How much lengths vary: the standard deviation of their logarithms.
const SPREAD: f64 = 0.8;

/// A word in a text: which one, and what sets the punctuation behind it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Token {
    pub(super) word: u32,
    pub(super) manner: u64,
}

/// A run of tokens that stand in the same order in an earlier post's own text.
#[derive(Clone, Debug)]
pub(super) struct CopiedRun {
    pub(super) tokens: Range<usize>,
    pub(super) origin: u64,
    /// The place of the first of them in the origin's own text.
    from: usize,
}

/// A post in the making.
pub(super) struct Planted<'a> {
    settings: &'a Settings,
    number: u64,
    tokens: Vec<Token>,
    runs: Vec<CopiedRun>,
}

impl<'a> Planted<'a> {
    pub(super) fn new(settings: &'a Settings, number: u64) -> Self {
        Planted { settings, number, tokens: Vec::new(), runs: Vec::new() }
    }

    pub(super) fn tokens(&self) -> &[Token] {
        &self.tokens
    }

    /// The post's own text.
    pub(super) fn own_text(&self) -> Vec<Token> {
        let own = Own::of(self.settings, self.number);
        (0..own.words).map(|at| own.token(at)).collect()
    }

    /// Whether it is there to pass on what others wrote.
    pub(super) fn reposts(&self) -> bool {
        Own::of(self.settings, self.number).reposts
    }

    pub(super) fn push_own(&mut self, own: &[Token]) {
        self.tokens.extend_from_slice(own);
    }

    /// A few words that lead over to the next thing, between two marks.
    pub(super) fn push_remark(&mut self, draw: &mut Draw) {
        let mark = Token { word: MARK, manner: 0 };
        let words = 3 + draw.below(8);
        self.tokens.push(mark);
        (0..words).for_each(|_| self.push_new(draw));
        self.tokens.push(Token { manner: 1, ..mark });
    }

    fn push_new(&mut self, draw: &mut Draw) {
        let token = Token { word: words::word(draw.unit()), manner: draw.number() };
        self.tokens.push(token);
    }

    /// A passage of an earlier post, with edits.
    pub(super) fn push_block(&mut self, draw: &mut Draw) {
        let origin = self.source(draw);
        let own = Own::of(self.settings, origin);
        let wanted = draw.pareto(self.settings.block, self.settings.tail).min(own.words as f64);
        let whole = if self.reposts() { WHOLE[0] } else { WHOLE[1] };
        let words = if draw.chance(whole) { own.words } else { (wanted as usize).max(1) };
        // Half of those who quote a post quote the same place.
        let places = (own.words - words) as u64 + 1;
        let favourite = mix(origin ^ self.settings.seed) % places;
        let from = if draw.chance(0.5) { favourite } else { draw.below(places) } as usize;
        let mut begun: Option<CopiedRun> = None;
        for at in from..from + words {
            let edit = draw.unit() / self.settings.edits.max(1e-12);
            if edit >= 1.0 {
                let here = self.tokens.len();
                self.tokens.push(own.token(at));
                match &mut begun {
                    Some(run) => run.tokens.end = here + 1,
                    None => begun = Some(CopiedRun { tokens: here..here + 1, origin, from: at }),
                }
                continue;
            }
            // Replaced, or kept with another word behind it. The new word is a mark: two who edit the same place alike would
            // have the second copy from the first. For the same reason no word is left out.
            if edit > 0.7 {
                let here = self.tokens.len();
                self.tokens.push(own.token(at));
                let run = begun.get_or_insert(CopiedRun { tokens: here..here, origin, from: at });
                run.tokens.end = here + 1;
            }
            self.runs.extend(begun.take());
            self.tokens.push(Token { word: MARK, manner: 1 });
        }
        self.runs.extend(begun);
    }

    /// Who is copied: a window of the past at any scale, and in it somebody by Zipf's law.
    fn source(&self, draw: &mut Draw) -> u64 {
        let scale = draw.below(u64::from(self.number.ilog2()) + 1);
        let window = 1u64 << scale;
        let end = (self.number >> scale << scale).max(window);
        let rank = draw.zipf(window, self.settings.popularity);
        // Which rank a post has in the window: an odd factor and an offset reorder a power of two.
        let order = mix(mix(self.settings.seed ^ end) ^ scale);
        let place = rank.wrapping_mul(order | 1).wrapping_add(order >> 32) % window;
        (end - window + place).min(self.number - 1)
    }

    /// Copied shingles, about: runs as they were planted.
    pub(super) fn copied_so_far(&self) -> u64 {
        self.runs.iter().map(|run| (run.tokens.len() + 1).saturating_sub(self.settings.k) as u64).sum()
    }

    /// The runs of a shingle or more, each as long as the texts agree: beyond an edit they can do so by chance.
    pub(super) fn copied_runs(&self) -> Vec<CopiedRun> {
        let mut runs = Vec::new();
        for run in &self.runs {
            let own = Own::of(self.settings, run.origin);
            let CopiedRun { mut tokens, origin, mut from } = run.clone();
            let same = |here: usize, there: usize| self.tokens[here].word == own.token(there).word;
            while tokens.start > 0 && from > 0 && same(tokens.start - 1, from - 1) {
                tokens.start -= 1;
                from -= 1;
            }
            while tokens.end < self.tokens.len()
                && from + tokens.len() < own.words
                && same(tokens.end, from + tokens.len())
            {
                tokens.end += 1;
            }
            if tokens.len() >= self.settings.k {
                runs.push(CopiedRun { tokens, origin, from });
            }
        }
        runs
    }
}

/// The own text of any post, without having seen it.
struct Own {
    key: u64,
    words: usize,
    reposts: bool,
}

impl Own {
    fn of(settings: &Settings, number: u64) -> Self {
        let mut shape = Draw::new(settings.seed, number, SHAPE);
        let reposts = shape.chance(settings.copy_ratio);
        let median = if reposts { SHORTER * settings.words } else { settings.words };
        let words = shape.log_normal(median, SPREAD).clamp(LEAST_OWN, MOST_OWN) as usize;
        Own { key: Draw::new(settings.seed, number, OWN).number(), words, reposts }
    }

    fn token(&self, at: usize) -> Token {
        let number = mix(self.key ^ at as u64);
        Token { word: words::word(unit(number)), manner: mix(number) }
    }
}
