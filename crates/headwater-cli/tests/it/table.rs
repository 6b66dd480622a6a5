//! Tables that last: continued, shared, killed, damaged, refused.

use std::collections::BTreeSet;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant, SystemTime};

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::program::{headwater, with_input};

/// Numbers that look random and are the same in every run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) % bound
    }
}

/// A stream of documents in which every third quotes an earlier one.
fn stream(documents: u64) -> String {
    let mut numbers = Numbers(7);
    let mut texts: Vec<String> = Vec::new();
    let mut lines = String::new();
    for number in 0..documents {
        let mut text: String = (0..40).map(|_| format!("w{} ", numbers.below(5000))).collect();
        if number % 3 == 2 {
            let (quoted, _) = texts[numbers.below(number) as usize].split_at(150);
            text += quoted;
        }
        lines += &json!({"id": format!("d{number}"), "time": number, "text": text}).to_string();
        lines.push('\n');
        texts.push(text);
    }
    lines
}

struct Place {
    folder: TempDir,
}

impl Place {
    fn new() -> Self {
        Place { folder: tempfile::tempdir().unwrap() }
    }

    fn path(&self, name: &str) -> String {
        self.folder.path().join(name).display().to_string()
    }

    fn write(&self, name: &str, contents: &str) -> String {
        fs::write(self.path(name), contents).unwrap();
        self.path(name)
    }
}

/// A trace with a small table.
fn trace(table: &str, input: &str) -> Vec<Value> {
    headwater(&["trace", "--memory", "64KiB", "--table", table, input]).rows()
}

#[test]
fn a_table_goes_on_as_if_there_had_been_no_end() {
    let place = Place::new();
    let all = stream(90);
    let lines: Vec<&str> = all.lines().collect();
    let pieces: Vec<String> = lines
        .chunks(25)
        .enumerate()
        .map(|(at, piece)| place.write(&format!("{at}.jsonl"), &piece.join("\n")))
        .collect();
    let whole = place.write("all.jsonl", &all);
    let expected = headwater(&["trace", "--memory", "64KiB", &whole]).rows();
    let table = place.path("t");
    let found: Vec<Value> = pieces.iter().flat_map(|piece| trace(&table, piece)).collect();
    assert_eq!(found, expected);
    assert!(expected.iter().any(|row| row["segments"][0]["origin"].is_string()), "something is copied");
    headwater(&["table", "verify", &table]).succeeded();
}

#[test]
fn asking_without_adding_leaves_the_table_as_it_is() {
    let place = Place::new();
    let table = place.path("t");
    trace(&table, &place.write("a.jsonl", &stream(60)));
    let before = (fs::read(&table).unwrap(), fs::read(place.path("t.names")).unwrap());
    let question = stream(60).lines().nth(30).unwrap().replace("\"d30\"", "\"question\"");
    let ask = || {
        let command = ["trace", "--table", &table, "--no-add", "-"];
        with_input(&command, &question).rows()
    };
    let answers: Vec<Vec<Value>> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..4).map(|_| scope.spawn(ask)).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    for answer in &answers {
        assert_eq!(answer[0]["dominant_origin"], "d30");
        assert_eq!(answer, &answers[0]);
    }
    assert!(before == (fs::read(&table).unwrap(), fs::read(place.path("t.names")).unwrap()), "no byte has changed");
    let absent = headwater(&["trace", "--table", &place.path("none"), "--no-add", "-"]);
    assert_eq!(absent.code, 1);
    assert!(absent.err.contains("none: cannot open the table"), "{}", absent.err);
}

