//! Notebooks: their cells show what Jupyter showed, which `tests/notebooks/record.py` recorded into the notebooks themselves.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::{Value, json};

/// A folder that is removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("tensoryard-notebooks-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).expect("a temporary folder");
        Folder(path)
    }

    fn write(&self, name: &str, text: &str) {
        std::fs::write(self.0.join(name), text).expect("a temporary file");
    }

    fn run(&self, args: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tensoryard"));
        command.env_remove("CUDA_VISIBLE_DEVICES").current_dir(&self.0).args(args);
        command.output().expect("the command line starts")
    }

    /// Runs a notebook with these cells. Returns the output, and the notebook that was saved.
    fn cells(&self, sources: &[&str], options: &[&str]) -> (Output, Value) {
        let cell = |source: &&str| json!({ "cell_type": "code", "source": source, "metadata": {}, "outputs": [], "execution_count": null });
        let notebook = json!({ "nbformat": 4, "nbformat_minor": 4, "metadata": {}, "cells":
            sources.iter().map(cell).collect::<Vec<_>>() });
        self.write("made.ipynb", &notebook.to_string());
        let args: Vec<&str> = ["run", "--machine", "cpu", "--save", "out.ipynb"]
            .iter()
            .chain(options)
            .chain(&["made.ipynb"])
            .copied()
            .collect();
        let output = self.run(&args);
        let saved = read(&self.0.join("out.ipynb"));
        (output, saved)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn read(path: &Path) -> Value {
    let text = std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    serde_json::from_str(&text).expect("a notebook is JSON")
}

fn text(value: &Value) -> String {
    match value {
        Value::Array(lines) => lines.iter().filter_map(Value::as_str).collect(),
        Value::String(text) => text.clone(),
        _ => value.to_string(),
    }
}

fn code_cells(notebook: &Value) -> Vec<&Value> {
    notebook["cells"].as_array().into_iter().flatten().filter(|cell| cell["cell_type"] == "code").collect()
}

/// How far a printed number may be from the recorded one: a number rounded to four digits may be rounded the other way.
const TOLERANCE: f64 = 1.1e-4;

/// The string with `#` in place of each number that has a decimal point, and those numbers.
fn numbers(all: &str) -> (String, Vec<f64>) {
    let (mut out, mut found, mut word) = (String::new(), Vec::new(), String::new());
    for c in all.chars().chain([' ']) {
        if c.is_ascii_digit() || (!word.is_empty() && "+-.e".contains(c)) {
            word.push(c);
            continue;
        }
        match word.parse::<f64>() {
            Ok(number) if word.contains('.') => {
                found.push(number);
                out.push('#');
            }
            _ => out.push_str(&word),
        }
        word.clear();
        out.push(c);
    }
    (out, found)
}

fn same(ours: &str, theirs: &str) -> bool {
    let ((a, x), (b, y)) = (numbers(ours), numbers(theirs));
    ours == theirs || (a == b && x.iter().zip(&y).all(|(x, y)| (x - y).abs() <= TOLERANCE * y.abs().max(1.0)))
}

/// A cell's outputs as strings that can be compared. A figure is only "a figure"; an error is its class and message.
fn shown(cell: &Value) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    // Jupyter collects text before it stores it, so the order of stdout and stderr isn't reliable. Its `!` commands run in a
    // terminal, which ends lines with `\r\n`.
    let mut streams = [("stdout", String::new()), ("stderr", String::new())];
    let flush = |streams: &mut [(&str, String); 2], out: &mut Vec<String>| {
        for (name, text) in streams {
            if !text.is_empty() {
                out.push(format!("{name}: {}", std::mem::take(text).replace("\r\n", "\n")));
            }
        }
    };
    for output in cell["outputs"].as_array().into_iter().flatten() {
        let kind = output["output_type"].as_str().unwrap_or_default();
        match kind {
            "stream" => {
                for (name, all) in &mut streams {
                    if output["name"] == *name {
                        all.push_str(&text(&output["text"]));
                    }
                }
                continue;
            }
            _ => flush(&mut streams, &mut out),
        }
        match kind {
            "error" => {
                let (class, message) = (text(&output["ename"]), text(&output["evalue"]));
                // Jupyter's message of a syntax error ends with a place, and ours doesn't.
                let message = message.split_once(".py, line ").map_or(message.as_str(), |(before, _)| {
                    before.rsplit_once(" (").map_or(before, |(words, _)| words)
                });
                let class = class.rsplit('.').next().unwrap_or_default();
                out.push(format!("error: {class}: {message}"));
            }
            _ => {
                let data = output["data"].as_object().cloned().unwrap_or_default();
                if data.keys().any(|k| k == "image/png" || k == "image/svg+xml") {
                    out.push("a figure".into());
                    continue;
                }
                let count =
                    if kind == "execute_result" { output["execution_count"].to_string() } else { String::new() };
                let parts: Vec<String> = data.iter().map(|(k, v)| format!("{k} {}", text(v))).collect();
                out.push(format!("{kind} {count}: {}", parts.join(" | ")));
            }
        }
    }
    flush(&mut streams, &mut out);
    out
}

