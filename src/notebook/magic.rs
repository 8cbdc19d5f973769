//! What lines mean that only a notebook's kernel understands: `%time f()`, `!ls`, `x = !ls`, `f?`, and cells that begin with
//! `%%time`. They become calls of the shell that `get_ipython()` returns. No line changes its number.

use std::borrow::Cow;
use std::fmt::Write;

/// A cell as Python.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Translated<'a> {
    pub python: Cow<'a, str>,
    /// `%%` lines under which the cell runs as usual: the name and the rest of the line, outermost first.
    pub around: Vec<(String, String)>,
}

/// The `%%` lines under which a cell is still plain Python.
const AROUND: [&str; 2] = ["time", "capture"];

/// The cell as Python.
pub fn translate(source: &str) -> Translated<'_> {
    let mut around = Vec::new();
    let mut at = 0;
    loop {
        let rest = &source[at..];
        let blank = rest.len() - rest.trim_start_matches(['\n', '\r', ' ', '\t']).len();
        let begin = at + blank;
        let Some(line) = source[begin..].strip_prefix("%%") else { break };
        let line = line.split('\n').next().unwrap_or_default();
        let end = begin + 2 + line.len();
        let (name, argument) = split_name(line);
        if !AROUND.contains(&name) {
            // The other cells are for their magic alone.
            let mut body = source.get(end + 1..).unwrap_or_default().to_string();
            if !body.is_empty() && !body.ends_with('\n') {
                body.push('\n');
            }
            let call = format!("run_cell_magic({}, {}, {})", quoted(name), quoted(argument), quoted(&body));
            let python = format!("{}get_ipython().{call}\n", "\n".repeat(newlines(&source[..begin])));
            return Translated { python: python.into(), around };
        }
        around.push((name.to_string(), argument.to_string()));
        at = (end + 1).min(source.len());
    }
    if around.is_empty() {
        return Translated { python: lines(source), around };
    }
    let python = format!("{}{}", "\n".repeat(newlines(&source[..at])), lines(&source[at..]));
    Translated { python: python.into(), around }
}

/// Source code with every line replaced that is for the kernel.
fn lines(source: &str) -> Cow<'_, str> {
    let may_have = |line: &str| line.contains(['%', '!', '?']);
    if !source.lines().any(may_have) {
        return Cow::Borrowed(source);
    }
    let mut out = String::with_capacity(source.len() + 64);
    let mut state = State::default();
    let mut rest = source;
    while !rest.is_empty() {
        let length = rest.find('\n').map_or(rest.len(), |at| at + 1);
        let begins = state == State::default();
        // A command goes on in the next line after a backslash.
        let mut whole = length;
        while begins && rest[..whole].trim_end_matches(['\n', '\r']).ends_with('\\') && whole < rest.len() {
            whole += rest[whole..].find('\n').map_or(rest.len() - whole, |at| at + 1);
        }
        match begins.then(|| command(&rest[..whole])).flatten() {
            Some(python) => {
                out.push_str(&python);
                out.push_str(&"\n".repeat(newlines(&rest[..whole])));
                rest = &rest[whole..];
            }
            None => {
                out.push_str(&rest[..length]);
                state = state.after(&rest[..length]);
                rest = &rest[length..];
            }
        }
    }
    Cow::Owned(out)
}

/// The Python of a line that begins a statement, if it's for the kernel. It has no line end.
fn command(line: &str) -> Option<String> {
    let code = line.trim_start();
    let indent = &line[..line.len() - code.len()];
    let code = code.trim_end();
    let joined = || code.replace("\\\r\n", "").replace("\\\n", "");
    if code.starts_with('%') {
        // `%` begins no expression of Python, so this is always for the kernel.
        let magic = joined();
        return Some(format!("{indent}{}", line_magic(magic.trim_start_matches('%'))));
    }
    if code.starts_with('!') {
        let all = joined();
        let (call, command) = match all.strip_prefix("!!") {
            Some(command) => ("getoutput", command),
            None => ("system", &all[1..]),
        };
        return Some(format!("{indent}get_ipython().{call}({})", quoted(command.trim())));
    }
    if let Some(about) = help(code) {
        return Some(format!("{indent}get_ipython().run_line_magic('pinfo', {})", quoted(about)));
    }
    // `files = !ls` and `t = %timeit -o f()`.
    let (target, value) = code.split_once('=')?;
    let is_target = |text: &str| {
        !text.is_empty() && text.chars().all(|c| c.is_alphanumeric() || "_.,[]'\" ".contains(c)) && !text.ends_with(' ')
    };
    let value = value.trim_start();
    if !is_target(target.trim()) || !value.starts_with(['!', '%']) {
        return None;
    }
    let value = value.replace("\\\n", "");
    let call = match value.strip_prefix('!') {
        Some(command) => format!("get_ipython().getoutput({})", quoted(command.trim())),
        None => line_magic(&value[1..]),
    };
    Some(format!("{indent}{} = {call}", target.trim()))
}

fn line_magic(text: &str) -> String {
    let (name, argument) = split_name(text);
    format!("get_ipython().run_line_magic({}, {})", quoted(name), quoted(argument))
}

/// What `x?`, `x??`, `?x` and `torch.*?` ask about.
fn help(code: &str) -> Option<&str> {
    let about = match code.strip_prefix('?') {
        Some(about) => about,
        None => code.strip_suffix('?')?,
    };
    let about = about.trim_matches('?').trim();
    let is_name = |c: char| c.is_alphanumeric() || "_.*".contains(c);
    (about.starts_with(|c: char| c.is_alphabetic() || "_*%".contains(c))
        && about.trim_start_matches('%').chars().all(is_name))
    .then_some(about)
}

