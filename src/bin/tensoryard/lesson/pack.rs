//! `tensoryard lesson pack`: lessons as a folder for any web server, as packages for learning management systems, and as
//! pages that announce their embedding (oEmbed).

use std::fs::File;
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use serde_json::json;
use tensoryard::app::embed::Embed;
use tensoryard::headers::{Headers, Page};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

use super::courses::{self, Course, SCRIPTS, System, fill, text};
use super::print;
use super::publish::{self, Published, summary, write};

/// The size of an embedding that doesn't name one.
const WIDTH: u32 = 960;

#[derive(Args)]
pub struct PackArgs {
    /// Lesson files, or folders with lesson files.
    #[arg(required = true)]
    paths: Vec<PathBuf>,
    /// Where to write; must not exist yet.
    #[arg(long, value_name = "FOLDER")]
    out: PathBuf,
    /// The built playground.
    #[arg(long, default_value = "dist")]
    dist: PathBuf,
    /// Where the folder will be served, such as https://example.org/lessons/. Without it there is no oEmbed, which needs
    /// absolute addresses.
    #[arg(long, value_name = "URL")]
    host: Option<String>,
    /// The course's title; by default the first lesson's.
    #[arg(long)]
    title: Option<String>,
    /// Writes worksheets to print instead: an HTML page for each lesson, with the answers on its last page. Needs no playground.
    #[arg(long, conflicts_with_all = ["dist", "title"])]
    print: bool,
}

/// Writes `site/`, `cmi5.zip` and `scorm.zip`.
pub fn pack(args: &PackArgs) -> Result<ExitCode, String> {
    let host = args.host.as_deref().map(address).transpose()?;
    if args.print {
        return print::write_sheets(&args.paths, &args.out, host.as_deref());
    }
    for file in ["index.html", "embed.html", "embed.js", "element.js", "sw.js"] {
        if !args.dist.join(file).is_file() {
            return Err(format!(
                "{} holds no built playground ({file} is missing): run ./play, which builds it",
                args.dist.display()
            ));
        }
    }
    let lessons = publish::read(&args.paths)?;
    let is_packed = |id: &String| lessons.iter().any(|lesson| lesson.lesson.id == *id);
    for Published { path, lesson, .. } in &lessons {
        for (id, line) in lesson.links.iter().filter(|(id, _)| !is_packed(id)) {
            eprintln!("{}:{line}: leads to '{id}', which is not packed", path.display());
        }
    }
    let fault = |error: io::Error| format!("{}: {error}", args.out.display());
    if args.out.exists() {
        return Err(format!("{}: is there already, and nothing is written over", args.out.display()));
    }
    let site = args.out.join("site");
    std::fs::create_dir_all(&site).map_err(fault)?;
    copy_playground(&args.dist, &site)?;
    let folder = site.join("lessons");
    lessons.iter().try_for_each(|lesson| lesson.copy(&folder))?;
    publish::write_list(&lessons, &folder)?;
    // Packages contain the same files as the site, except the pages for its own address and the service worker.
    let shared: Vec<String> =
        files_in(&site)?.into_iter().filter(|file| !is_for_hosts(file) && file != "sw.js").collect();
    let title = args.title.clone().unwrap_or_else(|| lessons[0].lesson.title.clone());
    let course = Course { title: &title, host: host.as_deref(), lessons: &lessons };
    for system in [System::Cmi5, System::Scorm] {
        let path = args.out.join(if system == System::Cmi5 { "cmi5.zip" } else { "scorm.zip" });
        package(&path, system, &course, &site, &shared).map_err(|error| format!("{}: {error}", path.display()))?;
    }
    if let Some(host) = &host {
        for lesson in &lessons {
            announce(&site, host, lesson)?;
        }
    }
    renew_offline_copy(&site)?;
    let what = if host.is_some() { "site/ with oEmbed" } else { "site/ (no oEmbed: --host is not given)" };
    println!("{}: {what}, cmi5.zip, scorm.zip (SCORM 1.2); {} lessons", args.out.display(), lessons.len());
    Ok(ExitCode::SUCCESS)
}

/// The absolute address of a folder.
fn address(host: &str) -> Result<String, String> {
    let plain = |c: char| c.is_ascii_graphic() && !matches!(c, '"' | '<' | '>' | '\\' | '`' | '?' | '#');
    let rest = host.strip_prefix("https://").or_else(|| host.strip_prefix("http://"));
    match rest {
        Some(rest) if !rest.is_empty() && !rest.starts_with('/') && rest.chars().all(plain) => {
            Ok(format!("{}/", host.trim_end_matches('/')))
        }
        _ => Err(format!("'{host}' is no address such as https://example.org/lessons/")),
    }
}

