//! An axis: its ends, its marks, and the labels of the marks.

use super::spec::{Artist, Axes, Axis, Line, Points};

/// The farthest distance of a coordinate from the page, in pixels.
const FAR: f64 = 1_677_721.6;
/// The place on a logarithmic axis of values that aren't above zero: far below all others.
const NOTHING: f64 = -1000.0;
/// Larger values are drawn at this value, so that no difference of two numbers overflows.
const LARGEST: f64 = 1e300;

#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Along {
    X,
    Y,
}

/// An axis with known ends and marks.
#[derive(Debug, Clone)]
pub(super) struct Scale {
    pub low: f64,
    pub high: f64,
    pub log: bool,
    /// Places and labels of the marks.
    pub marks: Vec<(f64, String)>,
    /// Places of the small marks between them; only a logarithmic axis has any.
    pub minor: Vec<f64>,
    /// The power of ten that the marks' labels leave out.
    pub factor: Option<String>,
}

impl Scale {
    pub(super) fn new([low, high]: [f64; 2], log: bool) -> Scale {
        Scale { low, high, log, marks: Vec::new(), minor: Vec::new(), factor: None }
    }

    /// 0 at the low end, 1 at the high end.
    pub(super) fn share(&self, value: f64) -> f64 {
        let place = |v: f64| match (self.log, v > 0.0) {
            (true, true) => v.log10(),
            (true, false) => NOTHING,
            (false, _) => v.clamp(-LARGEST, LARGEST),
        };
        let (low, high) = (place(self.low), place(self.high));
        (place(value) - low) / (high - low)
    }

    /// The position of a value in pixels. `low` and `high` are the positions of the axis's two ends.
    pub(super) fn pixel(&self, value: f64, [low, high]: [f64; 2]) -> f64 {
        (low + self.share(value) * (high - low)).clamp(-FAR, FAR)
    }

    /// Sets the marks of an axis that is `length` pixels long, with labels of `font` pixels.
    pub(super) fn mark(&mut self, axis: &Axis, along: Along, length: f64, font: f64) {
        let (low, high) = (self.low.min(self.high), self.low.max(self.high));
        let slack = 1e-9 * (high - low);
        let inside = |v: f64| v.is_finite() && v >= low - slack && v <= high + slack;
        if let Some(at) = &axis.marks {
            let (texts, factor) = texts(at);
            self.factor = factor.filter(|_| axis.labels.is_none());
            let named = at.iter().enumerate().map(|(i, v)| match &axis.labels {
                Some(labels) => (*v, labels.get(i).cloned().unwrap_or_default()),
                None => (*v, texts[i].clone()),
            });
            self.marks = named.filter(|(v, _)| inside(*v)).collect();
        } else if !axis.words.is_empty() {
            let places = axis.words.iter().enumerate().map(|(i, word)| (i as f64, word.clone()));
            self.marks = places.filter(|(v, _)| inside(*v)).collect();
        } else if self.log && decades(low, high).len() > 1 {
            let powers = decades(low, high);
            let every = powers.windows(2).map(|p| p[1] - p[0]).min().unwrap_or(1);
            self.marks = powers.iter().map(|&k| (10_f64.powi(k), power(k))).filter(|(v, _)| inside(*v)).collect();
            if every == 1 {
                let first = low.log10().floor() as i32;
                let between = (first..=powers[powers.len() - 1])
                    .flat_map(|k| (2..10).map(move |m| f64::from(m) * 10_f64.powi(k)));
                self.minor = between.filter(|&v| inside(v)).collect();
            }
        } else {
            // As many as there is room for, but at most nine steps.
            let room = if along == Along::X { 3.0 * font } else { 2.0 * font };
            let most = ((length / room) as usize).clamp(1, 9);
            for most in (1..=most).rev() {
                self.mark_evenly(most);
                let wide: f64 = self.marks.iter().map(|(_, text)| super::canvas::width(text, font) + 0.6 * font).sum();
                if along == Along::Y || axis.turned != 0.0 || wide <= length {
                    break;
                }
            }
        }
        if !axis.labeled {
            self.marks.iter_mut().for_each(|(_, text)| text.clear());
            self.factor = None;
        }
    }

    /// Sets marks at round numbers, in at most `most` steps.
    pub(super) fn mark_evenly(&mut self, most: usize) {
        let (low, high) = (self.low.min(self.high), self.low.max(self.high));
        let slack = 1e-9 * (high - low);
        let at: Vec<f64> =
            places(low, high, most).into_iter().filter(|v| *v >= low - slack && *v <= high + slack).collect();
        let (texts, factor) = texts(&at);
        self.marks = at.into_iter().zip(texts).collect();
        self.factor = factor;
    }
}

