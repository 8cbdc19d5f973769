//! A CUDA device emulated on the processor, to test the kernels' results without a GPU.
//!
//! The machine's C++ compiler compiles the kernels together with `device.h`. An inaccessible page follows every segment,
//! so a kernel that reads or writes past the end of its memory crashes the test.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::ffi::c_void;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;

use super::blocks::Segments;
use super::device::{Device, Function, fault_of};
use super::kernels::Product;
use super::product::{Products, Workspace};
use super::source::Family;
use super::streams::Streams;
use crate::executor::{Done, Fault, Precision, Queue};

const HEADER: &str = include_str!("device.h");

type Run = unsafe extern "C" fn(i32, *const u32, u32, *mut *mut u64);

/// The stream that libraries are told about. They never use it here.
pub(crate) const STREAM: usize = 0x5eed;

/// How many kernels are compiled together.
const TOGETHER: usize = 120;

/// Tests in one process share libraries, and a library has only one set of fibers and shared memory.
static RUNNING: Mutex<()> = Mutex::new(());

pub(crate) struct Emulator {
    folder: PathBuf,
    kernels: RefCell<Vec<(libloading::Library, Run)>>,
    /// The library of each kernel and its number there, by name.
    known: RefCell<HashMap<String, u64>>,
    fault: Box<Cell<[u64; 4]>>,
    lock: Box<Cell<u32>>,
    /// Libraries that compute in the emulated memory.
    products: Option<Products>,
}

impl Emulator {
    /// `None` where there is no C++ compiler.
    pub(crate) fn new() -> Option<Emulator> {
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
            products: None,
        })
    }

    /// The same emulator with libraries for products.
    pub(crate) fn with(self, products: Products) -> Emulator {
        Emulator { products: Some(products), ..self }
    }

    /// Compiles the kernels that will be needed, many at a time.
    pub(crate) fn prepare<'a>(&self, wanted: impl Iterator<Item = (&'a Family, Vec<String>)>) -> Result<(), String> {
        let units: Vec<(String, PathBuf, Vec<String>)> = wanted
            .flat_map(|(family, names)| {
                let parts: Vec<Vec<String>> = names.chunks(TOGETHER).map(<[String]>::to_vec).collect();
                parts.into_iter().map(move |part| (family, part))
            })
            .map(|(family, part)| {
                let text = text(family, &part);
                let path = self.folder.join(format!("{:016x}.so", super::compiler::hash(&text)));
                (text, path, part)
            })
            .collect();
        let mut running: Vec<(Child, PathBuf, PathBuf)> = Vec::new();
        for (text, path, _) in &units {
            if path.exists() {
                continue;
            }
            if running.len() >= 2 {
                finish(running.remove(0))?;
            }
            running.push(start(text, path)?);
        }
        running.into_iter().try_for_each(finish)?;
        for (_, path, names) in units {
            self.open(&path, &names)?;
        }
        Ok(())
    }

    fn open(&self, path: &std::path::Path, names: &[String]) -> Result<(), String> {
        // SAFETY (both): a library that was just built from our own source, with a function of this type.
        let opened = unsafe {
            let library = libloading::Library::new(path).map_err(|e| e.to_string())?;
            let run = *library.get::<Run>(b"tensoryard_run\0").map_err(|e| e.to_string())?;
            (library, run)
        };
        let mut kernels = self.kernels.borrow_mut();
        kernels.push(opened);
        let library = kernels.len() as u64 - 1;
        let mut known = self.known.borrow_mut();
        known.extend(names.iter().enumerate().map(|(i, name)| (name.clone(), library << 32 | i as u64)));
        Ok(())
    }
}

/// The C++ source of the kernels.
fn text(family: &Family, names: &[String]) -> String {
    let mut text = format!(
        "{HEADER}\n{}\nextern \"C\" void tensoryard_run(int which, const unsigned *grid, unsigned block, void **args) \
         {{\n    switch (which) {{\n",
        family.program()
    );
    for (i, name) in names.iter().enumerate() {
        text += &format!(
            "    case {i}: emulated::run_grid(grid, block, [](void *a) {{ emulated::call({name}, (void **)a); }}, args); \
             break;\n"
        );
    }
    text + "    }\n}\n"
}

