//! `tensoryard lesson publish`: lessons in the form that the page needs, which is the list, the files, and a poster for each.
//! The lessons of this site, those that authors pack and those that they preview are all made here.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use serde_json::{Map, Value, json};
use tensoryard::engine::Engine;
use tensoryard::lesson::glossary;
use tensoryard::lesson::prose::{self, Block, Piece};
use tensoryard::lesson::translation::{self, Written};
use tensoryard::lesson::{CoursePart, Exercise, Fault, Lesson, Track};

use super::attached::{self, Attached};
use super::check::{self, GLOSSARY};
use super::cores;
use super::files::{self, Found};
use super::words;

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

/// The license of a folder of lessons.
const LICENSE: &str = "LICENSE";

/// The folder of posters, next to the list.
const POSTERS: &str = "posters";

/// What the list and the poster say about a lesson.
pub struct Facts<'a> {
    pub id: &'a str,
    /// Its file name in the list, `04-name.md` or `debug/04-name.md`.
    pub file: &'a str,
    pub title: &'a str,
    pub minutes: u32,
    /// Its title in each language that it is translated into.
    pub titles: Vec<(String, String)>,
    pub origins: &'a [String],
    /// The first program.
    pub code: &'a str,
    /// What the list says besides, if the lesson could be read.
    pub lesson: Option<&'a Lesson>,
    /// Its aim in each language that it is translated into.
    pub aims: Vec<(String, String)>,
    /// What the solution of each exercise costs, by the id of its step; none if it wasn't run.
    pub solutions: Map<String, Value>,
}

impl Facts<'_> {
    fn titles(&self) -> Value {
        let titles = self.titles.iter().map(|(language, title)| (language.clone(), Value::from(title.clone())));
        Value::Object(titles.collect::<Map<_, _>>())
    }

    /// Its entry in the list of lessons.
    pub fn entry(&self) -> Value {
        let Facts { id, file, title, minutes, .. } = self;
        let mut entry = json!({ "id": id, "file": file, "title": title, "minutes": minutes, "titles": self.titles() });
        if let Some(lesson) = self.lesson {
            if let Some(track) = lesson.track {
                entry["track"] = track.name().into();
                entry["level"] = lesson.level.into();
            } else {
                entry["part"] = lesson.part.map(CoursePart::name).into();
                entry["aim"] = aim(lesson).into();
                entry["aims"] = self.aims.iter().cloned().map(|(language, aim)| (language, Value::from(aim))).collect();
            }
            entry["steps"] = lesson.steps.iter().filter(|step| !step.optional).count().into();
            entry["solutions"] = Value::Object(self.solutions.clone());
        }
        entry
    }

    /// What is shown before the lesson is started. `output` is what the first program prints.
    pub fn poster(&self, output: &str) -> Value {
        let Facts { title, origins, code, .. } = self;
        json!({ "title": title, "titles": self.titles(), "origins": origins, "code": code, "output": output })
    }
}

/// The aim of a lesson as text, with code in backticks.
pub fn aim(lesson: &Lesson) -> Option<String> {
    let mut out = String::new();
    prose::walk_inlines(lesson.aim.as_ref()?, &mut |piece| match piece {
        Piece::Text(text) | Piece::Sample { text, .. } => out.push_str(text),
        Piece::Code(code) => out.extend(["`", code, "`"]),
    });
    Some(out)
}

/// The program that a lesson begins with.
pub fn first_program(lesson: &Lesson) -> &str {
    lesson.steps.iter().find_map(|step| step.program()).map_or("", |program| &program.code)
}

/// The name of a lesson's file in the list. A track's lessons have a folder there, wherever the file is.
pub fn name(path: &Path, track: Option<Track>) -> String {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    track.map_or(name.to_string(), |track| format!("{}/{name}", track.name()))
}

