//! The table of `torch.cuda.memory_summary()`.
//!
//! Source of the layout: torch/cuda/memory.py in PyTorch 2.15.

use super::stats::{Stat, StatArray, Stats};

/// The table for `cuda:{device_index}`; `abbreviated` leaves out the lines of the two pools.
pub fn memory_summary(stats: &Stats, device_index: usize, abbreviated: bool) -> String {
    let rule = "=".repeat(75);
    let thin = "-".repeat(75);
    let mut lines = vec![
        rule.clone(),
        format!(" {:16} PyTorch CUDA memory summary, device ID {device_index:<17} ", ""),
        thin.clone(),
        format!(
            "  {:9} CUDA OOMs: {:<12} | {:6} cudaMalloc retries: {:<8}  ",
            "", stats.num_ooms, "", stats.num_alloc_retries
        ),
        rule.clone(),
        "        Metric         | Cur Usage  | Peak Usage | Tot Alloc  | Tot Freed  ".into(),
    ];
    type Format = fn(u64, u64) -> String;
    let metrics: [(&str, &StatArray, Format); 9] = [
        ("Allocated memory", &stats.allocated_bytes, size),
        ("Active memory", &stats.active_bytes, size),
        ("Requested memory", &stats.requested_bytes, size),
        ("GPU reserved memory", &stats.reserved_bytes, size),
        ("Non-releasable memory", &stats.inactive_split_bytes, size),
        ("Allocations", &stats.allocation, count),
        ("Active allocs", &stats.active, count),
        ("GPU reserved segments", &stats.segment, count),
        ("Non-releasable allocs", &stats.inactive_split, count),
    ];
    let line = |name: &str, stat: &Stat, unit: &Stat, show: Format| {
        format!(
            " {name:<21} | {} | {} | {} | {} ",
            show(stat.current, unit.current),
            show(stat.peak, unit.peak),
            show(stat.allocated, unit.allocated),
            show(stat.freed, unit.freed)
        )
    };
    for (name, array, show) in metrics {
        lines.push(thin.clone());
        lines.push(line(name, &array.all, &array.all, show));
        if !abbreviated {
            lines.push(line("      from large pool", &array.large_pool, &array.all, show));
            lines.push(line("      from small pool", &array.small_pool, &array.all, show));
        }
    }
    // The default settings have no oversize blocks.
    for name in ["Oversize allocations", "Oversize GPU segments"] {
        lines.push(thin.clone());
        lines.push(line(name, &Stat::default(), &Stat::default(), count));
    }
    lines.push(rule);
    format!("|{}|\n", lines.join("|\n|"))
}

/// The whole metric's value decides the unit, so that its three lines share it.
fn scaled(mut value: u64, unit_of: u64, units: &[&'static str], limit: f64, step: u64) -> (u64, &'static str) {
    let mut scale = unit_of as f64;
    let mut unit = units[0];
    for next in &units[1..] {
        if scale < limit {
            break;
        }
        unit = next;
        value /= step;
        scale /= step as f64;
    }
    (value, unit)
}

fn size(value: u64, unit_of: u64) -> String {
    let (value, unit) = scaled(value, unit_of, &["B  ", "KiB", "MiB", "GiB", "TiB", "PiB"], 768.0 * 1024.0, 1024);
    format!("{value:6} {unit}")
}

fn count(value: u64, unit_of: u64) -> String {
    let (value, unit) = scaled(value, unit_of, &[" ", "K", "M"], 750.0 * 1000.0, 1000);
    format!("{value:7} {unit} ")
}
