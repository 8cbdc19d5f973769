//! `tensoryard lesson pack`: what it writes, read back.
//!
//! What the schemas of cmi5 and of IMS Content Packaging require of the elements that are used here is written down below as
//! rules, and every element and attribute of a package must be allowed by one. `tests/browser/pack.test.mjs` holds the
//! packages against whole schemas: SCORM's own, and for cmi5 the one that `tests/schemas/cmi5` transcribes from the
//! specification, because the published file is in no registry.
#![cfg(feature = "cli")]

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;
use xml::reader::{EventReader, XmlEvent};

const CMI5: &str = "https://w3id.org/xapi/profiles/cmi5/v1/CourseStructure.xsd";
const IMSCP: &str = "http://www.imsproject.org/xsd/imscp_rootv1p1p2";
const ADLCP: &str = "http://www.adlnet.org/xsd/adlcp_rootv1p2";

/// A folder with two lessons, one of them also in German, and something that looks like a built playground.
fn place(name: &str) -> PathBuf {
    let place = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&place);
    for folder in ["lessons/de", "dist/lessons/posters"] {
        fs::create_dir_all(place.join(folder)).unwrap();
    }
    let lesson = |id: &str, title: &str, lang: &str, words: &str| {
        format!(
            "---\nformat: 1\nid: {id}\ntitle: {title}\n{lang}minutes: 3\nmachine: cuda:1\norigins: [https://a.example]\n---\n\n\
             {words} `x` & <3.\n\n## {words}\n\n```predict\nquestion: {words}?\noptions:\n  - text: A\n    correct: true\n  \
             - text: B\nbecause: A.\n```\n\n```python starter\nimport torch\nx = torch.ones(2)\nprint(x)\nx @ torch.ones(2, \
             device=\"cuda\")\n```\n\n```check\n- kind: device\n  label: {words}\n  name: x\n  device: cuda\n```\n\n\
             ```python solution\nimport torch\nx = torch.ones(2, device=\"cuda\")\n```\n"
        )
    };
    let write = |path: &str, text: &str| fs::write(place.join(path), text).unwrap();
    write("lessons/01-first.md", &lesson("first", "\"Tensors & <devices>\"", "", "Where"));
    write("lessons/02-second.md", &lesson("second", "The second", "", "Then"));
    write("lessons/de/01-first.md", &lesson("first", "\"Tensoren & <Geräte>\"", "lang: de\n", "Wo"));
    for file in [
        "index.html",
        "embed.html",
        "embed.js",
        "element.js",
        "index.html.br",
        ".built",
        "app_bg.wasm",
        "sw.js.br",
        "_headers",
    ] {
        write(&format!("dist/{file}"), file);
    }
    write(
        "dist/sw.js",
        "// x\nconst BUILD = \"0123\";\nconst FILES = [\"./index.html\",\"./lessons/09-old.md\"];\nmore();\n",
    );
    write("dist/lessons/index.json", "[]");
    write("dist/lessons/09-old.md", "old");
    place
}

fn pack(place: &Path, more: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tensoryard"));
    command.args(["lesson", "pack"]).arg(place.join("lessons")).arg("--dist").arg(place.join("dist"));
    command.arg("--out").arg(place.join("out")).args(more).output().unwrap()
}

#[track_caller]
fn packed(place: &Path, more: &[&str]) -> String {
    let output = pack(place, more);
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(output.status.success(), "{}{}", text(&output.stdout), text(&output.stderr));
    text(&output.stdout)
}

fn json(path: PathBuf) -> Value {
    serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// The files of a zip, by name.
fn unzip(path: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut zip = zip::ZipArchive::new(fs::File::open(path).unwrap()).unwrap();
    let read = |i: usize| {
        let mut file = zip.by_index(i).unwrap();
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).unwrap();
        (file.name().unwrap().into_owned(), bytes)
    };
    let count = zip::ZipArchive::new(fs::File::open(path).unwrap()).unwrap().len();
    (0..count).map(read).collect()
}

/// An element with its namespace.
#[derive(Debug, Default)]
struct Element {
    space: String,
    name: String,
    attributes: Vec<(String, String)>,
    text: String,
    children: Vec<Element>,
}

