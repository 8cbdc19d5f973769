//! A call's arguments by the signatures of its operator, and what PyTorch says where none fits.
//!
//! Source: torch/csrc/utils/python_arg_parser.cpp and invalid_arguments.cpp in PyTorch 2.15.

use rustpython_vm::builtins::{PyBaseExceptionRef, PyBool, PyFloat, PyInt, PyList, PyTuple};
use rustpython_vm::{AsObject, PyObject, PyObjectRef, PyResult, VirtualMachine};
use smallvec::SmallVec;

use super::args::{Bound, Call, Values};
use super::convert::{self, text, type_name};
use super::tensor::tensor_of;
use crate::ops::rows::Operator;
use crate::ops::signature::{Kind, Param, Signature};

/// Why a call does not fit a signature.
enum Misfit {
    TooMany,
    /// From this parameter on.
    Missing(usize),
    Wrong {
        param: usize,
        got: PyObjectRef,
        by_keyword: bool,
        /// What of a sequence is wrong.
        item: Option<String>,
    },
    /// A keyword that nothing takes.
    Keyword,
}

/// Whether a parameter takes an object.
enum Fit {
    Yes,
    No,
    /// A sequence, but for this item.
    But(usize, PyObjectRef),
}

impl<'a> Call<'a> {
    /// The arguments by the signatures of the operator that this is a call of.
    ///
    /// # Errors
    /// A call that fits none, in PyTorch's words.
    pub fn args(self) -> PyResult<Bound<'a>> {
        let Some(operator) = self.operator else {
            return Err(self.vm.new_system_error(format!("{} has no signature", self.name)));
        };
        if self.hidden == 1 && self.args.first().is_none_or(|o| tensor_of(o).is_none()) {
            self.self_tensor()?;
        }
        let object = self.hidden == 1 || self.in_place();
        self.by(operator, if object { operator.method_signatures() } else { operator.function_signatures() })
    }

    /// The arguments of a call of something else, by the signatures of that operator's method.
    ///
    /// # Errors
    /// As [`Call::args`].
    pub(super) fn args_of(self, operator: &'static Operator) -> PyResult<Bound<'a>> {
        Call { name: operator.name, hidden: 1, ..self }.by(operator, operator.method_signatures())
    }

    fn by(self, operator: &'static Operator, ways: &'static [Signature]) -> PyResult<Bound<'a>> {
        if !self.has_keywords()
            && let Some(way) = ways.iter().find(|way| self.fits_by_position(operator, way))
        {
            return Ok(Bound::by_position(self, operator, &way.params));
        }
        let mut misfit = None;
        for way in ways.iter().filter(|way| !way.hidden) {
            match self.fit(operator, way)? {
                Ok(values) => return Ok(Bound::fitting(&self, operator, &way.params, values)),
                Err(why) => misfit = Some((way, why)),
            }
        }
        let given = self.args.len() - self.hidden;
        // Without the object of a method, which nobody counts.
        let counts = |way: &&Signature| {
            !way.hidden && (way.required - self.hidden..=way.params.len() - self.hidden).contains(&given)
        };
        match ways {
            [_] => {}
            _ => {
                let mut plausible = ways.iter().filter(counts);
                match (plausible.next(), plausible.next()) {
                    (Some(way), None) => misfit = self.fit(operator, way)?.err().map(|why| (way, why)),
                    _ => return Err(self.no_way(ways)),
                }
            }
        }
        Err(match misfit {
            Some((way, why)) => self.misfit(operator, way, why),
            None => self.no_way(ways),
        })
    }

    /// `torch.exp_`, which has no `out`.
    fn in_place(&self) -> bool {
        self.name.ends_with('_')
    }

    /// Whether a call without keywords fits a signature as it stands: what most calls do, found without making anything.
    fn fits_by_position(&self, operator: &Operator, way: &Signature) -> bool {
        // The object of a method is known already: a tensor, or a module.
        let (open, of) = (self.positional <= way.open && !way.hidden, self.hidden..self.positional);
        open && way.params[of.clone()].iter().zip(&self.args[of]).all(|(param, object)| {
            (param.takes_none && self.vm.is_none(object)) || matches!(self.fits(operator, param, object), Fit::Yes)
        }) && way.params[self.positional..].iter().all(|param| param.default.is_some())
    }

    /// The values of a signature's parameters, or why it does not fit.
    fn fit(&self, operator: &Operator, way: &Signature) -> PyResult<Result<Values, Misfit>> {
        let params = &way.params[..];
        let mut values: Values = SmallVec::from_elem(None, params.len());
        let hidden = self.hidden;
        // A single list of integers can be spelled out: `x.view(2, 3)`.
        let spread = way.open == hidden + 1 && matches!(params[hidden].kind, Kind::Ints { .. });
        // Python looks at the keywords first.
        if way.python && self.keyword_items().any(|(key, _)| self.is_stray(key, way)) {
            return Ok(Err(Misfit::Keyword));
        }
        if self.positional > way.open && !spread {
            return Ok(Err(Misfit::TooMany));
        }
        let mut next = 0;
        let mut keywords = self.args.len() - self.positional;
        for (i, param) in params.iter().enumerate() {
            let by_keyword = next >= self.positional;
            if by_keyword && keywords == 0 && param.default.is_some() {
                continue;
            }
            let object = match by_keyword {
                false if param.keyword_only => return Ok(Err(Misfit::TooMany)),
                false => Some(&self.args[next]),
                true => self.named(param),
            };
            let Some(object) = object else {
                if param.default.is_none() {
                    return Ok(Err(Misfit::Missing(i)));
                }
                continue;
            };
            if i < hidden {
                values[i] = Some(object.clone());
                next += 1;
                continue;
            }
            let none = param.takes_none && self.vm.is_none(object);
            if !none {
                match self.check(operator, param, object, i)? {
                    Ok(()) => {}
                    Err(item) if spread && next == hidden && !by_keyword => {
                        // The items are checked where they are read, but for the first.
                        if !is_index(object) && self.positional > hidden + 1 {
                            return Ok(Err(Misfit::TooMany));
                        }
                        if !is_index(object) {
                            return Ok(Err(Misfit::Wrong { param: i, got: object.clone(), by_keyword, item }));
                        }
                        let items = self.args[next..self.positional].to_vec();
                        values[i] = Some(self.vm.ctx.new_tuple(items).into());
                        next = self.positional;
                        continue;
                    }
                    Err(item) => return Ok(Err(Misfit::Wrong { param: i, got: object.clone(), by_keyword, item })),
                }
                values[i] = Some(object.clone());
            }
            match by_keyword {
                false => next += 1,
                true => keywords -= 1,
            }
        }
        // Positional arguments after a list that was given as one.
        if next < self.positional {
            return Ok(Err(Misfit::TooMany));
        }
        Ok(if keywords > 0 { Err(Misfit::Keyword) } else { Ok(values) })
    }

    fn named(&self, param: &Param) -> Option<&PyObjectRef> {
        if !self.has_keywords() {
            return None;
        }
        self.keyword(param.name).or_else(|| param.other_names().iter().find_map(|name| self.keyword(name)))
    }

    /// Whether a parameter takes an object; the error is the type of the item of a sequence that it does not take.
    fn check(
        &self,
        operator: &Operator,
        param: &Param,
        object: &PyObject,
        at: usize,
    ) -> PyResult<Result<(), Option<String>>> {
        match self.fits(operator, param, object) {
            Fit::Yes => Ok(Ok(())),
            Fit::No => Ok(Err(None)),
            Fit::But(_, item) if matches!(param.kind, Kind::Ints { .. }) => Ok(Err(Some(type_name(&item)))),
            // PyTorch does not look for another way then.
            Fit::But(place, item) => {
                let got = type_name(&item);
                let text = format!("expected Tensor as element {place} in argument {at}, but got {got}");
                Err(self.vm.new_type_error(text))
            }
        }
    }

    fn fits(&self, operator: &Operator, param: &Param, object: &PyObject) -> Fit {
        let vm = self.vm;
        let fits = match param.kind {
            Kind::Tensor => tensor_of(object).is_some() || operator.numbers && is_number(object, vm),
            Kind::Number => is_number(object, vm) || is_scalar(object),
            Kind::Float => is_real(object, vm) || is_scalar(object),
            Kind::Int => is_index(object),
            Kind::Bool => object.downcast_ref::<PyBool>().is_some() && is_bool(object, vm),
            Kind::Ints { single } => match first(object) {
                Some(None) => true,
                Some(Some(item)) if is_index(&item) => true,
                Some(Some(item)) => return Fit::But(0, item),
                None => single && is_index(object),
            },
            Kind::Floats => first(object).is_some(),
            Kind::Tensors => match convert::sequence(object) {
                None => false,
                Some(items) => match items.iter().position(|item| tensor_of(item).is_none()) {
                    None => true,
                    Some(place) => return Fit::But(place, items[place].clone()),
                },
            },
            Kind::DType => convert::dtype(object, vm).is_some(),
            Kind::Device => match object.downcast_ref::<PyInt>() {
                Some(_) => !is_bool(object, vm),
                None => super::device::device_of(object, vm).is_some(),
            },
            Kind::Str => text(object).is_some(),
            Kind::Any("torch.Storage") => object.class().name().ends_with("Storage"),
            // Classes of ours: `torch.Generator`, `torch.memory_format`.
            Kind::Any(shown) => shown.strip_prefix("torch.").is_none_or(|name| &*object.class().name() == name),
        };
        if fits { Fit::Yes } else { Fit::No }
    }

    /// What errors call the function.
    fn said(&self, operator: &Operator) -> &'static str {
        operator.said.unwrap_or(self.name)
    }

    fn misfit(&self, operator: &Operator, way: &Signature, why: Misfit) -> PyBaseExceptionRef {
        let (vm, hidden) = (self.vm, self.hidden);
        let method = hidden == 1 && way.python;
        let name = &*if method { format!("Tensor.{}", self.said(operator)) } else { self.said(operator).to_string() };
        let given = self.positional - hidden;
        if hidden == 1 && way.params.len() == 1 && !way.python {
            return vm.new_type_error(match self.has_keywords() {
                true => format!("TensorBase.{name}() takes no keyword arguments"),
                false => format!("TensorBase.{name}() takes no arguments ({given} given)"),
            });
        }
        let (open, required) = (way.open - hidden, way.required - hidden);
        vm.new_type_error(match why {
            // Python counts the object of a method.
            Misfit::TooMany if way.python => {
                let (open, given) = (way.open, self.positional);
                let least = way.params.iter().filter(|p| !p.keyword_only && p.default.is_none()).count();
                let takes = if least == open { open.to_string() } else { format!("from {least} to {open}") };
                let (plural, were) = (if open == 1 { "" } else { "s" }, if given == 1 { "was" } else { "were" });
                format!("{name}() takes {takes} positional argument{plural} but {given} {were} given")
            }
            Misfit::TooMany if open != required => {
                format!("{name}() takes from {required} to {open} positional arguments but {given} were given")
            }
            Misfit::TooMany => {
                let (plural, were) = (if open == 1 { "" } else { "s" }, if given == 1 { "was" } else { "were" });
                format!("{name}() takes {open} positional argument{plural} but {given} {were} given")
            }
            Misfit::Missing(from) => missing(name, way, from),
            Misfit::Keyword => self.unexpected(name, way),
            Misfit::Wrong { param: at, got, by_keyword, item } => {
                let param = &way.params[at];
                let (wanted, got) = (param.kind.shown(), type_name(&got));
                let position = if by_keyword { String::new() } else { format!(" (position {})", at + 1 - hidden) };
                match item {
                    Some(item) if !by_keyword => format!(
                        "{name}(): argument '{}'{position} must be {wanted}, but found element of type {item} at pos 0",
                        param.name
                    ),
                    _ => format!("{name}(): argument '{}'{position} must be {wanted}, not {got}", param.name),
                }
            }
        })
    }

    /// Whether a keyword is no parameter's name, or that of one that is given by position.
    fn is_stray(&self, key: &str, way: &Signature) -> bool {
        way.params.iter().position(|p| p.name == key).is_none_or(|at| at < self.positional)
    }

    fn unexpected(&self, name: &str, way: &Signature) -> String {
        let Some((key, _)) = self.keyword_items().find(|(key, _)| self.is_stray(key, way)) else {
            return "invalid keyword arguments".into();
        };
        match way.takes(key) {
            true => format!("{name}() got multiple values for argument '{key}'"),
            false => format!("{name}() got an unexpected keyword argument '{key}'"),
        }
    }

    /// "received an invalid combination of arguments".
    fn no_way(&self, ways: &[Signature]) -> PyBaseExceptionRef {
        let name = self.operator.map_or(self.name, |operator| self.said(operator));
        let mut text = format!("{name}() received an invalid combination of arguments - got ");
        let shown: Vec<(&Signature, String)> =
            ways.iter().filter(|way| !way.hidden).map(|way| (way, way.shown(self.hidden))).collect();
        if let [(_, shown)] = &shown[..] {
            let option = Option_::of(shown);
            let unmatched = option.unmatched(self);
            if !unmatched.is_empty() {
                text.push_str(&format!("unrecognized keyword arguments: {}", unmatched.join(", ")));
                return self.vm.new_type_error(text);
            }
            let what = if option.counts(self) { option.described(self) } else { self.described() };
            text.push_str(&format!("{what}, but expected {shown}"));
            return self.vm.new_type_error(text);
        }
        text.push_str(&self.described());
        text.push_str(", but expected one of:\n");
        for (_, shown) in &shown {
            text.push_str(&format!(" * {shown}\n"));
            let option = Option_::of(shown);
            if option.counts(self) {
                let unmatched = option.unmatched(self);
                match unmatched.is_empty() {
                    true => text.push_str(&format!(
                        "      didn't match because some of the arguments have invalid types: {}\n",
                        option.described(self)
                    )),
                    false => text.push_str(&format!(
                        "      didn't match because some of the keywords were incorrect: {}\n",
                        unmatched.join(", ")
                    )),
                }
            }
        }
        self.vm.new_type_error(text)
    }

    /// The types of the arguments, without that of a method's object.
    fn described(&self) -> String {
        let mut out: String = String::new();
        let given = &self.args[self.hidden..self.positional];
        out.push_str(&given.iter().map(|o| type_name(o)).collect::<Vec<_>>().join(", "));
        let keywords = self.keywords_as_kept();
        if given.is_empty() {
            out.extend(keywords.iter().map(|(name, o)| format!("{name}={}, ", type_name(o))));
        } else {
            out.extend(keywords.iter().map(|(name, o)| format!(", {name}={}", type_name(o))));
        }
        format!("({out})")
    }

    /// The keyword arguments in the order in which the map that PyTorch puts them in gives them back.
    fn keywords_as_kept(&self) -> Vec<(&str, &PyObjectRef)> {
        let mut all: Vec<_> = self.keyword_items().collect();
        all.reverse();
        all
    }
}

