//! Errors that reach the learner: the Python exception class and exactly PyTorch's message.

use std::fmt;

/// The Python exception as which this is raised.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorKind {
    Runtime,
    Type,
    Value,
    Index,
    Key,
    NotImplemented,
    Assertion,
    Attribute,
    /// `torch.OutOfMemoryError`, a `RuntimeError`.
    OutOfMemory,
    /// `torch.AcceleratorError`, a `RuntimeError`.
    Accelerator,
    /// `torch.linalg.LinAlgError`, a `RuntimeError`.
    LinAlg,
    /// `torch.distributed.DistBackendError`, a `RuntimeError`.
    DistBackend,
    /// `torch.distributed.DistNetworkError`, a `RuntimeError`.
    DistNetwork,
    /// `torch.distributed.DistStoreError`, a `RuntimeError`.
    DistStore,
    /// The learner pressed Stop: `KeyboardInterrupt`.
    Interrupt,
}

/// A failure of an operation, with PyTorch's message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    pub kind: ErrorKind,
    pub message: String,
}

pub type Result<T> = std::result::Result<T, Error>;

macro_rules! constructors {
    ($($name:ident => $kind:ident),* $(,)?) => {
        impl Error {
            $(pub fn $name(message: impl Into<String>) -> Error {
                Error { kind: ErrorKind::$kind, message: message.into() }
            })*
        }
    };
}

constructors! {
    runtime => Runtime,
    type_ => Type,
    value => Value,
    index => Index,
    key => Key,
    not_implemented => NotImplemented,
    assertion => Assertion,
    attribute => Attribute,
    out_of_memory => OutOfMemory,
    accelerator => Accelerator,
    lin_alg => LinAlg,
    dist_backend => DistBackend,
    dist_network => DistNetwork,
    dist_store => DistStore,
}

impl Error {
    pub fn interrupt() -> Error {
        Error { kind: ErrorKind::Interrupt, message: String::new() }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Error {}

/// A number as C++ prints a `double` into PyTorch's messages: with six significant digits, like `0.333333` and `1e-07`.
pub(crate) fn double(v: f64) -> String {
    if v.is_nan() {
        return if v.is_sign_negative() { "-nan" } else { "nan" }.into();
    }
    if v.is_infinite() {
        return if v < 0.0 { "-inf" } else { "inf" }.into();
    }
    let trimmed = |digits: &str| match digits.contains('.') {
        true => digits.trim_end_matches('0').trim_end_matches('.').to_string(),
        false => digits.to_string(),
    };
    let rounded = format!("{v:.5e}");
    let Some((mantissa, exponent)) = rounded.split_once('e') else { return rounded };
    match exponent.parse::<i32>() {
        Ok(exponent) if (-4..6).contains(&exponent) => {
            let decimals = usize::try_from(5 - exponent).unwrap_or(0);
            trimmed(&format!("{v:.decimals$}"))
        }
        Ok(exponent) => {
            let sign = if exponent < 0 { '-' } else { '+' };
            format!("{}e{sign}{:02}", trimmed(mantissa), exponent.abs())
        }
        Err(_) => rounded,
    }
}

#[cfg(test)]
mod tests {
    use super::double;

    #[test]
    fn doubles_are_printed_as_in_cpp() {
        for (v, printed) in [
            (0.0, "0"),
            (-0.0, "-0"),
            (3.0, "3"),
            (0.1, "0.1"),
            (-1.0 / 3.0, "-0.333333"),
            (0.000_123_456_78, "0.000123457"),
            (0.0001, "0.0001"),
            (1e-5, "1e-05"),
            (-1e-7, "-1e-07"),
            (123_456.7, "123457"),
            (100_000.5, "100000"),
            (999_999.5, "1e+06"),
            (1_234_567.0, "1.23457e+06"),
            (1e20, "1e+20"),
            (1.000_000_01, "1"),
            (f64::from(f32::MAX), "3.40282e+38"),
            (1e-300, "1e-300"),
            (f64::INFINITY, "inf"),
            (f64::NEG_INFINITY, "-inf"),
        ] {
            assert_eq!(double(v), printed);
        }
    }
}
