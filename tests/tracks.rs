//! The tracks beside the course: what a bug and a puzzle look like, and every rule with one that breaks it.
#![cfg(feature = "cli")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};
use tensoryard::lesson::translation::{self, Written};
use tensoryard::lesson::{Check, Lesson, Track};

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/format2");

const BUG: &str = "debug/01-kept-on-the-cpu.md";
const PUZZLE: &str = "puzzles/01-a-table-at-once.md";

fn fixture(name: &str) -> String {
    fs::read_to_string(Path::new(FOLDER).join(name)).unwrap()
}

/// A course with one lesson and all bugs and puzzles, for one test.
fn course(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    for inner in ["files", "debug", "puzzles"] {
        fs::create_dir_all(folder.join(inner)).unwrap();
        for entry in fs::read_dir(Path::new(FOLDER).join(inner)).unwrap() {
            let entry = entry.unwrap();
            fs::copy(entry.path(), folder.join(inner).join(entry.file_name())).unwrap();
        }
    }
    for file in ["a-1-whole.md", "glossary.yaml"] {
        fs::copy(Path::new(FOLDER).join(file), folder.join(file)).unwrap();
    }
    folder
}

/// Exit code, and what `tensoryard lesson …` writes to standard output and standard error.
fn command(arguments: &[&str]) -> (i32, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_tensoryard")).arg("lesson").args(arguments).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code().unwrap_or(-1), text(&output.stdout) + &text(&output.stderr))
}

/// The faults of one of the files with changes, without those of the reading time: a change of a few words isn't one of it.
fn faults(folder: &Path, file: &str, changes: &[(&str, &str)], more: &[&str]) -> Vec<String> {
    let mut text = fixture(file);
    for (from, to) in changes {
        assert!(text.contains(from), "{file} contains {from:?}");
        text = text.replacen(from, to, 1);
    }
    let path = folder.join(file);
    fs::write(&path, text).unwrap();
    let (code, out) = command(&[&["check", "--executor", "cpu"], more, &[path.to_str().unwrap()]].concat());
    let start = format!("{}:", path.display());
    let found = out.lines().filter_map(|line| line.strip_prefix(&start)).filter(|line| *line != " running on cpu");
    let found: Vec<String> = found.map(str::to_string).collect();
    assert_eq!(code, i32::from(!found.is_empty()), "{out}");
    found.into_iter().filter(|fault| !fault.contains("a beginner needs")).collect()
}

/// One of the files with one change has exactly this fault, without running a program.
#[track_caller]
fn refuses(folder: &Path, file: &str, from: &str, to: &str, expected: &str) {
    let found = faults(folder, file, &[(from, to)], &["--no-run"]);
    assert!(found.len() == 1 && found[0].contains(expected), "{from:?} as {to:?}: {found:#?} should be {expected:?}");
}

#[test]
fn a_bug_and_a_puzzle() {
    let bug = Lesson::parse(&fixture(BUG), "x.md").unwrap();
    assert_eq!((bug.track, bug.level, bug.part), (Some(Track::Debug), Some(1), None));
    let exercise = bug.steps[0].exercise.as_ref().unwrap();
    let find = exercise.find.as_ref().unwrap();
    assert_eq!((&find.lines[..], find.because.len()), (&[5][..], 1));
    let several = Lesson::parse(&fixture("debug/02-steps-that-grow.md"), "x.md").unwrap();
    assert_eq!(several.steps[0].exercise.as_ref().unwrap().find.as_ref().unwrap().lines, [7, 9]);
    let puzzle = Lesson::parse(&fixture(PUZZLE), "x.md").unwrap();
    assert_eq!(puzzle.track, Some(Track::Puzzles));
    let checks = &puzzle.steps[0].exercise.as_ref().unwrap().checks;
    assert!(matches!(&checks[1..], [Check::Loops { max: 0, .. }, Check::Kernels { max: Some(3), device: None, .. }]));
    for lesson in [bug, several, puzzle] {
        let sent = serde_json::to_string(&lesson).unwrap();
        assert_eq!(serde_json::from_str::<Lesson>(&sent).unwrap(), lesson);
    }
    // The folder of the course has those of the tracks, and each can be checked alone.
    let folder = course("tracks-whole");
    for (path, count) in [(folder.clone(), 7), (folder.join("debug"), 3), (folder.join(PUZZLE), 1)] {
        let (code, out) = command(&["check", "--executor", "cpu", path.to_str().unwrap()]);
        assert!(code == 0 && out.contains(&format!("{count} lessons run on cpu: no faults")), "{out}");
    }
}

