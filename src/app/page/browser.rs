//! What the page asks of the browser: storage, preferences, the build's version.

use leptos::prelude::*;

const PREFIX: &str = "tensoryard.";

/// A remembered value. `None` where nothing was kept, or where the browser keeps nothing (a frame of another site, a
/// private window).
pub fn remembered(key: &str) -> Option<String> {
    storage()?.get_item(&format!("{PREFIX}{key}")).ok()?
}

/// Remembers a value; says whether the browser took it.
pub fn remember(key: &str, value: &str) -> bool {
    storage().is_some_and(|storage| storage.set_item(&format!("{PREFIX}{key}"), value).is_ok())
}

/// Forgets a value.
pub fn forget(key: &str) {
    if let Some(storage) = storage() {
        let _ = storage.remove_item(&format!("{PREFIX}{key}"));
    }
}

/// Asking for the storage throws where it is blocked.
fn storage() -> Option<web_sys::Storage> {
    window().local_storage().ok().flatten()
}

/// Whether the person asked for less motion.
pub fn prefers_reduced_motion() -> bool {
    window().match_media("(prefers-reduced-motion: reduce)").ok().flatten().is_some_and(|query| query.matches())
}

/// Milliseconds of a clock that never goes back.
pub fn now() -> f64 {
    window().performance().map_or(0.0, |performance| performance.now())
}

/// The build that this page came from, which the worker's files are asked with: their names carry no hash.
pub fn build_version() -> String {
    document()
        .query_selector("meta[name='tensoryard-build']")
        .ok()
        .flatten()
        .and_then(|meta| meta.get_attribute("content"))
        .unwrap_or_default()
}
