//! Every algorithm on the documents that break such programs: empty, short, one word repeated, enormous, identical.

use headwater::origin::{Algorithm, Block, Evidence, InOrder, Paper, Report, Settings, Tracer};
use headwater::select::Selection;
use headwater::text::{Reading, Tokens, fingerprints, mix};

use crate::algorithms::algorithms;

/// Observes the texts one after the other, and checks what holds for every report.
fn observe(algorithm: Algorithm, texts: &[&str]) -> Vec<Report> {
    let mut tracer = Tracer::new(Settings { memory: 1 << 18, algorithm, ..Settings::default() }).unwrap();
    let preparer = tracer.preparer();
    let mut reports = Vec::new();
    for (number, text) in texts.iter().enumerate() {
        let prepared = preparer.prepare(text).unwrap();
        let report = tracer.observe(&prepared, number as i64, &InOrder);
        assert_eq!(report.document as usize, number);
        check(&report, text, |at| prepared.tokens().span(at));
        reports.push(report);
    }
    reports
}

fn check(report: &Report, text: &str, span: impl Fn(usize) -> std::ops::Range<usize>) {
    let mut old = 0;
    let mut before: Option<&headwater::origin::Segment> = None;
    for segment in &report.segments {
        assert!(!segment.tokens.is_empty() && segment.origin < report.document);
        assert!(before.is_none_or(|before| before.tokens.end < segment.tokens.start
            || before.tokens.end == segment.tokens.start && before.origin != segment.origin));
        assert_eq!(segment.bytes.start, span(segment.tokens.start as usize).start);
        assert_eq!(segment.bytes.end, span(segment.tokens.end as usize - 1).end);
        assert!(text.get(segment.bytes.clone()).is_some(), "cut inside a character");
        let evidence = segment.evidence;
        let tokens = evidence.found + evidence.aligned + evidence.bridged + evidence.expanded;
        assert_eq!(tokens as usize, segment.tokens.len());
        assert!(segment.tokens.clone().all(|at| !report.is_fresh(at as usize)));
        // What was not inferred from a neighbour lies in a block of its origin.
        for at in segment.tokens.clone().filter(|&at| report.evidence[at as usize] != Evidence::Expanded) {
            let holds = |block: &Block| block.origin == segment.origin && block.tokens.contains(&at);
            assert!(report.blocks.iter().any(holds), "token {at} of {segment:?}");
        }
        old += segment.tokens.len();
        before = Some(segment);
    }
    for block in &report.blocks {
        assert!(block.origin < report.document && block.tokens.end as usize <= report.tokens(), "{block:?}");
        assert!(block.found > 0 && block.found as usize <= report.selected, "{block:?}");
        assert!(!report.is_fresh(block.tokens.start as usize) && !report.is_fresh(block.tokens.end as usize - 1));
    }
    assert_eq!(report.fresh_tokens(), (0..report.tokens()).filter(|&at| report.is_fresh(at)).count());
    assert_eq!(report.fresh_tokens() + old, report.tokens());
    assert!((0.0..=1.0).contains(&report.dominant_share) && (0.0..=1.0).contains(&report.novelty()));
    assert!(report.dominant.is_none_or(|dominant| dominant == report.most_copied));
    assert_eq!(report.shares[0].origin, report.document);
}

/// Words that no other seed has.
fn words(seed: u64, count: u64) -> String {
    let words: Vec<String> = (0..count).map(|n| format!("w{:x}", mix(mix(seed) ^ n))).collect();
    words.join(" ")
}

#[test]
fn short_and_empty_documents_are_new() {
    for algorithm in algorithms() {
        for text in ["", " \n", "—", "seven words are not enough for one"] {
            for report in observe(algorithm, &[text, text, text]) {
                assert_eq!(report.fresh_tokens(), report.tokens(), "{algorithm:?} {text:?}");
                let own = (report.tokens() > 0).then_some(report.document);
                assert_eq!((report.dominant, report.segments.len()), (own, 0));
            }
        }
    }
}

