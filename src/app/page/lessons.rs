//! The list of lessons, and how a lesson's file is fetched.

use std::collections::BTreeMap;

use leptos::html;
use leptos::prelude::*;
use leptos::wasm_bindgen::JsCast;
use serde::Deserialize;

use super::browser;
use super::parts::{LinkButton, LinkWords, sentence, why_unreadable};
use crate::app::course::{self, Next, Standing};
use crate::app::format;
use crate::app::keys::Key;
use crate::app::progress::{Backup, Cost, Progress};
use crate::app::route::{Route, is_id};
use crate::app::share;
use crate::app::texts::{Language, spoken, t};
use crate::language;
use crate::lesson::{Lesson, LessonFile, Track};
use crate::protocol::GivenFile;

/// An entry of the served list of lessons.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub(crate) struct Entry {
    pub id: String,
    /// Its file name, relative to the list.
    pub file: String,
    pub title: String,
    pub minutes: u32,
    /// Its title in each language that it's translated into. A translation's file is in a folder named after the
    /// language.
    pub titles: BTreeMap<String, String>,
    /// Its part of the course, as in [`course::PARTS`].
    #[serde(default)]
    pub part: Option<String>,
    /// The track that it belongs to instead, and how hard it is there.
    #[serde(default)]
    pub track: Option<Track>,
    #[serde(default)]
    pub level: Option<u32>,
    /// What the learner can do after it: the rest of the sentence "After this you can …", in each language.
    #[serde(default)]
    pub aim: Option<String>,
    #[serde(default)]
    pub aims: BTreeMap<String, String>,
    /// What the solution of each exercise costs, by the step's id.
    #[serde(default)]
    pub solutions: BTreeMap<String, Cost>,
}

impl Entry {
    /// Its title in `language`, or in the original language if there is no translation.
    pub(crate) fn title_in(&self, language: Language) -> &str {
        self.titles.get(language.code()).unwrap_or(&self.title)
    }

    fn aim_in(&self, language: Language) -> Option<&str> {
        self.aims.get(language.code()).or(self.aim.as_ref()).map(String::as_str)
    }

    fn progress(&self) -> Progress {
        Progress::parse(browser::remembered(&Key::progress(&self.id)))
    }

    fn standing(&self) -> Standing {
        let progress = self.progress();
        Standing { begun: !progress.done.is_empty() || progress.at > 0, complete: progress.is_complete() }
    }
}

/// Something that is being fetched, or was.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Fetched<T> {
    Waiting,
    Here(T),
    Failed(String),
}

/// The list, fetched once per page load.
#[derive(Clone, Copy)]
pub(crate) struct Catalogue(pub RwSignal<Fetched<Vec<Entry>>>);

impl Catalogue {
    pub(crate) fn fetch() -> Catalogue {
        let list = RwSignal::new(Fetched::Waiting);
        js_sys::futures::spawn_local(async move {
            let entries = match text("lessons/index.json").await {
                Ok(text) => serde_json::from_str(&text).map_err(|error| error.to_string()),
                Err(reason) => Err(reason),
            };
            list.set(match entries {
                Ok(entries) => {
                    let entries: Vec<Entry> = entries;
                    language::offer(entries.iter().flat_map(|entry| entry.titles.keys()).map(String::as_str));
                    Fetched::Here(entries)
                }
                Err(reason) => Fetched::Failed(reason),
            });
        });
        Catalogue(list)
    }
}

/// Fetches and reads a lesson, in the page's language if a translation exists. The error is a sentence for the visitor.
pub(crate) async fn lesson(entry: &Entry) -> Result<Lesson, String> {
    let lesson = read(&entry.file).await?;
    let language = spoken().code();
    if !entry.titles.contains_key(language) {
        return Ok(lesson);
    }
    lesson.in_words_of(&read(&format!("{language}/{}", entry.file)).await?)
}

async fn read(file: &str) -> Result<Lesson, String> {
    let text = text(&format!("lessons/{file}")).await?;
    Lesson::parse(&text, file).map_err(|faults| faults.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))
}

/// Fetches the files that a lesson gives to its programs. The error is a sentence for the visitor.
pub(super) async fn files(lesson: &Lesson) -> Result<Vec<GivenFile>, String> {
    let mut files = Vec::new();
    for LessonFile { name, .. } in &lesson.files {
        let path = format!("lessons/files/{name}");
        let buffer = response(&path).await?.array_buffer().map_err(|error| failed(&path, error))?;
        let buffer = js_sys::futures::JsFuture::from(buffer).await.map_err(|error| failed(&path, error))?;
        files.push(GivenFile { name: name.clone(), bytes: js_sys::Uint8Array::new(&buffer).to_vec() });
    }
    Ok(files)
}

