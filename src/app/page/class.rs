//! The class page: progress files of many learners, seen together. They're read in this tab and kept nowhere.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use leptos::html;
use leptos::prelude::*;
use web_sys::{DragEvent, File, FileList};

use super::browser;
use super::lessons::{Catalogue, Entry, Fetched, lesson};
use super::parts::sentence;
use crate::app::class::{Class, Learner, Mistake, Place, Refused, Row, csv, date};
use crate::app::format;
use crate::app::route::Route;
use crate::app::texts::{spoken, t};
use crate::diagnose::titles;
use crate::lesson::{Lesson, prose};

/// The class, outside the views, which a change of language rebuilds. Copies of this value share the same state.
#[derive(Clone, Copy)]
pub(crate) struct Room {
    class: RwSignal<Class>,
    refused: RwSignal<Vec<(String, Refused)>>,
    said: RwSignal<Option<String>>,
}

impl Room {
    pub(crate) fn new() -> Room {
        Room { class: RwSignal::default(), refused: RwSignal::default(), said: RwSignal::new(None) }
    }

    /// Reads files, one after the other.
    fn read(self, files: FileList) {
        let files: Vec<File> = (0..files.length()).filter_map(|at| files.get(at)).collect();
        if files.is_empty() {
            return;
        }
        js_sys::futures::spawn_local(async move {
            let began = browser::now();
            let mut class = self.class.get_untracked();
            let (mut refused, mut read) = (Vec::new(), 0);
            for file in files {
                let name = file.name();
                let taken = match browser::content(&file, crate::app::progress::Backup::LARGEST).await {
                    Some(bytes) => class.add(&name, &bytes),
                    None => Err(Refused::NotProgress),
                };
                match taken {
                    Ok(()) => read += 1,
                    Err(why) => refused.push((name, why)),
                }
            }
            let seconds = format::micros((browser::now() - began) * 1e3);
            self.refused.set(refused);
            self.class.set(class);
            self.said.set(Some(t().class_read(&files_of(read), &seconds)));
        });
    }

    fn clear(self) {
        self.class.set(Class::default());
        self.refused.set(Vec::new());
        self.said.set(None);
    }
}

fn files_of(count: usize) -> String {
    format::count(count, t().file_word, t().files_word)
}

fn why(refused: Refused) -> &'static str {
    match refused {
        Refused::TooLarge => t().class_too_large,
        Refused::NotProgress => t().class_not_progress,
        Refused::Empty => t().class_empty,
        Refused::Twice => t().class_twice,
        Refused::TooMany => t().class_too_many,
    }
}

#[component]
pub(crate) fn ClassPage() -> impl IntoView {
    let room = expect_context::<Room>();
    let names = Names::of(room);
    let field = NodeRef::<html::Input>::new();
    let over = RwSignal::new(false);
    let choose = move |_| {
        let Some(field) = field.get_untracked() else { return };
        if let Some(files) = field.files() {
            room.read(files);
        }
        // So that the same files can be chosen again. The list that is being read stays.
        field.set_value("");
    };
    let drop = move |event: DragEvent| {
        event.prevent_default();
        over.set(false);
        if let Some(files) = event.data_transfer().and_then(|data| data.files()) {
            room.read(files);
        }
    };
    let empty = Memo::new(move |_| room.class.with(|class| class.learners.is_empty()));
    view! {
        <div class="page wide">
            <div class="intro">
                <p class="crumbs"><a href=Route::Instructors.fragment()>{t().for_instructors}</a></p>
                <h1>{t().class_title}</h1>
                <p>{t().class_intro}</p>
                <p>{t().class_private}</p>
            </div>
            <div
                class="drop"
                class:over=over
                on:dragover=move |event: DragEvent| {
                    event.prevent_default();
                    over.set(true);
                }
                on:dragleave=move |_| over.set(false)
                on:drop=drop
            >
                <p>{t().class_drop}</p>
                <div class="buttons">
                    <label class="upload">
                        {t().class_choose}
                        <input node_ref=field type="file" accept=".json,application/json" multiple on:change=choose/>
                    </label>
                    <Show when=move || !empty.get()>
                        <button type="button" class="quiet" on:click=move |_| room.clear()>{t().class_clear}</button>
                    </Show>
                </div>
                <p role="status">{move || room.said.get()}</p>
            </div>
            {move || room.refused.with(|refused| (!refused.is_empty()).then(|| skipped(refused)))}
            <Show when=move || !empty.get()>
                {move || room.class.with(|class| names.known.with(|known| seen(class, known)))}
            </Show>
        </div>
    }
}

