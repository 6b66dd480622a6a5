//! The page of `headwater eval census`: how far each method is off, where, and what each bias does.

use std::io::{self, Write};

use serde::Serialize;

use crate::page::Page;

const PAGE: Page = Page {
    title: "how good a census is",
    style: include_str!("page.css"),
    body: include_str!("page.html"),
    script: include_str!("page.js"),
};

/// All that the page shows.
#[derive(Serialize)]
pub struct CensusPage {
    /// Different documents of the collection that was split.
    pub documents: u64,
    /// Documents that were drawn from each part.
    pub samples: u32,
    /// How often an interval should hold the truth.
    pub confidence: f64,
    /// Each method over all splits.
    pub overall: Vec<Overall>,
    /// Each method on each kind of split.
    pub cells: Vec<Cell>,
    /// What the arithmetic of drawing allows, on each kind of split.
    pub allowed: Vec<Allowed>,
    /// The error that is aimed at; of ratios of shares, where the arithmetic allows it.
    pub goal: f64,
    /// What each bias does.
    pub biases: Vec<Bias>,
}

/// How good a method is.
#[derive(Serialize)]
pub struct Figures {
    /// How many splits there were.
    pub splits: u32,
    /// For how many of them it gave a size.
    pub answered: u32,
    /// The median error of the size, as a share of it.
    pub error: Option<f64>,
    /// The median error of the shares.
    pub share_error: Option<f64>,
    /// How often the interval held the truth; none where the method has none.
    pub held: Option<f64>,
}

/// A method over all splits.
#[derive(Serialize)]
pub struct Overall {
    /// Its name.
    pub method: &'static str,
    /// How good it is.
    #[serde(flatten)]
    pub figures: Figures,
    /// Its median error on those splits where the arithmetic of drawing allows the goal.
    pub error_where_allowed: Option<f64>,
}

/// A method on one kind of split.
#[derive(Serialize)]
pub struct Cell {
    /// Its name.
    pub method: &'static str,
    /// How many times the smaller part the larger one is.
    pub size: u32,
    /// The percentage of the smaller part that the larger has.
    pub overlap: u32,
    /// How good it is.
    #[serde(flatten)]
    pub figures: Figures,
}

/// By how much the ratio of two shares is off, at the median, where documents are drawn uniformly and each by itself.
#[derive(Serialize)]
pub struct Allowed {
    /// How many times the smaller part the larger one is.
    pub size: u32,
    /// The percentage of the smaller part that the larger has.
    pub overlap: u32,
    /// As a share of the ratio; none where nothing is shared.
    pub error: Option<f64>,
}

/// What a bias does to the size, beside the truth.
#[derive(Serialize)]
pub struct Bias {
    /// Its name, as the slides have it.
    pub name: &'static str,
    /// How it was simulated.
    pub what: &'static str,
    /// The true size.
    pub truth: f64,
    /// What uniform draws say, which no bias touches.
    pub uniform: Option<f64>,
    /// What random queries say.
    pub queries: Option<f64>,
    /// The same, corrected.
    pub corrected: Option<f64>,
    /// The share of the first engine that the second truly has.
    pub shared: f64,
    /// What random queries say of it.
    pub queries_shared: Option<f64>,
    /// The same, corrected.
    pub corrected_shared: Option<f64>,
}

impl CensusPage {
    /// Writes the page.
    pub fn write(&self, out: &mut impl Write) -> io::Result<()> {
        PAGE.write(self, out)
    }
}
