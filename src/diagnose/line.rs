//! What a line of the learner's program says, as far as an edit needs it: names, calls, strings. There is no parser here,
//! because a line may be part of a statement. Anything that isn't understood stays unchanged.

use std::ops::Range;

/// A word of code with its range in the line: a dotted name (`self.mask`) or a string literal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Token<'a> {
    pub(super) text: &'a str,
    pub(super) range: Range<usize>,
    pub(super) kind: Kind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Not preceded by a dot: `x`, `self.mask`.
    Name,
    /// After a dot that doesn't follow a name: `(a + b).sum`.
    Attribute,
    /// A plain string with its quotes. Strings with a prefix (`f"…"`) are ignored.
    Text,
}

/// The words of a line, without comments and prefixed strings. If a string continues on the next line, there are none.
pub(super) fn tokens(line: &str) -> Vec<Token<'_>> {
    let bytes = line.as_bytes();
    let is_word = |b: u8| b.is_ascii_alphanumeric() || b == b'_' || b >= 0x80;
    let mut out = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let start = at;
        match bytes[at] {
            b'#' => break,
            b'"' | b'\'' => {
                let Some(end) = string_end(bytes, at) else { return Vec::new() };
                at = end;
                let prefixed = start > 0 && is_word(bytes[start - 1]);
                if !prefixed {
                    out.push(Token { text: &line[start..at], range: start..at, kind: Kind::Text });
                } else if out.last().is_some_and(|token| token.range.end == start) {
                    out.pop();
                }
            }
            byte if byte.is_ascii_digit() => {
                while at < bytes.len() && (is_word(bytes[at]) || bytes[at] == b'.') {
                    at += 1;
                }
            }
            byte if is_word(byte) => {
                while at < bytes.len()
                    && (is_word(bytes[at])
                        || (bytes[at] == b'.' && bytes.get(at + 1).is_some_and(|&b| is_word(b) && !b.is_ascii_digit())))
                {
                    at += 1;
                }
                let kind = if start > 0 && bytes[start - 1] == b'.' { Kind::Attribute } else { Kind::Name };
                out.push(Token { text: &line[start..at], range: start..at, kind });
            }
            _ => at += 1,
        }
    }
    out
}

/// The end of the string after its closing quote; `None` if it continues on the next line.
fn string_end(bytes: &[u8], start: usize) -> Option<usize> {
    let quote = bytes[start];
    let triple = bytes.get(start + 1) == Some(&quote) && bytes.get(start + 2) == Some(&quote);
    let mut at = start + if triple { 3 } else { 1 };
    while at < bytes.len() {
        if bytes[at] == b'\\' {
            at += 1;
        } else if bytes[at] == quote {
            if !triple {
                return Some(at + 1);
            }
            if bytes[at..].starts_with(&[quote; 3]) {
                return Some(at + 3);
            }
        }
        at += 1;
    }
    None
}

/// The dotted names in a line of code: `self.mask`, `self`; the longer one comes first if one begins with the other.
/// Keywords and argument names are included, because they hold no tensor and so do no harm.
pub(crate) fn names(line: &str) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    for token in tokens(line).into_iter().filter(|token| token.kind == Kind::Name) {
        let mut name = token.text;
        loop {
            if !out.iter().any(|known| known == name) {
                out.push(name.to_string());
            }
            match name.rsplit_once('.') {
                Some((shorter, _)) => name = shorter,
                None => break,
            }
        }
    }
    out
}

/// Where a line reads a variable. The beginning of a dotted name counts: `x` in `x.sum()`.
pub(super) fn reads(line: &str, name: &str) -> Vec<Range<usize>> {
    tokens(line)
        .into_iter()
        .filter(|token| token.kind == Kind::Name)
        .filter(|token| token.text == name || token.text.strip_prefix(name).is_some_and(|rest| rest.starts_with('.')))
        .map(|token| token.range.start..token.range.start + name.len())
        .filter(|range| !is_assigned(&line[range.end..]))
        .collect()
}

/// Whether the text after a name makes it an assignment target or an argument name.
fn is_assigned(rest: &str) -> bool {
    let rest = rest.trim_start();
    rest.starts_with('=') && !rest.starts_with("==")
}

/// Whether the tensor `name` keeps its device in this line because the line changes it in place: `x += y`, `x.add_(y)`.
pub(super) fn is_changed_in_place(line: &str, name: &str) -> bool {
    reads(line, name).iter().any(|range| {
        let rest = &line[range.end..];
        let augmented = ["+=", "-=", "*=", "/=", "%=", "@=", "&=", "|=", "^=", "**=", "//=", "<<=", ">>="];
        if augmented.iter().any(|op| rest.trim_start().starts_with(op)) {
            return true;
        }
        let Some((method, _)) = rest.strip_prefix('.').and_then(|rest| rest.split_once('(')) else { return false };
        method.ends_with('_')
            && !method.ends_with("__")
            && method.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
    })
}

/// Whether a line calls this method or function: `optimizer.step()`.
pub(super) fn calls(line: &str, name: &str) -> bool {
    tokens(line).iter().any(|token| {
        token.kind != Kind::Text
            && token.text.rsplit('.').next() == Some(name)
            && line[token.range.end..].trim_start().starts_with('(')
    })
}

