//! Lessons in a second language: what a translation shares with its original, and what is reported if it doesn't.
#![cfg(feature = "lesson")]

use tensoryard::lesson::translation::{Form, Written, draft, faults};
use tensoryard::lesson::{Lesson, Part, prose};

const ENGLISH: &str = "\
---
format: 1
id: moving-day
title: The day on which everything moves
minutes: 4
machine: cuda:1
---

Here you learn how one tensor gets to another [device](first-steps).

## Move it

A tensor is born on the CPU and stays there.

```predict
question: Where is `x`?
options:
  - text: on the CPU
    correct: true
  - text: on the GPU
because: |
  `RuntimeError: no` is raised, because nothing has moved it away.
```

```python starter
import torch
x = torch.ones(3)
```

```check
- kind: device
  label: \"`x` is on the GPU.\"
  name: x
  device: cuda
- kind: value
  label: It holds ones.
  expr: bool((x == 1).all())
```

```hint
Look at `to`.
```

```hint
`x = x.to(\"cuda\")`
```

```python solution
import torch
x = torch.ones(3).to(\"cuda\")
```

```python must_fail the answer is printed
print(\"cuda:0\")
```

```why
`to` returns a tensor.
```
";

const GERMAN: &str = "\
---
format: 1
id: moving-day
title: Der Tag, an dem alles umzieht
lang: de
minutes: 4
machine: cuda:1
---

Hier lernen Sie, wie ein Tensor auf ein anderes [Gerät](first-steps) kommt.

Ein Absatz mehr schadet nicht.

## Umziehen

Ein Tensor entsteht auf der CPU und bleibt dort.

```predict
question: Wo ist `x`?
options:
  - text: auf der CPU
    correct: true
  - text: auf der GPU
because: |
  `RuntimeError: no`, denn niemand hat ihn bewegt.
```

```python starter
import torch
x = torch.ones(3)
```

```check
- kind: device
  label: \"`x` ist auf der GPU.\"
  name: x
  device: cuda
- kind: value
  label: Er besteht aus Einsen.
  expr: bool((x == 1).all())
```

```hint
Sehen Sie sich `to` an.
```

```hint
`x = x.to(\"cuda\")`
```

```python solution
import torch
x = torch.ones(3).to(\"cuda\")
```

```python must_fail the answer is printed
print(\"cuda:0\")
```

```why
`to` gibt einen Tensor zurück.
```
";

/// The faults of the German lesson with one change, as `line: message`.
fn changed(from: &str, to: &str) -> Vec<String> {
    assert!(GERMAN.contains(from), "the lesson contains {from:?}");
    let text = GERMAN.replacen(from, to, 1);
    let original = Written { file: "x.md", text: ENGLISH };
    let found = faults(original, Written { file: "de/x.md", text: &text }, "de");
    assert!(found.iter().all(|fault| fault.file == "de/x.md"));
    found.iter().map(|fault| format!("{}: {}", fault.line, fault.message)).collect()
}

#[track_caller]
fn refuses(from: &str, to: &str, expected: &str) {
    let found = changed(from, to);
    assert!(found.len() == 1 && found[0].starts_with(expected), "expected {expected:?}, found {found:#?}");
}

#[test]
fn a_translation_with_other_words_has_no_faults() {
    assert_eq!(changed("Umziehen", "Umzug"), Vec::<String>::new());
    assert_eq!(changed(GERMAN, &GERMAN.replace('\n', "\r\n")), Vec::<String>::new());
}

#[test]
fn every_difference_is_told_with_its_line() {
    refuses("minutes: 4", "minutes: 5", "6: `minutes` is not what it is in x.md");
    refuses("id: moving-day", "id: umzug", "3: `id` is not what it is in x.md");
    refuses("machine: cuda:1\n", "machine: cuda:1\nrequires: [a]\n", "8: `requires` is not in x.md");
    refuses("lang: de\n", "", "1: a translation in the folder de says `lang: de`");
    refuses("lang: de\n", "lang: fr\n", "5: a translation in the folder de says `lang: de`");
    refuses(
        "torch.ones(3)\n",
        "torch.ones(4)\n",
        "30: a program is the same in every language; line 27 of x.md differs",
    );
    refuses("print(\"cuda:0\")", "print(\"cuda:1\")", "57: a program is the same in every language");
    refuses(
        "must_fail the answer is printed",
        "must_fail die Antwort wird gedruckt",
        "56: a block ```python must_fail the",
    );
    refuses("```hint\nSehen Sie sich `to` an.\n```\n", "", "48: a block ```hint is expected");
    refuses("```why\n`to` gibt einen Tensor zurück.\n```\n", "", "56: after this, a block ```why of line");
    refuses("Tensor zurück.\n```\n", "Tensor zurück.\n```\n\n## Ende\n", "64: x.md has nothing like this");
    refuses("  device: cuda\n", "  device: cpu\n", "34: this check is not that of line 31 of x.md");
    refuses("(x == 1)", "(x == 2)", "38: this check is not that of line 35 of x.md");
    refuses(
        "CPU\n    correct: true\n  - text: auf der GPU",
        "CPU\n  - text: auf der GPU\n    correct: true",
        "18: the options are not those of line 15 of x.md",
    );
    let found = changed("`RuntimeError: no`", "`RuntimeError: nein`");
    assert!(found.len() == 2 && found[0].starts_with("14: this step quotes\n    RuntimeError: nein"), "{found:#?}");
    assert!(found[1].starts_with("14: this step does not quote\n    RuntimeError: no\n"), "{found:#?}");
    let found = changed("](first-steps)", "](letzte-schritte)");
    let expected =
        ["1: the link to 'first-steps' in line 9 of x.md is missing", "10: x.md has no link to 'letzte-schritte'"];
    assert_eq!(found, expected);
    refuses("Ein Absatz mehr schadet nicht.", "TODO: ein Absatz", "12: still to be written");
}

#[test]
fn what_was_left_in_english_is_told() {
    let english = "Here you learn how one tensor gets to another [device](first-steps).";
    let german = "Hier lernen Sie, wie ein Tensor auf ein anderes [Gerät](first-steps) kommt.";
    refuses(german, english, "10: not translated: Here you learn");
    refuses("Der Tag, an dem alles umzieht", "The day on which everything moves", "4: not translated: title:");
}

#[test]
fn a_lesson_in_other_words_keeps_its_steps_programs_and_checks() {
    let original = Lesson::parse(ENGLISH, "x.md").unwrap();
    let words = Lesson::parse(GERMAN, "de/x.md").unwrap();
    let lesson = original.in_words_of(&words).unwrap();
    assert_eq!((lesson.id.as_str(), lesson.title.as_str()), ("moving-day", "Der Tag, an dem alles umzieht"));
    let (step, of) = (&lesson.steps[0], &original.steps[0]);
    // Progress and programs are stored under these ids.
    assert_eq!(step.id, of.id);
    assert_eq!(prose::plain(&step.title), "Umziehen");
    assert!(matches!(&step.parts[1], Part::Predict(q) if prose::plain(&q.options[1].text) == "auf der GPU"));
    let (exercise, of) = (step.exercise.as_ref().unwrap(), of.exercise.as_ref().unwrap());
    assert_eq!(exercise.starter, of.starter);
    assert_eq!(exercise.checks[1].label(), "Er besteht aus Einsen.");
    assert_eq!(exercise.checks[1].labeled(of.checks[1].label()), of.checks[1]);

    let other = Lesson::parse(&GERMAN.replacen("## Umziehen", "## Noch einer\n\n## Umziehen", 1), "de/x.md").unwrap();
    assert!(original.in_words_of(&other).unwrap_err().contains("other steps"));
}

/// `tensoryard lesson check` with a folder of translations.
#[cfg(feature = "cli")]
#[test]
fn lesson_check_reads_translations_and_runs_nothing_twice() {
    use std::path::Path;
    use std::process::Command;

    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("translations");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(folder.join("de")).unwrap();
    let english = ENGLISH.replace("](first-steps)", "](moving-day)").replace("RuntimeError: no", "no error");
    let german = GERMAN.replace("](first-steps)", "](moving-day)").replace("RuntimeError: no", "kein Fehler");
    let (original, translation) = (folder.join("01-moving-day.md"), folder.join("de/01-moving-day.md"));
    std::fs::write(&original, &english).unwrap();
    std::fs::write(&translation, &german).unwrap();
    let check = |path: &Path| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tensoryard"));
        let output = command.args(["lesson", "check", "--executor", "cpu"]).arg(path).output().unwrap();
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        (output.status.code(), text(&output.stdout), text(&output.stderr))
    };
    for path in [&folder, &original] {
        let (code, out, err) = check(path);
        assert_eq!(code, Some(0), "{out}{err}");
        assert_eq!(out, "1 lessons run on cpu, 1 translations read: no faults\n");
        assert_eq!(err.matches("running on cpu").count(), 1, "{err}");
    }
    // A translation alone is checked against its original, and nothing runs.
    std::fs::write(&translation, german.replace("device: cuda\n", "device: cpu\n")).unwrap();
    let (code, out, err) = check(&translation);
    assert_eq!((code, err.as_str()), (Some(1), ""), "{out}");
    assert!(out.starts_with(&format!("{}:34: this check is not that of line 31", translation.display())), "{out}");
    // A translation without an original.
    std::fs::rename(&translation, folder.join("de/02-other.md")).unwrap();
    let (code, _, err) = check(&folder);
    assert!(code == Some(2) && err.contains("02-other.md that it translates"), "{err}");
}

/// The page has these languages, so its lessons must have them.
#[test]
fn no_lesson_lacks_a_language_of_the_page() {
    use tensoryard::app::texts::{LANGUAGES, Language};

    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("lessons");
    let read = |path: &std::path::Path| std::fs::read_to_string(path).ok();
    let mut found = Vec::new();
    let mut count = 0;
    for entry in std::fs::read_dir(&folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_string();
        if !name.ends_with(".md") {
            continue;
        }
        count += 1;
        let original = read(&path).unwrap();
        for language in LANGUAGES.into_iter().filter(|language| *language != Language::English) {
            let file = format!("lessons/{}/{name}", language.code());
            match read(&folder.join(language.code()).join(&name)) {
                None => found.push(format!("{file} is missing")),
                Some(text) => {
                    let original = Written { file: &name, text: &original };
                    let translation = Written { file: &file, text: &text };
                    found.extend(faults(original, translation, language.code()).iter().map(ToString::to_string));
                }
            }
        }
    }
    assert!(count >= 20, "{count} lessons");
    found.sort();
    assert!(found.is_empty(), "{}", found.join("\n"));
}

/// The German course wasn't begun by this tool. Brought up to date with its originals, which haven't changed, it must stay as it
/// is. Empty lines may
/// be added where the original has them.
#[test]
fn a_translation_that_is_up_to_date_stays_as_it_is() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("lessons");
    let mut lessons = 0;
    for entry in std::fs::read_dir(folder.join("de")).unwrap() {
        let path = entry.unwrap().path();
        let form = match path.extension().and_then(|extension| extension.to_str()) {
            Some("md") => Form::Lesson,
            Some("yaml") => Form::Glossary,
            _ => continue,
        };
        let original = std::fs::read_to_string(folder.join(path.file_name().unwrap())).unwrap();
        let german = std::fs::read_to_string(&path).unwrap();
        let again = draft(&original, Some(&german), "de", form);
        let lines = |text: &str| -> Vec<String> {
            text.lines().filter(|line| !line.trim().is_empty()).map(str::to_string).collect()
        };
        assert!(
            lines(&again.text) == lines(&german),
            "{}",
            difference(&german, &again.text, &path.display().to_string())
        );
        assert_eq!((again.added, again.removed), (0, vec![]), "{}", path.display());
        let long: Vec<_> = again.left.iter().filter(|left| !left.short).collect();
        assert!(long.len() <= 2, "{}: {long:?}", path.display());
        // And a translation that nobody has begun is all there is to do.
        let begun = draft(&original, None, "es", form);
        assert_eq!(begun.left.len(), begun.texts);
        assert!(begun.texts >= 10, "{}", path.display());
        if form == Form::Lesson {
            assert!(Lesson::parse(&begun.text, "es").is_ok_and(|lesson| lesson.lang.as_deref() == Some("es")));
        }
        lessons += 1;
    }
    assert!(lessons > 30);
}

/// The first line that differs.
fn difference(before: &str, after: &str, file: &str) -> String {
    let same = before.lines().zip(after.lines()).take_while(|(a, b)| a == b).count();
    let line = |text: &str| text.lines().nth(same).unwrap_or_default().to_string();
    format!("{file}:{}: {:?} became {:?}", same + 1, line(before), line(after))
}
