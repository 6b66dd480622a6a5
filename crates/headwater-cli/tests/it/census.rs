//! Relative sizes and overlaps, as users see them.

use std::path::Path;

use serde_json::{Value, json};

use crate::program::{Outcome, headwater};

/// A collection of documents numbered so, each of its own words.
fn write(path: &Path, numbers: impl Iterator<Item = u32>) -> String {
    let line = |n: u32| {
        let words: Vec<String> = (0..30).map(|word| format!("w{}", n * 31 + word)).collect();
        json!({"id": n.to_string(), "url": format!("https://a.example/{n}"), "text": words.join(" ")}).to_string()
    };
    std::fs::write(path, numbers.map(line).collect::<Vec<_>>().join("\n")).unwrap();
    path.to_str().unwrap().to_owned()
}

fn answer(outcome: Outcome) -> Value {
    serde_json::from_str(&outcome.succeeded()).unwrap()
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is no number"))
}

#[test]
fn the_slides_example() {
    let folder = tempfile::tempdir().unwrap();
    // Half of A is in B, a sixth of B in A.
    let a = write(&folder.path().join("a.jsonl"), 0..2000);
    let b = write(&folder.path().join("b.jsonl"), 1000..7000);
    for by in ["content", "near", "address"] {
        let found = answer(headwater(&["census", "--by", by, &a, &b]));
        let [first, second] = [&found["collections"][0], &found["collections"][1]];
        assert_eq!((first["name"].as_str(), number(&first["relative_size"])), (Some(a.as_str()), 1.0));
        let (size, low, high) = (number(&second["relative_size"]), number(&second["low"]), number(&second["high"]));
        assert!(low < 3.0 && 3.0 < high && (2.4..3.6).contains(&size), "{by}: {second}");
        let overlap = &found["overlap"][0];
        assert_eq!(
            (overlap["of"].as_str(), overlap["in"].as_str(), overlap["sample"].as_u64()),
            (Some(a.as_str()), Some(b.as_str()), Some(1000))
        );
        assert!(number(&overlap["low"]) < 0.5 && number(&overlap["high"]) > 0.5, "{by}: {overlap}");
        let back = &found["overlap"][1];
        assert!(number(&back["low"]) < 1.0 / 6.0 && number(&back["high"]) > 1.0 / 6.0, "{by}: {back}");
        assert!((number(&second["coverage"]) - 6.0 / 7.0).abs() < 0.05, "{by}: {second}");
    }
}

#[test]
fn more_samples_are_surer_and_the_advice_says_how_many() {
    let folder = tempfile::tempdir().unwrap();
    let a = write(&folder.path().join("a.jsonl"), 0..3000);
    let b = write(&folder.path().join("b.jsonl"), 1500..4500);
    let run = |samples: &str| headwater(&["census", "--samples", samples, &a, &b]);
    let few = run("100");
    assert!(few.err.contains("more (--samples "), "{}", few.err);
    let few = answer(few);
    let advised = few["advice"]["samples"].as_u64().unwrap();
    assert!(advised > 1000, "{few}");
    let width = |found: &Value| number(&found["collections"][1]["high"]) - number(&found["collections"][1]["low"]);
    assert!(width(&answer(run("1000"))) < width(&few) / 2.0);
    assert_eq!(run("100").out, run("100").out);
}

#[test]
fn three_collections_and_their_joint_coverage() {
    let folder = tempfile::tempdir().unwrap();
    let name = |name: &str| folder.path().join(name);
    let paths =
        [write(&name("a.jsonl"), 0..600), write(&name("b.jsonl"), 300..900), write(&name("c.jsonl"), 600..1200)];
    let found = answer(headwater(&["census", &paths[0], &paths[1], &paths[2]]));
    assert_eq!(found["overlap"].as_array().unwrap().len(), 6);
    for collection in found["collections"].as_array().unwrap() {
        assert!((number(&collection["relative_size"]) - 1.0).abs() < 1e-6, "{collection}");
        assert!((number(&collection["coverage"]) - 0.5).abs() < 1e-6, "{collection}");
    }
}

