//! What the page needs only inside a frame of another page: which lesson it shows, and the messages that `www/embed.js`
//! carries between it and the host. This module knows no view; the lesson's view and the frame's view are built on it.
//!
//! Reports leave as `tensoryard-report` events with `{type, data}` as JSON. Commands arrive as `tensoryard-command` events.

use std::collections::BTreeMap;

use leptos::ev;
use leptos::prelude::*;
use leptos::wasm_bindgen::JsCast;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use web_sys::{CustomEvent, CustomEventInit};

use super::browser;
use super::languages;
use super::reading::{Place, Reading};
use super::session::Session;
use crate::app::embed::handed_over_activity;
use crate::app::keys::{self, Key};
use crate::app::progress::Progress;
use crate::app::route::{Route, is_id};
use crate::app::texts::{Language, t};
use crate::lesson::score::{Aid, score};
use crate::lesson::{Lesson, Step};
use crate::protocol::Outcome;

/// The most characters of a state that is sent to the host.
const STATE: usize = 60 << 10;

/// What the frame shows. Copies of this value share the same state.
#[derive(Clone, Copy)]
pub(crate) struct EmbedFrame {
    pub lesson: RwSignal<String>,
    pub language: RwSignal<Language>,
    /// Increases when everything must be read again.
    pub fresh: RwSignal<u32>,
    /// The lesson that is shown. The surrounding page can read and write nothing of any other lesson.
    shown: StoredValue<Option<Kept>>,
    /// A state that arrived before the lesson was loaded.
    early: StoredValue<Option<String>>,
    attempts: StoredValue<u32>,
    began: StoredValue<f64>,
}

/// Where the learner's work in a lesson is kept.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Kept {
    pub lesson: String,
    /// The lesson's id, unless a page handed the lesson over.
    pub name: String,
}

/// The origin of the page that introduced itself as the host.
pub(crate) fn host() -> Option<String> {
    document().document_element().and_then(|root| root.get_attribute("data-host"))
}

impl EmbedFrame {
    pub(crate) fn new(lesson: String, language: Language) -> EmbedFrame {
        EmbedFrame {
            lesson: RwSignal::new(lesson),
            language: RwSignal::new(language),
            fresh: RwSignal::new(0),
            shown: StoredValue::new(None),
            early: StoredValue::new(None),
            attempts: StoredValue::new(0),
            began: StoredValue::new(browser::now()),
        }
    }

    /// Listens to the commands of the surrounding page, and reports every run to it.
    pub(crate) fn connect(self, session: Session, reading: Reading) {
        hear(session, self, reading);
        report_runs(session, self);
        Effect::new(move |_| announce("tensoryard-mounted", ""));
    }

    /// The lesson that is shown.
    pub(crate) fn kept(self) -> Option<Kept> {
        self.shown.get_value()
    }

    /// Called before a lesson is shown. If a state is waiting for this lesson, it is restored first.
    fn begin(self, kept: Kept) {
        if let Some(text) = self.early.try_update_value(Option::take).flatten() {
            match restore(&text, &kept) {
                true => expect_context::<Reading>().close(),
                false => expect_context::<Session>().hand.notice.set(Some(t().bad_state.into())),
            }
        }
        self.shown.set_value(Some(kept));
    }
}

/// Checks that a lesson may be shown to the host. `name` is the name under which the learner's work is stored. `www/embed.js`
/// has checked the first lesson; this checks those that are loaded later.
///
/// # Errors
/// A sentence, if the lesson doesn't allow the page that introduced itself as the host.
pub(crate) fn admit(lesson: &Lesson, name: &str) -> Result<(), String> {
    let own = window().location().origin().ok();
    if let Some(host) = host()
        && !lesson.origins.is_empty()
        && Some(&host) != own.as_ref()
        && !lesson.origins.contains(&host)
    {
        return Err(t().not_on_this_site(&host));
    }
    if let Some(frame) = use_context::<EmbedFrame>() {
        frame.begin(Kept { lesson: lesson.id.clone(), name: name.to_string() });
    }
    Ok(())
}

fn announce(name: &str, detail: &str) {
    let init = CustomEventInit::new();
    init.set_detail(&detail.into());
    if let Ok(event) = CustomEvent::new_with_event_init_dict(name, &init) {
        let _ = window().dispatch_event(&event);
    }
}

