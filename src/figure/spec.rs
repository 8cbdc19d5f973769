//! A figure as Python describes it: data, styles and text, and nothing that depends on where it is drawn.
//!
//! The sizes of lines, marks and letters are in points (1/72 inch), as in matplotlib.

use serde::Deserialize;

/// A page of plots.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Figure {
    /// Width and height in inches, of 100 pixels each.
    pub size: [f64; 2],
    pub face: Color,
    pub title: Option<Title>,
    /// Whether plots use all the space that their labels leave.
    pub tight: bool,
    /// A description of the figure, for people who can't see it.
    pub words: String,
    pub axes: Vec<Axes>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Title {
    pub text: String,
    pub size: f64,
}

/// One plot.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Axes {
    pub cell: Cell,
    pub title: Title,
    pub x: Axis,
    pub y: Axis,
    pub grid: Option<Grid>,
    pub legend: Option<Legend>,
    /// Whether the frame, the marks and the labels are drawn.
    pub shown: bool,
    /// The height of one unit of y divided by the width of one unit of x, if that is fixed.
    pub aspect: Option<f64>,
    pub bar: Option<Bar>,
    pub face: Color,
    /// Size of the letters next to the axes.
    pub font: f64,
    /// What is drawn, from bottom to top.
    pub artists: Vec<Artist>,
}

/// The cell of the figure's grid in which a plot is.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cell {
    pub row: usize,
    pub column: usize,
    /// Rows and columns that it covers.
    pub tall: usize,
    pub wide: usize,
    /// The grid's relative heights and widths: one for each row and column.
    pub heights: Vec<f64>,
    pub widths: Vec<f64>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Axis {
    pub name: String,
    /// The ends that the program set.
    pub ends: [Option<f64>; 2],
    pub log: bool,
    /// Whether it runs against the usual direction.
    pub inverted: bool,
    /// The places of the marks, if the program set them.
    pub marks: Option<Vec<f64>>,
    /// The labels of the marks, if the program set them.
    pub labels: Option<Vec<String>>,
    /// Category names, whose places are 0, 1, 2, …
    pub words: Vec<String>,
    /// The angle of the marks' labels, in degrees counterclockwise.
    pub turned: f64,
    /// Plots with the same number share their ends along this axis.
    pub shared: Option<usize>,
    /// Whether the marks have labels.
    pub labeled: bool,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Grid {
    pub x: bool,
    pub y: bool,
    pub line: Stroke,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Legend {
    /// `upper right`, `center`, … or `best`.
    pub place: String,
    pub size: f64,
    pub title: Option<String>,
}

/// The color scale next to an image.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bar {
    /// The artist to which it belongs.
    pub artist: usize,
    pub label: Option<String>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stroke {
    pub color: Color,
    pub width: f64,
    pub style: Style,
    pub alpha: Option<f64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Style {
    Solid,
    Dashed,
    Dotted,
    Dashdot,
    None,
}

/// The shape of a mark, by matplotlib's letter.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
pub enum Marker {
    #[serde(rename = "o")]
    Circle,
    #[serde(rename = ".")]
    Point,
    #[serde(rename = ",")]
    Pixel,
    #[serde(rename = "s")]
    Square,
    #[serde(rename = "x")]
    Cross,
    #[serde(rename = "+")]
    Plus,
    #[serde(rename = "|")]
    Upright,
    #[serde(rename = "_")]
    Level,
    #[serde(rename = "^")]
    Up,
    #[serde(rename = "v")]
    Down,
    #[serde(rename = "<")]
    Left,
    #[serde(rename = ">")]
    Right,
    #[serde(rename = "D")]
    Diamond,
    #[serde(rename = "d")]
    ThinDiamond,
    #[serde(rename = "*")]
    Star,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Artist {
    Line(Line),
    Points(Points),
    Boxes(Boxes),
    Band(Band),
    Rule(Straight),
    Words(Words),
    Image(Image),
}

/// Connected points; `x` and `y` have the same length.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Line {
    pub x: Vec<f64>,
    pub y: Vec<f64>,
    pub stroke: Stroke,
    pub marker: Option<Marker>,
    /// Width of a mark.
    pub size: f64,
    pub label: Option<String>,
}

/// Marks with individual sizes and colors. If a list is shorter, it's repeated.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Points {
    pub x: Vec<f64>,
    pub y: Vec<f64>,
    /// Areas, in square points.
    pub sizes: Vec<f64>,
    pub colors: Vec<Color>,
    /// Numbers that a map turns into colors, instead of `colors`.
    pub map: Option<Map>,
    pub marker: Marker,
    pub alpha: Option<f64>,
    pub edge: Option<Color>,
    pub label: Option<String>,
}

/// Rectangles, each with left, bottom, width and height in data coordinates.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Boxes {
    pub boxes: Vec<[f64; 4]>,
    pub colors: Vec<Color>,
    pub alpha: Option<f64>,
    pub edge: Option<Color>,
    /// Whether the bars are vertical, from the x axis up; otherwise they're horizontal.
    pub upright: bool,
    pub label: Option<String>,
}

/// The area between two curves.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Band {
    pub x: Vec<f64>,
    pub low: Vec<f64>,
    pub high: Vec<f64>,
    pub color: Color,
    pub alpha: Option<f64>,
    pub label: Option<String>,
}

