//! `headwater cluster` over days: an index of signatures that grows, is asked, is refused; and collections beyond memory.

use std::fs;

use crate::program::{headwater, root, with_input};

const RIVER: &str = "testdata/river/documents.jsonl";

/// The river's documents in so many parts, dealt out in turn, so that what comes later is in part earlier in time; some twice.
fn days(parts: usize) -> Vec<String> {
    let file = fs::read_to_string(root().join(RIVER)).unwrap();
    let again: String =
        file.lines().step_by(4).map(|line| line.replacen("\"id\": \"", "\"id\": \"again-", 1) + "\n").collect();
    let all = file + &again;
    (0..parts).map(|day| all.lines().skip(day).step_by(parts).map(|line| format!("{line}\n")).collect()).collect()
}

struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Self {
        Folder(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> String {
        self.0.path().join(name).to_str().unwrap().to_owned()
    }
}

fn cluster(more: &[&[&str]], input: &str) -> String {
    with_input(&[&["cluster"], more.concat().as_slice()].concat(), input).succeeded()
}

/// Whatever is asked of an index that grew is what one run over everything gives.
#[test]
fn an_index_that_grew_answers_like_one_run_over_everything() {
    let days = days(3);
    for method in ["spotsigs", "shingles", "minhash", "lsh-s", "imatch", "imatch-s"] {
        let folder = Folder::new();
        let index = folder.path("river.hws");
        let method = ["--method", method];
        for number in 0..days.len() {
            let grown = cluster(&[&method, &["--index", &index, "-"]], &days[number]);
            let at_once = cluster(&[&method, &["-"]], &days[..=number].concat());
            assert_eq!(grown, at_once, "{method:?}, day {number}");
        }
        for question in [
            &["--pairs", "--threshold", "0.1"][..],
            &["--representative", "central"],
            &["--threads", "1"],
            &["--pairs"],
        ] {
            let asked = cluster(&[&method, &["--index", &index], question], "");
            let at_once = cluster(&[&method, question, &["-"]], &days.concat());
            assert!(!at_once.is_empty(), "{method:?} {question:?}");
            assert_eq!(asked, at_once, "{method:?} {question:?}");
        }
    }
}

/// One index serves every method that compares the same, and without a method the one that finds every pair.
#[test]
fn an_index_serves_the_methods_that_compare_the_same() {
    let folder = Folder::new();
    let index = folder.path("river.hws");
    let days = days(2);
    cluster(&[&["--method", "minhash", "-k", "5", "--index", &index, "-"]], &days[0]);
    let exact = cluster(&[&["--method", "shingles", "-k", "5", "--pairs", "--index", &index, "-"]], &days[1]);
    assert_eq!(exact, cluster(&[&["--method", "shingles", "-k", "5", "--pairs", "-"]], &days.concat()));
    assert_eq!(exact, cluster(&[&["-k", "5", "--pairs", "--index", &index]], ""));
}

#[test]
fn who_only_asks_is_told_what_concerns_his_documents_and_changes_nothing() {
    let folder = Folder::new();
    let index = folder.path("river.hws");
    let days = days(2);
    let common = ["--method", "shingles", "--pairs", "--threshold", "0.05", "--index", &index];
    cluster(&[&common, &["-"]], &days[0]);
    let before = fs::read(&index).unwrap();
    let asked = cluster(&[&common, &["--no-add", "-"]], &days[1]);
    assert_eq!(fs::read(&index).unwrap(), before);
    let all = cluster(&[&common[..5], &["-"]], &days.concat());
    let new: Vec<String> = days[1]
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap()["id"].to_string())
        .collect();
    let concerns = |line: &&str| new.iter().any(|id| line.contains(&format!(":{id}")));
    let expected: Vec<&str> = all.lines().filter(concerns).collect();
    assert!(!expected.is_empty() && expected.len() < all.lines().count());
    assert_eq!(asked.lines().collect::<Vec<_>>(), expected);
    let clusters =
        cluster(&[&["--method", "shingles", "--index", &index, "--no-add", "-"]], "{\"id\":\"x\",\"text\":\"none\"}\n");
    assert_eq!(clusters, "", "nothing is like it");
}

