//! Binding a call's arguments to parameter names, and converting them with PyTorch's error texts.

use rustpython_vm::builtins::PyBaseExceptionRef;
use rustpython_vm::function::{FuncArgs, KwArgs};
use rustpython_vm::{AsObject, PyObject, PyObjectRef, PyResult, VirtualMachine};
use smallvec::SmallVec;

use super::convert::{self, Ints, text, type_name};
use super::device::device_of;
use super::tensor::PyTensor;
use crate::device::Device;
use crate::dtype::{DType, Scalar};
use crate::ops::Arg;
use crate::ops::rows::Operator;
use crate::ops::signature::{Kind, Param};
use crate::tensor::Tensor;

/// One call of a native function, before its arguments are bound.
pub struct Call<'a> {
    /// The function's name, for error texts.
    pub name: &'static str,
    /// The operator that it is, if it is one.
    pub operator: Option<&'static Operator>,
    /// Positional arguments, then the values of the keyword arguments.
    pub(super) args: Vec<PyObjectRef>,
    pub(super) positional: usize,
    pub(super) keywords: Option<&'a [PyObjectRef]>,
    /// 1 for a method: PyTorch does not count the tensor that it is called on.
    pub(super) hidden: usize,
    pub vm: &'a VirtualMachine,
}

/// A call bound to parameters.
pub struct Bound<'a> {
    pub name: &'static str,
    names: Names,
    pub(super) values: Values,
    positional: usize,
    hidden: usize,
    pub vm: &'a VirtualMachine,
}

/// A call's arguments, in the order of the parameters.
pub(super) type Values = SmallVec<[Option<PyObjectRef>; 8]>;

/// What the parameters are called.
#[derive(Clone, Copy)]
pub enum Names {
    /// By the binding itself. A name that starts with `*` can only be given by keyword.
    Listed(&'static [&'static str]),
    /// By the signature that the call fits.
    Signature(&'static Operator, &'static [Param]),
}

/// A parameter, by its place or by its name.
pub trait Key: Copy {
    fn place(self, names: Names) -> Option<usize>;
}

impl Key for usize {
    fn place(self, _: Names) -> Option<usize> {
        Some(self)
    }
}

impl Key for &str {
    fn place(self, names: Names) -> Option<usize> {
        match names {
            Names::Listed(names) => names.iter().position(|n| n.trim_start_matches('*') == self),
            Names::Signature(operator, params) => {
                let place = params.iter().position(|p| p.name == self);
                debug_assert!(
                    place.is_some() || operator.knows(self),
                    "no signature of {} has a {self}",
                    operator.name
                );
                place
            }
        }
    }
}