#[test]
fn identical_documents_are_all_the_firsts() {
    let text = words(1, 300);
    for algorithm in algorithms() {
        let reports = observe(algorithm, &[&text, &text, &text]);
        assert_eq!((reports[0].dominant, reports[0].novelty()), (Some(0), 1.0), "{algorithm:?}");
        for copy in &reports[1..] {
            assert_eq!(copy.dominant, Some(0), "{algorithm:?}");
            assert!(copy.segments.iter().all(|segment| segment.origin == 0));
            let most = if algorithm == Algorithm::Headwater { 0.0 } else { 0.7 };
            assert!(copy.novelty() <= most, "{algorithm:?}: {} is new", copy.novelty());
        }
    }
}

/// Whether the algorithm can select anything of a text that is one word over and over, given that word's hash and the
/// fingerprint of its only shingle.
///
/// Modulo keeps that shingle everywhere or nowhere. Where the word is one at which hash-breaking and DCT break, each of their
/// segments is a single word, which they leave out unless short segments are joined; where it is not, the whole text is one segment.
fn selects_repetition(algorithm: Algorithm, word: u64, shingle: u64) -> bool {
    let Algorithm::Paper(paper) = algorithm else { return true };
    match paper.select {
        Selection::Modulo { l, .. } => shingle.is_multiple_of(l.get().into()),
        Selection::HashBreaking { p, joined } | Selection::Dct { p, joined } => {
            joined || !word.is_multiple_of(p.get().into())
        }
        Selection::All | Selection::Every(_) | Selection::Winnowing { .. } | Selection::Hailstorm { .. } => true,
    }
}

/// Of a text of eight to thirteen words Hailstorm may select nothing, and of one of eight nothing is around its only shingle that
/// could confirm it.
#[test]
fn copies_of_very_short_texts_are_the_firsts_too() {
    for length in 8..20 {
        let texts: Vec<String> = (0..60).map(|seed| words(seed, length)).collect();
        let twice: Vec<&str> = texts.iter().chain(&texts).map(String::as_str).collect();
        let reports = observe(Algorithm::Headwater, &twice);
        let (firsts, copies) = reports.split_at(texts.len());
        assert!(firsts.iter().all(|report| report.novelty() == 1.0 && report.selected > 0), "{length} words");
        for (number, copy) in copies.iter().enumerate() {
            assert_eq!((copy.dominant, copy.novelty()), (Some(number as u32), 0.0), "{length} words");
        }
    }
}

#[test]
fn one_repeated_word_is_the_firsts_too() {
    // Several words, so that every selection selects something of one of them.
    let words = ["river", "brook", "spring", "creek", "stream", "ford", "weir", "delta"];
    for algorithm in algorithms() {
        let mut selected = 0;
        for word in words {
            let text = format!("{word} ").repeat(500);
            let (mut tokens, mut shingles) = (Tokens::new(), Vec::new());
            tokens.read(&text, Reading::Words).unwrap();
            fingerprints(tokens.hashes(), 8, &mut shingles);
            let reports = observe(algorithm, &[&text, &text]);
            assert_eq!(reports[0].novelty(), 1.0, "{algorithm:?} {word}: its own repetition is no copy");
            let copy = &reports[1];
            if !selects_repetition(algorithm, tokens.hashes()[0], shingles[0]) {
                assert_eq!((copy.selected, copy.dominant, copy.novelty()), (0, Some(1), 1.0), "{algorithm:?} {word}");
                continue;
            }
            selected += 1;
            assert!(copy.selected > 0, "{algorithm:?} {word}");
            assert_eq!((copy.dominant, copy.dominant_share), (Some(0), 1.0), "{algorithm:?} {word}");
            assert!(copy.segments.iter().all(|segment| segment.origin == 0), "{algorithm:?} {word}");
            // The first window of Winnowing has its right-most shingle, which leaves the words before that uncovered.
            let most = if algorithm == Algorithm::Headwater { 0 } else { 7 };
            assert!(copy.fresh_tokens() <= most, "{algorithm:?} {word}: {} words are new", copy.fresh_tokens());
        }
        assert!(selected > 0, "{algorithm:?} selects nothing of any of the texts");
    }
}