/// One way to call a function, as PyTorch reads it back from its text to explain what does not fit.
struct Option_ {
    /// Type and name of each part between commas, the star among them.
    parts: Vec<(String, String)>,
}

impl Option_ {
    fn of(shown: &str) -> Option_ {
        let inner = shown.trim_start_matches('(').trim_end_matches(')');
        let part = |text: &str| match text.rsplit_once(' ') {
            Some((kind, name)) => (kind.to_string(), name.to_string()),
            None => (String::new(), text.to_string()),
        };
        Option_ { parts: inner.split(", ").map(part).collect() }
    }

    fn counts(&self, call: &Call<'_>) -> bool {
        call.args.len() - call.hidden == self.parts.len()
    }

    fn unmatched<'c>(&self, call: &'c Call<'_>) -> Vec<&'c str> {
        let start = self.parts.len() - (call.args.len() - call.positional).min(self.parts.len());
        let names = call.keywords_as_kept().into_iter().map(|(name, _)| name);
        names.filter(|name| !self.parts[start..].iter().any(|(_, known)| known == name)).collect()
    }

    fn described(&self, call: &Call<'_>) -> String {
        let given = &call.args[call.hidden..call.positional];
        let one = |(i, (kind, name)): (usize, &(String, String))| {
            let (prefix, object) = match given.get(i) {
                Some(object) => (String::new(), Some(object)),
                None => (format!("{name}="), call.keyword(name)),
            };
            let got = object.map_or_else(String::new, |o| type_name(o));
            let shown = object.and_then(|o| items(o)).unwrap_or_else(|| got.clone());
            let fits = *kind == got || (kind == "float" && got == "int");
            if fits { format!("{prefix}{shown}") } else { format!("!{prefix}{shown}!") }
        };
        // Keywords alone have a comma after the last one as well.
        let end = if given.is_empty() && !call.keywords_as_kept().is_empty() { ", " } else { "" };
        format!("({}{end})", self.parts.iter().enumerate().map(one).collect::<Vec<_>>().join(", "))
    }
}