#[test]
fn front_matter() {
    let folder = course("tracks-front");
    let refuses = |from: &str, to: &str, expected: &str| refuses(&folder, BUG, from, to, expected);
    refuses("track: debug", "track: bugs", "3: there is no track 'bugs': write one of debug, puzzles");
    refuses("level: 1\n", "", "3: a lesson of a track says how hard it is: `level: 1` to `level: 3`");
    refuses("level: 1", "level: 0", "6: a level is 1 to 3, not 0");
    refuses("level: 1", "level: 4", "6: a level is 1 to 3, not 4");
    refuses("level: 1", "level: 1\npart: a", "7: a lesson of a track has no `part:`");
    refuses("level: 1", "level: 1\naim: mend it", "7: a lesson of a track has no `aim:`");
    refuses("level: 1", "level: 1\nobjectives: {mend: Mend it}", "7: a lesson of a track has no `objectives:`");
    refuses("id: debug-", "id: mend-", "4: an id of the track debug begins with `debug-`");
    refuses("requires: [whole]", "requires: [hole]", "9: there is no lesson 'hole'");
    // The time is a beginner's, and it's short.
    let minutes = |to: &str| {
        let path = folder.join(BUG);
        fs::write(&path, fixture(BUG).replacen("minutes: 5", to, 1)).unwrap();
        command(&["check", "--no-run", path.to_str().unwrap()]).1
    };
    assert!(minutes("minutes: 5").contains("no faults"), "{}", minutes("minutes: 5"));
    assert!(minutes("minutes: 2").contains(":8: a beginner needs"), "{}", minutes("minutes: 2"));
    assert!(minutes("minutes: 9").contains(":8: a bug takes 1 to 8 minutes, not 9"), "{}", minutes("minutes: 9"));
    // A level belongs to a track, and both to format 2.
    let whole = |from: &str, to: &str| {
        let path = folder.join("a-1-whole.md");
        fs::write(&path, fixture("a-1-whole.md").replacen(from, to, 1)).unwrap();
        command(&["check", "--no-run", path.to_str().unwrap()]).1
    };
    assert!(whole("part: a", "part: a\nlevel: 2").contains(":5: `level: 2` belongs to a track"));
    let first = "---\nformat: 1\ntrack: debug\nid: debug-a\ntitle: A\nminutes: 3\nmachine: cpu\n---\n\n## A\n";
    let found = Lesson::parse(first, "x.md").unwrap_err();
    assert!(found.iter().any(|fault| fault.line == 3 && fault.message.contains("belongs to format 2")), "{found:?}");
}

#[test]
fn one_step_with_an_exercise() {
    let folder = course("tracks-steps");
    let refuses = |from: &str, to: &str, expected: &str| refuses(&folder, BUG, from, to, expected);
    let introduction =
        "This program adds up the prices of a shopping basket on the GPU. It doesn't get to its last line.\n";
    let found =
        faults(&folder, BUG, &[(introduction, ""), ("Nothing keeps", "There's nothing that keeps")], &["--no-run"]);
    assert!(found.len() == 1 && found[0].contains("1: there's no text before the step"), "{found:?}");
    refuses(
        "last line.\n",
        "last line. It stops. Why? It's odd.\n",
        "1: the text before the step has 5 sentences; at most 3",
    );
    let second = "## Another {.optional}\n\nThere's more.\n";
    let found = faults(
        &folder,
        BUG,
        &[("what keeps it from adding up\n", "what keeps it from adding up {.optional}\n")],
        &["--no-run"],
    );
    assert!(found.len() == 1 && found[0].contains("14: the step of a track's lesson is what it is for"), "{found:?}");
    let whole = fixture(BUG);
    fs::write(folder.join(BUG), format!("{whole}\n{second}")).unwrap();
    let (_, out) = command(&["check", "--no-run", folder.join(BUG).to_str().unwrap()]);
    assert!(out.contains(": a lesson of a track has one step") && out.contains("has an exercise"), "{out}");
    fs::write(folder.join(BUG), format!("{whole}\n```remember\n- One.\n- Two.\n- Three.\n```\n")).unwrap();
    let (_, out) = command(&["check", "--no-run", folder.join(BUG).to_str().unwrap()]);
    assert!(out.contains(": a lesson of a track has no remember block"), "{out}");
    let quiz =
        "```quiz\nquestion: What?\noptions:\n  - {text: A, correct: true}\n  - text: B\nbecause: Yes.\n```\n\n```find";
    refuses("```find", quiz, "a lesson of a track asks no question besides a find block");
    refuses("  device: cuda\n", "  device: cuda\n  objective: mend\n", "a lesson of a track has no objectives");
}

