//! What authors get in addition to `lesson check`: the format's JSON schema, and the preview.
#![cfg(feature = "cli")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use serde_json::{Map, Value, json};
use tensoryard::lesson::{Check, Lesson};

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// The schema of a version of the format.
fn schema(format: u64) -> Value {
    let text = fs::read_to_string(Path::new(ROOT).join(format!("www/schema/lesson-{format}.json"))).unwrap();
    serde_json::from_str(&text).unwrap()
}

/// The part of JSON Schema that the schema uses. Anything else in it fails the test.
fn valid(schema: &Value, root: &Value, value: &Value) -> Result<(), String> {
    let wrong = |why: &str| Err(format!("{value}: {why}"));
    for (key, rule) in schema.as_object().unwrap() {
        let fine = match key.as_str() {
            "$schema" | "$defs" | "title" | "description" | "default" => true,
            "$ref" => {
                let name = rule.as_str().unwrap().strip_prefix("#/$defs/").unwrap();
                valid(&root["$defs"][name], root, value)?;
                true
            }
            "const" => rule == value,
            "enum" => rule.as_array().unwrap().contains(value),
            "type" => match rule.as_str().unwrap() {
                "object" => value.is_object(),
                "array" => value.is_array(),
                "string" => value.is_string(),
                "boolean" => value.is_boolean(),
                "integer" => value.is_u64() || value.is_i64(),
                "number" => value.is_number(),
                other => panic!("type {other}"),
            },
            "minimum" => value.as_f64() >= rule.as_f64(),
            "maximum" => value.as_f64() <= rule.as_f64(),
            "minLength" => value.as_str().unwrap().chars().count() as u64 >= rule.as_u64().unwrap(),
            "maxLength" => value.as_str().unwrap().chars().count() as u64 <= rule.as_u64().unwrap(),
            "pattern" => matches(rule.as_str().unwrap(), value.as_str().unwrap()),
            "minItems" => value.as_array().unwrap().len() as u64 >= rule.as_u64().unwrap(),
            "uniqueItems" => {
                let items = value.as_array().unwrap();
                items.iter().enumerate().all(|(i, item)| !items[..i].contains(item))
            }
            "items" => {
                value.as_array().into_iter().flatten().try_for_each(|item| valid(rule, root, item)).map(|()| true)?
            }
            "oneOf" => rule.as_array().unwrap().iter().filter(|one| valid(one, root, value).is_ok()).count() == 1,
            "required" => rule.as_array().unwrap().iter().all(|key| value.get(key.as_str().unwrap()).is_some()),
            "properties" => {
                for (name, rule) in rule.as_object().unwrap() {
                    value.get(name).map_or(Ok(()), |value| valid(rule, root, value))?;
                }
                true
            }
            "additionalProperties" => {
                let is_listed = |name: &str| schema.get("properties").is_some_and(|keys| keys.get(name).is_some());
                let mut others = value.as_object().into_iter().flatten().filter(|(name, _)| !is_listed(name));
                match rule {
                    Value::Bool(false) => others.next().is_none(),
                    rule => others.try_for_each(|(_, value)| valid(rule, root, value)).map(|()| true)?,
                }
            }
            "propertyNames" => {
                let mut names = value.as_object().into_iter().flatten().map(|(name, _)| Value::from(name.as_str()));
                names.try_for_each(|name| valid(rule, root, &name)).map(|()| true)?
            }
            other => panic!("the schema says '{other}', which this test does not know"),
        };
        if !fine {
            return wrong(key);
        }
    }
    Ok(())
}

