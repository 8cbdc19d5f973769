//! The timeline: a lane for each device and each link, the playhead over them, the controls that move it, and a table with the
//! same content.

use std::time::Duration;

use leptos::html;
use leptos::prelude::*;
use web_sys::PointerEvent;

use super::browser;
use super::parts::accent;
use super::session::{Session, Status};
use crate::app::format;
use crate::app::lanes::{Cell, Kind, Lane, Lanes, lanes};
use crate::app::texts::t;
use crate::app::timeline::Timeline;
use crate::lesson::Panel;
use crate::protocol::{Event, EventKind};

/// The number of columns in the drawing of a lane.
const COLUMNS: usize = 360;
/// The number of stretches of the run for which the table has rows.
const STRETCHES: usize = 24;
/// Milliseconds between two drawings of the lanes while events arrive.
const REDRAW: f64 = 160.0;

#[component]
pub(crate) fn TimelineView() -> impl IntoView {
    let session = expect_context::<Session>();
    let events = Memo::new(move |_| session.playback.picture.with(|p| p.events));
    let drawn = drawn_lanes(session, events);
    let kinds = Memo::new(move |_| drawn.with(|d| d.lanes.iter().map(|l| l.kind).collect::<Vec<_>>()));
    let track = NodeRef::<html::Div>::new();
    let held = RwSignal::new(false);
    let scrub = move |event: &PointerEvent| {
        let Some(track) = track.get_untracked() else { return };
        let place = track.get_bounding_client_rect();
        let part = (f64::from(event.client_x()) - place.left()) / place.width().max(1.0);
        session.playback.seek((part.clamp(0.0, 1.0) * events.get_untracked() as f64).round() as usize);
    };
    let head = move || session.playback.picture.with(|p| 100.0 * p.head as f64 / p.events.max(1) as f64);
    let latest = move || {
        session.playback.picture.with(|p| {
            p.latest.as_ref().map(|e| session.playback.with_timeline(|timeline| describe(e, timeline.names())))
        })
    };
    let left_out = move || {
        let (left_out, folded) = session.playback.picture.with(|p| (p.left_out, p.folded));
        let number = |n: usize| (n > 0).then(|| format::thousands(n));
        let left_out = number(left_out as usize).map(|n| t().shortened(&n));
        let said = [left_out, number(folded).map(|n| t().beginning_gone(&n))];
        said.iter().flatten().cloned().reduce(|a, b| format!("{a} {b}"))
    };
    view! {
        <section
            class="timeline"
            class:pointed=move || session.pointer.panel.get() == Some(Panel::Timeline)
            aria-labelledby="timeline-title"
        >
            <h2 id="timeline-title">{t().timeline}<small>{latest}</small></h2>
            <p class="legend">{t().timeline_legend}</p>
            <div class="lanes" aria-hidden="true">
                <For each=move || kinds.get() key=|kind| format!("{kind:?}") let:kind>
                    <LaneView kind drawn/>
                </For>
                <div
                    class="track-over"
                    node_ref=track
                    on:pointerdown=move |event| {
                        if let Some(track) = track.get_untracked() {
                            let _ = track.set_pointer_capture(event.pointer_id());
                        }
                        held.set(true);
                        scrub(&event);
                    }
                    on:pointermove=move |event| if held.get_untracked() { scrub(&event) }
                    on:pointerup=move |_| held.set(false)
                    on:pointercancel=move |_| held.set(false)
                >
                    <span class="head" style:left=move || format!("{:.3}%", head())></span>
                </div>
            </div>
            <Playhead/>
            <Show when=move || left_out().is_some()>
                <p class="notice plain shortened">{left_out}</p>
            </Show>
            <LanesTable drawn/>
        </section>
    }
}

/// The lanes of the received events, redrawn at intervals while more events arrive.
fn drawn_lanes(session: Session, events: Memo<usize>) -> RwSignal<Lanes> {
    let drawn = RwSignal::new(Lanes::default());
    let last = StoredValue::new(f64::NEG_INFINITY);
    let asked = StoredValue::new(false);
    let draw = move || {
        asked.set_value(false);
        last.set_value(browser::now());
        drawn
            .set(session.playback.with_timeline(|timeline| lanes(timeline.accelerators(), timeline.events(), COLUMNS)));
    };
    Effect::new(move |_| {
        // Read once here: a memo that hasn't been read isn't notified of changes.
        events.get();
        session.program.machine.track();
        let rest = REDRAW - (browser::now() - last.get_value());
        if rest <= 0.0 {
            draw();
        } else if !asked.get_value() {
            asked.set_value(true);
            set_timeout(draw, Duration::from_millis(rest as u64));
        }
    });
    drawn
}

