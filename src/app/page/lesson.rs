//! One lesson: a step's text, its questions, its program, and the results of its checks.

use leptos::prelude::*;

use super::browser;
use super::frame;
use super::lessons::{Catalogue, Fetched, lesson};
use super::output::Output;
use super::panels::Sight;
use super::playground::{CopyLink, Playground};
use super::prose;
use super::reading::{Place, Reading};
use super::session::{Document, Session};
use super::workbench::Workbench;
use crate::app::findings::sentence;
use crate::app::keys::{self, Key};
use crate::app::progress::Progress;
use crate::app::route::Route;
use crate::app::share::Shared;
use crate::app::texts::t;
use crate::lesson::{Exercise, Lesson, Part, Question, Step};
use crate::machine::Machine;

/// Fetches the lesson with this id.
fn fetch(id: String) -> RwSignal<Fetched<Lesson>> {
    let Catalogue(list) = expect_context();
    let fetched = RwSignal::new(Fetched::<Lesson>::Waiting);
    Effect::new(move |_| {
        let entry = match list.get() {
            Fetched::Waiting => return,
            Fetched::Failed(reason) => return fetched.set(Fetched::Failed(reason)),
            Fetched::Here(entries) => entries.into_iter().find(|e| e.id == id),
        };
        let Some(entry) = entry else { return fetched.set(Fetched::Failed(t().no_lesson(&id))) };
        js_sys::futures::spawn_local(async move {
            fetched.set(match lesson(&entry).await {
                Ok(lesson) => Fetched::Here(lesson),
                Err(reason) => Fetched::Failed(reason),
            });
        });
    });
    fetched
}

fn waiting() -> AnyView {
    view! { <p class="page faint" role="status">{t().loading_lesson}</p> }.into_any()
}

/// Fetches the lesson with this id, and shows it.
#[component]
pub(crate) fn LessonPage(id: String) -> impl IntoView {
    let fetched = fetch(id);
    move || match fetched.get() {
        Fetched::Waiting => waiting(),
        Fetched::Failed(reason) => view! {
            <div class="page">
                <div class="notice bad" role="alert"><pre>{reason}</pre></div>
                <p hidden=browser::embedded()><a href=Route::Lessons.fragment()>{t().all_lessons}</a></p>
            </div>
        }
        .into_any(),
        Fetched::Here(lesson) => {
            let name = lesson.id.clone();
            admitted(lesson, name)
        }
    }
}

/// Shows a lesson whose work is stored under `name`, or the reason why the surrounding page doesn't get it.
pub(crate) fn admitted(lesson: Lesson, name: String) -> AnyView {
    match frame::admit(&lesson, &name) {
        Ok(()) => view! { <LessonView lesson name/> }.into_any(),
        Err(why) => view! { <p class="notice bad" role="alert">{why}</p> }.into_any(),
    }
}

/// Shows a program from a link, in the lesson and at the step that the link names. If that place doesn't exist, the
/// playground shows the program and says why.
#[component]
pub(crate) fn SharedLesson(packed: String, shared: Shared) -> impl IntoView {
    let fetched = fetch(shared.lesson.clone().unwrap_or_default());
    let elsewhere = {
        let packed = packed.clone();
        move |reason: String| view! { <Playground packed=packed.clone() note=t().link_elsewhere(&reason)/> }.into_any()
    };
    move || match fetched.get() {
        Fetched::Waiting => waiting(),
        Fetched::Failed(reason) => elsewhere(reason),
        Fetched::Here(lesson) => match shared.place(&lesson) {
            Some(at) => {
                let machine = shared.machine.as_deref().filter(|m| *m != lesson.machine.name);
                let brought = Brought {
                    at,
                    key: keys::link(&packed),
                    code: shared.code.clone(),
                    machine: machine.and_then(|m| Machine::preset(m).ok()),
                };
                view! { <LessonView lesson brought/> }.into_any()
            }
            None => {
                let step = shared.step.clone().unwrap_or_default();
                elsewhere(t().no_step(&lesson.title, &step))
            }
        },
    }
}

