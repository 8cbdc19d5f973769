//! Jupyter notebooks (nbformat 4): cells, their outputs, and what lines such as `%time` and `!ls` mean.
//!
//! Whatever a notebook holds that isn't understood here is kept as it was found, so that a notebook that is opened and saved
//! again loses nothing.

pub mod magic;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

/// The most bytes that a notebook may have. Most of them are usually images in its outputs.
pub const LARGEST: usize = 32 << 20;

/// Why a file isn't a notebook that can be opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unreadable {
    TooLarge,
    NotText,
    NotNotebook,
    /// Format 3 or older, whose cells are in worksheets.
    TooOld,
    /// It has no code cell.
    NoCode,
}

impl Unreadable {
    /// The reason in English, for the command line.
    pub fn words(self) -> &'static str {
        match self {
            Unreadable::TooLarge => "this notebook is larger than 32 MiB",
            Unreadable::NotText => "this file is not UTF-8 text",
            Unreadable::NotNotebook => "this file is not a notebook",
            Unreadable::TooOld => "this notebook has an old format (nbformat 3): open it in Jupyter and save it again",
            Unreadable::NoCode => "this notebook has no code",
        }
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Notebook {
    pub cells: Vec<Cell>,
    #[serde(default)]
    metadata: Map<String, Value>,
    nbformat: u64,
    #[serde(default)]
    nbformat_minor: u64,
    #[serde(flatten)]
    rest: Map<String, Value>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    Code,
    Markdown,
    Raw,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Cell {
    #[serde(rename = "cell_type")]
    pub kind: Kind,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    #[serde(default)]
    pub metadata: Map<String, Value>,
    #[serde(with = "lines")]
    pub source: String,
    /// What code cells have besides.
    #[serde(flatten)]
    ran: Option<Ran>,
    #[serde(flatten)]
    rest: Map<String, Value>,
}

/// What running a code cell left in the notebook.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Ran {
    execution_count: Option<u64>,
    outputs: Vec<Value>,
}

/// A string that a notebook stores as a list of lines. Every line but the last has its line end.
mod lines {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Text {
        Whole(String),
        Lines(Vec<String>),
    }

    pub(super) fn serialize<S: Serializer>(text: &str, to: S) -> Result<S::Ok, S::Error> {
        text.split_inclusive('\n').collect::<Vec<_>>().serialize(to)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<String, D::Error> {
        let text = match Text::deserialize(from)? {
            Text::Whole(text) => text,
            Text::Lines(lines) => lines.concat(),
        };
        Ok(text.replace("\r\n", "\n"))
    }
}

impl Cell {
    pub fn code(source: impl Into<String>) -> Cell {
        let ran = Some(Ran::default());
        Cell { kind: Kind::Code, id: None, metadata: Map::new(), source: source.into(), ran, rest: Map::new() }
    }

    pub fn is_code(&self) -> bool {
        self.kind == Kind::Code
    }

    /// Whether the author says that this cell ends in an error, and that the notebook goes on.
    pub fn may_raise(&self) -> bool {
        let tags = self.metadata.get("tags").and_then(Value::as_array);
        tags.is_some_and(|tags| tags.iter().any(|tag| tag == "raises-exception"))
    }

    /// The number of its latest run.
    pub fn count(&self) -> Option<u64> {
        self.ran.as_ref().and_then(|ran| ran.execution_count)
    }

    pub fn outputs(&self) -> &[Value] {
        self.ran.as_ref().map_or(&[], |ran| &ran.outputs)
    }

    /// Replaces what an earlier run left.
    pub fn set_ran(&mut self, count: Option<u64>, outputs: Vec<Value>) {
        if self.is_code() {
            self.ran = Some(Ran { execution_count: count, outputs });
        }
    }
}

impl Default for Notebook {
    fn default() -> Notebook {
        let metadata = json!({
            "kernelspec": { "display_name": "Python 3", "language": "python", "name": "python3" },
            "language_info": { "name": "python" },
        });
        let Value::Object(metadata) = metadata else { unreachable!("it is an object") };
        Notebook { cells: Vec::new(), metadata, nbformat: 4, nbformat_minor: 5, rest: Map::new() }
    }
}

impl Notebook {
    /// Reads an `.ipynb` file.
    ///
    /// # Errors
    /// Why it can't be opened.
    pub fn parse(bytes: &[u8]) -> Result<Notebook, Unreadable> {
        #[derive(Deserialize)]
        struct Format {
            nbformat: u64,
        }
        if bytes.len() > LARGEST {
            return Err(Unreadable::TooLarge);
        }
        let text = std::str::from_utf8(bytes).map_err(|_| Unreadable::NotText)?;
        let format: Format = serde_json::from_str(text).map_err(|_| Unreadable::NotNotebook)?;
        if format.nbformat < 4 {
            return Err(Unreadable::TooOld);
        }
        let notebook: Notebook = serde_json::from_str(text).map_err(|_| Unreadable::NotNotebook)?;
        if notebook.cells.iter().any(Cell::is_code) { Ok(notebook) } else { Err(Unreadable::NoCode) }
    }