fn skipped(refused: &[(String, Refused)]) -> AnyView {
    let item = |(name, reason): &(String, Refused)| view! { <li><b>{name.clone()}</b>": "{why(*reason)}</li> };
    view! {
        <div class="notice plain" role="alert">
            <p>{t().class_skipped(&files_of(refused.len()))}</p>
            <ul class="skipped" tabindex="0">{refused.iter().map(item).collect_view()}</ul>
        </div>
    }
    .into_any()
}

/// What exercises are called.
#[derive(Clone, Debug, Default)]
struct Known {
    /// By lesson: its place in the list, its title, and its steps.
    lessons: BTreeMap<String, (usize, String, Option<Lesson>)>,
}

#[derive(Clone, Copy)]
struct Names {
    known: RwSignal<Known>,
}

impl Names {
    /// Fetches the lessons that somebody worked in, from this site, for their titles and the labels of their checks.
    fn of(room: Room) -> Names {
        let Catalogue(list) = expect_context();
        let known = RwSignal::new(Known::default());
        let wanted = Memo::new(move |_| room.class.with(Class::lessons));
        Effect::new(move |_| {
            let (wanted, Fetched::Here(entries)) = (wanted.get(), list.get()) else { return };
            if wanted.is_empty() {
                return;
            }
            let mut found = Known::default();
            let mut fetch: Vec<Entry> = Vec::new();
            for (place, entry) in entries.into_iter().enumerate().filter(|(_, entry)| wanted.contains(&entry.id)) {
                found.lessons.insert(entry.id.clone(), (place, entry.title_in(spoken()).to_string(), None));
                fetch.push(entry);
            }
            // Titles are here at once; the rest follows.
            known.set(found.clone());
            js_sys::futures::spawn_local(async move {
                for entry in fetch {
                    if let (Ok(lesson), Some(known)) = (lesson(&entry).await, found.lessons.get_mut(&entry.id)) {
                        known.2 = Some(lesson);
                    }
                }
                known.set(found);
            });
        });
        Names { known }
    }
}

impl Known {
    /// What a place is called, and where it comes in the course.
    fn place(&self, (lesson, step): &Place) -> (String, usize) {
        let Some((at, title, read)) = self.lessons.get(lesson) else {
            return (format!("{lesson} · {step}"), usize::MAX);
        };
        let steps = read.iter().flat_map(|lesson| lesson.steps.iter().enumerate());
        let found = steps.into_iter().find(|(_, of)| of.id == *step);
        let number = found.map_or(99, |(number, _)| number.min(99));
        let name = found.map_or_else(|| step.clone(), |(_, step)| prose::plain(&step.title));
        (format!("{title} · {name}"), at * 100 + number)
    }

    fn check(&self, (lesson, step): &Place, check: usize) -> String {
        let lesson = self.lessons.get(lesson).and_then(|(_, _, lesson)| lesson.as_ref());
        let exercise = lesson.and_then(|lesson| lesson.steps.iter().find(|of| of.id == *step)?.exercise.as_ref());
        match exercise.and_then(|exercise| exercise.checks.get(check)) {
            Some(check) => check.label().to_string(),
            None => t().check_number(&(check + 1)),
        }
    }

    fn rule(&self, rule: &str) -> String {
        titles::title(rule, spoken()).map_or_else(|| rule.to_string(), |title| format!("{rule} {title}"))
    }
}

/// Everything about a class.
fn seen(class: &Class, known: &Known) -> AnyView {
    let mistakes = class.mistakes();
    let stuck = class.learners.iter().filter(|learner| learner.stuck.is_some()).count();
    let learners = class.learners.len();
    let commonest = match mistakes.first() {
        Some(first) => t().class_commonest(&known.rule(&first.rule), &of_learners(first.learners, learners)),
        None => t().class_no_mistakes.to_string(),
    };
    let rows: Vec<Vec<Cell>> = class.rows().iter().map(|row| exercise(row, known)).collect();
    let people: Vec<Vec<Cell>> = class.learners.iter().map(|learner| person(learner, known)).collect();
    let kinds: Vec<Vec<Cell>> = mistakes.iter().map(|mistake| kind(mistake, known)).collect();
    let exercises_heads = vec![
        t().col_exercise,
        t().col_tried,
        t().col_finished,
        t().col_stuck,
        t().col_median,
        t().col_opened,
        t().col_failed,
        t().col_mistakes,
    ];
    let people_heads = vec![
        t().col_learner,
        t().col_steps_done,
        t().col_runs,
        t().col_hints,
        t().col_last_run,
        t().col_stuck_at,
        t().col_since,
        t().col_failed,
    ];
    let kinds_heads = vec![t().col_mistake, t().col_learners, t().col_runs, t().col_mostly_in];
    view! {
        <div class="class-facts">
            <p>{t().class_stuck_now(&of_learners(stuck, learners))}</p>
            <p>{sentence(&commonest)}</p>
        </div>
        <TableView id="class-learners" caption=t().col_learners heads=people_heads rows=people by=(6, false) file="tensoryard-learners.csv"/>
        <TableView id="class-exercises" caption=t().class_exercises heads=exercises_heads rows=rows by=(0, false) file="tensoryard-exercises.csv"/>
        <TableView id="class-mistakes" caption=t().col_mistakes heads=kinds_heads rows=kinds by=(1, true) file="tensoryard-mistakes.csv"/>
        <p class="faint">{t().class_about}</p>
    }
    .into_any()
}

