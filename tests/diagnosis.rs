//! The rules of diagnosis against complete programs: correct ones, which must get no card, and programs with one
//! planted mistake, whose first lines name the rule and the line. See `tests/diagnosis/README.md`.

#![cfg(feature = "python")]

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use tensoryard::diagnose::rules::{Example, Rule};
use tensoryard::diagnose::{Card, Cards, Fix, apply};
use tensoryard::engine::{self, Engine};
use tensoryard::language::Language;
use tensoryard::machine::Machine;
use tensoryard::python::output::Captured;
use tensoryard::python::{self, Finished, Observer, Program};

/// The comments in the first lines of a program.
#[derive(Clone, Debug, Default)]
struct Head {
    rule: String,
    line: u32,
    machine: String,
    /// GPU memory in MiB.
    memory: Option<u32>,
    fixture: Option<String>,
}

fn head(source: &str) -> Head {
    let mut head = Head { machine: "cuda:1".into(), ..Head::default() };
    for line in source.lines().take_while(|line| line.starts_with('#')) {
        let Some((key, value)) = line.trim_start_matches(['#', ' ']).split_once(": ") else { continue };
        match key {
            "rule" => head.rule = value.into(),
            "line" => head.line = value.parse().unwrap(),
            "machine" => head.machine = value.into(),
            "memory" => head.memory = Some(value.parse().unwrap()),
            "fixture" => head.fixture = Some(value.into()),
            _ => {}
        }
    }
    head
}

fn machine(head: &Head) -> Machine {
    let mut machine = Machine::preset(&head.machine).unwrap();
    if let Some(memory) = head.memory {
        machine.devices.iter_mut().for_each(|device| device.memory_mib = memory as _);
    }
    machine
}

struct Seen {
    cards: RefCell<Cards>,
}

impl Observer for Seen {
    fn ended(&self, finished: &Finished<'_>) {
        *self.cards.borrow_mut() = finished.cards();
    }
}

struct Run {
    cards: Cards,
    /// The last line of the traceback.
    error: Option<String>,
    /// The error's class and its complete message.
    raised: Option<String>,
}

impl Run {
    fn all(&self) -> impl Iterator<Item = &Card> {
        self.cards.error.iter().chain(&self.cards.silent)
    }
}

/// The environment belongs to the process, so a program that changes it runs alone. (One program's
/// `CUDA_VISIBLE_DEVICES` used to hide the GPUs of programs that ran at the same time.)
static ENVIRONMENT: RwLock<()> = RwLock::new(());

fn run(source: &str, machine: Machine) -> Run {
    let changes_it = source.contains("environ");
    let _shared = (!changes_it).then(|| ENVIRONMENT.read().unwrap_or_else(PoisonError::into_inner));
    let _alone = changes_it.then(|| ENVIRONMENT.write().unwrap_or_else(PoisonError::into_inner));
    engine::install(Engine::on_cpu(machine));
    let seen = Rc::new(Seen { cards: RefCell::default() });
    let program = Program { observer: Some(seen.clone()), ..Program::new("main.py", source) };
    let ended = python::run(&program, Rc::new(Captured::default()));
    let raised = ended.error.map(|e| format!("{}: {}", e.class, e.message));
    let error = raised.as_ref().map(|text| text.lines().next().unwrap_or_default().to_string());
    Run { cards: seen.cards.take(), error, raised }
}

/// Every rule, by its number.
fn every_rule() -> Vec<Rule> {
    let mut rules = Rule::ALL.to_vec();
    rules.sort_by_key(|rule| rule.id());
    rules
}

/// Programs in a folder, by name. `DIAGNOSIS=part` selects some.
fn programs(folder: &str) -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/diagnosis").join(folder);
    let mut paths: Vec<PathBuf> = std::fs::read_dir(root).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let wanted = std::env::var("DIAGNOSIS").unwrap_or_default();
    let name = |path: &PathBuf| path.file_stem().unwrap().to_string_lossy().into_owned();
    paths.iter().map(|p| (name(p), std::fs::read_to_string(p).unwrap())).filter(|(n, _)| n.contains(&wanted)).collect()
}

