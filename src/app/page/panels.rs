//! The right column: the devices, the timeline, and the other views of a run.

use leptos::html;
use leptos::prelude::*;
use web_sys::KeyboardEvent;

use super::autograd::GraphView;
use super::browser;
use super::devices::{Devices, facts, kept_alive};
use super::figures::{Curves, ScoreLine};
use super::lanes::TimelineView;
use super::parts::accent;
use super::session::Session;
use super::strip::Strip;
use crate::app::format;
use crate::app::map::{self, Piece, Segment};
use crate::app::texts::t;
use crate::device::Device;
use crate::lesson::Panel;
use crate::smi::{Card, render};

/// The second column: everything that shows a run. Where there is only one column, the devices are right after the
/// program's output instead ([`DevicesBelow`]), and a strip at the edge of the screen leads to them.
#[component]
pub(crate) fn Sight() -> impl IntoView {
    let one_column = browser::followed(browser::has_one_column);
    view! {
        {move || (!one_column.get()).then(|| view! { <Devices/> })}
        <TimelineView/>
        <Panels/>
        <Curves/>
        {move || one_column.get().then(|| view! { <Strip/> })}
    }
}

/// The devices, if the page has one column: they should be seen next to the program, not after the rest of the lesson.
#[component]
pub(crate) fn DevicesBelow() -> impl IntoView {
    let one_column = browser::followed(browser::has_one_column);
    move || one_column.get().then(|| view! { <Devices/> })
}

/// The panels that are tabs. The others are always visible.
const PANELS: [(Panel, &str); 4] =
    [(Panel::Cost, "cost"), (Panel::Memory, "map"), (Panel::Graph, "graph"), (Panel::Smi, "smi")];

/// Whether the panel is a tab.
pub(crate) fn is_tab(panel: Panel) -> bool {
    PANELS.iter().any(|(tab, _)| *tab == panel)
}

/// The panel's name on the page.
pub(crate) fn title(panel: Panel) -> &'static str {
    match panel {
        Panel::Devices => t().devices,
        Panel::Timeline => t().timeline,
        Panel::Cost => t().cost,
        Panel::Memory => t().memory_map,
        Panel::Smi => "nvidia-smi",
        Panel::Graph => t().graph,
    }
}

/// Tabs: one panel at a time, chosen with the arrow keys or a click.
#[component]
fn Panels() -> impl IntoView {
    let pointer = expect_context::<Session>().pointer;
    let open = pointer.tab;
    let list = NodeRef::<html::Div>::new();
    let keys = move |event: KeyboardEvent| {
        let at = PANELS.iter().position(|(p, _)| *p == open.get_untracked()).unwrap_or(0);
        let to = match event.key().as_str() {
            "ArrowRight" => (at + 1) % PANELS.len(),
            "ArrowLeft" => (at + PANELS.len() - 1) % PANELS.len(),
            "Home" => 0,
            "End" => PANELS.len() - 1,
            _ => return,
        };
        event.prevent_default();
        open.set(PANELS[to].0);
        if let Some(tab) = list.get_untracked().and_then(|l| l.children().item(to as u32)) {
            use leptos::wasm_bindgen::JsCast;
            let _ = tab.unchecked_into::<web_sys::HtmlElement>().focus();
        }
    };
    view! {
        <section class="panels" class:pointed=move || pointer.panel.get().is_some_and(is_tab) aria-label=t().views_of_run>
            <div class="tabs" role="tablist" aria-label=t().views_of_run node_ref=list on:keydown=keys>
                {PANELS
                    .into_iter()
                    .map(|(panel, id)| view! {
                        <button
                            type="button"
                            role="tab"
                            id=format!("tab-{id}")
                            aria-controls=format!("panel-{id}")
                            aria-selected=move || (open.get() == panel).to_string()
                            tabindex=move || if open.get() == panel { "0" } else { "-1" }
                            on:click=move |_| open.set(panel)
                        >
                            {title(panel)}
                        </button>
                    })
                    .collect_view()}
            </div>
            {PANELS
                .into_iter()
                .map(|(panel, id)| view! {
                    <div
                        role="tabpanel"
                        id=format!("panel-{id}")
                        aria-labelledby=format!("tab-{id}")
                        hidden=move || open.get() != panel
                    >
                        <Show when=move || open.get() == panel>
                            {match panel {
                                Panel::Cost => view! { <ScoreLine/> }.into_any(),
                                Panel::Memory => view! { <MemoryMap/> }.into_any(),
                                Panel::Smi => view! { <Smi/> }.into_any(),
                                Panel::Graph => view! { <GraphView/> }.into_any(),
                                Panel::Devices | Panel::Timeline => ().into_any(),
                            }}
                        </Show>
                    </div>
                })
                .collect_view()}
        </section>
    }
}

/// The number of segments that are shown for one device.
const SEGMENTS: usize = 24;