impl Element {
    fn parse(bytes: &[u8]) -> Element {
        let mut open = vec![Element::default()];
        for event in EventReader::new(bytes) {
            match event.expect("well-formed XML") {
                XmlEvent::StartElement { name, attributes, .. } => {
                    // An attribute without a prefix is in no namespace.
                    let attribute = |a: xml::attribute::OwnedAttribute| {
                        let space = a.name.namespace.map(|space| format!("{{{space}}}")).unwrap_or_default();
                        (format!("{space}{}", a.name.local_name), a.value)
                    };
                    let attributes = attributes.into_iter().map(attribute).collect();
                    let space = name.namespace.unwrap_or_default();
                    open.push(Element { space, name: name.local_name, attributes, ..Element::default() });
                }
                XmlEvent::EndElement { .. } => {
                    let closed = open.pop().unwrap();
                    open.last_mut().unwrap().children.push(closed);
                }
                XmlEvent::Characters(text) | XmlEvent::CData(text) => open.last_mut().unwrap().text.push_str(&text),
                _ => {}
            }
        }
        open.remove(0).children.remove(0)
    }

    fn get(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    fn all<'a>(&'a self, name: &str) -> Vec<&'a Element> {
        self.children.iter().filter(|child| child.name == name).collect()
    }

    fn one(&self, name: &str) -> &Element {
        let all = self.all(name);
        assert_eq!(all.len(), 1, "{name} in {}", self.name);
        all[0]
    }

    /// Calls `see` with this element and every element in it.
    fn walk<'a>(&'a self, see: &mut dyn FnMut(&'a Element)) {
        see(self);
        self.children.iter().for_each(|child| child.walk(see));
    }
}

/// What a schema allows for an element: attributes (required ones end in `!`), and children in order, each with how often
/// it may occur (`1`, `?`, `+`, `*`). Without children, it contains text.
struct Rule(&'static str, &'static str, &'static [&'static str], &'static [(&'static str, char)]);

/// The sequence of `CourseStructure.xsd`, as far as it is used.
const CMI5_RULES: &[Rule] = &[
    Rule(CMI5, "courseStructure", &[], &[("course", '1'), ("au", '+')]),
    Rule(CMI5, "course", &["id!"], &[("title", '1'), ("description", '1')]),
    Rule(
        CMI5,
        "au",
        &["id!", "moveOn", "masteryScore", "launchMethod", "activityType"],
        &[("title", '1'), ("description", '1'), ("url", '1'), ("launchParameters", '?'), ("entitlementKey", '?')],
    ),
    Rule(CMI5, "title", &[], &[("langstring", '+')]),
    Rule(CMI5, "description", &[], &[("langstring", '+')]),
    Rule(CMI5, "langstring", &["lang"], &[]),
    Rule(CMI5, "url", &[], &[]),
];

/// IMS Content Packaging 1.1.2 with the elements and attributes of SCORM 1.2, as far as they are used.
const SCORM_RULES: &[Rule] = &[
    Rule(
        IMSCP,
        "manifest",
        &["identifier!", "version"],
        &[("metadata", '?'), ("organizations", '1'), ("resources", '1')],
    ),
    Rule(IMSCP, "metadata", &[], &[("schema", '1'), ("schemaversion", '1')]),
    Rule(IMSCP, "schema", &[], &[]),
    Rule(IMSCP, "schemaversion", &[], &[]),
    Rule(IMSCP, "organizations", &["default"], &[("organization", '+')]),
    Rule(IMSCP, "organization", &["identifier!"], &[("title", '1'), ("item", '+')]),
    Rule(IMSCP, "item", &["identifier!", "identifierref", "isvisible"], &[("title", '1'), ("masteryscore", '?')]),
    Rule(ADLCP, "masteryscore", &[], &[]),
    Rule(IMSCP, "title", &[], &[]),
    Rule(IMSCP, "resources", &[], &[("resource", '*')]),
    Rule(
        IMSCP,
        "resource",
        &["identifier!", "type!", "href", "{http://www.adlnet.org/xsd/adlcp_rootv1p2}scormtype!"],
        &[("file", '*'), ("dependency", '*')],
    ),
    Rule(IMSCP, "file", &["href!"], &[]),
    Rule(IMSCP, "dependency", &["identifierref!"], &[]),
];

