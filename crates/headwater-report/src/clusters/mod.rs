//! The page of near-duplicates: clusters by size, and two members of a cluster side by side with their differences marked.

use std::io::{self, Write};

use serde::Serialize;

use crate::page::Page;

const PAGE: Page = Page {
    title: "near-duplicates",
    style: include_str!("page.css"),
    body: include_str!("page.html"),
    script: include_str!("page.js"),
};

/// All that the page shows.
#[derive(Serialize)]
pub struct ClustersPage {
    /// How they were found.
    pub method: String,
    /// The least likeness that counts.
    pub threshold: f64,
    /// Documents of the collection.
    pub documents: u32,
    /// Clusters that are not in the page.
    pub clusters_left_out: usize,
    /// Documents in the page whose texts are not.
    pub texts_left_out: usize,
    /// The largest first; members in time order.
    pub clusters: Vec<Vec<Member>>,
}

/// A document of a cluster.
#[derive(Serialize)]
pub struct Member {
    /// Its name.
    pub id: String,
    /// How many tokens it has.
    pub tokens: u32,
    /// Its text, or the beginning of it; none where the page would become too large.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// Whether it stands for the cluster.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub represents: bool,
}

impl ClustersPage {
    /// Writes the page.
    pub fn write(&self, out: &mut impl Write) -> io::Result<()> {
        PAGE.write(self, out)
    }
}
