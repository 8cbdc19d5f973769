//! `torch.set_printoptions`.

use std::cell::Cell;

use crate::print::PrintOptions;

thread_local! {
    static OPTIONS: Cell<Option<PrintOptions>> = const { Cell::new(None) };
}

pub(super) fn options() -> PrintOptions {
    OPTIONS.get().unwrap_or_default()
}

/// None restores the defaults.
pub(super) fn set_options(options: Option<PrintOptions>) {
    OPTIONS.set(options);
}
