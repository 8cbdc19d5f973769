//! The page, built for wasm32.

#[cfg(target_arch = "wasm32")]
fn main() {
    tensoryard::app::page::mount();
}

#[cfg(not(target_arch = "wasm32"))]
fn main() {
    eprintln!("app: the page runs in a browser; build it with `./play`");
    std::process::exit(2);
}