/// Every file in a folder, by its relative path, in order.
fn files_in(folder: &Path) -> Result<Vec<String>, String> {
    let mut out = Vec::new();
    let mut open = vec![PathBuf::new()];
    while let Some(inner) = open.pop() {
        let here = folder.join(&inner);
        let fault = |error: io::Error| format!("{}: {error}", here.display());
        for entry in std::fs::read_dir(&here).map_err(fault)? {
            let entry = entry.map_err(fault)?;
            let path = inner.join(entry.file_name());
            if entry.path().is_dir() {
                open.push(path);
            } else {
                let name = path.to_str().ok_or_else(|| format!("{}: the name is not UTF-8", path.display()))?;
                out.push(name.replace('\\', "/"));
            }
        }
    }
    out.sort();
    Ok(out)
}

/// A file for web servers, which no page requests.
fn is_for_hosts(file: &str) -> bool {
    file.ends_with(".br") || file == "_headers"
}

/// Copies the built playground without its lessons and without the files that describe the build.
fn copy_playground(dist: &Path, site: &Path) -> Result<(), String> {
    for file in files_in(dist)? {
        let own = file.starts_with("lessons/") || file.starts_with('.');
        if own || file == "sw.js.br" {
            continue;
        }
        let to = site.join(&file);
        let made = to.parent().map_or(Ok(()), std::fs::create_dir_all);
        made.and_then(|()| std::fs::copy(dist.join(&file), &to))
            .map_err(|error| format!("{}: {error}", to.display()))?;
    }
    Ok(())
}

/// The service worker gets this folder's list of files, and another version name.
fn renew_offline_copy(site: &Path) -> Result<(), String> {
    let path = site.join("sw.js");
    let script = std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    let files: Vec<String> = files_in(site)?
        .into_iter()
        .filter(|file| !is_for_hosts(file) && file != "sw.js" && !file.starts_with('.'))
        .map(|file| format!("./{file}"))
        .collect();
    let mut sum = crc32fast::Hasher::new();
    for file in &files {
        sum.update(file.as_bytes());
        sum.update(&std::fs::read(site.join(&file[2..])).map_err(|error| format!("{file}: {error}"))?);
    }
    let mut constants = 0;
    let mut out = String::new();
    for line in script.lines() {
        if let Some(rest) = line.strip_prefix("const BUILD = \"") {
            constants += 1;
            let build = rest.trim_end_matches("\";");
            out.push_str(&format!("const BUILD = \"{build}-{:08x}\";\n", sum.clone().finalize()));
        } else if line.starts_with("const FILES = [") {
            constants += 1;
            out.push_str(&format!("const FILES = {};\n", json!(files)));
        } else {
            out.push_str(line);
            out.push('\n');
        }
    }
    if constants != 2 {
        return Err(format!("{}: has no place for the files", path.display()));
    }
    write(&path, out)
}

/// Writes a page that names the lesson's oEmbed document, and that document.
fn announce(site: &Path, host: &str, lesson: &Published) -> Result<(), String> {
    let id = &lesson.lesson.id;
    let embed = Embed {
        lesson: id.clone(),
        title: lesson.lesson.title.clone(),
        language: lesson.language().into(),
        ..Embed::new(host.to_string())
    };
    let document = json!({
        "version": "1.0",
        "type": "rich",
        "title": lesson.lesson.title,
        "provider_name": "Tensoryard",
        "provider_url": host,
        "html": embed.html(),
        "width": WIDTH,
        "height": embed.height,
    });
    write(&site.join(format!("oembed/{id}.json")), document.to_string())?;
    let page = fill(
        include_str!("../../../../www/lms/announce.html"),
        &[
            ("POLICY", &Headers::read()?.within(Page::Site)),
            ("OEMBED", &text(&format!("{host}oembed/{id}.json"))),
            ("DESCRIPTION", &text(&summary(&lesson.lesson))),
            ("LANGUAGE", lesson.language()),
            ("LESSON", id),
            ("TITLE", &text(&lesson.lesson.title)),
        ],
    );
    write(&site.join(format!("lesson/{id}.html")), page)
}

/// A zip file with its description at the root.
fn package(path: &Path, system: System, course: &Course<'_>, site: &Path, shared: &[String]) -> io::Result<()> {
    let mut zip = ZipWriter::new(BufWriter::new(File::create_new(path)?));
    let options = SimpleFileOptions::default().compression_method(CompressionMethod::Deflated);
    let mut add = |name: &str, content: &mut dyn io::Read| -> io::Result<()> {
        zip.start_file(name, options)?;
        io::copy(content, &mut zip).map(drop)
    };
    let scripts: Vec<String> = SCRIPTS.iter().map(|(name, _)| (*name).to_string()).collect();
    match system {
        System::Cmi5 => add("cmi5.xml", &mut course.cmi5().as_bytes())?,
        System::Scorm => {
            let files: Vec<String> = shared.iter().chain(&scripts).cloned().collect();
            add("imsmanifest.xml", &mut course.scorm(&files).as_bytes())?;
        }
    }
    for lesson in course.lessons {
        add(&courses::page_name(system, lesson), &mut courses::page(system, lesson).as_bytes())?;
    }
    for (name, script) in SCRIPTS {
        add(name, &mut script.as_bytes())?;
    }
    for file in shared {
        add(file, &mut File::open(site.join(file))?)?;
    }
    zip.finish()?;
    Ok(())
}
