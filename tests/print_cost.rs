//! What printing costs on a GPU, against PyTorch 2.15 itself: `tests/oracle/print_cost.py` watches it print.

#![cfg(feature = "python")]

mod gpu;

use gpu::traced;
use serde_json::Value;
use tensoryard::trace::replay::replay;
use tensoryard::trace::summary::summarize;
use tensoryard::trace::{Event, EventKind};

fn count(value: &Value) -> usize {
    value.as_u64().unwrap() as usize
}

/// The size of the block for this many bytes.
fn block(bytes: usize) -> usize {
    bytes.div_ceil(512) * 512
}

/// `masked_select`: how much memory was taken before it, how many elements it selected, and their size.
fn selects(case: &Value) -> Vec<[usize; 3]> {
    let each = |s: &Value| [count(&s[0]), count(&s[1]), count(&s[2])];
    case["selects"].as_array().unwrap().iter().map(each).collect()
}

/// PyTorch's peak. The recording doesn't contain what `masked_select` takes internally: a count and cub's workspace, then the
/// indices of the selected elements, then those elements.
fn peak(case: &Value) -> usize {
    let inside = |[before, chosen, size]: [usize; 3]| {
        let places = block(8 * chosen);
        (before + 512 + 512).max(before + 512 + places + 1024).max(before + places + block(size * chosen))
    };
    selects(case).into_iter().map(inside).fold(count(&case["peak"]), usize::max)
}

/// Copies, their bytes, and kernels. `masked_select` copies a count of 4 bytes and launches three kernels, plus one if
/// it selects something. For an empty tensor, nothing is launched.
fn work(case: &Value) -> (usize, usize, usize) {
    let selects = selects(case);
    let operators = case["kernels"].as_object().unwrap();
    let plain: usize = operators.iter().filter(|(name, _)| *name != "masked_select").map(|(_, n)| count(n)).sum();
    let select: usize = selects.iter().map(|s| 3 + usize::from(s[1] > 0)).sum();
    let kernels = if selects.iter().all(|s| s[0] == 0) && !selects.is_empty() { 0 } else { plain + select };
    let copies = count(&case["items"]) + count(&case["lists"]) + selects.len();
    let bytes = count(&case["item_bytes"]) + count(&case["list_bytes"]) + 4 * selects.len();
    (copies, bytes, kernels + count(&case["gathered"]))
}

#[test]
fn printing_on_a_gpu_costs_what_it_costs_in_pytorch() {
    let recorded: Value = serde_json::from_str(include_str!("oracle/torch/print_cost.json")).unwrap();
    let cases = recorded["cases"].as_array().unwrap();
    assert!(cases.len() > 60);
    let mut source = String::from(
        "import json, torch\n\
         def measure(x):\n\
         \x20   x = x.cuda()\n\
         \x20   torch.cuda.reset_peak_memory_stats(); before = torch.cuda.memory_allocated()\n\
         \x20   text = repr(x)\n\
         \x20   print(json.dumps([torch.cuda.max_memory_allocated() - before, torch.cuda.memory_allocated() - before, text]))\n",
    );
    for case in cases {
        let options = case["options"].as_object().unwrap().iter();
        let options: Vec<String> = options
            .map(|(name, value)| match value {
                Value::Bool(on) => format!("{name}={}", if *on { "True" } else { "False" }),
                other => format!("{name}={other}"),
            })
            .collect();
        source += "torch.set_printoptions(profile='default')\n";
        source += &format!("torch.set_printoptions({})\n", options.join(", "));
        // Made on the GPU, because a copy to it would have other strides.
        source += &format!("with torch.device('cuda'):\n    x = {}\nmeasure(x)\n", case["code"].as_str().unwrap());
    }
    let (out, events) = traced(&source);
    let mut printed = events.iter().filter_map(|e| match e.kind {
        EventKind::Print { copies, bytes, kernels, .. } => Some((copies, bytes, kernels)),
        _ => None,
    });
    for (case, line) in cases.iter().zip(out.lines()) {
        let (code, options) = (case["code"].as_str().unwrap(), &case["options"]);
        let [most, left, text]: [Value; 3] = serde_json::from_str(line).unwrap();
        let start = format!("tensor({}", case["text"].as_str().unwrap());
        assert!(text.as_str().unwrap().starts_with(&start), "{code} {options}: {text}");
        assert_eq!(count(&most), peak(case), "bytes at most: {code} {options}");
        assert_eq!(count(&left), 0, "bytes left: {code} {options}");
        if !code.starts_with("torch.empty") {
            assert_eq!(printed.next(), Some(work(case)), "copies, bytes, kernels: {code} {options}");
        }
    }
    assert_eq!((out.lines().count(), printed.next()), (cases.len(), None));
}

/// The score is PyTorch's, the bytes were copied once, and the stream still rebuilds memory.
#[test]
fn a_printed_line_is_scored_as_pytorch_prints_and_fetched_once() {
    let (out, events) = traced(
        "import torch\nx = torch.tensor([1.5, -2.25, 3.0], device='cuda')\nprint(x)\nprint(f'{x[0]}', x.sum())\nprint(x.cpu())\n",
    );
    assert!(out.starts_with("tensor([ 1.5000, -2.2500,  3.0000], device='cuda:0')\n1.5 tensor(2.2500"), "{out}");
    let at = |line: u32| -> Vec<Event> { events.iter().filter(|e| e.line == line).cloned().collect() };
    let third = at(3);
    let crossed = third.iter().filter(|e| matches!(e.kind, EventKind::Transfer { bytes: 12, .. })).count();
    assert_eq!((crossed, third.iter().filter(|e| matches!(e.kind, EventKind::Sync { .. })).count()), (1, 1));
    // As recorded: ten numbers are read, and one row and one count are copied.
    let score = summarize(&third).score;
    assert_eq!((score.copies, score.synchronisations, score.d2h_bytes), (12, 12, 19 + 12 + 4));
    assert_eq!((score.launches, score.peak_bytes), (20, 512 + 3072));
    // A number in an f-string is one `.item()`. Printing a 0-dim tensor reads as often as printing one element.
    assert_eq!(summarize(&at(4)).score.synchronisations, 1 + 8);
    // For a tensor on the host, the only cost is the copy there.
    let score = summarize(&at(5)).score;
    assert_eq!((score.copies, score.synchronisations, score.launches), (1, 1, 0));
    let rebuilt = replay(&events).unwrap();
    assert_eq!(rebuilt.live.values().filter(|s| s.device.is_cuda()).count(), 0);
}
