//! Diagrams: names, tensors and storages.

use serde::Deserialize;
use serde_norway::{Mapping, Value};

use super::blocks::Reader;
use super::faults::{short_yaml, yaml_line, yaml_text};
use crate::device::Device;
use crate::lesson::prose::{Diagram, DiagramStorage, DiagramTensor};

/// Boxes of one kind: more than this is no drawing to look at.
const MAX_BOXES: usize = 12;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Raw {
    alt: String,
    names: Mapping,
    tensors: Mapping,
    storages: Mapping,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawTensor {
    label: String,
    storage: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawStorage {
    label: String,
    on: String,
}

/// Reads a diagram; `fence` is the line of its fence.
pub(super) fn read(content: &str, fence: u32, reader: &mut Reader<'_, '_, '_>) -> Option<Diagram> {
    if let Err(fault) = short_yaml(content) {
        reader.fault(fence, format!("the diagram: {fault}"));
        return None;
    }
    let raw: Raw = match serde_norway::from_str(content) {
        Ok(raw) => raw,
        Err(error) => {
            reader.fault(yaml_line(&error, fence + 1), format!("the diagram: {}", yaml_text(&error)));
            return None;
        }
    };
    match complete(raw) {
        Ok(diagram) => Some(diagram),
        Err(fault) => {
            reader.fault(fence, format!("the diagram: {fault}"));
            None
        }
    }
}

fn complete(raw: Raw) -> Result<Diagram, String> {
    if raw.alt.trim().is_empty() {
        return Err("`alt` is empty; it says in words what the diagram shows".into());
    }
    let names = entries(raw.names, "names", |name, tensor: String| (name, tensor))?;
    let tensors =
        entries(raw.tensors, "tensors", |key, RawTensor { label, storage }| DiagramTensor { key, label, storage })?;
    let storages =
        entries(raw.storages, "storages", |key, RawStorage { label, on }| DiagramStorage { key, label, on })?;
    for (name, tensor) in &names {
        if !tensors.iter().any(|other| other.key == *tensor) {
            return Err(format!("the name '{name}' refers to '{tensor}', which is not under `tensors`"));
        }
    }
    for tensor in &tensors {
        if !storages.iter().any(|other| other.key == tensor.storage) {
            let DiagramTensor { key, storage, .. } = tensor;
            return Err(format!("the tensor '{key}' is in '{storage}', which is not under `storages`"));
        }
    }
    if let Some(storage) = storages.iter().find(|storage| Device::parse(&storage.on).is_err()) {
        return Err(format!("'{}' is no device, so the storage '{}' can't be on it", storage.on, storage.key));
    }
    if tensors.is_empty() || storages.is_empty() {
        return Err("it has no tensor, or no storage".into());
    }
    Ok(Diagram { alt: raw.alt.trim().to_string(), names, tensors, storages })
}

/// The entries of a mapping, in order.
fn entries<R: for<'de> Deserialize<'de>, T>(
    map: Mapping,
    what: &str,
    made: impl Fn(String, R) -> T,
) -> Result<Vec<T>, String> {
    if map.len() > MAX_BOXES {
        return Err(format!("{} {what}; at most {MAX_BOXES} can be told apart", map.len()));
    }
    map.into_iter()
        .map(|(key, value): (Value, Value)| {
            let key = match key {
                Value::String(key) => key,
                // YAML reads a digit as a number, and `y` and `n` as themselves.
                Value::Number(number) => number.to_string(),
                _ => return Err(format!("a key of `{what}` is not a word")),
            };
            let value =
                serde_norway::from_value(value).map_err(|error| format!("{what}.{key}: {}", yaml_text(&error)))?;
            Ok(made(key, value))
        })
        .collect()
}
