//! The free playground: the examples, the learner's own programs, and the ways to save a program.

use leptos::html;
use leptos::prelude::*;

use super::browser;
use super::notebook::NotebookView;
use super::output::Output;
use super::panels::Sight;
use super::parts::{LinkButton, LinkWords, why_unreadable};
use super::session::{Document, Recording, Session};
use super::workbench::Workbench;
use crate::app::examples::{EXAMPLES, Example, Topic};
use crate::app::format;
use crate::app::keys::{self, Key};
use crate::app::notebook;
use crate::app::route::Route;
use crate::app::share::{self, Shared, Unreadable};
use crate::app::texts::t;
use crate::app::upload::{self, Refused};
use crate::machine::Machine;
use crate::protocol::GivenFile;
use crate::trace::{perfetto, snapshot};

/// A recorded run of the first example, so that the yards aren't empty while the engine loads.
const RECORDED: &str = include_str!("../examples/first.run.json");

/// What stands for the learner's notebook in the list of programs.
const NOTEBOOK: &str = "notebook";

/// The machine that was chosen last; at first a machine with one GPU.
pub(crate) fn remembered_machine() -> Machine {
    let preset = |name: String| Machine::preset(&name).ok();
    browser::remembered(&Key::MACHINE)
        .and_then(preset)
        .or_else(|| preset("cuda:1".into()))
        .expect("`cuda:1` is one of the presets")
}

pub(crate) fn example_document(example: Example) -> Document {
    Document { key: keys::example(example.id), starter: example.code.to_string(), ..Document::default() }
}

/// Draws the recorded run if the editor holds the program that was recorded.
pub(crate) fn show_recording(session: Session) {
    let same_program = session.program.code.with_untracked(|code| code == EXAMPLES[0].code);
    let same_machine = session.program.machine.with_untracked(|machine| machine.name == "cuda:1");
    let Ok(recording) = serde_json::from_str::<Recording>(RECORDED) else { return };
    if same_program && same_machine && !recording.events.is_empty() {
        session.show_recorded(recording);
    }
}

/// `packed` is a program from a link; `note` is what the page should say about that link.
#[component]
pub(crate) fn Playground(
    #[prop(optional)] packed: Option<String>,
    #[prop(optional)] note: Option<String>,
) -> impl IntoView {
    let session = expect_context::<Session>();
    let unreadable = RwSignal::new(None::<Unreadable>);
    match packed.as_deref().map(share::unpack) {
        Some(Ok(shared)) => open_shared(session, shared, packed.as_deref().unwrap_or_default()),
        other => {
            unreadable.set(other.and_then(Result::err));
            // Whether the editor holds a document of the playground. It doesn't when the learner comes back from a
            // lesson.
            let ours =
                |d: &Document| keys::example_of(&d.key).is_some() || (keys::is_brought(&d.key) && d.step.is_none());
            if !session.program.document.with_untracked(ours) {
                session.choose_machine(remembered_machine());
                if browser::remembered(&Key::NOTEBOOK_SHOWN).is_none() || !session.reopen_notebook() {
                    session.open(example_document(EXAMPLES[0]));
                    show_recording(session);
                }
            }
        }
    }
    let chosen = move |id: String| {
        if id == NOTEBOOK {
            session.reopen_notebook();
        } else if let Some(example) = EXAMPLES.iter().find(|e| e.id == id) {
            browser::forget(&Key::NOTEBOOK_SHOWN);
            session.open(example_document(*example));
            show_recording(session);
        }
    };
    let in_notebook = move || session.notebook.is_open.get();
    let current = move || match in_notebook() {
        true => NOTEBOOK.to_string(),
        false => session.program.document.with(|d| keys::example_of(&d.key).map_or("shared".into(), str::to_string)),
    };
    let own = move || !in_notebook() && session.program.document.with(|d| keys::example_of(&d.key).is_none());
    let kept = browser::remembered(&Key::NOTEBOOK).is_some();
    let has_notebook = move || kept || session.notebook.cells.with(|cells| !cells.is_empty());
    let group = move |topic: Topic| {
        let options = EXAMPLES
            .iter()
            .filter(|e| e.topic == topic)
            .map(|e| {
                let id = e.id;
                view! { <option value=id selected=move || current() == id>{(e.title)()}</option> }
            })
            .collect_view();
        view! { <optgroup label=topic.title()>{options}</optgroup> }
    };
    view! {
        <div class="columns">
            <div class="column work">
                <div class="intro">
                    <h1>{t().playground}</h1>
                    <p>{t().playground_intro}</p>
                </div>
                <Show when=move || unreadable.get().is_some()>
                    <p class="notice bad" role="alert">{move || unreadable.get().map(why_unreadable)}</p>
                </Show>
                {note.map(|note| view! { <p class="notice" role="alert">{note}</p> })}
                <div class="picker">
                    <label for="example">{t().program}</label>
                    <select id="example" prop:value=current on:change=move |event| chosen(event_target_value(&event))>
                        <Show when=own>
                            <option value="shared" selected=true>{t().own_program}</option>
                        </Show>
                        <Show when=has_notebook>
                            <option value=NOTEBOOK selected=in_notebook>{t().own_notebook}</option>
                        </Show>
                        {Topic::ALL.into_iter().map(group).collect_view()}
                    </select>
                    <Files/>
                </div>
                <Show
                    when=move || session.notebook.is_open.get()
                    fallback=|| view! { <Workbench/> <Output/> }
                >
                    <NotebookView/>
                </Show>
            </div>
            <div class="column sight">
                <Sight/>
            </div>
        </div>
    }
}

