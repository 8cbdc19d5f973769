//! A machine that is not the one the program was written for.

use rustpython_vm::compiler::ast::Expr;

use super::Place;
use crate::diagnose::code::{method, span};
use crate::diagnose::facts::Span;
use crate::diagnose::text::Mistake;
use crate::diagnose::{Card, Fix, cause};

impl Place<'_> {
    /// Every place that asks for a GPU without asking whether there is one.
    pub(super) fn no_cuda(&self, mistake: &Mistake<'_>) -> Option<Card> {
        const AGNOSTIC: &str = "\"cuda\" if torch.cuda.is_available() else \"cpu\"";
        let code = self.code;
        let mut pieces: Vec<(Span, String)> = Vec::new();
        for i in 0..code.items.len() {
            let exprs = code.exprs(i);
            if exprs.iter().any(|e| matches!(e, Expr::Attribute(a) if a.attr.as_str() == "is_available")) {
                continue;
            }
            for e in &exprs {
                match e {
                    Expr::StringLiteral(s) if matches!(s.value.to_str(), "cuda" | "cuda:0") => {
                        let compared =
                            exprs.iter().any(|o| matches!(o, Expr::Compare(_)) && span(*o).contains(span(*e)));
                        if !compared && !pieces.iter().any(|(p, _)| *p == span(*e)) {
                            let whole = span(*e);
                            let before = code.source[..whole.start].trim_end();
                            let after = code.source[whole.end..].trim_start_matches(' ');
                            let bare = before.ends_with(['(', ',', '='])
                                && (after.is_empty() || after.starts_with([')', ',', '#', '\n', '\r']));
                            pieces.push((whole, if bare { AGNOSTIC.into() } else { format!("({AGNOSTIC})") }));
                        }
                    }
                    _ => {
                        if let Some((_, "cuda", arguments)) = method(e)
                            && arguments.is_empty()
                        {
                            pieces.push((code.tail(e)?, format!(".to({AGNOSTIC})")));
                        }
                    }
                }
            }
        }
        pieces.sort_by_key(|(place, _)| *place);
        let failing = self.innermost().map(|f| f.line).or(self.failure.line)?;
        let lines: Vec<u32> = pieces.iter().map(|(place, _)| code.line(place.start)).collect();
        let line = if lines.contains(&failing) { failing } else { lines.first().copied().unwrap_or(failing) };
        // One edit a line.
        let mut fixes: Vec<Fix> = Vec::new();
        for &l in &lines {
            if fixes.iter().all(|f| f.line != l) {
                let here = pieces.iter().filter(|(place, _)| code.line(place.start) == l).cloned().collect();
                fixes.extend(code.edit(here));
            }
        }
        let cause = cause::of(mistake, "D17", self.failure);
        Some(self.card_with("D17", line, cause, if fixes.len() <= 8 { fixes } else { Vec::new() }))
    }

    /// The string literals of the program that a test answers, those of the failing line first.
    fn literal(&self, replace: impl Fn(&str) -> Option<String>) -> Option<(u32, Fix)> {
        let failing = self.innermost().map(|f| f.line).or(self.failure.line)?;
        let mut order: Vec<usize> = self.code.at_line(failing).into_iter().collect();
        order.extend(0..self.code.items.len());
        for item in order {
            for e in self.code.exprs(item) {
                let Expr::StringLiteral(s) = e else { continue };
                if let Some(text) = replace(s.value.to_str()) {
                    return Some((
                        self.code.line(span(e).start),
                        self.code.edit(vec![(span(e), format!("\"{text}\""))])?,
                    ));
                }
            }
        }
        None
    }

    pub(super) fn device_text(&self, mistake: &Mistake<'_>, name: &str) -> Option<Card> {
        let meant = match name.to_ascii_lowercase().as_str() {
            "gpu" | "nvidia" | "cuda" => "cuda",
            "cpu" => "cpu",
            "metal" | "mps" => "mps",
            _ => return None,
        };
        let found = self.literal(|text| {
            let rest = text.strip_prefix(name)?;
            (rest.is_empty() || rest.starts_with(':')).then(|| format!("{meant}{rest}"))
        });
        let (line, fix) = found?;
        Some(self.plain(mistake, "D18", line, Some(fix)))
    }

    pub(super) fn ordinal(&self, mistake: &Mistake<'_>) -> Option<Card> {
        let beyond = |text: &str| {
            let index = text.strip_prefix("cuda:")?;
            (index != "0" && index.bytes().all(|b| b.is_ascii_digit())).then(|| "cuda:0".to_string())
        };
        if let Some((line, fix)) = self.literal(beyond) {
            return Some(self.plain(mistake, "D18", line, Some(fix)));
        }
        let failing = self.innermost()?.line;
        let mut order: Vec<usize> = self.code.at_line(failing).into_iter().collect();
        order.extend(0..self.code.items.len());
        for item in order {
            for e in self.code.exprs(item) {
                let Expr::Call(c) = e else { continue };
                let name = self.code.call_path(&c.func).unwrap_or_default();
                let takes = name == "torch.device"
                    || name.ends_with(".set_device")
                    || matches!(&*c.func, Expr::Attribute(a) if a.attr.as_str() == "cuda");
                let number =
                    c.arguments.args.iter().find(|a| a.is_number_literal_expr() && self.code.text_of(*a) != "0");
                if let (true, Some(number)) = (takes, number) {
                    let fix = self.code.edit(vec![(span(number), "0".into())]);
                    return Some(self.plain(mistake, "D18", self.code.line(span(number).start), fix));
                }
            }
        }
        None
    }

    pub(super) fn checkpoint(&self, mistake: &Mistake<'_>, fewer: bool) -> Option<Card> {
        let to = if fewer { "\"cuda:0\"" } else { "\"cpu\"" };
        for frame in self.seen.frames.iter().rev() {
            let item = self.code.at_line(frame.line)?;
            for e in self.code.exprs(item) {
                let Expr::Call(c) = e else { continue };
                if self.code.call_path(&c.func).as_deref() != Some("torch.load") {
                    continue;
                }
                let rule = if fewer { "D16" } else { "D15" };
                let known =
                    c.arguments.keywords.iter().find(|k| k.arg.as_ref().is_some_and(|a| a.as_str() == "map_location"));
                let fix = match known {
                    Some(keyword) => self.code.edit(vec![(span(&keyword.value), to.into())]),
                    None => {
                        let end = span(&c.arguments).end - 1;
                        self.code.edit(vec![(Span { start: end, end }, format!(", map_location={to}"))])
                    }
                };
                return Some(self.plain(mistake, rule, frame.line, fix));
            }
        }
        None
    }
}
