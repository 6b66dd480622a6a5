//! The origin paper's reading: maximal runs of alphanumeric characters, case-folded.
//!
//! Combining marks, joiners and soft hyphens do not end a word (as in Unicode's own word boundaries), and the composed and
//! the decomposed spelling of a word are the same token. In scripts that are written without spaces each letter with its
//! marks is a token, so that eight of them are a phrase as eight words are elsewhere.

use std::cell::RefCell;

use unicode_normalization::UnicodeNormalization;

use super::character::{Characters, Class};
use super::hash::{self, Hasher};
use super::runs::{CHUNK, Runs};
use super::token::Tokens;

/// Runs that are hashed together, one bit for each that is not ASCII.
const TOGETHER: usize = u32::BITS as usize;

thread_local! {
    /// Kept from one text to the next, so that a short one does not pay for making it.
    static RUNS: RefCell<Runs> = RefCell::new(Runs::new());
}

pub(super) fn read(text: &str, tokens: &mut Tokens) {
    RUNS.with_borrow_mut(|runs| read_with(runs, text, tokens));
}

fn read_with(runs: &mut Runs, text: &str, tokens: &mut Tokens) {
    let bytes = text.as_bytes();
    let characters = Characters::get();
    for at in (0..bytes.len()).step_by(CHUNK) {
        runs.search(bytes, at);
        let (starts, ends) = runs.spans();
        for (starts, ends) in starts.chunks(TOGETHER).zip(ends.chunks(TOGETHER)) {
            read_runs(characters, text, starts, ends, tokens);
        }
    }
}

/// Reads some runs. Most are one token each, and all ASCII: they are hashed as if all were, and the others once more.
fn read_runs(characters: &Characters, text: &str, starts: &[u32], ends: &[u32], tokens: &mut Tokens) {
    let bytes = text.as_bytes();
    let (mut hashes, mut others) = ([0; TOGETHER], 0u32);
    for (run, (&start, &end)) in starts.iter().zip(ends).enumerate() {
        let (hash, is_ascii) = hash::of_ascii(bytes, start as usize, end as usize);
        hashes[run] = hash;
        others |= u32::from(!is_ascii) << run;
    }
    // Those before a run that must be split wait for it.
    let mut waiting = 0;
    while others != 0 {
        let run = others.trailing_zeros() as usize;
        others &= others - 1;
        let (start, end) = (starts[run] as usize, ends[run] as usize);
        match hash::of_token(bytes, start, end, |window| characters.fold_window(window)) {
            Some(hash) => hashes[run] = hash,
            None => {
                tokens.extend(&hashes[waiting..run], &starts[waiting..run], &ends[waiting..run]);
                split(characters, text, start, end, tokens);
                waiting = run + 1;
            }
        }
    }
    tokens.extend(&hashes[waiting..starts.len()], &starts[waiting..], &ends[waiting..]);
}

/// Cuts a run that is not all ASCII into its tokens, if it has any.
fn split(characters: &Characters, text: &str, start: usize, end: usize, tokens: &mut Tokens) {
    let mut open = Open::default();
    let mut from = start;
    while from < end {
        // Most of Chinese and of Japanese text: no table, and closed at once. A mark behind it is rare and opens it again.
        let ideographs = hash::ideographs(&text.as_bytes()[from..end]);
        if ideographs > 0 {
            open.close(text, tokens);
            let to = from + 3 * ideographs;
            let (each, _) = text.as_bytes()[from..to].as_chunks();
            tokens.extend_side_by_side(each.iter().map(hash::of_three), from as u32, 3);
            open.lone = true;
            from = to;
            continue;
        }
        let character = text[from..end].chars().next().expect("a run ends where a character ends");
        let to = from + character.len_utf8();
        let class = characters.class(character);
        if open.lone {
            open.lone = false;
            if matches!(class, Class::Mark | Class::ComposingMark | Class::UnspacedMark | Class::Ignored) {
                open.reopen(tokens);
            }
        }
        open.take(class, text, tokens, from as u32, to as u32);
        from = to;
    }
    open.close(text, tokens);
}

