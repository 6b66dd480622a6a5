//! Framed news pages with known near-duplicates: what SpotSigs was made for, and of which there is no labelled set.
//!
//! Many invented sites print the same articles, each cut and edited a little, inside navigation, lists of headlines,
//! advertisements and footers of their own. Pages with one article belong together; pages of one site share its frame and do
//! not. As in the paper's gold set the frame is often more text than the article. Everything is a function of the seed and the page's number.
//!
//! ```
//! use headwater::generate::{PageSettings, Pages};
//!
//! let pages: Vec<_> = Pages::new(PageSettings { seed: 7, ..PageSettings::default() }, Vec::new())?.take(50).collect();
//! assert!(pages[0].html.starts_with("<!doctype html>"));
//! let first = pages[0].article;
//! assert!(pages.iter().filter(|page| page.article == first).count() < 50);
//! # Ok::<(), headwater::generate::InvalidSettings>(())
//! ```

mod article;
mod frame;

use super::draw::{self, Draw};
use super::{InvalidSettings, within};
use article::Article;
use frame::Site;

/// What the pages are to be like.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PageSettings {
    /// Another seed is another set of pages.
    pub seed: u64,
    /// How many sites print articles.
    pub sites: u64,
    /// How many articles there are: pages with the same one are near-duplicates.
    pub articles: u64,
    /// Words of an article: the median of a log-normal distribution.
    pub words: f64,
    /// The probability that a word of an edited article is replaced.
    pub edits: f64,
    /// Words around the article: the median over all sites.
    pub frame: f64,
}

/// About the paper's gold set: 68 articles on many sites.
impl Default for PageSettings {
    fn default() -> Self {
        PageSettings { seed: 0, sites: 60, articles: 68, words: 220.0, edits: 0.02, frame: 300.0 }
    }
}

/// A page and the truth about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page {
    /// Its number, from 0 on.
    pub number: u64,
    /// The number of its article: pages that share it belong together.
    pub article: u64,
    /// Its address.
    pub url: String,
    /// The page.
    pub html: String,
}

/// The pages: an endless iterator.
#[derive(Debug)]
pub struct Pages {
    settings: PageSettings,
    /// Articles that were given, instead of made-up ones.
    given: Vec<String>,
    next: u64,
}

impl Pages {
    /// The first of all pages. Where texts are given, they are the articles.
    pub fn new(settings: PageSettings, given: Vec<String>) -> Result<Self, InvalidSettings> {
        within(&[
            ("sites", settings.sites as f64, 1.0, 1e6),
            ("articles", settings.articles as f64, 1.0, 1e12),
            ("words", settings.words, 20.0, 1e5),
            ("edits", settings.edits, 0.0, 0.5),
            ("frame", settings.frame, 0.0, 1e5),
        ])?;
        Ok(Pages { settings, given, next: 0 })
    }

    fn articles(&self) -> u64 {
        if self.given.is_empty() { self.settings.articles } else { self.given.len() as u64 }
    }
}

impl Iterator for Pages {
    type Item = Page;

    fn next(&mut self) -> Option<Page> {
        let number = self.next;
        self.next += 1;
        let settings = &self.settings;
        let mut draw = Draw::new(settings.seed, number, draw::PAGE);
        // Some stories run everywhere, most in a few places.
        let article = draw.zipf(self.articles(), 0.5);
        let site = Site::new(settings, draw.below(settings.sites));
        let original = match self.given.get(article as usize) {
            Some(text) => Article::of(text),
            None => Article::invent(settings, article),
        };
        let html = site.print(settings, &original.edited(settings, &mut draw), &mut draw);
        let url = format!("https://{}/{}/{number}.html", site.domain, original.slug());
        Some(Page { number, article, url, html })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pages(settings: PageSettings, count: usize) -> Vec<Page> {
        Pages::new(settings, Vec::new()).unwrap().take(count).collect()
    }

    #[test]
    fn a_seed_is_a_set_of_pages() {
        let settings = PageSettings::default();
        assert_eq!(pages(settings, 30), pages(settings, 30));
        assert_ne!(pages(settings, 30), pages(PageSettings { seed: 1, ..settings }, 30));
        for wrong in [
            PageSettings { sites: 0, ..settings },
            PageSettings { edits: 0.9, ..settings },
            PageSettings { words: f64::NAN, ..settings },
        ] {
            assert!(Pages::new(wrong, Vec::new()).is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn every_article_is_on_many_sites_and_every_site_has_many_articles() {
        use std::collections::{BTreeMap, BTreeSet};
        let (mut sites, mut articles) = (BTreeMap::new(), BTreeMap::new());
        for page in pages(PageSettings::default(), 2000) {
            let site = page.url.split('/').nth(2).unwrap().to_owned();
            sites.entry(page.article).or_insert_with(BTreeSet::new).insert(site.clone());
            articles.entry(site).or_insert_with(BTreeSet::new).insert(page.article);
        }
        assert_eq!((sites.len(), articles.len()), (68, 60));
        assert!(sites.values().all(|sites| sites.len() > 4) && articles.values().all(|articles| articles.len() > 9));
    }

    #[test]
    fn given_articles_are_printed_with_what_must_not_be_taken_for_markup_escaped() {
        let text = "The level was < 2 m & rising at the gauge. Nobody knew why it did. It fell at night.".to_owned();
        let settings = PageSettings { edits: 0.0, ..PageSettings::default() };
        for page in Pages::new(settings, vec![text]).unwrap().take(20) {
            assert_eq!(page.article, 0);
            assert!(page.html.contains("&lt; 2 m &amp; rising") && !page.html.contains("was < 2"), "{}", page.html);
        }
    }
}
