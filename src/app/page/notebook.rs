//! A notebook: cells with an editor each, and below each what it shows.

use leptos::html;
use leptos::prelude::*;
use web_sys::CustomEvent;

use super::browser;
use super::card::ErrorCard;
use super::panels::DevicesBelow;
use super::session::{Cell, Session, Status};
use super::workbench::{Choices, Trouble};
use crate::app::keys::Key;
use crate::app::pieces::Piece;
use crate::app::terminal;
use crate::app::texts::t;
use crate::notebook::Kind;

#[component]
pub(crate) fn NotebookView() -> impl IntoView {
    let session = expect_context::<Session>();
    let notebook = session.notebook;
    let busy =
        move || matches!(session.runner.status.get(), Status::Running { .. } | Status::Booting { pending: true });
    let stopping = move || session.runner.status.get() == Status::Running { stopping: true };
    let all = move || {
        let cells = notebook.cells.get_untracked();
        session.run_cells(cells.into_iter().filter(|cell| cell.kind == Kind::Code).map(|cell| cell.id));
    };
    view! {
        <section class="workbench notebook" id="program" aria-label=t().notebook>
            <div class="controls">
                <div class="buttons" role="group" aria-label=t().run_notebook>
                    <Show
                        when=busy
                        fallback=move || view! {
                            <button class="primary run" type="button" on:click=move |_| all()>{t().run_all}</button>
                        }
                    >
                        <button class="stop" type="button" disabled=stopping on:click=move |_| session.stop()>
                            {move || if stopping() { t().stopping } else { t().stop }}
                        </button>
                    </Show>
                    <button class="quiet" type="button" title=t().start_again_title on:click=move |_| session.start_again()>
                        {t().forget_variables}
                    </button>
                </div>
                <Choices/>
            </div>
            <Trouble/>
            <ol class="notebook-cells">
                <For each=move || notebook.cells.get() key=|cell| cell.id let:cell>
                    <CellView cell/>
                </For>
            </ol>
            <p class="foot">
                <button class="quiet" type="button" on:click=move |_| focus_cell(notebook.add_cell(None))>{t().add_cell}</button>
                <span class="keys">{t().cell_keys}</span>
            </p>
        </section>
        <DevicesBelow/>
    }
}

/// With more cells than this, all editors are plain text fields: each of the others lays out a document of its own.
const MANY: usize = 200;

/// Puts the cursor into a cell's editor, once it is there.
fn focus_cell(id: usize) {
    request_animation_frame(move || browser::focus(&format!("#cell-{id} textarea, #cell-{id} code-editor")));
}

#[component]
fn CellView(cell: Cell) -> impl IntoView {
    let session = expect_context::<Session>();
    let notebook = session.notebook;
    let id = cell.id;
    let is_code = cell.kind == Kind::Code;
    let active = move || notebook.active.get() == Some(id);
    let state = move || {
        let waits = notebook.waiting.with(|waiting| waiting.contains(&id));
        match (active() && notebook.running.get(), waits) {
            (true, _) => t().cell_running.to_string(),
            (false, true) => t().cell_waiting.to_string(),
            _ => cell.count.get().map_or(String::new(), |count| format!("In [{count}]")),
        }
    };
    let place = move || notebook.cells.with(|cells| cells.iter().position(|other| other.id == id).unwrap_or(0) + 1);
    let label = move || t().cell_number(&place());
    let delete = move |_| {
        notebook.delete(id);
    };
    let add = move |_| focus_cell(notebook.add_cell(Some(id)));
    let is_text = cell.kind == Kind::Markdown;
    let editing = RwSignal::new(!is_text || cell.source.with_untracked(|source| source.trim().is_empty()));
    let run = move |next: bool| {
        if is_code {
            session.run_cells([id]);
        } else {
            editing.set(!is_text);
        }
        if next {
            focus_cell(notebook.after(id).unwrap_or_else(|| notebook.add_cell(Some(id))));
        }
    };
    let edit = move |_| {
        editing.update(|editing| *editing = !*editing);
        if editing.get_untracked() {
            focus_cell(id);
        }
    };
    view! {
        <li class="cell" id=format!("cell-{id}") class:code=is_code>
            <div class="head">
                <span class="state" role="status">{state}</span>
                <div class="buttons" role="group" aria-label=label>
                    {is_code.then(|| view! {
                        <button type="button" title=t().run_keys_cell on:click=move |_| run(false)>{t().run}</button>
                    })}
                    {is_text.then(|| view! {
                        <button class="quiet" type="button" on:click=edit>
                            {move || if editing.get() { t().show_text } else { t().edit_text }}
                        </button>
                    })}
                    <button class="quiet" type="button" on:click=add>{t().add_below}</button>
                    <button class="quiet" type="button" on:click=delete>{t().delete_cell}</button>
                </div>
            </div>
            <Show
                when=move || editing.get()
                fallback=move || view! { <markdown-text class="prose" prop:value=move || cell.source.get()></markdown-text> }
            >
                <CellEditor cell label=Signal::derive(label) run/>
            </Show>
            {is_code.then(|| view! { <Pieces cell label=Signal::derive(label)/> })}
            <Show when=move || active() && is_code><ErrorCard/></Show>
        </li>
    }
}

