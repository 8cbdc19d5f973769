//! The blocks of a step's program: a look, or an exercise.

use serde_norway::Value;

use super::blocks::Reader;
use super::faults::{short_yaml, yaml_line, yaml_text};
use super::find;
use crate::lesson::prose::Block;
use crate::lesson::{Check, Exercise, Find, Hint, Look, Looking, Scoring, Sight, Source, Step};

/// A Python block as it stands in the file; the label is what follows its role.
pub(super) type Program = Source;

/// The roles of Python blocks.
pub(super) fn roles(first: bool) -> &'static str {
    if first { "starter, solution, must_fail" } else { "look, starter, solution, also_right, must_fail" }
}

/// A check with its line, and what it counts for.
struct Judged {
    line: u32,
    check: Check,
    scoring: Scoring,
}

/// The blocks of a step's program as they come.
#[derive(Default)]
pub(super) struct Pieces {
    look: Option<(Source, Sight)>,
    seen: Option<(u32, Vec<Block>)>,
    find: Option<Find>,
    starter: Option<(Source, Sight)>,
    solution: Option<Source>,
    also_right: Vec<Source>,
    must_fail: Vec<Source>,
    checks: Option<(u32, Vec<Judged>)>,
    hints: Vec<Hint>,
    why: Option<(u32, Vec<Block>)>,
    /// Whether a fault has said that something stands below the program.
    below: bool,
}

impl Pieces {
    /// Keeps a program under its role.
    pub(super) fn add(&mut self, role: &str, mut source: Program, reader: &mut Reader<'_, '_, '_>) {
        let line = source.line;
        let first = reader.is_first();
        let before = match role {
            "starter" => self.starter.as_ref().map(|(source, _)| source.line),
            "look" if !first => self.look.as_ref().map(|(source, _)| source.line),
            "solution" => self.solution.as_ref().map(|source| source.line),
            "must_fail" => return self.must_fail.push(source),
            "also_right" if !first => return self.also_right.push(source),
            "look" | "also_right" => {
                return reader.fault(line, format!("a python block `{role}` belongs to format 2: write `format: 2`"));
            }
            unknown => {
                let expected = if first { "starter, solution or must_fail" } else { roles(false) };
                let text = format!("unknown role '{unknown}' of a python block: expected {expected}");
                return reader.fault(line, text);
            }
        };
        if let Some(before) = before {
            reader.fault(line, format!("a second {role} in one step; the first is in line {before}"));
        }
        if role == "solution" {
            self.solution = Some(source);
            return;
        }
        let mut sight = Sight::default();
        if !first {
            for word in std::mem::take(&mut source.label).split_whitespace() {
                if let Err(fault) = sight.read(word) {
                    reader.fault(line, format!("{fault} (after `python {role}`)"));
                }
            }
            if let Some(crate::lesson::Point::Line(at)) = sight.point
                && source.code.lines().count() < at as usize
            {
                reader
                    .fault(line, format!("point=line:{at}, but the program has {} lines", source.code.lines().count()));
            }
        }
        match role {
            "look" => self.look = Some((source, sight)),
            _ => self.starter = Some((source, sight)),
        }
    }

    pub(super) fn check(&mut self, content: &str, line: u32, reader: &mut Reader<'_, '_, '_>) {
        if let Some((first, _)) = &self.checks {
            reader.fault(line, format!("a second check block; the first is in line {first}"));
        }
        self.checks = Some((line, checks(content, line, reader)));
    }

    pub(super) fn hint(&mut self, content: &str, line: u32, reader: &mut Reader<'_, '_, '_>) {
        let text = reader.markdown(content, line + 1);
        if text.is_empty() {
            reader.fault(line, "a hint without text");
        }
        self.hints.push(Hint { line, text });
    }

    pub(super) fn why(&mut self, content: &str, line: u32, reader: &mut Reader<'_, '_, '_>) {
        let text = reader.markdown(content, line + 1);
        if text.is_empty() {
            reader.fault(line, "a why block without text");
        }
        if let Some((first, _)) = &self.why {
            reader.fault(line, format!("a second why block; the first is in line {first}"));
        }
        self.why = Some((line, text));
    }

    pub(super) fn find(&mut self, content: &str, line: u32, reader: &mut Reader<'_, '_, '_>) {
        if let Some(first) = &self.find {
            reader.fault(line, format!("a second find block; the first is in line {}", first.line));
        }
        self.is_above(line, reader);
        self.find = find::read(content, line, reader);
    }

    pub(super) fn seen(&mut self, content: &str, line: u32, reader: &mut Reader<'_, '_, '_>) {
        let text = reader.markdown(content, line + 1);
        if text.is_empty() {
            reader.fault(line, "a seen block without text");
        }
        if let Some((first, _)) = &self.seen {
            reader.fault(line, format!("a second seen block; the first is in line {first}"));
        }
        self.seen = Some((line, text));
    }

    /// Reports text or a question that stands below its step's program: the page shows the program last.
    pub(super) fn is_above(&mut self, line: u32, reader: &mut Reader<'_, '_, '_>) {
        let program = self.look.as_ref().or(self.starter.as_ref()).map(|(source, _)| source.line);
        if let Some(program) = program.filter(|_| !reader.is_first() && !self.below) {
            self.below = true;
            let text = format!(
                "this stands below the step's program (line {program}), but the page shows the program last: move it above, \
                 into a seen or why block, or into a step of its own"
            );
            reader.fault(line, text);
        }
    }

