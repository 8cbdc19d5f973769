//! `re.Pattern`.

use std::cell::Cell;

use rustpython_vm::builtins::{
    PyCallableIterator, PyDictRef, PyGenericAlias, PyList, PyMappingProxy, PyStr, PyStrRef, PyTypeRef,
};
use rustpython_vm::common::hash::PyHash;
use rustpython_vm::common::wtf8::{CodePoint, Wtf8Buf};
use rustpython_vm::function::{ArgBytesLike, ArgCallable, PyComparisonValue};
use rustpython_vm::types::{Comparable, Hashable, PyComparisonOp, Representable};
use rustpython_vm::{
    AsObject, FromArgs, Py, PyObject, PyObjectRef, PyPayload, PyRef, PyResult, TryFromObject, VirtualMachine, pyclass,
};

use super::Template;
use super::found::Match;
use super::subject::{Found, How, Subject};

#[pyclass(module = "re", name = "Pattern")]
#[derive(Debug, PyPayload)]
pub(super) struct Pattern {
    pub(super) pattern: PyObjectRef,
    pub(super) flags: u16,
    pub(super) code: Vec<u32>,
    pub(super) groups: usize,
    pub(super) index_of: PyDictRef,
    pub(super) names: Vec<Option<PyStrRef>>,
    pub(super) is_bytes: bool,
}

#[derive(FromArgs)]
struct StringArgs {
    #[pyarg(any)]
    string: PyObjectRef,
    #[pyarg(any, default = 0)]
    pos: isize,
    #[pyarg(any, default = isize::MAX)]
    endpos: isize,
}

#[derive(FromArgs)]
struct SubArgs {
    #[pyarg(any)]
    repl: PyObjectRef,
    #[pyarg(any)]
    string: PyObjectRef,
    #[pyarg(any, default = 0)]
    count: isize,
}

#[derive(FromArgs)]
struct SplitArgs {
    #[pyarg(any)]
    string: PyObjectRef,
    #[pyarg(any, default = 0)]
    maxsplit: isize,
}

/// What a match is replaced by.
enum Replacement {
    Text(PyObjectRef),
    Template(PyRef<Template>),
    Function(PyObjectRef),
}

/// Looks for one match after the other.
struct Search<'a> {
    pattern: &'a Pattern,
    subject: &'a Subject<'a>,
    start: usize,
    end: usize,
    must_advance: bool,
    is_over: bool,
}

