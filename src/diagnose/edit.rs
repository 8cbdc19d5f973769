//! Edits of the program through its syntax tree: pieces of the source are replaced, and the result is given as changed
//! lines.

use ruff_text_size::Ranged;
use rustpython_vm::compiler::ast::Expr;

use super::Fix;
use super::code::{Code, span};
use super::facts::Span;

impl<'a> Code<'a> {
    /// From the dot of a method call to its end, whatever parentheses come before the dot.
    pub(super) fn tail(&self, call: &Expr) -> Option<Span> {
        let Expr::Attribute(a) = &*call.as_call_expr()?.func else { return None };
        let name = span(&a.attr).start;
        let dot = self.source[..name].rfind('.')?;
        Some(Span { start: dot, end: span(call).end })
    }

    /// Replaces pieces of the source. Returns the changed lines, from the first to the last.
    pub(super) fn edit(&self, mut pieces: Vec<(Span, String)>) -> Option<Fix> {
        pieces.sort_by_key(|(place, _)| *place);
        let (first, last) = (self.line(pieces.first()?.0.start), self.line(pieces.last()?.0.end));
        let begin = self.lines[first as usize - 1];
        let end = self.lines.get(last as usize).map_or(self.source.len(), |next| next - 1);
        let (mut after, mut at) = (String::new(), begin);
        for (place, text) in &pieces {
            if place.start < at {
                return None;
            }
            after.push_str(&self.source[at..place.start]);
            after.push_str(text);
            at = place.end;
        }
        after.push_str(&self.source[at..end]);
        let before = self.source[begin..end].trim_end_matches('\r').to_string();
        (before != after).then_some(Fix { line: first, before, after })
    }

    /// Adds text after an expression.
    pub(super) fn append(&self, node: &impl Ranged, text: &str) -> Option<Fix> {
        let end = span(node).end;
        self.edit(vec![(Span { start: end, end }, text.to_string())])
    }

    /// A new statement before another one, with the same indentation.
    pub(super) fn insert_before(&self, item: usize, text: &str) -> Option<Fix> {
        let start = span(self.items[item].stmt).start;
        let line = self.line(start);
        let begin = self.lines[line as usize - 1];
        let indent = &self.source[begin..start];
        // In `if x: y` on one line, there is no place before `y`.
        if !indent.trim().is_empty() {
            return None;
        }
        self.edit(vec![(Span { start, end: start }, format!("{text}\n{indent}"))])
    }

    /// A new statement after another one, with the same indentation.
    pub(super) fn insert_after(&self, item: usize, text: &str) -> Option<Fix> {
        let whole = span(self.items[item].stmt);
        let begin = self.lines[self.line(whole.start) as usize - 1];
        let indent = &self.source[begin..whole.start];
        if !indent.trim().is_empty() {
            return None;
        }
        let line_end = self.source[whole.end..].find('\n').map_or(self.source.len(), |n| whole.end + n);
        let rest = self.source[whole.end..line_end].trim_start();
        if !rest.is_empty() && !rest.starts_with('#') {
            return None;
        }
        self.edit(vec![(Span { start: line_end, end: line_end }, format!("\n{indent}{text}"))])
    }

    /// Removes a statement that shares its lines with no other, and the line end before it.
    pub(super) fn remove(&self, item: usize) -> Option<Fix> {
        let whole = span(self.items[item].stmt);
        let begin = self.lines[self.line(whole.start) as usize - 1];
        let end = self.source[whole.end..].find('\n').map_or(self.source.len(), |n| whole.end + n);
        let alone = self.source[begin..whole.start].trim().is_empty() && self.source[whole.end..end].trim().is_empty();
        (alone && begin > 0).then(|| self.edit(vec![(Span { start: begin - 1, end }, String::new())]))?
    }

    /// A new first statement of a loop's body.
    pub(super) fn insert_first(&self, loop_: usize, text: &str) -> Option<Fix> {
        let first = (0..self.items.len()).find(|&i| self.items[i].parent == Some(loop_))?;
        (self.line(span(self.items[first].stmt).start) > self.line(span(self.items[loop_].stmt).start))
            .then(|| self.insert_before(first, text))?
    }

    /// Adds a call after an expression, with parentheses if they are needed.
    pub(super) fn wrapped(&self, expr: &Expr, call: &str) -> Option<Fix> {
        let whole = span(expr);
        match expr {
            Expr::Name(_) | Expr::Attribute(_) | Expr::Call(_) | Expr::Subscript(_) => self.append(expr, call),
            _ => self.edit(vec![(whole, format!("({}){call}", self.text(whole)))]),
        }
    }

    /// An argument and the comma that belongs to it.
    pub(super) fn without(&self, argument: Span, arguments: Span) -> Span {
        let before = &self.source[arguments.start..argument.start];
        if let Some(comma) = before.rfind(',') {
            return Span { start: arguments.start + comma, end: argument.end };
        }
        let after = &self.source[argument.end..arguments.end];
        match after.find(',') {
            Some(comma) => {
                let rest = &after[comma + 1..];
                let blank = rest.len() - rest.trim_start().len();
                Span { start: argument.start, end: argument.end + comma + 1 + blank }
            }
            None => argument,
        }
    }
}
