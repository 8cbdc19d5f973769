//! The page on which a figure is drawn: an SVG file, written element by element.
//!
//! Coordinates are integers in tenths of a pixel: nobody sees smaller steps, and the file stays short. Browsers measure text
//! in a window, which a worker doesn't have, so text is measured here ([`width`]).

use std::cell::RefCell;
use std::fmt::{Arguments, Write};

use super::spec::{Color, Stroke, Style};

/// Units of the drawing in a pixel.
const UNIT: f64 = 10.0;
/// The farthest distance from the page at which anything is drawn, in pixels.
const FAR: f64 = 1e6;

pub(super) type Result<T> = std::result::Result<T, String>;

/// Converts a length from points to pixels.
pub(super) fn pixels(points: f64) -> f64 {
    points * 100.0 / 72.0
}

/// Whether XML allows the character. Browsers refuse an image with any other.
fn readable(c: char) -> bool {
    matches!(c, '\t' | ' '..='\u{D7FF}' | '\u{E000}'..='\u{FFFD}' | '\u{10000}'..)
}

/// Text escaped for the space between two tags.
fn escaped(text: &str) -> String {
    let text: String = text.chars().filter(|c| readable(*c)).collect();
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// The approximate width of text of the given size: the widths of DejaVu Sans, matplotlib's font, by kinds of letters.
pub(super) fn width(text: &str, size: f64) -> f64 {
    let em = |c: char| match c {
        'i' | 'j' | 'l' | '\'' => 0.28,
        ' ' | '.' | ',' | 'I' | 'J' | '|' | ':' | ';' => 0.33,
        'f' | 'r' | 't' | '-' | '(' | ')' | '[' | ']' | '/' | '!' => 0.39,
        '¹' | '²' | '³' | '⁰'..='⁻' => 0.4,
        'm' | 'w' | 'M' | 'W' | '%' | '@' => 0.95,
        '−' | '+' | '=' | '<' | '>' => 0.84,
        'A'..='Z' => 0.71,
        ' '..='\u{2E7F}' => 0.62,
        // Chinese, Japanese and Korean characters, and pictographs.
        _ => 1.0,
    };
    text.chars().map(em).sum::<f64>() * size
}

/// The vertical alignment of a label: the part of it that is at its point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Vertical {
    Top,
    Middle,
    Baseline,
    Bottom,
}

/// The horizontal alignment of a label: the part of it that is at its point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Horizontal {
    Left,
    Middle,
    Right,
}

/// The style of a label.
pub(super) struct Letters {
    /// In pixels.
    pub size: f64,
    pub color: Color,
    pub horizontal: Horizontal,
    pub vertical: Vertical,
    /// Whether the text runs from bottom to top.
    pub rising: bool,
}

impl Letters {
    pub(super) fn new(size: f64, horizontal: Horizontal, vertical: Vertical) -> Letters {
        Letters { size, color: Color::BLACK, horizontal, vertical, rising: false }
    }
}

/// The style of a line.
pub(super) struct Ink {
    color: String,
    alpha: f64,
    /// In pixels.
    width: f64,
    /// In units of the drawing, separated by spaces; empty for a solid line.
    dashes: String,
}

impl Ink {
    /// A solid line; `None` if it would be invisible.
    pub(super) fn new(color: Color, alpha: f64, width: f64) -> Option<Ink> {
        let seen = width.is_finite() && width > 0.0;
        Some(Ink { color: visible(color, alpha).filter(|_| seen)?, alpha, width, dashes: String::new() })
    }

    /// The style for a line of a plot; `None` if it would be invisible.
    pub(super) fn of(stroke: &Stroke) -> Option<Ink> {
        let width = pixels(stroke.width);
        // matplotlib's patterns, in multiples of the line's width.
        let pattern: &[f64] = match stroke.style {
            Style::None => return None,
            Style::Solid => &[],
            Style::Dashed => &[3.7, 1.6],
            Style::Dotted => &[1.0, 1.65],
            Style::Dashdot => &[6.4, 1.6, 1.0, 1.6],
        };
        let dashes: Vec<String> = pattern.iter().map(|d| format!("{:.0}", d * width * UNIT)).collect();
        Some(Ink { dashes: dashes.join(" "), ..Ink::new(stroke.color, opacity(stroke.alpha), width)? })
    }

