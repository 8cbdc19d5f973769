//! `tensoryard lesson translate`: begins the translation of a lesson, brings it up to date with its original, and says what is
//! still to be translated.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use tensoryard::language::is_code;
use tensoryard::lesson::translation::{Draft, Form, draft};

use super::check::GLOSSARY;
use super::publish::write;
use super::{files, words};

#[derive(Args)]
pub struct TranslateArgs {
    /// A lesson or a glossary, in the original language; or a folder of lessons, to see what is left of the whole course.
    path: PathBuf,
    /// The language, by its code of two letters, such as es.
    language: String,
    /// With a folder: begins or updates the translation of everything in it, and of the page's own texts.
    #[arg(long)]
    all: bool,
}

/// A file to translate.
struct Work {
    original: PathBuf,
    translation: PathBuf,
    form: Form,
}

pub fn translate(args: &TranslateArgs) -> Result<ExitCode, String> {
    let language = args.language.as_str();
    if !is_code(language) {
        return Err(format!("'{language}' is no code of a language: two lower-case letters, such as es"));
    }
    if args.path.is_dir() {
        return course(&args.path, language, args.all);
    }
    let work = Work::of(&args.path, language)?;
    let state = work.write(language)?;
    for left in &state.left {
        let note = if left.short { "  (may stay if it's the same)" } else { "" };
        println!("{}:{}: {}{note}", work.translation.display(), left.line, cut(&left.text));
    }
    println!("{}: {}", work.translation.display(), said(&state));
    Ok(ExitCode::SUCCESS)
}

/// What is left of every lesson of a folder, of its glossary and of the page.
fn course(folder: &Path, language: &str, all: bool) -> Result<ExitCode, String> {
    if folder.file_name().and_then(|name| name.to_str()).is_some_and(|name| name == language) {
        return Err(format!("{}: name the folder of the originals", folder.display()));
    }
    let glossary = folder.join(GLOSSARY);
    let mut works = files::in_folder(folder)?;
    for track in files::tracks(folder) {
        works.extend(files::in_folder(&track)?);
    }
    works.extend(glossary.is_file().then_some(glossary));
    let (mut texts, mut left) = (0, 0);
    let mut add = |name: &Path, all: usize, open: usize, note: &str| {
        texts += all;
        left += open;
        println!("{}: {open} of {all} texts left{note}", name.display());
    };
    for original in works {
        let work = Work::of(&original, language)?;
        let begun = work.translation.is_file();
        let state = if all { work.write(language)? } else { work.state(language)? };
        let note = if begun || all { "" } else { " (not begun)" };
        add(&work.translation, state.texts, state.left.len(), note);
    }
    if !words::is_compiled(language) {
        let path = files::home_of(&folder.join(words::FILE)).join(language).join(words::FILE);
        let known = words::read(&path, language).map_err(|faults| faults.join("\n"))?;
        let english = words::english();
        let open = english.iter().filter(|text| known.get(**text).is_none_or(|own| own == **text)).count();
        let begun = path.is_file();
        for text in known.keys().filter(|text| all && !english.contains(&text.as_str())) {
            println!("{}: the page no longer says: {}", path.display(), cut(text));
        }
        if all {
            write_if_changed(&path, &words::written(language, &known))?;
        }
        add(&path, english.len(), open, if begun || all { "" } else { " (not begun)" });
    }
    println!("{}: {left} of {texts} texts left in {language}", folder.display());
    Ok(ExitCode::SUCCESS)
}

impl Work {
    fn of(original: &Path, language: &str) -> Result<Work, String> {
        let name = original.file_name().ok_or_else(|| format!("{}: no file", original.display()))?;
        let form = match original.extension().and_then(|extension| extension.to_str()) {
            Some("md") => Form::Lesson,
            _ if name == GLOSSARY => Form::Glossary,
            _ => {
                let path = original.display();
                return Err(format!(
                    "{path}: neither a lesson (*.md) nor a glossary ({GLOSSARY}) nor a folder of them"
                ));
            }
        };
        let folder = files::home_of(original);
        if folder.file_name().is_some_and(|folder| folder == language) && !folder.join(language).is_dir() {
            return Err(format!("{}: this is the translation; name its original", original.display()));
        }
        let translation = folder.join(language).join(files::name_of(original));
        Ok(Work { original: original.to_path_buf(), translation, form })
    }

    /// The translation as it would be up to date, and what is left of it.
    fn state(&self, language: &str) -> Result<Draft, String> {
        let (_, original) = files::read(&self.original)?;
        let begun = match self.translation.is_file() {
            true => Some(files::read(&self.translation)?.1),
            false => None,
        };
        Ok(draft(&original, begun.as_deref(), language, self.form))
    }

    /// Writes the translation, if it changes.
    fn write(&self, language: &str) -> Result<Draft, String> {
        let begun = self.translation.is_file();
        let state = self.state(language)?;
        let path = self.translation.display();
        write_if_changed(&self.translation, &state.text)?;
        if begun && state.added > 0 {
            println!("{path}: {} added, because the original has gained them", texts(state.added));
        }
        for text in &state.removed {
            println!("{path}: taken out, because nothing in the original corresponds to it: {text}");
        }
        Ok(state)
    }
}

/// A file that would stay the same isn't touched, so that editors and version control see no change.
fn write_if_changed(path: &Path, text: &str) -> Result<(), String> {
    if std::fs::read_to_string(path).is_ok_and(|old| old == text) {
        return Ok(());
    }
    write(path, text)
}

fn said(state: &Draft) -> String {
    let short = state.left.iter().filter(|left| left.short).count();
    let note =
        if short == 0 { String::new() } else { format!(" ({short} of them short: they may be right as they are)") };
    match state.left.len() {
        0 => format!("all {} texts are translated", state.texts),
        left => format!("{left} of {} texts left{note}", state.texts),
    }
}

fn texts(count: usize) -> String {
    if count == 1 { "1 text".into() } else { format!("{count} texts") }
}

/// A line for a terminal.
fn cut(text: &str) -> String {
    const MOST: usize = 90;
    match text.char_indices().nth(MOST) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_string(),
    }
}
