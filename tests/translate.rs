//! `tensoryard lesson translate`, and a language that isn't compiled in, from the first file to the list of lessons.
#![cfg(feature = "cli")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

const LESSON: &str = "\
---
format: 1
id: moving-day
title: The day on which everything moves
minutes: 4
machine: cuda:1
---

Here you learn how one tensor gets to another device.

## Move it

A tensor is born on the CPU and stays there.

```predict
question: Where is `x` now?
options:
  - text: on the CPU of course
    correct: true
  - text: on the GPU of course
because: |
  Nothing has moved it away from there.
```

```python starter
import torch
x = torch.ones(3)
```

```check
- kind: device
  label: The tensor `x` is on the GPU.
  name: x
  device: cuda
```

```hint
Have a look at `to`.
```

```hint
Assign what `to` returns.
```

```python solution
import torch
x = torch.ones(3).to(\"cuda\")
```

```python must_fail the answer is printed
print(\"cuda:0\")
```

```why
The method `to` returns a tensor.
```
";

const SPANISH: [(&str, &str); 12] = [
    ("The day on which everything moves", "El día en que todo se muda"),
    ("Here you learn how one tensor gets to another device.", "Aquí aprendes cómo llega un tensor a otro dispositivo."),
    ("## Move it", "## Muévelo"),
    ("A tensor is born on the CPU and stays there.", "Un tensor nace en la CPU y se queda allí."),
    ("Where is `x` now?", "¿Dónde está `x` ahora?"),
    ("on the CPU of course", "en la CPU, claro"),
    ("on the GPU of course", "en la GPU, claro"),
    ("Nothing has moved it away from there.", "Nada lo ha sacado de allí."),
    ("The tensor `x` is on the GPU.", "El tensor `x` está en la GPU."),
    ("Have a look at `to`.", "Échale un vistazo a `to`."),
    ("Assign what `to` returns.", "Asigna lo que devuelve `to`."),
    ("The method `to` returns a tensor.", "El método `to` devuelve un tensor."),
];

fn place(name: &str) -> PathBuf {
    let place = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("translate-{name}"));
    let _ = fs::remove_dir_all(&place);
    fs::create_dir_all(&place).unwrap();
    place
}

/// Runs the command line. Returns whether it succeeded, and what it printed.
fn run(arguments: &[&str]) -> (bool, String) {
    let out = Command::new(env!("CARGO_BIN_EXE_tensoryard")).arg("lesson").args(arguments).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (out.status.success(), text(&out.stdout) + &text(&out.stderr))
}

#[test]
fn a_new_language_from_end_to_end() {
    let place = place("es");
    let path = |name: &str| place.join(name).display().to_string();
    let (folder, original, translation) = (path(""), path("01-moving-day.md"), path("es/01-moving-day.md"));
    fs::write(&original, LESSON).unwrap();
    fs::write(path("glossary.yaml"), "device: Where a tensor is.\n").unwrap();

    let (fine, said) = run(&["translate", &original, "es"]);
    assert!(fine && said.contains("12 of 12 texts left"), "{said}");
    assert!(said.contains(&format!("{translation}:10: Here you learn")), "{said}");
    let (fine, said) = run(&["check", "--no-run", &translation]);
    assert!(!fine && said.contains(&format!("{translation}:10: not translated")), "{said}");
    let (fine, said) = run(&["publish", &folder]);
    assert!(!fine && said.contains("not translated"), "{said}");

    // One text at a time; no run of the command undoes the work.
    let mut text = fs::read_to_string(&translation).unwrap();
    for (done, (english, spanish)) in (1..).zip(SPANISH) {
        text = text.replacen(english, spanish, 1);
        fs::write(&translation, &text).unwrap();
        let (_, said) = run(&["translate", &original, "es"]);
        let expected =
            if done == 12 { "all 12 texts are translated".into() } else { format!("{} of 12 texts left", 12 - done) };
        assert!(said.contains(&expected), "{english}: {said}");
        assert_eq!(fs::read_to_string(&translation).unwrap(), text);
    }

    // The page's own texts.
    let (_, said) = run(&["translate", &folder, "es"]);
    assert!(said.contains("page.yaml") && said.contains("(not begun)"), "{said}");
    assert!(!Path::new(&path("es/page.yaml")).exists());
    run(&["translate", &folder, "es", "--all"]);
    assert!(Path::new(&path("es/glossary.yaml")).exists());
    let page = fs::read_to_string(path("es/page.yaml")).unwrap();
    for (english, spanish) in [("Next step", "Paso siguiente"), ("{done} of {steps} steps", "{done} de {steps} pasos")]
    {
        let pair = format!("- en: \"{english}\"\n  es: ");
        let begun = format!("{pair}\"{english}\"");
        assert!(page.contains(&begun), "{english}");
        let page = fs::read_to_string(path("es/page.yaml")).unwrap();
        fs::write(path("es/page.yaml"), page.replace(&begun, &format!("{pair}\"{spanish}\""))).unwrap();
    }
    let before = fs::read_to_string(path("es/page.yaml")).unwrap();
    run(&["translate", &folder, "es", "--all"]);
    assert_eq!(fs::read_to_string(path("es/page.yaml")).unwrap(), before);
    fs::write(path("es/glossary.yaml"), "device: Donde está un tensor.\n").unwrap();

    let (_, said) = run(&["check", "--no-run", &translation]);
    assert!(!said.contains(&translation), "{said}");
    let (fine, said) = run(&["publish", &folder]);
    assert!(fine, "{said}");
    let json = |name: &str| -> Value { serde_json::from_slice(&fs::read(path(name)).unwrap()).unwrap() };
    assert_eq!(json("index.json")[0]["titles"]["es"], "El día en que todo se muda");
    assert_eq!(json("glossary.json")["es"]["device"], "Donde está un tensor.");
    assert_eq!(json("posters/moving-day.json")["titles"]["es"], "El día en que todo se muda");
    let page = json("es/page.json");
    assert_eq!((page["Next step"].as_str(), page.as_object().unwrap().len()), (Some("Paso siguiente"), 2));

    // The original gains a hint.
    fs::write(&original, LESSON.replacen("```hint\n", "```hint\nThink of the device first.\n```\n\n```hint\n", 1))
        .unwrap();
    let (_, said) = run(&["translate", &original, "es"]);
    assert!(said.contains("1 text added") && said.contains("1 of 13 texts left"), "{said}");

    // A gap that is lost would be lost on the screen.
    fs::write(path("es/page.yaml"), before.replace("{done} de {steps} pasos", "{done} pasos")).unwrap();
    let (fine, said) = run(&["check", "--no-run", &translation]);
    assert!(!fine && said.contains("page.yaml:") && said.contains("{done}, {steps}"), "{said}");
}

