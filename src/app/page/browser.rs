//! What the page needs from the browser: storage, preferences, files, the clipboard, focus and scrolling, and the build's version.

use std::cell::RefCell;
use std::collections::BTreeMap;

use js_sys::{Array, Function, Object, Reflect, Uint8Array};
use leptos::ev;
use leptos::prelude::*;
use leptos::wasm_bindgen::{JsCast, JsValue};

use crate::app::keys::{Key, PREFIX};
use crate::app::texts::{NAME, t};
use crate::app::upload;

thread_local! {
    /// Values that the browser refused to store, for example in another site's frame, in a private window, or when the
    /// storage is full. They last as long as the page, and they win over older values that the browser stored under the
    /// same name.
    static FLEETING: RefCell<BTreeMap<Key, String>> = RefCell::default();
}

/// A remembered value; `None` if nothing was stored. A program is stored for its tab as well: if the page is open in two tabs,
/// a reload doesn't bring the program of the other one.
pub fn remembered(key: &Key) -> Option<String> {
    let fleeting = FLEETING.with_borrow(|fleeting| fleeting.get(key).cloned());
    let name = stored_name(key);
    let of_tab = || -> Option<String> { if key.is_code() { tab_storage()?.get_item(&name).ok()? } else { None } };
    fleeting.or_else(of_tab).or_else(|| storage()?.get_item(&name).ok()?)
}

/// Remembers a value. Returns whether the value will survive the page.
pub(crate) fn remember(key: &Key, value: &str) -> bool {
    let name = stored_name(key);
    let kept = storage().is_some_and(|storage| storage.set_item(&name, value).is_ok());
    if key.is_code()
        && let Some(storage) = tab_storage()
        && storage.set_item(&name, value).is_err()
    {
        // An older program must not win over this one.
        let _ = storage.remove_item(&name);
    }
    FLEETING.with_borrow_mut(|fleeting| match kept {
        true => fleeting.remove(key),
        false => fleeting.insert(key.clone(), value.into()),
    });
    kept
}

/// Forgets a value.
pub(crate) fn forget(key: &Key) {
    FLEETING.with_borrow_mut(|fleeting| fleeting.remove(key));
    for storage in [storage(), tab_storage()].into_iter().flatten() {
        let _ = storage.remove_item(&stored_name(key));
    }
}

fn stored_name(key: &Key) -> String {
    format!("{PREFIX}{}", key.as_str())
}

/// Reading `localStorage` throws where storage is blocked. A frame whose host stores everything itself doesn't use it.
fn storage() -> Option<web_sys::Storage> {
    if keeps_nothing() { None } else { window().local_storage().ok().flatten() }
}

/// What lasts as long as this tab.
fn tab_storage() -> Option<web_sys::Storage> {
    if keeps_nothing() { None } else { window().session_storage().ok().flatten() }
}

fn keeps_nothing() -> bool {
    let root = document().document_element();
    root.is_some_and(|root| root.get_attribute("data-keep").as_deref() == Some("none"))
}

/// A language's own name for itself, as far as the browser knows it; otherwise its code.
pub(crate) fn language_name(code: &str) -> String {
    let known = || -> Result<Option<String>, JsValue> {
        let intl = Reflect::get(&js_sys::global(), &"Intl".into())?;
        let class: Function = Reflect::get(&intl, &"DisplayNames".into())?.dyn_into()?;
        let options = Object::new();
        Reflect::set(&options, &"type".into(), &"language".into())?;
        let names = Reflect::construct(&class, &Array::of2(&Array::of1(&code.into()), &options))?;
        let of: Function = Reflect::get(&names, &"of".into())?.dyn_into()?;
        Ok(of.call1(&names, &code.into())?.as_string())
    };
    let name = known().ok().flatten().unwrap_or_else(|| code.to_string());
    // Many languages write their names in lower case; in a list each begins with a capital.
    let mut letters = name.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}

/// Whether the person asked for less motion.
pub(crate) fn prefers_reduced_motion() -> bool {
    matches("(prefers-reduced-motion: reduce)")
}

/// Whether the page is as narrow as a phone. The style sheets use the same number.
pub fn narrow() -> bool {
    matches("(max-width: 29.99em)")
}

/// Whether the page has one column: the picture of a run is below its program, not beside it. The style sheets use the same
/// number.
pub(crate) fn has_one_column() -> bool {
    matches("(max-width: 49.99em)")
}

/// [`narrow`] or [`has_one_column`] as a signal, which is updated when the window changes its size.
pub(crate) fn followed(question: fn() -> bool) -> RwSignal<bool> {
    let answer = RwSignal::new(question());
    let listener = window_event_listener(ev::resize, move |_| {
        if answer.get_untracked() != question() {
            answer.set(question());
        }
    });
    on_cleanup(move || listener.remove());
    answer
}

fn matches(query: &str) -> bool {
    window().match_media(query).ok().flatten().is_some_and(|query| query.matches())
}

/// Milliseconds of a clock that never goes back.
pub fn now() -> f64 {
    window().performance().map_or(0.0, |performance| performance.now())
}