impl<'a> Search<'a> {
    fn new(pattern: &'a Pattern, subject: &'a Subject<'a>, (start, end): (usize, usize)) -> Search<'a> {
        Search { pattern, subject, start, end, must_advance: false, is_over: false }
    }

    fn next(&mut self, how: How) -> PyResult<Option<Found>> {
        if self.is_over {
            return Ok(None);
        }
        let found = self.pattern.find(self.subject, (self.start, self.end), how, self.must_advance)?;
        match &found {
            Some(found) => {
                self.must_advance = found.start == found.end;
                self.start = found.end;
            }
            None => self.is_over = true,
        }
        Ok(found)
    }
}

/// Two places within a subject, as Python's slices clip them.
fn clipped(subject: &Subject<'_>, pos: isize, endpos: isize) -> (usize, usize) {
    let length = subject.length();
    let end = usize::try_from(endpos).unwrap_or(0).min(length);
    (usize::try_from(pos).unwrap_or(0).min(end), end)
}

impl Pattern {
    fn open<R>(
        &self,
        string: &PyObject,
        vm: &VirtualMachine,
        run: impl FnOnce(&Subject<'_>) -> PyResult<R>,
    ) -> PyResult<R> {
        Subject::of(string, self.is_bytes, vm, run)
    }

    fn find(
        &self,
        subject: &Subject<'_>,
        places: (usize, usize),
        how: How,
        must_advance: bool,
    ) -> PyResult<Option<Found>> {
        subject.find(&self.code, self.groups, places, how, must_advance)
    }

    pub(super) fn empty(&self, vm: &VirtualMachine) -> PyObjectRef {
        if self.is_bytes { vm.ctx.new_bytes(Vec::new()).into() } else { vm.ctx.empty_str.to_owned().into() }
    }

    pub(super) fn join(&self, parts: Vec<PyObjectRef>, vm: &VirtualMachine) -> PyResult {
        vm.call_method(&self.empty(vm), "join", (PyObjectRef::from(PyList::from(parts).into_ref(&vm.ctx)),))
    }
}

fn first(zelf: &PyRef<Pattern>, args: StringArgs, how: How, vm: &VirtualMachine) -> PyResult<Option<Match>> {
    zelf.open(&args.string, vm, |subject| {
        let places = clipped(subject, args.pos, args.endpos);
        let found = zelf.find(subject, places, how, false)?;
        Ok(found.map(|found| Match::new(zelf.clone(), args.string.clone(), places, found)))
    })
}

fn replacement(zelf: &PyRef<Pattern>, with: PyObjectRef, vm: &VirtualMachine) -> PyResult<Replacement> {
    if with.is_callable() {
        return Ok(Replacement::Function(with));
    }
    let is_template = match with.downcast_ref::<PyStr>() {
        Some(text) => text.as_bytes().contains(&b'\\'),
        None => match ArgBytesLike::try_from_object(vm, with.clone()) {
            Ok(bytes) => bytes.with_ref(|bytes| bytes.contains(&b'\\')),
            Err(_) => true,
        },
    };
    Ok(if is_template { Replacement::Template(Template::read(zelf, with, vm)?) } else { Replacement::Text(with) })
}

fn substitute(zelf: &PyRef<Pattern>, args: SubArgs, vm: &VirtualMachine) -> PyResult<(PyObjectRef, usize)> {
    let with = replacement(zelf, args.repl, vm)?;
    zelf.open(&args.string, vm, |subject| {
        let places = (0, subject.length());
        let (mut parts, mut times, mut at) = (Vec::new(), 0, 0);
        let mut search = Search::new(zelf, subject, places);
        while args.count == 0 || usize::try_from(args.count).is_ok_and(|most| times < most) {
            let Some(found) = search.next(How::Search)? else { break };
            if at < found.start {
                parts.push(subject.part(at, found.start, vm));
            }
            at = found.end;
            match &with {
                Replacement::Text(text) => parts.push(text.clone()),
                Replacement::Template(template) => template.fill(&found, subject, &mut parts, vm),
                Replacement::Function(function) => {
                    let found = Match::new(zelf.clone(), args.string.clone(), places, found).into_ref(&vm.ctx);
                    let text = function.call((found,), vm)?;
                    if !vm.is_none(&text) {
                        parts.push(text);
                    }
                }
            }
            times += 1;
        }
        if times == 0 && args.string.class().is(vm.ctx.types.str_type) {
            return Ok((args.string.clone(), 0));
        }
        parts.push(subject.part(at, places.1, vm));
        Ok((zelf.join(parts, vm)?, times))
    })
}

impl Template {
    /// The text for one match.
    pub(super) fn fill(&self, found: &Found, subject: &Subject<'_>, parts: &mut Vec<PyObjectRef>, vm: &VirtualMachine) {
        parts.push(self.begin.clone());
        for (group, text) in &self.parts {
            if let Some(&Some((start, end))) = found.places.get(*group) {
                parts.push(subject.part(start, end, vm));
            }
            parts.push(text.clone());
        }
    }
}

#[pyclass(with(Hashable, Comparable, Representable), flags(HAS_WEAKREF, DISALLOW_INSTANTIATION))]
impl Pattern {
    #[pymethod(name = "match")]
    fn match_(zelf: PyRef<Self>, args: StringArgs, vm: &VirtualMachine) -> PyResult<Option<Match>> {
        first(&zelf, args, How::Match, vm)
    }

    #[pymethod]
    fn fullmatch(zelf: PyRef<Self>, args: StringArgs, vm: &VirtualMachine) -> PyResult<Option<Match>> {
        first(&zelf, args, How::Full, vm)
    }

    #[pymethod]
    fn search(zelf: PyRef<Self>, args: StringArgs, vm: &VirtualMachine) -> PyResult<Option<Match>> {
        first(&zelf, args, How::Search, vm)
    }

