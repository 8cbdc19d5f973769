//! The HTML that puts a lesson on another page. The instructors' page and `www/element.js` use it.

use super::texts::{Language, texts_in};

/// The words around a poster, which `www/embed.js` shows before the page itself is loaded.
pub const POSTER: [&str; 6] =
    ["Start this lesson", "It prints", "There is no such lesson here.", "min", "Program", "Output"];

/// The name under which the learner's work is stored when a page of `host` supplied the lesson as a string. The name
/// contains the page's origin. Without it, a page could read the work of a lesson of this site, or of another page, by
/// giving its own lesson the same id. Ids have no dots, and any character of an origin that isn't plain is escaped with an
/// `X`.
pub(crate) fn handed_over_name(host: &str, id: &str) -> String {
    format!("own.{}.{id}", escaped(host, 'X'))
}

/// The origin of a host. Each byte that isn't plain becomes `sign` and two hexadecimal digits.
fn escaped(host: &str, sign: char) -> String {
    let plain = |byte: u8| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.');
    host.bytes()
        .map(|byte| if plain(byte) { char::from(byte).to_string() } else { format!("{sign}{byte:02X}") })
        .collect()
}

/// The id of the activity that xAPI statements about such a lesson name. `folder` is the address of the playground.
pub(crate) fn handed_over_activity(folder: &str, host: &str, id: &str) -> String {
    format!("{folder}#/own/{}/{id}", escaped(host, '%'))
}

/// How a lesson is embedded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// A plain frame, without a script.
    Frame,
    /// The custom element, which resizes and reports.
    Element,
}

/// What was chosen in the builder's fields.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Embed {
    /// The address of the page's folder, with a slash at the end.
    pub host: String,
    pub lesson: String,
    pub title: String,
    pub level: Level,
    /// `auto`, `light` or `dark`.
    pub theme: String,
    pub language: String,
    /// Of the frame, in CSS pixels.
    pub height: u32,
}

impl Embed {
    /// `address` is the page's own address, with or without a file name.
    pub fn new(address: String) -> Embed {
        let host = address.rsplit_once('/').map_or(address.clone(), |(folder, _)| format!("{folder}/"));
        Embed {
            host,
            lesson: String::new(),
            title: String::new(),
            level: Level::Frame,
            theme: "auto".into(),
            language: "en".into(),
            height: 640,
        }
    }

    /// The frame's address.
    pub fn address(&self) -> String {
        format!("{}embed.html#lesson={}&theme={}&lang={}", self.host, self.lesson, self.theme, self.language)
    }

    pub(crate) fn frame_title(&self) -> String {
        texts_in(Language::of(&self.language).unwrap_or(Language::English)).embed_title(&self.title)
    }

    pub fn html(&self) -> String {
        let title = escape(&self.frame_title());
        match self.level {
            Level::Frame => format!(
                "<iframe src=\"{}\"\n  title=\"{title}\" loading=\"lazy\"\n  \
                 sandbox=\"allow-scripts allow-same-origin allow-downloads allow-popups\"\n  \
                 allow=\"clipboard-write; fullscreen\" style=\"width:100%;height:{}px;border:0\"></iframe>",
                escape(&self.address()),
                self.height
            ),
            Level::Element => format!(
                "<script type=\"module\" src=\"{}element.js\"></script>\n\
                 <tensoryard-lesson lesson=\"{}\" load=\"click\" theme=\"{}\" lang=\"{}\">\n  \
                 <p><a href=\"{}\">{title}</a></p>\n</tensoryard-lesson>",
                escape(&self.host),
                escape(&self.lesson),
                escape(&self.theme),
                escape(&self.language),
                escape(&format!("{}#/lesson/{}", self.host, self.lesson)),
            ),
        }
    }
}

/// Escapes a string for an attribute or for the space between tags.
pub fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn embed(level: Level) -> Embed {
        let new = Embed::new("https://example.org/yard/index.html".into());
        Embed { lesson: "same-device-rule".into(), title: "A \"<b>\" lesson".into(), level, ..new }
    }

    #[test]
    fn what_is_handed_over_has_a_name_of_its_own() {
        let name = handed_over_name("https://a-b.example:8443", "same-device-rule");
        assert_eq!(name, "own.httpsX3AX2FX2Fa-b.exampleX3A8443.same-device-rule");
        // The name must be valid in a file of the learner's work.
        assert!(name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'.'));
        let hosts = ["https://a", "https://a.b", "http://a", "https://a:1", "https://a-1", "https://X3Aa", "null"];
        let mut names: Vec<String> = hosts.iter().map(|host| handed_over_name(host, "b")).collect();
        names.extend(["b".into(), handed_over_name("https://a", "b-b")]);
        names.sort();
        names.dedup();
        assert_eq!(names.len(), hosts.len() + 2);
        assert_eq!(
            handed_over_activity("https://yard.example/", "https://a.example:1", "one"),
            "https://yard.example/#/own/https%3A%2F%2Fa.example%3A1/one"
        );
    }

    #[test]
    fn a_frame_names_the_lesson_and_escapes_its_title() {
        let html = embed(Level::Frame).html();
        assert!(html.contains("https://example.org/yard/embed.html#lesson=same-device-rule&amp;theme=auto"), "{html}");
        assert!(html.contains("A &quot;&lt;b&gt;&quot; lesson") && !html.contains("<b>"), "{html}");
        assert!(html.contains("height:640px"), "{html}");
    }

    #[test]
    fn a_frame_s_title_is_in_the_lesson_s_language() {
        let german = Embed { language: "de".into(), ..embed(Level::Frame) };
        assert_eq!(german.frame_title(), "Interaktive Lektion: A \"<b>\" lesson");
        assert!(embed(Level::Frame).frame_title().starts_with("Interactive lesson: "));
    }

    #[test]
    fn the_element_falls_back_to_a_link() {
        let html = embed(Level::Element).html();
        assert!(html.starts_with("<script type=\"module\" src=\"https://example.org/yard/element.js\">"), "{html}");
        assert!(html.contains("<a href=\"https://example.org/yard/#/lesson/same-device-rule\">"), "{html}");
    }
}
