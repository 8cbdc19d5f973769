//! The languages in which the page and the command line speak to people. Programs, Python's output and PyTorch's
//! messages aren't translated.
//!
//! English and German are compiled in. Any other language is data: a list of English texts and their translations, which the
//! page fetches when somebody chooses that language. What it doesn't translate stays English.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt::{Display, Write};

/// A message in every language, with its gaps filled by the variables in brackets: `say!(language, [name], "…", "…")`, in the
/// order of [`LANGUAGES`]. A language that leaves out a gap doesn't compile, and neither does one that has an additional gap.
///
/// The page's and the cards' messages are lists that use this macro. To compile another language in, add an arm here and its
/// words to each line.
macro_rules! say {
    ($language:expr, [$($gap:ident),*], $english:literal, $german:literal) => {
        match $language {
            $crate::language::Language::English => $crate::language::say!(@filled [$($gap),*] $english),
            $crate::language::Language::German => $crate::language::say!(@filled [$($gap),*] $german),
            $crate::language::Language::Other(code) => {
                $crate::language::in_other(code, $english, &[$((stringify!($gap), $gap)),*])
            }
        }
    };
    (@filled [$($gap:ident),*] $text:literal) => {{
        // Bound again for each language, so that the compiler reports a language that leaves out a gap.
        $(#[deny(unused_variables)] let $gap = $gap;)*
        format_args!($text).to_string()
    }};
}
pub(crate) use say;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    English,
    German,
    /// A language that is data, by its code.
    Other(&'static str),
}

/// The languages that are compiled in.
pub const LANGUAGES: [Language; 2] = [Language::English, Language::German];

/// English texts and their translations.
pub type Translations = BTreeMap<String, String>;

thread_local! {
    /// The other languages, and their texts if they are known.
    static OTHERS: RefCell<BTreeMap<&'static str, Translations>> = const { RefCell::new(BTreeMap::new()) };
}

/// The most languages that are data. Their codes are kept as long as the page is open.
const MOST: usize = 40;

/// Whether this can be the code of a language: `es`.
pub fn is_code(code: &str) -> bool {
    code.len() == 2 && code.bytes().all(|b| b.is_ascii_lowercase())
}

/// Makes languages known by their codes. Those that are compiled in, and words that can't be codes, are skipped.
pub fn offer<'a>(codes: impl IntoIterator<Item = &'a str>) {
    OTHERS.with_borrow_mut(|others| {
        for code in codes {
            let new = is_code(code) && Language::compiled(code).is_none() && !others.contains_key(code);
            if new && others.len() < MOST {
                others.insert(String::from(code).leak(), Translations::new());
            }
        }
    });
}

/// The languages that were [offered](offer).
pub fn others() -> Vec<Language> {
    OTHERS.with_borrow(|others| others.keys().map(|code| Language::Other(code)).collect())
}

/// Takes over the texts of a language that was offered.
pub fn learn(code: &str, texts: Translations) {
    OTHERS.with_borrow_mut(|others| {
        if let Some(known) = others.get_mut(code) {
            *known = texts;
        }
    });
}

/// A message without gaps; `None` if nobody translated it.
pub(crate) fn translated(code: &str, english: &str) -> Option<String> {
    OTHERS.with_borrow(|others| others.get(code)?.get(english).cloned())
}

/// A message with its gaps filled, in English if nobody translated it.
pub(crate) fn in_other(code: &str, english: &str, gaps: &[(&str, &dyn Display)]) -> String {
    let text = translated(code, english);
    filled(text.as_deref().unwrap_or(english), gaps)
}

fn filled(text: &str, gaps: &[(&str, &dyn Display)]) -> String {
    let mut out = String::with_capacity(text.len() + 32);
    let mut rest = text;
    while let Some((before, inner)) = rest.split_once('{') {
        out.push_str(before);
        let gap = inner.split_once('}').and_then(|(name, after)| {
            let (_, content) = gaps.iter().find(|(gap, _)| *gap == name)?;
            Some((content, after))
        });
        rest = match gap {
            Some((content, after)) => {
                // Writing to a string can't fail.
                let _ = write!(out, "{content}");
                after
            }
            None => {
                out.push('{');
                inner
            }
        };
    }
    out.push_str(rest);
    out
}

/// The names of a message's gaps, in order.
pub fn gaps(text: &str) -> Vec<&str> {
    let name = |part: &str| part.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_');
    let mut out: Vec<&str> = text
        .split('{')
        .skip(1)
        .filter_map(|rest| rest.split_once('}'))
        .map(|(gap, _)| gap)
        .filter(|gap| !gap.is_empty() && name(gap))
        .collect();
    out.sort_unstable();
    out.dedup();
    out
}

impl Language {
    /// Finds a language by its code in a browser or a locale: `de`, `de-CH`, `de_DE.UTF-8`.
    pub fn of(code: &str) -> Option<Language> {
        let short = code.split(['-', '_', '.', '@']).next().unwrap_or_default().to_ascii_lowercase();
        let other =
            || OTHERS.with_borrow(|others| others.get_key_value(short.as_str()).map(|(code, _)| Language::Other(code)));
        Language::compiled(&short).or_else(other)
    }

    fn compiled(code: &str) -> Option<Language> {
        LANGUAGES.into_iter().find(|l| l.code() == code)
    }

    pub fn code(self) -> &'static str {
        match self {
            Language::English => "en",
            Language::German => "de",
            Language::Other(code) => code,
        }
    }

    /// The language's own name for itself, as far as this program knows it. A browser knows the others.
    pub fn name(self) -> &'static str {
        match self {
            Language::English => "English",
            Language::German => "Deutsch",
            Language::Other(code) => code,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn languages_are_found_by_their_codes() {
        for code in ["de", "de-CH", "de_DE.UTF-8", "de.UTF-8", "de@euro"] {
            assert_eq!(Language::of(code), Some(Language::German), "{code}");
        }
        assert_eq!(Language::of("EN"), Some(Language::English));
        for code in ["fr", "C", "C.UTF-8", "POSIX", "den", ""] {
            assert_eq!(Language::of(code), None, "{code}");
        }
    }

    #[test]
    fn a_language_that_is_data_says_what_was_translated_and_english_for_the_rest() {
        offer(["es", "de", "en", "ES", "x", "../", "es"]);
        let spanish = Language::of("es-MX").unwrap();
        assert_eq!((others(), spanish.code()), (vec![spanish], "es"));
        let say = |name: &dyn Display| say!(spanish, [name], "Hello {name}!", "Hallo {name}!");
        assert_eq!(say(&"you"), "Hello you!");
        learn("es", [("Hello {name}!".to_string(), "¡Hola, {name}! {name}, {x} {".to_string())].into());
        assert_eq!(say(&"tú"), "¡Hola, tú! tú, {x} {");
        // What fills a gap isn't searched for gaps.
        assert_eq!(say(&"{name}"), "¡Hola, {name}! {name}, {x} {");
        learn("fr", Translations::new());
        assert_eq!(Language::of("fr"), None);
    }

    #[test]
    fn gaps_are_named() {
        assert_eq!(gaps("{of} and {a_b}, {of}"), ["a_b", "of"]);
        assert!(gaps("{} { x} {A}").is_empty());
    }
}
