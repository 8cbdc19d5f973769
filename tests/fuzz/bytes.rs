//! Parsers of strangers' bytes.

use std::rc::Rc;

use tensoryard::app::progress::Backup;
use tensoryard::app::route::Route;
use tensoryard::app::{edit, notebook, share, terminal, upload};
use tensoryard::checkpoint::Archive;
use tensoryard::lesson::{Lesson, translation};
use tensoryard::machine::Machine;
use tensoryard::protocol::{FromWorker, ToWorker};
use tensoryard::python::output::Captured;
use tensoryard::python::{Program, run};
use tensoryard::{base64url, safetensors};

use crate::{files, fuzz};

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn archive() {
    fuzz("archive", files("tests/oracle/save", ".pt"), |bytes| {
        if let Ok(archive) = Archive::open(bytes.to_vec()) {
            for name in ["data.pkl", "version", "data/0", "data/1", "byteorder", ".format_version"] {
                let _ = archive.has(name).then(|| archive.read(name, None));
            }
        }
    });
}

/// The result of `torch.load` for a checkpoint, walked as a program would walk it.
#[test]
fn checkpoint() {
    const WALK: &str = r#"
import io, torch
def walk(value, depth=0):
    if depth > 20:
        return
    if isinstance(value, torch.Tensor):
        repr(value), value.shape, value.sum() if value.is_floating_point() else None
    elif isinstance(value, dict):
        for key in list(value)[:50]:
            walk(key, depth + 1), walk(value[key], depth + 1)
    elif isinstance(value, (list, tuple, set)):
        for one in list(value)[:50]:
            walk(one, depth + 1)
    else:
        repr(value)
for data in DATA:
    try:
        walk(torch.load(io.BytesIO(bytes.fromhex(data)), map_location="cpu"))
    except SystemError:
        raise
    except Exception:
        pass
"#;
    // Starting an interpreter takes longer than reading a file, so one interpreter reads many.
    let mut waiting: Vec<String> = Vec::new();
    fuzz("checkpoint", files("tests/oracle/save", ".pt"), |bytes| {
        waiting.push(format!("'{}'", bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>()));
        if waiting.len() == 20 {
            let source = format!("DATA = [{}]\n{WALK}", std::mem::take(&mut waiting).join(","));
            let ended = run(&Program::new("main.py", source), Rc::new(Captured::default()));
            assert!(ended.error.is_none(), "one of the latest 20 inputs: {:?}", ended.error);
        }
    });
}

#[test]
fn safetensors_file() {
    let header = r#"{"a":{"dtype":"F32","shape":[2,2],"data_offsets":[0,16]},"b":{"dtype":"I64","shape":[1],"data_offsets":[16,24]},"__metadata__":{"format":"pt"}}"#;
    let mut file = (header.len() as u64).to_le_bytes().to_vec();
    file.extend_from_slice(header.as_bytes());
    file.extend_from_slice(&[7; 24]);
    fuzz("safetensors", vec![file], |bytes| drop(safetensors::read(bytes)));
}

#[test]
fn lesson() {
    let mut corpus = files("lessons", ".md");
    corpus.extend(files("lessons/de", ".md"));
    let original = text(&files("lessons", ".md")[0]);
    let read = Lesson::parse(&original, "original.md").expect("a lesson of the course is read");
    fuzz("lesson", corpus, |bytes| {
        let text = text(bytes);
        if let Ok(lesson) = Lesson::parse(&text, "lesson.md") {
            let _ = lesson.review(&text, "lesson.md");
            let _ = translation::in_words_of(&read, &lesson);
        }
    });
}

#[test]
fn link() {
    let code = "import torch\nx = torch.ones(3, device='cuda')\nprint(x)\n".repeat(3);
    let packed = [
        share::pack("x = 1", None, None),
        share::pack(&code, Some("cuda:2".into()), None),
        share::pack(&code, None, Some(("where-a-tensor-lives".into(), "names".into()))),
        share::pack_progress(&Backup::new([("progress.a".to_string(), "{\"done\":[\"x\"]}".to_string())])),
    ];
    fuzz("link", packed.map(String::into_bytes).into(), |bytes| {
        let text = text(bytes);
        let _ = (share::unpack(&text).is_ok(), share::unpack_progress(&text).is_ok(), share::names_lesson(&text));
        let _ = (Route::parse(&text).fragment(), base64url::decode(&text));
    });
}

