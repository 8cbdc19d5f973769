//! One plot: its frame, marks and labels, its content, its legend, and its color scale.

use super::artist::Frame;
use super::axis::{Along, Scale};
use super::canvas::{Horizontal, Ink, Letters, Pen, Result, Vertical, pixels, width};
use super::color;
use super::geometry::{Edges, Point};
use super::layout::{Placed, TO_BAR_NAME, TO_TEXT, bar_marks, label_area, label_texts};
use super::spec::{Artist, Axes, Bar, Color, Legend};

/// # Errors
/// Those of the plot's content.
pub(super) fn draw(pen: &Pen, axes: &Axes, placed: &Placed) -> Result<()> {
    let [x0, y0, x1, y1] = placed.edges;
    let font = pixels(axes.font);
    let frame = Frame { pen, x: &placed.x, y: &placed.y, edges: placed.edges };
    if axes.shown {
        pen.rectangle(placed.edges, axes.face, 1.0);
        mesh(&frame, axes);
    }
    let mut artists: Vec<&Artist> = axes.artists.iter().collect();
    artists.sort_by_key(|artist| artist.layer());
    artists.into_iter().try_for_each(|artist| frame.draw(artist))?;
    if axes.shown {
        pen.hairline(&[[x0, y0], [x1, y0], [x1, y1], [x0, y1], [x0, y0], [x1, y0]], Color::BLACK, pixels(0.8));
        small_marks(&frame);
        if let Some(factor) = &placed.y.factor {
            pen.text([x0, y0 - 3.0], factor, &Letters::new(font, Horizontal::Left, Vertical::Bottom));
        }
        if let Some(factor) = &placed.x.factor {
            let drop = label_texts(axes, &placed.x, Along::X) + 0.2 * font;
            pen.text([x1, y1 + drop], factor, &Letters::new(font, Horizontal::Right, Vertical::Top));
        }
    }
    if !axes.title.text.is_empty() {
        let size = pixels(axes.title.size);
        let at = [(x0 + x1) / 2.0, y0 - pixels(6.0) + 0.273 * size];
        pen.text(at, &axes.title.text, &Letters::new(size, Horizontal::Middle, Vertical::Bottom));
    }
    if let Some(options) = &axes.legend {
        legend(&frame, axes, options)?;
    }
    if let (Some(bar), Some(edges)) = (&axes.bar, placed.bar) {
        scale_of_colors(pen, axes, bar, edges)?;
    }
    Ok(())
}

/// Draws the grid, and the marks and labels of both axes.
fn mesh(frame: &Frame<'_>, axes: &Axes) {
    let (pen, [x0, y0, x1, y1]) = (frame.pen, frame.edges);
    let across = |v: f64| frame.at(v, frame.y.low)[0];
    let up = |v: f64| frame.at(frame.x.low, v)[1];
    if let Some((grid, ink)) = axes.grid.as_ref().and_then(|grid| Some((grid, Ink::of(&grid.line)?))) {
        for (v, _) in frame.x.marks.iter().filter(|_| grid.x) {
            pen.line([across(*v), y1], [across(*v), y0], &ink);
        }
        for (v, _) in frame.y.marks.iter().filter(|_| grid.y) {
            pen.line([x0, up(*v)], [x1, up(*v)], &ink);
        }
    }
    let font = pixels(axes.font);
    // The labels are twice as far away as the marks are long.
    let (long, thick) = (TO_TEXT / 2.0, pixels(0.8));
    for (v, text) in &frame.y.marks {
        let at = up(*v);
        pen.hairline(&[[x0 - long, at], [x0, at]], Color::BLACK, thick);
        pen.text([x0 - TO_TEXT, at], &one_line(text), &Letters::new(font, Horizontal::Right, Vertical::Middle));
    }
    for (v, text) in &frame.x.marks {
        let (at, letters) = (across(*v), Letters::new(font, Horizontal::Middle, Vertical::Top));
        pen.hairline(&[[at, y1], [at, y1 + long]], Color::BLACK, thick);
        match axes.x.turned {
            0.0 => pen.text([at, y1 + TO_TEXT], &one_line(text), &letters),
            angle => pen.slanted([at, y1 + TO_TEXT], text, &letters, angle),
        }
    }
    let left = x0 - label_area(axes, frame.y, Along::Y);
    let rising = Letters { rising: true, ..Letters::new(font, Horizontal::Middle, Vertical::Top) };
    pen.text([left, (y0 + y1) / 2.0], &one_line(&axes.y.name), &rising);
    let below = y1 + label_area(axes, frame.x, Along::X);
    pen.text(
        [(x0 + x1) / 2.0, below],
        &one_line(&axes.x.name),
        &Letters::new(font, Horizontal::Middle, Vertical::Bottom),
    );
}

