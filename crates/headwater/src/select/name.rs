//! The paper's names for the selection algorithms: "All", "4th", "M4", "NM3", "W8", "NW8", "Hb3", "Dct8", "Hs", "NHs".

use std::error::Error;
use std::fmt;
use std::num::NonZeroU32;
use std::str::FromStr;

use super::Selection;

impl fmt::Display for Selection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lean = if self.lean() { "N" } else { "" };
        match self {
            Selection::All => f.write_str("All"),
            Selection::Every(l) => write!(f, "{l}th"),
            Selection::Modulo { l, .. } => write!(f, "{lean}M{l}"),
            Selection::Winnowing { w, .. } => write!(f, "{lean}W{w}"),
            Selection::HashBreaking(p) => write!(f, "Hb{p}"),
            Selection::Dct(p) => write!(f, "Dct{p}"),
            Selection::Hailstorm { .. } => write!(f, "{lean}Hs"),
        }
    }
}

impl FromStr for Selection {
    type Err = UnknownSelection;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        parse(name).ok_or_else(|| UnknownSelection { name: name.to_owned() })
    }
}

fn parse(name: &str) -> Option<Selection> {
    match name {
        "All" => return Some(Selection::All),
        "Hs" => return Some(Selection::Hailstorm { lean: false }),
        "NHs" => return Some(Selection::NHS),
        _ => {}
    }
    if let Some(number) = name.strip_suffix("th") {
        return Some(Selection::Every(parameter(number)?));
    }
    let (lean, plain) = match name.strip_prefix('N') {
        Some(plain) => (true, plain),
        None => (false, name),
    };
    let split = plain.find(|character: char| character.is_ascii_digit())?;
    let number = parameter(&plain[split..])?;
    match (&plain[..split], lean) {
        ("M", lean) => Some(Selection::Modulo { l: number, lean }),
        ("W", lean) => Some(Selection::Winnowing { w: number, lean }),
        ("Hb", false) => Some(Selection::HashBreaking(number)),
        ("Dct", false) => Some(Selection::Dct(number)),
        _ => None,
    }
}

/// A number as [`Selection`] prints it: no sign, no leading zero.
fn parameter(digits: &str) -> Option<NonZeroU32> {
    let plain = digits.bytes().all(|byte| byte.is_ascii_digit()) && !digits.starts_with('0');
    digits.parse().ok().filter(|_| plain)
}

/// A name that no selection algorithm has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownSelection {
    name: String,
}

impl fmt::Display for UnknownSelection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "unknown selection `{}`; the names are All, <l>th (4th), M<l> or NM<l> (NM3), W<w> or NW<w> (NW8), \
             Hb<p> (Hb3), Dct<p> (Dct8), Hs and NHs, with a number from 1 on",
            self.name
        )
    }
}

impl Error for UnknownSelection {}