#[test]
fn a_million_distinct_words_pass() {
    let text = words(7, 1_000_000);
    let copy = &text[..text.len() / 2];
    for algorithm in [Algorithm::Headwater, Algorithm::Paper(Paper::default())] {
        let reports = observe(algorithm, &[&text, copy]);
        assert_eq!(reports[0].novelty(), 1.0, "{algorithm:?}");
        assert!(reports[1].tokens() >= 500_000);
        if algorithm == Algorithm::Headwater {
            // The table holds one anchor for about 35 words, spread over the whole text: enough to tell that all between them is
            // copied. The paper's table gives up the oldest of equals, and of the first half it has nothing left.
            assert_eq!(reports[1].dominant, Some(0));
            assert!(reports[1].novelty() < 0.01, "{} is new", reports[1].novelty());
            assert!(reports[1].segments.iter().all(|segment| segment.origin == 0));
            assert!(reports[1].shares.iter().all(|share| share.shingles >= 0.0), "{:?}", reports[1].shares);
        }
    }
}

#[test]
fn a_quotation_is_found_where_it_is() {
    let (source, frame) = (words(1, 200), words(2, 200));
    let middle = source.len() / 2 - source[..source.len() / 2].rfind(' ').unwrap();
    let start = source.len() / 2 - middle + 1;
    let end = start + source[start..].match_indices(' ').nth(59).unwrap().0;
    let quoted = format!("{} {} {}", &frame[..frame.len() / 2], &source[start..end], &frame[frame.len() / 2..]);
    let at = quoted.find(&source[start..end]).unwrap();
    let report = &observe(Algorithm::Headwater, &[&source, &quoted])[1];
    assert_eq!(report.dominant, Some(1), "most of it is new");
    let [segment] = &report.segments[..] else { panic!("{:?}", report.segments) };
    assert!(segment.origin == 0 && (56..=66).contains(&segment.tokens.len()), "{segment:?}");
    assert!(segment.bytes.start.abs_diff(at) < 120 && segment.bytes.end.abs_diff(at + end - start) < 120);
    let [block] = &report.blocks[..] else { panic!("{:?}", report.blocks) };
    assert_eq!((&block.tokens, block.origin), (&segment.tokens, 0), "nothing is left to be inferred");
}

#[test]
fn the_same_stream_gives_the_same_reports() {
    let texts: Vec<String> = (0..60).map(|n| format!("{} {}", words(n, 80), words(n / 3, 90))).collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    for algorithm in algorithms() {
        assert_eq!(observe(algorithm, &texts), observe(algorithm, &texts), "{algorithm:?}");
    }
}

#[test]
fn tracing_only_reports() {
    let mut tracer = Tracer::new(Settings { memory: 1 << 16, ..Settings::default() }).unwrap();
    let preparer = tracer.preparer();
    for n in 0..200 {
        let text = format!("{} {}", words(n, 60), words(n / 4, 90));
        let prepared = preparer.prepare(&text).unwrap();
        let before = tracer.trace(&prepared, 0, &InOrder);
        assert_eq!(before, tracer.trace(&prepared, 0, &InOrder));
        assert_eq!(before, tracer.observe(&prepared, 0, &InOrder));
    }
}

#[test]
#[should_panic(expected = "prepared for other settings")]
fn documents_prepared_for_other_settings_are_refused() {
    let mut tracer = Tracer::new(Settings { memory: 1 << 16, ..Settings::default() }).unwrap();
    let other = Tracer::new(Settings { k: 5, memory: 1 << 16, ..Settings::default() }).unwrap();
    tracer.observe(&other.preparer().prepare("some text").unwrap(), 0, &InOrder);
}
