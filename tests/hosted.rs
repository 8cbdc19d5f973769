//! A hosted program can't access the machine: programs that try, and what happened to the machine.
#![cfg(feature = "cli")]

use std::collections::BTreeMap;
use std::io::{ErrorKind, Read, Write};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::rc::Rc;
use std::sync::{Arc, Mutex};

use tensoryard::engine::{self, Engine};
use tensoryard::machine::Machine;
use tensoryard::python::output::Captured;
use tensoryard::python::{Program, run};

const ATTACKS: &str = include_str!("hosted/attacks.py");

/// A secret in files, in names of files, and in the environment, which no program may see.
const SECRET: &str = "kUvZ3qP9tR";

/// The current folder and the child processes belong to the process.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

/// A current folder with secrets in it, and an open port.
struct Place {
    folder: PathBuf,
    canary: PathBuf,
    listener: TcpListener,
}

impl Place {
    fn new(name: &str) -> Place {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).unwrap();
        let canary = folder.join("canary.txt");
        let lines = format!("# {SECRET} in a line\n").repeat(40);
        for name in ["canary.txt", "main.py", &format!("{SECRET}.txt"), "<string>"] {
            std::fs::write(folder.join(name), &lines).unwrap();
        }
        std::fs::write(folder.join("evil.py"), format!("print({SECRET:?})\nprint('escaped')\n")).unwrap();
        std::fs::write(folder.join("evil.zip"), stored_zip("inside.txt", SECRET.as_bytes())).unwrap();
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        listener.set_nonblocking(true).unwrap();
        Place { folder, canary, listener }
    }

    /// Names and contents of everything in the folder.
    fn files(&self) -> BTreeMap<PathBuf, Vec<u8>> {
        let mut found = BTreeMap::new();
        let mut folders = vec![self.folder.clone()];
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(&folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    folders.push(path.clone());
                }
                found.insert(path.clone(), std::fs::read(&path).unwrap_or_default());
            }
        }
        found
    }

    /// Runs a program. Returns what it could access.
    fn try_out(&self, program: &str, hosted: bool) -> Vec<String> {
        let before = self.files();
        let port = self.listener.local_addr().unwrap().port();
        let [canary, place] = [&self.canary, &self.folder].map(|path| path.display().to_string());
        // In `builtins`, so that the program's own line numbers don't change.
        let told = format!(
            "import builtins; builtins.CANARY = {canary:?}; builtins.PLACE = {place:?}; builtins.PORT = {port};"
        );
        let source = format!("{told}\n{}", program.replace("{CANARY}", &canary));
        let thread = std::thread::Builder::new().stack_size(16 << 20).spawn(move || {
            let machine = Machine::preset("cuda:1").unwrap();
            engine::install(Engine::on_cpu(machine));
            let output = Rc::new(Captured::default());
            let program = match hosted {
                true => Program::hosted("main.py", source, Arc::default()),
                false => Program::new("main.py", source),
            };
            let ended = run(&program, output.clone());
            (format!("{}\n{}", output.stdout.take(), output.stderr.take()), ended.exit_code)
        });
        let ran = thread.unwrap().join();
        let mut reached = Vec::new();
        let Ok((said, _)) = ran else { return vec!["the interpreter's end".into()] };
        if std::env::var_os("HOSTED_SHOW").is_some() {
            eprintln!("{said}");
        }
        for (what, text) in
            [("a secret", SECRET), ("an escape", "escaped"), ("this program's path", env!("CARGO_TARGET_TMPDIR"))]
        {
            // A program may print the paths that it was given.
            let said = said.replace(&canary, "").replace(&place, "");
            if let Some(line) = said.lines().find(|line| line.contains(text)) {
                reached.push(format!("{what}: {line}"));
            }
        }
        if self.files() != before {
            reached.push("files".into());
            for path in self.files().keys().filter(|path| !before.contains_key(*path)) {
                let _ = std::fs::remove_file(path);
            }
        }
        match self.listener.accept() {
            Ok(_) => reached.push("the network".into()),
            Err(error) => assert_eq!(error.kind(), ErrorKind::WouldBlock),
        }
        if let Some(children) = children() {
            reached.extend((!children.is_empty()).then(|| format!("processes: {children}")));
        }
        reached
    }
}

