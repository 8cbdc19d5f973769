//! `torch.dtype`, with one object for each dtype.

use std::cell::RefCell;

use rustpython_vm::types::Representable;
use rustpython_vm::{Py, PyObjectRef, PyPayload, PyRef, PyResult, VirtualMachine, pyclass};

use super::error::OrRaise;
use crate::dtype::DType;

#[pyclass(module = "torch", name = "dtype")]
#[derive(Debug, PyPayload)]
pub(super) struct PyDType {
    pub dtype: DType,
}

thread_local! {
    static OBJECTS: RefCell<Vec<PyRef<PyDType>>> = const { RefCell::new(Vec::new()) };
}

/// Python names of every dtype: `float` and `float32` are one object.
pub(super) const NAMES: [(&str, DType); 22] = [
    ("float32", DType::F32),
    ("float", DType::F32),
    ("float64", DType::F64),
    ("double", DType::F64),
    ("float16", DType::F16),
    ("half", DType::F16),
    ("bfloat16", DType::BF16),
    ("int64", DType::I64),
    ("long", DType::I64),
    ("int32", DType::I32),
    ("int", DType::I32),
    ("int16", DType::I16),
    ("short", DType::I16),
    ("int8", DType::I8),
    ("uint8", DType::U8),
    ("uint16", DType::U16),
    ("uint32", DType::U32),
    ("bool", DType::Bool),
    ("complex64", DType::C64),
    ("cfloat", DType::C64),
    ("complex128", DType::C128),
    ("cdouble", DType::C128),
];

/// The object of a dtype.
pub(super) fn object(dtype: DType, vm: &VirtualMachine) -> PyObjectRef {
    OBJECTS.with_borrow_mut(|all| {
        if all.is_empty() {
            all.extend(DType::EVERY.iter().map(|&dtype| PyDType { dtype }.into_ref(&vm.ctx)));
        }
        all[dtype as usize].clone().into()
    })
}

impl Representable for PyDType {
    fn repr_str(zelf: &Py<Self>, _vm: &VirtualMachine) -> PyResult<String> {
        Ok(zelf.dtype.to_string())
    }
}

#[pyclass(with(Representable), flags(DISALLOW_INSTANTIATION))]
impl PyDType {
    #[pygetset]
    fn is_floating_point(zelf: &Py<Self>) -> bool {
        zelf.dtype.is_float()
    }

    #[pygetset]
    fn is_complex(zelf: &Py<Self>) -> bool {
        zelf.dtype.is_complex()
    }

    #[pygetset]
    fn is_signed(zelf: &Py<Self>) -> bool {
        !matches!(zelf.dtype, DType::U8 | DType::U16 | DType::U32 | DType::Bool)
    }

    #[pygetset]
    fn itemsize(zelf: &Py<Self>) -> usize {
        zelf.dtype.size()
    }

    /// The dtype of a part of a complex number; for any other dtype, itself.
    #[pymethod]
    fn to_real(zelf: &Py<Self>, vm: &VirtualMachine) -> PyObjectRef {
        object(zelf.dtype.part(), vm)
    }

    #[pymethod]
    fn to_complex(zelf: &Py<Self>, vm: &VirtualMachine) -> PyResult {
        Ok(object(zelf.dtype.complex().or_raise(vm)?, vm))
    }

    #[pymethod]
    fn __reduce__(zelf: &Py<Self>) -> &'static str {
        zelf.dtype.name()
    }
}
