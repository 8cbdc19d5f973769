//! Runs the programs of a lesson.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use tensoryard::app::findings::sentence;
use tensoryard::app::texts::ENGLISH;
use tensoryard::engine::{self, Engine};
use tensoryard::lesson::judge::{Ran, judge};
use tensoryard::lesson::{Check, CheckResult, Exercise, Fault, Finding, Looking, Part, Point, Question, Source, Step};
use tensoryard::python::interrupt::Native;
use tensoryard::python::output::Captured;
use tensoryard::python::{self, Finished, Observer, Program};
use tensoryard::trace::summary::{Summary, summarize};

use super::Read;
use crate::hardware::Available;
use crate::lesson::attached::Attached;

/// Runs every program of a lesson on one executor. Programs that the checks must reject are run on the `first` one only: that
/// a check is strict enough shows there, and that right programs pass it everywhere shows on each.
pub fn of_lesson(read: &Read, executor: &Available, first: bool) -> Vec<Fault> {
    let Read { file, lesson, .. } = read;
    let mut faults = Vec::new();
    let mut fault = |line: u32, message: String| {
        faults.push(Fault { file: file.clone(), line, message: format!("{message} (executor {})", executor.name) });
    };
    // What the programs of each step raise.
    let mut raised: Vec<Vec<String>> = Vec::new();
    for step in &lesson.steps {
        let mut here = Vec::new();
        let mut run = |source: &str, checks: &[Check]| {
            let ran = run(source, checks, &read.attached, executor.engine(lesson.machine.clone()));
            here.extend(ran.raised.clone());
            ran
        };
        if lesson.format > 1 {
            untouched(step, &mut run, &mut fault);
        }
        if let Some(exercise) = &step.exercise {
            right(exercise, &mut run, &mut fault);
            if first {
                wrong(exercise, &mut run, &mut fault);
            }
        }
        raised.push(here);
    }
    for (index, step) in lesson.steps.iter().enumerate() {
        // A lesson of format 2 may come back to an error that another step has shown.
        let all: Vec<&String> = match lesson.format {
            1 if step.exercise.is_none() => continue,
            1 => raised[index].iter().collect(),
            _ => raised.iter().flatten().collect(),
        };
        lesson.quotes(index, &mut |piece| {
            if let Some(quote) = piece.quoted_error()
                && !all.iter().any(|text| *text == quote)
            {
                let others: Vec<_> = all.iter().map(|text| format!("\n    {text}")).collect();
                let others = if others.is_empty() { "\n    nothing".into() } else { others.concat() };
                fault(step.line, format!("this step quotes\n    {quote}\n  but its programs raise{others}\n "));
            }
        });
    }
    faults
}

fn because(check: &CheckResult) -> String {
    let said = |found: &Finding| match found {
        // An author sees the expression as well.
        Finding::Untrue { expr, .. } => format!("`{expr}` is false. {}", sentence(&ENGLISH, found)),
        Finding::Raises { expr, .. } => format!("`{expr}`: {}", sentence(&ENGLISH, found)),
        _ => sentence(&ENGLISH, found),
    };
    check.finding.iter().map(said).collect()
}

/// Runs the program that a step of format 2 begins with: it proves the predictions, passes exactly the guards, and shows
/// what the step points at.
fn untouched(step: &Step, run: &mut impl FnMut(&str, &[Check]) -> Outcome, fault: &mut impl FnMut(u32, String)) {
    let Some(program) = step.program() else { return };
    let questions: Vec<&Question> = step
        .parts
        .iter()
        .filter_map(|part| match part {
            Part::Predict(question) => Some(question),
            _ => None,
        })
        .collect();
    let proofs = questions.iter().flat_map(|question| &question.proof);
    let own = step.exercise.as_ref().map_or(&[][..], |exercise| &exercise.checks);
    let sight = match (&step.look, &step.exercise) {
        (Some(look), _) => Some(&look.sight),
        (None, exercise) => exercise.as_ref().map(|exercise| &exercise.sight),
    };
    let shown: Vec<Check> = sight.and_then(|sight| sight.point.as_ref()).and_then(is_there).into_iter().collect();
    let checks: Vec<Check> = own.iter().chain(proofs).chain(&shown).cloned().collect();
    let ran = run(&program.code, &checks);
    let (judged, rest) = ran.checks.split_at(own.len());
    if let Some(exercise) = &step.exercise {
        for ((check, scoring), line) in judged.iter().zip(&exercise.scoring).zip(&exercise.check_lines) {
            let label = &check.label;
            match (check.passed, scoring.guard) {
                (true, false) => fault(
                    *line,
                    format!(
                        "the untouched starter passes this check, so it earns nothing: write `guard: true`: {label}"
                    ),
                ),
                (false, true) => {
                    let why = because(check);
                    fault(*line, format!("the untouched starter fails this guard: {label}: {why}"));
                }
                _ => {}
            }
        }
    }
    let mut rest = rest.iter();
    for question in &questions {
        for (check, of) in rest.by_ref().take(question.proof.len()).zip(&question.proof) {
            if !check.passed {
                let kind = serde_json::to_value(of).ok().and_then(|of| Some(of.get("kind")?.as_str()?.to_string()));
                let (kind, why) = (kind.unwrap_or_default(), because(check));
                fault(question.line, format!("the run does not prove this prediction: {kind}: {why}"));
            }
        }
    }
    if let (Some(look), Some(error)) = (&step.look, &ran.raised)
        && !questions.iter().flat_map(|question| &question.proof).any(|check| matches!(check, Check::Raises { .. }))
    {
        let text = format!("this look ends with an error, which no prediction of its step proves (`raises`): {error}");
        fault(look.source.line, text);
    }
    if let Some(missing) = rest.find(|check| !check.passed) {
        // What the learner is to make is there once the exercise is solved.
        let solved = step
            .exercise
            .as_ref()
            .is_some_and(|exercise| run(&exercise.solution.code, &shown).checks.iter().all(|check| check.passed));
        if !solved {
            fault(program.line, format!("there is nothing to point at after the run: {}", because(missing)));
        }
    }
}

