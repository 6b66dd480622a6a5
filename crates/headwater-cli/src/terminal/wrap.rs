//! Breaks painted text into lines that fit a terminal.

use unicode_width::UnicodeWidthChar;

/// Collects text of which some parts take no room (colours), and breaks it at spaces, or between the characters of
/// scripts that have none.
pub(crate) struct Wrap {
    width: usize,
    indent: &'static str,
    out: String,
    /// Columns that are used in the current line.
    column: usize,
    /// The word that is not placed yet, and its columns.
    word: String,
    word_width: usize,
    /// Whether a space stands between the line so far and the word.
    space: bool,
}

impl Wrap {
    pub(crate) fn new(width: usize, indent: &'static str) -> Self {
        Wrap {
            width: width.max(20),
            indent,
            out: indent.into(),
            column: 0,
            word: String::new(),
            word_width: 0,
            space: false,
        }
    }

    /// Adds text that is to be seen. Control characters are shown as blanks: a document must not steer the terminal.
    pub(crate) fn text(&mut self, text: &str) {
        for character in text.chars() {
            match character {
                '\n' => self.end_line(),
                ' ' | '\t' => self.end_word(true),
                _ if character.is_control() => self.end_word(true),
                _ => {
                    let width = character.width().unwrap_or(0);
                    // Wide characters are those of scripts that break anywhere.
                    if width > 1 {
                        self.end_word(false);
                    }
                    self.word.push(character);
                    self.word_width += width;
                    if width > 1 {
                        self.end_word(false);
                    }
                }
            }
        }
    }

    /// Adds something that takes no room on the screen.
    pub(crate) fn invisible(&mut self, code: &str) {
        self.word.push_str(code);
    }

    pub(crate) fn finish(mut self) -> String {
        self.end_word(false);
        while self.out.ends_with([' ', '\n']) {
            self.out.pop();
        }
        self.out.push('\n');
        self.out
    }

    fn end_word(&mut self, space: bool) {
        let gap = usize::from(self.space && self.column > 0);
        if self.word_width > 0 {
            if self.column > 0 && self.column + gap + self.word_width > self.width {
                self.new_line();
            } else if gap == 1 {
                self.out.push(' ');
                self.column += 1;
            }
            self.space = false;
        }
        self.out.push_str(&self.word);
        self.column += self.word_width;
        self.word.clear();
        self.word_width = 0;
        self.space |= space;
    }

    fn end_line(&mut self) {
        self.end_word(false);
        self.new_line();
        self.space = false;
    }

    fn new_line(&mut self) {
        self.out.truncate(self.out.trim_end_matches(' ').len());
        self.out.push('\n');
        self.out.push_str(self.indent);
        self.column = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wrapped(width: usize, text: &str) -> String {
        let mut wrap = Wrap::new(width, "| ");
        wrap.text(text);
        wrap.finish()
    }

    #[test]
    fn lines_break_at_spaces() {
        assert_eq!(wrapped(20, "the quick brown fox jumps over"), "| the quick brown fox\n| jumps over\n");
        assert_eq!(wrapped(20, "one\n\ntwo  three"), "| one\n|\n| two three\n");
        assert_eq!(
            wrapped(20, "anextraordinarilylongwordthatfitsnowhere x"),
            "| anextraordinarilylongwordthatfitsnowhere\n| x\n"
        );
    }

    #[test]
    fn wide_characters_break_anywhere_and_controls_steer_nothing() {
        assert_eq!(wrapped(20, "水は流れる水は流れる水は流れる"), "| 水は流れる水は流れる\n| 水は流れる\n");
        assert_eq!(wrapped(20, "a\u{1b}[31mb"), "| a [31mb\n");
    }

    #[test]
    fn colours_take_no_room() {
        let mut wrap = Wrap::new(20, "");
        wrap.text("the quick ");
        wrap.invisible("\x1b[31m");
        wrap.text("brown fox");
        wrap.invisible("\x1b[0m");
        wrap.text(" jumps");
        assert_eq!(wrap.finish(), "the quick \x1b[31mbrown fox\x1b[0m\njumps\n");
    }
}