/// A text file of this site.
pub(super) async fn text(path: &str) -> Result<String, String> {
    let text = response(path).await?.text().map_err(|error| failed(path, error))?;
    let text = js_sys::futures::JsFuture::from(text).await.map_err(|error| failed(path, error))?;
    Ok(text.as_string().unwrap_or_default())
}

async fn response(path: &str) -> Result<web_sys::Response, String> {
    let response = js_sys::futures::JsFuture::from(window().fetch_with_str(path)).await;
    let response: web_sys::Response = response.map_err(|error| failed(path, error))?.unchecked_into();
    if response.ok() { Ok(response) } else { Err(t().fetch_status(&path, &response.status())) }
}

fn failed(path: &str, error: leptos::wasm_bindgen::JsValue) -> String {
    let reason = js_sys::Error::from(error).message();
    t().fetch_failed(&path, &String::from(reason))
}

/// A track's name and its line.
pub(crate) fn track_words(track: Track) -> (&'static str, &'static str) {
    match track {
        Track::Debug => (t().track_debug, t().track_debug_line),
        Track::Puzzles => (t().track_puzzles, t().track_puzzles_line),
    }
}

/// Links to what stands beside the course, in one line: the tracks that this site has, and the anatomy.
#[component]
pub(crate) fn Beside() -> impl IntoView {
    let Catalogue(list) = expect_context();
    let tracks = move || {
        let Fetched::Here(entries) = list.get() else { return Vec::new() };
        let tracks = Track::ALL.into_iter().filter(|track| entries.iter().any(|entry| entry.track == Some(*track)));
        let link = |track: Track| view! { <a href=Route::Track(track).fragment()>{track_words(track).0}</a>" · " };
        tracks.map(link).collect()
    };
    view! {
        <p class="beside">
            {t().beside_the_course}" "{tracks}<a href=Route::Anatomy(None).fragment()>{t().anatomy}</a>
        </p>
    }
}

/// `packed` is progress from a link.
#[component]
pub(crate) fn LessonList(#[prop(optional)] packed: Option<String>) -> impl IntoView {
    view! {
        <div class="page">
            <div class="intro">
                <h1>{t().lessons}</h1>
                <p>{t().lessons_intro}</p>
            </div>
            {packed.map(|packed| view! { <Carried packed/> })}
            <GoOn/>
            <Beside/>
            <Lessons/>
            <Keep/>
        </div>
    }
}

/// The button that leads to where the learner goes on: the first lesson for newcomers.
#[component]
pub(crate) fn GoOn() -> impl IntoView {
    let Catalogue(list) = expect_context();
    move || {
        let (entry, words) = match list.with(onward)? {
            Onward::Start(entry) => {
                let title = entry.title_in(spoken()).to_string();
                (entry, t().start_with(&title))
            }
            Onward::Continue(entry) => {
                let title = entry.title_in(spoken()).to_string();
                (entry, t().go_on_with(&title))
            }
            Onward::Finished => return None,
        };
        Some(
            view! { <p class="actions"><a class="button primary" href=Route::Lesson(entry.id).fragment()>{words}</a></p> },
        )
    }
}

/// The lessons of the course: those of no track.
pub(crate) fn course_of(entries: &[Entry]) -> Vec<Entry> {
    entries.iter().filter(|entry| entry.track.is_none()).cloned().collect()
}

/// The lessons by parts, each with its entries.
fn in_parts(entries: &[Entry]) -> Vec<(Option<usize>, Vec<Entry>)> {
    let entries = course_of(entries);
    let groups = course::groups(entries.iter().map(|entry| entry.part.as_deref()));
    let entries_of = |group: course::Group| (group.part, group.lessons.iter().map(|&at| entries[at].clone()).collect());
    groups.into_iter().map(entries_of).collect()
}

/// Where the learner goes on.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Onward {
    Start(Entry),
    Continue(Entry),
    Finished,
}