#[test]
fn an_index_with_other_signatures_is_refused_and_the_difference_named() {
    let folder = Folder::new();
    let (spots, shingles) = (folder.path("spots.hws"), folder.path("shingles.hws"));
    headwater(&["cluster", "--method", "spotsigs", "--index", &spots, RIVER]).succeeded();
    headwater(&["cluster", "--method", "shingles", "--index", &shingles, RIVER]).succeeded();
    let before = fs::read(&spots).unwrap();
    for (index, args, reason) in [
        (&spots, &["--method", "shingles"][..], "it has spot signatures, and shingles compares shingles"),
        (&spots, &["--chain", "3"], "add --distance 1 --chain 2"),
        (&spots, &["--distance", "2"], "add --distance 1 --chain 2"),
        (&spots, &["--language", "de"], "its spots stand behind other words"),
        (&spots, &["--tokens", "code"], "its tokens are words, not code; add --tokens words"),
        (&shingles, &["--method", "lsh-s"], "it has shingles of 8 tokens, and lsh-s compares spot signatures"),
        (&shingles, &["-k", "5"], "it has shingles of 8 tokens, not of 5; add --shingle 8"),
        (&shingles, &["--repeats"], "leave out --repeats"),
        (&shingles, &["--method", "imatch"], "imatch compares single words"),
        (&shingles, &["--format", "html"], "an index of signatures keeps none"),
    ] {
        let outcome = headwater(&[&["cluster", "--index", index], args, &[RIVER]].concat());
        assert_eq!(outcome.code, 2, "{args:?}: {}", outcome.err);
        assert!(outcome.err.contains(reason), "{args:?}: {}", outcome.err);
    }
    assert_eq!(fs::read(&spots).unwrap(), before, "a refusal changes nothing");
}

/// Damaged, cut short, foreign, of another command, or not there: each is told, and nothing is written.
#[test]
fn what_is_no_index_is_refused() {
    let folder = Folder::new();
    let index = folder.path("river.hws");
    headwater(&["cluster", "--method", "shingles", "--index", &index, RIVER]).succeeded();
    let whole = fs::read(&index).unwrap();
    let mut damaged = whole.clone();
    damaged[whole.len() / 2] ^= 4;
    let graph = folder.path("river.hwg");
    headwater(&["graph", "--index", &graph, RIVER]).succeeded();
    for (content, reason) in [
        (damaged, "it is damaged; build it anew"),
        (whole[..whole.len() - 3].to_vec(), "it is cut short; build it anew"),
        (whole[..20].to_vec(), "it is cut short; build it anew"),
        (b"{\"id\": 1}".to_vec(), "it is no index of this program"),
        (fs::read(&graph).unwrap(), "it is an index of headwater graph, not of cluster"),
    ] {
        fs::write(&index, &content).unwrap();
        let outcome = headwater(&["cluster", "--index", &index, RIVER]);
        assert_eq!(outcome.code, 1, "{reason}: {}", outcome.err);
        assert!(outcome.err.contains(reason), "{reason}: {}", outcome.err);
        assert_eq!(fs::read(&index).unwrap(), content);
    }
    let absent = folder.path("absent.hws");
    for args in [&["--index", &absent][..], &["--index", &absent, "--no-add", RIVER]] {
        let outcome = headwater(&[&["cluster"], args].concat());
        assert_eq!(outcome.code, 1);
        assert!(outcome.err.contains("there is no index"), "{}", outcome.err);
    }
    let usage = headwater(&["cluster", "--no-add", RIVER]);
    assert_eq!(usage.code, 2, "{}", usage.err);
}

/// However little memory is granted, the answer is the same, byte by byte.
#[test]
fn what_memory_has_no_room_for_is_found_on_disk() {
    let posts = headwater(&["generate", "--documents", "600", "--copy-ratio", "0.7"]).succeeded();
    let common = ["--method", "shingles", "-"];
    for (question, least) in
        [(&["--pairs", "--threshold", "0.2"][..], 6), (&["--threshold", "0.2"], 6), (&["--pairs"], 1)]
    {
        let near = cluster(&[question, &common], &posts);
        assert!(near.lines().count() >= least, "{near}");
        for memory in ["1MB", "10MB"] {
            assert_eq!(cluster(&[question, &["--memory", memory], &common], &posts), near, "{memory}");
        }
    }
    for more in [&["--method", "minhash"][..], &["--method", "shingles", "--idf", "0.2,0.8"], &["--method", "imatch"]] {
        let refused = headwater(&[&["cluster", "--memory", "1MB"], more, &[RIVER]].concat());
        assert_eq!(refused.code, 2, "{more:?}: {}", refused.err);
        assert!(refused.err.contains("only spotsigs and shingles"), "{more:?}: {}", refused.err);
    }
}