/// Runs in a thread with as much stack as a main thread has.
fn on_a_main_thread<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    std::thread::Builder::new().stack_size(16 << 20).spawn(work).unwrap().join().unwrap()
}

/// If this build lacks a function, that isn't a matter of diagnosis.
fn is_missing(error: &str) -> bool {
    error.starts_with("NotImplementedError") || error.starts_with("ModuleNotFoundError")
}

#[test]
fn correct_programs_get_no_card() {
    let (alarms, broken, waiting, count) = on_a_main_thread(|| {
        let (mut alarms, mut broken, mut waiting) = (Vec::new(), Vec::new(), Vec::new());
        let programs = programs("correct");
        for (name, source) in &programs {
            let run = run(source, machine(&head(source)));
            for card in run.all() {
                alarms.push(format!("{name}: {}", card.say(Language::English)));
            }
            match run.error {
                Some(error) if is_missing(&error) => waiting.push(format!("{name}: {error}")),
                Some(error) => broken.push(format!("{name}: {error}")),
                None => {}
            }
        }
        (alarms, broken, waiting, programs.len())
    });
    println!("correct programs: {count}, false alarms: {}, waiting for features: {}", alarms.len(), waiting.len());
    for text in alarms.iter().chain(&broken).chain(&waiting) {
        println!("  {text}");
    }
    // The numbers only count if the programs run.
    let all = std::env::var("DIAGNOSIS").is_err();
    assert!(!all || count >= 100, "{count} programs");
    assert!(waiting.is_empty(), "{} correct programs ask for what is not there", waiting.len());
    assert!(alarms.is_empty(), "{} false alarms", alarms.len());
    assert!(broken.is_empty(), "{} correct programs fail", broken.len());
}

/// The numbers for one rule.
#[derive(Default)]
struct Figures {
    programs: u32,
    waiting: u32,
    found: u32,
    line: u32,
    edits: u32,
    /// How often the edits make the program run.
    mended: u32,
    /// How often the card's sentence is the same in every language.
    unsaid: u32,
}

/// A checkpoint that a program made on another machine. Each rule has its own.
fn fixture(rule: &str, name: &str) -> Result<PathBuf, String> {
    let path = std::env::temp_dir().join(format!("tensoryard-diagnosis-{}-{rule}-{name}.pt", std::process::id()));
    if path.exists() {
        return Ok(path);
    }
    let value = match name {
        "gpu_tensor" => "torch.ones(3, device='cuda')",
        "gpu_state" => "nn.Linear(2, 1).cuda().state_dict()",
        "gpu_checkpoint" => "{'model': nn.Linear(2, 1).cuda().state_dict(), 'epoch': 3}",
        "cuda2_tensor" => "torch.ones(3, device='cuda:2')",
        "cuda2_state" => "nn.Linear(2, 1).to('cuda:2').state_dict()",
        other => return Err(format!("no fixture {other}")),
    };
    let source = format!("import torch\nfrom torch import nn\ntorch.save({value}, {:?})\n", path.display().to_string());
    match run(&source, Machine::preset("cuda:4").unwrap()).error {
        Some(error) => Err(error),
        None => Ok(path),
    }
}

/// Applies the edits of a program's cards, run after run, until it ends without the mistake.
fn mends(rule: &str, source: &str, head: &Head, mut edits: Vec<Fix>) -> Result<(), String> {
    let mut source = source.to_string();
    // After the first failure is fixed, the next one may appear, with its own card.
    for _ in 0..3 {
        source = apply(&source, &edits).ok_or("an edit does not apply")?;
        let run = run(&source, machine(head));
        let next = match &run.error {
            None => run.all().find(|card| card.rule == rule),
            Some(error) => match run.cards.error.as_ref() {
                Some(card) if !card.fix.is_empty() => Some(card),
                _ => return Err(error.clone()),
            },
        };
        match next {
            None => return Ok(()),
            Some(card) => edits = card.fix.clone(),
        }
    }
    Err("three edits are not enough".into())
}

