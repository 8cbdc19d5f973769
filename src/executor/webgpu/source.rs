//! From a shader file to one WGSL module.
//!
//! The files in `shaders/` are templates with one rule: `$NAME` is replaced by the value that the launch gives to NAME (an
//! operation's function, a type, a workgroup size). Functions generated for the launch (see [`super::launch`]) and the shared
//! files `cast.wgsl`, `int64.wgsl`, `math.wgsl` are added. The module keeps only what the entry point reaches: a shader that
//! adds two tensors contains no Bessel function, so it compiles quickly.
//!
//! To find items without a parser, every file follows one convention: an item starts in the first column, its other lines are
//! indented, and a closing brace is in the first column.

use std::collections::{HashMap, HashSet};
use std::sync::OnceLock;

/// One file of `shaders/`.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct File {
    pub name: &'static str,
    pub text: &'static str,
}

macro_rules! files {
    ($($id:ident $name:literal)*) => {
        $(pub(super) const $id: File = File { name: $name, text: include_str!(concat!("../../../shaders/", $name)) };)*
        /// Every file with an entry point.
        #[cfg(test)]
        pub(crate) const FAMILIES: &[&File] = &[$(&$id),*];
    };
}

files! {
    FILL "fill.wgsl"
    UNARY "unary.wgsl"
    BINARY "binary.wgsl"
    TERNARY "ternary.wgsl"
    REDUCE "reduce.wgsl"
    MATMUL "matmul.wgsl"
    OPTIMIZER "optimizer.wgsl"
    RANDOM "random.wgsl"
    SOFTMAX "softmax.wgsl"
    INDEX "index.wgsl"
    SCATTER "scatter.wgsl"
    NONZERO "nonzero.wgsl"
    SCAN "scan.wgsl"
    SORT "sort.wgsl"
    CONV "conv.wgsl"
    POOL "pool.wgsl"
    NORM "norm.wgsl"
    LOSS "loss.wgsl"
}

/// Functions that any family may call.
pub(super) const SHARED: &[&File] = &[
    &File { name: "cast.wgsl", text: include_str!("../../../shaders/cast.wgsl") },
    &File { name: "int64.wgsl", text: include_str!("../../../shaders/int64.wgsl") },
    &File { name: "math.wgsl", text: include_str!("../../../shaders/math.wgsl") },
];

/// The name of a function, if it's written: in the file of its family, or among those that all families share.
pub(super) fn written(family: &File, function: &'static str) -> Option<&'static str> {
    static DEFINED: OnceLock<HashSet<(&str, &str)>> = OnceLock::new();
    let defined = DEFINED.get_or_init(|| {
        let mut defined = HashSet::new();
        for file in [&UNARY, &BINARY, &TERNARY, &REDUCE].into_iter().chain(SHARED.iter().copied()) {
            let mut items = Vec::new();
            split(file.text, &mut items);
            defined.extend(items.into_iter().map(|item| (file.name, item.name)));
        }
        defined
    });
    let files = std::iter::once(family).chain(SHARED.iter().copied());
    files.map(|file| file.name).any(|file| defined.contains(&(file, function))).then_some(function)
}

/// A value for a `$NAME`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Value {
    Text(&'static str),
    Number(u32),
}

/// Builds the module: `generated` items, the family's text with `$` replaced, and the shared functions that they reach.
pub(super) fn assemble(family: &File, entry: &str, values: &[(&'static str, Value)], generated: &str) -> String {
    let text = substitute(family.text, values);
    let mut items: Vec<Item<'_>> = Vec::new();
    split(generated, &mut items);
    for file in SHARED {
        split(file.text, &mut items);
    }
    split(&text, &mut items);

    let index: HashMap<&str, usize> = items.iter().enumerate().map(|(i, item)| (item.name, i)).collect();
    let mut keep = vec![false; items.len()];
    let mut open: Vec<usize> = index.get(entry).copied().into_iter().collect();
    while let Some(i) = open.pop() {
        if !std::mem::replace(&mut keep[i], true) {
            words(items[i].text, |word| open.extend(index.get(word).filter(|&&j| !keep[j])));
        }
    }
    let mut out = String::new();
    for (item, _) in items.iter().zip(&keep).filter(|(_, keep)| **keep) {
        for line in item.text.lines().filter(|l| !l.trim_start().starts_with("//")) {
            out.push_str(line);
            out.push('\n');
        }
    }
    out
}

struct Item<'a> {
    name: &'a str,
    text: &'a str,
}

/// Replaces every `$NAME`. An unknown name stays, and the validator then refuses it.
fn substitute(text: &str, values: &[(&'static str, Value)]) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('$') {
        out.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(rest.len());
        match values.iter().find(|(name, _)| *name == &rest[..end]) {
            Some((_, Value::Text(value))) => out.push_str(value),
            Some((_, Value::Number(value))) => out.push_str(&value.to_string()),
            None => {
                out.push('$');
                out.push_str(&rest[..end]);
            }
        }
        rest = &rest[end..];
    }
    out.push_str(rest);
    out
}

/// Splits a source at the lines that start an item.
fn split<'a>(text: &'a str, items: &mut Vec<Item<'a>>) {
    let mut start: Option<usize> = None;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let first = line.as_bytes().first().copied().unwrap_or(b'\n');
        let begins = first.is_ascii_alphabetic() || first == b'@';
        // An attribute line belongs to the item after it.
        let waits = start.is_some_and(|s| text[s..at].starts_with('@') && !text[s..at].contains(['{', ';']));
        if (begins && !waits) || line.starts_with("//") {
            if let Some(s) = start.take() {
                push(&text[s..at], items);
            }
            start = begins.then_some(at);
        }
        at += line.len();
    }
    if let Some(s) = start {
        push(&text[s..], items);
    }
}

fn push<'a>(text: &'a str, items: &mut Vec<Item<'a>>) {
    let mut name = "";
    let mut take = false;
    words(text, |word| {
        if take
            && name.is_empty()
            && !matches!(word, "storage" | "uniform" | "workgroup" | "private" | "read" | "read_write")
        {
            name = word;
        }
        take |= matches!(word, "fn" | "const" | "struct" | "alias" | "var");
    });
    items.push(Item { name, text });
}

