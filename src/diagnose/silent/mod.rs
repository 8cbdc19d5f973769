//! Cards for mistakes that raise nothing where they are made, from what was seen while the program ran.

mod devices;
mod memory;
mod moves;
mod steps;
mod waits;

pub use moves::{alias, deep_copy, grad_of_moved, is_parameter, lost, without};

use super::code::Code;
use super::facts::Span;
use super::{Card, Cause, Fix, Operand, Seen, lesson};
use crate::trace::Clue;
use devices::{compared, hidden_late};
use memory::{alive, is_unexpected, kept};
use moves::{is_confused, is_missed};
use steps::each_step;
use waits::{piecewise, pin, read_early, timing};

/// The silent mistakes of a program, in the order of its lines.
pub fn cards(code: &Code<'_>, seen: &Seen<'_>) -> Vec<Card> {
    let facts = seen.facts;
    let mut out: Vec<Card> = Vec::new();
    out.extend(facts.lost.iter().filter(|l| !l.timed && is_missed(code, l)).map(|l| lost(code, l)));
    out.extend(facts.aliases.iter().filter(|a| is_confused(code, a)).map(|a| alias(code, a.site, &a.from, &a.to)));
    out.extend(facts.kept.iter().map(|k| kept(code, k)));
    out.extend(facts.alive.iter().filter(|a| is_unexpected(code, seen, a)).map(|a| alive(code, a)));
    out.extend(facts.timings.iter().map(|t| timing(code, t)));
    out.extend(facts.pins.iter().map(|&site| pin(code, site)));
    for clue in &facts.clues {
        out.extend(match clue {
            Clue::DevicesCompared { line, device, with } => compared(code, *line, *device, with),
            Clue::GradOfMoved { created, device, shape, bytes, .. } => {
                Some(grad_of_moved(code, *created, &device.to_string(), shape, *bytes))
            }
            Clue::OutOfBounds { .. } => None,
            Clue::HiddenLate { line, value } => hidden_late(code, *line, value),
            Clue::ReadEarly { line, copied, .. } => Some(read_early(code, *line, *copied)),
            Clue::ReadPiecewise { line, device, elements, reads, .. } => {
                Some(piecewise(code, *line, *device, *elements, *reads))
            }
            Clue::WaitedOften { line, device, reads, waits } => each_step(code, *line, *device, *reads, *waits),
        });
    }
    out.sort_by(|a, b| (a.line, &a.rule).cmp(&(b.line, &b.rule)));
    out.dedup_by(|a, b| (a.line, &a.rule) == (b.line, &b.rule));
    out
}

fn card(rule: &str, line: u32, cause: Cause, operands: Vec<Operand>, fix: Vec<Fix>) -> Card {
    Card { rule: rule.into(), line, cause, operands, fix, lesson: lesson(rule).map(str::to_string) }
}

fn line_of(code: &Code<'_>, site: Span) -> u32 {
    code.line(site.start)
}