/// Runs one program with a planted mistake.
fn planted(name: &str, source: String, of: &mut Figures, notes: &mut Vec<String>) {
    let head = head(&source);
    of.programs += 1;
    let source = match head.fixture.as_deref().map(|name| fixture(&head.rule, name)) {
        None => source,
        Some(Ok(path)) => source.replace("FIXTURE", &path.display().to_string()),
        Some(Err(error)) => {
            of.waiting += 1;
            return notes.push(format!("{name}: waiting: {error}"));
        }
    };
    let run = run(&source, machine(&head));
    if let Some(error) = run.error.as_ref().filter(|error| is_missing(error)) {
        of.waiting += 1;
        return notes.push(format!("{name}: waiting: {error}"));
    }
    let found: Vec<&Card> = run.all().filter(|card| card.rule == head.rule).collect();
    let others: Vec<String> =
        run.all().filter(|c| c.rule != head.rule).map(|c| format!("{} in line {}", c.rule, c.line)).collect();
    if found.is_empty() {
        return notes.push(format!("{name}: MISSED; {others:?} {:?}", run.error));
    }
    of.found += 1;
    let right = found.iter().find(|card| card.line == head.line);
    if right.is_none() {
        notes.push(format!("{name}: line {} instead of {}", found[0].line, head.line));
    }
    of.line += u32::from(right.is_some());
    if !others.is_empty() {
        notes.push(format!("{name}: also {others:?}"));
    }
    let card = right.unwrap_or(&found[0]);
    if card.cause.say(Language::English) == card.cause.say(Language::German) {
        notes.push(format!("{name}: NOT IN GERMAN: {}", card.cause.say(Language::English)));
        of.unsaid += 1;
    }
    if card.fix.is_empty() {
        return notes.push(format!("{name}: no edit"));
    }
    of.edits += 1;
    match mends(&head.rule, &source, &head, card.fix.clone()) {
        Ok(()) => of.mended += 1,
        Err(error) => notes.push(format!("{name}: NOT MENDED: {error}\n{}", card.say(Language::English))),
    }
}

#[test]
fn planted_mistakes_are_found() {
    // Rules are tested in parallel. The programs of one rule run one after the other, because they may share a
    // checkpoint.
    let mut rules: BTreeMap<String, Vec<(String, String)>> = BTreeMap::new();
    for (name, source) in programs("mistakes") {
        rules.entry(head(&source).rule).or_default().push((name, source));
    }
    let waiting = Arc::new(Mutex::new(rules));
    let threads: Vec<_> = (0..std::thread::available_parallelism().map_or(1, |n| n.get()))
        .map(|_| {
            let waiting = waiting.clone();
            let work = move || {
                let (mut figures, mut notes) = (BTreeMap::new(), Vec::new());
                loop {
                    let next = waiting.lock().unwrap().pop_first();
                    let Some((rule, programs)) = next else { return (figures, notes) };
                    let mut of = Figures::default();
                    programs.into_iter().for_each(|(name, source)| planted(&name, source, &mut of, &mut notes));
                    figures.insert(rule, of);
                }
            };
            std::thread::Builder::new().stack_size(16 << 20).spawn(work).unwrap()
        })
        .collect();
    let (mut figures, mut notes) = (BTreeMap::new(), Vec::new());
    for thread in threads {
        let (some, of_them): (BTreeMap<String, Figures>, Vec<String>) = thread.join().unwrap();
        figures.extend(some);
        notes.extend(of_them);
    }
    println!("rule  programs  waiting  found  right line  with edit  runs after it");
    let mut all = Figures::default();
    for (rule, f) in &figures {
        let Figures { programs, waiting, found, line, edits, mended, .. } = f;
        println!("{rule}   {programs:8}  {waiting:7}  {found:5}  {line:10}  {edits:9}  {mended:13}");
        all.programs += programs;
        all.waiting += waiting;
        all.found += found;
        all.line += line;
        all.edits += edits;
        all.mended += mended;
        all.unsaid += f.unsaid;
    }
    let Figures { programs, waiting, found, line, edits, mended, unsaid } = all;
    println!("all   {programs:8}  {waiting:7}  {found:5}  {line:10}  {edits:9}  {mended:13}");
    for note in notes {
        println!("  {note}");
    }
    // The numbers only count if the programs run and every rule has some.
    assert_eq!(waiting, 0, "programs ask for what is not there");
    if std::env::var("DIAGNOSIS").is_err() {
        assert!(programs >= 150, "{programs} programs");
        assert!(
            figures.keys().map(String::as_str).eq(every_rule().iter().map(|rule| rule.id())),
            "{:?}",
            figures.keys()
        );
        for (rule, f) in &figures {
            assert!(f.found > 0, "{rule} was never found");
        }
    }
    assert!(found * 100 >= programs * 95, "{found} of {programs} mistakes were found");
    assert_eq!(mended, edits, "an edit does not mend its program");
    assert_eq!(unsaid, 0, "cards without a German sentence");
    assert!(line * 100 >= found * 95, "{line} of {found} cards name the right line");
}

