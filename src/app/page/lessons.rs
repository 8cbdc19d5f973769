//! The list of lessons, and how a lesson's file is fetched.

use std::collections::BTreeMap;

use leptos::html;
use leptos::prelude::*;
use leptos::wasm_bindgen::JsCast;
use serde::Deserialize;

use super::browser;
use super::parts::{LinkButton, LinkWords, why_unreadable};
use crate::app::format;
use crate::app::keys::Key;
use crate::app::progress::{Backup, Progress};
use crate::app::route::{Route, is_id};
use crate::app::share;
use crate::app::texts::{Language, spoken, t};
use crate::lesson::Lesson;

/// An entry of the served list of lessons.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub(crate) struct Entry {
    pub id: String,
    /// Its file name, relative to the list.
    pub file: String,
    pub title: String,
    pub minutes: u32,
    /// Its title in each language that it's translated into. A translation's file is in a folder named after the
    /// language.
    pub titles: BTreeMap<String, String>,
}

impl Entry {
    /// Its title in `language`, or in the original language if there is no translation.
    pub(crate) fn title_in(&self, language: Language) -> &str {
        self.titles.get(language.code()).unwrap_or(&self.title)
    }
}

/// Something that is being fetched, or was.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Fetched<T> {
    Waiting,
    Here(T),
    Failed(String),
}

/// The list, fetched once per page load.
#[derive(Clone, Copy)]
pub(crate) struct Catalogue(pub RwSignal<Fetched<Vec<Entry>>>);

impl Catalogue {
    pub(crate) fn fetch() -> Catalogue {
        let list = RwSignal::new(Fetched::Waiting);
        js_sys::futures::spawn_local(async move {
            let entries = match text("lessons/index.json").await {
                Ok(text) => serde_json::from_str(&text).map_err(|error| error.to_string()),
                Err(reason) => Err(reason),
            };
            list.set(match entries {
                Ok(entries) => Fetched::Here(entries),
                Err(reason) => Fetched::Failed(reason),
            });
        });
        Catalogue(list)
    }
}

/// Fetches and reads a lesson, in the page's language if a translation exists. The error is a sentence for the visitor.
pub(crate) async fn lesson(entry: &Entry) -> Result<Lesson, String> {
    let lesson = read(&entry.file).await?;
    let language = spoken().code();
    if !entry.titles.contains_key(language) {
        return Ok(lesson);
    }
    lesson.in_words_of(&read(&format!("{language}/{}", entry.file)).await?)
}

async fn read(file: &str) -> Result<Lesson, String> {
    let text = text(&format!("lessons/{file}")).await?;
    Lesson::parse(&text, file).map_err(|faults| faults.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))
}

/// A text file of this site.
async fn text(path: &str) -> Result<String, String> {
    let failed = |error: leptos::wasm_bindgen::JsValue| {
        let reason = js_sys::Error::from(error).message();
        t().fetch_failed(&path, &String::from(reason))
    };
    let response = js_sys::futures::JsFuture::from(window().fetch_with_str(path)).await.map_err(failed)?;
    let response: web_sys::Response = response.unchecked_into();
    if !response.ok() {
        return Err(t().fetch_status(&path, &response.status()));
    }
    let text = js_sys::futures::JsFuture::from(response.text().map_err(failed)?).await.map_err(failed)?;
    Ok(text.as_string().unwrap_or_default())
}

/// `packed` is progress from a link.
#[component]
pub(crate) fn LessonList(#[prop(optional)] packed: Option<String>) -> impl IntoView {
    view! {
        <div class="page">
            <div class="intro">
                <h1>{t().lessons}</h1>
                <p>{t().lessons_intro}</p>
            </div>
            {packed.map(|packed| view! { <Carried packed/> })}
            <Lessons/>
            <Keep/>
        </div>
    }
}

/// The list itself, with progress.
#[component]
pub(crate) fn Lessons() -> impl IntoView {
    let Catalogue(list) = expect_context();
    move || match list.get() {
        Fetched::Waiting => view! { <p class="faint" role="status">{t().loading_list}</p> }.into_any(),
        Fetched::Failed(reason) => view! { <p class="notice bad" role="alert">{reason}</p> }.into_any(),
        Fetched::Here(entries) => view! {
            <ol class="lessons">{entries.into_iter().map(|entry| view! { <Item entry/> }).collect_view()}</ol>
        }
        .into_any(),
    }
}

