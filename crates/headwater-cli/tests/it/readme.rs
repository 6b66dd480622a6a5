//! The README says only what is true: its commands are run, and the output it shows is the real one.

use crate::program::{headwater, root};

fn readme() -> String {
    std::fs::read_to_string(root().join("README.md")).unwrap()
}

#[test]
fn the_example_shows_its_real_output() {
    let readme = readme();
    let (_, behind) = readme.split_once("<!-- output of: ").expect("the README marks its example");
    let (command, behind) = behind.split_once(" -->\n```text\n").expect("the example is a block");
    let (shown, _) = behind.split_once("```").expect("the block ends");
    let args: Vec<&str> = command.split_whitespace().skip(1).collect();
    let page = headwater(&args).succeeded();
    assert!(page.contains(shown), "the output of `{command}` no longer has:\n{shown}");
}

#[test]
fn every_command_of_the_table_exists() {
    let readme = readme();
    let rows: Vec<&str> = readme.lines().filter(|line| line.starts_with('|') && line.contains("`headwater ")).collect();
    assert!(rows.len() >= 2);
    for row in rows {
        let (_, command) = row.split_once("`headwater ").unwrap();
        let name = command.split(|c: char| !c.is_alphanumeric()).next().unwrap();
        headwater(&[name, "--help"]).succeeded();
    }
}
