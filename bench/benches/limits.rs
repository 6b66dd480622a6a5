//! What the machine can do: the kernels that jobs are stated as a share of, one core, in memory.
//!
//! `LIMITS_TEXT` names a file of JSONL whose text is used; without it posts are generated. Left out: gxhash, which cannot be built
//! without AES instructions, and Rabin fingerprints by carry-less multiplication, which nothing here uses.

use std::hint::black_box;
use std::time::Duration;

use criterion::{BenchmarkGroup, Criterion, Throughput, criterion_group, criterion_main, measurement::WallTime};
use headwater::generate::{Posts, Settings};
use headwater::text::{Reading, Tokens};
use headwater_bench::collection::text_of;
use headwater_bench::limit::{self, Room, hash, memory, parse, probe, roll, sketch, tokens};

/// Bytes of text that a kernel goes through.
const TEXT: usize = 16_000_000;
/// Bytes of the table that is probed.
const TABLE: usize = 1 << 30;
const PROBES: u64 = 1 << 20;

struct Input {
    lines: Vec<String>,
    /// All texts, and behind them room that kernels may read.
    padded: Vec<u8>,
    spans: Vec<(usize, usize)>,
    /// Where every token of every text stands, and its hash.
    tokens: Vec<(usize, usize)>,
    hashes: Vec<Vec<u64>>,
}

fn input() -> Input {
    let mut lines: Vec<String> = match std::env::var_os("LIMITS_TEXT") {
        Some(path) => {
            std::fs::read_to_string(path).expect("LIMITS_TEXT is a file").lines().map(str::to_owned).collect()
        }
        None => {
            let posts = Posts::new(Settings::default()).expect("the defaults are valid");
            let line = |text: String| {
                serde_json::json!({ "id": "a", "text": text }).to_string().replace("\"text\":", "\"text\": ")
            };
            posts.map(|post| line(post.text)).take(16_000).collect()
        }
    };
    let (mut padded, mut spans) = (Vec::new(), Vec::new());
    for line in &lines {
        let text = text_of(line.as_bytes());
        spans.push((padded.len(), text.len()));
        padded.extend_from_slice(text.as_bytes());
        if padded.len() > TEXT {
            break;
        }
    }
    lines.truncate(spans.len());
    padded.extend_from_slice(&[0; 64]);
    let (mut words, mut hashes, mut places) = (Tokens::new(), Vec::new(), Vec::new());
    for &(start, length) in &spans {
        let text = std::str::from_utf8(&padded[start..start + length]).expect("JSON is UTF-8");
        words.read(text, Reading::Words).expect("documents are short");
        hashes.push(words.hashes().to_vec());
        let mut from = None;
        for (at, byte) in text.bytes().chain([b' ']).enumerate() {
            match (byte.is_ascii_alphanumeric(), from) {
                (true, None) => from = Some(at),
                (false, Some(begin)) => {
                    places.push((start + begin, at - begin));
                    from = None;
                }
                _ => {}
            }
        }
    }
    Input { lines, padded, spans, tokens: places, hashes }
}

impl Input {
    fn text_bytes(&self) -> u64 {
        self.padded.len() as u64 - 64
    }

    fn line_bytes(&self) -> u64 {
        self.lines.iter().map(|line| line.len() as u64 + 1).sum()
    }

    fn texts(&self) -> impl Iterator<Item = &str> {
        let text = |&(start, length): &(usize, usize)| std::str::from_utf8(&self.padded[start..start + length]);
        self.spans.iter().map(move |span| text(span).expect("JSON is UTF-8"))
    }
}

fn limits(criterion: &mut Criterion) {
    let input = input();
    memory_kernels(criterion, &input);
    parse_kernels(criterion, &input);
    token_kernels(criterion, &input);
    hash_kernels(criterion, &input);
    shingle_kernels(criterion, &input);
    fused_kernels(criterion, &input);
    sketch_kernels(criterion, &input);
    probe_kernels(criterion);
}

fn bench(group: &mut BenchmarkGroup<WallTime>, name: &str, mut run: impl FnMut() -> u64) {
    group.bench_function(name, |bencher| bencher.iter(|| black_box(run())));
}

fn group<'a>(criterion: &'a mut Criterion, name: &str, throughput: Throughput) -> BenchmarkGroup<'a, WallTime> {
    let mut group = criterion.benchmark_group(name);
    group.throughput(throughput);
    group
}

fn memory_kernels(criterion: &mut Criterion, input: &Input) {
    let mut group = group(criterion, "bytes", Throughput::Bytes(input.text_bytes()));
    bench(&mut group, "read memory", || memory::sum(&input.padded[..input.padded.len() - 64]));
    let (path, mut buffer) = (std::env::temp_dir().join(format!("limits-{}", std::process::id())), Vec::new());
    std::fs::write(&path, &input.padded[..input.padded.len() - 64]).expect("a temporary file can be written");
    bench(&mut group, "page-cached file", || memory::read(&path, &mut buffer).expect("it was just written") as u64);
    let _ = std::fs::remove_file(&path);
}

