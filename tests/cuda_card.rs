//! The CUDA executor on a stand-in for the driver: the output of programs, and their errors.

#![cfg(all(feature = "cuda", feature = "cli"))]

#[macro_use]
mod card;

use std::path::Path;

#[path = "card/graphs.rs"]
mod graphs;

struct Ran {
    out: String,
    err: String,
    code: Option<i32>,
}

fn run(folder: &Path, settings: &[(&str, &str)], args: &[&str], file: &Path) -> Ran {
    let args: Vec<&str> = [&["run"], args, &[file.to_str().unwrap()]].concat();
    let output = card::tensoryard(folder, settings, &args);
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Ran { out: text(&output.stdout), err: text(&output.stderr), code: output.status.code() }
}

/// Runs it on cards, and on cards that the CPU executor simulates, which must give the same.
fn on_both(folder: &Path, cards: &str, file: &Path) -> (String, String) {
    let settings = [("CARD_COUNT", cards), ("CARD_MEMORY_MIB", "24576")];
    let machine = format!("cuda:{cards}");
    let on = |executor: &str| {
        let ran = run(folder, &settings, &["--machine", &machine, "--executor", executor], file);
        assert_eq!(ran.code, Some(0), "{executor}: {}{}", ran.out, ran.err);
        ran.out
    };
    (on("cuda"), on("cpu"))
}

const TRAINING: &str = r#"
import torch
from torch import nn

torch.manual_seed(0)
x, target = torch.randn(64, 8), torch.randint(3, (64,))
model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 3)).to("cuda")
optimizer = torch.optim.Adam(model.parameters(), lr=0.05)
x, target = x.to("cuda"), target.to("cuda")
for step in range(5):
    optimizer.zero_grad()
    loss = nn.functional.cross_entropy(model(x), target)
    loss.backward()
    optimizer.step()
    print(step, f"{loss.item():.4f}")
print(model(x).argmax(1)[:8])
print(torch.cuda.memory_allocated(), torch.cuda.memory_reserved(), torch.cuda.max_memory_allocated())
print({k: v for k, v in torch.cuda.memory_stats().items() if "allocation" in k})
"#;

#[test]
fn training_on_a_card_prints_and_counts_as_on_the_cpu() {
    let folder = card!();
    let file = card::program("training", TRAINING);
    let (cuda, cpu) = on_both(folder, "1", &file);
    assert_eq!(cuda, cpu);
    assert!(cuda.lines().count() == 8, "{cuda}");
    // If work runs immediately, the result is the same.
    let ran = run(folder, &[("CARD_MODE", "now"), ("CARD_MEMORY_MIB", "24576")], &["--executor", "cuda"], &file);
    assert_eq!(ran.out, cpu, "{}", ran.err);
}

