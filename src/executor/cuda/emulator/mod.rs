//! A CUDA device on the processor, so that the kernels' results can be tested where there is no GPU.
//!
//! Kernels are compiled by the machine's C++ compiler together with `device.h`. Every segment lies before a page that cannot
//! be touched, so a kernel that reads or writes past the end of its memory ends the test.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use super::device::{Device, Function, fault_of};
use super::kernels::Product;
use super::memory::Segments;
use super::source::Family;
use crate::executor::{Done, Fault};

const HEADER: &str = include_str!("device.h");

type Run = unsafe extern "C" fn(*const u32, u32, *mut *mut u64);

pub struct Emulator {
    folder: PathBuf,
    kernels: RefCell<Vec<(libloading::Library, Run)>>,
    known: RefCell<HashMap<String, u64>>,
    fault: Box<Cell<[u64; 4]>>,
    lock: Box<Cell<u32>>,
}

impl Emulator {
    /// `None` where there is no C++ compiler.
    pub fn new() -> Option<Emulator> {
        Command::new("c++").arg("--version").output().ok().filter(|o| o.status.success())?;
        let home = std::env::var_os("CARGO_TARGET_DIR").map(PathBuf::from).unwrap_or_else(|| "target".into());
        let folder = home.join("cuda-emulator");
        std::fs::create_dir_all(&folder).ok()?;
        Some(Emulator {
            folder,
            kernels: RefCell::default(),
            known: RefCell::default(),
            fault: Box::default(),
            lock: Box::default(),
        })
    }

    fn build(&self, family: &Family, name: &str) -> Result<(libloading::Library, Run), String> {
        let text = format!(
            "{HEADER}\n{}\nextern \"C\" void tensoryard_run(const unsigned *grid, unsigned block, void **args) {{\n    \
             emulated::run_grid(grid, block, [](void *a) {{ emulated::call({name}, (void **)a); }}, args);\n}}\n",
            family.program()
        );
        let path = self.folder.join(format!("{:016x}.so", super::compiler::hash(&text)));
        if !path.exists() {
            // Built under another name and moved, since tests of other processes may build it too.
            let fresh = self.folder.join(format!("{}-{name:?}.tmp", std::process::id()).replace(['<', '>', '"', ','], "_"));
            let mut compiler = Command::new("c++")
                .args(["-std=c++17", "-O1", "-w", "-fPIC", "-shared", "-ffp-contract=off", "-x", "c++", "-", "-o"])
                .arg(&fresh)
                .stdin(Stdio::piped())
                .stderr(Stdio::piped())
                .spawn()
                .map_err(|e| e.to_string())?;
            if let Some(mut input) = compiler.stdin.take() {
                input.write_all(text.as_bytes()).map_err(|e| e.to_string())?;
            }
            let output = compiler.wait_with_output().map_err(|e| e.to_string())?;
            if !output.status.success() {
                return Err(format!("{name}: {}", String::from_utf8_lossy(&output.stderr)));
            }
            std::fs::rename(&fresh, &path).map_err(|e| e.to_string())?;
        }
        // SAFETY (both): a library that was just built from our own source, with a function of this type.
        unsafe {
            let library = libloading::Library::new(&path).map_err(|e| e.to_string())?;
            let run = *library.get::<Run>(b"tensoryard_run\0").map_err(|e| e.to_string())?;
            Ok((library, run))
        }
    }
}

const PAGE: usize = 4096;

unsafe extern "C" {
    fn mmap(at: *mut u8, length: usize, protection: i32, flags: i32, file: i32, offset: i64) -> *mut u8;
    fn munmap(at: *mut u8, length: usize) -> i32;
    fn mprotect(at: *mut u8, length: usize, protection: i32) -> i32;
}

impl Segments for Emulator {
    fn take(&self, bytes: u64) -> Done<Option<u64>> {
        let pages = (bytes as usize).div_ceil(PAGE) * PAGE;
        // SAFETY: fresh private memory, whose last page is then closed.
        unsafe {
            let at = mmap(std::ptr::null_mut(), pages + PAGE, 3, 0x22, -1, 0);
            if at as isize == -1 {
                return Ok(None);
            }
            mprotect(at.add(pages), PAGE, 0);
            // The segment ends where the closed page begins, as far as alignment lets it.
            Ok(Some(at as u64 + (pages as u64 - bytes) / 16 * 16))
        }
    }

    fn apart(&self) -> bool {
        true
    }

    fn give_back(&self, address: u64, bytes: u64) {
        let pages = (bytes as usize).div_ceil(PAGE) * PAGE;
        // SAFETY: what `take` gave.
        unsafe { munmap((address / PAGE as u64 * PAGE as u64) as *mut u8, pages + PAGE) };
    }
}

impl Device for Emulator {
    fn name(&self) -> String {
        "emulated CUDA device".into()
    }

    fn capacity(&self) -> u64 {
        8 << 30
    }

    fn multiprocessors(&self) -> usize {
        4
    }

    fn function(&self, family: &Family, name: &str) -> Done<Function> {
        if let Some(&at) = self.known.borrow().get(name) {
            return Ok(Function(at));
        }
        let built = self.build(family, name).map_err(Fault::Unsupported)?;
        let mut kernels = self.kernels.borrow_mut();
        kernels.push(built);
        let at = kernels.len() as u64 - 1;
        self.known.borrow_mut().insert(name.into(), at);
        Ok(Function(at))
    }

    fn launch(&self, function: Function, grid: [u32; 3], block: u32, words: &mut [u64], starts: &[u16]) -> Done {
        let mut arguments: Vec<*mut u64> = starts.iter().map(|&s| &raw mut words[s as usize]).collect();
        let run = self.kernels.borrow()[function.0 as usize].1;
        // SAFETY: the arguments have the kernel's types; whether it stays inside its memory is what is tested.
        unsafe { run(grid.as_ptr(), block, arguments.as_mut_ptr()) };
        Ok(())
    }

    fn upload(&self, address: u64, bytes: &[u8]) -> Done {
        // SAFETY: the caller checked the region.
        unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), address as *mut u8, bytes.len()) };
        Ok(())
    }

    fn download(&self, address: u64, out: &mut [u8]) -> Done {
        // SAFETY: as in `upload`.
        unsafe { std::ptr::copy_nonoverlapping(address as *const u8, out.as_mut_ptr(), out.len()) };
        Ok(())
    }

    fn zero(&self, address: u64, bytes: u64) -> Done {
        // SAFETY: as in `upload`.
        unsafe { std::ptr::write_bytes(address as *mut u8, 0, bytes as usize) };
        Ok(())
    }

    fn synchronize(&self) -> Done {
        Ok(())
    }

    fn faults(&self) -> [u64; 2] {
        [self.fault.as_ptr() as u64, self.lock.as_ptr() as u64]
    }

    fn take_fault(&self) -> Option<Fault> {
        self.lock.set(0);
        fault_of(self.fault.replace([0; 4]))
    }

    fn has_products(&self) -> bool {
        false
    }

    fn product(&self, _: &Product) -> Done {
        Err(Fault::Unsupported("matrix products of a library that is not here".into()))
    }
}