    /// The file, as Jupyter writes it: keys in order, each level indented by one space.
    pub fn write(&self) -> String {
        let mut notebook = self.clone();
        let needs_ids = (self.nbformat, self.nbformat_minor) >= (4, 5);
        let known: Vec<String> = self.cells.iter().filter_map(|cell| cell.id.clone()).collect();
        let mut free = (1..).map(|n| format!("cell-{n}")).filter(|id| !known.contains(id));
        for cell in &mut notebook.cells {
            if needs_ids && cell.id.is_none() {
                cell.id = free.next();
            }
            if cell.is_code() && cell.ran.is_none() {
                cell.ran = Some(Ran::default());
            }
        }
        let mut out = Vec::new();
        let format = serde_json::ser::PrettyFormatter::with_indent(b" ");
        let written = serde_json::to_value(&notebook).and_then(|mut value| {
            value.sort_all_objects();
            value.serialize(&mut serde_json::Serializer::with_formatter(&mut out, format))
        });
        debug_assert!(written.is_ok(), "every part of a notebook can be written");
        out.push(b'\n');
        String::from_utf8_lossy(&out).into_owned()
    }
}

/// The outputs of one cell, as they arrive: what a notebook stores is what its reader last saw.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outputs {
    all: Vec<Value>,
    /// The id of each output that can be replaced, by its place.
    ids: Vec<Option<String>>,
    /// Whether the next output replaces all others.
    clear_next: bool,
}

impl Outputs {
    /// Text of a stream, `stdout` or `stderr`.
    pub fn write(&mut self, name: &str, text: &str) {
        self.clear_if_asked();
        if let Some(last) = self.all.last_mut()
            && last["output_type"] == "stream"
            && last["name"] == name
            && let Some(Value::String(before)) = last.get_mut("text")
        {
            before.push_str(text);
            return;
        }
        self.push(json!({ "output_type": "stream", "name": name, "text": text }), None);
    }

    /// Takes an output of another kind, or a request about the outputs before it. Returns false for an update whose output
    /// isn't here.
    pub fn take(&mut self, mut output: Value) -> bool {
        let id = output.as_object_mut().and_then(|output| output.remove("display_id"));
        let id = id.and_then(|id| id.as_str().map(str::to_string));
        match output["output_type"].as_str() {
            Some("clear_output") if output["wait"] == true => self.clear_next = true,
            Some("clear_output") => self.clear(),
            Some("update_display_data") => {
                let mut found = false;
                for (known, at) in self.ids.iter().zip(&mut self.all) {
                    if id.is_some() && *known == id {
                        at["data"] = output["data"].clone();
                        at["metadata"] = output["metadata"].clone();
                        found = true;
                    }
                }
                return found;
            }
            _ => {
                self.clear_if_asked();
                self.push(output, id);
            }
        }
        true
    }

    /// Those that a notebook stores.
    pub fn of(stored: &[Value]) -> Outputs {
        Outputs { all: stored.to_vec(), ids: vec![None; stored.len()], clear_next: false }
    }

    pub fn all(&self) -> &[Value] {
        &self.all
    }

    fn push(&mut self, output: Value, id: Option<String>) {
        self.all.push(output);
        self.ids.push(id);
    }

    fn clear(&mut self) {
        self.all.clear();
        self.ids.clear();
    }

    fn clear_if_asked(&mut self) {
        if std::mem::take(&mut self.clear_next) {
            self.clear();
        }
    }

