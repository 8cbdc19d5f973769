//! The first screen: what this site is, with a live yard. Below it are the lessons, and links to everything else.

use std::cell::Cell;

use leptos::prelude::*;

use super::browser;
use super::devices::Devices;
use super::lessons::{Beside, Catalogue, Lessons, Onward, onward};
use super::playground::{example_document, show_recording};
use super::session::{Document, Session, Status};
use crate::app::examples::EXAMPLES;
use crate::app::route::Route;
use crate::app::texts::{spoken, t};
use crate::machine::Machine;

thread_local! {
    /// Whether the recorded run has played by itself.
    static PLAYED: Cell<bool> = const { Cell::new(false) };
}

#[component]
pub(crate) fn Home() -> impl IntoView {
    let session = expect_context::<Session>();
    let first = Document { key: "home".into(), ..example_document(EXAMPLES[0]) };
    let fresh = session.program.document.with_untracked(|d| *d == first)
        && session.playback.picture.with_untracked(|p| p.events > 0);
    if !fresh {
        if let Ok(machine) = Machine::preset("cuda:1") {
            session.choose_machine(machine);
        }
        session.open_unkept(first);
        show_recording(session);
        // Once, when the page is first seen. After that it plays only if someone asks for it.
        if !PLAYED.replace(true) {
            session.playback.play_slowly();
        }
    }
    let moving = move || session.playback.playing.get() && session.playback.picture.with(|p| p.head < p.events);
    let running =
        move || matches!(session.runner.status.get(), Status::Running { .. } | Status::Booting { pending: true });
    let broken = move || matches!(session.runner.status.get(), Status::Broken { .. });
    let line = move || session.playback.focus.get().map_or(0, |mark| mark.line as usize);
    let code = session.program.code.get_untracked();
    let listing = code
        .lines()
        .enumerate()
        .map(|(i, text)| {
            let text = text.to_string();
            view! { <span class="code-line" class:now=move || line() == i + 1>{text}"\n"</span> }
        })
        .collect_view();
    let Catalogue(list) = expect_context();
    // For newcomers the first lesson, then the one that comes next.
    let begin = move || {
        let (to, words) = match list.with(onward) {
            Some(Onward::Start(entry)) => {
                let words = t().start_with(&entry.title_in(spoken()));
                (Route::Lesson(entry.id), words)
            }
            Some(Onward::Continue(entry)) => {
                let words = t().go_on_with(&entry.title_in(spoken()));
                (Route::Lesson(entry.id), words)
            }
            Some(Onward::Finished) | None => (Route::Lessons, t().start_lessons.to_string()),
        };
        view! { <a class="button primary" href=to.fragment()>{words}</a> }
    };
    // Where motion is unwelcome, there is nothing to play.
    let replay = (!browser::prefers_reduced_motion()).then(|| {
        view! {
            <button
                class="quiet"
                type="button"
                disabled=running
                on:click=move |_| if moving() { session.playback.pause() } else { session.playback.play_slowly() }
            >
                {move || if moving() { t().pause } else { t().recording_again }}
            </button>
        }
    });
    view! {
        <div class="hero">
            <div class="hero-text">
                <h1>{t().headline}</h1>
                <p class="lead">{t().lead}</p>
                <p class="actions">
                    {begin}
                    <a class="button" href=Route::Playground.fragment()>{t().open_playground}</a>
                </p>
                <div class="hero-code">
                    <pre class="listing" tabindex="0" aria-label=t().python_program><code>{listing}</code></pre>
                    <div class="hero-buttons">
                        {replay}
                        <button
                            class="primary run"
                            type="button"
                            disabled=move || running() || broken()
                            on:click=move |_| session.run()
                        >
                            <svg viewBox="0 0 16 16" aria-hidden="true"><path d="M4 2.5v11l9-5.5z"/></svg>
                            {move || if running() { t().running } else { t().run_here }}
                        </button>
                    </div>
                </div>
            </div>
            <div class="hero-sight">
                <Devices/>
            </div>
        </div>
        <div class="page wide">
            <section class="home-lessons" aria-labelledby="home-lessons">
                <h2 id="home-lessons">{t().lessons}</h2>
                <Beside/>
                <Lessons below=true/>
            </section>
            <section class="promises" aria-labelledby="promises">
                <h2 id="promises">{t().promises}</h2>
                <ul>
                    <li><h3>{t().promise_exact}</h3><p>{t().promise_exact_text}</p></li>
                    <li><h3>{t().promise_seen}</h3><p>{t().promise_seen_text}</p></li>
                    <li><h3>{t().promise_yours}</h3><p>{t().promise_yours_text}</p></li>
                    <li>
                        <h3>{t().promise_teach}</h3>
                        <p>
                            {t().promise_teach_text}" "
                            <a href=Route::Instructors.fragment()>{t().for_instructors}</a>
                        </p>
                    </li>
                </ul>
            </section>
        </div>
    }
}

/// What this site is, what it isn't, and where its numbers come from.
#[component]
pub(crate) fn About() -> impl IntoView {
    view! {
        <div class="page">
            <div class="intro"><h1>{t().about}</h1></div>
            <div class="prose">
                <p>{t().about_what}</p>
                <h2>{t().about_real}</h2>
                <p>{t().about_real_text}</p>
                <h2>{t().about_simulated}</h2>
                <p>{t().about_simulated_text}</p>
                <h2>{t().about_private}</h2>
                <p>{t().about_private_text}</p>
                <h2>{t().about_runs}</h2>
                <p>{t().about_runs_text}</p>
            </div>
        </div>
    }
}