    /// The style as attributes of an SVG element.
    fn attributes(&self) -> String {
        let dashes = match self.dashes.as_str() {
            "" => String::new(),
            dashes => format!(" stroke-dasharray=\"{dashes}\""),
        };
        let (faint, color, width) = (faint(self.alpha), &self.color, unit(self.width).max(1));
        format!("{faint}{dashes} stroke=\"{color}\" stroke-width=\"{width}\"")
    }
}

/// The opacity: 1 if none is given.
pub(super) fn opacity(alpha: Option<f64>) -> f64 {
    alpha.filter(|a| !a.is_nan()).map_or(1.0, |a| a.clamp(0.0, 1.0))
}

/// The color in SVG's notation; `None` if nothing would be visible.
fn visible(color: Color, alpha: f64) -> Option<String> {
    let [r, g, b] = color.0.filter(|_| alpha > 0.0)?;
    Some(format!("#{r:02X}{g:02X}{b:02X}"))
}

/// The attribute for the opacity, if it's needed.
fn faint(alpha: f64) -> String {
    if alpha < 1.0 { format!(" opacity=\"{alpha}\"") } else { String::new() }
}

/// Converts pixels to units of the drawing.
fn unit(v: f64) -> i32 {
    (v.clamp(-FAR, FAR) * UNIT).round() as i32
}

/// Points as SVG's attribute `points` lists them.
fn units(points: &[[f64; 2]]) -> String {
    let points: Vec<String> = points.iter().map(|[x, y]| format!("{},{}", unit(*x), unit(*y))).collect();
    points.join(" ")
}

/// The place and size of a rectangle, from left, top, right and bottom.
fn place([x0, y0, x1, y1]: [f64; 4]) -> String {
    let (x, y) = (unit(x0), unit(y0));
    format!("x=\"{x}\" y=\"{y}\" width=\"{}\" height=\"{}\"", unit(x1) - x, unit(y1) - y)
}

/// Draws on the page, in pixels from its top left.
#[derive(Default)]
pub(super) struct Pen(RefCell<String>);

impl Pen {
    fn write(&self, element: Arguments<'_>) {
        // Writing into a `String` can't fail.
        let _ = self.0.borrow_mut().write_fmt(element);
    }

    /// A line through points.
    pub(super) fn path(&self, points: &[[f64; 2]], ink: &Ink) {
        let points = units(points);
        self.write(format_args!("<polyline fill=\"none\"{} points=\"{points}\"/>\n", ink.attributes()));
    }

    /// A line from one point to another.
    pub(super) fn line(&self, [x1, y1]: [f64; 2], [x2, y2]: [f64; 2], ink: &Ink) {
        let [x1, y1, x2, y2] = [x1, y1, x2, y2].map(unit);
        let look = ink.attributes();
        self.write(format_args!("<line{look} x1=\"{x1}\" y1=\"{y1}\" x2=\"{x2}\" y2=\"{y2}\"/>\n"));
    }

    /// A thin line of one color.
    pub(super) fn hairline(&self, points: &[[f64; 2]], color: Color, wide: f64) {
        if let Some(ink) = Ink::new(color, 1.0, wide) {
            self.path(points, &ink);
        }
    }

    /// A filled polygon.
    pub(super) fn polygon(&self, points: &[[f64; 2]], color: Color, alpha: f64) {
        if let Some(color) = visible(color, alpha) {
            let points = units(points);
            self.write(format_args!("<polygon{} fill=\"{color}\" points=\"{points}\"/>\n", faint(alpha)));
        }
    }

    /// A filled rectangle: left, top, right, bottom.
    pub(super) fn rectangle(&self, edges: [f64; 4], color: Color, alpha: f64) {
        if let Some(color) = visible(color, alpha) {
            self.write(format_args!("<rect {}{} fill=\"{color}\"/>\n", place(edges), faint(alpha)));
        }
    }

    /// A filled disc.
    pub(super) fn disc(&self, [x, y]: [f64; 2], radius: f64, color: Color, alpha: f64) {
        if let Some(color) = visible(color, alpha) {
            let (x, y, r) = (unit(x), unit(y), unit(radius));
            self.write(format_args!("<circle cx=\"{x}\" cy=\"{y}\" r=\"{r}\"{} fill=\"{color}\"/>\n", faint(alpha)));
        }
    }

