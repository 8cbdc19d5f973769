//! cuBLASLt: products that add a bias row on the way out.
//!
//! Which of its algorithms suits a product is asked once for a shape and kept.

use std::cell::RefCell;
use std::collections::HashMap;
use std::ffi::{c_int, c_void};

use libloading::Library;

use super::super::kernels::{Product, Stored};
use super::super::library::function;
use super::{Factor, Status, Sums, Types, Workspace};

type Handle = *mut c_void;
/// A description that the library made: of a product, of a matrix, of what an algorithm may use.
type Description = *mut c_void;
type SetAttribute = unsafe extern "C" fn(Description, c_int, *const c_void, usize) -> Status;
type Destroy = unsafe extern "C" fn(*mut c_void) -> Status;

/// `cublasLtMatmul`.
type Matmul = unsafe extern "C" fn(
    Handle,
    Description,
    *const c_void,
    *const c_void,
    Description,
    *const c_void,
    Description,
    *const c_void,
    *const c_void,
    Description,
    *mut c_void,
    Description,
    *const Algorithm,
    *mut c_void,
    usize,
    *mut c_void,
) -> Status;

/// `cublasLtMatmulAlgoGetHeuristic`.
type Heuristic = unsafe extern "C" fn(
    Handle,
    Description,
    Description,
    Description,
    Description,
    Description,
    Description,
    c_int,
    *mut Found,
    *mut c_int,
) -> Status;

/// `cublasLtMatmulAlgo_t`.
#[repr(C)]
#[derive(Clone, Copy, Default)]
struct Algorithm([u64; 8]);

/// `cublasLtMatmulHeuristicResult_t`.
#[repr(C)]
#[derive(Clone, Copy, Default)]
struct Found {
    algorithm: Algorithm,
    workspace: usize,
    state: Status,
    waves: f32,
    reserved: [c_int; 4],
}

// Numbers of cuBLASLt's header: attributes of the descriptions, the epilogue, reduction schemes, a status.
const DESC_TRANSA: c_int = 3;
const DESC_TRANSB: c_int = 4;
const DESC_EPILOGUE: c_int = 7;
const DESC_BIAS_POINTER: c_int = 8;
const PREF_WORKSPACE: c_int = 1;
const PREF_REDUCTION_MASK: c_int = 3;
/// Of A; those of B, C and D follow.
const PREF_ALIGNMENT: c_int = 5;
const EPILOGUE_BIAS: c_int = 4;
const SCHEME_COMPUTE_TYPE: u32 = 2;
const SCHEME_ANY: u32 = 7;
const NOT_SUPPORTED: Status = 15;

/// What decides which algorithm suits.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Key {
    types: Types,
    sizes: [usize; 6],
    transposed: [bool; 2],
    alignments: [u32; 4],
    workspace: usize,
}

impl Key {
    fn of(p: &Product, types: Types, workspace: usize) -> Key {
        Key {
            types,
            sizes: [p.m, p.n, p.k, p.left.leading, p.right.leading, p.out.leading],
            transposed: [p.left.transposed, p.right.transposed],
            // The bias is read where the result is written, and counts with it.
            alignments: [
                alignment(p.left.address),
                alignment(p.right.address),
                alignment(p.out.address),
                alignment(p.out.address | p.bias.unwrap_or_default()),
            ],
            workspace,
        }
    }
}

/// Descriptions of a product, its operands and its result.
struct Described {
    product: Made,
    a: Made,
    b: Made,
    out: Made,
}

/// A cuBLASLt handle and what it answered.
pub struct Lt {
    handle: Handle,
    functions: Functions,
    /// `None` where it has no algorithm.
    known: RefCell<HashMap<Key, Option<Algorithm>>>,
    _library: Library,
}

struct Functions {
    destroy: Destroy,
    describe: unsafe extern "C" fn(*mut Description, c_int, c_int) -> Status,
    set: SetAttribute,
    forget: Destroy,
    lay_out: unsafe extern "C" fn(*mut Description, c_int, u64, u64, i64) -> Status,
    forget_layout: Destroy,
    prefer: unsafe extern "C" fn(*mut Description) -> Status,
    set_preference: SetAttribute,
    forget_preference: Destroy,
    heuristic: Heuristic,
    matmul: Matmul,
}

