//! The explorable pages: a control moves, a real program runs again, and what happened is drawn.

mod bench;
mod copying;
mod dials;
mod life;
mod step;

use leptos::prelude::*;

pub(crate) use self::bench::Settings;
use self::copying::CopyPage;
use self::life::LifePage;
use self::step::StepPage;
use crate::app::route::{Exhibit, Route};
use crate::app::texts::t;

/// A page's title and what it shows.
pub(crate) fn words(exhibit: Exhibit) -> (&'static str, &'static str) {
    match exhibit {
        Exhibit::Step => (t().anatomy_step, t().anatomy_step_line),
        Exhibit::Life => (t().anatomy_life, t().anatomy_life_line),
        Exhibit::Copy => (t().anatomy_copy, t().anatomy_copy_line),
    }
}

/// One of the pages, or all of them to choose from.
#[component]
pub(crate) fn Anatomy(exhibit: Option<Exhibit>) -> impl IntoView {
    let Some(exhibit) = exhibit else {
        let entry = |exhibit: Exhibit| {
            let (title, line) = words(exhibit);
            view! {
                <li>
                    <a href=Route::Anatomy(Some(exhibit)).fragment()>{title}</a>
                    <p>{line}</p>
                </li>
            }
        };
        return view! {
            <div class="page">
                <div class="intro">
                    <h1>{t().anatomy}</h1>
                    <p>{t().anatomy_line}</p>
                </div>
                <ul class="exhibits">{Exhibit::ALL.map(entry).collect_view()}</ul>
            </div>
        }
        .into_any();
    };
    let link = |other: Exhibit| {
        view! {
            <a
                href=Route::Anatomy(Some(other)).fragment()
                aria-current=(other == exhibit).then_some("page")
            >
                {words(other).0}
            </a>
        }
    };
    view! {
        <div class="page wide anatomy">
            <nav class="exhibit-links" aria-label=t().anatomy_pages>
                <a href=Route::Anatomy(None).fragment()>{t().anatomy}</a>
                {Exhibit::ALL.map(link).collect_view()}
            </nav>
            {match exhibit {
                Exhibit::Step => view! { <StepPage/> }.into_any(),
                Exhibit::Life => view! { <LifePage/> }.into_any(),
                Exhibit::Copy => view! { <CopyPage/> }.into_any(),
            }}
        </div>
    }
    .into_any()
}
