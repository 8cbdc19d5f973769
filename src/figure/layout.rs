//! Where each plot is on the page.

use super::axis::{Along, Scale, ends};
use super::canvas::{pixels, width};
use super::geometry::Edges;
use super::spec::{Artist, Axes, Bar, Figure, Map};

/// The distance from an axis to the labels of its marks: a mark and a gap of 3.5 points each.
pub(super) const TO_TEXT: f64 = 7.0 * 100.0 / 72.0;
/// The distance between the marks' labels and the axis's label, in points.
const TO_NAME: f64 = 4.0;
/// The distance between the labels of a color scale and its name, in points.
pub(super) const TO_BAR_NAME: f64 = 6.0;
/// The margin around each plot and its labels, if plots use all the space.
const APART: f64 = 8.0;
/// The distance between a plot and its color scale, if plots use all the space.
const BAR_GAP: f64 = 10.0;
/// The smallest size of a plot, however much space its labels need.
const LEAST: f64 = 10.0;

/// A plot and where it is.
pub(super) struct Placed {
    /// The edges of the frame, in pixels.
    pub edges: Edges,
    pub x: Scale,
    pub y: Scale,
    /// The edges of the color scale next to it.
    pub bar: Option<Edges>,
}

/// Places every plot of a figure on a page of `wide` by `tall` pixels, below a title of `top` pixels.
pub(super) fn place(figure: &Figure, [wide, tall]: [f64; 2], top: f64) -> Vec<Placed> {
    let scale = |axes: &Axes, [x, y]: [[f64; 2]; 2]| (Scale::new(x, axes.x.log), Scale::new(y, axes.y.log));
    let one = |(axes, ends): (&Axes, [[f64; 2]; 2])| {
        let (mut x, mut y) = scale(axes, ends);
        let font = pixels(axes.font);
        let slot = slot(axes, [wide, tall], top, figure.tight);
        let mut edges = slot;
        // The labels depend on the frame's size, and the frame's size on the labels. The second pass makes them fit.
        for _ in 0..if figure.tight { 2 } else { 1 } {
            x.mark(&axes.x, Along::X, edges[2] - edges[0], font);
            y.mark(&axes.y, Along::Y, edges[3] - edges[1], font);
            let [x0, y0, mut x1, y1] = if figure.tight {
                let [left, up, right, down] = room(axes, &x, &y, (slot[3] - slot[1]).min(slot[2] - slot[0]));
                let (x0, y0) = (slot[0] + APART + left, slot[1] + APART + up);
                [x0, y0, (slot[2] - APART - right).max(x0 + LEAST), (slot[3] - APART - down).max(y0 + LEAST)]
            } else {
                slot
            };
            if axes.bar.is_some() && !figure.tight {
                x1 -= 0.2 * (x1 - x0);
            }
            edges = shaped([x0, y0, x1, y1], axes, ends);
        }
        x.mark(&axes.x, Along::X, edges[2] - edges[0], font);
        y.mark(&axes.y, Along::Y, edges[3] - edges[1], font);
        let bar = axes.bar.as_ref().map(|_| {
            let [_, y0, x1, y1] = edges;
            let x0 = x1 + if figure.tight { BAR_GAP } else { (0.0625 * (x1 - edges[0])).max(6.0) };
            [x0, y0, x0 + bar_width(y1 - y0), y1]
        });
        Placed { edges, x, y, bar }
    };
    figure.axes.iter().zip(ends(&figure.axes)).map(one).collect()
}

fn bar_width(tall: f64) -> f64 {
    (tall / 20.0).max(8.0)
}

/// The part of the page for a plot's cell: with its labels if plots use all the space, otherwise without.
fn slot(axes: &Axes, [wide, tall]: [f64; 2], top: f64, tight: bool) -> Edges {
    let cell = &axes.cell;
    // Unless plots use all the space, the gap between them is a fifth of a plot.
    let gap = if tight { 0.0 } else { 0.2 };
    let along = |shares: &[f64], first: usize, count: usize, from: f64, to: f64| {
        let n = shares.len().max(1) as f64;
        let mean = (to - from) / (n + gap * (n - 1.0));
        let sum: f64 = shares.iter().sum();
        let length = |part: &[f64]| part.iter().sum::<f64>() / sum * n * mean;
        let first = first.min(shares.len());
        let last = (first + count).min(shares.len());
        let start = from + length(&shares[..first]) + first as f64 * gap * mean;
        let gaps = (last - first).saturating_sub(1) as f64;
        (start, start + (length(&shares[first..last]) + gaps * gap * mean).max(LEAST))
    };
    let (left, right, up, down) =
        if tight { (0.0, wide, top, tall) } else { (0.125 * wide, 0.9 * wide, 0.12 * tall, 0.89 * tall) };
    let (x0, x1) = along(&cell.widths, cell.column, cell.wide, left, right);
    let (y0, y1) = along(&cell.heights, cell.row, cell.tall, up, down);
    [x0, y0, x1, y1]
}

