//! A figure as Python hands it over: data, styles and texts, and nothing that depends on where it is drawn.
//!
//! Lengths of lines, marks and letters are in points (1/72 inch), as matplotlib takes them.

use serde::Deserialize;

/// A page of plots.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Figure {
    /// Width and height in inches, of 100 pixels each.
    pub size: [f64; 2],
    pub face: Colour,
    pub title: Option<Title>,
    /// Whether plots take all the room that their texts leave.
    pub tight: bool,
    /// What the figure shows, for those who do not see it.
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
    /// Whether frame, marks and names are drawn.
    pub shown: bool,
    /// The height of one step of y per width of one step of x, if that is fixed.
    pub aspect: Option<f64>,
    pub bar: Option<Bar>,
    pub face: Colour,
    /// Size of the letters beside the axes.
    pub font: f64,
    /// What is drawn, the lowest first.
    pub artists: Vec<Artist>,
}

/// The cell of the figure's grid that a plot is in.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cell {
    pub row: usize,
    pub column: usize,
    /// Rows and columns that it covers.
    pub tall: usize,
    pub wide: usize,
    /// The grid's relative heights and widths, one for each row and column.
    pub heights: Vec<f64>,
    pub widths: Vec<f64>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Axis {
    pub name: String,
    /// The ends that were asked for.
    pub ends: [Option<f64>; 2],
    pub log: bool,
    /// Whether it runs against the usual direction.
    pub inverted: bool,
    /// Where marks were asked for.
    pub marks: Option<Vec<f64>>,
    /// Texts of the marks that were asked for.
    pub labels: Option<Vec<String>>,
    /// Words whose places are 0, 1, 2, …
    pub words: Vec<String>,
    /// The angle of the marks' texts, in degrees against the clock.
    pub turned: f64,
    /// Plots with the same number share their ends along this axis.
    pub shared: Option<usize>,
    /// Whether the marks carry texts.
    pub labelled: bool,
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

/// The scale beside a picture that says what its colours mean.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bar {
    /// Which of the artists it explains.
    pub artist: usize,
    pub label: Option<String>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stroke {
    pub color: Colour,
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
    Rule(Rule),
    Words(Words),
    Image(Image),
}

/// Points in a row, joined; `x` and `y` are equally long.
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

/// Marks with sizes and colours of their own, each list used in turn.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Points {
    pub x: Vec<f64>,
    pub y: Vec<f64>,
    /// Areas, in square points.
    pub sizes: Vec<f64>,
    pub colors: Vec<Colour>,
    /// Numbers that a map turns into colours, in place of `colors`.
    pub map: Option<Map>,
    pub marker: Marker,
    pub alpha: Option<f64>,
    pub edge: Option<Colour>,
    pub label: Option<String>,
}

/// Rectangles, each left, bottom, width and height in data.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Boxes {
    pub boxes: Vec<[f64; 4]>,
    pub colors: Vec<Colour>,
    pub alpha: Option<f64>,
    pub edge: Option<Colour>,
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
    pub color: Colour,
    pub alpha: Option<f64>,
    pub label: Option<String>,
}

/// A line from one side of the plot to the other.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rule {
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
    pub color: Colour,
    /// `left`, `center` or `right`.
    pub across: String,
    /// `top`, `center`, `baseline` or `bottom`.
    pub up: String,
    /// Where an arrow from the text points to.
    pub arrow: Option<[f64; 2]>,
}

/// Rows of cells, the first row first: numbers with a map, or red, green and blue from 0 to 255.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Image {
    pub rows: usize,
    pub columns: usize,
    pub map: Option<Map>,
    pub rgb: Vec<f64>,
    pub alpha: Option<f64>,
    /// Left, right, bottom and top in data.
    pub extent: [f64; 4],
    /// Whether the first row is at the bottom.
    pub lower: bool,
}

/// Numbers and the colours that they stand for.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Map {
    /// A colour map's name.
    pub name: String,
    pub values: Vec<f64>,
    /// The numbers at the map's two ends; those of the data if absent.
    pub ends: [Option<f64>; 2],
}

/// Red, green and blue; `None` is nothing drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Deserialize)]
#[serde(try_from = "String")]
pub struct Colour(pub Option<[u8; 3]>);

impl TryFrom<String> for Colour {
    type Error = String;

    /// `#rrggbb`, or `none`.
    fn try_from(text: String) -> Result<Colour, String> {
        if text == "none" {
            return Ok(Colour(None));
        }
        let number = text.strip_prefix('#').filter(|digits| digits.len() == 6);
        match number.and_then(|digits| u32::from_str_radix(digits, 16).ok()) {
            Some(n) => Ok(Colour(Some([(n >> 16) as u8, (n >> 8) as u8, n as u8]))),
            None => Err(format!("'{text}' is not a colour")),
        }
    }
}

impl Colour {
    pub(crate) const BLACK: Colour = Colour(Some([0; 3]));
}

impl Artist {
    /// The name that the legend shows, if it has one.
    pub fn label(&self) -> Option<&str> {
        let label = match self {
            Artist::Line(a) => &a.label,
            Artist::Points(a) => &a.label,
            Artist::Boxes(a) => &a.label,
            Artist::Band(a) => &a.label,
            Artist::Rule(a) => &a.label,
            Artist::Words(_) | Artist::Image(_) => &None,
        };
        // matplotlib keeps names with an underscore for itself.
        label.as_deref().filter(|name| !name.starts_with('_'))
    }

    /// What is drawn above what, as in matplotlib: pictures, areas and marks, lines, texts.
    pub fn layer(&self) -> u8 {
        match self {
            Artist::Image(_) => 0,
            Artist::Points(_) | Artist::Boxes(_) | Artist::Band(_) => 1,
            Artist::Line(_) | Artist::Rule(_) => 2,
            Artist::Words(_) => 3,
        }
    }

    /// The numbers behind its colours.
    pub fn map(&self) -> Option<&Map> {
        match self {
            Artist::Points(a) => a.map.as_ref(),
            Artist::Image(a) => a.map.as_ref(),
            _ => None,
        }
    }
}
