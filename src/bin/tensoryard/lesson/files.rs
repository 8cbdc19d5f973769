//! Finds lesson files from the paths given to a command: lessons, those of tracks in folders next to them (`debug/`), and the
//! translations of both (`de/`, `de/debug/`).

use std::path::{Path, PathBuf};

use tensoryard::lesson::Track;
use tensoryard::lesson::translation::is_language;

/// The files that the paths name.
#[derive(Default)]
pub struct Found {
    pub lessons: Vec<PathBuf>,
    pub translations: Vec<Translation>,
}

/// A lesson in another language.
pub struct Translation {
    pub path: PathBuf,
    pub original: PathBuf,
    /// The name of its folder.
    pub language: String,
}

/// The named files, and those of folders in the order of their names. Each lesson comes with its translations.
///
/// # Errors
/// A sentence: a folder has no lesson, or a translation's lesson doesn't exist.
pub fn find(paths: &[PathBuf]) -> Result<Found, String> {
    let mut found = Found::default();
    for path in paths {
        if path.is_dir() {
            let mut files = in_folder(path)?;
            for folder in tracks(path) {
                files.extend(in_folder(&folder)?);
            }
            if files.is_empty() {
                return Err(format!("{}: no lesson file (*.md) in this folder", path.display()));
            }
            let before = found.lessons.len();
            for file in files {
                found.add(file, false)?;
            }
            if found.lessons.len() > before {
                found.translations_in(path)?;
            }
        } else {
            found.add(path.clone(), true)?;
        }
    }
    Ok(found)
}

impl Found {
    /// Adds one file and, if they're wanted, its translations.
    fn add(&mut self, path: PathBuf, translations: bool) -> Result<(), String> {
        if let Some(translation) = Translation::of(&path) {
            self.translations.push(translation);
            return Ok(());
        }
        if translations {
            for (language, folder) in languages(&home_of(&path))? {
                let translated = folder.join(name_of(&path));
                if translated.is_file() {
                    self.translations.push(Translation { path: translated, original: path.clone(), language });
                }
            }
        }
        self.lessons.push(path);
        Ok(())
    }

    /// Adds every file in the folders of translations.
    fn translations_in(&mut self, folder: &Path) -> Result<(), String> {
        // Those of a track's folder are in the folders next to it.
        let (home, own) = match track_of(folder) {
            Some(track) => (folder.parent().unwrap_or(folder).to_path_buf(), vec![track.name()]),
            None => (folder.to_path_buf(), std::iter::once("").chain(Track::ALL.map(Track::name)).collect()),
        };
        for (language, inner) in languages(&home)? {
            let folders = own.iter().map(|name| inner.join(name)).filter(|folder| folder.is_dir());
            let files: Vec<Vec<PathBuf>> = folders.map(|folder| in_folder(&folder)).collect::<Result<_, _>>()?;
            for path in files.into_iter().flatten() {
                let original = home.join(name_of(&path));
                if !original.is_file() {
                    return Err(format!("{}: there is no {} that it translates", path.display(), original.display()));
                }
                self.translations.push(Translation { path, original, language: language.clone() });
            }
        }
        Ok(())
    }
}

impl Translation {
    /// The translation in a file, if the file is in a folder named after a language and the folder above has a file
    /// with the same name.
    fn of(path: &Path) -> Option<Translation> {
        let here = home_of(path);
        let language = here.canonicalize().ok()?.file_name()?.to_str().filter(|name| is_language(name))?.to_string();
        let above = match here.parent() {
            Some(above) if !above.as_os_str().is_empty() => above.to_path_buf(),
            _ => here.join(".."),
        };
        let original = above.join(name_of(path));
        original.is_file().then(|| Translation { path: path.to_path_buf(), original, language })
    }
}

/// The folder that a file is in.
pub fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// The track whose lessons a folder has, by its name.
fn track_of(folder: &Path) -> Option<Track> {
    Track::of(folder.file_name()?.to_str()?)
}

/// The folder of the course that a lesson belongs to: that of the files, the glossary and the translations. For a track's
/// lesson it's the one above.
pub fn home_of(path: &Path) -> PathBuf {
    let folder = folder_of(path);
    match (track_of(folder), folder.parent()) {
        (Some(_), Some(above)) if !above.as_os_str().is_empty() => above.to_path_buf(),
        (Some(_), _) => PathBuf::from("."),
        (None, _) => folder.to_path_buf(),
    }
}

/// A lesson's file name in its course: `04-name.md`, `debug/04-name.md`.
pub fn name_of(path: &Path) -> PathBuf {
    let name = PathBuf::from(path.file_name().unwrap_or_default());
    track_of(folder_of(path)).map_or(name.clone(), |track| Path::new(track.name()).join(name))
}

/// The folders of tracks in a folder of lessons.
pub fn tracks(folder: &Path) -> Vec<PathBuf> {
    Track::ALL.map(|track| folder.join(track.name())).into_iter().filter(|folder| folder.is_dir()).collect()
}

/// The folders of translations in a folder of lessons.
fn languages(folder: &Path) -> Result<Vec<(String, PathBuf)>, String> {
    let mut found: Vec<(String, PathBuf)> = entries(folder)?
        .into_iter()
        .filter_map(|path| Some((path.file_name()?.to_str().filter(|name| is_language(name))?.to_string(), path)))
        .filter(|(_, path)| path.is_dir())
        .collect();
    found.sort();
    Ok(found)
}

/// The lesson files of a folder, in the order of their names.
pub fn in_folder(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let mut files = entries(folder)?;
    files.retain(|path| path.extension().is_some_and(|extension| extension == "md"));
    files.sort();
    Ok(files)
}

fn entries(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let fault = |error: std::io::Error| format!("{}: {error}", folder.display());
    std::fs::read_dir(folder).map_err(fault)?.map(|entry| Ok(entry.map_err(fault)?.path())).collect()
}

/// A file's name for messages, and its text.
pub fn read(path: &Path) -> Result<(String, String), String> {
    let file = path.display().to_string();
    let text = std::fs::read_to_string(path).map_err(|error| format!("{file}: {error}"))?;
    Ok((file, text))
}
