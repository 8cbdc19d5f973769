//! What a program copies and waits for only because its author looks, told apart from the rest. The counts themselves stay
//! PyTorch's (`waits.rs`, `print_cost.rs`).

#![cfg(feature = "python")]

mod gpu;

use std::cell::RefCell;
use std::rc::Rc;

use gpu::traced;
use tensoryard::engine::{self, Engine};
use tensoryard::lesson::judge::{Ran, judge};
use tensoryard::lesson::{Check, Finding};
use tensoryard::machine::Machine;
use tensoryard::python::output::Captured;
use tensoryard::python::{Finished, Observer, Program, run};
use tensoryard::trace::Look;
use tensoryard::trace::summary::{Summary, summarize};

const BEFORE: &str = "\
import torch, logging, sys, pprint
import torch.nn as nn
import matplotlib.pyplot as plt
from tqdm import tqdm
g, h = torch.ones(3, device='cuda'), torch.ones(3, device='cuda')
x, loss, total, kept = torch.ones(3), g.sum(), 0.0, []
net, logger = nn.Linear(3, 1).cuda(), logging.getLogger('mine')
fig, ax = plt.subplots()
bar = tqdm(range(2), file=sys.stdout)
def mean(t):
    return t.mean().item()
class Net(nn.Module):
    def forward(self, t):
        return t * t.max().item()
own = Net()
";

fn summary_of(source: &str) -> Summary {
    summarize(&traced(source).1)
}

