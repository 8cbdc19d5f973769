//! The explanations next to a program: of the error that ended it, and of mistakes that raised nothing. Each shows the
//! cause, the operands, and an edit to try.

use leptos::prelude::*;

use super::parts::accent;
use super::session::{Mark, Session};
use super::{browser, prose};
use crate::app::texts::{spoken, t};
use crate::app::{edit, format};
use crate::diagnose::{Card, Fix, Operand};

#[component]
pub fn ErrorCard() -> impl IntoView {
    let session = expect_context::<Session>();
    let card = Memo::new(move |_| session.runner.outcome.with(|o| o.as_ref()?.error.as_ref()?.card.clone()));
    let silent =
        Memo::new(move |_| session.runner.outcome.with(|o| o.as_ref().map(|o| o.silent.clone()).unwrap_or_default()));
    move || {
        let cards =
            card.get().map(|card| (card, true)).into_iter().chain(silent.get().into_iter().map(|card| (card, false)));
        let cards: Vec<_> = cards.enumerate().collect();
        cards.into_iter().map(|(number, (card, raised))| view! { <CardView card raised number/> }).collect::<Vec<_>>()
    }
}

#[component]
fn CardView(card: Card, raised: bool, number: usize) -> impl IntoView {
    let session = expect_context::<Session>();
    let id = format!("card-title-{number}");
    let title_id = id.clone();
    let title = if raised { t().card_title } else { t().card_silent };
    let line = card.line;
    let rows: Vec<_> = card.operands.iter().map(|operand| view! { <OperandRow operand=operand.clone()/> }).collect();
    view! {
        <section class="card" aria-labelledby=id>
            <h3 id=title_id>{title}<small>{card.rule.clone()}</small></h3>
            <p>
                {prose::sentence(&card.cause.say(spoken()))}
                {(line > 0).then(|| view! {
                    " "
                    <button class="link" type="button" on:click=move |_| session.playback.focus.set(Some(Mark::latest(line)))>
                        {t().card_line(&line)}
                    </button>
                })}
            </p>
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
            {(!card.fix.is_empty()).then(|| view! { <FixView fix=card.fix.clone()/> })}
            <p>
                {card.lesson.clone().map(|id| view! { {prose::lesson_link(id, t().lesson_about)} " · " })}
                <a href=rule_page(&card.rule) rel="noopener" target="_blank">{t().rule_about(&card.rule)}</a>
            </p>
        </section>
    }
}

/// The address of the section about a rule in the page of rules.
fn rule_page(rule: &str) -> String {
    format!("{}rules.html#{}", browser::folder(), rule.to_lowercase())
}

#[component]
fn OperandRow(operand: Operand) -> impl IntoView {
    let session = expect_context::<Session>();
    // For a tensor that a copy made, the line that created it and the line that copied it are the same, so it's named
    // once.
    let created = (operand.created > 0 && operand.created != operand.moved)
        .then(|| (t().created_in_line(&operand.created), operand.created));
    let moved = (operand.moved > 0).then(|| (t().moved_in_line(&operand.moved), operand.moved));
    // Lines of a notebook are those of a cell, which the tensor's event tells. What it was copied from has none here.
    let in_notebook = session.notebook.is_open.get_untracked();
    let created = created.filter(|_| !in_notebook || operand.moved == 0);
    let lines: Vec<_> = created.into_iter().chain(moved).collect();
    let name = StoredValue::new(operand.name.clone());
    let mark = move |line| match in_notebook {
        // The events may be drawn after the card is.
        true => name
            .with_value(|name| session.playback.made(name))
            .map(|made| Mark { event: Some(made), ..Mark::latest(line) }),
        false => Some(Mark::latest(line)),
    };
    view! {
        <tr>
            <th scope="row"><code>{operand.name.clone()}</code></th>
            <td><code class="on" data-accent=accent(&operand.device)>{operand.device.clone()}</code></td>
            <td><code>{format::shape(&operand.shape)}</code></td>
            <td>{format::bytes(operand.bytes)}</td>
            <td>
                {lines.into_iter().map(|(text, line)| view! {
                    <button class="link" type="button" on:click=move |_| session.playback.focus.set(mark(line))>
                        {text}
                    </button>
                    " "
                }).collect::<Vec<_>>()}
            </td>
        </tr>
    }
}

/// Lines of a diff, each after its sign.
fn signed(sign: &'static str, lines: &[&str]) -> Vec<AnyView> {
    let line = |(at, line): (usize, &&str)| {
        let end = if at > 0 { "\n" } else { "" };
        view! { {end}<span class="sign" aria-hidden="true">{sign}</span>{line.to_string()} }.into_any()
    };
    lines.iter().enumerate().map(line).collect()
}

#[component]
fn FixView(fix: Vec<Fix>) -> impl IntoView {
    let session = expect_context::<Session>();
    let applies = {
        let fix = fix.clone();
        move || session.program.code.with(|code| edit::apply(code, &fix).is_some())
    };
    let unavailable = {
        let applies = applies.clone();
        move || !applies()
    };
    let change = fix.clone();
    let diffs: Vec<_> = fix
        .iter()
        .map(|fix| {
            let (line, before, after) = fix.lines();
            view! {
                <figure>
                    <figcaption>{t().smallest_change(&line)}</figcaption>
                    <pre class="diff" tabindex="0">
                        {(!before.is_empty()).then(|| view! { <del>{signed("− ", &before)}</del> })}
                        {(!after.is_empty()).then(|| view! { <ins>{signed("+ ", &after)}</ins> })}
                    </pre>
                </figure>
            }
        })
        .collect();
    view! {
        <div class="fix" role="group" aria-label=t().edit_to_try>
            {diffs}
            <button
                type="button"
                disabled=unavailable
                on:click=move |_| {
                    if let Some(code) = session.program.code.with_untracked(|code| edit::apply(code, &change)) {
                        session.program.edit(code);
                        session.run();
                    }
                }
            >
                {t().try_it}
            </button>
        </div>
    }
}
