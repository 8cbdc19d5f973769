//! What a step points at once its program has run.

use leptos::prelude::*;

use super::super::browser;
use super::super::output::Output;
use super::super::panels::{is_tab, title};
use super::super::playground::CopyLink;
use super::super::prose;
use super::super::reading::Reading;
use super::super::session::{Mark, Session};
use super::super::workbench::Workbench;
use crate::app::texts::t;
use crate::lesson::{Look, Panel, Point, Sight};

/// A program to run and look at.
#[component]
pub(super) fn LookView(look: Look) -> impl IntoView {
    let session = expect_context::<Session>();
    let Look { sight, seen, .. } = look;
    let ran = move || session.runner.outcome.with(Option::is_some);
    let shows = !seen.is_empty();
    let seen = StoredValue::new(seen);
    view! {
        <Workbench/>
        <Output next=view! { <Pointing sight/> }.into_any()/>
        <Show when=move || shows && ran()>
            <section class="seen" role="status">
                <h3>{t().what_you_saw}</h3>
                <div class="prose">{seen.with_value(|seen| prose::blocks(seen.clone()))}</div>
            </section>
        </Show>
        {(!browser::embedded()).then(|| view! { <div class="share"><CopyLink/></div> })}
    }
}

/// Opens the panel that the step speaks of, points at what the learner should see in it, and says so next to the program.
#[component]
pub(super) fn Pointing(sight: Sight) -> impl IntoView {
    let session = expect_context::<Session>();
    let reading = expect_context::<Reading>();
    let Sight { panel, point } = sight;
    let ended = Memo::new(move |_| session.runner.outcome.with(Option::is_some));
    let drawn = Memo::new(move |_| ended.get() && session.playback.is_at_end());
    Effect::new(move |_| {
        if ended.get()
            && let Some(panel) = panel
        {
            session.pointer.panel.set(Some(panel));
            if is_tab(panel) {
                session.pointer.tab.set(panel);
            }
        }
    });
    // The picture is complete only when the playhead has arrived. Going back afterwards is the learner's own choice.
    let target = point.clone();
    Effect::new(move |_| {
        if drawn.get() && reading.points(session.runner.number()) {
            at(session, target.as_ref());
            if !browser::has_one_column() {
                show(panel, target.as_ref(), false);
            }
        }
    });
    let words = {
        let point = point.clone();
        move || {
            let about = panel.map(|panel| (title(panel), what(panel)));
            view! {
                {about.map(|(name, what)| view! { <b>{t().look_at(&name)}</b>" "{what}" " })}
                {point.as_ref().map(|point| prose::sentence(&pointed(point)))}
            }
        }
    };
    let something = panel.is_some() || point.is_some();
    view! {
        <Show when=move || something && ended.get()>
            <div class="pointing">
                <p role="status">{words.clone()}</p>
                <button
                    type="button"
                    on:click={
                        let point = point.clone();
                        move |_| {
                            at(session, point.as_ref());
                            show(panel, point.as_ref(), true);
                        }
                    }
                >
                    {t().show_me}
                </button>
            </div>
        </Show>
    }
}

/// What a panel shows, in one line.
fn what(panel: Panel) -> &'static str {
    match panel {
        Panel::Devices => t().look_devices,
        Panel::Timeline => t().look_timeline,
        Panel::Memory => t().look_memory,
        Panel::Graph => t().look_graph,
        Panel::Smi => t().look_smi,
        Panel::Cost => t().look_cost,
    }
}

fn pointed(point: &Point) -> String {
    match point {
        Point::Block(name) => t().point_block(name),
        Point::Copy(number) => t().point_copy(number),
        Point::Line(line) => t().point_line(line),
    }
}

/// Highlights what is pointed at.
fn at(session: Session, point: Option<&Point>) {
    match point {
        Some(Point::Block(name)) => session.pointer.block.set(Some(name.clone())),
        Some(Point::Copy(number)) => {
            let ends = session.playback.show_copy(*number, !browser::has_one_column());
            session.pointer.link.set(ends);
        }
        Some(Point::Line(line)) => {
            session.playback.focus.set(Some(Mark { scroll: !browser::has_one_column(), ..Mark::latest(*line) }))
        }
        None => {}
    }
}

/// Scrolls to what is pointed at, or else to the panel. `asked`: the learner asked for it, so the focus goes there too.
fn show(panel: Option<Panel>, point: Option<&Point>, asked: bool) {
    let place = match point {
        Some(Point::Line(_)) => Some("#program"),
        Some(Point::Block(_)) => Some(".block.pointed"),
        // The lane of its link is in the yards; the moment is on the timeline.
        Some(Point::Copy(_)) => Some(".lane.pointed, .peers .pointed"),
        None => None,
    };
    let section = panel.map(|panel| match panel {
        Panel::Devices => ".devices",
        Panel::Timeline => ".timeline",
        _ => ".panels",
    });
    // After the next drawing, because the block or the tab may be new.
    request_animation_frame(move || {
        let found = [place, section].into_iter().flatten().any(|selector| browser::bring_into_view(selector, asked));
        if asked && !found {
            browser::bring_into_view(".devices", true);
        }
    });
}
