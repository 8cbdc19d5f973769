//! What someone does with a tensor by hand: picking it, or dragging it to another device.

use leptos::prelude::*;

use crate::app::yards::Block;
use crate::device::Device;
use crate::protocol::StorageId;

/// Copies of this value share the same state.
#[derive(Clone, Copy)]
pub(crate) struct Hand {
    /// The tensor that was picked.
    pub chosen: RwSignal<Option<(Device, StorageId)>>,
    /// The tensor that is being dragged from one yard to another.
    pub dragged: RwSignal<Option<(Device, Block)>>,
    /// What the page says about the latest drop.
    pub notice: RwSignal<Option<String>>,
}

impl Hand {
    pub(super) fn new() -> Hand {
        Hand { chosen: RwSignal::new(None), dragged: RwSignal::new(None), notice: RwSignal::new(None) }
    }

    /// Another run begins, with other tensors.
    pub(super) fn clear(self) {
        self.chosen.set(None);
        self.notice.set(None);
    }

    /// Shows where a tensor is and what holds it, or hides this again.
    pub(crate) fn choose(self, device: Device, storage: StorageId) {
        self.chosen.update(|chosen| *chosen = (*chosen != Some((device, storage))).then_some((device, storage)));
    }
}
