//! Any bytes as Csv: read or refused, never a panic; the same whole and in drops.
#![no_main]

mod quiet;
mod read;

libfuzzer_sys::fuzz_target!(init: quiet::quiet(), |bytes: &[u8]| read::check(headwater_io::Format::Csv, bytes));
