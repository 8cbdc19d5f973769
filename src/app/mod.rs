//! The page: a view of what the worker reports. It knows [`crate::protocol`] and [`crate::lesson`], and no tensor.
//!
//! What needs no browser comes first and is tested natively; `page` is the browser's part.

pub mod yards;

pub mod timeline;

pub mod graph;
pub mod lanes;
pub mod map;

pub mod curve;
pub mod edit;
pub mod embed;
pub mod examples;
pub mod findings;
pub mod format;
pub mod keys;
pub mod notebook;
pub mod progress;
pub mod route;
pub mod share;
pub mod terminal;
pub mod texts;
pub mod upload;

#[cfg(all(feature = "app", target_arch = "wasm32"))]
pub mod page;
