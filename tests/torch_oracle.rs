//! The `torch` package against recorded PyTorch 2.15 results: each file of cases runs as one program, which prints how many
//! agree. A floor is what agreed when it was last raised; fewer is a regression.

use std::process::Command;

/// Runs a file of cases on a machine; answers with how many agree, of how many.
fn agreement(file: &str, machine: &str, profile: &str) -> (usize, usize) {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/oracle/torch");
    let output = Command::new(env!("CARGO_BIN_EXE_tensoryard"))
        .args(["run", "--machine", machine, &format!("{folder}/check.py"), folder, file, profile, "--show"])
        .output()
        .expect("the command line starts");
    let text = String::from_utf8_lossy(&output.stdout);
    let last = text.lines().last().unwrap_or_default();
    println!("{text}");
    let count = |word: Option<&str>| word.and_then(|w| w.parse().ok());
    let mut words = last.rsplit(' ');
    let (of, _, agree) = (count(words.next()), words.next(), count(words.next()));
    match (agree, of) {
        (Some(agree), Some(of)) => (agree, of),
        _ => panic!("{file} on {machine} did not finish: {last}\n{}", String::from_utf8_lossy(&output.stderr)),
    }
}

fn holds(file: &str, machine: &str, profile: &str, floor: usize) {
    let (agree, of) = agreement(file, machine, profile);
    assert!(agree >= floor, "{file} {profile} on {machine}: {agree} of {of} agree, {floor} did before");
}

#[test]
fn tensors_print_as_recorded() {
    holds("repr_cpu", "cpu", "", 152);
    holds("repr_cuda", "cuda:2", "", 61);
}

#[test]
fn random_numbers_are_the_recorded_ones() {
    holds("rng_cpu", "cpu", "", 264);
    holds("rng_cuda", "cuda:2", "", 63);
}

#[test]
fn modules_start_from_the_recorded_parameters() {
    holds("nn_init", "cpu", "", 28);
}

#[test]
fn operators_give_the_recorded_results_and_gradients() {
    holds("ops", "cpu", "", 197);
}

#[test]
fn optimizers_take_the_recorded_steps() {
    holds("optimizers", "cpu", "", 9);
    holds("schedulers", "cpu", "", 6);
}

#[test]
fn errors_are_worded_as_recorded() {
    holds("errors_cpu", "cpu", "", 248);
    holds("errors_cuda", "cuda:2", "", 223);
}

#[test]
fn documents_print_what_pytorch_prints() {
    for (machine, profile, floor) in [
        ("cpu", "nodriver", 37),
        ("cpu-build", "cpu_build", 37),
        ("cuda:1", "cuda1", 34),
        ("cuda:2", "cuda2", 34),
        ("cuda:4", "cuda4", 34),
    ] {
        holds("seeds", machine, profile, floor);
    }
}