#[test]
fn the_two_crawls() {
    let shares = |by: &str| {
        let found =
            answer(headwater(&["census", "--by", by, "testdata/crawls/north.jsonl", "testdata/crawls/south.jsonl"]));
        [number(&found["overlap"][0]["share"]), number(&found["overlap"][1]["share"])]
    };
    let near = |found: [f64; 2], expected: [f64; 2]| found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-9);
    // Two documents of north are the same text, which counts once.
    assert!(near(shares("content"), [17.0 / 32.0, 17.0 / 27.0]), "{:?}", shares("content"));
    // Versions of a page have one address.
    assert!(near(shares("address"), [16.0 / 30.0, 16.0 / 24.0]), "{:?}", shares("address"));
    let demo = headwater(&["census", "--demo", "--format", "text"]).succeeded();
    assert!(demo.contains("north") && demo.contains("53.1 %") && demo.contains("63.0 %"), "{demo}");
}

/// Where every document was checked nothing is left to chance, and nobody is told to draw more than there are.
#[test]
fn small_collections_are_known_exactly() {
    let crawls = ["testdata/crawls/north.jsonl", "testdata/crawls/south.jsonl", "testdata/river/documents.jsonl"];
    for by in ["content", "near", "address"] {
        let found = answer(headwater(&[&["census", "--by", by], &crawls[..]].concat()));
        for collection in found["collections"].as_array().unwrap() {
            let figure = |name: &str| number(&collection[name]);
            assert!(figure("coverage") <= 1.0, "{collection}");
            assert_eq!([figure("coverage_low"), figure("coverage_high")], [figure("coverage"); 2], "{by}");
            assert_eq!([figure("low"), figure("high")], [figure("relative_size"); 2], "{by}");
        }
        for overlap in found["overlap"].as_array().unwrap() {
            let figure = |name: &str| number(&overlap[name]);
            assert_eq!([figure("low"), figure("high")], [figure("share"); 2], "{by}");
        }
    }
    let few = headwater(&["census", "--samples", "5", crawls[0], crawls[1]]);
    assert!(few.err.ends_with("for exact sizes check every document (--samples 32)\n"), "{}", few.err);
    let advice = &answer(few)["advice"];
    assert_eq!((advice["samples"].as_u64(), advice["more"].as_u64()), (Some(32), Some(27)));
    let queries = headwater(&["census", "--method", "queries", "--samples", "5", crawls[0], crawls[1]]);
    let advised = answer(queries)["advice"]["samples"].as_u64();
    assert!(advised.is_none_or(|samples| samples <= 33), "{advised:?}");
}

#[test]
fn near_duplicates_count_as_the_document() {
    let folder = tempfile::tempdir().unwrap();
    let a = write(&folder.path().join("a.jsonl"), 0..50);
    let b = folder.path().join("b.jsonl");
    // The first fifty with a word more at the end, and fifty others.
    write(&b, 0..100);
    let edited = std::fs::read_to_string(&b).unwrap().replace("\",\"url\"", " indeed\",\"url\"");
    std::fs::write(&b, edited).unwrap();
    let share =
        |by: &str| number(&answer(headwater(&["census", "--by", by, &a, b.to_str().unwrap()]))["overlap"][0]["share"]);
    assert_eq!((share("content"), share("near")), (0.0, 1.0));
}

#[test]
fn a_kept_table_is_a_collection() {
    let folder = tempfile::tempdir().unwrap();
    let table = folder.path().join("news.table");
    let table = table.to_str().unwrap();
    headwater(&["trace", "--table", table, "--memory", "64KiB", "testdata/crawls/north.jsonl"]).succeeded();
    for (by, shares) in [("content", [17.0 / 33.0, 17.0 / 27.0]), ("address", [16.0 / 30.0, 16.0 / 24.0])] {
        let found = answer(headwater(&["census", "--by", by, table, "testdata/crawls/south.jsonl"]));
        for (at, share) in shares.into_iter().enumerate() {
            assert!((number(&found["overlap"][at]["share"]) - share).abs() < 1e-9, "{by}: {found}");
        }
    }
    let refused = headwater(&["census", "--by", "near", table, "testdata/crawls/south.jsonl"]);
    assert!(refused.code == 2 && refused.err.contains("keeps no texts"), "{}", refused.err);
}

