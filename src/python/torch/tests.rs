//! The bindings' names, and programs on a machine with 32-bit words, like a browser's.

use std::rc::Rc;

use crate::python::output::Captured;
use crate::python::{Program, run};
use crate::shape::narrow::as_in_a_browser;

/// A second row of the same name would silently replace the first.
#[test]
fn no_name_is_bound_twice() {
    for form in [super::binding::F, super::binding::M] {
        let mut names: Vec<&str> = super::rows().iter().filter(|row| row.1 & form != 0).map(|row| row.0).collect();
        names.sort_unstable();
        let twice: Vec<&str> = names.windows(2).filter(|pair| pair[0] == pair[1]).map(|pair| pair[0]).collect();
        assert!(twice.is_empty(), "{twice:?}");
    }
}

fn printed(source: String) -> String {
    let program = move || {
        let output = Rc::new(Captured::default());
        let ended = as_in_a_browser(|| run(&Program::new("main.py", source), output.clone()));
        assert_eq!(ended.exit_code, 0, "{}", output.stderr.take());
        output.stdout.take()
    };
    std::thread::Builder::new().stack_size(64 << 20).spawn(program).unwrap().join().unwrap()
}

/// Each expression with the result of 64-bit PyTorch (null if it depends on the machine's memory). A browser must give the same
/// result or refuse. It never truncates a number.
#[test]
fn numbers_beyond_32_bits_are_right_or_refused() {
    let table: Vec<(String, Option<String>)> =
        serde_json::from_str(include_str!("../../../tests/programs/sizes_32_bits.json")).unwrap();
    let list: Vec<&String> = table.iter().map(|(expression, _)| expression).collect();
    let source = format!(
        r#"
import torch
import torch.nn.functional as F
m = torch.arange(12.).reshape(3, 4)
for expression in {list:?}:
    try:
        print(" ".join(str(eval(expression)).split()))
    except Exception as error:
        print(type(error).__name__ + ": " + str(error).splitlines()[0])
"#
    );
    let printed = printed(source);
    let answers: Vec<&str> = printed.lines().collect();
    assert_eq!(answers.len(), table.len());
    let mut wrong = Vec::new();
    for ((expression, right), answer) in table.iter().zip(&answers) {
        let refused = answer.starts_with("RuntimeError: ");
        let ok = match right {
            Some(text) if text.contains("Error: ") => answer == text,
            Some(text) => answer == text || refused,
            None => refused,
        };
        if !ok {
            wrong.push(format!("{expression}: {answer}, and not {right:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The error for a number that a browser can't count names the limit.
#[test]
fn what_a_browser_cannot_count_names_the_limit() {
    let source = "import torch\ntry: torch.ones(1).expand(65536, 65536)\nexcept RuntimeError as e: print(e)\n";
    assert_eq!(
        printed(source.into()),
        "A tensor of sizes [65536, 65536] with 4294967296 elements is too large here: this build has 32-bit addresses and can't count past 2147483647\n"
    );
    let source = "import torch\nprint(torch.ones(1).expand(65536, 32767).numel(), torch.ones(3)[::2**40])\n";
    assert_eq!(printed(source.into()), "2147418112 tensor([1.])\n");
}