    #[pymethod]
    fn findall(zelf: PyRef<Self>, args: StringArgs, vm: &VirtualMachine) -> PyResult<Vec<PyObjectRef>> {
        zelf.open(&args.string, vm, |subject| {
            let mut search = Search::new(&zelf, subject, clipped(subject, args.pos, args.endpos));
            let mut all = Vec::new();
            while let Some(found) = search.next(How::Search)? {
                let text = |place: &Option<(usize, usize)>| match place {
                    Some((start, end)) => subject.part(*start, *end, vm),
                    None => zelf.empty(vm),
                };
                all.push(match &found.places[..] {
                    [whole] => text(whole),
                    [_, group] => text(group),
                    [_, groups @ ..] => vm.ctx.new_tuple(groups.iter().map(text).collect()).into(),
                    [] => zelf.empty(vm),
                });
            }
            Ok(all)
        })
    }

    #[pymethod]
    fn finditer(zelf: PyRef<Self>, args: StringArgs, vm: &VirtualMachine) -> PyResult<PyCallableIterator> {
        let scanner = Pattern::scanner(zelf, args, vm)?.into_ref(&vm.ctx);
        let search = PyObjectRef::from(scanner).get_attr("search", vm)?;
        Ok(PyCallableIterator::new(ArgCallable::try_from_object(vm, search)?, vm.ctx.none()))
    }

    #[pymethod]
    fn scanner(zelf: PyRef<Self>, args: StringArgs, vm: &VirtualMachine) -> PyResult<Scanner> {
        let places = zelf.open(&args.string, vm, |subject| Ok(clipped(subject, args.pos, args.endpos)))?;
        Ok(Scanner { pattern: zelf, string: args.string, places, at: Cell::new((places.0, false, false)) })
    }

    #[pymethod]
    fn sub(zelf: PyRef<Self>, args: SubArgs, vm: &VirtualMachine) -> PyResult {
        substitute(&zelf, args, vm).map(|(text, _)| text)
    }

    #[pymethod]
    fn subn(zelf: PyRef<Self>, args: SubArgs, vm: &VirtualMachine) -> PyResult<(PyObjectRef, usize)> {
        substitute(&zelf, args, vm)
    }