#[test]
fn no_overlap_at_all_has_an_interval() {
    let folder = tempfile::tempdir().unwrap();
    let a = write(&folder.path().join("a.jsonl"), 0..200);
    let b = write(&folder.path().join("b.jsonl"), 200..600);
    let outcome = headwater(&["census", "--samples", "100", &a, &b]);
    assert!(outcome.err.contains("no overlap"), "{}", outcome.err);
    let found = answer(outcome);
    for overlap in found["overlap"].as_array().unwrap() {
        assert_eq!((number(&overlap["share"]), number(&overlap["low"])), (0.0, 0.0));
        assert!((0.01..0.1).contains(&number(&overlap["high"])), "{overlap}");
    }
    let size = &found["collections"][1];
    // The overlaps tell nothing; how far it was to the hundredth document does.
    assert_eq!(size["basis"].as_str(), Some("draws"));
    let [low, high] = ["low", "high"].map(|end| number(&size[end]));
    assert!(1.0 < low && low < 2.0 && 2.0 < high && high < 4.0, "{size}");
    assert!((number(&size["coverage"]) - 2.0 / 3.0).abs() < 0.15, "{size}");
    // A single document tells no size, so that the count is all there is.
    let found = answer(headwater(&["census", "--samples", "1", &a, &b]));
    let size = &found["collections"][1];
    assert_eq!((number(&size["relative_size"]), size["basis"].as_str()), (2.0, Some("count")));
    assert!(number(&size["low"]) < 0.1 && number(&size["high"]) > 10.0 && size["coverage"].is_null(), "{size}");
    // Every document tells it exactly.
    let size = &answer(headwater(&["census", &a, &b]))["collections"][1];
    assert_eq!(["relative_size", "low", "high"].map(|figure| number(&size[figure])), [2.0; 3]);
}

/// Twenty times as large: fifty of a thousand are shared, which tells the size to within a third; the draws tell it to within a tenth.
#[test]
fn collections_of_very_different_size() {
    let folder = tempfile::tempdir().unwrap();
    let a = write(&folder.path().join("a.jsonl"), 0..1500);
    let b = write(&folder.path().join("b.jsonl"), 0..30_000);
    let outcome = headwater(&["census", &a, &b, "--format", "text"]);
    assert!(outcome.out.contains("by overlap alone: "), "{}", outcome.out);
    let size = &answer(headwater(&["census", &a, &b]))["collections"][1];
    assert_eq!(size["basis"].as_str(), Some("both"));
    let [found, low, high] = ["relative_size", "low", "high"].map(|figure| number(&size[figure]));
    assert!((18.0..22.0).contains(&found) && low < 20.0 && 20.0 < high && high - low < 4.0, "{size}");
    assert!(size["by_overlap"].is_number(), "{size}");
}

#[test]
fn collections_of_one_document() {
    let folder = tempfile::tempdir().unwrap();
    let a = write(&folder.path().join("a.jsonl"), 0..1);
    let b = write(&folder.path().join("b.jsonl"), 0..1);
    let found = answer(headwater(&["census", &a, &b]));
    assert_eq!((number(&found["overlap"][0]["share"]), number(&found["collections"][1]["relative_size"])), (1.0, 1.0));
    assert_eq!(number(&found["overlap"][0]["low"]), 1.0, "that document was checked");
    let other = write(&folder.path().join("c.jsonl"), 5..6);
    assert_eq!(number(&answer(headwater(&["census", &a, &other]))["overlap"][0]["share"]), 0.0);
}

#[test]
fn bad_collections_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let good = write(&folder.path().join("good.jsonl"), 0..3);
    let empty = folder.path().join("empty.jsonl");
    std::fs::write(&empty, "").unwrap();
    let (empty, good) = (empty.to_str().unwrap(), good.as_str());
    for (args, code, reason) in [
        (&["census", good, empty][..], 1, empty),
        (&["census", good, "no/such/file"], 1, "no/such/file"),
        (&["census", good], 2, "2 to 64 collections"),
        (&["census"], 2, "COLLECTION"),
        (&["census", good, good, "--confidence", "1.5"], 2, "between 0 and 1"),
        (&["census", good, good, "--threshold", "0"], 2, "above 0"),
        (&["census", good, good, "--samples", "0"], 2, "samples"),
    ] {
        let outcome = headwater(args);
        assert!(outcome.code == code && outcome.err.contains(reason), "{args:?}: {} {}", outcome.code, outcome.err);
        assert!(outcome.out.is_empty());
    }
}