/// With cuBLAS and cuBLASLt, the same training prints and counts the same, and they compute every product: each product of
/// `nn.Linear` is one call including its bias. The program's precision switches reach them.
#[test]
fn training_with_the_libraries_of_products_prints_and_counts_the_same() {
    let folder = card!();
    let (blas, log) = (folder.join("libstandinblas.so"), card::program("products", "").with_extension("log"));
    let (blas, path) = (blas.to_str().unwrap(), log.to_str().unwrap());
    let settings = [
        ("CARD_MEMORY_MIB", "24576"),
        ("TENSORYARD_CUBLAS", blas),
        ("TENSORYARD_CUBLASLT", blas),
        ("CARD_BLAS_LOG", path),
    ];
    let products = |name: &str, text: &str| {
        let _ = std::fs::remove_file(&log);
        let file = card::program(name, text);
        let ran = run(folder, &settings, &["--machine", "cuda:1", "--executor", "cuda"], &file);
        assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{}", ran.out);
        (ran.out, std::fs::read_to_string(&log).unwrap())
    };
    let (cuda, calls) = products("training_products", TRAINING);
    let cpu = run(folder, &[], &["--machine", "cuda:1", "--executor", "cpu"], &card::program("training_cpu", TRAINING));
    assert_eq!(cuda, cpu.out);
    let of = |what: &str| calls.lines().filter(|line| line.starts_with(what)).count();
    // Two layers forward in five steps and at the end; three products backward in each step. Each algorithm is requested
    // once.
    assert_eq!((of("lt"), of("gemm"), of("heuristic")), (12, 15, 2), "{calls}");

    let text = "import torch\nfrom torch.nn.functional import linear\n\
                x, w, b = torch.ones(2, 4).cuda(), torch.ones(3, 4).cuda(), torch.ones(3).cuda()\n\
                m = torch.backends.cuda.matmul\nlinear(x, w, b), x @ w.t()\n\
                m.allow_tf32 = True\nlinear(x, w, b), x @ w.t()\n\
                torch.set_float32_matmul_precision('highest')\nlinear(x, w, b), x @ w.t()\n\
                m.fp32_precision = 'tf32'\nprint(linear(x, w, b), x @ w.t())\n";
    let (out, calls) = products("precision_products", text);
    assert!(out.contains("[[5., 5., 5.],") && out.contains("[4., 4., 4.]]"), "{out}");
    let products = calls.lines().filter(|line| !line.starts_with("heuristic"));
    let computes: Vec<&str> =
        products.map(|line| line.split_once("compute ").unwrap().1.split(' ').next().unwrap()).collect();
    assert_eq!(computes, ["68", "68", "77", "77", "68", "68", "77", "77"], "{calls}");
}

/// Programs that other executors run too: memory's history and statistics, a training day, NumPy beside tensors.
#[test]
fn programs_on_cards_print_what_they_print_on_the_cpu() {
    let folder = card!();
    for name in ["memory.py", "training_day.py", "numpy_tensors.py"] {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs").join(name);
        let (cuda, cpu) = on_both(folder, "1", &file);
        assert_eq!(cuda, cpu, "{name}");
    }
}

const OUTSIDE: &str = r#"
import torch

B = 2**63 - 1
before, x, after = (torch.full((3,), v, device="cuda") for v in (1.0, 2.0, 3.0))
for program in [
    "x.as_strided((2,), (1,), -1)", "x.as_strided((-1,), (0,))", "x.as_strided((2,), (B,))", "x.as_strided((3,), (2,))",
    "x.narrow(0, 1, B)", "x.narrow(0, 1, 3)", "x[B:]", "x.expand(B, 3)", "x.unfold(0, 2, B)", "x.select(0, -4)",
    "x.set_(x, -1, (2,), (1,))", "x.set_(x, 2, (2,), (1,))",
]:
    try:
        view = eval(program)
        view.fill_(7.0)
        print(program, view)
    except Exception as error:
        print(program, type(error).__name__, error)
print(before, x, after)
"#;

/// A view that would leave its storage is refused before a kernel runs: the memory there belongs to another tensor.
#[test]
fn views_that_leave_their_storage_are_refused_on_a_card() {
    let folder = card!();
    let file = card::program("outside", OUTSIDE);
    let (cuda, cpu) = on_both(folder, "1", &file);
    assert_eq!(cuda, cpu);
    assert!(cuda.contains("x.as_strided((2,), (1,), -1) RuntimeError Tensor: invalid storage offset -1"), "{cuda}");
    let values = "tensor([1., 1., 1.], device='cuda:0') tensor([7., 7., 2.], device='cuda:0') tensor([3., 3., 3.], device='cuda:0')";
    assert_eq!(cuda.lines().last(), Some(values), "{cuda}");
}

const WRONG_INDEX: &str = r#"
import torch
x = torch.arange(4.0, device="cuda")
y = x[torch.tensor([0, 9], device="cuda")]
print("not yet")
try:
    torch.cuda.synchronize()
except RuntimeError as error:
    print(type(error).__name__, error)