/// A list or tuple with the types of its items: `list of [int]`, `tuple of (int,)`.
fn items(object: &PyObject) -> Option<String> {
    let items: Vec<String> = convert::sequence(object)?.iter().map(|o| type_name(o)).collect();
    let (class, inner) = (type_name(object), items.join(", "));
    Some(match object.downcast_ref::<PyTuple>() {
        Some(_) if items.len() == 1 => format!("{class} of ({inner},)"),
        Some(_) => format!("{class} of ({inner})"),
        None => format!("{class} of [{inner}]"),
    })
}

fn missing(name: &str, way: &Signature, from: usize) -> String {
    let names: Vec<&str> = way.params[from..].iter().filter(|p| p.default.is_none()).map(|p| p.name).collect();
    if way.python {
        let shown: Vec<String> = names.iter().map(|name| format!("'{name}'")).collect();
        let list = match &shown[..] {
            [one] => one.clone(),
            [a, b] => format!("{a} and {b}"),
            [all @ .., last] => format!("{}, and {last}", all.join(", ")),
            [] => String::new(),
        };
        let plural = if names.len() == 1 { "" } else { "s" };
        return format!("{name}() missing {} required positional argument{plural}: {list}", names.len());
    }
    // The plural is the wrong way round in PyTorch.
    let plural = if names.len() == 1 { "s" } else { "" };
    let list: Vec<String> = names.iter().map(|name| format!("\"{name}\"")).collect();
    format!("{name}() missing {} required positional argument{plural}: {}", names.len(), list.join(", "))
}

