//! The page of a training step: its controls, and the GPU's memory as a mountain.

use leptos::prelude::*;

use super::bench::{Settings, Standing, bench};
use super::dials::{Choice, Dial, Listing};
use crate::app::anatomy::step::{
    BATCHES, DEPTHS, Moment, Mountain, Optimizer, Part, Phase, Recipe, STRETCHES, WIDTHS, ticks,
};
use crate::app::format;
use crate::app::page::parts::sentence;
use crate::app::texts::t;

const WIDTH: f64 = 700.0;
const HEIGHT: f64 = 300.0;
const MACHINE: &str = "cuda:1";

/// A part's name in the style sheet, its name on the page, and what it is.
fn part_words(part: Part) -> (&'static str, &'static str, &'static str) {
    match part {
        Part::Parameters => ("parameters", t().part_parameters, t().part_parameters_line),
        Part::State => ("state", t().part_state, t().part_state_line),
        Part::Data => ("data", t().part_data, t().part_data_line),
        Part::Gradients => ("gradients", t().part_gradients, t().part_gradients_line),
        Part::Activations => ("activations", t().part_activations, t().part_activations_line),
        Part::Scratch => ("scratch", t().part_scratch, t().part_scratch_line),
        Part::Workspace => ("workspace", t().part_workspace, t().part_workspace_line),
    }
}

/// A stretch's short name, and the words for a moment in it.
fn stretch_words(stretch: usize) -> (&'static str, &'static str) {
    match STRETCHES[stretch] {
        (Phase::SetUp, _) => (t().phase_set_up, t().in_set_up),
        (Phase::Forward, 1) => (t().phase_forward, t().in_forward_1),
        (Phase::Backward, 1) => (t().phase_backward, t().in_backward_1),
        (Phase::Update, 1) => (t().phase_update, t().in_update_1),
        (Phase::Forward, _) => (t().phase_forward, t().in_forward_2),
        (Phase::Backward, _) => (t().phase_backward, t().in_backward_2),
        (Phase::Update, _) => (t().phase_update, t().in_update_2),
    }
}

#[component]
pub(crate) fn StepPage() -> impl IntoView {
    let Settings { recipe, mountain, .. } = expect_context();
    let drawn = Signal::derive(move || mountain.with(|m| m.as_ref().map(|(recipe, _)| *recipe)));
    let runs = bench(
        recipe.into(),
        drawn,
        |recipe: &Recipe| Some((recipe.program(), MACHINE)),
        move |recipe, events| {
            mountain.set(Mountain::of(&recipe, events).map(|drawn| (recipe, drawn)));
        },
    );
    let index = |stops: &'static [usize], of: fn(&Recipe) -> usize| {
        Signal::derive(move || recipe.with(|r| stops.iter().position(|stop| *stop == of(r)).unwrap_or(0)))
    };
    let depth = |n: usize| if n == 1 { t().dial_depth_one.to_string() } else { t().dial_depth_value(&n) };
    let optimizers = vec![
        (Optimizer::Sgd, t().dial_sgd),
        (Optimizer::Momentum, t().dial_momentum),
        (Optimizer::Adam, t().dial_adam),
    ];
    let line = Signal::derive(move || mountain.with(|m| m.as_ref().map(|(_, drawn)| drawn.top().line)));
    let code = Signal::derive(move || drawn.get().unwrap_or(recipe.get()).program());
    view! {
        <div class="intro">
            <h1>{t().anatomy_step}</h1>
            <p>{t().anatomy_step_intro}</p>
        </div>
        <div class="anatomy-columns">
            <div class="dials" role="group" aria-label=t().dials>
                <Dial
                    id="dial-batch"
                    label=t().dial_batch
                    note=t().dial_batch_note
                    stops=BATCHES.len()
                    at=index(&BATCHES, |r| r.batch)
                    words=|at| t().dial_batch_value(&BATCHES[at])
                    on_move=move |at| recipe.update(|r| r.batch = BATCHES[at])
                />
                <Dial
                    id="dial-width"
                    label=t().dial_width
                    note=t().dial_width_note
                    stops=WIDTHS.len()
                    at=index(&WIDTHS, |r| r.width)
                    words=|at| t().dial_width_value(&WIDTHS[at])
                    on_move=move |at| recipe.update(|r| r.width = WIDTHS[at])
                />
                <Dial
                    id="dial-depth"
                    label=t().dial_depth
                    note=t().dial_depth_note
                    stops=DEPTHS.len()
                    at=index(&DEPTHS, |r| r.depth)
                    words=move |at| depth(DEPTHS[at])
                    on_move=move |at| recipe.update(|r| r.depth = DEPTHS[at])
                />
                <Choice
                    name="optimizer"
                    label=t().dial_optimizer
                    note=t().dial_optimizer_note
                    options=optimizers
                    now=Signal::derive(move || recipe.with(|r| r.optimizer))
                    on_choose=move |optimizer| recipe.update(|r| r.optimizer = optimizer)
                />
                <Choice
                    name="precision"
                    label=t().dial_precision
                    note=t().dial_precision_note
                    options=vec![(false, "float32"), (true, "autocast bfloat16")]
                    now=Signal::derive(move || recipe.with(|r| r.autocast))
                    on_choose=move |autocast| recipe.update(|r| r.autocast = autocast)
                />
                <p class="legend">{t().anatomy_simulated}</p>
            </div>
            <section class="drawing" aria-labelledby="mountain-title">
                <header>
                    <h2 id="mountain-title">{t().mountain_title}</h2>
                    <Standing bench=runs/>
                </header>
                {move || mountain.with(|m| match m {
                    Some((_, drawn)) => picture(drawn),
                    None => view! { <div class="plane empty"></div> }.into_any(),
                })}
                <div role="status">
                    {move || mountain.with(|m| m.as_ref().map(|(recipe, drawn)| peak(recipe, drawn)))}
                </div>
            </section>
            <section class="parts" aria-labelledby="parts-title">
                <h2 id="parts-title">{t().mountain_parts}<small>{t().at_the_peak}</small></h2>
                <ul>{move || mountain.with(|m| parts(m.as_ref().map(|(_, drawn)| drawn)))}</ul>
                <details class="tables">
                    <summary>{t().as_table}</summary>
                    {move || mountain.with(|m| m.as_ref().map(|(_, drawn)| table(drawn)))}
                </details>
            </section>
            <Listing code machine=Signal::derive(|| MACHINE) line/>
        </div>
    }
}