/// The text between the parentheses after `name`, if this line calls it once and the call ends in this line.
pub(super) fn arguments(line: &str, name: &str) -> Option<Range<usize>> {
    let mut calls = tokens(line)
        .into_iter()
        .filter(|token| token.kind == Kind::Name && token.text == name && line[token.range.end..].starts_with('('));
    let open = calls.next()?.range.end;
    if calls.next().is_some() {
        return None;
    }
    close(line, open).map(|close| open + 1..close)
}

/// The parenthesis that closes the one at `open`.
fn close(line: &str, open: usize) -> Option<usize> {
    let strings: Vec<_> = tokens(line).into_iter().filter(|t| t.kind == Kind::Text).map(|t| t.range).collect();
    let mut depth = 0_usize;
    for (at, byte) in line.bytes().enumerate().skip(open) {
        if strings.iter().any(|range| range.contains(&at)) {
            continue;
        }
        match byte {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some(at);
                }
            }
            b'#' => return None,
            _ => {}
        }
    }
    None
}

/// The first and last line of the only assignment to `name` in the program, if it has the form `name = …(…)` and ends
/// with the call's parenthesis.
pub(super) fn assigned_call(source: &str, name: &str) -> Option<(u32, u32)> {
    let lines: Vec<&str> = source.lines().collect();
    let mut found = None;
    for (at, line) in lines.iter().enumerate() {
        let first = tokens(line).into_iter().next();
        if first.is_some_and(|t| {
            t.text == name && line[..t.range.start].trim().is_empty() && is_assigned(&line[t.range.end..])
        }) && found.replace(at).is_some()
        {
            return None;
        }
    }
    let first = found?;
    let mut depth = 0_i32;
    for (at, line) in lines.iter().enumerate().skip(first) {
        let strings: Vec<_> = tokens(line).into_iter().filter(|t| t.kind == Kind::Text).map(|t| t.range).collect();
        let code = line.bytes().enumerate().filter(|(i, _)| !strings.iter().any(|range| range.contains(i)));
        let mut last = b' ';
        for (_, byte) in code {
            match byte {
                b'(' | b'[' | b'{' => depth += 1,
                b')' | b']' | b'}' => depth -= 1,
                b'#' => return None,
                _ => {}
            }
            if !byte.is_ascii_whitespace() {
                last = byte;
            }
        }
        if depth <= 0 {
            return (depth == 0 && last == b')').then_some((first as u32 + 1, at as u32 + 1));
        }
    }
    None
}

/// The line and the value of the only statement in the program that sets an attribute, if it is in `__init__` of a class
/// derived from `nn.Module`.
pub(super) fn set_in_init<'a>(source: &'a str, name: &str) -> Option<(u32, &'a str)> {
    let mut found = None;
    let (mut in_init, mut in_module) = (false, false);
    for (number, line) in (1..).zip(source.lines()) {
        let text = line.trim_start();
        if text.starts_with("class ") {
            in_module = text.contains("Module");
        } else if text.starts_with("def ") {
            in_init = text.starts_with("def __init__(");
        }
        let Some(first) = tokens(line).into_iter().next() else { continue };
        if first.text != name || !line[..first.range.start].trim().is_empty() || !is_assigned(&line[first.range.end..])
        {
            continue;
        }
        let value = line[first.range.end..].trim_start().trim_start_matches('=').trim();
        if found.replace((number, value)).is_some() || !in_init || !in_module {
            return None;
        }
    }
    found.filter(|(_, value)| is_complete(value))
}

/// Whether some code without comments is a complete expression, as far as its brackets tell.
fn is_complete(value: &str) -> bool {
    let strings: Vec<_> = tokens(value).into_iter().filter(|t| t.kind == Kind::Text).map(|t| t.range).collect();
    let mut depth = 0_i32;
    for (_, byte) in value.bytes().enumerate().filter(|(at, _)| !strings.iter().any(|range| range.contains(at))) {
        match byte {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth -= 1,
            b'#' | b'\\' | b'"' | b'\'' => return false,
            _ => {}
        }
    }
    depth == 0 && !value.is_empty()
}

/// A variable that seems to hold a CUDA device and is assigned once, at the top level, above `line`:
/// `device = torch.device("cuda" if torch.cuda.is_available() else "cpu")`.
pub(super) fn device_variable(source: &str, line: u32) -> Option<&str> {
    let mut found = None;
    for text in source.lines().take(line.saturating_sub(1) as usize) {
        let words = tokens(text);
        let Some(first) = words.first().filter(|t| t.range.start == 0 && t.kind == Kind::Name) else { continue };
        if !is_assigned(&text[first.range.end..]) || first.text.contains('.') {
            continue;
        }
        let value = text[first.range.end..].trim_start().trim_start_matches('=').trim_start();
        let cuda = words.iter().any(|t| t.kind == Kind::Text && unquoted(t.text).starts_with("cuda"));
        if cuda && (value.starts_with("torch.device(") || value.starts_with(['"', '\''])) {
            found = Some(first.text);
        } else if found == Some(first.text) {
            found = None;
        }
    }
    found
}

/// A string literal without its quotes.
pub(super) fn unquoted(literal: &str) -> &str {
    literal.trim_matches(['"', '\''])
}
