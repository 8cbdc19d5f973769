//! The learner's program as a syntax tree: where a line is, what reads a variable, and how to replace a piece.

use ruff_text_size::Ranged;
use rustpython_vm::compiler::ast::visitor::{self, Visitor};
use rustpython_vm::compiler::ast::{
    self, ElifElseClause, ExceptHandler, Expr, ExprContext, MatchCase, ModModule, Stmt,
};
use rustpython_vm::compiler::parser;

use super::facts::Span;
use crate::nesting;

/// Parses a program; `None` if it isn't valid, or is nested too deep to be walked.
pub(crate) fn parse(source: &str) -> Option<ModModule> {
    nesting::check(source).ok()?;
    Some(parser::parse_module(source).ok()?.into_syntax())
}

/// The source range of a node.
pub(crate) fn span(node: &impl Ranged) -> Span {
    let range = node.range();
    Span { start: range.start().to_usize(), end: range.end().to_usize() }
}

/// A program, with its statements in the order of the source.
pub(crate) struct Code<'a> {
    pub(crate) source: &'a str,
    pub(crate) items: Vec<Item<'a>>,
    /// Where each line begins, in bytes.
    pub(super) lines: Vec<usize>,
    /// The full names of imported names: `torch.nn` for `nn`.
    aliases: Vec<(String, String)>,
}

/// A statement and the blocks around it, as indices of [`Code::items`].
#[derive(Clone, Copy)]
pub(crate) struct Item<'a> {
    pub(crate) stmt: &'a Stmt,
    pub(crate) parent: Option<usize>,
    pub(crate) function: Option<usize>,
    pub(crate) class: Option<usize>,
    /// The innermost loop of the same function.
    pub(crate) looped: Option<usize>,
    /// The `try` statement, if it's in one of its `except` blocks.
    pub(crate) handler: Option<usize>,
}

