//! Finds lesson files from the paths given to a command: lessons, and their translations in folders next to them
//! (`de/`).

use std::path::{Path, PathBuf};

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
            let files = in_folder(path)?;
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
            for (language, folder) in languages(folder_of(&path))? {
                let translated = folder.join(path.file_name().unwrap_or_default());
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
        for (language, inner) in languages(folder)? {
            for path in in_folder(&inner)? {
                let original = folder.join(path.file_name().unwrap_or_default());
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
        let folder = folder_of(path).canonicalize().ok()?;
        let language = folder.file_name()?.to_str().filter(|name| is_language(name))?.to_string();
        let above = match folder_of(path).parent() {
            Some(above) if !above.as_os_str().is_empty() => above.to_path_buf(),
            _ => folder_of(path).join(".."),
        };
        let original = above.join(path.file_name()?);
        original.is_file().then(|| Translation { path: path.to_path_buf(), original, language })
    }
}

/// The folder that a file is in.
pub fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
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
