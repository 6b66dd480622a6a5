//! Random hosts, and a random walk over links: samples that come from no collection.

use std::collections::HashMap;

use headwater::census::{
    Census, Interval, Links, Members, Random, Repeated, Sample, Size, Walk, address, extrapolate, host, host_ratio,
};
use headwater_io::{HtmlText, Inputs, Order, ReadOptions};

use super::answer::{About, Answer};
use super::engines::{each, each_with};
use super::holding::{self, Source, sources};
use super::settings;
use crate::args::{By, CensusArgs, DrawBy};
use crate::failure::Failure;
use crate::terminal::{Talk, count};

/// Steps of the walk for each page that is drawn from it.
const STEPS: usize = 50;

pub(super) fn by_hosts(args: &CensusArgs, talk: &Talk) -> Result<Answer, Failure> {
    let sources = sources(args)?;
    let mut pages: HashMap<String, Vec<u64>> = HashMap::new();
    let mut about = Vec::new();
    for (at, (name, source)) in sources.iter().enumerate() {
        let Source::Inputs(inputs) = source else {
            return Err(Failure::Usage(format!("{name}: hosts can only be counted where documents can be read")));
        };
        let mut documents = 0;
        each(inputs, name, args, talk, |document| {
            documents += 1;
            if let Some(host) = document.url.as_deref().or(Some(&document.id)).and_then(host) {
                pages.entry(host).or_insert_with(|| vec![0; sources.len()])[at] += 1;
            }
            Ok(())
        })?;
        about.push(About { name: name.clone(), documents: Some(documents), distinct: None });
    }
    if pages.is_empty() {
        return Err(Failure::run("no document has an address with a host (--url-field names the field)"));
    }
    let mut hosts: Vec<(&String, &Vec<u64>)> = pages.iter().collect();
    hosts.sort_unstable();
    let chosen = Random::new(args.drawing.seed).choose(hosts.len(), args.drawing.samples as usize);
    talk.say(format_args!("{} of {} hosts were drawn", count(chosen.len() as u64), count(hosts.len() as u64)));
    let size = |at: usize| {
        let drawn: Vec<(u64, u64)> = chosen.iter().map(|&host| (hosts[host].1[0], hosts[host].1[at])).collect();
        let found = host_ratio(&drawn, args.drawing.confidence, args.drawing.seed);
        let nothing = Interval { low: 0.0, high: f64::INFINITY };
        let (relative, interval) = found.map_or((None, nothing), |(size, interval)| (Some(size), interval));
        Size { relative, interval, by_overlap: None, by_draws: None, coverage: None, coverage_interval: nothing }
    };
    let census = Census { collections: (0..sources.len()).map(size).collect(), overlap: Vec::new() };
    let extrapolated: Vec<_> = (0..sources.len())
        .map(|at| {
            let pages: Vec<u64> = chosen.iter().map(|&host| hosts[host].1[at]).collect();
            extrapolate(&pages, hosts.len() as u64, args.drawing.confidence, args.drawing.seed)
        })
        .collect();
    Ok(Answer::new(&census, &about, DrawBy::Hosts, args).with_extrapolated(&extrapolated))
}

