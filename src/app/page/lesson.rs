//! One lesson: its steps, where the learner is, and what comes after it.

mod budget;
mod closing;
mod exercise;
mod find;
mod look;
mod question;

use leptos::prelude::*;

use self::budget::spent;
use self::closing::{Closing, next_link};
use self::exercise::{ExerciseView, passed};
use self::look::LookView;
use self::question::{Answer, QuestionView};
use super::browser;
use super::diagram::Files;
use super::frame;
use super::lessons::{Catalogue, Entry, Fetched, course_of, files, lesson, track_words};
use super::panels::Sight;
use super::playground::Playground;
use super::prose;
use super::reading::{Place, Reading};
use super::session::{Document, Session};
use super::tracks::{self, crumbs};
use crate::app::course;
use crate::app::keys::{self, Key};
use crate::app::progress::{Cost, Progress, Trouble};
use crate::app::route::Route;
use crate::app::share::Shared;
use crate::app::texts::t;
use crate::lesson::score::score;
use crate::lesson::{Lesson, Part, Step, Track};
use crate::machine::Machine;
use crate::protocol::Outcome;

/// Fetches the lesson with this id.
fn fetch(id: String) -> RwSignal<Fetched<Lesson>> {
    let Catalogue(list) = expect_context();
    let fetched = RwSignal::new(Fetched::<Lesson>::Waiting);
    let attached = expect_context::<Session>().program.attached;
    Effect::new(move |_| {
        let entry = match list.get() {
            Fetched::Waiting => return,
            Fetched::Failed(reason) => return fetched.set(Fetched::Failed(reason)),
            Fetched::Here(entries) => entries.into_iter().find(|e| e.id == id),
        };
        let Some(entry) = entry else { return fetched.set(Fetched::Failed(t().no_lesson(&id))) };
        js_sys::futures::spawn_local(async move {
            let read = async {
                let lesson = lesson(&entry).await?;
                // The first run may open the lesson's files, so they are fetched before the lesson shows.
                attached.set(files(&lesson).await?);
                Ok(lesson)
            };
            fetched.set(match read.await {
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
    let ids = |optional: bool| lesson.steps.iter().filter(move |s| s.optional == optional).map(|s| s.id.as_str());
    kept.fit(&ids(false).collect::<Vec<_>>(), &ids(true).collect::<Vec<_>>());
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

    provide_context(Files(StoredValue::new(lesson.files.clone())));
    let last = lesson.steps.len().saturating_sub(1);
    // Optional steps may follow the last one that counts; the lesson is complete without them.
    let last_counting = lesson.steps.iter().rposition(|step| !step.optional).unwrap_or(last);
    let next = next_lesson(&lesson.id);
    let track = lesson.track;
    browser::entitle(&lesson.title);
    let lesson = StoredValue::new(lesson);
    // A step without a program or a question is done when the learner goes on to the next one.
    let is_text = move |at: usize| {
        let text = |s: &Step| s.program().is_none() && s.parts.iter().all(|part| matches!(part, Part::Text(_)));
        lesson.with_value(|l| l.steps.get(at).is_some_and(text))
    };
    let leave = move |at: usize| {
        if is_text(at) {
            lesson.with_value(|l| finish(place, &l.steps[at]));
        }
    };
    let go = move |to: usize| {
        place.at.set(to);
        place.progress.update(|p| p.at = to);
        // For keyboard users, the focus moves to the title of the new step. Otherwise it would stay at the end of the
        // old one.
        request_animation_frame(|| browser::focus(".step-title"));
    };
    let closes = move || {
        let at = place.at.get();
        let ready = place
            .progress
            .with(|p| p.is_complete() || lesson.with_value(|l| l.steps.get(at).is_some_and(|s| p.is_done(&s.id))));
        at >= last_counting && ready && lesson.with_value(|l| !l.remember.is_empty())
    };
    let closes = Memo::new(move |_| closes());
    view! {
        <div class="columns">
            <div class="column work">
                <div class="intro">
                    <p class="crumbs" hidden=browser::embedded()>
                        {lesson.with_value(|l| match l.track {
                            Some(track) => crumbs(track, l.level),
                            None => view! { <a href=Route::Lessons.fragment()>{t().lessons}</a> }.into_any(),
                        })}
                    </p>
                    <h1>{lesson.with_value(|l| l.title.clone())}</h1>
                    {lesson.with_value(|l| l.aim.clone()).map(|aim| view! {
                        <p class="aim">
                            {t().after_this_you}" "{prose::inlines(aim)}". "
                            <span class="faint">{t().minutes(&lesson.with_value(|l| l.minutes))}</span>
                        </p>
                    })}
                </div>
                {track.is_none().then(|| view! {
                    <nav class="steps" aria-label=t().steps>
                        <ol>{lesson.with_value(|l| l.steps.iter().enumerate().map(|(i, step)| tab(place, i, step, go)).collect_view())}</ol>
                    </nav>
                })}
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
                        let (lesson, format, track) = (l.id.clone(), l.format, l.track);
                        Some(view! { <StepView lesson name=name.clone() format track step brought=here own/> })
                    })
                }}
                <Show when=move || closes.get()>
                    <Closing lesson next go=Callback::new(go)/>
                </Show>
                <div class="onward">
                    <button
                        type="button"
                        class="quiet"
                        hidden=track.is_some()
                        disabled=move || place.at.get() == 0
                        on:click=move |_| go(place.at.get_untracked().saturating_sub(1))
                    >
                        {t().back}
                    </button>
                    <Show
                        when=move || place.at.get() < last
                        fallback=move || view! {
                            <Show when=move || is_text(last) && !place.progress.with(Progress::is_complete)>
                                <button type="button" on:click=move |_| leave(last)>{t().finish_lesson}</button>
                            </Show>
                            <Show when=move || !browser::embedded()>
                                {match track {
                                    Some(track) => view! { <a href=Route::Track(track).fragment()>{track_words(track).0}</a> }.into_any(),
                                    None => view! { <a href=Route::Lessons.fragment()>{t().all_lessons}</a> }.into_any(),
                                }}
                                // The closing card links to the next lesson as well, so this link is for when there is no such card.
                                <Show when=move || !closes.get()>
                                    {move || {
                                        let primary = track.is_some() && place.progress.with(Progress::is_complete);
                                        next.get().map(|next| next_link(next, primary))
                                    }}
                                </Show>
                            </Show>
                        }
                    >
                        <button
                            type="button"
                            on:click=move |_| {
                                let at = place.at.get_untracked();
                                leave(at);
                                go((at + 1).min(last));
                            }
                        >
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

/// A step in the list of steps.
fn tab(place: Place, number: usize, step: &Step, go: impl Fn(usize) + Copy + 'static) -> AnyView {
    let id = step.id.clone();
    let done = Memo::new(move |_| place.progress.with(|p| p.is_done(&id)));
    let optional = step.optional.then(|| view! { <small>{t().optional}</small> });
    view! {
        <li class:done=move || done.get() class:optional=step.optional>
            <button
                type="button"
                aria-current=move || (place.at.get() == number).then_some("step")
                on:click=move |_| go(number)
            >
                <span class="number" aria-hidden="true">
                    {move || if done.get() { "✓".to_string() } else { (number + 1).to_string() }}
                </span>
                <span class="visually-hidden">{move || done.get().then(|| format!("{}: ", t().done))}</span>
                {crate::lesson::prose::plain(&step.title)}
                {optional}
            </button>
        </li>
    }
    .into_any()
}

/// The entry after that of a lesson.
fn after<'a>(mut order: impl Iterator<Item = &'a Entry>, id: &str) -> Option<Entry> {
    order.find(|entry| entry.id == id)?;
    order.next().cloned()
}

/// The lesson that comes after this one in the course, or in its track.
fn next_lesson(id: &str) -> Memo<Option<Entry>> {
    let Catalogue(list) = expect_context();
    let id = id.to_string();
    Memo::new(move |_| {
        list.with(|list| match list {
            Fetched::Here(entries) => match entries.iter().find(|entry| entry.id == id)?.track {
                Some(track) => after(tracks::of(entries, track).iter(), &id),
                None => {
                    let entries = course_of(entries);
                    let parts = course::groups(entries.iter().map(|entry| entry.part.as_deref()));
                    after(parts.iter().flat_map(|part| &part.lessons).filter_map(|&at| entries.get(at)), &id)
                }
            },
            _ => None,
        })
    })
}

/// What went wrong in a run. An untouched starter is meant to fail, so nothing is noted for it.
fn trouble(session: Session, outcome: &Outcome) -> Trouble {
    let untouched =
        session.program.document.with_untracked(|d| session.program.code.with_untracked(|c| *c == d.starter));
    if untouched {
        return Trouble::default();
    }
    let failed = outcome.checks.iter().enumerate().filter(|(_, check)| !check.passed).map(|(at, _)| at).collect();
    let raised = outcome.error.iter().filter_map(|error| error.card.as_ref());
    Trouble { failed, rules: raised.chain(&outcome.silent).map(|card| card.rule.clone()).collect() }
}

/// Notes that a step is done.
fn finish(place: Place, step: &Step) {
    let Step { id, optional, .. } = step;
    if place.progress.with_untracked(|p| p.is_done(id)) {
        return;
    }
    place.progress.update(|p| match optional {
        true => p.finish_optional(id),
        false => {
            p.finish(id);
        }
    });
}

/// A step with the learner's own program, or with the one from a link. `own` goes back to the learner's.
#[component]
fn StepView(
    lesson: String,
    name: String,
    format: u32,
    track: Option<Track>,
    step: Step,
    brought: Option<Brought>,
    own: Callback<()>,
) -> impl IntoView {
    let session = expect_context::<Session>();
    let reading = expect_context::<Reading>();
    let whole = step.clone();
    let Step { id, title, parts, mut exercise, look, optional, .. } = step;
    // "Find the line" asks about a line of the lesson's own program. A program that came in a link may have other
    // lines.
    if let (Some(exercise), Some(_)) = (&mut exercise, &brought) {
        exercise.find = None;
    }
    // Lessons of format 1 don't say which checks are guards, and count them all.
    let scored = format >= 2;
    let scoring = exercise.as_ref().filter(|_| scored).map(|e| e.scoring.clone()).unwrap_or_default();
    if let Some(program) = whole.program() {
        let mine = (keys::step(&name, &id), program.code.clone());
        let (key, starter) = brought.clone().map_or(mine, |b| (b.key, b.code));
        let checks = exercise.as_ref().map(|e| e.checks.clone()).unwrap_or_default();
        let held = reading.holds(&key);
        let document =
            Document { key, starter, checks, scoring: scoring.clone(), step: Some((lesson.clone(), id.clone())) };
        if held { session.program.reword(document) } else { session.open(document) }
    }
    let answers = Answer::all(&id, &parts);
    let asked: Vec<Answer> = answers.iter().flatten().copied().collect();
    let puzzle = track == Some(Track::Puzzles);
    note_work(whole, asked.clone(), scored, scoring, puzzle);

    let runs = exercise.is_some() || look.is_some();
    let parts = parts
        .into_iter()
        .zip(answers)
        .enumerate()
        .map(|(number, (part, answer))| match (part, answer) {
            (Part::Predict(question) | Part::Quiz(question), Some(answer)) => {
                view! { <QuestionView question at=(id.clone(), number) answer runs/> }.into_any()
            }
            (Part::Text(blocks), _) => view! { <div class="prose">{prose::blocks(blocks)}</div> }.into_any(),
            _ => ().into_any(),
        })
        .collect_view();
    view! {
        <h2 class="step-title" tabindex="-1">
            {prose::inlines(title)}
            {optional.then(|| view! { <small>{t().optional}</small> })}
        </h2>
        {parts}
        {brought.map(|_| view! {
            <div class="notice plain" role="status">
                <p>{t().brought}</p>
                <button type="button" on:click=move |_| own.run(())>{t().brought_own}</button>
            </div>
        })}
        {look.map(|look| view! { <LookView look/> })}
        {exercise.map(|exercise| view! { <ExerciseView lesson step=id exercise answers=asked scored puzzle/> })}
    }
}

/// Notes each run of an exercise with its score, and that the step is done: its checks pass, its program ran, its quizzes are
/// answered correctly. A step of format 1 with a program doesn't need its quizzes.
fn note_work(step: Step, asked: Vec<Answer>, scored: bool, scoring: Vec<crate::lesson::Scoring>, puzzle: bool) {
    let session = expect_context::<Session>();
    let place = expect_context::<Place>();
    let reading = expect_context::<Reading>();
    let quizzes: Vec<Answer> = asked.into_iter().filter(|answer| !answer.predict).collect();
    let (exercise, look) = (step.exercise.is_some(), step.look.is_some());
    let ran = Memo::new(move |_| session.runner.outcome.with(Option::is_some));
    let passed = passed(session);
    Effect::new(move |_| {
        session.runner.outcome.with(|outcome| {
            let Some(outcome) = outcome.as_ref().filter(|_| exercise) else { return };
            if !reading.counts(session.runner.number()) {
                return;
            }
            let score_of = &outcome.score;
            let (copies, waits, peak) = (score_of.copies, score_of.synchronisations, score_of.peak_bytes);
            let cost = Cost { copies, waits, kernels: 0, peak };
            place.progress.update(|p| {
                let points = score(&outcome.checks, &scoring, p.aid(&step.id));
                p.attempt(&step.id, points, passed.get_untracked().then_some(cost));
                p.trouble(&step.id, &trouble(session, outcome), browser::seconds());
                if puzzle && passed.get_untracked() {
                    p.spend(&step.id, spent(outcome));
                }
            });
        });
        let right = quizzes.iter().all(|answer| answer.is_right());
        let done = match (exercise, look) {
            (true, _) => passed.get() && (right || !scored),
            (_, true) => ran.get() && right,
            _ => !quizzes.is_empty() && right,
        };
        if done {
            finish(place, &step);
        }
    });
}
