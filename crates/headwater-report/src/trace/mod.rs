//! The page of a traced stream: every document with its origins, and who took from whom over time.

use std::io::{self, Write};

use serde::Serialize;

use crate::page::Page;

const PAGE: Page = Page {
    title: "where the text came from",
    style: include_str!("page.css"),
    body: include_str!("page.html"),
    script: include_str!("page.js"),
};

/// All that the page shows.
#[derive(Default, Serialize)]
pub struct TracePage {
    /// The documents in the order of the stream.
    pub documents: Vec<Traced>,
    /// Everything that a passage can come from.
    pub sources: Vec<Source>,
    /// Whether passages say what their origin rests on.
    pub evidence: bool,
    /// Documents of the stream that are not in the page.
    pub documents_left_out: usize,
    /// Documents in the page without their text.
    pub texts_left_out: usize,
    /// Tokens of the whole stream, and how many of them are new.
    pub tokens: u64,
    /// Tokens of the whole stream that no earlier document had.
    pub fresh: u64,
}

/// One document.
#[derive(Serialize)]
pub struct Traced {
    /// Its name.
    pub id: String,
    /// Its time, as it is shown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time: Option<String>,
    /// Its address.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// Its dominant origin in words.
    pub verdict: String,
    /// Whether it has not even one shingle and so was not compared: then nobody can say how much of it is new.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub too_short: bool,
    /// How many tokens it has.
    pub tokens: usize,
    /// How many of them are new.
    pub fresh: usize,
    /// Its text from beginning to end. Nothing where the page would have become too large.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pieces: Option<Vec<Piece>>,
    /// Where its passages come from: a place among the sources, and tokens, the most first.
    pub origins: Vec<(usize, usize)>,
}

/// A part of a text, its source (a place among the sources, or −1 for new text), its tokens and, where it is to be shown, what
/// the source rests on in words.
#[derive(Serialize)]
pub struct Piece(pub String, pub i64, pub usize, #[serde(skip_serializing_if = "Option::is_none")] pub Option<String>);

/// A document that passages come from.
#[derive(Serialize)]
pub struct Source {
    /// Its name.
    pub id: String,
    /// Its time, as it is shown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time: Option<String>,
    /// Its address.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// Its place among the documents, if it is one of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub document: Option<usize>,
}

impl TracePage {
    /// Writes the page.
    pub fn write(&self, out: &mut impl Write) -> io::Result<()> {
        PAGE.write(self, out)
    }
}
