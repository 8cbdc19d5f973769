//! A lesson in a second language: the same programs, checks and questions, with other words.
//!
//! `lessons/de/04-name.md` is `lessons/04-name.md` in German. Its programs aren't run again. Instead, everything that a
//! translation must have in common with its original is compared here, line by line.

mod draft;

use std::collections::BTreeSet;

use pulldown_cmark::{CodeBlockKind, Event, HeadingLevel, Parser, Tag, TagEnd};
use serde_norway::{Mapping, Value};

use super::parse::{self, Text};
use super::prose::Block;
use super::{Check, Exercise, Fault, Lesson, Part, Question, Step};

pub use self::draft::{Draft, Form, Left, draft};

/// If two languages share this many words in a row, that isn't by chance.
const SENTENCE: usize = 5;

/// Whether a folder with this name holds translations: the code of a language, `de`.
pub fn is_language(name: &str) -> bool {
    crate::language::is_code(name)
}

/// See [`Lesson::in_words_of`].
pub fn in_words_of(original: &Lesson, words: &Lesson) -> Result<Lesson, String> {
    // For each step: its questions, whether they are predictions, with their numbers of options; whether it has a look; and
    // the number of its checks, and whether it asks for a line.
    type Shape = (Vec<(bool, usize)>, bool, Option<(usize, bool)>);
    let question = |part: &Part| match part {
        Part::Text(_) => None,
        Part::Predict(question) => Some((true, question.options.len())),
        Part::Quiz(question) => Some((false, question.options.len())),
    };
    let shape = |lesson: &Lesson| -> Vec<Shape> {
        let step = |step: &Step| {
            let checks = step.exercise.as_ref().map(|exercise| (exercise.checks.len(), exercise.find.is_some()));
            (step.parts.iter().filter_map(question).collect(), step.look.is_some(), checks)
        };
        lesson.steps.iter().map(step).collect()
    };
    if original.id != words.id || shape(original) != shape(words) {
        return Err(format!(
            "the translation of '{}' has other steps, questions or checks than the lesson",
            original.id
        ));
    }
    let mut lesson = words.clone();
    // The machine, the id of the progress and the checks don't depend on the language.
    lesson.machine = original.machine.clone();
    lesson.requires = original.requires.clone();
    lesson.origins = original.origins.clone();
    lesson.minutes = original.minutes;
    lesson.part = original.part;
    lesson.track = original.track;
    lesson.level = original.level;
    for (step, of) in lesson.steps.iter_mut().zip(&original.steps) {
        step.id = of.id.clone();
        step.optional = of.optional;
        if let (Some(look), Some(of)) = (&mut step.look, &of.look) {
            look.source = of.source.clone();
            look.sight = of.sight.clone();
        }
        if let (Some(exercise), Some(of)) = (&mut step.exercise, &of.exercise) {
            exercise.starter = of.starter.clone();
            exercise.solution = of.solution.clone();
            exercise.also_right = of.also_right.clone();
            exercise.must_fail = of.must_fail.clone();
            if let (Some(find), Some(of)) = (&mut exercise.find, &of.find) {
                find.lines = of.lines.clone();
            }
            exercise.sight = of.sight.clone();
            exercise.scoring = of.scoring.clone();
            for (check, of) in exercise.checks.iter_mut().zip(&of.checks) {
                *check = of.labeled(check.label());
            }
        }
    }
    Ok(lesson)
}

/// A file and its text.
#[derive(Clone, Copy)]
pub struct Written<'a> {
    pub file: &'a str,
    pub text: &'a str,
}

/// What a translation into `language` should have in common with its original but doesn't, and what isn't translated.
pub fn faults(original: Written<'_>, translation: Written<'_>, language: &str) -> Vec<Fault> {
    let (original_text, translation_text) = (parse::plain(original.text), parse::plain(translation.text));
    let original = Written { text: &original_text, ..original };
    let translation = Written { text: &translation_text, ..translation };
    let read = |written: Written<'_>| Lesson::parse(written.text, written.file);
    let (of, here) = match (read(original), read(translation)) {
        (_, Err(faults)) => return faults,
        // The original's faults are reported when the original itself is read.
        (Err(_), Ok(_)) => return Vec::new(),
        (Ok(of), Ok(here)) => (of, here),
    };
    let mut found = Comparison { original: original.file, file: translation.file, faults: Vec::new() };
    found.front(original.text, translation.text, language);
    if found.skeletons(&skeleton(original.text), &skeleton(translation.text)) {
        found.meanings(&of, &here);
    }
    found.words(original.text, translation.text);
    found.faults.sort_by_key(|fault| fault.line);
    found.faults
}

