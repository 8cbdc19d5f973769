//! The view of the autograd graph behind a variable. Each node shows its device.

use std::ops::RangeInclusive;

use leptos::prelude::*;

use super::browser;
use super::parts::accent;
use super::session::Session;
use crate::app::format;
use crate::app::layout::layout;
use crate::app::texts::t;
use crate::protocol::{Graph, GraphNode};

/// The least and the greatest width of a box, in pixels.
const WIDTHS: RangeInclusive<usize> = 150..=300;
/// The same on a narrow page, where two boxes have to fit side by side.
const NARROW: RangeInclusive<usize> = 120..=138;
/// The width of one character in the labels' font, in pixels.
const CHARACTER: f64 = 7.3;
/// The space that a box is wider than its longest label.
const AROUND: usize = 20;
/// The height of a line of text.
const LINE: usize = 16;
/// The space between a box and the one below it.
const DOWN: usize = 12;

#[component]
pub(crate) fn GraphView() -> impl IntoView {
    let session = expect_context::<Session>();
    let graphs =
        Memo::new(move |_| session.runner.outcome.with(|o| o.as_ref().map(|o| o.graphs.clone()).unwrap_or_default()));
    let chosen = RwSignal::new(None::<String>);
    let graph = move || {
        graphs.with(|all| {
            let name = chosen.get();
            let wanted = |g: &&Graph| name.as_ref().is_some_and(|name| g.variable == *name);
            // Most learners look for the loss.
            let loss = |g: &&Graph| g.variable == "loss";
            all.iter().find(wanted).or_else(|| all.iter().find(loss)).or(all.first()).cloned()
        })
    };
    let narrow = browser::followed(browser::narrow);
    let names = move || graphs.with(|all| all.iter().map(|g| g.variable.clone()).collect::<Vec<_>>());
    move || match graph() {
        None => view! { <p class="faint">{t().graph_empty}</p> }.into_any(),
        Some(graph) => {
            let shown = graph.variable.clone();
            view! {
                <div class="graph">
                    <p class="field">
                        <label for="graph-of">{t().graph_of}</label>
                        <select id="graph-of" on:change=move |event| chosen.set(Some(event_target_value(&event)))>
                            {names()
                                .into_iter()
                                .map(|name| {
                                    let selected = name == shown;
                                    view! { <option value=name.clone() selected=selected>{name.clone()}</option> }
                                })
                                .collect_view()}
                        </select>
                    </p>
                    <Drawing graph narrow=narrow.get()/>
                    <p class="legend">{t().graph_legend}</p>
                </div>
            }
            .into_any()
        }
    }
}

