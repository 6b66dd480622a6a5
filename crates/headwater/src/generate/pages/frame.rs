//! What stands around an article: the navigation, lists, advertisements and footer of a site.

use std::fmt::Write;

use super::super::draw::{self, Draw};
use super::PageSettings;
use super::article::{Article, capitalised, content, headline};

/// What nearly every site has in its navigation.
const COMMON: [&str; 24] = [
    "Home",
    "News",
    "World",
    "Business",
    "Sport",
    "Weather",
    "Culture",
    "Travel",
    "Video",
    "Opinion",
    "Local",
    "Politics",
    "Science",
    "Log in",
    "Subscribe",
    "Search",
    "Newsletter",
    "Contact us",
    "Jobs",
    "Archive",
    "Mobile",
    "RSS",
    "Help",
    "Advertise",
];

const FOOTER: [&str; 14] = [
    "About us",
    "Contact",
    "Terms of use",
    "Privacy policy",
    "Cookies",
    "Advertise with us",
    "Careers",
    "Press",
    "Sitemap",
    "Accessibility",
    "Corrections",
    "Licensing",
    "Feedback",
    "Imprint",
];

const OFFERS: [&str; 10] = [
    "Half price",
    "Buy now",
    "Free delivery",
    "Order today",
    "Save 40 %",
    "New arrivals",
    "Limited offer",
    "Click here",
    "Best rates",
    "Sign up free",
];

/// Sentences that some sites print below every page: frames are not free of running text.
const NOTICES: [&str; 6] = [
    "All rights reserved. No part of this site may be reproduced without the written consent of the publisher.",
    "The views that are expressed in the comments are those of the readers and not of the editors.",
    "This material may not be published, broadcast, rewritten or redistributed.",
    "Registration on or use of this site is an acceptance of the terms of the user agreement.",
    "A part of the revenue from links on this page is paid to the publisher.",
    "To report an error that is in the text, write to the editors and name the page.",
];

/// Advertisements that all sites print.
const ADVERTISEMENTS: u64 = 300;

/// How long the list of stories of a site stays the same, in pages.
const EDITION: u64 = 40;

/// A site and how it sets a page.
pub(super) struct Site {
    pub(super) domain: String,
    name: String,
    /// Draws that give the same for every page of the site.
    shape: Draw,
    /// How much of everything it has.
    scale: f64,
}

impl Site {
    pub(super) fn new(settings: &PageSettings, number: u64) -> Self {
        let mut shape = Draw::new(settings.seed, number, draw::SITE);
        let (one, other) = (content(&mut shape), content(&mut shape));
        let scale = shape.log_normal(settings.frame, 0.5);
        Site {
            domain: format!("www.{one}{other}{number}.example"),
            name: format!("{} {}", capitalised(&one), capitalised(&other)),
            shape,
            scale,
        }
    }

    /// The page with this article on it.
    pub(super) fn print(&self, settings: &PageSettings, article: &Article, draw: &mut Draw) -> String {
        let mut shape = self.shape.clone();
        let nav = self.navigation(&mut shape);
        let lists: Vec<String> = (0..2 + shape.below(3)).map(|_| self.list(&mut shape, draw)).collect();
        let footer = self.footer(&mut shape);
        let title = headline(draw);
        let body = self.body(&title, article);
        let ads: Vec<String> = (0..1 + (self.scale / 120.0) as u64).map(|_| advertisement(settings, draw)).collect();
        let (before, behind) = ads.split_at(ads.len() / 2);
        let aside = format!("<div class=\"side\">{}</div>\n", lists.concat());
        let (left, right) = if shape.chance(0.5) { (aside.as_str(), "") } else { ("", aside.as_str()) };
        format!(
            "<!doctype html>\n<html lang=\"en\">\n<head><meta charset=\"utf-8\"><title>{title} | {}</title></head>\n<body>\n\
             <div class=\"top\"><b>{}</b></div>\n{nav}{}{left}{body}{right}{}{footer}</body>\n</html>\n",
            self.name,
            self.name,
            before.concat(),
            behind.concat(),
        )
    }

    fn navigation(&self, shape: &mut Draw) -> String {
        let mut items: Vec<String> = COMMON.iter().filter(|_| shape.chance(0.7)).map(|&item| item.to_owned()).collect();
        for _ in 0..(self.scale / 12.0) as u64 {
            let words: Vec<String> = (0..1 + shape.below(2)).map(|_| content(shape)).collect();
            items.push(capitalised(&words.join(" ")));
        }
        links("nav", &items)
    }

    /// Headlines with links: half of the lists are those of the edition, and change.
    fn list(&self, shape: &mut Draw, draw: &mut Draw) -> String {
        let count = (self.scale / 22.0 * (0.5 + shape.unit())) as u64;
        let name = capitalised(&content(shape));
        let mut edition = Draw::new(shape.number(), draw.below(EDITION) * shape.below(2), draw::SITE);
        let items: Vec<String> = (0..count.max(2)).map(|_| headline(&mut edition)).collect();
        format!("<h4>{name}</h4>\n{}", links("div", &items))
    }

    fn body(&self, title: &str, article: &Article) -> String {
        let mut body = format!("<div class=\"story\"><h1>{title}</h1>\n");
        for paragraph in article.sentences.chunks(3) {
            // Writing to a string cannot fail.
            let _ = writeln!(body, "<p>{}</p>", escaped(&paragraph.join(" ")));
        }
        body + "</div>\n"
    }

    fn footer(&self, shape: &mut Draw) -> String {
        let mut items: Vec<String> = FOOTER.iter().filter(|_| shape.chance(0.6)).map(|&item| item.to_owned()).collect();
        items.push(format!("© {}", self.name));
        let notices: String =
            NOTICES.iter().filter(|_| shape.chance(0.04)).map(|notice| format!("<p>{notice}</p>\n")).collect();
        links("footer", &items) + &notices
    }
}

fn advertisement(settings: &PageSettings, draw: &mut Draw) -> String {
    let mut draw = Draw::new(settings.seed, draw.zipf(ADVERTISEMENTS, 0.7), draw::ADVERTISEMENT);
    let mut offer = || OFFERS[draw.below(OFFERS.len() as u64) as usize];
    let (first, last) = (offer(), offer());
    let words: Vec<String> = (0..3 + draw.below(8)).map(|_| capitalised(&content(&mut draw))).collect();
    format!("<div class=\"ad\"><a href=\"#\">{first}: {}! {last}</a></div>\n", words.join(" "))
}

fn links(element: &str, items: &[String]) -> String {
    let items: String = items.iter().map(|item| format!("<li><a href=\"#\">{item}</a></li>")).collect();
    format!("<{element}><ul>{items}</ul></{element}>\n")
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
