//! From the text of a lesson file to a [`Lesson`], or to its faults.

mod blocks;
mod faults;
mod front;
mod text;

use pulldown_cmark::{CodeBlockKind, Event, HeadingLevel, Tag, TagEnd};
use serde::Deserialize;

use self::blocks::Reader;
use self::faults::{Faults, short_yaml, yaml_line, yaml_text};
pub(super) use self::text::Text;
use super::prose::{self, Block};
use super::{Check, Choice, Exercise, Fault, Hint, Lesson, Part, Question, Source, Step};

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
    builder.read(&body, &mut faults);
    let Some(front) = front.complete(&mut faults).filter(|_| faults.found.is_empty()) else {
        faults.found.sort_by_key(|fault| fault.line);
        return Err(faults.found);
    };
    Ok(Lesson {
        id: front.id,
        title: front.title,
        lang: front.lang,
        minutes: front.minutes,
        machine: front.machine,
        requires: front.requires,
        origins: front.origins,
        introduction: builder.introduction,
        steps: builder.steps,
        links: builder.links,
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
    links: Vec<(String, u32)>,
    /// Text since the last heading or question.
    text: Vec<Block>,
    program: Pieces,
}

/// The blocks of a step's exercise as they come.
#[derive(Default)]
struct Pieces {
    starter: Option<Source>,
    solution: Option<Source>,
    must_fail: Vec<Source>,
    checks: Option<(u32, Vec<(u32, Check)>)>,
    hints: Vec<Hint>,
    why: Option<(u32, Vec<Block>)>,
}

impl Builder {
    fn read(&mut self, body: &Text<'_>, faults: &mut Faults<'_>) {
        let mut reader = Reader::new(body, &mut self.links, faults);
        if !reader.is_shallow() {
            return;
        }
        while let Some((event, range)) = reader.next() {
            let line = body.line(range.start);
            match event {
                Event::Start(Tag::Heading { level: HeadingLevel::H1, .. }) => {
                    reader.inlines(TagEnd::Heading(HeadingLevel::H1));
                    reader.fault(line, "the title stands in the front matter; steps begin with `## `");
                }
                Event::Start(Tag::Heading { level: HeadingLevel::H2, .. }) => {
                    let title = reader.inlines(TagEnd::Heading(HeadingLevel::H2));
                    flush(&mut self.text, &mut self.introduction, &mut self.steps);
                    finish(&mut self.program, &mut self.steps, &mut reader);
                    let id = slug(&prose::plain(&title));
                    if id.is_empty() {
                        reader.fault(line, "a step needs a title");
                    } else if let Some(other) = self.steps.iter().find(|step| step.id == id) {
                        reader
                            .fault(line, format!("two steps have the id '{id}'; the other is in line {}", other.line));
                    }
                    self.steps.push(Step { id, title, line, parts: Vec::new(), exercise: None });
                }
                Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(info))) => {
                    let Some(content) = reader.fence(&range) else { continue };
                    let mut words = info.split_whitespace();
                    let (language, role) = (words.next().unwrap_or_default(), words.next());
                    let label = words.collect::<Vec<_>>().join(" ");
                    if language != "python" && !SAMPLES.contains(&language) && role.is_some() {
                        reader.fault(line, format!("'{language}' stands alone on its fence; '{info}' has more words"));
                    }
                    match (language, role) {
                        ("python", None) | ("text" | "bash" | "json" | "console" | "", _) => {
                            self.text.push(Block::Code(language.into(), content));
                        }
                        ("python", Some(role)) => {
                            let source = Source { line, label, code: content };
                            self.program.add(role, source, &mut reader);
                        }
                        ("check", _) => {
                            if let Some((first, _)) = &self.program.checks {
                                reader.fault(line, format!("a second check block; the first is in line {first}"));
                            }
                            self.program.checks = Some((line, checks(&content, line, &mut reader)));
                        }
                        ("hint", _) => {
                            let text = reader.markdown(&content, line + 1);
                            if text.is_empty() {
                                reader.fault(line, "a hint without text");
                            }
                            self.program.hints.push(Hint { line, text });
                        }
                        ("why", _) => {
                            let text = reader.markdown(&content, line + 1);
                            if text.is_empty() {
                                reader.fault(line, "a why block without text");
                            }
                            if let Some((first, _)) = &self.program.why {
                                reader.fault(line, format!("a second why block; the first is in line {first}"));
                            }
                            self.program.why = Some((line, text));
                        }
                        ("predict" | "quiz", _) => {
                            flush(&mut self.text, &mut self.introduction, &mut self.steps);
                            let question = question(&content, line, &mut reader);
                            match (question, self.steps.last_mut()) {
                                (Some(question), Some(step)) if language == "quiz" => {
                                    step.parts.push(Part::Quiz(question));
                                }
                                (Some(question), Some(step)) => step.parts.push(Part::Predict(question)),
                                (_, None) => reader.fault(line, "a question stands before the first step (`## Title`)"),
                                (None, _) => {}
                            }
                        }
                        (unknown, _) => reader.fault(
                            line,
                            format!(
                                "unknown role '{unknown}': expected check, predict, quiz, hint, why, python (starter, \
                                 solution, must_fail), or a sample in text, bash, json, console"
                            ),
                        ),
                    }
                }
                event => reader.block(event, range, &mut self.text),
            }
        }
        flush(&mut self.text, &mut self.introduction, &mut self.steps);
        finish(&mut self.program, &mut self.steps, &mut reader);
        if self.steps.is_empty() {
            reader.fault(body.first_line(), "the lesson has no step; a step begins with `## Title`");
        }
    }
}