/// The patterns of the schema.
fn matches(pattern: &str, text: &str) -> bool {
    let lower =
        |text: &str, more: &str| text.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || more.contains(c));
    match pattern {
        "^[a-z0-9]+(-[a-z0-9]+)*$" => text.split('-').all(|word| !word.is_empty() && lower(word, "")),
        "^[A-Za-z0-9_-][A-Za-z0-9._-]*$" => {
            text.chars().all(|c| c.is_ascii_alphanumeric() || "._-".contains(c)) && !text.starts_with('.')
        }
        "^[a-z]{2}$" => text.len() == 2 && text.chars().all(|c| c.is_ascii_lowercase()),
        "^https?://[a-z0-9.-]+(:[1-9][0-9]*)?$" => {
            let rest = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"));
            rest.is_some_and(|rest| {
                let (host, port) = rest.split_once(':').unwrap_or((rest, "1"));
                let digits = port.chars().all(|c| c.is_ascii_digit()) && !port.starts_with('0') && !port.is_empty();
                !host.is_empty() && lower(host, ".-") && digits
            })
        }
        other => panic!("the pattern {other} is not known to this test"),
    }
}

fn keys(value: &Value) -> BTreeSet<String> {
    value.as_object().unwrap().keys().cloned().collect()
}

fn required(schema: &Value) -> BTreeSet<String> {
    schema["required"].as_array().unwrap().iter().map(|key| key.as_str().unwrap().to_string()).collect()
}

/// Names in backticks after "expected one of".
fn expected(text: &str) -> BTreeSet<String> {
    let (_, list) = text.split_once("expected one of ").unwrap_or_else(|| panic!("{text}"));
    list.split('`').skip(1).step_by(2).map(str::to_string).collect()
}

#[test]
fn the_schemas_have_the_checks_that_are_read() {
    let [first, second] = [schema(1), schema(2)];
    has_checks(&first, &first["$defs"]["checks"]["items"]["oneOf"]);
    has_checks(&second, &second["$defs"]["checks"]["items"]["oneOf"]);
    has_checks(&second, &second["$defs"]["predict"]["properties"]["proof"]["items"]["oneOf"]);
}

/// Kinds of checks that only format 2 has.
const SECOND: [&str; 3] = ["clock", "kernels", "loops"];

/// Compares variants of checks with those that are read. In format 2 a check has keys besides those of its kind, and a
/// proof has no label.
fn has_checks(root: &Value, variants: &Value) {
    let variants = variants.as_array().unwrap();
    let kinds = variants.iter().map(|v| v["properties"]["kind"]["const"].as_str().unwrap().to_string()).collect();
    let unknown = serde_json::from_value::<Check>(json!({ "kind": "?" })).unwrap_err().to_string();
    let mut read_kinds = expected(&unknown);
    if root["$defs"]["front"]["properties"]["format"]["const"] == 1 {
        read_kinds.retain(|kind| !SECOND.contains(&kind.as_str()));
    }
    assert_eq!(read_kinds, kinds);
    for variant in variants {
        let sample = |(name, rule): (&String, &Value)| {
            let value = match (rule.get("const"), rule.get("enum"), rule.get("type").and_then(Value::as_str)) {
                (Some(value), ..) => value.clone(),
                (_, Some(values), _) => values[0].clone(),
                (.., Some("boolean")) => json!(false),
                (.., Some("string")) => json!("cpu"),
                _ if rule["$ref"] == "#/$defs/count" => json!(3),
                _ if rule["$ref"] == "#/$defs/label" => json!("It is so."),
                _ if rule["$ref"] == "#/$defs/id" => json!("an-objective"),
                _ => panic!("{rule}"),
            };
            (name.clone(), value)
        };
        let whole: Map<String, Value> = variant["properties"].as_object().unwrap().iter().map(sample).collect();
        let whole = {
            // `guard` and `objective` say what a check counts for. `Check` doesn't hold them; the step's scoring does.
            let mut own = whole;
            for (key, value) in [("guard", json!(false)), ("objective", json!("an-objective"))] {
                assert!(own.shift_remove(key).is_none_or(|sample| sample == value), "{key}");
            }
            own
        };
        let has_label = whole.contains_key("label");
        let read = |value: &Map<String, Value>| {
            let mut value = value.clone();
            if !has_label {
                value.insert("label".into(), "".into());
            }
            serde_json::from_value::<Check>(Value::Object(value))
        };
        let check = read(&whole).unwrap_or_else(|e| panic!("{whole:?}: {e}"));
        // Every key belongs to the type, and all of the type's keys are in the schema.
        let mut written = serde_json::to_value(&check).unwrap();
        if !has_label {
            written.as_object_mut().unwrap().shift_remove("label");
        }
        assert_eq!(written, Value::Object(whole.clone()));
        for key in whole.keys() {
            let mut less = whole.clone();
            less.remove(key);
            assert_eq!(read(&less).is_err(), required(variant).contains(key), "{key} of {whole:?}");
        }
        let mut more = whole.clone();
        more.insert("more".into(), json!(1));
        assert!(read(&more).is_err() && valid(variant, root, &Value::Object(more)).is_err(), "{whole:?}");
    }
}

