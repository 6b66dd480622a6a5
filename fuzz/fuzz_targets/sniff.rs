//! Any bytes without a word on what they are: format and compression are told, and what comes of it is read or refused.
#![no_main]

mod quiet;
mod read;

libfuzzer_sys::fuzz_target!(init: quiet::quiet(), |bytes: &[u8]| read::check(None, bytes));
