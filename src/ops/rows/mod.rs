//! The operators: each has one row, and everything else that describes an operator reads it from there.
//!
//! A row has an operator's names, its signatures, where its tensors must be, the name of its node, which dtypes it
//! refuses, and what it does with `out=` and under autocast. The functions of `ops` use the row's values, Python's bindings
//! use its signatures to parse calls, and `docs/operators.md` is rendered from it.

mod elementwise;
pub(crate) mod nodes;
mod others;

pub use elementwise::*;
pub use others::*;

use std::collections::HashMap;
use std::sync::OnceLock;

use smallvec::{SmallVec, smallvec};

use super::signature::Signature;
use crate::autograd::Save;
use crate::dtype::DType;
use crate::executor::{BinaryOp, ReduceOp, UnaryOp};
use crate::tensor::Tensor;

/// How a binding calls the operator.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Family {
    /// With `ops::unary` and, in place, `ops::unary_`.
    Unary(UnaryOp),
    /// With `ops::binary` and, in place, `ops::binary_`.
    Binary(BinaryOp),
    /// By `ops::reduce::reduction`.
    Reduction(ReduceOp),
    /// With a function of its own.
    Own,
}

/// Where the tensors of an operator must be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SameDevice {
    /// `ops::device::common`: one device, except for 0-dim CPU tensors.
    Elementwise,
    /// `ops::device::same`: one device, which the named wrapper checks in the order of these arguments.
    Wrapper(&'static str, &'static [&'static str]),
    /// One tensor, or several parts that do the check.
    Free,
}

/// What an operator keeps for its gradient.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Saves {
    Nothing,
    Input,
    Output,
    Both,
}

impl Saves {
    pub(crate) fn of<'a>(self, input: &'a Tensor, output: &'a Tensor) -> SmallVec<[Save<'a>; 2]> {
        match self {
            Saves::Nothing => smallvec![],
            Saves::Input => smallvec![Save::Input(input)],
            Saves::Output => smallvec![Save::Output(output, 0)],
            Saves::Both => smallvec![Save::Input(input), Save::Output(output, 0)],
        }
    }
}

/// What an operator makes of the (promoted) dtype.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Gives {
    Same,
    /// Integers become the default float dtype.
    Float,
    /// Computed in the promoted dtype, stored as bool.
    Bool,
    /// Bitwise: floats are refused.
    Integer,
    /// Integers become int64.
    Sum,
}

/// Which dtypes `out` may have.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Out {
    /// Any that the result can be cast to.
    Cast,
    /// The result's: "Expected out tensor to have dtype …".
    Exact,
    /// The result's: "Found dtype …".
    Found,
}

/// How `out=` affects the graph.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum History {
    /// Refused if a gradient is needed.
    Refused,
    /// The result is copied into `out`, with its history.
    Copied,
    /// The results never require gradients.
    Free,
}

/// What an operator does with floating-point tensors under autocast.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Policy {
    /// To the chosen lower precision.
    Lower,
    /// To float32.
    Full,
    /// To the widest dtype among them.
    Widest,
    /// Refused, because the result would overflow.
    Unsafe,
}

/// What an operator does under autocast, on the CPU and on accelerators.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Autocast {
    pub cpu: Option<Policy>,
    pub accelerators: Option<Policy>,
}

/// Kinds of dtypes that kernels refuse together.
pub(crate) mod kinds {
    pub(crate) const BOOL: u8 = 1;
    /// Integers of 8 and 16 bits.
    pub(crate) const NARROW: u8 = 2;
    /// `int32`.
    pub(crate) const INT: u8 = 4;
    /// `int64`.
    pub(crate) const LONG: u8 = 8;
    /// `float16` and `bfloat16`.
    pub(crate) const HALF: u8 = 16;
    /// `float32` and `float64`.
    pub(crate) const FULL: u8 = 32;
    pub(crate) const COMPLEX: u8 = 64;
    /// Without fractions.
    pub(crate) const WHOLE: u8 = BOOL | NARROW | INT | LONG;
}

/// In the module `torch`.
pub(crate) const FUNCTION: u8 = 1;
/// On `torch.Tensor`.
pub(crate) const METHOD: u8 = 2;
/// On `torch.Tensor`, in place.
pub(crate) const IN_PLACE: u8 = 4;
/// In the module `torch`, in place: `torch.exp_`.
pub(crate) const IN_PLACE_FUNCTION: u8 = 8;

