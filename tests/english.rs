//! Comments, documents, and what the page and its cards say don't sound translated. Lessons are reviewed by `tensoryard
//! lesson check` with the same patterns.

use std::path::{Path, PathBuf};

use tensoryard::lesson::english::{Found, patterns};

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// What isn't our own English: lessons have their own check, and programs that are only data for a test imitate learners.
const ELSEWHERE: [&str; 9] =
    ["dist", "dist-next", "lessons", "mistakes", "correct", "node_modules", "recorded", "target", "vendor"];

fn files(folder: &Path, out: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if path.is_file() {
            out.push(path);
        } else if path.is_dir() && !name.starts_with('.') && !ELSEWHERE.contains(&&*name) {
            files(&path, out);
        }
    }
}

/// The lines of a file that people read, with their numbers: comments of code, Markdown outside code blocks.
fn prose(path: &Path, text: &str) -> Vec<(u32, String)> {
    let numbered = || (1..).zip(text.lines());
    let kept = |(number, line): (u32, Option<&str>)| line.map(|line| (number, line.to_string()));
    match path.extension().and_then(|e| e.to_str()).unwrap_or_default() {
        "rs" | "wgsl" | "cu" | "h" | "js" | "mjs" => numbered()
            .filter_map(|(number, line)| {
                let line = line.trim_start().strip_prefix("//").map(|line| line.trim_start_matches(['/', '!']));
                kept((number, line))
            })
            .collect(),
        "py" => {
            let mut documented = false;
            numbered()
                .filter_map(|(number, line)| {
                    let line = line.trim_start();
                    let quotes = line.matches("\"\"\"").count();
                    let inside = documented || line.starts_with("\"\"\"");
                    documented ^= inside && quotes % 2 == 1;
                    kept((number, if inside { Some(line) } else { line.strip_prefix('#') }))
                })
                .collect()
        }
        "md" => {
            let mut code = false;
            numbered()
                .filter_map(|(number, line)| {
                    let fence = line.trim_start().starts_with("```");
                    code ^= fence;
                    kept((number, (!code && !fence).then_some(line)))
                })
                .collect()
        }
        _ => Vec::new(),
    }
}

fn said(place: &str, found: Vec<Found>) -> impl Iterator<Item = String> {
    found
        .into_iter()
        .map(move |f| format!("{place}:{}: \u{201c}{}\u{201d} sounds translated: {}", f.line, f.words, f.instead))
}

#[test]
fn comments_and_documents_do_not_sound_translated() {
    let mut all = Vec::new();
    for folder in ["benches", "docs", "shaders", "src", "tests", "www"] {
        files(&Path::new(ROOT).join(folder), &mut all);
    }
    all.extend(std::fs::read_dir(ROOT).unwrap().map(|entry| entry.unwrap().path()).filter(|path| path.is_file()));
    let (mut lines, mut found) = (0, Vec::new());
    for path in all {
        let Ok(text) = std::fs::read_to_string(&path) else { continue };
        let prose = prose(&path, &text);
        lines += prose.len();
        let place = path.strip_prefix(ROOT).unwrap().display().to_string();
        found.extend(said(&place, patterns(prose.iter().map(|(number, line)| (*number, line.as_str())))));
    }
    println!("{lines} lines");
    assert!(lines > 10_000, "only {lines} lines were found to read");
    assert!(found.is_empty(), "{}", found.join("\n"));
}

/// The list for translators has every string of the page and of its cards, each in English first.
#[test]
fn the_page_and_its_cards_do_not_sound_translated() {
    let list = "lessons/es/page.yaml";
    let text = std::fs::read_to_string(Path::new(ROOT).join(list)).unwrap();
    let strings: Vec<(u32, &str)> =
        (1..).zip(text.lines()).filter_map(|(number, line)| Some((number, line.strip_prefix("- en: ")?))).collect();
    assert!(strings.len() > 500, "{list} has {} strings", strings.len());
    // Each string by itself, because what follows in the list isn't the same text.
    let found: Vec<String> = strings.into_iter().flat_map(|line| said(list, patterns([line]))).collect();
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn comments_are_found() {
    let code = "//! One.\nlet x = 1; // not at the start\n    /// Two.";
    assert_eq!(prose(Path::new("a.rs"), code), [(1, " One.".to_string()), (3, " Two.".to_string())]);
    let python = "\"\"\"One.\nTwo.\"\"\"\nx = 1\n# Three.\ny = \"\"\"not\nprose\"\"\"";
    let lines: Vec<u32> = prose(Path::new("a.py"), python).into_iter().map(|(number, _)| number).collect();
    assert_eq!(lines, [1, 2, 4]);
}
