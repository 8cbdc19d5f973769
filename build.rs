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

    /// Modules that only a program with a file system and a process can use. Programs that run hosted do without them; for
    /// `os` they get the page's.
    const NATIVE_ONLY: &[&str] =
        &["getpass", "hmac", "os", "platform", "secrets", "shutil", "signal", "tempfile", "uuid"];

    /// The packages that are written here.
    const PACKAGES: &[&str] = &["torch", "numpy", "matplotlib", "safetensors", "sklearn", "torchvision", "tqdm"];

    /// Libraries, each with its modules: a package stands for all of its own. What most programs never import is loaded when
    /// it is first imported; in the page it is a file of its own, which is fetched then.
    const LIBRARIES: &[(&str, &[&str])] = &[
        ("argparse", &["argparse", "gettext"]),
        ("base64", &["base64"]),
        ("colorsys", &["colorsys"]),
        ("csv", &["csv"]),
        ("datetime", &["datetime", "_pydatetime", "_strptime", "calendar"]),
        ("decimal", &["decimal", "_pydecimal"]),
        ("difflib", &["difflib"]),
        ("fractions", &["fractions"]),
        ("graphlib", &["graphlib"]),
        ("locale", &["locale"]),
        ("logging", &["logging"]),
        ("matplotlib", &["matplotlib"]),
        ("numpy", &["numpy"]),
        ("pickle", &["pickle", "_compat_pickle"]),
        ("pprint", &["pprint"]),
        ("queue", &["queue"]),
        ("safetensors", &["safetensors"]),
        ("shlex", &["shlex"]),
        ("sklearn", &["sklearn"]),
        ("statistics", &["statistics"]),
        ("timeit", &["timeit"]),
        ("torch._factors", &["torch._factors"]),
        ("torch._more", &["torch._more"]),
        ("torch.distributed", &["torch.distributed", "torch.nn.parallel.distributed"]),
        ("torch.distributions", &["torch.distributions"]),
        ("torch.fx", &["torch.fx"]),
        ("torch.masked", &["torch.masked"]),
        ("torch.nn._spatial", &["torch.nn._spatial"]),
        ("torch.nn.utils", &["torch.nn.utils.parametrizations", "torch.nn.utils.parametrize", "torch.nn.utils.prune"]),
        ("torch.profiler", &["torch.profiler"]),
        ("torch.signal", &["torch.signal"]),
        ("torchvision", &["torchvision"]),
        ("tqdm", &["tqdm"]),
    ];

    /// Parts of packages in [`STDLIB`] that nothing here uses.
    const LEFT_OUT: &[&str] = &[
        // The interpreter has this built in.
        "importlib._bootstrap",
        "importlib.metadata",
        "importlib.resources",
        "json.__main__",
        "json.tool",
        "logging.config",
        "logging.handlers",
        "string.templatelib",
    ];

    pub fn write() {
        let out = PathBuf::from(std::env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
        let page = std::env::var("CARGO_CFG_TARGET_ARCH").is_ok_and(|arch| arch == "wasm32");
        let here = PathBuf::from(std::env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets CARGO_MANIFEST_DIR"));

        let library = Path::new(rustpython_pylib::LIB_PATH);
        let standard = |names: &[&str]| {
            let mut modules = BTreeMap::new();
            for name in names {
                let path = library.join(name.replace('.', "/"));
                if path.is_dir() {
                    find(&path, name, &mut modules);
                } else {
                    let module = name.strip_suffix(".__init__");
                    modules.insert(module.unwrap_or(name).to_string(), (path.with_extension("py"), module.is_some()));
                }
            }
            modules.retain(|name, _| !LEFT_OUT.iter().any(|out| is_within(name, out)));
            modules
        };
        // The bodies of standard modules are not for reading here, so their docstrings and assertions stay out.
        let frozen = |modules: &Modules| freeze(modules, 2, |name, _| format!("<frozen {name}>"), page);
        let write = |file: &str, modules: &Compiled| write_file(&out.join(file), &encoded(modules));
        let mut stdlib = standard(STDLIB);
        find(&here.join("src/python/standard"), "", &mut stdlib);
        let mut stdlib = frozen(&stdlib);
        let mut stand_ins = BTreeMap::new();
        find(&here.join("src/python/page"), "", &mut stand_ins);
        write("page.frozen", &frozen(&stand_ins));
        if !page {
            write("native.frozen", &frozen(&standard(NATIVE_ONLY)));
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

        write_libraries(&mut [&mut stdlib, &mut torch], page, &out);
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

    /// Takes the modules of [`LIBRARIES`] out of `all` and writes a file for each library, and with them `libraries.rs`: which
    /// modules there are, and where a library's bytes come from. A file's name tells its content, so that an engine never
    /// meets a file of another build.
    fn write_libraries(all: &mut [&mut Compiled], page: bool, out: &Path) {
        let mut files = String::from("/// Each library's file.\nstatic FILES: &[Library] = &[\n");
        let mut sections = String::new();
        let mut names = BTreeMap::new();
        for (at, (library, packages)) in LIBRARIES.iter().enumerate() {
            let belongs = |name: &str| packages.iter().any(|package| is_within(name, package));
            let modules: Compiled =
                all.iter_mut().flat_map(|modules| modules.extract_if(.., |name, _| belongs(name))).collect();
            for package in *packages {
                assert!(modules.contains_key(*package), "the library {library} has no module {package}");
            }
            let bytes = encoded(&modules);
            let mut hash = DefaultHasher::new();
            hash.write(&bytes);
            let file = format!("{library}-{:016x}", hash.finish());
            write_file(&out.join(format!("{library}.frozen")), &bytes);
            names.extend(modules.into_iter().map(|(name, module)| (name, (at, module.package))));

            let own = format!("include_bytes!(concat!(env!(\"OUT_DIR\"), \"/{library}.frozen\"))");
            let whence = if page { format!("file: {file:?}") } else { format!("bytes: {own}") };
            let _ = writeln!(files, "    Library {{ name: {library:?}, {whence} }},");
            let _ = write!(
                sections,
                "\n// SAFETY: a section of its own that nothing in the program refers to.\n\
                 #[unsafe(link_section = \"library.{file}\")]\n\
                 static LIBRARY_{at}: [u8; {length}] = *{own};\n",
                length = bytes.len(),
            );
        }
        files += "];\n\n/// Every module of a library, in order: its name, its library, and whether it is a package.\n\
                  static MODULES: &[(&str, usize, bool)] = &[\n";
        for (name, (at, package)) in names {
            let _ = writeln!(files, "    ({name:?}, {at}, {package}),");
        }
        files += "];\n";
        write_file(&out.join("libraries.rs"), files.as_bytes());
        write_file(&out.join("sections.rs"), sections.as_bytes());
    }

    fn write_file(path: &Path, bytes: &[u8]) {
        std::fs::write(path, bytes).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    }

    fn is_within(name: &str, package: &str) -> bool {
        name == package || name.strip_prefix(package).is_some_and(|rest| rest.starts_with('.'))
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
            let source = std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
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
