//! The editor, and the controls that run the program in it.

use leptos::html;
use leptos::prelude::*;
use web_sys::CustomEvent;

use super::browser;
use super::parts::executor_sentence;
use super::session::{Mark, Session, Status};
use crate::app::keys::Key;
use crate::app::texts::t;
use crate::machine::Machine;
use crate::protocol::ExecutorChoice;

/// The machines to choose from, described as their owners would.
fn machines() -> [(&'static str, &'static str); 6] {
    [
        ("cuda:1", t().one_gpu),
        ("cuda:2", t().two_gpus),
        ("cuda:4", t().four_gpus),
        ("mps", t().apple),
        ("cpu", t().no_gpu),
        ("cpu-build", t().no_gpu_build),
    ]
}

fn executors() -> [(&'static str, &'static str, ExecutorChoice); 3] {
    [
        ("auto", t().automatic, ExecutorChoice::Auto),
        ("webgpu", t().computed_by_gpu, ExecutorChoice::Webgpu),
        ("cpu", t().computed_by_cpu, ExecutorChoice::Cpu),
    ]
}

#[component]
pub(crate) fn Workbench() -> impl IntoView {
    view! {
        <section class="workbench" id="program" aria-label=t().program>
            <Controls/>
            <Editor/>
            <Trouble/>
        </section>
    }
}

#[component]
fn Controls() -> impl IntoView {
    let session = expect_context::<Session>();
    let running = move || matches!(session.runner.status.get(), Status::Running { .. });
    let waiting = move || session.runner.status.get() == Status::Booting { pending: true };
    let stopping = move || session.runner.status.get() == Status::Running { stopping: true };
    let broken = move || matches!(session.runner.status.get(), Status::Broken { .. });
    // The button that was pressed gives way to the other one, and that one takes over the focus.
    let pressed = StoredValue::new(false);
    Effect::new(move |_| {
        let button = if running() || waiting() { ".buttons .stop" } else { ".buttons .run" };
        if pressed.get_value() {
            request_animation_frame(move || browser::refocus(button));
        }
    });
    view! {
        <div class="controls">
            <div class="buttons" role="group" aria-label=t().run_program>
                <Show
                    when=move || running() || waiting()
                    fallback=move || view! {
                        <button
                            class="primary run"
                            type="button"
                            title=t().run_keys
                            aria-keyshortcuts="Control+Enter Meta+Enter"
                            disabled=broken
                            on:click=move |_| {
                                pressed.set_value(true);
                                session.run();
                            }
                        >
                            <svg viewBox="0 0 16 16" aria-hidden="true"><path d="M4 2.5v11l9-5.5z"/></svg>
                            {t().run}
                        </button>
                    }
                >
                    <button
                        class="stop"
                        type="button"
                        disabled=stopping
                        on:click=move |_| {
                            pressed.set_value(true);
                            session.runner.stop();
                        }
                    >
                        <svg viewBox="0 0 16 16" aria-hidden="true">
                            <rect x="3" y="3" width="10" height="10" rx="1.5"/>
                        </svg>
                        {move || if stopping() { t().stopping } else { t().stop }}
                    </button>
                </Show>
                <button
                    class="quiet"
                    type="button"
                    title=t().reset_title
                    on:click=move |_| session.reset()
                >
                    {t().reset}
                </button>
                <label class="check" title=t().step_title>
                    <input
                        type="checkbox"
                        prop:checked=move || session.program.stepping.get()
                        on:change=move |event| session.program.stepping.set(event_target_checked(&event))
                    />
                    {t().step_mode}
                </label>
            </div>
            <Choices/>
        </div>
    }
}

/// The machine, and what executes it.
#[component]
pub(crate) fn Choices() -> impl IntoView {
    let session = expect_context::<Session>();
    let running = move || matches!(session.runner.status.get(), Status::Running { .. });
    let machine_name = move || session.program.machine.with(|m| m.name.clone());
    let choose_machine = move |name: String| {
        if let Ok(machine) = Machine::preset(&name) {
            browser::remember(&Key::MACHINE, &name);
            session.choose_machine(machine);
        }
    };
    let executor = move || {
        let choice = session.program.choice.get();
        executors().iter().find(|(_, _, c)| *c == choice).map_or("auto", |(id, _, _)| id)
    };
    let choose_executor = move |id: String| {
        if let Some((_, _, choice)) = executors().into_iter().find(|(known, _, _)| *known == id) {
            session.program.choice.set(choice);
            session.prepare();
        }
    };
    view! {
        <div class="choices">
            <span class="field">
            <label for="machine">{t().machine}</label>
            <select
                id="machine"
                disabled=running
                prop:value=machine_name
                on:change=move |event| choose_machine(event_target_value(&event))
            >
                {machines()
                    .into_iter()
                    .map(|(name, title)| {
                        view! { <option value=name selected=move || machine_name() == name>{title}</option> }
                    })
                    .collect_view()}
            </select>
            </span>
            <span class="field">
            <label for="executor">{t().runs_on}</label>
            <select
                id="executor"
                disabled=running
                prop:value=executor
                on:change=move |event| choose_executor(event_target_value(&event))
            >
                {executors().into_iter().map(|(id, title, _)| view! { <option value=id>{title}</option> }).collect_view()}
            </select>
            </span>
        </div>
    }
}

