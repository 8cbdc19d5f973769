//! `re.Match`.

use rustpython_vm::builtins::{PyGenericAlias, PyInt, PyStrRef, PyTupleRef, PyTypeRef};
use rustpython_vm::common::wtf8::Wtf8Buf;
use rustpython_vm::function::{OptionalArg, PosArgs};
use rustpython_vm::protocol::PyMappingMethods;
use rustpython_vm::types::{AsMapping, Representable};
use rustpython_vm::{
    AsObject, FromArgs, Py, PyObject, PyObjectRef, PyPayload, PyRef, PyResult, VirtualMachine, atomic_func, pyclass,
};

use super::Template;
use super::pattern::Pattern;
use super::subject::{Found, Subject};

#[pyclass(module = "re", name = "Match")]
#[derive(Debug, PyPayload)]
pub(super) struct Match {
    pattern: PyRef<Pattern>,
    string: PyObjectRef,
    /// Where the search began, and where it had to end.
    places: (usize, usize),
    found: Found,
}

#[derive(FromArgs)]
struct DefaultArgs {
    #[pyarg(any, default)]
    default: OptionalArg<PyObjectRef>,
}

#[derive(FromArgs)]
struct ExpandArgs {
    #[pyarg(any)]
    template: PyObjectRef,
}

impl Match {
    pub(super) fn new(pattern: PyRef<Pattern>, string: PyObjectRef, places: (usize, usize), found: Found) -> Match {
        Match { pattern, string, places, found }
    }

    fn open<R>(&self, vm: &VirtualMachine, run: impl FnOnce(&Subject<'_>) -> PyResult<R>) -> PyResult<R> {
        Subject::of(&self.string, self.pattern.is_bytes, vm, run)
    }

    /// The place of a group, which is given by its number or name.
    fn place(&self, group: &PyObject, vm: &VirtualMachine) -> PyResult<Option<(usize, usize)>> {
        let number = match group.try_index_opt(vm) {
            Some(number) => Some(number?),
            None => match self.pattern.index_of.get_item_opt(group, vm) {
                Ok(Some(number)) => number.downcast::<PyInt>().ok(),
                _ => None,
            },
        };
        let number = number.and_then(|number| number.try_to_primitive::<usize>(vm).ok());
        number
            .and_then(|number| self.found.places.get(number).copied())
            .ok_or_else(|| vm.new_index_error("no such group"))
    }

    fn text(&self, group: &PyObject, vm: &VirtualMachine) -> PyResult {
        let Some((start, end)) = self.place(group, vm)? else { return Ok(vm.ctx.none()) };
        self.open(vm, |subject| Ok(subject.part(start, end, vm)))
    }

    fn texts(&self, default: OptionalArg<PyObjectRef>, vm: &VirtualMachine) -> PyResult<Vec<PyObjectRef>> {
        let default = default.unwrap_or_else(|| vm.ctx.none());
        self.open(vm, |subject| {
            let text = |place: &Option<(usize, usize)>| match place {
                Some((start, end)) => subject.part(*start, *end, vm),
                None => default.clone(),
            };
            Ok(self.found.places.iter().map(text).collect())
        })
    }
}

/// As Python has a place: -1 for a group that took no part.
fn pair(place: Option<(usize, usize)>) -> (isize, isize) {
    let number = |place: usize| isize::try_from(place).unwrap_or(isize::MAX);
    place.map_or((-1, -1), |(start, end)| (number(start), number(end)))
}

#[pyclass(with(AsMapping, Representable), flags(DISALLOW_INSTANTIATION))]
impl Match {
    #[pymethod]
    fn group(zelf: &Py<Self>, groups: PosArgs<PyObjectRef>, vm: &VirtualMachine) -> PyResult {
        match &groups.into_vec()[..] {
            [] => zelf.text(vm.ctx.new_int(0).as_object(), vm),
            [group] => zelf.text(group, vm),
            groups => {
                let texts: PyResult<Vec<_>> = groups.iter().map(|group| zelf.text(group, vm)).collect();
                Ok(vm.ctx.new_tuple(texts?).into())
            }
        }
    }

    #[pymethod]
    fn groups(zelf: &Py<Self>, args: DefaultArgs, vm: &VirtualMachine) -> PyResult<PyTupleRef> {
        Ok(vm.ctx.new_tuple(zelf.texts(args.default, vm)?.into_iter().skip(1).collect()))
    }

