//! Tensoryard: real PyTorch device semantics, visible.
//!
//! Modules in reading order: values, devices, memory, trace, operators, executors, Python, page.

pub mod dtype;
pub mod error;
pub mod shape;

pub mod print;

pub mod device;
pub mod machine;

pub mod memory;
pub mod rng;

pub mod executor;

pub mod autograd;
pub mod engine;
pub mod ops;
pub mod storage;
pub mod tensor;

pub mod trace;

pub mod distributed;

pub mod smi;

pub mod base64url;
pub mod language;
pub mod sha256;

pub mod diagnose;
pub mod lesson;
pub mod protocol;

pub mod app;

#[cfg(feature = "python")]
pub mod checkpoint;
#[cfg(feature = "python")]
pub mod figure;
#[cfg(feature = "python")]
pub mod nesting;
#[cfg(feature = "python")]
pub mod python;
pub mod safetensors;

#[cfg(feature = "cli")]
pub mod headers;
#[cfg(feature = "cli")]
pub mod serve;