/// A line, how it looks, and its copies and waits: those caused by looking, and all.
type Case = (&'static str, Option<Look>, [u64; 2], [u64; 2]);

const CASES: &[Case] = &[
    // A number in text.
    ("print(loss.item())", Some(Look::Print), [1, 1], [1, 1]),
    ("print('loss', loss.item(), g.tolist())", Some(Look::Print), [2, 2], [2, 2]),
    ("print(f'{loss.item():.3f} {loss:.2f}')", Some(Look::Print), [2, 2], [2, 2]),
    ("text = f'{loss.item():.3f}'", Some(Look::Text), [1, 1], [1, 1]),
    ("text = '%.3f' % loss.item()", Some(Look::Text), [1, 1], [1, 1]),
    ("text = '{:.3f}'.format(loss)", Some(Look::Text), [1, 1], [1, 1]),
    ("kept.append(f'{loss:.1f}')", Some(Look::Text), [1, 1], [1, 1]),
    ("print(g.cpu())", Some(Look::Print), [1, 1], [1, 1]),
    ("print(\n    'a',\n    loss.item(),\n)", Some(Look::Print), [1, 1], [1, 1]),
    ("[print(v) for v in g.tolist()]", None, [0, 0], [1, 1]),
    // The program needs the number itself.
    ("total += loss.item()", None, [0, 0], [1, 1]),
    ("kept.append(loss.item())", None, [0, 0], [1, 1]),
    ("v = loss.item(); print(v)", None, [0, 0], [1, 1]),
    ("if loss.item() > 0: total += 1", None, [0, 0], [1, 1]),
    ("if loss > 0: total += 1", None, [0, 0], [1, 1]),
    ("print(mean(g))", None, [0, 0], [1, 1]),
    ("print(own(g).shape)", None, [0, 0], [1, 1]),
    ("g.cpu()", None, [0, 0], [1, 1]),
    ("torch.cuda.synchronize()", None, [0, 0], [0, 1]),
    // A line with both.
    ("if loss.item() > 0: print(loss.item())", Some(Look::Print), [1, 1], [2, 2]),
    ("total += loss.item(); print(loss.item())", Some(Look::Print), [1, 1], [2, 2]),
    ("print(mean(g), g.sum().item())", Some(Look::Print), [1, 1], [2, 2]),
    // Moving data to a device in a `print` is the program's work; in an assertion nothing is.
    ("print(x.cuda().device)", None, [0, 0], [1, 1]),
    ("print(net(x.cuda()).item())", Some(Look::Print), [1, 1], [2, 2]),
    ("assert loss.item() > 0", Some(Look::Assert), [1, 1], [1, 1]),
    ("assert loss > 0, 'lost'", Some(Look::Assert), [1, 1], [1, 1]),
    ("assert torch.equal(g, x.cuda())", Some(Look::Assert), [2, 2], [2, 2]),
    ("torch.testing.assert_close(g.cpu(), x)", Some(Look::Assert), [1, 1], [1, 1]),
    // Plots, logs and progress bars.
    ("ax.plot(g.cpu())", Some(Look::Plot), [1, 1], [1, 1]),
    ("plt.title(f'{loss.item()}')", Some(Look::Plot), [1, 1], [1, 1]),
    ("logging.info('%s', loss.item())", Some(Look::Log), [1, 1], [1, 1]),
    ("logger.info('%s', loss.item())", Some(Look::Log), [1, 1], [1, 1]),
    ("bar.set_postfix(loss=loss.item())", Some(Look::Log), [1, 1], [1, 1]),
];

#[test]
fn what_only_looks_is_told_apart() {
    let base = summary_of(BEFORE);
    for (line, look, looked, all) in CASES {
        let summary = summary_of(&format!("{BEFORE}{line}\n"));
        let before = &base.score;
        let found = [summary.score.copies - before.copies, summary.score.synchronisations - before.synchronisations];
        assert_eq!(found, *all, "all copies and waits of {line}");
        assert_eq!([summary.looking.copies, summary.looking.synchronisations], *looked, "looking in {line}");
        assert_eq!(summary.looking.lines.first().map(|l| l.look), *look, "how {line} looks");
        let links = summary.links.iter().map(|l| l.looked).sum::<u64>();
        assert_eq!(links, summary.looking.copies, "links after {line}");
    }
    assert_eq!((base.looking.copies, base.looking.synchronisations, base.looking.kernels), (0, 0, 0));
}

/// A tensor that becomes text is looked at, whatever asked for the text.
#[test]
fn formatting_on_the_device_is_looking() {
    for (line, look) in [
        ("print(g)", Look::Print),
        ("print([g])", Look::Print),
        ("print({'g': g})", Look::Print),
        ("text = str(g)", Look::Text),
        ("text = repr(g)", Look::Text),
        ("text = f'{g}'", Look::Text),
        ("kept.append(g.__repr__())", Look::Text),
        ("pprint.pprint([g])", Look::Print),
        ("logging.warning('%s', g)", Look::Log),
    ] {
        let base = summary_of(BEFORE);
        let summary = summary_of(&format!("{BEFORE}{line}\n"));
        let looking = &summary.looking;
        assert!(looking.kernels > 0 && looking.copies > 3 && looking.synchronisations > 3, "{line}: {looking:?}");
        assert_eq!(summary.score.copies - base.score.copies, looking.copies, "{line}");
        assert_eq!(summary.score.launches - base.score.launches, looking.kernels, "{line}");
        assert_eq!(looking.lines.len(), 1, "{line}");
        assert_eq!((looking.lines[0].look, looking.lines[0].line), (look, BEFORE.lines().count() as u32 + 1), "{line}");
    }
}

/// The peak without looking is that of the program without the lines that look.
#[test]
fn memory_that_is_taken_to_look_is_told_apart() {
    let work = "import torch\na = torch.ones(1000, 1000, device='cuda')\nb = a * 2\n";
    let peak = |source: &str| {
        let summary = summary_of(source);
        let row = summary.devices.iter().find(|row| row.device.is_cuda()).unwrap().clone();
        assert_eq!(row.peak_allocated, summary.score.peak_bytes);
        (row.peak_unlooked, row.peak_allocated)
    };
    let (alone, all) = peak(work);
    assert_eq!((alone, all), (8_000_512, 8_000_512));
    for line in [
        "print((a - b).abs().max())",
        "assert ((a - b).abs() >= 0).all()",
        "assert torch.allclose(a * 2, b)",
        "print(f'{(a * b).mean().item():.2f}')",
    ] {
        let (unlooked, all) = peak(&format!("{work}{line}\n"));
        assert_eq!(unlooked, alone, "{line}");
        assert!(all > alone, "{line}");
    }
    // A matrix product in a `print` may be what the program is for.
    let (unlooked, all) = peak(&format!("{work}print((a @ b).sum().item())\n"));
    assert!(unlooked == all && all > alone);
    // The most that the program itself takes may come later.
    let (unlooked, all) = peak(&format!("{work}print((a - b).max())\nc = a + b\n"));
    assert_eq!((unlooked, all), (12_000_768, 12_001_280));
}

/// Judges a program when it has ended.
struct Judging {
    checks: Vec<Check>,
    findings: RefCell<Vec<Option<Finding>>>,
}

impl Observer for Judging {
    fn ended(&self, finished: &Finished<'_>) {
        let summary = summarize(&engine::current().trace.drain());
        let ran = Ran { error: None, stdout: "", summary: &summary };
        let results = judge(&self.checks, &ran, finished);
        *self.findings.borrow_mut() = results.into_iter().map(|result| result.finding).collect();
    }
}

fn findings(source: &str, checks: serde_json::Value) -> Vec<Option<Finding>> {
    let (source, checks) = (source.to_string(), serde_json::from_value(checks).unwrap());
    let thread = std::thread::Builder::new().stack_size(8 << 20).spawn(move || {
        let engine = engine::install(Engine::on_cpu(Machine::preset("cuda:1").unwrap()));
        engine.trace.set_on(true);
        engine.trace.restart();
        let judging = Rc::new(Judging { checks, findings: RefCell::default() });
        let output = Rc::new(Captured::default());
        let program = Program { observer: Some(judging.clone()), ..Program::new("main.py", source) };
        assert_eq!(run(&program, output.clone()).error, None, "{}", output.stderr.take());
        judging.findings.take()
    });
    thread.unwrap().join().unwrap()
}

/// A lesson's bounds forgive looking, unless they say otherwise; then the finding names the line.
#[test]
fn a_curious_learner_passes() {
    let step = "import torch\nx = torch.ones(1000, 1000).to('cuda')\ny = x * 2\n";
    let look = "print(y)\nassert (y == x + x).all()\nfor i in range(3): print(f'{y.mean().item():.2f}')\n";
    let bounds = |looking: &str| {
        serde_json::json!([
            {"kind": "transfers", "label": "", "max": 1, "max_bytes": 4_000_000, "looking": looking},
            {"kind": "transfers", "label": "", "direction": "device_to_host", "max": 0, "looking": looking},
            {"kind": "synchronisations", "label": "", "min": 1, "max": 1, "looking": looking},
            {"kind": "peak_bytes", "label": "", "device": "cuda", "max": 8_000_512, "looking": looking},
        ])
    };
    assert_eq!(findings(step, bounds("counted")), [None, None, None, None]);
    assert_eq!(findings(&format!("{step}{look}"), bounds("forgiven")), [None, None, None, None]);
    let counted = findings(&format!("{step}{look}"), bounds("counted"));
    let lines: Vec<_> = counted
        .iter()
        .map(|finding| match finding {
            Some(Finding::Looked { look, line, .. }) => Some((*look, *line)),
            _ => None,
        })
        .collect();
    let (print, assert) = (Some((Look::Print, 4)), Some((Look::Assert, 5)));
    assert_eq!(lines, [print, print, print, assert]);
    // What isn't looking isn't forgiven.
    let costly = format!("{step}total = 0.0\nfor row in y[:3]: total += row.sum().item()\n");
    let found = findings(&costly, bounds("forgiven"));
    assert!(found[..3].iter().all(|f| matches!(f, Some(Finding::Many { .. }))), "{found:?}");
}
