//! What is drawn on a plot: lines, marks, bars, bands, text and images.

use std::collections::HashMap;

use super::axis::Scale;
use super::canvas::{Horizontal, Ink, Letters, Pen, Result, Vertical, opacity, pixels};
use super::color;
use super::geometry::{Edges, Point, area_within, finite, holds, pieces, thinned};
use super::spec::{Artist, Band, Boxes, Color, Image, Line, Marker, Points, Straight, Stroke, Words};

/// Up to this many marks or bars, all are drawn.
const MANY: usize = 10_000;

/// Where a plot is on the page.
pub(super) struct Frame<'p> {
    pub pen: &'p Pen,
    pub x: &'p Scale,
    pub y: &'p Scale,
    /// In pixels.
    pub edges: Edges,
}

impl Frame<'_> {
    /// The position on the page of a point of the data, in pixels; NaN if a coordinate isn't finite.
    pub(super) fn at(&self, x: f64, y: f64) -> Point {
        if !x.is_finite() || !y.is_finite() {
            return [f64::NAN; 2];
        }
        let [x0, y0, x1, y1] = self.edges;
        [self.x.pixel(x, [x0, x1]), self.y.pixel(y, [y1, y0])]
    }

    /// # Errors
    /// An unknown color map, or arrays whose sizes don't match.
    pub(super) fn draw(&self, artist: &Artist) -> Result<()> {
        match artist {
            Artist::Line(a) => self.line(a),
            Artist::Points(a) => self.points(a)?,
            Artist::Boxes(a) => self.boxes(a),
            Artist::Band(a) => self.band(a),
            Artist::Rule(a) => self.rule(a),
            Artist::Words(a) => self.words(a),
            Artist::Image(a) => self.image(a)?,
        }
        Ok(())
    }

    fn line(&self, a: &Line) {
        let all: Vec<Point> = a.x.iter().zip(&a.y).map(|(x, y)| self.at(*x, *y)).collect();
        let marked = a.marker.map(|marker| (marker, all.clone()));
        if let Some(ink) = Ink::of(&a.stroke) {
            pieces(&thinned(all), self.edges).iter().for_each(|piece| self.pen.path(piece, &ink));
        }
        let Some((marker, all)) = marked else { return };
        let look =
            Look { marker, size: pixels(a.size), color: a.stroke.color, alpha: opacity(a.stroke.alpha), edge: None };
        self.marks(all.into_iter().map(|p| (p, look)));
    }

    fn points(&self, a: &Points) -> Result<()> {
        let colors: Vec<Color> = match &a.map {
            Some(map) => {
                let color = map.colors()?;
                map.values.iter().map(|v| Color(Some(color(*v)))).collect()
            }
            None => a.colors.clone(),
        };
        if a.sizes.is_empty() || colors.is_empty() {
            return Ok(());
        }
        let look = |i: usize| Look {
            marker: a.marker,
            size: pixels(a.sizes[i % a.sizes.len()].sqrt()),
            color: colors[i % colors.len()],
            alpha: opacity(a.alpha),
            edge: a.edge,
        };
        self.marks(a.x.iter().zip(&a.y).enumerate().map(|(i, (x, y))| (self.at(*x, *y), look(i))));
        Ok(())
    }

    /// Draws marks. If there are very many, only a few at each place.
    fn marks(&self, marks: impl ExactSizeIterator<Item = (Point, Look)>) {
        let many = marks.len() > MANY;
        let mut drawn: HashMap<(i32, i32, Color), u32> = HashMap::new();
        for (p, look) in marks {
            if !finite(&p) || !holds(self.edges, p) || !look.size.is_finite() || look.size <= 0.0 || look.alpha == 0.0 {
                continue;
            }
            if many {
                let cell = (look.size / 4.0).clamp(1.0, 16.0);
                let place = (p.map(|v| (v / cell) as i32), look.color);
                let count = drawn.entry((place.0[0], place.0[1], place.1)).or_default();
                *count += 1;
                // This many on top of each other give the full color.
                if f64::from(*count) > (1.0 / look.alpha).ceil().min(4.0) {
                    continue;
                }
            }
            look.draw(self.pen, p);
        }
    }

    fn boxes(&self, a: &Boxes) {
        let [left, top, right, bottom] = self.edges;
        let mut seen: HashMap<(i32, i32, Color), i32> = HashMap::new();
        if a.colors.is_empty() {
            return;
        }
        for (i, [x, y, width, height]) in a.boxes.iter().enumerate() {
            let (p, q) = (self.at(*x, *y), self.at(x + width, y + height));
            if !finite(&p) || !finite(&q) {
                continue;
            }
            let (x0, x1) = (p[0].min(q[0]).max(left), p[0].max(q[0]).min(right));
            let (y0, y1) = (p[1].min(q[1]).max(top), p[1].max(q[1]).min(bottom));
            if x0 > x1 || y0 > y1 {
                continue;
            }
            let color = a.colors[i % a.colors.len()];
            if a.boxes.len() > MANY {
                // Of the bars in one column of pixels, only those are drawn that are longer than the earlier ones.
                let (place, length) = if a.upright { ([x0, x1], y1 - y0) } else { ([y0, y1], x1 - x0) };
                let known = seen.entry((place[0] as i32, place[1] as i32, color)).or_insert(-1);
                if length as i32 <= *known {
                    continue;
                }
                *known = length as i32;
            }
            self.pen.rectangle([x0, y0, x1, y1], color, opacity(a.alpha));
            if let Some(edge) = a.edge {
                self.pen.hairline(&[[x0, y0], [x1, y0], [x1, y1], [x0, y1], [x0, y0], [x1, y0]], edge, pixels(1.0));
            }
        }
    }

    fn band(&self, a: &Band) {
        let all: Vec<(Point, Point)> =
            (0..a.x.len()).map(|i| (self.at(a.x[i], a.low[i]), self.at(a.x[i], a.high[i]))).collect();
        for piece in all.split(|(low, high)| !finite(low) || !finite(high)) {
            let mut points = thinned(piece.iter().map(|(_, high)| *high).collect());
            let mut back = thinned(piece.iter().map(|(low, _)| *low).collect());
            back.reverse();
            points.append(&mut back);
            let points = area_within(&points, self.edges);
            if points.len() > 2 {
                self.pen.polygon(&points, a.color, opacity(a.alpha));
            }
        }
    }

    fn rule(&self, a: &Straight) {
        let [left, top, right, bottom] = self.edges;
        let p = if a.upright { self.at(a.at, self.y.low) } else { self.at(self.x.low, a.at) };
        let line = if a.upright { [[p[0], top], [p[0], bottom]] } else { [[left, p[1]], [right, p[1]]] };
        if let Some(ink) = Ink::of(&a.stroke).filter(|_| finite(&p) && holds(self.edges, p)) {
            self.pen.path(&line, &ink);
        }
    }

    fn words(&self, a: &Words) {
        let at = self.at(a.x, a.y);
        if !finite(&at) {
            return;
        }
        if let Some([x, y]) = a.arrow {
            self.arrow(at, self.at(x, y));
        }
        let horizontal = match a.across.as_str() {
            "center" => Horizontal::Middle,
            "right" => Horizontal::Right,
            _ => Horizontal::Left,
        };
        let vertical = match a.up.as_str() {
            "top" => Vertical::Top,
            "center" => Vertical::Middle,
            "bottom" => Vertical::Bottom,
            _ => Vertical::Baseline,
        };
        self.pen.text(at, &a.text, &Letters { color: a.color, ..Letters::new(pixels(a.size), horizontal, vertical) });
    }

    fn arrow(&self, from: Point, to: Point) {
        let (dx, dy) = (to[0] - from[0], to[1] - from[1]);
        let length = dx.hypot(dy);
        if !length.is_finite() || length < 1.0 {
            return;
        }
        let (ux, uy) = (dx / length, dy / length);
        let head = |side: f64| [to[0] - 7.0 * ux + side * 3.5 * uy, to[1] - 7.0 * uy - side * 3.5 * ux];
        self.pen.hairline(&[from, to], Color::BLACK, 1.2);
        self.pen.hairline(&[head(1.0), to, head(-1.0)], Color::BLACK, 1.2);
    }

    fn image(&self, a: &Image) -> Result<()> {
        let [x0, x1, y0, y1] = a.extent;
        let (p, q) = (self.at(x0, y0), self.at(x1, y1));
        if !finite(&p) || !finite(&q) || a.rows == 0 || a.columns == 0 {
            return Ok(());
        }
        let [left, top, right, bottom] = [p[0].min(q[0]), p[1].min(q[1]), p[0].max(q[0]), p[1].max(q[1])];
        // Two cells for each pixel are as many as anyone can see.
        let most = [right - left, bottom - top].map(|length| (length.min(4096.0) * 2.0) as usize);
        // The first row is at the top of the extent, which is at the bottom of the plot if the axis is inverted.
        let turned = [p[0] > q[0], a.lower != (q[1] > p[1])];
        self.pen.picture([left, top, right, bottom], &color::picture(a, most, turned)?, opacity(a.alpha));
        Ok(())
    }

    /// The sample of an artist in the legend, on a line of `wide` pixels from `[x, y]`.
    pub(super) fn sample(pen: &Pen, artist: &Artist, [x, y]: Point, wide: f64) -> Result<()> {
        let middle = [x + wide / 2.0, y];
        let line = |stroke: &Stroke| {
            if let Some(ink) = Ink::of(stroke) {
                pen.path(&[[x, y], [x + wide, y]], &ink);
            }
        };
        let patch = |color, alpha| pen.rectangle([x, y - 5.0, x + wide, y + 5.0], color, opacity(alpha));
        match artist {
            Artist::Line(a) => {
                line(&a.stroke);
                let (color, alpha) = (a.stroke.color, opacity(a.stroke.alpha));
                if let Some(marker) = a.marker {
                    Look { marker, size: pixels(a.size), color, alpha, edge: None }.draw(pen, middle);
                }
            }
            Artist::Points(a) => {
                let color = match &a.map {
                    Some(map) => {
                        map.values.first().map(|v| Ok::<_, String>(Color(Some(map.colors()?(*v))))).transpose()?
                    }
                    None => a.colors.first().copied(),
                };
                let size = pixels(a.sizes.first().map_or(6.0, |s| s.sqrt())).min(20.0);
                let (color, alpha) = (color.unwrap_or(Color::BLACK), opacity(a.alpha));
                Look { marker: a.marker, size, color, alpha, edge: a.edge }.draw(pen, middle);
            }
            Artist::Boxes(a) => patch(a.colors.first().copied().unwrap_or(Color(None)), a.alpha),
            Artist::Band(a) => patch(a.color, a.alpha),
            Artist::Rule(a) => line(&a.stroke),
            Artist::Words(_) | Artist::Image(_) => {}
        }
        Ok(())
    }
}

