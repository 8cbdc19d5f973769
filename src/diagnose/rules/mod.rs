//! The rules, one file each. [docs/rules.md](../../../../docs/rules.md) is rendered from them.

use super::code::Code;
use super::place::Place;
use super::plan::Site;
use super::{Card, Cause, Failure, Fix, Operand, Seen, titles};

/// What a rule can do. It implements only what applies: for a mistake that raises an error, `from_text` and `explain`; for a
/// silent one, `silent`, and `watch` if it must observe the running program.
pub(super) trait Explain {
    /// What a learner does and sees, for docs/rules.md.
    const ABOUT: &'static str;
    /// A program that gets the card.
    const EXAMPLE: Example;
    /// The lesson that teaches it, by its id in `lessons/`.
    const LESSON: &'static str;

    /// The card for an error's message alone, with an edit of the failing line if that is enough.
    fn from_text(_failure: &Failure<'_>) -> Option<Card> {
        None
    }

    /// The card for an error with this rule's message, given the entire program: the line with the mistake, which may differ
    /// from the one that failed, and the edit. `None` leaves `text` as it is.
    fn explain(_at: &Place<'_>, _text: &Card) -> Option<Card> {
        None
    }

    /// The card for an error that this mistake led to, whatever the error's message is.
    fn behind(_at: &Place<'_>) -> Option<Card> {
        None
    }

    /// Where to look while the program runs.
    fn watch(_code: &Code<'_>, _out: &mut Vec<Site>) {}

    /// The cards of a silent mistake.
    fn silent(_code: &Code<'_>, _seen: &Seen<'_>) -> Vec<Card> {
        Vec::new()
    }
}

/// A program that gets the card of a rule. If it reads `checkpoint.pt`, another program makes that file first.
#[derive(Clone, Copy, Debug)]
pub struct Example {
    pub code: &'static str,
    /// A preset.
    pub machine: &'static str,
    /// Memory of a GPU in MiB, if it matters.
    pub memory: Option<u32>,
    /// The machine and the program that make `checkpoint.pt`.
    pub before: Option<(&'static str, &'static str)>,
}

impl Example {
    const fn new(code: &'static str) -> Example {
        Example { code, machine: "cuda:1", memory: None, before: None }
    }

    const fn on(self, machine: &'static str) -> Example {
        Example { machine, ..self }
    }

    const fn memory(self, mib: u32) -> Example {
        Example { memory: Some(mib), ..self }
    }

    const fn after(self, machine: &'static str, code: &'static str) -> Example {
        Example { before: Some((machine, code)), ..self }
    }
}

macro_rules! rules {
    ($($id:ident in $file:ident;)*) => {
        /// The mistakes that have a rule.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub enum Rule {
            $($id,)*
        }

        impl Rule {
            /// Every rule, in the order in which they are tried.
            pub const ALL: &'static [Rule] = &[$(Rule::$id,)*];

            /// `D01`.
            pub fn id(self) -> &'static str {
                match self {
                    $(Rule::$id => stringify!($id),)*
                }
            }

            /// The heading in docs/rules.md. [`titles`] has it in the other languages.
            pub fn title(self) -> &'static str {
                match self {
                    $(Rule::$id => titles::$id.english,)*
                }
            }

