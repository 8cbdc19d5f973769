//! Python modules that ship as bytecode, compiled by `build.rs`.

use rustpython_vm::frozen::{FrozenLib, FrozenModule};

/// The standard modules: `json`, `random`, `collections`, …
static STDLIB: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/stdlib.frozen"));

/// Modules that need a machine: `os`, `tempfile`, …
#[cfg(not(target_arch = "wasm32"))]
static NATIVE: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/native.frozen"));

/// What a hosted program gets instead: an `os` whose files are in memory.
static PAGE: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/page.frozen"));

/// The `torch` package, from the Python files next to [`super::torch`], and the libraries that programs use with it.
static TORCH: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/torch.frozen"));

/// Every frozen module by its full name.
pub(super) fn modules(hosted: bool) -> impl Iterator<Item = (&'static str, FrozenModule)> {
    [STDLIB, beneath(hosted), torch()].into_iter().flat_map(|library| FrozenLib::from_ref(library).decode())
}

#[cfg(not(target_arch = "wasm32"))]
fn beneath(hosted: bool) -> &'static [u8] {
    if hosted { PAGE } else { NATIVE }
}

#[cfg(target_arch = "wasm32")]
fn beneath(_hosted: bool) -> &'static [u8] {
    PAGE
}

#[cfg(not(all(debug_assertions, not(target_arch = "wasm32"))))]
fn torch() -> &'static [u8] {
    TORCH
}

/// In a debug build, `TENSORYARD_TORCH_SOURCE` may name a folder (`src/python`) whose packages are compiled again at every
/// start. Changes of its Python files then need no build.
#[cfg(all(debug_assertions, not(target_arch = "wasm32")))]
fn torch() -> &'static [u8] {
    use std::sync::OnceLock;

    static FROM_SOURCE: OnceLock<Option<Vec<u8>>> = OnceLock::new();
    FROM_SOURCE.get_or_init(from_source::library).as_deref().unwrap_or(TORCH)
}

#[cfg(all(debug_assertions, not(target_arch = "wasm32")))]
mod from_source {
    use std::path::Path;

    use rustpython_vm::compiler::{CompileOpts, Mode, compile};
    use rustpython_vm::frozen::{FrozenCodeObject, FrozenLib, FrozenModule};

    type Module = (String, FrozenModule<Vec<u8>>);

    pub(super) fn library() -> Option<Vec<u8>> {
        let folder = std::env::var_os("TENSORYARD_TORCH_SOURCE")?;
        let mut modules = Vec::new();
        for entry in std::fs::read_dir(&folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display())) {
            let path = entry.expect("a folder can be read").path();
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            // These two replace standard modules, each for its own programs.
            if path.is_dir() && !["page", "standard"].contains(&&*name) {
                find(&path, &name, &mut modules);
            }
        }
        Some(
            FrozenLib::encode(modules.iter().map(|(name, module)| {
                let code = FrozenCodeObject { bytes: &module.code.bytes[..] };
                (name.as_str(), FrozenModule { code, package: module.package })
            }))
            .bytes,
        )
    }

    fn find(folder: &Path, name: &str, modules: &mut Vec<Module>) {
        let entries = std::fs::read_dir(folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
        for entry in entries {
            let path = entry.expect("a folder can be read").path();
            let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            if path.is_dir() {
                find(&path, &format!("{name}.{stem}"), modules);
            } else if path.extension().is_some_and(|e| e == "py") {
                let package = stem == "__init__";
                let full = if package { name.to_string() } else { format!("{name}.{stem}") };
                let source = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
                let file = if package {
                    format!("{}/__init__.py", full.replace('.', "/"))
                } else {
                    format!("{}.py", full.replace('.', "/"))
                };
                let code = compile(&source, Mode::Exec, &file, CompileOpts::default())
                    .unwrap_or_else(|e| panic!("{}: {e}", path.display()));
                modules.push((full, FrozenModule { code: FrozenCodeObject::encode(&code), package }));
            } else if path.extension().is_some_and(|e| e == "bin") {
                // The build compiles the bytes themselves (`build.rs`); read from the file they start faster.
                let full = format!("{name}.{stem}");
                let source = format!("with open({path:?}, 'rb') as file:\n    data = file.read()\n");
                let code = compile(&source, Mode::Exec, &full, CompileOpts::default())
                    .unwrap_or_else(|e| panic!("{}: {e}", path.display()));
                modules.push((full, FrozenModule { code: FrozenCodeObject::encode(&code), package: false }));
            }
        }
    }
}
