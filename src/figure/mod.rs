//! Figures: what a program plotted, as SVG.
//!
//! `matplotlib` in Python gathers data, styles and text into a [`spec::Figure`]; everything that's computed to draw it is here:
//! [`layout`] places the plots, [`axis`] finds round marks, [`chart`] and [`artist`] draw, and [`canvas`] writes the elements.
//!
//! Whatever the data, a figure is drawn or refused: NaN and infinity are left out as matplotlib leaves them out, and the
//! size of the file is bounded by the page's size, not by the data's ([`geometry`], [`artist`]).

mod artist;
mod axis;
mod canvas;
mod chart;
mod colour;
mod geometry;
mod layout;
pub mod spec;

use canvas::{Across, Letters, Result, Up, pixels};
pub use colour::{Colours, names as colour_maps};
use spec::Figure;

/// Pixels of an inch.
const INCH: f64 = 100.0;
/// A page is smaller in both directions, as matplotlib's is.
const LARGEST: f64 = 65_536.0;

/// The figure as a whole SVG file.
///
/// # Errors
/// The text of a `ValueError`: a page without size or too large, or data that does not fit together.
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
            let letters = Letters::new(pixels(title.size), Across::Middle, Up::Top);
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