#[test]
fn a_collection_with_itself() {
    let found = answer(headwater(&["census", "testdata/crawls/north.jsonl", "testdata/crawls/north.jsonl"]));
    assert_eq!(number(&found["collections"][1]["relative_size"]), 1.0);
    assert_eq!(number(&found["overlap"][1]["share"]), 1.0);
}

/// A collection of documents numbered so, of words that many of them share.
fn write_searchable(path: &Path, numbers: impl Iterator<Item = u32>) -> String {
    let line = |n: u32| {
        let mut state = u64::from(n) + 1;
        let words: Vec<String> = (0..20 + n % 20)
            .map(|_| {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                format!("w{}", (state >> 33) % 120)
            })
            .collect();
        json!({"id": n.to_string(), "url": format!("https://h{}.example/{n}", n % 40), "text": words.join(" ")})
            .to_string()
    };
    std::fs::write(path, numbers.map(line).collect::<Vec<_>>().join("\n")).unwrap();
    path.to_str().unwrap().to_owned()
}

#[test]
fn collections_that_are_only_searched() {
    let folder = tempfile::tempdir().unwrap();
    let a = write_searchable(&folder.path().join("a.jsonl"), 0..400);
    let b = write_searchable(&folder.path().join("b.jsonl"), 200..1000);
    let found = answer(headwater(&["census", "--method", "queries", "--samples", "200", "--results", "40", &a, &b]));
    let size = &found["collections"][1];
    assert!((1.2..3.0).contains(&number(&size["relative_size"])), "{size}");
    assert!(number(&size["low"]) < 2.0 && number(&size["high"]) > 2.0, "{size}");
    assert!((200.0..4000.0).contains(&number(&size["recaptured"]["size"])), "{size}");
    assert!(number(&found["uncorrected"]["collections"][1]["relative_size"]) > 0.0, "{found}");
    assert_eq!(found["method"], "queries");
    // A log of searches, and hosts.
    let log = folder.path().join("log.txt");
    std::fs::write(&log, (0..100).map(|n| format!("w{n} w{}\n", n + 7)).collect::<String>()).unwrap();
    let found = answer(headwater(&["census", "--method", "searches", "--log", log.to_str().unwrap(), &a, &b]));
    assert!((1.5..2.7).contains(&number(&found["collections"][1]["relative_size"])), "{found}");
    let found = answer(headwater(&["census", "--method", "hosts", &a, &b]));
    assert!((number(&found["collections"][1]["relative_size"]) - 2.0).abs() < 1e-9, "{found}");
    // Ten of the forty hosts stand for all.
    let found = answer(headwater(&["census", "--method", "hosts", "--samples", "10", &a, &b]));
    for (collection, size) in found["collections"].as_array().unwrap().iter().zip([400.0, 800.0]) {
        assert!((number(&collection["extrapolated"]["size"]) / size - 1.0).abs() < 0.2, "{collection}");
    }
}

/// Pages that link to the next, to the front page and to another, in a web of sixty.
fn linked(n: usize) -> String {
    let links = [(n + 1) % 60, 0, (n * 7 + 3) % 60].map(|to| format!("<a href=\"p{to}.html\">on</a>"));
    format!("<html><body><p>page {n}</p>{}</body></html>", links.join(" "))
}

