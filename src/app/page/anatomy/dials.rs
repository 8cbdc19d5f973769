//! The controls of the explorable pages, and the program that they run.

use leptos::prelude::*;

use crate::app::page::parts::sentence;
use crate::app::route::Route;
use crate::app::share;
use crate::app::texts::t;

/// A slider over stops. `words` says a stop's value, on the screen and to a screen reader. `note` explains the words.
#[component]
pub(crate) fn Dial(
    id: &'static str,
    label: &'static str,
    #[prop(optional)] note: &'static str,
    stops: usize,
    #[prop(into)] at: Signal<usize>,
    words: impl Fn(usize) -> String + Copy + Send + Sync + 'static,
    on_move: impl Fn(usize) + 'static,
) -> impl IntoView {
    view! {
        <div class="dial">
            <label for=id>{label}</label>
            <output for=id aria-live="off">{move || words(at.get())}</output>
            <input
                id=id
                type="range"
                min="0"
                max=(stops - 1).to_string()
                aria-valuetext=move || words(at.get())
                aria-describedby=(!note.is_empty()).then(|| format!("{id}-note"))
                prop:value=move || at.get().to_string()
                on:input=move |event| {
                    if let Ok(to) = event_target_value(&event).parse() {
                        on_move(to);
                    }
                }
            />
            {(!note.is_empty()).then(|| view! { <p id=format!("{id}-note") class="legend">{sentence(note)}</p> })}
        </div>
    }
}

/// A choice between a few things, all of them visible. `note` explains them.
#[component]
pub(crate) fn Choice<T: Copy + PartialEq + Send + Sync + 'static>(
    name: &'static str,
    label: &'static str,
    #[prop(optional)] note: &'static str,
    options: Vec<(T, &'static str)>,
    #[prop(into)] now: Signal<T>,
    on_choose: impl Fn(T) + Copy + 'static,
) -> impl IntoView {
    let option = |(value, words): (T, &'static str)| {
        view! {
            <label>
                <input type="radio" name=name prop:checked=move || now.get() == value on:change=move |_| on_choose(value)/>
                <span>{words}</span>
            </label>
        }
    };
    view! {
        <fieldset class="choice">
            <legend>{label}</legend>
            <div>{options.into_iter().map(option).collect_view()}</div>
            {(!note.is_empty()).then(|| view! { <p class="legend">{sentence(note)}</p> })}
        </fieldset>
    }
}

/// The program that ran, with the line that the drawing speaks of, and a link that opens it in the playground.
#[component]
pub(crate) fn Listing(
    code: Signal<String>,
    machine: Signal<&'static str>,
    #[prop(into)] line: Signal<Option<u32>>,
) -> impl IntoView {
    let lines = move || {
        let now = line.get();
        let line = |(i, text): (usize, &str)| {
            let text = format!("{text}\n");
            view! { <span class="code-line" class:now=now == Some(i as u32 + 1)>{text}</span> }
        };
        code.with(|code| code.lines().enumerate().map(line).collect_view())
    };
    let link = move || Route::Shared(code.with(|code| share::pack(code, Some(machine.get().into()), None))).fragment();
    view! {
        <section class="ran" aria-labelledby="ran-title">
            <h2 id="ran-title">{t().the_program}</h2>
            <pre class="listing" tabindex="0" aria-label=t().the_program><code>{lines}</code></pre>
            <p><a href=link>{t().open_in_playground}</a></p>
        </section>
    }
}