#[test]
fn notebooks_show_what_jupyter_showed() {
    let all = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/notebooks");
    let mut notebooks: Vec<PathBuf> = std::fs::read_dir(&all)
        .expect("the notebooks are in the checkout")
        .map(|entry| entry.expect("a folder can be read").path())
        .filter(|path| path.extension().is_some_and(|e| e == "ipynb"))
        .collect();
    notebooks.sort();
    assert!(notebooks.len() >= 10, "{notebooks:?}");
    let mut wrong = Vec::new();
    for path in notebooks {
        let name = path.file_stem().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
        let folder = Folder::new(&name);
        std::fs::copy(&path, folder.0.join("it.ipynb")).expect("a copy");
        let output = folder.run(&["run", "--machine", "cpu", "--save", "out.ipynb", "it.ipynb"]);
        let (recorded, ours) = (read(&path), read(&folder.0.join("out.ipynb")));
        let fails =
            |cell: &&&Value| cell["outputs"].as_array().into_iter().flatten().any(|o| o["output_type"] == "error");
        let ends = code_cells(&recorded).iter().filter(fails).any(|cell| cell["metadata"]["tags"].is_null());
        if output.status.success() == ends {
            wrong.push(format!("{name}: {}\n{}", output.status, String::from_utf8_lossy(&output.stderr)));
        }
        assert_eq!(code_cells(&recorded).len(), code_cells(&ours).len());
        for (theirs, ours) in code_cells(&recorded).into_iter().zip(code_cells(&ours)) {
            let (a, b) = (shown(ours), shown(theirs));
            let agree = a.len() == b.len() && a.iter().zip(&b).all(|(a, b)| same(a, b));
            let counts = (&ours["execution_count"], &theirs["execution_count"]);
            if !agree || counts.0 != counts.1 {
                let source = text(&theirs["source"]);
                wrong.push(format!("{name}:\n{source}\n  ours    {a:?} {}\n  Jupyter {b:?} {}", counts.0, counts.1));
            }
        }
    }
    assert!(wrong.is_empty(), "{} differ\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn a_notebook_prints_its_outputs_and_ends_with_pythons_code() {
    let folder = Folder::new("prints");
    let (output, saved) =
        folder.cells(&["print('a')\n1 + 1", "x = 3", "import sys\nsys.exit(x)", "print('never')"], &[]);
    assert_eq!(String::from_utf8_lossy(&output.stdout), "a\n2\n");
    assert_eq!(output.status.code(), Some(3));
    assert_eq!(code_cells(&saved)[3]["execution_count"], Value::Null);
    let (output, _) = folder.cells(&["import sys\nsys.exit()", "print('never')"], &[]);
    assert_eq!((output.status.code(), output.stdout.len()), (Some(0), 0));

    let (output, saved) = folder.cells(&["def f():\n    return 1 / 0", "x = 1\nf()", "print('never')"], &[]);
    assert_eq!(output.status.code(), Some(1));
    let traceback = "Traceback (most recent call last):\n  Cell In[2], line 2, in <module>\n    f()\n    ~^^\n  \
                     Cell In[1], line 2, in f\n    return 1 / 0\n           ~~^~~\nZeroDivisionError: division by zero\n";
    assert_eq!(String::from_utf8_lossy(&output.stderr), traceback);
    let error = &code_cells(&saved)[1]["outputs"][0];
    assert_eq!((&error["ename"], &error["evalue"]), (&json!("ZeroDivisionError"), &json!("division by zero")));

    // Without --save, nothing is written.
    let plain = folder.run(&["run", "--machine", "cpu", "made.ipynb"]);
    assert_eq!(plain.status.code(), Some(1));
    assert_eq!(folder.run(&["run", "--save", "o.ipynb", "a.py"]).status.code(), Some(2));
    folder.write("old.ipynb", "{\"nbformat\": 3, \"worksheets\": []}");
    let old = folder.run(&["run", "old.ipynb"]);
    assert_eq!(old.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&old.stderr).contains("nbformat 3"));
}