#[test]
fn a_table_keeps_its_settings() {
    let place = Place::new();
    let (table, input) = (place.path("t"), place.write("a.jsonl", &stream(20)));
    headwater(&["trace", "--memory", "64KiB", "-k", "5", "--table", &table, &input]).succeeded();
    headwater(&["trace", "--table", &table, &input]).succeeded();
    headwater(&["trace", "-k", "5", "--memory", "64KiB", "--algorithm", "headwater", "--table", &table, &input])
        .succeeded();
    for (options, said) in [
        (&["-k", "8"][..], "shingles of 8 tokens, it has 5"),
        (&["--memory", "1MiB"], "--memory 1MiB, it has 64KiB"),
        (&["--tokens", "chars"], "--tokens chars, it has words"),
        (&["--select", "NHs"], "the algorithm NHs+LS+BE, it has headwater"),
    ] {
        let before = fs::read(&table).unwrap();
        let refused = headwater(&[&["trace", "--table", &table, &input], options].concat());
        assert_eq!(refused.code, 1, "{options:?}");
        assert!(refused.err.contains(said), "{options:?}: {}", refused.err);
        assert!(fs::read(&table).unwrap() == before);
    }
    headwater(&["trace", "--select", "NHs", "--memory", "64KiB", "--table", &place.path("paper"), &input]).succeeded();
    headwater(&["trace", "--table", &place.path("paper"), &input]).succeeded();
    headwater(&["table", "verify", &place.path("paper")]).succeeded();
}

#[test]
fn what_is_no_sound_table_is_refused_and_named() {
    let place = Place::new();
    let (table, input) = (place.path("t"), place.write("a.jsonl", &stream(60)));
    trace(&table, &input);
    let sound = fs::read(&table).unwrap();
    let mut newer = sound.clone();
    newer[8] = 7;
    let mut damaged = sound.clone();
    damaged[(1 << 14) + 100] ^= 8;
    for (bytes, said) in [
        (b"{\"id\": 1}\n".to_vec(), "not a table of headwater's"),
        (Vec::new(), "not a table of headwater's"),
        (sound[..100].to_vec(), "cut off"),
        (sound[..sound.len() - 1].to_vec(), "cut off"),
        ([&sound[..], b"x"].concat(), "cut off"),
        (newer, "format version 7"),
        (damaged, "damaged at byte 16384 (block 0)"),
    ] {
        fs::write(&table, &bytes).unwrap();
        for command in [&["trace", "--table", &table, &input][..], &["table", "verify", &table]] {
            let refused = headwater(command);
            assert_eq!(refused.code, 1, "{command:?}");
            assert!(refused.err.contains(&table) && refused.err.contains(said), "{said}: {}", refused.err);
            assert!(fs::read(&table).unwrap() == bytes, "nothing is made worse");
        }
    }
    fs::write(&table, &sound).unwrap();
    fs::remove_file(place.path("t.names")).unwrap();
    let refused = headwater(&["trace", "--table", &table, "--no-add", &input]);
    assert!(refused.code == 1 && refused.err.contains("t.names: the names"), "{}", refused.err);
}

#[test]
fn every_flipped_byte_is_detected() {
    let place = Place::new();
    let table = place.path("t");
    trace(&table, &place.write("a.jsonl", &stream(60)));
    let sound = fs::read(&table).unwrap();
    let mut numbers = Numbers(99);
    for _ in 0..150 {
        let at = numbers.below(sound.len() as u64) as usize;
        let mut flipped = sound.clone();
        flipped[at] ^= 1 + numbers.below(255) as u8;
        fs::write(&table, &flipped).unwrap();
        let outcome = headwater(&["table", "verify", &table]);
        assert_eq!(outcome.code, 1, "byte {at}: {}", outcome.err);
    }
}

/// Starts a run that adds to a table and saves it all the time.
fn ingest(table: &str, input: &str, answers: Stdio) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_headwater"));
    command.args(["trace", "--memory", "64KiB", "--quiet", "--checkpoint", "1ms", "--table", table, input]);
    command.stdin(Stdio::piped()).stdout(answers).stderr(Stdio::piped()).spawn().unwrap()
}

