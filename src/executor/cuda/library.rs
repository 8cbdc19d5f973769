//! Finding NVIDIA's libraries at run time.
//!
//! The driver (`libcuda`) comes with the GPU's driver and is loaded by cudarc. The compiler (`libnvrtc`), the matrix products
//! (`libcublas`, `libcublasLt`), the links between processes (`libnccl`) and the management library (`libnvidia-ml`) are
//! searched by name, in a toolkit, and in the Python wheels that PyTorch installs. Any major version will do: this crate uses
//! only functions that haven't changed since CUDA 11.
//!
//! Cudarc also supplies the signatures of their functions ([`bindings`]), except those of the management library, which
//! nvml-wrapper binds.
//! Cudarc's own loading isn't used: it can't load from a given path, doesn't try `libnccl.so.2`, and panics if it finds
//! nothing.

use std::path::{Path, PathBuf};

use libloading::Library;

/// Says what to install where there is no driver.
pub const NO_DRIVER: &str = "there is no NVIDIA driver here (libcuda.so.1): install the driver of your GPU from \
                             https://www.nvidia.com/Download/index.aspx";

/// Says what to install where there is a driver but no GPU.
pub(crate) const NO_GPU: &str = "the NVIDIA driver is here, but it shows no GPU: see what nvidia-smi says, and whether \
                          CUDA_VISIBLE_DEVICES hides it";

/// Says what to install where there is no compiler.
pub(crate) const NO_NVRTC: &str = "NVRTC, which compiles the kernels, is missing (libnvrtc.so): install the CUDA toolkit, or run \
                            'pip install nvidia-cuda-nvrtc-cu12', or name the file in TENSORYARD_NVRTC";

/// Says what to install where there is no BLAS.
pub(crate) const NO_CUBLAS: &str = "cuBLAS is missing (libcublas.so), so matrix products run on slower kernels: install the CUDA \
                             toolkit, or run 'pip install nvidia-cublas-cu12', or name the file in TENSORYARD_CUBLAS";

/// Says what to install where there is no BLAS with epilogues.
pub(crate) const NO_CUBLASLT: &str = "cuBLASLt is missing (libcublasLt.so), so matrix products add their bias by a kernel of its own: \
                               install the CUDA toolkit, or run 'pip install nvidia-cublas-cu12', or name the file in \
                               TENSORYARD_CUBLASLT";

/// Says what to install where there is nothing to link GPUs with.
pub(crate) const NO_NCCL: &str = "NCCL, which joins the GPUs of several processes, is missing (libnccl.so.2): install it from \
                           https://developer.nvidia.com/nccl, or run 'pip install nvidia-nccl-cu12', or name the file in \
                           TENSORYARD_NCCL";

/// Describes a library to find.
pub struct Wanted {
    /// `nvrtc` in `libnvrtc.so.12`.
    pub stem: &'static str,
    /// The endings to try, newest first.
    versions: &'static [&'static str],
    /// The folder of its Python wheel, below `site-packages/nvidia`.
    wheels: &'static [&'static str],
    /// An environment variable with the path of the file.
    variable: &'static str,
}

pub const NVRTC: Wanted = Wanted {
    stem: "nvrtc",
    versions: &["", ".13", ".12", ".11.2"],
    wheels: &["cuda_nvrtc/lib", "cu13/lib"],
    variable: "TENSORYARD_NVRTC",
};

pub(crate) const CUBLAS: Wanted = Wanted {
    stem: "cublas",
    versions: &["", ".13", ".12", ".11"],
    wheels: &["cublas/lib", "cu13/lib"],
    variable: "TENSORYARD_CUBLAS",
};

pub(crate) const CUBLASLT: Wanted = Wanted {
    stem: "cublasLt",
    versions: &["", ".13", ".12", ".11"],
    wheels: &["cublas/lib", "cu13/lib"],
    variable: "TENSORYARD_CUBLASLT",
};

pub const NCCL: Wanted =
    Wanted { stem: "nccl", versions: &[".2", ""], wheels: &["nccl/lib"], variable: "TENSORYARD_NCCL" };

pub(crate) const MANAGEMENT: Wanted =
    Wanted { stem: "nvidia-ml", versions: &[".1", ""], wheels: &[], variable: "TENSORYARD_NVML" };

impl Wanted {
    /// Loads the library; `None` if it isn't found.
    pub fn load(&self) -> Option<Library> {
        self.open_with(open)
    }

