//! Programs as files: `.py`, and `.ipynb`. A line `# %%` begins a new cell.

use crate::notebook::{self, Cell, Notebook};

/// Begins a cell in a `.py` file.
const CELL: &str = "# %%";
/// The most bytes that a program may have.
pub const LARGEST: usize = 512 << 10;

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
}

/// A notebook that runs on PyTorch as it is.
pub fn to_notebook(code: &str) -> String {
    let mut notebook = Notebook::default();
    notebook.cells = cells(code).into_iter().map(Cell::code).collect();
    notebook.write()
}

/// The program in an uploaded file. The file's name says which format it has.
///
/// # Errors
/// Why the file can't become a program.
pub fn from_file(name: &str, bytes: &[u8]) -> Result<String, Unreadable> {
    let is_notebook = name.to_lowercase().ends_with(".ipynb");
    if !is_notebook && bytes.len() > LARGEST {
        return Err(Unreadable::TooLarge);
    }
    if !is_notebook {
        let text = std::str::from_utf8(bytes).map_err(|_| Unreadable::NotText)?;
        return Ok(text.replace("\r\n", "\n"));
    }
    let notebook = Notebook::parse(bytes).map_err(|why| match why {
        notebook::Unreadable::TooLarge => Unreadable::NotebookTooLarge,
        notebook::Unreadable::NotText => Unreadable::NotText,
        notebook::Unreadable::NotNotebook => Unreadable::NotNotebook,
        notebook::Unreadable::TooOld => Unreadable::TooOld,
        notebook::Unreadable::NoCode => Unreadable::NoCode,
    })?;
    let code: Vec<String> = notebook
        .cells
        .iter()
        .filter(|cell| cell.is_code())
        .map(|cell| plain(&cell.source))
        .filter(|cell| !cell.trim().is_empty())
        .collect();
    let code = match code.len() {
        0 => return Err(Unreadable::NoCode),
        1 => format!("{}\n", code[0].trim_end()),
        _ => code.iter().map(|cell| format!("{CELL}\n{}\n", cell.trim_end())).collect::<Vec<_>>().join("\n"),
    };
    if code.len() > LARGEST { Err(Unreadable::TooLarge) } else { Ok(code) }
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
    use serde_json::{Value, json};

    use super::*;

    #[test]
    fn a_program_goes_into_a_notebook_and_back() {
        let code = "# %%\nimport torch\n\nx = 1\n\n# %%\nprint(x)\n";
        let notebook = to_notebook(code);
        assert_eq!(from_file("a.ipynb", notebook.as_bytes()).unwrap(), code);
        let value: Value = serde_json::from_str(&notebook).unwrap();
        assert_eq!(value["cells"][0]["source"], json!(["import torch\n", "\n", "x = 1"]));
        let single = "import torch\nprint(1)\n";
        assert_eq!(from_file("A.IPYNB", to_notebook(single).as_bytes()).unwrap(), single);
    }

    #[test]
    fn magics_and_texts_of_a_notebook_stay_behind() {
        let notebook = json!({ "nbformat": 4, "cells": [
            { "cell_type": "markdown", "source": "# Title" },
            { "cell_type": "code", "source": ["%matplotlib inline\n", "!pip install torch\n", "import torch\n", "x = 7 % 3"] },
            { "cell_type": "code", "source": "%%bash\nls" },
        ] });
        let code = from_file("n.ipynb", notebook.to_string().as_bytes()).unwrap();
        assert_eq!(
            code,
            "# %%\n# %matplotlib inline\n# !pip install torch\nimport torch\nx = 7 % 3\n\n# %%\n# %%bash\n# ls\n"
        );
    }

    #[test]
    fn images_in_a_notebook_do_not_count() {
        // A notebook with three megabytes of plots used to be rejected.
        let with = |source: String, drawn: usize| {
            let output = json!({ "data": { "image/png": "A".repeat(drawn) } });
            let cell = json!({ "cell_type": "code", "source": source, "outputs": [output], "metadata": {} });
            from_file("n.ipynb", json!({ "cells": [cell], "nbformat": 4 }).to_string().as_bytes())
        };
        assert_eq!(with("print(1)".into(), 3 << 20), Ok("print(1)\n".into()));
        assert_eq!(with("#".repeat(LARGEST + 1), 0), Err(Unreadable::TooLarge));
        assert_eq!(with("print(1)".into(), notebook::LARGEST), Err(Unreadable::NotebookTooLarge));
        let nested = format!("{{\"cells\": [], \"metadata\": {}}}", "[".repeat(100_000));
        assert_eq!(from_file("n.ipynb", nested.as_bytes()), Err(Unreadable::NotNotebook));
    }

    #[test]
    fn what_is_no_program_says_why() {
        assert_eq!(from_file("a.ipynb", b"print(1)"), Err(Unreadable::NotNotebook));
        assert_eq!(from_file("a.ipynb", b"{\"cells\":[],\"nbformat\":4}"), Err(Unreadable::NoCode));
        assert_eq!(from_file("a.py", &[0xff, 0xfe]), Err(Unreadable::NotText));
        assert_eq!(from_file("a.py", &vec![b'a'; LARGEST + 1]), Err(Unreadable::TooLarge));
        assert_eq!(from_file("a.py", b"x = 1\r\n").unwrap(), "x = 1\n");
    }
}
