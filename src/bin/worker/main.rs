//! The engine in the page's Web Worker. `www/boot.js` loads it and documents what the two share.

#[cfg(target_arch = "wasm32")]
mod browser;
#[cfg(target_arch = "wasm32")]
mod gpu;
#[cfg(target_arch = "wasm32")]
mod page;
#[cfg(target_arch = "wasm32")]
mod session;

fn main() {}