/// What a walk over such a web says of a collection with pages 0 to 19 and one with pages 10 to 49.
fn check_walk(folder: &Path, web: &Path, address: impl Fn(u32) -> String) {
    let part = |name: &str, pages: std::ops::Range<u32>| {
        let path = folder.join(name);
        let line = |n: u32| json!({"id": n.to_string(), "url": address(n), "text": "x"}).to_string();
        std::fs::write(&path, pages.map(line).collect::<Vec<_>>().join("\n")).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let (a, b) = (part("a.jsonl", 0..20), part("b.jsonl", 10..50));
    let found = answer(headwater(&["census", "--method", "walk", "--links", web.to_str().unwrap(), &a, &b]));
    let size = &found["collections"][1];
    assert!((1.5..2.6).contains(&number(&size["relative_size"])), "{found}");
    // The front page, to which all link, is in the first only: uncorrected, that makes it look larger.
    assert!(
        number(&found["uncorrected"]["collections"][1]["relative_size"]) < number(&size["relative_size"]),
        "{found}"
    );
}

#[test]
fn a_walk_over_the_links_of_pages() {
    let folder = tempfile::tempdir().unwrap();
    let web = folder.path().join("web");
    std::fs::create_dir(&web).unwrap();
    (0..60).for_each(|n| std::fs::write(web.join(format!("p{n}.html")), linked(n)).unwrap());
    check_walk(folder.path(), &web, |n| web.join(format!("p{n}.html")).to_str().unwrap().to_owned());
}

#[test]
fn a_walk_over_the_links_of_a_web_archive() {
    let folder = tempfile::tempdir().unwrap();
    let web = folder.path().join("crawl.warc");
    let address = |n: u32| format!("https://a.example/pages/p{n}.html");
    let record = |n: u32| {
        let page = linked(n as usize);
        let http =
            format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: {}\r\n\r\n{page}", page.len());
        format!(
            "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {}\r\nWARC-Date: 2026-11-16T00:00:00Z\r\nWARC-Record-ID: <urn:x:{n}>\r\n\
             Content-Type: application/http; msgtype=response\r\nContent-Length: {}\r\n\r\n{http}\r\n\r\n",
            address(n),
            http.len()
        )
    };
    std::fs::write(&web, (0..60).map(record).collect::<String>()).unwrap();
    check_walk(folder.path(), &web, address);
    // Pages without a link, and no pages at all, are told.
    std::fs::write(&web, record(0)).unwrap();
    let a = write(&folder.path().join("c.jsonl"), 0..3);
    let outcome = headwater(&["census", "--method", "walk", "--links", web.to_str().unwrap(), &a, &a]);
    assert_eq!(outcome.code, 0, "{}", outcome.err);
}

/// A search service that answers everything with the same bytes, or not at all.
fn service(answer: &'static str) -> String {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        let mut open = Vec::new();
        for stream in listener.incoming() {
            use std::io::{Read, Write};
            let mut stream = stream.unwrap();
            if answer.is_empty() {
                open.push(stream);
                continue;
            }
            let _ = stream.read(&mut [0; 4096]);
            let head = format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\nConnection: close\r\n\r\n", answer.len());
            let _ = stream.write_all((head + answer).as_bytes());
        }
    });
    address
}

/// A search service that has a collection: it answers with the addresses and texts of up to `n` documents that have all words of `q`.
fn search_service(collection: &str) -> String {
    let read = std::fs::read_to_string(collection).unwrap();
    let documents: Vec<Value> = read.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}/find", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            use std::io::{BufRead, Write};
            let mut stream = stream.unwrap();
            let mut lines = std::io::BufReader::new(stream.try_clone().unwrap()).lines().map_while(Result::ok);
            let asked = lines.next().unwrap_or_default();
            lines.take_while(|line| !line.is_empty()).for_each(drop);
            let parameter = |name: &str| {
                let (_, query) = asked.split_once('?')?;
                let query = query.split(' ').next()?;
                query.split('&').find_map(|part| part.strip_prefix(name)?.strip_prefix('='))
            };
            let words: Vec<String> =
                parameter("q").unwrap_or_default().replace("%20", "+").split('+').map(str::to_owned).collect();
            let most = parameter("n").and_then(|most| most.parse().ok()).unwrap_or(10);
            let has = |document: &&Value| {
                let text: Vec<&str> = document["text"].as_str().unwrap().split(' ').collect();
                words.iter().all(|word| text.contains(&word.as_str()))
            };
            let hits: Vec<&Value> = documents.iter().filter(has).take(most).collect();
            let body = json!({ "hits": hits }).to_string();
            let head = format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\nConnection: close\r\n\r\n", body.len());
            let _ = stream.write_all((head + &body).as_bytes());
        }
    });
    address
}

/// Half of the first, which can be read, is in a service twice as large that can only be asked.
#[test]
fn a_service_on_the_network_beside_a_collection() {
    let folder = tempfile::tempdir().unwrap();
    let a = write_searchable(&folder.path().join("a.jsonl"), 0..300);
    let b = write_searchable(&folder.path().join("b.jsonl"), 150..750);
    let described = folder.path().join("theirs.engine.json");
    let json = json!({"address": search_service(&b), "limit": "n", "results": "/hits", "text": "/text", "requests_per_second": 50_000});
    std::fs::write(&described, json.to_string()).unwrap();
    let found = answer(headwater(&["census", "--samples", "100", "--results", "60", &a, described.to_str().unwrap()]));
    let size = &found["collections"][1];
    assert!(number(&size["low"]) < 2.0 && number(&size["high"]) > 2.0 && number(&size["high"]) < 6.0, "{found}");
    let share = &found["overlap"][0];
    assert!(number(&share["low"]) < 0.5 && number(&share["high"]) > 0.5, "{share}");
    assert!(size["documents"].is_null(), "{size}");
}