/// One operator.
#[derive(Debug)]
pub struct Operator {
    /// The name in `torch` or `torch.nn.functional`; empty for a kernel that isn't an operator.
    pub name: &'static str,
    pub aliases: &'static [&'static str],
    /// The name in errors, if it isn't the name that was called.
    pub said: Option<&'static str>,
    pub doc: &'static str,
    takes: &'static [&'static str],
    method: Option<&'static [&'static str]>,
    pub forms: u8,
    /// Whether a number is accepted where the signature says Tensor.
    pub numbers: bool,
    pub family: Family,
    own: bool,
    pub rule: SameDevice,
    /// The name of the node that it usually records; empty if it isn't differentiable.
    pub node: &'static str,
    pub saves: Saves,
    pub gives: Gives,
    /// Kinds of dtypes that it refuses, and the kernel that does, as PyTorch names it on the CPU, or a whole sentence. The
    /// first that fits counts.
    refuses: [(u8, &'static str); 3],
    pub out: Out,
    /// The operator that does the work, if it has another name. Errors about `out=` name it.
    below: Option<&'static str>,
    pub history: History,
    pub autocast: Autocast,
    /// Its result on CUDA can differ from run to run, and PyTorch's kernel has this name. PyTorch has no other kernel for it.
    pub varies: Option<&'static str>,
    parsed: OnceLock<(Vec<Signature>, Vec<Signature>)>,
}

impl Operator {
    pub const fn new(name: &'static str, doc: &'static str) -> Operator {
        Operator {
            name,
            aliases: &[],
            said: None,
            doc,
            takes: &[],
            method: None,
            forms: FUNCTION | METHOD,
            numbers: false,
            family: Family::Own,
            own: false,
            rule: SameDevice::Free,
            node: "",
            saves: Saves::Nothing,
            gives: Gives::Same,
            refuses: [(0, ""); 3],
            out: Out::Cast,
            below: None,
            history: History::Refused,
            autocast: Autocast { cpu: None, accelerators: None },
            varies: None,
            parsed: OnceLock::new(),
        }
    }

    pub(crate) const fn aka(mut self, aliases: &'static [&'static str]) -> Operator {
        self.aliases = aliases;
        self
    }

    pub const fn said(mut self, name: &'static str) -> Operator {
        self.said = Some(name);
        self
    }

    /// The signatures of the function. Those of the method are the same without `out`.
    pub const fn takes(mut self, signatures: &'static [&'static str]) -> Operator {
        self.takes = signatures;
        self
    }

    /// The signatures of the method, if they differ.
    pub const fn method(mut self, signatures: &'static [&'static str]) -> Operator {
        self.method = Some(signatures);
        self
    }

    pub(crate) const fn forms(mut self, forms: u8) -> Operator {
        self.forms = forms;
        self
    }

    pub(crate) const fn not_in_place(mut self) -> Operator {
        self.forms &= FUNCTION | METHOD;
        self
    }

    pub const fn numbers(mut self) -> Operator {
        self.numbers = true;
        self
    }

    /// Bound with a function of its own.
    pub const fn own(mut self) -> Operator {
        self.own = true;
        self
    }

    pub const fn family(mut self, family: Family) -> Operator {
        if !self.own {
            self.family = family;
        }
        self
    }

    pub const fn elementwise(mut self) -> Operator {
        self.rule = SameDevice::Elementwise;
        self
    }

    pub const fn wrapper(mut self, name: &'static str, arguments: &'static [&'static str]) -> Operator {
        self.rule = SameDevice::Wrapper(name, arguments);
        self
    }

    pub const fn node(mut self, node: &'static str) -> Operator {
        self.node = node;
        self
    }

    pub(crate) const fn saves(mut self, saves: Saves) -> Operator {
        self.saves = saves;
        self
    }

    pub const fn gives(mut self, gives: Gives) -> Operator {
        self.gives = gives;
        self
    }

    /// Of the dtypes of these kinds (such as [`kinds::BOOL`]), unless it refuses them already.
    pub const fn refuses(mut self, kinds: u8, kernel: &'static str) -> Operator {
        let mut at = 0;
        while self.refuses[at].0 != 0 {
            at += 1;
        }
        self.refuses[at] = (kinds, kernel);
        self
    }

    pub(crate) const fn refuses_bool(self, kernel: &'static str) -> Operator {
        self.refuses(kinds::BOOL, kernel)
    }

    pub(crate) const fn refuses_whole(self, kernel: &'static str) -> Operator {
        self.refuses(kinds::WHOLE, kernel)
    }

    pub(crate) const fn refuses_complex(self, kernel: &'static str) -> Operator {
        self.refuses(kinds::COMPLEX, kernel)
    }

    /// What refuses a dtype: the name of a kernel, or a sentence.
    pub fn refusal(&self, dtype: DType) -> Option<&'static str> {
        let kind = match dtype {
            DType::Bool => kinds::BOOL,
            DType::I64 => kinds::LONG,
            DType::F16 | DType::BF16 => kinds::HALF,
            DType::F32 | DType::F64 => kinds::FULL,
            DType::C64 | DType::C128 => kinds::COMPLEX,
            DType::I32 | DType::U32 => kinds::INT,
            DType::U8 | DType::I8 | DType::I16 | DType::U16 => kinds::NARROW,
        };
        self.refuses.iter().find(|(kinds, _)| kinds & kind != 0).map(|(_, kernel)| *kernel)
    }

    pub const fn out(mut self, out: Out) -> Operator {
        self.out = out;
        self
    }

    pub(crate) const fn varies(mut self, kernel: &'static str) -> Operator {
        self.varies = Some(kernel);
        self
    }

    pub const fn below(mut self, name: &'static str) -> Operator {
        self.below = Some(name);
        self
    }

    pub const fn copied(mut self) -> Operator {
        self.history = History::Copied;
        self
    }

    pub const fn free(mut self) -> Operator {
        self.history = History::Free;
        self
    }

    pub(crate) const fn autocast(mut self, policy: Policy) -> Operator {
        self.autocast = Autocast { cpu: Some(policy), accelerators: Some(policy) };
        self
    }

    pub(crate) const fn autocast_cpu(mut self, policy: Policy) -> Operator {
        self.autocast.cpu = Some(policy);
        self
    }

    pub(crate) const fn autocast_accelerators(mut self, policy: Policy) -> Operator {
        self.autocast.accelerators = Some(policy);
        self
    }

    /// The name in errors about `out=`.
    pub fn worker(&self) -> &'static str {
        self.below.unwrap_or(self.name)
    }

    /// The signatures of the function, then those of the method; empty if the binding parses its own arguments.
    fn signatures(&self) -> &(Vec<Signature>, Vec<Signature>) {
        self.parsed.get_or_init(|| {
            let function: Vec<Signature> = self.takes.iter().map(|text| Signature::parse(text)).collect();
            let method = match self.method {
                Some(texts) => texts.iter().map(|text| Signature::parse(text).with_object()).collect(),
                None => {
                    let of_tensor =
                        |way: &&Signature| way.hidden || way.params.first().is_some_and(|p| p.name != "self");
                    function.iter().filter(of_tensor).cloned().map(Signature::on_object).collect()
                }
            };
            (function, method)
        })
    }

    /// Whether one of its signatures has a parameter with this name.
    pub fn knows(&self, name: &str) -> bool {
        let (function, method) = self.signatures();
        function.iter().chain(method).any(|way| way.takes(name))
    }

    pub(crate) fn function_signatures(&self) -> &[Signature] {
        &self.signatures().0
    }

    pub(crate) fn method_signatures(&self) -> &[Signature] {
        &self.signatures().1
    }
}