/// As `print_cost.rs` shows, PyTorch formats a number on the GPU and reads from it eight times.
#[test]
fn a_card_about_printing_counts_the_waits_that_pytorch_makes() {
    let code = "import torch\nx = torch.ones(3, device='cuda')\nfor step in range(120):\n    print(x.sum())\n";
    let said = on_a_main_thread(move || {
        let run = run(code, Machine::preset("cuda:1").unwrap());
        run.all().map(|card| card.cause.say(Language::English).to_string()).collect::<Vec<_>>()
    });
    assert!(said.iter().any(|s| s.contains("cuda:0 960 times")), "{said:?}");
}

#[test]
fn every_rule_leads_to_a_lesson_that_exists() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("lessons");
    let paths = std::fs::read_dir(root).unwrap().map(|entry| entry.unwrap().path()).filter(|path| path.is_file());
    let texts = paths.map(|path| std::fs::read_to_string(path).unwrap());
    let ids: Vec<String> =
        texts.filter_map(|t| Some(t.lines().find_map(|l| l.strip_prefix("id: "))?.trim().to_string())).collect();
    for rule in every_rule() {
        assert!(ids.iter().any(|id| id == rule.lesson()), "{} leads to {}", rule.id(), rule.lesson());
    }
}

/// The playground's examples: one has a card if it should show a mistake, and otherwise none. The example about
/// `torch.device` compares devices to show which are equal.
#[test]
fn examples_of_the_playground_get_cards_where_they_teach() {
    let meant: BTreeMap<&str, &str> = BTreeMap::from([
        ("to-returns", "D04"),
        ("same-device", "D01"),
        ("forgot-assign", "D04"),
        ("layers-in-a-list", "D06"),
        ("out-of-memory", "D20"),
    ]);
    let wrong = on_a_main_thread(move || {
        let mut wrong = Vec::new();
        for example in tensoryard::app::examples::EXAMPLES {
            let preset = if matches!(example.id, "two-gpus" | "data-parallel") { "cuda:2" } else { "cuda:1" };
            let run = run(example.code, Machine::preset(preset).unwrap());
            let rules: Vec<&str> = run.all().map(|card| card.rule.as_str()).collect();
            let expected: Vec<&str> = meant.get(example.id).copied().into_iter().collect();
            // An error without an explanation teaches nothing.
            if rules != expected || run.error.is_some() != run.cards.error.is_some() {
                wrong.push(format!("{}: {rules:?}, {:?}", example.id, run.error));
            }
        }
        wrong
    });
    assert_eq!(wrong, Vec::<String>::new());
}

// ---- the page of rules -----------------------------------------------------------------------------------------------

/// The output of a rule's example, and its card.
struct Shown {
    rule: Rule,
    /// The machine, and how the checkpoint was made.
    setting: String,
    raised: Option<String>,
    card: Card,
}

