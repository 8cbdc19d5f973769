//! A translation that somebody works on: it's begun as a copy of its original, and brought up to date when the original has
//! gained something.
//!
//! The mark of what is still to be translated is that it is still what the original says, so a draft is an ordinary lesson
//! file at any time. Both files are read as rows of tokens: texts for people, and everything else, which must stay. The two
//! rows are aligned, and the draft is the original's row with the texts of the translation.

use std::collections::BTreeSet;

/// A file with a translator's texts in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Draft {
    pub text: String,
    /// The number of texts that have words to translate.
    pub texts: usize,
    /// The texts that nobody has translated, in the order of the file.
    pub left: Vec<Left>,
    /// How many texts the original has gained.
    pub added: usize,
    /// Texts of the translation that nothing in the original corresponds to. The draft no longer has them.
    pub removed: Vec<String>,
}

/// A phrase that is still what the original says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Left {
    pub line: u32,
    pub text: String,
    /// So short that the translation may well be the same.
    pub short: bool,
}

/// What kind of file is translated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    Lesson,
    /// `word: sentence`, one for each word.
    Glossary,
}

/// A phrase of this many words or fewer may be the same in two languages: `Broadcasting`, `PyTorch and CUDA`.
const SHORT: usize = 2;

/// The kinds of a sample and of a comment, which nobody has to translate.
const SAMPLE: &str = "sample";
const COMMENT: &str = "comment";

/// Two texts that share this much of their words, and at least so many, are the same text in the same language.
const SAME: f64 = 0.8;
const SAME_WORDS: usize = 8;

/// Begins a translation, or brings one up to date: everything that must be the same is the original's, and every text that
/// was translated stays as it is.
pub fn draft(original: &str, translation: Option<&str>, language: &str, form: Form) -> Draft {
    let original = super::parse::plain(original);
    let theirs = translation.map(super::parse::plain);
    let based = match form {
        Form::Lesson => with_language(&original, language, theirs.as_deref().and_then(before_language)),
        Form::Glossary => original,
    };
    let (of, here) = (tokens(&based, form), tokens(theirs.as_deref().unwrap_or(&based), form));
    let mut out = Draft { text: String::new(), texts: 0, left: Vec::new(), added: 0, removed: Vec::new() };
    let mut line = 1;
    for pair in align(&of, &here) {
        let (token, left) = match pair {
            Pair::Both(a, b) if of[a].kind.is_some() => (&here[b], is_left(&of[a], &here[b])),
            Pair::Both(a, _) => (&of[a], false),
            Pair::Original(a) => {
                out.added += usize::from(of[a].words() > 0);
                (&of[a], true)
            }
            // A translator's own note.
            Pair::Translation(b) if here[b].kind.as_deref() == Some(COMMENT) => (&here[b], false),
            Pair::Translation(b) => {
                if here[b].words() > 0 {
                    out.removed.push(here[b].said());
                }
                continue;
            }
        };
        let words = token.words();
        if token.kind.is_some() && words > 0 {
            out.texts += 1;
            if left {
                out.left.push(Left { line, text: token.said(), short: words <= SHORT });
            }
        }
        for text in &token.lines {
            out.text.push_str(text);
            out.text.push('\n');
        }
        line += token.lines.len() as u32;
    }
    out
}

fn is_left(of: &Token<'_>, here: &Token<'_>) -> bool {
    if of.said() == here.said() {
        return true;
    }
    // The original was reworded after the draft was begun.
    let (a, b) = (of.vocabulary(), here.vocabulary());
    let shared = a.intersection(&b).count();
    shared >= SAME_WORDS && shared as f64 >= SAME * a.len().max(b.len()) as f64
}

/// The key above the line `lang:` of a translation, which may stand anywhere.
fn before_language(translation: &str) -> Option<&str> {
    let front = translation.lines().skip(1).take_while(|line| line.trim_end() != "---");
    let mut keys = front.filter(|line| indent(line) == 0).filter_map(|line| Some(key(line)?.0));
    let mut last = None;
    keys.find(|key| {
        let found = *key == "lang";
        last = if found { last } else { Some(*key) };
        found
    })?;
    last
}