/// Everything in `root` that no rule allows.
fn against(rules: &[Rule], root: &Element) -> Vec<String> {
    let mut faults = Vec::new();
    root.walk(&mut |element| {
        let Some(Rule(_, name, attributes, children)) =
            rules.iter().find(|rule| rule.0 == element.space && rule.1 == element.name)
        else {
            faults.push(format!("{{{}}}{}", element.space, element.name));
            return;
        };
        let known = |key: &str| attributes.iter().any(|a| a.trim_end_matches('!') == key);
        let unknown = element.attributes.iter().filter(|(key, _)| !known(key));
        faults.extend(unknown.map(|(key, _)| format!("{name} has no attribute {key}")));
        let required = attributes.iter().filter_map(|a| a.strip_suffix('!'));
        faults.extend(required.filter(|key| element.get(key).is_none()).map(|key| format!("{name} without {key}")));
        if children.is_empty() != element.children.is_empty() {
            faults.push(format!("what is in {name}"));
        }
        if !children.is_empty() && !element.text.trim().is_empty() {
            faults.push(format!("text in {name}"));
        }
        let mut rest = element.children.iter().peekable();
        for (child, often) in *children {
            let mut count = 0;
            while rest.next_if(|c| c.name == *child).is_some() {
                count += 1;
            }
            let fits = match often {
                '1' => count == 1,
                '?' => count <= 1,
                '+' => count >= 1,
                _ => true,
            };
            if !fits {
                faults.push(format!("{count} {child} in {name}"));
            }
        }
        faults.extend(rest.map(|child| format!("{} out of place in {name}", child.name)));
    });
    faults
}

#[test]
fn the_rules_of_the_schemas_find_faults() {
    let course =
        |inner: &str| Element::parse(format!("<courseStructure xmlns=\"{CMI5}\">{inner}</courseStructure>").as_bytes());
    let text = "<langstring lang=\"en\">x</langstring>";
    let whole = format!(
        "<course id=\"urn:a\"><title>{text}</title><description>{text}</description></course>\
         <au id=\"urn:b\"><title>{text}</title><description>{text}</description><url>x</url></au>"
    );
    assert_eq!(against(CMI5_RULES, &course(&whole)), Vec::<String>::new());
    for (from, to) in [
        (" id=\"urn:b\"", ""),
        ("<url>x</url>", ""),
        ("<au ", "<au mastery=\"1\" "),
        ("lang=\"en\">x</langstring></title>", "lang=\"en\">x</langstring></title>words"),
        ("<url>x</url>", "<more/><url>x</url>"),
        ("<url>x</url>", "<url xmlns=\"urn:other\">x</url>"),
    ] {
        assert!(!against(CMI5_RULES, &course(&whole.replacen(from, to, 1))).is_empty(), "{from} → {to}");
    }
}

#[test]
fn the_folder_holds_these_lessons_and_announces_them() {
    let place = place("pack-folder");
    let said = packed(&place, &["--host", "https://host.example/yard"]);
    assert!(said.contains("site/ with oEmbed, cmi5.zip, scorm.zip (SCORM 1.2); 2 lessons"), "{said}");
    let site = place.join("out/site");
    let index = json(site.join("lessons/index.json"));
    assert_eq!(index[0]["file"], "01-first.md");
    assert_eq!(
        (&index[0]["id"], &index[0]["title"], &index[0]["minutes"]),
        (&"first".into(), &"Tensors & <devices>".into(), &3.into())
    );
    assert_eq!(index[0]["titles"]["de"], "Tensoren & <Geräte>");
    assert_eq!(index.as_array().unwrap().len(), 2);
    for file in ["lessons/01-first.md", "lessons/de/01-first.md", "lessons/02-second.md"] {
        assert_eq!(fs::read(site.join(file)).unwrap(), fs::read(place.join(file)).unwrap(), "{file}");
    }
    assert!(!site.join("lessons/09-old.md").exists() && !site.join(".built").exists());
    // The first program really ran: it printed, and ended with PyTorch's error.
    let poster = json(site.join("lessons/posters/first.json"));
    assert_eq!(poster["origins"][0], "https://a.example");
    let output = poster["output"].as_str().unwrap();
    assert!(
        output.starts_with("tensor([1., 1.])\nRuntimeError: Expected all tensors to be on the same device"),
        "{output}"
    );

    // Offline use: the list of these files, under another name than that of the original playground.
    let script = fs::read_to_string(site.join("sw.js")).unwrap();
    assert!(
        !script.contains("09-old") && script.contains("\"./lessons/de/01-first.md\"") && script.ends_with("more();\n")
    );
    assert!(
        script.contains("const BUILD = \"0123-") && !script.contains(".br\"") && !script.contains("sw.js\""),
        "{script}"
    );
    assert!(!site.join("sw.js.br").exists() && site.join("index.html.br").exists());
    // Hosts read this file and serve it to nobody. A service worker that tried to store it would never be installed.
    assert!(site.join("_headers").is_file() && !script.contains("_headers"), "{script}");

    // oEmbed: a page that links to a document with the HTML for embedding the lesson.
    let page = fs::read_to_string(site.join("lesson/first.html")).unwrap();
    let link =
        "<link rel=\"alternate\" type=\"application/json+oembed\" href=\"https://host.example/yard/oembed/first.json\"";
    assert!(page.contains(link), "{page}");
    let policy = "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; ";
    assert!(page.contains(policy) && !page.contains("frame-ancestors"), "{page}");
    assert!(
        page.contains("<h1>Tensors &amp; &lt;devices&gt;</h1>") && page.contains("<p>Where x &amp; &lt;3.</p>"),
        "{page}"
    );
    assert!(page.contains("../embed.html#lesson=first&amp;theme=auto&amp;lang=en"), "{page}");
    let document = json(site.join("oembed/first.json"));
    assert_eq!((&document["version"], &document["type"]), (&"1.0".into(), &"rich".into()));
    assert!(document["width"].is_u64() && document["height"].is_u64(), "{document}");
    let html = document["html"].as_str().unwrap();
    assert!(html.starts_with("<iframe src=\"https://host.example/yard/embed.html#lesson=first&amp;"), "{html}");
    assert!(html.contains("Tensors &amp; &lt;devices&gt;") && !html.contains("<devices>"), "{html}");
}

