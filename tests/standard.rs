//! The standard library: what is here imports, natively and hosted, and works; what the page can't have says so.
#![cfg(feature = "cli")]

use std::path::Path;
use std::process::Command;

/// What a program prints. `hosted` programs have no access to the machine, as in the page.
fn run(program: &Path, hosted: bool) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tensoryard"));
    command.args(["run", "--machine", "cpu"]).args(hosted.then_some("--hosted")).arg(program);
    let output = command.output().expect("the command line starts");
    let [printed, errors] = [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text).into_owned());
    assert!(output.status.success(), "{}\n{printed}\n{errors}", output.status);
    printed
}

fn run_source(name: &str, source: &str, hosted: bool) -> String {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, source).unwrap();
    run(&path, hosted)
}

/// The importer itself says which modules there are.
#[test]
fn every_module_of_every_library_imports() {
    let source = "\
import importlib, sys
[finder] = [finder for finder in sys.meta_path if hasattr(finder, 'names')]
names = finder.names()
wrong = []
for name in names:
    try:
        importlib.import_module(name)
    except BaseException as error:
        wrong.append(f'{name}: {type(error).__name__}: {error}')
for name in ('zipfile', 'xml.etree.ElementTree', 'importlib.metadata', 'numpy', 'ssl'):
    assert name in names, name
print()
print(len(names) > 400, wrong)
";
    for hosted in [false, true] {
        let printed = run_source("every_module.py", source, hosted);
        assert_eq!(printed.lines().last(), Some("True []"), "hosted: {hosted}");
    }
}

/// The program that CPython recorded, with the files of a hosted program, which are in memory.
#[test]
fn files_in_memory_are_as_good_as_files() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs/recorded");
    let recorded = std::fs::read_to_string(folder.join("standard.txt")).unwrap();
    assert_eq!(run(&folder.join("standard.py"), true), recorded);
}

/// Nobody reads of a module that isn't here without its reason.
#[test]
fn the_documentation_says_what_is_left_out() {
    let text = include_str!("../docs/python.md");
    for (name, why) in tensoryard::python::LEFT_OUT {
        let row = format!("| `{name}` | {why} |");
        assert!(text.contains(&row), "docs/python.md has no row {row}");
    }
    let (_, left_out) = text.split_once("## What isn't here").expect("the section is there");
    let rows = left_out.lines().filter(|line| line.starts_with("| `")).count();
    assert_eq!(rows, tensoryard::python::LEFT_OUT.len());
}

#[test]
fn what_the_page_cannot_have_says_so() {
    let source = "\
import asyncio, http.client, multiprocessing, signal, socket, ssl, subprocess, urllib.request

def say(use):
    try:
        print(use())
    except (OSError, ValueError) as error:
        print(type(error).__name__ + ':', error)

say(lambda: subprocess.run(['ls']))
say(lambda: multiprocessing.Queue())
say(lambda: socket.socket())
say(lambda: urllib.request.urlopen('http://example.org/data.zip'))
say(lambda: urllib.request.urlretrieve('http://example.org/data.zip', 'data.zip'))
say(lambda: http.client.HTTPConnection('example.org').connect())
say(lambda: ssl.create_default_context().wrap_socket(None))
say(lambda: signal.signal(signal.SIGINT, print))

async def square(i):
    await asyncio.sleep(0.01 * (3 - i))
    print('square', i)
    return i * i

async def squares():
    return await asyncio.gather(*[square(i) for i in range(3)])

print(asyncio.run(squares()))
";
    let expected = "\
PermissionError: os.pipe: a program in the page can't start processes, and there are no others
PermissionError: os.pipe: a program in the page can't start processes, and there are no others
OSError: [Errno 101] the page has no network: a program can't connect to anything
URLError: <urlopen error [Errno 101] the page has no network: a program can't connect to anything>
URLError: <urlopen error [Errno 101] the page has no network: a program can't connect to anything>
gaierror: [Errno 101] the page has no network: a program can't connect to anything
SSLError: encrypted connections (https) can't be made: this Python has no TLS
ValueError: the page has no signals
square 2
square 1
square 0
[0, 1, 4]
";
    assert_eq!(run_source("refusals.py", source, true), expected);
}

/// As on a machine whose user has the usual mask.
#[test]
fn new_files_in_memory_get_the_permissions_that_the_mask_leaves() {
    let source = "\
import os, shelve, stat

def mode(path):
    return stat.filemode(os.stat(path).st_mode)

with shelve.open('kept') as kept:
    kept['x'] = [1, 2]
print(dict(shelve.open('kept')), mode('kept.dat'))
print(oct(os.umask(0o077)), oct(os.umask(0o077)))
open('plain', 'w').close()
os.close(os.open('run', os.O_CREAT | os.O_WRONLY, 0o755))
os.mkdir('folder')
os.umask(0o022)
os.rename('run', 'folder/run')
os.rename('folder', 'other')
print(mode('plain'), mode('other'), mode('other/run'))
os.remove('plain')
open('plain', 'w').close()
print(mode('plain'))
";
    let expected = "\
{'x': [1, 2]} -rw-r--r--
0o22 0o77
-rw------- drwx------ -rwx------
-rw-r--r--
";
    assert_eq!(run_source("mask.py", source, true), expected);
}

#[test]
fn packages_have_versions_and_objects_have_help() {
    let source = "\
import importlib.metadata as metadata
import numpy, torch, tqdm

print(metadata.version('torch') == torch.__version__, metadata.version('NumPy') == numpy.__version__)
found = {distribution.name: distribution.version for distribution in metadata.distributions()}
print(found['tqdm'] == tqdm.__version__, {'matplotlib', 'numpy', 'safetensors', 'torch', 'tqdm'} <= set(found))
print(metadata.distribution('torch').metadata['Name'], metadata.requires('torch'), metadata.files('torch'))
try:
    metadata.version('nothing')
except metadata.PackageNotFoundError as error:
    print(error)

def double(x):
    'Twice x.'
    return 2 * x

help(double)
";
    let expected = "\
True True
True True
torch None None
No package metadata was found for nothing
Help on function double in module __main__:

double(x)
    Twice x.

";
    for hosted in [false, true] {
        assert_eq!(run_source("metadata.py", source, hosted), expected, "hosted: {hosted}");
    }
}
