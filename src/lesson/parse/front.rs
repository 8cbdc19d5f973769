//! The front matter: YAML between two lines of `---`.

use serde::Deserialize;
use serde_norway::{Mapping, Value};

use super::blocks::{Reader, References};
use super::faults::{Faults, short_yaml, yaml_line, yaml_text};
use super::text::Text;
use crate::lesson::prose::Inline;
use crate::lesson::translation::is_language;
use crate::lesson::{CoursePart, FORMAT, LessonFile, Objective, Track, prose};
use crate::machine::Machine;

/// Splits a file into front matter and body.
pub(super) fn split<'a>(text: &'a str, faults: &mut Faults<'_>) -> Option<(&'a str, Text<'a>)> {
    let Some(rest) = text.strip_prefix("---\n") else {
        faults.add(1, "a lesson begins with front matter: a line of `---`, YAML, and a line of `---`");
        return None;
    };
    let mut at = 0;
    for (number, line) in (2..).zip(rest.split_inclusive('\n')) {
        if line.trim_end() == "---" {
            return Some((&rest[..at], Text::new(&rest[at + line.len()..], number + 1)));
        }
        at += line.len();
    }
    faults.add(1, "the front matter is not closed by a line of `---`");
    None
}

/// The front matter as written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Raw {
    format: u32,
    id: String,
    #[serde(default)]
    part: Option<Value>,
    #[serde(default)]
    track: Option<String>,
    #[serde(default)]
    level: Option<u32>,
    #[serde(default)]
    aim: Option<String>,
    #[serde(default)]
    objectives: Option<Mapping>,
    #[serde(default)]
    files: Option<Vec<RawFile>>,
    title: String,
    #[serde(default)]
    lang: Option<String>,
    minutes: u32,
    machine: Value,
    #[serde(default)]
    requires: Vec<String>,
    #[serde(default)]
    origins: Vec<String>,
    /// Line of each key.
    #[serde(skip)]
    lines: Vec<(String, u32)>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawFile {
    name: String,
    #[serde(default)]
    dark: Option<String>,
    #[serde(default)]
    alt: Option<String>,
}

/// The front matter, checked.
pub(super) struct Front {
    pub format: u32,
    pub id: String,
    pub part: Option<CoursePart>,
    pub track: Option<Track>,
    pub level: Option<u32>,
    pub aim: Option<Vec<Inline>>,
    pub objectives: Vec<Objective>,
    pub files: Vec<LessonFile>,
    pub title: String,
    pub lang: Option<String>,
    pub minutes: u32,
    pub machine: Machine,
    pub requires: Vec<String>,
    pub origins: Vec<String>,
}

/// Reads the front matter. The version comes first: a newer one may have keys that this one does not know.
pub(super) fn read(front: &str, faults: &mut Faults<'_>) -> Option<Raw> {
    if let Err(fault) = short_yaml(front) {
        faults.add(1, format!("the front matter: {fault}"));
        return None;
    }
    let mut fault = |error: &serde_norway::Error| {
        faults.add(yaml_line(error, 2), format!("the front matter: {}", yaml_text(error)));
        None
    };
    let value: Value = match serde_norway::from_str(front) {
        Ok(value) => value,
        Err(error) => return fault(&error),
    };
    let lines = lines(front);
    match value.get("format") {
        Some(format) if format.as_u64().is_some_and(|version| (1..=u64::from(FORMAT)).contains(&version)) => {}
        Some(format) if format.as_f64().is_some_and(|version| version < 1.0) => {
            let text = format!(
                "there is no format before 1, so there is nothing to convert: write the lesson as docs/lessons.md \
                 describes it, with `format: {FORMAT}`"
            );
            faults.add(line_of(&lines, "format"), text);
            return None;
        }
        Some(format) => {
            let version = serde_norway::to_string(format).unwrap_or_default();
            let text = format!(
                "this lesson is of format {}; this Tensoryard reads formats 1 to {FORMAT}. A newer one may read it.",
                version.trim()
            );
            faults.add(line_of(&lines, "format"), text);
            return None;
        }
        None => {
            faults.add(1, format!("the front matter does not say `format: {FORMAT}`"));
            return None;
        }
    }
    match serde_norway::from_str::<Raw>(front) {
        Ok(raw) => Some(Raw { lines, ..raw }),
        Err(error) => fault(&error),
    }
}

