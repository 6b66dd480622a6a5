// Spring report, figures for the appendix.

fn mornings_above(levels: &[f64], mark: f64) -> usize { levels.iter().filter(|level| **level > mark).count() }

pub fn steepest_fall( levels: &[f64] ) -> Option<(usize, f64)>
{
  let mut best: Option<(usize, f64)> = None;
  for (morning, pair) in levels.windows(2).enumerate()
  {
    let fall = pair[0] - pair[1]; // metres
    if fall > 0.0
      && best.is_none_or(|(_, deepest)| fall > deepest)
    { best = Some((morning + 1, fall)); }
  }
  best
}
