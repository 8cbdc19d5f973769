//! The native command line.

#[path = "tensoryard/bench.rs"]
mod bench;
#[path = "tensoryard/hardware.rs"]
mod hardware;
#[path = "tensoryard/lesson/mod.rs"]
mod lesson;
#[path = "tensoryard/notebook.rs"]
mod notebook;
#[path = "tensoryard/torchrun/mod.rs"]
mod torchrun;

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use clap::{Args, Parser, Subcommand};
use tensoryard::engine::{self, Engine};
use tensoryard::language::{LANGUAGES, Language};
use tensoryard::python::{self, Finished, Observer, Program, output};
use tensoryard::trace::perfetto;

/// Shows where your tensors live: PyTorch-style Python with every device, transfer and byte in sight.
#[derive(Parser)]
#[command(version, about)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Runs a Python program, as `python FILE` does, or the cells of a notebook.
    Run(Run),
    Torchrun(torchrun::Torchrun),
    /// One process of a torchrun run.
    #[command(hide = true)]
    TorchrunRank(torchrun::Ranks),
    /// Lists which names of torch a program uses, and whether they are here, partly here or missing.
    Compat(Compat),
    /// Serves the built playground on this machine.
    Serve(Serve),
    /// Shows the machine's NVIDIA GPUs like `nvidia-smi`; a simulated machine if there are none, or if you name one.
    Smi(Smi),
    Bench(bench::Bench),
    /// For the authors of lessons.
    #[command(subcommand)]
    Lesson(lesson::LessonCommand),
}

#[derive(Args)]
struct Run {
    /// The program, or the notebook (.ipynb).
    file: PathBuf,
    /// Writes the notebook with the outputs of this run.
    #[arg(long, value_name = "OUT.ipynb")]
    save: Option<PathBuf>,
    /// The devices it sees: cpu, cpu-build, cuda:N, mps, or a JSON file; by default those of this machine, or else one
    /// simulated GPU.
    #[arg(long)]
    machine: Option<String>,
    /// What executes its accelerators: cpu, webgpu, cuda; by default what is available, and the CPU for a named
    /// machine.
    #[arg(long)]
    executor: Option<hardware::Executor>,
    /// Runs it as in the page: no files, processes or network. Files that it writes are kept in memory and lost at the
    /// end.
    #[arg(long)]
    hosted: bool,
    /// Explains mistakes about devices and memory: an error below its traceback, and mistakes that raise nothing.
    #[arg(long)]
    explain: bool,
    /// The language of explanations: en, de; by default that of LC_ALL, LC_MESSAGES or LANG, else English.
    #[arg(long, value_parser = language)]
    lang: Option<Language>,
    /// Turns launches that repeat from step to step into CUDA graphs (NVIDIA GPUs), and prints at the end how many.
    #[arg(long)]
    capture_steps: bool,
    /// Writes a trace of the run, for ui.perfetto.dev.
    #[arg(long, value_name = "OUT.json")]
    trace: Option<PathBuf>,
    /// Arguments for the program, in `sys.argv`.
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    args: Vec<String>,
}

#[derive(Args)]
struct Compat {
    /// Python programs, or notebooks.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Also lists the names that are here.
    #[arg(long)]
    all: bool,
}

#[derive(Args)]
struct Smi {
    /// A simulated machine: cpu, cpu-build, cuda:N, mps, or a JSON file.
    #[arg(long)]
    machine: Option<String>,
}

#[derive(Args)]
struct Serve {
    /// The built playground.
    #[arg(long, default_value = "dist")]
    dir: PathBuf,
    /// On 127.0.0.1; 0 takes any free port.
    #[arg(long, default_value_t = 8080)]
    port: u16,
}

/// The exit code if the command line, a machine file or the program's file is wrong.
const USAGE_ERROR: u8 = 2;

impl Command {
    /// Whether nothing is lost if the command ends in the middle of what it prints. A program gets an exception then, as in
    /// Python, and a server goes on.
    fn only_prints(&self) -> bool {
        match self {
            Command::Compat(_) | Command::Smi(_) | Command::Bench(_) => true,
            Command::Lesson(command) => !matches!(command, lesson::LessonCommand::Preview(_)),
            Command::Run(_) | Command::Torchrun(_) | Command::TorchrunRank(_) | Command::Serve(_) => false,
        }
    }
}

/// From now on the process ends, without a word, when the reader of its output is gone: `tensoryard compat FILE | head`.
fn end_with_the_reader() {
    // SAFETY: no other thread runs yet, and the default action of a signal needs no handler.
    #[cfg(unix)]
    unsafe {
        libc::signal(libc::SIGPIPE, libc::SIG_DFL);
    }
}

fn main() -> ExitCode {
    let command = Cli::parse().command;
    if command.only_prints() {
        end_with_the_reader();
    }
    // Runs on the main thread, where signals arrive, so that Ctrl-C also ends `time.sleep`.
    match command {
        Command::Run(options) => run(options),
        Command::Torchrun(options) => torchrun::torchrun(options).unwrap_or_else(fault),
        Command::TorchrunRank(program) => torchrun::rank(&program).unwrap_or_else(fault),
        Command::Compat(options) => compat(options),
        Command::Serve(options) => match tensoryard::serve::serve(&options.dir, options.port) {
            Ok(()) => ExitCode::SUCCESS,
            Err(text) => fault(text),
        },
        Command::Smi(options) => smi(&options),
        Command::Bench(options) => bench::bench(&options),
        Command::Lesson(command) => lesson::run(command),
    }
}