#[component]
fn Item(entry: Entry) -> impl IntoView {
    let progress = Progress::parse(browser::remembered(&Key::progress(&entry.id)));
    let state = match (progress.is_complete(), progress.done.len()) {
        (true, _) => t().done.to_string(),
        (false, 0) => t().minutes(&entry.minutes),
        (false, n) => t().of_steps(&n, &progress.steps),
    };
    view! {
        <li class:done=progress.is_complete()>
            <a href=Route::Lesson(entry.id.clone()).fragment()>{entry.title_in(spoken()).to_string()}</a>
            <span>{state}</span>
        </li>
    }
}

/// Progress from a link, which the visitor may add to their own.
#[component]
fn Carried(packed: String) -> impl IntoView {
    match share::unpack_progress(&packed) {
        Err(why) => view! { <p class="notice bad" role="alert">{why_unreadable(why)}</p> }.into_any(),
        Ok(backup) => {
            let done = backup.progress().map(|(_, progress)| progress.done.len()).sum();
            if done == 0 {
                return view! { <p class="notice plain" role="status">{t().progress_none_carried}</p> }.into_any();
            }
            let done = format::count(done, t().step_word, t().steps_word);
            let take = move |_| {
                let lessons: Vec<(String, Progress)> = backup.progress().collect();
                for (lesson, carried) in &lessons {
                    let key = Key::progress(lesson);
                    let mut progress = Progress::parse(browser::remembered(&key));
                    progress.join(carried);
                    browser::remember(&key, &progress.text());
                }
                let next = match lessons.as_slice() {
                    [(lesson, _)] if is_id(lesson) => Route::Lesson(lesson.clone()),
                    _ => Route::Lessons,
                };
                browser::go(&next.fragment());
            };
            view! {
                <section class="keep" aria-labelledby="carried-title">
                    <h2 id="carried-title">{t().progress_carried}</h2>
                    <p>{t().progress_carried_text(&done)}</p>
                    <div class="buttons">
                        <button type="button" on:click=take>{t().progress_take}</button>
                    </div>
                </section>
            }
            .into_any()
        }
    }
}

/// Progress as a file or a link, to carry it from this browser to another.
#[component]
fn Keep() -> impl IntoView {
    let field = NodeRef::<html::Input>::new();
    let said = RwSignal::new(None::<&'static str>);
    let save = move |_| {
        let backup = Backup::new(browser::everything());
        browser::download("tensoryard-progress.json", "application/json", backup.text().as_bytes());
    };
    let read = move |_| {
        let Some(field) = field.get_untracked() else { return };
        js_sys::futures::spawn_local(async move {
            let Some((_, bytes)) = browser::chosen_file(field).await else { return };
            let Some(backup) = Backup::parse(&bytes) else { return said.set(Some(t().not_progress)) };
            let kept = backup.work().all(|(key, value)| browser::remember(&key, value));
            if kept {
                // Reloads the page, because some of this was read only at the start.
                let _ = window().location().reload();
            } else {
                said.set(Some(t().keeps_nothing));
            }
        });
    };
    let words = LinkWords {
        button: t().progress_link,
        field: t().progress_link_label,
        copied: t().progress_link_copied,
        ready: t().progress_link_ready,
    };
    view! {
        <section class="keep" aria-labelledby="keep-title">
            <h2 id="keep-title">{t().your_progress}</h2>
            <p>{t().progress_text}</p>
            <div class="buttons">
                <button type="button" on:click=save>{t().progress_save}</button>
                <label class="upload">
                    {t().progress_read}
                    <input node_ref=field type="file" accept=".json" on:change=read/>
                </label>
            </div>
            <p role="status">{move || said.get()}</p>
            <LinkButton words route=|| Route::Progress(share::pack_progress(&Backup::of_progress(browser::everything())))/>
        </section>
    }
}
