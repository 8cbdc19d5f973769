//! Libraries that most programs never import, such as NumPy and most of the standard library: each is a file of its own, loaded
//! when a program first imports one of its modules. Natively the files are in the binary; in the page they are fetched.
//!
//! `build.rs` says which modules a library has. Bytecode comes from this build alone: a file's name tells its content.

use rustpython_vm::builtins::{PyCode, PyStrRef};
use rustpython_vm::frozen::FrozenLib;
use rustpython_vm::function::{FuncArgs, KwArgs};
use rustpython_vm::scope::Scope;
use rustpython_vm::{PyObjectRef, PyResult, VirtualMachine};

include!(concat!(env!("OUT_DIR"), "/libraries.rs"));

/// Standard modules that are in no library and not in the interpreter, and why.
#[cfg(not(target_arch = "wasm32"))]
pub static LEFT_OUT: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/left_out.rs"));

/// Which programs have a library.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Whose {
    Everywhere,
    Hosted,
    Native,
}

/// A library's file.
struct Library {
    name: &'static str,
    whose: Whose,
    #[cfg(target_arch = "wasm32")]
    file: &'static str,
    #[cfg(not(target_arch = "wasm32"))]
    bytes: &'static [u8],
}

/// Puts a finder after the interpreter's own that find native and frozen modules.
pub(super) fn install(hosted: bool, vm: &VirtualMachine) -> PyResult<()> {
    let loader = vm.new_module("_libraries", vm.ctx.new_dict(), None);
    loader.set_attr("create_module", vm.new_function("create_module", |_: FuncArgs| ()), vm)?;
    let execute = move |given: PyObjectRef, vm: &VirtualMachine| execute(hosted, given, vm);
    loader.set_attr("exec_module", vm.new_function("exec_module", execute), vm)?;
    let find = move |name: PyStrRef, _path_and_target: FuncArgs, vm: &VirtualMachine| -> PyResult {
        let Some((_, package)) = name.to_str().and_then(|name| module(name, hosted)) else { return Ok(vm.ctx.none()) };
        let spec = vm.import("_frozen_importlib", 0)?.get_attr("ModuleSpec", vm)?;
        let origin: PyObjectRef = vm.ctx.new_str("frozen").into();
        let named = [("origin", origin), ("is_package", vm.ctx.new_bool(package).into())];
        let named: KwArgs = named.into_iter().map(|(name, value)| (name.to_string(), value)).collect();
        spec.call(FuncArgs::new(vec![name.into(), loader.clone().into()], named), vm)
    };
    let finder = vm.new_module("_libraries", vm.ctx.new_dict(), None);
    finder.set_attr("find_spec", vm.new_function("find_spec", find), vm)?;
    // What `importlib.metadata` asks every finder.
    let distributions = |args: FuncArgs, vm: &VirtualMachine| {
        vm.import("_distributions", 0)?.get_attr("find", vm)?.call_with_args(args, vm)
    };
    finder.set_attr("find_distributions", vm.new_function("find_distributions", distributions), vm)?;
    let strings = |names: Vec<&str>, vm: &VirtualMachine| -> PyObjectRef {
        vm.ctx.new_tuple(names.into_iter().map(|name| vm.ctx.new_str(name).into()).collect()).into()
    };
    finder.set_attr("packages", strings(PACKAGES.to_vec(), vm), vm)?;
    let names = move |vm: &VirtualMachine| {
        let names = MODULES.iter().map(|(name, ..)| *name).filter(|name| module(name, hosted).is_some()).collect();
        strings(names, vm)
    };
    finder.set_attr("names", vm.new_function("names", names), vm)?;
    #[cfg(not(target_arch = "wasm32"))]
    {
        let why = |name: PyStrRef| LEFT_OUT.iter().find(|(out, _)| name.to_str() == Some(out)).map(|(_, why)| *why);
        finder.set_attr("why_left_out", vm.new_function("why_left_out", why), vm)?;
    }
    let finders = vm.sys_module.get_attr("meta_path", vm)?;
    let after = finders.length(vm)?.min(2);
    vm.call_method(&finders, "insert", (after, finder)).map(drop)
}

/// The library that a module belongs to, and whether the module is a package.
fn module(name: &str, hosted: bool) -> Option<(&'static Library, bool)> {
    let at = MODULES.partition_point(|(known, ..)| *known < name);
    let same = MODULES[at..].iter().take_while(|(known, ..)| *known == name);
    let mut libraries = same.map(|(_, library, package)| (&FILES[*library], *package));
    libraries.find(|(library, _)| library.whose != if hosted { Whose::Native } else { Whose::Hosted })
}

/// Runs a module's code in the module that was made for it.
fn execute(hosted: bool, given: PyObjectRef, vm: &VirtualMachine) -> PyResult<()> {
    let name = given.get_attr("__name__", vm)?.try_into_value::<PyStrRef>(vm)?;
    let known = name.to_str().and_then(|name| Some((name, module(name, hosted)?)));
    let (Some((text, (library, _))), Some(globals)) = (known, given.dict()) else {
        return Err(vm.new_import_error("this is no module of a library".to_string(), name));
    };
    let bytes = library
        .bytes()
        .map_err(|why| vm.new_import_error(format!("{} could not be loaded: {why}", library.name), name.clone()))?;
    let found = FrozenLib::from_ref(bytes).decode().find(|(module, _)| *module == text);
    let Some((_, module)) = found else {
        return Err(vm.new_import_error(format!("{} has no module {text}", library.name), name.clone()));
    };
    if text == "logging" {
        // Its report of a message that can't be written skips the frames whose files are in this folder.
        given.set_attr("__path__", vm.ctx.new_list(vec![vm.ctx.new_str("").into()]), vm)?;
    }
    let code = PyCode::new_ref_from_frozen(vm, module.code);
    vm.run_code_obj(code, Scope::with_builtins(None, globals, vm)).map(drop)
}

#[cfg(not(target_arch = "wasm32"))]
impl Library {
    fn bytes(&self) -> Result<&'static [u8], String> {
        Ok(self.bytes)
    }
}

#[cfg(target_arch = "wasm32")]
impl Library {
    /// Fetches the file once for all programs of this worker.
    fn bytes(&self) -> Result<&'static [u8], String> {
        use std::cell::RefCell;
        use std::collections::BTreeMap;

        thread_local! {
            static FETCHED: RefCell<BTreeMap<&'static str, &'static [u8]>> = const { RefCell::new(BTreeMap::new()) };
        }
        if let Some(bytes) = FETCHED.with_borrow(|fetched| fetched.get(self.file).copied()) {
            return Ok(bytes);
        }
        let host = super::page::host().ok_or("no page is there to fetch it")?;
        let bytes: &'static [u8] = host.library(self.file)?.leak();
        FETCHED.with_borrow_mut(|fetched| fetched.insert(self.file, bytes));
        Ok(bytes)
    }
}
