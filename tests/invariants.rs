//! What each part must not know, checked in the sources: the statements in ARCHITECTURE that say what doesn't depend on
//! what.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The files at or below a path whose extension is one of `kinds`.
fn walk(path: &Path, kinds: &[&str], out: &mut Vec<PathBuf>) {
    if path.is_file() {
        if path.extension().and_then(|e| e.to_str()).is_some_and(|e| kinds.contains(&e)) {
            out.push(path.to_path_buf());
        }
        return;
    }
    let Ok(entries) = std::fs::read_dir(path) else { return };
    for entry in entries.flatten() {
        walk(&entry.path(), kinds, out);
    }
}

fn sources(folder: &str) -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut out = Vec::new();
    walk(&root.join(folder), &["rs"], &mut out);
    walk(&root.join(format!("{folder}.rs")), &["rs"], &mut out);
    out.sort();
    out
}

/// Lines of code, without comments and without the tests at the end of a file.
fn code(path: &Path) -> Vec<(usize, String)> {
    let text = std::fs::read_to_string(path).unwrap();
    let text = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default().to_string();
    text.lines().enumerate().map(|(i, line)| (i + 1, line.split("//").next().unwrap_or_default().to_string())).collect()
}

/// Whether `name` is a word of its own in `line`, not a part of a longer one.
fn names(line: &str, name: &str) -> bool {
    line.match_indices(name).any(|(at, _)| {
        let word = |c: char| c.is_alphanumeric() || c == '_';
        let before = line[..at].chars().next_back().is_some_and(word);
        let after = line[at + name.len()..].chars().next().is_some_and(word);
        !before && !after
    })
}

