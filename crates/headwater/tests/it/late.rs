//! Documents that arrive after others that were written later.

use headwater::origin::{Algorithm, Chronicle, Paper, Report, Settings, Tracer};

use crate::algorithms::algorithms;

fn observe(algorithm: Algorithm, documents: &[(i64, &str)]) -> Vec<Report> {
    let mut tracer = Tracer::new(Settings { memory: 1 << 18, algorithm, ..Settings::default() }).unwrap();
    let preparer = tracer.preparer();
    // As with a stream, the time of a document is known to the others once it has been observed.
    let mut times: Vec<i64> = Vec::new();
    let mut reports = Vec::new();
    for (time, text) in documents {
        reports.push(tracer.observe(&preparer.prepare(text).unwrap(), *time, &times));
        times.push(*time);
    }
    reports
}

fn text(seed: usize) -> String {
    let words: Vec<String> = (0..120).map(|n| format!("word{}", seed * 1000 + n)).collect();
    words.join(" ")
}

#[test]
fn a_late_original_takes_its_place() {
    let text = text(1);
    for algorithm in algorithms() {
        let reports = observe(algorithm, &[(2020, &text), (2010, &text), (2030, &text), (2005, &text), (2030, &text)]);
        let dominant: Vec<_> = reports.iter().map(|report| report.dominant).collect();
        assert_eq!(dominant, [Some(0), Some(1), Some(1), Some(3), Some(3)], "{algorithm:?}");
        assert_eq!(reports[1].novelty(), 1.0, "nothing was there before it");
    }
}

#[test]
fn equal_times_keep_the_order_of_arrival() {
    let (text, other) = (text(1), text(2));
    for algorithm in algorithms() {
        let reports = observe(algorithm, &[(2020, &text), (2021, &other), (2020, &text)]);
        assert_eq!(reports[2].dominant, Some(0), "{algorithm:?}");
    }
}

#[test]
fn a_late_document_still_copies_from_what_is_earlier() {
    let (old, new) = (text(1), text(2));
    let both = format!("{old} {new}");
    // Of those that cover every token of a passage.
    for algorithm in [Algorithm::Headwater, Algorithm::Paper(Paper::default())] {
        let reports = observe(algorithm, &[(2000, &old), (2020, &new), (2010, &both), (2030, &both)]);
        let origins: Vec<u32> = reports[2].segments.iter().map(|segment| segment.origin).collect();
        assert_eq!(origins, [0], "{algorithm:?}");
        assert!((0.4..0.6).contains(&reports[2].novelty()), "{algorithm:?}");
        let origins: Vec<u32> = reports[3].segments.iter().map(|segment| segment.origin).collect();
        assert_eq!(origins, [0, 2], "{algorithm:?}");
    }
}

#[test]
fn of_two_origins_the_earlier_written_counts() {
    // The first two share a passage at a place where each has its own surroundings; the second was written first.
    let (shared, a, b) = (text(1), text(2), text(3));
    let (first, second) = (format!("{a} {shared}"), format!("{shared} {b}"));
    for algorithm in algorithms() {
        let reports = observe(algorithm, &[(2020, &first), (2010, &second), (2030, &shared)]);
        assert_eq!(reports[2].dominant, Some(1), "{algorithm:?}");
    }
}

/// From 2²⁴ documents on numbers take more room in an entry; nothing else is to be seen of it.
#[test]
fn a_stream_goes_on_beyond_sixteen_million_documents() {
    let settings = Settings { memory: 1 << 18, ..Settings::default() };
    let texts: Vec<String> = (0..30).map(text).collect();
    let reports = |documents: u32| {
        let new = Tracer::new(settings).unwrap();
        let mut state = new.state();
        state.documents = documents;
        let mut tracer = Tracer::resume(settings, &state, Box::new(new.table().to_vec())).unwrap();
        let preparer = tracer.preparer();
        // Each text once, each again, and each again as an earlier document that comes late.
        let rounds = (0..3 * texts.len()).map(|at| {
            let time = if at < 2 * texts.len() { at as i64 } else { -1 };
            let chronicle = Numbered { first: documents, late: documents + 2 * texts.len() as u32 };
            tracer.observe(&preparer.prepare(&texts[at % texts.len()]).unwrap(), time, &chronicle)
        });
        rounds.map(|report| (report.dominant.map(|origin| origin - documents), report.novelty())).collect::<Vec<_>>()
    };
    let expected = reports(0);
    assert_eq!((expected[30].0, expected[60].0), (Some(0), Some(60)));
    for documents in [(1 << 24) - 40, 1 << 24, 1 << 31, u32::MAX - 200] {
        assert_eq!(reports(documents), expected, "from {documents} on");
    }
}

/// Documents from `first` on are of the times 0, 1, …, those from `late` on of −1.
struct Numbered {
    first: u32,
    late: u32,
}

impl Chronicle for Numbered {
    fn time(&self, document: u32) -> i64 {
        if document < self.late { i64::from(document - self.first) } else { -1 }
    }
}
