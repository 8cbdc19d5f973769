//! The languages that the page can speak: those that are compiled in, and those that this site's lessons are translated into.

use leptos::prelude::*;

use super::browser;
use super::lessons::{Catalogue, Fetched, text};
use crate::app::texts::{LANGUAGES, Language};
use crate::language;

/// Every language that can be chosen. Reactive, because the list of lessons brings some.
pub(super) fn offered() -> Vec<Language> {
    if let Some(Catalogue(list)) = use_context() {
        list.track();
    }
    LANGUAGES.into_iter().chain(language::others()).collect()
}

/// A language's own name for itself.
pub(super) fn name(language: Language) -> String {
    match language {
        Language::Other(code) => browser::language_name(code),
        compiled => compiled.name().to_string(),
    }
}

/// Sets a language, once its texts are here. Without them the lessons are in that language, and the page around them is in
/// English.
pub(super) fn choose(into: RwSignal<Language>, language: Language) {
    let Language::Other(code) = language else { return into.set(language) };
    js_sys::futures::spawn_local(async move {
        if let Ok(json) = text(&format!("lessons/{code}/page.json")).await
            && let Ok(texts) = serde_json::from_str(&json)
        {
            language::learn(code, texts);
        }
        into.set(language);
    });
}

/// Asks for the language again when the list of lessons has come, which may offer more languages than were known before.
pub(super) fn ask_again(language: RwSignal<Language>, wanted: impl Fn() -> Option<Language> + 'static) {
    let Catalogue(list) = expect_context();
    Effect::new(move |_| {
        if list.with(|list| matches!(list, Fetched::Here(_)))
            && let Some(wanted) = wanted().filter(|wanted| *wanted != language.get_untracked())
        {
            choose(language, wanted);
        }
    });
}
