//! Lesson text on the page, built node by node from its syntax tree: nothing is ever parsed as HTML.

use leptos::prelude::*;

use super::browser;
use super::diagram::{diagram, figure};
use super::glossary::Term;
use crate::app::route::Route;
use crate::lesson::prose::{Block, Inline, Target};

pub(crate) use super::parts::sentence;

/// Blocks of text. Headings start at level 3, because the page and the lesson use the first two.
pub fn blocks(blocks: Vec<Block>) -> AnyView {
    blocks.into_iter().map(block).collect_view().into_any()
}

fn block(block: Block) -> AnyView {
    match block {
        Block::Paragraph(content) => view! { <p>{inlines(content)}</p> }.into_any(),
        Block::Heading(1..=3, content) => view! { <h3>{inlines(content)}</h3> }.into_any(),
        Block::Heading(_, content) => view! { <h4>{inlines(content)}</h4> }.into_any(),
        Block::Code(_, text) => view! { <pre class="sample" tabindex="0"><code>{text}</code></pre> }.into_any(),
        Block::List(None, items) => view! { <ul>{list(items)}</ul> }.into_any(),
        Block::List(Some(first), items) => view! { <ol start=first.to_string()>{list(items)}</ol> }.into_any(),
        Block::Quote(inner) => view! { <blockquote>{blocks(inner)}</blockquote> }.into_any(),
        Block::Rule => view! { <hr/> }.into_any(),
        Block::Table(rows) => table(rows),
        Block::Figure { file, alt } => figure(file, alt),
        Block::Diagram(content) => diagram(content),
    }
}

fn list(items: Vec<Vec<Block>>) -> AnyView {
    items.into_iter().map(|item| view! { <li>{blocks(item)}</li> }).collect_view().into_any()
}

fn table(rows: Vec<Vec<Vec<Inline>>>) -> AnyView {
    let mut rows = rows.into_iter();
    let head = rows.next().unwrap_or_default();
    let head = head.into_iter().map(|cell| view! { <th scope="col">{inlines(cell)}</th> }).collect_view();
    let body = rows
        .map(|row| {
            let cells = row.into_iter().map(|cell| view! { <td>{inlines(cell)}</td> }).collect_view();
            view! { <tr>{cells}</tr> }
        })
        .collect_view();
    view! {
        <div class="scroll" tabindex="0" role="group" aria-label=crate::app::texts::t().table>
            <table>
                <thead><tr>{head}</tr></thead>
                <tbody>{body}</tbody>
            </table>
        </div>
    }
    .into_any()
}

/// A link to a lesson. A frame of another page shows one lesson only, so there the link opens this site's own page.
pub(crate) fn lesson_link(id: String, content: impl IntoView + 'static) -> AnyView {
    let fragment = Route::Lesson(id).fragment();
    if !browser::embedded() {
        return view! { <a href=fragment>{content}</a> }.into_any();
    }
    let address = format!("{}{fragment}", browser::folder());
    view! { <a href=address rel="noopener" target="_blank">{content}</a> }.into_any()
}

/// Text within a line.
pub fn inlines(content: Vec<Inline>) -> AnyView {
    content
        .into_iter()
        .map(|inline| match inline {
            Inline::Text(text) => text.into_any(),
            Inline::Code(text) => view! { <code>{text}</code> }.into_any(),
            Inline::Emphasis(inner) => view! { <em>{inlines(inner)}</em> }.into_any(),
            Inline::Strong(inner) => view! { <strong>{inlines(inner)}</strong> }.into_any(),
            Inline::Link(Target::Lesson(id), inner) => lesson_link(id, inlines(inner)),
            Inline::Link(Target::Web(address), inner) => {
                view! { <a href=address rel="noopener noreferrer" target="_blank">{inlines(inner)}</a> }.into_any()
            }
            Inline::Link(Target::Term(word), inner) => view! { <Term word content=inlines(inner)/> }.into_any(),
            Inline::Break => view! { <br/> }.into_any(),
        })
        .collect_view()
        .into_any()
}
