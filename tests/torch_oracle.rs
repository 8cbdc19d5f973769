//! The `torch` package against recorded PyTorch 2.15 results: each file of cases runs as one program, which prints how many
//! agree. All must agree.

use std::collections::BTreeMap;
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/oracle/torch");

/// Runs cases of a file; returns what was printed, how many agree, of how many.
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
    // Cases that save files write to a folder of their own.
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
    println!("{file} {profile} on {machine}: {agree} of {of}");
    assert!(of > 0 && agree == of, "{file} {profile} on {machine}: {agree} of {of} agree");
}

/// Like [`holds`], for cases that leave memory or errors behind: a case that disagrees is run again in a separate
/// process.
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

/// Complex tensors.
#[test]
fn complex_tensors_are_as_recorded() {
    holds("complex", "cpu", "");
}

/// No function misinterprets complex numbers. Every function and method either gives PyTorch's result or says that it
/// doesn't support them.
#[test]
fn no_operator_mistakes_complex_tensors() {
    holds("complex_sweep", "cpu", "");
}

/// Complex tensors can be on every device, and be moved there and back. An executor refuses computations that it
/// doesn't have by name.
#[test]
fn complex_tensors_go_through_every_executor() {
    for executor in ["cpu", "webgpu"] {
        if executor == "webgpu" && !adapter() {
            continue;
        }
        let program = std::env::temp_dir().join(format!("tensoryard-complex-{}-{executor}.py", std::process::id()));
        std::fs::write(&program, ON_A_DEVICE).expect("a temporary file can be written");
        let mut command = Command::new(env!("CARGO_BIN_EXE_tensoryard"));
        command.env_remove("CUDA_VISIBLE_DEVICES").args(["run", "--machine", "cuda:1", "--executor", executor]);
        let output = command.arg(&program).output().expect("the command line starts");
        let _ = std::fs::remove_file(&program);
        let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        let product = match executor {
            "cpu" => "tensor([-3.+4.j, -7.-24.j], device='cuda:0')".to_string(),
            _ => format!("NotImplementedError mul of torch.complex64 (executor '{executor}', device cuda:0)"),
        };
        assert_eq!(out, format!("{ALIKE}{product}\n"), "{executor}: {err}");
    }
}

/// Operations without complex arithmetic, and then a product.
const ON_A_DEVICE: &str = r"
import torch

x = torch.tensor([1+2j, 3-4j], device='cuda')
print(x, x.cpu(), x.real, x.imag)
y = torch.zeros(2, 2, dtype=torch.complex64, device='cuda')
y[0] = x
y[1, 0] = 5j
y.imag[1] += 1
print(y.t().contiguous(), y.t()[0].cpu().tolist())
print(x[torch.tensor([1, 0], device='cuda')], torch.cat([x, x]).cpu(), x.flip(0), torch.view_as_real(x))
print(x + x, x - 1, 1j + x, -x, x.conj(), x.sum(), torch.where(x.real > 2, x, 0j))
print(torch.ones(2, device='cuda').to(torch.complex64), x.clone().fill_(2-1j), torch.full((1,), 1j, device='cuda'))
print(torch.tensor([0.1+0.2j], dtype=torch.complex128).to('cuda').to('cpu'))
try:
    print(x * x)
except NotImplementedError as error:
    print('NotImplementedError', error)
";

const ALIKE: &str = "\
tensor([1.+2.j, 3.-4.j], device='cuda:0') tensor([1.+2.j, 3.-4.j]) tensor([1., 3.], device='cuda:0') tensor([ 2., -4.], device='cuda:0')
tensor([[1.+2.j, 0.+6.j],
        [3.-4.j, 0.+1.j]], device='cuda:0') [(1+2j), 6j]
tensor([3.-4.j, 1.+2.j], device='cuda:0') tensor([1.+2.j, 3.-4.j, 1.+2.j, 3.-4.j]) tensor([3.-4.j, 1.+2.j], device='cuda:0') tensor([[ 1.,  2.],
        [ 3., -4.]], device='cuda:0')
tensor([2.+4.j, 6.-8.j], device='cuda:0') tensor([0.+2.j, 2.-4.j], device='cuda:0') tensor([1.+3.j, 3.-3.j], device='cuda:0') tensor([-1.-2.j, -3.+4.j], device='cuda:0') tensor([1.-2.j, 3.+4.j], device='cuda:0') tensor(4.-2.j, device='cuda:0') tensor([0.+0.j, 3.-4.j], device='cuda:0')
tensor([1.+0.j, 1.+0.j], device='cuda:0') tensor([2.-1.j, 2.-1.j], device='cuda:0') tensor([0.+1.j], device='cuda:0')
tensor([0.1000+0.2000j], dtype=torch.complex128)
";

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

/// Differences that PyTorch's own operator databases found, each with similar cases. `tests/oracle/torch/findings.py`
/// records them.
#[test]
fn findings_are_as_recorded() {
    holds("findings", "cpu", "");
}

