//! The GPU that runs share, and a new one where the browser took it away.

use std::cell::RefCell;
use std::rc::Rc;
use std::time::Duration;

use js_sys::futures::spawn_local;
use tensoryard::executor::Compute;
use tensoryard::executor::Executor;
use tensoryard::executor::webgpu::WebGpuExecutor;
use tensoryard::protocol::FromWorker;

use crate::browser;
use crate::session::send;

thread_local! {
    static GPU: RefCell<Option<Rc<WebGpuExecutor>>> = const { RefCell::new(None) };
}

/// A browser whose GPU process ended starts another within a second or two; a driver's reset takes as long.
const PATIENCE_MS: f64 = 8_000.0;
/// Waits between two requests of a browser that has no GPU at the moment.
const AGAIN: Duration = Duration::from_millis(300);
/// A request that is unanswered for this long won't be answered.
const ANSWER_MS: f64 = 5_000.0;

/// Asks the browser for a GPU and keeps it; answers its name.
///
/// # Errors
/// Why there is none, in a sentence.
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

/// The latest GPU, which may be lost; `None` where there never was one.
pub fn found() -> Option<Rc<WebGpuExecutor>> {
    GPU.with_borrow(Clone::clone)
}

/// Another GPU in place of a lost one. Suspends the program's stack while the browser looks for it.
///
/// # Errors
/// Why there is none, in a sentence.
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

/// [`find`], while this stack waits.
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