impl<'a> Code<'a> {
    pub(crate) fn new(source: &'a str, module: &'a ModModule) -> Code<'a> {
        let lines = std::iter::once(0).chain(source.match_indices('\n').map(|(at, _)| at + 1)).collect();
        let mut code = Code { source, items: Vec::new(), lines, aliases: Vec::new() };
        code.add(&module.body, None, None, None, None, None);
        for item in &code.items {
            match item.stmt {
                Stmt::Import(import) => {
                    for alias in &import.names {
                        let name = alias.asname.as_ref().unwrap_or(&alias.name).to_string();
                        code.aliases.push((name, alias.name.to_string()));
                    }
                }
                Stmt::ImportFrom(import) => {
                    for alias in &import.names {
                        let name = alias.asname.as_ref().unwrap_or(&alias.name).to_string();
                        let module = import.module.as_ref().map_or(String::new(), ToString::to_string);
                        code.aliases.push((name, format!("{module}.{}", alias.name)));
                    }
                }
                _ => {}
            }
        }
        code
    }

    fn add(
        &mut self,
        body: &'a [Stmt],
        parent: Option<usize>,
        function: Option<usize>,
        class: Option<usize>,
        looped: Option<usize>,
        handler: Option<usize>,
    ) {
        for stmt in body {
            let at = self.items.len();
            let me = Some(at);
            self.items.push(Item { stmt, parent, function, class, looped, handler });
            match stmt {
                Stmt::FunctionDef(s) => self.add(&s.body, me, me, class, None, None),
                Stmt::ClassDef(s) => self.add(&s.body, me, function, me, None, None),
                Stmt::For(s) => {
                    self.add(&s.body, me, function, class, me, handler);
                    self.add(&s.orelse, me, function, class, looped, handler);
                }
                Stmt::While(s) => {
                    self.add(&s.body, me, function, class, me, handler);
                    self.add(&s.orelse, me, function, class, looped, handler);
                }
                Stmt::If(s) => {
                    self.add(&s.body, me, function, class, looped, handler);
                    for clause in &s.elif_else_clauses {
                        self.add(&clause.body, me, function, class, looped, handler);
                    }
                }
                Stmt::With(s) => self.add(&s.body, me, function, class, looped, handler),
                Stmt::Try(s) => {
                    self.add(&s.body, me, function, class, looped, handler);
                    for ExceptHandler::ExceptHandler(h) in &s.handlers {
                        self.add(&h.body, me, function, class, looped, me);
                    }
                    self.add(&s.orelse, me, function, class, looped, handler);
                    self.add(&s.finalbody, me, function, class, looped, handler);
                }
                Stmt::Match(s) => {
                    for case in &s.cases {
                        self.add(&case.body, me, function, class, looped, handler);
                    }
                }
                _ => {}
            }
        }
    }

    // ---- places ------------------------------------------------------------------------------------------------------

    /// Line number of a byte, from 1.
    pub(crate) fn line(&self, at: usize) -> u32 {
        self.lines.partition_point(|&start| start <= at) as u32
    }

    pub(crate) fn text(&self, span: Span) -> &'a str {
        &self.source[span.start..span.end]
    }

    pub(crate) fn text_of(&self, node: &impl Ranged) -> &'a str {
        self.text(span(node))
    }

    /// The text of a line without its line end.
    pub(crate) fn line_text(&self, line: u32) -> &'a str {
        self.source.lines().nth(line as usize - 1).unwrap_or_default()
    }

    /// The innermost statement whose own expressions are on a line. For a loop, only its head counts.
    pub(crate) fn at_line(&self, line: u32) -> Option<usize> {
        (0..self.items.len()).rev().find(|&i| {
            let (first, last) = self.head_lines(i);
            (first..=last).contains(&line)
        })
    }

    /// First and last line of a statement; for a compound statement, those of its head.
    pub(crate) fn head_lines(&self, item: usize) -> (u32, u32) {
        let stmt = self.items[item].stmt;
        let whole = span(stmt);
        let body = match stmt {
            Stmt::FunctionDef(s) => s.body.first(),
            Stmt::ClassDef(s) => s.body.first(),
            Stmt::For(s) => s.body.first(),
            Stmt::While(s) => s.body.first(),
            Stmt::If(s) => s.body.first(),
            Stmt::With(s) => s.body.first(),
            Stmt::Try(s) => s.body.first(),
            _ => None,
        };
        let first = self.line(whole.start);
        match body {
            Some(inner) => (first, self.line(span(inner).start).saturating_sub(1).max(first)),
            None => (first, self.line(whole.end.saturating_sub(1).max(whole.start))),
        }
    }

    /// The statement whose own expressions contain a source range.
    pub(crate) fn at(&self, place: Span) -> Option<usize> {
        (0..self.items.len()).rev().find(|&i| span(self.items[i].stmt).contains(place))
    }

    /// Whether statement `inner` is in statement `outer`, or is the same.
    pub(crate) fn within(&self, inner: usize, outer: usize) -> bool {
        let mut at = Some(inner);
        while let Some(i) = at {
            if i == outer {
                return true;
            }
            at = self.items[i].parent;
        }
        false
    }

    /// The name of the function that a statement is in.
    pub(crate) fn function_name(&self, item: usize) -> Option<&'a str> {
        match self.items[self.items[item].function?].stmt {
            Stmt::FunctionDef(def) => Some(def.name.as_str()),
            _ => None,
        }
    }

    /// Whether a function has a parameter of this name.
    pub(super) fn is_parameter(&self, function: usize, name: &str) -> bool {
        let Stmt::FunctionDef(def) = self.items[function].stmt else { return false };
        def.parameters.iter().any(|p| p.name().as_str() == name)
    }

    /// Whether a statement is in a class that derives from `nn.Module`, directly or not.
    pub(crate) fn in_module_class(&self, item: usize) -> bool {
        self.items[item].class.is_some_and(|class| self.is_module_class(class, 4))
    }

    fn is_module_class(&self, class: usize, depth: usize) -> bool {
        let Stmt::ClassDef(def) = self.items[class].stmt else { return false };
        let bases = def.arguments.as_ref().map_or(&[][..], |a| &a.args);
        bases.iter().any(|base| {
            let Some(path) = self.call_path(base) else { return false };
            if path.starts_with("torch.nn.") || path.ends_with("Module") {
                return true;
            }
            depth > 0
                && (0..self.items.len()).any(|i| {
                    matches!(self.items[i].stmt, Stmt::ClassDef(other) if other.name.as_str() == path)
                        && self.is_module_class(i, depth - 1)
                })
        })
    }

    // ---- expressions -------------------------------------------------------------------------------------------------

    /// Every expression of a statement, outer ones first. For a compound statement, only its head counts.
    pub(crate) fn exprs(&self, item: usize) -> Vec<&'a Expr> {
        let mut own = Own { out: Vec::new() };
        visitor::walk_stmt(&mut own, self.items[item].stmt);
        own.out
    }

    /// The full name of a called or named object, with imports resolved: `torch.nn.Linear` for `nn.Linear`.
    pub(crate) fn call_path(&self, func: &Expr) -> Option<String> {
        let path = dotted(func)?;
        let (root, rest) = path.split_once('.').map_or((path.as_str(), None), |(root, rest)| (root, Some(rest)));
        Some(match self.aliases.iter().rev().find(|(alias, _)| alias == root) {
            Some((_, module)) => rest.map_or(module.clone(), |rest| format!("{module}.{rest}")),
            None => path,
        })
    }

    /// The receiver of the method call at a source range.
    pub(super) fn receiver(&self, item: usize, site: Span) -> Option<&'a Expr> {
        let call = self.exprs(item).into_iter().find(|e| span(*e) == site && method(e).is_some())?;
        Some(method(call)?.0)
    }

    /// Every call in the program with its statement.
    pub(crate) fn calls(&self) -> Vec<(usize, &'a ast::ExprCall)> {
        let of = |i: usize| self.exprs(i).into_iter().filter_map(move |e| Some((i, e.as_call_expr()?)));
        (0..self.items.len()).flat_map(of).collect()
    }

    /// Where a variable, an attribute or an item (see [`path`]) is read: the statement, and the expression.
    pub(crate) fn reads(&self, name: &str) -> Vec<(usize, &'a Expr)> {
        let of = |i: usize| self.exprs(i).into_iter().map(move |e| (i, e));
        (0..self.items.len()).flat_map(of).filter(|(_, e)| is_load(e) && path(e).as_deref() == Some(name)).collect()
    }

    /// Whether a variable is read after a statement in the same function, or earlier in a loop around it, before it gets
    /// another value. Reading only a tensor's properties (its shape, its size) doesn't count, nor does moving it. An
    /// attribute may be read in any function.
    pub(crate) fn read_after(&self, item: usize, name: &str) -> bool {
        let here = self.items[item];
        let root = name.split(['.', '[']).next().unwrap_or(name);
        let last = name.rsplit('.').next().filter(|_| name.contains('.') && !name.contains('['));
        let end = span(here.stmt).end;
        let outer_loop = std::iter::successors(here.looped, |&l| self.items[l].looped).last();
        (0..self.items.len()).filter(|&i| i != item).any(|i| {
            let there = self.items[i];
            let later = span(there.stmt).start >= end || outer_loop.is_some_and(|l| self.within(i, l) && i != l);
            let same = there.function == here.function || here.function.is_none();
            let exprs = self.exprs(i);
            let harmless = |e: &Expr| {
                exprs.iter().any(|outer| {
                    matches!(outer, Expr::Attribute(a) if span(&*a.value) == span(e) && HARMLESS.contains(&a.attr.as_str()))
                })
            };
            let named = |e: &&&Expr| {
                // An attribute outlives the variables of a function.
                let attribute = matches!(e, Expr::Attribute(a) if Some(a.attr.as_str()) == last);
                let plain = path(e).as_deref() == Some(name) || e.as_name_expr().is_some_and(|n| n.id == root && last.is_none());
                is_load(e) && (attribute || (plain && same && later && !self.is_replaced(item, i, span(**e), root)))
            };
            // Reading an item (`batch["x"]`) also reads the variable (`batch`).
            exprs.iter().filter(named).any(|e| !harmless(e))
        })
    }

    /// Whether the value that `name` has in statement `from` may be the value read in statement `to`.
    pub(crate) fn reaches(&self, from: usize, to: usize, read: Span, name: &str) -> bool {
        let (a, b) = (self.items[from], self.items[to]);
        to != from
            && a.function == b.function
            && read.start >= span(a.stmt).end
            && !self.is_replaced(from, to, read, name)
    }

    /// Whether `name` certainly gets another value between two statements of one function.
    fn is_replaced(&self, from: usize, to: usize, read: Span, name: &str) -> bool {
        let end = span(self.items[from].stmt).end;
        self.assignments(name).into_iter().any(|a| {
            let (there, place) = (self.items[a], span(self.items[a].stmt));
            if a == from || there.function != self.items[from].function || place.start < end || place.start > read.start
            {
                return false;
            }
            // A statement reads its own expressions before it assigns.
            if a == to {
                return false;
            }
            // Whether the read comes later in the same body, or is in the body of the loop itself.
            let sure = |outer: Option<usize>| {
                std::iter::successors(Some(to), |&i| self.items[i].parent).any(|i| self.items[i].parent == outer)
            };
            (place.end <= read.start && sure(there.parent)) || self.within(to, a)
        })
    }

    /// Like [`Code::read_after`], or if the statement itself reads it.
    pub(crate) fn read_after_or_in(&self, item: usize, name: &str) -> bool {
        self.read_after(item, name) || self.reads(name).iter().any(|(i, _)| *i == item)
    }

    /// The statements that assign to a variable or attribute.
    pub(crate) fn assignments(&self, name: &str) -> Vec<usize> {
        (0..self.items.len())
            .filter(|&i| targets(self.items[i].stmt).iter().any(|t| path(t).as_deref() == Some(name)))
            .collect()
    }
}

