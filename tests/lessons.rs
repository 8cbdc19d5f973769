//! The lesson format: what it accepts, and what it refuses, with the line.
#![cfg(feature = "lesson")]

use tensoryard::lesson::prose::{Block, Inline, Target};
use tensoryard::lesson::{Check, Lesson, Part};

/// A small, complete lesson.
const GOOD: &str = "\
---
format: 1
id: moving-day
title: Moving day
minutes: 4
machine: {preset: cuda:2, memory_mib: [64, 32]}
requires: [first-steps]
---

Text with `code`, *stress* and a [lesson](first-steps).

## Move it

A tensor is born on the [CPU](https://docs.pytorch.org/docs/stable/tensors.html).

- one
- two `x`
  - inner

```predict
question: Where is `x`?
options:
  - text: on `cpu`
    correct: true
  - text: on `cuda:0`
because: |
  Nothing moved it.
```

```python starter
import torch
x = torch.ones(3)
```

```check
- kind: device
  label: \"`x` is on the GPU\"
  name: x
  device: cuda
- {kind: value, label: \"it holds ones\", expr: \"bool((x == 1).all())\"}
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

## Afterwards

Done.
";

/// Parses a lesson. Returns the faults as `line: message`.
#[track_caller]
fn faults(text: &str) -> Vec<String> {
    let found = Lesson::parse(text, "x.md").expect_err("the lesson has a fault");
    assert!(found.iter().all(|fault| fault.file == "x.md"));
    found.iter().map(|fault| format!("{}: {}", fault.line, fault.message)).collect()
}

/// The good lesson with one change has these faults, or faults that begin like this.
#[track_caller]
fn refuses(from: &str, to: &str, expected: &[&str]) {
    assert!(GOOD.contains(from), "the lesson contains {from:?}");
    let found = faults(&GOOD.replacen(from, to, 1));
    assert_eq!(found.len(), expected.len(), "{found:#?}");
    for (found, expected) in found.iter().zip(expected) {
        assert!(found.starts_with(expected), "{found:?} should begin with {expected:?}");
    }
}

#[test]
fn a_whole_lesson() {
    let lesson = Lesson::parse(GOOD, "x.md").unwrap();
    assert_eq!((lesson.id.as_str(), lesson.minutes, lesson.steps.len()), ("moving-day", 4, 2));
    assert_eq!(lesson.machine.devices.iter().map(|d| d.memory_mib).collect::<Vec<_>>(), [64, 32]);
    assert_eq!(lesson.links, [("first-steps".to_string(), 10)]);
    assert_eq!(lesson.review(GOOD, "x.md"), []);

    let step = &lesson.steps[0];
    assert_eq!((step.id.as_str(), step.line), ("move-it", 12));
    let [Part::Text(text), Part::Predict(predict)] = &step.parts[..] else { panic!("{:?}", step.parts) };
    let Block::Paragraph(inlines) = &text[0] else { panic!("{text:?}") };
    assert!(matches!(&inlines[1], Inline::Link(Target::Web(url), _) if url.starts_with("https://docs.pytorch.org")));
    let word = |w: &str| Block::Paragraph(vec![Inline::Text(w.into())]);
    let two = vec![
        Block::Paragraph(vec![Inline::Text("two ".into()), Inline::Code("x".into())]),
        Block::List(None, vec![vec![word("inner")]]),
    ];
    assert_eq!(text[1], Block::List(None, vec![vec![word("one")], two]));
    assert_eq!(predict.options.iter().map(|option| option.correct).collect::<Vec<_>>(), [true, false]);

    let exercise = step.exercise.as_ref().unwrap();
    assert_eq!(exercise.starter.code, "import torch\nx = torch.ones(3)\n");
    assert_eq!((exercise.must_fail[0].line, exercise.must_fail[0].label.as_str()), (56, "the answer is printed"));
    assert_eq!(exercise.check_lines, [36, 40]);
    assert!(matches!(&exercise.checks[0], Check::Device { name, .. } if name == "x"));
    assert_eq!(exercise.hints.len(), 2);
    assert!(lesson.steps[1].exercise.is_none());

    let json = serde_json::to_string(&lesson).unwrap();
    assert_eq!(serde_json::from_str::<Lesson>(&json).unwrap(), lesson);
}

#[test]
fn windows_line_ends_change_nothing() {
    assert_eq!(Lesson::parse(&GOOD.replace('\n', "\r\n"), "x.md"), Lesson::parse(GOOD, "x.md"));
}

#[test]
fn broken_fences() {
    // The last fence of the file, never closed.
    let at = GOOD.rfind("```").unwrap();
    assert_eq!(faults(&GOOD[..at]), ["60: this fence is not closed by a line of `````"]);
    // A fence in the middle, which continues to the end of the next block.
    refuses(
        "x = torch.ones(3)\n```\n",
        "x = torch.ones(3)\n",
        &[
            "12: this step has an exercise without a python starter block",
            "12: ",
            "30: this fence is not closed before the next one opens in line 34",
        ],
    );
}

