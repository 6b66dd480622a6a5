//! Any text as a time: a time that prints as it was written, or none.
#![no_main]

use headwater_io::{time_of_number, time_of_text};

libfuzzer_sys::fuzz_target!(|text: &str| {
    if let Some(time) = time_of_text(text) {
        let written = time.to_string();
        let again = time_of_text(&written).expect("what was printed can be read");
        assert_eq!(time.micros(), again.micros());
    }
    let _ = time_of_number(text);
});
