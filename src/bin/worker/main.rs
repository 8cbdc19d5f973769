//! The engine in the page's Web Worker. `www/boot.js` loads it and documents what the two share.

#[cfg(target_arch = "wasm32")]
mod browser;
#[cfg(target_arch = "wasm32")]
mod gpu;
#[cfg(target_arch = "wasm32")]
mod page;
#[cfg(target_arch = "wasm32")]
mod session;

/// The libraries' files ride in this program's WebAssembly, where `www/finish.mjs` takes them out.
#[cfg(target_arch = "wasm32")]
#[allow(dead_code)] // The linker reads them, and no code does.
mod sections {
    include!(concat!(env!("OUT_DIR"), "/sections.rs"));
}

fn main() {}
