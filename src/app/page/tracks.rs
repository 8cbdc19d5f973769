//! The lists of the tracks beside the course: bugs to find, and puzzles.

use leptos::prelude::*;

use super::browser;
use super::lessons::{Catalogue, Entry, Fetched, track_words};
use crate::app::format;
use crate::app::keys::Key;
use crate::app::progress::Progress;
use crate::app::route::Route;
use crate::app::texts::{spoken, t};
use crate::lesson::Track;

fn level_word(level: u32) -> &'static str {
    match level {
        1 => t().level_1,
        2 => t().level_2,
        _ => t().level_3,
    }
}

/// A lesson's track and how hard it is there, for the line above its title.
pub(crate) fn crumbs(track: Track, level: Option<u32>) -> AnyView {
    let level = level.map(|level| format!(" · {}", level_word(level)));
    view! { <a href=Route::Track(track).fragment()>{track_words(track).0}</a>{level} }.into_any()
}

/// The lessons of a track, in their order.
pub(crate) fn of(entries: &[Entry], track: Track) -> Vec<Entry> {
    entries.iter().filter(|entry| entry.track == Some(track)).cloned().collect()
}

/// A track's page: its lessons by levels, and how far the learner is.
#[component]
pub(crate) fn TrackPage(track: Track) -> impl IntoView {
    let Catalogue(list) = expect_context();
    let (name, line) = track_words(track);
    view! {
        <div class="page">
            <div class="intro">
                <h1>{name}</h1>
                <p>{line}</p>
            </div>
            {move || match list.get() {
                Fetched::Waiting => view! { <p class="faint" role="status">{t().loading_list}</p> }.into_any(),
                Fetched::Failed(reason) => view! { <p class="notice bad" role="alert">{reason}</p> }.into_any(),
                Fetched::Here(entries) => levels(&of(&entries, track)),
            }}
            <p><a href=Route::Lessons.fragment()>{t().all_lessons}</a></p>
        </div>
    }
}

fn levels(entries: &[Entry]) -> AnyView {
    if entries.is_empty() {
        return view! { <p class="faint">{t().track_none}</p> }.into_any();
    }
    let rows: Vec<(Entry, Progress)> = entries
        .iter()
        .map(|entry| (entry.clone(), Progress::parse(browser::remembered(&Key::progress(&entry.id)))))
        .collect();
    let begun = rows.iter().any(|(_, progress)| !progress.work.is_empty());
    let next = rows.iter().find(|(_, progress)| !progress.is_complete()).map(|(entry, _)| entry.clone());
    let onward = next.clone().map(|entry| {
        let title = entry.title_in(spoken()).to_string();
        let words = if begun { t().go_on_with(&title) } else { t().start_with(&title) };
        let address = Route::Lesson(entry.id).fragment();
        view! { <p class="actions"><a class="button primary" href=address>{words}</a></p> }
    });
    let next = next.map(|entry| entry.id);
    let mut first = 1;
    let level = |level: u32| {
        let here: Vec<_> = rows.iter().filter(|(entry, _)| entry.level.unwrap_or(1) == level).collect();
        let start = first;
        first += here.len();
        if here.is_empty() {
            return None;
        }
        let done = here.iter().filter(|(_, progress)| progress.is_complete()).count();
        let (count, share) = (here.len(), format!("{:.1}%", 100.0 * done as f64 / here.len() as f64));
        let id = format!("level-{level}");
        let items: Vec<_> = here.into_iter().map(|(entry, progress)| item(entry, progress, next.as_ref())).collect();
        Some(view! {
            <section class="part" aria-labelledby=id.clone()>
                <header>
                    <h2 id=id.clone()>{level_word(level)}</h2>
                    <p class="so-far">
                        <span>{t().lessons_done(&done, &count)}</span>
                        <span class="so-far-bar" aria-hidden="true"><span style:width=share></span></span>
                    </p>
                </header>
                <ol class="lessons" start=start style:counter-reset=format!("lesson {}", start - 1)>{items}</ol>
            </section>
        })
    };
    let groups: Vec<_> = (1..=Track::LEVELS).filter_map(level).collect();
    let done = rows.iter().filter(|(_, progress)| progress.is_complete()).count();
    view! {
        <p class="track-done">{t().lessons_done(&done, &rows.len())}</p>
        {onward}
        <div class="course">{groups}</div>
    }
    .into_any()
}

fn item(entry: &Entry, progress: &Progress, next: Option<&String>) -> AnyView {
    let complete = progress.is_complete();
    let next = next == Some(&entry.id);
    let work = progress.work.values().next();
    let state = match work {
        None => t().minutes(&entry.minutes),
        Some(work) => {
            let score = t().percent(&work.best);
            if complete { format!("{}, {score}", t().done) } else { score }
        }
    };
    // A puzzle's best, so that it can be beaten.
    let best = work.and_then(|work| work.least).map(|cost| {
        let peak = format::bytes(cost.peak);
        t().best_so_far(&cost.copies, &cost.waits, &cost.kernels, &peak)
    });
    view! {
        <li class:done=complete class:next=next>
            <div>
                <a href=Route::Lesson(entry.id.clone()).fragment()>{entry.title_in(spoken()).to_string()}</a>
                {best.map(|best| view! { <p class="aim">{best}</p> })}
            </div>
            {next.then(|| view! { <span class="up-next">{t().up_next}</span> })}
            <span class="state">{state}</span>
        </li>
    }
    .into_any()
}