/// A lesson with this front matter and this question.
fn lesson(front: &Value, question: &Value) -> String {
    let yaml = |value: &Value| serde_norway::to_string(value).unwrap();
    format!(
        "---\n{}---\n\n## A step\n\n```predict\n{}```\n\n```python starter\n1\n```\n\n```check\n- {{kind: no_error, label: a}}\n```\n\n\
         ```python solution\n2\n```\n",
        yaml(front),
        yaml(question)
    )
}

fn whole_front() -> Value {
    json!({
        "format": 1, "id": "a-lesson", "title": "A lesson", "lang": "de", "minutes": 5, "machine": "cuda:1",
        "requires": ["another"], "origins": ["https://a.example"], "part": "a", "aim": "do it",
    })
}

/// With the keys of format 2 as well.
fn second_front() -> Value {
    let front = with(&whole_front(), "format", json!(2));
    let front = with(&front, "objectives", json!({ "do-it": "Do it" }));
    // The reader reads both; the check says that a lesson has a part or a track.
    let front = with(&with(&front, "track", json!("debug")), "level", json!(1));
    with(&front, "files", json!([{ "name": "a.svg", "dark": "b.svg", "alt": "A" }, { "name": "c.csv" }]))
}

fn whole_question() -> Value {
    json!({ "question": "What?", "options": [{ "text": "A", "correct": true }, { "text": "B" }], "because": "Yes." })
}

fn without(value: &Value, key: &str) -> Value {
    let mut less = value.clone();
    less.as_object_mut().unwrap().remove(key);
    less
}

fn with(value: &Value, key: &str, to: Value) -> Value {
    let mut more = value.clone();
    more[key] = to;
    more
}

#[test]
fn the_schemas_have_the_keys_that_are_read() {
    let question = whole_question();
    let read = |front: &Value, question: &Value| Lesson::parse(&lesson(front, question), "x.md");
    let said = |front: &Value, question: &Value| {
        read(front, question).unwrap_err().iter().map(|fault| fault.message.clone()).collect::<Vec<_>>().join("\n")
    };
    // The reader's error names every key that it knows, of either format.
    let both = |of: &[(u64, &str)]| -> BTreeSet<String> {
        of.iter().flat_map(|(format, rule)| keys(&schema(*format)["$defs"][*rule]["properties"])).collect()
    };
    for (format, front, ask) in [(1, whole_front(), "question"), (2, second_front(), "predict")] {
        let root = schema(format);
        read(&front, &question).unwrap();
        let rule = &root["$defs"]["front"];
        assert_eq!(expected(&said(&with(&front, "more", json!(1)), &question)), both(&[(1, "front"), (2, "front")]));
        assert_eq!(keys(&front), keys(&rule["properties"]), "format {format}");
        for key in keys(&front) {
            assert_eq!(read(&without(&front, &key), &question).is_err(), required(rule).contains(&key), "{key}");
        }
        let asked = expected(&said(&front, &with(&question, "more", json!(1))));
        assert_eq!(asked, both(&[(1, "question"), (2, "predict"), (2, "quiz")]));
        for key in keys(&question) {
            let is_required = required(&root["$defs"][ask]).contains(&key);
            assert_eq!(read(&front, &without(&question, &key)).is_err(), is_required, "{key}");
        }
    }
    for key in ["objectives", "files", "track", "level"] {
        let front = with(&whole_front(), key, second_front()[key].clone());
        assert!(read(&front, &question).is_err() && valid(&schema(1), &schema(1), &front).is_err(), "{key}");
    }
}

