//! Programs, each about one part of the library, on the CPU. PyTorch 2.15 recorded their output in `NAME.txt`, next to
//! `NAME.py`.

use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};

/// How far a printed number may be from the recorded one: a number rounded to four digits may be rounded the other way.
const TOLERANCE: f64 = 1.1e-4;

/// A line without spaces and with `#` for each number that has a decimal point, and these numbers.
fn numbers(line: &str) -> (String, Vec<f64>) {
    let (mut text, mut found, mut word) = (String::new(), Vec::new(), String::new());
    for c in line.chars().chain([' ']) {
        if c.is_ascii_digit() || (word.is_empty() && c == '-') || (!word.is_empty() && "+-.e".contains(c)) {
            word.push(c);
            continue;
        }
        match word.parse::<f64>() {
            Ok(number) if word.contains('.') => {
                found.push(number);
                text.push('#');
            }
            _ => text.push_str(&word),
        }
        word.clear();
        if c != ' ' {
            text.push(c);
        }
    }
    (text, found)
}

fn same(ours: &str, theirs: &str) -> bool {
    let ((a, x), (b, y)) = (numbers(ours), numbers(theirs));
    ours == theirs
        || (a == b
            && x.len() == y.len()
            && x.iter().zip(&y).all(|(x, y)| (x - y).abs() <= TOLERANCE * y.abs().max(1.0)))
}

#[test]
fn programs_print_what_pytorch_printed() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs/recorded");
    let mut programs: Vec<_> = std::fs::read_dir(&folder)
        .expect("the programs are in the checkout")
        .map(|entry| entry.expect("a folder can be read").path())
        .filter(|path| path.extension().is_some_and(|e| e == "py"))
        .collect();
    programs.sort();
    assert!(!programs.is_empty());
    // On all processors: a program takes seconds in a debug build, and uses one of them.
    let next = AtomicUsize::new(0);
    let some = || {
        let programs = std::iter::from_fn(|| programs.get(next.fetch_add(1, Ordering::Relaxed)));
        programs.flat_map(|program| differences(program)).collect::<Vec<_>>()
    };
    let threads = std::thread::available_parallelism().map_or(1, |n| n.get());
    let wrong: Vec<String> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..threads).map(|_| scope.spawn(some)).collect();
        threads.into_iter().flat_map(|thread| thread.join().expect("a thread doesn't panic")).collect()
    });
    assert!(wrong.is_empty(), "{} differ\n{}", wrong.len(), wrong.join("\n"));
}

/// What a program prints otherwise than PyTorch.
fn differences(program: &Path) -> Vec<String> {
    let mut wrong = Vec::new();
    let expected = std::fs::read_to_string(program.with_extension("txt")).expect("a recording beside the program");
    let mut command = Command::new(env!("CARGO_BIN_EXE_tensoryard"));
    command.env_remove("CUDA_VISIBLE_DEVICES").args(["run", "--machine", "cpu"]).arg(program);
    let output = command.output().expect("the command line starts");
    let printed = String::from_utf8_lossy(&output.stdout);
    let name = program.display();
    if !output.status.success() {
        wrong.push(format!("{name}: {}\n{}", output.status, String::from_utf8_lossy(&output.stderr)));
    }
    let (ours, theirs): (Vec<_>, Vec<_>) = (printed.lines().collect(), expected.lines().collect());
    if ours.len() != theirs.len() {
        wrong.push(format!("{name}: {} lines, PyTorch has {}", ours.len(), theirs.len()));
    }
    for (number, (a, b)) in ours.iter().zip(&theirs).enumerate() {
        if !same(a, b) {
            wrong.push(format!("{name}, line {} of its output:\n  {a}\n  PyTorch: {b}", number + 1));
        }
    }
    wrong
}