/// Gathers differences.
struct Comparison<'a> {
    original: &'a str,
    file: &'a str,
    faults: Vec<Fault>,
}

impl Comparison<'_> {
    fn add(&mut self, line: u32, message: String) {
        self.faults.push(Fault { file: self.file.to_string(), line, message });
    }

    /// Compares all keys except those with text, and the language.
    fn front(&mut self, original: &str, translation: &str, language: &str) {
        let (Some((of, _)), Some((here, _))) = (front(original), front(translation)) else { return };
        let line = |key: &str| {
            let keyed = |line: &str| line.strip_prefix(key).is_some_and(|rest| rest.starts_with(':'));
            (1..).zip(translation.lines()).find(|(_, text)| keyed(text)).map_or(1, |(number, _)| number)
        };
        let keys: BTreeSet<&str> = of.keys().chain(here.keys()).filter_map(Value::as_str).collect();
        for key in keys.into_iter().filter(|key| !matches!(*key, "title" | "lang")) {
            match (of.get(key), here.get(key)) {
                (Some(a), Some(b)) if without_words(key, a) == without_words(key, b) => {}
                (Some(_), Some(_)) => self.add(line(key), format!("`{key}` is not what it is in {}", self.original)),
                (Some(_), None) => self.add(1, format!("`{key}` of {} is missing", self.original)),
                _ => self.add(line(key), format!("`{key}` is not in {}", self.original)),
            }
        }
        if here.get("lang").and_then(Value::as_str) != Some(language) {
            self.add(line("lang"), format!("a translation in the folder {language} says `lang: {language}`"));
        }
    }

    /// Compares the headings of steps and the fences one by one. Returns whether the two files can be compared further.
    fn skeletons(&mut self, original: &[Bone], translation: &[Bone]) -> bool {
        for (of, here) in original.iter().zip(translation) {
            if of.info != here.info {
                let (expected, there) = (of.name(), of.line);
                let text =
                    format!("{expected} is expected, as in line {there} of {}, not {}", self.original, here.name());
                self.add(here.line, text);
                return false;
            }
            let language = here.info.as_deref().and_then(|info| info.split_whitespace().next()).unwrap_or_default();
            if matches!(language, "python" | "bash" | "json" | "console") && of.content != here.content {
                let same = of.content.lines().zip(here.content.lines()).take_while(|(a, b)| a == b).count() as u32;
                let there = of.line + 1 + same;
                let text =
                    format!("a program is the same in every language; line {there} of {} differs", self.original);
                self.add(here.line + 1 + same, text);
            }
        }
        if original.len() != translation.len() {
            let (line, text) = match (original.get(translation.len()), translation.get(original.len())) {
                (Some(of), _) => {
                    let last = translation.last().map_or(1, |bone| bone.line);
                    (last, format!("after this, {} of line {} of {} is missing", of.name(), of.line, self.original))
                }
                (None, more) => {
                    let line = more.map_or(1, |bone| bone.line);
                    (line, format!("{} has nothing like this", self.original))
                }
            };
            self.add(line, text);
        }
        original.len() == translation.len()
    }

    /// Compares what questions and checks ask, which errors are quoted, and where links lead.
    fn meanings(&mut self, original: &Lesson, translation: &Lesson) {
        for (number, (of, here)) in original.steps.iter().zip(&translation.steps).enumerate() {
            let questions = |parts: &[Part]| -> Vec<Question> {
                let asked = |part: &Part| match part {
                    Part::Predict(question) | Part::Quiz(question) => Some(question.clone()),
                    Part::Text(_) => None,
                };
                parts.iter().filter_map(asked).collect()
            };
            for (of, here) in questions(&of.parts).iter().zip(&questions(&here.parts)) {
                let right = |question: &Question| question.options.iter().map(|o| o.correct).collect::<Vec<_>>();
                if right(of) != right(here) {
                    let text = format!("the options are not those of line {} of {}", of.line, self.original);
                    self.add(here.line, text);
                }
                if (&of.proof, &of.objective) != (&here.proof, &here.objective) {
                    let text =
                        format!("the proof or the objective is not that of line {} of {}", of.line, self.original);
                    self.add(here.line, text);
                }
            }
            if of.optional != here.optional {
                let text = format!("the mark {{.optional}} is not as in line {} of {}", of.line, self.original);
                self.add(here.line, text);
            }
            if figures(of) != figures(here) {
                let text = format!(
                    "the images or diagrams are not those of the step in line {} of {}",
                    of.line, self.original
                );
                self.add(here.line, text);
            }
            if let (Some(of), Some(here)) = (&of.exercise, &here.exercise) {
                let lines = |exercise: &Exercise| exercise.find.as_ref().map(|find| find.lines.clone());
                if lines(of) != lines(here) {
                    let line = here.find.as_ref().map_or(1, |find| find.line);
                    self.add(line, format!("the lines to find are not those of {}", self.original));
                }
                self.checks((&of.checks, &of.check_lines), (&here.checks, &here.check_lines));
                for ((of_scoring, scoring), line) in of.scoring.iter().zip(&here.scoring).zip(&here.check_lines) {
                    if of_scoring != scoring {
                        self.add(*line, format!("`guard` or `objective` is not as in {}", self.original));
                    }
                }
            }
            let quotes = |lesson: &Lesson| {
                let mut quotes = BTreeSet::new();
                lesson.quotes(number, &mut |piece| quotes.extend(piece.quoted_error().map(str::to_string)));
                quotes
            };
            let (there, quoted) = (quotes(original), quotes(translation));
            for text in quoted.difference(&there) {
                self.add(
                    here.line,
                    format!(
                        "this step quotes\n    {text}\n  which {} does not: an error's text stays PyTorch's",
                        self.original
                    ),
                );
            }
            for text in there.difference(&quoted) {
                self.add(
                    here.line,
                    format!("this step does not quote\n    {text}\n  as {} does in line {}", self.original, of.line),
                );
            }
        }
        if original.remember.len() != translation.remember.len() {
            let text = format!(
                "{} lines to remember; {} has {}",
                translation.remember.len(),
                self.original,
                original.remember.len()
            );
            self.add(translation.steps.last().map_or(1, |step| step.line), text);
        }
        let links = |lesson: &Lesson| lesson.links.iter().map(|(id, _)| id.clone()).collect::<BTreeSet<_>>();
        let (there, here) = (links(original), links(translation));
        for (id, line) in translation.links.iter().filter(|(id, _)| !there.contains(id)) {
            self.add(*line, format!("{} has no link to '{id}'", self.original));
        }
        for (id, line) in original.links.iter().filter(|(id, _)| !here.contains(id)) {
            self.add(1, format!("the link to '{id}' in line {line} of {} is missing", self.original));
        }
    }

    fn checks(&mut self, (of, of_lines): (&[Check], &[u32]), (here, lines): (&[Check], &[u32])) {
        for (((of, of_line), here), line) in of.iter().zip(of_lines).zip(here).zip(lines) {
            if of.labeled(here.label()) != *here {
                self.add(*line, format!("this check is not that of line {of_line} of {}", self.original));
            }
        }
        if of.len() != here.len() {
            let line = lines.first().copied().unwrap_or(1);
            self.add(line, format!("{} checks; {} has {}", here.len(), self.original, of.len()));
        }
    }

    /// Lines that are equal in both: nobody has translated them.
    fn words(&mut self, original: &str, translation: &str) {
        let before: BTreeSet<&str> = prose_lines(original).map(|(_, line)| line.trim()).collect();
        for (number, line) in prose_lines(translation) {
            let outside_code = line.split('`').step_by(2).flat_map(str::split_whitespace);
            let words = outside_code.filter(|word| word.chars().filter(|c| c.is_alphabetic()).count() > 1).count();
            if words >= SENTENCE && before.contains(line.trim()) {
                self.add(number, format!("not translated: {}", line.trim()));
            }
            if line.contains("TODO") {
                self.add(number, format!("still to be written: {}", line.trim()));
            }
        }
    }
}

