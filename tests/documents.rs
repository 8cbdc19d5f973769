//! Every link in the documents works, and ARCHITECTURE names no file that doesn't exist.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// The Markdown files for contributors; lessons have their own check.
fn documents() -> Vec<PathBuf> {
    // These folders hold lessons, whose links are of another kind.
    fn walk(folder: &Path, out: &mut Vec<PathBuf>) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            if path.is_dir()
                && !matches!(
                    &*name,
                    "node_modules" | "target" | "dist" | "dist-next" | "vendor" | "format2" | "lessons"
                )
            {
                walk(&path, out);
            } else if name.ends_with(".md") {
                out.push(path);
            }
        }
    }
    let mut out = Vec::new();
    for folder in ["docs", "tests", "benches"] {
        walk(&Path::new(ROOT).join(folder), &mut out);
    }
    for entry in std::fs::read_dir(ROOT).unwrap() {
        out.extend(Some(entry.unwrap().path()).filter(|path| path.extension().is_some_and(|e| e == "md")));
    }
    out.sort();
    out
}

/// The lines of a document outside code blocks.
fn prose(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut code = false;
    text.lines().enumerate().map(|(i, line)| (i + 1, line)).filter(move |(_, line)| {
        let fence = line.trim_start().starts_with("```");
        code ^= fence;
        !code && !fence
    })
}

/// The destinations of the links in a line. Code that looks like a link doesn't count.
fn links(line: &str) -> Vec<String> {
    let line: String = line.split('`').step_by(2).collect();
    line.split("](").skip(1).filter_map(|rest| Some(rest.split_once(')')?.0.to_string())).collect()
}

/// A heading's anchor, as GitHub makes it.
fn anchor(heading: &str) -> String {
    let kept = heading.trim().chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c));
    kept.map(|c| if c == ' ' { '-' } else { c.to_ascii_lowercase() }).collect()
}

fn anchors(text: &str) -> Vec<String> {
    let headings = prose(text).filter(|(_, line)| line.starts_with('#'));
    headings.map(|(_, line)| anchor(line.trim_start_matches('#'))).collect()
}

#[test]
fn every_link_leads_somewhere() {
    let (mut checked, mut found) = (0, Vec::new());
    for document in documents() {
        let text = std::fs::read_to_string(&document).unwrap();
        for (number, line) in prose(&text) {
            for link in links(line) {
                if link.starts_with("https://") {
                    continue;
                }
                checked += 1;
                let (path, place) =
                    link.split_once('#').map_or((link.as_str(), None), |(path, place)| (path, Some(place)));
                let target = if path.is_empty() { document.clone() } else { document.parent().unwrap().join(path) };
                let there = match place {
                    None => target.exists(),
                    Some(place) => {
                        std::fs::read_to_string(&target).is_ok_and(|text| anchors(&text).iter().any(|a| a == place))
                    }
                };
                if !there {
                    found.push(format!("{}:{number}: {link}", document.display()));
                }
            }
        }
    }
    assert!(found.is_empty(), "these links lead nowhere:\n{}", found.join("\n"));
    assert!(checked > 50, "only {checked} links were found");
}

/// A row of the code map names one file or folder, and others relative to it: `src/executor/cpu/ webgpu/`.
#[test]
fn every_file_of_the_code_map_is_there() {
    let text = std::fs::read_to_string(Path::new(ROOT).join("ARCHITECTURE.md")).unwrap();
    let map = text.split("## Code map").nth(1).and_then(|rest| rest.split("\n## ").next()).expect("the code map");
    let (mut checked, mut found) = (0, Vec::new());
    for cell in map.lines().filter_map(|line| line.strip_prefix("| `")?.split('`').next()) {
        let names: Vec<&str> = cell.split(' ').collect();
        let beside = Path::new(names[0]).parent().unwrap_or(Path::new(""));
        for name in &names {
            checked += 1;
            if ![Path::new(""), beside].iter().any(|folder| Path::new(ROOT).join(folder).join(name).exists()) {
                found.push(*name);
            }
        }
    }
    assert!(found.is_empty(), "the code map names what is not there: {found:?}");
    assert!(checked > 40, "only {checked} places were found");
}

/// The form of a source file's name in running text: `src/…`, `tests/…`.
#[test]
fn every_source_file_that_a_document_names_is_there() {
    let (mut checked, mut found) = (0, Vec::new());
    for document in documents() {
        if document.ends_with("CHANGELOG.md") {
            continue;
        }
        let text = std::fs::read_to_string(&document).unwrap();
        for (number, line) in prose(&text) {
            for name in line.split('`').skip(1).step_by(2) {
                let plain = name.chars().all(|c| c.is_alphanumeric() || "/._-".contains(c));
                let ours = ["src/", "tests/", "www/", "shaders/", "benches/", "docs/", ".ci/"]
                    .iter()
                    .any(|f| name.starts_with(f));
                if plain && ours {
                    checked += 1;
                    if !Path::new(ROOT).join(name).exists() {
                        found.push(format!("{}:{number}: {name}", document.display()));
                    }
                }
            }
        }
    }
    assert!(found.is_empty(), "these files are not there:\n{}", found.join("\n"));
    assert!(checked > 40, "only {checked} names were found");
}