    /// The same with `open`, which opens a library by its path, or by its name if the system should search for it.
    pub(crate) fn open_with<T>(&self, open: impl Fn(&Path) -> Option<T>) -> Option<T> {
        let named = std::env::var_os(self.variable).map(PathBuf::from);
        if let Some(path) = named {
            // If the user names a file, no other is tried.
            return open(&path);
        }
        let names: Vec<String> = self.versions.iter().map(|v| format!("lib{}.so{v}", self.stem)).collect();
        names.iter().find_map(|name| open(Path::new(name))).or_else(|| {
            let folders = self.folders();
            let paths =
                folders.iter().flat_map(|(folder, named)| names.iter().map(move |name| (folder.join(name), *named)));
            paths.filter(|(path, named)| is_safe(path, *named)).find_map(|(path, _)| open(&path))
        })
    }

    /// Folders that may contain it, in addition to those of the system's loader, and whether the user's environment
    /// names them.
    fn folders(&self) -> Vec<(PathBuf, bool)> {
        let mut folders = Vec::new();
        // In a folder next to the program, because an archive may contain the libraries.
        if let Some(folder) = std::env::current_exe().ok().and_then(|exe| Some(exe.parent()?.join("lib"))) {
            folders.push((folder, false));
        }
        for variable in ["CUDA_HOME", "CUDA_PATH"] {
            folders.extend(std::env::var_os(variable).map(|root| (PathBuf::from(root).join("lib64"), true)));
        }
        folders.push(("/usr/local/cuda/lib64".into(), false));
        let mut pythons: Vec<(PathBuf, bool)> = Vec::new();
        for variable in ["VIRTUAL_ENV", "CONDA_PREFIX"] {
            pythons.extend(std::env::var_os(variable).map(|root| (PathBuf::from(root).join("lib"), true)));
        }
        pythons.extend(cache().map(|cache| (cache.join("nvrtc/lib"), false)));
        pythons.extend(["/usr/local/lib", "/usr/lib", "/opt/conda/lib"].map(|folder| (folder.into(), false)));
        pythons.extend(std::env::var_os("HOME").map(|home| (PathBuf::from(home).join(".local/lib"), false)));
        for (python, named) in pythons
            .iter()
            .flat_map(|(folder, named)| children(folder, "python3").into_iter().map(move |python| (python, *named)))
        {
            for packages in ["site-packages", "dist-packages"] {
                let wheels = self.wheels.iter().map(|wheel| python.join(packages).join("nvidia").join(wheel));
                folders.extend(wheels.map(|folder| (folder, named)));
            }
        }
        folders
    }
}

/// Whether the file exists, and only its user and the administrator could have put it there or can change it: loading a
/// library runs its code. In a folder that the user's environment names, files may belong to other accounts, as in a
/// laboratory's shared folder; but even there, the folder must not be writable for everybody.
#[cfg(unix)]
fn is_safe(path: &Path, named: bool) -> bool {
    use std::os::unix::fs::MetadataExt;
    // Checks the files that links lead to, not the links themselves.
    let Ok(real) = path.canonicalize() else { return false };
    // SAFETY: these two ask the system for numbers and cannot fail.
    let (user, group) = unsafe { (libc::geteuid(), libc::getegid()) };
    real.ancestors().enumerate().all(|(depth, part)| {
        let Ok(about) = part.metadata() else { return false };
        let owned = named || about.uid() == 0 || about.uid() == user;
        // In a folder like /tmp, nobody can replace another user's files.
        let sticky = depth > 1 && about.mode() & 0o1000 != 0;
        let by_group = about.mode() & 0o020 != 0 && about.uid() != 0 && about.gid() != group && !named;
        let by_all = about.mode() & 0o002 != 0;
        owned && !by_group && (!by_all || sticky)
    })
}

#[cfg(not(unix))]
fn is_safe(path: &Path, _: bool) -> bool {
    path.exists()
}

fn open(path: &Path) -> Option<Library> {
    // SAFETY: NVIDIA's libraries; loading one runs its own initialization and none of our code.
    unsafe { Library::new(path) }.ok()
}

/// Folders whose names begin with `prefix`, in order.
fn children(folder: &Path, prefix: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut found: Vec<PathBuf> = entries
        .filter(|entry| entry.file_name().to_string_lossy().starts_with(prefix))
        .map(|entry| entry.path())
        .collect();
    found.sort();
    found
}

/// The user's cache folder for this program; `None` if no variable says where the user's files are.
pub fn cache() -> Option<PathBuf> {
    if let Some(folder) = std::env::var_os("TENSORYARD_CACHE") {
        return Some(folder.into());
    }
    let base = std::env::var_os("XDG_CACHE_HOME").map(PathBuf::from).filter(|p| p.is_absolute());
    let base = base.or_else(|| Some(PathBuf::from(std::env::var_os("HOME")?).join(".cache")));
    base.map(|base| base.join("tensoryard"))
}