fn parse_kernels(criterion: &mut Criterion, input: &Input) {
    let mut group = group(criterion, "JSONL parse", Throughput::Bytes(input.line_bytes()));
    let each = |take: fn(&[u8]) -> usize| input.lines.iter().map(|line| take(line.as_bytes()) as u64).sum();
    bench(&mut group, "serde_json", || each(parse::serde));
    bench(&mut group, "sonic-rs", || each(parse::sonic));
    let mut out = Vec::new();
    bench(&mut group, "by hand, memchr", || {
        input.lines.iter().map(|line| parse::by_hand(line.as_bytes(), &mut out) as u64).sum()
    });
}

fn token_kernels(criterion: &mut Criterion, input: &Input) {
    let mut group = group(criterion, "tokens", Throughput::Bytes(input.text_bytes()));
    let each = |take: fn(&str) -> u64| input.texts().map(take).sum();
    bench(&mut group, "chars", || each(tokens::chars));
    bench(&mut group, "to_lowercase and split", || each(tokens::lowercase_split));
    bench(&mut group, "byte table", || each(tokens::byte_table));
    bench(&mut group, "unicode-segmentation", || each(tokens::unicode_words));
    bench(&mut group, "SIMD class masks", || {
        input.spans.iter().map(|&(start, length)| limit::masks(&input.padded[start..], length)).sum()
    });
}

fn hash_kernels(criterion: &mut Criterion, input: &Input) {
    let mut group = group(criterion, "token hash", Throughput::Bytes(input.text_bytes()));
    let each = |hash: fn(&[u8]) -> u64| {
        input.tokens.iter().fold(0, |sum, &(start, length)| sum ^ hash(&input.padded[start..start + length]))
    };
    bench(&mut group, "SipHash", || each(hash::sip));
    bench(&mut group, "wyhash", || each(hash::wy));
    bench(&mut group, "rapidhash", || each(hash::rapid));
    bench(&mut group, "two loads, one multiplication", || {
        input.tokens.iter().fold(0, |sum, &(start, length)| sum ^ hash::two_loads(&input.padded, start, length))
    });
}

fn shingle_kernels(criterion: &mut Criterion, input: &Input) {
    let mut group = group(criterion, "shingles of 8", Throughput::Bytes(input.text_bytes()));
    let mut out = Vec::new();
    let mut each = |take: fn(&[u64], &mut Vec<u64>)| {
        input.hashes.iter().fold(0, |sum, hashes| {
            take(hashes, &mut out);
            sum ^ out.last().copied().unwrap_or(0)
        })
    };
    bench(&mut group, "polynomial", || each(roll::polynomial));
    bench(&mut group, "cyclic polynomial", || each(roll::cyclic));
    let select = |take: fn(&[u64]) -> u64| input.hashes.iter().map(|hashes| take(hashes)).sum();
    bench(&mut group, "Hailstorm, queue of minima", || select(roll::deque));
    bench(&mut group, "Hailstorm, naive", || select(roll::naive));
    let mut minima = Vec::new();
    bench(&mut group, "Hailstorm, doubling minima", || {
        input.hashes.iter().map(|hashes| roll::doubling(hashes, &mut minima)).sum()
    });
}

fn fused_kernels(criterion: &mut Criterion, input: &Input) {
    let mut room = Room::default();
    let mut text = group(criterion, "text to Hailstorm", Throughput::Bytes(input.text_bytes()));
    bench(&mut text, "fused", || {
        input
            .spans
            .iter()
            .fold(0, |sum, &(start, length)| sum ^ limit::fused(&input.padded[start..], length, &mut room))
    });
    text.finish();
    let mut lines = group(criterion, "JSONL to Hailstorm", Throughput::Bytes(input.line_bytes()));
    let mut buffer = Vec::new();
    bench(&mut lines, "sonic-rs and fused", || {
        input.lines.iter().fold(0, |sum, line| {
            let text = text_of(line.as_bytes());
            buffer.clear();
            buffer.extend_from_slice(text.as_bytes());
            buffer.extend_from_slice(&[0; 64]);
            sum ^ limit::fused(&buffer, text.len(), &mut room)
        })
    });
}

fn sketch_kernels(criterion: &mut Criterion, input: &Input) {
    let mut group = group(criterion, "MinHash-128", Throughput::Bytes(input.text_bytes()));
    let mut place = [0; 128];
    let mut each = |take: fn(&[u64], &mut [u32; 128])| {
        input.hashes.iter().fold(0, |sum, hashes| {
            take(hashes, &mut place);
            sum ^ u64::from(place[0])
        })
    };
    bench(&mut group, "classic", || each(sketch::classic));
    bench(&mut group, "one permutation", || each(sketch::one_permutation));
}

fn probe_kernels(criterion: &mut Criterion) {
    let table = probe::Table::new(TABLE);
    let mut group = group(criterion, "probe of 1 GiB", Throughput::Elements(PROBES));
    group.sample_size(10);
    bench(&mut group, "whole bucket of 1 KiB", || table.scan(PROBES));
    bench(&mut group, "tag line, slot line", || table.tag_line(PROBES));
    bench(&mut group, "dependent", || table.dependent(PROBES));
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_millis(1500))
        .sample_size(10)
        .without_plots();
    targets = limits
}
criterion_main!(benches);
