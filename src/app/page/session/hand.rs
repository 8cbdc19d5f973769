//! What someone does with a tensor by hand: look at it, drag it to another device.

use leptos::prelude::*;

use crate::app::yards::Block;
use crate::device::Device;
use crate::protocol::StorageId;

/// Copies are the same.
#[derive(Clone, Copy)]
pub(crate) struct Hand {
    /// The tensor that someone looks at.
    pub chosen: RwSignal<Option<(Device, StorageId)>>,
    /// The tensor that is being dragged from one yard to another.
    pub dragged: RwSignal<Option<(Device, Block)>>,
    /// What the page says of the latest placing.
    pub notice: RwSignal<Option<String>>,
}

impl Hand {
    pub(super) fn new() -> Hand {
        Hand { chosen: RwSignal::new(None), dragged: RwSignal::new(None), notice: RwSignal::new(None) }
    }

    /// Another run begins: its tensors are others.
    pub(super) fn clear(self) {
        self.chosen.set(None);
        self.notice.set(None);
    }

    /// Shows a tensor's place and what holds it, or puts it away again.
    pub(crate) fn choose(self, device: Device, storage: StorageId) {
        self.chosen.update(|chosen| *chosen = (*chosen != Some((device, storage))).then_some((device, storage)));
    }
}