#[test]
fn searched_collections_that_are_empty_tiny_or_apart() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let a = write_searchable(&at("a.jsonl"), 0..300);
    let empty = at("empty.jsonl");
    std::fs::write(&empty, "").unwrap();
    let empty = empty.to_str().unwrap();
    let run = |others: &[&str]| {
        headwater(&[&["census", "--method", "queries", "--samples", "50", "--results", "40"][..], others].concat())
    };
    let outcome = run(&[&a, empty]);
    assert!(outcome.code == 1 && outcome.err.contains(empty), "{}", outcome.err);
    let [one, same] = ["one.jsonl", "same.jsonl"].map(|name| write_searchable(&at(name), 0..1));
    let found = answer(run(&[&one, &same]));
    assert_eq!(number(&found["overlap"][0]["share"]), 1.0, "{found}");
    // One document beside many: it is in the others, and hardly anything of them is it.
    let found = answer(run(&[&a, &one]));
    assert_eq!(number(&found["overlap"][1]["share"]), 1.0, "{found}");
    assert!(number(&found["collections"][1]["relative_size"]) < 0.1, "{found}");
    // Nothing in common: the weights of the draws tell the size.
    let b = write_searchable(&at("b.jsonl"), 300..900);
    let found = answer(run(&[&a, &b]));
    let size = &found["collections"][1];
    assert_eq!((number(&found["overlap"][0]["share"]), size["basis"].as_str()), (0.0, Some("draws")), "{found}");
    assert!(number(&size["low"]) < 2.0 && number(&size["high"]) > 2.0, "{size}");
}

/// An engine that has only the beginning of each document, or few results of a host, is not taken for one that has all.
#[test]
fn truncated_documents_and_few_results_of_a_host() {
    let folder = tempfile::tempdir().unwrap();
    let a = write_searchable(&folder.path().join("a.jsonl"), 0..300);
    let b = write_searchable(&folder.path().join("b.jsonl"), 0..300);
    let share = |more: &[&str]| {
        let args = ["census", "--method", "queries", "--samples", "100", "--results", "40"];
        let found = answer(headwater(&[&args[..], more, &[&a, &b]].concat()));
        number(&found["overlap"][0]["share"])
    };
    assert!(share(&[]) > 0.95 && share(&["--per-host", "2"]) > 0.95);
    // Of the eight rarest words of a document, few are in its first 40 bytes.
    assert!(share(&["--truncate", "40"]) < 0.2);
}

#[test]
fn engines_that_are_silent_or_talk_nonsense() {
    let folder = tempfile::tempdir().unwrap();
    let a = write_searchable(&folder.path().join("a.jsonl"), 0..400);
    for (answer, reason) in
        [("", "timeout"), ("<html>", "no JSON"), (r#"{"hits": 7}"#, "no list"), (r#"{"hits": []}"#, "found a document")]
    {
        let described = folder.path().join("theirs.engine.json");
        let json = json!({"address": service(answer), "results": "/hits", "timeout_seconds": 0.05, "retries": 0, "requests_per_second": 5000});
        std::fs::write(&described, json.to_string()).unwrap();
        let outcome = headwater(&["census", "--samples", "20", "--results", "40", described.to_str().unwrap(), &a]);
        assert_eq!(outcome.code, 1, "{answer}: {}", outcome.err);
        assert!(
            outcome.err.contains(reason) && outcome.err.contains("theirs.engine.json"),
            "{answer}: {}",
            outcome.err
        );
    }
    let described = folder.path().join("wrong.engine.json");
    std::fs::write(&described, "{}").unwrap();
    let described = described.to_str().unwrap();
    let outcome = headwater(&["census", &a, described]);
    assert!(outcome.code == 1 && outcome.err.contains("not a description of a search endpoint"), "{}", outcome.err);
    let outcome = headwater(&["census", "--method", "uniform", &a, described]);
    assert!(outcome.code == 2 && outcome.err.contains("can only be searched"), "{}", outcome.err);
}
