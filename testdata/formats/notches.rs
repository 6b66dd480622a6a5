//! Notches of a slate gauge, counted from its foot: a small invented module.

/// The deepest drop between two neighbouring mornings, and the morning on which it ended.
pub fn steepest_fall(levels: &[f64]) -> Option<(usize, f64)> {
    let mut best: Option<(usize, f64)> = None;
    for (morning, pair) in levels.windows(2).enumerate() {
        let fall = pair[0] - pair[1];
        if fall > 0.0 && best.is_none_or(|(_, deepest)| fall > deepest) {
            best = Some((morning + 1, fall));
        }
    }
    best
}

/// Moves every reading from one zero to another.
pub fn shift_zero(levels: &mut [f64], old_zero: f64, new_zero: f64) {
    for level in levels {
        *level += old_zero - new_zero;
    }
}