/// Puts a program from a link into the editor. It never runs by itself.
fn open_shared(session: Session, shared: Shared, packed: &str) {
    let key = keys::link(packed);
    if session.program.document.with_untracked(|d| d.key == key && d.step.is_none()) {
        return;
    }
    let machine = shared.machine.as_deref().and_then(|m| Machine::preset(m).ok());
    session.choose_machine(machine.unwrap_or_else(remembered_machine));
    browser::forget(&Key::NOTEBOOK_SHOWN);
    session.open(Document { key, starter: shared.code, ..Document::default() });
}

/// Upload, downloads, and the share link.
#[component]
pub(crate) fn Files() -> impl IntoView {
    let session = expect_context::<Session>();
    let field = NodeRef::<html::Input>::new();
    let said = RwSignal::new(None::<String>);
    let opened = move |_| {
        let Some(field) = field.get_untracked() else { return };
        js_sys::futures::spawn_local(async move {
            let Some((name, bytes)) = browser::chosen_file(field).await else { return };
            if upload::is_checkpoint(&name) {
                let name = upload::plain_name(&name);
                return said.set(Some(match give(session, &name, bytes) {
                    Ok(()) => t().file_given(&name),
                    Err(Refused::TooLarge) => t().file_given_too_large.into(),
                    Err(Refused::NotCheckpoint) => t().file_not_checkpoint.into(),
                    Err(Refused::Truncated) => t().file_truncated.into(),
                }));
            }
            said.set(open_program(session, &name, &bytes).err().map(Into::into));
        });
    };
    let others = NodeRef::<html::Input>::new();
    let added = move |_| {
        let Some(field) = others.get_untracked() else { return };
        js_sys::futures::spawn_local(async move {
            let files = browser::chosen_files(field, upload::LARGEST, |path| Some(upload::plain_name(path))).await;
            said.set(Some(give_all(session, files)));
        });
    };
    let folder = NodeRef::<html::Input>::new();
    let opened_folder = move |_| {
        let Some(field) = folder.get_untracked() else { return };
        js_sys::futures::spawn_local(async move {
            let Some(mut files) = browser::chosen_files(field, upload::LARGEST, upload::path_inside).await else {
                return said.set(Some(t().file_given_too_large.into()));
            };
            let paths: Vec<String> = files.iter().map(|(path, _)| path.clone()).collect();
            let Some(at) = upload::program_of(&paths) else { return said.set(Some(t().folder_without_program.into())) };
            let (name, bytes) = files.remove(at);
            said.set(Some(match open_program(session, &name, &bytes) {
                Ok(()) => give_all(session, Some(files)),
                Err(why) => why.into(),
            }));
        });
    };
    let save = move |kind: &'static str| {
        let code = session.program.code.get_untracked();
        match kind {
            "py" => {
                let code = match session.notebook.is_open.get_untracked() {
                    true => notebook::to_program(&session.notebook.stored()),
                    false => code,
                };
                browser::download("program.py", "text/x-python", code.as_bytes());
            }
            "ipynb" => {
                let notebook = match session.notebook.is_open.get_untracked() {
                    true => session.notebook.stored().write(),
                    false => notebook::to_notebook(&code),
                };
                browser::download("program.ipynb", "application/x-ipynb+json", notebook.as_bytes());
            }
            "trace" => {
                let events: Vec<_> = session.playback.with_timeline(|t| t.events().cloned().collect());
                let mut out = Vec::new();
                if perfetto::write(&events, &mut out).is_ok() {
                    browser::download("trace.json", "application/json", &out);
                }
            }
            _ => {
                let events: Vec<_> = session.playback.with_timeline(|t| t.events().cloned().collect());
                match snapshot::of_events(&events).map(|data| snapshot::pickle(&data)) {
                    Some(bytes) => browser::download("snapshot.pickle", "application/octet-stream", &bytes),
                    None => said.set(Some(t().no_snapshot.into())),
                }
            }
        }
    };
    let nothing_ran = move || session.playback.picture.with(|p| p.events == 0);
    view! {
        <details class="files">
            <summary>{t().files}</summary>
            <div class="sheet">
                <label class="upload">
                    {t().open_file}
                    <input node_ref=field type="file" accept=".py,.ipynb,.pt,.pth" on:change=opened/>
                </label>
                <label class="upload">
                    {t().add_files}
                    <input node_ref=others type="file" multiple on:change=added/>
                </label>
                <label class="upload">
                    {t().open_folder}
                    <input node_ref=folder type="file" prop:webkitdirectory=true on:change=opened_folder/>
                </label>
                <Given/>
                <div class="buttons" role="group" aria-label=t().save_as>
                    <span>{t().save_as}</span>
                    <button type="button" on:click=move |_| save("py")>".py"</button>
                    <button type="button" on:click=move |_| save("ipynb")>".ipynb"</button>
                    <button type="button" disabled=nothing_ran on:click=move |_| save("trace")>{t().trace_file}</button>
                    <button type="button" disabled=nothing_ran on:click=move |_| save("snapshot")>{t().snapshot_file}</button>
                </div>
                <p class="faint" role="status">{move || said.get()}</p>
                <Show when=move || !session.notebook.is_open.get()><CopyLink/></Show>
            </div>
        </details>
    }
}

