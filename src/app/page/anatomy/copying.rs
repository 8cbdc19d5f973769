//! The page of a copy's cost: its time against its size, on the links of a machine.

use leptos::prelude::*;

use super::bench::{Settings, Standing, bench};
use super::dials::{Choice, Dial, Listing};
use crate::app::anatomy::copying::{LARGEST, LARGEST_RUN, Made, Order, SMALLEST, Way, link, made, micros, turn};
use crate::app::format;
use crate::app::page::parts::sentence;
use crate::app::texts::t;
use crate::machine::Link;

const WIDTH: f64 = 700.0;
const HEIGHT: f64 = 300.0;
/// The ends of the scale of times, in microseconds.
const LEAST: f64 = 1.0;
const MOST: f64 = 1e6;

/// The ways whose link is drawn: one for each link.
const LINES: [Way; 2] = [Way::Pinned, Way::Between];

fn way_words(way: Way) -> &'static str {
    match way {
        Way::Pageable => t().copy_pageable,
        Way::Pinned => t().copy_pinned,
        Way::Between => t().copy_between,
    }
}

/// A way's link in the style sheet.
fn part(way: Way) -> &'static str {
    match way {
        Way::Pageable | Way::Pinned => "host",
        Way::Between => "peer",
    }
}

fn on_link(way: Way, link: &Link) -> String {
    match way {
        Way::Pageable | Way::Pinned => t().on_host_link(&link.kind),
        Way::Between => t().on_peer_link(&link.kind),
    }
}

#[component]
pub(crate) fn CopyPage() -> impl IntoView {
    let Settings { order, copies, .. } = expect_context();
    let drawn = Signal::derive(move || {
        let now = order.get();
        // What isn't run is never late.
        if now.runs() { copies.with(|c| c.as_ref().map(|(order, _)| *order)) } else { Some(now) }
    });
    let runs = bench(order.into(), drawn, Order::runnable, move |order, events| {
        copies.set(Some((order, made(&order, events))));
    });
    let machines = vec![(0, t().one_gpu), (1, t().two_gpus)];
    let code = Signal::derive(move || order.get().program());
    let words = |at: usize| format::bytes(1_usize << (at as u32 + SMALLEST));
    view! {
        <div class="intro">
            <h1>{t().anatomy_copy}</h1>
            <p>{t().anatomy_copy_intro}</p>
        </div>
        <div class="anatomy-columns">
            <div class="dials" role="group" aria-label=t().dials>
                <div class="held">
                    <Dial
                        id="dial-size"
                        label=t().copy_size
                        stops=(LARGEST - SMALLEST + 1) as usize
                        at=Signal::derive(move || (order.get().size - SMALLEST) as usize)
                        words
                        on_move=move |at| order.update(|o| o.size = SMALLEST + at as u32)
                    />
                </div>
                <Choice
                    name="machine"
                    label=t().machine
                    options=machines
                    now=Signal::derive(move || order.get().machine)
                    on_choose=move |machine| order.update(|o| o.machine = machine)
                />
                <Listing code machine=Signal::derive(move || order.get().machine()) line=Signal::derive(|| None)/>
            </div>
            <section class="drawing" aria-labelledby="copy-title">
                <header>
                    <h2 id="copy-title">{t().copy_title}</h2>
                    <Standing bench=runs/>
                </header>
                {move || picture(&order.get())}
                <div role="status">{move || finding(&order.get())}</div>
                <h3>{t().copy_ways}</h3>
                {move || copies.with(|c| ways(&order.get(), c.as_ref().map(|(order, made)| (order, made.as_slice()))))}
                <details class="tables">
                    <summary>{t().as_table}</summary>
                    {move || table(&order.get())}
                </details>
            </section>
        </div>
    }
}

fn lines(order: &Order) -> Vec<(Way, Link)> {
    let machine = order.model();
    let own: Vec<Way> = Way::of(&machine).collect();
    LINES.into_iter().filter(|way| own.contains(way)).map(|way| (way, link(&machine, way))).collect()
}

/// A place in the drawing, from 0 to 1: sizes and times double with equal steps.
fn across(bytes: f64) -> f64 {
    (bytes.log2() - f64::from(SMALLEST)) / f64::from(LARGEST - SMALLEST)
}

fn up(micros: f64) -> f64 {
    (micros / LEAST).log2() / (MOST / LEAST).log2()
}

fn percent(part: f64) -> String {
    format!("{:.2}%", 100.0 * part)
}

