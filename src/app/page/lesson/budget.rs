//! What a puzzle allows, beside what the learner's runs and the solution cost.

use leptos::prelude::*;

use super::super::lessons::{Catalogue, Fetched};
use super::super::reading::Place;
use super::super::session::Session;
use super::closing::figures;
use crate::app::format;
use crate::app::progress::Cost;
use crate::app::texts::t;
use crate::lesson::{Check, Direction};
use crate::protocol::Outcome;

/// What a run cost without looking.
pub(super) fn spent(outcome: &Outcome) -> Cost {
    let score = &outcome.unlooked;
    Cost { copies: score.copies, waits: score.synchronisations, kernels: score.launches, peak: score.peak_bytes }
}

#[component]
pub(super) fn Budget(lesson: String, step: String, checks: Vec<Check>) -> impl IntoView {
    let session = expect_context::<Session>();
    let place = expect_context::<Place>();
    let Catalogue(list) = expect_context();
    let allowed = allowed(&checks).map(|bounds| match bounds.is_empty() {
        true => view! { <td>"–"</td> }.into_any(),
        false => view! { <td>{bounds.join(", ")}</td> }.into_any(),
    });
    let id = step.clone();
    let solution = move || {
        list.with(|list| match list {
            Fetched::Here(entries) => entries.iter().find(|entry| entry.id == lesson)?.solutions.get(&id).copied(),
            _ => None,
        })
    };
    let last = move || session.runner.outcome.with(|outcome| outcome.as_ref().map(spent));
    let best = move || place.progress.with(|p| p.work.get(&step)?.least);
    let row = |class: &'static str, name: &'static str, cost: Option<Cost>| {
        view! { <tr class=class><th scope="row">{name}</th>{figures(cost, true)}</tr> }
    };
    view! {
        <section class="budget" aria-labelledby="budget-title">
            <h3 id="budget-title">{t().budget}</h3>
            <div class="scroll" tabindex="0" role="group" aria-labelledby="budget-title">
                <table>
                    <thead>
                        <tr>
                            <td></td>
                            <th scope="col">{t().col_copies}</th>
                            <th scope="col">{t().col_waits}</th>
                            <th scope="col">{t().col_kernels}</th>
                            <th scope="col">{t().col_peak_memory}</th>
                        </tr>
                    </thead>
                    <tbody>
                        <tr class="allowed"><th scope="row">{t().budget}</th>{allowed.into_iter().collect_view()}</tr>
                        {move || row("last", t().last_run, last())}
                        {move || row("best", t().best_run, best())}
                        {move || row("solution", t().the_solution, solution())}
                    </tbody>
                </table>
            </div>
            <p class="faint">{t().budget_note}</p>
        </section>
    }
}

/// The upper bounds of a puzzle's checks, by column.
fn allowed(checks: &[Check]) -> [Vec<String>; 4] {
    let mut out: [Vec<String>; 4] = Default::default();
    for check in checks {
        let (column, bound) = match check {
            Check::Transfers { direction, max: Some(max), .. } => {
                let way = match direction {
                    None => "",
                    Some(Direction::HostToDevice) => " →",
                    Some(Direction::DeviceToHost) => " ←",
                    Some(Direction::DeviceToDevice) => " ↔",
                };
                (0, format!("{}{way}", format::thousands(*max)))
            }
            Check::Synchronisations { max: Some(max), .. } => (1, format::thousands(*max)),
            Check::Kernels { max: Some(max), .. } => (2, format::thousands(*max)),
            Check::PeakBytes { max: Some(max), .. } => (3, format::bytes(*max)),
            _ => continue,
        };
        out[column].push(format!("≤ {bound}"));
    }
    out
}