fn of_learners(count: usize, all: usize) -> String {
    t().class_of(&count, &all)
}

fn exercise(row: &Row, known: &Known) -> Vec<Cell> {
    let (name, at) = known.place(&row.place);
    let failed = row.failed.iter().map(|(check, learners)| (known.check(&row.place, *check), *learners)).collect();
    let rules = row.rules.iter().map(|(rule, learners)| (known.rule(rule), *learners)).collect();
    vec![
        Cell { text: name, sort: Sort::Number(at), ..Cell::default() },
        Cell::number(row.tried),
        Cell::number(row.done),
        Cell::number(row.stuck),
        Cell::number(row.runs),
        Cell::number(row.opened),
        Cell::counts(failed),
        Cell::counts(rules),
    ]
}

fn person(learner: &Learner, known: &Known) -> Vec<Cell> {
    let day = |seconds: Option<u64>| Cell {
        text: seconds.map(date).unwrap_or_default(),
        sort: Sort::Number(seconds.and_then(|s| usize::try_from(s).ok()).unwrap_or(usize::MAX)),
        ..Cell::default()
    };
    let stuck = learner.stuck.as_ref();
    let place = stuck.map(|stuck| known.place(&stuck.place));
    let since = stuck.and_then(|stuck| stuck.since);
    let days = since.map(|since| browser::seconds().saturating_sub(since) / 86_400);
    let mut since = day(since);
    if let Some(days) = days {
        since.text = t().since_days(&since.text, &days);
    }
    let check = stuck.and_then(|stuck| Some(known.check(&stuck.place, stuck.check?)));
    vec![
        Cell::text(learner.name.clone()),
        Cell::number(learner.done),
        Cell::number(learner.runs),
        Cell::number(learner.hints),
        day(learner.last),
        Cell {
            text: place.as_ref().map_or(String::new(), |(name, _)| name.clone()),
            sort: Sort::Number(place.map_or(usize::MAX, |(_, at)| at)),
            ..Cell::default()
        },
        since,
        Cell::text(check.unwrap_or_default()),
    ]
}

fn kind(mistake: &Mistake, known: &Known) -> Vec<Cell> {
    let (place, at) = known.place(&mistake.place);
    let link = titles::title(&mistake.rule, spoken()).map(|_| format!("rules.html#{}", mistake.rule.to_lowercase()));
    vec![
        Cell { text: known.rule(&mistake.rule), sort: Sort::Text(mistake.rule.clone()), link, ..Cell::default() },
        Cell::number(mistake.learners),
        Cell::number(mistake.runs),
        Cell { text: place, sort: Sort::Number(at), ..Cell::default() },
    ]
}

/// What a row is sorted by.
#[derive(Clone, Debug, PartialEq)]
enum Sort {
    Number(usize),
    Text(String),
}

impl Sort {
    fn order(&self, other: &Sort) -> Ordering {
        match (self, other) {
            (Sort::Number(a), Sort::Number(b)) => a.cmp(b),
            (Sort::Text(a), Sort::Text(b)) => a.to_lowercase().cmp(&b.to_lowercase()),
            (Sort::Number(_), Sort::Text(_)) => Ordering::Less,
            (Sort::Text(_), Sort::Number(_)) => Ordering::Greater,
        }
    }
}

/// A cell of a table. In its text, backticks mark code.
#[derive(Clone, Debug, PartialEq)]
struct Cell {
    text: String,
    sort: Sort,
    number: bool,
    link: Option<String>,
    /// Instead of the text: texts with the number of learners.
    counts: Vec<(String, usize)>,
}

