//! A stand-in for the CUDA driver, NVRTC, NCCL and NVML, so that the CUDA executor runs whole where there is no GPU: the
//! program under test is started with `LD_LIBRARY_PATH` at libraries that behave as CUDA documents. They are C++, built once
//! into the target folder.
//!
//! What a test may set for the program:
//!
//! | variable | meaning |
//! |---|---|
//! | `CARD_COUNT` | cards, by default 1 |
//! | `CARD_MEMORY_MIB` | memory of each, by default 1024 |
//! | `CARD_TAKEN_MIB` | memory of each that others have |
//! | `CARD_CAPABILITY` | compute capability, by default 80 |
//! | `CARD_MODE` | `now` runs everything at once; otherwise work runs when the host waits for it |
//! | `CARD_PEER` | `0`: no card can reach another's memory |
//! | `CARD_FAULT` | the number of a launch that touches memory it may not, from 1 |
//! | `CARD_FOREIGN` | a file for the handle of a stream that another library made |
//! | `CARD_LOG` | a file for the calls that were made, a line each |

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

const MODEL: &str = include_str!("model.h");
const LIBRARIES: [(&str, &[&str]); 5] = [
    ("libcuda.so.1", &[include_str!("driver.cpp"), include_str!("kernels.cpp"), include_str!("graphs.cpp")]),
    ("libnvrtc.so", &[include_str!("nvrtc.cpp")]),
    ("libnccl.so.2", &[include_str!("nccl.cpp")]),
    ("libnvidia-ml.so.1", &[include_str!("nvml.cpp")]),
    // cuBLAS and cuBLASLt in one library: a test that needs them sets TENSORYARD_CUBLAS and TENSORYARD_CUBLASLT.
    ("libstandinblas.so", &[include_str!("blas.cpp")]),
];
/// The file with which kernels are compiled.
const DEVICE: &str = include_str!("../../src/executor/cuda/emulator/device.h");

/// [`folder`]; if there is none, prints why and returns the given value from the function.
macro_rules! card {
    ($($instead:expr)?) => {
        match $crate::card::folder() {
            Ok(folder) => folder,
            Err(why) => {
                println!("skipped: {why}");
                return $($instead)?;
            }
        }
    };
}

/// The folder with the libraries, or why there is none.
pub fn folder() -> Result<&'static Path, &'static str> {
    static BUILT: OnceLock<Result<PathBuf, String>> = OnceLock::new();
    BUILT.get_or_init(build).as_deref().map_err(String::as_str)
}

fn build() -> Result<PathBuf, String> {
    if !cfg!(target_os = "linux") {
        return Err("the stand-in for the CUDA driver is made for Linux".into());
    }
    if !Command::new("c++").arg("--version").output().is_ok_and(|o| o.status.success()) {
        return Err("there is no C++ compiler".into());
    }
    let texts = LIBRARIES.iter().flat_map(|(_, parts)| parts.iter().copied()).chain([MODEL, DEVICE]);
    let hash = tensoryard::executor::cuda::compiler::hash(&texts.collect::<String>());
    let home = Path::new(env!("CARGO_TARGET_TMPDIR")).join("card");
    let folder = home.join(format!("{hash:016x}"));
    if folder.join("done").exists() {
        return Ok(folder);
    }
    // Built in another folder and then moved, because tests in several processes may build at the same time.
    let fresh = home.join(format!("{hash:016x}.{}", std::process::id()));
    let say = |error: std::io::Error| format!("{}: {error}", fresh.display());
    std::fs::create_dir_all(&fresh).map_err(say)?;
    std::fs::write(fresh.join("model.h"), MODEL).map_err(say)?;
    std::fs::write(fresh.join("device.h"), DEVICE).map_err(say)?;
    for (library, parts) in LIBRARIES {
        let sources: Vec<PathBuf> = (0..parts.len()).map(|i| fresh.join(format!("{library}.{i}.cpp"))).collect();
        for (source, text) in sources.iter().zip(parts) {
            std::fs::write(source, text).map_err(say)?;
        }
        let mut compiler = Command::new("c++");
        compiler.args(["-std=c++17", "-O1", "-fPIC", "-shared", "-fvisibility=hidden", "-o"]);
        compile(compiler.arg(fresh.join(library)).args(&sources).arg("-ldl"))?;
    }
    // Precompiled, so that the compiler doesn't read it again for every kernel.
    let mut compiler = Command::new("c++");
    compiler.args(["-std=c++17", "-O0", "-w", "-fPIC", "-x", "c++-header", "-o"]);
    compile(compiler.arg(fresh.join("device.h.gch")).arg(fresh.join("device.h")))?;
    std::fs::write(fresh.join("done"), "").map_err(say)?;
    if std::fs::rename(&fresh, &folder).is_err() {
        // Another process was quicker.
        let _ = std::fs::remove_dir_all(&fresh);
    }
    Ok(folder)
}

fn compile(compiler: &mut Command) -> Result<(), String> {
    let output = compiler.output().map_err(|e| e.to_string())?;
    match output.status.success() {
        true => Ok(()),
        // A mistake in the stand-in must not skip tests.
        false => panic!("{}", String::from_utf8_lossy(&output.stderr)),
    }
}

/// A program written to a file of its own.
pub fn program(name: &str, text: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("card_{name}.py"));
    std::fs::write(&path, text).unwrap();
    path
}

/// The command line with the stand-in, and without the machine's own NVIDIA libraries.
pub fn tensoryard(folder: &Path, settings: &[(&str, &str)], args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tensoryard"));
    for name in
        ["CUDA_VISIBLE_DEVICES", "CUDA_HOME", "CUDA_PATH", "VIRTUAL_ENV", "CONDA_PREFIX", "CUDA_LAUNCH_BLOCKING"]
    {
        command.env_remove(name);
    }
    command
        .env("LD_LIBRARY_PATH", folder)
        .env("TENSORYARD_NVRTC", folder.join("libnvrtc.so"))
        .env("TENSORYARD_CUBLAS", folder.join("libcublas.so"))
        .env("TENSORYARD_NCCL", folder.join("libnccl.so.2"))
        .env("TENSORYARD_CACHE", folder.join("cache"))
        .env("CARD_CACHE", folder)
        .envs(settings.iter().copied())
        .args(args);
    command.output().unwrap()
}