/// These properties of a tensor tell nothing about its values.
const HARMLESS: [&str; 11] =
    ["to", "cuda", "cpu", "pin_memory", "shape", "size", "numel", "element_size", "nbytes", "dtype", "dim"];

struct Own<'a> {
    out: Vec<&'a Expr>,
}

impl<'a> Visitor<'a> for Own<'a> {
    fn visit_body(&mut self, _body: &'a [Stmt]) {}

    fn visit_elif_else_clause(&mut self, clause: &'a ElifElseClause) {
        clause.test.iter().for_each(|test| self.visit_expr(test));
    }

    fn visit_except_handler(&mut self, handler: &'a ExceptHandler) {
        let ExceptHandler::ExceptHandler(handler) = handler;
        handler.type_.iter().for_each(|type_| self.visit_expr(type_));
    }

    fn visit_match_case(&mut self, _case: &'a MatchCase) {}

    fn visit_expr(&mut self, expr: &'a Expr) {
        self.out.push(expr);
        visitor::walk_expr(self, expr);
    }
}

/// Whether an expression is read, not written.
pub(crate) fn is_load(expr: &Expr) -> bool {
    match expr {
        Expr::Name(e) => e.ctx == ExprContext::Load,
        Expr::Attribute(e) => e.ctx == ExprContext::Load,
        Expr::Subscript(e) => e.ctx == ExprContext::Load,
        _ => true,
    }
}

/// `a.b.c`.
pub(crate) fn dotted(expr: &Expr) -> Option<String> {
    match expr {
        Expr::Name(e) => Some(e.id.to_string()),
        Expr::Attribute(e) => Some(format!("{}.{}", dotted(&e.value)?, e.attr)),
        _ => None,
    }
}

/// A variable, an attribute, or an item with a constant or variable as its key: `x`, `self.x`, `batch['x']`, `pair[0]`,
/// `d[k]`.
pub(crate) fn path(expr: &Expr) -> Option<String> {
    match expr {
        Expr::Name(e) => Some(e.id.to_string()),
        Expr::Attribute(e) => Some(format!("{}.{}", path(&e.value)?, e.attr)),
        Expr::Subscript(e) => {
            let key = match &*e.slice {
                Expr::StringLiteral(s) => format!("'{}'", s.value.to_str()),
                Expr::NumberLiteral(n) => match &n.value {
                    ast::Number::Int(i) => i.to_string(),
                    _ => return None,
                },
                Expr::Name(n) => n.id.to_string(),
                _ => return None,
            };
            Some(format!("{}[{key}]", path(&e.value)?))
        }
        _ => None,
    }
}

/// The targets of an assignment, with tuples unpacked.
pub(crate) fn targets(stmt: &Stmt) -> Vec<&Expr> {
    fn flat<'a>(target: &'a Expr, out: &mut Vec<&'a Expr>) {
        match target {
            Expr::Tuple(t) => t.elts.iter().for_each(|e| flat(e, out)),
            Expr::List(t) => t.elts.iter().for_each(|e| flat(e, out)),
            Expr::Starred(t) => flat(&t.value, out),
            other => out.push(other),
        }
    }
    let mut out = Vec::new();
    match stmt {
        Stmt::Assign(s) => s.targets.iter().for_each(|t| flat(t, &mut out)),
        Stmt::AnnAssign(s) if s.value.is_some() => flat(&s.target, &mut out),
        Stmt::For(s) => flat(&s.target, &mut out),
        Stmt::With(s) => s.items.iter().filter_map(|i| i.optional_vars.as_ref()).for_each(|t| flat(t, &mut out)),
        _ => {}
    }
    out
}

/// Receiver, name and call of a method call.
pub(crate) fn method(expr: &Expr) -> Option<(&Expr, &str, &ast::Arguments)> {
    let call = expr.as_call_expr()?;
    let Expr::Attribute(a) = &*call.func else { return None };
    Some((&a.value, a.attr.as_str(), &call.arguments))
}

/// Whether a method moves its receiver.
pub(crate) fn is_move(name: &str) -> bool {
    matches!(name, "to" | "cuda" | "cpu")
}

/// The keyword argument of a call.
pub(super) fn keyword<'a>(call: &'a ast::ExprCall, name: &str) -> Option<&'a ast::Keyword> {
    call.arguments.keywords.iter().find(|k| k.arg.as_ref().is_some_and(|arg| arg.as_str() == name))
}