    /// A circle that isn't filled, drawn with a line `wide` pixels wide.
    pub(super) fn ring(&self, [x, y]: [f64; 2], radius: f64, color: Color, wide: f64) {
        if let Some(color) = visible(color, 1.0) {
            let (x, y, r, wide) = (unit(x), unit(y), unit(radius), unit(wide));
            self.write(format_args!(
                "<circle cx=\"{x}\" cy=\"{y}\" r=\"{r}\" fill=\"none\" stroke=\"{color}\" stroke-width=\"{wide}\"/>\n"
            ));
        }
    }

    /// Text with several lines, one below the other.
    pub(super) fn text(&self, [x, y]: [f64; 2], text: &str, letters: &Letters) {
        let lines: Vec<&str> = text.lines().collect();
        let (step, last) = (letters.size * 1.2, lines.len().saturating_sub(1) as f64);
        let first = match letters.vertical {
            Vertical::Top | Vertical::Baseline => 0.0,
            Vertical::Middle => -step * last / 2.0,
            Vertical::Bottom => -step * last,
        };
        // `letters` raises the text by half an x-height, 0.273 of the size in DejaVu Sans. This lowers the baseline to the point.
        let lowered = if letters.vertical == Vertical::Baseline { 0.273 * letters.size } else { 0.0 };
        for (i, line) in lines.iter().enumerate() {
            let below = first + step * i as f64 + lowered;
            let at = if letters.rising { [x + below, y] } else { [x, y + below] };
            self.letters(at, line, letters, if letters.rising { -270.0 } else { 0.0 });
        }
    }

    /// Text below a point, rotated counterclockwise by an angle in degrees. The end that is nearer to the point stays there.
    pub(super) fn slanted(&self, [x, y]: [f64; 2], text: &str, letters: &Letters, angle: f64) {
        let horizontal = if angle > 0.0 { Horizontal::Right } else { Horizontal::Left };
        let letters = Letters { horizontal, vertical: Vertical::Middle, ..*letters };
        self.letters([x, y + 0.3 * letters.size], text, &letters, angle);
    }

    /// One line of text at a point, rotated counterclockwise by an angle in degrees.
    fn letters(&self, [x, y]: [f64; 2], text: &str, letters: &Letters, angle: f64) {
        let text = escaped(&text.replace(['\n', '\r'], " "));
        let Some(color) = visible(letters.color, 1.0).filter(|_| !text.is_empty()) else { return };
        let anchor = ["start", "middle", "end"][letters.horizontal as usize];
        let drop = ["0.76em", "0.5ex", "-0.5ex", "-0.5ex"][letters.vertical as usize];
        let size = (letters.size.clamp(0.1, 1e4) * UNIT * 10.0).round() / 10.0;
        let (x, y) = (unit(x), unit(y));
        let turned = if angle == 0.0 { String::new() } else { format!(" transform=\"rotate({} {x} {y})\"", -angle) };
        self.write(format_args!(
            "<text x=\"{x}\" y=\"{y}\" dy=\"{drop}\" text-anchor=\"{anchor}\" font-size=\"{size}\"{turned} fill=\"{color}\">\
             {text}</text>\n"
        ));
    }

    /// An image between left, top, right and bottom. Its pixels stay sharp when they're enlarged.
    pub(super) fn picture(&self, edges: [f64; 4], url: &str, alpha: f64) {
        let (place, faint) = (place(edges), faint(alpha));
        self.write(format_args!(
            "<image {place}{faint} preserveAspectRatio=\"none\" style=\"image-rendering:pixelated\" href=\"{url}\"/>\n"
        ));
    }
}

/// A complete SVG file: what `draw` draws, on a page of `wide` by `tall` pixels. Screen readers read `words`.
///
/// # Errors
/// Those of `draw`.
pub(super) fn page([wide, tall]: [f64; 2], words: &str, draw: impl FnOnce(&Pen) -> Result<()>) -> Result<String> {
    let pen = Pen::default();
    draw(&pen)?;
    let (w, h, words, drawn) = (unit(wide), unit(tall), escaped(words), pen.0.into_inner());
    Ok(format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{wide}\" height=\"{tall}\" viewBox=\"0 0 {w} {h}\" role=\"img\" \
         font-family=\"DejaVu Sans, Verdana, Arial, sans-serif\" stroke-linejoin=\"round\">\n<title>{words}</title>\n\
         {drawn}</svg>\n"
    ))
}
