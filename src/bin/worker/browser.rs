//! The worker's access to the browser: the clock, timers, iterations of the event loop, and functions of `boot.js`.

use std::time::Duration;

use js_sys::{Function, Promise};
use wasm_bindgen::prelude::*;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(thread_local_v2, js_namespace = tensoryard, js_name = jspi)]
    static JSPI: bool;

    #[wasm_bindgen(js_namespace = tensoryard, js_name = stopRequested)]
    fn stop_requested_now() -> bool;

    #[wasm_bindgen(js_namespace = tensoryard, js_name = taken)]
    fn taken_now(run: u32) -> f64;

    #[wasm_bindgen(js_namespace = tensoryard, js_name = library, catch)]
    fn fetch_library(file: &str) -> Result<Vec<u8>, JsValue>;

    /// Stores the engine's last message before it crashes.
    #[wasm_bindgen(js_namespace = tensoryard)]
    pub fn panicked(text: &str);

    #[wasm_bindgen(js_namespace = performance, js_name = now)]
    fn performance_now() -> f64;

    #[wasm_bindgen(js_name = setTimeout)]
    fn set_timeout(then: &Function, milliseconds: f64);

    type MessagePort;
    #[wasm_bindgen(method, setter, js_name = onmessage)]
    fn set_onmessage(this: &MessagePort, then: &Function);
    #[wasm_bindgen(method, js_name = postMessage)]
    fn post_message(this: &MessagePort, message: &JsValue);

    type MessageChannel;
    #[wasm_bindgen(constructor)]
    fn new() -> MessageChannel;
    #[wasm_bindgen(method, getter)]
    fn port1(this: &MessageChannel) -> MessagePort;
    #[wasm_bindgen(method, getter)]
    fn port2(this: &MessageChannel) -> MessagePort;
}

/// Whether the browser can suspend WebAssembly while a promise settles.
pub fn jspi() -> bool {
    JSPI.with(|jspi| *jspi)
}

/// Whether the page asked the running program to end. Changes only while the event loop runs.
pub fn stop_requested() -> bool {
    stop_requested_now()
}

/// How many messages of a run the page has handled. Changes only while the event loop runs.
pub fn taken(run: u32) -> u64 {
    taken_now(run) as u64
}

/// The file of a library. The program waits for it, and nothing else runs meanwhile.
pub fn library(file: &str) -> Result<Vec<u8>, String> {
    fetch_library(file).map_err(|error| match error.dyn_into::<js_sys::Error>() {
        Ok(error) => String::from(error.message()),
        Err(other) => format!("{other:?}"),
    })
}

/// Milliseconds since the worker began.
pub fn now() -> f64 {
    performance_now()
}

thread_local! {
    static CHANNEL: MessageChannel = MessageChannel::new();
}

/// Suspends this program for one iteration of the event loop, so that waiting messages are received.
///
/// A message to oneself is the fastest way to get such a promise: browsers delay nested timers by 4 ms.
pub fn turn() {
    suspend(&Promise::new(&mut |resolve, _| {
        CHANNEL.with(|channel| {
            channel.port1().set_onmessage(&resolve);
            channel.port2().post_message(&JsValue::NULL);
        });
    }));
}

/// Suspends this program for a time.
pub fn pause(time: Duration) {
    suspend(&Promise::new(&mut |resolve, _| set_timeout(&resolve, time.as_secs_f64() * 1e3)));
}

#[expect(deprecated, reason = "wasm-bindgen marks what it calls experimental as deprecated; boot.js looks for support")]
fn suspend(promise: &Promise) {
    // These promises are never rejected.
    let _ = js_sys::futures::jspi_block_on_promise(promise);
}
