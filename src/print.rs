//! Text of a tensor: `repr(t)`, `str(t)`, `print(t)`.
//!
//! Source of the rules: torch/_tensor_str.py in PyTorch 2.15.

pub mod cost;

use std::fmt::Write;

use crate::device::{Device, DeviceType};
use crate::dtype::{DType, Scalar};

/// `torch.set_printoptions`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PrintOptions {
    /// Number of digits after the decimal point.
    pub precision: usize,
    /// Tensors with more elements than this are summarized; infinite means never.
    pub threshold: f64,
    /// How many elements, or rows, are shown at each end of a summarized dimension.
    pub edgeitems: usize,
    /// The most characters in a line.
    pub linewidth: usize,
    /// Scientific notation: always, never, or if the values need it.
    pub sci_mode: Option<bool>,
}

impl Default for PrintOptions {
    fn default() -> Self {
        PrintOptions { precision: 4, threshold: 1000.0, edgeitems: 3, linewidth: 80, sci_mode: None }
    }
}

impl PrintOptions {
    /// A `profile` by name (`default`, `short`, `full`), or `None`. It doesn't set `sci_mode`.
    pub fn profile(name: &str) -> Option<PrintOptions> {
        let default = PrintOptions::default();
        match name {
            "default" => Some(default),
            "short" => Some(PrintOptions { precision: 2, edgeitems: 2, ..default }),
            "full" => Some(PrintOptions { threshold: f64::INFINITY, ..default }),
            _ => None,
        }
    }
}

/// What is known of a tensor besides its values.
#[derive(Clone, Copy, Debug)]
pub struct TensorText<'a> {
    /// What the text begins with: `tensor`, or the name of a class derived from it.
    pub class: &'a str,
    pub shape: &'a [usize],
    pub dtype: DType,
    pub device: Device,
    pub history: History<'a>,
}

/// More digits than any float64 has. Rust's formatter refuses 2^16 and more.
const MOST_DIGITS: usize = 60_000;

/// How the tensor takes part in autograd.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum History<'a> {
    None,
    /// A leaf: `requires_grad=True`.
    Leaf,
    /// A result: `grad_fn=<AddBackward0>`.
    Function(&'a str),
}

/// Properties that aren't printed because they're the default.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Defaults {
    /// `torch.get_default_dtype()`.
    pub dtype: DType,
    /// The device type of the default tensor type: `cpu` unless `set_default_tensor_type` changed it.
    pub device: DeviceType,
    /// `torch.cuda.current_device()`.
    pub cuda_index: i8,
}

impl Default for Defaults {
    fn default() -> Self {
        Defaults { dtype: DType::F32, device: DeviceType::CPU, cuda_index: 0 }
    }
}

/// The text of a tensor whose element at a row-major index is `at(index)`. Floating-point elements are [`Scalar::Float`],
/// complex ones [`Scalar::Complex`], integers [`Scalar::Int`], bools [`Scalar::Bool`]. `at` is never called for a meta tensor,
/// and for a summarized tensor only for the elements shown.
pub fn tensor_repr(
    text: &TensorText,
    defaults: &Defaults,
    options: &PrintOptions,
    at: impl Fn(usize) -> Scalar,
) -> String {
    let indent = text.class.chars().count() + 1;
    let size = || format!("size={}", tuple(text.shape));
    let dtype = || format!("dtype={}", text.dtype);
    let mut suffixes = Vec::new();
    if shows_device(text.device, defaults) {
        suffixes.push(format!("device='{}'", text.device));
    }
    let mut out = format!("{}(", text.class);
    if text.device.is_meta() {
        suffixes.push(size());
        if text.dtype != defaults.dtype {
            suffixes.push(dtype());
        }
        out.push_str("...");
    } else if text.shape.contains(&0) {
        if text.shape.len() != 1 {
            suffixes.push(size());
        }
        if text.dtype != defaults.dtype {
            suffixes.push(dtype());
        }
        out.push_str("[]");
    } else {
        if options.edgeitems == 0 {
            suffixes.push(size());
        }
        let goes_unsaid = matches!(text.dtype, DType::I64 | DType::Bool) || defaults.dtype.complex() == Ok(text.dtype);
        if text.dtype != defaults.dtype && !goes_unsaid {
            suffixes.push(dtype());
        }
        Printer::new(text, options, &at).write(&mut out, 0, 0, indent);
    }
    match text.history {
        History::None => {}
        History::Leaf => suffixes.push("requires_grad=True".into()),
        History::Function(name) => suffixes.push(format!("grad_fn=<{name}>")),
    }
    let mut last_line = out.len() - out.rfind('\n').map_or(0, |i| i + 1) + 2;
    for suffix in suffixes {
        if last_line + suffix.len() + 2 > options.linewidth {
            let _ = write!(out, ",\n{:indent$}{suffix}", "");
            last_line = indent + suffix.len();
        } else {
            let _ = write!(out, ", {suffix}");
            last_line += suffix.len() + 2;
        }
    }
    out.push(')');
    out
}

