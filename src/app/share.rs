//! Links that carry a program or progress in the address's fragment, which no browser sends to a server.
//!
//! `#/s/` is followed by [`Shared`], and `#/p/` by a [`Backup`]: as JSON, compressed with raw deflate, encoded as base64url.
//! A link can come from anyone, so every step of reading one is bounded. Its program is only ever shown in the editor, and
//! its progress is added only if the learner agrees.

use miniz_oxide::deflate::compress_to_vec;
use miniz_oxide::inflate::decompress_to_vec_with_limit;
use serde::{Deserialize, Serialize};

use super::progress::Backup;
use super::route::is_id;
use crate::base64url;
use crate::lesson::Lesson;

/// The version of the links' format.
const VERSION: u32 = 1;
/// The most characters that a fragment may have. A longer one is refused without being decoded.
const LINK: usize = 200_000;
/// The most bytes that a link may unpack to.
const UNPACKED: usize = 256 << 10;

/// What a link carries.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Shared {
    pub v: u32,
    pub code: String,
    /// Name of the machine's preset.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub machine: Option<String>,
    /// The lesson that the program belongs to, and its step.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lesson: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub step: Option<String>,
}

/// Why a link can't be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unreadable {
    TooLong,
    /// This page didn't write it, or it was cut off.
    Damaged,
    /// It unpacks to more bytes than a program may have.
    TooLarge,
    /// A later version of the page wrote it.
    Newer,
}

/// Returns the part of the fragment after `#/s/`.
pub fn pack(code: &str, machine: Option<String>, lesson: Option<(String, String)>) -> String {
    let (lesson, step) = lesson.map_or((None, None), |(lesson, step)| (Some(lesson), Some(step)));
    let shared = Shared { v: VERSION, code: code.to_string(), machine, lesson, step };
    squeeze(&serde_json::to_vec(&shared).unwrap_or_default())
}

/// Returns the part of the fragment after `#/p/`: progress without the programs.
pub fn pack_progress(progress: &Backup) -> String {
    squeeze(&serde_json::to_vec(progress).unwrap_or_default())
}

/// Reads the part after `#/p/`. A link that was made before any lesson was begun has no progress in it, and is valid.
///
/// # Errors
/// Anything that [`pack_progress`] doesn't write, and anything that holds programs.
pub fn unpack_progress(text: &str) -> Result<Backup, Unreadable> {
    let backup = Backup::parse(&unsqueeze(text)?).ok_or(Unreadable::Damaged)?;
    if backup.progress().count() < backup.kept.len() {
        return Err(Unreadable::Damaged);
    }
    Ok(backup)
}

fn squeeze(json: &[u8]) -> String {
    base64url::encode(&compress_to_vec(json, 9))
}

fn unsqueeze(text: &str) -> Result<Vec<u8>, Unreadable> {
    if text.len() > LINK {
        return Err(Unreadable::TooLong);
    }
    let bytes = base64url::decode(text).ok_or(Unreadable::Damaged)?;
    decompress_to_vec_with_limit(&bytes, UNPACKED).map_err(|e| match e.status {
        miniz_oxide::inflate::TINFLStatus::HasMoreOutput => Unreadable::TooLarge,
        _ => Unreadable::Damaged,
    })
}

/// Reads the part after `#/s/`.
///
/// # Errors
/// Anything that [`pack`] doesn't write.
pub fn unpack(text: &str) -> Result<Shared, Unreadable> {
    let json = unsqueeze(text)?;
    let version: Version = serde_json::from_slice(&json).map_err(|_| Unreadable::Damaged)?;
    if version.v > VERSION {
        return Err(Unreadable::Newer);
    }
    let shared: Shared = serde_json::from_slice(&json).map_err(|_| Unreadable::Damaged)?;
    let word = |s: &Option<String>| s.as_deref().is_none_or(is_id);
    let machine = shared.machine.as_deref().is_none_or(|m| crate::machine::Machine::PRESETS.contains(&m));
    if !word(&shared.lesson) || !word(&shared.step) || !machine {
        return Err(Unreadable::Damaged);
    }
    Ok(shared)
}

/// Whether a link names a lesson; an unreadable one doesn't.
pub fn names_lesson(text: &str) -> bool {
    unpack(text).is_ok_and(|shared| shared.lesson.is_some())
}

impl Shared {
    /// The index of the lesson's step that the program belongs to. `None` if the lesson has no such step, or if that step has no
    /// program.
    pub fn place(&self, lesson: &Lesson) -> Option<usize> {
        let named = self.lesson.as_ref() == Some(&lesson.id);
        lesson.steps.iter().position(|step| named && step.exercise.is_some() && Some(&step.id) == self.step.as_ref())
    }
}

#[derive(Deserialize)]
struct Version {
    v: u32,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::progress::Progress;

    #[test]
    fn a_program_comes_back_as_it_was() {
        let code = "import torch\nx = torch.ones(3, device=\"cuda\")  # größer\nprint(x)\n".repeat(20);
        let text = pack(&code, Some("cuda:2".into()), Some(("same-device-rule".into(), "two-tensors".into())));
        assert!(text.len() < code.len() / 4, "{} characters of {}", text.len(), code.len());
        let shared = unpack(&text).unwrap();
        assert_eq!((shared.code, shared.machine.as_deref()), (code, Some("cuda:2")));
        assert_eq!((shared.lesson.as_deref(), shared.step.as_deref()), (Some("same-device-rule"), Some("two-tensors")));
        for length in 0..40 {
            let code: String = "ab".repeat(length);
            assert_eq!(unpack(&pack(&code, None, None)).unwrap().code, code);
        }
    }

