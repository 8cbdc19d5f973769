//! The description of one dispatch: its operands, the order of their elements, and its parameters.
//!
//! A lowering names its operands and parameters once. This gives the bytes of the parameter block, the key under
//! which the pipeline is cached, and (only if that key is new) the WGSL functions through which the shader file accesses
//! them. For an operand `x` in a space `at`, these are
//!
//! | function | what |
//! |---|---|
//! | `x_load(i: u32) -> T` | element `i` (from the view's start), converted to the dtype the kernel computes in |
//! | `x_store(i: u32, v: T)` | the opposite, rounding or wrapping |
//! | `x_at(i: u32) -> u32` | the element at position `i` of the space, by the view's strides |
//! | `x_base() -> u32` | the number of elements before the view, for code that accesses the binding `$x` directly |
//! | `p_name() -> u32, f32 or T` | a parameter |
//! | `report(..)` | reports a fault to the host |
//!
//! One buffer may be several operands of a kernel (in-place operators, views of one storage), but WebGPU forbids binding
//! a buffer twice in a dispatch if one of the bindings may write. So every buffer is bound once, and its operands share
//! the binding.

use std::fmt::Write;

use smallvec::SmallVec;

use super::buffers::GpuBuffer;
use super::source::{self, File, Value};
use super::words::scalar_words;
use crate::dtype::{DType, Scalar};
use crate::executor::{Done, Fault, View};

/// The size of a parameter block in bytes: that of `array<vec4<u32>, 32>`.
pub(super) const PARAM_BYTES: usize = 512;

/// The most dimensions of a view, after dimensions with matching strides have been merged.
pub(super) const MAX_RANK: usize = 8;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Access {
    Read,
    Write,
    /// Written by atomic operations. Plain loads and stores use atomics as well.
    Atomic,
}

struct Operand<'a> {
    name: &'static str,
    /// `None` for a number in the parameters; `word` is its place there.
    buffer: Option<&'a GpuBuffer>,
    dtype: DType,
    seen_as: DType,
    access: Access,
    binding: usize,
    word: usize,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Step {
    /// Always element 0.
    Zero,
    /// Element `i` itself.
    Linear,
    /// By strides. The first stride is at this word of the parameters.
    Strided(usize),
}

struct Walk {
    space: &'static str,
    rank: usize,
    shape_word: usize,
    steps: SmallVec<[(usize, Step); 4]>,
}

#[derive(Clone, Copy)]
enum Kind {
    U32,
    F32,
    Of(DType),
    /// Several `u32`, by number.
    List,
}

/// What identifies a pipeline.
pub(super) type Key = SmallVec<[u64; 32]>;

