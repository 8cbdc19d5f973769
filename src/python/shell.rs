//! Shell commands in notebook cells: `!nvidia-smi`.
//!
//! There is no shell in a page. The command `nvidia-smi` is simulated. For any other, a line says that it wasn't run.

use std::borrow::Cow;
use std::fmt::Write;

/// The source with every line that begins with `!` replaced by a call of `_torch._shell`. Line numbers don't change.
/// Lines inside a multi-line string are text, not commands.
pub(super) fn rewrite(source: &str) -> Cow<'_, str> {
    if !source.lines().any(|line| line.trim_start().starts_with('!')) {
        return Cow::Borrowed(source);
    }
    let mut out = String::with_capacity(source.len() + 64);
    let mut open = None;
    for line in source.split_inclusive('\n') {
        let code = line.trim_start();
        if open.is_none() && code.starts_with('!') {
            let indent = &line[..line.len() - code.len()];
            let command = code[1..].trim_end();
            let end = if line.ends_with('\n') { "\n" } else { "" };
            // Writing to a string does not fail.
            let _ = write!(out, "{indent}__import__('_torch')._shell({}){end}", quoted(command));
        } else {
            out.push_str(line);
            open = after(line, open);
        }
    }
    Cow::Owned(out)
}

/// A Python string literal.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\\', "\\\\").replace('\'', "\\'"))
}

/// Which triple quote is open at the end of a line, given the one at its beginning.
fn after(line: &str, mut open: Option<&'static str>) -> Option<&'static str> {
    let mut rest = line;
    loop {
        if let Some(quote) = open {
            match end_of(rest, quote) {
                Some(at) => rest = &rest[at..],
                None => return open,
            }
            open = None;
            continue;
        }
        let at = rest.find(['\'', '"', '#'])?;
        rest = &rest[at..];
        if rest.starts_with('#') {
            return None;
        }
        let triple = ["'''", "\"\"\""].into_iter().find(|quote| rest.starts_with(quote));
        match triple {
            Some(quote) => {
                rest = &rest[3..];
                open = Some(quote);
            }
            None => {
                let quote = if rest.starts_with('\'') { "'" } else { "\"" };
                rest = &rest[1 + end_of(&rest[1..], quote)?..];
            }
        }
    }
}

/// The position after a string's closing quote. Backslashes escape.
fn end_of(text: &str, quote: &str) -> Option<usize> {
    let mut at = 0;
    while at < text.len() {
        if text[at..].starts_with(quote) {
            return Some(at + quote.len());
        }
        let mut chars = text[at..].chars();
        at += chars.next().map_or(1, char::len_utf8);
        if text[..at].ends_with('\\') {
            at += chars.next().map_or(0, char::len_utf8);
        }
    }
    None
}

/// What a command prints.
pub(in crate::python) fn run(command: &str) -> String {
    let mut words = command.split_whitespace().peekable();
    let watched = words.next_if_eq(&"watch").is_some();
    if watched {
        while words.peek().is_some_and(|word| word.starts_with('-') || word.parse::<f64>().is_ok()) {
            words.next();
        }
    }
    if words.next() == Some("nvidia-smi") {
        return crate::smi::table(&crate::engine::current());
    }
    format!("There is no shell here: of its commands only nvidia-smi is simulated. Not run: {command}\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_lines_of_code_are_commands() {
        let source =
            "x = 1\n!nvidia-smi\nif x:\n    !ls 'a'\ntext = '''\n!not this\n'''  # it's\n!pip\ny = \"'''\"\n!z";
        let want = "x = 1\n__import__('_torch')._shell('nvidia-smi')\nif x:\n    __import__('_torch')._shell('ls \\'a\\'')\ntext = '''\n!not this\n'''  # it's\n__import__('_torch')._shell('pip')\ny = \"'''\"\n__import__('_torch')._shell('z')";
        assert_eq!(rewrite(source), want);
        assert!(matches!(rewrite("a != b\n"), Cow::Borrowed(_)));
    }

    #[test]
    fn a_watched_command_is_shown_once() {
        assert_eq!(run("watch -n 1 nvidia-smi"), run("nvidia-smi"));
        assert!(run("pip install torch").contains("no shell"));
    }
}