/// The elements alone, as the text of a tensor shows them, for a string in which they begin at column `indent`. The same rules
/// hold for `at`.
pub fn elements(text: &TensorText, options: &PrintOptions, indent: usize, at: impl Fn(usize) -> Scalar) -> String {
    let mut out = String::new();
    match (text.device.is_meta(), text.shape.contains(&0)) {
        (true, _) => out.push_str("..."),
        (false, true) => out.push_str("[]"),
        (false, false) => Printer::new(text, options, &at).write(&mut out, 0, 0, indent),
    }
    out
}

/// Whether a tensor's text names its device. It doesn't if new tensors go to that device by default.
pub(crate) fn shows_device(device: Device, defaults: &Defaults) -> bool {
    device.kind != defaults.device
        || (device.is_cuda() && device.index != Some(defaults.cuda_index))
        || device.kind == DeviceType::MPS
}

/// `(2,)`: sizes as Python prints a tuple.
fn tuple(shape: &[usize]) -> String {
    match shape {
        [one] => format!("({one},)"),
        _ => {
            let parts: Vec<String> = shape.iter().map(usize::to_string).collect();
            format!("({})", parts.join(", "))
        }
    }
}

struct Printer<'a, F> {
    shape: &'a [usize],
    /// For each dimension, the distance in elements from one index to the next.
    strides: Vec<usize>,
    summarize: bool,
    options: &'a PrintOptions,
    /// The format of real elements, or of real parts.
    format: Format,
    /// The format of imaginary parts, if there are any.
    imag: Option<Format>,
    at: &'a F,
}

impl<'a, F: Fn(usize) -> Scalar> Printer<'a, F> {
    fn new(text: &TensorText<'a>, options: &'a PrintOptions, at: &'a F) -> Self {
        let shape = text.shape;
        let elements: f64 = shape.iter().map(|&n| n as f64).product();
        let format = Format { precision: options.precision.min(MOST_DIGITS), style: Style::Plain, width: 1 };
        let strides = crate::shape::contiguous_strides(shape).to_vec();
        let summarize = elements > options.threshold;
        let mut printer = Printer { shape, strides, summarize, options, format, imag: None, at };
        let shown = printer.measured(options);
        if text.dtype.is_complex() {
            let parts = |of: fn((f64, f64)) -> f64| -> Vec<Scalar> {
                shown.iter().map(|z| Scalar::Float(of(z.as_complex()))).collect()
            };
            printer.format = Format::fit(&parts(|z| z.0), true, options);
            printer.imag = Some(Format::fit(&parts(|z| z.1), true, options));
        } else {
            printer.format = Format::fit(&shown, text.dtype.is_float(), options);
        }
        printer
    }

    /// The elements that decide the format of all.
    fn measured(&self, options: &PrintOptions) -> Vec<Scalar> {
        let mut shown = Vec::new();
        // Without edge items, PyTorch still uses all elements of a vector, but none of a matrix.
        if !(self.summarize && options.edgeitems == 0 && self.shape.len() > 1) {
            self.collect(&mut shown, 0, 0);
        }
        shown
    }

    /// Whether dimension `dim` is shortened to its two ends.
    fn cut(&self, dim: usize) -> bool {
        self.summarize && self.shape[dim] / 2 >= self.options.edgeitems && self.shape[dim] > 2 * self.options.edgeitems
    }

    /// The indices of dimension `dim` that are shown: all, or both ends.
    fn indices(&self, dim: usize) -> (std::ops::Range<usize>, std::ops::Range<usize>) {
        let (n, edge) = (self.shape[dim], self.options.edgeitems);
        if self.cut(dim) { (0..edge, n - edge..n) } else { (0..n, n..n) }
    }

    fn collect(&self, shown: &mut Vec<Scalar>, dim: usize, start: usize) {
        if dim == self.shape.len() {
            return shown.push((self.at)(start));
        }
        let (head, tail) = self.indices(dim);
        let whole = self.options.edgeitems == 0;
        let (head, tail) = if whole { (0..self.shape[dim], 0..0) } else { (head, tail) };
        for i in head.chain(tail) {
            self.collect(shown, dim + 1, start + i * self.strides[dim]);
        }
    }

    /// The element at a row-major index: `1.+2.j` if it is complex.
    fn element(&self, out: &mut String, index: usize) {
        let value = (self.at)(index);
        let Some(imag) = &self.imag else { return self.format.write(out, value) };
        let (re, im) = value.as_complex();
        self.format.write(out, Scalar::Float(re));
        let mut text = String::new();
        imag.write(&mut text, Scalar::Float(im));
        let text = text.trim_start();
        if !text.starts_with('-') {
            out.push('+');
        }
        let _ = write!(out, "{text}j");
    }