/// The child processes of this process that still exist, if the system can tell.
fn children() -> Option<String> {
    let mut all = String::new();
    for task in std::fs::read_dir("/proc/self/task").ok()? {
        all.push_str(&std::fs::read_to_string(task.ok()?.path().join("children")).ok()?);
    }
    Some(all)
}

/// A ZIP archive with one uncompressed file.
fn stored_zip(name: &str, data: &[u8]) -> Vec<u8> {
    let mut crc = u32::MAX;
    for byte in data {
        crc ^= u32::from(*byte);
        for _ in 0..8 {
            crc = if crc & 1 == 1 { crc >> 1 ^ 0xedb8_8320 } else { crc >> 1 };
        }
    }
    let about = |out: &mut Vec<u8>| {
        out.extend([20, 0, 0, 0, 0, 0, 0, 0, 0x21, 0]);
        out.extend((!crc).to_le_bytes());
        out.extend((data.len() as u32).to_le_bytes());
        out.extend((data.len() as u32).to_le_bytes());
        out.extend((name.len() as u16).to_le_bytes());
    };
    let mut out = b"PK\x03\x04".to_vec();
    about(&mut out);
    out.extend([0, 0]);
    out.extend(name.as_bytes());
    out.extend(data);
    let at = out.len() as u32;
    out.extend(b"PK\x01\x02\x14\x00");
    about(&mut out);
    out.extend([0; 12]);
    out.extend(0u32.to_le_bytes());
    out.extend(name.as_bytes());
    let size = out.len() as u32 - at;
    out.extend(b"PK\x05\x06\x00\x00\x00\x00\x01\x00\x01\x00");
    out.extend(size.to_le_bytes());
    out.extend(at.to_le_bytes());
    out.extend([0, 0]);
    out
}

/// Name and text of each program.
fn attacks() -> Vec<(&'static str, &'static str)> {
    ATTACKS.split("\n### ").skip(1).map(|program| program.split_once('\n').unwrap()).collect()
}

/// The check of lessons in somebody's pull request, and an author's `pack`, run such programs.
#[test]
fn a_hosted_program_reaches_nothing_of_the_machine() {
    let _alone = ONE_AT_A_TIME.lock();
    let place = Place::new("hosted");
    // SAFETY: no other thread of this test accesses the environment meanwhile; tests that do so wait for the lock.
    unsafe { std::env::set_var("HOSTED_SECRET", SECRET) };
    std::env::set_current_dir(&place.folder).unwrap();
    let only = std::env::var("HOSTED_ONLY").ok();
    let attacks: Vec<_> =
        attacks().into_iter().filter(|(name, _)| only.as_ref().is_none_or(|only| name.contains(only))).collect();
    assert!(attacks.len() >= 60 || only.is_some());
    let mut held = Vec::new();
    for (name, program) in &attacks {
        let reached = place.try_out(program, true);
        if !reached.is_empty() {
            held.push(format!("{name}: {reached:?}"));
        }
    }
    assert!(held.is_empty(), "{}", held.join("\n"));
    // Where they're allowed to, the same programs do access the machine, so this test would notice.
    for name in [
        "open",
        "pathlib writes",
        "environment",
        "sys.path",
        "listing",
        "_io.open",
        "a line of the file that does not compile",
    ] {
        let (_, program) = attacks.iter().find(|(other, _)| *other == name).unwrap_or(&("", ""));
        assert!(only.is_some() || !place.try_out(program, false).is_empty(), "{name} reaches nothing, even natively");
    }
    // And again on a thread that has run both kinds of programs.
    let both = std::thread::Builder::new().stack_size(16 << 20).spawn(|| {
        let mut said = Vec::new();
        for (hosted, source) in
            [(true, READS), (false, READS), (true, READS), (false, READS), (false, REPLACES), (true, REPLACES)]
        {
            engine::install(Engine::on_cpu(Machine::preset("cpu").unwrap()));
            let output = Rc::new(Captured::default());
            let program =
                if hosted { Program::hosted("x.py", source, Arc::default()) } else { Program::new("x.py", source) };
            run(&program, output.clone());
            said.push(output.stdout.take());
        }
        said
    });
    let both = both.unwrap().join().unwrap();
    assert_eq!(both, ["FileNotFoundError\n", "# \n", "FileNotFoundError\n", "# \n", "2\n", "ValueError\n"]);
}

