//! Lessons as courses of a learning management system: the descriptions in the packages, and a page for each lesson.

use tensoryard::app::embed::escape;

use super::publish::{Published, summary};

/// The standard that a system uses.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum System {
    Cmi5,
    Scorm,
}

impl System {
    fn name(self) -> &'static str {
        match self {
            System::Cmi5 => "cmi5",
            System::Scorm => "scorm",
        }
    }

    /// The addresses to which a course's page may connect: a record store can be anywhere, and SCORM's API isn't an
    /// address.
    fn connects(self) -> &'static str {
        match self {
            System::Cmi5 => "https: http:",
            System::Scorm => "'none'",
        }
    }
}

/// The properties of a course.
pub struct Course<'a> {
    pub title: &'a str,
    /// The address of the playground, with a slash at the end. It's only used in names.
    pub host: Option<&'a str>,
    pub lessons: &'a [Published],
}

/// The scripts of a course's pages.
pub const SCRIPTS: [(&str, &str); 4] = [
    ("lms/cmi5.js", include_str!("../../../../www/lms/cmi5.js")),
    ("lms/scorm.js", include_str!("../../../../www/lms/scorm.js")),
    ("lms/course.js", include_str!("../../../../www/lms/course.js")),
    ("lms/course.css", include_str!("../../../../www/lms/course.css")),
];

/// The file of a lesson's page.
pub fn page_name(system: System, lesson: &Published) -> String {
    format!("{}-{}.html", system.name(), lesson.lesson.id)
}

/// The page that a learning management system opens.
pub fn page(system: System, lesson: &Published) -> String {
    let exercises = lesson.lesson.steps.iter().filter(|step| step.exercise.is_some()).count();
    fill(
        include_str!("../../../../www/lms/course.html"),
        &[
            ("SYSTEM", system.name()),
            ("CONNECT", system.connects()),
            ("EXERCISES", &exercises.to_string()),
            ("LANGUAGE", lesson.language()),
            ("LESSON", &lesson.lesson.id),
            ("TITLE", &text(&lesson.lesson.title)),
        ],
    )
}

/// Replaces words in capitals, in one pass: inserted text isn't searched again.
pub fn fill(template: &str, values: &[(&str, &str)]) -> String {
    let mut out = String::with_capacity(template.len() + 256);
    let mut rest = template;
    while !rest.is_empty() {
        match values.iter().find(|(name, _)| rest.starts_with(name)) {
            Some((name, value)) => {
                out.push_str(value);
                rest = &rest[name.len()..];
            }
            None => {
                let end = rest.chars().next().map_or(0, char::len_utf8);
                out.push_str(&rest[..end]);
                rest = &rest[end..];
            }
        }
    }
    out
}

/// Text for HTML and XML, without the control characters that they don't allow.
pub fn text(text: &str) -> String {
    escape(&text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect::<String>())
}

/// A relative address within a package.
fn href(path: &str) -> String {
    let plain = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.' | b'/' | b'~');
    let mut out = String::new();
    for byte in path.bytes() {
        if plain(byte) {
            out.push(char::from(byte));
        } else {
            out.push_str(&format!("%{byte:02X}"));
        }
    }
    out
}

impl Course<'_> {
    /// A globally unique name.
    fn iri(&self, kind: &str, name: &str) -> String {
        match self.host {
            Some(host) => text(&format!("{host}#/{kind}/{name}")),
            None => format!("urn:tensoryard:{kind}:{name}"),
        }
    }

    fn id(&self) -> String {
        self.lessons.iter().map(|lesson| lesson.lesson.id.as_str()).collect::<Vec<_>>().join("+")
    }

    /// `cmi5.xml`, in which each lesson is an assignable unit.
    pub fn cmi5(&self) -> String {
        let langstrings = |texts: Vec<(&str, String)>| {
            let one = |(language, words): (&str, String)| {
                format!("<langstring lang=\"{language}\">{}</langstring>", text(&words))
            };
            texts.into_iter().map(one).collect::<String>()
        };
        let language = self.lessons.first().map_or("en", Published::language);
        let title = langstrings(vec![(language, self.title.to_string())]);
        let mut out = format!(
            "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n\
             <courseStructure xmlns=\"https://w3id.org/xapi/profiles/cmi5/v1/CourseStructure.xsd\">\n  \
             <course id=\"{}\">\n    <title>{title}</title>\n    <description>{title}</description>\n  </course>\n",
            self.iri("course", &self.id())
        );
        for lesson in self.lessons {
            out.push_str(&format!(
                "  <au id=\"{}\" moveOn=\"Passed\" masteryScore=\"1\" launchMethod=\"AnyWindow\" \
                 activityType=\"http://adlnet.gov/expapi/activities/lesson\">\n    <title>{}</title>\n    \
                 <description>{}</description>\n    <url>{}</url>\n  </au>\n",
                self.iri("lesson", &lesson.lesson.id),
                langstrings(lesson.in_languages(|lesson| lesson.title.clone())),
                langstrings(lesson.in_languages(summary)),
                href(&page_name(System::Cmi5, lesson)),
            ));
        }
        out.push_str("</courseStructure>\n");
        out
    }

    /// `imsmanifest.xml` of SCORM 1.2, in which each lesson is a sharable content object. All of them share `files`.
    pub fn scorm(&self, files: &[String]) -> String {
        let mut items = String::new();
        let mut resources = String::new();
        for lesson in self.lessons {
            let id = &lesson.lesson.id;
            let page = href(&page_name(System::Scorm, lesson));
            items.push_str(&format!(
                "      <item identifier=\"item-{id}\" identifierref=\"lesson-{id}\" isvisible=\"true\">\n        \
                 <title>{}</title>\n        <adlcp:masteryscore>100</adlcp:masteryscore>\n      </item>\n",
                text(&lesson.lesson.title)
            ));
            resources.push_str(&format!(
                "    <resource identifier=\"lesson-{id}\" type=\"webcontent\" adlcp:scormtype=\"sco\" href=\"{page}\">\n      \
                 <file href=\"{page}\"/>\n      <dependency identifierref=\"playground\"/>\n    </resource>\n"
            ));
        }
        let shared: String = files.iter().map(|file| format!("      <file href=\"{}\"/>\n", href(file))).collect();
        format!(
            "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n\
             <manifest identifier=\"tensoryard-{}\" version=\"1.0\" xmlns=\"http://www.imsproject.org/xsd/imscp_rootv1p1p2\" \
             xmlns:adlcp=\"http://www.adlnet.org/xsd/adlcp_rootv1p2\">\n  \
             <metadata>\n    <schema>ADL SCORM</schema>\n    <schemaversion>1.2</schemaversion>\n  </metadata>\n  \
             <organizations default=\"course\">\n    <organization identifier=\"course\">\n      <title>{}</title>\n\
             {items}    </organization>\n  </organizations>\n  <resources>\n{resources}    \
             <resource identifier=\"playground\" type=\"webcontent\" adlcp:scormtype=\"asset\">\n{shared}    </resource>\n  \
             </resources>\n</manifest>\n",
            self.id().replace('+', "."),
            text(self.title),
        )
    }
}