    fn write(&self, out: &mut String, dim: usize, start: usize, indent: usize) {
        let ndim = self.shape.len();
        if dim == ndim {
            return self.element(out, start);
        }
        out.push('[');
        if dim + 1 == ndim {
            self.write_vector(out, start, indent);
        } else {
            let (head, tail) = self.indices(dim);
            let mut first = true;
            let mut separate = |out: &mut String| {
                if !std::mem::take(&mut first) {
                    out.push(',');
                    (0..ndim - dim - 1).for_each(|_| out.push('\n'));
                    let _ = write!(out, "{:width$}", "", width = indent + 1);
                }
            };
            for i in head {
                separate(out);
                self.write(out, dim + 1, start + i * self.strides[dim], indent + 1);
            }
            if self.cut(dim) {
                separate(out);
                out.push_str("...");
            }
            for i in tail {
                separate(out);
                self.write(out, dim + 1, start + i * self.strides[dim], indent + 1);
            }
        }
        out.push(']');
    }

    fn write_vector(&self, out: &mut String, start: usize, indent: usize) {
        let dim = self.shape.len() - 1;
        if self.summarize && self.options.edgeitems == 0 {
            return out.push_str("...");
        }
        // A complex element also has its `j`. PyTorch doesn't count the character for its sign.
        let width = self.format.width + self.imag.as_ref().map_or(0, |imag| imag.width + 1);
        let per_line = (self.options.linewidth.saturating_sub(indent) / (width + 2)).max(1);
        let mut count = 0;
        let mut separate = |out: &mut String| {
            if count > 0 {
                out.push(',');
                if count % per_line == 0 {
                    let _ = write!(out, "\n{:width$}", "", width = indent + 1);
                } else {
                    out.push(' ');
                }
            }
            count += 1;
        };
        let (head, tail) = self.indices(dim);
        for i in head {
            separate(out);
            self.element(out, start + i);
        }
        if self.cut(dim) {
            separate(out);
            out.push_str(" ...");
        }
        for i in tail {
            separate(out);
            self.element(out, start + i);
        }
    }
}

#[derive(Clone, Copy, Debug)]
enum Style {
    /// Integers and bools.
    Plain,
    /// Floats without fractions: `3.`
    Whole,
    Fixed,
    Scientific,
}

/// Values whose ratio exceeds this, or that are too large or small, are printed in scientific notation.
const APART: f64 = 1000.0;
const LARGE: f64 = 1e8;

/// The smallest and the largest absolute value.
fn range(values: &[f64]) -> (f64, f64) {
    values.iter().map(|v| v.abs()).fold((f64::INFINITY, 0.0), |(lo, hi), v| (lo.min(v), hi.max(v)))
}

struct Format {
    precision: usize,
    style: Style,
    /// The width in characters to which every element is padded.
    width: usize,
}

impl Format {
    /// The notation and width for the values shown. Zeros, infinities and NaNs don't affect it.
    fn fit(shown: &[Scalar], float: bool, options: &PrintOptions) -> Format {
        let mut format = Format { precision: options.precision.min(MOST_DIGITS), style: Style::Plain, width: 1 };
        let mut text = String::new();
        let mut measure = |format: &Format, value: Scalar| {
            text.clear();
            Format { width: 0, ..*format }.write(&mut text, value);
            text.len()
        };
        if !float {
            format.width = shown.iter().map(|&v| measure(&format, v)).max().unwrap_or(1);
            return format;
        }
        format.style = Style::Whole;
        let telling: Vec<f64> = shown.iter().map(|v| v.as_f64()).filter(|v| v.is_finite() && *v != 0.0).collect();
        if telling.is_empty() {
            return format;
        }
        let (min, max) = range(&telling);
        let scientific = options.sci_mode.unwrap_or(max / min > APART || max > LARGE || min < 1e-4);
        if scientific {
            format.style = Style::Scientific;
        } else if telling.iter().any(|v| *v != v.ceil()) {
            format.style = Style::Fixed;
        }
        format.width = telling.iter().map(|&v| measure(&format, Scalar::Float(v))).max().unwrap_or(1);
        format
    }

    fn write(&self, out: &mut String, value: Scalar) {
        let text = match (self.style, value) {
            (Style::Plain, Scalar::Bool(b)) => if b { "True" } else { "False" }.to_string(),
            (Style::Plain, Scalar::Int(i)) => i.to_string(),
            (style, value) => float_text(value.as_f64(), style, self.precision),
        };
        let _ = write!(out, "{text:>width$}", width = self.width);
    }
}

fn float_text(value: f64, style: Style, precision: usize) -> String {
    if value.is_nan() {
        return "nan".into();
    }
    if value.is_infinite() {
        return if value > 0.0 { "inf" } else { "-inf" }.into();
    }
    match style {
        Style::Plain | Style::Whole => format!("{value:.0}."),
        Style::Fixed => format!("{value:.precision$}"),
        Style::Scientific => {
            // Python writes the exponent with a sign and at least two digits.
            let text = format!("{value:.precision$e}");
            match text.split_once('e') {
                Some((digits, exponent)) => {
                    let (sign, exponent) = match exponent.strip_prefix('-') {
                        Some(rest) => ('-', rest),
                        None => ('+', exponent),
                    };
                    format!("{digits}e{sign}{exponent:0>2}")
                }
                None => text,
            }
        }
    }
}