const READS: &str = "\
try:
    import io
    print(io.FileIO('canary.txt').read(2).decode())
except TypeError:
    try:
        open('canary.txt')
    except OSError as e:
        print(type(e).__name__)
";

const REPLACES: &str = "\
def f(): return 1
try:
    f.__code__ = f.__code__.replace(co_consts=tuple(2 if c == 1 else c for c in f.__code__.co_consts))
    import types
    print(f() + (types.CodeType is None) if f() == 2 else 2)
except ValueError:
    print('ValueError')
";

/// Every Python module that the page contains can be imported in a hosted program.
#[test]
fn hosted_programs_have_the_modules_of_the_page() {
    let _alone = ONE_AT_A_TIME.lock();
    let source = "\
import _imp, importlib, sys
bad = []
for name in _imp._frozen_module_names():
    if name.startswith(('_frozen', '__', 'this')) or name in ('importlib.readers', 'importlib.simple'):
        continue
    try:
        importlib.import_module(name)
    except ImportError as e:
        bad.append((name, str(e)))
print(sorted(bad))
import time, random, hashlib, datetime, decimal, json, pickle, inspect, dis, threading, logging, csv, statistics
print(hashlib.sha256(b'x').hexdigest()[:8], hashlib.md5(b'x').hexdigest()[:8], datetime.date(2026, 1, 2).isoformat())
import torch, numpy, os
with open('a.txt', 'w') as f:
    f.write('kept')
print(open('a.txt').read(), os.listdir('.'), os.environ)
print(len(os.urandom(4)), os.urandom(8) != os.urandom(8), random.SystemRandom().random() < 1)
";
    let thread = std::thread::Builder::new().stack_size(16 << 20).spawn(move || {
        engine::install(Engine::on_cpu(Machine::preset("cpu").unwrap()));
        let output = Rc::new(Captured::default());
        run(&Program::hosted("main.py", source, Arc::default()), output.clone());
        (output.stdout.take(), output.stderr.take())
    });
    let (stdout, stderr) = thread.unwrap().join().unwrap();
    assert_eq!(stderr, "");
    assert_eq!(stdout, "[]\n2d711642 9dd4e461 2026-01-02\nkept ['a.txt', 'tmp'] environ({})\n4 True True\n");
}

fn tensoryard() -> Command {
    Command::new(env!("CARGO_BIN_EXE_tensoryard"))
}

#[test]
fn the_command_line_runs_a_program_hosted() {
    let _alone = ONE_AT_A_TIME.lock();
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("hosted-run");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("train.py");
    let source = "\
import os, sys
open('kept.txt', 'w').write('x')
print(open('kept.txt').read(), sys.argv[1:], os.environ.get('HOSTED_SECRET'))
try:
    print(input())
except OSError as e:
    print('no input')
import neighbour
";
    std::fs::write(&path, source).unwrap();
    std::fs::write(folder.join("neighbour.py"), "print('escaped')\n").unwrap();
    let mut child = tensoryard()
        .args(["run", "--hosted", "--machine", "cpu"])
        .arg(&path)
        .arg("--lr")
        .current_dir(&folder)
        .env("HOSTED_SECRET", SECRET)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // Nothing may read it, because the pipe may be closed.
    let _ = child.stdin.take().unwrap().write_all(format!("{SECRET}\n").as_bytes());
    let output = child.wait_with_output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stdout), "x ['--lr'] None\nno input\n");
    assert!(String::from_utf8_lossy(&output.stderr).ends_with("ModuleNotFoundError: No module named 'neighbour'\n"));
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 2);
}

