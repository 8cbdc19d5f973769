//! Sentences in every language. A sentence that lacks a language doesn't compile, and neither does one with a gap that
//! the other languages don't have.
//!
//! Names of the program, devices, and PyTorch's own wording fill the gaps, and aren't translated.

use serde::{Deserialize, Serialize};

use crate::language::{LANGUAGES, Language};

/// What is wrong and how to fix it, in every language. The code that shows a card chooses one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Cause([String; LANGUAGES.len()]);

impl Cause {
    /// In the order of [`LANGUAGES`].
    pub fn new(said: [String; LANGUAGES.len()]) -> Cause {
        Cause(said)
    }

    pub fn say(&self, language: Language) -> &str {
        &self.0[language as usize]
    }
}

/// Sentences as functions of the contents of their gaps: `{name}` in a literal is the argument `name`. Used once in
/// each file.
macro_rules! words {
    ($($(#[$doc:meta])* $vis:vis $name:ident($($gap:ident),*): $english:literal, $german:literal;)+) => {
        $(
            $(#[$doc])*
            $vis fn $name($($gap: &dyn std::fmt::Display),*) -> $crate::diagnose::Cause {
                $crate::diagnose::Cause::new(
                    $crate::language::LANGUAGES.map(|language| $crate::language::say!(language, [$($gap),*], $english, $german)),
                )
            }
        )+

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
        pub(in crate::diagnose) bytes(bytes): "{bytes} bytes", "{bytes} Byte";
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
            let [english, german] = LANGUAGES.map(|language| cause.say(language));
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
