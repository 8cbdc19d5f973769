//! The GPU that runs share, and a new one if the browser took it away.

use std::cell::RefCell;
use std::rc::Rc;
use std::time::Duration;

use js_sys::futures::spawn_local;
use tensoryard::executor::webgpu::WebGpuExecutor;
use tensoryard::executor::{Compute, Executor};
use tensoryard::protocol::FromWorker;

use crate::browser;
use crate::session::send;

thread_local! {
    static GPU: RefCell<Option<Rc<WebGpuExecutor>>> = const { RefCell::new(None) };
}

/// How long to look for a new GPU. A browser whose GPU process crashed starts another within a second or two, and a
/// driver reset takes as long.
const PATIENCE_MS: f64 = 8_000.0;
/// The pause between two requests while the browser has no GPU.
const AGAIN: Duration = Duration::from_millis(300);
/// A request that hasn't been answered after this time won't be.
const ANSWER_MS: f64 = 5_000.0;

/// Requests a GPU from the browser and keeps it. Returns its name.
///
/// # Errors
/// A sentence that says why there is none.
pub async fn find() -> Result<String, String> {
    if !browser::jspi() {
        return Err("this browser cannot suspend WebAssembly while it waits for the GPU".into());
    }
    let gpu = Rc::new(WebGpuExecutor::request().await?);
    gpu.when_lost(|reason| {
        send(&FromWorker::GpuLost { reason: reason.into() });
    });
    let name = gpu.hardware();
    GPU.set(Some(gpu));
    Ok(name)
}

/// The latest GPU, which may be lost; `None` if there never was one.
pub fn found() -> Option<Rc<WebGpuExecutor>> {
    GPU.with_borrow(Clone::clone)
}

/// A new GPU in place of a lost one. Suspends the program's stack while the browser looks for it.
///
/// # Errors
/// A sentence that says why there is none.
pub fn find_again() -> Result<Rc<dyn Executor>, String> {
    let until = browser::now() + PATIENCE_MS;
    loop {
        let why = match ask() {
            Ok(name) => {
                let gpu = found().filter(|gpu| !gpu.is_lost());
                if let Some(gpu) = gpu {
                    send(&FromWorker::GpuBack { name });
                    return Ok(gpu);
                }
                "the new device was lost at once".to_string()
            }
            Err(why) => why,
        };
        if browser::stop_requested() || browser::now() >= until {
            return Err(why);
        }
        browser::pause(AGAIN);
    }
}

/// Runs [`find`] while this stack is suspended.
fn ask() -> Result<String, String> {
    let answer = Rc::new(RefCell::new(None));
    let put = answer.clone();
    spawn_local(async move {
        let found = find().await;
        *put.borrow_mut() = Some(found);
    });
    let asked = browser::now();
    loop {
        if let Some(found) = answer.take() {
            return found;
        }
        if browser::stop_requested() || browser::now() - asked >= ANSWER_MS {
            return Err("the browser did not answer when it was asked for a GPU".into());
        }
        browser::pause(Duration::from_millis(20));
    }
}
