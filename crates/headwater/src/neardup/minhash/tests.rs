//! Sketches against the slides' examples, a plain reference, and what they promise.

use proptest::prelude::*;

use super::*;

/// The one-pass rule of the slides: for each function the least value over the rows.
fn reference<T: Copy>(rows: &[T], functions: &[&dyn Fn(T) -> u32]) -> Vec<u32> {
    functions.iter().map(|hash| rows.iter().map(|&row| hash(row)).min().unwrap_or(EMPTY)).collect()
}

/// IIR 19: h(x) = x mod 5 and g(x) = (2x + 1) mod 5 over the rows of two columns.
#[test]
fn the_slots_of_the_slides() {
    let functions: [&dyn Fn(u32) -> u32; 2] = [&|x| x % 5, &|x| (2 * x + 1) % 5];
    assert_eq!(reference(&[1, 3, 4], &functions), [1, 2]);
    assert_eq!(reference(&[2, 3, 5], &functions), [0, 0]);
}

/// IIR 19: three permutations of five rows; columns 1 and 3 agree in two of three signatures.
#[test]
fn the_signatures_of_the_slides() {
    let columns = [&[1u32, 3, 4][..], &[2, 5], &[1, 2, 4]];
    let orders = [[1u32, 2, 3, 4, 5], [5, 4, 3, 2, 1], [3, 4, 5, 1, 2]];
    let signature = |column: &[u32]| -> Vec<u32> {
        orders.iter().map(|order| *order.iter().find(|row| column.contains(row)).unwrap()).collect()
    };
    let signatures = columns.map(signature);
    assert_eq!(signatures, [vec![1, 4, 3], vec![2, 5, 5], vec![1, 4, 4]]);
    assert_eq!(agreement(&signatures[0], &signatures[1]), 0.0);
    assert_eq!(agreement(&signatures[0], &signatures[2]), 2.0 / 3.0);
    assert_eq!(agreement(&signatures[1], &signatures[2]), 0.0);
}

fn sketch(sketcher: &Sketcher, features: &[u64]) -> Vec<u32> {
    let mut out = Vec::new();
    sketcher.sketch(features, &mut out);
    out
}

proptest! {
    #[test]
    fn every_path_gives_the_least_value_of_each_permutation(
        features in proptest::collection::vec(any::<u64>(), 1..60), permutations in 1usize..140
    ) {
        let sketcher = Sketcher::new(permutations, Hashing::Classic);
        let portable = Sketcher { minima: lanes::portable, ..sketcher.clone() };
        let least = |n: usize| {
            let (a, b) = (sketcher.a[n / LANES][n % LANES], sketcher.b[n / LANES][n % LANES]);
            features.iter().map(|feature| ((feature >> 32) as u32).wrapping_mul(a).wrapping_add(b)).min().unwrap()
        };
        let expected: Vec<u32> = (0..permutations).map(least).collect();
        prop_assert_eq!(sketch(&sketcher, &features), expected.clone());
        prop_assert_eq!(sketch(&portable, &features), expected);
    }

    #[test]
    fn the_order_of_features_does_not_matter(mut features in proptest::collection::vec(any::<u64>(), 1..60)) {
        for hashing in Hashing::ALL {
            let sketcher = Sketcher::new(100, hashing);
            let forwards = sketch(&sketcher, &features);
            features.reverse();
            prop_assert_eq!(forwards.len(), 100);
            prop_assert!(hashing == Hashing::Classic || !forwards.contains(&EMPTY));
            prop_assert_eq!(forwards, sketch(&sketcher, &features));
        }
    }
}

/// Over many pairs of sets of a known Jaccard, large and small, sketches agree as often as the sets are alike.
#[test]
fn agreement_estimates_jaccard_without_bias() {
    for hashing in Hashing::ALL {
        let sketcher = Sketcher::new(128, hashing);
        for (shared, own) in [(80u64, 10u64), (8, 1), (500, 250), (20, 40), (0, 30)] {
            let jaccard = shared as f64 / (shared + 2 * own) as f64;
            let trials = 200;
            let estimate = |trial: u64| {
                let features = |side: u64| -> Vec<u64> {
                    let common = (0..shared).map(|n| (trial, 0, n));
                    common.chain((0..own).map(|n| (trial, side, n))).map(|(t, s, n)| mix(mix(t << 8 | s) ^ n)).collect()
                };
                agreement(&sketch(&sketcher, &features(1)), &sketch(&sketcher, &features(2)))
            };
            let mean = (0..trials).map(estimate).sum::<f64>() / trials as f64;
            assert!((mean - jaccard).abs() < 0.02, "{hashing}: {mean} for {jaccard}");
        }
    }
}

#[test]
fn names_lead_back() {
    for hashing in Hashing::ALL {
        assert_eq!(hashing.name().parse(), Ok(hashing));
    }
    assert!("two".parse::<Hashing>().is_err());
}