/// A magic or an extension that isn't here is refused by name. Only its line or its cell is lost.
#[test]
fn what_is_missing_is_named_and_the_notebook_goes_on() {
    let folder = Folder::new("refused");
    let cells = [
        "%no_such_magic x\nprint(1)",
        "%%cython\nint f()",
        "%tensorboard --logdir runs",
        "%load_ext no_such_extension",
        "!pip install -q torch numpy no-such-package==1.0",
        "%pip install torchvision",
        "%%time\n2 + 2",
        "%time sum(range(10))",
        "t = %timeit -n 2 -r 3 -o -q 1 + 1\nt.loops, t.repeat",
        "%%timeit -n 1 -r 2 x = 1\nx + 1",
        "!nvidia-smi -L",
        "print('end')",
    ];
    let (output, saved) = folder.cells(&cells, &[]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let all: Vec<String> = code_cells(&saved).iter().map(|cell| shown(cell).join("")).collect();
    let expect = |at: usize, part: &str| assert!(all[at].contains(part), "{}\n{}", cells[at], all[at]);
    expect(0, "stderr: %no_such_magic isn't here");
    expect(0, "stdout: 1\n");
    expect(1, "stderr: %%cython isn't here, because there is no C compiler");
    expect(2, "%tensorboard isn't here, because");
    expect(3, "no_such_extension: this extension isn't here");
    expect(4, "torch 2.");
    expect(4, "Not installed: no-such-package.");
    expect(5, "is built in");
    expect(6, "CPU times");
    expect(6, "Wall time");
    expect(6, "execute_result 7: text/plain 4");
    expect(7, "execute_result 8: text/plain 45");
    expect(8, "(2, 3)");
    expect(9, "per loop (mean ± std. dev. of 2 runs, 1 loop each)");
    assert!(all[6].find("Wall") < all[6].find("execute_result"), "{}", all[6]);
    expect(11, "end");
}

/// As in the page: no shell, and files in memory.
#[test]
fn a_hosted_notebook_has_no_shell() {
    let folder = Folder::new("hosted");
    let cells = [
        "!wget http://example.com/data.zip",
        "!ls | wc -l",
        "%%writefile helper.py\nX = 5",
        "import helper\nhelper.X",
        "!mkdir -p data\n!ls",
        "names = !ls\nnames",
        "%%bash\necho one\ncat helper.py",
        "!cat helper.py",
    ];
    let (output, saved) = folder.cells(&cells, &["--hosted"]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let all: Vec<String> = code_cells(&saved).iter().map(|cell| shown(cell).join("")).collect();
    let expect = |at: usize, part: &str| assert!(all[at].contains(part), "{}\n{}", cells[at], all[at]);
    expect(0, "has no network, so wget can't fetch");
    expect(1, "no shell in the page");
    expect(2, "Writing helper.py");
    expect(3, "text/plain 5");
    expect(4, "helper.py\n");
    expect(5, "helper.py");
    expect(6, "one\nX = 5\n");
    expect(7, "X = 5");
    assert!(!folder.0.join("helper.py").exists());
}
