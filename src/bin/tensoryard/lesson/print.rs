//! `tensoryard lesson pack --print`: a lesson on paper. The learner's pages have the text, the questions with boxes to tick, the
//! programs with numbered lines, and space to write; the last page has the answers.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use base64::Engine as _;
use tensoryard::app::diagram::{Placed, draw};
use tensoryard::app::embed::escape;
use tensoryard::app::texts::{self, Language, t};
use tensoryard::language;
use tensoryard::lesson::prose::{Block, Diagram, Inline, Target};
use tensoryard::lesson::{Exercise, Find, Lesson, Part, Question, Step};

use super::attached;
use super::courses::text;
use super::files;
use super::publish::{self, Published, write};
use super::words;

/// The fewest and the most lines to write a program on.
const FEW: usize = 5;
const MANY: usize = 18;

/// The lines below a program that is only run.
const NOTES: usize = 3;

/// A program of this many lines or fewer stays on one page.
const SHORT: usize = 28;

/// Writes a page for each lesson, and one for each of its translations in a folder of their language.
pub fn write_sheets(paths: &[PathBuf], out: &Path, host: Option<&str>) -> Result<ExitCode, String> {
    let lessons = publish::read(paths)?;
    if out.exists() {
        return Err(format!("{}: is there already, and nothing is written over", out.display()));
    }
    let mut sheets = 0;
    for published in &lessons {
        let name = Path::new(&published.name).with_extension("html");
        speak(published.language(), &published.path)?;
        write(&out.join(&name), Sheet { published, lesson: &published.lesson, host }.html())?;
        sheets += 1;
        for translated in &published.translations {
            speak(&translated.language, &translated.path)?;
            let sheet = Sheet { published, lesson: &translated.lesson, host };
            write(&out.join(&translated.language).join(&name), sheet.html())?;
            sheets += 1;
        }
    }
    println!("{}: {sheets} worksheets of {} lessons, to be printed on A4", out.display(), lessons.len());
    Ok(ExitCode::SUCCESS)
}

/// Sets the language of a worksheet's own words.
fn speak(code: &str, lesson: &Path) -> Result<(), String> {
    if !words::is_compiled(code) {
        language::offer([code]);
        let own = words::read(&files::home_of(lesson).join(words::FILE), code).map_err(|faults| faults.join("\n"))?;
        language::learn(code, own);
    }
    texts::speak(Language::of(code).unwrap_or(Language::English));
    Ok(())
}

struct Sheet<'a> {
    published: &'a Published,
    lesson: &'a Lesson,
    host: Option<&'a str>,
}

