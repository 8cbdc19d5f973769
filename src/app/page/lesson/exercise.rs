//! A step's exercise: its checks, its score, and the help.

use leptos::prelude::*;

use super::super::browser;
use super::super::output::Output;
use super::super::playground::CopyLink;
use super::super::prose;
use super::super::reading::{Place, Reading};
use super::super::session::Session;
use super::super::workbench::Workbench;
use super::budget::Budget;
use super::find::{FindView, searching};
use super::look::Pointing;
use super::question::Answer;
use crate::app::findings::sentence;
use crate::app::format;
use crate::app::progress::Work;
use crate::app::texts::t;
use crate::lesson::prose::Block;
use crate::lesson::score::score;
use crate::lesson::{Exercise, Scoring};

/// Whether all checks of the latest run passed.
pub(super) fn passed(session: Session) -> Memo<bool> {
    Memo::new(move |_| session.runner.outcome.with(|o| o.as_ref().is_some_and(|o| o.checks.iter().all(|c| c.passed))))
}

/// `scored`: the page shows a score, and the labels of the checks only once they can't give an answer away.
#[component]
pub(super) fn ExerciseView(
    lesson: String,
    step: String,
    exercise: Exercise,
    answers: Vec<Answer>,
    scored: bool,
    /// Whether it's a puzzle, whose budget is shown.
    puzzle: bool,
) -> impl IntoView {
    let session = expect_context::<Session>();
    let passed = passed(session);
    let Exercise { find, starter, checks, hints, why, solution, sight, scoring, .. } = exercise;
    let searching = searching(&step, find.is_some());
    let why = StoredValue::new(why);
    let labels: Vec<String> = checks.iter().map(|c| c.label().to_string()).collect();
    // Once they have been shown, they stay, even if the run is cleared.
    let revealed = RwSignal::new(!scored);
    Effect::new(move |_| {
        let guessed = answers.iter().filter(|answer| answer.predict).all(|answer| answer.is_given());
        if guessed && !searching.get() || session.runner.outcome.with(Option::is_some) {
            revealed.set(true);
        }
    });
    let points = scored.then(|| view! { <Points step=step.clone() scoring/> });
    let budget = puzzle.then(|| view! { <Budget lesson step=step.clone() checks/> });
    view! {
        {find.map(|find| view! { <FindView step=step.clone() find code=starter.code searching/> })}
        <Show when=move || !searching.get()>
            <Workbench/>
        </Show>
        <Output next=view! { <Pointing sight/> }.into_any()/>
        {budget}
        <Checks labels revealed points=points.into_any()/>
        <Show when=move || passed.get()>
            <section class="why" role="status">
                <h3>{t().why_it_works}</h3>
                <div class="prose">{why.with_value(|w| prose::blocks(w.clone()))}</div>
            </section>
        </Show>
        <Help step hints=hints.into_iter().map(|h| h.text).collect() solution=solution.code scored/>
        // Not in another page's frame: that frame shows one lesson, perhaps the page's own, and a link would lead to
        // this site.
        {(!browser::embedded()).then(|| view! { <div class="share"><CopyLink/></div> })}
    }
}

/// The conditions on the program and, after a run, whether they were met.
#[component]
fn Checks(labels: Vec<String>, revealed: RwSignal<bool>, points: AnyView) -> impl IntoView {
    let session = expect_context::<Session>();
    let result = move |i: usize| session.runner.outcome.with(|o| o.as_ref().and_then(|o| o.checks.get(i).cloned()));
    let labels = StoredValue::new(labels);
    let item = move |(i, label): (usize, &String)| {
        let state = move || match result(i) {
            None => "open",
            Some(result) if result.passed => "passed",
            Some(_) => "failed",
        };
        let word = move || match state() {
            "passed" => t().passed,
            "failed" => t().not_yet,
            _ => t().to_do,
        };
        let detail = move || result(i).and_then(|r| r.finding).map(|found| sentence(t(), &found));
        view! {
            <li data-state=state>
                <span class="visually-hidden">{word}": "</span>
                {prose::sentence(label)}
                <Show when=move || detail().is_some()><small>{move || detail().map(|d| prose::sentence(&d))}</small></Show>
            </li>
        }
    };
    view! {
        <section class="checks" aria-labelledby="checks-title">
            <h3 id="checks-title">{t().what_is_checked}</h3>
            <Show when=move || revealed.get() fallback=|| view! { <p class="faint">{t().checks_after_guess}</p> }>
                <ul aria-live="polite">{labels.with_value(|all| all.iter().enumerate().map(item).collect_view())}</ul>
            </Show>
            {points}
        </section>
    }
}