/// Starts the compiler. The result is written to a temporary file and then moved, because tests in other processes may
/// build the same.
fn start(text: &str, path: &std::path::Path) -> Result<(Child, PathBuf, PathBuf), String> {
    let fresh = path.with_extension(format!("{}", std::process::id()));
    let mut compiler = Command::new("c++")
        .args(["-std=c++17", "-O0", "-w", "-fPIC", "-shared", "-x", "c++", "-", "-o"])
        .arg(&fresh)
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|e| e.to_string())?;
    if let Some(mut input) = compiler.stdin.take() {
        input.write_all(text.as_bytes()).map_err(|e| e.to_string())?;
    }
    Ok((compiler, fresh, path.to_path_buf()))
}

fn finish((compiler, fresh, path): (Child, PathBuf, PathBuf)) -> Result<(), String> {
    let output = compiler.wait_with_output().map_err(|e| e.to_string())?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    std::fs::rename(&fresh, &path).map_err(|e| e.to_string())
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
        // SAFETY: new private memory; its last page is then made inaccessible.
        unsafe {
            let at = mmap(std::ptr::null_mut(), pages + PAGE, 3, 0x22, -1, 0);
            if at as isize == -1 {
                return Ok(None);
            }
            mprotect(at.add(pages), PAGE, 0);
            // The segment ends where the inaccessible page begins, as closely as alignment allows.
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

/// There is one queue, and all work in it is done at once.
impl Streams for Emulator {}

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

    fn capability(&self) -> (i32, i32) {
        (8, 0)
    }

    fn function(&self, family: &Family, name: &str) -> Done<Function> {
        if let Some(&at) = self.known.borrow().get(name) {
            return Ok(Function(at));
        }
        self.prepare([(family, vec![name.to_string()])].into_iter()).map_err(Fault::Unsupported)?;
        let known = self.known.borrow();
        known.get(name).map(|&at| Function(at)).ok_or_else(|| Fault::Unsupported(format!("a kernel called {name}")))
    }

    fn launch(&self, function: Function, grid: [u32; 3], block: u32, words: &mut [u64], starts: &[u16]) -> Done {
        let mut arguments: Vec<*mut u64> = starts.iter().map(|&s| &raw mut words[s as usize]).collect();
        let run = self.kernels.borrow()[(function.0 >> 32) as usize].1;
        let _alone = RUNNING.lock().unwrap_or_else(|broken| broken.into_inner());
        // SAFETY: the arguments have the kernel's types. Whether it stays inside its memory is what is being tested.
        unsafe { run(function.0 as u32 as i32, grid.as_ptr(), block, arguments.as_mut_ptr()) };
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

    fn enter(&self) -> Done {
        Ok(())
    }

    fn stream(&self, _: Queue) -> *mut std::ffi::c_void {
        std::ptr::null_mut()
    }

    fn faults(&self) -> [u64; 2] {
        [self.fault.as_ptr() as u64, self.lock.as_ptr() as u64]
    }

    fn take_fault(&self) -> Option<Fault> {
        self.lock.set(0);
        fault_of(self.fault.replace([0; 4]))
    }

    fn has_products(&self) -> bool {
        self.products.is_some()
    }

    fn adds_bias(&self, product: &Product, precision: Precision, bytes: usize) -> Done<bool> {
        let Some(products) = &self.products else { return Ok(false) };
        products.adds_bias(product, precision, bytes).map_err(Fault::Lost)
    }

    fn product(&self, product: &Product, precision: Precision, lent: Workspace) -> Done {
        let Some(products) = &self.products else {
            return Err(Fault::Unsupported("matrix products of a library that is not here".into()));
        };
        products.run(STREAM as *mut c_void, product, precision, lent).map_err(Fault::Lost)
    }
}
