//! The page that a figure is drawn on: plotters' SVG backend, with what it cannot say noted beside it.
//!
//! Plotters places everything on whole units, so a unit is a tenth of a pixel. Its backend knows neither dashes nor slanted
//! texts nor pictures, and in a browser plotters asks the page's window for the size of texts, where a worker has none. So texts
//! are measured here ([`width`]), and an element that needs more than the backend knows carries the number of a [`Note`] as its
//! opacity, which is otherwise never above 1; [`finish`] puts the noted attributes in its place.

use std::cell::RefCell;
use std::rc::Rc;

use plotters::backend::SVGBackend;
use plotters::coord::Shift;
use plotters::drawing::{DrawingArea, IntoDrawingArea};
use plotters::element::{Circle, PathElement, Polygon, Rectangle, Text};
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{FontFamily, FontTransform, RGBAColor, ShapeStyle, TextStyle};
use plotters_backend::{BackendColor, BackendCoord, BackendStyle, BackendTextStyle, DrawingBackend, DrawingErrorKind};

use super::spec::{Colour, Stroke, Style};

/// Units of the drawing in a pixel.
pub const UNIT: f64 = 10.0;
/// As far from the page as anything is drawn, in pixels.
const FAR: f64 = 1e6;
/// The backend writes letters smaller than it is told by this.
const LETTER: f64 = 1.24;

type Failed = DrawingErrorKind<std::io::Error>;
pub type Result<T> = std::result::Result<T, String>;
pub type Area<'a> = DrawingArea<Canvas<'a>, Shift>;

/// Pixels of a length in points.
pub fn pixels(points: f64) -> f64 {
    points * 100.0 / 72.0
}

/// What the backend cannot say of an element.
enum Note {
    /// Attributes in place of the opacity.
    Attributes(String),
    /// The angle of a text, in degrees against the clock.
    Slant(f64),
}

#[derive(Clone, Default)]
struct Notes(Rc<RefCell<Vec<Note>>>);

impl Notes {
    /// Keeps a note; returns the opacity that stands for it.
    fn add(&self, note: Note) -> f64 {
        let mut notes = self.0.borrow_mut();
        notes.push(note);
        (notes.len() + 1) as f64
    }

    fn index(alpha: f64) -> Option<usize> {
        (alpha >= 2.0).then(|| alpha as usize - 2)
    }

    fn slant(&self, alpha: f64) -> Option<f64> {
        match self.0.borrow().get(Self::index(alpha)?)? {
            Note::Slant(angle) => Some(*angle),
            Note::Attributes(_) => None,
        }
    }
}

/// Plotters' backend with our measure of texts.
pub struct Canvas<'a> {
    svg: SVGBackend<'a>,
    notes: Notes,
}

impl DrawingBackend for Canvas<'_> {
    type ErrorType = std::io::Error;

    fn get_size(&self) -> (u32, u32) {
        self.svg.get_size()
    }

    fn ensure_prepared(&mut self) -> std::result::Result<(), Failed> {
        self.svg.ensure_prepared()
    }

    fn present(&mut self) -> std::result::Result<(), Failed> {
        self.svg.present()
    }

    fn draw_pixel(&mut self, at: BackendCoord, color: BackendColor) -> std::result::Result<(), Failed> {
        self.svg.draw_pixel(at, color)
    }

    fn draw_line<S: BackendStyle>(
        &mut self,
        from: BackendCoord,
        to: BackendCoord,
        style: &S,
    ) -> std::result::Result<(), Failed> {
        self.svg.draw_line(from, to, style)
    }

    fn draw_rect<S: BackendStyle>(
        &mut self,
        from: BackendCoord,
        to: BackendCoord,
        style: &S,
        fill: bool,
    ) -> std::result::Result<(), Failed> {
        self.svg.draw_rect(from, to, style, fill)
    }

    fn draw_path<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        path: I,
        style: &S,
    ) -> std::result::Result<(), Failed> {
        self.svg.draw_path(path, style)
    }

    fn draw_circle<S: BackendStyle>(
        &mut self,
        center: BackendCoord,
        radius: u32,
        style: &S,
        fill: bool,
    ) -> std::result::Result<(), Failed> {
        self.svg.draw_circle(center, radius, style, fill)
    }

    fn fill_polygon<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        path: I,
        style: &S,
    ) -> std::result::Result<(), Failed> {
        self.svg.fill_polygon(path, style)
    }

    fn draw_text<S: BackendTextStyle>(
        &mut self,
        text: &str,
        style: &S,
        (x, y): BackendCoord,
    ) -> std::result::Result<(), Failed> {
        let text = text.replace(['\n', '\r'], " ");
        let text: String = text.chars().filter(|c| readable(*c)).collect();
        if text.is_empty() {
            return Ok(());
        }
        let color = style.color();
        let Some(angle) = self.notes.slant(color.alpha) else { return self.svg.draw_text(&text, style, (x, y)) };
        // The end that is nearer to the axis stays where it is.
        let drop = (style.size() / LETTER * 0.3) as i32;
        let attributes = format!("transform=\"rotate({} {x} {})\"", -angle, y + drop);
        let alpha = self.notes.add(Note::Attributes(attributes));
        let end = if angle > 0.0 { HPos::Right } else { HPos::Left };
        let mut style = TextStyle::from((FontFamily::SansSerif, style.size())).pos(Pos::new(end, VPos::Center));
        style.color = BackendColor { alpha, ..color };
        self.svg.draw_text(&text, &style, (x, y + drop))
    }

    fn estimate_text_size<S: BackendTextStyle>(
        &self,
        text: &str,
        style: &S,
    ) -> std::result::Result<(u32, u32), Failed> {
        let size = style.size() / LETTER;
        Ok((width(text, size) as u32, size as u32))
    }
}