/// There is room for one line only.
fn one_line(text: &str) -> String {
    text.lines().collect::<Vec<_>>().join(" ")
}

/// Draws the marks without labels of logarithmic axes.
fn small_marks(frame: &Frame<'_>) {
    let [x0, _, _, y1] = frame.edges;
    let long = pixels(2.0);
    for v in &frame.x.minor {
        let at = frame.at(*v, frame.y.low)[0];
        frame.pen.hairline(&[[at, y1], [at, y1 + long]], Color::BLACK, pixels(0.6));
    }
    for v in &frame.y.minor {
        let at = frame.at(frame.x.low, *v)[1];
        frame.pen.hairline(&[[x0 - long, at], [x0, at]], Color::BLACK, pixels(0.6));
    }
}

/// Draws the legend: the names of what is on the plot.
fn legend(frame: &Frame<'_>, axes: &Axes, options: &Legend) -> Result<()> {
    let named: Vec<(&Artist, &str)> = axes.artists.iter().filter_map(|a| Some((a, a.label()?))).collect();
    if named.is_empty() {
        return Ok(());
    }
    let pen = frame.pen;
    let size = pixels(options.size);
    let (pad, sample, row) = (0.4 * size, 2.0 * size, 1.35 * size);
    let longest = named.iter().map(|(_, name)| width(name, size)).fold(0.0, f64::max);
    let heading = options.title.as_ref().map_or(0.0, |title| width(title, size));
    let wide = (3.0 * pad + sample + 0.4 * size + longest).max(heading + 2.0 * pad);
    let rows = named.len() + usize::from(options.title.is_some());
    let tall = row * rows as f64 + pad;
    let [x0, y0, x1, y1] = frame.edges;
    let place = match options.place.as_str() {
        "best" => emptiest(frame, axes, [wide, tall]),
        place => place,
    };
    let away = 0.5 * size;
    let x = match place {
        p if p.contains("left") => x0 + away,
        p if p.ends_with("center") => (x0 + x1 - wide) / 2.0,
        _ => x1 - away - wide,
    };
    let y = match place {
        p if p.contains("upper") => y0 + away,
        p if p.contains("lower") => y1 - away - tall,
        _ => (y0 + y1 - tall) / 2.0,
    };
    let outline = rounded([x, y, x + wide, y + tall], 0.2 * size);
    pen.polygon(&outline, Color(Some([255; 3])), 0.8);
    pen.hairline(&outline, Color(Some([0xcc; 3])), pixels(0.8));
    let mut at = y + pad / 2.0 + row / 2.0;
    if let Some(title) = &options.title {
        pen.text([x + wide / 2.0, at], title, &Letters::new(size, Horizontal::Middle, Vertical::Middle));
        at += row;
    }
    for (artist, name) in named {
        Frame::sample(pen, artist, [x + pad, at], sample)?;
        let to_name = 2.0 * pad + sample + 0.4 * size;
        pen.text([x + to_name, at], &one_line(name), &Letters::new(size, Horizontal::Left, Vertical::Middle));
        at += row;
    }
    Ok(())
}

/// The outline of a rectangle with round corners, closed.
fn rounded([x0, y0, x1, y1]: Edges, r: f64) -> Vec<Point> {
    let corners =
        [([x1 - r, y0 + r], -90.0), ([x1 - r, y1 - r], 0.0), ([x0 + r, y1 - r], 90.0), ([x0 + r, y0 + r], 180.0)];
    let arc = |([x, y], start): (Point, f64)| {
        (0..=3).map(move |k| {
            let turn = (start + 30.0 * f64::from(k)).to_radians();
            [x + r * turn.cos(), y + r * turn.sin()]
        })
    };
    let mut out: Vec<Point> = corners.into_iter().flat_map(arc).collect();
    out.push(out[0]);
    out
}

