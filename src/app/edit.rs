//! Changes to the learner's program, as text.

use crate::diagnose::Fix;

/// The program with the edit made; `None` when its line is no longer what it was when the program ran.
pub fn apply(code: &str, fix: &Fix) -> Option<String> {
    let at = (fix.line as usize).checked_sub(1)?;
    let mut lines: Vec<&str> = code.split('\n').collect();
    let line = lines.get_mut(at).filter(|line| line.trim() == fix.before.trim())?;
    let indent = &line[..line.len() - line.trim_start().len()];
    let new = match fix.after.starts_with(char::is_whitespace) {
        true => fix.after.clone(),
        false => format!("{indent}{}", fix.after),
    };
    *line = &new;
    Some(lines.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fix(line: u32, before: &str, after: &str) -> Fix {
        Fix { line, before: before.into(), after: after.into() }
    }

    #[test]
    fn one_line_changes_and_keeps_its_indentation() {
        let code = "if True:\n    c = a + b\nprint(c)\n";
        let changed = apply(code, &fix(2, "c = a + b", "c = a.to(\"cuda\") + b"));
        assert_eq!(changed.unwrap(), "if True:\n    c = a.to(\"cuda\") + b\nprint(c)\n");
    }

    #[test]
    fn a_program_that_moved_on_is_left_alone() {
        assert_eq!(apply("x = 1\n", &fix(1, "x = 2", "x = 3")), None);
        assert_eq!(apply("x = 1\n", &fix(9, "x = 1", "x = 3")), None);
        assert_eq!(apply("x = 1\n", &fix(0, "x = 1", "x = 3")), None);
    }
}
