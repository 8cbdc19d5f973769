//! Where the page has one column: each device's memory as a thin bar at the edge of the screen, until the devices
//! themselves are in view.

use leptos::ev;
use leptos::html;
use leptos::prelude::*;

use super::browser;
use super::devices::yard_id;
use super::parts::accent;
use super::session::Session;
use crate::app::format;
use crate::app::texts::t;
use crate::app::yards::bar_scale;
use crate::device::Device;

/// A link for each device, which leads to its yard.
#[component]
pub(crate) fn Strip() -> impl IntoView {
    let session = expect_context::<Session>();
    let devices = Memo::new(move |_| {
        session.playback.picture.with(|p| p.yards.iter().map(|yard| yard.device).collect::<Vec<_>>())
    });
    let needed = RwSignal::new(false);
    let here = NodeRef::<html::Nav>::new();
    let look = move || {
        // A frame that was asked for may come after this view has gone, and its signals with it.
        let (Some(here), Some(before)) = (here.try_get_untracked(), needed.try_get_untracked()) else { return };
        let now = here.is_some() && devices_are_out_of_sight();
        if before != now {
            needed.set(now);
        }
    };
    let scrolled = window_event_listener(ev::scroll, move |_| look());
    let resized = window_event_listener(ev::resize, move |_| look());
    on_cleanup(move || {
        scrolled.remove();
        resized.remove();
    });
    // What is drawn changes where things are.
    Effect::new(move |_| {
        session.playback.picture.track();
        session.runner.outcome.track();
        request_animation_frame(look);
    });
    view! {
        <nav class="glance" aria-label=t().at_a_glance node_ref=here class:away=move || !needed.get()>
            <For each=move || devices.get() key=|device| *device let:device>
                <Glance device/>
            </For>
        </nav>
    }
}

/// Whether the page shows devices, but none of them is on the screen now.
fn devices_are_out_of_sight() -> bool {
    let Ok(Some(devices)) = document().query_selector(".devices") else { return false };
    let place = devices.get_bounding_client_rect();
    let height = window().inner_height().ok().and_then(|height| height.as_f64()).unwrap_or(0.0);
    // The first few pixels of the yards don't show anything yet.
    place.bottom() < 48.0 || place.top() > height - 96.0
}

#[component]
fn Glance(device: Device) -> impl IntoView {
    let session = expect_context::<Session>();
    let memory = Memo::new(move |_| {
        session.playback.picture.with(|p| {
            let yard = p.yards.iter().find(|yard| yard.device == device);
            yard.map_or((0, 1), |y| (y.allocated, bar_scale(y.reserved.max(y.peak), y.capacity)))
        })
    });
    let allocated = move || format::bytes(memory.get().0);
    let width = move || {
        let (allocated, scale) = memory.get();
        format!("{:.3}%", 100.0 * allocated as f64 / scale.max(1) as f64)
    };
    view! {
        <button
            type="button"
            data-accent=accent(&device.to_string())
            on:click=move |_| browser::focus(&format!("article[aria-labelledby={}]", yard_id(device)))
        >
            <span class="visually-hidden">{t().glance}" "</span>
            <span class="glance-name">{device.to_string()}</span>
            " "
            <span class="gauge" aria-hidden="true"><span class="allocated" style:width=width></span></span>
            <span class="glance-bytes">{allocated}</span>
        </button>
    }
}