impl Raw {
    /// Checks the values.
    pub(super) fn complete(self, references: &mut References, faults: &mut Faults<'_>) -> Option<Front> {
        let part = self.part(faults);
        let track = self.track(faults);
        let (aim, objectives) = self.aims(references, faults);
        let files = self.files(faults);
        let line = |key: &str| line_of(&self.lines, key);
        let is_id = "lower-case words and digits joined by hyphens, at most 80 characters";
        if !prose::is_id(&self.id) {
            faults.add(line("id"), format!("the id '{}' is not {is_id}", self.id));
        }
        if self.title.trim().is_empty() {
            faults.add(line("title"), "the title is empty");
        }
        if let Some(lang) = self.lang.as_deref().filter(|lang| !is_language(lang)) {
            faults.add(line("lang"), format!("'{lang}' is not the code of a language, such as de"));
        }
        if !(1..=180).contains(&self.minutes) {
            faults.add(line("minutes"), format!("a lesson takes 1 to 180 minutes, not {}", self.minutes));
        }
        for (i, id) in self.requires.iter().enumerate() {
            if !prose::is_id(id) {
                faults.add(line("requires"), format!("the id '{id}' is not {is_id}"));
            } else if *id == self.id {
                faults.add(line("requires"), "the lesson requires itself");
            } else if self.requires[..i].contains(id) {
                faults.add(line("requires"), format!("'{id}' is required twice"));
            }
        }
        for origin in self.origins.iter().filter(|origin| !is_origin(origin)) {
            let text = format!("'{origin}' is not an origin as browsers write it, such as https://example.org");
            faults.add(line("origins"), text);
        }
        let at = line("machine");
        let machine = machine(&self.machine).map_err(|message| faults.add(at, message)).ok()?;
        let Raw { format, id, title, lang, minutes, requires, origins, level, .. } = self;
        Some(Front {
            format,
            id,
            title,
            lang,
            minutes,
            machine,
            requires,
            origins,
            part,
            track,
            level,
            aim,
            objectives,
            files,
        })
    }

    pub(super) fn format(&self) -> u32 {
        self.format
    }

    fn part(&self, faults: &mut Faults<'_>) -> Option<CoursePart> {
        // YAML reads 0 as a number.
        let name = match self.part.as_ref()? {
            Value::String(name) => name.clone(),
            Value::Number(number) => number.to_string(),
            _ => String::new(),
        };
        let part = CoursePart::of(&name);
        if part.is_none() {
            let names = CoursePart::ALL.map(CoursePart::name).join(", ");
            faults.add(line_of(&self.lines, "part"), format!("the course has no part '{name}': write one of {names}"));
        }
        part
    }

    fn track(&self, faults: &mut Faults<'_>) -> Option<Track> {
        let line = |key: &str| line_of(&self.lines, key);
        for key in [self.track.as_ref().map(|_| "track"), self.level.map(|_| "level")].into_iter().flatten() {
            if self.format == 1 {
                faults.add(line(key), NEEDS_2);
            }
        }
        if let Some(level) = self.level.filter(|level| !(1..=Track::LEVELS).contains(level)) {
            faults.add(line("level"), format!("a level is 1 to {}, not {level}", Track::LEVELS));
        }
        let name = self.track.as_ref()?;
        let track = Track::of(name);
        if track.is_none() {
            let names = Track::ALL.map(Track::name).join(", ");
            faults.add(line("track"), format!("there is no track '{name}': write one of {names}"));
        }
        track
    }

    /// The aim and the objectives.
    fn aims(&self, references: &mut References, faults: &mut Faults<'_>) -> (Option<Vec<Inline>>, Vec<Objective>) {
        let line = |key: &str| line_of(&self.lines, key);
        let mut read = |text: &str, line: u32, what: &str, faults: &mut Faults<'_>| {
            let empty = Text::in_line("", line);
            Reader::new(&empty, self.format, references, faults).line_of_markdown(text, line, what)
        };
        let aim = self.aim.as_ref().map(|aim| {
            if aim.trim_end().ends_with('.') {
                let text = "the aim completes the sentence \"After this you can …\", so it has no full stop";
                faults.add(line("aim"), text);
            }
            read(aim, line("aim"), "aim", faults)
        });
        let at = line("objectives");
        if self.objectives.is_some() && self.format == 1 {
            faults.add(at, NEEDS_2);
        }
        let mut objectives = Vec::new();
        for (id, text) in self.objectives.iter().flatten() {
            match (id.as_str().filter(|id| prose::is_id(id)), text.as_str()) {
                (Some(id), Some(text)) => {
                    objectives.push(Objective { id: id.into(), text: read(text, at, "objectives", faults) });
                }
                _ => faults.add(at, "an objective is an id in lower-case words, a colon and one sentence"),
            }
        }
        (aim, objectives)
    }

    fn files(&self, faults: &mut Faults<'_>) -> Vec<LessonFile> {
        let at = line_of(&self.lines, "files");
        if self.files.is_some() && self.format == 1 {
            faults.add(at, NEEDS_2);
        }
        let mut names: Vec<&str> = Vec::new();
        let mut files = Vec::new();
        for RawFile { name, dark, alt } in self.files.iter().flatten() {
            for name in std::iter::once(name).chain(dark) {
                if !is_file_name(name) {
                    let text = format!(
                        "'{name}' is no plain file name: letters, digits, `-`, `_` and `.`, at most 80, not a dot first, \
                         and no folder (files are in the folder `files` next to the lesson)"
                    );
                    faults.add(at, text);
                } else if names.contains(&name.as_str()) {
                    faults.add(at, format!("the file '{name}' is listed twice"));
                }
                names.push(name);
            }
            let alt_text = alt.as_deref().map(str::trim).filter(|alt| !alt.is_empty());
            if LessonFile::is_image(name) {
                if alt_text.is_none() {
                    faults.add(at, format!("the image '{name}' needs `alt:`, which says in words what it shows"));
                }
            } else if dark.is_some() || alt.is_some() {
                faults.add(at, format!("'{name}' is no image, so it has neither `dark:` nor `alt:`"));
            }
            if let Some(dark) = dark.as_ref().filter(|dark| !LessonFile::is_image(dark)) {
                faults.add(at, format!("'{dark}' is no image, so '{name}' can't be shown as it on a dark page"));
            }
            files.push(LessonFile { name: name.clone(), dark: dark.clone(), alt: alt_text.map(str::to_string) });
        }
        if names.len() > MAX_FILES {
            faults.add(at, format!("{} files; a lesson has at most {MAX_FILES}", names.len()));
        }
        files
    }
}