/// The original with the line `lang:`: after the key `after`, or after the title.
fn with_language(original: &str, language: &str, after: Option<&str>) -> String {
    let after = after.unwrap_or("title");
    let mut out = String::with_capacity(original.len() + 16);
    // Whether this is the front matter, whether the line was written, and whether the value of `after` goes on.
    let (mut front, mut told, mut inside) = (false, false, false);
    for (number, line) in original.lines().enumerate() {
        let fence = line.trim_end() == "---";
        let ends = fence || !line.starts_with([' ', '\t', '-']);
        if front && !told && ends && (inside || fence) {
            out.push_str(&format!("lang: {language}\n"));
            told = true;
        }
        front = (front || number == 0) && !(fence && number > 0);
        if front && line.starts_with("lang:") {
            continue;
        }
        if ends {
            inside = front && key(line).is_some_and(|(name, _)| name == after);
        }
        out.push_str(line);
        out.push('\n');
    }
    out
}

/// A piece of a file: prose with its kind, or lines that are the same in every language.
#[derive(Debug)]
struct Token<'a> {
    lines: Vec<&'a str>,
    /// What kind of text it is; `None` for what isn't translated. Only texts of the same kind correspond.
    kind: Option<String>,
}

impl Token<'_> {
    /// The text in one line.
    fn said(&self) -> String {
        let words: Vec<&str> = self.lines.iter().flat_map(|line| line.split_whitespace()).collect();
        words.join(" ")
    }

    /// The text without its key, and without what isn't translated: code and where links lead.
    fn prose(&self) -> String {
        let said = self.said();
        let said = match &self.kind {
            Some(kind) if kind.starts_with('.') => said.split_once(':').map_or("", |(_, rest)| rest).to_string(),
            _ => said,
        };
        let mut out = String::new();
        for part in said.split('`').step_by(2) {
            let mut rest = part;
            while let Some((before, after)) = rest.split_once("](") {
                out.push_str(before);
                rest = after.split_once(')').map_or("", |(_, rest)| rest);
            }
            out.push_str(rest);
            out.push(' ');
        }
        out
    }

    /// The number of words to translate.
    fn words(&self) -> usize {
        let word = |word: &&str| word.chars().filter(|c| c.is_alphabetic()).count() > 1;
        if self.kind.as_deref().is_none_or(|kind| kind == SAMPLE || kind == COMMENT) {
            0
        } else {
            self.prose().split_whitespace().filter(word).count()
        }
    }

    fn vocabulary(&self) -> BTreeSet<String> {
        let prose = self.prose().to_lowercase();
        prose.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_string).collect()
    }

    /// What a translation keeps of the original: code, where links lead, and numbers.
    fn marks(&self) -> BTreeSet<String> {
        let said = self.said();
        let mut out: BTreeSet<String> = said.split('`').skip(1).step_by(2).map(str::to_string).collect();
        out.extend(said.split("](").skip(1).filter_map(|rest| Some(rest.split_once(')')?.0.to_string())));
        let prose = self.prose();
        let number = |word: &str| word.bytes().any(|b| b.is_ascii_digit());
        out.extend(prose.split(|c: char| !c.is_alphanumeric()).filter(|word| number(word)).map(str::to_string));
        out
    }
}

/// Collects tokens from the lines of a file.
struct Reader<'a> {
    lines: Vec<&'a str>,
    at: usize,
    out: Vec<Token<'a>>,
}

fn tokens(text: &str, form: Form) -> Vec<Token<'_>> {
    let mut reader = Reader { lines: text.lines().collect(), at: 0, out: Vec::new() };
    match form {
        Form::Lesson => {
            reader.front();
            reader.prose(reader.lines.len());
        }
        Form::Glossary => reader.glossary(),
    }
    reader.out
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

/// The key of a line of YAML, and its value.
fn key(line: &str) -> Option<(&str, &str)> {
    let item = line.trim_start_matches(['-', ' ']);
    let (key, value) = item.split_once(':')?;
    let plain = !key.is_empty() && key.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_'));
    (plain && (value.is_empty() || value.starts_with(' '))).then_some((key, value.trim()))
}

/// The length of the fence that a line is, and what is written after it.
fn fence(line: &str) -> Option<(usize, &str)> {
    let text = line.trim_start();
    let ticks = text.len() - text.trim_start_matches('`').len();
    (ticks >= 3).then(|| (ticks, text[ticks..].trim()))
}

impl<'a> Reader<'a> {
    fn fixed(&mut self, count: usize) {
        let lines = self.lines[self.at..self.at + count].to_vec();
        self.at += count;
        self.out.push(Token { lines, kind: None });
    }

