//! The cost of printing a tensor on its device.
//!
//! PyTorch formats a tensor on its device, number by number ([`crate::print::cost`]). Here its bytes are copied once, because
//! in a page each wait for the GPU takes about a millisecond. The device's allocator still sees the blocks that PyTorch would
//! take, and an event says what PyTorch would have done.

use std::rc::Rc;

use crate::device::Device;
use crate::dtype::{DType, Scalar};
use crate::engine::{self, Engine};
use crate::error::Result;
use crate::ops::transfer;
use crate::print::cost::{Source, Stage, play};
use crate::print::{PrintOptions, TensorText};
use crate::shape::Layout;
use crate::tensor::{Pin, Tensor};
use crate::trace::{EventKind, Why};

/// An engine's device, on which PyTorch would format.
struct Formatting {
    engine: Rc<Engine>,
    device: Device,
    /// Blocks that a loop took repeatedly. They aren't events of their own.
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

/// The elements that the text of a tensor shows.
pub struct Shown {
    bytes: Vec<u8>,
    dtype: DType,
    /// Each dimension's size and how many indices at each end were read, if not all were.
    edges: Option<Vec<(usize, usize)>>,
}

impl Shown {
    /// The element at a row-major index of the complete tensor, if it's shown.
    pub fn at(&self, index: usize) -> Scalar {
        let Some(edges) = &self.edges else { return transfer::scalar_at(&self.bytes, self.dtype, index) };
        let (mut rest, mut place, mut stride) = (index, 0, 1);
        for &(size, edge) in edges.iter().rev() {
            let (i, kept) = (rest % size, size.min(2 * edge));
            // Indices at the end come right after those at the beginning.
            place += stride * if i < kept - kept / 2 { i } else { kept - (size - i) };
            (rest, stride) = (rest / size, stride * kept);
        }
        transfer::scalar_at(&self.bytes, self.dtype, place)
    }
}

/// With fewer elements than this, reading all of them is faster than reading pieces.
const MANY: usize = 1 << 20;

/// How many indices at the ends of each dimension are shown, if that is a small part of a large tensor.
fn edges(t: &Tensor, options: &PrintOptions) -> Option<Vec<(usize, usize)>> {
    let (shape, edge) = (t.shape(), options.edgeitems);
    if t.numel() < MANY || t.numel() as f64 <= options.threshold || edge == 0 {
        return None;
    }
    // A dimension that isn't cut is read completely, as two ends that meet.
    let edges: Vec<_> = shape.iter().map(|&n| (n, edge.min(n.div_ceil(2)))).collect();
    let read = edges.iter().fold(1usize, |all, &(n, edge)| all.saturating_mul(n.min(2 * edge)));
    (read < MANY).then_some(edges)
}

/// Reads the ends of each dimension from `dim` on, in row-major order.
fn read_edges(t: &Tensor, edges: &[(usize, usize)], layout: &mut Layout, dim: usize, out: &mut Vec<u8>) -> Result<()> {
    let Some(&(size, edge)) = edges.get(dim) else {
        out.extend(transfer::to_host(&t.alias(layout.clone()), Why::Print)?);
        return Ok(());
    };
    let start = layout.offset;
    let kept = size.min(2 * edge);
    for i in 0..kept {
        let i = if i < kept - kept / 2 { i } else { size - (kept - i) };
        layout.offset = start + i * layout.strides[dim];
        layout.shape[dim] = 1;
        read_edges(t, edges, layout, dim + 1, out)?;
    }
    layout.offset = start;
    Ok(())
}

/// The elements of a tensor that is printed. Its device counts what PyTorch would do to print it.
///
/// # Errors
/// What went wrong on the device, no room there for PyTorch's intermediate results, and waits that the debug mode makes
/// errors.
pub fn read(t: &Tensor, text: &TensorText<'_>, options: &PrintOptions) -> Result<Shown> {
    let t = &t.resolved()?;
    if t.device().is_cpu() {
        let edges = edges(t, options);
        let bytes = match &edges {
            None => transfer::to_host(t, Why::Print)?,
            Some(edges) => {
                let mut bytes = Vec::new();
                read_edges(t, edges, &mut t.layout(), 0, &mut bytes)?;
                bytes
            }
        };
        return Ok(Shown { bytes, dtype: t.dtype(), edges });
    }
    let engine = engine::current();
    let _showing = engine.trace.show();
    let mut bytes = engine::host::filled(0u8, t.numel().saturating_mul(t.dtype().size()))?;
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
    Ok(Shown { bytes, dtype: t.dtype(), edges: None })
}