/// Whether XML may contain the character; a picture with another one is not shown at all.
fn readable(c: char) -> bool {
    matches!(c, '\t' | ' '..='\u{D7FF}' | '\u{E000}'..='\u{FFFD}' | '\u{10000}'..)
}

/// About how wide a text is in letters of that size: the widths of DejaVu Sans, matplotlib's font, by kinds of letters.
pub fn width(text: &str, size: f64) -> f64 {
    let em = |c: char| match c {
        'i' | 'j' | 'l' | '\'' => 0.28,
        ' ' | '.' | ',' | 'I' | 'J' | '|' | ':' | ';' => 0.33,
        'f' | 'r' | 't' | '-' | '(' | ')' | '[' | ']' | '/' | '!' => 0.39,
        '¹' | '²' | '³' | '⁰'..='⁻' => 0.4,
        'm' | 'w' | 'M' | 'W' | '%' | '@' => 0.95,
        '−' | '+' | '=' | '<' | '>' => 0.84,
        'A'..='Z' => 0.71,
        ' '..='\u{2E7F}' => 0.62,
        // Chinese, Japanese, Korean, pictures.
        _ => 1.0,
    };
    text.chars().map(em).sum::<f64>() * size
}

/// Where a text stands from its point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Up {
    Top,
    Middle,
    Baseline,
    Bottom,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Across {
    Left,
    Middle,
    Right,
}

/// How a text looks.
pub struct Letters {
    /// In pixels.
    pub size: f64,
    pub color: Colour,
    pub across: Across,
    pub up: Up,
    /// Whether it reads from the bottom to the top.
    pub rising: bool,
}

impl Letters {
    pub fn new(size: f64, across: Across, up: Up) -> Letters {
        Letters { size, color: Colour::BLACK, across, up, rising: false }
    }

    /// Plotters' style of these letters.
    pub fn style(&self) -> Option<TextStyle<'static>> {
        let across = [HPos::Left, HPos::Center, HPos::Right][self.across as usize];
        let up = [VPos::Top, VPos::Center, VPos::Bottom, VPos::Bottom][self.up as usize];
        let [r, g, b] = self.color.0?;
        let size = self.size.clamp(0.1, 1e4) * UNIT * LETTER;
        let mut style = TextStyle::from((FontFamily::SansSerif, size)).pos(Pos::new(across, up));
        style.color = BackendColor { alpha: 1.0, rgb: (r, g, b) };
        Some(if self.rising { style.transform(FontTransform::Rotate270) } else { style })
    }
}

/// Draws on the page, in pixels from its left top.
pub struct Pen<'a> {
    pub page: Area<'a>,
    notes: Notes,
}

impl<'a> Pen<'a> {
    fn draw<E>(&self, element: E) -> Result<()>
    where
        for<'e> &'e E: plotters::element::PointCollection<'e, (i32, i32)>,
        E: plotters::element::Drawable<Canvas<'a>>,
    {
        self.page.draw(&element).map_err(|e| e.to_string())
    }

