//! The first bytes of a table's file: what it is, how it was made, how far it has come.

use headwater::origin::{Algorithm, Paper, Settings, State};
use headwater::select::Selection;
use headwater::text::Reading;
use serde::{Deserialize, Serialize};

use super::blocks::checksum;
use super::error::{Fault, Part};

/// Bytes before the table itself: a whole number of pages, so that the table can be mapped.
pub(super) const HEADER: usize = 1 << 14;

pub(super) const MAGIC: [u8; 8] = *b"HEADWATR";

/// The version that is written, and the only one that there is so far.
pub(super) const VERSION: u32 = 1;

/// Where the parts of the header stand: magic, version, length of the description, checksum of all the others, description.
const DESCRIBED: usize = 24;

/// How a table was made and how far it has come.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Header {
    pub(super) settings: Made,
    /// Bytes of the table itself, without header and checksums.
    pub(super) bytes: u64,
    /// Bytes that one checksum covers.
    pub(super) block: u64,
    /// What the tracer knows beside its table, as the library writes it.
    pub(super) state: Vec<u64>,
    /// The first document of the newest run.
    pub(super) run: u32,
    /// Whether that run came to its end.
    pub(super) complete: bool,
}

/// Settings by their names, so that a file says what it is to whoever looks into it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Made {
    k: usize,
    memory: usize,
    tokens: String,
    algorithm: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    paper: Option<ByThePaper>,
    seed: u64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct ByThePaper {
    select: String,
    evict: String,
    estimate: String,
    bridge: u32,
    bucket: usize,
    /// Which fingerprints DCT gave its segments; nothing where it did not select.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    dct: Option<u32>,
}

/// The fingerprints of DCT that are made now. The first kind, of which tables say nothing, rounded otherwise and is no longer made:
/// what was stored under it would never be found again.
const DCT: u32 = 2;

impl Header {
    pub(super) fn new(
        settings: &Settings,
        state: &State,
        bytes: usize,
        block: usize,
        run: u32,
        complete: bool,
    ) -> Self {
        let settings = Made::from(settings);
        Header { settings, bytes: bytes as u64, block: block as u64, state: state.to_words(), run, complete }
    }

    /// The bytes of a file that stand before the table.
    pub(super) fn encode(&self) -> Result<Vec<u8>, Fault> {
        let description = serde_json::to_vec(self).map_err(|error| Fault::Header(error.to_string()))?;
        let mut bytes = vec![0; HEADER];
        bytes[..8].copy_from_slice(&MAGIC);
        bytes[8..12].copy_from_slice(&VERSION.to_le_bytes());
        bytes[12..16].copy_from_slice(&(description.len() as u32).to_le_bytes());
        let room = bytes[DESCRIBED..].get_mut(..description.len());
        room.ok_or_else(|| Fault::Header("its description is too long".into()))?.copy_from_slice(&description);
        let sum = sum(&bytes);
        bytes[16..DESCRIBED].copy_from_slice(&sum.to_le_bytes());
        Ok(bytes)
    }

    /// Reads what [`Header::encode`] wrote, and says what is wrong with anything else.
    pub(super) fn decode(bytes: &[u8]) -> Result<Self, Fault> {
        let number =
            |at: usize| bytes.get(at..at + 4).map(|four| u32::from_le_bytes([four[0], four[1], four[2], four[3]]));
        if bytes.get(..8) != Some(&MAGIC) {
            return Err(Fault::Foreign);
        }
        match number(8) {
            Some(VERSION) => {}
            Some(other) => return Err(Fault::Version(other)),
            None => return Err(Fault::Truncated { found: bytes.len() as u64, expected: HEADER as u64 }),
        }
        if bytes.len() < HEADER {
            return Err(Fault::Truncated { found: bytes.len() as u64, expected: HEADER as u64 });
        }
        let bytes = &bytes[..HEADER];
        let damaged = || Fault::Damaged { part: Part::Header, offset: 0 };
        if bytes[16..DESCRIBED] != sum(bytes).to_le_bytes() {
            return Err(damaged());
        }
        let length = number(12).ok_or_else(damaged)? as usize;
        let description = bytes[DESCRIBED..].get(..length).ok_or_else(damaged)?;
        serde_json::from_slice(description).map_err(|error| Fault::Header(error.to_string()))
    }

    /// The settings and what the tracer knew.
    pub(super) fn tracer(&self) -> Result<(Settings, State), Fault> {
        let settings = self.settings.settings().map_err(Fault::Header)?;
        let state =
            State::from_words(&self.state).ok_or_else(|| Fault::Header("its state is not one of ours".into()))?;
        Ok((settings, state))
    }
}

