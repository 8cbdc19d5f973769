//! Several processes whose GPUs are linked by NCCL, on stand-ins for the driver and for NCCL.

#![cfg(all(feature = "cuda", feature = "cli"))]

#[macro_use]
mod card;

use std::path::{Path, PathBuf};
use std::process::Output;
use std::time::{Duration, Instant};

fn program(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs/distributed").join(name)
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Runs a program in several processes that torchrun itself starts, without MPI.
fn torchrun(folder: &Path, settings: &[(&str, &str)], options: &[&str], file: &Path, args: &[&str]) -> Output {
    let fixed = ["torchrun", "--launcher", "own", "--standalone", "--executor", "cuda"];
    let all: Vec<&str> = fixed.iter().chain(options).copied().chain([file.to_str().unwrap()]).collect();
    let settings: Vec<(&str, &str)> =
        [("OMP_NUM_THREADS", "1"), ("PATH", "/usr/bin:/bin")].iter().chain(settings).copied().collect();
    card::tensoryard(folder, &settings, &[&all[..], args].concat())
}

#[track_caller]
fn ran(output: Output) -> String {
    assert!(output.status.success(), "{}\n{}\n{}", output.status, text(&output.stdout), text(&output.stderr));
    text(&output.stdout)
}

#[test]
fn every_collective_computes_what_it_should() {
    let folder = card!();
    for mode in ["late", "now"] {
        let settings = [("CARD_COUNT", "2"), ("CARD_MODE", mode)];
        let printed = ran(torchrun(folder, &settings, &["--nproc-per-node", "2"], &program("nccl.py"), &[]));
        let mut lines: Vec<_> = printed.lines().collect();
        lines.sort();
        assert_eq!(lines, [0, 1].map(|r| format!("rank {r} of 2: all as it should be")), "{mode}");
    }
}

/// The same test as in `tests/distributed.rs` for MPI: two processes with half of each batch get the same result as one
/// with all of it.
#[test]
fn processes_get_the_parameters_of_one() {
    let folder = card!();
    let train = program("train.py");
    let numbers = |text: String| -> Vec<f64> { serde_json::from_str(text.trim()).unwrap() };
    for args in [&["nccl", "sgd"][..], &["nccl", "sgd", "accumulate"]] {
        let settings = [("CARD_COUNT", "2")];
        let alone = numbers(ran(torchrun(folder, &settings, &["--nproc-per-node", "1"], &train, args)));
        let trace = train_trace();
        let options = ["--nproc-per-node", "2", "--trace", trace.to_str().unwrap()];
        let both = numbers(ran(torchrun(folder, &settings, &options, &train, args)));
        assert_eq!((alone.len(), both.len()), (163, 163));
        for (a, b) in both.iter().zip(&alone) {
            assert!((a - b).abs() <= 1e-6, "{args:?}: {a} against {b}");
        }
        // One bucket per step, and nothing goes through the host.
        let seen = std::fs::read_to_string(trace.with_extension("1.json")).unwrap();
        let count = |what: &str| seen.matches(what).count();
        assert_eq!((count("\"nccl:all_reduce\""), count("\"all_reduce\"")), (12, 0));
    }
}

fn train_trace() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("nccl_trace.json")
}

/// Whatever is missing or wrong is reported before anything waits for it.
#[test]
fn what_cannot_be_is_said() {
    let folder = card!();
    let file = card::program(
        "nccl_wrong",
        "import os, sys, torch, torch.distributed as dist\n\
         torch.cuda.set_device(0 if sys.argv[1:] == ['shared'] else int(os.environ['LOCAL_RANK']))\n\
         try:\n    \
             dist.init_process_group('nccl')\n    \
             dist.all_reduce(torch.ones(1, device='cuda'))\n    \
             print('passed')\n\
         except RuntimeError as error:\n    \
             print(f'{type(error).__name__}: {error}\\n', end='', flush=True)\n",
    );
    let run = |settings: &[(&str, &str)], args: &[&str]| {
        let settings: Vec<_> = [("CARD_COUNT", "2")].iter().chain(settings).copied().collect();
        let output = torchrun(folder, &settings, &["--nproc-per-node", "2"], &file, args);
        assert!(output.status.success(), "{}", text(&output.stderr));
        (text(&output.stdout), text(&output.stderr))
    };
    let (out, _) = run(&[], &["shared"]);
    for (a, b) in [(0, 1), (1, 0)] {
        let expected = format!(
            "DistBackendError: NCCL error: invalid usage (run with NCCL_DEBUG=WARN for details), NCCL version 2.27.3\n\
             ncclInvalidUsage: This usually reflects invalid usage of NCCL library.\nLast error:\n\
             Duplicate GPU detected : rank {a} and rank {b} both on CUDA device Stand-in card 0\n"
        );
        assert!(out.contains(&expected), "{out}");
    }
    let (out, err) = run(&[("TENSORYARD_NCCL", "/nowhere/libnccl.so.2")], &[]);
    assert_eq!(out, "RuntimeError: Distributed package doesn't have NCCL built in\n".repeat(2));
    let said =
        err.matches("tensoryard: NCCL, which joins the GPUs of several processes, is missing (libnccl.so.2)").count();
    assert_eq!(said, 2, "{err}");
}

/// If a rank ends while others wait for it, or never comes, their wait ends.
#[test]
fn nobody_is_waited_for_who_has_ended() {
    let folder = card!();
    let file = card::program(
        "nccl_gone",
        "import os, sys, torch, torch.distributed as dist\n\
         rank = int(os.environ['RANK'])\n\
         torch.cuda.set_device(rank)\n\
         if sys.argv[1] == 'never' and rank == 1: sys.exit(0)\n\
         try:\n    \
             dist.init_process_group('nccl')\n    \
             if rank == 0: dist.barrier()\n\
         except RuntimeError as error:\n    \
             print(error)\n",
    );
    for (how, expected) in [
        ("never", "init_process_group: rank 0 waits for rank 1, whose program has ended without calling it\n"),
        (
            "early",
            "nccl:all_reduce_barrier: rank 0 waits for rank 1, whose program has ended; every rank must make the same calls\n",
        ),
    ] {
        let began = Instant::now();
        let output = torchrun(folder, &[("CARD_COUNT", "2")], &["--nproc-per-node", "2"], &file, &[how]);
        assert_eq!(text(&output.stdout), expected, "{}", text(&output.stderr));
        assert!(began.elapsed() < Duration::from_secs(20), "{how}: {:?}", began.elapsed());
    }
}
