//! Why a check failed, in words.

use super::texts::{Texts, fill};
use crate::lesson::{Counted, Finding};

/// A sentence for the learner; backticks mark code.
pub fn sentence(t: &Texts, finding: &Finding) -> String {
    match finding {
        Finding::NoError { class } => fill(t.found_no_error, &[class]),
        Finding::OtherError { class, message } => fill(t.found_other_error, &[class, message]),
        Finding::Error { class, message } => fill(t.found_error, &[class, message]),
        Finding::Few { count, of, least } => fill(t.found_few, &[count, &counted(t, of), least]),
        Finding::Many { count, of, most } => fill(t.found_many, &[count, &counted(t, of), most]),
        Finding::Untrue { expr } => fill(t.found_untrue, &[expr]),
        Finding::Raises { expr, class, message } => fill(t.found_raises, &[expr, class, message]),
        Finding::NotPrinted { text } => fill(t.found_not_printed, &[text]),
        Finding::OneObject { left, right } => fill(t.found_one_object, &[left, right]),
        Finding::TwoObjects { left, right } => fill(t.found_two_objects, &[left, right]),
        Finding::Uses { name } => fill(t.found_uses, &[name]),
        Finding::UsesNot { name } => fill(t.found_uses_not, &[name]),
        Finding::On { name, device } => fill(t.found_on, &[name, device]),
        Finding::PartOn { name, device } => fill(t.found_part_on, &[name, device]),
        Finding::NoParameters { name } => fill(t.found_no_parameters, &[name]),
        Finding::NoTensor { name } => fill(t.found_no_tensor, &[name]),
        Finding::NotStarted => t.found_not_started.into(),
        Finding::Unparsed { error } => fill(t.found_unparsed, &[error]),
    }
}

fn counted(t: &Texts, of: &Counted) -> String {
    match of {
        Counted::Copies => t.counted_copies.into(),
        Counted::BytesCopied => t.counted_bytes.into(),
        Counted::AsynchronousCopies => t.counted_asynchronous.into(),
        Counted::Waits => t.counted_waits.into(),
        Counted::PeakBytes { device } => fill(t.counted_peak, &[device]),
    }
}
