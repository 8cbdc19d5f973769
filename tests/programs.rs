//! Complete programs through the command line, on every machine and executor, against recorded PyTorch 2.15 output.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn tensoryard(args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tensoryard"));
    command.env_remove("CUDA_VISIBLE_DEVICES").args(args).output().expect("the command line starts")
}

fn run(file: &Path, machine: &str, executor: &str) -> Output {
    tensoryard(&["run", "--machine", machine, "--executor", executor, file.to_str().expect("a plain path")])
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Why WebGPU can't run here, if it can't.
fn no_adapter(output: &Output) -> Option<String> {
    let stderr = text(&output.stderr);
    stderr.contains("no Vulkan adapter").then_some(stderr)
}

fn numbers(line: &str) -> Vec<f64> {
    line.split(|c: char| !(c.is_ascii_digit() || c == '.'))
        .filter(|w| w.contains('.') && w.len() > 3)
        .filter_map(|w| w.trim_end_matches('.').parse().ok())
        .collect()
}

/// Equal text, with computed values within `tolerance`.
fn assert_printed(printed: &str, expected: &str, tolerance: f64, what: &str) {
    let (a, b): (Vec<_>, Vec<_>) = (printed.trim_end().lines().collect(), expected.trim_end().lines().collect());
    assert_eq!(a.len(), b.len(), "{what}: {} lines against {}\n{printed}", a.len(), b.len());
    for (mine, theirs) in a.iter().zip(&b) {
        let (x, y) = (numbers(mine), numbers(theirs));
        if x == y {
            assert_eq!(mine, theirs, "{what}");
            continue;
        }
        assert_eq!(x.len(), y.len(), "{what}: {mine:?} against {theirs:?}");
        for (x, y) in x.iter().zip(&y) {
            assert!((x - y).abs() <= tolerance, "{what}: {mine:?} against {theirs:?}");
        }
    }
}

fn check_everywhere(file: &Path, on_cpu: &str, on_cuda: &str) {
    for (machine, expected) in [("cpu", on_cpu), ("cuda:1", on_cuda)] {
        for (executor, tolerance) in [("cpu", 0.0), ("webgpu", 1e-4)] {
            let what = format!("{} on {machine}, executor {executor}", file.display());
            let output = run(file, machine, executor);
            if let Some(why) = no_adapter(&output) {
                println!("skipped: {what}: {}", why.trim());
                continue;
            }
            assert!(output.status.success(), "{what}: {}\n{}", output.status, text(&output.stderr));
            assert_printed(&text(&output.stdout), expected, tolerance, &what);
        }
    }
}

#[test]
fn training_program_prints_what_pytorch_prints() {
    check_everywhere(
        Path::new("tests/programs/training_day.py"),
        include_str!("oracle/training_day.cpu.txt"),
        include_str!("oracle/training_day.cuda.txt"),
    );
}

/// The library surface: every class of `torch.nn` against finite differences in float64, optimizers, schedulers, linear
/// algebra, mixed precision, checkpointing.
#[test]
fn every_class_of_the_library_agrees_with_finite_differences_or_formulas() {
    let output = run(Path::new("tests/programs/library.py"), "cpu", "cpu");
    let printed = text(&output.stdout);
    println!("{printed}");
    assert!(output.status.success(), "{}", text(&output.stderr));
    let last = printed.lines().last().unwrap_or_default();
    let (agree, total) = last.split_once(" of ").unwrap_or_else(|| panic!("unfinished: {last}"));
    assert_eq!(agree, total);
}

/// Sizes, offsets, strides and lengths that are negative or exceed 64 bits: values and errors are PyTorch's.
#[test]
fn numbers_at_the_edge_of_64_bits_get_pytorchs_answers() {
    let output = run(Path::new("tests/programs/sizes.py"), "cpu", "cpu");
    let (printed, expected) = (text(&output.stdout), include_str!("programs/sizes.txt"));
    let (ours, theirs): (Vec<_>, Vec<_>) = (printed.lines().collect(), expected.lines().collect());
    let differ: Vec<String> =
        ours.iter().zip(&theirs).filter(|(a, b)| a != b).map(|(a, b)| format!("{a}\n  PyTorch: {b}")).collect();
    assert!(differ.is_empty(), "{} of {}\n{}", differ.len(), theirs.len(), differ.join("\n"));
    assert_eq!(ours.len(), theirs.len(), "{}", text(&output.stderr));
}

/// CUDA graphs work the same everywhere: captured steps give the same results as steps run one by one.
#[test]
fn captured_graphs_do_what_their_steps_do() {
    for executor in ["cpu", "webgpu"] {
        let output = run(Path::new("tests/programs/graphs.py"), "cuda:1", executor);
        if let Some(why) = no_adapter(&output) {
            println!("skipped: {executor}: {}", why.trim());
            continue;
        }
        assert!(output.status.success(), "{executor}: {}", text(&output.stderr));
        assert_eq!(text(&output.stdout), include_str!("programs/graphs.txt"), "{executor}");
    }
}

/// Optimizers that a graph can contain count on the device, and give the same results as when the host counts.
#[test]
fn capturable_optimizers_count_on_the_device() {
    for executor in ["cpu", "webgpu"] {
        let output = run(Path::new("tests/programs/capturable.py"), "cuda:1", executor);
        if let Some(why) = no_adapter(&output) {
            println!("skipped: {executor}: {}", why.trim());
            continue;
        }
        assert!(output.status.success(), "{executor}: {}", text(&output.stderr));
        assert_eq!(text(&output.stdout), include_str!("programs/capturable.txt"), "{executor}");
    }
}

/// Operators read inputs and write results of any strides, and keep the numbers.
#[test]
fn layouts_give_the_same_numbers_on_every_executor() {
    for executor in ["cpu", "webgpu"] {
        let output = run(Path::new("tests/programs/layouts_on_devices.py"), "cuda:1", executor);
        if let Some(why) = no_adapter(&output) {
            println!("skipped: {executor}: {}", why.trim());
            continue;
        }
        assert!(output.status.success(), "{executor}: {}", text(&output.stderr));
        let refused = match executor {
            "webgpu" => {
                "the WebGPU executor has no fft kernel for float32 for fft rfft fft2\n\
                 the WebGPU executor has no float64 arithmetic for float_power\n"
            }
            _ => "",
        };
        let compared = text(&output.stdout);
        let compared = compared.strip_prefix(refused).and_then(|rest| rest.strip_suffix(" compared\n"));
        let count = compared.and_then(|count| count.parse::<u32>().ok());
        assert!(count.is_some_and(|count| count > 1000), "{executor}: {}", text(&output.stdout));
    }
}

/// A sparse tensor's indices and values move and are counted, each by itself; operators refuse parts on two devices.
#[test]
fn sparse_tensors_are_where_their_parts_are() {
    let output = run(Path::new("tests/programs/sparse_devices.py"), "cuda:1", "cpu");
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert_eq!(text(&output.stdout), include_str!("programs/sparse_devices.txt"));
}

/// The parts of nested and masked tensors, of packed sequences and of bags move together, and the jagged layout's gradients are
/// those of its pieces, even where PyTorch has none.
#[test]
fn nested_and_masked_tensors_are_where_their_parts_are() {
    let output = run(Path::new("tests/programs/nested_devices.py"), "cuda:1", "cpu");
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert_eq!(text(&output.stdout), include_str!("programs/nested_devices.txt"));
}

#[test]
fn programs_see_the_devices_that_they_select() {
    let program = Path::new("tests/programs/visible_devices.py");
    let output = run(program, "tests/programs/three_cards.json", "cpu");
    let expected = "3\n2 False\ntensor([1.], device='cuda:0') [3000, 1000]\n2 tensor([1.], device='cuda:1')\nCUDA error: invalid device ordinal\n";
    assert_eq!(text(&output.stdout), expected, "{}", text(&output.stderr));

    // A setting in the shell counts as well, and may hide every device.
    let hidden = |value: &str, code: &str| {
        let file = tempfile().join("hidden.py");
        std::fs::write(&file, code).unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_tensoryard"));
        command.env("CUDA_VISIBLE_DEVICES", value).args(["run", "--machine", "cuda:2"]).arg(&file);
        text(&command.output().expect("the command line starts").stdout)
    };
    assert_eq!(hidden("1", "import torch\nprint(torch.cuda.is_available(), torch.cuda.device_count())"), "True 1\n");
    let refused = "import torch\ntry:\n    torch.ones(1).cuda()\nexcept RuntimeError as e:\n    print(torch.cuda.is_available(), e)";
    assert_eq!(hidden("", refused), "False No CUDA GPUs are available\n");
}

/// The document that the product implements first, if it's next to the checkout: its five Python blocks, unchanged, as
/// one program. Its losses are recorded with `torch.manual_seed(0)` at the beginning.
#[test]
fn the_document_runs_unchanged() {
    let Some(document) = document() else {
        println!("skipped: the document is not beside this checkout");
        return;
    };
    let program: String = python_blocks(&document).concat();
    let folder = tempfile();
    let plain = folder.join("document.py");
    std::fs::write(&plain, &program).unwrap();
    for (machine, device, tensor_device) in [("cpu", "cpu", "cpu"), ("cuda:1", "cuda", "cuda:0")] {
        for executor in ["cpu", "webgpu"] {
            let output = run(&plain, machine, executor);
            if let Some(why) = no_adapter(&output) {
                println!("skipped: {machine} on webgpu: {}", why.trim());
                continue;
            }
            let printed = text(&output.stdout);
            assert!(output.status.success(), "{machine} {executor}: {}", text(&output.stderr));
            assert!(printed.contains(&format!("The selected device is: {device}\n")), "{printed}");
            assert!(printed.contains(&format!("New tensor device: {tensor_device}\n")), "{printed}");
            let mismatch = "Error encountered: Expected all tensors to be on the same device, but found at least two devices, cuda:0 and cpu!\n";
            assert_eq!(printed.contains(mismatch), machine == "cuda:1", "{printed}");
            assert_eq!(printed.matches("Epoch [").count(), 3, "{printed}");
        }
    }
    let seeded = folder.join("seeded.py");
    std::fs::write(&seeded, format!("import torch; torch.manual_seed(0)\n{program}")).unwrap();
    let output = run(&seeded, "cpu", "cpu");
    let printed = text(&output.stdout);
    for line in [
        "Epoch [1/3], Loss: 1.2603",
        "Epoch [2/3], Loss: 0.7299",
        "Epoch [3/3], Loss: 0.7167",
        "Evaluation complete. Mean Absolute Error on the dataset: 0.7956",
    ] {
        assert!(printed.lines().any(|l| l == line), "{line:?} is missing in\n{printed}");
    }
    std::fs::remove_dir_all(folder).unwrap();
}

fn document() -> Option<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/seeds");
    let file =
        std::fs::read_dir(folder).ok()?.flatten().find(|f| f.file_name().to_string_lossy().starts_with("003_"))?;
    std::fs::read_to_string(file.path()).ok()
}