/// Calls `each` for every identifier outside comments.
fn words<'a>(text: &'a str, mut each: impl FnMut(&'a str)) {
    for line in text.lines() {
        let code = line.split("//").next().unwrap_or("");
        let bytes = code.as_bytes();
        let mut i = 0;
        while i < bytes.len() {
            if bytes[i].is_ascii_alphabetic() || bytes[i] == b'_' {
                let start = i;
                while i < bytes.len() && (bytes[i].is_ascii_alphanumeric() || bytes[i] == b'_') {
                    i += 1;
                }
                each(&code[start..i]);
            } else if bytes[i].is_ascii_digit() {
                // A literal such as 0x7fu holds no identifier.
                while i < bytes.len() && (bytes[i].is_ascii_alphanumeric() || bytes[i] == b'_') {
                    i += 1;
                }
            } else {
                i += 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_what_main_reaches() {
        let file = File {
            name: "t",
            text: "// about\nfn used_f(x: f32) -> f32 {\n    return x;\n}\n\nfn unused(x: f32) -> f32 {\n    return \
                   used_f(x);\n}\n@compute @workgroup_size($WG)\nfn main() {\n    store($OP(1.0)); // unused\n}\n",
        };
        let generated = "fn store(v: f32) {\n    b0[0] = bitcast<u32>(v);\n}\n\
                         @group(0) @binding(0) var<storage, read_write> b0: array<u32>;\n";
        let values = [("OP", Value::Text("used_f")), ("WG", Value::Number(64))];
        let text = assemble(&file, "main", &values, generated);
        assert!(text.contains("@compute @workgroup_size(64)\nfn main()"), "{text}");
        assert!(text.contains("fn used_f") && text.contains("fn store") && text.contains("> b0: array"), "{text}");
        assert!(!text.contains("fn unused") && !text.contains("about"), "{text}");
    }

    #[test]
    fn every_file_is_listed() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/shaders");
        let mut found: Vec<String> = std::fs::read_dir(folder)
            .unwrap()
            .map(|e| e.unwrap().file_name().into_string().unwrap())
            .filter(|n| n.ends_with(".wgsl"))
            .collect();
        found.sort();
        let mut listed: Vec<&str> = FAMILIES.iter().chain(SHARED).map(|f| f.name).collect();
        listed.sort_unstable();
        assert_eq!(found, listed);
    }
}
