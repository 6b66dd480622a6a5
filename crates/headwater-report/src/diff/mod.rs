//! The page of two documents side by side: what they share in the same colour, wherever it stands.

use std::io::{self, Write};

use serde::Serialize;

use crate::page::Page;

const PAGE: Page = Page {
    title: "two documents side by side",
    style: include_str!("page.css"),
    body: include_str!("page.html"),
    script: include_str!("page.js"),
};

/// All that the page shows.
#[derive(Serialize)]
pub struct DiffPage {
    /// The two documents.
    pub sides: [Side; 2],
    /// The passages that both have, in the order of the first.
    pub passages: Vec<Passage>,
}

/// One of the two documents.
#[derive(Serialize)]
pub struct Side {
    /// Its name.
    pub id: String,
    /// Its time, as it is shown.
    pub time: Option<String>,
    /// Its address.
    pub url: Option<String>,
    /// How many tokens it has.
    pub tokens: usize,
    /// How many of them the other document has too.
    pub shared: usize,
    /// Its text from beginning to end: each part with the passage it belongs to, or −1.
    pub pieces: Vec<(String, i64)>,
}

/// A passage that both have.
#[derive(Serialize)]
pub struct Passage {
    /// How long it is.
    pub tokens: usize,
    /// Whether it stands in another order.
    pub moved: bool,
}

impl DiffPage {
    /// Writes the page.
    pub fn write(&self, out: &mut impl Write) -> io::Result<()> {
        PAGE.write(self, out)
    }
}