/// Where the learner goes on in the course; `None` until the list is there.
pub(crate) fn onward(list: &Fetched<Vec<Entry>>) -> Option<Onward> {
    let Fetched::Here(entries) = list else { return None };
    let course: Vec<Entry> = in_parts(entries).into_iter().flat_map(|(_, entries)| entries).collect();
    let standings: Vec<Standing> = course.iter().map(Entry::standing).collect();
    let last = browser::remembered(&Key::LAST).and_then(|id| course.iter().position(|entry| entry.id == id));
    Some(match course::next(&standings, last) {
        Next::Start(at) => Onward::Start(course[at].clone()),
        Next::Continue(at) => Onward::Continue(course[at].clone()),
        Next::Finished => Onward::Finished,
    })
}

/// The list itself: the parts of the course with their lessons, and how far the learner is.
#[component]
pub(crate) fn Lessons(
    /// The level of the parts' headings.
    #[prop(optional)]
    below: bool,
) -> impl IntoView {
    let Catalogue(list) = expect_context();
    move || match list.get() {
        Fetched::Waiting => view! { <p class="faint" role="status">{t().loading_list}</p> }.into_any(),
        Fetched::Failed(reason) => view! { <p class="notice bad" role="alert">{reason}</p> }.into_any(),
        Fetched::Here(ref entries) => {
            let next = match onward(&list.get()) {
                Some(Onward::Start(entry) | Onward::Continue(entry)) => Some(entry.id),
                _ => None,
            };
            let parts = in_parts(entries);
            let only = parts.len() == 1;
            let part = |(part, entries): (Option<usize>, Vec<Entry>)| {
                view! { <PartView part entries next=next.clone() titled=part.is_some() || !only below/> }
            };
            view! { <div class="course">{parts.into_iter().map(part).collect_view()}</div> }.into_any()
        }
    }
}

/// A part's name and its line, by its place in [`course::PARTS`].
fn part_words(part: Option<usize>) -> (&'static str, &'static str) {
    match part {
        Some(0) => (t().part_0, t().part_0_line),
        Some(1) => (t().part_a, t().part_a_line),
        Some(2) => (t().part_b, t().part_b_line),
        Some(3) => (t().part_c, t().part_c_line),
        Some(4) => (t().part_d, t().part_d_line),
        Some(5) => (t().part_e, t().part_e_line),
        Some(6) => (t().part_f, t().part_f_line),
        Some(7) => (t().part_g, t().part_g_line),
        _ => (t().part_none, t().part_none_line),
    }
}

#[component]
fn PartView(
    part: Option<usize>,
    entries: Vec<Entry>,
    next: Option<String>,
    titled: bool,
    below: bool,
) -> impl IntoView {
    let (name, line) = part_words(part);
    let done = entries.iter().filter(|entry| entry.standing().complete).count();
    let minutes: u32 = entries.iter().map(|entry| entry.minutes).sum();
    let (count, share) = (entries.len(), format!("{:.1}%", 100.0 * done as f64 / entries.len().max(1) as f64));
    let letter = part.and_then(|part| course::PARTS.get(part)).map(|part| part.to_uppercase());
    let id = format!("part-{}", letter.as_deref().unwrap_or("more"));
    let heading = match below {
        true => view! { <h3 id=id.clone()>{name}</h3> }.into_any(),
        false => view! { <h2 id=id.clone()>{name}</h2> }.into_any(),
    };
    let items = entries.into_iter().map(|entry| {
        let next = next.as_ref() == Some(&entry.id);
        view! { <Item entry next/> }
    });
    let list = view! { <ol class="lessons">{items.collect_view()}</ol> };
    if !titled {
        return list.into_any();
    }
    view! {
        <section class="part" aria-labelledby=id>
            <header>
                {letter.map(|letter| view! { <span class="letter" aria-hidden="true">{letter}</span> })}
                {heading}
                <p class="line">{line}</p>
                <p class="so-far">
                    <span>{t().lessons_done(&done, &count)}", "{t().minutes(&minutes)}</span>
                    <span class="so-far-bar" aria-hidden="true"><span style:width=share></span></span>
                </p>
            </header>
            {list}
        </section>
    }
    .into_any()
}

