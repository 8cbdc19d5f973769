//! Python modules that ship as bytecode, compiled by `build.rs`.

use rustpython_vm::frozen::{FrozenLib, FrozenModule};

/// The standard modules: `json`, `random`, `collections`, …
static STDLIB: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/stdlib.frozen"));

/// The `torch` package, from the Python files beside [`super::torch`].
static TORCH: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/torch.frozen"));

/// Every frozen module by its full name.
pub fn modules() -> impl Iterator<Item = (&'static str, FrozenModule)> {
    FrozenLib::from_ref(STDLIB).decode().chain(FrozenLib::from_ref(TORCH).decode())
}
