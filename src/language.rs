//! The languages that the page and the command line speak to people in. Programs, Python's output and PyTorch's messages
//! stay as they are.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    English,
    German,
}

pub const LANGUAGES: [Language; 2] = [Language::English, Language::German];

impl Language {
    /// By its code, as browsers and locales write it: `de`, `de-CH`, `de_DE.UTF-8`.
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

    /// What it calls itself.
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