    /// The style of a line, if it is to be seen.
    pub fn line_style(&self, stroke: &Stroke) -> Option<ShapeStyle> {
        let wide = pixels(stroke.width);
        if stroke.style == Style::None || !wide.is_finite() || wide <= 0.0 {
            return None;
        }
        // matplotlib's patterns, in widths of the line.
        let pattern: &[f64] = match stroke.style {
            Style::Dashed => &[3.7, 1.6],
            Style::Dotted => &[1.0, 1.65],
            Style::Dashdot => &[6.4, 1.6, 1.0, 1.6],
            Style::Solid | Style::None => &[],
        };
        let mut style = shape(stroke.color, opacity(stroke.alpha))?;
        if !pattern.is_empty() {
            let dashes: Vec<String> = pattern.iter().map(|d| format!("{:.0}", d * wide * UNIT)).collect();
            let faint = if style.color.3 < 1.0 { format!("opacity=\"{}\" ", style.color.3) } else { String::new() };
            style.color.3 =
                self.notes.add(Note::Attributes(format!("{faint}stroke-dasharray=\"{}\"", dashes.join(" "))));
        }
        style.stroke_width = (wide * UNIT).round().clamp(1.0, 1e5) as u32;
        Some(style)
    }

    /// A line through points.
    pub fn path(&self, points: &[[f64; 2]], style: ShapeStyle) -> Result<()> {
        self.draw(PathElement::new(points.iter().copied().map(unit).collect::<Vec<_>>(), style))
    }

    /// A thin line of one colour.
    pub fn hairline(&self, points: &[[f64; 2]], color: Colour, wide: f64) -> Result<()> {
        match shape(color, 1.0) {
            Some(style) => self.path(points, ShapeStyle { stroke_width: (wide * UNIT).round() as u32, ..style }),
            None => Ok(()),
        }
    }

    pub fn polygon(&self, points: &[[f64; 2]], color: Colour, alpha: f64) -> Result<()> {
        match shape(color, alpha) {
            Some(style) => {
                self.draw(Polygon::new(points.iter().copied().map(unit).collect::<Vec<_>>(), style.filled()))
            }
            None => Ok(()),
        }
    }

    /// A filled rectangle: left, top, right, bottom.
    pub fn rectangle(&self, [x0, y0, x1, y1]: [f64; 4], color: Colour, alpha: f64) -> Result<()> {
        match shape(color, alpha) {
            Some(style) => self.draw(Rectangle::new([unit([x0, y0]), unit([x1, y1])], style.filled())),
            None => Ok(()),
        }
    }

    /// A filled disc.
    pub fn disc(&self, center: [f64; 2], radius: f64, color: Colour, alpha: f64) -> Result<()> {
        match shape(color, alpha) {
            Some(style) => self.draw(Circle::new(unit(center), unit([radius, 0.0]).0, style.filled())),
            None => Ok(()),
        }
    }

    pub fn ring(&self, center: [f64; 2], radius: f64, color: Colour, wide: f64) -> Result<()> {
        match shape(color, 1.0) {
            Some(style) => {
                let style = ShapeStyle { stroke_width: unit([wide, 0.0]).0 as u32, ..style };
                self.draw(Circle::new(unit(center), unit([radius, 0.0]).0, style))
            }
            None => Ok(()),
        }
    }

    /// A text, each line below the one before.
    pub fn text(&self, [x, y]: [f64; 2], text: &str, letters: &Letters) -> Result<()> {
        let Some(style) = letters.style() else { return Ok(()) };
        let lines: Vec<&str> = text.lines().collect();
        let (step, last) = (letters.size * 1.2, lines.len().saturating_sub(1) as f64);
        let first = match letters.up {
            Up::Top | Up::Baseline => 0.0,
            Up::Middle => -step * last / 2.0,
            Up::Bottom => -step * last,
        };
        // The backend's lowest anchor lies half an x below the letters' line.
        let sunk = if letters.up == Up::Baseline { 0.273 * letters.size } else { 0.0 };
        for (i, line) in lines.iter().enumerate() {
            let away = first + step * i as f64 + sunk;
            let at = if letters.rising { [x + away, y] } else { [x, y + away] };
            self.draw(Text::new(line.to_string(), unit(at), style.clone()))?;
        }
        Ok(())
    }

