//! NVRTC, which compiles CUDA C++ to machine code, and a cache of its results.
//!
//! Each kernel is compiled when it is first launched, for the architecture of the GPU. The result is stored on disk, under a
//! key made from the source text.

use std::ffi::{CStr, CString, c_char, c_int};
use std::path::PathBuf;

use cudarc::nvrtc::sys::{self, nvrtcProgram, nvrtcResult};

use super::library::{self, NO_NVRTC, NVRTC, as_numbers, bindings};
use super::source::Family;

/// An `nvrtcResult`. Newer versions of NVRTC may have values that aren't listed here.
type Status = u32;

as_numbers!(nvrtcResult);

bindings! {
    /// The functions that are used, with the signatures they have had since CUDA 11.2.
    struct Functions of sys {
        version: nvrtcVersion(*mut c_int, *mut c_int) -> nvrtcResult;
        create: nvrtcCreateProgram(
            *mut nvrtcProgram, *const c_char, *const c_char, c_int, *const *const c_char, *const *const c_char) -> nvrtcResult;
        destroy: nvrtcDestroyProgram(*mut nvrtcProgram) -> nvrtcResult;
        add_name: nvrtcAddNameExpression(nvrtcProgram, *const c_char) -> nvrtcResult;
        compile: nvrtcCompileProgram(nvrtcProgram, c_int, *const *const c_char) -> nvrtcResult;
        lowered: nvrtcGetLoweredName(nvrtcProgram, *const c_char, *mut *const c_char) -> nvrtcResult;
        log_size: nvrtcGetProgramLogSize(nvrtcProgram, *mut usize) -> nvrtcResult;
        log: nvrtcGetProgramLog(nvrtcProgram, *mut c_char) -> nvrtcResult;
        ptx_size: nvrtcGetPTXSize(nvrtcProgram, *mut usize) -> nvrtcResult;
        ptx: nvrtcGetPTX(nvrtcProgram, *mut c_char) -> nvrtcResult;
        cubin_size: nvrtcGetCUBINSize(nvrtcProgram, *mut usize) -> nvrtcResult;
        cubin: nvrtcGetCUBIN(nvrtcProgram, *mut c_char) -> nvrtcResult;
        architectures: nvrtcGetNumSupportedArchs(*mut c_int) -> nvrtcResult;
        architecture_list: nvrtcGetSupportedArchs(*mut c_int) -> nvrtcResult;
    }
}

/// The compiler.
pub struct Compiler {
    functions: Functions,
    version: String,
}

/// A compiled program: an image for `cuModuleLoadData`, and the name of each kernel in it.
#[derive(Debug, PartialEq)]
pub struct Compiled {
    pub image: Vec<u8>,
    pub names: Vec<String>,
}

/// Destroys an NVRTC program when it's dropped.
struct Open<'a>(&'a Functions, nvrtcProgram);

impl Drop for Open<'_> {
    fn drop(&mut self) {
        // SAFETY: created, and destroyed once.
        unsafe { (self.0.destroy)(&mut self.1) };
    }
}

impl Compiler {
    /// # Errors
    /// If NVRTC is missing: what to install.
    pub fn load() -> Result<Compiler, String> {
        let functions = Functions::bind(NVRTC.load().ok_or(NO_NVRTC)?)?;
        let (mut major, mut minor) = (0, 0);
        // SAFETY: writes two numbers.
        unsafe { (functions.version)(&mut major, &mut minor) };
        Ok(Compiler { functions, version: format!("{major}.{minor}") })
    }

    /// `12.9`.
    pub fn version(&self) -> &str {
        &self.version
    }

    /// The target for a GPU with this compute capability: its own machine code or, if the compiler is older than the GPU,
    /// the newest PTX, which the driver compiles further.
    pub(crate) fn architecture(&self, capability: (i32, i32)) -> String {
        let number = capability.0 * 10 + capability.1;
        let known = self.architectures();
        match known.iter().filter(|&&a| a <= number).max() {
            Some(&newest) if newest != number => format!("compute_{newest}"),
            _ => format!("sm_{number}"),
        }
    }

    fn architectures(&self) -> Vec<i32> {
        let mut count = 0;
        // SAFETY (both): writes one number, then as many as that number says.
        if unsafe { (self.functions.architectures)(&mut count) } != 0 || count <= 0 {
            return Vec::new();
        }
        let mut list = vec![0; count as usize];
        unsafe { (self.functions.architecture_list)(list.as_mut_ptr()) };
        list
    }

