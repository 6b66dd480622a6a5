//! Breaks painted text into lines that fit a terminal.

use anstyle::Style;
use unicode_width::UnicodeWidthChar;

/// Collects text in styles, which take no room, and breaks it at spaces, or between the characters of scripts that have none.
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
    /// The style in which the word begins, and the one in which it ends.
    style: Style,
    next_style: Style,
    /// Whether the style is put aside until a word comes: else the margin would be underlined too.
    is_aside: bool,
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
            style: Style::new(),
            next_style: Style::new(),
            is_aside: false,
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

    /// What is added from here on has this style.
    pub(crate) fn begin(&mut self, style: Style) {
        self.word += &style.render().to_string();
        self.next_style = style;
    }

    /// What is added from here on has no style.
    pub(crate) fn end(&mut self) {
        let style = std::mem::take(&mut self.next_style);
        self.word += &style.render_reset().to_string();
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
        if self.is_aside && !self.word.is_empty() {
            self.out += &self.style.render().to_string();
            self.is_aside = false;
        }
        self.out.push_str(&self.word);
        self.style = self.next_style;
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
        if !self.is_aside {
            self.out += &self.style.render_reset().to_string();
            self.is_aside = true;
        }
        self.out.push('\n');
        self.out.push_str(self.indent);
        self.column = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use anstyle::AnsiColor;

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
    fn the_margin_has_no_style() {
        let mut wrap = Wrap::new(20, "| ");
        wrap.begin(Style::new().underline());
        wrap.text("the quick brown fox jumps\n\nover");
        wrap.end();
        wrap.text(" the dog");
        assert_eq!(
            wrap.finish(),
            "| \x1b[4mthe quick brown fox\x1b[0m\n| \x1b[4mjumps\x1b[0m\n|\n| \x1b[4mover\x1b[0m the dog\n"
        );
    }

    #[test]
    fn colours_take_no_room() {
        let mut wrap = Wrap::new(20, "");
        wrap.text("the quick ");
        wrap.begin(AnsiColor::Red.on_default());
        wrap.text("brown fox");
        wrap.end();
        wrap.text(" jumps");
        assert_eq!(wrap.finish(), "the quick \x1b[31mbrown fox\x1b[0m\njumps\n");
    }
}