/// A lesson to publish, with its translations.
pub struct Published {
    /// Its file name in the list, `04-name.md` or `debug/04-name.md`.
    pub name: String,
    pub path: PathBuf,
    pub lesson: Lesson,
    pub attached: Attached,
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
    let mut out: Vec<Published> = Vec::new();
    for path in lessons {
        let (file, text) = files::read(&path)?;
        let lesson = Lesson::parse(&text, &file).map_err(said)?;
        let name = name(&path, lesson.track);
        if let Some(other) = out.iter().find(|other| other.lesson.id == lesson.id || other.name == name) {
            return Err(format!("{file}: its name or its id is also that of {}", other.path.display()));
        }
        let (attached, missing) = attached::read(&lesson, &path);
        if !missing.is_empty() {
            return Err(missing.join("\n"));
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
        out.push(Published { name, path, lesson, attached, translations: translated });
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

    /// A string in every language, with the original first.
    pub fn in_languages(&self, of: impl Fn(&Lesson) -> String) -> Vec<(&str, String)> {
        let own = (self.language(), of(&self.lesson));
        let others = self.translations.iter().map(|t| (t.language.as_str(), of(&t.lesson)));
        std::iter::once(own).chain(others).collect()
    }

    fn facts(&self) -> Facts<'_> {
        let Lesson { id, title, minutes, origins, .. } = &self.lesson;
        let titles = self.translations.iter().map(|t| (t.language.clone(), t.lesson.title.clone())).collect();
        let code = first_program(&self.lesson);
        let aims = self.translations.iter().filter_map(|t| Some((t.language.clone(), aim(&t.lesson)?))).collect();
        let lesson = Some(&self.lesson);
        let (file, minutes) = (self.name.as_str(), *minutes);
        Facts { id, file, title, minutes, titles, origins, code, lesson, aims, solutions: Map::new() }
    }

    /// What the solution of each exercise costs, to be shown beside the learner's own.
    fn solutions(&self) -> Map<String, Value> {
        let exercises = self.lesson.steps.iter().filter_map(|step| Some((&step.id, step.exercise.as_ref()?)));
        let cost = |(id, exercise): (&String, &Exercise)| {
            let engine = Engine::on_cpu(self.lesson.machine.clone());
            let summary = check::run(&exercise.solution.code, &[], &self.attached, engine).summary;
            // A budget forgives what only looking causes.
            let score = if self.lesson.track.is_some() { summary.unlooked() } else { summary.score };
            let mut cost =
                json!({ "copies": score.copies, "waits": score.synchronisations, "peak_bytes": score.peak_bytes });
            if self.lesson.track.is_some() {
                cost["kernels"] = score.launches.into();
            }
            (id.clone(), cost)
        };
        exercises.map(cost).collect()
    }

    fn poster_name(&self) -> String {
        format!("{}.json", self.lesson.id)
    }

    /// Runs the first program to get its output.
    fn poster(&self) -> Value {
        let facts = self.facts();
        let output = if facts.code.is_empty() { String::new() } else { self.recorded(facts.code) };
        facts.poster(&output)
    }

    /// The output of the first program. If it prints something else on every run, such as a measured time, what the poster
    /// already shows stays: a new recording would change the file and tell nobody anything new.
    fn recorded(&self, code: &str) -> String {
        let output = self.printed(code);
        let poster = files::home_of(&self.path).join(POSTERS).join(self.poster_name());
        let kept = std::fs::read(poster).ok().and_then(|bytes| serde_json::from_slice::<Value>(&bytes).ok());
        let shown =
            kept.filter(|kept| kept["code"] == code).and_then(|kept| kept["output"].as_str().map(str::to_string));
        match shown {
            Some(shown) if shown != output && self.printed(code) != output => shown,
            _ => output,
        }
    }

    /// The output of a program, and the first line of its error.
    fn printed(&self, code: &str) -> String {
        let ran = check::run(code, &[], &self.attached, Engine::on_cpu(self.lesson.machine.clone()));
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
        for name in &self.attached.published {
            copy(&attached::place(&self.path, name), folder.join(attached::FOLDER).join(name))?;
        }
        Ok(())
    }
}

/// Writes the list of lessons, one per line, and their posters.
pub fn write_list(lessons: &[Published], out: &Path) -> Result<(), String> {
    // Both run programs, which takes almost all of the time.
    let made = cores::on_all(
        lessons,
        || (),
        |(), lesson| {
            let entry = Facts { solutions: lesson.solutions(), ..lesson.facts() }.entry().to_string();
            Ok((entry, lesson.poster()))
        },
    )?;
    let (entries, posters): (Vec<String>, Vec<Value>) = made.into_iter().unzip();
    write(&out.join("index.json"), format!("[\n{}\n]\n", entries.join(",\n")))?;
    let folders = lessons.iter().flat_map(|lesson| {
        let own = (lesson.language().to_string(), files::home_of(&lesson.path));
        let translated = lesson.translations.iter().map(|t| (t.language.clone(), files::home_of(&t.path)));
        std::iter::once(own).chain(translated)
    });
    let folders: Vec<_> = folders.collect();
    // A copy of the lessons has their license with it.
    for license in folders.iter().map(|(_, folder)| folder.join(LICENSE)).filter(|license| license.is_file()) {
        let copy = out.join(LICENSE);
        if !copy.exists() {
            let text = std::fs::read(&license).map_err(|error| format!("{}: {error}", license.display()))?;
            write(&copy, text)?;
        }
    }
    let mut others: Vec<_> = folders.iter().filter(|(language, _)| !words::is_compiled(language)).collect();
    others.sort();
    others.dedup();
    for (language, folder) in others {
        write(&out.join(language).join(PAGE), format!("{}\n", page(folder, language)?))?;
    }
    let mut words = glossary(folders)?.to_string();
    words.push('\n');
    write(&out.join("glossary.json"), words)?;
    for (lesson, poster) in lessons.iter().zip(posters) {
        write(&out.join(POSTERS).join(lesson.poster_name()), format!("{poster}\n"))?;
    }
    Ok(())
}

/// The file with the page's own texts, in the folder of a language that isn't compiled in.
pub const PAGE: &str = "page.json";

/// The page's own texts in the language of a folder, by their English.
///
/// # Errors
/// All faults of the file, one per line.
pub fn page(folder: &Path, language: &str) -> Result<Value, String> {
    let known = words::read(&folder.join(words::FILE), language).map_err(|faults| faults.join("\n"))?;
    Ok(words::published(&known))
}

/// The words of the glossaries in some folders of lessons, by language: `{"en": {"shape": "The size …"}}`.
///
/// # Errors
/// All faults of the glossaries, one per line; two sentences for one word.
pub fn glossary(all: impl IntoIterator<Item = (String, PathBuf)>) -> Result<Value, String> {
    let mut folders: Vec<(String, PathBuf)> = Vec::new();
    for folder in all {
        if !folders.contains(&folder) {
            folders.push(folder);
        }
    }
    let mut out: Map<String, Value> = Map::new();
    for (language, folder) in folders {
        let path = folder.join(GLOSSARY);
        if !path.is_file() {
            continue;
        }
        let (file, text) = files::read(&path)?;
        let terms = glossary::parse(&text, &file).map_err(said)?;
        let words = out.entry(language).or_insert_with(|| json!({}));
        for (term, sentence) in terms {
            match words.get(&term).and_then(Value::as_str) {
                Some(other) if other != sentence => {
                    return Err(format!("{file}: '{term}' has another sentence elsewhere"));
                }
                _ => words[&term] = sentence.into(),
            }
        }
    }
    Ok(Value::Object(out))
}

fn said(faults: Vec<Fault>) -> String {
    faults.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
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