/// The ends of both axes of every plot: those that the program set, or else those of the data plus a margin.
pub(super) fn ends(plots: &[Axes]) -> Vec<[[f64; 2]; 2]> {
    let one = |axes: &Axes, along: Along| {
        let axis = pick(axes, along);
        let sharers = plots.iter().filter(|other| axis.shared.is_some() && pick(other, along).shared == axis.shared);
        let mut all: Vec<&Axes> = sharers.collect();
        if all.is_empty() {
            all.push(axes);
        }
        let given = |i: usize| {
            all.iter().find_map(|a| pick(a, along).ends[i].filter(|v| v.is_finite() && !(axis.log && *v <= 0.0)))
        };
        let artists: Vec<&Artist> = all.iter().flat_map(|a| &a.artists).collect();
        let [low, high] = of_data(&artists, along, axis.log);
        let [low, high] =
            apart([given(0).unwrap_or(low), given(1).unwrap_or(high)].map(|v| v.clamp(-LARGEST, LARGEST)), axis.log);
        if axis.inverted && axis.ends == [None, None] { [high, low] } else { [low, high] }
    };
    plots.iter().map(|axes| [one(axes, Along::X), one(axes, Along::Y)]).collect()
}

fn pick(axes: &Axes, along: Along) -> &Axis {
    if along == Along::X { &axes.x } else { &axes.y }
}

/// The range of the data plus a twentieth at each end, but no margin below the base of bars or beyond the edge of an
/// image.
fn of_data(artists: &[&Artist], along: Along, log: bool) -> [f64; 2] {
    let mut found: Option<[f64; 2]> = None;
    let (mut stuck, mut picture) = (false, false);
    for artist in artists {
        let mut any = false;
        each_value(artist, along, |v| {
            if v.is_finite() && !(log && v <= 0.0) {
                let [low, high] = found.unwrap_or([v, v]);
                found = Some([low.min(v), high.max(v)]);
                any = true;
            }
        });
        stuck |= any && matches!(artist, Artist::Boxes(b) if b.upright == (along == Along::Y));
        picture |= any && matches!(artist, Artist::Image(_));
    }
    let Some(found) = found else { return if log { [1.0, 10.0] } else { [0.0, 1.0] } };
    let [low, high] = apart(found.map(|v| v.clamp(-LARGEST, LARGEST)), log);
    if picture {
        return [low, high];
    }
    if log {
        let spread = (high / low).powf(0.05);
        return [(low / spread).max(f64::MIN_POSITIVE), high * spread];
    }
    let margin = 0.05 * (high - low);
    [if stuck && low >= 0.0 { low } else { low - margin }, if stuck && high <= 0.0 { high } else { high + margin }]
}

/// Moves the two ends apart if they're equal.
fn apart([low, high]: [f64; 2], log: bool) -> [f64; 2] {
    let size = low.abs().max(high.abs());
    if log {
        let near = (high / low).log10().abs() < 1e-12;
        return if near { [(low / 10.0).max(f64::MIN_POSITIVE), (high * 10.0).min(LARGEST)] } else { [low, high] };
    }
    if size < 1e-280 {
        return [-0.05, 0.05];
    }
    if (high - low).abs() <= 1e-15 * size { [low - 0.05 * size, high + 0.05 * size] } else { [low, high] }
}

/// Calls `see` with every value that an axis should include.
fn each_value(artist: &Artist, along: Along, mut see: impl FnMut(f64)) {
    let x = along == Along::X;
    match artist {
        Artist::Line(Line { x: xs, y: ys, .. }) | Artist::Points(Points { x: xs, y: ys, .. }) => {
            // A point with a part that isn't a number isn't drawn, so it has no place on either axis.
            let whole = xs.iter().zip(ys).filter(|(p, q)| p.is_finite() && q.is_finite());
            whole.for_each(|(p, q)| see(if x { *p } else { *q }));
        }
        Artist::Boxes(a) => {
            let (start, size) = if x { (0, 2) } else { (1, 3) };
            for b in &a.boxes {
                see(b[start]);
                see(b[start] + b[size]);
            }
        }
        Artist::Band(a) if x => {
            let sides = a.low.iter().zip(&a.high);
            let whole = a.x.iter().zip(sides).filter(|(_, (low, high))| low.is_finite() && high.is_finite());
            whole.for_each(|(v, _)| see(*v));
        }
        Artist::Band(a) => a.low.iter().chain(&a.high).for_each(|v| see(*v)),
        Artist::Rule(a) if a.upright == x => see(a.at),
        Artist::Image(a) => a.extent[if x { 0..2 } else { 2..4 }].iter().for_each(|v| see(*v)),
        Artist::Rule(_) | Artist::Words(_) => {}
    }
}

