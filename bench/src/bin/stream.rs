//! A stream of documents of any length, for showing that memory does not grow with it: every document has words that
//! nobody else has, and every other one a passage of an earlier document.
//!
//! usage: stream GIGABYTES | headwater trace --memory 256MiB - > /dev/null

use std::io::{self, BufWriter, Write};

use headwater::text::mix;

/// Words of a document that are its own.
const WORDS: u64 = 300;
/// Words of a copied passage.
const COPIED: u64 = 80;

fn main() -> io::Result<()> {
    let gigabytes: f64 = std::env::args().nth(1).and_then(|number| number.parse().ok()).unwrap_or(2.0);
    let mut out = BufWriter::with_capacity(1 << 20, io::stdout().lock());
    let (mut written, mut document, mut line) = (0, 0u64, Vec::new());
    while (written as f64) < gigabytes * 1e9 {
        line.clear();
        write!(line, "{{\"id\":\"d{document}\",\"time\":{document},\"text\":\"")?;
        words(document, 0..WORDS, &mut line);
        if document % 2 == 1 {
            // Mostly of the recent past, sometimes of long ago.
            let back = 1 + mix(document) % (1 << (1 + mix(document + 1) % 20)).min(document);
            let from = mix(document + 2) % (WORDS - COPIED);
            words(document - back, from..from + COPIED, &mut line);
        }
        line.extend_from_slice(b"\"}\n");
        out.write_all(&line)?;
        (written, document) = (written + line.len(), document + 1);
    }
    out.flush()
}

fn words(document: u64, range: std::ops::Range<u64>, line: &mut Vec<u8>) {
    let seed = mix(document);
    for word in range {
        let mut letters = mix(seed ^ word);
        for _ in 0..3 + letters % 6 {
            letters /= 7;
            line.push(b'a' + (letters % 26) as u8);
        }
        line.push(b' ');
    }
}
