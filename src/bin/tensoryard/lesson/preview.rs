//! `tensoryard lesson preview`: the playground with an author's lessons, which are read again when a file changes.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use serde_json::{Value, json};
use tensoryard::lesson::{Lesson, prose};
use tensoryard::serve;

use super::attached;
use super::check::GLOSSARY;
use super::files::{self, Found, Translation};
use super::publish::{self, Facts, first_program};

#[derive(Args)]
pub struct PreviewArgs {
    /// The lesson, or a folder of lessons. Translations next to them are included.
    path: PathBuf,
    /// The built playground.
    #[arg(long, default_value = "dist")]
    dist: PathBuf,
    /// On 127.0.0.1; by default any free port, so that data stored by other pages can't interfere.
    #[arg(long, default_value_t = 0)]
    port: u16,
}

const SCRIPT: &str = include_str!("../../../../www/preview.js");

pub fn preview(args: &PreviewArgs) -> Result<ExitCode, String> {
    let shown = Shown { path: args.path.clone(), dist: args.dist.clone() };
    let first =
        shown.files()?.lessons.first().cloned().ok_or("there is no lesson, only translations: name the original")?;
    let id = Seen::read(&first).id;
    serve::serve_with(
        &args.dist,
        args.port,
        move |path| shown.answer(path),
        |address| println!("The lesson is at {address}#/lesson/{id} (Ctrl-C ends it)"),
    )?;
    Ok(ExitCode::SUCCESS)
}

/// The files that take precedence over the playground's own.
struct Shown {
    path: PathBuf,
    dist: PathBuf,
}

impl Shown {
    /// Read for every request, because an author adds and removes lessons while working.
    fn files(&self) -> Result<Found, String> {
        files::find(std::slice::from_ref(&self.path))
    }

    fn answer(&self, path: &str) -> Option<Vec<u8>> {
        match path {
            "" | "index.html" => {
                let page = std::fs::read_to_string(self.dist.join("index.html")).ok()?;
                let script = "<script type=\"module\" src=\"./preview.js\"></script>";
                Some(page.replacen("</head>", &format!("{script}</head>"), 1).into_bytes())
            }
            "preview.js" => Some(SCRIPT.into()),
            "preview.json" => Some(json!({ "version": self.version() }).to_string().into_bytes()),
            // An empty service worker: nothing is stored for offline use.
            "offline.js" => Some(Vec::new()),
            "lessons/index.json" => Some(self.index().to_string().into_bytes()),
            "lessons/glossary.json" => Some(self.glossary().to_string().into_bytes()),
            _ => self.file(path.strip_prefix("lessons/")?),
        }
    }

    /// An author's file, by its name in the list.
    fn file(&self, name: &str) -> Option<Vec<u8>> {
        let found = self.files().ok()?;
        let poster = name.strip_prefix("posters/").and_then(|name| name.strip_suffix(".json"));
        if let Some(id) = poster {
            let seen = found.lessons.iter().map(|path| Seen::read(path)).find(|seen| seen.id == id)?;
            // Without running the program.
            return Some(seen.facts("", Vec::new()).poster("").to_string().into_bytes());
        }
        if let Some(name) = name.strip_prefix("files/") {
            return found.lessons.iter().find_map(|path| {
                let (attached, _) = attached::read(&Seen::read(path).lesson?, path);
                let is_listed = attached.published.iter().any(|listed| listed == name);
                is_listed.then(|| std::fs::read(attached::place(path, name)).ok()).flatten()
            });
        }
        if let Some((language, publish::PAGE)) = name.split_once('/') {
            let of = found.translations.iter().find(|translation| translation.language == language)?;
            return Some(publish::page(&files::home_of(&of.path), language).ok()?.to_string().into_bytes());
        }
        let own = found.lessons.iter().find(|path| Seen::read(path).name(path) == name);
        let translated = || {
            let is_one = |t: &&Translation| format!("{}/{}", t.language, Seen::read(&t.original).name(&t.path)) == name;
            found.translations.iter().find(is_one)
        };
        let path = own.or_else(|| Some(&translated()?.path))?;
        std::fs::read(path).ok()
    }

