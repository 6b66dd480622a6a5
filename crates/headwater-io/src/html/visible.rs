//! All visible text of a page, straight from its tokens: linear in its length and without a tree, whatever the page nests.

use std::cell::RefCell;

use html5ever::tendril::StrTendril;
use html5ever::tokenizer::states::RawKind;
use html5ever::tokenizer::{BufferQueue, Tag, TagKind, Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts};

/// The text of `html` without what a browser would not show. Blocks stand on lines of their own; other white space is one space.
pub(super) fn text(html: &str) -> String {
    let queue = BufferQueue::default();
    // Tendrils count in 32 bits and copy on reading a part of a long one; pieces keep both harmless.
    for piece in pieces(html) {
        queue.push_back(StrTendril::from(piece));
    }
    let tokenizer = Tokenizer::new(Visible(RefCell::new(Page::default())), TokenizerOpts::default());
    while !queue.is_empty() {
        let _ = tokenizer.feed(&queue);
    }
    tokenizer.end();
    tokenizer.sink.0.into_inner().text
}

/// Cuts at character boundaries.
pub(super) fn pieces(html: &str) -> impl Iterator<Item = &str> {
    const PIECE: usize = 4096;
    let mut rest = html;
    std::iter::from_fn(move || {
        let (piece, after) = rest.split_at(rest.floor_char_boundary(PIECE));
        rest = after;
        (!piece.is_empty()).then_some(piece)
    })
}

struct Visible(RefCell<Page>);

#[derive(Default)]
struct Page {
    text: String,
    /// What must stand before the next word.
    gap: Gap,
    /// The element whose content is not shown, and how often it is open.
    hidden: Option<(String, usize)>,
    /// How often `pre` is open.
    pre: usize,
}

#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
enum Gap {
    #[default]
    None,
    Space,
    Line,
}

impl TokenSink for Visible {
    type Handle = ();

    fn process_token(&self, token: Token, _line: u64) -> TokenSinkResult<()> {
        let mut page = self.0.borrow_mut();
        match token {
            Token::CharacterTokens(characters) => page.characters(&characters),
            Token::NullCharacterToken => page.characters("\0"),
            Token::TagToken(tag) => return page.tag(&tag),
            _ => {}
        }
        TokenSinkResult::Continue
    }
}

impl Page {
    fn characters(&mut self, characters: &str) {
        if self.hidden.is_some() {
            return;
        }
        if self.pre > 0 {
            self.close_gap();
            self.text.push_str(characters);
            return;
        }
        let is_space = |c: char| matches!(c, ' ' | '\t' | '\n' | '\r' | '\x0c');
        let mut rest = characters;
        while !rest.is_empty() {
            let word = rest.trim_start_matches(is_space);
            if word.len() < rest.len() {
                self.gap = self.gap.max(Gap::Space);
            }
            let end = word.find(is_space).unwrap_or(word.len());
            if end > 0 {
                self.close_gap();
                self.text.push_str(&word[..end]);
            }
            rest = &word[end..];
        }
    }

    fn close_gap(&mut self) {
        if !self.text.is_empty() {
            match self.gap {
                Gap::None => {}
                Gap::Space => self.text.push(' '),
                Gap::Line => self.text.push('\n'),
            }
        }
        self.gap = Gap::None;
    }

    fn tag(&mut self, tag: &Tag) -> TokenSinkResult<()> {
        let name: &str = &tag.name;
        let is_start = tag.kind == TagKind::StartTag;
        self.gap = self.gap.max(gap_of(name));
        if let Some((hiding, depth)) = &mut self.hidden {
            if hiding == name {
                *depth = if is_start { *depth + usize::from(!tag.self_closing) } else { *depth - 1 };
            }
            if *depth == 0 {
                self.hidden = None;
            }
        }
        if name == "pre" {
            self.pre = if is_start { self.pre + 1 } else { self.pre.saturating_sub(1) };
        }
        // Of `<script/>` a browser would hide all that follows; pages written as XML mean it to be empty.
        if !is_start || tag.self_closing {
            return TokenSinkResult::Continue;
        }
        if self.hidden.is_none() && is_hidden(name) {
            self.hidden = Some((name.to_owned(), 1));
        }
        match name {
            "script" => TokenSinkResult::RawData(RawKind::ScriptData),
            "style" | "noscript" | "iframe" | "noembed" | "noframes" | "xmp" => {
                TokenSinkResult::RawData(RawKind::Rawtext)
            }
            "title" | "textarea" => TokenSinkResult::RawData(RawKind::Rcdata),
            "plaintext" => TokenSinkResult::Plaintext,
            _ => TokenSinkResult::Continue,
        }
    }
}

fn is_hidden(name: &str) -> bool {
    matches!(name, "script" | "style" | "noscript" | "iframe" | "noembed" | "noframes" | "template" | "title" | "svg")
}

/// What separates the words before and after a tag.
fn gap_of(name: &str) -> Gap {
    match name {
        "td" | "th" | "option" | "button" | "input" | "select" | "textarea" | "img" | "object" | "video" | "audio"
        | "rt" | "rp" => Gap::Space,
        "address" | "article" | "aside" | "blockquote" | "body" | "br" | "caption" | "center" | "dd" | "details"
        | "dialog" | "dir" | "div" | "dl" | "dt" | "fieldset" | "figcaption" | "figure" | "footer" | "form"
        | "frameset" | "h1" | "h2" | "h3" | "h4" | "h5" | "h6" | "head" | "header" | "hgroup" | "hr" | "html"
        | "iframe" | "legend" | "li" | "main" | "menu" | "nav" | "ol" | "optgroup" | "p" | "plaintext" | "pre"
        | "section" | "summary" | "table" | "tbody" | "tfoot" | "thead" | "title" | "tr" | "ul" | "xmp" => Gap::Line,
        _ => Gap::None,
    }
}

#[cfg(test)]
mod tests {
    use super::text;

    #[test]
    fn words_are_separated_where_a_reader_sees_them_apart() {
        let check = |html: &str, expected: &str| assert_eq!(text(html), expected, "{html}");
        check("<p>one</p><p>two</p>", "one\ntwo");
        check("<div>one<div>two</div>three</div>", "one\ntwo\nthree");
        check("<b>o</b>ne <i>two</i>", "one two");
        check("one<br>two", "one\ntwo");
        check("<table><tr><td>one<td>two<tr><td>three</table>", "one two\nthree");
        check("<ul><li>one<li>two</ul>", "one\ntwo");
        check("  one \n\n two  ", "one two");
        check("<pre>one\n  two</pre>three", "one\n  two\nthree");
        check("one<script>var a = '<p>x</p>';</script>two", "onetwo");
        check("<style>p { color: red }</style>one", "one");
        check("<head><title>not in the page</title></head>one", "one");
        check("<script src='x'/>one", "one");
        check("<template>a<template>b</template>c</template>one", "one");
        check("caf&eacute; &amp; &#x4e2d;&lt;p&gt;", "café & 中<p>");
        check("<!-- one -->two<!-- unclosed", "two");
        check("one<p", "one");
        check("a < b", "a < b");
        check("</svg>one", "one");
        check("", "");
    }

    #[test]
    fn a_page_that_nests_without_end_takes_linear_time() {
        let html = "<div><span>x</div>".repeat(200_000);
        assert_eq!(text(&html).len(), 2 * 200_000 - 1);
    }
}
