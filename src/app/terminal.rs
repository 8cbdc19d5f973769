//! Text as a terminal shows it: a carriage return goes back to the start of the line, and the text after it overwrites
//! the line. Sequences that color it or move its cursor leave no trace.

/// The end of a string that is longer than `most` bytes: at most that many bytes, from the start of a line if one is
/// near.
pub fn latest(text: &str, most: usize) -> Option<&str> {
    let cut = text.len().checked_sub(most).filter(|&cut| cut > 0)?;
    let cut = text.ceil_char_boundary(cut);
    let line = text[cut..].find('\n').filter(|&at| at < most / 10).map_or(cut, |at| cut + at + 1);
    Some(&text[line..])
}

/// The length of the escape sequence (`ESC [ 31 m`) that a string starts with; 0 if it's none, `None` if its end is missing.
fn sequence(text: &str) -> Option<usize> {
    let Some(inner) = text.strip_prefix("\u{1b}[") else { return (text != "\u{1b}").then_some(0) };
    let (at, last) = inner.char_indices().find(|(_, c)| !(' '..='?').contains(c))?;
    Some(if ('@'..='~').contains(&last) { "\u{1b}[".len() + at + 1 } else { 0 })
}

/// The string without its escape sequences. One whose end is missing stays for the next write.
fn without_sequences(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\u{1b}') {
        out += &rest[..at];
        match sequence(&rest[at..]) {
            None => return out + &rest[at..],
            Some(0) => {
                out.push('\u{1b}');
                rest = &rest[at + 1..];
            }
            Some(length) => rest = &rest[at + length..],
        }
    }
    out + rest
}

/// Where an escape sequence begins whose end is missing.
fn begun(shown: &str) -> Option<usize> {
    shown.rfind('\u{1b}').filter(|&at| sequence(&shown[at..]).is_none())
}

/// Whether `more` can't just be added to `shown`, but has to be written.
pub fn changes(shown: &str, more: &str) -> bool {
    more.contains(['\r', '\u{1b}']) || shown.ends_with('\r') || begun(shown).is_some()
}

/// What is on the screen after `more` is written after `shown`. A carriage return or the beginning of an escape sequence at
/// the end is kept for the next write.
pub fn write(shown: &str, more: &str) -> String {
    let mut out = shown.to_string();
    let begun = begun(&out).map(|at| out.split_off(at)).unwrap_or_default();
    let more = without_sequences(&(begun + more));
    let mut column = None;
    if out.ends_with('\r') {
        out.pop();
        column = Some(0);
    }
    let mut rest = more.chars().peekable();
    while let Some(c) = rest.next() {
        match c {
            '\r' if rest.peek().is_none() => out.push('\r'),
            '\r' => column = Some(0),
            '\n' => {
                out.push('\n');
                column = None;
            }
            c => {
                let Some(at) = column else {
                    out.push(c);
                    continue;
                };
                let line = out.rfind('\n').map_or(0, |i| i + 1);
                match out[line..].char_indices().nth(at) {
                    Some((place, old)) => {
                        let place = line + place;
                        out.replace_range(place..place + old.len_utf8(), c.encode_utf8(&mut [0; 4]));
                        column = Some(at + 1);
                    }
                    None => {
                        out.push(c);
                        column = None;
                    }
                }
            }
        }
    }
    out
}

/// Splits a string into parts, in order. A part is true if it's a line with the line of carets below it, as in a traceback:
/// the carets mean something only while they stay under the right characters.
pub fn parts(text: &str) -> Vec<(bool, &str)> {
    let mut parts = Vec::new();
    // `rest` is where the text begins that belongs to no part yet; `before` is the previous line.
    let (mut rest, mut before) = (0, None);
    let mut begin = 0;
    for line in text.split_inclusive('\n') {
        let end = begin + line.len();
        match before {
            Some(pair) if points(line) => {
                if rest < pair {
                    parts.push((false, &text[rest..pair]));
                }
                parts.push((true, &text[pair..end]));
                (rest, before) = (end, None);
            }
            _ => before = Some(begin),
        }
        begin = end;
    }
    if rest < text.len() {
        parts.push((false, &text[rest..]));
    }
    parts
}

