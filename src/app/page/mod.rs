//! The part of the page that needs a browser.

// Leptos makes public what belongs to a component.
#![expect(unreachable_pub)]

pub mod browser;
pub mod session;

mod anatomy;
mod autograd;
pub mod card;
mod class;
pub mod devices;
mod diagram;
mod embed;
mod figures;
mod frame;
mod glossary;
mod home;
mod inside;
mod instructors;
mod lanes;
mod languages;
mod lesson;
mod lessons;
mod notebook;
mod output;
mod panels;
mod parts;
mod playground;
pub mod prose;
mod reading;
mod strip;
mod tracks;
mod workbench;
mod worker;

use leptos::ev;
use leptos::html;
use leptos::prelude::*;

use self::anatomy::{Anatomy, Settings};
use self::class::{ClassPage, Room};
use self::glossary::{Glossary, GlossaryPage};
use self::home::{About, Home};
use self::instructors::Instructors;
use self::lesson::{LessonPage, SharedLesson};
use self::lessons::{Catalogue, ContinueLink, LessonList, track_words};
use self::parts::executor_sentence;
use self::playground::{Playground, remembered_machine};
use self::reading::Reading;
use self::session::{Document, Session, Status};
use self::tracks::TrackPage;
use super::keys::Key;
use super::route::Route;
use super::share;
use super::texts::{self, Language, t};
use crate::lesson::Track;
use crate::protocol::Capabilities;

/// Puts the page into the document's `<main>`-less body.
pub fn mount() {
    // After a panic nothing on the page works, so the page must not look as if it did.
    std::panic::set_hook(Box::new(|info| browser::last_words(t().page_mistake, &info.to_string())));
    match browser::embedded() {
        true => leptos::mount::mount_to_body(embed::EmbedApp),
        false => leptos::mount::mount_to_body(App),
    }
}

#[component]
fn App() -> impl IntoView {
    let session = Session::new(Document::default(), remembered_machine());
    provide_context(session);
    provide_context(Catalogue::fetch());
    provide_context(Glossary::new());
    provide_context(Room::new());
    let reading = Reading::default();
    provide_context(reading);
    provide_context(Settings::default());

    let language = RwSignal::new(first_language());
    languages::ask_again(language, || Some(first_language()));
    let main = NodeRef::<html::Main>::new();
    let route = RwSignal::new(Route::parse(&location_hash().unwrap_or_default()));
    let listener = window_event_listener(ev::hashchange, move |_| {
        reading.close();
        // A link in the old view is gone with that view. The focus goes to the new one, so that Tab and screen readers go
        // on there.
        let in_bar = document().active_element().and_then(|e| e.closest(".bar, .foot-bar").ok().flatten());
        route.set(Route::parse(&location_hash().unwrap_or_default()));
        if let (None, Some(main)) = (in_bar, main.get_untracked()) {
            let _ = main.focus();
        }
        window().scroll_to_with_x_and_y(0.0, 0.0);
    });
    on_cleanup(move || listener.remove());
    // Where the learner goes on in the course; the tracks' lessons have their own lists.
    let of_track = |id: &str| Track::ALL.into_iter().any(|track| id.starts_with(track.prefix()));
    Effect::new(move |_| {
        if let Route::Lesson(id) = route.get()
            && !of_track(&id)
        {
            browser::remember(&Key::LAST, &id);
        }
    });

    // A change of language rebuilds the views. The session lives outside them, so the program, its run, and the learner's
    // place in a lesson stay.
    move || {
        let now = language.get();
        texts::speak(now);
        if let Some(root) = document().document_element() {
            let _ = root.set_attribute("lang", now.code());
        }
        view! {
            <a
                class="skip"
                href="#main"
                on:click=move |event| {
                    // The fragment of the address names the view, so a link to another fragment wouldn't scroll: it
                    // moves the focus itself.
                    event.prevent_default();
                    if let Some(main) = main.get_untracked() {
                        let _ = main.focus();
                    }
                }
            >
                {t().skip}
            </a>
            <Header route language/>
            <main id="main" tabindex="-1" node_ref=main>
                {move || match named(route.get()) {
                    Route::Home => view! { <Home/> }.into_any(),
                    Route::Playground => view! { <Playground/> }.into_any(),
                    Route::Shared(packed) => match share::unpack(&packed) {
                        Ok(shared) if shared.lesson.is_some() => view! { <SharedLesson packed shared/> }.into_any(),
                        _ => view! { <Playground packed/> }.into_any(),
                    },
                    Route::Lessons => view! { <LessonList/> }.into_any(),
                    Route::Glossary => view! { <GlossaryPage/> }.into_any(),
                    Route::Progress(packed) => view! { <LessonList packed/> }.into_any(),
                    Route::Lesson(id) => view! { <LessonPage id/> }.into_any(),
                    Route::Anatomy(exhibit) => view! { <Anatomy exhibit/> }.into_any(),
                    Route::Track(track) => view! { <TrackPage track/> }.into_any(),
                    Route::Instructors => view! { <Instructors/> }.into_any(),
                    Route::Class => view! { <ClassPage/> }.into_any(),
                    Route::About => view! { <About/> }.into_any(),
                }}
            </main>
            <Footer/>
        }
    }
}

