//! The `tensoryard` command: its output, its exit codes, and how Ctrl-C ends a program.

#![cfg(feature = "cli")]

use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

/// A file in a folder for this test.
fn file(name: &str, content: impl AsRef<[u8]>) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, content).unwrap();
    path
}

fn tensoryard() -> Command {
    Command::new(env!("CARGO_BIN_EXE_tensoryard"))
}

fn run(path: &PathBuf, args: &[&str]) -> Output {
    tensoryard().arg("run").arg(path).args(args).output().unwrap()
}

/// Runs a command that must be refused before the program starts, and compares the message.
#[track_caller]
fn check_refused(output: Output, stderr: &str) {
    assert_eq!(String::from_utf8_lossy(&output.stderr), format!("tensoryard: {stderr}\n"));
    assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0));
}

#[test]
fn a_program_gets_its_arguments_and_its_exit_code() {
    let path = file("arguments.py", "import sys\nprint(sys.argv[1:], __name__)\nsys.exit(7)\n");
    let output = run(&path, &["--machine", "cpu", "--lr", "0.1", "--", "x"]);
    assert_eq!(String::from_utf8_lossy(&output.stdout), "['--lr', '0.1', '--', 'x'] __main__\n");
    assert_eq!(output.status.code(), Some(7));
}

#[test]
fn a_program_imports_its_neighbours_and_reads_files() {
    file("neighbour.py", "VALUE = 'from next door'\n");
    let path = file(
        "imports.py",
        "import neighbour, os, tempfile\nprint(neighbour.VALUE)\n\
         with tempfile.TemporaryDirectory() as folder:\n    \
             path = os.path.join(folder, 'a.txt')\n    \
             with open(path, 'w') as f: f.write('kept')\n    \
             print(open(path).read(), os.path.exists(path))\n",
    );
    let output = run(&path, &[]);
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "from next door\nkept True\n");
}

/// `tensoryard lesson translate LESSON es | head` ended in a panic.
#[cfg(unix)]
#[test]
fn a_command_ends_quietly_with_the_reader_of_its_output() {
    // Longer than what a pipe holds.
    let names: String = (0..700).map(|n| format!("torch.no_such_{}_{n}\n", "name".repeat(50))).collect();
    let path = file("many_names.py", format!("import torch\n{names}"));
    let mut child =
        tensoryard().arg("compat").arg(&path).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    assert!(lines.next().unwrap().unwrap().contains("many_names.py"));
    drop(lines);
    let output = child.wait_with_output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    assert!(!output.status.success());
}

#[test]
fn what_cannot_be_run_is_refused_in_a_sentence() {
    let missing = PathBuf::from("no-such-program.py");
    check_refused(run(&missing, &[]), "can't open file 'no-such-program.py': No such file or directory (os error 2)");

    let path = file("latin.py", b"x = 1\ny = '\xe9'\n");
    check_refused(run(&path, &[]), &format!("{}, line 2: the file is not UTF-8 text", path.display()));

    let path = file("fine.py", "");
    check_refused(
        run(&path, &["--machine", "tpu"]),
        "unknown machine 'tpu': expected one of cpu, cpu-build, cuda:1, cuda:2, cuda:4, mps, or a JSON file",
    );
    let machine = file("unknown-key.json", "{\"name\": \"x\", \"build\": \"cuda\",\n \"gpus\": 2}");
    let machine = machine.display().to_string();
    check_refused(
        run(&path, &["--machine", &machine]),
        &format!(
            "machine file {machine}: unknown field `gpus`, expected one of `name`, `build`, `devices`, `host_link`, \
             `peer_link` at line 2 column 7"
        ),
    );
}

#[test]
fn a_machine_without_a_cuda_device_has_none_to_measure() {
    for machine in ["cpu", "mps"] {
        let output = tensoryard().args(["bench", "--machine", machine]).output().unwrap();
        check_refused(output, "this machine has no CUDA device to measure");
    }
}

