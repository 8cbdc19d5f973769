//! `tensoryard lesson preview`: the playground with an author's lessons in it, read again when a file changes.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use serde_json::{Value, json};
use tensoryard::lesson::{Lesson, prose};
use tensoryard::serve;

use super::files::{self, Found};

#[derive(Args)]
pub struct PreviewArgs {
    /// The lesson, or a folder of lessons; translations beside them are there as well.
    path: PathBuf,
    /// The built playground.
    #[arg(long, default_value = "dist")]
    dist: PathBuf,
    /// On 127.0.0.1; by default any that is free, so that nothing another page has stored is in the way.
    #[arg(long, default_value_t = 0)]
    port: u16,
}

const SCRIPT: &str = include_str!("../../../../www/preview.js");

pub fn preview(args: &PreviewArgs) -> Result<ExitCode, String> {
    let shown = Shown { path: args.path.clone(), dist: args.dist.clone() };
    let first =
        shown.files()?.lessons.first().cloned().ok_or("there is no lesson, only translations: name the original")?;
    let id = entry(&first).0;
    serve::serve_with(
        &args.dist,
        args.port,
        move |path| shown.answer(path),
        |address| println!("The lesson is at {address}#/lesson/{id} (Ctrl-C ends it)"),
    )?;
    Ok(ExitCode::SUCCESS)
}

/// Files that are served before the playground's own.
struct Shown {
    path: PathBuf,
    dist: PathBuf,
}

impl Shown {
    /// Read at every request: lessons come and go while an author works.
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
            // Nothing is stored for later.
            "offline.js" => Some(Vec::new()),
            "lessons/index.json" => Some(self.index().to_string().into_bytes()),
            _ => self.file(path.strip_prefix("lessons/")?),
        }
    }

    /// An author's file, under the name that the list gives it.
    fn file(&self, name: &str) -> Option<Vec<u8>> {
        let found = self.files().ok()?;
        let poster = name.strip_prefix("posters/").and_then(|name| name.strip_suffix(".json"));
        if let Some(id) = poster {
            let path = found.lessons.iter().find(|path| entry(path).0 == id)?;
            return Some(self::poster(path).to_string().into_bytes());
        }
        let own = found.lessons.iter().find(|path| file_name(path) == name);
        let translated =
            || found.translations.iter().find(|t| format!("{}/{}", t.language, file_name(&t.path)) == name);
        let path = own.or_else(|| Some(&translated()?.path))?;
        std::fs::read(path).ok()
    }

    /// These lessons, then those of the playground that they do not replace.
    fn index(&self) -> Value {
        let found = self.files().unwrap_or_default();
        let mut list: Vec<Value> = Vec::new();
        for path in &found.lessons {
            let (id, title, minutes) = entry(path);
            let translations = found.translations.iter().filter(|translation| translation.original == *path);
            let titles: serde_json::Map<_, _> =
                translations.map(|t| (t.language.clone(), Value::from(entry(&t.path).1))).collect();
            list.push(
                json!({ "id": id, "file": file_name(path), "title": title, "minutes": minutes, "titles": titles }),
            );
        }
        let built = std::fs::read_to_string(self.dist.join("lessons/index.json")).unwrap_or_default();
        let built: Vec<Value> = serde_json::from_str(&built).unwrap_or_default();
        let replaced = |other: &Value| list.iter().any(|own| own["id"] == other["id"] || own["file"] == other["file"]);
        let others: Vec<Value> = built.into_iter().filter(|other| !replaced(other)).collect();
        list.into_iter().chain(others).collect()
    }

    /// Another one whenever a byte of a file is.
    fn version(&self) -> String {
        let mut sum = crc32fast::Hasher::new();
        let found = self.files().unwrap_or_default();
        for path in found.lessons.iter().chain(found.translations.iter().map(|t| &t.path)) {
            sum.update(path.to_string_lossy().as_bytes());
            sum.update(&std::fs::read(path).unwrap_or_default());
        }
        format!("{:08x}", sum.finalize())
    }
}

fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// Id, title and minutes. A file with faults is listed as well: the page then shows its faults.
fn entry(path: &Path) -> (String, String, u32) {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    if let Ok(Lesson { id, title, minutes, .. }) = Lesson::parse(&text, "") {
        return (id, title, minutes);
    }
    let name = file_name(path);
    let written = text.lines().take_while(|line| !line.starts_with('#')).find_map(|line| line.strip_prefix("id:"));
    let id = written.map(str::trim).filter(|id| prose::is_id(id)).unwrap_or("lesson-with-faults").to_string();
    (id, name, 1)
}

/// As of a published lesson, without running it.
fn poster(path: &Path) -> Value {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    let lesson = Lesson::parse(&text, "").ok();
    let first = lesson.iter().flat_map(|lesson| &lesson.steps).find_map(|step| step.exercise.as_ref());
    let code = first.map(|exercise| exercise.starter.code.clone()).unwrap_or_default();
    let origins = lesson.as_ref().map(|lesson| lesson.origins.clone()).unwrap_or_default();
    json!({ "title": entry(path).1, "titles": {}, "origins": origins, "code": code, "output": "" })
}
