//! The article of a page, as a browser's reader view would find it.

use dom_query::Document;
use dom_smoothie::{Config, Readability};
use html5ever::driver::{ParseOpts, parse_document};
use html5ever::tendril::{StrTendril, TendrilSink};
use html5ever::tree_builder::TreeBuilderOpts;

use super::visible::pieces;

/// Elements deeper than this are no article, and each tag of such a page costs the parser time in proportion to its depth.
const DEEPEST: usize = 400;

/// Nodes for each byte of the page: unclosed formatting elements are opened again in every paragraph, a small page can grow without bound.
const NODES_PER_BYTE: usize = 1;

/// Elements above which scoring paragraphs takes longer than a page is worth.
const MOST_ELEMENTS: usize = 100_000;

/// The markup of the article, if the page has one and is no trap.
pub(super) fn html(html: &str) -> Option<StrTendril> {
    let config = Config { max_elements_to_parse: MOST_ELEMENTS, disable_json_ld: true, ..Config::default() };
    let mut readability = Readability::with_document(document(html)?, None, Some(config)).ok()?;
    Some(readability.parse().ok()?.content)
}

/// The page as a tree, unless it grows deeper or larger than a page that somebody wrote.
fn document(html: &str) -> Option<Document> {
    let options = ParseOpts {
        tree_builder: TreeBuilderOpts { scripting_enabled: false, ..TreeBuilderOpts::default() },
        ..ParseOpts::default()
    };
    let mut parser = parse_document(Document::default(), options);
    let mut fed = 0;
    for piece in pieces(html) {
        parser.process(StrTendril::from(piece));
        fed += piece.len();
        let document = &parser.tokenizer.sink.sink;
        document.errors.borrow_mut().clear();
        if document.tree.len() > 4096 + fed * NODES_PER_BYTE || !is_shallow(document) {
            return None;
        }
    }
    Some(parser.finish())
}

/// Whether the branch that grew last ends above the limit.
fn is_shallow(document: &Document) -> bool {
    let mut node = document.tree.root();
    for _ in 0..DEEPEST {
        match node.last_child() {
            Some(child) => node = child,
            None => return true,
        }
    }
    false
}