    #[pymethod]
    fn groupdict(zelf: &Py<Self>, args: DefaultArgs, vm: &VirtualMachine) -> PyResult {
        let texts = zelf.texts(args.default, vm)?;
        let dict = vm.ctx.new_dict();
        for (name, number) in zelf.pattern.index_of.clone() {
            let number = number.downcast_ref::<PyInt>().and_then(|number| number.try_to_primitive::<usize>(vm).ok());
            let text = number.and_then(|number| texts.get(number).cloned()).unwrap_or_else(|| vm.ctx.none());
            dict.set_item(&*name, text, vm)?;
        }
        Ok(dict.into())
    }

    #[pymethod]
    fn span(zelf: &Py<Self>, group: OptionalArg<PyObjectRef>, vm: &VirtualMachine) -> PyResult<(isize, isize)> {
        match group {
            OptionalArg::Present(group) => zelf.place(&group, vm).map(pair),
            OptionalArg::Missing => Ok(pair(Some((zelf.found.start, zelf.found.end)))),
        }
    }

    #[pymethod]
    fn start(zelf: &Py<Self>, group: OptionalArg<PyObjectRef>, vm: &VirtualMachine) -> PyResult<isize> {
        Match::span(zelf, group, vm).map(|(start, _)| start)
    }

    #[pymethod]
    fn end(zelf: &Py<Self>, group: OptionalArg<PyObjectRef>, vm: &VirtualMachine) -> PyResult<isize> {
        Match::span(zelf, group, vm).map(|(_, end)| end)
    }

    #[pymethod]
    fn expand(zelf: &Py<Self>, args: ExpandArgs, vm: &VirtualMachine) -> PyResult {
        let template = Template::read(&zelf.pattern, args.template, vm)?;
        zelf.open(vm, |subject| {
            let mut parts = Vec::new();
            template.fill(&zelf.found, subject, &mut parts, vm);
            zelf.pattern.join(parts, vm)
        })
    }

    #[pymethod]
    fn __copy__(zelf: PyRef<Self>) -> PyRef<Self> {
        zelf
    }

    #[pymethod]
    fn __deepcopy__(zelf: PyRef<Self>, _memo: PyObjectRef) -> PyRef<Self> {
        zelf
    }

    #[pygetset]
    fn pos(zelf: &Py<Self>) -> usize {
        zelf.places.0
    }

    #[pygetset]
    fn endpos(zelf: &Py<Self>) -> usize {
        zelf.places.1
    }

    #[pygetset]
    fn lastindex(zelf: &Py<Self>) -> Option<usize> {
        zelf.found.last
    }

    #[pygetset]
    fn lastgroup(zelf: &Py<Self>) -> Option<PyStrRef> {
        zelf.pattern.names.get(zelf.found.last?)?.clone()
    }

    #[pygetset]
    fn re(zelf: &Py<Self>) -> PyRef<Pattern> {
        zelf.pattern.clone()
    }

    #[pygetset]
    fn string(zelf: &Py<Self>) -> PyObjectRef {
        zelf.string.clone()
    }

    #[pygetset]
    fn regs(zelf: &Py<Self>, vm: &VirtualMachine) -> PyTupleRef {
        let place = |place: &Option<(usize, usize)>| {
            let (start, end) = pair(*place);
            vm.ctx.new_tuple(vec![vm.ctx.new_int(start).into(), vm.ctx.new_int(end).into()]).into()
        };
        vm.ctx.new_tuple(zelf.found.places.iter().map(place).collect())
    }

    #[pyclassmethod]
    fn __class_getitem__(class: PyTypeRef, of: PyObjectRef, vm: &VirtualMachine) -> PyResult<PyGenericAlias> {
        PyGenericAlias::from_args(class, of, vm)
    }
}

impl AsMapping for Match {
    fn as_mapping() -> &'static PyMappingMethods {
        static METHODS: PyMappingMethods = PyMappingMethods {
            subscript: atomic_func!(|mapping, group, vm| Match::mapping_downcast(mapping).text(group, vm)),
            ..PyMappingMethods::NOT_IMPLEMENTED
        };
        &METHODS
    }
}

impl Representable for Match {
    fn repr_wtf8(zelf: &Py<Self>, vm: &VirtualMachine) -> PyResult<Wtf8Buf> {
        let text = zelf.text(vm.ctx.new_int(0).as_object(), vm)?.repr(vm)?;
        let mut all =
            Wtf8Buf::from(format!("<re.Match object; span=({}, {}), match=", zelf.found.start, zelf.found.end));
        all.push_wtf8(text.as_wtf8());
        all.push_str(">");
        Ok(all)
    }
}
