//! The adapter and device of the executor: how they are found, how their errors arrive, and how the host waits.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use super::pace::{Mark, Reached};
use crate::executor::{Done, Fault};

/// How often a wait checks whether it should end early.
const LOOK_EVERY: Duration = Duration::from_millis(50);

/// A device with its queue, and what has gone wrong on it.
pub struct Gpu {
    pub device: wgpu::Device,
    pub queue: wgpu::Queue,
    /// The adapter's name.
    pub name: String,
    /// Whether shaders run on the processor.
    pub software: bool,
    /// The most bytes one storage buffer may have.
    pub largest: u64,
    troubles: Arc<Mutex<Troubles>>,
}

/// Called with the reason when a device is lost.
type Listener = Box<dyn FnOnce(&str) + Send>;

/// Errors arrive late, in callbacks. They're kept until the next synchronization.
#[derive(Default)]
struct Troubles {
    lost: Option<String>,
    /// Called once, when the device is lost.
    listener: Option<Listener>,
    errors: Vec<Fault>,
}

impl Gpu {
    pub async fn request() -> Result<Gpu, String> {
        let instance = wgpu::Instance::new(wgpu::InstanceDescriptor {
            backends: if cfg!(target_arch = "wasm32") {
                wgpu::Backends::BROWSER_WEBGPU
            } else {
                wgpu::Backends::VULKAN
            },
            flags: wgpu::InstanceFlags::empty(),
            ..wgpu::InstanceDescriptor::new_without_display_handle()
        });
        let options = wgpu::RequestAdapterOptions {
            power_preference: wgpu::PowerPreference::HighPerformance,
            ..Default::default()
        };
        let adapter =
            instance.request_adapter(&options).await.map_err(|e| format!("There is no WebGPU adapter here: {e}"))?;
        let info = adapter.get_info();
        let can = adapter.limits();
        // Asks for more than the guaranteed limits if the adapter has more, for large tensors and kernels with many
        // operands.
        let limits = wgpu::Limits {
            max_storage_buffer_binding_size: can.max_storage_buffer_binding_size,
            max_buffer_size: can.max_buffer_size,
            max_storage_buffers_per_shader_stage: can.max_storage_buffers_per_shader_stage.min(16),
            ..wgpu::Limits::default()
        };
        let largest = limits.max_buffer_size.min(limits.max_storage_buffer_binding_size);
        let (device, queue) = adapter
            .request_device(&wgpu::DeviceDescriptor {
                required_limits: limits,
                // Timing events read the device's clock if there is one.
                required_features: adapter.features() & wgpu::Features::TIMESTAMP_QUERY,
                ..Default::default()
            })
            .await
            .map_err(|e| format!("The WebGPU adapter {} gives no device: {e}", info.name))?;

        let troubles: Arc<Mutex<Troubles>> = Arc::default();
        let kept = troubles.clone();
        device.on_uncaptured_error(Arc::new(move |error: wgpu::Error| {
            let fault = match error {
                wgpu::Error::OutOfMemory { .. } => Fault::OutOfMemory { bytes: 0 },
                other => Fault::Unsupported(format!("WebGPU: {other}")),
            };
            if let Ok(mut troubles) = kept.lock() {
                troubles.errors.push(fault);
            }
        }));
        let kept = troubles.clone();
        device.set_device_lost_callback(move |reason, message| {
            let text = format!("the WebGPU device is lost ({reason:?}): {message}");
            let listener = kept.lock().ok().and_then(|mut troubles| {
                troubles.lost = Some(text.clone());
                troubles.listener.take()
            });
            if let Some(tell) = listener {
                tell(&text);
            }
        });
        Ok(Gpu { device, queue, software: is_software(&info), name: hardware_name(&info), largest, troubles })
    }

    /// As soon as the device is lost, calls `tell` with the reason.
    pub fn when_lost(&self, tell: impl FnOnce(&str) + Send + 'static) {
        if let Ok(mut troubles) = self.troubles.lock() {
            troubles.listener = Some(Box::new(tell));
        }
    }

    /// Fails if the device is lost.
    pub fn lost(&self) -> Done {
        match self.troubles.lock().ok().and_then(|t| t.lost.clone()) {
            Some(text) => Err(Fault::Lost(text)),
            None => Ok(()),
        }
    }

    /// Reports and clears the first error since the last call. A lost device stays lost.
    pub fn check(&self) -> Done {
        self.lost()?;
        let first = self.troubles.lock().ok().and_then(|mut t| t.errors.drain(..).next());
        first.map_or(Ok(()), Err)
    }

    /// Waits until the device has reached a mark, or for a short time. The caller checks again.
    #[cfg(not(target_arch = "wasm32"))]
    pub(crate) fn wait_for(&self, mark: &Mark, _: &Arc<Reached>) -> Done {
        let wait = wgpu::PollType::Wait { submission_index: Some(mark.submission.clone()), timeout: Some(LOOK_EVERY) };
        match self.device.poll(wait) {
            Ok(_) | Err(wgpu::PollError::Timeout) => Ok(()),
            Err(e) => {
                self.check()?;
                Err(Fault::Lost(format!("waiting for the WebGPU device failed: {e}")))
            }
        }
    }

