//! Random programs of torch calls, made and run by `calls.py`, and every function with odd arguments, one after the
//! other (`sweep.py`). Each run is a separate process.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::{budget, kept, repository, seed};

fn calls(machine: &str, shift: u64) {
    let seed = seed().wrapping_add(shift) % 1_000_000_007;
    program(machine, "calls.py", &format!("{seed} {}", budget().as_secs()), 6_000_000, budget());
}

/// Runs a program that writes to a file what it's about to do, with this much memory: requests beyond it are refused, as on a
/// machine without more.
fn program(machine: &str, file: &str, arguments: &str, kibibytes: u64, budget: Duration) {
    let log = kept(&format!("{file}-{}", machine.replace(':', "-")));
    let command = format!(
        "ulimit -v {kibibytes}; exec '{}' run --machine {machine} --executor cpu tests/fuzz/{file} {arguments} '{}'",
        env!("CARGO_BIN_EXE_tensoryard"),
        log.display(),
    );
    let mut child = Command::new("sh")
        .args(["-c", &command])
        .current_dir(repository())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("a shell starts");
    // Finds endless statements as well.
    let end = Instant::now() + budget + Duration::from_secs(90);
    let hung = loop {
        match child.try_wait().expect("it is a child") {
            Some(_) => break false,
            None if Instant::now() > end => break child.kill().is_ok(),
            None => std::thread::sleep(Duration::from_millis(100)),
        }
    };
    let output = child.wait_with_output().expect("it has ended");
    let (stdout, stderr) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    print!("{machine}: {stdout}");
    let program = std::fs::read_to_string(&log).unwrap_or_default();
    assert!(!hung, "a statement does not end; the program was:\n{program}");
    let end: String = stderr.lines().rev().take(12).collect::<Vec<_>>().join("\n");
    assert!(
        output.status.success(),
        "{:?}; {file} {arguments}; the program was:\n{program}\n{stdout}\n{end}",
        output.status
    );
}

#[test]
fn calls_on_the_cpu() {
    calls("cpu", 0);
}

#[test]
fn calls_on_a_simulated_gpu() {
    calls("cuda:1", 1);
}

/// A part of the sweep, always the same one; a long run does all of it.
#[test]
fn every_function_with_odd_arguments() {
    let long = std::env::var_os("FUZZ_SECONDS").is_some();
    let step = if long { 1 } else { 29 };
    for machine in ["cpu", "cuda:1"] {
        program(machine, "sweep.py", &format!("{step} 0"), 2_000_000, Duration::from_secs(600));
    }
}
