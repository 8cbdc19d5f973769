//! What a cell of a notebook shows, as the page draws it.

use serde_json::Value;

use super::terminal;
use crate::notebook::Outputs;
use crate::protocol::{FIGURES_KEPT, OUTPUT_KEPT};

/// One thing below a cell.
#[derive(Clone, Debug, PartialEq)]
pub enum Piece {
    /// Text of the program.
    Text(String),
    /// Text for errors, also a traceback.
    Error(String),
    /// The value of the cell's last expression.
    Result(String),
    /// An image and its description.
    Picture { url: String, words: String },
}

/// The outputs in order: the richest form of each that the page can show.
pub fn pieces(outputs: &Outputs) -> Vec<Piece> {
    let mut out: Vec<Piece> = outputs.all().iter().filter_map(piece).collect();
    let mut pictures = out.iter().filter(|piece| matches!(piece, Piece::Picture { .. })).count();
    out.retain(|piece| {
        let keep = !matches!(piece, Piece::Picture { .. }) || pictures <= FIGURES_KEPT;
        pictures -= usize::from(!keep);
        keep
    });
    out
}

fn piece(output: &Value) -> Option<Piece> {
    let shorter = |text: String| match terminal::latest(&text, OUTPUT_KEPT) {
        Some(latest) => latest.to_string(),
        None => text,
    };
    match output["output_type"].as_str()? {
        "stream" => {
            // A carriage return makes a progress line overwrite itself.
            let text = shorter(terminal::write("", &text(&output["text"])));
            Some(if output["name"] == "stderr" { Piece::Error(text) } else { Piece::Text(text) })
        }
        "error" => {
            let lines = output["traceback"].as_array();
            let lines: Vec<&str> = lines.into_iter().flatten().filter_map(Value::as_str).collect();
            let traceback = match lines.is_empty() {
                true => format!("{}: {}", text(&output["ename"]), text(&output["evalue"])),
                false => plain(&lines.join("\n")),
            };
            Some(Piece::Error(shorter(traceback)))
        }
        kind => {
            let data = output["data"].as_object()?;
            let words = data.get("text/plain").map(text).unwrap_or_default();
            if let Some(svg) = data.get("image/svg+xml") {
                let url = format!("data:image/svg+xml;charset=utf-8,{}", escaped(&text(svg)));
                return Some(Piece::Picture { url, words });
            }
            for kind in ["image/png", "image/jpeg"] {
                if let Some(bytes) = data.get(kind) {
                    let bytes: String = text(bytes).split_whitespace().collect();
                    return Some(Piece::Picture { url: format!("data:{kind};base64,{bytes}"), words });
                }
            }
            let said = ["text/markdown", "text/latex"].iter().find_map(|kind| data.get(*kind)).map(text);
            let words = shorter(said.unwrap_or(words));
            Some(if kind == "execute_result" { Piece::Result(words) } else { Piece::Text(format!("{words}\n")) })
        }
    }
}

/// A string that a notebook may store as a list of lines.
fn text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(lines) => lines.iter().filter_map(Value::as_str).collect(),
        _ => String::new(),
    }
}

/// A traceback without the colors that Jupyter puts into it.
fn plain(text: &str) -> String {
    let mut parts = text.split("\u{1b}[");
    let mut out = parts.next().unwrap_or_default().to_string();
    for part in parts {
        out.push_str(part.split_once('m').map_or(part, |(_, rest)| rest));
    }
    out
}

/// Text as a part of an address.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len() * 3 / 2);
    for byte in text.bytes() {
        match byte {
            b'A'..=b'Z'
            | b'a'..=b'z'
            | b'0'..=b'9'
            | b'-'
            | b'_'
            | b'.'
            | b'~'
            | b'/'
            | b'='
            | b':'
            | b' '
            | b','
            | b'('
            | b')' => {
                out.push(char::from(byte));
            }
            _ => {
                const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
                out.push('%');
                out.push(char::from(DIGITS[usize::from(byte >> 4)]));
                out.push(char::from(DIGITS[usize::from(byte & 15)]));
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn shown(outputs: &[Value]) -> Vec<Piece> {
        pieces(&Outputs::of(outputs))
    }

    #[test]
    fn each_output_is_shown_in_its_richest_form() {
        let outputs = [
            json!({ "output_type": "stream", "name": "stdout", "text": ["step 1\r", "step 2\n"] }),
            json!({ "output_type": "stream", "name": "stderr", "text": "careful\n" }),
            json!({ "output_type": "execute_result", "execution_count": 1, "metadata": {},
                "data": { "text/plain": "3", "text/html": "<b>3</b>" } }),
            json!({ "output_type": "display_data", "metadata": {},
                "data": { "text/plain": "a curve", "image/svg+xml": ["<svg>\n", "#</svg>"] } }),
            json!({ "output_type": "display_data", "metadata": {}, "data": { "image/png": "AB\nCD" } }),
            json!({ "output_type": "error", "ename": "E", "evalue": "x", "traceback": ["\u{1b}[31mE\u{1b}[39m: x"] }),
            json!({ "output_type": "error", "ename": "E", "evalue": "x", "traceback": [] }),
        ];
        let svg = "data:image/svg+xml;charset=utf-8,%3Csvg%3E%0A%23%3C/svg%3E";
        let want = [
            Piece::Text("step 2\n".into()),
            Piece::Error("careful\n".into()),
            Piece::Result("3".into()),
            Piece::Picture { url: svg.into(), words: "a curve".into() },
            Piece::Picture { url: "data:image/png;base64,ABCD".into(), words: String::new() },
            Piece::Error("E: x".into()),
            Piece::Error("E: x".into()),
        ];
        assert_eq!(shown(&outputs), want);
    }

    #[test]
    fn only_the_latest_pictures_are_drawn() {
        let one = |n: usize| json!({ "output_type": "display_data", "data": { "image/png": n.to_string() } });
        let all: Vec<Value> = (0..FIGURES_KEPT + 3).map(one).collect();
        let shown = shown(&all);
        assert_eq!(shown.len(), FIGURES_KEPT);
        assert_eq!(shown[0], Piece::Picture { url: "data:image/png;base64,3".into(), words: String::new() });
    }
}