/// Runs a rule's example, and the example with the card's edit applied.
fn shown(rule: Rule) -> Shown {
    let Example { code, machine: name, memory, before } = rule.example();
    let head = Head { machine: name.into(), memory, ..Head::default() };
    let path = std::env::temp_dir().join(format!("tensoryard-rules-{}-{}.pt", std::process::id(), rule.id()));
    let path = path.display().to_string();
    let place = |code: &str| code.replace("checkpoint.pt", &path);
    let gpus = |preset: &str| match preset.strip_prefix("cuda:") {
        Some("1") => "one GPU".to_string(),
        Some(count) => format!("{count} GPUs"),
        None => "no GPU".to_string(),
    };
    let mut setting = format!("With {}", gpus(name));
    if let Some(mib) = memory {
        setting += &format!(" of {mib} MiB");
    }
    if let Some((machine, code)) = before {
        let saved = run(&place(code), Machine::preset(machine).unwrap());
        assert_eq!(saved.error, None, "{}", rule.id());
        let line = code.lines().last().unwrap();
        setting += &format!(", after `{line}` on a machine with {}", gpus(machine));
    }
    let ran = run(&place(code), machine(&head));
    let found = ran.all().find(|card| card.rule == rule.id());
    let mut card = found.unwrap_or_else(|| panic!("{}: no card; {:?}", rule.id(), ran.raised)).clone();
    if !card.fix.is_empty() {
        mends(rule.id(), &place(code), &head, card.fix.clone()).unwrap_or_else(|e| panic!("{}: {e}", rule.id()));
    }
    for fix in &mut card.fix {
        fix.before = fix.before.replace(&path, "checkpoint.pt");
        fix.after = fix.after.replace(&path, "checkpoint.pt");
    }
    // An error from another process contains a traceback between its first and its last line.
    let short = |text: String| {
        let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
        match lines[..] {
            [first, .., last] if lines.len() > 5 => format!("{first}\n...\n{last}"),
            _ => lines.join("\n"),
        }
    };
    Shown { rule, setting, raised: ran.raised.map(short), card }
}

/// The edit as lines with their signs.
fn diff(card: &Card) -> String {
    let lines = card.fix.iter().flat_map(|fix| {
        let (_, before, after) = fix.lines();
        let signed = |sign, lines: Vec<&str>| lines.into_iter().map(move |l| format!("{sign} {l}")).collect::<Vec<_>>();
        [signed('-', before), signed('+', after)].concat()
    });
    lines.collect::<Vec<_>>().join("\n")
}

const PAGE_HEAD: &str = "Each card of the playground, and of `tensoryard run --explain`, comes from one of these rules. The programs \
    here are run by a test: the error is what they end with, the card what a learner sees, and the edit what makes them run.";

fn as_markdown(all: &[Shown], lessons: &BTreeMap<String, String>) -> String {
    let mut out = format!(
        "# What the cards explain\n\nRendered from `src/diagnose/rules` (`TENSORYARD_WRITE=1 cargo test --test diagnosis page`).\n{PAGE_HEAD}\n\n| rule | |\n|---|---|\n"
    );
    for Shown { rule, .. } in all {
        out += &format!("| [{}](#{}) | {} |\n", rule.id(), rule.id().to_lowercase(), rule.title());
    }
    for Shown { rule, setting, raised, card } in all {
        let raised = match raised {
            Some(text) => format!("{setting} it ends in:\n\n```text\n{text}\n```\n"),
            None => format!("{setting} it raises nothing.\n"),
        };
        let fix = match diff(card) {
            lines if lines.is_empty() => String::new(),
            lines => format!("\n```diff\n{lines}\n```\n"),
        };
        let (id, title, about, code) = (rule.id(), rule.title(), rule.about(), rule.example().code);
        let (line, cause, lesson) = (card.line, card.cause.say(Language::English), card.lesson.as_deref().unwrap());
        let (file, path) = (rule.file(), &lessons[lesson]);
        out += &format!(
            "\n## {id}\n\n**{title}.** {about}\n\n```python\n{code}```\n\n{raised}\nThe card, at line {line}:\n\n> {cause}\n{fix}\nLesson: [{lesson}](../lessons/{path}). Rule: [{file}](../src/diagnose/rules/{file}).\n"
        );
    }
    out
}

