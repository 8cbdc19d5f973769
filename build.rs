//! Compiles the Python sources that ship with the binary to bytecode: the chosen standard modules and the `torch` package. What
//! every program needs is read by `src/python/frozen.rs`, and libraries that most programs never import by
//! `src/python/libraries.rs`.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    #[cfg(feature = "python")]
    frozen::write();
}

#[cfg(feature = "python")]
mod frozen {
    use std::collections::BTreeMap;
    use std::fmt::Write;
    use std::hash::{DefaultHasher, Hasher};
    use std::path::{Path, PathBuf};

    use rustpython_compiler::{CompileOpts, Mode};
    use rustpython_compiler_core::bytecode::{CodeObject, Constant};
    use rustpython_compiler_core::frozen::{FrozenCodeObject, FrozenLib, FrozenModule};
    use rustpython_compiler_core::marshal;

    /// Standard modules a learner imports, and what these import. A package stands for all its modules.
    const STDLIB: &[&str] = &[
        "__future__",
        "_ast_unparse",
        "_collections_abc",
        "_compat_pickle",
        "_dummy_thread",
        "_opcode_metadata",
        "_py_warnings",
        "_pydatetime",
        "_pydecimal",
        "_sitebuiltins",
        "_strptime",
        "_threading_local",
        "_weakrefset",
        "abc",
        "annotationlib",
        "argparse",
        "ast",
        "base64",
        "bisect",
        "calendar",
        "collections",
        "codeop",
        "colorsys",
        "contextlib",
        "contextvars",
        "copy",
        "csv",
        "dataclasses",
        "datetime",
        "decimal",
        "difflib",
        "dis",
        // Only UTF-8, ASCII and Latin-1 are in the interpreter; these two find them by their other names.
        "encodings.__init__",
        "encodings.aliases",
        "enum",
        "fnmatch",
        "fractions",
        "functools",
        "genericpath",
        "gettext",
        "glob",
        "graphlib",
        "hashlib",
        "heapq",
        "importlib",
        "inspect",
        "io",
        "json",
        "keyword",
        "linecache",
        "locale",
        "logging",
        "ntpath",
        "numbers",
        "opcode",
        "operator",
        "pathlib",
        "pickle",
        "posixpath",
        "pprint",
        "queue",
        "random",
        "re",
        "reprlib",
        "shlex",
        "stat",
        "statistics",
        "string",
        "struct",
        "textwrap",
        "threading",
        "timeit",
        "token",
        "tokenize",
        "traceback",
        "types",
        "typing",
        "warnings",
        "weakref",
    ];

    /// What only a program that isn't hosted can import, because it needs the machine: terminals, shared memory, and
    /// `_symtable`, whose compiler would read lines of files. For some of these, hosted programs have stand-ins in
    /// `src/python/page`.
    const NATIVE_ONLY: &[&str] = &[
        "multiprocessing.forkserver",
        "multiprocessing.heap",
        "multiprocessing.popen_fork",
        "multiprocessing.popen_forkserver",
        "multiprocessing.popen_spawn_posix",
        "multiprocessing.resource_tracker",
        "multiprocessing.shared_memory",
        "multiprocessing.synchronize",
        "pty",
        "signal",
        "symtable",
        "sysconfig",
        "tty",
    ];

    /// What is in the engine for hosted programs, of the modules in `src/python/page`. The others are a library.
    const PAGE_AT_START: &[&str] = &["_files", "os", "posix"];

    /// The packages that are written here.
    const PACKAGES: &[&str] = &[
        "PIL",
        "einops",
        "torch",
        "numpy",
        "IPython",
        "matplotlib",
        "mlxtend",
        "mpl_toolkits",
        "pandas",
        "requests",
        "safetensors",
        "scipy",
        "sklearn",
        "tiktoken",
        "torchinfo",
        "torchmetrics",
        "torchvision",
        "tqdm",
    ];

