//! The pages, opened in a real browser: what the script builds is what the answers say.

use std::path::Path;
use std::process::Command;

use crate::program::headwater;

/// The page after its script has run, in a browser without a window. None where there is no browser.
fn browse(page: &Path) -> Option<String> {
    let browsers = ["chromium", "chromium-browser", "google-chrome", "chrome"];
    let run = |browser: &&str| {
        let profile = tempfile::tempdir().unwrap();
        Command::new(browser)
            .args([
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--virtual-time-budget=4000",
                "--enable-logging=stderr",
                "--dump-dom",
            ])
            .arg(format!("--user-data-dir={}", profile.path().display()))
            .arg(format!("file://{}", page.display()))
            .output()
            .ok()
    };
    let Some(output) = browsers.iter().find_map(run) else {
        eprintln!("skipped: no Chromium to open the page in");
        return None;
    };
    let log = String::from_utf8_lossy(&output.stderr);
    let errors: Vec<&str> = log.lines().filter(|line| line.contains("CONSOLE") && line.contains("Uncaught")).collect();
    assert!(errors.is_empty(), "{errors:?}");
    Some(String::from_utf8_lossy(&output.stdout).into_owned())
}

fn page_of(args: &[&str]) -> Option<String> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("page.html");
    headwater(&[args, &["-o", path.to_str().unwrap()]].concat()).succeeded();
    let written = std::fs::read_to_string(&path).unwrap();
    for outside in ["<link", "src=", "@import", "fetch("] {
        assert!(!written.contains(outside), "a page fetches nothing, but there is {outside}");
    }
    browse(&path)
}

#[test]
fn the_page_of_a_stream_lists_marks_and_draws() {
    let Some(dom) = page_of(&["trace", "--demo"]) else { return };
    assert_eq!(dom.matches("class=\"row\"").count(), 43, "one row for each document");
    assert!(dom.contains("44 % new"), "the counts of the closing line");
    assert!(
        dom.matches("<mark").count() > 3 && dom.contains("aria-label"),
        "the document with most copied text is open"
    );
    assert!(dom.matches("<path").count() > 20 && dom.matches("<circle").count() == 43, "who took from whom is drawn");
    assert!(dom.contains("aria-current=\"true\""));
}

#[test]
fn the_page_of_two_documents_marks_both() {
    let Some(dom) = page_of(&["diff", "plover-gauge-1", "courier-gauge", "--demo"]) else { return };
    assert_eq!(dom.matches("<section").count(), 2);
    assert!(dom.matches("[1]</sup>").count() >= 2, "a passage has its number on both sides");
}

#[test]
fn the_page_of_a_graph_lists_its_clusters() {
    let Some(dom) = page_of(&["graph", "--demo"]) else { return };
    assert!(dom.contains("12 clusters") && dom.contains("plover-gauge-1"));
}

/// Hostile names and texts stay text.
#[test]
fn nothing_in_a_document_becomes_markup() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("hostile.jsonl");
    let evil = r#"<img src=x onerror=\"document.title='owned'\"></script><script>document.title='owned'</script>"#;
    let text = format!("{evil} one two three four five six seven eight nine ten eleven twelve");
    std::fs::write(&path, format!("{{\"id\":\"{evil}\",\"text\":\"{text}\"}}\n{{\"id\":\"b\",\"text\":\"{text}\"}}\n"))
        .unwrap();
    let out = folder.path().join("page.html");
    headwater(&["trace", path.to_str().unwrap(), "-o", out.to_str().unwrap()]).succeeded();
    let Some(dom) = browse(&out) else { return };
    assert!(!dom.contains("<title>owned") && !dom.contains("<img"), "{dom}");
}