/// Seconds since 1970, by this computer's clock.
pub(crate) fn seconds() -> u64 {
    (js_sys::Date::now() / 1e3) as u64
}

/// The version of the build that this page came from. The worker's files are requested with it, because their names
/// have no hash.
pub(crate) fn build_version() -> String {
    document()
        .query_selector("meta[name='tensoryard-build']")
        .ok()
        .flatten()
        .and_then(|meta| meta.get_attribute("content"))
        .unwrap_or_default()
}

/// Puts a notice above everything, without using the framework that drew the page: after a panic it can't draw any more.
pub(crate) fn last_words(sentence: &str, report: &str) {
    let put = || -> Result<(), JsValue> {
        // Leptos's own handles panic when there is no window, and this function already runs during a panic.
        let page = web_sys::window().and_then(|window| window.document()).ok_or(JsValue::NULL)?;
        let notice = page.create_element("div")?;
        notice.set_class_name("notice bad last-words");
        notice.set_attribute("role", "alert")?;
        for (kind, text) in [("p", sentence), ("pre", report)] {
            let part = page.create_element(kind)?;
            part.set_text_content(Some(text));
            notice.append_child(&part)?;
        }
        let body = page.body().ok_or(JsValue::NULL)?;
        body.insert_before(&notice, body.first_child().as_ref())?;
        Ok(())
    };
    // If the page can't be changed any more, there's no way to say so either.
    let _ = put();
}

/// The browser's own name and version.
pub(crate) fn user_agent() -> String {
    window().navigator().user_agent().unwrap_or_default()
}

/// Every remembered value, by its name.
pub fn everything() -> Vec<(String, String)> {
    let mut all = BTreeMap::new();
    if let Some(storage) = storage() {
        let count = storage.length().unwrap_or(0);
        for name in (0..count).filter_map(|i| storage.key(i).ok().flatten()) {
            let value = storage.get_item(&name).ok().flatten();
            all.extend(name.strip_prefix(PREFIX).map(String::from).zip(value));
        }
    }
    let fleeting = FLEETING.with_borrow(BTreeMap::clone);
    all.extend(fleeting.into_iter().map(|(key, value)| (key.as_str().to_string(), value)));
    all.into_iter().collect()
}

/// Offers the person a file to download.
pub(crate) fn download(name: &str, kind: &str, bytes: &[u8]) {
    // This fails only if the browser allows no downloads, and the browser says so itself.
    let _ = offer(name, kind, bytes);
}

fn offer(name: &str, kind: &str, bytes: &[u8]) -> Result<(), JsValue> {
    let parts = Array::of1(&Uint8Array::from(bytes));
    let options = web_sys::BlobPropertyBag::new();
    options.set_type(kind);
    let blob = web_sys::Blob::new_with_u8_array_sequence_and_options(&parts, &options)?;
    let address = web_sys::Url::create_object_url_with_blob(&blob)?;
    let link: web_sys::HtmlAnchorElement = document().create_element("a")?.unchecked_into();
    link.set_href(&address);
    link.set_download(name);
    link.click();
    let free = move || {
        let _ = web_sys::Url::revoke_object_url(&address);
    };
    set_timeout(free, std::time::Duration::from_secs(60));
    Ok(())
}

/// Copies text to the clipboard. Returns whether the browser allowed it.
pub async fn copy(text: String) -> bool {
    let clipboard = window().navigator().clipboard();
    // There is no clipboard outside a secure context.
    if clipboard.is_undefined() {
        return false;
    }
    js_sys::futures::JsFuture::from(clipboard.write_text(&text)).await.is_ok()
}

/// The bytes of a file: at most one more than `most`, so that a file that is too large is recognized. `None` if it can't be read.
pub(crate) async fn content(file: &web_sys::File, most: usize) -> Option<Vec<u8>> {
    let part = file.slice_with_f64_and_f64(0.0, (most + 1) as f64).ok()?;
    let buffer = js_sys::futures::JsFuture::from(part.array_buffer()).await.ok()?;
    Some(Uint8Array::new(&buffer).to_vec())
}

/// The name of the chosen file, and its bytes up to one more than a file may have: see [`content`]. Empties the field, so that the
/// same file can be chosen again.
pub(crate) async fn chosen_file(field: web_sys::HtmlInputElement) -> Option<(String, Vec<u8>)> {
    let file = field.files()?.get(0)?;
    let name = file.name();
    let bytes = content(&file, upload::LARGEST).await;
    field.set_value("");
    Some((name, bytes?))
}

/// The paths and the bytes of all chosen files, or of all files in the chosen folder. `wanted` returns the path under which a file
/// is returned, or `None` to skip it. Empties the field. `None` if the files are larger than `most` together, or if one can't be
/// read.
pub(crate) async fn chosen_files(
    field: web_sys::HtmlInputElement,
    most: usize,
    wanted: impl Fn(&str) -> Option<String>,
) -> Option<Vec<(String, Vec<u8>)>> {
    let list = field.files()?;
    let files: Vec<web_sys::File> = (0..list.length()).filter_map(|i| list.get(i)).collect();
    field.set_value("");
    let mut out = Vec::new();
    let mut left = most;
    for file in files {
        let folder = Reflect::get(&file, &"webkitRelativePath".into()).ok().and_then(|path| path.as_string());
        let path = folder.filter(|path| !path.is_empty()).unwrap_or_else(|| file.name());
        let Some(path) = wanted(&path) else { continue };
        let bytes = content(&file, left).await?;
        left = left.checked_sub(bytes.len())?;
        out.push((path, bytes));
    }
    Some(out)
}

