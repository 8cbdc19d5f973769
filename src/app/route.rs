//! Which view the fragment of the address names.

use crate::lesson::Track;

/// A view of the page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Route {
    Home,
    Playground,
    Lessons,
    Glossary,
    /// A lesson by its id.
    Lesson(String),
    /// The explorable pages, or one of them.
    Anatomy(Option<Exhibit>),
    /// The list of a track's lessons.
    Track(Track),
    Instructors,
    /// What the progress files of a class say together.
    Class,
    About,
    /// A program that came in a link; see [`super::share`].
    Shared(String),
    /// Progress that came in a link; see [`super::share`].
    Progress(String),
}

/// An explorable page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exhibit {
    Step,
    Life,
    Copy,
}

impl Exhibit {
    pub const ALL: [Exhibit; 3] = [Exhibit::Step, Exhibit::Life, Exhibit::Copy];

    fn name(self) -> &'static str {
        match self {
            Exhibit::Step => "step",
            Exhibit::Life => "life",
            Exhibit::Copy => "copy",
        }
    }
}

impl Route {
    /// Reads `#/play`, `#/lessons`, `#/glossary`, `#/lesson/ID`, `#/debug`, `#/puzzles`, `#/anatomy`, `#/anatomy/PAGE`, `#/instructors`, `#/class`,
    /// `#/about`, `#/s/PROGRAM`, `#/p/PROGRESS`. Anything else is the home view.
    pub fn parse(fragment: &str) -> Route {
        let path = fragment.trim_start_matches('#').trim_matches('/');
        match path.split_once('/') {
            None if path == "play" => Route::Playground,
            None if path == "lessons" => Route::Lessons,
            None if path == "glossary" => Route::Glossary,
            None if path == "anatomy" => Route::Anatomy(None),
            None if path == "instructors" => Route::Instructors,
            None if path == "class" => Route::Class,
            None if path == "about" => Route::About,
            None => Track::of(path).map_or(Route::Home, Route::Track),
            Some(("lesson", id)) if is_id(id) => Route::Lesson(id.to_string()),
            Some(("anatomy", name)) => Route::Anatomy(Exhibit::ALL.into_iter().find(|exhibit| exhibit.name() == name)),
            Some(("s", packed)) => Route::Shared(packed.to_string()),
            Some(("p", packed)) => Route::Progress(packed.to_string()),
            _ => Route::Home,
        }
    }

    /// The fragment of this view.
    pub fn fragment(&self) -> String {
        match self {
            Route::Home => "#/".into(),
            Route::Playground => "#/play".into(),
            Route::Lessons => "#/lessons".into(),
            Route::Glossary => "#/glossary".into(),
            Route::Lesson(id) => format!("#/lesson/{id}"),
            Route::Anatomy(None) => "#/anatomy".into(),
            Route::Anatomy(Some(exhibit)) => format!("#/anatomy/{}", exhibit.name()),
            Route::Track(track) => format!("#/{}", track.name()),
            Route::Instructors => "#/instructors".into(),
            Route::Class => "#/class".into(),
            Route::About => "#/about".into(),
            Route::Shared(packed) => format!("#/s/{packed}"),
            Route::Progress(packed) => format!("#/p/{packed}"),
        }
    }
}

/// Ids name files, so they are plain words joined by hyphens.
pub fn is_id(id: &str) -> bool {
    !id.is_empty() && id.len() <= 80 && id.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fragments_and_routes_agree() {
        for route in [
            Route::Home,
            Route::Playground,
            Route::Lessons,
            Route::Glossary,
            Route::Lesson("same-device-rule".into()),
            Route::Anatomy(None),
            Route::Anatomy(Some(Exhibit::Step)),
            Route::Anatomy(Some(Exhibit::Life)),
            Route::Anatomy(Some(Exhibit::Copy)),
            Route::Track(Track::Debug),
            Route::Track(Track::Puzzles),
            Route::Instructors,
            Route::Class,
            Route::About,
            Route::Shared("q1bKS0z".into()),
            Route::Progress("q1bKS0z".into()),
        ] {
            assert_eq!(Route::parse(&route.fragment()), route);
        }
    }

    #[test]
    fn strange_fragments_lead_home() {
        for fragment in ["", "#", "#/nowhere", "#/lesson/", "#/lesson/../../x", "#/lesson/A%20b", "#/lesson/a/b"] {
            assert_eq!(Route::parse(fragment), Route::Home, "{fragment}");
        }
    }
}
