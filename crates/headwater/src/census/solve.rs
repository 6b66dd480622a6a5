//! From pairwise overlaps to sizes: the over-determined system of Bharat and Broder (WWW7, 1998).
//!
//! The part of x that y has too is as large as the part of y that x has too, so that f(x,y)·x − f(y,x)·y = ε for each pair. With the
//! first size fixed at 1 the others are those that make the sum of ε² least.

/// The size of each collection beside the first. None where no chain of overlaps, found from both sides, connects the two.
///
/// `share(x, y)` is the share of x that is in y too.
pub fn relative_sizes(collections: usize, share: impl Fn(usize, usize) -> f64) -> Vec<Option<f64>> {
    let connected = connected_to_first(collections, &share);
    let others: Vec<usize> = (1..collections).filter(|&at| connected[at]).collect();
    let mut sizes = vec![None; collections];
    if collections > 0 {
        sizes[0] = Some(1.0);
    }
    // The normal equations: of each pair's row (f(x,y) at x, −f(y,x) at y) the products with itself.
    let place = |collection: usize| others.iter().position(|&other| other == collection);
    let width = others.len();
    let mut rows = vec![vec![0.0; width + 1]; width];
    for x in 0..collections {
        for y in (x + 1..collections).filter(|&y| connected[x] && connected[y]) {
            let (a, b) = (share(x, y), -share(y, x));
            for (one, factor, other, weight) in [(x, a, y, b), (y, b, x, a)] {
                let Some(row) = place(one) else { continue };
                rows[row][row] += factor * factor;
                match place(other) {
                    Some(column) => rows[row][column] += factor * weight,
                    None => rows[row][width] -= factor * weight,
                }
            }
        }
    }
    if let Some(solution) = solve(rows) {
        for (&collection, size) in others.iter().zip(solution) {
            sizes[collection] = (size.is_finite() && size >= 0.0).then_some(size);
        }
    }
    sizes
}

fn connected_to_first(collections: usize, share: &impl Fn(usize, usize) -> f64) -> Vec<bool> {
    let mut connected = vec![false; collections];
    let mut open: Vec<usize> = (0..collections.min(1)).collect();
    while let Some(x) = open.pop() {
        connected[x] = true;
        open.extend((0..collections).filter(|&y| !connected[y] && share(x, y) > 0.0 && share(y, x) > 0.0));
    }
    connected
}

/// Gauss with row exchanges; the last column is the right-hand side.
fn solve(mut rows: Vec<Vec<f64>>) -> Option<Vec<f64>> {
    let width = rows.len();
    for column in 0..width {
        let pivot = (column..width).max_by(|&a, &b| rows[a][column].abs().total_cmp(&rows[b][column].abs()))?;
        rows.swap(column, pivot);
        if rows[column][column].abs() < f64::MIN_POSITIVE {
            return None;
        }
        let (done, rest) = rows.split_at_mut(column + 1);
        let pivot = &done[column];
        for row in rest {
            let factor = row[column] / pivot[column];
            row[column..].iter_mut().zip(&pivot[column..]).for_each(|(cell, above)| *cell -= factor * above);
        }
    }
    let mut solution = vec![0.0; width];
    for row in (0..width).rev() {
        let known: f64 = (row + 1..width).map(|at| rows[row][at] * solution[at]).sum();
        solution[row] = (rows[row][width] - known) / rows[row][row];
    }
    Some(solution)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_slides_example() {
        // Half of A is in B, a sixth of B in A: A / B = (1/6) / (1/2) = 1/3.
        let shares = [[1.0, 1.0 / 2.0], [1.0 / 6.0, 1.0]];
        let sizes = relative_sizes(2, |x, y| shares[x][y]);
        let ratio = sizes[0].unwrap() / sizes[1].unwrap();
        assert!((ratio - 1.0 / 3.0).abs() < 1e-12, "{ratio}");
    }

    #[test]
    fn what_no_overlap_connects_has_no_size() {
        let none = |_: usize, _: usize| 0.0;
        assert_eq!(relative_sizes(2, none), [Some(1.0), None]);
        assert_eq!(relative_sizes(1, none), [Some(1.0)]);
        assert_eq!(relative_sizes(0, none), []);
        // A and C share nothing, but both share with B.
        let shares = [[1.0, 0.5, 0.0], [0.25, 1.0, 0.1], [0.0, 0.2, 1.0]];
        let sizes = relative_sizes(3, |x, y| shares[x][y]);
        assert!((sizes[1].unwrap() - 2.0).abs() < 1e-12 && (sizes[2].unwrap() - 1.0).abs() < 1e-12, "{sizes:?}");
    }

    proptest! {
        /// Overlaps without error give the sizes without error.
        #[test]
        fn true_shares_give_true_sizes(sizes in proptest::collection::vec(0.01..100.0f64, 2..6), common in 0.05..1.0f64) {
            let shared = |x: usize, y: usize| common * sizes[x].min(sizes[y]);
            let found = relative_sizes(sizes.len(), |x, y| shared(x, y) / sizes[x]);
            for (found, size) in found.iter().zip(&sizes) {
                prop_assert!((found.unwrap() / (size / sizes[0]) - 1.0).abs() < 1e-6);
            }
        }

        /// No step away from the solution makes the sum of squares less.
        #[test]
        fn the_sum_of_squares_is_least(shares in proptest::collection::vec(0.05..1.0f64, 9), step in -0.2..0.2f64) {
            let share = |x: usize, y: usize| shares[x * 3 + y];
            let error = |sizes: &[f64]| -> f64 {
                [(0, 1), (0, 2), (1, 2)].iter().map(|&(x, y)| (share(x, y) * sizes[x] - share(y, x) * sizes[y]).powi(2)).sum()
            };
            let best: Vec<f64> = relative_sizes(3, share).into_iter().map(Option::unwrap).collect();
            for moved in 1..3 {
                let mut other = best.clone();
                other[moved] += step;
                prop_assert!(error(&best) <= error(&other) + 1e-12);
            }
        }
    }
}