#[test]
fn the_schema_and_the_reader_refuse_the_same_values() {
    let question = whole_question();
    let machine = json!({ "name": "one", "build": "cuda", "devices": [{ "kind": "cuda", "memory_mib": 64 }] });
    let cases = [
        ("id", vec![json!("a"), json!("a-1")], vec![json!("A"), json!("a--b"), json!(""), json!("a".repeat(81))]),
        ("minutes", vec![json!(1), json!(180)], vec![json!(0), json!(181), json!(1.5), json!("many")]),
        ("format", vec![], vec![json!(0), json!(3), json!("1"), json!(1.5)]),
        ("part", vec![json!(0), json!("0"), json!("g")], vec![json!(1), json!("h"), json!(""), json!([])]),
        ("aim", vec![json!("do it")], vec![json!(""), json!(["a"])]),
        ("lang", vec![json!("de")], vec![json!("deu"), json!("DE"), json!("")]),
        ("requires", vec![json!([])], vec![json!(["a", "a"]), json!(["A"]), json!("a")]),
        (
            "origins",
            vec![json!([]), json!(["http://localhost:8080"])],
            vec![json!(["https://a/"]), json!(["a.example"]), json!(["https://a:0"]), json!(["https://A"]), json!("x")],
        ),
        (
            "machine",
            vec![json!("mps"), json!({ "preset": "cuda:2", "memory_mib": [64, 32] }), machine.clone()],
            vec![
                json!("tpu"),
                json!({ "preset": "cuda:1", "memory": 1 }),
                with(&machine, "more", json!(1)),
                without(&machine, "build"),
                json!(1),
            ],
        ),
    ];
    let second = [
        ("track", vec![json!("debug"), json!("puzzles")], vec![json!("a"), json!(""), json!(1), json!([])]),
        ("level", vec![json!(1), json!(3)], vec![json!(0), json!(4), json!(1.5), json!("hard")]),
        (
            "objectives",
            vec![json!({ "a": "A", "b-1": "B" })],
            vec![json!({ "A": "a" }), json!({ "a": "" }), json!(["a"]), json!({ "a": 1 })],
        ),
        (
            "files",
            vec![json!([]), json!([{ "name": "a.csv" }])],
            vec![
                json!([{ "name": "../a.csv" }]),
                json!([{ "name": ".a" }]),
                json!([{ "dark": "a.svg" }]),
                json!([{ "name": "a.csv", "more": 1 }]),
                json!(["a.csv"]),
            ],
        ),
    ];
    let of_both = cases.iter().flat_map(|case| [(1, case), (2, case)]);
    for (format, (key, good, bad)) in of_both.chain(second.iter().map(|case| (2, case))) {
        let root = schema(format);
        let verdict = |value: &Value| {
            let front = if format == 1 { whole_front() } else { second_front() };
            let front = with(&front, key, value.clone());
            (valid(&root, &root, &front), Lesson::parse(&lesson(&front, &question), "x.md"))
        };
        for value in good {
            let (schema, reader) = verdict(value);
            assert!(schema.is_ok() && reader.is_ok(), "{key}: {value}: {schema:?} {reader:?}");
        }
        for value in bad {
            let (schema, reader) = verdict(value);
            assert!(schema.is_err() && reader.is_err(), "{key}: {value}: {schema:?} {:?}", reader.is_err());
        }
    }
}