#[test]
fn a_bug_names_the_line_that_its_solution_changes() {
    let folder = course("tracks-find");
    let refuses = |from: &str, to: &str, expected: &str| refuses(&folder, BUG, from, to, expected);
    let block = "```find\nline: 5\nbecause: |\n  `.to` returns a new tensor. Nothing keeps it here.\n```\n";
    refuses(block, "", "14: a bug asks for its line before the first run: a find block");
    refuses("line: 5\n", "", "16: a find block names a line (`line: 5`)");
    refuses("line: 5\n", "line: 5\nlines: [5]\n", "16: a find block names a line (`line: 5`)");
    refuses("line: 5\n", "lines: [5, 5]\n", "16: line 5 is named twice");
    refuses("line: 5\n", "line: 12\n", "16: line 12 is named, but the program has 9 lines");
    refuses("line: 5\n", "line: 2\n", "16: line 2 is named, but it has no code");
    refuses("line: 5\n", "row: 5\n", "17: the find block: unknown field `row`");
    refuses("line: 5\n", "line: 6\n", "16: the solution changes nothing at line 6");
    refuses("line: 5\n", "lines: [5, 6]\n", "16: no right program changes line 6");
    // Another right program may be the one that changes it.
    let other = "lines: [5, 8]\n";
    assert_eq!(faults(&folder, BUG, &[("line: 5\n", other)], &["--no-run"]), [""; 0]);
    let below = format!("{block}\n```hint\nOn which");
    let found = faults(&folder, BUG, &[("```hint\nOn which", &below)], &["--no-run"]);
    assert!(found.len() == 2 && found[0].contains("a second find block; the first is in line 16"), "{found:?}");
    assert!(found[1].contains("this stands below the step's program"), "{found:?}");
    // Something inserted is right before or after the line.
    let grow = "debug/02-steps-that-grow.md";
    for (lines, fine) in
        [("line: 7", true), ("line: 8", true), ("line: 9", true), ("line: 4", false), ("line: 11", false)]
    {
        let found = faults(&folder, grow, &[("lines: [7, 9]", lines)], &["--no-run"]);
        // The solution inserts between 7 and 8.
        let expected = fine && lines != "line: 9";
        assert_eq!(found.is_empty(), expected, "{lines}: {found:?}");
    }
    // The program is as long as can be searched.
    let long = "print(round(total.item(), 2))\n".repeat(15);
    refuses("print(round(total.item(), 2))\n", &long, "the program of a bug has 6 to 20 lines with code, not 21");
    // In a course and in a puzzle nothing is asked for.
    let puzzle = format!("{block}\n```python starter");
    let found = faults(&folder, PUZZLE, &[("```python starter", &puzzle)], &["--no-run"]);
    assert!(found.len() == 1 && found[0].contains("a find block belongs to a bug"), "{found:?}");
    let found =
        faults(&folder, "a-1-whole.md", &[("```python starter", &puzzle.replace("line: 5", "line: 3"))], &["--no-run"]);
    assert!(found.len() == 1 && found[0].contains("a find block belongs to a bug"), "{found:?}");
}