    fn text(&mut self, count: usize, kind: String) {
        let lines = self.lines[self.at..self.at + count].to_vec();
        self.at += count;
        self.out.push(Token { lines, kind: Some(kind) });
    }

    /// The number of lines from here that satisfy `goes_on`, of those before `end`.
    fn run(&self, from: usize, end: usize, goes_on: impl Fn(&str) -> bool) -> usize {
        self.lines[from.min(end)..end].iter().take_while(|line| goes_on(line)).count()
    }

    /// The lines of a value that begins here: those below that are indented more than its key, or that have no key.
    fn value(&self, end: usize) -> usize {
        let line = self.lines[self.at];
        let (depth, inner) = (indent(line), line.len() - line.trim_start_matches(['-', ' ']).len());
        let goes_on = |line: &str| {
            let here = indent(line);
            !line.trim().is_empty() && !is_entry(line) && (here > inner || (here > depth && key(line).is_none()))
        };
        1 + self.run(self.at + 1, end, goes_on)
    }

    /// The string under a key. A block scalar is prose of its own.
    fn keyed(&mut self, key: &str, value: &str, end: usize) {
        if value.starts_with(['|', '>']) {
            let line = self.lines[self.at];
            // The keys of an entry are as deep as the first, which stands after its hyphen.
            let depth = line.len() - line.trim_start_matches(['-', ' ']).len();
            self.fixed(1);
            let more = self.run(self.at, end, |line| line.trim().is_empty() || indent(line) > depth);
            self.prose(self.at + more);
        } else {
            let count = self.value(end);
            self.text(count, format!(".{key}"));
        }
    }

    fn front(&mut self) {
        if self.lines.first().is_none_or(|line| line.trim_end() != "---") {
            return;
        }
        let end = 1 + self.run(1, self.lines.len(), |line| line.trim_end() != "---");
        self.fixed(1);
        let mut under = "";
        while self.at < end {
            let line = self.lines[self.at];
            match key(line) {
                Some((name, value)) if indent(line) == 0 && !line.starts_with('-') => {
                    under = name;
                    match name {
                        "title" | "aim" => self.keyed(name, value, end),
                        _ => self.fixed(1),
                    }
                }
                Some((name, value)) if under == "objectives" => self.keyed(&format!("objective {name}"), value, end),
                Some(("alt", value)) if under == "files" => self.keyed("alt", value, end),
                _ => self.fixed(1),
            }
        }
    }

    /// Markdown, until the line `end`.
    fn prose(&mut self, end: usize) {
        while self.at < end {
            let line = self.lines[self.at];
            let text = line.trim_start();
            if let Some((ticks, info)) = fence(line) {
                let close = |line: &str| fence(line).is_some_and(|(other, rest)| other >= ticks && rest.is_empty());
                let inner = self.run(self.at + 1, end, |line| !close(line));
                let last = self.at + 1 + inner;
                self.fenced(info, last, end);
            } else if text.is_empty() {
                self.fixed(1);
            } else if text.starts_with('#') {
                let level = text.len() - text.trim_start_matches('#').len();
                self.text(1, format!("heading {level}"));
            } else {
                // In Markdown, a number that isn't 1 begins no list in the middle of a paragraph.
                let item = is_item(text);
                let begins =
                    |text: &str| is_item(text) && (item || text.starts_with(['-', '*']) || text.starts_with("1. "));
                let goes_on = |line: &str| {
                    let text = line.trim_start();
                    !text.is_empty() && fence(line).is_none() && !text.starts_with('#') && !begins(text)
                };
                let count = 1 + self.run(self.at + 1, end, goes_on);
                let kind = match text {
                    _ if is_item(text) => "item",
                    _ if text.starts_with('|') => "table",
                    _ if text.starts_with("![") => "figure",
                    _ => "paragraph",
                };
                self.text(count, kind.to_string());
            }
        }
    }

    /// A fenced block whose closing line is `last`, or whose end is missing.
    fn fenced(&mut self, info: &str, last: usize, end: usize) {
        let close = usize::from(last < end);
        match info.split_whitespace().next().unwrap_or_default() {
            "python" | "bash" | "json" | "console" => {
                self.fixed(last - self.at + close);
                return;
            }
            // Most of them are what a program prints; some are drawings with words, which may be translated.
            "text" | "" => {
                self.text(last - self.at + close, SAMPLE.to_string());
                return;
            }
            "check" | "predict" | "quiz" | "find" | "diagram" => {
                self.fixed(1);
                self.yaml(last);
            }
            _ => {
                self.fixed(1);
                self.prose(last);
            }
        }
        self.fixed(close);
    }

