//! The languages in which the page and the command line speak to people. Programs, Python's output and PyTorch's
//! messages aren't translated.

/// A text in every language, with its gaps filled by the variables in brackets: `say!(language, [name], "…", "…")`, in the
/// order of [`LANGUAGES`]. A text that leaves out a gap doesn't compile, and neither does one that has an additional gap.
///
/// The texts of the page and of the cards are lists that use this macro. To add a language, add an arm here and a text to each
/// line.
macro_rules! say {
    ($language:expr, [$($gap:ident),*], $english:literal, $german:literal) => {
        match $language {
            $crate::language::Language::English => $crate::language::say!(@filled [$($gap),*] $english),
            $crate::language::Language::German => $crate::language::say!(@filled [$($gap),*] $german),
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
}

pub const LANGUAGES: [Language; 2] = [Language::English, Language::German];

impl Language {
    /// Finds a language by its code in a browser or a locale: `de`, `de-CH`, `de_DE.UTF-8`.
    pub fn of(code: &str) -> Option<Language> {
        let short = code.split(['-', '_', '.', '@']).next().unwrap_or_default().to_ascii_lowercase();
        LANGUAGES.into_iter().find(|l| l.code() == short)
    }

    pub fn code(self) -> &'static str {
        match self {
            Language::English => "en",
            Language::German => "de",
        }
    }

    /// The language's own name for itself.
    pub fn name(self) -> &'static str {
        match self {
            Language::English => "English",
            Language::German => "Deutsch",
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
}