/// The corner in which the legend would cover the fewest points.
fn emptiest(frame: &Frame<'_>, axes: &Axes, [wide, tall]: [f64; 2]) -> &'static str {
    let [x0, y0, x1, y1] = frame.edges;
    let mut places: Vec<Point> = Vec::new();
    for artist in &axes.artists {
        match artist {
            Artist::Line(a) => {
                let line: Vec<Point> = spread(a.x.len()).map(|i| frame.at(a.x[i], a.y[i])).collect();
                // A line covers as much between two points as at the points.
                places
                    .extend(line.windows(2).flat_map(|p| (0..4).map(move |k| between(p[0], p[1], f64::from(k) / 4.0))));
                places.extend(line);
            }
            Artist::Points(a) => places.extend(spread(a.x.len()).map(|i| frame.at(a.x[i], a.y[i]))),
            Artist::Band(a) => {
                places
                    .extend(spread(a.x.len()).flat_map(|i| [frame.at(a.x[i], a.low[i]), frame.at(a.x[i], a.high[i])]));
            }
            Artist::Boxes(a) => places.extend(
                spread(a.boxes.len())
                    .flat_map(|i| {
                        let [x, y, w, h] = a.boxes[i];
                        (0..25).map(move |k| [x + w * f64::from(k % 5) / 4.0, y + h * f64::from(k / 5) / 4.0])
                    })
                    .map(|[x, y]| frame.at(x, y)),
            ),
            Artist::Rule(_) | Artist::Words(_) | Artist::Image(_) => {}
        }
    }
    let covered = |name: &&str| {
        let left = if name.contains("left") { x0 } else { x1 - wide - 14.0 };
        let top = if name.contains("upper") { y0 } else { y1 - tall - 14.0 };
        let inside =
            |p: &&Point| p[0] >= left && p[0] <= left + wide + 14.0 && p[1] >= top && p[1] <= top + tall + 14.0;
        places.iter().filter(inside).count()
    };
    ["upper right", "upper left", "lower left", "lower right"].into_iter().min_by_key(covered).unwrap_or("upper right")
}

fn between(a: Point, b: Point, part: f64) -> Point {
    [a[0] + part * (b[0] - a[0]), a[1] + part * (b[1] - a[1])]
}

/// At most a thousand of `count` indices, evenly spaced.
fn spread(count: usize) -> impl Iterator<Item = usize> {
    (0..count).step_by(count.div_ceil(1000).max(1))
}

/// Draws the colors of a map next to the plot, with their numbers.
fn scale_of_colors(pen: &Pen, axes: &Axes, bar: &Bar, edges: Edges) -> Result<()> {
    let Some(map) = axes.artists.get(bar.artist).and_then(Artist::map) else { return Ok(()) };
    let [x0, y0, x1, y1] = edges;
    pen.picture(edges, &color::strip(map)?, 1.0);
    pen.hairline(&[[x0, y0], [x1, y0], [x1, y1], [x0, y1], [x0, y0], [x1, y0]], Color::BLACK, pixels(0.8));
    let font = pixels(axes.font);
    let [low, high] = map.ends();
    let mut longest = 0.0_f64;
    if high > low {
        let mut scale = Scale::new([low, high], false);
        scale.mark_evenly(bar_marks(y1 - y0, font));
        for (v, text) in &scale.marks {
            let y = y1 - scale.share(*v) * (y1 - y0);
            pen.hairline(&[[x1, y], [x1 + TO_TEXT / 2.0, y]], Color::BLACK, pixels(0.8));
            pen.text([x1 + TO_TEXT, y], text, &Letters::new(font, Horizontal::Left, Vertical::Middle));
            longest = longest.max(width(text, font));
        }
        if let Some(factor) = &scale.factor {
            pen.text([x0, y0 - 3.0], factor, &Letters::new(font, Horizontal::Left, Vertical::Bottom));
        }
    }
    if let Some(label) = &bar.label {
        let letters = Letters { rising: true, ..Letters::new(font, Horizontal::Middle, Vertical::Top) };
        pen.text([x1 + TO_TEXT + longest + pixels(TO_BAR_NAME), (y0 + y1) / 2.0], label, &letters);
    }
    Ok(())
}