    /// Libraries, each with its modules: a package stands for all of its own. What most programs never import is loaded when
    /// it is first imported; in the page it is a file of its own, which is fetched then. Every other standard module and
    /// package, except [`LEFT_OUT`], is a library by itself.
    const LIBRARIES: &[(&str, &[&str])] = &[
        ("PIL", &["PIL"]),
        ("archives", &["bz2", "compression", "encodings.cp437", "gzip", "lzma", "tarfile", "zipapp", "zipfile"]),
        ("argparse", &["argparse", "gettext"]),
        ("asyncio", &["asyncio", "concurrent"]),
        ("base64", &["base64"]),
        ("colorsys", &["colorsys"]),
        ("csv", &["csv"]),
        ("datetime", &["datetime", "_pydatetime", "_strptime", "calendar"]),
        ("decimal", &["decimal", "_pydecimal"]),
        ("difflib", &["difflib"]),
        ("einops", &["einops"]),
        ("fractions", &["fractions"]),
        ("graphlib", &["graphlib"]),
        ("html", &["_markupbase", "html"]),
        ("http", &["http", "urllib", "nturl2path"]),
        ("importlib.metadata", &["_distributions", "importlib.metadata"]),
        ("importlib.resources", &["importlib.readers", "importlib.resources", "importlib.simple"]),
        ("IPython", &["IPython"]),
        ("json.tool", &["json.tool"]),
        ("locale", &["locale"]),
        ("logging", &["logging"]),
        ("logging.config", &["logging.config", "logging.handlers"]),
        ("matplotlib", &["matplotlib", "mpl_toolkits"]),
        ("mlxtend", &["mlxtend"]),
        ("numpy", &["numpy"]),
        ("numpy._dates", &["numpy._dates"]),
        ("numpy.ma", &["numpy.ma"]),
        ("pickle", &["pickle", "_compat_pickle"]),
        ("pandas", &["pandas"]),
        ("pdb", &["bdb", "cmd", "code", "pdb"]),
        ("pprint", &["pprint"]),
        ("pydoc", &["_pyrepl.__init__", "_pyrepl.pager", "_pyrepl.trace", "_pyrepl.types", "_pyrepl.utils", "pydoc"]),
        ("queue", &["queue"]),
        ("requests", &["requests"]),
        ("safetensors", &["safetensors"]),
        ("scipy", &["scipy"]),
        ("shlex", &["shlex"]),
        ("sklearn", &["sklearn"]),
        (
            "sklearn.data",
            &[
                "sklearn.datasets._breast_cancer",
                "sklearn.datasets._diabetes",
                "sklearn.datasets._iris",
                "sklearn.datasets._wine",
            ],
        ),
        ("sklearn.digits", &["sklearn.datasets._digits"]),
        ("socket", &["selectors", "socket", "socketserver", "ssl"]),
        ("sre", &["sre_compile", "sre_constants", "sre_parse"]),
        ("statistics", &["statistics"]),
        ("string.templatelib", &["string.templatelib"]),
        ("tempfile", &["shutil", "tempfile"]),
        ("tiktoken", &["tiktoken"]),
        ("tiktoken.cl100k_base", &["tiktoken._cl100k_base"]),
        ("tiktoken.gpt2", &["tiktoken._gpt2"]),
        ("timeit", &["timeit"]),
        (
            "torch._batching",
            &[
                "torch._batching_networks",
                "torch._batching_random",
                "torch._batching_refusals",
                "torch._batching_rules",
            ],
        ),
        ("torch._factors", &["torch._factors"]),
        ("torch._more", &["torch._more"]),
        ("torch.distributed", &["torch.distributed", "torch.nn.parallel.distributed"]),
        ("torch.distributions", &["torch.distributions"]),
        ("torch.fft", &["torch._spectral", "torch.fft"]),
        ("torch.foreach", &["torch.foreach"]),
        ("torch.fx", &["torch.fx"]),
        ("torch.library", &["torch._ops", "torch.library"]),
        ("torch.masked", &["torch.masked"]),
        ("torch.nested", &["torch._nested", "torch.nested"]),
        ("torch.nn._spatial", &["torch.nn._spatial"]),
        ("torch.nn.attention.flex_attention", &["torch.nn.attention.flex_attention"]),
        ("torch.nn.utils", &["torch.nn.utils.parametrizations", "torch.nn.utils.parametrize", "torch.nn.utils.prune"]),
        ("torch.profiler", &["torch.profiler"]),
        ("torch.quasirandom", &["torch.quasirandom"]),
        ("torch.signal", &["torch.signal"]),
        ("torch.sparse", &["torch._sparse", "torch.sparse"]),
        ("torch._special", &["torch._special"]),
        ("torch.testing", &["torch.testing"]),
        ("torch.utils.flop_counter", &["torch.utils.flop_counter", "torch.utils.module_tracker"]),
        ("torchinfo", &["torchinfo"]),
        ("torchmetrics", &["torchmetrics"]),
        ("torchvision", &["torchvision"]),
        ("tqdm", &["tqdm"]),
    ];