#[test]
fn every_lesson_of_this_site_fits_its_schema() {
    let schemas = [schema(1), schema(2)];
    let mut files = Vec::new();
    for folder in [
        "lessons",
        "lessons/de",
        "lessons/debug",
        "lessons/puzzles",
        "tests/format2",
        "tests/format2/de",
        "tests/format2/debug",
        "tests/format2/puzzles",
    ] {
        let entries = fs::read_dir(Path::new(ROOT).join(folder)).into_iter().flatten();
        files.extend(entries.map(|e| e.unwrap().path()).filter(|p| p.extension().is_some_and(|e| e == "md")));
    }
    assert!(files.len() >= 20, "{}", files.len());
    for path in files {
        let text = fs::read_to_string(&path).unwrap();
        let format = if text.contains("\nformat: 1\n") { 1 } else { 2 };
        let root = &schemas[format - 1];
        let fits = |rule: &Value, yaml: &str| {
            let value: Value = serde_norway::from_str(yaml).unwrap();
            valid(rule, root, &value).unwrap_or_else(|why| panic!("{}: {why}", path.display()));
        };
        fits(root, text[4..].split("\n---\n").next().unwrap());
        let blocks: Vec<&str> = text.split("\n```").collect();
        for block in &blocks {
            let (role, yaml) = block.split_once('\n').unwrap_or((block, ""));
            match role.split(' ').next() {
                Some("check") => fits(&root["$defs"]["checks"], yaml),
                Some("predict" | "quiz") if format == 1 => fits(&root["$defs"]["question"], yaml),
                Some(block @ ("predict" | "quiz" | "diagram" | "find")) => fits(&root["$defs"][block], yaml),
                _ => {}
            }
        }
    }
}

/// The playground is built before there is a command line. So the files that it writes for this site's lessons are kept in the
/// repository.
#[test]
fn the_list_and_the_posters_of_this_site_are_what_the_command_line_writes() {
    let out = std::env::temp_dir().join(format!("tensoryard-published-{}", std::process::id()));
    let lessons = Path::new(ROOT).join("lessons");
    let ran = Command::new(env!("CARGO_BIN_EXE_tensoryard"))
        .args(["lesson", "publish"])
        .arg(&lessons)
        .arg("--out")
        .arg(&out)
        .output()
        .unwrap();
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    let read = |folder: &Path| -> BTreeMap<String, String> {
        let posters = fs::read_dir(folder.join("posters")).unwrap().map(|entry| entry.unwrap().path());
        let files = posters.chain([folder.join("index.json"), folder.join("glossary.json")]);
        files.map(|file| (file.file_name().unwrap().display().to_string(), fs::read_to_string(file).unwrap())).collect()
    };
    let (kept, written) = (read(&lessons), read(&out));
    let _ = fs::remove_dir_all(&out);
    assert_eq!(
        kept.keys().collect::<Vec<_>>(),
        written.keys().collect::<Vec<_>>(),
        "run tensoryard lesson publish lessons"
    );
    for (file, text) in &written {
        assert_eq!(&kept[file], text, "lessons/…/{file}: run tensoryard lesson publish lessons");
    }
}

/// A running preview, ended with the test.
struct Preview {
    child: Child,
    address: String,
    /// Its first line of output.
    said: String,
}

impl Drop for Preview {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Preview {
    fn start(path: &Path, dist: &Path) -> Preview {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tensoryard"));
        let command = command.args(["lesson", "preview"]).arg(path).arg("--dist").arg(dist);
        let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
        let mut said = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut said).unwrap();
        let address = said.split("http://").nth(1).unwrap_or_else(|| panic!("{said}"));
        let address = address.split('/').next().unwrap().to_string();
        Preview { child, address, said }
    }

    /// Status line, headers and body.
    fn get(&self, path: &str) -> (String, String) {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        write!(stream, "GET {path} HTTP/1.1\r\nHost: {}\r\n\r\n", self.address).unwrap();
        let mut text = String::new();
        stream.read_to_string(&mut text).unwrap();
        let (head, body) = text.split_once("\r\n\r\n").unwrap();
        (head.to_string(), body.to_string())
    }

    fn json(&self, path: &str) -> Value {
        serde_json::from_str(&self.get(path).1).unwrap()
    }
}