fn run(options: Run) -> ExitCode {
    let (program, engine) = match prepare(&options) {
        Ok(prepared) => prepared,
        Err(text) => return fault(text),
    };
    let engine = engine::install(engine);
    engine.trace.set_on(options.trace.is_some());
    engine.trace.restart();
    let ended = match &program.source {
        source if notebook::is_notebook(&options.file) => {
            match notebook::run(&program, source.as_bytes(), options.save.as_deref()) {
                Ok(ended) => ended,
                Err(text) => return fault(text),
            }
        }
        _ => python::run(&program, Rc::new(output::Process)),
    };
    if let Some(path) = options.trace {
        let write = || perfetto::write(&engine.trace.drain(), BufWriter::new(File::create(&path)?));
        if let Err(error) = write() {
            return fault(format!("trace file {}: {error}", path.display()));
        }
    }
    if options.capture_steps {
        let (graphs, kernels) = engine.launches.captured_steps();
        // If standard error is closed, there is nowhere to report that.
        let _ = writeln!(std::io::stderr(), "tensoryard: {graphs} captured steps with {kernels} kernels");
    }
    tensoryard::distributed::leave(ended.exit_code != 0);
    ExitCode::from(ended.exit_code as u8)
}

fn smi(options: &Smi) -> ExitCode {
    let real = if options.machine.is_none() { tensoryard::smi::real() } else { None };
    let name = options.machine.as_deref().unwrap_or(hardware::DEFAULT_MACHINE);
    let table = real
        .map_or_else(|| hardware::machine(name).map(|machine| tensoryard::smi::table(&Engine::on_cpu(machine))), Ok);
    match table {
        Ok(table) => {
            // If standard output is closed, there is nowhere to report that.
            let _ = write!(std::io::stdout(), "{table}");
            ExitCode::SUCCESS
        }
        Err(text) => fault(text),
    }
}

/// The names are looked up in the same modules that programs get, by a program that runs like any other.
fn compat(options: Compat) -> ExitCode {
    let Ok(machine) = hardware::machine(hardware::DEFAULT_MACHINE) else { return ExitCode::from(USAGE_ERROR) };
    engine::install(Engine::on_cpu(machine));
    let files = options.files.iter().map(|file| file.display().to_string());
    let args = options.all.then(|| "--all".to_string()).into_iter().chain(files).collect();
    // What stays out, and why, is the table that people read.
    let source = concat!(
        "LEFT_OUT = r\"\"\"",
        include_str!("../../docs/left-out.md"),
        "\"\"\"\n",
        include_str!("tensoryard/compat.py")
    );
    let program = Program { args, ..Program::new("compat.py", source) };
    ExitCode::from(python::run(&program, Rc::new(output::Process)).exit_code as u8)
}

/// Reads the files that the command line names.
fn prepare(options: &Run) -> Result<(Program, Engine), String> {
    if options.save.is_some() && !notebook::is_notebook(&options.file) {
        return Err("--save is for notebooks (.ipynb)".into());
    }
    let engine = hardware::engine_for(options.machine.as_deref(), options.executor, options.capture_steps)?;
    let file = options.file.display().to_string();
    let source = std::fs::read(&options.file).map_err(|error| format!("can't open file '{file}': {error}"))?;
    let source = String::from_utf8(source).map_err(|error| {
        let before = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = 1 + before.iter().filter(|&&byte| byte == b'\n').count();
        format!("{file}, line {line}: the file is not UTF-8 text")
    })?;
    let folder = options.file.parent().map(|folder| match folder.as_os_str().is_empty() {
        true => ".".to_string(),
        false => folder.display().to_string(),
    });
    let observer: Option<Rc<dyn Observer>> = match options.explain {
        true => Some(Rc::new(Explain(options.lang.unwrap_or_else(locale)))),
        false => None,
    };
    let args = options.args.clone();
    let program = match options.hosted {
        true => {
            // The file must not be in a folder where the program could find it.
            let name = options.file.file_name().map_or(file, |name| name.to_string_lossy().into_owned());
            Program { args, observer, ..Program::hosted(name, source, interrupted()?) }
        }
        false => Program { args, folder, catch_signals: true, observer, ..Program::new(file, source) },
    };
    Ok((program, engine))
}

/// A flag that Ctrl-C sets. A second Ctrl-C ends a process that hasn't noticed the first.
fn interrupted() -> Result<Arc<AtomicBool>, String> {
    let flag = Arc::new(AtomicBool::new(false));
    let set = flag.clone();
    let handler = ctrlc::set_handler(move || {
        if set.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
    });
    handler.map_err(|error| format!("Ctrl-C: {error}"))?;
    Ok(flag)
}

/// Reads `--lang`.
fn language(code: &str) -> Result<Language, String> {
    LANGUAGES.into_iter().find(|language| language.code() == code).ok_or_else(|| {
        let known = LANGUAGES.map(Language::code).join(", ");
        format!("the languages are {known}")
    })
}

/// The language set in the environment: as in POSIX, the first of these variables that is set decides.
fn locale() -> Language {
    let told = ["LC_ALL", "LC_MESSAGES", "LANG"].into_iter().filter_map(|name| std::env::var(name).ok());
    told.into_iter().find(|value| !value.is_empty()).and_then(|code| Language::of(&code)).unwrap_or(Language::English)
}

/// Prints the card of an error below its traceback, and the cards of mistakes that raised nothing.
struct Explain(Language);

impl Observer for Explain {
    fn ended(&self, finished: &Finished<'_>) {
        let cards = finished.cards();
        for card in cards.error.iter().chain(&cards.silent) {
            // If standard error is closed, there is nowhere to report that.
            let _ = write!(std::io::stderr(), "\n{}", card.say(self.0));
        }
    }
}

fn fault(text: String) -> ExitCode {
    // If standard error is closed, there is nowhere to report that.
    let _ = writeln!(std::io::stderr(), "tensoryard: {text}");
    ExitCode::from(USAGE_ERROR)
}