/// The same route, after the browser's tab got its title.
fn named(route: Route) -> Route {
    browser::entitle(title(&route));
    route
}

/// The title of a view. A lesson says its own once it's here.
fn title(route: &Route) -> &'static str {
    match route {
        Route::Home | Route::Lesson(_) => "",
        Route::Playground | Route::Shared(_) => t().playground,
        Route::Lessons | Route::Progress(_) => t().lessons,
        Route::Glossary => t().glossary,
        Route::Anatomy(None) => t().anatomy,
        Route::Anatomy(Some(exhibit)) => anatomy::words(*exhibit).0,
        Route::Track(track) => track_words(*track).0,
        Route::Instructors => t().for_instructors,
        Route::Class => t().class_title,
        Route::About => t().about,
    }
}

/// The language that was chosen, or the first of the visitor's languages that the page has.
fn first_language() -> Language {
    let known = |code: String| Language::of(&code);
    browser::remembered(&Key::LANGUAGE)
        .and_then(known)
        .or_else(|| browser::preferred_languages().into_iter().find_map(known))
        .unwrap_or(Language::English)
}

#[component]
fn Header(route: RwSignal<Route>, language: RwSignal<Language>) -> impl IntoView {
    let current = move |this: fn(&Route) -> bool| move || route.with(this).then_some("page");
    let playground = |r: &Route| match r {
        Route::Shared(packed) => !share::names_lesson(packed),
        other => *other == Route::Playground,
    };
    let lessons = |r: &Route| match r {
        Route::Shared(packed) => share::names_lesson(packed),
        other => matches!(
            other,
            Route::Lessons
                | Route::Lesson(_)
                | Route::Track(_)
                | Route::Progress(_)
                | Route::Glossary
                | Route::Anatomy(_)
        ),
    };
    view! {
        <header class="bar">
            <a class="brand" href=Route::Home.fragment() aria-current=current(|r| *r == Route::Home)>
                <svg class="mark" viewBox="0 0 28 28" aria-hidden="true">
                    <rect class="mark-a" x="2" y="4" width="14" height="9" rx="2"/>
                    <rect class="mark-b" x="18" y="4" width="8" height="9" rx="2"/>
                    <rect class="mark-c" x="2" y="15" width="8" height="9" rx="2"/>
                    <rect class="mark-d" x="12" y="15" width="14" height="9" rx="2"/>
                </svg>
                {texts::NAME}
            </a>
            <nav aria-label=t().views>
                <a href=Route::Lessons.fragment() aria-current=current(lessons)>{t().lessons}</a>
                <a href=Route::Playground.fragment() aria-current=current(playground)>{t().playground}</a>
                <a href=Route::Instructors.fragment() aria-current=current(|r| matches!(r, Route::Instructors | Route::Class))>{t().teach}</a>
                <ContinueLink route/>
            </nav>
            <EngineChip/>
            <LanguageSwitch language/>
            <ThemeSwitch/>
        </header>
    }
}

