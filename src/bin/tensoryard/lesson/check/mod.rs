//! Runs the programs of lessons and says what is wrong with them, file by file and line by line.

mod course;
mod runs;

use std::collections::HashSet;
use std::path::PathBuf;
use std::process::ExitCode;

use tensoryard::lesson::translation::{self, Written};
use tensoryard::lesson::{Fault, Lesson};

pub use self::course::GLOSSARY;
pub use self::runs::{run, run_until};
use super::CheckArgs;
use super::attached::{self, Attached};
use super::cores;
use super::files::{self, Found, Translation};
use super::words;
use crate::hardware::{Available, Executor};

/// A lesson that was read.
struct Read {
    file: String,
    path: PathBuf,
    text: String,
    lesson: Lesson,
    attached: Attached,
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
    let (mut faults, mut page_faults) = (Vec::new(), Vec::new());
    let mut lessons = Vec::new();
    for path in &files {
        let (file, text) = files::read(path)?;
        match Lesson::parse(&text, &file) {
            Ok(lesson) => {
                faults.extend(lesson.review(&text, &file));
                let (attached, missing) = attached::read(&lesson, path);
                let read = Read { file, path: path.clone(), text, lesson, attached };
                faults.extend(missing.into_iter().map(|message| read.fault("files:", message)));
                lessons.push(read);
            }
            Err(found) => faults.extend(found),
        }
    }
    faults.extend(course::between(&lessons, &files)?);
    faults.extend(course::terms(&lessons, &args.glossary)?);
    faults.extend(course::panels(&lessons, &args.paths));
    faults.extend(course::tracks(&lessons));
    for Translation { path, original, language } in &translations {
        let (file, text) = files::read(path)?;
        let (original_file, original_text) = files::read(original)?;
        let original = Written { file: &original_file, text: &original_text };
        faults.extend(translation::faults(original, Written { file: &file, text: &text }, language));
    }
    let mut read: Vec<PathBuf> = Vec::new();
    for Translation { path, language, .. } in &translations {
        let folder = files::home_of(path);
        if !read.contains(&folder) && !words::is_compiled(language) {
            page_faults.extend(words::read(&folder.join(words::FILE), language).err().into_iter().flatten());
            read.push(folder);
        }
    }
    if !args.no_run {
        faults.extend(run_all(&lessons, &executors)?);
    }
    let mut seen = HashSet::new();
    let faults = faults.iter().map(Fault::to_string).chain(page_faults);
    for fault in faults.filter(|fault| seen.insert(fault.clone())) {
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

/// Runs every lesson on every executor. Faults are in the order of the lessons.
fn run_all(lessons: &[Read], executors: &[Executor]) -> Result<Vec<Fault>, String> {
    let jobs: Vec<(&Read, Executor)> =
        lessons.iter().flat_map(|read| executors.iter().map(move |e| (read, *e))).collect();
    let found = cores::on_all(&jobs, Vec::<(Executor, Available)>::new, |here, (read, wanted)| {
        let at = match here.iter().position(|(which, _)| which == wanted) {
            Some(at) => at,
            None => {
                here.push((*wanted, Available::new(*wanted)?));
                here.len() - 1
            }
        };
        let executor = &here[at].1;
        eprintln!("{}: running on {}", read.file, executor.name);
        Ok(runs::of_lesson(read, executor, executors.first() == Some(wanted)))
    })?;
    Ok(found.into_iter().flatten().collect())
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