#[component]
fn CellEditor(cell: Cell, label: Signal<String>, run: impl Fn(bool) + Copy + 'static) -> impl IntoView {
    let session = expect_context::<Session>();
    let textarea = NodeRef::<html::Textarea>::new();
    let many = session.notebook.cells.with_untracked(Vec::len) > MANY;
    let plain = many || browser::remembered(&Key::PLAIN).is_some() || cell.kind != Kind::Code;
    let error_line = move || {
        let line = session.runner.outcome.with(|o| o.as_ref()?.error.as_ref()?.line);
        let active = session.notebook.active.get() == Some(cell.id);
        if active && cell.is_as_it_ran() { line } else { None }
    };
    let focus_line = move || {
        let mark = session.playback.focus.get().filter(|_| cell.is_as_it_ran())?;
        (session.notebook.cell_of(mark) == Some(cell.id)).then(|| mark.attribute())
    };
    let input = move |_| {
        if let Some(area) = textarea.get_untracked() {
            session.edit_cell(cell, area.value());
        }
    };
    let rows = move || cell.source.with(|source| source.lines().count().clamp(2, 30).to_string());
    let ran = move |event: CustomEvent| run(event.detail().as_string().as_deref() == Some("next"));
    view! {
        <div class="editor">
            <code-editor
                label=label
                cell=""
                error-line=move || error_line().map(|l| l.to_string())
                focus-line=focus_line
                plain=plain.then_some("")
                prop:value=move || cell.source.get()
                on:run=ran
                on:input=input
            >
                <textarea
                    node_ref=textarea
                    aria-label=label
                    rows=rows
                    spellcheck="false"
                    autocapitalize="off"
                    autocomplete="off"
                    prop:value=move || cell.source.get()
                ></textarea>
            </code-editor>
        </div>
    }
}

/// What a cell shows.
#[component]
fn Pieces(cell: Cell, label: Signal<String>) -> impl IntoView {
    let any = move || cell.shown.with(|shown| !shown.is_empty());
    let pieces = move || cell.shown.get().into_iter().map(|piece| view! { <PieceView piece/> }).collect_view();
    view! {
        <Show when=any>
            <div class="log" role="log" aria-label=move || t().output_of(&label.get()) tabindex="0">
                {pieces}
            </div>
        </Show>
    }
}

#[component]
fn PieceView(piece: Piece) -> impl IntoView {
    match piece {
        Piece::Text(text) => view! { <pre class="stdout">{text}</pre> }.into_any(),
        Piece::Result(text) => view! { <pre class="result">{text}</pre> }.into_any(),
        Piece::Error(text) => {
            let lines = terminal::parts(&text)
                .into_iter()
                .map(|(aligned, part)| view! { <span class:aligned=aligned>{part.to_string()}</span> });
            view! { <pre class="stderr">{lines.collect_view()}</pre> }.into_any()
        }
        Piece::Picture { url, words } => view! { <img class="figure" src=url alt=words/> }.into_any(),
    }
}
