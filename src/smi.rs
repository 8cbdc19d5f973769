//! The output of `nvidia-smi`: for the simulated machine, its devices and how much of their memory the program has taken;
//! for the real one, what NVIDIA's management library reports.

use std::fmt::Write;

use crate::engine::Engine;
use crate::machine::{AcceleratorKind, Build, Machine, SIMULATED};

/// Widths of the three cells of a row in characters, without the bars between them.
const CELLS: [usize; 3] = [41, 24, 22];
const WIDTH: usize = CELLS[0] + CELLS[1] + CELLS[2] + 2;

/// A CUDA device in the table.
pub struct Card {
    pub name: String,
    pub memory_mib: usize,
    /// Bytes that the caching allocator took from the driver.
    pub reserved: u64,
}

/// The table of an engine's machine; see [`render`].
pub fn table(engine: &Engine) -> String {
    let devices = engine.devices.accelerators().iter().filter(|a| a.spec.kind == AcceleratorKind::Cuda);
    let cards = devices.map(|device| Card {
        name: device.name(),
        memory_mib: device.spec.memory_mib,
        reserved: device.planner.borrow().reserved(),
    });
    render(&engine.devices.machine, &cards.collect::<Vec<_>>())
}

/// The table of a machine with these cards, or a shell's message if there is no driver or no such command. Memory is in
/// MiB, as reserved by the caching allocator. What a simulation can't know (temperature, power, load) is `N/A`.
pub fn render(machine: &Machine, cards: &[Card]) -> String {
    if cards.is_empty() {
        return match machine.build {
            Build::Cuda => "NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver. Make sure that the latest NVIDIA driver is installed and running.\n\n".into(),
            Build::Cpu => "/bin/bash: line 1: nvidia-smi: command not found\n".into(),
        };
    }
    let mut shown = Vec::new();
    for (index, card) in cards.iter().enumerate() {
        let used = card.reserved.div_ceil(1 << 20) as usize;
        let process = Process { pid: 1, name: "python".into(), used: Some(used) };
        shown.push(Shown {
            // The table's title says that everything is simulated, and the column has no room to repeat it.
            name: card.name.trim_end_matches(SIMULATED).to_string(),
            bus: format!("00000000:{:02X}:00.0", index + 1),
            used,
            total: card.memory_mib,
            processes: if used > 0 { vec![process] } else { Vec::new() },
            ..Shown::default()
        });
    }
    let title = format!("Machine {}: simulated by Tensoryard {}", machine.name, env!("CARGO_PKG_VERSION"));
    draw(&title, &shown)
}

/// The table of this machine's NVIDIA GPUs; `None` without a driver, or in a build without CUDA.
pub fn real() -> Option<String> {
    #[cfg(all(feature = "cuda", not(target_arch = "wasm32")))]
    {
        let mib = |bytes: u64| (bytes >> 20) as usize;
        let readings = crate::executor::cuda::management::read()?;
        let shown: Vec<Shown> = readings
            .cards
            .iter()
            .map(|card| Shown {
                name: card.name.clone(),
                used: mib(card.used),
                total: mib(card.total),
                temperature: card.temperature.map(|c| format!("{c}C")),
                power: card.power.zip(card.power_limit).map(|(now, most)| format!("{now:.0}W / {most:.0}W")),
                load: card.utilization.map(|percent| format!("{percent}%")),
                processes: card
                    .processes
                    .iter()
                    .map(|p| Process { pid: p.pid, name: p.name.clone(), used: p.used.map(mib) })
                    .collect(),
                ..Shown::default()
            })
            .collect();
        let cuda = readings.cuda.unwrap_or_else(|| "N/A".into());
        Some(draw(&format!("Driver Version: {}    CUDA Version: {cuda}", readings.driver), &shown))
    }
    #[cfg(not(all(feature = "cuda", not(target_arch = "wasm32"))))]
    None
}

/// One GPU of the table. Memory is in MiB. Unknown values are `N/A`.
#[derive(Default)]
struct Shown {
    name: String,
    bus: String,
    used: usize,
    total: usize,
    temperature: Option<String>,
    power: Option<String>,
    load: Option<String>,
    processes: Vec<Process>,
}

struct Process {
    pid: u32,
    name: String,
    used: Option<usize>,
}

