//! What `torch.save`, `torch.load` and `safetensors` need natively: the bytes of storages, tensors over a given storage,
//! and the containers of the two file formats.

use rustpython_vm::builtins::{PyBytes, PyDict, PyStr};
use rustpython_vm::class::PyClassImpl;
use rustpython_vm::function::OptionalArg;
use rustpython_vm::{Py, PyObject, PyObjectRef, PyPayload, PyRef, PyResult, VirtualMachine, pyclass};

use super::args::Call;
use super::binding::{F, M, Row};
use super::convert::{self, text, type_name};
use super::error::OrRaise;
use super::tensor::{tensor_of, wrap};
use crate::checkpoint::{self, Archive};
use crate::device::Device;
use crate::error::{Error, Result};
use crate::ops::transfer;
use crate::safetensors::{self, Entry, Refusal};
use crate::shape::{self, Layout};
use crate::tensor::Tensor;
use crate::trace::Why;

/// `_storage_flat(t)`: a one-dimensional tensor over the entire storage of `t`, outside the graph.
fn flat(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let storage = call.bind(&["input"], 1)?.tensor(0)?.storage();
    let layout = Layout::contiguous(&[storage.numel()]);
    Ok(wrap(Tensor::from_storage(storage, layout), vm))
}

/// `_storage_id(t)`: one number for all tensors that share a storage.
fn storage_id(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let storage = call.bind(&["input"], 1)?.tensor(0)?.storage();
    Ok(vm.ctx.new_int(storage.id()).into())
}

/// `_storage_key(n)`: a storage's key in an archive, as a new string object. Pickle writes a string again unless it's the
/// same object as an earlier one, and the interpreter uses one object for all equal strings of one letter.
fn storage_key(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let n = call.bind(&["n"], 1)?.int(0)?;
    Ok(PyRef::new_ref(PyStr::from(n.to_string()), vm.ctx.types.str_type.to_owned(), None).into())
}

/// `_storage_bytes(t)`: the bytes of a tensor's entire storage, copied from its device.
fn storage_bytes(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let storage = call.bind(&["input"], 1)?.tensor(0)?.storage();
    let bytes = storage.read(0, storage.numel(), Why::Save).or_raise(vm)?;
    Ok(vm.ctx.new_bytes(bytes).into())
}

/// `_storage_from(bytes, dtype)`: a one-dimensional CPU tensor with these bytes.
fn storage_from(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.bind(&["bytes", "dtype"], 2)?;
    let Some(dtype) = a.dtype(1)? else { return Err(a.wrong(1, "torch.dtype")) };
    let Some(bytes) = a.get(0).and_then(|o| o.downcast_ref::<PyBytes>()) else { return Err(a.wrong(0, "bytes")) };
    let bytes = bytes.as_bytes();
    if bytes.len() % dtype.size() != 0 {
        return Err(vm.new_runtime_error(format!("{} bytes are no whole number of {dtype} elements", bytes.len())));
    }
    let t = Tensor::from_bytes(bytes, &[bytes.len() / dtype.size()], dtype, Device::CPU);
    Ok(wrap(t.or_raise(vm)?, vm))
}

/// `_storage_move(t, device)`: a copy on a device, made while a file is loaded; or the tensor itself.
fn storage_move(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.bind(&["input", "device"], 2)?;
    let t = a.tensor(0)?;
    let Some(device) = a.device(1)? else { return Err(a.wrong(1, "torch.device")) };
    Ok(wrap(transfer::to_device(&t, device, Why::Load).or_raise(vm)?, vm))
}

/// The tensor over all of a storage object's memory.
fn memory_of(storage: &PyObject, vm: &VirtualMachine) -> PyResult<Tensor> {
    let flat = storage.get_attr("_flat", vm)?;
    tensor_of(&flat).cloned().ok_or_else(|| vm.new_type_error("not a storage"))
}