#[test]
fn the_cmi5_package_is_what_its_schema_asks_for() {
    let place = place("pack-cmi5");
    packed(&place, &["--title", "A \"course\" & more"]);
    assert!(!place.join("out/site/oembed").exists(), "no oEmbed without addresses");
    let files = unzip(&place.join("out/cmi5.zip"));
    let course = Element::parse(&files["cmi5.xml"]);
    assert_eq!(against(CMI5_RULES, &course), Vec::<String>::new());
    let title = course.one("course").one("title").one("langstring");
    assert_eq!((title.text.as_str(), title.get("lang")), ("A \"course\" & more", Some("en")));
    let mut ids = HashSet::new();
    course.walk(&mut |element| {
        if let Some(id) = element.get("id") {
            assert!(ids.insert(id), "{id} twice");
            // A complete IRI: a scheme, and no spaces.
            assert!(id.contains(':') && !id.contains(char::is_whitespace), "{id}");
        }
    });
    let units = course.all("au");
    let titles: Vec<_> =
        units[0].one("title").children.iter().map(|s| (s.get("lang").unwrap(), s.text.as_str())).collect();
    assert_eq!(titles, [("en", "Tensors & <devices>"), ("de", "Tensoren & <Geräte>")]);
    assert_eq!(units[0].one("description").children[1].text, "Wo x & <3.");
    for (unit, id) in units.iter().zip(["first", "second"]) {
        assert!(
            ["NotApplicable", "Passed", "Completed", "CompletedAndPassed", "CompletedOrPassed"]
                .contains(&unit.get("moveOn").unwrap())
        );
        assert!((0.0..=1.0).contains(&unit.get("masteryScore").unwrap().parse::<f64>().unwrap()));
        assert!(["AnyWindow", "OwnWindow"].contains(&unit.get("launchMethod").unwrap()));
        // Relative addresses name files in the package.
        let page = String::from_utf8(files[&unit.one("url").text].clone()).unwrap();
        assert!(
            page.contains("name=\"tensoryard-lms\" content=\"cmi5\"") && page.contains(&format!("lesson=\"{id}\"")),
            "{page}"
        );
        assert!(page.contains("name=\"tensoryard-exercises\" content=\"1\""), "{page}");
        assert!(!page.contains("<devices>"), "{page}");
        // Only the package's own scripts: a record store's answers are data.
        let policy = page.find("Content-Security-Policy\" content=\"default-src 'none'; script-src 'self';").unwrap();
        assert!(policy < page.find("<script").unwrap() && page.contains("connect-src https: http:;"), "{page}");
    }
    for file in [
        "lms/cmi5.js",
        "lms/course.js",
        "lms/course.css",
        "element.js",
        "embed.html",
        "app_bg.wasm",
        "lessons/de/01-first.md",
    ] {
        assert!(files.contains_key(file), "{file}");
    }
    assert!(
        !files.keys().any(|name| name.ends_with(".br") || name == "sw.js" || name == "_headers"),
        "{:?}",
        files.keys()
    );
}

