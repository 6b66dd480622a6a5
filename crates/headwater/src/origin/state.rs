//! What a tracer knows beside its table: with both it can be put away and continued as if it had never stopped.

/// Numbers before those that were learnt.
const FIXED: usize = 5;

/// What a tracer knows beside its table.
#[derive(Clone, Debug, PartialEq)]
pub struct State {
    /// How many documents it has observed.
    pub documents: u32,
    /// The latest time among them.
    pub latest: i64,
    /// Whether one of them was earlier than one that arrived before it.
    pub disordered: bool,
    /// How many entries of its table had to make room for others.
    pub forgotten: u64,
    /// What makes random eviction go on as it would have.
    pub(super) random: u64,
    /// What Headwater's own estimation has learnt; empty for the paper's algorithms.
    pub(super) learnt: Vec<f64>,
}

impl State {
    /// All of it as numbers, to be kept.
    pub fn to_words(&self) -> Vec<u64> {
        let fixed =
            [u64::from(self.documents), self.latest as u64, u64::from(self.disordered), self.forgotten, self.random];
        fixed.into_iter().chain(self.learnt.iter().map(|value| value.to_bits())).collect()
    }

    /// Reads what [`State::to_words`] wrote; `None` for anything else.
    pub fn from_words(words: &[u64]) -> Option<Self> {
        let (fixed, learnt) = words.split_at_checked(FIXED)?;
        Some(State {
            documents: u32::try_from(fixed[0]).ok()?,
            latest: fixed[1] as i64,
            disordered: (fixed[2] <= 1).then_some(fixed[2] == 1)?,
            forgotten: fixed[3],
            random: fixed[4],
            learnt: learnt.iter().map(|&bits| f64::from_bits(bits)).collect(),
        })
    }
}
