//! Two texts side by side, each in its own column, with passages painted.

use anstyle::Style;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// A part of a text in one style.
pub(crate) struct Part<'a> {
    pub(crate) text: &'a str,
    pub(crate) style: Style,
}

const GUTTER: &str = " │ ";

/// The lines of two columns of `width` each.
pub(crate) fn columns(left: &[Part<'_>], right: &[Part<'_>], width: usize) -> Vec<String> {
    let (left, right) = (fold(left, width), fold(right, width));
    let blank = " ".repeat(width);
    (0..left.len().max(right.len()))
        .map(|row| {
            let left = left.get(row).map_or_else(|| blank.clone(), |line| line.padded(width));
            let right = right.get(row).map(|line| line.painted.as_str()).unwrap_or_default();
            format!("{left}{GUTTER}{right}").trim_end().to_owned()
        })
        .collect()
}

#[derive(Default)]
struct Line {
    painted: String,
    width: usize,
}

impl Line {
    fn padded(&self, width: usize) -> String {
        format!("{}{}", self.painted, " ".repeat(width.saturating_sub(self.width)))
    }

    fn push(&mut self, text: &str, style: Style) {
        self.painted += &format!("{style}{text}{style:#}");
        self.width += text.width();
    }
}

/// Breaks at spaces where it can; an empty line stays one, other line breaks and control characters are spaces.
fn fold(parts: &[Part<'_>], width: usize) -> Vec<Line> {
    let mut lines = vec![Line::default()];
    let mut space = false;
    for part in parts {
        for (paragraph, text) in part.text.split("\n\n").enumerate() {
            if paragraph > 0 {
                lines.extend([Line::default(), Line::default()]);
                space = false;
            }
            space |= text.starts_with(is_space);
            for word in text.split(is_space).filter(|word| !word.is_empty()) {
                place(&mut lines, word, part.style, space, width);
                space = true;
            }
            space = text.ends_with(is_space) || (space && text.trim().is_empty());
        }
    }
    if lines.last().is_some_and(|line| line.painted.is_empty()) {
        lines.pop();
    }
    lines
}

fn is_space(character: char) -> bool {
    character.is_whitespace() || character.is_control()
}

fn place(lines: &mut Vec<Line>, word: &str, style: Style, space: bool, width: usize) {
    let line = lines.last().map_or(0, |line| line.width);
    let gap = usize::from(space && line > 0);
    if line > 0 && line + gap + word.width() > width {
        lines.push(Line::default());
    } else if gap > 0
        && let Some(line) = lines.last_mut()
    {
        line.push(" ", style);
    }
    // A word that is wider than the column is broken: scripts without spaces are such words.
    let mut rest = word;
    while !rest.is_empty() {
        let used = lines.last().map_or(0, |line| line.width);
        let mut room = width.saturating_sub(used);
        let fits = rest
            .char_indices()
            .find(|(_, character)| match room.checked_sub(character.width().unwrap_or(0)) {
                Some(left) => {
                    room = left;
                    false
                }
                None => true,
            })
            .map_or(rest.len(), |(at, _)| at);
        // One character is placed even where it is wider than the column, or this would never end.
        let cut = if fits == 0 && used == 0 { rest.chars().next().map_or(0, char::len_utf8) } else { fits };
        if cut > 0
            && let Some(line) = lines.last_mut()
        {
            line.push(&rest[..cut], style);
        }
        rest = &rest[cut..];
        if !rest.is_empty() {
            lines.push(Line::default());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(left: &str, right: &str, width: usize) -> Vec<String> {
        let part = |text| [Part { text, style: Style::new() }];
        columns(&part(left), &part(right), width)
    }

    #[test]
    fn two_texts_stand_side_by_side() {
        assert_eq!(lines("one two three", "four", 8), ["one two  │ four", "three    │"]);
        assert_eq!(lines("", "a", 3), ["    │ a"]);
        assert_eq!(lines("a\n\nb", "c\nd", 4), ["a    │ c d", "     │", "b    │"]);
        assert_eq!(lines("水路は長い", "x", 4), ["水路 │ x", "は長 │", "い   │"]);
        assert_eq!(lines("水", "", 1), ["水 │"]);
    }

    #[test]
    fn lines_are_no_wider_than_asked_and_nothing_is_lost() {
        for text in ["", "one two three four five", "incomprehensibilities", "水路は長い 川へ", "a  b\n\nc"] {
            for width in [2, 5, 11] {
                let lines = fold(&[Part { text, style: Style::new() }], width);
                assert!(lines.iter().all(|line| line.width <= width && line.width == line.painted.width()));
                let letters = |text: &str| text.split_whitespace().collect::<String>();
                assert_eq!(letters(&lines.iter().map(|line| line.painted.as_str()).collect::<String>()), letters(text));
            }
        }
    }

    #[test]
    fn parts_that_touch_stay_together() {
        let parts = [Part { text: "(", style: Style::new() }, Part { text: "one", style: Style::new() }];
        assert_eq!(columns(&parts, &[], 8), ["(one     │"]);
    }
}
