//! The page of a relationship graph: the graph drawn, and the shared passages behind its edges.

use std::io::{self, Write};

use serde::Serialize;

use crate::page::Page;

const PAGE: Page = Page {
    title: "documents that share text",
    style: include_str!("page.css"),
    body: include_str!("page.html"),
    script: include_str!("page.js"),
};

/// All that the page shows.
#[derive(Serialize)]
pub struct GraphPage {
    /// Which score the edges have.
    pub score: &'static str,
    /// The least score of an edge.
    pub threshold: f64,
    /// Documents of the collection, those without an edge included.
    pub documents: u32,
    /// Edges that are not in the page.
    pub edges_left_out: usize,
    /// Edges in the page whose passages are not.
    pub passages_left_out: usize,
    /// The documents that have an edge.
    pub nodes: Vec<Node>,
    /// The edges, strongest first.
    pub edges: Vec<Edge>,
    /// What two documents share, on either side; edges name them by their place.
    pub passages: Vec<Vec<[String; 2]>>,
}

/// A document.
#[derive(Serialize)]
pub struct Node {
    /// Its name.
    pub id: String,
    /// Its time, as it is shown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time: Option<String>,
    /// Its address.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// Which cluster it belongs to.
    pub cluster: usize,
}

/// Both ends, the score, the chunks, and the place of the passages, or −1: as short as it can be, a page has many.
#[derive(Serialize)]
pub struct Edge(pub usize, pub usize, pub f64, pub u32, pub i64);

impl GraphPage {
    /// Writes the page.
    pub fn write(&self, out: &mut impl Write) -> io::Result<()> {
        PAGE.write(self, out)
    }
}