#[test]
fn a_traceback_goes_to_standard_error() {
    let path = file("fails.py", "print('before')\nraise ValueError('no')\n");
    let output = run(&path, &[]);
    let name = path.display();
    assert_eq!(String::from_utf8_lossy(&output.stdout), "before\n");
    assert_eq!(
        String::from_utf8_lossy(&output.stderr),
        format!(
            "Traceback (most recent call last):\n  File \"{name}\", line 2, in <module>\n    \
             raise ValueError('no')\nValueError: no\n"
        )
    );
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn a_trace_file_is_json() {
    let path = file("traced.py", "print(1)\n");
    let trace = file("trace.json", "");
    let output = run(&path, &["--trace", &trace.display().to_string()]);
    assert!(output.status.success());
    let trace: serde_json::Value = serde_json::from_slice(&std::fs::read(trace).unwrap()).unwrap();
    assert!(trace["traceEvents"].is_array(), "{trace}");
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_a_program_within_half_a_second() {
    for (name, waits) in [("loop", "while True: pass"), ("sleep", "import time; time.sleep(100)")] {
        let path = file(&format!("{name}.py"), format!("print('ready')\n{waits}\n"));
        // On a machine that is busy with other work, one attempt may be delayed.
        for hosted in [false, true] {
            let tries: Vec<Duration> = (0..5).map(|_| interrupt(&path, hosted)).collect();
            assert!(tries.iter().any(|&took| took < Duration::from_millis(500)), "{name}, hosted {hosted}: {tries:?}");
        }
    }
}

/// A program that wouldn't end by itself if the test fails before it has ended it.
#[cfg(unix)]
struct Endless(std::process::Child);

#[cfg(unix)]
impl Drop for Endless {
    fn drop(&mut self) {
        // One that has ended can't be ended again, which is what the test wants.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Starts a program, sends it Ctrl-C when it runs its second line, and returns how long it then took to end.
#[cfg(unix)]
fn interrupt(path: &Path, hosted: bool) -> Duration {
    let mut command = tensoryard();
    command.arg("run").args(hosted.then_some("--hosted")).arg(path);
    let mut child = Endless(command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap());
    let child = &mut child.0;
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    assert_eq!(line, "ready\n");
    std::thread::sleep(Duration::from_millis(100));
    let began = Instant::now();
    // The shell's own: not every machine has a program for it.
    let interrupted = Command::new("sh").args(["-c", &format!("kill -INT {}", child.id())]).status();
    assert!(interrupted.unwrap().success());
    let status = child.wait().unwrap();
    let took = began.elapsed();
    let mut stderr = String::new();
    child.stderr.take().unwrap().read_to_string(&mut stderr).unwrap();
    let shown = if hosted { Path::new(path.file_name().unwrap()) } else { path };
    assert!(stderr.contains(&format!("File \"{}\", line 2, in <module>", shown.display())), "{stderr}");
    assert!(stderr.ends_with("\nKeyboardInterrupt\n"), "{stderr}");
    assert_eq!(status.code(), Some(130));
    took
}

/// The interpreter notices Ctrl-C between two instructions, and this regular expression is one that takes for ever.
#[cfg(unix)]
#[test]
fn a_second_ctrl_c_ends_a_program_that_does_not_notice_the_first() {
    let path = file("stuck.py", "import re\nprint('ready', flush=True)\nre.match('(a*)*b', 'a' * 60)\n");
    for hosted in [false, true] {
        let mut command = tensoryard();
        command.arg("run").args(hosted.then_some("--hosted")).arg(&path);
        let mut child = Endless(command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap());
        let child = &mut child.0;
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        assert_eq!(line, "ready\n");
        for _ in 0..2 {
            std::thread::sleep(Duration::from_millis(300));
            let interrupted = Command::new("sh").args(["-c", &format!("kill -INT {}", child.id())]).status();
            assert!(interrupted.unwrap().success());
        }
        let began = Instant::now();
        while child.try_wait().unwrap().is_none() {
            assert!(began.elapsed() < Duration::from_secs(10), "it didn't end, hosted {hosted}");
            std::thread::sleep(Duration::from_millis(20));
        }
        assert_eq!(child.wait().unwrap().code(), Some(130), "hosted {hosted}");
    }
}

#[test]
fn a_mistake_is_explained_in_the_language_that_is_asked_for() {
    let path = file("explained.py", "import torch\nx = torch.ones(3)\ny = torch.ones(3, device='cuda')\nz = x + y\n");
    let explained = |args: &[&str], environment: &[(&str, &str)]| {
        let mut command = tensoryard();
        command.arg("run").args(["--explain", "--machine", "cuda:1"]).args(args).arg(&path);
        for name in ["LC_ALL", "LC_MESSAGES", "LANG"] {
            command.env_remove(name);
        }
        let output = command.envs(environment.iter().copied()).output().unwrap();
        String::from_utf8(output.stderr).unwrap()
    };
    let english = "D01: `y` is on cuda:0, but `x` is on cpu. The tensors of one operation must be on the same device, so move one of them with `.to()`.\n";
    let german = "D01: `y` liegt auf cuda:0, aber `x` liegt auf cpu. Die Tensoren einer Operation müssen auf demselben Gerät liegen, also verschieb einen davon mit `.to()`.\n";
    for (args, environment, german_wanted) in [
        (&[][..], &[][..], false),
        (&["--lang", "de"], &[("LANG", "en_GB.UTF-8")], true),
        (&["--lang", "en"], &[("LC_ALL", "de_DE.UTF-8")], false),
        (&[], &[("LANG", "de_DE.UTF-8")], true),
        (&[], &[("LC_ALL", "de_AT"), ("LANG", "en_US")], true),
        (&[], &[("LC_ALL", "C.UTF-8"), ("LANG", "de_DE.UTF-8")], false),
        (&[], &[("LC_ALL", ""), ("LC_MESSAGES", "de"), ("LANG", "fr_FR")], true),
    ] {
        let stderr = explained(args, environment);
        let (said, unsaid) = if german_wanted { (german, english) } else { (english, german) };
        assert!(stderr.contains(said) && !stderr.contains(unsaid), "{args:?} {environment:?}: {stderr}");
        // PyTorch's own message is in English with every setting.
        assert!(stderr.contains("RuntimeError: Expected all tensors to be on the same device"), "{stderr}");
        let labels = [("erzeugt in Zeile 2", "created in line 2"), ("Zeile 4:", "line 4:"), ("Lektion: ", "lesson: ")];
        for (here, there) in labels {
            let (said, unsaid) = if german_wanted { (here, there) } else { (there, here) };
            let card = stderr.split("D01: ").nth(1).unwrap_or_default();
            assert!(card.contains(said) && !card.contains(unsaid), "{card}");
        }
    }
    let refused = explained(&["--lang", "fr"], &[]);
    assert!(refused.contains("'fr'") && refused.contains("the languages are en, de"), "{refused}");
}

// Each of these is an ordinary error and must not end the process by a signal.
#[test]
fn a_program_that_nests_too_deep_gets_pythons_error() {
    let recursion = "RecursionError: maximum recursion depth exceeded during compilation\nAt most 1000 operators,";
    let blocks: String = (0..100).map(|i| format!("{}if 1:\n", " ".repeat(i))).collect();
    let cases = [
        (format!("x = 1{}\n", "+1".repeat(200_000)), recursion),
        (format!("x = {}1\n", "-".repeat(100_000)), recursion),
        (format!("x = {}1\n", "not ".repeat(50_000)), recursion),
        (format!("x = 1\nx{}\n", ".real".repeat(200_000)), recursion),
        (format!("if 0: pass\n{}", "elif 0: pass\n".repeat(100_000)), recursion),
        (format!("{}1\n", "(".repeat(5_000)), "SyntaxError: too many nested parentheses\n"),
        (format!("f'{{{}1'\n", "(".repeat(5_000)), "SyntaxError: too many nested parentheses\n"),
        (format!("{blocks}{}pass\n", " ".repeat(100)), "IndentationError: too many levels of indentation\n"),
    ];
    for (i, (source, expected)) in cases.into_iter().enumerate() {
        let output = run(&file(&format!("deep{i}.py"), source), &["--explain"]);
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(stderr.contains(expected), "{i}: {:?} {}", output.status, stderr.chars().take(400).collect::<String>());
        assert_eq!(output.status.code(), Some(1), "{i}");
    }
    file("deep_neighbour.py", format!("x = 1{}\n", "+1".repeat(200_000)));
    let program = r#"
import ast
deep = "1" + "+1" * 200_000
def module(): import deep_neighbour
def late():
    try: late()
    except RecursionError: return eval("1" + "+1" * 900)
for call in (lambda: eval(deep), lambda: exec(deep.encode()), lambda: compile(deep, "a", "exec"), lambda: ast.parse(deep), module):
    try: call()
    except RecursionError as error: print(error, len(error.__notes__))
late()
print(eval("+".join(["1"] * 900)), len(eval("[" + "-1," * 100_000 + "]")))
x = 3
def local(y): return eval("x + y")
exec("z = x * 2")
print(local(4), z)
"#;
    let output = run(&file("deep_late.py", program), &[]);
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    let expected = "maximum recursion depth exceeded during compilation 1\n".repeat(5) + "900 100000\n7 6\n";
    assert_eq!(String::from_utf8_lossy(&output.stdout), expected);
}

/// A notebook that is nested too deep for the JSON reader is named, and the other files are still checked.
#[test]
fn a_notebook_that_nests_too_deep_cannot_be_read() {
    let deep = file("deep.ipynb", format!("{{\"cells\": {}{}}}", "[".repeat(100_000), "]".repeat(100_000)));
    let output = tensoryard().arg("compat").arg(&deep).output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(said.lines().next(), Some(&*format!("{}: cannot be read: it nests too deep", deep.display())), "{said}");
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// What stays out is named with its reason, which docs/left-out.md gives.
#[test]
fn compat_says_why_a_name_stays_out() {
    let program = "import torch\nimport torch.utils.mkldnn\nx = torch.rand(2)\ntorch.quantize_per_tensor(x, 1.0, 0, torch.quint8)\n\
                   torch._softmax_backward_data(x)\ntorch.cuda.jiterator.x()\ntorch.no_such_function(x)\n";
    let output = tensoryard().arg("compat").arg(file("left_out.py", program)).output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let line = |name: &str| said.lines().find(|line| line.contains(name)).unwrap_or_default().to_string();
    for (name, why) in [
        ("torch.utils.mkldnn", "oneDNN"),
        ("torch.quantize_per_tensor", "Quantized tensors"),
        ("torch.quint8", "Quantized tensors"),
        ("torch._softmax_backward_data", "Private names"),
        ("torch.cuda.jiterator.x", "CUDA C++"),
    ] {
        assert!(line(name).contains(why), "{said}");
    }
    assert!(line("torch.no_such_function").ends_with("line 7"), "{said}");
}