#[test]
fn a_killed_run_is_resumed_from_its_last_checkpoint() {
    const DOCUMENTS: u64 = 400;
    let place = Place::new();
    let all = stream(DOCUMENTS);
    let lines: Vec<&str> = all.split_inclusive('\n').collect();
    let input = place.write("a.jsonl", &all);
    let reference = place.path("reference");
    trace(&reference, &input);
    let expected = fs::read(&reference).unwrap();
    let (table, copy) = (place.path("t"), place.path("copy"));
    let mut numbers = Numbers(5);
    let (mut halfway, mut known_before) = (BTreeSet::new(), 0);
    for kill in 0..100 {
        // As many documents as it likes, a few at a time, and then the end at any moment.
        let known_at = modified(&table);
        let answers = place.path("answers.jsonl");
        let mut child = ingest(&table, "-", fs::File::create(&answers).unwrap().into());
        let mut stdin = child.stdin.take().unwrap();
        for piece in lines[..1 + numbers.below(DOCUMENTS) as usize].chunks(25) {
            if stdin.write_all(piece.concat().as_bytes()).is_err() {
                let output = child.wait_with_output().unwrap();
                panic!("kill {kill}: it ended by itself: {}", String::from_utf8_lossy(&output.stderr));
            }
            std::thread::sleep(Duration::from_micros(numbers.below(2000)));
        }
        // On a busy machine a run may not even have begun by then: every other one gets to save at least once.
        if kill % 2 == 0 {
            changes(&table, known_at);
        }
        std::thread::sleep(Duration::from_micros(numbers.below(20_000)));
        child.kill().unwrap();
        child.wait().unwrap();
        if !Path::new(&table).exists() {
            continue;
        }
        headwater(&["table", "verify", &table]).succeeded();
        let stats = headwater(&["table", "stats", "--json", &table]).rows();
        assert_eq!(stats[0]["interrupted"], true);
        let known = stats[0]["documents"].as_u64().unwrap();
        // What the table knows more than before is not answered again: it has been.
        let answered = fs::read(&answers)
            .unwrap()
            .split_inclusive(|&byte| byte == b'\n')
            .filter(|line| line.ends_with(b"\n"))
            .count();
        assert!(
            answered as u64 >= known - known_before,
            "kill {kill}: {answered} answers, {known_before} to {known} documents"
        );
        halfway.insert(known);
        for suffix in ["", ".names"] {
            fs::copy(format!("{table}{suffix}"), format!("{copy}{suffix}")).unwrap();
        }
        assert_eq!(trace(&copy, &input).len() as u64, DOCUMENTS - known, "kill {kill}");
        assert!(fs::read(&copy).unwrap() == expected, "kill {kill}, {known} documents");
        known_before = known;
        if known > DOCUMENTS / 2 {
            fs::remove_file(&table).unwrap();
            fs::remove_file(place.path("t.names")).unwrap();
            known_before = 0;
        }
    }
    assert!(halfway.len() > 10, "killed at different moments: {halfway:?}");
}

fn modified(path: &str) -> Option<SystemTime> {
    fs::metadata(path).and_then(|about| about.modified()).ok()
}

/// Waits until a file is another than it was then, or for a moment: a run that meets only what it knows saves nothing.
fn changes(path: &str, then: Option<SystemTime>) {
    let since = Instant::now();
    while modified(path) == then && since.elapsed() < Duration::from_millis(300) {
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// Waits until a file is there.
fn appears(path: &str) {
    let since = Instant::now();
    while !Path::new(path).exists() {
        assert!(since.elapsed() < Duration::from_secs(60), "{path} does not appear");
        std::thread::sleep(Duration::from_millis(2));
    }
}

#[cfg(unix)]
#[test]
fn an_interrupt_saves_and_a_second_writer_is_refused() {
    let place = Place::new();
    let all = stream(120);
    let (table, input) = (place.path("t"), place.write("a.jsonl", &all));
    let mut child = ingest(&table, "-", Stdio::null());
    let half: String = all.lines().take(60).map(|line| format!("{line}\n")).collect();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(half.as_bytes()).unwrap();
    stdin.flush().unwrap();
    appears(&table);
    let refused = headwater(&["trace", "--table", &table, &input]);
    assert_eq!(refused.code, 1);
    assert!(refused.err.contains("another process is writing to this table"), "{}", refused.err);
    // It waits for more on standard input: the interrupt must reach it there.
    Command::new("kill").args(["-TERM", &child.id().to_string()]).status().unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130));
    headwater(&["table", "verify", &table]).succeeded();

    let earlier = place.write("answers.jsonl", "what was answered before\n");
    let replacing = headwater(&["trace", "--table", &table, &input, "-o", &earlier]);
    assert!(replacing.code == 1 && replacing.err.contains("answers.jsonl is there already"), "{}", replacing.err);
    assert_eq!(fs::read_to_string(&earlier).unwrap(), "what was answered before\n");

    let resumed = headwater(&["trace", "--table", &table, &input]);
    assert!(resumed.err.contains("the same input goes on where it stopped"), "{}", resumed.err);
    assert!(resumed.err.contains("were in the table already"), "{}", resumed.err);
    assert!(resumed.rows().len() >= 60);
    let reference = place.path("reference");
    trace(&reference, &input);
    assert!(fs::read(&table).unwrap() == fs::read(&reference).unwrap());
}

