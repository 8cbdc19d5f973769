//! What each rule is called, in the languages that are compiled in. The page shows these titles without the rules themselves,
//! which are a part of the engine.

use std::borrow::Cow;

use crate::language::{Language, translated};

/// A rule's title in each language that is compiled in.
#[derive(Clone, Copy, Debug)]
pub struct Title {
    pub english: &'static str,
    pub german: &'static str,
}

macro_rules! titles {
    ($($id:ident: $english:literal, $german:literal;)+) => {
        $(pub const $id: Title = Title { english: $english, german: $german };)+

        /// By the rule's name, in order.
        const ALL: &[(&str, Title)] = &[$((stringify!($id), $id),)+];

        /// Every title in English, for translators.
        #[cfg(not(target_arch = "wasm32"))]
        pub const IN_ENGLISH: &[&str] = &[$($english),+];
    };
}

titles! {
    D01: "Tensors on two devices in one operation", "Tensoren auf zwei Geräten in einer Operation";
    D02: "A model and its input on different devices", "Ein Modell und seine Eingabe auf verschiedenen Geräten";
    D03: "A convolution and its input on different devices", "Eine Faltung und ihre Eingabe auf verschiedenen Geräten";
    D04: "A copy on the GPU that nothing keeps", "Eine Kopie auf der GPU, die niemand behält";
    D05: "A model that was moved in place", "Ein Modell, das selbst verschoben wurde";
    D06: "Layers in a plain list", "Schichten in einer gewöhnlichen Liste";
    D07: "A tensor in a plain attribute of a module", "Ein Tensor in einem gewöhnlichen Attribut eines Moduls";
    D08: "A tensor born on the CPU inside `forward`", "Ein Tensor, der in `forward` auf der CPU entsteht";
    D09: "A loss with weights or targets on the CPU", "Ein Verlust mit Gewichten oder Zielen auf der CPU";
    D10: "An index on another device than its table", "Ein Index auf einem anderen Gerät als seine Tabelle";
    D11: "NumPy and a tensor on the GPU", "NumPy und ein Tensor auf der GPU";
    D12: "NumPy and a tensor that requires gradients", "NumPy und ein Tensor, der Gradienten braucht";
    D13: "A leaf that was moved after it was made", "Ein Blatt, das erst erzeugt und dann verschoben wurde";
    D14: "An optimizer whose state stayed behind", "Ein Optimizer, dessen Zustand zurückblieb";
    D15: "A GPU's checkpoint on a machine without one", "Der Checkpoint einer GPU auf einer Maschine ohne GPU";
    D16: "A checkpoint from a machine with more GPUs", "Ein Checkpoint von einer Maschine mit mehr GPUs";
    D17: "A program that needs a GPU, on a machine without one", "Ein Programm, das eine GPU braucht, auf einer Maschine ohne GPU";
    D18: "A device that doesn't exist", "Ein Gerät, das es nicht gibt";
    D19: "A device comparison that is always false", "Ein Vergleich von Geräten, der immer falsch ist";
    D20: "Out of memory", "Kein Speicher mehr";
    D21: "Graphs that pile up", "Graphen, die sich ansammeln";
    D22: "Memory that `del` didn't free", "Speicher, den `del` nicht freigab";
    D23: "Waiting for the GPU too little, or too often", "Zu wenig oder zu oft auf die GPU gewartet";
    D24: "Pinned memory and copies that don't wait", "Seitenfester Speicher und Kopien, die nicht warten";
    D25: "CUDA in a `DataLoader` worker", "CUDA in einem Worker eines `DataLoader`";
    D26: "`DataParallel` and where its module is", "`DataParallel` und der Ort seines Moduls";
    D27: "Distributed training that isn't set up", "Verteiltes Training, das nicht eingerichtet ist";
    D28: "A generator of another device", "Ein Generator eines anderen Geräts";
    D29: "A device-side assert", "Ein Device-side Assert";
    D30: "`torch.FloatTensor` with a device", "`torch.FloatTensor` mit einem Gerät";
}

/// The title of a rule such as `D01`, in English if nobody translated it; `None` if there's no such rule.
pub fn title(rule: &str, language: Language) -> Option<Cow<'static, str>> {
    let (_, title) = ALL.iter().find(|(id, _)| *id == rule)?;
    Some(match language {
        Language::English => title.english.into(),
        Language::German => title.german.into(),
        Language::Other(code) => translated(code, title.english).map_or(title.english.into(), Cow::Owned),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::{learn, offer};

    #[test]
    fn every_rule_has_a_title_in_every_language() {
        for (rule, Title { english, german }) in ALL {
            assert!(!english.is_empty() && !german.is_empty(), "{rule} has no title");
            assert!(english != german, "{rule}'s title is not translated");
            assert_eq!(title(rule, Language::German).as_deref(), Some(*german));
        }
        assert_eq!(title("D00", Language::English), None);
    }

    #[test]
    fn a_title_follows_a_language_that_is_data() {
        offer(["es"]);
        let spanish = Language::of("es").unwrap();
        assert_eq!(title("D20", spanish).as_deref(), Some(D20.english));
        learn("es", [(D20.english.to_string(), "Sin memoria".to_string())].into());
        assert_eq!(title("D20", spanish).as_deref(), Some("Sin memoria"));
    }
}
