//! The front matter: YAML between two lines of `---`.

use serde::Deserialize;
use serde_norway::Value;

use super::faults::{Faults, short_yaml, yaml_line, yaml_text};
use super::text::Text;
use crate::lesson::translation::is_language;
use crate::lesson::{FORMAT, prose};
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
    #[serde(rename = "format")]
    _format: Value,
    id: String,
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

/// The front matter, checked.
pub(super) struct Front {
    pub id: String,
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
        Some(format) if format.as_u64() == Some(u64::from(FORMAT)) => {}
        Some(format) if format.as_f64().is_some_and(|version| version < f64::from(FORMAT)) => {
            let text = format!(
                "there is no format before {FORMAT}, so there is nothing to convert: write the lesson as docs/lessons.md \
                 describes it, with `format: {FORMAT}`"
            );
            faults.add(line_of(&lines, "format"), text);
            return None;
        }
        Some(format) => {
            let version = serde_norway::to_string(format).unwrap_or_default();
            let text = format!(
                "this lesson is of format {}; this Tensoryard reads format {FORMAT}. A newer one may read it.",
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
    pub(super) fn complete(self, faults: &mut Faults<'_>) -> Option<Front> {
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
        let Raw { id, title, lang, minutes, requires, origins, .. } = self;
        Some(Front { id, title, lang, minutes, machine, requires, origins })
    }
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
