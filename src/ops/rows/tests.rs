use super::*;
use crate::device::Device;
use crate::dtype::DType;
use crate::ops;
use crate::ops::signature::{DEPRECATED, Signature};

#[test]
fn names_are_unique_and_resolve() {
    let mut seen = std::collections::HashSet::new();
    for o in all() {
        for name in [o.name].iter().chain(o.aliases) {
            assert!(seen.insert(*name), "{name} is two operators");
            assert!(std::ptr::eq(find(name).unwrap(), *o), "{name}");
        }
    }
    assert_eq!(find("multiply").unwrap().family, Family::Binary(BinaryOp::Mul));
    assert_eq!(find("exp").unwrap().family, Family::Unary(UnaryOp::Exp));
}

/// `TENSORYARD_WRITE=1 cargo test --lib rows` writes the page again.
#[test]
fn the_reference_page_is_what_the_rows_render() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/operators.md");
    let head = "# Operators\n\nRendered from the rows in `src/functions.rs` and `src/ops/rows`. \"devices\" is the same-device rule: \
                elementwise operators let 0-dim CPU tensors meet any device; a name is PyTorch's wrapper that checks its \
                arguments one by one.\n\n";
    let page = format!("{head}{}", markdown());
    if std::env::var_os("TENSORYARD_WRITE").is_some() {
        std::fs::write(path, &page).unwrap();
    }
    assert!(std::fs::read_to_string(path).unwrap() == page, "docs/operators.md is not what the rows say");
}

/// The node that an elementwise operator records is its row's.
#[test]
fn elementwise_operators_record_their_node() {
    let x = ops::create::full(&[2], 0.5.into(), DType::F32, Device::CPU).unwrap();
    x.set_requires_grad(true).unwrap();
    for o in all().iter().filter(|o| o.gives != Gives::Integer) {
        let out = match o.family {
            Family::Unary(op) => ops::unary(op, &x),
            Family::Binary(op) => ops::binary(op, &(&x).into(), &(&x).into()),
            Family::Reduction(op) => ops::reduce::reduction(op, &x, &[], false, None),
            Family::Own => continue,
        };
        let out = out.unwrap_or_else(|error| panic!("{}: {error}", o.name));
        assert_eq!(out.grad_fn().map_or(String::new(), |f| f.name.to_string()), o.node, "{}", o.name);
    }
}

/// What PyTorch's own parser accepts, recorded by `tests/oracle/torch/record_signatures.py`. For functions that PyTorch has
/// in Python (`def …`) there are no recordings.
#[test]
fn signatures_are_pytorchs() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/oracle/torch/signatures.json");
    let recorded: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let list = |name: &str, kinds: &[&str]| -> Option<Vec<String>> {
        let texts = kinds.iter().find_map(|kind| recorded[name][kind].as_array())?;
        Some(texts.iter().map(|t| t.as_str().unwrap().to_string()).collect())
    };
    let (mut compared, mut wrong) = (0, Vec::new());
    for o in all().iter().filter(|o| !o.name.starts_with('_')) {
        for name in [o.name].iter().chain(o.aliases) {
            if let Some(want) = list(o.said.unwrap_or(name), &["function", "nn", "linalg"])
                && !o.takes.is_empty()
                && !o.takes.iter().any(|text| text.starts_with("def "))
            {
                compared += 1;
                let ours: Vec<_> = o.takes.iter().filter(|text| **text != DEPRECATED).map(|t| t.to_string()).collect();
                if ours != want {
                    wrong.push(format!("{name}: {ours:?}, not {want:?}"));
                }
            }
            if let Some(want) = list(name, &["method"])
                && (o.forms & METHOD != 0 || o.forms == 0)
                && !o.method_signatures().iter().any(|way| way.python)
            {
                compared += 1;
                let shown = |way: &Signature| way.shown(1);
                let ours: Vec<_> = o.method_signatures().iter().filter(|way| !way.hidden).map(shown).collect();
                let own = |text: &String| Signature::parse(text.clone().leak()).with_object().shown(1);
                let want: Vec<_> = want.iter().map(own).collect();
                if ours != want {
                    wrong.push(format!("x.{name}: {ours:?}, not {want:?}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {compared}:\n{}", wrong.len(), wrong.join("\n"));
    assert!(compared > 350, "{compared}");
}

/// A row's node must be the one that PyTorch recorded, and so must be the node that the operator records
/// (`tests/torch_oracle.rs`).
#[test]
fn nodes_are_pytorchs() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/oracle/torch/nodes.txt");
    let recorded = std::fs::read_to_string(path).unwrap();
    let recorded: HashMap<&str, &str> = recorded.lines().filter_map(|line| line.split_once(": ")).collect();
    for o in all().iter().filter(|o| !o.node.is_empty()) {
        assert_eq!(recorded.get(o.name), Some(&o.node), "{}", o.name);
    }
    for (name, node) in nodes::AS_ONE {
        assert_eq!(recorded.get(name), Some(node), "{name}");
    }
    // A gradient of a gradient has no call of its own, and two others none on the CPU.
    let elsewhere = |node: &str| {
        node.ends_with("BackwardBackward0") || ["AliasBackward0", "NativeDropoutBackward0"].contains(&node)
    };
    let nameless = others::OTHERS.iter().filter(|o| o.name.is_empty() && !o.node.is_empty()).map(|o| &o.node);
    for node in nodes::ALL.iter().chain(nameless).filter(|node| !elsewhere(node)) {
        assert!(recorded.values().any(|other| other == node), "{node}");
    }
}