try:
    print(x + 1)
except RuntimeError as error:
    print(str(error).splitlines()[0])
"#;

#[test]
fn an_index_out_of_bounds_is_a_device_side_assert_at_the_next_wait() {
    let folder = card!();
    let (cuda, cpu) = on_both(folder, "1", &card::program("wrong_index", WRONG_INDEX));
    assert_eq!(cuda, cpu);
    let lines: Vec<&str> = cuda.lines().collect();
    assert_eq!(lines[..2], ["not yet", "AcceleratorError CUDA error: device-side assert triggered"]);
    assert_eq!(lines.last(), Some(&"CUDA error: device-side assert triggered"));
}

const FULL: &str = r#"
import torch
kept = torch.empty(20 << 20, dtype=torch.uint8, device="cuda")
freed = torch.empty(30 << 20, dtype=torch.uint8, device="cuda")
del freed
# The card has no room for it beside what is cached: the cache goes back first.
big = torch.empty(50 << 20, dtype=torch.uint8, device="cuda")
big[-9:] = 1
print(big[-9:].sum().item())
try:
    torch.empty(80 << 20, dtype=torch.uint8, device="cuda")
except torch.cuda.OutOfMemoryError as error:
    print(error)
del big
print(torch.empty(40 << 20, dtype=torch.uint8, device="cuda").shape)
"#;

#[test]
fn a_full_card_is_out_of_memory_and_goes_on() {
    let folder = card!();
    let file = card::program("full", FULL);
    let ran = run(folder, &[("CARD_MEMORY_MIB", "100")], &["--executor", "cuda"], &file);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(
        ran.out.starts_with(
            "9\nCUDA out of memory. Tried to allocate 80.00 MiB. GPU 0 has a total capacity of 100.00 MiB"
        ),
        "{}",
        ran.out
    );
    assert!(ran.out.ends_with("torch.Size([41943040])\n"), "{}", ran.out);
    // Another process has memory that the planner counts on.
    let ran = run(folder, &[("CARD_MEMORY_MIB", "200"), ("CARD_TAKEN_MIB", "100")], &["--executor", "cuda"], &file);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let said = "9\nCUDA out of memory: the hardware beneath cuda:0 (Stand-in card 0) has no room for 83886080 bytes\n";
    assert!(ran.out.starts_with(said), "{}", ran.out);
}

const TWO: &str = r#"
import torch
print(torch.cuda.device_count(), torch.cuda.get_device_name(1))
a = torch.arange(6.0, device="cuda:0")
b = a.to("cuda:1") * 2
print(a + 1, b)
print((b.to("cuda:0") + a).sum().item(), torch.cuda.memory_allocated(0), torch.cuda.memory_allocated(1))
try:
    a + b
except RuntimeError as error:
    print(error)
with torch.cuda.device(1):
    print(torch.ones(2, device="cuda").device)
"#;

#[test]
fn two_cards_are_two_devices() {
    let folder = card!();
    let file = card::program("two", TWO);
    let ran = run(folder, &[("CARD_COUNT", "2")], &["--executor", "cuda"], &file);
    let expected = "2 Stand-in card 1\n\
                    tensor([1., 2., 3., 4., 5., 6.], device='cuda:0') tensor([ 0.,  2.,  4.,  6.,  8., 10.], device='cuda:1')\n\
                    45.0 512 512\n\
                    Expected all tensors to be on the same device, but found at least two devices, cuda:0 and cuda:1!\n\
                    cuda:1\n";
    assert_eq!(ran.out, expected, "{}", ran.err);
    // Hidden cards don't exist for the program; two devices may share one.
    let ran = run(folder, &[("CARD_COUNT", "3"), ("CUDA_VISIBLE_DEVICES", "2,1")], &["--executor", "cuda"], &file);
    assert_eq!(ran.out, expected, "{}", ran.err);
    let ran = run(folder, &[], &["--machine", "cuda:2", "--executor", "cuda"], &file);
    assert_eq!(ran.out.split_once('\n').unwrap().1, expected.split_once('\n').unwrap().1, "{}", ran.err);
}

