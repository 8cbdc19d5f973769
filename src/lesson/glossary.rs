//! The glossary of a folder of lessons: words, and one sentence for each.

use serde_norway::{Mapping, Value};

use super::{Fault, prose};

/// A glossary may be this long, in bytes.
const MAX_BYTES: usize = 128 << 10;

/// A word, as a language writes it, may have this many characters.
const MAX_WORD: usize = 60;

/// Words with their entries, in the order of the file. [`prose::entry`] takes an entry apart.
pub type Glossary = Vec<(String, String)>;

/// Reads a glossary; `file` names it in faults.
///
/// # Errors
/// Every fault, with its line.
pub fn parse(text: &str, file: &str) -> Result<Glossary, Vec<Fault>> {
    let fault = |line: u32, message: String| Fault { file: file.to_string(), line, message };
    if text.len() > MAX_BYTES {
        return Err(vec![fault(1, format!("{} bytes; a glossary has at most {MAX_BYTES}", text.len()))]);
    }
    let map: Mapping = match serde_norway::from_str(text) {
        Ok(map) => map,
        Err(error) => {
            let line = error.location().map_or(1, |at| at.line() as u32);
            return Err(vec![fault(line, format!("the glossary: {error}"))]);
        }
    };
    let line_of = |term: &str| {
        let keyed = |line: &str| {
            line.trim_start_matches(['"', '\''])
                .strip_prefix(term)
                .is_some_and(|rest| rest.trim_start_matches(['"', '\'']).starts_with(':'))
        };
        (1..).zip(text.lines()).find(|(_, line)| keyed(line)).map_or(1, |(number, _)| number)
    };
    let (mut terms, mut faults) = (Glossary::new(), Vec::new());
    for (term, sentence) in map {
        let term = match term {
            Value::String(term) => term,
            Value::Number(number) => number.to_string(),
            Value::Bool(word) => word.to_string(),
            _ => String::new(),
        };
        let line = line_of(&term);
        match sentence.as_str().map(str::trim) {
            _ if !prose::is_term(&term) => {
                faults.push(fault(
                    line,
                    format!("'{term}' is no word of a glossary: letters, digits, `-`, `_` and `.`, no spaces"),
                ));
            }
            Some(entry) if entry.ends_with('.') => {
                let (word, _) = prose::entry(entry);
                if word.is_some_and(|word| word.is_empty() || word.contains('*') || word.chars().count() > MAX_WORD) {
                    let form = "'**word**: ' and a sentence";
                    faults.push(fault(
                        line,
                        format!("the word '{term}': write {form}, with a word of at most {MAX_WORD} characters"),
                    ));
                } else {
                    terms.push((term, entry.to_string()));
                }
            }
            _ => faults.push(fault(line, format!("the word '{term}' needs one sentence that ends with a full stop"))),
        }
    }
    if faults.is_empty() { Ok(terms) } else { Err(faults) }
}
