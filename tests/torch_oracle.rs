//! The `torch` package against recorded PyTorch 2.15 results: each file of cases runs as one program, which prints how many
//! agree. All have to, but for those that [`OPEN`] names.

use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};

/// How many do not agree yet, and why.
const OPEN: [(&str, usize, &str); 1] = [("repr_cpu", 1, "complex tensors")];

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/oracle/torch");

/// Runs cases of a file; answers with what was printed, how many agree, of how many.
fn check(file: &str, machine: &str, profile: &str, only: Option<&str>) -> (String, usize, usize) {
    match only {
        Some(id) => run(file, machine, profile, &[], &["--only", id]),
        None => run(file, machine, profile, &[], &[]),
    }
}

/// [`check`] with options for the command line and for the program.
fn run(file: &str, machine: &str, profile: &str, options: &[&str], more: &[&str]) -> (String, usize, usize) {
    let machine = match machine.strip_suffix(".json") {
        Some(_) => format!("{FOLDER}/{machine}"),
        None => machine.to_string(),
    };
    // Cases that save write into a folder of their own.
    static PLACES: AtomicUsize = AtomicUsize::new(0);
    let number = PLACES.fetch_add(1, Ordering::Relaxed);
    let place = std::env::temp_dir().join(format!("tensoryard-oracle-{}-{number}", std::process::id()));
    std::fs::create_dir_all(&place).expect("a temporary folder can be made");
    let mut command = Command::new(env!("CARGO_BIN_EXE_tensoryard"));
    command.current_dir(&place).env_remove("CUDA_VISIBLE_DEVICES");
    command.args(["run", "--machine", &machine]).args(options);
    command.args([&format!("{FOLDER}/check.py"), FOLDER, file, profile, "--show"]).args(more);
    let output = command.output().expect("the command line starts");
    let _ = std::fs::remove_dir_all(&place);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let last = text.lines().last().unwrap_or_default();
    let count = |word: Option<&str>| word.and_then(|w| w.parse().ok());
    let mut words = last.rsplit(' ');
    let (of, _, agree) = (count(words.next()), words.next(), count(words.next()));
    match (agree, of) {
        (Some(agree), Some(of)) => (text, agree, of),
        _ => panic!("{file} on {machine} did not finish: {last}\n{}", String::from_utf8_lossy(&output.stderr)),
    }
}

fn holds(file: &str, machine: &str, profile: &str) {
    let (text, agree, of) = check(file, machine, profile, None);
    println!("{text}");
    all_agree(file, machine, profile, agree, of);
}

fn all_agree(file: &str, machine: &str, profile: &str, agree: usize, of: usize) {
    let (open, why) = OPEN.iter().find(|(name, ..)| *name == file).map_or((0, ""), |&(_, open, why)| (open, why));
    println!("{file} {profile} on {machine}: {agree} of {of} {why}");
    assert!(
        of > 0 && agree + open == of,
        "{file} {profile} on {machine}: {agree} of {of} agree, {open} are known not to"
    );
}

/// As [`holds`], for cases that leave memory or errors behind: one that disagrees gets a process of its own.
fn holds_apart(file: &str, machine: &str, profile: &str) {
    let (text, mut agree, of) = check(file, machine, profile, None);
    for line in text.lines() {
        let Some(id) = line.strip_prefix("-- ").and_then(|l| l.split(' ').next()) else { continue };
        let (alone, ok, _) = check(file, machine, profile, Some(id));
        agree += ok;
        if ok == 0 {
            println!("{alone}");
        }
    }
    all_agree(file, machine, profile, agree, of);
}

#[test]
fn tensors_print_as_recorded() {
    holds("repr_cpu", "cpu", "");
    holds("repr_cuda", "a100x2.json", "");
}

#[test]
fn random_numbers_are_the_recorded_ones() {
    holds("rng_cpu", "cpu", "");
    holds("rng_cuda", "cuda:2", "");
}

#[test]
fn modules_start_from_the_recorded_parameters() {
    holds("nn_init", "cpu", "");
}

#[test]
fn operators_give_the_recorded_results_and_gradients() {
    holds("ops", "cpu", "");
}

/// One body for every executor: the same cases with every tensor on an accelerator, forward and backward. What agrees on the
/// CPU agrees there, but for what an executor refuses by name (WebGPU has no float64).
#[test]
fn operators_agree_on_every_executor() {
    for file in ["ops", "optimizers"] {
        let (text, ..) = run(file, "cpu", "", &[], &[]);
        let known: Vec<String> = disagreeing(&text).map(|(case, _)| case).collect();
        for executor in ["cpu", "webgpu"] {
            if executor == "webgpu" && !adapter() {
                continue;
            }
            let (text, agree, of) = run(file, "cuda:1", "", &["--executor", executor], &["--device", "cuda"]);
            println!("{file} on executor {executor}: {agree} of {of}");
            assert!(agree > 0, "{text}");
            for (case, got) in disagreeing(&text).filter(|(case, _)| !known.contains(case)) {
                assert!(
                    got.contains(&format!("(executor '{executor}'")),
                    "{file} on executor {executor}: {case}: {got}"
                );
                println!("refused: {case}: {got}");
            }
        }
    }
}

/// Case and what it gave, of each that disagrees.
fn disagreeing(text: &str) -> impl Iterator<Item = (String, String)> {
    let mut lines = text.lines();
    std::iter::from_fn(move || {
        let case = lines.find(|l| l.starts_with("-- "))?;
        Some((case.to_string(), lines.next().unwrap_or_default().trim().to_string()))
    })
}

fn adapter() -> bool {
    let found = tensoryard::executor::webgpu::WebGpuExecutor::new();
    if let Err(why) = &found {
        println!("skipped: no Vulkan adapter ({why})");
    }
    found.is_ok()
}

#[test]
fn optimizers_take_the_recorded_steps() {
    holds("optimizers", "cpu", "");
    holds("schedulers", "cpu", "");
}

#[test]
fn errors_are_worded_as_recorded() {
    holds_apart("errors_cpu", "cpu", "");
    holds_apart("errors_cuda", "a100x2.json", "");
    // With cuDNN, as a machine has it; the others were recorded without.
    holds_apart("errors_cudnn", "a100x2.json", "");
}

#[test]
fn training_runs_have_the_recorded_losses() {
    holds("train", "cpu", "");
}

#[test]
fn tensors_move_as_recorded() {
    holds("devices", "a100x2.json", "");
}

#[test]
fn warnings_are_worded_as_recorded() {
    holds_apart("warnings_cpu", "cpu", "");
    holds_apart("warnings_cuda", "a100x2.json", "");
}

#[test]
fn documents_print_what_pytorch_prints() {
    for (machine, profile) in [
        ("cpu", "nodriver"),
        ("cpu-build", "cpu_build"),
        ("a100x1.json", "cuda1"),
        ("a100x2.json", "cuda2"),
        ("a100x4.json", "cuda4"),
        // Where a document says nothing of `mps`, its machine prints what the build without CUDA prints.
        ("mps", "cpu_build"),
    ] {
        holds_apart("seeds", machine, profile);
    }
}