    /// Puts the program of the last step together, if it has one.
    pub(super) fn finish(&mut self, steps: &mut [Step], reader: &mut Reader<'_, '_, '_>) {
        let Pieces { look, seen, find, starter, solution, also_right, must_fail, checks, hints, why, .. } =
            std::mem::take(self);
        let first = [
            starter.as_ref().map(|(source, _)| source.line),
            solution.as_ref().map(|s| s.line),
            checks.as_ref().map(|c| c.0),
        ]
        .into_iter()
        .flatten()
        .chain(must_fail.iter().chain(&also_right).map(|s| s.line))
        .chain(hints.iter().map(|h| h.line))
        .chain(why.iter().map(|w| w.0))
        .chain(find.iter().map(|find| find.line))
        .min();
        let looks = look.as_ref().map(|(source, _)| source.line).or(seen.as_ref().map(|(line, _)| *line));
        let Some(line) = first.or(looks) else { return };
        let Some(step) = steps.last_mut() else {
            return reader.fault(line, "a program stands before the first step (`## Title`)");
        };
        match (look, seen) {
            (Some((source, sight)), seen) => {
                if let Some(other) = first {
                    let text =
                        format!("a step has one program: this look, or the exercise that begins in line {other}");
                    reader.fault(source.line, text);
                }
                step.look = Some(Look { source, sight, seen: seen.map(|(_, text)| text).unwrap_or_default() });
            }
            (None, Some((line, _))) => reader.fault(line, "a seen block belongs to a `python look` in the same step"),
            (None, None) => {}
        }
        if first.is_none() {
            return;
        }
        let heading = step.line;
        let missing = |what: &str| format!("this step has an exercise without a {what} block");
        let (Some((starter, sight)), Some(solution), Some((_, checks))) = (&starter, &solution, &checks) else {
            for (there, what) in [
                (starter.is_some(), "python starter"),
                (solution.is_some(), "python solution"),
                (checks.is_some(), "check"),
            ] {
                if !there {
                    reader.fault(heading, missing(what));
                }
            }
            return;
        };
        if let Some(find) = &find {
            find::fits(find, starter, reader);
        }
        step.exercise = Some(Exercise {
            find,
            starter: starter.clone(),
            solution: solution.clone(),
            also_right,
            must_fail,
            sight: sight.clone(),
            checks: checks.iter().map(|judged| judged.check.clone()).collect(),
            check_lines: checks.iter().map(|judged| judged.line).collect(),
            scoring: checks.iter().map(|judged| judged.scoring.clone()).collect(),
            hints,
            why: why.map(|(_, text)| text).unwrap_or_default(),
        });
    }
}

/// The checks of one block, each with its line. `fence` is the line of the block's fence.
fn checks(content: &str, fence: u32, reader: &mut Reader<'_, '_, '_>) -> Vec<Judged> {
    if let Err(fault) = short_yaml(content) {
        reader.fault(fence, format!("the checks: {fault}"));
        return Vec::new();
    }
    let items: Vec<Value> = match serde_norway::from_str(content) {
        Ok(items) => items,
        Err(error) => {
            reader.fault(yaml_line(&error, fence + 1), format!("the checks: {}", yaml_text(&error)));
            return Vec::new();
        }
    };
    if items.is_empty() {
        reader.fault(fence, "a check block without checks");
    }
    // YAML values carry no position, but every item of a block sequence begins with its dash.
    let dashes: Vec<u32> =
        (fence + 1..).zip(content.lines()).filter(|(_, l)| l.starts_with('-')).map(|(n, _)| n).collect();
    let count = items.len();
    let line_of = |i: usize| if dashes.len() == count { dashes[i] } else { fence };
    let mut checks = Vec::new();
    for (i, item) in items.into_iter().enumerate() {
        let line = line_of(i);
        let read = scored(item, reader.is_first()).and_then(|(item, scoring)| {
            let check = check(item, reader.is_first())?;
            match check.label().trim().is_empty() {
                true => Err("the label is empty".into()),
                false => Ok(Judged { line, check, scoring }),
            }
        });
        match read {
            Ok(check) => checks.push(check),
            Err(fault) => reader.fault(line, fault),
        }
    }
    checks
}

/// Takes what a check counts for from its keys.
fn scored(mut item: Value, first: bool) -> Result<(Value, Scoring), String> {
    let mut scoring = Scoring::default();
    // In format 1 these keys are unknown, as all others are.
    if let Some(map) = item.as_mapping_mut().filter(|_| !first) {
        if let Some(guard) = map.remove("guard") {
            scoring.guard = guard.as_bool().ok_or("this check: `guard` is true or false")?;
        }
        if let Some(objective) = map.remove("objective") {
            let id = objective.as_str().ok_or("this check: `objective` is the id of an objective")?;
            scoring.objective = Some(id.to_string());
        }
    }
    Ok((item, scoring))
}

/// Reads one check.
pub(super) fn check(item: Value, first: bool) -> Result<Check, String> {
    if first && item.get("looking").is_some() {
        return Err("this check: `looking` belongs to format 2: write `format: 2`".into());
    }
    let mut check: Check =
        serde_norway::from_value(item).map_err(|error| format!("this check: {}", yaml_text(&error)))?;
    if let Some(looking) = check.looking().filter(|_| first) {
        *looking = Looking::Counted;
    }
    if first && matches!(check, Check::Kernels { .. } | Check::Loops { .. } | Check::Clock { .. }) {
        return Err("this check: its kind belongs to format 2: write `format: 2`".into());
    }
    match check.fault() {
        None => Ok(check),
        Some(fault) => Err(fault),
    }
}
