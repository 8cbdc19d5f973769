//! `tensoryard lesson`: commands for authors of lessons.

mod attached;
mod check;
mod cores;
mod courses;
mod files;
mod grade;
mod pack;
mod preview;
mod print;
mod publish;
mod translate;
mod words;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, Subcommand};
use tensoryard::lesson::{CoursePart, Track, prose};

#[derive(Subcommand)]
pub enum LessonCommand {
    /// Reads lessons, runs their programs on every available executor, and reports every fault with its line.
    Check(CheckArgs),
    /// Writes a lesson to start from; in a folder `debug` or `puzzles`, a bug or a puzzle. It passes the check except for its TODOs.
    New(NewArgs),
    /// Serves the playground with your lesson on this machine, and shows every change of its file immediately.
    Preview(preview::PreviewArgs),
    /// Writes the list of a folder's lessons and a poster for each, in the form that the page needs.
    Publish(publish::PublishArgs),
    /// Grades a program as the page does, for autograders. Exit code 0 whenever it could be graded.
    Grade(grade::GradeArgs),
    /// Begins the translation of a lesson, brings it up to date with its original, and lists what is still to be translated.
    Translate(translate::TranslateArgs),
    /// Writes lessons as a static folder, as a cmi5 and a SCORM 1.2 package, and with oEmbed.
    Pack(pack::PackArgs),
}

#[derive(Args)]
pub struct CheckArgs {
    /// Lesson files, or folders with lesson files.
    #[arg(required = true)]
    paths: Vec<PathBuf>,
    /// Only on this executor; by default on every available one.
    #[arg(long)]
    executor: Option<crate::hardware::Executor>,
    /// Further glossaries, besides the one next to the lessons (glossary.yaml).
    #[arg(long, value_name = "FILE")]
    glossary: Vec<PathBuf>,
    /// Only reads the lessons, without running their programs.
    #[arg(long)]
    no_run: bool,
}

#[derive(Args)]
pub struct NewArgs {
    /// The file to write, such as lessons/b-7-my-lesson.md.
    path: PathBuf,
}

pub fn run(command: LessonCommand) -> ExitCode {
    let done = match command {
        LessonCommand::Check(args) => check::check(&args),
        LessonCommand::New(args) => new(&args.path),
        LessonCommand::Preview(args) => preview::preview(&args),
        LessonCommand::Publish(args) => publish::publish(&args),
        LessonCommand::Pack(args) => pack::pack(&args),
        LessonCommand::Translate(args) => translate::translate(&args),
        LessonCommand::Grade(args) => grade::grade(&args),
    };
    match done {
        Ok(code) => code,
        Err(text) => {
            // If standard error is closed, there is nowhere to report that.
            let _ = writeln!(std::io::stderr(), "tensoryard: {text}");
            ExitCode::from(super::USAGE_ERROR)
        }
    }
}

/// Writes the template with the id from the file's name.
fn new(path: &Path) -> Result<ExitCode, String> {
    let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
    let folder = files::folder_of(path).canonicalize().ok();
    let track = folder.as_deref().and_then(|folder| Track::of(folder.file_name()?.to_str()?));
    let name = without_place(stem);
    let id = match track {
        Some(track) if !name.is_empty() && !name.starts_with(track.prefix()) => format!("{}{name}", track.prefix()),
        _ => name.to_string(),
    };
    if !prose::is_id(&id) || path.extension().is_none_or(|extension| extension != "md") {
        let shape = "lower-case words and digits joined by hyphens, with its place before it if you like: 17-my-lesson.md, b-4-my-lesson.md";
        return Err(format!("{}: the file's name gives the lesson its id, so it is {shape}", path.display()));
    }
    let template = match track {
        None => include_str!("template.md"),
        Some(Track::Debug) => include_str!("template-debug.md"),
        Some(Track::Puzzles) => include_str!("template-puzzles.md"),
    };
    let text = template.replace("NEW-LESSON-ID", &id);
    let mut file = std::fs::File::create_new(path).map_err(|error| format!("{}: {error}", path.display()))?;
    file.write_all(text.as_bytes()).map_err(|error| format!("{}: {error}", path.display()))?;
    println!("{}: fill in every TODO, then run tensoryard lesson check {0}", path.display());
    Ok(ExitCode::SUCCESS)
}

/// A file's name without the place in the order of files, which isn't part of the id: `17-` or `b-4-`.
fn without_place(stem: &str) -> &str {
    let number = |word: &str| !word.is_empty() && word.bytes().all(|b| b.is_ascii_digit());
    let part = |word: &str| CoursePart::of(word).is_some();
    match stem.split('-').collect::<Vec<_>>()[..] {
        [first, second, _, ..] if part(first) && number(second) => &stem[first.len() + second.len() + 2..],
        [first, _, ..] if number(first) => &stem[first.len() + 1..],
        _ => stem,
    }
}

#[cfg(test)]
mod tests {
    use super::without_place;

    #[test]
    fn a_place_in_the_order_is_no_part_of_the_id() {
        for (stem, id) in [("17-my-lesson", "my-lesson"), ("b-4-my-lesson", "my-lesson"), ("0-1-tour", "tour")] {
            assert_eq!(without_place(stem), id);
        }
        for id in ["my-lesson", "a-lesson", "a-1", "17", "2d-grids"] {
            assert_eq!(without_place(id), id);
        }
    }
}
