//! Changes to the learner's program, as text.

pub use crate::diagnose::apply;

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
}
