//! The list of lessons, and how a lesson's file comes to the page.

use leptos::prelude::*;
use leptos::wasm_bindgen::JsCast;
use serde::Deserialize;

use super::browser;
use crate::app::progress::Progress;
use crate::app::route::Route;
use crate::lesson::Lesson;

/// An entry of the served list of lessons.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct Entry {
    pub id: String,
    /// Its file, beside the list.
    pub file: String,
    pub title: String,
    pub minutes: u32,
}

/// Something that is fetched.
#[derive(Clone, Debug, PartialEq)]
pub enum Fetched<T> {
    Waiting,
    Here(T),
    Failed(String),
}

/// The list, fetched once for the page's life.
#[derive(Clone, Copy)]
pub struct Catalogue(pub RwSignal<Fetched<Vec<Entry>>>);

impl Catalogue {
    pub fn fetch() -> Catalogue {
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

/// Fetches and reads a lesson. The error is for the person who looks at the page.
pub async fn lesson(entry: &Entry) -> Result<Lesson, String> {
    let text = text(&format!("lessons/{}", entry.file)).await?;
    Lesson::parse(&text, &entry.file)
        .map_err(|faults| faults.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))
}

/// A text file of this site.
async fn text(path: &str) -> Result<String, String> {
    let failed = |error: leptos::wasm_bindgen::JsValue| {
        let reason = js_sys::Error::from(error).message();
        format!("{path} could not be fetched: {}", String::from(reason))
    };
    let response = js_sys::futures::JsFuture::from(window().fetch_with_str(path)).await.map_err(failed)?;
    let response: web_sys::Response = response.unchecked_into();
    if !response.ok() {
        return Err(format!("{path} could not be fetched: the server answered {}", response.status()));
    }
    let text = js_sys::futures::JsFuture::from(response.text().map_err(failed)?).await.map_err(failed)?;
    Ok(text.as_string().unwrap_or_default())
}

/// Name of a lesson's progress in the browser's storage.
pub fn progress_key(id: &str) -> String {
    format!("progress.{id}")
}

#[component]
pub fn LessonList() -> impl IntoView {
    let Catalogue(list) = expect_context();
    view! {
        <div class="page">
            <div class="intro">
                <h1>"Lessons"</h1>
                <p>"Each one asks you to guess, lets you run real PyTorch, and shows on the devices why it came out so."</p>
            </div>
            {move || match list.get() {
                Fetched::Waiting => view! { <p class="faint" role="status">"Loading the list…"</p> }.into_any(),
                Fetched::Failed(reason) => view! { <p class="notice bad" role="alert">{reason}</p> }.into_any(),
                Fetched::Here(entries) => view! {
                    <ol class="lessons">
                        {entries.into_iter().map(|entry| view! { <Item entry/> }).collect_view()}
                    </ol>
                }
                .into_any(),
            }}
        </div>
    }
}

#[component]
fn Item(entry: Entry) -> impl IntoView {
    let progress = Progress::parse(browser::remembered(&progress_key(&entry.id)));
    let state = match (progress.is_complete(), progress.done.len()) {
        (true, _) => "done".to_string(),
        (false, 0) => format!("{} min", entry.minutes),
        (false, n) => format!("{n} of {} steps", progress.steps),
    };
    view! {
        <li class:done=progress.is_complete()>
            <a href=Route::Lesson(entry.id).fragment()>{entry.title}</a>
            <span>{state}</span>
        </li>
    }
}