/// How one mark looks.
#[derive(Clone, Copy)]
struct Look {
    marker: Marker,
    /// Its width in pixels.
    size: f64,
    color: Color,
    alpha: f64,
    edge: Option<Color>,
}

impl Look {
    fn draw(&self, pen: &Pen, [x, y]: Point) {
        let r = self.size / 2.0;
        let near = |corners: &[Point]| corners.iter().map(|[a, b]| [x + a * r, y + b * r]).collect::<Vec<_>>();
        let thick = pixels(1.0);
        let strokes = |lines: &[[Point; 2]]| {
            if let Some(ink) = Ink::new(self.color, self.alpha, thick) {
                lines.iter().for_each(|line| pen.path(&near(line), &ink));
            }
        };
        let area = |corners: &[Point]| {
            let corners = near(corners);
            pen.polygon(&corners, self.color, self.alpha);
            if let Some(edge) = self.edge {
                pen.hairline(&[&corners[..], &corners[..1]].concat(), edge, thick);
            }
        };
        match self.marker {
            Marker::Circle | Marker::Point | Marker::Pixel => {
                let radius = [r, r / 2.0, 0.7]
                    [(self.marker == Marker::Point) as usize + 2 * (self.marker == Marker::Pixel) as usize];
                pen.disc([x, y], radius, self.color, self.alpha);
                if let Some(edge) = self.edge {
                    pen.ring([x, y], radius, edge, thick);
                }
            }
            Marker::Square => area(&[[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]]),
            Marker::Up => area(&[[0.0, -1.0], [1.0, 1.0], [-1.0, 1.0]]),
            Marker::Down => area(&[[0.0, 1.0], [-1.0, -1.0], [1.0, -1.0]]),
            Marker::Left => area(&[[-1.0, 0.0], [1.0, -1.0], [1.0, 1.0]]),
            Marker::Right => area(&[[1.0, 0.0], [-1.0, -1.0], [-1.0, 1.0]]),
            Marker::Diamond => area(&[[0.0, -1.3], [1.3, 0.0], [0.0, 1.3], [-1.3, 0.0]]),
            Marker::ThinDiamond => area(&[[0.0, -1.3], [0.8, 0.0], [0.0, 1.3], [-0.8, 0.0]]),
            Marker::Star => {
                let corner = |k: usize| {
                    let (away, turn) =
                        (if k.is_multiple_of(2) { 1.2 } else { 0.5 }, k as f64 * std::f64::consts::PI / 5.0);
                    [away * turn.sin(), -away * turn.cos()]
                };
                area(&std::array::from_fn::<Point, 10, _>(corner))
            }
            Marker::Cross => strokes(&[[[-1.0, -1.0], [1.0, 1.0]], [[-1.0, 1.0], [1.0, -1.0]]]),
            Marker::Plus => strokes(&[[[-1.0, 0.0], [1.0, 0.0]], [[0.0, -1.0], [0.0, 1.0]]]),
            Marker::Upright => strokes(&[[[0.0, -1.0], [0.0, 1.0]]]),
            Marker::Level => strokes(&[[[-1.0, 0.0], [1.0, 0.0]]]),
        }
    }
}