/// `folders` must not name any of `forbidden`.
fn check(folders: &[&str], forbidden: &[&str]) {
    let mut found = Vec::new();
    for folder in folders {
        let files = sources(folder);
        assert!(!files.is_empty(), "src/{folder} has no sources: has it moved?");
        for path in files {
            for (number, line) in code(&path) {
                for name in forbidden {
                    if names(&line, name) {
                        found.push(format!("{}:{number} names {name}: {}", path.display(), line.trim()));
                    }
                }
            }
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

const EXECUTORS: [&str; 8] = [
    "executor::cpu",
    "executor::webgpu",
    "executor::cuda",
    "CpuExecutor",
    "WebGpuExecutor",
    "CudaExecutor",
    "wgpu",
    "cudarc",
];
const PYTHON: [&str; 4] = ["crate::python", "rustpython_vm", "rustpython_stdlib", "rustpython_compiler"];
const WEB: [&str; 5] = ["web_sys", "wasm_bindgen", "js_sys", "leptos", "crate::app"];

#[test]
fn meaning_knows_no_hardware_no_python_and_no_page() {
    let parts = ["ops", "autograd", "memory", "rng", "tensor", "storage", "print", "distributed"];
    check(&parts, &EXECUTORS);
    check(&parts, &PYTHON);
    check(&parts, &WEB);
    // In the page, the trace gets the time from the browser's clock: one imported function, and nothing else of the web.
    check(&["trace"], &EXECUTORS);
    check(&["trace"], &PYTHON);
    check(&["trace"], &["web_sys", "js_sys", "leptos", "crate::app"]);
}

#[test]
fn hardware_knows_no_operators_no_python_and_no_page() {
    check(&["executor"], &["crate::ops", "crate::autograd", "crate::tensor"]);
    // The CUDA executor uses the planner's rules to place blocks in segments; the other executors plan nothing.
    check(&["executor/cpu", "executor/webgpu", "executor/kernel", "executor/mod"], &["crate::memory"]);
    check(&["executor"], &PYTHON);
    check(&["executor"], &["leptos", "crate::app"]);
}

#[test]
fn python_launches_nothing_and_copies_nothing() {
    check(&["python"], &EXECUTORS);
    check(&["python"], &["executor::Buffer", "executor::Executor", "Storage::new", "memory::Planner", "Planner::new"]);
    check(&["python"], &["Kernel", "launch", "launch_with", "copy_data", "copy_with"]);
}

#[test]
fn figures_know_nothing_but_what_they_draw() {
    check(&["figure"], &EXECUTORS);
    check(&["figure"], &PYTHON);
    check(&["figure"], &WEB);
    check(&["figure"], &["crate::ops", "crate::tensor", "crate::engine"]);
}

#[test]
fn the_page_sees_only_messages() {
    check(&["app"], &["crate::ops", "crate::autograd", "crate::executor", "crate::memory", "crate::storage"]);
    check(&["app"], &["crate::tensor", "crate::engine", "crate::python"]);
    let known = [
        "base64url",
        "device",
        "diagnose",
        "dtype",
        "language",
        "lesson",
        "machine",
        "notebook",
        "protocol",
        "sha256",
        "smi",
        "trace",
    ];
    let others: Vec<_> = dependencies("app").into_iter().filter(|(name, _)| !known.contains(&name.as_str())).collect();
    assert!(others.is_empty(), "the page names {others:?}");
}

/// JavaScript calls the engine only through the exports of `bin/worker`, which may suspend. It never gets one of our
/// closures.
#[test]
fn no_closure_that_javascript_calls_can_suspend() {
    let parts = ["bin", "executor", "python", "engine", "storage", "tensor", "ops", "autograd", "trace", "print"];
    check(&parts, &["Closure", "ScopedClosure", "closure::IntoWasmClosure"]);
    check(&["app"], &["jspi_block_on_promise"]);
    let worker: Vec<_> = sources("bin/worker").iter().flat_map(|path| code(path)).collect();
    assert!(worker.iter().any(|(_, line)| line.trim() == "#[wasm_bindgen(jspi)]"), "which export may suspend?");
}

/// The names after each `crate::` in a source, with `{...}` expanded.
fn named(code: &str) -> Vec<String> {
    let mut names = Vec::new();
    for (at, prefix) in code.match_indices("crate::") {
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let inside = code[..at].chars().next_back().is_some_and(is_word);
        let rest = &code[at + prefix.len()..];
        let word = |text: &str| text.trim_start().chars().take_while(|c| is_word(*c)).collect::<String>();
        match rest.strip_prefix('{') {
            _ if inside => {}
            None => names.push(word(rest)),
            Some(list) => {
                let (mut depth, mut begins) = (0_usize, true);
                for (i, c) in list.char_indices() {
                    match c {
                        '{' => depth += 1,
                        '}' if depth == 0 => break,
                        '}' => depth -= 1,
                        ',' if depth == 0 => begins = true,
                        _ if begins && is_word(c) => {
                            names.push(word(&list[i..]));
                            begins = false;
                        }
                        _ => {}
                    }
                }
            }
        }
    }
    names.retain(|name| !name.is_empty());
    names
}

/// Every module of the crate with its layer, lowest first: the empty lines of `src/lib.rs` separate layers.
fn layers() -> Vec<(String, usize)> {
    let text = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("src/lib.rs")).unwrap();
    let mut layer = 0;
    let mut modules = Vec::new();
    for line in text.lines() {
        match line.strip_prefix("pub mod ").and_then(|rest| rest.strip_suffix(';')) {
            Some(name) => modules.push((name.to_string(), layer)),
            None if line.is_empty() => layer += 1,
            None => {}
        }
    }
    modules
}

/// The modules that a module names, each with one place. Tests may name any module.
fn dependencies(module: &str) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    for path in sources(module) {
        if path.ends_with("tests.rs") || path.ends_with("executor/every.rs") {
            continue;
        }
        let code: String = code(&path).into_iter().map(|(_, line)| line + "\n").collect();
        // In a module of one file, `super` is the crate.
        let root = path.ends_with(format!("src/{module}.rs")) || path.ends_with(format!("src/{module}/mod.rs"));
        let code = if root { code.replace("super::", "crate::") } else { code };
        for name in named(&code) {
            if name != module {
                found.entry(name).or_insert_with(|| path.display().to_string());
            }
        }
    }
    found
}

/// A module names only modules of the layers above its own in `src/lib.rs`, so modules can't form a cycle.
#[test]
fn modules_form_layers() {
    let layers = layers();
    assert!(layers.len() > 20, "src/lib.rs has no list of modules: {layers:?}");
    let of = |name: &str| layers.iter().find(|(known, _)| known == name).map(|(_, layer)| *layer);
    let mut wrong = Vec::new();
    for (module, layer) in &layers {
        for (name, place) in dependencies(module) {
            if of(&name).is_some_and(|other| other >= *layer) {
                wrong.push(format!("{module} names {name}, which doesn't stand above it: {place}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn names_are_found_in_lists() {
    let code = "use crate::{a::{b, c}, d};\nuse crate::e::f;\nlet x = crate::g(1); mycrate::h";
    assert_eq!(named(code), ["a", "d", "e", "g"]);
}

/// The paths that a file names, each with the module in which it stands: those of its `use` lines, expanded
/// (`use a::{b, c::d};` gives `a::b` and `a::c::d`), and those written out in its code.
fn paths(path: &Path) -> Vec<(Vec<String>, String)> {
    fn written_out(before: &str, tree: &str, out: &mut Vec<String>) {
        let Some((head, inner)) = tree.split_once('{') else { return out.push(format!("{before}{}", tree.trim())) };
        let inner = inner.trim_end().trim_end_matches('}');
        let (mut depth, mut from) = (0, 0);
        for (at, c) in inner.char_indices().chain([(inner.len(), ',')]) {
            match c {
                '{' => depth += 1,
                '}' => depth -= 1,
                ',' if depth == 0 => {
                    written_out(&format!("{before}{}", head.trim()), &inner[from..at], out);
                    from = at + 1;
                }
                _ => {}
            }
        }
    }
    let (mut out, mut inside) = (Vec::new(), Vec::new());
    let mut tree: Option<String> = None;
    for (_, line) in code(path) {
        let text = line.trim_start();
        // A module written inside the file: formatted code closes it at the same indent.
        let indent = line.len() - text.len();
        let mut words = text.split_whitespace().skip_while(|word| word.starts_with("pub"));
        if let (Some("mod"), Some(name), Some("{")) = (words.next(), words.next(), words.next()) {
            inside.push((indent, name.to_string()));
        }
        if text.trim_end() == "}" && inside.last().is_some_and(|(begins, _)| *begins == indent) {
            inside.pop();
        }
        let module: Vec<String> = inside.iter().map(|(_, name)| name.clone()).collect();
        let mut words = text.split_whitespace().skip_while(|word| word.starts_with("pub"));
        if let Some(tree) = &mut tree {
            tree.push_str(text);
        } else if words.next() == Some("use") {
            tree = text.split_once("use ").map(|(_, tree)| tree.to_string());
        } else {
            let starts = text.match_indices("crate::").chain(text.match_indices("super::")).map(|(at, _)| at);
            let part = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
            for at in starts.filter(|at| !text[..*at].ends_with(part)) {
                let end = text[at..].find(|c| !part(c)).map_or(text.len(), |n| at + n);
                out.push((module.clone(), text[at..end].to_string()));
            }
        }
        if let Some(all) = tree.take_if(|tree| tree.contains(';')) {
            let mut found = Vec::new();
            written_out("", all.split(';').next().unwrap_or_default(), &mut found);
            out.extend(found.into_iter().map(|path| (module.clone(), path)));
        }
    }
    out
}

/// The circles of files below a folder: groups in which each file names every other one, directly or through others.
fn circles(folder: &str) -> Vec<Vec<String>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let module = |path: &Path| {
        let name = path.strip_prefix(&root).unwrap().with_extension("").display().to_string().replace('/', "::");
        name.strip_suffix("::mod").unwrap_or(&name).to_string()
    };
    let tested = |path: &PathBuf| !path.ends_with("tests.rs") && !path.ends_with("executor/every.rs");
    let files: BTreeMap<String, PathBuf> =
        sources(folder).into_iter().filter(tested).map(|path| (module(&path), path)).collect();
    let mut ways: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for (module, file) in &files {
        for (inside, path) in paths(file) {
            let mut at: Vec<&str> = module.split("::").chain(inside.iter().map(String::as_str)).collect();
            for (i, part) in path.split("::").filter(|part| !part.is_empty()).enumerate() {
                match part {
                    "crate" if i == 0 => at.clear(),
                    "self" => {}
                    "super" => drop(at.pop()),
                    part => at.push(part),
                }
            }
            let target = (1..=at.len()).rev().find_map(|n| files.get_key_value(&at[..n].join("::")));
            // A file is a part of the module that declares it, so what it takes from there ties it to no other file.
            let other = |name: &&str| !format!("{module}::").starts_with(&format!("{name}::"));
            ways.entry(module).or_default().extend(target.map(|(name, _)| name.as_str()).filter(other));
        }
    }
    let reached = |from: &str| {
        let (mut seen, mut open) = (BTreeSet::new(), vec![from]);
        while let Some(here) = open.pop() {
            for next in ways.get(here).into_iter().flatten() {
                if seen.insert(*next) {
                    open.push(next);
                }
            }
        }
        seen
    };
    let reach: BTreeMap<&str, BTreeSet<&str>> = files.keys().map(|name| (name.as_str(), reached(name))).collect();
    let mut circles: BTreeSet<Vec<String>> = BTreeSet::new();
    for (name, others) in &reach {
        if others.contains(name) {
            circles.insert(others.iter().filter(|o| reach[**o].contains(name)).map(ToString::to_string).collect());
        }
    }
    circles.into_iter().collect()
}

#[test]
fn files_of_the_page_import_each_other_in_one_direction() {
    let home = paths(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src/app/page/home.rs"));
    assert!(home.iter().any(|(_, path)| path == "super::devices::Devices"));
    assert_eq!(circles("app"), Vec::<Vec<String>>::new());
}

#[test]
fn files_of_the_torch_module_import_each_other_in_one_direction() {
    assert_eq!(circles("python/torch"), Vec::<Vec<String>>::new());
}

/// In other folders, files that need each other are few enough to be read as one piece: a type, and the files that add
/// methods to it.
#[test]
fn circles_of_files_stay_small() {
    let mut found = Vec::new();
    for (module, _) in layers() {
        found.extend(circles(&module).into_iter().filter(|circle| circle.len() > MOST_IN_A_CIRCLE));
    }
    assert_eq!(found, Vec::<Vec<String>>::new());
}

const MOST_IN_A_CIRCLE: usize = 5;

#[test]
fn words_are_found_as_words() {
    assert!(names("use crate::ops::add;", "crate::ops"));
    assert!(!names("use crate::opsx;", "crate::ops"));
    assert!(!names("wgpu_hal::x", "wgpu"));
}

/// A call's arguments are read by the signature in its operator's row. Only helpers that PyTorch doesn't have list their own
/// parameters, and their names begin with `_`.
#[test]
fn only_helpers_list_their_own_parameters() {
    let (mut helpers, mut wrong) = (0, Vec::new());
    for path in sources("python/torch") {
        let code: String = code(&path).into_iter().map(|(_, line)| line + "\n").collect();
        // Formatted code begins every function of a file at the start of a line, and ends it there.
        let own: Vec<&str> = code
            .split("\n}\n")
            .filter(|item| item.contains(".bind("))
            .filter_map(|item| item.rsplit_once("fn ")?.1.split('(').next())
            .collect();
        // A row of a table: name, forms, function.
        for row in code.lines().filter_map(|line| line.trim().strip_prefix("(\"")) {
            let Some((name, function)) = row.split_once("\",") else { continue };
            if own.iter().any(|own| names(function, own)) {
                helpers += 1;
                if !name.starts_with('_') {
                    wrong.push(format!("{name} in {}", path.display()));
                }
            }
        }
    }
    assert!(helpers > 50, "only {helpers} helpers were found");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A longer file is split. Files that a command writes don't count: `www/rules.html`, the editor's bundle in
/// `www/vendor`, and what tests compare with, which is JSON and text.
#[test]
fn no_source_has_more_than_a_thousand_lines() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let kinds = ["rs", "py", "wgsl", "cu", "cuh", "h", "cpp", "js", "mjs", "css", "html", "sh"];
    let written = [root.join("www/rules.html"), root.join("www/vendor")];
    let mut files = Vec::new();
    for folder in ["src", "shaders", "tests", "benches", "www"] {
        walk(&root.join(folder), &kinds, &mut files);
    }
    files.push(root.join("build.rs"));
    files.retain(|path| {
        let installed = path.components().any(|part| part.as_os_str() == "node_modules");
        !installed && !written.iter().any(|place| path.starts_with(place))
    });
    assert!(files.len() > 1500, "only {} sources were found", files.len());
    let mut long = Vec::new();
    for path in files {
        let lines = std::fs::read_to_string(&path).unwrap().lines().count();
        if lines > 1000 {
            long.push(format!("{}: {lines} lines", path.display()));
        }
    }
    assert!(long.is_empty(), "{}", long.join("\n"));
}