/// Whether a line does nothing but point at the line above it.
fn points(line: &str) -> bool {
    line.contains('^') && line.bytes().all(|b| b" ~^\r\n".contains(&b))
}

#[cfg(test)]
mod tests {
    use super::{changes, latest, parts, write};

    /// If a narrow page wrapped the line above, the carets would point at something else.
    #[test]
    fn carets_stay_with_their_line() {
        let text = "Traceback:\n  File \"main.py\", line 3\n    z = x + y\n        ~~^~~\n    f(x)\n    ^^^^\nValueError: x^2\n^\n";
        let wanted = [
            (false, "Traceback:\n  File \"main.py\", line 3\n"),
            (true, "    z = x + y\n        ~~^~~\n"),
            (true, "    f(x)\n    ^^^^\n"),
            (true, "ValueError: x^2\n^\n"),
        ];
        assert_eq!(parts(text), wanted);
        for plain in ["", "one\ntwo", "^\n", "x\n ~~~\n", "x\n"] {
            assert_eq!(parts(plain).iter().map(|(_, part)| *part).collect::<String>(), plain);
            assert!(parts(plain).iter().all(|(aligned, _)| !aligned), "{plain:?}");
        }
        assert_eq!(parts("a\n^\n^"), [(true, "a\n^\n"), (false, "^")]);
    }

    #[test]
    fn of_a_long_text_the_latest_part_is_kept() {
        // 5,000,000 lines in one `print` used to freeze the page.
        assert_eq!(latest("abc", 3), None);
        assert_eq!(latest("abcdef", 3), Some("def"));
        assert_eq!(latest("ééé", 3), Some("é"));
        let lines = "0123456789\n".repeat(100);
        let kept = latest(&lines, 500).unwrap();
        assert!(kept.len() <= 500 && kept.len() > 480 && kept.starts_with("0123"), "{kept}");
    }

    #[test]
    fn a_progress_line_is_written_over() {
        assert_eq!(write("", "a\rb"), "b");
        assert_eq!(write("one\n 10%", "\r 20% "), "one\n 20% ");
        assert_eq!(write("one\n100%|███|", "\r  5%|█  |\nnext"), "one\n  5%|█  |\nnext");
        assert_eq!(write("abc", "\rX"), "Xbc");
        assert_eq!(write("abc", "\rXYZVW"), "XYZVW");
        assert_eq!(write("abc", "\r"), "abc\r");
        assert_eq!(write("abc\r", "XY"), "XYc");
        assert_eq!(write("abc\r", "\nnext"), "abc\nnext");
        assert_eq!(write("plain ", "text\n"), "plain text\n");
    }

    /// Programs that color their output used to leave boxes and `[31m` in it.
    #[test]
    fn sequences_of_a_terminal_leave_no_trace() {
        assert_eq!(write("", "\u{1b}[31mred\u{1b}[0m\n"), "red\n");
        assert_eq!(write("a", "\u{1b}[1;38;5;9mb\u{1b}[K\rc"), "cb");
        // However the output is cut.
        let whole = "x\u{1b}[32mgreen\u{1b}[0m, é\n";
        for at in (0..whole.len()).filter(|at| whole.is_char_boundary(*at)) {
            assert_eq!(write(&write("", &whole[..at]), &whole[at..]), "xgreen, é\n", "{at}");
        }
        // What isn't one stays.
        for plain in ["\u{1b}", "\u{1b}x", "\u{1b}[\nnext", "\u{1b}[é", "[31m"] {
            assert_eq!(write("", plain), plain, "{plain:?}");
        }
        assert!(changes("\u{1b}[3", "1m") && changes("", "\u{1b}[0m") && !changes("\u{1b}x", "y"));
    }
}