/// The images of a step, and the diagrams without their words.
fn figures(step: &Step) -> Vec<String> {
    fn walk(blocks: &[Block], out: &mut Vec<String>) {
        for block in blocks {
            match block {
                Block::Figure { file, .. } => out.push(file.clone()),
                Block::Diagram(diagram) => {
                    let tensors = diagram.tensors.iter().map(|tensor| format!("{}:{}", tensor.key, tensor.storage));
                    let storages = diagram.storages.iter().map(|storage| format!("{}@{}", storage.key, storage.on));
                    out.push(format!("{:?}", (&diagram.names, tensors.chain(storages).collect::<Vec<_>>())));
                }
                Block::List(_, items) => items.iter().for_each(|item| walk(item, out)),
                Block::Quote(inner) => walk(inner, out),
                _ => {}
            }
        }
    }
    let mut out = Vec::new();
    for part in &step.parts {
        match part {
            Part::Text(blocks) => walk(blocks, &mut out),
            Part::Predict(question) | Part::Quiz(question) => walk(&question.because, &mut out),
        }
    }
    step.look.iter().for_each(|look| walk(&look.seen, &mut out));
    step.exercise.iter().for_each(|exercise| walk(&exercise.why, &mut out));
    out
}

/// A value of the front matter without what is written in the language of the lesson.
fn without_words(key: &str, value: &Value) -> Value {
    match (key, value) {
        ("aim", Value::String(_)) => Value::Null,
        ("objectives", Value::Mapping(map)) => map.keys().cloned().collect(),
        ("files", Value::Sequence(files)) => {
            let plain = |file: &Value| {
                let mut file = file.clone();
                if let Some(alt) = file.get_mut("alt") {
                    *alt = Value::Null;
                }
                file
            };
            files.iter().map(plain).collect()
        }
        _ => value.clone(),
    }
}

