//! What lessons have in common: ids, links, the glossary, the panels that a course opens, and the order of a track.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::path::{Path, PathBuf};

use tensoryard::lesson::glossary::{self, Glossary};
use tensoryard::lesson::{Fault, Lesson, Panel, Sight, Track};

use super::Read;
use crate::lesson::files;

/// Finds ids that two lessons share, and links to lessons that don't exist. A single file may link to lessons next to
/// it.
pub fn between(lessons: &[Read], files: &[PathBuf]) -> Result<Vec<Fault>, String> {
    let mut faults = Vec::new();
    let mut ids: BTreeMap<String, String> = BTreeMap::new();
    for read in lessons {
        let id = &read.lesson.id;
        match ids.get(id) {
            Some(other) => faults.push(read.fault("id:", format!("the id '{id}' is also that of {other}"))),
            None => {
                ids.insert(id.clone(), read.file.clone());
            }
        }
    }
    let mut known: HashSet<String> = ids.into_keys().collect();
    let homes: BTreeSet<PathBuf> = files.iter().map(|file| files::home_of(file)).collect();
    let folders = homes.into_iter().flat_map(|home| {
        let tracks = files::tracks(&home);
        std::iter::once(home).chain(tracks)
    });
    for folder in folders {
        for path in files::in_folder(&folder)? {
            let text = std::fs::read_to_string(&path).unwrap_or_default();
            let id = text.lines().take_while(|line| !line.starts_with('#')).find_map(|line| line.strip_prefix("id:"));
            known.extend(id.map(|id| id.trim().to_string()));
        }
    }
    for read in lessons {
        for (id, line) in read.lesson.links.iter().filter(|(id, _)| !known.contains(id)) {
            faults.push(Fault { file: read.file.clone(), line: *line, message: format!("there is no lesson '{id}'") });
        }
        for id in read.lesson.requires.iter().filter(|id| !known.contains(*id)) {
            faults.push(read.fault("requires:", format!("there is no lesson '{id}'")));
        }
    }
    Ok(faults)
}

/// Finds lessons of a track that are in another folder than the track's, and those that are easier than the one before them.
pub fn tracks(lessons: &[Read]) -> Vec<Fault> {
    let mut faults = Vec::new();
    let mut before: BTreeMap<(PathBuf, Track), (u32, &str)> = BTreeMap::new();
    for read in lessons {
        let folder = files::folder_of(&read.path);
        let expected = folder.file_name().and_then(|name| Track::of(name.to_str()?));
        if let Some(expected) = expected.filter(|expected| read.lesson.track != Some(*expected)) {
            let name = expected.name();
            faults.push(read.fault("track:", format!("a lesson in the folder {name} says `track: {name}`")));
            continue;
        }
        let (Some(track), Some(level)) = (read.lesson.track, read.lesson.level) else { continue };
        let (highest, other) = before.entry((folder.to_path_buf(), track)).or_insert((level, read.file.as_str()));
        if level < *highest {
            let message =
                format!("level {level} comes after level {highest} ({other}): the names of the files give the order");
            faults.push(read.fault("level:", message));
        } else {
            (*highest, *other) = (level, read.file.as_str());
        }
    }
    faults
}

/// The glossary of a folder of lessons.
pub const GLOSSARY: &str = "glossary.yaml";

/// Finds words that no glossary explains: neither the one next to the lesson nor the `more` that were named.
pub fn terms(lessons: &[Read], more: &[PathBuf]) -> Result<Vec<Fault>, String> {
    let mut faults = Vec::new();
    let mut known: BTreeMap<PathBuf, HashSet<String>> = BTreeMap::new();
    let mut named = HashSet::new();
    for path in more {
        named.extend(read(path, &mut faults)?.into_iter().map(|(term, _)| term));
    }
    for lesson in lessons.iter().filter(|read| read.lesson.format > 1) {
        let path = files::home_of(&lesson.path).join(GLOSSARY);
        if !known.contains_key(&path) {
            let terms = if path.is_file() { read(&path, &mut faults)? } else { Glossary::new() };
            known.insert(path.clone(), terms.into_iter().map(|(term, _)| term).collect());
        }
        for (term, line) in &lesson.lesson.terms {
            if !named.contains(term) && !known[&path].contains(term) {
                let message =
                    format!("the word '{term}' is not in {}: add it there, with one sentence", path.display());
                faults.push(Fault { file: lesson.file.clone(), line: *line, message });
            }
        }
    }
    Ok(faults)
}

fn read(path: &Path, faults: &mut Vec<Fault>) -> Result<Glossary, String> {
    let (file, text) = files::read(path)?;
    Ok(glossary::parse(&text, &file).unwrap_or_else(|found| {
        faults.extend(found);
        Glossary::new()
    }))
}

/// A folder with this many lessons of format 2 is a course, in which every panel has its place.
const COURSE: usize = 10;

/// How many lessons of a course open each panel.
const OPENED: usize = 3;

/// Finds panels that a course hardly opens.
pub fn panels(lessons: &[Read], paths: &[PathBuf]) -> Vec<Fault> {
    let mut faults = Vec::new();
    for folder in paths.iter().filter(|path| path.is_dir()) {
        let course: Vec<&Lesson> = lessons
            .iter()
            .filter(|read| {
                files::folder_of(&read.path) == folder && read.lesson.format > 1 && read.lesson.track.is_none()
            })
            .map(|read| &read.lesson)
            .collect();
        if course.len() < COURSE {
            continue;
        }
        for panel in Panel::ALL {
            let opens = |lesson: &&&Lesson| sights(lesson).any(|sight| sight.panel == Some(panel));
            let ids: BTreeSet<&str> = course.iter().filter(opens).map(|lesson| lesson.id.as_str()).collect();
            if ids.len() < OPENED {
                let message = format!(
                    "the panel '{}' is opened by {} lessons of this course; {OPENED} or more should: `panel={0}` after `python \
                     look` or `python starter`",
                    panel.name(),
                    ids.len()
                );
                faults.push(Fault { file: folder.display().to_string(), line: 1, message });
            }
        }
    }
    faults
}

fn sights(lesson: &Lesson) -> impl Iterator<Item = &Sight> {
    lesson.steps.iter().flat_map(|step| {
        let look = step.look.as_ref().map(|look| &look.sight);
        look.into_iter().chain(step.exercise.as_ref().map(|exercise| &exercise.sight))
    })
}
