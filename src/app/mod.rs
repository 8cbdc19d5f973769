//! The page: a view of what the worker reports. It knows [`crate::protocol`] and [`crate::lesson`], but no tensors.
//!
//! The modules that need no browser come first and are tested natively. `page` is the part that needs one.

// Natively many of these functions have no caller. The build of the page finds those that are really unused.
#![cfg_attr(not(target_arch = "wasm32"), allow(dead_code))]

pub mod class;
pub mod edit;
pub mod embed;
pub mod examples;
pub mod findings;
pub mod keys;
pub mod notebook;
pub mod pieces;
pub mod progress;
pub mod route;
pub mod share;
pub mod terminal;
pub mod texts;
pub mod upload;

// Only the page uses these modules. Elsewhere they are compiled for their tests.
#[cfg(any(feature = "app", test))]
mod anatomy;
#[cfg(any(feature = "app", test))]
mod course;
#[cfg(any(feature = "app", test))]
mod curve;
#[cfg(any(feature = "app", feature = "cli", test))]
pub mod diagram;
#[cfg(any(feature = "app", test))]
mod format;
#[cfg(any(feature = "app", test))]
mod inside;
#[cfg(any(feature = "app", test))]
mod lanes;
#[cfg(any(feature = "app", test))]
mod layout;
#[cfg(any(feature = "app", test))]
mod map;
#[cfg(any(feature = "app", test))]
mod timeline;
#[cfg(any(feature = "app", test))]
mod yards;

#[cfg(all(feature = "app", target_arch = "wasm32"))]
pub mod page;
