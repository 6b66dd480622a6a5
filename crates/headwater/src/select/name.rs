//! The paper's names for the selection algorithms: "All", "4th", "M4", "NM3", "W8", "NW8", "Hb3", "Dct8", "Hs", "NHs"; and ours for a second
//! reading of two of them: "JHb3", "JDct8".

use std::error::Error;
use std::fmt;
use std::num::NonZeroU32;
use std::str::FromStr;

use super::Selection;

impl fmt::Display for Selection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lean = if self.lean() { "N" } else { "" };
        let join = |joined: &bool| if *joined { "J" } else { "" };
        match self {
            Selection::All => f.write_str("All"),
            Selection::Every(l) => write!(f, "{l}th"),
            Selection::Modulo { l, .. } => write!(f, "{lean}M{l}"),
            Selection::Winnowing { w, .. } => write!(f, "{lean}W{w}"),
            Selection::HashBreaking { p, joined } => write!(f, "{}Hb{p}", join(joined)),
            Selection::Dct { p, joined } => write!(f, "{}Dct{p}", join(joined)),
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
    let digits = name.find(|character: char| character.is_ascii_digit())?;
    let (kind, number) = name.split_at(digits);
    let number = parameter(number)?;
    Some(match kind {
        "M" => Selection::Modulo { l: number, lean: false },
        "NM" => Selection::Modulo { l: number, lean: true },
        "W" => Selection::Winnowing { w: number, lean: false },
        "NW" => Selection::Winnowing { w: number, lean: true },
        "Hb" => Selection::HashBreaking { p: number, joined: false },
        "JHb" => Selection::HashBreaking { p: number, joined: true },
        "Dct" => Selection::Dct { p: number, joined: false },
        "JDct" => Selection::Dct { p: number, joined: true },
        _ => return None,
    })
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
             Hb<p> or JHb<p> (Hb3), Dct<p> or JDct<p> (Dct8), Hs and NHs, with a number from 1 on",
            self.name
        )
    }
}

impl Error for UnknownSelection {}
