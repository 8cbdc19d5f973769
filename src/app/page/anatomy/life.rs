//! The page of a tensor's life: a scrubber over the lines of a program, and the memory after each of them.

use leptos::prelude::*;

use super::bench::{Settings, Standing, bench};
use super::dials::{Choice, Dial, Listing};
use crate::app::anatomy::life::{Life, Moment, SHAPES, Stage, program};
use crate::app::format;
use crate::app::page::parts::sentence;
use crate::app::texts::t;
use crate::machine::Machine;

const MACHINE: &str = "cuda:1";

/// A sentence about what the line does.
fn story(moment: &Moment, life: &Life) -> String {
    let born = life.moments.iter().find_map(|moment| moment.block);
    let bytes = format::bytes(life.moments.first().and_then(|m| m.host.first()).map_or(0, |(_, bytes)| *bytes));
    let block = format::bytes(born.map_or(0, |block| block.bytes));
    let reserved = format::bytes(moment.reserved);
    match moment.stage {
        Stage::OnTheHost => t().life_on_host(&bytes),
        Stage::Copied => t().life_copied(&format::bytes(moment.copied), &block, &reserved),
        Stage::SecondName => t().life_second_name.into(),
        Stage::Used => t().life_used(&block),
        Stage::FirstNameGone => t().life_first_gone.into(),
        Stage::LastNameGone => t().life_last_gone(&reserved),
        Stage::Reused => t().life_reused.into(),
        Stage::AllGone => t().life_all_gone(&reserved),
        Stage::GivenBack => t().life_given_back.into(),
    }
}

/// The text of a line, counted from 1.
fn text_of(code: &str, line: u32) -> String {
    code.lines().nth(line as usize - 1).unwrap_or_default().to_string()
}

