//! `tensoryard lesson`: commands for authors of lessons.

mod check;
mod courses;
mod files;
mod pack;
mod preview;
mod publish;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, Subcommand};
use tensoryard::lesson::prose;

#[derive(Subcommand)]
pub enum LessonCommand {
    /// Reads lessons, runs their programs on every available executor, and reports every fault with its line.
    Check(CheckArgs),
    /// Writes a lesson to start from. It passes the check except for its TODOs.
    New(NewArgs),
    /// Serves the playground with your lesson on this machine, and shows every change of its file immediately.
    Preview(preview::PreviewArgs),
    /// Writes the list of a folder's lessons and a poster for each, in the form that the page needs.
    Publish(publish::PublishArgs),
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
    /// Only reads the lessons, without running their programs.
    #[arg(long)]
    no_run: bool,
}

#[derive(Args)]
pub struct NewArgs {
    /// The file to write, such as lessons/17-my-lesson.md.
    path: PathBuf,
}

pub fn run(command: LessonCommand) -> ExitCode {
    let done = match command {
        LessonCommand::Check(args) => check::check(&args),
        LessonCommand::New(args) => new(&args.path),
        LessonCommand::Preview(args) => preview::preview(&args),
        LessonCommand::Publish(args) => publish::publish(&args),
        LessonCommand::Pack(args) => pack::pack(&args),
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
    // A number at the beginning orders the files and isn't part of the id.
    let id = stem.trim_start_matches(|c: char| c.is_ascii_digit()).trim_start_matches('-');
    if !prose::is_id(id) || path.extension().is_none_or(|extension| extension != "md") {
        let shape =
            "lower-case words and digits joined by hyphens, with a number before it if you like: 17-my-lesson.md";
        return Err(format!("{}: the file's name gives the lesson its id, so it is {shape}", path.display()));
    }
    let text = include_str!("template.md").replace("NEW-LESSON-ID", id);
    let mut file = std::fs::File::create_new(path).map_err(|error| format!("{}: {error}", path.display()))?;
    file.write_all(text.as_bytes()).map_err(|error| format!("{}: {error}", path.display()))?;
    println!("{}: fill in every TODO, then run tensoryard lesson check {0}", path.display());
    Ok(ExitCode::SUCCESS)
}
