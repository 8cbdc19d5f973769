//! Automatic mixed precision: which operators convert their tensors to a lower precision, to float32, or to the widest
//! dtype among them.
//!
//! Source of the policies, which are in the operators' rows: aten/src/ATen/autocast_mode.h and autocast_mode.cpp in PyTorch
//! 2.15. An operator without a policy uses the dtypes of its tensors.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;

use crate::device::{Device, DeviceType};
use crate::dtype::DType;
use crate::error::{Error, Result};
use crate::ops::rows::{Operator, Policy};
use crate::ops::transfer;
use crate::tensor::{Tensor, WeakTensor};

/// The setting for one device type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Setting {
    pub enabled: bool,
    pub dtype: DType,
}

thread_local! {
    /// Whether any device type is switched on. Checked in every call of an operator.
    static ANY: Cell<bool> = const { Cell::new(false) };
    static SETTINGS: RefCell<Vec<(DeviceType, Setting)>> = const { RefCell::new(Vec::new()) };
    /// Parameters that were converted inside the outermost context: by the tensor's number and dtype, with the original
    /// tensor.
    static CACHE: RefCell<HashMap<(u64, DType), (WeakTensor, Tensor)>> = RefCell::default();
    static CACHING: Cell<bool> = const { Cell::new(true) };
}

/// Whether an operator may have to convert.
#[inline]
pub(crate) fn is_active() -> bool {
    ANY.get()
}

/// The setting of a device type. If nothing was set: off, with PyTorch's default dtype for it.
pub fn setting(kind: DeviceType) -> Setting {
    let found = SETTINGS.with_borrow(|all| all.iter().find(|(k, _)| *k == kind).map(|(_, s)| *s));
    let dtype = if kind == DeviceType::CPU { DType::BF16 } else { DType::F16 };
    found.unwrap_or(Setting { enabled: false, dtype })
}

pub fn set(kind: DeviceType, setting: Setting) {
    SETTINGS.with_borrow_mut(|all| {
        all.retain(|(k, _)| *k != kind);
        all.push((kind, setting));
        ANY.set(all.iter().any(|(_, s)| s.enabled));
    });
}

/// Whether converted parameters are kept until the outermost context ends.
pub(crate) fn set_caching(on: bool) {
    CACHING.set(on);
}

pub(crate) fn is_caching() -> bool {
    CACHING.get()
}

/// Drops the converted parameters, because the outermost context has ended.
pub(crate) fn clear_cache() {
    let old = CACHE.take();
    drop(old);
}

/// Forgets everything that an earlier program set.
pub fn reset() {
    SETTINGS.take();
    ANY.set(false);
    CACHING.set(true);
    clear_cache();
}

/// The dtype to which the tensors of an operator are converted, if they are, and the device type whose setting decided
/// it.
///
/// # Errors
/// Operators that are unsafe under autocast, with PyTorch's message.
pub fn target(operator: &Operator, tensors: &[&Tensor]) -> Result<Option<(DeviceType, DType)>> {
    // An accelerator's setting takes precedence over the CPU's.
    let on = |d: Device| setting(d.kind).enabled;
    let chosen = tensors.iter().map(|t| t.device()).filter(|d| on(*d));
    let mut kind = None;
    for device in chosen {
        if kind.is_none() || !device.is_cpu() {
            kind = Some(device.kind);
        }
    }
    let Some(kind) = kind else { return Ok(None) };
    Ok(match if kind == DeviceType::CPU { operator.autocast.cpu } else { operator.autocast.accelerators } {
        None => None,
        Some(Policy::Lower) => Some((kind, setting(kind).dtype)),
        Some(Policy::Full) => Some((kind, DType::F32)),
        Some(Policy::Widest) => {
            let mut widest = setting(kind).dtype;
            for t in tensors.iter().filter(|t| eligible(t, kind)) {
                if t.dtype() == DType::F32 || t.dtype() != setting(kind).dtype {
                    widest = DType::F32;
                }
            }
            Some((kind, widest))
        }
        Some(Policy::Unsafe) => {
            return Err(Error::runtime(
                "torch.nn.functional.binary_cross_entropy and torch.nn.BCELoss are unsafe to autocast.\nMany models use a sigmoid layer right before the binary cross entropy layer.\nIn this case, combine the two layers using torch.nn.functional.binary_cross_entropy_with_logits\nor torch.nn.BCEWithLogitsLoss.  binary_cross_entropy_with_logits and BCEWithLogits are\nsafe to autocast.",
            ));
        }
    })
}

fn eligible(t: &Tensor, kind: DeviceType) -> bool {
    t.device().kind == kind && t.dtype().is_float() && t.dtype() != DType::F64
}

/// Converts one tensor of an operator as [`target`] said; other tensors are returned unchanged. A float32 leaf that requires
/// gradients is converted only once.
///
/// # Errors
/// Out of memory.
pub fn convert(t: &Tensor, kind: DeviceType, dtype: DType) -> Result<Tensor> {
    if !eligible(t, kind) || t.dtype() == dtype {
        return Ok(t.clone());
    }
    let keep = is_caching() && dtype != DType::F32 && t.dtype() == DType::F32 && t.requires_grad() && t.is_leaf();
    if !keep {
        return transfer::cast(t, dtype);
    }
    let key = (t.id(), dtype);
    let known = CACHE.with_borrow(|cache| {
        cache.get(&key).and_then(|(of, made)| of.upgrade().filter(|o| o.is_same(t)).map(|_| made.clone()))
    });
    if let Some(known) = known {
        return Ok(known);
    }
    let made = transfer::cast(t, dtype)?;
    // A copy that was made without gradients must not be used where gradients are wanted.
    if made.requires_grad() {
        CACHE.with_borrow_mut(|cache| cache.insert(key, (t.downgrade(), made.clone())));
    }
    Ok(made)
}