#[test]
fn unknown_roles() {
    refuses(
        "```python starter",
        "```python starrter",
        &["12: this step", "30: unknown role 'starrter' of a python block"],
    );
    refuses("```check", "```chekc", &["12: this step", "35: unknown role 'chekc'"]);
}

#[test]
fn raw_html_and_links() {
    refuses("Done.", "<script>alert(1)</script>", &["66: raw HTML"]);
    refuses("Done.", "a <b>bold</b> word", &["66: raw HTML", "66: raw HTML"]);
    refuses("Done.", "<!-- a comment -->", &["66: raw HTML"]);
    refuses("Done.", "Go [here](javascript:alert(1)).", &["66: the link 'javascript:alert(1)' leads neither"]);
    refuses("Done.", "Go [here](JAVASCRIPT:alert&#40;1&#41;).", &["66: the link"]);
    refuses("Done.", "Go [here](data:text/html,x).", &["66: the link"]);
    refuses("Done.", "<javascript:alert(1)>", &["66: the link"]);
    refuses("Done.", "![x](https://example.org/x.png)", &["66: a lesson holds no images"]);
    // Also inside other blocks: a hint is reported with its own line, a YAML string with its block's.
    refuses("Look at `to`.", "Look at\n<i>to</i>.", &["45: raw HTML", "45: raw HTML"]);
    refuses("Nothing moved it.", "<i>Nothing</i> moved it.", &["20: raw HTML", "20: raw HTML"]);
    refuses("Where is `x`?", "'[x](javascript:void)'", &["20: the link"]);
}

#[test]
fn other_versions() {
    refuses(
        "format: 1",
        "format: 3\nsound: on",
        &["2: this lesson is of format 3; this Tensoryard reads formats 1 to 2"],
    );
    refuses("format: 1", "format: 1.5", &["2: this lesson is of format 1.5"]);
    // There was no version before 1.
    refuses("format: 1", "format: 0", &["2: there is no format before 1, so there is nothing to convert"]);
    refuses("format: 1\n", "", &["1: the front matter does not say `format: 2`"]);
}

#[test]
fn front_matter() {
    refuses("minutes: 4", "minutes: many", &["5: the front matter: minutes: invalid type"]);
    refuses("minutes: 4", "minute: 4", &["5: the front matter: unknown field `minute`"]);
    refuses("title: Moving day", "title: Moving day\nid: again", &["2: the front matter: duplicate entry"]);
    refuses("id: moving-day", "id: Moving Day", &["3: the id 'Moving Day' is not lower-case"]);
    refuses("[first-steps]", "[moving-day]", &["7: the lesson requires itself"]);
    refuses("cuda:2, memory_mib: [64, 32]", "tpu", &["6: unknown machine 'tpu'"]);
    refuses("[64, 32]", "[64]", &["6: machine: 1 capacities for 2 devices"]);
    refuses("[64, 32]", "0", &["6: machine file in the front matter: devices[0].memory_mib is 0"]);
    refuses("memory_mib: [64, 32]", "memory: 3", &["6: machine: unknown field `memory`"]);
    for bad in ["https://a.example/", "https://A.example", "//a", "https://a:443", "https://a b", "https://*.a", "null"]
    {
        refuses("minutes: 4", &format!("minutes: 4\norigins: ['{bad}']"), &[&format!("6: '{bad}' is not an origin")]);
    }
    let open = GOOD.replacen("minutes: 4", "minutes: 4\norigins: [https://a.example, 'http://localhost:8080']", 1);
    assert_eq!(Lesson::parse(&open, "x.md").unwrap().origins, ["https://a.example", "http://localhost:8080"]);
    assert_eq!(faults("# Hello\n").len(), 1);
    assert_eq!(faults("---\nformat: 1\n"), ["1: the front matter is not closed by a line of `---`"]);
}