/// The name of a magic and the rest of its line.
fn split_name(text: &str) -> (&str, &str) {
    let text = text.trim();
    let end = text.find(char::is_whitespace).unwrap_or(text.len());
    (&text[..end], text[end..].trim())
}

fn newlines(text: &str) -> usize {
    text.bytes().filter(|&b| b == b'\n').count()
}

/// A Python string literal in one line.
fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('\'');
    for c in text.chars() {
        match c {
            '\\' => out.push_str("\\\\"),
            '\'' => out.push_str("\\'"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            c if c.is_control() => {
                // Writing to a string does not fail.
                let _ = write!(out, "\\U{:08x}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out.push('\'');
    out
}

/// What is open at the end of a line.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
struct State {
    quote: Option<&'static str>,
    brackets: usize,
    /// A backslash joins the next line.
    joined: bool,
}

const QUOTES: [&str; 4] = ["'''", "\"\"\"", "'", "\""];

impl State {
    fn after(mut self, line: &str) -> State {
        let mut rest = line.trim_end_matches(['\n', '\r']);
        self.joined = false;
        while let Some(c) = rest.chars().next() {
            if let Some(quote) = self.quote {
                if c == '\\' {
                    let mut chars = rest.chars();
                    chars.next();
                    // A backslash at the end of a line continues even a string with one quote.
                    if chars.next().is_none() {
                        return self;
                    }
                    rest = chars.as_str();
                } else if let Some(after) = rest.strip_prefix(quote) {
                    self.quote = None;
                    rest = after;
                } else {
                    rest = &rest[c.len_utf8()..];
                }
                continue;
            }
            if let Some(quote) = QUOTES.into_iter().find(|quote| rest.starts_with(quote)) {
                self.quote = Some(quote);
                rest = &rest[quote.len()..];
                continue;
            }
            match c {
                '#' => break,
                '(' | '[' | '{' => self.brackets += 1,
                ')' | ']' | '}' => self.brackets = self.brackets.saturating_sub(1),
                '\\' if rest.len() == 1 => self.joined = true,
                _ => {}
            }
            rest = &rest[c.len_utf8()..];
        }
        // A string with one quote ends with its line: what follows is an error, and not inside it.
        self.quote = self.quote.filter(|quote| quote.len() == 3);
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn python(source: &str) -> String {
        translate(source).python.into_owned()
    }

    #[test]
    fn lines_for_the_kernel_become_calls_of_its_shell() {
        let call = |line: &str, want: &str| assert_eq!(python(line), format!("get_ipython().{want}"), "{line}");
        call("%matplotlib inline", "run_line_magic('matplotlib', 'inline')");
        call("%time x = f('a')", "run_line_magic('time', 'x = f(\\'a\\')')");
        call("!pip install -q torch", "system('pip install -q torch')");
        call("!!ls", "getoutput('ls')");
        call("torch.relu?", "run_line_magic('pinfo', 'torch.relu')");
        call("?x", "run_line_magic('pinfo', 'x')");
        call("%pip install \\\n  a b\n", "run_line_magic('pip', 'install   a b')\n\n");
        assert_eq!(python("files = !ls *.py\n"), "files = get_ipython().getoutput('ls *.py')\n");
        assert_eq!(python("t = %timeit -o f()"), "t = get_ipython().run_line_magic('timeit', '-o f()')");
        assert_eq!(python("if x:\n    !ls\n"), "if x:\n    get_ipython().system('ls')\n");
    }

    #[test]
    fn python_stays_as_it_is() {
        for source in [
            "a = 7 % 3\nb = a != 2\n",
            "x = (1\n% 2)\n",
            "text = '''\n%time x\n!ls\n'''  # it's\n",
            "s = \"\"\"a \\\"\"\"\n!b\n\"\"\"\n",
            "y = a \\\n% b\n",
            "print('what?')\n# why?\nd = {'a?': 1,\n'b': 2}\n",
            "f'{x!r}'\nassert x != 1, 'no?'\n",
            "x == '!ls'\nx[0] = '%s' % 1\n",
        ] {
            assert_eq!(python(source), source);
        }
    }

    #[test]
    fn a_cell_may_be_for_a_magic_or_run_under_one() {
        assert_eq!(python("%%bash\nls 'a'\n"), "get_ipython().run_cell_magic('bash', '', 'ls \\'a\\'\\n')\n");
        assert_eq!(python("\n%%writefile a.py\nx\n"), "\nget_ipython().run_cell_magic('writefile', 'a.py', 'x\\n')\n");
        assert_eq!(python("%%html"), "get_ipython().run_cell_magic('html', '', '')\n");
        let timed = translate("%%capture out --no-stderr\n%%time\nx = 1\n!ls\n");
        assert_eq!(timed.python, "\n\nx = 1\nget_ipython().system('ls')\n");
        let around = [("capture", "out --no-stderr"), ("time", "")].map(|(a, b)| (a.to_string(), b.to_string()));
        assert_eq!(timed.around, around);
        assert_eq!(translate("%%time").python, "");
        let both = translate("%%capture\n%%bash\nls");
        assert_eq!(
            (both.python.as_ref(), both.around.len()),
            ("\nget_ipython().run_cell_magic('bash', '', 'ls\\n')\n", 1)
        );
    }
}