#[test]
fn nothing_above_gives_the_line_away() {
    let folder = course("tracks-away");
    let refuses = |from: &str, to: &str, expected: &str| refuses(&folder, BUG, from, to, expected);
    let last = "It doesn't get to its last line.";
    refuses(last, "It doesn't get past line 5.", "the text above gives the line away: it has \u{201c}line 5\u{201d}");
    refuses(last, "It's stopped by `prices.to(\"cuda\")`.", "the text above gives the line away");
    refuses(last, "It's stopped by `prices = prices.to(\"cuda\")`.", "the text above gives the line away");
    refuses(
        last,
        "It's `RuntimeError: Expected all tensors`.",
        "the run shows this error, so nothing before it quotes it",
    );
    refuses("new tensor. Nothing", "new tensor: `RuntimeError: Expected`. Nothing", "the run shows this error");
    refuses(
        "prices.to(\"cuda\")\namounts",
        "prices.to(\"cuda\")  # the bug\namounts",
        "a comment of the program gives the line away",
    );
    refuses("total = (prices", "# see line 5\ntotal = (prices", "a comment of the program gives the line away");
    for fine in ["It's about line 55.", "It's `prices`."] {
        assert_eq!(faults(&folder, BUG, &[(last, fine)], &["--no-run"]), [""; 0]);
    }
    assert_eq!(faults(&folder, BUG, &[("torch.rand(8)\n", "torch.rand(8)  # in euros\n")], &["--no-run"]), [""; 0]);
}

/// What the program's functions would decide elsewhere, such as without a GPU.
#[test]
fn a_check_asks_on_another_machine() {
    let folder = course("tracks-machine");
    let budget = "- kind: kernels\n";
    let check = |expr: &str, machine: &str| {
        let check = format!(
            "- kind: value\n  label: It asks.\n  expr: {expr}\n{machine}  guard: true\n{budget}",
            machine = if machine.is_empty() { String::new() } else { format!("  machine: {machine}\n") },
        );
        faults(&folder, PUZZLE, &[(budget, &check)], &[])
    };
    let kinds = "(torch.cuda.is_available(), torch.cuda.device_count(), torch.backends.mps.is_available())";
    let accelerator = "str(torch.accelerator.current_accelerator(check_available=True))";
    for (machine, answer, name) in [
        ("", "(True, 1, False)", "cuda"),
        ("cpu", "(False, 0, False)", "None"),
        ("cpu-build", "(False, 0, False)", "None"),
        ("cuda:4", "(True, 4, False)", "cuda"),
        ("mps", "(False, 0, True)", "mps"),
    ] {
        assert_eq!(check(&format!("{kinds} == {answer} and {accelerator} == '{name}'"), machine), [""; 0], "{machine}");
    }
    // It's the answers alone that change, and they change back.
    assert_eq!(check("torch.ones(1, device='cuda').is_cuda", "cpu"), [""; 0]);
    let found = check("torch.cuda.is_available()", "cpu");
    assert!(!found.is_empty() && found.iter().all(|fault| fault.contains("It asks.")), "{found:#?}");
    let found = check("1 == 1", "tpu");
    assert!(found.len() == 1 && found[0].contains("this check: unknown machine 'tpu'"), "{found:#?}");
}