#[test]
fn blocks_in_yaml() {
    refuses("  name: x\n", "  nam: x\n", &["36: this check: "]);
    refuses("kind: device", "kind: devise", &["36: this check: unknown variant `devise`"]);
    refuses("device: cuda\n", "device: gpu\n", &["36: 'gpu' is no device"]);
    refuses("{kind: value", "{kind: value, extra: 1", &["40: this check: unknown field `extra`"]);
    refuses("  name: x\n", "  name: [x\n", &["39: the checks: did not find expected ',' or ']', while parsing"]);
    refuses("    correct: true\n", "", &["20: exactly one option"]);
    refuses("because: |", "becauze: |", &["26: the question: unknown field `becauze`"]);
    refuses("Look at `to`.\n", "\n", &["43: a hint without text"]);
}

#[test]
fn structure() {
    refuses("## Afterwards", "## Move it", &["64: two steps have the id 'move-it'; the other is in line 12"]);
    refuses("## Afterwards", "# Afterwards", &["64: the title stands in the front matter"]);
    refuses("```python solution", "```python", &["12: this step has an exercise without a python solution block"]);
    refuses(
        "```python must_fail the",
        "```python starter the",
        &["56: a second starter in one step; the first is in line 30"],
    );
    let deep = format!("{} x", ">".repeat(40));
    refuses("Done.", &deep, &["66: text is nested too deeply"]);
    // YAML can be nested without limit, and a page must not freeze because of it.
    let nested = "[".repeat(60_000);
    let front = faults(&GOOD.replacen("minutes:", &format!("requires: {nested}\nminutes:"), 1));
    assert!(front.len() == 1 && front[0].contains("bytes of YAML; at most 16384"), "{front:?}");
    for block in ["check", "predict"] {
        let text = GOOD.replacen(&format!("```{block}\n"), &format!("```{block}\n{nested}\n"), 1);
        assert!(faults(&text).iter().any(|fault| fault.contains("bytes of YAML; at most 16384")), "{block}");
    }
    assert!(faults("---\nformat: 1\nid: a\ntitle: A\nminutes: 1\nmachine: cpu\n---\n\nText.\n")[0].contains("no step"));
}

#[test]
fn what_a_lesson_needs() {
    let review = |from: &str, to: &str| -> Vec<String> {
        let text = GOOD.replacen(from, to, 1);
        let lesson = Lesson::parse(&text, "x.md").unwrap();
        lesson.review(&text, "x.md").iter().map(ToString::to_string).collect()
    };
    let one = |from: &str, to: &str, expected: &str| {
        let found = review(from, to);
        assert!(found.len() == 1 && found[0].starts_with(expected), "{found:?}");
    };
    one("```hint\nLook at `to`.\n```\n", "", "x.md:12: an exercise has 2 hints or more, not 1");
    one("```why\n`to` returns a tensor.\n```\n", "", "x.md:12: this exercise does not say why");
    one(
        "```python must_fail the answer is printed\nprint(\"cuda:0\")\n```\n",
        "",
        "x.md:12: this exercise has no must_fail",
    );
    one("```predict", "```quiz", "x.md:1: no exercise has a prediction before it");
    one("minutes: 4", "minutes: 90", "x.md:5: 90 minutes; the text takes 1 and there are 1 exercises, so 2 to 21");
    one("Done.", "TODO: an end", "x.md:66: still to be written: TODO: an end");
    let checks = &GOOD[GOOD.find("- kind: device").unwrap()..GOOD.find("```\n\n```hint").unwrap()];
    one(checks, "- {kind: output, label: it prints, contains: cuda}\n", "x.md:36: these checks look at text alone");
}

