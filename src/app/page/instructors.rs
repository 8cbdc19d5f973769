//! The page for teachers: a builder for the HTML that embeds a lesson, and what an embedding page can rely on.

use leptos::prelude::*;

use super::browser;
use super::languages;
use super::lessons::{Catalogue, Entry, Fetched};
use crate::app::embed::{Embed, Level};
use crate::app::route::Route;
use crate::app::texts::{Language, spoken, t};

#[component]
pub(crate) fn Instructors() -> impl IntoView {
    view! {
        <div class="page wide">
            <div class="intro">
                <h1>{t().for_instructors}</h1>
                <p>{t().instructors_intro}</p>
            </div>
            <section class="keep" aria-labelledby="class-link-title">
                <h2 id="class-link-title">{t().class_title}</h2>
                <p>{t().class_intro}</p>
                <p class="actions"><a class="button" href=Route::Class.fragment()>{t().class_link}</a></p>
            </section>
            <Builder/>
            <div class="prose">
                <h2>{t().embed_facts}</h2>
                <ul>
                    <li>{t().embed_fact_lazy}</li>
                    <li>{t().embed_fact_headers}</li>
                    <li>{t().embed_fact_sandbox}</li>
                    <li>{t().embed_fact_messages}</li>
                </ul>
                <h2>{t().write_lessons}</h2>
                <p>{t().write_lessons_text}</p>
                <pre class="sample" tabindex="0"><code>"tensoryard lesson new my-lesson.md\ntensoryard lesson preview my-lesson.md\ntensoryard lesson check my-lesson.md\ntensoryard lesson pack my-lesson.md --out course"</code></pre>
            </div>
        </div>
    }
}

/// The builder: choose a lesson, its appearance and its size, copy the HTML, and see the result next to it.
#[component]
fn Builder() -> impl IntoView {
    let Catalogue(list) = expect_context();
    let embed = RwSignal::new(Embed::new(browser::address()));
    // The title in the language that the lesson will have, which may differ from the page's.
    let title = move |entry: &Entry| {
        let language = embed.with_untracked(|e| Language::of(&e.language)).unwrap_or(Language::English);
        entry.title_in(language).to_string()
    };
    let said = RwSignal::new(None::<&'static str>);
    let shown = RwSignal::new(None::<String>);
    Effect::new(move |_| {
        if let Fetched::Here(entries) = list.get()
            && let Some(first) = entries.first()
            && embed.with_untracked(|e| e.lesson.is_empty())
        {
            // Computed outside the update, which already borrows the signals that the title reads.
            let title = title(first);
            embed.update(|e| (e.lesson, e.title) = (first.id.clone(), title));
        }
    });
    let lessons = move || match list.get() {
        Fetched::Here(entries) => entries,
        _ => Vec::new(),
    };
    let choose = move |id: String| {
        if let Some(entry) = lessons().into_iter().find(|e| e.id == id) {
            let title = title(&entry);
            embed.update(|e| (e.lesson, e.title) = (entry.id, title));
        }
    };
    let html = Memo::new(move |_| embed.with(Embed::html));
    let copy = move |_| {
        let html = html.get_untracked();
        js_sys::futures::spawn_local(async move {
            said.set(Some(if browser::copy(html).await { t().html_copied } else { t().html_ready }));
        });
    };
    view! {
        <section class="builder" aria-labelledby="builder-title">
            <h2 id="builder-title">{t().embed_builder}</h2>
            <div class="builder-fields">
                <span class="field">
                    <label for="embed-lesson">{t().lesson}</label>
                    <select id="embed-lesson" on:change=move |event| choose(event_target_value(&event))>
                        <For each=lessons key=|e| e.id.clone() let:entry>
                            <option value=entry.id.clone()>{entry.title_in(spoken()).to_string()}</option>
                        </For>
                    </select>
                </span>
                <span class="field">
                    <label for="embed-level">{t().embed_level}</label>
                    <select
                        id="embed-level"
                        on:change=move |event| {
                            let level = if event_target_value(&event) == "element" { Level::Element } else { Level::Frame };
                            embed.update(|e| e.level = level);
                        }
                    >
                        <option value="frame">{t().embed_frame}</option>
                        <option value="element">{t().embed_element}</option>
                    </select>
                </span>
                <span class="field">
                    <label for="embed-theme">{t().colors}</label>
                    <select id="embed-theme" on:change=move |event| embed.update(|e| e.theme = event_target_value(&event))>
                        <option value="auto">{t().theme_auto}</option>
                        <option value="light">{t().theme_light}</option>
                        <option value="dark">{t().theme_dark}</option>
                    </select>
                </span>
                <span class="field">
                    <label for="embed-language">{t().language}</label>
                    <select id="embed-language" on:change=move |event| {
                        embed.update(|e| e.language = event_target_value(&event));
                        choose(embed.with_untracked(|e| e.lesson.clone()));
                    }>
                        {move || {
                            languages::offered()
                                .into_iter()
                                .map(|l| view! { <option value=l.code()>{languages::name(l)}</option> })
                                .collect_view()
                        }}
                    </select>
                </span>
                <span class="field">
                    <label for="embed-height">{t().height}</label>
                    <input
                        id="embed-height"
                        type="number"
                        min="240"
                        max="2000"
                        step="20"
                        prop:value=move || embed.with(|e| e.height.to_string())
                        on:input=move |event| {
                            if let Ok(height) = event_target_value(&event).parse::<u32>() {
                                embed.update(|e| e.height = height.clamp(240, 2000));
                            }
                        }
                    />
                </span>
            </div>
            <pre class="sample" tabindex="0" aria-label="HTML"><code>{move || html.get()}</code></pre>
            <div class="buttons">
                <button class="primary" type="button" on:click=copy>{t().copy_html}</button>
                <button type="button" on:click=move |_| shown.set(Some(embed.with_untracked(Embed::address)))>
                    {t().show_embed}
                </button>
                <span class="faint" role="status">{move || said.get()}</span>
            </div>
            {move || shown.get().map(|address| view! {
                <iframe
                    src=address
                    title=embed.with(|e| e.frame_title())
                    sandbox="allow-scripts allow-same-origin allow-downloads allow-popups"
                    allow="clipboard-write; fullscreen"
                    style:width="100%"
                    style:height=embed.with(|e| format!("{}px", e.height))
                    style:border="0"
                ></iframe>
            })}
        </section>
    }
}
