//! Help is part of the interface: it is pinned whole.

use crate::program::headwater;

const COMMANDS: [&str; 17] = [
    "trace",
    "novel",
    "snippet",
    "copycats",
    "explain",
    "diff",
    "table",
    "graph",
    "cluster",
    "dedup",
    "census",
    "eval",
    "calibrate",
    "generate",
    "inspect",
    "completions",
    "man",
];

#[test]
fn the_tour_fits_one_screen_and_has_an_example_of_every_command() {
    let help = headwater(&["--help"]).succeeded();
    assert!(help.lines().count() <= 40, "{} lines", help.lines().count());
    for command in COMMANDS {
        assert!(help.contains(&format!("headwater {command}")), "{command}");
    }
    insta::assert_snapshot!("help", help);
}

#[test]
fn every_command_explains_itself_by_phase() {
    for command in COMMANDS {
        insta::assert_snapshot!(format!("help-{command}"), headwater(&[command, "--help"]).succeeded());
    }
    insta::assert_snapshot!("help-eval-origin", headwater(&["eval", "origin", "--help"]).succeeded());
}

#[test]
fn completions_and_manual_pages_are_made() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        assert!(headwater(&["completions", shell]).succeeded().contains("max-document"), "{shell}");
    }
    let folder = tempfile::tempdir().unwrap();
    headwater(&["man", folder.path().to_str().unwrap()]).succeeded();
    let page = std::fs::read_to_string(folder.path().join("headwater-trace.1")).unwrap();
    assert!(page.contains("max\\-document"));
}

#[test]
fn wrong_usage_ends_with_code_2_and_the_next_step() {
    for args in [
        &["trace"][..],
        &["trace", "--no-such-flag", "x"],
        &["trace", "--demo", "--memory", "much"],
        &["trace", "--demo", "--select", "Best"],
        &["trace", "--demo", "--algorithm", "headwater", "--evict", "LS"],
        &["trace", "--demo", "-o", "answers.what"],
        &["trace", "--demo", "-k", "0"],
        &["frobnicate"],
    ] {
        let outcome = headwater(args);
        assert_eq!(outcome.code, 2, "{args:?}: {}", outcome.err);
        assert!(outcome.err.starts_with("error: ") && outcome.err.contains("--help"), "{args:?}: {}", outcome.err);
    }
}
