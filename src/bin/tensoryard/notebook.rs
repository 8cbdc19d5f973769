//! Runs a notebook: `tensoryard run NOTEBOOK.ipynb`.

use std::cell::RefCell;
use std::io::Write;
use std::path::Path;
use std::rc::Rc;

use serde_json::Value;
use tensoryard::notebook::{self, Notebook, Outputs};
use tensoryard::python::cells::Cells;
use tensoryard::python::output::{Output, Process, Stream};
use tensoryard::python::{Ended, Program};

/// Whether a file is a notebook, by its name.
pub(crate) fn is_notebook(file: &Path) -> bool {
    file.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("ipynb"))
}

/// Prints what a cell shows, and keeps it for the notebook that is saved.
struct Shown {
    /// The outputs of each cell so far, this one's last; `None` if no notebook is saved.
    kept: Option<Rc<RefCell<Vec<Outputs>>>>,
}

impl Shown {
    /// Adds to the outputs of the cell that runs.
    fn keep(&self, change: impl FnOnce(&mut Outputs)) {
        if let Some(kept) = &self.kept
            && let Some(last) = kept.borrow_mut().last_mut()
        {
            change(last);
        }
    }

    /// The plain text of an output, as its line in a terminal.
    fn print(output: &Value) {
        let text = match output["output_type"].as_str() {
            Some("display_data" | "execute_result" | "update_display_data") => output["data"]["text/plain"].as_str(),
            _ => None,
        };
        if let Some(text) = text {
            // A closed pipe is noticed by the program's own prints.
            let _ = Process.write(Stream::Stdout, &format!("{text}\n"));
        }
    }
}

impl Output for Shown {
    fn write(&self, stream: Stream, text: &str) -> std::io::Result<()> {
        self.keep(|outputs| outputs.write(if stream == Stream::Stdout { "stdout" } else { "stderr" }, text));
        Process.write(stream, text)
    }

    fn flush(&self, stream: Stream) -> std::io::Result<()> {
        Process.flush(stream)
    }

    fn figure(&self, svg: Option<&str>, words: &str) -> bool {
        // If no notebook is saved, figures are written to files.
        if self.kept.is_none() {
            return false;
        }
        if let Some(svg) = svg {
            let output = notebook::figure(svg, words);
            Shown::print(&output);
            self.keep(|outputs| {
                outputs.take(output);
            });
        }
        true
    }

    fn display(&self, output: Value) -> bool {
        if output["output_type"] == "error" {
            let lines = output["traceback"].as_array();
            let text: String =
                lines.into_iter().flatten().filter_map(Value::as_str).map(|l| format!("{l}\n")).collect();
            let _ = Process.write(Stream::Stderr, &text);
        } else {
            Shown::print(&output);
        }
        match &self.kept {
            // An earlier cell may show it.
            Some(kept) if output["output_type"] == "update_display_data" => {
                for outputs in kept.borrow_mut().iter_mut() {
                    outputs.take(output.clone());
                }
            }
            _ => self.keep(|outputs| {
                outputs.take(output);
            }),
        }
        true
    }

    fn is_terminal(&self, stream: Stream) -> bool {
        Process.is_terminal(stream)
    }

    fn descriptor(&self, stream: Stream) -> Option<i32> {
        Process.descriptor(stream)
    }
}

/// Runs the cells until one raises an error. `save` gets the notebook with their outputs.
///
/// # Errors
/// The notebook can't be read, or the other one not written.
pub(crate) fn run(program: &Program, bytes: &[u8], save: Option<&Path>) -> Result<Ended, String> {
    let mut notebook = Notebook::parse(bytes).map_err(|why| format!("{}: {}", program.file, why.words()))?;
    let kept = save.map(|_| Rc::<RefCell<Vec<Outputs>>>::default());
    let shown = || Rc::new(Shown { kept: kept.clone() });
    let mut cells = match Cells::open(program.clone(), None, shown()) {
        Ok(cells) => cells,
        Err(ended) => return Ok(ended),
    };
    let mut ended = Ended { exit_code: 0, error: None };
    let mut has_ended = false;
    for cell in notebook.cells.iter_mut().filter(|cell| cell.is_code()) {
        cell.set_ran(None, Vec::new());
        if has_ended || cell.source.trim().is_empty() {
            continue;
        }
        if let Some(kept) = &kept {
            kept.borrow_mut().push(Outputs::default());
        }
        let left = cells.run(&cell.source, program, shown());
        cell.set_ran(Some(cells.count()), Vec::new());
        if !cell.may_raise() || left.error.is_none() || cells.is_broken() {
            has_ended = left.error.is_some() || cells.has_exited();
            ended = left;
        }
    }
    let at_exit = cells.close(shown());
    if ended.exit_code == 0 {
        ended.exit_code = at_exit;
    }
    if let (Some(path), Some(kept)) = (save, kept) {
        let ran = notebook.cells.iter_mut().filter(|cell| cell.count().is_some());
        for (cell, outputs) in ran.zip(kept.borrow().iter()) {
            cell.set_ran(cell.count(), outputs.stored());
        }
        let write = std::fs::File::create(path).and_then(|mut file| file.write_all(notebook.write().as_bytes()));
        write.map_err(|error| format!("notebook {}: {error}", path.display()))?;
    }
    Ok(ended)
}