fn draw(title: &str, devices: &[Shown]) -> String {
    let mut out = String::new();
    rule(&mut out, '+', '+', '-', &[WIDTH]);
    row(&mut out, &[&format!(" {title}")], &[WIDTH]);
    rule(&mut out, '+', '+', '-', &CELLS);
    row(
        &mut out,
        &[" GPU  Name                 Persistence-M ", " Bus-Id          Disp.A ", " Volatile Uncorr. ECC "],
        &CELLS,
    );
    row(
        &mut out,
        &[" Fan  Temp   Perf          Pwr:Usage/Cap ", "           Memory-Usage ", " GPU-Util  Compute M. "],
        &CELLS,
    );
    row(&mut out, &["", "", "               MIG M. "], &CELLS);
    rule(&mut out, '|', '+', '=', &CELLS);
    let mut processes = Vec::new();
    let or = |text: &Option<String>| text.clone().unwrap_or_else(|| "N/A".into());
    for (index, device) in devices.iter().enumerate() {
        let bus = if device.bus.is_empty() { "N/A" } else { &device.bus };
        row(
            &mut out,
            &[&format!("{index:>4}  {:<32.32}N/A", device.name), &format!("  {bus:<16} N/A"), "                  N/A "],
            &CELLS,
        );
        let power = device.power.clone().unwrap_or_else(|| "N/A / N/A".into());
        row(
            &mut out,
            &[
                &format!(" N/A {:>5}   N/A {:>22}  ", or(&device.temperature), power),
                &format!("{:>23} ", format!("{}MiB / {:>6}MiB", device.used, device.total)),
                &format!("{:>8}      Default ", or(&device.load)),
            ],
            &CELLS,
        );
        row(&mut out, &["", "", "                  N/A "], &CELLS);
        rule(&mut out, '+', '+', '-', &CELLS);
        for p in &device.processes {
            let used = p.used.map_or_else(|| "N/A".into(), |mib| format!("{mib}MiB"));
            processes.push(format!("{index:>5}  N/A  N/A {:>17}      C   {:<34.34}{used:>11} ", p.pid, p.name));
        }
    }
    let _ = writeln!(out, "{:w$}", "", w = WIDTH + 2);
    rule(&mut out, '+', '+', '-', &[WIDTH]);
    row(&mut out, &[" Processes:"], &[WIDTH]);
    let heads = [
        "  GPU   GI   CI              PID   Type   Process name                        GPU Memory ",
        "        ID   ID                                                               Usage      ",
    ];
    heads.iter().for_each(|head| row(&mut out, &[head], &[WIDTH]));
    rule(&mut out, '|', '=', '=', &[WIDTH]);
    if processes.is_empty() {
        row(&mut out, &["  No running processes found"], &[WIDTH]);
    }
    processes.iter().for_each(|process| row(&mut out, &[process], &[WIDTH]));
    rule(&mut out, '+', '+', '-', &[WIDTH]);
    out
}

fn row(out: &mut String, texts: &[&str], widths: &[usize]) {
    for (text, &width) in texts.iter().zip(widths) {
        // Writing to a string can't fail.
        let _ = write!(out, "|{text:<width$.width$}");
    }
    out.push_str("|\n");
}

fn rule(out: &mut String, ends: char, between: char, fill: char, widths: &[usize]) {
    for (at, &width) in widths.iter().enumerate() {
        out.push(if at == 0 { ends } else { between });
        out.extend(std::iter::repeat_n(fill, width));
    }
    out.push(ends);
    out.push('\n');
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::Machine;

    #[test]
    fn every_line_is_as_wide_as_the_first() {
        let table = table(&Engine::on_cpu(Machine::preset("cuda:2").unwrap()));
        let widths: Vec<usize> = table.lines().map(|line| line.chars().count()).collect();
        assert!(widths.iter().all(|&w| w == WIDTH + 2), "{widths:?}\n{table}");
        assert!(table.contains("0MiB /  81152MiB"), "{table}");
        assert!(table.contains("simulated by Tensoryard") && table.contains(" 1  NVIDIA A100-SXM4-80GB   "), "{table}");
    }

    #[test]
    fn without_a_driver_it_fails_as_the_command_does() {
        let text = |machine: &str| table(&Engine::on_cpu(Machine::preset(machine).unwrap()));
        assert!(text("cpu").starts_with("NVIDIA-SMI has failed"));
        assert!(text("mps").contains("command not found"));
    }
}
