//! Figures: what a program plotted, as SVG.
//!
//! `matplotlib` in Python collects data, styles and text in a [`spec::Figure`]. Everything that must be computed to draw it
//! is here: [`layout`] places the plots, [`axis`] finds round marks, [`chart`] and [`artist`] draw, and [`canvas`] writes the
//! elements.
//!
//! With any data, a figure is either drawn or refused: NaN and infinity are left out, as in matplotlib, and the page's size,
//! not the size of the data, limits the size of the file ([`geometry`], [`artist`]).

mod artist;
mod axis;
mod canvas;
mod chart;
mod color;
mod geometry;
mod layout;
pub mod spec;

use canvas::{Horizontal, Letters, Result, Vertical, pixels};
pub use color::{Colors, names as color_maps};
use spec::Figure;

/// Pixels of an inch.
const INCH: f64 = 100.0;
/// A page must be smaller than this in both directions, as in matplotlib.
const LARGEST: f64 = 65_536.0;

/// The figure as a complete SVG file.
///
/// # Errors
/// The message of a `ValueError`: the page has no size or is too large, or the sizes of arrays don't match.
pub fn draw(figure: &Figure) -> Result<String> {
    let size = figure.size.map(|inches| (inches * INCH).round());
    if !size.iter().all(|v| v.is_finite() && *v > 0.0) {
        let [wide, tall] = figure.size;
        return Err(format!("figure size must be positive finite not ({wide}, {tall})"));
    }
    let [wide, tall] = size;
    if wide >= LARGEST || tall >= LARGEST {
        return Err(format!(
            "Image size of {wide}x{tall} pixels is too large. It must be less than 2^16 in each direction."
        ));
    }
    canvas::page(size, &figure.words, |pen| {
        pen.rectangle([0.0, 0.0, wide, tall], figure.face, 1.0);
        let mut top = 0.0;
        if let Some(title) = &figure.title {
            let letters = Letters::new(pixels(title.size), Horizontal::Middle, Vertical::Top);
            pen.text([wide / 2.0, 0.02 * tall], &title.text, &letters);
            top = 0.02 * tall + letters.size * 1.2 * title.text.lines().count() as f64;
        }
        let placed = layout::place(figure, size, top);
        figure.axes.iter().zip(&placed).try_for_each(|(axes, placed)| chart::draw(pen, axes, placed))
    })
}

/// The ends of each plot's x and y axis, as they are drawn.
pub fn ends(figure: &Figure) -> Vec<[[f64; 2]; 2]> {
    axis::ends(&figure.axes)
}