/// The frame within its space, made narrower or lower if steps of x and y must have the same size.
fn shaped([x0, y0, x1, y1]: Edges, axes: &Axes, [[a, b], [c, d]]: [[f64; 2]; 2]) -> Edges {
    let want = axes.aspect.map(|aspect| (d - c).abs() / (b - a).abs() * aspect);
    let Some(want) = want.filter(|want| want.is_normal() && *want > 0.0) else { return [x0, y0, x1, y1] };
    let (wide, tall) = (x1 - x0, y1 - y0);
    if want < tall / wide {
        let spare = (tall - (want * wide).max(1.0)) / 2.0;
        [x0, y0 + spare, x1, y1 - spare]
    } else {
        let spare = (wide - (tall / want).max(1.0)) / 2.0;
        [x0 + spare, y0, x1 - spare, y1]
    }
}

/// Pixels from an axis to the far end of its marks' labels.
pub(super) fn label_texts(axes: &Axes, scale: &Scale, along: Along) -> f64 {
    let font = pixels(axes.font);
    let longest = scale.marks.iter().map(|(_, text)| width(text, font)).fold(0.0, f64::max);
    TO_TEXT
        + match along {
            Along::Y => longest,
            Along::X if longest == 0.0 => 0.0,
            Along::X => {
                let angle = axes.x.turned.to_radians();
                font * angle.cos().abs() + longest * angle.sin().abs()
            }
        }
}

/// Pixels that an axis needs for the labels of its marks and its own label.
pub(super) fn label_area(axes: &Axes, scale: &Scale, along: Along) -> f64 {
    if !axes.shown {
        return 0.0;
    }
    let font = pixels(axes.font);
    let name = if along == Along::X { &axes.x.name } else { &axes.y.name };
    let name = if name.is_empty() { 0.0 } else { pixels(TO_NAME) + font * 1.05 };
    // The factor of x is below the marks, next to the axis's label.
    let factor = if along == Along::X && scale.factor.is_some() { font * 1.2 } else { 0.0 };
    label_texts(axes, scale, along) + name.max(factor)
}

/// The most steps between the marks of a color scale.
pub(super) fn bar_marks(tall: f64, font: f64) -> usize {
    ((tall / (2.0 * font)) as usize).clamp(1, 9)
}

/// Pixels to the right of the frame that the color scale and its labels need.
fn bar_room(axes: &Axes, bar: &Bar, tall: f64) -> f64 {
    let font = pixels(axes.font);
    let ends = axes.artists.get(bar.artist).and_then(Artist::map).map(Map::ends);
    let longest = ends.filter(|[low, high]| low < high).map_or(0.0, |ends| {
        let mut scale = Scale::new(ends, false);
        scale.mark_evenly(bar_marks(tall, font));
        scale.marks.iter().map(|(_, text)| width(text, font)).fold(0.0, f64::max)
    });
    let name = if bar.label.is_some() { pixels(TO_BAR_NAME) + 1.1 * font } else { 0.0 };
    bar_width(tall) + TO_TEXT + longest + name
}

/// Pixels that labels need around the frame: left, top, right, bottom.
fn room(axes: &Axes, x: &Scale, y: &Scale, tall: f64) -> Edges {
    let font = pixels(axes.font);
    let lines = axes.title.text.lines().count() as f64;
    let title = if lines > 0.0 { pixels(6.0) + 1.2 * pixels(axes.title.size) * lines } else { 0.0 };
    let factor = if y.factor.is_some() { 1.2 * font } else { 0.0 };
    let last = x.marks.last().map_or(0.0, |(_, text)| width(text, font) / 2.0);
    let right = axes.bar.as_ref().map_or(last, |bar| BAR_GAP + bar_room(axes, bar, tall));
    [label_area(axes, y, Along::Y), title.max(factor), right, label_area(axes, x, Along::X)]
}
