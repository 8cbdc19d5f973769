//! Runs a page's program again whenever a control has moved, and gives the events of the run to the page.

use std::time::Duration;

use leptos::prelude::*;

use super::super::session::{Document, Session, Status};
use crate::app::anatomy::copying::{Made, Order};
use crate::app::anatomy::life::Life;
use crate::app::anatomy::step::{Mountain, Recipe};
use crate::app::texts::t;
use crate::machine::Machine;
use crate::protocol::Event;

/// How long a control has to rest before the program runs: while a slider is dragged, nothing runs.
const REST: Duration = Duration::from_millis(150);

/// What the visitor has chosen, and what was drawn for it. It outlives the views, which are built again when the language changes.
#[derive(Clone, Copy)]
pub(crate) struct Settings {
    pub recipe: RwSignal<Recipe>,
    pub mountain: RwSignal<Option<(Recipe, Mountain)>>,
    /// The index of the tensor's shape, and of the stage in its life.
    pub shape: RwSignal<usize>,
    pub stage: RwSignal<usize>,
    pub life: RwSignal<Option<(usize, Life)>>,
    pub order: RwSignal<Order>,
    pub copies: RwSignal<Option<(Order, Vec<Made>)>>,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            recipe: RwSignal::default(),
            mountain: RwSignal::new(None),
            shape: RwSignal::new(1),
            stage: RwSignal::new(1),
            life: RwSignal::new(None),
            order: RwSignal::default(),
            copies: RwSignal::new(None),
        }
    }
}

/// The runs of a page's program.
#[derive(Clone, Copy)]
pub(crate) struct Bench {
    /// Whether what is drawn belongs to an earlier choice.
    pub late: Signal<bool>,
    /// The message of the error that ended the program, if one did.
    pub failed: RwSignal<Option<String>>,
}

/// Runs the program of `wanted` at once and after each change. A run that isn't wanted any more is stopped. `take` gets the
/// events of each run that came to its end; `drawn` is the choice that the page shows. A choice may have no program.
pub(crate) fn bench<T: Copy + PartialEq + Send + Sync + 'static>(
    wanted: Signal<T>,
    drawn: Signal<Option<T>>,
    program: fn(&T) -> Option<(String, &'static str)>,
    take: impl Fn(T, &[Event]) + 'static,
) -> Bench {
    let session = expect_context::<Session>();
    let failed = RwSignal::new(None);
    // The choice whose program is running, as long as its result is wanted, and whether another one waits until it has stopped.
    let running = StoredValue::new(None::<T>);
    let waiting = StoredValue::new(false);
    let timer = StoredValue::new(None::<TimeoutHandle>);
    let late = Signal::derive(move || drawn.get() != Some(wanted.get()));

    let begin = move || {
        let choice = wanted.get_untracked();
        running.set_value(None);
        let stop = matches!(session.runner.status.get_untracked(), Status::Running { .. });
        waiting.set_value(stop);
        if stop {
            return session.runner.stop();
        }
        let Some((starter, machine)) = program(&choice) else { return };
        if session.program.machine.with_untracked(|now| now.name != machine)
            && let Ok(machine) = Machine::preset(machine)
        {
            session.choose_machine(machine);
        }
        session.open_unkept(Document { key: "anatomy".into(), starter, ..Document::default() });
        failed.set(None);
        running.set_value(Some(choice));
        session.run();
    };
    Effect::new(move |before: Option<()>| {
        wanted.track();
        if let Some(timer) = timer.try_update_value(Option::take).flatten() {
            timer.clear();
        }
        if before.is_none() {
            // Shown already: the view was only built again.
            return if late.get_untracked() {
                begin()
            };
        }
        timer.set_value(set_timeout_with_handle(begin, REST).ok());
    });
    Effect::new(move |_| {
        let stopped = !matches!(session.runner.status.get(), Status::Running { .. });
        if stopped && waiting.get_value() {
            begin();
        }
    });
    Effect::new(move |_| {
        let ended = session.runner.outcome.with(|o| o.as_ref().map(|o| o.error.as_ref().map(|e| e.message.clone())));
        let (Some(error), Some(choice)) = (ended, running.get_value()) else { return };
        running.set_value(None);
        match error {
            Some(message) => failed.set(Some(message)),
            None => session.playback.with_timeline(|timeline| {
                take(choice, &timeline.events().cloned().collect::<Vec<_>>());
            }),
        }
    });
    on_cleanup(move || {
        if let Some(timer) = timer.try_update_value(Option::take).flatten() {
            timer.clear();
        }
        session.runner.stop();
    });
    Bench { late, failed }
}

/// What keeps the drawing from being the latest, in words.
#[component]
pub(crate) fn Standing(bench: Bench) -> impl IntoView {
    let session = expect_context::<Session>();
    let broken = move || matches!(session.runner.status.get(), Status::Broken { .. });
    let words = move || match session.runner.status.get() {
        Status::Broken { reason } => format!("{} {reason}", t().engine_stopped),
        Status::Booting { .. } if bench.late.get() => t().anatomy_waiting.into(),
        _ => match bench.failed.get() {
            Some(message) => t().anatomy_failed(&message),
            None if bench.late.get() => t().anatomy_running.into(),
            None => String::new(),
        },
    };
    view! {
        <p class="standing" class:bad=move || broken() || bench.failed.get().is_some()>
            {words}
            <Show when=broken>
                <button type="button" on:click=move |_| session.runner.restart()>{t().start_again}</button>
            </Show>
        </p>
    }
}
