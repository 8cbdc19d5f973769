//! `tensoryard bench`: how fast this machine's devices are, measured with the programs with which `benches/peers.py`
//! compares PyTorch.

use std::io::Write;
use std::process::ExitCode;
use std::rc::Rc;

use clap::Args;
use serde_json::{Map, Value, json};
use tensoryard::engine::{self, Engine};
use tensoryard::python::{self, Program, output::Captured};

use super::{fault, hardware};

/// Measures this machine: its processor, and the accelerator that programs would see.
///
/// An accelerator that the processor only simulates is measured only if you name it.
#[derive(Args)]
pub struct Bench {
    /// The machine whose first CUDA device is measured: cuda:N, or a JSON file; by default this machine.
    #[arg(long)]
    machine: Option<String>,
    /// What executes it: cpu, webgpu, cuda; by default what is available.
    #[arg(long)]
    executor: Option<hardware::Executor>,
    /// Prints JSON.
    #[arg(long)]
    json: bool,
}

/// Programs for PyTorch that print lines with a name and a number.
const PROGRAMS: [(&str, &str); 2] = [
    ("train_program.py", include_str!("../../../benches/train_program.py")),
    ("micro.py", include_str!("../../../benches/micro.py")),
];

/// The meanings of the names that the programs print.
const MEANINGS: [(&str, &str); 6] = [
    ("loader", "training step, with its DataLoader"),
    ("plain", "training step"),
    ("add_1k", "a + b, 1024 elements"),
    ("tiny_dispatch", "smallest operator"),
    ("item", ".item()"),
    ("add_4m", "a + b, 4 million elements"),
];

/// One device and its results.
struct Measured {
    device: String,
    name: String,
    executor: &'static str,
    figures: Vec<(String, f64)>,
}

pub fn bench(options: &Bench) -> ExitCode {
    match measure_all(options) {
        Ok(devices) => {
            let text = if options.json { as_json(&devices) } else { as_table(&devices) };
            // If standard output is closed, there is nowhere to report that.
            let _ = writeln!(std::io::stdout(), "{text}");
            ExitCode::SUCCESS
        }
        Err(text) => fault(text),
    }
}

fn measure_all(options: &Bench) -> Result<Vec<Measured>, String> {
    let asked = options.machine.is_some() || options.executor.is_some();
    let engine = hardware::engine_for(options.machine.as_deref(), options.executor, false)?;
    let executor = engine.devices.accelerators().first().filter(|a| a.device().is_cuda()).map(|a| a.executor.name());
    if executor.is_none() && asked {
        return Err("this machine has no CUDA device to measure".into());
    }
    let mut devices = vec![measure(Engine::on_cpu(hardware::machine("cpu")?), "cpu", "cpu")?];
    if let Some(name) = executor.filter(|&name| asked || name != "cpu") {
        devices.push(measure(engine, "cuda:0", name)?);
    }
    Ok(devices)
}

/// Runs the programs on an engine. They use its first device.
fn measure(engine: Engine, device: &str, executor: &'static str) -> Result<Measured, String> {
    // The hardware that computes is measured, whatever card it simulates.
    let name = match device {
        "cpu" => String::new(),
        _ => engine.devices.accelerators().first().map(|a| a.executor.hardware()).unwrap_or_default(),
    };
    engine::install(engine);
    let mut figures = Vec::new();
    for (file, source) in PROGRAMS {
        figures.extend(read(&run(file, source)?));
    }
    Ok(Measured { device: device.to_string(), name, executor, figures })
}

fn run(file: &str, source: &str) -> Result<String, String> {
    let output = Rc::new(Captured::default());
    match python::run(&Program::new(file, source), output.clone()).exit_code {
        0 => Ok(output.stdout.take()),
        _ => Err(format!("{file} failed:\n{}", output.stderr.take())),
    }
}

/// The lines that consist of a name and a number.
fn read(text: &str) -> impl Iterator<Item = (String, f64)> {
    text.lines().filter_map(|line| {
        let (name, value) = line.split_once(' ')?;
        Some((name.to_string(), value.parse().ok()?))
    })
}

/// The meaning of a result, and its unit.
fn meaning(name: &str) -> (String, &'static str) {
    let (stem, unit) = [("_gb_s", "GB/s"), ("_gflop_s", "GFLOP/s")]
        .into_iter()
        .find_map(|(end, unit)| Some((name.strip_suffix(end)?, unit)))
        .unwrap_or((name, "µs"));
    let known = MEANINGS.iter().find(|(known, _)| *known == stem).map(|(_, words)| words.to_string());
    let product = || stem.strip_prefix("matmul_").map(|n| format!("a @ b, {n} × {n}"));
    (known.or_else(product).unwrap_or_else(|| stem.to_string()), unit)
}

fn as_json(devices: &[Measured]) -> String {
    let devices: Vec<Value> = devices
        .iter()
        .map(|d| {
            let figures: Map<String, Value> =
                d.figures.iter().map(|(name, value)| (name.clone(), json!(value))).collect();
            json!({ "device": d.device, "name": d.name, "executor": d.executor, "figures": figures })
        })
        .collect();
    let all = json!({
        "version": env!("CARGO_PKG_VERSION"),
        "unit": "microseconds, unless the name says otherwise; medians",
        "devices": devices,
    });
    format!("{all:#}")
}

fn as_table(devices: &[Measured]) -> String {
    let mut lines = Vec::new();
    for d in devices {
        let by = match (d.device.as_str(), d.executor) {
            ("cpu", _) => String::new(),
            (_, "cpu") => format!(", {}: simulated by the processor", d.name),
            (_, executor) => format!(", {}, by {executor}", d.name),
        };
        lines.push(format!("{}{by}", d.device));
        for (name, value) in &d.figures {
            let (words, unit) = meaning(name);
            lines.push(format!("  {words:<36}{value:>10.2} {unit}"));
        }
    }
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_figure_of_the_programs_is_read_and_said_in_words() {
        let read: Vec<(String, f64)> =
            read("plain 12.5\nadd_4m_gb_s 20.25\nmatmul_256_gflop_s 101.0\na warning, of 2 kinds\n").collect();
        let expected = [("plain", 12.5), ("add_4m_gb_s", 20.25), ("matmul_256_gflop_s", 101.0)];
        assert_eq!(read, expected.map(|(name, value)| (name.to_string(), value)));
        let d = Measured { device: "cuda:0".into(), name: "Card".into(), executor: "webgpu", figures: read };
        let table = "cuda:0, Card, by webgpu\n  \
                     training step                            12.50 µs\n  \
                     a + b, 4 million elements                20.25 GB/s\n  \
                     a @ b, 256 × 256                        101.00 GFLOP/s";
        assert_eq!(as_table(std::slice::from_ref(&d)), table);
        let json: Value = serde_json::from_str(&as_json(&[d])).unwrap();
        assert_eq!(json["devices"][0]["figures"]["add_4m_gb_s"], 20.25);
    }
}
