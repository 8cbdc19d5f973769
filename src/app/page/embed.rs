//! The page inside a frame of another page: one lesson without the navigation around it.

use leptos::prelude::*;
use leptos::wasm_bindgen::JsCast;

use super::browser;
use super::frame::{EmbedFrame, Kept, host};
use super::glossary::Glossary;
use super::languages;
use super::lesson::{LessonPage, admitted};
use super::lessons::{Catalogue, Fetched};
use super::playground::remembered_machine;
use super::reading::Reading;
use super::session::{Document, Session};
use crate::app::embed::handed_over_name;
use crate::app::keys::Key;
use crate::app::progress::{Backup, Progress};
use crate::app::route::Route;
use crate::app::share;
use crate::app::texts::{self, Language, t};
use crate::lesson::Lesson;

#[component]
pub(crate) fn EmbedApp() -> impl IntoView {
    let session = Session::new(Document::default(), remembered_machine());
    provide_context(session);
    provide_context(Catalogue::fetch());
    provide_context(Glossary::new());
    let reading = Reading::default();
    provide_context(reading);
    let told = |name: &str| document().document_element().and_then(|root| root.get_attribute(name));
    let language = move || told("data-language").and_then(|code| Language::of(&code));
    let frame = EmbedFrame::new(told("data-lesson").unwrap_or_default(), language().unwrap_or(Language::English));
    languages::ask_again(frame.language, language);
    provide_context(frame);
    let own = told("data-source").map(|text| Lesson::parse(&text, "lesson.md"));
    frame.connect(session, reading);
    move || {
        frame.fresh.track();
        let id = frame.lesson.get();
        texts::speak(frame.language.get());
        let content = match &own {
            Some(Ok(lesson)) => {
                let lesson = lesson.clone();
                view! { <HandedOver lesson/> }.into_any()
            }
            Some(Err(faults)) => {
                let text = faults.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n");
                view! { <div class="notice bad" role="alert"><pre>{text}</pre></div> }.into_any()
            }
            None => view! { <LessonPage id/> }.into_any(),
        };
        view! {
            <main id="main" tabindex="-1">{content}</main>
            <p class="embed-foot">
                // The link carries the learner's work, because the full page may see another storage than this frame, and the
                // frame may have none.
                <a
                    href=browser::folder()
                    target="_blank"
                    rel="noopener"
                    on:click=move |event: web_sys::MouseEvent| {
                        // Progress in a lesson that this site doesn't have means nothing there.
                        let here = frame.kept().filter(|kept| kept.name == kept.lesson);
                        let Some(Kept { name, .. }) = here else { return };
                        let key = Key::progress(&name);
                        let progress = Progress::parse(browser::remembered(&key));
                        let link = event.current_target().and_then(|link| link.dyn_into::<web_sys::Element>().ok());
                        if let Some(link) = link.filter(|_| !progress.done.is_empty()) {
                            let packed = share::pack_progress(&Backup::of_progress([(key.as_str().to_string(), progress.text())]));
                            let address = format!("{}{}", browser::folder(), Route::Progress(packed).fragment());
                            let _ = link.set_attribute("href", &address);
                        }
                    }
                >
                    {texts::NAME}
                </a>
            </p>
        }
    }
}

/// A lesson that the surrounding page supplied. With the id of a lesson of this site it could pass for that lesson, so
/// such an id is refused. Therefore it's shown only once the list of this site's lessons has been loaded.
#[component]
fn HandedOver(lesson: Lesson) -> impl IntoView {
    let Catalogue(list) = expect_context();
    move || match list.get() {
        Fetched::Waiting => view! { <p class="page faint" role="status">{t().loading_lesson}</p> }.into_any(),
        Fetched::Failed(reason) => view! { <p class="notice bad" role="alert">{reason}</p> }.into_any(),
        Fetched::Here(entries) if entries.iter().any(|entry| entry.id == lesson.id) => {
            view! { <p class="notice bad" role="alert">{t().id_of_this_site(&lesson.id)}</p> }.into_any()
        }
        Fetched::Here(_) => {
            let name = handed_over_name(&host().unwrap_or_default(), &lesson.id);
            admitted(lesson.clone(), name)
        }
    }
}