    /// A picture over left, top, right and bottom; its cells stay sharp.
    pub fn picture(&self, [x0, y0, x1, y1]: [f64; 4], url: &str, alpha: f64) -> Result<()> {
        let faint = if alpha < 1.0 { format!("opacity=\"{alpha}\" ") } else { String::new() };
        let attributes =
            format!("{faint}preserveAspectRatio=\"none\" style=\"image-rendering:pixelated\" href=\"{url}\"");
        let alpha = self.notes.add(Note::Attributes(attributes));
        let style = ShapeStyle { color: RGBAColor(0, 0, 0, alpha), filled: true, stroke_width: 0 };
        self.draw(Rectangle::new([unit([x0, y0]), unit([x1, y1])], style))
    }

    /// The style of marks' texts that are turned by an angle.
    pub fn slanted(&self, style: &TextStyle<'static>, angle: f64) -> TextStyle<'static> {
        let mut style = style.clone();
        style.color.alpha = self.notes.add(Note::Slant(angle));
        style
    }
}

/// A share that is seen: 1 where none is given.
pub fn opacity(alpha: Option<f64>) -> f64 {
    alpha.filter(|a| !a.is_nan()).map_or(1.0, |a| a.clamp(0.0, 1.0))
}

pub fn shape(color: Colour, alpha: f64) -> Option<ShapeStyle> {
    let [r, g, b] = color.0?;
    Some(ShapeStyle { color: RGBAColor(r, g, b, alpha), filled: false, stroke_width: 1 })
}

/// Units of the drawing from pixels.
fn unit([x, y]: [f64; 2]) -> (i32, i32) {
    let whole = |v: f64| (v.clamp(-FAR, FAR) * UNIT).round() as i32;
    (whole(x), whole(y))
}

/// A whole SVG file: what `draw` draws on a page of that many pixels.
///
/// # Errors
/// Those of `draw`.
pub fn page(size: [f64; 2], words: &str, draw: impl FnOnce(&Pen<'_>) -> Result<()>) -> Result<String> {
    let mut drawn = String::new();
    let notes = Notes::default();
    let units = unit(size);
    {
        let svg = SVGBackend::with_string(&mut drawn, (units.0 as u32, units.1 as u32));
        let page = Canvas { svg, notes: notes.clone() }.into_drawing_area();
        let pen = Pen { page, notes: notes.clone() };
        draw(&pen)?;
        pen.page.present().map_err(|e| e.to_string())?;
    }
    let notes = notes.0.borrow();
    Ok(finish(&drawn, &notes, size, words))
}

/// Gives the drawing its size in pixels, its description and what is noted of its elements.
fn finish(drawn: &str, notes: &[Note], [wide, tall]: [f64; 2], words: &str) -> String {
    let (w, h) = unit([wide, tall]);
    let words: String = words.chars().filter(|c| readable(*c)).collect();
    let words = words.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{wide}\" height=\"{tall}\" viewBox=\"0 0 {w} {h}\" role=\"img\" \
         font-family=\"DejaVu Sans, Verdana, Arial, sans-serif\" stroke-linejoin=\"round\">\n<title>{words}</title>\n"
    );
    // The backend writes an element a line, and quotes in texts as entities: what looks like an attribute is one.
    for line in drawn.lines().skip(1) {
        let line = line.replace(" font-family=\"sans-serif\"", "");
        let attribute = line.find(" opacity=\"").and_then(|at| {
            let number = &line[at + 10..];
            let end = number.find('"')?;
            Some((at, at + 10 + end + 1, number[..end].parse::<f64>().ok()?))
        });
        match attribute {
            Some((from, to, alpha)) => {
                let noted = Notes::index(alpha).and_then(|i| notes.get(i));
                let (line, rest) = (&line[..from], &line[to..]);
                match noted {
                    Some(Note::Attributes(text)) if line.starts_with("<rect") => {
                        let (_, place) = line.split_at("<rect".len());
                        out.push_str(&format!("<image{place} {text}/>"));
                    }
                    Some(Note::Attributes(text)) => out.push_str(&format!("{line} {text}{rest}")),
                    Some(Note::Slant(_)) => out.push_str(&format!("{line}{rest}")),
                    None if alpha >= 1.0 => out.push_str(&format!("{line}{rest}")),
                    None => out.push_str(&format!("{line} opacity=\"{alpha}\"{rest}")),
                }
            }
            None => out.push_str(&line),
        }
        out.push('\n');
    }
    out
}
