//! The worker that runs the engine, from the page's side.

use js_sys::JsString;
use leptos::wasm_bindgen::closure::Closure;
use leptos::wasm_bindgen::{JsCast, JsValue};
use web_sys::{ErrorEvent, MessageEvent, Worker, WorkerOptions, WorkerType};

use super::browser;
use crate::app::texts::t;
use crate::protocol::{BEGINNING, FromWorker, ToWorker};

/// A running worker. Dropping it ends the worker, whatever it's doing.
pub(crate) struct EngineWorker {
    worker: Worker,
    _on_message: Closure<dyn FnMut(MessageEvent)>,
    _on_error: Closure<dyn FnMut(ErrorEvent)>,
}

impl EngineWorker {
    /// Starts a worker. `deliver` gets its messages; a message that belongs to a run is delivered only if that run is
    /// `wanted`. Other messages aren't even decoded: a run that was stopped may have left many.
    ///
    /// # Errors
    /// The browser's reason for refusing a module worker.
    pub(crate) fn start(
        wanted: impl Fn(u32) -> bool + 'static,
        deliver: impl Fn(FromWorker) + Clone + 'static,
    ) -> Result<EngineWorker, String> {
        let options = WorkerOptions::new();
        options.set_type(WorkerType::Module);
        options.set_name("tensoryard-engine");
        let url = format!("{}boot.js?v={}", browser::folder(), browser::build_version());
        // A frame in a sandbox without an origin can't start a worker from an address, only from a blob.
        let worker = Worker::new_with_options(&url, &options)
            .or_else(|_| sandboxed(&url, &options))
            .map_err(|error| format!("{error:?}"))?;
        let give = deliver.clone();
        let on_message = Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| {
            let data = event.data();
            let run = data.dyn_ref::<JsString>().map(|text| text.substring(0, BEGINNING)).map(String::from);
            if run.as_deref().and_then(FromWorker::run_of).is_some_and(|run| !wanted(run)) {
                return;
            }
            let text = data.as_string().unwrap_or_default();
            give(serde_json::from_str(&text).unwrap_or_else(|error| broken(t().engine_message(&error))));
        });
        let on_error = Closure::<dyn FnMut(ErrorEvent)>::new(move |event: ErrorEvent| {
            // If the script couldn't be loaded, the event is a plain one without a message.
            let message = js_sys::Reflect::get(&event, &"message".into()).ok().and_then(|text| text.as_string());
            let reason = message.filter(|text| !text.is_empty()).unwrap_or_else(|| t().engine_script.into());
            deliver(broken(reason));
        });
        worker.set_onmessage(Some(on_message.as_ref().unchecked_ref()));
        worker.set_onerror(Some(on_error.as_ref().unchecked_ref()));
        Ok(EngineWorker { worker, _on_message: on_message, _on_error: on_error })
    }

    pub(crate) fn send(&self, message: &ToWorker) -> Result<(), String> {
        let text = serde_json::to_string(message).map_err(|error| error.to_string())?;
        self.worker.post_message(&text.into()).map_err(|error| format!("{error:?}"))
    }
}

fn broken(reason: String) -> FromWorker {
    FromWorker::Broken { reason, panic: None }
}

/// A frame in a sandbox without an origin can't start a worker from an address, only from a blob. There Chromium loads no
/// module from a blob, so this is a classic worker that imports the module. The page sends nothing before `ready`, so no
/// message is lost meanwhile.
fn sandboxed(url: &str, options: &WorkerOptions) -> Result<Worker, JsValue> {
    let failed = serde_json::to_string(&broken(t().engine_script.into())).unwrap_or_default();
    options.set_type(WorkerType::Classic);
    Worker::new_with_options(&browser::importing(url, &failed)?, options)
}

impl Drop for EngineWorker {
    fn drop(&mut self) {
        self.worker.set_onmessage(None);
        self.worker.set_onerror(None);
        self.worker.terminate();
    }
}
