//! A tracer that was put away and taken up again answers as one that never stopped.

use headwater::origin::{Algorithm, Eviction, InOrder, Paper, Settings, State, Tracer};
use headwater::text::mix;

/// Documents of some hundred words, every third with half of an earlier one.
fn text(document: u64) -> String {
    let from = |word: u64| if document % 3 == 2 && word < 60 { document / 2 } else { document };
    (0..120).map(|word| format!("{:x} ", mix(from(word) << 20 | word) >> 44)).collect()
}

fn algorithms() -> [Algorithm; 3] {
    let paper = Paper::default();
    [
        Algorithm::Headwater,
        Algorithm::Paper(paper),
        Algorithm::Paper(Paper { evict: Eviction::Random, bucket: 8, ..paper }),
    ]
}

#[test]
fn it_does_not_matter_where_a_stream_was_interrupted() {
    for algorithm in algorithms() {
        // Small enough to forget, so that credit, scores and random eviction all count.
        let settings = Settings { memory: 30_000, algorithm, ..Settings::default() };
        let mut steady = Tracer::new(settings).unwrap();
        let mut interrupted = Tracer::new(settings).unwrap();
        let preparer = steady.preparer();
        for document in 0..300 {
            if document % 7 == 3 {
                let (state, bytes) = (interrupted.state().to_words(), interrupted.table().to_vec());
                let state = State::from_words(&state).unwrap();
                assert_eq!(state.documents, interrupted.documents());
                interrupted = Tracer::resume(settings, &state, Box::new(aligned(&bytes))).unwrap();
            }
            let prepared = preparer.prepare(&text(document)).unwrap();
            assert!(interrupted.places(&prepared).all(|place| place.end <= interrupted.table().len()));
            let expected = steady.observe(&prepared, document as i64, &InOrder);
            assert_eq!(interrupted.observe(&prepared, document as i64, &InOrder), expected, "{algorithm:?} {document}");
        }
        assert_eq!(interrupted.state(), steady.state());
        assert!(steady.state().forgotten > 0, "the table was too large for this test");
        assert!(interrupted.table() == steady.table());
    }
}

#[test]
fn an_answer_depends_only_on_the_places_that_are_named() {
    for algorithm in algorithms() {
        let settings = Settings { memory: 200_000, algorithm, ..Settings::default() };
        let mut tracer = Tracer::new(settings).unwrap();
        let preparer = tracer.preparer();
        (0..20).for_each(|document| {
            tracer.observe(&preparer.prepare(&text(document)).unwrap(), document as i64, &InOrder);
        });
        let query = preparer.prepare(&text(2)).unwrap();
        let expected = tracer.trace(&query, 100, &InOrder);
        assert!(!expected.segments.is_empty());
        // All other bytes are spoilt.
        let mut spoilt: Vec<u8> = tracer.table().iter().map(|byte| !byte).collect();
        tracer.places(&query).for_each(|place| spoilt[place.clone()].copy_from_slice(&tracer.table()[place]));
        let spoilt = Tracer::resume(settings, &tracer.state(), Box::new(aligned(&spoilt))).unwrap();
        assert_eq!(spoilt.trace(&query, 100, &InOrder), expected, "{algorithm:?}");
    }
}

#[test]
fn what_does_not_fit_is_not_taken_up() {
    let settings = Settings { memory: 30_000, ..Settings::default() };
    let tracer = Tracer::new(settings).unwrap();
    let (state, bytes) = (tracer.state(), tracer.table().to_vec());
    assert!(Tracer::resume(settings, &state, Box::new(aligned(&bytes[64..]))).is_none());
    let paper = Settings { algorithm: Algorithm::Paper(Paper::default()), ..settings };
    assert!(Tracer::resume(paper, &state, Box::new(aligned(&bytes))).is_none());
    let other = Tracer::new(paper).unwrap().state();
    assert!(Tracer::resume(settings, &other, Box::new(aligned(&bytes))).is_none(), "nothing was learnt");
    assert!(State::from_words(&[1, 2, 3]).is_none());
}

/// Bytes that begin where a cache line begins, as a mapped file does.
fn aligned(bytes: &[u8]) -> Aligned {
    let mut room = vec![0; bytes.len() + 64];
    let base = room.as_ptr().align_offset(64);
    room[base..base + bytes.len()].copy_from_slice(bytes);
    Aligned { room, base, length: bytes.len() }
}

#[derive(Debug)]
struct Aligned {
    room: Vec<u8>,
    base: usize,
    length: usize,
}

impl AsRef<[u8]> for Aligned {
    fn as_ref(&self) -> &[u8] {
        &self.room[self.base..self.base + self.length]
    }
}

impl AsMut<[u8]> for Aligned {
    fn as_mut(&mut self) -> &mut [u8] {
        &mut self.room[self.base..self.base + self.length]
    }
}