fn picture(order: &Order) -> AnyView {
    let machine = order.model();
    let bytes = order.bytes();
    let lines = lines(order);
    let curve = |way: &Way| {
        let points = (SMALLEST * 4..=LARGEST * 4).map(|step| {
            let bytes = (f64::from(step) / 4.0).exp2();
            let time = micros(&machine, *way, bytes as usize);
            format!("{:.1},{:.1}", across(bytes) * WIDTH, (1.0 - up(time)) * HEIGHT)
        });
        points.collect::<Vec<_>>().join(" ")
    };
    let curves = lines.iter().map(|(way, _)| view! { <polyline data-link=part(*way) points=curve(way)/> });
    let turns = lines.iter().map(|(way, link)| {
        let turn = turn(link);
        let label = t().copy_turn(&format::bytes(turn as u64));
        let height = percent(up(link.micros(turn as u64)));
        view! {
            <div class="turn" data-link=part(*way) style:left=percent(across(turn)) style:height=height>
                <span>{label}</span>
            </div>
        }
    });
    let dots = lines.iter().map(|(way, link)| {
        let (left, bottom) = (percent(across(bytes as f64)), percent(up(link.micros(bytes as u64))));
        view! { <div class="dot-at" data-link=part(*way) style:left=left style:bottom=bottom></div> }
    });
    let times = [1.0, 1e1, 1e2, 1e3, 1e4, 1e5].map(|micros| {
        // Whole powers of ten: `10 ms`, not `10.0 ms`.
        let time = format::micros(micros).replace(".0", "");
        view! { <li style:bottom=percent(up(micros))><span>{time}</span></li> }
    });
    let sizes = [2, 10, 20, 30].map(|size: u32| {
        let bytes = f64::from(size).exp2();
        view! { <li style:left=percent(across(bytes))><span>{format::bytes(bytes as u64)}</span></li> }
    });
    let time = format::micros(micros(&machine, Way::Pinned, bytes));
    view! {
        <div class="plane" role="img" aria-label=t().copy_label(&format::bytes(bytes), &time)>
            <ul class="scale" aria-hidden="true">{times.collect_view()}</ul>
            <svg viewBox=format!("0 0 {WIDTH} {HEIGHT}") preserveAspectRatio="none" aria-hidden="true">
                {curves.collect_view()}
            </svg>
            <div aria-hidden="true">{turns.collect_view()}{dots.collect_view()}</div>
        </div>
        <ul class="sizes" aria-hidden="true">{sizes.collect_view()}</ul>
        <p class="legend">{t().copy_scales}</p>
    }
    .into_any()
}

/// What the chosen size costs, and what follows from it.
fn finding(order: &Order) -> impl IntoView + use<> {
    let bytes = order.bytes();
    let size = format::bytes(bytes);
    let said: Vec<String> = lines(order)
        .iter()
        .map(|(way, link)| {
            let time = link.micros(bytes as u64);
            let latency = format!("{:.0}", 100.0 * link.latency_us / time);
            t().copy_says(&on_link(*way, link), &size, &format::micros(time), &latency)
        })
        .collect();
    let host = link(&order.model(), Way::Pinned);
    let turns_at = turn(&host);
    let turn = format::bytes(turns_at as u64);
    let advice = if (bytes as f64) < turns_at { t().copy_small(&turn) } else { t().copy_large(&turn) };
    view! {
        <p class="finding">{said.join(" ")}</p>
        <p class="finding">{advice}</p>
    }
}

/// Each way with its estimate, and what its copy in the run did.
fn ways(order: &Order, run: Option<(&Order, &[Made])>) -> AnyView {
    let machine = order.model();
    let size = format::bytes(order.bytes());
    let items = Way::of(&machine).map(|way| {
        let link = link(&machine, way);
        let copy = run.filter(|(of, _)| *of == order).and_then(|(_, made)| made.iter().find(|made| made.way == way));
        let did = match copy {
            Some(Made { waited: true, bytes, .. }) => format!("{}, {}", format::bytes(*bytes), t().copy_waits),
            Some(Made { bytes, .. }) => format!("{}, {}", format::bytes(*bytes), t().copy_goes_on),
            None => t().copy_none(&size),
        };
        let time = link.micros(order.bytes() as u64);
        let speed = t().copy_speed(&format::number(order.bytes() as f64 / time / 1e3));
        view! {
            <li data-link=part(way)>
                <h4>{way_words(way)}</h4>
                <b>{format::micros(time)}</b>
                <span class="portion" aria-hidden="true"><span style:width=percent(link.latency_us / time)></span></span>
                <p>{did}". "{speed}</p>
            </li>
        }
    });
    let links = lines(order).into_iter().map(|(_, link)| {
        let latency = format::micros(link.latency_us);
        view! { <p class="legend">{t().copy_estimate(&link.kind, &format::number(link.gb_per_s), &latency)}</p> }
    });
    let limit = format::bytes(1_usize << LARGEST_RUN);
    let not_made = (!order.runs()).then(|| view! { <p class="notice plain">{t().copy_not_made(&limit)}</p> });
    view! {
        <ul class="ways">{items.collect_view()}</ul>
        {not_made}
        <p class="legend">{sentence(t().copy_same)}</p>
        {links.collect_view()}
    }
    .into_any()
}

fn table(order: &Order) -> impl IntoView + use<> {
    let lines = lines(order);
    let heads: Vec<_> = lines.iter().map(|(way, link)| view! { <th scope="col">{on_link(*way, link)}</th> }).collect();
    let rows: Vec<_> = (SMALLEST..=LARGEST)
        .step_by(2)
        .map(|size| {
            let bytes = 1_usize << size;
            let cells: Vec<_> =
                lines.iter().map(|(_, link)| view! { <td>{format::micros(link.micros(bytes as u64))}</td> }).collect();
            view! { <tr><th scope="row">{format::bytes(bytes)}</th>{cells}</tr> }
        })
        .collect();
    view! {
        <div class="scroll" tabindex="0" role="group" aria-label=t().copy_table>
            <table>
                <caption>{t().copy_table}</caption>
                <thead><tr><th scope="col">{t().col_size}</th>{heads}</tr></thead>
                <tbody>{rows}</tbody>
            </table>
        </div>
    }
}
