//! Runs the programs of lessons and says what is wrong with them, file by file and line by line.

use std::cell::RefCell;
use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use tensoryard::app::findings::sentence;
use tensoryard::app::texts::ENGLISH;
use tensoryard::engine::{self, Engine};
use tensoryard::lesson::judge::{Ran, judge};
use tensoryard::lesson::translation::{self, Written};
use tensoryard::lesson::{Check, CheckResult, Exercise, Fault, Lesson, Source};
use tensoryard::machine::Machine;
use tensoryard::python::output::Captured;
use tensoryard::python::{self, Finished, Observer, Program};
use tensoryard::trace::summary::summarize;

use super::CheckArgs;
use super::files::{self, Found, Translation};
use crate::hardware::{Available, Executor};

/// A lesson that was read.
struct Read {
    file: String,
    text: String,
    lesson: Lesson,
}

impl Read {
    /// A fault in the line of the front matter that begins with `key`.
    fn fault(&self, key: &str, message: String) -> Fault {
        let line = (1..).zip(self.text.lines()).find(|(_, line)| line.starts_with(key)).map_or(1, |(number, _)| number);
        Fault { file: self.file.clone(), line, message }
    }
}

/// Checks every lesson, and returns 1 if one has a fault.
pub fn check(args: &CheckArgs) -> Result<ExitCode, String> {
    let executors = executors(args.executor)?;
    let Found { lessons: files, translations } = files::find(&args.paths)?;
    let mut faults = Vec::new();
    let mut lessons = Vec::new();
    for path in &files {
        let (file, text) = files::read(path)?;
        match Lesson::parse(&text, &file) {
            Ok(lesson) => {
                faults.extend(lesson.review(&text, &file));
                lessons.push(Read { file, text, lesson });
            }
            Err(found) => faults.extend(found),
        }
    }
    faults.extend(between(&lessons, &files)?);
    for Translation { path, original, language } in &translations {
        let (file, text) = files::read(path)?;
        let (original_file, original_text) = files::read(original)?;
        let original = Written { file: &original_file, text: &original_text };
        faults.extend(translation::faults(original, Written { file: &file, text: &text }, language));
    }
    if !args.no_run {
        faults.extend(run_all(&lessons, &executors)?);
    }
    let mut seen = HashSet::new();
    for fault in faults.iter().filter(|fault| seen.insert(fault.to_string())) {
        println!("{fault}");
    }
    match seen.len() {
        0 => {
            let names: Vec<_> = executors.iter().map(|executor| executor.name()).collect();
            let how = if args.no_run { "read".to_string() } else { format!("run on {}", names.join(" and ")) };
            let more = if translations.is_empty() {
                String::new()
            } else {
                format!(", {} translations read", translations.len())
            };
            println!("{} lessons {how}{more}: no faults", lessons.len());
            Ok(ExitCode::SUCCESS)
        }
        1 => {
            println!("1 fault");
            Ok(ExitCode::FAILURE)
        }
        count => {
            println!("{count} faults");
            Ok(ExitCode::FAILURE)
        }
    }
}

/// Python's frames need as much stack as a main thread has.
const STACK: usize = 16 << 20;

/// Runs every lesson on every executor, on as many threads as there are processors. Faults are in the order of the lessons.
fn run_all(lessons: &[Read], executors: &[Executor]) -> Result<Vec<Fault>, String> {
    let jobs: Vec<(&Read, Executor)> =
        lessons.iter().flat_map(|read| executors.iter().map(move |e| (read, *e))).collect();
    let next = AtomicUsize::new(0);
    let work = || -> Result<Vec<(usize, Vec<Fault>)>, String> {
        let mut here: Vec<(Executor, Available)> = Vec::new();
        let mut done = Vec::new();
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some((Read { file, lesson, .. }, wanted)) = jobs.get(at) else {
                // Releases the GPU while the thread is still running: when the thread ends, the driver's thread-local data
                // is destroyed first.
                engine::install(Engine::on_cpu(Machine::preset("cpu").map_err(|error| error.to_string())?));
                return Ok(done);
            };
            if !here.iter().any(|(which, _)| which == wanted) {
                here.push((*wanted, Available::new(*wanted)?));
            }
            let Some((_, executor)) = here.iter().find(|(which, _)| which == wanted) else { continue };
            eprintln!("{file}: running on {}", executor.name);
            let mut faults = Vec::new();
            of_lesson(file, lesson, executor, &mut faults);
            done.push((at, faults));
        }
    };
    let threads = std::thread::available_parallelism().map_or(1, |n| n.get()).min(jobs.len());
    let mut done = std::thread::scope(|scope| {
        let started: Vec<_> =
            (0..threads).map(|_| std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work)).collect();
        let mut done = Vec::new();
        for thread in started {
            let thread = thread.map_err(|error| format!("no thread: {error}"))?;
            done.extend(thread.join().map_err(|_| "a lesson's program broke the interpreter")??);
        }
        Ok::<_, String>(done)
    })?;
    done.sort_by_key(|(at, _)| *at);
    Ok(done.into_iter().flat_map(|(_, faults)| faults).collect())
}

/// The executor that was named, or all that are available.
fn executors(wanted: Option<Executor>) -> Result<Vec<Executor>, String> {
    if let Some(wanted) = wanted {
        Available::new(wanted)?;
        return Ok(vec![wanted]);
    }
    let mut out = vec![Executor::Cpu];
    for other in [Executor::Webgpu, Executor::Cuda] {
        match Available::new(other) {
            Ok(_) => out.push(other),
            // Not named by the user, and not available.
            Err(why) => eprintln!("{} is left out: {why}", other.name()),
        }
    }
    Ok(out)
}

