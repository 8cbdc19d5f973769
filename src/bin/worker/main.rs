//! The engine in the page's Web Worker. `www/boot.js` loads it and documents what the two share.

#[cfg(target_arch = "wasm32")]
mod browser;
#[cfg(target_arch = "wasm32")]
mod gpu;
#[cfg(target_arch = "wasm32")]
mod page;
#[cfg(target_arch = "wasm32")]
mod session;

/// The files of the libraries, as custom sections of this program's WebAssembly. `www/finish.mjs` makes files of them again.
#[cfg(target_arch = "wasm32")]
#[allow(dead_code)] // The linker reads them, and no code does.
mod sections {
    include!(concat!(env!("OUT_DIR"), "/sections.rs"));
}

fn main() {}