#[component]
fn Item(entry: Entry, next: bool) -> impl IntoView {
    let progress = entry.progress();
    let complete = progress.is_complete();
    let minutes = t().minutes(&entry.minutes);
    let state = match (complete, progress.done.len()) {
        (true, _) => t().done.to_string(),
        (false, 0) => minutes,
        (false, n) => format!("{}, {minutes}", t().of_steps(&n, &progress.steps)),
    };
    let aim = entry.aim_in(spoken()).map(|aim| sentence(&t().aim_sentence(&aim)));
    view! {
        <li class:done=complete class:next=next>
            <div>
                <a href=Route::Lesson(entry.id.clone()).fragment()>{entry.title_in(spoken()).to_string()}</a>
                {aim.map(|aim| view! { <p class="aim">{aim}</p> })}
            </div>
            {next.then(|| view! { <span class="up-next">{t().up_next}</span> })}
            <span class="state">{state}</span>
        </li>
    }
}

/// A link to where the learner goes on, for the bar above every view. Newcomers find theirs on the home page.
#[component]
pub(crate) fn ContinueLink(route: RwSignal<Route>) -> impl IntoView {
    let Catalogue(list) = expect_context();
    move || {
        let here = route.get();
        let entry = match list.with(onward)? {
            Onward::Continue(entry) => entry,
            Onward::Start(_) | Onward::Finished => return None,
        };
        let there = Route::Lesson(entry.id.clone());
        (here != there).then(|| {
            view! { <a class="go-on" href=there.fragment()>{t().go_on_with(&entry.title_in(spoken()))}</a> }
        })
    }
}

/// Progress from a link, which the visitor may add to their own.
#[component]
fn Carried(packed: String) -> impl IntoView {
    match share::unpack_progress(&packed) {
        Err(why) => view! { <p class="notice bad" role="alert">{why_unreadable(why)}</p> }.into_any(),
        Ok(backup) => {
            let done: usize = backup.progress().map(|(_, progress)| progress.done.len()).sum();
            if done == 0 {
                return view! { <p class="notice plain" role="status">{t().progress_none_carried}</p> }.into_any();
            }
            let done = format::count(done, t().step_word, t().steps_word);
            let take = move |_| {
                let lessons: Vec<(String, Progress)> = backup.progress().collect();
                for (lesson, carried) in &lessons {
                    let key = Key::progress(lesson);
                    let mut progress = Progress::parse(browser::remembered(&key));
                    progress.join(carried);
                    browser::remember(&key, &progress.text());
                }
                let next = match lessons.as_slice() {
                    [(lesson, _)] if is_id(lesson) => Route::Lesson(lesson.clone()),
                    _ => Route::Lessons,
                };
                browser::go(&next.fragment());
            };
            view! {
                <section class="keep" aria-labelledby="carried-title">
                    <h2 id="carried-title">{t().progress_carried}</h2>
                    <p>{t().progress_carried_text(&done)}</p>
                    <div class="buttons">
                        <button type="button" on:click=take>{t().progress_take}</button>
                    </div>
                </section>
            }
            .into_any()
        }
    }
}

/// Progress as a file or a link, to carry it from this browser to another.
#[component]
fn Keep() -> impl IntoView {
    let field = NodeRef::<html::Input>::new();
    let said = RwSignal::new(None::<&'static str>);
    let save = move |_| {
        let backup = Backup::new(browser::everything());
        browser::download("tensoryard-progress.json", "application/json", backup.text().as_bytes());
    };
    let read = move |_| {
        let Some(field) = field.get_untracked() else { return };
        js_sys::futures::spawn_local(async move {
            let Some((_, bytes)) = browser::chosen_file(field).await else { return };
            let Some(backup) = Backup::parse(&bytes) else { return said.set(Some(t().not_progress)) };
            let kept = backup.work().all(|(key, value)| browser::remember(&key, value));
            if kept {
                // Reloads the page, because some of this was read only at the start.
                let _ = window().location().reload();
            } else {
                said.set(Some(t().keeps_nothing));
            }
        });
    };
    let words = LinkWords {
        button: t().progress_link,
        field: t().progress_link_label,
        copied: t().progress_link_copied,
        ready: t().progress_link_ready,
    };
    view! {
        <section class="keep" aria-labelledby="keep-title">
            <h2 id="keep-title">{t().your_progress}</h2>
            <p>{t().progress_text}" "{t().progress_says}</p>
            <div class="buttons">
                <button type="button" on:click=save>{t().progress_save}</button>
                <label class="upload">
                    {t().progress_read}
                    <input node_ref=field type="file" accept=".json" on:change=read/>
                </label>
            </div>
            <p role="status">{move || said.get()}</p>
            <LinkButton words route=|| Route::Progress(share::pack_progress(&Backup::of_progress(browser::everything())))/>
        </section>
    }
}
