//! Lessons as the page finds them: the list, the files, and a poster for each. `www/lessons.mjs` does the same for the
//! lessons of this site.

use std::path::{Path, PathBuf};

use serde_json::{Map, Value, json};
use tensoryard::engine::Engine;
use tensoryard::lesson::prose::{self, Block};
use tensoryard::lesson::translation::{self, Written};
use tensoryard::lesson::{Fault, Lesson};

use super::check;
use super::files::{self, Found};

/// Characters of output on a poster.
const POSTER: usize = 4000;

/// A lesson to publish, with its translations.
pub struct Published {
    /// Its name beside the list, `04-name.md`.
    pub name: String,
    pub path: PathBuf,
    pub lesson: Lesson,
    pub translations: Vec<Translated>,
}

pub struct Translated {
    pub language: String,
    pub path: PathBuf,
    pub lesson: Lesson,
}

/// Reads lessons and their translations.
///
/// # Errors
/// Everything that is wrong with them, a line each; or two that cannot be told apart.
pub fn read(paths: &[PathBuf]) -> Result<Vec<Published>, String> {
    let Found { lessons, translations } = files::find(paths)?;
    let said = |faults: Vec<Fault>| faults.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n");
    let mut out: Vec<Published> = Vec::new();
    for path in lessons {
        let (file, text) = files::read(&path)?;
        let lesson = Lesson::parse(&text, &file).map_err(said)?;
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default().to_string();
        if let Some(other) = out.iter().find(|other| other.lesson.id == lesson.id || other.name == name) {
            return Err(format!("{file}: its name or its id is also that of {}", other.path.display()));
        }
        let mut translated = Vec::new();
        for translation in translations.iter().filter(|translation| translation.original == path) {
            let (own, words) = files::read(&translation.path)?;
            let written = |file, text| Written { file, text };
            let faults = translation::faults(written(&file, &text), written(&own, &words), &translation.language);
            if !faults.is_empty() {
                return Err(said(faults));
            }
            let lesson = lesson.in_words_of(&Lesson::parse(&words, &own).map_err(said)?)?;
            let (language, path) = (translation.language.clone(), translation.path.clone());
            translated.push(Translated { language, path, lesson });
        }
        out.push(Published { name, path, lesson, translations: translated });
    }
    if out.is_empty() {
        return Err("there is no lesson, only translations: name their originals".into());
    }
    Ok(out)
}

impl Published {
    pub fn language(&self) -> &str {
        self.lesson.lang.as_deref().unwrap_or("en")
    }

    /// Every text of a kind, by language; its own first.
    pub fn in_languages(&self, of: impl Fn(&Lesson) -> String) -> Vec<(&str, String)> {
        let own = (self.language(), of(&self.lesson));
        let others = self.translations.iter().map(|t| (t.language.as_str(), of(&t.lesson)));
        std::iter::once(own).chain(others).collect()
    }

    fn titles(&self) -> Value {
        let titles = self.translations.iter().map(|t| (t.language.clone(), Value::from(t.lesson.title.clone())));
        Value::Object(titles.collect::<Map<_, _>>())
    }

    /// Its entry in the list of lessons.
    pub fn entry(&self) -> Value {
        let Lesson { id, title, minutes, .. } = &self.lesson;
        json!({ "id": id, "file": self.name, "title": title, "minutes": minutes, "titles": self.titles() })
    }

    /// What the poster shows before the lesson is started; runs the first program.
    pub fn poster(&self) -> Value {
        let first = self.lesson.steps.iter().find_map(|step| step.exercise.as_ref());
        let code = first.map(|exercise| exercise.starter.code.clone()).unwrap_or_default();
        let output = if code.is_empty() { String::new() } else { self.printed(&code) };
        let Lesson { title, origins, .. } = &self.lesson;
        json!({ "title": title, "titles": self.titles(), "origins": origins, "code": code, "output": output })
    }

    /// What a program prints, and the first line of its error.
    fn printed(&self, code: &str) -> String {
        let ran = check::run(code, &[], Engine::on_cpu(self.lesson.machine.clone()));
        let error = ran.raised.as_deref().and_then(|text| text.lines().next()).unwrap_or_default();
        let text = format!("{}{error}", ran.stdout);
        text.trim_end().chars().take(POSTER).collect()
    }

    /// Writes the lesson's files and its poster into the folder of lessons.
    pub fn write(&self, folder: &Path) -> Result<(), String> {
        let copy = |from: &Path, to: PathBuf| {
            let made = to.parent().map_or(Ok(()), std::fs::create_dir_all);
            made.and_then(|()| std::fs::copy(from, &to)).map_err(|error| format!("{}: {error}", to.display()))
        };
        copy(&self.path, folder.join(&self.name))?;
        for translation in &self.translations {
            copy(&translation.path, folder.join(&translation.language).join(&self.name))?;
        }
        write(&folder.join("posters").join(format!("{}.json", self.lesson.id)), self.poster().to_string())
    }
}

/// The list of lessons.
pub fn index(lessons: &[Published]) -> Value {
    lessons.iter().map(Published::entry).collect()
}

/// The first sentences of a lesson, as plain text; its title if it has none.
pub fn summary(lesson: &Lesson) -> String {
    let first = lesson.introduction.iter().find_map(|block| match block {
        Block::Paragraph(content) => Some(prose::plain(content)),
        _ => None,
    });
    first.filter(|text| !text.trim().is_empty()).unwrap_or_else(|| lesson.title.clone())
}

/// Writes a file, and the folders on the way.
pub fn write(path: &Path, content: impl AsRef<[u8]>) -> Result<(), String> {
    let made = path.parent().map_or(Ok(()), std::fs::create_dir_all);
    made.and_then(|()| std::fs::write(path, content)).map_err(|error| format!("{}: {error}", path.display()))
}
