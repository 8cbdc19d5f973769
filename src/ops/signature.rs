//! PyTorch's signatures, read from the strings from which it builds its own argument parser.
//!
//! Source: torch/csrc/utils/python_arg_parser.cpp in PyTorch 2.15. A string that starts with `def` belongs to a function that
//! PyTorch has in Python: it accepts anything, and the Python interpreter reports wrong calls.

/// Marks an outdated signature: no call matches it, and errors don't show it.
pub(crate) const DEPRECATED: &str = "deprecated";

/// The type of a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Tensor,
    Number,
    Int,
    Float,
    Bool,
    /// Integers. For a parameter with a size, a single one may stand for all.
    Ints {
        single: bool,
    },
    Floats,
    Tensors,
    DType,
    Device,
    Str,
    /// Any object: for functions in Python, and for types that are checked where they're used.
    Any(&'static str),
}

impl Kind {
    /// The name in errors.
    pub fn shown(self) -> &'static str {
        match self {
            Kind::Tensor => "Tensor",
            Kind::Number => "Number",
            Kind::Int => "int",
            Kind::Float => "float",
            Kind::Bool => "bool",
            Kind::Ints { .. } => "tuple of ints",
            Kind::Floats => "tuple of floats",
            Kind::Tensors => "tuple of Tensors",
            Kind::DType => "torch.dtype",
            Kind::Device => "torch.device",
            Kind::Str => "str",
            Kind::Any(shown) => shown,
        }
    }

    fn parse(text: &str) -> Kind {
        let sized = text.contains('[') && !text.contains("[]");
        match text.trim_end_matches('?').split('[').next().unwrap_or_default() {
            "Tensor" => Kind::Tensor,
            "Scalar" => Kind::Number,
            "int64_t" | "SymInt" => Kind::Int,
            "double" => Kind::Float,
            "bool" => Kind::Bool,
            "IntArrayRef" | "SymIntArrayRef" => Kind::Ints { single: sized },
            "ArrayRef<double>" => Kind::Floats,
            "TensorList" | "c10::List<::std::optional<Tensor>>" => Kind::Tensors,
            "ScalarType" => Kind::DType,
            "Device" => Kind::Device,
            "c10::string_view" | "std::string" => Kind::Str,
            "Layout" => Kind::Any("torch.layout"),
            "MemoryFormat" => Kind::Any("torch.memory_format"),
            "Generator" => Kind::Any("torch.Generator"),
            "Storage" => Kind::Any("torch.Storage"),
            _ => Kind::Any("object"),
        }
    }
}

/// One parameter.
#[derive(Clone, Copy, Debug)]
pub struct Param {
    pub name: &'static str,
    pub kind: Kind,
    pub keyword_only: bool,
    /// As written in the signature; `None` if the argument is required.
    pub default: Option<&'static str>,
    pub takes_none: bool,
}

impl Param {
    /// NumPy's names for it, which PyTorch accepts.
    pub(crate) fn other_names(&self) -> &'static [&'static str] {
        match self.name {
            "dim" => &["axis"],
            "keepdim" => &["keepdims"],
            "input" => &["x", "a", "x1"],
            "other" => &["x2"],
            _ => &[],
        }
    }

    fn parse(text: &'static str, keyword_only: bool, python: bool) -> Param {
        let (kind, rest) = match python {
            true => (Kind::Any("object"), text),
            false => {
                let (kind, rest) = text.split_once(' ').unwrap_or(("", text));
                (Kind::parse(kind), rest)
            }
        };
        let none = !python && text.split(' ').next().is_some_and(|kind| kind.ends_with('?'));
        let (name, default) = match rest.split_once('=') {
            Some((name, default)) => (name, Some(default)),
            None => (rest, None),
        };
        Param { name, kind, keyword_only, default, takes_none: none || default == Some("None") }
    }
}

/// One way to call a function.
#[derive(Clone, Debug)]
pub struct Signature {
    pub params: Vec<Param>,
    /// How many parameters can be passed by position.
    pub open: usize,
    /// How many are required.
    pub required: usize,
    /// Whether PyTorch has this function in Python.
    pub python: bool,
    /// Whether this is an outdated way to call it, which errors don't show.
    pub hidden: bool,
}

impl Signature {
    /// Parses a string such as `(Tensor input, *, Tensor out=None)`.
    pub fn parse(text: &'static str) -> Signature {
        let python = text.starts_with("def ");
        let inner = text.trim_start_matches("def ").trim_start_matches('(').trim_end_matches(')');
        let mut params = Vec::new();
        let mut keyword_only = false;
        let hidden = text == DEPRECATED;
        for part in inner.split(", ").filter(|part| !part.is_empty() && !hidden) {
            if part == "*" {
                keyword_only = true;
            } else {
                params.push(Param::parse(part, keyword_only, python));
            }
        }
        Signature::of(params, python, hidden)
    }

    fn of(params: Vec<Param>, python: bool, hidden: bool) -> Signature {
        let open = params.iter().filter(|p| !p.keyword_only).count();
        let required = params.iter().filter(|p| p.default.is_none()).count();
        Signature { params, open, required, python, hidden }
    }

    /// The method's signature: the object is the first parameter, and there is no `out`.
    pub(crate) fn on_object(mut self) -> Signature {
        self.params.retain(|p| p.name != "out");
        Signature::of(self.params, self.python, self.hidden)
    }

    /// Adds a first parameter for the object on which a method is called.
    pub(crate) fn with_object(mut self) -> Signature {
        self.params.insert(
            0,
            Param { name: "self", kind: Kind::Tensor, keyword_only: false, default: None, takes_none: false },
        );
        Signature::of(self.params, self.python, self.hidden)
    }

    /// The form in errors, from parameter `hidden` on.
    pub fn shown(&self, hidden: usize) -> String {
        let mut parts = Vec::new();
        let mut keyword_only = false;
        for p in &self.params[hidden.min(self.params.len())..] {
            if p.keyword_only && !keyword_only {
                keyword_only = true;
                parts.push("*".to_string());
            }
            let default = p.default.map_or(String::new(), |d| format!(" = {d}"));
            parts.push(format!("{} {}{default}", p.kind.shown(), p.name));
        }
        format!("({})", parts.join(", "))
    }

    pub fn takes(&self, name: &str) -> bool {
        self.params.iter().any(|p| p.name == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_read_and_shown_as_pytorch_shows_them() {
        let text =
            "(Tensor input, IntArrayRef[1]? dim, bool keepdim=False, *, ScalarType? dtype=None, Tensor out=None)";
        let sum = Signature::parse(text);
        assert_eq!((sum.open, sum.required), (3, 2));
        // As `torch.sum(x, 1.5)` shows it.
        let shown =
            "(Tensor input, tuple of ints dim, bool keepdim = False, *, torch.dtype dtype = None, Tensor out = None)";
        assert_eq!(sum.shown(0), shown);
        let method = sum.on_object();
        assert_eq!(method.shown(1), "(tuple of ints dim, bool keepdim = False, *, torch.dtype dtype = None)");
        assert!(method.params[1].takes_none && method.params[1].kind == Kind::Ints { single: true });
        let view = Signature::parse("(SymIntArrayRef size)").with_object();
        assert_eq!(view.shown(1), "(tuple of ints size)");
        assert_eq!(Signature::parse("()").with_object().shown(1), "()");
    }
}
