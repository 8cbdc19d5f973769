//! What a lesson points at once its program has run: a panel, a tensor's block, or a copy.

use leptos::prelude::*;

use crate::device::Device;
use crate::lesson::Panel;

/// Copies of this value share the same state.
#[derive(Clone, Copy)]
pub(crate) struct Pointer {
    /// The tab that is open; only panels that are tabs.
    pub tab: RwSignal<Panel>,
    /// The highlighted panel.
    pub panel: RwSignal<Option<Panel>>,
    /// The variable whose block is highlighted.
    pub block: RwSignal<Option<String>>,
    /// The ends of the highlighted link.
    pub link: RwSignal<Option<(Device, Device)>>,
}

impl Pointer {
    pub(super) fn new() -> Pointer {
        Pointer {
            tab: RwSignal::new(Panel::Cost),
            panel: RwSignal::new(None),
            block: RwSignal::new(None),
            link: RwSignal::new(None),
        }
    }

    /// Points at nothing. The open tab stays open.
    pub(super) fn clear(self) {
        self.panel.set(None);
        self.block.set(None);
        self.link.set(None);
    }
}
