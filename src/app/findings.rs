//! Why a check failed, in words.

use super::texts::Texts;
use crate::lesson::{Counted, Finding};
use crate::trace::Look;

/// A sentence for the learner; backticks mark code.
pub fn sentence(t: &Texts, finding: &Finding) -> String {
    match finding {
        Finding::NoError { class } => t.found_no_error(class),
        Finding::OtherError { class, message } => t.found_other_error(class, &short(message)),
        Finding::Error { class, message } => t.found_error(class, &short(message)),
        Finding::Few { count, of, least } => t.found_few(&capitalized(&counted(t, of)), count, least),
        Finding::Many { count, of, most } => t.found_many(&capitalized(&counted(t, of)), count, most),
        Finding::Looked { look, line, count, of, most } => {
            t.found_looking(&looked(t, *look), line, count, &counted(t, of), most)
        }
        Finding::Early { line } => t.found_early(line),
        Finding::Untrue { values, .. } if values.is_empty() => t.found_untrue.into(),
        Finding::Untrue { values, .. } => {
            let each: Vec<String> = values.iter().map(|(name, value)| format!("`{name} = {value}`")).collect();
            t.found_values(&each.join(", "))
        }
        Finding::Raises { class, message, .. } => t.found_raises(class, &short(message)),
        Finding::NotPrinted { text } => t.found_not_printed(text),
        Finding::OneObject { left, right } => t.found_one_object(left, right),
        Finding::TwoObjects { left, right } => t.found_two_objects(left, right),
        Finding::Uses { name } => t.found_uses(name),
        Finding::UsesNot { name } => t.found_uses_not(name),
        Finding::On { name, device } => t.found_on(name, device),
        Finding::PartOn { name, device } => t.found_part_on(name, device),
        Finding::NoParameters { name } => t.found_no_parameters(name),
        Finding::NoTensor { name } => t.found_no_tensor(name),
        Finding::NotStarted => t.found_not_started.into(),
        Finding::Unparsed { error } => t.found_unparsed(error),
    }
}

/// How many characters of an error's message are quoted to say which error it is. The output has the whole message.
const MESSAGE: usize = 160;

fn short(message: &str) -> String {
    match message.char_indices().nth(MESSAGE) {
        None => message.to_string(),
        Some((end, _)) => {
            let cut = &message[..end];
            format!("{} …", cut.rsplit_once(' ').map_or(cut, |(words, _)| words).trim_end())
        }
    }
}

fn looked(t: &Texts, look: Look) -> String {
    let what = match look {
        Look::Print => t.looked_print,
        Look::Text => t.looked_text,
        Look::Assert => t.looked_assert,
        Look::Plot => t.looked_plot,
        Look::Log => t.looked_log,
    };
    what.into()
}

/// As the first words of a sentence.
fn capitalized(words: &str) -> String {
    let mut characters = words.chars();
    characters.next().map_or_else(String::new, |first| first.to_uppercase().chain(characters).collect())
}

fn counted(t: &Texts, of: &Counted) -> String {
    match of {
        Counted::Copies => t.counted_copies.into(),
        Counted::BytesCopied => t.counted_bytes.into(),
        Counted::AsynchronousCopies => t.counted_asynchronous.into(),
        Counted::Waits => t.counted_waits.into(),
        Counted::PeakBytes { device } => t.counted_peak(device),
        Counted::Kernels { device: None } => t.counted_kernels.into(),
        Counted::Kernels { device: Some(device) } => t.counted_kernels_on(device),
        Counted::Loops => t.counted_loops.into(),
        Counted::Readings => t.counted_readings.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::texts::t;

    #[test]
    fn a_long_message_is_cut_between_words() {
        // The message of an out-of-memory error used to be on the screen twice.
        let message = format!("CUDA out of memory. {}", "Tried to allocate 20.00 MiB. ".repeat(20));
        let said = sentence(t(), &Finding::Error { class: "torch.OutOfMemoryError".into(), message });
        assert!(
            said.starts_with("It ended with torch.OutOfMemoryError: CUDA out of memory. Tried") && said.ends_with(" …")
        );
        assert!(said.chars().count() < 200, "{said}");
        assert_eq!(short("'a'"), "'a'");
        assert!(short(&"é".repeat(500)).chars().count() <= MESSAGE + 2);
    }
}
