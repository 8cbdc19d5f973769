//! The card at the end of a lesson: what the learner can do now, what to remember, and how their work compares.

use leptos::prelude::*;

use super::super::browser;
use super::super::lessons::{Catalogue, Entry, Fetched};
use super::super::prose;
use super::super::reading::Place;
use crate::app::format;
use crate::app::progress::Cost;
use crate::app::route::Route;
use crate::app::texts::{spoken, t};
use crate::lesson::prose::plain;
use crate::lesson::{Lesson, Objective, Part, Step};

/// A link to the next lesson. `primary`: it is what to do now.
pub(super) fn next_link(next: Entry, primary: bool) -> AnyView {
    let title = next.title_in(spoken()).to_string();
    let address = Route::Lesson(next.id).fragment();
    view! { <a class="button" class:primary=primary href=address>{t().next_lesson(&title)}</a> }.into_any()
}

#[component]
pub(super) fn Closing(lesson: StoredValue<Lesson>, next: Memo<Option<Entry>>, go: Callback<usize>) -> impl IntoView {
    let place = expect_context::<Place>();
    let open = move || {
        let is_open = |(_, step): &(usize, &Step)| !step.optional && !place.progress.with(|p| p.is_done(&step.id));
        lesson.with_value(|l| {
            let open = l.steps.iter().enumerate().filter(is_open);
            open.map(|(at, step)| (at, plain(&step.title))).collect::<Vec<_>>()
        })
    };
    let title = move || match open().is_empty() {
        true => {
            let aim = lesson.with_value(|l| l.aim.clone()).unwrap_or_default();
            view! { {t().you_can_now}" "{prose::inlines(aim)}"." }.into_any()
        }
        false => t().almost_done.into_any(),
    };
    let missing = move || {
        let steps = open();
        let step = |(at, title): (usize, String)| {
            view! {
                <li><button type="button" class="link" on:click=move |_| go.run(at)>{title}</button></li>
            }
        };
        (!steps.is_empty())
            .then(|| view! { <p>{t().still_open}</p><ul>{steps.into_iter().map(step).collect_view()}</ul> })
    };
    let objectives = lesson.with_value(|l| {
        let item = |objective: &Objective| {
            let steps: Vec<String> = serving(l, &objective.id);
            let done = move || place.progress.with(|p| steps.iter().all(|step| p.is_done(step)));
            let done = Memo::new(move |_| done());
            let word = move || if done.get() { t().passed } else { t().not_yet };
            view! {
                <li data-state=move || if done.get() { "passed" } else { "open" }>
                    <span class="visually-hidden">{word}": "</span>
                    {prose::inlines(objective.text.clone())}
                </li>
            }
        };
        l.objectives.iter().map(item).collect_view()
    });
    let remember = lesson
        .with_value(|l| l.remember.iter().map(|line| view! { <li>{prose::inlines(line.clone())}</li> }).collect_view());
    view! {
        <section class="closing" aria-labelledby="closing-title">
            <h2 id="closing-title">{title}</h2>
            {missing}
            <ul class="objectives">{objectives}</ul>
            <h3>{t().to_remember}</h3>
            <ul class="remember prose">{remember}</ul>
            <Scores lesson/>
            <Show when=move || !browser::embedded()>
                {move || next.get().map(|next| view! { <p class="buttons">{next_link(next, true)}</p> })}
            </Show>
        </section>
    }
}

/// The steps that ask for an objective.
fn serving(lesson: &Lesson, objective: &str) -> Vec<String> {
    let asks = |of: Option<&String>| of.is_some_and(|id| id == objective);
    let serves = |step: &&Step| {
        let quiz = |part: &Part| matches!(part, Part::Quiz(quiz) if asks(quiz.objective.as_ref()));
        let checks = step.exercise.iter().flat_map(|exercise| &exercise.scoring);
        step.parts.iter().any(quiz) || checks.into_iter().any(|check| asks(check.objective.as_ref()))
    };
    lesson.steps.iter().filter(serves).map(|step| step.id.clone()).collect()
}

/// The learner's score in each exercise, beside that of the solution.
#[component]
fn Scores(lesson: StoredValue<Lesson>) -> impl IntoView {
    let place = expect_context::<Place>();
    let Catalogue(list) = expect_context();
    let (id, exercises) = lesson.with_value(|l| {
        let exercises = l.steps.iter().filter(|step| step.exercise.is_some());
        let exercises = exercises.map(|step| (step.id.clone(), plain(&step.title)));
        (l.id.clone(), exercises.collect::<Vec<_>>())
    });
    let of = id.clone();
    let known = Memo::new(move |_| {
        list.with(|list| match list {
            Fetched::Here(entries) => entries.iter().any(|entry| entry.id == of && !entry.solutions.is_empty()),
            _ => false,
        })
    });
    let solution = move |step: &str| {
        list.with(|list| match list {
            Fetched::Here(entries) => entries.iter().find(|entry| entry.id == id)?.solutions.get(step).copied(),
            _ => None,
        })
    };
    let groups = move || {
        let group = |(step, title): &(String, String)| {
            let (work, hints) = place.progress.with(|p| Some((p.work.get(step).cloned()?, p.aid(step).hints)))?;
            let mut about = vec![title.clone(), format::count(work.attempts, t().attempt_word, t().attempts_word)];
            about.extend((hints > 0).then(|| format::count(hints, t().hint_word, t().hints_word)));
            about.extend(work.solution.then(|| t().solution_opened.to_string()));
            Some(view! {
                <tbody>
                    <tr class="of"><th colspan="5" scope="rowgroup">{about.join(" · ")}</th></tr>
                    <tr>
                        <th scope="row">{t().yours}</th>
                        <td>{t().percent(&work.best)}</td>
                        {figures(work.cost, false)}
                    </tr>
                    {solution(step).map(|its| view! {
                        <tr class="solution">
                            <th scope="row">{t().the_solution}</th>
                            <td>"–"</td>
                            {figures(Some(its), false)}
                        </tr>
                    })}
                </tbody>
            })
        };
        exercises.iter().filter_map(group).collect::<Vec<_>>()
    };
    let groups = StoredValue::new_local(groups);
    // A lesson that isn't in the list comes without the solution's figures.
    let title = move || if known.get() { t().your_score_beside } else { t().your_score };
    let any = move || groups.with_value(|groups| !groups().is_empty());
    view! {
        <Show when=any>
            <h3 id="closing-scores">{title}</h3>
            <div class="scroll" tabindex="0" role="group" aria-labelledby="closing-scores">
                <table>
                    <thead>
                        <tr>
                            <td></td>
                            <th scope="col">{t().col_score}</th>
                            <th scope="col">{t().col_copies}</th>
                            <th scope="col">{t().col_waits}</th>
                            <th scope="col">{t().col_peak_memory}</th>
                        </tr>
                    </thead>
                    {move || groups.with_value(|groups| groups())}
                </table>
            </div>
        </Show>
    }
}

/// The cells of a cost.
pub(super) fn figures(cost: Option<Cost>, kernels: bool) -> AnyView {
    let number = |of: fn(&Cost) -> String| cost.as_ref().map_or("–".to_string(), of);
    view! {
        <td>{number(|c| format::thousands(c.copies))}</td>
        <td>{number(|c| format::thousands(c.waits))}</td>
        {kernels.then(|| view! { <td>{number(|c| format::thousands(c.kernels))}</td> })}
        <td>{number(|c| format::bytes(c.peak))}</td>
    }
    .into_any()
}