/// Round numbers from `low` to `high`, in at most `most` steps.
fn places(low: f64, high: f64, most: usize) -> Vec<f64> {
    let rough = (high - low) / most as f64;
    let unit = 10_f64.powf(rough.log10().floor());
    let step = [1.0, 2.0, 2.5, 5.0, 10.0, 20.0].map(|m| m * unit).into_iter().find(|s| *s >= rough * (1.0 - 1e-9));
    let Some(step) = step.filter(|s| s.is_normal()) else { return vec![low] };
    let (first, last) = ((low / step - 1e-9).ceil(), (high / step + 1e-9).floor());
    (0..).map(|k| first + f64::from(k)).take_while(|k| *k <= last).take(64).map(|k| k * step).collect()
}

/// Exponents of the powers of ten from `low` to `high`, at most ten.
fn decades(low: f64, high: f64) -> Vec<i32> {
    let (first, last) = ((low.log10() - 1e-9).ceil() as i32, (high.log10() + 1e-9).floor() as i32);
    let every = ((last - first + 1).max(1) as usize).div_ceil(10);
    (first..=last).step_by(every).collect()
}

/// Ten to the `k`-th.
fn power(k: i32) -> String {
    let raised = |c: char| match c {
        '-' => '⁻',
        '1' => '¹',
        '2' => '²',
        '3' => '³',
        d => char::from_u32(0x2070 + u32::from(d) - u32::from('0')).unwrap_or(d),
    };
    std::iter::once("10".to_string()).chain(k.to_string().chars().map(|c| raised(c).to_string())).collect()
}

/// Labels of numbers, all with as many decimals as they need to differ, and the power of ten that they leave out.
fn texts(values: &[f64]) -> (Vec<String>, Option<String>) {
    let large = values.iter().filter(|v| v.is_finite()).fold(0.0_f64, |m, v| m.max(v.abs()));
    let order = if large > 0.0 { large.log10().floor() as i32 } else { 0 };
    let factor = if order <= -5 || order >= 6 { order } else { 0 };
    let scale = 10_f64.powi(factor);
    let values: Vec<f64> = values.iter().map(|v| if v.abs() < 1e-12 * large { 0.0 } else { v / scale }).collect();
    let steps = values.windows(2).map(|p| (p[1] - p[0]).abs()).filter(|s| *s > 0.0 && s.is_finite());
    let step = steps.fold(f64::INFINITY, f64::min);
    let step = if step.is_finite() { step } else { (large / scale).max(1e-300) };
    let exact = |digits: i32| {
        let unit = 10_f64.powi(digits);
        values.iter().all(|v| ((v * unit).round() / unit - v).abs() <= 1e-6 * step || !v.is_finite())
    };
    let digits = (0..10).find(|&d| exact(d)).unwrap_or(10) as usize;
    let text = |v: &f64| format!("{v:.digits$}").replace('-', "−");
    (values.iter().map(text).collect(), (factor != 0).then(|| format!("1e{factor}").replace('-', "−")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_round_and_read_alike() {
        assert_eq!(places(0.0, 1.0, 5), [0.0, 0.2, 0.4, 0.6000000000000001, 0.8, 1.0]);
        assert_eq!(texts(&[0.0, 0.25, 0.5]).0, ["0.00", "0.25", "0.50"]);
        assert_eq!(texts(&[-1.0, 0.0]).0, ["−1", "0"]);
        assert_eq!(texts(&[0.0, 2e6]), (vec!["0".into(), "2".into()], Some("1e6".into())));
        assert_eq!(texts(&[5e-6]), (vec!["5".into()], Some("1e−6".into())));
        assert_eq!((power(-12), power(3)), ("10⁻¹²".into(), "10³".into()));
    }

    #[test]
    fn ends_differ_whatever_the_data() {
        for (data, log) in [([3.0, 3.0], false), ([0.0, 0.0], false), ([5e-324, 0.0], false), ([2.0, 2.0], true)] {
            let [low, high] = apart(data, log);
            assert!(low < high && Scale::new([low, high], log).share(data[0]).is_finite(), "{data:?}");
        }
        assert_eq!(decades(0.5, 2e25).len(), 9);
    }
}
