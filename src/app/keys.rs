//! What the page stores in the browser, and under which names. All of these names are made here.
//!
//! A learner's copy of a program has a name of its own (`example.first`, `lesson.ID.STEP`, `shared.HASH`). The page also uses
//! that name to know what the editor holds. The copy is stored under [`Key::code`].

use std::borrow::Cow;

use crate::sha256;

/// Starts every name, because other pages of this origin may store things as well.
#[cfg(all(feature = "app", target_arch = "wasm32"))]
pub(super) const PREFIX: &str = "tensoryard.";

const PROGRESS: &str = "progress.";
const CODE: &str = "code.";
const EXAMPLE: &str = "example.";
const SHARED: &str = "shared.";

/// A name in the browser's storage, without its `PREFIX`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Key(Cow<'static, str>);

impl Key {
    /// The page's language, if someone chose it.
    pub const LANGUAGE: Key = Key(Cow::Borrowed("language"));
    /// Light, dark, or the system's setting.
    pub(crate) const THEME: Key = Key(Cow::Borrowed("theme"));
    /// The machine that was chosen last.
    pub(crate) const MACHINE: Key = Key(Cow::Borrowed("machine"));
    /// The lesson that was open last.
    pub(crate) const LAST: Key = Key(Cow::Borrowed("last"));
    /// The cells of the notebook that was opened last.
    pub(crate) const NOTEBOOK: Key = Key(Cow::Borrowed("notebook"));
    /// Whether the playground shows that notebook.
    pub(crate) const NOTEBOOK_SHOWN: Key = Key(Cow::Borrowed("notebook.shown"));
    /// Whether the editor is a plain text field.
    pub(crate) const PLAIN: Key = Key(Cow::Borrowed("plain"));

    /// Progress in a lesson.
    pub fn progress(lesson: &str) -> Key {
        Key(format!("{PROGRESS}{lesson}").into())
    }

    /// A learner's copy of a program.
    pub fn code(copy: &str) -> Key {
        Key(format!("{CODE}{copy}").into())
    }

    /// A name from a learner's file or from the browser's storage, if it names progress or a program. Anything else is
    /// `None`.
    pub(crate) fn of_work(name: &str) -> Option<Key> {
        let plain = name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'.');
        let work = name.starts_with(PROGRESS) || name.starts_with(CODE);
        (plain && work && name.len() <= 200).then(|| Key(name.to_string().into()))
    }

    /// Whether this is a learner's copy of a program.
    #[cfg(all(feature = "app", target_arch = "wasm32"))]
    pub(super) fn is_code(&self) -> bool {
        self.0.starts_with(CODE)
    }

    /// The lesson whose progress this is.
    pub fn lesson(&self) -> Option<&str> {
        self.0.strip_prefix(PROGRESS)
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// The copy of an example.
pub fn example(id: &str) -> String {
    format!("{EXAMPLE}{id}")
}

/// The example that this is a copy of.
pub(crate) fn example_of(copy: &str) -> Option<&str> {
    copy.strip_prefix(EXAMPLE)
}

/// The copy of a lesson's step. `lesson` is the name under which the learner's work in it is stored.
pub fn step(lesson: &str, step: &str) -> String {
    format!("lesson.{lesson}.{step}")
}

/// The copy of a program that came in a link. It's a hash of the whole link: the packed forms of short programs all end alike,
/// so a hash of the end alone wouldn't tell them apart.
pub fn link(packed: &str) -> String {
    format!("{SHARED}{}", sha256::hex(&sha256::digest(&[packed.as_bytes()])[..12]))
}

/// The copy of a program from a file.
pub fn file() -> String {
    format!("{SHARED}file")
}

/// The copy of a notebook's cell.
pub(crate) fn notebook() -> String {
    format!("{SHARED}cell")
}

/// Whether a copy is of a program that someone opened from a link or a file.
pub(crate) fn is_brought(copy: &str) -> bool {
    copy.starts_with(SHARED)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Links to short programs used to open each other's copies.
    #[test]
    fn links_never_share_a_copy() {
        let mut copies = std::collections::BTreeSet::new();
        for n in 0..2000 {
            let packed = crate::app::share::pack(&format!("x = {n}\nprint(x)\n"), Some("cuda:1".into()), None);
            assert_eq!(link(&packed), link(&packed));
            assert!(copies.insert(link(&packed)), "{n}");
        }
    }

    #[test]
    fn a_learner_s_work_is_what_travels() {
        let copies = [example("first"), step("same-device-rule", "the-exception"), link("abc"), file()];
        let work = copies.iter().map(|copy| Key::code(copy)).chain([Key::progress("same-device-rule")]);
        for key in work {
            assert_eq!(Key::of_work(key.as_str()).as_ref(), Some(&key));
        }
        for other in [Key::LANGUAGE, Key::THEME, Key::MACHINE, Key::LAST, Key::PLAIN] {
            assert_eq!(Key::of_work(other.as_str()), None, "{other:?}");
        }
        for bad in ["code.<b>", "progress.ä", "code", &format!("code.{}", "x".repeat(200))] {
            assert_eq!(Key::of_work(bad), None, "{bad}");
        }
    }

    #[test]
    fn copies_are_told_apart() {
        assert_eq!((example_of(&example("first")), example_of(&file())), (Some("first"), None));
        assert!(is_brought(&link("abc")) && is_brought(&file()) && !is_brought(&step("a", "b")));
        assert_eq!(Key::progress("a").lesson(), Some("a"));
        assert_eq!(Key::code("a").lesson(), None);
    }
}