/// Where each block is, by device and segment.
#[component]
fn MemoryMap() -> impl IntoView {
    let session = expect_context::<Session>();
    let maps = Memo::new(move |_| {
        session.playback.picture.track();
        session.playback.with_timeline(|timeline| {
            let now = timeline.now();
            let yards = now.yards.iter().filter(|y| y.capacity.is_some());
            let maps = yards.map(|y| {
                let (allocated, reserved) = now.memory(y.device);
                (y.device, allocated, reserved, map::segments(y, timeline.names()))
            });
            maps.collect::<Vec<_>>()
        })
    });
    let picked = RwSignal::new(None::<(Device, u64)>);
    let held = move || {
        let (device, storage) = picked.get()?;
        maps.with(|maps| {
            let (_, _, _, segments) = maps.iter().find(|(d, ..)| *d == device)?;
            let pieces = segments.iter().flat_map(|s| &s.pieces);
            pieces.filter_map(|p| p.held.as_ref()).find(|(id, _)| *id == storage).map(|(_, t)| t.clone())
        })
    };
    view! {
        <div class="map">
            <p class="legend">{t().map_legend}</p>
            {move || maps.with(|maps| {
                if maps.iter().all(|(_, _, _, segments)| segments.is_empty()) {
                    return view! { <p class="faint">{t().map_empty}</p> }.into_any();
                }
                maps.iter()
                    .filter(|(_, _, _, segments)| !segments.is_empty())
                    .map(|(device, allocated, reserved, segments)| {
                        let device = *device;
                        let rest = segments.len().saturating_sub(SEGMENTS);
                        view! {
                            <section class="map-device" data-accent=accent(&device.to_string())>
                                <h3>
                                    <code class="on">{device.to_string()}</code>
                                    <small>
                                        {t().map_device(&format::count(segments.len(), t().segment, t().segments), &format::bytes(*allocated), &format::bytes(*reserved), &format::bytes(reserved.saturating_sub(*allocated)))}
                                    </small>
                                </h3>
                                <ol>
                                    {segments
                                        .iter()
                                        .take(SEGMENTS)
                                        .map(|segment| view! { <SegmentView device segment=segment.clone() picked/> })
                                        .collect_view()}
                                </ol>
                                {(rest > 0).then(|| view! { <p class="faint">{t().more_segments(&rest)}</p> })}
                            </section>
                        }
                    })
                    .collect_view()
                    .into_any()
            })}
            <div role="status">
                {move || held().map(|tensor| {
                    let name = tensor.name.clone().unwrap_or_else(|| t().unnamed.into());
                    let facts = facts(&tensor);
                    let made = (tensor.line > 0).then(|| t().created_in_line(&tensor.line));
                    view! {
                        <p class="held"><code>{name}</code>" "{facts}" "{made}". "{kept_alive(&tensor)}</p>
                    }
                })}
            </div>
        </div>
    }
}

#[component]
fn SegmentView(device: Device, segment: Segment, picked: RwSignal<Option<(Device, u64)>>) -> impl IntoView {
    let Segment { bytes, used, pieces, .. } = segment;
    view! {
        <li>
            <span class="size">{t().segment_of(&format::bytes(used), &format::bytes(bytes))}</span>
            <div class="strip">
                {pieces.into_iter().map(|piece| piece_view(device, piece, bytes, picked)).collect_view()}
            </div>
        </li>
    }
}

fn piece_view(device: Device, piece: Piece, of: usize, picked: RwSignal<Option<(Device, u64)>>) -> AnyView {
    // A block of 512 B in a segment of 20 MiB must be visible and clickable, so every piece is at least as wide as its
    // border.
    let grow = format!("{:.5}", piece.bytes as f64 / of.max(1) as f64);
    let Some((storage, tensor)) = piece.held else {
        return view! { <span class="gap" style:flex-grow=grow></span> }.into_any();
    };
    let name = tensor.name.clone().unwrap_or_else(|| t().unnamed.into());
    let title = format!("{name}, {}", format::bytes(tensor.bytes));
    let label = if tensor.bytes > of / 12 { name } else { String::new() };
    view! {
        <button
            type="button"
            style:flex-grow=grow
            title=title.clone()
            aria-label=title
            aria-pressed=move || (picked.get() == Some((device, storage))).to_string()
            on:click=move |_| {
                picked.update(|p| *p = (*p != Some((device, storage))).then_some((device, storage)));
            }
        >
            {label}
        </button>
    }
    .into_any()
}

/// What `nvidia-smi` would print.
#[component]
fn Smi() -> impl IntoView {
    let session = expect_context::<Session>();
    let text = move || {
        session.playback.picture.track();
        session.program.machine.with(|machine| {
            // `nvidia-smi` numbers the machine's cards, even those that the program doesn't see.
            let reserved = |place: usize| {
                session.playback.with_timeline(|timeline| {
                    let now = timeline.now();
                    now.yards.iter().find(|y| y.place == Some(place)).map_or(0, |y| now.memory(y.device).1)
                })
            };
            let cuda = machine.accelerators().into_iter().enumerate().filter(|(_, (device, _))| device.is_cuda());
            let cards = cuda.map(|(place, (_, spec))| Card {
                name: spec.model(),
                memory_mib: spec.memory_mib,
                reserved: reserved(place),
            });
            render(machine, &cards.collect::<Vec<_>>())
        })
    };
    view! {
        <div class="smi">
            <pre class="sample" tabindex="0" aria-label="nvidia-smi">{text}</pre>
            <p class="legend">{t().smi_legend}</p>
        </div>
    }
}
