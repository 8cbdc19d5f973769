//! Which view the address's fragment names.

/// A view of the page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Route {
    Playground,
    Lessons,
    /// A lesson by its id.
    Lesson(String),
}

impl Route {
    /// Reads `#/lessons`, `#/lesson/ID`; anything else is the playground.
    pub fn parse(fragment: &str) -> Route {
        let path = fragment.trim_start_matches('#').trim_matches('/');
        match path.split_once('/') {
            None if path == "lessons" => Route::Lessons,
            Some(("lesson", id)) if is_id(id) => Route::Lesson(id.to_string()),
            _ => Route::Playground,
        }
    }

    /// The fragment that leads here.
    pub fn fragment(&self) -> String {
        match self {
            Route::Playground => "#/".into(),
            Route::Lessons => "#/lessons".into(),
            Route::Lesson(id) => format!("#/lesson/{id}"),
        }
    }
}

/// Ids name files, so they are plain words joined by hyphens.
fn is_id(id: &str) -> bool {
    !id.is_empty() && id.len() <= 80 && id.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fragments_and_routes_agree() {
        for route in [Route::Playground, Route::Lessons, Route::Lesson("same-device-rule".into())] {
            assert_eq!(Route::parse(&route.fragment()), route);
        }
    }

    #[test]
    fn strange_fragments_lead_home() {
        for fragment in ["", "#", "#/nowhere", "#/lesson/", "#/lesson/../../x", "#/lesson/A%20b", "#/lesson/a/b"] {
            assert_eq!(Route::parse(fragment), Route::Playground, "{fragment}");
        }
    }
}
