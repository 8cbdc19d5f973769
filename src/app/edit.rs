//! Changes to the learner's program, as text.

pub use crate::diagnose::apply;

/// Why an edit can't move a tensor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unplaceable {
    /// No variable of its own holds it: `model.weight` belongs to a module, `x.grad` to a tensor.
    NoVariable,
    /// The line that creates it is not known, or is no longer there.
    NoLine,
}

/// Adds one line to the program, after the statement at `line` that binds `name`: the new line moves `name` to `device`. If
/// an earlier edit wrote such a line, that line is changed instead. Also returns the number of the line.
///
/// # Errors
/// Why no line of this kind can move the tensor.
pub fn place(code: &str, name: &str, line: u32, device: &str) -> Result<(String, u32), Unplaceable> {
    let moving = moving(name, device)?;
    let mut lines: Vec<String> = code.split('\n').map(str::to_string).collect();
    let ran = (line as usize).checked_sub(1).filter(|at| *at < lines.len()).ok_or(Unplaceable::NoLine)?;
    // A statement of several lines may run on any of them.
    let at = (0..=ran).rev().find(|at| binds(&lines[*at], name) && statement_end(&lines, *at) >= ran);
    let at = at.ok_or(Unplaceable::NoLine)?;
    let first = lines[at].clone();
    let end = statement_end(&lines, at);
    let indent = &first[..first.len() - first.trim_start().len()];
    let moved = format!("{indent}{moving}");
    let earlier = format!("{indent}{name} = {name}.to(\"");
    let place = if first.starts_with(&earlier) { at } else { end + 1 };
    match lines.get(place).is_some_and(|line| line.starts_with(&earlier)) {
        true => lines[place] = moved,
        false => lines.insert(place, moved),
    }
    Ok((lines.join("\n"), place as u32 + 1))
}

/// The statement that moves the tensor of a variable to `device`.
///
/// # Errors
/// If `name` isn't a variable's.
pub(crate) fn moving(name: &str, device: &str) -> Result<String, Unplaceable> {
    let variable = !name.is_empty()
        && name.chars().all(|c| c.is_alphanumeric() || c == '_')
        && !name.starts_with(|c: char| c.is_numeric());
    if variable { Ok(format!("{name} = {name}.to(\"{device}\")")) } else { Err(Unplaceable::NoVariable) }
}

/// Whether a line begins with an assignment to `name`.
fn binds(line: &str, name: &str) -> bool {
    let rest = line.trim_start().strip_prefix(name).map(str::trim_start);
    rest.is_some_and(|rest| rest.starts_with('=') && !rest.starts_with("=="))
}

/// The last line of the statement that begins at `at`: the line where the brackets are closed and that has no backslash
/// at its end.
fn statement_end(lines: &[String], at: usize) -> usize {
    let (mut depth, mut quote) = (0_i32, None);
    for (i, line) in lines.iter().enumerate().skip(at) {
        let mut chars = line.chars();
        while let Some(c) = chars.next() {
            match (quote, c) {
                (Some(_), '\\') => {
                    chars.next();
                }
                (Some(q), c) if c == q => quote = None,
                (Some(_), _) => {}
                (None, '"' | '\'') => quote = Some(c),
                (None, '#') => break,
                (None, '(' | '[' | '{') => depth += 1,
                (None, ')' | ']' | '}') => depth -= 1,
                _ => {}
            }
        }
        quote = None;
        if depth <= 0 && !line.trim_end().ends_with('\\') {
            return i;
        }
    }
    lines.len().saturating_sub(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnose::Fix;

    fn fix(line: u32, before: &str, after: &str) -> Fix {
        Fix { line, before: before.into(), after: after.into() }
    }

    #[test]
    fn one_line_changes() {
        let code = "if True:\n    c = a + b\nprint(c)\n";
        let changed = apply(code, &[fix(2, "    c = a + b", "    c = a.to(\"cuda\") + b")]);
        assert_eq!(changed.unwrap(), "if True:\n    c = a.to(\"cuda\") + b\nprint(c)\n");
    }

    #[test]
    fn several_lines_change() {
        let code = "a\nb\nc\nd\n";
        let changed = apply(code, &[fix(1, "a", "x\na"), fix(3, "c\nd", "e")]);
        assert_eq!(changed.unwrap(), "x\na\nb\ne\n");
    }

    #[test]
    fn a_program_that_moved_on_is_left_alone() {
        assert_eq!(apply("x = 1\n", &[fix(1, "x = 2", "x = 3")]), None);
        assert_eq!(apply("x = 1\n", &[fix(9, "x = 1", "x = 3")]), None);
        assert_eq!(apply("x = 1\n", &[fix(0, "x = 1", "x = 3")]), None);
        assert_eq!(apply("x = 1\n", &[fix(1, "x = 1\n\ny", "x = 3")]), None);
    }

    #[test]
    fn a_placed_tensor_is_moved_after_the_statement_that_made_it() {
        let code = "import torch\nx = torch.tensor([\n    1.0,  # )\n    2.0,\n])\nprint(x)\n";
        let (placed, line) = place(code, "x", 2, "cuda:0").unwrap();
        assert_eq!(placed, code.replace("])\n", "])\nx = x.to(\"cuda:0\")\n"));
        assert_eq!(line, 6);
        let (again, line) = place(&placed, "x", 2, "cuda:1").unwrap();
        assert_eq!((again, line), (placed.replace("cuda:0", "cuda:1"), 6));
        // The user moved the tensor that the edit's own line made: one line is enough, and it is changed.
        let (again, line) = place(&placed, "x", 6, "cpu").unwrap();
        assert_eq!((again, line), (placed.replace("cuda:0", "cpu"), 6));
        assert_eq!(place(code, "x", 4, "cuda:0").unwrap(), (placed, 6));
    }

    #[test]
    fn a_placed_tensor_keeps_its_blocks_indentation() {
        let (placed, _) = place("def f():\n    y = g()\n    return y", "y", 2, "cpu").unwrap();
        assert_eq!(placed, "def f():\n    y = g()\n    y = y.to(\"cpu\")\n    return y");
    }

    #[test]
    fn what_no_line_can_move_is_left_alone() {
        for (name, line, why) in [
            ("model.weight", 1, Unplaceable::NoVariable),
            ("x.grad", 1, Unplaceable::NoVariable),
            ("", 1, Unplaceable::NoVariable),
            ("x", 0, Unplaceable::NoLine),
            ("x", 9, Unplaceable::NoLine),
            ("y", 1, Unplaceable::NoLine),
        ] {
            assert_eq!(place("x = f()\nprint(x == y)", name, line, "cpu"), Err(why), "{name} {line}");
        }
        assert_eq!(place("x == 1", "x", 1, "cpu"), Err(Unplaceable::NoLine));
    }
}
