//! `tensoryard lesson publish`: lessons in the form that the page needs, which is the list, the files, and a poster for each.
//! The lessons of this site, those that authors pack and those that they preview are all made here.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use serde_json::{Map, Value, json};
use tensoryard::engine::Engine;
use tensoryard::lesson::prose::{self, Block};
use tensoryard::lesson::translation::{self, Written};
use tensoryard::lesson::{Fault, Lesson};

use super::check;
use super::files::{self, Found};

/// The most characters of output on a poster.
const POSTER: usize = 4000;

#[derive(Args)]
pub struct PublishArgs {
    /// The folder of lessons.
    folder: PathBuf,
    /// Where to write the lessons, their list and their posters; by default the list and the posters are written next to
    /// the lessons.
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
}

/// Writes the list and the posters.
pub fn publish(args: &PublishArgs) -> Result<ExitCode, String> {
    let lessons = read(std::slice::from_ref(&args.folder))?;
    let out = args.out.as_ref().unwrap_or(&args.folder);
    if args.out.is_some() {
        lessons.iter().try_for_each(|lesson| lesson.copy(out))?;
    }
    write_list(&lessons, out)?;
    // Removes posters of lessons that no longer exist or have another id now.
    let posters = out.join(POSTERS);
    for old in std::fs::read_dir(&posters).map_err(|error| format!("{}: {error}", posters.display()))?.flatten() {
        let name = old.file_name();
        if !lessons.iter().any(|lesson| name.to_str() == Some(&lesson.poster_name())) {
            std::fs::remove_file(old.path()).map_err(|error| format!("{}: {error}", old.path().display()))?;
        }
    }
    println!("{}: the list and the posters of {} lessons", out.display(), lessons.len());
    Ok(ExitCode::SUCCESS)
}

/// The folder of posters, next to the list.
const POSTERS: &str = "posters";

/// What the list and the poster say about a lesson.
pub struct Facts<'a> {
    pub id: &'a str,
    /// Its file name in the list, `04-name.md`.
    pub file: &'a str,
    pub title: &'a str,
    pub minutes: u32,
    /// Its title in each language that it is translated into.
    pub titles: Vec<(String, String)>,
    pub origins: &'a [String],
    /// The first program.
    pub code: &'a str,
}

impl Facts<'_> {
    fn titles(&self) -> Value {
        let titles = self.titles.iter().map(|(language, title)| (language.clone(), Value::from(title.clone())));
        Value::Object(titles.collect::<Map<_, _>>())
    }

    /// Its entry in the list of lessons.
    pub fn entry(&self) -> Value {
        let Facts { id, file, title, minutes, .. } = self;
        json!({ "id": id, "file": file, "title": title, "minutes": minutes, "titles": self.titles() })
    }

    /// What is shown before the lesson is started. `output` is what the first program prints.
    pub fn poster(&self, output: &str) -> Value {
        let Facts { title, origins, code, .. } = self;
        json!({ "title": title, "titles": self.titles(), "origins": origins, "code": code, "output": output })
    }
}

/// The program that a lesson begins with.
pub fn first_program(lesson: &Lesson) -> &str {
    let first = lesson.steps.iter().find_map(|step| step.exercise.as_ref());
    first.map_or("", |exercise| &exercise.starter.code)
}

/// A lesson to publish, with its translations.
pub struct Published {
    /// Its file name in the list, `04-name.md`.
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
/// All their faults, one per line; or two lessons with the same id or file name.
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

    /// A text in every language, with the original first.
    pub fn in_languages(&self, of: impl Fn(&Lesson) -> String) -> Vec<(&str, String)> {
        let own = (self.language(), of(&self.lesson));
        let others = self.translations.iter().map(|t| (t.language.as_str(), of(&t.lesson)));
        std::iter::once(own).chain(others).collect()
    }

    fn facts(&self) -> Facts<'_> {
        let Lesson { id, title, minutes, origins, .. } = &self.lesson;
        let titles = self.translations.iter().map(|t| (t.language.clone(), t.lesson.title.clone())).collect();
        let code = first_program(&self.lesson);
        Facts { id, file: &self.name, title, minutes: *minutes, titles, origins, code }
    }

    fn poster_name(&self) -> String {
        format!("{}.json", self.lesson.id)
    }

    /// Runs the first program to get its output.
    fn poster(&self) -> Value {
        let facts = self.facts();
        let output = if facts.code.is_empty() { String::new() } else { self.printed(facts.code) };
        facts.poster(&output)
    }

    /// The output of a program, and the first line of its error.
    fn printed(&self, code: &str) -> String {
        let ran = check::run(code, &[], Engine::on_cpu(self.lesson.machine.clone()));
        let error = ran.raised.as_deref().and_then(|text| text.lines().next()).unwrap_or_default();
        let text = format!("{}{error}", ran.stdout);
        text.trim_end().chars().take(POSTER).collect()
    }

    /// Copies the lesson's files into a folder of lessons.
    pub fn copy(&self, folder: &Path) -> Result<(), String> {
        let copy = |from: &Path, to: PathBuf| {
            let made = to.parent().map_or(Ok(()), std::fs::create_dir_all);
            made.and_then(|()| std::fs::copy(from, &to)).map_err(|error| format!("{}: {error}", to.display()))
        };
        copy(&self.path, folder.join(&self.name))?;
        for translation in &self.translations {
            copy(&translation.path, folder.join(&translation.language).join(&self.name))?;
        }
        Ok(())
    }
}

/// Writes the list of lessons, one per line, and their posters.
pub fn write_list(lessons: &[Published], folder: &Path) -> Result<(), String> {
    let entries: Vec<String> = lessons.iter().map(|lesson| lesson.facts().entry().to_string()).collect();
    write(&folder.join("index.json"), format!("[\n{}\n]\n", entries.join(",\n")))?;
    for lesson in lessons {
        write(&folder.join(POSTERS).join(lesson.poster_name()), format!("{}\n", lesson.poster()))?;
    }
    Ok(())
}

/// The first sentences of a lesson as plain text; its title if it has none.
pub fn summary(lesson: &Lesson) -> String {
    let first = lesson.introduction.iter().find_map(|block| match block {
        Block::Paragraph(content) => Some(prose::plain(content)),
        _ => None,
    });
    first.filter(|text| !text.trim().is_empty()).unwrap_or_else(|| lesson.title.clone())
}

/// Writes a file, and creates its folders if needed.
pub fn write(path: &Path, content: impl AsRef<[u8]>) -> Result<(), String> {
    let made = path.parent().map_or(Ok(()), std::fs::create_dir_all);
    made.and_then(|()| std::fs::write(path, content)).map_err(|error| format!("{}: {error}", path.display()))
}