/// Whoever reads the answers goes away: what nobody was told is not counted either.
#[test]
fn answers_that_nobody_reads_leave_the_table_as_it_was() {
    let place = Place::new();
    let (table, input) = (place.path("t"), place.write("a.jsonl", &stream(60)));
    let mut child = Command::new(env!("CARGO_BIN_EXE_headwater"))
        .args(["trace", "--memory", "1MiB", "--table", &table, &input])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    let err = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.code() == Some(1) && err.contains("standard output was closed"), "{err}");
    assert!(!Path::new(&table).exists());
    assert_eq!(trace(&table, &input).len(), 60);
}

/// Two first runs on one table: the second waits a moment for the first, and goes on with what that has made.
#[test]
fn a_table_that_another_has_begun_is_continued() {
    let place = Place::new();
    let (table, all) = (place.path("t"), stream(60));
    let (one, other) = all.split_at(all.match_indices('\n').nth(29).unwrap().0 + 1);
    let other = place.write("other.jsonl", other);
    let mut first = Command::new(env!("CARGO_BIN_EXE_headwater"))
        .args(["trace", "--memory", "64KiB", "--table", &table, "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut stdin = first.stdin.take().unwrap();
    stdin.write_all(one.as_bytes()).unwrap();
    appears(&format!("{table}.lock"));
    let ends = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(100));
        drop(stdin);
        first.wait().unwrap()
    });
    // It finds no table, and when its turn has come there is one. On a machine that is too busy for that it is refused.
    let second = headwater(&["trace", "--memory", "64KiB", "--table", &table, &other]);
    assert!(ends.join().unwrap().success());
    let known = headwater(&["table", "stats", "--json", &table]).rows()[0]["documents"].as_u64().unwrap();
    assert_eq!(known, if second.code == 0 { 60 } else { 30 }, "{}", second.err);
}

