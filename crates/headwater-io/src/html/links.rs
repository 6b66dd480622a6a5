//! Where the links of a page lead, straight from its tokens.

use std::cell::RefCell;

use html5ever::tendril::StrTendril;
use html5ever::tokenizer::{BufferQueue, TagKind, Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts};

/// The targets of the links of `html` as they are written, one a line; fragments of the same page and other schemes left out.
pub(super) fn text(html: &str) -> String {
    let queue = BufferQueue::default();
    for piece in super::visible::pieces(html) {
        queue.push_back(StrTendril::from(piece));
    }
    let tokenizer = Tokenizer::new(Targets::default(), TokenizerOpts::default());
    while !queue.is_empty() {
        let _ = tokenizer.feed(&queue);
    }
    tokenizer.end();
    tokenizer.sink.0.into_inner()
}

#[derive(Default)]
struct Targets(RefCell<String>);

impl TokenSink for Targets {
    type Handle = ();

    fn process_token(&self, token: Token, _line: u64) -> TokenSinkResult<()> {
        if let Token::TagToken(tag) = token
            && tag.kind == TagKind::StartTag
            && matches!(&*tag.name, "a" | "area" | "frame" | "iframe")
        {
            let target = tag.attrs.iter().find(|attribute| matches!(&*attribute.name.local, "href" | "src"));
            let mut targets = self.0.borrow_mut();
            if let Some(target) = target.map(|target| target.value.trim()).filter(|target| leads_on(target)) {
                targets.push_str(target);
                targets.push('\n');
            }
        }
        TokenSinkResult::Continue
    }
}

/// Whether a link leads to another page.
fn leads_on(target: &str) -> bool {
    let before = target.split(['/', '?', '#']).next().unwrap_or_default();
    let scheme = before.split_once(':').map(|(scheme, _)| scheme.to_ascii_lowercase());
    !target.is_empty()
        && !target.starts_with('#')
        && !target.contains(char::is_whitespace)
        && scheme.is_none_or(|scheme| scheme == "http" || scheme == "https")
}

#[cfg(test)]
mod tests {
    #[test]
    fn links_of_a_page() {
        let html = r##"<a href="/one">x</a> <A HREF='two.html#part'>y</a> <a name=here> <a href="#top"> <a href="mailto:a@b.example">
            <iframe src="https://c.example/"></iframe> <a href="javascript:x()"> <img src="no.png"> <a href=" three ">z</a>"##;
        assert_eq!(super::text(html), "/one\ntwo.html#part\nhttps://c.example/\nthree\n");
        assert_eq!(super::text("no links"), "");
    }
}