/// `tensoryard lesson check`, run as users run it.
#[cfg(feature = "cli")]
mod command {
    use std::path::{Path, PathBuf};
    use std::process::Command;

    const LESSONS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/lessons");

    /// Exit code, standard output, standard error.
    fn tensoryard(arguments: &[&str]) -> (i32, String, String) {
        let output = Command::new(env!("CARGO_BIN_EXE_tensoryard")).args(arguments).output().unwrap();
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        (output.status.code().unwrap_or(-1), text(&output.stdout), text(&output.stderr))
    }

    /// An empty folder for one test.
    fn folder(name: &str) -> PathBuf {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).unwrap();
        folder
    }

    /// Two of them in parallel; `./test` runs them all. A graphics driver must not outlive a thread that used it.
    #[test]
    fn lessons_run_on_every_executor_that_is_here() {
        let files =
            ["b-1-where-a-tensor-lives.md", "b-3-to-returns-a-new-tensor.md"].map(|name| format!("{LESSONS}/{name}"));
        let (code, out, err) = tensoryard(&["lesson", "check", &files[0], &files[1]]);
        assert_eq!(code, 0, "{out}{err}");
        assert!(out.starts_with("2 lessons run on cpu"), "{out}");
    }

    /// Links, saved progress and other people's pages name lessons by these ids.
    const IDS: [&str; 20] = [
        "where-a-tensor-lives",
        "created-or-copied",
        "to-returns-a-new-tensor",
        "same-device-rule",
        "model-and-data",
        "lists-buffers-attributes",
        "born-in-forward",
        "copies-cost",
        "hidden-copies",
        "pinned-memory",
        "training-loop",
        "leaves-and-gradients",
        "memory-map",
        "checkpoints",
        "device-agnostic-code",
        "two-gpus",
        "seeds-and-generators",
        "device-side-asserts",
        "first-image-classifier",
        "self-assessment",
    ];

    #[test]
    fn lessons_keep_their_ids_and_come_after_what_they_require() {
        let mut files: Vec<_> = std::fs::read_dir(LESSONS).unwrap().map(|entry| entry.unwrap().path()).collect();
        files.retain(|path| path.extension().is_some_and(|extension| extension == "md"));
        files.sort();
        let mut before: Vec<String> = Vec::new();
        for path in files {
            let text = std::fs::read_to_string(&path).unwrap();
            let lesson = super::Lesson::parse(&text, "x.md").unwrap();
            for id in &lesson.requires {
                assert!(before.contains(id), "{} requires {id}, which comes later", lesson.id);
            }
            before.push(lesson.id);
        }
        // The course may grow between them, and their order may change.
        for id in IDS {
            assert!(before.iter().any(|lesson| lesson == id), "the lesson {id} is gone");
        }
    }

    #[test]
    fn every_kind_of_fault_is_found_where_it_is() {
        let folder = folder("lesson-faults");
        let lesson =
            std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/lessons/same-device.md")).unwrap();
        let path = folder.join("x.md");
        // Another one next to it.
        std::fs::copy(Path::new(LESSONS).join("c-5-training-loop.md"), folder.join("y.md")).unwrap();
        for (from, to, fault) in [
            ("cuda:0 and cpu!`", "cpu and cuda:0!`", "this step quotes"),
            (
                "total = prices.to(\"cuda\") * quantities\nprint",
                "total = quantities\nprint",
                "the solution fails this check: `total` holds",
            ),
            (
                "print(\"tensor([ 6.,  5., 32.], device='cuda:0')\")",
                "SOLUTION",
                "the answer is printed passes every check",
            ),
            ("](model-and-data)", "](no-such-lesson)", "there is no lesson 'no-such-lesson'"),
            ("id: same-device-rule", "id: training-loop", "the id 'training-loop' is also that of"),
            ("minutes: 15", "minutes: 2", "2 minutes; the text takes"),
            ("requires: [to-returns-a-new-tensor]", "requires: [nothing]", "there is no lesson 'nothing'"),
        ] {
            let solution = "import torch\n\nprices = torch.tensor([3.0, 5.0, 8.0])\nquantities = torch.tensor([2.0, 1.0, 4.0], \
                            device=\"cuda\")\ntotal = prices.cuda() * quantities";
            let text = lesson.replacen(from, &to.replace("SOLUTION", solution), 1);
            assert_ne!(text, lesson, "{from}");
            std::fs::write(&path, &text).unwrap();
            let mut arguments = vec!["lesson", "check", "--executor", "cpu", path.to_str().unwrap()];
            let other = folder.join("y.md");
            if to.starts_with("id:") {
                arguments.insert(4, other.to_str().unwrap());
            }
            let (code, out, err) = tensoryard(&arguments);
            assert_eq!(code, 1, "{fault}: {out}{err}");
            let line = out.lines().find(|line| line.contains(fault)).unwrap_or_else(|| panic!("{fault}: {out}"));
            let number = line.strip_prefix(&format!("{}:", path.display())).and_then(|rest| rest.split_once(':'));
            let number: usize = number.unwrap_or_else(|| panic!("{line}")).0.parse().unwrap();
            assert!((1..=text.lines().count()).contains(&number), "{line}");
        }
    }

    #[test]
    fn a_new_lesson_lacks_only_what_it_says() {
        let folder = folder("lesson-new");
        let path = folder.join("17-my-lesson.md");
        let file = path.to_str().unwrap();
        let (code, out, err) = tensoryard(&["lesson", "new", file]);
        assert_eq!(code, 0, "{out}{err}");
        let (code, out, err) = tensoryard(&["lesson", "check", "--executor", "cpu", file]);
        assert_eq!(code, 1, "{out}{err}");
        let faults: Vec<_> = out.lines().filter(|line| line.starts_with(file)).collect();
        assert!(
            faults.len() > 3
                && faults.iter().all(|line| line.contains("still to be written: ") && line.contains("TODO")),
            "{out}"
        );
        // When every TODO has been replaced, it passes.
        let text = std::fs::read_to_string(&path).unwrap().replace("TODO", "Done");
        std::fs::write(&path, text).unwrap();
        assert_eq!(tensoryard(&["lesson", "check", "--executor", "cpu", file]).0, 0);
        // An existing file is never overwritten.
        let (code, _, err) = tensoryard(&["lesson", "new", file]);
        assert_eq!(code, 2, "{err}");
        let (code, _, err) = tensoryard(&["lesson", "new", folder.join("My Lesson.md").to_str().unwrap()]);
        assert!(code == 2 && err.contains("17-my-lesson.md"), "{err}");
    }

    #[test]
    fn an_error_is_explained_on_request() {
        let folder = folder("explain");
        let path = folder.join("x.py");
        let source = "import torch\nx = torch.ones(3)\ny = torch.ones(3).to(\"cuda\")\nprint(x + y)\n";
        std::fs::write(&path, source).unwrap();
        let (code, _, err) = tensoryard(&["run", "--explain", "--machine", "cuda:1", path.to_str().unwrap()]);
        assert_eq!(code, 1);
        let card = "\nD01: `y` is on cuda:0, but `x` is on cpu. The tensors of one operation must be on the same device, so move one of them with `.to()`.\n  \
                    x  cpu     [3]  12 bytes  created in line 2\n  y  cuda:0  [3]  12 bytes  moved in line 3\n  \
                    line 4:\n  - print(x + y)\n  + print(x.to(y.device) + y)\n  lesson: same-device-rule\n";
        assert!(err.ends_with(card), "{err}");
        let (_, _, err) = tensoryard(&["run", "--machine", "cuda:1", path.to_str().unwrap()]);
        assert!(!err.contains("D01"), "{err}");
    }
}
