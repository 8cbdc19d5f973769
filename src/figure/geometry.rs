//! Clips lines and areas to a rectangle, and drops points that can't be told apart. Everything is in pixels.

/// With this many points or fewer, none is dropped.
const MANY: usize = 4000;
/// The most points of one line, after close ones are merged.
const MOST: usize = 60_000;

pub(super) type Point = [f64; 2];
/// Left, top, right, bottom.
pub(super) type Edges = [f64; 4];

pub(super) fn finite(p: &Point) -> bool {
    p[0].is_finite() && p[1].is_finite()
}

/// Whether a point is inside, or at most a fifth of a pixel outside.
pub(super) fn holds([x0, y0, x1, y1]: Edges, [x, y]: Point) -> bool {
    x >= x0 - 0.2 && x <= x1 + 0.2 && y >= y0 - 0.2 && y <= y1 + 0.2
}

/// The pieces of a line that are inside; the line breaks where a coordinate is NaN or infinite.
pub(super) fn pieces(points: &[Point], edges: Edges) -> Vec<Vec<Point>> {
    let mut out: Vec<Vec<Point>> = Vec::new();
    let mut open = false;
    for pair in points.windows(2) {
        let Some((from, to)) = finite(&pair[0]).then_some(()).and_then(|()| within(pair[0], pair[1], edges)) else {
            open = false;
            continue;
        };
        match out.last_mut().filter(|_| open) {
            Some(piece) => piece.push(to),
            None => out.push(vec![from, to]),
        }
        open = to == pair[1];
    }
    out
}

/// The part of a segment that is inside; `None` if there is none.
fn within(a: Point, b: Point, [x0, y0, x1, y1]: Edges) -> Option<(Point, Point)> {
    if !finite(&b) {
        return None;
    }
    let (dx, dy) = (b[0] - a[0], b[1] - a[1]);
    let (mut first, mut last) = (0.0_f64, 1.0_f64);
    for (step, room) in [(-dx, a[0] - x0), (dx, x1 - a[0]), (-dy, a[1] - y0), (dy, y1 - a[1])] {
        if step == 0.0 {
            if room < 0.0 {
                return None;
            }
        } else if step < 0.0 {
            first = first.max(room / step);
        } else {
            last = last.min(room / step);
        }
    }
    let at = |t: f64| [a[0] + t * dx, a[1] + t * dy];
    (first <= last).then(|| (if first > 0.0 { at(first) } else { a }, if last < 1.0 { at(last) } else { b }))
}

/// The part of an area that is inside.
pub(super) fn area_within(points: &[Point], [x0, y0, x1, y1]: Edges) -> Vec<Point> {
    let mut out = points.to_vec();
    // Cuts off the part outside each edge, one edge after the other.
    for (axis, edge, sign) in [(0, x0, 1.0), (0, x1, -1.0), (1, y0, 1.0), (1, y1, -1.0)] {
        let inside = |p: &Point| sign * (p[axis] - edge) >= 0.0;
        let mut kept = Vec::with_capacity(out.len());
        for i in 0..out.len() {
            let (a, b) = (out[i], out[(i + 1) % out.len()]);
            if inside(&a) {
                kept.push(a);
            }
            if inside(&a) != inside(&b) {
                let part = (edge - a[axis]) / (b[axis] - a[axis]);
                kept.push([a[0] + part * (b[0] - a[0]), a[1] + part * (b[1] - a[1])]);
            }
        }
        out = kept;
    }
    out
}

/// A line that looks the same with fewer points. Of consecutive points in one column of pixels, the first, the highest, the
/// lowest and the last are kept. If a line still has very many points, it goes back and forth over the entire plot and looks
/// like a filled area. Then every n-th point is kept.
pub(super) fn thinned(points: Vec<Point>) -> Vec<Point> {
    if points.len() <= MANY {
        return points;
    }
    let column = |p: &Point| if finite(p) { p[0].floor() } else { f64::INFINITY };
    let mut out = Vec::new();
    for row in points.chunk_by(|a, b| column(a) == column(b)) {
        let by_height = |a: &usize, b: &usize| row[*a][1].total_cmp(&row[*b][1]);
        let last = row.len() - 1;
        let mut keep = vec![0, last];
        if finite(&row[0]) {
            keep.extend((0..=last).min_by(by_height));
            keep.extend((0..=last).max_by(by_height));
        }
        keep.sort_unstable();
        keep.dedup();
        out.extend(keep.into_iter().map(|i| row[i]));
    }
    let every = out.len().div_ceil(MOST);
    out.into_iter().step_by(every).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOX: Edges = [0.0, 0.0, 100.0, 50.0];

    #[test]
    fn a_line_is_cut_at_the_edges_and_where_it_has_no_number() {
        let line = [[-10.0, 10.0], [10.0, 10.0], [20.0, f64::NAN], [30.0, 10.0], [30.0, 90.0], [40.0, 90.0]];
        assert_eq!(pieces(&line, BOX), [vec![[0.0, 10.0], [10.0, 10.0]], vec![[30.0, 10.0], [30.0, 50.0]]]);
        assert!(pieces(&[[f64::NAN, 0.0], [1.0, 1.0]], BOX).is_empty());
    }

    #[test]
    fn an_area_is_cut_at_the_edges() {
        let out = area_within(&[[-50.0, 10.0], [50.0, 10.0], [50.0, 20.0], [-50.0, 20.0]], BOX);
        assert_eq!(out.len(), 4);
        assert!(out.iter().all(|p| holds(BOX, *p)) && out.contains(&[0.0, 10.0]));
        assert!(area_within(&[[-5.0, -5.0], [-1.0, -1.0], [-9.0, -1.0]], BOX).is_empty());
    }

    #[test]
    fn many_points_keep_their_extremes() {
        let wave = |i: usize| [i as f64 / 1e4, if i == 123_456 { 49.0 } else { (i % 7) as f64 }];
        let out = thinned((0..1_000_000).map(wave).collect());
        assert!(out.len() <= 400 && out.contains(&wave(123_456)), "{}", out.len());
        let to_and_fro = |i: usize| [(i * 37 % 100) as f64, (i % 50) as f64];
        assert!(thinned((0..1_000_000).map(to_and_fro).collect()).len() <= MOST);
    }
}