/// A link that carries the program and, if it belongs to a lesson, its place there.
#[component]
pub(crate) fn CopyLink() -> impl IntoView {
    let session = expect_context::<Session>();
    let words =
        LinkWords { button: t().copy_link, field: t().link_label, copied: t().link_copied, ready: t().link_ready };
    view! { <LinkButton words route=move || Route::Shared(pack(session))/> }
}

/// Opens a program or a notebook from a file.
///
/// # Errors
/// Why it can't be opened.
fn open_program(session: Session, name: &str, bytes: &[u8]) -> Result<(), &'static str> {
    let why = |why| match why {
        notebook::Unreadable::TooLarge => t().file_too_large,
        notebook::Unreadable::NotebookTooLarge => t().notebook_too_large,
        notebook::Unreadable::NotText => t().file_not_text,
        notebook::Unreadable::NotNotebook => t().file_not_notebook,
        notebook::Unreadable::TooOld => t().notebook_too_old,
        notebook::Unreadable::NoCode => t().file_no_code,
        notebook::Unreadable::TooManyCells => t().notebook_too_many_cells,
    };
    match notebook::from_file(name, bytes).map_err(why)? {
        notebook::Opened::Program(code) => {
            browser::forget(&Key::NOTEBOOK_SHOWN);
            session.open_unkept(Document { key: keys::file(), starter: code, ..Document::default() });
        }
        notebook::Opened::Notebook(notebook) => {
            session.open_notebook(notebook);
        }
    }
    Ok(())
}

/// Stores files for programs to read and import. Returns what to say about that.
fn give_all(session: Session, files: Option<Vec<(String, Vec<u8>)>>) -> String {
    let mut given = Vec::new();
    for (name, bytes) in files.into_iter().flatten() {
        match give(session, &name, bytes) {
            Ok(()) => given.push(name),
            Err(Refused::TooLarge) => return t().file_given_too_large.into(),
            Err(Refused::NotCheckpoint) => return format!("{name}: {}", t().file_not_checkpoint),
            Err(Refused::Truncated) => return format!("{name}: {}", t().file_truncated),
        }
    }
    if given.is_empty() { String::new() } else { t().files_given(&given.join(", ")) }
}

/// Stores a file for programs to read. It replaces an earlier file with the same name.
fn give(session: Session, name: &str, bytes: Vec<u8>) -> Result<(), Refused> {
    if upload::is_checkpoint(name) {
        upload::check(&bytes)?;
    }
    let others = session.program.files.with_untracked(|files| {
        files.iter().filter(|file| file.name != name).map(|file| file.bytes.len()).sum::<usize>()
    });
    if others + bytes.len() > upload::LARGEST {
        return Err(Refused::TooLarge);
    }
    session.program.files.update(|files| {
        files.retain(|file| file.name != name);
        files.push(GivenFile { name: name.to_string(), bytes });
    });
    Ok(())
}

/// The files that programs can read.
#[component]
fn Given() -> impl IntoView {
    let session = expect_context::<Session>();
    let files = move || {
        let sizes = |files: &Vec<GivenFile>| files.iter().map(|f| (f.name.clone(), f.bytes.len())).collect::<Vec<_>>();
        session.program.files.with(sizes)
    };
    view! {
        <ul class="given" aria-label=t().given_files>
            <For each=files key=Clone::clone let:file>
                <li>
                    <code>{file.0.clone()}</code>
                    <span class="faint">{format::bytes(file.1)}</span>
                    <button
                        class="quiet"
                        type="button"
                        on:click=move |_| session.program.files.update(|files| files.retain(|f| f.name != file.0))
                    >
                        {t().remove_file(&file.0)}
                    </button>
                </li>
            </For>
        </ul>
    }
}

fn pack(session: Session) -> String {
    let machine = session.program.machine.with_untracked(|m| m.name.clone());
    let machine = Machine::PRESETS.contains(&machine.as_str()).then_some(machine);
    let lesson = session.program.document.with_untracked(|d| d.step.clone());
    session.program.code.with_untracked(|code| share::pack(code, machine, lesson))
}