/// `www/finish.mjs` adds the styles and the policy.
const HTML_HEAD: &str = "\
<!doctype html>
<html lang=\"en\">
<head>
<meta charset=\"utf-8\" />
<title>What the cards explain - Tensoryard</title>
<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\" />
<meta name=\"color-scheme\" content=\"light dark\" />
<!-- finish.mjs puts the styles here. -->
<link rel=\"stylesheet\" href=\"./rules.css\" />
</head>
<body>
<nav><a href=\"./\">Tensoryard</a> <a href=\"./#/lessons\">Lessons</a> <a href=\"./#/play\">Playground</a></nav>
<main>
";

/// The same for the web page, which has no Markdown.
fn as_html(all: &[Shown]) -> String {
    let escape = |text: &str| text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    let line = |text: &str| {
        let pieces = text.split('`').map(escape).enumerate();
        pieces.map(|(i, piece)| if i % 2 == 0 { piece } else { format!("<code>{piece}</code>") }).collect::<String>()
    };
    let mut out = format!("{HTML_HEAD}<h1>What the cards explain</h1>\n<p>{}</p>\n<ul>\n", line(PAGE_HEAD));
    for Shown { rule, .. } in all {
        let (id, anchor, title) = (rule.id(), rule.id().to_lowercase(), line(rule.title()));
        out += &format!("<li><a href=\"#{anchor}\">{id}</a> {title}</li>\n");
    }
    out += "</ul>\n";
    for Shown { rule, setting, raised, card } in all {
        let (id, anchor, title, about) = (rule.id(), rule.id().to_lowercase(), line(rule.title()), line(rule.about()));
        let code = escape(rule.example().code);
        out += &format!(
            "<section id=\"{anchor}\">\n<h2>{id}: {title}</h2>\n<p>{about}</p>\n<pre><code>{code}</code></pre>\n"
        );
        out += &match raised {
            Some(text) => format!("<p>{} it ends in:</p>\n<pre><samp>{}</samp></pre>\n", line(setting), escape(text)),
            None => format!("<p>{} it raises nothing.</p>\n", line(setting)),
        };
        let [english, german] = [Language::English, Language::German].map(|language| line(&card.cause.say(language)));
        out += &format!("<p>The card, at line {}:</p>\n<blockquote>{english}</blockquote>\n", card.line);
        out += &format!("<blockquote lang=\"de\">{german}</blockquote>\n");
        let changed = diff(card);
        if !changed.is_empty() {
            let lines = changed.lines().map(|line| match line.starts_with('-') {
                true => format!("<del>{}</del>", escape(line)),
                false => format!("<ins>{}</ins>", escape(line)),
            });
            out += &format!("<pre class=\"diff\">{}</pre>\n", lines.collect::<String>());
        }
        out += &format!(
            "<p><a href=\"./#/lesson/{}\">A lesson about this</a></p>\n</section>\n",
            card.lesson.as_deref().unwrap()
        );
    }
    out + "</main>\n</body>\n</html>\n"
}

/// `TENSORYARD_WRITE=1 cargo test --test diagnosis page` writes both pages again.
#[test]
fn the_pages_of_rules_are_what_the_rules_render() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let lessons = std::fs::read_dir(root.join("lessons")).unwrap().map(|entry| entry.unwrap().path());
    let named = lessons.filter(|path| path.is_file()).filter_map(|path| {
        let text = std::fs::read_to_string(&path).unwrap();
        let id = text.lines().find_map(|line| line.strip_prefix("id: "))?.trim().to_string();
        Some((id, path.file_name().unwrap().to_string_lossy().into_owned()))
    });
    let lessons: BTreeMap<String, String> = named.collect();
    let all = on_a_main_thread(|| every_rule().into_iter().map(shown).collect::<Vec<_>>());
    for (path, page) in [("docs/rules.md", as_markdown(&all, &lessons)), ("www/rules.html", as_html(&all))] {
        if std::env::var_os("TENSORYARD_WRITE").is_some() {
            std::fs::write(root.join(path), &page).unwrap();
        }
        assert!(std::fs::read_to_string(root.join(path)).unwrap() == page, "{path} is not what the rules say");
    }
}