    fn yaml(&mut self, end: usize) {
        let mut in_proof = false;
        while self.at < end {
            let line = self.lines[self.at];
            let flow = line.contains("label:") && line.contains('{');
            match key(line) {
                Some((name, _)) if indent(line) == 0 && !line.starts_with('-') && name == "proof" => {
                    in_proof = true;
                    self.fixed(1);
                }
                Some((name, value)) if !in_proof || (indent(line) == 0 && !line.starts_with('-')) => {
                    in_proof = false;
                    match name {
                        "question" | "text" | "because" | "label" | "alt" => self.keyed(name, value, end),
                        _ if flow => self.text(1, format!(".{name}")),
                        _ => self.fixed(1),
                    }
                }
                _ => self.fixed(1),
            }
        }
    }

    fn glossary(&mut self) {
        let end = self.lines.len();
        while self.at < end {
            let line = self.lines[self.at];
            let word = line.split_once(':').map(|(word, _)| word.trim_matches(['"', '\'']));
            match word {
                _ if line.starts_with('#') => {
                    let count = self.run(self.at, end, |line| line.starts_with('#'));
                    self.text(count, COMMENT.to_string());
                }
                Some(word) if indent(line) == 0 && !word.is_empty() => {
                    let count = self.value(end);
                    self.text(count, format!(".{word}"));
                }
                _ => self.fixed(1),
            }
        }
    }
}

/// Whether a line begins an entry of a YAML list.
fn is_entry(line: &str) -> bool {
    line.trim_start().starts_with("- ")
}

/// Whether a line begins an item of a Markdown list.
fn is_item(text: &str) -> bool {
    let digits = text.trim_start_matches(|c: char| c.is_ascii_digit());
    text.starts_with("- ") || text.starts_with("* ") || (digits.len() < text.len() && digits.starts_with(". "))
}

/// What corresponds in two rows, by the places of its tokens.
enum Pair {
    Both(usize, usize),
    Original(usize),
    Translation(usize),
}

/// The alignment with the highest sum of [`Likeness`].
fn align(of: &[Token<'_>], here: &[Token<'_>]) -> Vec<Pair> {
    let (of_like, here_like): (Vec<Likeness>, Vec<Likeness>) =
        (of.iter().map(Likeness::of).collect(), here.iter().map(Likeness::of).collect());
    let width = here.len() + 1;
    // The best sum for what is left of both rows.
    let mut best = vec![0.0_f32; (of.len() + 1) * width];
    for a in (0..of.len()).rev() {
        for b in (0..here.len()).rev() {
            let both = of_like[a].to(&here_like[b]).map_or(f32::MIN, |alike| alike + best[(a + 1) * width + b + 1]);
            best[a * width + b] = both.max(best[(a + 1) * width + b]).max(best[a * width + b + 1]);
        }
    }
    let (mut a, mut b, mut out) = (0, 0, Vec::new());
    while a < of.len() || b < here.len() {
        let now = best[a * width + b];
        let both = (a < of.len() && b < here.len()).then(|| of_like[a].to(&here_like[b])).flatten();
        if both.is_some_and(|alike| alike + best[(a + 1) * width + b + 1] >= now) {
            out.push(Pair::Both(a, b));
            (a, b) = (a + 1, b + 1);
        } else if b < here.len() && (a == of.len() || best[a * width + b + 1] >= now) {
            out.push(Pair::Translation(b));
            b += 1;
        } else {
            out.push(Pair::Original(a));
            a += 1;
        }
    }
    out
}

/// What tells whether two tokens correspond.
struct Likeness {
    kind: Option<String>,
    said: String,
    marks: BTreeSet<String>,
    lines: usize,
}

impl Likeness {
    fn of(token: &Token<'_>) -> Likeness {
        let said = match token.kind {
            Some(_) => token.said(),
            // In a program, every space counts.
            None => token.lines.join("\n"),
        };
        let marks = if token.kind.is_some() { token.marks() } else { BTreeSet::new() };
        Likeness { kind: token.kind.clone(), said, marks, lines: token.lines.len() }
    }

