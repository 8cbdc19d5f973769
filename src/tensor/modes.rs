//! `no_grad`, `enable_grad`, `inference_mode`: flags of each thread.

use std::cell::Cell;

thread_local! {
    static ENABLED: Cell<bool> = const { Cell::new(true) };
    static INFERENCE: Cell<bool> = const { Cell::new(false) };
}

pub fn is_grad_enabled() -> bool {
    ENABLED.get() && !INFERENCE.get()
}

/// The grad mode alone, regardless of inference mode.
pub fn enabled_flag() -> bool {
    ENABLED.get()
}

pub fn set_grad_enabled(on: bool) {
    ENABLED.set(on);
}

pub fn is_inference() -> bool {
    INFERENCE.get()
}

pub fn set_inference(on: bool) {
    INFERENCE.set(on);
}

/// Sets the grad mode until dropped.
pub struct GradMode(bool);

impl GradMode {
    pub fn set(on: bool) -> GradMode {
        GradMode(ENABLED.replace(on))
    }
}

impl Drop for GradMode {
    fn drop(&mut self) {
        ENABLED.set(self.0);
    }
}
