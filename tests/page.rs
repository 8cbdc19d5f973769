//! The page's parts in a real browser: `wasm-bindgen-test-runner` with a ChromeDriver runs them.
#![cfg(target_arch = "wasm32")]

use leptos::mount::mount_to;
use leptos::prelude::*;
use leptos::wasm_bindgen::JsCast;
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};
use web_sys::HtmlElement;

use tensoryard::app::keys::Key;
use tensoryard::app::page::card::ErrorCard;
use tensoryard::app::page::devices::Devices;
use tensoryard::app::page::session::{Document, Recording, Session};
use tensoryard::app::page::{browser, prose};
use tensoryard::app::texts::{self, Language};
use tensoryard::device::Device;
use tensoryard::diagnose::{Card, Cause};
use tensoryard::dtype::DType;
use tensoryard::lesson::prose::{Block, Inline};
use tensoryard::machine::Machine;
use tensoryard::protocol::{Event, EventKind, Outcome, RaisedError, Score, Why};

wasm_bindgen_test_configure!(run_in_browser);

/// A new element at the end of the document.
fn stage() -> HtmlElement {
    let element = document().create_element("div").expect("a div");
    document().body().expect("a body").append_child(&element).expect("room for it");
    element.unchecked_into()
}

/// Lets effects run.
async fn tick() {
    let promise = js_sys::Promise::new(&mut |done, _| {
        let _ = window().set_timeout_with_callback_and_timeout_and_arguments_0(&done, 30);
    });
    let _ = js_sys::futures::JsFuture::from(promise).await;
}

fn count(stage: &HtmlElement, selector: &str) -> u32 {
    stage.query_selector_all(selector).expect("a selector").length()
}

fn document_of(code: &str) -> Document {
    Document { key: "test".into(), starter: code.into(), ..Document::default() }
}

/// One tensor on the host, copied to the accelerator.
fn recording() -> Recording {
    let cuda = Device::cuda(0);
    let alloc = |device, storage, segment| EventKind::Alloc {
        device,
        storage,
        dtype: DType::F32,
        shape: vec![256, 256],
        requested: 1 << 18,
        bytes: 1 << 18,
        segment,
        offset: 0,
        allocated: 1 << 18,
        pinned: false,
    };
    let copy = EventKind::Transfer {
        from: Device::CPU,
        to: cuda,
        bytes: 1 << 18,
        source: 1,
        target: 2,
        pinned: false,
        non_blocking: false,
        micros: 300.0,
        why: Why::To,
    };
    let kinds = vec![
        alloc(Device::CPU, 1, 0),
        EventKind::Name { storage: 1, name: "x".into() },
        EventKind::SegmentAlloc { device: cuda, segment: 1, bytes: 2 << 20, reserved: 2 << 20 },
        alloc(cuda, 2, 1),
        copy,
    ];
    let events = (0..).zip(kinds).map(|(seq, kind)| Event { seq, time: 0.0, line: 3, look: None, kind }).collect();
    Recording { output: "printed\n".into(), events }
}

#[wasm_bindgen_test]
async fn the_tables_say_what_the_pictures_show() {
    let stage = stage();
    let _page = mount_to(stage.clone(), || {
        let session = Session::new(document_of("x = 1\n"), Machine::preset("cuda:1").expect("a preset"));
        provide_context(session);
        session.show_recorded(recording());
        view! { <Devices/> }
    });
    tick().await;
    assert_eq!(count(&stage, ".yard"), 2);
    assert_eq!(count(&stage, ".block"), 2);
    let gauges = stage.query_selector_all(".gauge").expect("a selector");
    let label = gauges.item(1).expect("a second yard").unchecked_into::<HtmlElement>().get_attribute("aria-label");
    assert_eq!(label.as_deref(), Some("256 KiB allocated, 2 MiB reserved, peak 256 KiB, of 79.2 GiB"));

    let summary = stage.query_selector(".tables summary").expect("a selector").expect("the tables");
    summary.unchecked_into::<HtmlElement>().click();
    tick().await;
    let text = stage.query_selector(".tables").expect("a selector").expect("the tables").text_content();
    let text = text.unwrap_or_default();
    for cell in ["x", "[256, 256]", "float32", "256 KiB", "300\u{a0}µs", "20\u{a0}µs", "79.2 GiB"] {
        assert!(text.contains(cell), "{cell} is missing in {text}");
    }
    assert_eq!(count(&stage, ".tables table"), 3);
}

#[wasm_bindgen_test]
async fn lesson_text_never_becomes_markup() {
    let stage = stage();
    let hostile = "<img src=x onerror=alert(1)><script>alert(1)</script>";
    let blocks = vec![
        Block::Paragraph(vec![Inline::Text(hostile.into()), Inline::Code(hostile.into())]),
        Block::Code("html".into(), hostile.into()),
    ];
    let _page = mount_to(stage.clone(), move || prose::blocks(blocks));
    tick().await;
    assert_eq!(count(&stage, "img, script"), 0);
    assert_eq!(stage.text_content().unwrap_or_default().matches(hostile).count(), 3);
}

#[wasm_bindgen_test]
async fn an_edited_program_is_kept_and_reset_forgets_it() {
    let session = Session::new(document_of("start\n"), Machine::preset("cpu").expect("a preset"));
    session.program.edit("mine\n".into());
    assert_eq!(browser::remembered(&Key::code("test")).as_deref(), Some("mine\n"));
    session.open(document_of("start\n"));
    assert_eq!(session.program.code.get_untracked(), "mine\n");
    session.reset();
    assert_eq!(session.program.code.get_untracked(), "start\n");
    assert_eq!(browser::remembered(&Key::code("test")), None);
}

/// A card is in the page's language, and the card of a finished run changes with it.
#[wasm_bindgen_test]
async fn a_card_speaks_the_language_of_the_page() {
    let stage = stage();
    let language = RwSignal::new(Language::English);
    let session = StoredValue::new(None::<Session>);
    let _mounted = mount_to(stage.clone(), move || {
        let made = Session::new(document_of("z = x + y\n"), Machine::preset("cuda:1").expect("a preset"));
        session.set_value(Some(made));
        provide_context(made);
        // As in the page: the views are rebuilt, and the session stays.
        move || {
            texts::speak(language.get());
            view! { <ErrorCard/> }
        }
    });
    let card = Card {
        rule: "D20".into(),
        line: 1,
        cause: Cause::new(["The program needed 2.00 GiB more.".into(), "Das Programm brauchte 2.00 GiB mehr.".into()]),
        operands: Vec::new(),
        fix: Vec::new(),
        lesson: Some("memory-map".into()),
    };
    let error = RaisedError {
        class: "torch.OutOfMemoryError".into(),
        message: "CUDA out of memory.".into(),
        traceback: String::new(),
        line: Some(1),
        card: Some(card),
    };
    let outcome = Outcome {
        error: Some(error),
        silent: Vec::new(),
        score: Score::default(),
        unlooked: Score::default(),
        checks: Vec::new(),
        graphs: Vec::new(),
        contents: Vec::new(),
        wall_ms: 1.0,
    };
    session.get_value().expect("a session").runner.outcome.set(Some(outcome));
    tick().await;
    let shown = || stage.text_content().unwrap_or_default();
    assert!(shown().contains("The program needed 2.00 GiB more"), "{}", shown());
    language.set(Language::German);
    tick().await;
    assert!(shown().contains("Das Programm brauchte 2.00 GiB mehr"), "{}", shown());
    assert!(shown().contains("Zeile 1") && !shown().contains("The program"), "{}", shown());
    texts::speak(Language::English);
    stage.remove();
}