#[test]
fn what_is_missing_is_said() {
    let folder = card!();
    let file = card::program("missing", "import torch\nprint(torch.cuda.is_available())\n");
    let without = |settings: &[(&str, &str)], text: &str| {
        let ran = run(folder, settings, &["--executor", "cuda"], &file);
        assert_eq!((ran.out.as_str(), ran.code), ("False\n", Some(0)));
        assert!(ran.err.contains(text) && ran.err.lines().count() == 1, "{}", ran.err);
    };
    without(&[("CARD_COUNT", "0")], "the NVIDIA driver is here, but it shows no GPU");
    without(&[("CUDA_VISIBLE_DEVICES", "")], "the NVIDIA driver is here, but it shows no GPU");
    without(&[("TENSORYARD_NVRTC", "/nowhere/libnvrtc.so")], "NVRTC, which compiles the kernels, is missing");
    // An older compiler makes PTX for a newer card, because a driver doesn't accept machine code of another generation.
    for capability in ["89", "120"] {
        let ran = run(
            folder,
            &[("CARD_CAPABILITY", capability), ("CARD_MEMORY_MIB", "24576")],
            &["--executor", "cuda"],
            &card::program(
                "newer",
                "import torch\nprint(torch.ones(2, device='cuda'), torch.cuda.get_device_capability())\n",
            ),
        );
        let (major, minor) = capability.split_at(capability.len() - 1);
        assert_eq!(ran.out, format!("tensor([1., 1.], device='cuda:0') ({major}, {minor})\n"), "{}", ran.err);
    }
}

/// A value that a card doesn't report is `N/A`, without affecting the others.
#[test]
fn smi_shows_what_the_management_library_says() {
    let folder = card!();
    let output = card::tensoryard(folder, &[], &["smi"]);
    let said = String::from_utf8(output.stdout).unwrap();
    for line in [
        "| Driver Version: 580.65.06    CUDA Version: 13.0 ",
        "|   0  Stand-in 24 GB ",
        "| N/A   61C   N/A            272W / 450W  |    5000MiB /  24576MiB |     97%      Default |",
        "|   1  Stand-in that is quiet ",
        "| N/A   N/A   N/A              N/A / N/A  |       3MiB /  24576MiB |     N/A      Default |",
        "|    0  N/A  N/A              4711      C   python3                               4990MiB |",
        "|    0  N/A  N/A              4712      C                                             N/A |",
    ] {
        assert!(said.contains(line), "no '{line}' in:\n{said}{}", String::from_utf8_lossy(&output.stderr));
    }
}

/// Lessons run on cards unchanged. `lesson check` uses every available executor, so on a machine with a card all of
/// them do.
#[test]
fn lessons_run_on_cards() {
    let folder = card!();
    // By their ids, because a file's name is its place in the course, and that may change.
    let lessons: Vec<_> = std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/lessons"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|kind| kind == "md"))
        .collect();
    let lesson = |id: &str| {
        let line = format!("\nid: {id}\n");
        let file = lessons.iter().find(|path| std::fs::read_to_string(path).unwrap().contains(&line));
        file.unwrap_or_else(|| panic!("no lesson has the id {id}")).to_str().unwrap().to_string()
    };
    let files = ["where-a-tensor-lives", "same-device-rule", "two-gpus"].map(lesson);
    let [first, second, third] = files.each_ref().map(String::as_str);
    let settings = [("CARD_COUNT", "2"), ("CARD_MEMORY_MIB", "24576")];
    let output = card::tensoryard(folder, &settings, &["lesson", "check", "--executor", "cuda", first, second, third]);
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(said.starts_with("3 lessons run on cuda"), "{said}{}", String::from_utf8_lossy(&output.stderr));
}