    /// Standard modules that aren't here, and why. `docs/python.md` lists them, and `tensoryard compat` says the reason.
    const LEFT_OUT: &[(&str, &str)] = &[
        ("__hello__", "a test of Python's own importer"),
        ("__phello__", "a test of Python's own importer"),
        ("_aix_support", "for another operating system"),
        ("_android_support", "for another operating system"),
        ("_apple_support", "for another operating system"),
        ("_dummy_os", "for an interpreter without `os`"),
        ("_ios_support", "for another operating system"),
        ("_osx_support", "for another operating system"),
        ("_pyrepl", "Python's interactive prompt, which needs a terminal"),
        ("antigravity", "opens a web browser when it's imported"),
        ("asyncio.tools", "looks into other processes"),
        ("asyncio.windows_events", "for another operating system"),
        ("asyncio.windows_utils", "for another operating system"),
        ("compression.zstd", "needs the library zstd, which the interpreter doesn't have"),
        ("concurrent.futures.interpreter", "starts more interpreters, which need threads"),
        ("concurrent.interpreters", "starts more interpreters, which need threads"),
        ("ctypes", "calls C libraries; PyTorch's own aren't here, and a hosted program may not reach the machine's"),
        ("dbm.gnu", "needs the library gdbm, which the interpreter doesn't have"),
        ("dbm.ndbm", "needs the library ndbm, which the interpreter doesn't have"),
        ("dbm.sqlite3", "needs the library SQLite, which the interpreter doesn't have"),
        ("dummy_threading", "for an interpreter without threads; `threading` is here"),
        ("encodings.mbcs", "for another operating system"),
        ("encodings.oem", "for another operating system"),
        ("ensurepip", "installs packages; `pip` isn't here"),
        ("idlelib", "an editor with windows of its own"),
        ("importlib._bootstrap", "built into the interpreter"),
        ("multiprocessing.popen_spawn_win32", "for another operating system"),
        ("multiprocessing.sharedctypes", "needs `ctypes`"),
        ("pydoc_data", "the topics of `help('if')` and the like; `help` of objects is here"),
        ("site", "finds installed packages when Python starts; every package here is built in"),
        ("sqlite3", "needs the library SQLite, which the interpreter doesn't have"),
        ("tkinter", "draws windows of its own; `matplotlib` is here"),
        ("tracemalloc", "needs an interpreter that traces its memory"),
        ("turtle", "draws windows of its own; `matplotlib` is here"),
        ("turtledemo", "draws windows of its own"),
        ("venv", "makes environments for packages that are installed; every package here is built in"),
    ];

