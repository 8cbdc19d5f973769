//! The browser's part of the page.

pub mod browser;
mod engine;
pub mod session;

mod card;
pub mod devices;
mod figures;
mod lesson;
mod lessons;
mod output;
pub mod prose;
mod workbench;

use leptos::ev;
use leptos::html;
use leptos::prelude::*;

use self::devices::Devices;
use self::figures::{Curves, ScoreLine};
use self::lesson::LessonPage;
use self::lessons::{Catalogue, LessonList};
use self::output::Output;
use self::session::{Document, Recording, Session, Status};
use self::workbench::Workbench;
use super::examples::{EXAMPLES, Example};
use super::route::Route;
use crate::machine::Machine;
use crate::protocol::Capabilities;

/// A run of the first example, recorded with this engine: the yards are not empty before it is ready.
const RECORDED: &str = include_str!("../examples/first.run.json");

/// Puts the page into the document's `<main>`-less body.
pub fn mount() {
    leptos::mount::mount_to_body(App);
}

#[component]
fn App() -> impl IntoView {
    let session = Session::new(example_document(EXAMPLES[0]), remembered_machine());
    provide_context(session);
    provide_context(Catalogue::fetch());
    show_recording(session);

    let main = NodeRef::<html::Main>::new();
    let route = RwSignal::new(Route::parse(&location_hash().unwrap_or_default()));
    let listener = window_event_listener(ev::hashchange, move |_| {
        route.set(Route::parse(&location_hash().unwrap_or_default()));
    });
    on_cleanup(move || listener.remove());

    view! {
        <a
            class="skip"
            href="#main"
            on:click=move |event| {
                // The address's fragment names the view, so this link moves the focus itself.
                event.prevent_default();
                if let Some(main) = main.get_untracked() {
                    let _ = main.focus();
                }
            }
        >
            "Skip to the content"
        </a>
        <Header route/>
        <main id="main" tabindex="-1" node_ref=main>
            {move || match route.get() {
                Route::Playground => view! { <Playground/> }.into_any(),
                Route::Lessons => view! { <LessonList/> }.into_any(),
                Route::Lesson(id) => view! { <LessonPage id/> }.into_any(),
            }}
        </main>
    }
}

/// The machine that was chosen last; one GPU at first.
fn remembered_machine() -> Machine {
    let preset = |name: String| Machine::preset(&name).ok();
    browser::remembered("machine")
        .and_then(preset)
        .or_else(|| preset("cuda:1".into()))
        .expect("`cuda:1` is one of the presets")
}

fn example_document(example: Example) -> Document {
    Document { key: format!("example.{}", example.id), starter: example.code.to_string(), checks: Vec::new() }
}

/// Draws the recorded run, if the editor holds the program that it is of.
fn show_recording(session: Session) {
    let same_program = session.code.with_untracked(|code| code == EXAMPLES[0].code);
    let same_machine = session.machine.with_untracked(|machine| machine.name == "cuda:1");
    let Ok(recording) = serde_json::from_str::<Recording>(RECORDED) else { return };
    if same_program && same_machine && !recording.events.is_empty() {
        session.show_recorded(recording);
    }
}

#[component]
fn Header(route: RwSignal<Route>) -> impl IntoView {
    let current = move |this: Route| move || (route.get() == this).then_some("page");
    view! {
        <header class="bar">
            <a class="brand" href="#/">
                <svg class="mark" viewBox="0 0 28 28" aria-hidden="true">
                    <rect class="mark-a" x="2" y="4" width="14" height="9" rx="2"/>
                    <rect class="mark-b" x="18" y="4" width="8" height="9" rx="2"/>
                    <rect class="mark-c" x="2" y="15" width="8" height="9" rx="2"/>
                    <rect class="mark-d" x="12" y="15" width="14" height="9" rx="2"/>
                </svg>
                "Tensoryard"
            </a>
            <nav aria-label="Views">
                <a href=Route::Playground.fragment() aria-current=current(Route::Playground)>"Playground"</a>
                <a href=Route::Lessons.fragment() aria-current=current(Route::Lessons)>"Lessons"</a>
            </nav>
            <EngineChip/>
            <ThemeSwitch/>
        </header>
    }
}

