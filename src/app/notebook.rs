//! Programs as files: `.py`, and `.ipynb`. A line `# %%` begins a new cell.

use crate::notebook::{self, Cell, Notebook};

/// Begins a cell in a `.py` file.
const CELL: &str = "# %%";
/// The most bytes that a program may have.
pub const LARGEST: usize = 512 << 10;

/// The most cells of a notebook: each has an editor.
const MOST_CELLS: usize = 2000;

/// Why a file cannot become a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unreadable {
    TooLarge,
    NotebookTooLarge,
    /// Not UTF-8.
    NotText,
    /// An `.ipynb` that isn't a notebook.
    NotNotebook,
    /// A notebook of format 3 or older.
    TooOld,
    /// A notebook without a code cell.
    NoCode,
    TooManyCells,
}

/// What a file holds.
#[derive(Clone, Debug, PartialEq)]
pub enum Opened {
    Program(String),
    Notebook(Notebook),
}

/// A notebook that runs on PyTorch as it is.
pub fn to_notebook(code: &str) -> String {
    let mut notebook = Notebook::default();
    notebook.cells = cells(code).into_iter().map(Cell::code).collect();
    notebook.write()
}

/// The program or the notebook in an uploaded file. The file's name says which format it has.
///
/// # Errors
/// Why the file can't become a program.
pub fn from_file(name: &str, bytes: &[u8]) -> Result<Opened, Unreadable> {
    let is_notebook = name.to_lowercase().ends_with(".ipynb");
    if !is_notebook && bytes.len() > LARGEST {
        return Err(Unreadable::TooLarge);
    }
    if !is_notebook {
        let text = std::str::from_utf8(bytes).map_err(|_| Unreadable::NotText)?;
        return Ok(Opened::Program(text.replace("\r\n", "\n")));
    }
    let notebook = Notebook::parse(bytes).map_err(|why| match why {
        notebook::Unreadable::TooLarge => Unreadable::NotebookTooLarge,
        notebook::Unreadable::NotText => Unreadable::NotText,
        notebook::Unreadable::NotNotebook => Unreadable::NotNotebook,
        notebook::Unreadable::TooOld => Unreadable::TooOld,
        notebook::Unreadable::NoCode => Unreadable::NoCode,
    })?;
    if notebook.cells.len() > MOST_CELLS {
        return Err(Unreadable::TooManyCells);
    }
    Ok(Opened::Notebook(notebook))
}

/// The code of a notebook as one program. Lines that only a notebook understands become comments.
pub fn to_program(notebook: &Notebook) -> String {
    let code = notebook.cells.iter().filter(|cell| cell.is_code()).map(|cell| plain(&cell.source));
    let code: Vec<String> = code.filter(|cell| !cell.trim().is_empty()).collect();
    match &code[..] {
        [one] => format!("{}\n", one.trim_end()),
        all => all.iter().map(|cell| format!("{CELL}\n{}\n", cell.trim_end())).collect::<Vec<_>>().join("\n"),
    }
}

fn cells(code: &str) -> Vec<String> {
    let mut cells = vec![String::new()];
    for line in code.lines() {
        if line.trim_end() == CELL || line.starts_with("# %% ") {
            cells.push(String::new());
            // Text after the marker is the cell's title. It is kept as a comment.
            if line.trim_end() == CELL {
                continue;
            }
        }
        if let Some(cell) = cells.last_mut() {
            cell.push_str(line);
            cell.push('\n');
        }
    }
    let mut cells: Vec<String> = cells.iter().map(|c| c.trim_matches('\n').to_string()).collect();
    cells.retain(|c| !c.trim().is_empty());
    cells
}

/// Turns lines that only a notebook's kernel understands into comments.
fn plain(cell: &str) -> String {
    if cell.trim_start().starts_with("%%") {
        return cell.lines().map(|line| format!("# {line}\n")).collect();
    }
    cell.lines()
        .map(|line| match line.trim_start().starts_with(['%', '!']) {
            true => format!("# {line}\n"),
            false => format!("{line}\n"),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn program(notebook: &str) -> String {
        match from_file("A.IPYNB", notebook.as_bytes()) {
            Ok(Opened::Notebook(notebook)) => to_program(&notebook),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_program_goes_into_a_notebook_and_back() {
        for code in ["# %%\nimport torch\n\nx = 1\n\n# %%\nprint(x)\n", "import torch\nprint(1)\n"] {
            assert_eq!(program(&to_notebook(code)), code);
        }
    }

    #[test]
    fn magics_and_texts_of_a_notebook_stay_behind() {
        let notebook = json!({ "nbformat": 4, "cells": [
            { "cell_type": "markdown", "source": "# Title" },
            { "cell_type": "code", "source": ["%matplotlib inline\n", "!pip install torch\n", "import torch\n", "x = 7 % 3"] },
            { "cell_type": "code", "source": "%%bash\nls" },
        ] });
        assert_eq!(
            program(&notebook.to_string()),
            "# %%\n# %matplotlib inline\n# !pip install torch\nimport torch\nx = 7 % 3\n\n# %%\n# %%bash\n# ls\n"
        );
    }

    #[test]
    fn what_is_no_program_says_why() {
        assert_eq!(from_file("a.ipynb", b"print(1)"), Err(Unreadable::NotNotebook));
        assert_eq!(from_file("a.ipynb", b"{\"cells\":[],\"nbformat\":4}"), Err(Unreadable::NoCode));
        assert_eq!(from_file("a.ipynb", b"{\"worksheets\":[],\"nbformat\":3}"), Err(Unreadable::TooOld));
        let many =
            json!({ "nbformat": 4, "cells": vec![json!({ "cell_type": "code", "source": "" }); MOST_CELLS + 1] });
        assert_eq!(from_file("a.ipynb", many.to_string().as_bytes()), Err(Unreadable::TooManyCells));
        assert_eq!(from_file("a.py", &[0xff, 0xfe]), Err(Unreadable::NotText));
        assert_eq!(from_file("a.py", &vec![b'a'; LARGEST + 1]), Err(Unreadable::TooLarge));
        assert_eq!(from_file("a.py", b"x = 1\r\n"), Ok(Opened::Program("x = 1\n".into())));
    }
}
