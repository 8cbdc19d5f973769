//! The autograd graph behind a variable, each node on its device.

use leptos::prelude::*;

use super::card::accent;
use super::session::Session;
use crate::app::format;
use crate::app::graph::layout;
use crate::app::texts::{fill, t};
use crate::protocol::Graph;

/// Widths that a box may have, and what its text takes: a character of the type that it is set in, and the space around it.
const WIDTHS: std::ops::RangeInclusive<usize> = 150..=300;
const CHARACTER: f64 = 7.3;
const AROUND: usize = 20;
const HEIGHT: usize = 44;
const ACROSS: usize = 36;
const DOWN: usize = 12;

#[component]
pub fn GraphView() -> impl IntoView {
    let session = expect_context::<Session>();
    let graphs = Memo::new(move |_| session.outcome.with(|o| o.as_ref().map(|o| o.graphs.clone()).unwrap_or_default()));
    let chosen = RwSignal::new(None::<String>);
    let graph = move || {
        graphs.with(|all| {
            let name = chosen.get();
            let wanted = |g: &&Graph| name.as_ref().is_some_and(|name| g.variable == *name);
            // A loss is what most look for.
            let loss = |g: &&Graph| g.variable == "loss";
            all.iter().find(wanted).or_else(|| all.iter().find(loss)).or(all.first()).cloned()
        })
    };
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
                    <Drawing graph/>
                    <p class="legend">{t().graph_legend}</p>
                </div>
            }
            .into_any()
        }
    }
}

#[component]
fn Drawing(graph: Graph) -> impl IntoView {
    let session = expect_context::<Session>();
    let name_of = move |storage: u64| session.with_timeline(|timeline| timeline.names().get(&storage).cloned());
    let drawn = layout(&graph);
    let describe = move |node: &crate::protocol::GraphNode| match &node.leaf {
        Some((shape, storage)) => {
            format!("{} {}", name_of(*storage).unwrap_or_else(|| t().unnamed.into()), format::shape(shape))
        }
        None => String::new(),
    };
    let second = move |node: &crate::protocol::GraphNode| {
        let device = node.device.map_or(String::new(), |d| d.to_string());
        match describe(node) {
            text if text.is_empty() => device,
            text => format!("{text} · {device}"),
        }
    };
    let longest = graph.nodes.iter().map(|node| node.name.chars().count().max(second(node).chars().count())).max();
    let box_width = (longest.unwrap_or(0) as f64 * CHARACTER).ceil() as usize + AROUND;
    let box_width = box_width.clamp(*WIDTHS.start(), *WIDTHS.end());
    let fitting = ((box_width - AROUND) as f64 / CHARACTER) as usize;
    let corner = |(column, row): (usize, usize)| (column * (box_width + ACROSS) + 2, row * (HEIGHT + DOWN) + 2);
    let width = drawn.columns * (box_width + ACROSS) - ACROSS + 4;
    let height = drawn.rows * (HEIGHT + DOWN) + 2;
    let lines: String = graph
        .edges
        .iter()
        .filter_map(|&(from, to)| Some((corner(*drawn.places.get(from)?), corner(*drawn.places.get(to)?))))
        .map(|((x, y), (to_x, to_y))| {
            let (x, y, to_y) = (x + box_width, y + HEIGHT / 2, to_y + HEIGHT / 2);
            let half = x + (to_x - x) / 2;
            format!("M{x} {y}C{half} {y} {half} {to_y} {to_x} {to_y}")
        })
        .collect();
    let boxes = graph
        .nodes
        .iter()
        .zip(&drawn.places)
        .map(|(node, place)| {
            let (x, y) = corner(*place);
            let device = node.device.map_or(String::new(), |d| d.to_string());
            view! {
                <g data-accent=accent(&device) transform=format!("translate({x} {y})")>
                    <title>{format!("{}, {}", node.name, second(node))}</title>
                    <rect width=box_width.to_string() height=HEIGHT.to_string() rx="5"/>
                    <text x="10" y="18" class="node">{format::shortened(&node.name, fitting)}</text>
                    <text x="10" y="34" class="where">{format::shortened(&second(node), fitting)}</text>
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
    let label = fill(t().graph_label, &[&graph.variable, &graph.nodes.len()]);
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
