//! From the text of a lesson file to a [`Lesson`], or to its faults.

mod blocks;
mod diagram;
mod faults;
mod find;
mod front;
mod program;
mod question;
mod text;

use pulldown_cmark::{CodeBlockKind, Event, HeadingLevel, Tag, TagEnd};

use self::blocks::{Reader, References};
use self::faults::Faults;
use self::program::{Pieces, Program};
pub(super) use self::text::Text;
use super::prose::{self, Block, Inline};
use super::{Fault, Lesson, Part, Step};

/// A lesson's text may be this long, in bytes; the longest one so far is a tenth of it.
const MAX_BYTES: usize = 256 << 10;

/// Fenced blocks that are shown as they are.
const SAMPLES: [&str; 5] = ["", "text", "bash", "json", "console"];

/// See [`Lesson::parse`].
pub(super) fn parse(text: &str, file: &str) -> Result<Lesson, Vec<Fault>> {
    let text = plain(text);
    let mut faults = Faults { file, found: Vec::new() };
    if text.len() > MAX_BYTES {
        faults.add(1, format!("the file has {} bytes; a lesson has at most {MAX_BYTES}", text.len()));
        return Err(faults.found);
    }
    let Some((front, body)) = front::split(&text, &mut faults) else { return Err(faults.found) };
    let Some(front) = front::read(front, &mut faults) else { return Err(faults.found) };
    let mut builder = Builder::default();
    let format = front.format();
    let front = front.complete(&mut builder.references, &mut faults);
    builder.references.files = front.as_ref().map(|front| front.files.clone());
    builder.read(&body, format, &mut faults);
    let Some(front) = front.filter(|_| faults.found.is_empty()) else {
        faults.found.sort_by_key(|fault| fault.line);
        return Err(faults.found);
    };
    Ok(Lesson {
        format: front.format,
        id: front.id,
        title: front.title,
        lang: front.lang,
        part: front.part,
        track: front.track,
        level: front.level,
        aim: front.aim,
        objectives: front.objectives,
        minutes: front.minutes,
        machine: front.machine,
        requires: front.requires,
        origins: front.origins,
        files: front.files,
        introduction: builder.introduction,
        steps: builder.steps,
        links: builder.references.links,
        terms: builder.references.terms,
        remember: builder.remember.map(|(_, lines)| lines).unwrap_or_default(),
    })
}

/// A file's text without a mark at its beginning, and with the line ends of this format.
pub(super) fn plain(text: &str) -> String {
    text.strip_prefix('\u{feff}').unwrap_or(text).replace("\r\n", "\n")
}

/// The front matter and the body of a file that is well-formed so far.
pub(super) fn split_front(text: &str) -> Option<(&str, Text<'_>)> {
    front::split(text, &mut Faults { file: "", found: Vec::new() })
}

/// Reads the body from top to bottom.
#[derive(Default)]
struct Builder {
    introduction: Vec<Block>,
    steps: Vec<Step>,
    references: References,
    /// Text since the last heading or question.
    text: Vec<Block>,
    program: Pieces,
    /// The closing card, with the line of its fence.
    remember: Option<(u32, Vec<Vec<Inline>>)>,
}