/// What a killed run has answered is not answered again, and lies where it was being written: the run that goes on says where.
#[test]
fn the_answers_of_a_killed_run_are_there_and_told_of() {
    let place = Place::new();
    let (table, answers) = (place.path("t"), place.path("answers.jsonl"));
    let all = stream(40);
    let mut command = Command::new(env!("CARGO_BIN_EXE_headwater"));
    command.args(["trace", "--memory", "64KiB", "--checkpoint", "1ms", "--table", &table, "-o", &answers, "-"]);
    let mut child = command.stdin(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    // One by one, since the table is saved when a document is answered after the span has passed.
    for line in all.split_inclusive('\n') {
        stdin.write_all(line.as_bytes()).unwrap();
        std::thread::sleep(Duration::from_millis(2));
    }
    appears(&table);
    child.kill().unwrap();
    child.wait().unwrap();
    let known = headwater(&["table", "stats", "--json", &table]).rows()[0]["documents"].as_u64().unwrap();
    let resumed = with_input(&["trace", "--table", &table, "-o", &answers, "-"], &all);
    let told =
        resumed.err.lines().find(|line| line.contains("has what the interrupted run answered")).expect("it is told");
    let unfinished = told.split_whitespace().find(|word| word.ends_with(".headwater-partial")).expect("and where");
    assert!(fs::read_to_string(unfinished).unwrap().lines().count() as u64 >= known);
    assert_eq!(fs::read_to_string(&answers).unwrap().lines().count() as u64, 40 - known);
}

/// A kill leaves a file that nobody will ever finish: the next who may write takes it away, and no other.
#[test]
fn what_a_kill_has_left_is_taken_away() {
    let place = Place::new();
    let (table, input) = (place.path("t"), place.write("a.jsonl", &stream(3)));
    let left = place.write("t.aBc12z.headwater-partial", "half");
    let others = ["t.old.aBc12z.headwater-partial", "tt.aBc12z.headwater-partial", "t.headwater-partial"]
        .map(|name| place.write(name, "of another"));
    trace(&table, &input);
    assert!(!Path::new(&left).exists());
    assert!(others.iter().all(|other| Path::new(other).exists()));
}

#[test]
fn the_names_of_another_table_are_told() {
    let place = Place::new();
    let all = stream(60);
    let (one, other) = all.split_at(all.match_indices('\n').nth(29).unwrap().0 + 1);
    let tables = [("one", one), ("other", other)].map(|(name, lines)| {
        let table = place.path(name);
        trace(&table, &place.write(&format!("{name}.jsonl"), lines));
        headwater(&["table", "verify", &table]).succeeded();
        table
    });
    fs::copy(format!("{}.names", tables[1]), format!("{}.names", tables[0])).unwrap();
    let refused = headwater(&["table", "verify", &tables[0]]);
    assert!(refused.code == 1 && refused.err.contains("of other documents than the table knows"), "{}", refused.err);
    headwater(&["table", "remove", &tables[1], "--id", "d59", "--id", "d58"]).succeeded();
    headwater(&["table", "verify", &tables[1]]).succeeded();
}

#[test]
fn other_input_than_that_of_an_interrupted_run_is_new() {
    let place = Place::new();
    let (table, input) = (place.path("t"), place.write("a.jsonl", &stream(200)));
    let mut child = ingest(&table, &input, Stdio::null());
    appears(&table);
    child.kill().unwrap();
    child.wait().unwrap();
    let known = headwater(&["table", "stats", "--json", &table]).rows()[0]["documents"].as_u64().unwrap();
    let other = place.write("b.jsonl", &stream(3).replace("\"d", "\"other"));
    assert_eq!(trace(&table, &other).len(), 3, "all are reported");
    let now = headwater(&["table", "stats", "--json", &table]).rows()[0]["documents"].as_u64().unwrap();
    assert_eq!(now, known + 3);
}

#[test]
fn tables_are_described_merged_exported_and_pruned() {
    let place = Place::new();
    let lines = stream(60);
    let lines: Vec<&str> = lines.lines().collect();
    // The odd documents know text that the even ones had first, and the other way round.
    let part = |rest: usize| -> String { lines.iter().skip(rest).step_by(2).map(|line| format!("{line}\n")).collect() };
    let tables = ["even", "odd"].map(|name| place.path(name));
    for (rest, table) in tables.iter().enumerate() {
        let input = place.write(&format!("{rest}.jsonl"), &part(rest));
        headwater(&["trace", "--memory", "1MiB", "--table", table, &input]).succeeded();
    }
    let merged = place.path("merged");
    headwater(&["table", "merge", &tables[0], &tables[1], "-o", &merged]).succeeded();
    headwater(&["table", "verify", &merged]).succeeded();
    let again = headwater(&["table", "merge", &tables[0], &tables[1], "-o", &merged]);
    assert!(again.code == 1 && again.err.contains("it is there already"), "{}", again.err);
    let stats = headwater(&["table", "stats", "--json", &merged]).rows().remove(0);
    assert_eq!((&stats["documents"], &stats["evictions"]), (&json!(60), &json!(0)));
    assert_eq!((&stats["oldest"]["id"], &stats["newest"]["id"]), (&json!("d0"), &json!("d59")));
    let described = headwater(&["table", "stats", &merged]).succeeded();
    assert!(described.contains("documents   60"), "{described}");

    // Asked of the merged table, every text is from the document that a single run names.
    let all = place.write("all.jsonl", &lines.join("\n"));
    let reference = place.path("reference");
    headwater(&["trace", "--memory", "1MiB", "--table", &reference, &all]).succeeded();
    let ask = |table: &str| headwater(&["trace", "--table", table, "--no-add", &all]).rows();
    let dominant = |rows: Vec<Value>| rows.iter().map(|row| row["dominant_origin"].clone()).collect::<Vec<_>>();
    assert_eq!(dominant(ask(&merged)), dominant(ask(&reference)));

    let exported = headwater(&["table", "export", &merged]).rows();
    assert_eq!(exported.len() as u64, stats["entries"].as_u64().unwrap());
    assert!(exported.iter().any(|row| row["origin"] == "d7"));
    headwater(&["table", "remove", &merged, "--id", "d7", "--before", "5"]).succeeded();
    let stats = headwater(&["table", "stats", "--json", &merged]).rows().remove(0);
    assert_eq!((&stats["documents"], &stats["removed"]), (&json!(60), &json!(6)));
    assert!(headwater(&["table", "stats", &merged]).out.contains("60, of which 6 were removed"));
    headwater(&["table", "verify", &merged]).succeeded();
    let left = headwater(&["table", "export", &merged]).rows();
    let origins: BTreeSet<&str> = left.iter().map(|row| row["origin"].as_str().unwrap()).collect();
    assert!(
        ["d0", "d3", "d4", "d7"].iter().all(|gone| !origins.contains(gone)) && origins.contains("d6"),
        "{origins:?}"
    );
    assert_eq!(ask(&merged)[7]["dominant_origin"], "d7", "its own text is new again");

    let unknown = headwater(&["table", "remove", &merged, "--id", "nobody"]);
    assert!(unknown.code == 1 && unknown.err.contains("no document has the id nobody"), "{}", unknown.err);
    let differ = place.path("differ");
    headwater(&["trace", "--memory", "2MiB", "--table", &differ, &all]).succeeded();
    let refused = headwater(&["table", "merge", &merged, &differ, "-o", &place.path("never")]);
    assert!(refused.code == 1 && refused.err.contains("different settings"), "{}", refused.err);
    assert!(!Path::new(&place.path("never")).exists());
}

/// The place before all others is kept with the table, and is not a time that `--before` could mean.
#[test]
fn documents_without_a_time_stay_first_from_run_to_run() {
    let place = Place::new();
    let table = place.path("t");
    let passage = "the gauge was cut into the slate by a hand that knew how rivers behave in March";
    let ask = |id: &str, time: &str| {
        let line = format!("{{\"id\":\"{id}\"{time},\"text\":\"{id} says {passage}\"}}\n");
        trace(&table, &place.write(&format!("{id}.jsonl"), &line)).remove(0)
    };
    assert_eq!(ask("untimed", "")["segments"], json!([]));
    for (id, time) in [("old", ",\"time\":\"1950-01-01\""), ("behind", ""), ("new", ",\"time\":\"2024-01-01\"")] {
        assert_eq!(ask(id, time)["segments"][0]["origin"], "untimed", "{id}");
    }
    let removed = headwater(&["table", "remove", &table, "--before", "1960-01-01"]);
    assert!(removed.err.contains("2 documents forgotten"), "{}", removed.err);
    assert_eq!(ask("last", "")["segments"][0]["origin"], "untimed");
}

/// A question without a time is asked now, whatever was asked before it; what is added has its place behind the one before.
#[test]
fn an_old_question_does_not_date_the_next() {
    let place = Place::new();
    let table = place.path("t");
    let passage = "the gauge was cut into the slate by a hand that knew how rivers behave in March";
    let line = |id: &str, time: &str| format!("{{\"id\":\"{id}\"{time},\"text\":\"{id} says {passage}\"}}\n");
    trace(&table, &place.write("a.jsonl", &line("a", ",\"time\":\"2024-01-01\"")));
    let both = line("b", ",\"time\":\"1990-01-01\"") + &line("c", "");
    let asked = with_input(&["trace", "--table", &table, "--no-add", "-"], &both).rows();
    let origins = |rows: &[Value]| rows.iter().map(|row| row["segments"][0]["origin"].clone()).collect::<Vec<_>>();
    assert_eq!(origins(&asked), [Value::Null, json!("a")]);
    let added = with_input(&["trace", "--table", &table, "-"], &both).rows();
    assert_eq!(origins(&added), [Value::Null, json!("b")]);
}

#[test]
fn a_table_where_nothing_can_be_written_is_told_at_once() {
    let refused = headwater(&["trace", "--demo", "--table", "no/such/folder/t"]);
    assert_eq!(refused.code, 1);
    assert!(refused.err.contains("no/such/folder/t: cannot lock the table"), "{}", refused.err);
}
