//! Numbers as the page prints them.

/// `512 B`, `1.50 MiB`: binary units, as in PyTorch's messages about memory. Capacities exceed 4 GiB, so `usize` is too small
/// for them in the page.
pub(crate) fn bytes(n: impl TryInto<u64>) -> String {
    let n = n.try_into().unwrap_or(u64::MAX);
    const UNITS: [&str; 4] = ["KiB", "MiB", "GiB", "TiB"];
    if n < 1024 {
        return format!("{n} B");
    }
    let mut value = n as f64 / 1024.0;
    let mut unit = 0;
    // 1023.995 would round up to "1024.00"; such a value belongs to the next unit.
    while value >= 1023.995 && unit + 1 < UNITS.len() {
        value /= 1024.0;
        unit += 1;
    }
    let digits = if value.fract() == 0.0 {
        0
    } else if value < 10.0 {
        2
    } else {
        1
    };
    format!("{value:.digits$} {}", UNITS[unit])
}

/// `40 µs`, `3.2 ms`, `1.25 s`, with a no-break space.
pub(crate) fn micros(us: f64) -> String {
    if us < 1000.0 {
        format!("{us:.0}\u{a0}µs")
    } else if us < 1e6 {
        format!("{:.1}\u{a0}ms", us / 1e3)
    } else {
        format!("{:.2}\u{a0}s", us / 1e6)
    }
}

/// `[64, 16]`; `[]` for a scalar.
pub(crate) fn shape(dims: &[usize]) -> String {
    let dims: Vec<String> = dims.iter().map(usize::to_string).collect();
    format!("[{}]", dims.join(", "))
}

/// `1 copy`, `2 copies`.
pub(crate) fn count(n: impl ToString + PartialEq + From<u8>, one: &str, many: &str) -> String {
    let word = if n == 1.into() { one } else { many };
    format!("{} {word}", thousands(n))
}

/// `12 345`, with a thin no-break space.
pub(crate) fn thousands(n: impl ToString) -> String {
    let digits = n.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3 * 3);
    for (i, digit) in digits.char_indices() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push('\u{202f}');
        }
        out.push(digit);
    }
    out
}

/// Four significant digits without trailing zeros, for an axis label or a loss.
pub(crate) fn number(value: f64) -> String {
    if !value.is_finite() {
        return value.to_string();
    }
    let magnitude = value.abs();
    if magnitude != 0.0 && !(1e-4..1e6).contains(&magnitude) {
        return format!("{value:.3e}");
    }
    let whole = if magnitude < 1.0 { 0 } else { magnitude.log10().floor() as usize };
    let digits = 4usize.saturating_sub(whole + usize::from(magnitude >= 1.0));
    let text = format!("{value:.digits$}");
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_string() } else { text }
}

/// A string of at most `most` characters. If it was cut, the last one is an ellipsis.
pub(crate) fn shortened(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        None => text.to_string(),
        Some(_) => text.chars().take(most.saturating_sub(1)).chain(['…']).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_texts_are_cut_with_a_mark() {
        assert_eq!(shortened("model.0", 7), "model.0");
        assert_eq!(shortened("modèle.0", 7), "modèle…");
        assert_eq!(shortened("abc", 0), "…");
    }

    #[test]
    fn bytes_change_unit_before_they_print_1024() {
        let cases = [
            (0_u64, "0 B"),
            (1023, "1023 B"),
            (1024, "1 KiB"),
            (1536, "1.50 KiB"),
            (20 << 20, "20 MiB"),
            ((1 << 20) - 1, "1.00 MiB"),
            (81_152_u64 << 20, "79.2 GiB"),
        ];
        for (n, text) in cases {
            assert_eq!(bytes(n), text);
        }
    }

    #[test]
    fn times_and_counts() {
        assert_eq!(micros(10.4), "10\u{a0}µs");
        assert_eq!(micros(3_240.0), "3.2\u{a0}ms");
        assert_eq!(micros(1_250_000.0), "1.25\u{a0}s");
        assert_eq!(count(1, "copy", "copies"), "1 copy");
        assert_eq!(thousands(1_234_567), "1\u{202f}234\u{202f}567");
        assert_eq!(thousands(12), "12");
    }

    #[test]
    fn numbers_keep_four_digits() {
        for (value, text) in [
            (0.0, "0"),
            (1.0, "1"),
            (0.98765, "0.9877"),
            (12.3456, "12.35"),
            (1234.5, "1234"),
            (1e-7, "1.000e-7"),
            (f64::NAN, "NaN"),
        ] {
            assert_eq!(number(value), text);
        }
    }
}