    /// These lessons, then those of the playground that they don't replace.
    fn index(&self) -> Value {
        let found = self.files().unwrap_or_default();
        let mut list: Vec<Value> = Vec::new();
        for path in &found.lessons {
            let translations = found.translations.iter().filter(|translation| translation.original == *path);
            let titles = translations.map(|t| (t.language.clone(), Seen::read(&t.path).title)).collect();
            let seen = Seen::read(path);
            list.push(seen.facts(&seen.name(path), titles).entry());
        }
        let built = std::fs::read_to_string(self.dist.join("lessons/index.json")).unwrap_or_default();
        let built: Vec<Value> = serde_json::from_str(&built).unwrap_or_default();
        let replaced = |other: &Value| list.iter().any(|own| own["id"] == other["id"] || own["file"] == other["file"]);
        let others: Vec<Value> = built.into_iter().filter(|other| !replaced(other)).collect();
        list.into_iter().chain(others).collect()
    }

    /// The words next to these lessons, as far as they can be read.
    fn glossary(&self) -> Value {
        let found = self.files().unwrap_or_default();
        let own = found.lessons.iter().map(|path| {
            let language = Seen::read(path).lesson.and_then(|lesson| lesson.lang).unwrap_or_else(|| "en".into());
            (language, files::home_of(path))
        });
        let translated = found.translations.iter().map(|t| (t.language.clone(), files::home_of(&t.path)));
        publish::glossary(own.chain(translated)).unwrap_or_else(|_| json!({}))
    }

    /// Changes whenever a byte of a file changes.
    fn version(&self) -> String {
        let mut sum = crc32fast::Hasher::new();
        let found = self.files().unwrap_or_default();
        for path in found.lessons.iter().chain(found.translations.iter().map(|t| &t.path)) {
            sum.update(path.to_string_lossy().as_bytes());
            sum.update(&std::fs::read(path).unwrap_or_default());
            sum.update(&std::fs::read(files::home_of(path).join(GLOSSARY)).unwrap_or_default());
            if let Some(lesson) = Seen::read(path).lesson {
                attached::read(&lesson, path).0.files.iter().for_each(|(_, content)| sum.update(content));
            }
        }
        format!("{:08x}", sum.finalize())
    }
}

fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// The present content of a file.
struct Seen {
    id: String,
    title: String,
    /// `None` for a file with faults. Such a file is listed as well, and the page then shows its faults.
    lesson: Option<Lesson>,
}

impl Seen {
    fn read(path: &Path) -> Seen {
        let text = std::fs::read_to_string(path).unwrap_or_default();
        if let Ok(lesson) = Lesson::parse(&text, "") {
            return Seen { id: lesson.id.clone(), title: lesson.title.clone(), lesson: Some(lesson) };
        }
        let written = text.lines().take_while(|line| !line.starts_with('#')).find_map(|line| line.strip_prefix("id:"));
        let id = written.map(str::trim).filter(|id| prose::is_id(id)).unwrap_or("lesson-with-faults").to_string();
        Seen { id, title: file_name(path), lesson: None }
    }

    /// The name of its file in the list.
    fn name(&self, path: &Path) -> String {
        publish::name(path, self.lesson.as_ref().and_then(|lesson| lesson.track))
    }

    fn facts<'a>(&'a self, file: &'a str, titles: Vec<(String, String)>) -> Facts<'a> {
        let Seen { id, title, lesson } = self;
        let lesson = lesson.as_ref();
        let minutes = lesson.map_or(1, |lesson| lesson.minutes);
        let origins = lesson.map_or(&[][..], |lesson| &lesson.origins);
        let code = lesson.map_or("", first_program);
        // No program runs for a preview, so nothing is known about what the solutions cost.
        let solutions = serde_json::Map::new();
        Facts { id, file, title, minutes, titles, origins, code, lesson, aims: Vec::new(), solutions }
    }
}