const NEEDS_2: &str = "this key belongs to format 2: write `format: 2`";

/// Files of one lesson, dark twins included.
const MAX_FILES: usize = 24;

/// A name that means the same file on every system and in every address.
fn is_file_name(name: &str) -> bool {
    let plain = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.');
    (1..=80).contains(&name.len()) && name.bytes().all(plain) && !name.starts_with('.') && !name.ends_with('.')
}

/// A scheme, a host and a port that is not the scheme's own: compared with what a browser says, letter by letter.
fn is_origin(text: &str) -> bool {
    let (rest, usual) = match (text.strip_prefix("https://"), text.strip_prefix("http://")) {
        (Some(rest), _) => (rest, "443"),
        (_, Some(rest)) => (rest, "80"),
        _ => return false,
    };
    let (host, port) = rest.split_once(':').map_or((rest, None), |(host, port)| (host, Some(port)));
    let label = |l: &str| !l.is_empty() && l.bytes().all(|b| matches!(b, b'a'..=b'z' | b'0'..=b'9' | b'-'));
    host.split('.').all(label)
        && port.is_none_or(|port| port != usual && !port.starts_with('0') && port.parse::<u16>().is_ok())
}

/// The top-level keys with their lines.
fn lines(front: &str) -> Vec<(String, u32)> {
    (2..)
        .zip(front.lines())
        .filter(|(_, line)| !line.starts_with([' ', '#', '-']))
        .filter_map(|(number, line)| Some((line.split_once(':')?.0.to_string(), number)))
        .collect()
}

fn line_of(lines: &[(String, u32)], key: &str) -> u32 {
    lines.iter().find(|(name, _)| name == key).map_or(1, |(_, line)| *line)
}

/// A preset with other capacities.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Preset {
    preset: String,
    #[serde(default)]
    memory_mib: Option<Capacities>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Capacities {
    Each(usize),
    /// One for each accelerator.
    List(Vec<usize>),
}

/// `cuda:1`, or `{preset: cuda:1, memory_mib: 512}`, or a machine as in a machine file.
fn machine(value: &Value) -> Result<Machine, String> {
    let machine = match value {
        Value::String(name) => Machine::preset(name).map_err(|e| e.message)?,
        Value::Mapping(map) if map.contains_key("preset") => {
            let raw: Preset =
                serde_norway::from_value(value.clone()).map_err(|e| format!("machine: {}", yaml_text(&e)))?;
            let mut machine = Machine::preset(&raw.preset).map_err(|e| e.message)?;
            let count = machine.devices.len();
            let capacities = match raw.memory_mib {
                None => None,
                Some(Capacities::Each(mib)) => Some(vec![mib; count]),
                Some(Capacities::List(list)) if list.len() == count => Some(list),
                Some(Capacities::List(list)) => {
                    return Err(format!("machine: {} capacities for {count} devices", list.len()));
                }
            };
            for (device, mib) in machine.devices.iter_mut().zip(capacities.into_iter().flatten()) {
                device.memory_mib = mib;
            }
            machine
        }
        Value::Mapping(_) => {
            serde_norway::from_value(value.clone()).map_err(|e| format!("machine: {}", yaml_text(&e)))?
        }
        _ => return Err(format!("machine: expected one of {}, or a mapping", Machine::PRESETS.join(", "))),
    };
    // Reading it as a machine file applies the limits of one.
    let text = serde_json::to_string(&machine).map_err(|e| format!("machine: {e}"))?;
    Machine::from_json(&text, "in the front matter").map_err(|e| e.message)
}