/// The mountain: what is allocated over the events of the run, one part upon the other.
fn picture(mountain: &Mountain) -> AnyView {
    let top = mountain.top();
    // The peak's words are above it.
    let most = top.total() * 9 / 8;
    let share = |bytes: usize| format!("{:.2}%", 100.0 * bytes as f64 / most.max(1) as f64);
    let outlines = Part::ALL.map(|part| {
        let path = mountain.outline(part, WIDTH, HEIGHT, most);
        view! { <path data-part=part_words(part).0 d=path/> }
    });
    let scale = ticks(most).into_iter().map(|bytes| {
        view! { <li style:bottom=share(bytes)><span>{format::bytes(bytes)}</span></li> }
    });
    let names = (0..STRETCHES.len()).map(|stretch| view! { <li><span>{stretch_words(stretch).0}</span></li> });
    // The words stay inside the drawing.
    let side = if top.at > 0.5 { "left" } else { "right" };
    let peak = format::bytes(top.total());
    view! {
        <div class="plane" role="img" aria-label=t().mountain_label(&peak)>
            <ul class="scale" aria-hidden="true">{scale.collect_view()}</ul>
            <svg viewBox=format!("0 0 {WIDTH} {HEIGHT}") preserveAspectRatio="none" aria-hidden="true">
                {outlines.collect_view()}
            </svg>
            <div class="peak" data-side=side style:left=format!("{:.2}%", 100.0 * top.at) style:bottom=share(top.total()) aria-hidden="true">
                <span>{t().mountain_peak(&peak)}</span>
            </div>
        </div>
        <ul class="stretches" aria-hidden="true">{names.collect_view()}</ul>
        <ul class="two-steps" aria-hidden="true">
            <li></li>
            <li>{t().step_first}</li>
            <li>{t().step_second}</li>
        </ul>
    }
    .into_any()
}

/// The peak, where it is, and what it's made of.
fn peak(recipe: &Recipe, mountain: &Mountain) -> impl IntoView + use<> {
    let top = mountain.top();
    let place = stretch_words(top.stretch).1;
    let said = t().mountain_peak_at(&format::bytes(top.total()), &place, &top.line, &recipe.line(top.line));
    let largest = Part::ALL.into_iter().max_by_key(|part| top.parts[*part as usize]);
    let largest = largest.map(|part| t().mountain_most(&part_words(part).1, &format::bytes(top.parts[part as usize])));
    let reserved = t().mountain_reserved(&format::bytes(mountain.reserved));
    view! {
        <p class="finding">{sentence(&said)}" "{largest}" "{reserved}</p>
    }
}

/// Each part that occurs in the run, with its bytes at the peak.
fn parts(drawn: Option<&Mountain>) -> AnyView {
    let top = drawn.map(Mountain::top);
    let total = top.map_or(1, Moment::total).max(1);
    let part = |part: Part| {
        let (name, title, line) = part_words(part);
        let bytes = top.map_or(0, |top| top.parts[part as usize]);
        let share = format!("{:.1}%", 100.0 * bytes as f64 / total as f64);
        view! {
            <li data-part=name class:none=bytes == 0>
                <h3>{title}</h3>
                <b>{top.map(|_| format::bytes(bytes))}</b>
                <span class="portion" aria-hidden="true"><span style:width=share></span></span>
                <p>{sentence(line)}</p>
            </li>
        }
    };
    // As they are drawn, the uppermost first.
    let occurs = |part: &Part| drawn.is_none_or(|drawn| drawn.moments.iter().any(|m| m.parts[*part as usize] > 0));
    Part::ALL.into_iter().rev().filter(occurs).map(part).collect_view().into_any()
}

/// The same as a table.
fn table(mountain: &Mountain) -> impl IntoView + use<> {
    let step = |stretch: usize| match STRETCHES[stretch].1 {
        1 => format!("{}, ", t().step_first),
        2 => format!("{}, ", t().step_second),
        _ => String::new(),
    };
    let row = |moment: &Moment| {
        let title = format!("{}{}", step(moment.stretch), stretch_words(moment.stretch).0);
        let cells = moment.parts.map(|bytes| view! { <td>{format::bytes(bytes)}</td> });
        view! {
            <tr>
                <th scope="row">{title}</th>
                <td>{moment.line}</td>
                {cells.collect_view()}
                <td><b>{format::bytes(moment.total())}</b></td>
            </tr>
        }
    };
    let heads = Part::ALL.map(|part| view! { <th scope="col">{part_words(part).1}</th> });
    view! {
        <div class="scroll" tabindex="0" role="group" aria-label=t().mountain_table>
            <table>
                <caption>{t().mountain_table}</caption>
                <thead>
                    <tr>
                        <th scope="col">{t().col_stretch}</th>
                        <th scope="col">{t().col_line}</th>
                        {heads.collect_view()}
                        <th scope="col">{t().col_total}</th>
                    </tr>
                </thead>
                <tbody>{mountain.tops().map(row).collect_view()}</tbody>
            </table>
        </div>
    }
}