/// How far a token as written is from the spelling that is hashed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
enum Spelling {
    /// Only ASCII letters may need folding.
    #[default]
    Written,
    Folded,
    Composed,
}

/// The token that is being read.
#[derive(Default)]
struct Open {
    start: u32,
    /// Where it ends as far as read; 0 where no token is open, since none can end at 0.
    end: u32,
    unspaced: bool,
    /// Whether the token before is a letter of an unspaced script that was closed at once.
    lone: bool,
    /// Whether its last character is a combining mark.
    marked: bool,
    spelling: Spelling,
}

impl Open {
    #[inline(always)]
    fn is_open(&self) -> bool {
        self.end != 0
    }

    #[inline(always)]
    fn take(&mut self, class: Class, text: &str, tokens: &mut Tokens, from: u32, to: u32) {
        match class {
            Class::Word => self.word(text, tokens, from, to),
            Class::Upper => {
                self.word(text, tokens, from, to);
                self.spelling = self.spelling.max(Spelling::Folded);
            }
            Class::WordMark => {
                let follows_mark = self.marked;
                self.word(text, tokens, from, to);
                self.mark(follows_mark);
            }
            Class::Composing => {
                self.word(text, tokens, from, to);
                self.spelling = Spelling::Composed;
            }
            Class::Mark | Class::ComposingMark | Class::UnspacedMark if self.is_open() => {
                let follows_mark = self.marked;
                self.extend(to);
                self.mark(follows_mark || class == Class::ComposingMark);
            }
            Class::Unspaced | Class::UnspacedComposing | Class::UnspacedMark => {
                self.close(text, tokens);
                self.begin(from, to);
                self.unspaced = true;
                self.marked = class == Class::UnspacedMark;
                if class == Class::UnspacedComposing {
                    self.spelling = Spelling::Composed;
                }
            }
            // Removing it is what the composed path does; it is far too rare for a path of its own.
            Class::Ignored if self.is_open() => self.spelling = Spelling::Composed,
            Class::Mark | Class::ComposingMark | Class::Ignored | Class::Separator => self.close(text, tokens),
        }
    }

    #[cold]
    fn reopen(&mut self, tokens: &mut Tokens) {
        if let Some((start, end)) = tokens.pop() {
            self.begin(start, end);
            self.unspaced = true;
        }
    }

    #[inline(always)]
    fn word(&mut self, text: &str, tokens: &mut Tokens, from: u32, to: u32) {
        if self.unspaced {
            self.close(text, tokens);
        }
        if self.is_open() { self.extend(to) } else { self.begin(from, to) }
    }

    #[inline(always)]
    fn begin(&mut self, from: u32, to: u32) {
        self.start = from;
        self.end = to;
    }

    #[inline(always)]
    fn extend(&mut self, to: u32) {
        self.end = to;
        self.marked = false;
    }

    /// Notes that the character just read is a mark, and whether that makes composition necessary.
    #[inline(always)]
    fn mark(&mut self, composes: bool) {
        self.marked = true;
        if composes {
            self.spelling = Spelling::Composed;
        }
    }

    #[inline(always)]
    fn close(&mut self, text: &str, tokens: &mut Tokens) {
        if self.is_open() {
            let (start, end) = (self.start as usize, self.end as usize);
            let hash = match self.spelling {
                Spelling::Written => hash::written(text.as_bytes(), start, end),
                Spelling::Folded => folded(&text[start..end]),
                Spelling::Composed => composed(&text[start..end]),
            };
            tokens.push(hash, self.start, self.end);
            *self = Open::default();
        }
    }
}

/// The hash of a token's case-folded spelling.
fn folded(token: &str) -> u64 {
    let characters = Characters::get();
    let mut hasher = Hasher::default();
    token.chars().for_each(|character| hasher.push(characters.fold(character)));
    hasher.finish()
}