impl Builder {
    fn read(&mut self, body: &Text<'_>, format: u32, faults: &mut Faults<'_>) {
        let mut references = std::mem::take(&mut self.references);
        let mut reader = Reader::new(body, format, &mut references, faults);
        if reader.is_shallow() {
            while let Some((event, range)) = reader.next() {
                let line = body.line(range.start);
                self.ends(&event, line, &mut reader);
                match event {
                    Event::Start(Tag::Heading { level: HeadingLevel::H1, .. }) => {
                        reader.inlines(TagEnd::Heading(HeadingLevel::H1));
                        reader.fault(line, "the title stands in the front matter; steps begin with `## `");
                    }
                    Event::Start(Tag::Heading { level: HeadingLevel::H2, .. }) => self.step(line, &mut reader),
                    Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(info))) => {
                        if let Some(content) = reader.fence(&range) {
                            self.fence(&info, content, line, &mut reader);
                        }
                    }
                    event => {
                        if event != Event::Rule {
                            self.program.is_above(line, &mut reader);
                        }
                        reader.block(event, range, &mut self.text);
                    }
                }
            }
            flush(&mut self.text, &mut self.introduction, &mut self.steps);
            self.program.finish(&mut self.steps, &mut reader);
            if self.steps.is_empty() {
                reader.fault(body.first_line(), "the lesson has no step; a step begins with `## Title`");
            }
        }
        self.references = references;
    }

    /// Nothing comes after the closing card.
    fn ends(&self, event: &Event<'_>, line: u32, reader: &mut Reader<'_, '_, '_>) {
        if let (Some((card, _)), Event::Start(_)) = (&self.remember, event) {
            reader.fault(line, format!("the lesson ends with its remember block, which is in line {card}"));
        }
    }

    /// Begins a step whose heading was just read.
    fn step(&mut self, line: u32, reader: &mut Reader<'_, '_, '_>) {
        let mut title = reader.inlines(TagEnd::Heading(HeadingLevel::H2));
        flush(&mut self.text, &mut self.introduction, &mut self.steps);
        self.program.finish(&mut self.steps, reader);
        let optional = !reader.is_first() && is_optional(&mut title, line, reader);
        let id = slug(&prose::plain(&title));
        if id.is_empty() {
            reader.fault(line, "a step needs a title");
        } else if let Some(other) = self.steps.iter().find(|step| step.id == id) {
            reader.fault(line, format!("two steps have the id '{id}'; the other is in line {}", other.line));
        }
        self.steps.push(Step { id, title, line, parts: Vec::new(), optional, look: None, exercise: None });
    }

    /// A fenced block, by the words after its fence.
    fn fence(&mut self, info: &str, content: String, line: u32, reader: &mut Reader<'_, '_, '_>) {
        let mut words = info.split_whitespace();
        let (language, role) = (words.next().unwrap_or_default(), words.next());
        let label = words.collect::<Vec<_>>().join(" ");
        if language != "python" && !SAMPLES.contains(&language) && role.is_some() {
            reader.fault(line, format!("'{language}' stands alone on its fence; '{info}' has more words"));
        }
        match (language, role) {
            ("python", None) | ("text" | "bash" | "json" | "console" | "", _) => {
                self.program.is_above(line, reader);
                self.text.push(Block::Code(language.into(), content));
            }
            ("python", Some(role)) => self.program.add(role, Program { line, label, code: content }, reader),
            ("check", _) => self.program.check(&content, line, reader),
            ("hint", _) => self.program.hint(&content, line, reader),
            ("why", _) => self.program.why(&content, line, reader),
            ("predict" | "quiz", _) => {
                self.program.is_above(line, reader);
                flush(&mut self.text, &mut self.introduction, &mut self.steps);
                let question = question::read(&content, language == "quiz", line, reader);
                match (question, self.steps.last_mut()) {
                    (Some(question), Some(step)) if language == "quiz" => step.parts.push(Part::Quiz(question)),
                    (Some(question), Some(step)) => step.parts.push(Part::Predict(question)),
                    (_, None) => reader.fault(line, "a question stands before the first step (`## Title`)"),
                    (None, _) => {}
                }
            }
            ("seen" | "diagram" | "remember" | "find", _) if reader.is_first() => {
                reader.fault(line, format!("a {language} block belongs to format 2: write `format: 2`"));
            }
            ("find", _) => self.program.find(&content, line, reader),
            ("seen", _) => self.program.seen(&content, line, reader),
            ("diagram", _) => {
                self.program.is_above(line, reader);
                self.text.extend(diagram::read(&content, line, reader).map(Block::Diagram));
            }
            ("remember", _) => {
                if self.remember.is_none() {
                    self.remember = Some((line, lines_of_card(&content, line, reader)));
                }
            }
            (unknown, _) => {
                let more = if reader.is_first() { "" } else { "seen, diagram, remember, find, " };
                let roles = program::roles(reader.is_first());
                reader.fault(
                    line,
                    format!(
                        "unknown role '{unknown}': expected check, predict, quiz, hint, why, {more}python ({roles}), or a \
                         sample in text, bash, json, console"
                    ),
                );
            }
        }
    }
}

/// Text goes to the step that it stands in, or to the introduction.
fn flush(text: &mut Vec<Block>, introduction: &mut Vec<Block>, steps: &mut [Step]) {
    if text.is_empty() {
        return;
    }
    match steps.last_mut() {
        Some(step) => step.parts.push(Part::Text(std::mem::take(text))),
        None => introduction.append(text),
    }
}

/// Takes `{.optional}` from the end of a step's title.
fn is_optional(title: &mut Vec<Inline>, line: u32, reader: &mut Reader<'_, '_, '_>) -> bool {
    let Some(Inline::Text(last)) = title.last_mut() else { return false };
    let Some((before, mark)) = last.trim_end().strip_suffix('}').and_then(|text| text.rsplit_once('{')) else {
        return false;
    };
    if mark.trim() != ".optional" {
        let text = format!("a title has no mark `{{{mark}}}`: only `{{.optional}}`, for a step that doesn't count");
        reader.fault(line, text);
        return false;
    }
    *last = before.trim_end().to_string();
    if last.is_empty() {
        title.pop();
    }
    true
}

/// The lines of the closing card: one list, with one sentence in each item.
fn lines_of_card(content: &str, line: u32, reader: &mut Reader<'_, '_, '_>) -> Vec<Vec<Inline>> {
    let mut blocks = reader.markdown(content, line + 1);
    let items = match (blocks.pop(), blocks.is_empty()) {
        (Some(Block::List(None, items)), true) => items,
        _ => Vec::new(),
    };
    let mut lines = Vec::new();
    for mut item in items {
        if let (Some(Block::Paragraph(content)), true) = (item.pop(), item.is_empty()) {
            lines.push(content);
        }
    }
    if lines.is_empty() {
        reader.fault(line, "a remember block is one list, `- ` and a sentence a line");
    }
    lines
}

/// `Same device, again!` becomes `same-device-again`.
fn slug(title: &str) -> String {
    title
        .to_ascii_lowercase()
        .split(|c: char| !c.is_ascii_alphanumeric())
        .filter(|word| !word.is_empty())
        .collect::<Vec<_>>()
        .join("-")
}
