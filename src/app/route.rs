//! Which view the fragment of the address names.

/// A view of the page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Route {
    Home,
    Playground,
    Lessons,
    /// A lesson by its id.
    Lesson(String),
    Instructors,
    About,
    /// A program that came in a link; see [`super::share`].
    Shared(String),
    /// Progress that came in a link; see [`super::share`].
    Progress(String),
}

impl Route {
    /// Reads `#/play`, `#/lessons`, `#/lesson/ID`, `#/instructors`, `#/about`, `#/s/PROGRAM`, `#/p/PROGRESS`. Anything else is
    /// the home view.
    pub fn parse(fragment: &str) -> Route {
        let path = fragment.trim_start_matches('#').trim_matches('/');
        match path.split_once('/') {
            None if path == "play" => Route::Playground,
            None if path == "lessons" => Route::Lessons,
            None if path == "instructors" => Route::Instructors,
            None if path == "about" => Route::About,
            Some(("lesson", id)) if is_id(id) => Route::Lesson(id.to_string()),
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
            Route::Lesson(id) => format!("#/lesson/{id}"),
            Route::Instructors => "#/instructors".into(),
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
            Route::Lesson("same-device-rule".into()),
            Route::Instructors,
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