#[component]
fn Footer() -> impl IntoView {
    view! {
        <footer class="foot-bar">
            <a href=Route::About.fragment()>{t().about}</a>
            <a href=Route::Glossary.fragment()>{t().glossary}</a>
            <a href=Route::Instructors.fragment()>{t().for_instructors}</a>
            <span>{t().footer}</span>
        </footer>
    }
}

/// The page's language.
#[component]
fn LanguageSwitch(language: RwSignal<Language>) -> impl IntoView {
    view! {
        <select
            class="language"
            aria-label=t().language
            on:change=move |event| {
                if let Some(chosen) = Language::of(&event_target_value(&event)) {
                    browser::remember(&Key::LANGUAGE, chosen.code());
                    languages::choose(language, chosen);
                }
            }
        >
            {move || {
                let option = |l: Language| {
                    let chosen = language.get_untracked() == l;
                    view! { <option value=l.code() lang=l.code() selected=chosen>{languages::name(l)}</option> }
                };
                languages::offered().into_iter().map(option).collect_view()
            }}
        </select>
    }
}

/// What executes programs; if it's the CPU, also why.
#[component]
fn EngineChip() -> impl IntoView {
    let session = expect_context::<Session>();
    let state = move || match session.runner.status.get() {
        Status::Booting { .. } => "booting",
        Status::Idle if session.runner.capabilities.with(|c| c.as_ref().is_some_and(|c| c.lost)) => "lost",
        Status::Idle => "ready",
        Status::Running { .. } => "running",
        Status::Broken { .. } => "broken",
    };
    let text = move || match session.runner.status.get() {
        Status::Booting { .. } => t().engine_loading.to_string(),
        Status::Broken { .. } => t().engine_not_running.to_string(),
        Status::Running { .. } => t().running.to_string(),
        Status::Idle => session.runner.capabilities.with(|c| c.as_ref().map_or(t().ready.into(), short_executor)),
    };
    let title = move || session.runner.capabilities.with(|c| c.as_ref().map(executor_sentence));
    view! {
        <p class="chip engine" data-state=state title=title role="status">
            <span class="dot" aria-hidden="true"></span>
            <span>{text}</span>
        </p>
    }
}

fn short_executor(capabilities: &Capabilities) -> String {
    match (&capabilities.webgpu, capabilities.jspi) {
        (Ok(_), true) => t().ready_webgpu.into(),
        (Err(_), _) if capabilities.lost => t().gpu_lost.into(),
        _ => t().ready_cpu.into(),
    }
}

/// Light, dark, or the system's setting.
#[component]
fn ThemeSwitch() -> impl IntoView {
    let theme = RwSignal::new(browser::remembered(&Key::THEME).unwrap_or_else(|| "auto".into()));
    Effect::new(move |_| {
        let theme = theme.get();
        if let Some(root) = document().document_element() {
            let _ = root.set_attribute("data-theme", &theme);
        }
        browser::remember(&Key::THEME, &theme);
    });
    let next = move || match theme.get().as_str() {
        "auto" => "light",
        "light" => "dark",
        _ => "auto",
    };
    let label = move || match theme.get().as_str() {
        "light" => t().theme_light,
        "dark" => t().theme_dark,
        _ => t().theme_auto,
    };
    view! {
        <button
            class="quiet theme"
            type="button"
            aria-label=move || format!("{}: {}", t().colors, label())
            on:click=move |_| theme.set(next().to_string())
        >
            <svg viewBox="0 0 16 16" aria-hidden="true">
                <circle cx="8" cy="8" r="6.2" fill="none" stroke="currentColor" stroke-width="1.6"/>
                <path d="M8 1.8a6.2 6.2 0 0 1 0 12.4z" fill="currentColor"/>
            </svg>
            <span>{label}</span>
        </button>
    }
}