/// The textarea holds the text. Once its script is loaded, `<code-editor>` shows a better editor in its place.
#[component]
fn Editor() -> impl IntoView {
    let session = expect_context::<Session>();
    let plain = RwSignal::new(browser::remembered(&Key::PLAIN).is_some());
    let textarea = NodeRef::<html::Textarea>::new();
    let error_line = move || {
        let line = session.runner.outcome.with(|o| o.as_ref()?.error.as_ref()?.line);
        if session.lines_match() { line } else { None }
    };
    let focus_line = move || session.playback.focus.get().filter(|_| session.lines_match()).map(Mark::attribute);
    let set_plain = move |on: bool| {
        plain.set(on);
        if on {
            browser::remember(&Key::PLAIN, "yes");
        } else {
            browser::forget(&Key::PLAIN);
        }
    };
    view! {
        <div class="editor">
            <code-editor
                label=t().python_program
                error-line=move || error_line().map(|l| l.to_string())
                focus-line=focus_line
                plain=move || plain.get().then_some("")
                prop:value=move || session.program.code.get()
                on:run=move |_: CustomEvent| session.run()
                on:input=move |_| if let Some(area) = textarea.get_untracked() { session.program.edit(area.value()) }
            >
                <textarea
                    node_ref=textarea
                    aria-label=t().python_program
                    rows="16"
                    spellcheck="false"
                    autocapitalize="off"
                    autocomplete="off"
                    wrap="off"
                    prop:value=move || session.program.code.get()
                ></textarea>
            </code-editor>
            <p class="foot">
                <span class="keys">{t().editor_keys}</span>
                <label class="check">
                    <input
                        type="checkbox"
                        prop:checked=move || plain.get()
                        on:change=move |event| set_plain(event_target_checked(&event))
                    />
                    {t().plain_text}
                </label>
            </p>
        </div>
    }
}

/// Why the previous engine ended, and what to report if it was a bug of ours.
#[component]
fn AccidentNotice() -> impl IntoView {
    let session = expect_context::<Session>();
    let said = RwSignal::new("");
    let sentence = move || session.runner.accident.with(|a| a.as_ref().map(|a| a.sentence.clone()));
    let report = move || session.runner.accident.with(|a| a.as_ref().and_then(|a| a.report.clone()));
    let first_line = move || report().and_then(|report| report.lines().next().map(str::to_string));
    let copy = move |_| {
        let Some(report) = report() else { return };
        js_sys::futures::spawn_local(async move {
            said.set(if browser::copy(report).await { t().report_copied } else { t().report_refused });
        });
    };
    view! {
        <div class="notice accident" role="alert">
            <p>{sentence}</p>
            <Show when=move || report().is_some()>
                <pre class="sample" tabindex="0">{first_line}</pre>
                <p>
                    <button type="button" on:click=copy>{t().copy_report}</button>
                    " "
                    <span role="status">{move || said.get()}</span>
                </p>
            </Show>
        </div>
    }
}

/// What prevents running the program, or storing it.
#[component]
pub(crate) fn Trouble() -> impl IntoView {
    let session = expect_context::<Session>();
    let reason = move || match session.runner.status.get() {
        Status::Broken { reason } => Some(reason),
        _ => None,
    };
    let without_gpu = move || {
        session.runner.capabilities.with(|c| c.as_ref().filter(|c| c.webgpu.is_err() || !c.jspi).map(executor_sentence))
    };
    view! {
        <Show when=move || reason().is_some()>
            <div class="notice bad" role="alert">
                <p><strong>{t().engine_stopped}" "</strong>{reason}</p>
                <button type="button" on:click=move |_| session.runner.restart()>{t().start_again}</button>
            </div>
        </Show>
        <Show when=move || session.runner.accident.with(Option::is_some)>
            <AccidentNotice/>
        </Show>
        <Show when=move || without_gpu().is_some()>
            <p class="notice plain">{without_gpu}</p>
        </Show>
        <Show when=move || session.program.unsaved.get()>
            <p class="notice" role="status">
                {t().keeps_nothing}
            </p>
        </Show>
    }
}