/// A line from one side of the plot to the other.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Straight {
    pub at: f64,
    pub upright: bool,
    pub stroke: Stroke,
    pub label: Option<String>,
}

/// Text at a point of the data.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Words {
    pub x: f64,
    pub y: f64,
    pub text: String,
    pub size: f64,
    pub color: Color,
    /// `left`, `center` or `right`.
    pub across: String,
    /// `top`, `center`, `baseline` or `bottom`.
    pub up: String,
    /// The point at which an arrow from the text ends.
    pub arrow: Option<[f64; 2]>,
}

/// Rows of cells, first row first: numbers with a map, or red, green and blue from 0 to 255.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Image {
    pub rows: usize,
    pub columns: usize,
    pub map: Option<Map>,
    pub rgb: Vec<f64>,
    pub alpha: Option<f64>,
    /// Left, right, bottom and top in data coordinates.
    pub extent: [f64; 4],
    /// Whether the first row is at the bottom.
    pub lower: bool,
}

/// Numbers and the map that gives their colors.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Map {
    /// The name of a color map.
    pub name: String,
    pub values: Vec<f64>,
    /// The numbers at the map's two ends; if absent, those of the data.
    pub ends: [Option<f64>; 2],
}

/// Red, green and blue; `None` means that nothing is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Deserialize)]
#[serde(try_from = "String")]
pub struct Color(pub Option<[u8; 3]>);

impl TryFrom<String> for Color {
    type Error = String;

    /// `#rrggbb`, or `none`.
    fn try_from(text: String) -> Result<Color, String> {
        if text == "none" {
            return Ok(Color(None));
        }
        let number = text.strip_prefix('#').filter(|digits| digits.len() == 6);
        match number.and_then(|digits| u32::from_str_radix(digits, 16).ok()) {
            Some(n) => Ok(Color(Some([(n >> 16) as u8, (n >> 8) as u8, n as u8]))),
            None => Err(format!("'{text}' is not a color")),
        }
    }
}

impl Color {
    pub(crate) const BLACK: Color = Color(Some([0; 3]));
}

impl Artist {
    /// The name in the legend, if it has one.
    pub fn label(&self) -> Option<&str> {
        let label = match self {
            Artist::Line(a) => &a.label,
            Artist::Points(a) => &a.label,
            Artist::Boxes(a) => &a.label,
            Artist::Band(a) => &a.label,
            Artist::Rule(a) => &a.label,
            Artist::Words(_) | Artist::Image(_) => &None,
        };
        // In matplotlib, names that begin with an underscore are hidden.
        label.as_deref().filter(|name| !name.starts_with('_'))
    }

    /// The drawing order, as in matplotlib: images, areas and marks, lines, text.
    pub fn layer(&self) -> u8 {
        match self {
            Artist::Image(_) => 0,
            Artist::Points(_) | Artist::Boxes(_) | Artist::Band(_) => 1,
            Artist::Line(_) | Artist::Rule(_) => 2,
            Artist::Words(_) => 3,
        }
    }

    /// The numbers that determine its colors.
    pub fn map(&self) -> Option<&Map> {
        match self {
            Artist::Points(a) => a.map.as_ref(),
            Artist::Image(a) => a.map.as_ref(),
            _ => None,
        }
    }
}