/// Finds ids that two lessons share, and links to lessons that don't exist. A single file may link to lessons next to
/// it.
fn between(lessons: &[Read], files: &[PathBuf]) -> Result<Vec<Fault>, String> {
    let mut faults = Vec::new();
    let mut ids: BTreeMap<String, String> = BTreeMap::new();
    for read in lessons {
        let id = &read.lesson.id;
        match ids.get(id) {
            Some(other) => faults.push(read.fault("id:", format!("the id '{id}' is also that of {other}"))),
            None => {
                ids.insert(id.clone(), read.file.clone());
            }
        }
    }
    let mut known: HashSet<String> = ids.into_keys().collect();
    let mut folders: Vec<&Path> = files.iter().filter_map(|file| file.parent()).collect();
    folders.dedup();
    for folder in folders {
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        for path in files::in_folder(folder)? {
            let text = std::fs::read_to_string(&path).unwrap_or_default();
            let id = text.lines().take_while(|line| !line.starts_with('#')).find_map(|line| line.strip_prefix("id:"));
            known.extend(id.map(|id| id.trim().to_string()));
        }
    }
    for read in lessons {
        for (id, line) in read.lesson.links.iter().filter(|(id, _)| !known.contains(id)) {
            faults.push(Fault { file: read.file.clone(), line: *line, message: format!("there is no lesson '{id}'") });
        }
        for id in read.lesson.requires.iter().filter(|id| !known.contains(*id)) {
            faults.push(read.fault("requires:", format!("there is no lesson '{id}'")));
        }
    }
    Ok(faults)
}

fn of_lesson(file: &str, lesson: &Lesson, executor: &Available, faults: &mut Vec<Fault>) {
    for (index, step) in lesson.steps.iter().enumerate() {
        let Some(exercise) = &step.exercise else { continue };
        let mut fault = |line: u32, message: String| {
            faults.push(Fault {
                file: file.to_string(),
                line,
                message: format!("{message} (executor {})", executor.name),
            });
        };
        let raised = of_exercise(exercise, &lesson.machine, executor, &mut fault);
        lesson.quotes(index, &mut |piece| {
            if let Some(quote) = piece.quoted_error()
                && !raised.iter().any(|text| text == quote)
            {
                let others: Vec<_> = raised.iter().map(|text| format!("\n    {text}")).collect();
                let others = if others.is_empty() { "\n    nothing".into() } else { others.concat() };
                fault(step.line, format!("this step quotes\n    {quote}\n  but its programs raise{others}\n "));
            }
        });
    }
}

/// Runs all programs of an exercise. Returns the errors that they raised.
fn of_exercise(
    exercise: &Exercise,
    machine: &Machine,
    executor: &Available,
    fault: &mut impl FnMut(u32, String),
) -> Vec<String> {
    let mut raised = Vec::new();
    let mut run = |source: &str| {
        let ran = run(source, &exercise.checks, executor.engine(machine.clone()));
        raised.extend(ran.raised.clone());
        ran
    };

    let solution = run(&exercise.solution.code);
    for (check, line) in solution.checks.iter().zip(&exercise.check_lines).filter(|(check, _)| !check.passed) {
        let why = check.finding.iter().map(|found| sentence(&ENGLISH, found)).collect::<String>();
        fault(*line, format!("the solution fails this check: {}: {why}", check.label));
    }
    let commented: String = exercise.solution.code.lines().map(|line| format!("# {line}\n")).collect();
    let generated = |label: &str, code: String| Source { line: exercise.starter.line, label: label.into(), code };
    let mut wrong = vec![generated("the untouched starter", exercise.starter.code.clone())];
    wrong.push(generated("an empty program", String::new()));
    wrong.push(generated("the solution with every line commented out", commented));
    wrong.extend(exercise.must_fail.iter().cloned());
    for source in &wrong {
        if run(&source.code).checks.iter().all(|check| check.passed) {
            let label = if source.label.is_empty() { "this must_fail program" } else { &source.label };
            fault(source.line, format!("{label} passes every check"));
        }
    }
    raised
}

/// A run and the results of its checks.
#[derive(Default)]
pub struct Outcome {
    checks: Vec<CheckResult>,
    pub stdout: String,
    /// `RuntimeError: …`, as a lesson quotes it.
    pub raised: Option<String>,
}

/// Runs a lesson's program and judges it. Lessons come from strangers, so the program runs hosted. Every command that runs
/// programs of lessons uses this function.
pub fn run(source: &str, checks: &[Check], engine: Engine) -> Outcome {
    let engine = engine::install(engine);
    engine.trace.set_on(true);
    engine.trace.restart();
    let output = Rc::new(Captured::default());
    let judgement = Rc::new(Judgement { checks: checks.to_vec(), output: output.clone(), outcome: RefCell::default() });
    let program = Program { observer: Some(judgement.clone()), ..Program::hosted("main.py", source, Arc::default()) };
    python::run(&program, output);
    judgement.outcome.take()
}

/// Judges a program after it has ended.
struct Judgement {
    checks: Vec<Check>,
    output: Rc<Captured>,
    outcome: RefCell<Outcome>,
}

impl Observer for Judgement {
    fn ended(&self, finished: &Finished<'_>) {
        let summary = summarize(&engine::current().trace.drain());
        let stdout = self.output.stdout.borrow().clone();
        let error = finished.error.map(|error| (error.class.as_str(), error.message.as_str()));
        let ran = Ran { error, stdout: &stdout, summary: &summary };
        *self.outcome.borrow_mut() = Outcome {
            checks: judge(&self.checks, &ran, finished),
            stdout: stdout.clone(),
            raised: error.map(|(class, message)| format!("{class}: {message}").trim_end().to_string()),
        };
    }
}