    pub fn write() {
        let out = PathBuf::from(std::env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
        let page = std::env::var("CARGO_CFG_TARGET_ARCH").is_ok_and(|arch| arch == "wasm32");
        let here = PathBuf::from(std::env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets CARGO_MANIFEST_DIR"));

        let mut library = BTreeMap::new();
        find(Path::new(rustpython_pylib::LIB_PATH), "", &mut library);
        library.retain(|name, _| !name.ends_with("__main__") && !is_left_out(name));
        let mut part = |names: &[&str]| -> Modules {
            library.extract_if(.., |name, _| names.iter().any(|package| belongs(name, package))).collect()
        };
        // The bodies of standard modules are not for reading here, so their docstrings and assertions stay out.
        let frozen = |modules: &Modules| freeze(modules, 2, |name, _| format!("<frozen {name}>"), page);
        let write = |file: &str, modules: &Compiled| write_file(&out.join(file), &encoded(modules));
        let mut stdlib = part(STDLIB);
        let (os, native) = (part(&["os"]), part(NATIVE_ONLY));
        find(&here.join("src/python/standard"), "", &mut stdlib);
        library.retain(|name, _| !stdlib.contains_key(name));
        let mut rest = frozen(&library);
        let mut stdlib = frozen(&stdlib);
        let mut stand_ins = BTreeMap::new();
        find(&here.join("src/python/page"), "", &mut stand_ins);
        let mut stand_ins = frozen(&stand_ins);
        let mut hosted: Vec<(String, Compiled)> = Vec::new();
        let is_later = |name: &String| !PAGE_AT_START.contains(&name.as_str());
        hosted.push(("page".into(), stand_ins.extract_if(.., |name, _| is_later(name)).collect()));
        write("page.frozen", &stand_ins);
        if !page {
            write("native.frozen", &frozen(&os));
        }

        let mut torch = BTreeMap::new();
        for package in PACKAGES {
            find(&here.join("src/python").join(package), package, &mut torch);
            println!("cargo:rerun-if-changed=src/python/{package}");
        }
        let file_name = |name: &str, package: bool| {
            let path = name.replace('.', "/");
            if package { format!("{path}/__init__.py") } else { format!("{path}.py") }
        };
        let mut torch = freeze(&torch, 0, file_name, page);

        let mut everywhere = libraries(&mut [&mut stdlib, &mut torch, &mut rest]);
        // What nothing names is a library by itself.
        for (name, module) in rest {
            let top = name.split('.').next().unwrap_or_default().to_string();
            match everywhere.iter_mut().find(|(library, _)| *library == top) {
                Some((_, modules)) => drop(modules.insert(name, module)),
                None => everywhere.push((top, BTreeMap::from([(name, module)]))),
            }
        }
        let native = if page { Vec::new() } else { vec![("native".to_string(), frozen(&native))] };
        write_libraries(&[("Everywhere", everywhere), ("Hosted", hosted), ("Native", native)], page, &out);
        write("stdlib.frozen", &stdlib);
        write("torch.frozen", &torch);

        println!("cargo:rerun-if-changed=src/python/standard");
        println!("cargo:rerun-if-changed=src/python/page");
        if page {
            // RustPython measures the stack that it recurses on; what is left below the data is this much.
            println!("cargo:rustc-link-arg-bin=worker=-zstack-size=1048576");
        }
    }

    /// Where each module's source is, and whether it is a package.
    type Modules = BTreeMap<String, (PathBuf, bool)>;
    type Compiled = BTreeMap<String, FrozenModule<Vec<u8>>>;

    /// Whether a name in one of the lists above stands for a module: it's the module's, or that of a package around it, or it
    /// ends in `.__init__` and stands for that package without its modules.
    fn belongs(module: &str, name: &str) -> bool {
        match name.strip_suffix(".__init__") {
            Some(package) => module == package,
            None => is_within(module, name),
        }
    }

    /// Whether [`LEFT_OUT`] has a module, or a package around it that no smaller name of [`LIBRARIES`] takes it out of.
    fn is_left_out(module: &str) -> bool {
        let named = LIBRARIES.iter().flat_map(|(_, names)| names.iter()).filter(|name| belongs(module, name));
        let nearest = named.map(|name| name.len()).max().unwrap_or(0);
        LEFT_OUT.iter().any(|(name, _)| is_within(module, name) && name.len() > nearest)
    }

    /// Takes the modules of [`LIBRARIES`] out of `all`. A module belongs to the library that names the smallest package around
    /// it.
    fn libraries(all: &mut [&mut Compiled]) -> Vec<(String, Compiled)> {
        let nearest = |module: &str| {
            let names =
                LIBRARIES.iter().enumerate().flat_map(|(at, (_, names))| names.iter().map(move |name| (at, name)));
            names.filter(|(_, name)| belongs(module, name)).max_by_key(|(_, name)| name.len()).map(|(at, _)| at)
        };
        let mut taken: Vec<(String, Compiled)> =
            LIBRARIES.iter().map(|(library, _)| (library.to_string(), BTreeMap::new())).collect();
        for modules in all {
            for (name, module) in modules.extract_if(.., |name, _| nearest(name).is_some()) {
                let at = nearest(&name).expect("only these are taken");
                taken[at].1.insert(name, module);
            }
        }
        for ((library, names), (_, modules)) in LIBRARIES.iter().zip(&taken) {
            for name in *names {
                let module = name.strip_suffix(".__init__").unwrap_or(name);
                assert!(modules.contains_key(module), "the library {library} has no module {name}");
            }
        }
        taken
    }

    /// Writes a file for each library, and with them `libraries.rs`: which modules there are, for which programs, and where a
    /// library's bytes come from. A file's name tells its content, so that an engine never meets a file of another build.
    fn write_libraries(all: &[(&str, Vec<(String, Compiled)>)], page: bool, out: &Path) {
        let mut files = String::from("/// Each library's file.\nstatic FILES: &[Library] = &[\n");
        let mut sections = String::new();
        let mut names = Vec::new();
        let all = all.iter().flat_map(|(whose, libraries)| libraries.iter().map(move |library| (whose, library)));
        for (at, (whose, (library, modules))) in all.enumerate() {
            let bytes = encoded(modules);
            let mut hash = DefaultHasher::new();
            hash.write(&bytes);
            let file = format!("{library}-{:016x}", hash.finish());
            write_file(&out.join(format!("{library}.library")), &bytes);
            names.extend(modules.iter().map(|(name, module)| (name, at, module.package)));

            let own = format!("include_bytes!(concat!(env!(\"OUT_DIR\"), \"/{library}.library\"))");
            let whence = if page { format!("file: {file:?}") } else { format!("bytes: {own}") };
            let _ = writeln!(files, "    Library {{ name: {library:?}, whose: Whose::{whose}, {whence} }},");
            let _ = write!(
                sections,
                "\n// SAFETY: a section of its own that nothing in the program refers to.\n\
                 #[unsafe(link_section = \"library.{file}\")]\n\
                 static LIBRARY_{at}: [u8; {length}] = *{own};\n",
                length = bytes.len(),
            );
        }
        names.sort();
        files += "];\n\n/// Every module of a library, in order: its name, its library, and whether it is a package. Two libraries \
                  have a module\n/// of one name if it's one for hosted programs and one for others.\n\
                  static MODULES: &[(&str, usize, bool)] = &[\n";
        for (name, at, package) in names {
            let _ = writeln!(files, "    ({name:?}, {at}, {package}),");
        }
        files += "];\n\n/// The packages that are written here.\nstatic PACKAGES: &[&str] = &[\n";
        for package in PACKAGES {
            let _ = writeln!(files, "    {package:?},");
        }
        files += "];\n";
        write_file(&out.join("libraries.rs"), files.as_bytes());
        write_file(&out.join("sections.rs"), sections.as_bytes());
        let mut left_out = String::from("&[\n");
        for (name, why) in LEFT_OUT {
            let _ = writeln!(left_out, "    ({name:?}, {why:?}),");
        }
        write_file(&out.join("left_out.rs"), (left_out + "]\n").as_bytes());
    }

    fn write_file(path: &Path, bytes: &[u8]) {
        std::fs::write(path, bytes).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    }

    fn is_within(name: &str, package: &str) -> bool {
        name == package || name.strip_prefix(package).is_some_and(|rest| rest.starts_with('.'))
    }

    /// A module's source. A file `NAME.bin` is a module too, whose one name, `data`, is the file's bytes: so data is loaded like
    /// code, when it's first imported.
    fn source(path: &Path) -> String {
        let bytes = std::fs::read(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        if path.extension().is_none_or(|e| e != "bin") {
            return String::from_utf8(bytes).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        }
        let mut text = String::from("data = b\"");
        for byte in bytes {
            let _ = write!(text, "\\x{byte:02x}");
        }
        text + "\"\n"
    }

    /// Gathers the modules under `dir`, whose package is `name` (empty at the top): path and "is a package".
    fn find(dir: &Path, name: &str, modules: &mut Modules) {
        let entries = std::fs::read_dir(dir).unwrap_or_else(|e| panic!("{}: {e}", dir.display()));
        for entry in entries {
            let path = entry.unwrap_or_else(|e| panic!("{}: {e}", dir.display())).path();
            let stem = path.file_stem().and_then(|s| s.to_str()).unwrap_or_default().to_string();
            let full = if name.is_empty() { stem.clone() } else { format!("{name}.{stem}") };
            if path.is_dir() {
                find(&path, &full, modules);
            } else if path.extension().is_some_and(|e| e == "py") {
                match stem.as_str() {
                    "__init__" => modules.insert(name.to_string(), (path, true)),
                    _ => modules.insert(full, (path, false)),
                };
            } else if path.extension().is_some_and(|e| e == "bin") {
                modules.insert(full, (path, false));
            }
        }
    }

    /// Code as [`FrozenCodeObject::encode`] writes it, but for the compression: one LZ4 block of literals alone. The page's
    /// files travel compressed as a whole, which does better on bytes that are not compressed already.
    fn stored<C: Constant>(code: &CodeObject<C>) -> FrozenCodeObject<Vec<u8>> {
        let mut data = Vec::new();
        marshal::serialize_code(&mut data, code);
        let mut bytes = (data.len() as u32).to_le_bytes().to_vec();
        match data.len().checked_sub(15) {
            None => bytes.push((data.len() as u8) << 4),
            Some(rest) => {
                bytes.push(0xf0);
                bytes.resize(bytes.len() + rest / 255, 255);
                bytes.push((rest % 255) as u8);
            }
        }
        bytes.extend(data);
        FrozenCodeObject { bytes }
    }

    fn freeze(modules: &Modules, optimize: u8, file_name: impl Fn(&str, bool) -> String, page: bool) -> Compiled {
        let compiled = |(name, (path, package)): (&String, &(PathBuf, bool))| {
            let source = source(path);
            let options = CompileOpts { optimize, ..Default::default() };
            let code = rustpython_compiler::compile(&source, Mode::Exec, &file_name(name, *package), options)
                .unwrap_or_else(|e| panic!("{}: {e}", path.display()));
            let code = if page { stored(&code) } else { FrozenCodeObject::encode(&code) };
            (name.clone(), FrozenModule { code, package: *package })
        };
        modules.iter().map(compiled).collect()
    }

    fn encoded(modules: &Compiled) -> Vec<u8> {
        FrozenLib::encode(modules.iter().map(|(name, module)| {
            let code = FrozenCodeObject { bytes: &module.code.bytes[..] };
            (name.as_str(), FrozenModule { code, package: module.package })
        }))
        .bytes
    }
}
