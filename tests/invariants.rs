//! What each part must not know of, read from the sources: the lines of ARCHITECTURE that name what is absent.

use std::path::{Path, PathBuf};

fn sources(folder: &str) -> Vec<PathBuf> {
    fn walk(path: &Path, out: &mut Vec<PathBuf>) {
        if path.is_file() {
            if path.extension().is_some_and(|e| e == "rs") {
                out.push(path.to_path_buf());
            }
            return;
        }
        let Ok(entries) = std::fs::read_dir(path) else { return };
        for entry in entries.flatten() {
            walk(&entry.path(), out);
        }
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut out = Vec::new();
    walk(&root.join(folder), &mut out);
    walk(&root.join(format!("{folder}.rs")), &mut out);
    out.sort();
    out
}

/// Lines of code without comments and without the tests at a file's end.
fn code(path: &Path) -> Vec<(usize, String)> {
    let text = std::fs::read_to_string(path).unwrap();
    let text = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default().to_string();
    text.lines().enumerate().map(|(i, line)| (i + 1, line.split("//").next().unwrap_or_default().to_string())).collect()
}

/// True if `name` stands in `line` as a word of its own, not as part of a longer one.
fn names(line: &str, name: &str) -> bool {
    line.match_indices(name).any(|(at, _)| {
        let word = |c: char| c.is_alphanumeric() || c == '_';
        let before = line[..at].chars().next_back().is_some_and(word);
        let after = line[at + name.len()..].chars().next().is_some_and(word);
        !before && !after
    })
}

/// `folders` may not name any of `forbidden`.
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
    // In the page the trace takes the time from the browser's clock: one imported function, and nothing else of the web.
    check(&["trace"], &EXECUTORS);
    check(&["trace"], &PYTHON);
    check(&["trace"], &["web_sys", "js_sys", "leptos", "crate::app"]);
}

#[test]
fn hardware_knows_no_operators_no_python_and_no_page() {
    check(&["executor"], &["crate::ops", "crate::autograd", "crate::tensor"]);
    // The CUDA executor lays its blocks in segments by the planner's rules; the others plan nothing.
    check(&["executor/cpu", "executor/webgpu", "executor/kernel", "executor/mod"], &["crate::memory"]);
    check(&["executor"], &PYTHON);
    check(&["executor"], &["leptos", "crate::app"]);
}

#[test]
fn python_allocates_nothing_and_computes_nothing() {
    check(&["python"], &EXECUTORS);
    check(&["python"], &["executor::Buffer", "executor::Executor", "Storage::new", "memory::Planner", "Planner::new"]);
}

/// Figures are drawn in a worker, where plotters' own measure of texts would ask a window that is not there.
#[test]
fn figures_know_nothing_but_what_they_draw() {
    check(&["figure"], &EXECUTORS);
    check(&["figure"], &PYTHON);
    check(&["figure"], &WEB);
    check(&["figure"], &["crate::ops", "crate::tensor", "crate::engine"]);
    check(&["figure"], &["layout_box", "box_size", "MultiLineText", "configure_series_labels", "estimate_dimension"]);
}

#[test]
fn the_page_sees_only_messages() {
    check(&["app"], &["crate::ops", "crate::autograd", "crate::executor", "crate::memory", "crate::storage"]);
    check(&["app"], &["crate::tensor", "crate::engine", "crate::python"]);
}

/// JavaScript calls the engine only through the exports of `bin/worker`, which may suspend; it is handed no closure of ours.
#[test]
fn no_closure_that_javascript_calls_can_suspend() {
    let parts = ["bin", "executor", "python", "engine", "storage", "tensor", "ops", "autograd", "trace", "print"];
    check(&parts, &["Closure", "ScopedClosure", "closure::IntoWasmClosure"]);
    check(&["app"], &["jspi_block_on_promise"]);
    let worker: Vec<_> = sources("bin/worker").iter().flat_map(|path| code(path)).collect();
    assert!(worker.iter().any(|(_, line)| line.trim() == "#[wasm_bindgen(jspi)]"), "which export may suspend?");
}

#[test]
fn words_are_found_as_words() {
    assert!(names("use crate::ops::add;", "crate::ops"));
    assert!(!names("use crate::opsx;", "crate::ops"));
    assert!(!names("wgpu_hal::x", "wgpu"));
}
