//! Runs tests that were compiled to WebAssembly in a headless browser; `cargo test` calls it.

fn main() -> anyhow::Result<()> {
    wasm_bindgen_cli::wasm_bindgen_test_runner::run_cli_with_args(std::env::args_os())
}
