//! The native command line.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::rc::Rc;

use clap::{Args, Parser, Subcommand};
use tensoryard::machine::Machine;
use tensoryard::python::{self, Program, output};

/// Where your tensors live: PyTorch-style Python with every device, transfer and byte in sight.
#[derive(Parser)]
#[command(version, about)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Runs a Python program, as `python FILE` does.
    Run(Run),
}

#[derive(Args)]
struct Run {
    /// The program.
    file: PathBuf,
    /// The devices it sees: cpu, cpu-build, cuda:N, mps, or a JSON file.
    #[arg(long)]
    machine: Option<String>,
    /// Arguments for the program, in `sys.argv`.
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    args: Vec<String>,
}

/// What the shell is told when the command line, a machine file or the program's file is at fault.
const USAGE_ERROR: u8 = 2;

fn main() -> ExitCode {
    // On the main thread, where signals arrive: Ctrl-C then ends `time.sleep` too.
    match Cli::parse().command {
        Command::Run(options) => run(options),
    }
}

fn run(options: Run) -> ExitCode {
    let machine = match options.machine.as_deref().map(machine).transpose() {
        Ok(machine) => machine,
        Err(text) => return fault(text),
    };
    let file = options.file.display().to_string();
    let source = match std::fs::read(&options.file) {
        Ok(bytes) => bytes,
        Err(error) => return fault(format!("can't open file '{file}': {error}")),
    };
    let source = match String::from_utf8(source) {
        Ok(text) => text,
        Err(error) => {
            let at = error.utf8_error().valid_up_to();
            let line = 1 + error.as_bytes()[..at].iter().filter(|&&byte| byte == b'\n').count();
            return fault(format!("{file}, line {line}: the file is not UTF-8 text"));
        }
    };
    let _ = machine;
    let folder = options.file.parent().map(|folder| match folder.as_os_str().is_empty() {
        true => ".".to_string(),
        false => folder.display().to_string(),
    });
    let program = Program { args: options.args, folder, catch_signals: true, ..Program::new(file, source) };
    let ended = python::run(&program, Rc::new(output::Process));
    ExitCode::from(ended.exit_code as u8)
}

/// A preset by its name, or the machine that a JSON file describes.
fn machine(name: &str) -> Result<Machine, String> {
    if !name.ends_with(".json") {
        return Machine::preset(name).map_err(|error| error.message);
    }
    let text = std::fs::read_to_string(name).map_err(|error| format!("machine file {name}: {error}"))?;
    Machine::from_json(&text, name).map_err(|error| error.message)
}

fn fault(text: String) -> ExitCode {
    // Nobody is left to tell when standard error is closed.
    let _ = writeln!(std::io::stderr(), "tensoryard: {text}");
    ExitCode::from(USAGE_ERROR)
}
