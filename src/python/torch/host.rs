//! The border between `torch` and `numpy`. Arrays are host tensors that the engine neither counts nor reports.
//!
//! The classes `ndarray` and `generic` are written in Python. They're registered here while a program runs, so that arrays
//! and NumPy's numbers can be used wherever PyTorch accepts them.

use std::cell::RefCell;

use rustpython_vm::builtins::{PyFloat, PyType, PyTypeRef};
use rustpython_vm::function::{FuncArgs, KwArgs};
use rustpython_vm::types::Constructor;
use rustpython_vm::{Py, PyObject, PyObjectRef, PyPayload, PyResult, VirtualMachine, pyclass};

use super::args::Call;
use super::arrays;
use super::binding::{F, Row};
use super::convert;
use super::error::OrRaise;
use super::tensor::wrap;
use crate::device::Device;
use crate::dtype::DType;
use crate::engine;
use crate::rng::{LegacyGenerator, Pcg64};
use crate::tensor::Tensor;

const READ_ONLY: &str = "The given NumPy array is not writable, and PyTorch does not support non-writable tensors. This means writing to this tensor will result in undefined behavior. You may want to copy the array to protect its data or make it writable before converting it to a tensor. This type of warning will be suppressed for the rest of this program.";

/// `torch.from_numpy(array)`.
fn from_numpy(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let name = "torch._VariableFunctionsClass.from_numpy()";
    if call.has_keywords() {
        return Err(vm.new_type_error(format!("{name} takes no keyword arguments")));
    }
    let [object] = call.positional() else {
        let given = call.positional().len();
        return Err(vm.new_type_error(format!("{name} takes exactly one argument ({given} given)")));
    };
    match arrays::adopted(object, vm)? {
        Some(t) if !object.get_attr("_writes", vm)?.is_true(vm)? => {
            super::error::warn_once(READ_ONLY, vm)?;
            Ok(wrap(t, vm))
        }
        Some(t) => Ok(wrap(t, vm)),
        None => Err(vm.new_type_error(format!("expected np.ndarray (got {})", convert::type_name(object)))),
    }
}

/// `_register_arrays(ndarray, generic)`.
fn register(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let class = |i: usize| call.positional().get(i).and_then(|o| o.clone().downcast::<PyType>().ok());
    arrays::register(class(0).zip(class(1)));
    Ok(vm.ctx.none())
}

/// `_quietly(function, *args, **kwargs)`: a call whose host memory and host kernels aren't reported as the program's.
fn quietly(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let keywords: KwArgs = call.keyword_items().map(|(k, v)| (k.to_string(), v.clone())).collect();
    let Some((function, rest)) = call.positional().split_first() else {
        return Err(vm.new_type_error("_quietly() needs a function"));
    };
    let args = FuncArgs::new(rest.to_vec(), keywords);
    engine::current().devices.quietly(|| function.call(args, vm))
}

/// `_host_tensor(data)`: nested Python numbers with NumPy's dtypes, where a Python float is a float64.
fn host_tensor(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.bind(&["data"], 1)?;
    let Some(data) = a.get(0) else { return Err(a.wrong(0, "data")) };
    let engine = engine::current();
    let default = engine.settings.default_dtype();
    engine.settings.set_default_dtype(DType::F64);
    let made = engine.devices.quietly(|| super::data::stacked_from(data, vm));
    engine.settings.set_default_dtype(default);
    let made = made?;
    if made.dtype().is_complex() {
        return Err(super::error::not_implemented("numpy arrays of complex", vm));
    }
    Ok(wrap(made, vm))
}

/// `_shares_memory(a, b)`: whether two tensors share a storage.
fn shares_memory(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.bind(&["a", "b"], 2)?;
    Ok(vm.ctx.new_bool(a.tensor(0)?.storage().same(&a.tensor(1)?.storage())).into())
}

/// `_show_figure(svg, words)`: shows the figure, if `svg` isn't None. Returns whether the host can show figures.
fn show_figure(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.bind(&["svg", "words"], 2)?;
    Ok(vm.ctx.new_bool(crate::python::output::figure(a.str(0)?, a.str(1)?.unwrap_or_default())).into())
}

