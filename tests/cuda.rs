//! The command line with the CUDA executor on machines without a GPU, a driver or a compiler. Tests that need a GPU print
//! `skipped:` and why.

#![cfg(all(feature = "cuda", feature = "cli"))]

use std::path::PathBuf;
use std::process::{Command, Output};

use tensoryard::executor::cuda::driver::cards;

fn program(name: &str, text: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, text).unwrap();
    path
}

fn tensoryard(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_tensoryard")).args(args).output().unwrap()
}

#[test]
fn cuda_without_a_driver_is_what_pytorch_says_and_what_to_install() {
    if cards().is_ok() {
        return println!("skipped: there is a GPU");
    }
    let path = program(
        "cuda_missing.py",
        "import torch\nprint(torch.cuda.is_available(), torch.cuda.device_count())\n\
         try:\n    torch.ones(1).cuda()\nexcept RuntimeError as e:\n    print(e)\n",
    );
    let output = tensoryard(&["run", "--executor", "cuda", path.to_str().unwrap()]);
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert_eq!(
        out,
        "False 0\nFound no NVIDIA driver on your system. Please check that you have an NVIDIA GPU and installed a driver \
         from http://www.nvidia.com/Download/index.aspx\n"
    );
    assert!(err.starts_with("tensoryard: ") && err.contains("install") && err.lines().count() == 1, "{err}");
    assert!(output.status.success());
    // A machine that was named isn't replaced by another one.
    let output = tensoryard(&["run", "--machine", "cuda:1", "--executor", "cuda", path.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn smi_shows_the_simulated_machine_where_there_is_no_driver() {
    let output = tensoryard(&["smi"]);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    if cards().is_ok() {
        return assert!(text.contains("Driver Version"), "{text}");
    }
    assert!(text.contains("simulated by Tensoryard"), "{text}");
}

/// Every program of `tests/programs`, compared with the CPU executor.
#[test]
fn cuda_runs_the_training_program_as_the_cpu_does() {
    if let Err(why) = cards() {
        return println!("skipped: {why}");
    }
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/programs/training_day.py");
    let on = |executor: &str| {
        let output = tensoryard(&["run", "--executor", executor, file]);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8_lossy(&output.stdout).lines().count()
    };
    assert_eq!(on("cuda"), on("cpu"));
}