fn sum(header: &[u8]) -> u64 {
    checksum(&[&header[..16], &header[DESCRIBED..]].concat())
}

impl From<&Settings> for Made {
    fn from(settings: &Settings) -> Self {
        let (algorithm, paper) = match settings.algorithm {
            Algorithm::Headwater => ("headwater", None),
            Algorithm::Paper(Paper { select, evict, estimate, bridge, bucket }) => (
                "paper",
                Some(ByThePaper {
                    select: select.to_string(),
                    evict: evict.to_string(),
                    estimate: estimate.to_string(),
                    bridge,
                    bucket,
                    dct: kind_of_dct(select),
                }),
            ),
        };
        Made {
            k: settings.k,
            memory: settings.memory,
            tokens: settings.reading.to_string(),
            algorithm: algorithm.to_owned(),
            paper,
            seed: settings.seed,
        }
    }
}

impl Made {
    fn settings(&self) -> Result<Settings, String> {
        let algorithm = match (self.algorithm.as_str(), &self.paper) {
            ("headwater", None) => Algorithm::Headwater,
            ("paper", Some(paper)) => Algorithm::Paper(paper.settings()?),
            (other, _) => return Err(format!("it was made by an algorithm '{other}' that is not known here")),
        };
        let reading = self.tokens.parse::<Reading>().map_err(|error| error.to_string())?;
        let settings = Settings { k: self.k, memory: self.memory, reading, algorithm, seed: self.seed };
        settings.check().map_err(|error| error.to_string())?;
        Ok(settings)
    }
}

impl ByThePaper {
    fn settings(&self) -> Result<Paper, String> {
        let select = self.select.parse().map_err(|error| format!("{error}"))?;
        if self.dct != kind_of_dct(select) {
            return Err(format!(
                "it holds fingerprints of {select} that another version made, and this one makes others; make it again"
            ));
        }
        Ok(Paper {
            select,
            evict: self.evict.parse().map_err(|error| format!("{error}"))?,
            estimate: self.estimate.parse().map_err(|error| format!("{error}"))?,
            bridge: self.bridge,
            bucket: self.bucket,
        })
    }
}

fn kind_of_dct(select: Selection) -> Option<u32> {
    matches!(select, Selection::Dct { .. }).then_some(DCT)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header() -> Header {
        let paper = Settings { k: 5, algorithm: Algorithm::Paper(Paper::default()), ..Settings::default() };
        let state = headwater::origin::Tracer::new(Settings { memory: 1 << 20, ..paper }).unwrap().state();
        Header::new(&paper, &state, 123 << 16, 1 << 14, 7, false)
    }

    #[test]
    fn headers_come_back_as_they_were_written() {
        let bytes = header().encode().unwrap();
        assert_eq!(bytes.len(), HEADER);
        assert_eq!(Header::decode(&bytes).unwrap(), header());
        let (settings, state) = header().tracer().unwrap();
        assert_eq!((settings.k, state.documents), (5, 0));
    }

    #[test]
    fn dct_fingerprints_of_another_kind_are_refused() {
        let made = |select: &str| {
            let paper = Paper { select: select.parse().unwrap(), ..Paper::default() };
            Made::from(&Settings { algorithm: Algorithm::Paper(paper), ..Settings::default() })
        };
        let dct = made("Dct8");
        assert!(dct.settings().is_ok());
        let without = Some(ByThePaper { dct: None, ..dct.paper.clone().unwrap() });
        let error = Made { paper: without, ..dct }.settings().unwrap_err();
        assert!(error.contains("Dct8") && error.contains("make it again"), "{error}");
        assert!(!serde_json::to_string(&made("Hb3")).unwrap().contains("dct"));
    }

    #[test]
    fn every_flipped_bit_is_noticed() {
        let bytes = header().encode().unwrap();
        for at in (0..600).chain(HEADER - 3..HEADER) {
            for bit in 0..8 {
                let mut broken = bytes.clone();
                broken[at] ^= 1 << bit;
                assert!(Header::decode(&broken).is_err(), "bit {bit} of byte {at}");
            }
        }
    }

    #[test]
    fn what_is_no_header_is_told_apart() {
        let bytes = header().encode().unwrap();
        assert!(matches!(Header::decode(b"{\"id\": 1}"), Err(Fault::Foreign)));
        assert!(matches!(Header::decode(b""), Err(Fault::Foreign)));
        assert!(matches!(Header::decode(&bytes[..100]), Err(Fault::Truncated { .. })));
        let mut newer = bytes;
        newer[8] = 9;
        assert!(matches!(Header::decode(&newer), Err(Fault::Version(9))));
    }
}