/// `_display(output)`: gives an output of a cell, as JSON, to what shows the notebook. Returns whether anything does.
fn display(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.bind(&["output"], 1)?;
    let output = serde_json::from_str(a.str(0)?.unwrap_or_default()).map_err(|e| vm.new_value_error(e.to_string()))?;
    Ok(vm.ctx.new_bool(crate::python::output::display(output)).into())
}

/// `_cell_code(source, file)`: source code of a cell, compiled.
fn cell_code(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.bind(&["source", "file"], 2)?;
    let (source, file) = (a.str(0)?.unwrap_or_default(), a.str(1)?.unwrap_or_default());
    crate::python::watched::compiled(source, file, vm).map(Into::into)
}

/// `_module_code(source, file)`: source code of one of the program's modules, compiled.
fn module_code(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.bind(&["source", "file"], 2)?;
    let (source, file) = (a.str(0)?.unwrap_or_default(), a.str(1)?.unwrap_or_default());
    crate::python::watched::module(source, file, vm).map(Into::into)
}

/// `_cell_python(source)`: a cell as Python, without what only a notebook understands.
fn cell_python(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.bind(&["source"], 1)?;
    let python = crate::notebook::magic::translate(a.str(0)?.unwrap_or_default()).python;
    Ok(vm.ctx.new_str(python.as_ref()).into())
}

// ---- numpy.random ----------------------------------------------------------------------------------------------------

/// The generator of `numpy.random.RandomState`.
#[pyclass(module = "numpy.random", name = "_Legacy")]
#[derive(PyPayload)]
pub(super) struct PyLegacy {
    generator: RefCell<LegacyGenerator>,
}

impl std::fmt::Debug for PyLegacy {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Legacy")
    }
}

/// Words of a Python list.
fn words(object: &PyObject, vm: &VirtualMachine) -> PyResult<Option<Vec<u32>>> {
    let Some(items) = convert::sequence(object) else { return Ok(None) };
    let word = |item: &PyObjectRef| match convert::int(item, vm)? {
        Some(n) => u32::try_from(n).map_err(|_| vm.new_value_error("Seed values must be between 0 and 2**32 - 1")),
        None => Err(vm.new_type_error("seeds are integers")),
    };
    items.iter().map(word).collect::<PyResult<Vec<u32>>>().map(Some)
}

fn seeded(object: Option<&PyObjectRef>, vm: &VirtualMachine) -> PyResult<LegacyGenerator> {
    let Some(object) = object else { return Ok(LegacyGenerator::new(0)) };
    if let Some(words) = words(object, vm)? {
        return Ok(LegacyGenerator::from_words(&words));
    }
    match convert::int(object, vm)?.map(u32::try_from) {
        Some(Ok(seed)) => Ok(LegacyGenerator::new(seed)),
        Some(Err(_)) => Err(vm.new_value_error("Seed must be between 0 and 2**32 - 1")),
        None => Err(vm.new_type_error("Cannot cast array data to int64 according to the rule 'safe'")),
    }
}

impl Constructor for PyLegacy {
    type Args = FuncArgs;

    fn py_new(_cls: &Py<PyType>, args: FuncArgs, vm: &VirtualMachine) -> PyResult<Self> {
        Ok(PyLegacy { generator: RefCell::new(seeded(args.args.first(), vm)?) })
    }
}

/// The bytes of `count` drawn numbers.
fn drawn<const N: usize>(count: usize, mut draw: impl FnMut() -> [u8; N], vm: &VirtualMachine) -> PyResult<Vec<u8>> {
    let mut bytes = room(count, N, vm)?;
    for _ in 0..count {
        bytes.extend_from_slice(&draw());
    }
    Ok(bytes)
}

/// Checks that there is room for `count` numbers of `size` bytes each, because a program may ask for too many.
fn room(count: usize, size: usize, vm: &VirtualMachine) -> PyResult<Vec<u8>> {
    let bytes = count.saturating_mul(size);
    engine::host::room(bytes).map_err(|_| {
        vm.new_memory_error(format!("Unable to allocate {bytes} bytes for an array with shape ({count},)"))
    })
}

fn vector(bytes: &[u8], count: usize, dtype: DType, vm: &VirtualMachine) -> PyResult {
    let made = engine::current().devices.quietly(|| Tensor::from_bytes(bytes, &[count], dtype, Device::CPU));
    Ok(wrap(made.or_raise(vm)?, vm))
}