/// The front matter as YAML, and the body with the number of its first line.
fn front(text: &str) -> Option<(Mapping, Text<'_>)> {
    let (front, body) = parse::split_front(text)?;
    Some((serde_norway::from_str(front).ok()?, body))
}

/// A heading of a step, or a fenced block.
struct Bone {
    line: u32,
    /// The text after the fence; `None` for a heading.
    info: Option<String>,
    content: String,
}

impl Bone {
    fn name(&self) -> String {
        match &self.info {
            None => "the heading of a step".into(),
            Some(info) => format!("a block ```{info}"),
        }
    }
}

fn skeleton(text: &str) -> Vec<Bone> {
    let Some((_, body)) = parse::split_front(text) else { return Vec::new() };
    let mut bones = Vec::new();
    let mut open: Option<Bone> = None;
    for (event, range) in Parser::new(body.text()).into_offset_iter() {
        let line = body.line(range.start);
        match event {
            Event::Start(Tag::Heading { level: HeadingLevel::H2, .. }) => {
                bones.push(Bone { line, info: None, content: String::new() });
            }
            Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(info))) => {
                open = Some(Bone { line, info: Some(info.into_string()), content: String::new() });
            }
            Event::Text(text) => {
                if let Some(bone) = &mut open {
                    bone.content.push_str(&text);
                }
            }
            Event::End(TagEnd::CodeBlock) => bones.extend(open.take()),
            _ => {}
        }
    }
    bones
}

/// The lines that people read, with their numbers: no programs, no proofs, and only the labels of checks.
pub(super) fn prose_lines(text: &str) -> impl Iterator<Item = (u32, &str)> {
    let mut fence: Option<&str> = None;
    let mut in_front = false;
    let mut in_proof = false;
    (1..).zip(text.lines()).filter(move |(number, line)| {
        if line.trim_end() == "---" && (*number == 1 || in_front) {
            in_front = *number == 1;
            return false;
        }
        if let Some(info) = line.trim_start().strip_prefix("```") {
            fence = if fence.is_some() { None } else { Some(info.split_whitespace().next().unwrap_or_default()) };
            in_proof = false;
            return false;
        }
        let item = line.trim_start_matches(['-', ' ']);
        match fence {
            _ if in_front => {
                let of_file = ["name:", "dark:"].iter().any(|key| item.starts_with(key));
                line.starts_with("title:") || line.starts_with("aim:") || (line.starts_with(' ') && !of_file)
            }
            Some("check") => item.starts_with("label:"),
            Some("find") => !line.starts_with("line"),
            Some("diagram") => line.starts_with("alt:"),
            Some("python" | "text" | "bash" | "json" | "console" | "") => false,
            Some("predict" | "quiz") => {
                if line.starts_with(|c: char| c.is_ascii_alphabetic()) {
                    in_proof = line.starts_with("proof:");
                }
                !in_proof && !line.starts_with("objective:")
            }
            _ => true,
        }
    })
}