/// The same test for every executor: the same cases with every tensor on an accelerator, forward and backward. Cases that
/// agree on the CPU agree there, except what an executor refuses by name (WebGPU has no float64).
#[test]
fn operators_agree_on_every_executor() {
    for file in ["ops", "optimizers", "findings"] {
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

/// Gradients, in-place changes, `out=` and arguments that were missing according to PyTorch's own operator databases:
/// the same programs on the CPU and with every tensor on an accelerator.
#[test]
fn findings_about_gradients_are_as_recorded() {
    holds("findings_gradients", "cpu", "");
    for executor in ["cpu", "webgpu"] {
        if executor == "webgpu" && !adapter() {
            continue;
        }
        let options = ["--executor", executor];
        let (text, agree, of) = run("findings_gradients", "cuda:1", "", &options, &["--device", "cuda"]);
        println!("findings_gradients on executor {executor}: {agree} of {of}");
        let words = format!("(executor '{executor}'");
        // A dtype is refused by the accelerator's kernel, which has another name.
        let fine = |got: &str| got.contains(&words) || got.contains("_cuda\" not implemented for");
        let wrong: Vec<(String, String)> = disagreeing(&text).filter(|(_, got)| !fine(got)).collect();
        assert!(agree > 0 && wrong.is_empty(), "on executor {executor}: {wrong:#?}");
    }
}

/// `multinomial` with replacement on an accelerator uses PyTorch's numbers: the first number of each sample's own thread,
/// with 128 threads per block and a row of blocks for each distribution. `rand` gives the same first numbers, thread by
/// thread.
#[test]
fn an_accelerator_samples_with_replacement() {
    let program = std::env::temp_dir().join(format!("tensoryard-multinomial-{}.py", std::process::id()));
    let code = "
import torch

p = torch.tensor([[.1, 0., .4, .5], [.7, .2, .1, 0.]], device='cuda')
torch.manual_seed(0)
drawn = torch.multinomial(p, 200, replacement=True)
after = torch.rand(1, device='cuda')
torch.manual_seed(0)
uniform = torch.rand(2, 256, device='cuda')[:, :200]
found = (p.cumsum(1).unsqueeze(1) < uniform.unsqueeze(2)).sum(2)
print((drawn == found).all().item(), (torch.rand(1, device='cuda') == after).item())
print([sorted(set(row)) for row in drawn.tolist()], torch.multinomial(p[0], 5, True).shape)
";
    std::fs::write(&program, code).expect("a temporary file can be written");
    let mut command = Command::new(env!("CARGO_BIN_EXE_tensoryard"));
    let output = command.env_remove("CUDA_VISIBLE_DEVICES").args(["run", "--machine", "cuda:1"]).arg(&program).output();
    let output = output.expect("the command line starts");
    let _ = std::fs::remove_file(&program);
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(
        text,
        "True True\n[[0, 2, 3], [0, 1, 2]] torch.Size([5])\n",
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
}

/// The case and its result, for each case that disagrees.
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
    // With cuDNN, which the machine has; the others were recorded without.
    holds_apart("errors_cudnn", "a100x2.json", "");
}

/// Every differentiable operator records a node with the same name as PyTorch's.
#[test]
fn nodes_are_called_as_recorded() {
    prints_what_is_recorded("nodes");
}

/// Arguments that match no signature are refused as PyTorch's parser refuses them.
#[test]
fn arguments_are_refused_as_recorded() {
    prints_what_is_recorded("arguments");
    prints_what_is_recorded("refused");
}

/// Values that an operator can't work with are refused as PyTorch refuses them.
#[test]
fn values_are_refused_as_recorded() {
    prints_what_is_recorded("refusals");
}

/// Operators refuse the dtypes that PyTorch's kernels refuse, in its words. What they refuse besides they say is not here.
#[test]
fn dtypes_are_refused_as_recorded() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tensoryard"));
    let output = command.args(["run", &format!("{FOLDER}/dtypes.py")]).output().expect("the command line starts");
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let recorded = std::fs::read_to_string(format!("{FOLDER}/dtypes.txt")).expect("recorded refusals");
    let (ours, theirs) = (refusals(&said), refusals(&recorded));
    let mut wrong = Vec::new();
    for (at, text) in &theirs {
        let got = ours.get(at).map_or("nothing", String::as_str);
        if got != text {
            wrong.push(format!("{} of {}: {got}\n    not {text}", at.0, at.1));
        }
    }
    // Of a kernel that is not here the text names the dtype or the executor.
    let honest = |text: &str| {
        text.starts_with("NotImplementedError: ") && (text.contains("torch.") || text.contains("(executor"))
    };
    for ((call, dtype), text) in ours.iter().filter(|(at, text)| !theirs.contains_key(*at) && !honest(text)) {
        wrong.push(format!("{call} of {dtype}: {text}\n    not a result"));
    }
    assert!(theirs.len() > 2000, "{}", theirs.len());
    let (number, list) = (wrong.len(), wrong.join("\n"));
    assert!(wrong.is_empty(), "{number} of {}:\n{list}\n{}", theirs.len(), String::from_utf8_lossy(&output.stderr));
}

/// The text of each refusal, by call and dtype: a call stands above what it was refused with, and the dtypes before that.
fn refusals(text: &str) -> BTreeMap<(String, String), String> {
    let mut call = "";
    let mut out = BTreeMap::new();
    for line in text.lines() {
        match line.strip_prefix("    ").and_then(|line| line.split_once(": ")) {
            None => call = line,
            Some((dtypes, text)) => {
                out.extend(dtypes.split(' ').map(|dtype| ((call.to_string(), dtype.to_string()), text.to_string())));
            }
        }
    }
    out
}

/// A program prints the same as with PyTorch.
fn prints_what_is_recorded(name: &str) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tensoryard"));
    let output = command.args(["run", &format!("{FOLDER}/{name}.py")]).output().expect("the command line starts");
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let recorded = std::fs::read_to_string(format!("{FOLDER}/{name}.txt")).expect("recorded texts");
    for (ours, theirs) in said.lines().zip(recorded.lines()) {
        assert_eq!(ours, theirs);
    }
    assert!(recorded.lines().count() > 80 && said == recorded, "{said}");
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
        // If a document says nothing about `mps`, its machine prints the same as the build without CUDA.
        ("mps", "cpu_build"),
    ] {
        holds_apart("seeds", machine, profile);
    }
}
