//! Where the boxes and arrows of a lesson's diagram are drawn: a column of names, one of tensors and one of storages.

use crate::lesson::prose::Diagram;

/// In pixels, as all that follow. Labels are in a font whose characters are all this wide.
const CHARACTER: f64 = 7.5;
const PADDING: f64 = 12.0;
const BETWEEN_COLUMNS: f64 = 44.0;
const BETWEEN_ROWS: f64 = 12.0;
/// The height of a box, and that of a box with a second line.
const BOX: f64 = 32.0;
const TALL_BOX: f64 = 46.0;
/// Above the boxes, for the name of the column.
const HEAD: f64 = 22.0;
const EDGE: f64 = 1.0;

/// A box and where it's drawn, in pixels.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Placed {
    pub x: f64,
    pub y: f64,
    pub width: f64,
    pub height: f64,
    pub label: String,
    /// The device whose color it has.
    pub on: Option<String>,
}

impl Placed {
    fn middle(&self) -> f64 {
        self.y + self.height / 2.0
    }
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Drawing {
    pub width: f64,
    pub height: f64,
    pub names: Vec<Placed>,
    pub tensors: Vec<Placed>,
    pub storages: Vec<Placed>,
    /// Start and end of each arrow.
    pub arrows: Vec<((f64, f64), (f64, f64))>,
}

impl Drawing {
    /// The columns that have boxes.
    pub fn columns(&self) -> [&[Placed]; 3] {
        [&self.names, &self.tensors, &self.storages]
    }
}

/// Places everything in a diagram. `heads` are the names of the columns; a column is at least as wide as its name.
pub fn draw(diagram: &Diagram, heads: [&str; 3]) -> Drawing {
    let on = |key: &str| diagram.storages.iter().find(|s| s.key == key).map(|s| s.on.clone());
    let names = diagram.names.iter().map(|(name, _)| (name.clone(), None)).collect();
    let tensors = diagram.tensors.iter().map(|t| (t.label.clone(), on(&t.storage))).collect();
    let storages = diagram.storages.iter().map(|s| (s.label.clone(), Some(s.on.clone()))).collect();
    let mut drawing = Drawing::default();
    let columns: [Vec<(String, Option<String>)>; 3] = [names, tensors, storages];
    let height_of = |at: usize| if at == 2 { TALL_BOX } else { BOX };
    let height = |(at, column): (usize, &Vec<_>)| {
        column.len() as f64 * height_of(at) + column.len().saturating_sub(1) as f64 * BETWEEN_ROWS
    };
    let tallest = columns.iter().enumerate().map(height).fold(0.0, f64::max);
    let mut x = EDGE;
    let mut placed = columns.iter().enumerate().map(|(at, column)| {
        let characters = |text: &str| text.chars().count() as f64 * CHARACTER;
        let lines = column.iter().flat_map(|(label, on)| [Some(label), on.as_ref()]).flatten();
        let widest = lines.map(|line| characters(line)).fold(characters(heads[at]) - 2.0 * PADDING, f64::max);
        let width = widest + 2.0 * PADDING;
        let mut y = HEAD + EDGE + (tallest - height((at, column))) / 2.0;
        let boxes = column.iter().map(|(label, on)| {
            let here = Placed { x, y, width, height: height_of(at), label: label.clone(), on: on.clone() };
            y += height_of(at) + BETWEEN_ROWS;
            here
        });
        let boxes: Vec<Placed> = boxes.collect();
        x += if boxes.is_empty() { 0.0 } else { width + BETWEEN_COLUMNS };
        boxes
    });
    drawing.names = placed.next().unwrap_or_default();
    drawing.tensors = placed.next().unwrap_or_default();
    drawing.storages = placed.next().unwrap_or_default();
    drop(placed);
    let mut arrow = |from: Option<&Placed>, to: Option<&Placed>| {
        if let (Some(from), Some(to)) = (from, to) {
            drawing.arrows.push(((from.x + from.width, from.middle()), (to.x, to.middle())));
        }
    };
    for ((_, key), name) in diagram.names.iter().zip(&drawing.names) {
        let at = diagram.tensors.iter().position(|t| t.key == *key);
        arrow(Some(name), at.and_then(|at| drawing.tensors.get(at)));
    }
    for (tensor, placed) in diagram.tensors.iter().zip(&drawing.tensors) {
        let at = diagram.storages.iter().position(|s| s.key == tensor.storage);
        arrow(Some(placed), at.and_then(|at| drawing.storages.get(at)));
    }
    drawing.width = (x - BETWEEN_COLUMNS + EDGE).max(0.0);
    drawing.height = HEAD + tallest + 2.0 * EDGE;
    drawing
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lesson::prose::{DiagramStorage, DiagramTensor};

    fn diagram() -> Diagram {
        let tensor =
            |key: &str, label: &str| DiagramTensor { key: key.into(), label: label.into(), storage: "s".into() };
        Diagram {
            alt: "Two names, two tensors, one storage".into(),
            names: vec![("x".into(), "a".into()), ("y".into(), "b".into()), ("z".into(), "b".into())],
            tensors: vec![tensor("a", "2 × 3"), tensor("b", "3 × 2, transposed")],
            storages: vec![DiagramStorage { key: "s".into(), label: "24 bytes".into(), on: "cuda:0".into() }],
        }
    }

    #[test]
    fn every_arrow_joins_two_boxes_and_nothing_is_outside_the_drawing() {
        let drawn = draw(&diagram(), ["name", "tensor", "storage"]);
        assert_eq!(drawn.columns().map(<[Placed]>::len), [3, 2, 1]);
        assert_eq!(drawn.arrows.len(), 5);
        let boxes: Vec<&Placed> = drawn.columns().into_iter().flatten().collect();
        let right = |b: &Placed| (b.x + b.width, b.middle());
        let left = |b: &Placed| (b.x, b.middle());
        for (from, to) in &drawn.arrows {
            assert!(boxes.iter().any(|b| right(b) == *from) && boxes.iter().any(|b| left(b) == *to));
            assert!(from.0 < to.0);
        }
        for b in &boxes {
            assert!(
                b.x >= 0.0 && b.y >= 0.0 && b.x + b.width <= drawn.width && b.y + b.height <= drawn.height,
                "{b:?}"
            );
            assert!(b.label.chars().count() as f64 * CHARACTER < b.width, "{b:?}");
        }
        // The tensors have the color of the device that holds their numbers.
        assert!(drawn.tensors.iter().chain(&drawn.storages).all(|b| b.on.as_deref() == Some("cuda:0")));
        for column in drawn.columns() {
            assert!(column.windows(2).all(|pair| pair[0].y + pair[0].height < pair[1].y));
        }
    }

    #[test]
    fn a_column_without_boxes_takes_no_room() {
        let mut without = diagram();
        without.names.clear();
        let heads = ["name", "tensor", "storage"];
        let (with, without) = (draw(&diagram(), heads), draw(&without, heads));
        assert!(without.width < with.width - BETWEEN_COLUMNS);
        assert_eq!(without.tensors[0].x, EDGE);
    }
}
