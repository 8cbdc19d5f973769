//! `torch.set_printoptions`.

use std::cell::Cell;

use crate::print::PrintOptions;

thread_local! {
    static OPTIONS: Cell<Option<PrintOptions>> = const { Cell::new(None) };
}

pub fn options() -> PrintOptions {
    OPTIONS.get().unwrap_or_default()
}

/// None restores the defaults.
pub fn set_options(options: Option<PrintOptions>) {
    OPTIONS.set(options);
}
