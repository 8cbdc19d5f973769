//! A line through values, ready to draw.

/// Values scaled into a unit square, with the bounds that they were scaled by.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Curve {
    /// Index of the value and its position: `x` and `y` run from 0 to 1, and `y` points up. Values that aren't finite
    /// are left out.
    pub points: Vec<(usize, f64, f64)>,
    pub low: f64,
    pub high: f64,
    /// Number of values that are not finite.
    pub broken: usize,
}

/// Fits `values` into the unit square with about `limit` points at most. When there are more values, the line is cut
/// into stretches, and each keeps its lowest and its highest value, so that no spike is lost. Returns `None` if no
/// value is finite.
pub(crate) fn fit(values: &[f64], limit: usize) -> Option<Curve> {
    let finite: Vec<(usize, f64)> = values.iter().copied().enumerate().filter(|(_, v)| v.is_finite()).collect();
    let low = finite.iter().map(|(_, v)| *v).fold(f64::INFINITY, f64::min);
    let high = finite.iter().map(|(_, v)| *v).fold(f64::NEG_INFINITY, f64::max);
    if finite.is_empty() {
        return None;
    }
    let width = values.len().saturating_sub(1).max(1) as f64;
    let height = if high > low { high - low } else { 1.0 };
    let place = |&(i, v): &(usize, f64)| (i, i as f64 / width, if high > low { (v - low) / height } else { 0.5 });
    let points = if finite.len() <= limit {
        finite.iter().map(place).collect()
    } else {
        let stretch = finite.len().div_ceil((limit / 2).max(1));
        finite
            .chunks(stretch)
            .flat_map(|chunk| {
                let by_value = |a: &&(usize, f64), b: &&(usize, f64)| a.1.total_cmp(&b.1);
                let ends = [chunk.iter().min_by(by_value), chunk.iter().max_by(by_value)];
                let mut ends: Vec<&(usize, f64)> = ends.into_iter().flatten().collect();
                ends.sort_unstable_by_key(|(i, _)| *i);
                ends.dedup_by_key(|(i, _)| *i);
                ends.into_iter().map(place).collect::<Vec<_>>()
            })
            .collect()
    };
    Some(Curve { points, low, high, broken: values.len() - finite.len() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_values_are_all_drawn() {
        let curve = fit(&[2.0, 1.0, 0.0], 100).unwrap();
        assert_eq!(curve.points, [(0, 0.0, 1.0), (1, 0.5, 0.5), (2, 1.0, 0.0)]);
        assert_eq!((curve.low, curve.high, curve.broken), (0.0, 2.0, 0));
    }

    #[test]
    fn one_value_and_equal_values_lie_in_the_middle() {
        assert_eq!(fit(&[3.0], 100).unwrap().points, [(0, 0.0, 0.5)]);
        assert!(fit(&[3.0, 3.0], 100).unwrap().points.iter().all(|p| p.2 == 0.5));
    }

    #[test]
    fn nan_is_counted_and_left_out() {
        let curve = fit(&[1.0, f64::NAN, 3.0], 100).unwrap();
        assert_eq!((curve.points.len(), curve.broken), (2, 1));
        assert_eq!(fit(&[f64::NAN], 100), None);
        assert_eq!(fit(&[], 100), None);
    }

    #[test]
    fn a_long_run_keeps_its_spikes() {
        let mut values = vec![0.0; 10_000];
        values[7_777] = 5.0;
        let curve = fit(&values, 200).unwrap();
        assert!(curve.points.len() <= 202, "{}", curve.points.len());
        assert!(curve.points.iter().any(|&(i, _, y)| i == 7_777 && y == 1.0));
    }
}
