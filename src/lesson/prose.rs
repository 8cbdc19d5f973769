//! The text of a lesson, as a tree that can hold nothing but text, the lesson's own images and diagrams: no HTML, no
//! scripts, and only links to other lessons, to the glossary or to web pages.

use serde::{Deserialize, Serialize};

/// A block of text.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Block {
    Paragraph(Vec<Inline>),
    /// Level 3 to 6: 1 is the lesson's title and 2 a step's.
    Heading(u8, Vec<Inline>),
    /// Language and text of a code sample.
    Code(String, String),
    /// First number of an ordered list, and the items.
    List(Option<u64>, Vec<Vec<Block>>),
    Quote(Vec<Block>),
    /// Rows of cells; the first row is the head.
    Table(Vec<Vec<Vec<Inline>>>),
    Rule,
    /// An image from the lesson's files, and what it shows in words.
    Figure {
        file: String,
        alt: String,
    },
    Diagram(Diagram),
}

/// Names, the tensors that they refer to, and the storages that hold the tensors' numbers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Diagram {
    /// What it shows, in words.
    pub alt: String,
    /// Each name, and the key of its tensor.
    pub names: Vec<(String, String)>,
    pub tensors: Vec<DiagramTensor>,
    pub storages: Vec<DiagramStorage>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DiagramTensor {
    pub key: String,
    pub label: String,
    /// The key of its storage.
    pub storage: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DiagramStorage {
    pub key: String,
    pub label: String,
    /// The device's name, which gives it its color.
    pub on: String,
}

/// A run of text within a block.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Inline {
    Text(String),
    Code(String),
    Emphasis(Vec<Inline>),
    Strong(Vec<Inline>),
    Link(Target, Vec<Inline>),
    Break,
}

/// Where a link leads.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Target {
    /// A lesson's id.
    Lesson(String),
    /// An `http` or `https` address.
    Web(String),
    /// A word of the glossary.
    Term(String),
}

impl Target {
    /// Reads a link's destination: an `http(s)` address, a lesson's id or `term:` and a word of the glossary. Anything
    /// else, including `javascript:`, is `None`.
    pub fn parse(destination: &str) -> Option<Target> {
        if let Some(term) = destination.strip_prefix("term:") {
            return is_term(term).then(|| Target::Term(term.to_string()));
        }
        if is_id(destination) {
            return Some(Target::Lesson(destination.to_string()));
        }
        let rest = destination.strip_prefix("https://").or_else(|| destination.strip_prefix("http://"))?;
        let plain = |c: char| c.is_ascii_graphic() && !matches!(c, '"' | '<' | '>' | '\\' | '`');
        let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
        (!host.is_empty() && !host.contains('@') && rest.chars().all(plain))
            .then(|| Target::Web(destination.to_string()))
    }
}

/// Whether `text` can be a lesson's id: lowercase words and digits joined by hyphens, at most 80 characters.
pub fn is_id(text: &str) -> bool {
    let word = |w: &str| !w.is_empty() && w.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit());
    text.len() <= 80 && text.split('-').all(word)
}

/// Whether `text` can be a word of the glossary, as a link names it: letters, digits, `-`, `_` and `.`.
pub fn is_term(text: &str) -> bool {
    (1..=60).contains(&text.len()) && text.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | '.'))
}

/// The two parts of a glossary's entry: the word as its language writes it, if the entry begins with it
/// (`**Gerät**: Ein Gerät ist …`), and the sentence.
pub fn entry(text: &str) -> (Option<&str>, &str) {
    let parts = text.strip_prefix("**").and_then(|rest| rest.split_once("**: "));
    parts.map_or((None, text), |(word, sentence)| (Some(word), sentence))
}

/// Calls `see` with every run of text in order, including nested ones.
pub fn walk<'a>(blocks: &'a [Block], see: &mut dyn FnMut(Piece<'a>)) {
    for block in blocks {
        match block {
            Block::Paragraph(content) | Block::Heading(_, content) => walk_inlines(content, see),
            Block::Code(language, text) => see(Piece::Sample { language, text }),
            Block::List(_, items) => items.iter().for_each(|item| walk(item, see)),
            Block::Quote(inner) => walk(inner, see),
            Block::Table(rows) => rows.iter().flatten().for_each(|cell| walk_inlines(cell, see)),
            Block::Rule => {}
            Block::Figure { alt, .. } | Block::Diagram(Diagram { alt, .. }) => see(Piece::Text(alt)),
        }
    }
}

/// Like [`walk`], within a line.
pub fn walk_inlines<'a>(content: &'a [Inline], see: &mut dyn FnMut(Piece<'a>)) {
    for inline in content {
        match inline {
            Inline::Text(text) => see(Piece::Text(text)),
            Inline::Code(text) => see(Piece::Code(text)),
            Inline::Emphasis(inner) | Inline::Strong(inner) | Inline::Link(_, inner) => walk_inlines(inner, see),
            Inline::Break => {}
        }
    }
}

/// What [`walk`] passes to its callback.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Piece<'a> {
    Text(&'a str),
    Code(&'a str),
    Sample { language: &'a str, text: &'a str },
}

impl<'a> Piece<'a> {
    /// The text of an error, if this quotes one: code that begins with the name of an exception.
    pub fn quoted_error(self) -> Option<&'a str> {
        let text = match self {
            Piece::Code(text) => text,
            Piece::Sample { language: "text" | "" | "console", text } => text.trim_end(),
            _ => return None,
        };
        let (class, _) = text.split_once(": ")?;
        let name = class.rsplit('.').next()?;
        let plain = class.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'.' || b == b'_');
        (plain
            && name.starts_with(|c: char| c.is_ascii_uppercase())
            && (name.ends_with("Error") || name.ends_with("Exception")))
        .then_some(text)
    }
}

/// Only the text, for a title in a list or a window.
pub fn plain(content: &[Inline]) -> String {
    let mut out = String::new();
    walk_inlines(content, &mut |piece| match piece {
        Piece::Text(text) | Piece::Code(text) | Piece::Sample { text, .. } => out.push_str(text),
    });
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_lead_to_lessons_and_web_pages_only() {
        for bad in [
            "javascript:alert(1)",
            "JaVaScRiPt:alert(1)",
            "data:text/html,x",
            "//evil.example",
            "/x",
            "https://",
            "https:///x",
            "https://a b",
            "https://pytorch.org@evil.example",
            "Same-Device",
            "a--b",
            "../x",
            "term:",
            "term:a b",
            "term:<b>",
            "",
        ] {
            assert_eq!(Target::parse(bad), None, "{bad}");
        }
        assert_eq!(Target::parse("same-device-rule"), Some(Target::Lesson("same-device-rule".into())));
        assert_eq!(Target::parse("term:data-type"), Some(Target::Term("data-type".into())));
        assert!(matches!(Target::parse("https://docs.pytorch.org/docs/stable/x.html#y"), Some(Target::Web(_))));
    }
}