    #[test]
    fn progress_travels_in_a_link_and_nothing_else_does() {
        let done = Progress { steps: 3, done: vec!["one".into(), "two".into()], at: 2, ..Progress::default() };
        let kept = [("progress.same-device-rule".to_string(), done.text()), ("code.a".to_string(), "x".to_string())];
        let text = pack_progress(&Backup::of_progress(kept.clone()));
        let read = unpack_progress(&text).unwrap();
        assert_eq!(read.progress().collect::<Vec<_>>(), [("same-device-rule".to_string(), done)]);
        assert_eq!(unpack_progress(&pack_progress(&Backup::new(kept))), Err(Unreadable::Damaged));
        let nothing = Backup::of_progress([]);
        assert_eq!(unpack_progress(&pack_progress(&nothing)), Ok(nothing));
        assert_eq!(unpack_progress(&text[..text.len() / 2]), Err(Unreadable::Damaged));
        assert_eq!(unpack_progress(&pack("x", None, None)), Err(Unreadable::Damaged));
        let bomb = base64url::encode(&compress_to_vec(&vec![b' '; 64 << 20], 9));
        assert_eq!(unpack_progress(&bomb), Err(Unreadable::TooLarge));
    }

    /// People keep links for years. These were written by the first version.
    #[test]
    fn old_links_still_open() {
        let program = Shared { v: 1, code: "print(1)\n".into(), ..Shared::default() };
        let two_gpus = Shared { machine: Some("cuda:2".into()), ..program.clone() };
        let in_lesson = Shared {
            machine: Some("cuda:1".into()),
            lesson: Some("same-device-rule".into()),
            step: Some("two-tensors".into()),
            ..program.clone()
        };
        for (text, wanted) in [
            ("q1YqU7Iy1FFKzk9JVbJSKijKzCvRMNSMyVOqBQA", program),
            ("q1YqU7Iy1FFKzk9JVbJSKijKzCvRMNSMyVPSUcpNTM7IzAMJJ5emJFoZKdUCAA", two_gpus),
            (
                "FckxDoAgDADAv3TSBAZW3uJCShNJpCUUcDD-3brePbAgBgcomSBC64XHFvaDwUFNeBb-GWdOMRhdpCpsoqmSz7QKku_zIjsd1GzGLX4Qq3SF9wM",
                in_lesson,
            ),
        ] {
            assert_eq!(names_lesson(text), wanted.lesson.is_some());
            assert_eq!(unpack(text), Ok(wanted));
        }
    }

    /// A link finds its step by id, because steps may be inserted later.
    #[test]
    fn a_link_from_a_lesson_finds_its_step_or_says_that_there_is_none() {
        let exercise = "```python starter\nx = 1\n```\n\n```check\n- kind: no_error\n  label: It runs.\n```\n\n\
                        ```hint\nRun it.\n```\n\n```python solution\nx = 2\n```\n";
        let text = format!(
            "---\nformat: 1\nid: small\ntitle: Small\nminutes: 3\nmachine: cuda:1\n---\n\nWords.\n\n## To read\n\nText.\n\n\
             ## To do\n\n{exercise}\n## To do again\n\n{exercise}"
        );
        let lesson = Lesson::parse(&text, "small.md").expect("a lesson");
        let place = |id: &str, step: &str| {
            let link = pack("mine\n", None, Some((id.into(), step.into())));
            assert!(names_lesson(&link));
            unpack(&link).expect("our own link").place(&lesson)
        };
        assert_eq!([place("small", "to-do"), place("small", "to-do-again")], [Some(1), Some(2)]);
        for (id, step) in [("small", "to-read"), ("small", "gone"), ("other", "to-do")] {
            assert_eq!(place(id, step), None, "{id} {step}");
        }
        assert_eq!(unpack(&pack("mine\n", None, None)).expect("our own link").place(&lesson), None);
    }

    fn packed(json: &str) -> String {
        base64url::encode(&compress_to_vec(json.as_bytes(), 9))
    }

    #[test]
    fn a_link_that_unpacks_without_end_is_refused() {
        let bomb = base64url::encode(&compress_to_vec(&vec![b' '; 64 << 20], 9));
        assert!(bomb.len() < LINK, "{}", bomb.len());
        assert_eq!(unpack(&bomb), Err(Unreadable::TooLarge));
        assert_eq!(unpack(&"A".repeat(LINK + 1)), Err(Unreadable::TooLong));
    }

    #[test]
    fn everything_else_is_damage_and_not_a_panic() {
        let whole = pack("print(1)\n", None, None);
        for cut in 0..whole.len() {
            assert_eq!(unpack(&whole[..cut]), Err(Unreadable::Damaged), "{cut}");
        }
        for text in ["!", "%3Cscript%3E", "A", "ä", "AAAA", "____"] {
            assert!(unpack(text).is_err(), "{text}");
        }
        for json in [
            "{}",
            "[]",
            "{\"v\":1}",
            "{\"v\":1,\"code\":3}",
            "{\"v\":1,\"code\":\"\",\"more\":1}",
            "{\"v\":1,\"code\":\"\",\"lesson\":\"../x\"}",
            "{\"v\":1,\"code\":\"\",\"machine\":\"<b>\"}",
        ] {
            assert_eq!(unpack(&packed(json)), Err(Unreadable::Damaged), "{json}");
        }
        assert_eq!(unpack(&packed("{\"v\":2,\"anything\":1}")), Err(Unreadable::Newer));
    }
}