/// The score of a run, from 0 to 1.
fn earned(session: Session, frame: EmbedFrame, outcome: &Outcome) -> f64 {
    let (scoring, step) = session.program.document.with_untracked(|d| (d.scoring.clone(), d.step.clone()));
    let aid = match (frame.kept(), step) {
        // Lessons of format 1 say nothing about scoring; their hints take nothing.
        (Some(kept), Some((_, step))) if !scoring.is_empty() => {
            Progress::parse(browser::remembered(&Key::progress(&kept.name))).aid(&step)
        }
        _ => Aid::default(),
    };
    match scoring.is_empty() {
        true => outcome.checks.iter().filter(|c| c.passed).count() as f64 / outcome.checks.len().max(1) as f64,
        false => score(&outcome.checks, &scoring, aid) as f64 / 100.0,
    }
}

fn report(kind: &str, data: Value) {
    announce("tensoryard-report", &json!({ "type": kind, "data": data }).to_string());
}

/// Reports every run, whatever lesson is shown.
fn report_runs(session: Session, frame: EmbedFrame) {
    Effect::new(move |_| {
        if let Some(executor) = session.runner.started.get() {
            let boot = session.runner.capabilities.with_untracked(|c| c.as_ref().map_or(0.0, |c| c.boot_ms));
            report("started", json!({ "executor": executor, "bootMs": boot }));
        }
    });
    Effect::new(move |_| {
        let Some(outcome) = session.runner.outcome.get() else { return };
        frame.attempts.update_value(|n| *n += 1);
        if !outcome.checks.is_empty() {
            let passed = outcome.checks.iter().all(|c| c.passed);
            let checks: Vec<Value> =
                outcome.checks.iter().map(|c| json!({ "label": c.label, "passed": c.passed })).collect();
            let score = earned(session, frame, &outcome);
            report("checked", json!({ "passed": passed, "checks": checks, "score": score }));
        }
        let raised = outcome.error.iter().filter_map(|error| error.card.as_ref());
        for card in raised.chain(&outcome.silent) {
            report("diagnosed", json!({ "rule": card.rule, "line": card.line }));
        }
        let text: String =
            session.printed.chunks.with_untracked(|chunks| chunks.iter().map(|c| c.shown.words()).collect());
        report("output", json!({ "text": text }));
    });
}

/// Reports the state of a lesson whenever it changes, and its completion once. Obeys the command `step`. `name` is the
/// name under which the learner's work is stored.
pub(crate) fn attach(session: Session, place: Place, lesson: &Lesson, name: &str) {
    let Some(frame) = use_context::<EmbedFrame>() else { return };
    let kept = Kept { lesson: lesson.id.clone(), name: name.to_string() };
    let activity = match kept.name == kept.lesson {
        true => format!("{}{}", browser::folder(), Route::Lesson(kept.lesson.clone()).fragment()),
        false => handed_over_activity(&browser::folder(), &host().unwrap_or_default(), &kept.lesson),
    };
    let language = lesson.lang.clone().unwrap_or_else(|| "en".into());
    let title = lesson.title.clone();
    let steps: Vec<String> = lesson.steps.iter().map(|s| s.id.clone()).collect();
    let complete = Memo::new(move |_| place.progress.with(Progress::is_complete));
    let done_before = complete.get_untracked();
    // Lessons of format 1 don't tell a full score from a lesser one.
    let counts = |step: &&Step| lesson.format >= 2 && !step.optional && step.exercise.is_some();
    let exercises: Vec<String> = lesson.steps.iter().filter(counts).map(|step| step.id.clone()).collect();
    let own = steps.clone();
    Effect::new(move |_| {
        place.progress.track();
        session.program.code.track();
        report("state", Value::String(state(&kept, &own)));
    });
    Effect::new(move |_| {
        if !complete.get() || done_before {
            return;
        }
        let seconds = ((browser::now() - frame.began.get_value()) / 1e3).round();
        let score = place.progress.with_untracked(|p| p.score(&exercises));
        let data = json!({
            "score": score,
            "attempts": frame.attempts.get_value(),
            "seconds": seconds,
            "hints": place.progress.with_untracked(Progress::asked),
        });
        report("completed", data);
        report(
            "statement",
            json!({
                "verb": { "id": "http://adlnet.gov/expapi/verbs/completed", "display": { "en": "completed", "de": "abgeschlossen" } },
                "object": {
                    "id": activity,
                    "objectType": "Activity",
                    "definition": { "type": "http://adlnet.gov/expapi/activities/lesson", "name": { (language.as_str()): title } },
                },
                "result": { "completion": true, "success": true, "score": { "scaled": score }, "duration": format!("PT{seconds}S") },
            }),
        );
    });
    let listener = listen(move |kind, data| {
        if kind == "step" {
            let at = match &data["step"] {
                Value::Number(n) => n.as_u64().and_then(|n| usize::try_from(n).ok()),
                Value::String(step) => steps.iter().position(|s| s == step),
                _ => None,
            };
            if let Some(at) = at.filter(|at| *at < steps.len()) {
                place.at.set(at);
                place.progress.update(|p| p.at = at);
            }
        }
    });
    on_cleanup(move || listener.remove());
}