#[test]
fn a_preview_shows_the_file_as_it_is_now() {
    let place: PathBuf = Path::new(env!("CARGO_TARGET_TMPDIR")).join("preview");
    let _ = fs::remove_dir_all(&place);
    fs::create_dir_all(place.join("mine/de")).unwrap();
    fs::create_dir_all(place.join("dist/lessons")).unwrap();
    let write = |path: &str, text: &str| fs::write(place.join(path), text).unwrap();
    write("dist/index.html", "<html><head></head></html>");
    write("dist/offline.js", "store();");
    write("dist/lessons/index.json", r#"[{"id":"old","file":"01-old.md"},{"id":"a-lesson","file":"02-a.md"}]"#);
    write("dist/lessons/01-old.md", "old");
    let text = lesson(&without(&whole_front(), "lang"), &whole_question());
    write("mine/a.md", &text);
    write("mine/de/a.md", &text.replace("title: A lesson", "title: Eine Lektion\nlang: de"));

    let preview = Preview::start(&place.join("mine/a.md"), &place.join("dist"));
    assert!(preview.said.contains("/#/lesson/a-lesson "), "{}", preview.said);
    let (head, page) = preview.get("/");
    assert!(
        head.contains("text/html") && head.contains("Content-Security-Policy") && head.contains("no-cache"),
        "{head}"
    );
    assert_eq!(page, "<html><head><script type=\"module\" src=\"./preview.js\"></script></head></html>");
    // Unpublished lessons, with their solutions: no other page may read them, whatever name it uses for this machine.
    assert!(!head.contains("Access-Control-Allow-Origin"), "{head}");
    assert!(head.contains("frame-ancestors 'self'"), "{head}");
    let mut stream = TcpStream::connect(&preview.address).unwrap();
    write!(stream, "GET /lessons/a.md HTTP/1.1\r\nHost: rebound.example\r\n\r\n").unwrap();
    let mut refused = String::new();
    stream.read_to_string(&mut refused).unwrap();
    assert!(refused.starts_with("HTTP/1.1 421 ") && !refused.contains("A lesson"), "{refused}");
    let (head, script) = preview.get("/preview.js");
    assert!(head.contains("text/javascript") && script.contains("preview.json"), "{head}");
    assert_eq!(preview.get("/offline.js").1, "", "nothing is stored for later");
    let list = preview.json("/lessons/index.json");
    assert_eq!(
        list[0],
        json!({
            "id": "a-lesson", "file": "a.md", "title": "A lesson", "minutes": 5, "titles": { "de": "Eine Lektion" },
            "part": "a", "aim": "do it", "aims": {}, "steps": 1, "solutions": {},
        })
    );
    assert_eq!((list.as_array().unwrap().len(), &list[1]["id"]), (2, &json!("old")));
    assert_eq!(preview.get("/lessons/a.md").1, text);
    assert!(preview.get("/lessons/de/a.md").1.contains("Eine Lektion"));
    assert_eq!(preview.get("/lessons/01-old.md").1, "old");
    assert_eq!(preview.json("/lessons/posters/a-lesson.json")["code"], "1\n");
    for outside in ["/lessons/../mine/a.md", "/lessons/%2e%2e/mine/a.md", "/lessons/b.md"] {
        assert!(preview.get(outside).0.starts_with("HTTP/1.1 404"), "{outside}");
    }

    // Each change changes the version, even in a translation. With the first content, the first version returns.
    let version = || preview.json("/preview.json")["version"].clone();
    let first = version();
    assert_eq!(version(), first);
    write("mine/a.md", &text.replace("A step", "Another step"));
    let second = version();
    assert_ne!(second, first);
    assert!(preview.get("/lessons/a.md").1.contains("Another step"));
    write("mine/de/a.md", "x");
    assert_ne!(version(), second);
    // A lesson with faults is still listed, so that the page can show them.
    write("mine/a.md", "---\nformat: 1\nid: a-lesson\ntitle: [\n");
    assert_eq!(preview.json("/lessons/index.json")[0]["id"], "a-lesson");
    assert_eq!(preview.json("/lessons/index.json")[0]["file"], "a.md");
}