pub(super) fn by_walk(args: &CensusArgs, talk: &Talk) -> Result<Answer, Failure> {
    let path =
        args.engines.links.as_deref().ok_or_else(|| Failure::Usage("--method walk needs --links INPUT".into()))?;
    let (links, addresses) = web(path, args, talk)?;
    let holdings = holding::read_all(args, By::Address, talk)?;
    let about: Vec<About> = holdings.iter().map(holding::Holding::about).collect();
    let wanted = args.drawing.samples as usize;
    let walk = Walk { steps: STEPS * wanted, ..Walk::default() };
    let seeds: Vec<u32> = (0..links.len() as u32).collect();
    let mut random = Random::new(args.drawing.seed);
    let first = seeds[random.below(seeds.len())];
    let stops = walk.sample(&links, &[first], wanted, &mut random);
    let sample = |from: usize, is_weighted: bool| {
        let mut often = Repeated::new();
        for stop in &stops {
            let page = addresses[stop.page as usize];
            let members = Members::of(holdings.len(), |at| holdings[at].catalogue.contains(page));
            if members.has(from) {
                often.push(page, if is_weighted { stop.weight } else { 1.0 }, members);
            }
        }
        often.sample()
    };
    let census = |is_weighted: bool| {
        let samples: Vec<Sample> = (0..holdings.len()).map(|at| sample(at, is_weighted)).collect();
        Census::new(&samples, &settings(args))
    };
    talk.say(format_args!(
        "{} pages were drawn from a walk over {} linked ones",
        count(stops.len() as u64),
        count(links.len() as u64)
    ));
    Ok(Answer::new(&census(true), &about, DrawBy::Walk, args).with_uncorrected(&census(false), &about))
}

/// The pages with their links, by number, and the address of each.
fn web(path: &std::path::Path, args: &CensusArgs, talk: &Talk) -> Result<(Links, Vec<u64>), Failure> {
    let inputs = Inputs::open(&[path]).map_err(Failure::run)?;
    let options = ReadOptions { order: Order::Input, html: HtmlText::Links, ..args.input.options() };
    let mut pages: Vec<(String, String)> = Vec::new();
    each_with(&inputs, &path.display().to_string(), &options, args.input.strict, talk, &mut |document| {
        pages.push((document.url.unwrap_or(document.id), document.text));
        Ok(())
    })?;
    let addresses: Vec<u64> = pages.iter().map(|(page, _)| address(page)).collect();
    let numbers: HashMap<u64, u32> = addresses.iter().copied().zip(0..).collect();
    let mut links = Links::new();
    for (page, targets) in &pages {
        let target = |link: &str| numbers.get(&address(&resolve(page, link))).copied();
        links.push(&targets.lines().filter_map(target).collect::<Vec<_>>());
    }
    Ok((links, addresses))
}

/// The address that a link on a page leads to (RFC 3986, 5.2, without queries of their own).
fn resolve(page: &str, link: &str) -> String {
    let scheme = page.find("://").map(|at| at + 3);
    if link.contains("://") {
        return link.to_owned();
    }
    if let (Some(rest), Some(scheme)) = (link.strip_prefix("//"), scheme) {
        return format!("{}{rest}", &page[..scheme]);
    }
    let page = page.split(['?', '#']).next().unwrap_or_default();
    let root = scheme.map_or(0, |scheme| page[scheme..].find('/').map_or(page.len(), |slash| scheme + slash));
    let folder = match link.strip_prefix('/') {
        Some(_) => "",
        None => page[root..].rsplit_once('/').map_or("", |(folder, _)| folder),
    };
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in link.split('#').next().unwrap_or_default().split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    let slash = if root > 0 || page.starts_with('/') { "/" } else { "" };
    format!("{}{slash}{}", &page[..root], parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::resolve;

    #[test]
    fn links_lead_where_a_browser_would_go() {
        let check = |page: &str, link: &str, expected: &str| assert_eq!(resolve(page, link), expected, "{page} {link}");
        check("https://a.example/b/c.html", "d.html", "https://a.example/b/d.html");
        check("https://a.example/b/c.html", "/d", "https://a.example/d");
        check("https://a.example/b/c.html", "../d?x=1#y", "https://a.example/d?x=1");
        check("https://a.example", "d", "https://a.example/d");
        check("https://a.example/b?q=/x/", "d", "https://a.example/d");
        check("https://a.example/b", "//c.example/d", "https://c.example/d");
        check("https://a.example/b", "http://c.example/d", "http://c.example/d");
        check("pages/one.html", "two.html", "pages/two.html");
        check("/pages/one.html", "./two.html", "/pages/two.html");
    }
}