/// What executes programs, and why if that is the CPU.
#[component]
fn EngineChip() -> impl IntoView {
    let session = expect_context::<Session>();
    let state = move || match session.status.get() {
        Status::Booting { .. } => "booting",
        Status::Idle => "ready",
        Status::Running { .. } => "running",
        Status::Broken { .. } => "broken",
    };
    let text = move || match session.status.get() {
        Status::Booting { .. } => "Engine loading…".to_string(),
        Status::Broken { .. } => "Engine not running".to_string(),
        Status::Running { .. } => "Running".to_string(),
        Status::Idle => session.capabilities.with(|c| c.as_ref().map_or("Ready".into(), short_executor)),
    };
    let title = move || session.capabilities.with(|c| c.as_ref().map(executor_sentence));
    view! {
        <p class="chip engine" data-state=state title=title role="status">
            <span class="dot" aria-hidden="true"></span>
            <span>{text}</span>
        </p>
    }
}

fn short_executor(capabilities: &Capabilities) -> String {
    match (&capabilities.webgpu, capabilities.jspi) {
        (Ok(_), true) => "Ready on WebGPU".into(),
        _ => "Ready on the CPU executor".into(),
    }
}

/// One sentence about what executes accelerators here.
pub(crate) fn executor_sentence(capabilities: &Capabilities) -> String {
    match (&capabilities.webgpu, capabilities.jspi) {
        (Ok(adapter), true) => format!("WebGPU: {adapter}"),
        (_, false) => "CPU executor: this browser cannot suspend WebAssembly (JSPI), so Python cannot wait for a GPU. \
                       Chrome 137, Firefox 153 and Safari 27 can."
            .into(),
        (Err(reason), _) => format!("CPU executor: {reason}"),
    }
}

/// Light, dark, or as the system says.
#[component]
fn ThemeSwitch() -> impl IntoView {
    let theme = RwSignal::new(browser::remembered("theme").unwrap_or_else(|| "auto".into()));
    Effect::new(move |_| {
        let theme = theme.get();
        if let Some(root) = document().document_element() {
            let _ = root.set_attribute("data-theme", &theme);
        }
        browser::remember("theme", &theme);
    });
    let next = move || match theme.get().as_str() {
        "auto" => "light",
        "light" => "dark",
        _ => "auto",
    };
    let label = move || match theme.get().as_str() {
        "light" => "Light",
        "dark" => "Dark",
        _ => "Auto",
    };
    view! {
        <button
            class="quiet theme"
            type="button"
            aria-label=move || format!("Colours: {}. Change to {}", label().to_lowercase(), next())
            on:click=move |_| theme.set(next().to_string())
        >
            <svg viewBox="0 0 16 16" aria-hidden="true">
                <circle cx="8" cy="8" r="6.2" fill="none" stroke="currentColor" stroke-width="1.6"/>
                <path d="M8 1.8a6.2 6.2 0 0 1 0 12.4z" fill="currentColor"/>
            </svg>
            <span>{label}</span>
        </button>
    }
}

#[component]
fn Playground() -> impl IntoView {
    let session = expect_context::<Session>();
    // Coming back from a lesson.
    if !session.document.with_untracked(|d| d.key.starts_with("example.")) {
        session.choose_machine(remembered_machine());
        session.open(example_document(EXAMPLES[0]));
        show_recording(session);
    }
    let chosen = move |id: String| {
        if let Some(example) = EXAMPLES.iter().find(|e| e.id == id) {
            session.open(example_document(*example));
            show_recording(session);
        }
    };
    let current = move || session.document.with(|d| d.key.trim_start_matches("example.").to_string());
    view! {
        <div class="columns">
            <div class="column work">
                <div class="intro">
                    <h1>"See where your tensors live."</h1>
                    <p>
                        "Write PyTorch. Every tensor, every copy between devices and every byte of device memory \
                         is drawn as it happens."
                    </p>
                </div>
                <div class="picker">
                    <label for="example">"Program"</label>
                    <select
                        id="example"
                        prop:value=current
                        on:change=move |event| chosen(event_target_value(&event))
                    >
                        {EXAMPLES
                            .iter()
                            .map(|e| view! { <option value=e.id>{e.title}</option> })
                            .collect_view()}
                    </select>
                </div>
                <Workbench/>
                <Output/>
            </div>
            <div class="column sight">
                <Devices/>
                <ScoreLine/>
                <Curves/>
            </div>
        </div>
    }
}