/// A program that came in a link. It's stored separately in the browser, so that the learner's own program for the step
/// isn't changed.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Brought {
    /// Index of the step that it belongs to.
    at: usize,
    key: String,
    code: String,
    /// The machine that it ran on, if that isn't the lesson's machine.
    machine: Option<Machine>,
}

#[component]
fn LessonView(
    lesson: Lesson,
    /// The name under which the learner's work is stored, if it isn't the lesson's id.
    #[prop(optional, into)]
    name: Option<String>,
    #[prop(optional)] brought: Option<Brought>,
) -> impl IntoView {
    let session = expect_context::<Session>();
    let name = name.unwrap_or_else(|| lesson.id.clone());
    let key = Key::progress(&name);
    let mut kept = Progress::parse(browser::remembered(&key));
    kept.steps = lesson.steps.len();
    kept.at = kept.at.min(lesson.steps.len().saturating_sub(1));
    let reading = expect_context::<Reading>();
    let going_on = reading.open(&format!("{name} {}", brought.as_ref().map_or("", |b| &b.key)));
    let at = match going_on {
        true => reading.at().min(lesson.steps.len().saturating_sub(1)),
        false => brought.as_ref().map_or(kept.at, |b| b.at),
    };
    let place = Place { at: RwSignal::new(at), progress: RwSignal::new(kept) };
    provide_context(place);
    Effect::new(move |_| {
        place.progress.with(|p| browser::remember(&key, &p.text()));
    });
    Effect::new(move |_| reading.go(place.at.get()));
    if !going_on {
        let machine = brought.as_ref().and_then(|b| b.machine.clone());
        session.choose_machine(machine.unwrap_or_else(|| lesson.machine.clone()));
    }
    let brought = RwSignal::new(brought.filter(|_| !reading.shows_own()));
    frame::attach(session, place, &lesson, &name);

    let last = lesson.steps.len().saturating_sub(1);
    let titles: Vec<(String, String)> =
        lesson.steps.iter().map(|s| (s.id.clone(), crate::lesson::prose::plain(&s.title))).collect();
    let lesson = StoredValue::new(lesson);
    let go = move |to: usize| {
        place.at.set(to);
        place.progress.update(|p| p.at = to);
        // For keyboard users, the focus moves to the title of the new step. Otherwise it would stay at the end of the
        // old one.
        request_animation_frame(|| browser::focus(".step-title"));
    };
    view! {
        <div class="columns">
            <div class="column work">
                <div class="intro">
                    <p class="crumbs" hidden=browser::embedded()>
                        <a href=Route::Lessons.fragment()>{t().lessons}</a>
                    </p>
                    <h1>{lesson.with_value(|l| l.title.clone())}</h1>
                </div>
                <nav class="steps" aria-label=t().steps>
                    <ol>
                        {titles
                            .into_iter()
                            .enumerate()
                            .map(|(i, (id, title))| {
                                let done = move || place.progress.with(|p| p.is_done(&id));
                                let mark = done.clone();
                                view! {
                                    <li class:done=done>
                                        <button
                                            type="button"
                                            aria-current=move || (place.at.get() == i).then_some("step")
                                            on:click=move |_| go(i)
                                        >
                                            <span class="number" aria-hidden="true">
                                                {move || if mark() { "✓".to_string() } else { (i + 1).to_string() }}
                                            </span>
                                            {title}
                                        </button>
                                    </li>
                                }
                            })
                            .collect_view()}
                    </ol>
                </nav>
                <Show when=move || place.at.get() == 0>
                    <div class="prose">{lesson.with_value(|l| prose::blocks(l.introduction.clone()))}</div>
                </Show>
                {move || {
                    let at = place.at.get();
                    let here = brought.get().filter(|b| b.at == at);
                    let own = Callback::new(move |()| {
                        reading.show_own();
                        brought.set(None);
                    });
                    lesson.with_value(|l| {
                        let step = l.steps.get(at)?.clone();
                        Some(view! { <StepView lesson=l.id.clone() name=name.clone() step brought=here own/> })
                    })
                }}
                <div class="onward">
                    <button
                        type="button"
                        class="quiet"
                        disabled=move || place.at.get() == 0
                        on:click=move |_| go(place.at.get_untracked().saturating_sub(1))
                    >
                        {t().back}
                    </button>
                    <Show
                        when=move || place.at.get() < last
                        fallback=|| view! {
                            <a hidden=browser::embedded() href=Route::Lessons.fragment()>{t().all_lessons}</a>
                        }
                    >
                        <button type="button" on:click=move |_| go((place.at.get_untracked() + 1).min(last))>
                            {t().next_step}
                        </button>
                    </Show>
                </div>
            </div>
            <div class="column sight">
                <Sight/>
            </div>
        </div>
    }
}