#[component]
fn LaneView(kind: Kind, drawn: RwSignal<Lanes>) -> impl IntoView {
    let lane = Memo::new(move |_| drawn.with(|d| d.lanes.iter().find(|l| l.kind == kind).cloned()));
    let drawing = Memo::new(move |_| lane.with(|l| l.as_ref().map(Lane::draw).unwrap_or_default()));
    let columns = move || drawn.with(|d| d.columns.max(1));
    let (name, full, color, back) = match kind {
        Kind::Device(device) => (device.to_string(), device.to_string(), device, device),
        Kind::Link(from, to) => (format!("{from}–{to}"), t().lane_between(&from, &to), to, from),
    };
    let link = matches!(kind, Kind::Link(..));
    view! {
        <div class="lane-row" class:link-row=link data-accent=accent(&color.to_string())>
            <span class="lane-name" title=full>{name}</span>
            <svg viewBox=move || format!("0 0 {} 100", columns()) preserveAspectRatio="none">
                <path class="area" d=move || drawing.with(|d| d.memory.clone())/>
                <path class="kernels" d=move || drawing.with(|d| d.kernels.clone())/>
                <path class="waits" d=move || drawing.with(|d| d.waits.clone())/>
                <path class="forward" d=move || drawing.with(|d| d.forward.clone())/>
                <g data-accent=accent(&back.to_string())>
                    <path class="back" d=move || drawing.with(|d| d.back.clone())/>
                </g>
                <path class="errors" d=move || drawing.with(|d| d.errors.clone())/>
            </svg>
        </div>
    }
}

/// The content of the lanes as a table.
#[component]
fn LanesTable(drawn: RwSignal<Lanes>) -> impl IntoView {
    let session = expect_context::<Session>();
    let open = RwSignal::new(false);
    let body = move || {
        drawn.track();
        let rows = session.playback.with_timeline(rows);
        rows.into_iter()
            .map(|[events, more @ ..]| {
                let cells = more.into_iter().map(|cell| view! { <td>{cell}</td> }).collect_view();
                view! { <tr><th scope="row">{events}</th>{cells}</tr> }
            })
            .collect_view()
    };
    view! {
        <details class="tables" on:toggle=move |_| open.update(|open| *open = !*open)>
            <summary>{t().as_table}</summary>
            <Show when=move || open.get()>
                <div class="scroll" tabindex="0" role="group" aria-label=t().timeline_label>
                    <table>
                        <caption>{t().timeline}</caption>
                        <thead>
                            <tr>
                                <th scope="col">{t().col_events}</th>
                                <th scope="col">{t().col_lines}</th>
                                <th scope="col">{t().col_lane}</th>
                                <th scope="col">{t().col_allocated}</th>
                                <th scope="col">{t().col_kernels}</th>
                                <th scope="col">{t().col_waits}</th>
                                <th scope="col">{t().col_there}</th>
                                <th scope="col">{t().col_back}</th>
                                <th scope="col">{t().col_errors}</th>
                            </tr>
                        </thead>
                        <tbody>{body}</tbody>
                    </table>
                </div>
            </Show>
        </details>
    }
}

/// A row for each stretch of the run, and in it for each lane on which something happened.
fn rows(timeline: &Timeline) -> Vec<[String; 9]> {
    let drawn = lanes(timeline.accelerators(), timeline.events(), STRETCHES);
    let (columns, count) = (drawn.columns, drawn.events);
    let mut lines = vec![None::<(u32, u32)>; columns];
    for (i, event) in timeline.events().enumerate().filter(|(_, event)| event.line > 0) {
        if let Some(seen) = lines.get_mut(i * columns / count) {
            let (first, last) = seen.unwrap_or((event.line, event.line));
            *seen = Some((first.min(event.line), last.max(event.line)));
        }
    }
    let none = || "—".to_string();
    let range = |from: String, to: String| if from == to { from } else { format!("{from}–{to}") };
    let number = |n: u64| if n == 0 { none() } else { format::thousands(n) };
    let copied = |(bytes, copies): (u64, u64)| match copies {
        0 => none(),
        _ => format!("{}, {}", format::count(copies, t().copy, t().copies), format::bytes(bytes)),
    };
    let mut out = Vec::new();
    for (column, lines) in lines.into_iter().enumerate() {
        // The first event that `lanes` puts into a column.
        let first = |column: usize| (column * count).div_ceil(columns);
        let events = range(format::thousands(first(column) + 1), format::thousands(first(column + 1)));
        let lines = lines.map_or_else(none, |(first, last)| range(first.to_string(), last.to_string()));
        for lane in &drawn.lanes {
            let Some(cell) = lane.cells.get(column) else { continue };
            let before = column.checked_sub(1).and_then(|before| lane.cells.get(before)).map_or(0, |c| c.allocated);
            if *cell == (Cell { allocated: before, ..Cell::default() }) {
                continue;
            }
            let (name, allocated) = match lane.kind {
                Kind::Device(device) => (device.to_string(), format::bytes(cell.allocated)),
                Kind::Link(from, to) => (t().lane_between(&from, &to), none()),
            };
            out.push([
                events.clone(),
                lines.clone(),
                name,
                allocated,
                number(cell.kernels),
                number(cell.waits),
                copied(cell.forward),
                copied(cell.back),
                number(cell.errors),
            ]);
        }
    }
    out
}