            pub fn about(self) -> &'static str {
                match self {
                    $(Rule::$id => $file::$id::ABOUT,)*
                }
            }

            pub fn example(self) -> Example {
                match self {
                    $(Rule::$id => $file::$id::EXAMPLE,)*
                }
            }

            pub fn lesson(self) -> &'static str {
                match self {
                    $(Rule::$id => $file::$id::LESSON,)*
                }
            }

            /// The file of the rule in `src/diagnose/rules`.
            pub fn file(self) -> &'static str {
                match self {
                    $(Rule::$id => concat!(stringify!($file), ".rs"),)*
                }
            }

            /// The first rule that knows an error's message, and its card.
            pub(super) fn of_text(failure: &Failure<'_>) -> Option<(Rule, Card)> {
                $(
                    if let Some(card) = $file::$id::from_text(failure) {
                        return Some((Rule::$id, card));
                    }
                )*
                None
            }

            pub(super) fn explain(self, at: &Place<'_>, text: &Card) -> Option<Card> {
                match self {
                    $(Rule::$id => $file::$id::explain(at, text),)*
                }
            }

            pub(super) fn behind(self, at: &Place<'_>) -> Option<Card> {
                match self {
                    $(Rule::$id => $file::$id::behind(at),)*
                }
            }

            pub(super) fn watch(self, code: &Code<'_>, out: &mut Vec<Site>) {
                match self {
                    $(Rule::$id => $file::$id::watch(code, out),)*
                }
            }

            pub(super) fn silent(self, code: &Code<'_>, seen: &Seen<'_>) -> Vec<Card> {
                match self {
                    $(Rule::$id => $file::$id::silent(code, seen),)*
                }
            }

            /// Every sentence of every rule in English, for translators.
            #[cfg(not(target_arch = "wasm32"))]
            pub fn in_english() -> Vec<&'static str> {
                [$($file::IN_ENGLISH),*].concat()
            }

            /// Its sentences, and the contents of their gaps.
            #[cfg(test)]
            pub(super) fn words(self) -> Vec<(Cause, Vec<String>)> {
                match self {
                    $(Rule::$id => $file::every(),)*
                }
            }
        }
    };
}

impl Rule {
    pub(super) fn card(self, line: u32, cause: Cause, operands: Vec<Operand>, fix: Vec<Fix>) -> Card {
        Card { rule: self.id().into(), line, cause, operands, fix, lesson: Some(self.lesson().into()) }
    }

    /// The card for an error, as far as its message and the failing line tell.
    fn of(self, failure: &Failure<'_>, cause: Cause, fix: Option<Fix>) -> Card {
        let line = fix.as_ref().map(|fix| fix.line).or(failure.line).unwrap_or_default();
        self.card(line, cause, failure.operands.to_vec(), fix.into_iter().collect())
    }
}

// A new rule needs its file, its title in titles.rs, its line here, and its line in the list below. Rules are tried in the order
// of the list, and the first one that has a card wins. So a rule must come before those whose errors it can lead to, and one
// that knows a special message before one that knows the general message.
mod d01_two_devices;
mod d02_layer_input;
mod d03_convolution;
mod d04_lost_move;
mod d05_moved_in_place;
mod d06_unregistered;
mod d07_plain_attribute;
mod d08_born_on_cpu;
mod d09_loss;
mod d10_index;
mod d11_numpy_of_gpu;
mod d12_numpy_of_graph;
mod d13_moved_leaf;
mod d14_optimizer_state;
mod d15_checkpoint_without_gpu;
mod d16_checkpoint_of_more_gpus;
mod d17_no_gpu;
mod d18_device_name;
mod d19_devices_compared;
mod d20_out_of_memory;
mod d21_graphs_kept;
mod d22_memory_kept;
mod d23_waiting;
mod d24_pinning;
mod d25_forked_worker;
mod d26_data_parallel;
mod d27_distributed;
mod d28_generator;
mod d29_device_assert;
mod d30_legacy_constructor;

rules! {
    // Two devices in one operation: first what led the tensors there, then the operations with messages of their own,
    // then all others.
    D04 in d04_lost_move;
    D14 in d14_optimizer_state;
    D05 in d05_moved_in_place;
    D06 in d06_unregistered;
    D07 in d07_plain_attribute;
    D09 in d09_loss;
    D08 in d08_born_on_cpu;
    D03 in d03_convolution;
    D10 in d10_index;
    D02 in d02_layer_input;
    D01 in d01_two_devices;
    // Memory ran out: first what kept the memory, then the sizes.
    D22 in d22_memory_kept;
    D21 in d21_graphs_kept;
    D20 in d20_out_of_memory;
    // Each of these has messages, or a silent condition, that no other rule has.
    D11 in d11_numpy_of_gpu;
    D12 in d12_numpy_of_graph;
    D13 in d13_moved_leaf;
    D15 in d15_checkpoint_without_gpu;
    D16 in d16_checkpoint_of_more_gpus;
    D17 in d17_no_gpu;
    D18 in d18_device_name;
    D19 in d19_devices_compared;
    D23 in d23_waiting;
    D24 in d24_pinning;
    D25 in d25_forked_worker;
    D26 in d26_data_parallel;
    D27 in d27_distributed;
    D28 in d28_generator;
    D29 in d29_device_assert;
    D30 in d30_legacy_constructor;
}