/// A step with the learner's own program, or with the one from a link. `own` goes back to the learner's.
#[component]
fn StepView(lesson: String, name: String, step: Step, brought: Option<Brought>, own: Callback<()>) -> impl IntoView {
    let session = expect_context::<Session>();
    let place = expect_context::<Place>();
    let reading = expect_context::<Reading>();
    let Step { id, title, parts, exercise, .. } = step;
    match &exercise {
        Some(exercise) => {
            let mine = (keys::step(&name, &id), exercise.starter.code.clone());
            let (key, starter) = brought.clone().map_or(mine, |b| (b.key, b.code));
            let checks = exercise.checks.clone();
            let held = reading.holds(&key);
            let document = Document { key, starter, checks, step: Some((lesson, id.clone())) };
            if held { session.program.reword(document) } else { session.open(document) }
        }
        // A step without a program is done once it has been opened.
        None => place.progress.update(|p| {
            p.finish(&id);
        }),
    }
    let runs = exercise.is_some();
    let parts = parts
        .into_iter()
        .enumerate()
        .map(|(number, part)| match part {
            Part::Text(blocks) => view! { <div class="prose">{prose::blocks(blocks)}</div> }.into_any(),
            Part::Predict(question) => {
                view! { <QuestionView question at=(id.clone(), number) predict=true runs/> }.into_any()
            }
            Part::Quiz(question) => {
                view! { <QuestionView question at=(id.clone(), number) predict=false runs/> }.into_any()
            }
        })
        .collect_view();
    view! {
        <h2 class="step-title" tabindex="-1">{prose::inlines(title)}</h2>
        {parts}
        {brought.map(|_| view! {
            <div class="notice plain" role="status">
                <p>{t().brought}</p>
                <button type="button" on:click=move |_| own.run(())>{t().brought_own}</button>
            </div>
        })}
        {exercise.map(|exercise| view! { <ExerciseView step=id exercise/> })}
    }
}

/// A question with its answers. If it asks for a prediction, whether the answer is right is shown only after the
/// program has run. `at` is the step's id and the number of this part in it.
#[component]
fn QuestionView(question: Question, at: (String, usize), predict: bool, runs: bool) -> impl IntoView {
    let session = expect_context::<Session>();
    let reading = expect_context::<Reading>();
    let chosen = RwSignal::new(reading.answer(&at));
    let at = StoredValue::new(at);
    let choose = move |answer: usize| {
        reading.set_answer(at.get_value(), answer);
        chosen.set(Some(answer));
    };
    let Question { question, options, because, line } = question;
    let right: Vec<bool> = options.iter().map(|o| o.correct).collect();
    let open = move || chosen.get().is_some() && (!predict || !runs || session.runner.outcome.with(Option::is_some));
    let verdict = move || {
        let good = chosen.get().and_then(|i| right.get(i).copied()).unwrap_or(false);
        match (predict, good) {
            (true, true) => t().saw_it_coming,
            (true, false) => t().came_out_otherwise,
            (false, true) => t().right,
            (false, false) => t().not_quite,
        }
    };
    let because = StoredValue::new(because);
    let choices = options
        .into_iter()
        .enumerate()
        .map(|(i, option)| {
            let correct = option.correct;
            view! {
                <label class:right=move || open() && correct class:chosen=move || chosen.get() == Some(i) class:wrong=move || open() && !correct && chosen.get() == Some(i)>
                    <input
                        type="radio"
                        name=format!("question-{line}")
                        prop:checked=move || chosen.get() == Some(i)
                        disabled=move || predict && open()
                        on:change=move |_| choose(i)
                    />
                    <span>{prose::inlines(option.text)}</span>
                </label>
            }
        })
        .collect_view();
    view! {
        <fieldset class="question">
            <legend>
                <b>{if predict { t().guess_first } else { t().question }}" "</b>
                {prose::inlines(question)}
            </legend>
            {choices}
            <div role="status">
                <Show when=move || chosen.get().is_some() && !open()>
                    <p class="faint">{t().kept_guess}</p>
                </Show>
                <Show when=open>
                    <p><b>{verdict.clone()}</b></p>
                    <div class="prose">{because.with_value(|b| prose::blocks(b.clone()))}</div>
                </Show>
            </div>
        </fieldset>
    }
}