impl Pieces {
    /// Keeps a program under its role.
    fn add(&mut self, role: &str, source: Source, reader: &mut Reader<'_, '_, '_>) {
        let line = source.line;
        let slot = match role {
            "starter" => &mut self.starter,
            "solution" => &mut self.solution,
            "must_fail" => {
                self.must_fail.push(source);
                return;
            }
            unknown => {
                reader.fault(
                    line,
                    format!("unknown role '{unknown}' of a python block: expected starter, solution or must_fail"),
                );
                return;
            }
        };
        if let Some(first) = slot {
            let text = format!("a second {role} in one step; the first is in line {}", first.line);
            reader.fault(line, text);
        }
        *slot = Some(source);
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

/// Puts the exercise of the last step together, if it has one.
fn finish(pieces: &mut Pieces, steps: &mut [Step], reader: &mut Reader<'_, '_, '_>) {
    let Pieces { starter, solution, must_fail, checks, hints, why } = std::mem::take(pieces);
    let first = [starter.as_ref().map(|s| s.line), solution.as_ref().map(|s| s.line), checks.as_ref().map(|c| c.0)]
        .into_iter()
        .flatten()
        .chain(must_fail.iter().map(|s| s.line))
        .chain(hints.iter().map(|h| h.line))
        .chain(why.iter().map(|w| w.0))
        .min();
    let Some(line) = first else { return };
    let Some(step) = steps.last_mut() else {
        return reader.fault(line, "an exercise stands before the first step (`## Title`)");
    };
    let heading = step.line;
    let missing = |what: &str| format!("this step has an exercise without a {what} block");
    let (Some(starter), Some(solution), Some((_, checks))) = (&starter, &solution, &checks) else {
        for (there, what) in [
            (starter.is_some(), "python starter"),
            (solution.is_some(), "python solution"),
            (checks.is_some(), "check"),
        ] {
            if !there {
                reader.fault(heading, missing(what));
            }
        }
        return;
    };
    step.exercise = Some(Exercise {
        starter: starter.clone(),
        solution: solution.clone(),
        must_fail,
        checks: checks.iter().map(|(_, check)| check.clone()).collect(),
        check_lines: checks.iter().map(|(line, _)| *line).collect(),
        hints,
        why: why.map(|(_, text)| text).unwrap_or_default(),
    });
}

/// The checks of one block, each with its line. `fence` is the line of the block's fence.
fn checks(content: &str, fence: u32, reader: &mut Reader<'_, '_, '_>) -> Vec<(u32, Check)> {
    if let Err(fault) = short_yaml(content) {
        reader.fault(fence, format!("the checks: {fault}"));
        return Vec::new();
    }
    let items: Vec<serde_norway::Value> = match serde_norway::from_str(content) {
        Ok(items) => items,
        Err(error) => {
            reader.fault(yaml_line(&error, fence + 1), format!("the checks: {}", yaml_text(&error)));
            return Vec::new();
        }
    };
    if items.is_empty() {
        reader.fault(fence, "a check block without checks");
    }
    // YAML values carry no position, but every item of a block sequence begins with its dash.
    let dashes: Vec<u32> =
        (fence + 1..).zip(content.lines()).filter(|(_, l)| l.starts_with('-')).map(|(n, _)| n).collect();
    let line_of = |i: usize| if dashes.len() == items.len() { dashes[i] } else { fence };
    let mut checks = Vec::new();
    for (i, item) in items.iter().enumerate() {
        match serde_norway::from_value::<Check>(item.clone()) {
            Ok(check) => match check.fault() {
                None => checks.push((line_of(i), check)),
                Some(fault) => reader.fault(line_of(i), fault),
            },
            Err(error) => reader.fault(line_of(i), format!("this check: {}", yaml_text(&error))),
        }
    }
    checks
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawQuestion {
    question: String,
    options: Vec<RawChoice>,
    because: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawChoice {
    text: String,
    #[serde(default)]
    correct: bool,
}

fn question(content: &str, fence: u32, reader: &mut Reader<'_, '_, '_>) -> Option<Question> {
    if let Err(fault) = short_yaml(content) {
        reader.fault(fence, format!("the question: {fault}"));
        return None;
    }
    let raw: RawQuestion = match serde_norway::from_str(content) {
        Ok(raw) => raw,
        Err(error) => {
            reader.fault(yaml_line(&error, fence + 1), format!("the question: {}", yaml_text(&error)));
            return None;
        }
    };
    if raw.options.len() < 2 {
        reader.fault(fence, "a question needs two options or more");
    }
    if raw.options.iter().filter(|option| option.correct).count() != 1 {
        reader.fault(fence, "exactly one option is `correct: true`");
    }
    Some(Question {
        question: reader.line_of_markdown(&raw.question, fence, "question"),
        options: raw
            .options
            .iter()
            .map(|option| Choice {
                text: reader.line_of_markdown(&option.text, fence, "option"),
                correct: option.correct,
            })
            .collect(),
        because: reader.markdown_in_yaml(&raw.because, fence, "because"),
        line: fence,
    })
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