fn python_blocks(document: &str) -> Vec<String> {
    let mut blocks = Vec::new();
    let mut open: Option<String> = None;
    for line in document.lines() {
        match &mut open {
            None if line == "```python" => open = Some(String::new()),
            None => {}
            Some(_) if line == "```" => blocks.extend(open.take()),
            Some(block) => {
                block.push_str(line);
                block.push('\n');
            }
        }
    }
    assert_eq!(blocks.len(), 5, "the document has five Python blocks");
    blocks
}

fn tempfile() -> PathBuf {
    let folder = std::env::temp_dir().join(format!("tensoryard-programs-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// For bad input, there is a sentence and an exit code.
#[test]
fn bad_input_answers_plainly() {
    let folder = tempfile().join("bad");
    std::fs::create_dir_all(&folder).unwrap();
    let write = |name: &str, code: &str| {
        let path = folder.join(name);
        std::fs::write(&path, code).unwrap();
        path
    };
    let cases = [
        ("syntax.py", "x = (1,\nprint(x\n", "cuda:1", "SyntaxError"),
        (
            "device.py",
            "import torch\ntorch.ones(1).to('gpu')\n",
            "cuda:1",
            "RuntimeError: Expected one of cpu, cuda, ipu, xpu, mkldnn, opengl, opencl, ideep, hip, ve, fpga, maia, xla, lazy, vulkan, mps, meta, hpu, mtia, privateuseone device type at start of device string: gpu",
        ),
        (
            "huge_cpu.py",
            "import torch\ntorch.ones(10**6, 10**6)\n",
            "cpu",
            "you tried to allocate 4000000000000 bytes. Error code 12 (Cannot allocate memory)",
        ),
        (
            "huge_cuda.py",
            "import torch\ntorch.ones(10**6, 10**6, device='cuda')\n",
            "cuda:1",
            "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 3725.29 GiB.",
        ),
        // On an Apple GPU, the message used to say that CUDA was out of memory.
        (
            "huge_mps.py",
            "import torch\nkept = [torch.empty(1 << 30, device='mps') for _ in range(5)]\n",
            "mps",
            "\nRuntimeError: MPS backend out of memory (MPS allocated: 16.00 GiB, other allocations: 0 bytes, max allowed: 16.00 GiB). Tried to allocate 4.00 GiB on private pool. Use PYTORCH_MPS_HIGH_WATERMARK_RATIO=0.0 to disable upper limit for memory allocations (may cause system failure).\n",
        ),
        ("overflow.py", "import torch\ntorch.ones(10**12, 10**12)\n", "cpu", "Storage size calculation overflowed"),
    ];
    for (name, code, machine, expected) in cases {
        let path = write(name, code);
        let output = run(&path, machine, "cpu");
        let stderr = text(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{name}: {stderr}");
        assert!(stderr.contains(expected), "{name}: {stderr}");
    }
    let program = write("fine.py", "print(1)\n");
    let machine = write("machine.json", "{ \"name\": \"x\", \"build\": \"cuda\",\n  \"gpus\": [] }\n");
    let output = run(&program, machine.to_str().unwrap(), "cpu");
    let stderr = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{stderr}");
    assert!(stderr.contains("machine.json") && stderr.contains("`gpus`") && stderr.contains("line 2"), "{stderr}");
    let output = run(&program, "tpu", "cpu");
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("unknown machine 'tpu'"));
    std::fs::remove_dir_all(folder).unwrap();
}

/// The trace file of a run accounts for every byte: replayed totals equal those that the engine reported.
#[test]
fn a_trace_is_written() {
    let folder = tempfile().join("trace");
    std::fs::create_dir_all(&folder).unwrap();
    let out = folder.join("out.json");
    let output = tensoryard(&[
        "run",
        "--machine",
        "cuda:1",
        "--executor",
        "cpu",
        "--trace",
        out.to_str().unwrap(),
        "tests/programs/training_day.py",
    ]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let trace: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(&out).unwrap()).unwrap();
    assert!(trace["traceEvents"].as_array().is_some_and(|e| e.len() > 1000));
    std::fs::remove_dir_all(folder).unwrap();
}
