//! `./test` runs the requested part, with only the set-up that it needs. The programs that it calls are stand-ins
//! here, which log their calls.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Answers every question of `.ci/setup.sh` as an installed program would.
const STAND_IN: &str = r#"#!/bin/sh
name=$(basename "$0")
echo "$name $*" >>"$CALLS"
case "$name $*" in
*"cargo "*--list) case "$*" in *nothing*) ;; *) echo "some::test: test" ;; esac ;;
"firefox-esr --version") echo "Mozilla Firefox 153.7.0esr" ;;
"ruff --version") sed -n 's/^ruff==\([^ ]*\).*/ruff \1/p' .ci/ruff.txt ;;
*--version*) cat .ci/setup.sh .ci/tools/Cargo.toml ;;
"node -p "*) echo 22 ;;
"rustup run "*target-libdir*) echo / ;;
"npm ci "*) mkdir -p node_modules ;;
"node www/assemble.mjs "*) mkdir -p dist-next ;;
"df "*) echo "disk 1 1 $((${ROOM:-100} * 1048576)) 1% /" ;;
esac
"#;

const PROGRAMS: [&str; 22] = [
    "apt-get",
    "cargo",
    "cargo-deny",
    "cc",
    "chromedriver",
    "chromium",
    "df",
    "firefox-esr",
    "git",
    "mpicc",
    "mpirun",
    "node",
    "npm",
    "python3",
    "rustc",
    "rustup",
    "sudo",
    "wasm-bindgen",
    "wasm-bindgen-test-runner",
    "WebKitWebDriver",
    "Xvfb",
    "xauth",
];

struct Checkout(PathBuf);

impl Checkout {
    /// A folder with the scripts, two lessons and two browser tests.
    fn new(name: &str) -> Checkout {
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("commands").join(name);
        let _ = fs::remove_dir_all(&folder);
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        for file in
            ["test", "rust-toolchain.toml", ".ci/setup.sh", ".ci/build.sh", ".ci/ruff.txt", ".ci/tools/Cargo.toml"]
        {
            let to = folder.join(file);
            fs::create_dir_all(to.parent().unwrap()).unwrap();
            fs::copy(root.join(file), to).unwrap();
        }
        for file in ["lessons/01-first.md", "lessons/02-second.md", "lessons/de/01-first.md", "www/optimise.mjs"] {
            fs::create_dir_all(folder.join(file).parent().unwrap()).unwrap();
            fs::write(folder.join(file), "").unwrap();
        }
        for file in ["page", "stop"] {
            fs::create_dir_all(folder.join("tests/browser")).unwrap();
            fs::write(folder.join(format!("tests/browser/{file}.test.mjs")), "").unwrap();
        }
        let bin = folder.join("cache/tools/bin");
        for place in ["nvrtc/bin", "ruff/bin", "target/debug", "tools/bin"] {
            fs::create_dir_all(folder.join("cache").join(place)).unwrap();
        }
        let stand_in = folder.join("stand-in");
        fs::write(&stand_in, STAND_IN).unwrap();
        fs::set_permissions(&stand_in, fs::Permissions::from_mode(0o755)).unwrap();
        for program in PROGRAMS {
            symlink(&stand_in, bin.join(program)).unwrap();
        }
        for program in ["nvrtc/bin/python", "ruff/bin/ruff", "target/debug/tensoryard"] {
            symlink(&stand_in, folder.join("cache").join(program)).unwrap();
        }
        Checkout(folder)
    }

    fn run(&self, arguments: &[&str]) -> Output {
        self.run_with(arguments, "100")
    }

    /// Runs `./test` where as many gibibytes are free.
    fn run_with(&self, arguments: &[&str], room: &str) -> Output {
        let _ = fs::remove_file(self.0.join("calls"));
        Command::new("sh")
            .arg("test")
            .args(arguments)
            .current_dir(&self.0)
            .env("TENSORYARD_CACHE", self.0.join("cache"))
            .env("HOME", &self.0)
            .env("CALLS", self.0.join("calls"))
            .env_remove("CARGO_TARGET_DIR")
            .env_remove("CARGO_HOME")
            .env_remove("RUSTC_WORKSPACE_WRAPPER")
            .env("LIBCLANG_PATH", "/")
            .env("ROOM", room)
            .output()
            .unwrap()
    }

    /// The calls, in order.
    fn calls(&self) -> Vec<String> {
        let said = fs::read_to_string(self.0.join("calls")).unwrap_or_default();
        said.lines().map(str::to_string).collect()
    }

    /// Runs a part that must pass, and returns what it called.
    fn passes(&self, arguments: &[&str]) -> Vec<String> {
        let output = self.run(arguments);
        assert!(output.status.success(), "{arguments:?}: {output:?}");
        let calls = self.calls();
        assert!(!calls.iter().any(|call| call.starts_with("apt-get") || call.contains("cargo install")), "{calls:?}");
        calls
    }
}

fn has(calls: &[String], start: &str) -> bool {
    calls.iter().any(|call| call.starts_with(start))
}