#[component]
fn ExerciseView(step: String, exercise: Exercise) -> impl IntoView {
    let session = expect_context::<Session>();
    let place = expect_context::<Place>();
    let passed = Memo::new(move |_| {
        session.runner.outcome.with(|o| o.as_ref().is_some_and(|o| o.checks.iter().all(|c| c.passed)))
    });
    let own = step.clone();
    Effect::new(move |_| {
        if passed.get() {
            place.progress.update(|p| {
                p.finish(&own);
            });
        }
    });
    let Exercise { checks, hints, why, solution, .. } = exercise;
    let why = StoredValue::new(why);
    let labels: Vec<String> = checks.iter().map(|c| c.label().to_string()).collect();
    view! {
        <Workbench/>
        <Output/>
        <Checks labels/>
        <Show when=move || passed.get()>
            <section class="why" role="status">
                <h3>{t().why_it_works}</h3>
                <div class="prose">{why.with_value(|w| prose::blocks(w.clone()))}</div>
            </section>
        </Show>
        <Help step hints=hints.into_iter().map(|h| h.text).collect() solution=solution.code/>
        // Not in another page's frame: that frame shows one lesson, perhaps the page's own, and a link would lead to
        // this site.
        {(!browser::embedded()).then(|| view! { <div class="share"><CopyLink/></div> })}
    }
}

/// The conditions on the program and, after a run, whether they were met.
#[component]
fn Checks(labels: Vec<String>) -> impl IntoView {
    let session = expect_context::<Session>();
    let result = move |i: usize| session.runner.outcome.with(|o| o.as_ref().and_then(|o| o.checks.get(i).cloned()));
    let items = labels
        .into_iter()
        .enumerate()
        .map(|(i, label)| {
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
                    {prose::sentence(&label)}
                    <Show when=move || detail().is_some()><small>{move || detail().map(|d| prose::sentence(&d))}</small></Show>
                </li>
            }
        })
        .collect_view();
    view! {
        <section class="checks" aria-labelledby="checks-title">
            <h3 id="checks-title">{t().what_is_checked}</h3>
            <ul aria-live="polite">{items}</ul>
        </section>
    }
}

/// The hints, one after the other, then the solution.
#[component]
fn Help(step: String, hints: Vec<Vec<crate::lesson::prose::Block>>, solution: String) -> impl IntoView {
    let session = expect_context::<Session>();
    let reading = expect_context::<Reading>();
    let place = expect_context::<Place>();
    let count = hints.len();
    let shown = RwSignal::new(reading.hints(&step).min(count));
    let hints = StoredValue::new(hints);
    let code = solution.clone();
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
                        reading.set_hints(&step, shown.get_untracked());
                        place.progress.update(|p| p.ask(&step, shown.get_untracked()));
                    }
                >
                    {move || t().show_hint(&(shown.get() + 1).min(count), &count)}
                </button>
            </div>
            <details>
                <summary>{t().show_solution}</summary>
                <pre class="sample" tabindex="0"><code>{solution}</code></pre>
                <button type="button" on:click=move |_| session.program.edit(code.clone())>{t().into_editor}</button>
            </details>
        </section>
    }
}
