//! Tensoryard: real PyTorch device semantics, made visible.
//!
//! The modules are in reading order: values, memory, trace, executors, engine, tensors, operators, what explains a program,
//! the page, Python. Empty lines separate layers. A module may name only modules of the layers above its own, and a test
//! (`tests/invariants.rs`) checks that.

#![warn(unreachable_pub)]
// The page and its engine are built apart, and neither uses everything that the other does. Lints look at both together.
#![cfg_attr(not(any(feature = "cli", all(feature = "app", feature = "worker"))), allow(dead_code))]

pub mod base64url;
pub mod error;
pub mod language;
#[cfg(feature = "python")]
pub mod nesting;
pub mod notebook;
pub mod sha256;

pub mod device;
pub mod dtype;
pub mod shape;

pub mod print;

pub mod memory;
pub mod rng;

pub mod machine;

pub mod trace;

mod functions;

pub mod executor;

pub mod engine;

pub mod storage;

pub mod tensor;

pub mod autograd;

pub mod ops;

pub mod distributed;

pub mod smi;

#[cfg(feature = "python")]
pub mod checkpoint;
#[cfg(feature = "python")]
pub mod figure;
pub mod safetensors;

pub mod diagnose;

pub mod lesson;

pub mod protocol;

pub mod app;

#[cfg(feature = "python")]
pub mod python;

#[cfg(feature = "cli")]
pub mod headers;

#[cfg(feature = "cli")]
pub mod serve;