/// `t.set_()`, `t.set_(source)`, `t.set_(source, storage_offset, size, stride)`: `t` becomes a view of the memory of
/// `source`, or of a part of it; of no memory, if there is no source.
fn set_(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let object = call.self_object()?;
    let a = call.args()?;
    let t = a.tensor(0)?;
    let source = match a.some("source") {
        None => Tensor::empty(&[0], t.dtype(), t.device()).or_raise(vm)?,
        Some(given) => match tensor_of(given) {
            Some(source) => source.clone(),
            None => memory_of(given, vm)?,
        },
    };
    if source.dtype() != t.dtype() {
        return Err(vm.new_runtime_error(format!(
            "Could not set tensor of type {} to a tensor of type {}",
            source.dtype().c_name(),
            t.dtype().c_name()
        )));
    }
    let layout = if a.some("size").is_none() {
        source.layout()
    } else {
        let (offset, size) = (a.int("storage_offset")?, a.dims("size")?);
        let stride = if a.some("stride").is_none() { None } else { Some(a.dims("stride")?) };
        placed(&source, offset, &size, stride.as_deref()).or_raise(vm)?
    };
    crate::autograd::check_leaf(&t).or_raise(vm)?;
    t.set_data(&Tensor::from_storage(source.storage(), layout));
    t.bump_version();
    if crate::autograd::needs_grad([&t, &source]) {
        crate::autograd::cut(&t, "set_").or_raise(vm)?;
    }
    Ok(object)
}

/// `_storage_view(source, storage_offset, size, stride)`: a new tensor over the storage of `source`.
fn storage_view(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.bind(&["source", "storage_offset", "size", "stride"], 4)?;
    let source = a.tensor(0)?;
    let layout = placed(&source, a.int(1)?, &a.dims(2)?, Some(&a.dims(3)?)).or_raise(vm)?;
    Ok(wrap(Tensor::from_storage(source.storage(), layout), vm))
}

/// A layout, checked to be within a storage.
fn placed(source: &Tensor, offset: i64, size: &[i64], stride: Option<&[i64]>) -> Result<Layout> {
    let (storage, item) = (source.storage(), source.dtype().size());
    let dense: Vec<i64>;
    let stride = match stride {
        Some(stride) => stride,
        None => {
            let words = size.iter().map(|&n| shape::size(n)).collect::<Result<shape::Dims>>()?;
            dense = shape::contiguous_strides(&words).iter().map(|&n| n as i64).collect();
            &dense
        }
    };
    if stride.len() != size.len() {
        return Err(Error::runtime(format!(
            "unequal size length ({}) and stride length ({})",
            size.len(),
            stride.len()
        )));
    }
    if offset < 0 {
        return Err(Error::runtime(format!("Tensor: invalid storage offset {offset}")));
    }
    if size.iter().any(|&n| n < 0) {
        return Err(Error::runtime("numel: integer multiplication overflow"));
    }
    // A negative stride counts as one that overflows.
    shape::storage_bytes(size, stride, item, offset)?;
    shape::within_storage(size, stride, offset, item, storage.numel() * item)
}

// ---- the archive of torch.save ---------------------------------------------------------------------------------------

/// A checkpoint that is open for reading.
#[pyclass(module = "torch", name = "PyTorchFileReader")]
#[derive(PyPayload)]
struct Reader {
    archive: Archive,
}

impl std::fmt::Debug for Reader {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "PyTorchFileReader({})", self.archive.root())
    }
}

#[pyclass(flags(DISALLOW_INSTANTIATION))]
impl Reader {
    #[pymethod]
    fn has_record(zelf: &Py<Self>, name: String) -> bool {
        zelf.archive.has(&name)
    }

    #[pymethod]
    fn get_record(zelf: &Py<Self>, name: String, size: OptionalArg<u64>, vm: &VirtualMachine) -> PyResult {
        let bytes = zelf.archive.read(&name, size.into_option()).or_raise(vm)?;
        Ok(vm.ctx.new_bytes(bytes).into())
    }
}

/// Makes the type, before the first object of it.
pub(super) fn init() {
    let _ = Reader::make_static_type();
}

fn bytes_of<'a>(object: &'a PyObject, vm: &VirtualMachine) -> PyResult<&'a [u8]> {
    match object.downcast_ref::<PyBytes>() {
        Some(bytes) => Ok(bytes.as_bytes()),
        None => Err(vm.new_type_error(format!("a bytes-like object is required, not '{}'", type_name(object)))),
    }
}

fn bytes_argument(call: &Call<'_>, at: usize) -> PyResult<Vec<u8>> {
    match call.positional().get(at) {
        Some(object) => bytes_of(object, call.vm).map(<[u8]>::to_vec),
        None => Err(call.vm.new_type_error(format!("{}() missing bytes", call.name))),
    }
}

/// `_archive_read(bytes)`.
fn archive_read(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let archive = Archive::open(bytes_argument(&call, 0)?).or_raise(vm)?;
    Ok(Reader { archive }.into_ref(&vm.ctx).into())
}