/// One function of a library.
///
/// # Safety
/// `F` is the function's type.
pub unsafe fn function<F: Copy>(library: &Library, name: &str) -> Result<F, String> {
    // SAFETY: promised by the caller.
    let symbol = unsafe { library.get::<F>(name.as_bytes()) };
    symbol.map(|f| *f).map_err(|e| format!("{name}: {e}"))
}

/// How a binding's type is represented in a call of the function: a status is a number, all other types are themselves.
///
/// cudarc declares statuses as enumerations of the values in its version's header. A newer library may return other values,
/// and a Rust enumeration with such a value is undefined behavior. So statuses are only ever numbers here.
pub trait Crossing {
    type As;
}

impl<T> Crossing for *const T {
    type As = *const T;
}

impl<T> Crossing for *mut T {
    type As = *mut T;
}

/// Types that are passed unchanged: numbers, structures, and enumerations whose values only we choose.
macro_rules! as_they_are {
    ($($type:ty),*) => { $(impl $crate::executor::cuda::library::Crossing for $type { type As = $type; })* };
}
pub(super) use as_they_are;

/// Statuses, which are passed as numbers.
macro_rules! as_numbers {
    ($($type:ty),*) => { $(impl $crate::executor::cuda::library::Crossing for $type { type As = u32; })* };
}
pub(super) use as_numbers;

as_they_are!(i32, u32, i64, u64, usize);

/// A structure with a library's functions, by their names in the library, which it keeps loaded. Functions after `or none`
/// may be missing.
///
/// cudarc's function with the same name checks each signature: one that differs from its binding doesn't compile.
macro_rules! bindings {
    (
        $(#[$about:meta])*
        $seen:vis struct $name:ident of $sys:ident {
            $($field:ident: $function:ident($($argument:ty),*) -> $answer:ty;)*
        }
        $(or none {
            $($(#[$when:meta])* $rare:ident: $missing:ident($($given:ty),*) -> $back:ty;)*
        })?
    ) => {
        $(#[$about])*
        $seen struct $name {
            $($field: unsafe extern "C" fn(
                $(<$argument as $crate::executor::cuda::library::Crossing>::As),*
            ) -> <$answer as $crate::executor::cuda::library::Crossing>::As,)*
            $($($(#[$when])* $rare: Option<unsafe extern "C" fn(
                $(<$given as $crate::executor::cuda::library::Crossing>::As),*
            ) -> <$back as $crate::executor::cuda::library::Crossing>::As>,)*)?
            _library: ::libloading::Library,
        }

        impl $name {
            /// # Errors
            /// Which function the library lacks.
            fn bind(library: ::libloading::Library) -> Result<$name, String> {
                $(const _: unsafe fn($($argument),*) -> $answer = $sys::$function;)*
                $($(const _: unsafe fn($($given),*) -> $back = $sys::$missing;)*)?
                // SAFETY (all): the types are those of the binding, except that a status is a 32-bit number, as in C.
                Ok($name {
                    $($field: unsafe { $crate::executor::cuda::library::function(&library, stringify!($function)) }?,)*
                    $($($rare: unsafe { $crate::executor::cuda::library::function(&library, stringify!($missing)) }.ok(),)*)?
                    _library: library,
                })
            }
        }
    };
}
pub(super) use bindings;

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn cuda_libraries_come_from_no_folder_that_others_can_write() {
        let root = std::env::temp_dir().join(format!("tensoryard-library-{}", std::process::id()));
        let inner = root.join("inner");
        std::fs::create_dir_all(&inner).unwrap();
        let file = inner.join("libx.so");
        std::fs::write(&file, "x").unwrap();
        let allow = |path: &Path, mode: u32| {
            std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
        };
        for path in [&root, &inner] {
            allow(path, 0o755);
        }
        allow(&file, 0o644);
        for named in [true, false] {
            assert!(is_safe(&file, named));
            assert!(!is_safe(&inner.join("liby.so"), named), "there is no such file");
            for (path, mode, plain) in
                [(&file, 0o666, 0o644), (&inner, 0o777, 0o755), (&inner, 0o1777, 0o755), (&root, 0o777, 0o755)]
            {
                allow(path, mode);
                assert!(!is_safe(&file, named), "{} {mode:o}", path.display());
                allow(path, plain);
            }
            // Like /tmp, which contains this test's folder.
            allow(&root, 0o1777);
            assert!(is_safe(&file, named));
            allow(&root, 0o755);
        }
        std::fs::remove_dir_all(&root).unwrap();
    }
}