/// A lesson in which every program tries to change the machine.
fn lesson() -> String {
    let touch = |name: &str| {
        format!(
            "import os\ntry:\n    open(PLACE + {name:?}, 'w').write('x')\nexcept OSError:\n    pass\ntry:\n    os.system('touch {name}')\nexcept OSError:\n    pass\ntry:\n    print(open('canary.txt').read())\nexcept OSError:\n    pass\n"
        )
    };
    format!(
        "---\nformat: 1\nid: pwn\ntitle: Small\nminutes: 3\nmachine: cuda:1\n---\n\nWords.\n\n## To do\n\nText.\n\n\
         ```predict\nquestion: What?\noptions:\n  - text: A\n    correct: true\n  - text: B\nbecause: A.\n```\n\n\
         ```python starter\n{}x = 1\n```\n\n```check\n- kind: value\n  label: It.\n  expr: |\n    x == 2 and open('PWNED-check', 'w') and \
         (__import__('os').__dict__.get('fork') is None) and '{SECRET}' not in str(__import__('os').environ)\n```\n\n```hint\nRun it.\n```\n\n```hint\nTwo.\n```\n\n\
         ```python solution\n{}x = 2\n```\n\n```python must_fail It fails.\n{}x = 3\n```\n\n```why\nIt is two.\n```\n",
        touch("PWNED-starter"),
        touch("PWNED-solution"),
        touch("PWNED-must-fail"),
    )
    .replace("PLACE", "'/tmp/'")
}

#[test]
fn lesson_commands_run_their_programs_hosted() {
    let _alone = ONE_AT_A_TIME.lock();
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("hosted-lesson");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(folder.join("dist/lessons/posters")).unwrap();
    std::fs::write(folder.join("pwn.md"), lesson()).unwrap();
    std::fs::write(folder.join("canary.txt"), SECRET).unwrap();
    for file in ["index.html", "embed.html", "embed.js", "element.js", ".built"] {
        std::fs::write(folder.join("dist").join(file), file).unwrap();
    }
    std::fs::write(folder.join("dist/sw.js"), "const BUILD = \"0\";\nconst FILES = [\"./index.html\"];\n").unwrap();
    std::fs::write(folder.join("dist/lessons/index.json"), "[]").unwrap();
    let names = || {
        let mut names: Vec<_> = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        names.sort();
        names
    };
    let before = names();
    for arguments in [
        &["lesson", "check", "pwn.md", "--executor", "cpu"][..],
        &["lesson", "pack", "pwn.md", "--dist", "dist", "--out", "out"],
    ] {
        let output = tensoryard().args(arguments).current_dir(&folder).env("HOSTED_SECRET", SECRET).output().unwrap();
        let said = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert_eq!(output.status.code(), Some(0), "{said}");
        assert!(!said.contains(SECRET), "{said}");
        assert_eq!(names().into_iter().filter(|name| name != "out").collect::<Vec<_>>(), before);
    }
    let mut poster = String::new();
    let path = find(&folder.join("out"), "pwn.json").expect("a poster");
    std::fs::File::open(path).unwrap().read_to_string(&mut poster).unwrap();
    assert!(!poster.contains(SECRET), "{poster}");
    assert!(!Path::new("/tmp/PWNED-solution").exists());
}

fn find(folder: &Path, name: &str) -> Option<PathBuf> {
    for entry in std::fs::read_dir(folder).ok()?.flatten() {
        let path = entry.path();
        if path.is_dir() {
            if let Some(found) = find(&path, name) {
                return Some(found);
            }
        } else if path.file_name().is_some_and(|file| file == name) {
            return Some(path);
        }
    }
    None
}
