//! What a hosted program can use: Python, our `torch`, files in memory, and nothing of the machine.
//!
//! In the page there is nothing else. Natively, the interpreter is built with files, processes and sockets, so they are
//! removed (`sealed.rs`) before the program's first line. Both use one list of native modules, [`MODULES`]: a module
//! that isn't in it doesn't exist, whatever a program does to import it.

use std::cell::Cell;

use rustpython_vm::VirtualMachine;
use rustpython_vm::common::rc::PyRc;

/// Native modules that only compute, besides `sys` and `builtins`.
const MODULES: &[&str] = &[
    "_abc",
    "_ast",
    "_bisect",
    "_blake2",
    "_bz2",
    "_codecs",
    "_codecs_cn",
    "_codecs_hk",
    "_codecs_iso2022",
    "_codecs_jp",
    "_codecs_kr",
    "_codecs_tw",
    "_collections",
    "_contextvars",
    "_csv",
    "_functools",
    "_hashlib",
    "_heapq",
    "_imp",
    "_io",
    "_json",
    "_lzma",
    "_md5",
    "_multibytecodec",
    "_opcode",
    "_operator",
    "_pickle",
    "_queue",
    "_random",
    "_sha1",
    "_sha256",
    "_sha3",
    "_sha512",
    // Natively, the interpreter imports it when it starts. Afterwards it has no functions left.
    "_signal",
    "_sre",
    "_stat",
    "_statistics",
    "_string",
    "_struct",
    "_suggestions",
    "_tokenize",
    "_torch",
    "_types",
    "_typing",
    "_warnings",
    "_weakref",
    "array",
    "atexit",
    "binascii",
    "cmath",
    "errno",
    "gc",
    "itertools",
    "marshal",
    "math",
    "pyexpat",
    "time",
    "unicodedata",
    "zlib",
];

/// Removes all native modules except these from an interpreter that is being made.
pub(super) fn restrict(vm: &mut VirtualMachine) {
    let Some(state) = PyRc::get_mut(&mut vm.state) else {
        unreachable!("an interpreter's state is shared only once it has begun");
    };
    state.module_defs.retain(|name, _| MODULES.contains(name));
    #[cfg(not(target_arch = "wasm32"))]
    for def in state.module_defs.values_mut() {
        *def = super::sealed::narrowed(def);
    }
}

thread_local! {
    static HOSTED: Cell<bool> = const { Cell::new(cfg!(target_arch = "wasm32")) };
}

/// Whether the program of this thread runs hosted, so that access to the machine must be refused.
pub(super) fn is_hosted() -> bool {
    HOSTED.get()
}

/// Sets whether the program runs hosted, until the guard is dropped.
pub(super) fn set(hosted: bool) -> Guard {
    Guard(HOSTED.replace(hosted))
}

pub(super) struct Guard(bool);

impl Drop for Guard {
    fn drop(&mut self) {
        HOSTED.set(self.0);
    }
}
