//! What the run cost, and the values that it reported.

use leptos::prelude::*;

use super::session::Session;
use crate::app::texts::t;
use crate::app::yards::Series;
use crate::app::{curve, format};
use crate::protocol::{Looking, Score};

/// The cost score of the run, with one number in each cell.
#[component]
pub(crate) fn ScoreLine() -> impl IntoView {
    let session = expect_context::<Session>();
    let figure = move |read: fn(&Score) -> String| move || session.playback.picture.with(|p| read(&p.score));
    let cell = move |label: &'static str, title: &'static str, read: fn(&Score) -> String| {
        view! {
            <div title=title>
                <dt>{label}</dt>
                <dd>{figure(read)}</dd>
            </div>
        }
    };
    let between = move || session.playback.picture.with(|p| p.score.d2d_bytes > 0);
    let looked = move || session.playback.picture.with(|p| p.looking.copies + p.looking.synchronisations > 0);
    view! {
        <section class="score" aria-labelledby="score-title">
            <h2 id="score-title">{t().cost}</h2>
            <p class="legend">{t().cost_legend}</p>
            <dl>
                {cell(t().h2d, t().h2d_title, |s| format::bytes(s.h2d_bytes))}
                {cell(t().d2h, t().d2h_title, |s| format::bytes(s.d2h_bytes))}
                <Show when=between>
                    {cell(t().d2d, t().d2d_title, |s| format::bytes(s.d2d_bytes))}
                </Show>
                {cell(t().copies, t().copies_title, |s| format::thousands(s.copies))}
                {cell(t().waits, t().waits_title, |s| format::thousands(s.synchronisations))}
                {cell(t().kernels, t().kernels_title, |s| format::thousands(s.launches))}
                {cell(t().peak, t().peak_title, |s| format::bytes(s.peak_bytes))}
            </dl>
            <Show when=looked>
                <p class="looking" title=t().of_looking_title>
                    {move || session.playback.picture.with(|p| of_looking(&p.looking))}
                </p>
            </Show>
        </section>
    }
}

/// What of the cost is only the learner's own looking.
fn of_looking(looking: &Looking) -> String {
    let copies = match looking.copies {
        1 => t().one_copy.to_string(),
        n => t().some_copies(&format::thousands(n)),
    };
    let waits = match looking.synchronisations {
        1 => t().one_wait.to_string(),
        n => t().some_waits(&format::thousands(n)),
    };
    t().of_looking(&copies, &waits)
}

/// A curve for each name under which the program reported values.
#[component]
pub(crate) fn Curves() -> impl IntoView {
    let session = expect_context::<Session>();
    let series = move |name: &str| session.playback.picture.with(|p| p.series.iter().find(|s| s.name == name).cloned());
    let names = Memo::new(move |_| {
        session
            .playback
            .picture
            .with(|p| p.series.iter().filter(|s| s.values.len() > 1).map(|s| s.name.clone()).collect::<Vec<_>>())
    });
    view! {
        <For each=move || names.get() key=|name| name.clone() let:name>
            <CurveView series=Memo::new(move |_| series(&name)) />
        </For>
    }
}

const WIDTH: f64 = 600.0;
const HEIGHT: f64 = 150.0;
/// The number of points in one curve.
const POINTS: usize = 400;

#[component]
fn CurveView(series: Memo<Option<Series>>) -> impl IntoView {
    let curve = Memo::new(move |_| series.with(|s| curve::fit(&s.as_ref()?.values, POINTS)));
    let name = move || series.with(|s| s.as_ref().map(|s| s.name.clone()));
    let last = move || series.with(|s| s.as_ref().map(|s| format::number(s.last)));
    let low = move || curve.with(|c| c.as_ref().map(|c| format::number(c.low)));
    let high = move || curve.with(|c| c.as_ref().map(|c| format::number(c.high)));
    let broken = move || curve.with(|c| c.as_ref().map_or(0, |c| c.broken));
    let points = move || {
        let place = |&(_, x, y): &(usize, f64, f64)| format!("{:.1},{:.1}", x * WIDTH, (1.0 - y) * HEIGHT);
        curve.with(|c| c.iter().flat_map(|c| &c.points).map(place).collect::<Vec<_>>().join(" "))
    };
    let label = move || {
        series.with(|s| {
            let s = s.as_ref()?;
            let number = |v: Option<&f64>| v.map_or(String::new(), |v| format::number(*v));
            let (first, last) = (number(s.values.first()), format::number(s.last));
            Some(t().curve_label(&s.name, &s.count, &first, &last))
        })
    };
    let rows = move || {
        series.with(|s| {
            let (values, every) = s.as_ref().map_or((Vec::new(), 1), |s| (s.values.clone(), s.every));
            curve.with(|c| {
                let points = c.iter().flat_map(|c| &c.points);
                points.map(|&(i, _, _)| (i * every + 1, values.get(i).copied().unwrap_or(f64::NAN))).collect::<Vec<_>>()
            })
        })
    };
    let thinned = move || series.with(|s| s.as_ref().is_some_and(|s| s.count > POINTS));
    let open = RwSignal::new(false);
    view! {
        <section class="curve">
            <h2>{name}<small>{last}</small></h2>
            <div class="plot">
                <div class="axis" aria-hidden="true">
                    <span>{high}</span>
                    <span>{low}</span>
                </div>
                <svg
                    viewBox=format!("-4 -6 {} {}", WIDTH + 8.0, HEIGHT + 12.0)
                    preserveAspectRatio="none"
                    role="img"
                    aria-label=label
                >
                    <path class="grid" d=format!("M0 0H{WIDTH}M0 {}H{WIDTH}M0 {HEIGHT}H{WIDTH}", HEIGHT / 2.0)/>
                    <polyline class="line" points=points/>
                </svg>
            </div>
            <Show when=move || { broken() > 0 }>
                <p class="notice bad">
                    {move || t().not_drawn(&broken())}
                </p>
            </Show>
            <details on:toggle=move |_| open.update(|open| *open = !*open)>
                <summary>{t().as_table}</summary>
                <Show when=move || open.get()>
                    <div class="scroll" tabindex="0" role="group" aria-label=t().values>
                        <table>
                            <Show when=thinned>
                                <caption>{t().thinned}</caption>
                            </Show>
                            <thead><tr><th scope="col">{t().number}</th><th scope="col">{name}</th></tr></thead>
                            <tbody>
                                <For each=rows key=|(i, _)| *i let:row>
                                    <tr><th scope="row">{row.0}</th><td>{row.1.to_string()}</td></tr>
                                </For>
                            </tbody>
                        </table>
                    </div>
                </Show>
            </details>
        </section>
    }
}
