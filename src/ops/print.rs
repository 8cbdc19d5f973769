//! What printing a tensor costs on its device.
//!
//! PyTorch formats a tensor where it is, number by number ([`crate::print::cost`]). Here its bytes are fetched once, because in
//! a page each wait for the GPU takes about a millisecond. The device's allocator still sees the blocks that PyTorch would
//! take, and an event says what PyTorch would have done.

use std::rc::Rc;

use crate::device::Device;
use crate::dtype::DType;
use crate::engine::{self, Engine};
use crate::error::Result;
use crate::ops::transfer;
use crate::print::cost::{Source, Stage, play};
use crate::print::{PrintOptions, TensorText};
use crate::tensor::{Pin, Tensor};
use crate::trace::{EventKind, Why};

/// The device of an engine as the place where PyTorch formats.
struct Formatting {
    engine: Rc<Engine>,
    device: Device,
    /// Blocks that a loop took once more. They aren't events of their own.
    repeated: usize,
    traced: bool,
    repeats: bool,
}

impl Stage for Formatting {
    type Block = Option<engine::Workspace>;

    fn take(&mut self, shape: &[usize], dtype: DType) -> Result<Self::Block> {
        self.repeated += usize::from(self.repeats);
        self.engine.devices.scratch(self.device, dtype, shape)
    }

    fn repeats(&mut self, again: bool) {
        self.repeats = again;
        self.engine.trace.set_on(self.traced && !again);
    }

    fn read(&mut self, _bytes: usize) -> Result<()> {
        self.engine.launches.warn_of_wait(self.device)
    }
}

impl Drop for Formatting {
    fn drop(&mut self) {
        self.engine.trace.set_on(self.traced);
    }
}

/// The elements of a tensor that is printed, in row-major order. Its device counts what PyTorch does to print it.
///
/// # Errors
/// What went wrong on the device, no room there for what PyTorch computes, and waits that the debug mode turns into errors.
pub fn read(t: &Tensor, text: &TensorText<'_>, options: &PrintOptions) -> Result<Vec<u8>> {
    if t.device().is_cpu() {
        return transfer::to_host(t, Why::Print);
    }
    let engine = engine::current();
    let mut bytes = vec![0; t.numel() * t.dtype().size()];
    let storage = t.storage();
    let gathered = match t.is_contiguous() {
        true => None,
        false => engine.devices.gather(t.device(), Pin::of(t).view()?)?,
    };
    match &gathered {
        Some(buffer) => storage.fetch(buffer, 0, &mut bytes, Why::Print)?,
        None => storage.fetch(storage.buffer()?, t.offset(), &mut bytes, Why::Print)?,
    }
    if t.numel() == 1 && storage.numel() > 1 {
        engine.launches.element_read(t.device(), storage.id(), storage.numel());
    }
    let traced = engine.trace.is_on();
    let mut stage = Formatting { engine: engine.clone(), device: t.device(), repeated: 0, traced, repeats: false };
    let layout = t.layout();
    let source = Source { text, strides: &layout.strides };
    let cost = play(&mut stage, source, options, |i| transfer::scalar_at(&bytes, t.dtype(), i))?;
    engine.trace.printed(cost.copies);
    engine.trace.emit(|| EventKind::Print {
        device: t.device(),
        source: storage.id(),
        fetched: bytes.len(),
        kernels: cost.kernels,
        copies: cost.copies,
        bytes: cost.bytes,
        repeated: stage.repeated,
    });
    Ok(bytes)
}