#[test]
fn a_puzzle_has_a_budget_and_the_run_is_the_referee() {
    let folder = course("tracks-budget");
    let refuses = |from: &str, to: &str, expected: &str| refuses(&folder, PUZZLE, from, to, expected);
    let loops = "- kind: loops\n  label: There's no loop.\n  max: 0\n";
    let found = faults(
        &folder,
        PUZZLE,
        &[(loops, ""), ("  max: 3", "  min: 1\n  guard: true"), ("guard: true\n- kind: k", "guard: false\n- kind: k")],
        &["--no-run"],
    );
    assert!(found.len() == 1 && found[0].contains("a puzzle has a budget: a check of the kind"), "{found:?}");
    refuses("  max: 3\n", "", "39: kernels needs `min` or `max`");
    refuses("  max: 3\n", "  max: 3\n  device: cpu\n", "39: 'cpu' is no accelerator");
    refuses("  max: 0\n", "", "this check: missing field `max`");
    let runs = |from: &str, to: &str| faults(&folder, PUZZLE, &[(from, to)], &[]);
    // Too small for the solution and for every other right program.
    let small = runs("  max: 3\n", "  max: 2\n");
    assert_eq!(small.len(), 3, "{small:#?}");
    assert!(
        small[0].contains("the solution fails this check: At most 3 kernels.: Kernels: 3; at most 2 allowed."),
        "{small:#?}"
    );
    assert_eq!(runs("  max: 3\n", "  max: 3\n  device: cuda:0\n"), [""; 0]);
    assert_eq!(runs("  max: 3\n", "  max: 0\n  device: cuda:1\n  guard: true\n"), [""; 0]);
    // A loop is found wherever it hides.
    for (program, count) in [
        ("table = torch.stack([rows[0] * columns, *(r * columns for r in rows[1:])])", 1),
        ("table = torch.stack(list(map(lambda r: r * columns, rows)))", 1),
        ("i = 1\nwhile i < 1: i += 1\ntable = rows[:, None] * columns", 1),
    ] {
        let found = runs("table = rows[:, None] * columns\n", &format!("{program}\n"));
        let expected = format!("the solution fails this check: There's no loop.: Loops: {count}; at most 0 allowed.");
        assert!(found.iter().any(|fault| fault.contains(&expected)), "{program}: {found:#?}");
    }
    // The author's own looking is forgiven, and counted on request.
    let looks = "table = rows[:, None] * columns\nprint(table.float())\n";
    assert_eq!(runs("table = rows[:, None] * columns\n", looks), [""; 0]);
    let counted = faults(
        &folder,
        PUZZLE,
        &[("table = rows[:, None] * columns\n", looks), ("  max: 3\n", "  max: 3\n  looking: counted\n")],
        &[],
    );
    assert!(counted.len() == 1 && counted[0].contains("Your `print` in line 6 goes over the limit"), "{counted:#?}");
    // These kinds belong to format 2.
    let first = "---\nformat: 1\nid: a\ntitle: A\nminutes: 3\nmachine: cpu\n---\n\n## A\n\n```python starter\n1\n```\n\n```check\n- {kind: loops, label: \
                 No loop., max: 0}\n```\n\n```python solution\n2\n```\n";
    let found = Lesson::parse(first, "x.md").unwrap_err();
    assert!(found.iter().any(|fault| fault.message.contains("its kind belongs to format 2")), "{found:?}");
}

/// In a folder of a track everything belongs to it, and the files are in the order of the levels.
#[test]
fn folders() {
    let folder = course("tracks-folders");
    let check = || command(&["check", "--no-run", folder.to_str().unwrap()]);
    let (code, out) = check();
    assert!(code == 0 && out.contains("7 lessons read: no faults"), "{out}");
    fs::copy(folder.join(BUG), folder.join("debug/04-easy-again.md")).unwrap();
    let easy = fixture(BUG).replace("id: debug-kept-on-the-cpu", "id: debug-easy-again");
    fs::write(folder.join("debug/04-easy-again.md"), &easy).unwrap();
    let (code, out) = check();
    assert!(
        code == 1 && out.contains("04-easy-again.md:6: level 1 comes after level 3") && out.contains("1 fault"),
        "{out}"
    );
    let strange = fixture("debug/03-a-loss-of-pairs.md").replace("id: debug-a-loss-of-pairs", "id: debug-strange");
    fs::write(folder.join("debug/04-easy-again.md"), &strange).unwrap();
    fs::write(folder.join("puzzles/04-strange.md"), strange.replace("debug-strange", "debug-stranger")).unwrap();
    let (code, out) = check();
    assert!(
        code == 1 && out.contains("04-strange.md:3: a lesson in the folder puzzles says `track: puzzles`"),
        "{out}"
    );
    fs::remove_file(folder.join("puzzles/04-strange.md")).unwrap();
    // An id is one of the whole course.
    fs::write(folder.join("debug/04-easy-again.md"), strange.replace("debug-strange", "debug-kept-on-the-cpu"))
        .unwrap();
    let (code, out) = check();
    assert!(code == 1 && out.contains("the id 'debug-kept-on-the-cpu' is also that of"), "{out}");
}

