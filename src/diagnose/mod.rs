//! From an error, or a mistake that raised nothing, to a card that a learner understands.
//!
//! Each mistake has a [`Rule`], and each rule is one file in [`rules`]: the error messages or the silent condition that it
//! recognizes, the cause that it looks for, its sentences in every language, and the edit that it offers. Everything else is
//! shared by the rules: the program as a syntax tree ([`code`], [`edit`]) or, if it can't be parsed, as lines of words
//! ([`line`](mod@line)); PyTorch's messages about two devices ([`met`]); an error with everything known about it ([`place`]);
//! where to look while a program runs ([`plan`]), and what was observed there ([`facts`]).
//!
//! An error gets a card only if a rule knows PyTorch's message, so a correct program never gets one. An edit is offered only if
//! it's certain: a card without an edit is better than a wrong edit.

#[cfg(feature = "python")]
mod attribute;
mod card;
#[cfg(feature = "python")]
pub(crate) mod code;
#[cfg(feature = "python")]
mod edit;
#[cfg(feature = "python")]
pub(crate) mod facts;
#[cfg(feature = "python")]
mod line;
#[cfg(feature = "python")]
mod line_edit;
#[cfg(feature = "python")]
pub(crate) mod looking;
#[cfg(feature = "python")]
mod met;
#[cfg(feature = "python")]
mod moved;
#[cfg(feature = "python")]
mod numpy;
#[cfg(feature = "python")]
mod place;
#[cfg(feature = "python")]
pub(crate) mod plan;
#[cfg(feature = "python")]
pub mod rules;
#[cfg(feature = "python")]
mod seen;
#[cfg(all(test, feature = "python"))]
mod tests;
pub mod titles;
mod words;

pub use card::{About, Card, Fix, Kind, Operand, apply};
#[cfg(feature = "python")]
pub(crate) use line::names;
#[cfg(feature = "python")]
pub use seen::Failure;
#[cfg(feature = "python")]
pub(crate) use seen::{Frame, Hidden, Seen};
pub use words::Cause;

#[cfg(feature = "python")]
use rules::Rule;

/// The cards of a program: one for the error that ended it, if a rule knows that error, and those for silent mistakes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cards {
    pub error: Option<Card>,
    pub silent: Vec<Card>,
}

/// Explains a program that has ended.
#[cfg(feature = "python")]
pub(crate) fn explain(seen: &Seen<'_>) -> Cards {
    let text = || seen.failure.and_then(diagnose);
    let Some(module) = code::parse(seen.source) else { return Cards { error: text(), silent: Vec::new() } };
    let code = code::Code::new(seen.source, &module);
    let mut silent = silent(&code, seen);
    let error = seen.failure.and_then(|failure| raised(&code, seen, failure, &silent));
    // A silent mistake that led to the error already has its card.
    silent.retain(|card| error.as_ref().is_none_or(|e| (&e.rule, e.line) != (&card.rule, card.line)));
    Cards { error, silent }
}

/// Explains an error by its message and the line that raised it; `None` if it isn't about devices or memory.
#[cfg(feature = "python")]
pub fn diagnose(failure: &Failure<'_>) -> Option<Card> {
    Rule::of_text(failure).map(|(_, card)| card)
}

/// The silent mistakes of a program, in the order of its lines.
#[cfg(feature = "python")]
fn silent(code: &code::Code<'_>, seen: &Seen<'_>) -> Vec<Card> {
    let mut out: Vec<Card> = Rule::ALL.iter().flat_map(|rule| rule.silent(code, seen)).collect();
    out.sort_by(|a, b| (a.line, &a.rule).cmp(&(b.line, &b.rule)));
    out.dedup_by(|a, b| (a.line, &a.rule) == (b.line, &b.rule));
    out
}

/// The card of the error that ended a program: that of the mistake that led to it, or else the one for its message.
#[cfg(feature = "python")]
fn raised(code: &code::Code<'_>, seen: &Seen<'_>, failure: &Failure<'_>, silent: &[Card]) -> Option<Card> {
    let (rule, text) = Rule::of_text(failure).unzip();
    let met = met::Met::read(failure).filter(|_| !seen.frames.is_empty());
    let at = place::Place { code, seen, failure, silent, text: text.as_ref(), met };
    let behind = Rule::ALL.iter().find_map(|rule| rule.behind(&at));
    behind.or_else(|| rule?.explain(&at, text.as_ref()?)).or_else(|| text.clone())
}