impl<'a> Call<'a> {
    pub fn new(
        name: &'static str,
        operator: Option<&'static Operator>,
        args: Vec<PyObjectRef>,
        positional: usize,
        keywords: Option<&'a [PyObjectRef]>,
        vm: &'a VirtualMachine,
    ) -> Call<'a> {
        Call { name, operator, args, positional, keywords, hidden: 0, vm }
    }

    /// A call of a method: its first argument is the object that it is called on.
    pub(crate) fn on_object(self) -> Call<'a> {
        Call { hidden: 1, ..self }
    }

    /// The positional arguments.
    pub(crate) fn positional(&self) -> &[PyObjectRef] {
        &self.args[..self.positional]
    }

    pub(crate) fn has_keywords(&self) -> bool {
        self.keywords.is_some_and(|k| !k.is_empty())
    }

    pub fn keyword(&self, name: &str) -> Option<&PyObjectRef> {
        let at = self.keywords?.iter().position(|k| text(k) == Some(name))?;
        self.args.get(self.positional + at)
    }

    /// The keyword arguments with their names.
    pub(crate) fn keyword_items(&self) -> impl Iterator<Item = (&str, &PyObjectRef)> {
        let names = self.keywords.unwrap_or_default();
        names.iter().map(|k| text(k).unwrap_or_default()).zip(&self.args[self.positional..])
    }

    /// Refuses keywords that a function of Python does not take.
    ///
    /// # Errors
    /// A keyword that is not among `known`.
    pub(super) fn refuse_keywords(&self, known: &[&str]) -> PyResult<()> {
        match self.keyword_items().find(|(name, _)| !known.contains(name)) {
            None => Ok(()),
            Some((key, _)) => {
                let text = format!("{}() got an unexpected keyword argument '{key}'", self.name);
                Err(self.vm.new_type_error(text))
            }
        }
    }

    /// Calls something else with the same arguments.
    pub(crate) fn pass_to(self, callable: &PyObject) -> PyResult {
        callable.vectorcall(self.args, self.positional, self.keywords, self.vm)
    }

    /// The arguments after the first, to call something else with.
    pub fn rest(self) -> FuncArgs {
        let mut all = self.all();
        all.args.remove(0);
        all
    }

    /// The arguments, to call something else with.
    pub fn all(self) -> FuncArgs {
        let mut args = self.args;
        let mut kwargs = KwArgs::default();
        for (name, value) in self.keywords.unwrap_or_default().iter().zip(args.drain(self.positional..)) {
            kwargs.insert(text(name).unwrap_or_default().into(), value);
        }
        FuncArgs::new(args, kwargs)
    }

    /// The tensor that a method is called on.
    pub(crate) fn self_tensor(&self) -> PyResult<Tensor> {
        let text = match self.args.first() {
            Some(object) => match object.downcast_ref::<PyTensor>() {
                Some(t) => return Ok(t.tensor.clone()),
                None => format!(
                    "descriptor '{}' for 'torch._C.TensorBase' objects doesn't apply to a '{}' object",
                    self.name,
                    object.class().name()
                ),
            },
            None => format!("unbound method TensorBase.{}() needs an argument", self.name),
        };
        Err(self.vm.new_type_error(text))
    }

    pub(crate) fn self_object(&self) -> PyResult<PyObjectRef> {
        self.self_tensor()?;
        Ok(self.args[0].clone())
    }

    /// Binds to parameter names. A name that starts with `*` can only be given by keyword; the first `required` must be
    /// given.
    pub fn bind<const N: usize>(self, names: &'static [&'static str; N], required: usize) -> PyResult<Bound<'a>> {
        let Call { name, args, positional, keywords, hidden, vm, .. } = self;
        let mut values: Values = SmallVec::from_elem(None, N);
        let open = names.iter().position(|n| n.starts_with('*')).unwrap_or(N);
        let mut args = args.into_iter();
        if positional > open {
            return Err(too_many(name, open - hidden, required.saturating_sub(hidden), positional - hidden, vm));
        }
        for slot in values.iter_mut().take(positional) {
            *slot = args.next();
        }
        for (key, value) in keywords.unwrap_or_default().iter().zip(args) {
            let key = text(key).unwrap_or_default();
            let at = names.iter().position(|n| n.trim_start_matches('*') == key).or_else(|| alias(key, names));
            match at {
                Some(i) if values[i].is_none() => values[i] = Some(value),
                Some(_) => {
                    return Err(vm.new_type_error(format!("{name}() got multiple values for argument '{key}'")));
                }
                None => {
                    return Err(vm.new_type_error(format!("{name}() got an unexpected keyword argument '{key}'")));
                }
            }
        }
        if values[..required].iter().any(Option::is_none) {
            let missing: Vec<String> =
                (0..required).filter(|&i| values[i].is_none()).map(|i| format!("\"{}\"", names[i])).collect();
            return Err(vm.new_type_error(format!(
                "{name}() missing {} required positional arguments: {}",
                missing.len(),
                missing.join(", ")
            )));
        }
        Ok(Bound { name, names: Names::Listed(names), values, positional, hidden, vm })
    }
}

/// PyTorch takes NumPy's names for a few parameters.
fn alias<const N: usize>(key: &str, names: &[&str; N]) -> Option<usize> {
    let meant = match key {
        "axis" => "dim",
        "x" | "self" => "input",
        "keepdims" => "keepdim",
        _ => return None,
    };
    names.iter().position(|n| n.trim_start_matches('*') == meant)
}

fn too_many(name: &str, open: usize, required: usize, given: usize, vm: &VirtualMachine) -> PyBaseExceptionRef {
    let required = required.min(open);
    let takes = if required == open { open.to_string() } else { format!("from {required} to {open}") };
    let plural = if open == 1 { "" } else { "s" };
    let were = if given == 1 { "was" } else { "were" };
    vm.new_type_error(format!("{name}() takes {takes} positional argument{plural} but {given} {were} given"))
}