#[pyclass(with(Constructor), flags(IMMUTABLETYPE))]
impl PyLegacy {
    #[pymethod]
    fn seed(zelf: &Py<Self>, seed: PyObjectRef, vm: &VirtualMachine) -> PyResult<()> {
        zelf.generator.replace(seeded(Some(&seed), vm)?);
        Ok(())
    }

    #[pymethod]
    fn doubles(zelf: &Py<Self>, count: usize, vm: &VirtualMachine) -> PyResult {
        let bytes = {
            let g = &mut zelf.generator.borrow_mut();
            drawn(count, || g.double().to_le_bytes(), vm)?
        };
        vector(&bytes, count, DType::F64, vm)
    }

    #[pymethod]
    fn gauss(zelf: &Py<Self>, count: usize, vm: &VirtualMachine) -> PyResult {
        let bytes = {
            let g = &mut zelf.generator.borrow_mut();
            drawn(count, || g.gauss().to_le_bytes(), vm)?
        };
        vector(&bytes, count, DType::F64, vm)
    }

    #[pymethod]
    fn exponential(zelf: &Py<Self>, count: usize, vm: &VirtualMachine) -> PyResult {
        let bytes = {
            let g = &mut zelf.generator.borrow_mut();
            drawn(count, || g.exponential().to_le_bytes(), vm)?
        };
        vector(&bytes, count, DType::F64, vm)
    }

    /// `count` integers from `low` to `low + span`, inclusive, as int64.
    #[pymethod]
    fn integers(zelf: &Py<Self>, low: i64, span: u64, bits: u32, count: usize, vm: &VirtualMachine) -> PyResult {
        // The numbers and their bytes.
        drop(room(count, 16, vm)?);
        let drawn = zelf.generator.borrow_mut().integers(span, bits, count);
        let bytes: Vec<u8> = drawn.into_iter().flat_map(|n| low.wrapping_add(n as i64).to_le_bytes()).collect();
        vector(&bytes, count, DType::I64, vm)
    }

    #[pymethod]
    fn permutation(zelf: &Py<Self>, n: usize, vm: &VirtualMachine) -> PyResult {
        drop(room(n, 16, vm)?);
        let order = zelf.generator.borrow_mut().permutation(n);
        let bytes: Vec<u8> = order.into_iter().flat_map(|i| (i as i64).to_le_bytes()).collect();
        vector(&bytes, n, DType::I64, vm)
    }

    /// `(words, position, kept normal or None)`.
    #[pymethod]
    fn state(zelf: &Py<Self>, vm: &VirtualMachine) -> PyObjectRef {
        let g = zelf.generator.borrow();
        let (words, position, gauss) = g.state();
        let words: Vec<PyObjectRef> = words.iter().map(|&w| vm.ctx.new_int(w).into()).collect();
        let gauss = gauss.map_or_else(|| vm.ctx.none(), |g| vm.ctx.new_float(g).into());
        vm.new_tuple((vm.ctx.new_list(words), position, gauss)).into()
    }

    #[pymethod]
    fn set_state(
        zelf: &Py<Self>,
        state: PyObjectRef,
        position: usize,
        gauss: PyObjectRef,
        vm: &VirtualMachine,
    ) -> PyResult<()> {
        let words = words(&state, vm)?.unwrap_or_default();
        let gauss = gauss.downcast_ref::<PyFloat>().map(|g| g.to_f64());
        match LegacyGenerator::from_state(&words, position, gauss) {
            Some(g) => {
                zelf.generator.replace(g);
                Ok(())
            }
            None => Err(vm.new_value_error("state must be 624 longs")),
        }
    }
}

/// The generator of `numpy.random.Generator`.
#[pyclass(module = "numpy.random", name = "_Pcg64")]
#[derive(PyPayload)]
pub(super) struct PyPcg64 {
    generator: RefCell<Pcg64>,
}

impl std::fmt::Debug for PyPcg64 {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("PCG64")
    }
}

impl Constructor for PyPcg64 {
    type Args = FuncArgs;

    fn py_new(_cls: &Py<PyType>, args: FuncArgs, vm: &VirtualMachine) -> PyResult<Self> {
        let words = match args.args.first() {
            Some(object) => words(object, vm)?.unwrap_or_default(),
            None => Vec::new(),
        };
        Ok(PyPcg64 { generator: RefCell::new(Pcg64::new(&words)) })
    }
}

