//! The glossary: words that a lesson marks, and a page with all of them.

use std::cell::Cell;
use std::collections::BTreeMap;

use leptos::prelude::*;
use leptos::wasm_bindgen::JsCast;
use leptos::{ev, html};

use super::browser;
use super::lessons::{Fetched, text};
use super::parts::sentence;
use crate::app::route::Route;
use crate::app::texts::{Language, spoken, t};
use crate::lesson::prose::entry;

/// The meaning of each word, by language.
type Words = BTreeMap<String, BTreeMap<String, String>>;

/// The glossary, fetched when it's first needed.
#[derive(Clone, Copy)]
pub(super) struct Glossary {
    words: RwSignal<Fetched<Words>>,
    asked: StoredValue<bool>,
}

impl Glossary {
    pub(super) fn new() -> Glossary {
        Glossary { words: RwSignal::new(Fetched::Waiting), asked: StoredValue::new(false) }
    }

    fn fetch(self) {
        if self.asked.get_value() {
            return;
        }
        self.asked.set_value(true);
        js_sys::futures::spawn_local(async move {
            let read = match text("lessons/glossary.json").await {
                Ok(text) => serde_json::from_str(&text).map_err(|error| error.to_string()),
                Err(reason) => Err(reason),
            };
            match read {
                Ok(words) => self.words.set(Fetched::Here(words)),
                Err(reason) => {
                    // The next click asks again, because the network may be back.
                    self.asked.set_value(false);
                    self.words.set(Fetched::Failed(reason));
                }
            }
        });
    }

    /// What a word means, in the page's language if the glossary has it.
    fn meaning(self, word: &str) -> AnyView {
        self.words.with(|words| match words {
            Fetched::Waiting => t().loading_word.into_any(),
            Fetched::Failed(reason) => reason.clone().into_any(),
            Fetched::Here(words) => {
                let own = [spoken(), Language::English].into_iter().find_map(|l| words.get(l.code())?.get(word));
                own.map_or_else(|| t().no_word(&word).into_any(), |meaning| sentence(entry(meaning).1))
            }
        })
    }
}

thread_local! {
    static NUMBER: Cell<u32> = const { Cell::new(0) };
}

/// The width of the box with the meaning, and its least distance from the edge of the screen, in pixels.
const WIDTH: f64 = 320.0;
const EDGE: f64 = 16.0;

/// A word of the glossary where a lesson uses it. A click opens its meaning.
#[component]
pub(super) fn Term(word: String, content: AnyView) -> impl IntoView {
    let glossary = use_context::<Glossary>().unwrap_or_else(Glossary::new);
    let open = RwSignal::new(false);
    let shift = RwSignal::new(0.0);
    let whole = NodeRef::<html::Span>::new();
    let button = NodeRef::<html::Button>::new();
    let id = NUMBER.with(|number| {
        number.set(number.get() + 1);
        format!("term-{}", number.get())
    });
    let within = move |target: Option<web_sys::EventTarget>| {
        let node = target.and_then(|target| target.dyn_into::<web_sys::Node>().ok());
        whole.get_untracked().is_some_and(|whole| whole.contains(node.as_ref()))
    };
    let away = window_event_listener(ev::pointerdown, move |event| {
        if open.get_untracked() && !within(event.target()) {
            open.set(false);
        }
    });
    on_cleanup(move || away.remove());
    let toggle = move |_| {
        glossary.fetch();
        if let (Some(button), Some(root)) = (button.get_untracked(), document().document_element()) {
            let room = f64::from(root.client_width()) - EDGE;
            let left = button.get_bounding_client_rect().left();
            shift.set((room - left - WIDTH.min(room - EDGE)).min(0.0));
        }
        open.update(|open| *open = !*open);
    };
    let described = id.clone();
    view! {
        <span
            class="term"
            node_ref=whole
            on:keydown=move |event| {
                if event.key() == "Escape" && open.get_untracked() {
                    event.stop_propagation();
                    open.set(false);
                    if let Some(button) = button.get_untracked() {
                        let _ = button.focus();
                    }
                }
            }
            // Closes the box when the keyboard focus moves on, so that it doesn't cover the lesson.
            on:focusout=move |event| if !within(event.related_target()) { open.set(false) }
        >
            <button
                type="button"
                node_ref=button
                aria-expanded=move || open.get().to_string()
                aria-controls=described
                on:click=toggle
            >
                {content}
            </button>
            <span role="status" id=id>
                {move || open.get().then(|| {
                    let word = word.clone();
                    view! {
                        <span class="meaning" style:left=format!("{:.0}px", shift.get())>
                            <span>{move || glossary.meaning(&word)}</span>
                            " "
                            {(!browser::embedded()).then(|| view! { <a href=Route::Glossary.fragment()>{t().all_words}</a> })}
                        </span>
                    }
                })}
            </span>
        </span>
    }
}

/// Every word of the glossary.
#[component]
pub(super) fn GlossaryPage() -> impl IntoView {
    let glossary = expect_context::<Glossary>();
    glossary.fetch();
    let list = move || {
        glossary.words.with(|words| match words {
            Fetched::Waiting => view! { <p class="faint" role="status">{t().loading_word}</p> }.into_any(),
            Fetched::Failed(reason) => view! { <p class="notice bad" role="alert">{reason.clone()}</p> }.into_any(),
            Fetched::Here(words) => {
                let english = words.get(Language::English.code()).into_iter().flatten();
                let own = words.get(spoken().code()).into_iter().flatten();
                let mut all: Vec<(String, &str)> = english
                    .chain(own)
                    .collect::<BTreeMap<_, _>>()
                    .into_iter()
                    .map(|(key, text)| {
                        let (word, meaning) = entry(text);
                        // Keys are words joined by hyphens, so that links can name them.
                        (word.map_or_else(|| key.replace('-', " "), String::from), meaning)
                    })
                    .collect();
                all.sort_by_cached_key(|(word, _)| word.to_lowercase());
                let row = |(word, meaning): (String, &str)| {
                    view! {
                        <div>
                            <dt>{word}</dt>
                            <dd>{sentence(meaning)}</dd>
                        </div>
                    }
                };
                view! { <dl class="glossary">{all.into_iter().map(row).collect_view()}</dl> }.into_any()
            }
        })
    };
    view! {
        <div class="page">
            <div class="intro">
                <h1>{t().glossary}</h1>
                <p>{t().glossary_intro}</p>
            </div>
            {list}
        </div>
    }
}
