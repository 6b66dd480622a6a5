//! The program `headwater`.

fn main() {}