fn listen(obey: impl Fn(&str, &Value) + 'static) -> WindowListenerHandle {
    window_event_listener(ev::Custom::<CustomEvent>::new("tensoryard-command"), move |event| {
        let event: CustomEvent = event.unchecked_into();
        let text = event.detail().as_string().unwrap_or_default();
        let Ok(command) = serde_json::from_str::<Value>(&text) else { return };
        if let Some(kind) = command["type"].as_str() {
            obey(kind, &command["data"]);
        }
    })
}

fn hear(session: Session, frame: EmbedFrame, reading: Reading) {
    let listener = listen(move |kind, data| match kind {
        "run" => session.run(),
        "stop" => session.runner.stop(),
        "reset" => session.reset(),
        "lang" => {
            if let Some(language) = data["lang"].as_str().and_then(Language::of) {
                languages::choose(frame.language, language);
            }
        }
        "load" => {
            if let Some(id) = data["lesson"].as_str().filter(|id| is_id(id)) {
                // Until the next lesson is loaded and the host is allowed to hear of it.
                frame.shown.set_value(None);
                frame.early.set_value(None);
                frame.lesson.set(id.to_string());
            }
        }
        "restore" => {
            let text = data["state"].as_str().unwrap_or_default();
            match frame.shown.get_value() {
                None => frame.early.set_value(Some(text.to_string())),
                Some(kept) if restore(text, &kept) => {
                    reading.close();
                    frame.fresh.update(|n| *n += 1);
                }
                Some(_) => session.hand.notice.set(Some(t().bad_state.into())),
            }
        }
        _ => {}
    });
    on_cleanup(move || listener.remove());
}

/// A learner's work in one lesson, in the form that a host stores. Only this page understands that string.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct State {
    v: u32,
    lesson: String,
    progress: Progress,
    code: BTreeMap<String, String>,
}

fn code_key(name: &str, step: &str) -> Key {
    Key::code(&keys::step(name, step))
}

fn state(kept: &Kept, steps: &[String]) -> String {
    let progress = Progress::parse(browser::remembered(&Key::progress(&kept.name)));
    let code = steps.iter().filter_map(|step| Some((step.clone(), browser::remembered(&code_key(&kept.name, step))?)));
    let mut state = State { v: 1, lesson: kept.lesson.clone(), progress, code: code.collect() };
    loop {
        let text = serde_json::to_string(&state).unwrap_or_default();
        // If the state is too long for the host, the first programs are dropped.
        if text.len() <= STATE || state.code.pop_first().is_none() {
            return text;
        }
    }
}

/// Restores a state. Returns whether it belonged to the lesson that is shown.
fn restore(text: &str, kept: &Kept) -> bool {
    let Ok(state) = serde_json::from_str::<State>(text) else { return false };
    let sound = state.v == 1 && state.lesson == kept.lesson && state.code.keys().all(|step| is_id(step));
    if !sound || text.len() > STATE + 4096 {
        return false;
    }
    browser::remember(&Key::progress(&kept.name), &state.progress.text());
    for (step, code) in &state.code {
        browser::remember(&code_key(&kept.name, step), code);
    }
    true
}
