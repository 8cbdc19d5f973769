//! A step's questions.

use leptos::prelude::*;

use super::super::prose;
use super::super::reading::Reading;
use super::super::session::Session;
use crate::app::texts::t;
use crate::lesson::{Part, Question};

/// A question's answer, as far as the rest of the step depends on it. Copies of this value share the same state.
#[derive(Clone, Copy)]
pub(super) struct Answer {
    /// Index of the chosen option.
    pub chosen: RwSignal<Option<usize>>,
    right: StoredValue<Vec<bool>>,
    pub predict: bool,
}

impl Answer {
    /// The answer to each part of a step that asks something, by the part's number.
    pub(super) fn all(step: &str, parts: &[Part]) -> Vec<Option<Answer>> {
        let reading = expect_context::<Reading>();
        let answer = |(number, part): (usize, &Part)| {
            let (question, predict) = match part {
                Part::Text(_) => return None,
                Part::Predict(question) => (question, true),
                Part::Quiz(question) => (question, false),
            };
            let right = question.options.iter().map(|option| option.correct).collect();
            let chosen = RwSignal::new(reading.answer(&(step.to_string(), number)));
            Some(Answer { chosen, right: StoredValue::new(right), predict })
        };
        parts.iter().enumerate().map(answer).collect()
    }

    pub(super) fn is_given(self) -> bool {
        self.chosen.get().is_some()
    }

    pub(super) fn is_right(self) -> bool {
        let chosen = self.chosen.get();
        self.right.with_value(|right| chosen.and_then(|i| right.get(i).copied()).unwrap_or(false))
    }
}

/// A question with its answers. If it asks for a prediction, whether the answer is right is shown only after the
/// program has run. `at` is the step's id and the number of this part in it.
#[component]
pub(super) fn QuestionView(question: Question, at: (String, usize), answer: Answer, runs: bool) -> impl IntoView {
    let session = expect_context::<Session>();
    let reading = expect_context::<Reading>();
    let Answer { chosen, predict, .. } = answer;
    let at = StoredValue::new(at);
    let choose = move |option: usize| {
        reading.set_answer(at.get_value(), option);
        chosen.set(Some(option));
    };
    let Question { question, options, because, line, .. } = question;
    let open = move || answer.is_given() && (!predict || !runs || session.runner.outcome.with(Option::is_some));
    let verdict = move || match (predict, answer.is_right()) {
        (true, true) => t().saw_it_coming,
        (true, false) => t().came_out_otherwise,
        (false, true) => t().right,
        (false, false) => t().not_quite,
    };
    let because = StoredValue::new(because);
    let choices = options
        .into_iter()
        .enumerate()
        .map(|(i, option)| {
            let correct = option.correct;
            view! {
                <label class:right=move || open() && correct class:chosen=move || chosen.get() == Some(i) class:wrong=move || open() && !correct && chosen.get() == Some(i)>
                    <input
                        type="radio"
                        name=format!("question-{line}")
                        prop:checked=move || chosen.get() == Some(i)
                        disabled=move || predict && open()
                        on:change=move |_| choose(i)
                    />
                    <span>{prose::inlines(option.text)}</span>
                </label>
            }
        })
        .collect_view();
    view! {
        <fieldset class="question">
            <legend>
                <b>{if predict { t().guess_first } else { t().question }}" "</b>
                {prose::inlines(question)}
            </legend>
            {choices}
            <div role="status">
                <Show when=move || answer.is_given() && !open()>
                    <p class="faint">{t().kept_guess}</p>
                </Show>
                <Show when=open>
                    <p><b>{verdict}</b></p>
                    <div class="prose">{because.with_value(|b| prose::blocks(b.clone()))}</div>
                </Show>
            </div>
        </fieldset>
    }
}
