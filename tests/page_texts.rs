//! Every text of the page comes from the table of texts, so that it exists in every language.

use std::path::Path;

/// Words that are the same in every language, or that no learner reads.
const ALLOWED: &[&str] = &[
    "Control+Enter Meta+Enter",
    "ArrowRight",
    "ArrowLeft",
    "ArrowUp",
    "ArrowDown",
    "Home",
    "End",
    "WebGPU",
    "CPU",
    "HTML",
    "PT{seconds}S",
    "Activity",
    "`cuda:1` is one of the presets",
    // Names that nobody reads: a style class, a browser's own words, a variable of the build.
    "notice bad last-words",
    "call stack",
    "KeyboardInterrupt",
    "Escape",
    "CARGO_PKG_VERSION",
    "Intl",
    "DisplayNames",
    // Paths, and commands.
    "M{to_x:.1} {to_y:.1} l-8 -4 v8 z",
    "M0 0H{WIDTH}M0 {}H{WIDTH}M0 {HEIGHT}H{WIDTH}",
    "tensoryard lesson new my-lesson.mdtensoryard lesson preview my-lesson.mdtensoryard lesson check my-lesson.mdtensoryard lesson pack my-lesson.md --out course",
];

/// String literals in a line, without attributes whose value isn't text.
fn literals(line: &str) -> Vec<(String, String)> {
    let mut out = Vec::new();
    let mut rest = line;
    let mut before = String::new();
    while let Some((head, tail)) = rest.split_once('"') {
        before.push_str(head);
        let mut text = String::new();
        let mut chars = tail.char_indices();
        let mut end = tail.len();
        while let Some((at, c)) = chars.next() {
            match c {
                '\\' => {
                    chars.next();
                }
                '"' => {
                    end = at;
                    break;
                }
                _ => text.push(c),
            }
        }
        out.push((before.trim_end().to_string(), text));
        rest = tail.get(end + 1..).unwrap_or_default();
    }
    out
}

#[test]
fn no_view_of_the_page_holds_a_text_of_its_own() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/app/page");
    let attributes =
        ["class=", "d=", "viewBox=", "style=", "allow=", "sandbox=", "rel=", "preserveAspectRatio=", "accept="];
    let mut found = Vec::new();
    let listed = |folder: &Path| std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()).collect::<Vec<_>>();
    let (folders, mut files): (Vec<_>, Vec<_>) = listed(&folder).into_iter().partition(|path| path.is_dir());
    files.extend(folders.iter().flat_map(|folder| listed(folder)));
    files.sort();
    for path in files {
        for (i, line) in std::fs::read_to_string(&path).unwrap().lines().enumerate() {
            let code = line.trim_start();
            if code.starts_with("//") || code.contains("expect(\"") || code.contains("query_selector(") {
                continue;
            }
            for (before, text) in literals(code) {
                if attributes.iter().any(|a| before.ends_with(a)) || ALLOWED.contains(&text.as_str()) {
                    continue;
                }
                let plain: String = text.split(['{', '}']).step_by(2).collect();
                let letters = plain.chars().filter(|c| c.is_alphabetic()).count();
                let word =
                    plain.chars().next().is_some_and(char::is_uppercase) && letters > 2 && !plain.contains(['=', '/']);
                let sentence =
                    plain.split(' ').filter(|w| w.len() > 2 && w.chars().all(char::is_alphabetic)).count() > 1;
                if word || sentence {
                    found.push(format!("{}:{}: \"{text}\"", path.file_name().unwrap().display(), i + 1));
                }
            }
        }
    }
    assert!(found.is_empty(), "texts outside src/app/texts.rs:\n{}", found.join("\n"));
}
