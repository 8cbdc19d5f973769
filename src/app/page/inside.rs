//! What is inside a tensor when the run has ended: its numbers or a heat map, and the windows on a shared storage.

use leptos::prelude::*;

use super::session::Session;
use crate::app::format;
use crate::app::inside::{Heat, grid, heat, span, strength};
use crate::app::texts::t;
use crate::protocol::{Contents, ODD, Outcome, StorageId, Values, Window};

/// The contents of a storage, as long as the playhead is at the end of the run: they're known for that moment only.
pub(crate) fn contents(session: Session, storage: StorageId) -> Memo<Option<Contents>> {
    Memo::new(move |_| {
        if !is_at_end(session) {
            return None;
        }
        session.runner.outcome.with(|o| o.as_ref()?.contents.iter().find(|c| c.storage == storage).cloned())
    })
}

fn is_at_end(session: Session) -> bool {
    session.playback.picture.with(|p| p.head == p.events)
}

/// The shape of the tensor that a variable holds: the one that a storage was made for may have been another.
pub(crate) fn shape_of(contents: Memo<Option<Contents>>, name: Option<&String>) -> Option<Vec<usize>> {
    contents.with(|contents| {
        let named = |window: &&Window| name.is_some_and(|name| window.names.contains(name));
        Some(contents.as_ref()?.windows.iter().find(named)?.shape.clone())
    })
}

/// The windows on a storage that several tensors share, as bars in its block.
#[component]
pub(crate) fn Windows(contents: Memo<Option<Contents>>) -> impl IntoView {
    let shared = move || contents.get().filter(|c| c.windows.len() > 1);
    move || {
        shared().map(|contents| {
            let names: Vec<String> = contents.windows.iter().map(|w| w.names.join(", ")).collect();
            let said = t().inside_share(&contents.windows.len(), &names.join("; "));
            let part = |n: usize| 100.0 * n as f64 / contents.numel.max(1) as f64;
            let bars = contents
                .windows
                .iter()
                .zip(names)
                .map(|(window, name)| {
                    let (first, end) = span(window).unwrap_or_default();
                    let left = format!("{:.2}%", part(first));
                    let width = format!("{:.2}%", part(end.saturating_sub(first)));
                    view! { <span style:margin-left=left style:width=width>{name}</span> }
                })
                .collect_view();
            view! {
                <span class="windows" aria-hidden="true">{bars}</span>
                <span class="visually-hidden">". "{said}</span>
            }
        })
    }
}

/// Numbers or a heat map of every window on a storage.
#[component]
pub(crate) fn Inside(
    storage: StorageId,
    /// Whether a variable leads to it.
    named: bool,
) -> impl IntoView {
    let session = expect_context::<Session>();
    let contents = contents(session, storage);
    // Whether the run has ended, and whether somebody stopped it.
    let ended = Memo::new(move |_| {
        let stopped = |o: &Outcome| o.error.as_ref().is_some_and(|error| error.class == "KeyboardInterrupt");
        session.runner.outcome.with(|o| o.as_ref().map(stopped))
    });
    move || {
        let stopped = ended.get()?;
        Some(match contents.get() {
            Some(contents) => shown(contents),
            None => {
                let why = match is_at_end(session) {
                    false => t().inside_later,
                    true if stopped => t().inside_stopped,
                    true if named => t().inside_many,
                    true => t().inside_gone,
                };
                view! { <p class="inside-none">{why}</p> }.into_any()
            }
        })
    }
}

fn shown(contents: Contents) -> AnyView {
    let Contents { dtype, numel, windows, more, values, .. } = contents;
    let several = windows.len() > 1;
    let count = format::thousands(numel);
    let shared = several.then(|| {
        let cells = match &values {
            Some(Values::Numbers(numbers)) => Some(cells(numbers)),
            _ => None,
        };
        view! { <p>{t().inside_shared(&windows.len(), &count)}</p>{cells} }
    });
    let values_here = values.clone();
    let views = windows
        .into_iter()
        .map(|window| {
            let name = window.names.join(", ");
            let facts = several.then(|| {
                let strides = format::shape(&window.strides);
                view! {
                    <p><b><code>{name.clone()}</code></b>" "{t().inside_window(&format::shape(&window.shape), &strides, &window.offset)}</p>
                }
            });
            let picture = match &values_here {
                _ if window.dtype != dtype => Some(view! { <p>{t().inside_seen_as(&window.dtype.name())}</p> }.into_any()),
                Some(values) => picture(&name, &window, values),
                None => None,
            };
            view! { <div class="window">{facts}{picture}</div> }
        })
        .collect_view();
    let none = values.is_none().then(|| view! { <p class="inside-none">{t().inside_large(&count)}</p> });
    let rest = (more > 0).then(|| view! { <p class="inside-none">{t().inside_more(&more)}</p> });
    view! { <div class="inside">{shared}{none}{views}{rest}</div> }.into_any()
}

/// The numbers in the order in which they're stored.
fn cells(numbers: &[String]) -> impl IntoView + use<> {
    let label = format!("{}: {}", t().inside_memory, numbers.join(", "));
    let numbers = numbers.iter().map(|n| view! { <span>{n.clone()}</span> }).collect_view();
    view! {
        <p class="inside-none" aria-hidden="true">{t().inside_memory}</p>
        <div class="cells" role="img" aria-label=label>{numbers}</div>
    }
}

fn picture(name: &str, window: &Window, values: &Values) -> Option<AnyView> {
    let Some(grid) = grid(window) else {
        return Some(view! { <p class="inside-none">{t().inside_not_drawn}</p> }.into_any());
    };
    let label = t().inside_numbers(&name, &format::shape(&window.shape));
    Some(match values {
        Values::Numbers(numbers) => {
            let matrix = grid.matrix.max(1);
            let rows = grid
                .rows
                .into_iter()
                .enumerate()
                .map(|(i, row)| {
                    let starts = i > 0 && i % matrix == 0;
                    let cells = row.into_iter().map(|at| view! { <td>{numbers.get(at).cloned()}</td> }).collect_view();
                    view! { <tr class:next=starts>{cells}</tr> }
                })
                .collect_view();
            view! {
                <div class="scroll" tabindex="0" role="group" aria-label=label>
                    <table class="numbers"><tbody>{rows}</tbody></table>
                </div>
            }
            .into_any()
        }
        Values::Shades { low, high, levels } => {
            let odd = grid.rows.iter().flatten().any(|&at| levels.get(at) == Some(&ODD));
            let Heat { width, height, paths } = heat(&grid, levels);
            let (low, high) = (format::number(*low), format::number(*high));
            let label = format!("{label}, {}", t().inside_range(&low, &high));
            let paths = paths
                .into_iter()
                .map(|(shade, path)| {
                    let opacity = format!("{:.3}", shade.map_or(1.0, strength));
                    view! { <path class:odd=shade.is_none() fill-opacity=opacity d=path/> }
                })
                .collect_view();
            // Cells of a small tensor aren't blown up to the width of the yard.
            let most = format!("{}rem", width as f64 * 0.9);
            view! {
                <svg
                    class="heat"
                    viewBox=format!("0 0 {width} {height}")
                    role="img"
                    aria-label=label
                    style:max-width=most
                >
                    {paths}
                </svg>
                <p class="inside-none">{t().inside_range(&low, &high)}{odd.then(|| format!(" {}", t().inside_odd))}</p>
            }
            .into_any()
        }
    })
}
