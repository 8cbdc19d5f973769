//! Where the numbers of a tensor are drawn: rows and columns for a window on a storage.

use crate::protocol::{LEVELS, ODD, Window};

/// The most numbers that one picture has. A window may show far more than its storage has: `expand` repeats them.
const MOST: usize = 4096;
/// A heat map of a long row goes on in the next row after this many.
const WRAP: usize = 64;
/// The number of different shades in a heat map.
const SHADES: usize = 12;

/// A tensor's elements in rows, as their places in the storage.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Grid {
    pub rows: Vec<Vec<usize>>,
    /// How many rows make one matrix; with more dimensions there are several matrices.
    pub matrix: usize,
}

/// The window's elements, if they aren't too many.
pub(crate) fn grid(window: &Window) -> Option<Grid> {
    let numel = window.shape.iter().try_fold(1_usize, |n, &size| n.checked_mul(size)).filter(|&n| n <= MOST)?;
    if numel == 0 {
        return None;
    }
    let columns = window.shape.last().copied().unwrap_or(1);
    let place = |mut index: usize| {
        let mut at = window.offset;
        for (&size, &stride) in window.shape.iter().zip(&window.strides).rev() {
            at += index % size * stride;
            index /= size;
        }
        at
    };
    let rows = (0..numel / columns).map(|row| (0..columns).map(|column| place(row * columns + column)).collect());
    let matrix = window.shape.len().checked_sub(2).map_or(1, |at| window.shape[at]);
    Some(Grid { rows: rows.collect(), matrix })
}

/// The first place of the storage that the window shows, and the one after its last; `None` if it shows nothing.
pub(crate) fn span(window: &Window) -> Option<(usize, usize)> {
    if window.shape.contains(&0) {
        return None;
    }
    let steps = window.shape.iter().zip(&window.strides);
    let last = steps.fold(window.offset, |at, (&size, &stride)| at + (size - 1) * stride);
    Some((window.offset, last + 1))
}

/// A heat map: its width and height in cells, and for each shade (0 is the lightest, `None` isn't a number) a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Heat {
    pub width: usize,
    pub height: usize,
    pub paths: Vec<(Option<usize>, String)>,
}

/// The part of the darkest shade's strength that a shade has.
pub(crate) fn strength(shade: usize) -> f64 {
    (shade + 1) as f64 / SHADES as f64
}

pub(crate) fn heat(grid: &Grid, levels: &[u8]) -> Heat {
    let columns = grid.rows.first().map_or(1, Vec::len);
    let matrices = grid.rows.len().div_ceil(grid.matrix.max(1));
    // Matrices stand side by side, with a gap of one cell.
    let beside = (1..=matrices).find(|n| n * n >= matrices).unwrap_or(1);
    let wraps = grid.rows.len() == 1 && columns > WRAP;
    let (mut width, mut height) = (0, 0);
    let mut paths = vec![String::new(); SHADES + 1];
    for (row, places) in grid.rows.iter().enumerate() {
        let (matrix, line) = (row / grid.matrix.max(1), row % grid.matrix.max(1));
        for (column, &place) in places.iter().enumerate() {
            let (x, y) = match wraps {
                true => (column % WRAP, column / WRAP),
                false => (matrix % beside * (columns + 1) + column, matrix / beside * (grid.matrix + 1) + line),
            };
            (width, height) = (width.max(x + 1), height.max(y + 1));
            let level = levels.get(place).copied().unwrap_or(ODD);
            let shade = match level {
                ODD => SHADES,
                level => usize::from(level) * SHADES / (usize::from(LEVELS) + 1),
            };
            paths[shade].push_str(&format!("M{x} {y}h1v1h-1z"));
        }
    }
    let named = paths.into_iter().enumerate().map(|(shade, path)| ((shade < SHADES).then_some(shade), path));
    Heat { width, height, paths: named.filter(|(_, path)| !path.is_empty()).collect() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dtype::DType;

    fn window(shape: &[usize], strides: &[usize], offset: usize) -> Window {
        Window { names: vec!["x".into()], dtype: DType::F32, shape: shape.into(), strides: strides.into(), offset }
    }

    #[test]
    fn a_transposed_window_shows_the_same_places_in_another_order() {
        let plain = grid(&window(&[2, 3], &[3, 1], 0)).unwrap();
        assert_eq!(plain.rows, [vec![0, 1, 2], vec![3, 4, 5]]);
        let turned = grid(&window(&[3, 2], &[1, 3], 0)).unwrap();
        assert_eq!(turned.rows, [vec![0, 3], vec![1, 4], vec![2, 5]]);
        let part = window(&[2, 2], &[3, 1], 1);
        assert_eq!((grid(&part).unwrap().rows, span(&part)), (vec![vec![1, 2], vec![4, 5]], Some((1, 6))));
        assert_eq!(grid(&window(&[], &[], 4)).unwrap().rows, [[4]]);
        assert_eq!(grid(&window(&[2, 3], &[0, 0], 7)).unwrap().rows, [[7; 3], [7; 3]]);
        assert_eq!((grid(&window(&[0], &[1], 0)), span(&window(&[0], &[1], 0))), (None, None));
        assert_eq!(grid(&window(&[usize::MAX, 2], &[0, 0], 0)), None);
    }

    #[test]
    fn matrices_stand_side_by_side_and_long_rows_wrap() {
        let levels: Vec<u8> = (0..=255).collect();
        let four = heat(&grid(&window(&[4, 2, 3], &[6, 3, 1], 0)).unwrap(), &levels);
        assert_eq!((four.width, four.height), (7, 5));
        let long = heat(&grid(&window(&[130], &[1], 0)).unwrap(), &levels);
        assert_eq!((long.width, long.height), (64, 3));
        let all = heat(&grid(&window(&[16, 16], &[16, 1], 0)).unwrap(), &levels);
        assert_eq!(all.paths.len(), SHADES + 1);
        assert_eq!(all.paths.last(), Some(&(None, "M15 15h1v1h-1z".to_string())));
        assert!(all.paths[0].1.starts_with("M0 0h1v1h-1z"));
    }
}