/// The hash of a token's composed spelling. Composition comes first, folding second, as for text that was composed already.
#[cold]
fn composed(token: &str) -> u64 {
    let characters = Characters::get();
    let mut hasher = Hasher::default();
    let spelt = token.chars().filter(|&character| characters.class(character) != Class::Ignored);
    spelt.nfc().for_each(|character| hasher.push(characters.fold(character)));
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::Reading;
    use proptest::prelude::*;

    fn read_on(mut runs: Runs, text: &str) -> Tokens {
        let mut tokens = Tokens::new();
        read_with(&mut runs, text, &mut tokens);
        tokens
    }

    fn words(text: &str) -> Vec<&str> {
        let tokens = read_on(Runs::new(), text);
        (0..tokens.len()).map(|at| &text[tokens.span(at)]).collect()
    }

    fn hashes(text: &str) -> Vec<u64> {
        read_on(Runs::new(), text).hashes().to_vec()
    }

    /// The same rule, one character after the other, in the plainest way.
    fn reference(text: &str) -> Vec<(u64, std::ops::Range<usize>)> {
        let characters = Characters::get();
        let mut groups: Vec<(usize, usize, bool)> = Vec::new();
        let mut open = false;
        for (at, character) in text.char_indices() {
            let end = at + character.len_utf8();
            let class = characters.class(character);
            let lone = groups.last().is_some_and(|group| group.2);
            match class {
                Class::Separator => open = false,
                Class::Ignored => {}
                Class::Mark | Class::ComposingMark | Class::UnspacedMark if open => {
                    groups.last_mut().expect("an open group").1 = end;
                }
                Class::Mark | Class::ComposingMark => {}
                Class::Unspaced | Class::UnspacedComposing | Class::UnspacedMark => {
                    groups.push((at, end, true));
                    open = true;
                }
                Class::Word | Class::Upper | Class::WordMark | Class::Composing if open && !lone => {
                    groups.last_mut().expect("an open group").1 = end;
                }
                Class::Word | Class::Upper | Class::WordMark | Class::Composing => {
                    groups.push((at, end, false));
                    open = true;
                }
            }
        }
        groups.into_iter().map(|(start, end, _)| (composed(&text[start..end]), start..end)).collect()
    }

    fn check(text: &str) {
        let expected = reference(text);
        for runs in [Runs::new(), Runs::portable()] {
            let tokens = read_on(runs, text);
            let found: Vec<_> = (0..tokens.len()).map(|at| (tokens.hashes()[at], tokens.span(at))).collect();
            assert_eq!(found, expected, "{text:?}");
        }
    }

    #[test]
    fn words_in_many_scripts() {
        for (text, expected) in [
            ("Don't stop, R2-D2!", &["Don", "t", "stop", "R2", "D2"][..]),
            ("naïve Straße ΟΔΟΣ", &["naïve", "Straße", "ΟΔΟΣ"]),
            ("река, Волга", &["река", "Волга"]),
            ("水は流れる", &["水", "は", "流", "れ", "る"]),
            ("가나다 라마", &["가나다", "라마"]),
            ("น้ำไหล", &["น้ำ", "ไ", "ห", "ล"]),
            ("हिन्दी में", &["हिन्दी", "में"]),
            ("النهر يجري", &["النهر", "يجري"]),
            ("abc水def", &["abc", "水", "def"]),
            ("ꦱꦸꦔꦻ", &["ꦱꦸ", "ꦔꦻ"]),
            ("co\u{ad}operate", &["co\u{ad}operate"]),
            ("\u{301}\u{200d}—…", &[]),
        ] {
            assert_eq!(words(text), expected, "{text}");
            check(text);
        }
    }

    /// One line of each of twenty-seven scripts: the number of its tokens, and spans that cut at characters.
    #[test]
    fn twenty_scripts() {
        for (script, text, tokens) in [
            ("Latin", "The river rises; the mill waits.", 6),
            ("Greek", "Το ποτάμι ανεβαίνει αργά.", 4),
            ("Cyrillic", "Река поднимается, мельница ждёт.", 4),
            ("Armenian", "Գետը բարձրանում է։", 3),
            ("Georgian", "მდინარე იზრდება ნელა", 3),
            ("Hebrew", "הנהר עולה לאט", 3),
            ("Arabic", "النَّهْرُ يَرْتَفِعُ ببطء", 3),
            ("Syriac", "ܢܗܪܐ ܣܠܩ", 2),
            ("Devanagari", "नदी धीरे-धीरे बढ़ती है", 5),
            ("Bengali", "নদী ধীরে বাড়ছে", 3),
            ("Gurmukhi", "ਨਦੀ ਚੜ੍ਹਦੀ ਹੈ", 3),
            ("Gujarati", "નદી વધે છે", 3),
            ("Tamil", "ஆறு உயர்கிறது", 2),
            ("Telugu", "నది పెరుగుతోంది", 2),
            ("Kannada", "ನದಿ ಏರುತ್ತಿದೆ", 2),
            ("Malayalam", "നദി ഉയരുന്നു", 2),
            ("Sinhala", "ගඟ ඉහළ යයි", 3),
            ("Ethiopic", "ወንዙ ይጨምራል", 2),
            ("Hangul", "강이 천천히 불어난다", 3),
            ("Han", "河水慢慢上涨。", 6),
            ("Kana", "かわがあがる", 6),
            ("Thai", "น้ำขึ้น", 3),
            ("Lao", "ນ້ຳຂຶ້ນ", 3),
            ("Khmer", "ទឹកឡើង", 4),
            ("Myanmar", "ရေတက်", 3),
            ("Mongolian", "ᠭᠣᠣᠯ ᠦᠶᠡᠷᠯᠡᠨᠡ", 2),
            ("Cherokee", "ᎡᏉᏂ ᎦᎸᎳᏗ", 2),
        ] {
            check(text);
            assert_eq!(words(text).len(), tokens, "{script}: {:?}", words(text));
        }
    }

    #[test]
    fn what_does_not_change_a_word() {
        for (one, other) in [
            ("The River", "the, RIVER!"),
            ("caf\u{e9}", "cafe\u{301}"),
            ("CAF\u{c9}", "cafe\u{301}"),
            ("\u{1e69}", "s\u{307}\u{323}"),
            ("ΟΔΟΣ", "οδος"),
            ("co\u{ad}operate", "cooperate"),
            ("한국", "\u{1112}\u{1161}\u{11ab}\u{1100}\u{116e}\u{11a8}"),
            ("が", "か\u{3099}"),
        ] {
            assert_eq!(hashes(one), hashes(other), "{one} {other}");
        }
        assert_ne!(hashes("cafe"), hashes("café"));
    }

    #[test]
    fn signs_that_end_a_run_are_no_part_of_a_word() {
        for sign in ('\u{2010}'..='\u{2027}').chain('\u{2500}'..='\u{25ff}') {
            assert_eq!(Characters::get().class(sign), Class::Separator, "{sign:?}");
        }
    }

    #[test]
    fn a_long_text_of_many_scripts_is_read_as_in_one_piece() {
        let text = "Water находит путь — 水は流れる。 caf\u{e9} cafe\u{301} น้ำไหล हिन्दी, ".repeat(400);
        check(&text);
        check(&"x".repeat(3 * CHUNK));
        check(&"水".repeat(3 * CHUNK));
        check(&format!("{}é {}", "x".repeat(CHUNK - 1), "y".repeat(CHUNK)));
    }

    proptest! {
        #[test]
        fn any_text_gives_the_reference_tokens_on_every_path(text in "\\PC{0,300}") {
            check(&text);
        }

        #[test]
        fn scripts_marks_and_ignorables_mix(text in "([a-zA-Z0-9 ]|[äÉßς]|[а-яЀ-Џ]|[\u{300}-\u{310}]|[\u{ad}\u{200d}]|[一-三]|[ก-ู]|[\u{1100}-\u{11ff}]|[가-갂]|[Ạ-ế]|[\u{2000}-\u{2030}]|[─-┄]|[𐐀-𐐦]|[-.—]){0,400}") {
            check(&text);
        }

        #[test]
        fn spans_cut_at_characters_ascend_and_do_not_overlap(text in "\\PC{0,200}") {
            let mut tokens = Tokens::new();
            tokens.read(&text, Reading::Words).unwrap();
            let mut behind = 0;
            for at in 0..tokens.len() {
                let span = tokens.span(at);
                prop_assert!(span.start >= behind && span.start < span.end);
                prop_assert!(text.is_char_boundary(span.start) && text.is_char_boundary(span.end));
                behind = span.end;
            }
        }
    }
}
