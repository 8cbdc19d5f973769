//! Lesson format 2: what it accepts, and every rule with a lesson that breaks it.
#![cfg(feature = "cli")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};
use tensoryard::lesson::prose::{Block, Inline, Target};
use tensoryard::lesson::translation::{self, Written};
use tensoryard::lesson::{Check, CoursePart, Lesson, Looking, Panel, Part, Point};

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/format2");

/// A lesson that has every block once.
fn whole() -> String {
    fs::read_to_string(Path::new(FOLDER).join("a-1-whole.md")).unwrap()
}

#[track_caller]
fn changed(from: &str, to: &str) -> String {
    let text = whole();
    assert!(text.contains(from), "the lesson contains {from:?}");
    text.replacen(from, to, 1)
}

/// A folder with the files and the glossary, for one test.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(folder.join("files")).unwrap();
    for file in ["glossary.yaml", "files/storage.svg", "files/storage.dark.svg", "files/points.csv"] {
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

/// The faults of a lesson, `line: message`, without the executor.
fn faults(folder: &Path, text: &str) -> Vec<String> {
    let path = folder.join("x.md");
    fs::write(&path, text).unwrap();
    let (code, out) = command(&["check", "--executor", "cpu", path.to_str().unwrap()]);
    let start = format!("{}:", path.display());
    let found: Vec<String> = out.lines().filter_map(|line| line.strip_prefix(&start)).map(str::to_string).collect();
    let found: Vec<String> =
        found.into_iter().filter(|line| !line.ends_with(": running on cpu") && line != " running on cpu").collect();
    assert_eq!(code, i32::from(!found.is_empty()), "{out}");
    found
}

/// The whole lesson with changes has exactly these faults, or faults that begin like this.
#[track_caller]
fn refuses_all(folder: &Path, changes: &[(&str, &str)], expected: &[&str]) {
    let mut text = whole();
    for (from, to) in changes {
        assert!(text.contains(from), "the lesson contains {from:?}");
        text = text.replacen(from, to, 1);
    }
    // A change of a few words must not be one of the reading time.
    let found: Vec<String> =
        faults(folder, &text).into_iter().filter(|fault| !fault.contains("a beginner needs")).collect();
    assert_eq!(found.len(), expected.len(), "{changes:?}: {found:#?}");
    for (found, expected) in found.iter().zip(expected) {
        let line: u32 = found.split(':').next().unwrap().parse().unwrap();
        assert!((1..=text.lines().count() as u32).contains(&line), "{found}");
        assert!(found.contains(expected), "{found:?} should contain {expected:?}");
    }
}

#[track_caller]
fn refuses(folder: &Path, from: &str, to: &str, expected: &str) {
    refuses_all(folder, &[(from, to)], &[expected]);
}

#[test]
fn a_whole_lesson() {
    let lesson = Lesson::parse(&whole(), "x.md").unwrap();
    assert_eq!((lesson.format, lesson.part), (2, Some(CoursePart::A)));
    assert!(matches!(&lesson.aim.as_ref().unwrap()[..], [Inline::Text(aim)] if aim.starts_with("tell where")));
    assert_eq!(lesson.objectives.iter().map(|o| o.id.as_str()).collect::<Vec<_>>(), ["place", "move"]);
    assert_eq!(lesson.files[0].dark.as_deref(), Some("storage.dark.svg"));
    assert_eq!((lesson.files[1].name.as_str(), &lesson.files[1].alt), ("points.csv", &None));
    assert_eq!(lesson.terms.iter().map(|(term, _)| term.as_str()).collect::<Vec<_>>(), ["shape", "device"]);
    assert_eq!(lesson.remember.len(), 3);
    let optional: Vec<bool> = lesson.steps.iter().map(|step| step.optional).collect();
    assert_eq!(optional, [false, false, false, true]);
    assert_eq!(lesson.steps[3].id, "going-further");

    let look = lesson.steps[0].look.as_ref().unwrap();
    assert_eq!((look.sight.panel, &look.sight.point), (Some(Panel::Devices), &Some(Point::Block("x".into()))));
    let [Block::Paragraph(seen)] = &look.seen[..] else { panic!("{:?}", look.seen) };
    assert!(seen.iter().any(|inline| matches!(inline, Inline::Link(Target::Term(term), _) if term == "device")));
    let [_, Part::Predict(predict)] = &lesson.steps[0].parts[..] else { panic!("{:?}", lesson.steps[0].parts) };
    assert!(matches!(&predict.proof[..], [Check::Device { label, .. }, Check::Output { .. }] if label.is_empty()));

    let [Part::Text(text), Part::Quiz(quiz)] = &lesson.steps[1].parts[..] else {
        panic!("{:?}", lesson.steps[1].parts)
    };
    let [Block::Diagram(diagram), Block::Figure { file, alt }] = &text[..] else { panic!("{text:?}") };
    assert_eq!(diagram.names, [("x".into(), "a".into()), ("y".into(), "b".into())]);
    assert_eq!((diagram.tensors[1].label.as_str(), diagram.storages[0].on.as_str()), ("3 × 2, transposed", "cpu"));
    assert_eq!((file.as_str(), alt.as_str()), ("storage.svg", "Six numbers"));
    assert_eq!(quiz.objective.as_deref(), Some("place"));

    let exercise = lesson.steps[2].exercise.as_ref().unwrap();
    assert_eq!(exercise.sight.panel, Some(Panel::Timeline));
    assert_eq!(exercise.also_right[0].label, "with cuda()");
    let scoring: Vec<_> = exercise.scoring.iter().map(|s| (s.guard, s.objective.as_deref())).collect();
    assert_eq!(scoring, [(true, None), (false, Some("move")), (true, None)]);
    assert!(matches!(exercise.checks[2], Check::Transfers { looking: Looking::Forgiven, .. }));

    let sent = serde_json::to_string(&lesson).unwrap();
    assert_eq!(serde_json::from_str::<Lesson>(&sent).unwrap(), lesson);
    // Without words of its own, an image has those of its file.
    let silent = Lesson::parse(&changed("![Six numbers]", "![]"), "x.md").unwrap();
    let Part::Text(text) = &silent.steps[1].parts[0] else { panic!() };
    assert!(matches!(&text[1], Block::Figure { alt, .. } if alt == "One storage of six numbers"));

    assert_eq!(faults(&folder("format2-whole"), &whole()), [""; 0]);
}

/// What belongs to format 2 is unknown in format 1, apart from the part and the aim.
#[test]
fn format_1_stays_as_it_is() {
    let front = "---\nformat: 1\nid: one\ntitle: One\nminutes: 3\nmachine: cpu\n---\n";
    let body = "\n## Step\n\n```python starter\nx = 1\n```\n\n```check\n- kind: transfers\n  label: One copy.\n  max: 1\n```\n\n```python solution\nx = 2\n```\n";
    let read = |front: &str, body: &str| Lesson::parse(&format!("{front}{body}"), "x.md");
    let lesson = read(&front.replace("title", "part: 0\naim: run `it`\ntitle"), body).unwrap();
    assert_eq!((lesson.format, lesson.part), (1, Some(CoursePart::Tour)));
    // A bound of format 1 counts what looking causes, as it always did.
    let check = &lesson.steps[0].exercise.as_ref().unwrap().checks[0];
    assert!(matches!(check, Check::Transfers { looking: Looking::Counted, .. }));
    for (front, body, fault) in [
        (front.replace("title", "objectives: {a: A}\ntitle"), body.to_string(), "belongs to format 2"),
        (front.replace("title", "files: [{name: a.csv}]\ntitle"), body.to_string(), "belongs to format 2"),
        (front.to_string(), body.replace("  max: 1", "  max: 1\n  guard: true"), "unknown field `guard`"),
        (front.to_string(), body.replace("  max: 1", "  max: 1\n  looking: counted"), "belongs to format 2"),
        (front.to_string(), body.replace("python solution", "python look"), "belongs to format 2"),
        (front.to_string(), format!("{body}\n```remember\n- a\n```\n"), "belongs to format 2"),
        (front.to_string(), format!("{body}\nA [word](term:word).\n"), "belong to format 2"),
        (front.to_string(), format!("{body}\n![x](x.svg)\n"), "a lesson holds no images"),
    ] {
        let found = read(&front, &body).expect_err(fault);
        assert!(found.iter().any(|found| found.message.contains(fault)), "{found:?} lacks {fault}");
    }
    // A mark in a title is text.
    let plain = read(front, &body.replace("## Step", "## Step {.optional}")).unwrap();
    assert_eq!((plain.steps[0].id.as_str(), plain.steps[0].optional), ("step-optional", false));
}

const PROOF: &str = "proof:\n  - kind: device\n    name: x\n    device: cpu\n  - kind: output\n    contains: \"1\"\n";

#[test]
fn a_run_answers_each_prediction() {
    let folder = folder("format2-predictions");
    let refuses = |from: &str, to: &str, expected: &str| refuses(&folder, from, to, expected);
    refuses(PROOF, "", "25: this prediction has no proof");
    refuses(PROOF, "proof:\n  - {kind: source_uses, name: torch}\n", "25: this proof looks at the source alone");
    refuses(
        "device: cpu\n  - kind",
        "device: cuda\n  - kind",
        "25: the run does not prove this prediction: device: `x` is on cpu.",
    );
    refuses("contains: \"1\"", "contains: seven", "25: the run does not prove this prediction: output: The output");
    refuses("  - kind: output\n", "  - kind: output\n    label: it prints\n", "proof: its checks have no label");
    refuses("objective: place\n", "objective: place\nproof: []\n", "a quiz has no proof");
    refuses(PROOF, &format!("{PROOF}objective: place\n"), "a prediction covers no objective");
    // An error has to be expected by a proof.
    refuses_all(
        &folder,
        &[("print(x, len", "print(z, len")],
        &[
            "25: the run does not prove this prediction: output",
            "41: this look ends with an error, which no prediction of its step proves",
        ],
    );
    let raises = "proof:\n  - {kind: raises, class: NameError, text: name 'z' is not defined}\n";
    refuses_all(&folder, &[(PROOF, raises), ("print(x, len", "print(z, len")], &[]);
    // A prediction without a program.
    let predict = "question: What?\noptions:\n  - {text: A, correct: true}\n  - text: B\nbecause: Yes.\n";
    refuses(
        "```quiz\n",
        &format!("```predict\n{predict}proof: [{{kind: no_error}}]\n```\n\n```quiz\n"),
        "this prediction has no run that answers it",
    );
}

#[test]
fn nothing_above_gives_a_prediction_away() {
    let folder = folder("format2-reveal");
    let refuses = |changes: &[(&str, &str)], expected: &[&str]| refuses_all(&folder, changes, expected);
    let text = "Run this program.";
    refuses(&[(text, "It's on the processor's side.")], &["25: the text above gives this prediction away"]);
    // The first lines of the lesson are checked as well, but they may have words that answer nothing.
    refuses(&[("You'll make a tensor", "It's on the processor's side, you'll see")], &["25: the text above"]);
    refuses(&[(text, "It has a side, and so has the processor.")], &[]);
    refuses(
        &[("x = torch.ones(3)\nprint(x, len", "x = torch.ones(3)  # on the processor's side\nprint(x, len")],
        &["25: a comment"],
    );
    refuses(&[("x = torch.ones(3)\nprint(x, len", "x = torch.ones(3)  # three numbers\nprint(x, len")], &[]);
    // A short answer, alone and beside the others.
    let short = [("on the processor's side", "on cpu"), ("on the graphics card", "on cuda")];
    refuses(&[short[0], short[1], (text, "Now it is on `cpu`.")], &["25: the text above"]);
    refuses(&[short[0], short[1], (text, "Is it on `cpu`, or is it on `cuda`?")], &[]);
    refuses(
        &[short[0], short[1], ("x = torch.ones(3)\nprint(x, len", "x = torch.ones(3)  # on cpu\nprint(x, len")],
        &["25: a comment"],
    );
    // What the run prints.
    let proof = (PROOF, "proof:\n  - {kind: output, contains: \"tensor([1., 1., 1.])\"}\n");
    refuses(&[proof], &[]);
    refuses(&[proof, (text, "It prints `tensor([1., 1., 1.])`.")], &["25: the text above"]);
    refuses(&[proof, ("import torch\nx", "import torch  # tensor([1., 1., 1.])\nx")], &["25: a comment"]);
}

#[test]
fn an_untouched_starter_passes_exactly_the_guards() {
    let folder = folder("format2-guards");
    let refuses = |from: &str, to: &str, expected: &str| refuses(&folder, from, to, expected);
    refuses(
        "  guard: true\n- kind: device",
        "- kind: device",
        "87: the untouched starter passes this check, so it earns nothing",
    );
    refuses_all(
        &folder,
        &[("  objective: move\n", "  objective: move\n  guard: true\n")],
        &["75: every check of this exercise is a guard", "90: the untouched starter fails this guard"],
    );
    refuses("guard: true", "guard: perhaps", "`guard` is true or false");
    refuses("x = torch.ones(3).cuda()", "x = torch.ones(3)", "116: with cuda() fails a check: `x` is on the GPU.");
    refuses("x = torch.ones(3, device=\"cuda\")", "y = 1", "created there fails a check");
    let other = "```python also_right with cuda()\nimport torch\nx = torch.ones(3).cuda()\n```\n";
    refuses(
        other,
        "",
        "75: an exercise has 2 `python also_right` programs or more, which solve it by other roads, not 1",
    );
}

#[test]
fn what_a_look_points_at_is_there() {
    let folder = folder("format2-points");
    let refuses = |from: &str, to: &str, expected: &str| refuses(&folder, from, to, expected);
    refuses("point=block:x", "point=block:z", "41: there is nothing to point at after the run: `hasattr(z");
    refuses("point=block:x", "point=copy:1", "41: there is nothing to point at after the run: Copies: 0");
    refuses("point=block:x", "point=line:9", "41: point=line:9, but the program has 3 lines");
    refuses_all(&folder, &[("point=block:x", "point=line:3")], &[]);
    refuses("point=block:x", "point=line:0", "41: 'line:0' points at nothing");
    refuses("point=block:x", "point=block:3x", "41: 'block:3x' points at nothing");
    refuses("point=block:x", "point=x", "41: 'x' points at nothing");
    refuses(
        "panel=devices",
        "panel=yards",
        "41: there is no panel 'yards': write one of devices, timeline, memory, graph, smi, cost",
    );
    refuses("panel=devices", "panel=devices panel=smi", "41: `panel=` is given twice");
    refuses("panel=devices", "devices", "41: 'devices' is neither panel=… nor point=…");
    // An element's number is a part of its name, as it is in a Sequential.
    let made = ("x = torch.ones(3)\nprint(x, len", "x = torch.ones(3)\nm = [x]\nprint(x, len");
    refuses_all(&folder, &[made, ("point=block:x", "point=block:m.0")], &[]);
    refuses_all(
        &folder,
        &[made, ("point=block:x", "point=block:m.1")],
        &["there is nothing to point at after the run"],
    );
    // What the learner is to make is there when the exercise is solved.
    refuses_all(&folder, &[("panel=timeline", "panel=timeline point=copy:1")], &[]);
}

#[test]
fn the_order_of_blocks() {
    let folder = folder("format2-order");
    let refuses = |from: &str, to: &str, expected: &str| refuses(&folder, from, to, expected);
    refuses("```seen", "More.\n\n```seen", "47: this stands below the step's program (line 41)");
    refuses("```quiz", "```seen\nHm.\n```\n\n```quiz", "a seen block belongs to a `python look` in the same step");
    let both = faults(&folder, &changed("## One storage", "```hint\nx\n```\n\n## One storage"));
    assert!(
        both.iter().any(|fault| fault.contains("41: a step has one program: this look, or the exercise")),
        "{both:?}"
    );
    refuses("## One storage", "```python look\n1\n```\n\n## One storage", "a second look in one step");
    refuses("Going further {.optional}", "Going further {.easy}", "a title has no mark `{.easy}`");
    refuses(" {.optional}", "", "nothing in this step can be done");
    refuses("- You keep it with `=`.\n", "", "a remember block has 3 lines, not 2");
    refuses("- You keep it with `=`.\n", "- You keep it. It's with `=`.\n", "a line to remember is one sentence");
    refuses(
        "```remember\n- A tensor lives on one device.\n- `.to` returns a new tensor.\n- You keep it with `=`.\n```\n",
        "",
        "no remember block",
    );
    let last = "- You keep it with `=`.\n```\n";
    refuses(last, &format!("{last}\nMore.\n"), "the lesson ends with its remember block");
}

#[test]
fn front_matter() {
    let folder = folder("format2-front");
    let refuses = |from: &str, to: &str, expected: &str| refuses(&folder, from, to, expected);
    refuses("part: a", "part: z", "4: the course has no part 'z': write one of 0, a, b");
    refuses("aim: tell where a tensor lives, and move it to the GPU\n", "", "1: the front matter has no `aim:`");
    refuses("to the GPU\nobjectives", "to the GPU.\nobjectives", "6: the aim completes the sentence");
    refuses_all(
        &folder,
        &[("  place: Say", "  plaice: Say")],
        &["7: nothing asks for the objective 'plaice'", "there is no objective 'place' in the front matter"],
    );
    refuses("  objective: move\n", "", "7: nothing asks for the objective 'move'");
    refuses(
        "  place: Say which device a tensor is on\n",
        "  Place It: Say\n  place: Where\n",
        "7: an objective is an id",
    );
    // The time is a beginner's.
    let minutes = |to: &str| faults(&folder, &changed("minutes: 8", to));
    assert_eq!(minutes("minutes: 9"), [""; 0]);
    assert!(minutes("minutes: 11")[0].starts_with("10: a beginner needs 8."), "{:?}", minutes("minutes: 11"));
    assert!(
        minutes("minutes: 7")[0].starts_with("10: a lesson takes 8 to 15 minutes, not 7"),
        "{:?}",
        minutes("minutes: 7")
    );
    let long =
        changed("There's more.", "It doesn't matter. ".repeat(350).trim()).replacen("minutes: 8", "minutes: 15", 1);
    let long = faults(&folder, &long);
    let at_most = "10: a lesson takes 15.0 minutes at most; a beginner needs 1";
    assert!(long.iter().any(|fault| fault.starts_with(at_most)), "{long:?}");
    let tour = faults(&folder, &changed("part: a", "part: 0"));
    assert!(tour.len() == 1 && tour[0].starts_with("10: a lesson takes 3 to 6 minutes, not 8"), "{tour:?}");
}

#[test]
fn files_figures_and_diagrams() {
    let folder = folder("format2-files");
    let refuses = |from: &str, to: &str, expected: &str| refuses(&folder, from, to, expected);
    for bad in ["../points.csv", "a/b.csv", ".hidden", "a b.csv", "ä.csv", "a\\\\b"] {
        refuses("name: points.csv", &format!("name: \"{bad}\""), "is no plain file name");
    }
    refuses("name: points.csv", "name: points.csv\n  - name: points.csv", "the file 'points.csv' is listed twice");
    refuses("    alt: One storage of six numbers\n", "", "the image 'storage.svg' needs `alt:`");
    refuses("name: points.csv", "name: points.csv\n    alt: Points", "is no image, so it has neither");
    refuses("storage.dark.svg", "storage.night.svg", "storage.night.svg: No such file");
    refuses("(storage.svg)", "(other.svg)", "the image 'other.svg' is not listed");
    refuses("(storage.svg)", "(https://example.org/x.svg)", "is not listed");
    refuses("(storage.svg)", "(points.csv)", "is not listed");
    refuses(
        "![Six numbers](storage.svg)",
        "Look: ![Six numbers](storage.svg)",
        "an image stands alone in its paragraph",
    );
    refuses(
        "![Six numbers](storage.svg)",
        "![Six numbers](storage.svg) here",
        "an image stands alone in its paragraph",
    );
    refuses("alt: Two names, two tensors, one storage", "alt: ''", "the diagram: `alt` is empty");
    refuses("{x: a, y: b}", "{x: a, y: c}", "the name 'y' refers to 'c'");
    refuses("storage: s}\n  b", "storage: q}\n  b", "the tensor 'a' is in 'q'");
    refuses("on: cpu}", "on: gpu}", "'gpu' is no device");
    refuses("on: cpu}", "at: cpu}", "the diagram: storages.s: unknown field `at`");

    let has = |text: &str, expected: &str| {
        let found = faults(&folder, text);
        assert!(found.iter().any(|fault| fault.contains(expected)), "{found:#?} lacks {expected:?}");
    };

    // A program opens a file by its name, and no other file of this machine.
    has(&changed("open(\"points.csv\")", "open(\"files/points.csv\")"), "41: this look ends with an error");
    has(&changed("open(\"points.csv\")", "open(\"x.md\")"), "41: this look ends with an error");
    let many: String = (0..25).map(|number| format!("  - name: {number}.csv\n")).collect();
    has(&changed("files:\n", &format!("files:\n{many}")), "28 files; a lesson has at most 24");
    let write = |name: &str, content: &[u8]| fs::write(folder.join("files").join(name), content).unwrap();
    for bad in ["<svg><script>1</script></svg>", "<svg onload='x()'/>", "<svg><a href=\"JavaScript:x\"/></svg>"] {
        write("storage.svg", bad.as_bytes());
        refuses("part: a", "part: a", "an SVG that does more than draw is not published");
    }
    write("storage.svg", b"<svg xmlns='http://www.w3.org/2000/svg'/>");
    write("points.csv", &vec![b'1'; (1 << 20) + 1]);
    has(&whole(), "has 1048577 bytes; a lesson's file has at most 1048576");
    #[cfg(unix)]
    {
        fs::remove_file(folder.join("files/points.csv")).unwrap();
        std::os::unix::fs::symlink("/etc/passwd", folder.join("files/points.csv")).unwrap();
        has(&whole(), "is a link, which is not followed");
    }
}

#[test]
fn words_of_the_glossary() {
    let folder = folder("format2-glossary");
    refuses(&folder, "term:device", "term:devise", "48: the word 'devise' is not in");
    refuses(&folder, "term:device", "term:a/b", "48: 'a/b' is no word of a glossary");
    // Another glossary can be named.
    fs::write(folder.join("more.yaml"), "devise: A word for this test.\n").unwrap();
    let path = folder.join("x.md");
    fs::write(&path, changed("term:device", "term:devise")).unwrap();
    let more = folder.join("more.yaml");
    let (code, out) = command(&["check", "--no-run", "--glossary", more.to_str().unwrap(), path.to_str().unwrap()]);
    assert_eq!(code, 0, "{out}");
    fs::write(folder.join("glossary.yaml"), "shape: No full stop\ndevice: Where it is.\n").unwrap();
    let (code, out) = command(&["check", "--no-run", path.to_str().unwrap()]);
    assert!(code == 1 && out.contains("glossary.yaml:1: the word 'shape' needs one sentence"), "{out}");
    fs::write(folder.join("glossary.yaml"), "shape: '****: No word.'\ndevice: '**Gerät**: Where it is.'\n").unwrap();
    let (code, out) = command(&["check", "--no-run", path.to_str().unwrap()]);
    assert!(code == 1 && out.contains("glossary.yaml:1: the word 'shape': write '**word**: '"), "{out}");
    assert!(!out.contains("glossary.yaml:2"), "{out}");
}

#[test]
fn plain_english() {
    let folder = folder("format2-english");
    let first = "You'll make a tensor and look at it.";
    refuses(
        &folder,
        first,
        "You'll leave the rest away.",
        "19: \u{201c}leave the rest away\u{201d} sounds translated: leave out",
    );
    refuses_all(&folder, &[(first, "You'll write `leave the rest away`.")], &[]);
    let formal = whole()
        .replace("'ll", " will")
        .replace("It's", "It is")
        .replace("There's", "There is")
        .replace("Here's", "Here is")
        .replace("doesn't", "does not");
    let found = faults(&folder, &formal);
    assert!(found.iter().any(|fault| fault.starts_with("1: the text has no contraction")), "{found:?}");
    let sentence =
        "It's a sentence of many words, and it goes on and on, because nobody ends it where its first idea ends.\n";
    let long = changed("There's more.\n", &sentence.repeat(120));
    let found = faults(&folder, &long);
    assert!(found.iter().any(|fault| fault.starts_with("1: half of the sentences have 21 words")), "{found:?}");
    // Other languages have other patterns.
    let german = changed("title:", "lang: de\ntitle:").replacen(first, "You shall leave the rest away.", 1);
    assert_eq!(faults(&folder, &german), [""; 0]);
}

/// A course opens every panel in three lessons; a few lessons needn't.
#[test]
fn a_course_opens_every_panel() {
    let folder = folder("format2-panels");
    for number in 0..10 {
        let panel = if number < 2 { "smi" } else { "devices" };
        let text = whole()
            .replace("id: whole", &format!("id: whole-{number}"))
            .replace("panel=devices", &format!("panel={panel}"));
        fs::write(folder.join(format!("{number}.md")), text).unwrap();
    }
    let (code, out) = command(&["check", "--no-run", folder.to_str().unwrap()]);
    assert_eq!(code, 1, "{out}");
    assert!(out.contains(":1: the panel 'smi' is opened by 2 lessons of this course; 3 or more should"), "{out}");
    assert!(out.contains("the panel 'graph' is opened by 0 lessons"), "{out}");
    assert!(!out.contains("the panel 'devices'") && !out.contains("the panel 'timeline'"), "{out}");
    fs::remove_file(folder.join("0.md")).unwrap();
    let (code, out) = command(&["check", "--no-run", folder.to_str().unwrap()]);
    assert_eq!(code, 0, "{out}");
}

#[test]
fn the_list_says_what_the_course_page_needs() {
    let folder = folder("format2-published");
    fs::write(folder.join("a-1-whole.md"), whole()).unwrap();
    fs::create_dir_all(folder.join("de")).unwrap();
    for file in ["de/a-1-whole.md", "de/glossary.yaml"] {
        fs::copy(Path::new(FOLDER).join(file), folder.join(file)).unwrap();
    }
    let out = folder.join("out");
    let (code, said) = command(&["publish", folder.to_str().unwrap(), "--out", out.to_str().unwrap()]);
    assert_eq!(code, 0, "{said}");
    let read = |name: &str| -> Value { serde_json::from_str(&fs::read_to_string(out.join(name)).unwrap()).unwrap() };
    let entry = &read("index.json")[0];
    assert_eq!(
        *entry,
        json!({
            "id": "whole", "file": "a-1-whole.md", "title": "A whole lesson", "minutes": 8,
            "titles": {"de": "Eine ganze Lektion"}, "part": "a",
            "aim": "tell where a tensor lives, and move it to the GPU",
            "aims": {"de": "sagen, wo ein Tensor ist"}, "steps": 3,
            // Three float32 numbers take one block of 512 bytes on the GPU.
            "solutions": {"move-it": {"copies": 1, "waits": 1, "peak_bytes": 512}},
        })
    );
    assert_eq!(read("glossary.json")["de"]["shape"], "Wie groß ein Tensor in jeder Dimension ist.");
    assert_eq!(read("glossary.json")["en"].as_object().unwrap().len(), 2);
    for file in ["storage.svg", "storage.dark.svg", "points.csv"] {
        assert_eq!(fs::read(out.join("files").join(file)).unwrap(), fs::read(folder.join("files").join(file)).unwrap());
    }
    assert_eq!(
        read("posters/whole.json")["code"],
        Value::from("import torch\nx = torch.ones(3)\nprint(x, len(open(\"points.csv\").read()))\n")
    );
    assert_eq!(read("posters/whole.json")["output"], "tensor([1., 1., 1.]) 8");
}

/// A translation has the same programs, proofs and marks, and other words.
#[test]
fn translations() {
    let english = whole();
    let german = fs::read_to_string(Path::new(FOLDER).join("de/a-1-whole.md")).unwrap();
    let faults = |from: &str, to: &str| -> Vec<String> {
        assert!(german.contains(from), "{from}");
        let changed = german.replacen(from, to, 1);
        let written = |file, text| Written { file, text };
        let found = translation::faults(written("en.md", &english), written("de.md", &changed), "de");
        found.iter().map(ToString::to_string).collect()
    };
    assert_eq!(faults("part: a", "part: a"), [""; 0]);
    for (from, to, expected) in [
        ("part: a", "part: b", "de.md:4: `part` is not what it is in en.md"),
        ("  move: Einen", "  shift: Einen", "`objectives` is not what it is"),
        ("storage.dark.svg", "night.svg", "`files` is not what it is"),
        (" {.optional}", "", "the mark {.optional} is not as in line"),
        ("device: cpu\n  - kind", "device: cuda\n  - kind", "the proof or the objective is not that of line"),
        ("objective: place", "objective: move", "the proof or the objective is not that of line"),
        ("  guard: true", "  guard: false", "`guard` or `objective` is not as in en.md"),
        ("panel=devices", "panel=smi", "a block ```python look panel=devices point=block:x is expected"),
        ("print(x.device)", "print(x)", "a program is the same in every language"),
        ("{x: a, y: b}", "{x: b, y: a}", "the images or diagrams are not those of the step"),
        ("- Sie behalten ihn mit `=`.\n", "", "2 lines to remember; en.md has 3"),
        (
            "Der Block `x` ist im Hof der CPU.",
            "The block named `x` is in the CPU's yard. That place is its [device](term:device).\n",
            "not translated",
        ),
    ] {
        let found = faults(from, to);
        assert!(found.iter().any(|fault| fault.contains(expected)), "{from}: {found:#?} lacks {expected}");
    }
    let read = |text: &str| Lesson::parse(text, "x.md").unwrap();
    let shown = read(&english).in_words_of(&read(&german)).unwrap();
    assert_eq!((shown.part, shown.steps[3].optional), (Some(CoursePart::A), true));
    assert_eq!(shown.steps[0].id, "make-a-tensor");
}

/// `lesson grade`, run as an autograder runs it.
#[test]
fn grades() {
    let folder = folder("format2-grades");
    let lesson = folder.join("a-1-whole.md");
    fs::write(&lesson, whole()).unwrap();
    let submission = folder.join("x.py");
    let grade = |program: &str, more: &[&str]| {
        fs::write(&submission, program).unwrap();
        command(&[&["grade", lesson.to_str().unwrap(), submission.to_str().unwrap()], more].concat())
    };
    let json = |program: &str| -> Value {
        let (code, out) = grade(program, &["--json", "--timeout", "2"]);
        assert_eq!(code, 0, "{out}");
        serde_json::from_str(&out).unwrap()
    };
    let parsed = Lesson::parse(&whole(), "x.md").unwrap();
    let exercise = parsed.steps[2].exercise.as_ref().unwrap();
    let untouched = json(&exercise.starter.code);
    assert_eq!((&untouched["score"], &untouched["passed"]), (&json!(0), &json!(false)), "{untouched:#}");
    let solved = json(&exercise.solution.code);
    assert_eq!((&solved["score"], &solved["passed"], &solved["step"]), (&json!(100), &json!(true), &json!("move-it")));
    assert_eq!(solved["cost"], json!({ "copies": 1, "waits": 1, "kernels": 0, "peak_bytes": 512 }));
    assert_eq!((&solved["checks"][1]["objective"], &solved["checks"][0]["guard"]), (&json!("move"), &json!(true)));
    assert_eq!((&solved["output"], &solved["error"]), (&json!("cuda:0\n"), &Value::Null));
    // Half is withheld while a guard fails.
    let failing = json("import torch\nx = torch.ones(3, device='cuda')\nprint(z)\n");
    assert_eq!((&failing["score"], &failing["error"]), (&json!(50), &json!("NameError: name 'z' is not defined")));
    assert_eq!(json("print('cuda:0'")["score"], 0, "a program that doesn't parse");
    // Hosted: a program sees the lesson's files and nothing of this machine.
    assert_eq!(json("print(open('points.csv').read())")["error"], Value::Null);
    assert!(json("print(open('x.py').read())")["error"].as_str().unwrap().starts_with("FileNotFoundError"));
    let endless = json("while True:\n    try:\n        while True: pass\n    except KeyboardInterrupt: pass\n");
    assert_eq!(
        (&endless["timed_out"], &endless["passed"], &endless["score"]),
        (&json!(true), &json!(false), &json!(0))
    );

    let (code, out) = grade(&exercise.starter.code, &[]);
    assert!(
        code == 0
            && out.starts_with("0 of 100\npassed (guard): The program runs to its end.\nfailed: `x` is on the GPU."),
        "{out}"
    );
    let (code, out) = grade("1", &["--step", "make-a-tensor"]);
    assert!(code == 2 && out.contains("has no exercise 'make-a-tensor'; it has move-it"), "{out}");
    let (code, out) = command(&["grade", lesson.to_str().unwrap(), folder.join("none.py").to_str().unwrap()]);
    assert!(code == 2 && out.contains("none.py"), "{out}");
    // In format 1, what the untouched starter passes earns nothing either.
    let first = "---\nformat: 1\nid: one\ntitle: One\nminutes: 3\nmachine: cpu\n---\n\n## Step\n\n```python starter\nx = 1\n```\n\n```check\n\
                 - {kind: no_error, label: It runs.}\n- {kind: value, label: It's two., expr: x == 2}\n```\n\n```python solution\nx = 2\n```\n";
    fs::write(&lesson, first).unwrap();
    assert_eq!(json("x = 1")["score"], 0);
    assert_eq!(json("x = 2")["score"], 100);
}
