//! The explanation beside an error: cause, operands, and an edit to try.

use leptos::prelude::*;

use super::prose;
use super::session::Session;
use crate::app::route::Route;
use crate::app::texts::{fill, t};
use crate::app::{edit, format};
use crate::diagnose::{Card, Fix, Operand};

#[component]
pub fn ErrorCard() -> impl IntoView {
    let session = expect_context::<Session>();
    let card = Memo::new(move |_| session.outcome.with(|o| o.as_ref()?.error.as_ref()?.card.clone()));
    move || card.get().map(|card| view! { <CardView card/> })
}

#[component]
fn CardView(card: Card) -> impl IntoView {
    let rows: Vec<_> = card.operands.iter().map(|operand| view! { <OperandRow operand=operand.clone()/> }).collect();
    view! {
        <section class="card" aria-labelledby="card-title">
            <h3 id="card-title">{t().card_title}<small>{card.rule.clone()}</small></h3>
            <p>{prose::sentence(&card.cause)}</p>
            {(!rows.is_empty()).then(|| view! {
                <div class="scroll" tabindex="0" role="group" aria-label=t().tensors_involved>
                    <table>
                        <thead>
                            <tr>
                                <th scope="col">{t().col_tensor}</th>
                                <th scope="col">{t().device}</th>
                                <th scope="col">{t().col_shape}</th>
                                <th scope="col">{t().col_bytes}</th>
                                <th scope="col">{t().col_origin}</th>
                            </tr>
                        </thead>
                        <tbody>{rows}</tbody>
                    </table>
                </div>
            })}
            {card.fix.clone().map(|fix| view! { <FixView fix/> })}
            {card.lesson.clone().map(|id| view! {
                <p><a href=Route::Lesson(id).fragment()>{t().lesson_about}</a></p>
            })}
        </section>
    }
}

#[component]
fn OperandRow(operand: Operand) -> impl IntoView {
    let session = expect_context::<Session>();
    let line = if operand.moved > 0 { operand.moved } else { operand.created };
    let text = if operand.moved > 0 { t().moved_in_line } else { t().created_in_line };
    view! {
        <tr>
            <th scope="row"><code>{operand.name.clone()}</code></th>
            <td><code class="on" data-accent=accent(&operand.device)>{operand.device.clone()}</code></td>
            <td><code>{format::shape(&operand.shape)}</code></td>
            <td>{format::bytes(operand.bytes)}</td>
            <td>
                {(line > 0).then(|| view! {
                    <button class="link" type="button" on:click=move |_| session.focus.set(Some((line, true)))>
                        {fill(text, &[&line])}
                    </button>
                })}
            </td>
        </tr>
    }
}

#[component]
fn FixView(fix: Fix) -> impl IntoView {
    let session = expect_context::<Session>();
    let applies = {
        let fix = fix.clone();
        move || session.code.with(|code| edit::apply(code, &fix).is_some())
    };
    let unavailable = {
        let applies = applies.clone();
        move || !applies()
    };
    let change = fix.clone();
    view! {
        <figure class="fix">
            <figcaption>{fill(t().smallest_change, &[&fix.line])}</figcaption>
            <pre class="diff" tabindex="0">
                <del><span class="sign" aria-hidden="true">"− "</span>{fix.before.clone()}</del>
                <ins><span class="sign" aria-hidden="true">"+ "</span>{fix.after.clone()}</ins>
            </pre>
            <button
                type="button"
                disabled=unavailable
                on:click=move |_| {
                    if let Some(code) = session.code.with_untracked(|code| edit::apply(code, &change)) {
                        session.edit(code);
                        session.run();
                    }
                }
            >
                {t().try_it}
            </button>
        </figure>
    }
}

/// The device's colour: a name that the style sheet knows.
pub fn accent(device: &str) -> String {
    match device.split_once(':') {
        Some(("cuda", index)) => format!("cuda{}", index.parse::<usize>().unwrap_or(0) % 4),
        Some((kind, _)) => kind.to_string(),
        None if device == "cuda" => "cuda0".into(),
        None => device.to_string(),
    }
}