#[component]
fn Drawing(graph: Graph, narrow: bool) -> impl IntoView {
    let session = expect_context::<Session>();
    let name_of =
        move |storage: u64| session.playback.with_timeline(|timeline| timeline.names().get(&storage).cloned());
    let drawn = layout(&graph);
    let describe = move |node: &GraphNode| match &node.leaf {
        Some((shape, storage)) => {
            format!("{} {}", name_of(*storage).unwrap_or_else(|| t().unnamed.into()), format::shape(shape))
        }
        None => String::new(),
    };
    let device_of = |node: &GraphNode| node.device.map_or(String::new(), |d| d.to_string());
    let (widths, across) = if narrow { (NARROW, 24) } else { (WIDTHS, 36) };
    // In a narrow box, the name and the device have a line each, so that the device is never cut off.
    let labels = |node: &GraphNode| {
        let facts: Vec<String> = [describe(node), device_of(node)].into_iter().filter(|f| !f.is_empty()).collect();
        let facts = if narrow { facts } else { vec![facts.join(" · ")] };
        [vec![node.name.clone()], facts].concat()
    };
    let texts: Vec<Vec<String>> = graph.nodes.iter().map(labels).collect();
    // Each column is as wide as its longest label.
    let mut columns = vec![*widths.start(); drawn.columns];
    for (texts, &(column, _)) in texts.iter().zip(&drawn.places) {
        let longest = texts.iter().map(|text| text.chars().count()).max().unwrap_or(0);
        let wanted = (longest as f64 * CHARACTER).ceil() as usize + AROUND;
        columns[column] = wanted.clamp(columns[column], *widths.end());
    }
    let lefts: Vec<usize> =
        columns.iter().scan(2, |left, width| Some(std::mem::replace(left, *left + width + across))).collect();
    let box_height = texts.iter().map(Vec::len).max().unwrap_or(0) * LINE + 12;
    let top = |row: usize| row * (box_height + DOWN) + 2;
    let width = columns.iter().map(|width| width + across).sum::<usize>().saturating_sub(across) + 4;
    let height = drawn.rows * (box_height + DOWN) + 2;
    let lines: String = graph
        .edges
        .iter()
        .filter_map(|&(from, to)| Some((*drawn.places.get(from)?, *drawn.places.get(to)?)))
        .map(|((column, row), (to_column, to_row))| {
            let (x, y) = (lefts[column] + columns[column], top(row) + box_height / 2);
            let (to_x, to_y) = (lefts[to_column], top(to_row) + box_height / 2);
            // A line bends in the gap before the column that it leads to.
            let bend = to_x - across / 2;
            format!("M{x} {y}C{bend} {y} {bend} {to_y} {to_x} {to_y}")
        })
        .collect();
    let boxes = graph
        .nodes
        .iter()
        .zip(&drawn.places)
        .zip(texts)
        .map(|((node, &(column, row)), texts)| {
            let (x, y, box_width) = (lefts[column], top(row), columns[column]);
            let fitting = ((box_width - AROUND) as f64 / CHARACTER) as usize;
            let title = texts.join(", ");
            let lines = texts.into_iter().enumerate().map(|(i, text)| {
                let class = if i == 0 { "node" } else { "where" };
                view! { <text x="10" y=(18 + i * LINE).to_string() class=class>{format::shortened(&text, fitting)}</text> }
            });
            view! {
                <g data-accent=accent(&device_of(node)) transform=format!("translate({x} {y})")>
                    <title>{title}</title>
                    <rect width=box_width.to_string() height=box_height.to_string() rx="5"/>
                    {lines.collect_view()}
                </g>
            }
        })
        .collect_view();
    let rows = graph
        .nodes
        .iter()
        .enumerate()
        .map(|(i, node)| {
            let next: Vec<String> =
                graph.edges.iter().filter(|(from, _)| *from == i).map(|(_, to)| (to + 1).to_string()).collect();
            view! {
                <tr>
                    <th scope="row">{(i + 1).to_string()}</th>
                    <td><code>{node.name.clone()}</code></td>
                    <td>{node.device.map_or("—".to_string(), |d| d.to_string())}</td>
                    <td>{describe(node)}</td>
                    <td>{next.join(", ")}</td>
                </tr>
            }
        })
        .collect_view();
    let label = t().graph_label(&graph.variable, &graph.nodes.len());
    let title = label.clone();
    view! {
        <div class="scroll graph-scroll" tabindex="0" role="group" aria-label=title>
            <svg
                width=width.to_string()
                height=height.to_string()
                viewBox=format!("0 0 {width} {height}")
                role="img"
                aria-label=label
            >
                <path class="edges" d=lines/>
                {boxes}
            </svg>
        </div>
        {graph.cut.then(|| view! { <p class="faint">{t().graph_cut}</p> })}
        <details>
            <summary>{t().as_table}</summary>
            <div class="scroll" tabindex="0" role="group" aria-label=t().graph_nodes>
                <table>
                    <thead>
                        <tr>
                            <th scope="col">{t().number}</th>
                            <th scope="col">{t().col_name}</th>
                            <th scope="col">{t().device}</th>
                            <th scope="col">{t().col_tensor}</th>
                            <th scope="col">{t().graph_next}</th>
                        </tr>
                    </thead>
                    <tbody>{rows}</tbody>
                </table>
            </div>
        </details>
    }
}