    #[pymethod]
    fn split(zelf: PyRef<Self>, args: SplitArgs, vm: &VirtualMachine) -> PyResult<Vec<PyObjectRef>> {
        zelf.open(&args.string, vm, |subject| {
            let end = subject.length();
            let mut search = Search::new(&zelf, subject, (0, end));
            let (mut parts, mut times, mut at) = (Vec::new(), 0, 0);
            while args.maxsplit == 0 || times < args.maxsplit {
                let Some(found) = search.next(How::Search)? else { break };
                parts.push(subject.part(at, found.start, vm));
                at = found.end;
                parts.extend(found.places.iter().skip(1).map(|place| match place {
                    Some((start, end)) => subject.part(*start, *end, vm),
                    None => vm.ctx.none(),
                }));
                times += 1;
            }
            parts.push(subject.part(at, end, vm));
            Ok(parts)
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
    fn flags(zelf: &Py<Self>) -> u16 {
        zelf.flags
    }

    #[pygetset]
    fn groupindex(zelf: &Py<Self>, vm: &VirtualMachine) -> PyObjectRef {
        PyMappingProxy::from(zelf.index_of.clone()).into_ref(&vm.ctx).into()
    }

    #[pygetset]
    fn groups(zelf: &Py<Self>) -> usize {
        zelf.groups
    }

    #[pygetset]
    fn pattern(zelf: &Py<Self>) -> PyObjectRef {
        zelf.pattern.clone()
    }

    #[pyclassmethod]
    fn __class_getitem__(class: PyTypeRef, of: PyObjectRef, vm: &VirtualMachine) -> PyResult<PyGenericAlias> {
        PyGenericAlias::from_args(class, of, vm)
    }
}

impl Hashable for Pattern {
    fn hash(zelf: &Py<Self>, vm: &VirtualMachine) -> PyResult<PyHash> {
        let parts: Vec<PyObjectRef> =
            vec![zelf.pattern.clone(), vm.ctx.new_int(zelf.flags).into(), vm.ctx.new_bool(zelf.is_bytes).into()];
        PyObjectRef::from(vm.ctx.new_tuple(parts)).hash(vm)
    }
}

impl Comparable for Pattern {
    fn cmp(zelf: &Py<Self>, other: &PyObject, op: PyComparisonOp, vm: &VirtualMachine) -> PyResult<PyComparisonValue> {
        op.eq_only(|| {
            let Some(other) = other.downcast_ref::<Pattern>() else { return Ok(PyComparisonValue::NotImplemented) };
            let same = zelf.flags == other.flags
                && zelf.is_bytes == other.is_bytes
                && zelf.code == other.code
                && vm.bool_eq(&zelf.pattern, &other.pattern)?;
            Ok(PyComparisonValue::Implemented(same))
        })
    }
}

/// The flags that `repr` names, in CPython's order.
const NAMES: [(&str, u16); 8] = [
    ("re.IGNORECASE", 2),
    ("re.LOCALE", 4),
    ("re.MULTILINE", 8),
    ("re.DOTALL", 16),
    ("re.UNICODE", 32),
    ("re.VERBOSE", 64),
    ("re.DEBUG", 128),
    ("re.ASCII", 256),
];
const UNICODE: u16 = 32;
/// LOCALE, UNICODE and ASCII.
const KINDS: u16 = 4 | 32 | 256;

impl Representable for Pattern {
    fn repr_wtf8(zelf: &Py<Self>, vm: &VirtualMachine) -> PyResult<Wtf8Buf> {
        /// How much of a pattern is shown.
        const MOST: usize = 200;
        // Strings are matched as Unicode, unless something else is said.
        let is_usual = !zelf.is_bytes && zelf.flags & KINDS == UNICODE;
        let flags = if is_usual { zelf.flags & !UNICODE } else { zelf.flags };
        let names: Vec<&str> = NAMES.iter().filter(|(_, flag)| flags & flag != 0).map(|(name, _)| *name).collect();
        let mut text = Wtf8Buf::from("re.compile(");
        let pattern = zelf.pattern.repr(vm)?;
        let shown: Vec<CodePoint> = pattern.as_wtf8().code_points().take(MOST).collect();
        shown.into_iter().for_each(|character| text.push(character));
        if !names.is_empty() {
            text.push_str(", ");
            text.push_str(&names.join("|"));
        }
        text.push_str(")");
        Ok(text)
    }
}

/// What `finditer` asks, one match after the other.
#[pyclass(module = "_sre", name = "SRE_Scanner")]
#[derive(Debug, PyPayload)]
pub(super) struct Scanner {
    pattern: PyRef<Pattern>,
    string: PyObjectRef,
    places: (usize, usize),
    /// Where the next match begins, whether it must be longer than nothing there, and whether there are no more.
    at: Cell<(usize, bool, bool)>,
}

impl Scanner {
    fn next(&self, how: How, vm: &VirtualMachine) -> PyResult<Option<Match>> {
        let (start, must_advance, is_over) = self.at.get();
        self.pattern.open(&self.string, vm, |subject| {
            let mut search =
                Search { start, must_advance, is_over, ..Search::new(&self.pattern, subject, self.places) };
            let found = search.next(how)?;
            self.at.set((search.start, search.must_advance, search.is_over));
            Ok(found.map(|found| Match::new(self.pattern.clone(), self.string.clone(), self.places, found)))
        })
    }
}

#[pyclass(flags(DISALLOW_INSTANTIATION))]
impl Scanner {
    #[pygetset]
    fn pattern(zelf: &Py<Self>) -> PyRef<Pattern> {
        zelf.pattern.clone()
    }

    #[pymethod(name = "match")]
    fn match_(zelf: &Py<Self>, vm: &VirtualMachine) -> PyResult<Option<Match>> {
        zelf.next(How::Match, vm)
    }

    #[pymethod]
    fn search(zelf: &Py<Self>, vm: &VirtualMachine) -> PyResult<Option<Match>> {
        zelf.next(How::Search, vm)
    }
}
