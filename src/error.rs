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
