//! Sentences in the languages that are compiled in. A sentence that lacks one of them doesn't compile, and neither does one
//! with a gap that the others don't have. The page finds it in any other language by its English words.
//!
//! Names of the program, devices, and PyTorch's own wording fill the gaps, and aren't translated.

use std::borrow::Cow;
use std::fmt::Display;

use serde::{Deserialize, Serialize};

use crate::language::{self, LANGUAGES, Language};

/// What is wrong and how to fix it, in every language. The code that shows a card chooses one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Cause {
    /// In the order of [`LANGUAGES`].
    said: [String; LANGUAGES.len()],
    /// The English sentence with its gaps, and their names and contents.
    sentence: Cow<'static, str>,
    gaps: Vec<(Cow<'static, str>, String)>,
}

impl Cause {
    /// A sentence without gaps, in the order of [`LANGUAGES`].
    pub fn new(said: [String; LANGUAGES.len()]) -> Cause {
        let sentence = said[0].clone().into();
        Cause { said, sentence, gaps: Vec::new() }
    }

    pub(super) fn filled(
        said: [String; LANGUAGES.len()],
        sentence: &'static str,
        gaps: &[(&'static str, &dyn Display)],
    ) -> Cause {
        let gaps = gaps.iter().map(|(gap, content)| ((*gap).into(), content.to_string())).collect();
        Cause { said, sentence: sentence.into(), gaps }
    }

    pub fn say(&self, language: Language) -> Cow<'_, str> {
        match language {
            Language::English => self.said[0].as_str().into(),
            Language::German => self.said[1].as_str().into(),
            Language::Other(code) => {
                let gaps: Vec<(&str, &dyn Display)> =
                    self.gaps.iter().map(|(gap, content)| (gap.as_ref(), content as &dyn Display)).collect();
                language::in_other(code, &self.sentence, &gaps).into()
            }
        }
    }
}

/// Sentences as functions of the contents of their gaps: `{name}` in a literal is the argument `name`. Used once in
/// each file.
macro_rules! words {
    ($($(#[$doc:meta])* $vis:vis $name:ident($($gap:ident),*): $english:literal, $german:literal;)+) => {
        $(
            $(#[$doc])*
            $vis fn $name($($gap: &dyn std::fmt::Display),*) -> $crate::diagnose::Cause {
                $crate::diagnose::Cause::filled(
                    [
                        $crate::language::say!(@filled [$($gap),*] $english),
                        $crate::language::say!(@filled [$($gap),*] $german),
                    ],
                    $english,
                    &[$((stringify!($gap), $gap)),*],
                )
            }
        )+

        /// Every sentence in English, for translators.
        #[cfg(not(target_arch = "wasm32"))]
        #[allow(dead_code, reason = "the labels of a terminal are translated by nobody")]
        pub(in crate::diagnose) const IN_ENGLISH: &[&str] = &[$($english),+];

        /// Each sentence once, and the contents of its gaps.
        #[cfg(test)]
        pub(in crate::diagnose) fn every() -> Vec<($crate::diagnose::Cause, Vec<String>)> {
            vec![$((
                $name($(&concat!("<", stringify!($gap), ">")),*),
                vec![$(concat!("<", stringify!($gap), ">").to_string()),*],
            )),+]
        }
    };
}
pub(super) use words;

/// The labels of a card's facts in a terminal.
pub(super) mod label {
    super::words! {
        pub(in crate::diagnose) bytes(bytes): "{bytes} bytes", "{bytes} Bytes";
        pub(in crate::diagnose) created(line): "created in line {line}", "erzeugt in Zeile {line}";
        pub(in crate::diagnose) moved(line): "moved in line {line}", "verschoben in Zeile {line}";
        pub(in crate::diagnose) created_and_moved(created, moved):
            "created in line {created}, moved in line {moved}", "erzeugt in Zeile {created}, verschoben in Zeile {moved}";
        pub(in crate::diagnose) line(line): "line {line}:", "Zeile {line}:";
        pub(in crate::diagnose) lesson(id): "lesson: {id}", "Lektion: {id}";
    }
}

#[cfg(all(test, feature = "python"))]
mod tests {
    use super::*;
    use crate::diagnose::rules::Rule;

    /// A sentence without the parts that aren't translated: code, quotations and gaps.
    fn prose(text: &str, gaps: &[String]) -> String {
        let mut out: String = text.split('`').step_by(2).collect::<Vec<_>>().join(" ");
        for gap in gaps {
            out = out.replace(gap, " ");
        }
        out
    }

    const ENGLISH: [&str; 22] = [
        "the", "of", "and", "is", "are", "its", "it", "to", "this", "that", "with", "which", "for", "but", "not", "no",
        "by", "first", "moved", "created", "line", "lesson",
    ];

    /// A German sentence contains no English word, says everything that the English one says, and quotes the same code.
    #[test]
    fn every_sentence_is_said_in_german() {
        let causes = Rule::ALL.iter().flat_map(|rule| rule.words()).map(|(cause, gaps)| (cause, gaps, true));
        let labels = label::every().into_iter().map(|(label, gaps)| (label, gaps, false));
        let mut count = 0;
        for (cause, gaps, sentence) in causes.chain(labels) {
            let [english, german] = LANGUAGES.map(|language| cause.say(language).into_owned());
            let (english, german) = (english.as_str(), german.as_str());
            assert_ne!(english, german);
            let words = prose(german, &gaps);
            let words: Vec<&str> = words.split(|c: char| !c.is_alphabetic()).collect();
            let left: Vec<&&str> =
                words.iter().filter(|word| ENGLISH.contains(&word.to_lowercase().as_str())).collect();
            assert!(left.is_empty(), "{left:?} in {german}");
            for gap in &gaps {
                assert!(english.contains(gap) && german.contains(gap), "{gap}: {english} / {german}");
            }
            for text in [english, german] {
                assert_eq!(text.ends_with('.'), sentence, "{text}");
                assert!(!text.contains("  ") && text.matches('`').count() % 2 == 0, "{text}");
            }
            // Code that tells the learner what to write must not get lost in translation.
            for code in english.split('`').skip(1).step_by(2) {
                assert!(german.contains(code), "{code}: {german}");
            }
            count += 1;
        }
        assert!(count > 60, "{count}");
    }
}
