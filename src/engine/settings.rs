//! What PyTorch keeps for the whole process: the default dtype, the switches of its backends, and the reaction to a
//! wait.

use std::cell::{Cell, Ref, RefCell};

use super::precision::Choices;
use crate::dtype::DType;
use crate::error::Result;
use crate::executor::Precision;

/// The mode set by `torch.cuda.set_sync_debug_mode`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SyncDebug {
    #[default]
    Off,
    Warn,
    Raise,
}

/// See the module's documentation.
pub struct Settings {
    default_dtype: Cell<DType>,
    /// `torch.backends.cudnn.enabled`: decides which library's messages convolutions have.
    cudnn: Cell<bool>,
    precision: RefCell<Choices>,
    sync_debug: Cell<SyncDebug>,
    /// What `torch.use_deterministic_algorithms` set: whether operations must be deterministic, and whether others only warn.
    deterministic: Cell<(bool, bool)>,
    /// `torch.utils.deterministic.fill_uninitialized_memory`.
    fills_empty: Cell<bool>,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            default_dtype: Cell::new(DType::F32),
            cudnn: Cell::new(true),
            precision: RefCell::default(),
            sync_debug: Cell::default(),
            deterministic: Cell::default(),
            fills_empty: Cell::new(true),
        }
    }
}

impl Settings {
    pub(crate) fn default_dtype(&self) -> DType {
        self.default_dtype.get()
    }

    pub(crate) fn set_default_dtype(&self, dtype: DType) {
        self.default_dtype.set(dtype);
    }

    pub(crate) fn uses_cudnn(&self) -> bool {
        self.cudnn.get()
    }

    pub(crate) fn set_cudnn(&self, enabled: bool) {
        self.cudnn.set(enabled);
    }

    /// What the program set about the precision of products and convolutions.
    pub fn precision(&self) -> Ref<'_, Choices> {
        self.precision.borrow()
    }

    /// Whether operations must be deterministic.
    pub(crate) fn is_deterministic(&self) -> bool {
        self.deterministic.get().0
    }

    /// Whether operations that aren't deterministic only warn, if they must be.
    pub(crate) fn only_warns(&self) -> bool {
        self.deterministic.get().1
    }

    pub(crate) fn set_deterministic(&self, on: bool, warns: bool) {
        self.deterministic.set((on, warns));
    }

    /// Whether new tensors without values are filled if the program wants deterministic operations.
    pub(crate) fn fills_empty(&self) -> bool {
        self.fills_empty.get()
    }

    pub(crate) fn set_fills_empty(&self, fills: bool) {
        self.fills_empty.set(fills);
    }

    pub(crate) fn sync_debug(&self) -> SyncDebug {
        self.sync_debug.get()
    }

    pub(crate) fn set_sync_debug(&self, mode: SyncDebug) {
        self.sync_debug.set(mode);
    }

    /// Changes the program's precision settings. Returns the precision that executors must use.
    ///
    /// # Errors
    /// Those of the change. Then nothing has changed.
    pub(super) fn change_precision(&self, change: impl FnOnce(&mut Choices) -> Result<()>) -> Result<Precision> {
        change(&mut self.precision.borrow_mut())?;
        Ok(self.precision.borrow().wanted())
    }
}