/// A description, destroyed when it goes.
struct Made(Description, Destroy);

impl Drop for Made {
    fn drop(&mut self) {
        // SAFETY: made by the library, and destroyed once.
        unsafe { (self.1)(self.0) };
    }
}

fn made(name: &str, destroy: Destroy, make: impl FnOnce(*mut Description) -> Status) -> Result<Made, String> {
    let mut description = std::ptr::null_mut();
    said(name, make(&mut description))?;
    Ok(Made(description, destroy))
}

fn said(name: &str, status: Status) -> Result<(), String> {
    if status == 0 { Ok(()) } else { Err(format!("CUDA error: {name} failed with status {status}")) }
}

/// # Errors
/// The library's status.
fn put<T>(name: &str, set: SetAttribute, description: &Made, attribute: c_int, value: T) -> Result<(), String> {
    // SAFETY: the library copies as many bytes as the attribute has, which are those of `T`.
    said(name, unsafe { set(description.0, attribute, (&raw const value).cast(), size_of::<T>()) })
}

/// The power of two up to 256 that an address is a multiple of.
fn alignment(address: u64) -> u32 {
    1 << address.trailing_zeros().min(8)
}

impl Lt {
    /// `None` where it does not start. The device's context is current.
    pub fn start(library: Library) -> Option<Lt> {
        // SAFETY: the types are those of cuBLASLt's header.
        unsafe {
            let create: unsafe extern "C" fn(*mut Handle) -> Status = function(&library, "cublasLtCreate").ok()?;
            let functions = Functions {
                destroy: function(&library, "cublasLtDestroy").ok()?,
                describe: function(&library, "cublasLtMatmulDescCreate").ok()?,
                set: function(&library, "cublasLtMatmulDescSetAttribute").ok()?,
                forget: function(&library, "cublasLtMatmulDescDestroy").ok()?,
                lay_out: function(&library, "cublasLtMatrixLayoutCreate").ok()?,
                forget_layout: function(&library, "cublasLtMatrixLayoutDestroy").ok()?,
                prefer: function(&library, "cublasLtMatmulPreferenceCreate").ok()?,
                set_preference: function(&library, "cublasLtMatmulPreferenceSetAttribute").ok()?,
                forget_preference: function(&library, "cublasLtMatmulPreferenceDestroy").ok()?,
                heuristic: function(&library, "cublasLtMatmulAlgoGetHeuristic").ok()?,
                matmul: function(&library, "cublasLtMatmul").ok()?,
            };
            let mut handle = std::ptr::null_mut();
            let started = create(&mut handle) == 0;
            started.then(|| Lt { handle, functions, known: RefCell::default(), _library: library })
        }
    }

    /// Whether the library has an algorithm for a product and its bias.
    ///
    /// # Errors
    /// The library's status.
    pub fn has(&self, p: &Product, types: Types, workspace: usize) -> Result<bool, String> {
        let key = Key::of(p, types, workspace);
        let known = self.known.borrow().get(&key).map(Option::is_some);
        match known {
            Some(has) => Ok(has),
            None => Ok(self.algorithm(key, &self.describe(p, types)?)?.is_some()),
        }
    }

    /// Queues one product and its bias, only where [`Lt::has`].
    ///
    /// # Errors
    /// The library's status.
    pub fn run(&self, stream: *mut c_void, p: &Product, types: Types, lent: Workspace) -> Result<(), String> {
        let described = self.describe(p, types)?;
        let algorithm = self.algorithm(Key::of(p, types, lent.bytes), &described)?;
        let algorithm = algorithm.ok_or("CUDA error: cublasLtMatmul has no algorithm for this product")?;
        let (alpha, beta) = (Factor::of(p.alpha, types.scale), Factor::of(0.0, types.scale));
        let Described { product, a, b, out } = &described;
        // SAFETY: descriptions live until the call has returned, which copies what it needs; the factors are read before it
        // returns; the matrices and the lent memory are ours.
        let status = unsafe {
            (self.functions.matmul)(
                self.handle,
                product.0,
                alpha.pointer(),
                p.left.address as *const c_void,
                a.0,
                p.right.address as *const c_void,
                b.0,
                beta.pointer(),
                p.out.address as *const c_void,
                out.0,
                p.out.address as *mut c_void,
                out.0,
                &algorithm,
                lent.address as *mut c_void,
                lent.bytes,
                stream,
            )
        };
        said("cublasLtMatmul", status)
    }