fn integers_tensor(drawn: &[u64], low: i64, vm: &VirtualMachine) -> PyResult {
    let bytes: Vec<u8> = drawn.iter().flat_map(|&n| low.wrapping_add(n as i64).to_le_bytes()).collect();
    vector(&bytes, drawn.len(), DType::I64, vm)
}

#[pyclass(with(Constructor), flags(IMMUTABLETYPE))]
impl PyPcg64 {
    /// Ten words: see [`Pcg64::words`].
    #[pymethod]
    fn state(zelf: &Py<Self>, vm: &VirtualMachine) -> PyObjectRef {
        let words = zelf.generator.borrow().words();
        vm.ctx.new_list(words.iter().map(|&word| vm.ctx.new_int(word).into()).collect()).into()
    }

    #[pymethod]
    fn set_state(zelf: &Py<Self>, state: PyObjectRef, vm: &VirtualMachine) -> PyResult<()> {
        let words = words(&state, vm)?.unwrap_or_default();
        match <&[u32; 10]>::try_from(words.as_slice()) {
            Ok(words) => {
                zelf.generator.replace(Pcg64::from_words(words));
                Ok(())
            }
            Err(_) => Err(vm.new_value_error("state must be 10 words")),
        }
    }

    #[pymethod]
    fn doubles(zelf: &Py<Self>, count: usize, vm: &VirtualMachine) -> PyResult {
        let bytes = {
            let g = &mut zelf.generator.borrow_mut();
            drawn(count, || g.double().to_le_bytes(), vm)?
        };
        vector(&bytes, count, DType::F64, vm)
    }

    #[pymethod]
    fn floats(zelf: &Py<Self>, count: usize, vm: &VirtualMachine) -> PyResult {
        let bytes = {
            let g = &mut zelf.generator.borrow_mut();
            drawn(count, || g.float().to_le_bytes(), vm)?
        };
        vector(&bytes, count, DType::F32, vm)
    }

    #[pymethod]
    fn normals(zelf: &Py<Self>, count: usize, vm: &VirtualMachine) -> PyResult {
        let bytes = {
            let g = &mut zelf.generator.borrow_mut();
            drawn(count, || g.normal().to_le_bytes(), vm)?
        };
        vector(&bytes, count, DType::F64, vm)
    }

    /// `count` integers from `low` to `low + span`, inclusive, as int64.
    #[pymethod]
    fn integers(zelf: &Py<Self>, low: i64, span: u64, count: usize, vm: &VirtualMachine) -> PyResult {
        drop(room(count, 16, vm)?);
        let drawn: Vec<u64> = {
            let g = &mut zelf.generator.borrow_mut();
            (0..count).map(|_| g.interval(span)).collect()
        };
        integers_tensor(&drawn, low, vm)
    }

    #[pymethod]
    fn permutation(zelf: &Py<Self>, n: usize, vm: &VirtualMachine) -> PyResult {
        drop(room(n, 16, vm)?);
        let order = zelf.generator.borrow_mut().permutation(n);
        integers_tensor(&order, 0, vm)
    }

    #[pymethod]
    fn sample(zelf: &Py<Self>, n: usize, count: usize, shuffle: bool, vm: &VirtualMachine) -> PyResult {
        // A sparse sample stores the drawn numbers twice. A dense one is picked from all numbers.
        drop(room(if count > n / 50 { n } else { count.saturating_mul(4) }, 16, vm)?);
        let picked = zelf.generator.borrow_mut().sample(n, count.min(n), shuffle);
        integers_tensor(&picked, 0, vm)
    }
}

pub(super) fn pcg64_class() -> PyTypeRef {
    use rustpython_vm::class::PyClassImpl;
    PyPcg64::make_static_type()
}

/// The class, for the module.
pub(super) fn legacy_class() -> PyTypeRef {
    use rustpython_vm::class::PyClassImpl;
    PyLegacy::make_static_type()
}

pub(super) const ROWS: &[&[Row]] = &[&[
    ("from_numpy", F, from_numpy),
    ("_register_arrays", F, register),
    ("_quietly", F, quietly),
    ("_host_tensor", F, host_tensor),
    ("_show_figure", F, show_figure),
    ("_display", F, display),
    ("_cell_code", F, cell_code),
    ("_module_code", F, module_code),
    ("_cell_python", F, cell_python),
    ("_shares_memory", F, shares_memory),
]];
