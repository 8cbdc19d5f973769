//! A bug's question: which line has to change. It's asked in the editor's place, before the first run.

use leptos::ev::KeyboardEvent;
use leptos::prelude::*;

use super::super::browser;
use super::super::prose;
use super::super::reading::Place;
use super::super::session::Session;
use crate::app::format;
use crate::app::texts::t;
use crate::lesson::Find;

/// Whether the learner is still to name the line.
pub(super) fn searching(step: &str, asks: bool) -> Memo<bool> {
    let place = expect_context::<Place>();
    let step = step.to_string();
    Memo::new(move |_| asks && !place.progress.with(|p| p.search(&step).is_over() || p.is_done(&step)))
}

#[component]
pub(super) fn FindView(step: String, find: Find, code: String, searching: Memo<bool>) -> impl IntoView {
    let session = expect_context::<Session>();
    let place = expect_context::<Place>();
    let step = StoredValue::new(step);
    let Find { lines: right, because, .. } = find;
    let because = StoredValue::new(because);
    let right = StoredValue::new(right);
    // The line that was named last.
    let named = RwSignal::new(None::<u32>);
    let search = move || place.progress.with(|p| step.with_value(|step| p.search(step)));
    let name = move |line: u32| {
        let is_right = right.with_value(|right| right.contains(&line));
        named.set(Some(line));
        place.progress.update(|p| step.with_value(|step| p.name(step, line, is_right)));
        if is_right {
            request_animation_frame(|| browser::focus(".found"));
        }
    };
    let give_up = move |_| {
        place.progress.update(|p| step.with_value(|step| p.give_up(step)));
        request_animation_frame(|| browser::focus(".found"));
        session.run();
    };
    let verdict = move || {
        let search = search();
        let wrong = search.wrong.len();
        let mut parts = match (search.found, search.shown, named.get()) {
            (Some(line), ..) => vec![t().find_right(&line)],
            (None, true, _) => {
                let lines = right.with_value(|right| right.iter().map(u32::to_string).collect::<Vec<_>>());
                vec![t().find_shown(&lines.join(&format!(" {} ", t().find_or)))]
            }
            (None, false, Some(line)) => vec![t().find_wrong(&line)],
            (None, false, None) => Vec::new(),
        };
        parts.extend((wrong > 0).then(|| format::count(wrong, t().wrong_line_word, t().wrong_lines_word)));
        parts.join(" · ")
    };
    let over = move || search().is_over();
    let code = StoredValue::new(code);
    view! {
        <section class="find" aria-labelledby="find-title">
            <h3 id="find-title">{t().find_first}</h3>
            <Show when=move || searching.get()>
                <p id="find-how" class="faint">{t().find_how}</p>
                {code.with_value(|code| lines(code, search, name))}
                <div class="buttons">
                    <button type="button" class="quiet" title=t().find_give_up_title on:click=give_up>{t().find_give_up}</button>
                </div>
            </Show>
            <div class="found" tabindex="-1" role="status">
                <p><b>{verdict}</b></p>
                <Show when=over>
                    <div class="prose">{because.with_value(|because| prose::blocks(because.clone()))}</div>
                    <p>{t().find_mend}</p>
                </Show>
            </div>
        </section>
    }
}

/// The program's lines. One of them has the focus, and the arrow keys move it.
fn lines(
    code: &str,
    search: impl Fn() -> crate::app::progress::Search + Copy + Send + Sync + 'static,
    name: impl Fn(u32) + Copy + Send + Sync + 'static,
) -> AnyView {
    let full: Vec<u32> = (1..).zip(code.lines()).filter(|(_, line)| !line.trim().is_empty()).map(|(n, _)| n).collect();
    let at = RwSignal::new(full.first().copied().unwrap_or(1));
    let rows = (1..).zip(code.lines().map(str::to_string)).map(|(number, line): (u32, String)| {
        if line.trim().is_empty() {
            return view! { <li><span class="number" aria-hidden="true">{number}</span></li> }.into_any();
        }
        let wrong = move || search().wrong.contains(&number);
        view! {
            <li>
                <button
                    type="button"
                    id=format!("find-{number}")
                    tabindex=move || if at.get() == number { "0" } else { "-1" }
                    class:wrong=wrong
                    aria-disabled=move || wrong().then_some("true")
                    on:focus=move |_| at.set(number)
                    on:click=move |_| if !search().wrong.contains(&number) { name(number) }
                >
                    <span class="visually-hidden">{t().find_line(&number)}" "</span>
                    <span class="number" aria-hidden="true">{number}</span>
                    <code>{line}</code>
                </button>
            </li>
        }
        .into_any()
    });
    let rows = rows.collect_view();
    let first = full.first().copied();
    let last = full.last().copied();
    let keys = move |event: KeyboardEvent| {
        let here = full.iter().position(|line| *line == at.get_untracked()).unwrap_or(0);
        let to = match event.key().as_str() {
            "ArrowDown" => full.get(here + 1).copied(),
            "ArrowUp" => here.checked_sub(1).map(|before| full[before]),
            "Home" => first,
            "End" => last,
            _ => return,
        };
        event.prevent_default();
        if let Some(to) = to {
            at.set(to);
            browser::focus(&format!("#find-{to}"));
        }
    };
    view! { <ol class="find-lines" aria-describedby="find-how" on:keydown=keys>{rows}</ol> }.into_any()
}