/// The facts about the followed tensor: its names, its bytes, its block, and the GPU's two totals.
fn facts(moment: &Moment) -> [(&'static str, String); 5] {
    let names = moment.stage.names();
    let block = moment.block;
    [
        (t().life_names, if names.is_empty() { t().life_no_name.into() } else { names.join(", ") }),
        (t().life_storage, block.map_or(t().life_not_there.into(), |block| format::bytes(block.requested))),
        (
            t().life_block,
            block.map_or(t().life_no_block.into(), |block| {
                t().life_block_at(&format::bytes(block.bytes), &block.segment, &format::thousands(block.offset))
            }),
        ),
        (t().life_allocated, format::bytes(moment.allocated)),
        (t().life_reserved, format::bytes(moment.reserved)),
    ]
}

#[component]
pub(crate) fn LifePage() -> impl IntoView {
    let Settings { shape, stage, life, .. } = expect_context();
    let drawn = Signal::derive(move || life.with(|l| l.as_ref().map(|(shape, _)| *shape)));
    let runs = bench(
        shape.into(),
        drawn,
        |shape: &usize| Some((program(*shape), MACHINE)),
        move |shape, events| {
            let machine = Machine::preset(MACHINE).unwrap_or_default();
            life.set(Life::of(&machine, events).map(|read| (shape, read)));
        },
    );
    let code = Signal::derive(move || program(drawn.get().unwrap_or(shape.get())));
    let at = move |stage: usize| {
        let line = Stage::ALL[stage].line();
        let text = code.with(|code| text_of(code, line));
        t().life_at(&line, &text)
    };
    let sizes: Vec<(usize, &'static str)> = SHAPES.iter().enumerate().map(|(at, (_, size))| (at, *size)).collect();
    let last = Stage::ALL.len() - 1;
    // Draws something of the chosen line, once the program has run.
    let now = move |read: fn(&Life, &Moment) -> AnyView| {
        life.with(|l| l.as_ref().map(|(_, life)| read(life, &life.moments[stage.get()])))
    };
    view! {
        <div class="intro">
            <h1>{t().anatomy_life}</h1>
            <p>{t().anatomy_life_intro}</p>
        </div>
        <div class="anatomy-columns">
            <div class="dials" role="group" aria-label=t().dials>
                <Choice name="shape" label=t().life_size options=sizes now=shape on_choose=move |at| shape.set(at)/>
                <div class="held">
                    <Dial
                        id="dial-line"
                        label=t().life_scrubber
                        stops=Stage::ALL.len()
                        at=stage
                        words=at
                        on_move=move |to| stage.set(to)
                    />
                    // At the first or last line a button is only marked as disabled: one that is disabled would lose the focus and its
                    // place in the tab order.
                    <div class="buttons">
                        <button
                            type="button"
                            aria-disabled=move || (stage.get() == 0).then_some("true")
                            on:click=move |_| stage.update(|at| *at = at.saturating_sub(1))
                        >
                            {t().life_back}
                        </button>
                        <button
                            type="button"
                            aria-disabled=move || (stage.get() == last).then_some("true")
                            on:click=move |_| stage.update(|at| *at = (*at + 1).min(last))
                        >
                            {t().life_on}
                        </button>
                    </div>
                </div>
                <Listing
                    code
                    machine=Signal::derive(|| MACHINE)
                    line=Signal::derive(move || Some(Stage::ALL[stage.get()].line()))
                />
            </div>
            <section class="drawing" aria-labelledby="life-title">
                <header>
                    <h2 id="life-title">{t().life_title}</h2>
                    <Standing bench=runs/>
                </header>
                <div role="status">
                    {move || now(|life, moment| view! { <p class="finding">{sentence(&story(moment, life))}</p> }.into_any())}
                </div>
                {move || now(picture)}
                {move || now(|_, moment| {
                    let fact = |(name, value): (&'static str, String)| view! { <div><dt>{name}</dt><dd>{value}</dd></div> };
                    view! { <dl class="facts">{facts(moment).map(fact).collect_view()}</dl> }.into_any()
                })}
                <details class="tables">
                    <summary>{t().as_table}</summary>
                    {move || life.with(|l| l.as_ref().map(|(shape, life)| table(life, &program(*shape))))}
                </details>
            </section>
        </div>
    }
}

/// A drawing of the memory of both devices.
fn picture(life: &Life, moment: &Moment) -> AnyView {
    let host = moment.host.iter().map(|(name, bytes)| {
        view! { <span class="piece">{*name}" "<small>{format::bytes(*bytes)}</small></span> }
    });
    let segments = moment.segments.iter().enumerate().map(|(at, segment)| {
        let pieces = segment.pieces.iter().map(|piece| {
            let grow = format!("{:.5}", piece.bytes as f64 / segment.bytes.max(1) as f64);
            match &piece.held {
                Some((storage, tensor)) => {
                    let followed = *storage == life.storage;
                    let names =
                        if followed { moment.stage.names().join(", ") } else { Stage::binds(tensor.line).into() };
                    view! { <span class="piece" class:followed=followed style:flex-grow=grow>{names}</span> }.into_any()
                }
                None => view! { <span class="piece gap" style:flex-grow=grow>{t().life_free}</span> }.into_any(),
            }
        });
        view! {
            <li>
                <span class="size">{t().life_segment(&(at + 1), &format::bytes(segment.bytes))}</span>
                <div class="pieces">{pieces.collect_view()}</div>
            </li>
        }
    });
    let empty = moment.segments.is_empty();
    view! {
        <div class="life" role="img" aria-label=t().life_drawing(&moment.stage.line())>
            <div class="place" data-accent="cpu" aria-hidden="true">
                <h3>"cpu"</h3>
                <div class="pieces">{host.collect_view()}</div>
            </div>
            <div class="place" data-accent="cuda0" aria-hidden="true">
                <h3>"cuda:0"</h3>
                <ol>{segments.collect_view()}</ol>
                {empty.then(|| view! { <p class="empty">{t().life_empty}</p> })}
            </div>
        </div>
        <p class="legend">{t().life_followed}</p>
    }
    .into_any()
}

/// The facts after every line.
fn table(life: &Life, code: &str) -> impl IntoView + use<> {
    let heads = life.moments.first().map(|moment| facts(moment).map(|(name, _)| view! { <th scope="col">{name}</th> }));
    let rows: Vec<_> = life
        .moments
        .iter()
        .map(|moment| {
            let line = moment.stage.line();
            let text = text_of(code, line);
            let cells = facts(moment).map(|(_, value)| view! { <td>{value}</td> });
            view! { <tr><th scope="row">{line}</th><td><code>{text}</code></td>{cells.collect_view()}</tr> }
        })
        .collect();
    view! {
        <div class="scroll" tabindex="0" role="group" aria-label=t().life_table>
            <table>
                <caption>{t().life_table}</caption>
                <thead>
                    <tr>
                        <th scope="col">{t().col_line}</th>
                        <th scope="col">{t().program}</th>
                        {heads.map(|heads| heads.collect_view())}
                    </tr>
                </thead>
                <tbody>{rows}</tbody>
            </table>
        </div>
    }
}