/// The condition that a point can be shown. Lines were counted when the lesson was read.
fn is_there(point: &Point) -> Option<Check> {
    let label = String::new();
    match point {
        Point::Block(name) => {
            let parts = name.split('.').enumerate().map(|(at, part)| match part.parse::<usize>() {
                Ok(number) => format!("[{number}]"),
                Err(_) if at == 0 => part.to_string(),
                Err(_) => format!(".{part}"),
            });
            let expr = format!("hasattr({}, 'untyped_storage')", parts.collect::<String>());
            Some(Check::Value { label, expr, machine: None })
        }
        Point::Copy(number) => Some(Check::Transfers {
            label,
            direction: None,
            min: Some(*number as u64),
            max: None,
            min_bytes: None,
            max_bytes: None,
            min_asynchronous: None,
            looking: Looking::Counted,
        }),
        Point::Line(_) => None,
    }
}

/// Runs the solutions of an exercise, which must pass every check.
fn right(exercise: &Exercise, run: &mut impl FnMut(&str, &[Check]) -> Outcome, fault: &mut impl FnMut(u32, String)) {
    let solution = run(&exercise.solution.code, &exercise.checks);
    for (check, line) in solution.checks.iter().zip(&exercise.check_lines).filter(|(check, _)| !check.passed) {
        fault(*line, format!("the solution fails this check: {}: {}", check.label, because(check)));
    }
    for other in &exercise.also_right {
        for check in run(&other.code, &exercise.checks).checks.iter().filter(|check| !check.passed) {
            let label = if other.label.is_empty() { "this also_right program" } else { &other.label };
            fault(other.line, format!("{label} fails a check: {}: {}", check.label, because(check)));
        }
    }
}

/// Runs the programs of an exercise that must fail a check.
fn wrong(exercise: &Exercise, run: &mut impl FnMut(&str, &[Check]) -> Outcome, fault: &mut impl FnMut(u32, String)) {
    let generated = |label: &str, code: String| Source { line: exercise.starter.line, label: label.into(), code };
    let commented = exercise.solution.code.lines().map(|line| format!("# {line}\n")).collect();
    let mut wrong = vec![
        generated("the untouched starter", exercise.starter.code.clone()),
        generated("an empty program", String::new()),
        generated("the solution with every line commented out", commented),
    ];
    wrong.extend(exercise.must_fail.iter().cloned());
    for source in &wrong {
        if run(&source.code, &exercise.checks).checks.iter().all(|check| check.passed) {
            let label = if source.label.is_empty() { "this must_fail program" } else { &source.label };
            fault(source.line, format!("{label} passes every check"));
        }
    }
}

/// A run and the results of its checks.
#[derive(Default)]
pub struct Outcome {
    pub checks: Vec<CheckResult>,
    pub stdout: String,
    /// `RuntimeError: …`, as a lesson quotes it.
    pub raised: Option<String>,
    pub summary: Summary,
}

/// Runs a lesson's program and judges it. Lessons come from strangers, so the program runs hosted. Every command that runs
/// programs of lessons uses this function.
pub fn run(source: &str, checks: &[Check], attached: &Attached, engine: Engine) -> Outcome {
    run_until(&Arc::default(), source, checks, attached, engine)
}

/// Like [`run`]. The program ends when `stop` is set.
pub fn run_until(
    stop: &Arc<AtomicBool>,
    source: &str,
    checks: &[Check],
    attached: &Attached,
    engine: Engine,
) -> Outcome {
    let engine = engine::install(engine);
    engine.trace.set_on(true);
    engine.trace.restart();
    let output = Rc::new(Captured::default());
    let judgment = Rc::new(Judgment { checks: checks.to_vec(), output: output.clone(), outcome: RefCell::default() });
    let host = Native::new(stop.clone()).with_files(attached.files.clone());
    let hosted = Program::hosted("main.py", source, stop.clone());
    let program = Program { observer: Some(judgment.clone()), host: Some(Rc::new(host)), ..hosted };
    python::run(&program, output);
    judgment.outcome.take()
}

/// Judges a program after it has ended.
struct Judgment {
    checks: Vec<Check>,
    output: Rc<Captured>,
    outcome: RefCell<Outcome>,
}

impl Observer for Judgment {
    fn ended(&self, finished: &Finished<'_>) {
        let summary = summarize(&engine::current().trace.drain());
        let stdout = self.output.stdout.borrow().clone();
        let error = finished.error.map(|error| (error.class.as_str(), error.message.as_str()));
        let ran = Ran { error, stdout: &stdout, summary: &summary };
        *self.outcome.borrow_mut() = Outcome {
            checks: judge(&self.checks, &ran, finished),
            stdout: stdout.clone(),
            raised: error.map(|(class, message)| format!("{class}: {message}").trim_end().to_string()),
            summary,
        };
    }
}