/// The page's own address, without its fragment.
pub fn address() -> String {
    let href = window().location().href().unwrap_or_default();
    href.split(['#', '?']).next().unwrap_or_default().to_string()
}

/// The address of the folder that the page came from, with a slash at its end.
pub fn folder() -> String {
    let address = address();
    address.rsplit_once('/').map_or(String::new(), |(folder, _)| format!("{folder}/"))
}

/// The address of a script for a classic worker. The script imports a module, and posts `failed` if it can't.
pub fn importing(address: &str, failed: &str) -> Result<String, JsValue> {
    let literal = |text: &str| serde_json::Value::from(text).to_string();
    let code = format!("import({}).catch(() => postMessage({}));", literal(address), literal(failed));
    let options = web_sys::BlobPropertyBag::new();
    options.set_type("text/javascript");
    let blob = web_sys::Blob::new_with_str_sequence_and_options(&Array::of1(&code.into()), &options)?;
    web_sys::Url::create_object_url_with_blob(&blob)
}

/// Moves the focus to an element, and scrolls it into view.
pub(crate) fn focus(selector: &str) {
    let found = document().query_selector(selector).ok().flatten();
    if let Some(element) = found.and_then(|element| element.dyn_into::<web_sys::HtmlElement>().ok()) {
        let _ = element.focus();
    }
}

/// Gives the focus to an element if the element that had it is gone. The page doesn't scroll, and a frame takes nothing from the
/// page around it.
pub(crate) fn refocus(selector: &str) {
    let lost = document().active_element().is_none_or(|element| document().body().is_some_and(|body| *body == element));
    if lost && document().has_focus().unwrap_or(false) {
        let (x, y) = (window().scroll_x().unwrap_or(0.0), window().scroll_y().unwrap_or(0.0));
        focus(selector);
        window().scroll_to_with_x_and_y(x, y);
    }
}

/// Scrolls an element into view. If the person asked for it, the element moves to the middle of the screen and gets the
/// focus. Returns whether the page has such an element.
pub(crate) fn bring_into_view(selector: &str, asked: bool) -> bool {
    let found = document().query_selector(selector).ok().flatten();
    let Some(element) = found.and_then(|element| element.dyn_into::<web_sys::HtmlElement>().ok()) else { return false };
    if asked {
        focus_within(&element);
    }
    let options = Object::new();
    let tall = element.get_bounding_client_rect().height()
        > window().inner_height().ok().and_then(|h| h.as_f64()).unwrap_or(0.0);
    let place = match (asked, tall) {
        (false, _) => "nearest",
        (true, true) => "start",
        (true, false) => "center",
    };
    let motion = if prefers_reduced_motion() { "instant" } else { "smooth" };
    for (name, value) in [("block", place), ("inline", "nearest"), ("behavior", motion)] {
        // Setting a property of a new object can't fail.
        let _ = Reflect::set(&options, &name.into(), &value.into());
    }
    let scroll = Reflect::get(&element, &"scrollIntoView".into()).ok();
    if let Some(scroll) = scroll.and_then(|f| f.dyn_into::<Function>().ok()) {
        let _ = scroll.call1(&element, &options);
    }
    true
}

/// Gives the focus to the first button or the selected tab in an element, or else to the element itself.
fn focus_within(element: &web_sys::HtmlElement) {
    let button = element.query_selector("button, [role=tab][aria-selected=true]").ok().flatten();
    match button.and_then(|button| button.dyn_into::<web_sys::HtmlElement>().ok()) {
        Some(button) => {
            let _ = button.focus();
        }
        None => {
            // -1 lets a script focus the element, and keeps it out of the tab order.
            let _ = element.set_attribute("tabindex", "-1");
            let _ = element.focus();
        }
    }
}

/// Sets the page's title, which the browser shows in its tab and history: that of the view, or the headline if `view` is empty.
pub(crate) fn entitle(view: &str) {
    let title = match view {
        "" => format!("{NAME}: {}", t().headline.trim_end_matches('.')),
        view => format!("{view} · {NAME}"),
    };
    document().set_title(&title);
}

/// Goes to another view.
pub fn go(fragment: &str) {
    let _ = window().location().set_hash(fragment);
}

/// The languages that the person reads, most preferred first.
pub(crate) fn preferred_languages() -> Vec<String> {
    window().navigator().languages().iter().filter_map(|language| language.as_string()).collect()
}

/// Whether this page is shown within another one.
pub(crate) fn embedded() -> bool {
    document().document_element().is_some_and(|root| root.has_attribute("data-embed"))
}