    /// Waits until the device has reached the next mark, or for a short time, by suspending the whole stack. A browser
    /// that can't suspend never gets here: its worker requests no GPU.
    #[cfg(all(target_arch = "wasm32", feature = "worker"))]
    pub(crate) fn wait_for(&self, _: &Mark, reached: &Arc<Reached>) -> Done {
        let promise = js_sys::Promise::new(&mut |resolve, _reject| {
            set_timeout(&resolve, LOOK_EVERY.as_secs_f64() * 1e3);
            reached.wake(resolve);
        });
        #[expect(deprecated, reason = "marked so while promise integration is young; it is what blocks in the page")]
        let woken = js_sys::futures::jspi_block_on_promise(&promise);
        woken.map(|_| ()).map_err(|_| Fault::Lost("no promise to wait on".into()))
    }

    /// A page can't wait without the worker's JavaScript Promise Integration.
    #[cfg(all(target_arch = "wasm32", not(feature = "worker")))]
    pub(crate) fn wait_for(&self, _: &Mark, _: &Arc<Reached>) -> Done {
        Err(Fault::Unsupported("waiting for WebGPU outside the worker".into()))
    }

    /// Waits until the first `bytes` of a read-back buffer are mapped.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn map(&self, buffer: &wgpu::Buffer, bytes: u64) -> Done {
        let mapped = Arc::new(Mutex::new(None));
        let answer = mapped.clone();
        buffer.slice(..bytes).map_async(wgpu::MapMode::Read, move |result| {
            if let Ok(mut answer) = answer.lock() {
                *answer = Some(result);
            }
        });
        if let Err(e) = self.device.poll(wgpu::PollType::wait_indefinitely()) {
            self.check()?;
            return Err(Fault::Lost(format!("waiting for the WebGPU device failed: {e}")));
        }
        let result = mapped.lock().ok().and_then(|mut m| m.take());
        match result {
            Some(Ok(())) => Ok(()),
            _ => {
                self.check()?;
                Err(Fault::Lost("the read-back buffer could not be mapped".into()))
            }
        }
    }

    /// Waits until the first `bytes` of a read-back buffer are mapped, by suspending the whole stack up to the export
    /// that JavaScript called. The callback only settles a promise: nothing that JavaScript calls may suspend.
    #[cfg(all(target_arch = "wasm32", feature = "worker"))]
    pub fn map(&self, buffer: &wgpu::Buffer, bytes: u64) -> Done {
        use wasm_bindgen::JsValue;
        let mut settle: Option<js_sys::Function> = None;
        let promise = js_sys::Promise::new(&mut |resolve, _reject| settle = Some(resolve));
        let Some(settle) = settle else {
            return Err(Fault::Lost("no promise to wait on".into()));
        };
        buffer.slice(..bytes).map_async(wgpu::MapMode::Read, move |result| {
            let _ = settle.call1(&JsValue::NULL, &JsValue::from_bool(result.is_ok()));
        });
        #[expect(deprecated, reason = "marked so while promise integration is young; it is what blocks in the page")]
        let answer = js_sys::futures::jspi_block_on_promise(&promise);
        match answer {
            Ok(value) if value.is_truthy() => Ok(()),
            _ => {
                self.check()?;
                Err(Fault::Lost("the read-back buffer could not be mapped".into()))
            }
        }
    }

    /// A page can't wait without the worker's JavaScript Promise Integration.
    #[cfg(all(target_arch = "wasm32", not(feature = "worker")))]
    pub fn map(&self, _buffer: &wgpu::Buffer, _bytes: u64) -> Done {
        Err(Fault::Unsupported("reading from WebGPU outside the worker".into()))
    }
}

#[cfg(all(target_arch = "wasm32", feature = "worker"))]
#[wasm_bindgen::prelude::wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_name = setTimeout)]
    fn set_timeout(then: &js_sys::Function, milliseconds: f64);
}

/// Runs a future that is ready immediately or makes progress by itself, as wgpu's futures do natively.
#[cfg(not(target_arch = "wasm32"))]
pub(crate) fn block_on<F: Future>(future: F) -> F::Output {
    let mut future = std::pin::pin!(future);
    let mut context = std::task::Context::from_waker(std::task::Waker::noop());
    loop {
        if let std::task::Poll::Ready(value) = future.as_mut().poll(&mut context) {
            return value;
        }
        std::thread::yield_now();
    }
}

/// Native software adapters identify themselves. A browser tells the name or nothing.
fn is_software(info: &wgpu::AdapterInfo) -> bool {
    let name = format!("{} {} {}", info.name, info.driver, info.driver_info).to_lowercase();
    info.device_type == wgpu::DeviceType::Cpu
        || ["swiftshader", "llvmpipe", "lavapipe"].iter().any(|known| name.contains(known))
}

fn hardware_name(info: &wgpu::AdapterInfo) -> String {
    if !info.name.is_empty() {
        info.name.clone()
    } else if !info.driver.is_empty() {
        info.driver.clone()
    } else {
        "WebGPU adapter".into()
    }
}
