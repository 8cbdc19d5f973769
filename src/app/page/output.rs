//! What the program printed, how it ended, and what that means.

use leptos::html;
use leptos::prelude::*;

use super::card::ErrorCard;
use super::panels::DevicesBelow;
use super::session::{Session, Shown, Voice};
use crate::app::format;
use crate::app::terminal;
use crate::app::texts::t;
use crate::protocol::Outcome;

/// `next` comes right after the output, before the picture of the run if that is below it.
#[component]
pub(crate) fn Output(#[prop(optional)] next: Option<AnyView>) -> impl IntoView {
    let session = expect_context::<Session>();
    let pane = NodeRef::<html::Pre>::new();
    // New output scrolls into view, unless the reader has scrolled back.
    Effect::new(move |_| {
        session.printed.chunks.track();
        let Some(pane) = pane.get() else { return };
        let below = pane.scroll_height() - pane.scroll_top() - pane.client_height();
        if below < 200 {
            pane.set_scroll_top(pane.scroll_height());
        }
    });
    let empty = move || session.printed.chunks.with(Vec::is_empty);
    view! {
        <section class="output" aria-labelledby="output-title">
            <h2 id="output-title">
                {t().output}
                <small>{move || session.runner.outcome.with(|o| o.as_ref().map(ending))}</small>
            </h2>
            <Show when=move || session.printed.cut.get()>
                <p class="notice plain">{t().output_cut}</p>
            </Show>
            <pre node_ref=pane class="log" role="log" aria-live="polite" aria-labelledby="output-title" tabindex="0">
                <Show when=empty>
                    <span class="faint">{t().output_empty}"\n"</span>
                </Show>
                <For each=move || session.printed.chunks.get() key=|chunk| chunk.id let:chunk>
                    {match chunk.shown {
                        Shown::Text(text) if chunk.voice == Voice::Stderr => {
                            let lines = terminal::parts(&text).into_iter().map(|(aligned, part)| {
                                view! { <span class:aligned=aligned>{part.to_string()}</span> }
                            });
                            view! { <span class="stderr">{lines.collect_view()}</span> }.into_any()
                        }
                        Shown::Text(text) => {
                            let class = match chunk.voice {
                                Voice::Page => "page-says",
                                _ => "stdout",
                            };
                            view! { <span class=class>{text}</span> }.into_any()
                        }
                        Shown::Figure { url, words } => {
                            view! { <img class="figure" src=url alt=words/> }.into_any()
                        }
                    }}
                </For>
            </pre>
            <ErrorCard/>
        </section>
        {next}
        <DevicesBelow/>
    }
}

/// `ended after 12.3 ms`, `KeyboardInterrupt after 1.2 s`.
fn ending(outcome: &Outcome) -> String {
    let how = outcome.error.as_ref().map_or(t().done, |error| error.class.as_str());
    t().ended_after(&how, &format::micros(outcome.wall_ms * 1e3))
}
