//! The texts of the page and of its cards in a language that isn't compiled in: `page.yaml` in the language's folder, a list of
//! English texts and their translations.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde_json::{Value, json};
use serde_norway::Value as Yaml;
use tensoryard::app::{embed, texts};
use tensoryard::diagnose::{rules::Rule, titles};
use tensoryard::language::{LANGUAGES, Translations, gaps};

use super::files;

/// The file in a language's folder.
pub const FILE: &str = "page.yaml";

/// Every text of the page, once, in the order in which translators see them.
pub fn english() -> Vec<&'static str> {
    let mut seen = BTreeSet::new();
    let page = texts::IN_ENGLISH.iter().chain(&embed::POSTER).chain(titles::IN_ENGLISH).copied();
    let all = page.chain(Rule::in_english());
    // What has no letters, and names that every language shares, isn't translated.
    all.filter(|text| text.chars().any(char::is_alphabetic) && seen.insert(*text)).collect()
}

/// Whether the texts of this language are compiled in.
pub fn is_compiled(language: &str) -> bool {
    LANGUAGES.iter().any(|compiled| compiled.code() == language)
}

/// Reads the translations of a file; empty if there is none.
///
/// # Errors
/// Every fault, with its file and line: no pair of texts, or other gaps than those of the English text.
pub fn read(path: &Path, language: &str) -> Result<Translations, Vec<String>> {
    if !path.is_file() {
        return Ok(Translations::new());
    }
    let (file, text) = files::read(path).map_err(|fault| vec![fault])?;
    let list: Vec<BTreeMap<String, Yaml>> = serde_norway::from_str(&text).map_err(|error| {
        let line = error.location().map_or(1, |at| at.line());
        vec![format!("{file}:{line}: {error}; a list of pairs is expected, `- en: …` with `{language}: …` below it")]
    })?;
    // Every pair begins with its English text.
    let lines = (1..).zip(text.lines()).filter(|(_, line)| line.starts_with("- ")).map(|(number, _)| number);
    let lines: Vec<usize> = lines.collect();
    let (mut out, mut faults) = (Translations::new(), Vec::new());
    for (number, pair) in list.iter().enumerate() {
        let at = format!("{file}:{}", lines.get(number).copied().unwrap_or(1));
        let said = |key: &str| pair.get(key).and_then(Yaml::as_str);
        match (said("en"), said(language), pair.len()) {
            (Some(english), Some(own), 2) if gaps(english) == gaps(own) => {
                out.insert(english.to_string(), own.to_string());
            }
            (Some(english), Some(_), 2) => {
                let gaps: Vec<String> = gaps(english).iter().map(|gap| format!("{{{gap}}}")).collect();
                let gaps = if gaps.is_empty() { "no gaps".into() } else { gaps.join(", ") };
                faults.push(format!("{at}: the English text has {gaps}, and so must the translation"));
            }
            _ => faults.push(format!("{at}: expected `en` and `{language}`, and texts in quotes after both")),
        }
    }
    if faults.is_empty() { Ok(out) } else { Err(faults) }
}

/// The file with every text of the page: those that were translated with their translations, the others in English.
pub fn written(language: &str, known: &Translations) -> String {
    let mut out = String::from(
        "# The texts of the page and of its cards. Translate what stands in the second line of each pair. A text that is still\n\
         # English there counts as not translated, and the page shows it in English. What is in {braces} is filled in by the page\n\
         # and stays; so do code in backticks and names of PyTorch.\n",
    );
    for english in english() {
        let own = known.get(english).map_or(english, String::as_str);
        out.push_str(&format!("- en: {}\n  {language}: {}\n", json!(english), json!(own)));
    }
    out
}

/// What the page fetches: only what was translated.
pub fn published(known: &Translations) -> Value {
    let all: BTreeSet<&str> = english().into_iter().collect();
    let is_translated = |(english, own): &(&String, &String)| english != own && all.contains(english.as_str());
    known.iter().filter(is_translated).map(|(english, own)| (english.clone(), Value::from(own.as_str()))).collect()
}