/// What a translator would be asked to add or change is nothing: `translate --all` leaves every file as it is.
#[test]
fn the_spanish_of_this_site_is_up_to_date() {
    let place = place("spanish");
    let lessons = Path::new(env!("CARGO_MANIFEST_DIR")).join("lessons");
    let mut copied = 0;
    for folder in ["", "debug", "puzzles", "es", "es/debug", "es/puzzles"] {
        fs::create_dir_all(place.join(folder)).unwrap();
        for entry in fs::read_dir(lessons.join(folder)).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_some_and(|kind| kind == "md" || kind == "yaml") {
                fs::copy(&path, place.join(folder).join(path.file_name().unwrap())).unwrap();
                copied += 1;
            }
        }
    }
    assert!(copied > 200, "{copied} files");
    let (fine, said) = run(&["translate", &place.display().to_string(), "es", "--all"]);
    assert!(fine && !said.contains("(not begun)"), "{said}");
    for folder in ["es", "es/debug", "es/puzzles"] {
        for entry in fs::read_dir(place.join(folder)).unwrap() {
            let path = entry.unwrap().path();
            if path.is_file() {
                let own = lessons.join(folder).join(path.file_name().unwrap());
                let (kept, new) = (fs::read_to_string(&own).ok(), fs::read_to_string(&path).unwrap());
                assert!(
                    kept.as_ref() == Some(&new),
                    "{}: run tensoryard lesson translate lessons es --all",
                    own.display()
                );
            }
        }
    }
    fs::remove_dir_all(&place).unwrap();
}

#[test]
fn what_is_no_language_and_what_is_no_original_is_refused() {
    let place = place("refused");
    let original = place.join("01-moving-day.md").display().to_string();
    fs::write(&original, LESSON).unwrap();
    for language in ["spanish", "ES", "e", "../", "e1"] {
        let (fine, said) = run(&["translate", &original, language]);
        assert!(!fine && said.contains("no code of a language"), "{language}: {said}");
    }
    run(&["translate", &original, "es"]);
    let (fine, said) = run(&["translate", &place.join("es/01-moving-day.md").display().to_string(), "es"]);
    assert!(!fine && said.contains("name its original"), "{said}");
    let (fine, said) = run(&["translate", &place.join("es").display().to_string(), "es"]);
    assert!(!fine && said.contains("the originals"), "{said}");
    fs::write(place.join("a.txt"), "x").unwrap();
    let (fine, said) = run(&["translate", &place.join("a.txt").display().to_string(), "es"]);
    assert!(!fine && said.contains("neither a lesson"), "{said}");
}

/// The poster's words are JavaScript's, and a translator must be given the same ones.
#[test]
fn the_words_of_the_poster_are_among_the_texts() {
    let script = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("www/embed.js")).unwrap();
    let (_, rest) = script.split_once("const texts = {").unwrap();
    let (english, _) = rest.split_once("\n  de:").unwrap();
    let words: Vec<&str> = english.split('"').skip(1).step_by(2).collect();
    assert_eq!(words, tensoryard::app::embed::POSTER);
}