impl Sheet<'_> {
    fn html(&self) -> String {
        let Lesson { title, lang, aim, minutes, introduction, steps, remember, .. } = self.lesson;
        let language = lang.as_deref().unwrap_or("en");
        let mut out = format!(
            "<!doctype html>\n<html lang=\"{language}\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width\">\n<title>{}</title>\n<style>\n{}</style>\n</head>\n<body>\n\
             <header>\n<p class=\"given\"><span>{}</span><span>{}</span></p>\n<h1>{}</h1>\n",
            text(title),
            include_str!("../../../../www/lms/sheet.css"),
            t().sheet_name,
            t().sheet_date,
            text(title),
        );
        if let Some(aim) = aim {
            out += &format!(
                "<p>{} {}. <span class=\"note\">{}</span></p>\n",
                t().after_this_you,
                inlines(aim),
                text(&t().minutes(minutes))
            );
        }
        if let Some(host) = self.host {
            let address = text(&format!("{host}#/lesson/{}", self.lesson.id));
            out += &format!("<p class=\"note\">{}: {address}</p>\n", t().sheet_at);
        }
        out += "</header>\n<main>\n";
        out += &self.blocks(introduction);
        for (number, step) in (1..).zip(steps) {
            out += &format!("<section>\n{}", heading(number, step));
            self.step(step, &mut out);
            out += "</section>\n";
        }
        out += &format!("</main>\n<section class=\"answers\">\n<h1>{}: {}</h1>\n", t().sheet_answers, text(title));
        for (number, step) in (1..).zip(steps) {
            let answers = self.answers(step);
            if !answers.is_empty() {
                out += &heading(number, step);
                out += &answers;
            }
        }
        if !remember.is_empty() {
            let lines = remember.iter().map(|line| format!("<li>{}</li>\n", inlines(line)));
            out += &format!("<h2>{}</h2>\n<ul>\n{}</ul>\n", t().to_remember, lines.collect::<String>());
        }
        out += "</section>\n</body>\n</html>\n";
        out
    }

    /// What the learner gets of a step.
    fn step(&self, step: &Step, out: &mut String) {
        for part in &step.parts {
            match part {
                Part::Text(blocks) => *out += &self.blocks(blocks),
                Part::Predict(question) => *out += &asked(question, t().sheet_predict),
                Part::Quiz(question) => *out += &asked(question, t().sheet_quiz),
            }
        }
        if let Some(look) = &step.look {
            *out += &format!("<p class=\"task\">{}</p>\n{}", t().sheet_look, program(&look.source.code));
            *out += &lines(t().sheet_notes, NOTES);
        }
        if let Some(exercise) = &step.exercise {
            // A bug asks for its line before anything is changed.
            let task = if exercise.find.is_some() { t().sheet_bug } else { t().sheet_exercise };
            *out += &format!("<p class=\"task\">{task}</p>\n{}", program(&exercise.starter.code));
            if exercise.find.is_some() {
                *out += &lines(t().sheet_find, 1);
            }
            let room = exercise.solution.code.trim_end().lines().count();
            *out += &lines(t().sheet_program, room.clamp(FEW, MANY));
        }
    }

    /// What the teacher gets.
    fn answers(&self, step: &Step) -> String {
        let mut out = String::new();
        for part in &step.parts {
            if let Part::Predict(question) | Part::Quiz(question) = part {
                let right = question.options.iter().filter(|option| option.correct);
                let right: Vec<String> = right.map(|option| inlines(&option.text)).collect();
                out += &format!("<p><b>{}:</b> {}</p>\n", t().sheet_answer, right.join("; "));
                out += &self.blocks(&question.because);
            }
        }
        if let Some(look) = &step.look {
            out += &format!("<p><b>{}</b></p>\n{}", t().sheet_seen, self.blocks(&look.seen));
        }
        if let Some(Exercise { find, solution, checks, why, .. }) = &step.exercise {
            if let Some(Find { lines, because, .. }) = find {
                let lines: Vec<String> = lines.iter().map(u32::to_string).collect();
                let line = t().find_shown(&lines.join(&format!(" {} ", t().find_or)));
                out += &format!("<p><b>{}</b></p>\n{}", text(&line), self.blocks(because));
            }
            out += &format!("<p class=\"task\">{}</p>\n{}", t().sheet_solution, program(&solution.code));
            let labels = checks.iter().map(|check| format!("<li>{}</li>\n", sentence(check.label())));
            out += &format!("<p class=\"task\">{}</p>\n<ul>\n{}</ul>\n", t().sheet_checks, labels.collect::<String>());
            out += &format!("<p class=\"task\">{}</p>\n{}", t().sheet_why, self.blocks(why));
        }
        out
    }

    fn blocks(&self, blocks: &[Block]) -> String {
        blocks.iter().map(|block| self.block(block)).collect()
    }

    fn block(&self, block: &Block) -> String {
        match block {
            Block::Paragraph(content) => format!("<p>{}</p>\n", inlines(content)),
            Block::Heading(1..=3, content) => format!("<h3>{}</h3>\n", inlines(content)),
            Block::Heading(_, content) => format!("<h4>{}</h4>\n", inlines(content)),
            Block::Code(_, sample) => format!("<pre><code>{}</code></pre>\n", escape(sample.trim_end())),
            Block::List(first, items) => {
                let items = items.iter().map(|item| format!("<li>{}</li>\n", self.blocks(item)));
                let items: String = items.collect();
                match first {
                    Some(first) => format!("<ol start=\"{first}\">\n{items}</ol>\n"),
                    None => format!("<ul>\n{items}</ul>\n"),
                }
            }
            Block::Quote(inner) => format!("<blockquote>{}</blockquote>\n", self.blocks(inner)),
            Block::Rule => "<hr>\n".into(),
            Block::Table(rows) => {
                let row = |(at, cells): (usize, &Vec<Vec<Inline>>)| {
                    let tag = if at == 0 { "th" } else { "td" };
                    let cells = cells.iter().map(|cell| format!("<{tag}>{}</{tag}>", inlines(cell)));
                    format!("<tr>{}</tr>\n", cells.collect::<String>())
                };
                format!("<table>\n{}</table>\n", rows.iter().enumerate().map(row).collect::<String>())
            }
            Block::Figure { file, alt } => self.figure(file, alt),
            Block::Diagram(content) => diagram(content),
        }
    }

    /// An image, within the page: a sheet is one file. It was checked when the lesson was read.
    fn figure(&self, file: &str, alt: &str) -> String {
        let kind = match file.rsplit_once('.').map(|(_, kind)| kind.to_ascii_lowercase()).as_deref() {
            Some("svg") => "svg+xml",
            Some("jpg" | "jpeg") => "jpeg",
            Some("webp") => "webp",
            Some("gif") => "gif",
            _ => "png",
        };
        let content = std::fs::read(attached::place(&self.published.path, file)).unwrap_or_default();
        let data = base64::engine::general_purpose::STANDARD.encode(content);
        format!("<figure><img src=\"data:image/{kind};base64,{data}\" alt=\"{}\"></figure>\n", text(alt))
    }
}

