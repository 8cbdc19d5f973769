//! Questions: predictions and quizzes.

use serde::Deserialize;
use serde_norway::Value;

use super::blocks::Reader;
use super::faults::{short_yaml, yaml_line, yaml_text};
use super::program::check;
use crate::lesson::{Check, Choice, Question};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawQuestion {
    question: String,
    options: Vec<RawChoice>,
    because: String,
    #[serde(default)]
    proof: Option<Vec<Value>>,
    #[serde(default)]
    objective: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawChoice {
    text: String,
    #[serde(default)]
    correct: bool,
}

/// Reads a question; a quiz if `quiz`, otherwise a prediction. `fence` is the line of its fence.
pub(super) fn read(content: &str, quiz: bool, fence: u32, reader: &mut Reader<'_, '_, '_>) -> Option<Question> {
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
    let key = |key: &str| {
        let keyed = |line: &str| line.strip_prefix(key).is_some_and(|rest| rest.starts_with(':'));
        (fence + 1..).zip(content.lines()).find(|(_, line)| keyed(line)).map_or(fence, |(number, _)| number)
    };
    if raw.options.len() < 2 {
        reader.fault(fence, "a question needs two options or more");
    }
    if raw.options.iter().filter(|option| option.correct).count() != 1 {
        reader.fault(fence, "exactly one option is `correct: true`");
    }
    for (name, given) in [("proof", raw.proof.is_some()), ("objective", raw.objective.is_some())] {
        if given && reader.is_first() {
            reader.fault(key(name), format!("`{name}` belongs to format 2: write `format: 2`"));
        }
    }
    if quiz && raw.proof.is_some() {
        reader.fault(key("proof"), "a quiz has no proof, because no run answers it; ask in a predict block");
    }
    if !quiz && raw.objective.is_some() {
        reader.fault(
            key("objective"),
            "a prediction covers no objective, because every answer is accepted: a quiz or a check does",
        );
    }
    let mut proof = Vec::new();
    for item in raw.proof.into_iter().flatten() {
        match proven(item, reader.is_first()) {
            Ok(check) => proof.push(check),
            Err(fault) => reader.fault(key("proof"), format!("the proof: {fault}")),
        }
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
        proof,
        objective: raw.objective,
    })
}

/// A check of a proof. Nobody reads its label, so it has none.
fn proven(mut item: Value, first: bool) -> Result<Check, String> {
    if let Some(map) = item.as_mapping_mut() {
        if map.contains_key("label") {
            return Err("its checks have no label".into());
        }
        map.insert("label".into(), "".into());
    }
    check(item, first)
}
