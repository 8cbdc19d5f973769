//! The course: which lessons make which part, how far a learner is, and what comes next.

/// The parts in their order, as the list of lessons names them.
pub(crate) const PARTS: [&str; 8] = ["0", "a", "b", "c", "d", "e", "f", "g"];

/// A part, by its place in [`PARTS`], or the lessons that belong to none, which come last; and its lessons, by their places in
/// the list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Group {
    pub part: Option<usize>,
    pub lessons: Vec<usize>,
}

/// The parts that have lessons. `named` has each lesson's part, in the order of the list.
pub(crate) fn groups<'a>(named: impl Iterator<Item = Option<&'a str>>) -> Vec<Group> {
    let known = |name: &str| PARTS.iter().position(|part| *part == name);
    let parts: Vec<Option<usize>> = named.map(|name| name.and_then(known)).collect();
    let of = |part: Option<usize>| Group {
        part,
        lessons: parts.iter().enumerate().filter(|(_, p)| **p == part).map(|(at, _)| at).collect(),
    };
    let all = (0..PARTS.len()).map(Some).chain([None]).map(of);
    all.filter(|group| !group.lessons.is_empty()).collect()
}

/// How far a learner is with one lesson.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Standing {
    pub begun: bool,
    pub complete: bool,
}

/// Where a learner goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Next {
    /// Nothing has been done yet: this lesson is the first.
    Start(usize),
    Continue(usize),
    /// Every lesson is done.
    Finished,
}

/// `standings` are those of the lessons in the order of the course, and `last` is the lesson that was open last.
pub(crate) fn next(standings: &[Standing], last: Option<usize>) -> Next {
    let open = |at: &usize| standings.get(*at).is_some_and(|s| !s.complete);
    let begun = standings.iter().any(|s| s.begun || s.complete);
    let from = last.filter(|at| *at < standings.len());
    let (Some(from), true) = (from.or(begun.then_some(0)), begun || from.is_some()) else {
        return if standings.is_empty() { Next::Finished } else { Next::Start(0) };
    };
    match (from..standings.len()).chain(0..from).find(open) {
        Some(at) => Next::Continue(at),
        None => Next::Finished,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_come_in_their_order_and_the_rest_comes_last() {
        let named = [None, Some("b"), Some("0"), Some("b"), Some("x"), Some("a")];
        let found: Vec<(Option<usize>, Vec<usize>)> =
            groups(named.into_iter()).into_iter().map(|g| (g.part, g.lessons)).collect();
        assert_eq!(found, [(Some(0), vec![2]), (Some(1), vec![5]), (Some(2), vec![1, 3]), (None, vec![0, 4])]);
        assert_eq!(groups([None, None].into_iter()).len(), 1);
    }

    #[test]
    fn the_next_lesson_is_the_one_left_open_or_the_first_open_one_after_it() {
        let standing = |c: char| Standing { begun: c != '.', complete: c == 'x' };
        let of = |text: &str, last| next(&text.chars().map(standing).collect::<Vec<_>>(), last);
        assert_eq!(of("....", None), Next::Start(0));
        assert_eq!(of("....", Some(2)), Next::Continue(2));
        assert_eq!(of("x~..", Some(1)), Next::Continue(1));
        assert_eq!(of("xx..", Some(1)), Next::Continue(2));
        assert_eq!(of("..xx", Some(3)), Next::Continue(0));
        assert_eq!(of("x...", None), Next::Continue(1));
        assert_eq!(of("xxxx", Some(3)), Next::Finished);
        assert_eq!(of("x.", Some(9)), Next::Continue(1));
        assert_eq!(of("", None), Next::Finished);
    }
}
