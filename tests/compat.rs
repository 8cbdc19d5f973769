//! What `tensoryard compat` says about a program, and what happens when it runs.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn tensoryard(args: &[&str], file: &Path) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tensoryard"));
    command.env_remove("CUDA_VISIBLE_DEVICES").args(args).arg(file).output().expect("the command line starts")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn programs(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let mut all: Vec<PathBuf> = std::fs::read_dir(&folder)
        .expect("the programs are in the checkout")
        .map(|entry| entry.expect("a folder can be read").path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "py" || ending == "ipynb"))
        .filter(|path| path.file_name().is_none_or(|name| name != "record.py"))
        .collect();
    all.sort();
    all
}

/// Names that are missing in PyTorch too, or aren't used: programs print the errors that some of them raise, from a function
/// that catches every error.
const EXPECTED: &[&str] = &[
    "torch.nn.functional.cross_entropy",
    "torch.tensortype",
    "torch.ComplexFloatTensor",
    "requests.codes.nope",
    "torchvision.transforms.functional.adjust_gamma",
    // A function hides the module that it comes from.
    "torch.autograd.gradcheck.gradcheck",
    "torch._higher_order_ops.associative_scan.associative_scan",
    "torch._higher_order_ops.scan.scan",
    "torch._higher_order_ops.while_loop.while_loop",
    // `torch.histogram` returns a tuple with names.
    "torch.Tensor.hist",
    "torch.Tensor.bin_edges",
    "torch.utils.model_zoo.load_url",
    "torch.nn.ConvTranspose1d",
    "numpy.busday_offset",
    "pandas.crosstab",
    "numpy.set_printoptions",
    "pandas.NaT.to_period",
    "matplotlib.pyplot.cm.ScalarMappable",
    "scipy.integrate.simpson",
    "scipy.interpolate.CubicSpline",
    "scipy.interpolate.griddata",
    "scipy.interpolate.interp1d",
    "scipy.interpolate.make_interp_spline",
    "scipy.io.loadmat",
    "scipy.io.savemat",
    "scipy.io.whosmat",
    "scipy.optimize.milp",
    "scipy.optimize.minimize",
    "scipy.sparse.coo_matrix",
    "scipy.sparse.csr_matrix",
    "scipy.sparse.diags",
    "scipy.sparse.eye",
    "scipy.sparse.vstack",
    "torch._foreach_bogus",
    "matplotlib.ticker.LogLocator",
    "pandas.DataFrame.sort_index",
    "torch.nn.Linear",
    "scipy.cluster.vq.kmeans2",
    "scipy.stats.binom_test",
    "scipy.optimize.linprog",
    "scipy.optimize.root",
    "scipy.optimize.curve_fit",
    "torch.quasirandom.SobolEngine",
];

/// Programs that run to their end use nothing else that `compat` calls missing. That they do is what `tests/recorded.rs` and
/// `tests/notebooks.rs` test.
#[test]
fn programs_that_run_are_all_there() {
    let all: Vec<PathBuf> = ["tests/programs/recorded", "tests/notebooks"].iter().flat_map(|f| programs(f)).collect();
    assert!(all.len() > 40, "{}", all.len());
    let mut command = Command::new(env!("CARGO_BIN_EXE_tensoryard"));
    let output = command.arg("compat").args(&all).output().expect("the command line starts");
    let report = text(&output.stdout);
    let (rows, files): (Vec<&str>, Vec<&str>) = report.lines().partition(|line| line.starts_with("  "));
    assert_eq!(files.len(), all.len(), "{report}{}", text(&output.stderr));
    let is_expected = |row: &str| row.split_whitespace().nth(1).is_some_and(|name| EXPECTED.contains(&name));
    let others: Vec<&str> = rows.into_iter().filter(|row| !is_expected(row)).collect();
    assert!(others.is_empty(), "{others:#?}");
    assert!(output.status.code().is_some_and(|code| code < 2), "{}", output.status);
}

/// One verdict for both: whether something is missing, and in which line.
#[test]
fn compat_and_a_run_agree() {
    let mut wrong = Vec::new();
    for file in programs("tests/programs/refused") {
        let (said, ran) = (tensoryard(&["compat"], &file), tensoryard(&["run", "--machine", "cpu"], &file));
        let (report, error) = (text(&said.stdout), text(&ran.stderr));
        let fails = !ran.status.success();
        let name = file.display().to_string();
        // The last line of the program that the traceback names.
        let (own, cell) = (format!("File \"{name}\", line "), "Cell In[");
        let place = error.lines().rev().find_map(|line| {
            let line = line.trim_start();
            match line.strip_prefix(&own) {
                Some(rest) => Some(format!("line {}", rest.split(',').next()?)),
                None => Some(format!("cell {}", line.strip_prefix(cell)?.split(']').next()?)),
            }
        });
        let is_named = place.as_ref().is_none_or(|place| {
            let names = |row: &str| {
                row.trim_start().split("  ").any(|part| part.trim() == place || part.starts_with(&format!("{place} ")))
            };
            report.lines().skip(1).any(names)
        });
        if fails != (said.status.code() == Some(1)) || (fails && (place.is_none() || !is_named)) {
            wrong.push(format!("{name}\ncompat: {}\n{report}run: {}\n{error}", said.status, ran.status));
        }
    }
    assert!(wrong.is_empty(), "{} differ\n{}", wrong.len(), wrong.join("\n"));
}