impl Default for Cell {
    fn default() -> Cell {
        Cell { text: String::new(), sort: Sort::Number(0), number: false, link: None, counts: Vec::new() }
    }
}

/// The most texts with numbers that a cell shows. The file has all of them.
const SHOWN: usize = 3;

impl Cell {
    fn text(text: String) -> Cell {
        Cell { sort: Sort::Text(text.clone()), text, ..Cell::default() }
    }

    fn number(number: usize) -> Cell {
        Cell { text: number.to_string(), sort: Sort::Number(number), number: true, ..Cell::default() }
    }

    fn counts(counts: Vec<(String, usize)>) -> Cell {
        let most = counts.first().map_or(0, |(_, count)| *count);
        Cell { sort: Sort::Number(most), counts, ..Cell::default() }
    }

    fn plain(&self) -> String {
        if self.counts.is_empty() {
            return self.text.clone();
        }
        self.counts.iter().map(|(text, count)| format!("{count} × {text}")).collect::<Vec<_>>().join("; ")
    }

    fn view(&self) -> AnyView {
        if self.counts.is_empty() {
            let text = sentence(&self.text);
            return match &self.link {
                Some(link) => view! { <a href=link.clone()>{text}</a> }.into_any(),
                None => text,
            };
        }
        let item = |(text, count): &(String, usize)| view! { <li><b>{*count}</b>" × "{sentence(text)}</li> };
        let more = self.counts.len().saturating_sub(SHOWN);
        view! {
            <ul>
                {self.counts.iter().take(SHOWN).map(item).collect_view()}
                {(more > 0).then(|| view! { <li>{t().class_more(&more)}</li> })}
            </ul>
        }
        .into_any()
    }
}

/// A table that is sorted by a click on a heading, and saved as CSV in the order in which it's shown.
#[component]
fn TableView(
    id: &'static str,
    caption: &'static str,
    heads: Vec<&'static str>,
    rows: Vec<Vec<Cell>>,
    /// The column that it's sorted by at first, and whether in descending order.
    by: (usize, bool),
    /// The name of the CSV file.
    file: &'static str,
) -> impl IntoView {
    let by = RwSignal::new(by);
    let rows = StoredValue::new(rows);
    let sorted = move || {
        let (column, down) = by.get();
        let mut rows = rows.get_value();
        rows.sort_by(|a, b| {
            let order = a[column].sort.order(&b[column].sort);
            if down { order.reverse() } else { order }
        });
        rows
    };
    let names: Vec<String> = heads.iter().map(|head| head.to_string()).collect();
    let save = move |_| {
        let rows = untrack(sorted);
        let cells = rows.iter().map(|row| row.iter().map(Cell::plain).collect());
        let all: Vec<Vec<String>> = std::iter::once(names.clone()).chain(cells).collect();
        browser::download(file, "text/csv", csv(&all).as_bytes());
    };
    let head = move |(column, name): (usize, &'static str)| {
        let state = move || match by.get() {
            (now, true) if now == column => Some("descending"),
            (now, false) if now == column => Some("ascending"),
            _ => None,
        };
        let sign = move || match by.get() {
            (now, true) if now == column => "▼",
            (now, false) if now == column => "▲",
            _ => "",
        };
        let sort = move |_| by.update(|by| *by = if by.0 == column { (column, !by.1) } else { (column, false) });
        view! {
            <th scope="col" aria-sort=state>
                <button type="button" class="sort" on:click=sort>{name}<span aria-hidden="true">{sign}</span></button>
            </th>
        }
    };
    let row = |cells: &Vec<Cell>| {
        let cell = |(at, cell): (usize, &Cell)| match at {
            0 => view! { <th scope="row">{cell.view()}</th> }.into_any(),
            _ => view! { <td class:number=cell.number>{cell.view()}</td> }.into_any(),
        };
        view! { <tr>{cells.iter().enumerate().map(cell).collect_view()}</tr> }
    };
    view! {
        <section class="class-table" aria-labelledby=id>
            <div class="class-head">
                <h2 id=id>{caption}</h2>
                <button type="button" class="quiet" on:click=save>{t().class_csv}</button>
            </div>
            <div class="scroll" tabindex="0" role="region" aria-labelledby=id>
                <table aria-labelledby=id>
                    <thead><tr>{heads.into_iter().enumerate().map(head).collect_view()}</tr></thead>
                    <tbody>{move || sorted().iter().map(row).collect_view()}</tbody>
                </table>
            </div>
        </section>
    }
}