    /// How alike two tokens are; `None` if they can't correspond.
    fn to(&self, other: &Likeness) -> Option<f32> {
        if self.kind != other.kind {
            return None;
        }
        if self.kind.is_none() {
            let program = self.lines > 1;
            return match self.said == other.said {
                true if program => Some(12.0),
                true => Some(if self.said.trim().len() <= 3 { 0.25 } else { 3.0 }),
                // The same block with another program.
                false => (self.lines > 1 && self.said.lines().next() == other.said.lines().next()).then_some(0.5),
            };
        }
        if self.said == other.said {
            return Some(6.0);
        }
        let shared = self.marks.intersection(&other.marks).count() as f32;
        let all = self.marks.union(&other.marks).count() as f32;
        let marked = if all == 0.0 { 1.0 } else { 3.0 * shared / all };
        let (short, long) = (self.said.len().min(other.said.len()), self.said.len().max(other.said.len()));
        Some(2.0 + marked + short as f32 / long.max(1) as f32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ORIGINAL: &str = "\
---
format: 2
id: a-lesson
title: A short lesson
aim: move a tensor
objectives:
  move: Move a tensor to the GPU
machine: cuda:1
files:
  - name: a.svg
    alt: A picture of a tensor
---

A tensor lives on one device.

## Move it

```predict
question: \"Where is `x` after line 2?\"
options:
  - text: on the CPU
    correct: true
  - text: on the GPU
because: |
  Nothing moved it.

  It stays where it was made.
proof:
  - {kind: device, name: x, device: cpu}
```

```python starter panel=devices
import torch
x = torch.ones(3)
```

```check
- kind: device
  label: \"`x` is on the GPU.\"
  name: x
  device: cuda
```

```hint
Look at `to`.
```

```remember
- A tensor lives on one device.
- `.to()` returns a new one.
```
";

    fn left(draft: &Draft) -> Vec<&str> {
        draft.left.iter().map(|left| left.text.as_str()).collect()
    }

    fn spanish(text: &str) -> String {
        let words = [
            ("title: A short lesson", "title: Una lección corta"),
            ("aim: move a tensor", "aim: mover un tensor"),
            ("Move a tensor to the GPU", "Mover un tensor a la GPU"),
            ("A picture of a tensor", "Un dibujo de un tensor"),
            ("A tensor lives on one device.", "Un tensor vive en un solo dispositivo."),
            ("## Move it", "## Muévelo"),
            ("Where is `x` after line 2?", "¿Dónde está `x` después de la línea 2?"),
            ("on the CPU", "en la CPU"),
            ("text: on the GPU", "text: en la GPU"),
            ("Nothing moved it.", "Nada lo ha movido."),
            ("It stays where it was made.", "Se queda donde se creó."),
            ("`x` is on the GPU.", "`x` está en la GPU."),
            ("Look at `to`.", "Mira `to`."),
            ("`.to()` returns a new one.", "`.to()` devuelve uno nuevo."),
        ];
        words.iter().fold(text.to_string(), |text, (english, other)| {
            assert!(text.contains(english), "{english}");
            text.replace(english, other)
        })
    }

    #[test]
    fn a_draft_begins_as_the_original_and_says_what_is_left() {
        let begun = draft(ORIGINAL, None, "es", Form::Lesson);
        assert_eq!(begun.text, ORIGINAL.replace("lesson\naim", "lesson\nlang: es\naim"));
        assert_eq!(begun.texts, 15);
        assert_eq!(begun.left.len(), 15);
        assert_eq!((begun.left[0].line, begun.left[0].text.as_str()), (4, "title: A short lesson"));
        assert!(left(&begun).contains(&"It stays where it was made."));
        assert!(begun.left.iter().all(|left| !left.text.contains("import") && !left.text.contains("kind")));
        for left in &begun.left {
            let line = begun.text.lines().nth(left.line as usize - 1).unwrap();
            assert_eq!(line.trim(), left.text, "{}", left.line);
        }
    }

    /// It may stand anywhere, and then it stays there.
    #[test]
    fn the_language_stays_where_it_is() {
        let done = spanish(&draft(ORIGINAL, None, "es", Form::Lesson).text).replace("lang: es\n", "");
        for before in ["format: 2\n", "aim:", "objectives:", "machine:", "files:", "---\n\nUn tensor"] {
            let moved = done.replacen(before, &format!("lang: es\n{before}"), 1);
            let moved = if before == "format: 2\n" { done.replacen("id:", "lang: es\nid:", 1) } else { moved };
            assert_eq!(draft(ORIGINAL, Some(&moved), "es", Form::Lesson).text, moved, "{before}");
        }
    }

    #[test]
    fn what_was_translated_stays() {
        let begun = draft(ORIGINAL, None, "es", Form::Lesson);
        let done = spanish(&begun.text);
        let again = draft(ORIGINAL, Some(&done), "es", Form::Lesson);
        assert_eq!((again.text.as_str(), left(&again), again.added), (done.as_str(), vec![], 0));
        assert_eq!(again.removed, Vec::<String>::new());
        // Half of it.
        let half = begun.text.replace("Nothing moved it.", "Nada lo ha movido.");
        let again = draft(ORIGINAL, Some(&half), "es", Form::Lesson);
        assert_eq!((again.text.as_str(), again.left.len()), (half.as_str(), 14));
    }

    /// Every kind of thing that an original can gain or lose.
    #[test]
    fn what_the_original_gained_is_added() {
        let done = spanish(&draft(ORIGINAL, None, "es", Form::Lesson).text);
        for (from, to, gained) in [
            ("objectives:\n", "objectives:\n  see: See where it is\n", 1),
            (
                "## Move it\n",
                "## Look first\n\nRun `nvidia-smi` once.\n\n```python look\nprint(1)\n```\n\n```seen\nThe number 1.\n```\n\n## Move it\n",
                3,
            ),
            ("  - text: on the GPU\n", "  - text: on the GPU\n  - text: it has no device at all\n", 1),
            ("```hint\n", "```hint\nThink of `x.device` before you go on.\n```\n\n```hint\n", 1),
            (
                "  device: cuda\n",
                "  device: cuda\n- kind: value\n  label: It holds three ones.\n  expr: x.sum() == 3\n",
                1,
            ),
            ("- `.to()` returns", "- A GPU is called `cuda`.\n- `.to()` returns", 1),
            ("x = torch.ones(3)\n", "x = torch.ones(4)\n", 0),
            ("machine: cuda:1", "machine: cuda:2", 0),
            ("panel=devices", "panel=memory", 0),
        ] {
            let newer = ORIGINAL.replacen(from, to, 1);
            assert_ne!(newer, ORIGINAL, "{from}");
            let again = draft(&newer, Some(&done), "es", Form::Lesson);
            assert_eq!(again.left.len(), gained, "{from}: {:?}", again.left);
            assert_eq!((again.added, again.removed.len()), (gained, 0), "{from}: {:?}", again.removed);
            let expected = spanish(&draft(&newer, None, "es", Form::Lesson).text);
            assert_eq!(again.text, expected, "{from}");
        }
    }

    #[test]
    fn what_the_original_lost_is_named() {
        let done = spanish(&draft(ORIGINAL, None, "es", Form::Lesson).text);
        let newer = ORIGINAL.replace("\n  It stays where it was made.\n", "");
        let again = draft(&newer, Some(&done), "es", Form::Lesson);
        assert_eq!(again.removed, ["Se queda donde se creó."]);
        assert_eq!(again.left, []);
    }

    /// A phrase that was reworded before anybody translated it still needs its translation.
    #[test]
    fn reworded_english_counts_as_left() {
        let long = "The GPU has its own memory, so a tensor has to be copied there before a kernel can use it.";
        let newer = ORIGINAL.replace("A tensor lives on one device.\n\n## ", &format!("{long}\n\n## "));
        let begun = spanish(&draft(ORIGINAL, None, "es", Form::Lesson).text);
        let begun = begun.replace("Un tensor vive en un solo dispositivo.\n\n## ", &format!("{long}\n\n## "));
        let reworded = newer.replace("so a tensor has to be copied", "so a tensor must be copied");
        let again = draft(&reworded, Some(&begun), "es", Form::Lesson);
        assert_eq!(left(&again), [long]);
    }

    #[test]
    fn a_glossary_is_drafted_word_by_word() {
        let original =
            "# Words.\nshape: The size of a tensor.\n\"dtype\": The type of its numbers,\n  such as float32.\n";
        let begun = draft(original, None, "es", Form::Glossary);
        assert_eq!((begun.text.as_str(), begun.left.len()), (original, 2));
        let done = begun.text.replace("The size of a tensor.", "El tamaño de un tensor.");
        let newer = original.replace("\"dtype\"", "view: A tensor that shares memory.\n\"dtype\"");
        let again = draft(&newer, Some(&done), "es", Form::Glossary);
        assert_eq!(again.text, newer.replace("The size of a tensor.", "El tamaño de un tensor."));
        assert_eq!(again.left.iter().map(|left| left.line).collect::<Vec<_>>(), [3, 4]);
    }
}