    /// The outputs as a notebook stores them: long strings as lists of lines.
    pub fn stored(&self) -> Vec<Value> {
        self.all.iter().map(stored).collect()
    }
}

fn stored(output: &Value) -> Value {
    let mut output = output.clone();
    if let Some(text) = output.get_mut("text") {
        split(text);
    }
    if let Some(Value::Object(data)) = output.get_mut("data") {
        for (kind, value) in data.iter_mut() {
            let is_text =
                kind.starts_with("text/") || ["image/svg+xml", "application/javascript"].contains(&kind.as_str());
            if is_text {
                split(value);
            }
        }
    }
    output
}

fn split(value: &mut Value) {
    if let Value::String(text) = value {
        *value = text.split_inclusive('\n').collect();
    }
}

/// A figure as a notebook stores it, with a sentence that describes it.
pub fn figure(svg: &str, words: &str) -> Value {
    let data = json!({ "image/svg+xml": svg, "text/plain": words });
    json!({ "output_type": "display_data", "data": data, "metadata": {} })
}

/// An error as a notebook stores it.
pub fn error(class: &str, message: &str, traceback: &str) -> Value {
    let lines: Vec<&str> = traceback.lines().collect();
    json!({ "output_type": "error", "ename": class, "evalue": message, "traceback": lines })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_notebook_that_is_opened_and_saved_loses_nothing() {
        let text = concat!(
            "{\n \"cells\": [\n  {\n   \"attachments\": {},\n   \"cell_type\": \"markdown\",\n   \"id\": \"a\",\n",
            "   \"metadata\": {\n    \"colab\": 1\n   },\n   \"source\": [\n    \"# Title\\n\",\n    \"text\"\n   ]\n  },\n",
            "  {\n   \"cell_type\": \"code\",\n   \"execution_count\": 3,\n   \"id\": \"b\",\n   \"metadata\": {},\n",
            "   \"outputs\": [\n    {\n     \"name\": \"stdout\",\n     \"output_type\": \"stream\",\n     \"text\": [\n",
            "      \"1\\n\"\n     ]\n    }\n   ],\n   \"source\": [\n    \"print(1)\"\n   ]\n  }\n ],\n",
            " \"metadata\": {\n  \"kernelspec\": {\n   \"name\": \"python3\"\n  }\n },\n \"nbformat\": 4,\n",
            " \"nbformat_minor\": 5,\n \"other\": [\n  1\n ]\n}\n"
        );
        assert_eq!(Notebook::parse(text.as_bytes()).unwrap().write(), text);
    }

    #[test]
    fn cells_get_ids_where_the_format_wants_them() {
        let with = |minor: u64| {
            let cell =
                json!({ "cell_type": "code", "source": "1", "metadata": {}, "outputs": [], "execution_count": null });
            let mut own = cell.clone();
            own["id"] = "cell-1".into();
            let notebook = json!({ "cells": [cell, own], "nbformat": 4, "nbformat_minor": minor, "metadata": {} });
            let read = Notebook::parse(notebook.to_string().as_bytes()).unwrap();
            Notebook::parse(read.write().as_bytes()).unwrap().cells.into_iter().map(|c| c.id).collect::<Vec<_>>()
        };
        assert_eq!(with(5), [Some("cell-2".to_string()), Some("cell-1".to_string())]);
        assert_eq!(with(2), [None, Some("cell-1".to_string())]);
    }

    #[test]
    fn what_is_no_notebook_says_why() {
        let parse = |text: &str| Notebook::parse(text.as_bytes()).map(drop);
        assert_eq!(parse("print(1)"), Err(Unreadable::NotNotebook));
        assert_eq!(parse("{\"cells\": []}"), Err(Unreadable::NotNotebook));
        assert_eq!(parse("{\"cells\": [], \"nbformat\": 4}"), Err(Unreadable::NoCode));
        assert_eq!(parse("{\"worksheets\": [], \"nbformat\": 3}"), Err(Unreadable::TooOld));
        assert_eq!(Notebook::parse(&[0xff]).map(drop), Err(Unreadable::NotText));
        assert_eq!(Notebook::parse(&vec![b' '; LARGEST + 1]).map(drop), Err(Unreadable::TooLarge));
        let nested = format!("{{\"cells\": [], \"nbformat\": 4, \"metadata\": {}}}", "[".repeat(100_000));
        assert_eq!(parse(&nested), Err(Unreadable::NotNotebook));
    }

    #[test]
    fn outputs_are_what_the_reader_last_saw() {
        let mut outputs = Outputs::default();
        outputs.write("stdout", "a\n");
        outputs.write("stdout", "b");
        outputs.write("stderr", "c");
        outputs.take(
            json!({ "output_type": "display_data", "display_id": "x", "data": { "text/plain": "1" }, "metadata": {} }),
        );
        assert!(outputs.take(
            json!({ "output_type": "update_display_data", "display_id": "x", "data": { "text/plain": "2\n3" }, "metadata": {} })
        ));
        assert!(
            !outputs
                .take(json!({ "output_type": "update_display_data", "display_id": "y", "data": {}, "metadata": {} }))
        );
        assert_eq!(
            Value::from(outputs.stored()),
            json!([
                { "output_type": "stream", "name": "stdout", "text": ["a\n", "b"] },
                { "output_type": "stream", "name": "stderr", "text": ["c"] },
                { "output_type": "display_data", "data": { "text/plain": ["2\n", "3"] }, "metadata": {} },
            ])
        );
        outputs.take(json!({ "output_type": "clear_output", "wait": true }));
        assert_eq!(outputs.stored().len(), 3);
        outputs.write("stdout", "new");
        assert_eq!(outputs.stored().len(), 1);
        outputs.take(json!({ "output_type": "clear_output", "wait": false }));
        assert!(outputs.stored().is_empty());
    }
}