/// The card of a rule for a program that fails or makes a silent mistake, and the lines that its edits write.
fn edited(rule: &str, source: &str, preset: &str) -> (Card, String) {
    let (source, preset) = (source.to_string(), preset.to_string());
    let card = on_a_main_thread({
        let rule = rule.to_string();
        move || {
            let run = run(&source, Machine::preset(&preset).unwrap());
            let card = run.all().find(|card| card.rule == rule).cloned();
            card.unwrap_or_else(|| panic!("no {rule}: {:?}", run.error))
        }
    });
    let lines = |fix: &Fix| fix.lines().2.iter().map(|line| format!("{}: {line}", fix.lines().0)).collect::<Vec<_>>();
    let text = card.fix.iter().flat_map(lines).collect::<Vec<_>>().join("\n");
    (card, text)
}

#[test]
fn an_optimizers_state_is_reloaded_once_where_the_parameters_moved() {
    let made = "import torch\nmodel = torch.nn.Linear(2, 1)\noptimizer = torch.optim.Adam(model.parameters())\n";
    let step =
        "def train_step(x):\n    model(x).sum().backward()\n    optimizer.step()\ntrain_step(torch.ones(1, 2))\n";
    let again = "for _ in range(2):\n    train_step(torch.ones(1, 2, device='cuda'))\n";
    let reload = "optimizer.load_state_dict(optimizer.state_dict())";
    let (_, text) = edited("D14", &format!("{made}{step}model.to('cuda')\n{again}"), "cuda:1");
    assert_eq!(text, format!("9: {reload}"));
    // A function moves them that doesn't have the optimizer: after its call.
    let moving = "def place(module):\n    module.to('cuda')\nplace(model)\n";
    let (_, text) = edited("D14", &format!("{made}{step}{moving}{again}"), "cuda:1");
    assert_eq!(text, format!("11: {reload}"));
}

#[test]
fn a_holder_that_is_read_later_is_not_deleted() {
    let source = |after: &str| {
        format!(
            "import torch\nfor step in range(2):\n    table = torch.zeros(1024, 1024, device='cuda')\n    row = table[0]\n    del table\n    torch.cuda.empty_cache()\n    print(torch.cuda.memory_allocated())\n{after}"
        )
    };
    assert_eq!(edited("D22", &source(""), "cuda:1").1, "5:     del table, row");
    for after in
        ["print(row.shape)\n", "kept = row.cpu()\n", "print(row.sum())\n", "def show():\n    return row.size()\n"]
    {
        assert_eq!(edited("D22", &source(after), "cuda:1").1, "", "{after}");
    }
}

#[test]
fn ids_without_a_name_are_made_where_the_table_is() {
    let source =
        "import torch\ntable = torch.nn.Embedding(9, 2).to('cuda')\nprint(table(torch.arange(5)).sum() != 0)\n";
    let (card, text) = edited("D10", source, "cuda:1");
    assert_eq!(text, "3: print(table(torch.arange(5, device=\"cuda\")).sum() != 0)");
    let mended = apply(source, &card.fix).unwrap();
    assert_eq!(on_a_main_thread(move || run(&mended, Machine::preset("cuda:1").unwrap()).error), None);
}

#[test]
fn a_card_leads_to_the_lesson_about_its_mistake() {
    let lesson = |rule, source, preset| edited(rule, source, preset).0.lesson.unwrap();
    let clock = "import time, torch\na = torch.ones(64, 64, device='cuda')\nstart = time.time()\nb = a @ a\nprint(time.time() - start < 60)\n";
    assert_eq!(lesson("D23", clock, "cuda:1"), "honest-clock");
    let layer = "import torch\nmodel = torch.nn.Linear(2, 1).to('cuda:1')\nmodel(torch.ones(3, 2, device='cuda:0'))\n";
    assert_eq!(lesson("D02", layer, "cuda:2"), "two-gpus");
    assert_eq!(lesson("D02", &layer.replace("cuda:0", "cpu"), "cuda:2"), "model-and-data");
}