/// Every operator, by name.
pub fn all() -> &'static [&'static Operator] {
    static ALL: OnceLock<Vec<&'static Operator>> = OnceLock::new();
    ALL.get_or_init(|| {
        let tables = [
            elementwise::UNARY,
            elementwise::BINARY,
            elementwise::TERNARY,
            elementwise::MORE,
            elementwise::REDUCTIONS,
            others::OTHERS,
        ];
        let mut all: Vec<_> = tables.into_iter().flatten().copied().filter(|o| !o.name.is_empty()).collect();
        all.sort_by_key(|o| o.name);
        all
    })
}

/// The operator with this name or alias.
pub fn find(name: &str) -> Option<&'static Operator> {
    static BY_NAME: OnceLock<HashMap<&'static str, &'static Operator>> = OnceLock::new();
    let by_name = BY_NAME.get_or_init(|| {
        let names = |o: &&'static Operator| -> Vec<(&'static str, &'static Operator)> {
            [o.name].iter().chain(o.aliases).map(|name| (*name, *o)).collect()
        };
        all().iter().flat_map(names).collect()
    });
    by_name.get(name).copied()
}

/// The operators as a Markdown table with one row each.
pub fn markdown() -> String {
    let mut out = String::from("| operator | takes | devices | node | what it does |\n|---|---|---|---|---|\n");
    for e in all().iter().filter(|o| !o.doc.is_empty()) {
        let rule = match e.rule {
            SameDevice::Elementwise => "elementwise".to_string(),
            SameDevice::Wrapper(name, _) => format!("`{name}`"),
            SameDevice::Free => String::new(),
        };
        let node = if e.node.is_empty() { String::new() } else { format!("`{}`", e.node) };
        let cell = |text: &str| text.replace('|', "\\|");
        let takes: Vec<String> = match e.function_signatures() {
            [] => e.method_signatures().iter().map(|s| format!("`x.{}{}`", e.name, cell(&s.shown(1)))).collect(),
            some => some.iter().filter(|s| !s.hidden).map(|s| format!("`{}{}`", e.name, cell(&s.shown(0)))).collect(),
        };
        let names: Vec<String> = [e.name].iter().chain(e.aliases).map(|name| format!("`{name}`")).collect();
        let names = names.join(", ");
        out.push_str(&format!("| {names} | {} | {rule} | {node} | {} |\n", takes.join("<br>"), cell(e.doc)));
    }
    out
}

#[cfg(test)]
mod tests;