fn heading(number: usize, step: &Step) -> String {
    let optional = if step.optional { format!(" <small>({})</small>", t().optional) } else { String::new() };
    format!("<h2>{number} {}{optional}</h2>\n", inlines(&step.title))
}

fn asked(question: &Question, task: &str) -> String {
    let option = |text: String| format!("<li><span class=\"tick\"></span><span>{text}</span></li>\n");
    let options: String = question.options.iter().map(|choice| option(inlines(&choice.text))).collect();
    let asked = inlines(&question.question);
    format!("<div class=\"question\">\n<p><b>{asked}</b> {task}</p>\n<ul>\n{options}</ul>\n</div>\n")
}

/// A program with numbered lines.
fn program(code: &str) -> String {
    let code = code.trim_end();
    let short = if code.lines().count() <= SHORT { " short" } else { "" };
    let line = |line: &str| {
        format!("<li><code>{}</code></li>\n", if line.is_empty() { "&nbsp;".into() } else { escape(line) })
    };
    format!("<ol class=\"program{short}\">\n{}</ol>\n", code.lines().map(line).collect::<String>())
}

/// Lines to write on.
fn lines(what: &str, count: usize) -> String {
    format!("<p class=\"task\">{what}</p>\n<div class=\"lines\">{}</div>\n", "<span></span>".repeat(count))
}

/// A label, in which backticks mark code.
fn sentence(label: &str) -> String {
    let piece = |(at, piece): (usize, &str)| match at % 2 {
        0 => text(piece),
        _ => format!("<code>{}</code>", text(piece)),
    };
    label.split('`').enumerate().map(piece).collect()
}

fn inlines(content: &[Inline]) -> String {
    let one = |inline: &Inline| match inline {
        Inline::Text(words) => text(words),
        Inline::Code(code) => format!("<code>{}</code>", text(code)),
        Inline::Emphasis(inner) => format!("<em>{}</em>", inlines(inner)),
        Inline::Strong(inner) => format!("<strong>{}</strong>", inlines(inner)),
        Inline::Link(Target::Web(address), inner) => format!("<a href=\"{}\">{}</a>", text(address), inlines(inner)),
        // Neither can be clicked on paper.
        Inline::Link(Target::Lesson(_) | Target::Term(_), inner) => inlines(inner),
        Inline::Break => "<br>".into(),
    };
    content.iter().map(one).collect()
}

/// Names, tensors and storages, as the page draws them.
fn diagram(diagram: &Diagram) -> String {
    let heads = [t().diagram_names, t().diagram_tensors, t().diagram_storages];
    let drawing = draw(diagram, heads);
    let (width, height) = (drawing.width, drawing.height);
    let mut out = format!(
        "<figure><svg role=\"img\" aria-label=\"{}\" viewBox=\"0 0 {width:.1} {height:.1}\" width=\"{width:.0}\" height=\"{height:.0}\">\n",
        text(&diagram.alt)
    );
    for &((x, y), (to_x, to_y)) in &drawing.arrows {
        let (end, middle) = (to_x - 6.0, (x + to_x) / 2.0);
        out += &format!(
            "<path class=\"arrow\" d=\"M{x:.1} {y:.1} C{middle:.1} {y:.1} {middle:.1} {to_y:.1} {end:.1} {to_y:.1}\"/>\
             <path d=\"M{to_x:.1} {to_y:.1} l-8 -4 v8 z\"/>\n"
        );
    }
    for (boxes, head) in drawing.columns().into_iter().zip(heads) {
        let Some(first) = boxes.first() else { continue };
        out +=
            &format!("<text class=\"head\" x=\"{:.1}\" y=\"12\">{}</text>\n", first.x + first.width / 2.0, text(head));
        // Only storages are tall enough for a second line: their device.
        for Placed { x, y, width, height, label, on } in boxes {
            let device = on.as_deref().filter(|_| *height > 40.0);
            let middle = x + width / 2.0;
            let line = y + if device.is_some() { 19.0 } else { height / 2.0 + 4.0 };
            out += &format!(
                "<rect class=\"box\" x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" rx=\"5\"/>\
                 <text x=\"{middle:.1}\" y=\"{line:.1}\">{}</text>\n",
                text(label)
            );
            if let Some(device) = device {
                out +=
                    &format!("<text class=\"head\" x=\"{middle:.1}\" y=\"{:.1}\">{}</text>\n", y + 36.0, text(device));
            }
        }
    }
    out += "</svg></figure>\n";
    out
}
