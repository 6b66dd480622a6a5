//! Reads what it is given and tells what was in it, how fast: `cargo run --release --bin read -- THREADS INPUT…`.

use std::time::Instant;

use headwater_io::{Event, Inputs, ReadOptions, read};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let threads = arguments.next().unwrap_or_default().parse()?;
    let inputs = Inputs::open(&arguments.collect::<Vec<_>>())?;
    let options = ReadOptions { threads, ..ReadOptions::default() };
    let start = Instant::now();
    let mut text = 0;
    let summary = read(
        &inputs,
        &options,
        |document| document.text.len(),
        |event| {
            match event {
                Event::Document(length) => text += length,
                Event::Problem(problem) => eprintln!("{problem}"),
            }
            Ok::<(), std::convert::Infallible>(())
        },
    )?;
    let seconds = start.elapsed().as_secs_f64();
    println!("{summary:#?}");
    let megabytes = summary.bytes_decompressed as f64 / 1e6;
    println!("{text} bytes of text; {megabytes:.1} MB in {seconds:.3} s: {:.0} MB/s", megabytes / seconds);
    Ok(())
}