fn is_bool(object: &PyObject, vm: &VirtualMachine) -> bool {
    object.class().is(vm.ctx.types.bool_type)
}

pub(super) fn is_number(object: &PyObject, vm: &VirtualMachine) -> bool {
    is_real(object, vm) || convert::complex(object).is_some()
}

fn is_real(object: &PyObject, vm: &VirtualMachine) -> bool {
    object.downcast_ref::<PyInt>().is_some()
        || object.downcast_ref::<PyFloat>().is_some()
        || matches!(convert::numpy_number(object, vm), Ok(Some(_)))
}

/// A tensor that can stand for a number.
pub(super) fn is_scalar(object: &PyObject) -> bool {
    tensor_of(object).is_some_and(|t| t.ndim() == 0 && !t.requires_grad())
}

/// An integer that is no bool, or a tensor that can stand for one.
fn is_index(object: &PyObject) -> bool {
    object.downcast_ref::<PyBool>().is_none() && convert::is_int(object)
}

/// The first item of a list or tuple.
fn first(object: &PyObject) -> Option<Option<PyObjectRef>> {
    if let Some(tuple) = object.downcast_ref::<PyTuple>() {
        return Some(tuple.as_slice().first().cloned());
    }
    object.downcast_ref::<PyList>().map(|list| list.borrow_vec().first().cloned())
}