/// The same for packed content: a link whose encoding is valid and whose content isn't.
#[test]
fn link_content() {
    let program = br#"{"code":"x = 1\nprint(x)\n","machine":"cuda:1","lesson":["a","b"]}"#.to_vec();
    fuzz("link_content", vec![program, b"{\"progress.a\":\"{}\"}".to_vec()], |bytes| {
        let packed = base64url::encode(&miniz_oxide::deflate::compress_to_vec(bytes, 6));
        let _ = (share::unpack(&packed).is_ok(), share::unpack_progress(&packed).is_ok());
    });
}

#[test]
fn file_given_to_the_page() {
    let mut corpus = vec![notebook::to_notebook("import torch\n# %%\nprint(1)\n").into_bytes(), b"print(1)\n".to_vec()];
    corpus.push(br#"{"progress.a":"{\"done\":[\"x\"],\"hints\":{\"x\":2}}"}"#.to_vec());
    corpus.extend(files("tests/oracle/save", ".pt").into_iter().take(3));
    fuzz("file_given", corpus, |bytes| {
        for name in ["a.ipynb", "a.py", "a.pt", "../\u{202e}a.txt"] {
            let _ = (notebook::from_file(name, bytes).is_ok(), upload::plain_name(name));
        }
        let _ = (upload::check(bytes).is_ok(), Backup::parse(bytes).map(|backup| backup.text()));
    });
}

#[test]
fn editor_and_terminal() {
    let corpus = files("tests/programs", ".py").into_iter().take(30).collect();
    fuzz("editor_and_terminal", corpus, |bytes| {
        let text = text(bytes);
        for line in [0, 1, 3, u32::MAX] {
            let _ = edit::place(&text, "x", line, "cuda:0").is_ok();
        }
        let _ = (terminal::write("a\rb\u{8}", &text), terminal::parts(&text).len(), terminal::latest(&text, 100));
    });
}

#[test]
fn protocol_message() {
    let messages = [
        r#"{"type":"run","run":1,"code":"print(1)","machine":{"devices":[]},"executor":"auto","lines":true,"checks":[],"files":[]}"#,
        r#"{"type":"prepare","machine":{"devices":[{"kind":"cuda"}]},"executor":"cpu"}"#,
        r#"{"type":"stop"}"#,
        r#"{"type":"started","run":1,"executor":"cpu"}"#,
        r#"{"type":"output","run":1,"stream":"stdout","text":"a"}"#,
        r#"{"type":"events","run":1,"events":[]}"#,
    ];
    fuzz("protocol", messages.map(|message| message.as_bytes().to_vec()).into(), |bytes| {
        let _ =
            (serde_json::from_slice::<ToWorker>(bytes).is_ok(), serde_json::from_slice::<FromWorker>(bytes).is_ok());
    });
}

#[test]
fn machine_file() {
    let machine = r#"{ "name": "two small cards", "build": "cuda", "devices": [ { "kind": "cuda", "name": "Example 4 GB", "memory_mib": 4096 }, { "kind": "cuda", "memory_mib": 4096 } ] }"#;
    fuzz("machine_file", vec![machine.as_bytes().to_vec()], |bytes| {
        if let Ok(machine) = Machine::from_json(&text(bytes), "machine.json") {
            let _ = (machine.accelerators().len(), machine.cuda_count());
            let _ = tensoryard::smi::render(&machine, &[]);
        }
    });
}

/// Programs as a learner might mistype them, for the check before every parser that measures their nesting.
#[test]
fn program_text() {
    fuzz("program_text", files("tests/programs", ".py"), |bytes| {
        let _ = tensoryard::nesting::check(&text(bytes)).is_ok();
    });
}