/// The controls that go back and forth in the run.
#[component]
fn Playhead() -> impl IntoView {
    let session = expect_context::<Session>();
    let events = move || session.playback.picture.with(|p| p.events);
    let head = move || session.playback.picture.with(|p| p.head);
    let moving = move || session.playback.playing.get() && head() < events();
    let busy = move || matches!(session.runner.status.get(), Status::Running { .. });
    let words = move || {
        session.playback.picture.with(|p| {
            let (at, of, time) = (format::thousands(p.head), format::thousands(p.events), format::micros(p.time));
            match p.line {
                0 => t().moment(&at, &of, &time),
                line => t().moment_line(&at, &of, &line, &time),
            }
        })
    };
    view! {
        <div class="playhead">
            <div class="transport" role="group" aria-label=t().playhead>
                <button
                    class="quiet"
                    type="button"
                    title=t().previous_line
                    aria-label=t().previous_line
                    disabled=move || head() == 0
                    on:click=move |_| session.playback.step(false)
                >
                    <svg viewBox="0 0 16 16" aria-hidden="true"><path d="M3 3h2v10H3zM13 3v10L6 8z"/></svg>
                </button>
                <button
                    class="quiet"
                    type="button"
                    disabled=move || events() == 0
                    aria-label=move || if moving() { t().pause } else { t().play_again }
                    on:click=move |_| if moving() { session.playback.pause() } else { session.playback.play_on() }
                >
                    <Show
                        when=moving
                        fallback=|| view! { <svg viewBox="0 0 16 16" aria-hidden="true"><path d="M4 2.5v11l9-5.5z"/></svg> }
                    >
                        <svg viewBox="0 0 16 16" aria-hidden="true"><path d="M4 3h3v10H4zM9 3h3v10H9z"/></svg>
                    </Show>
                </button>
                <button
                    class="quiet"
                    type="button"
                    title=t().next_line
                    aria-label=t().next_line
                    disabled=move || head() == events()
                    on:click=move |_| session.playback.step(true)
                >
                    <svg viewBox="0 0 16 16" aria-hidden="true"><path d="M3 3l7 5-7 5zM11 3h2v10h-2z"/></svg>
                </button>
            </div>
            <input
                type="range"
                min="0"
                aria-label=t().moment_label
                aria-valuetext=words
                disabled=move || events() == 0
                prop:max=move || events().to_string()
                prop:value=move || head().to_string()
                on:input=move |event| {
                    if let Ok(at) = event_target_value(&event).parse() {
                        session.playback.seek(at);
                    }
                }
            />
            <output class="moment" aria-live="off">
                {move || if events() == 0 && busy() { t().first_event.to_string() } else { words() }}
            </output>
        </div>
    }
}

/// One event in a few words.
fn describe(event: &Event, names: &std::collections::BTreeMap<u64, String>) -> String {
    let name = |storage: &u64| names.get(storage).cloned().unwrap_or_else(|| t().unnamed.into());
    let bytes = |n: &usize| format::bytes(*n);
    match &event.kind {
        EventKind::SegmentAlloc { device, bytes: n, .. } => t().ev_segment(device, &bytes(n)),
        EventKind::SegmentFree { device, bytes: n, .. } => t().ev_segment_free(device, &bytes(n)),
        EventKind::Alloc { device, storage, bytes: n, .. } => t().ev_alloc(device, &name(storage), &bytes(n)),
        EventKind::Free { device, storage, bytes: n, .. } => t().ev_free(device, &name(storage), &bytes(n)),
        EventKind::Transfer { from, to, bytes: n, source, .. } => t().ev_copy(&name(source), from, to, &bytes(n)),
        EventKind::Kernel { device, name, .. } => t().ev_kernel(device, name),
        EventKind::Graph { device, kernels, .. } => t().ev_graph(device, kernels),
        EventKind::Sync { device, .. } => t().ev_wait(device),
        EventKind::Print { device, source, copies, .. } => t().ev_print(&name(source), device, copies),
        EventKind::Name { storage: _, name } => t().ev_name(name),
        EventKind::Value { name, value } => format!("{name} = {}", format::number(*value)),
        EventKind::Selected { places } => {
            let gpus: Vec<String> = places.iter().map(|place| t().ev_gpu(place)).collect();
            t().ev_selected(&if gpus.is_empty() { "—".into() } else { gpus.join(", ") })
        }
        EventKind::Line { number } => t().ev_line(number),
        EventKind::Error { class, .. } => class.clone(),
        EventKind::Shortened { events, .. } => t().ev_shortened(&format::thousands(*events as usize)),
    }
}