#[test]
fn a_part_that_is_none_is_told_which_there_are() {
    let checkout = Checkout::new("wrong");
    for arguments in
        [&["everything"][..], &["lint", "fmt"], &["lessons", "01", "02"], &["browser", "a", "b"], &["--help"]]
    {
        let output = checkout.run(arguments);
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {said}");
        for part in ["lint ", "native [FILTER…]", "wasm [FILTER…]", "lessons [FILTER]", "browser [FILTER]"] {
            assert!(said.contains(&format!("./test {part}")), "{arguments:?}: {said}");
        }
        assert_eq!(checkout.calls(), [] as [&str; 0], "{arguments:?}: nothing is set up for it");
    }
}

#[test]
fn a_part_sets_up_what_it_needs_and_nothing_else() {
    let checkout = Checkout::new("parts");
    let native = "cargo test --features cuda,mpi --no-fail-fast";
    let for_page = |features: &str, command: &str, what: &str| {
        format!(
            "cargo {command} --config profile.dev.opt-level=0 --config profile.dev.package.\"*\".opt-level=0 --target wasm32-unknown-unknown \
             --no-default-features --features {features} {what}"
        )
    };
    let page = &for_page("app", "test", "--test page");
    let lints = &for_page("app,worker", "check", "--quiet --lib");
    let documentation = &for_page("app,worker", "doc", "--quiet --lib");
    let playground = "node www/assemble.mjs";
    let expected: [(&str, &[&str], &[&str]); 5] = [
        (
            "lint",
            &[
                "cargo fmt --check",
                "ruff check",
                "cargo deny",
                lints,
                documentation,
                "cargo build --config profile.dev.opt-level=0 --quiet --lib --bins",
            ],
            &["chromium", playground, "wasm-bindgen", "firefox-esr", native, page],
        ),
        ("native", &["mpicc", native], &["chromium", "npm", "node", "cargo-deny", "cargo fmt", "ruff", page]),
        ("wasm", &["chromium", "chromedriver", page], &["node", "mpicc", "npm", "firefox-esr", "cargo fmt", native]),
        ("lessons", &["cargo build", "tensoryard lesson check lessons"], &["chromium", "node", "npm", native, page]),
        (
            "browser",
            &["chromium", "firefox-esr", playground, "node --test"],
            &["cargo-deny", "cargo fmt", native, page],
        ),
    ];
    for (part, done, left_out) in expected {
        let calls = checkout.passes(&[part]);
        for call in done {
            assert!(has(&calls, call), "{part} does not call {call}: {calls:#?}");
        }
        for call in left_out {
            assert!(!has(&calls, call), "{part} calls {call}: {calls:#?}");
        }
    }

    // All parts, without building the command line again after the native tests.
    let calls = checkout.passes(&[]);
    let lessons = "tensoryard lesson check --executor";
    let all = ["cargo fmt --check", native, page, lessons, "node --test"];
    let places = all.map(|call| calls.iter().position(|c| c.starts_with(call)).unwrap_or_else(|| panic!("{call}")));
    assert!(places.is_sorted(), "{places:?}");
    assert!(!has(&calls, "cargo build --quiet --features cuda,mpi"), "{calls:#?}");
}

#[test]
fn a_filter_chooses_tests_lessons_and_files() {
    let checkout = Checkout::new("filters");
    let calls = checkout.passes(&["native", "--test", "waits", "copies"]);
    assert!(
        has(&calls, "cargo test --features cuda,mpi --no-fail-fast --test waits copies -- --show-output"),
        "{calls:#?}"
    );
    assert!(checkout.passes(&["wasm", "resize"]).iter().any(|call| call.ends_with("--test page resize")));
    let calls = checkout.passes(&["lessons", "first"]);
    assert!(has(&calls, "tensoryard lesson check lessons/01-first.md lessons/de/01-first.md"), "{calls:#?}");
    let calls = checkout.passes(&["browser", "stop"]);
    assert!(calls.iter().any(|call| call.starts_with("node --test") && call.ends_with(" tests/browser/stop.test.mjs")));

    for arguments in [["native", "nothing"], ["lessons", "nothing"], ["browser", "nothing"]] {
        let output = checkout.run(&arguments);
        assert_eq!(output.status.code(), Some(1), "{arguments:?} chooses none and passes: {output:?}");
        assert!(!has(&checkout.calls(), "node"), "{arguments:?}");
    }
}

#[test]
fn a_full_disk_is_said_before_anything_is_built() {
    let checkout = Checkout::new("room");
    let (old, command_line) = ("cache/target/debug/incremental", "cache/target/debug/tensoryard");
    fs::create_dir_all(checkout.0.join(old)).unwrap();
    let output = checkout.run_with(&["native"], "15");
    assert!(output.status.success() && checkout.0.join(old).exists(), "there is room: {output:?}");

    let output = checkout.run_with(&["native"], "3");
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("error: 3 GiB are free for ") && said.contains("this needs 14: make room"), "{said}");
    assert!(
        !checkout.0.join(old).exists() && !checkout.0.join(command_line).exists(),
        "older builds were given up first"
    );
    assert!(!checkout.calls().iter().any(|call| call.starts_with("cargo")), "{:?}", checkout.calls());
}
