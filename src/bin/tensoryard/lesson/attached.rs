//! The files that come with a lesson: in the folder `files` next to it.

use std::path::{Path, PathBuf};

use tensoryard::lesson::Lesson;

use super::files::home_of;

/// The folder of files, next to the lessons.
pub const FOLDER: &str = "files";

/// Bytes of one file, and of all files of a lesson: a learner's page fetches them all.
const MAX_BYTES: usize = 1 << 20;
const MAX_SUM: usize = 4 << 20;

/// The content of a lesson's files.
#[derive(Default)]
pub struct Attached {
    /// What programs can open, by name.
    pub files: Vec<(String, Vec<u8>)>,
    /// What is published: also the images for a dark page.
    pub published: Vec<String>,
}

/// Reads the files of the lesson in `path`. The second value says what is wrong with them.
pub fn read(lesson: &Lesson, path: &Path) -> (Attached, Vec<String>) {
    let (mut attached, mut faults) = (Attached::default(), Vec::new());
    let mut sum = 0;
    for file in &lesson.files {
        for (name, given) in [(Some(&file.name), true), (file.dark.as_ref(), false)] {
            let Some(name) = name else { continue };
            let place = place(path, name);
            let content = match content(&place) {
                Ok(content) => content,
                Err(why) => {
                    faults.push(format!("{}: {why}", place.display()));
                    continue;
                }
            };
            if let Some(active) = active(name, &content) {
                let place = place.display();
                faults.push(format!("{place}: has `{active}`; an SVG that does more than draw is not published"));
            }
            sum += content.len();
            attached.published.push(name.clone());
            if given {
                attached.files.push((name.clone(), content));
            }
        }
    }
    if sum > MAX_SUM {
        faults.push(format!("the files of this lesson have {sum} bytes together; at most {MAX_SUM}"));
    }
    (attached, faults)
}

/// Where a file of the lesson in `path` is.
pub fn place(path: &Path, name: &str) -> PathBuf {
    home_of(path).join(FOLDER).join(name)
}

/// What an SVG holds that isn't a drawing. The page shows it as an image, which runs nothing, but its address can be opened as
/// a page of its own.
fn active(name: &str, content: &[u8]) -> Option<&'static str> {
    if !name.to_ascii_lowercase().ends_with(".svg") {
        return None;
    }
    let text = String::from_utf8_lossy(content).to_lowercase();
    let handler = || {
        let mut words =
            text.split(|c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '/')).filter(|word| !word.is_empty());
        words.any(|word| {
            word.split_once('=').is_some_and(|(key, _)| key.strip_prefix("on").is_some_and(|rest| rest.len() > 2))
        })
    };
    ["<script", "<foreignobject", "<iframe", "javascript:", "<!entity", "<?xml-stylesheet", "data:text"]
        .into_iter()
        .find(|active| text.contains(active))
        .or_else(|| handler().then_some("on…="))
}

/// A lesson may come from a stranger, so a link isn't followed: it may lead to any file of this machine.
fn content(place: &Path) -> Result<Vec<u8>, String> {
    let is_link = |path: &Path| std::fs::symlink_metadata(path).is_ok_and(|of| of.file_type().is_symlink());
    if is_link(place) || place.parent().is_some_and(is_link) {
        return Err("is a link, which is not followed".into());
    }
    let of = std::fs::metadata(place).map_err(|error| error.to_string())?;
    if !of.is_file() {
        return Err("is no file".into());
    }
    if of.len() > MAX_BYTES as u64 {
        return Err(format!("has {} bytes; a lesson's file has at most {MAX_BYTES}", of.len()));
    }
    std::fs::read(place).map_err(|error| error.to_string())
}