/// A link whose text is code, such as ``[`Engine::resolve`](src/engine.rs)``, leads to the file that contains it or that it
/// names.
#[test]
fn every_name_that_is_linked_is_in_its_file() {
    let (mut checked, mut found) = (0, Vec::new());
    for document in documents() {
        let text = std::fs::read_to_string(&document).unwrap();
        for (number, line) in prose(&text) {
            for piece in line.split("[`").skip(1) {
                let Some((name, rest)) = piece.split_once("`](") else { continue };
                let Some(path) = rest.split(')').next().filter(|path| path.ends_with(".rs")) else { continue };
                let name = name.rsplit("::").next().unwrap_or(name);
                let source = std::fs::read_to_string(document.parent().unwrap().join(path)).unwrap_or_default();
                let kinds = ["fn", "struct", "enum", "trait"];
                let made = |line: &str| kinds.iter().any(|kind| line.contains(&format!("{kind} {name}")));
                let in_enum = |line: &str| line.trim().starts_with(&format!("{name} {{"));
                let is_file = path.ends_with(&format!("/{name}/mod.rs")) || path.ends_with(&format!("/{name}"));
                checked += 1;
                if !is_file && !source.lines().any(|line| made(line) || in_enum(line)) {
                    found.push(format!("{}:{number}: {name} in {path}", document.display()));
                }
            }
        }
    }
    assert!(found.is_empty(), "these names are elsewhere:\n{}", found.join("\n"));
    assert!(checked > 10, "only {checked} names were found");
}

/// A comment gives the reason itself, because readers have no list of numbered issues.
#[test]
fn no_comment_points_to_a_numbered_issue() {
    fn walk(folder: &Path, found: &mut Vec<String>) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            if path.is_dir() && !matches!(&*name, "node_modules" | "vendor") {
                walk(&path, found);
            } else if [".rs", ".py", ".js", ".mjs", ".css", ".cu", ".wgsl", ".cpp"].iter().any(|e| name.ends_with(e)) {
                let text = std::fs::read_to_string(&path).unwrap().to_ascii_lowercase();
                let number = |line: &str| {
                    line.split("issue ").skip(1).any(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
                };
                let lines = text.lines().enumerate().filter(|(_, line)| number(line));
                found.extend(lines.map(|(i, line)| format!("{}:{}: {}", path.display(), i + 1, line.trim())));
            }
        }
    }
    let mut found = Vec::new();
    for folder in ["src", "tests", "www", "shaders", "benches"] {
        walk(&Path::new(ROOT).join(folder), &mut found);
    }
    assert!(found.is_empty(), "say the reason instead:\n{}", found.join("\n"));
}

/// Teachers find a section of notes for every lesson, under its title and id, and no section for a lesson that's gone: in
/// English, and in each language that has notes, with the same programs.
#[test]
fn every_lesson_has_notes_for_teachers() {
    fn texts(folder: &str, begin: &str) -> Vec<String> {
        let paths = std::fs::read_dir(Path::new(ROOT).join(folder)).unwrap().map(|entry| entry.unwrap().path());
        let named = |path: &PathBuf| {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            name.starts_with(begin) && name.ends_with(".md")
        };
        paths.filter(named).map(|path| std::fs::read_to_string(path).unwrap()).collect()
    }
    /// The sections of notes, by the ids in their headings.
    fn sections(notes: &[String]) -> BTreeMap<String, String> {
        let all = notes.iter().flat_map(|text| text.split("\n## ").skip(1));
        let id = |section: &str| section.lines().next()?.split('`').nth(1).map(str::to_string);
        all.filter_map(|section| Some((id(section)?, section.to_string()))).collect()
    }
    let programs = |section: &str| section.split("\n```").skip(1).step_by(2).map(str::to_string).collect::<Vec<_>>();
    let english = sections(&texts("docs/teaching", "part-"));
    let mut found = Vec::new();
    for (language, leads) in [
        ("", ["Aim", "Misconception", "Five-minute demo", "Discuss", "Exam"]),
        ("de", ["Ziel", "Irrtum", "Vorführung in fünf Minuten", "Diskussion", "Prüfungsfrage"]),
        ("es", ["Objetivo", "Idea equivocada", "Demostración de cinco minutos", "Debate", "Pregunta de examen"]),
    ] {
        let notes = sections(&texts(&format!("docs/teaching/{language}"), "part-"));
        let lessons = texts(&format!("lessons/{language}"), "");
        for lesson in &lessons {
            let value = |key: &str| {
                lesson.lines().find_map(|line| line.strip_prefix(key)).unwrap_or_default().trim_matches('"')
            };
            let heading = format!("{} (`{}`)", value("title: "), value("id: "));
            let section = notes.get(value("id: ")).filter(|of| of.lines().next() == Some(heading.as_str()));
            let Some(section) = section else {
                found.push(format!("{language} no section: {heading}"));
                continue;
            };
            for lead in leads {
                if !section.contains(&format!("\n**{lead}**: ")) {
                    found.push(format!("{language} {heading}: no **{lead}**"));
                }
            }
            if english.get(value("id: ")).is_none_or(|of| programs(of) != programs(section)) {
                found.push(format!("{language} {heading}: other programs than in English"));
            }
        }
        assert_eq!(notes.len(), lessons.len(), "docs/teaching/{language} has sections without a lesson");
        assert!(lessons.len() > 30, "only {} lessons were found in {language:?}", lessons.len());
    }
    assert!(found.is_empty(), "the notes in docs/teaching lack:\n{}", found.join("\n"));
}

#[test]
fn headings_are_called_as_on_the_web() {
    assert_eq!(anchor(" Where to read on"), "where-to-read-on");
    assert_eq!(
        anchor(" Netlify, Cloudflare Pages, and others that read `_headers`"),
        "netlify-cloudflare-pages-and-others-that-read-_headers"
    );
    assert_eq!(links("[`a`](b.md), `[x](y)` and [c](https://d)"), ["b.md", "https://d"]);
}