#[test]
fn the_scorm_package_is_what_its_schemas_ask_for() {
    let place = place("pack-scorm");
    packed(&place, &[]);
    let files = unzip(&place.join("out/scorm.zip"));
    let manifest = Element::parse(&files["imsmanifest.xml"]);
    assert_eq!(against(SCORM_RULES, &manifest), Vec::<String>::new());
    let metadata = manifest.one("metadata");
    assert_eq!(
        (metadata.one("schema").text.as_str(), metadata.one("schemaversion").text.as_str()),
        ("ADL SCORM", "1.2")
    );
    // xs:ID: each occurs once, and begins with a letter and contains neither a colon nor a space.
    let mut ids = BTreeSet::new();
    manifest.walk(&mut |element| {
        if let Some(id) = element.get("identifier") {
            assert!(ids.insert(id), "{id} twice");
            let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
            assert!(id.starts_with(|c: char| c.is_ascii_alphabetic()) && id.chars().all(plain), "{id}");
        }
    });
    let organizations = manifest.one("organizations");
    let organization = organizations.one("organization");
    assert_eq!(organizations.get("default"), organization.get("identifier"));
    assert_eq!(organization.one("title").text, "Tensors & <devices>");
    let resources = manifest.one("resources").all("resource");
    let kind = format!("{{{ADLCP}}}scormtype");
    let mut listed = BTreeSet::new();
    for resource in &resources {
        assert_eq!(resource.get("type"), Some("webcontent"));
        assert!(matches!(resource.get(&kind), Some("sco" | "asset")));
        listed.extend(resource.all("file").iter().map(|file| file.get("href").unwrap().to_string()));
        for dependency in resource.all("dependency") {
            assert!(resources.iter().any(|r| r.get("identifier") == dependency.get("identifierref")));
        }
    }
    for item in organization.all("item") {
        let resource = resources.iter().find(|r| r.get("identifier") == item.get("identifierref")).unwrap();
        assert_eq!(resource.get(&kind), Some("sco"));
        let page = String::from_utf8(files[resource.get("href").unwrap()].clone()).unwrap();
        assert!(page.contains("name=\"tensoryard-lms\" content=\"scorm\""), "{page}");
        assert!(page.contains("connect-src 'none';"), "{page}");
        assert_eq!(item.one("masteryscore").text, "100");
    }
    // Every file of the package is listed, and every listed file exists.
    let there: BTreeSet<String> = files.keys().filter(|name| *name != "imsmanifest.xml").cloned().collect();
    assert_eq!(listed, there);
}

#[test]
fn what_cannot_be_packed_is_refused_in_a_sentence() {
    let place = place("pack-refused");
    let refused = |more: &[&str], text: &str| {
        let output = pack(&place, more);
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.code() == Some(2) && error.contains(text), "{text}: {error}");
    };
    refused(&["--host", "host.example"], "'host.example' is no address");
    refused(&["--host", "https://a\"b/"], "is no address");
    let german = place.join("lessons/de/01-first.md");
    let text = fs::read_to_string(&german).unwrap();
    fs::write(&german, text.replace("minutes: 3", "minutes: 4")).unwrap();
    refused(&[], "de/01-first.md:6: `minutes` is not what it is in");
    fs::write(&german, text).unwrap();
    fs::copy(place.join("lessons/01-first.md"), place.join("lessons/03-again.md")).unwrap();
    refused(&[], "03-again.md: its name or its id is also that of");
    fs::remove_file(place.join("lessons/03-again.md")).unwrap();
    fs::remove_file(place.join("dist/embed.html")).unwrap();
    refused(&[], "holds no built playground (embed.html is missing)");
    fs::write(place.join("dist/embed.html"), "x").unwrap();
    let second = place.join("lessons/02-second.md");
    fs::write(&second, fs::read_to_string(&second).unwrap().replace("Then `x`", "[Then](elsewhere) `x`")).unwrap();
    let output = pack(&place, &[]);
    // A link without a target is reported, but packing continues: other lessons may be served next to these.
    let told = format!("{}:10: leads to 'elsewhere', which is not packed\n", second.display());
    assert!(output.status.success() && String::from_utf8_lossy(&output.stderr) == told);
    refused(&[], "is there already");
}