pub(super) struct Launch<'a> {
    pub file: &'static File,
    pub entry: &'static str,
    values: SmallVec<[(&'static str, Value); 8]>,
    operands: SmallVec<[Operand<'a>; 6]>,
    walks: SmallVec<[Walk; 2]>,
    params: SmallVec<[(&'static str, Kind, usize); 12]>,
    words: SmallVec<[u32; 64]>,
    bindings: SmallVec<[(&'a GpuBuffer, Access); 6]>,
    groups: (u32, u32),
    fault: Option<Fault>,
}

/// The buffer behind a view.
pub(super) fn gpu<'a>(view: &View<'a>) -> Done<&'a GpuBuffer> {
    view.buffer.downcast().ok_or_else(|| Fault::Unsupported("a buffer of another executor".into()))
}

impl<'a> Launch<'a> {
    /// A launch of the entry point `main`; [`Launch::entry`] may name another.
    pub(super) fn new(file: &'static File) -> Launch<'a> {
        Launch {
            file,
            entry: "main",
            values: SmallVec::new(),
            operands: SmallVec::new(),
            walks: SmallVec::new(),
            params: SmallVec::new(),
            words: SmallVec::new(),
            bindings: SmallVec::new(),
            groups: (0, 0),
            fault: None,
        }
    }

    /// Sets `$name`.
    pub(super) fn set(&mut self, name: &'static str, value: &'static str) {
        self.values.push((name, Value::Text(value)));
    }

    pub(super) fn set_number(&mut self, name: &'static str, value: u32) {
        self.values.push((name, Value::Number(value)));
    }

    /// Sets `$name` to the WGSL type that values of a dtype have in a kernel.
    pub(super) fn set_type(&mut self, name: &'static str, dtype: DType) {
        self.set(name, class(dtype).wgsl());
    }

    /// An input, converted to `seen_as` when loaded.
    pub(super) fn read(&mut self, name: &'static str, view: &View<'a>, seen_as: DType) {
        self.operand(name, view, seen_as, Access::Read);
    }

    /// An output, converted from `seen_as` when stored.
    pub(super) fn write(&mut self, name: &'static str, view: &View<'a>, seen_as: DType) {
        self.operand(name, view, seen_as, Access::Write);
    }

    /// An output that atomic operations change.
    pub(super) fn atomic(&mut self, name: &'static str, view: &View<'a>, seen_as: DType) {
        self.operand(name, view, seen_as, Access::Atomic);
    }

    fn operand(&mut self, name: &'static str, view: &View<'a>, seen_as: DType, access: Access) {
        match gpu(view) {
            Ok(buffer) => self.buffer(name, buffer, view.dtype, seen_as, access, view.offset),
            Err(fault) => self.fault = Some(fault),
        }
    }

    /// An operand that is an entire buffer, or starts `offset` elements into it.
    pub(super) fn buffer(
        &mut self,
        name: &'static str,
        buffer: &'a GpuBuffer,
        dtype: DType,
        seen_as: DType,
        access: Access,
        offset: usize,
    ) {
        let binding = match self.bindings.iter().position(|(b, _)| b.id == buffer.id) {
            Some(at) => {
                self.bindings[at].1 = self.bindings[at].1.max(access);
                at
            }
            None => {
                self.bindings.push((buffer, access));
                self.bindings.len() - 1
            }
        };
        let word = self.words.len();
        let offset = self.narrowed(offset);
        self.words.push(offset);
        self.operands.push(Operand { name, buffer: Some(buffer), dtype, seen_as, access, binding, word });
    }

    /// A number instead of a view: every load returns it.
    pub(super) fn constant(&mut self, name: &'static str, value: Scalar, seen_as: DType) {
        let word = self.words.len();
        self.words.extend(scalar_words(value, seen_as));
        self.operands.push(Operand {
            name,
            buffer: None,
            dtype: seen_as,
            seen_as,
            access: Access::Read,
            binding: 0,
            word,
        });
    }

    /// Defines `{operand}_{space}` for the given operands. Dimensions of size 1 are dropped, and neighbors whose strides
    /// match for every operand are merged.
    pub(super) fn walk(&mut self, space: &'static str, shape: &[usize], operands: &[(&'static str, &[usize])]) {
        let (shape, strides) = collapse(shape, operands.iter().map(|(_, s)| *s));
        if shape.len() > MAX_RANK {
            self.fault = Some(Fault::Unsupported(format!(
                "the WebGPU executor walks {MAX_RANK} dimensions, this view has {} that do not merge",
                shape.len()
            )));
            return;
        }
        let shape_word = self.words.len();
        for &size in &shape {
            let size = self.narrowed(size);
            self.words.push(size);
        }
        let dense = crate::shape::contiguous_strides(&shape);
        let mut steps = SmallVec::new();
        for ((name, _), strides) in operands.iter().zip(&strides) {
            let Some(at) = self.operands.iter().position(|o| o.name == *name) else { continue };
            let step = if self.operands[at].buffer.is_none() || strides.iter().all(|&s| s == 0) {
                Step::Zero
            } else if strides[..] == dense[..] {
                Step::Linear
            } else {
                let word = self.words.len();
                for &stride in strides {
                    let stride = self.narrowed(stride);
                    self.words.push(stride);
                }
                Step::Strided(word)
            };
            steps.push((at, step));
        }
        self.walks.push(Walk { space, rank: shape.len(), shape_word, steps });
    }

    /// Defines spaces for rows along `dim`: `inner` is that dimension, `outer` all others. Returns their sizes.
    pub(super) fn rows(
        &mut self,
        shape: &[usize],
        dim: usize,
        operands: &[(&'static str, &[usize])],
    ) -> (usize, usize) {
        let pick = |of: &[usize], own: bool| -> SmallVec<[usize; 8]> {
            of.iter().enumerate().filter(|(d, _)| (*d == dim) == own).map(|(_, s)| *s).collect()
        };
        let (outer, inner) = (pick(shape, false), pick(shape, true));
        for (space, shape, own) in [("outer", &outer, false), ("inner", &inner, true)] {
            let strides: SmallVec<[SmallVec<[usize; 8]>; 4]> = operands.iter().map(|(_, s)| pick(s, own)).collect();
            let named: SmallVec<[(&'static str, &[usize]); 4]> =
                operands.iter().zip(&strides).map(|((name, _), s)| (*name, &s[..])).collect();
            self.walk(space, shape, &named);
        }
        (outer.iter().product(), inner.iter().product())
    }

    pub(super) fn u32(&mut self, name: &'static str, value: usize) {
        let value = self.narrowed(value);
        self.param(name, Kind::U32, [value, 0]);
    }

    pub(super) fn f32(&mut self, name: &'static str, value: f64) {
        self.param(name, Kind::F32, [(value as f32).to_bits(), 0]);
    }

    /// Numbers that the shader reads by position: `p_name(i)`.
    pub(super) fn list(&mut self, name: &'static str, values: &[usize]) {
        self.params.push((name, Kind::List, self.words.len()));
        for &value in values {
            let value = self.narrowed(value);
            self.words.push(value);
        }
    }

    /// Lets the shader call `report(kind, index, dim, size)`. The first report is kept until the host reads it.
    pub(super) fn reports_to(&mut self, faults: &'a GpuBuffer) {
        self.buffer(FAULT, faults, DType::I32, DType::I32, Access::Atomic, 0);
    }

    /// A parameter in the class of `dtype`.
    pub(super) fn scalar(&mut self, name: &'static str, value: Scalar, dtype: DType) {
        self.param(name, Kind::Of(dtype), scalar_words(value, dtype));
    }

    fn param(&mut self, name: &'static str, kind: Kind, words: [u32; 2]) {
        self.params.push((name, kind, self.words.len()));
        self.words.push(words[0]);
        if matches!(kind, Kind::Of(d) if class(d).words() == 2) {
            self.words.push(words[1]);
        }
    }

    fn narrowed(&mut self, value: usize) -> u32 {
        u32::try_from(value).unwrap_or_else(|_| {
            self.fault =
                Some(Fault::Unsupported(format!("an offset or size of {value} elements on WebGPU (2^32 at most)")));
            0
        })
    }

    /// One invocation for each of `n`, in workgroups of `size` (`$WG`).
    pub(super) fn threads(&mut self, n: usize, size: usize) {
        self.u32("n", n);
        self.workgroups(n.div_ceil(size), size);
    }

    /// This many workgroups of `size` invocations (`$WG`), split over x and y.
    pub(super) fn workgroups(&mut self, count: usize, size: usize) {
        self.set_number("WG", size as u32);
        let y = count.div_ceil(65535).max(1);
        let x = count.div_ceil(y);
        if y > 65535 {
            self.fault = Some(Fault::Unsupported(format!("{count} workgroups in one WebGPU dispatch")));
        }
        self.groups = (x as u32, y as u32);
    }

    /// x and y of the dispatch; (0, _) if there is nothing to do.
    pub(super) fn groups(&self) -> (u32, u32) {
        self.groups
    }

    /// What went wrong while describing the launch.
    pub(super) fn check(&mut self) -> Done {
        if self.words.len() * 4 > PARAM_BYTES {
            return Err(Fault::Unsupported(format!("{} parameter words in {}", self.words.len(), self.file.name)));
        }
        self.fault.take().map_or(Ok(()), Err)
    }

    pub(super) fn words(&self) -> &[u32] {
        &self.words
    }

    /// The buffers in binding order, and whether each may be written.
    pub(super) fn bindings(&self) -> impl Iterator<Item = (&'a GpuBuffer, bool)> + '_ {
        self.bindings.iter().map(|(b, access)| (*b, *access != Access::Read))
    }

    /// Launches with the same key have the same module and the same layout.
    pub(super) fn key(&self) -> Key {
        let mut key = Key::new();
        key.push(tag(self.file.name) ^ tag(self.entry).rotate_left(1));
        for (name, value) in &self.values {
            key.push(
                tag(name).rotate_left(7)
                    ^ match value {
                        Value::Text(t) => tag(t),
                        Value::Number(n) => u64::from(*n),
                    },
            );
        }
        for o in &self.operands {
            let place = if o.buffer.is_some() { o.binding as u64 + 1 } else { 0 };
            let small = (o.dtype as u64) | (o.seen_as as u64) << 4 | (o.access as u64) << 8 | place << 10;
            key.push(tag(o.name) ^ small << 40);
        }
        for w in &self.walks {
            let mut packed = w.rank as u64;
            for (at, step) in &w.steps {
                let code = match step {
                    Step::Zero => 1,
                    Step::Linear => 2,
                    Step::Strided(_) => 3,
                };
                packed = packed << 6 | (*at as u64) << 2 | code;
            }
            key.push(tag(w.space));
            key.push(packed);
        }
        for (name, kind, word) in &self.params {
            let code = match kind {
                Kind::U32 => 1,
                Kind::F32 => 3,
                Kind::List => 4,
                Kind::Of(d) => 5 + *d as u64,
            };
            key.push(tag(name) ^ (code << 8 | *word as u64) << 40);
        }
        key
    }

    /// The source text of the module.
    pub(super) fn source(&self) -> String {
        let mut values: Vec<(&'static str, Value)> = self.values.to_vec();
        for o in &self.operands {
            values.push((o.name, Value::Text(BINDINGS[o.binding.min(BINDINGS.len() - 1)])));
        }
        source::assemble(self.file, self.entry, &values, &self.generated())
    }

    fn generated(&self) -> String {
        let mut g = String::new();
        for (i, (_, access)) in self.bindings.iter().enumerate() {
            let (mode, word) = match access {
                Access::Read => ("read", "u32"),
                Access::Write => ("read_write", "u32"),
                Access::Atomic => ("read_write", "atomic<u32>"),
            };
            let _ = writeln!(g, "@group(0) @binding({i}) var<storage, {mode}> b{i}: array<{word}>;");
        }
        g.push_str("struct Params {\n    w: array<vec4<u32>, 32>,\n}\n");
        g.push_str("@group(1) @binding(0) var<uniform> params: Params;\n");
        for (name, kind, at) in &self.params {
            let (ty, value) = match kind {
                Kind::List => {
                    let _ = writeln!(
                        g,
                        "fn p_{name}(i: u32) -> u32 {{\n    let k = {at}u + i;\n    return params.w[k / 4u][k % 4u];\n}}"
                    );
                    continue;
                }
                Kind::U32 => ("u32", word(*at)),
                Kind::F32 => ("f32", format!("bitcast<f32>({})", word(*at))),
                Kind::Of(d) => (class(*d).wgsl(), from_words(*d, *at)),
            };
            let _ = writeln!(g, "fn p_{name}() -> {ty} {{\n    return {value};\n}}");
        }
        for o in &self.operands {
            self.accessors(o, &mut g);
            if o.name == FAULT {
                g.push_str(&REPORT.replace("FAULT", BINDINGS[o.binding.min(BINDINGS.len() - 1)]));
            }
        }
        for w in &self.walks {
            for (at, step) in &w.steps {
                let head = format!("fn {}_{}(i: u32) -> u32 {{\n", self.operands[*at].name, w.space);
                g.push_str(&head);
                match step {
                    Step::Zero => g.push_str("    return 0u;\n}\n"),
                    Step::Linear => g.push_str("    return i;\n}\n"),
                    Step::Strided(first) => strided(w, *first, &mut g),
                }
            }
        }
        g
    }

    fn accessors(&self, o: &Operand<'_>, g: &mut String) {
        let name = o.name;
        let ty = class(o.seen_as).wgsl();
        if o.buffer.is_none() {
            let value = from_words(o.seen_as, o.word);
            let _ = writeln!(g, "fn {name}_load(i: u32) -> {ty} {{\n    return {value};\n}}");
            return;
        }
        let b = o.binding;
        let atomic = self.bindings[b].1 == Access::Atomic;
        let get = |index: &str| match atomic {
            true => format!("atomicLoad(&b{b}[{index}])"),
            false => format!("b{b}[{index}]"),
        };
        let put = |index: &str, value: &str| match atomic {
            true => format!("    atomicStore(&b{b}[{index}], {value});\n"),
            false => format!("    b{b}[{index}] = {value};\n"),
        };
        let base = word(o.word);
        let _ = writeln!(g, "fn {name}_base() -> u32 {{\n    return {base};\n}}");

        let raw = match class(o.dtype) {
            Class::F => format!("bitcast<f32>({})", get("k")),
            Class::I => format!("bitcast<i32>({})", get("k")),
            Class::L | Class::D => format!("vec2<u32>({}, {})", get("2u * k"), get("2u * k + 1u")),
        };
        let value = cast(&raw, o.dtype, o.seen_as);
        let _ = writeln!(g, "fn {name}_load(i: u32) -> {ty} {{\n    let k = {base} + i;\n    return {value};\n}}");

        if o.access != Access::Read {
            let value = cast(&narrow("v", o.seen_as), o.seen_as, o.dtype);
            let _ = write!(g, "fn {name}_store(i: u32, v: {ty}) {{\n    let k = {base} + i;\n    let x = {value};\n");
            match class(o.dtype) {
                Class::F | Class::I => g.push_str(&put("k", "bitcast<u32>(x)")),
                Class::L | Class::D => {
                    g.push_str(&put("2u * k", "x.x"));
                    g.push_str(&put("2u * k + 1u", "x.y"));
                }
            }
            g.push_str("}\n");
        }
    }
}

const FAULT: &str = "fault";

/// Only the invocation that gets the first ticket writes its report. It writes the kind last.
const REPORT: &str = "fn report(kind: u32, index: vec2<u32>, dim: u32, size: u32) {
    if (atomicAdd(&FAULT[7], 1u) != 0u) {
        return;
    }
    atomicStore(&FAULT[1], index.x);
    atomicStore(&FAULT[2], index.y);
    atomicStore(&FAULT[3], dim);
    atomicStore(&FAULT[4], size);
    atomicStore(&FAULT[0], kind);
}
";

const BINDINGS: [&str; 16] =
    ["b0", "b1", "b2", "b3", "b4", "b5", "b6", "b7", "b8", "b9", "b10", "b11", "b12", "b13", "b14", "b15"];

fn strided(walk: &Walk, first: usize, g: &mut String) {
    if walk.rank == 1 {
        let _ = writeln!(g, "    return i * {};\n}}", word(first));
        return;
    }
    g.push_str("    var r = i;\n    var o = 0u;\n    var q = 0u;\n");
    for d in (1..walk.rank).rev() {
        let size = word(walk.shape_word + d);
        let stride = word(first + d);
        let _ = writeln!(g, "    q = r / {size};\n    o = o + (r - q * {size}) * {stride};\n    r = q;");
    }
    let _ = writeln!(g, "    return o + r * {};\n}}", word(first));
}

fn word(at: usize) -> String {
    format!("params.w[{}].{}", at / 4, ["x", "y", "z", "w"][at % 4])
}

fn from_words(dtype: DType, at: usize) -> String {
    match class(dtype) {
        Class::F => format!("bitcast<f32>({})", word(at)),
        Class::I => format!("bitcast<i32>({})", word(at)),
        Class::L | Class::D => format!("vec2<u32>({}, {})", word(at), word(at + 1)),
    }
}

/// A number for a short string (FNV-1a).
fn tag(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |h, b| (h ^ u64::from(b)).wrapping_mul(0x100_0000_01b3))
}

/// How values of a dtype are represented in a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Class {
    F,
    I,
    L,
    D,
}

pub(super) fn class(dtype: DType) -> Class {
    match dtype {
        DType::F16 | DType::BF16 | DType::F32 => Class::F,
        DType::Bool | DType::U8 | DType::I8 | DType::I16 | DType::U16 | DType::I32 | DType::U32 => Class::I,
        DType::I64 => Class::L,
        DType::F64 => Class::D,
        DType::C64 | DType::C128 => unreachable!("kernels know complex numbers by their parts only"),
    }
}

impl Class {
    pub(super) fn wgsl(self) -> &'static str {
        match self {
            Class::F => "f32",
            Class::I => "i32",
            Class::L | Class::D => "vec2<u32>",
        }
    }

    /// The suffix of this class's functions in the shader files.
    pub(super) fn letter(self) -> &'static str {
        match self {
            Class::F => "f",
            Class::I => "i",
            Class::L => "l",
            Class::D => "d",
        }
    }

    pub(super) fn words(self) -> usize {
        match self {
            Class::F | Class::I => 1,
            Class::L | Class::D => 2,
        }
    }
}

/// Rounds or wraps a value of `dtype`'s class to what `dtype` can hold.
fn narrow(value: &str, dtype: DType) -> String {
    match dtype {
        DType::Bool => format!("bool_from_i({value})"),
        DType::U8 => format!("wrap_u8({value})"),
        DType::I8 => format!("wrap_i8({value})"),
        DType::I16 => format!("wrap_i16({value})"),
        DType::F16 => format!("round_f16({value})"),
        DType::BF16 => format!("round_bf16({value})"),
        _ => value.to_string(),
    }
}

/// WGSL that converts a value of `from` to `to`.
fn cast(value: &str, from: DType, to: DType) -> String {
    use DType::*;
    let (a, b) = (class(from), class(to));
    if from == to {
        return value.to_string();
    }
    if to == Bool {
        return format!("bool_from_{}({value})", a.letter());
    }
    let changed = if a == b { value.to_string() } else { format!("{}_from_{}({value})", b.letter(), a.letter()) };
    let fits = match to {
        U8 | F16 | BF16 if matches!(from, Bool | U8) => true,
        I8 | F16 | BF16 if matches!(from, Bool | I8) => true,
        I16 if matches!(from, Bool | U8 | I8) => true,
        _ => false,
    };
    if fits { changed } else { narrow(&changed, to) }
}

type Strides = SmallVec<[usize; 8]>;

/// Drops dimensions of size 1, and merges neighbors that every operand can visit as one dimension.
fn collapse<'s>(shape: &[usize], operands: impl Iterator<Item = &'s [usize]>) -> (Strides, SmallVec<[Strides; 4]>) {
    let full: SmallVec<[&[usize]; 4]> = operands.collect();
    let mut sizes = Strides::new();
    let mut strides: SmallVec<[Strides; 4]> = full.iter().map(|_| Strides::new()).collect();
    for (d, &size) in shape.iter().enumerate() {
        if size == 1 {
            continue;
        }
        let merges = !sizes.is_empty()
            && full
                .iter()
                .zip(&strides)
                .all(|(f, kept)| kept.last().is_some_and(|&outer| outer == f[d].wrapping_mul(size)));
        if merges {
            if let Some(last) = sizes.last_mut() {
                *last *= size;
            }
            for (f, kept) in full.iter().zip(&mut strides) {
                if let Some(last) = kept.last_mut() {
                    *last = f[d];
                }
            }
        } else {
            sizes.push(size);
            for (f, kept) in full.iter().zip(&mut strides) {
                kept.push(f[d]);
            }
        }
    }
    (sizes, strides)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dimensions_merge_where_every_operand_allows() {
        let (shape, strides) = collapse(&[2, 3, 4], [&[12, 4, 1][..], &[12, 4, 1][..]].into_iter());
        assert_eq!((shape.as_slice(), strides[0].as_slice()), (&[24][..], &[1][..]));
        let (shape, strides) = collapse(&[2, 3, 4], [&[12, 4, 1][..], &[0, 4, 1][..]].into_iter());
        assert_eq!(shape.as_slice(), [2, 12]);
        assert_eq!(strides[1].as_slice(), [0, 1]);
        let (shape, _) = collapse(&[1, 1], [&[5, 7][..]].into_iter());
        assert!(shape.is_empty());
    }

    #[test]
    fn a_buffer_is_bound_once() {
        let buffer = GpuBuffer::fake(7);
        let other = GpuBuffer::fake(8);
        let mut l = Launch::new(&source::BINARY);
        l.buffer("a", &buffer, DType::F32, DType::F32, Access::Read, 0);
        l.buffer("b", &other, DType::F32, DType::F32, Access::Read, 0);
        l.buffer("out", &buffer, DType::F32, DType::F32, Access::Write, 4);
        let bound: Vec<(u64, bool)> = l.bindings().map(|(b, w)| (b.id, w)).collect();
        assert_eq!(bound, [(7, true), (8, false)]);
        assert!(
            l.generated().contains(
                "fn a_load(i: u32) -> f32 {\n    let k = params.w[0].x + i;\n    return bitcast<f32>(b0[k]);"
            )
        );
    }

    #[test]
    fn conversions_round_and_wrap_where_they_must() {
        assert_eq!(cast("v", DType::F32, DType::F16), "round_f16(v)");
        assert_eq!(cast("v", DType::I64, DType::U8), "wrap_u8(i_from_l(v))");
        assert_eq!(cast("v", DType::U8, DType::I16), "v");
        assert_eq!(cast("v", DType::F32, DType::Bool), "bool_from_f(v)");
        assert_eq!(cast("v", DType::Bool, DType::I64), "l_from_i(v)");
        assert_eq!(cast("v", DType::I8, DType::F16), "f_from_i(v)");
    }
}
