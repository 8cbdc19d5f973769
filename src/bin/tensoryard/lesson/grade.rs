//! `tensoryard lesson grade`: the score of a learner's program, by the same rule as in the page.

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::RecvTimeoutError;
use std::time::Duration;

use clap::Args;
use serde_json::{Value, json};
use tensoryard::app::findings::sentence;
use tensoryard::app::texts::ENGLISH;
use tensoryard::engine::Engine;
use tensoryard::lesson::score::{Aid, score};
use tensoryard::lesson::{Exercise, Fault, Lesson, Scoring, Step};

use super::attached::{self, Attached};
use super::{check, files};

#[derive(Args)]
pub struct GradeArgs {
    /// The lesson file.
    lesson: PathBuf,
    /// The learner's program.
    submission: PathBuf,
    /// The step of the exercise, by its id; needed if the lesson has more than one.
    #[arg(long, value_name = "ID")]
    step: Option<String>,
    /// Ends the program after this many seconds.
    #[arg(long, value_name = "SECONDS", default_value_t = 60)]
    timeout: u64,
    /// Writes one JSON object instead of text.
    #[arg(long)]
    json: bool,
}

/// The most bytes of a submission, and the most characters of its output in the report.
const MAX_BYTES: u64 = 1 << 20;
const OUTPUT: usize = 4000;

/// Runs the program hosted, and writes its score.
pub fn grade(args: &GradeArgs) -> Result<ExitCode, String> {
    let (file, text) = files::read(&args.lesson)?;
    let said = |faults: Vec<Fault>| faults.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n");
    let lesson = Lesson::parse(&text, &file).map_err(said)?;
    let (attached, missing) = attached::read(&lesson, &args.lesson);
    if !missing.is_empty() {
        return Err(missing.join("\n"));
    }
    let bytes = std::fs::metadata(&args.submission).map_or(0, |of| of.len());
    if bytes > MAX_BYTES {
        return Err(format!("{}: {bytes} bytes; a program has at most {MAX_BYTES}", args.submission.display()));
    }
    let (_, program) = files::read(&args.submission)?;
    let (step, exercise) = exercise(&lesson, args.step.as_deref())?;
    let graded = graded(&lesson, step, exercise, &attached, &program, Duration::from_secs(args.timeout), args.json);
    match args.json {
        true => println!("{graded:#}"),
        false => println!("{}", in_words(&graded)),
    }
    Ok(ExitCode::SUCCESS)
}

/// The exercise to grade.
fn exercise<'a>(lesson: &'a Lesson, wanted: Option<&str>) -> Result<(&'a Step, &'a Exercise), String> {
    let all: Vec<_> = lesson.steps.iter().filter_map(|step| Some((step, step.exercise.as_ref()?))).collect();
    let ids = || all.iter().map(|(step, _)| step.id.as_str()).collect::<Vec<_>>().join(", ");
    match (wanted, &all[..]) {
        (_, []) => Err(format!("the lesson '{}' has no exercise to grade", lesson.id)),
        (Some(id), all) => all
            .iter()
            .find(|(step, _)| step.id == id)
            .copied()
            .ok_or_else(|| format!("the lesson '{}' has no exercise '{id}'; it has {}", lesson.id, ids())),
        (None, [one]) => Ok(*one),
        (None, _) => {
            Err(format!("the lesson '{}' has several exercises: choose one with --step: {}", lesson.id, ids()))
        }
    }
}

fn graded(
    lesson: &Lesson,
    step: &Step,
    exercise: &Exercise,
    attached: &Attached,
    program: &str,
    limit: Duration,
    as_json: bool,
) -> Value {
    let engine = || Engine::on_cpu(lesson.machine.clone());
    // A lesson of format 1 doesn't say which checks the untouched starter passes.
    let scoring: Vec<Scoring> = match lesson.format {
        1 => {
            let starter = check::run(&exercise.starter.code, &exercise.checks, attached, engine());
            starter.checks.iter().map(|check| Scoring { guard: check.passed, objective: None }).collect()
        }
        _ => exercise.scoring.clone(),
    };
    // What is written if the program can't be ended: nothing of it counts.
    let never = {
        let none = json!({ "lesson": lesson.id, "step": step.id, "score": 0, "passed": false, "checks": [], "error": null,
            "timed_out": true, "cost": null, "output": "" });
        if as_json { format!("{none:#}") } else { in_words(&none) }
    };
    let clock = Clock::start(limit, never);
    let ran = check::run_until(&clock.stop, program, &exercise.checks, attached, engine());
    let stopped = clock.end();
    let points = score(&ran.checks, &scoring, Aid::default());
    let cost = &ran.summary.score;
    let checks = ran.checks.iter().zip(&scoring).map(|(check, scoring)| {
        let why = check.finding.as_ref().map(|found| sentence(&ENGLISH, found));
        json!({
            "label": check.label, "passed": check.passed, "guard": scoring.guard, "objective": scoring.objective, "why": why,
        })
    });
    json!({
        "lesson": lesson.id,
        "step": step.id,
        "score": points,
        "passed": !stopped && ran.checks.iter().all(|check| check.passed),
        "checks": checks.collect::<Vec<_>>(),
        "error": ran.raised,
        "timed_out": stopped,
        "cost": { "copies": cost.copies, "waits": cost.synchronisations, "kernels": cost.launches, "peak_bytes": cost.peak_bytes },
        "output": ran.stdout.chars().take(OUTPUT).collect::<String>(),
    })
}

fn in_words(graded: &Value) -> String {
    let mut out = format!("{} of 100", graded["score"]);
    for check in graded["checks"].as_array().into_iter().flatten() {
        let mark = match (check["passed"] == true, check["guard"] == true) {
            (true, false) => "passed",
            (true, true) => "passed (guard)",
            (false, _) => "failed",
        };
        out.push_str(&format!("\n{mark}: {}", check["label"].as_str().unwrap_or_default()));
        if let Some(why) = check["why"].as_str() {
            out.push_str(&format!(" {why}"));
        }
    }
    if let Some(error) = graded["error"].as_str() {
        out.push_str(&format!("\nit ended with {error}"));
    }
    if graded["timed_out"] == true {
        out.push_str("\nit was stopped, because its time was over");
    }
    out
}

/// Ends a program when its time is over.
struct Clock {
    stop: Arc<AtomicBool>,
    over: Arc<AtomicBool>,
    ended: std::sync::mpsc::Sender<()>,
}

impl Clock {
    /// `never` is written, and the process ends, if the program goes on after it was interrupted.
    fn start(limit: Duration, never: String) -> Clock {
        /// A program has this long to end, so that what it has done so far can be judged.
        const GRACE: Duration = Duration::from_secs(3);
        let (ended, wait) = std::sync::mpsc::channel::<()>();
        let (stop, over) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicBool::new(false)));
        let (setting, told) = (stop.clone(), over.clone());
        std::thread::spawn(move || {
            if wait.recv_timeout(limit) != Err(RecvTimeoutError::Timeout) {
                return;
            }
            told.store(true, Ordering::Relaxed);
            setting.store(true, Ordering::Relaxed);
            if wait.recv_timeout(GRACE) == Err(RecvTimeoutError::Timeout) {
                println!("{never}");
                std::process::exit(0);
            }
        });
        Clock { stop, over, ended }
    }

    /// Returns whether the time was over.
    fn end(self) -> bool {
        drop(self.ended);
        self.over.load(Ordering::Relaxed)
    }
}