/// Worksheets: everything that a learner needs is on paper, and no answer is before the last page.
#[test]
fn worksheets_are_printed_without_answers_but_for_the_last_page() {
    let place = Path::new(env!("CARGO_TARGET_TMPDIR")).join("sheets");
    let _ = fs::remove_dir_all(&place);
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let pack = |args: &[&str]| {
        let out = Command::new(env!("CARGO_BIN_EXE_tensoryard"))
            .args(["lesson", "pack", "lessons", "--print", "--out"])
            .arg(&place)
            .args(args)
            .current_dir(root)
            .output()
            .unwrap();
        (out.status.success(), String::from_utf8_lossy(&out.stderr).into_owned())
    };
    let (fine, said) = pack(&["--host", "https://yard.example/"]);
    assert!(fine, "{said}");
    assert!(!pack(&[]).0, "nothing is written over");
    let mut sheets = 0;
    for entry in fs::read_dir(root.join("lessons")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "md") {
            continue;
        }
        let text = fs::read_to_string(&path).unwrap();
        let lesson = tensoryard::lesson::Lesson::parse(&text, "lesson").unwrap();
        let name = path.with_extension("html");
        let sheet = fs::read_to_string(place.join(name.file_name().unwrap())).unwrap();
        for bad in ["<script", "onerror=", "http-equiv=\"refresh", "src=\"http", "TODO"] {
            assert!(!sheet.contains(bad), "{}: {bad}", path.display());
        }
        let (learner, teacher) = sheet.split_once("<section class=\"answers\">").unwrap();
        let ticks = lesson.steps.iter().flat_map(|step| &step.parts).map(|part| match part {
            tensoryard::lesson::Part::Predict(question) | tensoryard::lesson::Part::Quiz(question) => {
                question.options.len()
            }
            tensoryard::lesson::Part::Text(_) => 0,
        });
        assert_eq!(learner.matches("class=\"tick\"").count(), ticks.sum::<usize>(), "{}", path.display());
        assert_eq!(teacher.matches("class=\"tick\"").count(), 0);
        for step in &lesson.steps {
            let Some(exercise) = &step.exercise else { continue };
            let numbered = |code: &str| -> String {
                let escaped = |line: &str| {
                    line.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
                };
                let line = |line: &str| {
                    format!("<li><code>{}</code></li>\n", if line.is_empty() { "&nbsp;".into() } else { escaped(line) })
                };
                code.trim_end().lines().map(line).collect()
            };
            assert!(learner.contains(&numbered(&exercise.starter.code)), "{}: {}", path.display(), step.id);
            let solution = numbered(&exercise.solution.code);
            assert!(teacher.contains(&solution) && !learner.contains(&solution), "{}: {}", path.display(), step.id);
        }
        assert!(learner.contains(&format!("https://yard.example/#/lesson/{}", lesson.id)));
        let german = fs::read_to_string(place.join("de").join(name.file_name().unwrap())).unwrap();
        assert!(german.contains("<html lang=\"de\">") && german.contains("Lösungen, für die Lehrkraft"));
        sheets += 1;
    }
    assert!(sheets > 30);
    // A bug asks the learner for its line, and tells the teacher which it is.
    for entry in fs::read_dir(root.join("lessons/debug")).unwrap() {
        let path = entry.unwrap().path();
        let lesson = tensoryard::lesson::Lesson::parse(&fs::read_to_string(&path).unwrap(), "lesson").unwrap();
        let name = path.with_extension("html");
        let sheet = fs::read_to_string(place.join("debug").join(name.file_name().unwrap())).unwrap();
        let (learner, teacher) = sheet.split_once("<section class=\"answers\">").unwrap();
        for find in lesson.steps.iter().filter_map(|step| step.exercise.as_ref()?.find.as_ref()) {
            assert!(learner.contains("Which line has to change?"), "{}", path.display());
            let lines: Vec<String> = find.lines.iter().map(u32::to_string).collect();
            let line = format!("s line {}.</b>", lines.join(" or "));
            assert!(teacher.contains(&line) && !learner.contains(&line), "{}: {line}", path.display());
        }
    }
}