/// `_archive_write(root, pickle, storages)`: the bytes of the file.
fn archive_write(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let root = call.positional().first().and_then(|o| text(o)).unwrap_or("archive").to_string();
    let pickle = bytes_argument(&call, 1)?;
    let items = call.positional().get(2).and_then(|o| convert::sequence(o)).unwrap_or_default();
    let mut storages = Vec::with_capacity(items.len());
    for item in &items {
        storages.push(bytes_of(item, vm)?.to_vec());
    }
    let file = checkpoint::write(&root, pickle, storages).or_raise(vm)?;
    Ok(vm.ctx.new_bytes(file).into())
}

// ---- safetensors -----------------------------------------------------------------------------------------------------

/// `_safetensors_write([(name, dtype, shape, bytes)], metadata)`: the bytes of the file.
fn safetensors_write(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let rows = call.positional().first().and_then(|o| convert::sequence(o)).unwrap_or_default();
    let mut parts = Vec::with_capacity(rows.len());
    for row in &rows {
        let row: Option<[PyObjectRef; 4]> = convert::sequence(row).and_then(|items| items.try_into().ok());
        let Some([name, dtype, shape, bytes]) = row else {
            return Err(vm.new_type_error("expected (name, dtype, shape, bytes)"));
        };
        let Some(dtype) = convert::dtype(&dtype, vm) else { return Err(vm.new_type_error("expected a torch.dtype")) };
        if !safetensors::has(dtype) {
            return Err(super::error::not_implemented(&format!("safetensors: dtype {dtype}"), vm));
        }
        parts.push((name.try_into_value::<String>(vm)?, dtype, shape.try_to_value::<Vec<usize>>(vm)?, bytes));
    }
    let mut entries = Vec::with_capacity(parts.len());
    for (name, dtype, shape, bytes) in &parts {
        entries.push(Entry { name: name.clone(), dtype: *dtype, shape: shape.clone(), bytes: bytes_of(bytes, vm)? });
    }
    let mut metadata = None;
    if let Some(dict) = call.positional().get(1).and_then(|o| o.downcast_ref::<PyDict>()) {
        let mut pairs = Vec::new();
        let dict = dict.to_owned();
        for (key, value) in dict {
            pairs.push((key.try_into_value::<String>(vm)?, value.try_into_value::<String>(vm)?));
        }
        metadata = Some(pairs);
    }
    Ok(vm.ctx.new_bytes(safetensors::write(entries, metadata)).into())
}

/// `_safetensors_read(bytes)`: metadata (or None) and `[(name, dtype, shape, bytes)]` in the order of the data.
fn safetensors_read(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let Some(object) = call.positional().first() else { return Err(vm.new_type_error("missing bytes")) };
    let contents = safetensors::read(bytes_of(object, vm)?).map_err(|refusal| match refusal {
        Refusal::Invalid(what) => vm.new_value_error(format!("Error while deserializing header: {what}")),
        Refusal::Dtype(name) => super::error::not_implemented(&format!("safetensors: dtype {name}"), vm),
    })?;
    let metadata = match contents.metadata {
        None => vm.ctx.none(),
        Some(pairs) => {
            let dict = vm.ctx.new_dict();
            for (key, value) in pairs {
                dict.set_item(key.as_str(), vm.ctx.new_str(value).into(), vm)?;
            }
            dict.into()
        }
    };
    let rows = contents.entries.into_iter().map(|entry| {
        let shape = entry.shape.iter().map(|&n| vm.ctx.new_int(n).into()).collect();
        let row: Vec<PyObjectRef> = vec![
            vm.ctx.new_str(entry.name).into(),
            super::dtype::object(entry.dtype, vm),
            vm.ctx.new_tuple(shape).into(),
            vm.ctx.new_bytes(entry.bytes.to_vec()).into(),
        ];
        vm.ctx.new_tuple(row).into()
    });
    Ok(vm.new_tuple((metadata, vm.ctx.new_list(rows.collect()))).into())
}

pub(super) const ROWS: &[&[Row]] = &[&[
    ("set_", M, set_),
    ("_storage_flat", F, flat),
    ("_storage_id", F, storage_id),
    ("_storage_key", F, storage_key),
    ("_storage_bytes", F, storage_bytes),
    ("_storage_from", F, storage_from),
    ("_storage_move", F, storage_move),
    ("_storage_view", F, storage_view),
    ("_archive_read", F, archive_read),
    ("_archive_write", F, archive_write),
    ("_safetensors_write", F, safetensors_write),
    ("_safetensors_read", F, safetensors_read),
]];