    /// Compiles instantiations of one family, with additional compiler options.
    ///
    /// # Errors
    /// The compiler's messages.
    pub fn compile<N: AsRef<str>>(
        &self,
        family: &Family,
        names: &[N],
        architecture: &str,
        more: &[&str],
    ) -> Result<Compiled, String> {
        let f = &self.functions;
        let text = CString::new(family.program()).map_err(|e| e.to_string())?;
        let file = CString::new(family.name).map_err(|e| e.to_string())?;
        let names: Vec<CString> =
            names.iter().map(|n| CString::new(n.as_ref())).collect::<Result<_, _>>().map_err(|e| e.to_string())?;
        let options = [format!("--gpu-architecture={architecture}"), "--std=c++17".into()];
        let options: Vec<CString> = options
            .into_iter()
            .chain(more.iter().map(|o| o.to_string()))
            .map(CString::new)
            .collect::<Result<_, _>>()
            .map_err(|e| e.to_string())?;
        let pointers: Vec<*const c_char> = options.iter().map(|o| o.as_ptr()).collect();
        let mut program: nvrtcProgram = std::ptr::null_mut();
        // SAFETY (all): strings that outlive the calls, and buffers of the sizes that NVRTC reported.
        unsafe {
            let none = std::ptr::null();
            if (f.create)(&mut program, text.as_ptr(), file.as_ptr(), 0, none, none) != 0 {
                return Err("NVRTC made no program".into());
            }
            let open = Open(f, program);
            for name in &names {
                (f.add_name)(open.1, name.as_ptr());
            }
            let status = (f.compile)(open.1, pointers.len() as c_int, pointers.as_ptr());
            if status != 0 {
                let log = bytes(|size| (f.log_size)(open.1, size), |to| (f.log)(open.1, to)).unwrap_or_default();
                return Err(format!("NVRTC (status {status}): {}", String::from_utf8_lossy(&log)));
            }
            if more.contains(&"-dlto") {
                // Only checked, so there is no code yet and there are no names in it.
                return Ok(Compiled { image: Vec::new(), names: Vec::new() });
            }
            let lowered = names.iter().map(|name| {
                let mut to: *const c_char = std::ptr::null();
                if (f.lowered)(open.1, name.as_ptr(), &mut to) != 0 || to.is_null() {
                    return Err(format!("NVRTC has no kernel {}", name.to_string_lossy()));
                }
                Ok(CStr::from_ptr(to).to_string_lossy().into_owned())
            });
            let lowered: Vec<String> = lowered.collect::<Result<_, _>>()?;
            let image = if architecture.starts_with("sm_") {
                bytes(|size| (f.cubin_size)(open.1, size), |to| (f.cubin)(open.1, to))
            } else {
                bytes(|size| (f.ptx_size)(open.1, size), |to| (f.ptx)(open.1, to))
            };
            let image = image.ok_or("NVRTC gave no code")?;
            Ok(Compiled { image, names: lowered })
        }
    }

    /// Compiles one instantiation, or takes it from the cache.
    ///
    /// # Errors
    /// Those of [`Compiler::compile`]. A cache that can't be read or written isn't an error.
    pub fn cached(&self, family: &Family, name: &str, architecture: &str) -> Result<Compiled, String> {
        let key = format!("{architecture} {} {name}", self.version);
        let path = path_of(&key, &family.program());
        let kept = path.as_ref().and_then(|path| std::fs::read(path).ok());
        if let Some(found) = kept.and_then(|bytes| unpack(&bytes, &key)) {
            return Ok(found);
        }
        let made = self.compile(family, &[name], architecture, &[])?;
        if let Some(path) = path {
            store(&path, &pack(&made, &key));
        }
        Ok(made)
    }
}

/// Calls `size` for a size, then `fill` for that many bytes.
fn bytes(size: impl FnOnce(*mut usize) -> Status, fill: impl FnOnce(*mut c_char) -> Status) -> Option<Vec<u8>> {
    let mut length = 0;
    if size(&mut length) != 0 {
        return None;
    }
    let mut to = vec![0u8; length];
    (fill(to.as_mut_ptr().cast()) == 0).then_some(to)
}

/// `None` if there is no folder for the cache.
fn path_of(key: &str, program: &str) -> Option<PathBuf> {
    let name = format!("{:016x}{:016x}", hash(key), hash(program));
    Some(library::cache()?.join("cuda").join(name))
}

/// The key and the kernel's name in the image, each on a line of its own, then the image up to the end of the file.
fn pack(compiled: &Compiled, key: &str) -> Vec<u8> {
    let head = format!("{key}\n{}\n{}\n", compiled.names[0], compiled.image.len());
    [head.as_bytes(), &compiled.image].concat()
}

/// `None` if the file has another key or is incomplete.
fn unpack(bytes: &[u8], key: &str) -> Option<Compiled> {
    let mut parts = bytes.splitn(4, |&b| b == b'\n');
    let mut line = || std::str::from_utf8(parts.next()?).ok();
    let (found, name, length) = (line()?, line()?.to_string(), line()?.parse::<usize>().ok()?);
    let image = parts.next()?;
    (found == key && image.len() == length).then(|| Compiled { image: image.to_vec(), names: vec![name] })
}

/// Written to a temporary file and then moved, so that a reader never sees half of it.
fn store(path: &std::path::Path, bytes: &[u8]) {
    let Some(folder) = path.parent() else { return };
    let fresh = path.with_extension(format!("{}", std::process::id()));
    if std::fs::create_dir_all(folder).is_ok() && std::fs::write(&fresh, bytes).is_ok() {
        let _ = std::fs::rename(&fresh, path);
    }
}

/// FNV-1a.
pub fn hash(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |h, b| (h ^ u64::from(b)).wrapping_mul(0x0000_0100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cuda_cache_files_are_whole_or_nothing() {
        let made = Compiled { image: b"\x7fELF\nwith\nlines".to_vec(), names: vec!["_Z4fill".into()] };
        let bytes = pack(&made, "sm_90 12.9 fill<f32>");
        assert_eq!(unpack(&bytes, "sm_90 12.9 fill<f32>"), Some(made));
        assert_eq!(unpack(&bytes, "sm_80 12.9 fill<f32>"), None);
        assert_eq!(unpack(&bytes[..bytes.len() - 1], "sm_90 12.9 fill<f32>"), None);
        assert_eq!(unpack(b"", "x"), None);
    }
}