/// The score of the latest run, and the best one so far.
#[component]
fn Points(step: String, scoring: Vec<Scoring>) -> impl IntoView {
    let session = expect_context::<Session>();
    let place = expect_context::<Place>();
    let step = StoredValue::new(step);
    // The score of a run stays what it was, even if the learner asks for a hint after it.
    let now = RwSignal::new(None::<usize>);
    Effect::new(move |_| {
        let aid = place.progress.with_untracked(|p| step.with_value(|step| p.aid(step)));
        now.set(session.runner.outcome.with(|o| o.as_ref().map(|o| score(&o.checks, &scoring, aid))));
    });
    let words = move || {
        let now = now.get()?;
        let work = place.progress.with(|p| step.with_value(|step| p.work.get(step).cloned()));
        let Work { best, attempts, .. } = work.unwrap_or_default();
        let aid = place.progress.with(|p| step.with_value(|step| p.aid(step)));
        let hints = aid.hints;
        let mut parts = vec![t().points(&now)];
        parts.extend((best > now).then(|| t().points_best(&best)));
        parts.push(format::count(attempts, t().attempt_word, t().attempts_word));
        parts.extend((hints > 0).then(|| format::count(hints, t().hint_word, t().hints_word)));
        parts.extend((aid.wrong > 0).then(|| format::count(aid.wrong, t().wrong_line_word, t().wrong_lines_word)));
        parts.extend(aid.shown.then(|| t().line_shown.to_string()));
        Some(parts.join(" · "))
    };
    view! { <p class="points" role="status">{words}</p> }
}

/// The hints, one after the other, then the solution.
#[component]
fn Help(step: String, hints: Vec<Vec<Block>>, solution: String, scored: bool) -> impl IntoView {
    let session = expect_context::<Session>();
    let reading = expect_context::<Reading>();
    let place = expect_context::<Place>();
    let count = hints.len();
    let shown = RwSignal::new(reading.hints(&step).min(count));
    let hints = StoredValue::new(hints);
    let code = solution.clone();
    let step = StoredValue::new(step);
    let done = move || place.progress.with(|p| step.with_value(|step| p.is_done(step)));
    view! {
        <section class="help" aria-label=t().help>
            <ol>
                {move || (0..shown.get())
                    .map(|i| hints.with_value(|h| view! { <li class="prose">{h.get(i).cloned().map(prose::blocks)}</li> }))
                    .collect_view()}
            </ol>
            <div class="buttons">
                <button
                    type="button"
                    class="quiet"
                    disabled=move || shown.get() == count
                    on:click=move |_| {
                        shown.update(|n| *n = (*n + 1).min(count));
                        step.with_value(|step| {
                            reading.set_hints(step, shown.get_untracked());
                            // What a hint tells after the checks have passed takes nothing.
                            if !scored || !place.progress.with_untracked(|p| p.is_done(step)) {
                                place.progress.update(|p| p.ask(step, shown.get_untracked()));
                            }
                        });
                    }
                >
                    {move || t().show_hint(&(shown.get() + 1).min(count), &count)}
                </button>
            </div>
            <Show when=move || scored && !done()>
                <p class="faint">{t().help_takes}</p>
            </Show>
            <details on:toggle=move |_| {
                if scored && !place.progress.with_untracked(|p| step.with_value(|step| p.is_done(step))) {
                    place.progress.update(|p| step.with_value(|step| p.open_solution(step)));
                }
            }>
                <summary>{t().show_solution}</summary>
                <pre class="sample" tabindex="0"><code>{solution}</code></pre>
                <button type="button" on:click=move |_| session.program.edit(code.clone())>{t().into_editor}</button>
            </details>
        </section>
    }
}
