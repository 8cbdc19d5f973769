//! Pieces that several views use. They depend on no view, so that no view depends on another one because of them.

use leptos::prelude::*;

use super::browser;
use crate::app::route::Route;
use crate::app::share::Unreadable;
use crate::app::texts::t;
use crate::protocol::Capabilities;

/// The color of a device: a name that the style sheet knows.
pub(crate) fn accent(device: &str) -> String {
    match device.split_once(':') {
        Some(("cuda", index)) => format!("cuda{}", index.parse::<usize>().unwrap_or(0) % 4),
        Some((kind, _)) => kind.to_string(),
        None if device == "cuda" => "cuda0".into(),
        None => device.to_string(),
    }
}

/// One sentence about what executes accelerators here. The browser's own message about a missing GPU wouldn't help a
/// learner.
pub(crate) fn executor_sentence(capabilities: &Capabilities) -> String {
    match (&capabilities.webgpu, capabilities.jspi) {
        (Ok(adapter), true) if has_name(adapter) => t().on_webgpu(adapter),
        (Ok(_), true) => t().ready_webgpu.into(),
        (_, false) => t().without_jspi.into(),
        (Err(_), _) if capabilities.lost => t().gpu_lost_sentence.into(),
        (Err(_), _) => t().without_webgpu.into(),
    }
}

/// Whether an adapter's name says more than that it is an adapter.
pub(crate) fn has_name(adapter: &str) -> bool {
    !adapter.starts_with("WebGPU")
}

/// A sentence in which backticks mark code, as in labels and explanations.
pub(crate) fn sentence(text: &str) -> AnyView {
    let odd = |i: usize| i % 2 == 1;
    text.split('`')
        .enumerate()
        .map(|(i, piece)| match odd(i) {
            true => view! { <code>{piece.to_string()}</code> }.into_any(),
            false => piece.to_string().into_any(),
        })
        .collect_view()
        .into_any()
}

/// The sentence that is shown for a link that can't be read.
pub(crate) fn why_unreadable(why: Unreadable) -> &'static str {
    match why {
        Unreadable::TooLong => t().link_too_long,
        Unreadable::Damaged => t().link_damaged,
        Unreadable::TooLarge => t().link_too_large,
        Unreadable::Newer => t().link_newer,
    }
}

/// The sentences around a link that can be copied.
pub(crate) struct LinkWords {
    pub button: &'static str,
    pub field: &'static str,
    pub copied: &'static str,
    /// Shown when the clipboard refuses.
    pub ready: &'static str,
}

/// Copies a link to the view that `route` names, and shows it.
#[component]
pub(crate) fn LinkButton(words: LinkWords, route: impl Fn() -> Route + 'static) -> impl IntoView {
    let said = RwSignal::new(None::<&'static str>);
    let link = RwSignal::new(None::<String>);
    let share = move |_| {
        let address = format!("{}{}", browser::address(), route().fragment());
        link.set(Some(address.clone()));
        js_sys::futures::spawn_local(async move {
            said.set(Some(if browser::copy(address).await { words.copied } else { words.ready }));
        });
    };
    view! {
        <div class="buttons">
            <button class="quiet" type="button" on:click=share>{words.button}</button>
        </div>
        <Show when=move || link.get().is_some()>
            <input
                class="address"
                type="text"
                readonly
                aria-label=words.field
                prop:value=move || link.get().unwrap_or_default()
            />
        </Show>
        <p class="faint" role="status">{move || said.get()}</p>
    }
}