    fn describe(&self, p: &Product, types: Types) -> Result<Described, String> {
        let f = &self.functions;
        // SAFETY (both calls): the library makes a description.
        let product =
            made("cublasLtMatmulDescCreate", f.forget, |to| unsafe { (f.describe)(to, types.compute, types.scale) })?;
        let set = |attribute, value: i32| put("cublasLtMatmulDescSetAttribute", f.set, &product, attribute, value);
        set(DESC_TRANSA, p.left.transposed as c_int)?;
        set(DESC_TRANSB, p.right.transposed as c_int)?;
        set(DESC_EPILOGUE, EPILOGUE_BIAS)?;
        put("cublasLtMatmulDescSetAttribute", f.set, &product, DESC_BIAS_POINTER, p.bias.unwrap_or_default())?;
        let layout = |m: &Stored, rows: usize, cols: usize| {
            let (rows, cols) = if m.transposed { (cols, rows) } else { (rows, cols) };
            made("cublasLtMatrixLayoutCreate", f.forget_layout, |to| unsafe {
                (f.lay_out)(to, types.data, rows as u64, cols as u64, m.leading as i64)
            })
        };
        let (a, b) = (layout(&p.left, p.m, p.k)?, layout(&p.right, p.k, p.n)?);
        let out = layout(&p.out, p.m, p.n)?;
        Ok(Described { product, a, b, out })
    }

    /// What was answered for such a product, or is now.
    fn algorithm(&self, key: Key, described: &Described) -> Result<Option<Algorithm>, String> {
        let known = self.known.borrow().get(&key).copied();
        if let Some(algorithm) = known {
            return Ok(algorithm);
        }
        let found = self.ask(&key, described)?;
        self.known.borrow_mut().insert(key, found);
        Ok(found)
    }

    /// The algorithm that the library would take.
    fn ask(&self, key: &Key, described: &Described) -> Result<Option<Algorithm>, String> {
        let f = &self.functions;
        // SAFETY: the library makes a description.
        let preference = made("cublasLtMatmulPreferenceCreate", f.forget_preference, |to| unsafe { (f.prefer)(to) })?;
        let name = "cublasLtMatmulPreferenceSetAttribute";
        put(name, f.set_preference, &preference, PREF_WORKSPACE, key.workspace as u64)?;
        let schemes = match key.types.reduction {
            Sums::Any => SCHEME_ANY,
            Sums::Exact => SCHEME_COMPUTE_TYPE,
            Sums::Whole => 0,
        };
        put(name, f.set_preference, &preference, PREF_REDUCTION_MASK, schemes)?;
        for (k, alignment) in key.alignments.into_iter().enumerate() {
            put(name, f.set_preference, &preference, PREF_ALIGNMENT + k as c_int, alignment)?;
        }
        let Described { product, a, b, out } = described;
        let (mut found, mut count) = (Found::default(), 0);
        // SAFETY: as in `run`; one result is asked for.
        let status = unsafe {
            (f.heuristic)(self.handle, product.0, a.0, b.0, out.0, out.0, preference.0, 1, &mut found, &mut count)
        };
        if status == NOT_SUPPORTED || status == 0 && (count == 0 || found.state != 0) {
            return Ok(None);
        }
        said("cublasLtMatmulAlgoGetHeuristic", status)?;
        Ok(Some(found.algorithm))
    }
}

impl Drop for Lt {
    fn drop(&mut self) {
        // SAFETY: created, and destroyed once.
        unsafe { (self.functions.destroy)(self.handle) };
    }
}