impl<'a> Bound<'a> {
    /// Of a call that fits a signature.
    pub(super) fn fitting(
        call: &Call<'a>,
        operator: &'static Operator,
        params: &'static [Param],
        values: Values,
    ) -> Bound<'a> {
        let names = Names::Signature(operator, params);
        let Call { name, positional, hidden, vm, .. } = *call;
        Bound { name, names, values, positional, hidden, vm }
    }

    /// Of a call without keywords that fits a signature as it stands.
    pub(super) fn by_position(call: Call<'a>, operator: &'static Operator, params: &'static [Param]) -> Bound<'a> {
        let Call { name, args, positional, hidden, vm, .. } = call;
        let given = |(object, param): (PyObjectRef, &Param)| {
            let left_out = param.takes_none && vm.is_none(&object);
            if left_out { None } else { Some(object) }
        };
        let values = args.into_iter().zip(params).map(given).collect();
        Bound { name, names: Names::Signature(operator, params), values, positional, hidden, vm }
    }

    /// Reads the lists of integers, of whose items a signature checks the first alone.
    pub(super) fn read_lists(&self) -> PyResult<()> {
        let Names::Signature(_, params) = self.names else { return Ok(()) };
        for (i, param) in params.iter().enumerate() {
            if matches!(param.kind, Kind::Ints { .. }) && self.some(i).is_some() {
                self.ints(i)?;
            }
        }
        Ok(())
    }

    /// Whether the signature that the call fits has a parameter of that name.
    pub(super) fn takes(&self, name: &str) -> bool {
        match self.names {
            Names::Listed(names) => names.iter().any(|n| n.trim_start_matches('*') == name),
            Names::Signature(_, params) => params.iter().any(|p| p.name == name),
        }
    }

    fn value(&self, key: impl Key) -> Option<&PyObjectRef> {
        key.place(self.names).and_then(|i| self.values.get(i)?.as_ref())
    }

    /// What a parameter is called.
    fn parameter(&self, i: usize) -> &'static str {
        match self.names {
            Names::Listed(names) => names[i].trim_start_matches('*'),
            Names::Signature(_, params) => params[i].name,
        }
    }

    pub fn get(&self, key: impl Key) -> Option<&PyObjectRef> {
        self.value(key)
    }

    /// The argument, unless missing or None.
    pub fn some(&self, key: impl Key) -> Option<&PyObjectRef> {
        self.value(key).filter(|o| !self.vm.is_none(o))
    }

    /// `add(): argument 'other' (position 2) must be Tensor, not str`.
    pub fn wrong(&self, key: impl Key, wanted: &str) -> PyBaseExceptionRef {
        let i = key.place(self.names).unwrap_or_default();
        let (name, position) = (self.parameter(i), self.position(i));
        let got = self.value(key).map_or("NoneType".into(), |o| type_name(o));
        self.vm.new_type_error(format!("{}(): argument '{name}'{position} must be {wanted}, not {got}", self.name))
    }

    fn position(&self, i: usize) -> String {
        if i < self.positional { format!(" (position {})", i + 1 - self.hidden) } else { String::new() }
    }

    pub(super) fn required(&self, key: impl Key) -> PyResult<&PyObjectRef> {
        self.value(key).ok_or_else(|| {
            let name = self.parameter(key.place(self.names).unwrap_or_default());
            self.vm.new_type_error(format!("{}() missing 1 required positional arguments: \"{name}\"", self.name))
        })
    }

    pub fn tensor(&self, key: impl Key) -> PyResult<Tensor> {
        match self.required(key)?.downcast_ref::<PyTensor>() {
            Some(t) => Ok(t.tensor.clone()),
            None => Err(self.wrong(key, "Tensor")),
        }
    }

    pub(crate) fn tensor_or_none(&self, key: impl Key) -> PyResult<Option<Tensor>> {
        match self.some(key) {
            None => Ok(None),
            Some(_) => self.tensor(key).map(Some),
        }
    }

    /// A tensor or a Python number.
    pub fn operand(&self, key: impl Key) -> PyResult<Arg> {
        let object = self.required(key)?;
        convert::operand(object, self.vm)?.ok_or_else(|| self.wrong(key, "Tensor"))
    }

    pub(crate) fn operand_or_none(&self, key: impl Key) -> PyResult<Option<Arg>> {
        match self.some(key) {
            None => Ok(None),
            Some(_) => self.operand(key).map(Some),
        }
    }

    /// A real number.
    pub(crate) fn scalar(&self, key: impl Key) -> PyResult<Scalar> {
        let value = self.number(key)?;
        if matches!(value, Scalar::Complex(..)) { Err(self.wrong(key, "Number")) } else { Ok(value) }
    }

    /// A real or complex number.
    pub fn number(&self, key: impl Key) -> PyResult<Scalar> {
        let object = self.required(key)?;
        if let Some(value) = convert::complex(object) {
            return Ok(value);
        }
        convert::scalar(object, self.vm)?.ok_or_else(|| self.wrong(key, "Number"))
    }

    pub(crate) fn scalar_or(&self, key: impl Key, default: impl Into<Scalar>) -> PyResult<Scalar> {
        if self.some(key).is_none() { Ok(default.into()) } else { self.scalar(key) }
    }

    /// As [`Bound::number`], with a value for an argument that isn't given.
    pub(crate) fn number_or(&self, key: impl Key, default: impl Into<Scalar>) -> PyResult<Scalar> {
        if self.some(key).is_none() { Ok(default.into()) } else { self.number(key) }
    }

    pub fn f64(&self, key: impl Key) -> PyResult<f64> {
        match convert::scalar(self.required(key)?, self.vm)? {
            Some(value) if !matches!(value, Scalar::Complex(..)) => Ok(value.as_f64()),
            _ => Err(self.wrong(key, "float")),
        }
    }

    pub(crate) fn f64_or(&self, key: impl Key, default: f64) -> PyResult<f64> {
        if self.some(key).is_none() { Ok(default) } else { self.f64(key) }
    }

    pub fn int(&self, key: impl Key) -> PyResult<i64> {
        let object = self.required(key)?;
        convert::int(object, self.vm)?.ok_or_else(|| self.wrong(key, "int"))
    }

    pub(crate) fn int_or(&self, key: impl Key, default: i64) -> PyResult<i64> {
        if self.value(key).is_none() { Ok(default) } else { self.int(key) }
    }

    pub(crate) fn int_or_none(&self, key: impl Key) -> PyResult<Option<i64>> {
        if self.some(key).is_none() { Ok(None) } else { self.int(key).map(Some) }
    }

    pub(crate) fn bool_or(&self, key: impl Key, default: bool) -> PyResult<bool> {
        let Some(object) = self.value(key) else { return Ok(default) };
        if object.is(&self.vm.ctx.true_value) {
            Ok(true)
        } else if object.is(&self.vm.ctx.false_value) {
            Ok(false)
        } else {
            Err(self.wrong(key, "bool"))
        }
    }

    /// A sequence of ints, or one int standing for a sequence of one.
    pub fn ints(&self, key: impl Key) -> PyResult<Ints> {
        let object = self.required(key)?;
        if let Some(n) = convert::int(object, self.vm)? {
            return Ok(Ints::from_slice(&[n]));
        }
        match convert::ints(object, self.vm)? {
            Ok(list) => Ok(list),
            Err(convert::NoInts::Sequence) => Err(self.wrong(key, "tuple of ints")),
            Err(convert::NoInts::Wide(position)) => {
                let i = key.place(self.names).unwrap_or_default();
                let name = self.parameter(i);
                Err(self.vm.new_type_error(format!(
                    "{}(): argument '{name}' failed to unpack the object at pos {} with error \"{}",
                    self.name,
                    position + 1,
                    convert::OVERFLOW
                )))
            }
            Err(convert::NoInts::Item(position, item)) if position > 0 => {
                let name = self.parameter(key.place(self.names).unwrap_or_default());
                Err(self.vm.new_type_error(format!(
                    "{}(): argument '{name}' failed to unpack the object at pos {} with error \"type must be tuple of ints,but got {item}\"",
                    self.name,
                    position + 1
                )))
            }
            Err(convert::NoInts::Item(position, item)) => {
                let i = key.place(self.names).unwrap_or_default();
                let name = self.parameter(i);
                let at = self.position(i);
                Err(self.vm.new_type_error(format!(
                    "{}(): argument '{name}'{at} must be tuple of ints, but found element of type {item} at pos {position}",
                    self.name
                )))
            }
        }
    }

    /// Dims to reduce over: none given means all.
    pub(super) fn dims(&self, key: impl Key) -> PyResult<Ints> {
        if self.some(key).is_none() { Ok(Ints::new()) } else { self.ints(key) }
    }

    pub(super) fn tensors(&self, key: impl Key) -> PyResult<Vec<Tensor>> {
        let object = self.required(key)?;
        let Some(items) = convert::sequence(object) else { return Err(self.wrong(key, "tuple of Tensors")) };
        let mut out = Vec::with_capacity(items.len());
        for (at, item) in items.iter().enumerate() {
            match item.downcast_ref::<PyTensor>() {
                Some(t) => out.push(t.tensor.clone()),
                None => {
                    return Err(self.vm.new_type_error(format!(
                        "expected Tensor as element {at} in argument {}, but got {}",
                        key.place(self.names).unwrap_or_default(),
                        type_name(item)
                    )));
                }
            }
        }
        Ok(out)
    }

    pub fn dtype(&self, key: impl Key) -> PyResult<Option<DType>> {
        let Some(object) = self.some(key) else { return Ok(None) };
        convert::dtype(object, self.vm).map(Some).ok_or_else(|| self.wrong(key, "torch.dtype"))
    }

    pub fn device(&self, key: impl Key) -> PyResult<Option<Device>> {
        let Some(object) = self.some(key) else { return Ok(None) };
        match device_of(object, self.vm) {
            Some(device) => device.map(Some),
            None => Err(self.wrong(key, "torch.device")),
        }
    }

    pub fn str(&self, key: impl Key) -> PyResult<Option<&str>> {
        let Some(object) = self.some(key) else { return Ok(None) };
        text(object).map(Some).ok_or_else(|| self.wrong(key, "str"))
    }
}
