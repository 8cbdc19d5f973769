//! A lesson's diagrams and figures.

use leptos::prelude::*;

use super::parts::accent;
use crate::app::diagram::{Placed, draw};
use crate::app::texts::t;
use crate::lesson::LessonFile;
use crate::lesson::prose::Diagram;

/// The files of the lesson that is shown.
#[derive(Clone, Copy)]
pub(super) struct Files(pub StoredValue<Vec<LessonFile>>);

/// An image from the lesson's files. An image with a dark twin is shown as that on a dark page.
pub(super) fn figure(file: String, alt: String) -> AnyView {
    let dark = use_context::<Files>()
        .and_then(|Files(files)| files.with_value(|all| all.iter().find(|f| f.name == file)?.dark.clone()));
    let address = |name: &str| format!("lessons/files/{name}");
    let image = |name: &str, class: &'static str, alt: String| view! { <img class=class src=address(name) alt=alt loading="lazy"/> };
    match dark {
        None => view! { <figure class="picture">{image(&file, "plain", alt)}</figure> }.into_any(),
        Some(dark) => view! {
            <figure class="picture">{image(&file, "light", alt.clone())}{image(&dark, "dark", alt)}</figure>
        }
        .into_any(),
    }
}

/// Names, tensors and storages as boxes, with arrows between them.
pub(super) fn diagram(diagram: Diagram) -> AnyView {
    let heads = [t().diagram_names, t().diagram_tensors, t().diagram_storages];
    let drawing = draw(&diagram, heads);
    let columns = drawing
        .columns()
        .into_iter()
        .zip(heads)
        .zip(["name", "tensor", "storage"])
        .filter_map(|((boxes, head), class)| {
            let first = boxes.first()?;
            let boxes = boxes.iter().map(|placed| one_box(placed, class)).collect_view();
            Some(view! {
                <text class="head" x=first.x + first.width / 2.0 y="12">{head}</text>
                {boxes}
            })
        })
        .collect_view();
    let arrows = drawing
        .arrows
        .iter()
        .map(|&((x, y), (to_x, to_y))| {
            let (end, middle) = (to_x - 6.0, (x + to_x) / 2.0);
            let line = format!("M{x:.1} {y:.1} C{middle:.1} {y:.1} {middle:.1} {to_y:.1} {end:.1} {to_y:.1}");
            let tip = format!("M{to_x:.1} {to_y:.1} l-8 -4 v8 z");
            view! { <path class="arrow" d=line/><path class="tip" d=tip/> }
        })
        .collect_view();
    let (width, height) = (drawing.width, drawing.height);
    view! {
        <figure class="diagram">
            <svg
                role="img"
                aria-label=diagram.alt
                viewBox=format!("0 0 {width:.1} {height:.1}")
                style:width=format!("{width:.1}px")
            >
                {arrows}
                {columns}
            </svg>
        </figure>
    }
    .into_any()
}

fn one_box(placed: &Placed, class: &'static str) -> AnyView {
    let Placed { x, y, width, height, label, on } = placed.clone();
    let middle = x + width / 2.0;
    let tall = class == "storage";
    let text = y + if tall { 19.0 } else { height / 2.0 + 4.0 };
    let device = tall.then(|| on.clone()).flatten();
    let accent = on.as_deref().map(accent);
    view! {
        <g class=class data-accent=accent>
            <rect x=x y=y width=width height=height rx="5"/>
            <text class="label" x=middle y=text>{label}</text>
            {device.map(|device| view! { <text class="device" x=middle y=y + 36.0>{device}</text> })}
        </g>
    }
    .into_any()
}