/// A course's panels are opened by its own lessons.
#[test]
fn what_a_course_is_asked_is_not_asked_of_tracks() {
    let folder = course("tracks-course");
    for number in 0..12 {
        let text = fixture(BUG)
            .replace("id: debug-kept-on-the-cpu", &format!("id: debug-{number}"))
            .replace("requires: [whole]\n", "");
        fs::write(folder.join(format!("debug/2{number:02}.md")), text.replace("level: 1", "level: 3")).unwrap();
    }
    let (code, out) = command(&["check", "--no-run", folder.join("debug").to_str().unwrap()]);
    assert!(code == 0, "{out}");
    let (code, out) = command(&["check", "--no-run", folder.to_str().unwrap()]);
    assert!(code == 0, "{out}");
}

#[test]
fn a_translation_finds_the_same_lines() {
    let folder = course("tracks-german");
    let english = fixture(BUG);
    let german = [
        ("track: debug\n", "track: debug\nlang: de\n"),
        ("The basket that stayed behind", "Der Korb, der zurückblieb"),
        (
            "This program adds up the prices of a shopping basket on the GPU. It doesn't get to its last line.",
            "Dieses Programm addiert die Preise eines Einkaufs auf der GPU. Bis zur letzten Zeile kommt es nicht.",
        ),
        ("Find what keeps it from adding up", "Finde, was es am Addieren hindert"),
        (
            "`.to` returns a new tensor. Nothing keeps it here.",
            "`.to` gibt einen neuen Tensor zurück. Hier behält ihn nichts.",
        ),
        ("The program runs to its end.", "Das Programm läuft bis zum Ende."),
        ("`total` is on the GPU.", "`total` ist auf der GPU."),
        (
            "On which device is each of the two tensors that are multiplied?",
            "Auf welchem Gerät ist jeder der beiden Faktoren?",
        ),
        (
            "`.to` leaves its tensor where it is. Give the result a name.",
            "`.to` lässt seinen Tensor, wo er ist. Gib dem Ergebnis einen Namen.",
        ),
    ];
    let german = german.iter().fold(english.clone(), |text, (from, to)| {
        assert!(text.contains(from), "{from}");
        text.replacen(from, to, 1)
    });
    let why = german.rfind("```why\n").unwrap() + 7;
    let german =
        format!("{}`prices.to(\"cuda\")` hat eine Kopie gemacht, und nichts hat sie behalten.\n```\n", &german[..why]);
    fs::create_dir_all(folder.join("de/debug")).unwrap();
    fs::copy(Path::new(FOLDER).join("de/glossary.yaml"), folder.join("de/glossary.yaml")).unwrap();
    fs::write(folder.join("de").join(BUG), &german).unwrap();
    let translation = folder.join("de").join(BUG);
    for path in [folder.clone(), folder.join("debug"), folder.join(BUG), folder.join("de"), translation.clone()] {
        let (code, out) = command(&["check", "--no-run", path.to_str().unwrap()]);
        assert!(code == 0 && out.contains("1 translations read"), "{}: {out}", path.display());
    }
    let faults = |from: &str, to: &str| {
        assert!(german.contains(from), "{from}");
        let changed = german.replacen(from, to, 1);
        let written = |file, text| Written { file, text };
        let found = translation::faults(written("en.md", &english), written("de.md", &changed), "de");
        found.iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    assert_eq!(faults("level: 1", "level: 1"), [""; 0]);
    for (from, to, expected) in [
        ("level: 1", "level: 2", "`level` is not what it is in en.md"),
        ("line: 5\n", "line: 6\n", "de.md:17: the lines to find are not those of en.md"),
        (
            "`.to` gibt einen neuen Tensor zurück. Hier behält ihn nichts.",
            "`.to` returns a new tensor. Nothing keeps it here.",
            "not translated",
        ),
    ] {
        let found = faults(from, to);
        assert!(found.iter().any(|fault| fault.contains(expected)), "{from}: {found:#?} lacks {expected}");
    }
    let read = |text: &str| Lesson::parse(text, "x.md").unwrap();
    let shown = read(&english).in_words_of(&read(&german)).unwrap();
    let find = shown.steps[0].exercise.as_ref().unwrap().find.as_ref().unwrap();
    assert_eq!((shown.track, shown.level, &find.lines[..]), (Some(Track::Debug), Some(1), &[5][..]));
    let none = german.replacen(
        "```find\nline: 5\nbecause: |\n  `.to` gibt einen neuen Tensor zurück. Hier behält ihn nichts.\n```\n\n",
        "",
        1,
    );
    assert!(read(&english).in_words_of(&read(&none)).is_err());
}

#[test]
fn the_list_says_what_the_track_s_page_needs() {
    let folder = course("tracks-published");
    let out = folder.join("out");
    let (code, said) = command(&["publish", folder.to_str().unwrap(), "--out", out.to_str().unwrap()]);
    assert_eq!(code, 0, "{said}");
    let read = |name: &str| -> Value { serde_json::from_str(&fs::read_to_string(out.join(name)).unwrap()).unwrap() };
    let list = read("index.json");
    let files: Vec<&str> = list.as_array().unwrap().iter().map(|entry| entry["file"].as_str().unwrap()).collect();
    let expected = [
        "a-1-whole.md",
        BUG,
        "debug/02-steps-that-grow.md",
        "debug/03-a-loss-of-pairs.md",
        PUZZLE,
        "puzzles/02-one-way-back.md",
        "puzzles/03-in-its-place.md",
    ];
    assert_eq!(files, expected);
    assert_eq!(
        list[5],
        json!({
            "id": "puzzle-one-way-back", "file": "puzzles/02-one-way-back.md", "title": "One way back", "minutes": 5, "titles": {},
            "track": "puzzles", "level": 2, "steps": 1,
            // What the solution's print does doesn't count: it prints a list of numbers.
            "solutions": {"bring-them-back-together": {"copies": 1, "waits": 1, "kernels": 2, "peak_bytes": 1024}},
        })
    );
    assert!(list[0].get("track").is_none() && list[0]["part"] == "a");
    for file in expected {
        assert_eq!(fs::read(out.join(file)).unwrap(), fs::read(folder.join(file)).unwrap());
    }
    assert!(read("posters/debug-kept-on-the-cpu.json")["output"].as_str().unwrap().starts_with("RuntimeError"));
    assert_eq!(read("glossary.json")["en"].as_object().unwrap().len(), 2);
}

#[test]
fn a_bug_is_graded_like_an_exercise() {
    let folder = course("tracks-grades");
    let submission = folder.join("x.py");
    let lesson = Lesson::parse(&fixture(BUG), "x.md").unwrap();
    let exercise = lesson.steps[0].exercise.as_ref().unwrap();
    for (program, score) in [(&exercise.starter.code, 0), (&exercise.solution.code, 100)] {
        fs::write(&submission, program).unwrap();
        let (code, out) =
            command(&["grade", folder.join(BUG).to_str().unwrap(), submission.to_str().unwrap(), "--json"]);
        let graded: Value = serde_json::from_str(&out).unwrap();
        assert_eq!((code, &graded["score"]), (0, &json!(score)), "{out}");
    }
}

/// `lesson new` in a folder of a track writes one to start from: it passes the check except for its TODOs.
#[test]
fn new_ones() {
    let folder = course("tracks-new");
    for (file, id) in [("debug/04-my-own.md", "debug-my-own"), ("puzzles/04-my-own.md", "puzzle-my-own")] {
        let path = folder.join(file);
        let (code, out) = command(&["new", path.to_str().unwrap()]);
        assert_eq!(code, 0, "{out}");
        let text = fs::read_to_string(&path).unwrap();
        assert!(text.contains(&format!("id: {id}\n")), "{text}");
        let done = text.replace("TODO: ", "");
        fs::write(&path, done).unwrap();
        let (code, out) = command(&["check", "--executor", "cpu", path.to_str().unwrap()]);
        assert_eq!(code, 0, "{out}");
    }
}
