//! Random programs of torch calls, made and run by `calls.py`, each run in a process of its own.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::{budget, kept, repository, seed};

/// Memory of the process: what a program asks for beyond it is refused, as on a machine that has no more.
const KIBIBYTES: &str = "6000000";

fn calls(machine: &str, shift: u64) {
    let (seed, log) =
        (seed().wrapping_add(shift) % 1_000_000_007, kept(&format!("calls-{}", machine.replace(':', "-"))));
    let seconds = budget().as_secs();
    let command = format!(
        "ulimit -v {KIBIBYTES}; exec '{}' run --machine {machine} --executor cpu tests/fuzz/calls.py {seed} {seconds} '{}'",
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
    // An endless statement is found too.
    let end = Instant::now() + budget() + Duration::from_secs(90);
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
    assert!(output.status.success(), "{:?}; seed {seed}; the program was:\n{program}\n{stdout}\n{end}", output.status);
}

#[test]
fn calls_on_the_cpu() {
    calls("cpu", 0);
}

#[test]
fn calls_on_a_simulated_gpu() {
    calls("cuda:1", 1);
}
