//! Text as a terminal shows it: a carriage return goes back to the start of the line, and what follows writes over it.

/// What stands on the screen when `more` is written after `shown`. A carriage return at the end stays, for what comes next.
pub fn write(shown: &str, more: &str) -> String {
    let mut out = shown.to_string();
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

#[cfg(test)]
mod tests {
    use super::write;

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
}
