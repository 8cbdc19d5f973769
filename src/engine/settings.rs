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
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            default_dtype: Cell::new(DType::F32),
            cudnn: Cell::new(true),
            precision: RefCell::default(),
            sync_debug: Cell::default(),
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
